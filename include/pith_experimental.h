/* pith: the experimental tier.
**
** Graph models, and what measures, watches or varies the learners. It is tested
** like the rest, but any version may change it. Define PITH_EXPERIMENTAL before
** including pith.h; do not include this file by itself. */
#ifndef PITH_EXPERIMENTAL_H
#define PITH_EXPERIMENTAL_H

/* ---- watching training -------------------------------------------------- */

/* How learning with templates went: the same training once more, to be watched.
** Restarts are trained in groups; this trains the group of one restart, from
** the same seeds, and visits epochs 0 to `epochs`, evenly spread over at most
** `points`. */
typedef struct {
  uint32_t restart, epochs, points;
} pith_trace_options;

/* A place of a template where a predicate is to be chosen. */
typedef struct {
  uint32_t rule; /* of the theory being learned, from 0             */
  uint32_t atom; /* the first that it names: 0 the head, 1 the body's first */
  const pith_template *shape;
  const pith_pred *preds; /* (count) that may stand there                   */
  const double *weights;  /* (count) how much it is like each of them       */
  size_t count;
} pith_trace_slot;

/* An atom that rules may derive. */
typedef struct {
  pith_pred pred;
  uint32_t world, arity;
  pith_sym args[2]; /* (arity) as their world names them */
} pith_trace_atom;

enum { PITH_TRACE_RESTARTS = 16 }; /* in a group, at most */
typedef struct {
  uint32_t epoch;           /* done                                       */
  uint32_t first, restarts; /* of the group, from 0                       */
  double loss[PITH_TRACE_RESTARTS];
  uint64_t wrong[PITH_TRACE_RESTARTS]; /* examples, were it decoded now    */
  const pith_trace_slot *slots;        /* (slot_count) of the one restart  */
  size_t slot_count;
  const pith_trace_atom *atoms; /* (atom_count)                            */
  const double *values; /* (steps + 1, atom_count) their soft values after each
                           step, of the one restart                        */
  size_t atom_count;
  uint32_t steps;
} pith_trace_point;
typedef int (*pith_trace_visit)(void *ctx, const pith_trace_point *point);

/* opt: as pith_learn was given it; its limits of time hold here too. The worlds
** are as they were then. Stops when visit does not return 0.
**   PITH_STOPPED  time, stop or visit ended it
**   PITH_EARG     no templates, or no such restart; PITH_ENOMEM */
PITH_API pith_status pith_learn_trace(pith *const *worlds, size_t world_count,
                                      const pith_learn_options *opt,
                                      const pith_trace_options *which,
                                      pith_trace_visit visit, void *ctx);

/* ---- tunables ---------------------------------------------------------- */

/* A constant that the learners were tuned with. */
typedef struct {
  const char *name;
  double value, low, high; /* the range within which it makes sense */
  const char *meaning;
} pith_tunable;
PITH_API const pith_tunable *pith_tunable_at(size_t i);

/* ---- the paper's semantics --------------------------------------------- */

/* How AND of two values is computed. PITH_PAPER defaults to the minimum,
** PITH_TEXT to the product. */
typedef enum {
  PITH_AND_DEFAULT,
  PITH_AND_PRODUCT,
  PITH_AND_MINIMUM
} pith_conjunction;

/* What the paper's text and code leave open; all zero are the defaults.
** PITH_PAPER adds normal noise with deviation start * factor^(epoch / every) to
** the slots of rules. */
struct pith_variant {
  bool onehot;       /* the embeddings of predicates are fixed            */
  bool onehot_start; /* theories in PITH_PAPER: they start one-hot and are
                        trained                                           */
  bool core_half;    /* theories in PITH_PAPER: core values start at 1/2, as the
                        text says; else anywhere in [0,1]                    */
  bool clamp;        /* PITH_TEXT: embeddings are held in [0,1]              */
  pith_conjunction conjunction;
  double noise_start; /* negative: no noise                             */
  double noise_factor;
  uint32_t noise_every;
  bool noise_held; /* slots are held in [0,1] with their noise, and the gradient
                      passes as if they were not                         */
  uint32_t changes; /* rules in PITH_PAPER: how many of the changes are made
                       that lead from the authors' training to ours      */
};
/* What the i-th change is, from 0, or NULL: there are no more. */
PITH_API const char *pith_change_text(size_t i);

/* ---- compression: restarts and certificates ---------------------------- */

