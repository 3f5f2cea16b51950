/* The worlds that rules are learned from: which operands make up which, and
** reading them. */
#ifndef APP_LEARN_WORLDS_H
#define APP_LEARN_WORLDS_H

#include "print_learned.h"

/* Reads all worlds into l, and the templates into the first of them; or sets
** l->graph if there is one world of facts alone. Returns an exit code. */
int read_worlds(learning *l);
void free_worlds(learning *l);

#endif
