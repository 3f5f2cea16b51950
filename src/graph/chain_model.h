/* A chain model: for one relation h, the probability of h(x,y) from the
** chains that lead from x to y.
**
** For a chain, "some neighbour of x lies in y" is a yes or no; "four of five
** do" says more. So each chain gives a number: what share of its groundings
** from x ends at y (fraction), how many do (count), or whether any does (any).
** The probability is a logistic function of a few of these numbers, with
** weights that are not negative; a chain that says what another has said
** already gets little or none.
**
** The weights are fitted to truth that was hidden. In a section, some facts of
** h are hidden by chance, and asked about given the rest: single facts, all
** those of an entity, or also those of the entities next to it. Chains are
** taken in one by one, that which helps most first, until another is not worth
** its length. Which numbers, how facts are hidden and how many chains: what
** has the least loss on validation examples, which are not in the hidden. */
#ifndef PITH_GRAPH_CHAIN_MODEL_H
#define PITH_GRAPH_CHAIN_MODEL_H

#include "base/run.h"
#include "graph/chain_walk.h"

enum { PITH_I_CHAIN_RULES = 8 };

/* How a chain speaks for h(x,y): by the share of its groundings from x that
** end at y, by their number (the logarithm of one more), or by there being
** any. */
typedef enum {
  PITH_I_FRACTION,
  PITH_I_GRADE_COUNT,
  PITH_I_ANY
} pith_i_grade_kind;
extern const char *const pith_i_grade_names[3];

/* What is hidden to learn the weights: single facts, all facts of an entity,
** or also those of the entities next to it. */
typedef enum {
  PITH_I_HIDE_FACT,
  PITH_I_HIDE_ENTITY,
  PITH_I_HIDE_AROUND
} pith_i_hiding;
extern const char *const pith_i_hiding_names[3];

typedef struct {
  uint64_t seed;
  uint32_t rules;  /* at most; 0: PITH_I_CHAIN_RULES                  */
  uint32_t length; /* atoms of a body, at most; 0: automatic         */
  pith_i_run *run;
} pith_i_chain_options;

/* A pair whose truth is known, for the choice. Those of one subject are next
** to each other. */
typedef struct {
  uint32_t x, y; /* entities */
  bool truth;
} pith_i_pair;

typedef struct {
  pith_i_env *env;
  const pith_i_graph *g;
  uint32_t relation; /* h */
  pith_i_grade_kind kind;
  pith_i_hiding hiding;
  uint32_t rules;
  pith_i_path path[PITH_I_CHAIN_RULES];  /* short ones first             */
  uint32_t chain[PITH_I_CHAIN_RULES];    /* in the walk                  */
  double weight[PITH_I_CHAIN_RULES + 1]; /* then the bias                */
  double loss;               /* on the validation pairs, a pair         */
  uint32_t questions, pairs; /* fitted to; chosen by                    */
  uint8_t *among;            /* (entities) candidates for y             */
  double *prior;             /* (entities) where nothing is known of x  */
  pith_i_chain_walk walk;    /* the chains, fixed                       */
  uint32_t asked;            /* whose walk was walked last          */
} pith_i_chain_model;

/* Learns from the graph. Candidates for y are those of the pairs, or without
** pairs all that h has; then some facts are put aside for the choice.
**   PITH_EINPUT   h has too few facts
**   PITH_STOPPED  out is what was best so far, and may be NULL
**   PITH_ENOMEM */
pith_status pith_i_chain_model_learn(const pith_i_graph *g, uint32_t relation,
                                     const pith_i_pair *pairs, size_t n,
                                     const pith_i_chain_options *opt,
                                     pith_i_chain_model **out);
void pith_i_chain_model_free(pith_i_chain_model *gr);

/* An empty one for others to fill in: no chains, weight[0] is the bias. */
pith_status pith_i_chain_model_new(pith_i_env *env, const pith_i_graph *g,
                                   uint32_t relation, const uint8_t *among,
                                   pith_i_chain_model **out);
/* Another chain. PITH_ELIMIT: there are too many; PITH_ENOMEM */
pith_status pith_i_chain_model_add(pith_i_chain_model *gr, const pith_i_path *p,
                                   double weight);
/* One for another thread, with memory of its own. PITH_ENOMEM */
pith_status pith_i_chain_model_copy(pith_i_env *env,
                                    const pith_i_chain_model *gr,
                                    pith_i_chain_model **out);

/* The probability of h(x,y), and how many chains speak for it. x may be
** PITH_NONE: an entity of which nothing is known. y need not be a candidate.
** PITH_ENOMEM */
pith_status pith_i_chain_model_score(pith_i_chain_model *gr, uint32_t x,
                                     uint32_t y, double *out, uint32_t *rules);
/* What chain number `rule` gives for the pair scored last: its value, which is
** multiplied with the weight. */
double pith_i_chain_model_value(const pith_i_chain_model *gr, uint32_t rule,
                                uint32_t y);

/* What the number of a chain is worth. */
double pith_i_chain_grade(pith_i_grade_kind kind, uint32_t count,
                          uint32_t total);

#endif
