/* N-Triples, N-Quads, Turtle and TriG, through serd; see text/rdf.h for what
** becomes of terms. serd hands out one statement at a time, and what it holds
** of the text is one page. Its own memory, which is small, does not come from
** our allocator: there is no call for that. */
#include "text/formats.h"

#ifdef PITH_HAVE_SERD
#include <assert.h>
#include <serd/serd.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "term/number.h"
#include "text/bulk.h"
#include "text/csv.h"
#include "text/rdf.h"
#include "text/rdf_nesting.h"
#include "text/triples.h"

enum { PAGE = 1 << 16, BLOCK = 64 }; /* statements handed over at once */

/* A term: in the file's own text, or at a place of the reader's text, which may
** move as it grows. */
typedef struct {
  const char *in_file; /* NULL: in the reader's text */
  size_t from, n;
  pith_sym_kind kind;
} term;

typedef struct {
  pith_pred pred;
  uint32_t arity;
  term terms[2];
} statement;

typedef struct {
  pith_i_parser p;
  pith_i_bulk bulk;
  SerdEnv *env;
  pith_i_text_buffer line; /* that serd reads alone */
  const char *line_start;  /* of a line that serd reads alone, or NULL */
  size_t base;             /* where serd's text starts */
  size_t failed_at;        /* where serd gave up, or SIZE_MAX */
  size_t read;             /* bytes of the text that serd has */
  pith_i_rdf_nesting nesting;
  bool too_deep;            /* serd gets no more until it starts again */
  pith_i_text_buffer text;  /* of the terms collected, one after the other */
  const char *blank;        /* goes in front of the names of blank nodes */
  statement pending[BLOCK]; /* whose terms are in text */
  size_t collected;
  pith_pred last_pred; /* of the statement before, and its IRI */
  size_t last_arity;
  pith_i_text_buffer last_iri;
  size_t statements, graphs;
  size_t declared;    /* prefixes, again and again */
  bool told_prefixes; /* that there are too many */
} reader;

/* ---- terms ------------------------------------------------------------ */

static bool append_text(reader *r, const void *text, size_t n) {
  pith_i_env *env = r->p.in->theory->env;
  if (!pith_i_room(env, &r->text, n + 1))
    return pith_i_parser_no_memory(&r->p);
  memcpy(r->text.at + r->text.n, text, n);
  r->text.n += n;
  return true;
}

static bool append_string(reader *r, const char *text) {
  return append_text(r, text, strlen(text));
}

