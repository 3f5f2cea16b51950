/* What every command says, and how: messages on standard error, comments and
** JSON events in the result, sizes and times for people. */
#ifndef APP_REPORT_H
#define APP_REPORT_H

#include <stdio.h>

#include "pith.h"

/* ---- standard error --------------------------------------------------- */

void say_error(const char *format, ...) PITH_PRINTF(1, 2);
void say_warning(const char *format, ...) PITH_PRINTF(1, 2);
void say_note(const char *format, ...) PITH_PRINTF(1, 2);

/* The remarks from number `from` on, each with its line and a caret. */
void say_remarks(const pith *p, size_t from, bool warnings);

/* Whether colour is welcome there: a terminal, and NO_COLOR is not set. */
bool wants_colour(FILE *f);

/* ---- figures ---------------------------------------------------------- */

enum { SIZE_ROOM = 32 };
const char *size_text(char room[SIZE_ROOM], double bytes); /* 1.5 GiB */
const char *seconds_text(char room[SIZE_ROOM], double s);  /* 1.25 s  */
const char *ratio_text(char room[SIZE_ROOM], double r);    /* 0.957   */
const char *plural(uint64_t n, const char *one, const char *many);

/* ---- JSON ------------------------------------------------------------- */

/* {"event":"name" ... } on one line. Figures that are not finite are null. */
void event_begin(pith_out *o, const char *name);
void event_key(pith_out *o, const char *key); /* then a value by hand */
void event_text(pith_out *o, const char *key, const char *text); /* or null */
void event_atom(pith_out *o, const pith *p, const pith_atom *a);
void event_rule(pith_out *o, const pith *p, const pith_rule *r);
void event_count(pith_out *o, const char *key, uint64_t n);
void event_real(pith_out *o, const char *key, double v);
void event_flag(pith_out *o, const char *key, bool v);
void event_end(pith_out *o);

/* ---- comments --------------------------------------------------------- */

/* Text of ours or a user's inside a % comment: control characters would end
** the comment or fool a terminal, so each becomes '?'. */
void put_safe(pith_out *o, const char *text);

/* text's lines, each as a comment. */
void put_commented(pith_out *o, const char *text);

/* "1 fact", "2 facts". */
void put_number(pith_out *o, uint64_t n, const char *one, const char *many);

#endif
