/* Names decide what is an input, as they do when pith reads it; what has
** another name, a README say, is passed over. */
#include "find_inputs.h"

#include <assert.h>
#include <dirent.h>
#include <fnmatch.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "memory_budget.h"
#include "options.h"
#include "pith.h"

static const char *const packings[] = {"", ".gz", ".xz", ".zst"};
enum { PACKINGS = sizeof packings / sizeof packings[0] };

bool is_folder(const char *path) {
  struct stat st;
  return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool is_atom_operand(const char *operand) {
  struct stat st;
  return strchr(operand, '(') != NULL && stat(operand, &st) != 0;
}

bool is_same_file(const char *a, const char *b) {
  struct stat sa, sb;
  return strcmp(a, b) == 0 ||
         (stat(a, &sa) == 0 && stat(b, &sb) == 0 && S_ISREG(sa.st_mode) &&
          sa.st_dev == sb.st_dev && sa.st_ino == sb.st_ino);
}

const char *path_last(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash == NULL ? path : slash + 1;
}

char *path_join(const char *folder, const char *name, const char *end) {
  assert(folder != NULL && name != NULL && end != NULL);
  size_t n = strlen(folder) + strlen(name) + strlen(end) + 2;
  char *path = command_resize(NULL, n);
  if (path != NULL)
    snprintf(path, n, "%s%s%s%s", folder,
             folder[0] != '\0' && folder[strlen(folder) - 1] == '/' ? "" : "/",
             name, end);
  return path;
}

bool has_file(const char *folder, const char *name) {
  bool found = false;
  for (size_t i = 0; i < PACKINGS && !found; i++) {
    char *path = path_join(folder, name, packings[i]);
    struct stat st;
    found = path != NULL && stat(path, &st) == 0 && S_ISREG(st.st_mode);
    command_free(path);
  }
  return found;
}

bool is_graph_folder(const char *path) {
  static const char *const members[] = {"train.tsv", "train.txt", "train.csv",
                                        "train.nt",  "train.nq",  "train.ttl",
                                        "train"};
  for (size_t i = 0; i < sizeof members / sizeof *members; i++)
    if (has_file(path, members[i]))
      return true;
  return false;
}

bool is_task_folder(const char *path) {
  return has_file(path, "bk.pl") || has_file(path, "exs.pl") ||
         is_graph_folder(path);
}

static bool ending_fits(const char *name, const char *end, size_t n) {
  for (size_t i = 0; i < PACKINGS; i++) {
    char pattern[64];
    snprintf(pattern, sizeof pattern, "%s%.*s%s", *end == '.' ? "*" : "",
             (int)n, end, packings[i]);
    if (fnmatch(pattern, name, FNM_PERIOD) == 0)
      return true;
  }
  return false;
}

const pith_format_info *format_by_name(const char *name) {
  const pith_format_info *f;
  for (size_t i = 0; (f = pith_format_at(i)) != NULL; i++) {
    const char *at = f->reads != 0 && f->built ? f->endings : "", *word;
    size_t n;
    while (word_next(&at, &word, &n))
      if (ending_fits(name, word, n))
        return f;
  }
  return NULL;
}

/* By the endings of the formats that are read, and templates*.txt. */
static bool is_input(const char *name) {
  return format_by_name(name) != NULL ||
         fnmatch("templates*.txt*", name, FNM_PERIOD) == 0;
}

bool path_list_add(path_list *p, const char *path) {
  assert(p->n <= p->cap);
  if (p->n == p->cap) {
    size_t cap = 2 * p->cap + 16;
    char **at = command_resize(p->at, cap * sizeof *at);
    if (at == NULL)
      return false;
    p->at = at;
    p->cap = cap;
  }
  p->at[p->n] = command_copy(path, strlen(path));
  return p->at[p->n] != NULL && ++p->n > 0;
}

void path_list_free(path_list *p) {
  for (size_t i = 0; i < p->n; i++)
    command_free(p->at[i]);
  command_free(p->refused);
  command_free(p->at);
}

static int compare_names(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool list_folder(const char *folder, path_list *names) {
  DIR *d = opendir(folder);
  if (d == NULL)
    return false;
  bool fine = true;
  for (struct dirent *e; fine && (e = readdir(d)) != NULL;)
    if (e->d_name[0] != '.')
      fine = path_list_add(names, e->d_name);
  closedir(d);
  if (names->n > 0)
    qsort(names->at, names->n, sizeof *names->at, compare_names);
  return fine;
}

/* Folders that the walk has entered, so that a link to one of them does not
** lead round in circles: a hash table, at most half full. */
typedef struct {
  dev_t device;
  ino_t inode;
  bool entered;
} folder_place;

typedef struct {
  path_list *out;
  folder_place *places; /* (count), a power of two */
  size_t n, count;
} folder_walk;

static folder_place *place_of_folder(const folder_walk *w, dev_t device,
                                     ino_t inode) {
  uint64_t h =
      ((uint64_t)inode ^ (uint64_t)device << 32) * UINT64_C(0x9e3779b97f4a7c15);
  size_t i = (size_t)(h >> 32) & (w->count - 1);
  while (w->places[i].entered &&
         (w->places[i].device != device || w->places[i].inode != inode))
    i = (i + 1) & (w->count - 1);
  return &w->places[i];
}

static bool make_folder_room(folder_walk *w) {
  if (w->n < w->count / 2)
    return true;
  folder_walk more = {.out = w->out, .n = w->n};
  more.count = w->count == 0 ? 64 : 2 * w->count;
  more.places = command_zalloc(more.count, sizeof *more.places);
  if (more.places == NULL)
    return false;
  for (size_t i = 0; i < w->count; i++)
    if (w->places[i].entered)
      *place_of_folder(&more, w->places[i].device, w->places[i].inode) =
          w->places[i];
  command_free(w->places);
  *w = more;
  return true;
}

/* Whether it is new; *fine: it is there, and memory was enough. */
static bool enter_folder(folder_walk *w, const char *folder, bool *fine) {
  struct stat st;
  *fine = stat(folder, &st) == 0 && make_folder_room(w);
  if (!*fine)
    return false;
  folder_place *p = place_of_folder(w, st.st_dev, st.st_ino);
  if (p->entered)
    return false;
  *p = (folder_place){st.st_dev, st.st_ino, true};
  w->n++;
  return true;
}

static bool is_regular_file(const char *path) {
  struct stat st;
  return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static bool walk_folder(folder_walk *w, const char *folder) {
  path_list names = {0};
  bool fine = true;
  if (!enter_folder(w, folder, &fine))
    return fine;
  bool task = is_task_folder(folder);
  fine =
      list_folder(folder, &names) && (!task || path_list_add(w->out, folder));
  if (!fine)
    w->out->refused = command_copy(folder, strlen(folder));
  for (size_t i = 0; fine && i < names.n; i++) {
    char *path = path_join(folder, names.at[i], "");
    if (path == NULL)
      fine = false;
    else if (is_folder(path))
      fine = walk_folder(w, path);
    else if (!task && is_input(names.at[i]) && is_regular_file(path))
      fine = path_list_add(w->out, path);
    command_free(path);
  }
  path_list_free(&names);
  return fine;
}

bool find_inputs(const char *folder, path_list *out) {
  folder_walk w = {.out = out};
  bool fine = walk_folder(&w, folder);
  command_free(w.places);
  return fine;
}
