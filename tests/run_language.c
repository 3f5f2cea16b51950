/* Runs the language cases: text files with programs and what is expected of
** them. README.md in tests/language has the form.
**
**   run_language [--update] FILE|FOLDER ...
**
** --update writes what came out into the files as what is expected. */
#include <dirent.h>
#include <pith.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_SECTIONS = 64, LINE = 512 };

typedef struct {
  char head[LINE]; /* behind the dashes, "input bk.pl" */
  char *body;
} section;

typedef struct {
  char *intro; /* what stands before the first section */
  section sections[MAX_SECTIONS];
  size_t n;
} test_case;

/* What a section really gave; grows. */
typedef struct {
  char *at;
  size_t n;
} buffer;

static void die(const char *what, const char *name) {
  fprintf(stderr, "run_language: %s: %s\n", what, name);
  exit(2);
}

static void *checked(void *block) {
  if (block == NULL)
    die("out of memory", "");
  return block;
}

static void append(buffer *b, const char *text, size_t n) {
  b->at = checked(realloc(b->at, b->n + n + 1));
  memcpy(b->at + b->n, text, n);
  b->n += n;
  b->at[b->n] = '\0';
}

static void append_text(buffer *b, const char *text) {
  append(b, text, strlen(text));
}

/* ---- cases ----------------------------------------------------------- */

static char *slurp(const char *path) {
  FILE *f = fopen(path, "rb");
  if (f == NULL)
    die("cannot read", path);
  buffer b = {0};
  char block[4096];
  size_t got;
  append(&b, "", 0);
  while ((got = fread(block, 1, sizeof block, f)) > 0)
    append(&b, block, got);
  fclose(f);
  return b.at;
}

static char *copy(const char *text, size_t n) {
  char *c = checked(malloc(n + 1));
  memcpy(c, text, n);
  c[n] = '\0';
  return c;
}

static const char *next_head(const char *s) {
  while (*s != '\0' && strncmp(s, "--- ", 4) != 0) {
    const char *end = strchr(s, '\n');
    s = end == NULL ? s + strlen(s) : end + 1;
  }
  return s;
}

static void parse(test_case *c, const char *text, const char *path) {
  const char *s = next_head(text);
  c->intro = copy(text, (size_t)(s - text));
  for (c->n = 0; *s != '\0'; c->n++) {
    if (c->n == MAX_SECTIONS)
      die("too many sections", path);
    section *sec = &c->sections[c->n];
    size_t len = strcspn(s, "\n");
    if (len - 4 >= LINE)
      die("a heading too long", path);
    memcpy(sec->head, s + 4, len - 4);
    sec->head[len - 4] = '\0';
    s += len + (s[len] == '\n');
    const char *end = next_head(s);
    sec->body = copy(s, (size_t)(end - s));
    s = end;
  }
}

static void case_free(test_case *c) {
  free(c->intro);
  for (size_t i = 0; i < c->n; i++)
    free(c->sections[i].body);
}

/* ---- what can be asked ----------------------------------------------- */

/* \xHH, \n and \\ in a body that is marked as escaped. */
static size_t unescape(char *text) {
  char *o = text;
  for (const char *s = text; *s != '\0'; s++) {
    unsigned value;
    if (s[0] == '\\' && s[1] == 'x' && sscanf(s + 2, "%2x", &value) == 1) {
      *o++ = (char)value;
      s += 3;
    } else if (s[0] == '\\' && s[1] == 'n') {
      *o++ = '\n';
      s++;
    } else if (s[0] == '\\' && s[1] == '\\') {
      *o++ = '\\';
      s++;
    } else if (s[0] != '\n') { /* lines of the file are only for the eye */
      *o++ = *s;
    }
  }
  return (size_t)(o - text);
}

static void input(pith *p, const char *arg, const char *body) {
  char name[LINE] = "case.pl", how[LINE] = "";
  sscanf(arg, "%511s %511s", name, how);
  char *text = copy(body, strlen(body));
  size_t n = strcmp(how, "escaped") == 0 ? unescape(text) : strlen(text);
  pith_read_text(p, name, text, n, PITH_AUTO);
  free(text);
}

