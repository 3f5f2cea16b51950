#include "graph/select_chains.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/tunables.h"
#include "score/logistic.h"

enum { MOST = PITH_I_CHAIN_RULES };

typedef struct {
  const pith_i_chain_walk *e;
  const pith_i_question_table *fit, *choice;
  pith_i_grade_kind kind;
  double *weight;   /* (rows) of fit, scaled                             */
  double *x;        /* (rows, MOST) values of the chains taken and one   */
  double *y;        /* (rows of choice, MOST)                            */
  double *residual; /* (rows) weight * (probability - target)            */
  double *slope;    /* (rows) weight * probability * (1 - probability)   */
  pith_i_selection now;
  double cost;      /* loss on fit and prices */
  double questions; /* of fit, scaled         */
} selector;

typedef struct {
  uint32_t chain;
  double gain;
} chain_trial;

/* ---- values ----------------------------------------------------------- */

/* Puts the chain's values into column k of a table that is k + 1 wide, where
** it was k wide before: from the last row, so that nothing is overwritten. */
static void add_column(const pith_i_question_table *s, pith_i_grade_kind kind,
                       uint32_t chain, size_t k, double *x) {
  for (size_t r = s->target.n; r-- > 0;) {
    memmove(x + r * (k + 1), x + r * k, k * sizeof *x);
    x[r * (k + 1) + k] = 0;
  }
  if (chain > s->chains)
    return;
  for (size_t i = s->first[chain]; i < s->first[chain + 1]; i++) {
    const pith_i_table_cell *c = &s->cells.at[i];
    x[c->row * (k + 1) + k] = pith_i_chain_grade(kind, c->count, c->total);
  }
}

static void drop_column(const pith_i_question_table *s, size_t k, double *x) {
  for (size_t r = 0; r < s->target.n; r++)
    memmove(x + r * k, x + r * (k + 1), k * sizeof *x);
}

static pith_i_logistic table_of(const pith_i_question_table *s,
                                const double *weight, const double *x,
                                size_t k) {
  return (pith_i_logistic){.n = s->target.n,
                           .k = k,
                           .x = x,
                           .target = s->target.at,
                           .weight = weight};
}

/* What a chain must gain to be worth its description, in nats: which way each
** atom goes, and its weight, as exactly as so many questions can tell it. */
static double chain_price(const selector *s, uint32_t chain) {
  return log(fmax(s->questions, 1)) / 2 +
         log(s->e->g->ways) * pith_i_chain_length(s->e, chain);
}

/* ---- steps ------------------------------------------------------------ */

static void find_residuals(selector *s) {
  size_t k = s->now.rules;
  for (size_t r = 0; r < s->fit->target.n; r++) {
    double z = s->now.weight[k];
    for (size_t i = 0; i < k; i++)
      z += s->now.weight[i] * s->x[r * k + i];
    double p = pith_i_logistic_value(z);
    s->residual[r] = s->weight[r] * (p - s->fit->target.at[r]);
    s->slope[r] = s->weight[r] * fmax(p * (1 - p), 1e-6);
  }
}

/* What the chain might gain by a first guess: one step of Newton's method in
** its weight and the bias alone. */
static double guess_gain(const selector *s, uint32_t chain, double all_slope) {
  double g = 0, h = 1e-9, cross = 0;
  uint32_t truths = 0;
  for (size_t i = s->fit->first[chain]; i < s->fit->first[chain + 1]; i++) {
    const pith_i_table_cell *c = &s->fit->cells.at[i];
    double v = pith_i_chain_grade(s->kind, c->count, c->total);
    g += s->residual[c->row] * v;
    h += s->slope[c->row] * v * v;
    cross += s->slope[c->row] * v;
    truths += s->fit->target.at[c->row] > 0;
  }
  h -= cross * cross / all_slope;
  if (g >= 0 || truths < PITH_TUNE_CHAIN_TRUE_ROWS)
    return 0;
  return g * g / (2 * fmax(h, 1e-9)) - chain_price(s, chain);
}

static bool is_selected(const selector *s, uint32_t chain) {
  for (uint32_t i = 0; i < s->now.rules; i++)
    if (s->now.chain[i] == chain)
      return true;
  return false;
}

/* The best few by the first guess, best first; how many. */
static size_t list_trials(const selector *s, chain_trial *out) {
  double all_slope = 1e-9;
  size_t n = 0;
  for (size_t r = 0; r < s->fit->target.n; r++)
    all_slope += s->slope[r];
  for (uint32_t c = 1; c <= s->fit->chains; c++) {
    chain_trial t = {c, is_selected(s, c) ? 0 : guess_gain(s, c, all_slope)};
    if (!(t.gain > 0) ||
        (n == PITH_TUNE_CHAIN_TRIED && t.gain <= out[n - 1].gain))
      continue;
    size_t i = n < PITH_TUNE_CHAIN_TRIED ? n++ : n - 1;
    for (; i > 0 && out[i - 1].gain < t.gain; i--)
      out[i] = out[i - 1];
    out[i] = t;
  }
  return n;
}

