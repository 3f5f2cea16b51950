/* The parts of compression, each by its own header, on worlds small enough to
** count by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "api/handle.h"
#include "compress/certify.h"
#include "compress/derive.h"
#include "compress/doubt_facts.h"
#include "compress/doubtful_facts.h"
#include "compress/soft_proposals.h"
#include "score/length.h"

static pith *read_world(const char *text) {
  pith *p;
  assert_int_equal(pith_new(&p), PITH_OK);
  assert_int_equal(pith_read_text(p, "text", text, strlen(text), PITH_PROLOG),
                   PITH_OK);
  return p;
}

static bool close_to(double a, double b) {
  return a - b < 1e-9 && b - a < 1e-9;
}

/* A chain of four with all that is above each: up is the closure of on. */
static const char tower[] =
    "on(a,b). on(b,c). on(c,d)."
    "up(a,b). up(b,c). up(c,d). up(a,c). up(b,d). up(a,d).";

static void make_tower(char *text, char levels) {
  for (char i = 0; i < levels; i++)
    for (char j = (char)(i + 1); j < levels; j++) {
      if (j == i + 1)
        text += sprintf(text, "on(%c,%c). ", 'a' + i, 'a' + j);
      text += sprintf(text, "up(%c,%c). ", 'a' + i, 'a' + j);
    }
}

/* ---- lengths ------------------------------------------------------------ */

static void lengths_are_choices(void **state) {
  (void)state;
  pith *p = read_world("p(X,Y) :- q(X,Z), p(Z,Y).\n"
                       "q(X,Y) :- p(X,Z), q(Z,Y).\n"
                       "p(X,Y) :- q(Y,X).\n"
                       "p(X,a) :- q(X,b).\n"
                       "p(X,b) :- q(X,a).\n"
                       "p(X,Y) :- q(X,Y), X \\= Y.\n");
  pith_i_vocabulary_size v = {.preds = 4, .constants = 8};
  pith_rule **r = p->theory.rules.at;
  assert_true(close_to(pith_i_choice_bits(8), 3));
  assert_true(close_to(pith_i_choice_bits(0), 0));
  assert_true(close_to(pith_i_fact_bits(v, 2), 2 + 3 + 3));
  assert_true(close_to(pith_i_rule_bits(v, r[0]), 3 * 2));
  /* the first two are of one shape, which is paid once */
  assert_true(pith_i_same_shape(r[0], r[1]));
  assert_false(pith_i_same_shape(r[0], r[2]));
  assert_true(
      close_to(pith_i_rules_bits(v, r, 2), 12 + pith_i_shape_bits(r[0])));
  assert_true(close_to(pith_i_shape_bits(r[2]), 2 + 4));
  /* constants are of the shape by their places, and cost their values */
  assert_true(pith_i_same_shape(r[3], r[4]));
  assert_false(pith_i_same_shape(r[2], r[3]));
  assert_true(close_to(pith_i_rule_bits(v, r[3]), 2 * 2 + 2 * 3));
  assert_true(close_to(pith_i_shape_bits(r[3]), 2 + 4));
  /* a built-in predicate is of the shape, and not chosen among the others */
  assert_true(close_to(pith_i_rule_bits(v, r[5]), 2 * 2));
  assert_false(pith_i_same_shape(r[5], r[0]));
  assert_true(close_to(pith_i_error_bits(0, 10), 0));
  assert_true(close_to(pith_i_error_bits(5, 10), 10));
  assert_true(pith_i_error_bits(1, 10) < pith_i_error_bits(2, 10));
  pith_free(p);
}

/* ---- observations ------------------------------------------------------- */

