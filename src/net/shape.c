/* From templates to joins.
**
** The atoms of a body are joined in the order of a plan (net/order.h). The same
** enumeration serves twice: first over and over, to find which pairs any
** choice of predicates could make true (the support), then once more to write
** down the lists; or, where the support is most of all pairs, only the plan of
** the joins, with strides.
**
** An enumeration goes by the rows of its output, as Gustavson multiplies
** sparse matrices: for each value x of the first variable kept, the rows of
** the left operand with x, and for each of them the rows of the right that
** match. A table over the constants tells which element (x, y) is, so nothing
** is hashed, and a joined pair costs a few instructions. The lists are filled
** in a second pass, when their lengths are known: no other copy is made.
**
** A graph can be small and its closure beyond any memory. Rows and joined
** pairs are therefore limited, and where the limit is met in finding the
** support, that is taken to be all pairs.
**
** What cannot be true within the steps of the network has the value 0 and
** passes no gradient on. Where only these steps count (PITH_I_REACHED), the
** support ends with them, and joins read what the steps before the last one
** reach: for a single step, the facts. */
#include <assert.h>
#include <string.h>

#include "base/tuples.h"
#include "net/net.h"
#include "net/order.h"
#include "term/equal.h"

/* A tensor during planning: its variables, and its elements as rows (value of
** vars[0], value of vars[1], element number). */
typedef struct {
  pith_i_vars vars;
  uint32_t tensor;        /* number, or PITH_NONE while only finding support */
  uint8_t arity;          /* its tensor is over constants (1) or pairs (2)   */
  uint8_t one[2], row[2]; /* dense: strides of its variables                 */
  PITH_I_VEC(uint32_t) rows; /* (n/3, 3) */
} operand;

typedef struct {
  pith_i_env *env;
  pith_i_net *net;
  pith_i_tuples support; /* (x, y) found so far                           */
  const uint32_t *pairs; /* (pair_count, 2) what a binary atom can be     */
  size_t pair_count;
  const uint8_t *read;  /* (pair_count) whether joins read it; NULL: all  */
  size_t read_count;    /* of the support, the first in order; REACHED    */
  bool write;           /* lists too, not only support                   */
  bool overflow;        /* a limit was met                               */
  size_t most;          /* rows of an operand                            */
  uint32_t *row_of;     /* (constants) by y: the x it was last seen with */
  uint32_t *element_of; /* (constants) by y: the element (x, y)          */
} builder;

static bool writes_dense(const builder *b) { return b->write && b->net->dense; }

static pith_status too_large(builder *b) {
  b->overflow = true;
  return pith_i_fail(b->env, PITH_ENOMEM,
                     "the network is too large: its atoms or joined pairs are "
                     "more than memory holds; use fewer constants, "
                     "templates or steps");
}

/* Every element of a tensor takes a row of lanes a step, and one more. */
static size_t count_room(const pith_i_net *net) {
  const pith_memory *memory = &net->arena.env->memory;
  double room =
      memory->limit > 0 ? (double)memory->limit : pith_i_machine_bytes();
  double rows = room / (sizeof(pith_i_real) * (net->steps + 1.0));
  return rows < UINT32_MAX - 1 ? (size_t)rows : UINT32_MAX - 1;
}

static bool add_row(builder *b, operand *o, uint32_t x, uint32_t y,
                    uint32_t e) {
  if (o->rows.n / 3 >= b->most) {
    too_large(b);
    return false;
  }
  if (!pith_i_room(b->env, &o->rows, 3))
    return false;
  uint32_t *r = o->rows.at + o->rows.n;
  r[0] = x;
  r[1] = y;
  r[2] = e;
  o->rows.n += 3;
  return true;
}

static const uint32_t *row_at(const operand *o, size_t i) {
  assert(3 * i < o->rows.n);
  return o->rows.at + 3 * i;
}

static uint32_t value_of(const operand *o, const uint32_t *row, uint32_t var) {
  assert(pith_i_vars_have(&o->vars, var));
  return row[o->vars.at[0] == var ? 0 : 1];
}

