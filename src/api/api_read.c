/* Reading: which format a path is in, and from text into the handle. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "api/handle.h"
#include "base/utf8.h"
#include "text/csv.h"
#include "text/formats.h"
#include "text/sniff.h"
#include "text/source.h"
#include "text/triples.h"

void pith_read_defaults(pith_read_options *opt) {
  *opt = (pith_read_options){.format = PITH_AUTO};
}

pith_format pith_read_format(const pith *p, bool *by_content) {
  if (by_content != NULL)
    *by_content = p->taken.by_content;
  return p->taken.format;
}

const char *pith_read_summary(const pith *p) { return p->taken.summary; }

/* ---- formats --------------------------------------------------------- */

/* The first two records of a text with columns; how many cells each has. */
typedef struct {
  pith_i_cells cells[2];
} head_rows;

static pith_status read_head(const pith_i_lines *lines, pith_i_arena *arena,
                             head_rows *out) {
  char separator = pith_i_sniff_separator(lines->text, lines->n);
  pith_i_csv csv = {.text = lines->text,
                    .n = lines->n,
                    .separator = separator == 0 ? ',' : separator,
                    .arena = arena};
  memset(out, 0, sizeof *out);
  int more = pith_i_csv_next(&csv, &out->cells[0]);
  if (more > 0)
    more = pith_i_csv_next(&csv, &out->cells[1]);
  return more < 0 ? PITH_ENOMEM : PITH_OK;
}

static bool is_number(const pith_i_cells *cells, size_t i) {
  char number[80];
  return i < cells->n && cells->at[i].n < 64 &&
         pith_i_cell_number(cells->at[i].text, cells->at[i].n, number) > 0;
}

/* Files with columns are triples or a table. Triples have two to four columns,
** and no number for a predicate; a .csv file is a table unless its header is
** that of triples. */
static pith_format triples_or_table(const head_rows *head,
                                    const pith_read_options *opt,
                                    pith_format by_name) {
  size_t n = head->cells[0].n;
  if (opt->key != NULL || opt->label != NULL || opt->columns != NULL)
    return PITH_CSV;
  if (opt->relation != NULL || pith_i_is_triple_header(head->cells[0].at, n))
    return PITH_TRIPLES;
  if (by_name == PITH_CSV)
    return PITH_CSV;
  return n > 4 || (n > 2 && is_number(&head->cells[1], 1)) ? PITH_CSV
                                                           : PITH_TRIPLES;
}

static pith_status look_at_columns(pith *p, const pith_i_lines *lines,
                                   const pith_read_options *opt,
                                   pith_format *format) {
  pith_i_arena arena = {.env = &p->env};
  head_rows head;
  pith_status rc = read_head(lines, &arena, &head);
  if (rc >= 0)
    *format = triples_or_table(&head, opt, *format);
  for (size_t i = 0; i < 2; i++)
    pith_i_vec_free(&p->env, &head.cells[i]);
  pith_i_arena_free(&arena);
  return rc;
}

static bool is_rdf(pith_format f) {
  return f >= PITH_NTRIPLES && f <= PITH_TRIG;
}

static bool has_columns(pith_format f) {
  return f == PITH_TRIPLES || f == PITH_CSV;
}

/* Each of these reads what is left of it too. */
static bool reads_look(pith_format asked, pith_format look) {
  return asked == look || (is_rdf(asked) && is_rdf(look) && asked >= look);
}

/* Who asks for Prolog knows what its dialects are, and is told line by line. */
static bool is_dialect(pith_format f) {
  return f == PITH_ALEPH || f == PITH_METAGOL || f == PITH_PROBLOG ||
         f == PITH_ASP;
}

static bool takes_look(pith_format asked, pith_format look) {
  return reads_look(asked, look) ||
         (is_dialect(look) &&
          (asked == PITH_PROLOG || asked == PITH_BIAS || is_dialect(asked)));
}

/* Whoever asks for clauses of a table would get an error about its first comma
** instead. */
static bool is_misnamed_table(pith_format asked, const pith_i_look *look,
                              const pith_i_lines *lines) {
  return has_columns(look->format) && !has_columns(asked) &&
         pith_i_is_bare_columns(lines->text, lines->n);
}

