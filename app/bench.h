/* The benches, one a file; each returns the exit code. */
#ifndef APP_BENCH_H
#define APP_BENCH_H

#include "session.h"

int bench_ilp(session *s);
int bench_countries(session *s);

#endif
