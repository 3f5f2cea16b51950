/* Facts and rules as clingo has them. Beyond Prolog there are constants
** (#const n = 3), and facts that stand for many: p(1..n), p(a;b), p((a;b),c).
** Such a fact is expanded here; rules, and facts without these, are Prolog's.
** What makes a program more than facts and rules, choices and constraints among
** it, is refused or skipped by name. */
#include <stdio.h>
#include <string.h>

#include "text/dialect.h"

enum { MOST_FACTS = 10000000, DEEPEST = 64 };

typedef struct {
  pith_sym name, value;
} constant;

typedef PITH_I_VEC(pith_sym) symbols;

typedef struct {
  pith_i_parser *p;
  pith_i_env *env;
  PITH_I_VEC(constant) constants;
  symbols values;            /* of all places of the fact, place by place */
  PITH_I_VEC(size_t) starts; /* where each place's values start, and the end */
  PITH_I_VEC(size_t) tuples; /* a pool p(a,b;c): where its tuples start      */
  const char *s;             /* where reading is                             */
  size_t depth;
  bool told_show, told_constraint;
  size_t expanded;
} reader;

static size_t fact_place(const reader *r) {
  return (size_t)(r->s - r->p->lex.text);
}

static bool no_memory(reader *r) { return pith_i_parser_no_memory(r->p); }

static void skip_to_term(reader *r) {
  const char *text = r->p->lex.text;
  r->s = text + pith_i_skip_layout(text, fact_place(r));
}

static bool next_is(reader *r, char c) {
  skip_to_term(r);
  if (*r->s != c)
    return false;
  r->s++;
  return true;
}

static bool unexpected_term(reader *r, const char *expected) {
  return pith_i_lexer_error(&r->p->lex, fact_place(r),
                            "not what a fact has here; expected %s; correct "
                            "it, or write the facts out",
                            expected);
}

/* ---- whole numbers ---------------------------------------------------- */

static bool intern_integer(reader *r, long long value, pith_sym *out) {
  char text[32];
  int n = snprintf(text, sizeof text, "%lld", value);
  return pith_i_sym_add(&r->p->in->theory->names, text, (size_t)n, PITH_NUMBER,
                        out) >= 0 ||
         no_memory(r);
}

/* Whether a constant is a whole number that fits. */
static bool integer_of(const reader *r, pith_sym sym, long long *out) {
  const pith_i_symbol *s = pith_i_sym(&r->p->in->theory->names, sym);
  size_t sign = s->len > 0 && s->text[0] == '-';
  if (s->kind != PITH_NUMBER || s->len - sign > 15 || s->len == sign)
    return false;
  *out = 0;
  for (size_t i = sign; i < s->len; i++) {
    if (!pith_i_is(s->text[i], PITH_I_DIGIT))
      return false;
    *out = *out * 10 + (s->text[i] - '0');
  }
  *out = sign ? -*out : *out;
  return true;
}

static bool starts_operator(const reader *r) {
  return *r->s == '+' || *r->s == '*' || *r->s == '/' ||
         (*r->s == '-' && r->s[1] != '-');
}

static bool apply_operator(reader *r, char op, long long b, long long *a) {
  const long long most = 1000000000000000;
  if (op == '/' && b == 0)
    return unexpected_term(r, "a divisor that is not 0");
  *a = op == '+'   ? *a + b
       : op == '-' ? *a - b
       : op == '*'
           ? (*a != 0 && (b > most / 1000 || b < -most / 1000) ? most + 1
                                                               : *a * b)
           : *a / b;
  return (*a <= most && *a >= -most) ||
         unexpected_term(r, "a number of at most 15 digits");
}

/* ---- terms ------------------------------------------------------------ */

/* What #const says of a name; else the name. */
static pith_sym replace_constant(void *ctx, pith_sym name) {
  const reader *r = ctx;
  for (size_t i = r->constants.n; i-- > 0;)
    if (r->constants.at[i].name == name)
      return r->constants.at[i].value;
  return name;
}

/* A constant without operators: through the parser, for names, quotes, numbers
** and compound terms. */
static bool read_plain_term(reader *r, pith_sym *out) {
  pith_i_parser *p = r->p;
  size_t at = fact_place(r);
  pith_term term;
  p->lex.at = at;
  pith_i_lexer_next(&p->lex);
  if (!pith_i_parse_term(p, &term))
    return false;
  if (PITH_IS_VAR(term))
    return pith_i_lexer_error(&p->lex, at,
                              "a variable in a fact; expected constants only; "
                              "write a rule with a body that binds it");
  r->s = p->lex.text + p->lex.last_end;
  *out = term;
  return true;
}

static bool read_sum(reader *r, pith_sym *out);