/* ---- atoms ----------------------------------------------------------- */

static pith_status load_unary(builder *b, operand *o) {
  o->one[0] = 1;
  for (uint32_t c = 0; !writes_dense(b) && c < b->net->constants; c++)
    if (!add_row(b, o, c, 0, c))
      return PITH_ENOMEM;
  return PITH_OK;
}

/* The elements of a slot's tensor as seen through an atom: F(X,Y), F(Y,X) or
** F(X,X), which goes down the diagonal. */
static pith_status load_atom(builder *b, const pith_i_net_rule *rule,
                             uint32_t i, const pith_i_order *plan, operand *o) {
  o->vars = plan->vars[i];
  o->tensor = rule->slots[rule->shape->shape.body[i].pred];
  assert(o->tensor < b->net->slots.n);
  o->arity = (uint8_t)b->net->slots.at[o->tensor].arity;
  if (o->arity == 1)
    return load_unary(b, o);
  bool diagonal = o->vars.n == 1;
  o->row[0] = 1;
  o->one[0] = diagonal;
  o->one[1] = 1;
  for (uint32_t p = 0; !writes_dense(b) && p < b->pair_count; p++) {
    uint32_t x = b->pairs[2 * (size_t)p], y = b->pairs[2 * (size_t)p + 1];
    if (b->read != NULL && !b->read[p])
      continue;
    if ((!diagonal || x == y) && !add_row(b, o, x, diagonal ? 0 : y, p))
      return PITH_ENOMEM;
  }
  return PITH_OK;
}

/* ---- rows in order --------------------------------------------------- */

/* The rows of an operand by the value of a variable: those with value v are
** order[start[v]] .. order[start[v + 1] - 1]. */
typedef struct {
  uint32_t *start; /* (constants + 1) */
  uint32_t *order; /* (rows)          */
} sorted;

static void sorted_free(builder *b, sorted *s) {
  pith_i_release(b->env, s->start);
  pith_i_release(b->env, s->order);
}

/* Counting sort of the rows from[0..n) into s->order; stable. */
static void sort_by(const builder *b, const operand *o, uint32_t var,
                    const uint32_t *from, size_t n, sorted *s) {
  size_t constants = b->net->constants;
  memset(s->start, 0, (constants + 1) * sizeof *s->start);
  for (size_t i = 0; i < n; i++)
    s->start[value_of(o, row_at(o, i), var) + 1]++;
  for (size_t v = 0; v < constants; v++)
    s->start[v + 1] += s->start[v];
  for (size_t i = 0; i < n; i++) { /* start[v] moves to start[v + 1] ... */
    uint32_t r = from == NULL ? (uint32_t)i : from[i];
    s->order[s->start[value_of(o, row_at(o, r), var)]++] = r;
  }
  memmove(s->start + 1, s->start, constants * sizeof *s->start);
  s->start[0] = 0; /* ... and back */
}

/* By var, and where then is a variable, by that within. */
static pith_status sort_rows(builder *b, const operand *o, uint32_t var,
                             uint32_t then, sorted *s) {
  size_t n = o->rows.n / 3;
  s->start = pith_i_alloc(b->env, (b->net->constants + 1) * sizeof *s->start);
  s->order = pith_i_alloc(b->env, (n + 1) * sizeof *s->order);
  if (s->start == NULL || s->order == NULL)
    return PITH_ENOMEM;
  if (then == PITH_NONE) {
    sort_by(b, o, var, NULL, n, s);
    return PITH_OK;
  }
  sort_by(b, o, then, NULL, n, s);
  uint32_t *within = s->order;
  s->order = pith_i_alloc(b->env, (n + 1) * sizeof *s->order);
  if (s->order != NULL)
    sort_by(b, o, var, within, n, s);
  pith_i_release(b->env, within);
  return s->order == NULL ? PITH_ENOMEM : PITH_OK;
}

/* ---- one sparse join ------------------------------------------------- */

