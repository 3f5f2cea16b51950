#include "graph/few_rules.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/tunables.h"

void pith_i_rules_cut(pith_i_paths *rules, const uint32_t *place,
                      uint32_t each) {
  size_t kept = 0;
  for (size_t i = 0; i < rules->n; i++)
    if (place[i] < each)
      rules->at[kept++] = rules->at[i];
  rules->n = kept;
}

/* Places by head, best first; how many there are of each place up to MOST. */
enum { CHAINS_A_PLACE = 64, MOST_PLACES = 1024 };

static void place_by_head(const pith_i_graph *g, const pith_i_paths *rules,
                          uint32_t *heads, uint32_t *place, size_t *count) {
  for (size_t i = 0; i < rules->n; i++) {
    const pith_i_path *p = &rules->at[i];
    bool chain = p->constant == PITH_NONE;
    uint32_t run =
        chain ? PITH_NONE
              : pith_i_graph_run(g, p->constant, PITH_I_OPPOSITE(p->head));
    uint32_t *of_head =
        run != PITH_NONE ? &heads[run] : &heads[g->runs + p->head / 2];
    place[i] = chain ? (*of_head)++ / CHAINS_A_PLACE : (*of_head)++;
    count[place[i] < MOST_PLACES ? place[i] : MOST_PLACES]++;
  }
}

pith_status pith_i_rules_limit(pith_i_env *env, const pith_i_graph *g,
                               pith_i_paths *rules, size_t most) {
  size_t count[MOST_PLACES + 1] = {0}, kept = 0;
  if (rules->n <= most)
    return PITH_OK;
  uint32_t *heads =
      pith_i_zalloc(env, (size_t)g->runs + g->relations, sizeof *heads);
  uint32_t *place = pith_i_alloc(env, rules->n * sizeof *place), each = 0;
  pith_status rc = heads == NULL || place == NULL ? PITH_ENOMEM : PITH_OK;
  if (rc >= 0) {
    place_by_head(g, rules, heads, place, count);
    while (each < MOST_PLACES && kept + count[each] <= most)
      kept += count[each++];
    pith_i_rules_cut(rules, place, each);
    assert(rules->n == kept);
  }
  pith_i_release(env, heads);
  pith_i_release(env, place);
  return rc;
}

/* Weighs some rules by themselves; their MRR on held-out facts. */
static pith_status weigh_few(const pith_i_tuner *tuner, const pith_i_graph *g,
                             const pith_i_paths *some, double *mrr) {
  pith_i_env *env = tuner->crew->owner;
  pith_i_rule_index *index = NULL;
  pith_i_scoring scoring = {0};
  pith_i_tuned tuned = {0};
  pith_i_tuner quick = *tuner;
  pith_status rc = pith_i_rule_index_new(env, g, some->at, some->n, &index);
  if (rc >= 0)
    rc = pith_i_scoring_new(env, g->ways, &scoring);
  quick.ranks_only = true;
  quick.index = index;
  if (rc >= 0)
    rc = pith_i_tune(&quick, &scoring, &tuned);
  *mrr = tuned.asked == 0 ? NAN : tuned.mrr[PITH_I_AGGREGATORS];
  pith_i_scoring_free(env, &scoring);
  pith_i_rule_index_free(index);
  return rc;
}

static pith_status try_cut(const pith_i_tuner *tuner, const pith_i_graph *g,
                           const pith_i_paths *rules, const uint32_t *place,
                           pith_i_rule_cut *cut) {
  pith_i_env *env = tuner->crew->owner;
  pith_i_paths some = {0};
  if (!pith_i_room(env, &some, rules->n))
    return PITH_ENOMEM;
  memcpy(some.at, rules->at, rules->n * sizeof *some.at);
  some.n = rules->n;
  pith_i_rules_cut(&some, place, cut->each);
  cut->rules = some.n;
  pith_status rc = weigh_few(tuner, g, &some, &cut->mrr);
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
      each = c->at[i].each;
  return each;
}

pith_status pith_i_rules_choose(const pith_i_tuner *tuner,
                                const pith_i_graph *g,
                                const pith_i_paths *rules,
                                const uint32_t *place, pith_i_rule_cuts *out) {
  pith_status rc = PITH_OK;
  uint32_t each = UINT32_MAX;
  double best = -INFINITY;
  *out = (pith_i_rule_cuts){.each = UINT32_MAX};
  while (rc == PITH_OK && each > 0 && out->n < PITH_I_RULE_CUTS) {
    pith_i_rule_cut *cut = &out->at[out->n];
    *cut = (pith_i_rule_cut){.each = each};
    rc = try_cut(tuner, g, rules, place, cut);
    out->n += rc == PITH_OK;
    best = fmax(best, cut->mrr);
    if (!(cut->mrr >= best - pith_i_reals.FEW_HOPELESS))
      break;
    each = each == UINT32_MAX ? PITH_I_REASONS : each / 2;
  }
  out->each = choose_cut(out);
  return rc;
}
