#include "text/sniff.h"

#include <ctype.h>
#include <string.h>

/* ---- bytes ------------------------------------------------------------ */

typedef struct {
  const char *start;
  size_t n;
  pith_i_look look;
} magic;

#define MAGIC(text) text, sizeof text - 1
#define FOREIGN(title, advice)                                                 \
  { PITH_AUTO, true, title, advice }

static const magic magics[] = {
    {MAGIC("SQLite format 3\0"),
     {PITH_SQLITE, true, "an SQLite database", NULL}},
    {MAGIC("\x89PNG"), FOREIGN("a PNG image", "name a file of facts")},
    {MAGIC("\xff\xd8\xff"), FOREIGN("a JPEG image", "name a file of facts")},
    {MAGIC("GIF8"), FOREIGN("a GIF image", "name a file of facts")},
    {MAGIC("%PDF-"), FOREIGN("a PDF document", "export its tables as CSV")},
    {MAGIC("PK\x03\x04"), FOREIGN("a ZIP archive or a spreadsheet",
                                  "unpack it, or save the spreadsheet as CSV")},
    {MAGIC("\xd0\xcf\x11\xe0"),
     FOREIGN("an old Office document", "save it as CSV")},
    {MAGIC("\x7f"
           "ELF"),
     FOREIGN("a program", "name a file of facts")},
    {MAGIC("PAR1"),
     FOREIGN("a Parquet file", "export it as CSV, with duckdb or pandas")},
    {MAGIC("ARROW1"),
     FOREIGN("an Arrow file", "export it as CSV, with duckdb or pandas")},
    {MAGIC("\x89HDF"), FOREIGN("an HDF5 file", "export it as CSV")},
    {MAGIC("BZh"), FOREIGN("data packed with bzip2", "unpack it first")},
    {MAGIC("\xff\xfe"),
     FOREIGN("UTF-16 text", "convert it: iconv -f utf-16 -t utf-8")},
    {MAGIC("\xfe\xff"),
     FOREIGN("UTF-16 text", "convert it: iconv -f utf-16 -t utf-8")},
};

pith_i_look pith_i_sniff_bytes(const char *bytes, size_t n) {
  for (size_t i = 0; i < sizeof magics / sizeof *magics; i++)
    if (n >= magics[i].n && memcmp(bytes, magics[i].start, magics[i].n) == 0)
      return magics[i].look;
  return (pith_i_look){.format = PITH_AUTO};
}

/* ---- lines ------------------------------------------------------------ */

typedef struct {
  const char *at, *end; /* without blanks around it */
} line;

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool next_line(const char **at, const char *end, line *out) {
  if (*at >= end)
    return false;
  const char *stop = memchr(*at, '\n', (size_t)(end - *at));
  stop = stop == NULL ? end : stop;
  *out = (line){*at, stop};
  *at = stop + 1;
  while (out->at < out->end && is_blank(out->at[0]))
    out->at++;
  while (out->end > out->at && is_blank(out->end[-1]))
    out->end--;
  return true;
}

static bool line_starts(const line *l, const char *word) {
  size_t n = strlen(word);
  return (size_t)(l->end - l->at) >= n && memcmp(l->at, word, n) == 0;
}

static bool line_has(const line *l, const char *word) {
  size_t n = strlen(word);
  for (const char *s = l->at; s + n <= l->end; s++)
    if (memcmp(s, word, n) == 0)
      return true;
  return false;
}

static bool is_comment(const line *l) {
  return l->at == l->end || l->at[0] == '%' ||
         (l->at[0] == '#' && !line_starts(l, "#const") &&
          !line_starts(l, "#show") && !line_starts(l, "#include") &&
          !line_starts(l, "#external") && !line_starts(l, "#program") &&
          !(l->end - l->at > 1 && isdigit((unsigned char)l->at[1])));
}

/* ---- RDF -------------------------------------------------------------- */

