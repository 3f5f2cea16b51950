/* Theories by gradient: rules and the facts that they need are learned
** together, as Campero et al. do, by restarts in groups of lanes.
**
** In training each epoch leaves out most observed facts, so that rules must
** derive them from the others: without that, remembering every observation is
** a minimum that no rule can leave. What is decoded is exact from there on:
** facts are taken away while the observations still follow (prune.h), and
** rules changed while fewer facts are needed (repair.h).
**
** The processes of a team train a wave of groups together. What counts is in
** the order of the groups, and those behind the one at which restarts agree are
** dropped: so the result is that of one process. */
#ifndef PITH_COMPRESS_SOFT_THEORY_H
#define PITH_COMPRESS_SOFT_THEORY_H

#include "compress/compressor.h"
#include "compress/repair_rules.h"
#include "train/descent.h"

/* What one restart found. */
typedef struct {
  pith_i_decoded draft; /* in the end                                       */
  float *value;         /* (M) the learned value of each fact of the core   */
  double likeness;      /* of its rules as learned to those that are meant  */
  pith_i_theory_worth soft;    /* values above 1/2, as they were learned    */
  pith_i_theory_worth tenth;   /* values above 1/10 */
  pith_i_theory_worth decoded; /* rules and facts as they were decoded */
  pith_i_theory_worth pruned;  /* the rules with as few facts as they need  */
  uint32_t restart, epoch;
  float loss, error; /* cross-entropy, mean squared error */
  bool trained;      /* the above is there                */
} pith_i_restart;

typedef struct {
  pith_i_env *env;
  pith_i_arena arena;
  pith_compress_options opt;
  pith_i_run *run; /* or NULL */
  const pith_i_theory *theory;
  const pith_i_theory *meant; /* to compare its rules with, or NULL */
  pith_i_net *net;
  pith_i_descent *descent;
  pith_i_prune *prune;
  uint32_t *order;   /* (M) the least valued fact first       */
  uint32_t *choices; /* (L, S)                                */
  pith_i_decoded tried[2 * PITH_I_LANES];
  PITH_I_VEC(pith_i_restart) found; /* in the order of the restarts       */
  size_t best;                      /* of found */
  bool stopped;
} pith_i_soft;

/* Builds the network for the templates of theory over the facts of store;
** both stay the caller's, and in use. run may be NULL.
**   PITH_EINPUT  no templates, or one that cannot be used; PITH_ENOMEM */
pith_status pith_i_soft_new(pith_i_env *env, const pith_i_theory *theory,
                            const pith_i_store *store,
                            const pith_compress_options *opt, pith_i_run *run,
                            pith_i_soft **out);
void pith_i_soft_free(pith_i_soft *s);

/* Fills found. Stopped on the way, with what there is by then. */
pith_status pith_i_soft_run(pith_i_soft *s);

/* Atoms of observed predicates that the loss is about. */
uint64_t pith_i_soft_cells(const pith_i_soft *s);

/* A restart's theory in symbols: its rules, in the arena; what holds of the
** invented predicates; its core. The stores are the caller's. */
typedef struct {
  pith_rule **rules; /* (rule_count) */
  size_t rule_count;
  pith_i_store invented, core;
} pith_i_spelled;
pith_status pith_i_soft_spell(pith_i_soft *s, const pith_i_restart *r,
                              pith_i_spelled *out);
void pith_i_spelled_free(pith_i_spelled *t);

/* The learned value of a fact, or 1 where it was not open. */
double pith_i_soft_value(const pith_i_soft *s, const pith_i_restart *r,
                         pith_pred pred, const pith_sym *args);

#endif
