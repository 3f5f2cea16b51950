/* How rules and examples fare, as score and learn both print it. */
#ifndef APP_FIT_H
#define APP_FIT_H

#include "session.h"

/* The rule with its counts, as a line or an event. similarity: NaN is none;
** a rule that was read tells its place instead. */
pith_status put_rule_fit(const session *s, const pith_rule *r,
                         const pith_counts *c, double similarity);

/* The examples that go wrong, each with the reason where that is cheap; the
** first few, or all. *named: how many. session_infer comes before. */
pith_status put_wrong_examples(const session *s, bool all, uint64_t *named);

#endif
