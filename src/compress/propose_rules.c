#include "compress/propose_rules.h"

#include <assert.h>
#include <string.h>

#include "base/tunables.h"
#include "compress/doubt_facts.h"
#include "term/equal.h"

pith_status pith_i_rule_search_begin(pith_i_rule_search *s,
                                     pith_i_compressor *c,
                                     const pith_i_observations *w,
                                     uint32_t max_body) {
  s->c = c;
  s->max_body = max_body;
  s->rounds = max_body == 1 ? PITH_TUNE_COMPRESS_FIRST_ROUNDS
                            : PITH_TUNE_COMPRESS_CHOICE_ROUNDS;
  s->w = s->small = w;
  s->arena.env = c->env;
  if (w->n <= PITH_TUNE_COMPRESS_SAMPLE_FACTS)
    return PITH_OK;
  s->small = &s->sample;
  return pith_i_observations_sample(
      &s->sample, w, PITH_TUNE_COMPRESS_SAMPLE_FACTS, c->opt->run.seed);
}

void pith_i_rule_search_end(pith_i_rule_search *s) {
  pith_i_observations_free(&s->sample);
  pith_i_vec_free(s->c->env, &s->list);
  pith_i_vec_free(s->c->env, &s->shapes);
  pith_i_release(s->c->env, s->dead);
  pith_i_release(s->c->env, s->active);
  pith_i_release(s->c->env, s->open);
  pith_i_arena_free(&s->arena);
}

/* ---- shapes ------------------------------------------------------------ */

static bool same_template(const pith_template *a, const pith_template *b) {
  const pith_rule *x = &a->shape, *y = &b->shape;
  bool same = a->slot_count == b->slot_count && x->body_len == y->body_len &&
              x->var_count == y->var_count &&
              pith_i_atom_equal(&x->head, &y->head);
  for (uint32_t i = 0; same && i < a->slot_count; i++)
    same = a->slots[i].arity == b->slots[i].arity &&
           a->slots[i].pred == b->slots[i].pred;
  for (uint32_t i = 0; same && i < x->body_len; i++)
    same = pith_i_atom_equal(&x->body[i], &y->body[i]);
  return same;
}

/* Templates that differ in nothing are one shape, with as many copies. */
static pith_status list_templates(pith_i_rule_search *s) {
  const pith_i_theory *t = s->c->theory;
  for (size_t i = 0; i < t->templates.n; i++) {
    size_t j = 0;
    while (j < s->shapes.n &&
           !same_template(s->shapes.at[j], t->templates.at[i]))
      j++;
    if (j == s->shapes.n &&
        !pith_i_push(s->c->env, &s->shapes, t->templates.at[i]))
      return PITH_ENOMEM;
  }
  return PITH_OK;
}

static pith_status count_copies(pith_i_rule_search *s) {
  const pith_i_theory *t = s->c->theory;
  s->copies =
      pith_i_arena_alloc(&s->arena, (s->shapes.n + 1) * sizeof *s->copies);
  if (s->copies == NULL)
    return PITH_ENOMEM;
  memset(s->copies, 0, (s->shapes.n + 1) * sizeof *s->copies);
  for (size_t i = 0; i < t->templates.n; i++)
    for (size_t j = 0; j < s->shapes.n; j++)
      if (same_template(s->shapes.at[j], t->templates.at[i]))
        s->copies[j] += t->templates.at[i]->copies;
  return PITH_OK;
}

static pith_status list_shapes(pith_i_rule_search *s) {
  pith_status rc = s->c->theory->templates.n > 0
                       ? list_templates(s)
                       : pith_i_shapes_add(&s->arena, &s->c->theory->names,
                                           s->max_body, &s->shapes);
  return rc < 0 ? rc : count_copies(s);
}

/* ---- choosing ---------------------------------------------------------- */

