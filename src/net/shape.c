/* From templates to joins.
**
** A body is a set of tensors, each over one or two variables. Variables that
** the head does not have are removed one after the other: the tensors that
** hold the variable are joined, and the last join takes the maximum over it.
** What is left is joined over the head's variables. A join needs at most
** three variables at once, two to keep and one to remove; a template that
** would need more is refused.
**
** The same enumeration serves twice: first over and over, to find which pairs
** any choice of predicates could make true (the support), then once more to
** write down the lists; or, where the support is most of all pairs, the plan
** of the joins alone, with strides. */
#include <string.h>

#include "base/tuples.h"
#include "net/net.h"

enum { MAX_ATOMS = 8 };

/* A tensor during planning: its variables, and its elements as rows
** (value of v[0], value of v[1], element number). */
typedef struct {
  uint32_t vars[2];
  uint32_t var_count;
  uint32_t tensor;        /* number, or PITH_NONE while only finding support */
  uint8_t arity;          /* its tensor is over constants (1) or pairs (2)   */
  uint8_t one[2], row[2]; /* dense: strides of its variables          */
  PITH_I_VEC(uint32_t) rows; /* (n/3, 3) */
} operand;

typedef struct {
  pith_i_env *env;
  pith_i_net *net;
  pith_i_tuples pairs; /* the support: (x, y) */
  bool write;          /* lists too, not only support */
} builder;

static bool writes_dense(const builder *b) { return b->write && b->net->dense; }

static bool add_row(builder *b, operand *o, uint32_t x, uint32_t y,
                    uint32_t e) {
  if (!pith_i_room(b->env, &o->rows, 3))
    return false;
  uint32_t *r = o->rows.at + o->rows.n;
  r[0] = x;
  r[1] = y;
  r[2] = e;
  o->rows.n += 3;
  return true;
}

/* The elements of a slot's tensor as seen through an atom: F(X,Y), F(Y,X) or
** F(X,X). */
static bool load_atom(builder *b, const pith_atom *atom, uint32_t slot,
                      operand *o) {
  const pith_i_net_slot *s = &b->net->slots.at[slot];
  o->tensor = slot;
  o->arity = (uint8_t)s->arity;
  o->rows.n = 0;
  o->vars[0] = PITH_VAR_INDEX(atom->args[0]);
  o->var_count = 1;
  o->one[0] = 1;
  o->row[0] = 0;
  if (s->arity == 1) {
    for (uint32_t c = 0; !writes_dense(b) && c < b->net->constants; c++)
      if (!add_row(b, o, c, 0, c))
        return false;
    return true;
  }
  bool diagonal = atom->args[0] == atom->args[1];
  o->row[0] = 1; /* F(X,X) goes down the diagonal */
  if (!diagonal) {
    o->vars[1] = PITH_VAR_INDEX(atom->args[1]);
    o->var_count = 2;
    o->one[0] = 0;
    o->one[1] = 1;
    o->row[1] = 0;
  }
  if (writes_dense(b))
    return true;
  for (uint32_t i = 0; i < b->pairs.n; i++) {
    uint32_t x = b->pairs.at[2 * i], y = b->pairs.at[2 * i + 1];
    if ((!diagonal || x == y) && !add_row(b, o, x, diagonal ? 0 : y, i))
      return false;
  }
  return true;
}

static bool has_var(const operand *o, uint32_t v) {
  return o->vars[0] == v || (o->var_count == 2 && o->vars[1] == v);
}

static uint32_t value_of(const operand *o, const uint32_t *row, uint32_t v) {
  return row[o->vars[0] == v ? 0 : 1];
}

/* ---- one join -------------------------------------------------------- */

typedef struct {
  uint32_t keep[2];
  uint32_t keep_count;
  uint32_t shared[2]; /* variables of both operands */
  uint32_t shared_count;
} join_plan;

/* Groups the rows of b by the values of the shared variables. */
typedef struct {
  pith_i_tuples keys;
  uint32_t *first; /* by key: newest row */
  uint32_t *next;  /* by row */
} groups;

