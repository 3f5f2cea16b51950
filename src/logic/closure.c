#include "logic/closure.h"

#include <assert.h>
#include <string.h>

#include "logic/dense.h"
#include "logic/due_plans.h"
#include "logic/plan.h"
#include "logic/product.h"
#include "logic/strata.h"

/* Bits pay when there are many facts for the number of constants: at one fact
** in 160 pairs a matrix takes about the memory of rows. Where the last round
** added a third of all facts there will soon be many, so it is done earlier. */
enum {
  PAIRS_A_FACT = 160,
  PAIRS_A_FACT_GROWING = 1024,
  FACTS_FOR_BITS = 10000,
  CONSTANTS_FOR_BITS = 65536
};

/* Where steps count, rows are kept beside the bits, and a round goes through
** all of a matrix. */
enum { PAIRS_A_FACT_BY_STEP = 64 };

enum { BATCH = 32 };

/* Of a rule with more atoms that grow, a plan for each would be too many. */
enum { MANY_GROWING_ATOMS = 64 };

typedef PITH_I_VEC(pith_i_plan *) plan_list;
typedef PITH_I_VEC(pith_pred) pred_list;
typedef PITH_I_VEC(uint32_t) index_list;

/* Chains among the rules, and whether to evaluate them with bits. */
typedef struct {
  PITH_I_VEC(pith_i_chain) chains;
  bool possible;
  size_t constants;      /* 0: not yet counted */
  uint64_t other_inputs; /* facts of other components; 0: not yet counted */
} bits_chance;

typedef struct {
  const pith_i_closure_options *opt;
  pith_i_env *env;
  pith_i_strata g;
  pith_i_hooks hooks;
  double start, shown; /* when it began; when progress was last told */
  uint32_t polls;
  uint32_t rounds; /* that added something */
  bool trial;      /* end at the first new fact, and do not add it */
  pith_sym *key;   /* (widest head) */
  pith_sym *batch; /* (BATCH, arity of the head) found, not yet added */
  uint32_t batch_n;
  /* the component at hand */
  pith_i_form **forms; /* (form_count) */
  size_t form_count;
  pred_list heads;
  size_t facts;       /* of the heads                                */
  bool *growing;      /* (predicates) is one of heads                */
  uint32_t *place;    /* (predicates) of those that grow, in heads   */
  index_list fresh;   /* places in heads of what has new facts       */
  index_list touched; /* and of what has facts for the next round    */
  pith_i_arena arena;
  plan_list plans;      /* one for each atom that grows */
  index_list waits_for; /* (plans) the place of the head; heads.n: none */
  pith_i_due_plans due;
  size_t planned; /* facts when they were made    */
  bits_chance bits;
  pith_i_product *product; /* evaluates the chains of bits, or NULL */
} closure;

static pith_i_relation *relation_in(const closure *c, pith_pred pred) {
  return pith_i_strata_relation(&c->g, pred);
}

/* ---- time and progress ----------------------------------------------- */

/* At most ten times a second: a round may be short. */
static void show_closure_progress(closure *c) {
  pith_i_run *run = c->opt->run;
  if (run == NULL || run->user.progress == NULL)
    return;
  double now = pith_i_now();
  if (now - c->shown < 0.1)
    return;
  c->shown = now;
  run->now.facts = pith_i_fact_count(c->g.store, PITH_NONE, PITH_ALL);
  run->now.steps = c->rounds;
  pith_i_run_report(run);
}

static pith_status poll_closure(void *ctx) {
  closure *c = ctx;
  uint64_t most = c->opt->facts;
  pith_status rc = pith_i_call_poll(c->env);
  if (rc < 0)
    return rc;
  show_closure_progress(c);
  bool full =
      most > 0 && pith_i_fact_count(c->g.store, PITH_NONE, PITH_ALL) > most;
  return full || pith_i_stop_requested(c->opt->run) ? PITH_STOPPED : PITH_OK;
}

