/* The paper's way to rank, trained with facts hidden in each of three ways; a
** restart's model is the one that does best on the handle's examples. */
#ifndef APP_PAPER_H
#define APP_PAPER_H

#include "session.h"

enum { HIDINGS = 3 };

typedef struct {
  pith_paper *model[HIDINGS];            /* by pith_grade_hiding        */
  uint32_t best[PITH_PAPER_RESTARTS];    /* of these, for each restart  */
  double precision[PITH_PAPER_RESTARTS]; /* of that on the examples     */
} paper_models;

pith_status paper_train(pith *p, pith_pred target,
                        const pith_paper_options *opt, paper_models *out);
void paper_free(paper_models *m);
/* What the settings say. */
void paper_options(const settings *set, pith_paper_options *opt);

/* How each restart's model orders another handle's examples. */
pith_status paper_rank(pith *p, const paper_models *m, const pith *pairs,
                       pith_ranking out[PITH_PAPER_RESTARTS]);

/* pith learn --target --semantics paper */
int learn_paper(session *s);

#endif
