/* A slow, plain evaluator for small programs, written from the meaning of
** rules alone: every assignment of constants to variables is tried for every
** rule, step after step; where there is negation, level by level, each complete
** before the next. It shares nothing with the library but pith.h. */
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
  int *level;  /* (preds) negations below it                              */
  int levels;  /* the highest; -1: the rules are not stratified           */
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

/* Only numbers compare; the tests have none that a double would round. */
static bool oracle_compare(const oracle *o, pith_pred op, pith_sym a,
                           pith_sym b) {
  if (pith_sym_kind_of(o->p, a) != PITH_NUMBER ||
      pith_sym_kind_of(o->p, b) != PITH_NUMBER)
    return false;
  double x = strtod(pith_sym_text(o->p, a), NULL);
  double y = strtod(pith_sym_text(o->p, b), NULL);
  return op == PITH_LESS            ? x < y
         : op == PITH_LESS_EQUAL    ? x <= y
         : op == PITH_GREATER       ? x > y
         : op == PITH_GREATER_EQUAL ? x >= y
         : op == PITH_SAME_VALUE    ? x == y
                                    : x != y;
}

/* Whether the body atom, its sign apart, holds by step `before`. In a world
** without constants nothing holds that has arguments. */
static bool oracle_true(const oracle *o, const pith_atom *a,
                        const pith_sym *value, int before) {
  pith_sym args[8];
  if (o->constants == 0 && a->arity > 0)
    return false;
  oracle_ground(a, value, args);
  if (a->pred == PITH_EQUAL)
    return args[0] == args[1];
  if (a->pred == PITH_DIFFERENT)
    return args[0] != args[1];
  if (PITH_IS_BUILTIN(a->pred))
    return oracle_compare(o, a->pred, args[0], args[1]);
  int depth = *oracle_atom(o, a->pred, args, a->arity);
  return depth >= 0 && depth < before;
}

static bool oracle_next(const oracle *o, size_t *digit, pith_sym *value,
                        uint32_t n);

static bool oracle_has(const pith_atom *a, uint32_t var) {
  for (uint32_t i = 0; i < a->arity; i++)
    if (a->args[i] == PITH_VAR(var))
      return true;
  return false;
}

/* Whether only this atom of the rule has the variable. */
static bool oracle_local(const pith_rule *r, const pith_atom *a, uint32_t var) {
  bool elsewhere = oracle_has(&r->head, var);
  for (uint32_t i = 0; i < r->body_len; i++)
    elsewhere |= &r->body[i] != a && oracle_has(&r->body[i], var);
  return !elsewhere;
}

/* Whether the negated atom is false for all values of its own variables. */
static bool oracle_absent(const oracle *o, const pith_rule *r,
                          const pith_atom *a, const pith_sym *value) {
  size_t digit[8] = {0};
  pith_sym tried[8], mixed[8];
  for (uint32_t i = 0; i < r->var_count; i++)
    tried[i] = o->constants > 0 ? o->constant[0] : 0;
  do {
    for (uint32_t i = 0; i < r->var_count; i++)
      mixed[i] = oracle_local(r, a, i) ? tried[i] : value[i];
    if (oracle_true(o, a, mixed, 1 << 30))
      return false;
  } while (oracle_next(o, digit, tried, r->var_count));
  return true;
}

static bool oracle_body(const oracle *o, const pith_rule *r,
                        const pith_sym *value, int before) {
  for (uint32_t i = 0; i < r->body_len; i++)
    if (r->body[i].negated ? !oracle_absent(o, r, &r->body[i], value)
                           : !oracle_true(o, &r->body[i], value, before))
      return false;
  return true;
}

/* The next assignment of constants; false after the last. */
static bool oracle_next(const oracle *o, size_t *digit, pith_sym *value,
                        uint32_t n) {
  for (uint32_t i = 0; o->constants > 0 && i < n; i++) {
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
  if (o->constants == 0 && r->head.arity > 0)
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

/* Raises levels until they fit; without an end, there is a cycle. */
static void oracle_find_levels(oracle *o) {
  for (bool any = true; any && o->levels >= 0;) {
    any = false;
    for (size_t i = 0; i < pith_rule_count(o->p); i++) {
      const pith_rule *r = pith_rule_at(o->p, i);
      for (uint32_t j = 0; j < r->body_len; j++) {
        int least = o->level[r->body[j].pred] + r->body[j].negated;
        if (o->level[r->head.pred] >= least)
          continue;
        o->level[r->head.pred] = least;
        o->levels = least > o->levels ? least : o->levels;
        any = true;
      }
    }
    if (o->levels > (int)o->preds)
      o->levels = -1;
  }
}

/* The steps of a level are counted from 1 again: then the step of an atom is
** that of its shortest proof. They end when nothing of them can come later. */
static void oracle_run(oracle *o, int level, int limit) {
  int last = 0;
  for (size_t q = 0; q < o->preds; q++)
    for (size_t k = 0;
         k < oracle_power(o->symbols, pith_pred_arity(o->p, (pith_pred)q)); k++)
      last = o->depth[q][k] > last ? o->depth[q][k] : last;
  for (int step = 1; limit == 0 || step <= limit; step++) {
    bool any = false;
    for (size_t i = 0; i < pith_rule_count(o->p); i++)
      if (o->level[pith_rule_at(o->p, i)->head.pred] == level)
        any |= oracle_apply(o, pith_rule_at(o->p, i), step);
    o->steps = any && step > o->steps ? step : o->steps;
    if (!any && step > last)
      return;
  }
}

/* Rules have at most 8 variables and arguments. steps: 0 for all; a limit is
** for rules without negation. */
static inline void oracle_init(oracle *o, const pith *p, uint32_t steps) {
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
  o->level = calloc(o->preds, sizeof *o->level);
  oracle_find_levels(o);
  for (int level = 0; level <= o->levels; level++)
    oracle_run(o, level, (int)steps);
}

static inline void oracle_free(oracle *o) {
  for (size_t i = 0; i < o->preds; i++)
    free(o->depth[i]);
  free(o->depth);
  free(o->used);
  free(o->level);
  free(o->constant);
}

#endif
