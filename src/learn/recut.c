#include "learn/recut.h"

#include <assert.h>
#include <stdlib.h>

#include "base/tunables.h"
#include "learn/clauses/cut_points.h"
#include "term/equal.h"

/* A value that a threshold may have; those of other columns change nothing. */
typedef struct {
  double value;
  pith_sym sym;
} cut_value;

typedef struct {
  const pith_i_task *task;
  pith_i_run *run;
  pith_i_learned_theory *theory;
  PITH_I_VEC(cut_value) values; /* of one order, from small to large */
  pith_order order;
  pith_term *at; /* the threshold that is moved */
} recutting;

/* ---- values ------------------------------------------------------------- */

static int by_cut_value(const void *x, const void *y) {
  const cut_value *a = x, *b = y;
  return a->value != b->value ? (a->value > b->value) - (a->value < b->value)
                              : (a->sym > b->sym) - (a->sym < b->sym);
}

static pith_status list_values(recutting *r) {
  const pith_i_names *names = &r->task->worlds[0].theory->names;
  r->values.n = 0;
  for (pith_sym s = 0; s < names->symbols.n; s++) {
    const pith_i_symbol *x = pith_i_sym(names, s);
    if (x->order == r->order &&
        !pith_i_push(r->task->env, &r->values, ((cut_value){x->value, s})))
      return PITH_ENOMEM;
  }
  if (r->values.n > 1)
    qsort(r->values.at, r->values.n, sizeof *r->values.at, by_cut_value);
  return PITH_OK;
}

/* ---- moving a threshold -------------------------------------------------- */

/* Whether the theory gets as many examples of each sign wrong. */
static pith_status judge_at(const recutting *r, pith_sym value, bool *same) {
  const pith_theory_info *info = &r->theory->info;
  pith_i_errors errors;
  pith_term was = *r->at;
  *r->at = value;
  pith_status rc = pith_i_judge(r->task->worlds, r->task->world_count,
                                r->theory->rules, info->rules, &errors);
  *r->at = was;
  *same = rc >= 0 && errors.fp == info->fp && errors.fn == info->fn;
  return rc;
}

/* From a value with the same verdict, up or down to the last that has it: by
** steps that double, then halve. */
static pith_status find_end(const recutting *r, size_t from, int way,
                            size_t *end) {
  size_t left = way > 0 ? r->values.n - 1 - from : from, good = 0, bad = 1;
  pith_status rc = PITH_OK;
  bool same = true;
  for (; bad <= left; bad *= 2) {
    size_t at = way > 0 ? from + bad : from - bad;
    rc = judge_at(r, r->values.at[at].sym, &same);
    if (rc < 0 || !same)
      break;
    good = bad;
  }
  bad = same || bad > left ? left + 1 : bad;
  while (rc >= 0 && bad - good > 1) {
    size_t middle = good + (bad - good) / 2;
    size_t at = way > 0 ? from + middle : from - middle;
    rc = judge_at(r, r->values.at[at].sym, &same);
    *(same ? &good : &bad) = middle;
  }
  *end = way > 0 ? from + good : from - good;
  return rc;
}

/* The value nearest the threshold among those with its verdict. */
static size_t nearest_value(const recutting *r, double threshold, bool below) {
  size_t at = 0;
  while (at < r->values.n && (below ? r->values.at[at].value <= threshold
                                    : r->values.at[at].value < threshold))
    at++;
  return below ? at - 1 : at;
}

/* The gap around the threshold; low < t <= high, or, if below, low <= t < high.
** *found: it has two ends. */
static pith_status find_gap(const recutting *r, double threshold, bool below,
                            double *low, double *high, bool *found) {
  size_t near = nearest_value(r, threshold, below), first, last;
  *found = false;
  if (near >= r->values.n)
    return PITH_OK;
  pith_status rc = find_end(r, near, -1, &first);
  if (rc >= 0)
    rc = find_end(r, near, 1, &last);
  if (rc < 0 || (below ? last + 1 >= r->values.n : first == 0))
    return rc;
  *low = r->values.at[below ? first : first - 1].value;
  *high = r->values.at[below ? last + 1 : last].value;
  *found = *low < *high;
  return rc;
}

/* The roundest number of a gap that holds one end of it; PITH_NONE: none is
** rounder than the values themselves. */
static pith_status round_value(const recutting *r, double low, double high,
                               bool below, pith_sym *value) {
  char text[PITH_I_CUT_TEXT];
  size_t n = pith_i_cut_text(r->order, low, high, below, text);
  pith_i_names *names = &r->task->worlds[0].theory->names;
  pith_sym_kind kind = r->order == PITH_ORDER_NUMBER ? PITH_NUMBER : PITH_NAME;
  *value = PITH_NONE;
  return n > 0 ? pith_i_sym_add(names, text, n, kind, value) : PITH_OK;
}

