/* Writing: from the handle into text. */
#include <string.h>

#include "api/handle.h"
#include "base/out.h"
#include "text/decimal.h"
#include "text/jsonprint.h"
#include "text/print.h"
#include "text/triples.h"

pith_status pith_sym_write(const pith *p, pith_sym s, pith_out *o) {
  return pith_i_print_sym(&p->theory.names, s, o);
}

pith_status pith_atom_write(const pith *p, const pith_atom *a, pith_out *o) {
  return pith_i_print_atom(&p->theory.names, a, o);
}

pith_status pith_rule_write(const pith *p, const pith_rule *r, pith_out *o) {
  return pith_i_print_rule(&p->theory.names, r, o);
}

pith_status pith_template_write(const pith *p, const pith_template *t,
                                pith_out *o) {
  return pith_i_print_template(&p->theory.names, t, o);
}

pith_status pith_atom_write_json(const pith *p, const pith_atom *a,
                                 pith_out *o) {
  return pith_i_json_atom(&p->theory.names, a, o);
}

pith_status pith_rule_write_json(const pith *p, const pith_rule *r,
                                 pith_out *o) {
  return pith_i_json_rule(&p->theory.names, r, o);
}

/* ---- facts ----------------------------------------------------------- */

typedef struct {
  pith *p;
  const pith_i_names *names;
  pith_out *o;
  pith_out *text; /* JSON: a fact as Prolog, to be quoted */
  pith_status status;
} writer;

static int stop_at(writer *w, pith_status rc) {
  if (rc < 0)
    w->status = rc;
  return rc < 0;
}

static int write_prolog(void *ctx, pith_pred pred, const pith_sym *args,
                        size_t n) {
  writer *w = ctx;
  pith_i_print_ground(w->names, pred, args, n, w->o);
  return stop_at(w, pith_out_write(w->o, ".\n", 2));
}

static int refuse_format(writer *w, pith_pred pred, const pith_sym *args,
                         size_t n, const char *why) {
  pith_out *o;
  if (pith_i_out_memory(&w->p->env, &o) < 0)
    return stop_at(w, PITH_ENOMEM);
  pith_i_print_ground(w->names, pred, args, n, o);
  const char *text = pith_out_text(o, NULL);
  pith_status rc = text == NULL
                       ? PITH_ENOMEM
                       : pith_i_fail(&w->p->env, PITH_EINPUT,
                                     "%.300s cannot be a triple: %s; write "
                                     "Prolog instead",
                                     text, why);
  pith_out_close(o, false);
  return stop_at(w, rc);
}

/* Why a triple's reader would not give this text back, or NULL. */
static const char *report_unfit_fact(const char *text, size_t n) {
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
  return report_unfit_fact(s->text, s->len);
}

static int write_triple(void *ctx, pith_pred pred, const pith_sym *args,
                        size_t n) {
  writer *w = ctx;
  if (n != 2)
    return refuse_format(w, pred, args, n, "it does not have two arguments");
  const pith_i_symbol *subject = pith_i_sym(w->names, args[0]);
  const pith_i_symbol *object = pith_i_sym(w->names, args[1]);
  const pith_i_symbol *name =
      pith_i_sym(w->names, pith_i_pred(w->names, pred)->name);
  const char *why = unfit_constant(subject);
  if (why == NULL)
    why = unfit_constant(object);
  if (why == NULL)
    why = report_unfit_fact(name->text, name->len);
  if (why != NULL)
    return refuse_format(w, pred, args, n, why);
  put_field(w->o, subject);
  pith_i_out_char(w->o, '\t');
  put_field(w->o, name);
  pith_i_out_char(w->o, '\t');
  put_field(w->o, object);
  return stop_at(w, pith_i_out_char(w->o, '\n'));
}

/* Quotes what has been printed to w->text and empties it. */
static pith_status put_text(writer *w) {
  const char *text = pith_out_text(w->text, NULL);
  if (text == NULL)
    return PITH_ENOMEM;
  pith_out_quote(w->o, text);
  pith_i_out_clear(w->text);
  return PITH_OK;
}

static pith_status put_literal(pith_out *o, const char *text) {
  return pith_out_write(o, text, strlen(text));
}

static int write_json(void *ctx, pith_pred pred, const pith_sym *args,
                      size_t n) {
  writer *w = ctx;
  put_literal(w->o, "{\"event\":\"fact\",\"text\":");
  pith_i_print_ground(w->names, pred, args, n, w->text);
  if (put_text(w) < 0)
    return stop_at(w, PITH_ENOMEM);
  put_literal(w->o, ",\"value\":1,");
  pith_i_json_ground(w->names, pred, args, n, w->o);
  return stop_at(w, pith_out_write(w->o, "}\n", 2));
}

static pith_status each_fact(writer *w, pith_part part, pith_fact_visit visit) {
  size_t preds = pith_pred_count(w->p);
  for (pith_pred pred = 0; pred < preds && w->status >= 0; pred++)
    pith_fact_each(w->p, pred, part, visit, w);
  return w->status < 0 ? w->status : pith_out_write(w->o, "", 0);
}

/* Runs body with a writer that can make JSON. */
static pith_status with_text(pith *p, pith_out *o,
                             pith_status (*body)(writer *w, pith_part part),
                             pith_part part) {
  writer w = {.p = p, .names = &p->theory.names, .o = o};
  if (pith_i_out_memory(&p->env, &w.text) < 0)
    return PITH_ENOMEM;
  pith_status rc = body(&w, part);
  pith_out_close(w.text, false);
  return rc;
}