/* Behind one term of N-Triples, or NULL. */
static const char *skip_rdf_term(const char *s, const char *end) {
  if (s < end && *s == '<') {
    const char *close = memchr(s, '>', (size_t)(end - s));
    return close == NULL ? NULL : close + 1;
  }
  if (end - s > 2 && s[0] == '_' && s[1] == ':') {
    while (s < end && !is_blank(*s))
      s++;
    return s;
  }
  if (s == end || *s != '"')
    return NULL;
  for (s++; s < end && *s != '"'; s++)
    s += *s == '\\' && s + 1 < end;
  while (s < end && !is_blank(*s))
    s++;
  return s;
}

/* Whether there is nothing but a comment. */
static bool is_rest_empty(const char *s, const char *end) {
  while (s < end && is_blank(*s))
    s++;
  return s == end || *s == '#';
}

/* How many terms a line has in front of its full stop; 0 when it is no line of
** N-Triples or N-Quads, whose second term is an IRI. */
static size_t rdf_terms(const line *l) {
  size_t count = 0;
  for (const char *s = l->at; s < l->end;) {
    if (*s == '.')
      return is_rest_empty(s + 1, l->end) ? count : 0;
    if (count == 1 && *s != '<')
      return 0;
    s = skip_rdf_term(s, l->end);
    if (s == NULL)
      return 0;
    count++;
    while (s < l->end && is_blank(*s))
      s++;
  }
  return 0;
}

/* <scheme:rest>, and then a space or another; not in a rule of AMIE's. */
static bool starts_iri(const line *l) {
  const char *s = l->at + 1;
  if (l->at == l->end || l->at[0] != '<' || line_has(l, " => "))
    return false;
  while (s < l->end && (isalnum((unsigned char)*s) || strchr("+-.", *s)))
    s++;
  if (s == l->at + 1 || s == l->end || *s != ':')
    return false;
  while (s < l->end && *s != '>' && !is_blank(*s))
    s++;
  return s < l->end && *s == '>' &&
         (s + 1 == l->end || is_blank(s[1]) || strchr("<;,.[", s[1]));
}

static pith_i_look rdf_look(const line *l) {
  if (line_starts(l, "@prefix") || line_starts(l, "@base") ||
      line_starts(l, "PREFIX ") || line_starts(l, "BASE "))
    return (pith_i_look){PITH_TURTLE, true, "Turtle", NULL};
  if (!starts_iri(l) && !line_starts(l, "_:"))
    return (pith_i_look){.format = PITH_AUTO};
  size_t terms = rdf_terms(l);
  if (terms == 3)
    return (pith_i_look){PITH_NTRIPLES, true, "N-Triples", NULL};
  if (terms == 4)
    return (pith_i_look){PITH_NQUADS, true, "N-Quads", NULL};
  if (line_has(l, "\t")) /* columns of IRIs */
    return (pith_i_look){.format = PITH_AUTO};
  return (pith_i_look){PITH_TURTLE, starts_iri(l), "Turtle", NULL};
}

/* Turtle with graphs in it is TriG. */
static bool has_graphs(const char *at, const char *end) {
  line l;
  while (next_line(&at, end, &l))
    if (!is_comment(&l) && (l.end[-1] == '{' || line_starts(&l, "GRAPH ")))
      return true;
  return false;
}

/* ---- columns ---------------------------------------------------------- */

size_t pith_i_count_columns(const char *text, size_t n, char separator) {
  size_t count = 1;
  bool quoted = false;
  for (size_t i = 0; i < n; i++) {
    if (text[i] == '"')
      quoted = !quoted;
    count += !quoted && text[i] == separator;
  }
  return count;
}

char pith_i_sniff_separator(const char *text, size_t n) {
  static const char separators[] = ",;|";
  const char *at = text;
  line l = {text, text};
  while (next_line(&at, text + n, &l))
    if (l.at < l.end && l.at[0] != '#')
      break;
  char best = 0;
  size_t most = 1;
  if (memchr(l.at, '\t', (size_t)(l.end - l.at)) != NULL)
    return '\t'; /* names have commas in them, but hardly tabs */
  for (const char *s = separators; *s != '\0'; s++) {
    size_t count = pith_i_count_columns(l.at, (size_t)(l.end - l.at), *s);
    if (count > most) {
      most = count;
      best = *s;
    }
  }
  return best;
}

