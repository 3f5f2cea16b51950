/* colliding N: N names of 16 characters that would all have one hash, if it had
** no key: the second word undoes what the first one did to the hash.
** check_scaling.py gives them to the readers. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/hash.h"

/* All that can stand in a cell and between quotes. */
static int is_plain(const unsigned char *word) {
  for (int i = 0; i < 8; i++)
    if (word[i] >= 0x80 || !isprint(word[i]) || strchr("\",;|'\\", word[i]))
      return 0;
  return 1;
}

/* The number i in eight letters. */
static uint64_t word_of(uint64_t i) {
  uint64_t word = 0;
  for (int k = 0; k < 8; k++)
    word = word << 8 | ('a' + (i >> 4 * k & 15));
  return word;
}

int main(int argc, char **argv) {
  long wanted = argc > 1 ? atol(argv[1]) : 10;
  for (uint64_t i = 0; wanted > 0; i++) {
    uint64_t words[2] = {word_of(i)};
    words[1] = pith_i_mix(16 * PITH_I_K0, words[0]);
    if (!is_plain((const unsigned char *)&words[1]))
      continue;
    printf("%.16s\n", (const char *)words);
    wanted--;
  }
  return 0;
}
