/* What inference will need at most, without doing it.
**
** For each place of each predicate that is the head of a rule, the constants
** that can come there: those of its given facts, and for each rule those that
** can come to all body places of the variable. These sets are spread through
** the rules, component by component, until nothing changes. Then
**
**   facts(p) = min(product over places of |set|,
**                  given(p) + sum over rules of matches(rule))
**   matches(rule) = product over the head's different variables of the
**                   smallest set among their body places; and for a rule
**                   that does not depend on its own head at most the product
**                   of the facts of its body atoms
**
** A binary predicate over few constants may be kept as bits, which caps the
** memory; otherwise a fact takes its arguments, its place in the set and,
** twice, in an index. Time: a match costs about a tenth of a microsecond, of
** bits a hundredth of that. The true figures are mostly far below.
**
** The sets take rules times constants bits. Where that is too much, or they
** take too long to settle, every place may hold every constant: a bound that
** is higher, and costs nothing. So the estimate itself is always quick. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/scc.h"
#include "logic/form.h"
#include "score/score.h"

enum {
  MOST_WORDS = 1 << 22, /* of all sets together */
  MOST_WORK = 1 << 26   /* words looked at while they settle */
};

typedef struct {
  const pith_i_theory *theory;
  const pith_i_store *store;
  pith_i_env *env;
  pith_i_arena arena;
  uint32_t *number; /* (symbols) of a constant among those of facts and rules */
  uint32_t constants;
  size_t words;  /* of a set of constants                             */
  bool coarse;   /* no sets: every place may hold every constant      */
  uint64_t work; /* words of sets that were looked at                 */
  PITH_I_VEC(pith_i_form *)
  forms;              /* by component of their heads once ordered */
  bool *is_head;      /* (predicates)                                    */
  uint64_t ***places; /* (predicates) (arity) sets; NULL: not needed     */
  double *facts;      /* (predicates) at most                            */
  uint64_t *values;   /* (registers of the widest head, words) scratch   */
  uint32_t *nth;      /* (registers) which of values, or PITH_NONE       */
  /* rules whose heads may get more, in turn */
  size_t *users_from; /* (predicates + 1) where in users those of it begin */
  uint32_t *users;    /* rules of the same component that have it in bodies */
  uint32_t *queue;    /* (rules), a ring */
  bool *is_queued;    /* (rules) */
  size_t queue_at, queue_n;
} estimator;

/* ---- sets of constants ------------------------------------------------ */

static uint64_t *set_at(const estimator *e, pith_pred pred, uint32_t place) {
  return e->places[pred][place];
}

static double set_size(const estimator *e, const uint64_t *set) {
  uint64_t n = 0;
  if (e->coarse)
    return e->constants;
  for (size_t i = 0; i < e->words; i++)
    n += (uint64_t)__builtin_popcountll(set[i]);
  return (double)n;
}

static void set_insert(const estimator *e, uint64_t *set, pith_sym s) {
  uint32_t c = e->number[s];
  assert(c < e->constants);
  if (e->coarse) /* sets have one word then, and are not looked at */
    return;
  set[c >> 6] |= UINT64_C(1) << (c & 63);
}

static bool unite_sets(const estimator *e, uint64_t *to, const uint64_t *from) {
  uint64_t any = 0;
  for (size_t i = 0; i < e->words; i++) {
    any |= from[i] & ~to[i];
    to[i] |= from[i];
  }
  return any != 0;
}

/* The sets of a predicate's given facts. */
static pith_status make_places(estimator *e, pith_pred pred) {
  uint32_t arity = e->theory->names.preds.at[pred].arity;
  if (e->places[pred] != NULL)
    return PITH_OK;
  size_t n = arity * e->words;
  uint64_t **sets = pith_i_arena_alloc(&e->arena, (arity + 1) * sizeof *sets);
  uint64_t *bits = pith_i_arena_alloc(&e->arena, n * sizeof *bits);
  if (sets == NULL || bits == NULL)
    return PITH_ENOMEM;
  memset(bits, 0, n * sizeof *bits);
  for (uint32_t j = 0; j < arity; j++)
    sets[j] = bits + j * e->words;
  e->places[pred] = sets;
  if (e->coarse || pred >= e->store->relations.n)
    return PITH_OK;
  const pith_i_relation *r = &e->store->relations.at[pred];
  for (size_t row = 0; row < r->given; row++)
    for (uint32_t j = 0; j < arity; j++)
      set_insert(e, sets[j], r->rows.at[row * arity + j]);
  return PITH_OK;
}

