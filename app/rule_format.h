/* Results that are rules, in the formats that other programs read. A command
** prints its result as Prolog, which is kept, read into a handle of its own and
** written again: so each command has them all, and none knows of any. */
#ifndef RULE_FORMAT_H
#define RULE_FORMAT_H

#include "session.h"

/* Whether --to asks for such a format. */
bool has_rule_format(const session *s);

/* Writes the result, which is in the memory of s->out, as --to has it; closes
** s->out. Returns 0 or an exit code. */
int put_rule_format(session *s);

#endif
