#include "logic/proof.h"

#include <assert.h>
#include <string.h>

#include "logic/closure.h"
#include "logic/plan.h"

/* After so many matches only the first of each fact is kept: the proof then
** still has the fewest steps, but may be larger than it need be. */
enum { MATCHES = 1 << 18 };

/* A fact that the proof may use. */
typedef struct {
  uint32_t step;
  uint32_t match; /* the first of its matches, or PITH_NONE     */
  uint32_t best;  /* the one to use                             */
  uint32_t node;  /* its number in the proof, or PITH_NONE      */
  uint64_t size;  /* rule uses in its tree; stays at UINT64_MAX */
} fact;

/* A rule and facts that give a fact. */
typedef struct {
  uint32_t rule; /* in rules */
  uint32_t next; /* another match for the same fact, or PITH_NONE */
  size_t from;   /* in links: the numbers of the facts            */
} match;

typedef struct {
  pith_i_form *form;
  pith_i_plan *plan; /* made when first needed */
} prover_rule;

typedef struct {
  pith_proof *proof;
  pith_i_env *env;
  pith_i_arena arena;
  pith_i_store steps; /* the facts, step by step */
  bool *wanted;       /* (predicates) that the goal depends on */
  PITH_I_VEC(prover_rule) rules;
  pith_i_tuples keys; /* (predicate, row): row number = number of the fact */
  PITH_I_VEC(fact) facts;
  PITH_I_VEC(match) matches;
  PITH_I_VEC(uint32_t) links;
  uint32_t *order;   /* (facts.n) by step */
  uint32_t of, rule; /* what is being matched */
} prover;

/* ---- the facts, step by step ----------------------------------------- */

/* The predicates that pred depends on, itself among them. */
static void find_wanted(prover *v, const pith_i_theory *t, pith_pred pred) {
  v->wanted[pred] = true;
  for (bool any = true; any;) {
    any = false;
    for (size_t i = 0; i < t->rules.n; i++) {
      const pith_rule *r = t->rules.at[i];
      for (uint32_t j = 0; v->wanted[r->head.pred] && j < r->body_len; j++) {
        any |= !v->wanted[r->body[j].pred];
        v->wanted[r->body[j].pred] = true;
      }
    }
  }
}

static pith_status copy_given(prover *v, const pith_i_store *store) {
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc >= 0 && i < store->relations.n; i++) {
    const pith_i_relation *r = &store->relations.at[i];
    for (size_t row = 0; rc >= 0 && v->wanted[i] && row < r->given; row++)
      rc = pith_i_fact_give(&v->steps, (pith_pred)i, r->rows.width,
                            r->rows.at + row * r->rows.width);
  }
  return rc;
}

static pith_status infer_steps(prover *v, const pith_i_theory *theory) {
  pith_i_closure_options opt = {
      .record = true, .until = &v->proof->goal, .wanted = v->wanted};
  return pith_i_closure(theory, &v->steps, &opt, NULL);
}

/* ---- matches --------------------------------------------------------- */

static pith_i_relation *relation(prover *v, pith_pred pred) {
  return &v->steps.relations.at[pred];
}

static pith_status add_fact(prover *v, pith_pred pred, uint32_t row,
                            uint32_t *number) {
  if (!pith_i_room(v->env, &v->facts, 1))
    return PITH_ENOMEM;
  uint32_t key[2] = {pred, row};
  bool added;
  pith_status rc = pith_i_tuples_add(v->env, &v->keys, key, number, &added);
  if (rc >= 0 && added)
    v->facts.at[v->facts.n++] =
        (fact){.step = pith_i_relation_step(relation(v, pred), row),
               .match = PITH_NONE,
               .best = PITH_NONE,
               .node = PITH_NONE,
               .size = UINT64_MAX};
  return rc;
}

/* The rule's atoms are matched by the rows in plan->steps. */
static pith_status add_match(void *ctx, pith_i_plan *plan) {
  prover *v = ctx;
  size_t from = v->links.n;
  if (!pith_i_room(v->env, &v->links, plan->step_count) ||
      !pith_i_room(v->env, &v->matches, 1))
    return PITH_ENOMEM;
  v->links.n += plan->step_count;
  for (uint32_t i = 0; i < plan->step_count; i++) {
    const pith_i_step *s = &plan->steps[i];
    uint32_t number;
    if (add_fact(v, plan->form->atoms[s->atom].pred, s->row, &number) < 0)
      return PITH_ENOMEM;
    v->links.at[from + s->atom] = number;
  }
  fact *f = &v->facts.at[v->of];
  v->matches.at[v->matches.n] = (match){v->rule, f->match, from};
  f->match = (uint32_t)v->matches.n++;
  return v->matches.n < MATCHES ? PITH_OK : PITH_STOPPED;
}

