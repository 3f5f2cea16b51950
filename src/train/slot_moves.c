#include "train/slot_moves.h"

#include <assert.h>
#include <string.h>

pith_status pith_i_search_new(pith_i_env *env, pith_i_sliced *sliced,
                              pith_i_search **out) {
  const pith_i_net *net = sliced->net;
  size_t slots = net->slots.n, words = 5 * slots + net->candidates.n;
  pith_i_search *s = pith_i_zalloc(env, 1, sizeof *s);
  if (s == NULL)
    return PITH_ENOMEM;
  s->block = pith_i_zalloc(
      env, 1,
      words * sizeof(uint32_t) +
          PITH_I_SLICE * (sizeof(pith_i_errors) + sizeof(pith_i_slot_change)) +
          (net->preds.n + net->candidates.n) * sizeof(bool));
  if (s->block == NULL) {
    pith_i_release(env, s);
    return PITH_ENOMEM;
  }
  s->sliced = sliced;
  s->errors = s->block;
  s->moves = (pith_i_slot_change *)(s->errors + PITH_I_SLICE);
  s->try_ = (uint32_t *)(s->moves + PITH_I_SLICE);
  s->best = s->try_ + slots;
  s->from = s->best + slots;
  s->tabu = s->from + slots;
  s->nearest = s->tabu + net->candidates.n;
  s->decoded = s->nearest + slots;
  s->used = (bool *)(s->decoded + slots);
  s->allowed = s->used + net->preds.n;
  *out = s;
  return PITH_OK;
}

void pith_i_search_free(pith_i_env *env, pith_i_search *s) {
  if (s == NULL)
    return;
  pith_i_release(env, s->block);
  pith_i_release(env, s);
}

static uint32_t count_wrong_examples(pith_i_errors e) { return e.fp + e.fn; }

/* ---- neighbours ------------------------------------------------------ */

/* Called for the neighbours of s->from in batches: errors and moves of n. */
typedef void (*batch_visit)(pith_i_search *s, uint32_t n, void *ctx);

typedef struct {
  pith_i_search *search;
  bool changes, drops; /* one-slot changes; each rule left out */
  batch_visit visit;
  void *ctx;
  uint32_t n;
} neighbourhood;

static void evaluate_batch(neighbourhood *h) {
  pith_i_search *s = h->search;
  assert(h->n <= PITH_I_SLICE);
  if (h->n == 0)
    return;
  pith_i_sliced_run(s->sliced, s->errors);
  h->visit(s, h->n, h->ctx);
  pith_i_sliced_clear(s->sliced);
  h->n = 0;
}

static void add_neighbour(pith_i_slot_change c, void *ctx) {
  neighbourhood *h = ctx;
  pith_i_search *s = h->search;
  bool wanted = c.to == PITH_NONE
                    ? h->drops
                    : h->changes && (!s->restricted || s->allowed[c.to]);
  if (!wanted)
    return;
  uint32_t before = s->from[c.slot];
  s->from[c.slot] = c.to;
  pith_i_sliced_add(s->sliced, s->from);
  s->from[c.slot] = before;
  s->moves[h->n++] = c;
  if (h->n == PITH_I_SLICE)
    evaluate_batch(h);
}

/* One-slot changes, or each rule left out, or both. */
static void visit_neighbours(pith_i_search *s, bool changes, bool drops,
                             batch_visit visit, void *ctx) {
  neighbourhood h = {s, changes, drops, visit, ctx, 0};
  pith_i_sliced_clear(s->sliced);
  pith_i_program_changes(s->sliced->net, s->from, add_neighbour, &h);
  evaluate_batch(&h);
}

/* ---- climbing -------------------------------------------------------- */

typedef struct {
  uint32_t move;  /* number of the present one     */
  uint32_t least; /* errors of the best ever       */
  bool found;
  uint32_t slot, to;
  pith_i_errors errors;
} climb;