static void facts_have_numbers(void **state) {
  (void)state;
  pith *p = read_world(tower), *more = read_world(tower);
  pith_i_observations w = {0};
  pith_pred on = pith_pred_find(p, "on", 2), up = pith_pred_find(p, "up", 2);
  assert_int_equal(
      pith_i_observations_init(&w, &p->theory, &p->store, NULL, NULL), PITH_OK);
  assert_int_equal(w.n, 9);
  assert_int_equal(w.words.preds, 2);
  assert_int_equal(w.words.constants, 4);
  assert_int_equal(pith_i_observation_count(&w, on), 3);
  for (uint32_t f = 0; f < w.n; f++) {
    pith_pred pred = f < w.base[up] ? on : up;
    const pith_sym *args = pith_i_observation_args(&w, pred, f);
    assert_int_equal(pith_i_observation_find(&w, pred, args), f);
    assert_false(pith_i_observation_lacks(&w, pred, f));
  }
  assert_true(close_to(pith_i_observed_bits(&w), 9 * (1 + 2 + 2)));
  pith_i_observations_free(&w);
  pith_free(p);
  pith_free(more);
}

/* A sample holds exactly the facts over the constants that it has. */
static void samples_are_closed(void **state) {
  (void)state;
  enum { FACTS = 3000, WANTED = 100 };
  static char text[FACTS * 20];
  char *end = text;
  for (int i = 0; i < FACTS; i++) /* chains of ten */
    end += sprintf(end, "e(c%d,c%d). ", i, i % 10 == 9 ? i : i + 1);
  pith *p = read_world(text);
  pith_i_observations w = {0}, s = {0};
  pith_pred e = pith_pred_find(p, "e", 2);
  assert_int_equal(
      pith_i_observations_init(&w, &p->theory, &p->store, NULL, NULL), PITH_OK);
  assert_int_equal(pith_i_observations_sample(&s, &w, WANTED, 1), PITH_OK);
  assert_true(s.n > 0 && s.n < w.n);
  assert_true(close_to(s.scale, (double)w.n / (double)s.n));
  static bool in[FACTS + 16];
  for (uint32_t f = 0; f < s.n; f++)
    for (int k = 0; k < 2; k++)
      in[pith_i_observation_args(&s, e, f)[k]] = true;
  for (uint32_t f = 0; f < w.n; f++) {
    const pith_sym *a = pith_i_observation_args(&w, e, f);
    bool inside = pith_i_observation_find(&s, e, a) != PITH_NONE;
    assert_int_equal(inside, in[a[0]] && in[a[1]]);
  }
  pith_i_observations_free(&s);
  pith_i_observations_free(&w);
  pith_free(p);
}

static void hidden_atoms_are_judged(void **state) {
  (void)state;
  pith *p = read_world(tower);
  pith_i_divided_facts d;
  pith_i_divided_facts_init(&d, &p->env, (pith_i_hide_atoms){0.5, 3});
  assert_int_equal(pith_i_divide_facts(&d, &p->theory, &p->store, NULL),
                   PITH_OK);
  uint64_t hidden = pith_i_fact_count(&d.hidden, PITH_NONE, PITH_ALL);
  assert_true(hidden > 0 && hidden < 9);
  assert_int_equal(hidden + pith_i_fact_count(&d.seen, PITH_NONE, PITH_ALL), 9);
  pith_i_hidden_counts all = pith_i_count_hidden(&d, &p->store);
  assert_int_equal(all.facts, hidden);
  assert_int_equal(all.right, hidden); /* the store has all of them */
  assert_int_equal(all.wrong, 0);
  pith_i_hidden_counts none = pith_i_count_hidden(&d, &d.seen);
  assert_int_equal(none.right, 0);
  pith_i_divided_facts_free(&d);
  /* half of the facts may be all of them */
  pith_i_divided_facts_init(&d, &p->env, (pith_i_hide_atoms){0.999999, 3});
  assert_int_equal(pith_i_divide_facts(&d, &p->theory, &p->store, NULL),
                   PITH_EINPUT);
  pith_i_divided_facts_free(&d);
  pith_free(p);
}

