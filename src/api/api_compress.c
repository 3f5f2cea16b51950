/* Compression, as the public header has it. */
#include "compress/theory_search.h"

#include <math.h>
#include <string.h>

#include "api/handle.h"
#include "compress/certify.h"
#include "compress/soft_proposals.h"
#include "logic/closure.h"
#include "task/judge.h"

struct pith_compressed {
  pith *owner;
  pith_i_compressed *theory;
  pith_restart_info *restarts; /* (restart_count) */
  size_t restart_count;
  pith_compressed_info info;
  pith_i_arena arena;
  pith_rule **looked_at; /* (looked_at_count) */
  size_t looked_at_count;
  pith_atom atom; /* the last that was asked for */
};

enum { STEPS = 4 }; /* where neither the user nor the templates say */

void pith_compress_defaults(pith_compress_options *opt) {
  *opt = (pith_compress_options){.seed = 1,
                                 .max_body = 2,
                                 .types = true,
                                 .noise = true,
                                 .invent = 8,
                                 .exact = true,
                                 .gradient = true,
                                 .restarts = 64};
}

void pith_compress_fill(const pith *p, pith_compress_options *opt) {
  pith_i_gradient_fill(opt);
  if (opt->steps == 0)
    opt->steps = p->theory.steps != 0 ? p->theory.steps : STEPS;
}

/* ---- observations ----------------------------------------------------- */

/* Facts go to one of two stores: those that are seen, and the hidden ones. */
typedef struct {
  pith_i_store seen, hidden;
  pith_i_hiding hiding;
} observations;

static int observe(void *ctx, pith_pred pred, const pith_sym *args, size_t n) {
  observations *o = ctx;
  bool hides = pith_i_is_hidden(&o->hiding, pred, args, n);
  return pith_i_fact_give(hides ? &o->hidden : &o->seen, pred, (uint32_t)n,
                          args);
}

/* What was given, what follows from it by rules that were read, and positive
** examples. */
static pith_status observe_all(pith *p, observations *observed) {
  pith_status rc = PITH_OK;
  pith_i_forget(p);
  if (p->theory.rules.n > 0)
    rc = pith_infer(p, NULL, NULL);
  if (rc >= 0)
    rc = pith_i_fact_each(&p->store, PITH_NONE, PITH_ALL, observe, observed);
  for (size_t i = 0; rc >= 0 && i < p->theory.examples.n; i++) {
    const pith_example *e = p->theory.examples.at[i];
    if (e->positive)
      rc = observe(observed, e->atom.pred, e->atom.args, e->atom.arity);
  }
  pith_i_forget(p);
  if (rc >= 0 && pith_i_fact_count(&observed->seen, PITH_NONE, PITH_ALL) == 0)
    rc = pith_i_fail(&p->env, PITH_EINPUT,
                     "there are no facts to compress; give observations, "
                     "such as can(robin,fly).");
  return rc;
}

/* ---- time and progress ------------------------------------------------ */

typedef struct {
  const pith_compress_options *opt;
  pith_i_compressor *c;
  double start;
} watch;

static bool time_is_up(void *ctx) {
  const watch *w = ctx;
  const pith_compress_options *o = w->opt;
  return (o->stop != NULL && o->stop(o->stop_ctx)) ||
         (o->seconds > 0 && pith_i_now() - w->start > o->seconds);
}

static void tell(void *ctx, const char *what) {
  const watch *w = ctx;
  const pith_i_compressed *best = w->c->best;
  if (w->opt->progress == NULL)
    return;
  pith_compress_progress now = {.what = what,
                                .seconds = pith_i_now() - w->start};
  if (best != NULL) {
    now.core = pith_i_fact_count(&best->core, PITH_NONE, PITH_GIVEN);
    now.rules = (uint32_t)best->rules.n;
    now.bits = best->bits;
  }
  w->opt->progress(w->opt->progress_ctx, &now);
}

/* ---- compressing ------------------------------------------------------ */

static pith_status check_options(pith *p, const pith_compress_options *o) {
  if (o->max_body < 1 || o->max_body > 3)
    return pith_i_fail(&p->env, PITH_EARG, "max_body is 1, 2 or 3");
  if (!(o->rate >= 0) || !(o->lambda >= 0))
    return pith_i_fail(&p->env, PITH_EARG, "rate and lambda are at least 0");
  if (o->restarts == 0)
    return pith_i_fail(&p->env, PITH_EARG, "at least one restart is needed");
  if (!o->exact && !o->gradient && o->semantics != PITH_PAPER)
    return pith_i_fail(&p->env, PITH_EARG, "neither exact nor gradient");
  if (!(o->hold_out >= 0 && o->hold_out < 1))
    return pith_i_fail(&p->env, PITH_EARG, "hold_out is at least 0, below 1");
  if (!(o->seconds >= 0))
    return pith_i_fail(&p->env, PITH_EARG, "seconds is at least 0");
  return PITH_OK;
}