static pith_status refuse_look(pith *p, pith_i_lines *lines,
                               const pith_i_look *look, pith_format asked) {
  const pith_format_info *wanted = pith_format_of(asked);
  const pith_format_info *info = pith_format_of(look->format);
  pith_status rc;
  if (info == NULL)
    rc = pith_i_remark_add(&p->remarks, PITH_I_ERROR, lines, 0,
                           "this looks like %s, which pith does not read; "
                           "expected facts or rules; %s",
                           look->title, look->advice);
  else
    rc = pith_i_remark_add(&p->remarks, PITH_I_ERROR, lines, 0,
                           "this looks like %s, not like %s; use --from %s, or "
                           "leave --from out",
                           look->title, wanted->title, info->name);
  return rc < 0 ? rc : PITH_EINPUT;
}

/* What is in the form that was asked for is that, whatever it begins with: a
** rule of AMIE's, or columns with tabs. */
static bool is_as_asked(pith_format asked, const pith_i_lines *lines,
                        char separator) {
  return (asked == PITH_AMIE &&
          pith_i_starts_with_arrow(lines->text, lines->n)) ||
         (has_columns(asked) && separator == '\t');
}

/* By the name, unless the content is certainly another; by the content where
** the name says nothing; else Prolog. */
static pith_status choose_format(pith *p, pith_i_lines *lines, const char *path,
                                 const pith_read_options *opt) {
  pith_i_look look = pith_i_sniff_text(lines->text, lines->n);
  pith_format named = pith_i_format_of_name(path), *out = &p->taken.format;
  char separator = pith_i_sniff_separator(lines->text, lines->n);
  bool columns = separator != 0 && !is_rdf(look.format);
  *out = opt->format;
  if (is_as_asked(opt->format, lines, separator))
    return PITH_OK;
  if (look.certain && look.format == PITH_AUTO)
    return refuse_look(p, lines, &look, PITH_PROLOG);
  if (opt->format != PITH_AUTO)
    return (look.certain && !takes_look(opt->format, look.format) &&
            !(has_columns(opt->format) && columns)) ||
                   is_misnamed_table(opt->format, &look, lines)
               ? refuse_look(p, lines, &look, opt->format)
               : PITH_OK;
  bool follow =
      look.format != PITH_AUTO &&
      (named == PITH_AUTO || (look.certain && !reads_look(named, look.format) &&
                              !(has_columns(named) && columns)));
  *out = follow ? look.format : named != PITH_AUTO ? named : PITH_PROLOG;
  p->taken.by_content = follow;
  bool asks_table =
      opt->key != NULL || opt->label != NULL || opt->relation != NULL;
  return has_columns(*out) || (asks_table && named == PITH_AUTO && !follow)
             ? look_at_columns(p, lines, opt, out)
             : PITH_OK;
}

static pith_status give_fact(void *ctx, pith_pred pred, uint32_t arity,
                             const pith_sym *args) {
  pith *p = ctx;
  if (pith_i_call_poll_rarely(&p->env) < 0)
    return PITH_ELIMIT;
  return pith_i_fact_give(&p->store, pred, arity, args);
}

static void expect_fact(void *ctx, pith_pred pred, const pith_sym *args) {
  const pith *p = ctx;
  if (pred < p->store.relations.n)
    pith_i_tuples_expect(&p->store.relations.at[pred].rows, args);
}

static pith_status no_reader(pith *p) {
  const pith_format_info *info = pith_format_of(p->taken.format);
  if (info->reads == 0)
    return pith_i_fail(&p->env, PITH_EUNSUPPORTED,
                       "%s: this looks like %s, which pith writes but does not "
                       "read; give it the facts and rules as Prolog",
                       p->remarks.file, info->title);
  return pith_i_fail(&p->env, PITH_EUNSUPPORTED,
                     "%s: this looks like %s, which needs %s, and this build "
                     "is without it; install %s and build pith again, or "
                     "convert the file first",
                     p->remarks.file, info->title, info->library,
                     info->package);
}

