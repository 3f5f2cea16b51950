/* Metagol's metarules: metarule([P,Q],[P,A,B],[[Q,A,B]]), perhaps with a name
** in front. The first list holds the predicate variables, then come the head
** and the list of body atoms, each a list that starts with its predicate. */
#include "text/template.h"

static bool expect_in_metarule(pith_i_template_reader *r, const char *text) {
  if (!pith_i_token_is(&r->p.lex.token, text))
    return r->p.lex.token.kind == PITH_I_BAD ||
                   r->p.lex.token.kind == PITH_I_STRING
               ? pith_i_parse_refuse(&r->p, text)
               : pith_i_lexer_error(
                     &r->p.lex, r->p.lex.token.at,
                     "not a metarule; expected %s here, as in "
                     "metarule([P,Q],[P,A,B],[[Q,A,B]]); correct it",
                     text);
  pith_i_lexer_next(&r->p.lex);
  return true;
}

static bool is_word(const pith_i_template_reader *r) {
  pith_i_token_kind kind = r->p.lex.token.kind;
  return kind == PITH_I_VARIABLE || kind == PITH_I_PLAIN_NAME ||
         kind == PITH_I_QUOTED;
}

/* [P,Q]: which variables are predicates shows in the atoms too, so that this
** is only skipped. */
static bool skip_predicate_list(pith_i_template_reader *r) {
  if (!expect_in_metarule(r, "["))
    return false;
  while (r->p.lex.token.kind == PITH_I_VARIABLE ||
         pith_i_token_is(&r->p.lex.token, ","))
    pith_i_lexer_next(&r->p.lex);
  return expect_in_metarule(r, "]");
}

/* [P,A,B] */
static bool read_list_atom(pith_i_template_reader *r) {
  pith_i_lexer *x = &r->p.lex;
  if (!expect_in_metarule(r, "["))
    return false;
  if (!is_word(r))
    return expect_in_metarule(r, "a predicate");
  bool open = x->token.kind == PITH_I_VARIABLE;
  pith_sym name;
  if (!pith_i_parse_name(&r->p, PITH_NAME, &name) ||
      !pith_i_draft_add(&r->p, name, x->token.at))
    return false;
  pith_i_lexer_next(x);
  while (pith_i_token_is(&x->token, ",")) {
    pith_term term;
    pith_i_lexer_next(x);
    if (!pith_i_parse_term(&r->p, &term) || !pith_i_parse_push(&r->p, term))
      return false;
  }
  return expect_in_metarule(r, "]") && (open ? pith_i_template_variable(r, name)
                                             : pith_i_template_fixed(r, name));
}

static bool read_list_body(pith_i_template_reader *r) {
  if (!expect_in_metarule(r, "["))
    return false;
  for (;;) {
    if (!read_list_atom(r))
      return false;
    if (!pith_i_token_is(&r->p.lex.token, ","))
      return expect_in_metarule(r, "]");
    pith_i_lexer_next(&r->p.lex);
  }
}

/* [P,A,B],[[Q,A,B]] or, as older versions have it, ([P,A,B]:-[[Q,A,B]]). */
static bool read_list_rule(pith_i_template_reader *r) {
  bool inside = pith_i_token_is(&r->p.lex.token, "(");
  if (inside)
    pith_i_lexer_next(&r->p.lex);
  return read_list_atom(r) && expect_in_metarule(r, inside ? ":-" : ",") &&
         read_list_body(r) && (!inside || expect_in_metarule(r, ")"));
}

bool pith_i_metarule(pith_i_template_reader *r) {
  pith_i_lexer_next(&r->p.lex);
  if (!expect_in_metarule(r, "("))
    return false;
  if (r->p.lex.token.kind == PITH_I_PLAIN_NAME) {
    pith_i_lexer_next(&r->p.lex);
    if (!expect_in_metarule(r, ","))
      return false;
  }
  return skip_predicate_list(r) && expect_in_metarule(r, ",") &&
         read_list_rule(r) && expect_in_metarule(r, ")");
}