static void fill_info(const pith_i_compressor *c, pith_compressed *out) {
  const pith_i_compressed *f = out->theory;
  pith_compressed_info *i = &out->info;
  i->observed = pith_i_fact_count(c->observed, PITH_NONE, PITH_GIVEN);
  i->core = pith_i_fact_count(&f->core, PITH_NONE, PITH_GIVEN);
  i->rules = (uint32_t)f->rules.n;
  i->invented = (uint32_t)f->invented.n;
  i->extra = pith_i_fact_count(&f->extra, PITH_NONE, PITH_GIVEN);
  i->missing = pith_i_fact_count(&f->missing, PITH_NONE, PITH_GIVEN);
  i->exact = i->missing == 0 && (i->extra == 0 || c->opt->open);
  i->bits_before = c->before;
  i->bits_after = f->bits;
  i->bound = f->bound;
  i->minimal = f->minimal;
  i->by = f->by;
}

/* ---- what was held out ------------------------------------------------ */

typedef struct {
  const observations *o;
  const pith_i_store *all;
  pith_compressed_info *info;
} verdict;

static int count_hidden(void *ctx, pith_pred pred, const pith_sym *args,
                        size_t n) {
  const verdict *v = ctx;
  (void)n;
  v->info->held_out++;
  v->info->held_out_right += pith_i_fact_holds(v->all, pred, args);
  return 0;
}

static int count_guess(void *ctx, pith_pred pred, const pith_sym *args,
                       size_t n) {
  const verdict *v = ctx;
  bool invented = pith_i_fact_count(&v->o->seen, pred, PITH_GIVEN) == 0;
  v->info->held_out_wrong += !invented &&
                             pith_i_is_hidden(&v->o->hiding, pred, args, n) &&
                             !pith_i_fact_given(&v->o->hidden, pred, args);
  return 0;
}

static pith_status judge_hidden(pith *p, const observations *o,
                                pith_compressed *out) {
  pith_i_store *core = &out->theory->core;
  pith_i_theory theory = p->theory;
  pith_i_closure_options all = {0};
  verdict v = {o, core, &out->info};
  if (!(o->hiding.share > 0))
    return PITH_OK;
  theory.rules.at = out->theory->rules.at;
  theory.rules.n = out->theory->rules.n;
  pith_status rc = pith_i_closure(&theory, core, &all, NULL);
  if (rc >= 0)
    rc = pith_i_fact_each(&o->hidden, PITH_NONE, PITH_GIVEN, count_hidden, &v);
  if (rc >= 0)
    rc = pith_i_fact_each(core, PITH_NONE, PITH_DERIVED, count_guess, &v);
  pith_i_store_forget(core);
  return rc;
}

static pith_status compress(pith *p, const pith_compress_options *opt,
                            pith_compressed *out) {
  observations observed = {.hiding = {opt->hold_out, opt->seed}};
  watch w = {.opt = opt, .start = pith_i_now()};
  pith_i_compressor c = pith_i_compressor_of(&p->theory, &observed.seen, opt);
  c.stop = (pith_i_stop){time_is_up, &w};
  c.tell = tell;
  c.tell_ctx = &w;
  w.c = &c;
  pith_i_store_init(&observed.seen, &p->env);
  pith_i_store_init(&observed.hidden, &p->env);
  pith_status rc = observe_all(p, &observed);
  bool paper = opt->semantics == PITH_PAPER;
  if (rc >= 0)
    rc = pith_i_compress_begin(&c);
  if (rc == PITH_OK && opt->exact && !paper)
    rc = pith_i_compress_search(&c);
  if (rc == PITH_OK && (opt->gradient || paper))
    rc = pith_i_compress_gradient(&c, paper || !opt->exact);
  out->theory = c.best;
  out->restarts = c.restarts.at;
  out->restart_count = c.restarts.n;
  if (rc >= 0 && c.best == NULL)
    rc =
        pith_i_fail(&p->env, PITH_ELIMIT, "it ended before anything was found");
  if (rc >= 0)
    fill_info(&c, out);
  if (rc >= 0) {
    pith_status judged = judge_hidden(p, &observed, out);
    rc = judged < 0 ? judged : rc;
  }
  if (rc >= 0) { /* moved */
    out->arena = c.arena;
    out->looked_at = c.looked_at.at;
    out->looked_at_count = c.looked_at.n;
    c.arena = (pith_i_arena){.env = c.env};
    c.looked_at.at = NULL;
  }
  pith_i_compressor_end(&c);
  pith_i_store_free(&observed.seen);
  pith_i_store_free(&observed.hidden);
  return rc;
}

