/* Graded answers: evidence against plain counting, and small worlds in which
** what is to be learned is known. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "api/handle.h"
#include "base/random.h"
#include "graph/chain_model.h"
#include "graph/question_table.h"

static uint64_t drawn;

static uint32_t below(uint32_t n) {
  return (uint32_t)(pith_i_random(9, 0, drawn++) % n);
}

static pith *new_handle(void) {
  pith *p;
  assert_int_equal(pith_new(&p), PITH_OK);
  return p;
}

static pith_sym sym(pith *p, const char *name) {
  pith_sym s;
  assert_int_equal(pith_sym_add(p, name, strlen(name), PITH_NAME, &s), PITH_OK);
  return s;
}

static void add_fact(pith *p, const char *name, pith_sym x, pith_sym y) {
  pith_pred q;
  pith_sym args[2] = {x, y};
  assert_int_equal(pith_pred_add(p, name, 2, &q), PITH_OK);
  assert_int_equal(pith_fact_add(p, q, args, 2), PITH_OK);
}

/* ---- evidence --------------------------------------------------------- */

enum { NODES = 7, RELATIONS = 2, WAYS = 2 * RELATIONS, DEEP = 3, ROOM = 8 };

typedef struct {
  bool edge[RELATIONS][NODES][NODES]; /* by number of the constant */
  bool gone[RELATIONS][NODES][NODES];
  pith_sym first; /* the symbol of constant 0 */
} plain_graph;

static pith *draw_graph(plain_graph *plain) {
  pith *p = new_handle();
  memset(plain, 0, sizeof *plain);
  pith_sym node[NODES];
  for (int i = 0; i < NODES; i++)
    node[i] = sym(p, (char[]){'a', (char)('0' + i), 0});
  plain->first = node[0];
  for (int n = 0; n < 26; n++) {
    uint32_t r = below(RELATIONS), x = below(NODES), y = below(NODES);
    add_fact(p, r == 0 ? "h" : "b", node[x], node[y]);
    plain->edge[r][x][y] = true;
  }
  return p;
}

static bool plain_step(const plain_graph *g, pith_i_way way, int x, int y) {
  int r = (int)way / 2;
  return way % 2 == 0 ? g->edge[r][x][y] && !g->gone[r][x][y]
                      : g->edge[r][y][x] && !g->gone[r][y][x];
}

static bool is_grounding(const plain_graph *g, const pith_i_way *ways,
                         uint32_t n, const int *trail) {
  for (uint32_t i = 0; i < n; i++) {
    if (!plain_step(g, ways[i], trail[i], trail[i + 1]))
      return false;
    for (uint32_t j = 0; j <= i; j++)
      if (trail[j] == trail[i + 1])
        return false;
  }
  return true;
}

/* Groundings of the ways from x to y, all different: of all there might be. */
static uint32_t plain_count(const plain_graph *g, const pith_i_way *ways,
                            uint32_t n, int x, int y) {
  uint32_t count = 0, all = 1;
  for (uint32_t i = 0; i < n; i++)
    all *= NODES;
  for (uint32_t word = 0; word < all; word++) {
    int trail[ROOM] = {x};
    uint32_t rest = word;
    for (uint32_t i = 0; i < n; i++, rest /= NODES)
      trail[i + 1] = (int)(rest % NODES);
    count += trail[n] == y && is_grounding(g, ways, n, trail);
  }
  return count;
}

static uint32_t fast_count(const pith_i_chain_walk *e, uint32_t chain,
                           uint32_t end, uint32_t *total) {
  *total = 0;
  for (size_t i = 0; i < e->found.n; i++)
    if (e->found.at[i].chain == chain)
      *total = e->found.at[i].total;
  for (size_t i = 0; i < e->found.n; i++)
    if (e->found.at[i].chain == chain && e->found.at[i].end == end)
      return e->found.at[i].count;
  return 0;
}

