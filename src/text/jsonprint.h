/* Atoms and rules as members of a JSON object. A constant is a string or a
** number, a variable an object: {"var":"X"}. */
#ifndef PITH_TEXT_JSONPRINT_H
#define PITH_TEXT_JSONPRINT_H

#include "text/print.h"

/* "predicate":"edge","args":["a",12] */
pith_status pith_i_json_ground(const pith_i_names *names, pith_pred pred,
                               const pith_sym *args, size_t n, pith_out *o);
pith_status pith_i_json_atom(const pith_i_names *names, const pith_atom *a,
                             pith_out *o);

/* "head":{...},"body":[{...},...], and "probability" where it has one. */
pith_status pith_i_json_rule(const pith_i_names *names, const pith_rule *r,
                             pith_out *o);

#endif
