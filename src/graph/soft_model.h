/* Ranking as Campero et al. did it: templates whose slots are matched softly,
** and at every epoch a small random section of the graph, with facts as the
** background and hidden facts as targets, their negatives by corruption. What
** is learned is the embeddings of slots and predicates alone, so hidden of a
** few dozen constants teach what holds in all of the graph.
**
** A section is a world with names of its own. Predicates come in the same
** order in all of them, so that the networks have the same slots, and the
** descent goes from one to the next. Sixteen restarts run side by side. */
#ifndef PITH_GRAPH_SOFT_MODEL_H
#define PITH_GRAPH_SOFT_MODEL_H

#include "graph/chain_model.h"
#include "train/descent.h"

typedef struct {
  uint64_t seed; /* restart l has the seed seed + l */
  uint32_t epochs;
  pith_i_hiding hiding;
  pith_i_recipe recipe;
  pith_i_run *run;
} pith_i_soft_options;

typedef struct pith_i_soft_model pith_i_soft_model;

/* Templates and steps are those of the theory; candidates and the subjects
** asked about go by the pairs, as for a chain model; the pairs are not learned
** from.
**   PITH_EINPUT  too few facts, or templates that cannot be used
**   PITH_STOPPED, PITH_ENOMEM  *out is NULL */
pith_status pith_i_soft_model_learn(const pith_i_graph *g,
                                    const pith_i_theory *theory,
                                    uint32_t relation, const pith_i_pair *pairs,
                                    size_t n, const pith_i_soft_options *opt,
                                    pith_i_soft_model **out);
void pith_i_soft_model_free(pith_i_soft_model *x);

/* The values of the pairs after all steps on the whole graph: (L, n). What is
** a fact already is taken as not given. PITH_ENOMEM */
pith_status pith_i_soft_model_score(pith_i_soft_model *x,
                                    const pith_i_pair *pairs, size_t n,
                                    double *out);

/* The rules that a restart's slots are most like, in the arena, and the least
** similarity of each rule's slots: (R) both. PITH_ENOMEM */
size_t pith_i_soft_model_rules(const pith_i_soft_model *x);
pith_status pith_i_soft_model_decode(pith_i_soft_model *x, uint32_t restart,
                                     pith_i_arena *arena, pith_rule **rules,
                                     double *similarity);

#endif
