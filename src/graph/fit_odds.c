#include "graph/fit_odds.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/tunables.h"

/* Slopes, then the biases that all ways share. */
enum { SHARED = PITH_I_CLUES + 2 };

/* ---- logistic regression ---------------------------------------------- */

typedef struct {
  double shared[SHARED];
  double *own;          /* (ways, 2) added to the shared biases */
  double *slope, *bend; /* (ways, 2) derivatives of the loss by them */
  bool settled; /* slopes of clues that the score has stay as they are */
} odds_fit;

/* The score has weighed these already, relation by relation. */
static bool score_has(int k) {
  return k == PITH_I_CLUE_BEST || k == PITH_I_CLUE_BACK ||
         k == PITH_I_CLUE_BACK_NEW || k == PITH_I_CLUE_MIRRORED;
}

static double fitted_odds(const odds_fit *f, const pith_i_open_answer *a) {
  int known = a->clues.known;
  double z = f->shared[PITH_I_CLUES + known] + f->own[2 * a->way + known];
  for (int k = 0; k < PITH_I_CLUES; k++)
    z += f->shared[k] * (double)a->clues.clue[k];
  return z;
}

static double share_of_odds(double z) { return 1 / (1 + exp(-z)); }

/* A Newton step on each bias of a way, held to none by a ridge. */
static void step_biases(odds_fit *f, const pith_i_open_answers *a,
                        uint32_t ways) {
  const double ridge = 1, most = 1;
  memset(f->slope, 0, 2 * ways * sizeof *f->slope);
  memset(f->bend, 0, 2 * ways * sizeof *f->bend);
  for (size_t i = 0; i < a->answers.n; i++) {
    const pith_i_open_answer *r = &a->answers.at[i];
    double p = share_of_odds(fitted_odds(f, r)), w = (double)r->weight;
    size_t at = 2 * r->way + r->clues.known;
    f->slope[at] += w * (p - r->truth);
    f->bend[at] += w * p * (1 - p);
  }
  for (size_t at = 0; at < 2 * (size_t)ways; at++) {
    double step = (f->slope[at] + ridge * f->own[at]) / (f->bend[at] + ridge);
    f->own[at] -= fmax(-most, fmin(most, step));
  }
}

/* Solves m x = v for a positive definite matrix; x takes the place of v. */
static void solve_definite(double m[SHARED][SHARED], double v[SHARED]) {
  for (int i = 0; i < SHARED; i++)
    for (int k = i + 1; k < SHARED; k++) {
      double factor = m[k][i] / m[i][i];
      for (int j = i; j < SHARED; j++)
        m[k][j] -= factor * m[i][j];
      v[k] -= factor * v[i];
    }
  for (int i = SHARED - 1; i >= 0; i--) {
    for (int j = i + 1; j < SHARED; j++)
      v[i] -= m[i][j] * v[j];
    v[i] /= m[i][i];
  }
}

/* What the shared parameters are held to: a score is taken at its word, as a
** share of all. */
static double shared_start(int k) {
  return k == PITH_I_CLUE_OWN ? 1 : k == PITH_I_CLUE_ALL ? -1 : 0;
}

static void leave_settled(double bend[SHARED][SHARED], double slope[SHARED]) {
  for (int k = 0; k < SHARED; k++) {
    if (!score_has(k))
      continue;
    for (int j = 0; j < SHARED; j++)
      bend[k][j] = bend[j][k] = 0;
    bend[k][k] = 1;
    slope[k] = 0;
  }
}

static void step_shared(odds_fit *f, const pith_i_open_answers *a) {
  const double ridge = 1, most = 1;
  double slope[SHARED] = {0}, bend[SHARED][SHARED] = {{0}};
  for (size_t i = 0; i < a->answers.n; i++) {
    const pith_i_open_answer *r = &a->answers.at[i];
    double x[SHARED] = {0}, w = (double)r->weight;
    double p = share_of_odds(fitted_odds(f, r));
    for (int k = 0; k < PITH_I_CLUES; k++)
      x[k] = (double)r->clues.clue[k];
    x[PITH_I_CLUES + r->clues.known] = 1;
    for (int k = 0; k < SHARED; k++) {
      if (x[k] == 0)
        continue;
      slope[k] += w * (p - r->truth) * x[k];
      for (int j = 0; j < SHARED; j++)
        bend[k][j] += w * p * (1 - p) * x[k] * x[j];
    }
  }
  for (int k = 0; k < SHARED; k++) {
    slope[k] += ridge * (f->shared[k] - shared_start(k));
    bend[k][k] += ridge;
  }
  if (f->settled)
    leave_settled(bend, slope);
  solve_definite(bend, slope);
  for (int k = 0; k < SHARED; k++)
    f->shared[k] -= fmax(-most, fmin(most, slope[k]));
  /* a better score is never less probable */
  f->shared[PITH_I_CLUE_OWN] = fmax(f->shared[PITH_I_CLUE_OWN], 0.05);
}

