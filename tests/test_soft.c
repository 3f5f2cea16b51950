/* Theories by gradient: pruning many at once against one at a time by the
** exact engine, repair, and whole runs on small worlds. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

#include "api/handle.h"
#include "base/random.h"
#include "compress/soft_theory.h"
#include "logic/closure.h"

typedef struct {
  uint64_t seed, drawn;
} stream;

static uint32_t below(stream *t, uint32_t n) {
  return (uint32_t)(pith_i_random(t->seed, 7, t->drawn++) % n);
}

/* A tree of kinds, and what they can do. */
static const char kinds[] =
    "is_a(b,a). is_a(c,b). is_a(d,b). is_a(c,a). is_a(d,a). is_a(e,a)."
    "can(a,grow). can(b,grow). can(c,grow). can(d,grow). can(e,grow)."
    "can(b,fly). can(c,fly). can(d,fly). can(e,swim).";
static const char chains[] = "2 #1(X,Y) :- #2(X,Z), #3(Z,Y).\nsteps: 2\n";
enum { KINDS = 15, KINDS_CORE = 7 }; /* four edges and three abilities */

/* Two relations that share a hidden one and differ by hidden sorts. */
static const char sorts[] = "m(a,x). m(a,y). m(b,z). f(c,x). f(c,y). f(d,z).";
static const char conjunctions[] = "2 #1(X,Y) :- #2(X), #3(X,Y).\n"
                                   "invented: s/1\ninvented: t/1\n"
                                   "invented: r/2\nsteps: 1\n";

static pith *world(const char *facts, const char *templates) {
  pith *p;
  assert_int_equal(pith_new(&p), PITH_OK);
  assert_int_equal(
      pith_read_text(p, "facts", facts, strlen(facts), PITH_PROLOG), PITH_OK);
  assert_int_equal(pith_read_text(p, "templates", templates, strlen(templates),
                                  PITH_TEMPLATES),
                   PITH_OK);
  return p;
}

static pith_i_soft *soft_of(pith *p, const pith_compress_options *opt) {
  pith_i_soft *s = NULL;
  assert_int_equal(
      pith_i_soft_new(&p->env, &p->theory, &p->store, opt, NULL, &s), PITH_OK);
  return s;
}

/* ---- pruning ---------------------------------------------------------- */

/* What follows from a draft, by the exact engine. */
static void derive(pith_i_soft *s, const pith_i_restart *r, pith_i_store *all) {
  pith_i_spelled t;
  pith_i_theory theory = *s->theory;
  pith_i_closure_options opt = {.bits = PITH_I_BITS_NEVER};
  assert_int_equal(pith_i_soft_spell(s, r, &t), PITH_OK);
  theory.rules.at = t.rules;
  theory.rules.n = t.rule_count;
  assert_int_equal(pith_i_closure(&theory, &t.core, &opt, NULL), PITH_OK);
  *all = t.core;
  pith_i_store_free(&t.invented);
}

static int count_seen(void *ctx, pith_pred pred, const pith_sym *args,
                      size_t n) {
  void **to = ctx;
  const pith_i_store *observed = to[0];
  pith_i_theory_worth *w = to[1];
  (void)n;
  if (pred < observed->relations.n && observed->relations.at[pred].rows.n > 0) {
    if (pith_i_fact_holds(observed, pred, args))
      w->missing--;
    else
      w->wrong++;
  }
  return 0;
}

/* A draft's worth by the exact engine; missing counts down from all. */
static pith_i_theory_worth exact_worth(pith *p, pith_i_soft *s,
                                       const pith_i_restart *r) {
  pith_i_store all;
  pith_i_theory_worth w = {0};
  void *ctx[2] = {&p->store, &w};
  w.missing = (uint32_t)pith_i_fact_count(&p->store, PITH_NONE, PITH_GIVEN);
  derive(s, r, &all);
  pith_i_fact_each(&all, PITH_NONE, PITH_ALL, count_seen, ctx);
  for (size_t m = 0; m < s->net->core.n; m++)
    w.core += r->draft.core[m];
  pith_i_store_free(&all);
  return w;
}

/* A draft at random, with every observation open. */
static void draw_draft(stream *t, pith_i_soft *s, pith_i_decoded *d) {
  const pith_i_net *net = s->net;
  for (size_t i = 0; i < net->slots.n; i++)
    d->choice[i] = net->slots.at[i].first + below(t, net->slots.at[i].count);
  for (size_t i = 0; i < net->rules.n; i++)
    if (below(t, 8) == 0)
      d->choice[net->rules.at[i].head] = PITH_NONE;
  for (size_t m = 0; m < net->core.n; m++)
    d->open[m] = m < net->observed ? s->prune->observed[net->core.at[m]]
                                   : below(t, 2) == 0;
  d->abduce = below(t, 2) == 0;
}

