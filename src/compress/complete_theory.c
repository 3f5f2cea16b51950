#include "compress/complete_theory.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/tunables.h"
#include "compress/derive.h"
#include "compress/rule_mining.h"
#include "compress/smallest_core.h"

void pith_i_priced_theory_free(pith_i_priced_theory *f) {
  if (f == NULL)
    return;
  pith_i_env *env = f->arena.env;
  pith_i_vec_free(env, &f->rules);
  pith_i_vec_free(env, &f->counts);
  pith_i_vec_free(env, &f->values);
  pith_i_vec_free(env, &f->invented);
  pith_i_store_free(&f->core);
  pith_i_store_free(&f->extra);
  pith_i_store_free(&f->missing);
  pith_i_arena_free(&f->arena);
  pith_i_release(env, f);
}

pith_status pith_i_compressor_observe(const pith_i_compressor *c,
                                      const pith_i_store *observed,
                                      const pith_i_store *optional,
                                      pith_i_observations *out) {
  pith_status rc =
      pith_i_observations_init(out, c->theory, observed, optional, c->run);
  out->hiding = c->hiding;
  return rc;
}

/* ---- a theory under way ------------------------------------------------ */

typedef struct {
  pith_i_compressor *c;
  const pith_i_observations *w;
  const pith_i_proposal *p;
  pith_i_priced_theory *f;
} completion;

static pith_status theory_new(completion *m) {
  pith_i_priced_theory *f = m->f = pith_i_zalloc(m->c->env, 1, sizeof *f);
  if (f == NULL)
    return PITH_ENOMEM;
  f->arena.env = m->c->env;
  f->by = m->p->by;
  pith_i_store_init(&f->core, m->c->env);
  pith_i_store_init(&f->extra, m->c->env);
  pith_i_store_init(&f->missing, m->c->env);
  return PITH_OK;
}

static pith_status copy_rules(completion *m, const bool *active) {
  for (size_t i = 0; i < m->p->rule_count; i++) {
    if (active != NULL && !active[i])
      continue;
    pith_rule *copy = pith_i_rule_copy(&m->f->arena, m->p->rules[i]);
    if (copy == NULL || !pith_i_push(m->c->env, &m->f->rules, copy))
      return PITH_ENOMEM;
  }
  return PITH_OK;
}

static int add_core_fact(void *ctx, pith_pred pred, const pith_sym *args,
                         size_t n) {
  const completion *m = ctx;
  double value = m->p->value == NULL ? 1 : m->p->value(m->p->ctx, pred, args);
  pith_status rc = pith_i_fact_give(&m->f->core, pred, (uint32_t)n, args);
  if (rc >= 0 && !pith_i_push(m->c->env, &m->f->values, value))
    rc = PITH_ENOMEM;
  return rc;
}

/* ---- the core, from a list of instances -------------------------------- */

static pith_status list_instances(const completion *m, pith_i_instances *g) {
  pith_status rc = pith_i_instances_init(g, m->w);
  for (size_t r = 0; rc == PITH_OK && r < m->f->rules.n; r++)
    rc = pith_i_instances_add(g, m->w, m->f->rules.at[r],
                              PITH_TUNE_COMPRESS_INSTANCES, m->c->run);
  return rc;
}

static pith_status state_core(completion *m, const pith_i_core *core) {
  const pith_i_observations *w = m->w;
  pith_status rc = PITH_OK;
  pith_pred pred = 0;
  for (size_t i = 0; rc >= 0 && i < core->facts.n; i++) {
    uint32_t fact = core->facts.at[i];
    assert(fact < w->n && (i == 0 || fact > core->facts.at[i - 1]));
    while (fact >= w->base[pred + 1])
      pred++;
    rc = add_core_fact(m, pred, pith_i_observation_args(w, pred, fact),
                       w->store.relations.at[pred].rows.width);
  }
  return rc;
}

static pith_status find_core_of(completion *m, const pith_i_instances *g,
                                pith_i_core *core) {
  pith_i_core_finder *finder = NULL;
  size_t n = m->f->rules.n;
  bool *active = pith_i_alloc(m->c->env, (n + 1) * sizeof *active);
  pith_status rc =
      active == NULL
          ? PITH_ENOMEM
          : pith_i_core_finder_new(
                g, m->w, m->c->brief != NULL ? m->c->brief : m->c->run,
                &finder);
  if (rc == PITH_OK) {
    memset(active, true, n * sizeof *active);
    rc = pith_i_core_find(finder, active, PITH_TUNE_COMPRESS_CORE_WORK, false,
                          core);
  }
  pith_i_core_finder_free(finder);
  pith_i_release(m->c->env, active);
  return rc;
}

