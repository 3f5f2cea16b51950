#include "base/utf8.h"

#include <assert.h>
#include <string.h>

size_t pith_i_utf8_next(const char *text, size_t n, uint32_t *code) {
  const unsigned char *p = (const unsigned char *)text;
  if (n == 0)
    return 0;
  if (p[0] < 0x80) {
    *code = p[0];
    return 1;
  }
  size_t len = p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : p[0] >= 0xc2 ? 2 : 0;
  if (len == 0 || len > n || p[0] > 0xf4)
    return 0;
  uint32_t c = p[0] & (0xffu >> (len + 1));
  for (size_t i = 1; i < len; i++) {
    if ((p[i] & 0xc0) != 0x80)
      return 0;
    c = c << 6 | (p[i] & 0x3f);
  }
  static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
  if (c < least[len] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
    return 0;
  *code = c;
  return len;
}

size_t pith_i_utf8_put(uint32_t c, char *out) {
  if (c < 0x80) {
    out[0] = (char)c;
    return 1;
  }
  if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
    return 0;
  size_t len = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
  for (size_t i = len - 1; i > 0; i--, c >>= 6)
    out[i] = (char)(0x80 | (c & 0x3f));
  static const unsigned char first[5] = {0, 0, 0xc0, 0xe0, 0xf0};
  out[0] = (char)(first[len] | c);
  return len;
}

bool pith_i_utf8_valid(const char *text, size_t n) {
  for (size_t i = 0; i < n;) {
    uint32_t code;
    size_t len = pith_i_utf8_next(text + i, n - i, &code);
    if (len == 0 || code == 0)
      return false;
    i += len;
  }
  return true;
}

int pith_i_utf8_cut(const char *text, int most) {
  assert(most >= 0);
  size_t n = strlen(text);
  if (n <= (size_t)most)
    return (int)n;
  while (most > 0 && ((unsigned char)text[most] & 0xc0) == 0x80)
    most--;
  return most;
}

bool pith_i_utf8_is_control(uint32_t c) {
  return c < 0x20 || (c >= 0x7f && c < 0xa0) ||      /* C0, DEL, C1 */
         c == 0x61c || c == 0x200e || c == 0x200f || /* marks of direction */
         (c >= 0x2028 && c <= 0x202e) ||             /* line ends, directions */
         (c >= 0x2066 && c <= 0x2069);
}

size_t pith_i_utf8_plain(const char *text, size_t n) {
  uint32_t code = 0;
  size_t len = pith_i_utf8_next(text, n, &code);
  return len > 0 && pith_i_utf8_is_control(code) ? 0 : len;
}
