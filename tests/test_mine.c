/* Ranking on graphs: every count against one made by trying everything. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "api/handle.h"
#include "base/random.h"
#include "graph/held_out.h"
#include "graph/mine.h"

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
    char name[16];
    snprintf(name, sizeof name, "n%d", i);
    assert_int_equal(
        pith_sym_add(w->p, name, strlen(name), PITH_NAME, &w->node[i]),
        PITH_OK);
  }
  for (int r = 0; r < RELATIONS; r++) {
    char name[16];
    snprintf(name, sizeof name, "r%d", r);
    assert_int_equal(pith_pred_add(w->p, name, 2, &w->pred[r]), PITH_OK);
    add_edge(w, r, r, r + 1);
  }
  for (int i = 0; i < edges; i++) {
    uint64_t k = pith_i_random(seed, 1, (uint64_t)i);
    add_edge(w, (int)(k % RELATIONS), (int)(k / 7 % NODES),
             (int)(k / 997 % NODES));
  }
  const pith_i_graph_extra all = {.symbols = w->node, .symbol_count = NODES};
  assert_int_equal(pith_i_graph_new(&w->p->store, pith_sym_count(w->p),
                                    pith_pred_count(w->p), &all, &w->g),
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
        assert_int_equal(pith_i_run_node(g, pith_i_back_run(g, i)),
                         g->target[i]);
        assert_int_equal(g->run_way[pith_i_back_run(g, i)], g->run_way[r] ^ 1);
      }
    free_world(&w);
  }
}

static bool stop_at_once(void *ctx) {
  (void)ctx;
  return true;
}

static void making_can_be_stopped(pith *p) {
  pith_i_run run;
  pith_i_run_begin(&run, &(pith_run){.stop = stop_at_once});
  pith_i_graph_extra extra = {.run = &run};
  size_t before = pith_bytes(p);
  pith_i_graph *g = NULL;
  assert_int_equal(pith_i_graph_new(&p->store, pith_sym_count(p),
                                    pith_pred_count(p), &extra, &g),
                   PITH_STOPPED);
  assert_null(g);
  assert_int_equal(pith_bytes(p), before);
}

/* As many runs as there can be: no entity has two edges of one way. */
static void a_triple_takes_few_bytes(void **state) {
  (void)state;
  enum { ENTITIES = 1000, OFTEN = 100, TRIPLES = ENTITIES * OFTEN };
  pith *p;
  pith_i_graph *g;
  pith_sym node[ENTITIES];
  char name[16];
  assert_int_equal(pith_new(&p), PITH_OK);
  for (int i = 0; i < ENTITIES; i++) {
    snprintf(name, sizeof name, "n%d", i);
    pith_sym_add(p, name, strlen(name), PITH_NAME, &node[i]);
  }
  for (int r = 0; r < OFTEN; r++) {
    pith_pred pred;
    snprintf(name, sizeof name, "r%d", r);
    assert_int_equal(pith_pred_add(p, name, 2, &pred), PITH_OK);
    for (int i = 0; i < ENTITIES; i++) {
      pith_sym args[2] = {node[i], node[(i * 7 + r + 1) % ENTITIES]};
      assert_int_equal(pith_fact_add(p, pred, args, 2), PITH_OK);
    }
  }
  size_t before = pith_bytes(p);
  assert_int_equal(pith_i_graph_new(&p->store, pith_sym_count(p),
                                    pith_pred_count(p), NULL, &g),
                   PITH_OK);
  size_t bytes = pith_bytes(p) - before;
  assert_int_equal(g->runs, 2 * TRIPLES);
  assert_true(bytes < 40 * TRIPLES);
  assert_true(bytes > 30 * TRIPLES);
  pith_i_graph_free(g);
  making_can_be_stopped(p);
  pith_free(p);
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
      pith_i_way steps[PITH_I_PATH_MOST];
      uint32_t length = 1 + t % PITH_I_PATH_MOST, x = t % NODES;
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

/* The chance of each end, by the plain way of following every edge. */
static double chance_of(const world *w, const pith_i_way *steps,
                        uint32_t length, uint32_t x, uint32_t y, bool *used) {
  double sum = 0, n = 0;
  for (uint32_t a = 0; a < NODES; a++)
    n += goes(w, steps[0], x, a);
  for (uint32_t a = 0; a < NODES; a++) {
    if (used[a] || !goes(w, steps[0], x, a) || (length == 1) != (a == y))
      continue;
    used[a] = true;
    sum += length == 1 ? 1 : chance_of(w, steps + 1, length - 1, a, y, used);
    used[a] = false;
  }
  return n > 0 ? sum / n : 0;
}

static void walks_know_the_chance_of_their_ends(void **state) {
  (void)state;
  world w;
  pith_i_walk *walk;
  make_world(&w, 5, 40);
  assert_int_equal(pith_i_walk_new(&w.p->env, w.g, &walk), PITH_OK);
  for (uint32_t t = 0; t < 60; t++) {
    pith_i_way steps[3];
    uint32_t length = 1 + t % 3, x = t % NODES;
    for (uint32_t i = 0; i < length; i++)
      steps[i] = (pith_i_way)(pith_i_random(5, t, i) % w.g->ways);
    pith_i_walk_from(walk, steps, length, x);
    for (uint32_t i = 0; i < walk->n; i++) {
      bool used[NODES] = {false};
      used[x] = true;
      assert_float_equal((double)walk->flow[i],
                         chance_of(&w, steps, length, x, walk->at[i], used),
                         1e-5);
    }
  }
  pith_i_walk_free(&w.p->env, walk);
  free_world(&w);
}

/* What an edge weighs that goes this way to y. */
static double edge_weight(const world *w, pith_i_way way, uint32_t y) {
  double n = 0;
  for (uint32_t a = 0; a < NODES; a++)
    n += goes(w, way, a, y);
  return pow(log(NODES / n), 2);
}

static double common_weight(const world *w, uint32_t x, uint32_t z) {
  double sum = 0;
  for (pith_i_way way = 0; way < w->g->ways; way++)
    for (uint32_t y = 0; y < NODES; y++)
      if (goes(w, way, x, y) && goes(w, way, z, y))
        sum += edge_weight(w, way, y);
  return sum;
}

static void likeness_is_the_cosine_of_edges(void **state) {
  (void)state;
  world w;
  float *weights;
  pith_i_alike *l;
  make_world(&w, 7, 20);
  pith_i_env *env = &w.p->env;
  assert_int_equal(pith_i_edge_weights(env, w.g, &weights), PITH_OK);
  assert_int_equal(pith_i_alike_new(env, w.g, weights, &l), PITH_OK);
  uint32_t like = 0;
  for (uint32_t x = 0; x < NODES; x++) {
    pith_i_alike_find(l, x, UINT64_MAX);
    for (uint32_t z = 0; z < NODES; z++) {
      double both = common_weight(&w, x, z), norm = 0;
      if (x == z || both == 0)
        continue;
      norm = sqrt(common_weight(&w, x, x) * common_weight(&w, z, z));
      assert_float_equal((double)l->value[z], both / norm, 1e-4);
      like++;
    }
    assert_true(l->value[x] == 0);
  }
  assert_true(like > 10);
  pith_i_alike_find(l, 0, 0); /* no edge may be touched */
  assert_int_equal(l->n, 0);
  pith_i_alike_free(env, l);
  pith_i_release(env, weights);
  free_world(&w);
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

/* ---- mining ----------------------------------------------------------- */

static bool joined(const world *w, const pith_i_path *p, uint32_t x,
                   uint32_t y) {
  bool used[NODES] = {false};
  used[x] = true;
  return x != y && count_paths(w, p->step, p->length, x, y, used) > 0;
}

static const pith_i_path *find_rule(const pith_i_paths *rules,
                                    const pith_i_path *p) {
  for (size_t i = 0; i < rules->n; i++) {
    const pith_i_path *q = &rules->at[i];
    if (q->head == p->head && q->length == p->length &&
        q->constant == p->constant && q->end == p->end &&
        memcmp(q->step, p->step, p->length * sizeof *p->step) == 0)
      return q;
  }
  return NULL;
}

/* All pairs, the plain way; the rule's own count must be the same, and a rule
** that nobody mined must be below the limits. */
static void check_chain(const world *w, const pith_i_mining *m,
                        const pith_i_paths *rules, const pith_i_path *p) {
  uint32_t support = 0, predictions = 0;
  for (uint32_t x = 0; x < NODES; x++)
    for (uint32_t y = 0; y < NODES; y++)
      if (joined(w, p, x, y)) {
        predictions++;
        support += goes(w, p->head, x, y);
      }
  const pith_i_path *q = find_rule(rules, p);
  bool itself = p->length == 1 && p->step[0] == p->head;
  if (itself || support < m->support) {
    assert_null(q);
    return;
  }
  assert_non_null(q);
  assert_int_equal(q->support, support);
  assert_int_equal(q->predictions, predictions);
}

static void start_mining(world *w, uint64_t seed, pith_i_crew **crew,
                         pith_i_mining *m) {
  make_world(w, seed, 40);
  assert_int_equal(pith_i_crew_new(&w->p->env, 1, crew), PITH_OK);
  pith_i_mining_defaults(m);
  m->length = 3;
}

static void short_chains_are_counted_exactly(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 6; seed++) {
    world w;
    pith_i_crew *crew;
    pith_i_mining m;
    pith_i_paths rules = {0};
    start_mining(&w, seed, &crew, &m);
    m.keep_short = 100000;
    assert_int_equal(pith_i_mine_short(crew, w.g, &m, &rules), PITH_OK);
    for (pith_i_way head = 0; head < w.g->ways; head += 2)
      for (pith_i_way a = 0; a < w.g->ways; a++) {
        pith_i_path p = {.head = head,
                         .constant = PITH_NONE,
                         .end = PITH_NONE,
                         .length = 1,
                         .step = {a}};
        check_chain(&w, &m, &rules, &p);
        p.length = 2;
        for (pith_i_way b = 0; b < w.g->ways; b++) {
          p.step[1] = b;
          check_chain(&w, &m, &rules, &p);
        }
      }
    pith_i_vec_free(&w.p->env, &rules);
    pith_i_crew_free(crew);
    free_world(&w);
  }
}

/* Every long chain that was found is counted right, whatever its length. */
static void long_chains_are_counted_right(void **state) {
  (void)state;
  for (uint32_t length = 3; length <= PITH_I_MINED_MOST; length++) {
    world w;
    pith_i_crew *crew;
    pith_i_mining m;
    pith_i_paths rules = {0};
    size_t longest = 0;
    make_world(&w, 5, 40);
    assert_int_equal(pith_i_crew_new(&w.p->env, 1, &crew), PITH_OK);
    pith_i_mining_defaults(&m);
    m.length = length;
    pith_i_mining_fill(&m, w.g);
    assert_int_equal(pith_i_mine_long(crew, w.g, &m, &rules), PITH_OK);
    for (size_t i = 0; i < rules.n; i++) {
      pith_i_path p = rules.at[i];
      assert_in_range(p.length, 3, length);
      longest += p.length == length;
      check_chain(&w, &m, &rules, &p);
    }
    assert_true(longest > 10);
    pith_i_vec_free(&w.p->env, &rules);
    pith_i_crew_free(crew);
    free_world(&w);
  }
}

/* Chains have more than three atoms where the graph is large and its entities
** have few edges. */
static void length_follows_from_the_graph(void **state) {
  (void)state;
  const struct {
    uint32_t entities, edges, length;
  } graphs[] = {{20000, 80000, 5}, /* degree 4: 256 paths of four */
                {10000, 80000, 4}, /* 8: 512 of three             */
                {4000, 80000, 3},  /* 20                          */
                {4000, 16000, 3}}; /* 4, but few facts            */
  for (size_t i = 0; i < sizeof graphs / sizeof *graphs; i++) {
    pith_i_mining m;
    pith_i_graph g = {.entities = graphs[i].entities,
                      .edges = graphs[i].edges,
                      .relations = 1};
    pith_i_mining_defaults(&m);
    pith_i_mining_fill(&m, &g);
    assert_int_equal(m.length, graphs[i].length);
  }
}

/* A fact never supports itself: in h(X,c) :- h(X,Y) we want Y other than c. */
static bool fits(const world *w, const pith_i_path *p, uint32_t x) {
  for (uint32_t y = 0; y < NODES; y++)
    if (goes(w, p->step[0], x, y) &&
        (p->end == y ||
         (p->end == PITH_NONE && (p->step[0] != p->head || y != p->constant))))
      return true;
  return false;
}

static void rules_with_constants_are_counted_exactly(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 6; seed++) {
    world w;
    pith_i_crew *crew;
    pith_i_mining m;
    pith_i_paths rules = {0};
    start_mining(&w, seed, &crew, &m);
    m.keep_item = 100000;
    assert_int_equal(pith_i_mine_items(crew, w.g, &m, &rules), PITH_OK);
    assert_true(rules.n > 0);
    for (size_t i = 0; i < rules.n; i++) {
      const pith_i_path *p = &rules.at[i];
      uint32_t support = 0, predictions = 0;
      for (uint32_t x = 0; x < NODES; x++)
        if (fits(&w, p, x)) {
          predictions++;
          support += goes(&w, p->head, x, p->constant);
        }
      assert_int_equal(p->support, support);
      assert_int_equal(p->predictions, predictions);
    }
    pith_i_vec_free(&w.p->env, &rules);
    pith_i_crew_free(crew);
    free_world(&w);
  }
}

