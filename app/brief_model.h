/* A model on a terminal: of each relation the strongest rules. Nobody reads
** thousands of them there, nor the weights; a file or a pipe gets all. */
#ifndef APP_BRIEF_MODEL_H
#define APP_BRIEF_MODEL_H

#include "session.h"

/* Somebody reads standard output as it comes, and did not ask for all of it by
** -o -. */
bool reads_on_terminal(const session *s);

/* info: of the model. PITH_ENOMEM */
pith_status put_brief_model(const session *s, pith_model *m,
                            const pith_model_info *info);

#endif
