#include "text/parser.h"

#include <assert.h>
#include <string.h>

#include "base/out.h"
#include "text/print.h"

/* A rule with more variables than MANY is taken for damage; the first FEW are
** looked up one by one, as that is quicker. */
enum { FEW_VARIABLES = 16, MANY_VARIABLES = 4096, MANY_ARGUMENTS = 65535 };

pith_status pith_i_parser_init(pith_i_parser *p, const pith_i_input *in) {
  memset(p, 0, sizeof *p);
  p->late_vars.width = 1;
  p->in = in;
  pith_i_lexer_init(&p->lex, in->lines, in->remarks);
  const char *file = in->remarks->file;
  return pith_i_sym_add(&in->theory->names, file, strlen(file), PITH_NAME,
                        &p->file);
}

pith_status pith_i_parser_end(pith_i_parser *p, size_t errors) {
  pith_i_env *env = p->in->theory->env;
  pith_i_lexer_free(&p->lex);
  pith_i_vec_free(env, &p->drafts);
  pith_i_vec_free(env, &p->args);
  pith_i_vec_free(env, &p->vars);
  pith_i_tuples_free(env, &p->late_vars);
  pith_i_vec_free(env, &p->atoms);
  pith_i_vec_free(env, &p->var_names);
  pith_i_vec_free(env, &p->parts);
  if (p->lex.status < 0)
    return p->lex.status;
  return p->in->remarks->errors > errors ? PITH_EINPUT : PITH_OK;
}

bool pith_i_parser_more(pith_i_parser *p) {
  const pith_i_input *in = p->in;
  if (in->more == NULL || p->lex.status < 0)
    return false;
  pith_status rc = in->more(in->more_ctx);
  if (rc < 0)
    p->lex.status = rc;
  p->lex.text = in->lines->text;
  return rc > 0;
}

void pith_i_parser_clear(pith_i_parser *p) {
  p->drafts.n = p->args.n = p->vars.n = p->parts.n = 0;
  if (p->late_vars.n > 0)
    pith_i_tuples_cut(&p->late_vars, 0);
  p->depth = 0;
  p->resume = p->ended = false;
}

/* The lexer's place is put where the caller is to go on. */
void pith_i_parser_recover(pith_i_parser *p) {
  if (p->resume)
    p->lex.at = p->lex.token.at;
  else if (!p->ended)
    pith_i_lexer_recover(&p->lex);
}

void pith_i_parser_empty(pith_i_parser *p, const char *what) {
  if (p->lex.status >= 0 &&
      pith_i_remark_add(p->in->remarks, PITH_I_WARNING, NULL, 0,
                        "nothing in it but space and comments; expected %s; "
                        "look whether it is the right file",
                        what) < 0)
    pith_i_parser_no_memory(p);
}

/* ---- what is not in the language ------------------------------------- */

typedef struct {
  const char *token, *message;
} refusal;

#define ARITHMETIC                                                             \
  "arithmetic is not supported; expected atoms and comparisons; "              \
  "write the relation out as facts, such as succ(1,2)"
#define COMPARISON                                                             \
  "a comparison here; expected it between two terms in the body of a rule; "   \
  "it cannot be defined, nor be an argument: move it"
#define NEGATION                                                               \
  "a negation here; expected it in front of an atom in the body of a rule, "   \
  "as in \\+ p(X); move it"
#define BRACES "braces are not supported; expected an atom; leave them out"

