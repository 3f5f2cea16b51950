#include "compress/soft_theory.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "base/random.h"
#include "base/team.h"
#include "base/tunables.h"
#include "compress/likeness.h"
#include "compress/restart_bytes.h"
#include "compress/theory_recipe.h"
#include "train/program.h"

enum { L = PITH_I_LANES };

/* ---- memory ---------------------------------------------------------- */

/* Which facts are open. An observed predicate's fact that was not observed
** contradicts the observations by itself, so by default it is left out
** whatever its type; what types rule out is pairs for invented predicates. In
** the paper's semantics all that types allow is open, or, as in its code, only
** invented predicates have facts, if there are any. Where there are none, the
** code takes the largest weight of all rules before it joins. */
static pith_status make_core_net(pith_i_soft *s, const pith_i_store *store) {
  bool invents = pith_i_templates_invent(s->theory, 1);
  /* The network only reads the world. */
  pith_i_world world = {.theory = (pith_i_theory *)s->theory,
                        .store = (pith_i_store *)store};
  pith_i_net_options opt = {.steps = s->opt.steps, .core = PITH_I_CORE_SEEN};
  if (s->opt.semantics != PITH_BEST)
    opt.core = invents        ? PITH_I_CORE_HIDDEN
               : s->opt.types ? PITH_I_CORE_TYPED
                              : PITH_I_CORE_ANY;
  opt.layout = !s->opt.types && pith_i_templates_invent(s->theory, 2)
                   ? PITH_I_DENSE
                   : PITH_I_AUTO;
  opt.reference = s->opt.semantics == PITH_PAPER;
  opt.weights_first = opt.reference && !invents;
  return pith_i_net_new(s->env, &world, 1, &opt, &s->net);
}

static bool draft_new(pith_i_soft *s, pith_i_decoded *g) {
  const pith_i_net *net = s->net;
  g->choice =
      pith_i_arena_alloc(&s->arena, (net->slots.n + 1) * sizeof *g->choice);
  g->open = pith_i_arena_alloc(&s->arena, net->core.n + 1);
  g->core = pith_i_arena_alloc(&s->arena, net->core.n + 1);
  return g->choice != NULL && g->open != NULL && g->core != NULL;
}

static pith_status make_parts(pith_i_soft *s) {
  pith_i_recipe recipe = pith_i_theory_recipe(&s->opt, s->theory);
  pith_status rc = pith_i_descent_new(s->env, s->net, &recipe, &s->descent);
  if (rc >= 0)
    rc = pith_i_prune_new(s->env, s->net, &s->prune);
  if (rc < 0)
    return rc;
  s->descent->tape->run = s->prune->sliced->run = s->run;
  s->order =
      pith_i_arena_alloc(&s->arena, (s->net->core.n + 1) * sizeof *s->order);
  s->choices = pith_i_arena_alloc(&s->arena, L * (s->net->slots.n + 1) *
                                                 sizeof *s->choices);
  bool fine = s->order != NULL && s->choices != NULL;
  for (int i = 0; fine && i < 2 * L; i++)
    fine = draft_new(s, &s->tried[i]);
  return fine ? PITH_OK : PITH_ENOMEM;
}

pith_status pith_i_soft_new(pith_i_env *env, const pith_i_theory *theory,
                            const pith_i_store *store,
                            const pith_compress_options *opt, pith_i_run *run,
                            pith_i_soft **out) {
  pith_i_soft *s = pith_i_zalloc(env, 1, sizeof *s);
  if (s == NULL)
    return PITH_ENOMEM;
  s->env = s->arena.env = env;
  s->opt = *opt;
  s->run = run;
  s->theory = theory;
  pith_status rc = make_core_net(s, store);
  if (rc >= 0)
    rc = make_parts(s);
  if (rc < 0)
    pith_i_soft_free(s);
  else
    *out = s;
  return rc;
}

void pith_i_soft_free(pith_i_soft *s) {
  if (s == NULL)
    return;
  pith_i_env *env = s->env;
  pith_i_descent_free(env, s->descent);
  pith_i_prune_free(env, s->prune);
  pith_i_net_free(s->net);
  pith_i_vec_free(env, &s->found);
  pith_i_arena_free(&s->arena);
  pith_i_release(env, s);
}

static void draft_copy(const pith_i_net *net, pith_i_decoded *to,
                       const pith_i_decoded *from) {
  memcpy(to->choice, from->choice, net->slots.n * sizeof *to->choice);
  memcpy(to->open, from->open, net->core.n * sizeof *to->open);
  memcpy(to->core, from->core, net->core.n * sizeof *to->core);
  to->abduce = from->abduce;
  to->worth = from->worth;
}

