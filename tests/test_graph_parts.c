/* The parts of graph models from inside: pairs, paths as rules, hidden facts,
** the choice of chains, costs, tuning, soft models. The world is small enough
** to know the answers: towns lie in countries, near towns in the same one. */
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
#include "fact/world.h"
#include "graph/few_rules.h"
#include "graph/graph_cost.h"
#include "graph/hidden_facts.h"
#include "graph/model.h"
#include "graph/pairs.h"
#include "graph/path_rule.h"
#include "graph/select_chains.h"
#include "graph/soft_choice.h"
#include "graph/soft_model.h"
#include "graph/tune.h"
#include "train/restarts.h"

enum { TOWNS = 40, COUNTRIES = 4 };

typedef struct {
  pith *p;
  pith_i_world world;
  pith_i_graph *g;
  uint8_t among[TOWNS + COUNTRIES + 1]; /* countries are candidates */
} map;

static void read_into(pith *p, const char *text, pith_format format) {
  assert_int_equal(pith_read_text(p, "map", text, strlen(text), format),
                   PITH_OK);
}

static void open_map(map *m, const char *text) {
  memset(m, 0, sizeof *m);
  assert_int_equal(pith_new(&m->p), PITH_OK);
  read_into(m->p, text, PITH_PROLOG);
  m->world = (pith_i_world){.theory = &m->p->theory, .store = &m->p->store};
  assert_int_equal(pith_i_graph_new(m->world.store, pith_sym_count(m->p),
                                    pith_pred_count(m->p), NULL, &m->g),
                   PITH_OK);
}

/* Towns i and i + COUNTRIES are near each other and in the same country. */
static void make_map(map *m, uint32_t towns, const char *more) {
  char text[8192];
  size_t n = 0;
  for (uint32_t i = 0; i < towns; i++)
    n += (size_t)snprintf(text + n, sizeof text - n,
                          "in(t%u,c%u). near(t%u,t%u).\n", i, i % COUNTRIES, i,
                          (i + COUNTRIES) % towns);
  snprintf(text + n, sizeof text - n, "%s", more);
  open_map(m, text);
}

static uint32_t entity_named(const map *m, const char *name) {
  uint32_t e;
  pith_sym s = pith_sym_find(m->p, name, strlen(name), PITH_NAME);
  assert_true(pith_i_find_entity(m->g, s, &e));
  return e;
}

static uint32_t relation_named(const map *m, const char *name) {
  uint32_t r;
  assert_true(pith_i_find_relation(m->g, pith_pred_find(m->p, name, 2), &r));
  return r;
}

static void free_map(map *m) {
  pith_i_graph_free(m->g);
  pith_free(m->p);
}

static void mark_countries(map *m) {
  for (uint32_t i = 0; i < COUNTRIES; i++)
    m->among[entity_named(m, (char[]){'c', (char)('0' + i), 0})] = 1;
}

/* ---- pairs --------------------------------------------------------------- */

static void examples_are_pairs(void **state) {
  (void)state;
  map m;
  pith_i_pairs pairs = {0};
  pith_i_symbols symbols = {0};
  make_map(&m, 8,
           "pos(in(t3,c3)). neg(in(t1,c2)). neg(in(t3,c0)). pos(near(t0,t4))."
           "pos(old(t1)). wide(t0,t1,t2).");
  pith_pred in = pith_pred_find(m.p, "in", 2);
  assert_true(pith_i_is_binary(m.world.theory, in));
  assert_false(pith_i_is_binary(m.world.theory, pith_pred_find(m.p, "old", 1)));
  assert_int_equal(pith_i_pairs_symbols(m.world.theory, in, &symbols), PITH_OK);
  assert_int_equal(symbols.n, 5); /* t3 c3 t1 c2 c0 */
  assert_int_equal(pith_i_pairs_symbols(m.world.theory, PITH_NONE, &symbols),
                   PITH_OK);
  assert_int_equal(symbols.n, 7); /* and t0 t4, each once */
  assert_int_equal(pith_i_pairs_list(m.world.theory, m.g, in, &pairs), PITH_OK);
  assert_int_equal(pairs.n, 3);
  size_t positive = 0, changes = 0;
  for (size_t i = 0; i < pairs.n; i++) {
    positive += pairs.at[i].truth;
    changes += i > 0 && pairs.at[i].x != pairs.at[i - 1].x;
  }
  assert_int_equal(positive, 1);
  assert_int_equal(changes, 1); /* those of t3 stand together */
  pith_i_vec_free(m.g->env, &pairs);
  pith_i_vec_free(&m.p->env, &symbols);
  free_map(&m);
}

