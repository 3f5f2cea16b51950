#include "compress/rule_instances.h"

#include <assert.h>
#include <string.h>

#include "logic/plan.h"

enum { WIDEST = 64 };

pith_status pith_i_instances_init(pith_i_instances *g,
                                  const pith_i_observations *w) {
  memset(g, 0, sizeof *g);
  g->env = w->env;
  g->facts = w->n;
  return pith_i_push(g->env, &g->start, 0) && pith_i_push(g->env, &g->first, 0)
             ? PITH_OK
             : PITH_ENOMEM;
}

void pith_i_instances_free(pith_i_instances *g) {
  if (g->env == NULL)
    return;
  pith_i_vec_free(g->env, &g->head);
  pith_i_vec_free(g->env, &g->start);
  pith_i_vec_free(g->env, &g->body);
  pith_i_vec_free(g->env, &g->first);
}

typedef struct {
  pith_i_instances *g;
  const pith_i_observations *w;
  pith_i_run *run;
  size_t most;
} grounder;

/* The facts that matched, each once. */
static pith_status push_body(grounder *r, const pith_i_plan *plan,
                             uint32_t head, bool *itself) {
  assert(head < r->w->n);
  assert(r->g->start.n == r->g->head.n + 1);
  pith_i_instances *g = r->g;
  size_t begin = g->start.at[g->start.n - 1];
  for (uint32_t i = 0; i < plan->step_count; i++) {
    const pith_i_step *s = &plan->steps[i];
    pith_pred pred = plan->form->atoms[s->atom].pred;
    uint32_t fact = (uint32_t)r->w->base[pred] + s->row;
    bool there = fact == head;
    *itself |= there;
    for (size_t j = begin; !there && j < g->body.n; j++)
      there = g->body.at[j] == fact;
    if (!there && !pith_i_push(g->env, &g->body, fact))
      return PITH_ENOMEM;
  }
  return PITH_OK;
}

static pith_status add_instance(void *ctx, pith_i_plan *plan) {
  grounder *r = ctx;
  pith_i_instances *g = r->g;
  pith_sym key[WIDEST];
  const pith_i_form_atom *h = &plan->form->head;
  for (uint32_t i = 0; i < h->arity; i++)
    key[i] = plan->regs[h->regs[i]];
  uint32_t head = pith_i_observation_find(r->w, h->pred, key);
  if (head == PITH_NONE)
    return PITH_OK;
  bool itself = false;
  size_t begin = g->start.at[g->start.n - 1];
  pith_status rc = push_body(r, plan, head, &itself);
  if (rc < 0)
    return rc;
  if (itself) {
    g->body.n = begin;
    return PITH_OK;
  }
  if (!pith_i_push(g->env, &g->head, head) ||
      !pith_i_push(g->env, &g->start, g->body.n))
    return PITH_ENOMEM;
  return g->head.n - g->first.at[g->first.n - 1] > r->most ? PITH_STOPPED
                                                           : PITH_OK;
}

static pith_status ask_lister(void *ctx) {
  const grounder *r = ctx;
  return pith_i_stop_requested(r->run) ? PITH_STOPPED : PITH_OK;
}

static pith_status join_rule(grounder *r, const pith_rule *rule) {
  pith_i_arena arena = {.env = r->g->env};
  pith_i_form *form = pith_i_form_new(&arena, &r->w->theory->names, rule);
  pith_i_plan *plan =
      form == NULL ? NULL : pith_i_plan_body(r->w, &arena, form, true);
  pith_status rc = plan == NULL ? PITH_ENOMEM : PITH_OK;
  if (rc >= 0 && !form->never && rule->head.arity <= WIDEST) {
    pith_i_hooks hooks = {add_instance, NULL, ask_lister, r, 0};
    rc = pith_i_plan_run(plan, &hooks);
  }
  pith_i_arena_free(&arena);
  return rc;
}

pith_status pith_i_instances_add(pith_i_instances *g,
                                 const pith_i_observations *w,
                                 const pith_rule *rule, size_t most,
                                 pith_i_run *run) {
  assert(g->facts == w->n);
  assert(g->start.n == g->head.n + 1);
  assert(g->first.at[g->first.n - 1] == g->head.n);
  grounder r = {g, w, run, most};
  size_t before = g->head.n;
  pith_status rc = join_rule(&r, rule);
  if (rc != PITH_OK) {
    g->head.n = before;
    g->start.n = before + 1;
    g->body.n = g->start.at[before];
  }
  return pith_i_push(g->env, &g->first, g->head.n) ? rc : PITH_ENOMEM;
}

/* ---- one instance of each --------------------------------------------- */

typedef struct {
  const pith_i_observations *w;
  pith_i_run *run;
  uint32_t head;
  bool found;
} marker;

static pith_status take_first(void *ctx, pith_i_plan *plan) {
  marker *m = ctx;
  for (uint32_t i = 0; i < plan->step_count; i++) {
    const pith_i_step *s = &plan->steps[i];
    pith_pred pred = plan->form->atoms[s->atom].pred;
    if (m->w->base[pred] + s->row == m->head)
      return PITH_OK; /* itself */
  }
  m->found = true;
  return PITH_STOPPED;
}

static pith_status ask_marker(void *ctx) {
  const marker *m = ctx;
  return pith_i_stop_requested(m->run) ? PITH_STOPPED : PITH_OK;
}

static pith_status mark_facts(marker *m, pith_i_plan *plan, bool *marks) {
  assert(plan->form->head.pred < m->w->pred_count);
  pith_pred pred = plan->form->head.pred;
  pith_i_hooks hooks = {take_first, NULL, ask_marker, m, 0};
  pith_status rc = PITH_OK;
  for (size_t f = m->w->base[pred]; f < m->w->base[pred + 1]; f++) {
    if (marks[f] || !pith_i_plan_set_head(
                        plan, pith_i_observation_args(m->w, pred, (uint32_t)f)))
      continue;
    m->head = (uint32_t)f;
    m->found = false;
    rc = pith_i_plan_run(plan, &hooks);
    marks[f] = m->found;
    if (rc < 0 || (rc == PITH_STOPPED && !m->found))
      return rc;
  }
  return PITH_OK;
}

pith_status pith_i_mark_derivable(const pith_i_observations *w,
                                  const pith_rule *rule, pith_i_run *run,
                                  bool *marks) {
  marker m = {.w = w, .run = run};
  pith_i_arena arena = {.env = w->env};
  pith_i_form *form = pith_i_form_new(&arena, &w->theory->names, rule);
  pith_i_plan *plan =
      form == NULL ? NULL : pith_i_plan_from_head(w, &arena, form);
  pith_status rc = plan == NULL ? PITH_ENOMEM : PITH_OK;
  if (rc >= 0 && !form->never)
    rc = mark_facts(&m, plan, marks);
  pith_i_arena_free(&arena);
  return rc;
}
