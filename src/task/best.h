/* The best theories found so far. Learners offer what they find; here it is
** judged by the exact engine, simplified while it fits as well, priced, and
** put into one order:
**
**   - fewer wrong examples first, or, where examples may be wrong, the shorter
**     description of rules and exceptions;
**   - of those that fit all examples, what a search preferred before what it
**     only found beside that, and smaller ones before larger.
**
** A list for measuring has one place for each restart instead. */
#ifndef PITH_TASK_BEST_H
#define PITH_TASK_BEST_H

#include "task/judge.h"
#include "task/task.h"

/* A theory with its verdict: the one record of what was learned. */
typedef struct {
  pith_rule **rules;     /* (info.rules) with the first world's names        */
  double *similarity;    /* (info.rules) NaN where nothing soft found it     */
  pith_merged *merged;   /* (info.merged)                                    */
  pith_theory_info info; /* what the caller gets to see                      */
  double bits;           /* to say the rules                                 */
  double cost;           /* less is better: see is_better in best.c         */
  double oddness;        /* atoms that it counts more, of that              */
  bool beside;           /* found beside a theory that was preferred         */
  pith_weak_condition *weakest; /* where the labels hardly decide; or NULL   */
} pith_i_learned_theory;

typedef struct {
  pith_i_env *env;
  const pith_i_task *task;
  pith_i_arena arena; /* of the theories */
  PITH_I_VEC(pith_i_learned_theory) at;
  uint32_t keep;       /* theories, at most                                 */
  bool weighs;         /* examples may be wrong: prices are description
                          lengths                                           */
  bool by_restart;     /* one place for each restart, in their order        */
  bool constants_last; /* of those that fit, what names constants comes last */
  bool settled;        /* some examples are wrong; nothing else is looked for */
  bool full;           /* memory ran out, and something was left out for it */
  uint32_t restarts_done;
  uint64_t epochs_done;
} pith_i_best;

/* What a learner found. The list copies it. */
typedef struct {
  pith_rule *const *rules;  /* (info.rules)                                   */
  const double *similarity; /* (info.rules), or NULL                         */
  const pith_merged *merged; /* (info.merged)                                */
  pith_theory_info info;     /* stage, restart, epoch, losses, space, rules   */
  double bits;               /* to say the rules; NaN: unknown                */
  double oddness; /* atoms that it counts more, for what people rarely mean */
  bool trained;   /* a decoded program: all its rules were learned together, so
                     only atoms are left out, and it goes behind equals        */
  bool beside; /* found beside a theory that was preferred                  */
} pith_i_offer;

void pith_i_best_init(pith_i_best *b, const pith_i_task *task, uint32_t keep);
void pith_i_best_free(pith_i_best *b);

/* Bits by which the best theory's rules can tell examples one by one; where
** there is none, infinitely many. */
double pith_i_best_listing_bits(const pith_i_best *b);

/* *solved (may be NULL): it fits every example. What bias.pl forbids is left
** out. */
pith_status pith_i_best_offer(pith_i_best *b, const pith_i_offer *offer,
                              bool *solved);

/* Where the best theory fits all examples, forgets those that do not. */
void pith_i_best_trim(pith_i_best *b);

/* The best theory fits every example. */
bool pith_i_best_is_solved(const pith_i_best *b);

/* Examples that the best theory gets wrong; without one, the positive ones. */
uint64_t pith_i_best_wrong(const pith_i_best *b);

/* In the order in which they come; not where they have names. */
void pith_i_renumber_variables(pith_rule *rule);

/* Constants in the bodies of the theory's rules; whether there are some. */
uint32_t pith_i_count_constants(const pith_i_learned_theory *t);
bool pith_i_names_constants(const pith_i_learned_theory *t);

/* Each moves the theories of the other list into this one; the other is
** empty afterwards. take: instead of those that are here. join: those of both
** that fit all examples, each once, and what names constants last; if there is
** none, those that were here stay. take_shorter: instead of those that are
** here if its best is the shorter description. */
pith_status pith_i_best_take(pith_i_best *b, pith_i_best *from);
pith_status pith_i_best_join(pith_i_best *b, pith_i_best *from);
pith_status pith_i_best_take_shorter(pith_i_best *b, pith_i_best *from);

/* Looks for theories and offers them to the list. A learner that is stopped
** returns PITH_OK, with what it has offered by then.
**   PITH_ENOMEM  also where something was found */
typedef pith_status pith_i_learner(const pith_i_task *task, pith_i_run *run,
                                   pith_i_best *best);

#endif
