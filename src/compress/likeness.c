#include "compress/likeness.h"

#include <assert.h>
#include <math.h>

#include "term/translate.h"

enum { MOST_PREDS = 64 };

typedef struct {
  const pith_i_net *net;
  const pith_i_real *weight;
  int lane;
  const pith_i_theory *meant;
  uint32_t as[MOST_PREDS]; /* by predicate of meant: that of the network, which
                              it stands for, or PITH_NONE */
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
  for (uint32_t c = s->first; c < s->first + s->count; c++)
    if (net->candidates.at[c].pred == k->as[pred])
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

static double least_weight(const likeness *k) {
  double least = INFINITY;
  for (size_t i = 0; i < k->meant->rules.n; i++)
    least = fmin(least, best_weight(k, k->meant->rules.at[i]));
  return least;
}

/* ---- which predicate stands for which --------------------------------- */

static uint32_t find_net_pred(const pith_i_net *net, pith_pred pred) {
  for (uint32_t i = 0; pred != PITH_NONE && i < net->preds.n; i++)
    if (net->preds.at[i].pred == pred)
      return i;
  return PITH_NONE;
}

static void match_by_name(likeness *k) {
  for (pith_pred p = PITH_BUILTINS; p < k->meant->names.preds.n; p++)
    k->as[p] = find_net_pred(
        k->net, pith_i_pred_counterpart(k->meant, k->net->theory, p));
}

static bool is_taken(const likeness *k, uint32_t net_pred) {
  for (pith_pred p = PITH_BUILTINS; p < k->meant->names.preds.n; p++)
    if (k->as[p] == net_pred)
      return true;
  return false;
}

/* What the network invents has other names than in the meant theory: the best
** of all ways to match those from p on. */
static double best_matching(likeness *k, pith_pred p) {
  const pith_i_names *names = &k->meant->names;
  while (p < names->preds.n && k->as[p] != PITH_NONE)
    p++;
  if (p >= names->preds.n)
    return least_weight(k);
  double best = 0;
  for (uint32_t i = 0; i < k->net->preds.n; i++) {
    if (k->net->preds.at[i].arity != pith_i_pred(names, p)->arity ||
        is_taken(k, i))
      continue;
    k->as[p] = i;
    best = fmax(best, best_matching(k, p + 1));
    k->as[p] = PITH_NONE;
  }
  return best;
}

double pith_i_theory_likeness(const pith_i_net *net, const pith_i_real *weight,
                              int lane, const pith_i_theory *meant) {
  assert(!net->pooled && lane >= 0 && lane < PITH_I_LANES);
  likeness k = {.net = net, .weight = weight, .lane = lane, .meant = meant};
  if (meant == NULL || meant->rules.n == 0 || meant->names.preds.n > MOST_PREDS)
    return NAN;
  match_by_name(&k);
  return best_matching(&k, PITH_BUILTINS);
}
