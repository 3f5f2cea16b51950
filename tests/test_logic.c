/* Facts and exact logic: random small programs against the oracle, and what
** the header promises at the edges. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "handle.h"
#include "logic/closure.h"
#include "oracle.h"

/* ---- programs -------------------------------------------------------- */

static uint64_t random_state;

static uint32_t below(uint32_t n) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return (uint32_t)((random_state >> 11) % n);
}

static pith *new_handle(void) {
  pith *p;
  assert_int_equal(pith_new(&p), PITH_OK);
  return p;
}

static pith_sym sym(pith *p, const char *name) {
  pith_sym s;
  assert_int_equal(pith_sym_add(p, name, strlen(name), PITH_NAME, &s), PITH_OK);
  return s;
}

static pith_pred pred(pith *p, const char *name, size_t arity) {
  pith_pred out;
  assert_int_equal(pith_pred_add(p, name, arity, &out), PITH_OK);
  return out;
}

enum { MOST = 8 };

typedef struct {
  pith_atom atoms[MOST]; /* head, then body */
  pith_term args[MOST][MOST];
  uint32_t n, vars;
} draft;

/* Appends name(args): upper-case letters are variables, lower-case constants,
** so "p XYa" is p(X,Y,a). "=" and "!" are the builtin ones. */
static void draft_atom(pith *p, draft *d, const char *name, const char *args) {
  uint32_t arity = (uint32_t)strlen(args);
  pith_pred q = strcmp(name, "=") == 0   ? PITH_EQUAL
                : strcmp(name, "!") == 0 ? PITH_DIFFERENT
                                         : pred(p, name, arity);
  for (uint32_t i = 0; i < arity; i++) {
    char one[2] = {args[i], '\0'};
    if (args[i] >= 'A' && args[i] <= 'Z') {
      uint32_t v = (uint32_t)(args[i] - 'A');
      d->args[d->n][i] = PITH_VAR(v);
      d->vars = v + 1 > d->vars ? v + 1 : d->vars;
    } else {
      d->args[d->n][i] = sym(p, one);
    }
  }
  d->atoms[d->n] = (pith_atom){q, arity, d->args[d->n]};
  d->n++;
}

static pith_status draft_add(pith *p, const draft *d) {
  pith_rule rule = {.head = d->atoms[0],
                    .body = d->atoms + 1,
                    .body_len = d->n - 1,
                    .var_count = d->vars,
                    .file = PITH_NONE};
  return pith_rule_add(p, &rule);
}

/* "path AB edge AC path CB": a head and its body; no argument is "-". */
static void add_rule(pith *p, const char *text) {
  draft d = {.n = 0};
  char name[32], args[16];
  int used;
  for (; sscanf(text, "%31s %15s%n", name, args, &used) == 2; text += used)
    draft_atom(p, &d, name, strcmp(args, "-") == 0 ? "" : args);
  assert_int_equal(draft_add(p, &d), PITH_OK);
}

static void add_fact(pith *p, const char *name, const char *args) {
  pith_sym s[MOST];
  size_t n = strcmp(args, "-") == 0 ? 0 : strlen(args);
  for (size_t i = 0; i < n; i++) {
    char one[2] = {args[i], '\0'};
    s[i] = sym(p, one);
  }
  assert_int_equal(pith_fact_add(p, pred(p, name, n), s, n), PITH_OK);
}

static bool holds(pith *p, const char *name, const char *args) {
  pith_sym s[MOST];
  size_t n = strcmp(args, "-") == 0 ? 0 : strlen(args);
  for (size_t i = 0; i < n; i++) {
    char one[2] = {args[i], '\0'};
    s[i] = sym(p, one);
  }
  return pith_fact_holds(p, pred(p, name, n), s, n);
}

/* ---- random programs ------------------------------------------------- */

static const struct {
  const char *name;
  uint32_t arity;
} vocabulary[] = {{"e", 2}, {"f", 2}, {"p", 2}, {"q", 2},
                  {"r", 2}, {"u", 1}, {"t", 3}, {"z", 0}};

typedef struct {
  uint32_t preds;     /* of the vocabulary                     */
  uint32_t constants; /* a, b, c, ...                          */
  bool chains;        /* binary atoms without constants mostly */
} taste;

