/* Several processes on one task. */
#include "api/handle.h"
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
