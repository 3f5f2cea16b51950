/* The search of clauses from inside: what clauses cost, which parts grow, what
** a bound on the cost leaves out, the programs of one language, and recursion
** by itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/tunables.h"
#include "clause_bench.h"
#include "learn/clauses/clause_cost.h"
#include "learn/clauses/further_sets.h"
#include "learn/clauses/oddness.h"
#include "learn/clauses/ordered_places.h"
#include "learn/clauses/recursion.h"
#include "learn/clauses/transitive.h"

static uint16_t choice_of(const bench *b, const char *name, pith_i_kind kind) {
  for (uint16_t i = 0; i < b->s.choices.n; i++) {
    const pith_i_kind_of_atom *c = &b->s.choices.at[i];
    if (c->kind == kind && c->helper == PITH_I_NO_HELPER &&
        strcmp(pith_pred_name(b->p, c->pred), name) == 0)
      return i;
  }
  fail_msg("no choice %s", name);
  return 0;
}

/* ---- costs --------------------------------------------------------------- */

static const char *const family =
    "mother(ann,bob). father(carl,bob). mother(bea,dan). father(bob,dan)."
    "father(dan,eve). mother(eve,fay). man(bob). man(dan). man(carl)."
    "pos(gp(ann,dan)). pos(gp(carl,dan)). pos(gp(bob,eve)). pos(gp(bea,eve))."
    "pos(gp(dan,fay)). neg(gp(ann,bob)). neg(gp(bob,dan)). neg(gp(dan,ann))."
    "neg(gp(carl,eve)). neg(gp(eve,fay)). neg(gp(bea,fay)).";

/* An atom costs a rule's worth, its lean on the background and its places; the
** target leans on nothing; an invented predicate pays its definition once. */
static void atoms_have_their_price(void **state) {
  (void)state;
  bench b;
  open_bench(&b, family,
             &(pith_i_language){.helpers = true, .recursion = true});
  pith_i_lit atoms[2] = {{.choice = choice_of(&b, "mother", PITH_I_GIVEN_ATOM)},
                         {.choice = choice_of(&b, "gp", PITH_I_TARGET_ATOM)}};
  pith_i_helpers h = {.n = 0};
  uint32_t one = PITH_I_COST + PITH_TUNE_CLAUSE_GIVEN_COST + 2;
  assert_int_equal(pith_i_cost_of_atoms(&b.s, atoms, 1, &h), one);
  assert_int_equal(pith_i_cost_of_atoms(&b.s, atoms, 2, &h),
                   one + PITH_I_COST + 2);
  assert_int_equal(pith_i_cost_of_helpers(&b.s, &h), 0);
  uint32_t invented = 0;
  while (invented < b.s.choices.n &&
         b.s.choices.at[invented].helper == PITH_I_NO_HELPER)
    invented++;
  assert_true(invented < b.s.choices.n);
  atoms[0].choice = atoms[1].choice = (uint16_t)invented;
  pith_i_cost_of_atoms(&b.s, atoms, 2, &h);
  assert_int_equal(h.n, 1);
  assert_int_equal(pith_i_cost_of_helpers(&b.s, &h),
                   PITH_I_COST * pith_i_helper_size(&b.s, invented));
  close_bench(&b);
}

/* From the value of a place back to what has it: parent(C,A) after A's are
** known is a step back where each thing has one value there. */
static void steps_back_are_counted(void **state) {
  (void)state;
  bench b;
  open_bench(&b,
             "next(l1,l2). next(l2,l3). next(l4,l3). last(l3). pos(f(l1))."
             "pos(f(l2)). neg(f(l3)).",
             &(pith_i_language){0});
  uint16_t next = choice_of(&b, "next", PITH_I_GIVEN_ATOM);
  assert_true(b.s.choices.at[next].one_way);
  pith_i_lit forward = {.choice = next, .arg = {0, 1}};
  pith_i_lit backward = {.choice = next, .arg = {1, 0}};
  assert_int_equal(pith_i_backward_oddness(&b.s, &forward, 1), 0);
  assert_int_equal(pith_i_backward_oddness(&b.s, &backward, 1),
                   PITH_I_BACKWARD);
  close_bench(&b);
}