static void facts_of_others_are_found_by_name(void **state) {
  (void)state;
  map m, other;
  pith_i_held_out held = {0};
  pith_i_source_counts counts = {0};
  make_map(&m, 8, "");
  make_map(&other, 4, "capital(t0,c0).");
  pith_i_fact_source from = {other.world.theory, other.world.store};
  pith_sym t2 = pith_sym_find(other.p, "t2", 2, PITH_NAME);
  assert_int_equal(pith_i_source_entity(from.theory, m.world.theory, m.g, t2),
                   entity_named(&m, "t2"));
  assert_int_equal(
      pith_i_source_held_out(&from, m.world.theory, m.g, true, &held, &counts),
      PITH_OK);
  assert_int_equal(counts.facts, 9);
  assert_int_equal(counts.unknown, 1); /* capital/2 is no relation here */
  assert_int_equal(held.questions.n, 18);
  read_into(other.p, "in(t99,c0).", PITH_PROLOG);
  assert_int_equal(
      pith_i_source_held_out(&from, m.world.theory, m.g, true, &held, NULL),
      PITH_EARG);
  pith_i_held_out_free(m.g->env, &held);
  free_map(&other);
  free_map(&m);
}

/* ---- paths as rules ------------------------------------------------------ */

static pith_i_path path_of_text(map *m, const char *text, bool *is_path) {
  pith_i_path path = {0};
  size_t n = pith_rule_count(m->p);
  read_into(m->p, text, PITH_PROLOG);
  *is_path = pith_i_path_of(m->g, pith_rule_at(m->p, n), &path);
  return path;
}

static void paths_are_rules_and_back(void **state) {
  (void)state;
  static const char *const texts[] = {
      "0.5::in(X,Y) :- near(X,Z), in(Z,Y).",
      "0.25::near(X,Y) :- near(Y,X).",
      "in(X,c1) :- near(X,t1).",
      "in(t2,X) :- near(Y,X).",
      "in(X,Y) :- near(Z,X), near(Z,W), in(W,Y).",
  };
  map m;
  make_map(&m, 8, "");
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    bool is_path, again;
    pith_i_path_rule shown;
    pith_i_path first = path_of_text(&m, texts[i], &is_path), second;
    assert_true(is_path);
    pith_i_path_show(m.g, &first, &shown);
    again = pith_i_path_of(m.g, &shown.rule, &second);
    assert_true(again);
    assert_int_equal(first.length, second.length);
    assert_int_equal(first.head, second.head);
    assert_int_equal(first.constant, second.constant);
    assert_int_equal(first.end, second.end);
    assert_memory_equal(first.step, second.step,
                        first.length * sizeof *first.step);
    assert_true(first.confidence == second.confidence);
  }
  bool is_path;
  path_of_text(&m, "in(X,Y) :- near(X,Z), in(W,Y), near(W,W).", &is_path);
  assert_false(is_path);
  path_of_text(&m, "in(X,Y) :- unheard(X,Y).", &is_path);
  assert_false(is_path);
  free_map(&m);
}

/* ---- hidden facts -------------------------------------------------------- */

