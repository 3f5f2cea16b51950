#include "compress/hidden_atoms.h"

#include <assert.h>

#include "base/random.h"

bool pith_i_is_hidden(const pith_i_hide_atoms *h, pith_pred pred,
                      const pith_sym *args, size_t n) {
  assert(h->share < 1);
  if (!(h->share > 0))
    return false;
  uint64_t x = pith_i_random(h->seed, 0x41d, pred);
  for (size_t i = 0; i < n; i++)
    x = pith_i_random(x, i, args[i]);
  return (double)(x >> 11) * 0x1p-53 < h->share;
}

void pith_i_divided_facts_init(pith_i_divided_facts *d, pith_i_env *env,
                               pith_i_hide_atoms hiding) {
  pith_i_store_init(&d->seen, env);
  pith_i_store_init(&d->hidden, env);
  d->hiding = hiding;
}

void pith_i_divided_facts_free(pith_i_divided_facts *d) {
  pith_i_store_free(&d->seen);
  pith_i_store_free(&d->hidden);
}

static int divide_fact(void *ctx, pith_pred pred, const pith_sym *args,
                       size_t n) {
  pith_i_divided_facts *d = ctx;
  bool hides = pith_i_is_hidden(&d->hiding, pred, args, n);
  return pith_i_fact_give(hides ? &d->hidden : &d->seen, pred, (uint32_t)n,
                          args);
}

pith_status pith_i_divide_facts(pith_i_divided_facts *d,
                                const pith_i_theory *theory,
                                const pith_i_store *store, pith_i_run *run) {
  pith_status rc =
      pith_i_fact_each_within(store, PITH_ALL, run, divide_fact, d);
  for (size_t i = 0; rc == PITH_OK && i < theory->examples.n; i++) {
    const pith_example *e = theory->examples.at[i];
    rc = pith_i_look_at_turn(d->seen.env, run, i);
    if (rc == PITH_OK && e->positive)
      rc = divide_fact(d, e->atom.pred, e->atom.args, e->atom.arity);
  }
  if (rc == PITH_OK && pith_i_fact_count(&d->seen, PITH_NONE, PITH_ALL) == 0)
    rc = pith_i_fail(theory->env, PITH_EINPUT,
                     "there are no facts to compress; give observations, "
                     "such as can(robin,fly).");
  return rc;
}

/* ---- afterwards -------------------------------------------------------- */

typedef struct {
  const pith_i_divided_facts *divided;
  const pith_i_store *follows;
  pith_i_hidden_counts counts;
} hidden_comparison;

static int count_hidden_fact(void *ctx, pith_pred pred, const pith_sym *args,
                             size_t n) {
  hidden_comparison *c = ctx;
  (void)n;
  c->counts.facts++;
  c->counts.right += pith_i_fact_holds(c->follows, pred, args);
  return 0;
}

static int count_wrong_guess(void *ctx, pith_pred pred, const pith_sym *args,
                             size_t n) {
  hidden_comparison *c = ctx;
  const pith_i_divided_facts *d = c->divided;
  bool invented = pith_i_fact_count(&d->seen, pred, PITH_GIVEN) == 0;
  c->counts.wrong += !invented && pith_i_is_hidden(&d->hiding, pred, args, n) &&
                     !pith_i_fact_given(&d->hidden, pred, args);
  return 0;
}

pith_i_hidden_counts pith_i_count_hidden(const pith_i_divided_facts *d,
                                         const pith_i_store *follows) {
  hidden_comparison c = {.divided = d, .follows = follows};
  pith_i_fact_each(&d->hidden, PITH_NONE, PITH_GIVEN, count_hidden_fact, &c);
  pith_i_fact_each(follows, PITH_NONE, PITH_DERIVED, count_wrong_guess, &c);
  assert(c.counts.right <= c.counts.facts);
  return c.counts;
}
