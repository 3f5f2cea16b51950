/* Prolog and Datalog: facts, rules, examples and directives.
**
** Most files are millions of plain ground facts, so each clause is first
** tried by a scanner that knows those and nothing else, and makes no tokens.
** What it does not know it leaves untouched to the parser, which therefore is
** the only one to report anything. */
#include <assert.h>
#include <string.h>

#include "text/bulk.h"
#include "text/decimal.h"
#include "text/dialect.h"
#include "text/triples.h"

enum { FAST_NAME = 64 };

typedef struct {
  pith_i_parser p;
  const pith_i_dialect *dialect; /* or NULL */
  bool any;                      /* a clause was found */
  double probability;            /* of the rule at hand; 0: none given */
  char last_name[FAST_NAME];     /* the predicate of the last plain fact */
  size_t last_len;               /* 0: none */
  uint32_t last_arity;
  pith_pred last_pred;
  pith_i_bulk bulk;
  size_t old_examples;         /* there before this file */
  PITH_I_VEC(size_t) examples; /* lines of those added from this file */
} reader;

bool pith_i_is_reserved(const char *name, size_t n) {
  static const char *const words[] = {"pos",  "neg",   "not", "dif",
                                      "true", "false", "fail"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strlen(words[i]) == n && memcmp(words[i], name, n) == 0)
      return true;
  return false;
}

/* ---- plain facts ----------------------------------------------------- */

/* A name or an integer at s into out; its end, or NULL. 007 is not kept as it
** is spelled, and left to the parser. */
static inline const char *plain_constant(const char *s, pith_i_span *out) {
  const char *from = s;
  if (pith_i_is(*s, PITH_I_LOWER)) {
    while (pith_i_is(*s, PITH_I_ALNUM))
      s++;
    out->kind = PITH_NAME;
  } else {
    s += *s == '-';
    while (pith_i_is(*s, PITH_I_DIGIT))
      s++;
    if (!pith_i_is_integer(from, (size_t)(s - from)))
      return NULL;
    out->kind = PITH_NUMBER;
  }
  out->text = from;
  out->n = (size_t)(s - from);
  return s;
}

/* (a,b). from the parenthesis on; the place behind the stop, or NULL. */
static const char *plain_args(const char *s, pith_i_span *args,
                              uint32_t *arity) {
  uint32_t n = 0;
  do {
    s++;
    s += *s == ' ';
    if (n == PITH_I_BULK_ARITY || (s = plain_constant(s, &args[n++])) == NULL)
      return NULL;
  } while (*s == ',');
  if (s[0] != ')' || s[1] != '.' ||
      (s[2] != '\0' && !pith_i_is(s[2], PITH_I_SPACE)))
    return NULL;
  *arity = n;
  return s + 2;
}

/* The predicate of a plain fact, if it has been met; else the parser is to
** have a look. */
static bool plain_pred(reader *r, const char *name, size_t n, uint32_t arity) {
  if (n == r->last_len && arity == r->last_arity &&
      memcmp(name, r->last_name, n) == 0)
    return true;
  const pith_i_names *names = &r->p.in->theory->names;
  pith_sym sym = n > FAST_NAME || pith_i_is_reserved(name, n)
                     ? PITH_NONE
                     : pith_i_sym_find(names, name, n, PITH_NAME);
  pith_pred pred =
      sym == PITH_NONE ? PITH_NONE : pith_i_pred_find(names, sym, arity);
  if (pred == PITH_NONE || pith_i_pred(names, pred)->file == PITH_NONE)
    return false;
  memcpy(r->last_name, name, n);
  r->last_len = n;
  r->last_arity = arity;
  r->last_pred = pred;
  return true;
}

static bool keep_status(reader *r, pith_status rc) {
  if (rc < 0)
    r->p.lex.status = rc;
  return rc >= 0;
}

static bool plain_fact(reader *r) {
  const char *s = r->p.lex.text + r->p.lex.at;
  while (pith_i_is(*s, PITH_I_SPACE))
    s++;
  const char *name = s;
  if (!pith_i_is(*s, PITH_I_LOWER))
    return false;
  while (pith_i_is(*s, PITH_I_ALNUM))
    s++;
  size_t n = (size_t)(s - name);
  pith_i_span args[PITH_I_BULK_ARITY];
  uint32_t arity;
  if (*s != '(' || (s = plain_args(s, args, &arity)) == NULL ||
      !plain_pred(r, name, n, arity))
    return false;
  r->any = true;
  r->p.lex.at = (size_t)(s - r->p.lex.text);
  return keep_status(r, pith_i_bulk_add(&r->bulk, r->last_pred, args, arity));
}