/* For loops whose turns are short. */
static pith_status poll_rarely(void *ctx) {
  closure *c = ctx;
  return ++c->polls % 256 == 0 ? poll_closure(c) : PITH_OK;
}

/* ---- matches --------------------------------------------------------- */

static void set_head_key(const closure *c, const pith_i_plan *plan) {
  const pith_i_form_atom *head = &plan->form->head;
  for (uint32_t i = 0; i < head->arity; i++)
    c->key[i] = plan->regs[head->regs[i]];
}

static bool is_known_head(void *ctx, pith_i_plan *plan) {
  closure *c = ctx;
  set_head_key(c, plan);
  return pith_i_tuples_find(&relation_in(c, plan->form->head.pred)->rows,
                            c->key) != PITH_NONE;
}

/* Adds n facts of a head, and notes that the head has some for the next round:
** when the first of them come. */
static pith_status add_head_facts(closure *c, pith_pred head,
                                  const pith_sym *args, size_t n) {
  pith_i_relation *r = relation_in(c, head);
  size_t before = r->rows.n;
  assert(c->growing[head] && before >= r->end);
  pith_status rc = pith_i_tuples_grow(c->env, &r->rows, n, c->opt->run);
  for (size_t i = 0; rc == PITH_OK && i < n; i++)
    rc = pith_i_tuples_add(c->env, &r->rows, args + i * r->rows.width, NULL,
                           NULL);
  c->facts += r->rows.n - before;
  if (rc != PITH_OK || before > r->end || r->rows.n == before)
    return rc;
  return pith_i_push(c->env, &c->touched, c->place[head]) ? rc : PITH_ENOMEM;
}

static pith_status flush_batch(closure *c, const pith_i_plan *plan) {
  assert(c->batch_n <= BATCH);
  size_t n = c->batch_n;
  c->batch_n = 0;
  return n == 0 ? PITH_OK
                : add_head_facts(c, plan->form->head.pred, c->batch, n);
}

/* The place of a fact in a large table is seldom in the cache; so a few are
** collected, each asked for ahead, and then added together. */
static pith_status batch_fact(void *ctx, pith_i_plan *plan) {
  closure *c = ctx;
  assert(c->batch_n < BATCH);
  const pith_i_form_atom *head = &plan->form->head;
  if (c->trial)
    return is_known_head(c, plan) ? PITH_OK : PITH_STOPPED;
  pith_sym *key = c->batch + (size_t)c->batch_n++ * head->arity;
  for (uint32_t i = 0; i < head->arity; i++)
    key[i] = plan->regs[head->regs[i]];
  pith_i_tuples_expect(&relation_in(c, head->pred)->rows, key);
  return c->batch_n < BATCH ? PITH_OK : flush_batch(c, plan);
}

static pith_status run_plan(closure *c, pith_i_plan *plan) {
  pith_status rc = pith_i_plan_refresh(plan, c->opt->run);
  if (rc == PITH_OK)
    rc = pith_i_plan_run(plan, &c->hooks);
  pith_status added = flush_batch(c, plan);
  return rc < 0 || added == PITH_OK ? rc : added;
}

/* ---- plans ----------------------------------------------------------- */

