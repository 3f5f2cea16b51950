#include "train/near_ties.h"

#include <assert.h>
#include <string.h>

#include "base/tunables.h"

typedef struct {
  pith_i_search *search;
  const pith_i_net *net;
  const pith_i_real *weight; /* (C) */
  uint32_t lane;
  uint32_t *choice, *tied; /* (S) */
} reading;

static float weight_of(const reading *r, uint32_t candidate) {
  return (float)r->weight[candidate][r->lane];
}

/* Marks the candidates that are nearly the best of their slot; false: each slot
** has only one. */
static bool mark_near_ties(const reading *r) {
  bool some = false;
  for (uint32_t i = 0; i < r->net->slots.n; i++) {
    const pith_i_net_slot *s = &r->net->slots.at[i];
    float least =
        weight_of(r, r->choice[i]) - (float)pith_i_reals.TRAIN_NEAR_TIE;
    for (uint32_t c = s->first; c < s->first + s->count; c++) {
      r->search->allowed[c] = weight_of(r, c) > least;
      some = some || (r->search->allowed[c] && c != r->choice[i]);
    }
  }
  return some;
}

/* The best of the other candidates that are nearly tied, or PITH_NONE. */
static uint32_t other_candidate(const reading *r, uint32_t slot) {
  const pith_i_net_slot *s = &r->net->slots.at[slot];
  uint32_t best = PITH_NONE;
  if (r->choice[slot] == PITH_NONE) /* a rule that is left out */
    return PITH_NONE;
  for (uint32_t c = s->first; c < s->first + s->count; c++)
    if (r->search->allowed[c] && c != r->choice[slot] &&
        (best == PITH_NONE || weight_of(r, c) > weight_of(r, best)))
      best = c;
  return best;
}

static void find_others(const reading *r) {
  for (uint32_t i = 0; i < r->net->slots.n; i++)
    r->tied[i] = other_candidate(r, i);
}

/* ---- both at once ----------------------------------------------------- */

static bool is_exact_as_both(const reading *r) {
  pith_i_sliced *s = r->search->sliced;
  pith_i_sliced_clear(s);
  pith_i_sliced_add_either(s, r->choice, r->tied);
  pith_i_sliced_run(s, r->search->errors);
  return r->search->errors[0].fp + r->search->errors[0].fn == 0;
}

/* Sets a slot if the program stays exact. */
static bool try_slot(const reading *r, uint32_t slot, uint32_t choice,
                     uint32_t tied) {
  uint32_t choice_before = r->choice[slot], tied_before = r->tied[slot];
  r->choice[slot] = choice;
  r->tied[slot] = tied;
  if (is_exact_as_both(r))
    return true;
  r->choice[slot] = choice_before;
  r->tied[slot] = tied_before;
  return false;
}

/* An exact program with fewer rules and fewer slots that mean both. */
static void read_fewer(const reading *r) {
  for (uint32_t i = 0; i < r->net->rules.n; i++)
    try_slot(r, r->net->rules.at[i].head, PITH_NONE, PITH_NONE);
  for (uint32_t i = 0; i < r->net->slots.n; i++)
    if (r->choice[i] != PITH_NONE && r->tied[i] != PITH_NONE &&
        !try_slot(r, i, r->choice[i], PITH_NONE))
      try_slot(r, i, r->tied[i], PITH_NONE);
}

static bool read_both(const reading *r) {
  find_others(r);
  if (!is_exact_as_both(r))
    return false;
  read_fewer(r);
  return true;
}

/* ---- silent rules ----------------------------------------------------- */

/* What a rule derives is worth at most the product of its weights. */
static bool is_silent(const reading *r, const pith_i_net_rule *q) {
  float most = 1.0f;
  for (uint32_t i = 0; i < q->shape->slot_count; i++)
    most *= weight_of(r, r->choice[q->slots[i]]);
  return most < 0.5f;
}

/* Leaves out the rules that derive nothing in the soft program either; false:
** there are none, or nothing else is left. */
static bool leave_out_silent(const reading *r) {
  uint32_t silent = 0, rules = (uint32_t)r->net->rules.n;
  for (uint32_t i = 0; i < rules; i++)
    silent += is_silent(r, &r->net->rules.at[i]);
  if (silent == 0 || silent == rules)
    return false;
  for (uint32_t i = 0; i < rules; i++) {
    const pith_i_net_rule *q = &r->net->rules.at[i];
    if (is_silent(r, q))
      r->choice[q->head] = PITH_NONE;
  }
  return true;
}

/* ---- all -------------------------------------------------------------- */

static bool is_exact(pith_i_errors e) { return e.fp + e.fn == 0; }

/* The best reading from where r->choice stands: each slot one predicate, else
** some both. *both says which. */
static pith_i_errors read_from(const reading *r, pith_i_run *run, bool *both) {
  pith_i_search *s = r->search;
  size_t bytes = r->net->slots.n * sizeof *r->choice;
  memcpy(s->nearest, r->choice, bytes);
  s->restricted = true;
  pith_i_errors errors =
      pith_i_search_climb(s, r->choice, PITH_TUNE_TRAIN_SEARCH_MOVES, run);
  s->restricted = false;
  if (is_exact(errors))
    return errors;
  memcpy(s->best, r->choice, bytes); /* the best of the single readings */
  memcpy(r->choice, s->nearest, bytes);
  *both = read_both(r);
  if (*both)
    return (pith_i_errors){0, 0};
  memcpy(r->choice, s->best, bytes);
  return errors;
}

pith_i_errors pith_i_near_ties_read(pith_i_search *s, const pith_i_real *weight,
                                    uint32_t lane, pith_i_errors errors,
                                    pith_i_run *run, pith_i_found_program *f) {
  const pith_i_net *net = s->sliced->net;
  size_t bytes = net->slots.n * sizeof *f->choice;
  reading r = {s, net, weight, lane, f->choice, f->tied};
  assert(!net->pooled && lane < PITH_I_LANES);
  memset(f->tied, 0xff, bytes);
  f->both = false;
  bool ties = mark_near_ties(&r);
  memcpy(s->decoded, f->choice, bytes);
  if (!is_exact(errors) && leave_out_silent(&r)) {
    pith_i_errors e = read_from(&r, run, &f->both);
    if (is_exact(e))
      errors = e;
    else
      memcpy(f->choice, s->decoded, bytes);
  }
  if (!is_exact(errors) && ties)
    errors = read_from(&r, run, &f->both);
  if (ties && !f->both)
    find_others(&r);
  return errors;
}
