/* The benches, one a file; each returns the exit code. */
#ifndef APP_BENCH_H
#define APP_BENCH_H

#include "find_inputs.h"
#include "session.h"

int bench_ilp(session *s);
int bench_paper(session *s); /* ilp --semantics paper, text */
int bench_theory(session *s);
int bench_paper_theory(session *s); /* theory --semantics paper, text */
int bench_countries(session *s);
int bench_ablation(session *s);

/* The start of a table: what stands above it, in text. legend may be NULL. */
typedef void (*bench_lines)(const session *s);
int bench_open(session *s, bench_lines legend, bench_lines head);

/* The end of a table: its time, the result event, the exit code. */
int bench_finish(session *s, double began, size_t tasks, bool failed);

/* What Campero et al. published for dILP and for their system, in percent; NaN:
** nothing. */
void bench_published(const char *task, double *dilp, double *paper);

/* The task folders that --data and --tasks name, or those of the folder. */
int bench_find_tasks(const session *s, const char *folder, path_list *tasks);

/* Of all threads, so far. */
double bench_processor_seconds(void);

/* Sorts the times and gives the one in the middle. */
double bench_median(double *times, size_t n);

#endif
