/* Logarithms and exponentials of floats by way of doubles. The C libraries of
** two machines differ in the last bit of either; that of a double is gone in
** the float, so that a model has the same bytes on both. */
#ifndef PITH_BASE_FLOAT_MATH_H
#define PITH_BASE_FLOAT_MATH_H

#include <math.h>

static inline float pith_i_float_log(float x) { return (float)log((double)x); }
static inline float pith_i_float_log1p(float x) {
  return (float)log1p((double)x);
}
static inline float pith_i_float_exp(float x) { return (float)exp((double)x); }

#endif
