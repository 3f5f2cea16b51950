/* Names decide what is an input, as they do when pith reads it; what has
** another name, a README say, is passed over. */
#include "find_inputs.h"

#include <dirent.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *const packings[] = {"", ".gz", ".xz", ".zst"};
enum { PACKINGS = sizeof packings / sizeof packings[0] };

bool is_folder(const char *path) {
  struct stat st;
  return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

const char *path_last(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash == NULL ? path : slash + 1;
}

char *path_join(const char *folder, const char *name, const char *end) {
  size_t n = strlen(folder) + strlen(name) + strlen(end) + 2;
  char *path = malloc(n);
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
    free(path);
  }
  return found;
}

bool is_task_folder(const char *path) {
  return has_file(path, "bk.pl") || has_file(path, "exs.pl") ||
         has_file(path, "train.tsv");
}

static bool is_input(const char *name) {
  static const char *const kinds[] = {"*.pl", "*.tsv", "templates*.txt"};
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
    for (size_t j = 0; j < PACKINGS; j++) {
      char pattern[32];
      snprintf(pattern, sizeof pattern, "%s%s", kinds[i], packings[j]);
      if (fnmatch(pattern, name, FNM_PERIOD) == 0)
        return true;
    }
  return false;
}

bool path_list_add(path_list *p, const char *path) {
  if (p->n == p->cap) {
    size_t cap = 2 * p->cap + 16;
    char **at = realloc(p->at, cap * sizeof *at);
    if (at == NULL)
      return false;
    p->at = at;
    p->cap = cap;
  }
  p->at[p->n] = strdup(path);
  return p->at[p->n] != NULL && ++p->n > 0;
}

void path_list_free(path_list *p) {
  for (size_t i = 0; i < p->n; i++)
    free(p->at[i]);
  free(p->at);
}

static int compare(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool list(const char *folder, path_list *names) {
  DIR *d = opendir(folder);
  if (d == NULL)
    return false;
  bool fine = true;
  for (struct dirent *e; fine && (e = readdir(d)) != NULL;)
    if (e->d_name[0] != '.')
      fine = path_list_add(names, e->d_name);
  closedir(d);
  if (names->n > 0)
    qsort(names->at, names->n, sizeof *names->at, compare);
  return fine;
}

bool find_inputs(const char *folder, path_list *out) {
  path_list names = {0};
  bool task = is_task_folder(folder);
  bool fine = list(folder, &names) && (!task || path_list_add(out, folder));
  for (size_t i = 0; fine && i < names.n; i++) {
    char *path = path_join(folder, names.at[i], "");
    if (path == NULL)
      fine = false;
    else if (is_folder(path))
      fine = find_inputs(path, out);
    else if (!task && is_input(names.at[i]))
      fine = path_list_add(out, path);
    free(path);
  }
  path_list_free(&names);
  return fine;
}