static void fit_rounds(odds_fit *f, const pith_i_open_answers *a,
                       uint32_t ways) {
  for (int round = 0; round < PITH_TUNE_ODDS_ROUNDS; round++) {
    step_shared(f, a);
    step_biases(f, a, ways);
  }
}

/* What the score has weighed counts for less here, where all relations share a
** slope: the order of answers is then between that of scores and that which
** fits all relations together, and better than either. The rest is fitted
** anew, so that the probabilities hold. */
static void settle_slopes(odds_fit *f) {
  for (int k = 0; k < PITH_I_CLUES; k++)
    f->shared[k] *= score_has(k) ? pith_i_reals.ODDS_AGAIN : 1;
  f->settled = true;
}

pith_status pith_i_fit_odds(pith_i_env *env, const pith_i_open_answers *a,
                            uint32_t ways, pith_i_scoring *s) {
  size_t n = 2 * (size_t)ways;
  odds_fit f = {.own = pith_i_zalloc(env, 3 * n + 1, sizeof *f.own)};
  if (f.own == NULL)
    return PITH_ENOMEM;
  f.slope = f.own + n;
  f.bend = f.slope + n;
  for (int k = 0; k < SHARED; k++)
    f.shared[k] = shared_start(k);
  fit_rounds(&f, a, ways);
  settle_slopes(&f);
  fit_rounds(&f, a, ways);
  memcpy(s->slope, f.shared, sizeof s->slope);
  for (size_t i = 0; i < n; i++)
    s->bias[i] = (float)(f.own[i] + f.shared[PITH_I_CLUES + i % 2]);
  s->fitted = true;
  pith_i_release(env, f.own);
  return PITH_OK;
}

/* ---- missing facts ---------------------------------------------------- */

typedef struct {
  uint32_t group; /* a relation, or a way whose question has no known answer */
  double odds, weight;
  bool truth;
} rated_answer;

/* By group, the likeliest first. */
static int compare_rated(const void *left, const void *right) {
  const rated_answer *a = left, *b = right;
  if (a->group != b->group)
    return a->group < b->group ? -1 : 1;
  return (a->odds < b->odds) - (a->odds > b->odds);
}

typedef struct {
  double ratio, weight;
} missing_bound;

static int compare_bounds(const void *left, const void *right) {
  const missing_bound *a = left, *b = right;
  return (a->ratio > b->ratio) - (a->ratio < b->ratio);
}

/* The least ratio of answers that are not facts to those that were set aside,
** over the best few answers, however many those are. */
static missing_bound least_ratio(const rated_answer *a, size_t n,
                                 double least_true) {
  missing_bound out = {INFINITY, 0};
  double yes = 0, no = 0;
  for (size_t i = 0; i < n; i++) {
    *(a[i].truth ? &yes : &no) += a[i].weight;
    bool tied = i + 1 < n && a[i + 1].odds == a[i].odds;
    if (!tied && yes >= least_true)
      out.ratio = fmin(out.ratio, (no + 1) / yes);
  }
  out.weight = yes;
  return out;
}

/* The share of those set aside among the most answers with about that ratio. */
static double share_at_ratio(const rated_answer *a, size_t n,
                             const missing_bound *b) {
  double yes = 0, no = 0, reached = 0;
  for (size_t i = 0; i < n; i++) {
    *(a[i].truth ? &yes : &no) += a[i].weight;
    if ((no + 1) / yes <= pith_i_reals.ODDS_LEVEL * b->ratio)
      reached = yes;
  }
  return b->weight > 0 ? reached / b->weight : 0;
}

