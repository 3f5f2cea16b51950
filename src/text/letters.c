#include "text/letters.h"

#include <stddef.h>

typedef enum { ALL, EVEN, ODD } which;

typedef struct {
  uint32_t from, to;
  which which; /* in most blocks capitals and small letters alternate */
} range;

static const range capitals[] = {
    {0xc0, 0xd6, ALL},    {0xd8, 0xde, ALL},   /* Latin-1 */
    {0x100, 0x137, EVEN}, {0x139, 0x148, ODD}, /* Latin Extended-A */
    {0x14a, 0x177, EVEN}, {0x178, 0x178, ALL},  {0x179, 0x17e, ODD},
    {0x386, 0x386, ALL},  {0x388, 0x38f, ALL}, /* Greek */
    {0x391, 0x3ab, ALL},  {0x400, 0x42f, ALL}, /* Cyrillic */
    {0x460, 0x481, EVEN}, {0x48a, 0x4bf, EVEN}, {0x4c0, 0x4c0, ALL},
    {0x4c1, 0x4ce, ODD},  {0x4d0, 0x52f, EVEN},
};

/* Spaces, punctuation and symbols; the rest counts as letters. */
static const range others[] = {
    {0x80, 0xa9, ALL},     {0xab, 0xb4, ALL},     {0xb6, 0xb9, ALL},
    {0xbb, 0xbf, ALL},     {0xd7, 0xd7, ALL},     {0xf7, 0xf7, ALL},
    {0x1680, 0x1680, ALL}, {0x2000, 0x2070, ALL}, {0x20a0, 0x20cf, ALL},
    {0x2190, 0x2bff, ALL}, {0x3000, 0x3004, ALL}, {0x3008, 0x3020, ALL},
    {0xfe10, 0xfe1f, ALL}, {0xfe30, 0xfe6f, ALL}, {0xfeff, 0xfeff, ALL},
    {0xfff0, 0xffff, ALL},
};

static bool in_ranges(const range *r, size_t n, uint32_t code) {
  for (size_t i = 0; i < n; i++)
    if (code >= r[i].from && code <= r[i].to)
      return r[i].which == ALL || (code % 2 == 1) == (r[i].which == ODD);
  return false;
}

bool pith_i_is_capital(uint32_t code) {
  return in_ranges(capitals, sizeof capitals / sizeof *capitals, code);
}

bool pith_i_is_letter(uint32_t code) {
  return !in_ranges(others, sizeof others / sizeof *others, code);
}
