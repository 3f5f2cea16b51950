/* The search goes back from the goal: to all matches of rules that give it,
** to the facts these need, and so on to the given facts. Then forward, as
** breadth-first search does: a match counts as soon as all its facts do, and
** the step of a fact is that of its earliest match. What has been derived
** already says which matches there are, so nothing is derived again.
**
** But the facts that could play a part may be too many (all pairs, for
** transitivity over a large graph). Then they are derived again step by step
** instead (replay.h), and only matches by facts of earlier steps are looked
** at; and when these are too many as well, the first of each fact is taken.
** The proof has the fewest steps in any case; only its size may not be the
** smallest. */
#include "logic/proof.h"

#include <assert.h>
#include <string.h>

#include "logic/plan.h"
#include "logic/replay.h"

enum { LINKS = 1 << 20 }; /* between matches and facts; more are too many */

/* A fact that may play a part. */
typedef struct {
  pith_pred pred;
  uint32_t row;   /* in the facts of its predicate              */
  uint32_t step;  /* or PITH_NONE: not settled                  */
  uint32_t match; /* the first of its matches, or PITH_NONE     */
  uint32_t use;   /* the first link that needs it, or PITH_NONE */
  uint32_t best;  /* the match to use, or PITH_NONE             */
  uint32_t node;  /* its number in the proof, or PITH_NONE      */
  uint64_t size;  /* rule uses in its tree; stays at UINT64_MAX */
} fact;

/* A rule and facts that give a fact. */
typedef struct {
  uint32_t fact;
  uint32_t rule;    /* in rules                                      */
  uint32_t next;    /* another match for the same fact, or PITH_NONE */
  uint32_t missing; /* facts that are not settled                    */
  size_t from;      /* its links, one for each atom of the form      */
} match;

typedef struct {
  uint32_t fact, match;
  uint32_t next; /* another link to the same fact, or PITH_NONE */
} link;

typedef struct {
  pith_i_form *form;
  pith_i_plan *plan; /* made when first needed */
  uint32_t next;     /* rule with the same head predicate, or PITH_NONE */
} prover_rule;

/* The facts of a predicate among facts, and its rules. */
typedef struct {
  pith_i_tuples rows;
  PITH_I_VEC(uint32_t) numbers;   /* by row */
  uint32_t first_rule, last_rule; /* or PITH_NONE */
} pred_facts;

typedef enum {
  ALL_MATCHES,     /* of what has been derived             */
  EARLIER_MATCHES, /* by facts of earlier steps; replayed  */
  FIRST_MATCHES    /* the first of these for each fact     */
} search_kind;

typedef struct {
  pith_proof *proof;
  pith_i_env *env;
  const pith_i_theory *theory;
  pith_i_store *store; /* where matches are looked for  */
  search_kind kind;
  pith_i_arena arena;
  PITH_I_VEC(prover_rule) rules;
  pred_facts *known; /* (predicates) */
  size_t pred_count;
  PITH_I_VEC(fact) facts; /* 0 is the goal */
  PITH_I_VEC(match) matches;
  PITH_I_VEC(link) links;
  PITH_I_VEC(uint32_t) order;   /* settled facts, by step */
  uint32_t used;                /* facts in the proof     */
  PITH_I_VEC(pith_atom) absent; /* negated atoms of it, numbered after them */
  uint32_t of, rule;            /* what is being matched  */
  pith_sym *key;                /* (widest atom)          */
} prover;

static pith_i_relation *proof_relation(const prover *v, pith_pred pred) {
  return &v->store->relations.at[pred];
}

static const pith_sym *fact_args(const prover *v, const fact *f) {
  const pith_i_tuples *t = &v->known[f->pred].rows;
  return t->at + (size_t)f->row * t->width;
}

/* ---- back from the goal ---------------------------------------------- */

static pith_status add_proof_fact(prover *v, pith_pred pred,
                                  const pith_sym *args, uint32_t *number) {
  pred_facts *k = &v->known[pred];
  uint32_t row;
  bool added;
  if (!pith_i_room(v->env, &v->facts, 1) ||
      !pith_i_room(v->env, &k->numbers, 1) ||
      pith_i_tuples_add(v->env, &k->rows, args, &row, &added) < 0)
    return PITH_ENOMEM;
  if (added) {
    k->numbers.at[k->numbers.n++] = (uint32_t)v->facts.n;
    v->facts.at[v->facts.n++] = (fact){.pred = pred,
                                       .row = row,
                                       .step = PITH_NONE,
                                       .match = PITH_NONE,
                                       .use = PITH_NONE,
                                       .best = PITH_NONE,
                                       .node = PITH_NONE,
                                       .size = UINT64_MAX};
  }
  *number = k->numbers.at[row];
  return PITH_OK;
}

