/* From worlds and templates to a network: which predicates take part, what
** each slot may choose, which atoms carry a label.
**
** A background predicate takes part if some slot may choose it; all others are
** left out with their constants. A template may name = or \\=, which are then
** predicates like any other, with the pairs of each world as their facts. */
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "net/net.h"
#include "net/order.h"

typedef struct {
  pith_i_env *env;
  pith_i_net *net;
  const pith_i_world *worlds;
  size_t world_count;
  PITH_I_VEC(uint32_t) constant_of; /* (world, symbol) -> constant */
  PITH_I_VEC(size_t) world_start;   /* in constant_of */
  PITH_I_VEC(uint32_t) world_of;    /* by constant */
  PITH_I_VEC(pith_sym) symbol;      /* by constant */
  PITH_I_VEC(uint32_t) first;       /* constant of each world, and the end */
  PITH_I_VEC(uint32_t) fact_pairs;  /* (n/2, 2) */
  PITH_I_VEC(uint32_t) net_pred;    /* predicate -> network predicate */
} builder;

/* ---- constants ------------------------------------------------------- */

static bool add_constant(builder *b, uint32_t world, pith_sym s) {
  assert(world < b->world_start.n);
  assert(b->world_start.at[world] + s < b->constant_of.n);
  uint32_t *c = &b->constant_of.at[b->world_start.at[world] + s];
  if (*c != PITH_NONE)
    return true;
  *c = b->net->constants++;
  return pith_i_push(b->env, &b->world_of, world) &&
         pith_i_push(b->env, &b->symbol, s);
}

static uint32_t constant_of(const builder *b, uint32_t world, pith_sym s) {
  assert(world < b->world_start.n);
  assert(b->world_start.at[world] + s < b->constant_of.n);
  return b->constant_of.at[b->world_start.at[world] + s];
}

/* The predicate of the first world in world w, or PITH_NONE. */
static pith_pred pred_in(const builder *b, uint32_t w, pith_pred pred) {
  assert(w < b->world_count);
  if (w == 0)
    return pred;
  const pith_i_names *from = &b->worlds[0].theory->names;
  const pith_i_names *to = &b->worlds[w].theory->names;
  const pith_i_symbol *name = pith_i_sym(from, pith_i_pred(from, pred)->name);
  pith_sym s = pith_i_sym_find(to, name->text, name->len, PITH_NAME);
  return s == PITH_NONE
             ? PITH_NONE
             : pith_i_pred_find(to, s, pith_i_pred(from, pred)->arity);
}

/* The facts of a predicate in a world, given and derived by the background's
** own rules; NULL when there are none. */
static const pith_i_tuples *facts_in(const builder *b, uint32_t w,
                                     pith_pred pred) {
  pith_pred there = pred_in(b, w, pred);
  const pith_i_store *s = b->worlds[w].store;
  if (there == PITH_NONE || there >= s->relations.n ||
      s->relations.at[there].rows.n == 0)
    return NULL;
  return &s->relations.at[there].rows;
}

static bool add_world(builder *b, uint32_t w) {
  size_t n = b->worlds[w].theory->names.symbols.n;
  if (!pith_i_push(b->env, &b->world_start, b->constant_of.n) ||
      !pith_i_room(b->env, &b->constant_of, n))
    return false;
  memset(b->constant_of.at + b->constant_of.n, 0xff,
         n * sizeof *b->constant_of.at);
  b->constant_of.n += n;
  return true;
}

/* Constants in the order of the facts, then of the examples. */
static bool find_constants(builder *b) {
  for (uint32_t w = 0; w < b->world_count; w++) {
    if (!add_world(b, w) || !pith_i_push(b->env, &b->first, b->net->constants))
      return false;
    for (size_t p = 0; p < b->net->preds.n; p++) {
      const pith_i_tuples *rows = facts_in(b, w, b->net->preds.at[p].pred);
      for (size_t i = 0; rows != NULL && i < rows->n * rows->width; i++)
        if (!add_constant(b, w, rows->at[i]))
          return false;
    }
    const pith_i_theory *t = b->worlds[w].theory;
    for (size_t i = 0; i < t->examples.n; i++)
      for (uint32_t j = 0; j < t->examples.at[i]->atom.arity; j++)
        if (!add_constant(b, w, t->examples.at[i]->atom.args[j]))
          return false;
  }
  b->net->world_of = b->world_of.at;
  if (!pith_i_push(b->env, &b->first, b->net->constants))
    return false;
  b->net->first_constant = b->first.at;
  b->net->worlds = (uint32_t)b->world_count;
  return true;
}

/* ---- templates -------------------------------------------------------- */

/* Says what is wrong with a template and where it is. */
static pith_status refuse_template(builder *b, const pith_template *t,
                                   const char *format, ...) PITH_PRINTF(3, 4);
