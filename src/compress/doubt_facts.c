#include "compress/doubt_facts.h"

#include <assert.h>

#include "base/tunables.h"
#include "compress/derive.h"
#include "compress/doubtful_facts.h"

/* Lists the rules that were chosen; *any_wrong: one predicts too much. */
static size_t list_chosen(const pith_i_rule_search *s, pith_rule **rules,
                          bool *any_wrong) {
  size_t n = 0;
  assert(s->active != NULL);
  *any_wrong = false;
  for (size_t i = 0; i < s->list.n; i++)
    if (s->active[i]) {
      *any_wrong |= s->list.at[i].predictions > s->list.at[i].support;
      rules[n++] = s->list.at[i].rule;
    }
  return n;
}

static pith_status copy_undoubted(const pith_i_observations *w,
                                  const pith_i_fact_numbers *doubts,
                                  pith_i_store *out) {
  bool *doubted = pith_i_zalloc(w->env, w->n + 1, sizeof *doubted);
  pith_status rc = doubted == NULL ? PITH_ENOMEM : PITH_OK;
  for (size_t i = 0; rc >= 0 && i < doubts->n; i++) {
    assert(doubts->at[i] < w->n);
    doubted[doubts->at[i]] = true;
  }
  for (pith_pred p = 0; rc >= 0 && p < w->pred_count; p++)
    for (size_t f = w->base[p]; rc >= 0 && f < w->base[p + 1]; f++)
      if (!doubted[f])
        rc = pith_i_fact_give(out, p, w->store.relations.at[p].rows.width,
                              pith_i_observation_args(w, p, (uint32_t)f));
  pith_i_release(w->env, doubted);
  return rc;
}

static int give_fact(void *ctx, pith_pred pred, const pith_sym *args,
                     size_t n) {
  return pith_i_fact_give(ctx, pred, (uint32_t)n, args);
}

/* more gets what follows from the facts of store and is not among them. */
static pith_status list_consequences(const pith_i_compressor *c,
                                     pith_rule **rules, size_t n,
                                     pith_i_store *store, pith_i_store *more) {
  pith_status rc = pith_i_derive(c->theory, rules, n, store, c->run);
  if (rc == PITH_OK)
    rc = pith_i_fact_each(store, PITH_NONE, PITH_DERIVED, give_fact, more);
  pith_i_store_forget(store);
  return rc;
}

/* A theory of the facts that were kept, in which more may follow; not if that
** is too much for a few errors. */
static pith_status offer_kept(const pith_i_rule_search *s,
                              const pith_i_proposal *p,
                              const pith_i_store *kept,
                              const pith_i_store *more) {
  pith_i_compressor *c = s->c;
  pith_i_observations w = {0};
  uint64_t extra = pith_i_fact_count(more, PITH_NONE, PITH_GIVEN);
  if (!c->opt->open && extra > s->w->n / 5)
    return PITH_OK;
  pith_status rc = pith_i_compressor_observe(c, kept, more, &w);
  if (rc == PITH_OK)
    rc = pith_i_complete_theory(c, &w, p, NULL);
  pith_i_observations_free(&w);
  return rc;
}

/* Leaves out the facts that the rules make doubtful, and allows what then
** still follows too much. kept gets the other facts. */
static pith_status offer_doubting(const pith_i_rule_search *s,
                                  pith_rule **rules, size_t n,
                                  pith_i_store *kept, size_t *doubted) {
  pith_i_compressor *c = s->c;
  pith_i_store more;
  pith_i_fact_numbers doubts = {0};
  pith_i_proposal p = {.rules = rules, .rule_count = n, .by = "search"};
  pith_i_store_init(&more, c->env);
  pith_status rc = PITH_OK;
  if (!c->opt->open)
    rc = pith_i_find_doubtful(s->w, rules, n, c->run, &doubts);
  *doubted = doubts.n;
  if (rc == PITH_OK)
    rc = copy_undoubted(s->w, &doubts, kept);
  if (rc == PITH_OK)
    rc = list_consequences(c, rules, n, kept, &more);
  if (rc == PITH_OK)
    rc = offer_kept(s, &p, kept, &more);
  pith_i_vec_free(c->env, &doubts);
  pith_i_store_free(&more);
  return rc;
}

static pith_status offer_chosen(pith_i_rule_search *s, bool only_if_wrong,
                                pith_i_store *kept, size_t *doubted) {
  bool any_wrong;
  pith_rule **rules =
      pith_i_arena_alloc(&s->arena, (s->list.n + 1) * sizeof *rules);
  *doubted = 0;
  if (rules == NULL)
    return PITH_ENOMEM;
  size_t n = list_chosen(s, rules, &any_wrong);
  return any_wrong || !only_if_wrong
             ? offer_doubting(s, rules, n, kept, doubted)
             : PITH_OK;
}

pith_status pith_i_propose_beyond_hidden(pith_i_rule_search *s) {
  pith_i_store kept;
  size_t doubted;
  pith_i_store_init(&kept, s->c->env);
  pith_status rc = offer_chosen(s, false, &kept, &doubted);
  pith_i_store_free(&kept);
  return rc;
}

/* Chooses rules that are right nearly always among the facts of seen; in an
** open world, more often than not. */
static pith_status search_with_errors(pith_i_compressor *c,
                                      const pith_i_store *seen,
                                      uint32_t max_body, pith_i_store *kept,
                                      size_t *doubted) {
  const double wrong = 0.5, confidence = c->opt->open ? 0.5 : 0.6;
  pith_i_observations w = {0};
  pith_i_rule_search s = {.c = c};
  bool widened;
  pith_status rc = pith_i_compressor_observe(c, seen, NULL, &w);
  if (rc == PITH_OK)
    rc = pith_i_rule_search_begin(&s, c, &w, max_body);
  if (rc == PITH_OK)
    rc = pith_i_mine_and_choose(&s, wrong, confidence);
  if (rc == PITH_OK && max_body > 1)
    rc = pith_i_widen_choice(&s, confidence, &widened);
  if (rc == PITH_OK)
    rc = offer_chosen(&s, true, kept, doubted);
  pith_i_rule_search_end(&s);
  pith_i_observations_free(&w);
  return rc;
}

static pith_status doubt_size(pith_i_compressor *c, uint32_t max_body) {
  pith_i_store seen[PITH_TUNE_DOUBT_PROPOSALS + 1];
  size_t doubted = 1;
  pith_status rc = PITH_OK;
  for (int i = 0; i <= PITH_TUNE_DOUBT_PROPOSALS; i++)
    pith_i_store_init(&seen[i], c->env);
  for (int i = 0; rc == PITH_OK && doubted > 0 && i < PITH_TUNE_DOUBT_PROPOSALS;
       i++)
    rc = search_with_errors(c, i == 0 ? c->observed : &seen[i], max_body,
                            &seen[i + 1], &doubted);
  for (int i = 0; i <= PITH_TUNE_DOUBT_PROPOSALS; i++)
    pith_i_store_free(&seen[i]);
  return rc;
}

pith_status pith_i_propose_doubting(pith_i_compressor *c) {
  pith_status rc = PITH_OK;
  for (uint32_t n = pith_i_least_body(c);
       rc == PITH_OK && n <= c->opt->max_body; n++)
    rc = doubt_size(c, n);
  return rc;
}
