/* A space of theories: how many rules of which size, and how many predicates
** may be invented. Targets may use what is invented, and that may use what is
** invented after it; more only if it is recursive. A space becomes a pooled
** network (net/net.h), on which the gradient and the search work as they do on
** one made of templates. */
#ifndef PITH_LEARN_BODIES_BODY_SPACE_H
#define PITH_LEARN_BODIES_BODY_SPACE_H

#include "learn/bodies/body_menu.h"

enum { PITH_I_MAX_INVENTED = 2 };

typedef struct {
  uint32_t rules;                      /* of each target                      */
  uint32_t atoms, vars;                /* of a body                           */
  uint32_t invented;                   /* predicates                          */
  uint32_t arity[PITH_I_MAX_INVENTED]; /* of each                 */
  uint32_t invented_rules;             /* of each                             */
  uint32_t invented_atoms;             /* of a body of theirs                 */
  bool recursive; /* rules may use what they define: targets each other, an
                     invented predicate itself and those after it */
  bool mutual;    /* all of them each other */
} pith_i_theory_space;

/* The network of a space; *work is how much it was to make it, in units of
** about ten nanoseconds. invented: (space->invented) predicates of the first
** world, whose names must have every predicate of the others.
**   PITH_ELIMIT  it would be too large
**   PITH_EINPUT  no rule of this size can be made */
pith_status pith_i_theory_space_net(pith_i_env *env, const pith_i_world *worlds,
                                    size_t world_count,
                                    const pith_i_theory_space *space,
                                    const pith_pred *invented, pith_i_run *run,
                                    double *work, pith_i_net **out);

#endif
