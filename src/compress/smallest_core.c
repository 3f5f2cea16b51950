#include "compress/smallest_core.h"

#include <assert.h>
#include <string.h>

#include "base/scc.h"
#include "base/tunables.h"

typedef PITH_I_VEC(uint32_t) fact_list;

struct pith_i_core_finder {
  const pith_i_instances *g;
  const pith_i_observations *w;
  pith_i_env *env;
  bool *optional; /* (facts) */
  bool any_optional;
  /* the rules at hand */
  bool *derivable;           /* (facts) from others                        */
  PITH_I_VEC(uint32_t) live; /* instances                                  */
  uint32_t *left;            /* (instances) facts of the body not yet true */
  size_t *use_start;         /* (facts + 1)                                */
  PITH_I_VEC(uint32_t) use;  /* the live instances with a fact in the body */
  bool *truth;               /* (facts) */
  fact_list trail;           /* facts in the order made true */
  fact_list picks;           /* chosen in cycles */
  uint32_t *place;           /* (facts) in a list that is looked at */
  fact_list open;            /* facts that the others alone do not give */
  uint64_t work, most_work;
  uint64_t looked; /* at the clock: the work then */
  pith_i_run *run;
  bool over; /* the run was, at the last look */
  bool exact;
};

pith_status pith_i_core_finder_new(const pith_i_instances *g,
                                   const pith_i_observations *w,
                                   pith_i_run *run, pith_i_core_finder **out) {
  assert(g->facts == w->n);
  assert(g->start.n == g->head.n + 1);
  pith_i_env *env = w->env;
  pith_i_core_finder *c = *out = pith_i_zalloc(env, 1, sizeof *c);
  if (c == NULL)
    return PITH_ENOMEM;
  c->g = g;
  c->w = w;
  c->run = run;
  c->env = env;
  c->optional = pith_i_zalloc(env, w->n + 1, sizeof *c->optional);
  c->derivable = pith_i_zalloc(env, w->n + 1, sizeof *c->derivable);
  c->truth = pith_i_zalloc(env, w->n + 1, sizeof *c->truth);
  c->use_start = pith_i_zalloc(env, w->n + 2, sizeof *c->use_start);
  c->place = pith_i_zalloc(env, w->n + 1, sizeof *c->place);
  c->left = pith_i_zalloc(env, g->head.n + 1, sizeof *c->left);
  if (c->optional == NULL || c->derivable == NULL || c->truth == NULL ||
      c->use_start == NULL || c->place == NULL || c->left == NULL) {
    pith_i_core_finder_free(c);
    *out = NULL;
    return PITH_ENOMEM;
  }
  for (size_t p = 0; p < w->pred_count; p++)
    for (size_t f = w->base[p] + w->solid[p]; f < w->base[p + 1]; f++)
      c->optional[f] = c->any_optional = true;
  return PITH_OK;
}

void pith_i_core_finder_free(pith_i_core_finder *c) {
  if (c == NULL)
    return;
  pith_i_release(c->env, c->optional);
  pith_i_release(c->env, c->derivable);
  pith_i_release(c->env, c->truth);
  pith_i_release(c->env, c->use_start);
  pith_i_release(c->env, c->place);
  pith_i_release(c->env, c->left);
  pith_i_vec_free(c->env, &c->live);
  pith_i_vec_free(c->env, &c->use);
  pith_i_vec_free(c->env, &c->trail);
  pith_i_vec_free(c->env, &c->picks);
  pith_i_vec_free(c->env, &c->open);
  pith_i_release(c->env, c);
}

/* ---- what follows ----------------------------------------------------- */

static size_t body_len(const pith_i_core_finder *c, uint32_t i) {
  assert(i < c->g->head.n);
  return c->g->start.at[i + 1] - c->g->start.at[i];
}

static const uint32_t *body_of(const pith_i_core_finder *c, uint32_t i) {
  assert(i < c->g->head.n);
  return c->g->body.at + c->g->start.at[i];
}

