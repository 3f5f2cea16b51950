/* Learning without templates by gradient: one space of theories after the
** other, from small ones to large, until one holds a theory that fits.
**
** Each space is trained in with a group of restarts at a time, and all are
** visited again with the next group until the restarts that were asked for are
** done. Spaces that are too large for a budget of work are passed over. */
#ifndef PITH_LEARN_BODIES_BODY_LEARNER_H
#define PITH_LEARN_BODIES_BODY_LEARNER_H

#include "task/best.h"

/* In all spaces; or only in those in which something is invented, with less
** work, for what clauses cannot say.
**   PITH_ELIMIT  all spaces: even the smallest is too large */
pith_i_learner pith_i_learn_bodies, pith_i_learn_invented;

#endif
