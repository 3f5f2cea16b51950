/* Loading: packed data of any kind, byte order marks, what is no text. */
#include "round.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  pith_memory memory = {.limit = (size_t)32 << 20};
  pith *p;
  if (pith_new_with(&memory, &p) < 0)
    abort();
  pith_read_text(p, "input.tsv", (const char *)data, size, PITH_AUTO);
  pith_free(p);
  return 0;
}
