/* What bodies of rules are made of when there are no templates: the predicates
** that they may use, and for those that rules define (targets and invented
** ones) every atom that could ever hold. */
#ifndef PITH_LEARN_BODIES_STOCK_H
#define PITH_LEARN_BODIES_STOCK_H

#include "fact/store.h"
#include "net/net.h"

/* A predicate that bodies may use. */
typedef struct {
  pith_pred pred; /* of the first world */
  uint32_t arity;
  bool defined;           /* rules define it                           */
  bool open;              /* invented: its places take any constant    */
  uint32_t *kind;         /* (arity) places of one kind share constants */
  pith_i_relation **rows; /* (worlds) what holds, or could             */
} pith_i_brick;

typedef struct {
  pith_i_env *env;
  const pith_i_world *worlds;
  uint32_t world_count;
  pith_i_arena arena;
  pith_i_brick *bricks; /* (count) the defined ones first: targets, invented */
  uint32_t count, defined, targets;
  pith_i_relation *could;  /* (defined, worlds) */
  uint32_t *first_atom;    /* (defined * worlds + 1) of each, in one row */
  uint32_t most_constants; /* of a world */
  pith_i_relation none;    /* of a predicate that a world does not have */
} pith_i_stock;

/* invented: (n) predicates of the first world. Facts that the background's
** own rules derive must be in the stores, and stay as long as the stock. The
** atoms of a predicate are all combinations of constants of the right kinds
** or, where these are too many, those that are labelled.
**   PITH_ELIMIT  too many atoms even so */
pith_status pith_i_stock_new(pith_i_env *env, const pith_i_world *worlds,
                             size_t world_count, const pith_pred *invented,
                             size_t n, pith_i_stock **out);
void pith_i_stock_free(pith_i_stock *s);

#endif