/* The constants that a register of the rule's head can have. */
static uint64_t *values_of(const estimator *e, uint32_t reg) {
  assert(e->nth[reg] != PITH_NONE);
  return e->values + e->nth[reg] * e->words;
}

static void begin_values(estimator *e, const pith_i_form *f, uint32_t reg) {
  bool fixed = pith_i_is_constant(f, reg);
  memset(values_of(e, reg), fixed ? 0 : 0xff, e->words * sizeof *e->values);
  if (fixed)
    set_insert(e, values_of(e, reg), f->constants[reg - f->var_count]);
}

static void keep_values(estimator *e, const pith_i_form_atom *a,
                        uint32_t place) {
  uint64_t *values = values_of(e, a->regs[place]);
  const uint64_t *set = set_at(e, a->pred, place);
  for (size_t k = 0; k < e->words; k++)
    values[k] &= set[k];
  e->work += e->words;
}

/* The values of all registers of the head, in one pass over the body; returns
** how many registers there are. */
static uint32_t find_values(estimator *e, const pith_i_form *f) {
  uint32_t n = 0;
  memset(e->nth, 0xff, f->reg_count * sizeof *e->nth);
  for (uint32_t j = 0; j < f->head.arity; j++) {
    uint32_t reg = f->head.regs[j];
    if (e->nth[reg] != PITH_NONE)
      continue;
    e->nth[reg] = n++;
    begin_values(e, f, reg);
  }
  for (uint32_t i = 0; i < f->atom_count; i++)
    for (uint32_t j = 0; j < f->atoms[i].arity; j++)
      if (e->nth[f->atoms[i].regs[j]] != PITH_NONE &&
          !pith_i_is_constant(f, f->atoms[i].regs[j]))
        keep_values(e, &f->atoms[i], j);
  e->work += f->reg_count + f->atom_count + (n + 1) * e->words;
  return n;
}

/* Whether a set grew at the rule's head. */
static bool spread_rule(estimator *e, const pith_i_form *f) {
  bool any = false;
  find_values(e, f);
  for (uint32_t j = 0; j < f->head.arity; j++)
    any |= unite_sets(e, set_at(e, f->head.pred, j),
                      values_of(e, f->head.regs[j]));
  return any;
}

static void queue_rule(estimator *e, uint32_t rule) {
  if (e->is_queued[rule])
    return;
  assert(e->queue_n < e->forms.n);
  e->is_queued[rule] = true;
  e->queue[(e->queue_at + e->queue_n++) % e->forms.n] = rule;
}

static uint32_t next_queued_rule(estimator *e) {
  assert(e->queue_n > 0);
  uint32_t rule = e->queue[e->queue_at];
  e->queue_at = (e->queue_at + 1) % e->forms.n;
  e->queue_n--;
  e->is_queued[rule] = false;
  return rule;
}

/* The rules of one component, until nothing changes or it takes too long. */
static void spread_component(estimator *e, size_t from, size_t to) {
  for (size_t i = from; i < to; i++)
    queue_rule(e, (uint32_t)i);
  while (e->queue_n > 0 && !e->coarse) {
    const pith_i_form *f = e->forms.at[next_queued_rule(e)];
    if (spread_rule(e, f))
      for (size_t i = e->users_from[f->head.pred];
           i < e->users_from[f->head.pred + 1]; i++)
        queue_rule(e, e->users[i]);
    e->coarse = e->work > MOST_WORK;
  }
}

/* ---- bounds ---------------------------------------------------------- */

static double given_facts(const estimator *e, pith_pred pred) {
  return (double)pith_i_fact_count(e->store, pred, PITH_GIVEN);
}

static double product_of_places(const estimator *e, pith_pred pred) {
  double n = 1;
  for (uint32_t j = 0; j < e->theory->names.preds.at[pred].arity; j++)
    n *= set_size(e, set_at(e, pred, j));
  return n;
}

static double product_of_variables(estimator *e, const pith_i_form *f) {
  double product = 1;
  uint32_t n = find_values(e, f);
  for (uint32_t i = 0; i < n; i++)
    product *= set_size(e, e->values + i * e->words);
  return product;
}

