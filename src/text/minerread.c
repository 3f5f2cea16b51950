/* Rules as the rule miners of knowledge graphs write them, one a line, each
** with figures beside it, of which the confidence is kept.
**
** AMIE: ?a  parent  ?b  ?b  parent  ?c   => ?a  grandparent  ?c, then a tab and
** figures. AnyBURL: three figures, the third of them the confidence, then
** grandparent(X,Y) <= parent(X,A), parent(A,Y), where a capital letter alone is
** a variable. Names stand for themselves, as in triples. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "text/decimal.h"
#include "text/parser.h"
#include "text/triples.h"

typedef struct {
  pith_i_parser p;
  size_t rules, skipped;
  size_t confidence; /* AMIE: which figure, from 0; SIZE_MAX: by their number */
} reader;

typedef struct {
  const char *at, *end;
} part;

static size_t part_length(const part *x) { return (size_t)(x->end - x->at); }

static size_t place_in_file(const reader *r, const char *s) {
  return (size_t)(s - r->p.lex.text);
}

static void trim_part(part *x) {
  while (x->at < x->end && strchr(" \t\r", *x->at))
    x->at++;
  while (x->end > x->at && strchr(" \t\r", x->end[-1]))
    x->end--;
}

/* The first place of text in x, or NULL. */
static const char *find_in_part(const part *x, const char *text) {
  size_t n = strlen(text);
  for (const char *s = x->at; s + n <= x->end; s++)
    if (memcmp(s, text, n) == 0)
      return s;
  return NULL;
}

/* ---- terms and atoms -------------------------------------------------- */

/* <name> is name where data that were read before call it so. */
static part plain_name(const reader *r, part x) {
  const pith_i_names *names = &r->p.in->theory->names;
  if (part_length(&x) > 2 && x.at[0] == '<' && x.end[-1] == '>' &&
      pith_i_sym_find(names, x.at + 1, part_length(&x) - 2, PITH_NAME) !=
          PITH_NONE)
    return (part){x.at + 1, x.end - 1};
  return x;
}

static bool intern_name(reader *r, part x, pith_sym *out) {
  bool number = pith_i_is_kept_number(x.at, part_length(&x));
  x = plain_name(r, x);
  return pith_i_sym_add(&r->p.in->theory->names, x.at, part_length(&x),
                        number ? PITH_NUMBER : PITH_NAME, out) >= 0 ||
         pith_i_parser_no_memory(&r->p);
}

/* A variable is spelled X12 here, whatever the miner calls it. */
static bool use_variable(reader *r, part x, size_t at, pith_term *out) {
  char name[32];
  size_t n = part_length(&x);
  if (n + 1 > sizeof name)
    return pith_i_lexer_error(&r->p.lex, at,
                              "a variable with a long name; expected a letter "
                              "or two; rename it");
  memcpy(name, x.at, n);
  name[0] = (char)toupper((unsigned char)name[0]);
  return pith_i_parse_variable(&r->p, name, n, at, out);
}

typedef struct {
  part predicate, args[2];
  bool is_variable[2]; /* without the question mark */
} miner_atom;

static bool add_atom(reader *r, const miner_atom *a) {
  pith_i_parser *p = &r->p;
  pith_sym name;
  part predicate = plain_name(r, a->predicate);
  if (pith_i_sym_add(&p->in->theory->names, predicate.at,
                     part_length(&predicate), PITH_NAME, &name) < 0)
    return pith_i_parser_no_memory(p);
  size_t at = place_in_file(r, a->predicate.at);
  if (!pith_i_draft_add(p, name, at))
    return false;
  for (size_t i = 0; i < 2; i++) {
    pith_term term;
    if (!(a->is_variable[i]
              ? use_variable(r, a->args[i], place_in_file(r, a->args[i].at),
                             &term)
              : intern_name(r, a->args[i], &term)) ||
        !pith_i_parse_push(p, term))
      return false;
  }
  return pith_i_predicate_define(p, name, 2, at,
                                 &p->drafts.at[p->drafts.n - 1].pred);
}

static uint64_t count_of_figure(double figure) {
  return figure >= 0 && figure < 1e15 ? (uint64_t)figure : 0;
}

/* predictions, support: 0 where they are not known. */
static bool add_miner_rule(reader *r, double predictions, double support,
                           double confidence) {
  pith_i_parser *p = &r->p;
  pith_rule rule;
  if (!pith_i_parser_rule(p, &rule) || !pith_i_parser_bound(p, &rule))
    return false;
  rule.probability = confidence > 0 && confidence <= 1 ? confidence : 0;
  rule.predictions = count_of_figure(predictions);
  rule.support = count_of_figure(support);
  r->rules++;
  return pith_i_rule_add(p->in->theory, &rule) >= 0 ||
         pith_i_parser_no_memory(p);
}