/* What a section hides depends on its number and the seed alone, and it asks
** about hidden facts only. */
static void sections_hide_what_they_ask(void **state) {
  (void)state;
  map m;
  make_map(&m, TOWNS, "");
  mark_countries(&m);
  for (int hiding = 0; hiding < PITH_I_HIDINGS; hiding++) {
    pith_i_hidden_facts s, again;
    size_t asked = 0, gone = 0;
    uint32_t in = relation_named(&m, "in");
    assert_int_equal(pith_i_hidden_facts_init(&s, m.g, in, m.among, 5),
                     PITH_OK);
    assert_int_equal(pith_i_hidden_facts_init(&again, m.g, in, m.among, 5),
                     PITH_OK);
    assert_int_equal(s.subjects.n, TOWNS);
    assert_int_equal(s.candidates, COUNTRIES);
    for (uint32_t n = 0; n < 20; n++) {
      pith_i_hidden_facts_hide(&s, (pith_i_hiding)hiding, n);
      pith_i_hidden_facts_hide(&again, (pith_i_hiding)hiding, n);
      assert_memory_equal(s.gone, again.gone, m.g->edges);
      for (size_t i = 0; i < s.subjects.n; i++)
        for (size_t k = s.subjects.at[i].first; k < s.subjects.at[i].end; k++)
          if (pith_i_hidden_facts_asks(&s, (pith_i_hiding)hiding, n, i, k)) {
            asked++;
            assert_true(s.gone[s.truths.at[k].edge] != 0);
          }
      for (uint32_t e = 0; e < m.g->edges; e++)
        gone += s.gone[e];
    }
    assert_true(asked > 0 && gone >= asked);
    assert_true(gone < (size_t)20 * m.g->edges); /* never everything */
    pith_i_hidden_facts_free(&s);
    pith_i_hidden_facts_free(&again);
  }
  free_map(&m);
}

static void facts_put_aside_stay_away(void **state) {
  (void)state;
  map m;
  pith_i_hidden_facts s;
  make_map(&m, TOWNS, "");
  mark_countries(&m);
  assert_int_equal(
      pith_i_hidden_facts_init(&s, m.g, relation_named(&m, "in"), m.among, 1),
      PITH_OK);
  uint32_t x = entity_named(&m, "t6"), y = entity_named(&m, "c2");
  pith_i_hidden_facts_keep(&s, x, y);
  pith_i_hidden_facts_keep(&s, x, entity_named(&m, "c1")); /* is no fact */
  size_t kept = 0;
  for (uint32_t e = 0; e < m.g->edges; e++)
    kept += s.kept[e];
  assert_int_equal(kept, 2); /* both ways */
  for (uint32_t n = 0; n < 5; n++) {
    pith_i_hidden_facts_hide(&s, 0, n);
    for (uint32_t e = 0; e < m.g->edges; e++)
      assert_true(!s.kept[e] || s.gone[e]);
  }
  pith_i_hidden_facts_free(&s);
  free_map(&m);
}

/* ---- the choice of chains ------------------------------------------------ */

static void the_right_chain_is_chosen(void **state) {
  (void)state;
  map m;
  pith_i_hidden_facts s;
  pith_i_chain_walk walk;
  pith_i_question_table fit, choice;
  pith_i_selection best = {.loss = INFINITY};
  bool better = false;
  double share;
  make_map(&m, TOWNS, "");
  mark_countries(&m);
  uint32_t in = relation_named(&m, "in");
  assert_int_equal(
      pith_i_chain_walk_init(&walk, m.g->env, m.g, 2 * in, m.among), PITH_OK);
  walk.length = 2;
  assert_int_equal(pith_i_hidden_facts_init(&s, m.g, in, m.among, 3), PITH_OK);
  assert_int_equal(pith_i_question_table_init(&fit, m.g), PITH_OK);
  assert_int_equal(pith_i_question_table_init(&choice, m.g), PITH_OK);
  assert_int_equal(pith_i_hidden_facts_split(&s, &walk, &choice), PITH_OK);
  for (uint32_t n = 0; n < 10; n++)
    assert_int_equal(pith_i_hidden_facts_add(&s, 0, n, &walk, &fit, &share),
                     PITH_OK);
  uint32_t chains = (uint32_t)walk.tree.n + 1;
  assert_int_equal(pith_i_question_table_seal(&fit, chains), PITH_OK);
  assert_int_equal(pith_i_question_table_seal(&choice, chains), PITH_OK);
  assert_true(fit.questions > 20 && choice.questions > 0);
  assert_int_equal(pith_i_select(&walk, &fit, 1, &choice, 0, 2, &best, &better),
                   PITH_OK);
  assert_true(better && best.rules >= 1 && best.weight[0] > 0);
  pith_i_way ways[PITH_I_PATH_MOST];
  assert_int_equal(pith_i_chain_ways(&walk, best.chain[0], ways), 2);
  assert_int_equal(ways[0] / 2, relation_named(&m, "near"));
  assert_int_equal(ways[1], 2 * in);
  pith_i_question_table_free(&fit);
  pith_i_question_table_free(&choice);
  pith_i_hidden_facts_free(&s);
  pith_i_chain_walk_free(&walk);
  free_map(&m);
}