/* Known for what comes before the component; infinite within it. */
static double product_of_body(const estimator *e, const pith_i_form *f) {
  double n = 1;
  for (uint32_t i = 0; i < f->atom_count; i++)
    n *= e->facts[f->atoms[i].pred];
  return isnan(n) ? 0 : n; /* an empty one times an infinite one */
}

/* Components come in order, so that bodies are known before heads; those of
** the component itself stay infinite while its heads are bounded. */
static void bound_component(estimator *e, size_t from, size_t to, double *sum) {
  for (size_t i = from; i < to; i++) {
    const pith_i_form *f = e->forms.at[i];
    sum[f->head.pred] +=
        fmin(product_of_variables(e, f), product_of_body(e, f));
  }
  for (size_t i = from; i < to; i++) {
    pith_pred p = e->forms.at[i]->head.pred;
    e->facts[p] = fmin(product_of_places(e, p), sum[p] + given_facts(e, p));
  }
}

typedef void component_visit(estimator *e, size_t from, size_t to, double *sum);

static void spread_visit(estimator *e, size_t from, size_t to, double *sum) {
  (void)sum;
  spread_component(e, from, to);
}

/* The rules stand by component, so one component is a range of them. */
static void each_component(estimator *e, const uint32_t *component,
                           component_visit *visit, double *sum) {
  for (size_t from = 0, to; from < e->forms.n; from = to) {
    uint32_t c = component[e->forms.at[from]->head.pred];
    for (to = from + 1; to < e->forms.n; to++)
      if (component[e->forms.at[to]->head.pred] != c)
        break;
    visit(e, from, to, sum);
  }
}

static pith_status make_queue(estimator *e) {
  size_t preds = e->theory->names.preds.n, n = e->forms.n, atoms = 0;
  for (size_t i = 0; i < n; i++)
    atoms += e->forms.at[i]->atom_count;
  size_t bytes = (preds + 2) * sizeof *e->users_from;
  e->users_from = pith_i_arena_alloc(&e->arena, bytes);
  e->users = pith_i_arena_alloc(&e->arena, (atoms + 1) * sizeof *e->users);
  e->queue = pith_i_arena_alloc(&e->arena, (n + 1) * sizeof *e->queue);
  e->is_queued = pith_i_arena_alloc(&e->arena, n + 1);
  if (e->users_from == NULL || e->users == NULL || e->queue == NULL ||
      e->is_queued == NULL)
    return PITH_ENOMEM;
  memset(e->users_from, 0, bytes);
  memset(e->is_queued, 0, n + 1);
  return PITH_OK;
}

/* Counts the rules that a predicate's constants go on to in its own component,
** or notes them where their places are known. */
static void find_users(estimator *e, const uint32_t *component, bool note) {
  for (size_t i = 0; i < e->forms.n; i++) {
    const pith_i_form *f = e->forms.at[i];
    for (uint32_t j = 0; j < f->atom_count; j++) {
      pith_pred p = f->atoms[j].pred;
      if (component[p] != component[f->head.pred])
        continue;
      if (note)
        e->users[e->users_from[p + 1]++] = (uint32_t)i;
      else
        e->users_from[p + 2]++;
    }
  }
}

static pith_status bound_facts(estimator *e, const uint32_t *component) {
  size_t preds = e->theory->names.preds.n;
  if (make_queue(e) < 0)
    return PITH_ENOMEM;
  find_users(e, component, false);
  for (size_t p = 2; p <= preds + 1; p++)
    e->users_from[p] += e->users_from[p - 1];
  find_users(e, component, true);
  double *sum = pith_i_zalloc(e->env, preds, sizeof *sum);
  if (sum == NULL)
    return PITH_ENOMEM;
  for (size_t p = 0; p < preds; p++)
    e->facts[p] = e->is_head[p] ? INFINITY : given_facts(e, (pith_pred)p);
  each_component(e, component, spread_visit, sum);
  each_component(e, component, bound_component, sum);
  pith_i_release(e->env, sum);
  return PITH_OK;
}