static pith_status add_restart(pith_i_soft *s, uint32_t number) {
  pith_i_restart r = {.restart = number};
  r.value =
      pith_i_arena_alloc(&s->arena, (s->net->core.n + 1) * sizeof *r.value);
  bool fine = r.value != NULL && draft_new(s, &r.draft) &&
              pith_i_push(s->env, &s->found, r);
  return fine ? PITH_OK : PITH_ENOMEM;
}

/* ---- looking at what was decoded ------------------------------------- */

typedef struct {
  float value;
  uint32_t fact;
} ranked;

static int compare_values(const void *a, const void *b) {
  const ranked *x = a, *y = b;
  if (x->value != y->value)
    return x->value < y->value ? -1 : 1;
  return (x->fact > y->fact) - (x->fact < y->fact);
}

/* The facts in the order of their mean value over the lanes. */
static pith_status rank_facts(pith_i_soft *s) {
  size_t n = s->net->core.n;
  ranked *all = pith_i_alloc(s->env, (n + 1) * sizeof *all);
  if (all == NULL)
    return PITH_ENOMEM;
  for (size_t m = 0; m < n; m++) {
    all[m] = (ranked){0, (uint32_t)m};
    PITH_I_EACH_LANE(l) all[m].value += s->descent->core[m][l];
  }
  qsort(all, n, sizeof *all, compare_values);
  for (size_t m = 0; m < n; m++)
    s->order[m] = all[m].fact;
  pith_i_release(s->env, all);
  return PITH_OK;
}

static bool is_seen(const pith_i_soft *s, size_t m) {
  assert(m < s->net->core.n);
  return s->prune->observed[s->net->core.at[m]];
}

/* The value of a core fact; in the code it is squashed only where it is
** used. */
static float core_value(const pith_i_soft *s, size_t m, int lane) {
  const pith_i_descent *d = s->descent;
  return (float)(s->opt.semantics == PITH_PAPER ? d->core_theta[m][lane]
                                                : d->core[m][lane]);
}

/* From which value on a fact counts: in the code they are rounded after 0.4
** has been added. */
static float least_value(const pith_i_soft *s) {
  return s->opt.semantics == PITH_PAPER ? 0.1f : 0.5f;
}

/* What the lane has learned, as it stands. */
static void read_lane(const pith_i_soft *s, int lane, pith_i_restart *r) {
  assert(lane >= 0 && lane < L);
  const pith_i_net *net = s->net;
  memcpy(r->draft.choice, s->choices + (size_t)lane * net->slots.n,
         net->slots.n * sizeof *r->draft.choice);
  for (size_t m = 0; m < net->core.n; m++) {
    r->value[m] = core_value(s, m, lane);
    r->draft.open[m] = r->value[m] > least_value(s);
  }
  r->likeness =
      pith_i_theory_likeness(net, s->descent->tape->weight, lane, s->meant);
  r->epoch = s->descent->epoch;
}

/* What holds by more than a value; the descent has just been measured. */
static pith_i_theory_worth soft_worth(const pith_i_soft *s, int lane,
                                      float least) {
  assert(lane >= 0 && lane < L);
  const pith_i_net *net = s->net;
  const pith_i_real *last =
      s->descent->tape->value + (size_t)net->steps * net->atoms;
  pith_i_theory_worth w = {0};
  for (size_t i = 0; i < net->examples.n; i++) {
    const pith_i_net_example *e = &net->examples.at[i];
    bool holds = last[e->atom][lane] > least;
    w.wrong += e->weight > 0 && holds && e->label < 0.5f;
    w.missing += e->weight > 0 && !holds && e->label > 0.5f;
  }
  for (size_t m = 0; m < net->core.n; m++)
    w.core += core_value(s, m, lane) > least;
  return w;
}

/* Judges rules and facts as decoded. */
static void judge_decoded(pith_i_soft *s, pith_i_restart *r, size_t n) {
  assert(n <= L);
  pith_i_theory_worth worth[L];
  pith_i_prune_clear(s->prune);
  for (size_t i = 0; i < n; i++)
    pith_i_prune_add(s->prune, r[i].draft.choice, r[i].draft.open, false);
  pith_i_prune_judge(s->prune, worth);
  for (size_t i = 0; i < n; i++)
    r[i].decoded = r[i].draft.worth = worth[i];
}