static int hex_value(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  if (c >= 'A' && c <= 'F')
    return c - 'A' + 10;
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* text[0..n) with %41 and the like decoded, behind the terms; its length. */
static bool put_decoded(reader *r, size_t from, size_t n, size_t *length) {
  size_t start = r->text.n;
  for (size_t i = from; i < from + n; i++) {
    const char *at = r->text.at + i;
    int high = i + 2 < from + n && *at == '%' ? hex_value(at[1]) : -1;
    int low = high >= 0 ? hex_value(at[2]) : -1;
    char c = low >= 0 ? (char)(high * 16 + low) : *at;
    if (!append_text(r, &c, 1))
      return false;
    i += low >= 0 ? 2 : 0;
  }
  *length = r->text.n - start;
  return true;
}

/* urn:pith:a%20b is the name 'a b', urn:pith:number:12 the number 12. What
** decodes to neither stays an IRI. */
static bool decode_urn(reader *r, term *t) {
  const char *text = r->text.at + t->from;
  size_t skip = strlen(PITH_I_URN), m = strlen(PITH_I_URN_NUMBER), n;
  if (t->n < skip || memcmp(text, PITH_I_URN, skip) != 0)
    return true;
  bool number = t->n > m && memcmp(text, PITH_I_URN_NUMBER, m) == 0;
  skip = number ? m : skip;
  if (!put_decoded(r, t->from + skip, t->n - skip, &n))
    return false;
  char *start = r->text.at + t->from;
  const char *decoded = start + t->n;
  if (number ? pith_i_is_kept_number(decoded, n)
             : pith_i_utf8_valid(decoded, n)) {
    memmove(start, decoded, n);
    t->n = n;
    t->kind = number ? PITH_NUMBER : PITH_NAME;
  }
  r->text.n = t->from + t->n;
  return true;
}

/* serd does not say where a statement stands. */
static bool report_prefix(reader *r, const char *name) {
  if (pith_i_remark_add(r->p.in->remarks, PITH_I_ERROR, NULL, 0,
                        "%.100s has a prefix that is not declared; expected "
                        "@prefix before; declare it",
                        name) < 0)
    pith_i_parser_no_memory(&r->p);
  return false;
}

static bool put_resource(reader *r, const SerdNode *node, term *out) {
  SerdChunk prefix, suffix;
  *out = (term){.from = r->text.n, .kind = PITH_NAME};
  bool ok;
  if (node->type == SERD_BLANK) {
    ok = append_string(r, "_:") && append_string(r, r->blank) &&
         append_text(r, node->buf, node->n_bytes);
  } else if (node->type == SERD_CURIE) {
    if (serd_env_expand(r->env, node, &prefix, &suffix) != SERD_SUCCESS)
      return report_prefix(r, (const char *)node->buf);
    ok = append_text(r, prefix.buf, prefix.len) &&
         append_text(r, suffix.buf, suffix.len);
  } else {
    SerdNode full = SERD_NODE_NULL;
    if (!serd_uri_string_has_scheme(node->buf))
      full = serd_env_expand_node(r->env, node);
    ok = full.buf != NULL ? append_text(r, full.buf, full.n_bytes)
                          : append_text(r, node->buf, node->n_bytes);
    serd_node_free(&full);
  }
  out->n = r->text.n - out->from;
  return ok && decode_urn(r, out);
}

/* ---- literals --------------------------------------------------------- */

/* Behind the namespace of XML Schema, or "". */
static const char *xsd_name(const char *iri) {
  size_t n = strlen(PITH_I_XSD);
  return strncmp(iri, PITH_I_XSD, n) == 0 ? iri + n : "";
}

static bool is_one_of(const char *word, const char *const *words) {
  for (; *words != NULL; words++)
    if (strcmp(word, *words) == 0)
      return true;
  return false;
}

static bool is_integer_type(const char *name) {
  static const char *const words[] = {"integer",
                                      "int",
                                      "long",
                                      "short",
                                      "byte",
                                      "nonNegativeInteger",
                                      "positiveInteger",
                                      "unsignedInt",
                                      "unsignedLong",
                                      "unsignedShort",
                                      "unsignedByte",
                                      "nonPositiveInteger",
                                      "negativeInteger",
                                      NULL};
  return is_one_of(name, words);
}

static bool is_decimal_type(const char *name) {
  static const char *const words[] = {"decimal", "double", "float", NULL};
  return is_one_of(name, words);
}

/* The number as it is kept, or 0; 7 as a decimal is 7.0. */
static size_t literal_number(const SerdNode *node, bool integer, char *out,
                             size_t room) {
  const char *text = (const char *)node->buf;
  size_t n = node->n_bytes;
  if (n == 0 || n + PITH_I_NUMBER_ROOM + 2 > room)
    return 0;
  if (integer) {
    size_t sign = text[0] == '+';
    size_t m = pith_i_number_normal(text + sign, n - sign, out);
    return m == PITH_I_NUMBER_RANGE ? 0 : m;
  }
  return pith_i_cell_decimal(text, n, out);
}

/* "text"@lang or "text"^^<type>: what has no other place. */
static bool put_notation(reader *r, const SerdNode *node, const char *type,
                         const SerdNode *lang, term *out) {
  bool ok = append_string(r, "\"") &&
            append_text(r, node->buf, node->n_bytes) && append_string(r, "\"");
  if (ok && lang != NULL && lang->n_bytes > 0)
    ok = append_string(r, "@") && append_text(r, lang->buf, lang->n_bytes);
  else if (ok && type[0] != '\0')
    ok = append_string(r, "^^<") && append_string(r, type) &&
         append_string(r, ">");
  out->n = r->text.n - out->from;
  return ok;
}

static bool put_plain(reader *r, const void *text, size_t n, term *out) {
  bool ok = append_text(r, text, n);
  out->n = r->text.n - out->from;
  return ok;
}

static bool put_typed(reader *r, const SerdNode *node, const char *type,
                      const SerdNode *lang, term *out) {
  const char *name = xsd_name(type), *text = (const char *)node->buf;
  char number[128];
  bool integer = is_integer_type(name);
  *out = (term){.from = r->text.n, .kind = PITH_NAME};
  if (lang != NULL && lang->n_bytes > 0)
    return put_notation(r, node, type, lang, out);
  if (integer || is_decimal_type(name)) {
    size_t n = literal_number(node, integer, number, sizeof number);
    out->kind = n > 0 ? PITH_NUMBER : PITH_NAME;
    if (n > 0)
      return put_plain(r, number, n, out);
  }
  if (strcmp(name, "boolean") == 0 && strlen(text) > 0) {
    const char *truth = text[0] == 't' || text[0] == '1' ? "true" : "false";
    return put_plain(r, truth, strlen(truth), out);
  }
  bool date = strcmp(name, "date") == 0 || strcmp(name, "dateTime") == 0;
  if (date && pith_i_is_date(text, node->n_bytes) &&
      (node->n_bytes > 10) == (name[4] != '\0'))
    return put_plain(r, node->buf, node->n_bytes, out);
  bool string = type[0] == '\0' || strcmp(name, "string") == 0;
  return string && !pith_i_string_needs_quotes(text, node->n_bytes)
             ? put_plain(r, node->buf, node->n_bytes, out)
             : put_notation(r, node, string ? "" : type, NULL, out);
}

/* The datatype's IRI in full; put behind the terms for a moment. */
static bool put_literal(reader *r, const SerdNode *node, const SerdNode *type,
                        const SerdNode *lang, term *out) {
  char iri[512] = "";
  if (type != NULL && type->buf != NULL) {
    term t;
    if (!put_resource(r, type, &t))
      return false;
    snprintf(iri, sizeof iri, "%.*s", (int)t.n, r->text.at + t.from);
    r->text.n = t.from;
  }
  return put_typed(r, node, iri, lang, out);
}

/* ---- statements ------------------------------------------------------- */

static pith_i_span span_of(const reader *r, const term *t) {
  const char *text = t->in_file != NULL ? t->in_file : r->text.at + t->from;
  return (pith_i_span){.text = text, .n = t->n, .kind = t->kind};
}

/* Where messages about a statement point: serd's place is not known here, so
** it is the page that was read last. */
static bool use_predicate(reader *r, const char *iri, size_t n, size_t arity,
                          pith_pred *out) {
  pith_i_env *env = r->p.in->theory->env;
  if (r->last_arity == arity && r->last_iri.n == n &&
      memcmp(r->last_iri.at, iri, n) == 0) {
    *out = r->last_pred;
    return true;
  }
  pith_sym name;
  if (pith_i_sym_add(&r->p.in->theory->names, iri, n, PITH_NAME, &name) < 0)
    return pith_i_parser_no_memory(&r->p);
  if (!pith_i_predicate_define(&r->p, name, arity, 0, out))
    return false;
  r->last_iri.n = 0;
  if (!pith_i_room(env, &r->last_iri, n + 1))
    return pith_i_parser_no_memory(&r->p);
  memcpy(r->last_iri.at, iri, n);
  r->last_iri.n = n;
  r->last_pred = *out;
  r->last_arity = arity;
  return true;
}

/* Hands over what was collected: now the text stays where it is. */
static bool flush_terms(reader *r) {
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc >= 0 && i < r->collected; i++) {
    const statement *s = &r->pending[i];
    pith_i_span spans[2];
    for (uint32_t k = 0; k < s->arity; k++)
      spans[k] = span_of(r, &s->terms[k]);
    rc = pith_i_bulk_add(&r->bulk, s->pred, spans, s->arity);
  }
  if (rc >= 0)
    rc = pith_i_bulk_flush(&r->bulk);
  if (rc < 0)
    r->p.lex.status = rc;
  r->text.n = r->collected = 0;
  return rc >= 0;
}

