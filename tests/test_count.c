/* Counts of rules against counting by hand, scores, and estimates. */
#include "programs.h"

#include <math.h>

#include "term/equal.h"

/* ---- counts ---------------------------------------------------------- */

static bool seen(const oracle *o, pith_pred q, const pith_sym *args, size_t n) {
  if (*oracle_atom(o, q, args, n) == 0)
    return true;
  for (size_t i = 0; i < pith_example_count(o->p); i++) {
    const pith_example *e = pith_example_at(o->p, i);
    if (e->positive && e->atom.pred == q &&
        (n == 0 || memcmp(e->atom.args, args, n * sizeof *args) == 0))
      return true;
  }
  return false;
}

static bool never_seen(const oracle *o, pith_pred q) {
  if (pith_fact_count(o->p, q, PITH_GIVEN) > 0)
    return false;
  for (size_t i = 0; i < pith_example_count(o->p); i++) {
    const pith_example *e = pith_example_at(o->p, i);
    if (e->positive && e->atom.pred == q)
      return false;
  }
  return true;
}

static bool body_seen(const oracle *o, const pith_rule *r,
                      const pith_sym *value) {
  for (uint32_t i = 0; i < r->body_len; i++) {
    const pith_atom *a = &r->body[i];
    pith_sym args[MOST];
    oracle_ground(a, value, args);
    if (a->negated) {
      if (!oracle_absent(o, r, a, value))
        return false;
    } else if (PITH_IS_BUILTIN(a->pred) || never_seen(o, a->pred)) {
      if (!oracle_true(o, a, value, 1 << 30))
        return false;
    } else if (!seen(o, a->pred, args, a->arity)) {
      return false;
    }
  }
  return true;
}

static void predict_all(const oracle *o, const pith_rule *r, bool *predicted) {
  size_t digit[MOST] = {0};
  pith_sym value[MOST], args[MOST];
  if (o->constants == 0 && r->var_count > 0)
    return;
  for (uint32_t i = 0; i < r->var_count; i++)
    value[i] = o->constant[0];
  do {
    if (!body_seen(o, r, value))
      continue;
    oracle_ground(&r->head, value, args);
    predicted[oracle_atom(o, r->head.pred, args, r->head.arity) -
              o->depth[r->head.pred]] = true;
  } while (oracle_next(o, digit, value, r->var_count));
}

/* Has the argument at `place` some observed head fact? Counts different ones
** when pick is NULL. */
static size_t observed_at(const oracle *o, pith_pred q, int place,
                          const pith_sym *pick) {
  size_t n = 0;
  for (size_t i = 0; i < o->constants; i++) {
    bool any = false;
    for (size_t j = 0; j < o->constants; j++) {
      pith_sym x = o->constant[i], y = o->constant[j];
      any |=
          seen(o, q, place == 0 ? (pith_sym[]){x, y} : (pith_sym[]){y, x}, 2);
    }
    n += any && (pick == NULL || *pick == o->constant[i]);
  }
  return n;
}

typedef struct {
  const bool *predicted;
  pith_pred head;
  pith_counts n;
  uint64_t observed;
} brute_counts;

static void count_atom(const oracle *o, void *ctx, const pith_atom *a,
                       int depth) {
  brute_counts *b = ctx;
  (void)depth;
  if (a->pred != b->head)
    return;
  bool was = seen(o, a->pred, a->args, a->arity);
  b->observed += was;
  if (!b->predicted[oracle_atom(o, a->pred, a->args, a->arity) -
                    o->depth[a->pred]])
    return;
  b->n.predictions++;
  b->n.support += was;
  bool by_object = a->arity == 2 && observed_at(o, a->pred, 1, NULL) >
                                        observed_at(o, a->pred, 0, NULL);
  b->n.pca_predictions += a->arity != 2 || observed_at(o, a->pred, by_object,
                                                       &a->args[by_object]) > 0;
}

static void assert_ratio(double found, uint64_t part, uint64_t whole) {
  if (whole == 0)
    assert_true(isnan(found));
  else
    assert_true(found == (double)part / (double)whole);
}

