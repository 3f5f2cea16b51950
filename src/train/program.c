#include "train/program.h"

#include <assert.h>

#include "term/equal.h"

/* Pooled: the body that rule r chose, whole; NULL: none. */
static const pith_rule *pooled_rule(const pith_i_net *net,
                                    const uint32_t *choice, size_t r) {
  uint32_t c = choice[net->rules.at[r].head];
  return c == PITH_NONE ? NULL
                        : net->bodies.at[net->candidates.at[c].body].rule;
}

static bool is_in(const pith_i_net *net, const uint32_t *choice, size_t r) {
  return net->pooled ? pooled_rule(net, choice, r) != NULL
                     : choice[net->rules.at[r].head] != PITH_NONE;
}

/* Of a rule that is in. */
static const pith_rule *chosen_shape(const pith_i_net *net,
                                     const uint32_t *choice, size_t r) {
  return net->pooled ? pooled_rule(net, choice, r)
                     : &net->rules.at[r].shape->shape;
}

/* The network's predicate of a body atom; PITH_NONE: background of a pool,
** which is not in the network. */
static uint32_t pred_at(const pith_i_net *net, const uint32_t *choice,
                        const pith_i_net_rule *r, const pith_atom *a) {
  if (!net->pooled)
    return net->candidates.at[choice[r->slots[a->pred]]].pred;
  uint32_t p = 0;
  while (p < net->preds.n && net->preds.at[p].pred != a->pred)
    p++;
  return p < net->preds.n ? p : PITH_NONE;
}

static bool is_derived(const pith_i_net *net, uint32_t p) {
  return p != PITH_NONE && net->preds.at[p].derived;
}

uint32_t pith_i_program_size(const pith_i_net *net, const uint32_t *choice) {
  assert(choice != NULL);
  uint32_t size = 0;
  for (size_t r = 0; r < net->rules.n; r++)
    if (is_in(net, choice, r))
      size += 1 + chosen_shape(net, choice, r)->body_len;
  return size;
}

uint32_t pith_i_program_given(const pith_i_net *net, const uint32_t *choice) {
  uint32_t given = 0;
  for (size_t r = 0; r < net->rules.n; r++) {
    if (!is_in(net, choice, r))
      continue;
    const pith_rule *shape = chosen_shape(net, choice, r);
    for (uint32_t i = 0; i < shape->body_len; i++)
      given += !is_derived(
          net, pred_at(net, choice, &net->rules.at[r], &shape->body[i]));
  }
  return given;
}

/* What the atoms' arguments and the rules' variables take to write down: of
** zero(X), zero(Y) and value(X,X), value(X,Y) the first says less. */
static uint32_t count_words(const pith_i_net *net, const uint32_t *choice) {
  uint32_t n = 0;
  for (size_t r = 0; r < net->rules.n; r++) {
    if (!is_in(net, choice, r))
      continue;
    const pith_rule *shape = chosen_shape(net, choice, r);
    n += shape->var_count;
    for (uint32_t i = 0; i < shape->body_len; i++)
      n += shape->body[i].arity;
  }
  return n;
}

/* ---- trimming -------------------------------------------------------- */

static bool same_chosen_atom(const pith_i_net *net, const uint32_t *choice,
                             const pith_i_net_rule *r, const pith_atom *a,
                             const pith_atom *b) {
  return pred_at(net, choice, r, a) == pred_at(net, choice, r, b) &&
         pith_i_args_equal(a, b);
}

/* The head is among the body: nothing new ever follows. Pools have none. */
static bool is_tautology(const pith_i_net *net, const uint32_t *choice,
                         const pith_i_net_rule *r) {
  if (net->pooled)
    return false;
  for (uint32_t i = 0; i < r->shape->shape.body_len; i++)
    if (r->shape->shape.body[i].arity == r->shape->shape.head.arity &&
        same_chosen_atom(net, choice, r, &r->shape->shape.head,
                         &r->shape->shape.body[i]))
      return true;
  return false;
}

/* Whether two rules of one shape chose the same. */
static bool same_rule_in_program(const pith_i_net *net, const uint32_t *choice,
                                 const pith_i_net_rule *a,
                                 const pith_i_net_rule *b) {
  if (net->pooled)
    return net->candidates.at[choice[a->head]].body ==
           net->candidates.at[choice[b->head]].body;
  if (a->shape != b->shape)
    return false;
  for (uint32_t i = 0; i < a->shape->slot_count; i++)
    if (net->candidates.at[choice[a->slots[i]]].pred !=
        net->candidates.at[choice[b->slots[i]]].pred)
      return false;
  return true;
}

static bool is_example_pred(const pith_i_net *net, uint32_t p) {
  const pith_i_net_pred *q = &net->preds.at[p];
  return (pith_i_pred(&net->theory->names, q->pred)->roles & PITH_TARGET) != 0;
}

/* Marks the derived predicates that an example's predicate leads to. */
static void mark_used(const pith_i_net *net, const uint32_t *choice,
                      bool *used) {
  for (uint32_t p = 0; p < net->preds.n; p++)
    used[p] = is_example_pred(net, p);
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t r = 0; r < net->rules.n; r++) {
      const pith_i_net_rule *q = &net->rules.at[r];
      if (!is_in(net, choice, r) ||
          !used[net->candidates.at[choice[q->head]].pred])
        continue;
      const pith_rule *shape = chosen_shape(net, choice, r);
      for (uint32_t i = 0; i < shape->body_len; i++) {
        uint32_t p = pred_at(net, choice, q, &shape->body[i]);
        if (p == PITH_NONE || used[p])
          continue;
        used[p] = changed = true;
      }
    }
  }
}

