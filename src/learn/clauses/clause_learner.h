/* What the search for clauses knows while it goes from target to target and
** from language to language, and how it offers what it finds. */
#ifndef PITH_LEARN_CLAUSES_CLAUSE_LEARNER_H
#define PITH_LEARN_CLAUSES_CLAUSE_LEARNER_H

#include "learn/clauses/clause_sizes.h"
#include "learn/clauses/targets_in_turn.h"
#include "task/best.h"
#include "task/vocabulary.h"

typedef struct {
  const pith_i_task *task;
  pith_i_run *run;
  pith_i_best *best;
  bool use_exact;     /* look for what fits all examples               */
  bool use_noisy;     /* and, if nothing does, for what is worth its length */
  bool brief;         /* one round                                     */
  bool small_first;   /* parts with small tables are grown first       */
  double effort;      /* share of the usual work; 0: all of it           */
  uint32_t richest;   /* languages after this one are not tried        */
  bool beside;        /* what is offered now stands beside the best    */
  double oddness;     /* atoms that it counts more for being odd       */
  pith_i_arena arena; /* of the rules */
  pith_i_preds targets;
  PITH_I_VEC(pith_rule *) rules; /* of the targets before this one */
  double bits;                   /* theirs, or NaN                 */
  pith_i_space space;
  pith_i_sample sample;
  PITH_I_VEC(uint32_t) hard; /* examples that programs got wrong */
  pith_i_exact exact;
  bool solved, fits; /* this target; by the rules offered last */
  bool heart, all;   /* a sample was learned by heart; all are looked at */
  bool early;        /* before richer languages were tried at length */
  bool single;       /* one rule, which covers all positive examples */
  uint32_t one_rule_tried; /* with the work of rounds below this      */
  uint32_t rounds;         /* of all languages, each with more work */
  bool named;              /* the best program was found with constants */
  double saving;           /* by the best program */
  uint32_t rule_count;     /* of it */
  uint64_t below;          /* cost of the best */
  pith_space found;        /* where that is */
  pith_i_kind needed;      /* atoms that the language is searched for */
  bool sparing;            /* only for what costs much less than the best */
  pith_i_rules partial;    /* worth their words, where nothing fits all */
  double partial_bits, partial_cost; /* cost: with the errors; or INFINITY */
  uint32_t number, count;            /* of this language, and of all */
  bool circular; /* targets explain each other, and nothing else does */
  bool doubted;  /* what is worth its length says that labels are wrong */
  /* Languages, as bits, with nothing left out but what is dear. */
  uint32_t done;
} pith_i_clause_learner;

/* ---- clause_learner.c: the state -------------------------------------- */

bool pith_i_clauses_is_target(const pith_i_clause_learner *d, pith_pred pred);

/* Predicates that may still be invented: targets before this one may have taken
** some. */
uint32_t pith_i_clauses_invented_left(const pith_i_clause_learner *d);

/* Where the labels are told in a few bits, whatever takes long to find would be
** learned by heart. */
bool pith_i_clauses_has_few_bits(const pith_i_clause_learner *d);

/* What a program may cost, less than that: constants have to be worth it. */
uint64_t pith_i_clauses_most_cost(const pith_i_clause_learner *d);
pith_i_exact_limits pith_i_clauses_limits(const pith_i_clause_learner *d,
                                          uint32_t round);

/* Says to the run where the search is, once the language's words are known. */
void pith_i_clauses_describe(pith_i_clause_learner *d,
                             const pith_i_language *language, bool noisy);

/* Where memory runs out in one language, another may need less: notes that and
** goes on. */
pith_status pith_i_clauses_note_full_memory(pith_i_clause_learner *d,
                                            pith_status rc);

/* ---- clause_offers.c: what was found ----------------------------------- */

/* The rules of all targets so far. */
pith_status pith_i_clauses_offer_program(pith_i_clause_learner *d, double bits,
                                         bool *fits);

/* Rules for this target. With those before they are a program; where more
** targets follow, whether it fits is seen at the last. */
pith_status pith_i_clauses_offer_rules(pith_i_clause_learner *d,
                                       pith_rule *const *rules, uint32_t n,
                                       double bits);

/* The clauses that are worth their words, if they are the best so far. */
pith_status pith_i_clauses_note_partial(pith_i_clause_learner *d);

/* It is no solution, but may be the best there is. */
pith_status pith_i_clauses_offer_partial(pith_i_clause_learner *d);

/* Other programs beside the best, where they were asked for. With several
** targets only the last has some. A verdict on many examples takes long, so
** that few are tried. */
pith_status pith_i_clauses_offer_others(pith_i_clause_learner *d,
                                        uint32_t round);

/* ---- clause_search.c, class_search.c, clause_rounds.c: what comes when - */

/* What fits all examples of the target: one language after the other, in rounds
** of more and more work, until a program is good enough. */
pith_status pith_i_clauses_try_exact(pith_i_clause_learner *d,
                                     pith_pred target);

/* A task of one target, with the settings of the learner that ctx points to. */
pith_i_learn_one_target pith_i_clauses_learn_one;

/* The classes of the only target, if it has such, one by one. done: nothing
** else need be looked for. */
pith_status pith_i_clauses_try_classes(pith_i_clause_learner *d, bool *done);

/* ---- one_language.c and others, one way to search each ----------------- */

/* Looks for a program in one language. done: nothing was left out for want of
** work. */
pith_status pith_i_clauses_try_language(pith_i_clause_learner *d,
                                        const pith_i_language *language,
                                        pith_pred target, uint32_t round,
                                        bool *done);

/* Recursion through atoms without a label; small programs only, but all of
** them, so it comes early; with constants or denials when it is their turn. */
pith_status pith_i_clauses_try_recursion(pith_i_clause_learner *d,
                                         pith_pred target, uint32_t constants,
                                         bool absent);

/* Programs that deny an invented predicate (denied_program.c). */
pith_status pith_i_clauses_try_denied(pith_i_clause_learner *d,
                                      pith_pred target, uint32_t round);

/* Programs that are worth their length, where examples may be wrong. More words
** make each of them dearer: the pool weighs both. With several targets there is
** one try for each, for the next ones rest on it. */
pith_status pith_i_clauses_try_noisy(pith_i_clause_learner *d,
                                     pith_pred target);

/* The same with an invented predicate that is denied (noisy_denied.c). */
pith_status pith_i_clauses_try_noisy_denied(pith_i_clause_learner *d,
                                            pith_pred target);

/* Whether the best of a list, which may be learned class by class, says plainly
** that labels of the task are wrong, and takes half of `most` bits at most:
** those of what fits all labels. */
bool pith_i_clauses_noise_plain(const pith_i_task *task,
                                const pith_i_best *found, double most);

/* Whether what is short was looked for and does not fit, or only many rules do,
** so that examples may be wrong; not where bias.pl says that something has to
** be invented. */
bool pith_i_clauses_may_doubt(const pith_i_clause_learner *d);

/* Weighs what there is. Where that says that labels are wrong, it stays; where
** that is likely, it is kept aside. */
pith_status pith_i_clauses_doubt(pith_i_clause_learner *d, pith_pred target,
                                 pith_i_best *likely);

#endif