/* The share of the gradient's restarts whose own theory has the i-th rule or
** core fact as well; invented predicates are the same if they hold of the same
** things. NaN if there were no restarts, or there is no i-th. */
PITH_API double pith_compressed_rule_share(const pith_compressed *c, size_t i);
PITH_API double pith_compressed_core_share(const pith_compressed *c, size_t i);

/* What each restart of the gradient arrived at, in order. */
typedef struct {
  uint64_t wrong;   /* atoms that follow but were not observed */
  uint64_t missing; /* observed atoms that do not follow       */
  uint64_t core;    /* facts                                   */
} pith_worth;

typedef struct {
  pith_worth soft;     /* what holds by more than a half              */
  pith_worth tenth;    /* what holds by more than 0.1, as the authors count */
  pith_worth decoded;  /* rules and facts read as symbols             */
  pith_worth pruned;   /* the rules with as few facts as they need    */
  pith_worth repaired; /* rules changed as long as that saves facts   */
  uint32_t epoch;
  double loss, error; /* cross-entropy, mean squared error */
  uint64_t cells;     /* atoms that soft and tenth count over */
  double likeness;    /* how much a learned rule is like each rule of
                         options.meant, the least; NaN: none is meant */
} pith_restart_info;
PITH_API size_t pith_compressed_restarts(const pith_compressed *c);
PITH_API const pith_restart_info *
pith_compressed_restart(const pith_compressed *c, size_t i);

/* Writes an answer set program for clingo whose optimum is the size of the
** smallest core for these rules; with all, over all rules that were considered,
** the shortest description, in tenths of a bit.
**   PITH_ELIMIT  all, and there are too many; or rules compare dates or numbers
**                that are not whole */
PITH_API pith_status pith_compressed_certify(const pith_compressed *c, bool all,
                                             pith_out *o);

/* ---- scores as probabilities ------------------------------------------- */

/* An atom's score, and whether the atom is true. */
typedef struct {
  double score;
  bool truth;
} pith_prediction;

/* The predictions with scores from i/PITH_BINS to (i+1)/PITH_BINS. */
#define PITH_BINS 10
typedef struct {
  uint64_t count;
  double predicted, observed; /* mean score, share of true ones; NaN: 0/0 */
} pith_bin;

/* How good scores are as an order, and as probabilities. Equal scores are taken
** together, so the order of the predictions does not matter; a NaN score ranks
** below all others. The figures are NaN if no prediction is true; the last
** three are also NaN if a score lies outside [0,1]. */
typedef struct {
  uint64_t count, positive; /* predictions, and true ones among them         */
  uint64_t scores;          /* different scores                              */
  double average_precision; /* sum of recall gained x precision so far       */
  double brier;             /* mean squared difference of score and truth    */
  double calibration_error; /* mean difference of the bins, by their count   */
  pith_bin bins[PITH_BINS];
} pith_ranking;

/* O(n log n); p lends the memory. */
PITH_API pith_status pith_ranking_of(pith *p, const pith_prediction *v,
                                     size_t n, pith_ranking *out);

/* ---- graph models ------------------------------------------------------ */

/* The binary facts of a handle are a graph. A model says which further facts
** are likely, by rules whose bodies are paths in the graph: h(X,Y) :- b(X,A),
** c(A,Y). Different variables of a rule stand for different constants.
** docs/ranking.md explains how models are learned and what probabilities mean.
**
**   rules    many rules of up to three atoms, also with constants, such as
**            h(X,c) :- b(X,d); for all relations or for one
**   chains   for one relation, a few chains of up to four atoms, each with a
**            weight; chosen by the relation's examples if there are any
**   soft     for one relation, templates whose slots are matched softly on
**            random sections of the graph, as Campero et al. did; chosen by
**            the examples, which it needs. Answers are soft values; what is
**            written are the rules that its slots are most like
**   auto     soft if the semantics of the paper is asked for, chains if the
**            target has examples, else rules */
typedef enum {
  PITH_MODEL_AUTO,
  PITH_MODEL_RULES,
  PITH_MODEL_CHAINS,
  PITH_MODEL_SOFT
} pith_model_method;