/* What the rules are worth with all that was observed, once with the learned
** facts of invented predicates, once with what the rules could use. In the
** paper's semantics that is only told, and the draft stays what was learned. */
static void prune_decoded(pith_i_soft *s, pith_i_restart *r, size_t n) {
  assert(n > 0 && n <= L);
  const pith_i_net *net = s->net;
  bool invents = net->observed < net->core.n;
  for (size_t i = 0; i < 2 * n; i++) {
    pith_i_decoded *g = &s->tried[i];
    draft_copy(net, g, &r[i % n].draft);
    g->abduce = i >= n;
    for (size_t m = 0; m < net->core.n; m++)
      g->open[m] = m < net->observed ? is_seen(s, m) : i < n && g->open[m];
  }
  pith_i_decoded_prune(s->prune, s->tried, invents ? 2 * n : n, s->order);
  for (size_t i = 0; i < n; i++) {
    const pith_i_decoded *g = &s->tried[i], *other = &s->tried[n + i];
    if (invents &&
        pith_i_decoded_cost(net, other) < pith_i_decoded_cost(net, g))
      g = other;
    r[i].pruned = g->worth;
    if (s->opt.semantics != PITH_BEST)
      memcpy(r[i].draft.core, r[i].draft.open, net->core.n);
    else
      draft_copy(net, &r[i].draft, g);
  }
}

static bool is_exact(const pith_i_theory_worth *w) {
  return w->wrong + w->missing == 0;
}

static uint32_t fewest_core_facts(const pith_i_restart *r, size_t n) {
  uint32_t least = UINT32_MAX;
  for (size_t i = 0; i < n; i++)
    if (is_exact(&r[i].pruned) && r[i].pruned.core < least)
      least = r[i].pruned.core;
  return least;
}

/* How many restarts found a theory with so few facts. */
static uint32_t count_best(const pith_i_restart *r, size_t n, uint32_t core) {
  uint32_t found = 0;
  for (size_t i = 0; i < n; i++)
    found += is_exact(&r[i].pruned) && r[i].pruned.core == core;
  return found;
}

/* The lanes of a group, decoded, pruned and judged. */
static pith_status look_at_lanes(pith_i_soft *s, pith_i_restart *r, size_t n) {
  pith_i_real loss, error;
  pith_i_descent_measure(s->descent, &loss, &error);
  pith_i_descent_decode(s->descent, s->choices);
  pith_status rc = rank_facts(s);
  for (size_t i = 0; rc >= 0 && i < n; i++) {
    read_lane(s, (int)i, &r[i]);
    r[i].soft = soft_worth(s, (int)i, 0.5f);
    r[i].tenth = soft_worth(s, (int)i, 0.1f);
    r[i].loss = loss[i];
    r[i].error = error[i];
  }
  if (rc < 0)
    return rc;
  judge_decoded(s, r, n);
  prune_decoded(s, r, n);
  return PITH_OK;
}

/* ---- repair ---------------------------------------------------------- */

static bool same_choice(const pith_i_net *net, const pith_i_decoded *a,
                        const pith_i_decoded *b) {
  return a->abduce == b->abduce &&
         memcmp(a->choice, b->choice, net->slots.n * sizeof *a->choice) == 0;
}

/* Restarts that decoded the same rules are repaired once. */
static pith_status repair_lanes(pith_i_soft *s, pith_i_restart *r, size_t n) {
  assert(n <= L);
  size_t count = 0, twin[L];
  for (size_t i = 0; i < n; i++) {
    for (twin[i] = 0; twin[i] < count; twin[i]++)
      if (same_choice(s->net, &r[i].draft, &s->tried[twin[i]]))
        break;
    if (twin[i] == count)
      draft_copy(s->net, &s->tried[count++], &r[i].draft);
  }
  pith_status rc = pith_i_decoded_repair(s->env, s->prune, s->tried, count,
                                         s->order, s->run);
  for (size_t i = 0; rc >= 0 && i < n; i++)
    draft_copy(s->net, &r[i].draft, &s->tried[twin[i]]);
  return rc;
}

/* ---- groups ---------------------------------------------------------- */

static bool is_stopped(pith_i_soft *s) {
  s->stopped = s->stopped || s->descent->tape->stopped ||
               s->prune->sliced->stopped || pith_i_stop_requested(s->run);
  return s->stopped;
}

/* An observation's loss has a slope of 1 where its value is 1: a penalty above
** that drives out facts that rules derive nearly as well, a penalty below it
** then leaves those that are needed at 1. */
static void settle_core(pith_i_descent *d) {
  pith_i_descent_settle(d, PITH_TUNE_COMPRESS_SETTLE_EPOCHS, 1.5f);
  pith_i_descent_settle(d, PITH_TUNE_COMPRESS_SETTLE_EPOCHS, 0.5f);
}