static pith_status list_live(pith_i_core_finder *c, const bool *active) {
  const pith_i_instances *g = c->g;
  c->live.n = 0;
  memset(c->derivable, 0, c->w->n * sizeof *c->derivable);
  for (size_t r = 0; r + 1 < g->first.n; r++) {
    if (!active[r])
      continue;
    size_t more = g->first.at[r + 1] - g->first.at[r];
    if (!pith_i_room(c->env, &c->live, more))
      return PITH_ENOMEM;
    for (size_t i = g->first.at[r]; i < g->first.at[r + 1]; i++) {
      c->live.at[c->live.n++] = (uint32_t)i;
      c->derivable[g->head.at[i]] = true;
    }
  }
  return PITH_OK;
}

/* Which live instances use a fact. */
static pith_status list_uses(pith_i_core_finder *c) {
  size_t total = 0;
  memset(c->use_start, 0, (c->w->n + 2) * sizeof *c->use_start);
  for (size_t i = 0; i < c->live.n; i++) {
    uint32_t k = c->live.at[i];
    c->left[k] = (uint32_t)body_len(c, k);
    total += body_len(c, k);
    for (size_t j = 0; j < body_len(c, k); j++)
      c->use_start[body_of(c, k)[j] + 2]++;
  }
  c->use.n = 0;
  if (!pith_i_room(c->env, &c->use, total))
    return PITH_ENOMEM;
  for (size_t f = 0; f < c->w->n; f++)
    c->use_start[f + 2] += c->use_start[f + 1];
  for (size_t i = 0; i < c->live.n; i++) {
    uint32_t k = c->live.at[i];
    for (size_t j = 0; j < body_len(c, k); j++)
      c->use.at[c->use_start[body_of(c, k)[j] + 1]++] = k;
  }
  return PITH_OK; /* use_start[f] .. use_start[f + 1] now */
}

/* There is room on the trail for every fact. */
static void mark_fact_true(pith_i_core_finder *c, uint32_t f) {
  assert(f < c->w->n);
  assert(c->trail.n <= c->w->n);
  if (c->truth[f])
    return;
  c->truth[f] = true;
  c->trail.at[c->trail.n++] = f;
}

/* Makes f true, and all that follows. */
static void make_true(pith_i_core_finder *c, uint32_t f) {
  size_t next = c->trail.n;
  mark_fact_true(c, f);
  for (; next < c->trail.n; next++) {
    uint32_t g = c->trail.at[next];
    for (size_t u = c->use_start[g]; u < c->use_start[g + 1]; u++)
      if (--c->left[c->use.at[u]] == 0)
        mark_fact_true(c, c->g->head.at[c->use.at[u]]);
    c->work += c->use_start[g + 1] - c->use_start[g] + 1;
  }
}

/* Takes back all that became true since the trail had n facts. */
static void take_back(pith_i_core_finder *c, size_t n) {
  assert(n <= c->trail.n);
  while (c->trail.n > n) {
    uint32_t f = c->trail.at[--c->trail.n];
    c->truth[f] = false;
    for (size_t u = c->use_start[f]; u < c->use_start[f + 1]; u++)
      c->left[c->use.at[u]]++;
  }
}

/* ---- components ------------------------------------------------------- */

/* The facts of list that are not true, in the order of their components; a
** component starts where part changes. */
typedef struct {
  fact_list facts;
  uint32_t *part; /* (facts.n) */
  uint32_t count;
} parting;

static void parting_free(pith_i_core_finder *c, parting *p) {
  pith_i_vec_free(c->env, &p->facts);
  pith_i_release(c->env, p->part);
}

static bool instance_waits(const pith_i_core_finder *c, uint32_t i) {
  assert(i < c->g->head.n);
  return c->left[i] > 0 && !c->truth[c->g->head.at[i]];
}

