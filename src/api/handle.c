#include "api/handle.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/out.h"
#include "base/utf8.h"
#include "fact/columns.h"
#include "term/compare.h"

enum { LOOK_EVERY = 16 }; /* requests for a look at the clock */

const char *pith_status_text(pith_status s) {
  switch (s) {
#define PITH_X(name, code, text)                                               \
  case PITH_##name:                                                            \
    return text;
    PITH_STATUS_LIST(PITH_X)
#undef PITH_X
  }
  return "unknown status";
}

const char *pith_version(void) { return PITH_VERSION; }

/* ---- the handle ------------------------------------------------------ */

pith_status pith_new(pith **out) { return pith_new_with(NULL, out); }

/* The handle's own memory is counted like all other, so the environment is
** moved into it once it is there. */
pith_status pith_new_with(const pith_memory *memory, pith **out) {
  pith_i_env env;
  pith_i_env_init(&env, memory);
  *out = NULL;
  pith *p = pith_i_zalloc(&env, 1, sizeof *p);
  if (p == NULL)
    return PITH_ENOMEM;
  p->env = env;
  p->scratch.env = &p->env;
  pith_i_store_init(&p->store, &p->env);
  pith_i_remarks_init(&p->remarks, &p->env);
  pith_status rc = pith_i_theory_init(&p->theory, &p->env);
  if (rc < 0)
    pith_free(p);
  else
    *out = p;
  return rc;
}

void pith_free(pith *p) {
  if (p == NULL)
    return;
  pith_team_leave(p);
  pith_i_store_free(&p->store);
  pith_i_theory_free(&p->theory);
  pith_i_remarks_free(&p->remarks);
  pith_i_arena_free(&p->scratch);
  pith_i_env env = p->env;
  pith_i_release(&env, p);
}

const char *pith_error(const pith *p) { return p->env.error; }
size_t pith_bytes(const pith *p) { return p->env.used; }
size_t pith_bytes_peak(const pith *p) { return p->env.peak; }

void pith_limit_calls(pith *p, const pith_run *run) {
  p->limited = run != NULL;
  if (run != NULL)
    p->limits = *run;
  p->env.limits = run != NULL ? &p->limits : NULL;
}

void pith_i_call_begin(pith *p) {
  if (p->calls++ > 0 || !p->limited)
    return;
  pith_i_run_begin(&p->run, &p->limits);
  p->run.every = LOOK_EVERY;
  p->env.run = &p->run;
}

/* What was refused memory because it had to end says so. */
pith_status pith_i_call_end(pith *p, pith_status rc) {
  assert(p->calls > 0);
  if (--p->calls > 0 || p->env.run == NULL)
    return rc;
  bool over = pith_i_run_is_over(&p->run);
  p->env.run = NULL;
  return over && rc == PITH_ENOMEM
             ? pith_i_fail(&p->env, PITH_ELIMIT,
                           "stopped by the caller's limit")
             : rc;
}

void pith_i_forget(pith *p) {
  if (p->inferred)
    pith_i_store_forget(&p->store);
  p->inferred = p->complete = false;
}

/* ---- names ----------------------------------------------------------- */

pith_status pith_sym_add(pith *p, const char *text, size_t n,
                         pith_sym_kind kind, pith_sym *out) {
  if ((unsigned)kind > PITH_COMPOUND)
    return pith_i_fail(&p->env, PITH_EARG, "no such kind of constant");
  if (!pith_i_utf8_valid(text, n))
    return pith_i_fail(&p->env, PITH_EARG, "a name that is not valid UTF-8");
  return pith_i_sym_add(&p->theory.names, text, n, kind, out);
}

pith_sym pith_sym_find(const pith *p, const char *text, size_t n,
                       pith_sym_kind kind) {
  return (unsigned)kind > PITH_COMPOUND
             ? PITH_NONE
             : pith_i_sym_find(&p->theory.names, text, n, kind);
}

static bool is_symbol(const pith *p, pith_sym s) {
  return s < p->theory.names.symbols.n;
}

const char *pith_sym_text(const pith *p, pith_sym s) {
  return is_symbol(p, s) ? pith_i_sym(&p->theory.names, s)->text : NULL;
}

pith_order pith_sym_order(const pith *p, pith_sym s, double *value) {
  if (value != NULL)
    *value = NAN;
  if (!is_symbol(p, s))
    return PITH_ORDER_NONE;
  const pith_i_symbol *sym = pith_i_sym(&p->theory.names, s);
  if (value != NULL)
    *value = sym->value;
  return (pith_order)sym->order;
}

bool pith_sym_compare(const pith *p, pith_pred op, pith_sym a, pith_sym b) {
  return PITH_IS_BUILTIN(op) && is_symbol(p, a) && is_symbol(p, b) &&
         pith_i_builtin_holds(&p->theory.names, op, a, b);
}