/* ---- costs and tuning ---------------------------------------------------- */

static void larger_graphs_cost_more(void **state) {
  (void)state;
  double bytes = 0, seconds = 0;
  for (uint32_t towns = 8; towns <= 128; towns *= 4) {
    map m;
    pith_i_mining mining;
    pith_i_cost one, two;
    uint64_t held[4] = {0};
    make_map(&m, towns, "");
    pith_i_mining_defaults(&mining);
    pith_i_mining_fill(&mining, m.g);
    pith_i_mining_cost(m.g, &mining, held, 1, &one);
    pith_i_mining_cost(m.g, &mining, held, 2, &two);
    assert_true(one.bytes >= bytes && one.seconds >= seconds);
    assert_true(two.bytes >= one.bytes);
    bytes = one.bytes;
    seconds = one.seconds;
    free_map(&m);
  }
  assert_true(bytes > 0 && seconds > 0);
}

/* A map with short rules, and facts of it that are held out. */
typedef struct {
  map m;
  pith_i_crew *crew;
  pith_i_paths rules;
  pith_i_rule_index *index;
  pith_i_held_out held;
  pith_i_scoring scoring;
} tuning_case;

static void begin_tuning(tuning_case *c, uint32_t facts) {
  pith_i_mining mining;
  *c = (tuning_case){0};
  make_map(&c->m, TOWNS, "");
  pith_i_graph *g = c->m.g;
  uint32_t in = relation_named(&c->m, "in");
  assert_int_equal(pith_i_crew_new(g->env, 1, &c->crew), PITH_OK);
  pith_i_mining_defaults(&mining);
  pith_i_mining_fill(&mining, g);
  assert_int_equal(pith_i_mine_short(c->crew, g, &mining, &c->rules), PITH_OK);
  assert_true(c->rules.n > 0);
  assert_int_equal(
      pith_i_rule_index_new(g->env, g, c->rules.at, c->rules.n, &c->index),
      PITH_OK);
  for (uint32_t i = 0; i < facts; i++) { /* in(t3,c2) and so on: no facts yet */
    char town[16], country[16];
    snprintf(town, sizeof town, "t%u", i);
    snprintf(country, sizeof country, "c%u", (i + 1) % COUNTRIES);
    assert_int_equal(pith_i_held_out_add(g->env, &c->held,
                                         entity_named(&c->m, town), in,
                                         entity_named(&c->m, country), true),
                     PITH_OK);
  }
  pith_i_held_out_sort(&c->held);
  assert_int_equal(pith_i_scoring_new(g->env, g->ways, &c->scoring), PITH_OK);
}

static void end_tuning(tuning_case *c) {
  pith_i_env *env = c->m.g->env;
  pith_i_scoring_free(env, &c->scoring);
  pith_i_rule_index_free(c->index);
  pith_i_held_out_free(env, &c->held);
  pith_i_vec_free(env, &c->rules);
  pith_i_crew_free(c->crew);
  free_map(&c->m);
}