static void compare_chain(const plain_graph *plain, pith_i_chain_walk *e, int x,
                          const pith_i_way *ways, uint32_t n) {
  const pith_i_graph *g = e->g;
  uint32_t chain, sum = 0, total;
  bool none = n == 1 && ways[0] == e->head;
  for (uint32_t i = 0; i < n; i++)
    none = none || e->skip[ways[i]];
  e->fixed = true;
  assert_int_equal(pith_i_chain_add(e, ways, n, &chain), PITH_OK);
  for (int y = 0; y < NODES; y++) {
    uint32_t node = g->entity[plain->first + (uint32_t)y];
    uint32_t want = none || node == PITH_NONE || !e->among[node]
                        ? 0
                        : plain_count(plain, ways, n, x, y);
    sum += want;
    if (node != PITH_NONE)
      assert_int_equal(chain == 0 ? 0 : fast_count(e, chain, node, &total),
                       want);
  }
  if (chain != 0) {
    fast_count(e, chain, 0, &total);
    assert_int_equal(total, sum);
    pith_i_way back[PITH_I_PATH_MOST];
    assert_int_equal(pith_i_chain_ways(e, chain, back), n);
    assert_memory_equal(back, ways, n * sizeof *ways);
  }
}

static void compare_all(const plain_graph *plain, pith_i_chain_walk *e, int x) {
  for (uint32_t n = 1; n <= DEEP; n++) {
    uint32_t words = 1;
    for (uint32_t i = 0; i < n; i++)
      words *= WAYS;
    for (uint32_t word = 0; word < words; word++) {
      pith_i_way ways[ROOM];
      uint32_t rest = word;
      for (uint32_t i = 0; i < n; i++, rest /= WAYS)
        ways[i] = rest % WAYS;
      compare_chain(plain, e, x, ways, n);
    }
  }
}

static void hide(const pith_i_graph *g, plain_graph *plain, uint8_t *gone) {
  for (uint32_t run = 0; run < g->runs; run++)
    for (uint32_t i = g->run_edge[run]; i < g->run_edge[run + 1]; i++) {
      uint32_t way = g->run_way[run];
      int x = (int)(g->symbol[pith_i_run_node(g, run)] - plain->first);
      int y = (int)(g->symbol[g->target[i]] - plain->first);
      int from = way % 2 == 0 ? x : y, to = way % 2 == 0 ? y : x;
      bool *hidden = &plain->gone[way / 2][from][to];
      if (way % 2 == 0)
        *hidden = below(4) == 0;
    }
  for (uint32_t run = 0; run < g->runs; run++)
    for (uint32_t i = g->run_edge[run]; i < g->run_edge[run + 1]; i++) {
      uint32_t way = g->run_way[run];
      int x = (int)(g->symbol[pith_i_run_node(g, run)] - plain->first);
      int y = (int)(g->symbol[g->target[i]] - plain->first);
      gone[i] = way % 2 == 0 ? plain->gone[way / 2][x][y]
                             : plain->gone[way / 2][y][x];
    }
}

static void test_evidence(void **state) {
  (void)state;
  for (int draw = 0; draw < 20; draw++) {
    plain_graph plain;
    pith *p = draw_graph(&plain);
    pith_i_graph *g;
    pith_i_chain_walk e;
    uint8_t among[NODES], gone[200] = {0};
    assert_int_equal(pith_i_graph_new(&p->store, p->theory.names.symbols.n,
                                      p->theory.names.preds.n, NULL, &g),
                     PITH_OK);
    assert_true(g->edges <= sizeof gone);
    for (int i = 0; i < NODES; i++)
      among[i] = below(3) > 0;
    pith_pred h = pith_pred_find(p, "h", 2);
    bool turned = g->relation[h] != 0; /* the first fact may be b's */
    if (!turned && g->relations == RELATIONS) {
      hide(g, &plain, gone);
      assert_int_equal(pith_i_chain_walk_init(&e, g->env, g, 0, among),
                       PITH_OK);
      e.gone = gone;
      e.length = DEEP;
      for (int x = 0; x < NODES; x++) {
        uint32_t node = g->entity[plain.first + (uint32_t)x];
        if (node == PITH_NONE)
          continue;
        e.fixed = false;
        assert_int_equal(pith_i_chain_walk_from(&e, node), PITH_OK);
        compare_all(&plain, &e, x);
      }
      e.most = 3;
      assert_int_equal(pith_i_chain_walk_from(&e, 0), PITH_OK);
      assert_true(e.cut == (e.touched > 3));
      pith_i_chain_walk_free(&e);
    }
    pith_i_graph_free(g);
    pith_free(p);
  }
}

