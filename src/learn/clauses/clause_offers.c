#include "learn/clauses/clause_learner.h"

#include <assert.h>
#include <math.h>

#include "base/tunables.h"
#include "learn/clauses/further_sets.h"
#include "score/length.h"

pith_status pith_i_clauses_offer_program(pith_i_clause_learner *d, double bits,
                                         bool *fits) {
  pith_i_offer o = {.rules = d->rules.at,
                    .info = {.stage = PITH_CLAUSES,
                             .rules = (uint32_t)d->rules.n,
                             .loss = NAN,
                             .error = NAN,
                             .space = d->run->now.space},
                    .bits = bits,
                    .oddness = d->oddness,
                    .beside = d->beside};
  return pith_i_best_offer(d->best, &o, fits);
}

static bool is_in_body(const pith_rule *r, pith_pred pred) {
  for (uint32_t i = 0; i < r->body_len; i++)
    if (r->body[i].pred == pred)
      return true;
  return false;
}

/* Whether rules for a target before the last, of which there are n, use the
** last, and its own use another: each may be explained by the other alone. */
static bool explains_by_each_other(const pith_i_clause_learner *d, size_t n) {
  pith_pred last = d->space.target;
  bool uses_last = false, uses_others = false;
  assert(n <= d->rules.n);
  for (size_t i = 0; i < d->rules.n; i++)
    for (size_t k = 0; k < d->targets.n; k++) {
      bool used = is_in_body(d->rules.at[i], d->targets.at[k]);
      if (i < n)
        uses_last = uses_last || (used && d->targets.at[k] == last);
      else
        uses_others = uses_others || (used && d->targets.at[k] != last);
    }
  return uses_last && uses_others;
}

pith_status pith_i_clauses_offer_rules(pith_i_clause_learner *d,
                                       pith_rule *const *rules, uint32_t n,
                                       double bits) {
  assert(rules != NULL || n == 0);
  size_t before = d->rules.n;
  pith_status rc = PITH_OK;
  bool fits = true;
  for (uint32_t i = 0; rc >= 0 && i < n; i++)
    rc = pith_i_push(d->task->env, &d->rules, rules[i]) ? PITH_OK : PITH_ENOMEM;
  if (rc >= 0 && d->space.target == d->targets.at[d->targets.n - 1]) {
    rc = pith_i_clauses_offer_program(d, d->bits + bits, &fits);
    d->circular = d->circular || (!fits && explains_by_each_other(d, before));
    d->rules.n = before;
    if (rc >= 0)
      d->run->now.wrong = pith_i_best_wrong(d->best);
  }
  if (rc < 0)
    d->rules.n = before;
  d->bits += bits;
  d->fits = fits;
  d->solved = d->solved || fits;
  return rc;
}

/* ---- where nothing fits all -------------------------------------------- */

pith_status pith_i_clauses_note_partial(pith_i_clause_learner *d) {
  const pith_i_sample *m = &d->sample;
  pith_i_set set;
  uint32_t covered;
  if (m->positives == 0) /* all of them are given as facts */
    return PITH_OK;
  pith_status rc = pith_i_choose_worth(
      &d->exact.bodies, d->task->bounds.max_rules, &set, &covered);
  if (rc < 0 || set.n == 0)
    return rc;
  double bits = 1, missed = m->positives - covered;
  for (uint32_t i = 0; i < set.n; i++)
    bits += set.clause[i]->bits;
  double cost =
      bits + pith_i_error_bits(missed * d->space.positives / m->positives,
                               d->space.examples);
  if (cost >= d->partial_cost)
    return PITH_OK;
  rc = pith_i_set_rules(&d->exact.growth, &set, &d->arena, &d->partial);
  d->partial_cost = rc < 0 ? INFINITY : cost;
  d->partial_bits = bits;
  return rc;
}

pith_status pith_i_clauses_offer_partial(pith_i_clause_learner *d) {
  double before = d->bits;
  if (d->partial_cost == INFINITY)
    return PITH_OK;
  pith_status rc = pith_i_clauses_offer_rules(d, d->partial.rules, d->partial.n,
                                              d->partial_bits);
  d->bits = before;
  d->solved = false;
  return rc;
}

/* ---- others beside the best -------------------------------------------- */

/* One of the others that were asked for. */
static pith_status offer_exchanged(void *ctx, const pith_i_rules *rules) {
  pith_i_clause_learner *d = ctx;
  bool solved = d->solved;
  double bits = d->bits;
  pith_status rc = pith_i_clauses_offer_rules(d, rules->rules, rules->n, NAN);
  d->solved = solved;
  d->bits = bits;
  return rc;
}

static pith_status offer_other_set(void *ctx, const pith_i_set *set) {
  pith_i_clause_learner *d = ctx;
  pith_i_rules rules;
  pith_status rc = pith_i_set_rules(&d->exact.growth, set, &d->arena, &rules);
  return rc < 0 ? rc : offer_exchanged(d, &rules);
}

pith_status pith_i_clauses_offer_others(pith_i_clause_learner *d,
                                        uint32_t round) {
  pith_i_exact_limits limits = pith_i_clauses_limits(d, round);
  uint32_t most = d->space.examples < PITH_TUNE_SEARCH_OTHERS_EXAMPLES
                      ? PITH_TUNE_SEARCH_OTHERS
                      : PITH_TUNE_SEARCH_OTHERS / 10;
  pith_i_rules rules;
  if (d->best->keep < 2 || d->space.target != d->targets.at[d->targets.n - 1])
    return PITH_OK;
  d->beside = true;
  pith_status rc =
      pith_i_set_rules(&d->exact.growth, &d->exact.set, &d->arena, &rules);
  if (rc >= 0)
    rc = pith_i_rules_exchange(&d->space, &rules, most, offer_exchanged, d);
  if (rc >= 0)
    rc = pith_i_exact_others(&d->exact, &limits, most / 2, offer_other_set, d);
  d->beside = false;
  return rc;
}