static pith_status find_core_by_listing(completion *m) {
  pith_i_instances g = {0};
  pith_i_core core = {0};
  pith_status rc = list_instances(m, &g);
  if (rc == PITH_OK)
    rc = find_core_of(m, &g, &core);
  if (rc == PITH_OK)
    rc = state_core(m, &core);
  m->f->bound = core.bound;
  m->f->minimal = core.minimal;
  if (m->c->opt->open || m->c->hiding.share > 0) {
    /* more than the observations may follow, so no bound holds */
    m->f->minimal = false;
    m->f->bound = 0;
  }
  pith_i_vec_free(m->c->env, &core.facts);
  pith_i_instances_free(&g);
  return rc;
}

/* ---- the core, where instances are too many to list -------------------- */

/* Whether a fact must be stated: nothing else gives it, and it is needed. */
static bool must_state(const pith_i_observations *w, pith_pred p, size_t f,
                       const bool *derivable) {
  bool observed = f - w->base[p] < w->solid[p];
  return !derivable[f] && (observed || w->invented[p]);
}

static pith_status give_underivable(const pith_i_observations *w,
                                    const bool *derivable, pith_i_store *to) {
  pith_status rc = PITH_OK;
  for (pith_pred p = 0; p < w->pred_count; p++)
    for (size_t f = w->base[p]; rc >= 0 && f < w->base[p + 1]; f++)
      if (must_state(w, p, f, derivable))
        rc = pith_i_fact_give(to, p, w->store.relations.at[p].rows.width,
                              pith_i_observation_args(w, p, (uint32_t)f));
  return rc;
}

/* Lists the facts that nothing gives, and observed ones that do not follow
** from those; *needed counts the first. */
static pith_status list_core(const pith_i_observations *w,
                             const bool *derivable, const pith_i_store *follows,
                             pith_i_core *core, size_t *needed) {
  for (pith_pred p = 0; p < w->pred_count; p++)
    for (size_t f = w->base[p]; f < w->base[p + 1]; f++) {
      bool must = must_state(w, p, f, derivable);
      bool missing =
          f - w->base[p] < w->solid[p] &&
          !pith_i_fact_holds(follows, p,
                             pith_i_observation_args(w, p, (uint32_t)f));
      *needed += must;
      if ((must || missing) && !pith_i_push(w->env, &core->facts, (uint32_t)f))
        return PITH_ENOMEM;
    }
  return PITH_OK;
}

/* What follows from no other fact is stated, and the rest derived; if
** something does not follow, it is stated too. That is exact, and minimal where
** there are no cycles. */
static pith_status find_core_by_marking(completion *m) {
  const pith_i_observations *w = m->w;
  pith_i_env *env = m->c->env;
  pith_i_core core = {0};
  pith_i_store follows;
  size_t needed = 0;
  bool *derivable = pith_i_zalloc(env, w->n + 1, sizeof *derivable);
  pith_status rc = derivable == NULL ? PITH_ENOMEM : PITH_OK;
  pith_i_store_init(&follows, env);
  for (size_t r = 0; rc == PITH_OK && r < m->f->rules.n; r++)
    rc = pith_i_mark_derivable(w, m->f->rules.at[r], m->c->run, derivable);
  if (rc == PITH_OK)
    rc = give_underivable(w, derivable, &follows);
  if (rc == PITH_OK)
    rc = pith_i_derive(m->c->theory, m->f->rules.at, m->f->rules.n, &follows,
                       m->c->run);
  if (rc == PITH_OK)
    rc = list_core(w, derivable, &follows, &core, &needed);
  if (rc == PITH_OK)
    rc = state_core(m, &core);
  m->f->bound = needed;
  m->f->minimal = needed == core.facts.n && !pith_i_observations_invent(w);
  pith_i_store_free(&follows);
  pith_i_vec_free(env, &core.facts);
  pith_i_release(env, derivable);
  return rc;
}

static pith_status find_theory_core(completion *m) {
  pith_status rc = find_core_by_listing(m);
  if (rc != PITH_STOPPED || pith_i_stop_requested(m->c->run))
    return rc;
  return find_core_by_marking(m);
}