/* ---- atoms ----------------------------------------------------------- */

static bool refuse_variable_name(reader *r) {
  const pith_i_token *t = &r->p.lex.token;
  pith_i_short s = pith_i_shorten(t->text, t->n);
  return pith_i_lexer_error(&r->p.lex, t->at,
                            "%s looks like a variable; expected a predicate; "
                            "quote it: '%s', or write it in lower case",
                            s.text, s.text);
}

static bool refuse_reserved(reader *r, pith_i_token word) {
  pith_i_short s = pith_i_shorten(word.text, word.n);
  if (pith_i_token_is(&word, "not")) {
    pith_i_token now = r->p.lex.token;
    r->p.lex.token = word;
    pith_i_parse_refuse(&r->p, "an atom");
    r->p.lex.token = now; /* to continue from there */
    return false;
  }
  if (pith_i_token_is(&word, "pos") || pith_i_token_is(&word, "neg"))
    return pith_i_lexer_error(&r->p.lex, word.at,
                              "%s(...) gives an example; expected an atom; "
                              "quote it if it is a predicate: '%s'",
                              s.text, s.text);
  return pith_i_lexer_error(&r->p.lex, word.at,
                            "%s has a meaning of its own and cannot stand "
                            "here; expected an atom; quote it if it is a "
                            "predicate of yours: '%s'",
                            s.text, s.text);
}

static bool not_a_name(reader *r, size_t at) {
  return pith_i_lexer_error(&r->p.lex, at,
                            "a number where a predicate belongs; expected a "
                            "name; begin it with a letter, or quote it");
}

static bool number_atom(reader *r) {
  size_t at = r->p.lex.token.at;
  pith_i_lexer_next(&r->p.lex);
  if (pith_i_token_is(&r->p.lex.token, "::"))
    return pith_i_parse_refuse(&r->p, "an atom");
  return not_a_name(r, at);
}

/* An atom with a name of its own; token: the name. */
static bool read_named_atom(reader *r) {
  pith_i_parser *p = &r->p;
  const pith_i_token *t = &p->lex.token;
  if (t->kind == PITH_I_VARIABLE)
    return refuse_variable_name(r);
  if (t->kind == PITH_I_PLAIN_NAME && pith_i_is_reserved(t->text, t->n))
    return refuse_reserved(r, *t);
  if (t->kind == PITH_I_NUMBER)
    return number_atom(r);
  if (t->kind != PITH_I_PLAIN_NAME && t->kind != PITH_I_QUOTED)
    return pith_i_parse_refuse(p, "an atom");
  pith_sym name;
  bool call = t->call;
  if (!pith_i_parse_name(p, PITH_NAME, &name) ||
      !pith_i_draft_add(p, name, t->at))
    return false;
  pith_i_lexer_next(&p->lex);
  return pith_i_parse_args(p, call);
}

static bool is_comparison(const pith_i_token *t) {
  return t->kind == PITH_I_OPERATOR && !pith_i_token_is(t, ":-") &&
         !pith_i_token_is(t, "->") && !pith_i_token_is(t, "<-") &&
         !pith_i_token_is(t, "-->");
}

/* A name without arguments is an atom, or the left side of a comparison:
** the token behind it tells. */
static bool name_or_comparison(reader *r) {
  pith_i_parser *p = &r->p;
  size_t at = p->lex.token.at;
  if (!read_named_atom(r))
    return false;
  if (!is_comparison(&p->lex.token) && !pith_i_token_is(&p->lex.token, "is"))
    return true;
  pith_i_atom_draft left = p->drafts.at[--p->drafts.n];
  if (left.arity > 0)
    return pith_i_lexer_error(&p->lex, at,
                              "an atom in a comparison; expected a constant or "
                              "a variable on either side; compare its "
                              "arguments");
  return pith_i_parse_comparison(p, left.name, at);
}