static void rules_derive(void **state) {
  (void)state;
  pith *p = read_world("on(a,b). on(b,c). on(c,d)."
                       "up(X,Y) :- on(X,Y). up(X,Y) :- on(X,Z), up(Z,Y).");
  assert_int_equal(
      pith_i_derive(&p->theory, p->theory.rules.at, 1, &p->store, NULL),
      PITH_OK);
  assert_int_equal(pith_i_fact_count(&p->store, PITH_NONE, PITH_DERIVED), 3);
  pith_i_store_forget(&p->store);
  assert_int_equal(
      pith_i_derive(&p->theory, p->theory.rules.at, 2, &p->store, NULL),
      PITH_OK);
  assert_int_equal(pith_i_fact_count(&p->store, PITH_NONE, PITH_DERIVED), 6);
  pith_i_store_forget(&p->store);
  pith_free(p);
}

/* ---- rules -------------------------------------------------------------- */

typedef struct {
  pith *p;
  pith_i_observations w;
  pith_i_arena arena;
  pith_i_shapes shapes;
  pith_i_mined_rules list;
} mine;

static void mine_begin(mine *m, const char *text, double wrong) {
  pith_i_mining_options opt = {
      .wrong = wrong, .confidence = 1 - wrong, .work = 1000000};
  *m = (mine){.p = read_world(text)};
  m->arena.env = &m->p->env;
  assert_int_equal(
      pith_i_observations_init(&m->w, &m->p->theory, &m->p->store, NULL, NULL),
      PITH_OK);
  assert_int_equal(
      pith_i_shapes_add(&m->arena, &m->p->theory.names, 2, &m->shapes),
      PITH_OK);
  assert_int_equal(
      pith_i_rules_mine(&m->w, &m->arena, &m->shapes, &opt, &m->list), PITH_OK);
}

static void mine_end(mine *m) {
  pith_i_vec_free(&m->p->env, &m->list);
  pith_i_vec_free(&m->p->env, &m->shapes);
  pith_i_observations_free(&m->w);
  pith_i_arena_free(&m->arena);
  pith_free(m->p);
}

static size_t find_text(mine *m, const char *text) {
  for (size_t i = 0; i < m->list.n; i++) {
    pith_out *o;
    assert_int_equal(pith_out_memory(m->p, &o), PITH_OK);
    assert_int_equal(pith_rule_write(m->p, m->list.at[i].rule, o), PITH_OK);
    bool same = strcmp(pith_out_text(o, NULL), text) == 0;
    pith_out_close(o, false);
    if (same)
      return i;
  }
  return SIZE_MAX;
}

static void mined_rules_are_right(void **state) {
  (void)state;
  mine m;
  mine_begin(&m, tower, 0);
  assert_true(find_text(&m, "up(X,Y) :- on(X,Y).") != SIZE_MAX);
  assert_true(find_text(&m, "up(X,Y) :- up(X,Z), up(Z,Y).") != SIZE_MAX);
  assert_true(find_text(&m, "on(X,Y) :- up(X,Y).") == SIZE_MAX);
  for (size_t i = 0; i < m.list.n; i++) {
    const pith_i_mined_rule *r = &m.list.at[i];
    uint64_t wrong, predictions, support;
    assert_int_equal(r->predictions, r->support);
    assert_int_equal(pith_i_rule_count_wrong(&m.w, r->rule, 5, NULL, &wrong),
                     PITH_OK);
    assert_int_equal(wrong, 0);
    assert_int_equal(pith_i_rule_count(&m.w, r->rule, &predictions, &support),
                     PITH_OK);
    assert_int_equal(predictions, r->predictions);
    assert_int_equal(support, r->support);
    for (size_t j = 0; j < i; j++)
      assert_false(pith_i_rule_implies(m.list.at[j].rule, r->rule));
  }
  mine_end(&m);
}