/* Edges from each fact to those it may follow from: uses[], the other way
** round, are at hand, so they are counted by head first. */
static pith_status list_dependencies(pith_i_core_finder *c,
                                     const fact_list *facts, size_t *starts,
                                     uint32_t **targets) {
  size_t n = facts->n;
  memset(starts, 0, (n + 2) * sizeof *starts);
  *targets = NULL;
  for (int fill = 0; fill < 2; fill++) {
    for (size_t i = 0; i < n; i++) {
      uint32_t f = facts->at[i];
      for (size_t u = c->use_start[f]; u < c->use_start[f + 1]; u++) {
        uint32_t k = c->use.at[u], head = c->g->head.at[k];
        if (!instance_waits(c, k) || c->place[head] == 0)
          continue;
        size_t *at = &starts[c->place[head] - 1 + (fill ? 1 : 2)];
        if (fill)
          (*targets)[*at] = (uint32_t)i;
        *at += 1;
      }
    }
    if (fill)
      break;
    for (size_t i = 0; i < n; i++)
      starts[i + 2] += starts[i + 1];
    c->work += 4 * starts[n + 1];
    *targets = pith_i_alloc(c->env, (starts[n + 1] + 1) * sizeof **targets);
    if (*targets == NULL)
      return PITH_ENOMEM;
  }
  return PITH_OK;
}

static pith_status sort_parts(pith_i_core_finder *c, parting *p,
                              const uint32_t *component) {
  size_t n = p->facts.n;
  size_t *at = pith_i_zalloc(c->env, p->count + 2, sizeof *at);
  uint32_t *sorted = pith_i_alloc(c->env, (n + 1) * sizeof *sorted);
  p->part = pith_i_alloc(c->env, (n + 1) * sizeof *p->part);
  pith_status rc =
      at == NULL || sorted == NULL || p->part == NULL ? PITH_ENOMEM : PITH_OK;
  for (size_t i = 0; rc >= 0 && i < n; i++)
    at[component[i] + 1]++;
  for (uint32_t k = 0; rc >= 0 && k < p->count; k++)
    at[k + 1] += at[k];
  for (size_t i = 0; rc >= 0 && i < n; i++) {
    p->part[at[component[i]]] = component[i];
    sorted[at[component[i]]++] = p->facts.at[i];
  }
  if (rc >= 0)
    memcpy(p->facts.at, sorted, n * sizeof *sorted);
  pith_i_release(c->env, at);
  pith_i_release(c->env, sorted);
  return rc;
}

static pith_status part_facts(pith_i_core_finder *c, const uint32_t *list,
                              size_t n, parting *p) {
  memset(p, 0, sizeof *p);
  if (!pith_i_room(c->env, &p->facts, n + 1))
    return PITH_ENOMEM;
  c->work += 4 * n;
  for (size_t i = 0; i < n; i++)
    if (!c->truth[list[i]]) {
      p->facts.at[p->facts.n++] = list[i];
      c->place[list[i]] = (uint32_t)p->facts.n;
    }
  size_t m = p->facts.n;
  size_t *starts = pith_i_alloc(c->env, (m + 2) * sizeof *starts);
  uint32_t *component = pith_i_alloc(c->env, (m + 1) * sizeof *component);
  uint32_t *targets = NULL;
  pith_status rc = starts == NULL || component == NULL ? PITH_ENOMEM : PITH_OK;
  if (rc >= 0)
    rc = list_dependencies(c, &p->facts, starts, &targets);
  if (rc >= 0)
    rc = pith_i_components(c->env, m, starts, targets, component, &p->count);
  for (size_t i = 0; i < m; i++)
    c->place[p->facts.at[i]] = 0;
  if (rc >= 0)
    rc = sort_parts(c, p, component);
  pith_i_release(c->env, starts);
  pith_i_release(c->env, targets);
  pith_i_release(c->env, component);
  return rc;
}

/* ---- choices ---------------------------------------------------------- */

static pith_status settle_facts(pith_i_core_finder *c, const uint32_t *list,
                                size_t n);