static void remarks(pith *p, bool warnings, bool carets, buffer *out) {
  for (size_t i = 0; i < pith_remark_count(p); i++) {
    const pith_remark *m = pith_remark_at(p, i);
    char place[64];
    if (m->warning != warnings)
      continue;
    append_text(out, m->file);
    snprintf(place, sizeof place, ":%zu:%zu: ", m->line, m->column);
    append_text(out, m->line == 0 ? ": " : place);
    append_text(out, m->text);
    append_text(out, "\n");
    if (carets && m->source[0] != '\0') {
      append_text(out, "    ");
      append_text(out, m->source);
      append_text(out, "\n    ");
      for (size_t j = 0; j < m->caret; j++)
        append_text(out, " ");
      append_text(out, "^\n");
    }
  }
}

static int by_text(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static void sort_lines(buffer *b) {
  size_t n = 0;
  char **lines = checked(malloc((b->n + 1) * sizeof *lines));
  char *text = copy(b->at == NULL ? "" : b->at, b->n);
  for (char *s = strtok(text, "\n"); s != NULL; s = strtok(NULL, "\n"))
    lines[n++] = s;
  qsort(lines, n, sizeof *lines, by_text);
  b->n = 0;
  for (size_t i = 0; i < n; i++) {
    append_text(b, lines[i]);
    append_text(b, "\n");
  }
  free(lines);
  free(text);
}

/* Appends what has been written to o, closes it. */
static void take_out(pith *p, pith_status rc, pith_out *o, buffer *out) {
  size_t n = 0;
  const char *text = pith_out_text(o, &n);
  if (rc < 0) {
    append_text(out, "failed: ");
    append_text(out, pith_error(p));
    append_text(out, "\n");
  } else {
    append(out, text, n);
  }
  pith_out_close(o, false);
}

static pith_out *memory(pith *p) {
  pith_out *o;
  if (pith_out_memory(p, &o) < 0)
    die("out of memory", "");
  return o;
}

static void write_all(pith *p, const char *arg, buffer *out) {
  static const struct {
    const char *name;
    pith_format format;
  } formats[] = {{"prolog", PITH_PROLOG},
                 {"triples", PITH_TRIPLES},
                 {"templates", PITH_TEMPLATES},
                 {"bias", PITH_BIAS},
                 {"json", PITH_JSON}};
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
    if (strcmp(formats[i].name, arg) == 0) {
      pith_out *o = memory(p);
      take_out(p, pith_write(p, formats[i].format, o), o, out);
      return;
    }
  append_text(out, "no such format\n");
}

static pith_status infer(pith *p, const char *arg) {
  pith_infer_options opt;
  pith_infer_defaults(&opt);
  opt.steps = (uint32_t)strtoul(arg, NULL, 10);
  return pith_infer(p, &opt, NULL);
}

static void derived(pith *p, const char *arg, buffer *out) {
  pith_status rc = infer(p, arg);
  pith_out *o = memory(p);
  if (rc >= 0)
    rc = pith_facts_write(p, PITH_DERIVED, PITH_PROLOG, o);
  take_out(p, rc, o, out);
  sort_lines(out);
}

typedef struct {
  pith *p;
  const pith_atom *atom;
  pith_out *o;
} query;

static int match(void *ctx, pith_pred pred, const pith_sym *args, size_t n) {
  query *q = ctx;
  for (size_t i = 0; i < n; i++) {
    pith_term t = q->atom->args[i];
    if (!PITH_IS_VAR(t) && t != args[i])
      return 0;
    for (size_t j = 0; j < i; j++)
      if (PITH_IS_VAR(t) && q->atom->args[j] == t && args[j] != args[i])
        return 0;
  }
  pith_atom found = {.pred = pred, .arity = (uint32_t)n, .args = args};
  pith_atom_write(q->p, &found, q->o);
  pith_out_write(q->o, "\n", 1);
  return 0;
}

static void answers(pith *p, const char *arg, buffer *out) {
  query q = {.p = p, .o = memory(p)};
  pith_status rc = infer(p, "0");
  if (rc >= 0)
    rc = pith_atom_read(p, arg, &q.atom);
  if (rc >= 0)
    pith_fact_each(p, q.atom->pred, PITH_ALL, match, &q);
  take_out(p, rc, q.o, out);
  sort_lines(out);
  if (out->n == 0)
    append_text(out, "no\n");
}

/* What the section gives; false: it is an input and gives nothing. */
static bool answer(pith *p, const section *s, buffer *out) {
  char word[LINE] = "";
  int used = 0;
  sscanf(s->head, "%511s %n", word, &used);
  const char *arg = s->head + used;
  append(out, "", 0);
  if (strcmp(word, "input") == 0) {
    input(p, arg, s->body);
    return false;
  }
  if (strcmp(word, "errors") == 0 || strcmp(word, "warnings") == 0)
    remarks(p, word[0] == 'w', strcmp(arg, "with carets") == 0, out);
  else if (strcmp(word, "write") == 0)
    write_all(p, arg, out);
  else if (strcmp(word, "derived") == 0)
    derived(p, arg, out);
  else if (strcmp(word, "query") == 0)
    answers(p, arg, out);
  else
    append_text(out, "no such section\n");
  return true;
}

/* ---- running --------------------------------------------------------- */

static bool same_text(const char *a, const char *b) {
  size_t n = strlen(a), m = strlen(b);
  while (n > 0 && a[n - 1] == '\n')
    n--;
  while (m > 0 && b[m - 1] == '\n')
    m--;
  return n == m && memcmp(a, b, n) == 0;
}

static void show(const char *path, const section *s, const char *got) {
  printf("FAIL %s: %s\n  expected:\n%s  got:\n%s", path, s->head, s->body, got);
}

static bool has_section(const test_case *c, const char *word) {
  for (size_t i = 0; i < c->n; i++)
    if (strncmp(c->sections[i].head, word, strlen(word)) == 0)
      return true;
  return false;
}

/* An error that no section expects is a failure, too. */
static bool silent_errors(pith *p, const test_case *c, const char *path) {
  if (pith_remark_errors(p) == 0 || has_section(c, "errors"))
    return true;
  printf("FAIL %s: unexpected error: %s\n", path, pith_error(p));
  return false;
}

static bool run(test_case *c, const char *path, bool update) {
  pith *p;
  bool good = true;
  if (pith_new(&p) < 0)
    die("out of memory", path);
  for (size_t i = 0; i < c->n; i++) {
    section *s = &c->sections[i];
    buffer out = {0};
    if (answer(p, s, &out) && !same_text(s->body, out.at)) {
      if (update) {
        free(s->body);
        s->body = copy(out.at, out.n);
      } else {
        show(path, s, out.at);
        good = false;
      }
    }
    free(out.at);
  }
  good &= silent_errors(p, c, path);
  pith_free(p);
  return good;
}

static void rewrite(const test_case *c, const char *path) {
  FILE *f = fopen(path, "wb");
  if (f == NULL)
    die("cannot write", path);
  fputs(c->intro, f);
  for (size_t i = 0; i < c->n; i++)
    fprintf(f, "--- %s\n%s", c->sections[i].head, c->sections[i].body);
  fclose(f);
}

static size_t passed, failed;

static void run_file(const char *path, bool update) {
  static test_case c;
  char *text = slurp(path);
  parse(&c, text, path);
  ++*(run(&c, path, update) ? &passed : &failed);
  if (update)
    rewrite(&c, path);
  case_free(&c);
  free(text);
}

static int is_case(const struct dirent *d) {
  size_t n = strlen(d->d_name);
  return n > 4 && strcmp(d->d_name + n - 4, ".txt") == 0;
}

static void run_folder(const char *folder, bool update) {
  struct dirent **names;
  int n = scandir(folder, &names, is_case, alphasort);
  if (n < 0)
    die("cannot read", folder);
  for (int i = 0; i < n; i++) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, names[i]->d_name);
    run_file(path, update);
    free(names[i]);
  }
  free(names);
}

int main(int argc, char **argv) {
  bool update = argc > 1 && strcmp(argv[1], "--update") == 0;
  for (int i = update ? 2 : 1; i < argc; i++) {
    struct stat st;
    if (stat(argv[i], &st) == 0 && S_ISDIR(st.st_mode))
      run_folder(argv[i], update);
    else
      run_file(argv[i], update);
  }
  printf("%zu passed, %zu failed\n", passed, failed);
  return failed == 0 ? 0 : 1;
}
