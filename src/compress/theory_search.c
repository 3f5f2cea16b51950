#include "compress/theory_search.h"

#include <math.h>
#include <string.h>

#include "compress/choose_rules.h"
#include "compress/description_length.h"
#include "compress/doubtful_facts.h"
#include "logic/closure.h"

enum {
  SAMPLE = 4000,         /* facts among which rules are chosen, at most    */
  INSTANCES = 20000000,  /* of a rule; with more, they are not listed      */
  ROUNDS = 400,          /* of throwing the choice over                    */
  CORE_WORK = 200000000, /* for the core of the final rules                */
};
static const uint64_t rule_work = 400000000;  /* matches to find rules       */
static const uint64_t choice_work = 60000000; /* to choose among them        */

void pith_i_compressed_free(pith_i_compressed *f) {
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

static void tell(const pith_i_compressor *c, const char *what) {
  if (c->tell != NULL)
    c->tell(c->tell_ctx, what);
}

/* ---- a theory made whole ---------------------------------------------- */

typedef struct {
  pith_i_compressor *c;
  const pith_i_observations *w;
  pith_i_compressed *f;
  bool ours; /* its concepts are those of the compressor */
} making;

static pith_status new_theory(pith_i_compressor *c, const char *by,
                              pith_i_compressed **out) {
  pith_i_compressed *f = *out = pith_i_zalloc(c->env, 1, sizeof *f);
  if (f == NULL)
    return PITH_ENOMEM;
  f->arena.env = c->env;
  f->by = by;
  pith_i_store_init(&f->core, c->env);
  pith_i_store_init(&f->extra, c->env);
  pith_i_store_init(&f->missing, c->env);
  return PITH_OK;
}

static pith_status ground_rules(making *m, pith_i_instances *g) {
  pith_status rc = pith_i_instances_init(g, m->w);
  for (size_t r = 0; rc == PITH_OK && r < m->f->rules.n; r++)
    rc = pith_i_instances_add(g, m->w, m->f->rules.at[r], INSTANCES,
                              &m->c->stop);
  return rc;
}

static pith_status give_core(making *m, const pith_i_core *core,
                             const pith_i_proposal *p) {
  const pith_i_observations *w = m->w;
  pith_status rc = PITH_OK;
  pith_pred pred = 0;
  for (size_t i = 0; rc >= 0 && i < core->facts.n; i++) {
    uint32_t fact = core->facts.at[i];
    while (fact >= w->base[pred + 1])
      pred++;
    const pith_sym *args = pith_i_observation_args(w, pred, fact);
    double value = p->value == NULL ? 1 : p->value(p->ctx, pred, args);
    rc = pith_i_fact_give(&m->f->core, pred,
                          w->store.relations.at[pred].rows.width, args);
    if (rc >= 0 && !pith_i_push(m->c->env, &m->f->values, value))
      rc = PITH_ENOMEM;
  }
  return rc;
}

static pith_status give_unmarked(const pith_i_observations *w,
                                 const bool *marks, pith_i_store *to) {
  pith_status rc = PITH_OK;
  for (pith_pred p = 0; p < w->pred_count; p++)
    for (size_t f = w->base[p]; rc >= 0 && f < w->base[p + 1]; f++)
      if (!marks[f] && (f - w->base[p] < w->solid[p] || w->invented[p]))
        rc = pith_i_fact_give(to, p, w->store.relations.at[p].rows.width,
                              pith_i_observation_args(w, p, (uint32_t)f));
  return rc;
}

static pith_status find_core_listed(making *m, const pith_i_proposal *p) {
  pith_i_instances g = {0};
  pith_i_core_finder *corer = NULL;
  pith_i_core core = {0};
  bool *active = pith_i_alloc(m->c->env, (m->f->rules.n + 1) * sizeof *active);
  pith_status rc = active == NULL ? PITH_ENOMEM : ground_rules(m, &g);
  if (rc == PITH_OK)
    rc = pith_i_core_finder_new(&g, m->w, &corer);
  if (rc == PITH_OK) {
    memset(active, true, m->f->rules.n * sizeof *active);
    rc = pith_i_core_find(corer, active, CORE_WORK, false, &core);
  }
  if (rc == PITH_OK)
    rc = give_core(m, &core, p);
  m->f->bound = core.bound;
  m->f->minimal = core.minimal;
  if (m->c->opt->open || m->c->hiding.share > 0) { /* more may follow */
    m->f->minimal = false;
    m->f->bound = 0;
  }
  pith_i_vec_free(m->c->env, &core.facts);
  pith_i_core_finder_free(corer);
  pith_i_instances_free(&g);
  pith_i_release(m->c->env, active);
  return rc;
}

/* Instances too many to be listed: what follows from no others is stated, and
** the rest derived; if something does not follow, it is stated too. That is
** exact, and minimal where there are no cycles. */
static pith_status find_core_marked(making *m, const pith_i_proposal *p) {
  const pith_i_observations *w = m->w;
  pith_i_env *env = m->c->env;
  pith_i_core core = {0};
  pith_i_theory theory = *m->c->theory;
  pith_i_store all;
  pith_i_closure_options opt = {
      .user = {.stop = m->c->stop.ask, .stop_ctx = m->c->stop.ctx}};
  bool *marks = pith_i_zalloc(env, w->n + 1, sizeof *marks);
  pith_status rc = marks == NULL ? PITH_ENOMEM : PITH_OK;
  pith_i_store_init(&all, env);
  for (size_t r = 0; rc == PITH_OK && r < m->f->rules.n; r++)
    rc = pith_i_mark_derivable(w, m->f->rules.at[r], &m->c->stop, marks);
  if (rc == PITH_OK)
    rc = give_unmarked(w, marks, &all);
  theory.rules.at = m->f->rules.at;
  theory.rules.n = m->f->rules.n;
  if (rc == PITH_OK)
    rc = pith_i_closure(&theory, &all, &opt, NULL);
  size_t needed = 0, stated = 0;
  for (pith_pred q = 0; rc == PITH_OK && q < w->pred_count; q++)
    for (size_t f = w->base[q]; rc == PITH_OK && f < w->base[q + 1]; f++) {
      bool solid = f - w->base[q] < w->solid[q];
      bool missing =
          solid && !pith_i_fact_holds(
                       &all, q, pith_i_observation_args(w, q, (uint32_t)f));
      bool must = !marks[f] && (solid || w->invented[q]);
      needed += must;
      stated += must || missing;
      if ((must || missing) && !pith_i_push(env, &core.facts, (uint32_t)f))
        rc = PITH_ENOMEM;
    }
  if (rc == PITH_OK)
    rc = give_core(m, &core, p);
  m->f->bound = needed;
  m->f->minimal = needed == stated;
  for (size_t q = 0; q < w->pred_count; q++)
    m->f->minimal &= !w->invented[q];
  pith_i_store_free(&all);
  pith_i_vec_free(env, &core.facts);
  pith_i_release(env, marks);
  return rc;
}

static pith_status find_core(making *m, const pith_i_proposal *p) {
  pith_status rc = find_core_listed(m, p);
  if (rc != PITH_STOPPED || pith_i_told(&m->c->stop))
    return rc;
  return find_core_marked(m, p);
}

/* ---- the judge -------------------------------------------------------- */

static int note_extra(void *ctx, pith_pred pred, const pith_sym *args,
                      size_t n) {
  making *m = ctx;
  if (m->w->invented[pred] || pith_i_fact_given(m->c->observed, pred, args) ||
      pith_i_is_hidden(&m->w->hiding, pred, args, n))
    return 0;
  return pith_i_fact_give(&m->f->extra, pred, (uint32_t)n, args);
}

typedef struct {
  making *m;
  const pith_i_store *all;
} comparison;

static int note_missing(void *ctx, pith_pred pred, const pith_sym *args,
                        size_t n) {
  const comparison *c = ctx;
  if (pith_i_fact_holds(c->all, pred, args))
    return 0;
  return pith_i_fact_give(&c->m->f->missing, pred, (uint32_t)n, args);
}

/* The exact engine derives all that follows from the core, and that is
** compared with what was observed. */
static pith_status judge(making *m) {
  pith_i_theory theory = *m->c->theory;
  pith_i_store *core = &m->f->core;
  pith_i_closure_options opt = {
      .user = {.stop = m->c->stop.ask, .stop_ctx = m->c->stop.ctx}};
  theory.rules.at = m->f->rules.at;
  theory.rules.n = m->f->rules.n;
  pith_status rc = pith_i_closure(&theory, core, &opt, NULL);
  comparison all = {m, core};
  if (rc == PITH_OK)
    rc = pith_i_fact_each(core, PITH_NONE, PITH_ALL, note_extra, m);
  if (rc == PITH_OK)
    rc = pith_i_fact_each(m->c->observed, PITH_NONE, PITH_GIVEN, note_missing,
                          &all);
  pith_i_store_forget(core);
  return rc;
}

/* With the predicates that the theory speaks of. */
static pith_i_observations scene_used(const making *m) {
  pith_i_observations w = *m->w;
  for (size_t p = 0; p < w.pred_count; p++)
    w.used -= w.invented[p];
  w.used += m->f->invented.n;
  return w;
}

static double bits_of(const pith_i_observations *w, const pith_i_store *s) {
  double bits = 0;
  for (size_t p = 0; p < s->relations.n; p++)
    bits +=
        (double)s->relations.at[p].given * pith_i_fact_bits(w, (pith_pred)p);
  return bits;
}

/* What an exception costs, times a fact: to state it, and that it is one. In
** an open world what is not observed may well hold. */
static double exception_price(const pith_i_compressor *c) {
  return c->opt->open ? 0.25 : 2;
}

static void set_price(making *m, bool free_rules) {
  const double exception = exception_price(m->c);
  pith_i_compressed *f = m->f;
  pith_i_observations w = scene_used(m);
  f->bits = bits_of(&w, &f->core) + exception * bits_of(&w, &f->extra) +
            exception * bits_of(&w, &f->missing);
  if (!free_rules)
    f->bits += pith_i_rules_bits(&w, f->rules.at, f->rules.n);
}

/* ---- which concepts are used ------------------------------------------ */

static bool uses_pred(const pith_rule *r, pith_pred p) {
  bool uses = r->head.pred == p;
  for (uint32_t i = 0; i < r->body_len; i++)
    uses |= r->body[i].pred == p;
  return uses;
}

static pith_status list_invented(making *m) {
  for (pith_pred p = 0; p < m->w->pred_count; p++) {
    bool used = false;
    for (size_t r = 0; r < m->f->rules.n; r++)
      used |= uses_pred(m->f->rules.at[r], p);
    if (!m->w->invented[p] || !used)
      continue;
    pith_i_concept one = {p, ""};
    for (size_t i = 0; i < m->c->concepts.n; i++)
      if (m->c->concepts.at[i].pred == p && m->ours)
        one.about = m->c->concepts.at[i].about;
    one.about = pith_i_arena_text(&m->f->arena, one.about, strlen(one.about));
    if (one.about == NULL || !pith_i_push(m->c->env, &m->f->invented, one))
      return PITH_ENOMEM;
  }
  return PITH_OK;
}

static pith_status count_rules(making *m) {
  pith_status rc = PITH_OK;
  for (size_t r = 0; rc >= 0 && r < m->f->rules.n; r++) {
    const pith_rule *rule = m->f->rules.at[r];
    pith_counts n = {.observed =
                         pith_i_observation_count(m->w, rule->head.pred)};
    rc = pith_i_rule_count(m->w, rule, &n.predictions, &n.support);
    n.pca_predictions = n.predictions;
    n.confidence = n.pca_confidence =
        n.predictions > 0 ? (double)n.support / (double)n.predictions : NAN;
    n.head_coverage =
        n.observed > 0 ? (double)n.support / (double)n.observed : NAN;
    if (rc >= 0 && !pith_i_push(m->c->env, &m->f->counts, n))
      rc = PITH_ENOMEM;
  }
  return rc;
}

/* A theory with exceptions must be much shorter than one without. */
static double rank(const pith_i_compressor *c, const pith_i_compressed *f) {
  const double much = 0.8;
  bool exact = pith_i_fact_count(&f->missing, PITH_NONE, PITH_GIVEN) == 0 &&
               (c->opt->open ||
                pith_i_fact_count(&f->extra, PITH_NONE, PITH_GIVEN) == 0);
  return exact ? f->bits : f->bits / much;
}

static void keep_better(pith_i_compressor *c, pith_i_compressed *f) {
  if (c->best == NULL || rank(c, f) < rank(c, c->best) - 1e-6) {
    pith_i_compressed_free(c->best);
    c->best = f;
  } else {
    pith_i_compressed_free(f);
  }
}

/* The rules in p that active says (NULL: all), with their core. */
static pith_status complete(pith_i_compressor *c, const pith_i_observations *w,
                            const pith_i_proposal *p, const bool *active,
                            double *bits) {
  making m = {.c = c, .w = w, .ours = p->invented == c->invented};
  pith_status rc = new_theory(c, p->by, &m.f);
  for (size_t i = 0; rc >= 0 && i < p->rule_count; i++) {
    if (active != NULL && !active[i])
      continue;
    pith_rule *copy = pith_i_rule_copy(&m.f->arena, p->rules[i]);
    if (copy == NULL || !pith_i_push(c->env, &m.f->rules, copy))
      rc = PITH_ENOMEM;
  }
  if (rc == PITH_OK)
    rc = find_core(&m, p);
  if (rc == PITH_OK)
    rc = judge(&m);
  if (rc == PITH_OK)
    rc = list_invented(&m);
  if (rc == PITH_OK)
    rc = count_rules(&m);
  if (rc != PITH_OK) {
    pith_i_compressed_free(m.f);
    return rc;
  }
  set_price(&m, c->theory->templates.n > 0);
  if (bits != NULL)
    *bits = m.f->bits;
  keep_better(c, m.f);
  return PITH_OK;
}

static pith_status make_scene(const pith_i_compressor *c,
                              const pith_i_store *observed,
                              const pith_i_store *optional,
                              pith_i_observations *w) {
  pith_status rc = pith_i_observations_init(w, c->theory, observed, optional);
  w->hiding = c->hiding;
  return rc;
}

/* ---- choosing --------------------------------------------------------- */

typedef struct {
  pith_i_compressor *c;
  const pith_i_observations *w; /* all of it */
  pith_i_observations sample;   /* or nothing */
  const pith_i_observations *small;
  pith_i_mined_rules list;
  pith_i_arena arena;
  pith_i_shapes shapes;
  uint32_t *copies; /* (shapes) */
  bool *dead, *active;
  bool invents;
  double wrong; /* share of a head's facts that may be too many */
} search;

/* Those of the chosen rules that go wrong elsewhere are dead. */
static pith_status check_rules(search *s, bool *any) {
  pith_status rc = PITH_OK;
  *any = false;
  for (size_t i = 0; rc == PITH_OK && i < s->list.n; i++) {
    uint64_t wrong;
    if (!s->active[i])
      continue;
    pith_pred head = s->list.at[i].rule->head.pred;
    uint64_t most =
        (uint64_t)(s->wrong * (double)pith_i_observation_count(s->w, head));
    rc = pith_i_rule_count_wrong(s->w, s->list.at[i].rule, most, &s->c->stop,
                                 &wrong);
    if (rc == PITH_OK && wrong > most) {
      s->dead[i] = *any = true;
      s->active[i] = false;
    }
  }
  return rc;
}

static pith_status choose(search *s) {
  const pith_i_compressor *c = s->c;
  pith_i_choose_options opt = {
      .free_rules = c->theory->templates.n > 0,
      .exception = exception_price(c),
      .one_step = c->theory->templates.n > 0 && c->theory->steps == 1,
      .seed = c->opt->seed,
      .work = s->invents ? choice_work / 3 : choice_work,
      .rounds = ROUNDS,
      .copies = s->copies,
      .shape_count = s->shapes.n,
      .stop = &c->stop};
  pith_i_chooser *chooser = NULL;
  pith_status rc = pith_i_chooser_new(s->small, &s->list, &opt, &chooser);
  for (bool any = true; rc == PITH_OK && any;) {
    double bits;
    rc = pith_i_choose(chooser, s->dead, s->active, &bits);
    any = false;
    if (rc == PITH_OK)
      rc = check_rules(s, &any);
  }
  pith_i_chooser_free(chooser);
  return rc;
}

static pith_status offer_choice(search *s, const pith_i_proposal *like) {
  pith_rule **rules =
      pith_i_arena_alloc(&s->arena, (s->list.n + 1) * sizeof *rules);
  if (rules == NULL)
    return PITH_ENOMEM;
  for (size_t i = 0; i < s->list.n; i++)
    rules[i] = s->list.at[i].rule;
  pith_i_proposal p = *like;
  p.rules = rules;
  p.rule_count = s->list.n;
  return complete(s->c, s->w, &p, s->active, NULL);
}

static pith_status begin_search(search *s, pith_i_compressor *c,
                                const pith_i_observations *w) {
  s->c = c;
  s->w = s->small = w;
  s->arena.env = c->env;
  if (w->n <= SAMPLE)
    return PITH_OK;
  s->small = &s->sample;
  return pith_i_observations_sample(&s->sample, w, SAMPLE, c->opt->seed);
}

static void end_search(search *s) {
  pith_i_observations_free(&s->sample);
  pith_i_vec_free(s->c->env, &s->list);
  pith_i_vec_free(s->c->env, &s->shapes);
  pith_i_release(s->c->env, s->dead);
  pith_i_release(s->c->env, s->active);
  pith_i_arena_free(&s->arena);
}

static pith_status make_flags(search *s) {
  s->dead = pith_i_zalloc(s->c->env, s->list.n + 1, sizeof *s->dead);
  s->active = pith_i_zalloc(s->c->env, s->list.n + 1, sizeof *s->active);
  return s->dead == NULL || s->active == NULL ? PITH_ENOMEM : PITH_OK;
}

/* ---- shapes ----------------------------------------------------------- */

static bool same_shape(const pith_template *a, const pith_template *b) {
  const pith_rule *x = &a->shape, *y = &b->shape;
  bool same = a->slot_count == b->slot_count && x->body_len == y->body_len &&
              x->var_count == y->var_count && x->head.arity == y->head.arity;
  for (uint32_t i = 0; same && i < a->slot_count; i++)
    same = a->slots[i].arity == b->slots[i].arity &&
           a->slots[i].pred == b->slots[i].pred;
  for (uint32_t i = 0; same && i <= x->body_len; i++) {
    const pith_atom *p = i == 0 ? &x->head : &x->body[i - 1];
    const pith_atom *q = i == 0 ? &y->head : &y->body[i - 1];
    same = p->pred == q->pred && p->arity == q->arity &&
           memcmp(p->args, q->args, p->arity * sizeof *p->args) == 0;
  }
  return same;
}

/* Templates of one shape are one shape, with as many copies. */
static pith_status take_templates(search *s) {
  const pith_i_theory *t = s->c->theory;
  for (size_t i = 0; i < t->templates.n; i++) {
    size_t j = 0;
    while (j < s->shapes.n && !same_shape(s->shapes.at[j], t->templates.at[i]))
      j++;
    if (j == s->shapes.n &&
        !pith_i_push(s->c->env, &s->shapes, t->templates.at[i]))
      return PITH_ENOMEM;
  }
  return PITH_OK;
}

static pith_status set_copies(search *s) {
  const pith_i_theory *t = s->c->theory;
  s->copies =
      pith_i_arena_alloc(&s->arena, (s->shapes.n + 1) * sizeof *s->copies);
  if (s->copies == NULL)
    return PITH_ENOMEM;
  memset(s->copies, 0, (s->shapes.n + 1) * sizeof *s->copies);
  for (size_t i = 0; i < t->templates.n; i++)
    for (size_t j = 0; j < s->shapes.n; j++)
      if (same_shape(s->shapes.at[j], t->templates.at[i]))
        s->copies[j] += t->templates.at[i]->copies;
  return PITH_OK;
}

static pith_status set_shapes(search *s) {
  pith_i_shape_options opt = {s->c->opt->max_body, s->c->opt->inequality};
  pith_status rc = s->c->theory->templates.n > 0
                       ? take_templates(s)
                       : pith_i_shapes_add(&s->arena, &s->c->theory->names,
                                           &opt, &s->shapes);
  return rc < 0 ? rc : set_copies(s);
}

/* ---- the searches ----------------------------------------------------- */

/* Rules are found and chosen; wrong and confidence: pith_i_mining_options. */
static pith_status find_choice(search *s, double wrong, double confidence) {
  pith_i_compressor *c = s->c;
  pith_i_mining_options opt = {.wrong = wrong,
                               .confidence = confidence,
                               .types = c->opt->types,
                               .work = rule_work,
                               .stop = &c->stop};
  s->wrong = wrong;
  pith_status rc = set_shapes(s);
  tell(c, "looking for rules");
  if (rc >= 0)
    rc = pith_i_rules_mine(s->small, &s->arena, &s->shapes, &opt, &s->list);
  if (rc >= 0)
    rc = make_flags(s);
  tell(c, "choosing rules");
  return rc >= 0 ? choose(s) : rc;
}

/* What was chosen is made whole even when time is up, unless that takes long.
 */
static pith_status offer_in_any_case(search *s, const pith_i_proposal *p,
                                     pith_status rc) {
  enum { QUICK = 200000 };
  pith_i_stop stop = s->c->stop;
  if (rc == PITH_STOPPED && s->w->n <= QUICK)
    s->c->stop = (pith_i_stop){NULL, NULL};
  tell(s->c, "making the core minimal");
  pith_status offered = offer_choice(s, p);
  s->c->stop = stop;
  return offered < 0 ? offered : rc;
}

/* ---- doubts ----------------------------------------------------------- */

/* The rules that were chosen, one after the other. */
static size_t list_chosen(search *s, pith_rule **rules, bool *any_wrong) {
  size_t n = 0;
  *any_wrong = false;
  for (size_t i = 0; i < s->list.n; i++)
    if (s->active[i]) {
      *any_wrong |= s->list.at[i].predictions > s->list.at[i].support;
      rules[n++] = s->list.at[i].rule;
    }
  return n;
}

static pith_status without(const pith_i_observations *w,
                           const pith_i_fact_numbers *doubts,
                           pith_i_store *out) {
  bool *doubted = pith_i_zalloc(w->env, w->n + 1, sizeof *doubted);
  pith_status rc = doubted == NULL ? PITH_ENOMEM : PITH_OK;
  for (size_t i = 0; rc >= 0 && i < doubts->n; i++)
    doubted[doubts->at[i]] = true;
  for (pith_pred p = 0; rc >= 0 && p < w->pred_count; p++)
    for (size_t f = w->base[p]; rc >= 0 && f < w->base[p + 1]; f++)
      if (!doubted[f])
        rc = pith_i_fact_give(out, p, w->store.relations.at[p].rows.width,
                              pith_i_observation_args(w, p, (uint32_t)f));
  pith_i_release(w->env, doubted);
  return rc;
}

static int give_fact(void *ctx, pith_pred pred, const pith_sym *args,
                     size_t n) {
  return pith_i_fact_give(ctx, pred, (uint32_t)n, args);
}

/* What follows from the facts of store that is not there. */
static pith_status follow(pith_i_compressor *c, pith_rule **rules, size_t n,
                          pith_i_store *store, pith_i_store *more) {
  pith_i_theory theory = *c->theory;
  pith_i_closure_options opt = {
      .user = {.stop = c->stop.ask, .stop_ctx = c->stop.ctx}};
  theory.rules.at = rules;
  theory.rules.n = n;
  pith_status rc = pith_i_closure(&theory, store, &opt, NULL);
  if (rc == PITH_OK)
    rc = pith_i_fact_each(store, PITH_NONE, PITH_DERIVED, give_fact, more);
  pith_i_store_forget(store);
  return rc;
}

/* With the facts that are doubted left out, and what then follows too much
** allowed to follow. kept gets the others. */
static pith_status offer_doubts(search *s, pith_rule **rules, size_t n,
                                pith_i_store *kept, size_t *doubted) {
  pith_i_compressor *c = s->c;
  pith_i_observations w = {0};
  pith_i_store more;
  pith_i_fact_numbers doubts = {0};
  pith_i_proposal p = {.rules = rules, .rule_count = n, .by = "search"};
  pith_i_store_init(&more, c->env);
  pith_status rc = PITH_OK;
  if (!c->opt->open)
    rc = pith_i_find_doubtful(s->w, rules, n, &c->stop, &doubts);
  *doubted = doubts.n;
  if (rc == PITH_OK)
    rc = without(s->w, &doubts, kept);
  if (rc == PITH_OK)
    rc = follow(c, rules, n, kept, &more);
  uint64_t extra = pith_i_fact_count(&more, PITH_NONE, PITH_GIVEN);
  if (rc == PITH_OK && (c->opt->open || extra <= s->w->n / 5)) {
    rc = make_scene(c, kept, &more, &w);
    if (rc == PITH_OK)
      rc = complete(c, &w, &p, NULL, NULL);
  }
  pith_i_observations_free(&w);
  pith_i_vec_free(c->env, &doubts);
  pith_i_store_free(&more);
  return rc;
}

static pith_status offer_chosen(search *s, bool only_wrong, pith_i_store *kept,
                                size_t *doubted) {
  bool any_wrong;
  pith_rule **rules =
      pith_i_arena_alloc(&s->arena, (s->list.n + 1) * sizeof *rules);
  *doubted = 0;
  if (rules == NULL)
    return PITH_ENOMEM;
  size_t n = list_chosen(s, rules, &any_wrong);
  return any_wrong || !only_wrong ? offer_doubts(s, rules, n, kept, doubted)
                                  : PITH_OK;
}

/* Atoms that are hidden may follow, and other things from them. */
static pith_status offer_hidden(search *s) {
  pith_i_store kept;
  size_t doubted;
  pith_i_store_init(&kept, s->c->env);
  pith_status rc = offer_chosen(s, false, &kept, &doubted);
  pith_i_store_free(&kept);
  return rc;
}

/* Rules that are right everywhere, for who wants to try all choices. */
static pith_status keep_rules(search *s) {
  enum { RULES = 5000, FACTS = 1000 };
  pith_i_compressor *c = s->c;
  if (s->list.n > RULES || s->w->n > FACTS || c->theory->templates.n > 0)
    return PITH_OK;
  for (size_t i = 0; i < s->list.n; i++) {
    pith_rule *copy = pith_i_rule_copy(&c->arena, s->list.at[i].rule);
    if (copy == NULL || !pith_i_push(c->env, &c->looked_at, copy))
      return PITH_ENOMEM;
  }
  return PITH_OK;
}

static pith_status search_scene(pith_i_compressor *c,
                                const pith_i_store *invented) {
  pith_i_observations w = {0};
  search s = {.c = c, .invents = invented != NULL};
  pith_i_proposal found = {.invented = invented, .by = "search"};
  pith_status rc = make_scene(c, c->observed, invented, &w);
  if (rc >= 0)
    rc = begin_search(&s, c, &w);
  if (rc >= 0)
    rc = find_choice(&s, 0, 1);
  if (rc >= 0 && s.active != NULL)
    rc = offer_in_any_case(&s, &found, rc);
  if (rc == PITH_OK && invented == NULL && keep_rules(&s) < 0)
    rc = PITH_ENOMEM;
  if (rc == PITH_OK && c->hiding.share > 0 && invented == NULL)
    rc = offer_hidden(&s);
  end_search(&s);
  pith_i_observations_free(&w);
  return rc;
}

/* Rules that are right nearly always, as observations may be wrong or
** missing; in an open world, more often than not. */
static pith_status search_again(pith_i_compressor *c, const pith_i_store *seen,
                                pith_i_store *kept, size_t *doubted) {
  pith_i_observations w = {0};
  search s = {.c = c};
  pith_status rc = make_scene(c, seen, NULL, &w);
  if (rc >= 0)
    rc = begin_search(&s, c, &w);
  if (rc >= 0)
    rc = c->opt->open ? find_choice(&s, 0.5, 0.5) : find_choice(&s, 0.5, 0.6);
  if (rc == PITH_OK)
    rc = offer_chosen(&s, true, kept, doubted);
  end_search(&s);
  pith_i_observations_free(&w);
  return rc;
}

/* Without the facts that were doubted, rules that they spoilt come into their
** own, and may cast doubt on others. */
static pith_status search_doubting(pith_i_compressor *c) {
  enum { ROUNDS = 4 };
  pith_i_store seen[ROUNDS + 1];
  size_t doubted = 1;
  pith_status rc = PITH_OK;
  for (int i = 0; i <= ROUNDS; i++)
    pith_i_store_init(&seen[i], c->env);
  for (int i = 0; rc == PITH_OK && doubted > 0 && i < ROUNDS; i++)
    rc = search_again(c, i == 0 ? c->observed : &seen[i], &seen[i + 1],
                      &doubted);
  for (int i = 0; i <= ROUNDS; i++)
    pith_i_store_free(&seen[i]);
  return rc;
}

/* ---- all of it -------------------------------------------------------- */

/* All of it is its own core: what can always be said. */
pith_status pith_i_compress_begin(pith_i_compressor *c) {
  pith_i_proposal none = {.by = "none"};
  pith_i_observations w = {0};
  pith_status rc = make_scene(c, c->observed, NULL, &w);
  c->before = rc >= 0 ? pith_i_observed_bits(&w) : 0;
  if (rc >= 0)
    rc = complete(c, &w, &none, NULL, NULL);
  pith_i_observations_free(&w);
  return rc;
}

/* How many concepts may be invented: with templates, those they name. */
static uint32_t concepts_allowed(const pith_i_compressor *c) {
  uint32_t named = 0;
  for (size_t p = 0; p < c->theory->names.preds.n; p++)
    named += (c->theory->names.preds.at[p].roles & PITH_INVENTED) != 0;
  if (c->theory->templates.n == 0)
    return c->opt->invent;
  return named < c->opt->invent ? named : c->opt->invent;
}

/* The same with concepts that no observation names. */
static pith_status search_invented(pith_i_compressor *c) {
  pith_i_observations w = {0};
  pith_i_store invented;
  pith_i_store_init(&invented, c->env);
  tell(c, "inventing concepts");
  pith_status rc = make_scene(c, c->observed, NULL, &w);
  if (rc >= 0)
    rc = pith_i_invent(c->theory, &w, concepts_allowed(c), &c->arena, &invented,
                       &c->concepts);
  pith_i_observations_free(&w);
  c->invented = &invented;
  if (rc >= 0 && c->concepts.n > 0)
    rc = search_scene(c, &invented);
  c->invented = NULL;
  pith_i_store_free(&invented);
  return rc;
}

pith_status pith_i_compress_search(pith_i_compressor *c) {
  pith_status rc = search_scene(c, NULL);
  if (rc == PITH_OK)
    rc = search_invented(c);
  if (rc == PITH_OK && (c->opt->open || c->opt->noise))
    rc = search_doubting(c);
  return rc;
}

pith_i_compressor pith_i_compressor_of(pith_i_theory *theory,
                                       const pith_i_store *observed,
                                       const pith_compress_options *opt) {
  pith_i_compressor c = {
      .env = theory->env, .theory = theory, .observed = observed, .opt = opt};
  c.arena.env = theory->env;
  c.hiding = (pith_i_hiding){opt->hold_out, opt->seed};
  return c;
}

void pith_i_compressor_end(pith_i_compressor *c) {
  pith_i_vec_free(c->env, &c->concepts);
  pith_i_vec_free(c->env, &c->looked_at);
  pith_i_arena_free(&c->arena);
}

pith_status pith_i_compress_offer(pith_i_compressor *c,
                                  const pith_i_proposal *p, double *bits) {
  pith_i_observations w = {0};
  search s = {.c = c};
  if (pith_i_told(&c->stop))
    return PITH_STOPPED;
  pith_status rc = make_scene(c, c->observed, p->invented, &w);
  if (rc >= 0)
    rc = begin_search(&s, c, &w);
  for (size_t i = 0; rc == PITH_OK && i < p->rule_count; i++) {
    pith_i_mined_rule one = {.rule = p->rules[i], .shape = PITH_NONE};
    uint64_t wrong;
    rc = pith_i_rule_count_wrong(&w, p->rules[i], 0, &c->stop, &wrong);
    if (rc == PITH_OK && wrong == 0 && !pith_i_push(c->env, &s.list, one))
      rc = PITH_ENOMEM;
  }
  if (rc == PITH_OK)
    rc = make_flags(&s);
  if (rc == PITH_OK) {
    memset(s.active, true, s.list.n * sizeof *s.active);
    rc = choose(&s);
  }
  if (rc == PITH_OK)
    rc = offer_choice(&s, p);
  if (rc == PITH_OK && bits != NULL)
    *bits = c->best->bits;
  end_search(&s);
  pith_i_observations_free(&w);
  return rc;
}

/* ---- as it is --------------------------------------------------------- */

typedef struct {
  making *m;
  const pith_i_proposal *p;
} taking;

static int take_fact(void *ctx, pith_pred pred, const pith_sym *args,
                     size_t n) {
  const taking *t = ctx;
  double value = t->p->value == NULL ? 1 : t->p->value(t->p->ctx, pred, args);
  pith_status rc = pith_i_fact_give(&t->m->f->core, pred, (uint32_t)n, args);
  if (rc >= 0 && !pith_i_push(t->m->c->env, &t->m->f->values, value))
    rc = PITH_ENOMEM;
  return rc;
}

static pith_status take(making *m, const pith_i_proposal *p,
                        const pith_i_store *core) {
  taking t = {m, p};
  pith_status rc = new_theory(m->c, p->by, &m->f);
  for (size_t i = 0; rc >= 0 && i < p->rule_count; i++) {
    pith_rule *copy = pith_i_rule_copy(&m->f->arena, p->rules[i]);
    if (copy == NULL || !pith_i_push(m->c->env, &m->f->rules, copy))
      rc = PITH_ENOMEM;
  }
  if (rc >= 0)
    rc = pith_i_fact_each(core, PITH_NONE, PITH_GIVEN, take_fact, &t);
  if (rc == PITH_OK)
    rc = judge(m);
  if (rc == PITH_OK)
    rc = list_invented(m);
  return rc == PITH_OK ? count_rules(m) : rc;
}

pith_status pith_i_compress_take(pith_i_compressor *c, const pith_i_proposal *p,
                                 const pith_i_store *core) {
  pith_i_observations w = {0};
  making m = {.c = c, .w = &w};
  pith_status rc = make_scene(c, c->observed, p->invented, &w);
  if (rc == PITH_OK)
    rc = take(&m, p, core);
  if (rc == PITH_OK) {
    set_price(&m, c->theory->templates.n > 0);
    pith_i_compressed_free(c->best);
    c->best = m.f;
  } else {
    pith_i_compressed_free(m.f);
  }
  pith_i_observations_free(&w);
  return rc;
}
