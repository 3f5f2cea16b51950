#include "score/length.h"

#include <assert.h>
#include <math.h>

double pith_i_choice_bits(double n) { return n > 1 ? log2(n) : 0; }

double pith_i_error_bits(double wrong, double all) {
  double p = all > 0 ? wrong / all : 0;
  assert(wrong >= 0);
  if (p <= 0)
    return 0;
  if (p >= 0.5)
    return all + wrong - all / 2; /* worse than chance, and ever worse */
  return -all * (p * log2(p) + (1 - p) * log2(1 - p));
}

double pith_i_fact_bits(pith_i_vocabulary_size v, uint32_t arity) {
  return pith_i_choice_bits((double)v.preds) +
         arity * pith_i_choice_bits((double)v.constants);
}

/* ---- rules ------------------------------------------------------------- */

static uint32_t count_constants_of(const pith_atom *a) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < a->arity; i++)
    n += !PITH_IS_VAR(a->args[i]);
  return n;
}

static uint32_t count_constants(const pith_rule *r) {
  uint32_t n = count_constants_of(&r->head);
  for (uint32_t i = 0; i < r->body_len; i++)
    n += count_constants_of(&r->body[i]);
  return n;
}

/* Which built-in predicate it is belongs to the shape. */
double pith_i_rule_bits(pith_i_vocabulary_size v, const pith_rule *rule) {
  double bits = pith_i_choice_bits((double)v.preds), atom = bits;
  for (uint32_t i = 0; i < rule->body_len; i++)
    bits += pith_i_is_builtin(rule->body[i].pred) ? 0 : atom;
  return bits + count_constants(rule) * pith_i_choice_bits((double)v.constants);
}

/* Which built-in predicate it is, or that an atom is negated. */
static double condition_bits(const pith_atom *a) {
  return pith_i_is_builtin(a->pred) ? pith_i_choice_bits(PITH_BUILTINS)
         : a->negated               ? 1
                                    : 0;
}

double pith_i_shape_bits(const pith_rule *rule) {
  uint32_t kinds = rule->var_count + (count_constants(rule) > 0);
  double argument = pith_i_choice_bits(kinds);
  double bits = rule->body_len + 1 + rule->head.arity * argument;
  for (uint32_t i = 0; i < rule->body_len; i++)
    bits += rule->body[i].arity * argument + condition_bits(&rule->body[i]);
  return bits;
}

/* The same variables and constants in the same places; built-in predicates
** are the same. */
static bool same_places(const pith_atom *a, const pith_atom *b) {
  bool builtin = pith_i_is_builtin(a->pred) || pith_i_is_builtin(b->pred);
  if (a->arity != b->arity || a->negated != b->negated ||
      (builtin && a->pred != b->pred))
    return false;
  for (uint32_t i = 0; i < a->arity; i++)
    if (a->args[i] != b->args[i] &&
        (PITH_IS_VAR(a->args[i]) || PITH_IS_VAR(b->args[i])))
      return false;
  return true;
}

bool pith_i_same_shape(const pith_rule *a, const pith_rule *b) {
  bool same = a->body_len == b->body_len && same_places(&a->head, &b->head);
  for (uint32_t i = 0; same && i < a->body_len; i++)
    same = same_places(&a->body[i], &b->body[i]);
  return same;
}

double pith_i_rules_bits(pith_i_vocabulary_size v, pith_rule *const *rules,
                         size_t n) {
  double bits = 0;
  for (size_t i = 0; i < n; i++) {
    size_t first = 0; /* ends at i at the latest: a rule has its own shape */
    while (!pith_i_same_shape(rules[i], rules[first]))
      first++;
    assert(first <= i);
    bits += pith_i_rule_bits(v, rules[i]);
    bits += first == i ? pith_i_shape_bits(rules[i]) : 0;
  }
  return bits;
}

static uint32_t count_choices(const pith_atom *a) {
  return 1 + count_constants_of(a);
}

double pith_i_choices_bits(pith_rule *const *rules, size_t n) {
  double bits = 0;
  for (size_t i = 0; i < n; i++) {
    const pith_rule *r = rules[i];
    uint32_t choices = n > 1 ? count_choices(&r->head) : 1;
    for (uint32_t k = 0; k < r->body_len; k++) {
      choices += n > 1 ? count_choices(&r->body[k]) : 1;
      bits += n > 1 && r->body[k].negated;
    }
    bits += PITH_I_ATOM_BITS * choices;
  }
  return bits;
}
