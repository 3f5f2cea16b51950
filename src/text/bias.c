/* Popper's bias.pl. Popper hands this file to a solver, so that any rule or
** constraint may be in it; we take the declarations that we know, each in
** its one form, and skip all else with a warning. */
#include <string.h>

#include "text/parser.h"
#include "text/single_type.h"

typedef pith_i_parser parser;

/* Rules about the bias that Popper's users write: every constant(P,T) names a
** predicate of one place, for bodies, of type T. */
enum { NAMES_BODY = 1, NAMES_TYPE = 2 };

static bool skip_rule(parser *p, const char *expected) {
  if (p->lex.token.kind != PITH_I_BAD)
    pith_i_lexer_warn(&p->lex, p->lex.token.at,
                      "a rule about the bias, which is skipped; expected %s; "
                      "write out what follows from it",
                      expected);
  return false;
}

/* What is wrong with a declaration that we know by name: in a rule, or with
** variables, it is the solver's and only skipped. */
static bool refuse_shape(parser *p, const char *expected) {
  const pith_i_token *t = &p->lex.token;
  if (t->kind == PITH_I_BAD)
    return false;
  if (t->kind == PITH_I_VARIABLE || pith_i_token_is(t, ":-"))
    return skip_rule(p, expected);
  return pith_i_lexer_error(&p->lex, t->at,
                            "not what this declaration takes; expected %s; "
                            "correct it",
                            expected);
}

static bool expect_token(parser *p, const char *text, const char *expected) {
  if (!pith_i_token_is(&p->lex.token, text))
    return refuse_shape(p, expected);
  pith_i_lexer_next(&p->lex);
  return true;
}

static bool expect_name(parser *p, const char *expected, pith_sym *out) {
  pith_i_token_kind kind = p->lex.token.kind;
  if ((kind != PITH_I_PLAIN_NAME && kind != PITH_I_QUOTED) || p->lex.token.call)
    return refuse_shape(p, expected);
  if (!pith_i_parse_name(p, PITH_NAME, out))
    return false;
  pith_i_lexer_next(&p->lex);
  return true;
}

static bool expect_number(parser *p, const char *expected, uint32_t *out) {
  const pith_i_token *t = &p->lex.token;
  *out = 0;
  for (size_t i = 0; i < t->n; i++) {
    if (t->kind != PITH_I_NUMBER || !pith_i_is(t->text[i], PITH_I_DIGIT) ||
        *out > 65535)
      return refuse_shape(p, expected);
    *out = *out * 10 + (uint32_t)(t->text[i] - '0');
  }
  if (t->n == 0 || *out > 65535)
    return refuse_shape(p, expected);
  pith_i_lexer_next(&p->lex);
  return true;
}

static bool expect_stop(parser *p) {
  const pith_i_token *t = &p->lex.token;
  return t->kind == PITH_I_STOP || t->kind == PITH_I_EOF || t->new_line
             ? pith_i_parse_stop(p, "the full stop")
             : refuse_shape(p, "the full stop");
}

/* ---- rules of constants ---------------------------------------------- */

/* Of any kind: a number or a variable too. */
static bool token_reads(const pith_i_token *t, const char *text) {
  return t->kind != PITH_I_BAD && t->kind != PITH_I_EOF &&
         t->kind != PITH_I_QUOTED && t->n == strlen(text) &&
         memcmp(t->text, text, t->n) == 0;
}

static bool next_is(parser *p, const char *text) {
  if (!token_reads(&p->lex.token, text))
    return false;
  pith_i_lexer_next(&p->lex);
  return true;
}

/* A variable: the one of that name, or, if it has none yet, any. */
static bool next_is_var(parser *p, pith_i_short *name) {
  const pith_i_token *t = &p->lex.token;
  if (t->kind != PITH_I_VARIABLE ||
      (name->text[0] != 0 && !token_reads(t, name->text)))
    return false;
  if (!token_reads(t, "_"))
    *name = pith_i_shorten(t->text, t->n);
  pith_i_lexer_next(&p->lex);
  return true;
}

/* P,1) or P,(T,)), and then :- constant(P,T). */
static bool constants_rule(parser *p, bool *ok) {
  pith_i_short name = {.text = ""}, type = {.text = ""};
  *ok = next_is_var(p, &name) && name.text[0] != 0 && next_is(p, ",");
  if (*ok && next_is(p, "(")) {
    *ok = next_is_var(p, &type) || next_is(p, "in") || next_is(p, "out");
    next_is(p, ",");
    *ok = *ok && next_is(p, ")");
  } else {
    *ok = *ok && next_is(p, "1");
  }
  *ok = *ok && next_is(p, ")") && next_is(p, ":-") && next_is(p, "constant") &&
        next_is(p, "(") && next_is_var(p, &name) && next_is(p, ",") &&
        next_is_var(p, &type) && next_is(p, ")");
  return *ok && expect_stop(p);
}

