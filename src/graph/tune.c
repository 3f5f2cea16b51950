#include "graph/tune.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/tunables.h"
#include "graph/fit_odds.h"

enum { F = PITH_I_FEATURES, M = PITH_I_AGGREGATORS };

typedef struct {
  uint32_t per_way; /* questions of a way that are asked, about */
  pith_i_samples samples;
  pith_i_scoring fold[2]; /* weights fitted without that fold */
} tuning;

/* ---- which way of scoring -------------------------------------------- */

/* Among all candidates, by weights that did not see the question: the rivals
** that weights were fitted to would flatter them. */
static pith_status try_on_questions(const pith_i_tuner *u, tuning *t,
                                    pith_i_tuned *info) {
  pith_i_env *env = u->crew->owner;
  size_t n = u->e->questions.n, asked = 0;
  const pith_i_scoring *folds[2] = {&t->fold[0], &t->fold[1]};
  pith_i_rank_record *marks = pith_i_zalloc(env, n + 1, sizeof *marks);
  pith_status rc =
      marks == NULL ? PITH_ENOMEM
                    : pith_i_held_out_rank_folds(u->crew, u->index, u->e, folds,
                                                 u->seed, t->per_way, marks);
  for (size_t i = 0; rc == PITH_OK && i < n; i++) {
    if (u->e->questions.at[i].way == PITH_NONE || !(marks[i].rank[0] > 0))
      continue; /* not drawn */
    asked++;
    for (int m = 0; m < M; m++)
      info->mrr[m] += 1 / marks[i].rank[m];
  }
  for (int m = 0; m < M; m++)
    info->mrr[m] /= asked > 0 ? (double)asked : 1;
  pith_i_release(env, marks);
  return rc;
}

/* One for all ways: the questions of one way do not tell three ways of scoring
** apart, and whoever chose by them would choose by chance. */
static void choose_aggregator(uint32_t ways, pith_i_scoring *s,
                              pith_i_tuned *info) {
  int best = M - 1;
  for (int m = M - 1; m >= 0; m--)
    if (info->mrr[m] > info->mrr[best])
      best = m;
  memset(s->method, best, ways);
  info->mrr[M] = info->mrr[best];
}

/* ---- probabilities --------------------------------------------------- */

/* How many answers are asked for from their other side: where time is short, no
** more than there were questions. */
static size_t count_back_questions(const pith_i_tuner *u,
                                   const pith_i_open_answers *open) {
  return u->hurries && open->questions < PITH_TUNE_BACK_FITTED
             ? open->questions
             : PITH_TUNE_BACK_FITTED;
}

/* From open questions, each scored by weights that did not see it. */
static pith_status fit_probabilities(const pith_i_tuner *u, tuning *t,
                                     uint32_t ways, pith_i_scoring *s,
                                     pith_i_tuned *info) {
  pith_i_open_answers open = {0};
  const pith_i_scoring *folds[2] = {&t->fold[0], &t->fold[1]};
  pith_i_env *env = u->crew->owner;
  for (int i = 0; i < 2; i++)
    memcpy(t->fold[i].method, s->method, ways);
  pith_status rc = pith_i_ask_openly(u->crew, u->index, u->e, folds, u->seed,
                                     t->per_way, &open);
  if (rc == PITH_OK)
    rc = pith_i_fit_odds(env, &open, ways, s);
  if (rc == PITH_OK)
    rc = pith_i_ask_back(u->crew, u->index, u->e, folds, u->seed,
                         count_back_questions(u, &open), &open);
  info->missing = 1;
  if (rc == PITH_OK && !u->whole)
    rc = pith_i_bound_missing(env, &open, u->index->g, s, &info->missing);
  if (rc == PITH_OK)
    pith_i_fit_sides(&open, s);
  pith_i_open_answers_free(env, &open);
  return rc;
}

/* ---- all together ---------------------------------------------------- */

static pith_status tune_samples(const pith_i_tuner *u, tuning *t,
                                pith_i_scoring *s, pith_i_tuned *info) {
  pith_i_crew *crew = u->crew;
  pith_i_env *env = crew->owner;
  uint32_t ways = u->index->g->ways;
  pith_status rc = PITH_OK;
  for (uint32_t fold = 0; rc == PITH_OK && fold < 2; fold++) {
    rc = pith_i_scoring_new(env, ways, &t->fold[fold]);
    if (rc == PITH_OK)
      rc = pith_i_aggregate_fit(crew, &t->samples, ways, fold,
                                t->fold[fold].weights);
  }
  info->samples = t->samples.samples.n;
  info->asked = info->samples + t->samples.unreached;
  if (rc == PITH_OK)
    rc = try_on_questions(u, t, info);
  if (rc == PITH_OK)
    choose_aggregator(ways, s, info);
  if (rc == PITH_OK && !u->ranks_only)
    rc = fit_probabilities(u, t, ways, s, info);
  if (rc == PITH_OK && !u->ranks_only)
    rc = pith_i_aggregate_fit(crew, &t->samples, ways, PITH_NONE, s->weights);
  return rc;
}

/* Of each way that is asked, so many at most. */
static size_t count_questions(const pith_i_held_out *e, uint32_t per_way) {
  const pith_i_question *q = e->questions.at;
  size_t all = 0, of_way = 0;
  for (size_t i = 0; i < e->questions.n && q[i].way != PITH_NONE; i++) {
    of_way = i > 0 && q[i].way == q[i - 1].way ? of_way + 1 : 1;
    all += of_way <= per_way;
  }
  return all;
}

