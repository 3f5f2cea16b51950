#include "text/jsonprint.h"

#include <string.h>

#include "text/decimal.h"

static void put_constant(const pith_i_names *names, pith_sym s, pith_out *o) {
  const pith_i_symbol *sym = pith_i_sym(names, s);
  if (sym->kind == PITH_NUMBER) {
    pith_out_write(o, sym->text, sym->len);
    return;
  }
  if (sym->kind == PITH_COMPOUND)
    pith_i_out_text(o, "{\"term\":");
  pith_out_quote(o, sym->text);
  if (sym->kind == PITH_COMPOUND)
    pith_i_out_char(o, '}');
}

/* v: of the rule of which the term is a part, or NULL. */
static void put_term(const pith_i_names *names, const pith_i_naming *v,
                     pith_term term, pith_out *o) {
  if (!PITH_IS_VAR(term)) {
    put_constant(names, term, o);
    return;
  }
  pith_i_out_text(o, "{\"var\":\"");
  if (v != NULL)
    pith_i_print_distinct_variable(names, v, PITH_VAR_INDEX(term), o);
  else
    pith_i_print_variable(names, NULL, PITH_VAR_INDEX(term), o);
  pith_i_out_text(o, "\"}");
}

static void put_atom(const pith_i_names *names, const pith_i_naming *v,
                     const pith_atom *a, pith_out *o) {
  pith_i_out_text(o, "\"predicate\":");
  pith_out_quote(o, pith_i_pred_text(names, a->pred));
  pith_i_out_text(o, ",\"args\":[");
  for (uint32_t i = 0; i < a->arity; i++) {
    if (i > 0)
      pith_i_out_char(o, ',');
    put_term(names, v, a->args[i], o);
  }
  pith_i_out_text(o, a->negated ? "],\"negated\":true" : "]");
}

pith_status pith_i_json_ground(const pith_i_names *names, pith_pred pred,
                               const pith_sym *args, size_t n, pith_out *o) {
  pith_atom a = {.pred = pred, .arity = (uint32_t)n, .args = args};
  return pith_i_json_atom(names, &a, o);
}

pith_status pith_i_json_atom(const pith_i_names *names, const pith_atom *a,
                             pith_out *o) {
  put_atom(names, NULL, a, o);
  return pith_out_write(o, "", 0);
}

pith_status pith_i_json_rule(const pith_i_names *names, const pith_rule *r,
                             pith_out *o) {
  pith_i_naming v;
  pith_i_name_variables(names, r, &v);
  pith_i_out_text(o, "\"head\":{");
  put_atom(names, &v, &r->head, o);
  pith_i_out_text(o, "},\"body\":[");
  for (uint32_t i = 0; i < r->body_len; i++) {
    pith_i_out_text(o, i == 0 ? "{" : ",{");
    put_atom(names, &v, &r->body[i], o);
    pith_i_out_char(o, '}');
  }
  pith_i_out_char(o, ']');
  if (r->probability != 0)
    pith_out_print(o, ",\"probability\":%s",
                   pith_i_decimal_write(r->probability).text);
  return pith_out_write(o, "", 0);
}
