#include "task/judge.h"

#include <assert.h>
#include <string.h>

#include "base/random.h"
#include "logic/goals.h"
#include "task/call_order.h"

/* Examples that rules get wrong which mean nothing. */
enum { REFUSED = 1 << 20 };

/* ---- judging --------------------------------------------------------- */

/* Rules that leave a variable unbound mean nothing forwards, whatever can be
** proved with them backwards. */
static bool are_safe(pith_i_env *env, pith_rule *const *rules, size_t n,
                     pith_status *rc) {
  uint32_t unbound = PITH_NONE;
  for (size_t i = 0; *rc >= 0 && unbound == PITH_NONE && i < n; i++)
    *rc = pith_i_rule_unbound(env, rules[i], &unbound);
  return unbound == PITH_NONE;
}

/* Of k that are wrong, each is the one picked with a chance of one in k. */
static void compare_examples(const pith_i_world *t, uint32_t world,
                             pith_i_errors *errors, pith_i_pick *pick) {
  for (size_t i = 0; i < t->theory->examples.n; i++) {
    const pith_example *e = t->theory->examples.at[i];
    bool holds = pith_i_fact_holds(t->store, e->atom.pred, e->atom.args);
    if (pick != NULL && pick->holds != NULL)
      pick->holds[pick->seen++] = holds;
    if (holds == e->positive)
      continue;
    errors->fp += holds;
    errors->fn += !holds;
    uint64_t k = (uint64_t)errors->fp + errors->fn;
    if (pick != NULL && pith_i_random(pick->seed, 0, k) % k == 0) {
      pick->world = world;
      pick->example = (uint32_t)i;
    }
  }
}

/* A verdict on what was found before the time was up may take a moment more;
** after that there is none, and the rules count as refused. */
typedef struct {
  pith_i_run *whole;
  double began;
} patience;

static bool is_patience_over(void *ctx) {
  const double moment = 0.1; /* seconds */
  patience *p = ctx;
  return pith_i_stop_requested(p->whole) && pith_i_now() - p->began > moment;
}

static pith_status derive_examples(const pith_i_world *t, bool *judged) {
  patience p = {t->run, pith_i_now()};
  pith_run user = {.stop = is_patience_over, .stop_ctx = &p};
  pith_i_run run;
  pith_i_run_begin(&run, &user);
  pith_i_closure_options all = {.run = t->run == NULL ? NULL : &run};
  pith_status rc = pith_i_closure_examples(t->theory, t->store, &all, NULL);
  *judged = rc == PITH_OK;
  return rc;
}

static pith_status judge_one(const pith_i_world *worlds, uint32_t world,
                             pith_rule *const *rules, size_t n,
                             pith_i_errors *errors, pith_i_pick *pick) {
  assert(worlds[world].theory != NULL && worlds[world].store != NULL);
  const pith_i_world *first = &worlds[0], *t = &worlds[world];
  size_t before = t->theory->rules.n;
  pith_i_arena arena = {.env = t->theory->env};
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc >= 0 && i < n; i++) {
    pith_rule *rule;
    rc = pith_i_rule_translate(first->theory, t->theory, rules[i], &arena,
                               &rule);
    if (rc >= 0 && !pith_i_push(t->theory->env, &t->theory->rules, rule))
      rc = PITH_ENOMEM;
  }
  bool judged = false;
  if (rc >= 0)
    rc = derive_examples(t, &judged);
  if (rc >= 0 && judged)
    compare_examples(t, world, errors, pick);
  else if (rc >= 0)
    *errors = (pith_i_errors){REFUSED, REFUSED};
  pith_i_store_forget(t->store);
  t->theory->rules.n = before;
  pith_i_arena_free(&arena);
  return rc;
}

