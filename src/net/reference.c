/* One step as the code of Campero et al. computes it, and its gradient:
**
**   join   J[e]   = max over z of min(a[z], b[z])     on values alone, once for
**                                                     each choice of predicates
**   rule   x      = u(p,head) u(b1,slot1) u(b2,slot2) J[e]
**   best   m      = max(..max(max(0, x1), x2)..)      over rules and choices,
**                                                  in that order
**   known  V'(p)  = max(m, V(p))
**
** u is the signed cosine. In theories the last two, or the last alone, are
** a + b - ab instead of the maximum (or_sum, known_sum).
**
** Equal alternatives share the gradient as PyTorch shares it: all z that reach
** the maximum get the same share; a minimum and each maximum of two numbers
** give one half to both. So of a row of maxima the last of several equal ones
** gets one half, the one before it a quarter, and the first all that is left,
** unless they are equal to the 0 that the row starts with. Atoms whose value
** is 0 share too, so nothing can be skipped. */
#include "net/reference.h"

/* ---- places ---------------------------------------------------------- */

/* The rows of a tensor at step k. */
static const real *tensor_at(const view *t, uint32_t k,
                             pith_i_tensor_place place) {
  const pith_i_net *net = t->net;
  switch (place.kind) {
  case PITH_I_IN_GIVEN:
    assert(place.at <= net->given_rows);
    return &AT(t->given, place.at);
  case PITH_I_IN_VALUES:
    assert(place.at <= net->atoms);
    return &AT(t->value, (size_t)k * net->atoms + place.at);
  case PITH_I_IN_FIXED:
    assert(place.at <= net->fixed_rows);
    return &AT(t->fixed, place.at);
  default:
    assert(place.kind == PITH_I_IN_JOINS && place.at <= net->joined_rows);
    return &AT(t->tensor, (size_t)k * net->joined_rows + place.at);
  }
}

/* The rows of its gradient; NULL: the background needs none. */
static real *gradient_at(const view *t, pith_i_tensor_place place) {
  return place.kind == PITH_I_IN_VALUES  ? &AT(t->dvalue, place.at)
         : place.kind == PITH_I_IN_JOINS ? &AT(t->dtensor, place.at)
                                         : NULL;
}

typedef struct {
  size_t from, to;
} range;

/* The elements of the world whose examples count; all without one. */
static range counted_elements(const view *t, uint8_t arity, uint32_t size) {
  const pith_i_net *net = t->net;
  uint32_t w = t->tape->world;
  if (!net->dense || w == PITH_NONE)
    return (range){0, size};
  assert(w < net->worlds);
  const uint32_t *c = net->first_constant + w;
  return arity == 1 ? (range){c[0], c[1]}
                    : (range){net->first_pair[c[0]], net->first_pair[c[1]]};
}

/* ---- joins ----------------------------------------------------------- */

/* The pairs of one element: the k-th is a[left[k]] and b[right[k]], or without
** lists a[x + k x_step] and b[y + k y_step]. */
typedef struct {
  const uint32_t *left, *right;
  size_t x, y, x_step, y_step, first, end;
} pairing;

PITH_I_INLINE size_t left_of(const pairing *p, size_t k) {
  return p->left != NULL ? p->left[k] : p->x + k * p->x_step;
}

PITH_I_INLINE size_t right_of(const pairing *p, size_t k) {
  return p->left != NULL ? p->right[k] : p->y + k * p->y_step;
}

PITH_I_INLINE real and_of(bool product, real x, real y) {
  return product ? x * y : PITH_I_PICK(x < y, x, y);
}

PITH_I_INLINE real pair_value(const pairing *p, bool product, const real *a,
                              const real *b, size_t k) {
  real x = AT(a, left_of(p, k));
  return b == NULL ? x : and_of(product, x, AT(b, right_of(p, k)));
}

PITH_I_INLINE void element_forward(const pairing *p, bool product,
                                   const real *a, const real *b, real *out) {
  real best = {0};
  for (size_t k = p->first; k < p->end; k++) {
    real v = pair_value(p, product, a, b, k);
    best = PITH_I_PICK(v > best, v, best);
  }
  *out = best;
}

