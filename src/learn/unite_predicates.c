#include "learn/unite_predicates.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "term/equal.h"

enum {
  MOST_UNITED = 64, /* rules of a theory */
  MOST_WORDS = 64,  /* predicates of their bodies */
  DEFINITION = 4    /* atoms: h(A,B) :- p(A,B). h(A,B) :- q(A,B). */
};

typedef struct {
  pith_rule *rules[MOST_UNITED];
  uint32_t n;
} united;

/* ---- which two ----------------------------------------------------------- */

static size_t count_atoms(const united *u) {
  size_t n = 0;
  for (uint32_t i = 0; i < u->n; i++)
    n += 1 + u->rules[i]->body_len;
  return n;
}

/* Whether no body denies it, and no rule is for it. */
static bool may_be_united(const united *u, pith_pred pred) {
  for (uint32_t i = 0; i < u->n; i++) {
    if (u->rules[i]->head.pred == pred)
      return false;
    for (uint32_t k = 0; k < u->rules[i]->body_len; k++)
      if (u->rules[i]->body[k].pred == pred && u->rules[i]->body[k].negated)
        return false;
  }
  return !pith_i_is_builtin(pred);
}

typedef struct {
  pith_pred at[MOST_WORDS];
  uint32_t n;
} words;

static void add_word(words *w, pith_pred pred) {
  for (uint32_t i = 0; i < w->n; i++)
    if (w->at[i] == pred)
      return;
  if (w->n < MOST_WORDS)
    w->at[w->n++] = pred;
}

/* The predicates of bodies that may be united with others. */
static words words_of(const united *u) {
  words w = {.n = 0};
  for (uint32_t i = 0; i < u->n; i++)
    for (uint32_t k = 0; k < u->rules[i]->body_len; k++)
      if (may_be_united(u, u->rules[i]->body[k].pred))
        add_word(&w, u->rules[i]->body[k].pred);
  return w;
}

/* Whether the rule says no more than that what has the one has the other. */
static bool is_definition(const pith_rule *r, pith_pred head, pith_pred body) {
  return r->head.pred == head && r->body_len == 1 && r->body[0].pred == body &&
         pith_i_args_equal(&r->head, &r->body[0]);
}

/* The predicate that is either of the two already, or PITH_NONE. */
static pith_pred find_either(const united *u, const pith_pred *two) {
  for (uint32_t i = 0; i < u->n; i++) {
    pith_pred head = u->rules[i]->head.pred;
    uint32_t all = 0, defining = 0;
    for (uint32_t k = 0; k < u->n; k++) {
      all += u->rules[k]->head.pred == head;
      defining += is_definition(u->rules[k], head, two[0]) ||
                  is_definition(u->rules[k], head, two[1]);
    }
    if (all == 2 && defining == 2)
      return head;
  }
  return PITH_NONE;
}

/* The rule with `to` wherever one of the two predicates was. */
static pith_rule *copy_with(pith_i_arena *arena, const pith_rule *r,
                            const pith_pred *from, pith_pred to) {
  pith_rule *copy = pith_i_arena_alloc(arena, sizeof *copy);
  pith_atom *body = pith_i_arena_alloc(arena, (r->body_len + 1) * sizeof *body);
  if (copy == NULL || body == NULL)
    return NULL;
  memcpy(body, r->body, r->body_len * sizeof *body);
  for (uint32_t i = 0; i < r->body_len && r->head.pred != to; i++)
    if (body[i].pred == from[0] || body[i].pred == from[1])
      body[i].pred = to;
  *copy = *r;
  copy->body = body;
  return copy;
}

static bool is_there(const united *u, const pith_rule *r) {
  for (uint32_t i = 0; i < u->n; i++)
    if (pith_i_rule_same(u->rules[i], r))
      return true;
  return false;
}

static pith_status replace_two(pith_i_arena *arena, const united *u,
                               const pith_pred *from, pith_pred to,
                               united *out) {
  out->n = 0;
  for (uint32_t i = 0; i < u->n; i++) {
    pith_rule *r = copy_with(arena, u->rules[i], from, to);
    if (r == NULL)
      return PITH_ENOMEM;
    if (!is_there(out, r))
      out->rules[out->n++] = r;
  }
  return PITH_OK;
}

/* The two that leave the fewest atoms, with the definition; two[0] is
** PITH_NONE where none does. */
static pith_status choose_two(const pith_i_task *task, pith_i_arena *arena,
                              const united *u, pith_pred *two) {
  const pith_i_names *names = &task->worlds[0].theory->names;
  const words w = words_of(u);
  size_t least = count_atoms(u);
  pith_status rc = PITH_OK;
  two[0] = PITH_NONE;
  for (uint32_t i = 0; i < w.n; i++)
    for (uint32_t k = i + 1; rc >= 0 && k < w.n; k++) {
      pith_pred both[2] = {w.at[i], w.at[k]};
      pith_pred either = find_either(u, both);
      size_t more = either == PITH_NONE ? DEFINITION : 0;
      united out;
      if (pith_i_pred(names, both[0])->arity !=
          pith_i_pred(names, both[1])->arity)
        continue;
      rc = replace_two(arena, u, both, more > 0 ? both[0] : either, &out);
      if (rc < 0 || count_atoms(&out) + more >= least)
        continue;
      least = count_atoms(&out) + more;
      memcpy(two, both, sizeof both);
    }
  return rc;
}