/* No fact of the core can be taken away. */
static void assert_minimal(pith *p, pith_i_soft *s, pith_i_restart *r) {
  for (size_t m = 0; m < s->net->core.n; m++) {
    if (!r->draft.core[m])
      continue;
    r->draft.core[m] = false;
    pith_i_theory_worth less = exact_worth(p, s, r);
    r->draft.core[m] = true;
    assert_true(less.missing > 0);
  }
}

static void check_drafts(pith *p, uint64_t seed) {
  pith_compress_options opt = {
      .run.seed = 1, .restarts = 1, .epochs = 1, .types = true};
  pith_i_soft *s = soft_of(p, &opt);
  stream t = {.seed = seed};
  pith_i_restart r[12];
  pith_i_decoded drafts[12];
  for (uint32_t m = 0; m < s->net->core.n; m++)
    s->order[m] = m;
  for (size_t i = 0; i < 12; i++) {
    r[i] = (pith_i_restart){.draft = s->tried[i]};
    draw_draft(&t, s, &r[i].draft);
    drafts[i] = r[i].draft;
  }
  pith_i_decoded_prune(s->prune, drafts, 12, s->order);
  for (size_t i = 0; i < 12; i++) {
    pith_i_theory_worth w = exact_worth(p, s, &r[i]);
    assert_int_equal(w.wrong, drafts[i].worth.wrong);
    assert_int_equal(w.missing, drafts[i].worth.missing);
    assert_int_equal(w.core, drafts[i].worth.core);
    assert_int_equal(w.missing, 0);
    assert_minimal(p, s, &r[i]);
  }
  pith_i_soft_free(s);
}

static void pruned_is_exact(void **state) {
  (void)state;
  pith *p = world(kinds, chains), *q = world(sorts, conjunctions);
  for (uint64_t seed = 0; seed < 4; seed++) {
    check_drafts(p, seed);
    check_drafts(q, 100 + seed);
  }
  pith_free(p);
  pith_free(q);
}

/* ---- repair ----------------------------------------------------------- */

/* From rules that were drawn, changes lead to no worse ones, and often to the
** best. */
static void repair_helps(void **state) {
  (void)state;
  pith *p = world(kinds, chains);
  pith_compress_options opt = {
      .run.seed = 1, .restarts = 1, .epochs = 1, .types = true};
  pith_i_soft *s = soft_of(p, &opt);
  stream t = {.seed = 3};
  uint64_t before[8];
  size_t best = 0;
  for (uint32_t m = 0; m < s->net->core.n; m++)
    s->order[m] = m;
  for (size_t i = 0; i < 8; i++)
    draw_draft(&t, s, &s->tried[i]);
  pith_i_decoded_prune(s->prune, s->tried, 8, s->order);
  for (size_t i = 0; i < 8; i++)
    before[i] = pith_i_decoded_cost(s->net, &s->tried[i]);
  assert_int_equal(
      pith_i_decoded_repair(&p->env, s->prune, s->tried, 8, s->order, NULL),
      PITH_OK);
  for (size_t i = 0; i < 8; i++) {
    assert_true(pith_i_decoded_cost(s->net, &s->tried[i]) <= before[i]);
    best += s->tried[i].worth.core == KINDS_CORE;
  }
  assert_true(best > 0);
  pith_i_soft_free(s);
  pith_free(p);
}

/* ---- whole runs ------------------------------------------------------- */

static pith_i_soft *run_soft(pith *p, uint64_t seed, bool each, bool untyped) {
  pith_compress_options opt = {.run.seed = seed,
                               .restarts = 16,
                               .epochs = 500,
                               .each = each,
                               .types = !untyped};
  pith_i_soft *s = soft_of(p, &opt);
  assert_int_equal(pith_i_soft_run(s), PITH_OK);
  assert_int_equal(s->found.n, 16);
  return s;
}

static void kinds_are_found(void **state) {
  (void)state;
  pith *p = world(kinds, chains);
  for (int untyped = 0; untyped < 2; untyped++) {
    pith_i_soft *s = run_soft(p, 1, true, untyped != 0);
    uint32_t alone = 0;
    for (size_t i = 0; i < 16; i++) {
      const pith_i_restart *r = &s->found.at[i];
      alone += r->pruned.core == KINDS_CORE && r->pruned.wrong == 0;
      assert_int_equal(r->draft.worth.core, KINDS_CORE);
      assert_int_equal(r->draft.worth.wrong + r->draft.worth.missing, 0);
    }
    print_message("%u of 16 without repair\n", alone);
    assert_true(alone >= 14);
    pith_i_soft_free(s);
  }
  pith_free(p);
}