/* ---- exceptions -------------------------------------------------------- */

static int note_extra(void *ctx, pith_pred pred, const pith_sym *args,
                      size_t n) {
  const completion *m = ctx;
  if (m->w->invented[pred] || pith_i_fact_given(m->c->observed, pred, args) ||
      pith_i_is_hidden(&m->w->hiding, pred, args, n))
    return 0;
  return pith_i_fact_give(&m->f->extra, pred, (uint32_t)n, args);
}

static int note_missing(void *ctx, pith_pred pred, const pith_sym *args,
                        size_t n) {
  const completion *m = ctx;
  if (pith_i_fact_holds(&m->f->core, pred, args))
    return 0;
  return pith_i_fact_give(&m->f->missing, pred, (uint32_t)n, args);
}

/* The exact engine derives all that follows from the core; what differs from
** the observations is an exception. */
static pith_status find_exceptions(completion *m) {
  pith_i_store *core = &m->f->core;
  pith_status rc = pith_i_derive(m->c->theory, m->f->rules.at, m->f->rules.n,
                                 core, m->c->run);
  if (rc == PITH_OK)
    rc = pith_i_fact_each(core, PITH_NONE, PITH_ALL, note_extra, m);
  if (rc == PITH_OK)
    rc = pith_i_fact_each(m->c->observed, PITH_NONE, PITH_GIVEN, note_missing,
                          m);
  pith_i_store_forget(core);
  return rc;
}

/* ---- the price --------------------------------------------------------- */

double pith_i_exception_price(const pith_i_compressor *c) {
  return c->opt->open ? 0.25 : 2;
}

/* The names that the theory chooses from: of invented predicates, those that
** it uses. */
static pith_i_vocabulary_size names_used(const completion *m) {
  pith_i_vocabulary_size v = m->w->words;
  for (size_t p = 0; p < m->w->pred_count; p++)
    v.preds -= m->w->invented[p];
  v.preds += m->f->invented.n;
  return v;
}

static double facts_bits(pith_i_vocabulary_size v, const pith_i_store *s) {
  double bits = 0;
  for (size_t p = 0; p < s->relations.n; p++)
    bits += (double)s->relations.at[p].given *
            pith_i_fact_bits(v, s->relations.at[p].rows.width);
  return bits;
}

/* Where templates are given, rules cost nothing. */
static void set_price(completion *m) {
  const double exception = pith_i_exception_price(m->c);
  pith_i_priced_theory *f = m->f;
  pith_i_vocabulary_size v = names_used(m);
  f->bits = facts_bits(v, &f->core) + exception * facts_bits(v, &f->extra) +
            exception * facts_bits(v, &f->missing);
  if (m->c->theory->templates.n == 0)
    f->bits += pith_i_rules_bits(v, f->rules.at, f->rules.n);
}

/* ---- what is said about it --------------------------------------------- */

static bool uses_pred(const pith_rule *r, pith_pred p) {
  bool uses = r->head.pred == p;
  for (uint32_t i = 0; i < r->body_len; i++)
    uses |= r->body[i].pred == p;
  return uses;
}

/* Where an invented predicate comes from, in words, if it was invented here. */
static const char *about_invented(const completion *m, pith_pred p) {
  bool ours = m->p->invented == m->c->invented;
  for (size_t i = 0; ours && i < m->c->concepts.n; i++)
    if (m->c->concepts.at[i].pred == p)
      return m->c->concepts.at[i].about;
  return "";
}

static pith_status list_invented(completion *m) {
  for (pith_pred p = 0; p < m->w->pred_count; p++) {
    bool used = false;
    for (size_t r = 0; r < m->f->rules.n; r++)
      used |= uses_pred(m->f->rules.at[r], p);
    if (!m->w->invented[p] || !used)
      continue;
    pith_i_concept one = {p, about_invented(m, p)};
    one.about = pith_i_arena_text(&m->f->arena, one.about, strlen(one.about));
    if (one.about == NULL || !pith_i_push(m->c->env, &m->f->invented, one))
      return PITH_ENOMEM;
  }
  return PITH_OK;
}

static double share_of(uint64_t part, uint64_t whole) {
  return whole > 0 ? (double)part / (double)whole : NAN;
}

