/* A proof by clingo that what was found cannot be smaller. */
#ifndef APP_CERTIFICATE_H
#define APP_CERTIFICATE_H

#include "session.h"

/* Writes the program to --certify's FILE, runs clingo on it where there is one,
** and says what came of it, as a comment or an event. */
pith_status put_certificate(const session *s, const pith_compressed *found);

#endif
