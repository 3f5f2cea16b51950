/* Tasks of Metagol, where they are plain: background facts, metarules, prim or
** body_pred with name/arity, and one call of learn with two lists of atoms.
**
** The file is read in parts, each of them the text with blanks in place of all
** else, so that messages have the right place: facts and rules by the reader of
** Prolog, metarules by that of templates. Of the lists, commas become full
** stops, and their atoms are facts that are examples. */
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "text/dialect.h"

typedef struct {
  const pith_i_input *in;
  pith_i_env *env;
  char *facts, *metarules;     /* (n + 1) texts with blanks */
  pith_i_text_buffer lists[2]; /* positive, negative */
  size_t tasks, metarule_count, prims;
  pith_i_parser p; /* for messages and names */
} reader;

static bool no_memory(reader *r) { return pith_i_parser_no_memory(&r->p); }

static void blank_out(char *text, size_t from, size_t to) {
  for (size_t i = from; i < to; i++)
    if (text[i] != '\n')
      text[i] = ' ';
}

/* ---- prim(mother/2) --------------------------------------------------- */

static bool take_primitive(reader *r, size_t at) {
  pith_i_lexer *x = &r->p.lex;
  pith_sym name;
  pith_pred pred;
  uint32_t arity = 0;
  x->at = at;
  for (int i = 0; i < 3; i++) /* prim, ( and the name */
    pith_i_lexer_next(x);
  bool ok =
      x->token.kind == PITH_I_PLAIN_NAME || x->token.kind == PITH_I_QUOTED;
  if (ok && !pith_i_parse_name(&r->p, PITH_NAME, &name))
    return false;
  pith_i_lexer_next(x);
  ok = ok && pith_i_token_is(&x->token, "/");
  pith_i_lexer_next(x);
  ok = ok && x->token.kind == PITH_I_NUMBER && x->token.n < 4;
  for (size_t i = 0; ok && i < x->token.n; i++)
    arity = arity * 10 + (uint32_t)(x->token.text[i] - '0');
  if (!ok || arity > 99)
    return pith_i_lexer_error(x, at,
                              "not a primitive; expected a predicate and its "
                              "arity, as in body_pred(mother/2); correct it");
  if (!pith_i_predicate_use(&r->p, name, arity, at, &pred))
    return false;
  pith_i_pred(&r->in->theory->names, pred)->roles |= PITH_BODY;
  r->prims++;
  return true;
}

/* ---- learn(Pos,Neg) --------------------------------------------------- */

/* The place of a word in text[from..to), or SIZE_MAX. */
static size_t find_word(const char *text, size_t from, size_t to,
                        const char *word, size_t n) {
  for (size_t i = from; i + n <= to; i++)
    if (memcmp(text + i, word, n) == 0 &&
        (i == from || !pith_i_is(text[i - 1], PITH_I_ALNUM)) &&
        !pith_i_is(text[i + n], PITH_I_ALNUM))
      return i;
  return SIZE_MAX;
}

/* Where the list starts that an argument of learn is, or is the name of;
** SIZE_MAX: nowhere. */
static size_t find_list(const char *text, size_t from, size_t to,
                        size_t argument) {
  argument = pith_i_skip_layout(text, argument);
  if (text[argument] == '[')
    return argument;
  size_t n = 0;
  while (pith_i_is(text[argument + n], PITH_I_ALNUM))
    n++;
  if (n == 0 || !pith_i_is(text[argument], PITH_I_UPPER))
    return SIZE_MAX;
  for (size_t at = from;; at++) {
    at = find_word(text, at, to, text + argument, n);
    if (at == SIZE_MAX)
      return at;
    size_t equal = pith_i_skip_layout(text, at + n);
    if (text[equal] != '=')
      continue;
    size_t list = pith_i_skip_layout(text, equal + 1);
    if (text[list] == '[')
      return list;
  }
}

/* Behind the bracket that closes the one at `at`, or to. */
static size_t list_end(const char *text, size_t at, size_t to) {
  size_t depth = 0;
  for (bool quoted = false; at < to; at++) {
    quoted ^= text[at] == '\'';
    if (quoted)
      continue;
    depth += text[at] == '[';
    depth -= text[at] == ']' && depth > 0;
    if (text[at] == ']' && depth == 0)
      return at + 1;
  }
  return to;
}