static void tuning_ranks_what_was_held_out(void **state) {
  (void)state;
  tuning_case c;
  pith_i_tuned tuned;
  begin_tuning(&c, 20);
  pith_i_tuner tuner = {
      .crew = c.crew, .index = c.index, .e = &c.held, .seed = 1};
  assert_int_equal(pith_i_tune(&tuner, &c.scoring, &tuned), PITH_OK);
  assert_true(c.scoring.fitted && tuned.missing > 0);
  for (int i = 0; i <= PITH_I_AGGREGATORS; i++)
    assert_true(isnan(tuned.mrr[i]) ||
                (tuned.mrr[i] >= 0 && tuned.mrr[i] <= 1));
  end_tuning(&c);
}

static bool stop_in_the_end(void *ctx) {
  uint64_t *left = ctx;
  *left -= *left > 0;
  return *left == 0;
}

/* Tunes as a run with much time does whose caller stops it at the n-th look. */
static pith_status tune_until(uint64_t looks, uint64_t *samples) {
  tuning_case c;
  pith_i_run run;
  pith_i_tuned tuned;
  pith_run user = {.seconds = 1e9, .stop = stop_in_the_end, .stop_ctx = &looks};
  begin_tuning(&c, 20);
  pith_i_run_begin(&run, &user);
  c.crew->run = &run;
  pith_i_tuner tuner = {.crew = c.crew,
                        .index = c.index,
                        .e = &c.held,
                        .seed = 1,
                        .hurries = true};
  pith_status rc = pith_i_tune(&tuner, &c.scoring, &tuned);
  assert_true(rc == PITH_OK || rc == PITH_STOPPED);
  assert_true(c.scoring.fitted || tuned.samples == 0);
  assert_true(rc == PITH_STOPPED || tuned.samples > 0);
  *samples = tuned.samples;
  end_tuning(&c);
  return rc;
}

/* What the first few questions taught is there before the rest. */
static void tuning_that_is_stopped_keeps_what_it_has(void **state) {
  (void)state;
  uint64_t all, some = 0, before = 0;
  bool partly = false;
  assert_int_equal(tune_until(UINT64_MAX, &all), PITH_OK);
  for (uint64_t looks = 1;
       before < all && tune_until(looks, &some) == PITH_STOPPED;
       looks += 1 + looks / 8) {
    assert_true(some >= before && some <= all);
    before = some;
    partly = partly || (some > 0 && some < all);
  }
  assert_true(partly);
}

/* All rules of a map that can be mined, sorted. */
static pith_i_paths mine_map(const map *m, pith_i_crew *crew) {
  pith_i_mining mining;
  pith_i_paths rules = {0};
  pith_i_mining_defaults(&mining);
  pith_i_mining_fill(&mining, m->g);
  assert_int_equal(pith_i_mine_short(crew, m->g, &mining, &rules), PITH_OK);
  assert_int_equal(pith_i_mine_items(crew, m->g, &mining, &rules), PITH_OK);
  pith_i_paths_sort(m->g->env, NULL, &rules);
  return rules;
}

static uint32_t draw_below(uint64_t *drawn, uint32_t limit) {
  return (uint32_t)(pith_i_random(7, 0, (*drawn)++) % limit);
}

/* Merged or sorted, paths come in the order that comparing gives. */
static void paths_are_sorted_by_all_that_they_have(void **state) {
  (void)state;
  map m;
  make_map(&m, TOWNS, "");
  pith_i_env *env = m.g->env;
  uint64_t drawn = 0;
  for (uint32_t n = 0; n < 5000; n += 1 + n / 4) {
    pith_i_paths some = {0}, plain = {0};
    for (uint32_t i = 0; i < n; i++) {
      pith_i_path p = {.head = draw_below(&drawn, 4),
                       .constant = draw_below(&drawn, 2) ? PITH_NONE : 1,
                       .end = PITH_NONE,
                       .length = 1 + draw_below(&drawn, 2)};
      p.step[0] = draw_below(&drawn, 3);
      p.step[1] = draw_below(&drawn, p.length);
      p.confidence =
          0.25 * draw_below(&drawn, 5) + 1e-15 * draw_below(&drawn, 2);
      assert_true(pith_i_push(env, &some, p) && pith_i_push(env, &plain, p));
    }
    pith_i_paths_sort(env, NULL, &some);
    if (n > 0)
      qsort(plain.at, n, sizeof *plain.at, pith_i_path_compare);
    assert_int_equal(some.n, n);
    for (uint32_t i = 0; i < n; i++)
      assert_int_equal(pith_i_path_compare(&some.at[i], &plain.at[i]), 0);
    pith_i_vec_free(env, &some);
    pith_i_vec_free(env, &plain);
  }
  free_map(&m);
}