typedef struct {
  const operand *left, *right; /* right NULL: left alone                   */
  pith_i_vars keep;
  pith_i_vars shared;       /* variables of both                            */
  sorted lefts, rights;     /* by keep.at[0]; by the shared                 */
  operand *out;             /* its rows are the elements found              */
  PITH_I_VEC(uint32_t) met; /* by element: pairs met, then where they start */
  uint64_t joined;
  uint32_t *l, *r; /* the lists, when they are written */
} join;

static pith_status sort_operands(builder *b, join *j) {
  for (uint32_t i = 0; j->right != NULL && i < j->left->vars.n; i++)
    if (pith_i_vars_have(&j->right->vars, j->left->vars.at[i]))
      j->shared.at[j->shared.n++] = j->left->vars.at[i];
  pith_status rc = sort_rows(b, j->left, j->keep.at[0], PITH_NONE, &j->lefts);
  if (rc >= 0 && j->right != NULL)
    rc = sort_rows(b, j->right,
                   j->shared.n > 0 ? j->shared.at[0] : j->right->vars.at[0],
                   j->shared.n > 1 ? j->shared.at[1] : PITH_NONE, &j->rights);
  return rc;
}

/* The first of order[from..to) whose second shared variable is at least v. */
static uint32_t search_second(const join *j, uint32_t from, uint32_t to,
                              uint32_t v) {
  while (from < to) {
    uint32_t middle = from + (to - from) / 2;
    const uint32_t *row = row_at(j->right, j->rights.order[middle]);
    if (value_of(j->right, row, j->shared.at[1]) < v)
      from = middle + 1;
    else
      to = middle;
  }
  return from;
}

/* The rows of right that match a row of left: rights.order[*from .. *to). */
static void find_matches(const builder *b, const join *j, const uint32_t *row,
                         uint32_t *from, uint32_t *to) {
  const uint32_t *start = j->rights.start;
  if (j->shared.n == 0) { /* worlds never meet */
    const uint32_t *first = b->net->first_constant + b->net->world_of[row[0]];
    *from = start[first[0]];
    *to = start[first[1]];
    return;
  }
  uint32_t v = value_of(j->left, row, j->shared.at[0]);
  *from = start[v];
  *to = start[v + 1];
  if (j->shared.n == 2) {
    uint32_t u = value_of(j->left, row, j->shared.at[1]);
    *from = search_second(j, *from, *to, u);
    *to = search_second(j, *from, *to, u + 1);
  }
}

/* Where the element (x, y) is not known yet it is added. */
static inline bool find_element(builder *b, join *j, uint32_t x, uint32_t y,
                                uint32_t *seen, bool fill) {
  if (b->row_of[y] == x)
    return true;
  b->row_of[y] = x;
  b->element_of[y] = (*seen)++;
  return fill || (add_row(b, j->out, x, y, b->element_of[y]) &&
                  (!b->write || pith_i_push(b->env, &j->met, 0)));
}

/* left row a meets right row b in element e. */
static inline void note_pair(const builder *b, join *j, uint32_t e,
                             uint32_t left, uint32_t right, bool fill) {
  if (fill) {
    assert(e < j->met.n);
    uint32_t k = j->met.at[e]++;
    assert(k < j->joined);
    j->l[k] = left;
    j->r[k] = right;
  } else if (b->write) {
    j->met.at[e]++;
  }
}

/* All that one row of left meets. */
static inline bool meet_row(builder *b, join *j, uint32_t x,
                            const uint32_t *row, uint32_t *seen, bool fill) {
  uint32_t second = j->keep.n == 2 ? j->keep.at[1] : j->keep.at[0];
  bool y_left = pith_i_vars_have(&j->left->vars, second);
  uint32_t from = 0, to = 1, y = y_left ? value_of(j->left, row, second) : 0;
  if (j->right != NULL)
    find_matches(b, j, row, &from, &to);
  j->joined += fill ? 0 : to - from;
  if (j->joined > INT32_MAX) { /* a winner's number is an int */
    too_large(b);
    return false;
  }
  uint32_t column = !y_left && j->right->vars.at[0] != second;
  for (uint32_t k = from; k < to; k++) {
    const uint32_t *other =
        j->right == NULL ? row : row_at(j->right, j->rights.order[k]);
    y = y_left ? y : other[column];
    if (!find_element(b, j, x, y, seen, fill))
      return false;
    note_pair(b, j, b->element_of[y], row[2], other[2], fill);
  }
  return true;
}

