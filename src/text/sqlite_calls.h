/* The calls of SQLite that we use, found when the first database is met.
**
** The loader resolves the 1,600 symbols that SQLite refers to whenever a
** program that is linked with it starts, which took a command four times as
** long as everything else that happens before main. So the command opens the
** library itself, by its name. Where PITH_SQLITE_NAME is not defined (a static
** build, the Python module, whose wheels carry what they are linked with) the
** calls are linked as usual. */
#ifndef PITH_TEXT_SQLITE_CALLS_H
#define PITH_TEXT_SQLITE_CALLS_H

typedef struct pith_i_sqlite_calls pith_i_sqlite_calls;

#ifdef PITH_HAVE_SQLITE
#include <sqlite3.h>
#include <stdbool.h>

#define PITH_I_SQLITE_CALLS(X)                                                 \
  X(bind_text)                                                                 \
  X(close)                                                                     \
  X(column_bytes)                                                              \
  X(column_count)                                                              \
  X(column_decltype)                                                           \
  X(column_double)                                                             \
  X(column_int)                                                                \
  X(column_name)                                                               \
  X(column_text)                                                               \
  X(column_type)                                                               \
  X(errcode)                                                                   \
  X(errmsg)                                                                    \
  X(finalize)                                                                  \
  X(free)                                                                      \
  X(limit)                                                                     \
  X(mprintf)                                                                   \
  X(open_v2)                                                                   \
  X(prepare_v2)                                                                \
  X(progress_handler)                                                          \
  X(reset)                                                                     \
  X(step)                                                                      \
  X(stricmp)                                                                   \
  X(strlike)

struct pith_i_sqlite_calls {
#define X(name) __typeof__(sqlite3_##name) *name;
  PITH_I_SQLITE_CALLS(X)
#undef X
};

/* False: SQLite is not on this machine, or too old; *why says so in the
** loader's words. */
bool pith_i_sqlite_load(pith_i_sqlite_calls *out, const char **why);

#endif
#endif
