/* Answer set programs that say what the smallest core is, or the shortest
** theory: written without help of the code that found them. */
#ifndef PITH_COMPRESS_CERTIFY_H
#define PITH_COMPRESS_CERTIFY_H

#include "compress/compressor.h"

typedef struct {
  const pith_i_theory *theory; /* for names */
  pith_i_priced_theory *found; /* its core is expanded, and put back */
  pith_rule *const *rules;     /* (rule_count) */
  size_t rule_count;
  bool choose; /* among the rules, by description length; else all hold */
} pith_i_certificate;

pith_status pith_i_certify(const pith_i_certificate *c, pith_out *o);

#endif
