#include "theory_data.h"

#include <errno.h>
#include <string.h>

#include "memory_budget.h"

static const char default_folder[] = "data/theory";

/* ---- what was published ----------------------------------------------- */

static const struct {
  const char *folder;
  published_theory figures;
} published[] = {{"taxonomy", {70, 99, 69}}, {"kinship", {100, 96, 30.8}}};

bool find_published_theory(const char *name, published_theory *out) {
  for (size_t i = 0; i < sizeof published / sizeof published[0]; i++) {
    size_t n = strlen(published[i].folder);
    if (strncmp(name, published[i].folder, n) == 0 && name[n] == '/') {
      *out = published[i].figures;
      return true;
    }
  }
  return false;
}

/* ---- files ------------------------------------------------------------ */

char *path_beside(const char *path, const char *name) {
  size_t folder = (size_t)(strrchr(path, '/') - path);
  char *dir = command_copy(path, folder);
  char *file = dir == NULL ? NULL : path_join(dir, name, "");
  command_free(dir);
  return file;
}

bool is_file(const char *path) {
  FILE *f = fopen(path, "r");
  if (f != NULL)
    fclose(f);
  return f != NULL;
}

int read_theory_data(const session *s, const char *facts, const char *templates,
                     session *part) {
  *part = *s;
  part->p = NULL;
  part->out = NULL;
  part->set.quiet = true;
  int code = session_new(part);
  if (code == 0)
    code = session_read_one(part, facts, PITH_PROLOG);
  if (code == 0 && templates != NULL)
    code = session_read_one(part, templates, PITH_TEMPLATES);
  return code;
}

/* ---- what there is to compress ---------------------------------------- */

typedef struct {
  size_t symbols;
  bool *seen; /* (2, symbols) */
} places;

static int note_places(void *ctx, pith_pred pred, const pith_sym *args,
                       size_t n) {
  places *p = ctx;
  (void)pred;
  for (size_t i = 0; i < n && i < 2; i++)
    p->seen[i * p->symbols + args[i]] = true;
  return 0;
}

static double count_seen(const places *p, size_t place) {
  double n = 0;
  for (size_t i = 0; i < p->symbols; i++)
    n += p->seen[place * p->symbols + i];
  return n;
}

int count_theory_atoms(const session *s, const char *facts, uint64_t *observed,
                       double *atoms) {
  session part;
  int code = read_theory_data(s, facts, NULL, &part);
  places p = {.symbols = code == 0 ? pith_sym_count(part.p) : 0};
  p.seen = command_zalloc(2 * p.symbols + 1, sizeof *p.seen);
  if (code == 0 && p.seen == NULL)
    code = session_fail(s, PITH_ENOMEM);
  *atoms = 0;
  for (pith_pred i = 0; code == 0 && i < pith_pred_count(part.p); i++) {
    memset(p.seen, 0, 2 * p.symbols * sizeof *p.seen);
    pith_fact_each(part.p, i, PITH_GIVEN, note_places, &p);
    double first = count_seen(&p, 0), second = count_seen(&p, 1);
    *atoms += pith_pred_arity(part.p, i) == 1 ? first : first * second;
  }
  if (code == 0)
    *observed = pith_fact_count(part.p, PITH_NONE, PITH_GIVEN);
  command_free(p.seen);
  pith_free(part.p);
  return code;
}

char *theory_data_name(const char *path) {
  size_t n = strlen(path) - strlen(".pl"), from = n;
  for (int slashes = 0; from > 0; from--)
    if (path[from - 1] == '/' && ++slashes == 2)
      break;
  return command_copy(path + from, n - from);
}

/* Files facts*.pl that have templates beside them. */
static bool is_data(const char *path) {
  size_t n = strlen(path);
  if (strchr(path, '/') == NULL || strncmp(path_last(path), "facts", 5) != 0 ||
      n < 3 || strcmp(path + n - 3, ".pl") != 0)
    return false;
  char *templates = path_beside(path, "templates.txt");
  bool found = templates != NULL && is_file(templates);
  command_free(templates);
  return found;
}

/* Whether the name, or its folder's, is among those asked for. */
static bool is_asked(const char *names, const char *path) {
  char *name = theory_data_name(path);
  size_t all = name == NULL ? 0 : strlen(name);
  size_t folder = name == NULL ? 0 : strcspn(name, "/");
  bool found = names == NULL;
  while (name != NULL && names != NULL && *names != '\0' && !found) {
    size_t n = strcspn(names, ",");
    found = (n == all || n == folder) && strncmp(name, names, n) == 0;
    names += n + (names[n] == ',');
  }
  command_free(name);
  return found;
}

int find_theory_data(const session *s, path_list *data) {
  const char *folder = s->set.data != NULL ? s->set.data : default_folder;
  path_list all = {0};
  bool fine = find_inputs(folder, &all);
  for (size_t i = 0; fine && i < all.n; i++)
    if (is_data(all.at[i]) && is_asked(s->set.tasks, all.at[i]))
      fine = path_list_add(data, all.at[i]);
  path_list_free(&all);
  if (!fine)
    say_error("%s: cannot be walked: %s; --data names a folder of observations",
              folder, strerror(errno));
  else if (data->n == 0)
    say_error("%s: there are no observations here; expected folders with "
              "facts.pl and templates.txt",
              folder);
  return fine && data->n > 0 ? 0 : EXIT_INPUT;
}
