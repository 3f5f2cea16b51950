#include "compress/description_length.h"

#include <math.h>
#include <string.h>

static double choice(size_t n) { return n > 1 ? log2((double)n) : 0; }

double pith_i_fact_bits(const pith_i_observations *w, pith_pred pred) {
  uint32_t arity = pith_i_pred(&w->theory->names, pred)->arity;
  return choice(w->used) + arity * choice(w->constants);
}

static bool is_builtin(pith_pred p) { return pith_i_is_builtin(p); }

double pith_i_rule_bits(const pith_i_observations *w, const pith_rule *rule) {
  double bits = choice(w->used), atom = bits;
  for (uint32_t i = 0; i < rule->body_len; i++)
    bits += is_builtin(rule->body[i].pred) ? 0 : atom;
  return bits;
}

double pith_i_shape_bits(const pith_rule *rule) {
  double variable = choice(rule->var_count);
  double bits = rule->body_len + 1 + rule->head.arity * variable;
  for (uint32_t i = 0; i < rule->body_len; i++)
    bits += rule->body[i].arity * variable;
  return bits;
}

static bool same_args(const pith_atom *a, const pith_atom *b) {
  return a->arity == b->arity && is_builtin(a->pred) == is_builtin(b->pred) &&
         (a->arity == 0 ||
          memcmp(a->args, b->args, a->arity * sizeof *a->args) == 0);
}

bool pith_i_same_shape(const pith_rule *a, const pith_rule *b) {
  bool same = a->body_len == b->body_len && same_args(&a->head, &b->head);
  for (uint32_t i = 0; same && i < a->body_len; i++)
    same = same_args(&a->body[i], &b->body[i]);
  return same;
}

double pith_i_rules_bits(const pith_i_observations *w, pith_rule *const *rules,
                         size_t n) {
  double bits = 0;
  for (size_t i = 0; i < n; i++) {
    size_t j = 0;
    while (!pith_i_same_shape(rules[i], rules[j]))
      j++;
    bits += pith_i_rule_bits(w, rules[i]);
    bits += j == i ? pith_i_shape_bits(rules[i]) : 0;
  }
  return bits;
}

double pith_i_observed_bits(const pith_i_observations *w) {
  double bits = 0;
  for (size_t p = 0; p < w->pred_count; p++)
    bits += (double)w->solid[p] * pith_i_fact_bits(w, (pith_pred)p);
  return bits;
}