static void key_of(const builder *b, const join_plan *plan, const operand *o,
                   const uint32_t *row, uint32_t *key) {
  for (uint32_t i = 0; i < plan->shared_count; i++)
    key[i] = value_of(o, row, plan->shared[i]);
  if (plan->shared_count == 0) /* worlds never meet */
    key[0] = b->net->world_of[row[0]];
}

static pith_status group_rows(builder *b, const join_plan *plan,
                              const operand *o, groups *g) {
  size_t n = o->rows.n / 3;
  memset(g, 0, sizeof *g);
  g->keys.width = plan->shared_count == 0 ? 1 : plan->shared_count;
  g->first = pith_i_alloc(b->env, n * sizeof *g->first);
  g->next = pith_i_alloc(b->env, n * sizeof *g->next);
  if (g->first == NULL || g->next == NULL)
    return PITH_ENOMEM;
  for (size_t i = n; i-- > 0;) {
    uint32_t key[2], k;
    bool added;
    key_of(b, plan, o, o->rows.at + 3 * i, key);
    pith_status rc = pith_i_tuples_add(b->env, &g->keys, key, &k, &added);
    if (rc < 0)
      return rc;
    g->next[i] = added ? PITH_NONE : g->first[k];
    g->first[k] = (uint32_t)i;
  }
  return PITH_OK;
}

static void groups_free(builder *b, groups *g) {
  pith_i_tuples_free(b->env, &g->keys);
  pith_i_release(b->env, g->first);
  pith_i_release(b->env, g->next);
}

/* What a join found: its output elements, and every (element, left, right). */
typedef struct {
  pith_i_tuples elements;   /* (keep_count) */
  PITH_I_VEC(uint32_t) met; /* (n/3, 3) */
} joined;

static pith_status meet(builder *b, const join_plan *plan, const operand *left,
                        const uint32_t *l, const operand *right,
                        const uint32_t *r, joined *out) {
  uint32_t key[2] = {0, 0}, e;
  for (uint32_t i = 0; i < plan->keep_count; i++)
    key[i] = has_var(left, plan->keep[i]) ? value_of(left, l, plan->keep[i])
                                          : value_of(right, r, plan->keep[i]);
  pith_status rc = pith_i_tuples_add(b->env, &out->elements, key, &e, NULL);
  if (rc < 0 || !b->write)
    return rc;
  if (!pith_i_room(b->env, &out->met, 3))
    return PITH_ENOMEM;
  uint32_t *m = out->met.at + out->met.n;
  m[0] = e;
  m[1] = l[2];
  m[2] = r != NULL ? r[2] : 0;
  out->met.n += 3;
  return PITH_OK;
}

static pith_status run_join(builder *b, const join_plan *plan,
                            const operand *left, const operand *right,
                            joined *out) {
  pith_status rc = PITH_OK;
  out->elements.width = plan->keep_count;
  if (right == NULL) {
    for (size_t i = 0; rc >= 0 && i < left->rows.n; i += 3)
      rc = meet(b, plan, left, left->rows.at + i, NULL, NULL, out);
    return rc;
  }
  groups g;
  rc = group_rows(b, plan, right, &g);
  for (size_t i = 0; rc >= 0 && i < left->rows.n; i += 3) {
    uint32_t key[2];
    key_of(b, plan, left, left->rows.at + i, key);
    uint32_t k = pith_i_tuples_find(&g.keys, key);
    uint32_t j = k == PITH_NONE ? PITH_NONE : g.first[k];
    for (; rc >= 0 && j != PITH_NONE; j = g.next[j])
      rc = meet(b, plan, left, left->rows.at + i, right,
                right->rows.at + 3 * (size_t)j, out);
  }
  groups_free(b, &g);
  return rc;
}

