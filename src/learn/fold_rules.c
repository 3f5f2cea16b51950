#include "learn/fold_rules.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "learn/clauses/clause_search.h"
#include "learn/invented_names.h"
#include "learn/unite_predicates.h"
#include "term/equal.h"

enum {
  MOST_FOLDED = 64, /* rules of a folded program */
  MOST_PLACES = 8   /* of an invented predicate  */
};

typedef struct {
  const pith_i_task *task;
  pith_i_arena arena;
  pith_rule *rules[MOST_FOLDED];
  uint32_t n, invented;
} folder;

/* Two atoms of a body, and the variables that others need of them. */
typedef struct {
  uint32_t first, second;
  pith_term shared[MOST_PLACES];
  uint32_t n;    /* of those                    */
  uint32_t vars; /* of both atoms               */
  bool targets;  /* one of them is of the head's predicate */
} atom_pair;

/* ---- which two ----------------------------------------------------------- */

static bool is_needed(const pith_rule *r, const atom_pair *p, pith_term t) {
  bool needed = pith_i_atom_has(&r->head, t);
  for (uint32_t i = 0; i < r->body_len; i++)
    needed = needed || (i != p->first && i != p->second &&
                        pith_i_atom_has(&r->body[i], t));
  return needed;
}

static bool is_listed(const pith_term *list, uint32_t n, pith_term t) {
  for (uint32_t i = 0; i < n; i++)
    if (list[i] == t)
      return true;
  return false;
}

/* Fills in what the pair shares with the rest; false where it cannot be
** folded. */
static bool look_at_pair(const folder *f, const pith_rule *r, atom_pair *p) {
  pith_term seen[2 * MOST_PLACES];
  p->n = p->vars = 0;
  p->targets = false;
  for (int k = 0; k < 2; k++) {
    const pith_atom *a = &r->body[k == 0 ? p->first : p->second];
    if (a->negated || PITH_IS_BUILTIN(a->pred) || a->arity > MOST_PLACES)
      return false;
    p->targets = p->targets || a->pred == r->head.pred;
    for (uint32_t i = 0; i < a->arity; i++) {
      if (!PITH_IS_VAR(a->args[i]) || is_listed(seen, p->vars, a->args[i]))
        continue;
      seen[p->vars++] = a->args[i];
      if (is_needed(r, p, a->args[i])) {
        if (p->n == MOST_PLACES)
          return false;
        p->shared[p->n++] = a->args[i];
      }
    }
  }
  uint32_t most = f->task->bounds.max_vars;
  return p->n > 0 && p->n < p->vars && (most == 0 || p->vars <= most);
}

/* The pair that needs the fewest places, without recursion if possible. */
static bool choose_pair(const folder *f, const pith_rule *r, atom_pair *best) {
  bool found = false;
  for (uint32_t i = 0; i < r->body_len; i++)
    for (uint32_t k = i + 1; k < r->body_len; k++) {
      atom_pair p = {.first = i, .second = k};
      if (!look_at_pair(f, r, &p))
        continue;
      if (!found || p.targets < best->targets ||
          (p.targets == best->targets && p.n < best->n))
        *best = p;
      found = true;
    }
  return found;
}

/* ---- folding ------------------------------------------------------------- */

/* Both names, as father_mother. */
static pith_status name_folded(folder *f, const pith_rule *r,
                               const atom_pair *p, pith_pred *out) {
  enum { MOST = 200 };
  pith_i_names *names = &f->task->worlds[0].theory->names;
  char text[PITH_I_INVENTED_TEXT];
  size_t n = 0;
  for (int k = 0; k < 2; k++) {
    pith_pred pred = r->body[k == 0 ? p->first : p->second].pred;
    const char *name = pith_i_pred_text(names, pred);
    int stem = (int)pith_i_stem_of(f->task, pred);
    int most = pith_i_utf8_cut(name, MOST);
    n += (size_t)snprintf(text + n, sizeof text - n, "%s%.*s", k > 0 ? "_" : "",
                          stem < most ? stem : most, name);
  }
  return pith_i_pred_invent(names, text, p->n, out);
}

/* Variables in the order in which they come, from 0 on. */
static void renumber_terms(pith_term *args, uint32_t n, pith_term *known,
                           uint32_t *count) {
  for (uint32_t i = 0; i < n; i++) {
    uint32_t k = 0;
    if (!PITH_IS_VAR(args[i]))
      continue;
    while (k < *count && known[k] != args[i])
      k++;
    if (k == *count)
      known[(*count)++] = args[i];
    args[i] = PITH_VAR(k);
  }
}

static bool copy_atom(folder *f, const pith_atom *from, pith_atom *to) {
  pith_term *args =
      pith_i_arena_alloc(&f->arena, (from->arity + 1) * sizeof *args);
  if (args == NULL)
    return false;
  *to = *from;
  if (from->arity > 0)
    memcpy(args, from->args, from->arity * sizeof *args);
  to->args = args;
  return true;
}

/* What the invented predicate is: the pair's two atoms. */
static pith_status define_folded(folder *f, const pith_rule *r,
                                 const atom_pair *p, pith_pred pred,
                                 pith_rule **out) {
  pith_rule *rule = pith_i_arena_alloc(&f->arena, sizeof *rule);
  pith_atom *body = pith_i_arena_alloc(&f->arena, 2 * sizeof *body);
  pith_atom head = {.pred = pred, .arity = p->n, .args = p->shared};
  pith_term known[3 * MOST_PLACES];
  *out = rule;
  if (rule == NULL || body == NULL)
    return PITH_ENOMEM;
  *rule = (pith_rule){.body = body, .body_len = 2, .file = PITH_NONE};
  if (!copy_atom(f, &head, &rule->head) ||
      !copy_atom(f, &r->body[p->first], &body[0]) ||
      !copy_atom(f, &r->body[p->second], &body[1]))
    return PITH_ENOMEM;
  renumber_terms((pith_term *)rule->head.args, p->n, known, &rule->var_count);
  for (int k = 0; k < 2; k++)
    renumber_terms((pith_term *)body[k].args, body[k].arity, known,
                   &rule->var_count);
  return PITH_OK;
}