static pith_status add_link(prover *v, pith_i_plan *plan, uint32_t atom) {
  assert(v->links.n < v->links.cap);
  const pith_i_form_atom *a = &plan->form->atoms[atom];
  uint32_t number;
  for (uint32_t i = 0; i < a->arity; i++)
    v->key[i] = plan->regs[a->regs[i]];
  if (add_proof_fact(v, a->pred, v->key, &number) < 0)
    return PITH_ENOMEM;
  fact *f = &v->facts.at[number];
  v->links.at[v->links.n] = (link){number, (uint32_t)v->matches.n, f->use};
  f->use = (uint32_t)v->links.n++;
  return PITH_OK;
}

static pith_status add_match(void *ctx, pith_i_plan *plan) {
  prover *v = ctx;
  uint32_t atoms = plan->form->atom_count;
  size_t from = v->links.n;
  if (!pith_i_room(v->env, &v->links, atoms) ||
      !pith_i_room(v->env, &v->matches, 1))
    return PITH_ENOMEM;
  for (uint32_t i = 0; i < atoms; i++)
    if (add_link(v, plan, i) < 0)
      return PITH_ENOMEM;
  fact *f = &v->facts.at[v->of];
  v->matches.at[v->matches.n] = (match){v->of, v->rule, f->match, atoms, from};
  f->match = (uint32_t)v->matches.n++;
  return v->kind != FIRST_MATCHES && v->links.n < LINKS ? PITH_OK
                                                        : PITH_STOPPED;
}

static pith_i_plan *plan_of(prover *v, prover_rule *r) {
  if (r->plan == NULL)
    r->plan = pith_i_plan_backwards(&v->arena, v->store, r->form);
  return r->plan;
}

/* Only facts of earlier steps are seen. */
static void hide_later(const prover *v, const fact *f, pith_i_plan *plan) {
  const pith_i_relation *r = proof_relation(v, f->pred);
  uint32_t row = pith_i_tuples_find(&r->rows, fact_args(v, f));
  uint32_t step = pith_i_relation_step(r, row);
  for (uint32_t i = 0; i < plan->step_count; i++)
    plan->steps[i].rel->end = pith_i_relation_end(plan->steps[i].rel, step - 1);
}

/* All ways by which the rule gives the fact. */
static pith_status find_matches(prover *v, uint32_t rule) {
  const fact *f = &v->facts.at[v->of];
  pith_i_plan *plan = plan_of(v, &v->rules.at[rule]);
  if (plan == NULL)
    return PITH_ENOMEM;
  if (!pith_i_plan_set_head(plan, fact_args(v, f)))
    return PITH_OK;
  if (v->kind != ALL_MATCHES)
    hide_later(v, f, plan);
  v->rule = rule;
  pith_i_hooks hooks = {.found = add_match, .ctx = v, .countdown = UINT32_MAX};
  return pith_i_plan_run(plan, &hooks);
}

static pith_status expand_fact(prover *v, uint32_t number) {
  pith_pred pred = v->facts.at[number].pred;
  pith_status rc = PITH_OK;
  v->of = number;
  if (pith_i_fact_given(v->store, pred, fact_args(v, &v->facts.at[number])))
    return PITH_OK;
  for (uint32_t i = v->known[pred].first_rule; rc == PITH_OK && i != PITH_NONE;
       i = v->rules.at[i].next)
    rc = find_matches(v, i);
  return rc;
}

/* PITH_STOPPED: there are too many. */
static pith_status expand_all(prover *v) {
  const pith_atom *goal = &v->proof->goal;
  uint32_t number;
  pith_status rc = add_proof_fact(v, goal->pred, goal->args, &number);
  for (uint32_t i = 0; rc == PITH_OK && i < v->facts.n; i++) {
    rc = expand_fact(v, i);
    if (rc == PITH_STOPPED && v->kind == FIRST_MATCHES)
      rc = PITH_OK;
  }
  return rc;
}

