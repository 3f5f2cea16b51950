/* The languages that are searched for a task, from the plain to the rich. */
#ifndef PITH_LEARN_CLAUSES_LANGUAGE_LIST_H
#define PITH_LEARN_CLAUSES_LANGUAGE_LIST_H

#include "learn/clauses/clause_language.h"
#include "task/task.h"

enum { PITH_I_MOST_LANGUAGES = 10 };

/* Values of a place, at most, for a rule to name one. */
uint32_t pith_i_most_constants(const pith_i_task *task);

/* out: room for PITH_I_MOST_LANGUAGES. Returns how many there are. */
uint32_t pith_i_list_languages(const pith_i_task *task, pith_i_language *out);
uint32_t pith_i_count_languages(const pith_i_task *task);

/* The richest that neither names constants nor denies, counted from 1. */
uint32_t pith_i_richest_plain_language(const pith_i_task *task);

/* The one in which something was found, counted from 1; 0: no one of these. */
uint32_t pith_i_language_of(const pith_i_task *task, const pith_space *found);

#endif
