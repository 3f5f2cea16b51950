/* Two worlds of a grammar, learned from together, by search or by gradient:
** what the result says of a theory is what both worlds say when they adopt
** it. */
#include "grammar.h"

static const char templates[] = "2 #1(X,Y) :- #2(X,Z), #3(Z,Y).\n"
                                "#1(X,Y) :- #2(Y,X).\n";

static pith_learn_options options_of(uint8_t how) {
  pith_learn_options opt;
  pith_learn_defaults(&opt);
  opt.restarts = 16;
  opt.epochs = 5;
  opt.steps = 2;
  opt.max_body = 2;
  opt.keep = 1 + (how & 1);
  opt.go_on = (how & 2) != 0;
  opt.run.jobs = 1 + (how >> 2 & 1);
  opt.run.seed = how;
  return opt;
}

static void add_wrong(pith *p, const pith_learned *l, size_t i,
                      pith_scores *sum) {
  pith_scores s;
  if (pith_learned_adopt(l, i, p) < 0 || pith_infer(p, NULL, NULL) < 0 ||
      pith_score(p, &s) < 0)
    round_fail(p, "cannot be judged again", "");
  sum->fp += s.fp;
  sum->fn += s.fn;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static grammar first, second;
  if (size < 4)
    return 0;
  pith_learn_options opt = options_of(data[0]);
  size_t looks = (size_t)16 << (data[0] >> 5);
  round_limit(&opt.run, &looks);
  size_t half = (size - 1) / 2 < 50 ? (size - 1) / 2 : 50;
  grammar_start(&first, data + 1, half, 5);
  grammar_start(&second, data + 1 + half, half, 5);
  grammar_task(&first);
  grammar_task(&second);
  pith *worlds[2] = {grammar_read(&first), grammar_read(&second)};
  pith_learned *l = NULL;
  if ((data[0] & 8) != 0)
    (void)pith_read_text(worlds[0], "templates", templates,
                         sizeof templates - 1, PITH_TEMPLATES);
  pith_status rc = pith_learn(worlds, 2, &opt, &l);
  if (rc < 0 && rc != PITH_EINPUT && rc != PITH_ENOMEM && rc != PITH_ELIMIT)
    round_fail(worlds[0], "does not learn", first.text);
  if (l != NULL && pith_learned_count(l) > 0 && (data[0] & 8) == 0) {
    const pith_theory_info *info = pith_learned_info(l, 0);
    pith_scores sum = {0};
    add_wrong(worlds[0], l, 0, &sum);
    add_wrong(worlds[1], l, 0, &sum);
    if (sum.fp != info->fp || sum.fn != info->fn ||
        info->solved != (sum.fp + sum.fn == 0))
      round_fail(worlds[0], "judged wrongly", first.text);
  }
  pith_learned_free(l);
  pith_free(worlds[0]);
  pith_free(worlds[1]);
  return 0;
}