/* A reserved word alone is a constant in a comparison; true says nothing. */
static bool reserved_word(reader *r) {
  pith_i_parser *p = &r->p;
  pith_i_token word = p->lex.token;
  pith_term left;
  if (!pith_i_parse_term(p, &left))
    return false;
  if (is_comparison(&p->lex.token))
    return pith_i_parse_comparison(p, left, word.at);
  return pith_i_token_is(&word, "true") || refuse_reserved(r, word);
}

/* dif(X,Y) is X \= Y. */
static bool read_dif(reader *r) {
  pith_i_parser *p = &r->p;
  size_t at = p->lex.token.at;
  if (!pith_i_draft_add(p, PITH_NONE, at))
    return false;
  pith_i_lexer_next(&p->lex);
  if (!pith_i_parse_args(p, true))
    return false;
  pith_i_atom_draft *d = &p->drafts.at[p->drafts.n - 1];
  d->pred = PITH_DIFFERENT;
  return d->arity == 2 ||
         pith_i_lexer_error(&p->lex, at,
                            "dif with %u arguments; expected two: dif(X,Y); "
                            "correct it",
                            d->arity);
}

static bool refuse_negated(reader *r, size_t at) {
  return pith_i_lexer_error(
      &r->p.lex, at,
      "\\+ in front of something that is not one atom; "
      "expected an atom, as in \\+ p(X); negate a "
      "comparison by its opposite, and several atoms by a "
      "predicate that you define by them");
}

static bool starts_atom(const pith_i_token *t) {
  return t->kind == PITH_I_PLAIN_NAME || t->kind == PITH_I_QUOTED;
}

/* \+ p(X), \+ (p(X)), not p(X), not(p(X)); the token is behind the sign. */
static bool read_negated_atom(reader *r, size_t at) {
  pith_i_lexer *x = &r->p.lex;
  bool inside = pith_i_token_is(&x->token, "(");
  if (inside)
    pith_i_lexer_next(x);
  if (!starts_atom(&x->token) || pith_i_token_is(&x->token, "not"))
    return x->token.kind != PITH_I_BAD && refuse_negated(r, at);
  if (!read_named_atom(r))
    return false;
  r->p.drafts.at[r->p.drafts.n - 1].negated = true;
  if (is_comparison(&x->token) || (inside && !pith_i_token_is(&x->token, ")")))
    return refuse_negated(r, at);
  if (inside)
    pith_i_lexer_next(x);
  return true;
}

/* Whether `not` is the sign here, and not a constant: not = X. */
static bool is_not_sign(const reader *r) {
  const pith_i_token *t = &r->p.lex.token;
  const char *rest = r->p.lex.text + t->end;
  if (!pith_i_token_is(t, "not"))
    return false;
  while (pith_i_is(*rest, PITH_I_SPACE))
    rest++;
  return t->call || pith_i_is(*rest, PITH_I_LOWER) || *rest == '\'' ||
         *rest == '(' || (unsigned char)*rest >= 0x80;
}

static bool read_body_atom(reader *r) {
  pith_i_parser *p = &r->p;
  const pith_i_token *t = &p->lex.token;
  if (pith_i_token_is(t, "\\+") || is_not_sign(r)) {
    size_t sign = t->at;
    pith_i_lexer_next(&p->lex);
    return read_negated_atom(r, sign);
  }
  if (t->kind == PITH_I_PLAIN_NAME && !t->call &&
      pith_i_is_reserved(t->text, t->n))
    return reserved_word(r);
  if (pith_i_token_is(t, "dif") && t->call)
    return read_dif(r);
  if (t->kind == PITH_I_PLAIN_NAME || t->kind == PITH_I_QUOTED)
    return name_or_comparison(r);
  if (t->kind == PITH_I_VARIABLE && t->call)
    return refuse_variable_name(r);
  if (pith_i_token_is(t, "("))
    return pith_i_lexer_error(&p->lex, t->at,
                              "parentheses around atoms are not supported; "
                              "expected an atom; remove them, or write one "
                              "rule for each case");
  if (t->kind != PITH_I_VARIABLE && t->kind != PITH_I_NUMBER &&
      !pith_i_token_is(t, "-"))
    return pith_i_parse_refuse(p, "an atom");
  size_t at = t->at;
  pith_term left;
  if (!pith_i_parse_term(p, &left))
    return false;
  if (PITH_IS_VAR(left) &&
      (pith_i_token_is(&p->lex.token, ",") || p->lex.token.kind == PITH_I_STOP))
    return pith_i_lexer_error(&p->lex, at,
                              "a variable alone; expected an atom; write a "
                              "predicate");
  return pith_i_parse_comparison(p, left, at);
}