/* Writes the lists of a join, grouped by output element. */
static pith_status write_join(builder *b, const operand *left,
                              const operand *right, const joined *found,
                              uint32_t out) {
  size_t n = found->met.n / 3;
  uint32_t size = (uint32_t)found->elements.n;
  pith_i_arena *arena = &b->net->arena;
  uint32_t *start = pith_i_arena_alloc(arena, (size + 1) * sizeof *start);
  uint32_t *l = pith_i_arena_alloc(arena, (n + 1) * sizeof *l);
  uint32_t *r = pith_i_arena_alloc(arena, (n + 1) * sizeof *r);
  if (start == NULL || l == NULL || r == NULL)
    return PITH_ENOMEM;
  memset(start, 0, (size + 1) * sizeof *start);
  for (size_t i = 0; i < n; i++)
    start[found->met.at[3 * i] + 1]++;
  for (uint32_t e = 0; e < size; e++)
    start[e + 1] += start[e];
  for (size_t i = 0; i < n; i++) { /* start[e] moves to start[e + 1] ... */
    const uint32_t *m = found->met.at + 3 * i;
    uint32_t k = start[m[0]]++;
    l[k] = m[1];
    r[k] = m[2];
  }
  memmove(start + 1, start, size * sizeof *start); /* ... and back */
  start[0] = 0;
  pith_i_join join = {.a = left->tensor,
                      .b = right == NULL ? PITH_NONE : right->tensor,
                      .out = out,
                      .size = size,
                      .start = start,
                      .left = l,
                      .right = right == NULL ? NULL : r};
  b->net->joined += n;
  return pith_i_push(b->env, &b->net->joins, join) ? PITH_OK : PITH_ENOMEM;
}

static pith_status new_tensor(builder *b, size_t size, uint32_t *out) {
  pith_i_net *net = b->net;
  if (!pith_i_push(b->env, &net->tensor_offset, net->tensors))
    return PITH_ENOMEM;
  net->tensors += (uint32_t)size;
  *out = (uint32_t)net->tensor_offset.n - 1;
  return PITH_OK;
}

/* ---- one dense join -------------------------------------------------- */

/* The strides of an operand for the plan's i, j and for k, the one variable
** that is not kept. */
static pith_i_strides strides_of(const join_plan *plan, const operand *o) {
  pith_i_strides s = {{0}, {0}};
  for (uint32_t v = 0; v < o->var_count; v++) {
    uint32_t place = 2;
    for (uint32_t i = 0; i < plan->keep_count; i++)
      if (plan->keep[i] == o->vars[v])
        place = i;
    s.one[place] = o->one[v];
    s.row[place] = o->row[v];
  }
  return s;
}

static bool removes(const join_plan *plan, const operand *o) {
  bool found = false;
  for (uint32_t v = 0; o != NULL && v < o->var_count; v++)
    found |= plan->keep[0] != o->vars[v] &&
             (plan->keep_count == 1 || plan->keep[1] != o->vars[v]);
  return found;
}

static uint64_t count_dense(const pith_i_net *net, uint32_t vars) {
  uint64_t all = 0;
  for (uint32_t w = 0; w < net->worlds; w++) {
    uint64_t n = net->first_constant[w + 1] - net->first_constant[w];
    all += vars == 1 ? n : vars == 2 ? n * n : n * n * n;
  }
  return all;
}

static pith_status join_dense(builder *b, const join_plan *plan, operand *left,
                              const operand *right) {
  pith_i_net *net = b->net;
  bool pair = plan->keep_count == 2;
  pith_i_join j = {
      .a = left->tensor,
      .b = right == NULL ? PITH_NONE : right->tensor,
      .size = pair ? net->pairs : net->constants,
      .arity = {left->arity, right == NULL ? 1 : right->arity, pair ? 2 : 1},
      .removes = removes(plan, left) || removes(plan, right),
      .a_step = strides_of(plan, left)};
  if (right != NULL)
    j.b_step = strides_of(plan, right);
  pith_status rc = new_tensor(b, j.size, &j.out);
  if (rc < 0)
    return rc;
  net->joined += count_dense(net, plan->keep_count + j.removes);
  left->tensor = j.out;
  left->arity = pair ? 2 : 1;
  left->var_count = plan->keep_count;
  memcpy(left->vars, plan->keep, sizeof left->vars);
  left->one[0] = !pair;
  left->row[0] = pair;
  left->one[1] = 1;
  left->row[1] = 0;
  return pith_i_push(b->env, &net->joins, j) ? PITH_OK : PITH_ENOMEM;
}

