#include "compress/repair_rules.h"

#include <assert.h>
#include <string.h>

#include "base/tunables.h"
#include "train/program.h"

enum { FACT_COST = 1 << 16 };

uint64_t pith_i_decoded_cost(const pith_i_net *net, const pith_i_decoded *g) {
  uint64_t errors = (uint64_t)g->worth.wrong + g->worth.missing;
  return (PITH_TUNE_REPAIR_ERROR_COST * errors + g->worth.core) * FACT_COST +
         pith_i_program_size(net, g->choice);
}

/* ---- pruning --------------------------------------------------------- */

static void copy_pruned_core(const pith_i_prune *p, uint32_t i, bool *core) {
  for (size_t m = 0; m < p->sliced->net->core.n; m++)
    core[m] = pith_i_prune_has(p, i, m);
}

void pith_i_decoded_prune(pith_i_prune *p, pith_i_decoded *drafts, size_t n,
                          const uint32_t *order) {
  pith_i_theory_worth worth[PITH_I_SLICE];
  for (size_t first = 0; first < n; first += PITH_I_SLICE) {
    uint32_t count =
        n - first < PITH_I_SLICE ? (uint32_t)(n - first) : PITH_I_SLICE;
    pith_i_decoded *g = drafts + first;
    pith_i_prune_clear(p);
    for (uint32_t i = 0; i < count; i++)
      pith_i_prune_add(p, g[i].choice, g[i].open, g[i].abduce);
    pith_i_prune_run(p, order, worth);
    for (uint32_t i = 0; i < count; i++) {
      g[i].worth = worth[i];
      copy_pruned_core(p, i, g[i].core);
    }
  }
}

/* ---- changes --------------------------------------------------------- */

typedef struct {
  uint32_t draft;
  pith_i_slot_change c;
} draft_change;

typedef struct {
  pith_i_env *env;
  pith_i_prune *prune;
  pith_i_decoded *drafts;
  size_t n;
  const uint32_t *order;
  draft_change batch[PITH_I_SLICE];
  uint32_t count;
  uint32_t draft; /* whose changes are visited */
  struct {
    uint64_t cost;
    pith_i_slot_change c; /* slot PITH_NONE: none is better */
    pith_i_theory_worth worth;
    bool *core; /* (M) */
    bool live;  /* its last change made it better */
  } * best;     /* (n) */
} repair;

/* The cost of a draft with one slot changed. */
static uint64_t cost_of(const repair *r, const draft_change *d,
                        pith_i_theory_worth worth) {
  assert(d->draft < r->n);
  pith_i_decoded g = r->drafts[d->draft];
  uint32_t before = g.choice[d->c.slot];
  g.worth = worth;
  g.choice[d->c.slot] = d->c.to;
  uint64_t cost = pith_i_decoded_cost(r->prune->sliced->net, &g);
  g.choice[d->c.slot] = before;
  return cost;
}

static void judge_batch(repair *r) {
  assert(r->count <= PITH_I_SLICE);
  pith_i_theory_worth worth[PITH_I_SLICE];
  if (r->count == 0)
    return;
  pith_i_prune_run(r->prune, r->order, worth);
  for (uint32_t i = 0; i < r->count && !r->prune->sliced->stopped; i++) {
    const draft_change *d = &r->batch[i];
    uint64_t cost = cost_of(r, d, worth[i]);
    if (cost >= r->best[d->draft].cost)
      continue;
    r->best[d->draft].cost = cost;
    r->best[d->draft].c = d->c;
    r->best[d->draft].worth = worth[i];
    copy_pruned_core(r->prune, i, r->best[d->draft].core);
  }
  r->count = 0;
}

static void try_change(pith_i_slot_change c, void *ctx) {
  repair *r = ctx;
  const pith_i_decoded *g = &r->drafts[r->draft];
  uint32_t before = g->choice[c.slot];
  if (r->count == 0)
    pith_i_prune_clear(r->prune);
  g->choice[c.slot] = c.to;
  pith_i_prune_add(r->prune, g->choice, g->open, g->abduce);
  g->choice[c.slot] = before;
  r->batch[r->count++] = (draft_change){r->draft, c};
  if (r->count == PITH_I_SLICE)
    judge_batch(r);
}

static void try_all(repair *r) {
  for (r->draft = 0; r->draft < r->n; r->draft++) {
    r->best[r->draft].c.slot = PITH_NONE;
    if (r->best[r->draft].live)
      pith_i_program_changes(r->prune->sliced->net, r->drafts[r->draft].choice,
                             try_change, r);
  }
  judge_batch(r);
}

/* False: none is better than it was. */
static bool change_all(repair *r) {
  bool changed = false;
  for (uint32_t g = 0; g < r->n; g++) {
    r->best[g].live = r->best[g].c.slot != PITH_NONE;
    if (!r->best[g].live)
      continue;
    r->drafts[g].choice[r->best[g].c.slot] = r->best[g].c.to;
    r->drafts[g].worth = r->best[g].worth;
    memcpy(r->drafts[g].core, r->best[g].core,
           r->prune->sliced->net->core.n * sizeof(bool));
    changed = true;
  }
  return changed;
}

pith_status pith_i_decoded_repair(pith_i_env *env, pith_i_prune *p,
                                  pith_i_decoded *drafts, size_t n,
                                  const uint32_t *order, pith_i_run *run) {
  const pith_i_net *net = p->sliced->net;
  repair r = {.env = env, .prune = p, .drafts = drafts, .n = n, .order = order};
  r.best = pith_i_zalloc(env, n + 1, sizeof *r.best);
  bool *core = pith_i_zalloc(env, n * net->core.n + 1, sizeof *core);
  pith_status rc = r.best == NULL || core == NULL ? PITH_ENOMEM : PITH_OK;
  for (size_t i = 0; rc >= 0 && i < n; i++) {
    r.best[i].cost = pith_i_decoded_cost(net, &drafts[i]);
    r.best[i].core = core + i * net->core.n;
    r.best[i].live = true;
  }
  bool on = rc >= 0;
  while (on && !pith_i_stop_requested(run)) {
    try_all(&r);
    on = !p->sliced->stopped && change_all(&r);
  }
  pith_i_release(env, core);
  pith_i_release(env, r.best);
  return rc;
}
