#include "train/offer_program.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* ---- rules ------------------------------------------------------------ */

typedef struct {
  const pith_i_net *net;
  const pith_i_found_program *f;
  pith_i_arena *arena;
  uint32_t *choice; /* (S) of the rule being written */
  pith_rule **rules;
  double *similarity;
  size_t count;
} rule_writer;

static bool means_both(const pith_i_found_program *f, uint32_t slot) {
  return f->both && f->tied[slot] != PITH_NONE;
}

/* How many rules one rule of the network stands for. */
static size_t count_readings(const rule_writer *w, const pith_i_net_rule *q) {
  size_t n = 1;
  for (uint32_t i = 0; w->f->both && i < q->shape->slot_count; i++)
    n *= means_both(w->f, q->slots[i]) ? 2 : 1;
  return n;
}

/* The k-th reading of a rule: one bit for each slot that means both. */
static bool write_reading(rule_writer *w, uint32_t rule, size_t k) {
  const pith_i_net_rule *q = &w->net->rules.at[rule];
  for (uint32_t i = 0; w->f->both && i < q->shape->slot_count; i++) {
    uint32_t s = q->slots[i];
    bool other = means_both(w->f, s) && k % 2 == 1;
    w->choice[s] = other ? w->f->tied[s] : w->f->choice[s];
    k = means_both(w->f, s) ? k / 2 : k;
  }
  w->similarity[w->count] = (double)w->f->similarity[rule];
  w->rules[w->count] = pith_i_program_rule(w->net, w->choice, rule, w->arena);
  return w->rules[w->count++] != NULL;
}

static bool is_left_out(const rule_writer *w, uint32_t rule) {
  return w->f->choice[w->net->rules.at[rule].head] == PITH_NONE;
}

static pith_status make_rules(rule_writer *w) {
  const pith_i_net *net = w->net;
  size_t n = 1, slots = net->slots.n * sizeof *w->choice;
  for (uint32_t r = 0; r < net->rules.n; r++)
    n += is_left_out(w, r) ? 0 : count_readings(w, &net->rules.at[r]);
  w->rules = pith_i_arena_alloc(w->arena, n * sizeof *w->rules);
  w->similarity = pith_i_arena_alloc(w->arena, n * sizeof *w->similarity);
  w->choice = pith_i_arena_alloc(w->arena, slots + 1);
  if (w->rules == NULL || w->similarity == NULL || w->choice == NULL)
    return PITH_ENOMEM;
  memcpy(w->choice, w->f->choice, slots);
  for (uint32_t r = 0; r < net->rules.n; r++)
    for (size_t k = 0;
         !is_left_out(w, r) && k < count_readings(w, &net->rules.at[r]); k++)
      if (!write_reading(w, r, k))
        return PITH_ENOMEM;
  return PITH_OK;
}

/* ---- predicates that merged ------------------------------------------- */

static pith_merged merged_in_slot(const rule_writer *w, uint32_t slot) {
  const pith_i_net *net = w->net;
  const pith_i_slot_candidate *c = net->candidates.at;
  return (pith_merged){net->preds.at[c[w->f->choice[slot]].pred].pred,
                       net->preds.at[c[w->f->tied[slot]].pred].pred,
                       w->f->both ? PITH_READ_BOTH : PITH_READ_FIRST};
}

/* Whether the pair is there. Read the other way, it is read either way. */
static bool is_noted(pith_merged *all, size_t n, pith_merged m) {
  for (size_t i = 0; i < n; i++) {
    if (all[i].first == m.first && all[i].second == m.second)
      return true;
    if (all[i].first != m.second || all[i].second != m.first)
      continue;
    if (m.reading == PITH_READ_FIRST)
      all[i].reading = PITH_READ_EITHER;
    return true;
  }
  return false;
}

/* Of the slots of rules that are in, each pair once. */
static pith_status list_merged(const rule_writer *w, pith_i_offer *o) {
  const pith_i_net *net = w->net;
  const pith_i_found_program *f = w->f;
  pith_merged *all =
      pith_i_arena_alloc(w->arena, (net->slots.n + 1) * sizeof *all);
  size_t n = 0;
  if (all == NULL)
    return PITH_ENOMEM;
  for (uint32_t r = 0; !net->pooled && r < net->rules.n; r++)
    for (uint32_t i = 0;
         !is_left_out(w, r) && i < net->rules.at[r].shape->slot_count; i++) {
      uint32_t s = net->rules.at[r].slots[i];
      if (f->tied[s] == PITH_NONE || f->tied[s] == f->choice[s])
        continue;
      pith_merged m = merged_in_slot(w, s);
      if (!is_noted(all, n, m))
        all[n++] = m;
    }
  o->merged = all;
  o->info.merged = (uint32_t)n;
  return PITH_OK;
}

/* ---- all -------------------------------------------------------------- */

pith_status pith_i_offer_program(const pith_i_net *net,
                                 const pith_i_found_program *f,
                                 uint32_t first_restart,
                                 const pith_space *space, pith_i_best *best,
                                 bool *solved) {
  assert(f->stage <= PITH_SEARCH);
  pith_i_arena arena = {.env = best->env};
  rule_writer w = {.net = net, .f = f, .arena = &arena};
  pith_i_offer o = {.info = {.stage = f->stage,
                             .restart = f->restart + first_restart,
                             .epoch = f->epoch,
                             .loss = (double)f->loss,
                             .error = (double)f->error},
                    .bits = NAN,
                    .trained = true};
  if (space != NULL)
    o.info.space = *space;
  if (o.info.stage == PITH_GRADIENT && first_restart > 0)
    o.info.stage = PITH_RESTART;
  pith_status rc = make_rules(&w);
  o.rules = w.rules;
  o.similarity = w.similarity;
  o.info.rules = (uint32_t)w.count;
  if (rc >= 0)
    rc = list_merged(&w, &o);
  if (rc >= 0)
    rc = pith_i_best_offer(best, &o, solved);
  pith_i_arena_free(&arena);
  return rc;
}
