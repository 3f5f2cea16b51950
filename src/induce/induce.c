#include "induce/induce.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "induce/noise.h"

enum {
  WHOLE = 2000,   /* examples looked at all together               */
  FEW = 600,      /* of more, so many at first                     */
  MORE = 200,     /* and so many of those that go wrong, each time */
  ROUNDS = 12,    /* at most                                       */
  CONSTANTS = 24, /* values of a place that may be in a rule       */
  CHUNK = 4096
};
static const uint64_t WORK = 150000000;

typedef struct {
  pith_i_pool *pool;
  const pith_i_induce_options *opt;
  pith_i_space space;
  pith_i_sample sample;
  pith_i_exact exact;
  uint64_t work; /* spent */
  bool solved;
} inducer;

/* ---- samples --------------------------------------------------------------
 */

/* The first n of a random order that the number alone decides. */
static uint32_t draw(uint32_t first, uint32_t count, uint32_t n,
                     uint32_t *pick) {
  uint32_t got = 0, left = count;
  for (uint32_t i = 0; i < count && got < n; i++, left--)
    if (pith_i_random(1, first, i) % left < n - got)
      pick[got++] = first + i;
  return got;
}

static pith_status first_sample(inducer *d) {
  pith_i_space *s = &d->space;
  uint32_t rest = s->examples - s->positives;
  bool whole = s->examples <= WHOLE;
  uint32_t pos = whole || s->positives < FEW / 2 ? s->positives : FEW / 2;
  uint32_t neg = whole || rest < FEW - pos ? rest : FEW - pos;
  uint32_t *pick = pith_i_alloc(s->env, (pos + neg + 1) * sizeof *pick);
  if (pick == NULL)
    return PITH_ENOMEM;
  draw(0, s->positives, pos, pick);
  draw(s->positives, rest, neg, pick + pos);
  pith_i_sample_take(&d->sample, s, pick, pos, pos + neg);
  return PITH_OK;
}

/* ---- what was found
 * ---------------------------------------------------------- */

static pith_status offer(inducer *d) {
  const pith_i_set *set = &d->exact.set;
  pith_i_arena arena = {.env = d->space.env};
  pith_rule *rules[PITH_I_CHOSEN];
  pith_status rc = PITH_OK;
  for (uint32_t i = 0; rc >= 0 && i < set->n; i++) {
    rules[i] = pith_i_clause_rule(&d->exact.growth, set->clause[i], &arena);
    rc = rules[i] == NULL ? PITH_ENOMEM : PITH_OK;
  }
  if (rc >= 0)
    rc = pith_i_pool_add(d->pool, rules, set->n, NAN, PITH_CLAUSES, &d->solved);
  pith_i_arena_free(&arena);
  return rc;
}

/* ---- one language
 * -------------------------------------------------------------- */

static pith_i_exact_limits limits_of(const inducer *d) {
  return (pith_i_exact_limits){.max_rules = d->opt->max_rules,
                               .max_body = d->opt->max_body,
                               .max_vars = d->opt->max_vars,
                               .work = WORK,
                               .below = UINT64_MAX,
                               .stop = &d->opt->stop};
}

static pith_status search(inducer *d) {
  pith_i_exact_limits limits = limits_of(d);
  pith_status rc = pith_i_exact_run(&d->exact, &d->sample, &limits);
  if (rc >= 0 && d->exact.set.cost != UINT64_MAX)
    rc = offer(d);
  pith_i_exact_free(&d->exact);
  return rc;
}

static pith_status search_noisy(inducer *d) {
  pith_i_exact_limits limits = limits_of(d);
  pith_i_arena arena = {.env = d->space.env};
  pith_i_verdict v;
  pith_status rc = pith_i_noise_run(&d->sample, &limits, &arena, &v);
  if (rc >= 0)
    rc = pith_i_pool_add(d->pool, v.rules, v.n, v.program, PITH_CLAUSES, NULL);
  pith_i_arena_free(&arena);
  return rc;
}

static pith_status try_language(inducer *d, const pith_i_language *language,
                                pith_pred target, bool noisy) {
  pith_status rc = pith_i_space_init(&d->space, d->pool->env, d->pool->worlds,
                                     d->pool->world_count, target, language);
  d->sample = (pith_i_sample){0};
  if (rc >= 0)
    rc = first_sample(d);
  if (rc >= 0)
    rc = noisy ? search_noisy(d) : search(d);
  pith_i_sample_free(&d->sample);
  pith_i_space_free(&d->space);
  return rc;
}

static pith_status try_exact(inducer *d, pith_pred target) {
  pith_i_language language = {.recursion = true};
  language.constants = d->opt->constants ? CONSTANTS : 0;
  pith_status rc = try_language(d, &language, target, false);
  language.different = true;
  if (rc >= 0 && !d->solved)
    rc = try_language(d, &language, target, false);
  if (rc >= 0 && !d->solved && !d->opt->constants) {
    language.constants = CONSTANTS;
    rc = try_language(d, &language, target, false);
  }
  return rc;
}

static pith_status try_noisy(inducer *d, pith_pred target) {
  pith_i_language language = {.recursion = true};
  language.constants = d->opt->constants ? CONSTANTS : 0;
  d->pool->noisy = true;
  return try_language(d, &language, target, true);
}

pith_status pith_i_induce(pith_i_pool *pool, const pith_i_induce_options *opt) {
  inducer d = {.pool = pool, .opt = opt};
  pith_pred target = pool->worlds[0].theory->examples.at[0]->atom.pred;
  pith_status rc = opt->noisy ? PITH_OK : try_exact(&d, target);
  return rc < 0 || d.solved ? rc : try_noisy(&d, target);
}
