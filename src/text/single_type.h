/* The constraint that most of Popper's folders have: one variable of a type in
** each rule, such as the state of a game,
**
**   :- clause(C), #count{V : var_type(C,V,ex)} != 1.
**
** It is a text of the solver's language, so it is matched character by
** character and not by the lexer. */
#ifndef PITH_TEXT_SINGLE_TYPE_H
#define PITH_TEXT_SINGLE_TYPE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
  const char *type; /* (n) points into the text */
  size_t n;
  size_t end; /* of the constraint, its full stop included */
} pith_i_single_type;

/* Whether the NUL-ended text starts with such a constraint. */
bool pith_i_match_single_type(const char *text, pith_i_single_type *out);

#endif