/* left := left joined with right (or alone), over plan->keep. */
static pith_status join_into(builder *b, const join_plan *plan, operand *left,
                             const operand *right) {
  if (writes_dense(b))
    return join_dense(b, plan, left, right);
  joined found = {0};
  pith_status rc = run_join(b, plan, left, right, &found);
  uint32_t out = PITH_NONE;
  if (rc >= 0 && b->write)
    rc = new_tensor(b, found.elements.n, &out);
  if (rc >= 0 && b->write)
    rc = write_join(b, left, right, &found, out);
  if (rc >= 0) {
    left->tensor = out;
    left->arity = plan->keep_count == 2 ? 2 : 1;
    left->rows.n = 0;
    left->var_count = plan->keep_count;
    memcpy(left->vars, plan->keep, sizeof left->vars);
    for (uint32_t e = 0; rc >= 0 && e < found.elements.n; e++) {
      const uint32_t *v = found.elements.at + (size_t)e * plan->keep_count;
      if (!add_row(b, left, v[0], plan->keep_count == 2 ? v[1] : 0, e))
        rc = PITH_ENOMEM;
    }
  }
  pith_i_tuples_free(b->env, &found.elements);
  pith_i_vec_free(b->env, &found.met);
  return rc;
}

/* ---- one body -------------------------------------------------------- */

/* The variables of both (right may be NULL) but for the one to remove; false
** when more than two are left. */
static bool plan_join(const operand *left, const operand *right,
                      uint32_t remove, join_plan *plan) {
  memset(plan, 0, sizeof *plan);
  const operand *both[2] = {left, right};
  uint32_t all[4], count = 0;
  for (int i = 0; i < 2 && both[i] != NULL; i++)
    for (uint32_t j = 0; j < both[i]->var_count; j++) {
      uint32_t v = both[i]->vars[j];
      if (i == 1 && has_var(left, v)) {
        plan->shared[plan->shared_count++] = v;
        continue;
      }
      if (v != remove)
        all[count++] = v;
    }
  if (count > 2 || count == 0)
    return false;
  plan->keep_count = count;
  memcpy(plan->keep, all, count * sizeof *all);
  return true;
}

static pith_status refuse(builder *b, const pith_template *t) {
  (void)t;
  return pith_i_fail(b->env, PITH_EINPUT,
                     "template %u needs more than two variables at once "
                     "between its atoms; split it with an invented predicate",
                     (unsigned)b->net->rules.n + 1);
}

/* The tensors that hold v, at most two of them asked for. */
static uint32_t holders(const operand *o, uint32_t n, uint32_t v,
                        uint32_t *which) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < n; i++)
    if (has_var(&o[i], v)) {
      if (count < 2)
        which[count] = i;
      count++;
    }
  return count;
}

static void drop(builder *b, operand *o, uint32_t *n, uint32_t i) {
  pith_i_vec_free(b->env, &o[i].rows);
  memmove(&o[i], &o[i + 1], (*n - i - 1) * sizeof *o);
  memset(&o[--*n], 0, sizeof *o);
}

/* Joins all that hold v and removes it. */
static pith_status remove_var(builder *b, const pith_template *t, operand *o,
                              uint32_t *n, uint32_t v) {
  uint32_t which[2];
  for (;;) {
    uint32_t count = holders(o, *n, v, which);
    if (count == 0)
      return PITH_OK;
    join_plan plan;
    operand *right = count > 1 ? &o[which[1]] : NULL;
    if (!plan_join(&o[which[0]], right, count > 2 ? PITH_NONE : v, &plan))
      return refuse(b, t);
    pith_status rc = join_into(b, &plan, &o[which[0]], right);
    if (rc < 0)
      return rc;
    if (right != NULL)
      drop(b, o, n, which[1]);
  }
}

static bool in_head(const pith_template *t, uint32_t v) {
  for (uint32_t i = 0; i < t->shape.head.arity; i++)
    if (t->shape.head.args[i] == PITH_VAR(v))
      return true;
  return false;
}

