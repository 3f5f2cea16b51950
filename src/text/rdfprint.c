/* Facts as N-Triples and Turtle, through serd; see text/rdf.h for what becomes
** of constants. A unary fact says the class of its constant. */
#include "text/writers.h"

#ifdef PITH_HAVE_SERD
#include <assert.h>
#include <ctype.h>
#include <serd/serd.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "text/csv.h"
#include "text/rdf.h"
#include "text/unpack.h"

typedef struct {
  pith_i_output *out;
  SerdWriter *serd;
  uint8_t *is_subject;        /* (symbols) something is said about it */
  pith_i_text_buffer text[3]; /* of subject, predicate and object */
  pith_status status;
} writer;

static size_t write_out(const void *text, size_t n, void *stream) {
  writer *w = stream;
  pith_status rc = pith_out_write(w->out->o, text, n);
  if (rc < 0)
    w->status = rc;
  return rc < 0 ? 0 : n;
}

/* ---- terms ------------------------------------------------------------ */

static bool append_text(writer *w, size_t which, const char *text, size_t n) {
  pith_i_text_buffer *b = &w->text[which];
  if (!pith_i_room(w->out->env, b, n + 1)) {
    w->status = PITH_ENOMEM;
    return false;
  }
  memcpy(b->at + b->n, text, n);
  b->n += n;
  b->at[b->n] = '\0';
  return true;
}

static bool put_urn(writer *w, size_t which, const pith_i_symbol *s) {
  const char *start = s->kind == PITH_NUMBER ? PITH_I_URN_NUMBER : PITH_I_URN;
  bool ok = append_text(w, which, start, strlen(start));
  for (size_t i = 0; ok && i < s->len; i++) {
    unsigned char c = (unsigned char)s->text[i];
    char escape[4];
    if (c >= 0x80 || isalnum(c) || strchr("-_.~", c) != NULL) {
      ok = append_text(w, which, s->text + i, 1);
    } else {
      snprintf(escape, sizeof escape, "%%%02X", c);
      ok = append_text(w, which, escape, 3);
    }
  }
  return ok;
}

static SerdNode node_of(const writer *w, size_t which, SerdType type) {
  return serd_node_from_string(type, (const uint8_t *)w->text[which].at);
}

static SerdNode resource_node(writer *w, size_t which, const pith_i_symbol *s) {
  bool name = s->kind == PITH_NAME;
  w->text[which].n = 0;
  bool blank = name && s->len > 2 && memcmp(s->text, "_:", 2) == 0;
  if (blank)
    append_text(w, which, s->text + 2, s->len - 2);
  else if (name && pith_i_is_iri(s->text, s->len) &&
           strncmp(s->text, PITH_I_URN, strlen(PITH_I_URN)) != 0)
    append_text(w, which, s->text, s->len);
  else
    put_urn(w, which, s);
  return w->status < 0 ? SERD_NODE_NULL
                       : node_of(w, which, blank ? SERD_BLANK : SERD_URI);
}

/* Beyond ASCII, as RDF has them in names; in order. */
static bool is_name_code(uint32_t code) {
  static const uint32_t ranges[][2] = {
      {0xb7, 0xb7},      {0xc0, 0xd6},     {0xd8, 0xf6},     {0xf8, 0x37d},
      {0x37f, 0x1fff},   {0x200c, 0x200d}, {0x203f, 0x2040}, {0x2070, 0x218f},
      {0x2c00, 0x2fef},  {0x3001, 0xd7ff}, {0xf900, 0xfdcf}, {0xfdf0, 0xfffd},
      {0x10000, 0xeffff}};
  for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
    if (code <= ranges[i][1])
      return code >= ranges[i][0];
  return false;
}

/* A name cannot begin with these, which may follow. */
static bool is_later_code(uint32_t code) {
  return code == 0xb7 || (code >= 0x300 && code <= 0x36f) ||
         (code >= 0x203f && code <= 0x2040);
}

/* Serd writes blank names as they are. */
static bool is_blank_name(const char *text, size_t n) {
  for (size_t i = 2, m; i < n; i += m) {
    uint32_t code = 0;
    m = pith_i_utf8_next(text + i, n - i, &code);
    bool plain = code > 0 && code < 0x80 &&
                 (isalnum((int)code) || strchr("_-.", (int)code) != NULL);
    if (!(plain || is_name_code(code)) || (i == 2 && is_later_code(code)))
      return false;
  }
  return n > 2 && text[2] != '.' && text[2] != '-' && text[n - 1] != '.';
}

