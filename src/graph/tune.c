#include "graph/tune.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/tunables.h"
#include "graph/fit_odds.h"

enum { F = PITH_I_FEATURES, M = PITH_I_AGGREGATORS };

typedef struct {
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
      marks == NULL
          ? PITH_ENOMEM
          : pith_i_held_out_rank_folds(u->crew, u->index, u->e, folds, u->seed,
                                       PITH_I_SAMPLES, marks);
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

/* From open questions, each scored by weights that did not see it. */
static pith_status fit_probabilities(const pith_i_tuner *u, tuning *t,
                                     uint32_t ways, pith_i_scoring *s,
                                     pith_i_tuned *info) {
  pith_i_open_answers open = {0};
  const pith_i_scoring *folds[2] = {&t->fold[0], &t->fold[1]};
  pith_i_env *env = u->crew->owner;
  for (int i = 0; i < 2; i++)
    memcpy(t->fold[i].method, s->method, ways);
  pith_status rc =
      pith_i_ask_openly(u->crew, u->index, u->e, folds, u->seed, &open);
  if (rc == PITH_OK)
    rc = pith_i_fit_odds(env, &open, ways, s);
  info->missing = 1;
  if (rc == PITH_OK && !u->whole)
    rc = pith_i_bound_missing(env, &open, ways, s, &info->missing);
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

/* To four places, as a model keeps them. */
static double round_place(double x) { return floor(x * 1e4 + 0.5) / 1e4; }

static void round_scoring(pith_i_scoring *s, uint32_t ways) {
  for (int k = 0; k < PITH_I_CLUES; k++)
    s->slope[k] = round_place(s->slope[k]);
  for (size_t w = 0; w < 2 * (size_t)ways; w++)
    s->bias[w] = (float)round_place((double)s->bias[w]);
  for (size_t i = 0; i < ((size_t)ways + 1) * F; i++)
    s->weights[i] = (float)round_place((double)s->weights[i]);
}

pith_status pith_i_tune(const pith_i_tuner *u, pith_i_scoring *s,
                        pith_i_tuned *info) {
  pith_i_env *env = u->crew->owner;
  uint32_t ways = u->index->g->ways;
  tuning t = {0};
  *info = (pith_i_tuned){0};
  pith_status rc = pith_i_held_out_samples(
      u->crew, u->index, u->e, NULL, u->seed, PITH_TUNE_TUNE_FIRST_SAMPLES,
      PITH_I_RIVALS, &t.samples);
  if (rc == PITH_OK)
    rc = pith_i_aggregate_fit(u->crew, &t.samples, ways, PITH_NONE, s->weights);
  pith_i_samples_free(env, &t.samples);
  if (rc == PITH_OK)
    rc = pith_i_held_out_samples(u->crew, u->index, u->e, s, u->seed,
                                 PITH_I_SAMPLES, PITH_I_RIVALS, &t.samples);
  if (rc == PITH_OK)
    rc = tune_samples(u, &t, s, info);
  round_scoring(s, ways);
  pith_i_samples_free(env, &t.samples);
  for (int i = 0; i < 2; i++)
    pith_i_scoring_free(env, &t.fold[i]);
  return rc;
}