/* ---- the end of a clause --------------------------------------------- */

static bool clause_end(reader *r, const char *expected) {
  const pith_i_token *t = &r->p.lex.token;
  if (pith_i_token_is(t, ")"))
    return pith_i_lexer_error(&r->p.lex, t->at,
                              "an unbalanced parenthesis; this ) closes "
                              "nothing; remove it, or add the ( it belongs to");
  return pith_i_parse_stop(&r->p, expected);
}

/* Gives the drafts their predicates. */
static bool resolve_predicates(reader *r) {
  pith_i_parser *p = &r->p;
  bool ok = true;
  for (size_t i = 0; ok && i < p->drafts.n; i++) {
    pith_i_atom_draft *d = &p->drafts.at[i];
    ok = d->pred != PITH_NONE ||
         pith_i_predicate_use(p, d->name, d->arity, d->at, &d->pred);
  }
  if (ok && pith_i_is_builtin(p->drafts.at[0].pred))
    ok = pith_i_lexer_error(
        &p->lex, p->drafts.at[0].at,
        "%s cannot be defined; expected another predicate in the head; rename "
        "it",
        pith_i_pred_text(&p->in->theory->names, p->drafts.at[0].pred));
  for (size_t i = 1; ok && i < p->drafts.n; i++)
    if (p->drafts.at[i].negated && pith_i_is_builtin(p->drafts.at[i].pred))
      ok = refuse_negated(r, p->drafts.at[i].at);
  return ok;
}

static void warn_singletons(reader *r) {
  pith_i_parser *p = &r->p;
  for (size_t i = 0; i < p->vars.n; i++) {
    const pith_i_variable *v = &p->vars.at[i];
    const pith_i_symbol *name = pith_i_sym(&p->in->theory->names, v->name);
    pith_i_short s = pith_i_shorten(name->text, name->len);
    if (v->uses == 1 && name->text[0] != '_')
      pith_i_lexer_warn(&p->lex, v->at,
                        "%s occurs only once; expected a variable to link two "
                        "places; write _ or _%s if it is meant so",
                        s.text, s.text);
  }
}

static bool add_read_fact(reader *r) {
  assert(r->p.drafts.n == 1);
  pith_i_parser *p = &r->p;
  const pith_i_atom_draft *d = &p->drafts.at[0];
  if (p->vars.n > 0)
    return pith_i_lexer_error(&p->lex, p->vars.at[0].at,
                              "a variable in a fact; expected constants only; "
                              "begin it with a small letter, quote it, or "
                              "write a rule with a body that binds it");
  pith_status rc =
      p->in->fact(p->in->fact_ctx, d->pred, d->arity, p->args.at + d->first);
  if (rc < 0)
    p->lex.status = rc;
  return rc >= 0;
}

/* The number at *at, which is left behind it; 0: none, or a very large one. */
static uint64_t read_count(const char **at) {
  enum { LONGEST = 18 };
  uint64_t n = 0;
  size_t digits = strspn(*at, "0123456789");
  for (size_t i = 0; i < digits && digits <= LONGEST; i++)
    n = n * 10 + (uint64_t)((*at)[i] - '0');
  *at += digits;
  return n;
}

/* We write "% support 4 of 30" behind a rule, and keep it for formats that have
** these figures. */
static void read_counts(const pith_i_lexer *x, pith_rule *rule) {
  static const char mark[] = "% support ", between[] = " of ";
  assert(x->token.kind == PITH_I_STOP);
  const char *at = x->text + x->token.end;
  at += strspn(at, " \t");
  if (strncmp(at, mark, sizeof mark - 1) != 0)
    return;
  at += sizeof mark - 1;
  uint64_t support = read_count(&at);
  if (strncmp(at, between, sizeof between - 1) != 0)
    return;
  at += sizeof between - 1;
  uint64_t predictions = read_count(&at);
  if (support > predictions)
    return;
  rule->support = support;
  rule->predictions = predictions;
}