typedef struct {
  unsigned looks, last; /* says stop at the last */
} sort_watch;

static bool stop_at_last_look(void *ctx) {
  sort_watch *w = ctx;
  return ++w->looks >= w->last;
}

/* So many sorted runs, or if that is too many to merge, blocks. */
static pith_i_paths interleaved_paths(pith_i_env *env, uint32_t n,
                                      uint32_t runs) {
  pith_i_paths made = {0};
  for (uint32_t i = 0; i < n; i++) {
    uint32_t place = i % (n / runs) * runs + i / (n / runs);
    pith_i_path p = {.constant = place, .end = PITH_NONE, .length = 1};
    assert_true(pith_i_push(env, &made, p));
  }
  return made;
}

static void check_stopped_sort(pith_i_env *env, uint32_t n, uint32_t runs) {
  sort_watch seen = {0, 1};
  pith_run user = {.stop = stop_at_last_look, .stop_ctx = &seen};
  while (seen.last != 0) {
    pith_i_run run;
    pith_i_paths paths = interleaved_paths(env, n, runs);
    seen.looks = 0;
    pith_i_run_begin(&run, &user);
    pith_status rc = pith_i_paths_sort(env, &run, &paths);
    assert_int_equal(paths.n, n);
    assert_int_equal(rc, seen.looks >= seen.last ? PITH_STOPPED : PITH_OK);
    if (rc == PITH_STOPPED) /* nobody looks again, and nothing is lost */
      assert_int_equal(seen.looks, seen.last);
    pith_i_paths_sort(env, NULL, &paths);
    for (uint32_t i = 0; i < n; i++)
      assert_int_equal(paths.at[i].constant, i);
    seen.last = rc == PITH_STOPPED ? seen.last * 2 : 0;
    pith_i_vec_free(env, &paths);
  }
  assert_true(seen.looks >= n >> 15);
}

/* Sorting many rules looks whether to stop, and ends where it is told to. */
static void sorting_can_be_stopped(void **state) {
  (void)state;
  map m;
  make_map(&m, TOWNS, "");
  check_stopped_sort(m.g->env, 1 << 18, 64);
  check_stopped_sort(m.g->env, 1 << 18, 1 << 14);
  free_map(&m);
}

static void find_needs(const map *m, uint32_t jobs, const pith_i_paths *rules,
                       pith_i_rule_needs *needs) {
  pith_i_crew *crew;
  pith_i_rule_index *index;
  pith_i_env *env = m->g->env;
  assert_int_equal(pith_i_crew_new(env, jobs, &crew), PITH_OK);
  assert_int_equal(
      pith_i_rule_index_new(env, m->g, rules->at, rules->n, &index), PITH_OK);
  assert_int_equal(pith_i_rule_needs_find(crew, index, 1, needs), PITH_OK);
  pith_i_rule_index_free(index);
  pith_i_crew_free(crew);
}

/* Threads change no place; some rule is the best reason for something. */
static void needs_are_the_same_for_all_threads(void **state) {
  (void)state;
  map m;
  pith_i_crew *crew;
  pith_i_rule_needs one, three;
  make_map(&m, TOWNS, "");
  assert_int_equal(pith_i_crew_new(m.g->env, 1, &crew), PITH_OK);
  pith_i_paths rules = mine_map(&m, crew);
  find_needs(&m, 1, &rules, &one);
  find_needs(&m, 3, &rules, &three);
  assert_int_equal(one.repeated, three.repeated);
  assert_memory_equal(one.place, three.place, rules.n * sizeof *one.place);
  size_t best = 0, repeated = 0;
  for (size_t i = 0; i < rules.n; i++) {
    best += one.place[i] == 0;
    repeated += one.place[i] == PITH_I_REPEATED;
  }
  assert_true(best > 0 && best < rules.n);
  assert_int_equal(repeated, one.repeated);
  pith_i_rule_needs_free(m.g->env, &one);
  pith_i_rule_needs_free(m.g->env, &three);
  pith_i_vec_free(m.g->env, &rules);
  pith_i_crew_free(crew);
  free_map(&m);
}