static void random_args(const taste *t, uint32_t arity, char *out) {
  for (uint32_t i = 0; i < arity; i++)
    out[i] = !t->chains && below(6) == 0 ? (char)('a' + below(t->constants))
                                         : (char)('A' + below(4));
  out[arity] = '\0';
}

static void random_rule(pith *p, const taste *t) {
  draft d = {.n = 0};
  char args[MOST];
  uint32_t body = below(4) + (below(8) != 0);
  for (uint32_t i = 0; i <= body; i++) {
    uint32_t v = below(t->preds);
    random_args(t, vocabulary[v].arity, args);
    draft_atom(p, &d, vocabulary[v].name, args);
  }
  if (!t->chains && below(4) == 0) {
    random_args(t, 2, args);
    draft_atom(p, &d, below(2) ? "=" : "!", args);
  }
  (void)draft_add(p, &d); /* one that is not safe is refused; so be it */
}

/* A chain of one to four links, each either way round. */
static void random_chain(pith *p, const taste *t) {
  draft d = {.n = 0};
  uint32_t n = 1 + below(below(3) == 0 ? 4 : 2);
  char head[3] = {'A', (char)('A' + n), '\0'};
  draft_atom(p, &d, vocabulary[2 + below(3)].name, head);
  for (uint32_t i = 0; i < n; i++) {
    char forth[3] = {(char)('A' + i), (char)('B' + i), '\0'};
    char back[3] = {forth[1], forth[0], '\0'};
    draft_atom(p, &d, vocabulary[below(t->preds)].name,
               below(3) ? forth : back);
  }
  assert_int_equal(draft_add(p, &d), PITH_OK);
}

static void random_facts(pith *p, const taste *t) {
  for (uint32_t i = below(12); i > 0; i--) {
    uint32_t v = below(t->preds);
    char args[MOST];
    for (uint32_t j = 0; j < vocabulary[v].arity; j++)
      args[j] = (char)('a' + below(t->constants));
    args[vocabulary[v].arity] = '\0';
    add_fact(p, vocabulary[v].name, args[0] == '\0' ? "-" : args);
  }
}

static pith *random_program(uint64_t seed) {
  random_state = (seed + 1) * UINT64_C(0x9e3779b97f4a7c15);
  pith *p = new_handle();
  bool chains = below(2) == 0;
  taste t = {chains ? 5 : 8, 1 + below(5), chains};
  random_facts(p, &t);
  for (uint32_t i = 1 + below(5); i > 0; i--)
    if (chains && below(6) != 0)
      random_chain(p, &t);
    else
      random_rule(p, &t);
  return p;
}

/* ---- agreement with the oracle --------------------------------------- */

/* Calls act for every ground atom of the oracle's constants. */
static void each_atom(const oracle *o, void *ctx,
                      void (*act)(const oracle *o, void *ctx,
                                  const pith_atom *a, int depth)) {
  for (size_t q = 2; q < o->preds; q++) {
    uint32_t arity = (uint32_t)pith_pred_arity(o->p, (pith_pred)q);
    size_t digit[MOST] = {0};
    pith_sym args[MOST];
    if (arity > 0 && o->constants == 0)
      continue;
    for (uint32_t i = 0; i < arity; i++)
      args[i] = o->constant[0];
    do {
      pith_atom a = {(pith_pred)q, arity, args};
      act(o, ctx, &a, *oracle_atom(o, a.pred, args, arity));
    } while (oracle_next(o, digit, args, arity));
  }
}

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

static size_t programs(void) {
  const char *n = getenv("PITH_PROGRAMS");
  return n != NULL ? strtoul(n, NULL, 10) : 3000;
}

static void infer_as(pith *p, pith_i_bits_choice bits) {
  pith_i_closure_options opt = {.bits = bits};
  pith_i_store_forget(&p->store);
  assert_int_equal(pith_i_closure(&p->theory, &p->store, &opt, NULL), PITH_OK);
  p->inferred = p->complete = true;
}

static void closure_agrees(void **state) {
  (void)state;
  for (size_t i = 0; i < programs(); i++) {
    pith *p = random_program(i);
    oracle o;
    oracle_init(&o, p, 0);
    infer_as(p, PITH_I_BITS_NEVER);
    compare(p, &o);
    infer_as(p, PITH_I_BITS_ALWAYS);
    compare(p, &o);
    oracle_free(&o);
    pith_free(p);
  }
}