/* Chosen rules that are wrong outside the sample are dead; *any: some are. */
static pith_status bury_wrong_rules(pith_i_rule_search *s, bool *any) {
  pith_status rc = PITH_OK;
  *any = false;
  for (size_t i = 0; rc == PITH_OK && i < s->list.n; i++) {
    uint64_t wrong;
    if (!s->active[i])
      continue;
    assert(!s->dead[i]);
    pith_pred head = s->list.at[i].rule->head.pred;
    uint64_t most =
        (uint64_t)(s->wrong * (double)pith_i_observation_count(s->w, head));
    rc = pith_i_rule_count_wrong(s->w, s->list.at[i].rule, most, s->c->run,
                                 &wrong);
    if (rc == PITH_OK && wrong > most) {
      s->dead[i] = *any = true;
      s->active[i] = false;
    }
  }
  return rc;
}

static pith_i_choose_options choose_options(const pith_i_rule_search *s) {
  const pith_i_compressor *c = s->c;
  bool templates = c->theory->templates.n > 0;
  return (pith_i_choose_options){
      .free_rules = templates,
      .exception = pith_i_exception_price(c),
      .one_step = templates && c->theory->steps == 1,
      .seed = c->opt->run.seed,
      .work = s->invents ? PITH_TUNE_COMPRESS_CHOICE_WORK / 3
                         : PITH_TUNE_COMPRESS_CHOICE_WORK,
      .rounds = s->rounds,
      .max_rules = c->opt->max_rules,
      .copies = s->copies,
      .shape_count = s->shapes.n,
      .run = c->run};
}

static pith_status choose_rules(pith_i_rule_search *s) {
  assert(s->dead != NULL && s->active != NULL);
  pith_i_choose_options opt = choose_options(s);
  pith_i_chooser *chooser = NULL;
  pith_status rc = pith_i_chooser_new(s->small, &s->list, &opt, &chooser);
  for (bool any = true; rc == PITH_OK && any;) {
    rc = pith_i_choose(chooser, s->dead, s->active, &s->bits);
    any = false;
    if (rc == PITH_OK)
      rc = bury_wrong_rules(s, &any);
  }
  if (rc == PITH_OK)
    rc = pith_i_chooser_open(chooser, s->active, s->open);
  pith_i_chooser_free(chooser);
  return rc;
}

static bool *grow_flags(const pith_i_rule_search *s, bool *old, size_t before) {
  bool *flags = pith_i_zalloc(s->c->env, s->list.n + 1, sizeof *flags);
  if (flags != NULL && old != NULL)
    memcpy(flags, old, before * sizeof *flags);
  if (flags != NULL)
    pith_i_release(s->c->env, old);
  return flags;
}

/* Flags for all of the list; those of the first so many stay. */
static pith_status make_flags(pith_i_rule_search *s, size_t before) {
  bool *dead = grow_flags(s, s->dead, before);
  s->dead = dead != NULL ? dead : s->dead;
  bool *active = grow_flags(s, s->active, before);
  s->active = active != NULL ? active : s->active;
  if (s->open == NULL)
    s->open = pith_i_zalloc(s->c->env, s->small->n + 1, sizeof *s->open);
  return dead == NULL || active == NULL || s->open == NULL ? PITH_ENOMEM
                                                           : PITH_OK;
}

pith_status pith_i_mine_and_choose(pith_i_rule_search *s, double wrong,
                                   double confidence) {
  pith_i_compressor *c = s->c;
  pith_i_mining_options opt = {.wrong = wrong,
                               .confidence = confidence,
                               .types = c->opt->types,
                               .work = PITH_TUNE_COMPRESS_MINING_WORK,
                               .run = c->run};
  s->wrong = wrong;
  pith_status rc = list_shapes(s);
  pith_i_report_phase(c, "looking for rules");
  if (rc >= 0)
    rc = pith_i_rules_mine(s->small, &s->arena, &s->shapes, &opt, &s->list);
  if (rc >= 0)
    rc = make_flags(s, 0);
  pith_i_report_phase(c, "choosing rules");
  return rc >= 0 ? choose_rules(s) : rc;
}