/* New facts for atom `first`, old ones for the atoms before it: so a match is
** found once, by its first new fact. PITH_NONE: all facts for all atoms. */
static pith_i_plan *plan_form(closure *c, const pith_i_form *f,
                              uint32_t first) {
  assert(first == PITH_NONE || first < f->atom_count);
  pith_i_relation **relations =
      pith_i_arena_alloc(&c->arena, (f->atom_count + 1) * sizeof *relations);
  pith_i_view *views =
      pith_i_arena_alloc(&c->arena, (f->atom_count + 1) * sizeof *views);
  bool *growing =
      pith_i_arena_alloc(&c->arena, (f->atom_count + 1) * sizeof *growing);
  pith_i_relation **absent =
      pith_i_arena_alloc(&c->arena, (f->negative_count + 1) * sizeof *absent);
  if (relations == NULL || views == NULL || growing == NULL || absent == NULL)
    return NULL;
  for (uint32_t i = 0; i < f->negative_count; i++) {
    assert(!c->growing[f->negatives[i].pred]);
    absent[i] = relation_in(c, f->negatives[i].pred);
  }
  for (uint32_t i = 0; i < f->atom_count; i++) {
    relations[i] = relation_in(c, f->atoms[i].pred);
    growing[i] = c->growing[f->atoms[i].pred] && first != PITH_NONE;
    views[i] = PITH_I_ALL_ROWS;
    if (first != PITH_NONE && c->growing[f->atoms[i].pred] && i <= first)
      views[i] = i == first ? PITH_I_NEW : PITH_I_OLD;
  }
  return pith_i_plan_new(&c->arena, f,
                         &(pith_i_plan_spec){.relations = relations,
                                             .views = views,
                                             .absent = absent,
                                             .absent_view = PITH_I_WHOLE,
                                             .growing = growing,
                                             .first = first,
                                             .stale = true});
}

static size_t count_head_facts(const closure *c) {
  size_t n = 0;
  for (size_t i = 0; i < c->heads.n; i++)
    n += relation_in(c, c->heads.at[i])->rows.n;
  return n;
}

static uint32_t count_growing_atoms(const closure *c, const pith_i_form *f) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < f->atom_count; i++)
    n += c->growing[f->atoms[i].pred];
  return n;
}

/* first as in plan_form. */
static pith_status add_round_plan(closure *c, const pith_i_form *f,
                                  uint32_t first) {
  pith_i_plan *plan = plan_form(c, f, first);
  uint32_t head = first == PITH_NONE ? (uint32_t)c->heads.n
                                     : c->place[f->atoms[first].pred];
  return plan != NULL && pith_i_push(c->env, &c->plans, plan) &&
                 pith_i_push(c->env, &c->waits_for, head)
             ? PITH_OK
             : PITH_ENOMEM;
}

/* One for each atom that grows; or one that matches all facts again. */
static pith_status add_round_plans(closure *c, const pith_i_form *f) {
  uint32_t growing = count_growing_atoms(c, f);
  pith_status rc = PITH_OK;
  if (growing > MANY_GROWING_ATOMS)
    return add_round_plan(c, f, PITH_NONE);
  for (uint32_t j = 0; rc >= 0 && growing > 0 && j < f->atom_count; j++)
    if (c->growing[f->atoms[j].pred])
      rc = add_round_plan(c, f, j);
  return rc;
}

static pith_status make_plans(closure *c) {
  pith_status rc = PITH_OK;
  c->plans.n = c->waits_for.n = 0;
  pith_i_arena_free(&c->arena);
  for (size_t i = 0; rc >= 0 && i < c->form_count; i++)
    rc = add_round_plans(c, c->forms[i]);
  c->planned = c->facts;
  return rc < 0 ? rc
                : pith_i_due_plans_sort(&c->due, &c->arena, c->waits_for.at,
                                        c->plans.n, c->heads.n);
}

/* ---- bits ------------------------------------------------------------ */

/* Whether the form is a chain; then the chain is in the list. */
static pith_status note_chain_form(closure *c, pith_i_form *f) {
  size_t n = f->atom_count + 1;
  pith_i_link *links = pith_i_arena_alloc(&c->g.arena, n * sizeof *links);
  uint32_t *scratch = pith_i_arena_alloc(&c->g.arena, n * sizeof *scratch);
  if (links == NULL || scratch == NULL)
    return PITH_ENOMEM;
  f->chain = pith_i_form_chain(f, links, scratch);
  if (!f->chain)
    return PITH_OK;
  pith_i_chain chain = {f->head.pred, f->atom_count, links};
  return pith_i_push(c->env, &c->bits.chains, chain) ? PITH_OK : PITH_ENOMEM;
}

static void begin_bits(closure *c) {
  c->bits.chains.n = c->bits.constants = 0;
  c->bits.other_inputs = 0;
  c->bits.possible = c->opt->bits != PITH_I_BITS_NEVER;
}

