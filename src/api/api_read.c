/* Reading: which format a path is in, and from text into the handle. */
#include <string.h>
#include <sys/stat.h>

#include "api/handle.h"
#include "text/parser.h"
#include "text/source.h"

const char *pith_features(void) { return pith_i_source_features(); }

/* ---- formats --------------------------------------------------------- */

static bool ends_with(const char *text, size_t n, const char *end) {
  size_t m = strlen(end);
  return n >= m && memcmp(text + n - m, end, m) == 0;
}

static pith_format format_of(const char *path) {
  const char *slash = strrchr(path, '/');
  const char *name = slash == NULL ? path : slash + 1;
  size_t n = strlen(name);
  static const char *const packed[] = {".gz", ".zst", ".xz"};
  for (size_t i = 0; i < sizeof packed / sizeof *packed; i++)
    if (ends_with(name, n, packed[i])) {
      n -= strlen(packed[i]);
      break;
    }
  if (ends_with(name, n, ".tsv"))
    return PITH_TRIPLES;
  if (n == 7 && memcmp(name, "bias.pl", n) == 0)
    return PITH_BIAS;
  if (ends_with(name, n, ".nlt") ||
      (strncmp(name, "templates", 9) == 0 && ends_with(name, n, ".txt")))
    return PITH_TEMPLATES;
  return PITH_PROLOG;
}

static pith_status give(void *ctx, pith_pred pred, uint32_t arity,
                        const pith_sym *args) {
  pith *p = ctx;
  return pith_i_fact_give(&p->store, pred, arity, args);
}

static void expect(void *ctx, pith_pred pred, const pith_sym *args) {
  const pith *p = ctx;
  if (pred < p->store.relations.n)
    pith_i_tuples_expect(&p->store.relations.at[pred].rows, args);
}

static pith_status read_lines(pith *p, pith_i_lines *lines,
                              pith_format format) {
  pith_i_input in = {.theory = &p->theory,
                     .remarks = &p->remarks,
                     .lines = lines,
                     .fact = give,
                     .expect = expect,
                     .fact_ctx = p};
  switch (format) {
  case PITH_TRIPLES:
    return pith_i_read_triples(&in);
  case PITH_TEMPLATES:
    return pith_i_read_templates(&in);
  case PITH_BIAS:
    return pith_i_read_bias(&in);
  default:
    return pith_i_read_prolog(&in);
  }
}

/* Before anything is read: the first error is the one to tell. */
static pith_status begin(pith *p, pith_format format) {
  if ((unsigned)format >= PITH_JSON)
    return pith_i_fail(&p->env, PITH_EARG,
                       format == PITH_JSON
                           ? "JSON lines can be written, but not read"
                           : "no such format");
  pith_i_forget(p);
  p->remarks.told = false;
  return PITH_OK;
}

static pith_status read_file(pith *p, const char *path, pith_format format) {
  pith_i_source source;
  pith_status rc = pith_i_source_load(&p->remarks, path, &source);
  if (rc < 0)
    return rc;
  rc = read_lines(p, &source.lines,
                  format == PITH_AUTO ? format_of(path) : format);
  pith_i_source_free(&p->env, &source);
  return rc;
}

pith_status pith_read_text(pith *p, const char *name, const char *text,
                           size_t n, pith_format format) {
  pith_i_source source;
  pith_status rc = begin(p, format);
  if (rc >= 0)
    rc = pith_i_source_text(&p->remarks, name, text, n, &source);
  if (rc < 0)
    return rc;
  rc = read_lines(p, &source.lines,
                  format == PITH_AUTO ? format_of(name) : format);
  pith_i_source_free(&p->env, &source);
  return rc;
}

/* ---- folders --------------------------------------------------------- */

/* Reads folder/name if it is there. */
static pith_status read_member(pith *p, const char *folder, const char *name,
                               bool *found) {
  size_t n = strlen(folder), m = strlen(name);
  char *path = pith_i_alloc(&p->env, n + m + 2);
  *found = false;
  if (path == NULL)
    return PITH_ENOMEM;
  memcpy(path, folder, n);
  while (n > 1 && path[n - 1] == '/')
    n--;
  path[n] = '/';
  memcpy(path + n + 1, name, m + 1);
  struct stat st;
  pith_status rc = PITH_OK;
  *found = stat(path, &st) == 0;
  if (*found)
    rc = read_file(p, path, PITH_AUTO);
  pith_i_release(&p->env, path);
  return rc;
}

/* Reads those of the files that are there; after an error in one the others
** are read too, so that all is told at once. */
static pith_status read_members(pith *p, const char *folder,
                                const char *const *files, size_t n,
                                size_t *found) {
  pith_status worst = PITH_OK;
  for (size_t i = 0; i < n; i++) {
    bool there;
    pith_status rc = read_member(p, folder, files[i], &there);
    *found += there;
    if (rc < 0 && rc != PITH_EINPUT)
      return rc;
    if (rc < 0)
      worst = rc;
  }
  return worst;
}

static pith_status read_folder(pith *p, const char *folder) {
  static const char *const task[] = {"bk.pl", "exs.pl"};
  static const char *const beside[] = {"bias.pl", "templates.txt"};
  static const char *const graph[] = {"train.tsv", "train.tsv.gz",
                                      "train.tsv.zst", "train.tsv.xz"};
  size_t found = 0, others = 0;
  pith_status rc = read_members(p, folder, task, 2, &found);
  if (found > 0 && (rc >= 0 || rc == PITH_EINPUT)) {
    pith_status more = read_members(p, folder, beside, 2, &others);
    rc = more < 0 ? more : rc;
  }
  for (size_t i = 0; rc >= 0 && found == 0 && i < 4; i++)
    rc = read_members(p, folder, &graph[i], 1, &found);
  if (rc >= 0 && found == 0)
    rc = pith_i_fail(&p->env, PITH_EIO,
                     "%s: a folder with nothing to read; expected bk.pl, "
                     "exs.pl or train.tsv in it; name a file instead",
                     folder);
  return rc;
}

pith_status pith_read(pith *p, const char *path, pith_format format) {
  pith_status rc = begin(p, format);
  if (rc < 0)
    return rc;
  struct stat st;
  if (format == PITH_AUTO && strcmp(path, "-") != 0 && stat(path, &st) == 0 &&
      S_ISDIR(st.st_mode))
    return read_folder(p, path);
  return read_file(p, path, format);
}

/* ---- one atom -------------------------------------------------------- */

/* Remarks of its own, as it is no part of what was read. */
pith_status pith_atom_read(pith *p, const char *text, const pith_atom **out) {
  pith_i_remarks remarks;
  pith_i_source source;
  pith_i_remarks_init(&remarks, &p->env);
  pith_i_arena_free(&p->scratch);
  *out = NULL;
  pith_status rc =
      pith_i_source_text(&remarks, "atom", text, strlen(text), &source);
  if (rc >= 0) {
    pith_i_input in = {
        .theory = &p->theory, .remarks = &remarks, .lines = &source.lines};
    rc = pith_i_read_atom(&in, &p->scratch, out);
    pith_i_source_free(&p->env, &source);
  }
  pith_i_remarks_free(&remarks);
  return rc;
}