/* The first lines have the same number of columns, and do not end like
** clauses. */
static bool looks_tabular(const char *at, const char *end, char separator) {
  size_t columns = 0, lines = 0;
  line l;
  while (lines < 5 && next_line(&at, end, &l)) {
    if (l.at == l.end || l.at[0] == '#')
      continue;
    size_t n = pith_i_count_columns(l.at, (size_t)(l.end - l.at), separator);
    if (l.at[0] == '%' || (lines > 0 && n != columns) ||
        (l.end[-1] == '.' && line_has(&l, "(")))
      return false;
    columns = n;
    lines++;
  }
  return lines > 0 && columns > 1;
}

/* Two to four words in each of the first lines, with nothing of a clause. */
static bool looks_like_words(const char *at, const char *end) {
  size_t lines = 0, columns = 0;
  line l;
  while (lines < 5 && next_line(&at, end, &l)) {
    size_t words = 0;
    if (l.at == l.end || l.at[0] == '#')
      continue;
    for (const char *s = l.at; s < l.end; words++) {
      while (s < l.end && !is_blank(*s))
        s++;
      while (s < l.end && is_blank(*s))
        s++;
    }
    if (words < 2 || words > 4 || (lines > 0 && words != columns) ||
        line_has(&l, "(") || line_has(&l, "<-") || line_has(&l, ":-") ||
        line_has(&l, ": ") || l.end[-1] == '.')
      return false;
    columns = words;
    lines++;
  }
  return lines > 0;
}

static pith_i_look column_look(const char *text, const char *end) {
  char separator = pith_i_sniff_separator(text, (size_t)(end - text));
  if (separator == 0 && looks_like_words(text, end))
    return (pith_i_look){PITH_TRIPLES, false, "columns separated by blanks",
                         NULL};
  if (separator == 0 || !looks_tabular(text, end, separator))
    return (pith_i_look){.format = PITH_AUTO};
  if (separator == '\t')
    return (pith_i_look){PITH_TRIPLES, false, "columns separated by tabs",
                         NULL};
  return (pith_i_look){PITH_CSV, false, "a table (CSV)", NULL};
}

/* ---- clauses ---------------------------------------------------------- */

/* Behind a figure and the tab after it, or NULL. */
static const char *skip_figure(const char *s, const char *end) {
  const char *from = s;
  while (s < end && (isdigit((unsigned char)*s) || strchr(".eE-", *s)))
    s++;
  return s > from && s < end && *s == '\t' ? s + 1 : NULL;
}

/* Three figures, then a rule with <=. */
static bool is_anyburl(const line *l) {
  const char *s = l->at;
  for (int i = 0; i < 3 && s != NULL; i++)
    s = skip_figure(s, l->end);
  return s != NULL && line_has(l, " <= ") && line_has(l, "(");
}

static pith_i_look clause_look(const line *l) {
  if (line_starts(l, "#const") || line_starts(l, "#show") ||
      line_starts(l, "#program") || line_starts(l, "#external") ||
      line_starts(l, "#include"))
    return (pith_i_look){PITH_ASP, true, "an answer set program (clingo)",
                         NULL};
  if ((line_starts(l, "?") && line_has(l, " => ")) ||
      line_starts(l, "Rule\tHead Coverage"))
    return (pith_i_look){PITH_AMIE, true, "AMIE's rules", NULL};
  if (is_anyburl(l))
    return (pith_i_look){PITH_ANYBURL, true, "AnyBURL's rules", NULL};
  if (isdigit((unsigned char)l->at[0]) && line_has(l, "::") &&
      !line_has(l, ":-") && line_has(l, "("))
    return (pith_i_look){PITH_PROBLOG, true, "ProbLog", NULL};
  return (pith_i_look){.format = PITH_AUTO};
}

