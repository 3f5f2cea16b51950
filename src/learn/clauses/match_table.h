/* Ways to match part of a body: a row for each example and each binding of
** the variables that the head does not have. Atoms are joined to a table one
** at a time, through indexes on the places that are bound. */
#ifndef PITH_LEARN_CLAUSES_MATCH_TABLE_H
#define PITH_LEARN_CLAUSES_MATCH_TABLE_H

#include "learn/clauses/clause_language.h"

/* Variables are numbered: those of the head, then the others. */
typedef struct {
  uint16_t choice;
  uint8_t arg[PITH_I_PLACES];
} pith_i_lit;

/* The examples that are looked at; bit i of a cover is the i-th of them, the
** negative ones start at a word of their own. */
typedef struct {
  pith_i_space *space;
  uint32_t *pick; /* (n) numbers of examples, the positive ones first */
  uint32_t positives, n;
  size_t pos_words, words;
  uint64_t work; /* rows and words touched: what budgets count */
  /* A join may stop at the first positive example without a match, for then
  ** its result is not wanted. */
  bool wants_all;
} pith_i_sample;

/* Takes pick, which pith_i_alloc gave. */
void pith_i_sample_take(pith_i_sample *m, pith_i_space *s, uint32_t *pick,
                        uint32_t positives, uint32_t n);
void pith_i_sample_free(pith_i_sample *m);

static inline size_t pith_i_sample_bit(const pith_i_sample *m, uint32_t i) {
  return i < m->positives ? i : m->pos_words * 64 + (i - m->positives);
}

typedef struct {
  uint32_t width;          /* example, then the variables */
  PITH_I_VEC(uint32_t) at; /* rows one after the other */
  size_t rows;
} pith_i_table;

/* One row for each example whose bit is set in among; NULL: all. */
pith_status pith_i_table_start(pith_i_sample *m, const uint64_t *among,
                               pith_i_table *out);
void pith_i_table_free(pith_i_env *env, pith_i_table *t);

/* The rows of `in` that the atom matches, with its new variables added, go to
** out; the examples that have one go to cover (words), which is zeroed. in
** binds head variables and vars others, the atom brings fresh new ones. With
** out NULL, or more than most rows, only the cover is made; *full tells. */
pith_status pith_i_table_join(pith_i_sample *m, const pith_i_table *in,
                              const pith_i_lit *atom, uint32_t fresh,
                              size_t most, pith_i_table *out, uint64_t *cover,
                              bool *full);

/* How many rows a join will give, about. */
double pith_i_table_expect(pith_i_sample *m, const pith_i_table *in,
                           const pith_i_lit *atom);

/* The join of all atoms of a body in turn, each connected to those before.
** *full false: there were more than most rows. */
pith_status pith_i_table_body(pith_i_sample *m, const uint64_t *among,
                              const pith_i_lit *atoms, uint32_t n, size_t most,
                              pith_i_table *out, pith_i_table *scratch,
                              bool *full);

/* Variables beyond the head's in the first n atoms. */
uint32_t pith_i_lits_vars(const pith_i_space *s, const pith_i_lit *atoms,
                          uint32_t n);

#endif
