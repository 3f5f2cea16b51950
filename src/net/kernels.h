/* The functions in which training spends its time. Each is compiled once for
** each instruction set (CMakeLists.txt) under a name of its own, name_base,
** name_avx2 and name_avx512f; the plain name calls the best that the machine
** has. All give the same bits. */
#ifndef PITH_NET_KERNELS_H
#define PITH_NET_KERNELS_H

#include "net/core.h"
#include "net/tape.h"
#include "net/update.h"
#include "net/weigh.h"

/* X(name, parameters, arguments) */
#define PITH_I_KERNEL_LIST(X)                                                  \
  X(pith_i_net_forward, (pith_i_tape * t), (t))                                \
  X(pith_i_net_backward, (pith_i_tape * t), (t))                               \
  X(pith_i_loss_forward,                                                       \
    (const pith_i_tape *t, pith_i_scalar eps, pith_i_real *loss,               \
     pith_i_real *error),                                                      \
    (t, eps, loss, error))                                                     \
  X(pith_i_loss_backward, (pith_i_tape * t, pith_i_scalar eps), (t, eps))      \
  X(pith_i_softmax_forward,                                                    \
    (const pith_i_net *net, const pith_i_real *theta,                          \
     const pith_i_real *noise, pith_i_scalar tau, pith_i_real *w),             \
    (net, theta, noise, tau, w))                                               \
  X(pith_i_softmax_backward,                                                   \
    (const pith_i_net *net, const pith_i_real *w, pith_i_scalar tau,           \
     const pith_i_real *dw, pith_i_real *dtheta),                              \
    (net, w, tau, dw, dtheta))                                                 \
  X(pith_i_cosine_forward,                                                     \
    (const pith_i_net *net, const pith_i_real *emb, uint32_t d,                \
     pith_i_real *norm, pith_i_real *w),                                       \
    (net, emb, d, norm, w))                                                    \
  X(pith_i_cosine_backward,                                                    \
    (const pith_i_net *net, const pith_i_real *emb, uint32_t d,                \
     const pith_i_real *norm, const pith_i_real *w, const pith_i_real *dw,     \
     pith_i_real *demb),                                                       \
    (net, emb, d, norm, w, dw, demb))                                          \
  X(pith_i_noise_make,                                                         \
    (pith_i_noise kind, const pith_i_word *seed, uint32_t epoch,               \
     pith_i_scalar scale, size_t n, pith_i_real *out),                         \
    (kind, seed, epoch, scale, n, out))                                        \
  X(pith_i_adam,                                                               \
    (const pith_i_adam_step *s, size_t n, const pith_i_real *d,                \
     pith_i_real *first, pith_i_real *second, pith_i_real *theta),             \
    (s, n, d, first, second, theta))                                           \
  X(pith_i_core_forward,                                                       \
    (const pith_i_core_step *s, const pith_i_real *theta,                      \
     const pith_i_real *noise, pith_i_real *core, pith_i_real *value),         \
    (s, theta, noise, core, value))                                            \
  X(pith_i_core_backward,                                                      \
    (const pith_i_core_step *s, const pith_i_real *noise,                      \
     const pith_i_real *core, const pith_i_real *dvalue, pith_i_real *dtheta), \
    (s, noise, core, dvalue, dtheta))                                          \
  X(pith_i_theory_loss_forward,                                                \
    (const pith_i_core_step *s, const pith_i_tape *t, pith_i_scalar eps,       \
     const pith_i_real *core, pith_i_real *loss, pith_i_real *error),          \
    (s, t, eps, core, loss, error))

#define PITH_I_DECLARE(name, parameters, arguments)                            \
  void name##_base parameters;                                                 \
  void name##_avx2 parameters;                                                 \
  void name##_avx512f parameters;
PITH_I_KERNEL_LIST(PITH_I_DECLARE)

/* The instruction set that is used: "base", "avx2" or "avx512f". */
const char *pith_i_isa(void);

#endif
