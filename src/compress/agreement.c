#include "compress/agreement.h"

#include <assert.h>
#include <string.h>

enum { MAX_BODY = 3, MAX_VARS = 8 };

typedef struct {
  pith_i_soft *s;
  pith_i_priced_theory *f;
  pith_i_spelled t; /* the restart's */
  pith_pred *meant; /* (predicates) the chosen theory's for the restart's */
  size_t preds;
} agreement;

/* ---- concepts --------------------------------------------------------- */

typedef struct {
  const pith_i_store *other;
  pith_pred pred;
} comparison;

static int other_lacks(void *ctx, pith_pred pred, const pith_sym *args,
                       size_t n) {
  const comparison *c = ctx;
  (void)pred;
  (void)n;
  return !pith_i_fact_given(c->other, c->pred, args);
}

static uint64_t count_given(const pith_i_store *s, pith_pred p) {
  return p < s->relations.n ? pith_i_fact_count(s, p, PITH_GIVEN) : 0;
}

/* Whether the core says the same of both. */
static bool is_same(const agreement *a, pith_pred mine, pith_pred theirs) {
  assert(mine < a->preds && theirs < a->preds);
  const pith_i_names *names = &a->s->theory->names;
  comparison c = {&a->f->core, theirs};
  return pith_i_pred(names, mine)->arity == pith_i_pred(names, theirs)->arity &&
         count_given(&a->t.core, mine) == count_given(&a->f->core, theirs) &&
         count_given(&a->t.core, mine) > 0 &&
         pith_i_fact_each(&a->t.core, mine, PITH_GIVEN, other_lacks, &c) == 0;
}

/* Observed predicates mean themselves. */
static void find_meanings(agreement *a) {
  for (pith_pred p = 0; p < a->preds; p++)
    a->meant[p] = p;
  for (size_t i = 0; i < a->s->net->preds.n; i++) {
    const pith_i_net_pred *q = &a->s->net->preds.at[i];
    if (!q->derived || q->fact_count > 0)
      continue;
    a->meant[q->pred] = PITH_NONE;
    for (size_t k = 0; k < a->f->invented.n; k++)
      if (is_same(a, q->pred, a->f->invented.at[k].pred))
        a->meant[q->pred] = a->f->invented.at[k].pred;
  }
}

/* ---- rules ------------------------------------------------------------ */

/* Variables of the restart's rule to those of the chosen one's. */
typedef struct {
  pith_term to[MAX_VARS];
} renaming;

static bool atoms_match(const agreement *a, const pith_atom *x,
                        const pith_atom *y, renaming *r) {
  if (a->meant[x->pred] != y->pred || x->arity != y->arity)
    return false;
  for (uint32_t i = 0; i < x->arity; i++) {
    pith_term *to = &r->to[PITH_VAR_INDEX(x->args[i])];
    if (*to == PITH_NONE)
      *to = y->args[i];
    if (*to != y->args[i] || !PITH_IS_VAR(*to))
      return false;
  }
  return true;
}

/* Body atoms from the i-th on, each with one that is not used. */
static bool bodies_match(const agreement *a, const pith_rule *x,
                         const pith_rule *y, uint32_t i, uint32_t used,
                         renaming r) {
  if (i == x->body_len)
    return true;
  for (uint32_t k = 0; k < y->body_len; k++) {
    renaming next = r;
    if ((used >> k & 1) == 0 &&
        atoms_match(a, &x->body[i], &y->body[k], &next) &&
        bodies_match(a, x, y, i + 1, used | 1u << k, next))
      return true;
  }
  return false;
}

static bool rules_match(const agreement *a, const pith_rule *x,
                        const pith_rule *y) {
  renaming r;
  memset(&r, 0xff, sizeof r); /* PITH_NONE */
  return x->body_len == y->body_len && x->var_count == y->var_count &&
         x->body_len <= MAX_BODY && x->var_count <= MAX_VARS &&
         atoms_match(a, &x->head, &y->head, &r) &&
         bodies_match(a, x, y, 0, 0, r);
}

/* ---- shares ----------------------------------------------------------- */

static void count_rule_agreement(agreement *a, double share) {
  for (size_t i = 0; i < a->f->rules.n; i++)
    for (size_t k = 0; k < a->t.rule_count; k++)
      if (rules_match(a, a->t.rules[k], a->f->rules.at[i])) {
        a->f->rule_share[i] += share;
        break;
      }
}

typedef struct {
  agreement *a;
  double share;
  size_t next;
} counting;

/* The restart's predicate for one of the chosen theory's. */
static pith_pred mine_for(const agreement *a, pith_pred theirs) {
  assert(theirs != PITH_NONE);
  for (pith_pred p = 0; p < a->preds; p++)
    if (a->meant[p] == theirs)
      return p;
  return PITH_NONE;
}

static int count_fact(void *ctx, pith_pred pred, const pith_sym *args,
                      size_t n) {
  assert(((counting *)ctx)->next < ((counting *)ctx)->a->f->values.n);
  counting *c = ctx;
  pith_pred mine = mine_for(c->a, pred);
  (void)n;
  if (mine != PITH_NONE && mine < c->a->t.core.relations.n &&
      count_given(&c->a->t.core, mine) > 0 &&
      pith_i_fact_given(&c->a->t.core, mine, args))
    c->a->f->core_share[c->next] += c->share;
  c->next++;
  return 0;
}

static pith_status make_shares(agreement *a) {
  size_t rules = a->f->rules.n + 1, facts = a->f->values.n + 1;
  a->preds = a->s->theory->names.preds.n;
  a->meant = pith_i_arena_alloc(&a->s->arena, a->preds * sizeof *a->meant);
  a->f->rule_share =
      pith_i_arena_alloc(&a->f->arena, rules * sizeof *a->f->rule_share);
  a->f->core_share =
      pith_i_arena_alloc(&a->f->arena, facts * sizeof *a->f->core_share);
  if (a->meant == NULL || a->f->rule_share == NULL || a->f->core_share == NULL)
    return PITH_ENOMEM;
  for (size_t i = 0; i < rules; i++)
    a->f->rule_share[i] = 0;
  for (size_t i = 0; i < facts; i++)
    a->f->core_share[i] = 0;
  return PITH_OK;
}

pith_status pith_i_count_agreement(pith_i_soft *s, pith_i_priced_theory *f) {
  agreement a = {.s = s, .f = f};
  pith_status rc = make_shares(&a);
  double share = 1.0 / (double)(s->found.n > 0 ? s->found.n : 1);
  for (size_t i = 0; rc >= 0 && i < s->found.n; i++) {
    rc = pith_i_soft_spell(s, &s->found.at[i], &a.t);
    if (rc >= 0) {
      counting c = {&a, share, 0};
      find_meanings(&a);
      count_rule_agreement(&a, share);
      pith_i_fact_each(&f->core, PITH_NONE, PITH_GIVEN, count_fact, &c);
    }
    pith_i_spelled_free(&a.t);
  }
  return rc;
}