static bool read_factor(reader *r, pith_sym *out) {
  bool minus = next_is(r, '-');
  if (next_is(r, '(')) {
    if (++r->depth > DEEPEST)
      return unexpected_term(r, "fewer parentheses");
    bool ok = read_sum(r, out);
    r->depth--;
    if (ok && !next_is(r, ')'))
      return unexpected_term(r, ")");
    if (!ok)
      return false;
  } else if (!read_plain_term(r, out)) {
    return false;
  }
  long long value;
  if (!minus)
    return true;
  return integer_of(r, *out, &value) ? intern_integer(r, -value, out)
                                     : unexpected_term(r, "a number behind -");
}

/* a op b op c, with * and / before + and -: level 1, then level 0. */
static bool read_operands(reader *r, int level, pith_sym *out) {
  if (level == 1 ? !read_factor(r, out) : !read_operands(r, 1, out))
    return false;
  for (;;) {
    skip_to_term(r);
    bool strong = *r->s == '*' || *r->s == '/';
    if (!starts_operator(r) || strong != (level == 1))
      return true;
    char op = *r->s;
    long long a, b;
    pith_sym right;
    bool number = integer_of(r, *out, &a);
    if (!number)
      return unexpected_term(r, "numbers around + - * and /");
    r->s++;
    if (level == 1 ? !read_factor(r, &right) : !read_operands(r, 1, &right))
      return false;
    if (!integer_of(r, right, &b))
      return unexpected_term(r, "numbers around + - * and /");
    if (!apply_operator(r, op, b, &a) || !intern_integer(r, a, out))
      return false;
  }
}

static bool read_sum(reader *r, pith_sym *out) {
  return read_operands(r, 0, out);
}

/* ---- facts that stand for many ---------------------------------------- */

static bool add_value(reader *r, pith_sym value) {
  if (r->values.n >= MOST_FACTS)
    return unexpected_term(r, "at most ten million facts");
  return pith_i_push(r->env, &r->values, value) || no_memory(r);
}

/* a, 1..n, or (a;b;c); behind it the values of a place are complete. */
static bool read_values(reader *r) {
  skip_to_term(r);
  if (*r->s == '(' && memchr(r->s, ';', strcspn(r->s, ")\n")) != NULL) {
    r->s++;
    if (++r->depth > DEEPEST)
      return unexpected_term(r, "fewer parentheses");
    do {
      if (!read_values(r))
        return false;
    } while (next_is(r, ';'));
    r->depth--;
    return next_is(r, ')') || unexpected_term(r, "; or )");
  }
  pith_sym first, last;
  if (!read_sum(r, &first))
    return false;
  skip_to_term(r);
  if (r->s[0] != '.' || r->s[1] != '.')
    return add_value(r, first);
  r->s += 2;
  long long from, to;
  if (!read_sum(r, &last))
    return false;
  if (!integer_of(r, first, &from) || !integer_of(r, last, &to))
    return unexpected_term(r, "numbers around ..");
  for (; from <= to; from++) {
    pith_sym value;
    if (!intern_integer(r, from, &value) || !add_value(r, value))
      return false;
  }
  return true;
}

static bool mark_start(reader *r) {
  return pith_i_push(r->env, &r->starts, r->values.n) || no_memory(r);
}

static bool mark_tuple(reader *r) {
  return pith_i_push(r->env, &r->tuples, r->starts.n) || no_memory(r);
}

/* The arguments up to the closing parenthesis: tuples parted by ; each with
** places parted by commas, each place with values. */
static bool read_arguments(reader *r) {
  r->values.n = r->starts.n = r->tuples.n = 0;
  do {
    if (!mark_tuple(r))
      return false;
    do {
      if (!mark_start(r) || !read_values(r))
        return false;
    } while (next_is(r, ','));
    if (!mark_start(r))
      return false;
  } while (next_is(r, ';'));
  return (next_is(r, ')') || unexpected_term(r, ", ; or )")) && mark_tuple(r);
}

/* Every choice of one value for each place of a tuple; the last changes
** first. */
static bool add_product(reader *r, pith_sym name, const size_t *starts,
                        size_t arity, size_t at) {
  pith_i_parser *p = r->p;
  pith_pred pred;
  symbols args = {0};
  PITH_I_VEC(size_t) turn = {0};
  bool ok = pith_i_predicate_define(p, name, arity, at, &pred);
  for (size_t i = 0; ok && i < arity; i++) {
    if (starts[i] == starts[i + 1])
      goto done; /* 3..1 holds nothing */
    ok = (pith_i_push(r->env, &args, r->values.at[starts[i]]) &&
          pith_i_push(r->env, &turn, (size_t)0)) ||
         no_memory(r);
  }
  while (ok) {
    pith_status rc =
        p->in->fact(p->in->fact_ctx, pred, (uint32_t)arity, args.at);
    if (rc < 0)
      p->lex.status = rc;
    ok = rc >= 0;
    r->expanded++;
    size_t i = arity;
    while (i > 0 && starts[i - 1] + ++turn.at[i - 1] == starts[i]) {
      i--;
      turn.at[i] = 0;
      args.at[i] = r->values.at[starts[i]];
    }
    if (i == 0)
      break;
    args.at[i - 1] = r->values.at[starts[i - 1] + turn.at[i - 1]];
  }
done:
  pith_i_vec_free(r->env, &args);
  pith_i_vec_free(r->env, &turn);
  return ok;
}