static pith_status next_part(void *ctx) { return pith_i_source_next(ctx); }

static pith_status read_lines(pith *p, pith_i_source *source, const char *path,
                              const pith_read_options *opt) {
  pith_i_input in = {.theory = &p->theory,
                     .remarks = &p->remarks,
                     .lines = &source->lines,
                     .fact = give_fact,
                     .expect = expect_fact,
                     .fact_ctx = p,
                     .more = next_part,
                     .more_ctx = source,
                     .opt = opt,
                     .path = path,
                     .summary = p->taken.summary};
  pith_i_reader read = pith_i_format_reader(p->taken.format);
  return read == NULL ? no_reader(p) : read(&in);
}

static bool is_text(const char *s) {
  return s == NULL || pith_i_utf8_valid(s, strlen(s));
}

/* Before anything is read: the first error is the one to tell. */
static pith_status begin_reading(pith *p, const pith_read_options *opt) {
  if ((unsigned)opt->format >= PITH_FORMATS)
    return pith_i_fail(&p->env, PITH_EARG, "no such format");
  if ((unsigned)opt->header > PITH_HEADER_NO)
    return pith_i_fail(&p->env, PITH_EARG, "no such kind of header");
  if (!is_text(opt->relation) || !is_text(opt->key) || !is_text(opt->label) ||
      !is_text(opt->columns) || !is_text(opt->query))
    return pith_i_fail(&p->env, PITH_EARG,
                       "the name of a relation or a column, or a query, that "
                       "is not UTF-8; expected UTF-8 text; correct the option");
  pith_i_forget(p);
  p->remarks.told = false;
  return PITH_OK;
}

/* Whether the reader takes a part of the lines at a time: quotes in a table may
** hide line ends. */
static bool goes_by_parts(pith_format format, const pith_i_lines *lines) {
  char separator = pith_i_sniff_separator(lines->text, lines->n);
  return format == PITH_NTRIPLES || format == PITH_NQUADS ||
         (format == PITH_TRIPLES && (separator == '\t' || separator == 0));
}

/* A long file may show only further on what it is, so that the choice is made
** again where all of it is read at once. */
static pith_status load_for_format(pith *p, pith_i_source *source,
                                   const char *path,
                                   const pith_read_options *opt) {
  pith_status rc = choose_format(p, &source->lines, path, opt);
  if (rc < 0 || goes_by_parts(p->taken.format, &source->lines))
    return rc;
  rc = pith_i_source_whole(source);
  return rc < 0 ? rc : choose_format(p, &source->lines, path, opt);
}

static pith_status read_source(pith *p, pith_i_source *source, const char *path,
                               const pith_read_options *opt) {
  memset(&p->taken, 0, sizeof p->taken);
  pith_status rc = load_for_format(p, source, path, opt);
  if (rc >= 0)
    rc = read_lines(p, source, path, opt);
  pith_i_source_free(source);
  return rc;
}

/* Databases are not text, and SQLite opens them itself. */
static bool is_database(const char *path, pith_format format) {
  char start[16];
  struct stat st;
  bool regular = strcmp(path, "-") != 0 && stat(path, &st) == 0 &&
                 S_ISREG(st.st_mode); /* a pipe can be read once */
  FILE *f = regular ? fopen(path, "rb") : NULL;
  size_t n = f == NULL ? 0 : fread(start, 1, sizeof start, f);
  if (f != NULL)
    fclose(f);
  bool looks = pith_i_sniff_bytes(start, n).format == PITH_SQLITE;
  return looks && (format == PITH_AUTO || format == PITH_SQLITE);
}

static pith_status read_database(pith *p, const char *path,
                                 const pith_read_options *opt) {
  pith_i_source none = {.lines.text = "", .fd = -1};
  memset(&p->taken, 0, sizeof p->taken);
  p->taken.format = PITH_SQLITE;
  p->taken.by_content = pith_i_format_of_name(path) != PITH_SQLITE;
  if (pith_i_remarks_file(&p->remarks, path) < 0)
    return PITH_ENOMEM;
  return read_lines(p, &none, path, opt);
}