static bool add_statement(reader *r, const SerdNode *s, const SerdNode *p,
                          const SerdNode *o, const SerdNode *type,
                          const SerdNode *lang) {
  term predicate;
  statement made = {.arity = 2};
  if (r->collected == BLOCK && !flush_terms(r))
    return false;
  if (!put_resource(r, s, &made.terms[0]) || !put_resource(r, p, &predicate))
    return false;
  bool literal = o->type == SERD_LITERAL;
  if (literal ? !put_literal(r, o, type, lang, &made.terms[1])
              : !put_resource(r, o, &made.terms[1]))
    return false;
  if (o->type == SERD_URI || o->type == SERD_CURIE)
    if (predicate.n == strlen(PITH_I_RDF_TYPE) &&
        memcmp(r->text.at + predicate.from, PITH_I_RDF_TYPE, predicate.n) == 0)
      made.arity = 1; /* of a class */
  const term *name = made.arity == 1 ? &made.terms[1] : &predicate;
  if (!use_predicate(r, r->text.at + name->from, name->n, made.arity,
                     &made.pred))
    return false;
  r->pending[r->collected++] = made;
  return true;
}

/* ---- what serd calls -------------------------------------------------- */

static SerdStatus on_base(void *handle, const SerdNode *uri) {
  reader *r = handle;
  return serd_env_set_base_uri(r->env, uri);
}

