/* Tables of any text; the first byte chooses the options. What was taken in
** must come out as Prolog that reads back to the same. */
#include "round.h"

static pith_read_options options_of(uint8_t how) {
  static const char *const keys[] = {NULL, "none", "a", "id"};
  static const char *const labels[] = {NULL, "b", "c=x", "a"};
  pith_read_options opt;
  pith_read_defaults(&opt);
  opt.format = (how & 1) != 0 ? PITH_CSV : PITH_AUTO;
  opt.key = keys[how >> 1 & 3];
  opt.label = labels[how >> 3 & 3];
  opt.columns = (how & 32) != 0 ? "a,b" : NULL;
  opt.header = (how & 64) != 0 ? PITH_HEADER_NO : PITH_HEADER_AUTO;
  opt.relation = (how & 128) != 0 ? "r" : NULL;
  return opt;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0)
    return 0;
  pith *p = round_handle();
  pith_read_options opt = options_of(data[0]);
  pith_status rc =
      pith_read_text_with(p, "t.csv", (const char *)data + 1, size - 1, &opt);
  return round_check(p, rc, PITH_PROLOG);
}
