/* Compression, as the public header has it. */
#include "compress/compressor.h"

#include <math.h>
#include <string.h>

#include "api/handle.h"
#include "compress/certify.h"
#include "compress/soft_proposals.h"
#include "term/translate.h"

struct pith_compressed {
  pith *owner;
  pith_i_priced_theory *theory;
  pith_restart_info *restarts; /* (restart_count) */
  size_t restart_count;
  pith_compress_info info;
  pith_i_arena arena;
  pith_rule **considered; /* (considered_count) */
  size_t considered_count;
};

void pith_compress_defaults(pith_compress_options *opt) {
  *opt = (pith_compress_options){.run = {.seed = 1},
                                 .max_body = 2,
                                 .types = true,
                                 .max_invented = 8,
                                 .restarts = 64};
}

/* ---- observations ----------------------------------------------------- */

/* What was given, what follows from it by rules that were read, and positive
** examples. */
static pith_status observe_facts(pith *p, const pith_run *user, pith_i_run *run,
                                 pith_i_divided_facts *divided) {
  pith_infer_options opt = {.run = *user};
  pith_status rc = PITH_OK;
  opt.run.progress = NULL;
  pith_i_forget(p);
  if (p->theory.rules.n > 0)
    rc = pith_infer(p, &opt, NULL);
  if (rc == PITH_OK)
    rc = pith_i_divide_facts(divided, &p->theory, &p->store, run);
  if (rc == PITH_STOPPED)
    rc = pith_i_fail(&p->env, PITH_ELIMIT,
                     "the time was up before all was derived that follows from "
                     "the given rules; give more time");
  pith_i_forget(p);
  return rc;
}

/* ---- compressing ------------------------------------------------------ */

static pith_status check_compress_options(pith *p,
                                          const pith_compress_options *o) {
  if (o->max_body < 1 || o->max_body > 3)
    return pith_i_fail(&p->env, PITH_EARG, "max_body is 1, 2 or 3");
  if (!(o->rate >= 0) || !(o->lambda >= 0))
    return pith_i_fail(&p->env, PITH_EARG, "rate and lambda are at least 0");
  if (o->restarts == 0)
    return pith_i_fail(&p->env, PITH_EARG, "at least one restart is needed");
  if ((unsigned)o->method > PITH_METHOD_GRADIENT ||
      (unsigned)o->noise > PITH_NOISE_OFF || (unsigned)o->semantics > PITH_TEXT)
    return pith_i_fail(&p->env, PITH_EARG,
                       "no such method, noise or semantics");
  if (!(o->hold_out >= 0 && o->hold_out < 1))
    return pith_i_fail(&p->env, PITH_EARG, "hold_out is at least 0, below 1");
  if (!(o->run.seconds >= 0))
    return pith_i_fail(&p->env, PITH_EARG, "seconds is at least 0");
  return PITH_OK;
}

/* Moves what outlives the compressor into the result. */
static void take_result(pith_i_compressor *c, pith_compressed *out) {
  out->theory = c->best;
  out->restarts = c->restarts.at;
  out->restart_count = c->restarts.n;
  out->considered = c->considered.at;
  out->considered_count = c->considered.n;
  out->arena = c->arena;
  c->considered.at = NULL;
  c->arena = (pith_i_arena){.env = c->env};
}

static pith_status run_compressor(pith *p, const pith_compress_options *opt,
                                  pith_compressed *out) {
  pith_i_divided_facts divided;
  pith_i_run run;
  pith_i_compressor c = pith_i_compressor_of(&p->theory, &divided.seen, opt);
  pith_i_run_begin(&run, &opt->run);
  c.run = &run;
  c.meant = opt->meant == NULL ? NULL : &opt->meant->theory;
  pith_i_divided_facts_init(&divided, &p->env, c.hiding);
  pith_status rc = observe_facts(p, &opt->run, &run, &divided);
  if (rc >= 0)
    rc = pith_i_compress(&c);
  if (rc >= 0) {
    out->info = pith_i_compressor_info(&c);
    pith_status judged = pith_i_judge_hidden(&c, &divided, &out->info);
    rc = judged < 0 ? judged : rc;
  }
  take_result(&c, out);
  pith_i_compressor_end(&c);
  pith_i_divided_facts_free(&divided);
  return rc;
}

pith_status pith_compress(pith *p, const pith_compress_options *options,
                          pith_compressed **out) {
  pith_compress_options opt;
  *out = NULL;
  pith_compress_defaults(&opt);
  if (options != NULL)
    opt = *options;
  pith_status rc = check_compress_options(p, &opt);
  if (rc < 0)
    return rc;
  pith_compressed *c = pith_i_zalloc(&p->env, 1, sizeof *c);
  if (c == NULL)
    return PITH_ENOMEM;
  c->owner = p;
  c->arena.env = &p->env;
  rc = run_compressor(p, &opt, c);
  if (rc < 0) {
    pith_compressed_free(c);
    return rc;
  }
  *out = c;
  return rc;
}

void pith_compressed_free(pith_compressed *c) {
  if (c == NULL)
    return;
  pith_i_priced_theory_free(c->theory);
  pith_i_release(&c->owner->env, c->restarts);
  pith_i_release(&c->owner->env, c->considered);
  pith_i_arena_free(&c->arena);
  pith_i_release(&c->owner->env, c);
}