/* ---- forward to the goal --------------------------------------------- */

static void settle_step(prover *v, uint32_t number, uint32_t step) {
  assert(v->order.n <= v->facts.n);
  if (v->facts.at[number].step != PITH_NONE)
    return;
  v->facts.at[number].step = step;
  v->order.at[v->order.n++] = number; /* room was made for all */
}

/* Facts come in the order of their steps, so the last fact that a match needs
** says its step. */
static pith_status settle_all(prover *v) {
  if (!pith_i_room(v->env, &v->order, v->facts.n))
    return PITH_ENOMEM;
  for (uint32_t i = 0; i < v->facts.n; i++)
    if (pith_i_fact_given(v->store, v->facts.at[i].pred,
                          fact_args(v, &v->facts.at[i])))
      settle_step(v, i, 0);
  for (size_t i = 0; i < v->matches.n; i++)
    if (v->matches.at[i].missing == 0)
      settle_step(v, v->matches.at[i].fact, 1);
  for (size_t i = 0; i < v->order.n; i++) {
    const fact *f = &v->facts.at[v->order.at[i]];
    for (uint32_t u = f->use; u != PITH_NONE; u = v->links.at[u].next) {
      match *m = &v->matches.at[v->links.at[u].match];
      if (--m->missing == 0)
        settle_step(v, m->fact, f->step + 1);
    }
  }
  assert(v->facts.at[0].step != PITH_NONE);
  return PITH_OK;
}

/* ---- the choice ------------------------------------------------------ */

static uint32_t from_count(const prover *v, const match *m) {
  return v->rules.at[m->rule].form->atom_count;
}

/* Rule uses in the tree; UINT64_MAX for a match by facts that are too late. */
static uint64_t tree_size(const prover *v, const match *m) {
  assert(v->facts.at[m->fact].step != PITH_NONE);
  uint64_t size = 1;
  for (uint32_t i = 0; i < from_count(v, m); i++) {
    const fact *f = &v->facts.at[v->links.at[m->from + i].fact];
    if (f->step == PITH_NONE || f->step >= v->facts.at[m->fact].step)
      return UINT64_MAX;
    size = f->size >= UINT64_MAX - 1 - size ? UINT64_MAX - 1 : size + f->size;
  }
  return size;
}

/* Matches are listed last first; of equal ones the first found is taken. */
static void choose_smallest_match(prover *v, fact *f) {
  if (f->step == 0)
    f->size = 0;
  for (uint32_t m = f->match; f->step > 0 && m != PITH_NONE;
       m = v->matches.at[m].next) {
    uint64_t size = tree_size(v, &v->matches.at[m]);
    if (size <= f->size && size != UINT64_MAX) {
      f->size = size;
      f->best = m;
    }
  }
}

/* ---- the proof ------------------------------------------------------- */

/* Facts that the chosen matches lead to are numbered from the goal down. */
static void number_used_facts(prover *v) {
  v->facts.at[0].node = 0;
  for (size_t i = v->order.n; i-- > 0;) {
    const fact *f = &v->facts.at[v->order.at[i]];
    if (f->node == PITH_NONE || f->best == PITH_NONE)
      continue;
    const match *m = &v->matches.at[f->best];
    for (uint32_t j = 0; j < from_count(v, m); j++)
      v->facts.at[v->links.at[m->from + j].fact].node = 0;
  }
  uint32_t count = 0;
  for (size_t i = v->order.n; i-- > 0;)
    if (v->facts.at[v->order.at[i]].node != PITH_NONE)
      v->facts.at[v->order.at[i]].node = count++;
  v->used = count;
}

static bool copy_ground_atom(prover *v, const fact *f, pith_atom *out) {
  uint32_t arity = v->known[f->pred].rows.width;
  pith_sym *args =
      pith_i_arena_alloc(&v->proof->arena, arity * sizeof *args + 1);
  if (args == NULL)
    return false;
  if (arity > 0)
    memcpy(args, fact_args(v, f), arity * sizeof *args);
  *out = (pith_atom){.pred = f->pred, .arity = arity, .args = args};
  return true;
}