static bool is_run_over(pith_i_core_finder *c) {
  enum { WORK_BETWEEN_LOOKS = 1 << 16 }; /* some milliseconds */
  if (c->work < c->looked)               /* it is counted from 0 again */
    c->looked = 0;
  if (c->work - c->looked > WORK_BETWEEN_LOOKS) {
    c->looked = c->work;
    c->over = pith_i_stop_requested(c->run);
  }
  return c->over;
}

static bool is_out_of_work(pith_i_core_finder *c) {
  return is_run_over(c) || c->work > c->most_work;
}

static pith_status pick_fact(pith_i_core_finder *c, uint32_t f) {
  if (!pith_i_push(c->env, &c->picks, f))
    return PITH_ENOMEM;
  make_true(c, f);
  return PITH_OK;
}

static size_t count_uses(const pith_i_core_finder *c, uint32_t f) {
  assert(f < c->w->n);
  return c->use_start[f + 1] - c->use_start[f];
}

/* The facts most used, in order. */
static size_t most_used(const pith_i_core_finder *c, const uint32_t *list,
                        size_t n, uint32_t *out) {
  size_t kept = 0;
  for (size_t i = 0; i < n; i++) {
    if (c->truth[list[i]])
      continue;
    size_t at =
        kept < PITH_TUNE_CORE_SOME_FACTS ? kept++ : PITH_TUNE_CORE_SOME_FACTS;
    while (at > 0 && count_uses(c, out[at - 1]) < count_uses(c, list[i])) {
      if (at < PITH_TUNE_CORE_SOME_FACTS)
        out[at] = out[at - 1];
      at--;
    }
    if (at < PITH_TUNE_CORE_SOME_FACTS)
      out[at] = list[i];
  }
  return kept;
}

/* A large component: the fact from which most follows, of those most used. */
static pith_status pick_large(pith_i_core_finder *c, const uint32_t *list,
                              size_t n) {
  assert(n > PITH_TUNE_CORE_EVERY_FACTS);
  uint32_t some[PITH_TUNE_CORE_SOME_FACTS + 1];
  size_t mark = c->trail.n, best = 0, best_gain = 0;
  size_t count = most_used(c, list, n, some);
  for (size_t i = 0; i < count && (i == 0 || !is_out_of_work(c)); i++) {
    make_true(c, some[i]);
    size_t gain = c->trail.n - mark;
    take_back(c, mark);
    if (gain > best_gain) {
      best = i;
      best_gain = gain;
    }
  }
  c->exact &= best_gain >= n;
  return pick_fact(c, some[best]);
}

/* No time to look: whatever is used most, until all is true. */
static pith_status pick_blindly(pith_i_core_finder *c, const uint32_t *list,
                                size_t n) {
  uint32_t some[PITH_TUNE_CORE_SOME_FACTS + 1];
  pith_status rc = PITH_OK;
  size_t count;
  c->exact = false;
  while (rc >= 0 && (count = most_used(c, list, n, some)) > 0)
    for (size_t i = 0; rc >= 0 && i < count; i++)
      if (!c->truth[some[i]])
        rc = pick_fact(c, some[i]);
  return rc;
}

/* What follows from each fact of a component, as sets of its facts. */
typedef struct {
  size_t n, words;
  uint64_t *sets; /* (n, words) */
  size_t *sizes;  /* (n) */
} reach;

static void measure_reach(pith_i_core_finder *c, const uint32_t *list,
                          reach *r) {
  for (size_t i = 0; i < r->n; i++)
    c->place[list[i]] = (uint32_t)i + 1;
  for (size_t i = 0; i < r->n; i++) {
    size_t mark = c->trail.n;
    make_true(c, list[i]);
    r->sizes[i] = 0;
    for (size_t t = mark; t < c->trail.n; t++) {
      size_t at = c->place[c->trail.at[t]];
      if (at == 0)
        continue;
      r->sizes[i]++;
      r->sets[i * r->words + (at - 1) / 64] |= UINT64_C(1) << (at - 1) % 64;
    }
    take_back(c, mark);
  }
  for (size_t i = 0; i < r->n; i++)
    c->place[list[i]] = 0;
}

