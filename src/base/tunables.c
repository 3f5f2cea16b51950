#include "base/tunables.h"

const pith_i_real_tunables pith_i_reals = {
#define PITH_I_COUNT(name, value, low, high, meaning)
#define PITH_I_REAL(name, value, low, high, meaning) .name = (value),
#include "base/tunables.def"
#undef PITH_I_COUNT
#undef PITH_I_REAL
};

#define PITH_I_COUNT(name, value, low, high, meaning)                          \
  _Static_assert((value) >= (low) && (value) <= (high), #name);
#define PITH_I_REAL(name, value, low, high, meaning)
#include "base/tunables.def"
#undef PITH_I_COUNT
#undef PITH_I_REAL

static const pith_tunable tunables[] = {
#define PITH_I_COUNT(name, value, low, high, meaning)                          \
  {#name, value, low, high, meaning},
#define PITH_I_REAL(name, value, low, high, meaning)                           \
  {#name, value, low, high, meaning},
#include "base/tunables.def"
#undef PITH_I_COUNT
#undef PITH_I_REAL
};

const pith_tunable *pith_tunable_at(size_t i) {
  return i < sizeof tunables / sizeof *tunables ? &tunables[i] : NULL;
}