static bool is_too_many(const size_t *starts, size_t arity) {
  size_t product = 1;
  for (size_t i = 0; i < arity; i++) {
    product *= starts[i + 1] - starts[i];
    if (product > MOST_FACTS)
      return true;
  }
  return false;
}

static bool add_tuples(reader *r, pith_sym name, size_t at) {
  bool ok = true;
  for (size_t i = 0; ok && i + 1 < r->tuples.n; i++) {
    const size_t *starts = r->starts.at + r->tuples.at[i];
    size_t arity = r->tuples.at[i + 1] - r->tuples.at[i] - 1;
    if (is_too_many(starts, arity))
      return pith_i_lexer_error(&r->p->lex, at,
                                "more than %d facts in one; expected fewer; "
                                "write a rule instead",
                                MOST_FACTS);
    ok = add_product(r, name, starts, arity, at);
  }
  return ok;
}

/* name(arguments) up to the full stop. */
static bool read_fact(reader *r) {
  pith_i_parser *p = r->p;
  size_t at = p->lex.at;
  pith_sym name;
  pith_i_lexer_next(&p->lex);
  if (!pith_i_parse_name(p, PITH_NAME, &name))
    return false;
  r->s = p->lex.text + p->lex.token.end;
  r->depth = 0;
  if (!next_is(r, '('))
    return unexpected_term(r, "(");
  if (!read_arguments(r))
    return false;
  if (!next_is(r, '.'))
    return unexpected_term(r, "the full stop");
  p->lex.at = fact_place(r);
  return add_tuples(r, name, at);
}

/* ---- clauses ---------------------------------------------------------- */

/* The first byte of the clause at s that is one of these and stands in no
** quotes, or NULL. */
static const char *find_outside(const char *s, const char *end,
                                const char *bytes) {
  for (char quote = 0; s < end; s++) {
    if (quote != 0) {
      s += *s == '\\' && s + 1 < end;
      quote = *s == quote ? 0 : quote;
    } else if (*s == '"') {
      quote = *s;
    } else if (strchr(bytes, *s) != NULL) {
      return s;
    }
  }
  return NULL;
}

static bool has_interval(const char *s, const char *end) {
  for (; s + 1 < end; s++)
    if (s[0] == '.' && s[1] == '.')
      return true;
  return false;
}

static bool has_arrow(const char *s, const char *end) {
  for (; s + 1 < end; s++)
    if (s[0] == ':' && s[1] == '-')
      return true;
  return false;
}

/* clingo's clauses end at a point that no other follows, and 1..3 is no end. */
static const char *clause_stop(const char *s) {
  for (char quote = 0; *s != '\0'; s++) {
    if (quote != 0) {
      s += *s == '\\' && s[1] != '\0';
      quote = *s == quote ? 0 : quote;
    } else if (*s == '"') {
      quote = '"';
    } else if (*s == '%') {
      s += strcspn(s, "\n");
      if (*s == '\0')
        break;
    } else if (*s == '.' && s[1] == '.') {
      s++;
    } else if (*s == '.') {
      return s + 1;
    }
  }
  return s;
}

/* #const n = 3. */
static bool read_constant(reader *r) {
  r->s += strlen("#const");
  skip_to_term(r);
  const char *name = r->s;
  while (pith_i_is(*r->s, PITH_I_ALNUM))
    r->s++;
  size_t n = (size_t)(r->s - name);
  constant c;
  if (n == 0 || !pith_i_is(*name, PITH_I_LOWER) || !next_is(r, '='))
    return unexpected_term(r, "#const name = value.");
  if (!read_sum(r, &c.value))
    return false;
  if (!next_is(r, '.'))
    return unexpected_term(r, "the full stop");
  r->p->lex.at = fact_place(r);
  return (pith_i_sym_add(&r->p->in->theory->names, name, n, PITH_NAME,
                         &c.name) >= 0 &&
          pith_i_push(r->env, &r->constants, c)) ||
         no_memory(r);
}