static pith_status refuse_template(builder *b, const pith_template *t,
                                   const char *format, ...) {
  char where[256], what[512];
  va_list args;
  va_start(args, format);
  vsnprintf(what, sizeof what, format, args);
  va_end(args);
  pith_i_template_where(b->net->theory, t, where, sizeof where);
  return pith_i_fail(b->env, PITH_EINPUT, "%s: %s", where, what);
}

void pith_i_template_where(const pith_i_theory *theory, const pith_template *t,
                           char *out, size_t n) {
  size_t i = 0;
  while (i + 1 < theory->templates.n && theory->templates.at[i] != t)
    i++;
  if (t->shape.file == PITH_NONE)
    snprintf(out, n, "template %zu", i + 1);
  else
    snprintf(out, n, "%s:%u", pith_i_sym(&theory->names, t->shape.file)->text,
             t->shape.line);
}

/* How a slot is used in its template: only as F(X,X)? in the head? */
typedef struct {
  bool head, body, diagonal;
} slot_usage;

static void note_use(const pith_atom *a, uint32_t slot, slot_usage *u) {
  if (a->pred == slot && !(a->arity == 2 && a->args[0] == a->args[1]))
    u->diagonal = false;
}

static slot_usage slot_use(const pith_template *t, uint32_t slot) {
  slot_usage u = {t->shape.head.pred == slot, false, true};
  note_use(&t->shape.head, slot, &u);
  for (uint32_t i = 0; i < t->shape.body_len; i++) {
    u.body = u.body || t->shape.body[i].pred == slot;
    note_use(&t->shape.body[i], slot, &u);
  }
  return u;
}

static bool has_unary_head(const pith_i_theory *t) {
  for (size_t i = 0; i < t->templates.n; i++)
    if (t->templates.at[i]->shape.head.arity == 1)
      return true;
  return false;
}

/* In a reference network F(X,X) is a binary atom, as in the authors' code. A
** unary target that could have no rule otherwise may still be its head. */
static slot_usage slot_use_in(const builder *b, const pith_template *t,
                              uint32_t slot) {
  slot_usage u = slot_use(t, slot);
  if (b->net->reference)
    u.diagonal =
        u.diagonal && u.head && !u.body && !has_unary_head(b->worlds[0].theory);
  return u;
}

static bool is_built_in(pith_pred p) { return pith_i_is_builtin(p); }

static bool may_fill(const pith_i_net_pred *p, const pith_slot *s,
                     slot_usage u) {
  if (s->pred == PITH_NONE ? is_built_in(p->pred) : s->pred != p->pred)
    return false;
  return (p->arity == s->arity || (u.diagonal && p->arity == 1)) &&
         (!u.head || p->derived);
}

static bool has_var(const pith_rule *shape, pith_term var) {
  for (uint32_t i = 0; i < shape->body_len; i++)
    for (uint32_t j = 0; j < shape->body[i].arity; j++)
      if (shape->body[i].args[j] == var)
        return true;
  return false;
}

static pith_status check_atom(builder *b, const pith_template *t,
                              const pith_atom *a) {
  if (a->arity != 1 && a->arity != 2)
    return refuse_template(
        b, t, "an atom with %u arguments; the network takes one or two",
        a->arity);
  for (uint32_t i = 0; i < a->arity; i++)
    if (!PITH_IS_VAR(a->args[i]))
      return refuse_template(
          b, t,
          "a constant in a template; use a variable, and a unary "
          "predicate that holds of the constant alone");
  return PITH_OK;
}

static pith_status check_template(builder *b, const pith_template *t) {
  const pith_rule *shape = &t->shape;
  if (shape->body_len == 0 || shape->body_len > PITH_I_MAX_TEMPLATE)
    return refuse_template(b, t, "bodies have one to %d atoms",
                           PITH_I_MAX_TEMPLATE);
  pith_status rc = check_atom(b, t, &shape->head);
  for (uint32_t i = 0; rc >= 0 && i < shape->body_len; i++)
    rc = check_atom(b, t, &shape->body[i]);
  for (uint32_t i = 0; rc >= 0 && i < shape->head.arity; i++)
    if (!has_var(shape, shape->head.args[i]))
      rc = refuse_template(b, t, "a head variable that is in no body atom");
  pith_i_order plan;
  if (rc >= 0 && !pith_i_order_make(shape, &plan))
    rc = refuse_template(
        b, t,
        "needs more than two variables at once between its atoms; "
        "split it with an invented predicate");
  return rc;
}

/* ---- predicates ------------------------------------------------------ */

static unsigned roles_in_worlds(const builder *b, pith_pred pred) {
  unsigned all = 0;
  for (uint32_t w = 0; w < b->world_count; w++) {
    pith_pred there = pred_in(b, w, pred);
    if (there != PITH_NONE)
      all |= pith_i_pred(&b->worlds[w].theory->names, there)->roles;
  }
  return all;
}