/* A table by hand: one asked about twice, one not asked, the rest together. */
static void test_sample(void **state) {
  (void)state;
  pith *p = new_handle();
  assert_int_equal(
      pith_read_text(p, "t",
                     "b(x,u). b(x,v). b(u,w). b(v,w). b(v,y). h(u,v). h(a,z).",
                     55, PITH_PROLOG),
      PITH_OK);
  pith_i_graph *g;
  pith_i_chain_walk e;
  pith_i_question_table s;
  uint8_t among[16];
  memset(among, 1, sizeof among);
  pith_i_graph_new(&p->store, p->theory.names.symbols.n,
                   p->theory.names.preds.n, NULL, &g);
  uint32_t b = g->relation[pith_pred_find(p, "b", 2)];
  uint32_t h = g->relation[pith_pred_find(p, "h", 2)];
  pith_i_way bb[2] = {PITH_I_WAY(b, 0), PITH_I_WAY(b, 0)};
  uint32_t chain;
  pith_i_chain_walk_init(&e, g->env, g, PITH_I_WAY(h, 0), among);
  e.length = 2;
  pith_i_chain_add(&e, bb, 2, &chain);
  e.fixed = true;
  pith_i_question_table_init(&s, g);
  uint32_t x = g->entity[sym(p, "x")], w = g->entity[sym(p, "w")],
           y = g->entity[sym(p, "y")], u = g->entity[sym(p, "u")];
  assert_int_equal(pith_i_chain_walk_from(&e, x), PITH_OK);
  pith_i_known_answer known[] = {{w, PITH_I_TRUE}, {u, PITH_I_UNASKED}};
  assert_int_equal(pith_i_question_table_add(&s, &e, known, 2, g->entities),
                   PITH_OK);
  assert_int_equal(pith_i_question_table_seal(&s, (uint32_t)e.tree.n), PITH_OK);
  /* w is true, v (by b) and y are not; u is left out; x, a and z are one. */
  assert_int_equal(s.target.n, 4);
  assert_true(s.target.at[0] == 1 && s.weight.at[0] == 1);
  assert_true(s.target.at[3] == 0 && s.weight.at[3] == g->entities - 4);
  assert_int_equal(s.first[chain + 1] - s.first[chain], 2);
  const pith_i_table_cell *cell = &s.cells.at[s.first[chain]];
  const pith_i_table_cell *of_w = cell[0].row == 0 ? &cell[0] : &cell[1];
  assert_int_equal(of_w->count, 2);
  assert_int_equal(of_w->total, 3);
  (void)y;
  pith_i_question_table_free(&s);
  pith_i_chain_walk_free(&e);
  pith_i_graph_free(g);
  pith_free(p);
}

/* ---- small worlds ----------------------------------------------------- */

enum { TOWNS = 100, LANDS = 4 };

static pith_sym town(pith *p, int i) {
  char name[16];
  snprintf(name, sizeof name, "t%d", i % TOWNS);
  return sym(p, name);
}

static pith_sym land(pith *p, int i) {
  return sym(p, (char[]){'l', (char)('0' + i), 0});
}

static int land_of(int i) { return i * LANDS / TOWNS; }
static bool is_tested(int i) { return i % 5 == 0; }
static bool is_valid(int i) { return i % 5 == 2; }

/* Towns on a ring, each near two on either side; lands are arcs of it. With
** counties, towns lie in these and these in lands, and a held-out town lies in
** its county. */
static pith *make_world(bool counties) {
  pith *p = new_handle();
  for (int i = 0; i < TOWNS; i++) {
    for (int d = 1; d <= 2; d++) {
      add_fact(p, "near", town(p, i), town(p, i + d));
      add_fact(p, "near", town(p, i + d), town(p, i));
    }
    char name[16];
    snprintf(name, sizeof name, "c%d", i / 5);
    if (counties) {
      add_fact(p, "in", town(p, i), sym(p, name));
      add_fact(p, "in", sym(p, name), land(p, land_of(i)));
    }
    if (!is_tested(i) && !is_valid(i))
      add_fact(p, "in", town(p, i), land(p, land_of(i)));
  }
  for (int i = 0; i < TOWNS; i++)
    for (int l = 0; is_valid(i) && l < LANDS; l++) {
      pith_sym args[2] = {town(p, i), land(p, l)};
      assert_int_equal(pith_example_add(p, pith_pred_find(p, "in", 2), args, 2,
                                        l == land_of(i), 1),
                       PITH_OK);
    }
  return p;
}

