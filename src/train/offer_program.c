#include "train/offer_program.h"

#include <assert.h>
#include <math.h>

static pith_status make_rules(const pith_i_net *net,
                              const pith_i_found_program *f,
                              pith_i_arena *arena, pith_i_offer *o) {
  size_t n = net->rules.n + 1, count = 0;
  pith_rule **rules = pith_i_arena_alloc(arena, n * sizeof *rules);
  double *similarity = pith_i_arena_alloc(arena, n * sizeof *similarity);
  if (rules == NULL || similarity == NULL)
    return PITH_ENOMEM;
  for (size_t r = 0; r < net->rules.n; r++) {
    if (f->choice[net->rules.at[r].head] == PITH_NONE)
      continue;
    similarity[count] = (double)f->similarity[r];
    rules[count] = pith_i_program_rule(net, f->choice, r, arena);
    if (rules[count++] == NULL)
      return PITH_ENOMEM;
  }
  o->rules = rules;
  o->similarity = similarity;
  o->info.rules = (uint32_t)count;
  return PITH_OK;
}

pith_status pith_i_offer_program(const pith_i_net *net,
                                 const pith_i_found_program *f,
                                 uint32_t first_restart,
                                 const pith_space *space, pith_i_best *best,
                                 bool *solved) {
  assert(f->stage <= PITH_SEARCH);
  pith_i_arena arena = {.env = best->env};
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
  pith_status rc = make_rules(net, f, &arena, &o);
  if (rc >= 0)
    rc = pith_i_best_offer(best, &o, solved);
  pith_i_arena_free(&arena);
  return rc;
}
