/* Ground facts by the block. Looking up a name is three places in memory that
** are seldom in the cache; one name at a time, reading a million facts is
** mostly waiting for them. Here the texts of some facts are collected, and
** the places asked for ahead of use, so that the waits overlap: three times
** faster with a million names. */
#ifndef PITH_TEXT_BULK_H
#define PITH_TEXT_BULK_H

#include "text/parser.h"

enum { PITH_I_BULK_ARITY = 8, PITH_I_BULK_ARGS = 256 };

typedef struct {
  const char *text; /* in the source */
  size_t n;
  pith_sym_kind kind;
  uint32_t hash;
} pith_i_span;

typedef struct {
  const pith_i_input *in;
  size_t arg_count, fact_count;
  pith_i_span args[PITH_I_BULK_ARGS];
  pith_pred preds[PITH_I_BULK_ARGS];  /* of the facts */
  uint32_t arities[PITH_I_BULK_ARGS]; /* of the facts */
} pith_i_bulk;

/* Adds the fact with these arguments, at most PITH_I_BULK_ARITY, sooner or
** later. A number is spelled as it is kept. PITH_ENOMEM, or what the input's
** fact function says. */
pith_status pith_i_bulk_add(pith_i_bulk *b, pith_pred pred,
                            const pith_i_span *args, uint32_t arity);

/* Adds what is still to be added. */
pith_status pith_i_bulk_flush(pith_i_bulk *b);

#endif
