/* Learning without templates: clauses are searched for exactly, by size, and
** the smallest program that fits is what comes out. */
#ifndef PITH_LEARN_CLAUSES_CLAUSE_SEARCH_H
#define PITH_LEARN_CLAUSES_CLAUSE_SEARCH_H

#include "learn/clauses/label_noise.h"
#include "task/best.h"

/* A language for which there is too little memory is left out; the list says
** so in `full`. Exact: what fits all examples, else what is worth its length
** of clauses that cover no negative one. Noisy: the program that is worth its
** length, where examples may be wrong. Clauses alone: first the one, then, if
** nothing fits, the other; noisy at once if the caller says so. */
pith_i_learner pith_i_learn_exact_clauses, pith_i_learn_noisy_clauses,
    pith_i_learn_clauses;

/* The same with little work, to see what is learned from fewer examples.
** richest: the last language that is tried, counted from 1; 0: all are.
** small_first: parts of rules with small tables of matches are made longer
** before those that are short to say. */
pith_status pith_i_learn_briefly(const pith_i_task *task, pith_i_run *run,
                                 pith_i_best *best, uint32_t richest,
                                 bool small_first);

/* One rule that covers all positive examples, in one language, counted from 1,
** with little work. */
pith_status pith_i_learn_one_rule(const pith_i_task *task, pith_i_run *run,
                                  pith_i_best *best, uint32_t language);

/* Whether what the best theory gets wrong looks like wrong labels. listed: what
** fits takes more bits than the labels. */
pith_i_noise_seen pith_i_noise_in_best(const pith_i_task *task,
                                       const pith_i_best *found, bool listed);

#endif
