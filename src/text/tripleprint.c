/* Facts of two places as triples that read back to the same. */
#include <string.h>

#include "text/sniff.h"
#include "text/triples.h"
#include "text/writers.h"

/* Why a triple's reader would not give this text back, or NULL. */
static const char *why_unfit_for_triples(const char *text, size_t n) {
  if (n == 0)
    return "a name is empty";
  if (memchr(text, '\t', n) != NULL || memchr(text, '\n', n) != NULL)
    return "a name has a tab or a line end in it";
  if (n >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
    return "a name starts with a byte order mark";
  if ((unsigned char)text[0] <= ' ' || (unsigned char)text[n - 1] <= ' ')
    return "a name has a blank at one end";
  return NULL;
}

/* Quotes around a text that a reader would take for something else without. */
static void put_field(pith_out *o, const pith_i_symbol *s, bool quotes) {
  if (!quotes && s->text[0] != '"' && s->text[0] != '#') {
    pith_out_write(o, s->text, s->len);
    return;
  }
  pith_i_out_char(o, '"');
  for (size_t i = 0; i < s->len; i++) {
    if (s->text[i] == '"')
      pith_i_out_char(o, '"');
    pith_i_out_char(o, s->text[i]);
  }
  pith_i_out_char(o, '"');
}

static pith_status put_line(pith_out *o, const pith_i_symbol *const *fields,
                            bool quotes) {
  for (size_t i = 0; i < 3; i++) {
    put_field(o, fields[i], quotes && i == 0);
    pith_i_out_char(o, i < 2 ? '\t' : '\n');
  }
  return pith_out_write(o, "", 0);
}

static const char *unfit_constant(const pith_i_symbol *s) {
  bool number = s->kind == PITH_NUMBER;
  if (s->kind == PITH_COMPOUND)
    return "a compound term would be read as a name";
  if (pith_i_is_integer(s->text, s->len) != number)
    return number ? "a decimal number would be read as a name"
                  : "a name that looks like a number would be read as one";
  return why_unfit_for_triples(s->text, s->len);
}

static const char *unfit_triple(const pith_i_names *names, pith_pred pred,
                                const pith_sym *args, size_t n) {
  if (n != 2)
    return "it does not have two arguments";
  const pith_i_symbol *name = pith_i_sym(names, pith_i_pred(names, pred)->name);
  const char *why = unfit_constant(pith_i_sym(names, args[0]));
  if (why == NULL)
    why = unfit_constant(pith_i_sym(names, args[1]));
  return why != NULL ? why : why_unfit_for_triples(name->text, name->len);
}

typedef struct {
  pith_i_output *out;
  bool begun; /* a line was written */
} triple_writer;

/* The first line of a file tells what it is. Where a triple there would pass
** for the header, one is put before it; where it would pass for another format,
** quotes around its subject say that it is not. */
static pith_status put_first_line(pith_i_output *out,
                                  const pith_i_symbol *const *fields) {
  pith_i_cell cells[3];
  pith_out *line;
  size_t n;
  for (size_t i = 0; i < 3; i++)
    cells[i] = (pith_i_cell){.text = fields[i]->text, .n = fields[i]->len};
  if (pith_i_is_triple_header(cells, 3)) {
    static const char header[] = "subject\tpredicate\tobject\n";
    pith_out_write(out->o, header, sizeof header - 1);
    return put_line(out->o, fields, false);
  }
  if (pith_i_out_memory(out->env, &line) < 0)
    return PITH_ENOMEM;
  put_line(line, fields, false);
  const char *text = pith_out_text(line, &n);
  bool misleads = text != NULL && (pith_i_sniff_text(text, n).certain ||
                                   pith_i_sniff_bytes(text, n).certain);
  pith_out_close(line, false);
  return text == NULL ? PITH_ENOMEM : put_line(out->o, fields, misleads);
}

static int write_triple(void *ctx, pith_pred pred, const pith_sym *args,
                        size_t n) {
  triple_writer *w = ctx;
  const pith_i_names *names = &w->out->theory->names;
  const char *why = unfit_triple(names, pred, args, n);
  if (why != NULL)
    return pith_i_refuse_fact(w->out, pred, args, n, "a triple", why);
  const pith_i_symbol *fields[3] = {
      pith_i_sym(names, args[0]),
      pith_i_sym(names, pith_i_pred(names, pred)->name),
      pith_i_sym(names, args[1])};
  if (w->begun)
    return put_line(w->out->o, fields, false);
  w->begun = true;
  return put_first_line(w->out, fields);
}

pith_status pith_i_write_triples(pith_i_output *out) {
  triple_writer w = {.out = out};
  return pith_i_output_facts(out, write_triple, &w);
}
