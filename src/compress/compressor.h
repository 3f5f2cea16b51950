/* Compression: from observations to rules and a small core from which the
** rules give back all of them.
**
** Whoever has an idea of the rules makes a proposal. The compressor leaves out
** rules that derive what was not observed, makes the core minimal, leaves out
** rules that do not pay, prices the result by its description length, and
** keeps the best. Proposals come from counting (propose_rules.h), from merging
** relations (invent.h), from doubting observations (doubt_facts.h) and from a
** gradient (soft_proposals.h). */
#ifndef PITH_COMPRESS_COMPRESSOR_H
#define PITH_COMPRESS_COMPRESSOR_H

#include "base/run.h"
#include "compress/hidden_atoms.h"
#include "compress/invent.h"

/* Rules over observed and invented predicates. Everything is borrowed, and
** the compressor copies what it keeps. */
typedef struct {
  pith_rule *const *rules; /* (rule_count) */
  size_t rule_count;
  /* The extension of each invented predicate, as given facts. Closed: what is
  ** not there is false. NULL: nothing was invented. */
  const pith_i_store *invented;
  const char *by; /* what found it: "search", "gradient"; static text */
  /* The learned value of a core fact; NULL: 1. */
  double (*value)(void *ctx, pith_pred pred, const pith_sym *args);
  void *ctx;
} pith_i_proposal;

typedef struct {
  pith_i_arena arena;
  PITH_I_VEC(pith_rule *) rules;
  PITH_I_VEC(pith_counts)
  counts;                    /* of the rules, on what was observed and on
                                the extensions of what was invented   */
  pith_i_store core;         /* its given facts                           */
  PITH_I_VEC(double) values; /* of the core, predicate by predicate       */
  pith_i_concepts invented;  /* those that rules use                      */
  pith_i_store extra;        /* derived, and not observed                 */
  pith_i_store missing;      /* observed, and neither in the core nor derived */
  double bits;               /* in all */
  size_t bound;              /* no core for these rules has fewer facts   */
  bool minimal;              /* as many as the bound says                 */
  const char *by;
  double *rule_share, *core_share; /* of the gradient's restarts that have it
                                      too; NULL: there were none */
} pith_i_priced_theory;

void pith_i_priced_theory_free(pith_i_priced_theory *f);

typedef struct {
  pith_i_env *env;
  pith_i_theory *theory; /* invented predicates are added to its names */
  const pith_i_store *observed;
  const pith_compress_options *opt;
  const pith_i_theory *meant; /* to compare restarts with; NULL: none */
  pith_i_hide_atoms hiding;
  pith_i_run *run;            /* may be NULL */
  pith_i_run *brief;          /* when the time is up: how long a core may still
                                 be searched for; else NULL */
  pith_i_priced_theory *best; /* NULL: none yet */
  pith_i_arena arena;
  PITH_I_VEC(pith_rule *) considered; /* right everywhere; none: too many */
  pith_i_concepts concepts;           /* invented here */
  const pith_i_store *invented;       /* their facts, while there are any */
  bool complete;                      /* the search ended by itself */
  double before;                      /* bits of the observations, one by one */
  PITH_I_VEC(pith_restart_info) restarts; /* of the gradient */
} pith_i_compressor;

/* Borrows all three; run may be set. The end frees all but best
** and restarts, which the caller takes. */
pith_i_compressor pith_i_compressor_of(pith_i_theory *theory,
                                       const pith_i_store *observed,
                                       const pith_compress_options *opt);
void pith_i_compressor_end(pith_i_compressor *c);

/* Runs every way to compress that the options ask for.
**   PITH_STOPPED  time or stop ended it; best is the best so far
**   PITH_EINPUT, PITH_ENOMEM */
pith_status pith_i_compress(pith_i_compressor *c);

/* The figures of the best theory. */
pith_compress_info pith_i_compressor_info(const pith_i_compressor *c);

/* Judges the best theory by the atoms that were hidden. */
pith_status pith_i_judge_hidden(const pith_i_compressor *c,
                                const pith_i_divided_facts *divided,
                                pith_compress_info *info);

/* Reports a new phase, with the best theory so far. */
void pith_i_report_phase(const pith_i_compressor *c, const char *phase);

#endif