static const refusal refusals[] = {
    {"[", "lists are not supported; expected a constant or a variable; name "
          "the list and say what it holds by facts, such as first(list1,a)"},
    {"]", "a closing bracket; lists are not supported; remove it"},
    {"{", BRACES},
    {"}", BRACES},
    {"\\+", NEGATION},
    {"not", NEGATION},
    {"~", "~ is not Prolog; expected \\+ in front of a negated atom; write "
          "\\+ p(X)"},
    {";", "the disjunction ; is not supported; expected , or the full stop; "
          "write one rule for each side"},
    {"|", "the bar | is not supported; expected , or the full stop; write one "
          "rule for each side"},
    {"->", "if-then-else is not supported; expected , or the full stop; write "
           "one rule for each case"},
    {"*->", "if-then-else is not supported; expected , or the full stop; "
            "write one rule for each case"},
    {"!", "the cut is not supported; expected an atom; all rules apply here, "
          "in no order: remove it, or make the cases exclude each other"},
    {"is", ARITHMETIC},
    {"+", ARITHMETIC},
    {"-", ARITHMETIC},
    {"*", ARITHMETIC},
    {"/", ARITHMETIC},
    {"//", ARITHMETIC},
    {"mod", ARITHMETIC},
    {"<", COMPARISON},
    {">", COMPARISON},
    {"=<", COMPARISON},
    {"<=", COMPARISON},
    {">=", COMPARISON},
    {"=:=", COMPARISON},
    {"=\\=", COMPARISON},
    {"=", COMPARISON},
    {"==", COMPARISON},
    {"\\=", COMPARISON},
    {"\\==", COMPARISON},
    {"@<", COMPARISON},
    {"@>", COMPARISON},
    {"@=<", COMPARISON},
    {"@>=", COMPARISON},
    {"=..", "taking terms apart is not supported; expected = or \\=; name the "
            "parts by facts"},
    {"!=", "!= is not Prolog; expected \\= for different; write X \\= Y"},
    {"<>", "<> is not Prolog; expected \\= for different; write X \\= Y"},
    {"<-", "the arrow <- belongs in templates; expected :- between head and "
           "body; write :-"},
    {"-->", "grammar rules are not supported; expected :- between head and "
            "body; write the rule out"},
    {"::", "a probability stands in front of a rule, as in 0.8::f(X) :- g(X); "
           "expected no other; leave the number and :: out"},
    {":", "module names are not supported; expected an atom; leave the module "
          "and the : out"},
    {":-", "another :- in the same clause; expected , or the full stop; end "
           "the clause before with a full stop"},
};

static const refusal *find_refusal(const pith_i_token *t) {
  for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++)
    if (pith_i_token_is(t, refusals[i].token))
      return &refusals[i];
  return NULL;
}

static bool refuse_operator(pith_i_parser *p, const char *expected) {
  const pith_i_token *t = &p->lex.token;
  pith_i_short shown = pith_i_shorten(t->text, t->n);
  if (t->n > 1 && t->text[t->n - 1] == '-')
    return pith_i_lexer_error(&p->lex, t->at,
                              "%s is read as one operator, and is unknown; "
                              "expected %s; put a space before the -",
                              shown.text, expected);
  return pith_i_lexer_error(&p->lex, t->at,
                            "the operator %s is unknown; expected %s; quote it "
                            "if it is part of a name: '%s'",
                            shown.text, expected, shown.text);
}

bool pith_i_parse_refuse(pith_i_parser *p, const char *expected) {
  const pith_i_token *t = &p->lex.token;
  const refusal *r = find_refusal(t);
  pith_i_short shown = pith_i_shorten(t->text, t->n);
  if (t->kind == PITH_I_BAD)
    return false;
  if (t->kind == PITH_I_STRING)
    return pith_i_lexer_error(
        &p->lex, t->at,
        "strings are not supported; expected %s; write a name in single "
        "quotes: 'like this'",
        expected);
  if (t->kind == PITH_I_SLOT)
    return pith_i_lexer_error(
        &p->lex, t->at,
        "the slot #%s belongs in templates; expected %s; write a predicate",
        shown.text, expected);
  if (r != NULL)
    return pith_i_lexer_error(&p->lex, t->at, "%s", r->message);
  if (t->kind == PITH_I_OPERATOR)
    return refuse_operator(p, expected);
  if (t->kind == PITH_I_EOF)
    return pith_i_lexer_error(&p->lex, p->lex.last_end,
                              "the text ends in the middle of a clause; "
                              "expected %s; complete the clause",
                              expected);
  return pith_i_lexer_error(&p->lex, t->at,
                            "unexpected %s; expected %s; look for a missing "
                            "comma, parenthesis or full stop",
                            t->kind == PITH_I_STOP ? "full stop" : shown.text,
                            expected);
}

