/* The closure: random small programs against the oracle, rows against bits,
** what the header promises at the edges, and memory that runs out. */
#include "programs.h"

/* ---- agreement with the oracle --------------------------------------- */

typedef struct {
  uint64_t given, derived;
} tally;

static void compare_atom(const oracle *o, void *ctx, const pith_atom *a,
                         int depth) {
  tally *t = ctx;
  assert_int_equal(pith_fact_holds(o->p, a->pred, a->args, a->arity),
                   depth >= 0);
  t->given += depth == 0;
  t->derived += depth > 0;
}

static int count_fact(void *ctx, pith_pred q, const pith_sym *args, size_t n) {
  tally *t = ctx;
  (void)q, (void)args, (void)n;
  t->derived++;
  return 0;
}

static void compare(const pith *p, const oracle *o) {
  tally t = {0, 0}, seen = {0, 0};
  each_atom(o, &t, compare_atom);
  assert_int_equal(pith_fact_count(p, PITH_NONE, PITH_GIVEN), t.given);
  assert_int_equal(pith_fact_count(p, PITH_NONE, PITH_DERIVED), t.derived);
  assert_int_equal(
      pith_fact_each(p, PITH_NONE, PITH_DERIVED, count_fact, &seen), 0);
  assert_int_equal(seen.derived, t.derived);
  assert_int_equal(pith_fact_each(p, PITH_NONE, PITH_GIVEN, count_fact, &seen),
                   0);
  assert_int_equal(seen.derived, t.derived + t.given);
}

static void closure_agrees(void **state) {
  size_t stratified = 0, refused = 0;
  (void)state;
  for (size_t i = 0; i < programs(); i++) {
    pith *p = random_program(i);
    oracle o;
    oracle_init(&o, p, 0);
    stratified += o.levels > 0;
    if (o.levels < 0) { /* refused, unless a rule of the cycle never fires */
      pith_status rc = pith_infer(p, NULL, NULL);
      assert_true(rc == PITH_OK ||
                  (rc == PITH_EINPUT && strstr(pith_error(p), "needs \\+ ")));
      refused += rc < 0;
      oracle_free(&o);
      pith_free(p);
      continue;
    }
    infer_as(p, PITH_I_BITS_NEVER);
    compare(p, &o);
    infer_as(p, PITH_I_BITS_ALWAYS);
    compare(p, &o);
    oracle_free(&o);
    pith_free(p);
  }
  assert_true(programs() < 1000 || (stratified > 50 && refused > 20));
}

static void infer_some_steps(pith *p, uint32_t steps, pith_i_bits_choice bits,
                             const oracle *all, const oracle *some) {
  pith_i_closure_options opt = {.bits = bits};
  pith_infer_info info;
  opt.steps = steps;
  bool complete = all->steps <= (int)steps;
  pith_i_store_forget(&p->store);
  assert_int_equal(pith_i_closure(&p->theory, &p->store, &opt, &info),
                   complete ? PITH_OK : PITH_STOPPED);
  assert_int_equal(info.complete, complete);
  assert_int_equal(info.steps, some->steps);
  compare(p, some);
}

static void steps_agree(void **state) {
  (void)state;
  for (size_t i = 0; i < programs(); i++) {
    pith *p = random_program(i);
    oracle all, some;
    uint32_t steps = 1 + (uint32_t)i % 4;
    oracle_init(&all, p, 0);
    oracle_init(&some, p, steps);
    if (all.levels == 0) {
      infer_some_steps(p, steps, PITH_I_BITS_NEVER, &all, &some);
      infer_some_steps(p, steps, PITH_I_BITS_ALWAYS, &all, &some);
    }
    oracle_free(&all);
    oracle_free(&some);
    pith_free(p);
  }
}

/* ---- rows and bits --------------------------------------------------- */

/* Rows of several words. The oracle is too slow for so many constants; rows
** and bits, which share little, must agree with each other. */
static pith *larger_program(uint64_t seed) {
  random_state = (seed + 1) * UINT64_C(0x9e3779b97f4a7c15);
  pith *p = new_handle();
  uint32_t n = 100 + below(500), edges = n / 2 + below(n);
  pith_sym *node = malloc(n * sizeof *node);
  char text[16];
  for (uint32_t i = 0; i < n; i++) {
    int length = snprintf(text, sizeof text, "%u", i);
    assert_int_equal(
        pith_sym_add(p, text, (size_t)length, PITH_NUMBER, &node[i]), PITH_OK);
  }
  for (uint32_t i = 0; i < edges; i++) {
    pith_sym pair[2] = {node[below(n)], node[below(n)]};
    assert_int_equal(
        pith_fact_add(p, pred(p, vocabulary[below(3)].name, 2), pair, 2),
        PITH_OK);
  }
  free(node);
  taste t = {.preds = 5, .constants = 1, .chains = true};
  for (uint32_t i = 2 + below(3); i > 0; i--)
    random_chain(p, &t);
  add_rule(p, "s A p AA");
  add_rule(p, "s A q BA e BA");
  add_rule(p, "s A e AB r AB ! AB");
  return p;
}