/* Where a declaration begins with a variable: its rule is taken, or skipped
** with a warning. */
static bool take_constants_rule(parser *p, unsigned what,
                                const char *expected) {
  bool ok;
  if (constants_rule(p, &ok)) {
    p->constant_preds |= what;
    return true;
  }
  return ok ? false : skip_rule(p, expected);
}

static bool is_rule(const parser *p) {
  return p->lex.token.kind == PITH_I_VARIABLE;
}

/* ---- the declarations ------------------------------------------------ */

/* Names and a number are read before anything is changed. */
static bool declare_pred(parser *p, unsigned role) {
  static const char form[] = "a predicate and its arity, as in edge,2";
  pith_sym name;
  uint32_t arity;
  pith_pred pred;
  if (!expect_token(p, "(", form))
    return false;
  if (role == PITH_BODY && is_rule(p))
    return take_constants_rule(p, NAMES_BODY, form);
  size_t at = p->lex.token.at;
  if (!expect_name(p, form, &name) || !expect_token(p, ",", form) ||
      !expect_number(p, form, &arity) || !expect_token(p, ")", form) ||
      !expect_stop(p) || !pith_i_predicate_declare(p, name, arity, at, &pred))
    return false;
  pith_i_pred(&p->in->theory->names, pred)->roles |= role;
  return true;
}

static bool read_head_pred(parser *p) { return declare_pred(p, PITH_TARGET); }
static bool read_body_pred(parser *p) { return declare_pred(p, PITH_BODY); }

/* (a,b) or (a,) or a; the names are collected as arguments. */
static bool read_names_tuple(parser *p, const char *form) {
  pith_i_lexer *x = &p->lex;
  pith_sym name;
  if (!pith_i_token_is(&x->token, "("))
    return expect_name(p, form, &name) && pith_i_parse_push(p, name);
  do {
    pith_i_lexer_next(x);
    if (p->args.n > 0 && pith_i_token_is(&x->token, ")"))
      break;
    if (!expect_name(p, form, &name) || !pith_i_parse_push(p, name))
      return false;
  } while (pith_i_token_is(&x->token, ","));
  return expect_token(p, ")", form);
}

/* name(pred,(..)). PITH_NONE: it was a rule, of constants. */
static bool declare_places(parser *p, const char *form, unsigned rule,
                           pith_pred *pred) {
  pith_sym name;
  *pred = PITH_NONE;
  if (!expect_token(p, "(", form))
    return false;
  if (is_rule(p))
    return take_constants_rule(p, rule, form);
  size_t at = p->lex.token.at;
  return expect_name(p, form, &name) && expect_token(p, ",", form) &&
         pith_i_draft_add(p, name, at) && read_names_tuple(p, form) &&
         expect_token(p, ")", form) && expect_stop(p) &&
         pith_i_predicate_declare(p, name, p->args.n, at, pred);
}

static bool read_type(parser *p) {
  pith_pred pred;
  if (!declare_places(p, "a predicate and its types, as in edge,(node,node)",
                      NAMES_TYPE, &pred))
    return false;
  if (pred == PITH_NONE)
    return true;
  size_t size = p->args.n * sizeof *p->args.at;
  pith_sym *types = pith_i_arena_alloc(&p->in->theory->arena, size);
  if (types == NULL)
    return pith_i_parser_no_memory(p);
  memcpy(types, p->args.at, size);
  pith_i_pred(&p->in->theory->names, pred)->types = types;
  return true;
}

static bool read_direction(parser *p) {
  static const char form[] =
      "a predicate and its directions, as in edge,(in,out)";
  size_t at = p->lex.token.at;
  pith_pred pred;
  if (!declare_places(p, form, 0, &pred))
    return false;
  if (pred == PITH_NONE)
    return true;
  const pith_i_names *names = &p->in->theory->names;
  char *places = pith_i_arena_alloc(&p->in->theory->arena, p->args.n);
  if (places == NULL)
    return pith_i_parser_no_memory(p);
  for (size_t i = 0; i < p->args.n; i++) {
    const char *word = pith_i_sym(names, p->args.at[i])->text;
    if (strcmp(word, "in") != 0 && strcmp(word, "out") != 0)
      return pith_i_lexer_error(&p->lex, at,
                                "a direction that is neither in nor out; "
                                "expected %s; correct it",
                                form);
    places[i] = word[0];
  }
  pith_i_pred(names, pred)->directions = places;
  return true;
}

