#include "compress/doubtful_facts.h"

#include <assert.h>
#include <string.h>

#include "base/tunables.h"

enum { WIDEST = 8, MOST = 1 << 20, BODY = 8 };

/* A head, and the facts that all ways to it have in common. */
typedef struct {
  uint32_t common[BODY];
  uint32_t n;
  bool wrong; /* not a fact */
} way;

typedef struct {
  const pith_i_observations *w;
  pith_i_env *env;
  pith_i_run *run;
  pith_i_tuples heads; /* (predicate, arguments), filled up with 0 */
  PITH_I_VEC(way) ways;
} doubter;

static void keep_common(way *x, const uint32_t *body, uint32_t n) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < x->n; i++) {
    bool there = false;
    for (uint32_t j = 0; j < n; j++)
      there |= body[j] == x->common[i];
    if (there)
      x->common[kept++] = x->common[i];
  }
  x->n = kept;
}

static pith_status note_way(doubter *d, pith_pred pred, const pith_sym *args,
                            uint32_t arity, const uint32_t *body, uint32_t n) {
  assert(arity <= WIDEST);
  assert(n <= BODY);
  uint32_t key[WIDEST + 2] = {pred, arity}, row;
  bool added;
  if (arity > 0)
    memcpy(key + 2, args, arity * sizeof *args);
  if (pith_i_tuples_add(d->env, &d->heads, key, &row, &added) < 0)
    return PITH_ENOMEM;
  if (!added) {
    keep_common(&d->ways.at[row], body, n);
    return PITH_OK;
  }
  way fresh = {.n = n};
  fresh.wrong = pith_i_observation_find(d->w, pred, args) == PITH_NONE;
  memcpy(fresh.common, body, n * sizeof *body);
  if (!pith_i_push(d->env, &d->ways, fresh))
    return PITH_ENOMEM;
  return d->ways.n > MOST ? PITH_STOPPED : PITH_OK;
}

static pith_status take_match(void *ctx, pith_i_plan *plan) {
  assert(plan->step_count <= BODY);
  doubter *d = ctx;
  const pith_i_form_atom *h = &plan->form->head;
  uint32_t body[BODY], n = 0;
  pith_sym args[WIDEST];
  for (uint32_t i = 0; i < h->arity; i++)
    args[i] = plan->regs[h->regs[i]];
  if (pith_i_is_hidden(&d->w->hiding, h->pred, args, h->arity))
    return PITH_OK;
  uint32_t head = pith_i_observation_find(d->w, h->pred, args);
  for (uint32_t i = 0; i < plan->step_count; i++) {
    const pith_i_step *s = &plan->steps[i];
    body[n++] = (uint32_t)d->w->base[plan->form->atoms[s->atom].pred] + s->row;
    if (body[n - 1] == head)
      return PITH_OK; /* no way to itself */
  }
  return note_way(d, h->pred, args, h->arity, body, n);
}

static pith_status ask_doubter(void *ctx) {
  const doubter *d = ctx;
  return pith_i_stop_requested(d->run) ? PITH_STOPPED : PITH_OK;
}

static pith_status match_rule(doubter *d, const pith_rule *rule) {
  pith_i_arena arena = {.env = d->env};
  pith_i_form *form = pith_i_form_new(&arena, &d->w->theory->names, rule);
  pith_i_plan *plan =
      form == NULL ? NULL : pith_i_plan_body(d->w, &arena, form, true);
  pith_status rc = plan == NULL ? PITH_ENOMEM : PITH_OK;
  if (rc >= 0 && !form->never && rule->head.arity <= WIDEST &&
      form->atom_count <= BODY) {
    pith_i_hooks hooks = {take_match, NULL, ask_doubter, d, 0};
    rc = pith_i_plan_run(plan, &hooks);
  }
  pith_i_arena_free(&arena);
  return rc;
}

/* What leaving each fact out would gain, in facts: a wrong prediction less is
** worth two, one that must be stated instead costs one, and so does the
** doubt itself. */
static void weigh_doubts(const doubter *d, const bool *gone, int64_t *gain) {
  for (size_t i = 0; i < d->ways.n; i++) {
    const way *x = &d->ways.at[i];
    for (uint32_t j = 0; j < x->n && !gone[i]; j++)
      gain[x->common[j]] += x->wrong ? 2 : -1;
  }
}

/* A fact that follows from others would come back. */
static void spare_derived(const doubter *d, int64_t *gain) {
  for (size_t i = 0; i < d->ways.n; i++) {
    const uint32_t *key = d->heads.at + i * d->heads.width;
    if (!d->ways.at[i].wrong)
      gain[pith_i_observation_find(d->w, key[0], key + 2)] = INT64_MIN;
  }
}

static uint32_t most_doubtful(const doubter *d, const int64_t *gain) {
  uint32_t best = PITH_NONE;
  for (size_t f = 0; f < d->w->n; f++)
    if (gain[f] > 1 && (best == PITH_NONE || gain[f] > gain[best]))
      best = (uint32_t)f;
  return best;
}

static pith_status doubt_facts(doubter *d, pith_i_fact_numbers *out) {
  assert(d->ways.n == d->heads.n);
  int64_t *gain = pith_i_alloc(d->env, (d->w->n + 1) * sizeof *gain);
  bool *gone = pith_i_zalloc(d->env, d->ways.n + 1, sizeof *gone);
  pith_status rc = gain == NULL || gone == NULL ? PITH_ENOMEM : PITH_OK;
  for (int round = 0; rc >= 0 && round < PITH_TUNE_DOUBT_ROUNDS; round++) {
    memset(gain, 0, d->w->n * sizeof *gain);
    weigh_doubts(d, gone, gain);
    spare_derived(d, gain);
    uint32_t f = most_doubtful(d, gain);
    if (f == PITH_NONE)
      break;
    if (!pith_i_push(d->env, out, f))
      rc = PITH_ENOMEM;
    for (size_t i = 0; i < d->ways.n; i++)
      for (uint32_t j = 0; j < d->ways.at[i].n; j++)
        gone[i] |= d->ways.at[i].common[j] == f;
  }
  pith_i_release(d->env, gain);
  pith_i_release(d->env, gone);
  return rc;
}

pith_status pith_i_find_doubtful(const pith_i_observations *w,
                                 pith_rule *const *rules, size_t n,
                                 pith_i_run *run, pith_i_fact_numbers *out) {
  doubter d = {.w = w, .env = w->env, .run = run};
  d.heads.width = WIDEST + 2;
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc == PITH_OK && i < n; i++)
    rc = match_rule(&d, rules[i]);
  if (rc == PITH_OK)
    rc = doubt_facts(&d, out);
  pith_i_tuples_free(d.env, &d.heads);
  pith_i_vec_free(d.env, &d.ways);
  return rc;
}
