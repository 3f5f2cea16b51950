/* All ways to fill the body of each rule with predicates, and the joins that
** they need. Rules of one shape share their joins: what is joined are values,
** whatever the weights. */
#include <assert.h>
#include <string.h>

#include "base/tunables.h"
#include "net/net.h"
#include "net/order.h"

typedef struct {
  pith_i_env *env;
  pith_i_net *net;
  uint32_t slots[PITH_I_MAX_TEMPLATE];  /* of the rule's body, once each  */
  uint32_t choice[PITH_I_MAX_TEMPLATE]; /* a candidate for each           */
  uint32_t slot_count;
} filler;

static bool same_place(pith_i_tensor_place a, pith_i_tensor_place b) {
  return a.kind == b.kind && a.at == b.at;
}

/* Whether two joins pair the same elements, whatever their operands. */
static bool pair_alike(const pith_i_net *net, const pith_i_join *a,
                       const pith_i_join *b) {
  if (a == b)
    return true;
  if (a->size != b->size || (a->b == PITH_NONE) != (b->b == PITH_NONE))
    return false;
  if (net->dense)
    return memcmp(a->arity, b->arity, sizeof a->arity) == 0 &&
           a->removes == b->removes &&
           memcmp(&a->a_step, &b->a_step, sizeof a->a_step) == 0 &&
           memcmp(&a->b_step, &b->b_step, sizeof a->b_step) == 0;
  size_t n = a->start[a->size] * sizeof *a->left;
  return memcmp(a->start, b->start, (a->size + 1) * sizeof *a->start) == 0 &&
         memcmp(a->left, b->left, n) == 0 &&
         (a->b == PITH_NONE || memcmp(a->right, b->right, n) == 0);
}

static pith_i_tensor_place pred_place(const pith_i_net *net, uint32_t pred) {
  const pith_i_net_pred *p = &net->preds.at[pred];
  return (pith_i_tensor_place){p->derived ? PITH_I_IN_VALUES : PITH_I_IN_GIVEN,
                               p->offset};
}

/* What an operand of a join of the rule is filled with: a slot's predicate, or
** the output of an earlier join. outs: (joins of the rule). */
static pith_i_tensor_place operand_place(const filler *f,
                                         const pith_i_net_rule *r,
                                         uint32_t tensor,
                                         const pith_i_tensor_place *outs) {
  const pith_i_net *net = f->net;
  for (uint32_t i = 0; i < f->slot_count; i++)
    if (f->slots[i] == tensor)
      return pred_place(net, net->candidates.at[f->choice[i]].pred);
  for (uint32_t i = 0; i < r->joins; i++)
    if (net->joins.at[r->first_join + i].out == tensor)
      return outs[i];
  assert(false);
  return (pith_i_tensor_place){0};
}

static bool is_background(pith_i_tensor_place p) {
  return p.kind == PITH_I_IN_GIVEN || p.kind == PITH_I_IN_FIXED;
}

/* Whether nothing of it holds before the first step. */
static bool is_idle(const pith_i_net *net, pith_i_tensor_place p) {
  for (size_t i = 0; p.kind == PITH_I_IN_VALUES && i < net->preds.n; i++) {
    const pith_i_net_pred *q = &net->preds.at[i];
    if (q->derived && q->offset == p.at)
      return q->fact_count == 0 && net->core.n == 0;
  }
  for (size_t i = 0; p.kind == PITH_I_IN_JOINS && i < net->filled_joins.n; i++)
    if (same_place(net->filled_joins.at[i].out, p))
      return net->filled_joins.at[i].idle;
  return false;
}