static bool read_limit(parser *p, uint32_t *out) {
  static const char form[] = "one whole number up to 65535, as in (4)";
  uint32_t value;
  if (!expect_token(p, "(", form) || !expect_number(p, form, &value) ||
      !expect_token(p, ")", form) || !expect_stop(p))
    return false;
  *out = value;
  return true;
}

static bool read_max_vars(parser *p) {
  return read_limit(p, &p->in->theory->bias.max_vars);
}
static bool read_max_body(parser *p) {
  return read_limit(p, &p->in->theory->bias.max_body);
}
static bool read_max_clauses(parser *p) {
  return read_limit(p, &p->in->theory->bias.max_clauses);
}

static bool read_switch(parser *p, bool *out) {
  if (!expect_stop(p))
    return false;
  *out = true;
  return true;
}

static bool read_enable_pi(parser *p) {
  return read_switch(p, &p->in->theory->bias.enable_pi);
}
static bool read_enable_recursion(parser *p) {
  return read_switch(p, &p->in->theory->bias.enable_recursion);
}

static bool read_allow_singletons(parser *p) {
  return read_switch(p, &p->in->theory->bias.allow_singletons);
}

bool pith_i_bias_constant(parser *p, pith_i_constant c) {
  pith_i_theory *t = p->in->theory;
  for (size_t i = 0; i < t->constants.n; i++)
    if (t->constants.at[i].name == c.name && t->constants.at[i].type == c.type)
      return true;
  if (!pith_i_push(t->env, &t->constants, c))
    return pith_i_parser_no_memory(p);
  t->bias.constants = (uint32_t)t->constants.n;
  return true;
}

/* constant(red). constant(red,colour). */
static bool read_constant(parser *p) {
  static const char form[] =
      "a constant and perhaps its type, as in red,colour";
  pith_i_constant c = {.type = PITH_NONE};
  pith_term term;
  if (!expect_token(p, "(", form))
    return false;
  const pith_i_token *t = &p->lex.token;
  bool fits = t->kind == PITH_I_PLAIN_NAME || t->kind == PITH_I_QUOTED ||
              t->kind == PITH_I_NUMBER || pith_i_token_is(t, "-");
  if (!fits || t->call)
    return refuse_shape(p, form);
  if (!pith_i_parse_term(p, &term))
    return false;
  c.name = term;
  if (pith_i_token_is(&p->lex.token, ",")) {
    pith_i_lexer_next(&p->lex);
    if (!expect_name(p, form, &c.type))
      return false;
  }
  return expect_token(p, ")", form) && expect_stop(p) &&
         pith_i_bias_constant(p, c);
}

static const struct {
  const char *name;
  bool (*read)(parser *p);
} declarations[] = {
    {"head_pred", read_head_pred},
    {"body_pred", read_body_pred},
    {"type", read_type},
    {"direction", read_direction},
    {"max_vars", read_max_vars},
    {"max_body", read_max_body},
    {"max_clauses", read_max_clauses},
    {"max_rules", read_max_clauses},
    {"enable_pi", read_enable_pi},
    {"enable_recursion", read_enable_recursion},
    {"allow_singletons", read_allow_singletons},
    {"constant", read_constant},
};

/* What Popper knows and we do without, and why. */
static const struct {
  const char *name, *why;
} needless[] = {
    {"prop", "it only saves Popper work"},
    {"bounds", "it only saves Popper work"},
    {"non_datalog", "every variable of a head is in the body here"},
    {"numerical_pred", "comparisons of numbers are not learned"},
    {"enable_negation", "rules have no negation"},
    {"max_literals", "max_vars, max_body and max_clauses limit rules"},
    {"max_size", "max_vars, max_body and max_clauses limit rules"},
    {"custom_max_size", "max_vars, max_body and max_clauses limit rules"},
    {"head_vars", "it speaks of Popper's encoding"},
    {"body_size", "it speaks of Popper's encoding"},
    {"body_literal", "it speaks of Popper's encoding"},
    {"min_rule_size", "the smallest theory that fits is looked for"},
    {"timeout", "the time limit is an option of the learner"},
};

/* ---- the file -------------------------------------------------------- */

/* Names that were skipped before. */
typedef struct {
  pith_i_short name[16];
  size_t n;
} skipped;