static void steps_agree(void **state) {
  (void)state;
  for (size_t i = 0; i < programs(); i++) {
    pith *p = random_program(i);
    oracle all, some;
    pith_infer_options opt;
    pith_info info;
    pith_infer_defaults(&opt);
    opt.steps = 1 + (uint32_t)i % 4;
    oracle_init(&all, p, 0);
    oracle_init(&some, p, opt.steps);
    bool complete = all.steps <= (int)opt.steps;
    assert_int_equal(pith_infer(p, &opt, &info),
                     complete ? PITH_OK : PITH_STOPPED);
    assert_int_equal(info.complete, complete);
    assert_int_equal(info.steps, some.steps);
    compare(p, &some);
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
  taste t = {5, 1, true};
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
}

static void proofs_agree(void **state) {
  (void)state;
  for (size_t i = 0; i < programs() / 8; i++) {
    pith *p = random_program(i);
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
  pith_atom a = {pred(p, name, n), (uint32_t)n, s};
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
  pith_atom last = {pred(p, "odd", 1), 1, &nodes[NODES - 1]};
  assert_int_equal(pith_explain(p, &last, &proof), PITH_OK);
  assert_int_equal(pith_proof_steps(proof), NODES - 1);
  write_all(p, proof);
  pith_proof_free(proof);
  pith_free(p);
}

static void explain_refuses_variables(void **state) {
  (void)state;
  pith *p = new_handle();
  pith_proof *proof;
  pith_term args[2] = {sym(p, "a"), PITH_VAR(0)};
  pith_atom a = {pred(p, "edge", 2), 2, args};
  assert_int_equal(pith_explain(p, &a, &proof), PITH_EARG);
  assert_null(proof);
  assert_true(strlen(pith_error(p)) > 0);
  pith_free(p);
}

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
    if (a->pred == PITH_EQUAL || a->pred == PITH_DIFFERENT ||
        never_seen(o, a->pred)) {
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

static void counts_agree(void **state) {
  (void)state;
  for (size_t i = 0; i < programs() / 4; i++) {
    pith *p = random_program(i);
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
    pith *p = random_program(i);
    pith_estimate e;
    assert_int_equal(pith_estimate_infer(p, &e), PITH_OK);
    assert_int_equal(pith_infer(p, NULL, NULL), PITH_OK);
    assert_true(e.facts_bound >=
                (double)pith_fact_count(p, PITH_NONE, PITH_ALL));
    assert_true(isfinite(e.bytes) && isfinite(e.seconds));
    pith_free(p);
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
    body[i] = (pith_atom){edge, 2, args[i]};
  }
  pith_term ends[2] = {PITH_VAR(0), PITH_VAR(LENGTH)};
  pith_rule rule = {.head = {far, 2, ends},
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
  pith_info info;
  pith_infer_defaults(&opt);
  opt.stop = stop_now;
  opt.stop_ctx = &asked;
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

static pith_status explain_some(pith *p, pith_sym y) {
  pith_sym args[2] = {pith_sym_find(p, "a", 1, PITH_NAME), y};
  pith_atom a = {pith_pred_find(p, "p", 2), 2, args};
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

static pith_status estimate_some(pith *p) {
  pith_estimate e;
  return pith_estimate_infer(p, &e);
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
  const job jobs[] = {infer_rows, infer_bits, infer_steps,  prove_some,
                      deny_some,  count_some, estimate_some};
  for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++)
    survives(jobs[i]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(closure_agrees),
      cmocka_unit_test(steps_agree),
      cmocka_unit_test(bits_equal_rows),
      cmocka_unit_test(proofs_agree),
      cmocka_unit_test(proof_reads_well),
      cmocka_unit_test(whynot_names_what_fails),
      cmocka_unit_test(deep_proofs_work),
      cmocka_unit_test(explain_refuses_variables),
      cmocka_unit_test(counts_agree),
      cmocka_unit_test(score_counts_each_kind),
      cmocka_unit_test(estimate_is_a_bound),
      cmocka_unit_test(builtins_are_no_heads),
      cmocka_unit_test(long_bodies_work),
      cmocka_unit_test(stop_keeps_what_was_derived),
      cmocka_unit_test(refusals_are_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
