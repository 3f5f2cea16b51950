#include "text/formats.h"

#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

enum {
  PROGRAM = PITH_HOLDS_FACTS | PITH_HOLDS_RULES | PITH_HOLDS_EXAMPLES,
  EVENTS = PROGRAM | PITH_HOLDS_TEMPLATES,
  TABLE = PITH_HOLDS_FACTS | PITH_HOLDS_EXAMPLES
};

typedef struct {
  pith_format_info info;
  pith_i_reader read;
  pith_i_writer write;
} entry;

/* For each optional library its name, its package, whether it is here; and the
** readers that need it. */
#ifdef PITH_HAVE_JANSSON
#define JANSSON_LIBRARY "jansson", "libjansson-dev", true
#define JANSSON_NEEDED(f) f
#define WITH_JANSSON " jansson"
#else
#define JANSSON_LIBRARY "jansson", "libjansson-dev", false
#define JANSSON_NEEDED(f) NULL
#define WITH_JANSSON ""
#endif

#ifdef PITH_HAVE_SERD
#define SERD_LIBRARY "serd", "libserd-dev", true
#define SERD_NEEDED(f) f
#define WITH_SERD " serd"
#else
#define SERD_LIBRARY "serd", "libserd-dev", false
#define SERD_NEEDED(f) NULL
#define WITH_SERD ""
#endif

#ifdef PITH_HAVE_SQLITE
#define SQLITE_LIBRARY "sqlite3", "libsqlite3-dev", true
#define SQLITE_NEEDED(f) f
#define WITH_SQLITE " sqlite3"
#else
#define SQLITE_LIBRARY "sqlite3", "libsqlite3-dev", false
#define SQLITE_NEEDED(f) NULL
#define WITH_SQLITE ""
#endif