static pith_status read_one_file(pith *p, const char *path,
                                 const pith_read_options *opt) {
  pith_i_source source;
  if (is_database(path, opt->format))
    return read_database(p, path, opt);
  pith_status rc = pith_i_source_open(&p->remarks, path, &source);
  return rc < 0 ? rc : read_source(p, &source, path, opt);
}

/* NAME.f and NAME.n beside NAME.b, as Aleph reads them; those that were named
** too say the same again. */
static pith_status read_examples_beside(pith *p, const char *path,
                                        const pith_read_options *opt) {
  size_t n = strlen(path);
  char *other = pith_i_alloc(&p->env, n + 1);
  pith_i_taken taken = p->taken;
  pith_status rc = other == NULL ? PITH_ENOMEM : PITH_OK, worst = rc;
  pith_read_options own = *opt;
  own.format = PITH_ALEPH;
  for (size_t i = 0; i < 2 && worst != PITH_ENOMEM; i++) {
    struct stat st;
    snprintf(other, n + 1, "%.*s%c", (int)(n - 1), path, "fn"[i]);
    if (stat(other, &st) == 0)
      rc = read_one_file(p, other, &own);
    worst = rc < 0 ? rc : worst;
  }
  pith_i_release(&p->env, other);
  p->taken = taken;
  return worst;
}

static pith_status read_file(pith *p, const char *path,
                             const pith_read_options *opt) {
  size_t n = strlen(path);
  pith_status rc = read_one_file(p, path, opt);
  if (p->taken.format == PITH_ALEPH && n > 2 &&
      strcmp(path + n - 2, ".b") == 0 && (rc >= 0 || rc == PITH_EINPUT)) {
    pith_status more = read_examples_beside(p, path, opt);
    rc = more < 0 ? more : rc;
  }
  return rc;
}

static pith_status read_text(pith *p, const char *name, const char *text,
                             size_t n, const pith_read_options *opt) {
  pith_i_source source;
  pith_status rc = begin_reading(p, opt);
  if (rc >= 0)
    rc = pith_i_source_text(&p->remarks, name, text, n, &source);
  return rc < 0 ? rc : read_source(p, &source, name, opt);
}

pith_status pith_read_text_with(pith *p, const char *name, const char *text,
                                size_t n, const pith_read_options *opt) {
  pith_i_call_begin(p);
  return pith_i_call_end(p, read_text(p, name, text, n, opt));
}

pith_status pith_read_text(pith *p, const char *name, const char *text,
                           size_t n, pith_format format) {
  pith_read_options opt = {.format = format};
  return pith_read_text_with(p, name, text, n, &opt);
}

/* ---- folders --------------------------------------------------------- */

/* folder/name and an ending; NULL: no memory. */
static char *join_path(pith *p, const char *folder, const char *name,
                       const char *ending) {
  size_t n = strlen(folder), room = n + strlen(name) + strlen(ending) + 2;
  char *path = pith_i_alloc(&p->env, room);
  while (n > 1 && folder[n - 1] == '/')
    n--;
  if (path != NULL)
    snprintf(path, room, "%.*s/%s%s", (int)n, folder, name, ending);
  return path;
}

/* A pipe in a folder would be waited for without end, a device read without. */
static pith_status refuse_special_file(pith *p, const char *path) {
  return pith_i_fail(&p->env, PITH_EIO,
                     "%s: a pipe or a device in a folder; expected a file; "
                     "name it by itself to read it",
                     path);
}

