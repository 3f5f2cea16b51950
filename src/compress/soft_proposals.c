#include "compress/soft_proposals.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/tunables.h"
#include "compress/agreement.h"
#include "compress/propose_rules.h"
#include "compress/theory_recipe.h"

/* ---- what each restart came to --------------------------------------- */

static pith_worth worth_of(const pith_i_theory_worth *w) {
  return (pith_worth){w->wrong, w->missing, w->core};
}

static pith_status note_restarts(pith_i_compressor *c, const pith_i_soft *s) {
  for (size_t i = 0; i < s->found.n; i++) {
    const pith_i_restart *r = &s->found.at[i];
    pith_restart_info info = {.epoch = r->epoch,
                              .loss = (double)r->loss,
                              .error = (double)r->error,
                              .cells = pith_i_soft_cells(s),
                              .likeness = r->likeness,
                              .soft = worth_of(&r->soft),
                              .tenth = worth_of(&r->tenth),
                              .decoded = worth_of(&r->decoded),
                              .pruned = worth_of(&r->pruned),
                              .repaired = worth_of(&r->draft.worth)};
    if (!pith_i_push(c->env, &c->restarts, info))
      return PITH_ENOMEM;
  }
  return PITH_OK;
}

/* ---- offering -------------------------------------------------------- */

typedef struct {
  const pith_i_soft *s;
  const pith_i_restart *r;
} learned;

static double learned_value(void *ctx, pith_pred pred, const pith_sym *args) {
  const learned *l = ctx;
  return pith_i_soft_value(l->s, l->r, pred, args);
}

static pith_status offer_restart(pith_i_compressor *c, pith_i_soft *s,
                                 const pith_i_restart *r) {
  pith_i_spelled t;
  learned l = {s, r};
  pith_status rc = pith_i_soft_spell(s, r, &t);
  pith_i_proposal p = {.rules = t.rules,
                       .rule_count = t.rule_count,
                       .invented = &t.invented,
                       .by = "gradient",
                       .value = learned_value,
                       .ctx = &l};
  if (rc >= 0)
    rc = s->opt.semantics != PITH_BEST ? pith_i_take_as_learned(c, &p, &t.core)
                                       : pith_i_compress_offer(c, &p);
  pith_i_spelled_free(&t);
  return rc;
}

typedef struct {
  uint64_t cost;
  size_t restart;
} ranked;

static int compare_costs(const void *a, const void *b) {
  const ranked *x = a, *y = b;
  if (x->cost != y->cost)
    return x->cost < y->cost ? -1 : 1;
  return (x->restart > y->restart) - (x->restart < y->restart);
}

static bool same_rules(const pith_i_soft *s, size_t a, size_t b) {
  assert(a < s->found.n && b < s->found.n);
  return memcmp(s->found.at[a].draft.choice, s->found.at[b].draft.choice,
                s->net->slots.n * sizeof(uint32_t)) == 0;
}

/* The best few that differ. */
static pith_status offer_best(pith_i_compressor *c, pith_i_soft *s) {
  size_t n = s->found.n, offered = 0;
  ranked *all = pith_i_alloc(c->env, (n + 1) * sizeof *all);
  if (all == NULL)
    return PITH_ENOMEM;
  for (size_t i = 0; i < n; i++)
    all[i] = (ranked){pith_i_decoded_cost(s->net, &s->found.at[i].draft), i};
  qsort(all, n, sizeof *all, compare_costs);
  pith_status rc = PITH_OK;
  for (size_t i = 0;
       rc == PITH_OK && i < n && offered < PITH_TUNE_COMPRESS_OFFERS; i++) {
    if (i > 0 && same_rules(s, all[i].restart, all[i - 1].restart))
      continue;
    rc = offer_restart(c, s, &s->found.at[all[i].restart]);
    offered++;
    if (s->opt.semantics != PITH_BEST)
      break;
  }
  pith_i_release(c->env, all);
  return rc;
}

/* ---- all ------------------------------------------------------------- */

static pith_status check_trainable(const pith_i_compressor *c) {
  uint64_t facts = pith_i_fact_count(c->observed, PITH_NONE, PITH_GIVEN);
  if (c->theory->templates.n == 0)
    return pith_i_fail(c->env, PITH_EINPUT,
                       "the gradient needs templates; read some, or choose "
                       "the method search");
  if (facts > PITH_TUNE_COMPRESS_TRAINED_FACTS)
    return pith_i_fail(c->env, PITH_EINPUT,
                       "%llu facts are too many for the gradient, which takes "
                       "%d; choose the method search",
                       (unsigned long long)facts,
                       PITH_TUNE_COMPRESS_TRAINED_FACTS);
  return PITH_OK;
}

pith_status pith_i_compress_gradient(pith_i_compressor *c, bool alone) {
  pith_i_soft *s = NULL;
  pith_status rc = check_trainable(c);
  if (rc >= 0)
    rc = pith_i_soft_new(c->env, c->theory, c->observed, c->opt, c->run, &s);
  if (rc == PITH_EINPUT && !alone) { /* the search has found something */
    pith_i_forget_failure(c->env);
    return PITH_OK;
  }
  pith_i_report_phase(c, "learning by gradient");
  if (rc >= 0) {
    s->meant = c->meant;
    rc = pith_i_soft_run(s);
  }
  if (rc >= 0)
    rc = note_restarts(c, s);
  if (rc >= 0)
    rc = offer_best(c, s);
  if (rc == PITH_OK)
    rc = pith_i_count_agreement(s, c->best);
  if (rc == PITH_OK && s->stopped)
    rc = PITH_STOPPED;
  pith_i_soft_free(s);
  return rc;
}
