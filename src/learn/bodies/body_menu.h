/* Pools of bodies: all ways to fill the body of a rule with a few atoms,
** instead of a template.
**
** A body is connected to the head, has some match in the worlds, and says
** something that no smaller body of the pool says already: bodies are joined
** with the facts once, when the pool is made, and of those with the same
** outcome one is kept. The outcome of a body is a set of rows (h, d, e): the
** atom h of the head follows if the defined atoms d and e hold; (h, d) where
** the body has one defined atom, (h) where it has none. */
#ifndef PITH_LEARN_BODIES_BODY_MENU_H
#define PITH_LEARN_BODIES_BODY_MENU_H

#include "base/run.h"
#include "learn/bodies/stock.h"

enum {
  PITH_I_MAX_VARS = 6,
  PITH_I_MAX_BODY = 6,
  PITH_I_MAX_DEFINED = 2 /* atoms of a body that rules define */
};

typedef struct {
  pith_rule *rule;
  uint32_t head;  /* of the stock's defined bricks                 */
  uint32_t width; /* of its rows                                   */
  size_t first, count;
} pith_i_outcome;

typedef struct {
  pith_i_env *env;
  const pith_i_stock *stock;
  pith_i_arena arena; /* the rules */
  PITH_I_VEC(pith_i_outcome) bodies;
  PITH_I_VEC(uint32_t) rows; /* sorted within a body */
  pith_i_tuples prints;      /* hashes of outcomes that are there */
  uint64_t work;             /* matches so far */
  uint64_t tried;            /* bodies joined  */
  bool cut;                  /* not all bodies: there was too much to do */
} pith_i_menu;

/* How large the bodies of one defined predicate may be. */
typedef struct {
  uint32_t atoms, vars;
  bool itself;    /* the predicate itself may be among them            */
  bool targets;   /* so may the targets                                */
  uint32_t from;  /* and those defined from this one on                */
  uint32_t pairs; /* atoms up to which two of them may be defined      */
} pith_i_measure;

void pith_i_menu_init(pith_i_menu *p, pith_i_env *env,
                      const pith_i_stock *stock);
void pith_i_menu_free(pith_i_menu *p);

/* Adds the bodies for rules of a defined brick. Leaves off, with cut set,
** when there is too much work or the run is over. */
pith_status pith_i_menu_add(pith_i_menu *p, uint32_t head,
                            const pith_i_measure *m, pith_i_run *run);

#endif
