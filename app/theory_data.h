/* The observations that bench theory compresses, and what was published of
** them. A folder's name is used for nothing but to look that up. */
#ifndef APP_THEORY_DATA_H
#define APP_THEORY_DATA_H

#include "find_inputs.h"
#include "session.h"

/* Every facts*.pl with a templates.txt beside it that --data and --tasks name,
** or of data/theory; says what is wrong and gives the exit code. */
int find_theory_data(const session *s, path_list *data);

/* "taxonomy/facts" of "data/theory/taxonomy/facts.pl"; to be freed. */
char *theory_data_name(const char *path);
char *path_beside(const char *path, const char *name); /* to be freed */
bool is_file(const char *path);

/* Campero et al. 2018, table 3: in percent, and facts. */
typedef struct {
  double success, accuracy, core;
} published_theory;
/* By "taxonomy/facts" and the like; false: nothing was published. */
bool find_published_theory(const char *name, published_theory *out);

/* A handle with the facts and, unless NULL, the templates. part->p is the
** caller's to free, whatever is returned. */
int read_theory_data(const session *s, const char *facts, const char *templates,
                     session *part);

/* Facts observed, and atoms whose constants were seen in their places. */
int count_theory_atoms(const session *s, const char *facts, uint64_t *observed,
                       double *atoms);

#endif
