#include "learn/clauses/goal_graph.h"

#include <assert.h>
#include <string.h>

#include "base/hash.h"
#include "base/tunables.h"
#include "learn/clauses/part_calls.h"
#include "task/call_order.h"

typedef pith_i_goal_graph graph;
typedef pith_i_recursive_step step;

/* The step that is being made, and the expansion of goals by it. */
typedef struct {
  graph *g;
  const pith_i_goal_limits *limits;
  step s;
  uint32_t domain[PITH_I_VARS]; /* of each variable, with the head's */
  uint32_t roots[PITH_I_VARS];  /* head variables it hangs on, as bits */
  uint32_t callable; /* variables, as bits, that calls on the inputs give */
  bool directed;     /* the target has directions */
  bool crossed;      /* only such steps now, or only others */
  uint64_t work;
  PITH_I_VEC(uint32_t) edges, queue;
  PITH_I_VEC(uint32_t) seen;     /* (goals) in which expansion, last */
  uint32_t expansion;            /* number of the one at hand */
  pith_i_tuples known;           /* hashes of edge lists */
  uint32_t binding[PITH_I_VARS]; /* while a goal is expanded */
  uint32_t from;                 /* it */
  uint32_t deepest;              /* atoms of a step, now */
  size_t most;                   /* steps, now */
} maker;

void pith_i_goal_graph_free(pith_i_goal_graph *g) {
  if (g->space == NULL)
    return;
  pith_i_tuples_free(g->space->env, &g->goals);
  pith_i_vec_free(g->space->env, &g->steps);
  pith_i_arena_free(&g->arena);
}

/* ---- from a goal to the next --------------------------------------------- */

/* Notes that one goal leads to another; most goals lead to few. */
static pith_status add_edge(maker *k, uint32_t to) {
  pith_i_env *env = k->g->space->env;
  for (size_t i = k->edges.n; i > 0 && k->edges.at[i - 2] == k->from; i -= 2)
    if (k->edges.at[i - 1] == to)
      return PITH_OK;
  if (!pith_i_push(env, &k->edges, k->from) || !pith_i_push(env, &k->edges, to))
    return PITH_ENOMEM;
  return PITH_OK;
}

static pith_status reach_goal(maker *k) {
  pith_i_env *env = k->g->space->env;
  uint32_t key[PITH_I_PLACES], row;
  for (uint32_t i = 0; i < k->g->space->head; i++)
    key[i] = k->binding[k->s.goal[i]];
  pith_status rc = pith_i_tuples_add(env, &k->g->goals, key, &row, NULL);
  while (rc >= 0 && k->seen.n < k->g->goals.n)
    rc = pith_i_push(env, &k->seen, 0) ? PITH_OK : PITH_ENOMEM;
  if (rc < 0 || row == k->from) /* what it needs itself is no proof */
    return rc;
  if (k->seen.at[row] != k->expansion) {
    k->seen.at[row] = k->expansion;
    if (!pith_i_push(env, &k->queue, row))
      return PITH_ENOMEM;
  }
  return add_edge(k, row);
}

static bool is_too_much(const maker *k) {
  return k->queue.n > k->limits->goals ||
         k->edges.n > (size_t)16 * k->limits->goals ||
         k->g->goals.n > k->limits->all_goals || k->work > k->limits->work;
}

static pith_status match_atoms(maker *k, uint32_t i, uint32_t bound);

/* The fact gives the atom's new variables their values. */
static bool bind_fresh(maker *k, const pith_i_lit *atom, uint32_t arity,
                       uint32_t bound, const uint32_t *fact, uint32_t *after) {
  *after = bound;
  for (uint32_t p = 0; p < arity; p++) {
    uint32_t v = atom->arg[p];
    if (v < bound)
      continue;
    if (v < *after && k->binding[v] != fact[p])
      return false;
    k->binding[v] = fact[p];
    *after = v >= *after ? v + 1 : *after;
  }
  return true;
}

static pith_status match_facts(maker *k, uint32_t i, uint32_t bound,
                               const pith_i_index *index, const uint32_t *key) {
  const pith_i_lit *atom = &k->s.atoms[i];
  const pith_i_relation *r = &k->g->space->store.relations.at[atom->choice];
  pith_status rc = PITH_OK;
  uint32_t at = pith_i_index_find(index, &r->rows, key), after;
  for (; rc >= 0 && at != PITH_NONE && !is_too_much(k); at = index->next[at]) {
    k->work++;
    if (bind_fresh(k, atom, r->rows.width, bound,
                   r->rows.at + (size_t)at * r->rows.width, &after))
      rc = match_atoms(k, i + 1, after);
  }
  return rc;
}