/* Kept for display; the first abbreviation of a namespace stays. */
static bool keep_prefix(reader *r, const SerdNode *name, const SerdNode *uri) {
  pith_i_theory *t = r->p.in->theory;
  for (size_t i = 0; i < t->prefixes.n; i++)
    if (strcmp(t->prefixes.at[i].iri, (const char *)uri->buf) == 0 ||
        strcmp(t->prefixes.at[i].name, (const char *)name->buf) == 0)
      return true;
  pith_i_prefix prefix = {
      pith_i_arena_text(&t->arena, (const char *)name->buf, name->n_bytes),
      pith_i_arena_text(&t->arena, (const char *)uri->buf, uri->n_bytes)};
  return (prefix.name != NULL && prefix.iri != NULL &&
          pith_i_push(t->env, &t->prefixes, prefix)) ||
         pith_i_parser_no_memory(&r->p);
}

static SerdStatus count_prefix(void *handle, const SerdNode *name,
                               const SerdNode *uri) {
  (void)name, (void)uri;
  ++*(size_t *)handle;
  return SERD_SUCCESS;
}

/* serd and we go through all of them for each name. Those that are declared
** again, as where files were put together, do not count. */
static bool may_add_prefix(reader *r) {
  enum { MOST_PREFIXES = 4096 };
  size_t n = 0;
  if (++r->declared <= MOST_PREFIXES || r->told_prefixes)
    return !r->told_prefixes;
  serd_env_foreach(r->env, count_prefix, &n);
  if (n < MOST_PREFIXES)
    return true;
  r->told_prefixes = true;
  if (pith_i_remark_add(r->p.in->remarks, PITH_I_ERROR, NULL, 0,
                        "there are more than %d prefixes; expected no more; "
                        "write the other IRIs out",
                        MOST_PREFIXES) < 0)
    pith_i_parser_no_memory(&r->p);
  return false;
}

static SerdStatus on_prefix(void *handle, const SerdNode *name,
                            const SerdNode *uri) {
  reader *r = handle;
  if (!may_add_prefix(r))
    return r->p.lex.status < 0 ? SERD_ERR_INTERNAL : SERD_SUCCESS;
  SerdStatus st = serd_env_set_prefix(r->env, name, uri);
  if (!serd_uri_string_has_scheme(uri->buf))
    return st;
  return keep_prefix(r, name, uri) ? st : SERD_ERR_INTERNAL;
}

static SerdStatus on_statement(void *handle, SerdStatementFlags flags,
                               const SerdNode *graph, const SerdNode *s,
                               const SerdNode *p, const SerdNode *o,
                               const SerdNode *type, const SerdNode *lang) {
  reader *r = handle;
  (void)flags;
  r->statements++;
  r->graphs += graph != NULL && graph->buf != NULL;
  add_statement(r, s, p, o, type, lang);
  return r->p.lex.status < 0 ? SERD_ERR_INTERNAL : SERD_SUCCESS;
}