static bool fact_reaches(const reach *r, size_t i, size_t j) {
  assert(i < r->n && j < r->n);
  return r->sets[i * r->words + j / 64] >> j % 64 & 1;
}

/* A fact that follows from another one is never the better choice. */
static bool worth_trying(const reach *r, size_t i) {
  for (size_t j = 0; j < r->n; j++)
    if (j != i && fact_reaches(r, j, i) && (!fact_reaches(r, i, j) || j < i))
      return false;
  return true;
}

static size_t largest_reach(const reach *r) {
  assert(r->n > 0);
  size_t best = 0;
  for (size_t i = 1; i < r->n; i++)
    if (r->sizes[i] > r->sizes[best])
      best = i;
  return best;
}

/* Each fact in turn is the first choice; the rest is settled likewise. */
static pith_status try_each_first(pith_i_core_finder *c, const uint32_t *list,
                                  const reach *r, fact_list *best) {
  size_t mark = c->trail.n, picked = c->picks.n, least = SIZE_MAX;
  size_t first = largest_reach(r);
  pith_status rc = PITH_OK;
  for (size_t k = 0; rc >= 0 && k <= r->n && least > 2; k++) {
    size_t i = k == 0 ? first : k - 1;
    if ((k > 0 && i == first) || !worth_trying(r, i))
      continue;
    if (k > 0 && is_out_of_work(c)) {
      c->exact = false;
      break;
    }
    rc = pick_fact(c, list[i]);
    if (rc >= 0)
      rc = settle_facts(c, list, r->n);
    size_t count = c->picks.n - picked;
    if (rc >= 0 && count < least) {
      least = count;
      best->n = 0;
      if (!pith_i_room(c->env, best, count))
        rc = PITH_ENOMEM;
      else
        memcpy(best->at, c->picks.at + picked, count * sizeof *best->at);
      best->n = rc >= 0 ? count : 0;
    }
    take_back(c, mark);
    c->picks.n = picked;
  }
  return rc;
}

static pith_status settle_small(pith_i_core_finder *c, const uint32_t *list,
                                size_t n) {
  assert(n > 0 && n <= PITH_TUNE_CORE_EVERY_FACTS);
  reach r = {.n = n, .words = (n + 63) / 64};
  fact_list best = {0};
  r.sets = pith_i_zalloc(c->env, n * r.words, sizeof *r.sets);
  r.sizes = pith_i_zalloc(c->env, n, sizeof *r.sizes);
  pith_status rc = r.sets == NULL || r.sizes == NULL ? PITH_ENOMEM : PITH_OK;
  if (rc >= 0) {
    measure_reach(c, list, &r);
    size_t first = largest_reach(&r);
    if (r.sizes[first] == n)
      rc = pick_fact(c, list[first]);
    else
      rc = try_each_first(c, list, &r, &best);
  }
  for (size_t i = 0; rc >= 0 && i < best.n; i++)
    rc = pick_fact(c, best.at[i]);
  pith_i_vec_free(c->env, &best);
  pith_i_release(c->env, r.sets);
  pith_i_release(c->env, r.sizes);
  return rc;
}