pith_status pith_i_judge_pick(const pith_i_world *worlds, size_t world_count,
                              pith_rule *const *rules, size_t n,
                              pith_i_errors *errors, pith_i_pick *pick) {
  assert(world_count > 0);
  assert(rules != NULL || n == 0);
  pith_status rc = PITH_OK;
  *errors = (pith_i_errors){0, 0};
  if (!are_safe(worlds[0].theory->env, rules, n, &rc))
    *errors = (pith_i_errors){REFUSED, REFUSED};
  for (uint32_t i = 0; rc >= 0 && errors->fp != REFUSED && i < world_count; i++)
    rc = judge_one(worlds, i, rules, n, errors, pick);
  if (rc == PITH_EINPUT && n > 0) { /* a learned rule denies what rests on it */
    *errors = (pith_i_errors){REFUSED, REFUSED};
    rc = PITH_OK;
  }
  return rc;
}

pith_status pith_i_judge(const pith_i_world *worlds, size_t world_count,
                         pith_rule *const *rules, size_t n,
                         pith_i_errors *errors) {
  return pith_i_judge_pick(worlds, world_count, rules, n, errors, NULL);
}

/* ---- simplifying ----------------------------------------------------- */

pith_atom pith_i_body_take(pith_rule *rule, uint32_t i) {
  assert(i < rule->body_len);
  pith_atom *body = (pith_atom *)rule->body;
  pith_atom taken = body[i];
  memmove(&body[i], &body[i + 1], (rule->body_len - i - 1) * sizeof *body);
  rule->body_len--;
  return taken;
}

void pith_i_body_put(pith_rule *rule, uint32_t i, pith_atom atom) {
  assert(i <= rule->body_len);
  pith_atom *body = (pith_atom *)rule->body;
  memmove(&body[i + 1], &body[i], (rule->body_len - i) * sizeof *body);
  body[i] = atom;
  rule->body_len++;
}

static uint32_t count_places_with(const pith_atom *a, pith_term var) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < a->arity; i++)
    n += a->args[i] == var;
  return n;
}

/* Whether a recursive atom has a variable that nothing else has: append(_,B,D)
** says that anything will do there, which few labels rarely show. */
static bool recurs_on_anything(const pith_rule *rule) {
  for (uint32_t i = 0; i < rule->body_len; i++) {
    const pith_atom *a = &rule->body[i];
    for (uint32_t k = 0; a->pred == rule->head.pred && k < a->arity; k++) {
      uint32_t uses = count_places_with(&rule->head, a->args[k]);
      for (uint32_t j = 0; j < rule->body_len; j++)
        uses += count_places_with(&rule->body[j], a->args[k]);
      if (PITH_IS_VAR(a->args[k]) && uses == 1)
        return true;
    }
  }
  return false;
}

/* Whether the rules may stand as they are now, and fit all examples. */
static pith_status fit_all(const pith_i_world *worlds, size_t world_count,
                           pith_rule **rules, size_t n,
                           const pith_rule *changed, bool *fit) {
  pith_i_errors errors = {1, 1};
  uint32_t unbound;
  pith_status rc =
      pith_i_rule_unbound(worlds[0].theory->env, changed, &unbound);
  if (rc >= 0 && unbound == PITH_NONE &&
      pith_i_can_be_called(worlds[0].theory, changed))
    rc = pith_i_judge(worlds, world_count, rules, n, &errors);
  *fit = rc >= 0 && errors.fp + errors.fn == 0;
  return rc;
}

static pith_status leave_out_atoms(const pith_i_world *worlds,
                                   size_t world_count, pith_rule **rules,
                                   size_t n, pith_rule *rule) {
  for (uint32_t i = rule->body_len; i-- > 0 && rule->body_len > 1;) {
    bool before = recurs_on_anything(rule), fit = false;
    pith_atom atom = pith_i_body_take(rule, i);
    pith_status rc = before || !recurs_on_anything(rule)
                         ? fit_all(worlds, world_count, rules, n, rule, &fit)
                         : PITH_OK;
    if (!fit)
      pith_i_body_put(rule, i, atom);
    if (rc < 0)
      return rc;
  }
  return PITH_OK;
}

