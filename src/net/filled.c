/* All ways to fill the body of each rule with predicates, and the joins that
** they need. Rules of one shape share their joins: what is joined are values,
** whatever the weights. */
#include <assert.h>
#include <string.h>

#include "net/net.h"
#include "net/order.h"

enum { MOST_BODIES = 1 << 20 };

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
  pith_i_filled_join made = {.join = join, .a = a, .b = b, .out = *out};
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

static pith_status fill_rule(filler *f, uint32_t rule) {
  pith_status rc = PITH_OK;
  find_body_slots(f, &f->net->rules.at[rule]);
  do {
    if (f->net->filled_bodies.n >= MOST_BODIES)
      return pith_i_fail(f->env, PITH_ENOMEM,
                         "the authors' reading joins every choice of "
                         "predicates by itself, and these are too many; use "
                         "fewer predicates, or --semantics text");
    rc = fill_body(f, rule);
  } while (rc >= 0 && next_choice(f));
  return rc;
}

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
    if (!pith_i_push(f.env, &net->first_filled, first))
      rc = PITH_ENOMEM;
    if (rc >= 0)
      rc = fill_rule(&f, r);
  }
  uint32_t end = (uint32_t)net->filled_bodies.n;
  if (rc >= 0 && !pith_i_push(f.env, &net->first_filled, end))
    rc = PITH_ENOMEM;
  return rc;
}
