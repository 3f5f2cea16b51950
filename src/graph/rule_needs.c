#include "graph/rule_needs.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/tunables.h"

/* A reason for a fact; confidence without the fact itself. */
typedef struct {
  uint32_t rule;
  float confidence;
} fact_reason;

/* Facts of one run that are asked for: [first, last) of the facts. */
typedef struct {
  uint32_t run, first, last;
} fact_group;

typedef struct {
  pith_i_applier *applier;
  uint32_t *mark;  /* (entities) its fact + 1 where it is asked for now   */
  uint64_t *sum;   /* (rules) of hashes of all answers that a rule gave   */
  uint64_t mixing; /* the question under way, in those hashes              */
  fact_reason *reasons;
  const pith_i_path *rules;
} needs_worker;

typedef struct {
  const pith_i_rule_index *index;
  uint64_t seed;
  PITH_I_VEC(fact_group) groups;
  PITH_I_VEC(uint32_t) facts; /* edges */
  fact_reason *reasons;       /* (facts, PITH_I_REASONS) best first         */
  needs_worker *workers;      /* (jobs) */
} needs_job;

/* ---- what to ask ------------------------------------------------------ */

/* Which relations have rules. (relations) */
static uint64_t mark_relations(const pith_i_rule_index *b, bool *has_rules) {
  uint64_t edges = 0;
  for (size_t i = 0; i < b->n; i++)
    has_rules[b->rules[i].head / 2] = true;
  for (pith_i_way way = 0; way < b->g->ways; way++)
    edges += has_rules[way / 2] ? b->g->way_edges[way] : 0;
  return edges;
}

/* Edges go both ways, so each fact may be asked for twice. */
static pith_status draw_of_run(pith_i_env *env, needs_job *t, uint32_t run,
                               uint64_t edges) {
  const pith_i_graph *g = t->index->g;
  uint32_t first = (uint32_t)t->facts.n;
  for (uint32_t e = g->run_edge[run]; e < g->run_edge[run + 1]; e++)
    if (pith_i_random(t->seed, 11, e) % edges < PITH_TUNE_FEW_FACTS &&
        !pith_i_push(env, &t->facts, e))
      return PITH_ENOMEM;
  fact_group group = {run, first, (uint32_t)t->facts.n};
  return group.last == first || pith_i_push(env, &t->groups, group)
             ? PITH_OK
             : PITH_ENOMEM;
}

static pith_status draw_facts(pith_i_env *env, needs_job *t) {
  const pith_i_graph *g = t->index->g;
  bool *has_rules =
      pith_i_zalloc(env, (size_t)g->relations + 1, sizeof *has_rules);
  pith_status rc = has_rules == NULL ? PITH_ENOMEM : PITH_OK;
  uint64_t edges = rc < 0 ? 0 : mark_relations(t->index, has_rules);
  for (uint32_t run = 0; rc >= 0 && run < g->runs; run++)
    if (has_rules[g->run_way[run] / 2])
      rc = draw_of_run(env, t, run, edges);
  pith_i_release(env, has_rules);
  return rc;
}

/* ---- asking ----------------------------------------------------------- */

/* As pith_i_path_set has it, with one right prediction less. */
static float confidence_without(const pith_i_path *p) {
  return p->support == 0 ? 0
                         : (float)(p->support - 1) /
                               (float)(p->predictions - 1 + PITH_I_UNSEEN);
}

static bool is_better_reason(const pith_i_path *rules, const fact_reason *a,
                             const fact_reason *b) {
  if (b->rule == PITH_NONE || a->confidence != b->confidence)
    return b->rule == PITH_NONE || a->confidence > b->confidence;
  if (rules[a->rule].support != rules[b->rule].support)
    return rules[a->rule].support > rules[b->rule].support;
  return a->rule < b->rule;
}

static void keep_reason(const pith_i_path *rules, fact_reason *list,
                        fact_reason reason) {
  uint32_t at = PITH_I_REASONS;
  for (; at > 0 && is_better_reason(rules, &reason, &list[at - 1]); at--)
    if (at < PITH_I_REASONS)
      list[at] = list[at - 1];
  if (at < PITH_I_REASONS)
    list[at] = reason;
}

static void note_vote(void *ctx, uint32_t rule, uint32_t entity,
                      uint32_t groundings) {
  needs_worker *w = ctx;
  (void)groundings;
  w->sum[rule] += pith_i_scramble(w->mixing ^ entity);
  if (w->mark[entity] != 0)
    keep_reason(w->rules,
                w->reasons + (size_t)(w->mark[entity] - 1) * PITH_I_REASONS,
                (fact_reason){rule, confidence_without(&w->rules[rule])});
}

static pith_status needs_worker_init(pith_i_env *env, const needs_job *t,
                                     needs_worker *w) {
  const pith_i_rule_index *b = t->index;
  pith_status rc = pith_i_applier_new(env, b, &w->applier);
  w->mark = pith_i_zalloc(env, (size_t)b->g->entities + 1, sizeof *w->mark);
  w->sum = pith_i_zalloc(env, b->n + 1, sizeof *w->sum);
  if (rc < 0 || w->mark == NULL || w->sum == NULL)
    return PITH_ENOMEM;
  w->applier->on_vote = note_vote;
  w->applier->on_vote_ctx = w;
  w->applier->rules_only = true;
  w->reasons = t->reasons;
  w->rules = b->rules;
  return PITH_OK;
}