/* Whoever lives in the same town, and whoever also has the same trade. */
static void a_second_shared_value_is_odder(void **state) {
  (void)state;
  bench b;
  open_bench(&b,
             "town(a,x). town(b,x). town(c,y). trade(a,u). trade(b,u)."
             "trade(c,u). pos(f(a)). neg(f(b)).",
             &(pith_i_language){0});
  uint16_t town = choice_of(&b, "town", PITH_I_GIVEN_ATOM);
  uint16_t trade = choice_of(&b, "trade", PITH_I_GIVEN_ATOM);
  pith_i_lit atoms[] = {{.choice = town, .arg = {0, 1}},
                        {.choice = town, .arg = {2, 1}},
                        {.choice = trade, .arg = {0, 3}},
                        {.choice = trade, .arg = {2, 3}}};
  assert_int_equal(pith_i_backward_oddness(&b.s, atoms, 2), PITH_I_BACKWARD);
  assert_int_equal(pith_i_backward_oddness(&b.s, atoms, 4),
                   PITH_I_BACKWARD + PITH_I_DESCRIBED);
  atoms[3].arg[1] = 4; /* some trade */
  assert_int_equal(pith_i_backward_oddness(&b.s, atoms, 4), PITH_I_BACKWARD);
  close_bench(&b);
}

/* Another row that shares a value with one is odd; one of the same thing is
** not. */
static void another_row_is_odd(void **state) {
  (void)state;
  bench b;
  open_bench(&b,
             "event(a,1,open). event(a,2,shut). event(b,3,open). pos(f(a))."
             "neg(f(b)).",
             &(pith_i_language){0});
  uint16_t event = choice_of(&b, "event", PITH_I_GIVEN_ATOM);
  pith_i_lit atoms[] = {{.choice = event, .arg = {0, 1, 2}},
                        {.choice = event, .arg = {3, 4, 2}}};
  assert_int_equal(pith_i_backward_oddness(&b.s, atoms, 2), PITH_I_BACKWARD);
  atoms[1] = (pith_i_lit){.choice = event, .arg = {0, 3, 2}};
  assert_int_equal(pith_i_backward_oddness(&b.s, atoms, 2), 0);
  close_bench(&b);
}

/* Numbers that are quantities can be compared, names cannot. */
static void quantities_have_an_order(void **state) {
  (void)state;
  bench b;
  open_bench(&b, "age(ann,30). age(bob,12). pos(f(ann)). neg(f(bob)).",
             &(pith_i_language){.comparisons = true});
  assert_true(pith_i_space_has_order(&b.s));
  close_bench(&b);
  open_bench(&b, family, &(pith_i_language){.comparisons = true});
  assert_false(pith_i_space_has_order(&b.s));
  close_bench(&b);
}

/* ---- parts --------------------------------------------------------------- */

/* Parts of two atoms at most that are grown; *single: those of one. */
static size_t count_parts(bench *b, uint64_t below, uint64_t other,
                          size_t *single) {
  const uint32_t atoms = 2;
  pith_i_growth g;
  pith_i_grow_limits limits = {.atoms = atoms,
                               .vars = 3,
                               .work = 1000000,
                               .rows = 100000,
                               .below = below,
                               .other = other,
                               .run = &b->run};
  pith_i_growth_init(&g, &b->m, &limits);
  for (uint32_t n = 1; n <= atoms; n++)
    assert_int_equal(pith_i_growth_level(&g, n), PITH_OK);
  for (size_t i = 0; i < g.parts.n; i++) {
    const pith_i_piece *p = &g.parts.at[i];
    pith_i_helpers h = {.n = 0};
    assert_true(p->pos > 0 && p->pos <= b->s.positives);
    assert_int_equal(p->pos, pith_i_count_bits(p->cover, b->m.pos_words));
    uint64_t beside = p->pos < b->s.positives ? other : 0;
    assert_true(below == 0 ||
                PITH_I_COST + pith_i_cost_of_atoms(&b->s, p->atoms, p->n, &h) +
                        beside <
                    below);
  }
  size_t n = g.parts.n;
  *single = g.level[1].n;
  assert_false(g.cut);
  pith_i_growth_free(&g);
  return n;
}

