/* What the files that make a clause language share. */
#ifndef PITH_LEARN_CLAUSES_LANGUAGE_PARTS_H
#define PITH_LEARN_CLAUSES_LANGUAGE_PARTS_H

#include "learn/clauses/clause_language.h"

/* ---- clause_language.c: kinds of atoms ------------------------------- */

pith_status pith_i_space_add_choice(pith_i_space *s, pith_i_kind_of_atom c);

/* Finds the pairs of open places that have the same value in some fact. */
void pith_i_find_repeated_places(pith_i_space *s, size_t choice);

/* ---- place_domains.c: types of places --------------------------------- */

/* The type that the bias gives a place, or PITH_NONE. */
pith_sym pith_i_space_type(const pith_i_space *s, pith_pred pred,
                           uint32_t place);

/* Whether a rule has one variable of the type, the head's. */
bool pith_i_space_single_type(const pith_i_space *s, pith_sym type);

/* ---- named_values.c: constants in places ------------------------------- */

/* Reads which constants the bias lists. */
pith_status pith_i_space_list_constants(pith_i_space *s);

/* Adds p(X,c) beside p(X,Y), for each place with few values. */
pith_status pith_i_space_add_constants(pith_i_space *s);

/* The kind with a value in one of its open places. */
pith_i_kind_of_atom pith_i_fix_place(const pith_i_kind_of_atom *of,
                                     uint32_t place, pith_sym value);

/* Counts the different values in a place. */
pith_status pith_i_space_count_values(pith_i_space *s, uint32_t choice,
                                      uint32_t place, uint32_t *out);

/* ---- example_symbols.c ------------------------------------------------- */

/* Takes the examples of the target that are no facts, positive ones first. */
pith_status pith_i_space_collect_examples(pith_i_space *s);

/* Lists what the examples are about, as the first world names it, and what is
** of the same kind without having a label. */
pith_status pith_i_space_list_symbols(pith_i_space *s);

bool pith_i_is_in_examples(const pith_i_space *s, pith_sym value);

#endif