static void count_rule(const oracle *o, pith *p, const pith_rule *r) {
  size_t room = oracle_power(o->symbols, r->head.arity);
  bool *predicted = calloc(room, sizeof *predicted);
  predict_all(o, r, predicted);
  brute_counts b = {.predicted = predicted, .head = r->head.pred};
  each_atom(o, &b, count_atom);
  pith_counts n;
  assert_int_equal(pith_rule_counts(p, r, &n), PITH_OK);
  assert_int_equal(n.predictions, b.n.predictions);
  assert_int_equal(n.support, b.n.support);
  assert_int_equal(n.pca_predictions, b.n.pca_predictions);
  assert_ratio(n.confidence, n.support, n.predictions);
  assert_ratio(n.pca_confidence, n.support, n.pca_predictions);
  assert_ratio(n.head_coverage, n.support, b.observed);
  free(predicted);
}

static void random_examples(pith *p) {
  for (uint32_t i = below(6); i > 0; i--) {
    uint32_t v = 2 + below(4);
    pith_sym args[2];
    for (uint32_t j = 0; j < vocabulary[v].arity; j++) {
      char one[2] = {(char)('a' + below(4)), '\0'};
      args[j] = sym(p, one);
    }
    (void)pith_example_add(p, pred(p, vocabulary[v].name, vocabulary[v].arity),
                           args, vocabulary[v].arity, below(3) != 0, 1);
  }
}

static void note_examples(oracle *o) {
  o->constants = 0;
  for (size_t i = 0; i < pith_example_count(o->p); i++)
    oracle_note(o, &pith_example_at(o->p, i)->atom);
  for (size_t i = 0; i < o->symbols; i++)
    if (o->used[i])
      o->constant[o->constants++] = (pith_sym)i;
}

/* Examples of what no body has are asked for one by one, the rest is derived:
** they hold as when everything is. */
static void examples_agree(void **state) {
  (void)state;
  pith_infer_options opt;
  pith_infer_defaults(&opt);
  opt.examples = true;
  for (size_t i = 0; i < programs() / 4; i++) {
    pith *p = stratified_program(i);
    for (int more = 0; more < 4; more++)
      random_examples(p);
    pith_scores all, some;
    uint64_t derived = 0;
    assert_int_equal(pith_infer(p, NULL, NULL), PITH_OK);
    pith_score(p, &all);
    derived = pith_fact_count(p, PITH_NONE, PITH_DERIVED);
    assert_int_equal(pith_infer(p, &opt, NULL), PITH_OK);
    pith_score(p, &some);
    assert_int_equal(some.tp, all.tp);
    assert_int_equal(some.fp, all.fp);
    assert_int_equal(some.fn, all.fn);
    assert_true(pith_fact_count(p, PITH_NONE, PITH_DERIVED) <= derived);
    pith_free(p);
  }
}

/* On labelled atoms: what the rule alone predicts of them. */
static void labels_agree(void **state) {
  (void)state;
  static const char text[] = "e(a,b). e(b,c). e(c,a). t(a).\n"
                             "f(X,Y) :- e(X,Z), e(Z,Y).\n"
                             "g(X) :- t(X).\n"
                             "pos(f(a,c)). pos(f(b,b)). neg(f(b,a)). "
                             "neg(f(a,a)). pos(g(a)).";
  pith *p = new_handle();
  pith_counts n;
  assert_int_equal(pith_read_text(p, "task", text, strlen(text), PITH_PROLOG),
                   PITH_OK);
  assert_int_equal(pith_rule_labelled(p, pith_rule_at(p, 0), &n), PITH_OK);
  assert_int_equal(n.predictions, 2);
  assert_int_equal(n.support, 1);
  assert_int_equal(n.observed, 2);
  assert_true(isnan(n.pca_confidence));
  assert_int_equal(pith_rule_counts(p, pith_rule_at(p, 0), &n), PITH_OK);
  assert_int_equal(n.predictions, 3);
  assert_int_equal(pith_rule_labelled(p, pith_rule_at(p, 1), &n), PITH_OK);
  assert_int_equal(n.predictions, 1);
  assert_true(n.pca_confidence == 1);
  pith_free(p);
}

