#include "task/bounds.h"

#include "task/vocabulary.h"

static bool has_bias(const pith_i_theory *theory) {
  const pith_bias *b = &theory->bias;
  return b->max_vars + b->max_body + b->max_clauses > 0 || b->enable_pi ||
         b->enable_recursion || pith_i_bias_names_bodies(&theory->names);
}

static uint32_t first_given(uint32_t by_caller, uint32_t by_bias) {
  return by_caller != 0 ? by_caller : by_bias;
}

pith_i_bounds pith_i_bounds_of(const pith_i_theory *theory,
                               const pith_learn_options *opt) {
  const pith_bias *bias = &theory->bias;
  bool given = has_bias(theory);
  bool invention = !given || bias->enable_pi;
  if (opt->max_invented != PITH_NONE)
    invention = opt->max_invented > 0;
  return (pith_i_bounds){.max_rules =
                             first_given(opt->max_rules, bias->max_clauses),
                         .max_body = first_given(opt->max_body, bias->max_body),
                         .max_vars = first_given(opt->max_vars, bias->max_vars),
                         .max_invented = opt->max_invented,
                         .invention = invention,
                         .wants_invention = bias->enable_pi,
                         .recursion = !given || bias->enable_recursion,
                         .constants = !opt->no_constants &&
                                      (opt->constants || bias->constants > 0),
                         .no_constants = opt->no_constants};
}