static pith_status json_facts(writer *w, pith_part part) {
  return each_fact(w, part, write_json);
}

pith_status pith_facts_write(pith *p, pith_part part, pith_format format,
                             pith_out *o) {
  writer w = {.p = p, .names = &p->theory.names, .o = o};
  switch (format) {
  case PITH_AUTO:
  case PITH_PROLOG:
    return each_fact(&w, part, write_prolog);
  case PITH_TRIPLES:
    return each_fact(&w, part, write_triple);
  case PITH_JSON:
    return with_text(p, o, json_facts, part);
  default:
    return pith_i_fail(&p->env, PITH_EARG,
                       "facts can be written as Prolog, triples or JSON only");
  }
}

/* ---- the whole handle ------------------------------------------------ */

static pith_status all_prolog(pith *p, pith_out *o) {
  const pith_i_theory *t = &p->theory;
  pith_status rc = pith_facts_write(p, PITH_GIVEN, PITH_PROLOG, o);
  for (size_t i = 0; rc >= 0 && i < t->rules.n; i++) {
    pith_i_print_rule(&t->names, t->rules.at[i], o);
    rc = pith_i_out_char(o, '\n');
  }
  for (size_t i = 0; rc >= 0 && i < t->examples.n; i++) {
    pith_i_print_example(&t->names, t->examples.at[i], o);
    rc = pith_i_out_char(o, '\n');
  }
  return rc;
}

/* What has no place in triples is refused, not dropped. */
static pith_status all_triples(pith *p, pith_out *o) {
  if (p->theory.rules.n > 0 || p->theory.examples.n > 0)
    return pith_i_fail(&p->env, PITH_EINPUT,
                       "triples cannot hold %s; write Prolog instead, or the "
                       "facts alone",
                       p->theory.rules.n > 0 ? "rules" : "examples");
  return pith_facts_write(p, PITH_GIVEN, PITH_TRIPLES, o);
}

static pith_status json_examples(writer *w) {
  const pith_i_theory *t = &w->p->theory;
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc >= 0 && i < t->examples.n; i++) {
    const pith_example *e = t->examples.at[i];
    pith_i_decimal d = pith_i_decimal_write(e->weight);
    put_literal(w->o, "{\"event\":\"example\",\"text\":");
    pith_i_print_atom(w->names, &e->atom, w->text);
    rc = put_text(w);
    if (rc < 0)
      break;
    pith_out_print(w->o, ",\"positive\":%s,\"weight\":%s,",
                   e->positive ? "true" : "false", d.text);
    pith_i_json_atom(w->names, &e->atom, w->o);
    rc = put_literal(w->o, "}\n");
  }
  return rc;
}

static pith_status json_line(writer *w, const char *event) {
  pith_out_print(w->o, "{\"event\":\"%s\",\"text\":", event);
  pith_status rc = put_text(w);
  return rc < 0 ? rc : put_literal(w->o, "}\n");
}

/* What templates.txt says beside the templates. */
static pith_status json_headings(writer *w) {
  const pith_i_theory *t = &w->p->theory;
  pith_status rc = PITH_OK;
  for (pith_pred p = 0; rc >= 0 && p < t->names.preds.n; p++) {
    const pith_i_predicate *d = pith_i_pred(&t->names, p);
    if ((d->roles & PITH_INVENTED) == 0)
      continue;
    pith_i_print_sym(w->names, d->name, w->text);
    pith_out_print(w->text, "/%u", (unsigned)d->arity);
    rc = json_line(w, "invented");
  }
  if (rc >= 0 && t->steps > 0)
    rc = pith_out_print(w->o, "{\"event\":\"steps\",\"steps\":%u}\n",
                        (unsigned)t->steps);
  return rc;
}

static pith_status json_all(writer *w, pith_part part) {
  const pith_i_theory *t = &w->p->theory;
  pith_status rc = json_facts(w, part);
  for (size_t i = 0; rc >= 0 && i < t->rules.n; i++) {
    pith_i_print_rule(w->names, t->rules.at[i], w->text);
    put_literal(w->o, "{\"event\":\"rule\",\"text\":");
    rc = put_text(w);
    pith_out_write(w->o, ",", 1);
    pith_i_json_rule(w->names, t->rules.at[i], w->o);
    if (rc >= 0)
      rc = put_literal(w->o, "}\n");
  }
  for (size_t i = 0; rc >= 0 && i < t->templates.n; i++) {
    pith_i_print_template(w->names, t->templates.at[i], w->text);
    rc = json_line(w, "template");
  }
  if (rc >= 0)
    rc = json_headings(w);
  return rc < 0 ? rc : json_examples(w);
}

pith_status pith_write(pith *p, pith_format format, pith_out *o) {
  switch (format) {
  case PITH_AUTO:
  case PITH_PROLOG:
    return all_prolog(p, o);
  case PITH_TRIPLES:
    return all_triples(p, o);
  case PITH_TEMPLATES:
    return pith_i_print_templates(&p->theory, o);
  case PITH_BIAS:
    return pith_i_print_bias(&p->theory, o);
  case PITH_JSON:
    return with_text(p, o, json_all, PITH_GIVEN);
  default:
    return pith_i_fail(&p->env, PITH_EARG, "this format is not written");
  }
}
