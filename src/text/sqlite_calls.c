#include "text/sqlite_calls.h"

#ifdef PITH_HAVE_SQLITE
#include <stddef.h>

#ifdef PITH_SQLITE_NAME
#include <dlfcn.h>

/* Others in this process may use SQLite too, and it keeps memory of its own:
** once loaded it stays. */
bool pith_i_sqlite_load(pith_i_sqlite_calls *out, const char **why) {
  void *library = dlopen(PITH_SQLITE_NAME, RTLD_LAZY | RTLD_LOCAL);
  bool found = library != NULL;
  /* ISO C has no way from an object's address to a function's; POSIX has. */
#define X(name)                                                                \
  if (found)                                                                   \
    found = (*(void **)&out->name = dlsym(library, "sqlite3_" #name)) != NULL;
  PITH_I_SQLITE_CALLS(X)
#undef X
  *why = found ? NULL : dlerror();
  return found;
}
#else
bool pith_i_sqlite_load(pith_i_sqlite_calls *out, const char **why) {
#define X(name) out->name = sqlite3_##name;
  PITH_I_SQLITE_CALLS(X)
#undef X
  *why = NULL;
  return true;
}
#endif
#endif
