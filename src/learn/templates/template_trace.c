#include "learn/templates/template_trace.h"

#include <assert.h>

#include "learn/templates/template_learner.h"
#include "train/group.h"

enum { L = PITH_I_LANES };

typedef struct {
  const pith_i_net *net;
  pith_i_group *group;
  uint32_t lane;
  pith_i_arena arena;
  pith_trace_slot *slots; /* (slot_count) */
  double *weights;        /* (candidates) of the one lane */
  pith_trace_atom *atoms; /* (atoms) of the network       */
  double *values;         /* (steps + 1, atoms)           */
  pith_trace_point point;
} tracer;

/* ---- what stands where ------------------------------------------------ */

/* The first atom of the rule that has this slot; 0 is the head. */
static uint32_t atom_of_slot(const pith_rule *shape, uint32_t slot) {
  if (shape->head.pred == slot)
    return 0;
  for (uint32_t i = 0; i < shape->body_len; i++)
    if (shape->body[i].pred == slot)
      return i + 1;
  return PITH_NONE;
}

static pith_status note_slot(tracer *t, uint32_t rule, uint32_t i) {
  const pith_i_net_rule *r = &t->net->rules.at[rule];
  const pith_i_net_slot *s = &t->net->slots.at[r->slots[i]];
  pith_pred *preds =
      pith_i_arena_alloc(&t->arena, s->count * sizeof *preds + 1);
  if (preds == NULL)
    return PITH_ENOMEM;
  for (uint32_t c = 0; c < s->count; c++) {
    assert(t->net->candidates.at[s->first + c].pred < t->net->preds.n);
    uint32_t pred = t->net->candidates.at[s->first + c].pred;
    preds[c] = t->net->preds.at[pred].pred;
  }
  t->slots[t->point.slot_count++] =
      (pith_trace_slot){.rule = rule,
                        .shape = r->shape,
                        .atom = atom_of_slot(&r->shape->shape, i),
                        .preds = preds,
                        .count = s->count,
                        .weights = t->weights + s->first};
  return PITH_OK;
}

static pith_status note_slots(tracer *t) {
  size_t count = 0;
  for (size_t r = 0; r < t->net->rules.n; r++)
    count += t->net->rules.at[r].shape->slot_count;
  t->slots = pith_i_arena_alloc(&t->arena, count * sizeof *t->slots + 1);
  t->weights = pith_i_arena_alloc(
      &t->arena, t->net->candidates.n * sizeof *t->weights + 1);
  if (t->slots == NULL || t->weights == NULL)
    return PITH_ENOMEM;
  pith_status rc = PITH_OK;
  for (uint32_t r = 0; r < t->net->rules.n; r++)
    for (uint32_t i = 0; rc >= 0 && i < t->net->rules.at[r].shape->slot_count;
         i++)
      rc = note_slot(t, r, i);
  t->point.slots = t->slots;
  return rc;
}

/* ---- what has a value ------------------------------------------------- */

static void note_atom(tracer *t, const pith_i_net_pred *p, uint32_t i) {
  const pith_i_net *net = t->net;
  uint32_t x = p->arity == 2 ? net->pair_x[i] : i;
  pith_trace_atom *a = &t->atoms[p->offset + i];
  *a = (pith_trace_atom){.pred = p->pred,
                         .arity = p->arity,
                         .world = net->world_of[x],
                         .args[0] = net->symbol[x]};
  if (p->arity == 2)
    a->args[1] = net->symbol[net->pair_y[i]];
}

static pith_status note_atoms(tracer *t) {
  size_t n = t->net->atoms, rows = (size_t)t->net->steps + 1;
  t->atoms = pith_i_arena_alloc(&t->arena, n * sizeof *t->atoms + 1);
  t->values = pith_i_arena_alloc(&t->arena, n * rows * sizeof *t->values + 1);
  if (t->atoms == NULL || t->values == NULL)
    return PITH_ENOMEM;
  for (size_t p = 0; p < t->net->preds.n; p++) {
    const pith_i_net_pred *pred = &t->net->preds.at[p];
    assert(pred->arity <= 2);
    for (uint32_t i = 0; pred->derived && i < pred->size; i++)
      note_atom(t, pred, i);
  }
  t->point.atoms = t->atoms;
  t->point.values = t->values;
  t->point.atom_count = n;
  t->point.steps = t->net->steps;
  return PITH_OK;
}