static bool refuse_directive(reader *r) {
  size_t n = 1;
  while (pith_i_is(r->s[n], PITH_I_ALNUM))
    n++;
  return pith_i_lexer_error(&r->p->lex, fact_place(r),
                            "%.*s is not supported; expected facts and rules; "
                            "let clingo compute the facts, and give those",
                            (int)(n < 40 ? n : 40), r->s);
}

static pith_i_answer skip_clause(reader *r, bool *told, const char *what) {
  if (!*told)
    pith_i_lexer_warn(&r->p->lex, r->p->lex.at, "%s", what);
  *told = true;
  r->p->lex.at = (size_t)(clause_stop(r->s) - r->p->lex.text);
  return PITH_I_TAKEN;
}

static pith_i_answer answer_of(bool ok) {
  return ok ? PITH_I_TAKEN : PITH_I_REFUSED;
}

static pith_i_answer take_directive(reader *r) {
  if (pith_i_starts_word(r->s, "#const"))
    return answer_of(read_constant(r));
  if (pith_i_starts_word(r->s, "#show") ||
      pith_i_starts_word(r->s, "#defined") ||
      pith_i_starts_word(r->s, "#program"))
    return skip_clause(r, &r->told_show,
                       "what is to be shown is skipped; expected facts and "
                       "rules; use --query, or grep what is printed");
  return answer_of(refuse_directive(r));
}

static pith_i_answer take_clause(void *ctx, pith_i_parser *p) {
  reader *r = ctx;
  r->p = p;
  p->replace = replace_constant;
  p->replace_ctx = r;
  r->s = p->lex.text + p->lex.at;
  const char *end = clause_stop(r->s);
  if (*r->s == '#')
    return take_directive(r);
  if (strncmp(r->s, ":-", 2) == 0 || strncmp(r->s, ":~", 2) == 0)
    return skip_clause(r, &r->told_constraint,
                       "a constraint, which is skipped; expected facts and "
                       "rules; remove it to silence this");
  const char *brace = find_outside(r->s, end, "{}");
  if (brace != NULL) {
    r->s = brace;
    return answer_of(pith_i_lexer_error(
        &p->lex, fact_place(r),
        "choices and aggregates are not supported; expected facts and rules; "
        "let clingo compute the facts, and give those"));
  }
  if (has_arrow(r->s, end) || !pith_i_is(*r->s, PITH_I_LOWER))
    return PITH_I_NOT_MINE;
  bool many =
      find_outside(r->s, end, ";+*/-") != NULL || has_interval(r->s, end);
  bool dense = *end != '\0' && !pith_i_is(*end, PITH_I_SPACE) && *end != '%';
  if ((!many && !dense) || find_outside(r->s, end, "(") == NULL)
    return PITH_I_NOT_MINE;
  return answer_of(read_fact(r));
}

/* A comment from %* to *% may have several lines, of which Prolog would skip
** the first. Blanks take its place in a copy; NULL where there is none. */
static pith_status blank_block_comments(const pith_i_input *in, char **out) {
  *out = NULL;
  if (strstr(in->lines->text, "%*") == NULL)
    return PITH_OK;
  char *copy = pith_i_alloc(in->theory->env, in->lines->n + 1);
  if (copy == NULL)
    return PITH_ENOMEM;
  memcpy(copy, in->lines->text, in->lines->n + 1);
  for (char *s = strstr(copy, "%*"); s != NULL; s = strstr(s, "%*")) {
    char *end = strstr(s + 2, "*%");
    end = end == NULL ? copy + in->lines->n : end + 2;
    for (; s < end; s++)
      *s = *s == '\n' ? '\n' : ' ';
  }
  *out = copy;
  return PITH_OK;
}

static void free_reader(reader *r) {
  pith_i_vec_free(r->env, &r->constants);
  pith_i_vec_free(r->env, &r->values);
  pith_i_vec_free(r->env, &r->starts);
  pith_i_vec_free(r->env, &r->tuples);
}

pith_status pith_i_read_clingo(const pith_i_input *in) {
  reader r = {.env = in->theory->env};
  pith_i_dialect dialect = {.clause = take_clause,
                            .asks_all =
                                strstr(in->lines->text, "#const") != NULL,
                            .has_inequality = true,
                            .has_strings = true,
                            .ctx = &r};
  char *copy;
  if (blank_block_comments(in, &copy) < 0)
    return PITH_ENOMEM;
  pith_i_lines lines = {.text = copy, .n = in->lines->n};
  pith_i_input own = *in;
  if (copy != NULL)
    own.lines = &lines;
  pith_status rc = pith_i_read_dialect(&own, &dialect);
  if (in->summary != NULL && r.expanded > 0)
    snprintf(in->summary, PITH_I_SUMMARY,
             "%zu facts from intervals, pools and constants", r.expanded);
  free_reader(&r);
  pith_i_release(r.env, copy);
  return rc;
}