/* ---- widening ----------------------------------------------------------- */

/* Plain shapes with aspects in them, then shapes with a condition. */
static pith_status mine_wider(pith_i_rule_search *s, double confidence,
                              const pith_i_aspects *aspects,
                              const pith_i_observations *wide) {
  pith_i_compressor *c = s->c;
  pith_i_mining_aspects with = {.aspects = aspects,
                                .names = &c->theory->names,
                                .required = true,
                                .max_body = s->max_body,
                                .open = s->open,
                                .scale = s->small->scale,
                                .words = s->small->words};
  pith_i_mining_options opt = {.wrong = s->wrong,
                               .confidence = confidence,
                               .types = c->opt->types,
                               .work = s->max_body *
                                       PITH_TUNE_COMPRESS_WIDENING_WORK,
                               .with = &with,
                               .run = c->run};
  pith_i_shapes conditions = {0};
  pith_status rc =
      pith_i_rules_mine(wide, &s->arena, &s->shapes, &opt, &s->list);
  if (rc == PITH_OK)
    rc = pith_i_shapes_add_conditions(&s->arena, &c->theory->names, s->max_body,
                                      &conditions);
  with.required = false;
  with.aspects = NULL;
  if (rc == PITH_OK)
    rc = pith_i_rules_mine(s->small, &s->arena, &conditions, &opt, &s->list);
  pith_i_vec_free(c->env, &conditions);
  return rc;
}

/* Keeps the rules from `from` on that could save most, in that order. */
static void keep_most_saving(pith_i_rule_search *s, size_t from) {
  pith_i_mined_rule *at = s->list.at + from;
  const size_t most = s->max_body == 1 ? PITH_TUNE_COMPRESS_FIRST_RULES
                                       : PITH_TUNE_COMPRESS_WIDENED_RULES;
  size_t kept = 0, n = s->list.n - from;
  for (size_t i = 0; i < n; i++) {
    pith_i_mined_rule one = at[i];
    size_t k = kept < most ? kept++ : most;
    for (; k > 0 && at[k - 1].saving < one.saving; k--)
      if (k < most)
        at[k] = at[k - 1];
    if (k < most)
      at[k] = one;
  }
  s->list.n = from + kept;
}

/* The choice before was made without the rules that are new: it may be better
** to begin with nothing. */
static pith_status choose_afresh(pith_i_rule_search *s) {
  double bits = s->bits;
  size_t size = s->list.n * sizeof *s->active;
  bool *before = pith_i_alloc(s->c->env, size + 1);
  if (before == NULL)
    return PITH_ENOMEM;
  memcpy(before, s->active, size);
  memset(s->active, 0, size);
  s->rounds = PITH_TUNE_COMPRESS_WIDENED_ROUNDS;
  pith_status rc = choose_rules(s);
  if (rc < 0 || s->bits >= bits)
    memcpy(s->active, before, size);
  pith_i_release(s->c->env, before);
  return rc;
}

/* Chooses among the rules from `from` on as well; only where one of them pays
** at once, more is tried. */
static pith_status choose_widened(pith_i_rule_search *s, size_t from,
                                  bool *changed) {
  keep_most_saving(s, from);
  pith_status rc = make_flags(s, from);
  s->rounds = 0;
  if (rc == PITH_OK)
    rc = choose_rules(s);
  for (size_t k = from; k < s->list.n; k++)
    *changed |= s->active[k];
  return rc == PITH_OK && *changed ? choose_afresh(s) : rc;
}

