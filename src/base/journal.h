/* Results of loops in a file, each appended when it is there, so that what a
** killed run had finished is not done again. An entry that was not written
** whole, and whatever follows it, does not count and is overwritten. */
#ifndef PITH_BASE_JOURNAL_H
#define PITH_BASE_JOURNAL_H

#include "base/env.h"

typedef struct pith_i_journal pith_i_journal;

typedef struct {
  uint64_t loop;      /* its number, and what it computes */
  size_t first, last; /* items */
  const char *bytes;
  size_t n;
} pith_i_journal_entry;

/* Makes the file, or opens one of the same computation. error: where to put
** the sentence. PITH_EINPUT, PITH_EIO, PITH_ENOMEM */
pith_status pith_i_journal_open(pith_i_env *env, const char *path,
                                uint64_t print, pith_i_env *error,
                                pith_i_journal **out);
void pith_i_journal_close(pith_i_journal *j); /* NULL is fine */

/* PITH_EIO */
pith_status pith_i_journal_add(pith_i_journal *j, uint64_t loop, size_t first,
                               size_t last, const void *bytes, size_t n);

/* Visits what the file held of a loop when it was opened, until visit returns
** other than 0. */
void pith_i_journal_each(const pith_i_journal *j, uint64_t loop,
                         int (*visit)(void *ctx, const pith_i_journal_entry *e),
                         void *ctx);

#endif