/* One round over the components, those that others follow from first; *again:
** one was too large to be settled at once. */
static pith_status settle_parts(pith_i_core_finder *c, const parting *p,
                                bool *again) {
  pith_status rc = PITH_OK;
  *again = false;
  for (size_t i = 0, j; rc >= 0 && !*again && i < p->facts.n; i = j) {
    size_t open = 0;
    const uint32_t *part = p->facts.at + i;
    for (j = i; j < p->facts.n && p->part[j] == p->part[i]; j++)
      open += !c->truth[p->facts.at[j]];
    if (open == 0)
      continue;
    if (open < j - i) /* those before it have made a part of it true */
      rc = settle_facts(c, part, j - i);
    else if (is_run_over(c))
      rc = pick_blindly(c, part, open);
    else if (open <= PITH_TUNE_CORE_EVERY_FACTS)
      rc = settle_small(c, part, open);
    else if (is_out_of_work(c))
      rc = pick_blindly(c, part, open);
    else {
      rc = pick_large(c, part, open);
      *again = true;
    }
  }
  return rc;
}

/* Picks facts until all of the list is true. */
static pith_status settle_facts(pith_i_core_finder *c, const uint32_t *list,
                                size_t n) {
  pith_status rc = PITH_OK;
  for (bool again = true; rc >= 0 && again;) {
    parting p;
    again = false;
    rc = part_facts(c, list, n, &p);
    if (rc >= 0)
      rc = settle_parts(c, &p, &again);
    parting_free(c, &p);
  }
  return rc;
}

/* ---- the whole -------------------------------------------------------- */

/* What is not true and observed, or is needed for something that is. */
static pith_status list_open(pith_i_core_finder *c, fact_list *open) {
  size_t n = c->w->n;
  bool *needed = pith_i_zalloc(c->env, n + 1, sizeof *needed);
  pith_status rc = needed == NULL ? PITH_ENOMEM : PITH_OK;
  for (size_t f = 0; rc >= 0 && f < n; f++)
    if (!c->truth[f] && (!c->optional[f] || !c->any_optional)) {
      needed[f] = true;
      rc = pith_i_push(c->env, open, (uint32_t)f) ? PITH_OK : PITH_ENOMEM;
    }
  /* Optional facts are few, and so are the rounds. */
  for (bool more = c->any_optional; rc >= 0 && more;) {
    more = false;
    for (size_t i = 0; rc >= 0 && i < c->live.n; i++) {
      uint32_t k = c->live.at[i];
      if (!instance_waits(c, k) || !needed[c->g->head.at[k]])
        continue;
      for (size_t j = 0; rc >= 0 && j < body_len(c, k); j++) {
        uint32_t f = body_of(c, k)[j];
        if (c->truth[f] || needed[f])
          continue;
        needed[f] = more = true;
        rc = pith_i_push(c->env, open, f) ? PITH_OK : PITH_ENOMEM;
      }
    }
  }
  pith_i_release(c->env, needed);
  return rc;
}

static pith_status list_core_facts(pith_i_core_finder *c, pith_i_core *core) {
  for (size_t f = 0; f < c->w->n; f++)
    if (!c->derivable[f] &&
        (!c->optional[f] || count_uses(c, (uint32_t)f) > 0)) {
      if (!pith_i_push(c->env, &core->facts, (uint32_t)f))
        return PITH_ENOMEM;
      make_true(c, (uint32_t)f);
    }
  return PITH_OK;
}

/* Whether everything observed follows from core but for its i-th fact. */
static bool follows_without(pith_i_core_finder *c, const pith_i_core *core,
                            size_t without) {
  assert(without < core->facts.n);
  take_back(c, 0);
  for (size_t i = 0; i < core->facts.n; i++)
    if (i != without)
      make_true(c, core->facts.at[i]);
  for (size_t f = 0; f < c->w->n; f++)
    if (!c->truth[f] && !c->optional[f])
      return false;
  return true;
}

/* Every head that f helps to derive is in the core or follows in some other
** way: else f is needed. */
static bool may_go(const pith_i_core_finder *c, uint32_t f,
                   const uint8_t *ways) {
  for (size_t u = c->use_start[f]; u < c->use_start[f + 1]; u++) {
    uint32_t head = c->g->head.at[c->use.at[u]];
    if (!c->optional[head] && ways[head] < 2)
      return false;
  }
  return true;
}

