/* The constants that learners were tuned with, all in tunables.def, so that
** they can be compared, listed (`pith help tunables`) and changed in one place.
**
** To add one: a line in tunables.def under its group, with the value, the range
** within which it makes sense, and its meaning; then PITH_TUNE_NAME, an
** enumerator, or pith_i_reals.NAME, a double, where it is used. What is not
** tuned (sizes that a representation fixes, seeds) stays where it is used. */
#ifndef PITH_BASE_TUNABLES_H
#define PITH_BASE_TUNABLES_H

#include "pith.h"

enum {
#define PITH_I_COUNT(name, value, low, high, meaning) PITH_TUNE_##name = value,
#define PITH_I_REAL(name, value, low, high, meaning)
#include "base/tunables.def"
#undef PITH_I_COUNT
#undef PITH_I_REAL
};

typedef struct {
#define PITH_I_COUNT(name, value, low, high, meaning)
#define PITH_I_REAL(name, value, low, high, meaning) double name;
#include "base/tunables.def"
#undef PITH_I_COUNT
#undef PITH_I_REAL
} pith_i_real_tunables;

extern const pith_i_real_tunables pith_i_reals;

#endif