/* All ways to match the atoms from the i-th on; bound: variables so far. */
static pith_status match_atoms(maker *k, uint32_t i, uint32_t bound) {
  uint32_t columns[PITH_I_PLACES], key[PITH_I_PLACES], n = 0;
  if (i == k->s.n)
    return reach_goal(k);
  const pith_i_lit *atom = &k->s.atoms[i];
  pith_i_relation *r = &k->g->space->store.relations.at[atom->choice];
  if (r->rows.n == 0)
    return PITH_OK;
  for (uint32_t p = 0; p < r->rows.width; p++)
    if (atom->arg[p] < bound) {
      columns[n] = p;
      key[n++] = k->binding[atom->arg[p]];
    }
  assert(n > 0 && n < r->rows.width); /* it hangs on something, and leads on */
  pith_i_index *index;
  pith_status rc =
      pith_i_relation_index(k->g->space->env, r, columns, n, &index);
  return rc < 0 ? rc : match_facts(k, i, bound, index, key);
}

/* Expansions start from the examples. */
static pith_status start_expansion(maker *k) {
  k->edges.n = k->queue.n = 0;
  k->expansion++;
  for (uint32_t i = 0; i < k->g->space->examples; i++) {
    k->seen.at[i] = k->expansion;
    if (!pith_i_push(k->g->space->env, &k->queue, i))
      return PITH_ENOMEM;
  }
  return PITH_OK;
}

static pith_status expand_goal(maker *k, uint32_t goal) {
  uint32_t head = k->g->space->head;
  k->from = goal;
  k->work++;
  memcpy(k->binding, k->g->goals.at + (size_t)goal * head,
         head * sizeof *k->binding);
  return match_atoms(k, 0, head);
}

/* All goals that the examples lead to. */
static pith_status expand_examples(maker *k) {
  pith_status rc = start_expansion(k);
  for (size_t i = 0; rc >= 0 && i < k->queue.n && !is_too_much(k); i++)
    rc = expand_goal(k, k->queue.at[i]);
  return rc;
}

static uint64_t hash_edge_set(const maker *k) {
  uint64_t sum = k->edges.n;
  for (size_t i = 0; i < k->edges.n; i += 2)
    sum += pith_i_mix(pith_i_mix(k->edges.at[i], 1), k->edges.at[i + 1]);
  return sum;
}

/* Whether some positive example leads anywhere. */
static bool serves_positives(const maker *k) {
  for (size_t i = 0; i < k->edges.n; i += 2)
    if (k->edges.at[i] < k->g->space->positives)
      return true;
  return false;
}

/* Keeps the step unless another leads from and to the same. */
static pith_status keep_step(maker *k) {
  graph *g = k->g;
  pith_i_env *env = g->space->env;
  uint64_t h = hash_edge_set(k);
  uint32_t key[2] = {(uint32_t)h, (uint32_t)(h >> 32)};
  bool fresh;
  pith_status rc = pith_i_tuples_add(env, &k->known, key, NULL, &fresh);
  if (rc < 0 || !fresh)
    return rc;
  step s = k->s;
  s.edge_count = k->edges.n / 2;
  s.edges = pith_i_arena_alloc(&g->arena, k->edges.n * sizeof *s.edges);
  if (s.edges == NULL)
    return PITH_ENOMEM;
  memcpy(s.edges, k->edges.at, k->edges.n * sizeof *s.edges);
  return pith_i_push(env, &g->steps, s) ? PITH_OK : PITH_ENOMEM;
}

/* Goals of a step that is not kept are forgotten. */
static pith_status finish_step(maker *k) {
  size_t goals = k->g->goals.n, steps = k->g->steps.n;
  pith_status rc = expand_examples(k);
  k->g->cut = k->g->cut || is_too_much(k);
  if (rc >= 0 && !is_too_much(k) && serves_positives(k))
    rc = keep_step(k);
  if (k->g->steps.n == steps) {
    pith_i_tuples_cut(&k->g->goals, goals);
    k->seen.n = k->seen.n < goals ? k->seen.n : goals;
  }
  return rc;
}

/* ---- all steps --------------------------------------------------------- */

