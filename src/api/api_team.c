/* Several processes on one task. */
#include <string.h>

#include "api/handle.h"
#include "base/hash.h"
#include "base/team.h"

pith_status pith_team_join(pith *p, const pith_transport *t) {
  if (p->env.team != NULL)
    return pith_i_fail(&p->env, PITH_EARG, "the handle has a team already");
  if (t->size == 0 || t->rank >= t->size || t->send == NULL ||
      t->probe == NULL || t->receive == NULL)
    return pith_i_fail(&p->env, PITH_EARG, "not a transport of a team");
  pith_status rc = pith_i_team_new(t, &p->env.team);
  return rc < 0 ? pith_i_fail(&p->env, rc, "out of memory") : rc;
}

void pith_team_leave(pith *p) {
  pith_i_team_free(p->env.team);
  p->env.team = NULL;
}

bool pith_team_is_over(pith *p) {
  return p->env.team != NULL && pith_i_team_is_over(p->env.team);
}

uint32_t pith_team_loops(pith *p, uint64_t *items) {
  uint32_t loops = 0;
  *items = 0;
  if (p->env.team != NULL)
    pith_i_team_counts(p->env.team, &loops, items);
  return loops;
}

/* ---- results that are kept --------------------------------------------- */

/* Numbers of what is read in the same order are the same, so names need not be
** looked at. */
static uint64_t mix_atom(uint64_t h, const pith_atom *a) {
  h = pith_i_mix(h, ((uint64_t)a->pred << 1) | a->negated);
  return pith_i_mix(h, pith_i_hash_bytes(a->args, a->arity * sizeof *a->args));
}

static uint64_t mix_rule(uint64_t h, const pith_rule *r) {
  h = mix_atom(pith_i_mix(h, r->body_len), &r->head);
  for (uint32_t i = 0; i < r->body_len; i++)
    h = mix_atom(h, &r->body[i]);
  return pith_i_mix(h,
                    pith_i_hash_bytes(&r->probability, sizeof r->probability));
}

static int mix_fact(void *ctx, pith_pred pred, const pith_sym *args, size_t n) {
  uint64_t *h = ctx;
  *h = mix_atom(*h, &(pith_atom){pred, (uint32_t)n, args, false});
  return 0;
}

/* What a computation on the handle depends on. */
static uint64_t print_handle(const pith *p, const char *what) {
  const pith_i_theory *t = &p->theory;
  uint64_t h = pith_i_hash_bytes(PITH_VERSION, sizeof PITH_VERSION);
  h = pith_i_mix(h, pith_i_hash_bytes(what, strlen(what)));
  pith_i_fact_each(&p->store, PITH_NONE, PITH_GIVEN, mix_fact, &h);
  for (size_t i = 0; i < t->rules.n; i++)
    h = mix_rule(h, t->rules.at[i]);
  for (size_t i = 0; i < t->templates.n; i++)
    h = pith_i_mix(mix_rule(h, &t->templates.at[i]->shape),
                   t->templates.at[i]->copies);
  for (size_t i = 0; i < t->examples.n; i++)
    h = pith_i_mix(mix_atom(h, &t->examples.at[i]->atom),
                   t->examples.at[i]->positive);
  return h;
}

/* A process that is alone is a team of one as long as it keeps results. */
pith_status pith_checkpoint_begin(pith *p, const char *path, const char *what) {
  pith_i_env *env = &p->env;
  pith_status rc =
      env->team != NULL ? PITH_OK : pith_i_team_new(NULL, &env->team);
  if (rc < 0)
    return pith_i_fail(env, rc, "out of memory");
  rc = pith_i_team_journal(env->team, path, print_handle(p, what), env);
  if (rc < 0)
    pith_checkpoint_end(p);
  return rc;
}

void pith_checkpoint_end(pith *p) {
  pith_i_env *env = &p->env;
  if (env->team == NULL)
    return;
  pith_i_team_journal(env->team, NULL, 0, env);
  if (pith_i_team_size(env->team) == 1)
    pith_team_leave(p);
}
