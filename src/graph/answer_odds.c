#include "graph/answer_odds.h"

#include <assert.h>
#include <math.h>

#include "base/tunables.h"

void pith_i_find_clues(const pith_i_asked *q, uint32_t y, double own,
                       double best, uint64_t back_known, pith_i_clues *out) {
  const double edge = 1e-3;
  assert(q->way < q->g->ways);
  bool mirrored = q->x != PITH_NONE &&
                  pith_i_graph_has(q->g, q->x, PITH_I_OPPOSITE(q->way), y);
  *out = (pith_i_clues){.known = q->known > 0};
  out->clue[PITH_I_CLUE_OWN] = (float)own;
  out->clue[PITH_I_CLUE_ALL] = (float)q->all;
  out->clue[PITH_I_CLUE_SHARE] = (float)exp(own - q->all);
  out->clue[PITH_I_CLUE_BEST] = (float)log((best + edge) / (1 - best + edge));
  if (q->known > 0)
    out->clue[PITH_I_CLUE_ANOTHER] =
        (float)pith_i_another(q->shapes, q->way, q->known);
  if (back_known > 0)
    out->clue[PITH_I_CLUE_BACK] =
        (float)pith_i_another(q->shapes, PITH_I_OPPOSITE(q->way), back_known);
  out->clue[PITH_I_CLUE_BACK_NEW] = back_known == 0;
  if (mirrored)
    out->clue[PITH_I_CLUE_MIRRORED] = q->shapes->mirrored[q->way / 2];
}

double pith_i_side_odds(const pith_i_scoring *s, pith_i_way way,
                        const pith_i_clues *c) {
  double z = (double)s->bias[2 * way + c->known];
  for (int k = 0; k < PITH_I_CLUES; k++)
    z += s->slope[k] * (double)c->clue[k];
  return z;
}

double pith_i_missing_odds(const pith_i_scoring *s, pith_i_way way,
                           const pith_i_clues *c) {
  return (double)s->missing[2 * way + c->known];
}

double pith_i_answer_odds(const pith_i_scoring *s, pith_i_way way,
                          const pith_i_clues *c) {
  return pith_i_side_odds(s, way, c) + pith_i_missing_odds(s, way, c);
}

/* What a side says that has nothing to say. */
static const double unspoken = -15;

/* Either side has its own bound, and that of a side without any answer is
** loose: somewhere between the two. */
double pith_i_joint_missing(const pith_i_scoring *s, pith_i_way way,
                            const pith_i_clues *c, const pith_i_clues *back) {
  const double larger = pith_i_reals.SIDES_LARGER;
  double here = pith_i_missing_odds(s, way, c);
  if (back == NULL)
    return here;
  double there = pith_i_missing_odds(s, PITH_I_OPPOSITE(way), back);
  return larger * fmax(here, there) + (1 - larger) * fmin(here, there);
}

/* Where all facts of an entity may be missing together, few were held out of
** those that are true: of 1 + r one. So the odds of such a side say less than
** those of its relation as a whole, by as much. */
static double true_odds(const pith_i_scoring *s, pith_i_way way,
                        const pith_i_clues *c) {
  double whole = (double)s->missing[2 * way + 1];
  return pith_i_side_odds(s, way, c) +
         log1p(exp(pith_i_missing_odds(s, way, c))) - log1p(exp(whole));
}

double pith_i_sum_of_sides(const pith_i_scoring *s, pith_i_way way,
                           const pith_i_clues *c, const pith_i_clues *back) {
  double there =
      back == NULL ? unspoken : true_odds(s, PITH_I_OPPOSITE(way), back);
  return true_odds(s, way, c) + there;
}

static const double most_said = 0.999; /* nothing is certain */

/* The chance that a question has yet another answer, the answer another
** question, or the fact holds both ways, where that is rare: then it is no more
** probable, whatever rules say, which were fitted for all relations. 1: none is
** rare. */
static double chance_by_shape(const pith_i_clues *c) {
  static const int shapes[] = {PITH_I_CLUE_ANOTHER, PITH_I_CLUE_BACK,
                               PITH_I_CLUE_MIRRORED};
  double chance = 1;
  for (int i = 0; i < 3; i++) {
    double odds = (double)c->clue[shapes[i]];
    if (odds < pith_i_reals.ODDS_RARE)
      chance = fmin(chance, 1 / (1 + exp(-odds)));
  }
  return chance;
}

/* Less than either, and in the order of p. */
static double probability_by_shape(double p, const pith_i_clues *c) {
  double chance = chance_by_shape(c);
  return p * chance / (p + chance - p * chance);
}

static double raw_joint_probability(const pith_i_scoring *s, pith_i_way way,
                                    const pith_i_clues *c,
                                    const pith_i_clues *back) {
  double sum = pith_i_sum_of_sides(s, way, c, back);
  double p = 1 / (1 + exp(-s->sides_base - s->sides_slope * sum));
  double r = exp(pith_i_joint_missing(s, way, c, back));
  return fmin(p * r / (1 + r - p), most_said);
}

double pith_i_joint_probability(const pith_i_scoring *s, pith_i_way way,
                                const pith_i_clues *c,
                                const pith_i_clues *back) {
  return probability_by_shape(raw_joint_probability(s, way, c, back), c);
}