typedef struct {
  SerdNode value, type, lang;
} literal;

static SerdNode datatype_node(const char *name, char *room, size_t size) {
  snprintf(room, size, PITH_I_XSD "%s", name);
  return serd_node_from_string(SERD_URI, (const uint8_t *)room);
}

/* "text"@lang, "text"^^<type> or "text", as the reader keeps them. */
static literal quoted_literal(writer *w, const pith_i_symbol *s) {
  literal l = {.type = SERD_NODE_NULL, .lang = SERD_NODE_NULL};
  const char *close = s->text + s->len - 1;
  while (close > s->text && *close != '"')
    close--;
  size_t n = close > s->text ? (size_t)(close - s->text) - 1 : 0;
  append_text(w, 2, s->text + 1, n);
  size_t middle = w->text[2].n + 1;
  const char *rest = close + 1;
  size_t m = (size_t)(s->text + s->len - rest);
  append_text(w, 2, "", 1);
  append_text(w, 2, rest, m);
  if (w->status < 0)
    return l;
  char *tail = w->text[2].at + middle;
  l.value = node_of(w, 2, SERD_LITERAL);
  if (m > 1 && tail[0] == '@') {
    l.lang = serd_node_from_string(SERD_LITERAL, (const uint8_t *)tail + 1);
  } else if (m > 4 && memcmp(tail, "^^<", 3) == 0 && tail[m - 1] == '>') {
    tail[m - 1] = '\0';
    l.type = serd_node_from_string(SERD_URI, (const uint8_t *)tail + 3);
  }
  return l;
}

/* Whether text is what the reader keeps in quotes. */
static bool is_quoted_literal(const char *text, size_t n) {
  if (n < 2 || text[0] != '"')
    return false;
  size_t close = n - 1;
  while (close > 0 && text[close] != '"')
    close--;
  size_t rest = n - close - 1;
  const char *tail = text + close + 1;
  if (close == 0)
    return false;
  if (rest == 0)
    return true;
  if (tail[0] == '@') {
    for (size_t i = 1; i < rest; i++)
      if (!isalnum((unsigned char)tail[i]) && tail[i] != '-')
        return false;
    return rest > 1 && isalpha((unsigned char)tail[1]);
  }
  return rest > 4 && memcmp(tail, "^^<", 3) == 0 && tail[rest - 1] == '>' &&
         pith_i_is_iri(tail + 3, rest - 4);
}

static literal make_literal(writer *w, const pith_i_symbol *s, char *room,
                            size_t size) {
  literal l = {.type = SERD_NODE_NULL, .lang = SERD_NODE_NULL};
  w->text[2].n = 0;
  if (s->kind == PITH_NAME && is_quoted_literal(s->text, s->len))
    return quoted_literal(w, s);
  append_text(w, 2, s->text, s->len);
  if (w->status < 0)
    return l;
  l.value = node_of(w, 2, SERD_LITERAL);
  if (s->kind == PITH_NUMBER)
    l.type = datatype_node(strpbrk(s->text, "e") != NULL   ? "double"
                           : strpbrk(s->text, ".") != NULL ? "decimal"
                                                           : "integer",
                           room, size);
  else if (pith_i_is_date(s->text, s->len))
    l.type = datatype_node(s->len > 10 ? "dateTime" : "date", room, size);
  else if (strcmp(s->text, "true") == 0 || strcmp(s->text, "false") == 0)
    l.type = datatype_node("boolean", room, size);
  return l;
}

/* ---- facts ------------------------------------------------------------ */

static const char *why_unfit_for_rdf(const pith_i_symbol *s) {
  bool blank = s->kind == PITH_NAME && strncmp(s->text, "_:", 2) == 0;
  if (blank && !is_blank_name(s->text, s->len))
    return "a name starts with _: and is not that of a blank node";
  for (size_t i = 0; i < s->len; i++)
    if ((unsigned char)s->text[i] < ' ' && strchr("\t\n\r", s->text[i]) == NULL)
      return "a name has a control character in it";
  return NULL;
}

static bool is_resource(const writer *w, pith_sym sym) {
  const pith_i_symbol *s = pith_i_sym(&w->out->theory->names, sym);
  return w->is_subject[sym] ||
         (s->kind == PITH_NAME &&
          (pith_i_is_iri(s->text, s->len) || strncmp(s->text, "_:", 2) == 0));
}

