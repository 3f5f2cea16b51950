/* Dialects of Prolog, chosen by the first byte. What was taken in must come out
** as Prolog that reads back to the same. */
#include "round.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const struct {
    const char *name;
    pith_format format;
  } dialects[] = {{"a.pl", PITH_PROBLOG}, {"a.lp", PITH_ASP},
                  {"a.b", PITH_ALEPH},    {"a.n", PITH_ALEPH},
                  {"a.pl", PITH_METAGOL}, {"a.pl", PITH_AUTO}};
  if (size == 0)
    return 0;
  size_t which = data[0] % (sizeof dialects / sizeof *dialects);
  pith_memory memory = {.limit = (size_t)4 << 20}; /* 1..1000000 is long */
  pith *p;
  if (pith_new_with(&memory, &p) < 0)
    abort();
  pith_status rc =
      pith_read_text(p, dialects[which].name, (const char *)data + 1, size - 1,
                     dialects[which].format);
  return round_check(p, rc, PITH_PROLOG);
}
