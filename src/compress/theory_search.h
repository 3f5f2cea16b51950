/* Compression: from observations to rules and a small core from which the
** rules give back all of them.
**
** Whoever has an idea of the rules makes a proposal; a compressor takes it,
** leaves out rules that derive what was not observed, makes the core minimal,
** leaves out rules that do not pay, prices what is left by its description
** length, and keeps the best. The proposals of src/compress come from counting
** (rules.h) and from merging relations (invent.h); others may come from
** anywhere, such as a gradient. */
#ifndef PITH_COMPRESS_THEORY_SEARCH_H
#define PITH_COMPRESS_THEORY_SEARCH_H

#include "base/stop.h"
#include "compress/invent.h"
#include "compress/rule_mining.h"

/* Rules over observed and invented predicates. Everything is borrowed and
** copied by the compressor. */
typedef struct {
  pith_rule *const *rules; /* (rule_count) */
  size_t rule_count;
  /* What holds of each invented predicate: its given facts. Closed: what is
  ** not there is false. NULL: nothing was invented. */
  const pith_i_store *invented;
  const char *by; /* what found it: "search", "gradient"; static text */
  /* The learned value of a core fact; NULL: 1. */
  double (*value)(void *ctx, pith_pred pred, const pith_sym *args);
  void *ctx;
} pith_i_proposal;

/* A theory that was priced. */
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
} pith_i_compressed;

typedef struct {
  pith_i_env *env;
  pith_i_theory *theory; /* invented predicates are added to its names */
  const pith_i_store *observed;
  const pith_compress_options *opt;
  pith_i_hiding hiding;
  pith_i_stop stop;
  pith_i_compressed *best; /* NULL: none yet */
  pith_i_arena arena;
  PITH_I_VEC(pith_rule *) looked_at; /* right everywhere; none: too many */
  pith_i_concepts concepts;          /* invented here */
  const pith_i_store *invented;      /* their facts, while there are any */
  double before;                     /* bits of the observations, one by one */
  PITH_I_VEC(pith_restart_info) restarts;    /* of the gradient */
  void (*tell)(void *ctx, const char *what); /* how far it is, or NULL */
  void *tell_ctx;
} pith_i_compressor;

void pith_i_compressed_free(pith_i_compressed *f);

/* Borrows all three; stop and tell may be set. end frees all but best. */
pith_i_compressor pith_i_compressor_of(pith_i_theory *theory,
                                       const pith_i_store *observed,
                                       const pith_compress_options *opt);
void pith_i_compressor_end(pith_i_compressor *c);

/* Prices the proposal, and keeps it when it is the best so far; *bits (may be
** NULL) gets its description length. Invented predicates must have been added
** to the theory's names.
**   PITH_STOPPED  time is up: it was not looked at; PITH_ENOMEM */
pith_status pith_i_compress_offer(pith_i_compressor *c,
                                  const pith_i_proposal *p, double *bits);

/* Makes a theory of the proposal's rules and this core as they are, and keeps
** it whatever its price. */
pith_status pith_i_compress_take(pith_i_compressor *c, const pith_i_proposal *p,
                                 const pith_i_store *core);

/* Prices the observations as they are, and takes them for the best so far. */
pith_status pith_i_compress_begin(pith_i_compressor *c);

/* Finds rules by counting, or those that the theory's templates allow, and
** offers the best choice of them. */
pith_status pith_i_compress_search(pith_i_compressor *c);

#endif
