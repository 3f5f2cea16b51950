#include "graph/few_rules.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/tunables.h"

/* ---- cutting ----------------------------------------------------------- */

typedef struct {
  pith_i_way head;
  uint32_t constant, place;
} rule_place;

static int compare_places(const void *left, const void *right) {
  const rule_place *a = left, *b = right;
  if (a->head != b->head)
    return a->head < b->head ? -1 : 1;
  if (a->constant != b->constant)
    return a->constant < b->constant ? -1 : 1;
  return (a->place > b->place) - (a->place < b->place);
}

/* For each rule, how many cuts it survives: its place among those of its head,
** from 0. (rules) */
static pith_status rank_rules(pith_i_env *env, const pith_i_paths *rules,
                              uint32_t **out) {
  uint32_t *rank = pith_i_alloc(env, (rules->n + 1) * sizeof *rank);
  rule_place *at = pith_i_alloc(env, (rules->n + 1) * sizeof *at);
  *out = rank;
  for (size_t i = 0; rank != NULL && at != NULL && i < rules->n; i++)
    at[i] = (rule_place){rules->at[i].head, rules->at[i].constant, (uint32_t)i};
  if (rank != NULL && at != NULL && rules->n > 0)
    qsort(at, rules->n, sizeof *at, compare_places);
  uint32_t place = 0;
  for (size_t i = 0; rank != NULL && at != NULL && i < rules->n; i++) {
    bool same = i > 0 && at[i].head == at[i - 1].head &&
                at[i].constant == at[i - 1].constant;
    place = same ? place + 1 : 0;
    bool chain = at[i].constant == PITH_NONE;
    rank[at[i].place] = chain ? place / PITH_TUNE_FEW_CHAINS : place;
  }
  pith_i_release(env, at);
  return rank == NULL || at == NULL ? PITH_ENOMEM : PITH_OK;
}

static void keep_ranked(pith_i_paths *rules, const uint32_t *rank,
                        uint32_t each) {
  size_t kept = 0;
  for (size_t i = 0; i < rules->n; i++)
    if (rank[i] < each)
      rules->at[kept++] = rules->at[i];
  rules->n = kept;
}

pith_status pith_i_rules_cut(pith_i_env *env, pith_i_paths *rules,
                             uint32_t each) {
  uint32_t *rank;
  if (each == UINT32_MAX)
    return PITH_OK;
  pith_status rc = rank_rules(env, rules, &rank);
  if (rc >= 0)
    keep_ranked(rules, rank, each);
  pith_i_release(env, rank);
  return rc;
}

/* ---- choosing ---------------------------------------------------------- */

/* The MRR of held-out facts by the rules of one cut, weighed by themselves. */
static pith_status try_cut(const pith_i_tuner *tuner, const pith_i_graph *g,
                           const pith_i_paths *rules, const uint32_t *rank,
                           pith_i_rule_cut *cut) {
  pith_i_env *env = tuner->crew->owner;
  pith_i_paths some = {0};
  pith_i_rule_index *index = NULL;
  pith_i_scoring scoring = {0};
  pith_i_tuned tuned = {0};
  pith_i_tuner quick = *tuner;
  quick.ranks_only = true;
  if (!pith_i_room(env, &some, rules->n))
    return PITH_ENOMEM;
  memcpy(some.at, rules->at, rules->n * sizeof *some.at);
  some.n = rules->n;
  keep_ranked(&some, rank, cut->each);
  cut->rules = some.n;
  pith_status rc = pith_i_rule_index_new(env, g, some.at, some.n, &index);
  if (rc >= 0)
    rc = pith_i_scoring_new(env, g->ways, &scoring);
  quick.index = index;
  if (rc >= 0)
    rc = pith_i_tune(&quick, &scoring, &tuned);
  cut->mrr = tuned.asked == 0 ? NAN
                              : tuned.mrr[PITH_I_AGGREGATORS] *
                                    (double)tuned.samples / (double)tuned.asked;
  pith_i_scoring_free(env, &scoring);
  pith_i_rule_index_free(index);
  pith_i_vec_free(env, &some);
  return rc;
}

static uint32_t choose_cut(const pith_i_rule_cuts *c) {
  double best = -INFINITY;
  uint32_t each = UINT32_MAX;
  for (uint32_t i = 0; i < c->n; i++)
    best = fmax(best, c->at[i].mrr);
  for (uint32_t i = 0; i < c->n; i++)
    if (c->at[i].mrr >= best - pith_i_reals.FEW_MARGIN)
      each = i == 0 ? UINT32_MAX : c->at[i].each;
  return each;
}

pith_status pith_i_rules_choose(const pith_i_tuner *tuner,
                                const pith_i_graph *g,
                                const pith_i_paths *rules,
                                pith_i_rule_cuts *out) {
  uint32_t *rank, most = 0;
  *out = (pith_i_rule_cuts){.each = UINT32_MAX};
  pith_status rc = rank_rules(tuner->crew->owner, rules, &rank);
  for (size_t i = 0; rc >= 0 && i < rules->n; i++)
    most = rank[i] > most ? rank[i] : most;
  uint32_t each = 1;
  while (each <= most)
    each *= 2;
  double best = -INFINITY;
  for (; rc == PITH_OK && each > 0 && out->n < PITH_I_RULE_CUTS; each /= 2) {
    pith_i_rule_cut *cut = &out->at[out->n];
    *cut = (pith_i_rule_cut){.each = each};
    rc = try_cut(tuner, g, rules, rank, cut);
    out->n += rc == PITH_OK;
    best = fmax(best, cut->mrr);
    if (!(cut->mrr >= best - pith_i_reals.FEW_HOPELESS))
      break;
  }
  pith_i_release(tuner->crew->owner, rank);
  if (rc == PITH_OK)
    out->each = choose_cut(out);
  return rc;
}
