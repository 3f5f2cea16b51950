#include "plain.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { MAX_VARS = 8 };

typedef struct {
  uint32_t at[MAX_VARS]; /* the constant of each variable */
} binding;

static size_t place(const pith_i_plain *p, uint32_t pred, uint32_t x,
                    uint32_t y) {
  size_t n = p->net->constants;
  return (pred * n + x) * n + y;
}

double pith_i_plain_value(const pith_i_plain *p, uint32_t k, uint32_t pred,
                          uint32_t x, uint32_t y) {
  return p->value[k * p->atoms + place(p, pred, x, y)];
}

/* Where the i-th atom of a predicate of the network stands here. */
static size_t place_of_atom(const pith_i_plain *p, uint32_t pred, uint32_t i) {
  const pith_i_net *net = p->net;
  return net->preds.at[pred].arity == 1
             ? place(p, pred, i, i)
             : place(p, pred, net->pair_x[i], net->pair_y[i]);
}

/* ---- memory ---------------------------------------------------------- */

static void start_values(pith_i_plain *p) {
  bool observed = p->net->core_kind != PITH_I_CORE_NONE;
  for (uint32_t i = 0; i < p->net->preds.n; i++) {
    const pith_i_net_pred *q = &p->net->preds.at[i];
    for (uint32_t f = 0; !(observed && q->derived) && f < q->fact_count; f++)
      p->value[place_of_atom(p, i, q->facts[f])] = 1.0;
  }
}

pith_status pith_i_plain_new(pith_i_env *env, const pith_i_net *net,
                             pith_i_semantics semantics, pith_i_plain **out) {
  pith_i_plain *p = pith_i_zalloc(env, 1, sizeof *p);
  if (p == NULL)
    return PITH_ENOMEM;
  size_t c = net->candidates.n, steps = net->steps;
  p->net = net;
  p->semantics = semantics;
  p->atoms = net->preds.n * net->constants * net->constants;
  p->weight = pith_i_zalloc(env, c, sizeof *p->weight);
  p->dweight = pith_i_zalloc(env, c, sizeof *p->dweight);
  p->value = pith_i_zalloc(env, (steps + 1) * p->atoms, sizeof *p->value);
  p->dvalue = pith_i_zalloc(env, p->atoms, sizeof *p->dvalue);
  p->dbefore = pith_i_zalloc(env, p->atoms, sizeof *p->dbefore);
  p->won = pith_i_zalloc(env, steps * p->atoms, sizeof *p->won);
  if (p->weight == NULL || p->dweight == NULL || p->value == NULL ||
      p->dvalue == NULL || p->dbefore == NULL || p->won == NULL) {
    pith_i_plain_free(env, p);
    return PITH_ENOMEM;
  }
  start_values(p);
  *out = p;
  return PITH_OK;
}

void pith_i_plain_free(pith_i_env *env, pith_i_plain *p) {
  if (p == NULL)
    return;
  pith_i_release(env, p->weight);
  pith_i_release(env, p->dweight);
  pith_i_release(env, p->value);
  pith_i_release(env, p->dvalue);
  pith_i_release(env, p->dbefore);
  pith_i_release(env, p->won);
  pith_i_release(env, p);
}

/* ---- bindings -------------------------------------------------------- */

/* The constants of an atom under a binding; a unary atom's twice. */
static void ground(const pith_atom *a, const binding *b, uint32_t *x,
                   uint32_t *y) {
  *x = b->at[PITH_VAR_INDEX(a->args[0])];
  *y = a->arity == 1 ? *x : b->at[PITH_VAR_INDEX(a->args[1])];
}

/* Counts up through the constants first .. end-1; false after the last. */
static bool next_binding(binding *b, uint32_t vars, uint32_t first,
                         uint32_t end) {
  for (uint32_t i = 0; i < vars; i++) {
    if (++b->at[i] < end)
      return true;
    b->at[i] = first;
  }
  return false;
}