/* fill: the elements are known, write the lists. */
static inline pith_status enumerate_pairs(builder *b, join *j, bool fill) {
  uint32_t seen = 0;
  memset(b->row_of, 0xff, b->net->constants * sizeof *b->row_of);
  for (uint32_t x = 0; x < b->net->constants; x++)
    for (uint32_t i = j->lefts.start[x]; i < j->lefts.start[x + 1]; i++)
      if (!meet_row(b, j, x, row_at(j->left, j->lefts.order[i]), &seen, fill))
        return PITH_ENOMEM;
  return PITH_OK;
}

/* Lengths become starts. */
static void lengths_to_starts(const join *j, uint32_t size, uint32_t *start) {
  start[0] = 0;
  for (uint32_t e = 0; e < size; e++) {
    start[e + 1] = start[e] + j->met.at[e];
    j->met.at[e] = start[e];
  }
}

static pith_status new_tensor(builder *b, size_t size, uint32_t *out) {
  pith_i_net *net = b->net;
  if (size > UINT32_MAX - 1 - net->tensors)
    return too_large(b);
  if (!pith_i_push(b->env, &net->tensor_offset, net->tensors))
    return PITH_ENOMEM;
  net->tensors += (uint32_t)size;
  *out = (uint32_t)net->tensor_offset.n - 1;
  return PITH_OK;
}

static pith_status write_lists(builder *b, join *j) {
  pith_i_arena *arena = &b->net->arena;
  uint32_t size = (uint32_t)(j->out->rows.n / 3);
  if (8.0 * (double)j->joined > pith_i_machine_bytes())
    return too_large(b);
  uint32_t *start =
      pith_i_arena_alloc(arena, (size + (size_t)1) * sizeof *start);
  j->l = pith_i_arena_alloc(arena, (j->joined + 1) * sizeof *j->l);
  j->r = pith_i_arena_alloc(arena, (j->joined + 1) * sizeof *j->r);
  if (start == NULL || j->l == NULL || j->r == NULL)
    return PITH_ENOMEM;
  lengths_to_starts(j, size, start);
  enumerate_pairs(b, j, true);
  assert(size == 0 || j->met.at[size - 1] == start[size]);
  assert(start[size] == j->joined);
  pith_i_join made = {.a = j->left->tensor,
                      .b = j->right == NULL ? PITH_NONE : j->right->tensor,
                      .size = size,
                      .start = start,
                      .left = j->l,
                      .right = j->right == NULL ? NULL : j->r};
  pith_status rc = new_tensor(b, size, &made.out);
  j->out->tensor = made.out;
  b->net->joined += j->joined;
  if (rc >= 0 && !pith_i_push(b->env, &b->net->joins, made))
    rc = PITH_ENOMEM;
  return rc;
}

static pith_status join_sparse(builder *b, const pith_i_vars *keep,
                               const operand *left, const operand *right,
                               operand *out) {
  join j = {.left = left, .right = right, .keep = *keep, .out = out};
  out->vars = *keep;
  out->tensor = PITH_NONE;
  pith_status rc = sort_operands(b, &j);
  if (rc >= 0)
    rc = enumerate_pairs(b, &j, false);
  if (rc >= 0 && b->write)
    rc = write_lists(b, &j);
  sorted_free(b, &j.lefts);
  sorted_free(b, &j.rights);
  pith_i_vec_free(b->env, &j.met);
  return rc;
}

/* ---- one dense join -------------------------------------------------- */

/* The strides of an operand for the kept i, j and for k, the one variable
** that is not kept. */
static pith_i_strides strides_of(const pith_i_vars *keep, const operand *o) {
  pith_i_strides s = {{0}, {0}};
  for (uint32_t v = 0; v < o->vars.n; v++) {
    uint32_t place = 2;
    for (uint32_t i = 0; i < keep->n; i++)
      if (keep->at[i] == o->vars.at[v])
        place = i;
    s.one[place] = o->one[v];
    s.row[place] = o->row[v];
  }
  return s;
}

