#include "learn/clauses/clause_learner.h"

#include <assert.h>

#include "base/tunables.h"
#include "learn/clauses/oddness.h"

bool pith_i_clauses_is_target(const pith_i_clause_learner *d, pith_pred pred) {
  for (size_t i = 0; i < d->targets.n; i++)
    if (d->targets.at[i] == pred)
      return true;
  return false;
}

uint32_t pith_i_clauses_invented_left(const pith_i_clause_learner *d) {
  uint32_t left = d->task->bounds.max_invented;
  for (size_t i = 0; left != PITH_NONE && i < d->rules.n; i++) {
    pith_pred head = d->rules.at[i]->head.pred;
    size_t first = 0;
    while (d->rules.at[first]->head.pred != head)
      first++;
    left -= left > 0 && first == i && !pith_i_clauses_is_target(d, head);
  }
  return left;
}

uint64_t pith_i_clauses_most_cost(const pith_i_clause_learner *d) {
  bool few = d->task->positives < PITH_TUNE_LANGUAGE_NAMED_POSITIVES;
  return d->sparing ? d->below - d->below / (few ? 2 : 4) : d->below;
}

bool pith_i_clauses_has_few_bits(const pith_i_clause_learner *d) {
  return pith_i_label_bits(d->task) < PITH_TUNE_SEARCH_FEW_BITS;
}

/* Where labels may be doubted after the first round, less of that will do. */
static uint64_t work_of_round(const pith_i_clause_learner *d, uint32_t round) {
  uint32_t doublings = pith_i_clauses_has_few_bits(d) ? round : 2 * round;
  bool solved = d->solved && !d->named; /* a richer language needs little */
  uint32_t halvings = solved ? 1 + (round > 0) : 0;
  bool hurries = round == 0 && d->use_exact &&
                 d->task->opt->noise == PITH_NOISE_AUTO &&
                 d->task->examples >= PITH_TUNE_NOISE_SEEN_EXAMPLES;
  double share = d->effort > 0 ? d->effort
                 : hurries     ? pith_i_reals.NOISE_FIRST_EFFORT
                 : d->doubted  ? pith_i_reals.NOISE_DOUBTED_EFFORT
                               : 1;
  uint64_t work = (PITH_TUNE_SEARCH_FIRST_WORK << doublings) >> halvings;
  return (uint64_t)(share * (double)work);
}

pith_i_exact_limits pith_i_clauses_limits(const pith_i_clause_learner *d,
                                          uint32_t round) {
  assert(round < 2 || round < d->rounds); /* some ask outside of rounds */
  size_t rows = PITH_TUNE_SEARCH_FIRST_ROWS << round;
  return (pith_i_exact_limits){
      .max_rules = d->single ? 1 : d->task->bounds.max_rules,
      .max_body = d->task->bounds.max_body,
      .max_vars = d->task->bounds.max_vars,
      .max_invented = pith_i_clauses_invented_left(d),
      .work = work_of_round(d, round),
      .below = pith_i_clauses_most_cost(d),
      .needed = d->needed,
      .extra = d->needed == PITH_I_ABSENT_ATOM ? PITH_I_DENIED_PROPERTY : 0,
      .rows = rows * (d->sample.n + 100),
      .small_first = d->small_first,
      .whole = d->single,
      .last = round + 1 == d->rounds,
      .others = d->best->keep > 1,
      .run = d->run};
}

void pith_i_clauses_describe(pith_i_clause_learner *d,
                             const pith_i_language *language, bool noisy) {
  uint32_t most = pith_i_clauses_invented_left(d);
  d->run->now.space = (pith_space){
      .number = d->number,
      .count = d->count,
      .rules = d->task->bounds.max_rules,
      .invented = d->space.helpers < most ? d->space.helpers : most,
      .recursive = language->recursion,
      .clauses = true,
      .inequality = language->different,
      .constants = language->constants > 0,
      .noisy = noisy};
  pith_i_run_report(d->run); /* always at the same place */
}

pith_status pith_i_clauses_note_full_memory(pith_i_clause_learner *d,
                                            pith_status rc) {
  if (rc != PITH_ENOMEM)
    return rc;
  d->best->full = true;
  return PITH_OK;
}