/* The byte at a line and column behind base, from 1; columns are bytes, as
** serd counts. */
static size_t place_of(const pith_i_lines *lines, size_t base, unsigned line,
                       unsigned col) {
  const char *at = lines->text + base, *end = lines->text + lines->n;
  for (unsigned i = 1; i < line; i++) {
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    if (stop == NULL)
      break;
    at = stop + 1;
  }
  const char *stop = memchr(at, '\n', (size_t)(end - at));
  size_t room = (size_t)((stop == NULL ? end : stop) - at);
  size_t skip = col > 0 ? col - 1 : 0;
  return (size_t)(at - lines->text) + (skip < room ? skip : room);
}

/* What serd says behind that is about a text that ends too early. */
static SerdStatus on_error(void *handle, const SerdError *e) {
  reader *r = handle;
  if (r->too_deep)
    return SERD_SUCCESS;
  char text[200];
  const pith_i_lines *lines = r->p.in->lines;
  vsnprintf(text, sizeof text, e->fmt, *e->args);
  text[strcspn(text, "\n")] = '\0';
  size_t at = r->line_start != NULL ? (size_t)(r->line_start - lines->text)
                                    : place_of(lines, r->base, e->line, e->col);
  r->failed_at = at;
  while (at > 0 && at < lines->n &&
         ((unsigned char)lines->text[at] & 0xc0) == 0x80)
    at--;
  pith_i_lexer_report(&r->p.lex, at, "%s; expected RDF; correct it", text);
  return SERD_SUCCESS;
}

/* The page with the bracket is not given. */
static size_t refuse_depth(reader *r, size_t at) {
  if (!r->too_deep)
    pith_i_lexer_report(&r->p.lex, at,
                        "brackets nested more than %d deep; expected fewer; "
                        "give the inner nodes names",
                        PITH_I_RDF_DEEPEST);
  r->too_deep = true;
  r->failed_at = at;
  return 0;
}

static size_t give_page(void *buffer, size_t size, size_t n, void *stream) {
  reader *r = stream;
  const pith_i_lines *lines = r->p.in->lines;
  size_t left = lines->n - r->read, want = size * n;
  size_t give = left < want ? left : want;
  size_t deep = pith_i_rdf_too_deep(&r->nesting, r->read + give);
  if (r->too_deep || deep != SIZE_MAX)
    return refuse_depth(r, deep);
  memcpy(buffer, lines->text + r->read, give);
  r->read += give;
  return give;
}

static int no_stream_error(void *stream) {
  (void)stream;
  return 0;
}

/* ---- plain lines ------------------------------------------------------ */

/* Most lines of N-Triples are three IRIs without an escape. They are taken here
** as they stand, which is twice as fast; every other line is serd's. */

typedef struct {
  const char *at, *end;
} iri;

/* Where a plain IRI ends: at its closing bracket, or at a character for which
** serd must look. The NUL behind the text is one. */
#define EIGHT 1, 1, 1, 1, 1, 1, 1, 1
static const bool ends_plain[256] = {
    EIGHT,     EIGHT,     EIGHT,     EIGHT,      1,
    ['"'] = 1, ['<'] = 1, ['>'] = 1, ['\\'] = 1, ['^'] = 1,
    ['`'] = 1, ['{'] = 1, ['|'] = 1, ['}'] = 1,
};
#undef EIGHT

static const char *skip_plain(const char *s) {
  while (!ends_plain[(unsigned char)*s])
    s++;
  return s;
}

/* The IRI at s, and what stands behind the blanks after it; or NULL. */
static const char *plain_iri(const char *s, iri *out) {
  if (*s != '<')
    return NULL;
  *out = (iri){s + 1, skip_plain(s + 1)};
  if (*out->end != '>' ||
      memchr(out->at, ':', (size_t)(out->end - out->at)) == NULL)
    return NULL; /* or relative */
  for (s = out->end + 1; *s == ' ' || *s == '\t';)
    s++;
  return s;
}

static bool is_word(const iri *i, const char *word) {
  size_t n = (size_t)(i->end - i->at);
  return n == strlen(word) && memcmp(i->at, word, n) == 0;
}