/* Moves the chains among the first n forms behind the others, whose number it
** sets; each keep their order. */
static pith_status move_chains(closure *c, size_t n, size_t *rest) {
  pith_i_form **chains =
      pith_i_arena_alloc(&c->g.arena, n * sizeof *chains + 1);
  size_t moved = 0;
  *rest = 0;
  if (chains == NULL)
    return PITH_ENOMEM;
  for (size_t i = 0; i < n; i++)
    if (c->forms[i]->chain)
      chains[moved++] = c->forms[i];
    else
      c->forms[(*rest)++] = c->forms[i];
  memcpy(c->forms + *rest, chains, moved * sizeof *chains);
  return PITH_OK;
}

/* Chains are moved to the end of the forms; the rest fire once, before. */
static pith_status find_chains(closure *c, size_t *rest) {
  bits_chance *b = &c->bits;
  size_t n = 0;
  begin_bits(c);
  while (b->possible && n < c->form_count) {
    pith_i_form *f = c->forms[n++];
    if (note_chain_form(c, f) < 0)
      return PITH_ENOMEM;
    b->possible =
        f->chain || (count_growing_atoms(c, f) == 0 && f->head.arity == 2);
  }
  if (move_chains(c, n, rest) < 0)
    return PITH_ENOMEM;
  for (size_t i = 0; i < c->heads.n; i++)
    b->possible &= relation_in(c, c->heads.at[i])->rows.width == 2;
  b->possible &= b->chains.n > 0;
  return PITH_OK;
}

/* Facts that the chains start from, beside the heads'; half of all that there
** can be if some are bits. */
static uint64_t count_other_inputs(const closure *c) {
  const bits_chance *b = &c->bits;
  uint64_t n = 1;
  for (size_t i = 0; i < b->chains.n; i++)
    for (uint32_t j = 0; j < b->chains.at[i].link_count; j++) {
      pith_pred pred = b->chains.at[i].links[j].pred;
      if (relation_in(c, pred)->bits != NULL)
        return UINT64_MAX / 2;
      n += c->growing[pred] ? 0 : relation_in(c, pred)->rows.n;
    }
  return n;
}

static uint64_t count_inputs(closure *c) {
  if (c->bits.other_inputs == 0)
    c->bits.other_inputs = count_other_inputs(c);
  return c->bits.other_inputs - 1 + c->facts;
}

/* At worst every link needs a matrix, with its fresh bits. */
static bool fits_memory(const closure *c) {
  assert(c->bits.constants > 0);
  const bits_chance *b = &c->bits;
  if (c->env->memory.limit == 0)
    return true;
  double n = (double)b->constants, matrices = (double)c->heads.n;
  for (size_t i = 0; i < b->chains.n; i++)
    matrices += (double)b->chains.at[i].link_count;
  return 2 * matrices * n * (n + 512) / 8 <
         (double)(c->env->memory.limit - c->env->used);
}

static pith_i_dense_spec dense_spec(closure *c) {
  return (pith_i_dense_spec){.program = &c->g,
                             .chains = c->bits.chains.at,
                             .chain_count = c->bits.chains.n,
                             .heads = c->heads.at,
                             .head_count = c->heads.n,
                             .poll = poll_rarely,
                             .poll_ctx = c};
}

static pith_status bits_pay(closure *c, uint64_t pairs_a_fact, bool *pay) {
  bits_chance *b = &c->bits;
  *pay = b->possible && c->opt->bits == PITH_I_BITS_ALWAYS;
  uint64_t facts = b->possible && !*pay ? count_inputs(c) : 0;
  if (facts < FACTS_FOR_BITS)
    return PITH_OK;
  if (b->constants == 0) {
    pith_i_dense_spec spec = dense_spec(c);
    b->constants = pith_i_dense_constants(&spec, CONSTANTS_FOR_BITS);
  }
  if (b->constants == SIZE_MAX)
    return PITH_ENOMEM;
  b->possible = b->constants <= CONSTANTS_FOR_BITS && fits_memory(c);
  *pay = b->possible &&
         facts > (uint64_t)b->constants * b->constants / pairs_a_fact;
  return PITH_OK;
}

