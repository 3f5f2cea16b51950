#include "learn/merge_rules.h"

#include <assert.h>
#include <math.h>

#include "base/tunables.h"
#include "learn/clauses/clause_search.h"
#include "learn/clauses/language_list.h"
#include "task/chosen_examples.h"

typedef struct {
  const pith_i_task *task;
  pith_i_run *run;
  pith_i_best *best;
  pith_i_chosen_examples chosen;
  const pith_rule *rest[PITH_TUNE_MERGE_RULES];
  bool *holds; /* (examples) by the rest of the theory */
  size_t next; /* of them, while examples are chosen   */
} merger;

/* ---- which theories ------------------------------------------------------ */

static bool is_recursive(const pith_rule *r) {
  for (uint32_t k = 0; k < r->body_len; k++)
    if (r->body[k].pred == r->head.pred)
      return true;
  return false;
}

static bool names_value(const pith_atom *head) {
  for (uint32_t i = 0; i < head->arity; i++)
    if (!PITH_IS_VAR(head->args[i]))
      return true;
  return false;
}

/* One target, of which no rule uses another; not classes of it. */
static bool may_be_merged(const merger *m, const pith_i_learned_theory *t) {
  if (!t->info.solved || !t->info.space.clauses || t->info.rules < 3 ||
      t->info.rules > PITH_TUNE_MERGE_RULES ||
      m->task->examples > PITH_TUNE_MERGE_EXAMPLES)
    return false;
  for (uint32_t i = 0; i < t->info.rules; i++)
    if (is_recursive(t->rules[i]) || names_value(&t->rules[i]->head) ||
        t->rules[i]->head.pred != t->rules[0]->head.pred ||
        t->rules[i]->head.pred >= m->task->given_preds)
      return false;
  return true;
}

/* ---- one pair ------------------------------------------------------------ */

/* Negative examples, and positive ones that the rest does not cover. */
static bool is_left_to_pair(void *ctx, size_t world, const pith_example *e) {
  merger *m = ctx;
  (void)world;
  bool holds = m->holds[m->next++];
  return !e->positive || !holds;
}

static uint32_t list_rest(merger *m, const pith_i_learned_theory *t, uint32_t i,
                          uint32_t j) {
  uint32_t n = 0;
  for (uint32_t k = 0; k < t->info.rules; k++)
    if (k != i && k != j)
      m->rest[n++] = t->rules[k];
  return n;
}

/* One rule for what the rest leaves; or nothing in found. */
static pith_status learn_one(merger *m, uint32_t n, const pith_space *space,
                             pith_i_best *found) {
  pith_i_errors errors;
  pith_i_pick each = {.holds = m->holds};
  pith_status rc =
      pith_i_judge_pick(m->task->worlds, m->task->world_count,
                        (pith_rule *const *)m->rest, n, &errors, &each);
  if (rc < 0 || each.seen < m->task->examples)
    return rc;
  rc = pith_i_chosen_begin(&m->chosen, m->task);
  m->next = 0;
  if (rc >= 0) {
    pith_i_chosen_set(&m->chosen, is_left_to_pair, m);
    m->chosen.task.bounds.max_rules = 1;
    m->chosen.task.bounds.recursion = false;
    uint32_t plain = pith_i_richest_plain_language(&m->chosen.task);
    uint32_t language = pith_i_language_of(m->task, space);
    language = language > plain ? language : plain;
    pith_i_best_init(found, &m->chosen.task, 1);
    rc = pith_i_learn_one_rule(&m->chosen.task, m->run, found, language);
  }
  pith_i_chosen_end(&m->chosen);
  return rc;
}

/* The rest and the rule. That the rest is as odd as the whole theory was is the
** worst that it can be. */
static pith_status offer_merged(merger *m, uint32_t n,
                                const pith_i_learned_theory *rule,
                                double oddness) {
  assert(rule->info.rules == 1);
  m->rest[n++] = rule->rules[0];
  pith_i_offer o = {.rules = (pith_rule *const *)m->rest,
                    .info = rule->info,
                    .bits = NAN,
                    .oddness = oddness + rule->oddness};
  o.info.rules = n;
  return pith_i_best_offer(m->best, &o, NULL);
}

static pith_status merge_pair(merger *m, uint32_t i, uint32_t j,
                              bool *shorter) {
  const pith_i_learned_theory *t = &m->best->at.at[0];
  uint32_t pair = 2 + t->rules[i]->body_len + t->rules[j]->body_len;
  uint32_t n = list_rest(m, t, i, j);
  double oddness = t->oddness, cost = t->cost;
  pith_i_best found = {0};
  pith_status rc = learn_one(m, n, &t->info.space, &found);
  if (rc >= 0 && found.at.n > 0 && pith_i_best_is_solved(&found) &&
      found.at.at[0].info.rules == 1 && found.at.at[0].info.size < pair)
    rc = offer_merged(m, n, &found.at.at[0], oddness);
  if (found.env != NULL)
    pith_i_best_free(&found);
  *shorter = m->best->at.at[0].cost < cost;
  return rc;
}

/* ---- all of them --------------------------------------------------------- */

/* Until no pair gets shorter. */
static pith_status merge_all(merger *m) {
  pith_status rc = PITH_OK;
  bool shorter = true;
  while (rc >= 0 && shorter && may_be_merged(m, &m->best->at.at[0])) {
    uint32_t rules = m->best->at.at[0].info.rules;
    shorter = false;
    for (uint32_t i = 0; !shorter && i < rules; i++)
      for (uint32_t j = i + 1; rc >= 0 && !shorter && j < rules; j++) {
        if (pith_i_stop_requested(m->run))
          return PITH_OK;
        rc = merge_pair(m, i, j, &shorter);
      }
  }
  return rc;
}

pith_status pith_i_merge_rules(const pith_i_task *task, pith_i_run *run,
                               pith_i_best *best) {
  merger m = {.task = task, .run = run, .best = best};
  if (best->at.n == 0 || !may_be_merged(&m, &best->at.at[0]))
    return PITH_OK;
  m.holds = pith_i_zalloc(task->env, task->examples + 1, sizeof *m.holds);
  pith_status rc = m.holds == NULL ? PITH_ENOMEM : merge_all(&m);
  pith_i_release(task->env, m.holds);
  return rc;
}
