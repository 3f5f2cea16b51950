/* Learning what stands in the slots of templates, by gradient: the worlds are
** unrolled into a network, restarts are trained, and what they decode to is
** offered. */
#ifndef PITH_LEARN_TEMPLATES_TEMPLATE_LEARNER_H
#define PITH_LEARN_TEMPLATES_TEMPLATE_LEARNER_H

#include "net/net.h"
#include "task/best.h"

/* The network of the task's templates. What the background's own rules derive
** counts as background. */
pith_status pith_i_template_net(const pith_i_task *task, pith_i_net **out);

/*   PITH_EINPUT  a template that cannot be used */
pith_i_learner pith_i_learn_templates;

#endif
