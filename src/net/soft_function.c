#include "net/soft_function.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "net/order.h"

/* ---- rules as templates ------------------------------------------------ */

static bool can_be_soft(pith_pred pred) {
  return !pith_i_is_builtin(pred) || pred == PITH_EQUAL ||
         pred == PITH_DIFFERENT;
}

static pith_status refuse_rule(pith_soft *s, const pith_i_theory *from,
                               const pith_rule *rule, const char *what) {
  if (rule->file == PITH_NONE)
    return pith_i_fail(s->env, PITH_EINPUT, "a rule for %s %s",
                       pith_i_pred_text(&from->names, rule->head.pred), what);
  return pith_i_fail(s->env, PITH_EINPUT, "%s:%u: a rule %s",
                     pith_i_sym(&from->names, rule->file)->text, rule->line,
                     what);
}

static pith_status check_soft_rule(pith_soft *s, const pith_i_theory *from,
                                   const pith_rule *rule) {
  if (rule->body_len == 0)
    return refuse_rule(s, from, rule, "without a body; give it as a value");
  if (rule->body_len > PITH_I_MAX_TEMPLATE)
    return refuse_rule(s, from, rule, "with too many atoms for the network");
  for (uint32_t i = 0; i < rule->body_len; i++) {
    const pith_atom *a = &rule->body[i];
    if (a->negated)
      return refuse_rule(s, from, rule,
                         "with a negation, which has no soft "
                         "value");
    if (!can_be_soft(a->pred))
      return refuse_rule(s, from, rule,
                         "with a comparison, which has no soft "
                         "value");
  }
  return PITH_OK;
}

/* The slot of a predicate among the first n, or a new one. */
static uint32_t slot_for(const pith_atom *atom, pith_slot *slots, uint32_t *n) {
  for (uint32_t i = 0; i < *n; i++)
    if (slots[i].pred == atom->pred)
      return i;
  slots[*n] = (pith_slot){.arity = atom->arity, .pred = atom->pred};
  return (*n)++;
}

static pith_status add_soft_rule(pith_soft *s, const pith_i_theory *from,
                                 const pith_rule *rule) {
  pith_status rc = check_soft_rule(s, from, rule);
  if (rc < 0)
    return rc;
  pith_slot slots[PITH_I_MAX_TEMPLATE + 1];
  pith_atom body[PITH_I_MAX_TEMPLATE];
  pith_template t = {.shape = *rule, .slots = slots, .copies = 1};
  t.shape.head.pred = slot_for(&rule->head, slots, &t.slot_count);
  for (uint32_t i = 0; i < rule->body_len; i++) {
    body[i] = rule->body[i];
    body[i].pred = slot_for(&rule->body[i], slots, &t.slot_count);
  }
  t.shape.body = body;
  t.shape.var_names = NULL;
  t.shape.file = PITH_NONE;
  return pith_i_template_add(&s->theory, &t);
}

static pith_status add_soft_template(pith_soft *s, const pith_template *t) {
  pith_template copy = *t;
  for (uint32_t i = 0; i < t->slot_count; i++)
    if (t->slots[i].pred != PITH_NONE && !can_be_soft(t->slots[i].pred))
      return pith_i_fail(s->env, PITH_EINPUT,
                         "a template with a comparison, which has no soft "
                         "value");
  copy.shape.var_names = NULL;
  copy.shape.file = PITH_NONE;
  return pith_i_template_add(&s->theory, &copy);
}

/* ---- predicates and constants ------------------------------------------ */

/* In the same order, so they get the same numbers. */
static pith_status copy_predicates(pith_soft *s, const pith_i_names *from) {
  pith_i_names *to = &s->theory.names;
  pith_status rc = PITH_OK;
  for (pith_pred p = 0; rc >= 0 && p < from->preds.n; p++) {
    const pith_i_predicate *q = pith_i_pred(from, p);
    const pith_i_symbol *name = pith_i_sym(from, q->name);
    pith_sym sym;
    pith_pred same;
    rc = pith_i_sym_add(to, name->text, name->len, name->kind, &sym);
    if (rc >= 0)
      rc = pith_i_pred_add(to, sym, q->arity, &same);
    assert(rc < 0 || same == p);
  }
  return rc;
}