/* Whether a third of all facts are new. */
static bool grows_fast(const closure *c) {
  uint64_t fresh = 0;
  for (size_t i = 0; i < c->fresh.n; i++) {
    const pith_i_relation *r = relation_in(c, c->heads.at[c->fresh.at[i]]);
    fresh += r->end - r->old;
  }
  return 3 * fresh > c->facts;
}

static pith_status run_dense(closure *c) {
  assert(c->bits.possible && c->bits.chains.n > 0);
  pith_i_dense_spec spec = dense_spec(c);
  uint32_t sweeps = 0;
  pith_status rc = pith_i_dense_run(&spec, &sweeps);
  c->rounds += sweeps;
  return rc;
}

/* ---- products -------------------------------------------------------- */

/* All chains among the rules but copies, which joins do as well. */
static pith_status find_products(closure *c) {
  begin_bits(c);
  for (size_t i = 0; c->bits.possible && i < c->form_count; i++) {
    if (c->forms[i]->atom_count > 1 && note_chain_form(c, c->forms[i]) < 0)
      return PITH_ENOMEM;
  }
  c->bits.possible &= c->bits.chains.n > 0;
  return PITH_OK;
}

static void drop_product(closure *c) {
  pith_i_product_free(c->product);
  c->product = NULL;
}

/* At the start of a round: whether from now on chains are products. */
static pith_status begin_products(closure *c) {
  bool pay = false;
  pith_status rc = PITH_OK;
  if (c->product == NULL)
    rc = bits_pay(c, PAIRS_A_FACT_BY_STEP, &pay);
  if (rc >= 0 && pay) {
    c->product = pith_i_product_new(&c->g, c->bits.chains.at, c->bits.chains.n);
    rc = c->product == NULL ? PITH_ENOMEM : PITH_OK;
  }
  if (rc < 0 || c->product == NULL)
    return rc;
  rc = pith_i_product_refresh(c->product);
  if (rc != PITH_STOPPED)
    return rc;
  drop_product(c);
  c->bits.possible = false;
  return PITH_OK;
}

static bool is_product(const closure *c, const pith_i_form *f) {
  return c->product != NULL && f->chain;
}

static pith_status add_product_pair(void *ctx, pith_pred head,
                                    const pith_sym *pair) {
  assert(relation_in((closure *)ctx, head)->rows.width == 2);
  closure *c = ctx;
  pith_i_tuples *rows = &relation_in(c, head)->rows;
  if (c->trial)
    return pith_i_tuples_find(rows, pair) != PITH_NONE ? PITH_OK : PITH_STOPPED;
  return add_head_facts(c, head, pair, 1);
}

static pith_status run_products(closure *c) {
  pith_status rc = PITH_OK;
  for (size_t i = 0;
       rc == PITH_OK && c->product != NULL && i < c->bits.chains.n; i++)
    rc = pith_i_product_run(
        c->product, &c->bits.chains.at[i],
        &(pith_i_product_hooks){add_product_pair, poll_rarely, c});
  return rc;
}

/* ---- rounds ---------------------------------------------------------- */

static pith_status run_once(closure *c, const pith_i_form *f) {
  pith_i_plan *plan = plan_form(c, f, PITH_NONE);
  pith_status rc = plan == NULL ? PITH_ENOMEM : run_plan(c, plan);
  pith_i_arena_free(&c->arena);
  return rc;
}

/* What the last round added is new now; whether it added anything. */
static bool next_round(closure *c) {
  assert(!c->trial);
  for (size_t i = 0; i < c->fresh.n; i++) {
    pith_i_relation *r = relation_in(c, c->heads.at[c->fresh.at[i]]);
    r->old = r->end;
  }
  for (size_t i = 0; i < c->touched.n; i++) {
    pith_i_relation *r = relation_in(c, c->heads.at[c->touched.at[i]]);
    r->old = r->end;
    r->end = r->rows.n;
  }
  index_list last = c->fresh;
  c->fresh = c->touched;
  c->touched = last;
  c->touched.n = 0;
  c->rounds += c->fresh.n > 0;
  show_closure_progress(c);
  return c->fresh.n > 0;
}