static void write_statement(writer *w, const SerdNode *s, const SerdNode *p,
                            const literal *o) {
  if (w->status >= 0 &&
      serd_writer_write_statement(w->serd, 0, NULL, s, p, &o->value, &o->type,
                                  &o->lang) != SERD_SUCCESS)
    w->status =
        pith_out_write(w->out->o, "", 0) < 0 ? PITH_EIO : PITH_EINTERNAL;
}

static int write_fact(void *ctx, pith_pred pred, const pith_sym *args,
                      size_t n) {
  writer *w = ctx;
  const pith_i_names *names = &w->out->theory->names;
  const pith_i_symbol *name = pith_i_sym(names, pith_i_pred(names, pred)->name);
  const char *why =
      n != 1 && n != 2 ? "it has neither one nor two arguments" : NULL;
  for (size_t i = 0; why == NULL && i < n; i++)
    why = why_unfit_for_rdf(pith_i_sym(names, args[i]));
  if (why == NULL && strncmp(name->text, "_:", 2) == 0)
    why = "a predicate cannot be a blank node";
  if (why != NULL) {
    w->status = pith_i_refuse_fact(w->out, pred, args, n, "RDF", why);
    return w->status < 0;
  }
  char room[128];
  SerdNode subject = resource_node(w, 0, pith_i_sym(names, args[0]));
  SerdNode type =
      serd_node_from_string(SERD_URI, (const uint8_t *)PITH_I_RDF_TYPE);
  literal object = {.type = SERD_NODE_NULL, .lang = SERD_NODE_NULL};
  SerdNode predicate = n == 1 ? type : resource_node(w, 1, name);
  if (n == 1)
    object.value = resource_node(w, 2, name);
  else if (is_resource(w, args[1]))
    object.value = resource_node(w, 2, pith_i_sym(names, args[1]));
  else
    object = make_literal(w, pith_i_sym(names, args[1]), room, sizeof room);
  write_statement(w, &subject, &predicate, &object);
  return w->status < 0;
}

static int mark_subject(void *ctx, pith_pred pred, const pith_sym *args,
                        size_t n) {
  writer *w = ctx;
  (void)pred;
  if (n == 1 || n == 2)
    w->is_subject[args[0]] = 1;
  return 0;
}

/* ---- all of it -------------------------------------------------------- */

static void write_prefixes(writer *w, SerdEnv *env) {
  const pith_i_theory *t = w->out->theory;
  for (size_t i = 0; i < t->prefixes.n; i++)
    serd_env_set_prefix_from_strings(env,
                                     (const uint8_t *)t->prefixes.at[i].name,
                                     (const uint8_t *)t->prefixes.at[i].iri);
  serd_env_foreach(env, (SerdPrefixSink)serd_writer_set_prefix, w->serd);
}

/* serd prints what it has to say unless somebody listens. What it cannot write
** comes back as a status, too. */
static SerdStatus ignore_error(void *handle, const SerdError *error) {
  (void)handle;
  (void)error;
  return SERD_SUCCESS;
}

static void write_facts(writer *w, SerdSyntax syntax) {
  SerdEnv *env = serd_env_new(NULL);
  SerdStyle style = syntax == SERD_TURTLE
                        ? SERD_STYLE_ABBREVIATED | SERD_STYLE_CURIED
                        : (SerdStyle)0;
  w->serd = env == NULL
                ? NULL
                : serd_writer_new(syntax, style, env, NULL, write_out, w);
  if (w->serd == NULL) {
    w->status = PITH_ENOMEM;
  } else {
    serd_writer_set_error_sink(w->serd, ignore_error, NULL);
    if (syntax == SERD_TURTLE)
      write_prefixes(w, env);
    w->out->each(w->out->ctx, write_fact, w);
    serd_writer_finish(w->serd);
  }
  serd_writer_free(w->serd);
  serd_env_free(env);
}

static pith_status write_rdf(pith_i_output *out, SerdSyntax syntax) {
  writer w = {.out = out};
  w.is_subject = pith_i_zalloc(out->env, out->theory->names.symbols.n + 1, 1);
  if (w.is_subject == NULL)
    return PITH_ENOMEM;
  out->each(out->ctx, mark_subject, &w);
  write_facts(&w, syntax);
  for (size_t i = 0; i < 3; i++)
    pith_i_vec_free(out->env, &w.text[i]);
  pith_i_release(out->env, w.is_subject);
  return w.status < 0 ? w.status : pith_out_write(out->o, "", 0);
}

pith_status pith_i_write_ntriples(pith_i_output *out) {
  return write_rdf(out, SERD_NTRIPLES);
}

pith_status pith_i_write_turtle(pith_i_output *out) {
  return write_rdf(out, SERD_TURTLE);
}
#endif
