/* Writing: from the handle into text. */
#include "api/handle.h"
#include "base/out.h"
#include "text/formats.h"
#include "text/jsonprint.h"
#include "text/print.h"

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

/* ---- the whole handle ------------------------------------------------ */

typedef struct {
  pith *p;
  pith_part part; /* 0: no facts */
} fact_source;

/* In the order of the predicates. */
static int each_fact(void *ctx, pith_fact_visit visit, void *visit_ctx) {
  const fact_source *from = ctx;
  size_t preds = from->part == 0 ? 0 : pith_pred_count(from->p);
  int rc = 0;
  for (pith_pred pred = 0; rc == 0 && pred < preds; pred++)
    rc = pith_fact_each(from->p, pred, from->part, visit, visit_ctx);
  return rc;
}

static pith_status no_writer(pith *p, const pith_format_info *f) {
  if (f == NULL || f->writes == 0)
    return pith_i_fail(&p->env, PITH_EARG, "%s is not written",
                       f == NULL ? "this format" : f->title);
  return pith_i_fail(&p->env, PITH_EUNSUPPORTED,
                     "%s needs %s, and this build is without it; install %s "
                     "and build pith again",
                     f->title, f->library, f->package);
}

static pith_status write_as(pith *p, pith_format format, pith_part part,
                            bool rules, bool drop, uint64_t *dropped,
                            pith_out *o) {
  fact_source from = {p, part};
  pith_i_writer write =
      pith_i_format_writer(format == PITH_AUTO ? PITH_PROLOG : format);
  if (write == NULL)
    return no_writer(p, pith_format_of(format));
  pith_i_output out = {.theory = &p->theory,
                       .env = &p->env,
                       .o = o,
                       .each = each_fact,
                       .ctx = &from,
                       .rules = rules,
                       .drop = drop};
  pith_i_call_begin(p);
  pith_status rc = pith_i_call_end(p, write(&out));
  if (dropped != NULL)
    *dropped = out.dropped;
  return rc < 0 ? rc : pith_out_write(o, "", 0);
}

pith_status pith_facts_write(pith *p, pith_part part, pith_format format,
                             pith_out *o) {
  return write_as(p, format, part, false, false, NULL, o);
}

void pith_write_defaults(pith_write_options *opt) {
  *opt = (pith_write_options){
      .format = PITH_PROLOG, .facts = PITH_GIVEN, .rules = true};
}

pith_status pith_write_with(pith *p, const pith_write_options *opt, pith_out *o,
                            uint64_t *dropped) {
  return write_as(p, opt->format, opt->facts, opt->rules, opt->drop, dropped,
                  o);
}

/* What has no place in the format is refused, not dropped. */
pith_status pith_write(pith *p, pith_format format, pith_out *o) {
  const pith_format_info *f =
      pith_format_of(format == PITH_AUTO ? PITH_PROLOG : format);
  const pith_i_theory *t = &p->theory;
  bool rules = t->rules.n > 0 && f != NULL && f->writes == PITH_HOLDS_FACTS;
  if (rules || (t->examples.n > 0 && f != NULL &&
                (f->writes & (PITH_HOLDS_EXAMPLES | PITH_HOLDS_FACTS)) ==
                    PITH_HOLDS_FACTS))
    return pith_i_fail(&p->env, PITH_EINPUT,
                       "%s cannot hold %s; write Prolog instead, or the facts "
                       "alone",
                       f->title, rules ? "rules" : "examples");
  return write_as(p, format, PITH_GIVEN, true, false, NULL, o);
}
