/* From what speaks for a candidate to one number to rank by.
**
**   max-plus   the best confidence; ties by the second best, and so on
**   noisy-or   1 - product of (1 - confidence) over the best few
**   learned    a weighted sum of what each kind of rules says, and of what
**              the graph says beside them, with weights from facts held out
**              of the rules' graph
**   graded     what the relation's chain model says, where it has one
**
** Rules that say the same thing twice make noisy-or too sure; weights by kind
** of rule take that into account, as far as rules of one kind repeat each
** other. Each way has weights of its own, held to those of all ways together
** by a penalty, so that a relation with few facts leans on the others. Which
** of the three serves a graph best is seen on held-out facts that the weights
** were not fitted to. */
#ifndef PITH_GRAPH_AGGREGATE_H
#define PITH_GRAPH_AGGREGATE_H

#include "graph/apply_rules.h"

typedef enum {
  PITH_I_MAX_PLUS,
  PITH_I_NOISY_OR,
  PITH_I_LEARNED,
  PITH_I_AGGREGATORS, /* those that are tried on held-out facts */
  PITH_I_GRADED = PITH_I_AGGREGATORS /* a chain model answers   */
} pith_i_aggregator;

/* What the weights are multiplied with: four numbers for each kind of rules,
** two for each kind of chains, and the rest. The names stand in model files. */
enum { PITH_I_OF_KIND = 4, PITH_I_OF_CHAINS = 2 };
#define PITH_I_REST_FEATURES(X)                                                \
  X(SHARE, "share")                                                            \
  X(MOST_SHARE, "most_share")                                                  \
  X(MOST_SHARE_LOG, "most_share_log")                                          \
  X(MOST_FLOW, "most_flow")                                                    \
  X(MOST_FLOW_LOG, "most_flow_log")                                            \
  X(PRIOR, "prior")                                                            \
  X(NOISY_OR, "noisy_or")                                                      \
  X(LIKE_SQUARES, "like_squares_log")                                          \
  X(LIKE_MOST, "like_most")                                                    \
  X(LIKE_SHARE, "like_share")                                                  \
  X(LIKE_SHARE_LOG, "like_share_log")                                          \
  X(LIKE_ANSWERS, "like_answers")                                              \
  X(LIKE_ANSWERS_LOG, "like_answers_log")                                      \
  X(LINKED, "linked")                                                          \
  X(LINKS, "links")                                                            \
  X(EDGES, "edges")                                                            \
  X(HAS_BACK, "has_back")                                                      \
  X(EDGES_BACK, "edges_back")                                                  \
  X(BACK, "back")                                                              \
  X(MIRRORED, "mirrored")                                                      \
  X(ITSELF, "itself")                                                          \
  X(TOP_ODDS, "top_odds")
#define PITH_I_ENTER_FEATURE(name, text) PITH_I_F_##name,
enum {
  PITH_I_F_FLOWS = PITH_I_OF_KIND * PITH_I_KINDS, /* of chains, behind kinds */
  PITH_I_F_REST = PITH_I_F_FLOWS + PITH_I_OF_CHAINS * PITH_I_CHAIN_KINDS,
  PITH_I_F_BEFORE_REST = PITH_I_F_REST - 1,
  PITH_I_REST_FEATURES(PITH_I_ENTER_FEATURE) PITH_I_FEATURES
};
#undef PITH_I_ENTER_FEATURE

/* PITH_I_FEATURES numbers. */
void pith_i_features(const pith_i_link_candidate *c, float *out);

/* The number to rank by, and how it would read as log-odds. */
double pith_i_aggregate(pith_i_aggregator method, const float *weights,
                        const pith_i_link_candidate *c);
double pith_i_aggregate_odds(pith_i_aggregator method, double score);

/* What the probability of an answer rests on: answer_odds.h. */
enum {
  PITH_I_CLUE_OWN,
  PITH_I_CLUE_ALL,
  PITH_I_CLUE_SHARE,
  PITH_I_CLUE_BEST,
  PITH_I_CLUE_ANOTHER,
  PITH_I_CLUE_BACK,
  PITH_I_CLUE_BACK_NEW,
  PITH_I_CLUE_MIRRORED,
  PITH_I_CLUES
};

/* How the candidates of each way are scored, and how probable an answer is. */
typedef struct {
  uint8_t *method; /* (ways) pith_i_aggregator                             */
  bool *named;     /* (ways) the method was read from a text               */
  float *weights;  /* (ways + 1, PITH_I_FEATURES); the last for all        */
  bool fitted;     /* what follows is; if not, a score is the probability  */
  double slope[PITH_I_CLUES];
  float *bias;    /* (ways, 2) where no answer is known, and where some are */
  float *missing; /* (ways, 2) the log of the facts that are missing, by fact
                     that was held out                                  */
  bool two_sided; /* what follows is fitted                             */
  double sides_base;  /* of the log-odds of a fact that was asked for from  */
  double sides_slope; /* both sides, by the sum of those of each side       */
} pith_i_scoring;

pith_status pith_i_scoring_new(pith_i_env *env, uint32_t ways,
                               pith_i_scoring *s);
void pith_i_scoring_free(pith_i_env *env, pith_i_scoring *s);
static inline const float *pith_i_weights(const pith_i_scoring *s,
                                          pith_i_way way) {
  return s->weights + (size_t)way * PITH_I_FEATURES;
}

/* Questions of a way, and rivals of an answer, about and at most. The rows of a
** sample are its truth, its rivals, and as many that are unsure. */
enum {
  PITH_I_SAMPLES = 300,
  PITH_I_RIVALS = 80,
  PITH_I_SAMPLE_ROWS = 1 + 2 * PITH_I_RIVALS
};

/* Held-out questions, each with its truth and those that compete with it. */
typedef struct {
  pith_i_way way;
  uint32_t first, n; /* rows; the first is the truth, then its rivals      */
  uint32_t unsure;   /* rows behind these: see pith_i_aggregate_fit         */
  uint32_t fold;
  uint32_t strong; /* of the n, so many stand for themselves alone,       */
  float stands;    /* each other one for more: the log of how many        */
} pith_i_lesson_sample;

typedef struct {
  PITH_I_VEC(pith_i_lesson_sample) samples; /* by way */
  PITH_I_VEC(float) features;               /* (rows, PITH_I_FEATURES) */
  uint64_t unreached; /* questions left out: nothing speaks for the truth */
} pith_i_samples;
void pith_i_samples_free(pith_i_env *env, pith_i_samples *l);

/* Weights for all ways that have samples: (ways, PITH_I_FEATURES), and those of
** all together in the row behind the last, which also go to ways without
** samples. skip: a fold to leave out, or PITH_NONE. Where a fold is left out,
** its answers to a question are rivals, as facts are that nobody knows of: who
** passed over the one and not the other would teach to tell them apart, and
** look better on the fold than on any fact that is really missing. */
pith_status pith_i_aggregate_fit(pith_i_crew *crew, const pith_i_samples *l,
                                 uint32_t ways, uint32_t skip, float *weights);

/* The loss of one way's samples, the mean of -log softmax of the truth, and
** its gradient, which is added to. NULL: none is wanted. */
double pith_i_aggregate_loss(const pith_i_samples *l, size_t first, size_t last,
                             uint32_t skip, const float *weights,
                             double *dweights);

#endif