typedef struct {
  pith_run run;
  pith_model_method method;
  pith_pred target;   /* the one relation to learn; PITH_NONE: all, by rules  */
  uint32_t max_rules; /* chains: 1 to 8; 0: 8                                 */
  uint32_t max_body;  /* atoms per body; rules: 1 to 5; chains: 1 to 4; 0: by
                         what the graph affords                               */
  uint32_t support;   /* rules: facts that a rule must explain                */
  bool all_rules;     /* rules: keep all that were found; else the few that
                         rank held-out facts nearly as well                   */
  double confidence;  /* rules: its least confidence                          */
  const char *checkpoint; /* rules: a file that keeps what was computed, to go
                             on from; or NULL                                 */
  /* training of soft models; 0: the default of the semantics */
  uint32_t epochs;
  double rate;
  pith_semantics semantics; /* PITH_PAPER: auto means soft                    */
  const pith_variant *variant;
} pith_model_options;
PITH_API void pith_model_defaults(pith_model_options *opt);

/* Do not change the handle while the model lives. */
typedef struct pith_model pith_model;

/* Learns from the given binary facts of p. Examples of the target choose the
** model and are not learned from. held_out, for rules: another handle whose
** binary facts calibrate how far each kind of rule is trusted; if NULL, one
** fact in ten is set aside for that, and the rules are then learned again from
** all. opt may be NULL.
**   PITH_STOPPED  the run ended early; *out is usable, or NULL
**   PITH_FULL     rules: memory ran out; *out has what was found before
**   PITH_EINPUT   too few facts; no target, examples or templates where the
**                 method needs them
**   PITH_EARG     the target is not a binary predicate, or an option is out of
**                 range */
PITH_API pith_status pith_model_learn(pith *p, const pith *held_out,
                                      const pith_model_options *opt,
                                      pith_model **out);

/* What that will cost, for rules; other methods get the same figures. opt may
** be NULL. PITH_EINPUT */
PITH_API pith_status pith_model_cost(const pith *p, const pith *held_out,
                                     const pith_model_options *opt,
                                     pith_estimate *out);

/* So many rules, and the MRR of held-out facts by them. */
typedef struct {
  uint64_t rules;
  double mrr;
} pith_model_size;
#define PITH_MODEL_SIZES 16

typedef struct {
  pith_model_method method;
  pith_pred target; /* PITH_NONE: all relations                              */
  uint64_t entities, relations, facts;
  uint64_t rules, chains; /* chains: rules without constants                  */
  uint64_t unused;        /* rules that were read but cannot be used          */
  uint64_t questions;     /* hidden or held-out facts that it was fitted to   */
  double mrr;             /* rules: of those not fitted to, roughly; or NaN   */
  uint64_t found;    /* rules: before some were left out; 0: it was read      */
  uint64_t repeated; /* rules left out, as others say the same                */
  uint32_t sizes;    /* rules: how few were tried, all of them first        */
  pith_model_size size[PITH_MODEL_SIZES];
  double missing;    /* rules: of all facts, the share that is taken to be
                        missing; NaN: probabilities are not fitted       */
  bool missing_told; /* by held-out facts; else estimated                */
  /* chains */
  const char *grade;  /* "fraction", "count" or "any"; NULL: not chains       */
  const char *hiding; /* "fact", "entity" or "around": what was hidden        */
  double bias; /* probability: 1/(1+exp(-(bias + sum of weight x grade))) */
  double loss; /* cross-entropy per answer that it was chosen by         */
  uint64_t answers; /* that it was chosen by                                  */
  /* soft */
  uint32_t restart, restarts; /* the restart that answers; how many: 0 if the
                                 model is not soft                            */
  double average_precision;   /* of that restart on the examples; or NaN      */
} pith_model_info;
PITH_API const pith_model_info *pith_model_info_of(const pith_model *m);

/* Rule i, until the next call. Rules: by relation, chains first, each by
** confidence. Chains: the shortest first, then by weight. The rule's
** probability is its confidence; for soft models, the least similarity of its
** slots. NULL if there is no i-th, or memory ran out: pith_error. */
typedef struct {
  const pith_rule *rule;
  uint64_t support, predictions; /* 0: unknown, because it was read         */
  double low, high;              /* 95 % credible interval of the confidence */
  double weight;                 /* of a chain; else NaN                    */
} pith_model_rule;
PITH_API const pith_model_rule *pith_model_rule_at(pith_model *m, size_t i);

/* Writes what pith_model_read needs beside the graph: the rules, with comments
** their support, and facts of pith_model/3, pith_method/3, pith_weight/4,
** pith_odds/4 and pith_candidate/3. */
PITH_API pith_status pith_model_write(pith_model *m, bool comments,
                                      pith_out *o);