/* A predicate has values if a slot names it or may choose it. */
static bool is_chosen(const pith_i_theory *t, pith_pred pred) {
  uint32_t arity = pith_i_pred(&t->names, pred)->arity;
  for (size_t i = 0; i < t->templates.n; i++)
    for (uint32_t k = 0; k < t->templates.at[i]->slot_count; k++) {
      const pith_slot *slot = &t->templates.at[i]->slots[k];
      if (slot->pred == pred ||
          (slot->pred == PITH_NONE && slot->arity == arity))
        return true;
    }
  return false;
}

static void derive_chosen(pith_i_theory *t) {
  for (pith_pred p = PITH_BUILTINS; p < t->names.preds.n; p++) {
    pith_i_predicate *q = pith_i_pred(&t->names, p);
    if ((q->arity == 1 || q->arity == 2) && is_chosen(t, p))
      q->roles = PITH_INVENTED;
  }
}

/* The network takes its constants from facts and examples. Negative examples of
** some predicate that is derived name them all and mean nothing else. */
static pith_status add_constants(pith_soft *s, uint32_t n) {
  pith_i_names *names = &s->theory.names;
  pith_pred some = PITH_BUILTINS;
  while (some < names->preds.n && pith_i_pred(names, some)->roles == 0)
    some++;
  if (some == names->preds.n)
    return pith_i_fail(s->env, PITH_EINPUT,
                       "no rule or template names a predicate with one or two "
                       "arguments, and there is none to choose");
  pith_status rc = PITH_OK;
  for (uint32_t i = 0; rc >= 0 && i < n; i++) {
    char text[16];
    int length = snprintf(text, sizeof text, "c%u", i);
    pith_sym args[2];
    rc = pith_i_sym_add(names, text, (size_t)length, PITH_NAME, &args[0]);
    args[1] = args[0];
    pith_atom atom = {
        .pred = some, .arity = pith_i_pred(names, some)->arity, .args = args};
    if (rc >= 0)
      rc = pith_i_example_add(&s->theory, &atom, false, 1);
  }
  return rc;
}

/* ---- the network ------------------------------------------------------- */

static pith_status fill_soft_theory(pith_soft *s, const pith_i_theory *from,
                                    uint32_t constants) {
  pith_status rc = copy_predicates(s, &from->names);
  for (size_t i = 0; rc >= 0 && i < from->rules.n; i++)
    rc = add_soft_rule(s, from, from->rules.at[i]);
  for (size_t i = 0; rc >= 0 && i < from->templates.n; i++)
    rc = add_soft_template(s, from->templates.at[i]);
  s->theory.steps = from->steps;
  derive_chosen(&s->theory);
  return rc < 0 ? rc : add_constants(s, constants);
}

static pith_status note_open_slot(pith_soft *s, const pith_i_net_slot *slot) {
  for (uint32_t c = slot->first; c < slot->first + slot->count; c++) {
    pith_pred pred = s->net->preds.at[s->net->candidates.at[c].pred].pred;
    if (!pith_i_push(s->env, &s->open, c) ||
        !pith_i_push(s->env, &s->candidates, pred))
      return PITH_ENOMEM;
  }
  pith_soft_slot open = {.count = slot->count};
  return pith_i_push(s->env, &s->slots, open) ? PITH_OK : PITH_ENOMEM;
}

/* The lists of candidates stand still once all are noted. */
static void point_slots(pith_soft *s) {
  size_t first = 0;
  for (size_t i = 0; i < s->slots.n; i++) {
    s->slots.at[i].preds = s->candidates.at + first;
    first += s->slots.at[i].count;
  }
  assert(first == s->candidates.n);
}

