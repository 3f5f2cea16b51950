/* The benches, one a file; each returns the exit code. */
#ifndef APP_BENCH_H
#define APP_BENCH_H

#include "session.h"

int bench_ilp(session *s);
int bench_theory(session *s);
int bench_countries(session *s);

/* The end of a table: its time, the result event, the exit code. */
int bench_finish(session *s, double began, size_t tasks, bool failed);

/* Sorts the times and gives the one in the middle. */
double bench_median(double *times, size_t n);

#endif