/* ---- terms ----------------------------------------------------------- */

static bool refuse_number(pith_i_parser *p) {
  const pith_i_token *t = &p->lex.token;
  pith_i_short shown = pith_i_shorten(t->text, t->n);
  return pith_i_lexer_error(
      &p->lex, t->at,
      "the number %s is out of range; expected a decimal up to 1.8e308 and not "
      "closer to 0 than 1.0e-307, or at most 64 bits in another base; correct "
      "it, or quote it if it is a name",
      shown.text);
}

bool pith_i_parse_name(pith_i_parser *p, pith_sym_kind kind, pith_sym *out) {
  const pith_i_token *t = &p->lex.token;
  if (kind == PITH_NUMBER) {
    pith_status rc =
        pith_i_sym_add(&p->in->theory->names, t->text, t->n, PITH_NUMBER, out);
    return rc >= 0 ||
           (rc == PITH_EARG ? refuse_number(p) : pith_i_parser_no_memory(p));
  }
  if (pith_i_sym_add(&p->in->theory->names, t->text, t->n, kind, out) < 0)
    return pith_i_parser_no_memory(p);
  return true;
}

/* Its number, or PITH_NONE. */
static uint32_t variable_find(const pith_i_parser *p, pith_sym name) {
  for (uint32_t i = 0; i < p->vars.n && i < FEW_VARIABLES; i++)
    if (p->vars.at[i].name == name)
      return i;
  uint32_t late = p->vars.n <= FEW_VARIABLES
                      ? PITH_NONE
                      : pith_i_tuples_find(&p->late_vars, &name);
  return late == PITH_NONE ? PITH_NONE : FEW_VARIABLES + late;
}

static bool variable_add(pith_i_parser *p, pith_sym name, bool named, size_t at,
                         pith_term *out) {
  assert(p->vars.n <= MANY_VARIABLES);
  pith_i_env *env = p->in->theory->env;
  if (p->vars.n == MANY_VARIABLES)
    return pith_i_lexer_error(&p->lex, at,
                              "more than %d variables in one clause; expected "
                              "a rule of readable size; split it",
                              MANY_VARIABLES);
  *out = PITH_VAR((uint32_t)p->vars.n);
  pith_i_variable v = {.name = name, .uses = 1, .at = at};
  uint32_t key = named ? name : *out; /* which no name is */
  bool late = p->vars.n >= FEW_VARIABLES;
  if (late && pith_i_tuples_add(env, &p->late_vars, &key, NULL, NULL) < 0)
    return pith_i_parser_no_memory(p);
  return pith_i_push(env, &p->vars, v) || pith_i_parser_no_memory(p);
}

bool pith_i_parse_variable(pith_i_parser *p, const char *text, size_t n,
                           size_t at, pith_term *out) {
  pith_sym name;
  if (pith_i_sym_add(&p->in->theory->names, text, n, PITH_NAME, &name) < 0)
    return pith_i_parser_no_memory(p);
  bool named = n > 1 || text[0] != '_'; /* each _ is a variable of its own */
  uint32_t number = named ? variable_find(p, name) : PITH_NONE;
  if (number == PITH_NONE)
    return variable_add(p, name, named, at, out);
  p->vars.at[number].uses++;
  *out = PITH_VAR(number);
  return true;
}

static bool parse_variable(pith_i_parser *p, pith_term *out) {
  const pith_i_token *t = &p->lex.token;
  return pith_i_parse_variable(p, t->text, t->n, t->at, out);
}

