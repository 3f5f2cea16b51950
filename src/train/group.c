#include "train/group.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "base/tunables.h"
#include "train/near_ties.h"

enum { L = PITH_I_LANES };

pith_status pith_i_group_new(pith_i_env *env, const pith_i_net *net,
                             const pith_i_recipe *recipe, uint32_t keep,
                             pith_i_group **out) {
  pith_i_group *g = pith_i_zalloc(env, 1, sizeof *g);
  if (g == NULL)
    return PITH_ENOMEM;
  pith_status rc = pith_i_descent_new(env, net, recipe, &g->descent);
  if (rc >= 0)
    rc = pith_i_sliced_new(env, net, &g->sliced);
  if (rc >= 0)
    rc = pith_i_search_new(env, g->sliced, &g->search);
  if (rc >= 0)
    rc = pith_i_programs_new(env, net, keep, &g->list);
  size_t words = (L + 2) * net->slots.n + net->rules.n;
  if (rc >= 0)
    g->block = pith_i_zalloc(env, words + 1, sizeof(uint32_t));
  if (g->block == NULL) {
    pith_i_group_free(env, g);
    return PITH_ENOMEM;
  }
  g->choices = g->block;
  g->found.choice = g->choices + L * net->slots.n;
  g->found.tied = g->found.choice + net->slots.n;
  g->found.similarity = (float *)(g->found.tied + net->slots.n);
  *out = g;
  return PITH_OK;
}

void pith_i_group_free(pith_i_env *env, pith_i_group *g) {
  if (g == NULL)
    return;
  pith_i_descent_free(env, g->descent);
  pith_i_sliced_free(env, g->sliced);
  pith_i_search_free(env, g->search);
  pith_i_programs_free(env, &g->list);
  pith_i_release(env, g->block);
  pith_i_release(env, g);
}

void pith_i_group_start(pith_i_group *g, uint64_t seed, uint32_t number,
                        uint32_t restarts) {
  assert(restarts > number * L);
  uint64_t seeds[L];
  PITH_I_EACH_LANE(l)
  seeds[l] = pith_i_random(seed, 0, (uint64_t)number * L + (uint64_t)l);
  pith_i_descent_start(g->descent, seeds);
  g->number = number;
  g->lanes = restarts - number * L < L ? restarts - number * L : L;
  g->search_next = PITH_TUNE_TRAIN_SEARCH_FIRST;
  g->loss = NAN;
  g->list.n = 0;
  g->solved = g->done = false;
  g->descent->tape->stopped = g->sliced->stopped = false;
}

/* ---- looking at what was decoded ------------------------------------- */

/* The paper's confidence: the least similarity of a rule's atoms with their
** predicates. */
static void find_similarities(pith_i_group *g, uint32_t lane) {
  assert(lane < g->lanes);
  const pith_i_net *net = g->descent->net;
  for (size_t r = 0; r < net->rules.n; r++) {
    const pith_i_net_rule *q = &net->rules.at[r];
    uint32_t slots = net->pooled ? 1 : q->shape->slot_count;
    float least = 1.0f;
    for (uint32_t i = 0; i < slots; i++) {
      uint32_t c = g->found.choice[net->pooled ? q->head : q->slots[i]];
      float w = c == PITH_NONE ? 1.0f : g->descent->tape->weight[c][lane];
      least = w < least ? w : least;
    }
    g->found.similarity[r] = least;
  }
}

/* Takes the program of a lane to be kept. */
static void take_program(pith_i_group *g, uint32_t lane) {
  assert(lane < g->lanes && g->lanes <= L);
  size_t slots = g->descent->net->slots.n;
  memcpy(g->found.choice, g->choices + lane * slots,
         slots * sizeof *g->found.choice);
  memset(g->found.tied, 0xff, slots * sizeof *g->found.tied);
  g->found.both = false;
}

/* Embeddings merge, softmax logits do not. The reading is where a search from
** here starts. */
static pith_i_errors read_near_ties(pith_i_group *g, uint32_t lane,
                                    pith_i_run *run) {
  const pith_i_descent *d = g->descent;
  size_t slots = d->net->slots.n;
  if (d->recipe.weighing != PITH_I_COSINE)
    return g->errors[lane];
  pith_i_errors e = pith_i_near_ties_read(g->search, d->tape->weight, lane,
                                          g->errors[lane], run, &g->found);
  if (!g->found.both)
    memcpy(g->choices + lane * slots, g->found.choice,
           slots * sizeof *g->choices);
  return e;
}