static int must_hold(void *ctx, pith_pred q, const pith_sym *args, size_t n) {
  return !pith_fact_holds(ctx, q, args, n);
}

static void bits_equal_rows(void **state) {
  (void)state;
  for (size_t i = 0; i < programs() / 60; i++) {
    pith *rows = larger_program(i), *bits = larger_program(i);
    infer_as(rows, PITH_I_BITS_NEVER);
    for (int choice = PITH_I_BITS_AUTO; choice <= PITH_I_BITS_ALWAYS;
         choice++) {
      infer_as(bits, (pith_i_bits_choice)choice);
      for (size_t q = 0; q < pith_pred_count(rows); q++)
        assert_int_equal(pith_fact_count(bits, (pith_pred)q, PITH_ALL),
                         pith_fact_count(rows, (pith_pred)q, PITH_ALL));
      assert_int_equal(
          pith_fact_each(bits, PITH_NONE, PITH_ALL, must_hold, rows), 0);
    }
    pith_free(rows);
    pith_free(bits);
  }
}

/* ---- the edges ------------------------------------------------------- */

static void builtins_are_no_heads(void **state) {
  (void)state;
  pith *p = new_handle();
  pith_sym a = sym(p, "a");
  assert_int_equal(pith_fact_add(p, PITH_EQUAL, (pith_sym[]){a, a}, 2),
                   PITH_EARG);
  draft d = {.n = 0};
  draft_atom(p, &d, "!", "AB");
  draft_atom(p, &d, "edge", "AB");
  assert_int_equal(draft_add(p, &d), PITH_EARG);
  pith_free(p);
}

/* More atoms than a chain of matrices takes. */
static void long_bodies_work(void **state) {
  (void)state;
  enum { LENGTH = 300 };
  pith *p = new_handle();
  pith_pred edge = pred(p, "edge", 2), far = pred(p, "far", 2);
  pith_atom body[LENGTH];
  pith_term args[LENGTH][2];
  for (uint32_t i = 0; i < LENGTH; i++) {
    args[i][0] = PITH_VAR(i);
    args[i][1] = PITH_VAR(i + 1);
    body[i] = (pith_atom){.pred = edge, .arity = 2, .args = args[i]};
  }
  pith_term ends[2] = {PITH_VAR(0), PITH_VAR(LENGTH)};
  pith_rule rule = {.head = {.pred = far, .arity = 2, .args = ends},
                    .body = body,
                    .body_len = LENGTH,
                    .var_count = LENGTH + 1,
                    .file = PITH_NONE};
  assert_int_equal(pith_rule_add(p, &rule), PITH_OK);
  add_fact(p, "edge", "ab");
  add_fact(p, "edge", "ba");
  assert_int_equal(pith_infer(p, NULL, NULL), PITH_OK);
  assert_int_equal(pith_fact_count(p, far, PITH_DERIVED), 2);
  assert_true(holds(p, "far", "aa"));
  pith_free(p);
}

static bool stop_now(void *ctx) {
  ++*(int *)ctx;
  return true;
}

static void stop_keeps_what_was_derived(void **state) {
  (void)state;
  pith *p = new_handle();
  int asked = 0;
  pith_infer_options opt;
  pith_infer_info info;
  pith_infer_defaults(&opt);
  opt.run.stop = stop_now;
  opt.run.stop_ctx = &asked;
  add_fact(p, "edge", "ab");
  add_fact(p, "edge", "bc");
  add_rule(p, "path AB edge AB");
  add_rule(p, "path AB edge AC path CB");
  assert_int_equal(pith_infer(p, &opt, &info), PITH_STOPPED);
  assert_false(info.complete);
  assert_true(asked > 0);
  assert_int_equal(pith_infer(p, NULL, &info), PITH_OK);
  assert_int_equal(info.derived, 3);
  pith_free(p);
}

/* ---- memory that runs out -------------------------------------------- */

typedef struct {
  size_t asked, refuse, alive;
} miser;

static void *miser_resize(void *ctx, void *block, size_t size) {
  miser *m = ctx;
  if (size == 0) {
    m->alive -= block != NULL;
    free(block);
    return NULL;
  }
  if (m->asked++ == m->refuse)
    return NULL;
  m->alive += block == NULL;
  return realloc(block, size);
}

typedef pith_status (*job)(pith *p);

static pith_status infer_rows(pith *p) {
  pith_i_closure_options opt = {.bits = PITH_I_BITS_NEVER};
  return pith_i_closure(&p->theory, &p->store, &opt, NULL);
}

