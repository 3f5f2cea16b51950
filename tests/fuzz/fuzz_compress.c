/* Facts of a grammar: core and rules entail what the result says they do,
** counted by the closure of a handle that has nothing else; "exact" means the
** observations and nothing more. */
#include "grammar.h"

static pith_compress_options options_of(uint8_t how) {
  pith_compress_options opt;
  pith_compress_defaults(&opt);
  opt.max_body = 1 + (how & 1);
  opt.noise = (how & 2) != 0 ? PITH_NOISE_OFF : PITH_NOISE_AUTO;
  opt.max_invented = how >> 2 & 1;
  opt.run.jobs = 1;
  return opt;
}

/* Names are the same in both handles, numbers of them are not. */
static bool holds_there(const pith *from, const pith_atom *a, const pith *p) {
  pith_sym args[GRAMMAR_ARITY];
  pith_pred q = pith_pred_find(p, pith_pred_name(from, a->pred), a->arity);
  for (uint32_t i = 0; i < a->arity; i++) {
    const char *name = pith_sym_text(from, a->args[i]);
    args[i] = pith_sym_find(p, name, strlen(name),
                            pith_sym_kind_of(from, a->args[i]));
    if (args[i] == PITH_NONE)
      return false;
  }
  return q != PITH_NONE && pith_fact_holds(p, q, args, a->arity);
}

typedef struct {
  const pith *from, *closure;
  uint64_t missing;
} walk;

static int count_missing(void *ctx, pith_pred pred, const pith_sym *args,
                         size_t n) {
  walk *w = ctx;
  pith_atom a = {.pred = pred, .arity = (uint32_t)n, .args = args};
  w->missing += !holds_there(w->from, &a, w->closure);
  return 0;
}

static void check_theory(pith *p, const pith_compressed *c, const char *text) {
  const pith_compress_info *info = pith_compressed_info(c);
  pith *fresh = round_handle();
  walk w = {.from = p, .closure = fresh};
  if (pith_compressed_adopt(c, fresh) < 0 || pith_infer(fresh, NULL, NULL) < 0)
    round_fail(fresh, "does not infer", text);
  pith_fact_each(p, PITH_NONE, PITH_GIVEN, count_missing, &w);
  if (w.missing != info->missing)
    round_fail(p, "another number of facts is missing", text);
  if (info->exact != (info->missing == 0 && info->extra == 0))
    round_fail(p, "exact is wrong", text);
  if (info->minimal && info->bound != 0 && info->bound != info->core)
    round_fail(p, "minimal is wrong", text);
  uint64_t follow = pith_fact_count(fresh, PITH_NONE, PITH_GIVEN) +
                    pith_fact_count(fresh, PITH_NONE, PITH_DERIVED);
  if (info->invented == 0 &&
      follow != info->observed - info->missing + info->extra)
    round_fail(p, "another number of facts follows", text);
  pith_free(fresh);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static grammar g;
  if (size < 2)
    return 0;
  pith_compress_options opt = options_of(data[0]);
  size_t looks = (size_t)64 << (data[0] >> 5);
  if (data[0] < 224) /* others run to their end */
    round_limit(&opt.run, &looks);
  grammar_start(&g, data + 1, size - 1 < 60 ? size - 1 : 60, 5);
  g.numbers = (data[0] & 8) != 0;
  while (grammar_more(&g))
    grammar_fact(&g, GRAMMAR_WORDS - 2);
  pith *p = grammar_read(&g);
  pith_compressed *c = NULL;
  pith_status rc = pith_compress(p, &opt, &c);
  if (rc < 0 && rc != PITH_EINPUT && rc != PITH_ENOMEM)
    round_fail(p, "does not compress", g.text);
  if (c != NULL)
    check_theory(p, c, g.text);
  pith_compressed_free(c);
  pith_free(p);
  return 0;
}
