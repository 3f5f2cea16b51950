/* A plan: the order in which the atoms of a form are matched with facts, and
** how the facts that can match are found for each. Running it visits every
** way to make the body true, once.
**
** The atom with the new facts comes first (semi-naive evaluation needs one),
** then always the atom with the fewest facts left to try, by what is bound
** so far. As soon as the head is bound, the caller is asked whether it is
** known already; if not, one match of the rest is enough. Comparisons and
** negated atoms are decided as soon as their registers are set. */
#ifndef PITH_LOGIC_PLAN_H
#define PITH_LOGIC_PLAN_H

#include "fact/store.h"
#include "logic/form.h"

/* Which rows of a relation an atom sees; see pith_i_relation. */
typedef enum {
  PITH_I_ALL_ROWS, /* [0, end)   */
  PITH_I_OLD,      /* [0, old)   */
  PITH_I_NEW,      /* [old, end) */
  PITH_I_GIVEN,    /* [0, given) */
  PITH_I_WHOLE,    /* all rows there are, for what is complete */
} pith_i_view;

typedef enum {
  PITH_I_SCAN,       /* all rows in view                      */
  PITH_I_CHAIN,      /* the rows of one key of an index       */
  PITH_I_MEMBER,     /* every argument is bound               */
  PITH_I_BIT_SCAN,   /* the same three for a relation of bits */
  PITH_I_BIT_ROW,    /* the first argument is bound           */
  PITH_I_BIT_COLUMN, /* the second                            */
  PITH_I_BIT_MEMBER
} pith_i_access;

typedef struct {
  uint32_t column, reg;
} pith_i_column_reg;

/* What must hold beside the facts, as soon as its registers are set. */
typedef struct {
  pith_i_form_test *tests; /* (test_count) */
  uint32_t test_count;
  struct pith_i_step *absent; /* (absent_count) */
  uint32_t absent_count;
} pith_i_conditions;

/* One atom matched with facts; or, among the absent, one that none may
** match. */
typedef struct pith_i_step {
  pith_i_relation *rel;
  uint32_t atom; /* of the form, or of its negatives */
  pith_i_view view;
  pith_i_access access;
  pith_i_index *index;       /* CHAIN                                       */
  uint32_t *key_regs;        /* (key_count) in the order of index or tuple  */
  uint32_t *key;             /* (key_count) their values                    */
  pith_i_column_reg *binds;  /* (bind_count) columns that set a register    */
  pith_i_column_reg *checks; /* (check_count) columns that must equal one   */
  uint32_t key_count, bind_count, check_count;
  pith_i_conditions then; /* what can be decided once this has matched */
  /* where the search is */
  uint32_t row;        /* the row that matched; not for bits */
  size_t next, lo, hi; /* next row to try; bits: the row     */
  size_t at;           /* bits: number of the word           */
  uint64_t word;       /* bits: what is left of it           */
} pith_i_step;

typedef struct {
  pith_i_env *env;
  const pith_i_form *form;
  pith_i_step *steps; /* (step_count) */
  uint32_t step_count;
  uint32_t head_at;        /* steps after which the head is bound  */
  pith_i_conditions first; /* what can be decided before any step  */
  pith_sym *regs;          /* (reg_count) */
  uint32_t gone_over;      /* rows without a match since a step's turn  */
} pith_i_plan;

typedef struct {
  pith_i_relation *const *relations; /* (atom_count) of the form's atoms   */
  const pith_i_view *views;          /* (atom_count), or NULL: all ALL     */
  pith_i_relation *const *absent; /* (negative_count), or NULL if none is   */
  pith_i_view absent_view;        /* of all of them: WHOLE or GIVEN         */
  const bool *growing;   /* (atom_count) will have many more rows, or NULL   */
  uint32_t first;        /* the atom to begin with, or PITH_NONE             */
  const uint32_t *bound; /* (bound_count) registers set before a run       */
  uint32_t bound_count;
  bool every_match; /* visit every match, not one for each head */
  bool stale;       /* the caller refreshes the plan before it runs */
} pith_i_plan_spec;

/* The plan lives in the arena, its indexes in the relations. NULL: no
** memory. */
pith_i_plan *pith_i_plan_new(pith_i_arena *arena, const pith_i_form *form,
                             const pith_i_plan_spec *spec);

/* The relations of the form's negated atoms, in the arena; NULL: no memory. */
pith_i_relation **pith_i_plan_absent(pith_i_arena *arena,
                                     const pith_i_store *store,
                                     const pith_i_form *form);

/* From the head backwards: its registers are bound, every match is visited, in
** the store's rows of now. */
pith_i_plan *pith_i_plan_backwards(pith_i_arena *arena,
                                   const pith_i_store *store,
                                   const pith_i_form *form);

/* Takes rows added to the relations since into the indexes, unless the run,
** which may be NULL, ends meanwhile: PITH_STOPPED. */
pith_status pith_i_plan_refresh(pith_i_plan *plan, pith_i_run *run);

/* Sets the registers of the head, for a plan that has them bound; false: the
** head does not match. */
bool pith_i_plan_set_head(pith_i_plan *plan, const pith_sym *args);

typedef struct {
  /* A match; the registers are set. Not zero: end the run with that. */
  pith_status (*found)(void *ctx, pith_i_plan *plan);
  /* Whether the head, now bound, need not be found again. May be NULL. */
  bool (*known)(void *ctx, pith_i_plan *plan);
  /* Now and then; not zero: end the run with that. May be NULL. */
  pith_status (*poll)(void *ctx);
  void *ctx;
  uint32_t countdown; /* rows until poll; kept between runs */
} pith_i_hooks;

pith_status pith_i_plan_run(pith_i_plan *plan, pith_i_hooks *hooks);

/* For found: ends the run at the first match with PITH_STOPPED. */
pith_status pith_i_stop_at_first(void *ctx, pith_i_plan *plan);

#endif
