/* A graph model whole: the graph, the rules that were learned from it, and how
** their groundings become a probability. Whatever learned it, a model answers
** in the same way:
**
**   rules    many mined paths, aggregated for each candidate (aggregate.h)
**   chains   for one relation a few chains, each with a weight (chain_model.h);
**            the relation's answers then come from these
**   soft     templates matched softly (soft_choice.h). What is written are the
**            rules that they were decoded to, so a model that was read back is
**            one of rules
**
** model_learn.c makes one, model_text.c writes and reads one, model_reasons.c
** explains an answer, model_score.c ranks held-out facts. */
#ifndef PITH_GRAPH_MODEL_H
#define PITH_GRAPH_MODEL_H

#include "graph/answer_rating.h"
#include "graph/few_rules.h"
#include "graph/pairs.h"
#include "graph/path_rule.h"
#include "graph/soft_choice.h"
#include "graph/tune.h"

/* Thousands of rules have the same counts, and an interval takes long to find;
** tries are 0 where none is known. */
enum { PITH_I_KNOWN_INTERVALS = 1024 };
typedef struct {
  uint64_t hits, tries;
  double low, high;
} pith_i_known_interval;

typedef struct {
  pith_i_env *env;
  pith_i_theory *theory; /* for its names; the owner's */
  pith_i_graph *g;
  pith_model_method method;
  uint32_t target;    /* the one relation it speaks of, or PITH_NONE: all */
  pith_i_paths rules; /* sorted; those of chain models are theirs         */
  pith_i_rule_index *index;
  pith_i_applier *applier;
  pith_i_scoring scoring;
  pith_i_tuned tuned;
  pith_i_rule_cuts cuts; /* how few rules were tried                         */
  double missing;    /* of all facts, the share that is taken to be missing */
  bool missing_told; /* by the caller; else estimated                       */
  uint64_t unused;   /* rules that were read and are of no use here         */
  uint64_t found;    /* rules, before some were left out                    */
  uint64_t repeated; /* rules left out, as others say the same              */
  pith_i_chain_model **chains;     /* (relations) NULL where rules answer     */
  pith_i_soft_choice *soft;        /* or NULL                                 */
  PITH_I_VEC(pith_answer) answers; /* of the last question                */
  pith_i_ratings ratings;          /* of its candidates                   */
  PITH_I_VEC(pith_relation_ranks) relation_ranks; /* of the last score    */
  pith_i_path_rule shown; /* the last rule shown                 */
  pith_i_known_interval intervals[PITH_I_KNOWN_INTERVALS]; /* by hash */
} pith_i_model;

pith_status pith_i_model_new(pith_i_theory *theory, pith_i_model **out);
void pith_i_model_free(pith_i_model *m);

/* The graph of a store, whose entities are also the constants of the theory's
** binary examples, of other sources' facts, and those in extra, which is added
** to; NULL: none. stated: relations that may have no fact; or NULL. run: may be
** NULL. PITH_STOPPED, PITH_EINPUT, PITH_ENOMEM: there is none. */
typedef PITH_I_VEC(pith_pred) pith_i_model_preds;
pith_status pith_i_model_graph(pith_i_model *m, const pith_i_store *store,
                               const pith_i_fact_source *others, size_t n,
                               pith_i_symbols *extra,
                               const pith_i_model_preds *stated,
                               pith_i_run *run);
/* When the rules are there: whatever is needed to answer. */
pith_status pith_i_model_prepare(pith_i_model *m);
/* Where memory did not suffice for that: of the relations with most rules, the
** better half stays. False: no relation has more than one. */
bool pith_i_model_halve(pith_i_model *m);
/* Noisy-or is the probability itself: where nothing was held out. */
void pith_i_model_score_plainly(pith_i_model *m);
/* From now on a chain model, which the model owns, answers for its relation. */
void pith_i_model_take_chains(pith_i_model *m, pith_i_chain_model *chains);