static double raw_probability(const pith_i_scoring *s, pith_i_way way,
                              const pith_i_clues *c) {
  return fmin(exp(pith_i_answer_odds(s, way, c)), most_said);
}

double pith_i_probability(const pith_i_scoring *s, pith_i_way way, double score,
                          const pith_i_clues *c) {
  pith_i_aggregator m = (pith_i_aggregator)s->method[way];
  if (m == PITH_I_GRADED)
    return score; /* it is one already */
  if (!s->fitted)
    return 1 / (1 + exp(-pith_i_aggregate_odds(m, score)));
  return probability_by_shape(raw_probability(s, way, c), c);
}

/* ---- in words --------------------------------------------------------- */

typedef struct {
  pith_clue_visit visit;
  void *ctx;
  bool back;
  double slope; /* what is added counts so many times */
  bool more;    /* are wanted                         */
} clue_telling;

static const char *const told_clues[2][PITH_I_CLUES] = {
    {[PITH_I_CLUE_OWN] = "what its rules say together",
     [PITH_I_CLUE_ALL] = "what speaks for all answers together",
     [PITH_I_CLUE_SHARE] = "its share of that",
     [PITH_I_CLUE_BEST] = "the confidence of its best rule",
     [PITH_I_CLUE_ANOTHER] = "how often there is one answer more",
     [PITH_I_CLUE_BACK] = "how often it answers one question more",
     [PITH_I_CLUE_BACK_NEW] = "it answers no question of this kind yet",
     [PITH_I_CLUE_MIRRORED] = "the fact holds the other way round"},
    {[PITH_I_CLUE_OWN] = "asked backward: what its rules say together",
     [PITH_I_CLUE_ALL] = "asked backward: what speaks for all answers together",
     [PITH_I_CLUE_SHARE] = "asked backward: its share of that",
     [PITH_I_CLUE_BEST] = "asked backward: the confidence of its best rule",
     [PITH_I_CLUE_ANOTHER] =
         "asked backward: how often there is one answer more",
     [PITH_I_CLUE_BACK] =
         "asked backward: how often it answers one question more",
     [PITH_I_CLUE_BACK_NEW] =
         "asked backward: it answers no question of this kind yet",
     [PITH_I_CLUE_MIRRORED] =
         "asked backward: the fact holds the other way round"}};

static void tell_clue(clue_telling *t, const char *what, double value,
                      double adds) {
  pith_clue clue = {what, value, adds};
  t->more = t->more && (adds == 0 || t->visit(t->ctx, &clue) == 0);
}

static void tell_side(clue_telling *t, const pith_i_scoring *s, pith_i_way way,
                      const pith_i_clues *c) {
  static const char *const known[2][2] = {
      {"no answer is known yet", "other answers are known"},
      {"asked backward: no answer is known yet",
       "asked backward: other answers are known"}};
  tell_clue(t, known[t->back][c->known], 1,
            t->slope * (double)s->bias[2 * way + c->known]);
  for (int k = 0; k < PITH_I_CLUES; k++) {
    double value = (double)c->clue[k];
    tell_clue(t, told_clues[t->back][k], value, t->slope * s->slope[k] * value);
  }
}

static double log_odds(double p) { return log(p) - log1p(-p); }

/* From the odds of a fact that was held out to those of one that is missing. */
static void tell_missing(clue_telling *t, double probability, double odds) {
  if (probability > 0)
    tell_clue(t, "how many facts are missing", 1, log_odds(probability) - odds);
}

/* What the shape of the relation takes from a probability; the rest. */
static double tell_shape(clue_telling *t, double p, const pith_i_clues *c) {
  double chance = chance_by_shape(c), rest = probability_by_shape(p, c);
  if (chance < 1 && p > 0)
    tell_clue(t, "facts of this relation hardly ever allow another such fact",
              chance, log_odds(rest) - log_odds(p));
  return rest;
}

void pith_i_visit_clues(const pith_i_scoring *s, pith_i_way way,
                        const pith_i_clues *c, double said,
                        pith_clue_visit visit, void *ctx) {
  clue_telling t = {visit, ctx, false, 1, true};
  double p = raw_probability(s, way, c);
  tell_side(&t, s, way, c);
  tell_missing(&t, p, pith_i_side_odds(s, way, c));
  p = tell_shape(&t, p, c);
  if (said > 0 && said < p)
    tell_clue(&t, "answers before it are no more probable", said,
              log_odds(said) - log_odds(p));
}

void pith_i_visit_joint_clues(const pith_i_scoring *s, pith_i_way way,
                              const pith_i_clues *c, const pith_i_clues *back,
                              pith_clue_visit visit, void *ctx) {
  clue_telling t = {visit, ctx, false, s->sides_slope, true};
  tell_side(&t, s, way, c);
  t.back = true;
  if (back != NULL)
    tell_side(&t, s, PITH_I_OPPOSITE(way), back);
  else
    tell_clue(&t, "asked backward: nothing speaks for it", 1,
              s->sides_slope * unspoken);
  tell_clue(&t, "both sides are asked", 1, s->sides_base);
  double told = pith_i_side_odds(s, way, c);
  told +=
      back == NULL ? unspoken : pith_i_side_odds(s, PITH_I_OPPOSITE(way), back);
  double p = raw_joint_probability(s, way, c, back);
  tell_missing(&t, p, s->sides_base + s->sides_slope * told);
  tell_shape(&t, p, c);
}