/* Keeps the program that was taken. An exact one is polished first: that
** chooses among programs that fit, so the stage stays what made it fit. */
static void keep_program(pith_i_group *g, uint32_t lane, pith_i_errors errors,
                         bool searched, float loss, float error) {
  assert(lane < g->lanes && g->lanes <= L);
  const pith_i_net *net = g->descent->net;
  pith_i_found_program *f = &g->found;
  if (errors.fp + errors.fn == 0 && !f->both)
    pith_i_search_polish(g->search, f->choice, g->use_search);
  else if (!f->both)
    pith_i_program_trim(net, f->choice, g->search->used);
  f->errors = errors;
  f->restart = g->number * L + lane;
  f->epoch = g->descent->epoch;
  f->stage = searched          ? PITH_SEARCH
             : f->restart == 0 ? PITH_GRADIENT
                               : PITH_RESTART;
  f->loss = searched ? NAN : loss;
  f->error = searched ? NAN : error;
  find_similarities(g, lane);
  for (size_t r = 0; searched && r < net->rules.n; r++)
    f->similarity[r] = NAN;
  if (g->each)
    pith_i_programs_append(net, &g->list, f);
  else
    pith_i_programs_add(net, &g->list, f);
  g->solved = g->solved || errors.fp + errors.fn == 0;
}

static void look_at_lanes(pith_i_group *g, pith_i_run *run) {
  assert(g->lanes > 0);
  pith_i_real loss, error;
  size_t slots = g->descent->net->slots.n;
  pith_i_descent_measure(g->descent, &loss, &error);
  g->loss = loss[0];
  for (uint32_t l = 1; l < g->lanes; l++)
    g->loss = loss[l] < g->loss ? loss[l] : g->loss;
  pith_i_descent_decode(g->descent, g->choices);
  pith_i_sliced_clear(g->sliced);
  for (uint32_t l = 0; l < g->lanes; l++)
    pith_i_sliced_add(g->sliced, g->choices + l * slots);
  pith_i_sliced_run(g->sliced, g->errors);
  for (uint32_t l = 0; l < g->lanes; l++) {
    take_program(g, l);
    keep_program(g, l, read_near_ties(g, l, run), false, loss[l], error[l]);
  }
}

/* Pairs joined, in all programs at once, for one move: of a pool each batch
** has its own bodies, and together they are joined once. */
static double move_pairs(const pith_i_net *net) {
  double batches =
      net->pooled ? 1 : (double)net->candidates.n / PITH_I_SLICE + 1;
  return batches * ((double)net->joined + net->atoms) * (net->steps + 1.0);
}

/* As many moves as cost about what the training before the first search did,
** so that neither starves the other on a large network. The same on every
** machine. */
static uint32_t count_moves(const pith_i_net *net) {
  assert(net->steps > 0);
  double moves = (net->pooled ? pith_i_reals.TRAIN_SEARCH_PAIRS_BODIES
                              : pith_i_reals.TRAIN_SEARCH_PAIRS) /
                 move_pairs(net);
  return moves > PITH_TUNE_TRAIN_SEARCH_MOVES ? PITH_TUNE_TRAIN_SEARCH_MOVES
         : moves < 1                          ? 1
                                              : (uint32_t)moves;
}

double pith_i_search_pairs(const pith_i_net *net, uint32_t epochs) {
  double searches = 0;
  for (uint64_t e = PITH_TUNE_TRAIN_SEARCH_FIRST; e <= epochs; e *= 4)
    searches++;
  return searches * L * count_moves(net) * move_pairs(net);
}

/* False: the run is over. */
static bool search_from_lanes(pith_i_group *g, pith_i_run *run) {
  const pith_i_net *net = g->descent->net;
  uint32_t moves = count_moves(net);
  for (uint32_t l = 0; l < g->lanes; l++) {
    pith_i_errors e = pith_i_search_climb(
        g->search, g->choices + l * net->slots.n, moves, run);
    take_program(g, l);
    keep_program(g, l, e, true, 0, 0);
    if (g->sliced->stopped || pith_i_stop_requested(run))
      return false;
  }
  return true;
}

bool pith_i_group_advance(pith_i_group *g, pith_i_run *run) {
  assert(!g->done);
  assert(g->descent->epoch <= g->descent->recipe.epochs);
  uint32_t end = g->descent->recipe.epochs;
  bool on = true;
  g->descent->tape->run = g->sliced->run = run;
  for (int i = 0;
       on && i < PITH_TUNE_TRAIN_CHECK_EPOCHS && g->descent->epoch < end; i++) {
    pith_i_descent_epoch(g->descent);
    on = !g->descent->tape->stopped && !pith_i_stop_requested(run);
  }
  if (g->each ? g->descent->epoch == end : on || g->list.n == 0)
    look_at_lanes(g, run);
  on = on && !g->descent->tape->stopped && !g->sliced->stopped;
  if (on && g->use_search && !g->solved &&
      g->descent->epoch >= g->search_next) {
    on = search_from_lanes(g, run);
    g->search_next *= 4;
  }
  g->done = on && (g->descent->epoch >= end || (g->solved && !g->go_on));
  return on;
}

double pith_i_group_bytes(const pith_i_net *net, const pith_i_recipe *recipe) {
  double sliced = ((double)net->atoms + net->tensors) * PITH_I_SLICE / 8;
  return pith_i_tape_bytes(net, recipe->semantics) + sliced;
}
