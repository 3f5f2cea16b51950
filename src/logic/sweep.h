/* Closure of relations kept as bits.
**
** A grown matrix has the pairs known so far (full), and those among them
** that no rule has seen (fresh). An operation says what fresh bits of one
** row bring for another matrix. Rows are swept in order until none is fresh:
** all of a row's fresh bits are handed on together, a word at a time, so the
** cost is at most that of one row for each match of a rule, and mostly far
** below it. This is the iteration of data-flow analysis; when rows are
** numbered such that most feed later ones, a few sweeps are enough.
**
** Rounds of a semi-naive evaluation over bits were the other way: they visit
** a row once a round, and a path of n nodes has n rounds. */
#ifndef PITH_LOGIC_SWEEP_H
#define PITH_LOGIC_SWEEP_H

#include "base/vec.h"

/* A relation that does not change, as lists or as bits. */
typedef struct {
  size_t *starts; /* (n + 1) row x is ids[starts[x]] .. ids[starts[x + 1]] */
  uint32_t *ids;
  uint64_t *bits; /* (n, words), instead */
} pith_i_fixed;

typedef struct {
  uint32_t lo, hi; /* words [lo, hi); empty when lo >= hi */
} pith_i_range;

typedef enum {
  PITH_I_COPY,        /* to[x]   gets fresh[x]                               */
  PITH_I_INVERT,      /* to[y]   gets x, for y in fresh[x]                   */
  PITH_I_FIXED_LEFT,  /* to[w]   gets fresh[x], for w in fixed[x]            */
  PITH_I_FIXED_RIGHT, /* to[x]  gets fixed[z], for z in fresh[x]            */
  PITH_I_GROWN_RIGHT, /* to[x]  gets other[z], for z in fresh[x]            */
  PITH_I_GROWN_LEFT   /* to[w]  gets fresh[x], for w in other[x]            */
} pith_i_op_kind;

typedef struct {
  pith_i_op_kind kind;
  uint32_t to, other; /* grown matrices */
  uint32_t fixed;
} pith_i_op;

typedef struct {
  uint64_t *full, *fresh; /* (n, words) */
  pith_i_range *known;    /* (n) where full has bits   */
  pith_i_range *news;     /* (n) where fresh has bits  */
  PITH_I_VEC(pith_i_op) ops;
} pith_i_grown;

typedef struct {
  pith_i_env *env;
  size_t n, words;
  PITH_I_VEC(pith_i_grown) grown;
  PITH_I_VEC(pith_i_fixed) fixed;
  uint64_t *dirty; /* (words) rows with something fresh in any matrix */
  uint64_t *delta; /* (words) the bits being handed on                */
  uint32_t sweeps;
  pith_status (*poll)(void *ctx); /* now and then; not zero: stop */
  void *poll_ctx;
} pith_i_sweep;

pith_status pith_i_sweep_init(pith_i_sweep *s, pith_i_env *env, size_t n);
void pith_i_sweep_free(pith_i_sweep *s);

/* The number of a new, empty matrix; PITH_NONE: no memory. */
uint32_t pith_i_grown_new(pith_i_sweep *s);
bool pith_i_grown_op(pith_i_sweep *s, uint32_t from, pith_i_op op);
void pith_i_grown_set(pith_i_sweep *s, uint32_t grown, size_t x, size_t y);

/* Until nothing is fresh, or with what poll gave. */
pith_status pith_i_sweep_run(pith_i_sweep *s);

#endif