/* The held-out towns and all lands as examples of another handle. */
static pith *make_questions(void) {
  pith *p = new_handle();
  pith_pred in;
  assert_int_equal(pith_pred_add(p, "in", 2, &in), PITH_OK);
  for (int i = 0; i < TOWNS; i++)
    for (int l = 0; is_tested(i) && l < LANDS; l++) {
      pith_sym args[2] = {town(p, i), land(p, l)};
      assert_int_equal(pith_example_add(p, in, args, 2, l == land_of(i), 1),
                       PITH_OK);
    }
  return p;
}

static void score_world(pith *p, pith_model *m, pith_ranking *out) {
  pith_prediction v[TOWNS * LANDS];
  double probability[TOWNS * LANDS];
  pith *questions = make_questions();
  size_t n = pith_example_count(questions);
  assert_int_equal(pith_model_grade(m, questions, probability), PITH_OK);
  for (size_t i = 0; i < n; i++) {
    assert_true(probability[i] >= 0 && probability[i] <= 1);
    v[i] = (pith_prediction){probability[i],
                             pith_example_at(questions, i)->positive};
  }
  assert_int_equal(pith_ranking_of(p, v, n, out), PITH_OK);
  pith_free(questions);
}

/* The probability of one atom. */
static double grade_one(pith_model *m, const char *pred, const char *x,
                        const char *y) {
  pith *q = new_handle();
  pith_pred of;
  double out;
  assert_int_equal(pith_pred_add(q, pred, 2, &of), PITH_OK);
  pith_sym args[2] = {sym(q, x), sym(q, y)};
  assert_int_equal(pith_example_add(q, of, args, 2, true, 1), PITH_OK);
  assert_int_equal(pith_model_grade(m, q, &out), PITH_OK);
  pith_free(q);
  return out;
}

static pith_model_rule rule_at(pith_model *m, size_t i) {
  const pith_model_rule *r = pith_model_rule_at(m, i);
  assert_non_null(r);
  return *r;
}

static void expect_rule(pith *p, pith_model *m, size_t i, const char *text) {
  pith_out *o;
  pith_rule plain = *rule_at(m, i).rule;
  plain.probability = 0;
  assert_int_equal(pith_out_memory(p, &o), PITH_OK);
  assert_int_equal(pith_rule_write(p, &plain, o), PITH_OK);
  assert_string_equal(pith_out_text(o, NULL), text);
  pith_out_close(o, false);
}

static size_t count_rules(const pith_model *m) {
  pith_model_info info;
  info = *pith_model_info_of(m);
  return info.rules;
}

static pith_model *learn_in(pith *p, uint64_t seed, uint32_t length) {
  pith_model_options opt;
  pith_model *m;
  pith_model_defaults(&opt);
  opt.run.seed = seed;
  opt.max_body = length;
  opt.target = pith_pred_find(p, "in", 2);
  assert_int_equal(pith_model_learn(p, NULL, &opt, &m), PITH_OK);
  return m;
}

static void test_fraction(void **state) {
  (void)state;
  pith *p = make_world(false);
  pith_model *m = learn_in(p, 1, 2);
  pith_model_info info;
  pith_ranking r;
  score_world(p, m, &r);
  expect_rule(p, m, 0, "in(A,B) :- near(A,C), in(C,B).");
  info = *pith_model_info_of(m);
  assert_int_equal(info.method, PITH_MODEL_CHAINS);
  assert_true(info.questions > 100 && info.answers > 0 && info.loss < 1);
  assert_true(rule_at(m, 0).support > 40 && rule_at(m, 0).weight > 0);
  print_message("precision %.4f, error %.4f\n", r.average_precision,
                r.calibration_error);
  assert_true(r.average_precision > 0.95);
  assert_true(r.calibration_error < 0.1);
  double prior = grade_one(m, "in", "stranger", "l0");
  assert_true(grade_one(m, "in", "t0", "nowhere") == 0);
  assert_true(grade_one(m, "unheard", "t0", "l0") == 0);
  assert_true(prior > 0.1 && prior < 0.4);
  assert_null(pith_model_rule_at(m, 99));
  pith_model_free(m);
  pith_free(p);
}

/* A rule that is never wrong is all there is. */
static void test_certain(void **state) {
  (void)state;
  pith *p = make_world(true);
  pith_model *m = learn_in(p, 1, 3);
  pith_ranking r;
  score_world(p, m, &r);
  expect_rule(p, m, 0, "in(A,B) :- in(A,C), in(C,B).");
  assert_int_equal(count_rules(m), 1);
  assert_true(r.average_precision == 1);
  pith_model_free(m);
  pith_free(p);
}