/* likes and loves are the same pairs, so are the rules that use them. */
static void a_rule_that_repeats_another_goes(void **state) {
  (void)state;
  map m = {0};
  pith_i_crew *crew;
  pith_i_rule_needs needs;
  char text[4096];
  size_t n = 0;
  for (int i = 0; i < 12; i++)
    n += (size_t)snprintf(text + n, sizeof text - n,
                          "likes(a%d,b%d). loves(a%d,b%d). knows(a%d,b%d). "
                          "sees(b%d,a%d).",
                          i, i, i, i, i, i, i, i % 6);
  open_map(&m, text);
  assert_int_equal(pith_i_crew_new(m.g->env, 1, &crew), PITH_OK);
  pith_i_paths rules = mine_map(&m, crew);
  find_needs(&m, 1, &rules, &needs);
  assert_true(needs.repeated > 0);
  uint32_t knows = relation_named(&m, "knows");
  size_t by_one = 0;
  for (size_t i = 0; i < rules.n; i++)
    by_one += rules.at[i].head / 2 == knows && rules.at[i].length == 1 &&
              rules.at[i].constant == PITH_NONE &&
              rules.at[i].confidence > 0.6 && needs.place[i] == 0;
  assert_int_equal(by_one, 1); /* by likes or by loves, not by both */
  pith_i_rule_needs_free(m.g->env, &needs);
  pith_i_vec_free(m.g->env, &rules);
  pith_i_crew_free(crew);
  free_map(&m);
}

static void cuts_are_nested(void **state) {
  (void)state;
  map m;
  pith_i_crew *crew;
  pith_i_rule_needs needs;
  pith_i_paths few = {0};
  make_map(&m, TOWNS, "");
  pith_i_env *env = m.g->env;
  assert_int_equal(pith_i_crew_new(env, 1, &crew), PITH_OK);
  pith_i_paths rules = mine_map(&m, crew);
  find_needs(&m, 1, &rules, &needs);
  size_t before = 0;
  for (uint32_t each = 1; each <= 64; each *= 8) {
    few.n = 0;
    for (size_t i = 0; i < rules.n; i++)
      assert_true(pith_i_push(env, &few, rules.at[i]));
    pith_i_rules_cut(&few, needs.place, each);
    assert_true(few.n > 0 && few.n >= before && few.n <= rules.n);
    for (size_t i = 1; i < few.n; i++)
      assert_true(pith_i_path_compare(&few.at[i - 1], &few.at[i]) <= 0);
    before = few.n;
  }
  pith_i_rule_needs_free(env, &needs);
  pith_i_vec_free(env, &few);
  pith_i_vec_free(env, &rules);
  pith_i_crew_free(crew);
  free_map(&m);
}

static bool have_one_head(const pith_i_path *a, const pith_i_path *b) {
  return a->head == b->head && a->constant == b->constant;
}

