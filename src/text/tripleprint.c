/* Facts of two places as triples that read back to the same: separated by
** tabs, or by commas under a header. */
#include <string.h>

#include "text/sniff.h"
#include "text/triples.h"
#include "text/writers.h"

typedef struct {
  pith_i_output *out;
  char separator;
  bool begun; /* a line was written */
} triple_writer;

/* Why a triple's reader would not give this text back, or NULL. In a table with
** commas quotes can hold anything. */
static const char *why_unfit_for_triples(const triple_writer *w,
                                         const char *text, size_t n) {
  if (n == 0)
    return "a name is empty";
  if ((unsigned char)text[0] <= ' ' || (unsigned char)text[n - 1] <= ' ')
    return "a name has a blank at one end";
  if (w->separator == ',')
    return NULL;
  if (memchr(text, '\t', n) != NULL || memchr(text, '\n', n) != NULL)
    return "a name has a tab or a line end in it";
  if (n >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
    return "a name starts with a byte order mark";
  return NULL;
}

static bool needs_quotes(const triple_writer *w, const pith_i_symbol *s) {
  if (s->text[0] == '"' || s->text[0] == '#')
    return true;
  return w->separator == ',' && strpbrk(s->text, ",\"\n\r") != NULL;
}

static void put_quoted(pith_out *o, const pith_i_symbol *s) {
  pith_i_out_char(o, '"');
  for (size_t i = 0; i < s->len; i++) {
    if (s->text[i] == '"')
      pith_i_out_char(o, '"');
    pith_i_out_char(o, s->text[i]);
  }
  pith_i_out_char(o, '"');
}

/* quotes: around the subject in any case. */
static pith_status put_line(const triple_writer *w, pith_out *o,
                            const pith_i_symbol *const *fields, bool quotes) {
  for (size_t i = 0; i < 3; i++) {
    if ((quotes && i == 0) || needs_quotes(w, fields[i]))
      put_quoted(o, fields[i]);
    else
      pith_out_write(o, fields[i]->text, fields[i]->len);
    pith_i_out_char(o, i < 2 ? w->separator : '\n');
  }
  return pith_out_write(o, "", 0);
}

static const char *unfit_constant(const triple_writer *w,
                                  const pith_i_symbol *s) {
  const char *why = pith_i_unfit_kind(s);
  return why != NULL ? why : why_unfit_for_triples(w, s->text, s->len);
}

static const char *unfit_triple(const triple_writer *w, pith_pred pred,
                                const pith_sym *args, size_t n) {
  const pith_i_names *names = &w->out->theory->names;
  if (n != 2)
    return "it does not have two arguments";
  const pith_i_symbol *name = pith_i_sym(names, pith_i_pred(names, pred)->name);
  const char *why = unfit_constant(w, pith_i_sym(names, args[0]));
  if (why == NULL)
    why = unfit_constant(w, pith_i_sym(names, args[1]));
  return why != NULL ? why : why_unfit_for_triples(w, name->text, name->len);
}

static void put_header(const triple_writer *w) {
  pith_out_print(w->out->o, "subject%cpredicate%cobject\n", w->separator,
                 w->separator);
}

/* The first line of a file tells what it is. Where a triple there would pass
** for the header, one is put before it; where it would pass for another format,
** quotes around its subject say that it is not. */
static pith_status put_first_line(const triple_writer *w,
                                  const pith_i_symbol *const *fields) {
  pith_i_cell cells[3];
  pith_out *line;
  size_t n;
  for (size_t i = 0; i < 3; i++)
    cells[i] = (pith_i_cell){.text = fields[i]->text, .n = fields[i]->len};
  if (w->separator == ',' || pith_i_is_triple_header(cells, 3)) {
    put_header(w);
    return put_line(w, w->out->o, fields, false);
  }
  if (pith_i_out_memory(w->out->env, &line) < 0)
    return PITH_ENOMEM;
  put_line(w, line, fields, false);
  const char *text = pith_out_text(line, &n);
  bool misleads = text != NULL && (pith_i_sniff_text(text, n).certain ||
                                   pith_i_sniff_bytes(text, n).certain);
  pith_out_close(line, false);
  return text == NULL ? PITH_ENOMEM : put_line(w, w->out->o, fields, misleads);
}

static int write_triple(void *ctx, pith_pred pred, const pith_sym *args,
                        size_t n) {
  triple_writer *w = ctx;
  const pith_i_names *names = &w->out->theory->names;
  const char *why = unfit_triple(w, pred, args, n);
  if (why != NULL)
    return pith_i_refuse_fact(w->out, pred, args, n, "a triple", why);
  const pith_i_symbol *fields[3] = {
      pith_i_sym(names, args[0]),
      pith_i_sym(names, pith_i_pred(names, pred)->name),
      pith_i_sym(names, args[1])};
  if (w->begun)
    return put_line(w, w->out->o, fields, false);
  w->begun = true;
  return put_first_line(w, fields);
}

pith_status pith_i_write_triples(pith_i_output *out) {
  triple_writer w = {.out = out, .separator = '\t'};
  return pith_i_output_facts(out, write_triple, &w);
}

pith_status pith_i_write_csv(pith_i_output *out) {
  triple_writer w = {.out = out, .separator = ','};
  return pith_i_output_facts(out, write_triple, &w);
}