static void sorts_are_invented(void **state) {
  (void)state;
  pith *p = world(sorts, conjunctions);
  pith_i_soft *s = run_soft(p, 1, false, false);
  const pith_i_restart *best = &s->found.at[s->best];
  assert_int_equal(best->draft.worth.wrong + best->draft.worth.missing, 0);
  assert_true(best->draft.worth.core <= 6);
  pith_i_soft_free(s);
  pith_free(p);
}

static void same_seed_same_theory(void **state) {
  (void)state;
  pith *p = world(sorts, conjunctions);
  pith_i_soft *a = run_soft(p, 5, true, false),
              *b = run_soft(p, 5, true, false);
  for (size_t i = 0; i < 16; i++) {
    const pith_i_restart *x = &a->found.at[i], *y = &b->found.at[i];
    assert_memory_equal(x->draft.choice, y->draft.choice,
                        a->net->slots.n * sizeof *x->draft.choice);
    assert_memory_equal(x->draft.core, y->draft.core, a->net->core.n);
    assert_memory_equal(x->value, y->value, a->net->core.n * sizeof *x->value);
  }
  pith_i_soft_free(a);
  pith_i_soft_free(b);
  pith_free(p);
}

/* All restarts find the rules of the kinds and the same core; where sorts are
** invented, names differ from restart to restart and things agree. */
static void restarts_agree(void **state) {
  (void)state;
  pith *p = world(kinds, chains), *q = world(sorts, conjunctions);
  pith_compress_options opt;
  pith_compressed *c = NULL;
  pith_compress_defaults(&opt);
  opt.method = PITH_METHOD_GRADIENT;
  opt.restarts = 16;
  opt.epochs = 500;
  opt.each = true;
  assert_int_equal(pith_compress(p, &opt, &c), PITH_OK);
  const pith_compress_info *info = pith_compressed_info(c);
  assert_int_equal(info->rules, 2);
  for (size_t i = 0; i < info->rules; i++)
    assert_true(fabs(pith_compressed_rule_share(c, i) - 1) < 1e-9);
  for (size_t i = 0; i < info->core; i++)
    assert_true(fabs(pith_compressed_core_share(c, i) - 1) < 1e-9);
  pith_compressed_free(c);
  assert_int_equal(pith_compress(q, &opt, &c), PITH_OK);
  info = pith_compressed_info(c);
  for (size_t i = 0; i < info->rules; i++) {
    double share = pith_compressed_rule_share(c, i);
    assert_true(share > 0.01 && share <= 1 + 1e-9);
  }
  pith_compressed_free(c);
  opt.method = PITH_METHOD_SEARCH;
  assert_int_equal(pith_compress(p, &opt, &c), PITH_OK);
  assert_true(isnan(pith_compressed_rule_share(c, 0)));
  pith_compressed_free(c);
  pith_free(p);
  pith_free(q);
}

/* What it learns in the paper's semantics is told as it is. */
static void paper_as_it_is(void **state) {
  (void)state;
  pith *p = world(kinds, chains);
  pith_compress_options opt;
  pith_compressed *c = NULL;
  pith_compress_defaults(&opt);
  opt.semantics = PITH_PAPER;
  opt.restarts = 4;
  opt.epochs = 100;
  opt.each = true;
  assert_int_equal(pith_compress(p, &opt, &c), PITH_OK);
  const pith_compress_info *info = pith_compressed_info(c);
  assert_string_equal(info->by, "gradient");
  assert_int_equal(pith_compressed_restarts(c), 4);
  bool told = false;
  for (size_t i = 0; i < 4; i++) {
    const pith_restart_info *r = pith_compressed_restart(c, i);
    assert_int_equal(r->epoch, 100);
    told = told ||
           (r->decoded.core == info->core && r->decoded.wrong == info->extra &&
            r->decoded.missing == info->missing);
  }
  assert_true(told);
  pith_compressed_free(c);
  pith_free(p);
}