/* With less room fewer rules stay, and of each head the best. */
static void limits_keep_the_best_of_each_head(void **state) {
  (void)state;
  map m;
  pith_i_crew *crew;
  make_map(&m, TOWNS, "");
  pith_i_env *env = m.g->env;
  assert_int_equal(pith_i_crew_new(env, 1, &crew), PITH_OK);
  pith_i_paths rules = mine_map(&m, crew);
  size_t before = rules.n, seen = 0;
  for (size_t most = rules.n + 1; most > 0; most = most * 2 / 3) {
    pith_i_paths few = {0};
    for (size_t i = 0; i < rules.n; i++)
      assert_true(pith_i_push(env, &few, rules.at[i]));
    assert_int_equal(pith_i_rules_limit(env, m.g, &few, most), PITH_OK);
    assert_true(few.n <= most && few.n <= before);
    before = few.n;
    for (size_t i = 0, at = 0; i < rules.n; i++) {
      if (at < few.n && pith_i_path_compare(&rules.at[i], &few.at[at]) == 0) {
        at++;
        continue;
      }
      for (size_t k = at; k < few.n; k++, seen++)
        assert_false(few.at[k].constant != PITH_NONE &&
                     have_one_head(&rules.at[i], &few.at[k]));
    }
    pith_i_vec_free(env, &few);
  }
  assert_true(seen > 0 && before < rules.n);
  pith_i_vec_free(env, &rules);
  pith_i_crew_free(crew);
  free_map(&m);
}

/* ---- soft models --------------------------------------------------------- */

static void soft_models_score_pairs(void **state) {
  (void)state;
  map m;
  pith_i_pairs pairs = {0};
  pith_i_soft_choice *choice = NULL;
  pith_i_soft_model *model = NULL;
  pith_i_run run;
  pith_learn_options recipe;
  make_map(&m, 16,
           "pos(in(t3,c3)). neg(in(t3,c1)). pos(in(t5,c1)). neg(in(t5,c0)).");
  read_into(m.p, "steps: 1\n#1(X,Y) <- #2(X,Z), #1(Z,Y)\n", PITH_TEMPLATES);
  pith_i_run_begin(&run, NULL);
  pith_learn_defaults(&recipe);
  recipe.semantics = PITH_TEXT;
  recipe.epochs = 3;
  pith_i_soft_options opt = {
      .seed = 1, .epochs = 3, .recipe = pith_i_recipe_of(&recipe), .run = &run};
  pith_pred in = pith_pred_find(m.p, "in", 2);
  uint32_t relation = relation_named(&m, "in");
  assert_int_equal(pith_i_pairs_list(m.world.theory, m.g, in, &pairs), PITH_OK);
  assert_int_equal(pith_i_soft_model_learn(m.g, m.world.theory, relation,
                                           pairs.at, pairs.n, &opt, &model),
                   PITH_OK);
  assert_int_equal(pith_i_soft_model_rules(model), 1);
  double values[4];
  assert_int_equal(pith_i_soft_choice_learn(m.g, m.world.theory, relation,
                                            pairs.at, pairs.n, &opt, &choice),
                   PITH_OK);
  assert_int_equal(pith_i_soft_choice_score(choice, pairs.at, pairs.n, values),
                   PITH_OK);
  for (size_t i = 0; i < pairs.n; i++)
    assert_true(values[i] >= 0 && values[i] <= 1);
  for (uint32_t l = 0; l < PITH_I_LANES; l++) {
    assert_true(choice->best[l] < PITH_I_HIDINGS);
    assert_true(choice->precision[l] <= choice->precision[choice->restart]);
  }
  pith_i_soft_choice_free(choice);
  pith_i_soft_model_free(model);
  pith_i_vec_free(m.g->env, &pairs);
  free_map(&m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(examples_are_pairs),
      cmocka_unit_test(facts_of_others_are_found_by_name),
      cmocka_unit_test(paths_are_rules_and_back),
      cmocka_unit_test(paths_are_sorted_by_all_that_they_have),
      cmocka_unit_test(sorting_can_be_stopped),
      cmocka_unit_test(limits_keep_the_best_of_each_head),
      cmocka_unit_test(sections_hide_what_they_ask),
      cmocka_unit_test(facts_put_aside_stay_away),
      cmocka_unit_test(the_right_chain_is_chosen),
      cmocka_unit_test(larger_graphs_cost_more),
      cmocka_unit_test(tuning_ranks_what_was_held_out),
      cmocka_unit_test(tuning_that_is_stopped_keeps_what_it_has),
      cmocka_unit_test(needs_are_the_same_for_all_threads),
      cmocka_unit_test(a_rule_that_repeats_another_goes),
      cmocka_unit_test(cuts_are_nested),
      cmocka_unit_test(soft_models_score_pairs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
