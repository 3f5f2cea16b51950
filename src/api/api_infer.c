/* What follows, and how well it fits: the public functions over logic and
** score. */
#include <string.h>

#include "api/handle.h"
#include "logic/count.h"
#include "logic/covers.h"
#include "logic/goals.h"
#include "logic/strata.h"
#include "score/confidence.h"
#include "score/score.h"

/* ---- facts ----------------------------------------------------------- */

static bool is_part(pith_part part) {
  return part >= PITH_GIVEN && part <= PITH_ALL;
}

uint64_t pith_fact_count(const pith *p, pith_pred pred, pith_part part) {
  return is_part(part) ? pith_i_fact_count(&p->store, pred, part) : 0;
}

int pith_fact_each(const pith *p, pith_pred pred, pith_part part,
                   pith_fact_visit visit, void *ctx) {
  return is_part(part) ? pith_i_fact_each(&p->store, pred, part, visit, ctx)
                       : 0;
}

/* ---- inference ------------------------------------------------------- */

void pith_infer_defaults(pith_infer_options *opt) {
  *opt = (pith_infer_options){.run = {.seed = 1}};
}

pith_status pith_infer(pith *p, const pith_infer_options *opt,
                       pith_infer_info *info) {
  pith_infer_options user;
  pith_i_run run;
  pith_infer_defaults(&user);
  if (opt != NULL)
    user = *opt;
  pith_i_run_begin(&run, &user.run);
  run.now.phase = "inferring";
  pith_i_closure_options all = {
      .run = &run, .steps = user.steps, .facts = user.facts};
  pith_i_forget(p);
  pith_status rc =
      user.examples ? pith_i_closure_examples(&p->theory, &p->store, &all, info)
                    : pith_i_closure(&p->theory, &p->store, &all, info);
  p->inferred = rc >= 0;
  p->complete = rc == PITH_OK && !user.examples;
  return rc;
}

pith_status pith_rules_check(pith *p) {
  pith_i_strata strata;
  pith_status rc = pith_i_strata_init(&strata, &p->theory, &p->store, NULL);
  if (rc >= 0)
    rc = pith_i_strata_order(&strata);
  pith_i_strata_free(&strata);
  return rc;
}

/* ---- counts, scores, estimates --------------------------------------- */

pith_status pith_rule_counts(pith *p, const pith_rule *rule, pith_counts *out) {
  pith_status rc = pith_i_check_rule(p, rule);
  pith_i_call_begin(p);
  if (rc >= 0)
    rc = pith_i_rule_counts(&p->theory, &p->store, rule, out);
  return pith_i_call_end(p, rc);
}

static bool has_negative(const pith *p, pith_pred pred) {
  for (size_t i = 0; i < p->theory.examples.n; i++)
    if (!p->theory.examples.at[i]->positive &&
        p->theory.examples.at[i]->atom.pred == pred)
      return true;
  return false;
}

pith_status pith_rule_labelled(pith *p, const pith_rule *rule,
                               pith_counts *out) {
  pith_status rc = pith_i_check_rule(p, rule);
  if (rc < 0 || !has_negative(p, rule->head.pred))
    return rc < 0 ? rc : pith_rule_counts(p, rule, out);
  pith_i_call_begin(p);
  return pith_i_call_end(
      p, pith_i_rule_labelled(&p->theory, &p->store, rule, out));
}

pith_status pith_rule_covers(pith *p, const pith_rule *rule, bool *out) {
  pith_status rc = pith_i_check_rule(p, rule);
  pith_i_call_begin(p);
  if (rc >= 0)
    rc = pith_i_rule_covers(&p->theory, &p->store, rule, out);
  return pith_i_call_end(p, rc);
}

pith_status pith_score(pith *p, pith_scores *out) {
  pith_i_score(&p->theory, &p->store, out);
  return PITH_OK;
}

void pith_interval(uint64_t hits, uint64_t tries, double probability,
                   double *low, double *high) {
  *low = 0;
  *high = 1;
  if (hits <= tries && probability > 0 && probability < 1)
    pith_i_interval(hits, tries, probability, low, high);
}

pith_status pith_ranking_of(pith *p, const pith_prediction *v, size_t n,
                            pith_ranking *out) {
  pith_prediction *sorted = pith_i_zalloc(&p->env, n, sizeof *sorted);
  if (sorted == NULL)
    return PITH_ENOMEM;
  if (n > 0)
    memcpy(sorted, v, n * sizeof *v);
  pith_i_ranking(sorted, n, out);
  pith_i_release(&p->env, sorted);
  return PITH_OK;
}

pith_status pith_infer_cost(const pith *p, pith_estimate *out) {
  return pith_i_estimate(&p->theory, &p->store, out);
}