void pith_i_program_trim(const pith_i_net *net, uint32_t *choice, bool *used) {
  assert(choice != NULL && used != NULL);
  for (size_t r = 0; r < net->rules.n; r++) {
    const pith_i_net_rule *q = &net->rules.at[r];
    bool drop = is_in(net, choice, r) && is_tautology(net, choice, q);
    for (size_t s = 0; s < r && !drop && is_in(net, choice, r); s++)
      drop = is_in(net, choice, s) &&
             same_rule_in_program(net, choice, q, &net->rules.at[s]);
    if (drop || !is_in(net, choice, r))
      choice[q->head] = PITH_NONE;
  }
  mark_used(net, choice, used);
  for (size_t r = 0; r < net->rules.n; r++) {
    const pith_i_net_rule *q = &net->rules.at[r];
    if (is_in(net, choice, r) &&
        !used[net->candidates.at[choice[q->head]].pred])
      choice[q->head] = PITH_NONE;
  }
}

/* ---- order ----------------------------------------------------------- */

static int compare_counts(uint64_t a, uint64_t b) { return a < b ? -1 : a > b; }

int pith_i_program_compare(const pith_i_net *net, const uint32_t *a,
                           pith_i_errors ea, const uint32_t *b,
                           pith_i_errors eb) {
  int c = compare_counts((uint64_t)ea.fp + ea.fn, (uint64_t)eb.fp + eb.fn);
  if (c == 0)
    c = compare_counts(pith_i_program_size(net, a),
                       pith_i_program_size(net, b));
  if (c == 0)
    c = compare_counts(pith_i_program_given(net, a),
                       pith_i_program_given(net, b));
  if (c == 0)
    c = compare_counts(count_words(net, a), count_words(net, b));
  for (size_t i = 0; c == 0 && i < net->slots.n; i++)
    c = compare_counts(a[i], b[i]);
  return c;
}

/* ---- changes of one slot --------------------------------------------- */

static void visit_slot_changes(const pith_i_net *net, const uint32_t *choice,
                               uint32_t slot, pith_i_change_visit visit,
                               void *ctx) {
  const pith_i_net_slot *s = &net->slots.at[slot];
  for (uint32_t c = s->first; c < s->first + s->count; c++)
    if (c != choice[slot])
      visit((pith_i_slot_change){slot, c}, ctx);
  if (s->in_head && choice[slot] != PITH_NONE)
    visit((pith_i_slot_change){slot, PITH_NONE}, ctx);
}

void pith_i_program_changes(const pith_i_net *net, const uint32_t *choice,
                            pith_i_change_visit visit, void *ctx) {
  for (size_t r = 0; r < net->rules.n; r++) {
    const pith_i_net_rule *q = &net->rules.at[r];
    if (net->pooled || choice[q->head] == PITH_NONE) {
      visit_slot_changes(net, choice, q->head, visit, ctx);
      continue;
    }
    for (uint32_t i = 0; i < q->shape->slot_count; i++)
      visit_slot_changes(net, choice, q->slots[i], visit, ctx);
  }
}

/* ---- to symbolic rules ----------------------------------------------- */

/* A unary predicate in a place for F(X,X) is written p(X). */
static bool write_chosen_atom(const pith_i_net *net, const uint32_t *choice,
                              const pith_i_net_rule *r, const pith_atom *shape,
                              pith_i_arena *arena, pith_atom *out) {
  const pith_i_net_pred *p = &net->preds.at[pred_at(net, choice, r, shape)];
  pith_term *args = pith_i_arena_alloc(arena, 2 * sizeof *args);
  if (args == NULL)
    return false;
  for (uint32_t i = 0; i < p->arity; i++)
    args[i] = shape->args[i];
  *out = (pith_atom){.pred = p->pred, .arity = p->arity, .args = args};
  return true;
}

pith_rule *pith_i_program_rule(const pith_i_net *net, const uint32_t *choice,
                               size_t r, pith_i_arena *arena) {
  assert(r < net->rules.n);
  assert(choice[net->rules.at[r].head] != PITH_NONE);
  if (net->pooled)
    return pith_i_rule_copy(arena, pooled_rule(net, choice, r));
  const pith_i_net_rule *q = &net->rules.at[r];
  const pith_rule *shape = &q->shape->shape;
  pith_rule *rule = pith_i_arena_alloc(arena, sizeof *rule);
  pith_atom *body =
      pith_i_arena_alloc(arena, (shape->body_len + 1) * sizeof *body);
  if (rule == NULL || body == NULL)
    return NULL;
  *rule = *shape;
  rule->body = body;
  rule->file = PITH_NONE;
  if (!write_chosen_atom(net, choice, q, &shape->head, arena, &rule->head))
    return NULL;
  for (uint32_t i = 0; i < shape->body_len; i++)
    if (!write_chosen_atom(net, choice, q, &shape->body[i], arena, &body[i]))
      return NULL;
  return rule;
}