static void test_same(void **state) {
  (void)state;
  pith *p = make_world(false), *q = make_world(false);
  pith_model *a = learn_in(p, 7, 3), *b = learn_in(q, 7, 3),
             *c = learn_in(p, 8, 3);
  assert_int_equal(count_rules(a), count_rules(b));
  for (size_t i = 0; i < count_rules(a); i++)
    assert_true(rule_at(a, i).weight == rule_at(b, i).weight);
  assert_true(rule_at(a, 0).weight != rule_at(c, 0).weight);
  pith_model_free(a);
  pith_model_free(b);
  pith_model_free(c);
  pith_free(p);
  pith_free(q);
}

/* Without examples some facts are put aside, and the candidates are those of
** the facts. */
static void test_alone(void **state) {
  (void)state;
  pith *p = new_handle();
  for (int i = 0; i < TOWNS; i++) {
    add_fact(p, "next", town(p, i), town(p, i + 1));
    add_fact(p, "second", town(p, i), town(p, i + 2));
  }
  pith_model *m;
  pith_model_options opt;
  pith_model_defaults(&opt);
  opt.target = pith_pred_find(p, "second", 2);
  opt.method = PITH_MODEL_CHAINS;
  assert_int_equal(pith_model_learn(p, NULL, &opt, &m), PITH_OK);
  expect_rule(p, m, 0, "second(A,B) :- next(A,C), next(C,B).");
  assert_true(grade_one(m, "second", "t3", "t5") > 0.9);
  assert_true(grade_one(m, "second", "t3", "t6") < 0.1);
  pith_model_free(m);
  pith_free(p);
}

/* What was written, read beside the same facts, scores the same; and it ranks
** held-out facts as a model of rules does. */
static void test_text(void **state) {
  (void)state;
  pith *p = make_world(false), *q = make_world(false), *all = make_questions();
  pith_model *m = learn_in(p, 1, 3), *back;
  pith_out *o;
  size_t n;
  double a[TOWNS * LANDS], b[TOWNS * LANDS];
  assert_int_equal(pith_out_memory(p, &o), PITH_OK);
  assert_int_equal(pith_model_write(m, true, o), PITH_OK);
  const char *text = pith_out_text(o, &n);
  assert_int_equal(pith_read_text(q, "model", text, n, PITH_PROLOG), PITH_OK);
  assert_int_equal(pith_model_read(q, NULL, 0, &back), PITH_OK);
  assert_int_equal(count_rules(back), count_rules(m));
  assert_int_equal(pith_model_grade(m, all, a), PITH_OK);
  assert_int_equal(pith_model_grade(back, all, b), PITH_OK);
  assert_memory_equal(a, b, pith_example_count(all) * sizeof *a);
  pith_model_free(back);
  pith *test = new_handle();
  add_fact(test, "in", town(test, 0), land(test, 0));
  add_fact(test, "in", town(test, 50), land(test, 2));
  const pith *others[1] = {test};
  pith_run run = {.seed = 1, .jobs = 2};
  pith_model_scores scores;
  assert_int_equal(pith_model_read(q, others, 1, &back), PITH_OK);
  assert_int_equal(pith_model_score(back, test, NULL, &run, &scores), PITH_OK);
  assert_int_equal(scores.object.questions, 2);
  assert_true(scores.object.mrr == 1);
  assert_true(scores.subject.mrr > 0.01);
  pith_free(test);
  pith_model_free(back);
  pith_out_close(o, false);
  pith_model_free(m);
  pith_free(p);
  pith_free(q);
  pith_free(all);
}

static void refuse_text(const char *text, const char *what) {
  pith *p = make_world(false);
  pith_model *m;
  assert_int_equal(pith_read_text(p, "t", text, strlen(text), PITH_PROLOG),
                   PITH_OK);
  assert_int_equal(pith_model_read(p, NULL, 0, &m), PITH_EINPUT);
  assert_null(m);
  if (strstr(pith_error(p), what) == NULL)
    fail_msg("%s: %s", text, pith_error(p));
  pith_free(p);
}

#define CHAINS "pith_method(in,object,any). pith_weight(in,object,bias,1). "