/* g goes to the smaller of x and y, or half to each. */
PITH_I_INLINE void minimum_backward(real x, real y, real g, real *dx,
                                    real *dy) {
  real none = {0}, half = g * 0.5f, to_x = PITH_I_PICK(x < y, g, none);
  to_x = PITH_I_PICK(x == y, half, to_x);
  if (dx != NULL)
    *dx += to_x;
  if (dy != NULL)
    *dy += g - to_x;
}

PITH_I_INLINE void pair_backward(const pairing *p, bool product, const real *a,
                                 const real *b, size_t k, real g, real *da,
                                 real *db) {
  size_t i = left_of(p, k);
  if (b == NULL) {
    AT(da, i) += g;
    return;
  }
  size_t j = right_of(p, k);
  real x = AT(a, i), y = AT(b, j);
  real *dx = da == NULL ? NULL : &AT(da, i);
  real *dy = db == NULL ? NULL : &AT(db, j);
  if (!product) {
    minimum_backward(x, y, g, dx, dy);
    return;
  }
  if (dx != NULL)
    *dx += g * y;
  if (dy != NULL)
    *dy += g * x;
}

/* All pairs that reach the maximum share d evenly. */
PITH_I_INLINE void element_backward(const pairing *p, bool product,
                                    const real *a, const real *b,
                                    const real *out, const real *dout, real *da,
                                    real *db) {
  real n = {0}, one = PITH_I_ONE(1), none = {0}, d = *dout;
  if (pith_i_busy(&d) == 0 || p->first == p->end)
    return;
  for (size_t k = p->first; k < p->end; k++)
    n += PITH_I_PICK(pair_value(p, product, a, b, k) == *out, one, none);
  real share = d / PITH_I_PICK(n > 0.0f, n, one);
  for (size_t k = p->first; k < p->end; k++) {
    real g = PITH_I_PICK(pair_value(p, product, a, b, k) == *out, share, none);
    if (pith_i_busy(&g) != 0)
      pair_backward(p, product, a, b, k, g, da, db);
  }
}

/* What a join reads and writes; the gradients are NULL forward. */
typedef struct {
  const pith_i_join *join;
  bool product;
  const real *a, *b; /* b NULL: a alone */
  real *out, *dout, *da, *db;
} operation;

PITH_I_INLINE void run_element(const operation *o, const pairing *p, size_t e) {
  if (o->dout == NULL)
    element_forward(p, o->product, o->a, o->b, &AT(o->out, e));
  else
    element_backward(p, o->product, o->a, o->b, &AT(o->out, e), &AT(o->dout, e),
                     o->da, o->db);
}

PITH_I_INLINE void run_grid(const operation *o, const pith_i_grid *g) {
  pairing p = {.x_step = g->a_step[2], .y_step = g->b_step[2], .end = g->depth};
  for (size_t i = 0; i < g->n; i++)
    for (size_t c = 0; c < g->columns; c++) {
      p.x = g->a + i * g->a_step[0] + c * g->a_step[1];
      p.y = g->b + i * g->b_step[0] + c * g->b_step[1];
      run_element(o, &p, g->out + i * g->columns + c);
    }
}

PITH_I_INLINE void run_lists(const operation *o) {
  const pith_i_join *j = o->join;
  pairing p = {.left = j->left, .right = j->right};
  for (uint32_t e = 0; e < j->size; e++) {
    p.first = j->start[e];
    p.end = j->start[e + 1];
    run_element(o, &p, e);
  }
}

/* In the world whose examples count, or in all. */
static void run_join(const view *t, const operation *o) {
  const pith_i_net *net = t->net;
  if (!net->dense) {
    run_lists(o);
    return;
  }
  uint32_t only = t->tape->world;
  for (uint32_t w = 0; w < net->worlds; w++)
    if (only == PITH_NONE || only == w) {
      pith_i_grid g = pith_i_grid_of(net, o->join, w);
      run_grid(o, &g);
    }
}

static operation operation_of(const view *t, uint32_t k,
                              const pith_i_filled_join *f) {
  const pith_i_join *j = &t->net->joins.at[f->join];
  return (operation){.join = j,
                     .product = t->semantics.and_product,
                     .a = tensor_at(t, k, f->a),
                     .b = j->b == PITH_NONE ? NULL : tensor_at(t, k, f->b),
                     .out = (real *)tensor_at(t, k, f->out)};
}

