#include "compress/likeness.h"

#include <assert.h>
#include <math.h>

#include "term/translate.h"

typedef struct {
  const pith_i_net *net;
  const pith_i_real *weight;
  int lane;
  const pith_i_theory *meant;
} likeness;

/* Both number their variables as they come. */
static bool same_args(const pith_atom *a, const pith_atom *b) {
  bool same = a->arity == b->arity;
  for (uint32_t i = 0; same && i < a->arity; i++)
    same = a->args[i] == b->args[i];
  return same;
}

static bool same_shape(const pith_rule *a, const pith_rule *b) {
  bool same = a->body_len == b->body_len && same_args(&a->head, &b->head);
  for (uint32_t i = 0; same && i < a->body_len; i++)
    same = same_args(&a->body[i], &b->body[i]);
  return same;
}

/* The weight with which a slot stands for a predicate of the meant theory. */
static double slot_weight(const likeness *k, uint32_t slot, pith_pred pred) {
  const pith_i_net *net = k->net;
  const pith_i_net_slot *s = &net->slots.at[slot];
  pith_pred here = pith_i_pred_counterpart(k->meant, net->theory, pred);
  for (uint32_t c = s->first; c < s->first + s->count; c++)
    if (net->preds.at[net->candidates.at[c].pred].pred == here)
      return (double)k->weight[c][k->lane];
  return 0;
}

static double rule_weight(const likeness *k, const pith_i_net_rule *q,
                          const pith_rule *rule) {
  const pith_rule *shape = &q->shape->shape;
  double w = slot_weight(k, q->slots[shape->head.pred], rule->head.pred);
  for (uint32_t i = 0; i < rule->body_len; i++)
    w *= slot_weight(k, q->slots[shape->body[i].pred], rule->body[i].pred);
  return w;
}

static double best_weight(const likeness *k, const pith_rule *rule) {
  double best = 0;
  for (size_t r = 0; r < k->net->rules.n; r++) {
    const pith_i_net_rule *q = &k->net->rules.at[r];
    if (same_shape(&q->shape->shape, rule))
      best = fmax(best, rule_weight(k, q, rule));
  }
  return best;
}

double pith_i_theory_likeness(const pith_i_net *net, const pith_i_real *weight,
                              int lane, const pith_i_theory *meant) {
  assert(!net->pooled && lane >= 0 && lane < PITH_I_LANES);
  likeness k = {net, weight, lane, meant};
  if (meant == NULL || meant->rules.n == 0)
    return NAN;
  double least = INFINITY;
  for (size_t i = 0; i < meant->rules.n; i++)
    least = fmin(least, best_weight(&k, meant->rules.at[i]));
  return least;
}
