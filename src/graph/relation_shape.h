/* What the facts of a relation show about all of it: whether anything is so
** related to itself, whether it holds both ways, and how many answers a
** question has. A functional relation is one where hardly any entity with one
** answer has a second; an inverse functional one is functional asked
** backward. */
#ifndef PITH_GRAPH_RELATION_SHAPE_H
#define PITH_GRAPH_RELATION_SHAPE_H

#include "graph/graph.h"

/* Up to so many known answers are told apart. */
enum { PITH_I_ANSWERS_MOST = 8 };

typedef struct {
  uint8_t *irreflexive; /* (relations) nothing is so related to itself      */
  float *mirrored; /* (relations) log-odds that y is so related to x, where x
                      is to y                                               */
  float *another;  /* (ways, PITH_I_ANSWERS_MOST) log-odds that an entity
                      with k + 1 answers has yet another                    */
} pith_i_relation_shapes;

pith_status pith_i_relation_shapes_new(pith_i_env *env, const pith_i_graph *g,
                                       pith_i_relation_shapes *out);
void pith_i_relation_shapes_free(pith_i_env *env, pith_i_relation_shapes *s);

/* The log-odds that a question with so many answers has another: known > 0. */
double pith_i_another(const pith_i_relation_shapes *s, pith_i_way way,
                      uint64_t known);
/* Whether the facts show that a question has one answer at most. */
bool pith_i_is_functional(const pith_i_graph *g,
                          const pith_i_relation_shapes *s, pith_i_way way);
/* Whether they show that no pair is so related both ways. */
bool pith_i_is_asymmetric(const pith_i_graph *g,
                          const pith_i_relation_shapes *s, uint32_t relation);

#endif
