#include "net/order.h"

#include <assert.h>
#include <string.h>

/* The operands still to be joined. */
typedef struct {
  pith_i_order *plan;
  uint32_t live[PITH_I_MAX_OPERANDS];
  uint32_t n;
} planner;

bool pith_i_vars_have(const pith_i_vars *v, uint32_t var) {
  return (v->n > 0 && v->at[0] == var) || (v->n > 1 && v->at[1] == var);
}

static const pith_i_vars *operand_vars(const planner *p, uint32_t i) {
  assert(i < p->n);
  return &p->plan->vars[p->live[i]];
}

/* ---- sets of variables ----------------------------------------------- */

typedef struct {
  uint32_t at[2 * PITH_I_MAX_TEMPLATE];
  uint32_t n;
} var_set;

static void add_var(var_set *s, uint32_t var) {
  for (uint32_t i = 0; i < s->n; i++)
    if (s->at[i] == var)
      return;
  assert(s->n < 2 * PITH_I_MAX_TEMPLATE);
  s->at[s->n++] = var;
}

static void add_vars(var_set *s, const pith_i_vars *v, uint32_t but) {
  for (uint32_t i = 0; i < v->n; i++)
    if (v->at[i] != but)
      add_var(s, v->at[i]);
}

/* ---- one join -------------------------------------------------------- */

static void drop_operand(planner *p, uint32_t i) {
  assert(i < p->n);
  memmove(&p->live[i], &p->live[i + 1], (p->n - i - 1) * sizeof *p->live);
  p->n--;
}

/* Joins the live operands i and j (PITH_NONE: i alone) over all their
** variables but one; the output takes the place of i. */
static void join_operands(planner *p, uint32_t i, uint32_t j, uint32_t remove) {
  pith_i_order *plan = p->plan;
  var_set keep = {.n = 0};
  add_vars(&keep, operand_vars(p, i), remove);
  if (keep.n == 0) { /* keep[0] is to be left's */
    uint32_t other = i;
    i = j;
    j = other;
    add_vars(&keep, operand_vars(p, i), remove);
  }
  if (j != PITH_NONE)
    add_vars(&keep, operand_vars(p, j), remove);
  assert(keep.n == 1 || keep.n == 2);
  assert(plan->atoms + plan->count < PITH_I_MAX_OPERANDS);
  pith_i_vars out = {{keep.at[0], keep.at[1]}, keep.n};
  plan->joins[plan->count] = (pith_i_ordered_join){
      p->live[i], j == PITH_NONE ? PITH_NONE : p->live[j], out};
  p->live[i] = plan->atoms + plan->count++;
  plan->vars[p->live[i]] = out;
  if (j != PITH_NONE)
    drop_operand(p, j);
}

/* ---- removing a variable --------------------------------------------- */

/* The live operands that hold the variable; how many. */
static uint32_t find_holders(const planner *p, uint32_t var, uint32_t *which) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < p->n; i++)
    if (pith_i_vars_have(operand_vars(p, i), var))
      which[n++] = i;
  return n;
}

/* How many other variables it meets. */
static uint32_t count_neighbours(const planner *p, uint32_t var) {
  var_set others = {.n = 0};
  for (uint32_t i = 0; i < p->n; i++)
    if (pith_i_vars_have(operand_vars(p, i), var))
      add_vars(&others, operand_vars(p, i), var);
  return others.n;
}

/* Joins two of the operands that hold the variable, which they all share
** with at most two others: of three, two fit into two variables. */
static void join_two(planner *p, const uint32_t *which, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = i + 1; j < n; j++) {
      var_set both = {.n = 0};
      add_vars(&both, operand_vars(p, which[i]), PITH_NONE);
      add_vars(&both, operand_vars(p, which[j]), PITH_NONE);
      if (both.n <= 2) {
        join_operands(p, which[i], which[j], PITH_NONE);
        return;
      }
    }
  assert(false);
}

/* The variable meets no more than two others. */
static void remove_var(planner *p, uint32_t var) {
  uint32_t which[PITH_I_MAX_OPERANDS], n, others = count_neighbours(p, var);
  assert(others <= 2);
  while ((n = find_holders(p, var, which)) > (others == 0 ? 1 : 2))
    join_two(p, which, n);
  if (n == 2)
    join_operands(p, which[0], which[1], var);
  else if (others > 0)
    join_operands(p, which[0], PITH_NONE, var);
  else /* it stands alone, as Z in F(X) <- F(X), F(Z) */
    join_operands(p, which[0] == 0 ? 1 : 0, which[0], var);
}

static bool in_head(const pith_rule *shape, uint32_t var) {
  for (uint32_t i = 0; i < shape->head.arity; i++)
    if (shape->head.args[i] == PITH_VAR(var))
      return true;
  return false;
}

/* The variable to remove next, or PITH_NONE. */
static uint32_t next_var(const planner *p, const pith_rule *shape) {
  uint32_t best = PITH_NONE, which[PITH_I_MAX_OPERANDS];
  for (uint32_t v = 0; v < shape->var_count; v++)
    if (!in_head(shape, v) && find_holders(p, v, which) > 0 &&
        (best == PITH_NONE ||
         count_neighbours(p, v) < count_neighbours(p, best)))
      best = v;
  return best;
}

/* ---- all ------------------------------------------------------------- */

static pith_i_vars atom_vars(const pith_atom *a) {
  assert(a->arity == 1 || a->arity == 2);
  assert(PITH_IS_VAR(a->args[0]));
  pith_i_vars v = {{PITH_VAR_INDEX(a->args[0]), 0}, 1};
  if (a->arity == 2 && a->args[1] != a->args[0])
    v.at[v.n++] = PITH_VAR_INDEX(a->args[1]);
  return v;
}

bool pith_i_order_make(const pith_rule *shape, pith_i_order *plan) {
  planner p = {.plan = plan, .n = shape->body_len};
  assert(shape->body_len > 0 && shape->body_len <= PITH_I_MAX_TEMPLATE);
  plan->atoms = shape->body_len;
  plan->count = 0;
  for (uint32_t i = 0; i < shape->body_len; i++) {
    plan->vars[i] = atom_vars(&shape->body[i]);
    p.live[i] = i;
  }
  for (uint32_t v; (v = next_var(&p, shape)) != PITH_NONE;) {
    if (count_neighbours(&p, v) > 2)
      return false;
    remove_var(&p, v);
  }
  while (p.n > 1)
    join_operands(&p, 0, 1, PITH_NONE);
  if (plan->count == 0) /* one atom: a join of one */
    join_operands(&p, 0, PITH_NONE, PITH_NONE);
  assert(p.n == 1 && p.live[0] == plan->atoms + plan->count - 1);
  return true;
}
