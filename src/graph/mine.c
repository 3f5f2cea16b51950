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

void pith_i_paths_keep(pith_i_paths *rules, size_t from, uint32_t most) {
  size_t kept = from, of_relation = 0;
  assert(from <= rules->n);
  if (rules->n > from)
    qsort(rules->at + from, rules->n - from, sizeof *rules->at,
          pith_i_path_compare);
  for (size_t i = from; i < rules->n; i++) {
    bool same = i > from && rules->at[i].head / 2 == rules->at[i - 1].head / 2;
    of_relation = same ? of_relation + 1 : 1;
    if (of_relation <= most)
      rules->at[kept++] = rules->at[i];
  }
  rules->n = kept;
}