static term term_of_iri(const iri *i) {
  return (term){
      .in_file = i->at, .n = (size_t)(i->end - i->at), .kind = PITH_NAME};
}

static bool starts_urn(const iri *i) {
  size_t n = strlen(PITH_I_URN);
  return (size_t)(i->end - i->at) >= n && memcmp(i->at, PITH_I_URN, n) == 0;
}

/* Behind those that serd read and that still wait, or at once. */
static void add_plain_statement(reader *r, const iri *s, const iri *p,
                                const iri *o) {
  bool class = is_word(p, PITH_I_RDF_TYPE);
  statement made = {.arity = class ? 1 : 2,
                    .terms = {term_of_iri(s), term_of_iri(o)}};
  pith_i_span args[2] = {span_of(r, &made.terms[0]),
                         span_of(r, &made.terms[1])};
  const iri *name = class ? o : p;
  size_t n = (size_t)(name->end - name->at);
  pith_status rc = PITH_OK;
  r->statements++;
  if (r->collected == BLOCK && !flush_terms(r))
    return;
  if (!use_predicate(r, name->at, n, made.arity, &made.pred))
    return;
  if (r->collected > 0)
    r->pending[r->collected++] = made;
  else
    rc = pith_i_bulk_add(&r->bulk, made.pred, args, made.arity);
  if (rc < 0)
    r->p.lex.status = rc;
}

/* Takes line[0..n) if it is plain; false: it is not, or memory was refused. */
static bool take_plain_line(reader *r, const char *line, size_t n) {
  const char *end = line + n;
  iri s, p, o;
  const char *at = plain_iri(line, &s);
  at = at == NULL ? NULL : plain_iri(at, &p);
  at = at == NULL ? NULL : plain_iri(at, &o);
  if (at == NULL || at >= end || *at != '.')
    return false;
  for (at++; at < end; at++)
    if (*at != ' ' && *at != '\t' && *at != '\r')
      return false;
  if (starts_urn(&s) || starts_urn(&p) || starts_urn(&o))
    return false;
  add_plain_statement(r, &s, &p, &o);
  return true;
}

static size_t give_line(void *buffer, size_t size, size_t n, void *stream) {
  reader *r = stream;
  size_t left = r->line.n - r->read, want = size * n;
  size_t give = left < want ? left : want;
  memcpy(buffer, r->line.at + r->read, give);
  r->read += give;
  return give;
}

/* One line through serd, which wants a line end to go on behind an error. */
static void read_line(reader *r, SerdReader *serd, const char *line, size_t n) {
  enum { SMALL_PAGE = 512 };
  pith_i_env *env = r->p.in->theory->env;
  r->line.n = r->read = 0;
  if (!pith_i_room(env, &r->line, n + 1)) {
    pith_i_parser_no_memory(&r->p);
    return;
  }
  memcpy(r->line.at, line, n);
  r->line.at[n] = '\n';
  r->line.n = n + 1;
  r->line_start = line;
  serd_reader_read_source(serd, give_line, no_stream_error, r, NULL,
                          SMALL_PAGE);
}

static void read_rdf_lines(reader *r, SerdReader *serd) {
  const char *line = r->p.in->lines->text, *end = line + r->p.in->lines->n;
  while (line < end && r->p.lex.status >= 0) {
    const char *stop = memchr(line, '\n', (size_t)(end - line));
    size_t n = (size_t)((stop == NULL ? end : stop) - line);
    if (n > 0 && *line != '#' && !take_plain_line(r, line, n) &&
        r->p.lex.status >= 0)
      read_line(r, serd, line, n);
    line += n + 1;
  }
}

static void read_lines(reader *r, SerdReader *serd) {
  do {
    read_rdf_lines(r, serd);
    if (r->p.lex.status >= 0)
      flush_terms(r);
  } while (pith_i_parser_more(&r->p));
}

/* ---- all of it -------------------------------------------------------- */