/* Sorts the rules by the components of their heads, by counting. */
static pith_status sort_rules(estimator *e, const uint32_t *component,
                              uint32_t count) {
  size_t n = e->forms.n;
  size_t *ends = pith_i_zalloc(e->env, (size_t)count + 1, sizeof *ends);
  pith_i_form **sorted = pith_i_alloc(e->env, n * sizeof *sorted);
  if (ends != NULL && sorted != NULL && n > 0) {
    for (size_t i = 0; i < n; i++)
      ends[component[e->forms.at[i]->head.pred] + 1]++;
    for (uint32_t c = 0; c < count; c++)
      ends[c + 1] += ends[c];
    for (size_t i = 0; i < n; i++)
      sorted[ends[component[e->forms.at[i]->head.pred]]++] = e->forms.at[i];
    memcpy(e->forms.at, sorted, n * sizeof *sorted);
  }
  bool enough = ends != NULL && sorted != NULL;
  pith_i_release(e->env, ends);
  pith_i_release(e->env, sorted);
  return enough ? PITH_OK : PITH_ENOMEM;
}

static pith_status find_components(estimator *e, uint32_t *component,
                                   uint32_t *count) {
  size_t preds = e->theory->names.preds.n, atoms = 0;
  for (size_t i = 0; i < e->forms.n; i++)
    atoms += e->forms.at[i]->atom_count;
  size_t *starts = pith_i_zalloc(e->env, preds + 2, sizeof *starts);
  uint32_t *targets = pith_i_alloc(e->env, atoms * sizeof *targets);
  pith_status rc = PITH_ENOMEM;
  if (starts != NULL && targets != NULL) {
    for (size_t i = 0; i < e->forms.n; i++)
      starts[e->forms.at[i]->head.pred + 2] += e->forms.at[i]->atom_count;
    for (size_t i = 2; i <= preds; i++)
      starts[i] += starts[i - 1];
    for (size_t i = 0; i < e->forms.n; i++)
      for (uint32_t j = 0; j < e->forms.at[i]->atom_count; j++)
        targets[starts[e->forms.at[i]->head.pred + 1]++] =
            e->forms.at[i]->atoms[j].pred;
    rc = pith_i_components(e->env, preds, starts, targets, component, count);
  }
  pith_i_release(e->env, starts);
  pith_i_release(e->env, targets);
  return rc;
}

/* ---- cost ------------------------------------------------------------ */

static void add_cost(const estimator *e, pith_pred pred, pith_estimate *out) {
  const double match = 1e-7, bit = 1e-9, slot = 6, chain = 4;
  uint32_t arity = e->theory->names.preds.at[pred].arity;
  double derived = e->facts[pred] - given_facts(e, pred);
  if (!e->is_head[pred] || derived <= 0)
    return;
  assert(e->places[pred] != NULL);
  double bytes = derived * (4.0 * arity + slot + 2 * chain);
  double seconds = derived * match;
  if (arity == 2) {
    memcpy(e->values, set_at(e, pred, 0), e->words * sizeof *e->values);
    unite_sets(e, e->values, set_at(e, pred, 1));
    double n = set_size(e, e->values);
    bytes = fmin(bytes, 3 * n * (n + 512) / 8);
    seconds = fmin(seconds, n * n * match / 100 + derived * bit);
  }
  out->bytes += bytes;
  out->seconds += seconds;
}

/* ---- the whole ------------------------------------------------------- */

static pith_status make_forms(estimator *e) {
  const pith_i_theory *t = e->theory;
  for (size_t i = 0; i < t->rules.n; i++) {
    pith_i_form *f = pith_i_form_new(&e->arena, &t->names, t->rules.at[i]);
    if (f == NULL || (!f->never && !pith_i_push(e->env, &e->forms, f)))
      return PITH_ENOMEM;
    if (!f->never)
      e->is_head[f->head.pred] = true;
  }
  return PITH_OK;
}

static void number_constant(estimator *e, pith_sym s) {
  if (e->number[s] == PITH_NONE)
    e->number[s] = e->constants++;
}