/* ---- the new theory ------------------------------------------------------ */

/* father_or_mother. */
static pith_status name_united(const pith_i_task *task, const pith_pred *two,
                               pith_pred *out) {
  pith_i_names *names = &task->worlds[0].theory->names;
  char text[PITH_I_INVENTED_TEXT];
  const char *a = pith_i_pred_text(names, two[0]);
  const char *b = pith_i_pred_text(names, two[1]);
  snprintf(text, sizeof text, "%.*s_or_%.*s", pith_i_utf8_cut(a, 200), a,
           pith_i_utf8_cut(b, 200), b);
  return pith_i_pred_invent(names, text, pith_i_pred(names, two[0])->arity,
                            out);
}

/* head(A,B) :- body(A,B). */
static pith_rule *define_united(pith_i_arena *arena, pith_pred head,
                                pith_pred body, uint32_t arity) {
  pith_rule *r = pith_i_arena_alloc(arena, sizeof *r);
  pith_atom *atom = pith_i_arena_alloc(arena, sizeof *atom);
  pith_term *args = pith_i_arena_alloc(arena, (arity + 1) * sizeof *args);
  if (r == NULL || atom == NULL || args == NULL)
    return NULL;
  for (uint32_t i = 0; i < arity; i++)
    args[i] = PITH_VAR(i);
  *atom = (pith_atom){.pred = body, .arity = (uint16_t)arity, .args = args};
  *r = (pith_rule){.head = *atom, .body = atom, .body_len = 1};
  r->head.pred = head;
  r->var_count = arity;
  r->file = PITH_NONE;
  return r;
}

static pith_status define_either(const pith_i_task *task, pith_i_arena *arena,
                                 const pith_pred *two, united *u,
                                 pith_pred *either) {
  const pith_i_names *names = &task->worlds[0].theory->names;
  uint32_t arity = pith_i_pred(names, two[0])->arity;
  pith_status rc = name_united(task, two, either);
  for (int i = 0; rc >= 0 && i < 2; i++) {
    assert(u->n < MOST_UNITED);
    u->rules[u->n] = define_united(arena, *either, two[i], arity);
    rc = u->rules[u->n++] == NULL ? PITH_ENOMEM : PITH_OK;
  }
  return rc;
}

static pith_status unite_two(const pith_i_task *task, pith_i_arena *arena,
                             const pith_pred *two, united *u,
                             uint32_t *invented) {
  pith_pred either = find_either(u, two);
  united out;
  pith_status rc = PITH_OK;
  if (either == PITH_NONE) {
    rc = define_either(task, arena, two, u, &either);
    ++*invented;
  }
  if (rc >= 0)
    rc = replace_two(arena, u, two, either, &out);
  if (rc >= 0)
    *u = out;
  return rc;
}

static pith_status offer_united(const united *u, uint32_t invented,
                                const pith_i_learned_theory *t,
                                pith_i_best *best) {
  pith_i_offer o = {.rules = u->rules, .info = t->info, .bits = NAN};
  o.info.rules = u->n;
  o.info.space.invented += invented;
  return pith_i_best_offer(best, &o, NULL);
}

pith_status pith_i_unite_predicates(const pith_i_task *task,
                                    pith_i_best *best) {
  const pith_i_bounds *b = &task->bounds;
  pith_i_arena arena = {.env = task->env};
  pith_pred two[2] = {0, 0};
  united u = {.n = 0};
  uint32_t invented = 0;
  bool changed = false;
  pith_status rc = PITH_OK;
  if (!pith_i_best_is_solved(best) || !b->invention ||
      best->at.at[0].info.rules >= MOST_UNITED / 2)
    return PITH_OK;
  const pith_i_learned_theory *t = &best->at.at[0];
  for (; u.n < t->info.rules; u.n++)
    u.rules[u.n] = t->rules[u.n];
  while (rc >= 0 && two[0] != PITH_NONE && invented < b->max_invented &&
         u.n + 2 <= MOST_UNITED) {
    rc = choose_two(task, &arena, &u, two);
    if (rc >= 0 && two[0] != PITH_NONE) {
      rc = unite_two(task, &arena, two, &u, &invented);
      changed = true;
    }
  }
  if (rc >= 0 && changed)
    rc = offer_united(&u, invented, t, best);
  pith_i_arena_free(&arena);
  return rc;
}