/* Fits with the chain added; the cost of that. */
static double try_chain(selector *s, uint32_t chain, double *weight) {
  size_t k = s->now.rules;
  memcpy(weight, s->now.weight, k * sizeof *weight);
  weight[k] = 0;
  weight[k + 1] = s->now.weight[k];
  add_column(s->fit, s->kind, chain, k, s->x);
  pith_i_logistic f = table_of(s->fit, s->weight, s->x, k + 1);
  f.ridge = pith_i_reals.CHAIN_RIDGE;
  double cost = pith_i_logistic_fit(&f, PITH_TUNE_CHAIN_NEWTON_ROUNDS, weight);
  drop_column(s->fit, k, s->x);
  for (size_t i = 0; i < k; i++)
    cost += chain_price(s, s->now.chain[i]);
  return cost + chain_price(s, chain);
}

/* Takes in the chain that helps most; whether there is one. */
static bool add_best_chain(selector *s) {
  chain_trial trials[PITH_TUNE_CHAIN_TRIED];
  double weight[MOST + 1] = {0}, best_weight[MOST + 1] = {0};
  uint32_t best = 0;
  find_residuals(s);
  size_t n = list_trials(s, trials);
  for (size_t i = 0; i < n; i++) {
    double cost = try_chain(s, trials[i].chain, weight);
    bool better = cost < s->cost - 1e-9;
    /* Of two that do as well, the shorter was priced lower. */
    if (!better)
      continue;
    s->cost = cost;
    best = trials[i].chain;
    memcpy(best_weight, weight, sizeof weight);
  }
  if (best == 0)
    return false;
  size_t k = s->now.rules++;
  assert(k < MOST);
  s->now.chain[k] = best;
  memcpy(s->now.weight, best_weight, (k + 2) * sizeof *weight);
  add_column(s->fit, s->kind, best, k, s->x);
  add_column(s->choice, s->kind, best, k, s->y);
  return true;
}

static double choice_loss(const selector *s) {
  pith_i_logistic f =
      table_of(s->choice, s->choice->weight.at, s->y, s->now.rules);
  return pith_i_logistic_loss(&f, s->now.weight, NULL);
}

/* ---- the whole -------------------------------------------------------- */

static void begin_selection(selector *s, double scale) {
  double hits = 0, all = 0;
  for (size_t r = 0; r < s->fit->target.n; r++) {
    s->weight[r] = scale * s->fit->weight.at[r];
    hits += s->weight[r] * s->fit->target.at[r];
    all += s->weight[r];
  }
  s->now.weight[0] = log((hits + 0.5) / (all - hits + 0.5));
  pith_i_logistic f = table_of(s->fit, s->weight, s->x, 0);
  s->cost = pith_i_logistic_loss(&f, s->now.weight, NULL);
}

static void grow_selection(selector *s, uint32_t most, pith_i_selection *best,
                           bool *better) {
  do {
    s->now.loss = choice_loss(s);
    if (s->now.loss < best->loss - pith_i_reals.CHAIN_MARGIN) {
      *best = s->now;
      *better = true;
    }
  } while (s->now.rules < most && add_best_chain(s));
}

pith_status pith_i_select(const pith_i_chain_walk *e,
                          const pith_i_question_table *fit, double scale,
                          const pith_i_question_table *choice,
                          pith_i_grade_kind kind, uint32_t most,
                          pith_i_selection *best, bool *better) {
  selector s = {.e = e,
                .fit = fit,
                .choice = choice,
                .kind = kind,
                .questions = scale * fit->questions};
  size_t n = fit->target.n, m = choice->target.n;
  assert(fit->first != NULL && choice->first != NULL); /* both sealed */
  assert(scale > 0);
  double *block =
      pith_i_zalloc(fit->env, (3 + MOST) * n + MOST * m, sizeof *block);
  *better = false;
  if (block == NULL)
    return PITH_ENOMEM;
  s.weight = block;
  s.residual = s.weight + n;
  s.slope = s.residual + n;
  s.x = s.slope + n;
  s.y = s.x + MOST * n;
  begin_selection(&s, scale);
  grow_selection(&s, most < MOST ? most : MOST, best, better);
  pith_i_release(fit->env, block);
  return PITH_OK;
}
