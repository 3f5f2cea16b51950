/* A slow, plain evaluator for small programs, written from the meaning of
** rules alone: every assignment of constants to variables is tried for every
** rule, step after step. It shares nothing with the library but pith.h. */
#ifndef PITH_TESTS_ORACLE_H
#define PITH_TESTS_ORACLE_H

#include <stdlib.h>
#include <string.h>

#include "pith.h"

typedef struct {
  const pith *p;
  size_t symbols, preds;
  bool *used;         /* (symbols) occurs in a fact or a rule             */
  pith_sym *constant; /* (constants) those                                */
  size_t constants;
  int **depth; /* (preds) (symbols^arity) the step of each atom, or -1    */
  int steps;   /* that added something                                    */
} oracle;

static size_t oracle_power(size_t base, size_t exponent) {
  size_t n = 1;
  while (exponent-- > 0)
    n *= base;
  return n;
}

static int *oracle_atom(const oracle *o, pith_pred pred, const pith_sym *args,
                        size_t n) {
  size_t at = 0;
  for (size_t i = 0; i < n; i++)
    at = at * o->symbols + args[i];
  return &o->depth[pred][at];
}

static int oracle_given(void *ctx, pith_pred pred, const pith_sym *args,
                        size_t n) {
  oracle *o = ctx;
  *oracle_atom(o, pred, args, n) = 0;
  for (size_t i = 0; i < n; i++)
    o->used[args[i]] = true;
  return 0;
}

static void oracle_note(oracle *o, const pith_atom *a) {
  for (uint32_t i = 0; i < a->arity; i++)
    if (!PITH_IS_VAR(a->args[i]))
      o->used[a->args[i]] = true;
}

static void oracle_ground(const pith_atom *a, const pith_sym *value,
                          pith_sym *args) {
  for (uint32_t i = 0; i < a->arity; i++)
    args[i] = PITH_IS_VAR(a->args[i]) ? value[PITH_VAR_INDEX(a->args[i])]
                                      : a->args[i];
}

/* Whether the body atom holds by step `before`. */
static bool oracle_true(const oracle *o, const pith_atom *a,
                        const pith_sym *value, int before) {
  pith_sym args[8];
  oracle_ground(a, value, args);
  if (a->pred == PITH_EQUAL)
    return args[0] == args[1];
  if (a->pred == PITH_DIFFERENT)
    return args[0] != args[1];
  int depth = *oracle_atom(o, a->pred, args, a->arity);
  return depth >= 0 && depth < before;
}

static bool oracle_body(const oracle *o, const pith_rule *r,
                        const pith_sym *value, int before) {
  for (uint32_t i = 0; i < r->body_len; i++)
    if (!oracle_true(o, &r->body[i], value, before))
      return false;
  return true;
}

/* The next assignment of constants; false after the last. */
static bool oracle_next(const oracle *o, size_t *digit, pith_sym *value,
                        uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    if (++digit[i] < o->constants) {
      value[i] = o->constant[digit[i]];
      return true;
    }
    digit[i] = 0;
    value[i] = o->constant[0];
  }
  return false;
}

/* Whether the rule adds anything in this step. */
static bool oracle_apply(oracle *o, const pith_rule *r, int step) {
  size_t digit[8] = {0};
  pith_sym value[8], args[8];
  bool any = false;
  for (uint32_t i = 0; i < r->var_count; i++)
    value[i] = o->constants > 0 ? o->constant[0] : 0;
  if (o->constants == 0 && r->var_count > 0)
    return false;
  do {
    if (!oracle_body(o, r, value, step))
      continue;
    oracle_ground(&r->head, value, args);
    int *depth = oracle_atom(o, r->head.pred, args, r->head.arity);
    if (*depth < 0) {
      *depth = step;
      any = true;
    }
  } while (oracle_next(o, digit, value, r->var_count));
  return any;
}

/* Rules have at most 8 variables and arguments. steps: 0 for all. */
static void oracle_init(oracle *o, const pith *p, uint32_t steps) {
  *o = (oracle){
      .p = p, .symbols = pith_sym_count(p), .preds = pith_pred_count(p)};
  o->used = calloc(o->symbols, sizeof *o->used);
  o->constant = calloc(o->symbols, sizeof *o->constant);
  o->depth = calloc(o->preds, sizeof *o->depth);
  for (size_t i = 0; i < o->preds; i++) {
    size_t n = oracle_power(o->symbols, pith_pred_arity(p, (pith_pred)i));
    o->depth[i] = malloc(n * sizeof **o->depth);
    memset(o->depth[i], 0xff, n * sizeof **o->depth);
  }
  pith_fact_each(p, PITH_NONE, PITH_GIVEN, oracle_given, o);
  for (size_t i = 0; i < pith_rule_count(p); i++) {
    const pith_rule *r = pith_rule_at(p, i);
    oracle_note(o, &r->head);
    for (uint32_t j = 0; j < r->body_len; j++)
      oracle_note(o, &r->body[j]);
  }
  for (size_t i = 0; i < o->symbols; i++)
    if (o->used[i])
      o->constant[o->constants++] = (pith_sym)i;
  for (bool any = true; any && (steps == 0 || o->steps < (int)steps);) {
    any = false;
    for (size_t i = 0; i < pith_rule_count(p); i++)
      any |= oracle_apply(o, pith_rule_at(p, i), o->steps + 1);
    o->steps += any;
  }
}

static void oracle_free(oracle *o) {
  for (size_t i = 0; i < o->preds; i++)
    free(o->depth[i]);
  free(o->depth);
  free(o->used);
  free(o->constant);
}

#endif