static bool uses_variable(const maker *k, uint32_t from, uint32_t v) {
  for (uint32_t i = from; i < k->s.n; i++) {
    uint32_t arity = k->g->space->choices.at[k->s.atoms[i].choice].arity;
    for (uint32_t p = 0; p < arity; p++)
      if (k->s.atoms[i].arg[p] == v)
        return true;
  }
  for (uint32_t p = 0; from <= k->s.n && p < k->g->space->head; p++)
    if (k->s.goal[p] == v)
      return true;
  return false;
}

/* Whether each atom brings a variable that is used after it. */
static bool leads_on(const maker *k) {
  uint32_t bound = k->g->space->head;
  for (uint32_t i = 0; i < k->s.n; i++) {
    uint32_t after = bound, arity;
    bool used = false;
    arity = k->g->space->choices.at[k->s.atoms[i].choice].arity;
    for (uint32_t p = 0; p < arity; p++)
      after = k->s.atoms[i].arg[p] >= after ? k->s.atoms[i].arg[p] + 1u : after;
    for (uint32_t v = bound; v < after; v++)
      used = used || uses_variable(k, i + 1, v);
    if (!used)
      return false;
    bound = after;
  }
  return true;
}

/* Whether a place of the choice may hold what both domains have. */
static bool joins_domains(const pith_i_space *s, const pith_i_kind_of_atom *c,
                          uint32_t a, uint32_t b) {
  for (uint32_t p = 0; c->kind <= PITH_I_OPEN_ATOM && p < c->arity; p++)
    if (pith_i_may_meet(s, a, c->domain[p]) &&
        pith_i_may_meet(s, c->domain[p], b))
      return true;
  return false;
}

/* The next goal may have things that no example has: the rest of a list is a
** list, though only whole lists have labels. Some place of a relation has both;
** those of builtin predicates take anything and say nothing. */
static bool are_of_one_kind(const pith_i_space *s, uint32_t a, uint32_t b) {
  bool same = pith_i_may_meet(s, a, b);
  for (size_t c = 0; c < s->choices.n && !same; c++)
    same = joins_domains(s, &s->choices.at[c], a, b);
  return same;
}

static pith_status choose_goal(maker *k, uint32_t place) {
  const pith_i_space *s = k->g->space;
  pith_status rc = PITH_OK;
  if (place == s->head) {
    bool itself = true, crossed = false;
    for (uint32_t p = 0; p < s->head; p++) {
      itself = itself && k->s.goal[p] == p;
      crossed = crossed || !(k->roots[k->s.goal[p]] >> p & 1);
    }
    if (crossed != k->crossed)
      return PITH_OK;
    k->s.crossed = crossed;
    bool enough = k->g->steps.n >= k->most || k->work > k->limits->work ||
                  pith_i_stop_requested(k->limits->run);
    k->g->cut = k->g->cut || enough;
    return itself || enough || !leads_on(k) ||
                   !pith_i_rule_can_be_called(s, k->s.atoms, k->s.n, k->s.goal)
               ? PITH_OK
               : finish_step(k);
  }
  for (uint32_t v = 0; rc >= 0 && v < s->head + k->s.vars; v++) {
    if (!are_of_one_kind(s, k->domain[v], s->head_domain[place]))
      continue;
    k->s.goal[place] = (uint8_t)v;
    rc = choose_goal(k, place + 1);
  }
  return rc;
}

/* Atoms that do not hang on the one before come in the order of their
** choices, so that each set of atoms comes once. */
static bool is_in_order(const maker *k) {
  const pith_i_space *s = k->g->space;
  if (k->s.n < 2)
    return true;
  const pith_i_lit *a = &k->s.atoms[k->s.n - 2], *b = a + 1;
  uint32_t before = s->head + pith_i_lits_vars(s, k->s.atoms, k->s.n - 2);
  for (uint32_t p = 0; p < s->choices.at[b->choice].arity; p++)
    if (b->arg[p] >= before && b->arg[p] < before + PITH_I_VARS)
      for (uint32_t q = 0; q < s->choices.at[a->choice].arity; q++)
        if (a->arg[q] == b->arg[p])
          return true;
  return a->choice <= b->choice;
}

