/* Missing links: graphs learned, queries answered with ranks, held-out facts
** scored. Each is a command's run where its inputs are a graph. */
#ifndef APP_LINKS_H
#define APP_LINKS_H

#include "session.h"

/* What was read has nothing but facts, some of them binary. */
bool links_is_graph(const pith *p);
/* Some rule has a probability. */
bool links_is_model(const pith *p);

int links_learn(session *s);
/* What that would take. */
int links_estimate(const session *s, pith_estimate *out);
int links_infer(session *s, const pith_atom *query);
int links_score(session *s);

/* The end of ranked answers, n of them; none: why there may be none. */
int finish_answers(session *s, size_t n, const char *none);

#endif
