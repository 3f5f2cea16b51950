/* Facts of two places as triples that read back to the same. */
#include <string.h>

#include "text/triples.h"
#include "text/writers.h"

/* Why a triple's reader would not give this text back, or NULL. */
static const char *unfit(const char *text, size_t n) {
  if (n == 0)
    return "a name is empty";
  if (memchr(text, '\t', n) != NULL || memchr(text, '\n', n) != NULL)
    return "a name has a tab or a line end in it";
  if (n >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
    return "a name starts with a byte order mark";
  if (text[0] == '\r' || text[n - 1] == '\r' || text[0] == ' ' ||
      text[n - 1] == ' ')
    return "a name has a blank at one end";
  return NULL;
}

/* Quotes around a text that a reader would take for something else without. */
static void put_field(pith_out *o, const pith_i_symbol *s) {
  bool quotes = s->text[0] == '"' || s->text[0] == '#';
  if (!quotes) {
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

static const char *unfit_constant(const pith_i_symbol *s) {
  bool number = s->kind == PITH_NUMBER;
  if (s->kind == PITH_COMPOUND)
    return "a compound term would be read as a name";
  if (pith_i_is_integer(s->text, s->len) != number)
    return number ? "a decimal number would be read as a name"
                  : "a name that looks like a number would be read as one";
  return unfit(s->text, s->len);
}

static const char *unfit_triple(const pith_i_names *names, pith_pred pred,
                                const pith_sym *args, size_t n) {
  if (n != 2)
    return "it does not have two arguments";
  const pith_i_symbol *name = pith_i_sym(names, pith_i_pred(names, pred)->name);
  const char *why = unfit_constant(pith_i_sym(names, args[0]));
  if (why == NULL)
    why = unfit_constant(pith_i_sym(names, args[1]));
  return why != NULL ? why : unfit(name->text, name->len);
}

static int write_triple(void *ctx, pith_pred pred, const pith_sym *args,
                        size_t n) {
  pith_i_output *out = ctx;
  const pith_i_names *names = &out->theory->names;
  const char *why = unfit_triple(names, pred, args, n);
  if (why != NULL)
    return pith_i_refuse_fact(out, pred, args, n, "a triple", why);
  put_field(out->o, pith_i_sym(names, args[0]));
  pith_i_out_char(out->o, '\t');
  put_field(out->o, pith_i_sym(names, pith_i_pred(names, pred)->name));
  pith_i_out_char(out->o, '\t');
  put_field(out->o, pith_i_sym(names, args[1]));
  return pith_i_out_char(out->o, '\n');
}

pith_status pith_i_write_triples(pith_i_output *out) {
  return pith_i_output_facts(out, write_triple, out);
}