static bool removes_var(const pith_i_vars *keep, const operand *o) {
  bool found = false;
  for (uint32_t v = 0; o != NULL && v < o->vars.n; v++)
    found = found || !pith_i_vars_have(keep, o->vars.at[v]);
  return found;
}

/* Ways to bind this many variables, over all worlds. */
static double count_dense(const pith_i_net *net, uint32_t vars) {
  double all = 0;
  for (uint32_t w = 0; w < net->worlds; w++) {
    double n = net->first_constant[w + 1] - net->first_constant[w];
    all += vars == 1 ? n : vars == 2 ? n * n : n * n * n;
  }
  return all;
}

static pith_status join_dense(builder *b, const pith_i_vars *keep,
                              const operand *left, const operand *right,
                              operand *out) {
  pith_i_net *net = b->net;
  bool pair = keep->n == 2;
  pith_i_join j = {
      .a = left->tensor,
      .b = right == NULL ? PITH_NONE : right->tensor,
      .size = pair ? net->pairs : net->constants,
      .arity = {left->arity, right == NULL ? 1 : right->arity, pair ? 2 : 1},
      .removes = removes_var(keep, left) || removes_var(keep, right),
      .a_step = strides_of(keep, left)};
  if (right != NULL)
    j.b_step = strides_of(keep, right);
  pith_status rc = new_tensor(b, j.size, &j.out);
  if (rc < 0)
    return rc;
  net->joined += (uint64_t)count_dense(net, keep->n + j.removes);
  *out = (operand){.vars = *keep,
                   .tensor = j.out,
                   .arity = pair ? 2 : 1,
                   .one = {!pair, 1},
                   .row = {pair, 0}};
  return pith_i_push(b->env, &net->joins, j) ? PITH_OK : PITH_ENOMEM;
}

/* ---- one rule -------------------------------------------------------- */

/* Reduces the body to one operand over the head's variables: the last. */
static pith_status reduce_body(builder *b, const pith_i_order *plan,
                               operand *o) {
  pith_status rc = PITH_OK;
  for (uint32_t i = 0; rc >= 0 && i < plan->count; i++) {
    const pith_i_ordered_join *j = &plan->joins[i];
    operand *left = &o[j->left];
    operand *right = j->right == PITH_NONE ? NULL : &o[j->right];
    operand *out = &o[plan->atoms + i];
    rc = writes_dense(b) ? join_dense(b, &j->keep, left, right, out)
                         : join_sparse(b, &j->keep, left, right, out);
    pith_i_vec_free(b->env, &left->rows);
    if (right != NULL)
      pith_i_vec_free(b->env, &right->rows);
  }
  return rc;
}

/* The head atom of a row of the body. */
static void head_values(const pith_template *t, const operand *o,
                        const uint32_t *row, uint32_t *xy) {
  for (uint32_t i = 0; i < t->shape.head.arity; i++)
    xy[i] = value_of(o, row, PITH_VAR_INDEX(t->shape.head.args[i]));
}

static pith_status add_support(builder *b, const pith_template *t,
                               const operand *body) {
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc >= 0 && i < body->rows.n / 3; i++) {
    uint32_t xy[2];
    head_values(t, body, row_at(body, i), xy);
    rc = pith_i_tuples_add(b->env, &b->support, xy, NULL, NULL);
  }
  return rc;
}

/* All elements of a dense tensor as rows. */
static pith_status list_dense_rows(builder *b, operand *o) {
  const pith_i_net *net = b->net;
  uint32_t n = o->vars.n == 2 ? net->pairs : net->constants;
  for (uint32_t e = 0; e < n; e++)
    if (!add_row(b, o, o->vars.n == 2 ? net->pair_x[e] : e,
                 o->vars.n == 2 ? net->pair_y[e] : 0, e))
      return PITH_ENOMEM;
  return PITH_OK;
}