static pith_i_plan *plan_of(prover *v, prover_rule *r) {
  const pith_i_form *f = r->form;
  if (r->plan != NULL)
    return r->plan;
  pith_i_relation **relations =
      pith_i_arena_alloc(&v->arena, (f->atom_count + 1) * sizeof *relations);
  if (relations == NULL)
    return NULL;
  for (uint32_t i = 0; i < f->atom_count; i++)
    relations[i] = relation(v, f->atoms[i].pred);
  r->plan = pith_i_plan_new(&v->arena, f,
                            &(pith_i_plan_spec){.relations = relations,
                                                .first = PITH_NONE,
                                                .bound = f->head.regs,
                                                .bound_count = f->head.arity,
                                                .every_match = true});
  return r->plan;
}

/* All ways by which the rule gives the fact from those of earlier steps. */
static pith_status find_matches(prover *v, uint32_t rule, pith_pred pred,
                                uint32_t row) {
  pith_i_plan *plan = plan_of(v, &v->rules.at[rule]);
  if (plan == NULL)
    return PITH_ENOMEM;
  const pith_i_relation *r = relation(v, pred);
  if (!pith_i_plan_set_head(plan, r->rows.at + (size_t)row * r->rows.width))
    return PITH_OK;
  uint32_t before = v->facts.at[v->of].step - 1;
  for (uint32_t i = 0; i < plan->step_count; i++)
    plan->steps[i].rel->end = pith_i_relation_end(plan->steps[i].rel, before);
  v->rule = rule;
  pith_i_hooks hooks = {.found = add_match, .ctx = v, .countdown = UINT32_MAX};
  return pith_i_plan_run(plan, &hooks);
}

/* Every derived fact has at least one match; when too many have been seen,
** the first is enough. */
static pith_status expand(prover *v, uint32_t number) {
  pith_pred pred = v->keys.at[2 * (size_t)number];
  uint32_t row = v->keys.at[2 * (size_t)number + 1];
  pith_status rc = PITH_OK;
  v->of = number;
  if (v->facts.at[number].step == 0)
    return PITH_OK;
  for (uint32_t i = 0; rc == PITH_OK && i < v->rules.n; i++)
    if (v->rules.at[i].form->head.pred == pred)
      rc = find_matches(v, i, pred, row);
  assert(rc < 0 || v->facts.at[number].match != PITH_NONE);
  return rc < 0 ? rc : PITH_OK;
}

static pith_status expand_all(prover *v) {
  const pith_atom *goal = &v->proof->goal;
  uint32_t row = pith_i_tuples_find(&relation(v, goal->pred)->rows, goal->args);
  uint32_t number;
  assert(row != PITH_NONE);
  pith_status rc = add_fact(v, goal->pred, row, &number);
  for (uint32_t i = 0; rc >= 0 && i < v->facts.n; i++)
    rc = expand(v, i);
  return rc;
}

/* ---- the choice ------------------------------------------------------ */

/* Sorts the facts by step, which is below their number of steps. */
static pith_status sort_facts(prover *v) {
  uint32_t steps = v->facts.at[0].step + 1;
  size_t *at = pith_i_zalloc(v->env, (size_t)steps + 1, sizeof *at);
  v->order = pith_i_alloc(v->env, v->facts.n * sizeof *v->order);
  if (at != NULL && v->order != NULL) {
    for (size_t i = 0; i < v->facts.n; i++)
      at[v->facts.at[i].step + 1]++;
    for (uint32_t i = 1; i <= steps; i++)
      at[i] += at[i - 1];
    for (size_t i = 0; i < v->facts.n; i++)
      v->order[at[v->facts.at[i].step]++] = (uint32_t)i;
  }
  pith_status rc = at == NULL || v->order == NULL ? PITH_ENOMEM : PITH_OK;
  pith_i_release(v->env, at);
  return rc;
}

static uint32_t from_count(const prover *v, const match *m) {
  return v->rules.at[m->rule].form->atom_count;
}

static uint64_t tree_size(const prover *v, const match *m) {
  uint64_t size = 1;
  for (uint32_t i = 0; i < from_count(v, m); i++) {
    uint64_t part = v->facts.at[v->links.at[m->from + i]].size;
    size = part > UINT64_MAX - size ? UINT64_MAX : size + part;
  }
  return size;
}

/* Matches are listed last first; of equal ones the first found is taken. */
static void choose(prover *v, fact *f) {
  if (f->step == 0)
    f->size = 0;
  for (uint32_t m = f->match; m != PITH_NONE; m = v->matches.at[m].next) {
    uint64_t size = tree_size(v, &v->matches.at[m]);
    if (size <= f->size) {
      f->size = size;
      f->best = m;
    }
  }
}

/* ---- the proof ------------------------------------------------------- */

/* Facts that the chosen matches lead to are numbered from the goal down. */
static void mark_used(prover *v) {
  v->facts.at[0].node = 0;
  for (size_t i = v->facts.n; i-- > 0;) {
    const fact *f = &v->facts.at[v->order[i]];
    if (f->node == PITH_NONE || f->best == PITH_NONE)
      continue;
    const match *m = &v->matches.at[f->best];
    for (uint32_t j = 0; j < from_count(v, m); j++)
      v->facts.at[v->links.at[m->from + j]].node = 0;
  }
  uint32_t count = 0;
  for (size_t i = v->facts.n; i-- > 0;)
    if (v->facts.at[v->order[i]].node != PITH_NONE)
      v->facts.at[v->order[i]].node = count++;
}