/* The new variables of the last atom hang on what its others hang on. */
static void find_roots(maker *k, uint32_t before) {
  const pith_i_lit *atom = &k->s.atoms[k->s.n - 1];
  uint32_t roots = 0;
  for (uint32_t p = 0; p < k->g->space->choices.at[atom->choice].arity; p++)
    if (atom->arg[p] < before)
      roots |= k->roots[atom->arg[p]];
  for (uint32_t v = before; v < k->g->space->head + k->s.vars; v++)
    k->roots[v] = roots;
}

/* Whether bias.pl's directions let the last atom be called, and then what it
** gives: now, with all inputs there, or after the next goal, being what leads
** from there to something that is wanted. */
static bool follow_directions(maker *k, uint32_t before) {
  const pith_i_space *s = k->g->space;
  const pith_i_lit *atom = &k->s.atoms[k->s.n - 1];
  const pith_i_kind_of_atom *c = &s->choices.at[atom->choice];
  const pith_i_names *names = &s->worlds[0].theory->names;
  bool now = true, wanted = false;
  uint32_t all = 0;
  for (uint32_t p = 0; p < c->arity; p++) {
    uint32_t bit = UINT32_C(1) << atom->arg[p];
    bool input = pith_i_is_input(names, c->pred, c->place[p]);
    all |= bit;
    now = now && (!input || (k->callable & bit) != 0);
    wanted =
        wanted || (!input && atom->arg[p] < before && (k->callable & bit) == 0);
  }
  k->callable |= now ? all : 0;
  return now || wanted;
}

static pith_status add_step_atom(maker *k);

/* The atom's places, each with a variable that is there or a new one. */
static pith_status fill_places(maker *k, uint32_t place, uint32_t before,
                               bool hangs) {
  const pith_i_space *s = k->g->space;
  pith_i_lit *atom = &k->s.atoms[k->s.n - 1];
  const pith_i_kind_of_atom *c = &s->choices.at[atom->choice];
  pith_status rc = PITH_OK;
  if (place == c->arity) {
    if (!hangs || s->head + k->s.vars == before || !is_in_order(k))
      return PITH_OK;
    uint32_t callable = k->callable;
    if (k->directed && !follow_directions(k, before))
      return PITH_OK;
    find_roots(k, before);
    rc = k->s.n < k->deepest ? add_step_atom(k) : choose_goal(k, 0);
    k->callable = callable;
    return rc;
  }
  uint32_t only = pith_i_only_variable(s, c->domain[place]);
  for (uint32_t v = 0; rc >= 0 && v < before; v++)
    if ((only == PITH_NONE || only == v) &&
        pith_i_may_meet(s, k->domain[v], c->domain[place])) {
      atom->arg[place] = (uint8_t)v;
      rc = fill_places(k, place + 1, before, true);
    }
  if (rc >= 0 && only == PITH_NONE && s->head + k->s.vars + 1 < PITH_I_VARS) {
    atom->arg[place] = (uint8_t)(s->head + k->s.vars);
    k->domain[atom->arg[place]] = c->domain[place];
    k->s.vars++;
    rc = fill_places(k, place + 1, before, hangs);
    k->s.vars--;
  }
  return rc;
}

static bool may_step(const pith_i_kind_of_atom *c) {
  return c->kind == PITH_I_GIVEN_ATOM && c->arity >= 2 &&
         c->arity <= PITH_I_NARROW && c->arity == c->full;
}

static pith_status add_step_atom(maker *k) {
  const pith_i_space *s = k->g->space;
  pith_status rc = PITH_OK;
  uint32_t before = s->head + k->s.vars;
  k->s.n++;
  for (uint32_t c = 0; rc >= 0 && c < s->choices.n; c++) {
    if (!may_step(&s->choices.at[c]))
      continue;
    k->s.atoms[k->s.n - 1].choice = (uint16_t)c;
    rc = fill_places(k, 0, before, false);
  }
  k->s.n--;
  return rc;
}

/* Arguments mostly keep to their places: the rest of the list that was the
** first argument is the first again. Such steps come first; the others are
** many, so only short ones are made. */
static pith_status make_steps(maker *k) {
  pith_status rc = PITH_OK;
  for (int crossed = 0; rc >= 0 && crossed < 2; crossed++) {
    uint32_t longest = PITH_I_STEP_ATOMS - !k->directed;
    uint32_t most = crossed ? longest - k->g->space->head / 2 : longest;
    most = k->limits->atoms[crossed] < most ? k->limits->atoms[crossed] : most;
    k->crossed = crossed;
    k->most = crossed ? PITH_TUNE_GOAL_STEPS : PITH_TUNE_GOAL_STEPS / 2;
    rc = choose_goal(k, 0);
    for (k->deepest = 1; rc >= 0 && k->deepest <= most; k->deepest++)
      rc = add_step_atom(k);
  }
  return rc;
}

