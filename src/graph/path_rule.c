#include "graph/path_rule.h"

#include <assert.h>

static void set_step_atom(const pith_i_graph *g, pith_i_way way, pith_term from,
                          pith_term to, pith_term *args, pith_atom *out) {
  args[way % 2] = from;
  args[1 - way % 2] = to;
  *out = (pith_atom){.pred = g->pred[way / 2], .arity = 2, .args = args};
}

/* Variables: X 0, Y 1 where the rule is a chain, then those between. */
void pith_i_path_show(const pith_i_graph *g, const pith_i_path *p,
                      pith_i_path_rule *out) {
  assert(p->length >= 1 && p->length <= PITH_I_PATH_MOST);
  assert(p->head < g->ways);
  assert(p->constant == PITH_NONE || p->constant < g->entities);
  bool chain = p->constant == PITH_NONE;
  uint32_t vars = chain ? 2 : 1;
  pith_term goal = chain ? PITH_VAR(1) : g->symbol[p->constant];
  set_step_atom(g, p->head, PITH_VAR(0), goal, out->args[0], &out->rule.head);
  pith_term from = PITH_VAR(0);
  for (uint32_t i = 0; i < p->length; i++) {
    pith_term to = i + 1 < p->length || (!chain && p->end == PITH_NONE)
                       ? PITH_VAR(vars++)
                   : chain ? PITH_VAR(1)
                           : g->symbol[p->end];
    set_step_atom(g, p->step[i], from, to, out->args[i + 1], &out->body[i]);
    from = to;
  }
  if (p->compare != 0) {
    pith_term *args = out->args[p->length + 1];
    args[0] = from;
    args[1] = p->bound;
    out->body[p->length] =
        (pith_atom){.pred = p->compare, .arity = 2, .args = args};
  }
  pith_atom head = out->rule.head;
  out->rule = (pith_rule){.head = head,
                          .body = out->body,
                          .body_len = p->length + (p->compare != 0),
                          .var_count = vars,
                          .file = PITH_NONE,
                          .probability = p->confidence};
}

bool pith_i_find_relation(const pith_i_graph *g, pith_pred pred,
                          uint32_t *out) {
  *out = pred < g->preds ? g->relation[pred] : PITH_NONE;
  return *out != PITH_NONE;
}

bool pith_i_find_entity(const pith_i_graph *g, pith_term t, uint32_t *out) {
  *out = t < g->symbols ? g->entity[t] : PITH_NONE;
  return *out != PITH_NONE;
}

/* The way of an atom gone from a term, and where it leads. */
static bool find_way(const pith_i_graph *g, const pith_atom *a, pith_term from,
                     pith_i_way *way, pith_term *to) {
  uint32_t relation;
  if (a->negated || a->arity != 2 ||
      !pith_i_find_relation(g, a->pred, &relation) || a->args[0] == a->args[1])
    return false;
  uint32_t inverse = a->args[0] == from ? 0 : 1;
  *way = PITH_I_WAY(relation, inverse);
  *to = a->args[1 - inverse];
  return a->args[inverse] == from;
}

static bool find_head_way(const pith_i_graph *g, const pith_atom *h,
                          pith_i_path *out, pith_term *x, pith_term *goal) {
  if (h->arity != 2)
    return false;
  *x = PITH_IS_VAR(h->args[0]) ? h->args[0] : h->args[1];
  out->constant = PITH_NONE;
  return PITH_IS_VAR(*x) && find_way(g, h, *x, &out->head, goal) &&
         (PITH_IS_VAR(*goal) || pith_i_find_entity(g, *goal, &out->constant));
}

/* The comparison OP for which b OP a says the same as a OP' b. */
static pith_pred turned_comparison(pith_pred op) {
  return op == PITH_LESS            ? PITH_GREATER
         : op == PITH_LESS_EQUAL    ? PITH_GREATER_EQUAL
         : op == PITH_GREATER       ? PITH_LESS
         : op == PITH_GREATER_EQUAL ? PITH_LESS_EQUAL
                                    : op;
}

/* A comparison of a variable with a constant at the end of a body. *var: the
** variable; false: there is no such comparison. */
static bool find_comparison(const pith_rule *r, pith_term *var,
                            pith_i_path *out) {
  if (r->body_len < 2)
    return false;
  const pith_atom *a = &r->body[r->body_len - 1];
  if (!PITH_IS_COMPARISON(a->pred) || a->arity != 2 || a->negated ||
      PITH_IS_VAR(a->args[0]) == PITH_IS_VAR(a->args[1]))
    return false;
  bool first = PITH_IS_VAR(a->args[0]);
  *var = a->args[first ? 0 : 1];
  out->bound = out->cut_off = a->args[first ? 1 : 0];
  out->compare = first ? a->pred : turned_comparison(a->pred);
  return true;
}

bool pith_i_path_of(const pith_i_graph *g, const pith_rule *r,
                    pith_i_path *out) {
  pith_term x, goal, at, compared = 0, seen[PITH_I_PATH_MOST + 1];
  *out = (pith_i_path){.confidence = r->probability};
  bool compares = find_comparison(r, &compared, out);
  uint32_t length = out->length = r->body_len - compares;
  if (length < 1 || length > PITH_I_PATH_MOST ||
      !find_head_way(g, &r->head, out, &x, &goal))
    return false;
  bool chain = out->constant == PITH_NONE;
  at = x;
  for (uint32_t i = 0; i < length; i++) {
    bool last = i + 1 == length;
    seen[i] = at;
    if (!find_way(g, &r->body[i], at, &out->step[i], &at) ||
        (!last && (!PITH_IS_VAR(at) || at == goal)))
      return false;
    for (uint32_t k = 0; k <= i; k++)
      if (seen[k] == at)
        return false;
  }
  out->end = PITH_NONE;
  if (chain)
    return at == goal && !compares;
  return compares ? at == compared && g->names != NULL
                  : PITH_IS_VAR(at) || pith_i_find_entity(g, at, &out->end);
}