static uint64_t to_digits(const binding *b, uint32_t vars, uint64_t base) {
  uint64_t code = 0;
  for (uint32_t i = vars; i-- > 0;)
    code = code * base + b->at[i];
  return code;
}

static binding from_digits(uint64_t code, uint32_t vars, uint64_t base) {
  binding b;
  for (uint32_t i = 0; i < vars; i++, code /= base)
    b.at[i] = (uint32_t)(code % base);
  return b;
}

/* ---- a slot ---------------------------------------------------------- */

/* What the slot makes of (x, y): sum or max over its candidates. v: (atoms) */
static double slot_forward(const pith_i_plain *p, const pith_i_net_slot *s,
                           const double *v, uint32_t x, uint32_t y) {
  double all = 0;
  for (uint32_t c = s->first; c < s->first + s->count; c++) {
    uint32_t pred = p->net->candidates.at[c].pred;
    double one = p->weight[c] * v[place(p, pred, x, y)];
    all = p->semantics.slot_max ? fmax(all, one) : all + one;
  }
  return all;
}

/* d: the gradient of the slot; dv: (atoms). The first maximum takes it. */
static void slot_backward(pith_i_plain *p, const pith_i_net_slot *s,
                          const double *v, uint32_t x, uint32_t y, double d,
                          double *dv) {
  double top = slot_forward(p, s, v, x, y);
  for (uint32_t c = s->first; c < s->first + s->count; c++) {
    size_t a = place(p, p->net->candidates.at[c].pred, x, y);
    if (p->semantics.slot_max && p->weight[c] * v[a] < top)
      continue;
    p->dweight[c] += d * v[a];
    dv[a] += d * p->weight[c];
    if (p->semantics.slot_max)
      return;
  }
}

/* ---- a body ---------------------------------------------------------- */

static double atom_forward(const pith_i_plain *p, const pith_i_net_rule *r,
                           uint32_t i, const binding *b, const double *v) {
  const pith_atom *a = &r->shape->shape.body[i];
  uint32_t x, y;
  ground(a, b, &x, &y);
  return slot_forward(p, &p->net->slots.at[r->slots[a->pred]], v, x, y);
}

static double body_forward(const pith_i_plain *p, const pith_i_net_rule *r,
                           const binding *b, const double *v) {
  double all = 1;
  for (uint32_t i = 0; i < r->shape->shape.body_len; i++) {
    double one = atom_forward(p, r, i, b, v);
    if (p->semantics.and_product)
      all *= one;
    else
      all = i == 0 ? one : fmin(all, one);
  }
  return all;
}

/* The share of the i-th atom in the gradient of the AND: the others' product,
** or all of it for the first minimum. */
static double and_backward(const pith_i_plain *p, const pith_i_net_rule *r,
                           uint32_t i, const binding *b, const double *v) {
  double mine = atom_forward(p, r, i, b, v), share = 1;
  for (uint32_t j = 0; j < r->shape->shape.body_len; j++) {
    if (j == i)
      continue;
    double other = atom_forward(p, r, j, b, v);
    if (p->semantics.and_product)
      share *= other;
    else if (j < i ? other <= mine : other < mine)
      share = 0;
  }
  return share;
}

static void body_backward(pith_i_plain *p, const pith_i_net_rule *r,
                          const binding *b, const double *v, double d,
                          double *dv) {
  for (uint32_t i = 0; i < r->shape->shape.body_len; i++) {
    const pith_atom *a = &r->shape->shape.body[i];
    double share = and_backward(p, r, i, b, v);
    uint32_t x, y;
    ground(a, b, &x, &y);
    if (share != 0)
      slot_backward(p, &p->net->slots.at[r->slots[a->pred]], v, x, y, d * share,
                    dv);
  }
}

/* ---- a rule ---------------------------------------------------------- */

