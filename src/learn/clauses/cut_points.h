/* Thresholds for numbers and dates: between which values of a column a
** comparison would tell positive from negative examples, and which number or
** date to write down there.
**
** Where a column has several values for an example, X >= t holds when the
** largest is at least t, X =< t when the smallest is at most t. Of a gap
** between two values the roundest number in it is written, as people choose
** them: with the fewest digits, then a multiple of five, then the one
** nearest the middle. Of dates the first of a year, else of a month, else the
** day nearest the middle. */
#ifndef PITH_LEARN_CLAUSES_CUT_POINTS_H
#define PITH_LEARN_CLAUSES_CUT_POINTS_H

#include "learn/clauses/match_table.h"

enum {
  PITH_I_CUTS = 8,     /* of a column and a direction, for one part */
  PITH_I_WIDENED = 12, /* of these, where labels may be wrong       */
  PITH_I_CUT_TEXT = 48 /* bytes of one written down                 */
};

/* Between two values of a column, which are constants of the space. */
typedef struct {
  uint32_t low, high;
} pith_i_cut;

typedef struct {
  pith_i_cut at[PITH_I_CUTS + 1 + PITH_I_WIDENED]; /* the most telling first */
  uint32_t n;
  uint32_t values; /* different ones in the column */
  double from, to; /* they lie between these       */
} pith_i_cuts;

/* The best cuts, and the first that loses no positive example, which another
** condition may complete, for X >= t, or, if below, for X =< t, where X is a
** variable of a table of matches; var counts from the head's on. Noisy: labels
** near a cut may be wrong, so that rounder cuts over a few of them are worth
** weighing too. */
pith_status pith_i_find_cuts(pith_i_sample *m, const pith_i_table *t,
                             uint32_t var, bool below, bool noisy,
                             pith_i_cuts *out);

/* The widest cuts that keep none of the examples in each of n sets of bits:
** where most examples have no label, these are what must not hold. */
pith_status pith_i_find_open_cuts(pith_i_sample *m, const pith_i_table *t,
                                  uint32_t var, bool below,
                                  const uint64_t *const *sets, uint32_t n,
                                  pith_i_cuts *out);

/* Among how many values a threshold was chosen: round numbers and dates are
** few, and people choose them; one in four of the others. */
uint32_t pith_i_cut_choices(const pith_i_cuts *cuts, pith_order order,
                            double threshold);

/* The number or date for a cut as text, and its length; 0 where none is
** rounder than the values themselves. low < t <= high, or, if below,
** low <= t < high. */
size_t pith_i_cut_text(pith_order order, double low, double high, bool below,
                       char *text);

/* The widest round step that a number, date or time is a multiple of; 0: none.
** The wider, the rounder. */
double pith_i_roundness(pith_order order, double x);

#endif