/* The figure at x, up to a tab or the end; x is left behind it. */
static bool next_figure(part *x, double *out) {
  const char *tab = memchr(x->at, '\t', part_length(x));
  part figure = {x->at, tab == NULL ? x->end : tab};
  x->at = tab == NULL ? x->end : tab + 1;
  trim_part(&figure);
  return pith_i_decimal_read(figure.at, part_length(&figure), out);
}

/* ---- AMIE ------------------------------------------------------------- */

/* The next word, parted by blanks; false at the end. */
static bool next_word(part *line, part *out) {
  trim_part(line);
  const char *s = line->at;
  while (s < line->end && *s != ' ' && *s != '\t')
    s++;
  *out = (part){line->at, s};
  line->at = s;
  return out->at < out->end;
}

static bool read_amie_atom(reader *r, part *rest) {
  part words[3];
  for (size_t i = 0; i < 3; i++)
    if (!next_word(rest, &words[i]))
      return pith_i_lexer_error(&r->p.lex, place_in_file(r, rest->end),
                                "an atom that is cut short; expected a "
                                "subject, a relation and an object, with "
                                "blanks between; complete it");
  miner_atom a = {.predicate = words[1], .args = {words[0], words[2]}};
  for (size_t i = 0; i < 2; i++)
    if (part_length(&a.args[i]) > 1 && a.args[i].at[0] == '?') {
      a.is_variable[i] = true;
      a.args[i].at++;
    }
  return add_atom(r, &a);
}

/* The standard confidence: the column that the header names so, or the only
** figure, or the second of several. AMIE writes a negative number where it did
** not count that one; the next is the PCA confidence. */
static double amie_confidence(const reader *r, part figures) {
  double value, kept = 0;
  size_t at = r->confidence == SIZE_MAX ? 1 : r->confidence;
  for (size_t n = 0; figures.at < figures.end && next_figure(&figures, &value);
       n++)
    if (n == at || (n == at + 1 && kept < 0) ||
        (n == 0 && r->confidence == SIZE_MAX))
      kept = value;
  return kept;
}

/* Rule, Head Coverage, Std Confidence, ... */
static bool is_text(const part *p, const char *text) {
  return part_length(p) == strlen(text) &&
         memcmp(p->at, text, strlen(text)) == 0;
}

static bool take_amie_header(reader *r, part line) {
  if (part_length(&line) < 5 || memcmp(line.at, "Rule\t", 5) != 0)
    return false;
  size_t column = 0;
  for (const char *s = line.at + 5; s < line.end; column++) {
    const char *tab = memchr(s, '\t', (size_t)(line.end - s));
    part cell = {s, tab == NULL ? line.end : tab};
    trim_part(&cell);
    if (is_text(&cell, "Std Confidence") ||
        is_text(&cell, "Standard Confidence"))
      r->confidence = column;
    s = tab == NULL ? line.end : tab + 1;
  }
  return true;
}

static bool read_amie_line(reader *r, part line) {
  const char *tab = memchr(line.at, '\t', part_length(&line));
  part rule = {line.at, tab == NULL ? line.end : tab};
  const char *arrow = find_in_part(&rule, " => ");
  if (take_amie_header(r, line))
    return true;
  if (arrow == NULL && line.at[0] != '?') {
    r->skipped++; /* what AMIE says about its work */
    return true;
  }
  if (arrow == NULL)
    return pith_i_lexer_error(&r->p.lex, place_in_file(r, line.at),
                              "a line without =>; expected ?a p ?b  => ?a q "
                              "?b; correct it");
  part head = {arrow + 4, rule.end}, body = {rule.at, arrow};
  part figures = {tab == NULL ? line.end : tab + 1, line.end}, more;
  if (!read_amie_atom(r, &head))
    return false;
  if (next_word(&head, &more))
    return pith_i_lexer_error(&r->p.lex, place_in_file(r, more.at),
                              "a second atom in the head; expected a tab and "
                              "figures behind the first; correct it");
  do {
    if (!read_amie_atom(r, &body))
      return false;
    trim_part(&body);
  } while (body.at < body.end);
  return add_miner_rule(r, 0, 0, amie_confidence(r, figures));
}

/* ---- AnyBURL ---------------------------------------------------------- */

static bool is_letter_variable(const part *x) {
  return part_length(x) == 1 && x->at[0] >= 'A' && x->at[0] <= 'Z';
}

/* a,b at the comma: constants may have some in them, variables have none. */
static const char *argument_comma(const part *x) {
  if (part_length(x) > 2 && x->at[0] >= 'A' && x->at[0] <= 'Z' &&
      x->at[1] == ',')
    return x->at + 1;
  if (part_length(x) > 2 && x->end[-2] == ',' && x->end[-1] >= 'A' &&
      x->end[-1] <= 'Z')
    return x->end - 2;
  return memchr(x->at, ',', part_length(x));
}