pith_status pith_i_widen_choice(pith_i_rule_search *s, double confidence,
                                bool *changed) {
  pith_i_compressor *c = s->c;
  pith_i_aspects aspects = {0};
  pith_i_observations wide = {0};
  size_t before = s->list.n;
  *changed = false;
  if (c->theory->templates.n > 0 || s->invents || c->hiding.share > 0)
    return PITH_OK;
  pith_i_report_phase(c, "looking for rules with conditions");
  pith_status rc = pith_i_aspects_find(s->small, c->run, &aspects);
  if (rc >= 0)
    rc = pith_i_aspects_observe(&aspects, s->small, &wide);
  if (rc >= 0)
    rc = mine_wider(s, confidence, &aspects, &wide);
  if (rc == PITH_OK && s->list.n > before)
    rc = choose_widened(s, before, changed);
  pith_i_observations_free(&wide);
  pith_i_aspects_free(c->env, &aspects);
  return rc;
}

/* ---- offering ---------------------------------------------------------- */

static pith_status offer_choice(pith_i_rule_search *s,
                                const pith_i_proposal *like) {
  assert(s->active != NULL);
  pith_rule **rules =
      pith_i_arena_alloc(&s->arena, (s->list.n + 1) * sizeof *rules);
  if (rules == NULL)
    return PITH_ENOMEM;
  for (size_t i = 0; i < s->list.n; i++)
    rules[i] = s->list.at[i].rule;
  pith_i_proposal p = *like;
  p.rules = rules;
  p.rule_count = s->list.n;
  return pith_i_complete_theory(s->c, s->w, &p, s->active);
}

/* Completes what was chosen even when time is up, unless that takes long. */
static pith_status offer_in_any_case(pith_i_rule_search *s,
                                     const pith_i_proposal *p, pith_status rc) {
  pith_i_run *run = s->c->run, brief;
  pith_i_report_phase(s->c, "making the core minimal");
  if (rc == PITH_STOPPED && s->w->n <= PITH_TUNE_COMPRESS_QUICK_FACTS) {
    pith_i_run_begin(&brief, &(pith_run){.seconds = 0.05});
    s->c->brief = &brief;
    s->c->run = NULL;
  }
  pith_status offered = offer_choice(s, p);
  s->c->brief = NULL;
  s->c->run = run;
  return offered < 0 ? offered : rc;
}

/* Whether a rule was chosen that pays a surcharge, which a certificate does not
** know. */
static bool chose_surcharged(const pith_i_rule_search *s) {
  for (size_t i = 0; i < s->list.n; i++)
    if (s->active[i] && s->list.at[i].surcharge > 0)
      return true;
  return false;
}

/* Keeps the mined rules, for a certificate that tries all choices. */
static pith_status note_considered(const pith_i_rule_search *s) {
  enum { MOST_RULES = 5000, MOST_FACTS = 1000 };
  pith_i_compressor *c = s->c;
  c->considered.n = 0;
  if (s->list.n > MOST_RULES || s->w->n > MOST_FACTS ||
      c->theory->templates.n > 0 || chose_surcharged(s))
    return PITH_OK;
  for (size_t i = 0; i < s->list.n; i++) {
    if (s->list.at[i].surcharge > 0)
      continue;
    pith_rule *copy = pith_i_rule_copy(&c->arena, s->list.at[i].rule);
    if (copy == NULL || !pith_i_push(c->env, &c->considered, copy))
      return PITH_ENOMEM;
  }
  return PITH_OK;
}

/* Rules of up to max_body atoms: first plain ones, then, from that choice on,
** those with aspects. */
static pith_status propose_size(pith_i_rule_search *s,
                                const pith_i_proposal *like) {
  bool changed = false;
  pith_status rc = pith_i_mine_and_choose(s, 0, 1);
  if (rc >= 0 && s->active != NULL)
    rc = offer_in_any_case(s, like, rc);
  if (rc == PITH_OK)
    rc = pith_i_widen_choice(s, 1, &changed);
  if (rc == PITH_OK && changed)
    rc = offer_in_any_case(s, like, rc);
  if (rc == PITH_OK && !s->invents)
    rc = note_considered(s);
  if (rc == PITH_OK && s->c->hiding.share > 0 && !s->invents)
    rc = pith_i_propose_beyond_hidden(s);
  return rc;
}