/* ---- steps that mix ------------------------------------------------------ */

/* Two recursive rules lead to goals that neither leads to alone. So steps that
** keep arguments to their places are expanded together once more, if that does
** not lead too far. */
static bool may_mix(const step *s, uint32_t atoms) {
  return s->n <= atoms && !s->crossed;
}

/* The goals that all such steps lead to, into the queue. */
static pith_status find_mixed_goals(maker *k, uint32_t atoms) {
  pith_status rc = start_expansion(k);
  for (size_t i = 0; rc >= 0 && i < k->queue.n && !is_too_much(k); i++)
    for (size_t s = 0; rc >= 0 && s < k->g->steps.n; s++) {
      k->s = k->g->steps.at[s];
      k->edges.n = 0;
      if (may_mix(&k->s, atoms))
        rc = expand_goal(k, k->queue.at[i]);
    }
  return rc;
}

/* The step's edges from all goals of the queue, which are closed under it. */
static pith_status expand_step(maker *k, step *s) {
  size_t goals = k->queue.n;
  pith_status rc = PITH_OK;
  k->edges.n = 0;
  k->s = *s;
  for (size_t i = 0; rc >= 0 && i < goals; i++)
    rc = expand_goal(k, k->queue.at[i]);
  assert(rc < 0 || k->queue.n == goals);
  uint32_t *edges =
      pith_i_arena_alloc(&k->g->arena, (k->edges.n + 1) * sizeof *edges);
  if (rc < 0 || edges == NULL)
    return rc < 0 ? rc : PITH_ENOMEM;
  memcpy(edges, k->edges.at, k->edges.n * sizeof *edges);
  s->edges = edges;
  s->edge_count = k->edges.n / 2;
  return PITH_OK;
}

static pith_status mix_steps(maker *k) {
  /* Directions leave few steps, so that long ones may mix too. */
  uint32_t most = k->directed ? 3 : 2;
  for (uint32_t atoms = most; atoms > 0; atoms--) {
    size_t goals = k->g->goals.n;
    pith_status rc = find_mixed_goals(k, atoms);
    bool whole = rc >= 0 && !is_too_much(k);
    for (size_t s = 0; whole && rc >= 0 && s < k->g->steps.n; s++)
      if (may_mix(&k->g->steps.at[s], atoms))
        rc = expand_step(k, &k->g->steps.at[s]);
    if (rc < 0 || whole)
      return rc;
    pith_i_tuples_cut(&k->g->goals, goals);
    k->seen.n = k->seen.n < goals ? k->seen.n : goals;
  }
  return PITH_OK;
}

pith_status pith_i_goal_graph_init(pith_i_goal_graph *g, pith_i_space *s,
                                   const pith_i_goal_limits *limits) {
  *g = (pith_i_goal_graph){.space = s, .arena = {.env = s->env}};
  maker k = {.g = g, .limits = limits, .known = {.width = 2}};
  pith_status rc = PITH_OK;
  g->goals.width = s->head;
  memcpy(k.domain, s->head_domain, s->head * sizeof *k.domain);
  k.directed = pith_i_space_has_directions(s);
  for (uint32_t p = 0; p < s->head; p++) {
    k.roots[p] = UINT32_C(1) << p;
    if (pith_i_is_input(&s->worlds[0].theory->names, s->target, p))
      k.callable |= UINT32_C(1) << p;
  }
  for (uint32_t i = 0; rc >= 0 && i < s->examples; i++) {
    rc = pith_i_tuples_add(s->env, &g->goals, s->args + (size_t)i * s->head,
                           NULL, NULL);
    if (rc >= 0 && !pith_i_push(s->env, &k.seen, 0))
      rc = PITH_ENOMEM;
  }
  assert(rc < 0 || g->goals.n == s->examples);
  if (rc >= 0)
    rc = make_steps(&k);
  k.work = 0;
  if (rc >= 0)
    rc = mix_steps(&k);
  pith_i_vec_free(s->env, &k.edges);
  pith_i_vec_free(s->env, &k.queue);
  pith_i_vec_free(s->env, &k.seen);
  pith_i_tuples_free(s->env, &k.known);
  return rc;
}