static void mined_rules_may_be_wrong(void **state) {
  (void)state;
  mine m;
  mine_begin(&m, tower, 0.5);
  size_t i = find_text(&m, "on(X,Y) :- up(X,Y).");
  assert_true(i == SIZE_MAX); /* three of six: more than half of on's facts */
  mine_end(&m);
  mine_begin(&m, "a(k). a(l). a(m). b(k). b(l). b(m). b(n).", 0.5);
  i = find_text(&m, "a(X) :- b(X).");
  assert_true(i != SIZE_MAX);
  assert_int_equal(m.list.at[i].predictions, 4);
  assert_int_equal(m.list.at[i].support, 3);
  uint64_t wrong;
  assert_int_equal(
      pith_i_rule_count_wrong(&m.w, m.list.at[i].rule, 5, NULL, &wrong),
      PITH_OK);
  assert_int_equal(wrong, 1);
  mine_end(&m);
}

static void chosen_rules_are_short(void **state) {
  (void)state;
  mine m;
  mine_begin(&m, tower, 0);
  pith_i_choose_options opt = {
      .exception = 2, .seed = 1, .work = 1000000, .rounds = 20};
  pith_i_chooser *c = NULL;
  bool active[256] = {false}, dead[256] = {false};
  double bits, without;
  size_t step = find_text(&m, "up(X,Y) :- on(X,Y).");
  assert_int_equal(pith_i_chooser_new(&m.w, &m.list, &opt, &c), PITH_OK);
  assert_int_equal(pith_i_choose(c, NULL, active, &bits), PITH_OK);
  assert_true(active[step]);
  assert_true(bits < pith_i_observed_bits(&m.w));
  memset(active, 0, sizeof active);
  dead[step] = true;
  assert_int_equal(pith_i_choose(c, dead, active, &without), PITH_OK);
  assert_false(active[step]);
  assert_true(without >= bits);
  pith_i_chooser_free(c);
  mine_end(&m);
}

/* One wrong fact of a leads to three heads that are not facts. */
static void doubts_fall_on_the_cause(void **state) {
  (void)state;
  pith *p = read_world("a(x). a(y). a(z). e(x,1). e(x,2). e(y,3). e(z,4)."
                       "e(z,5). e(z,6). b(1). b(2). b(3).");
  const char *rule = "b(Y) :- a(X), e(X,Y).";
  assert_int_equal(pith_read_text(p, "r", rule, strlen(rule), PITH_PROLOG),
                   PITH_OK);
  pith_i_observations w = {0};
  pith_i_fact_numbers doubts = {0};
  assert_int_equal(
      pith_i_observations_init(&w, &p->theory, &p->store, NULL, NULL), PITH_OK);
  assert_int_equal(
      pith_i_find_doubtful(&w, p->theory.rules.at, 1, NULL, &doubts), PITH_OK);
  assert_int_equal(doubts.n, 1);
  pith_pred a = pith_pred_find(p, "a", 1);
  assert_string_equal(
      pith_sym_text(p, pith_i_observation_args(&w, a, doubts.at[0])[0]), "z");
  pith_i_vec_free(&p->env, &doubts);
  pith_i_observations_free(&w);
  pith_free(p);
}

static void concepts_are_merged_relations(void **state) {
  (void)state;
  pith *p = read_world("mother(a,x). mother(b,y). father(c,x). father(d,y)."
                       "daughter(x,a). daughter(x,c). son(y,b). son(y,d).");
  pith_i_observations w = {0};
  pith_i_arena arena = {.env = &p->env};
  pith_i_store out;
  pith_i_concepts found = {0};
  pith_i_store_init(&out, &p->env);
  assert_int_equal(
      pith_i_observations_init(&w, &p->theory, &p->store, NULL, NULL), PITH_OK);
  assert_int_equal(pith_i_invent(&p->theory, &w, 8, &arena, &out, &found),
                   PITH_OK);
  size_t links = 0, kinds = 0;
  for (size_t i = 0; i < found.n; i++) {
    bool kind = pith_pred_arity(p, found.at[i].pred) == 1;
    kinds += kind;
    links += !kind;
    assert_true(strlen(found.at[i].about) > 0);
    assert_true(pith_i_fact_count(&out, found.at[i].pred, PITH_GIVEN) > 0);
  }
  assert_int_equal(links, 1);
  assert_true(kinds >= 2);
  found.n = 0;
  pith_i_vec_free(&p->env, &found);
  pith_i_store_free(&out);
  pith_i_observations_free(&w);
  pith_i_arena_free(&arena);
  pith_free(p);
}

