#include "net/kernels.h"

#ifdef PITH_I_X86

const char *pith_i_isa(void) {
  return __builtin_cpu_supports("avx512f") ? "avx512f"
         : __builtin_cpu_supports("avx2")  ? "avx2"
                                           : "base";
}

#define DEFINE(name, parameters, arguments)                                    \
  void name parameters {                                                       \
    if (__builtin_cpu_supports("avx512f"))                                     \
      name##_avx512f arguments;                                                \
    else if (__builtin_cpu_supports("avx2"))                                   \
      name##_avx2 arguments;                                                   \
    else                                                                       \
      name##_base arguments;                                                   \
  }

#else

const char *pith_i_isa(void) { return "base"; }

#define DEFINE(name, parameters, arguments)                                    \
  void name parameters { name##_base arguments; }

#endif

PITH_I_KERNEL_LIST(DEFINE)
