#include "learn/clauses/clause_sizes.h"

#include <assert.h>
#include <string.h>

#include "base/tunables.h"
#include "learn/clauses/greedy_bodies.h"
#include "learn/clauses/head_values.h"

void pith_i_exact_free(pith_i_exact *x) {
  pith_i_bodies_free(&x->bodies);
  pith_i_growth_free(&x->growth);
}

static void forget_bodies(pith_i_exact *x) {
  pith_i_bodies_free(&x->bodies);
  x->bodies = (pith_i_bodies){0};
}

void pith_i_exact_forget(pith_i_exact *x) {
  forget_bodies(x);
  pith_i_growth_free(&x->growth);
  x->growth = (pith_i_growth){0};
}

static uint32_t lesser_count(uint32_t a, uint32_t b) { return a < b ? a : b; }

/* A level of growth may use a third of what is left, for the small parts count
** most; putting them together its even share. */
typedef struct {
  uint64_t left;
  uint32_t levels; /* to come */
} work_budget;

static void spend_work(work_budget *p, uint64_t spent) {
  p->left -= spent < p->left ? spent : p->left;
}

/* Once there is a program, the search for a smaller one may cost twice what
** the first did. */
static void limit_work(work_budget *p, uint64_t spent) {
  uint64_t spare = 2 * spent > PITH_TUNE_CLAUSE_SPARE_WORK
                       ? 2 * spent
                       : PITH_TUNE_CLAUSE_SPARE_WORK;
  p->left = p->left < spare ? p->left : spare;
}

/* Copy: the clause vector may be reallocated. */
static void take_set(pith_i_exact *x, const pith_i_set *set) {
  x->set = *set;
  for (uint32_t i = 0; i < set->n; i++) {
    x->chosen[i] = *set->clause[i];
    x->set.clause[i] = &x->chosen[i];
  }
}

static pith_status search_level(pith_i_exact *x, pith_i_sample *m, uint32_t n,
                                work_budget *p) {
  assert(n > 0 && p->levels > 0);
  uint64_t before = m->work;
  x->body = x->bodies.now->space.body = n;
  x->growth.limits.work = before + p->left / 3;
  pith_status rc = pith_i_growth_level(&x->growth, n);
  spend_work(p, m->work - before);
  before = m->work;
  x->bodies.work = before + p->left / (p->levels + 1);
  if (rc >= 0)
    rc = pith_i_bodies_level(&x->bodies, n);
  spend_work(p, m->work - before);
  return rc;
}

static pith_status search_levels(pith_i_exact *x, pith_i_sample *m,
                                 const pith_i_exact_limits *limits,
                                 uint32_t deepest) {
  uint64_t began = m->work;
  work_budget p = {limits->work, deepest};
  pith_status rc = PITH_OK;
  for (uint32_t n = 1; rc >= 0 && n <= deepest; n++, p.levels--) {
    size_t clauses = x->bodies.plain.n + x->bodies.recursive.n;
    bool some = x->set.cost != UINT64_MAX;
    uint64_t below = some ? x->set.cost : limits->below;
    if ((uint64_t)PITH_I_COST * (n + 1) + limits->extra >= below)
      break; /* a program of one such clause is no cheaper */
    if (pith_i_stop_requested(limits->run)) {
      x->cut = true;
      break;
    }
    if (!limits->others && below != UINT64_MAX)
      x->growth.limits.below = x->bodies.below = below;
    rc = search_level(x, m, n, &p);
    if (rc < 0 || x->bodies.plain.n + x->bodies.recursive.n == clauses)
      continue;
    pith_i_set set;
    x->bodies.work = m->work + limits->work / 4;
    rc = pith_i_choose_clauses(&x->bodies, limits->max_rules, below, &set);
    if (rc >= 0 && set.cost != UINT64_MAX) {
      take_set(x, &set);
      if (!some)
        limit_work(&p, m->work - began);
    }
  }
  return rc;
}