/* ---- aspects ------------------------------------------------------------ */

/* Some things are red, those of size 4 and more are big, and what is neither
** red nor big is dull; red ones are liked. */
static const char things[] =
    "hue(a,red). hue(b,red). hue(c,red). hue(d,blue). hue(e,blue). hue(f,tan)."
    "size(a,1). size(b,5). size(c,7). size(d,4). size(e,2). size(f,3)."
    "big(b). big(c). big(d). liked(a). liked(b). liked(c)."
    "cost(a,3). cost(b,2). cost(c,9). cost(d,1). cost(e,6). cost(f,8)."
    "near(a,b). near(b,c). near(c,d). seen(a,b). thing(e). thing(f).";

static pith_i_aspect *find_aspect(const pith *p, pith_i_aspects *a,
                                  pith_i_aspect_kind kind, const char *pred,
                                  const char *value) {
  for (size_t i = 0; i < a->list.n; i++) {
    pith_i_aspect *one = &a->list.at[i];
    if (one->kind == kind && strcmp(pith_pred_name(p, one->pred), pred) == 0 &&
        (value == NULL || strcmp(pith_sym_text(p, one->value), value) == 0))
      return one;
  }
  return NULL;
}

static size_t aspect_size(const pith_i_aspects *a,
                          const pith_i_observations *wide,
                          const pith_i_aspect *one) {
  assert_non_null(one);
  return pith_i_observation_count(wide,
                                  a->first + (pith_pred)(one - a->list.at));
}

static void aspects_are_proposed(void **state) {
  (void)state;
  pith *p = read_world(things);
  pith_i_observations w = {0}, wide = {0};
  pith_i_aspects a = {0};
  assert_int_equal(
      pith_i_observations_init(&w, &p->theory, &p->store, NULL, NULL), PITH_OK);
  assert_int_equal(pith_i_aspects_find(&w, NULL, &a), PITH_OK);
  assert_int_equal(pith_i_aspects_observe(&a, &w, &wide), PITH_OK);
  pith_i_aspect *red = find_aspect(p, &a, PITH_I_FIXED, "hue", "red");
  assert_int_equal(aspect_size(&a, &wide, red), 3);
  assert_null(find_aspect(p, &a, PITH_I_FIXED, "hue", "tan")); /* one fact */
  pith_i_aspect *four = find_aspect(p, &a, PITH_I_AT_LEAST, "size", "4");
  assert_int_equal(aspect_size(&a, &wide, four), 3);
  pith_i_aspect *dear = find_aspect(p, &a, PITH_I_GREATER, "cost", NULL);
  assert_int_equal(aspect_size(&a, &wide, dear), 4); /* a, c, e, f */
  pith_i_aspect *unliked = find_aspect(p, &a, PITH_I_ABSENT, "liked", NULL);
  assert_int_equal(aspect_size(&a, &wide, unliked), w.words.constants - 3);
  pith_i_aspect *unseen = find_aspect(p, &a, PITH_I_DIFFERENCE, "near", NULL);
  assert_int_equal(aspect_size(&a, &wide, unseen), 2);
  for (uint32_t f = 0; f < w.n; f++) /* facts keep their numbers */
    for (pith_pred q = 0; q < w.pred_count; q++)
      if (f >= w.base[q] && f < w.base[q + 1])
        assert_int_equal(pith_i_observation_find(
                             &wide, q, pith_i_observation_args(&w, q, f)),
                         f);
  pith_i_aspects_free(&p->env, &a);
  pith_i_observations_free(&wide);
  pith_i_observations_free(&w);
  pith_free(p);
}

