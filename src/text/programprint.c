/* All that a theory and its facts hold as one text: Prolog, or JSON lines. */
#include <string.h>

#include "text/decimal.h"
#include "text/jsonprint.h"
#include "text/writers.h"

/* ---- Prolog ----------------------------------------------------------- */

static int write_prolog_fact(void *ctx, pith_pred pred, const pith_sym *args,
                             size_t n) {
  const pith_i_output *out = ctx;
  pith_i_print_ground(&out->theory->names, pred, args, n, out->o);
  return pith_out_write(out->o, ".\n", 2);
}

pith_status pith_i_write_prolog(pith_i_output *out) {
  const pith_i_theory *t = out->theory;
  pith_status rc = pith_i_output_facts(out, write_prolog_fact, out);
  for (size_t i = 0; rc >= 0 && out->rules && i < t->rules.n; i++) {
    pith_i_print_rule(&t->names, t->rules.at[i], out->o);
    rc = pith_i_out_char(out->o, '\n');
  }
  for (size_t i = 0; rc >= 0 && out->rules && i < t->examples.n; i++) {
    pith_i_print_example(&t->names, t->examples.at[i], out->o);
    rc = pith_i_out_char(out->o, '\n');
  }
  return rc;
}

/* ---- JSON lines ------------------------------------------------------- */

typedef struct {
  pith_i_output *out;
  const pith_i_names *names;
  pith_out *o;
  pith_out *text; /* what is to be quoted, as Prolog */
} json_writer;

static pith_status put_literal(pith_out *o, const char *text) {
  return pith_out_write(o, text, strlen(text));
}

/* Quotes what has been printed to w->text and empties it. */
static pith_status put_program_text(json_writer *w) {
  const char *text = pith_out_text(w->text, NULL);
  if (text == NULL)
    return PITH_ENOMEM;
  pith_out_quote(w->o, text);
  pith_i_out_clear(w->text);
  return PITH_OK;
}

/* {"event":"...","text":"..." of what has been printed to w->text. */
static pith_status begin_event(json_writer *w, const char *event) {
  pith_out_print(w->o, "{\"event\":\"%s\",\"text\":", event);
  return put_program_text(w);
}

static int write_json_fact(void *ctx, pith_pred pred, const pith_sym *args,
                           size_t n) {
  json_writer *w = ctx;
  pith_i_print_ground(w->names, pred, args, n, w->text);
  if (begin_event(w, "fact") < 0)
    return PITH_ENOMEM;
  put_literal(w->o, ",\"value\":1,");
  pith_i_json_ground(w->names, pred, args, n, w->o);
  return pith_out_write(w->o, "}\n", 2);
}

static pith_status write_json_rules(json_writer *w) {
  const pith_i_theory *t = w->out->theory;
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc >= 0 && i < t->rules.n; i++) {
    pith_i_print_rule(w->names, t->rules.at[i], w->text);
    rc = begin_event(w, "rule");
    if (rc < 0)
      break;
    pith_i_out_char(w->o, ',');
    pith_i_json_rule(w->names, t->rules.at[i], w->o);
    rc = put_literal(w->o, "}\n");
  }
  return rc;
}

static pith_status write_json_line(json_writer *w, const char *event) {
  pith_status rc = begin_event(w, event);
  return rc < 0 ? rc : put_literal(w->o, "}\n");
}

/* What templates.txt says. */
static pith_status write_json_templates(json_writer *w) {
  const pith_i_theory *t = w->out->theory;
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc >= 0 && i < t->templates.n; i++) {
    pith_i_print_template(w->names, t->templates.at[i], w->text);
    rc = write_json_line(w, "template");
  }
  for (pith_pred p = 0; rc >= 0 && p < t->names.preds.n; p++) {
    const pith_i_predicate *d = pith_i_pred(&t->names, p);
    if ((d->roles & PITH_INVENTED) == 0)
      continue;
    pith_i_print_sym(w->names, d->name, w->text);
    pith_out_print(w->text, "/%u", (unsigned)d->arity);
    rc = write_json_line(w, "invented");
  }
  if (rc >= 0 && t->steps > 0)
    rc = pith_out_print(w->o, "{\"event\":\"steps\",\"steps\":%u}\n",
                        (unsigned)t->steps);
  return rc;
}

static pith_status write_json_examples(json_writer *w) {
  const pith_i_theory *t = w->out->theory;
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc >= 0 && i < t->examples.n; i++) {
    const pith_example *e = t->examples.at[i];
    pith_i_print_atom(w->names, &e->atom, w->text);
    rc = begin_event(w, "example");
    if (rc < 0)
      break;
    pith_out_print(w->o, ",\"positive\":%s,\"weight\":%s,",
                   e->positive ? "true" : "false",
                   pith_i_decimal_write(e->weight).text);
    pith_i_json_atom(w->names, &e->atom, w->o);
    rc = put_literal(w->o, "}\n");
  }
  return rc;
}

pith_status pith_i_write_json(pith_i_output *out) {
  json_writer w = {.out = out, .names = &out->theory->names, .o = out->o};
  if (pith_i_out_memory(out->env, &w.text) < 0)
    return PITH_ENOMEM;
  pith_status rc = pith_i_output_facts(out, write_json_fact, &w);
  if (rc >= 0 && out->rules)
    rc = write_json_rules(&w);
  if (rc >= 0 && out->rules)
    rc = write_json_templates(&w);
  if (rc >= 0 && out->rules)
    rc = write_json_examples(&w);
  pith_out_close(w.text, false);
  return rc;
}