/* A definition that says the same, but for the name. */
static pith_pred find_definition(const folder *f, pith_rule *rule) {
  for (uint32_t i = 0; i < f->n; i++) {
    pith_rule like = *rule;
    like.head.pred = f->rules[i]->head.pred;
    if (f->rules[i]->head.arity == rule->head.arity &&
        pith_i_rule_same(&like, f->rules[i]))
      return f->rules[i]->head.pred;
  }
  return PITH_NONE;
}

static pith_status replace_pair(folder *f, pith_rule *r, const atom_pair *p,
                                pith_pred pred) {
  pith_atom folded = {.pred = pred, .arity = p->n, .args = p->shared};
  pith_atom *body = pith_i_arena_alloc(&f->arena, r->body_len * sizeof *body);
  uint32_t n = 0;
  if (body == NULL || !copy_atom(f, &folded, &body[n++]))
    return PITH_ENOMEM;
  for (uint32_t i = 0; i < r->body_len; i++)
    if (i != p->first && i != p->second)
      body[n++] = r->body[i];
  r->body = body;
  r->body_len = n;
  return PITH_OK;
}

static pith_status fold_pair(folder *f, pith_rule *r, const atom_pair *p) {
  pith_rule *definition;
  pith_pred pred = PITH_NONE;
  pith_status rc = define_folded(f, r, p, PITH_NONE, &definition);
  if (rc >= 0)
    pred = find_definition(f, definition);
  if (rc >= 0 && pred == PITH_NONE && f->n < MOST_FOLDED) {
    rc = name_folded(f, r, p, &pred);
    definition->head.pred = pred;
    f->rules[f->n++] = definition;
    f->invented++;
  }
  return rc < 0 ? rc : replace_pair(f, r, p, pred);
}

static uint32_t count_variables(const pith_rule *r) {
  pith_term seen[64];
  uint32_t n = 0;
  for (uint32_t i = 0; i <= r->body_len; i++) {
    const pith_atom *a = i == r->body_len ? &r->head : &r->body[i];
    for (uint32_t k = 0; k < a->arity && n < 64; k++)
      if (PITH_IS_VAR(a->args[k]) && !is_listed(seen, n, a->args[k]))
        seen[n++] = a->args[k];
  }
  return n;
}

/* *kept: the rule is within the bounds now. */
static pith_status fold_rule(folder *f, pith_rule *r, bool *kept) {
  const pith_i_bounds *b = &f->task->bounds;
  pith_status rc = PITH_OK;
  atom_pair p;
  while (rc >= 0 && (r->body_len > b->max_body ||
                     (b->max_vars > 0 && count_variables(r) > b->max_vars)))
    if (r->body_len < 2 || f->n + 1 >= MOST_FOLDED || !choose_pair(f, r, &p)) {
      *kept = false;
      return PITH_OK;
    } else {
      rc = fold_pair(f, r, &p);
    }
  return rc;
}

/* ---- all of it ----------------------------------------------------------- */

static pith_status fold_theory(folder *f, const pith_i_learned_theory *t,
                               bool *kept) {
  pith_status rc = PITH_OK;
  *kept = t->info.rules < MOST_FOLDED / 2;
  for (uint32_t i = 0; rc >= 0 && *kept && i < t->info.rules; i++) {
    pith_rule *r = pith_i_arena_alloc(&f->arena, sizeof *r);
    if (r == NULL)
      return PITH_ENOMEM;
    *r = *t->rules[i];
    rc = fold_rule(f, r, kept);
    f->rules[f->n++] = r;
  }
  *kept = *kept &&
          (f->task->bounds.max_rules == 0 || f->n <= f->task->bounds.max_rules);
  return rc;
}

static pith_status offer_folded(folder *f, const pith_i_learned_theory *t,
                                pith_i_best *best) {
  bool kept = false;
  pith_status rc = fold_theory(f, t, &kept);
  pith_i_offer o = {.rules = f->rules,
                    .info = {.stage = PITH_CLAUSES,
                             .rules = f->n,
                             .loss = NAN,
                             .error = NAN,
                             .space = t->info.space},
                    .bits = NAN};
  o.info.space.invented += f->invented;
  if (o.info.space.body > f->task->bounds.max_body)
    o.info.space.body = f->task->bounds.max_body;
  return rc >= 0 && kept ? pith_i_best_offer(best, &o, NULL) : rc;
}

pith_status pith_i_learn_folded(const pith_i_task *task, pith_i_run *run,
                                pith_i_best *best) {
  pith_i_task wide = *task;
  pith_i_best found;
  folder f = {.task = task, .arena = {.env = task->env}};
  assert(task->bounds.max_body > 1);
  wide.bounds.max_body = wide.bounds.max_vars = wide.bounds.max_rules = 0;
  pith_i_best_init(&found, &wide, 1);
  pith_status rc = pith_i_learn_briefly(&wide, run, &found, 0, false);
  if (rc >= 0)
    rc = pith_i_unite_predicates(&wide, &found);
  if (rc >= 0 && pith_i_best_is_solved(&found))
    rc = offer_folded(&f, &found.at.at[0], best);
  pith_i_best_free(&found);
  pith_i_arena_free(&f.arena);
  return rc;
}
