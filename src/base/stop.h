/* Whether long work is to be left off: asked now and then, from the thread
** that works. */
#ifndef PITH_BASE_STOP_H
#define PITH_BASE_STOP_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
  bool (*ask)(void *ctx); /* NULL: never */
  void *ctx;
} pith_i_stop;

static inline bool pith_i_told(const pith_i_stop *stop) {
  return stop != NULL && stop->ask != NULL && stop->ask(stop->ctx);
}

#endif