static void count_ways(const pith_i_core_finder *c, const pith_i_core *core,
                       uint8_t *ways) {
  for (size_t i = 0; i < c->live.n; i++) {
    uint8_t *w = &ways[c->g->head.at[c->live.at[i]]];
    *w += *w < 2;
  }
  for (size_t i = 0; i < core->facts.n; i++)
    ways[core->facts.at[i]] = 2;
}

/* Leaves out facts of the core from number from on that nothing observed
** needs: invented ones, or those picked without a look at all choices. */
static pith_status drop_needless(pith_i_core_finder *c, pith_i_core *core,
                                 size_t from) {
  uint8_t *ways = pith_i_zalloc(c->env, c->w->n + 1, sizeof *ways);
  if (ways == NULL)
    return PITH_ENOMEM;
  count_ways(c, core, ways);
  core->work += c->work;
  c->work = 0;
  for (size_t i = core->facts.n; i-- > 0 && !is_out_of_work(c);) {
    uint32_t f = core->facts.at[i];
    bool goes = c->optional[f] ? may_go(c, f, ways) : i >= from;
    c->work += goes ? c->w->n / 8 : 0;
    if (!goes || !follows_without(c, core, i))
      continue;
    memmove(&core->facts.at[i], &core->facts.at[i + 1],
            (core->facts.n - i - 1) * sizeof *core->facts.at);
    core->facts.n--;
  }
  pith_i_release(c->env, ways);
  return PITH_OK;
}

static void sort_facts(uint32_t *at, size_t n, bool *seen, size_t facts) {
  assert(n <= facts);
  for (size_t i = 0; i < n; i++)
    seen[at[i]] = true;
  size_t k = 0;
  for (size_t f = 0; f < facts && k < n; f++)
    if (seen[f]) {
      at[k++] = (uint32_t)f;
      seen[f] = false;
    }
}

static pith_status begin_finding(pith_i_core_finder *c, const bool *active) {
  pith_status rc = list_live(c, active);
  if (rc >= 0)
    rc = list_uses(c);
  c->trail.n = c->picks.n = 0;
  memset(c->truth, 0, c->w->n * sizeof *c->truth);
  return rc >= 0 && !pith_i_room(c->env, &c->trail, c->w->n + 1) ? PITH_ENOMEM
                                                                 : rc;
}

pith_status pith_i_core_find(pith_i_core_finder *c, const bool *active,
                             uint64_t work, bool free_invented,
                             pith_i_core *core) {
  c->work = 0;
  c->open.n = 0;
  c->most_work = work;
  c->exact = true;
  core->facts.n = core->work = 0;
  pith_status rc = begin_finding(c, active);
  if (rc >= 0)
    rc = list_core_facts(c, core);
  size_t fixed = core->bound = core->facts.n;
  if (rc >= 0)
    rc = list_open(c, &c->open);
  if (rc >= 0)
    rc = settle_facts(c, c->open.at, c->open.n);
  for (size_t i = 0; rc >= 0 && i < c->picks.n; i++)
    rc = pith_i_push(c->env, &core->facts, c->picks.at[i]) ? PITH_OK
                                                           : PITH_ENOMEM;
  core->minimal = c->exact && !c->any_optional;
  if (core->minimal)
    core->bound = core->facts.n;
  if (c->any_optional)
    core->bound = 0;
  if (rc >= 0 && !free_invented && (c->any_optional || !c->exact))
    rc = drop_needless(c, core, c->exact ? SIZE_MAX : fixed);
  core->work += c->work + c->w->n + 2 * c->use.n;
  if (rc >= 0) {
    memset(c->truth, 0, c->w->n * sizeof *c->truth);
    sort_facts(core->facts.at, core->facts.n, c->truth, c->w->n);
  }
  return rc;
}

void pith_i_core_cycles(const pith_i_core_finder *c, bool *soft) {
  assert(c->open.n <= c->w->n);
  for (size_t i = 0; i < c->open.n; i++)
    soft[c->open.at[i]] = true;
}