static pith_status run_round(closure *c) {
  enum { GROWTH = 16 }; /* plans are made again when facts are so many more */
  pith_status rc = PITH_OK;
  if (c->planned == 0 || c->facts / GROWTH > c->planned)
    rc = make_plans(c);
  if (rc >= 0)
    rc = pith_i_due_plans_find(&c->due, c->env, c->fresh.at, c->fresh.n);
  for (size_t i = 0; rc == PITH_OK && i < c->due.due.n; i++) {
    pith_i_plan *plan = c->plans.at[c->due.due.at[i]];
    if (is_product(c, plan->form))
      continue;
    rc = run_plan(c, plan);
  }
  if (rc == PITH_OK)
    rc = run_products(c);
  return rc == PITH_OK ? poll_rarely(c) : rc;
}

/* ---- components ------------------------------------------------------ */

/* Rules that do not depend on the component fire once; the others then only
** on what is new. */
static pith_status run_to_end(closure *c, size_t rest) {
  pith_status rc = PITH_OK;
  bool pay = false;
  for (size_t i = 0; rc == PITH_OK && i < rest; i++)
    rc = run_once(c, c->forms[i]);
  if (rc == PITH_OK)
    rc = bits_pay(c, PAIRS_A_FACT, &pay);
  for (size_t i = rest; rc == PITH_OK && !pay && i < c->form_count; i++)
    rc = run_once(c, c->forms[i]);
  while (rc == PITH_OK && !pay && next_round(c)) {
    rc = bits_pay(c, grows_fast(c) ? PAIRS_A_FACT_GROWING : PAIRS_A_FACT, &pay);
    if (rc == PITH_OK && !pay)
      rc = run_round(c);
  }
  return rc == PITH_OK && pay ? run_dense(c) : rc;
}

static pith_status run_component(closure *c) {
  size_t rest;
  pith_status rc = find_chains(c, &rest);
  return rc < 0 ? rc : run_to_end(c, rest);
}

/* All that is there at the start is old for joins, which then match all of it
** once; or new. */
static void begin_relations(closure *c, bool are_new) {
  size_t n = c->g.named + c->g.hidden.n;
  for (size_t i = 0; i < n; i++) {
    pith_i_relation *r = relation_in(c, (pith_pred)i);
    r->end = r->rows.n;
    r->old = are_new ? 0 : r->end;
  }
}

static pith_status begin_component(closure *c, pith_i_form **forms, size_t n) {
  for (size_t i = 0; i < c->heads.n; i++)
    c->growing[c->heads.at[i]] = false;
  c->forms = forms;
  c->form_count = n;
  c->heads.n = c->fresh.n = c->touched.n = c->planned = 0;
  for (size_t i = 0; i < n; i++) {
    pith_pred head = forms[i]->head.pred;
    if (c->growing[head])
      continue;
    c->growing[head] = true;
    c->place[head] = (uint32_t)c->heads.n;
    if (!pith_i_push(c->env, &c->fresh, c->place[head]) ||
        !pith_i_push(c->env, &c->heads, head))
      return PITH_ENOMEM;
  }
  c->facts = count_head_facts(c);
  return PITH_OK;
}

static uint32_t component_of(const closure *c, const pith_i_form *f) {
  assert(f->head.pred < c->g.named + c->g.hidden.n);
  return c->g.component[f->head.pred];
}