static pith_status note_interface(pith_soft *s) {
  const pith_i_net *net = s->net;
  pith_status rc = PITH_OK;
  for (size_t i = 0; i < net->preds.n; i++)
    if (net->preds.at[i].derived &&
        !pith_i_push(s->env, &s->preds, net->preds.at[i].pred))
      return PITH_ENOMEM;
  for (size_t r = 0; r < net->rules.n; r++) {
    const pith_i_net_rule *rule = &net->rules.at[r];
    for (uint32_t k = 0; rc >= 0 && k < rule->shape->slot_count; k++)
      if (rule->shape->slots[k].pred == PITH_NONE)
        rc = note_open_slot(s, &net->slots.at[rule->slots[k]]);
  }
  if (rc >= 0)
    point_slots(s);
  return rc;
}

pith_status pith_i_soft_function_new(pith_i_env *env, const pith_i_theory *from,
                                     uint32_t constants, uint32_t steps,
                                     pith_soft **out) {
  assert(constants > 0);
  pith_soft *s = pith_i_zalloc(env, 1, sizeof *s);
  if (s == NULL)
    return PITH_ENOMEM;
  s->env = env;
  pith_i_store_init(&s->store, env);
  pith_status rc = pith_i_theory_init(&s->theory, env);
  if (rc >= 0)
    rc = fill_soft_theory(s, from, constants);
  pith_i_world world = {.theory = &s->theory, .store = &s->store};
  pith_i_net_options opt = {.steps = steps, .layout = PITH_I_DENSE};
  if (rc >= 0)
    rc = pith_i_net_new(env, &world, 1, &opt, &s->net);
  if (rc >= 0)
    rc = note_interface(s);
  if (rc < 0) {
    pith_i_soft_function_free(s);
    return rc;
  }
  assert(s->net->dense && s->net->constants == constants);
  *out = s;
  return PITH_OK;
}

void pith_i_soft_function_free(pith_soft *s) {
  if (s == NULL)
    return;
  for (size_t i = 0; i < s->idle.n; i++)
    pith_i_tape_free(s->env, s->idle.at[i]);
  pith_i_vec_free(s->env, &s->idle);
  pith_i_vec_free(s->env, &s->preds);
  pith_i_vec_free(s->env, &s->open);
  pith_i_vec_free(s->env, &s->candidates);
  pith_i_vec_free(s->env, &s->slots);
  pith_i_net_free(s->net);
  pith_i_store_free(&s->store);
  pith_i_theory_free(&s->theory);
  pith_i_release(s->env, s);
}

/* ---- values in and out ------------------------------------------------- */

/* The lanes first .. first + count - 1 of the caller are those of a group. */
typedef struct {
  size_t first, count;
} lane_span;

static lane_span span_of(size_t lanes, size_t group) {
  size_t first = group * PITH_I_LANES, rest = lanes - first;
  return (lane_span){first, rest < PITH_I_LANES ? rest : PITH_I_LANES};
}

/* A row's numbers of one place, from the caller and back. */
static void read_lanes(const pith_soft_values *v, ptrdiff_t at, lane_span span,
                       pith_i_real *row) {
  const float *p = v->at + at + (ptrdiff_t)span.first * v->lane;
  *row = (pith_i_real){0};
  for (size_t l = 0; l < span.count; l++)
    (*row)[l] = p[(ptrdiff_t)l * v->lane];
}

static void write_lanes(const pith_soft_values *v, ptrdiff_t at, lane_span span,
                        const pith_i_real *row) {
  float *p = v->at + at + (ptrdiff_t)span.first * v->lane;
  for (size_t l = 0; l < span.count; l++)
    p[(ptrdiff_t)l * v->lane] = (float)(*row)[l];
}

static void add_lanes(const pith_soft_values *v, ptrdiff_t at, lane_span span,
                      const pith_i_real *row) {
  float *p = v->at + at + (ptrdiff_t)span.first * v->lane;
  for (size_t l = 0; l < span.count; l++)
    p[(ptrdiff_t)l * v->lane] += (float)(*row)[l];
}