/* The token is the sign; the number's text starts with it. */
static bool parse_negative(pith_i_parser *p, pith_term *out) {
  size_t at = p->lex.token.at;
  if (!pith_i_is(p->lex.text[at + 1], PITH_I_DIGIT))
    return p->lex.text[at + 1] == ' ' &&
                   pith_i_is(p->lex.text[at + 2], PITH_I_DIGIT)
               ? pith_i_lexer_error(&p->lex, at,
                                    "a sign apart from its number; expected a "
                                    "term; write -%c without the space",
                                    p->lex.text[at + 2])
               : pith_i_parse_refuse(p, "a term");
  pith_i_lexer_next(&p->lex);
  if (p->lex.token.kind != PITH_I_NUMBER)
    return pith_i_parse_refuse(p, "a number");
  p->lex.token.text--;
  p->lex.token.n++;
  return pith_i_parse_name(p, PITH_NUMBER, out);
}

static bool variable_functor(pith_i_parser *p) {
  const pith_i_token *t = &p->lex.token;
  pith_i_short shown = pith_i_shorten(t->text, t->n);
  return pith_i_lexer_error(&p->lex, t->at,
                            "%s(...) starts with a variable; expected a name "
                            "in front of the parenthesis; begin it with a "
                            "small letter, or quote it: '%s'",
                            shown.text, shown.text);
}

/* name(parts[from], ...) becomes a constant of its own, spelled as it is
** written. */
static bool intern_compound(pith_i_parser *p, pith_sym name, size_t from,
                            pith_sym *out) {
  pith_i_names *names = &p->in->theory->names;
  pith_out *o;
  size_t n;
  if (pith_i_out_memory(names->env, &o) < 0)
    return pith_i_parser_no_memory(p);
  pith_i_print_sym(names, name, o);
  for (size_t i = from; i < p->parts.n; i++) {
    pith_i_out_char(o, i == from ? '(' : ',');
    pith_i_print_sym(names, p->parts.at[i], o);
  }
  pith_i_out_char(o, ')');
  const char *text = pith_out_text(o, &n);
  bool ok =
      text != NULL && pith_i_sym_add(names, text, n, PITH_COMPOUND, out) >= 0;
  pith_out_close(o, true);
  p->parts.n = from;
  return ok || pith_i_parser_no_memory(p);
}

/* One argument of a compound term, which must be a constant. */
static bool parse_part(pith_i_parser *p) {
  pith_term part;
  size_t at = p->lex.token.at;
  if (!pith_i_parse_term(p, &part))
    return false;
  if (PITH_IS_VAR(part))
    return pith_i_lexer_error(&p->lex, at,
                              "a variable inside a compound term, which stands "
                              "for one constant here; expected constants only; "
                              "say what the term holds by facts, and match "
                              "those");
  return pith_i_push(p->in->theory->env, &p->parts, part) ||
         pith_i_parser_no_memory(p);
}

/* f(x,g(2)): the token is the name; leaves the last parenthesis. */
static bool parse_compound(pith_i_parser *p, pith_term *out) {
  enum { DEEPEST = 256 };
  pith_i_lexer *x = &p->lex;
  size_t from = p->parts.n, at = x->token.at;
  pith_sym name;
  if (p->depth == DEEPEST)
    return pith_i_lexer_error(
        x, at,
        "a term nested more than %d deep; expected one of "
        "readable size; name its parts by facts",
        DEEPEST);
  if (!pith_i_parse_name(p, PITH_NAME, &name))
    return false;
  p->depth++;
  pith_i_lexer_next(x);
  do {
    pith_i_lexer_next(x);
    if (!parse_part(p))
      return false;
  } while (pith_i_token_is(&x->token, ","));
  p->depth--;
  if (!pith_i_token_is(&x->token, ")"))
    return pith_i_parse_refuse(p, ", or )");
  return intern_compound(p, name, from, out);
}

