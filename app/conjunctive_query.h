/* A query that is more than an atom: under(ann,X), dept(X,Y). It becomes a rule
** whose head has the query's variables. */
#ifndef APP_CONJUNCTIVE_QUERY_H
#define APP_CONJUNCTIVE_QUERY_H

#include "session.h"

enum { MOST_VARIABLES = 64 };

typedef struct {
  char name[16];                      /* of the head's predicate */
  char variables[MOST_VARIABLES][64]; /* in the order they occur */
  size_t count;
} conjunction;

/* Whether the query has a comma or a negation outside of parentheses. */
bool is_conjunction(const char *query);

/* Adds the rule; *head is its head, which lives until the next atom is read. */
int conjunction_add(session *s, conjunction *c, const pith_atom **head);

/* In quotes where a reader would need them. */
void put_csv_cell(pith_out *o, const char *text);

/* The facts of p that match head as a table: a line of the variables, then a
** line for each fact. */
pith_status conjunction_put_csv(const pith *p, pith_part part,
                                const conjunction *c, const pith_atom *head,
                                pith_out *o);

#endif