uint32_t pith_i_least_body(const pith_i_compressor *c) {
  return c->theory->templates.n > 0 ? c->opt->max_body : 1;
}

/* From small bodies to large: what a small space gives stands until a larger
** one gives something shorter, so more room never finds less. */
static pith_status propose_over(pith_i_compressor *c,
                                const pith_i_store *invented) {
  pith_i_observations w = {0};
  pith_i_proposal like = {.invented = invented, .by = "search"};
  pith_status rc = pith_i_compressor_observe(c, c->observed, invented, &w);
  for (uint32_t n = pith_i_least_body(c);
       rc == PITH_OK && n <= c->opt->max_body; n++) {
    pith_i_rule_search s = {.c = c, .invents = invented != NULL};
    rc = pith_i_rule_search_begin(&s, c, &w, n);
    if (rc >= 0)
      rc = propose_size(&s, &like);
    pith_i_rule_search_end(&s);
  }
  pith_i_observations_free(&w);
  return rc;
}

pith_status pith_i_propose_rules(pith_i_compressor *c) {
  return propose_over(c, NULL);
}

/* How many concepts may be invented: with templates, those they name. */
static uint32_t concepts_allowed(const pith_i_compressor *c) {
  uint32_t named = 0;
  for (size_t p = 0; p < c->theory->names.preds.n; p++)
    named += (c->theory->names.preds.at[p].roles & PITH_INVENTED) != 0;
  if (c->theory->templates.n == 0)
    return c->opt->max_invented;
  return named < c->opt->max_invented ? named : c->opt->max_invented;
}

pith_status pith_i_propose_invented(pith_i_compressor *c) {
  pith_i_observations w = {0};
  pith_i_store invented;
  pith_i_store_init(&invented, c->env);
  pith_i_report_phase(c, "inventing concepts");
  pith_status rc = pith_i_compressor_observe(c, c->observed, NULL, &w);
  if (rc == PITH_OK)
    rc = pith_i_invent(c->theory, &w, concepts_allowed(c), &c->arena, &invented,
                       &c->concepts);
  pith_i_observations_free(&w);
  c->invented = &invented;
  if (rc == PITH_OK && c->concepts.n > 0)
    rc = propose_over(c, &invented);
  c->invented = NULL;
  pith_i_store_free(&invented);
  return rc;
}

/* Lists the proposal's rules that are never wrong. */
static pith_status list_right_rules(pith_i_rule_search *s,
                                    const pith_i_proposal *p) {
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc == PITH_OK && i < p->rule_count; i++) {
    pith_i_mined_rule one = {.rule = p->rules[i], .shape = PITH_NONE};
    uint64_t wrong;
    rc = pith_i_rule_count_wrong(s->w, p->rules[i], 0, s->c->run, &wrong);
    if (rc == PITH_OK && wrong == 0 && !pith_i_push(s->c->env, &s->list, one))
      rc = PITH_ENOMEM;
  }
  return rc;
}

pith_status pith_i_compress_offer(pith_i_compressor *c,
                                  const pith_i_proposal *p) {
  pith_i_observations w = {0};
  pith_i_rule_search s = {.c = c};
  if (pith_i_stop_requested(c->run))
    return PITH_STOPPED;
  pith_status rc = pith_i_compressor_observe(c, c->observed, p->invented, &w);
  if (rc == PITH_OK)
    rc = pith_i_rule_search_begin(&s, c, &w, c->opt->max_body);
  if (rc == PITH_OK)
    rc = list_right_rules(&s, p);
  if (rc == PITH_OK)
    rc = make_flags(&s, 0);
  if (rc == PITH_OK) {
    memset(s.active, true, s.list.n * sizeof *s.active);
    rc = choose_rules(&s);
  }
  if (rc == PITH_OK)
    rc = offer_choice(&s, p);
  pith_i_rule_search_end(&s);
  pith_i_observations_free(&w);
  return rc;
}
