/* Ranking on graphs: every count against one made by trying everything. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "handle.h"
#include "rank/path.h"

enum { NODES = 9, RELATIONS = 3 };

typedef struct {
  pith *p;
  pith_pred pred[RELATIONS];
  bool has[RELATIONS][NODES][NODES]; /* by symbol - base */
  pith_sym node[NODES];
  pith_i_graph *g;
} world;

static void add_edge(world *w, int r, int x, int y) {
  pith_sym args[2] = {w->node[x], w->node[y]};
  assert_int_equal(pith_fact_add(w->p, w->pred[r], args, 2), PITH_OK);
  w->has[r][x][y] = true;
}

/* Self loops and facts given twice are among them. */
static void make_world(world *w, uint64_t seed, int edges) {
  memset(w, 0, sizeof *w);
  assert_int_equal(pith_new(&w->p), PITH_OK);
  for (int i = 0; i < NODES; i++) {
    char name[8];
    snprintf(name, sizeof name, "n%d", i);
    assert_int_equal(
        pith_sym_add(w->p, name, strlen(name), PITH_NAME, &w->node[i]),
        PITH_OK);
  }
  for (int r = 0; r < RELATIONS; r++) {
    char name[8];
    snprintf(name, sizeof name, "r%d", r);
    assert_int_equal(pith_pred_add(w->p, name, 2, &w->pred[r]), PITH_OK);
    add_edge(w, r, r, r + 1);
  }
  for (int i = 0; i < edges; i++) {
    uint64_t k = pith_i_random(seed, 1, (uint64_t)i);
    add_edge(w, (int)(k % RELATIONS), (int)(k / 7 % NODES),
             (int)(k / 997 % NODES));
  }
  assert_int_equal(pith_i_graph_new(&w->p->store, pith_sym_count(w->p),
                                    pith_pred_count(w->p), w->node, NODES,
                                    &w->g),
                   PITH_OK);
}

static void free_world(world *w) {
  pith_i_graph_free(w->g);
  pith_free(w->p);
}

/* The node of the world that an entity is. */
static int node_of(const world *w, uint32_t entity) {
  for (int i = 0; i < NODES; i++)
    if (w->node[i] == w->g->symbol[entity])
      return i;
  fail();
  return -1;
}

static bool goes(const world *w, pith_i_way way, uint32_t x, uint32_t y) {
  for (int r = 0; r < RELATIONS; r++)
    if (w->g->relation[w->pred[r]] == way / 2)
      return way % 2 == 0 ? w->has[r][node_of(w, x)][node_of(w, y)]
                          : w->has[r][node_of(w, y)][node_of(w, x)];
  return false;
}

static void graph_has_each_edge_both_ways(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    world w;
    make_world(&w, seed, 30);
    const pith_i_graph *g = w.g;
    assert_int_equal(g->entities, NODES);
    for (pith_i_way way = 0; way < g->ways; way++)
      for (uint32_t x = 0; x < NODES; x++)
        for (uint32_t y = 0; y < NODES; y++)
          assert_int_equal(pith_i_graph_has(g, x, way, y), goes(&w, way, x, y));
    for (uint32_t r = 0; r < g->runs; r++)
      for (uint32_t i = g->run_edge[r]; i < g->run_edge[r + 1]; i++) {
        assert_int_equal(g->run_node[g->back[i]], g->target[i]);
        assert_int_equal(g->run_way[g->back[i]], g->run_way[r] ^ 1);
      }
    free_world(&w);
  }
}

/* All tuples of entities, the plain way. */
static uint32_t count_paths(const world *w, const pith_i_way *steps,
                            uint32_t length, uint32_t x, uint32_t y,
                            bool *used) {
  uint32_t n = 0;
  if (length == 1)
    return !used[y] && goes(w, steps[0], x, y);
  for (uint32_t a = 0; a < NODES; a++)
    if (!used[a] && a != y && goes(w, steps[0], x, a)) {
      used[a] = true;
      n += count_paths(w, steps + 1, length - 1, a, y, used);
      used[a] = false;
    }
  return n;
}

static void walks_count_every_grounding(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    world w;
    pith_i_walk *walk;
    make_world(&w, seed, 40);
    assert_int_equal(pith_i_walk_new(&w.p->env, w.g, &walk), PITH_OK);
    for (uint32_t t = 0; t < 40; t++) {
      pith_i_way steps[PITH_I_REACH];
      uint32_t length = 1 + t % PITH_I_REACH, x = t % NODES;
      for (uint32_t i = 0; i < length; i++)
        steps[i] = (pith_i_way)(pith_i_random(seed, t, i) % w.g->ways);
      pith_i_walk_from(walk, steps, length, x);
      uint64_t all = 0;
      for (uint32_t y = 0; y < NODES; y++) {
        bool used[NODES] = {false};
        used[x] = true;
        uint32_t n = count_paths(&w, steps, length, x, y, used);
        assert_int_equal(pith_i_walk_count(walk, y), n);
        all += n;
      }
      assert_int_equal(walk->groundings, all);
    }
    pith_i_walk_free(&w.p->env, walk);
    free_world(&w);
  }
}

static void a_hidden_edge_is_not_walked(void **state) {
  (void)state;
  world w;
  pith_i_walk *walk;
  make_world(&w, 3, 0);
  assert_int_equal(pith_i_walk_new(&w.p->env, w.g, &walk), PITH_OK);
  uint32_t x = w.g->entity[w.node[0]], y = w.g->entity[w.node[1]];
  pith_i_way there = PITH_I_WAY(w.g->relation[w.pred[0]], 0), back = there ^ 1;
  pith_i_walk_from(walk, &there, 1, x);
  assert_int_equal(pith_i_walk_count(walk, y), 1);
  pith_i_walk_hide(walk, x, there, y);
  pith_i_walk_from(walk, &there, 1, x);
  assert_int_equal(walk->n, 0);
  pith_i_walk_from(walk, &back, 1, y);
  assert_int_equal(walk->n, 0);
  pith_i_walk_free(&w.p->env, walk);
  free_world(&w);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(graph_has_each_edge_both_ways),
      cmocka_unit_test(walks_count_every_grounding),
      cmocka_unit_test(a_hidden_edge_is_not_walked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