/* old, value, won: (atoms). */
static void bound_forward(const pith_i_plain *p, uint32_t r, const binding *b,
                          const double *old, double *value,
                          pith_i_plain_win *won) {
  const pith_i_net_rule *q = &p->net->rules.at[r];
  const pith_i_net_slot *head = &p->net->slots.at[q->head];
  double body = body_forward(p, q, b, old);
  uint32_t x, y;
  ground(&q->shape->shape.head, b, &x, &y);
  for (uint32_t c = head->first; c < head->first + head->count; c++) {
    uint32_t pred = p->net->candidates.at[c].pred;
    if (p->net->preds.at[pred].arity == 1 && x != y)
      continue;
    size_t a = place(p, pred, x, y);
    if (p->weight[c] * body <= value[a])
      continue;
    value[a] = p->weight[c] * body;
    won[a] = (pith_i_plain_win){
        r + 1, c, to_digits(b, q->shape->shape.var_count, p->net->constants)};
  }
}

/* One choice of a candidate for each slot, as digits. */
static bool next_choice(const pith_i_net *net, const uint32_t *slots,
                        uint32_t n, uint32_t *choice) {
  for (uint32_t i = 0; i < n; i++) {
    const pith_i_net_slot *s = &net->slots.at[slots[i]];
    if (++choice[i] < s->first + s->count)
      return true;
    choice[i] = s->first;
  }
  return false;
}

/* The body's slots, once each; how many. */
static uint32_t body_slots(const pith_i_net_rule *r, uint32_t *slots) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < r->shape->shape.body_len; i++) {
    uint32_t slot = r->slots[r->shape->shape.body[i].pred], k = 0;
    while (k < n && slots[k] != slot)
      k++;
    slots[k] = slot;
    n = k == n ? n + 1 : n;
  }
  return n;
}

/* The product of the weights, times the AND of the values, of one choice. */
static double chosen_body(const pith_i_plain *p, const pith_i_net_rule *r,
                          const binding *b, const double *v,
                          const uint32_t *slots, uint32_t n,
                          const uint32_t *choice) {
  double weight = 1, all = 1;
  for (uint32_t k = 0; k < n; k++)
    weight *= p->weight[choice[k]];
  for (uint32_t i = 0; i < r->shape->shape.body_len; i++) {
    const pith_atom *a = &r->shape->shape.body[i];
    uint32_t x, y, k = 0;
    while (slots[k] != r->slots[a->pred])
      k++;
    ground(a, b, &x, &y);
    double one = v[place(p, p->net->candidates.at[choice[k]].pred, x, y)];
    all = p->semantics.and_product ? all * one : fmin(all, one);
  }
  return weight * all;
}

/* The maximum over all choices of v', for one binding. The largest body is not
** always the best: a head may have a negative weight. */
static void chosen_forward(const pith_i_plain *p, uint32_t rule,
                           const binding *b, const double *old, double *value) {
  const pith_i_net_rule *q = &p->net->rules.at[rule];
  const pith_i_net_slot *head = &p->net->slots.at[q->head];
  uint32_t slots[MAX_VARS], choice[MAX_VARS], n = body_slots(q, slots), x, y;
  for (uint32_t i = 0; i < n; i++)
    choice[i] = p->net->slots.at[slots[i]].first;
  ground(&q->shape->shape.head, b, &x, &y);
  do {
    double body = chosen_body(p, q, b, old, slots, n, choice);
    for (uint32_t c = head->first; c < head->first + head->count; c++) {
      uint32_t pred = p->net->candidates.at[c].pred;
      if (p->net->preds.at[pred].arity == 1 && x != y)
        continue;
      size_t a = place(p, pred, x, y);
      value[a] = fmax(value[a], p->weight[c] * body);
    }
  } while (next_choice(p->net, slots, n, choice));
}

static void rule_forward(const pith_i_plain *p, uint32_t r, const double *old,
                         double *value, pith_i_plain_win *won) {
  const pith_i_net *net = p->net;
  uint32_t vars = net->rules.at[r].shape->shape.var_count;
  assert(vars <= MAX_VARS);
  for (uint32_t w = 0; w < net->worlds; w++) {
    uint32_t first = net->first_constant[w], end = net->first_constant[w + 1];
    if (first == end)
      continue;
    binding b;
    for (uint32_t i = 0; i < vars; i++)
      b.at[i] = first;
    do
      if (p->semantics.reference)
        chosen_forward(p, r, &b, old, value);
      else
        bound_forward(p, r, &b, old, value, won);
    while (next_binding(&b, vars, first, end));
  }
}

