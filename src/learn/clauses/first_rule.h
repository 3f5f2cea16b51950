/* Programs that deny an invented predicate: their first rule, whose body covers
** all positive examples or most of them; and what it covers beside them, as
** examples of the invented predicate.
**
**   safe(A) :- house(A), \+ not_safe(A).
**   not_safe(A) :- part(A,B), weight(B,C), C =< 10. */
#ifndef PITH_LEARN_CLAUSES_FIRST_RULE_H
#define PITH_LEARN_CLAUSES_FIRST_RULE_H

#include "learn/clauses/clause_learner.h"

typedef struct {
  pith_i_clause_learner *d;
  pith_i_growth growth; /* of what the body is made of */
  pith_i_clause body;
  uint64_t *cover;      /* (words) of the body */
  uint64_t cost;        /* of the rule */
  uint32_t most_missed; /* positive examples that it need not cover */
} pith_i_first_rule;

/* Grows parts of two atoms from the space and the sample of d. The caller
** closes it also after failure. */
pith_status pith_i_first_rule_open(pith_i_first_rule *x,
                                   pith_i_clause_learner *d);
void pith_i_first_rule_close(pith_i_first_rule *x);

/* The shortest body whose parts bind all of the head's variables; false: there
** is none. */
bool pith_i_first_rule_bind(pith_i_first_rule *x);
/* One condition more that leaves fewer negative examples; false: none does. */
bool pith_i_first_rule_narrow(pith_i_first_rule *x);
double pith_i_first_rule_bits(const pith_i_first_rule *x);
/* The rule alone, in the arena of d. */
pith_status pith_i_first_rule_write(const pith_i_first_rule *x,
                                    pith_i_rules *out);

/* not_safe. */
pith_status pith_i_name_denied(pith_i_space *s, pith_pred *out);
/* The rule with one atom more, which is denied. */
pith_status pith_i_deny_in_rule(pith_i_arena *arena, pith_rule *r,
                                const pith_atom *denied);

typedef pith_status pith_i_learn_turned(void *ctx, const pith_i_task *turned,
                                        pith_i_best *found);

/* Learns the examples that the rule covers with their signs turned round, under
** the target's name. */
pith_status pith_i_learn_exceptions(const pith_i_task *task,
                                    const pith_i_rules *rule,
                                    pith_i_learn_turned *learn, void *ctx,
                                    pith_i_best *found);
/* The rule, and the theory that it denies under a name of its own. */
pith_status pith_i_deny_theory(pith_i_clause_learner *d,
                               const pith_i_learned_theory *t,
                               pith_i_rules *rules);

#endif