/* fixed: those of the background alone, else the others. The rows of idle ones
** are 0 from the start. */
static void joins_forward(const view *t, uint32_t k, bool fixed) {
  const pith_i_net *net = t->net;
  for (size_t i = 0; i < net->filled_joins.n && !leave_off(t); i++) {
    const pith_i_filled_join *f = &net->filled_joins.at[i];
    if ((f->out.kind == PITH_I_IN_FIXED) != fixed || (k == 0 && f->idle))
      continue;
    operation o = operation_of(t, k, f);
    run_join(t, &o);
  }
}

/* dtensor and dvalue are added into. */
static void joins_backward(const view *t, uint32_t k) {
  const pith_i_net *net = t->net;
  for (size_t i = net->filled_joins.n; i-- > 0 && !leave_off(t);) {
    const pith_i_filled_join *f = &net->filled_joins.at[i];
    if (f->out.kind == PITH_I_IN_FIXED)
      continue;
    operation o = operation_of(t, k, f);
    o.dout = gradient_at(t, f->out);
    o.da = gradient_at(t, f->a);
    o.db = o.b == NULL ? NULL : gradient_at(t, f->b);
    run_join(t, &o);
  }
}

/* ---- weights of bodies ----------------------------------------------- */

static void bodies_forward(const view *t) {
  const pith_i_net *net = t->net;
  for (size_t b = 0; b < net->filled_bodies.n; b++) {
    const pith_i_filled_body *f = &net->filled_bodies.at[b];
    real w = PITH_I_ONE(1);
    for (uint32_t i = 0; i < f->slots; i++)
      w *= AT(t->weight, net->filled_slots.at[f->first + i]);
    AT(t->body, b) = w;
  }
}

static void bodies_backward(const view *t) {
  const pith_i_net *net = t->net;
  for (size_t b = 0; b < net->filled_bodies.n; b++) {
    const pith_i_filled_body *f = &net->filled_bodies.at[b];
    const uint32_t *c = net->filled_slots.at + f->first;
    for (uint32_t i = 0; i < f->slots; i++) {
      real d = AT(t->dbody, b);
      for (uint32_t j = 0; j < f->slots; j++)
        d *= j == i ? PITH_I_ONE(1) : AT(t->weight, c[j]);
      AT(t->dweight, c[i]) += d;
    }
  }
}

/* ---- weights of heads ------------------------------------------------- */

PITH_I_INLINE real member_weight(const view *t, const pith_i_filled_member *m) {
  return AT(t->weight, m->candidate) * AT(t->body, m->body);
}

static void heads_forward(const view *t) {
  const pith_i_net *net = t->net;
  for (size_t h = 0; h < net->filled_heads.n; h++) {
    uint32_t i = net->filled_heads.at[h].first;
    assert(i != PITH_NONE);
    if (!net->weights_first) {
      AT(t->head, h) = member_weight(t, &net->filled_members.at[i]);
      continue;
    }
    real best = {0};
    for (; i != PITH_NONE; i = net->filled_members.at[i].next) {
      real w = member_weight(t, &net->filled_members.at[i]);
      best = PITH_I_PICK(w > best, w, best);
    }
    AT(t->head, h) = best;
  }
}

static void member_backward(const view *t, const pith_i_filled_member *m,
                            real d) {
  AT(t->dweight, m->candidate) += d * AT(t->body, m->body);
  AT(t->dbody, m->body) += d * AT(t->weight, m->candidate);
}

/* Weights first: the gradient of the largest goes to the members in the order
** in which the maxima were taken; equal ones get one half each. */
static void largest_backward(const view *t, uint32_t h) {
  const pith_i_net *net = t->net;
  uint32_t last = PITH_NONE; /* done are the members from here on */
  real rest = AT(t->dhead, h), top = AT(t->head, h), none = {0};
  uint32_t first = net->filled_heads.at[h].first;
  while (last != first) {
    real before = {0}; /* the maximum of 0 and the members before this one */
    uint32_t i = first;
    for (; net->filled_members.at[i].next != last;
         i = net->filled_members.at[i].next) {
      real w = member_weight(t, &net->filled_members.at[i]);
      before = PITH_I_PICK(w > before, w, before);
    }
    real w = member_weight(t, &net->filled_members.at[i]);
    real share = PITH_I_PICK(before == top, rest * 0.5f, rest);
    real g = PITH_I_PICK(w == top, share, none);
    member_backward(t, &net->filled_members.at[i], g);
    rest -= g;
    last = i;
  }
}