/* The gradient d of an atom that a rule has set. */
static void rule_backward(pith_i_plain *p, const pith_i_plain_win *won,
                          const double *old, double d, double *dold) {
  const pith_i_net_rule *q = &p->net->rules.at[won->rule - 1];
  binding b =
      from_digits(won->binding, q->shape->shape.var_count, p->net->constants);
  p->dweight[won->head] += d * body_forward(p, q, &b, old);
  body_backward(p, q, &b, old, d * p->weight[won->head], dold);
}

/* ---- all steps ------------------------------------------------------- */

void pith_i_plain_forward(pith_i_plain *p) {
  for (uint32_t k = 0; k < p->net->steps; k++) {
    const double *old = p->value + k * p->atoms;
    double *value = p->value + (k + 1) * p->atoms;
    pith_i_plain_win *won = p->won + k * p->atoms;
    memcpy(value, old, p->atoms * sizeof *value);
    memset(won, 0, p->atoms * sizeof *won);
    for (uint32_t r = 0; r < p->net->rules.n; r++)
      rule_forward(p, r, old, value, won);
  }
}

void pith_i_plain_backward(pith_i_plain *p) {
  for (uint32_t k = p->net->steps; k-- > 0;) {
    const double *old = p->value + k * p->atoms;
    const pith_i_plain_win *won = p->won + k * p->atoms;
    for (size_t a = 0; a < p->atoms; a++)
      p->dbefore[a] = won[a].rule == 0 ? p->dvalue[a] : 0;
    for (size_t a = 0; a < p->atoms; a++)
      if (won[a].rule != 0 && p->dvalue[a] != 0)
        rule_backward(p, &won[a], old, p->dvalue[a], p->dbefore);
    double *spare = p->dvalue;
    p->dvalue = p->dbefore;
    p->dbefore = spare;
  }
}

/* ---- loss ------------------------------------------------------------ */

static double total_weight(const pith_i_net *net) {
  double total = 0;
  for (size_t i = 0; i < net->examples.n; i++)
    total += (double)net->examples.at[i].weight;
  return total;
}

/* Where the atom of an example stands: the network gives its place among all
** derived atoms. */
static size_t example_place(const pith_i_plain *p,
                            const pith_i_net_example *x) {
  uint32_t pred = 0;
  while (!p->net->preds.at[pred].derived ||
         x->atom - p->net->preds.at[pred].offset >= p->net->preds.at[pred].size)
    pred++;
  return place_of_atom(p, pred, x->atom - p->net->preds.at[pred].offset);
}

double pith_i_plain_loss_forward(const pith_i_plain *p, double eps) {
  double loss = 0;
  for (size_t i = 0; i < p->net->examples.n; i++) {
    const pith_i_net_example *x = &p->net->examples.at[i];
    if (x->atom == PITH_NONE)
      continue;
    double v = p->value[p->net->steps * p->atoms + example_place(p, x)];
    double q = v * (1 - 2 * eps) + eps;
    loss -= (double)x->weight * log(x->label > 0.5f ? q : 1 - q);
  }
  return loss / total_weight(p->net);
}

void pith_i_plain_loss_backward(pith_i_plain *p, double eps) {
  memset(p->dvalue, 0, p->atoms * sizeof *p->dvalue);
  for (size_t i = 0; i < p->net->examples.n; i++) {
    const pith_i_net_example *x = &p->net->examples.at[i];
    if (x->atom == PITH_NONE)
      continue;
    size_t a = example_place(p, x);
    double v = p->value[p->net->steps * p->atoms + a];
    double q = v * (1 - 2 * eps) + eps;
    double slope = x->label > 0.5f ? -1 / q : 1 / (1 - q);
    p->dvalue[a] +=
        (double)x->weight * slope * (1 - 2 * eps) / total_weight(p->net);
  }
}
