/* What the tests of logic share: programs written in short, random programs,
** and a walk over all atoms of one. */
#ifndef PITH_TESTS_PROGRAMS_H
#define PITH_TESTS_PROGRAMS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "api/handle.h"
#include "logic/closure.h"
#include "oracle.h"

/* ---- programs -------------------------------------------------------- */

static uint64_t random_state;

static inline uint32_t below(uint32_t n) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return (uint32_t)((random_state >> 11) % n);
}

static inline pith *new_handle(void) {
  pith *p;
  assert_int_equal(pith_new(&p), PITH_OK);
  return p;
}

/* A digit is a number. */
static inline pith_sym sym(pith *p, const char *name) {
  pith_sym s;
  bool number = name[0] >= '0' && name[0] <= '9';
  assert_int_equal(
      pith_sym_add(p, name, strlen(name), number ? PITH_NUMBER : PITH_NAME, &s),
      PITH_OK);
  return s;
}

static inline pith_pred pred(pith *p, const char *name, size_t arity) {
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

/* Appends name(args): upper-case letters are variables, lower-case ones and
** digits constants, so "p XYa" is p(X,Y,a). "=", "<" and so on are the builtin
** ones, "!" is inequality; "~p" is a negated atom. */
static inline void draft_atom(pith *p, draft *d, const char *name,
                              const char *args) {
  uint32_t arity = (uint32_t)strlen(args);
  bool negated = name[0] == '~';
  name += negated;
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
  d->atoms[d->n] = (pith_atom){
      .pred = q, .arity = arity, .args = d->args[d->n], .negated = negated};
  d->n++;
}

static inline pith_status draft_add(pith *p, const draft *d) {
  pith_rule rule = {.head = d->atoms[0],
                    .body = d->atoms + 1,
                    .body_len = d->n - 1,
                    .var_count = d->vars,
                    .file = PITH_NONE};
  return pith_rule_add(p, &rule);
}

/* "path AB edge AC path CB": a head and its body; no argument is "-". */
static inline void add_rule(pith *p, const char *text) {
  draft d = {.n = 0};
  char name[32], args[16];
  int used;
  for (; sscanf(text, "%31s %15s%n", name, args, &used) == 2; text += used)
    draft_atom(p, &d, name, strcmp(args, "-") == 0 ? "" : args);
  assert_int_equal(draft_add(p, &d), PITH_OK);
}

static inline void add_fact(pith *p, const char *name, const char *args) {
  pith_sym s[MOST];
  size_t n = strcmp(args, "-") == 0 ? 0 : strlen(args);
  for (size_t i = 0; i < n; i++) {
    char one[2] = {args[i], '\0'};
    s[i] = sym(p, one);
  }
  assert_int_equal(pith_fact_add(p, pred(p, name, n), s, n), PITH_OK);
}

static inline bool holds(pith *p, const char *name, const char *args) {
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
  bool full;          /* numbers, comparisons and negation too */
} taste;

static inline char random_constant(const taste *t) {
  return (char)((t->full && below(2) ? '1' : 'a') + below(t->constants));
}

static inline void random_args(const taste *t, uint32_t arity, char *out) {
  for (uint32_t i = 0; i < arity; i++)
    out[i] = !t->chains && below(6) == 0 ? random_constant(t)
                                         : (char)('A' + below(4));
  out[arity] = '\0';
}

static inline void random_rule(pith *p, const taste *t) {
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
  if (t->full && below(2) == 0) {
    static const char *const signs[] = {"<", "=<", ">", ">=", "=:=", "=\\="};
    random_args(t, 2, args);
    draft_atom(p, &d, signs[below(6)], args);
  }
  for (uint32_t i = t->full ? below(3) : 0; i > 0 && d.n < MOST; i--) {
    uint32_t v = below(t->preds);
    char name[4];
    snprintf(name, sizeof name, "~%s", vocabulary[v].name);
    random_args(t, vocabulary[v].arity, args);
    draft_atom(p, &d, name, args);
  }
  (void)draft_add(p, &d); /* one that is not safe is refused; so be it */
}

/* A chain of one to four links, each either way round. */
static inline void random_chain(pith *p, const taste *t) {
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

static inline void random_facts(pith *p, const taste *t) {
  for (uint32_t i = below(12); i > 0; i--) {
    uint32_t v = below(t->preds);
    char args[MOST];
    for (uint32_t j = 0; j < vocabulary[v].arity; j++)
      args[j] = random_constant(t);
    args[vocabulary[v].arity] = '\0';
    add_fact(p, vocabulary[v].name, args[0] == '\0' ? "-" : args);
  }
}

static inline pith *random_program(uint64_t seed) {
  random_state = (seed + 1) * UINT64_C(0x9e3779b97f4a7c15);
  pith *p = new_handle();
  bool chains = below(2) == 0;
  taste t = {chains ? 5 : 8, 1 + below(5), chains, seed % 3 == 2};
  if (t.full)
    t.constants = 1 + below(3);
  random_facts(p, &t);
  for (uint32_t i = 1 + below(5); i > 0; i--)
    if (chains && below(6) != 0)
      random_chain(p, &t);
    else
      random_rule(p, &t);
  return p;
}

/* The first from the seed on that is stratified. */
static inline pith *stratified_program(uint64_t seed) {
  for (;; seed += UINT64_C(3000000)) {
    pith *p = random_program(seed);
    if (pith_infer(p, NULL, NULL) >= 0) {
      pith_i_store_forget(&p->store);
      p->inferred = p->complete = false;
      return p;
    }
    pith_free(p);
  }
}

/* Calls act for every ground atom of the oracle's constants. */
static inline void each_atom(const oracle *o, void *ctx,
                             void (*act)(const oracle *o, void *ctx,
                                         const pith_atom *a, int depth)) {
  for (size_t q = PITH_BUILTINS; q < o->preds; q++) {
    uint32_t arity = (uint32_t)pith_pred_arity(o->p, (pith_pred)q);
    size_t digit[MOST] = {0};
    pith_sym args[MOST];
    if (arity > 0 && o->constants == 0)
      continue;
    for (uint32_t i = 0; i < arity; i++)
      args[i] = o->constant[0];
    do {
      pith_atom a = {.pred = (pith_pred)q, .arity = arity, .args = args};
      act(o, ctx, &a, *oracle_atom(o, a.pred, args, arity));
    } while (oracle_next(o, digit, args, arity));
  }
}

static inline size_t programs(void) {
  const char *n = getenv("PITH_PROGRAMS");
  return n != NULL ? strtoul(n, NULL, 10) : 3000;
}

static inline void infer_as(pith *p, pith_i_bits_choice bits) {
  pith_i_closure_options opt = {.bits = bits};
  pith_i_store_forget(&p->store);
  assert_int_equal(pith_i_closure(&p->theory, &p->store, &opt, NULL), PITH_OK);
  p->inferred = p->complete = true;
}

#endif