/* ---- weights ---------------------------------------------------------- */

static void blend_loss_has_the_right_gradient(void **state) {
  (void)state;
  enum { F = PITH_I_FEATURES, ROWS = 7 };
  float features[ROWS * F], w[F];
  double d[F] = {0};
  for (int i = 0; i < ROWS * F; i++)
    features[i] = (float)(pith_i_random(1, 1, (uint64_t)i) % 1000) / 1000;
  for (int i = 0; i < F; i++)
    w[i] = (float)(pith_i_random(1, 2, (uint64_t)i) % 1000) / 500 - 1;
  pith_i_lesson_sample two[2] = {{.n = 4}, {.first = 4, .n = 3, .fold = 1}};
  pith_i_samples l = {0};
  l.samples.at = two;
  l.samples.n = 2;
  l.features.at = features;
  l.features.n = ROWS * F;
  pith_i_aggregate_loss(&l, 0, 2, PITH_NONE, w, d);
  for (int k = 0; k < F; k++) {
    const float h = 1e-2f;
    float keep = w[k];
    w[k] = keep + h;
    double more = pith_i_aggregate_loss(&l, 0, 2, PITH_NONE, w, NULL);
    w[k] = keep - h;
    double less = pith_i_aggregate_loss(&l, 0, 2, PITH_NONE, w, NULL);
    w[k] = keep;
    assert_float_equal(d[k], (more - less) / (2 * (double)h), 2e-3);
  }
  double first = pith_i_aggregate_loss(&l, 0, 1, PITH_NONE, w, NULL);
  assert_true(pith_i_aggregate_loss(&l, 0, 2, 1, w, NULL) == first);
}