/* With long bodies for what is left. */
static pith_status last_resort(pith_i_exact *x, pith_i_sample *m,
                               const pith_i_exact_limits *limits) {
  pith_i_set set;
  x->bodies.work = m->work + limits->work / 2;
  pith_status rc = pith_i_bodies_greedy(
      &x->bodies,
      limits->max_body == 0 ? PITH_I_ATOMS : x->growth.limits.atoms);
  if (rc >= 0)
    rc = pith_i_choose_clauses(&x->bodies, limits->max_rules, limits->below,
                               &set);
  if (rc >= 0 && set.cost != UINT64_MAX)
    take_set(x, &set);
  return rc;
}

void pith_i_exact_prepare(pith_i_exact *x, pith_i_sample *m,
                          const pith_i_exact_limits *limits) {
  uint32_t head = m->space->head;
  uint32_t deepest = limits->max_body == 0
                         ? PITH_TUNE_CLAUSE_DEFAULT_BODY
                         : lesser_count(limits->max_body, PITH_I_ATOMS);
  uint32_t vars = limits->max_vars == 0 ? PITH_I_VARS : limits->max_vars;
  pith_i_grow_limits grow = {.atoms = deepest,
                             .rows = limits->rows,
                             .small_first = limits->small_first,
                             .needed = limits->needed,
                             .whole = limits->whole,
                             .extra = limits->extra,
                             .other = limits->max_rules == 1
                                          ? PITH_I_NO_OTHER
                                          : pith_i_least_clause_cost(m->space),
                             .run = limits->run};
  grow.vars = vars > head ? lesser_count(vars, PITH_I_VARS) - head : 0;
  memset(x, 0, sizeof *x);
  x->set.cost = UINT64_MAX;
  pith_i_growth_init(&x->growth, m, &grow);
  pith_i_bodies_init(&x->bodies, &x->growth);
  x->bodies.max_vars = limits->max_vars;
  x->bodies.max_invented = limits->max_invented;
  x->bodies.now = &limits->run->now;
}

pith_status pith_i_exact_run(pith_i_exact *x, pith_i_sample *m,
                             const pith_i_exact_limits *limits) {
  pith_i_exact_prepare(x, m, limits);
  pith_status rc = search_levels(x, m, limits, x->growth.limits.atoms);
  if (rc >= 0 && limits->last && x->set.cost == UINT64_MAX)
    rc = last_resort(x, m, limits);
  x->full = rc == PITH_ENOMEM && x->set.cost != UINT64_MAX;
  x->cut = x->cut || x->growth.cut || x->bodies.cut || x->full;
  if (!x->full)
    return rc;
  forget_bodies(x); /* there is something to show, and memory for it */
  return PITH_OK;
}

/* ---- rules --------------------------------------------------------------- */

typedef struct {
  uint32_t var[PITH_I_VARS *
               PITH_I_ATOMS]; /* the rule's variable for each, or NONE */
  uint32_t count;
  pith_sym value[PITH_I_PLACES]; /* of each head variable that has one */
} naming;

/* Variables are numbered as they come: the head's, then the others. */
static pith_term name_var(naming *n, uint32_t v) {
  if (v < PITH_I_PLACES && n->value[v] != PITH_NONE)
    return n->value[v];
  if (n->var[v] == PITH_NONE)
    n->var[v] = n->count++;
  return PITH_VAR(n->var[v]);
}

