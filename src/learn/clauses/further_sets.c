#include "learn/clauses/further_sets.h"

#include <string.h>

static bool same_clause(const pith_i_clause *a, const pith_i_clause *b) {
  return a->part_count == b->part_count &&
         memcmp(a->part, b->part, a->part_count * sizeof *a->part) == 0;
}

/* Removes the clause; the order of the others stays. */
static void remove_clause(pith_i_bodies *b, const pith_i_clause *c) {
  bool plain = c->targets == 0;
  pith_i_clause *at = plain ? b->plain.at : b->recursive.at;
  size_t n = plain ? b->plain.n : b->recursive.n, kept = 0;
  for (size_t i = 0; i < n; i++)
    if (!same_clause(&at[i], c))
      at[kept++] = at[i];
  if (plain)
    b->plain.n = kept;
  else
    b->recursive.n = kept;
}

typedef struct {
  pith_i_clause *plain, *recursive;
  size_t plain_n, recursive_n;
} saved;

static bool save_clauses(pith_i_env *env, const pith_i_bodies *b, saved *s) {
  s->plain_n = b->plain.n;
  s->recursive_n = b->recursive.n;
  s->plain = pith_i_alloc(env, (s->plain_n + 1) * sizeof *s->plain);
  s->recursive = pith_i_alloc(env, (s->recursive_n + 1) * sizeof *s->recursive);
  if (s->plain == NULL || s->recursive == NULL)
    return false;
  if (s->plain_n > 0)
    memcpy(s->plain, b->plain.at, s->plain_n * sizeof *s->plain);
  if (s->recursive_n > 0)
    memcpy(s->recursive, b->recursive.at,
           s->recursive_n * sizeof *s->recursive);
  return true;
}

static void restore_clauses(pith_i_bodies *b, const saved *s) {
  b->plain.n = s->plain_n;
  b->recursive.n = s->recursive_n;
  if (s->plain_n > 0)
    memcpy(b->plain.at, s->plain, s->plain_n * sizeof *s->plain);
  if (s->recursive_n > 0)
    memcpy(b->recursive.at, s->recursive,
           s->recursive_n * sizeof *s->recursive);
}

/* ---- parts that do the same ------------------------------------------ */

static bool may_replace(const pith_i_growth *g, const pith_i_piece *p,
                        const pith_i_piece *q) {
  size_t bytes = g->m->words * sizeof *p->cover;
  return p != q && q->n == p->n && q->pos == p->pos && q->neg == p->neg &&
         q->targets == p->targets && q->bound == p->bound &&
         memcmp(q->cover, p->cover, bytes) == 0;
}

/* The set with another part in one place after the other. */
static pith_status exchange_parts(pith_i_exact *x, uint32_t most,
                                  pith_i_visit visit, void *ctx) {
  const pith_i_growth *g = &x->growth;
  pith_status rc = PITH_OK;
  for (uint32_t i = 0; i < x->set.n; i++)
    for (uint32_t k = 0; k < x->set.clause[i]->part_count; k++)
      for (uint32_t q = 0; rc >= 0 && most > 0 && q < g->parts.n; q++) {
        pith_i_clause c = *x->set.clause[i];
        pith_i_set set = x->set;
        if (!may_replace(g, &g->parts.at[c.part[k]], &g->parts.at[q]))
          continue;
        c.vars += g->parts.at[q].vars - g->parts.at[c.part[k]].vars;
        c.part[k] = q;
        set.clause[i] = &c;
        rc = visit(ctx, &set);
        most--;
      }
  return rc;
}

/* ---- clauses that are not to be had ---------------------------------- */

/* First without each clause of the best in turn; then without all clauses of
** the best, and of what that gives, and so on. */
static pith_status do_without(pith_i_exact *x,
                              const pith_i_exact_limits *limits, uint32_t most,
                              const saved *all, pith_i_visit visit, void *ctx) {
  pith_i_bodies *b = &x->bodies;
  pith_i_clause gone[PITH_I_CHOSEN];
  pith_i_set set = x->set;
  pith_status rc = PITH_OK;
  for (uint32_t i = 0; rc >= 0 && i < most && set.n > 0; i++) {
    bool single = i < x->set.n;
    if (single || i == x->set.n) {
      restore_clauses(b, all);
      set = x->set;
    }
    uint32_t n = single ? 1 : set.n;
    for (uint32_t k = 0; k < n; k++) /* banning moves what is not our own */
      gone[k] = *set.clause[single ? i : k];
    for (uint32_t k = 0; k < n; k++)
      remove_clause(b, &gone[k]);
    b->work = b->g->m->work + limits->work / 4;
    rc = pith_i_choose_clauses(b, limits->max_rules, UINT64_MAX, &set);
    if (rc >= 0 && set.n > 0)
      rc = visit(ctx, &set);
    if (pith_i_stop_requested(limits->run))
      return rc;
    if (single)
      set = x->set;
  }
  return rc;
}

pith_status pith_i_exact_others(pith_i_exact *x,
                                const pith_i_exact_limits *limits,
                                uint32_t most, pith_i_visit visit, void *ctx) {
  pith_i_env *env = x->bodies.arena.env;
  saved all = {0};
  pith_status rc = exchange_parts(x, most, visit, ctx);
  if (rc >= 0)
    rc = save_clauses(env, &x->bodies, &all) ? PITH_OK : PITH_ENOMEM;
  if (rc >= 0)
    rc = do_without(x, limits, most, &all, visit, ctx);
  if (all.plain != NULL && all.recursive != NULL)
    restore_clauses(&x->bodies, &all);
  pith_i_release(env, all.plain);
  pith_i_release(env, all.recursive);
  return rc;
}

/* ---- predicates that do the same ------------------------------------- */

static bool is_given(const pith_i_kind_of_atom *c) {
  return c->kind == PITH_I_GIVEN_ATOM && c->helper == PITH_I_NO_HELPER &&
         c->arity == c->full;
}

static bool has_choice(const pith_i_space *s, pith_pred pred) {
  for (size_t i = 0; i < s->choices.n; i++)
    if (is_given(&s->choices.at[i]) && s->choices.at[i].pred == pred)
      return true;
  return false;
}

pith_status pith_i_rules_exchange(
    const pith_i_space *s, const pith_i_rules *rules, uint32_t most,
    pith_status (*visit)(void *ctx, const pith_i_rules *r), void *ctx) {
  pith_status rc = PITH_OK;
  for (uint32_t r = 0; r < rules->n; r++)
    for (uint32_t i = 0; i < rules->rules[r]->body_len; i++) {
      pith_atom *a = (pith_atom *)&rules->rules[r]->body[i];
      pith_pred was = a->pred;
      if (!has_choice(s, was))
        continue;
      for (size_t c = 0; rc >= 0 && most > 0 && c < s->choices.n; c++) {
        const pith_i_kind_of_atom *k = &s->choices.at[c];
        if (!is_given(k) || k->full != a->arity || k->pred == was)
          continue;
        a->pred = k->pred;
        rc = visit(ctx, rules);
        a->pred = was;
        most--;
      }
    }
  return rc;
}
