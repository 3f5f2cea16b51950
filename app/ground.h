/* Facts of a background that is Prolog and not Datalog, by SWI-Prolog. */
#ifndef APP_GROUND_H
#define APP_GROUND_H

#include "session.h"

/* Reads the one operand, a Popper folder or a background file, as the facts
** that hold of --preds over its constants. examples, bias: read those of a
** folder too. 0, or an exit code after saying what is wrong. */
int ground_read(session *s, bool examples, bool bias);

#endif