static pith_status finish_rule(builder *b, pith_i_net_rule *rule,
                               uint32_t first_join, operand *body) {
  const pith_template *t = rule->shape;
  pith_status rc = b->net->dense ? list_dense_rows(b, body) : PITH_OK;
  if (rc < 0)
    return rc;
  rule->first_join = first_join;
  rule->joins = (uint32_t)b->net->joins.n - first_join;
  rule->size = (uint32_t)(body->rows.n / 3);
  uint32_t *atoms = pith_i_arena_alloc(
      &b->net->arena, (rule->size + (size_t)1) * sizeof *atoms);
  if (atoms == NULL)
    return PITH_ENOMEM;
  for (uint32_t e = 0; e < rule->size; e++) {
    uint32_t xy[2];
    head_values(t, body, row_at(body, e), xy);
    atoms[e] = t->shape.head.arity == 1 ? xy[0]
                                        : pith_i_net_pair(b->net, xy[0], xy[1]);
    assert(atoms[e] != PITH_NONE);
  }
  rule->atoms = atoms;
  return PITH_OK;
}

static pith_status do_rule(builder *b, pith_i_net_rule *rule) {
  uint32_t first_join = (uint32_t)b->net->joins.n;
  operand o[PITH_I_MAX_OPERANDS];
  pith_i_order plan;
  pith_status rc = PITH_OK;
  bool planned = pith_i_order_make(&rule->shape->shape, &plan);
  assert(planned); /* build.c has refused the others */
  (void)planned;
  memset(o, 0, sizeof o);
  for (uint32_t i = 0; rc >= 0 && i < plan.atoms; i++)
    rc = load_atom(b, rule, i, &plan, &o[i]);
  if (rc >= 0)
    rc = reduce_body(b, &plan, o);
  operand *body = &o[plan.atoms + plan.count - 1];
  if (rc >= 0)
    rc = b->write ? finish_rule(b, rule, first_join, body)
                  : add_support(b, rule->shape, body);
  for (uint32_t i = 0; i < PITH_I_MAX_OPERANDS; i++)
    pith_i_vec_free(b->env, &o[i].rows);
  return rc;
}

/* ---- support --------------------------------------------------------- */

/* Whether an earlier rule has the same variables in the same places: the
** support does not depend on predicates. */
static bool seen_shape(const pith_i_net *net, size_t r) {
  const pith_rule *mine = &net->rules.at[r].shape->shape;
  for (size_t i = 0; i < r; i++) {
    const pith_rule *other = &net->rules.at[i].shape->shape;
    bool same = mine->body_len == other->body_len &&
                pith_i_args_equal(&mine->head, &other->head);
    for (uint32_t k = 0; same && k < mine->body_len; k++)
      same = pith_i_args_equal(&mine->body[k], &other->body[k]);
    if (same)
      return true;
  }
  return false;
}

static pith_status grow_support(builder *b) {
  pith_i_net *net = b->net;
  pith_status rc = PITH_OK;
  for (size_t before = SIZE_MAX; rc >= 0 && b->support.n != before;) {
    before = b->support.n;
    for (size_t i = 0; rc >= 0 && i < net->rules.n; i++)
      if (net->rules.at[i].shape->shape.head.arity == 2 &&
          !seen_shape(net, i)) {
        b->pairs = b->support.at;
        b->pair_count = b->support.n;
        rc = do_rule(b, &net->rules.at[i]);
      }
  }
  return rc;
}

/* As far as the network's steps lead; b->read_count: one step less. */
static pith_status grow_by_steps(builder *b) {
  pith_i_net *net = b->net;
  pith_status rc = PITH_OK;
  for (uint32_t k = 0; rc >= 0 && k < net->steps; k++) {
    size_t n = b->read_count = b->support.n;
    for (size_t i = 0; rc >= 0 && i < net->rules.n; i++)
      if (net->rules.at[i].shape->shape.head.arity == 2 &&
          !seen_shape(net, i)) {
        b->pairs = b->support.at; /* which may have moved */
        b->pair_count = n;
        rc = do_rule(b, &net->rules.at[i]);
      }
    if (b->support.n == n)
      break;
  }
  return rc;
}