static void heads_backward(const view *t) {
  const pith_i_net *net = t->net;
  for (uint32_t h = 0; h < net->filled_heads.n; h++)
    if (net->weights_first)
      largest_backward(t, h);
    else
      member_backward(t, &net->filled_members.at[net->filled_heads.at[h].first],
                      AT(t->dhead, h));
}

/* ---- heads ----------------------------------------------------------- */

/* A filled head at step k. */
typedef struct {
  const pith_i_net_rule *rule;
  const uint32_t *map;
  uint32_t number;
  size_t offset; /* of the head's atoms */
  range elements;
  const real *value; /* of the body */
  real *dvalue;      /* its gradient, or NULL: of background alone */
  real *before;      /* or_sum: (rule->size) */
  bool alone;
} encounter;

static encounter encounter_of(const view *t, uint32_t k, uint32_t number) {
  const pith_i_net *net = t->net;
  const pith_i_filled_head *h = &net->filled_heads.at[number];
  const pith_i_net_rule *q = &net->rules.at[h->rule];
  const pith_i_join *last = &net->joins.at[q->first_join + q->joins - 1];
  encounter m = {.rule = q,
                 .map = h->map,
                 .number = number,
                 .offset = net->preds.at[h->pred].offset,
                 .elements = counted_elements(t, last->arity[2], q->size),
                 .value = tensor_at(t, k, h->out),
                 .dvalue = gradient_at(t, h->out),
                 .alone = h->alone};
  assert(last->size == q->size && net->preds.at[h->pred].derived);
  if (t->semantics.or_sum)
    m.before = &AT(t->before, k * net->filled_elements + h->before);
  return m;
}

PITH_I_INLINE uint32_t head_atom(const encounter *m, size_t e) {
  uint32_t at = m->rule->atoms[e];
  return m->map == NULL ? at : m->map[at];
}

static void maximum_forward(const view *t, const encounter *m, real *best,
                            whole *won) {
  real w = AT(t->head, m->number);
  for (size_t e = m->elements.from; e < m->elements.to; e++) {
    uint32_t a = head_atom(m, e);
    if (a == PITH_NONE)
      continue;
    real x = w * AT(m->value, e);
    PITH_I_TAKE_GREATER(x, m->number + 1, AT(best, m->offset + a),
                        AT(won, m->offset + a));
  }
}

static void sum_forward(const view *t, const encounter *m, real *best) {
  real w = AT(t->head, m->number);
  for (size_t e = m->elements.from; e < m->elements.to; e++) {
    uint32_t a = head_atom(m, e);
    if (a == PITH_NONE)
      continue;
    real x = w * AT(m->value, e), *sum = &AT(best, m->offset + a);
    AT(m->before, e) = *sum;
    *sum = *sum + x - *sum * x;
  }
}

/* The heads come in reverse; rest: what those after this one have left. */
static void maximum_backward(const view *t, const encounter *m,
                             const real *best, const whole *won) {
  real w = AT(t->head, m->number), dw = {0};
  for (size_t e = m->elements.from; e < m->elements.to; e++) {
    uint32_t a = head_atom(m, e);
    if (a == PITH_NONE)
      continue;
    size_t at = m->offset + a;
    real x = w * AT(m->value, e), none = {0}, *rest = &AT(t->rest, at);
    if (pith_i_busy(rest) == 0)
      continue;
    real share = PITH_I_PICK(AT(won, at) == (int32_t)(m->number + 1), *rest,
                             *rest * 0.5f);
    real g = PITH_I_PICK(x == AT(best, at), share, none);
    g = m->alone ? *rest : g;
    *rest -= g;
    dw += g * AT(m->value, e);
    if (m->dvalue != NULL)
      AT(m->dvalue, e) += g * w;
  }
  AT(t->dhead, m->number) += dw;
}

