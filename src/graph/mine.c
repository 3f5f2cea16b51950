#include "graph/mine.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/tunables.h"

void pith_i_mining_defaults(pith_i_mining *m) {
  *m = (pith_i_mining){.seed = 1,
                       .target = PITH_NONE,
                       .support = 2,
                       .confidence = 0.001,
                       .keep_short = 1000,
                       .short_work = 20000000};
}

static uint32_t clamp_count(double x, double low, double high) {
  return (uint32_t)(x < low ? low : x > high ? high : x);
}

/* As long as a walk from an entity meets few enough paths of one edge less. */
static uint32_t affordable_length(const pith_i_graph *g) {
  double degree = (double)g->edges / (g->entities + 1.0);
  double paths = degree * degree * degree;
  uint32_t length = 3;
  if (g->edges / 2 < PITH_TUNE_GRAPH_LONGER_FACTS)
    return length;
  for (; length < PITH_I_MINED_MOST && paths <= PITH_TUNE_GRAPH_LONGER_PATHS;
       length++)
    paths *= degree;
  return length;
}

void pith_i_mining_fill(pith_i_mining *m, const pith_i_graph *g) {
  double relations = m->target == PITH_NONE ? g->relations : 1, heads = 1;
  assert(m->target == PITH_NONE || m->target < g->relations);
  if (m->length == 0)
    m->length = affordable_length(g);
  assert(m->length >= 1 && m->length <= PITH_I_MINED_MOST);
  for (uint32_t r = 0; r < g->runs; r++)
    heads += pith_i_run_size(g, r) >= m->support;
  if (m->long_bodies == 0)
    m->long_bodies = clamp_count(40000 / relations, 50, 1000);
  if (m->keep_long == 0)
    m->keep_long = m->long_bodies;
  if (m->long_facts == 0)
    m->long_facts = clamp_count(20000 / relations, 300, 2000);
  if (m->long_work == 0)
    m->long_work =
        clamp_count(2e9 / (relations * m->long_bodies), 20000, 400000);
  if (m->keep_item == 0)
    m->keep_item = clamp_count(1.5e6 / heads, 20, 100);
}

static int compare_numbers(uint64_t a, uint64_t b) { return (a > b) - (a < b); }

int pith_i_path_compare(const void *left, const void *right) {
  const pith_i_path *a = left, *b = right;
  int c = compare_numbers(a->head / 2, b->head / 2);
  if (c == 0)
    c = compare_numbers(a->constant != PITH_NONE, b->constant != PITH_NONE);
  if (c == 0)
    c = (a->confidence < b->confidence) - (a->confidence > b->confidence);
  if (c == 0)
    c = compare_numbers(a->length, b->length);
  if (c == 0)
    c = compare_numbers(a->head, b->head);
  if (c == 0)
    c = compare_numbers(a->constant, b->constant);
  if (c == 0)
    c = compare_numbers(a->end, b->end);
  for (uint32_t i = 0; c == 0 && i < a->length; i++)
    c = compare_numbers(a->step[i], b->step[i]);
  if (c == 0)
    c = compare_numbers(a->compare, b->compare);
  if (c == 0)
    c = compare_numbers(a->bound, b->bound);
  return c;
}

/* Paths come as a few sorted runs, one from each part of the work: merging
** them is faster than sorting. */
enum { MOST_RUNS = 1024 };

typedef struct {
  const pith_i_path *at, *end;
} path_run;

static bool run_goes_first(const path_run *a, const path_run *b) {
  return pith_i_path_compare(a->at, b->at) < 0;
}

/* Puts heap[i] where it belongs below: the run that goes first is heap[0]. */
static void sink_run(path_run *heap, uint32_t n, uint32_t i) {
  path_run sinking = heap[i];
  for (uint32_t child; (child = 2 * i + 1) < n; i = child) {
    if (child + 1 < n && run_goes_first(&heap[child + 1], &heap[child]))
      child++;
    if (!run_goes_first(&heap[child], &sinking))
      break;
    heap[i] = heap[child];
  }
  heap[i] = sinking;
}

