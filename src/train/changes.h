/* From the authors' code to the default in single steps: what each of the
** differences is worth is measured along this way (docs/method.md). */
#ifndef PITH_TRAIN_CHANGES_H
#define PITH_TRAIN_CHANGES_H

#include "train/descent.h"

/* Makes the first n changes to the recipe of the paper's semantics; after all
** of them it is the default one. */
void pith_i_recipe_change(pith_i_recipe *r, uint32_t n);

#endif