/* ---- what was found --------------------------------------------------- */

const pith_compress_info *pith_compressed_info(const pith_compressed *c) {
  return &c->info;
}

const pith_rule *pith_compressed_rule(const pith_compressed *c, size_t i) {
  return i < c->theory->rules.n ? c->theory->rules.at[i] : NULL;
}

const pith_counts *pith_compressed_counts(const pith_compressed *c, size_t i) {
  return i < c->theory->counts.n ? &c->theory->counts.at[i] : NULL;
}

pith_pred pith_compressed_invented(const pith_compressed *c, size_t i,
                                   const char **about) {
  bool there = i < c->theory->invented.n;
  if (about != NULL)
    *about = there ? c->theory->invented.at[i].about : "";
  return there ? c->theory->invented.at[i].pred : PITH_NONE;
}

double pith_compressed_rule_share(const pith_compressed *c, size_t i) {
  const pith_i_priced_theory *t = c->theory;
  return t->rule_share != NULL && i < t->rules.n ? t->rule_share[i] : NAN;
}

double pith_compressed_core_share(const pith_compressed *c, size_t i) {
  const pith_i_priced_theory *t = c->theory;
  return t->core_share != NULL && i < t->values.n ? t->core_share[i] : NAN;
}

size_t pith_compressed_restarts(const pith_compressed *c) {
  return c->restart_count;
}

const pith_restart_info *pith_compressed_restart(const pith_compressed *c,
                                                 size_t i) {
  return i < c->restart_count ? &c->restarts[i] : NULL;
}

bool pith_compressed_fact(const pith_compressed *c, pith_compressed_part part,
                          size_t i, pith_atom *fact, double *value) {
  const pith_i_priced_theory *t = c->theory;
  const pith_i_store *s = part == PITH_CORE    ? &t->core
                          : part == PITH_EXTRA ? &t->extra
                                               : &t->missing;
  if (value != NULL)
    *value = part == PITH_CORE && i < t->values.n ? t->values.at[i] : NAN;
  size_t preds = (unsigned)part > PITH_MISSING ? 0 : s->relations.n;
  for (size_t p = 0; p < preds; p++) {
    const pith_i_relation *r = &s->relations.at[p];
    if (i < r->given) {
      *fact = (pith_atom){.pred = (pith_pred)p,
                          .arity = r->rows.width,
                          .args = r->rows.at + i * r->rows.width};
      return true;
    }
    i -= r->given;
  }
  return false;
}

/* ---- certificates ----------------------------------------------------- */

pith_status pith_compressed_certify(const pith_compressed *c, bool all,
                                    pith_out *o) {
  pith_i_certificate what = {.theory = &c->owner->theory,
                             .found = c->theory,
                             .rules = c->theory->rules.at,
                             .rule_count = c->theory->rules.n};
  if (all) {
    what.choose = true;
    what.rules = c->considered;
    what.rule_count = c->considered_count;
    if (c->considered_count == 0)
      return pith_i_fail(&c->owner->env, PITH_ELIMIT,
                         "too many rules or facts to try all choices");
  }
  pith_i_call_begin(c->owner);
  return pith_i_call_end(c->owner, pith_i_certify(&what, o));
}

/* ---- adopting --------------------------------------------------------- */

typedef struct {
  const pith *from;
  pith *to;
  pith_sym *args; /* (widest) */
} adoption;

static int adopt_fact(void *ctx, pith_pred pred, const pith_sym *args,
                      size_t n) {
  const adoption *a = ctx;
  pith_pred there;
  pith_status rc =
      pith_i_pred_translate(&a->from->theory, &a->to->theory, pred, &there);
  if (rc >= 0)
    rc = pith_i_args_translate(&a->from->theory, &a->to->theory, args, n,
                               a->args);
  return rc < 0 ? rc : pith_fact_add(a->to, there, a->args, n);
}

static size_t widest_arity(const pith *p) {
  size_t n = 0;
  for (pith_pred i = 0; i < pith_pred_count(p); i++)
    n = pith_pred_arity(p, i) > n ? pith_pred_arity(p, i) : n;
  return n;
}

pith_status pith_compressed_adopt(const pith_compressed *c, pith *p) {
  adoption a = {.from = c->owner, .to = p};
  size_t before = p->theory.rules.n;
  a.args = pith_i_alloc(&p->env, (widest_arity(c->owner) + 1) * sizeof *a.args);
  pith_status rc = a.args == NULL ? PITH_ENOMEM : PITH_OK;
  pith_i_forget(p);
  for (size_t r = 0; rc >= 0 && r < c->theory->rules.n; r++) {
    pith_rule *rule;
    rc = pith_i_rule_translate(&c->owner->theory, &p->theory,
                               c->theory->rules.at[r], &p->theory.arena, &rule);
    if (rc >= 0 && !pith_i_push(&p->env, &p->theory.rules, rule))
      rc = PITH_ENOMEM;
  }
  if (rc >= 0)
    rc = pith_i_fact_each(&c->theory->core, PITH_NONE, PITH_GIVEN, adopt_fact,
                          &a);
  if (rc < 0)
    p->theory.rules.n = before;
  pith_i_release(&p->env, a.args);
  return rc;
}
