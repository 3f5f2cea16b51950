#include "text/writers.h"

#include <string.h>

#include "text/print.h"
#include "text/triples.h"

static pith_status fail_with(pith_i_output *out, pith_out *text,
                             const char *format, const char *why) {
  const char *what = pith_out_text(text, NULL);
  pith_status rc = what == NULL
                       ? PITH_ENOMEM
                       : pith_i_fail(out->env, PITH_EINPUT,
                                     "%.300s cannot be %s: %s; write Prolog "
                                     "instead, or leave it out with --drop",
                                     what, format, why);
  pith_out_close(text, false);
  return rc;
}

/* Counts what is left out where that is allowed; *text is NULL then. Else it is
** what to print into, for the message. */
static pith_status begin_refusal(pith_i_output *out, pith_out **text) {
  *text = NULL;
  if (out->drop) {
    out->dropped++;
    return PITH_OK;
  }
  return pith_i_out_memory(out->env, text);
}

pith_status pith_i_refuse_fact(pith_i_output *out, pith_pred pred,
                               const pith_sym *args, size_t n,
                               const char *format, const char *why) {
  pith_out *text;
  pith_status rc = begin_refusal(out, &text);
  if (rc < 0 || text == NULL)
    return rc;
  pith_i_print_ground(&out->theory->names, pred, args, n, text);
  return fail_with(out, text, format, why);
}

pith_status pith_i_refuse_rule(pith_i_output *out, const pith_rule *rule,
                               const char *format, const char *why) {
  pith_out *text;
  pith_status rc = begin_refusal(out, &text);
  if (rc < 0 || text == NULL)
    return rc;
  pith_i_print_rule(&out->theory->names, rule, text);
  return fail_with(out, text, format, why);
}

bool *pith_i_mark_preds(const pith_i_output *out, bool bodies) {
  const pith_i_theory *t = out->theory;
  bool *marks = pith_i_zalloc(out->env, t->names.preds.n + 1, sizeof *marks);
  for (size_t i = 0; marks != NULL && i < t->rules.n; i++) {
    const pith_rule *r = t->rules.at[i];
    marks[r->head.pred] = true;
    for (uint32_t k = 0; bodies && k < r->body_len; k++)
      marks[r->body[k].pred] = true;
  }
  return marks;
}

const char *pith_i_unfit_kind(const pith_i_symbol *s) {
  bool number = s->kind == PITH_NUMBER;
  if (s->kind == PITH_COMPOUND)
    return "a compound term would be read as a name";
  if (pith_i_is_kept_number(s->text, s->len) != number)
    return number ? "a number of this length would be read as a name"
                  : "a name that looks like a number would be read as one";
  return NULL;
}

pith_status pith_i_output_facts(pith_i_output *out, pith_fact_visit visit,
                                void *ctx) {
  int rc = out->each(out->ctx, visit, ctx);
  return rc < 0 ? (pith_status)rc : PITH_OK;
}

pith_status pith_i_write_templates(pith_i_output *out) {
  return pith_i_print_templates(out->theory, out->o);
}

pith_status pith_i_write_bias(pith_i_output *out) {
  return pith_i_print_bias(out->theory, out->o);
}

pith_i_iri_name pith_i_iri_short(const pith_i_theory *t, const char *text) {
  for (size_t i = 0; i < t->prefixes.n; i++) {
    size_t n = strlen(t->prefixes.at[i].iri);
    if (n > 0 && strncmp(text, t->prefixes.at[i].iri, n) == 0)
      return (pith_i_iri_name){t->prefixes.at[i].name, text + n};
  }
  const char *tail = strstr(text, "://") == NULL ? NULL : strrchr(text, '/');
  const char *hash = tail == NULL ? NULL : strrchr(tail, '#');
  tail = hash != NULL ? hash : tail;
  return (pith_i_iri_name){NULL,
                           tail != NULL && tail[1] != '\0' ? tail + 1 : text};
}