static bool add_read_rule(reader *r) {
  assert(r->p.drafts.n > 1);
  pith_i_parser *p = &r->p;
  pith_rule rule;
  if (!pith_i_parser_rule(p, &rule) || !pith_i_parser_bound(p, &rule))
    return false;
  rule.probability = r->probability;
  read_counts(&p->lex, &rule);
  if (r->probability == 0) /* what was learned is not a slip of the pen */
    warn_singletons(r);
  return pith_i_rule_add(p->in->theory, &rule) >= 0 ||
         pith_i_parser_no_memory(p);
}

/* ---- clauses --------------------------------------------------------- */

static bool add_example(reader *r, bool positive, double w);

/* A fact goes where the dialect wants it, or to the facts. */
static bool dispose_fact(reader *r) {
  pith_i_parser *p = &r->p;
  const pith_i_dialect *d = r->dialect;
  pith_i_answer taken = PITH_I_NOT_MINE;
  if (d != NULL && d->fact != NULL && p->vars.n == 0)
    taken = d->fact(d->ctx, p, r->probability);
  if (taken == PITH_I_POSITIVE || taken == PITH_I_NEGATIVE)
    return add_example(r, taken == PITH_I_POSITIVE, 1);
  if (taken != PITH_I_NOT_MINE)
    return taken == PITH_I_TAKEN;
  if (r->probability != 0 && p->vars.n == 0)
    return pith_i_lexer_error(&p->lex, p->drafts.at[0].at,
                              "a fact with a probability; expected a rule; use "
                              "--from problog, which keeps the probability "
                              "apart, or leave the number and :: out");
  return add_read_fact(r);
}

static bool fact_or_rule(reader *r) {
  pith_i_parser *p = &r->p;
  if (!read_named_atom(r))
    return false;
  const char *expected = ":- or the full stop";
  if (pith_i_token_is(&p->lex.token, ":-")) {
    expected = ", or the full stop";
    do {
      pith_i_lexer_next(&p->lex);
      if (!read_body_atom(r))
        return false;
    } while (pith_i_token_is(&p->lex.token, ","));
  }
  if (!clause_end(r, expected) || !resolve_predicates(r))
    return false;
  return p->drafts.n == 1 ? dispose_fact(r) : add_read_rule(r);
}

/* 0.8::head :- body. as ProbLog has it. */
static bool probable_rule(reader *r) {
  pith_i_parser *p = &r->p;
  const pith_i_token *t = &p->lex.token;
  size_t at = t->at;
  double value = 0;
  bool good = pith_i_decimal_read(t->text, t->n, &value);
  pith_i_lexer_next(&p->lex);
  if (!pith_i_token_is(t, "::"))
    return not_a_name(r, at);
  if (!good || value <= 0 || value > 1)
    return pith_i_lexer_error(&p->lex, at,
                              "not a probability; expected a number above 0 "
                              "and at most 1; correct it");
  pith_i_lexer_next(&p->lex);
  r->probability = value;
  bool read = fact_or_rule(r);
  r->probability = 0;
  return read;
}

/* The weight behind an example's atom, if there is one. */
static bool read_example_weight(reader *r, double *out) {
  pith_i_parser *p = &r->p;
  *out = 1;
  if (!pith_i_token_is(&p->lex.token, ","))
    return true;
  pith_i_lexer_next(&p->lex);
  const pith_i_token *t = &p->lex.token;
  if (t->kind != PITH_I_NUMBER || !pith_i_decimal_read(t->text, t->n, out))
    return pith_i_lexer_error(&p->lex, t->at,
                              "not a weight; expected a number that is not "
                              "negative, as in pos(f(a), 0.8); correct it");
  pith_i_lexer_next(&p->lex);
  return true;
}

static bool both_signs(reader *r, uint32_t number, bool positive) {
  assert(number < r->p.in->theory->examples.n);
  pith_i_parser *p = &r->p;
  const char *mine = positive ? "positive" : "negative";
  const char *other = positive ? "negative" : "positive";
  size_t at = p->drafts.at[0].at;
  if (number < r->old_examples)
    return pith_i_lexer_error(&p->lex, at,
                              "a %s example that was read as %s before; "
                              "expected one sign; remove one of them",
                              mine, other);
  size_t line = r->examples.at[number - r->old_examples];
  return pith_i_lexer_error(&p->lex, at,
                            "a %s example that is also %s, in line %zu; "
                            "expected one sign; remove one of them",
                            mine, other, line);
}

