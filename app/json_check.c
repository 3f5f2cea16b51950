#include "json_check.h"

#include <assert.h>
#include <string.h>

enum { NESTED_AT_MOST = 64 };

typedef struct {
  const unsigned char *at, *end;
  unsigned depth;
} json_scan;

static bool check_value(json_scan *s);

static void skip_blanks(json_scan *s) {
  while (s->at < s->end &&
         (*s->at == ' ' || *s->at == '\t' || *s->at == '\n' || *s->at == '\r'))
    s->at++;
}

static bool take_byte(json_scan *s, unsigned char wanted) {
  if (s->at == s->end || *s->at != wanted)
    return false;
  s->at++;
  return true;
}

static bool is_digit(const json_scan *s) {
  return s->at < s->end && *s->at >= '0' && *s->at <= '9';
}

static bool take_digits(json_scan *s) {
  if (!is_digit(s))
    return false;
  while (is_digit(s))
    s->at++;
  return true;
}

static bool check_number(json_scan *s) {
  take_byte(s, '-');
  if (!take_byte(s, '0') && !take_digits(s))
    return false;
  if (take_byte(s, '.') && !take_digits(s))
    return false;
  if (!take_byte(s, 'e') && !take_byte(s, 'E'))
    return true;
  if (!take_byte(s, '+'))
    take_byte(s, '-');
  return take_digits(s);
}

/* Bytes of the character that begins with this one, or 0. */
static size_t character_length(unsigned char first) {
  return first < 0x80                    ? 1
         : first >= 0xc2 && first < 0xe0 ? 2
         : first >= 0xe0 && first < 0xf0 ? 3
         : first >= 0xf0 && first < 0xf5 ? 4
                                         : 0;
}

/* Overlong forms, surrogates and what is beyond the last character are told by
** the second byte. */
static bool is_second_byte(unsigned char first, unsigned char second) {
  unsigned char low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  unsigned char high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  return second >= low && second <= high;
}

static bool check_character(json_scan *s) {
  size_t n = character_length(*s->at);
  if (n == 0 || (size_t)(s->end - s->at) < n)
    return false;
  for (size_t i = 1; i < n; i++)
    if (i == 1 ? !is_second_byte(s->at[0], s->at[1])
               : (s->at[i] & 0xc0) != 0x80)
      return false;
  s->at += n;
  return true;
}

static bool is_hexadecimal(unsigned char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') ||
         (c >= 'A' && c <= 'F');
}

static bool check_escape(json_scan *s) {
  if (s->at == s->end)
    return false;
  unsigned char c = *s->at++;
  if (c != 'u')
    return c != '\0' && strchr("\"\\/bfnrt", c) != NULL;
  for (int i = 0; i < 4; i++)
    if (s->at == s->end || !is_hexadecimal(*s->at++))
      return false;
  return true;
}

static bool check_string(json_scan *s) {
  if (!take_byte(s, '"'))
    return false;
  while (s->at < s->end && *s->at != '"') {
    if (*s->at < 0x20)
      return false;
    if (take_byte(s, '\\') ? !check_escape(s) : !check_character(s))
      return false;
  }
  return take_byte(s, '"');
}

static bool check_word(json_scan *s, const char *word) {
  size_t n = strlen(word);
  if ((size_t)(s->end - s->at) < n || memcmp(s->at, word, n) != 0)
    return false;
  s->at += n;
  return true;
}

static bool check_member(json_scan *s) {
  skip_blanks(s);
  if (!check_string(s))
    return false;
  skip_blanks(s);
  return take_byte(s, ':') && check_value(s);
}

/* The members of an object or an array, behind its bracket. */
static bool check_members(json_scan *s, unsigned char close,
                          bool (*check)(json_scan *)) {
  skip_blanks(s);
  if (take_byte(s, close))
    return true;
  do {
    if (!check(s))
      return false;
    skip_blanks(s);
  } while (take_byte(s, ','));
  return take_byte(s, close);
}

static bool check_nested(json_scan *s) {
  if (s->depth == NESTED_AT_MOST)
    return false;
  s->depth++;
  bool ok = take_byte(s, '{')
                ? check_members(s, '}', check_member)
                : take_byte(s, '[') && check_members(s, ']', check_value);
  s->depth--;
  return ok;
}

static bool check_value(json_scan *s) {
  skip_blanks(s);
  if (s->at == s->end)
    return false;
  switch (*s->at) {
  case '{':
  case '[':
    return check_nested(s);
  case '"':
    return check_string(s);
  case 't':
    return check_word(s, "true");
  case 'f':
    return check_word(s, "false");
  case 'n':
    return check_word(s, "null");
  default:
    return check_number(s);
  }
}

bool json_check(const char *text, size_t n, size_t *at) {
  assert(text != NULL);
  const unsigned char *from = (const unsigned char *)text;
  json_scan s = {.at = from, .end = from + n};
  bool ok = check_value(&s);
  if (ok)
    skip_blanks(&s);
  *at = (size_t)(s.at - from);
  return ok && s.at == s.end;
}