static pith_status ask_group(void *ctx, pith_i_worker *worker, size_t item) {
  needs_job *t = ctx;
  const pith_i_graph *g = t->index->g;
  const fact_group *group = &t->groups.at[item];
  needs_worker *w = &t->workers[worker->number];
  pith_status rc =
      w->sum != NULL ? PITH_OK : needs_worker_init(&worker->env, t, w);
  if (rc < 0)
    return rc;
  for (uint32_t i = group->first; i < group->last; i++)
    w->mark[g->target[t->facts.at[i]]] = i + 1;
  w->mixing = (uint64_t)(group->run + 1) << 32;
  rc = pith_i_apply_rules(w->applier, pith_i_run_node(g, group->run),
                          g->run_way[group->run]);
  for (uint32_t i = group->first; i < group->last; i++)
    w->mark[g->target[t->facts.at[i]]] = 0;
  return rc;
}

/* Sums of some rules, as others made them. */
typedef struct {
  uint64_t rule, sum;
} rule_sum;

static uint64_t take_sum(const needs_job *t, uint32_t jobs, size_t rule) {
  uint64_t sum = 0;
  for (uint32_t k = 0; k < jobs; k++)
    if (t->workers[k].sum != NULL) {
      sum += t->workers[k].sum[rule];
      t->workers[k].sum[rule] = 0;
    }
  return sum;
}

static pith_status pack_needs(void *ctx, pith_i_crew *c, size_t first,
                              size_t last, pith_i_buffer *out) {
  const needs_job *t = ctx;
  size_t from = t->groups.at[first].first, to = t->groups.at[last - 1].last;
  bool ok =
      pith_i_buffer_put(c->owner, out, t->reasons + from * PITH_I_REASONS,
                        (to - from) * PITH_I_REASONS * sizeof *t->reasons);
  for (size_t i = 0; ok && i < t->index->n; i++) {
    rule_sum s = {i, take_sum(t, c->jobs, i)};
    ok = s.sum == 0 || pith_i_buffer_put(c->owner, out, &s, sizeof s);
  }
  return ok ? PITH_OK : PITH_ENOMEM;
}

static pith_status unpack_needs(void *ctx, pith_i_crew *c, size_t first,
                                size_t last, pith_i_cursor *in) {
  const needs_job *t = ctx;
  needs_worker *w = &t->workers[0];
  size_t from = t->groups.at[first].first, to = t->groups.at[last - 1].last;
  pith_status rc =
      w->sum != NULL ? PITH_OK : needs_worker_init(&c->workers[0].env, t, w);
  pith_i_cursor_take(in, t->reasons + from * PITH_I_REASONS,
                     (to - from) * PITH_I_REASONS * sizeof *t->reasons);
  while (rc >= 0 && in->ok && in->left > 0) {
    rule_sum s;
    pith_i_cursor_take(in, &s, sizeof s);
    in->ok = in->ok && s.rule < t->index->n;
    if (in->ok)
      w->sum[s.rule] += s.sum;
  }
  return rc;
}

static pith_status ask_for_facts(pith_i_crew *crew, needs_job *t) {
  pith_i_env *env = crew->owner;
  size_t n = t->facts.n * PITH_I_REASONS;
  t->workers = pith_i_zalloc(env, crew->jobs, sizeof *t->workers);
  t->reasons = pith_i_alloc(env, (n + 1) * sizeof *t->reasons);
  if (t->workers == NULL || t->reasons == NULL)
    return PITH_ENOMEM;
  for (size_t i = 0; i < n; i++)
    t->reasons[i] = (fact_reason){PITH_NONE, 0};
  const pith_i_shared_loop groups = {t->groups.n,  ask_group, pack_needs,
                                     unpack_needs, false,     0};
  return pith_i_crew_share(crew, &groups, t);
}

/* ---- who repeats whom -------------------------------------------------- */

typedef struct {
  pith_i_way head;
  uint32_t constant, support, predictions, rule;
  uint64_t sum;
} rule_print;

static int compare_counts(uint64_t a, uint64_t b) { return (a > b) - (a < b); }

static int compare_prints(const rule_print *a, const rule_print *b) {
  int c = compare_counts(a->head, b->head);
  if (c == 0)
    c = compare_counts(a->constant, b->constant);
  if (c == 0)
    c = compare_counts(a->sum, b->sum);
  if (c == 0)
    c = compare_counts(a->support, b->support);
  return c != 0 ? c : compare_counts(a->predictions, b->predictions);
}

static int order_prints(const void *left, const void *right) {
  const rule_print *a = left, *b = right;
  int c = compare_prints(a, b);
  return c != 0 ? c : compare_counts(a->rule, b->rule);
}