/* A rival that stands for two weighs as if it were there twice. */
static void a_rival_weighs_as_those_it_stands_for(void **state) {
  (void)state;
  enum { F = PITH_I_FEATURES, ROWS = 4 };
  float features[ROWS * F], w[F];
  double twice[F] = {0}, once[F] = {0};
  for (int i = 0; i < 3 * F; i++)
    features[i] = (float)(pith_i_random(3, 1, (uint64_t)i) % 1000) / 1000;
  memcpy(features + 3 * F, features + 2 * F, F * sizeof *features);
  for (int i = 0; i < F; i++)
    w[i] = (float)(pith_i_random(3, 2, (uint64_t)i) % 1000) / 500 - 1;
  pith_i_lesson_sample four = {.n = 4, .strong = 4},
                       three = {.n = 3, .strong = 2, .stands = logf(2)};
  pith_i_samples l = {0};
  l.features.at = features;
  l.features.n = ROWS * F;
  l.samples.n = 1;
  l.samples.at = &four;
  double loss = pith_i_aggregate_loss(&l, 0, 1, PITH_NONE, w, twice);
  l.samples.at = &three;
  assert_float_equal(pith_i_aggregate_loss(&l, 0, 1, PITH_NONE, w, once), loss,
                     1e-5);
  for (int k = 0; k < F; k++)
    assert_float_equal(once[k], twice[k], 1e-5);
}

