#include "learn/weakest.h"

#include <assert.h>
#include <math.h>

#include "base/tunables.h"
#include "score/length.h"

/* The theory without something: its rules, one of which is changed. */
typedef struct {
  const pith_i_task *task;
  pith_i_run *run;
  pith_i_best *best; /* the theory is its first */
  pith_i_arena arena;
  pith_rule **rules; /* (n) */
  uint32_t n;
  uint64_t wrong;  /* examples that do not fit */
  uint32_t spared; /* rules and atoms          */
} shorter;

static pith_status judge_shorter(const shorter *s, uint64_t *wrong) {
  pith_i_errors errors;
  pith_status rc = pith_i_judge(s->task->worlds, s->task->world_count, s->rules,
                                s->n, &errors);
  *wrong = (uint64_t)errors.fp + errors.fn;
  return rc;
}

/* Bits of its rules that n of its rules and atoms take. */
static double bits_of_share(const shorter *s, uint32_t n) {
  const pith_theory_info *i = &s->best->at.at[0].info;
  return i->rule_bits * n / i->size;
}

/* That the theory takes more without; below 0 the shorter one is better. */
static double bits_without(const shorter *s) {
  double all = (double)s->task->examples;
  if (s->wrong >= s->task->examples)
    return INFINITY;
  return pith_i_error_bits((double)s->wrong, all) -
         s->best->at.at[0].info.error_bits - bits_of_share(s, s->spared);
}

/* rule: what is left of the r-th, or NULL. */
static pith_status note_shorter(const shorter *s, uint32_t r, uint32_t atom,
                                const pith_rule *rule) {
  pith_i_learned_theory *t = &s->best->at.at[0];
  double bits = bits_without(s);
  if (bits >= PITH_TUNE_NOISE_HARDLY_BITS ||
      (t->weakest != NULL && bits >= t->weakest->bits))
    return PITH_OK;
  pith_i_arena *arena = &s->best->arena;
  pith_weak_condition *noted = pith_i_arena_alloc(arena, sizeof *noted);
  const pith_rule *copy = rule == NULL ? NULL : pith_i_rule_copy(arena, rule);
  if (noted == NULL || (copy == NULL) != (rule == NULL))
    return PITH_ENOMEM;
  t->weakest = noted;
  *noted = (pith_weak_condition){r, atom, copy, bits, s->wrong};
  return PITH_OK;
}

/* ---- without a rule ----------------------------------------------------- */

static pith_status try_without_rule(shorter *s, uint32_t r) {
  uint32_t last = s->n - 1;
  pith_rule *taken = s->rules[r];
  s->rules[r] = s->rules[last];
  s->n = last;
  s->spared = 1 + taken->body_len;
  pith_status rc = judge_shorter(s, &s->wrong);
  if (rc >= 0)
    rc = note_shorter(s, r, PITH_NONE, NULL);
  s->n = last + 1;
  s->rules[r] = taken;
  return rc;
}

/* ---- without an atom ---------------------------------------------------- */

static bool share_variable(const pith_atom *a, const pith_atom *b) {
  for (uint32_t i = 0; i < a->arity; i++)
    for (uint32_t k = 0; PITH_IS_VAR(a->args[i]) && k < b->arity; k++)
      if (a->args[i] == b->args[k])
        return true;
  return false;
}

/* In income(A,B), B >= 40 the first atom is there for the second: it goes with
** it where the rule says no less without. */
static pith_status take_companions(shorter *s, pith_rule *r,
                                   const pith_atom *taken) {
  for (uint32_t k = r->body_len; k-- > 0;) {
    uint64_t wrong;
    if (!share_variable(&r->body[k], taken) || r->body_len == 1)
      continue;
    pith_atom atom = pith_i_body_take(r, k);
    pith_status rc = judge_shorter(s, &wrong);
    if (rc < 0)
      return rc;
    if (wrong <= s->wrong) {
      s->spared++;
      continue;
    }
    pith_i_body_put(r, k, atom);
  }
  return PITH_OK;
}

static pith_status try_without_atom(shorter *s, uint32_t r, uint32_t k) {
  pith_rule *whole = s->rules[r];
  pith_rule *copy = pith_i_rule_copy(&s->arena, whole);
  if (copy == NULL)
    return PITH_ENOMEM;
  s->rules[r] = copy;
  s->spared = 1;
  pith_atom taken = pith_i_body_take(copy, k);
  pith_status rc = judge_shorter(s, &s->wrong);
  double spares = bits_of_share(s, copy->body_len); /* at most, besides */
  if (rc >= 0 && bits_without(s) < PITH_TUNE_NOISE_HARDLY_BITS + spares)
    rc = take_companions(s, copy, &taken);
  if (rc >= 0)
    rc = note_shorter(s, r, k, copy);
  s->rules[r] = whole;
  return rc;
}

/* ---- all of it ---------------------------------------------------------- */

static pith_status try_all(shorter *s) {
  pith_status rc = PITH_OK;
  for (uint32_t r = 0; r < s->n; r++) {
    if (s->n > 1)
      rc = try_without_rule(s, r);
    for (uint32_t k = 0;
         rc >= 0 && s->rules[r]->body_len > 1 && k < s->rules[r]->body_len;
         k++) {
      if (pith_i_stop_requested(s->run))
        return PITH_OK;
      rc = try_without_atom(s, r, k);
    }
    if (rc < 0)
      return rc;
  }
  return PITH_OK;
}

pith_status pith_i_find_weakest(const pith_i_task *task, pith_i_run *run,
                                pith_i_best *best) {
  if (best->at.n == 0)
    return PITH_OK;
  const pith_i_learned_theory *t = &best->at.at[0];
  if (t->info.solved || !t->info.space.noisy || t->info.label_bits <= 0 ||
      t->info.rules == 0)
    return PITH_OK;
  shorter s = {.task = task,
               .run = run,
               .best = best,
               .arena = {.env = task->env},
               .n = t->info.rules};
  s.rules = pith_i_arena_alloc(&s.arena, s.n * sizeof *s.rules);
  pith_status rc = s.rules == NULL ? PITH_ENOMEM : PITH_OK;
  for (uint32_t r = 0; rc >= 0 && r < s.n; r++)
    s.rules[r] = t->rules[r];
  if (rc >= 0)
    rc = try_all(&s);
  pith_i_arena_free(&s.arena);
  return rc;
}
