/* Compression: from observations to rules and a small core from which the
** rules give back all of them.
**
** Whoever has an idea of the rules makes a proposal; a compressor takes it,
** leaves out rules that derive what was not observed, makes the core minimal,
** leaves out rules that do not pay, prices what is left by its description
** length, and keeps the best. The proposals of src/compress come from counting
** (rules.h) and from merging relations (invent.h); others may come from
** anywhere, such as a gradient. */
#ifndef PITH_COMPRESS_COMPRESS_H
#define PITH_COMPRESS_COMPRESS_H

#include "base/stop.h"
#include "fact/store.h"
#include "term/theory.h"

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

typedef struct pith_i_compressor pith_i_compressor;

/* Prices the proposal, and keeps it when it is the best so far; *bits (may be
** NULL) gets its description length. Invented predicates must have been added
** to the theory's names.
**   PITH_STOPPED  time is up: it was not looked at; PITH_ENOMEM */
pith_status pith_i_compress_offer(pith_i_compressor *c,
                                  const pith_i_proposal *p, double *bits);

#endif