/* Those of facts first, then those that rules alone name; returns how many
** the facts have. A name may also be that of a predicate alone. */
static uint32_t number_constants(estimator *e) {
  memset(e->number, 0xff, e->theory->names.symbols.n * sizeof *e->number);
  for (size_t p = 0; p < e->store->relations.n; p++) {
    const pith_i_relation *r = &e->store->relations.at[p];
    for (size_t i = 0; i < r->given * r->rows.width; i++)
      number_constant(e, r->rows.at[i]);
  }
  uint32_t of_facts = e->constants;
  for (size_t i = 0; i < e->forms.n; i++) {
    const pith_i_form *f = e->forms.at[i];
    for (uint32_t c = f->var_count; c < f->reg_count; c++)
      number_constant(e, f->constants[c - f->var_count]);
  }
  return of_facts;
}

/* Sets only where all of them together are small enough. */
static pith_status make_sets(estimator *e) {
  size_t places = 0, widest = 1, regs = 0;
  pith_status rc = PITH_OK;
  for (size_t i = 0; i < e->forms.n; i++) {
    const pith_i_form *f = e->forms.at[i];
    places += f->head.arity;
    widest = f->head.arity > widest ? f->head.arity : widest;
    regs = f->reg_count > regs ? f->reg_count : regs;
    for (uint32_t j = 0; j < f->atom_count; j++)
      places += f->atoms[j].arity;
  }
  e->words = e->constants / 64 + 1;
  e->coarse = places > MOST_WORDS / e->words;
  if (e->coarse)
    e->words = 1;
  e->values = pith_i_alloc(e->env, widest * e->words * sizeof *e->values);
  e->nth = pith_i_alloc(e->env, regs * sizeof *e->nth);
  if (e->values == NULL || e->nth == NULL)
    return PITH_ENOMEM;
  for (size_t i = 0; rc >= 0 && i < e->forms.n; i++) {
    const pith_i_form *f = e->forms.at[i];
    rc = make_places(e, f->head.pred);
    for (uint32_t j = 0; rc >= 0 && j < f->atom_count; j++)
      rc = make_places(e, f->atoms[j].pred);
  }
  return rc;
}

static pith_status prepare_estimate(estimator *e, pith_estimate *out) {
  const pith_i_theory *t = e->theory;
  size_t preds = t->names.preds.n;
  e->is_head = pith_i_zalloc(e->env, preds, sizeof *e->is_head);
  e->places = pith_i_zalloc(e->env, preds, sizeof *e->places);
  e->facts = pith_i_zalloc(e->env, preds, sizeof *e->facts);
  e->number = pith_i_alloc(e->env, t->names.symbols.n * sizeof *e->number);
  if (e->is_head == NULL || e->places == NULL || e->facts == NULL ||
      e->number == NULL)
    return PITH_ENOMEM;
  pith_status rc = make_forms(e);
  if (rc < 0)
    return rc;
  out->constants = number_constants(e);
  return make_sets(e);
}

static pith_status bound_all(estimator *e) {
  uint32_t count, *component = pith_i_alloc(e->env, e->theory->names.preds.n *
                                                        sizeof *component);
  if (component == NULL)
    return PITH_ENOMEM;
  pith_status rc = find_components(e, component, &count);
  if (rc >= 0)
    rc = sort_rules(e, component, count);
  if (rc >= 0)
    rc = bound_facts(e, component);
  pith_i_release(e->env, component);
  return rc;
}

static void free_estimator(estimator *e) {
  pith_i_release(e->env, e->is_head);
  pith_i_release(e->env, e->places);
  pith_i_release(e->env, e->facts);
  pith_i_release(e->env, e->number);
  pith_i_release(e->env, e->values);
  pith_i_release(e->env, e->nth);
  pith_i_vec_free(e->env, &e->forms);
  pith_i_arena_free(&e->arena);
}

pith_status pith_i_estimate(const pith_i_theory *theory,
                            const pith_i_store *store, pith_estimate *out) {
  estimator e = {.theory = theory, .store = store, .env = store->env};
  e.arena.env = e.env;
  *out =
      (pith_estimate){.facts = pith_i_fact_count(store, PITH_NONE, PITH_GIVEN),
                      .rules = theory->rules.n,
                      .examples = theory->examples.n,
                      .bytes = (double)store->env->used};
  pith_status rc = prepare_estimate(&e, out);
  if (rc >= 0)
    rc = bound_all(&e);
  for (size_t p = 0; rc >= 0 && p < theory->names.preds.n; p++) {
    out->facts_bound += e.facts[p];
    add_cost(&e, (pith_pred)p, out);
  }
  free_estimator(&e);
  return rc;
}