/* The output of the join with these operands, which is added if it is new. */
static pith_status fill_join(filler *f, uint32_t join, pith_i_tensor_place a,
                             pith_i_tensor_place b, pith_i_tensor_place *out) {
  pith_i_net *net = f->net;
  const pith_i_join *j = &net->joins.at[join];
  bool one = j->b == PITH_NONE;
  for (size_t i = 0; i < net->filled_joins.n; i++) {
    const pith_i_filled_join *k = &net->filled_joins.at[i];
    if (same_place(k->a, a) && (one || same_place(k->b, b)) &&
        pair_alike(net, &net->joins.at[k->join], j)) {
      *out = k->out;
      return PITH_OK;
    }
  }
  bool fixed = is_background(a) && (one || is_background(b));
  uint32_t *rows = fixed ? &net->fixed_rows : &net->joined_rows;
  if (j->size > UINT32_MAX - 1 - *rows)
    return pith_i_fail(f->env, PITH_ENOMEM,
                       "the network is too large: more than 4 billion rows");
  *out =
      (pith_i_tensor_place){fixed ? PITH_I_IN_FIXED : PITH_I_IN_JOINS, *rows};
  *rows += j->size;
  pith_i_filled_join made = {.join = join,
                             .a = a,
                             .b = b,
                             .out = *out,
                             .idle =
                                 is_idle(net, a) || (!one && is_idle(net, b))};
  return pith_i_push(f->env, &net->filled_joins, made) ? PITH_OK : PITH_ENOMEM;
}

/* The joins of one choice of predicates, and the body that they make. */
static pith_status fill_body(filler *f, uint32_t rule) {
  pith_i_net *net = f->net;
  const pith_i_net_rule *r = &net->rules.at[rule];
  pith_i_tensor_place outs[PITH_I_MAX_OPERANDS];
  pith_status rc = PITH_OK;
  assert(r->joins > 0 && r->joins <= PITH_I_MAX_OPERANDS);
  for (uint32_t i = 0; rc >= 0 && i < r->joins; i++) {
    const pith_i_join *j = &net->joins.at[r->first_join + i];
    pith_i_tensor_place a = operand_place(f, r, j->a, outs), b = a;
    if (j->b != PITH_NONE)
      b = operand_place(f, r, j->b, outs);
    rc = fill_join(f, r->first_join + i, a, b, &outs[i]);
  }
  pith_i_filled_body body = {.rule = rule,
                             .first = (uint32_t)net->filled_slots.n,
                             .slots = f->slot_count};
  for (uint32_t i = 0; rc >= 0 && i < f->slot_count; i++)
    if (!pith_i_push(f->env, &net->filled_slots, f->choice[i]))
      rc = PITH_ENOMEM;
  if (rc < 0)
    return rc;
  body.out = outs[r->joins - 1];
  return pith_i_push(f->env, &net->filled_bodies, body) ? PITH_OK : PITH_ENOMEM;
}

static void find_body_slots(filler *f, const pith_i_net_rule *r) {
  const pith_rule *shape = &r->shape->shape;
  f->slot_count = 0;
  for (uint32_t i = 0; i < shape->body_len; i++) {
    uint32_t slot = r->slots[shape->body[i].pred], k = 0;
    while (k < f->slot_count && f->slots[k] != slot)
      k++;
    if (k < f->slot_count)
      continue;
    assert(f->slot_count < PITH_I_MAX_TEMPLATE);
    f->choice[f->slot_count] = f->net->slots.at[slot].first;
    f->slots[f->slot_count++] = slot;
  }
}

/* Counts up, the last slot first; false after the last choice. */
static bool next_choice(filler *f) {
  for (uint32_t i = f->slot_count; i-- > 0;) {
    const pith_i_net_slot *s = &f->net->slots.at[f->slots[i]];
    if (++f->choice[i] < s->first + s->count)
      return true;
    f->choice[i] = s->first;
  }
  return false;
}

/* ---- types ----------------------------------------------------------- */

/* Under the present choice. */
static uint32_t pred_of_atom(const filler *f, const pith_i_net_rule *r,
                             uint32_t atom) {
  uint32_t slot = r->slots[r->shape->shape.body[atom].pred], i = 0;
  while (f->slots[i] != slot)
    i++;
  assert(i < f->slot_count);
  return f->net->candidates.at[f->choice[i]].pred;
}