/* A rule over each aspect, written out, derives what the aspect holds of. */
static void aspects_are_written_out(void **state) {
  (void)state;
  pith *p = read_world(things);
  pith_i_observations w = {0}, wide = {0};
  pith_i_aspects a = {0};
  pith_i_arena arena = {.env = &p->env};
  assert_int_equal(
      pith_i_observations_init(&w, &p->theory, &p->store, NULL, NULL), PITH_OK);
  assert_int_equal(pith_i_aspects_find(&w, NULL, &a), PITH_OK);
  assert_int_equal(pith_i_aspects_observe(&a, &w, &wide), PITH_OK);
  pith_pred thing = pith_pred_find(p, "thing", 1);
  pith_pred near = pith_pred_find(p, "near", 2),
            hue = pith_pred_find(p, "hue", 2);
  for (size_t i = 0; i < a.list.n; i++) {
    pith_sym names[2] = {0, 0};
    pith_term xy[2] = {PITH_VAR(0), PITH_VAR(1)};
    pith_atom body[2] = {
        {.pred = a.first + (pith_pred)i,
         .arity = a.list.at[i].arity,
         .args = xy},
        {.pred = hue, .arity = 2, .args = xy}}; /* binds X, for absences */
    bool one = a.list.at[i].arity == 1;
    pith_rule rule = {.head = {.pred = one ? thing : near,
                               .arity = body[0].arity,
                               .args = xy},
                      .body = body,
                      .body_len = one ? 2 : 1,
                      .var_count = 2,
                      .var_names = names,
                      .file = PITH_NONE};
    pith_rule *out = pith_i_aspects_expand(&a, &p->theory.names, &rule, &arena);
    uint64_t over, real, support;
    assert_non_null(out);
    assert_int_equal(pith_i_rule_count(&wide, &rule, &over, &support), PITH_OK);
    assert_int_equal(pith_i_rule_count(&w, out, &real, &support), PITH_OK);
    assert_int_equal(over, real);
  }
  pith_i_arena_free(&arena);
  pith_i_aspects_free(&p->env, &a);
  pith_i_observations_free(&wide);
  pith_i_observations_free(&w);
  pith_free(p);
}

/* ---- theories ----------------------------------------------------------- */

static pith_i_compressor begin_compressor(pith *p,
                                          const pith_compress_options *opt) {
  pith_i_compressor c = pith_i_compressor_of(&p->theory, &p->store, opt);
  assert_int_equal(pith_i_take_observations(&c), PITH_OK);
  assert_string_equal(c.best->by, "none");
  assert_true(close_to(c.best->bits, c.before));
  return c;
}

static void end_compressor(pith_i_compressor *c) {
  pith_i_priced_theory_free(c->best);
  pith_i_vec_free(c->env, &c->restarts);
  pith_i_compressor_end(c);
}

/* Wrong rules and rules that do not pay are left out of a proposal. */
static void proposals_are_made_whole(void **state) {
  (void)state;
  char facts[2048];
  make_tower(facts, 8);
  pith *p = read_world(facts), *r = read_world(facts);
  const char *text = "up(X,Y) :- on(X,Y). up(X,Y) :- on(X,Z), up(Z,Y)."
                     "on(X,Y) :- up(X,Y).";
  assert_int_equal(pith_read_text(r, "r", text, strlen(text), PITH_PROLOG),
                   PITH_OK);
  pith_compress_options opt;
  pith_compress_defaults(&opt);
  pith_i_compressor c = begin_compressor(p, &opt);
  pith_i_proposal proposal = {.rules = r->theory.rules.at,
                              .rule_count = r->theory.rules.n,
                              .by = "test"};
  assert_int_equal(pith_i_compress_offer(&c, &proposal), PITH_OK);
  assert_false(pith_i_compressor_info(&c).minimal); /* it may be cut short */
  c.complete = true;
  pith_compress_info i = pith_i_compressor_info(&c);
  assert_string_equal(i.by, "test");
  assert_int_equal(i.rules, 2);
  assert_int_equal(i.core, 7);
  assert_true(i.exact && i.minimal);
  assert_int_equal(i.bound, 7);
  /* as they are, the third and a core too small make exceptions */
  pith_i_store core;
  pith_i_store_init(&core, &p->env);
  pith_pred on = pith_pred_find(p, "on", 2);
  pith_sym ab[2] = {pith_sym_find(p, "a", 1, PITH_NAME),
                    pith_sym_find(p, "b", 1, PITH_NAME)};
  assert_int_equal(pith_i_fact_give(&core, on, 2, ab), PITH_OK);
  assert_int_equal(pith_i_take_as_learned(&c, &proposal, &core), PITH_OK);
  i = pith_i_compressor_info(&c);
  assert_false(i.exact);
  assert_int_equal(i.rules, 3);
  assert_int_equal(i.missing, 7 + 28 - 2);
  pith_i_store_free(&core);
  end_compressor(&c);
  pith_free(p);
  pith_free(r);
}

