#include "task/best.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/tunables.h"
#include "score/length.h"
#include "task/call_order.h"
#include "task/vocabulary.h"
#include "term/equal.h"

typedef pith_i_learned_theory learned;

enum {
  MOST_RENUMBERED = 64 /* variables of a rule */
};

void pith_i_best_init(pith_i_best *b, const pith_i_task *task, uint32_t keep) {
  assert(keep > 0);
  *b = (pith_i_best){.env = task->env, .task = task, .keep = keep};
  b->arena.env = task->env;
}

void pith_i_best_free(pith_i_best *b) {
  pith_i_vec_free(b->env, &b->at);
  pith_i_arena_free(&b->arena);
}

/* ---- judging ----------------------------------------------------------- */

static uint64_t count_wrong(pith_i_errors e) { return (uint64_t)e.fp + e.fn; }

static uint64_t wrong_of(const learned *t) { return t->info.fp + t->info.fn; }

static uint32_t size_of(const learned *t) {
  uint32_t size = t->info.rules;
  for (uint32_t i = 0; i < t->info.rules; i++)
    size += t->rules[i]->body_len;
  return size;
}

static pith_status judge_rules(const pith_i_best *b, pith_rule *const *rules,
                               uint32_t n, pith_i_errors *errors) {
  return pith_i_judge(b->task->worlds, b->task->world_count, rules, n, errors);
}

/* Leaves out rules without which it fits as well. */
static pith_status drop_rules(const pith_i_best *b, learned *t,
                              pith_i_errors *errors) {
  assert(t->similarity != NULL);
  for (uint32_t i = t->info.rules; i-- > 0 && t->info.rules > 1;) {
    pith_i_errors without;
    uint32_t rest = t->info.rules - 1;
    pith_rule *left_out = t->rules[i];
    t->rules[i] = t->rules[rest];
    pith_status rc = judge_rules(b, t->rules, rest, &without);
    t->rules[i] = left_out;
    if (rc < 0)
      return rc;
    if (count_wrong(without) > count_wrong(*errors))
      continue;
    memmove(&t->rules[i], &t->rules[i + 1], (rest - i) * sizeof *t->rules);
    memmove(&t->similarity[i], &t->similarity[i + 1],
            (rest - i) * sizeof *t->similarity);
    t->info.rules = rest;
    *errors = without;
  }
  return PITH_OK;
}

static pith_status drop_atoms(const pith_i_best *b, learned *t) {
  return pith_i_judge_simplify(b->task->worlds, b->task->world_count, t->rules,
                               t->info.rules);
}

/* A rule that says more may make others needless, and so on. */
static pith_status simplify_theory(const pith_i_best *b, learned *t,
                                   bool trained, pith_i_errors *errors) {
  if (trained)
    return count_wrong(*errors) == 0 ? drop_atoms(b, t) : PITH_OK;
  uint32_t before = UINT32_MAX;
  pith_status rc = PITH_OK;
  while (rc >= 0 && size_of(t) < before) {
    before = size_of(t);
    rc = drop_rules(b, t, errors);
    if (rc >= 0 && count_wrong(*errors) == 0)
      rc = drop_atoms(b, t);
  }
  return rc;
}

/* ---- variables in the order in which they come -------------------------- */

static void renumber_atom(const pith_atom *a, uint32_t *map, uint32_t *n) {
  pith_term *args = (pith_term *)a->args;
  for (uint32_t i = 0; i < a->arity; i++) {
    if (!PITH_IS_VAR(args[i]))
      continue;
    uint32_t v = PITH_VAR_INDEX(args[i]), k = 0;
    while (k < *n && map[k] != v)
      k++;
    assert(k < MOST_RENUMBERED);
    if (k == *n)
      map[(*n)++] = v;
    args[i] = PITH_VAR(k);
  }
}

/* A \= B rather than B \= A, for it is the same. */
static void turn_inequality(const pith_atom *a) {
  pith_term *args = (pith_term *)a->args;
  if (a->pred != PITH_DIFFERENT || !PITH_IS_VAR(args[0]) ||
      !PITH_IS_VAR(args[1]) || args[0] < args[1])
    return;
  pith_term first = args[0];
  args[0] = args[1];
  args[1] = first;
}

void pith_i_renumber_variables(pith_rule *r) {
  uint32_t map[MOST_RENUMBERED], n = 0;
  if (r->var_count > MOST_RENUMBERED || r->var_names != NULL)
    return;
  renumber_atom(&r->head, map, &n);
  for (uint32_t i = 0; i < r->body_len; i++)
    renumber_atom(&r->body[i], map, &n);
  for (uint32_t i = 0; i < r->body_len; i++)
    turn_inequality(&r->body[i]);
  r->var_count = n;
}

/* ---- pricing ------------------------------------------------------------ */