/* ---- epoch by epoch ---------------------------------------------------- */

static void measure_point(tracer *t) {
  pith_i_group *g = t->group;
  pith_i_real loss, error;
  pith_i_descent_measure(g->descent, &loss, &error);
  pith_i_descent_decode(g->descent, g->choices);
  pith_i_sliced_clear(g->sliced);
  for (uint32_t l = 0; l < g->lanes; l++)
    pith_i_sliced_add(g->sliced, g->choices + l * t->net->slots.n);
  pith_i_sliced_run(g->sliced, g->errors);
  for (uint32_t l = 0; l < g->lanes; l++) {
    t->point.loss[l] = (double)loss[l];
    t->point.wrong[l] = (uint64_t)g->errors[l].fp + g->errors[l].fn;
  }
  for (size_t c = 0; c < t->net->candidates.n; c++)
    t->weights[c] = (double)g->descent->tape->weight[c][t->lane];
  for (size_t i = 0; i < (t->net->steps + (size_t)1) * t->net->atoms; i++)
    t->values[i] = (double)g->descent->tape->value[i][t->lane];
  t->point.epoch = g->descent->epoch;
}

/* Point number i of n: the epochs 0 to last, evenly spread. */
static uint32_t epoch_of_point(uint32_t i, uint32_t n, uint32_t last) {
  return n < 2 ? last : (uint32_t)((uint64_t)last * i / (n - 1));
}

static pith_status visit_points(tracer *t, pith_i_run *run,
                                const pith_trace_options *opt,
                                pith_trace_visit visit, void *ctx) {
  pith_i_descent *d = t->group->descent;
  uint32_t last =
      opt->epochs < d->recipe.epochs ? opt->epochs : d->recipe.epochs;
  uint32_t n = opt->points < last + 1 ? opt->points : last + 1;
  d->tape->run = t->group->sliced->run = run;
  for (uint32_t i = 0; i < n; i++) {
    while (d->epoch < epoch_of_point(i, n, last)) {
      pith_i_descent_epoch(d);
      if (d->tape->stopped || pith_i_stop_requested(run))
        return PITH_STOPPED;
    }
    measure_point(t);
    if (d->tape->stopped || t->group->sliced->stopped)
      return PITH_STOPPED;
    if (visit(ctx, &t->point) != 0)
      return PITH_STOPPED;
  }
  return PITH_OK;
}

pith_status pith_i_trace_templates(const pith_i_task *task, pith_i_run *run,
                                   const pith_trace_options *opt,
                                   pith_trace_visit visit, void *ctx) {
  if (opt->restart >= task->opt->restarts)
    return pith_i_fail(task->env, PITH_EARG, "no such restart");
  pith_i_recipe recipe = pith_i_recipe_of(task->opt);
  pith_i_net *net = NULL;
  tracer t = {.arena.env = task->env, .lane = opt->restart % L};
  pith_status rc = pith_i_template_net(task, &net);
  t.net = net;
  if (rc >= 0)
    rc = pith_i_group_new(task->env, net, &recipe, 1, &t.group);
  if (rc >= 0)
    rc = note_slots(&t);
  if (rc >= 0)
    rc = note_atoms(&t);
  if (rc >= 0) {
    pith_i_group_start(t.group, task->opt->run.seed, opt->restart / L,
                       task->opt->restarts);
    t.point.first = t.group->number * L;
    t.point.restarts = t.group->lanes;
    rc = visit_points(&t, run, opt, visit, ctx);
  }
  pith_i_group_free(task->env, t.group);
  pith_i_arena_free(&t.arena);
  pith_i_net_free(net);
  return rc;
}