/* To four places, as a model keeps them. */
static double round_place(double x) { return floor(x * 1e4 + 0.5) / 1e4; }

static void round_scoring(pith_i_scoring *s, uint32_t ways) {
  for (int k = 0; k < PITH_I_CLUES; k++)
    s->slope[k] = round_place(s->slope[k]);
  s->sides_base = round_place(s->sides_base);
  s->sides_slope = round_place(s->sides_slope);
  for (size_t w = 0; w < 2 * (size_t)ways; w++) {
    s->bias[w] = (float)round_place((double)s->bias[w]);
    s->missing[w] = (float)round_place((double)s->missing[w]);
  }
  for (size_t i = 0; i < ((size_t)ways + 1) * F; i++)
    s->weights[i] = (float)round_place((double)s->weights[i]);
}

/* With about so many questions of each way. */
static pith_status tune_with(const pith_i_tuner *u, uint32_t per_way,
                             pith_i_scoring *s, pith_i_tuned *info) {
  pith_i_env *env = u->crew->owner;
  uint32_t ways = u->index->g->ways;
  tuning t = {.per_way = per_way};
  *info = (pith_i_tuned){0};
  uint32_t first = per_way < PITH_TUNE_TUNE_FIRST_SAMPLES
                       ? per_way
                       : PITH_TUNE_TUNE_FIRST_SAMPLES;
  pith_status rc = pith_i_held_out_samples(
      u->crew, u->index, u->e, NULL, u->seed, first, PITH_I_RIVALS, &t.samples);
  if (rc == PITH_OK)
    rc = pith_i_aggregate_fit(u->crew, &t.samples, ways, PITH_NONE, s->weights);
  pith_i_samples_free(env, &t.samples);
  if (rc == PITH_OK)
    rc = pith_i_held_out_samples(u->crew, u->index, u->e, s, u->seed, per_way,
                                 PITH_I_RIVALS, &t.samples);
  if (rc == PITH_OK)
    rc = tune_samples(u, &t, s, info);
  if (rc != PITH_OK)
    *info = (pith_i_tuned){0};
  round_scoring(s, ways);
  pith_i_samples_free(env, &t.samples);
  for (int i = 0; i < 2; i++)
    pith_i_scoring_free(env, &t.fold[i]);
  return rc;
}

/* How many questions of each way the time that is left suffices for, if
** `per_way` of them took so many seconds: fitting takes longest, and as long as
** there are questions. Not many times as many, as a few may mislead, but all
** where there is plenty of time for them. */
static uint32_t find_affordable(const pith_i_tuner *u, uint32_t per_way,
                                double took) {
  const pith_i_run *run = u->crew->run;
  double writing = (double)run->now.rules * pith_i_reals.GRAPH_RULE_SECONDS;
  double left = run->end - run->began - pith_i_run_seconds(run) - writing;
  double each = took / fmax(1, (double)count_questions(u->e, per_way));
  double room = left * pith_i_reals.TUNE_TIME_SHARE;
  if (pith_i_reals.TUNE_PLENTY * each *
          (double)count_questions(u->e, PITH_I_SAMPLES) <
      room)
    return PITH_I_SAMPLES;
  uint32_t more = per_way < PITH_I_SAMPLES / PITH_TUNE_TUNE_STEP
                      ? per_way * PITH_TUNE_TUNE_STEP
                      : PITH_I_SAMPLES;
  while (more > per_way && each * (double)count_questions(u->e, more) > room)
    more -= 1 + (more - 1) / PITH_TUNE_TUNE_STEP;
  return more;
}

static void swap_scorings(pith_i_scoring *a, pith_i_scoring *b) {
  pith_i_scoring kept = *a;
  *a = *b;
  *b = kept;
}

/* A few questions are asked first: they show how many there is time for, and
** what they taught stays if the time ends before the others are done. */
static pith_status tune_in_time(const pith_i_tuner *u, pith_i_scoring *s,
                                pith_i_tuned *info) {
  pith_i_env *env = u->crew->owner;
  pith_i_scoring next = {0};
  pith_i_tuned tuned;
  uint32_t asked = 0, more = PITH_TUNE_TUNE_HURRIED_SAMPLES;
  pith_status rc = pith_i_scoring_new(env, u->index->g->ways, &next);
  *info = (pith_i_tuned){0};
  while (rc == PITH_OK && more > asked) {
    double began = pith_i_run_seconds(u->crew->run);
    rc = tune_with(u, more, &next, &tuned);
    if (rc != PITH_OK)
      break;
    swap_scorings(s, &next);
    *info = tuned;
    asked = more;
    more = find_affordable(u, asked, pith_i_run_seconds(u->crew->run) - began);
  }
  info->hurried =
      count_questions(u->e, asked) < count_questions(u->e, PITH_I_SAMPLES);
  pith_i_scoring_free(env, &next);
  return rc;
}

pith_status pith_i_tune(const pith_i_tuner *u, pith_i_scoring *s,
                        pith_i_tuned *info) {
  return u->hurries ? tune_in_time(u, s, info)
                    : tune_with(u, PITH_I_SAMPLES, s, info);
}