/* A bound on the cost keeps exactly the parts that cost less: here those of one
** atom. */
static void dear_parts_do_not_grow(void **state) {
  (void)state;
  bench b;
  open_bench(&b, family, &(pith_i_language){0});
  size_t single, again, all = count_parts(&b, 0, 0, &single);
  assert_true(single > 0 && single < all);
  assert_int_equal(count_parts(&b, 3 * PITH_I_COST, 0, &again), single);
  assert_int_equal(again, single);
  assert_int_equal(count_parts(&b, 9 * PITH_I_COST, 0, &again), all);
  assert_int_equal(count_parts(&b, 2 * PITH_I_COST, 0, &again), 0);
  close_bench(&b);
}

/* A clause that leaves a positive example uncovered needs another beside it: of
** two rules, one for q and one for r, neither is kept where one rule has to do,
** or where two cost too much. */
static void parts_need_company(void **state) {
  (void)state;
  bench b;
  size_t single;
  open_bench(&b,
             "q(a). q(b). r(c). s(a). s(b). s(c). s(d). pos(f(a)). pos(f(b))."
             "pos(f(c)). neg(f(d)).",
             &(pith_i_language){0});
  uint64_t two = 5 * PITH_I_COST, three = 7 * PITH_I_COST;
  assert_int_equal(count_parts(&b, three, 0, &single), 3);
  assert_int_equal(count_parts(&b, two, 2 * PITH_I_COST, &single), 3);
  assert_int_equal(count_parts(&b, 4 * PITH_I_COST, 2 * PITH_I_COST, &single),
                   1);
  assert_int_equal(count_parts(&b, three, PITH_I_NO_OTHER, &single), 1);
  pith_i_exact x;
  pith_i_exact_limits limits = no_limits(&b);
  limits.below = two;
  assert_int_equal(pith_i_exact_run(&x, &b.m, &limits), PITH_OK);
  assert_int_equal(x.set.n, 2);
  pith_i_exact_free(&x);
  limits.max_rules = 1;
  assert_int_equal(pith_i_exact_run(&x, &b.m, &limits), PITH_OK);
  assert_int_equal(x.set.n, 0);
  pith_i_exact_free(&x);
  close_bench(&b);
}

/* ---- programs of one language -------------------------------------------- */

static const char *const grandparents =
    "gp(A,B) :- mother(A,C), father(C,B).\n"
    "gp(A,B) :- father(A,C), father(C,B).\n"
    "gp(A,B) :- father(A,C), mother(C,B).\n";

static pith_status count_set(void *ctx, const pith_i_set *set) {
  assert_true(set->n > 0);
  ++*(uint32_t *)ctx;
  return PITH_OK;
}

/* Found without a bound, and with one just above its cost; not with its cost
** as the bound. Other sets are offered only where they are asked for. */
static void finds_the_cheapest_set(void **state) {
  (void)state;
  bench b;
  pith_i_exact x;
  pith_i_rules rules;
  open_bench(&b, family, &(pith_i_language){0});
  pith_i_exact_limits limits = no_limits(&b);
  assert_int_equal(pith_i_exact_run(&x, &b.m, &limits), PITH_OK);
  uint64_t cost = x.set.cost;
  assert_true(cost != UINT64_MAX && !x.cut && !x.full);
  assert_int_equal(pith_i_set_rules(&x.growth, &x.set, &b.arena, &rules),
                   PITH_OK);
  check_rules_text(&b, &rules, grandparents);
  assert_int_equal(pith_i_set_invented(&x.bodies, &x.set), 0);
  assert_true(pith_i_set_allowed(&x.bodies, &x.set));
  uint32_t visited = 0;
  assert_int_equal(pith_i_exact_others(&x, &limits, 10, count_set, &visited),
                   PITH_OK);
  assert_true(visited <= 20);
  pith_i_exact_free(&x);
  limits.below = cost + 1;
  assert_int_equal(pith_i_exact_run(&x, &b.m, &limits), PITH_OK);
  assert_int_equal(x.set.cost, cost);
  pith_i_exact_forget(&x);
  assert_int_equal(x.set.cost, cost);
  limits.below = cost;
  assert_int_equal(pith_i_exact_run(&x, &b.m, &limits), PITH_OK);
  assert_true(x.set.cost == UINT64_MAX);
  pith_i_exact_free(&x);
  close_bench(&b);
}