static void searches_propose(void **state) {
  (void)state;
  pith *p = read_world(tower);
  pith_compress_options opt;
  pith_compress_defaults(&opt);
  pith_i_compressor c = begin_compressor(p, &opt);
  assert_true(close_to(pith_i_exception_price(&c), 2));
  assert_int_equal(pith_i_propose_rules(&c), PITH_OK);
  double bits = c.best->bits;
  assert_true(bits < c.before);
  assert_true(c.considered.n > 0);
  assert_int_equal(pith_i_propose_invented(&c), PITH_OK);
  assert_int_equal(pith_i_propose_doubting(&c), PITH_OK);
  assert_true(c.best->bits <= bits);
  /* there are no templates: nothing to train, and no sentence about it */
  assert_int_equal(pith_i_compress_gradient(&c, false), PITH_OK);
  assert_string_equal(pith_error(p), "");
  assert_int_equal(pith_i_compress_gradient(&c, true), PITH_EINPUT);
  end_compressor(&c);
  pith_free(p);
}

static void certificates_list_everything(void **state) {
  (void)state;
  pith *p = read_world(tower);
  pith_compress_options opt;
  pith_compress_defaults(&opt);
  pith_i_compressor c = begin_compressor(p, &opt);
  assert_int_equal(pith_i_propose_rules(&c), PITH_OK);
  pith_i_certificate what = {.theory = &p->theory,
                             .found = c.best,
                             .rules = c.best->rules.at,
                             .rule_count = c.best->rules.n};
  pith_out *o;
  assert_int_equal(pith_out_memory(p, &o), PITH_OK);
  assert_int_equal(pith_i_certify(&what, o), PITH_OK);
  const char *text = pith_out_text(o, NULL);
  size_t facts = 0, rules = 0;
  for (const char *at = text; (at = strstr(at, "\nfact(")) != NULL; at++)
    facts++;
  for (const char *at = text; (at = strstr(at, "\nholds(f(")) != NULL; at++)
    rules++;
  assert_int_equal(facts, 9);
  assert_int_equal(rules, c.best->rules.n);
  assert_non_null(strstr(text, "#minimize"));
  pith_out_close(o, false);
  end_compressor(&c);
  pith_free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lengths_are_choices),
      cmocka_unit_test(facts_have_numbers),
      cmocka_unit_test(samples_are_closed),
      cmocka_unit_test(hidden_atoms_are_judged),
      cmocka_unit_test(rules_derive),
      cmocka_unit_test(mined_rules_are_right),
      cmocka_unit_test(mined_rules_may_be_wrong),
      cmocka_unit_test(chosen_rules_are_short),
      cmocka_unit_test(doubts_fall_on_the_cause),
      cmocka_unit_test(concepts_are_merged_relations),
      cmocka_unit_test(aspects_are_proposed),
      cmocka_unit_test(aspects_are_written_out),
      cmocka_unit_test(proposals_are_made_whole),
      cmocka_unit_test(searches_propose),
      cmocka_unit_test(certificates_list_everything),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
