#include "term/equal.h"

#include <assert.h>
#include <string.h>

bool pith_i_args_equal(const pith_atom *a, const pith_atom *b) {
  return a->arity == b->arity &&
         (a->arity == 0 ||
          memcmp(a->args, b->args, a->arity * sizeof *a->args) == 0);
}

bool pith_i_atom_equal(const pith_atom *a, const pith_atom *b) {
  return a->pred == b->pred && a->negated == b->negated &&
         pith_i_args_equal(a, b);
}

/* ---- rules that say the same ----------------------------------------- */

enum { MOST_ATOMS = 32, MOST_VARS = 64 };

typedef struct {
  const pith_rule *a, *b;
  uint32_t used;                /* atoms of b's body, as bits         */
  uint8_t there[MOST_VARS + 1]; /* b's variable for each of a, from 1 */
  uint8_t back[MOST_VARS + 1];  /* and the other way; 0: none yet     */
} match;

static bool match_term(match *m, pith_term x, pith_term y) {
  if (!PITH_IS_VAR(x) || !PITH_IS_VAR(y))
    return x == y;
  uint32_t i = PITH_VAR_INDEX(x), k = PITH_VAR_INDEX(y);
  assert(i < m->a->var_count && k < m->b->var_count);
  if (m->there[i] == 0 && m->back[k] == 0) {
    m->there[i] = (uint8_t)(k + 1);
    m->back[k] = (uint8_t)(i + 1);
  }
  return m->there[i] == k + 1 && m->back[k] == i + 1;
}

static bool match_atom(match *m, const pith_atom *x, const pith_atom *y) {
  if (x->pred != y->pred || x->arity != y->arity || x->negated != y->negated)
    return false;
  for (uint32_t i = 0; i < x->arity; i++)
    if (!match_term(m, x->args[i], y->args[i]))
      return false;
  return true;
}

/* Matches the atoms of a's body from `at` on, each with one of b's body that
** is not used yet. */
static bool match_bodies(match *m, uint32_t at) {
  assert(at <= m->a->body_len && m->a->body_len == m->b->body_len);
  if (at == m->a->body_len)
    return true;
  for (uint32_t i = 0; i < m->b->body_len; i++) {
    match before = *m;
    bool left = (m->used >> i & 1) == 0;
    m->used |= UINT32_C(1) << i;
    if (left && match_atom(m, &m->a->body[at], &m->b->body[i]) &&
        match_bodies(m, at + 1))
      return true;
    *m = before;
  }
  return false;
}

bool pith_i_rule_same(const pith_rule *a, const pith_rule *b) {
  match m = {.a = a, .b = b};
  return a->body_len == b->body_len && a->body_len <= MOST_ATOMS &&
         a->var_count <= MOST_VARS && b->var_count <= MOST_VARS &&
         match_atom(&m, &a->head, &b->head) && match_bodies(&m, 0);
}

bool pith_i_rules_same(pith_rule *const *a, size_t n, pith_rule *const *b,
                       size_t m) {
  if (n != m)
    return false;
  for (size_t i = 0; i < n; i++) {
    size_t here = 0, there = 0;
    for (size_t k = 0; k < n; k++) {
      here += pith_i_rule_same(a[i], a[k]);
      there += pith_i_rule_same(a[i], b[k]);
    }
    if (here != there)
      return false;
  }
  return true;
}