/* Makes a model of what p has read: rules with probabilities, perhaps the facts
** that pith_model_write wrote, and the graph. others: handles whose constants
** may be answers too, such as those of held-out facts; may be NULL.
**   PITH_EINPUT  no rule has a probability, or a fact of the model is
**                malformed */
PITH_API pith_status pith_model_read(pith *p, const pith *const *others,
                                     size_t other_count, pith_model **out);
PITH_API void pith_model_free(pith_model *m);

typedef struct {
  pith_sym answer;
  double score;       /* orders what is equally probable */
  double probability; /* that it is true    */
  uint32_t rules;     /* that predict it    */
} pith_answer;

/* The k likeliest answers to a query with one variable, likes(ann,X) or
** likes(X,ann), that are not facts of p already, the most probable first. They
** live until the next call. If the graph does not contain the constant, answers
** are rated by how often they occur.
**   PITH_EINPUT  not such a query, a relation without facts, or one that the
**                model was not learned for */
PITH_API pith_status pith_model_ask(pith_model *m, const pith_atom *query,
                                    size_t k, const pith_answer **out,
                                    size_t *count);

/* Whether that can be asked: PITH_OK, or the error that it would give. */
PITH_API pith_status pith_model_can_ask(pith_model *m, const pith_atom *query);

/* The answers to the query of this number. They live until visit returns;
** asking ends when it returns non-zero. */
typedef int (*pith_answers_visit)(void *ctx, size_t query,
                                  const pith_answer *answers, size_t count);

/* pith_model_ask for many queries, with run->jobs threads and with the other
** members of the team: visits the answers to each, in the order of the queries.
** run may be NULL.
**   PITH_STOPPED  the run, or visit, ended it before all were visited
**   PITH_EINPUT   as for pith_model_ask; nothing was visited */
PITH_API pith_status pith_model_ask_all(pith_model *m, const pith_atom *queries,
                                        size_t n, size_t k, const pith_run *run,
                                        pith_answers_visit visit, void *ctx);

typedef struct {
  const pith_rule *rule;
  const pith_atom *grounding; /* (atoms) */
  size_t atoms;
  uint64_t groundings; /* how many there are                               */
  double weight;       /* chains: weight x grade, a part of the log-odds;
                          else NaN                                          */
} pith_reason;
typedef int (*pith_reason_visit)(void *ctx, const pith_reason *reason);

/* Visits the rules that predict an answer, strongest first, each with one
** grounding of its body. The pointers live until visit returns; it stops when
** visit returns non-zero. */
PITH_API pith_status pith_model_reasons(pith_model *m, const pith_atom *query,
                                        pith_sym answer, size_t most,
                                        pith_reason_visit visit, void *ctx);

/* What makes an answer more probable, or less. */
typedef struct {
  const char *what; /* in words                                     */
  double value;     /* what was found                               */
  double adds;      /* to its log-odds; below 0: takes away */
} pith_clue;
typedef int (*pith_clue_visit)(void *ctx, const pith_clue *clue);

/* Visits what the probability p of an answer is made of: what the clues add is
** in sum the log of p / (1 - p). The ten best answers to a question are asked
** for from their other side, too, and have clues of both. Visits none where
** that is not how the model has it: rules taken at their word, chains, soft
** rules, an answer that nothing speaks for or that is a fact. */
PITH_API pith_status pith_model_clues(pith_model *m, const pith_atom *query,
                                      pith_sym answer, pith_clue_visit visit,
                                      void *ctx);

/* The probabilities of a handle's binary examples: out has room for each
** example, in order; 0 for examples of other arities and of relations that the
** graph does not have. */
PITH_API pith_status pith_model_grade(pith_model *m, const pith *examples,
                                      double *out);

