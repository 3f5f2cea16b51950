/* Soft models trained with facts hidden in each of three ways; for a restart
** speaks the one of the three that orders the examples best. */
#ifndef PITH_GRAPH_SOFT_CHOICE_H
#define PITH_GRAPH_SOFT_CHOICE_H

#include "base/lanes.h"
#include "graph/soft_model.h"

enum { PITH_I_HIDINGS = 3 };

typedef struct {
  pith_i_env *env;
  pith_i_soft_model *model[PITH_I_HIDINGS]; /* by pith_i_hiding            */
  uint32_t best[PITH_I_LANES];    /* of these, for each restart            */
  double precision[PITH_I_LANES]; /* of that on the examples               */
  uint32_t restart;               /* that is asked                         */
  uint8_t *among;                 /* (entities) candidates for the object  */
  pith_i_arena arena;
  size_t rules;     /* of a restart */
  pith_rule **rule; /* (PITH_I_LANES, rules), with the similarity of the
                       rule's slots as its probability                   */
} pith_i_soft_choice;

/* As pith_i_soft_model_learn; of opt, the hiding does not count. The restart
** that orders the examples best is the one asked. */
pith_status pith_i_soft_choice_learn(const pith_i_graph *g,
                                     const pith_i_theory *theory,
                                     uint32_t relation,
                                     const pith_i_pair *pairs, size_t n,
                                     const pith_i_soft_options *opt,
                                     pith_i_soft_choice **out);
void pith_i_soft_choice_free(pith_i_soft_choice *c);

/* The values of the pairs, by the restart that is asked. PITH_ENOMEM */
pith_status pith_i_soft_choice_score(pith_i_soft_choice *c,
                                     const pith_i_pair *pairs, size_t n,
                                     double *out);

#endif