bool pith_i_parse_term(pith_i_parser *p, pith_term *out) {
  const pith_i_token *t = &p->lex.token;
  bool ok;
  *out = PITH_NONE;
  switch (t->kind) {
  case PITH_I_PLAIN_NAME:
  case PITH_I_QUOTED:
    ok =
        t->call ? parse_compound(p, out) : pith_i_parse_name(p, PITH_NAME, out);
    if (ok && p->replace != NULL && t->kind == PITH_I_PLAIN_NAME && !t->call)
      *out = p->replace(p->replace_ctx, *out);
    break;
  case PITH_I_NUMBER:
    ok = pith_i_parse_name(p, PITH_NUMBER, out);
    break;
  case PITH_I_STRING:
    ok = p->has_strings ? pith_i_parse_name(p, PITH_NAME, out)
                        : pith_i_parse_refuse(p, "a term");
    break;
  case PITH_I_VARIABLE:
    ok = t->call ? variable_functor(p) : parse_variable(p, out);
    break;
  default:
    ok = pith_i_token_is(t, "-") ? parse_negative(p, out)
                                 : pith_i_parse_refuse(p, "a term");
  }
  if (ok)
    pith_i_lexer_next(&p->lex);
  return ok;
}

/* ---- atoms ----------------------------------------------------------- */

bool pith_i_draft_add(pith_i_parser *p, pith_sym name, size_t at) {
  assert(name == PITH_NONE || name < p->in->theory->names.symbols.n);
  pith_i_atom_draft d = {
      .pred = PITH_NONE, .name = name, .first = (uint32_t)p->args.n, .at = at};
  /* With room for an argument there is a place for no arguments, too. */
  return (pith_i_room(p->in->theory->env, &p->args, 1) &&
          pith_i_push(p->in->theory->env, &p->drafts, d)) ||
         pith_i_parser_no_memory(p);
}

bool pith_i_parse_push(pith_i_parser *p, pith_term term) {
  assert(p->drafts.n > 0);
  pith_i_atom_draft *d = &p->drafts.at[p->drafts.n - 1];
  if (d->arity == MANY_ARGUMENTS)
    return pith_i_lexer_error(&p->lex, d->at,
                              "more than %d arguments; expected a predicate of "
                              "readable size; split it",
                              MANY_ARGUMENTS);
  d->arity++;
  return pith_i_push(p->in->theory->env, &p->args, term) ||
         pith_i_parser_no_memory(p);
}

/* Neither , nor ) after an argument. */
static bool report_unclosed_call(pith_i_parser *p, size_t open) {
  const pith_i_token *t = &p->lex.token;
  bool word = t->kind == PITH_I_PLAIN_NAME || t->kind == PITH_I_QUOTED;
  bool next = t->new_line && word && t->call;
  if (t->kind != PITH_I_STOP && t->kind != PITH_I_EOF && !next &&
      !pith_i_token_is(t, ":-") && !pith_i_token_is(t, "<-"))
    return pith_i_parse_refuse(p, ", or )");
  p->resume = next;
  return pith_i_lexer_error(&p->lex, open,
                            "an unbalanced parenthesis; expected ) before the "
                            "clause goes on; add it");
}

static bool bad_call(pith_i_parser *p) {
  const pith_i_token *t = &p->lex.token;
  if (t->new_line || !pith_i_token_is(t, "(") || p->lex.last_end == t->at)
    return true;
  return pith_i_lexer_error(&p->lex, t->at,
                            "a space before (; expected the parenthesis right "
                            "behind the name; remove the space");
}

bool pith_i_parse_args(pith_i_parser *p, bool call) {
  pith_i_lexer *x = &p->lex;
  if (!call)
    return bad_call(p);
  size_t open = x->token.at;
  pith_i_lexer_next(x);
  if (pith_i_token_is(&x->token, ")"))
    return pith_i_lexer_error(x, open,
                              "empty parentheses; expected arguments; leave "
                              "the parentheses out if there are none");
  for (;;) {
    pith_term term;
    if (!pith_i_parse_term(p, &term) || !pith_i_parse_push(p, term))
      return false;
    if (pith_i_token_is(&x->token, ")")) {
      pith_i_lexer_next(x);
      return true;
    }
    if (!pith_i_token_is(&x->token, ","))
      return report_unclosed_call(p, open);
    pith_i_lexer_next(x);
  }
}