typedef struct {
  uint64_t questions;
  double mrr, hits1, hits3, hits10, mean_rank; /* NaN: no question */
} pith_ranks;
typedef struct {
  pith_pred relation;
  pith_ranks object, subject; /* by what is asked for */
} pith_relation_ranks;
/* How far probabilities hold: the ten best answers that are not known, to
** questions as anyone might ask them, also of entities that miss nothing. Those
** drawn stand for all entities of the relations in test that some rule has an
** answer for, so what is counted here is weighted. Each bin has the share that
** was true, with its 95 % band by the answers that were looked at. */
typedef struct {
  double share; /* of all answers that are in this bin                       */
  double predicted, observed, low, high; /* NaN: none */
} pith_reliability_bin;
typedef struct {
  uint64_t questions, answers, positive; /* drawn; true ones among them      */
  double calibration_error; /* mean difference of the bins of equal width    */
  double equal_count_error; /* and of those of equal count                   */
  double first_error;       /* the first, of the best answer of each question
                               alone                                         */
  double asked_error;       /* and of the questions that miss an answer      */
  double brier, log_score;  /* log_score: mean of -log of what was said of
                               what came true                                */
  pith_reliability_bin widths[PITH_BINS], counts[PITH_BINS];
} pith_reliability;
typedef struct {
  uint64_t facts;     /* asked                                           */
  uint64_t unreached; /* questions whose answer nothing speaks for       */
  uint64_t unknown;   /* facts of relations that the graph does not have */
  pith_ranks all, object, subject;
  const pith_relation_ranks *relations; /* those asked about; the model's,
                                           until it is scored again      */
  size_t relation_count;
  pith_reliability calibration;
} pith_model_scores;

/* How high held-out facts rank among all constants of the graph and of the
** handles that were given to pith_model_read. Every binary fact of test asks
** for its object and for its subject. Filtered: other answers known to be true,
** in the graph, in test or in known (may be NULL), do not count. Equal scores
** share their mean rank. run may be NULL.
**   PITH_EARG          test or known has a constant that the model does not
**   PITH_ELIMIT        the run ended before all were ranked
**   PITH_EUNSUPPORTED  a soft model; write and read it first */
PITH_API pith_status pith_model_score(pith_model *m, const pith *test,
                                      const pith *known, const pith_run *run,
                                      pith_model_scores *out);

/* Makes a soft model answer with another restart; at first it uses the one that
** orders the examples best. PITH_EARG */
PITH_API pith_status pith_model_use(pith_model *m, uint32_t restart);

/* ---- soft rules --------------------------------------------------------- */

/* The soft forward chaining of the paper as a function with a gradient: from
** the values that all atoms over n constants start with, and from the weights
** of the slots, to the values after some steps. The rules and templates of a
** handle say how; its facts and constants do not matter.
**
**   a slot is worth the largest weight x value of the predicates it may choose;
**   a body is the product of its atoms, at the best choice for the variables
**   that the head does not have; an atom is worth the largest of what it was
**   worth before and, over all rules, the head's weight x the body.
**
** What a rule or template names itself weighs 1; = and \\= are certain. Values
** and weights are at least 0. Where two alternatives are equal the first has
** the gradient, and what is worth 0 passes none on.
**
** Lanes are computed side by side and do not see each other: restarts, or a
** batch. Sixteen cost as much as one. */
typedef struct pith_soft pith_soft;
typedef struct pith_soft_pass pith_soft_pass; /* what the way back needs */

/* Unrolls the rules and templates of p over constants 0 .. constants-1; steps
** 0: as the templates say, or 4. Do not free the handle before it.
**   PITH_EINPUT  a rule or template that has no soft meaning: negation,
**                constants, comparisons other than = and \\=, no body, more
**                than two arguments
**   PITH_EARG    no constants
**   PITH_ENOMEM  it is larger than this machine's memory */
PITH_API pith_status pith_soft_new(pith *p, uint32_t constants, uint32_t steps,
                                   pith_soft **out);
PITH_API void pith_soft_free(pith_soft *s); /* passes first; NULL is fine */
PITH_API uint32_t pith_soft_steps(const pith_soft *s);

/* The predicates that have values, in this order wherever values are given:
** those that are named, and of the arity of an open slot all of the handle. */
PITH_API size_t pith_soft_pred_count(const pith_soft *s);
PITH_API pith_pred pith_soft_pred_at(const pith_soft *s, size_t i);

/* The open slots, template by template and copy by copy. Their weights stand
** one after the other, for each slot as many as it has predicates. A slot that
** only occurs as F(X,X) may also choose unary ones. */
typedef struct {
  const pith_pred *preds; /* (count) */
  size_t count;
} pith_soft_slot;
PITH_API size_t pith_soft_slot_count(const pith_soft *s);
PITH_API const pith_soft_slot *pith_soft_slot_at(const pith_soft *s, size_t i);

/* Numbers of the caller, read or written where they lie. Lane l has
**   p(i)    at[l * lane + i * step[0]]
**   p(i,j)  at[l * lane + i * step[0] + j * step[1]]
**   weight  at[l * lane + i * step[0]] for the i-th of all slots
** A lane or step of 0 shares numbers; at NULL stands for zeros, or for results
** that are not wanted. */
typedef struct {
  float *at;
  ptrdiff_t lane, step[2];
} pith_soft_values;

