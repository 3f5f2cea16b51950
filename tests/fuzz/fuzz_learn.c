/* Learning without templates from any program: nothing crashes, and what is
** called solved fits every example. The first byte says how. */
#include "round.h"

static pith_learn_options options_of(uint8_t how) {
  pith_learn_options opt;
  pith_learn_defaults(&opt);
  opt.method = PITH_METHOD_SEARCH;
  opt.noise = (how & 1) != 0 ? PITH_NOISE_ON : PITH_NOISE_AUTO;
  opt.constants = (how & 2) != 0;
  opt.keep = 1 + (how >> 2 & 3);
  opt.max_body = 1 + (how >> 4 & 3);
  opt.max_rules = how >> 6 & 3;
  return opt;
}

static void check(pith *p, const pith_learned *l) {
  pith_scores scores;
  if (pith_learned_adopt(l, 0, p) < 0 || pith_infer(p, NULL, NULL) < 0)
    return;
  pith_score(p, &scores);
  const pith_theory_info *info = pith_learned_info(l, 0);
  if (info->fp != scores.fp || info->fn != scores.fn)
    round_fail(p, "judged wrongly", "");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0)
    return 0;
  pith *p = round_handle();
  pith_learned *l = NULL;
  pith_learn_options opt = options_of(data[0]);
  size_t looks = 2000;
  round_limit(&opt.run, &looks);
  pith_status rc =
      pith_read_text(p, "input", (const char *)data + 1, size - 1, PITH_PROLOG);
  if (rc >= 0 && pith_example_count(p) > 0)
    rc = pith_learn(&p, 1, &opt, &l);
  if (rc >= 0 && l != NULL && pith_learned_count(l) > 0)
    check(p, l);
  pith_learned_free(l);
  pith_free(p);
  return 0;
}