/* ---- two atoms that may be one ------------------------------------------- */

static void replace_in_body(pith_rule *rule, pith_term var, pith_term by) {
  for (uint32_t i = 0; i < rule->body_len; i++)
    for (uint32_t k = 0; k < rule->body[i].arity; k++)
      if (rule->body[i].args[k] == var)
        ((pith_term *)rule->body[i].args)[k] = by;
}

static bool is_free(const pith_rule *rule, pith_term t) {
  return PITH_IS_VAR(t) && count_places_with(&rule->head, t) == 0;
}

/* Makes the j-th atom the i-th by replacing variables; false: it cannot be,
** and some may be replaced. */
static bool unite_atoms(pith_rule *rule, uint32_t i, uint32_t j) {
  const pith_atom *a = &rule->body[i], *b = &rule->body[j];
  if (a->pred != b->pred || a->arity != b->arity || a->negated || b->negated ||
      pith_i_is_builtin(a->pred))
    return false;
  for (uint32_t k = 0; k < a->arity; k++) {
    if (a->args[k] == b->args[k])
      continue;
    if (is_free(rule, b->args[k]))
      replace_in_body(rule, b->args[k], a->args[k]);
    else if (is_free(rule, a->args[k]))
      replace_in_body(rule, a->args[k], b->args[k]);
    else
      return false;
  }
  return true;
}

static size_t count_args(const pith_rule *rule) {
  size_t n = 0;
  for (uint32_t i = 0; i < rule->body_len; i++)
    n += rule->body[i].arity;
  return n;
}

/* To the copy, or back from it. */
static void copy_args(pith_rule *rule, pith_term *copy, bool back) {
  for (uint32_t i = 0; i < rule->body_len; i++) {
    size_t bytes = rule->body[i].arity * sizeof *copy;
    pith_term *args = (pith_term *)rule->body[i].args;
    memcpy(back ? args : copy, back ? copy : args, bytes);
    copy += rule->body[i].arity;
  }
}

/* weight(A,B), weight(A,C), B >= 5, C < 9 says no more than weight(A,B),
** B >= 5, B < 9, where this fits as well. */
static pith_status unite_pairs(const pith_i_world *worlds, size_t world_count,
                               pith_rule **rules, size_t n, pith_rule *rule) {
  pith_i_env *env = worlds[0].theory->env;
  pith_term *copy = pith_i_alloc(env, (count_args(rule) + 1) * sizeof *copy);
  pith_status rc = copy == NULL ? PITH_ENOMEM : PITH_OK;
  for (uint32_t i = 0; rc >= 0 && i + 1 < rule->body_len; i++)
    for (uint32_t j = i + 1; rc >= 0 && j < rule->body_len; j++) {
      bool before = recurs_on_anything(rule), fit = false;
      copy_args(rule, copy, false);
      if (unite_atoms(rule, i, j)) {
        pith_atom atom = pith_i_body_take(rule, j);
        if (before || !recurs_on_anything(rule))
          rc = fit_all(worlds, world_count, rules, n, rule, &fit);
        if (!fit)
          pith_i_body_put(rule, j, atom);
      }
      if (!fit)
        copy_args(rule, copy, true);
      j -= fit;
    }
  pith_i_release(env, copy);
  return rc;
}

pith_status pith_i_judge_simplify(const pith_i_world *worlds,
                                  size_t world_count, pith_rule **rules,
                                  size_t n) {
  pith_status rc = PITH_OK;
  for (size_t r = 0; rc >= 0 && r < n; r++) {
    rc = leave_out_atoms(worlds, world_count, rules, n, rules[r]);
    if (rc >= 0)
      rc = unite_pairs(worlds, world_count, rules, n, rules[r]);
  }
  return rc;
}