static void report_epoch(const pith_i_soft *s, uint32_t first) {
  enum { POINTS = 100 };
  uint32_t epochs = s->descent->recipe.epochs, every = epochs / POINTS + 1;
  if (s->run == NULL || s->run->user.progress == NULL ||
      (s->descent->epoch % every != 0 && s->descent->epoch != epochs))
    return;
  pith_progress *now = &s->run->now;
  pith_i_real loss, error;
  pith_i_descent_loss(s->descent, &loss, &error);
  now->restarts = s->opt.restarts;
  now->restarts_done = first;
  now->epoch = s->descent->epoch;
  now->epochs = epochs;
  now->loss = INFINITY;
  PITH_I_EACH_LANE(l)
  now->loss = fmin(now->loss, (double)loss[l]);
  pith_i_run_report(s->run);
}

/* Trains and looks until the end, or until the restarts agree. */
static pith_status train_lanes(pith_i_soft *s, pith_i_restart *r, size_t n) {
  uint32_t epochs = s->descent->recipe.epochs, before = UINT32_MAX;
  pith_status rc = PITH_OK;
  bool agreed = false;
  while (rc >= 0 && !agreed && s->descent->epoch < epochs && !is_stopped(s)) {
    pith_i_descent_epoch(s->descent);
    report_epoch(s, r->restart);
    bool end = s->descent->epoch == epochs;
    if (end || s->opt.each ||
        s->descent->epoch % PITH_TUNE_COMPRESS_CHECK_EPOCHS != 0)
      continue;
    rc = look_at_lanes(s, r, n);
    uint32_t core = fewest_core_facts(r, n);
    agreed =
        core == before && count_best(r, n, core) >= PITH_TUNE_COMPRESS_AGREEING;
    before = core;
  }
  if (s->opt.semantics == PITH_BEST && !is_stopped(s))
    settle_core(s->descent);
  if (rc >= 0)
    rc = look_at_lanes(s, r, n);
  return rc;
}

/* The group whose first restart this is; the restarts are there. */
static pith_status run_group(pith_i_soft *s, uint32_t first) {
  assert(first % L == 0 && first < s->found.n);
  size_t n = s->found.n - first < L ? s->found.n - first : L;
  uint64_t seeds[L];
  PITH_I_EACH_LANE(l)
  seeds[l] = pith_i_random(s->opt.run.seed, 0, first + (uint64_t)l);
  pith_i_descent_start(s->descent, seeds);
  pith_i_restart *r = s->found.at + first;
  pith_status rc = train_lanes(s, r, n);
  if (rc >= 0 && s->opt.semantics == PITH_BEST && !is_stopped(s))
    rc = repair_lanes(s, r, n);
  for (size_t i = 0; rc >= 0 && i < n; i++)
    r[i].trained = true;
  return rc;
}

/* ---- waves of several processes --------------------------------------- */

typedef struct {
  pith_i_soft *s;
  uint32_t first; /* restart */
} soft_wave;

static pith_status train_wave_group(void *ctx, pith_i_worker *w, size_t item) {
  soft_wave *wave = ctx;
  (void)w;
  pith_status rc = run_group(wave->s, wave->first + (uint32_t)item * L);
  return rc < 0 ? rc : is_stopped(wave->s) ? PITH_STOPPED : PITH_OK;
}

/* The restarts of a group of the wave. */
static pith_i_restart *group_restarts(const soft_wave *wave, size_t group,
                                      size_t *n) {
  const pith_i_soft *s = wave->s;
  size_t first = wave->first + group * L;
  assert(first < s->found.n);
  *n = s->found.n - first < L ? s->found.n - first : L;
  return s->found.at + first;
}

static pith_status pack_wave_groups(void *ctx, pith_i_crew *c, size_t first,
                                    size_t last, pith_i_buffer *out) {
  soft_wave *wave = ctx;
  for (size_t g = first; g < last; g++) {
    size_t n;
    pith_i_restart *r = group_restarts(wave, g, &n);
    for (size_t i = 0; i < n; i++) {
      if (!pith_i_restart_put(c->owner, wave->s->net, &r[i], out))
        return PITH_ENOMEM;
      r[i].trained = false;
    }
  }
  return PITH_OK;
}

static pith_status unpack_wave_groups(void *ctx, pith_i_crew *c, size_t first,
                                      size_t last, pith_i_cursor *in) {
  soft_wave *wave = ctx;
  (void)c;
  for (size_t g = first; g < last; g++) {
    size_t n;
    pith_i_restart *r = group_restarts(wave, g, &n);
    for (size_t i = 0; i < n; i++)
      pith_i_restart_take(in, wave->s->net, &r[i]);
  }
  return PITH_OK;
}