static bool has_facts(const builder *b, pith_pred pred) {
  for (uint32_t w = 0; w < b->world_count; w++)
    if (facts_in(b, w, pred) != NULL)
      return true;
  return false;
}

/* Whether some slot may choose it. */
static bool is_wanted(const builder *b, const pith_i_net_pred *p) {
  const pith_i_theory *t = b->worlds[0].theory;
  for (size_t i = 0; i < t->templates.n; i++)
    for (uint32_t s = 0; s < t->templates.at[i]->slot_count; s++)
      if (may_fill(p, &t->templates.at[i]->slots[s],
                   slot_use_in(b, t->templates.at[i], s)))
        return true;
  return false;
}

static bool is_named(const builder *b, pith_pred pred) {
  const pith_i_theory *t = b->worlds[0].theory;
  for (size_t i = 0; i < t->templates.n; i++)
    for (uint32_t s = 0; s < t->templates.at[i]->slot_count; s++)
      if (t->templates.at[i]->slots[s].pred == pred)
        return true;
  return false;
}

static bool has_core(const builder *b) {
  return b->net->core_kind != PITH_I_CORE_NONE;
}

/* Targets and invented predicates are derived, and with a core all that was
** observed; background is what has facts or, where bias.pl names body
** predicates, those of them; and what a template names itself. */
static pith_status add_pred(builder *b, pith_pred p, bool listed) {
  const pith_i_names *names = &b->worlds[0].theory->names;
  unsigned r = roles_in_worlds(b, p);
  pith_i_net_pred q = {.pred = p,
                       .arity = pith_i_pred(names, p)->arity,
                       .derived = (r & (PITH_TARGET | PITH_INVENTED)) != 0};
  if (has_core(b) && has_facts(b, p))
    q.derived = q.arity == 1 || q.arity == 2;
  bool background =
      (has_facts(b, p) && (!listed || (r & PITH_BODY) != 0)) || is_named(b, p);
  uint32_t number = PITH_NONE;
  if (q.derived && q.arity != 1 && q.arity != 2)
    return pith_i_fail(b->env, PITH_EINPUT,
                       "%s/%u is to be learned; the network takes predicates "
                       "with one or two arguments",
                       pith_i_pred_text(names, p), q.arity);
  bool known = b->net->reference && q.arity <= 2; /* it has its dimension */
  if (q.derived || (background && (known || is_wanted(b, &q)))) {
    number = (uint32_t)b->net->preds.n;
    if (!pith_i_push(b->env, &b->net->preds, q))
      return PITH_ENOMEM;
  }
  return pith_i_push(b->env, &b->net_pred, number) ? PITH_OK : PITH_ENOMEM;
}

static pith_status find_preds(builder *b) {
  const pith_i_names *names = &b->worlds[0].theory->names;
  bool listed = false;
  pith_status rc = PITH_OK;
  for (pith_pred p = 0; p < names->preds.n; p++)
    listed = listed || (roles_in_worlds(b, p) & PITH_BODY) != 0;
  for (pith_pred p = 0; rc >= 0 && p < names->preds.n; p++)
    rc = add_pred(b, p, listed);
  return rc;
}

/* ---- pairs and facts --------------------------------------------------- */

static uint32_t candidate_arity(const builder *b, uint32_t c) {
  assert(c < b->net->candidates.n);
  return b->net->preds.at[b->net->candidates.at[c].pred].arity;
}

static bool add_pair(builder *b, uint32_t x, uint32_t y) {
  assert(x < b->net->constants && y < b->net->constants);
  return pith_i_push(b->env, &b->fact_pairs, x) &&
         pith_i_push(b->env, &b->fact_pairs, y);
}

static bool add_diagonal(builder *b) {
  for (uint32_t c = 0; c < b->net->constants; c++)
    if (!add_pair(b, c, c))
      return false;
  return true;
}

static bool add_different(builder *b) {
  for (uint32_t x = 0; x < b->net->constants; x++) {
    const uint32_t *world = b->first.at + b->net->world_of[x];
    for (uint32_t y = world[0]; y < world[1]; y++)
      if (x != y && !add_pair(b, x, y))
        return false;
  }
  return true;
}

/* p(X,X) may be a unary p(X): the diagonal is needed whole. */
static bool needs_diagonal(const builder *b) {
  for (size_t i = 0; i < b->net->slots.n; i++) {
    const pith_i_net_slot *s = &b->net->slots.at[i];
    for (uint32_t c = s->first; c < s->first + s->count; c++)
      if (candidate_arity(b, c) != s->arity)
        return true;
  }
  return false;
}

static bool add_fact_pairs(builder *b, pith_pred pred) {
  if (pred == PITH_EQUAL)
    return add_diagonal(b);
  if (pred == PITH_DIFFERENT)
    return add_different(b);
  for (uint32_t w = 0; w < b->world_count; w++) {
    const pith_i_tuples *rows = facts_in(b, w, pred);
    for (size_t i = 0; rows != NULL && i < rows->n; i++)
      if (!add_pair(b, constant_of(b, w, rows->at[2 * i]),
                    constant_of(b, w, rows->at[2 * i + 1])))
        return false;
  }
  return true;
}