/* The authors' script is trained to the end, counted over all cells that types
** allow (five kinds by five, and by three abilities), and compared with rules
** of another handle; without types and with invented predicates it runs too. */
static void scripts_are_compared(void **state) {
  (void)state;
  static const char rules[] = "is_a(X,Y) :- is_a(X,Z), is_a(Z,Y)."
                              "can(X,Y) :- is_a(X,Z), can(Z,Y).";
  pith *p = world(kinds, chains), *meant = world(rules, chains);
  pith *q = world(sorts, conjunctions);
  pith_compress_options opt;
  pith_compressed *c = NULL;
  uint32_t found = 0;
  pith_compress_defaults(&opt);
  opt.semantics = PITH_PAPER;
  opt.restarts = 16;
  opt.each = true;
  opt.variant = &(pith_variant){.core_half = true, .onehot_start = true};
  opt.meant = meant;
  assert_int_equal(pith_compress(p, &opt, &c), PITH_OK);
  for (size_t i = 0; i < 16; i++) {
    const pith_restart_info *r = pith_compressed_restart(c, i);
    assert_int_equal(r->cells, 5 * 5 + 5 * 3);
    assert_true(r->tenth.core >= r->soft.core && r->tenth.core <= r->cells);
    assert_true(r->likeness >= 0 && r->likeness <= 1.00001);
    found += r->likeness > 0.5;
  }
  print_message("%u of 16 have both rules\n", found);
  assert_true(found >= 8);
  pith_compressed_free(c);
  opt.meant = NULL;
  opt.types = false;
  assert_int_equal(pith_compress(p, &opt, &c), PITH_OK);
  assert_true(isnan(pith_compressed_restart(c, 0)->likeness));
  pith_compressed_free(c);
  assert_int_equal(pith_compress(q, &opt, &c), PITH_OK);
  assert_int_equal(pith_compressed_restart(c, 0)->cells, 2 * 7 * 7);
  pith_compressed_free(c);
  pith_free(p);
  pith_free(meant);
  pith_free(q);
}

/* What is invented has no name to be found by: rules of the meant theory are
** found whatever it calls its invented predicates, and the
** best match counts. */
static void invented_ones_have_any_name(void **state) {
  (void)state;
  static const char *const rules[] = {
      "m(X,Y) :- male(X), child(X,Y). f(X,Y) :- female(X), child(X,Y).",
      "m(X,Y) :- b(X), c(X,Y). f(X,Y) :- a(X), c(X,Y).",
      "m(X,Y) :- male(X), child(X,Y). f(X,Y) :- male(X), child(X,Y)."};
  double like[3][16], most = 0;
  for (int k = 0; k < 3; k++) {
    pith *p = world(sorts, conjunctions), *meant = world(rules[k], chains);
    pith_compress_options opt;
    pith_compressed *c = NULL;
    pith_compress_defaults(&opt);
    opt.semantics = PITH_PAPER;
    opt.restarts = 16;
    opt.each = true;
    opt.meant = meant;
    assert_int_equal(pith_compress(p, &opt, &c), PITH_OK);
    for (size_t i = 0; i < 16; i++)
      like[k][i] = pith_compressed_restart(c, i)->likeness;
    pith_compressed_free(c);
    pith_free(meant);
    pith_free(p);
  }
  for (size_t i = 0; i < 16; i++) {
    assert_true(like[0][i] == like[1][i]);
    most = fmax(most, fabs(like[0][i] - like[2][i]));
  }
  assert_true(most > 0.1);
}

static bool at_once(void *ctx) {
  size_t *asked = ctx;
  return ++*asked > 3;
}

static void stops_when_told(void **state) {
  (void)state;
  pith *p = world(sorts, conjunctions);
  size_t asked = 0;
  pith_compress_options opt;
  pith_compressed *c = NULL;
  pith_compress_defaults(&opt);
  opt.method = PITH_METHOD_GRADIENT;
  opt.run.stop = at_once;
  opt.run.stop_ctx = &asked;
  pith_status rc = pith_compress(p, &opt, &c);
  assert_true(rc == PITH_STOPPED || rc == PITH_ELIMIT);
  pith_compressed_free(c);
  pith_free(p);
}

static void bad_options_are_refused(void **state) {
  (void)state;
  pith *p = world(kinds, chains), *q = world(kinds, "steps: 2\n");
  pith_compress_options opt;
  pith_compressed *c = NULL;
  pith_compress_defaults(&opt);
  opt.lambda = NAN;
  assert_int_equal(pith_compress(p, &opt, &c), PITH_EARG);
  pith_compress_defaults(&opt);
  opt.restarts = 0;
  assert_int_equal(pith_compress(p, &opt, &c), PITH_EARG);
  pith_compress_defaults(&opt);
  opt.method = (pith_method)9;
  assert_int_equal(pith_compress(p, &opt, &c), PITH_EARG);
  opt.method = PITH_METHOD_GRADIENT;
  assert_int_equal(pith_compress(q, &opt, &c), PITH_EINPUT);
  assert_null(c);
  pith_free(p);
  pith_free(q);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pruned_is_exact),
      cmocka_unit_test(repair_helps),
      cmocka_unit_test(kinds_are_found),
      cmocka_unit_test(sorts_are_invented),
      cmocka_unit_test(same_seed_same_theory),
      cmocka_unit_test(restarts_agree),
      cmocka_unit_test(paper_as_it_is),
      cmocka_unit_test(scripts_are_compared),
      cmocka_unit_test(invented_ones_have_any_name),
      cmocka_unit_test(stops_when_told),
      cmocka_unit_test(bad_options_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