/* Marks rules that gave the same answers as one before. (rules) */
static pith_status find_repeated(pith_i_crew *crew, const needs_job *t,
                                 bool *repeats, uint64_t *count) {
  size_t n = t->index->n;
  rule_print *prints = pith_i_alloc(crew->owner, (n + 1) * sizeof *prints);
  if (prints == NULL)
    return PITH_ENOMEM;
  for (size_t i = 0; i < n; i++) {
    const pith_i_path *p = &t->index->rules[i];
    uint64_t sum = 0;
    for (uint32_t k = 0; k < crew->jobs; k++)
      sum += t->workers[k].sum == NULL ? 0 : t->workers[k].sum[i];
    prints[i] = (rule_print){p->head,        p->constant, p->support,
                             p->predictions, (uint32_t)i, sum};
  }
  if (n > 0)
    qsort(prints, n, sizeof *prints, order_prints);
  for (size_t i = 1; i < n; i++) /* no answer given: nothing to compare */
    if (prints[i].sum != 0 && compare_prints(&prints[i - 1], &prints[i]) == 0) {
      repeats[prints[i].rule] = true;
      ++*count;
    }
  pith_i_release(crew->owner, prints);
  return PITH_OK;
}

/* ---- places ----------------------------------------------------------- */

static void place_by_need(const needs_job *t, const bool *repeats,
                          uint32_t *place) {
  for (size_t f = 0; f < t->facts.n; f++) {
    const fact_reason *list = t->reasons + f * PITH_I_REASONS;
    uint32_t at = 0;
    for (int i = 0; i < PITH_I_REASONS && list[i].rule != PITH_NONE; i++) {
      uint32_t rule = list[i].rule;
      if (repeats[rule])
        continue;
      place[rule] = at < place[rule] ? at : place[rule];
      at++;
    }
  }
}

/* Rules with a constant of whose facts some were not drawn: these may need
** them too, so the order of their confidence stands for that. */
static pith_status place_undrawn(pith_i_env *env, const needs_job *t,
                                 const bool *repeats, uint32_t *place) {
  const pith_i_rule_index *b = t->index;
  bool *drawn = pith_i_zalloc(env, (size_t)b->g->runs + 1, sizeof *drawn);
  if (drawn == NULL)
    return PITH_ENOMEM;
  for (size_t i = 0; i < t->groups.n; i++) {
    const fact_group *group = &t->groups.at[i];
    drawn[group->run] =
        group->last - group->first == pith_i_run_size(b->g, group->run);
  }
  for (uint32_t run = 0; run < b->g->runs; run++) {
    uint32_t at = 0;
    for (uint32_t i = b->head_first[run];
         !drawn[run] && i < b->head_first[run + 1]; i++) {
      uint32_t rule = b->by_head[i];
      if (repeats[rule])
        continue;
      place[rule] = at < place[rule] ? at : place[rule];
      at++;
    }
  }
  pith_i_release(env, drawn);
  return PITH_OK;
}

static pith_status place_rules(pith_i_crew *crew, const needs_job *t,
                               pith_i_rule_needs *out) {
  pith_i_env *env = crew->owner;
  size_t n = t->index->n;
  bool *repeats = pith_i_zalloc(env, n + 1, sizeof *repeats);
  out->place = pith_i_alloc(env, (n + 1) * sizeof *out->place);
  pith_status rc = repeats == NULL || out->place == NULL
                       ? PITH_ENOMEM
                       : find_repeated(crew, t, repeats, &out->repeated);
  if (rc >= 0) {
    for (size_t i = 0; i < n; i++)
      out->place[i] = repeats[i] ? PITH_I_REPEATED : PITH_I_UNNEEDED;
    place_by_need(t, repeats, out->place);
    rc = place_undrawn(env, t, repeats, out->place);
  }
  pith_i_release(env, repeats);
  return rc;
}

static void needs_job_free(pith_i_crew *crew, needs_job *t) {
  for (uint32_t i = 0; t->workers != NULL && i < crew->jobs; i++) {
    pith_i_env *env = &crew->workers[i].env;
    pith_i_applier_free(env, t->workers[i].applier);
    pith_i_release(env, t->workers[i].mark);
    pith_i_release(env, t->workers[i].sum);
  }
  pith_i_release(crew->owner, t->workers);
  pith_i_release(crew->owner, t->reasons);
  pith_i_vec_free(crew->owner, &t->groups);
  pith_i_vec_free(crew->owner, &t->facts);
}

pith_status pith_i_rule_needs_find(pith_i_crew *crew,
                                   const pith_i_rule_index *index,
                                   uint64_t seed, pith_i_rule_needs *out) {
  needs_job t = {.index = index, .seed = seed};
  *out = (pith_i_rule_needs){0};
  pith_status rc = draw_facts(crew->owner, &t);
  if (rc >= 0)
    rc = ask_for_facts(crew, &t);
  if (rc == PITH_OK)
    rc = place_rules(crew, &t, out);
  needs_job_free(crew, &t);
  if (rc != PITH_OK)
    pith_i_rule_needs_free(crew->owner, out);
  return rc;
}

void pith_i_rule_needs_free(pith_i_env *env, pith_i_rule_needs *needs) {
  pith_i_release(env, needs->place);
  needs->place = NULL;
}