/* Reduces the body to one operand over the head's variables. */
static pith_status reduce(builder *b, const pith_template *t, operand *o,
                          uint32_t *n) {
  pith_status rc = PITH_OK;
  for (uint32_t v = 0; rc >= 0 && v < t->shape.var_count; v++)
    if (!in_head(t, v))
      rc = remove_var(b, t, o, n, v);
  while (rc >= 0 && *n > 1) {
    join_plan plan;
    if (!plan_join(&o[0], &o[1], PITH_NONE, &plan))
      return refuse(b, t);
    rc = join_into(b, &plan, &o[0], &o[1]);
    if (rc >= 0)
      drop(b, o, n, 1);
  }
  if (rc >= 0 && o[0].tensor < b->net->slots.n && b->write) {
    join_plan plan; /* a body of one atom: a join of one */
    if (!plan_join(&o[0], NULL, PITH_NONE, &plan))
      return refuse(b, t);
    rc = join_into(b, &plan, &o[0], NULL);
  }
  return rc;
}

/* ---- one rule -------------------------------------------------------- */

/* The head atom of a row of the body. */
static void head_values(const pith_template *t, const operand *o,
                        const uint32_t *row, uint32_t *xy) {
  for (uint32_t i = 0; i < t->shape.head.arity; i++)
    xy[i] = value_of(o, row, PITH_VAR_INDEX(t->shape.head.args[i]));
}

static pith_status add_support(builder *b, const pith_template *t,
                               const operand *body) {
  if (t->shape.head.arity != 2)
    return PITH_OK;
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc >= 0 && i < body->rows.n; i += 3) {
    uint32_t xy[2];
    head_values(t, body, body->rows.at + i, xy);
    rc = pith_i_tuples_add(b->env, &b->pairs, xy, NULL, NULL);
  }
  return rc;
}

/* All elements of a dense tensor as rows. */
static pith_status fill_rows(builder *b, operand *o) {
  const pith_i_net *net = b->net;
  uint32_t n = o->var_count == 2 ? net->pairs : net->constants;
  for (uint32_t e = 0; e < n; e++)
    if (!add_row(b, o, o->var_count == 2 ? net->pair_x[e] : e,
                 o->var_count == 2 ? net->pair_y[e] : 0, e))
      return PITH_ENOMEM;
  return PITH_OK;
}

static pith_status finish_rule(builder *b, pith_i_net_rule *rule,
                               uint32_t first_join, operand *body) {
  const pith_template *t = rule->shape;
  pith_status rc = b->net->dense ? fill_rows(b, body) : PITH_OK;
  if (rc < 0)
    return rc;
  rule->first_join = first_join;
  rule->joins = (uint32_t)b->net->joins.n - first_join;
  rule->size = (uint32_t)(body->rows.n / 3);
  uint32_t *atoms =
      pith_i_arena_alloc(&b->net->arena, (rule->size + 1) * sizeof *atoms);
  if (atoms == NULL)
    return PITH_ENOMEM;
  for (uint32_t e = 0; e < rule->size; e++) {
    uint32_t xy[2];
    head_values(t, body, body->rows.at + 3 * (size_t)e, xy);
    atoms[e] =
        t->shape.head.arity == 1 ? xy[0] : pith_i_tuples_find(&b->pairs, xy);
  }
  rule->atoms = atoms;
  return PITH_OK;
}

static pith_status do_rule(builder *b, pith_i_net_rule *rule) {
  const pith_template *t = rule->shape;
  operand o[MAX_ATOMS];
  uint32_t n = t->shape.body_len, first_join = (uint32_t)b->net->joins.n;
  memset(o, 0, sizeof o);
  pith_status rc = PITH_OK;
  for (uint32_t i = 0; rc >= 0 && i < n; i++)
    if (!load_atom(b, &t->shape.body[i], rule->slots[t->shape.body[i].pred],
                   &o[i]))
      rc = PITH_ENOMEM;
  if (rc >= 0)
    rc = reduce(b, t, o, &n);
  if (rc >= 0)
    rc = b->write ? finish_rule(b, rule, first_join, &o[0])
                  : add_support(b, t, &o[0]);
  for (uint32_t i = 0; i < MAX_ATOMS; i++)
    pith_i_vec_free(b->env, &o[i].rows);
  return rc;
}

static pith_status do_rules(builder *b) {
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc >= 0 && i < b->net->rules.n; i++)
    rc = do_rule(b, &b->net->rules.at[i]);
  return rc;
}

/* ---- all ------------------------------------------------------------- */