static pith_status count_theory_rules(completion *m) {
  pith_status rc = PITH_OK;
  for (size_t r = 0; rc >= 0 && r < m->f->rules.n; r++) {
    const pith_rule *rule = m->f->rules.at[r];
    pith_counts n = {.observed =
                         pith_i_observation_count(m->w, rule->head.pred)};
    rc = pith_i_rule_count(m->w, rule, &n.predictions, &n.support);
    n.pca_predictions = n.predictions;
    n.confidence = n.pca_confidence = share_of(n.support, n.predictions);
    n.head_coverage = share_of(n.support, n.observed);
    if (rc >= 0 && !pith_i_push(m->c->env, &m->f->counts, n))
      rc = PITH_ENOMEM;
  }
  return rc;
}

/* ---- whole theories ---------------------------------------------------- */

/* After the core was stated. */
static pith_status judge_theory(completion *m) {
  pith_status rc = find_exceptions(m);
  if (rc == PITH_OK)
    rc = list_invented(m);
  if (rc == PITH_OK)
    rc = count_theory_rules(m);
  if (rc == PITH_OK)
    set_price(m);
  assert(rc != PITH_OK || m->f->counts.n == m->f->rules.n);
  return rc;
}

/* Unless noise is expected, a theory with exceptions must be much shorter than
** one without. */
static double length_with_exceptions(const pith_i_compressor *c,
                                     const pith_i_priced_theory *f) {
  const double much = c->opt->noise == PITH_NOISE_ON ? 1 : 0.8;
  bool exact = pith_i_fact_count(&f->missing, PITH_NONE, PITH_GIVEN) == 0 &&
               (c->opt->open ||
                pith_i_fact_count(&f->extra, PITH_NONE, PITH_GIVEN) == 0);
  return exact ? f->bits : f->bits / much;
}

static void keep_better(pith_i_compressor *c, pith_i_priced_theory *f) {
  if (c->best == NULL || length_with_exceptions(c, f) <
                             length_with_exceptions(c, c->best) - 1e-6) {
    pith_i_priced_theory_free(c->best);
    c->best = f;
  } else {
    pith_i_priced_theory_free(f);
  }
}

pith_status pith_i_complete_theory(pith_i_compressor *c,
                                   const pith_i_observations *w,
                                   const pith_i_proposal *p,
                                   const bool *active) {
  completion m = {.c = c, .w = w, .p = p};
  pith_status rc = theory_new(&m);
  if (rc == PITH_OK)
    rc = copy_rules(&m, active);
  if (rc == PITH_OK)
    rc = find_theory_core(&m);
  if (rc == PITH_OK)
    rc = judge_theory(&m);
  if (rc != PITH_OK) {
    pith_i_priced_theory_free(m.f);
    return rc;
  }
  keep_better(c, m.f);
  return PITH_OK;
}

pith_status pith_i_take_as_learned(pith_i_compressor *c,
                                   const pith_i_proposal *p,
                                   const pith_i_store *core) {
  pith_i_observations w = {0};
  completion m = {.c = c, .w = &w, .p = p};
  pith_status rc = pith_i_compressor_observe(c, c->observed, p->invented, &w);
  if (rc == PITH_OK)
    rc = theory_new(&m);
  if (rc == PITH_OK)
    rc = copy_rules(&m, NULL);
  if (rc == PITH_OK)
    rc = pith_i_fact_each(core, PITH_NONE, PITH_GIVEN, add_core_fact, &m);
  if (rc == PITH_OK)
    rc = judge_theory(&m);
  if (rc == PITH_OK) {
    pith_i_priced_theory_free(c->best);
    c->best = m.f;
  } else {
    pith_i_priced_theory_free(m.f);
  }
  pith_i_observations_free(&w);
  return rc;
}

pith_status pith_i_take_observations(pith_i_compressor *c) {
  pith_i_proposal none = {.by = "none"};
  pith_i_observations w = {0};
  pith_i_run *run = c->run;
  pith_status rc = pith_i_compressor_observe(c, c->observed, NULL, &w);
  c->before = rc == PITH_OK ? pith_i_observed_bits(&w) : 0;
  if (w.n <= PITH_TUNE_COMPRESS_TAKEN_FACTS)
    c->run = NULL; /* quick, and there must be something to fall back on */
  if (rc == PITH_OK)
    rc = pith_i_complete_theory(c, &w, &none, NULL);
  c->run = run;
  pith_i_observations_free(&w);
  if (rc >= 0 && c->best == NULL)
    rc = pith_i_fail(c->env, PITH_ELIMIT,
                     "the time was up before all observations were taken in; "
                     "give more time");
  return rc;
}
