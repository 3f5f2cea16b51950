/* What rules may be made of, and what they are to explain: all worlds as one.
**
** A constant is a number, different in every world; so one relation holds the
** facts of a predicate in all worlds, and a join never leaves its world. The
** examples of one target predicate stand beside the relations: they are what
** clauses cover. The target itself is a relation too, of its positive
** examples, for the bodies of recursive rules. */
#ifndef PITH_LEARN_CLAUSES_CLAUSE_LANGUAGE_H
#define PITH_LEARN_CLAUSES_CLAUSE_LANGUAGE_H

#include "base/run.h"
#include "fact/store.h"
#include "task/judge.h"
#include "task/task.h"

enum {
  PITH_I_PLACES = 8, /* of an atom in a learned rule, at most */
  PITH_I_NARROW = 3, /* of one that is tried in all ways at once */
  PITH_I_VARS = 24,  /* of a rule                             */
  PITH_I_ATOMS = 12  /* of a body                             */
};

typedef enum {
  PITH_I_GIVEN_ATOM,  /* background                                    */
  PITH_I_TARGET_ATOM, /* the target, true where an example is positive */
  PITH_I_OPEN_ATOM,   /* the target, wherever there is an example      */
  PITH_I_ABSENT_ATOM, /* no fact has the values in the open places     */
  PITH_I_EQUAL_ATOM,  /* two variables                                 */
  PITH_I_DIFFERENT_ATOM,
  PITH_I_COMPARED_ATOM /* by value: two variables, or one and a value  */
} pith_i_kind;

/* What defines an invented predicate (helper.h). */
typedef enum {
  PITH_I_NO_HELPER,
  PITH_I_EITHER,    /* one relation or another */
  PITH_I_BOTH_WAYS, /* a relation or its inverse */
  PITH_I_CLOSURE,
  PITH_I_HAVING,      /* something that a relation leads to is in another; only
                         ever denied */
  PITH_I_HAVING_BACK, /* the same against the relation's direction */
  PITH_I_ABOVE,       /* a thing has a greater value too; only ever denied */
  PITH_I_BELOW        /* a smaller one */
} pith_i_helper;

/* A predicate as a body atom can have it: some of its places may hold a
** constant, the others are open. */
typedef struct {
  pith_pred pred; /* by the first world's names */
  pith_i_kind kind;
  uint32_t arity;                 /* open places               */
  uint32_t full;                  /* all places                */
  uint8_t place[PITH_I_PLACES];   /* of each open one          */
  pith_sym fixed[PITH_I_PLACES];  /* (full) or PITH_NONE: open */
  uint32_t domain[PITH_I_PLACES]; /* of each open place        */
  uint64_t twice;  /* bit 8 i + k: some fact has the same in places i and k */
  bool one_way;    /* of two places: the first decides the second, not the other
                      way round */
  bool one_to_one; /* of two places: each decides the other */
  pith_i_helper helper;
  uint16_t of[2]; /* the choices that it is made from */
  uint8_t by[2];  /* places there of a thing and of its value, where compared */
  /* With a value in an open place: made when asked for, the first of them and
  ** how many; 0: not asked for. */
  uint32_t fixes[PITH_I_PLACES], fix_count[PITH_I_PLACES];
  bool names_example; /* a value that it has stands in some example */
  bool derived;       /* made in that way, or for a value that was proposed */
  uint8_t many;       /* places, as bits, with more values than are all tried */
  uint32_t values;    /* that could stand where its last value does; 0: few */
} pith_i_kind_of_atom;