static bool add_example(reader *r, bool positive, double w) {
  pith_i_parser *p = &r->p;
  pith_i_theory *t = p->in->theory;
  const pith_i_atom_draft *d = &p->drafts.at[0];
  pith_atom atom = {
      .pred = d->pred, .arity = d->arity, .args = p->args.at + d->first};
  uint32_t there = pith_i_example_find(t, &atom);
  if (there != PITH_NONE && t->examples.at[there]->positive != positive)
    return both_signs(r, there, positive);
  if (there != PITH_NONE) {
    if (t->examples.at[there]->weight != w)
      pith_i_lexer_warn(&p->lex, d->at,
                        "an example given twice with different weights; "
                        "expected it once; the first is kept");
    return true;
  }
  size_t line = pith_i_line_of(p->in->lines, d->at);
  return (pith_i_push(t->env, &r->examples, line) &&
          pith_i_example_add(t, &atom, positive, w) >= 0) ||
         pith_i_parser_no_memory(p);
}

/* pos(f(a,b)). or neg(f(a,b), 0.8). */
static bool read_example(reader *r) {
  pith_i_parser *p = &r->p;
  bool positive = pith_i_token_is(&p->lex.token, "pos");
  pith_i_lexer_next(&p->lex);
  size_t open = p->lex.token.at;
  pith_i_lexer_next(&p->lex);
  double w;
  if (!read_named_atom(r) || !read_example_weight(r, &w))
    return false;
  if (!pith_i_token_is(&p->lex.token, ")"))
    return p->lex.token.kind == PITH_I_STOP || p->lex.token.kind == PITH_I_EOF
               ? pith_i_lexer_error(&p->lex, open,
                                    "an unbalanced parenthesis; expected ) "
                                    "before the full stop; add it")
               : pith_i_parse_refuse(p, ", and a weight, or )");
  pith_i_lexer_next(&p->lex);
  if (pith_i_token_is(&p->lex.token, ":-"))
    return pith_i_lexer_error(&p->lex, p->lex.token.at,
                              "an example with a body; expected the full stop; "
                              "an example is a fact: leave the body out");
  if (!clause_end(r, "the full stop"))
    return false;
  if (p->vars.n > 0)
    return pith_i_lexer_error(&p->lex, p->vars.at[0].at,
                              "a variable in an example; expected constants "
                              "only; begin it with a small letter, or quote "
                              "it");
  return resolve_predicates(r) && add_example(r, positive, w);
}

/* :- dynamic edge/2. and the like say nothing about the relations. */
static bool read_directive(reader *r) {
  static const char *const known[] = {
      "dynamic",    "discontiguous", "table",       "multifile",      "module",
      "use_module", "ensure_loaded", "style_check", "set_prolog_flag"};
  pith_i_lexer *x = &r->p.lex;
  size_t at = x->token.at;
  bool query = pith_i_token_is(&x->token, "?-"), silent = false;
  pith_i_lexer_next(x);
  if (!query && r->dialect != NULL && r->dialect->directive != NULL) {
    pith_i_answer taken = r->dialect->directive(r->dialect->ctx, &r->p);
    if (taken == PITH_I_TAKEN)
      pith_i_lexer_recover(x);
    if (taken != PITH_I_NOT_MINE)
      return taken == PITH_I_TAKEN;
  }
  for (size_t i = 0; !query && i < sizeof known / sizeof *known; i++)
    silent |= pith_i_token_is(&x->token, known[i]);
  if (!silent)
    pith_i_lexer_warn(x, at,
                      "a %s, which is skipped; expected facts, rules and "
                      "examples; remove it to silence this",
                      query ? "query" : "directive");
  pith_i_lexer_recover(x);
  return true;
}

static bool read_clause(reader *r) {
  const pith_i_token *t = &r->p.lex.token;
  if (pith_i_token_is(t, ":-") || pith_i_token_is(t, "?-"))
    return read_directive(r);
  if (t->call && (pith_i_token_is(t, "pos") || pith_i_token_is(t, "neg")))
    return read_example(r);
  if (t->kind == PITH_I_STOP)
    return pith_i_lexer_error(&r->p.lex, t->at,
                              "a full stop alone; expected a clause before it; "
                              "remove it");
  return t->kind == PITH_I_NUMBER ? probable_rule(r) : fact_or_rule(r);
}