static bool make_clause_atom(pith_i_space *s, const pith_i_lit *lit,
                             uint32_t shift, naming *names, pith_i_arena *arena,
                             pith_atom *out) {
  const pith_i_kind_of_atom *c = &s->choices.at[lit->choice];
  uint32_t head = s->head;
  pith_pred pred;
  pith_term *args = pith_i_arena_alloc(arena, (c->full + 1) * sizeof *args);
  if (args == NULL || pith_i_helper_pred(s, lit->choice, &pred) < 0)
    return false;
  for (uint32_t i = 0; i < c->full; i++)
    args[i] = c->fixed[i];
  for (uint32_t i = 0; i < c->arity; i++)
    args[c->place[i]] =
        name_var(names, lit->arg[i] < head ? lit->arg[i] : lit->arg[i] + shift);
  for (uint32_t i = 0; i < c->full; i++) /* of what is denied for any value */
    if (args[i] == PITH_NONE)
      args[i] = PITH_VAR(names->count++);
  *out = (pith_atom){.pred = pred, .arity = c->full, .args = args};
  out->negated = c->kind == PITH_I_ABSENT_ATOM;
  return true;
}

static void name_head_values(const pith_i_growth *g, const pith_i_clause *c,
                             naming *names) {
  const pith_i_space *s = g->m->space;
  for (uint32_t h = 0; h < s->head; h++)
    names->value[h] = s->given >> h & 1 ? s->given_value[h] : PITH_NONE;
  for (uint32_t i = 0; i < c->part_count; i++) {
    const pith_i_piece *p = &g->parts.at[c->part[i]];
    for (uint32_t k = 0; k < p->n; k++) {
      const pith_i_kind_of_atom *choice =
          &g->m->space->choices.at[p->atoms[k].choice];
      if (pith_i_is_head_value(choice))
        names->value[p->atoms[k].arg[0]] = choice->fixed[1];
    }
  }
}

/* An equality between head variables is expressed by reusing the variable, or
** the value that one of them has. */
static void join_equals(const pith_i_growth *g, const pith_i_clause *c,
                        naming *names) {
  for (uint32_t i = 0; i < c->part_count; i++) {
    const pith_i_lit *lit = &g->parts.at[c->part[i]].atoms[0];
    if (g->m->space->choices.at[lit->choice].kind != PITH_I_EQUAL_ATOM)
      continue;
    pith_sym *one = &names->value[lit->arg[0]];
    pith_sym *other = &names->value[lit->arg[1]];
    if (*one == PITH_NONE && *other == PITH_NONE)
      names->var[lit->arg[1]] = PITH_VAR_INDEX(name_var(names, lit->arg[0]));
    else if (*one == PITH_NONE)
      *one = *other;
    else
      *other = *one;
  }
}

static bool fill_body(const pith_i_growth *g, const pith_i_clause *c,
                      naming *names, pith_i_arena *arena, pith_atom *body,
                      uint32_t *n) {
  pith_i_space *s = g->m->space;
  uint32_t shift = 0;
  for (uint32_t i = 0; i < c->part_count; i++) {
    const pith_i_piece *p = &g->parts.at[c->part[i]];
    for (uint32_t k = 0; k < p->n; k++) {
      const pith_i_kind_of_atom *choice = &s->choices.at[p->atoms[k].choice];
      if (choice->kind != PITH_I_EQUAL_ATOM && !pith_i_is_head_value(choice) &&
          !make_clause_atom(s, &p->atoms[k], shift, names, arena,
                            &body[(*n)++]))
        return false;
    }
    shift += p->vars;
  }
  return true;
}

/* Relations first, then those that the rule is about, as Prolog would call it
** again before it knows what for; lower and upper bounds; what is denied. */
static uint32_t rank_in_body(const pith_rule *rule, const pith_atom *a) {
  return a->negated                     ? 4
         : a->pred == rule->head.pred   ? 1
         : !PITH_IS_COMPARISON(a->pred) ? 0
         : a->pred >= PITH_GREATER      ? 2
                                        : 3;
}

static void move_atom(pith_atom *body, uint32_t from, uint32_t to) {
  assert(to <= from);
  pith_atom a = body[from];
  memmove(&body[to + 1], &body[to], (from - to) * sizeof *body);
  body[to] = a;
}

static uint64_t variables_of(const pith_atom *a) {
  uint64_t set = 0;
  for (uint32_t i = 0; i < a->arity; i++)
    if (PITH_IS_VAR(a->args[i]))
      set |= UINT64_C(1) << PITH_VAR_INDEX(a->args[i]) % 64;
  return set;
}