static void sum_backward(const view *t, const encounter *m) {
  real w = AT(t->head, m->number), dw = {0};
  for (size_t e = m->elements.from; e < m->elements.to; e++) {
    uint32_t a = head_atom(m, e);
    if (a == PITH_NONE)
      continue;
    real *rest = &AT(t->rest, m->offset + a), x = w * AT(m->value, e);
    real g = *rest * (1.0f - AT(m->before, e));
    *rest *= 1.0f - x;
    dw += g * AT(m->value, e);
    if (m->dvalue != NULL)
      AT(m->dvalue, e) += g * w;
  }
  AT(t->dhead, m->number) += dw;
}

/* ---- what was known -------------------------------------------------- */

static void known_forward(const view *t, const real *old, const real *best,
                          real *value) {
  for (uint32_t a = 0; a < t->net->atoms; a++) {
    real x = AT(old, a), y = AT(best, a);
    AT(value, a) =
        t->semantics.known_sum ? x + y - x * y : PITH_I_PICK(y > x, y, x);
  }
}

/* dvalue: from the gradient after the step to the old value's share of it; the
** rest is the rules'. */
static void known_backward(const view *t, const real *old, const real *best) {
  for (uint32_t a = 0; a < t->net->atoms; a++) {
    real x = AT(old, a), y = AT(best, a), g = AT(t->dvalue, a), none = {0};
    real mine = PITH_I_PICK(x > y, g, none);
    mine = PITH_I_PICK(x == y, g * 0.5f, mine);
    AT(t->dvalue, a) = t->semantics.known_sum ? g * (1.0f - y) : mine;
    AT(t->rest, a) = t->semantics.known_sum ? g * (1.0f - x) : g - mine;
  }
}

/* ---- steps ----------------------------------------------------------- */

static void step_forward(const view *t, uint32_t k) {
  const pith_i_net *net = t->net;
  size_t atoms = net->atoms;
  const real *old = &AT(t->value, k * atoms);
  real *best = &AT(t->best, k * atoms);
  whole *won = &AT(t->rule, k * atoms);
  assert(k < net->steps);
  joins_forward(t, k, false);
  fill_rows(best, atoms, (real){0});
  fill_int_rows(won, atoms, 0);
  for (uint32_t h = 0; h < net->filled_heads.n; h++) {
    encounter m = encounter_of(t, k, h);
    if (t->semantics.or_sum)
      sum_forward(t, &m, best);
    else
      maximum_forward(t, &m, best, won);
  }
  known_forward(t, old, best, &AT(t->value, (k + 1) * atoms));
}

/* dvalue: the gradient after the step becomes the one before it. */
static void step_backward(const view *t, uint32_t k) {
  const pith_i_net *net = t->net;
  size_t atoms = net->atoms;
  const real *best = &AT(t->best, k * atoms);
  assert(k < net->steps);
  known_backward(t, &AT(t->value, k * atoms), best);
  fill_rows(t->dtensor, net->joined_rows, (real){0});
  for (uint32_t h = (uint32_t)net->filled_heads.n; h-- > 0;) {
    encounter m = encounter_of(t, k, h);
    if (t->semantics.or_sum)
      sum_backward(t, &m);
    else
      maximum_backward(t, &m, best, &AT(t->rule, k * atoms));
  }
  if (k > 0 || net->core.n > 0) /* else what was given needs no gradient */
    joins_backward(t, k);
}

void PITH_I_NAME(pith_i_reference_forward)(const view *t) {
  if (!t->tape->has_fixed) {
    uint32_t world = t->tape->world;
    t->tape->world = PITH_NONE;
    joins_forward(t, 0, true);
    t->tape->world = world;
  }
  bodies_forward(t);
  heads_forward(t);
  for (uint32_t k = 0; k < t->net->steps && !t->tape->stopped; k++)
    step_forward(t, k);
}

void PITH_I_NAME(pith_i_reference_backward)(const view *t) {
  fill_rows(t->dbody, t->net->filled_bodies.n, (real){0});
  fill_rows(t->dhead, t->net->filled_heads.n, (real){0});
  for (uint32_t k = t->net->steps; k-- > 0 && !t->tape->stopped;)
    step_backward(t, k);
  heads_backward(t);
  bodies_backward(t);
}
