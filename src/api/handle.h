/* The handle behind pith.h. The files beside this one are the public
** functions: each checks its arguments and calls into the folders. */
#ifndef PITH_API_HANDLE_H
#define PITH_API_HANDLE_H

#include "base/run.h"
#include "fact/store.h"
#include "term/theory.h"
#include "text/remark.h"

/* What the last file was taken for. */
typedef struct {
  pith_format format;
  bool by_content;
  char summary[PITH_I_SUMMARY];
} pith_i_taken;

struct pith {
  pith_i_env env;
  pith_i_theory theory;
  pith_i_store store;
  pith_i_remarks remarks;
  pith_i_taken taken;
  pith_i_arena scratch; /* the last pith_atom_read */
  pith_run limits;      /* of calls that take no run, if limited */
  bool limited;
  pith_i_run run; /* of the one under way */
  uint32_t calls; /* under way, one in the other */
  bool inferred;  /* the store holds derived facts */
  bool complete;  /* and all that follow            */
};

/* Around what a call without a run does: its time begins, and it may be
** stopped. Calls nest. */
void pith_i_call_begin(pith *p);
pith_status pith_i_call_end(pith *p, pith_status rc);

/* Whether the atom's predicate is there and takes as many arguments. */
pith_status pith_i_check_arity(pith *p, const pith_atom *a);

/* Before facts or rules change: what was derived is no longer true. */
void pith_i_forget(pith *p);

/* Replaces 0 in epochs, rate and steps by the values that will be used; p is
** the first world. */
void pith_i_learn_fill(const pith *p, pith_learn_options *opt);

/* What pith_rule_add refuses. */
pith_status pith_i_check_rule(pith *p, const pith_rule *rule);

#endif