/* In the order of pith_format. An ending without a point is a whole name. */
static const entry entries[] = {
    {{PITH_PROLOG, "prolog", "Prolog", ".pl .pro .prolog .datalog", PROGRAM,
      PROGRAM, NULL, NULL, true},
     pith_i_read_prolog,
     pith_i_write_prolog},
    {{PITH_TRIPLES, "tsv", "triples", ".tsv .tab .edges", PITH_HOLDS_FACTS,
      PITH_HOLDS_FACTS, NULL, NULL, true},
     pith_i_read_triples,
     pith_i_write_triples},
    {{PITH_TEMPLATES, "templates", "templates", ".nlt", PITH_HOLDS_TEMPLATES,
      PITH_HOLDS_TEMPLATES, NULL, NULL, true},
     pith_i_read_templates,
     pith_i_write_templates},
    {{PITH_BIAS, "bias", "a bias", "bias.pl", PITH_HOLDS_BIAS, PITH_HOLDS_BIAS,
      NULL, NULL, true},
     pith_i_read_bias,
     pith_i_write_bias},
    {{PITH_JSON, "json", "JSON", ".json .jsonl .ndjson", PROGRAM, EVENTS,
      JANSSON_LIBRARY},
     JANSSON_NEEDED(pith_i_read_json),
     pith_i_write_json},
    {{PITH_CSV, "csv", "a table (CSV)", ".csv .psv", TABLE, PITH_HOLDS_FACTS,
      NULL, NULL, true},
     pith_i_read_csv,
     pith_i_write_csv},
    {{PITH_NTRIPLES, "ntriples", "N-Triples", ".nt", PITH_HOLDS_FACTS,
      PITH_HOLDS_FACTS, SERD_LIBRARY},
     SERD_NEEDED(pith_i_read_ntriples),
     SERD_NEEDED(pith_i_write_ntriples)},
    {{PITH_NQUADS, "nquads", "N-Quads", ".nq", PITH_HOLDS_FACTS, 0,
      SERD_LIBRARY},
     SERD_NEEDED(pith_i_read_nquads),
     NULL},
    {{PITH_TURTLE, "turtle", "Turtle", ".ttl", PITH_HOLDS_FACTS,
      PITH_HOLDS_FACTS, SERD_LIBRARY},
     SERD_NEEDED(pith_i_read_turtle),
     SERD_NEEDED(pith_i_write_turtle)},
    {{PITH_TRIG, "trig", "TriG", ".trig", PITH_HOLDS_FACTS, 0, SERD_LIBRARY},
     SERD_NEEDED(pith_i_read_trig),
     NULL},
    {{PITH_SQLITE, "sqlite", "an SQLite database", ".db .sqlite .sqlite3",
      TABLE, 0, SQLITE_LIBRARY},
     SQLITE_NEEDED(pith_i_read_sqlite),
     NULL},
    {{PITH_PROBLOG, "problog", "ProbLog", ".problog",
      PITH_HOLDS_FACTS | PITH_HOLDS_RULES, PITH_HOLDS_FACTS | PITH_HOLDS_RULES,
      NULL, NULL, true},
     pith_i_read_problog,
     pith_i_write_problog},
    {{PITH_ASP, "asp", "an answer set program (clingo)", ".lp .asp",
      PITH_HOLDS_FACTS | PITH_HOLDS_RULES, PITH_HOLDS_FACTS | PITH_HOLDS_RULES,
      NULL, NULL, true},
     pith_i_read_clingo,
     pith_i_write_asp},
    {{PITH_SOUFFLE, "souffle", "Soufflé", "", 0,
      PITH_HOLDS_FACTS | PITH_HOLDS_RULES, NULL, NULL, true},
     NULL,
     pith_i_write_souffle},
    {{PITH_SQL, "sql", "SQL (SQLite)", "", 0,
      PITH_HOLDS_FACTS | PITH_HOLDS_RULES, NULL, NULL, true},
     NULL,
     pith_i_write_sql},
    {{PITH_POSTGRES, "postgres", "SQL (PostgreSQL)", "", 0,
      PITH_HOLDS_FACTS | PITH_HOLDS_RULES, NULL, NULL, true},
     NULL,
     pith_i_write_postgres},
    {{PITH_DUCKDB, "duckdb", "SQL (DuckDB)", "", 0,
      PITH_HOLDS_FACTS | PITH_HOLDS_RULES, NULL, NULL, true},
     NULL,
     pith_i_write_duckdb},
    {{PITH_AMIE, "amie", "AMIE's rules", ".amie", PITH_HOLDS_RULES,
      PITH_HOLDS_RULES, NULL, NULL, true},
     pith_i_read_amie,
     pith_i_write_amie},
    {{PITH_ANYBURL, "anyburl", "AnyBURL's rules", ".anyburl", PITH_HOLDS_RULES,
      PITH_HOLDS_RULES, NULL, NULL, true},
     pith_i_read_anyburl,
     pith_i_write_anyburl},
    {{PITH_GRAPHVIZ, "dot", "a graph for Graphviz", "", 0, PITH_HOLDS_RULES,
      NULL, NULL, true},
     NULL,
     pith_i_write_dot},
    {{PITH_MERMAID, "mermaid", "a graph for Mermaid", "", 0, PITH_HOLDS_RULES,
      NULL, NULL, true},
     NULL,
     pith_i_write_mermaid},
    {{PITH_LATEX, "latex", "LaTeX", "", 0, PITH_HOLDS_RULES, NULL, NULL, true},
     NULL,
     pith_i_write_latex},
    {{PITH_ENGLISH, "english", "English", "", 0, PITH_HOLDS_RULES, NULL, NULL,
      true},
     NULL,
     pith_i_write_english},
    {{PITH_ALEPH, "aleph", "Aleph's files", ".b .f .n",
      PROGRAM | PITH_HOLDS_BIAS, 0, NULL, NULL, true},
     pith_i_read_aleph,
     NULL},
    {{PITH_METAGOL, "metagol", "a task of Metagol's", ".metagol",
      EVENTS | PITH_HOLDS_BIAS, 0, NULL, NULL, true},
     pith_i_read_metagol,
     NULL},
    {{PITH_BOOKTABS, "booktabs", "a LaTeX table (booktabs)", "", 0,
      PITH_HOLDS_RULES, NULL, NULL, true},
     NULL,
     pith_i_write_booktabs},
};
enum { ENTRIES = sizeof entries / sizeof *entries };
_Static_assert(ENTRIES + 1 == PITH_FORMATS, "a format is missing");

const pith_format_info *pith_format_at(size_t i) {
  return i < ENTRIES ? &entries[i].info : NULL;
}

const pith_format_info *pith_format_of(pith_format format) {
  return format == PITH_AUTO ? NULL : pith_format_at((size_t)format - 1);
}