static void test_text_refused(void **state) {
  (void)state;
  refuse_text("other(a).", "no rule has a probability");
  refuse_text("pith_model(rules,99,all).", "pith_model: ");
  refuse_text("pith_model(guesses,1,all).", "pith_model: ");
  refuse_text("pith_method(in,object,some).", "pith_method: ");
  refuse_text("pith_odds(in,object,x,1).", "pith_odds: ");
  refuse_text("pith_missing(all,guessed,1).", "pith_missing: ");
  refuse_text(CHAINS "pith_weight(in,object,1,x).", "pith_weight: ");
  refuse_text(CHAINS "pith_weight(in,object,99,1).", "pith_weight: ");
  refuse_text(CHAINS "pith_weight(in,object,unheard,1).", "pith_weight: ");
  refuse_text(CHAINS "in(X,Y) :- near(X,Z), near(Y,W).", "not a chain");
  refuse_text(CHAINS "in(X,t1) :- near(X,Z).", "not a chain");
  refuse_text(CHAINS "in(X,Y) :- near(X,t1), in(t1,Y).", "not a chain");
  refuse_text(CHAINS "in(X,Y) :- odd(X), in(X,Y).", "not a chain");
}

/* ---- soft models ------------------------------------------------------ */

static void read_templates(pith *p, const char *text) {
  assert_int_equal(pith_read_text(p, "t", text, strlen(text), PITH_TEMPLATES),
                   PITH_OK);
}

static pith_model *learn_softly(pith *p, uint32_t epochs) {
  pith_model_options opt;
  pith_model *m;
  pith_model_defaults(&opt);
  opt.method = PITH_MODEL_SOFT;
  opt.target = pith_pred_find(p, "in", 2);
  opt.epochs = epochs;
  assert_int_equal(pith_model_learn(p, NULL, &opt, &m), PITH_OK);
  return m;
}

static size_t count_found(pith *p, pith_model *m) {
  pith_model_info info;
  size_t found = 0;
  info = *pith_model_info_of(m);
  assert_int_equal(info.rules, 2);
  assert_int_equal(info.restarts, 16);
  for (uint32_t l = 0; l < info.restarts; l++) {
    pith_out *o;
    assert_int_equal(pith_model_use(m, l), PITH_OK);
    pith_rule r = *rule_at(m, 1).rule;
    assert_true(r.probability > 0 && r.probability <= 1);
    r.probability = 0;
    assert_int_equal(pith_out_memory(p, &o), PITH_OK);
    pith_rule_write(p, &r, o);
    found +=
        strcmp(pith_out_text(o, NULL), "in(A,B) :- near(A,C), in(C,B).") == 0;
    pith_out_close(o, false);
  }
  assert_int_equal(pith_model_use(m, 16), PITH_EARG);
  return found;
}

/* Most restarts find the rule, and the same seed gives the same values, however
** often they are asked for. */
static void test_soft(void **state) {
  (void)state;
  pith *p = make_world(false);
  read_templates(p, "#1(X,Y) <- #1(Y,X)\n#1(X,Y) <- #2(X,Z), #3(Z,Y)\n"
                    "steps: 1\n");
  pith_model *m = learn_softly(p, 250);
  pith_model *one = learn_softly(p, 30), *two = learn_softly(p, 30);
  size_t n = pith_example_count(p), found = count_found(p, m);
  double *a = calloc(n, sizeof *a), *b = calloc(n, sizeof *b);
  print_message("found by %zu of 16\n", found);
  assert_true(found >= 8);
  assert_int_equal(pith_model_grade(one, p, a), PITH_OK);
  assert_int_equal(pith_model_grade(two, p, b), PITH_OK);
  assert_memory_equal(a, b, n * sizeof *a);
  assert_int_equal(pith_model_grade(one, p, b), PITH_OK);
  assert_memory_equal(a, b, n * sizeof *a);
  free(a);
  free(b);
  pith_model_free(m);
  pith_model_free(one);
  pith_model_free(two);
  pith_free(p);
}