/* Rules that are always right have the same ratio for all that they say: what
** the graph misses. Where only a few of the best answers reach the ratio and it
** falls off from there, as for answers that are merely popular, those that are
** no facts are mistakes, and the bound says little: we then lean to as many
** missing facts as were set aside. */
static missing_bound bound_group(const rated_answer *a, size_t n,
                                 double least_true) {
  missing_bound out = least_ratio(a, n, least_true);
  if (isinf(out.ratio) || out.ratio <= 1)
    return out;
  out.ratio = pow(out.ratio, share_at_ratio(a, n, &out));
  return out;
}

static double least_common_bound(missing_bound *b, size_t n) {
  const double share = 0.25, otherwise = 1;
  double all = 0, sum = 0;
  qsort(b, n, sizeof *b, compare_bounds);
  for (size_t i = 0; i < n && !isinf(b[i].ratio); i++)
    all += b[i].weight;
  for (size_t i = 0; i < n && !isinf(b[i].ratio); i++) {
    sum += b[i].weight;
    if (sum >= share * all)
      return b[i].ratio;
  }
  return otherwise;
}

static void bound_groups(rated_answer *rated, size_t n, double least_true,
                         missing_bound *bounds, size_t groups) {
  qsort(rated, n, sizeof *rated, compare_rated);
  for (size_t r = 0; r < groups; r++)
    bounds[r].ratio = INFINITY;
  for (size_t i = 0, end; i < n; i = end) {
    for (end = i + 1; end < n && rated[end].group == rated[i].group;)
      end++;
    assert(rated[i].group < groups);
    bounds[rated[i].group] = bound_group(rated + i, end - i, least_true);
  }
}

/* Those of relations. */
static size_t rate_all(const pith_i_open_answers *a, const pith_i_scoring *s,
                       rated_answer *rated) {
  for (size_t i = 0; i < a->answers.n; i++) {
    const pith_i_open_answer *r = &a->answers.at[i];
    rated[i] =
        (rated_answer){r->way / 2, pith_i_answer_odds(s, r->way, &r->clues),
                       (double)r->weight, r->truth};
  }
  return a->answers.n;
}

/* Those of ways, where no answer is known. */
static size_t rate_new(const pith_i_open_answers *a, const pith_i_scoring *s,
                       rated_answer *rated) {
  size_t n = 0;
  for (size_t i = 0; i < a->answers.n; i++) {
    const pith_i_open_answer *r = &a->answers.at[i];
    if (!r->clues.known)
      rated[n++] =
          (rated_answer){r->way, pith_i_answer_odds(s, r->way, &r->clues),
                         (double)r->weight, r->truth};
  }
  return n;
}

/* Facts may be missing evenly, or all those of an entity together. The latter
** does not show in a relation as a whole, but where an entity has none, which
** is bounded apart. */
static void add_bounds(const missing_bound *relations,
                       const missing_bound *lonely, uint32_t ways,
                       double common, pith_i_scoring *s) {
  for (uint32_t way = 0; way < ways; way++) {
    double ratio = fmin(relations[way / 2].ratio, common);
    bool known_bound = !isinf(lonely[way].ratio);
    double alone =
        known_bound
            ? fmax(ratio, fmin(lonely[way].ratio, pith_i_reals.ODDS_MOST))
            : ratio;
    s->bias[2 * way] += (float)log(alone);
    s->bias[2 * way + 1] += (float)log(ratio);
  }
}

pith_status pith_i_bound_missing(pith_i_env *env, const pith_i_open_answers *a,
                                 uint32_t ways, pith_i_scoring *s,
                                 double *missing) {
  size_t relations = ways / 2;
  rated_answer *rated = pith_i_alloc(env, (a->answers.n + 1) * sizeof *rated);
  missing_bound *bounds = pith_i_zalloc(env, 2 * ways + 1, sizeof *bounds);
  bool refused = rated == NULL || bounds == NULL;
  if (!refused) {
    missing_bound *sorted = bounds + relations, *lonely = bounds + ways;
    bound_groups(rated, rate_all(a, s, rated), PITH_TUNE_ODDS_LEAST_TRUE,
                 bounds, relations);
    memcpy(sorted, bounds, relations * sizeof *sorted);
    *missing =
        fmin(least_common_bound(sorted, relations), pith_i_reals.ODDS_MOST);
    bound_groups(rated, rate_new(a, s, rated), PITH_TUNE_ODDS_LEAST_LONELY,
                 lonely, ways);
    add_bounds(bounds, lonely, ways, *missing, s);
  }
  pith_i_release(env, rated);
  pith_i_release(env, bounds);
  return refused ? PITH_ENOMEM : PITH_OK;
}