/* A tabu move is allowed when it leads to the best ever. */
static void climb_visit(pith_i_search *s, uint32_t n, void *ctx) {
  climb *c = ctx;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t slot = s->moves[i].slot, to = s->moves[i].to;
    uint32_t wrong = count_wrong_examples(s->errors[i]);
    if (s->tabu[to] > c->move && wrong >= c->least)
      continue;
    if (c->found && wrong >= count_wrong_examples(c->errors))
      continue;
    c->found = true;
    c->slot = slot;
    c->to = to;
    c->errors = s->errors[i];
  }
}

static pith_i_errors evaluate_program(pith_i_search *s,
                                      const uint32_t *program) {
  pith_i_sliced_clear(s->sliced);
  pith_i_sliced_add(s->sliced, program);
  pith_i_sliced_run(s->sliced, s->errors);
  return s->errors[0];
}

pith_i_errors pith_i_search_climb(pith_i_search *s, uint32_t *program,
                                  uint32_t moves, pith_i_run *run) {
  assert(moves > 0);
  const pith_i_net *net = s->sliced->net;
  size_t bytes = net->slots.n * sizeof *program;
  memset(s->tabu, 0, net->candidates.n * sizeof *s->tabu);
  pith_i_errors best = evaluate_program(s, program);
  memcpy(s->from, program, bytes);
  for (uint32_t m = 1; m <= moves && count_wrong_examples(best) > 0 &&
                       !pith_i_stop_requested(run) && !s->sliced->stopped;
       m++) {
    climb c = {.move = m, .least = count_wrong_examples(best)};
    visit_neighbours(s, true, false, climb_visit, &c);
    if (!c.found)
      break;
    if (s->from[c.slot] != PITH_NONE)
      s->tabu[s->from[c.slot]] = m + 2 + m % 4; /* not back at once */
    s->from[c.slot] = c.to;
    if (count_wrong_examples(c.errors) < count_wrong_examples(best)) {
      best = c.errors;
      memcpy(program, s->from, bytes);
    }
  }
  return best;
}

/* ---- polishing ------------------------------------------------------- */

typedef struct {
  bool better;   /* than s->from */
  uint64_t work; /* pairs of rules compared since the last look */
  bool stopped;
} polish;

/* Few rules are polished whatever the clock says. */
static bool is_stopped(pith_i_search *s, polish *p) {
  enum { LOOK_EVERY = 1 << 22 };
  uint64_t rules = s->sliced->net->rules.n;
  p->work += rules * rules;
  if (p->work > LOOK_EVERY && !p->stopped) {
    p->work = 0;
    p->stopped = pith_i_stop_requested(s->sliced->run);
  }
  return p->stopped;
}

/* Keeps in s->best the best exact neighbour, if better than s->from. */
static void polish_visit(pith_i_search *s, uint32_t n, void *ctx) {
  polish *p = ctx;
  const pith_i_net *net = s->sliced->net;
  pith_i_errors none = {0, 0};
  for (uint32_t i = 0; i < n; i++) {
    if (count_wrong_examples(s->errors[i]) > 0 || is_stopped(s, p))
      continue;
    memcpy(s->try_, s->from, net->slots.n * sizeof *s->try_);
    s->try_[s->moves[i].slot] = s->moves[i].to;
    pith_i_program_trim(net, s->try_, s->used);
    if (pith_i_program_compare(net, s->try_, none, s->best, none) < 0) {
      memcpy(s->best, s->try_, net->slots.n * sizeof *s->best);
      p->better = true;
    }
  }
}

void pith_i_search_polish(pith_i_search *s, uint32_t *program, bool change) {
  const pith_i_net *net = s->sliced->net;
  size_t bytes = net->slots.n * sizeof *program;
  pith_i_program_trim(net, program, s->used);
  polish p = {.better = true};
  while (p.better && !p.stopped) {
    memcpy(s->from, program, bytes);
    memcpy(s->best, program, bytes);
    p.better = false;
    visit_neighbours(s, change, true, polish_visit, &p);
    memcpy(program, s->best, bytes);
  }
}