static double roundness_of(const recutting *r, pith_sym value) {
  const pith_i_names *names = &r->task->worlds[0].theory->names;
  return pith_i_roundness(r->order, pith_i_sym(names, value)->value);
}

/* The rounder number, if the verdict is the same with it too. */
static pith_status move_threshold(recutting *r, double low, double high,
                                  bool below) {
  pith_sym value;
  bool same = false;
  pith_status rc = round_value(r, low, high, below, &value);
  if (rc >= 0 && value != PITH_NONE)
    rc = judge_at(r, value, &same);
  if (rc >= 0 && same)
    *r->at = value;
  return rc;
}

/* X =< 45 becomes X < 50 where no value lies between and 50 is rounder. */
static pith_status exclude_end(recutting *r, pith_atom *a, double low,
                               double high, bool below) {
  const pith_theory_info *info = &r->theory->info;
  pith_i_errors errors;
  pith_sym value;
  pith_atom was = *a;
  pith_term now = *r->at;
  pith_status rc = round_value(r, low, high, !below, &value);
  if (rc < 0 || value == PITH_NONE ||
      roundness_of(r, value) <= roundness_of(r, now))
    return rc;
  a->pred = below ? PITH_LESS : PITH_GREATER;
  *r->at = value;
  rc = pith_i_judge(r->task->worlds, r->task->world_count, r->theory->rules,
                    info->rules, &errors);
  if (rc < 0 || errors.fp != info->fp || errors.fn != info->fn) {
    *a = was;
    *r->at = now;
  }
  return rc;
}

/* ---- all thresholds --------------------------------------------------- */

static bool is_threshold(const recutting *r, const pith_atom *a) {
  const pith_i_names *names = &r->task->worlds[0].theory->names;
  if (a->negated || a->arity != 2 ||
      (a->pred != PITH_LESS_EQUAL && a->pred != PITH_GREATER_EQUAL) ||
      !PITH_IS_VAR(a->args[0]) || PITH_IS_VAR(a->args[1]))
    return false;
  return pith_i_sym(names, a->args[1])->order != PITH_ORDER_NONE;
}

static pith_status recut_atom(recutting *r, pith_atom *a) {
  const pith_i_symbol *now =
      pith_i_sym(&r->task->worlds[0].theory->names, a->args[1]);
  double threshold = now->value, low = 0, high = 0;
  bool below = a->pred == PITH_LESS_EQUAL, found = false;
  r->order = now->order;
  r->at = (pith_term *)&a->args[1];
  pith_status rc = list_values(r);
  if (rc >= 0)
    rc = find_gap(r, threshold, below, &low, &high, &found);
  if (rc < 0 || !found)
    return rc;
  rc = move_threshold(r, low, high, below);
  return rc < 0 ? rc : exclude_end(r, a, low, high, below);
}

static pith_status recut_rule(recutting *r, const pith_rule *rule) {
  pith_status rc = PITH_OK;
  for (uint32_t k = 0; rc >= 0 && k < rule->body_len; k++)
    if (is_threshold(r, &rule->body[k]) && !pith_i_stop_requested(r->run))
      rc = recut_atom(r, (pith_atom *)&rule->body[k]);
  return rc;
}

/* ---- one threshold between two classes ---------------------------------- */

static bool has_lower_bound(const recutting *r, const pith_rule *rule,
                            pith_term value) {
  for (uint32_t k = 0; k < rule->body_len; k++)
    if (is_threshold(r, &rule->body[k]) &&
        rule->body[k].pred == PITH_GREATER_EQUAL &&
        rule->body[k].args[1] == value)
      return true;
  return false;
}

/* Whether another class begins where this one ends. */
static bool is_next_to_class(const recutting *r, const pith_rule *rule,
                             pith_term value) {
  for (uint32_t i = 0; i < r->theory->info.rules; i++) {
    const pith_rule *other = r->theory->rules[i];
    if (other->head.pred == rule->head.pred &&
        !pith_i_atom_equal(&other->head, &rule->head) &&
        has_lower_bound(r, other, value))
      return true;
  }
  return false;
}