/* Whether the dialect took the clause, or refused it. */
static bool take_dialect_clause(reader *r) {
  const pith_i_dialect *d = r->dialect;
  pith_i_parser *p = &r->p;
  if (d == NULL || d->clause == NULL)
    return false;
  p->lex.at = pith_i_skip_layout(p->lex.text, p->lex.at);
  if (p->lex.at >= p->in->lines->n)
    return false;
  pith_i_answer taken = d->clause(d->ctx, p);
  if (taken == PITH_I_REFUSED)
    p->lex.at = pith_i_clause_end(p->lex.text, p->lex.at);
  r->any |= taken != PITH_I_NOT_MINE;
  return taken != PITH_I_NOT_MINE;
}

static void read_all_clauses(reader *r) {
  bool fast = r->dialect == NULL || !r->dialect->asks_all;
  while (r->p.lex.status >= 0) {
    while (fast && plain_fact(r))
      ;
    keep_status(r, pith_i_bulk_flush(&r->bulk));
    pith_i_parser_clear(&r->p);
    if (take_dialect_clause(r))
      continue;
    pith_i_lexer_next(&r->p.lex);
    if (r->p.lex.token.kind == PITH_I_EOF)
      break;
    r->any = true;
    if (!read_clause(r))
      pith_i_parser_recover(&r->p);
  }
}

pith_status pith_i_read_dialect(const pith_i_input *in,
                                const pith_i_dialect *dialect) {
  reader r = {.old_examples = in->theory->examples.n,
              .bulk.in = in,
              .dialect = dialect};
  size_t errors = in->remarks->errors;
  if (pith_i_parser_init(&r.p, in) < 0)
    return PITH_ENOMEM;
  r.p.has_inequality = dialect != NULL && dialect->has_inequality;
  r.p.has_strings = dialect != NULL && dialect->has_strings;
  read_all_clauses(&r);
  if (!r.any)
    pith_i_parser_empty(&r.p, "facts, rules or examples");
  pith_i_vec_free(in->theory->env, &r.examples);
  return pith_i_parser_end(&r.p, errors);
}

pith_status pith_i_read_prolog(const pith_i_input *in) {
  return pith_i_read_dialect(in, NULL);
}

/* ---- one atom -------------------------------------------------------- */

static bool copy_read_atom(reader *r, pith_i_arena *arena,
                           const pith_atom **out) {
  assert(r->p.drafts.n == 1);
  const pith_i_atom_draft *d = &r->p.drafts.at[0];
  pith_atom *a = pith_i_arena_alloc(arena, sizeof *a);
  pith_term *args = pith_i_arena_alloc(arena, (d->arity + 1) * sizeof *args);
  if (a == NULL || args == NULL)
    return pith_i_parser_no_memory(&r->p);
  if (d->arity > 0)
    memcpy(args, r->p.args.at + d->first, d->arity * sizeof *args);
  *a = (pith_atom){.pred = d->pred, .arity = d->arity, .args = args};
  *out = a;
  return true;
}

/* An atom, the full stop being optional, and nothing behind it. */
static bool one_atom(reader *r, pith_i_arena *arena, const pith_atom **out) {
  pith_i_lexer *x = &r->p.lex;
  pith_i_lexer_next(x);
  if (!read_named_atom(r))
    return false;
  if (x->token.kind == PITH_I_STOP)
    pith_i_lexer_next(x);
  if (x->token.kind != PITH_I_EOF)
    return pith_i_parse_refuse(&r->p, "one atom and nothing more");
  return resolve_predicates(r) && copy_read_atom(r, arena, out);
}

pith_status pith_i_read_atom(const pith_i_input *in, pith_i_arena *arena,
                             const pith_atom **out) {
  reader r = {0};
  size_t errors = in->remarks->errors;
  if (pith_i_parser_init(&r.p, in) < 0)
    return PITH_ENOMEM;
  one_atom(&r, arena, out);
  return pith_i_parser_end(&r.p, errors);
}
