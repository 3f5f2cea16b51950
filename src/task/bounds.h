/* How large theories may be that are learned without templates, and what their
** rules may say: what the caller asks for or, where the caller does not say,
** what bias.pl of the first world allows. Decided here and nowhere else. */
#ifndef PITH_TASK_BOUNDS_H
#define PITH_TASK_BOUNDS_H

#include "term/theory.h"

typedef struct {
  uint32_t max_rules, max_body, max_vars; /* 0: as the search has it        */
  uint32_t max_invented;                  /* predicates; PITH_NONE: any     */
  bool invention;                         /* predicates may be invented     */
  bool wants_invention;                   /* bias.pl asks for it            */
  bool recursion;
  bool constants;    /* rules may name constants from the start */
  bool no_constants; /* only in comparisons */
} pith_i_bounds;

/* A bias that enables neither recursion nor invention forbids them; without
** any bias both are allowed. */
pith_i_bounds pith_i_bounds_of(const pith_i_theory *theory,
                               const pith_learn_options *opt);

#endif