/* Reads folder/name if it is there. */
static pith_status read_member(pith *p, const char *folder, const char *name,
                               const char *ending, const pith_read_options *opt,
                               bool *found) {
  char *path = join_path(p, folder, name, ending);
  struct stat st;
  *found = false;
  if (path == NULL)
    return PITH_ENOMEM;
  pith_status rc = PITH_OK;
  *found = stat(path, &st) == 0;
  if (*found && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
    rc = refuse_special_file(p, path);
  else if (*found)
    rc = read_file(p, path, opt);
  pith_i_release(&p->env, path);
  return rc;
}

/* Reads those of the files that are there; after an error in one the others
** are read too, so that all is told at once. */
static pith_status read_members(pith *p, const char *folder,
                                const char *const *files, size_t n,
                                const pith_read_options *opt, size_t *found) {
  pith_status worst = PITH_OK;
  for (size_t i = 0; i < n; i++) {
    bool there;
    pith_status rc = read_member(p, folder, files[i], "", opt, &there);
    *found += there;
    if (rc < 0 && rc != PITH_EINPUT)
      return rc;
    if (rc < 0)
      worst = rc;
  }
  return worst;
}

/* The first of train.tsv, train.txt and so on, packed or not. All but RDF are
** lines of columns, whatever they look like. */
static pith_status read_graph_part(pith *p, const char *folder,
                                   const char *part,
                                   const pith_read_options *opt, bool *found) {
  static const char *const kinds[] = {".tsv", ".txt", ".csv", ".nt",
                                      ".nq",  ".ttl", ""};
  static const char *const packings[] = {"", ".gz", ".zst", ".xz"};
  pith_status rc = PITH_OK;
  *found = false;
  for (size_t i = 0; rc >= 0 && !*found && i < 7; i++)
    for (size_t k = 0; rc >= 0 && !*found && k < 4; k++) {
      char ending[16];
      pith_read_options own = *opt;
      if (own.format == PITH_AUTO && i < 3)
        own.format = PITH_TRIPLES;
      snprintf(ending, sizeof ending, "%s%s", kinds[i], packings[k]);
      rc = read_member(p, folder, part, ending, &own, found);
    }
  return rc;
}

pith_status pith_read_part(pith *p, const char *folder, const char *part,
                           const pith_read_options *opt, bool *found) {
  pith_i_call_begin(p);
  pith_status rc = begin_reading(p, opt);
  if (rc >= 0)
    rc = read_graph_part(p, folder, part, opt, found);
  return pith_i_call_end(p, rc);
}

static pith_status read_folder(pith *p, const char *folder,
                               const pith_read_options *opt) {
  static const char *const task[] = {"bk.pl", "exs.pl"};
  static const char *const beside[] = {"bias.pl", "templates.txt"};
  size_t found = 0, others = 0;
  bool graph = false;
  pith_read_options by_name = *opt;
  by_name.format = PITH_AUTO;
  pith_status rc = read_members(p, folder, task, 2, &by_name, &found);
  if (found > 0 && (rc >= 0 || rc == PITH_EINPUT)) {
    pith_status more = read_members(p, folder, beside, 2, &by_name, &others);
    rc = more < 0 ? more : rc;
  }
  if (found == 0 && rc >= 0)
    rc = read_graph_part(p, folder, "train", opt, &graph);
  if (rc >= 0 && found == 0 && !graph && access(folder, R_OK | X_OK) != 0)
    rc = pith_i_fail(&p->env, PITH_EIO, "%s: cannot read: %s", folder,
                     strerror(errno));
  else if (rc >= 0 && found == 0 && !graph)
    rc = pith_i_fail(&p->env, PITH_EIO,
                     "%s: a folder with nothing to read; expected bk.pl, "
                     "exs.pl, or train.tsv, .txt, .csv or .nt in it; name a "
                     "file instead",
                     folder);
  return rc;
}

static pith_status read_path(pith *p, const char *path,
                             const pith_read_options *opt) {
  pith_status rc = begin_reading(p, opt);
  if (rc < 0)
    return rc;
  struct stat st;
  if (strcmp(path, "-") != 0 && stat(path, &st) == 0 && S_ISDIR(st.st_mode))
    return read_folder(p, path, opt);
  return read_file(p, path, opt);
}

pith_status pith_read_with(pith *p, const char *path,
                           const pith_read_options *opt) {
  pith_i_call_begin(p);
  return pith_i_call_end(p, read_path(p, path, opt));
}

pith_status pith_read(pith *p, const char *path, pith_format format) {
  pith_read_options opt = {.format = format};
  return pith_read_with(p, path, &opt);
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
    pith_i_source_free(&source);
  }
  pith_i_remarks_free(&remarks);
  return rc;
}