/* Trains the restarts from this one on, in a loop that the team shares. */
static pith_status share_groups(pith_i_soft *s, uint32_t first) {
  size_t groups = (s->found.n - first + L - 1) / L;
  const pith_i_shared_loop loop = {
      groups, train_wave_group, pack_wave_groups, unpack_wave_groups, false,
      first};
  soft_wave wave = {s, first};
  pith_i_crew *crew = NULL;
  pith_status rc = pith_i_crew_new(s->env, 1, &crew);
  if (rc >= 0)
    rc = pith_i_crew_share(crew, &loop, &wave);
  s->stopped = s->stopped || rc == PITH_STOPPED;
  pith_i_crew_free(crew);
  return rc;
}

/* How many restarts are trained before we look whether they agree. */
static uint32_t wave_size(const pith_i_soft *s) {
  uint32_t members = s->env->team == NULL ? 1 : pith_i_team_size(s->env->team);
  return s->opt.each && members > 1 ? s->opt.restarts : members * L;
}

/* ---- all ---------------------------------------------------------------- */

static void find_best(pith_i_soft *s) {
  s->best = 0;
  for (size_t i = 1; i < s->found.n; i++)
    if (pith_i_decoded_cost(s->net, &s->found.at[i].draft) <
        pith_i_decoded_cost(s->net, &s->found.at[s->best].draft))
      s->best = i;
}

/* Whether enough restarts came to the best, or the last group to nothing
** better. */
static bool is_agreed(const pith_i_soft *s, uint64_t before) {
  assert(s->best < s->found.n);
  const pith_i_decoded *best = &s->found.at[s->best].draft;
  uint32_t found = 0;
  for (size_t i = 0; i < s->found.n; i++)
    found += s->found.at[i].draft.worth.core == best->worth.core &&
             is_exact(&s->found.at[i].draft.worth);
  return is_exact(&best->worth) &&
         (found >= PITH_TUNE_COMPRESS_AGREEING ||
          pith_i_decoded_cost(s->net, best) == before);
}

static pith_status train_wave(pith_i_soft *s, uint32_t first) {
  uint32_t left = s->opt.restarts - first, wave = wave_size(s);
  uint32_t n = left < wave ? left : wave;
  pith_status rc = PITH_OK;
  assert(s->found.n == first);
  for (uint32_t i = 0; rc >= 0 && i < n; i++)
    rc = add_restart(s, first + i);
  if (rc < 0)
    return rc;
  return s->env->team != NULL ? share_groups(s, first) : run_group(s, first);
}

/* Looks at the groups of a wave one by one, as if each had just been trained:
** those behind one that was not, or at which restarts agree, are dropped. */
static bool judge_wave(pith_i_soft *s, uint32_t first, uint64_t *before) {
  size_t all = s->found.n, n = first;
  bool agreed = false;
  while (!agreed && n < all && s->found.at[n].trained) {
    n = all - n < L ? all : n + L;
    s->found.n = n;
    find_best(s);
    agreed = !s->opt.each && is_agreed(s, *before);
    *before = pith_i_decoded_cost(s->net, &s->found.at[s->best].draft);
  }
  s->found.n = n;
  return agreed;
}

pith_status pith_i_soft_run(pith_i_soft *s) {
  pith_status rc = PITH_OK;
  bool agreed = false;
  uint64_t before = UINT64_MAX;
  while (rc >= 0 && !agreed && s->found.n < s->opt.restarts && !is_stopped(s)) {
    uint32_t first = (uint32_t)s->found.n;
    rc = train_wave(s, first);
    if (rc >= 0)
      agreed = judge_wave(s, first, &before);
  }
  return rc;
}

/* Where only what was invented has facts, the authors count every atom of an
** observed predicate; a sparse network leaves out those that nothing
** derives. */
uint64_t pith_i_soft_cells(const pith_i_soft *s) {
  const pith_i_net *net = s->net;
  uint64_t labelled = 0, all = 0, n = net->constants;
  for (size_t i = 0; i < net->examples.n; i++)
    labelled += net->examples.at[i].weight > 0;
  for (size_t p = 0; p < net->preds.n; p++)
    if (net->preds.at[p].derived && net->preds.at[p].fact_count > 0)
      all += net->preds.at[p].arity == 1 ? n : n * n;
  return net->core_kind == PITH_I_CORE_HIDDEN ? all : labelled;
}
