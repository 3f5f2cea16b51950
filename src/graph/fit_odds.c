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
** over the best few answers, however many those are. The least of many counts
** is small by chance, too, so a standard deviation is added. */
static missing_bound least_ratio(const rated_answer *a, size_t n,
                                 double least_true) {
  missing_bound out = {INFINITY, 0};
  double yes = 0, no = 0;
  for (size_t i = 0; i < n; i++) {
    *(a[i].truth ? &yes : &no) += a[i].weight;
    bool tied = i + 1 < n && a[i + 1].odds == a[i].odds;
    if (!tied && yes >= least_true)
      out.ratio =
          fmin(out.ratio, (no + 1 + pith_i_reals.ODDS_DOUBT * sqrt(no)) / yes);
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

/* A group without a bound keeps the one that it has. */
static void bound_groups(rated_answer *rated, size_t n, double least_true,
                         missing_bound *bounds) {
  qsort(rated, n, sizeof *rated, compare_rated);
  for (size_t i = 0, end; i < n; i = end) {
    for (end = i + 1; end < n && rated[end].group == rated[i].group;)
      end++;
    missing_bound b = bound_group(rated + i, end - i, least_true);
    if (!isinf(b.ratio))
      bounds[rated[i].group] = b;
  }
}

/* Answers by relation, or, where no answer is known, by way: all by what their
** side says, or those that were asked for from both sides by what both say. */
static size_t rate_answers(const pith_i_open_answers *a,
                           const pith_i_scoring *s, bool lonely, bool both,
                           rated_answer *rated) {
  size_t n = 0;
  for (size_t i = 0; i < a->answers.n; i++) {
    const pith_i_open_answer *r = &a->answers.at[i];
    if ((both && r->back_weight == 0) || (lonely && r->clues.known))
      continue;
    rated[n++] = (rated_answer){
        lonely ? r->way : r->way / 2,
        both ? pith_i_open_sum(s, r) : pith_i_side_odds(s, r->way, &r->clues),
        (double)(both ? r->back_weight : r->weight), r->truth};
  }
  return n;
}

/* What both sides say bounds best, but where few were asked for from both, one
** side has to do. */
static void bound_all(const pith_i_open_answers *a, const pith_i_scoring *s,
                      bool lonely, rated_answer *rated, missing_bound *bounds,
                      size_t groups) {
  double least_true =
      lonely ? PITH_TUNE_ODDS_LEAST_LONELY : PITH_TUNE_ODDS_LEAST_TRUE;
  for (size_t i = 0; i < groups; i++)
    bounds[i].ratio = INFINITY;
  for (int both = 0; both < 2; both++)
    bound_groups(rated, rate_answers(a, s, lonely, both == 1, rated),
                 least_true, bounds);
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
    s->missing[2 * way] = (float)log(alone);
    s->missing[2 * way + 1] = (float)log(ratio);
  }
}

/* Entities without any answer lack no more facts than there are such entities,
** times the answers that others have: a count that bounds what they lack
** however few they are. */
static void bound_by_count(const pith_i_open_answers *a, const pith_i_graph *g,
                           missing_bound *lonely) {
  const pith_i_open_answer *r = a->answers.at;
  for (size_t i = 0, end; i < a->answers.n; i = end) {
    pith_i_way way = r[i].way;
    double lacking = 0, found = 0, nodes = (double)pith_i_way_nodes(g, way);
    for (end = i; end < a->answers.n && r[end].way == way; end++) {
      bool none = !r[end].clues.known;
      lacking +=
          none && r[end].first && !r[end].asked ? (double)r[end].weight : 0;
      found += none && r[end].truth ? (double)r[end].weight : 0;
    }
    double each = nodes > 0 ? (double)g->way_edges[way] / nodes : 1;
    if (found > 0)
      lonely[way].ratio = fmin(lonely[way].ratio, lacking * each / found);
  }
}

pith_status pith_i_bound_missing(pith_i_env *env, const pith_i_open_answers *a,
                                 const pith_i_graph *g, pith_i_scoring *s,
                                 double *missing) {
  uint32_t ways = g->ways;
  size_t relations = ways / 2;
  rated_answer *rated = pith_i_alloc(env, (a->answers.n + 1) * sizeof *rated);
  missing_bound *bounds = pith_i_zalloc(env, 2 * ways + 1, sizeof *bounds);
  bool refused = rated == NULL || bounds == NULL;
  if (!refused) {
    missing_bound *sorted = bounds + relations, *lonely = bounds + ways;
    bound_all(a, s, false, rated, bounds, relations);
    memcpy(sorted, bounds, relations * sizeof *sorted);
    *missing =
        fmin(least_common_bound(sorted, relations), pith_i_reals.ODDS_MOST);
    bound_all(a, s, true, rated, lonely, ways);
    bound_by_count(a, g, lonely);
    add_bounds(bounds, lonely, ways, *missing, s);
  }
  pith_i_release(env, rated);
  pith_i_release(env, bounds);
  return refused ? PITH_ENOMEM : PITH_OK;
}

/* ---- both sides ------------------------------------------------------- */

typedef struct {
  double base, slope; /* what is fitted: for a sum x of both sides' odds */
  double down[2];     /* the gradient of the loss by them                */
  double bend[2][2];  /* and its expected curvature                      */
} sides_fit;

/* A fact that is true was held out with the chance `held`. */
static void add_answer(sides_fit *f, double x, double held, double weight,
                       bool truth) {
  double p = share_of_odds(f->base + f->slope * x), q = held * p;
  double by[2] = {1, x};
  for (int k = 0; k < 2; k++) {
    f->down[k] += weight * (q - truth) * (1 - p) / (1 - q) * by[k];
    for (int j = 0; j < 2; j++)
      f->bend[k][j] += weight * q * (1 - p) * (1 - p) / (1 - q) * by[k] * by[j];
  }
}

static void step_sides(sides_fit *f) {
  const double most[2] = {1, 0.2}, least_slope = 0.05;
  double det = f->bend[0][0] * f->bend[1][1] - f->bend[0][1] * f->bend[1][0];
  double base = (f->down[0] * f->bend[1][1] - f->down[1] * f->bend[0][1]) / det;
  double slope =
      (f->down[1] * f->bend[0][0] - f->down[0] * f->bend[1][0]) / det;
  f->base -= fmax(-most[0], fmin(most[0], base));
  f->slope -= fmax(-most[1], fmin(most[1], slope));
  f->slope = fmax(f->slope, least_slope);
}

void pith_i_fit_sides(const pith_i_open_answers *a, pith_i_scoring *s) {
  const double ridge[2] = {1, 10}; /* firmly to what is usual for graphs */
  const double usual[2] = {pith_i_reals.SIDES_BASE, pith_i_reals.SIDES_SLOPE};
  sides_fit f = {.base = usual[0], .slope = usual[1]};
  for (int round = 0; round < PITH_TUNE_ODDS_ROUNDS; round++) {
    f.down[0] = ridge[0] * (f.base - usual[0]);
    f.down[1] = ridge[1] * (f.slope - usual[1]);
    f.bend[0][0] = ridge[0];
    f.bend[1][1] = ridge[1];
    f.bend[0][1] = f.bend[1][0] = 0;
    for (size_t i = 0; i < a->answers.n; i++) {
      const pith_i_open_answer *r = &a->answers.at[i];
      if (r->back_weight > 0 && !r->unspoken)
        add_answer(&f, pith_i_open_sum(s, r),
                   1 / (1 + exp(pith_i_open_missing(s, r))),
                   (double)r->back_weight, r->truth);
    }
    step_sides(&f);
  }
  s->sides_base = f.base;
  s->sides_slope = f.slope;
  s->two_sided = true;
}