pith_sym_kind pith_sym_kind_of(const pith *p, pith_sym s) {
  return is_symbol(p, s) ? (pith_sym_kind)pith_i_sym(&p->theory.names, s)->kind
                         : PITH_NAME;
}

size_t pith_sym_count(const pith *p) { return p->theory.names.symbols.n; }

pith_status pith_pred_add(pith *p, const char *name, size_t arity,
                          pith_pred *out) {
  pith_sym sym = PITH_NONE;
  pith_status rc = pith_sym_add(p, name, strlen(name), PITH_NAME, &sym);
  return rc < 0 ? rc : pith_i_pred_add(&p->theory.names, sym, arity, out);
}

pith_pred pith_pred_find(const pith *p, const char *name, size_t arity) {
  pith_sym sym = pith_sym_find(p, name, strlen(name), PITH_NAME);
  return sym == PITH_NONE ? PITH_NONE
                          : pith_i_pred_find(&p->theory.names, sym, arity);
}

static bool is_predicate(const pith *p, pith_pred pred) {
  return pred < p->theory.names.preds.n;
}

const char *pith_pred_name(const pith *p, pith_pred pred) {
  return is_predicate(p, pred) ? pith_i_pred_text(&p->theory.names, pred)
                               : NULL;
}

size_t pith_pred_arity(const pith *p, pith_pred pred) {
  return is_predicate(p, pred) ? pith_i_pred(&p->theory.names, pred)->arity : 0;
}

size_t pith_pred_count(const pith *p) { return p->theory.names.preds.n; }

unsigned pith_pred_roles(const pith *p, pith_pred pred) {
  return is_predicate(p, pred) ? pith_i_pred(&p->theory.names, pred)->roles : 0;
}

pith_sym pith_pred_type(const pith *p, pith_pred pred, size_t place) {
  if (!is_predicate(p, pred))
    return PITH_NONE;
  const pith_i_predicate *d = pith_i_pred(&p->theory.names, pred);
  return d->types == NULL || place >= d->arity ? PITH_NONE : d->types[place];
}

char pith_pred_direction(const pith *p, pith_pred pred, size_t place) {
  if (!is_predicate(p, pred))
    return 0;
  const pith_i_predicate *d = pith_i_pred(&p->theory.names, pred);
  return d->directions == NULL || place >= d->arity ? 0 : d->directions[place];
}

/* ---- rules, templates, examples --------------------------------------- */

/* A count of arguments that no predicate has stays one. */
static uint32_t arity_of(size_t n) {
  return n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
}

/* Whether args are symbols that exist, or one of the first vars variables. */
static pith_status check_args(pith *p, const pith_atom *a, uint32_t vars) {
  size_t syms = pith_sym_count(p);
  if (a->arity > 0 && a->args == NULL)
    return pith_i_fail(&p->env, PITH_EARG, "an atom without its arguments");
  for (uint32_t i = 0; i < a->arity; i++) {
    pith_term t = a->args[i];
    if (PITH_IS_VAR(t) ? PITH_VAR_INDEX(t) >= vars : t >= syms)
      return pith_i_fail(&p->env, PITH_EARG, "no such %s",
                         PITH_IS_VAR(t) ? "variable" : "constant");
  }
  return PITH_OK;
}

pith_status pith_i_check_arity(pith *p, const pith_atom *a) {
  if (a->pred >= pith_pred_count(p))
    return pith_i_fail(&p->env, PITH_EARG, "no such predicate");
  if (a->arity != pith_pred_arity(p, a->pred))
    return pith_i_fail(&p->env, PITH_EARITY, "%s takes %zu arguments, not %u",
                       pith_pred_name(p, a->pred), pith_pred_arity(p, a->pred),
                       a->arity);
  return PITH_OK;
}

static pith_status check_atom(pith *p, const pith_atom *a, uint32_t vars) {
  pith_status rc = pith_i_check_arity(p, a);
  return rc < 0 ? rc : check_args(p, a, vars);
}

/* An atom that is said to hold, or to be an example of what does. */
static pith_status check_head(pith *p, const pith_atom *a, uint32_t vars) {
  if (PITH_IS_BUILTIN(a->pred))
    return pith_i_fail(&p->env, PITH_EARG, "%s cannot be defined",
                       pith_pred_name(p, a->pred));
  if (a->negated)
    return pith_i_fail(&p->env, PITH_EARG, "a negated atom cannot be defined");
  return check_atom(p, a, vars);
}

static pith_status check_body(pith *p, const pith_atom *a, uint32_t vars) {
  if (a->negated && PITH_IS_BUILTIN(a->pred))
    return pith_i_fail(&p->env, PITH_EARG, "a negated comparison");
  return check_atom(p, a, vars);
}

