/* --checkpoint of compress, score and infer: what parts of the computation
** gave is kept in a file, and the same command goes on from there. */
#ifndef APP_KEEP_RESULTS_H
#define APP_KEEP_RESULTS_H

#include "session.h"

/* A sum over whatever the result depends on beside the session's handle: its
** settings are looked at anyway. Starts at 0. */
uint64_t sum_number(uint64_t sum, uint64_t n);
uint64_t sum_facts(uint64_t sum, const pith *p); /* NULL is fine */

/* Nothing where there is no --checkpoint. An exit code. */
int keep_results(session *s, uint64_t sum);
void keep_results_end(session *s);

#endif
