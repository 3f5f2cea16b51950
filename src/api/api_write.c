/* Writing: from the handle into text. */
#include "api/handle.h"
#include "base/out.h"
#include "text/formats.h"
#include "text/jsonprint.h"
#include "text/print.h"

/* ---- one thing --------------------------------------------------------- */

static bool are_terms(const pith *p, const pith_atom *a, uint32_t vars) {
  if (a->arity > 0 && a->args == NULL)
    return false;
  for (uint32_t i = 0; i < a->arity; i++)
    if (PITH_IS_VAR(a->args[i]) ? PITH_VAR_INDEX(a->args[i]) >= vars
                                : a->args[i] >= pith_sym_count(p))
      return false;
  return true;
}

static bool is_atom(const pith *p, const pith_atom *a, uint32_t vars) {
  return a->pred < pith_pred_count(p) &&
         a->arity == pith_pred_arity(p, a->pred) && are_terms(p, a, vars);
}

static bool are_variables(const pith *p, const pith_rule *r) {
  for (uint32_t i = 0; r->var_names != NULL && i < r->var_count; i++)
    if (r->var_names[i] >= pith_sym_count(p))
      return false;
  return r->body_len == 0 || r->body != NULL;
}

static bool is_rule(const pith *p, const pith_rule *r) {
  bool good = are_variables(p, r) && is_atom(p, &r->head, r->var_count);
  for (uint32_t i = 0; good && i < r->body_len; i++)
    good = is_atom(p, &r->body[i], r->var_count);
  return good;
}

static bool is_slot(const pith *p, const pith_template *t, const pith_atom *a) {
  if (a->pred >= t->slot_count || t->slots == NULL)
    return false;
  const pith_slot *s = &t->slots[a->pred];
  return (s->pred == PITH_NONE || s->pred < pith_pred_count(p)) &&
         a->arity == s->arity && are_terms(p, a, t->shape.var_count);
}

static bool is_template(const pith *p, const pith_template *t) {
  const pith_rule *r = &t->shape;
  bool good = are_variables(p, r) && is_slot(p, t, &r->head);
  for (uint32_t i = 0; good && i < r->body_len; i++)
    good = is_slot(p, t, &r->body[i]);
  return good;
}

/* The handle is const, its sentence about failures is not. */
static pith_status refuse_to_write(pith_out *o) {
  return pith_i_fail(pith_i_out_env(o), PITH_EARG,
                     "a predicate, constant or variable that does not exist");
}

pith_status pith_sym_write(const pith *p, pith_sym s, pith_out *o) {
  return s >= pith_sym_count(p) ? refuse_to_write(o)
                                : pith_i_print_sym(&p->theory.names, s, o);
}

pith_status pith_atom_write(const pith *p, const pith_atom *a, pith_out *o) {
  return !is_atom(p, a, UINT32_MAX) ? refuse_to_write(o)
                                    : pith_i_print_atom(&p->theory.names, a, o);
}

pith_status pith_rule_write(const pith *p, const pith_rule *r, pith_out *o) {
  return !is_rule(p, r) ? refuse_to_write(o)
                        : pith_i_print_rule(&p->theory.names, r, o);
}

pith_status pith_template_write(const pith *p, const pith_template *t,
                                pith_out *o) {
  return !is_template(p, t) ? refuse_to_write(o)
                            : pith_i_print_template(&p->theory.names, t, o);
}

pith_status pith_atom_write_json(const pith *p, const pith_atom *a,
                                 pith_out *o) {
  return !is_atom(p, a, UINT32_MAX) ? refuse_to_write(o)
                                    : pith_i_json_atom(&p->theory.names, a, o);
}

pith_status pith_rule_write_json(const pith *p, const pith_rule *r,
                                 pith_out *o) {
  return !is_rule(p, r) ? refuse_to_write(o)
                        : pith_i_json_rule(&p->theory.names, r, o);
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
  if ((unsigned)part > PITH_ALL)
    return pith_i_fail(&p->env, PITH_EARG,
                       "not a part of the facts; expected given, derived, all "
                       "or none");
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
  return (unsigned)part == 0
             ? pith_i_fail(&p->env, PITH_EARG, "no part of the facts is named")
             : write_as(p, format, part, false, false, NULL, o);
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
