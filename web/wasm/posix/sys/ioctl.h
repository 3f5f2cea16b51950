/* The size of a terminal: there is none, and ioctl refuses what it does not
** know. */
#ifndef PITH_WASM_IOCTL_H
#define PITH_WASM_IOCTL_H

#include_next <sys/ioctl.h>

#define TIOCGWINSZ 0x5413

struct winsize {
  unsigned short ws_row, ws_col;
};

#endif