static bool put_list_char(reader *r, pith_i_text_buffer *b, char c) {
  if (!pith_i_room(r->env, b, 3))
    return no_memory(r);
  b->at[b->n++] = c;
  b->at[b->n] = '\0';
  return true;
}

/* The list at text[from..to), its atoms as clauses at the same lines. */
static bool copy_list(reader *r, pith_i_text_buffer *b, size_t from,
                      size_t to) {
  const char *text = r->in->lines->text;
  size_t depth = 0;
  bool quoted = false, any = false;
  for (size_t i = b->n; i < from; i++)
    if (!put_list_char(r, b, text[i] == '\n' ? '\n' : ' '))
      return false;
  for (size_t i = from + 1; i + 1 < to; i++) {
    char c = text[i];
    quoted ^= c == '\'';
    depth += !quoted && (c == '(' || c == '[');
    depth -= !quoted && (c == ')' || c == ']') && depth > 0;
    any |= !pith_i_is(c, PITH_I_SPACE);
    bool ends = !quoted && c == ',' && depth == 0;
    if (!put_list_char(r, b, ends ? '.' : c) ||
        (ends && !put_list_char(r, b, ' ')))
      return false;
  }
  return !any || (put_list_char(r, b, '.') && put_list_char(r, b, '\n'));
}

static bool bad_task(reader *r, size_t at) {
  return pith_i_lexer_error(&r->p.lex, at,
                            "a task that is not plain; expected learn(Pos,Neg) "
                            "with a list of atoms for each; write the lists "
                            "out, or examples as pos(..) and neg(..)");
}

static bool take_task(reader *r, size_t from, size_t to, size_t call) {
  const char *text = r->in->lines->text;
  size_t argument = pith_i_skip_layout(text, call + strlen("learn"));
  r->tasks++;
  for (size_t i = 0; i < 2; i++) {
    argument++; /* the parenthesis, or the comma */
    size_t list = find_list(text, from, to, argument);
    size_t end = list == SIZE_MAX ? 0 : list_end(text, list, to);
    if (end == 0 || text[end - 1] != ']')
      return bad_task(r, call);
    if (!copy_list(r, &r->lists[i], list, end))
      return false;
    argument = pith_i_skip_layout(text, argument);
    argument = text[argument] == '['
                   ? list_end(text, argument, to)
                   : argument + strcspn(text + argument, ",)");
    argument = pith_i_skip_layout(text, argument);
    if (i == 0 && text[argument] != ',')
      return bad_task(r, call);
  }
  return true;
}

/* ---- clauses ---------------------------------------------------------- */

static bool sort_clause(reader *r, size_t from, size_t to) {
  const char *text = r->in->lines->text, *s = text + from;
  bool prim =
      pith_i_starts_word(s, "prim") || pith_i_starts_word(s, "body_pred");
  bool metarule = pith_i_starts_word(s, "metarule") && s[8] == '(';
  size_t call = find_word(text, from, to, "learn", 5);
  bool task = call != SIZE_MAX && text[call + 5] == '(';
  bool loads = strncmp(s, ":-", 2) == 0 &&
               find_word(text, from, to, "metagol", 7) != SIZE_MAX;
  if (!metarule)
    blank_out(r->metarules, from, to);
  if (prim || metarule || task || loads)
    blank_out(r->facts, from, to);
  r->metarule_count += metarule;
  return prim ? take_primitive(r, from) : !task || take_task(r, from, to, call);
}

static void sort_clauses(reader *r) {
  const char *text = r->in->lines->text;
  for (size_t at = 0; at < r->in->lines->n && r->p.lex.status >= 0;) {
    size_t from = pith_i_skip_layout(text, at);
    blank_out(r->metarules, at, from);
    blank_out(r->facts, at, from);
    at = pith_i_clause_end(text, from);
    sort_clause(r, from, at);
  }
}

/* ---- parts ------------------------------------------------------------ */

static pith_i_answer take_positive(void *ctx, pith_i_parser *p, double w) {
  (void)ctx, (void)p, (void)w;
  return PITH_I_POSITIVE;
}

static pith_i_answer take_negative(void *ctx, pith_i_parser *p, double w) {
  (void)ctx, (void)p, (void)w;
  return PITH_I_NEGATIVE;
}