uint32_t pith_i_count_constants(const pith_i_learned_theory *t) {
  uint32_t n = 0;
  for (uint32_t r = 0; r < t->info.rules; r++)
    for (uint32_t i = 0; i < t->rules[r]->body_len; i++)
      for (uint32_t k = 0; k < t->rules[r]->body[i].arity; k++)
        n += !PITH_IS_VAR(t->rules[r]->body[i].args[k]);
  return n;
}

/* A constant counts like half an atom, as it does in the search. */
static void price_theory(const pith_i_best *b, learned *t, double oddness) {
  double all = (double)b->task->examples;
  t->info.size = size_of(t);
  if (isnan(t->bits))
    t->bits = PITH_I_ATOM_BITS * t->info.size;
  double size = t->info.size + 0.5 * pith_i_count_constants(t) + oddness;
  t->oddness = oddness;
  t->cost = (double)wrong_of(t) + size * 1e-6;
  if (!b->weighs)
    return;
  t->info.rule_bits = t->info.rules == 0 ? 0 : t->bits;
  t->info.error_bits = pith_i_error_bits((double)wrong_of(t), all);
  t->info.label_bits = pith_i_label_bits(b->task);
  t->cost = t->bits + t->info.error_bits;
}

/* To say the rules and then which examples they get wrong. */
static double description_length(const pith_i_best *b, const learned *t) {
  return t->bits +
         pith_i_error_bits((double)wrong_of(t), (double)b->task->examples);
}

/* ---- the order ---------------------------------------------------------- */

bool pith_i_names_constants(const pith_i_learned_theory *t) {
  return pith_i_count_constants(t) > 0;
}

static bool is_better(const pith_i_best *b, const learned *x,
                      const learned *y) {
  bool both_fit = x->info.solved && y->info.solved;
  if (both_fit && b->constants_last) {
    bool p = pith_i_names_constants(x), q = pith_i_names_constants(y);
    if (p != q)
      return q;
  } else if (both_fit && x->beside != y->beside) {
    return y->beside;
  }
  return x->cost != y->cost ? x->cost < y->cost : x->info.size < y->info.size;
}

static bool is_there(const pith_i_best *b, const learned *t) {
  for (size_t i = 0; i < b->at.n; i++)
    if (pith_i_rules_same(b->at.at[i].rules, b->at.at[i].info.rules, t->rules,
                          t->info.rules))
      return true;
  return false;
}

/* before_equals: a search that goes on offers what it prefers to what it
** offered before. */
static pith_status insert_theory(pith_i_best *b, const learned *t,
                                 bool before_equals) {
  assert(!b->by_restart);
  assert(b->at.n <= b->keep);
  size_t at = b->at.n;
  if (is_there(b, t))
    return PITH_OK;
  while (at > 0 && (before_equals ? !is_better(b, &b->at.at[at - 1], t)
                                  : is_better(b, t, &b->at.at[at - 1])))
    at--;
  if (at >= b->keep)
    return PITH_OK;
  if (!pith_i_room(b->env, &b->at, 1))
    return PITH_ENOMEM;
  memmove(&b->at.at[at + 1], &b->at.at[at], (b->at.n - at) * sizeof *b->at.at);
  b->at.at[at] = *t;
  b->at.n += b->at.n < b->keep;
  return PITH_OK;
}

/* Each restart has the first theory of its own that fits, or its first. */
static pith_status put_restart(pith_i_best *b, const learned *t) {
  uint32_t i = t->info.restart;
  assert(i < b->keep);
  if (!pith_i_room(b->env, &b->at, b->keep))
    return PITH_ENOMEM;
  for (; b->at.n <= i; b->at.n++)
    b->at.at[b->at.n] = (learned){.rules = NULL};
  learned *at = &b->at.at[i];
  if (at->rules == NULL || (t->info.solved && !at->info.solved))
    *at = *t;
  return PITH_OK;
}

/* ---- offers ------------------------------------------------------------- */

static pith_status copy_offer(pith_i_best *b, const pith_i_offer *offer,
                              learned *t) {
  assert(offer->rules != NULL || offer->info.rules == 0);
  uint32_t n = offer->info.rules;
  t->rules = pith_i_arena_alloc(&b->arena, (n + 1) * sizeof *t->rules);
  t->similarity =
      pith_i_arena_alloc(&b->arena, (n + 1) * sizeof *t->similarity);
  t->merged = pith_i_arena_alloc(&b->arena, (offer->info.merged + (size_t)1) *
                                                sizeof *t->merged);
  if (t->rules == NULL || t->similarity == NULL || t->merged == NULL)
    return PITH_ENOMEM;
  for (uint32_t i = 0; i < offer->info.merged; i++)
    t->merged[i] = offer->merged[i];
  for (uint32_t i = 0; i < n; i++) {
    t->similarity[i] = offer->similarity == NULL ? NAN : offer->similarity[i];
    if ((t->rules[i] = pith_i_rule_copy(&b->arena, offer->rules[i])) == NULL)
      return PITH_ENOMEM;
  }
  return PITH_OK;
}