/* From the variables known on, each atom of those up to `end` has a variable of
** those before it, where there is such a one: p(A,C), p(C,B) and not p(C,B),
** p(A,C), however it was found. */
static uint64_t follow_variables(pith_atom *body, uint32_t first, uint32_t end,
                                 uint64_t known) {
  for (uint32_t i = first; i < end; i++) {
    uint32_t next = i;
    while (next < end && (variables_of(&body[next]) & known) == 0)
      next++;
    if (next < end)
      move_atom(body, next, i);
    known |= variables_of(&body[i]);
  }
  return known;
}

/* Behind the last atom of a rank up to this. */
static uint32_t end_of_rank(const pith_rule *rule, const pith_atom *body,
                            uint32_t rank) {
  uint32_t n = 0;
  while (n < rule->body_len && rank_in_body(rule, &body[n]) <= rank &&
         !pith_i_is_builtin(body[n].pred))
    n++;
  return n;
}

static void order_body(const pith_rule *rule, pith_atom *body) {
  for (uint32_t i = 1; i < rule->body_len; i++) {
    uint32_t to = i;
    while (to > 0 &&
           rank_in_body(rule, &body[to - 1]) > rank_in_body(rule, &body[i]))
      to--;
    move_atom(body, i, to);
  }
  uint32_t relations = end_of_rank(rule, body, 0);
  uint64_t known = 0;
  if (rule->head.arity > 0)
    known = variables_of(&(pith_atom){.arity = 1, .args = rule->head.args});
  known = follow_variables(body, 0, relations, known);
  follow_variables(body, relations, end_of_rank(rule, body, 1), known);
}

static pith_rule *clause_rule(const pith_i_growth *g, const pith_i_clause *c,
                              pith_i_arena *arena) {
  const pith_i_space *s = g->m->space;
  naming names = {.count = 0};
  memset(names.var, 0xff, sizeof names.var);
  memset(names.value, 0xff, sizeof names.value);
  pith_rule *rule = pith_i_arena_alloc(arena, sizeof *rule);
  pith_term *head = pith_i_arena_alloc(arena, (s->head + 1) * sizeof *head);
  pith_atom *body = pith_i_arena_alloc(arena, (c->atoms + 1) * sizeof *body);
  if (rule == NULL || head == NULL || body == NULL)
    return NULL;
  *rule =
      (pith_rule){.head = {.pred = s->target, .arity = s->head, .args = head},
                  .body = body};
  rule->file = PITH_NONE;
  name_head_values(g, c, &names);
  join_equals(g, c, &names);
  for (uint32_t i = 0; i < s->head; i++)
    head[i] = name_var(&names, i);
  if (!fill_body(g, c, &names, arena, body, &rule->body_len))
    return NULL;
  order_body(rule, body);
  rule->var_count = names.count;
  return rule;
}

/* ---- programs ------------------------------------------------------- */

pith_status pith_i_set_rules(const pith_i_growth *g, const pith_i_set *set,
                             pith_i_arena *arena, pith_i_rules *out) {
  pith_status rc = PITH_OK;
  pith_i_helpers needed = {.n = 0};
  out->n = 0;
  for (int recursive = 0; recursive < 2; recursive++)
    for (uint32_t i = 0; i < set->n; i++) {
      if ((set->clause[i]->targets > 0) != recursive)
        continue;
      out->rules[out->n] = clause_rule(g, set->clause[i], arena);
      if (out->rules[out->n++] == NULL)
        return PITH_ENOMEM;
    }
  for (uint32_t i = 0; i < set->n; i++)
    pith_i_clause_helpers(g, set->clause[i], &needed);
  for (uint32_t i = 0; rc >= 0 && i < needed.n; i++)
    rc = pith_i_helper_rules(g->m->space, needed.choice[i], arena, out->rules,
                             &out->n);
  return rc;
}