static pith_status keep_pairs(builder *b) {
  pith_i_net *net = b->net;
  size_t n = b->pairs.n;
  uint32_t *x = pith_i_arena_alloc(&net->arena, (n + 1) * sizeof *x);
  uint32_t *y = pith_i_arena_alloc(&net->arena, (n + 1) * sizeof *y);
  if (x == NULL || y == NULL)
    return PITH_ENOMEM;
  for (size_t i = 0; i < n; i++) {
    x[i] = b->pairs.at[2 * i];
    y[i] = b->pairs.at[2 * i + 1];
  }
  net->pair_x = x;
  net->pair_y = y;
  net->pairs = (uint32_t)n;
  return PITH_OK;
}

static pith_status slot_tensors(builder *b) {
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc >= 0 && i < b->net->slots.n; i++) {
    pith_i_net_slot *s = &b->net->slots.at[i];
    uint32_t tensor;
    s->size = s->arity == 1 ? b->net->constants : b->net->pairs;
    rc = new_tensor(b, s->in_body ? s->size : 0, &tensor);
  }
  return rc;
}

static size_t world_start(const pith_i_net *net, uint32_t w, uint8_t arity) {
  return arity == 1 ? net->first_constant[w] : net->first_pair[w];
}

pith_i_grid pith_i_grid_of(const pith_i_net *net, const pith_i_join *j,
                           uint32_t w) {
  size_t n = net->first_constant[w + 1] - net->first_constant[w];
  pith_i_grid g = {.n = n,
                   .columns = j->arity[2] == 2 ? n : 1,
                   .depth = j->removes ? n : 1,
                   .a = world_start(net, w, j->arity[0]),
                   .b = world_start(net, w, j->arity[1]),
                   .out = world_start(net, w, j->arity[2])};
  for (int i = 0; i < 3; i++) {
    g.a_step[i] = j->a_step.one[i] + j->a_step.row[i] * n;
    g.b_step[i] = j->b_step.one[i] + j->b_step.row[i] * n;
  }
  return g;
}

/* All pairs of each world, row by row, instead of those that could hold. */
static pith_status make_dense(builder *b) {
  pith_i_net *net = b->net;
  uint32_t *first =
      pith_i_arena_alloc(&net->arena, (net->worlds + 1) * sizeof *first);
  if (first == NULL)
    return PITH_ENOMEM;
  pith_i_tuples_free(b->env, &b->pairs);
  pith_status rc = PITH_OK;
  for (uint32_t w = 0; rc >= 0 && w < net->worlds; w++) {
    uint32_t xy[2], end = net->first_constant[w + 1];
    first[w] = (uint32_t)b->pairs.n;
    for (xy[0] = net->first_constant[w]; xy[0] < end; xy[0]++)
      for (xy[1] = net->first_constant[w]; rc >= 0 && xy[1] < end; xy[1]++)
        rc = pith_i_tuples_add(b->env, &b->pairs, xy, NULL, NULL);
  }
  first[net->worlds] = (uint32_t)b->pairs.n;
  net->first_pair = first;
  net->dense = true;
  return rc;
}

pith_status pith_i_net_unroll(pith_i_net *net, const uint32_t *fact_pairs,
                              size_t n, pith_i_layout layout) {
  builder b = {.env = net->arena.env, .net = net, .pairs = {.width = 2}};
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc >= 0 && i < n; i++)
    rc = pith_i_tuples_add(b.env, &b.pairs, fact_pairs + 2 * i, NULL, NULL);
  for (size_t before = SIZE_MAX; rc >= 0 && b.pairs.n != before;) {
    before = b.pairs.n;
    rc = do_rules(&b);
  }
  bool full = 10 * (uint64_t)b.pairs.n >= 9 * count_dense(net, 2);
  if (rc >= 0 && (layout == PITH_I_DENSE || (layout == PITH_I_AUTO && full)))
    rc = make_dense(&b);
  b.write = true;
  if (rc >= 0)
    rc = keep_pairs(&b);
  if (rc >= 0)
    rc = slot_tensors(&b);
  if (rc >= 0)
    rc = do_rules(&b);
  pith_i_tuples_free(b.env, &b.pairs);
  return rc;
}