/* How many sorted runs the paths are, or more than MOST_RUNS. */
static uint32_t find_runs(const pith_i_path *paths, size_t n, path_run *runs) {
  uint32_t found = 0;
  for (size_t i = 0; i < n; i++) {
    bool follows = i > 0 && pith_i_path_compare(&paths[i - 1], &paths[i]) <= 0;
    if (!follows && found == MOST_RUNS)
      return MOST_RUNS + 1;
    if (!follows)
      runs[found++].at = &paths[i];
    runs[found - 1].end = &paths[i + 1];
  }
  return found;
}

/* Whether to stop at the turn of a loop over paths. */
static bool must_stop_sorting(pith_i_run *run, size_t turn) {
  enum { TURNS = 1 << 15 };
  return turn % TURNS == TURNS - 1 && pith_i_stop_requested(run);
}

static pith_status merge_runs(pith_i_run *run, path_run *runs, uint32_t n,
                              pith_i_path *out) {
  for (uint32_t i = n / 2; i-- > 0;)
    sink_run(runs, n, i);
  for (size_t turn = 0; n > 0; turn++) {
    if (must_stop_sorting(run, turn))
      return PITH_STOPPED;
    *out++ = *runs[0].at++;
    if (runs[0].at == runs[0].end)
      runs[0] = runs[--n];
    sink_run(runs, n, 0);
  }
  return PITH_OK;
}

/* Makes at most MOST_RUNS runs of paths that are more. */
static pith_status sort_blocks(pith_i_run *run, pith_i_path *paths, size_t n) {
  size_t block = n / MOST_RUNS + 1;
  for (size_t i = 0; i < n; i += block) {
    size_t size = n - i < block ? n - i : block;
    qsort(paths + i, size, sizeof *paths, pith_i_path_compare);
    if (pith_i_stop_requested(run))
      return PITH_STOPPED;
  }
  return PITH_OK;
}

static pith_status sort_paths(pith_i_env *env, pith_i_run *run,
                              pith_i_path *paths, size_t n) {
  path_run runs[MOST_RUNS];
  pith_status rc = PITH_OK;
  uint32_t found = find_runs(paths, n, runs);
  if (found <= 1)
    return PITH_OK;
  pith_i_path *sorted = pith_i_alloc(env, n * sizeof *sorted);
  if (sorted == NULL) {
    qsort(paths, n, sizeof *paths, pith_i_path_compare);
    return PITH_OK;
  }
  if (found > MOST_RUNS) {
    rc = sort_blocks(run, paths, n);
    found = find_runs(paths, n, runs);
    assert(rc == PITH_STOPPED || found <= MOST_RUNS);
  }
  if (rc == PITH_OK)
    rc = merge_runs(run, runs, found, sorted);
  if (rc == PITH_OK)
    memcpy(paths, sorted, n * sizeof *sorted);
  pith_i_release(env, sorted);
  return rc;
}

pith_status pith_i_paths_sort(pith_i_env *env, pith_i_run *run,
                              pith_i_paths *rules) {
  return rules->n == 0 ? PITH_OK : sort_paths(env, run, rules->at, rules->n);
}

void pith_i_paths_keep(pith_i_env *env, pith_i_paths *rules, size_t from,
                       uint32_t most) {
  size_t kept = from, of_relation = 0;
  assert(from <= rules->n);
  if (rules->n > from)
    sort_paths(env, NULL, rules->at + from, rules->n - from);
  for (size_t i = from; i < rules->n; i++) {
    bool same = i > from && rules->at[i].head / 2 == rules->at[i - 1].head / 2;
    of_relation = same ? of_relation + 1 : 1;
    if (of_relation <= most)
      rules->at[kept++] = rules->at[i];
  }
  rules->n = kept;
}
