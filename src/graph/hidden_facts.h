/* Sections of a graph: some facts of one relation are hidden, and become the
** questions. What is hidden depends on the seed alone. */
#ifndef PITH_GRAPH_HIDDEN_FACTS_H
#define PITH_GRAPH_HIDDEN_FACTS_H

#include "graph/chain_model.h"
#include "graph/question_table.h"

/* Whose facts to candidates are known: truths [first, end). */
typedef struct {
  uint32_t entity;
  size_t first, end;
} pith_i_subject;

/* A candidate that a subject has, and the edge that says so; or no edge, where
** it follows from a rule that is never wrong. */
typedef struct {
  uint32_t candidate, edge; /* edge: or PITH_NONE */
} pith_i_truth;

typedef struct {
  pith_i_env *env;
  const pith_i_graph *g;
  uint32_t relation;
  uint64_t seed;
  const uint8_t *among; /* (entities) */
  uint32_t candidates;  /* how many those are                            */
  uint8_t *kept;        /* (edges) put aside for the choice: gone always */
  uint8_t *gone;        /* (edges) kept, and hidden in this section      */
  uint8_t *kind;        /* (ways) that the subjects asked about may have   */
  PITH_I_VEC(pith_i_subject) subjects;
  PITH_I_VEC(pith_i_truth) truths;
  PITH_I_VEC(pith_i_known_answer) answers; /* scratch */
} pith_i_hidden_facts;

/* PITH_ENOMEM */
pith_status pith_i_hidden_facts_init(pith_i_hidden_facts *s,
                                     const pith_i_graph *g, uint32_t relation,
                                     const uint8_t *among, uint64_t seed);
/* Asks about subjects of the same kind as those in like only: they have no way
** to go that none of these has, the relation itself apart. PITH_ENOMEM */
pith_status pith_i_hidden_facts_like(pith_i_hidden_facts *s,
                                     const uint32_t *like, size_t n);
/* Then: looks for chains that are never wrong about the facts there are, and
** takes what they say of further entities of that kind for known.
** PITH_ENOMEM */
pith_status pith_i_hidden_facts_derive(pith_i_hidden_facts *s,
                                       pith_i_chain_walk *e,
                                       const uint32_t *like, size_t n);
void pith_i_hidden_facts_free(pith_i_hidden_facts *s);

/* Puts the fact aside, if it is one. */
void pith_i_hidden_facts_keep(pith_i_hidden_facts *s, uint32_t x, uint32_t y);
/* Puts one fact in ten aside, and adds the questions they are to out. */
pith_status pith_i_hidden_facts_split(pith_i_hidden_facts *s,
                                      pith_i_chain_walk *e,
                                      pith_i_question_table *out);

/* Hides in s->gone what section number n hides; and whether it asks about a
** truth of a subject, by their numbers. */
void pith_i_hidden_facts_hide(pith_i_hidden_facts *s, pith_i_hiding hiding,
                              uint32_t n);
bool pith_i_hidden_facts_asks(const pith_i_hidden_facts *s,
                              pith_i_hiding hiding, uint32_t n, size_t subject,
                              size_t truth);

/* Adds the questions of section number n; each counts by `share` of those
** that would be there if everything were hidden once. PITH_ENOMEM */
pith_status pith_i_hidden_facts_add(pith_i_hidden_facts *s,
                                    pith_i_hiding hiding, uint32_t n,
                                    pith_i_chain_walk *e,
                                    pith_i_question_table *out, double *share);

#endif