/* What another fold holds is a rival only where that fold is left out. */
static void answers_of_a_fold_left_out_are_rivals(void **state) {
  (void)state;
  enum { F = PITH_I_FEATURES, ROWS = 4 };
  float features[ROWS * F], w[F];
  for (int i = 0; i < ROWS * F; i++)
    features[i] = (float)(pith_i_random(2, 1, (uint64_t)i) % 1000) / 1000;
  for (int i = 0; i < F; i++)
    w[i] = (float)(pith_i_random(2, 2, (uint64_t)i) % 1000) / 500 - 1;
  pith_i_lesson_sample unsure = {.n = 3, .unsure = 1}, plain = {.n = 3},
                       four = {.n = 4};
  pith_i_samples l = {0};
  l.features.at = features;
  l.features.n = ROWS * F;
  l.samples.n = 1;
  double loss[3];
  pith_i_lesson_sample *const all[3] = {&unsure, &plain, &four};
  for (int i = 0; i < 3; i++) {
    l.samples.at = all[i];
    loss[i] = pith_i_aggregate_loss(&l, 0, 1, PITH_NONE, w, NULL);
  }
  assert_true(loss[0] == loss[1] && loss[2] > loss[1]);
  l.samples.at = &unsure;
  assert_true(pith_i_aggregate_loss(&l, 0, 1, 1, w, NULL) == loss[2]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_triple_takes_few_bytes),
      cmocka_unit_test(graph_has_each_edge_both_ways),
      cmocka_unit_test(walks_count_every_grounding),
      cmocka_unit_test(walks_know_the_chance_of_their_ends),
      cmocka_unit_test(likeness_is_the_cosine_of_edges),
      cmocka_unit_test(a_hidden_edge_is_not_walked),
      cmocka_unit_test(short_chains_are_counted_exactly),
      cmocka_unit_test(long_chains_are_counted_right),
      cmocka_unit_test(length_follows_from_the_graph),
      cmocka_unit_test(rules_with_constants_are_counted_exactly),
      cmocka_unit_test(blend_loss_has_the_right_gradient),
      cmocka_unit_test(a_rival_weighs_as_those_it_stands_for),
      cmocka_unit_test(answers_of_a_fold_left_out_are_rivals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