/* ---- recursion by itself ------------------------------------------------- */

static const char *const steps =
    "e(a,b). e(b,c). e(c,d). e(d,g). e(x,y). pos(r(a,d)). pos(r(b,g))."
    "pos(r(a,b)). pos(r(c,g)). neg(r(a,x)). neg(r(d,a)). neg(r(x,b))."
    "neg(r(g,c)).";

/* The same bound for recursion: its cost is found below cost + 1 and not below
** cost. */
static void recursion_keeps_its_bound(void **state) {
  (void)state;
  uint64_t cost = UINT64_MAX;
  for (int round = 0; round < 3; round++) {
    bench b;
    pith_i_recursion_found found;
    open_bench(&b, steps, &(pith_i_language){0});
    pith_i_exact_limits limits = no_limits(&b);
    limits.below = round == 0 ? UINT64_MAX : round == 1 ? cost + 1 : cost;
    assert_int_equal(pith_i_recursion_run(&b.s, &limits, 1, &b.arena, &found),
                     PITH_OK);
    if (round < 2)
      check_rules_text(&b, &found.rules,
                       "r(A,B) :- e(A,B).\nr(A,B) :- e(A,C), r(C,B).\n");
    else
      assert_int_equal(found.rules.n, 0);
    assert_true(round != 1 || found.cost == cost);
    cost = round == 0 ? found.cost : cost;
    close_bench(&b);
  }
  assert_true(cost > 5 * PITH_I_COST && cost < 6 * PITH_I_COST);
}

/* Both ways along e: two base rules and one that is transitive. */
static void closure_of_two_rules(void **state) {
  (void)state;
  bench b;
  pith_i_rules rules;
  uint64_t cost;
  uint32_t odd;
  open_bench(&b,
             "e(a,b). e(c,b). e(c,d). e(x,y). e(z,y). e(w,z)."
             "pos(k(a,d)). pos(k(d,a)). pos(k(b,d)). pos(k(x,w)). pos(k(y,w))."
             "neg(k(a,x)). neg(k(y,b)). neg(k(d,z)). neg(k(w,c)).",
             &(pith_i_language){0});
  pith_i_exact_limits limits = no_limits(&b);
  assert_int_equal(
      pith_i_transitive_run(&b.s, &limits, &b.arena, &rules, &cost, &odd),
      PITH_OK);
  check_rules_text(&b, &rules,
                   "k(A,B) :- e(A,B).\nk(A,B) :- e(B,A).\n"
                   "k(A,B) :- k(A,C), k(C,B).\n");
  limits.below = cost;
  assert_int_equal(
      pith_i_transitive_run(&b.s, &limits, &b.arena, &rules, &cost, &odd),
      PITH_OK);
  assert_int_equal(rules.n, 0);
  close_bench(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(atoms_have_their_price),
      cmocka_unit_test(steps_back_are_counted),
      cmocka_unit_test(a_second_shared_value_is_odder),
      cmocka_unit_test(another_row_is_odd),
      cmocka_unit_test(quantities_have_an_order),
      cmocka_unit_test(dear_parts_do_not_grow),
      cmocka_unit_test(parts_need_company),
      cmocka_unit_test(finds_the_cheapest_set),
      cmocka_unit_test(recursion_keeps_its_bound),
      cmocka_unit_test(closure_of_two_rules),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