static pith_status judge_theory(const pith_i_best *b, learned *t,
                                bool trained) {
  pith_i_errors errors;
  pith_status rc = judge_rules(b, t->rules, t->info.rules, &errors);
  if (rc >= 0 &&
      (trained || b->task->examples <= PITH_TUNE_BEST_SIMPLIFIED_EXAMPLES))
    rc = simplify_theory(b, t, trained, &errors);
  if (rc < 0)
    return rc;
  t->info.fp = errors.fp;
  t->info.fn = errors.fn;
  t->info.solved = count_wrong(errors) == 0;
  for (uint32_t i = 0; !trained && i < t->info.rules; i++) {
    pith_i_order_calls(b->task->worlds[0].theory, t->rules[i]);
    pith_i_renumber_variables(t->rules[i]);
  }
  return PITH_OK;
}

static bool is_allowed_by_bias(const pith_i_best *b,
                               const pith_i_offer *offer) {
  const pith_i_theory *theory = b->task->worlds[0].theory;
  for (uint32_t i = 0; i < offer->info.rules; i++)
    if (!pith_i_keeps_single_types(theory, offer->rules[i]) ||
        !pith_i_can_be_called(theory, offer->rules[i]))
      return false;
  return true;
}

pith_status pith_i_best_offer(pith_i_best *b, const pith_i_offer *offer,
                              bool *solved) {
  if (!is_allowed_by_bias(b, offer)) {
    if (solved != NULL)
      *solved = false;
    return PITH_OK;
  }
  learned t = {
      .info = offer->info, .bits = offer->bits, .beside = offer->beside};
  pith_status rc = copy_offer(b, offer, &t);
  if (rc >= 0)
    rc = judge_theory(b, &t, offer->trained);
  if (rc < 0)
    return rc;
  price_theory(b, &t, offer->oddness);
  if (solved != NULL)
    *solved = t.info.solved;
  if (b->by_restart)
    return put_restart(b, &t);
  return insert_theory(b, &t, !offer->trained && !offer->beside);
}

bool pith_i_best_is_solved(const pith_i_best *b) {
  return b->at.n > 0 && b->at.at[0].info.solved;
}

double pith_i_best_listing_bits(const pith_i_best *b) {
  return b->at.n == 0
             ? INFINITY
             : pith_i_choices_bits(b->at.at[0].rules, b->at.at[0].info.rules);
}

void pith_i_best_trim(pith_i_best *b) {
  if (!pith_i_best_is_solved(b))
    return;
  size_t n = 1;
  while (n < b->at.n && b->at.at[n].info.solved)
    n++;
  b->at.n = n;
}

uint64_t pith_i_best_wrong(const pith_i_best *b) {
  return b->at.n > 0 ? wrong_of(&b->at.at[0]) : b->task->positives;
}

/* ---- from list to list -------------------------------------------------- */

/* The rules stay where they are: from's arena goes with them. */
static pith_status move_theories(pith_i_best *b, pith_i_best *from) {
  assert(b != from && b->env == from->env);
  b->full = b->full || from->full;
  b->settled = b->settled || from->settled;
  b->restarts_done += from->restarts_done;
  b->epochs_done += from->epochs_done;
  pith_i_arena_absorb(&b->arena, &from->arena);
  return PITH_OK;
}

pith_status pith_i_best_take(pith_i_best *b, pith_i_best *from) {
  pith_i_vec_free(b->env, &b->at);
  memcpy(&b->at, &from->at, sizeof b->at);
  memset(&from->at, 0, sizeof from->at);
  return move_theories(b, from);
}

pith_status pith_i_best_join(pith_i_best *b, pith_i_best *from) {
  assert(!b->by_restart && !from->by_restart);
  pith_i_best all;
  pith_status rc = PITH_OK;
  pith_i_best_init(&all, b->task, b->keep);
  all.constants_last = true;
  for (size_t i = 0; rc >= 0 && i < from->at.n + b->at.n; i++) {
    const learned *t =
        i < from->at.n ? &from->at.at[i] : &b->at.at[i - from->at.n];
    if (t->info.solved)
      rc = insert_theory(&all, t, false);
  }
  move_theories(b, from);
  if (rc >= 0 && all.at.n > 0)
    return pith_i_best_take(b, &all);
  if (rc >= 0 && b->at.n == 0)
    rc = pith_i_best_take(b, from);
  pith_i_best_free(&all);
  return rc;
}

pith_status pith_i_best_take_shorter(pith_i_best *b, pith_i_best *from) {
  if (b->at.n == 0 ||
      (from->at.n > 0 && description_length(b, &b->at.at[0]) >=
                             description_length(b, &from->at.at[0])))
    return pith_i_best_take(b, from);
  return move_theories(b, from);
}