/* What readers hold to as well. */
static pith_status check_shape(pith *p, const pith_rule *rule) {
  enum { MANY_VARIABLES = 4096 };
  if (rule->body_len > 0 && rule->body == NULL)
    return pith_i_fail(&p->env, PITH_EARG, "a rule without its body");
  if (rule->var_count > MANY_VARIABLES)
    return pith_i_fail(&p->env, PITH_EARG, "more than %d variables in one rule",
                       MANY_VARIABLES);
  for (uint32_t i = 0; rule->var_names != NULL && i < rule->var_count; i++)
    if (rule->var_names[i] >= pith_sym_count(p))
      return pith_i_fail(&p->env, PITH_EARG, "a variable without a name");
  return PITH_OK;
}

static pith_status check_rule_numbers(pith *p, const pith_rule *rule) {
  pith_status rc = check_shape(p, rule);
  if (rc < 0)
    return rc;
  if (!(rule->probability >= 0 && rule->probability <= 1))
    return pith_i_fail(&p->env, PITH_EARG,
                       "a probability that is not between 0 and 1");
  return PITH_OK;
}

pith_status pith_i_check_rule(pith *p, const pith_rule *rule) {
  pith_status rc = check_rule_numbers(p, rule);
  if (rc >= 0)
    rc = check_head(p, &rule->head, rule->var_count);
  for (uint32_t i = 0; rc >= 0 && i < rule->body_len; i++)
    rc = check_body(p, &rule->body[i], rule->var_count);
  if (rc < 0)
    return rc;
  uint32_t unbound;
  if (pith_i_rule_unbound(&p->env, rule, &unbound) < 0)
    return PITH_ENOMEM;
  if (unbound != PITH_NONE)
    return pith_i_fail(&p->env, PITH_EINPUT,
                       "a variable that no body atom binds");
  return PITH_OK;
}

pith_status pith_rule_add(pith *p, const pith_rule *rule) {
  pith_status rc = pith_i_check_rule(p, rule);
  if (rc < 0)
    return rc;
  pith_i_forget(p);
  return pith_i_rule_add(&p->theory, rule);
}

size_t pith_rule_count(const pith *p) { return p->theory.rules.n; }
const pith_rule *pith_rule_at(const pith *p, size_t i) {
  return i < p->theory.rules.n ? p->theory.rules.at[i] : NULL;
}

static pith_status check_slot(pith *p, const pith_template *t,
                              const pith_atom *a) {
  if (a->pred >= t->slot_count)
    return pith_i_fail(&p->env, PITH_EARG, "no such slot");
  const pith_slot *slot = &t->slots[a->pred];
  if (a->arity != slot->arity)
    return pith_i_fail(&p->env, PITH_EARITY,
                       "a slot takes %u arguments, not %u", slot->arity,
                       a->arity);
  if (slot->pred != PITH_NONE && PITH_IS_COMPARISON(slot->pred))
    return pith_i_fail(&p->env, PITH_EARG,
                       "comparing values in a template is not supported");
  if (a->negated)
    return pith_i_fail(&p->env, PITH_EARG,
                       "negation in a template is not supported");
  pith_atom given = {.pred = slot->pred, .arity = a->arity, .args = a->args};
  return slot->pred == PITH_NONE ? check_args(p, a, t->shape.var_count)
                                 : check_atom(p, &given, t->shape.var_count);
}

pith_status pith_template_add(pith *p, const pith_template *t) {
  pith_status rc = check_shape(p, &t->shape);
  if (rc >= 0 && t->slots == NULL)
    rc = pith_i_fail(&p->env, PITH_EARG, "a template without its slots");
  if (rc >= 0)
    rc = check_slot(p, t, &t->shape.head);
  for (uint32_t i = 0; rc >= 0 && i < t->shape.body_len; i++)
    rc = check_slot(p, t, &t->shape.body[i]);
  return rc < 0 ? rc : pith_i_template_add(&p->theory, t);
}
size_t pith_template_count(const pith *p) { return p->theory.templates.n; }
const pith_template *pith_template_at(const pith *p, size_t i) {
  return i < p->theory.templates.n ? p->theory.templates.at[i] : NULL;
}
size_t pith_template_steps(const pith *p) { return p->theory.steps; }

void pith_template_clear(pith *p) {
  p->theory.templates.n = 0;
  p->theory.steps = 0;
  for (pith_pred i = 0; i < pith_pred_count(p); i++)
    pith_i_pred(&p->theory.names, i)->roles &= ~(unsigned)PITH_INVENTED;
}