/* A soft model answers, and what is written reads back as rules. */
static void test_soft_text(void **state) {
  (void)state;
  pith *p = make_world(false), *q = make_world(false);
  read_templates(p, "#1(X,Y) <- #2(X,Z), #3(Z,Y)\nsteps: 1\n");
  pith_model *m = learn_softly(p, 250), *back;
  const pith_atom *query;
  const pith_answer *answers;
  pith_model_scores scores;
  pith_out *o;
  size_t n;
  assert_int_equal(pith_atom_read(p, "in(t10,X)", &query), PITH_OK);
  assert_int_equal(pith_model_ask(m, query, 1, &answers, &n), PITH_OK);
  assert_int_equal(n, 1);
  assert_string_equal(pith_sym_text(p, answers[0].answer), "l0");
  assert_int_equal(pith_model_score(m, p, NULL, NULL, &scores),
                   PITH_EUNSUPPORTED);
  assert_int_equal(pith_out_memory(p, &o), PITH_OK);
  assert_int_equal(pith_model_write(m, false, o), PITH_OK);
  const char *text = pith_out_text(o, &n);
  assert_int_equal(pith_read_text(q, "model", text, n, PITH_PROLOG), PITH_OK);
  assert_int_equal(pith_model_read(q, NULL, 0, &back), PITH_OK);
  assert_int_equal(pith_atom_read(q, "in(t10,X)", &query), PITH_OK);
  assert_int_equal(pith_model_ask(back, query, 1, &answers, &n), PITH_OK);
  assert_string_equal(pith_sym_text(q, answers[0].answer), "l0");
  pith_model_free(back);
  pith_out_close(o, false);
  pith_model_free(m);
  pith_free(p);
  pith_free(q);
}

/* ---- what cannot be done ---------------------------------------------- */

static bool at_once(void *ctx) {
  (void)ctx;
  return true;
}

static pith_status try_to_learn(pith *p, pith_model_method method,
                                pith_pred target, bool stop) {
  pith_model_options opt;
  pith_model *m;
  pith_model_defaults(&opt);
  opt.method = method;
  opt.target = target;
  opt.run.stop = stop ? at_once : NULL;
  pith_status rc = pith_model_learn(p, NULL, &opt, &m);
  assert_null(m);
  return rc;
}

static void test_soft_refused(void **state) {
  (void)state;
  pith *p = make_world(false);
  pith_pred in = pith_pred_find(p, "in", 2);
  assert_int_equal(try_to_learn(p, PITH_MODEL_SOFT, in, false), PITH_EINPUT);
  assert_non_null(strstr(pith_error(p), "templates"));
  read_templates(p, "#1(X,Y) <- #2(X,Z), #3(Z,Y)\n");
  assert_int_equal(try_to_learn(p, PITH_MODEL_SOFT, PITH_EQUAL, false),
                   PITH_EARG);
  assert_int_equal(
      try_to_learn(p, PITH_MODEL_SOFT, pith_pred_find(p, "near", 2), false),
      PITH_EINPUT);
  assert_non_null(strstr(pith_error(p), "near/2"));
  assert_int_equal(try_to_learn(p, PITH_MODEL_SOFT, in, true), PITH_STOPPED);
  pith_free(p);
}

static void test_refused(void **state) {
  (void)state;
  pith *p = make_world(false);
  pith_pred one, empty, in = pith_pred_find(p, "in", 2);
  pith_pred_add(p, "one", 1, &one);
  pith_pred_add(p, "empty", 2, &empty);
  static const pith_model_method chains = PITH_MODEL_CHAINS;
  assert_int_equal(try_to_learn(p, chains, one, false), PITH_EARG);
  assert_int_equal(try_to_learn(p, chains, 9999, false), PITH_EARG);
  assert_int_equal(try_to_learn(p, chains, PITH_EQUAL, false), PITH_EARG);
  assert_int_equal(try_to_learn(p, chains, PITH_NONE, false), PITH_EINPUT);
  assert_int_equal(try_to_learn(p, chains, empty, false), PITH_EINPUT);
  assert_non_null(strstr(pith_error(p), "empty/2"));
  assert_int_equal(try_to_learn(p, chains, in, true), PITH_STOPPED);
  pith_model_free(NULL);
  pith_free(p);
  p = new_handle();
  add_fact(p, "in", town(p, 1), land(p, 1));
  assert_int_equal(try_to_learn(p, chains, pith_pred_find(p, "in", 2), false),
                   PITH_EINPUT);
  pith_free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_evidence),     cmocka_unit_test(test_sample),
      cmocka_unit_test(test_fraction),     cmocka_unit_test(test_certain),
      cmocka_unit_test(test_same),         cmocka_unit_test(test_alone),
      cmocka_unit_test(test_refused),      cmocka_unit_test(test_text),
      cmocka_unit_test(test_text_refused), cmocka_unit_test(test_soft),
      cmocka_unit_test(test_soft_text),    cmocka_unit_test(test_soft_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