/* Rules in the order in which they are shown and written. The rule lives until
** the next call. PITH_EARG */
size_t pith_i_model_rules(const pith_i_model *m);
pith_status pith_i_model_rule(pith_i_model *m, size_t i, pith_model_rule *out);

/* The entity and the way that a query with one variable asks about. The entity
** is PITH_NONE where the graph does not have it.
**   PITH_EINPUT  it is not such a query, its relation has no facts, or the
**                model is for another one */
pith_status pith_i_model_query(const pith_i_model *m, const pith_atom *query,
                               uint32_t *x, pith_i_way *way);

/* Fills m->answers with the answers that are not facts, best first; the first
** `most` have probabilities; *count: how many have. PITH_ENOMEM */
pith_status pith_i_model_ask(pith_i_model *m, uint32_t x, pith_i_way way,
                             size_t most, size_t *count);

typedef struct {
  uint32_t x; /* or PITH_NONE: an entity that the graph does not have */
  pith_i_way way;
} pith_i_model_question;

/* The same for many questions, by several threads and processes; visits the
** answers to each in order (model_answers.c).
**   PITH_STOPPED  the run ended before, or visit returned other than 0 */
pith_status pith_i_model_ask_all(pith_i_model *m,
                                 const pith_i_model_question *questions,
                                 size_t n, size_t most, pith_i_run *run,
                                 pith_answers_visit visit, void *ctx);

/* Visits what makes y as probable as it is, for (x, way, ?). */
pith_status pith_i_model_clues(pith_i_model *m, uint32_t x, pith_i_way way,
                               uint32_t y, pith_clue_visit visit, void *ctx);

/* The probabilities of pairs of one relation; an x or y may be PITH_NONE, an
** entity of which nothing is known. PITH_ENOMEM */
pith_status pith_i_model_grade(pith_i_model *m, uint32_t relation,
                               const pith_i_pair *pairs, size_t n, double *out);

/* ---- model_learn.c ---------------------------------------------------- */

/* held_out: or NULL. run has begun. PITH_STOPPED: *out is usable, or NULL. */
pith_status pith_i_model_learn(pith_i_theory *theory, const pith_i_store *store,
                               const pith_i_fact_source *held_out,
                               const pith_model_options *opt, pith_i_run *run,
                               pith_i_model **out);
/* What AUTO stands for. */
pith_model_method pith_i_model_method(const pith_i_theory *theory,
                                      const pith_model_options *opt);
pith_status pith_i_model_cost(const pith_i_theory *theory,
                              const pith_i_store *store,
                              const pith_i_fact_source *held_out,
                              const pith_model_options *opt,
                              pith_estimate *out);

/* ---- model_text.c ----------------------------------------------------- */

/* Everything that pith_i_model_read needs beside the graph: the rules, with
** their counts as comments if wanted, and facts of pith_model/3, pith_method/3,
** pith_weight/4, pith_odds/4 and pith_candidate/3, whose arities keep them out
** of the graph. */
pith_status pith_i_model_write(pith_i_model *m, bool comments, pith_out *o);
/* From the rules and facts that the theory and store have read.
**   PITH_EINPUT  no rule has a probability; a fact that cannot be understood */
pith_status pith_i_model_read(pith_i_theory *theory, const pith_i_store *store,
                              const pith_i_fact_source *others, size_t n,
                              pith_i_model **out);

/* ---- model_reasons.c -------------------------------------------------- */

/* Visits the rules that predict y for (x, way, ?), strongest first. */
pith_status pith_i_model_reasons(pith_i_model *m, uint32_t x, pith_i_way way,
                                 uint32_t y, size_t most,
                                 pith_reason_visit visit, void *ctx);

/* ---- model_score.c ---------------------------------------------------- */

/* Ranks test's facts; known (or NULL): facts that are not counted as wrong.
**   PITH_ELIMIT  the run ended before all were ranked; PITH_ENOMEM */
pith_status pith_i_model_score(pith_i_model *m, const pith_i_fact_source *test,
                               const pith_i_fact_source *known, pith_i_run *run,
                               pith_model_scores *out);

#endif