/* Whether the line is a directive of this name. */
static bool is_directive(const line *l, const char *name) {
  line rest = *l;
  if (!line_starts(l, ":-"))
    return false;
  for (rest.at += 2; rest.at < rest.end && is_blank(*rest.at);)
    rest.at++;
  return line_starts(&rest, name);
}

/* Directives that only one learner knows, among the first lines. */
static pith_i_look directive_look(const char *at, const char *end) {
  enum { MOST_LINES = 400 };
  line l;
  for (size_t i = 0; i < MOST_LINES && next_line(&at, end, &l); i++) {
    if (is_directive(&l, "modeh(") || is_directive(&l, "modeb(") ||
        is_directive(&l, "determination(") || is_directive(&l, "aleph"))
      return (pith_i_look){PITH_ALEPH, true, "Aleph's files", NULL};
    if (is_directive(&l, "use_module(") && line_has(&l, "metagol"))
      return (pith_i_look){PITH_METAGOL, true, "a task of Metagol's", NULL};
  }
  return (pith_i_look){.format = PITH_AUTO};
}

/* ---- texts ------------------------------------------------------------ */

/* {"a": ... or [1, ... ; Prolog's lists and braces never start a file. */
static bool starts_json(const char *at, const char *end) {
  while (at < end && is_blank(*at))
    at++;
  if (at == end || (*at != '{' && *at != '['))
    return false;
  bool object = *at++ == '{';
  while (at < end && is_blank(*at))
    at++;
  return at < end && strchr(object ? "\"}" : "{[\"]-0123456789tfn", *at);
}

/* <html> or <html lang=..>, but not <html://e/a>, a name in RDF. */
static bool starts_html(const line *l) {
  const char *behind = l->at + strlen("<html");
  return line_starts(l, "<html") &&
         (behind == l->end || *behind == '>' || is_blank(*behind));
}

static pith_i_look text_look(const line *l, const char *text, const char *end) {
  if (line_starts(l, "<!DOCTYPE") || starts_html(l))
    return (pith_i_look)FOREIGN("HTML", "export its tables as CSV");
  if (line_starts(l, "<?xml") || line_starts(l, "<rdf:"))
    return (pith_i_look)FOREIGN(
        "XML", "if it is RDF, convert it: rapper -o ntriples FILE");
  pith_i_look look = clause_look(l);
  if (look.format == PITH_AUTO && (l->at[0] == ':' || l->end[-1] == '.'))
    look = directive_look(text, end);
  if (look.format != PITH_AUTO)
    return look;
  look = rdf_look(l);
  if (look.format == PITH_TURTLE && has_graphs(text, end))
    look = (pith_i_look){PITH_TRIG, look.certain, "TriG", NULL};
  return look.format != PITH_AUTO ? look : column_look(text, end);
}

bool pith_i_is_bare_columns(const char *text, size_t n) {
  enum { MOST_LINES = 5 };
  const char *at = text, *end = text + n;
  size_t lines = 0;
  line l;
  while (lines < MOST_LINES && next_line(&at, end, &l)) {
    if (l.at == l.end || l.at[0] == '#')
      continue;
    if (strchr("{[\"", l.at[0]) != NULL || l.end[-1] == '.' ||
        line_has(&l, "(") || line_has(&l, ":-") || line_has(&l, "<-") ||
        line_has(&l, " => "))
      return false;
    lines++;
  }
  return lines > 0 && column_look(text, end).format != PITH_AUTO;
}

/* The first line that is no comment. */
static bool first_line(const char *text, const char *end, line *out) {
  while (next_line(&text, end, out))
    if (!is_comment(out))
      return true;
  return false;
}

bool pith_i_starts_with_arrow(const char *text, size_t n) {
  line l;
  return first_line(text, text + n, &l) && line_has(&l, " => ");
}

pith_i_look pith_i_sniff_text(const char *text, size_t n) {
  const char *end = text + n;
  line l;
  if (starts_json(text, end))
    return (pith_i_look){PITH_JSON, true, "JSON", NULL};
  return first_line(text, end, &l) ? text_look(&l, l.at, end)
                                   : (pith_i_look){.format = PITH_AUTO};
}