static pith_status read_part(const reader *r, const char *text, size_t n,
                             const pith_i_dialect *dialect, bool templates) {
  if (text == NULL || strspn(text, " \n\t\r") == n)
    return PITH_OK;
  pith_i_lines lines = {.text = text, .n = n};
  pith_i_input own = *r->in;
  own.lines = &lines;
  return templates ? pith_i_read_templates(&own)
                   : pith_i_read_dialect(&own, dialect);
}

/* A metarule may be used more than once: each makes two templates. */
static pith_status read_parts(const reader *r) {
  const pith_i_dialect signs[2] = {{.fact = take_positive, .asks_all = true},
                                   {.fact = take_negative, .asks_all = true}};
  size_t n = r->in->lines->n;
  pith_status rc = read_part(r, r->facts, n, NULL, false), worst = rc;
  for (size_t i = 0; i < 2 && worst != PITH_ENOMEM; i++) {
    rc = i == 0 || rc >= 0 ? read_part(r, r->metarules, n, NULL, true) : rc;
    worst = rc < 0 ? rc : worst;
  }
  for (size_t i = 0; i < 2 && worst != PITH_ENOMEM; i++) {
    rc = read_part(r, r->lists[i].at, r->lists[i].n, &signs[i], false);
    worst = rc < 0 ? rc : worst;
  }
  return worst;
}

/* Metagol invents predicates as it needs them; templates name them: one like
** the target, called as Metagol would. */
static bool invent_predicate(reader *r) {
  pith_i_theory *t = r->in->theory;
  if (r->metarule_count == 0 || t->examples.n == 0)
    return true;
  const pith_atom *target = &t->examples.at[0]->atom;
  const char *name = pith_i_pred_text(&t->names, target->pred);
  char text[128];
  int n =
      snprintf(text, sizeof text, "%.*s_1", pith_i_utf8_cut(name, 100), name);
  pith_sym sym;
  pith_pred pred;
  if (pith_i_sym_add(&t->names, text, (size_t)n, PITH_NAME, &sym) < 0)
    return no_memory(r);
  if (!pith_i_predicate_use(&r->p, sym, target->arity, 0, &pred))
    return false;
  pith_i_pred(&t->names, pred)->roles |= PITH_INVENTED;
  return true;
}

static char *copy_text(const pith_i_input *in) {
  char *copy = pith_i_alloc(in->theory->env, in->lines->n + 1);
  if (copy != NULL)
    memcpy(copy, in->lines->text, in->lines->n + 1);
  return copy;
}

/* Metagol invents and recurses unless metarules forbid it. */
static void finish_task(reader *r) {
  pith_bias *bias = &r->in->theory->bias;
  if (r->prims > 0)
    bias->enable_pi = bias->enable_recursion = true;
  if (r->in->summary != NULL)
    snprintf(r->in->summary, PITH_I_SUMMARY,
             "%zu metarule%s, %zu primitive%s, %zu task%s", r->metarule_count,
             r->metarule_count == 1 ? "" : "s", r->prims,
             r->prims == 1 ? "" : "s", r->tasks, r->tasks == 1 ? "" : "s");
}

pith_status pith_i_read_metagol(const pith_i_input *in) {
  reader r = {.in = in, .env = in->theory->env};
  size_t errors = in->remarks->errors;
  if (pith_i_parser_init(&r.p, in) < 0)
    return PITH_ENOMEM;
  r.facts = copy_text(in);
  r.metarules = copy_text(in);
  pith_status rc = PITH_OK;
  if (r.facts == NULL || r.metarules == NULL)
    r.p.lex.status = PITH_ENOMEM;
  else
    sort_clauses(&r);
  if (r.p.lex.status >= 0)
    rc = read_parts(&r);
  if (r.p.lex.status >= 0 && rc != PITH_ENOMEM)
    invent_predicate(&r);
  finish_task(&r);
  pith_i_release(r.env, r.facts);
  pith_i_release(r.env, r.metarules);
  for (size_t i = 0; i < 2; i++)
    pith_i_vec_free(r.env, &r.lists[i]);
  pith_status own = pith_i_parser_end(&r.p, errors);
  return rc == PITH_ENOMEM ? rc : own;
}