/* The value of a register in the match: from the head, or from the fact of an
** atom that has it. Of a variable that only the negated atom has: itself. */
static pith_term value_in_match(const prover *v, const match *m, uint32_t reg) {
  const pith_i_form *form = v->rules.at[m->rule].form;
  if (pith_i_is_constant(form, reg))
    return form->constants[reg - form->var_count];
  const pith_sym *head = fact_args(v, &v->facts.at[m->fact]);
  for (uint32_t k = 0; k < form->head.arity; k++)
    if (form->head.regs[k] == reg)
      return head[k];
  for (uint32_t i = 0; i < form->atom_count; i++) {
    const pith_sym *args =
        fact_args(v, &v->facts.at[v->links.at[m->from + i].fact]);
    for (uint32_t k = 0; k < form->atoms[i].arity; k++)
      if (form->atoms[i].regs[k] == reg)
        return args[k];
  }
  assert(form->local[reg]);
  return PITH_VAR(reg);
}

/* The negated atom as the match fills it in becomes a node; its number. */
static pith_status add_absent_node(prover *v, const match *m,
                                   const pith_i_form_atom *a,
                                   uint32_t *number) {
  pith_term *args =
      pith_i_arena_alloc(&v->proof->arena, a->arity * sizeof *args + 1);
  if (args == NULL)
    return PITH_ENOMEM;
  for (uint32_t i = 0; i < a->arity; i++)
    args[i] = value_in_match(v, m, a->regs[i]);
  pith_atom atom = {
      .pred = a->pred, .arity = a->arity, .args = args, .negated = true};
  *number = v->used + (uint32_t)v->absent.n;
  return pith_i_push(v->env, &v->absent, atom) ? PITH_OK : PITH_ENOMEM;
}

/* from (from_count): positive and negated atoms in the order of the body. */
static pith_status fill_from(prover *v, const match *m, uint32_t *from) {
  const pith_i_form *f = v->rules.at[m->rule].form;
  pith_status rc = PITH_OK;
  for (uint32_t i = 0, k = 0, n = 0;
       rc >= 0 && n < f->atom_count + f->negative_count; n++)
    if (k == f->negative_count ||
        (i < f->atom_count && f->atoms[i].place < f->negatives[k].place))
      from[n] = v->facts.at[v->links.at[m->from + i++].fact].node;
    else
      rc = add_absent_node(v, m, &f->negatives[k++], &from[n]);
  return rc;
}

static pith_status add_absent_nodes(prover *v) {
  for (size_t i = 0; i < v->absent.n; i++) {
    pith_i_proof_node node = {.atom = v->absent.at[i]};
    if (!pith_i_push(v->env, &v->proof->nodes, node))
      return PITH_ENOMEM;
  }
  return PITH_OK;
}

static pith_status add_node(prover *v, const fact *f) {
  assert(f->node == v->proof->nodes.n);
  pith_i_proof_node node = {.steps = f->step};
  if (!copy_ground_atom(v, f, &node.atom))
    return PITH_ENOMEM;
  if (f->best != PITH_NONE) {
    const match *m = &v->matches.at[f->best];
    node.rule = v->rules.at[m->rule].form->rule;
    node.from_count =
        from_count(v, m) + v->rules.at[m->rule].form->negative_count;
    uint32_t *from = pith_i_arena_alloc(&v->proof->arena,
                                        node.from_count * sizeof *from + 1);
    if (from == NULL || fill_from(v, m, from) < 0)
      return PITH_ENOMEM;
    node.from = from;
    v->proof->uses++;
  }
  return pith_i_push(v->env, &v->proof->nodes, node) ? PITH_OK : PITH_ENOMEM;
}

static pith_status write_proof(prover *v) {
  pith_status rc = settle_all(v);
  if (rc < 0)
    return rc;
  for (size_t i = 0; i < v->order.n; i++)
    choose_smallest_match(v, &v->facts.at[v->order.at[i]]);
  number_used_facts(v);
  for (size_t i = v->order.n; rc >= 0 && i-- > 0;)
    if (v->facts.at[v->order.at[i]].node != PITH_NONE)
      rc = add_node(v, &v->facts.at[v->order.at[i]]);
  if (rc >= 0)
    rc = add_absent_nodes(v);
  v->proof->holds = true;
  v->proof->steps = v->facts.at[0].step;
  return rc;
}

/* ---- the whole ------------------------------------------------------- */