/* Sorts the forms by component, keeping their order within each. */
static pith_status sort_forms(closure *c) {
  pith_i_strata *g = &c->g;
  size_t *at = pith_i_zalloc(c->env, g->component_count + 2, sizeof *at);
  pith_i_form **to = pith_i_alloc(c->env, (g->forms.n + 1) * sizeof *to);
  if (at != NULL && to != NULL) {
    for (size_t i = 0; i < g->forms.n; i++)
      at[component_of(c, g->forms.at[i]) + 1]++;
    for (size_t i = 1; i <= g->component_count; i++)
      at[i] += at[i - 1];
    for (size_t i = 0; i < g->forms.n; i++)
      to[at[component_of(c, g->forms.at[i])]++] = g->forms.at[i];
    if (g->forms.n > 0)
      memcpy(g->forms.at, to, g->forms.n * sizeof *to);
  }
  pith_status rc = at == NULL || to == NULL ? PITH_ENOMEM : PITH_OK;
  pith_i_release(c->env, at);
  pith_i_release(c->env, to);
  return rc;
}

/* What the component derived is there for those after it. */
static void settle_component(closure *c) {
  for (size_t i = 0; i < c->heads.n; i++) {
    pith_i_relation *r = relation_in(c, c->heads.at[i]);
    r->old = r->end = r->rows.n;
  }
}

static pith_status run_components(closure *c) {
  pith_status rc = sort_forms(c);
  pith_i_form **forms = c->g.forms.at;
  begin_relations(c, false);
  for (size_t i = 0, j; rc == PITH_OK && i < c->g.forms.n; i = j) {
    for (j = i + 1; j < c->g.forms.n &&
                    component_of(c, forms[j]) == component_of(c, forms[i]);)
      j++;
    rc = begin_component(c, forms + i, j - i);
    if (rc >= 0)
      rc = run_component(c);
    settle_component(c);
  }
  return rc;
}

/* ---- step by step ---------------------------------------------------- */

static pith_status record_steps(closure *c) {
  for (size_t i = 0; c->opt->record && i < c->fresh.n; i++) {
    pith_i_relation *r = relation_in(c, c->heads.at[c->fresh.at[i]]);
    pith_i_mark mark = {c->rounds, (uint32_t)r->end};
    if (r->old < r->end && !pith_i_push(c->env, &r->marks, mark))
      return PITH_ENOMEM;
  }
  return PITH_OK;
}

static bool is_reached(const closure *c) {
  const pith_atom *a = c->opt->until;
  return a != NULL && pith_i_fact_holds(c->g.store, a->pred, a->args);
}

static pith_status run_first_step(closure *c) {
  pith_status rc = begin_products(c);
  for (size_t i = 0; rc == PITH_OK && i < c->form_count; i++)
    if (!is_product(c, c->forms[i]))
      rc = run_once(c, c->forms[i]);
  return rc == PITH_OK ? run_products(c) : rc;
}

/* A limit of steps may just be enough: another round is tried, up to the
** first fact it would add. */
static bool limit_is_reached(const closure *c) {
  return c->opt->steps > 0 && c->rounds == c->opt->steps;
}

/* All rules of one level at once in each round. */
static pith_status run_level(closure *c, pith_i_form **forms, size_t n) {
  pith_status rc = begin_component(c, forms, n);
  drop_product(c);
  begin_relations(c, true);
  c->trial = limit_is_reached(c);
  if (rc == PITH_OK)
    rc = find_products(c);
  if (rc == PITH_OK)
    rc = run_first_step(c);
  while (rc == PITH_OK && !c->trial && next_round(c)) {
    rc = record_steps(c);
    if (rc == PITH_OK && is_reached(c))
      rc = PITH_STOPPED;
    c->trial = limit_is_reached(c);
    if (rc == PITH_OK)
      rc = begin_products(c);
    if (rc == PITH_OK)
      rc = run_round(c);
  }
  return rc;
}