/* Whether constant c fits all places of a variable in one atom. */
static bool fits_atom(const filler *f, const pith_atom *a, uint32_t pred,
                      uint32_t var, uint32_t c) {
  for (uint32_t i = 0; i < a->arity; i++)
    if (PITH_VAR_INDEX(a->args[i]) == var &&
        !f->net->types[(2 * pred + i) * f->net->constants + c])
      return false;
  return true;
}

static bool has_constant(const filler *f, const pith_i_net_rule *r,
                         uint32_t head, uint32_t var) {
  const pith_rule *shape = &r->shape->shape;
  for (uint32_t c = 0; c < f->net->constants; c++) {
    bool fits = fits_atom(f, &shape->head, head, var, c);
    for (uint32_t i = 0; fits && i < shape->body_len; i++)
      fits = fits_atom(f, &shape->body[i], pred_of_atom(f, r, i), var, c);
    if (fits)
      return true;
  }
  return false;
}

/* Whether types allow the present choice for the body, with this head. */
static bool is_possible(const filler *f, uint32_t rule, uint32_t head) {
  const pith_i_net_rule *r = &f->net->rules.at[rule];
  for (uint32_t v = 0; f->net->types != NULL && v < r->shape->shape.var_count;
       v++)
    if (!has_constant(f, r, head, v))
      return false;
  return true;
}

static bool has_possible_head(const filler *f, uint32_t rule) {
  const pith_i_net *net = f->net;
  const pith_i_net_slot *s = &net->slots.at[net->rules.at[rule].head];
  for (uint32_t c = s->first; c < s->first + s->count; c++)
    if (is_possible(f, rule, net->candidates.at[c].pred))
      return true;
  return false;
}

/* ---- rules ----------------------------------------------------------- */

/* Where only invented predicates have core facts, rules build on these alone,
** as in the authors' code for kinship. */
static bool needs_observed(const filler *f) {
  const pith_i_net *net = f->net;
  for (uint32_t i = 0; i < f->slot_count; i++)
    if (net->core_kind == PITH_I_CORE_HIDDEN &&
        net->preds.at[net->candidates.at[f->choice[i]].pred].fact_count > 0)
      return true;
  return false;
}

static pith_status fill_rule(filler *f, uint32_t rule) {
  pith_status rc = PITH_OK;
  find_body_slots(f, &f->net->rules.at[rule]);
  do {
    if (f->net->filled_bodies.n >= PITH_TUNE_NET_BODIES)
      return pith_i_fail(f->env, PITH_ENOMEM,
                         "the authors' reading joins every choice of "
                         "predicates by itself, and these are too many; use "
                         "fewer predicates, or --semantics text");
    if (!needs_observed(f) && has_possible_head(f, rule))
      rc = fill_body(f, rule);
  } while (rc >= 0 && next_choice(f));
  return rc;
}

/* ---- heads ----------------------------------------------------------- */

/* The atoms of a typed predicate: others have no place. */
static const uint32_t *typed_map(filler *f, uint32_t pred) {
  pith_i_net *net = f->net;
  size_t n = net->constants;
  uint32_t size = net->preds.at[pred].size;
  uint32_t *map = pith_i_arena_alloc(&net->arena, (size + 1) * sizeof *map);
  for (uint32_t a = 0; map != NULL && a < size; a++) {
    bool unary = net->preds.at[pred].arity == 1;
    uint32_t x = unary ? a : net->pair_x[a], y = unary ? a : net->pair_y[a];
    bool fits = f->net->types[2 * pred * n + x] &&
                (unary || f->net->types[(2 * pred + 1) * n + y]);
    map[a] = fits ? a : PITH_NONE;
  }
  return map;
}

/* Weights first: the head that joins alike, or NULL. */
static pith_i_filled_head *find_head(const filler *f, uint32_t rule,
                                     uint32_t pred, pith_i_tensor_place out) {
  pith_i_net *net = f->net;
  const pith_i_net_rule *r = &net->rules.at[rule];
  for (size_t i = 0; net->weights_first && i < net->filled_heads.n; i++) {
    pith_i_filled_head *h = &net->filled_heads.at[i];
    const pith_i_net_rule *q = &net->rules.at[h->rule];
    if (h->pred == pred && same_place(h->out, out) && q->size == r->size &&
        memcmp(q->atoms, r->atoms, q->size * sizeof *q->atoms) == 0)
      return h;
  }
  return NULL;
}