pith_status pith_compress(pith *p, const pith_compress_options *options,
                          pith_compressed **out) {
  pith_compress_options opt;
  *out = NULL;
  pith_compress_defaults(&opt);
  if (options != NULL)
    opt = *options;
  pith_status rc = check_options(p, &opt);
  if (rc < 0)
    return rc;
  pith_compressed *c = pith_i_zalloc(&p->env, 1, sizeof *c);
  if (c == NULL)
    return PITH_ENOMEM;
  c->owner = p;
  c->arena.env = &p->env;
  rc = compress(p, &opt, c);
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
  pith_i_compressed_free(c->theory);
  pith_i_release(&c->owner->env, c->restarts);
  pith_i_release(&c->owner->env, c->looked_at);
  pith_i_arena_free(&c->arena);
  pith_i_release(&c->owner->env, c);
}

/* ---- what was found --------------------------------------------------- */

const pith_compressed_info *pith_compressed_info_of(const pith_compressed *c) {
  return &c->info;
}

const pith_rule *pith_compressed_rule(const pith_compressed *c, size_t i) {
  return c->theory->rules.at[i];
}

const pith_counts *pith_compressed_counts(const pith_compressed *c, size_t i) {
  return &c->theory->counts.at[i];
}

pith_pred pith_compressed_invented(const pith_compressed *c, size_t i,
                                   const char **about) {
  if (about != NULL)
    *about = c->theory->invented.at[i].about;
  return c->theory->invented.at[i].pred;
}

double pith_compressed_rule_share(const pith_compressed *c, size_t i) {
  return c->theory->rule_share == NULL ? NAN : c->theory->rule_share[i];
}

double pith_compressed_core_share(const pith_compressed *c, size_t i) {
  return c->theory->core_share == NULL ? NAN : c->theory->core_share[i];
}

size_t pith_compressed_restarts(const pith_compressed *c) {
  return c->restart_count;
}

const pith_restart_info *pith_compressed_restart(const pith_compressed *c,
                                                 size_t i) {
  return &c->restarts[i];
}

const pith_atom *pith_compressed_fact(const pith_compressed *c,
                                      pith_compressed_part part, size_t i,
                                      double *value) {
  const pith_i_store *s = part == PITH_CORE    ? &c->theory->core
                          : part == PITH_EXTRA ? &c->theory->extra
                                               : &c->theory->missing;
  pith_atom *atom = &((pith_compressed *)c)->atom;
  if (value != NULL)
    *value = part == PITH_CORE ? c->theory->values.at[i] : NAN;
  for (size_t p = 0; p < s->relations.n; p++) {
    const pith_i_relation *r = &s->relations.at[p];
    if (i < r->given) {
      *atom = (pith_atom){(pith_pred)p, r->rows.width,
                          r->rows.at + i * r->rows.width};
      return atom;
    }
    i -= r->given;
  }
  return NULL;
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
    what.rules = c->looked_at;
    what.rule_count = c->looked_at_count;
    if (c->looked_at_count == 0)
      return pith_i_fail(&c->owner->env, PITH_ELIMIT,
                         "too many rules or facts to try all choices");
  }
  return pith_i_certify(&what, o);
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
  pith_pred there = pred;
  pith_status rc = PITH_OK;
  if (a->from == a->to)
    return pith_fact_add(a->to, pred, args, n);
  rc = pith_pred_add(a->to, pith_pred_name(a->from, pred), n, &there);
  for (size_t i = 0; rc >= 0 && i < n; i++) {
    const char *text = pith_sym_text(a->from, args[i]);
    rc = pith_sym_add(a->to, text, strlen(text),
                      pith_sym_kind_of(a->from, args[i]), &a->args[i]);
  }
  return rc < 0 ? rc : pith_fact_add(a->to, there, a->args, n);
}

static size_t widest(const pith *p) {
  size_t n = 0;
  for (pith_pred i = 0; i < pith_pred_count(p); i++)
    n = pith_pred_arity(p, i) > n ? pith_pred_arity(p, i) : n;
  return n;
}

pith_status pith_compressed_adopt(const pith_compressed *c, pith *p) {
  adoption a = {.from = c->owner, .to = p};
  size_t before = p->theory.rules.n;
  a.args = pith_i_alloc(&p->env, (widest(c->owner) + 1) * sizeof *a.args);
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