/* class(A,b) with X >= 50 and class(A,a) with X =< 50 say both of 50: the
** latter becomes X < 50, unless more examples speak against it than for it. */
static pith_status part_classes(recutting *r, const pith_rule *rule) {
  pith_theory_info *info = &r->theory->info;
  pith_status rc = PITH_OK;
  for (uint32_t k = 0; rc >= 0 && k < rule->body_len; k++) {
    pith_atom *a = (pith_atom *)&rule->body[k];
    pith_i_errors errors;
    if (!is_threshold(r, a) || a->pred != PITH_LESS_EQUAL ||
        !is_next_to_class(r, rule, a->args[1]))
      continue;
    a->pred = PITH_LESS;
    rc = pith_i_judge(r->task->worlds, r->task->world_count, r->theory->rules,
                      info->rules, &errors);
    if (rc < 0 || errors.fp + errors.fn > info->fp + info->fn) {
      a->pred = PITH_LESS_EQUAL;
    } else {
      info->fp = errors.fp;
      info->fn = errors.fn;
    }
  }
  return rc;
}

/* ---- two thresholds that are one value ---------------------------------- */

/* X >= 2 and X =< 2: both atoms of the body, where the head has no X. */
static bool find_same_bounds(const recutting *r, const pith_rule *rule,
                             uint32_t *low, uint32_t *high) {
  for (*low = 0; *low < rule->body_len; ++*low)
    for (*high = 0; *high < rule->body_len; ++*high) {
      const pith_atom *a = &rule->body[*low], *b = &rule->body[*high];
      if (a->pred == PITH_GREATER_EQUAL && b->pred == PITH_LESS_EQUAL &&
          is_threshold(r, a) && is_threshold(r, b) &&
          a->args[0] == b->args[0] && a->args[1] == b->args[1] &&
          !pith_i_atom_has(&rule->head, a->args[0]))
        return true;
    }
  return false;
}

/* The rule without both, and with the value instead of the variable. */
static pith_rule *name_value(const pith_rule *rule, uint32_t low, uint32_t high,
                             pith_i_arena *arena) {
  pith_rule *out = pith_i_rule_copy(arena, rule);
  if (out == NULL)
    return NULL;
  pith_atom *body = (pith_atom *)out->body;
  pith_term var = rule->body[low].args[0], value = rule->body[low].args[1];
  out->body_len = 0;
  for (uint32_t i = 0; i < rule->body_len; i++) {
    if (i == low || i == high)
      continue;
    for (uint32_t k = 0; k < body[i].arity; k++)
      if (body[i].args[k] == var)
        ((pith_term *)body[i].args)[k] = value;
    body[out->body_len++] = body[i];
  }
  pith_i_renumber_variables(out);
  return out;
}

/* A constant of another spelling, 2.0 for 2, is not the same: the judge says
** whether the examples mind. */
static pith_status name_in_rule(const recutting *r, pith_i_best *best,
                                uint32_t rule) {
  pith_i_learned_theory *t = &best->at.at[0];
  uint32_t low, high;
  pith_status rc = PITH_OK;
  while (rc >= 0 && find_same_bounds(r, t->rules[rule], &low, &high)) {
    pith_i_errors errors;
    pith_rule *was = t->rules[rule];
    t->rules[rule] = name_value(was, low, high, &best->arena);
    rc = t->rules[rule] == NULL
             ? PITH_ENOMEM
             : pith_i_judge(r->task->worlds, r->task->world_count, t->rules,
                            t->info.rules, &errors);
    if (rc < 0 || errors.fp != t->info.fp || errors.fn != t->info.fn) {
      t->rules[rule] = was;
      return rc;
    }
    t->info.size -= 2;
  }
  return rc;
}

pith_status pith_i_name_values(const pith_i_task *task, pith_i_best *best) {
  recutting r = {.task = task};
  pith_status rc = PITH_OK;
  if (best->at.n == 0 || task->bounds.no_constants)
    return PITH_OK;
  for (uint32_t i = 0; rc >= 0 && i < best->at.at[0].info.rules; i++)
    rc = name_in_rule(&r, best, i);
  return rc;
}

pith_status pith_i_recut_thresholds(const pith_i_task *task, pith_i_run *run,
                                    pith_i_best *best) {
  recutting r = {.task = task, .run = run};
  pith_status rc = PITH_OK;
  if (best->at.n == 0 || task->examples > PITH_TUNE_RECUT_EXAMPLES)
    return PITH_OK;
  r.theory = &best->at.at[0];
  for (uint32_t i = 0; rc >= 0 && i < r.theory->info.rules; i++)
    rc = recut_rule(&r, r.theory->rules[i]);
  for (uint32_t i = 0; rc >= 0 && i < r.theory->info.rules; i++)
    rc = part_classes(&r, r.theory->rules[i]);
  pith_i_vec_free(task->env, &r.values);
  return rc;
}
