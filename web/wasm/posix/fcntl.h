/* Locks of files, which WASI lacks: fcntl refuses a command it does not
** know. */
#ifndef PITH_WASM_FCNTL_H
#define PITH_WASM_FCNTL_H

#include_next <fcntl.h>

#define F_SETLK 6
#define F_WRLCK 1

#endif