static pith_status new_head(filler *f, uint32_t rule, uint32_t candidate,
                            uint32_t body, pith_i_filled_head **out) {
  pith_i_net *net = f->net;
  pith_i_filled_head h = {.rule = rule,
                          .pred = net->candidates.at[candidate].pred,
                          .first = PITH_NONE,
                          .map = net->candidates.at[candidate].map,
                          .out = net->filled_bodies.at[body].out,
                          .before = net->filled_elements};
  if (f->net->types != NULL && (h.map = typed_map(f, h.pred)) == NULL)
    return PITH_ENOMEM;
  net->filled_elements += net->rules.at[rule].size;
  if (!pith_i_push(f->env, &net->filled_heads, h))
    return PITH_ENOMEM;
  *out = &net->filled_heads.at[net->filled_heads.n - 1];
  return PITH_OK;
}

static pith_status add_member(filler *f, uint32_t rule, uint32_t candidate,
                              uint32_t body) {
  pith_i_net *net = f->net;
  uint32_t pred = net->candidates.at[candidate].pred;
  const pith_i_filled_body *b = &net->filled_bodies.at[body];
  memcpy(f->choice, net->filled_slots.at + b->first,
         b->slots * sizeof *f->choice);
  if (!is_possible(f, rule, pred))
    return PITH_OK;
  pith_i_filled_head *h =
      find_head(f, rule, pred, net->filled_bodies.at[body].out);
  pith_status rc = h == NULL ? new_head(f, rule, candidate, body, &h) : PITH_OK;
  pith_i_filled_member m = {candidate, body, PITH_NONE};
  uint32_t number = (uint32_t)net->filled_members.n;
  if (rc < 0 || !pith_i_push(f->env, &net->filled_members, m))
    return PITH_ENOMEM;
  uint32_t *end = &h->first; /* members stay in order */
  while (*end != PITH_NONE)
    end = &net->filled_members.at[*end].next;
  *end = number;
  return PITH_OK;
}

static pith_status fill_heads(filler *f, uint32_t rule, uint32_t first) {
  const pith_i_net *net = f->net;
  const pith_i_net_slot *s = &net->slots.at[net->rules.at[rule].head];
  pith_status rc = PITH_OK;
  for (uint32_t c = s->first; c < s->first + s->count; c++)
    for (uint32_t b = first; rc >= 0 && b < net->filled_bodies.n; b++)
      rc = add_member(f, rule, c, b);
  return rc;
}

static void mark_alone(pith_i_net *net) {
  for (size_t i = 0; net->weights_first && i < net->filled_heads.n; i++) {
    pith_i_filled_head *h = &net->filled_heads.at[i];
    h->alone = true;
    for (size_t j = 0; j < net->filled_heads.n; j++)
      h->alone =
          h->alone && (i == j || net->filled_heads.at[j].pred != h->pred);
  }
}

/* ---- all ------------------------------------------------------------- */

/* Background predicates get their rows. */
static void place_given(pith_i_net *net) {
  for (size_t i = 0; i < net->preds.n; i++) {
    pith_i_net_pred *p = &net->preds.at[i];
    if (p->derived)
      continue;
    p->offset = net->given_rows;
    net->given_rows += p->size;
  }
}

pith_status pith_i_net_fill(pith_i_net *net) {
  filler f = {.env = net->arena.env, .net = net};
  pith_status rc = PITH_OK;
  assert(net->reference && !net->pooled);
  place_given(net);
  for (uint32_t r = 0; rc >= 0 && r < net->rules.n; r++) {
    uint32_t first = (uint32_t)net->filled_bodies.n;
    rc = fill_rule(&f, r);
    if (rc >= 0)
      rc = fill_heads(&f, r, first);
  }
  mark_alone(net);
  return rc;
}