/* A positive example needs a number even if nothing derives it. */
static bool add_example_pairs(builder *b) {
  for (uint32_t w = 0; w < b->world_count; w++) {
    const pith_i_theory *t = b->worlds[w].theory;
    for (size_t i = 0; i < t->examples.n; i++) {
      const pith_atom *a = &t->examples.at[i]->atom;
      if (a->arity == 2 && t->examples.at[i]->positive &&
          !add_pair(b, constant_of(b, w, a->args[0]),
                    constant_of(b, w, a->args[1])))
        return false;
    }
  }
  return true;
}

/* The pairs of constants that were seen in the places of a predicate. seen:
** (constants, 2). */
static bool add_typed_pairs(builder *b, pith_pred pred, bool *seen) {
  memset(seen, 0, 2 * (size_t)b->net->constants * sizeof *seen);
  for (uint32_t w = 0; w < b->world_count; w++) {
    const pith_i_tuples *rows = facts_in(b, w, pred);
    for (size_t i = 0; rows != NULL && i < 2 * rows->n; i++)
      seen[2 * constant_of(b, w, rows->at[i]) + i % 2] = true;
  }
  for (uint32_t x = 0; x < b->net->constants; x++) {
    const uint32_t *world = b->first.at + b->net->world_of[x];
    for (uint32_t y = world[0]; seen[2 * x] && y < world[1]; y++)
      if (seen[2 * y + 1] && !add_pair(b, x, y))
        return false;
  }
  return true;
}

static bool find_typed_pairs(builder *b) {
  bool *seen = pith_i_alloc(b->env, 2 * (size_t)b->net->constants + 1);
  bool fine = seen != NULL;
  for (size_t p = 0; fine && p < b->net->preds.n; p++)
    if (b->net->preds.at[p].arity == 2)
      fine = add_typed_pairs(b, b->net->preds.at[p].pred, seen);
  pith_i_release(b->env, seen);
  return fine;
}

/* Joins the kinds of two places that share a constant; whether that changed
** something. a, b: (n). */
static bool join_kinds(bool *a, bool *b, size_t n) {
  bool share = false, changed = false;
  for (size_t c = 0; c < n; c++)
    share = share || (a[c] && b[c]);
  for (size_t c = 0; share && c < n; c++) {
    changed = changed || a[c] != b[c];
    a[c] = b[c] = a[c] || b[c];
  }
  return changed;
}

/* The constants in the facts of a predicate: (2, constants). */
static void note_seen(const builder *b, uint32_t pred, bool *seen) {
  uint32_t arity = b->net->preds.at[pred].arity;
  for (uint32_t w = 0; w < b->world_count; w++) {
    const pith_i_tuples *rows = facts_in(b, w, b->net->preds.at[pred].pred);
    for (size_t i = 0; rows != NULL && i < rows->n * arity; i++)
      seen[i % arity * b->net->constants + constant_of(b, w, rows->at[i])] =
          true;
  }
}

/* Which constants fit the places of each predicate: those seen there, and in
** places that share some with it. */
static pith_status find_types(builder *b) {
  pith_i_net *net = b->net;
  size_t n = net->constants, places = 2 * net->preds.n;
  bool *all = pith_i_arena_alloc(&net->arena, places * n + 1);
  if (all == NULL)
    return PITH_ENOMEM;
  memset(all, 0, places * n);
  for (size_t p = 0; p < net->preds.n; p++)
    note_seen(b, (uint32_t)p, all + 2 * p * n);
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < places; i++)
      for (size_t j = 0; j < i; j++)
        changed = join_kinds(all + i * n, all + j * n, n) || changed;
  }
  net->types = all;
  return PITH_OK;
}

/* The pairs of constants that fit a predicate. */
static bool add_kind_pairs(builder *b, uint32_t pred) {
  const pith_i_net *net = b->net;
  const bool *x_fits = net->types + 2 * (size_t)pred * net->constants;
  const bool *y_fits = x_fits + net->constants;
  for (uint32_t x = 0; x < net->constants; x++) {
    const uint32_t *world = b->first.at + net->world_of[x];
    for (uint32_t y = world[0]; x_fits[x] && y < world[1]; y++)
      if (y_fits[y] && !add_pair(b, x, y))
        return false;
  }
  return true;
}

static bool find_kind_pairs(builder *b) {
  bool fine = find_types(b) >= 0;
  for (uint32_t p = 0; fine && p < b->net->preds.n; p++)
    if (b->net->preds.at[p].arity == 2)
      fine = add_kind_pairs(b, p);
  return fine;
}

