/* The instances of rules over a world: a head follows from the facts of a
** body. A fact is never among those from which it follows. */
#ifndef PITH_COMPRESS_RULE_INSTANCES_H
#define PITH_COMPRESS_RULE_INSTANCES_H

#include "base/run.h"
#include "compress/observations.h"

typedef struct {
  pith_i_env *env;
  size_t facts;
  PITH_I_VEC(uint32_t) head; /* of each instance, a fact's number       */
  PITH_I_VEC(size_t) start;  /* of its body in the list below; one more */
  PITH_I_VEC(uint32_t) body; /* facts' numbers                          */
  PITH_I_VEC(size_t) first;  /* instance of each rule; one more         */
} pith_i_instances;

pith_status pith_i_instances_init(pith_i_instances *g,
                                  const pith_i_observations *w);
void pith_i_instances_free(pith_i_instances *g);

/* Adds the instances of one more rule. What it derives that is not in the
** world is left out.
**   PITH_STOPPED  more than most, or told to stop: the rule has none */
pith_status pith_i_instances_add(pith_i_instances *g,
                                 const pith_i_observations *w,
                                 const pith_rule *rule, size_t most,
                                 pith_i_run *run);

/* Marks (facts) those that the rule derives from others: one instance of each
** is looked for, and none is kept. */
pith_status pith_i_mark_derivable(const pith_i_observations *w,
                                  const pith_rule *rule, pith_i_run *run,
                                  bool *marks);

#endif