static pith_status infer_bits(pith *p) {
  pith_i_closure_options opt = {.bits = PITH_I_BITS_ALWAYS};
  return pith_i_closure(&p->theory, &p->store, &opt, NULL);
}

static pith_status infer_steps(pith *p) {
  pith_infer_options opt;
  pith_infer_defaults(&opt);
  opt.steps = 2;
  pith_status rc = pith_infer(p, &opt, NULL);
  return rc == PITH_STOPPED ? PITH_OK : rc;
}

static pith_status infer_steps_bits(pith *p) {
  pith_i_closure_options opt = {.bits = PITH_I_BITS_ALWAYS, .record = true};
  return pith_i_closure(&p->theory, &p->store, &opt, NULL);
}

static pith_status explain_some(pith *p, pith_sym y) {
  pith_sym args[2] = {pith_sym_find(p, "a", 1, PITH_NAME), y};
  pith_atom a = {.pred = pith_pred_find(p, "p", 2), .arity = 2, .args = args};
  pith_proof *proof;
  pith_status rc = pith_explain(p, &a, &proof);
  pith_out *o = NULL;
  if (rc >= 0)
    rc = pith_out_memory(p, &o);
  for (int f = PITH_TREE; rc >= 0 && f <= PITH_DOT; f++)
    rc = pith_proof_write(p, proof, (pith_proof_format)f, o);
  if (o != NULL)
    pith_out_close(o, false);
  pith_proof_free(proof);
  return rc;
}

static pith_status prove_some(pith *p) {
  return explain_some(p, pith_sym_find(p, "d", 1, PITH_NAME));
}

static pith_status deny_some(pith *p) {
  return explain_some(p, pith_sym_find(p, "p", 1, PITH_NAME));
}

static pith_status count_some(pith *p) {
  pith_counts n;
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc >= 0 && i < pith_rule_count(p); i++)
    rc = pith_rule_counts(p, pith_rule_at(p, i), &n);
  return rc;
}

static pith_status ask_examples(pith *p) {
  pith_infer_options opt;
  pith_infer_defaults(&opt);
  opt.examples = true;
  return pith_infer(p, &opt, NULL);
}

static pith_status estimate_some(pith *p) {
  pith_estimate e;
  return pith_infer_cost(p, &e);
}

static void fill_for_jobs(pith *p) {
  add_fact(p, "e", "ab");
  add_fact(p, "e", "bc");
  add_fact(p, "e", "cd");
  add_fact(p, "t", "abc");
  add_rule(p, "p AB e AB");
  add_rule(p, "p AB p AC p CB");
  add_rule(p, "q AB e CA q CD e DB");
  add_rule(p, "q AA e AB");
  add_rule(p, "r AB p AC q DC e DB");
  add_rule(p, "u A t ABC p AB ! AC = BB");
  pith_sym args[2] = {sym(p, "a"), sym(p, "d")};
  assert_int_equal(pith_example_add(p, pred(p, "p", 2), args, 2, true, 1),
                   PITH_OK);
  assert_int_equal(pith_example_add(p, pred(p, "r", 2), args, 2, true, 1),
                   PITH_OK);
}

/* Until the job has all it asks for it must fail cleanly; the handle must
** then still do the job when it is asked again. */
static void survives(job act) {
  for (size_t k = 0;; k++) {
    miser m = {.refuse = SIZE_MAX};
    pith_memory memory = {.resize = miser_resize, .ctx = &m};
    pith *p;
    assert_int_equal(pith_new_with(&memory, &p), PITH_OK);
    fill_for_jobs(p);
    uint64_t given = pith_fact_count(p, PITH_NONE, PITH_ALL);
    m.refuse = m.asked + k;
    pith_status rc = act(p);
    bool refused = m.asked > m.refuse;
    if (refused) {
      assert_int_equal(rc, PITH_ENOMEM);
      if (act != prove_some && act != deny_some)
        assert_int_equal(pith_fact_count(p, PITH_NONE, PITH_ALL), given);
      pith_i_forget(p);
      rc = act(p);
    }
    assert_true(rc >= 0);
    pith_free(p);
    assert_int_equal(m.alive, 0);
    if (!refused)
      return;
  }
}

static void refusals_are_survived(void **state) {
  (void)state;
  const job jobs[] = {infer_rows,       infer_bits,    infer_steps,
                      infer_steps_bits, prove_some,    deny_some,
                      count_some,       estimate_some, ask_examples};
  for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++)
    survives(jobs[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(closure_agrees),
      cmocka_unit_test(steps_agree),
      cmocka_unit_test(bits_equal_rows),
      cmocka_unit_test(builtins_are_no_heads),
      cmocka_unit_test(long_bodies_work),
      cmocka_unit_test(stop_keeps_what_was_derived),
      cmocka_unit_test(refusals_are_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