static bool find_pairs(builder *b) {
  for (size_t p = 0; p < b->net->preds.n; p++)
    if (b->net->preds.at[p].arity == 2 &&
        !add_fact_pairs(b, b->net->preds.at[p].pred))
      return false;
  if (b->net->core_kind == PITH_I_CORE_TYPED &&
      !(b->net->reference ? find_kind_pairs(b) : find_typed_pairs(b)))
    return false;
  return (!needs_diagonal(b) || add_diagonal(b)) && add_example_pairs(b);
}

static uint32_t atom_number(const builder *b, uint32_t w, const pith_sym *args,
                            uint32_t arity) {
  uint32_t xy[2];
  for (uint32_t i = 0; i < arity; i++)
    xy[i] = constant_of(b, w, args[i]);
  return arity == 1 ? xy[0] : pith_i_net_pair(b->net, xy[0], xy[1]);
}

/* The pairs of = or \\= among all. */
static uint32_t built_in_facts(const pith_i_net *net, pith_pred pred,
                               uint32_t *facts) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < net->pairs; i++)
    if ((net->pair_x[i] == net->pair_y[i]) == (pred == PITH_EQUAL))
      facts[n++] = i;
  return n;
}

static uint32_t stored_facts(const builder *b, const pith_i_net_pred *p,
                             uint32_t *facts) {
  uint32_t n = 0;
  for (uint32_t w = 0; w < b->world_count; w++) {
    const pith_i_tuples *rows = facts_in(b, w, p->pred);
    for (size_t r = 0; rows != NULL && r < rows->n; r++)
      facts[n++] = atom_number(b, w, rows->at + r * p->arity, p->arity);
  }
  return n;
}

static size_t count_facts(const builder *b, const pith_i_net_pred *p) {
  size_t n = is_built_in(p->pred) ? b->net->pairs : 0;
  for (uint32_t w = 0; w < b->world_count; w++) {
    const pith_i_tuples *rows = facts_in(b, w, p->pred);
    n += rows == NULL ? 0 : rows->n;
  }
  return n;
}

static pith_status number_facts(builder *b) {
  pith_i_net *net = b->net;
  for (size_t i = 0; i < net->preds.n; i++) {
    pith_i_net_pred *p = &net->preds.at[i];
    uint32_t *facts = pith_i_arena_alloc(&net->arena, (count_facts(b, p) + 1) *
                                                          sizeof *facts);
    if (facts == NULL)
      return PITH_ENOMEM;
    p->facts = facts;
    p->fact_count = is_built_in(p->pred) ? built_in_facts(net, p->pred, facts)
                                         : stored_facts(b, p, facts);
    p->size = p->arity == 1 ? net->constants : net->pairs;
    p->offset = net->atoms;
    if (p->derived && p->size > UINT32_MAX - 1 - net->atoms)
      return pith_i_fail(b->env, PITH_ENOMEM,
                         "the network is too large: more than 4 billion atoms");
    net->atoms += p->derived ? p->size : 0;
  }
  return PITH_OK;
}

/* A negative example that no choice of predicates can derive has no number
** and needs none: it is right whatever is learned. It is kept with the atom
** PITH_NONE, so that means are over all examples. */
static pith_status label_examples(builder *b) {
  pith_i_net *net = b->net;
  for (uint32_t w = 0; w < b->world_count; w++) {
    const pith_i_theory *t = b->worlds[w].theory;
    const pith_i_names *names = &t->names;
    for (size_t i = 0; i < t->examples.n; i++) {
      const pith_example *e = t->examples.at[i];
      const pith_i_symbol *name =
          pith_i_sym(names, pith_i_pred(names, e->atom.pred)->name);
      const pith_i_names *first = &b->worlds[0].theory->names;
      pith_sym s = pith_i_sym_find(first, name->text, name->len, PITH_NAME);
      pith_pred pred = pith_i_pred_find(first, s, e->atom.arity);
      assert(pred != PITH_NONE && b->net_pred.at[pred] != PITH_NONE);
      const pith_i_net_pred *p = &net->preds.at[b->net_pred.at[pred]];
      uint32_t atom = atom_number(b, w, e->atom.args, e->atom.arity);
      pith_i_net_example x = {.atom = atom == PITH_NONE ? PITH_NONE
                                                        : p->offset + atom,
                              .world = w,
                              .example = (uint32_t)i,
                              .label = e->positive ? 1.0f : 0.0f,
                              .weight = (float)e->weight};
      if (!pith_i_push(b->env, &net->examples, x))
        return PITH_ENOMEM;
    }
  }
  return PITH_OK;
}

/* ---- the core --------------------------------------------------------- */

static bool is_observed(const pith_i_net_pred *p) {
  return p->derived && p->fact_count > 0;
}