pith_format pith_format_named(const char *name) {
  for (size_t i = 0; i < ENTRIES; i++)
    if (strcmp(entries[i].info.name, name) == 0)
      return entries[i].info.format;
  return PITH_AUTO;
}

pith_i_reader pith_i_format_reader(pith_format format) {
  return format > PITH_AUTO && (size_t)format <= ENTRIES
             ? entries[format - 1].read
             : NULL;
}

pith_i_writer pith_i_format_writer(pith_format format) {
  return format > PITH_AUTO && (size_t)format <= ENTRIES
             ? entries[format - 1].write
             : NULL;
}

/* ---- names of files --------------------------------------------------- */

static bool ends_with(const char *text, size_t n, const char *end, size_t m) {
  return n >= m && memcmp(text + n - m, end, m) == 0;
}

/* The last part of the path, and its length without a packing's ending. */
static const char *plain_name(const char *path, size_t *n) {
  static const char *const packed[] = {".gz", ".zst", ".xz"};
  const char *slash = strrchr(path, '/');
  const char *name = slash == NULL ? path : slash + 1;
  *n = strlen(name);
  for (size_t i = 0; i < sizeof packed / sizeof *packed; i++) {
    size_t m = strlen(packed[i]);
    if (*n > m && ends_with(name, *n, packed[i], m)) {
      *n -= m;
      break;
    }
  }
  return name;
}

static bool ending_fits(const char *name, size_t n, const char *end, size_t m) {
  return end[0] == '.' ? n > m && ends_with(name, n, end, m)
                       : n == m && memcmp(name, end, m) == 0;
}

/* Whether one of the words in endings fits; a whole name goes before an
** ending, so that bias.pl is a bias. */
static bool name_fits(const char *name, size_t n, const char *endings,
                      bool whole) {
  for (const char *end = endings; *end != '\0';) {
    size_t m = strcspn(end, " ");
    if ((end[0] != '.') == whole && ending_fits(name, n, end, m))
      return true;
    end += m + strspn(end + m, " ");
  }
  return false;
}

pith_format pith_i_format_of_name(const char *path) {
  size_t n;
  const char *name = plain_name(path, &n);
  if (n > 9 && strncmp(name, "templates", 9) == 0 &&
      ends_with(name, n, ".txt", 4))
    return PITH_TEMPLATES;
  for (int whole = 1; whole >= 0; whole--)
    for (size_t i = 0; i < ENTRIES; i++)
      if (name_fits(name, n, entries[i].info.endings, whole != 0))
        return entries[i].info.format;
  return PITH_AUTO;
}

const char *pith_i_stem(const char *path, size_t *n) {
  const char *name = plain_name(path, n);
  for (size_t i = *n; i > 1; i--)
    if (name[i - 1] == '.') {
      *n = i - 1;
      break;
    }
  return name;
}

pith_i_stem_name pith_i_relation_of_path(const char *path,
                                         const char *unnamed) {
  pith_i_stem_name out = {.n = 0};
  uint32_t code;
  size_t n = strlen(unnamed), len;
  const char *s = strcmp(path, "-") == 0 ? unnamed : pith_i_stem(path, &n);
  for (size_t i = 0; i < n && out.n + 4 < sizeof out.text; i += len) {
    len = pith_i_utf8_next(s + i, n - i, &code);
    if (len > 0) {
      memcpy(out.text + out.n, s + i, len);
      out.n += len;
    } else {
      out.n += (size_t)snprintf(out.text + out.n, 4, "%%%02x",
                                (unsigned)(unsigned char)s[i]);
      len = 1;
    }
  }
  out.text[out.n] = '\0';
  return out;
}

/* ---- libraries -------------------------------------------------------- */

/* Each behind a blank, so that they can be put together. */
#ifdef PITH_HAVE_ZLIB
#define WITH_ZLIB " zlib"
#else
#define WITH_ZLIB ""
#endif
#ifdef PITH_HAVE_ZSTD
#define WITH_ZSTD " zstd"
#else
#define WITH_ZSTD ""
#endif
#ifdef PITH_HAVE_LZMA
#define WITH_LZMA " lzma"
#else
#define WITH_LZMA ""
#endif

const char *pith_features(void) {
  static const char list[] =
      WITH_ZLIB WITH_ZSTD WITH_LZMA WITH_JANSSON WITH_SERD WITH_SQLITE;
  return list[0] == ' ' ? list + 1 : list;
}
