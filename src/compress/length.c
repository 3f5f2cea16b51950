#include "compress/length.h"

#include <math.h>

static double choice(size_t n) { return n > 1 ? log2((double)n) : 0; }

static size_t used_preds(const pith_i_scene *w) {
  size_t n = 0;
  for (size_t p = 0; p < w->pred_count; p++)
    n += pith_i_scene_count(w, (pith_pred)p) > 0;
  return n;
}

double pith_i_fact_bits(const pith_i_scene *w, pith_pred pred) {
  uint32_t arity = pith_i_pred(&w->theory->names, pred)->arity;
  return choice(used_preds(w)) + arity * choice(w->constants);
}

double pith_i_rule_bits(const pith_i_scene *w, const pith_rule *rule) {
  double atom = choice(used_preds(w) + 1), variable = choice(rule->var_count);
  double bits = atom * (rule->body_len + 2) + rule->head.arity * variable;
  for (uint32_t i = 0; i < rule->body_len; i++)
    bits += rule->body[i].arity * variable;
  return bits;
}

double pith_i_observed_bits(const pith_i_scene *w) {
  double bits = 0;
  for (size_t p = 0; p < w->pred_count; p++)
    if (!w->invented[p])
      bits += (double)pith_i_scene_count(w, (pith_pred)p) *
              pith_i_fact_bits(w, (pith_pred)p);
  return bits;
}
