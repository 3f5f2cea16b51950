#include "learn/clauses/language_list.h"

#include "base/tunables.h"

uint32_t pith_i_most_constants(const pith_i_task *task) {
  return task->bounds.no_constants ? 0 : PITH_TUNE_LANGUAGE_CONSTANTS;
}

/* From the plain to the rich. Recursion needs all examples at once; where
** these are many, it is tried by itself. Comparisons say nothing new where
** there are neither numbers nor dates; negation comes after what says the same
** positively. */
uint32_t pith_i_list_languages(const pith_i_task *task, pith_i_language *out) {
  bool many = task->examples > PITH_TUNE_SEARCH_WHOLE_EXAMPLES;
  bool invent = task->bounds.invention, recursion = task->bounds.recursion;
  uint32_t most = pith_i_most_constants(task), n = 0,
           fixed = task->bounds.constants ? most : 0;
  bool adds_constants = fixed == 0 && most > 0;
  pith_i_language plain = {.recursion = recursion && !many,
                           .constants = fixed,
                           .no_constants = task->bounds.no_constants};
  out[n] = plain;
  out[++n] = plain;
  out[n].recursion = true;
  n += recursion && many &&
       task->examples <= PITH_TUNE_SEARCH_RECURSIVE_EXAMPLES;
  out[n] = plain;
  out[n++].comparisons = true;
  out[n] = plain;
  out[n].helpers = true;
  n += invent;
  out[n] = plain;
  out[n].helpers = invent;
  out[n++].different = true;
  out[n] = plain;
  out[n].constants = PITH_TUNE_LANGUAGE_KINDS;
  out[n].comparisons = true;
  n += adds_constants;
  out[n] = plain;
  out[n].absent = true;
  out[n++].comparisons = true;
  out[n] = plain;
  out[n].different = out[n].comparisons = true;
  out[n].constants = most;
  n += fixed == 0;
  out[n] = plain;
  out[n].absent = out[n].comparisons = true;
  out[n].constants = most;
  n += !task->bounds.no_constants;
  out[n] = plain;
  out[n].absent = out[n].different = out[n].comparisons = true;
  return n + 1;
}

uint32_t pith_i_count_languages(const pith_i_task *task) {
  pith_i_language languages[PITH_I_MOST_LANGUAGES];
  return pith_i_list_languages(task, languages);
}

uint32_t pith_i_richest_plain_language(const pith_i_task *task) {
  pith_i_language languages[PITH_I_MOST_LANGUAGES];
  uint32_t n = pith_i_list_languages(task, languages), richest = 1;
  for (uint32_t i = 1; i < n; i++)
    if (!languages[i].absent &&
        languages[i].constants == languages[0].constants)
      richest = i + 1;
  return richest;
}

uint32_t pith_i_language_of(const pith_i_task *task, const pith_space *found) {
  if (!found->clauses || found->noisy || found->number == 0)
    return 0;
  return (found->number - 1) % pith_i_count_languages(task) + 1;
}
