/* Which examples a search looks at. Where they are many it starts with a few,
** and those that a program gets wrong are added until none is wrong. */
#ifndef PITH_LEARN_CLAUSES_EXAMPLE_SAMPLE_H
#define PITH_LEARN_CLAUSES_EXAMPLE_SAMPLE_H

#include "learn/clauses/clause_sizes.h"

/* All examples if there are at most `whole`, else `few` of them at random: as
** many of each sign or, if fair, in proportion to how many there are. What the
** sample held is freed. */
pith_status pith_i_sample_draw(pith_i_sample *m, pith_i_space *s,
                               uint32_t whole, uint32_t few, bool fair);

/* Adds n examples, by their numbers, to the sample. */
pith_status pith_i_sample_extend(pith_i_sample *m, pith_i_space *s,
                                 const uint32_t *more, uint32_t n);

/* Of all examples, those that the search's program gets wrong: the first few,
** PITH_TUNE_SEARCH_MORE_EXAMPLES at most, go to wrong. */
pith_status pith_i_find_wrong(pith_i_space *s, const pith_i_exact *x,
                              uint32_t *wrong, uint32_t *n);

#endif
