/* Proofs: valid, of the fewest steps by the oracle, and readable; and what is
** said of atoms that do not follow. */
#include "programs.h"

#include "logic/proof.h"

/* ---- proofs ---------------------------------------------------------- */

static const char *written(pith *p, const pith_proof *proof,
                           pith_proof_format format, pith_out **o) {
  assert_int_equal(pith_out_memory(p, o), PITH_OK);
  assert_int_equal(pith_proof_write(p, proof, format, *o), PITH_OK);
  return pith_out_text(*o, NULL);
}

/* Every format of every proof, for what the sanitizers may find. */
static void write_all(pith *p, const pith_proof *proof) {
  for (int f = PITH_TREE; f <= PITH_DOT; f++) {
    pith_out *o;
    assert_true(strlen(written(p, proof, (pith_proof_format)f, &o)) > 0);
    assert_int_equal(pith_out_close(o, true), PITH_OK);
  }
}

/* The other way to a proof, for goals with too many facts behind them. */
static void replay_atom(pith *p, const pith_atom *a, int depth) {
  pith_proof *proof;
  pith_sym scratch[MOST];
  assert_int_equal(pith_i_proof_new(&p->env, a, &proof), PITH_OK);
  assert_int_equal(pith_i_prove(proof, &p->theory, &p->store, false), PITH_OK);
  assert_int_equal(pith_proof_steps(proof), depth);
  assert_true(pith_i_proof_check(proof, &p->theory.names, scratch, &p->store));
  pith_proof_free(proof);
}

/* The proof was checked by the library; here, that its steps are fewest. */
static void explain_atom(const oracle *o, void *ctx, const pith_atom *a,
                         int depth) {
  pith *p = ctx;
  pith_proof *proof;
  (void)o;
  if (depth < 0 && below(8) != 0)
    return; /* most atoms do not hold; some will do */
  pith_status rc = pith_explain(p, a, &proof);
  assert_int_equal(rc, depth < 0 ? PITH_UNPROVED : PITH_OK);
  if (depth >= 0)
    assert_int_equal(pith_proof_steps(proof), depth);
  if (below(16) == 0)
    write_all(p, proof);
  pith_proof_free(proof);
  if (depth >= 0 && o->levels == 0)
    replay_atom(p, a, depth);
}

static void proofs_agree(void **state) {
  (void)state;
  for (size_t i = 0; i < programs() / 8; i++) {
    pith *p = stratified_program(i);
    oracle o;
    oracle_init(&o, p, 0);
    each_atom(&o, p, explain_atom);
    oracle_free(&o);
    pith_free(p);
  }
}

static pith_status explain(pith *p, const char *name, const char *args,
                           pith_proof **proof) {
  pith_sym s[MOST];
  size_t n = strlen(args);
  for (size_t i = 0; i < n; i++) {
    char one[2] = {args[i], '\0'};
    s[i] = sym(p, one);
  }
  pith_atom a = {.pred = pred(p, name, n), .arity = (uint32_t)n, .args = s};
  return pith_explain(p, &a, proof);
}

static void proof_reads_well(void **state) {
  (void)state;
  pith *p = new_handle();
  pith_proof *proof;
  pith_out *o;
  add_fact(p, "edge", "ab");
  add_fact(p, "edge", "bc");
  add_rule(p, "path AB edge AB");
  add_rule(p, "path AB edge AC path CB");
  assert_int_equal(explain(p, "path", "ac", &proof), PITH_OK);
  assert_int_equal(pith_proof_steps(proof), 2);
  assert_int_equal(pith_proof_size(proof), 2);
  assert_string_equal(written(p, proof, PITH_TREE, &o),
                      "path(a,c)  by path(A,B) :- edge(A,C), path(C,B).\n"
                      "  edge(a,b)  given\n"
                      "  path(b,c)  by path(A,B) :- edge(A,B).\n"
                      "    edge(b,c)  given\n");
  pith_out_close(o, true);
  assert_string_equal(
      written(p, proof, PITH_PROOF_JSON, &o),
      "{\"event\":\"proof\",\"atom\":\"path(a,c)\",\"holds\":true,\"steps\":2,"
      "\"size\":2,\"nodes\":[{\"node\":0,\"atom\":\"path(a,c)\",\"rule\":"
      "\"path(A,B) :- edge(A,C), path(C,B).\",\"from\":[3,1]},"
      "{\"node\":1,\"atom\":\"path(b,c)\",\"rule\":"
      "\"path(A,B) :- edge(A,B).\",\"from\":[2]},"
      "{\"node\":2,\"atom\":\"edge(b,c)\",\"given\":true},"
      "{\"node\":3,\"atom\":\"edge(a,b)\",\"given\":true}]}\n");
  pith_out_close(o, true);
  pith_proof_free(proof);
  pith_free(p);
}

static void whynot_names_what_fails(void **state) {
  (void)state;
  pith *p = new_handle();
  pith_proof *proof;
  pith_out *o;
  add_fact(p, "edge", "ab");
  add_fact(p, "edge", "cd");
  add_rule(p, "path AB edge AB");
  add_rule(p, "path AB edge AC path CB");
  assert_int_equal(explain(p, "path", "ad", &proof), PITH_UNPROVED);
  assert_string_equal(written(p, proof, PITH_TREE, &o),
                      "path(a,d) does not follow\n"
                      "nearest: path(A,B) :- edge(A,C), path(C,B).\n"
                      "  edge(a,b)  holds\n"
                      "  path(b,d)  fails\n"
                      "    nearest: path(A,B) :- edge(A,C), path(C,B).\n"
                      "      edge(b,c)  fails\n"
                      "        there are no rules for edge/2, and it is not "
                      "among the facts\n"
                      "      path(c,d)  holds\n");
  pith_out_close(o, true);
  pith_proof_free(proof);
  pith_free(p);
}