/* Where the caller has atom (i, j) of a relation, without the lane. */
static ptrdiff_t caller_place(const pith_soft_values *v, size_t i, size_t j) {
  return (ptrdiff_t)i * v->step[0] + (ptrdiff_t)j * v->step[1];
}

static void clear_rows(pith_i_real *rows, size_t n) {
  memset(rows, 0, n * sizeof *rows);
}

/* The caller's values of all predicates into rows: (A). */
static void load_values(const pith_soft *s, const pith_soft_values *from,
                        lane_span span, pith_i_real *rows) {
  size_t n = s->net->constants, k = 0;
  for (size_t p = 0; p < s->net->preds.n; p++) {
    const pith_i_net_pred *q = &s->net->preds.at[p];
    if (!q->derived)
      continue;
    const pith_soft_values *v = &from[k++];
    size_t width = q->arity == 1 ? 1 : n;
    if (v->at == NULL)
      clear_rows(rows + q->offset, n * width);
    for (size_t i = 0; v->at != NULL && i < n; i++)
      for (size_t j = 0; j < width; j++)
        read_lanes(v, caller_place(v, i, j), span,
                   &rows[q->offset + i * width + j]);
  }
  assert(k == s->preds.n);
}

typedef void (*row_store)(const pith_soft_values *v, ptrdiff_t at,
                          lane_span span, const pith_i_real *row);

static void store_values(const pith_soft *s, const pith_i_real *rows,
                         lane_span span, row_store store,
                         const pith_soft_values *to) {
  size_t n = s->net->constants, k = 0;
  for (size_t p = 0; p < s->net->preds.n; p++) {
    const pith_i_net_pred *q = &s->net->preds.at[p];
    if (!q->derived)
      continue;
    const pith_soft_values *v = &to[k++];
    size_t width = q->arity == 1 ? 1 : n;
    for (size_t i = 0; v->at != NULL && i < n; i++)
      for (size_t j = 0; j < width; j++)
        store(v, caller_place(v, i, j), span, &rows[q->offset + i * width + j]);
  }
}

/* What is named weighs 1. */
static void load_weights(const pith_soft *s, const pith_soft_values *from,
                         lane_span span, pith_i_real *weight) {
  for (size_t c = 0; c < s->net->candidates.n; c++)
    weight[c] = PITH_I_ALL(1);
  for (size_t i = 0; i < s->open.n; i++)
    read_lanes(from, caller_place(from, i, 0), span, &weight[s->open.at[i]]);
}

/* ---- passes ------------------------------------------------------------ */

static size_t group_count(size_t lanes) {
  return (lanes + PITH_I_LANES - 1) / PITH_I_LANES;
}

static pith_status borrow_tape(pith_soft *s, pith_i_tape **out) {
  /* the product, the best candidate of a slot, the best rule: the paper's */
  pith_i_semantics semantics = {.and_product = true, .slot_max = true};
  if (s->idle.n > 0) {
    *out = s->idle.at[--s->idle.n];
    return PITH_OK;
  }
  /* room for its return is made now, when it can still be refused */
  if (!pith_i_room(s->env, &s->idle, s->tapes + 1))
    return PITH_ENOMEM;
  pith_status rc = pith_i_tape_new(s->env, s->net, semantics, out);
  s->tapes += rc >= 0;
  return rc;
}

static void return_tape(pith_soft *s, pith_i_tape *t) {
  assert(t == NULL || s->idle.n < s->tapes);
  if (t != NULL)
    s->idle.at[s->idle.n++] = t;
}

void pith_i_soft_function_pass_free(pith_soft_pass *pass) {
  if (pass == NULL)
    return;
  for (size_t g = 0; g < group_count(pass->lanes); g++)
    return_tape(pass->soft, pass->tapes[g]);
  pith_i_release(pass->soft->env, pass->tapes);
  pith_i_release(pass->soft->env, pass);
}