/* start, out: (predicates). *pass is for pith_soft_backward; pass may be NULL.
** O(steps x what the joins meet), for a chain n^3 per step and 16 lanes.
**   PITH_EARG    no lanes
**   PITH_ENOMEM  nothing was written */
PITH_API pith_status pith_soft_forward(pith_soft *s, size_t lanes,
                                       const pith_soft_values *start,
                                       const pith_soft_values *weights,
                                       const pith_soft_values *out,
                                       pith_soft_pass **pass);

/* dout: the slope at the values after the steps. Adds into dstart and dweights;
** what lanes share gets their sum. A pass may go back more than once. */
PITH_API pith_status pith_soft_backward(pith_soft_pass *pass,
                                        const pith_soft_values *dout,
                                        const pith_soft_values *dstart,
                                        const pith_soft_values *dweights);
PITH_API void pith_soft_pass_free(pith_soft_pass *pass); /* NULL is fine */

/* ---- where examples may be wrong ---------------------------------------- */

/* What the labels hardly decide: a theory is printed when it saves more bits
** than it takes, but two or three wrong labels can save those of one condition
** by chance. */
typedef struct {
  uint32_t rule, atom;      /* body atom of a rule; PITH_NONE: all of it      */
  const pith_rule *shorter; /* the rule without it, and without what was there
                               for it alone; NULL: no rule                    */
  double bits;              /* that the theory takes more without it          */
  uint64_t wrong;           /* examples that then do not fit                  */
} pith_weak_condition;

/* The weakest condition of theory i; NULL: the labels decide on all of it. */
PITH_API const pith_weak_condition *pith_learned_weakest(const pith_learned *l,
                                                         size_t i);

/* ---- several processes -------------------------------------------------- */

/* How the members of a team of processes send each other bytes; the library
** itself knows of no network. All members call the same functions on the same
** input; items of long loops are shared out, and each gets the result that one
** process alone has. Calls come from several threads at once. */
typedef struct {
  uint32_t rank, size; /* this member, from 0, and how many there are */
  void *ctx;
  /* 0: the bytes are on their way, in the order sent; data is free again. */
  int (*send)(void *ctx, uint32_t to, const void *data, size_t n);
  /* Waits so long for bytes from *from, PITH_NONE: from anyone. 1: there are
  ** some, n of them, from *from; 0: none came; below 0: none will come. */
  int (*probe)(void *ctx, double seconds, uint32_t *from, size_t *n);
  /* Waits for the next n bytes that were sent at once. 0, or below: broken. */
  int (*receive)(void *ctx, uint32_t from, void *data, size_t n);
} pith_transport;

/* Long loops of p are shared from now on, until pith_free or pith_team_leave.
** Member 0 leads: when it leaves, whatever the others do ends with
** PITH_STOPPED. Leaving waits for all members. PITH_EARG, PITH_ENOMEM */
PITH_API pith_status pith_team_join(pith *p, const pith_transport *transport);
PITH_API void pith_team_leave(pith *p);
/* For the stop function of a run of another member than 0. */
PITH_API bool pith_team_is_over(pith *p);
/* How many loops were shared so far; *items: those parts of them that other
** members did. At member 0; 0 without a team. */
PITH_API uint32_t pith_team_loops(pith *p, uint64_t *items);

/* Until the end, what parts of long loops gave is kept in the file, and what
** it holds already is not computed again: so a computation that was killed can
** be started anew and goes on. For pith_compress, pith_model_score and
** pith_model_ask_all; learning has an option of its own. what: its settings,
** and whatever else than p it depends on, in any words. With a team, member 0
** writes; how many members there are may change.
**   PITH_EINPUT  the file is of another computation, or not such a file
**   PITH_EIO, PITH_ENOMEM */
PITH_API pith_status pith_checkpoint_begin(pith *p, const char *path,
                                           const char *what);
PITH_API void pith_checkpoint_end(pith *p);

/* ---- text -------------------------------------------------------------- */

/* The number of bytes of the UTF-8 character at text[0..n) if it is safe to
** show on a terminal; 0 for control characters, characters that change the
** direction of text, and invalid bytes. */
PITH_API size_t pith_text_plain(const char *text, size_t n);

#endif