static void warn_needless(parser *p, const char *name) {
  const pith_i_token *t = &p->lex.token;
  for (size_t i = 0; i < sizeof needless / sizeof *needless; i++)
    if (strcmp(needless[i].name, name) == 0) {
      pith_i_lexer_warn(&p->lex, t->at,
                        "the bias %s is skipped: %s; remove it to silence this",
                        name, needless[i].why);
      return;
    }
  pith_i_lexer_warn(&p->lex, t->at,
                    "the bias %s is not known here and is skipped; expected "
                    "head_pred, body_pred, type, direction, constant, "
                    "max_vars, max_body, max_clauses, enable_pi or "
                    "enable_recursion; remove it to silence this",
                    name);
}

/* One variable of a type in each rule. */
static bool note_single_type(parser *p, const pith_i_single_type *one) {
  pith_i_theory *t = p->in->theory;
  pith_sym type;
  if (pith_i_sym_add(&t->names, one->type, one->n, PITH_NAME, &type) < 0)
    return pith_i_parser_no_memory(p);
  for (size_t i = 0; i < t->single_types.n; i++)
    if (t->single_types.at[i] == type)
      return true;
  return pith_i_push(t->env, &t->single_types, type) ||
         pith_i_parser_no_memory(p);
}

/* Whether a constraint that we know begins here. */
static bool read_constraint(parser *p) {
  pith_i_single_type one;
  size_t at = p->lex.token.at;
  if (!pith_i_token_is(&p->lex.token, ":-") ||
      !pith_i_match_single_type(p->lex.text + at, &one))
    return false;
  p->lex.at = at + one.end;
  note_single_type(p, &one);
  return true;
}

/* Each name is spoken of once in a file. */
static bool skip_unknown(parser *p, skipped *before) {
  const pith_i_token *t = &p->lex.token;
  pith_i_short s = pith_i_shorten(t->text, t->n);
  if (t->kind == PITH_I_BAD)
    return false;
  if (t->kind != PITH_I_PLAIN_NAME) {
    pith_i_lexer_warn(&p->lex, t->at,
                      "a constraint of the solver, which is skipped; expected "
                      "a declaration such as max_vars(4); remove it to "
                      "silence this");
    return false;
  }
  for (size_t i = 0; i < before->n; i++)
    if (pith_i_token_is(t, before->name[i].text))
      return false;
  if (before->n < sizeof before->name / sizeof *before->name)
    before->name[before->n++] = s;
  warn_needless(p, s.text);
  return false;
}

static bool read_declaration(parser *p, skipped *before) {
  for (size_t i = 0; i < sizeof declarations / sizeof *declarations; i++)
    if (pith_i_token_is(&p->lex.token, declarations[i].name)) {
      pith_i_lexer_next(&p->lex);
      return declarations[i].read(p);
    }
  return skip_unknown(p, before);
}

static bool constant_to_predicate(parser *p, const pith_i_constant *c,
                                  unsigned what) {
  pith_i_theory *t = p->in->theory;
  pith_pred pred;
  if (!pith_i_predicate_declare(p, c->name, 1, 0, &pred))
    return false;
  if (what & NAMES_BODY)
    pith_i_pred(&t->names, pred)->roles |= PITH_BODY;
  if (!(what & NAMES_TYPE) || c->type == PITH_NONE)
    return true;
  pith_sym *types = pith_i_arena_alloc(&t->arena, sizeof *types);
  if (types == NULL)
    return pith_i_parser_no_memory(p);
  *types = c->type;
  pith_i_pred(&t->names, pred)->types = types;
  return true;
}

/* Constants that name predicates are no constants of rules. */
static void constants_to_predicates(parser *p) {
  pith_i_theory *t = p->in->theory;
  unsigned what = p->constant_preds;
  if (!(what & NAMES_BODY))
    return;
  for (size_t i = 0; i < t->constants.n; i++)
    if (pith_i_sym(&t->names, t->constants.at[i].name)->kind == PITH_NAME &&
        !constant_to_predicate(p, &t->constants.at[i], what))
      return;
  t->constants.n = t->bias.constants = 0;
}

pith_status pith_i_read_bias(const pith_i_input *in) {
  parser p;
  size_t errors = in->remarks->errors;
  bool any = false;
  skipped before = {.n = 0};
  if (pith_i_parser_init(&p, in) < 0)
    return PITH_ENOMEM;
  for (;; any = true) {
    pith_i_parser_clear(&p);
    pith_i_lexer_next(&p.lex);
    if (p.lex.token.kind == PITH_I_EOF)
      break;
    if (!read_constraint(&p) && !read_declaration(&p, &before))
      pith_i_parser_recover(&p);
  }
  constants_to_predicates(&p);
  if (!any)
    pith_i_parser_empty(&p, "declarations such as head_pred(edge,2)");
  return pith_i_parser_end(&p, errors);
}