static bool bad_burl_atom(reader *r, const char *at) {
  return pith_i_lexer_error(&r->p.lex, place_in_file(r, at),
                            "not an atom of AnyBURL's; expected name(X,Y); "
                            "correct it");
}

/* One atom from x, which is left behind the comma that follows it. */
static bool read_burl_atom(reader *r, part *x) {
  trim_part(x);
  const char *open = memchr(x->at, '(', part_length(x));
  const char *close = find_in_part(x, "), ");
  if (close == NULL && x->end > x->at && x->end[-1] == ')')
    close = x->end - 1;
  if (open == NULL || open == x->at || close == NULL || close < open)
    return bad_burl_atom(r, x->at);
  part inside = {open + 1, close};
  const char *comma = argument_comma(&inside);
  if (comma == NULL)
    return bad_burl_atom(r, x->at);
  miner_atom a = {.predicate = {x->at, open},
                  .args = {{inside.at, comma}, {comma + 1, inside.end}}};
  for (size_t i = 0; i < 2; i++) {
    trim_part(&a.args[i]);
    if (part_length(&a.args[i]) == 0)
      return bad_burl_atom(r, x->at);
    a.is_variable[i] = is_letter_variable(&a.args[i]);
  }
  x->at = close + 1 < x->end ? close + 3 : x->end;
  return add_atom(r, &a);
}

static bool skip_burl_rule(reader *r, const part *rule, const char *why) {
  r->skipped++;
  pith_i_lexer_warn(&r->p.lex, place_in_file(r, rule->at),
                    "%s, which is left out; expected a rule with a body that "
                    "binds its head; remove it to silence this",
                    why);
  return true;
}

static bool read_burl_line(reader *r, part line) {
  double figures[3];
  part rest = line;
  for (size_t i = 0; i < 3; i++)
    if (!next_figure(&rest, &figures[i]))
      return pith_i_lexer_error(&r->p.lex, place_in_file(r, line.at),
                                "not a rule of AnyBURL's; expected three "
                                "figures and a rule, with a tab between each; "
                                "correct it");
  trim_part(&rest);
  const char *arrow = find_in_part(&rest, "<=");
  if (arrow == NULL)
    return pith_i_lexer_error(&r->p.lex, place_in_file(r, rest.at),
                              "a rule without <=; expected q(X,Y) <= p(X,Y); "
                              "correct it");
  part head = {rest.at, arrow}, body = {arrow + 2, rest.end};
  trim_part(&head);
  trim_part(&body);
  if (part_length(&body) == 0)
    return skip_burl_rule(r, &rest, "a rule without a body");
  if (find_in_part(&rest, "me_myself_i") != NULL)
    return skip_burl_rule(r, &rest, "a rule about a thing and itself");
  if (!read_burl_atom(r, &head))
    return false;
  if (head.at < head.end)
    return bad_burl_atom(r, head.at);
  while (body.at < body.end)
    if (!read_burl_atom(r, &body))
      return false;
  return add_miner_rule(r, figures[0], figures[1], figures[2]);
}

/* A file of other lines is another file. */
static void report_no_rules(reader *r) {
  if (r->skipped == 0)
    pith_i_parser_empty(&r->p, "rules");
  else
    pith_i_lexer_report(&r->p.lex, 0,
                        "no line of this file is a rule; expected lines such "
                        "as ?a p ?b  => ?a q ?b, or with three figures and q(X,"
                        "Y) <= p(X,Y); name another file, or leave --from out");
}

/* ---- lines ------------------------------------------------------------ */

static pith_status read_miner(const pith_i_input *in,
                              bool (*read)(reader *r, part line)) {
  reader r = {.confidence = SIZE_MAX};
  size_t errors = in->remarks->errors;
  if (pith_i_parser_init(&r.p, in) < 0)
    return PITH_ENOMEM;
  const char *s = in->lines->text, *end = s + in->lines->n;
  while (s < end && r.p.lex.status >= 0) {
    const char *stop = memchr(s, '\n', (size_t)(end - s));
    part line = {s, stop == NULL ? end : stop};
    s = line.end + 1;
    while (line.end > line.at && line.end[-1] == '\r')
      line.end--;
    pith_i_parser_clear(&r.p);
    if (line.at < line.end && line.at[0] != '#')
      read(&r, line);
  }
  if (r.rules == 0 && in->remarks->errors == errors)
    report_no_rules(&r);
  if (in->summary != NULL)
    snprintf(in->summary, PITH_I_SUMMARY,
             "%zu rule%s, %zu other line%s skipped", r.rules,
             r.rules == 1 ? "" : "s", r.skipped, r.skipped == 1 ? "" : "s");
  return pith_i_parser_end(&r.p, errors);
}

pith_status pith_i_read_amie(const pith_i_input *in) {
  return read_miner(in, read_amie_line);
}

pith_status pith_i_read_anyburl(const pith_i_input *in) {
  return read_miner(in, read_burl_line);
}