static void same_rules_are_told(void **state) {
  (void)state;
  static const char text[] = "f(X,Y) :- e(X,Z), e(Z,Y).\n"
                             "f(A,B) :- e(C,B), e(A,C).\n"
                             "f(X,Y) :- e(X,Z), e(Y,Z).\n"
                             "f(X,Y) :- e(X,Z), e(Z,Y), e(Z,Y).\n"
                             "f(X,Y) :- e(X,a), e(a,Y).\n"
                             "f(X,X) :- e(X,Z), e(Z,X).\n";
  pith *p = new_handle();
  assert_int_equal(pith_read_text(p, "rules", text, strlen(text), PITH_PROLOG),
                   PITH_OK);
  pith_rule **rules = p->theory.rules.at;
  for (size_t i = 0; i < p->theory.rules.n; i++)
    for (size_t k = 0; k < p->theory.rules.n; k++)
      assert_int_equal(pith_i_rule_same(rules[i], rules[k]),
                       i == k || i + k == 1);
  pith_rule *ab[] = {rules[0], rules[2]}, *ba[] = {rules[2], rules[1]};
  assert_true(pith_i_rules_same(ab, 2, ba, 2));
  assert_false(pith_i_rules_same(ab, 2, rules, 2));
  assert_false(pith_i_rules_same(ab, 2, ba, 1));
  pith_free(p);
}

static void counts_agree(void **state) {
  (void)state;
  for (size_t i = 0; i < programs() / 4; i++) {
    pith *p = stratified_program(i);
    random_examples(p);
    oracle o;
    oracle_init(&o, p, 0);
    note_examples(&o);
    infer_as(p, i % 2 == 0 ? PITH_I_BITS_NEVER : PITH_I_BITS_ALWAYS);
    for (size_t j = 0; j < pith_rule_count(p); j++)
      count_rule(&o, p, pith_rule_at(p, j));
    oracle_free(&o);
    pith_free(p);
  }
}

/* ---- scores and estimates -------------------------------------------- */

static void score_counts_each_kind(void **state) {
  (void)state;
  pith *p = new_handle();
  pith_scores s;
  add_fact(p, "edge", "ab");
  add_fact(p, "edge", "bc");
  add_rule(p, "path AB edge AB");
  pith_pred path = pred(p, "path", 2);
  pith_sym a = sym(p, "a"), b = sym(p, "b"), c = sym(p, "c");
  const struct {
    pith_sym x, y;
    bool positive;
  } examples[] = {{a, b, true}, {b, c, false}, {c, a, false}, {a, c, true}};
  for (size_t i = 0; i < 4; i++)
    assert_int_equal(
        pith_example_add(p, path, (pith_sym[]){examples[i].x, examples[i].y}, 2,
                         examples[i].positive, 1),
        PITH_OK);
  assert_int_equal(pith_infer(p, NULL, NULL), PITH_OK);
  assert_int_equal(pith_score(p, &s), PITH_OK);
  assert_int_equal(s.tp, 1);
  assert_int_equal(s.fp, 1);
  assert_int_equal(s.tn, 1);
  assert_int_equal(s.fn, 1);
  assert_true(s.accuracy == 0.5 && s.precision == 0.5 && s.recall == 0.5 &&
              s.f1 == 0.5);
  pith_free(p);
}

static void estimate_is_a_bound(void **state) {
  (void)state;
  for (size_t i = 0; i < programs() / 4; i++) {
    pith *p = stratified_program(i);
    pith_estimate e;
    assert_int_equal(pith_infer_cost(p, &e), PITH_OK);
    assert_int_equal(pith_infer(p, NULL, NULL), PITH_OK);
    assert_true(e.facts_bound >=
                (double)pith_fact_count(p, PITH_NONE, PITH_ALL));
    assert_true(isfinite(e.bytes) && isfinite(e.seconds));
    pith_free(p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(counts_agree),
      cmocka_unit_test(examples_agree),
      cmocka_unit_test(labels_agree),
      cmocka_unit_test(same_rules_are_told),
      cmocka_unit_test(score_counts_each_kind),
      cmocka_unit_test(estimate_is_a_bound),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