pith_status pith_example_add(pith *p, pith_pred pred, const pith_sym *args,
                             size_t n, bool positive, double weight) {
  pith_atom atom = {.pred = pred, .arity = arity_of(n), .args = args};
  pith_status rc = check_head(p, &atom, 0);
  if (rc >= 0 && !(weight >= 0 && weight <= DBL_MAX))
    rc = pith_i_fail(&p->env, PITH_EARG, "a weight below 0 or not finite");
  return rc < 0 ? rc : pith_i_example_add(&p->theory, &atom, positive, weight);
}
size_t pith_example_count(const pith *p) { return p->theory.examples.n; }
const pith_example *pith_example_at(const pith *p, size_t i) {
  return i < p->theory.examples.n ? p->theory.examples.at[i] : NULL;
}

const pith_bias *pith_bias_of(const pith *p) { return &p->theory.bias; }

pith_sym pith_bias_constant(const pith *p, size_t i, pith_sym *type) {
  bool known = i < p->theory.constants.n;
  if (type != NULL)
    *type = known ? p->theory.constants.at[i].type : PITH_NONE;
  return known ? p->theory.constants.at[i].name : PITH_NONE;
}

/* ---- facts ----------------------------------------------------------- */

pith_status pith_fact_add(pith *p, pith_pred pred, const pith_sym *args,
                          size_t n) {
  pith_atom atom = {.pred = pred, .arity = arity_of(n), .args = args};
  pith_status rc = check_head(p, &atom, 0);
  if (rc < 0)
    return rc;
  pith_i_forget(p);
  return pith_i_fact_give(&p->store, pred, (uint32_t)n, args);
}

static bool is_sound_column(const pith_column *c) {
  bool power = c->width == 1 || c->width == 2 || c->width == 4 || c->width == 8;
  switch (c->kind) {
  case PITH_COLUMN_INT:
  case PITH_COLUMN_UINT:
    return power;
  case PITH_COLUMN_REAL:
  case PITH_COLUMN_TEXT:
    return c->width == 4 || c->width == 8;
  case PITH_COLUMN_BOOL:
  case PITH_COLUMN_VIEW:
    return true;
  case PITH_COLUMN_CODE:
    return power && c->dictionary != NULL &&
           c->dictionary->kind != PITH_COLUMN_CODE &&
           is_sound_column(c->dictionary);
  }
  return false;
}

static pith_status check_columns(pith *p, pith_pred pred,
                                 const pith_column *columns, size_t n) {
  if (pred >= pith_pred_count(p) || PITH_IS_BUILTIN(pred))
    return pith_i_fail(&p->env, PITH_EARG, "no predicate that has facts");
  if (n == 0 || n != pith_pred_arity(p, pred))
    return pith_i_fail(&p->env, PITH_EARITY, "%s takes %zu arguments, not %zu",
                       pith_pred_name(p, pred), pith_pred_arity(p, pred), n);
  for (size_t i = 0; i < n; i++)
    if (!is_sound_column(&columns[i]))
      return pith_i_fail(&p->env, PITH_EARG,
                         "column %zu: no such kind, or not of this width", i);
  return PITH_OK;
}

pith_status pith_fact_add_columns(pith *p, pith_pred pred,
                                  const pith_column *columns, size_t n,
                                  size_t rows, bool skip_missing,
                                  pith_place *bad) {
  pith_place nowhere;
  pith_status rc = check_columns(p, pred, columns, n);
  if (rc < 0)
    return rc;
  pith_i_forget(p);
  pith_i_relation *r = pith_i_relation_get(&p->store, pred, (uint32_t)n);
  if (r == NULL)
    return PITH_ENOMEM;
  pith_i_columns_job job = {.names = &p->theory.names,
                            .relation = r,
                            .columns = columns,
                            .rows = rows,
                            .skip_missing = skip_missing};
  pith_i_call_begin(p);
  return pith_i_call_end(
      p, pith_i_columns_add(&job, bad == NULL ? &nowhere : bad));
}

bool pith_fact_holds(const pith *p, pith_pred pred, const pith_sym *args,
                     size_t n) {
  if (!is_predicate(p, pred) || n != pith_pred_arity(p, pred))
    return false;
  for (size_t i = 0; i < n; i++)
    if (!is_symbol(p, args[i]))
      return false;
  return pith_i_fact_holds(&p->store, pred, args);
}

/* ---- output ---------------------------------------------------------- */

pith_status pith_out_file(pith *p, const char *path, pith_out **o) {
  return pith_i_out_file(&p->env, path, o);
}

pith_status pith_out_memory(pith *p, pith_out **o) {
  return pith_i_out_memory(&p->env, o);
}

/* ---- remarks --------------------------------------------------------- */

size_t pith_remark_count(const pith *p) { return p->remarks.kept.n; }
const pith_remark *pith_remark_at(const pith *p, size_t i) {
  return i < p->remarks.kept.n ? &p->remarks.kept.at[i] : NULL;
}
size_t pith_remark_errors(const pith *p) { return p->remarks.errors; }
size_t pith_remark_warnings(const pith *p) { return p->remarks.warnings; }
