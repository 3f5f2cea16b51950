#include "base/journal.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bytes.h"

static const char magic[16] = "pith journal 1\n";

typedef struct {
  uint64_t loop, first, last, n;
  uint64_t hash; /* of the bytes and of the above */
} entry_head;

struct pith_i_journal {
  pith_i_env *env;
  FILE *file;
  pith_i_buffer held; /* what it held when it was opened, without the head */
};

static uint64_t hash_entry(const entry_head *e, const void *bytes) {
  uint64_t words[] = {e->loop, e->first, e->last, e->n};
  return pith_i_mix(pith_i_hash_bytes(words, sizeof words),
                    pith_i_hash_bytes(bytes, e->n));
}

/* The entry at a place and the place behind it; false: none is there. */
static bool entry_at(const pith_i_journal *j, bool check, size_t *at,
                     pith_i_journal_entry *out) {
  entry_head e;
  if (j->held.n - *at < sizeof e)
    return false;
  memcpy(&e, j->held.at + *at, sizeof e);
  const char *bytes = j->held.at + *at + sizeof e;
  if (e.n > j->held.n - *at - sizeof e ||
      (check && e.hash != hash_entry(&e, bytes)))
    return false;
  *out = (pith_i_journal_entry){e.loop, e.first, e.last, bytes, e.n};
  *at += sizeof e + e.n;
  return true;
}

static pith_status read_held(pith_i_journal *j) {
  char piece[65536];
  size_t n;
  while ((n = fread(piece, 1, sizeof piece, j->file)) > 0)
    if (!pith_i_buffer_put(j->env, &j->held, piece, n))
      return PITH_ENOMEM;
  return ferror(j->file) ? PITH_EIO : PITH_OK;
}

/* Where the next entry goes: behind the last whole one. */
static pith_status find_end(pith_i_journal *j) {
  pith_i_journal_entry e;
  size_t at = 0;
  while (entry_at(j, true, &at, &e))
    continue;
  j->held.n = at;
  off_t end = (off_t)(sizeof magic + sizeof(uint64_t) + at);
  return fseeko(j->file, end, SEEK_SET) == 0 &&
                 ftruncate(fileno(j->file), end) == 0
             ? PITH_OK
             : PITH_EIO;
}

static pith_status read_journal(pith_i_journal *j, const char *path,
                                uint64_t print, pith_i_env *error) {
  char seen[sizeof magic];
  uint64_t of;
  size_t n = fread(seen, 1, sizeof seen, j->file);
  if (n == 0) { /* a new one */
    bool ok = fwrite(magic, sizeof magic, 1, j->file) == 1 &&
              fwrite(&print, sizeof print, 1, j->file) == 1 &&
              fflush(j->file) == 0;
    return ok ? PITH_OK : PITH_EIO;
  }
  if (n < sizeof seen || memcmp(seen, magic, sizeof magic) != 0 ||
      fread(&of, sizeof of, 1, j->file) != 1)
    return pith_i_fail(error, PITH_EINPUT,
                       "%s: not a checkpoint of this command; remove it or "
                       "name another file",
                       path);
  if (of != print)
    return pith_i_fail(error, PITH_EINPUT,
                       "%s: a checkpoint of other input, another seed or "
                       "setting; remove it or name another file",
                       path);
  pith_status rc = read_held(j);
  return rc < 0 ? rc : find_end(j);
}

pith_status pith_i_journal_open(pith_i_env *env, const char *path,
                                uint64_t print, pith_i_env *error,
                                pith_i_journal **out) {
  struct stat st;
  *out = NULL;
  if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
    return pith_i_fail(error, PITH_EINPUT,
                       "%s: not a plain file, so no checkpoint of pith", path);
  pith_i_journal *j = pith_i_zalloc(env, 1, sizeof *j);
  if (j == NULL)
    return PITH_ENOMEM;
  j->env = env;
  j->file = fopen(path, "r+b");
  if (j->file == NULL && errno == ENOENT)
    j->file = fopen(path, "w+b");
  pith_status rc =
      j->file == NULL ? PITH_EIO : read_journal(j, path, print, error);
  if (rc == PITH_EIO)
    pith_i_fail(error, rc, "%s: %s", path, strerror(errno));
  if (rc < 0)
    pith_i_journal_close(j);
  else
    *out = j;
  return rc;
}

void pith_i_journal_close(pith_i_journal *j) {
  if (j == NULL)
    return;
  if (j->file != NULL)
    fclose(j->file);
  pith_i_vec_free(j->env, &j->held);
  pith_i_release(j->env, j);
}

pith_status pith_i_journal_add(pith_i_journal *j, uint64_t loop, size_t first,
                               size_t last, const void *bytes, size_t n) {
  entry_head e = {loop, first, last, n, 0};
  e.hash = hash_entry(&e, bytes);
  return fwrite(&e, sizeof e, 1, j->file) == 1 &&
                 (n == 0 || fwrite(bytes, n, 1, j->file) == 1) &&
                 fflush(j->file) == 0
             ? PITH_OK
             : PITH_EIO;
}

void pith_i_journal_each(const pith_i_journal *j, uint64_t loop,
                         int (*visit)(void *ctx, const pith_i_journal_entry *e),
                         void *ctx) {
  pith_i_journal_entry e;
  for (size_t at = 0; entry_at(j, false, &at, &e);)
    if (e.loop == loop && visit(ctx, &e) != 0)
      return;
}