/* Negated atoms ask about lower levels only, which are complete by then. Steps
** are counted through all levels; most theories have one. */
static pith_status run_steps(closure *c) {
  pith_i_strata *g = &c->g;
  uint32_t *level =
      pith_i_alloc(c->env, (g->named + g->hidden.n) * sizeof *level);
  pith_i_form **forms = pith_i_alloc(c->env, (g->forms.n + 1) * sizeof *forms);
  pith_status rc = level == NULL || forms == NULL ? PITH_ENOMEM : PITH_OK;
  uint32_t highest = rc < 0 ? 0 : pith_i_strata_levels(g, level);
  for (uint32_t at = 0; rc == PITH_OK && at <= highest; at++) {
    size_t n = 0;
    for (size_t i = 0; i < g->forms.n; i++)
      if (level[g->forms.at[i]->head.pred] == at)
        forms[n++] = g->forms.at[i];
    rc = run_level(c, forms, n);
  }
  pith_i_release(c->env, level);
  pith_i_release(c->env, forms);
  return rc;
}

/* ---- the whole ------------------------------------------------------- */

static pith_status prepare_closure(closure *c, const pith_i_theory *theory,
                                   bool by_component) {
  pith_status rc =
      pith_i_strata_init(&c->g, theory, c->g.store, c->opt->wanted);
  if (rc >= 0 && by_component)
    rc = pith_i_strata_linearise(&c->g);
  if (rc >= 0)
    rc = pith_i_strata_order(&c->g);
  if (rc < 0)
    return rc;
  uint32_t widest = 1;
  for (size_t i = 0; i < c->g.forms.n; i++)
    if (c->g.forms.at[i]->head.arity > widest)
      widest = c->g.forms.at[i]->head.arity;
  c->key = pith_i_alloc(c->env, widest * sizeof *c->key);
  c->batch = pith_i_alloc(c->env, (size_t)BATCH * widest * sizeof *c->batch);
  size_t preds = c->g.named + c->g.hidden.n;
  c->growing = pith_i_zalloc(c->env, preds, sizeof *c->growing);
  c->place = pith_i_zalloc(c->env, preds, sizeof *c->place);
  return c->key == NULL || c->batch == NULL || c->growing == NULL ||
                 c->place == NULL
             ? PITH_ENOMEM
             : PITH_OK;
}

static void free_closure(closure *c) {
  pith_i_release(c->env, c->key);
  pith_i_release(c->env, c->batch);
  pith_i_release(c->env, c->growing);
  pith_i_release(c->env, c->place);
  pith_i_vec_free(c->env, &c->heads);
  pith_i_vec_free(c->env, &c->fresh);
  pith_i_vec_free(c->env, &c->touched);
  pith_i_vec_free(c->env, &c->plans);
  pith_i_vec_free(c->env, &c->waits_for);
  pith_i_vec_free(c->env, &c->due.due);
  pith_i_vec_free(c->env, &c->bits.chains);
  drop_product(c);
  pith_i_arena_free(&c->arena);
  pith_i_strata_free(&c->g);
}

static void fill_closure_info(const closure *c, pith_status rc,
                              pith_infer_info *info) {
  const pith_i_store *s = c->g.store;
  *info = (pith_infer_info){
      .given = pith_i_fact_count(s, PITH_NONE, PITH_GIVEN),
      .derived = pith_i_fact_count(s, PITH_NONE, PITH_DERIVED),
      .steps = c->rounds,
      .complete = rc == PITH_OK,
      .seconds = pith_i_now() - c->start,
      .peak_bytes = c->env->peak};
}

pith_status pith_i_closure(const pith_i_theory *theory, pith_i_store *store,
                           const pith_i_closure_options *opt,
                           pith_infer_info *info) {
  closure c = {.opt = opt, .env = store->env, .start = pith_i_now()};
  c.g.store = store;
  c.g.env = c.arena.env = c.env;
  c.hooks = (pith_i_hooks){batch_fact, is_known_head, poll_closure, &c, 0};
  bool by_component = opt->steps == 0 && !opt->record;
  pith_status rc = prepare_closure(&c, theory, by_component);
  if (rc >= 0)
    rc = by_component ? run_components(&c) : run_steps(&c);
  if (rc < 0)
    pith_i_store_forget(store);
  if (info != NULL)
    fill_closure_info(&c, rc, info);
  free_closure(&c);
  return rc;
}