/* Names of blank nodes are those of their file: in another they are others. */
static const char *blank_prefix(reader *r, pith_i_arena *arena) {
  const pith_i_names *names = &r->p.in->theory->names;
  bool seen = false;
  for (size_t i = 0; !seen && i < names->symbols.n; i++)
    seen = strncmp(names->symbols.at[i].text, "_:", 2) == 0;
  if (!seen)
    return "";
  char text[PITH_I_STEM_ROOM + 32];
  pith_i_stem_name stem = pith_i_relation_of_path(r->p.in->path, "-");
  int m = snprintf(text, sizeof text, "%s.%zu.", stem.text, names->symbols.n);
  return pith_i_arena_text(arena, text, (size_t)m);
}

/* Behind the end of the statement, probably, that has the byte at `at`. */
static size_t next_start(const pith_i_lines *lines, size_t at) {
  for (; at < lines->n; at++)
    if (lines->text[at] == '\n' && at > 0 &&
        (lines->text[at - 1] == '.' || lines->text[at - 1] == '}' ||
         lines->text[at - 1] == '\n'))
      return at + 1;
  return lines->n;
}

/* serd can go on behind errors by itself, but then loops at the end of some
** texts. So it is strict, gives up, and starts again behind the statement. */
static void read_statements(reader *r, SerdReader *serd) {
  enum { MOST_STARTS = 200 };
  const pith_i_lines *lines = r->p.in->lines;
  const uint8_t *name = (const uint8_t *)r->p.in->remarks->file;
  for (size_t i = 0; i < MOST_STARTS && r->p.lex.status >= 0; i++) {
    r->failed_at = SIZE_MAX;
    r->too_deep = false;
    r->nesting = (pith_i_rdf_nesting){lines->text, lines->n, r->base, 0};
    serd_reader_read_source(serd, give_page, no_stream_error, r, name, PAGE);
    if (r->failed_at == SIZE_MAX)
      return;
    size_t from = r->failed_at > r->base ? r->failed_at : r->base;
    r->base = r->read = next_start(lines, from);
    if (r->base >= lines->n)
      return;
  }
}

static void run_serd(reader *r, SerdSyntax syntax) {
  SerdReader *serd =
      serd_reader_new(syntax, r, NULL, on_base, on_prefix, on_statement, NULL);
  r->env = serd_env_new(NULL);
  if (serd == NULL || r->env == NULL) {
    r->p.lex.status = PITH_ENOMEM;
  } else {
    serd_reader_set_strict(serd, true);
    serd_reader_set_error_sink(serd, on_error, r);
    if (syntax == SERD_NTRIPLES || syntax == SERD_NQUADS)
      read_lines(r, serd);
    else
      read_statements(r, serd);
  }
  serd_env_free(r->env);
  serd_reader_free(serd);
}

static pith_status read_rdf(const pith_i_input *in, SerdSyntax syntax) {
  reader r = {.bulk.in = in};
  pith_i_env *env = in->theory->env;
  pith_i_arena arena = {.env = env};
  size_t errors = in->remarks->errors;
  if (pith_i_parser_init(&r.p, in) < 0)
    return PITH_ENOMEM;
  r.blank = blank_prefix(&r, &arena);
  if (r.blank == NULL)
    r.p.lex.status = PITH_ENOMEM;
  else
    run_serd(&r, syntax);
  if (r.p.lex.status >= 0)
    flush_terms(&r);
  if (r.statements == 0 && in->remarks->errors == errors)
    pith_i_parser_empty(&r.p, "statements");
  if (in->summary != NULL)
    snprintf(in->summary, PITH_I_SUMMARY, "%zu statements%s", r.statements,
             r.graphs > 0 ? ", their graphs taken together" : "");
  pith_i_vec_free(env, &r.text);
  pith_i_vec_free(env, &r.last_iri);
  pith_i_vec_free(env, &r.line);
  pith_i_arena_free(&arena);
  return pith_i_parser_end(&r.p, errors);
}

pith_status pith_i_read_ntriples(const pith_i_input *in) {
  return read_rdf(in, SERD_NTRIPLES);
}

pith_status pith_i_read_nquads(const pith_i_input *in) {
  return read_rdf(in, SERD_NQUADS);
}

pith_status pith_i_read_turtle(const pith_i_input *in) {
  return read_rdf(in, SERD_TURTLE);
}

pith_status pith_i_read_trig(const pith_i_input *in) {
  return read_rdf(in, SERD_TRIG);
}
#endif