/* Of a long body, what holds together is put back together: one atom, r,
** has no value that the others leave, and it alone fails. */
static void whynot_in_long_bodies(void **state) {
  (void)state;
  enum { ATOMS = 300 };
  static const int failing[] = {0, 1, 149, 298, 299};
  for (size_t k = 0; k < sizeof failing / sizeof *failing; k++) {
    pith *p = new_handle();
    pith_proof *proof;
    pith_out *o;
    char text[8 * ATOMS + 64] = "e(a,b). q(b). r(c). p(X) :- e(X,Y)";
    for (int i = 0; i < ATOMS; i++)
      strcat(text, i == failing[k] ? ", r(Y)" : ", q(Y)");
    strcat(text, ".\n");
    assert_int_equal(pith_read_text(p, "long", text, strlen(text), PITH_PROLOG),
                     PITH_OK);
    assert_int_equal(explain(p, "p", "a", &proof), PITH_UNPROVED);
    const char *why = written(p, proof, PITH_TREE, &o);
    const char *fails = strstr(why, "  r(b)  fails\n");
    assert_non_null(fails);
    assert_ptr_equal(fails + strlen("  r(b)"), strstr(why, "  fails\n"));
    assert_null(strstr(fails + strlen("  r(b)  "), "  fails\n"));
    pith_out_close(o, true);
    pith_proof_free(proof);
    pith_free(p);
  }
}

/* A path of 20 000 steps: neither search nor writing may recurse. */
static void deep_proofs_work(void **state) {
  (void)state;
  enum { NODES = 20000 };
  pith *p = new_handle();
  pith_proof *proof;
  pith_pred succ = pred(p, "succ", 2), even = pred(p, "even", 1);
  pith_sym nodes[NODES];
  char text[16];
  for (uint32_t i = 0; i < NODES; i++) {
    int n = snprintf(text, sizeof text, "%u", i);
    assert_int_equal(pith_sym_add(p, text, (size_t)n, PITH_NUMBER, &nodes[i]),
                     PITH_OK);
    if (i > 0)
      assert_int_equal(
          pith_fact_add(p, succ, (pith_sym[]){nodes[i - 1], nodes[i]}, 2),
          PITH_OK);
  }
  assert_int_equal(pith_fact_add(p, even, nodes, 1), PITH_OK);
  add_rule(p, "odd A succ BA even B");
  add_rule(p, "even A succ BA odd B");
  pith_atom last = {
      .pred = pred(p, "odd", 1), .arity = 1, .args = &nodes[NODES - 1]};
  assert_int_equal(pith_explain(p, &last, &proof), PITH_OK);
  assert_int_equal(pith_proof_steps(proof), NODES - 1);
  write_all(p, proof);
  pith_proof_free(proof);
  pith_free(p);
}

/* All pairs of a circle by doubling: too many facts could play a part in the
** proof, so that it is found another way. A path of d edges takes as many
** steps as d can be halved. */
static void dense_proofs_have_fewest_steps(void **state) {
  (void)state;
  enum { NODES = 120 };
  pith *p = new_handle();
  pith_pred edge = pred(p, "edge", 2), path = pred(p, "path", 2);
  pith_sym nodes[NODES];
  char text[16];
  for (uint32_t i = 0; i < NODES; i++) {
    int n = snprintf(text, sizeof text, "%u", i);
    assert_int_equal(pith_sym_add(p, text, (size_t)n, PITH_NUMBER, &nodes[i]),
                     PITH_OK);
  }
  for (uint32_t i = 0; i < NODES; i++)
    assert_int_equal(
        pith_fact_add(p, edge, (pith_sym[]){nodes[i], nodes[(i + 1) % NODES]},
                      2),
        PITH_OK);
  add_rule(p, "path AB edge AB");
  add_rule(p, "path AB path AC path CB");
  for (uint32_t d = 1; d <= NODES; d += 17) {
    uint32_t steps = 1;
    for (uint32_t reach = 1; reach < d; reach *= 2)
      steps++;
    pith_atom a = {.pred = path,
                   .arity = 2,
                   .args = (pith_sym[]){nodes[0], nodes[d % NODES]}};
    pith_proof *proof;
    assert_int_equal(pith_explain(p, &a, &proof), PITH_OK);
    assert_int_equal(pith_proof_steps(proof), steps);
    pith_proof_free(proof);
  }
  pith_free(p);
}

static void explain_refuses_variables(void **state) {
  (void)state;
  pith *p = new_handle();
  pith_proof *proof;
  pith_term args[2] = {sym(p, "a"), PITH_VAR(0)};
  pith_atom a = {.pred = pred(p, "edge", 2), .arity = 2, .args = args};
  assert_int_equal(pith_explain(p, &a, &proof), PITH_EARG);
  assert_null(proof);
  assert_true(strlen(pith_error(p)) > 0);
  pith_free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(proofs_agree),
      cmocka_unit_test(proof_reads_well),
      cmocka_unit_test(whynot_names_what_fails),
      cmocka_unit_test(whynot_in_long_bodies),
      cmocka_unit_test(deep_proofs_work),
      cmocka_unit_test(dense_proofs_have_fewest_steps),
      cmocka_unit_test(explain_refuses_variables),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