/* ---- pairs ----------------------------------------------------------- */

uint32_t pith_i_net_pair(const pith_i_net *net, uint32_t x, uint32_t y) {
  assert(x < net->constants && y < net->constants);
  uint32_t from = net->first_pair[x], to = net->first_pair[x + 1];
  while (from < to) {
    uint32_t middle = from + (to - from) / 2;
    if (net->pair_y[middle] == y)
      return middle;
    if (net->pair_y[middle] < y)
      from = middle + 1;
    else
      to = middle;
  }
  return PITH_NONE;
}

/* All pairs of each world, row by row. */
static void all_pairs(const pith_i_net *net, uint32_t *xy) {
  for (uint32_t x = 0; x < net->constants; x++) {
    const uint32_t *world = net->first_constant + net->world_of[x];
    for (uint32_t y = world[0]; y < world[1]; y++) {
      *xy++ = x;
      *xy++ = y;
    }
  }
}

/* The support by x, and by y within. */
static pith_status sorted_pairs(builder *b, uint32_t *xy) {
  operand o = {.vars = {{0, 1}, 2}};
  sorted s = {0};
  pith_status rc = PITH_OK;
  for (uint32_t i = 0; rc >= 0 && i < b->support.n; i++)
    if (!add_row(b, &o, b->support.at[2 * (size_t)i],
                 b->support.at[2 * (size_t)i + 1], i))
      rc = PITH_ENOMEM;
  if (rc >= 0)
    rc = sort_rows(b, &o, 0, 1, &s);
  for (size_t i = 0; rc >= 0 && i < b->support.n; i++)
    memcpy(xy + 2 * i, row_at(&o, s.order[i]), 2 * sizeof *xy);
  sorted_free(b, &s);
  pith_i_vec_free(b->env, &o.rows);
  return rc;
}

static pith_status split_pairs(builder *b, const uint32_t *xy, uint32_t n) {
  pith_i_net *net = b->net;
  size_t rows = net->constants + (size_t)1;
  uint32_t *x = pith_i_arena_alloc(&net->arena, (n + (size_t)1) * sizeof *x);
  uint32_t *y = pith_i_arena_alloc(&net->arena, (n + (size_t)1) * sizeof *y);
  uint32_t *first = pith_i_arena_alloc(&net->arena, rows * sizeof *first);
  if (x == NULL || y == NULL || first == NULL)
    return PITH_ENOMEM;
  memset(first, 0, rows * sizeof *first);
  for (size_t i = 0; i < n; i++) {
    assert(i == 0 || x[i - 1] <= xy[2 * i]);
    x[i] = xy[2 * i];
    y[i] = xy[2 * i + 1];
    first[x[i] + 1]++;
  }
  for (uint32_t c = 0; c < net->constants; c++)
    first[c + 1] += first[c];
  net->pair_x = x;
  net->pair_y = y;
  net->first_pair = first;
  net->pairs = n;
  return PITH_OK;
}

/* In a reference network atoms that are false share the gradient as they do in
** the authors' code; so all are taken where that can be had. */
static bool wants_all(const pith_i_net *net, double pairs) {
  return net->reference && net->types == NULL && pairs <= 8192;
}

/* Takes what the layout needs; what is left of the building uses these. */
static pith_status choose_pairs(builder *b, pith_i_layout layout,
                                uint32_t **pairs) {
  pith_i_net *net = b->net;
  double all = count_dense(net, 2), some = (double)b->support.n;
  net->dense =
      layout == PITH_I_DENSE ||
      (layout == PITH_I_AUTO && (some >= 0.9 * all || wants_all(net, all)));
  if (net->dense && all > (double)b->most)
    return too_large(b);
  b->pair_count = net->dense ? (size_t)all : b->support.n;
  *pairs = pith_i_alloc(b->env, 2 * b->pair_count * sizeof **pairs);
  if (*pairs == NULL)
    return PITH_ENOMEM;
  pith_status rc = PITH_OK;
  if (net->dense)
    all_pairs(net, *pairs);
  else
    rc = sorted_pairs(b, *pairs);
  b->pairs = *pairs;
  return rc < 0 ? rc : split_pairs(b, *pairs, (uint32_t)b->pair_count);
}