/* X @< Y is how Prolog compares dates, which are names to it. */
static pith_pred comparison_of(const pith_i_parser *p) {
  const pith_i_token *t = &p->lex.token;
  static const struct {
    const char *text;
    pith_pred pred;
  } known[] = {
      {"=", PITH_EQUAL},
      {"==", PITH_EQUAL},
      {"\\=", PITH_DIFFERENT},
      {"\\==", PITH_DIFFERENT},
      {"<", PITH_LESS},
      {"@<", PITH_LESS},
      {"=<", PITH_LESS_EQUAL},
      {"@=<", PITH_LESS_EQUAL},
      {"<=", PITH_LESS_EQUAL},
      {">", PITH_GREATER},
      {"@>", PITH_GREATER},
      {">=", PITH_GREATER_EQUAL},
      {"@>=", PITH_GREATER_EQUAL},
      {"=:=", PITH_SAME_VALUE},
      {"=\\=", PITH_OTHER_VALUE},
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (pith_i_token_is(t, known[i].text))
      return known[i].pred;
  if (p->has_inequality && pith_i_token_is(t, "!="))
    return PITH_DIFFERENT;
  return PITH_NONE;
}

bool pith_i_parse_comparison(pith_i_parser *p, pith_term left, size_t at) {
  pith_pred pred = comparison_of(p);
  if (pith_i_token_is(&p->lex.token, "<-"))
    return pith_i_lexer_error(
        &p->lex, p->lex.token.at,
        "<- is read as one sign, the arrow of templates; "
        "expected a comparison; put a space before the -: "
        "X < -1");
  if (pred == PITH_NONE)
    return pith_i_parse_refuse(p, "a comparison such as = or <");
  if (!p->has_inequality && pith_i_token_is(&p->lex.token, "<="))
    pith_i_lexer_warn(&p->lex, p->lex.token.at,
                      "<= is read as =<; expected =< for less or equal; write "
                      "=<, which Prolog knows");
  if (!pith_i_draft_add(p, PITH_NONE, at) || !pith_i_parse_push(p, left))
    return false;
  p->drafts.at[p->drafts.n - 1].pred = pred;
  pith_i_lexer_next(&p->lex);
  pith_term right;
  return pith_i_parse_term(p, &right) && pith_i_parse_push(p, right);
}

/* ---- clauses --------------------------------------------------------- */

bool pith_i_parse_stop(pith_i_parser *p, const char *expected) {
  const pith_i_token *t = &p->lex.token;
  p->ended = t->kind == PITH_I_STOP;
  if (p->ended)
    return true;
  bool word = t->kind == PITH_I_PLAIN_NAME || t->kind == PITH_I_QUOTED ||
              t->kind == PITH_I_VARIABLE;
  bool starts = word || pith_i_token_is(t, ":-") || pith_i_token_is(t, "?-");
  if (t->kind != PITH_I_EOF && !(t->new_line && starts))
    return pith_i_parse_refuse(p, expected);
  p->resume = true;
  return pith_i_lexer_error(&p->lex, p->lex.last_end,
                            "a missing full stop; expected . at the end of "
                            "the clause; add it here");
}

bool pith_i_predicate_use(pith_i_parser *p, pith_sym name, size_t arity,
                          size_t at, pith_pred *out) {
  pith_i_names *names = &p->in->theory->names;
  if (pith_i_pred_add(names, name, arity, out) < 0)
    return pith_i_parser_no_memory(p);
  pith_i_predicate *d = pith_i_pred(names, *out);
  if (d->file == PITH_NONE) {
    d->file = p->file;
    d->line = (uint32_t)pith_i_line_of(p->in->lines, at);
  }
  return true;
}

bool pith_i_predicate_define(pith_i_parser *p, pith_sym name, size_t arity,
                             size_t at, pith_pred *out) {
  if (!pith_i_predicate_use(p, name, arity, at, out))
    return false;
  if (!pith_i_is_builtin(*out))
    return true;
  const char *text = pith_i_pred_text(&p->in->theory->names, *out);
  *out = PITH_NONE;
  return pith_i_lexer_error(&p->lex, at,
                            "%s cannot be defined; expected another predicate; "
                            "rename it",
                            text);
}

bool pith_i_predicate_declare(pith_i_parser *p, pith_sym name, size_t arity,
                              size_t at, pith_pred *out) {
  const pith_i_names *names = &p->in->theory->names;
  pith_pred other = pith_i_pred_named(names, name);
  bool known = pith_i_pred_find(names, name, arity) != PITH_NONE;
  if (!known && other != PITH_NONE &&
      pith_i_pred(names, other)->file != PITH_NONE) {
    const pith_i_predicate *d = pith_i_pred(names, other);
    const pith_i_symbol *text = pith_i_sym(names, name);
    pith_i_short s = pith_i_shorten(text->text, text->len);
    pith_i_lexer_warn(&p->lex, at,
                      "%s/%zu is in no data, but %s/%u is, at %.200s:%u; "
                      "expected a predicate of the data; correct the arity, or "
                      "the name",
                      s.text, arity, s.text, d->arity,
                      pith_i_sym(names, d->file)->text, d->line);
  }
  return pith_i_predicate_use(p, name, arity, at, out);
}

bool pith_i_parser_rule(pith_i_parser *p, pith_rule *out) {
  assert(p->drafts.n > 0);
  pith_i_env *env = p->in->theory->env;
  p->atoms.n = p->var_names.n = 0;
  for (size_t i = 0; i < p->drafts.n; i++) {
    const pith_i_atom_draft *d = &p->drafts.at[i];
    pith_atom a = {.pred = d->pred,
                   .arity = d->arity,
                   .args = p->args.at + d->first,
                   .negated = d->negated};
    if (!pith_i_push(env, &p->atoms, a))
      return pith_i_parser_no_memory(p);
  }
  for (size_t i = 0; i < p->vars.n; i++)
    if (!pith_i_push(env, &p->var_names, p->vars.at[i].name))
      return pith_i_parser_no_memory(p);
  size_t at = p->drafts.at[0].at;
  *out = (pith_rule){.head = p->atoms.at[0],
                     .body = p->atoms.at + 1,
                     .body_len = (uint32_t)p->atoms.n - 1,
                     .var_count = (uint32_t)p->vars.n,
                     .var_names = p->var_names.at,
                     .file = p->file,
                     .line = (uint32_t)pith_i_line_of(p->in->lines, at)};
  return true;
}

static bool builtin_has_variable(const pith_rule *rule, uint32_t var) {
  for (uint32_t i = 0; i < rule->body_len; i++)
    if (pith_i_is_builtin(rule->body[i].pred) &&
        pith_i_atom_has(&rule->body[i], PITH_VAR(var)))
      return true;
  return false;
}

bool pith_i_parser_bound(pith_i_parser *p, const pith_rule *rule) {
  uint32_t var;
  if (pith_i_rule_unbound(p->in->theory->env, rule, &var) < 0)
    return pith_i_parser_no_memory(p);
  if (var == PITH_NONE)
    return true;
  const pith_i_symbol *name =
      pith_i_sym(&p->in->theory->names, p->vars.at[var].name);
  pith_i_short s = pith_i_shorten(name->text, name->len);
  if (pith_i_atom_has(&rule->head, PITH_VAR(var)))
    return pith_i_lexer_error(&p->lex, p->vars.at[var].at,
                              "no body atom binds %s of the head; expected "
                              "each head variable in some body atom; add an "
                              "atom with %s, or write a constant",
                              s.text, s.text);
  if (builtin_has_variable(rule, var))
    return pith_i_lexer_error(&p->lex, p->vars.at[var].at,
                              "no body atom binds %s; expected both sides of "
                              "a comparison to be bound; add an atom with %s",
                              s.text, s.text);
  return pith_i_lexer_error(
      &p->lex, p->vars.at[var].at,
      "%s occurs in negated atoms only, and in more than one; expected an atom "
      "without \\+ that binds it; add one, or write _ where any value is meant",
      s.text);
}
