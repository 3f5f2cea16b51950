/* --report: beside the result that it prints, a command writes the same once
** more as events, with some that only the report shows. They are kept in memory
** and become a page when the result is finished. */
#ifndef APP_REPORT_EVENTS_H
#define APP_REPORT_EVENTS_H

#include "session.h"

/* Turns the session to the report's events: until the next call all that is
** written goes there, as JSON. False: no report is wanted, and nothing was
** turned. Use:
**
**   put_something(s);
**   if (report_turn(s)) {
**     put_something(s);
**     report_turn(s);
**   } */
bool report_turn(session *s);

/* Called by session_open and session_finish; an exit code. */
int report_open(session *s);
int report_finish(session *s);

/* The examples with the rules that give each, and proofs of the first of them,
** or why there is none. rules: of s->p, from number `first` on; what they give
** was inferred. A failure is a status. */
pith_status report_examples(session *s, size_t first);

/* The rule in plain words, as a field of its event; only for the report. text:
** as Prolog. */
void event_words(const session *s, const char *text);

/* Proofs of what follows in `whole`, as far as that is cheap. */
pith_status report_derived(const session *s, pith *whole);

/* Which rules of a graph model are shown: those that are surely better than
** `least`, and of those at it the first so many. */
typedef struct {
  double least;
  size_t at_least;
} strong_rules;

/* Whether this rule is one of them; asked of all rules in their order. */
bool strong_rule_next(strong_rules *w, const pith_model_rule *r);

/* Each relation of a graph model with how many facts and rules it has, and
** which rules are shown. */
pith_status report_relations(const session *s, pith_model *m,
                             const pith_model_info *info, strong_rules *shown);

#endif
