/* What learning without templates will take, said before it starts. */
#ifndef APP_SAY_COST_H
#define APP_SAY_COST_H

#include "session.h"

/* A word where something will be left out for the size of the task, or where
** memory will be short; nothing else. opt: what was asked for. */
void say_cost(const session *s, const pith_estimate *c,
              const pith_learn_options *opt);

/* All of it, as a comment or an event, for check. */
void put_cost(const session *s, const pith_estimate *c);

#endif
