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
  pith_i_arena arena; /* of the rules */
  PITH_I_VEC(pith_pred) targets;
  PITH_I_VEC(pith_rule *) rules; /* of the targets before this one */
  double bits;                   /* theirs, or NaN                 */
  pith_i_space space;
  pith_i_sample sample;
  pith_i_exact exact;
  bool solved; /* this target */
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

/* Rules for this target. With those before they are a program; where more
** targets follow, whether it fits is seen at the last. */
static pith_status offer(inducer *d, pith_rule *const *rules, uint32_t n,
                         double bits) {
  size_t before = d->rules.n;
  pith_status rc = PITH_OK;
  d->solved = true;
  for (uint32_t i = 0; rc >= 0 && i < n; i++)
    rc = pith_i_push(d->pool->env, &d->rules, rules[i]) ? PITH_OK : PITH_ENOMEM;
  if (rc >= 0 && d->space.target == d->targets.at[d->targets.n - 1]) {
    rc = pith_i_pool_add(d->pool, d->rules.at, (uint32_t)d->rules.n,
                         d->bits + bits, PITH_CLAUSES, &d->solved);
    d->rules.n = before;
  }
  d->bits += bits;
  return rc;
}

static pith_status offer_set(inducer *d) {
  const pith_i_set *set = &d->exact.set;
  pith_rule *rules[PITH_I_CHOSEN];
  uint32_t n = 0;
  for (int recursive = 0; recursive < 2; recursive++)
    for (uint32_t i = 0; i < set->n; i++) {
      if ((set->clause[i]->targets > 0) != recursive)
        continue;
      rules[n] =
          pith_i_clause_rule(&d->exact.growth, set->clause[i], &d->arena);
      if (rules[n++] == NULL)
        return PITH_ENOMEM;
    }
  return offer(d, rules, n, NAN);
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
    rc = offer_set(d);
  pith_i_exact_free(&d->exact);
  return rc;
}

static pith_status search_noisy(inducer *d) {
  pith_i_exact_limits limits = limits_of(d);
  pith_i_verdict v;
  pith_status rc = pith_i_noise_run(&d->sample, &limits, &d->arena, &v);
  return rc < 0 ? rc : offer(d, v.rules, v.n, v.program);
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

/* ---- all targets
 * ------------------------------------------------------------- */

static bool is_listed(const inducer *d, pith_pred pred) {
  for (size_t i = 0; i < d->targets.n; i++)
    if (d->targets.at[i] == pred)
      return true;
  return false;
}

/* The first world has all names. */
static pith_status list_targets(inducer *d) {
  const pith_i_pool *pool = d->pool;
  const pith_i_names *first = &pool->worlds[0].theory->names;
  for (size_t w = 0; w < pool->world_count; w++) {
    const pith_i_theory *t = pool->worlds[w].theory;
    for (size_t i = 0; i < t->examples.n; i++) {
      const pith_atom *a = &t->examples.at[i]->atom;
      const pith_i_predicate *p = pith_i_pred(&t->names, a->pred);
      const pith_i_symbol *name = pith_i_sym(&t->names, p->name);
      pith_sym sym = pith_i_sym_find(first, name->text, name->len, PITH_NAME);
      pith_pred pred = pith_i_pred_find(first, sym, p->arity);
      if (!is_listed(d, pred) && !pith_i_push(pool->env, &d->targets, pred))
        return PITH_ENOMEM;
    }
  }
  return PITH_OK;
}

static pith_status induce_target(inducer *d, pith_pred target) {
  d->solved = false;
  pith_status rc = d->opt->noisy ? PITH_OK : try_exact(d, target);
  return rc < 0 || d->solved || d->opt->exact ? rc : try_noisy(d, target);
}

pith_status pith_i_induce(pith_i_pool *pool, const pith_i_induce_options *opt) {
  inducer d = {.pool = pool, .opt = opt, .arena = {.env = pool->env}};
  pith_status rc = list_targets(&d);
  for (size_t i = 0; rc >= 0 && i < d.targets.n; i++)
    rc = induce_target(&d, d.targets.at[i]);
  pith_i_vec_free(pool->env, &d.targets);
  pith_i_vec_free(pool->env, &d.rules);
  pith_i_arena_free(&d.arena);
  return rc;
}