/* Of the pairs of the network, those that joins read. */
static pith_status mark_read(builder *b) {
  const pith_i_net *net = b->net;
  uint8_t *read = pith_i_zalloc(b->env, net->pairs + (size_t)1, 1);
  for (size_t i = 0; read != NULL && i < b->read_count; i++) {
    const uint32_t *xy = b->support.at + 2 * i;
    read[pith_i_net_pair(net, xy[0], xy[1])] = 1;
  }
  b->read = read;
  return read == NULL ? PITH_ENOMEM : PITH_OK;
}

/* ---- all ------------------------------------------------------------- */

static pith_status slot_tensors(builder *b) {
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc >= 0 && i < b->net->slots.n; i++) {
    pith_i_net_slot *s = &b->net->slots.at[i];
    uint32_t tensor;
    s->size = s->arity == 1 ? b->net->constants : b->net->pairs;
    rc = new_tensor(b, s->in_body ? s->size : 0, &tensor);
  }
  assert(rc < 0 || b->net->tensor_offset.n == b->net->slots.n);
  b->net->slot_tensors = b->net->tensors;
  return rc;
}

static pith_status write_rules(builder *b) {
  pith_status rc = slot_tensors(b);
  b->write = true;
  for (size_t i = 0; rc >= 0 && i < b->net->rules.n; i++)
    rc = do_rule(b, &b->net->rules.at[i]);
  return rc;
}

static size_t world_start(const pith_i_net *net, uint32_t w, uint8_t arity) {
  assert(arity == 1 || arity == 2);
  uint32_t first = net->first_constant[w];
  return arity == 1 ? first : net->first_pair[first];
}

pith_i_grid pith_i_grid_of(const pith_i_net *net, const pith_i_join *j,
                           uint32_t w) {
  assert(net->dense && w < net->worlds);
  size_t n = net->first_constant[w + 1] - net->first_constant[w];
  assert(net->pairs == 0 || net->first_pair != NULL);
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

/* The layout that is left to choose from: where the support has no end in
** sight, dense. */
static pith_status find_support(builder *b, const uint32_t *fact_pairs,
                                size_t n, pith_i_layout *layout) {
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc >= 0 && i < n; i++)
    rc = pith_i_tuples_add(b->env, &b->support, fact_pairs + 2 * i, NULL, NULL);
  if (rc >= 0)
    rc = *layout == PITH_I_REACHED ? grow_by_steps(b) : grow_support(b);
  if (rc < 0 && b->overflow && *layout == PITH_I_AUTO) {
    *layout = PITH_I_DENSE;
    rc = PITH_OK;
  }
  return rc;
}

pith_status pith_i_net_unroll(pith_i_net *net, const uint32_t *fact_pairs,
                              size_t n, pith_i_layout layout) {
  builder b = {.env = net->arena.env,
               .net = net,
               .support = {.width = 2},
               .most = count_room(net)};
  size_t table = net->constants * sizeof(uint32_t);
  uint32_t *pairs = NULL;
  b.row_of = pith_i_alloc(b.env, table);
  b.element_of = pith_i_alloc(b.env, table);
  pith_status rc =
      b.row_of == NULL || b.element_of == NULL ? PITH_ENOMEM : PITH_OK;
  if (rc >= 0 && layout != PITH_I_DENSE)
    rc = find_support(&b, fact_pairs, n, &layout);
  if (rc >= 0)
    rc = choose_pairs(&b, layout, &pairs);
  if (rc >= 0 && layout == PITH_I_REACHED)
    rc = mark_read(&b);
  pith_i_tuples_free(b.env, &b.support);
  if (rc >= 0)
    rc = write_rules(&b);
  pith_i_release(b.env, pairs);
  pith_i_release(b.env, (void *)b.read);
  pith_i_release(b.env, b.row_of);
  pith_i_release(b.env, b.element_of);
  return rc;
}