/* Every atom of an observed predicate is an example. */
static pith_status label_observed(builder *b, const pith_i_net_pred *p) {
  pith_i_net *net = b->net;
  size_t first = net->examples.n;
  for (uint32_t a = 0; a < p->size; a++) {
    uint32_t x = p->arity == 1 ? a : net->pair_x[a];
    pith_i_net_example e = {.atom = p->offset + a,
                            .world = net->world_of[x],
                            .example = PITH_NONE,
                            .weight = 1};
    if (!pith_i_push(b->env, &net->examples, e))
      return PITH_ENOMEM;
  }
  for (uint32_t f = 0; f < p->fact_count; f++) {
    assert(p->facts[f] < p->size);
    net->examples.at[first + p->facts[f]].label = 1;
  }
  return PITH_OK;
}

static bool add_core(builder *b, const pith_i_net_pred *p, uint32_t atom) {
  assert(p->derived && atom < p->size);
  return pith_i_push(b->env, &b->net->core, p->offset + atom);
}

/* Which constants were seen in which place: (constants, 2). */
static void note_places(const pith_i_net *net, const pith_i_net_pred *p,
                        bool *seen) {
  memset(seen, 0, 2 * (size_t)net->constants * sizeof *seen);
  for (uint32_t f = 0; f < p->fact_count; f++) {
    uint32_t a = p->facts[f];
    seen[2 * (p->arity == 1 ? a : net->pair_x[a])] = true;
    if (p->arity == 2)
      seen[2 * net->pair_y[a] + 1] = true;
  }
}

static bool is_of_type(const pith_i_net *net, const pith_i_net_pred *p,
                       uint32_t a, const bool *seen) {
  return p->arity == 1
             ? seen[2 * a]
             : seen[2 * net->pair_x[a]] && seen[2 * net->pair_y[a] + 1];
}

/* In a reference network only atoms of the right types are labelled, as in the
** authors' code. The examples of p are the last ones. */
static void forget_untyped(builder *b, const pith_i_net_pred *p,
                           const bool *seen) {
  pith_i_net *net = b->net;
  assert(net->examples.n >= p->size);
  for (uint32_t a = 0; a < p->size; a++)
    if (!is_of_type(net, p, a, seen))
      net->examples.at[net->examples.n - p->size + a].weight = 0;
}

static pith_status add_observed(builder *b, const pith_i_net_pred *p,
                                bool *seen) {
  pith_i_core_kind core = b->net->core_kind;
  bool fine = true;
  note_places(b->net, p, seen);
  if (b->net->types != NULL) {
    size_t first = 2 * (size_t)(p - b->net->preds.at) * b->net->constants;
    for (uint32_t c = 0; c < 2 * b->net->constants; c++)
      seen[2 * (c % b->net->constants) + c / b->net->constants] =
          b->net->types[first + c];
    forget_untyped(b, p, seen);
  }
  for (uint32_t f = 0; fine && core == PITH_I_CORE_SEEN && f < p->fact_count;
       f++)
    fine = add_core(b, p, p->facts[f]);
  for (uint32_t a = 0; fine && core >= PITH_I_CORE_TYPED && a < p->size; a++)
    if (core == PITH_I_CORE_ANY || is_of_type(b->net, p, a, seen))
      fine = add_core(b, p, a);
  return fine ? PITH_OK : PITH_ENOMEM;
}

static pith_status add_invented(builder *b, const pith_i_net_pred *p) {
  for (uint32_t a = 0; a < p->size; a++)
    if (!add_core(b, p, a))
      return PITH_ENOMEM;
  return PITH_OK;
}

static pith_status find_core(builder *b) {
  pith_i_net *net = b->net;
  pith_status rc = PITH_OK;
  bool *seen = pith_i_zalloc(b->env, net->constants + (size_t)1, 2);
  if (seen == NULL)
    return PITH_ENOMEM;
  for (size_t i = 0; rc >= 0 && i < net->preds.n; i++)
    if (is_observed(&net->preds.at[i])) {
      rc = label_observed(b, &net->preds.at[i]);
      if (rc >= 0)
        rc = add_observed(b, &net->preds.at[i], seen);
    }
  net->observed = (uint32_t)net->core.n;
  for (size_t i = 0; rc >= 0 && i < net->preds.n; i++)
    if (net->preds.at[i].derived && !is_observed(&net->preds.at[i]))
      rc = add_invented(b, &net->preds.at[i]);
  pith_i_release(b->env, seen);
  return rc;
}

/* ---- slots ----------------------------------------------------------- */

/* p(X,X) for a unary p is p(X): the pairs of the diagonal as constants. */
static const uint32_t *diagonal_map(builder *b) {
  pith_i_net *net = b->net;
  uint32_t *map =
      pith_i_arena_alloc(&net->arena, (net->pairs + 1) * sizeof *map);
  for (uint32_t i = 0; map != NULL && i < net->pairs; i++)
    map[i] = net->pair_x[i] == net->pair_y[i] ? net->pair_x[i] : PITH_NONE;
  return map;
}

