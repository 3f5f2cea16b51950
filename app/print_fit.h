/* Rules with their counts, and examples that go wrong, as score and learn both
** print them. */
#ifndef APP_PRINT_FIT_H
#define APP_PRINT_FIT_H

#include "session.h"

/* What is reported of a rule; NaN: not reported. */
typedef struct {
  pith_counts counts;
  double similarity; /* a rule that was read tells its place instead */
  double weight;     /* in the log-odds                              */
  bool doubtful; /* the theory is not worth its length: a comment, no rule */
  uint32_t agree, theories; /* kept theories that have it, of all; 0: none */
} rule_fit;

/* The rule with its counts, as a line or an event. */
pith_status put_rule_fit(const session *s, const pith_rule *r,
                         const rule_fit *f);

/* The examples that go wrong, each with the reason where that is cheap; the
** first few, or all. *named: how many. session_infer comes before. */
pith_status put_wrong_examples(const session *s, bool all, uint64_t *named);

#endif
