/* No other process exists: kill finds none that is gone, so no file is taken
** for one that a killed process left behind. */
#ifndef PITH_WASM_SIGNAL_H
#define PITH_WASM_SIGNAL_H

#include <sys/types.h>

static inline int kill(pid_t process, int number) {
  (void)process, (void)number;
  return 0;
}

#endif