static pith_status refuse_slot(builder *b, const pith_template *t,
                               const pith_slot *s, slot_usage u) {
  const pith_i_names *names = &b->net->theory->names;
  const char *part = u.head ? "head" : "body";
  if (s->pred != PITH_NONE)
    return refuse_template(
        b, t,
        "%s/%u cannot be in the %s: it has no examples, and no "
        "`invented:` line names it",
        pith_i_pred_text(names, s->pred), s->arity, part);
  return refuse_template(
      b, t,
      "no predicate fits an atom with %u argument%s in the %s; "
      "invent one (`invented: aux/%u`)",
      s->arity, s->arity == 1 ? "" : "s", part, s->arity);
}

/* Candidates first without their maps: these need the pairs. */
static pith_status add_slot(builder *b, const pith_template *t, uint32_t slot,
                            uint32_t *number) {
  pith_i_net *net = b->net;
  slot_usage u = slot_use_in(b, t, slot);
  pith_i_net_slot s = {.arity = t->slots[slot].arity,
                       .first = (uint32_t)net->candidates.n,
                       .in_body = u.body,
                       .in_head = u.head};
  for (uint32_t i = 0; i < net->preds.n; i++)
    if (may_fill(&net->preds.at[i], &t->slots[slot], u)) {
      pith_i_slot_candidate c = {.pred = i};
      if (!pith_i_push(b->env, &net->candidates, c))
        return PITH_ENOMEM;
      s.count++;
    }
  if (s.count == 0)
    return refuse_slot(b, t, &t->slots[slot], u);
  *number = (uint32_t)net->slots.n;
  return pith_i_push(b->env, &net->slots, s) ? PITH_OK : PITH_ENOMEM;
}

static pith_status add_rule(builder *b, const pith_template *t) {
  uint32_t *slots =
      pith_i_arena_alloc(&b->net->arena, (t->slot_count + 1) * sizeof *slots);
  if (slots == NULL)
    return PITH_ENOMEM;
  pith_status rc = PITH_OK;
  for (uint32_t i = 0; rc >= 0 && i < t->slot_count; i++)
    rc = add_slot(b, t, i, &slots[i]);
  if (rc < 0)
    return rc;
  pith_i_net_rule r = {
      .head = slots[t->shape.head.pred], .shape = t, .slots = slots};
  return pith_i_push(b->env, &b->net->rules, r) ? PITH_OK : PITH_ENOMEM;
}

static pith_status check_templates(builder *b) {
  const pith_i_theory *t = b->worlds[0].theory;
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc >= 0 && i < t->templates.n; i++)
    rc = check_template(b, t->templates.at[i]);
  return rc;
}

/* What training takes for a rule at the least: its slots and candidates with a
** lane per restart, their gradients and moments. */
static double bytes_of_rule(const builder *b, const pith_template *t) {
  double candidates = 0;
  for (uint32_t i = 0; i < t->slot_count; i++)
    candidates += (double)b->net->preds.n;
  return sizeof(pith_i_net_rule) +
         candidates * (sizeof(pith_i_slot_candidate) + 4 * PITH_I_ROW);
}

enum { MOST_RULES = 100000 };

/* Copies are one number in a file, and may be far more than can be built. */
static pith_status refuse_many_rules(builder *b) {
  const pith_i_theory *t = b->worlds[0].theory;
  double bytes = 0, rules = 0;
  double most = b->env->memory.limit > 0 ? (double)b->env->memory.limit
                                         : pith_i_machine_bytes();
  for (size_t i = 0; i < t->templates.n; i++) {
    rules += t->templates.at[i]->copies;
    bytes += t->templates.at[i]->copies * bytes_of_rule(b, t->templates.at[i]);
  }
  if (bytes <= most && rules <= MOST_RULES)
    return PITH_OK;
  return pith_i_fail(b->env, PITH_ELIMIT,
                     "the templates ask for %.0f rules, which take at least "
                     "%.0f MiB; expected at most %d rules that fit into %.0f "
                     "MiB; write smaller counts before the templates",
                     rules, bytes / 0x1p20, MOST_RULES, most / 0x1p20);
}

static pith_status add_rules(builder *b) {
  const pith_i_theory *t = b->worlds[0].theory;
  pith_status rc = refuse_many_rules(b);
  for (size_t i = 0; i < t->templates.n; i++)
    for (uint32_t c = 0; rc >= 0 && c < t->templates.at[i]->copies; c++)
      rc = add_rule(b, t->templates.at[i]);
  if (rc >= 0 && b->net->rules.n == 0)
    rc = pith_i_fail(b->env, PITH_EINPUT, "no templates");
  return rc;
}

