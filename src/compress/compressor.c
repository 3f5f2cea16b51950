#include "compress/compressor.h"

#include <assert.h>

#include "compress/complete_theory.h"
#include "compress/derive.h"
#include "compress/doubt_facts.h"
#include "compress/propose_rules.h"
#include "compress/soft_proposals.h"

pith_i_compressor pith_i_compressor_of(pith_i_theory *theory,
                                       const pith_i_store *observed,
                                       const pith_compress_options *opt) {
  pith_i_compressor c = {
      .env = theory->env, .theory = theory, .observed = observed, .opt = opt};
  c.arena.env = theory->env;
  c.hiding = (pith_i_hide_atoms){opt->hold_out, opt->run.seed};
  return c;
}

void pith_i_compressor_end(pith_i_compressor *c) {
  pith_i_vec_free(c->env, &c->concepts);
  pith_i_vec_free(c->env, &c->considered);
  pith_i_arena_free(&c->arena);
}

void pith_i_report_phase(const pith_i_compressor *c, const char *phase) {
  if (c->run != NULL && c->best != NULL) {
    pith_progress *now = &c->run->now;
    now->core = pith_i_fact_count(&c->best->core, PITH_NONE, PITH_GIVEN);
    now->rules = (uint32_t)c->best->rules.n;
    now->bits = c->best->bits;
  }
  pith_i_run_phase(c->run, phase);
}

static pith_status compress_by_search(pith_i_compressor *c) {
  pith_status rc = pith_i_propose_rules(c);
  if (rc == PITH_OK)
    rc = pith_i_propose_invented(c);
  if (rc == PITH_OK && (c->opt->open || c->opt->noise != PITH_NOISE_OFF))
    rc = pith_i_propose_doubting(c);
  return rc;
}

pith_status pith_i_compress(pith_i_compressor *c) {
  pith_method method =
      c->opt->semantics != PITH_BEST ? PITH_METHOD_GRADIENT : c->opt->method;
  pith_status rc = pith_i_take_observations(c);
  if (rc == PITH_OK && method != PITH_METHOD_GRADIENT)
    rc = compress_by_search(c);
  if (rc == PITH_OK && method != PITH_METHOD_SEARCH)
    rc = pith_i_compress_gradient(c, method == PITH_METHOD_GRADIENT);
  c->complete = rc == PITH_OK;
  return rc;
}

/* ---- the result -------------------------------------------------------- */

pith_compress_info pith_i_compressor_info(const pith_i_compressor *c) {
  const pith_i_priced_theory *f = c->best;
  assert(f != NULL);
  pith_compress_info i = {
      .observed = pith_i_fact_count(c->observed, PITH_NONE, PITH_GIVEN),
      .core = pith_i_fact_count(&f->core, PITH_NONE, PITH_GIVEN),
      .rules = (uint32_t)f->rules.n,
      .invented = (uint32_t)f->invented.n,
      .extra = pith_i_fact_count(&f->extra, PITH_NONE, PITH_GIVEN),
      .missing = pith_i_fact_count(&f->missing, PITH_NONE, PITH_GIVEN),
      .bits_before = c->before,
      .bits_after = f->bits,
      .bound = f->bound,
      .minimal = f->minimal,
      .by = f->by};
  i.complete = c->complete;
  if (!c->complete) { /* cut short, it claims nothing */
    i.minimal = false;
    i.bound = i.rules == 0 ? 0 : i.bound;
  }
  i.exact = i.missing == 0 && (i.extra == 0 || c->opt->open);
  return i;
}

pith_status pith_i_judge_hidden(const pith_i_compressor *c,
                                const pith_i_divided_facts *divided,
                                pith_compress_info *info) {
  if (!(divided->hiding.share > 0))
    return PITH_OK;
  pith_i_priced_theory *f = c->best;
  pith_status rc =
      pith_i_derive(c->theory, f->rules.at, f->rules.n, &f->core, NULL);
  if (rc >= 0) {
    pith_i_hidden_counts n = pith_i_count_hidden(divided, &f->core);
    info->held_out = n.facts;
    info->held_out_right = n.right;
    info->held_out_wrong = n.wrong;
  }
  pith_i_store_forget(&f->core);
  return rc;
}