static pith_status add_prover_rule(prover *v, pith_i_form *form) {
  pred_facts *of = &v->known[form->head.pred];
  uint32_t number = (uint32_t)v->rules.n;
  if (!pith_i_push(v->env, &v->rules,
                   (prover_rule){.form = form, .next = PITH_NONE}))
    return PITH_ENOMEM;
  if (of->first_rule == PITH_NONE)
    of->first_rule = number;
  else
    v->rules.at[of->last_rule].next = number;
  of->last_rule = number;
  return PITH_OK;
}

static pith_status make_prover_rules(prover *v) {
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc >= 0 && i < v->theory->rules.n; i++) {
    pith_i_form *form =
        pith_i_form_new(&v->arena, &v->theory->names, v->theory->rules.at[i]);
    if (form == NULL)
      return PITH_ENOMEM;
    if (!form->never)
      rc = add_prover_rule(v, form);
  }
  return rc;
}

static pith_status make_known(prover *v) {
  const pith_i_names *names = &v->theory->names;
  uint32_t widest = 1;
  v->known = pith_i_zalloc(v->env, names->preds.n, sizeof *v->known);
  if (v->known == NULL)
    return PITH_ENOMEM;
  v->pred_count = names->preds.n;
  for (size_t i = 0; i < v->pred_count; i++) {
    uint32_t arity = names->preds.at[i].arity;
    v->known[i].rows.width = arity;
    v->known[i].first_rule = v->known[i].last_rule = PITH_NONE;
    widest = arity > widest ? arity : widest;
    if (pith_i_relation_get(v->store, (pith_pred)i, arity) == NULL)
      return PITH_ENOMEM;
  }
  v->key = pith_i_alloc(v->env, widest * sizeof *v->key);
  return v->key == NULL ? PITH_ENOMEM : PITH_OK;
}

static void free_prover(prover *v) {
  for (size_t i = 0; i < v->pred_count; i++) {
    pith_i_tuples_free(v->env, &v->known[i].rows);
    pith_i_vec_free(v->env, &v->known[i].numbers);
  }
  pith_i_release(v->env, v->known);
  pith_i_release(v->env, v->key);
  pith_i_vec_free(v->env, &v->rules);
  pith_i_vec_free(v->env, &v->facts);
  pith_i_vec_free(v->env, &v->matches);
  pith_i_vec_free(v->env, &v->links);
  pith_i_vec_free(v->env, &v->order);
  pith_i_vec_free(v->env, &v->absent);
  pith_i_arena_free(&v->arena);
}

/* PITH_STOPPED: too many facts could play a part. */
static pith_status search_proof(pith_proof *proof, const pith_i_theory *theory,
                                pith_i_store *store, search_kind kind) {
  prover v = {.proof = proof,
              .env = proof->env,
              .theory = theory,
              .store = store,
              .kind = kind,
              .arena.env = proof->env};
  pith_status rc = make_known(&v);
  if (rc >= 0)
    rc = make_prover_rules(&v);
  if (rc >= 0)
    rc = expand_all(&v);
  if (rc == PITH_OK)
    rc = write_proof(&v);
  free_prover(&v);
  return rc;
}

static pith_status search_with_steps(pith_proof *proof,
                                     const pith_i_theory *theory,
                                     const pith_i_store *store) {
  pith_i_store steps;
  pith_i_store_init(&steps, proof->env);
  pith_status rc = pith_i_replay(theory, store, &proof->goal, &steps);
  if (rc >= 0) /* stopped at the goal, mostly */
    rc = search_proof(proof, theory, &steps, EARLIER_MATCHES);
  if (rc == PITH_STOPPED)
    rc = search_proof(proof, theory, &steps, FIRST_MATCHES);
  pith_i_store_free(&steps);
  return rc;
}

pith_status pith_i_prove(pith_proof *proof, const pith_i_theory *theory,
                         pith_i_store *store, bool complete) {
  pith_status rc =
      complete ? search_proof(proof, theory, store, ALL_MATCHES) : PITH_STOPPED;
  return rc == PITH_STOPPED ? search_with_steps(proof, theory, store) : rc;
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
  proof->goal =
      (pith_atom){.pred = goal->pred, .arity = goal->arity, .args = args};
  *out = proof;
  return PITH_OK;
}