/* The facts of a unary predicate as pairs of the diagonal. */
static pith_status map_facts(builder *b, pith_i_slot_candidate *k) {
  const pith_i_net_pred *p = &b->net->preds.at[k->pred];
  k->facts = p->facts;
  k->fact_count = p->fact_count;
  if (k->map == NULL)
    return PITH_OK;
  uint32_t *facts =
      pith_i_arena_alloc(&b->net->arena, (p->fact_count + 1) * sizeof *facts);
  if (facts == NULL)
    return PITH_ENOMEM;
  for (uint32_t f = 0; f < p->fact_count; f++) {
    facts[f] = pith_i_net_pair(b->net, p->facts[f], p->facts[f]);
    assert(facts[f] != PITH_NONE);
  }
  k->facts = facts;
  return PITH_OK;
}

static pith_status map_candidates(builder *b) {
  const uint32_t *diagonal = NULL;
  pith_status rc = PITH_OK;
  for (size_t i = 0; i < b->net->slots.n; i++) {
    const pith_i_net_slot *s = &b->net->slots.at[i];
    for (uint32_t c = s->first; rc >= 0 && c < s->first + s->count; c++) {
      pith_i_slot_candidate *k = &b->net->candidates.at[c];
      if (candidate_arity(b, c) != s->arity) {
        if (diagonal == NULL)
          diagonal = diagonal_map(b);
        if (diagonal == NULL)
          return PITH_ENOMEM;
        k->map = diagonal;
      }
      rc = map_facts(b, k);
    }
  }
  return rc;
}

/* ---- all ------------------------------------------------------------- */

static pith_status build_net(builder *b, pith_i_layout layout) {
  pith_status rc = check_templates(b);
  if (rc >= 0)
    rc = find_preds(b);
  if (rc >= 0)
    rc = add_rules(b);
  if (rc >= 0 && (!find_constants(b) || !find_pairs(b)))
    rc = PITH_ENOMEM;
  if (rc >= 0)
    rc = pith_i_net_unroll(b->net, b->fact_pairs.at, b->fact_pairs.n / 2,
                           layout);
  if (rc >= 0)
    rc = number_facts(b);
  if (rc >= 0)
    rc = map_candidates(b);
  if (rc >= 0)
    rc = has_core(b) ? find_core(b) : label_examples(b);
  if (rc >= 0 && b->net->reference)
    rc = pith_i_net_fill(b->net);
  return rc;
}

pith_status pith_i_net_new(pith_i_env *env, const pith_i_world *worlds,
                           size_t world_count, const pith_i_net_options *opt,
                           pith_i_net **out) {
  assert(world_count > 0);
  pith_i_net_options o = {0};
  if (opt != NULL)
    o = *opt;
  pith_i_net *net = pith_i_zalloc(env, 1, sizeof *net);
  if (net == NULL)
    return PITH_ENOMEM;
  net->arena.env = env;
  net->theory = worlds[0].theory;
  net->steps = o.steps != 0 ? o.steps : worlds[0].theory->steps;
  if (net->steps == 0)
    net->steps = 4;
  builder b = {
      .env = env, .net = net, .worlds = worlds, .world_count = world_count};
  net->core_kind = o.core;
  net->reference = o.reference;
  net->weights_first = o.weights_first;
  if (o.core == PITH_I_CORE_ANY)
    o.layout = PITH_I_DENSE;
  pith_status rc = build_net(&b, o.layout);
  pith_i_vec_free(env, &b.constant_of);
  pith_i_vec_free(env, &b.world_start);
  pith_i_vec_free(env, &b.fact_pairs);
  pith_i_vec_free(env, &b.net_pred);
  net->world_of = b.world_of.at;
  net->symbol = b.symbol.at;
  net->first_constant = b.first.at;
  if (rc < 0) {
    pith_i_net_free(net);
    return rc;
  }
  *out = net;
  return PITH_OK;
}

void pith_i_net_free(pith_i_net *net) {
  if (net == NULL)
    return;
  pith_i_env *env = net->arena.env;
  pith_i_release(env, (void *)net->world_of);
  pith_i_release(env, (void *)net->symbol);
  pith_i_release(env, (void *)net->first_constant);
  pith_i_vec_free(env, &net->preds);
  pith_i_vec_free(env, &net->candidates);
  pith_i_vec_free(env, &net->slots);
  pith_i_vec_free(env, &net->joins);
  pith_i_vec_free(env, &net->rules);
  pith_i_vec_free(env, &net->examples);
  pith_i_vec_free(env, &net->bodies);
  pith_i_vec_free(env, &net->filled_joins);
  pith_i_vec_free(env, &net->filled_bodies);
  pith_i_vec_free(env, &net->filled_slots);
  pith_i_vec_free(env, &net->filled_heads);
  pith_i_vec_free(env, &net->filled_members);
  pith_i_vec_free(env, &net->core);
  pith_i_vec_free(env, &net->tensor_offset);
  pith_i_arena_free(&net->arena);
  pith_i_arena_free(&net->rule_arena);
  pith_i_release(env, net);
}
