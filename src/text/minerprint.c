/* Rules as the rule miners of knowledge graphs write them. AMIE: ?a p ?b  ?b q
** ?c  => ?a r ?c, then a tab and the confidence. AnyBURL: how many it predicts,
** how many of these hold, the confidence, and r(X,Y) <= p(X,A), q(A,Y); what is
** not known is 0. Both have relations of two places, and nothing else. */
#include <string.h>

#include "text/decimal.h"
#include "text/triples.h"
#include "text/writers.h"

static const char *unfit_text(const char *text, const char *bad) {
  if (strpbrk(text, bad) != NULL || *text == '\0')
    return "a name has characters that part words there";
  if (strncmp(text, "\xef\xbb\xbf", 3) == 0)
    return "a name starts with a byte order mark";
  return text[0] == '#' || strcmp(text, "=>") == 0
             ? "a name would be read as something else"
             : NULL;
}

/* A capital letter alone is a variable of AnyBURL's. */
static const char *unfit_constant(const pith_i_symbol *s, const char *bad) {
  const char *why = pith_i_unfit_kind(s);
  if (why != NULL)
    return why;
  if (s->len == 1 && s->text[0] >= 'A' && s->text[0] <= 'Z')
    return "a capital letter would be read as a variable";
  return unfit_text(s->text, bad);
}

static const char *unfit_atom(const pith_i_names *names, const pith_atom *a,
                              const char *bad) {
  if (PITH_IS_BUILTIN(a->pred) || a->negated)
    return "it has a comparison or a negation";
  if (a->arity != 2)
    return "an atom does not have two arguments";
  const char *why = unfit_text(pith_i_pred_text(names, a->pred), bad);
  for (uint32_t i = 0; why == NULL && i < 2; i++)
    if (!PITH_IS_VAR(a->args[i]))
      why = unfit_constant(pith_i_sym(names, a->args[i]), bad);
  return why;
}

static const char *unfit_rule(const pith_i_names *names, const pith_rule *r,
                              const char *bad) {
  const char *why = unfit_atom(names, &r->head, bad);
  for (uint32_t i = 0; why == NULL && i < r->body_len; i++)
    why = unfit_atom(names, &r->body[i], bad);
  return why != NULL || r->var_count <= 26
             ? why
             : "it has more variables than letters";
}

static double confidence_of(const pith_rule *r) {
  if (r->probability > 0 || r->predictions == 0)
    return r->probability;
  return (double)r->support / (double)r->predictions;
}

/* ---- AMIE ------------------------------------------------------------- */

static void put_amie_term(const pith_i_names *names, pith_term t, pith_out *o) {
  if (PITH_IS_VAR(t))
    pith_out_print(o, "?%c", (char)('a' + (int)PITH_VAR_INDEX(t)));
  else
    pith_i_out_text(o, pith_i_sym(names, t)->text);
}

static void put_amie_atom(const pith_i_names *names, const pith_atom *a,
                          pith_out *o) {
  put_amie_term(names, a->args[0], o);
  pith_i_out_text(o, "  ");
  pith_i_out_text(o, pith_i_pred_text(names, a->pred));
  pith_i_out_text(o, "  ");
  put_amie_term(names, a->args[1], o);
}

static pith_status write_amie_rule(pith_i_output *out, const pith_rule *r) {
  const pith_i_names *names = &out->theory->names;
  const char *why = unfit_rule(names, r, " \t\n\r?");
  if (why != NULL)
    return pith_i_refuse_rule(out, r, "AMIE's", why);
  for (uint32_t i = 0; i < r->body_len; i++) {
    put_amie_atom(names, &r->body[i], out->o);
    pith_i_out_text(out->o, "  ");
  }
  pith_i_out_text(out->o, " => ");
  put_amie_atom(names, &r->head, out->o);
  if (confidence_of(r) > 0)
    pith_out_print(out->o, "\t%s", pith_i_decimal_write(confidence_of(r)).text);
  return pith_i_out_char(out->o, '\n');
}

static pith_status each_rule(pith_i_output *out,
                             pith_status (*write)(pith_i_output *out,
                                                  const pith_rule *r)) {
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc >= 0 && i < out->theory->rules.n; i++)
    rc = write(out, out->theory->rules.at[i]);
  return rc;
}

pith_status pith_i_write_amie(pith_i_output *out) {
  return each_rule(out, write_amie_rule);
}

/* ---- AnyBURL ---------------------------------------------------------- */

/* X and Y are those of the head, A, B and so on the others. */
static void put_letter(const pith_rule *r, uint32_t var, pith_out *o) {
  char letter = 'A';
  if (r->head.args[0] == PITH_VAR(var))
    letter = 'X';
  else if (r->head.args[1] == PITH_VAR(var))
    letter = 'Y';
  else
    for (uint32_t i = 0; i < var; i++)
      letter = (char)(letter + (r->head.args[0] != PITH_VAR(i) &&
                                r->head.args[1] != PITH_VAR(i)));
  pith_i_out_char(o, letter);
}

static void put_burl_atom(const pith_i_names *names, const pith_rule *r,
                          const pith_atom *a, pith_out *o) {
  pith_i_out_text(o, pith_i_pred_text(names, a->pred));
  for (uint32_t i = 0; i < 2; i++) {
    pith_i_out_char(o, i == 0 ? '(' : ',');
    if (PITH_IS_VAR(a->args[i]))
      put_letter(r, PITH_VAR_INDEX(a->args[i]), o);
    else
      pith_i_out_text(o, pith_i_sym(names, a->args[i])->text);
  }
  pith_i_out_char(o, ')');
}

static pith_status write_burl_rule(pith_i_output *out, const pith_rule *r) {
  const pith_i_names *names = &out->theory->names;
  const char *why = unfit_rule(names, r, " \t\n\r(),");
  if (why == NULL && r->var_count > 20)
    why = "it has too many variables";
  if (why != NULL)
    return pith_i_refuse_rule(out, r, "AnyBURL's", why);
  pith_out_print(out->o, "%llu\t%llu\t%s\t", (unsigned long long)r->predictions,
                 (unsigned long long)r->support,
                 pith_i_decimal_write(confidence_of(r)).text);
  put_burl_atom(names, r, &r->head, out->o);
  for (uint32_t i = 0; i < r->body_len; i++) {
    pith_i_out_text(out->o, i == 0 ? " <= " : ", ");
    put_burl_atom(names, r, &r->body[i], out->o);
  }
  return pith_i_out_char(out->o, '\n');
}

pith_status pith_i_write_anyburl(pith_i_output *out) {
  return each_rule(out, write_burl_rule);
}