static pith_status make_pass(pith_soft *s, size_t lanes, pith_soft_pass **out) {
  pith_soft_pass *pass = pith_i_zalloc(s->env, 1, sizeof *pass);
  if (pass == NULL)
    return PITH_ENOMEM;
  pass->soft = s;
  pass->lanes = lanes;
  pass->tapes = pith_i_zalloc(s->env, group_count(lanes), sizeof *pass->tapes);
  pith_status rc = pass->tapes == NULL ? PITH_ENOMEM : PITH_OK;
  if (rc < 0)
    pass->lanes = 0;
  for (size_t g = 0; rc >= 0 && g < group_count(lanes); g++)
    rc = borrow_tape(s, &pass->tapes[g]);
  if (rc < 0) {
    pith_i_soft_function_pass_free(pass);
    return rc;
  }
  *out = pass;
  return PITH_OK;
}

static void group_forward(pith_soft *s, pith_i_tape *t, lane_span span,
                          const pith_soft_values *start,
                          const pith_soft_values *weights,
                          const pith_soft_values *out) {
  const pith_i_net *net = s->net;
  load_values(s, start, span, t->value);
  load_weights(s, weights, span, t->weight);
  pith_i_net_forward(t);
  store_values(s, t->value + (size_t)net->steps * net->atoms, span, write_lanes,
               out);
}

/* Without a way back one tape serves all groups. */
static pith_status forward_only(pith_soft *s, size_t lanes,
                                const pith_soft_values *start,
                                const pith_soft_values *weights,
                                const pith_soft_values *out) {
  pith_i_tape *t;
  pith_status rc = borrow_tape(s, &t);
  if (rc < 0)
    return rc;
  for (size_t g = 0; rc >= 0 && g < group_count(lanes); g++) {
    rc = pith_i_call_poll(s->env);
    if (rc >= 0)
      group_forward(s, t, span_of(lanes, g), start, weights, out);
  }
  return_tape(s, t);
  return rc;
}

pith_status pith_i_soft_function_forward(pith_soft *s, size_t lanes,
                                         const pith_soft_values *start,
                                         const pith_soft_values *weights,
                                         const pith_soft_values *out,
                                         pith_soft_pass **pass) {
  assert(lanes > 0);
  if (pass == NULL)
    return forward_only(s, lanes, start, weights, out);
  pith_status rc = make_pass(s, lanes, pass);
  for (size_t g = 0; rc >= 0 && g < group_count(lanes); g++) {
    group_forward(s, (*pass)->tapes[g], span_of(lanes, g), start, weights, out);
    rc = pith_i_call_poll(s->env);
  }
  if (rc < 0 && *pass != NULL) {
    pith_i_soft_function_pass_free(*pass);
    *pass = NULL;
  }
  return rc;
}

static void group_backward(pith_soft *s, pith_i_tape *t, lane_span span,
                           const pith_soft_values *dout,
                           const pith_soft_values *dstart,
                           const pith_soft_values *dweights) {
  load_values(s, dout, span, t->dvalue);
  clear_rows(t->dweight, s->net->candidates.n);
  pith_i_net_backward(t);
  store_values(s, t->dvalue, span, add_lanes, dstart);
  for (size_t i = 0; dweights->at != NULL && i < s->open.n; i++)
    add_lanes(dweights, caller_place(dweights, i, 0), span,
              &t->dweight[s->open.at[i]]);
}

pith_status pith_i_soft_function_backward(pith_soft_pass *pass,
                                          const pith_soft_values *dout,
                                          const pith_soft_values *dstart,
                                          const pith_soft_values *dweights) {
  pith_status rc = PITH_OK;
  for (size_t g = 0; rc >= 0 && g < group_count(pass->lanes); g++) {
    rc = pith_i_call_poll(pass->soft->env);
    if (rc >= 0)
      group_backward(pass->soft, pass->tapes[g], span_of(pass->lanes, g), dout,
                     dstart, dweights);
  }
  return rc;
}