typedef struct {
  pith_i_env *env;
  pith_i_run *run;
  pith_i_world *worlds; /* (world_count) */
  size_t world_count;
  pith_pred target;
  uint32_t head;                           /* the target's arity            */
  PITH_I_VEC(pith_i_kind_of_atom) choices; /* what an atom may be           */
  pith_i_store store;                      /* a relation for each choice    */
  PITH_I_VEC(uint8_t) domains; /* (domains, domains) may they meet */
  uint32_t domain_count;
  uint32_t head_domain[PITH_I_PLACES];
  PITH_I_VEC(uint8_t)
  only;                       /* (domains) a head variable and 1, where no other
                                 may stand there; or 0 */
  PITH_I_VEC(uint8_t) orders; /* (domains) pith_order of their values */
  double *value;  /* (constants) of what has an order, else NaN; or NULL */
  uint32_t *base; /* (world_count) number of a world's first constant */
  uint32_t constants;
  /* Examples, the positive ones first. */
  uint32_t *args; /* (examples, head) */
  double *weight; /* (examples) */
  uint32_t positives, examples;
  uint64_t
      head_twice; /* bit 8 i + k, i < k: a positive one has the same there */
  uint32_t given; /* head places, as bits, with one value in all examples, */
  pith_sym given_value[PITH_I_PLACES]; /* that no fact knows (head_values.h) */
  uint32_t open;     /* the choice PITH_I_OPEN_ATOM, or PITH_NONE */
  uint32_t too_wide; /* predicates left out for their arity */
  uint32_t helpers;  /* invented predicates among the choices */
  uint32_t few;      /* values of a place that may be in a rule, at most */
  size_t derived_rows;
  pith_i_tuples listed;      /* constants that the bias lists, in any world */
  pith_i_tuples in_examples; /* symbols of the first world, where named */
  pith_i_tuples valued;      /* (choice, place, value) that were asked for   */
  PITH_I_VEC(uint32_t) valued_as; /* the choice that each became         */
} pith_i_space;

typedef struct {
  bool helpers;       /* invented predicates               */
  bool recursion;     /* the target in bodies             */
  bool different;     /* \= between variables              */
  bool comparisons;   /* of numbers and of dates            */
  bool absent;        /* that no fact is there              */
  uint32_t constants; /* a place with at most n values may hold one */
  bool no_constants;  /* not even in heads                  */
} pith_i_language;

/* Reads the task's worlds; nothing is derived in them before or after. Once the
** run, which may be NULL, is over, invented predicates are left out. The caller
** frees also after failure. */
pith_status pith_i_space_init(pith_i_space *s, const pith_i_task *task,
                              pith_i_run *run, pith_pred target,
                              const pith_i_language *language);
void pith_i_space_free(pith_i_space *s);

/* The choices that have a value in an open place of this one: count of them
** from first on, none where the values are many or the language has no
** constants. Choices move. */
pith_status pith_i_space_fix(pith_i_space *s, uint32_t choice, uint32_t place,
                             uint32_t *first, uint32_t *count);

/* The choice that has this value in an open place of a choice with many; made
** when first asked for, and PITH_NONE where the bias forbids it or there are
** too many choices. Choices move. */
pith_status pith_i_space_value(pith_i_space *s, uint32_t choice, uint32_t place,
                               pith_sym value, uint32_t *out);

/* The first world's symbol for a constant of any world, or PITH_NONE. */
pith_sym pith_i_space_symbol(const pith_i_space *s, uint32_t constant);

/* The choice X OP value; made when first asked for, or PITH_NONE where there
** are too many. values: among which it was chosen. Choices move. */
pith_status pith_i_space_threshold(pith_i_space *s, pith_pred op,
                                   pith_sym value, uint32_t values,
                                   uint32_t *out);

/* Finds out again which places may hold the same variable; for when the
** examples have changed. */
pith_status pith_i_space_find_domains(pith_i_space *s);

/* Whether one atom leads from a thing that the head speaks of to another such
** thing, as a parent does and a town does not: a given relation, or the target
** itself. */
bool pith_i_space_has_steps(const pith_i_space *s);

static inline bool pith_i_may_meet(const pith_i_space *s, uint32_t a,
                                   uint32_t b) {
  return s->domains.at[(size_t)a * s->domain_count + b] != 0;
}

/* The head variable that alone may stand in a place of this domain, or
** PITH_NONE: any. */
static inline uint32_t pith_i_only_variable(const pith_i_space *s,
                                            uint32_t domain) {
  return s->only.at[domain] == 0 ? PITH_NONE : s->only.at[domain] - 1u;
}

#endif