static bool copy_atom(prover *v, uint32_t number, pith_atom *out) {
  pith_pred pred = v->keys.at[2 * (size_t)number];
  const pith_i_tuples *t = &relation(v, pred)->rows;
  pith_sym *args =
      pith_i_arena_alloc(&v->proof->arena, t->width * sizeof *args + 1);
  if (args == NULL)
    return false;
  size_t row = v->keys.at[2 * (size_t)number + 1];
  if (t->width > 0)
    memcpy(args, t->at + row * t->width, t->width * sizeof *args);
  *out = (pith_atom){pred, t->width, args};
  return true;
}

static pith_status add_node(prover *v, uint32_t number) {
  const fact *f = &v->facts.at[number];
  pith_i_proof_node node = {.steps = f->step};
  if (!copy_atom(v, number, &node.atom))
    return PITH_ENOMEM;
  if (f->best != PITH_NONE) {
    const match *m = &v->matches.at[f->best];
    node.rule = v->rules.at[m->rule].form->rule;
    node.from_count = from_count(v, m);
    uint32_t *from = pith_i_arena_alloc(&v->proof->arena,
                                        node.from_count * sizeof *from + 1);
    if (from == NULL)
      return PITH_ENOMEM;
    for (uint32_t i = 0; i < node.from_count; i++)
      from[i] = v->facts.at[v->links.at[m->from + i]].node;
    node.from = from;
    v->proof->uses++;
  }
  return pith_i_push(v->env, &v->proof->nodes, node) ? PITH_OK : PITH_ENOMEM;
}

static pith_status write_proof(prover *v) {
  pith_status rc = sort_facts(v);
  if (rc < 0)
    return rc;
  for (size_t i = 0; i < v->facts.n; i++)
    choose(v, &v->facts.at[v->order[i]]);
  mark_used(v);
  for (size_t i = v->facts.n; rc >= 0 && i-- > 0;)
    if (v->facts.at[v->order[i]].node != PITH_NONE)
      rc = add_node(v, v->order[i]);
  v->proof->holds = true;
  v->proof->steps = v->facts.at[0].step;
  return rc;
}

/* ---- the whole ------------------------------------------------------- */

static pith_status make_rules(prover *v, const pith_i_theory *theory) {
  for (size_t i = 0; i < theory->rules.n; i++) {
    if (!v->wanted[theory->rules.at[i]->head.pred])
      continue;
    prover_rule r = {pith_i_form_new(&v->arena, theory->rules.at[i]), NULL};
    if (r.form == NULL ||
        (!r.form->never && !pith_i_push(v->env, &v->rules, r)))
      return PITH_ENOMEM;
  }
  return PITH_OK;
}

static void free_prover(prover *v) {
  pith_i_store_free(&v->steps);
  pith_i_release(v->env, v->wanted);
  pith_i_release(v->env, v->order);
  pith_i_tuples_free(v->env, &v->keys);
  pith_i_vec_free(v->env, &v->rules);
  pith_i_vec_free(v->env, &v->facts);
  pith_i_vec_free(v->env, &v->matches);
  pith_i_vec_free(v->env, &v->links);
  pith_i_arena_free(&v->arena);
}

static pith_status search(prover *v, const pith_i_theory *theory,
                          const pith_i_store *store) {
  v->wanted = pith_i_zalloc(v->env, theory->names.preds.n, sizeof *v->wanted);
  if (v->wanted == NULL)
    return PITH_ENOMEM;
  find_wanted(v, theory, v->proof->goal.pred);
  pith_status rc = copy_given(v, store);
  if (rc >= 0)
    rc = infer_steps(v, theory);
  if (rc >= 0)
    rc = make_rules(v, theory);
  if (rc >= 0)
    rc = expand_all(v);
  return rc < 0 ? rc : write_proof(v);
}

pith_status pith_i_prove(pith_proof *proof, const pith_i_theory *theory,
                         const pith_i_store *store) {
  prover v = {.proof = proof, .env = proof->env};
  v.arena.env = v.env;
  v.keys.width = 2;
  pith_i_store_init(&v.steps, v.env);
  pith_status rc = search(&v, theory, store);
  free_prover(&v);
  return rc;
}

pith_status pith_i_proof_new(pith_i_env *env, const pith_atom *goal,
                             pith_proof **out) {
  pith_proof *proof = pith_i_zalloc(env, 1, sizeof *proof);
  if (proof == NULL)
    return PITH_ENOMEM;
  proof->env = env;
  proof->arena.env = env;
  pith_sym *args =
      pith_i_arena_alloc(&proof->arena, goal->arity * sizeof *args + 1);
  if (args == NULL) {
    pith_i_release(env, proof);
    return PITH_ENOMEM;
  }
  if (goal->arity > 0)
    memcpy(args, goal->args, goal->arity * sizeof *args);
  proof->goal = (pith_atom){goal->pred, goal->arity, args};
  *out = proof;
  return PITH_OK;
}
