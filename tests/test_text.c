/* Reading and writing: what a writer writes reads back to the same, damaged
** input does no harm, and sizes that are out of the ordinary work. What is
** said about slips in a program is in tests/language. */
#include <glob.h>
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <pith.h>

#include "text/column_kind.h"
#include "text/decimal.h"
#include "text/letters.h"
#include "text/triples.h"

static pith *handle(void) {
  pith *p;
  assert_int_equal(pith_new(&p), PITH_OK);
  return p;
}

static pith *handle_with(const char *text, pith_format format) {
  pith *p = handle();
  pith_status rc = pith_read_text(p, "text", text, strlen(text), format);
  if (rc < 0)
    fail_msg("%s", pith_error(p));
  return p;
}

/* ---- round trips ------------------------------------------------------ */

static char *written(pith *p, pith_format format) {
  pith_out *o;
  assert_int_equal(pith_out_memory(p, &o), PITH_OK);
  if (pith_write(p, format, o) < 0)
    fail_msg("%s", pith_error(p));
  size_t n;
  const char *text = pith_out_text(o, &n);
  assert_non_null(text);
  char *copy = malloc(n + 1);
  assert_non_null(copy);
  memcpy(copy, text, n + 1);
  pith_out_close(o, false);
  return copy;
}

static void assert_round(pith *p, pith_format format) {
  char *once = written(p, format);
  pith *q = handle_with(once, format);
  char *twice = written(q, format);
  assert_string_equal(once, twice);
  if (format == PITH_PROLOG) {
    assert_true(pith_fact_count(p, PITH_NONE, PITH_GIVEN) ==
                pith_fact_count(q, PITH_NONE, PITH_GIVEN));
    assert_int_equal(pith_rule_count(p), pith_rule_count(q));
    assert_int_equal(pith_example_count(p), pith_example_count(q));
  }
  if (format == PITH_TEMPLATES) {
    assert_int_equal(pith_template_count(p), pith_template_count(q));
    assert_int_equal(pith_template_steps(p), pith_template_steps(q));
  }
  free(once);
  free(twice);
  pith_free(q);
}

static void round_files(const char *pattern, const pith_format *formats,
                        size_t n) {
  glob_t found;
  assert_int_equal(glob(pattern, 0, NULL, &found), 0);
  for (size_t i = 0; i < found.gl_pathc; i++) {
    pith *p = handle();
    if (pith_read(p, found.gl_pathv[i], PITH_AUTO) < 0)
      fail_msg("%s", pith_error(p));
    for (size_t j = 0; j < n; j++)
      assert_round(p, formats[j]);
    pith_free(p);
  }
  globfree(&found);
}

static void test_round_tasks(void **state) {
  (void)state;
  static const pith_format all[] = {PITH_PROLOG, PITH_TEMPLATES, PITH_BIAS};
  round_files("data/ilp/*", all, 3);
  round_files("data/ilp/*/test", all, 1);
  round_files("data/theory/*/*.pl", all, 1);
  round_files("data/*/*/templates*.txt", &all[1], 1);
}

static void test_round_triples(void **state) {
  (void)state;
  static const pith_format both[] = {PITH_TRIPLES, PITH_PROLOG};
  round_files("data/countries/*.tsv", both, 2);
}

/* Every character, alone and at either end of a name. */
static void test_round_names(void **state) {
  (void)state;
  pith *p = handle();
  pith_pred pred;
  assert_int_equal(pith_pred_add(p, "p", 1, &pred), PITH_OK);
  for (unsigned c = 1; c < 0x2100; c += c < 0x100 ? 1 : 7) {
    char text[8] = "";
    size_t n = 0;
    if (c < 0x80)
      text[n++] = (char)c;
    else if (c < 0x800) {
      text[n++] = (char)(0xc0 | c >> 6);
      text[n++] = (char)(0x80 | (c & 0x3f));
    } else {
      text[n++] = (char)(0xe0 | c >> 12);
      text[n++] = (char)(0x80 | (c >> 6 & 0x3f));
      text[n++] = (char)(0x80 | (c & 0x3f));
    }
    pith_sym s;
    for (int k = 0; k < 3; k++) {
      char name[16];
      int m = snprintf(name, sizeof name, "%s%s%s", k == 1 ? "a" : "", text,
                       k == 2 ? "a" : "");
      assert_int_equal(pith_sym_add(p, name, (size_t)m, PITH_NAME, &s), 0);
      assert_int_equal(pith_fact_add(p, pred, &s, 1), PITH_OK);
    }
  }
  assert_round(p, PITH_PROLOG);
  pith_free(p);
}

static void test_round_weights(void **state) {
  (void)state;
  static const double weights[] = {
      0,    0.1,  1.0 / 3, 1e-300, 1e300,
      12.5, 1e20, 123456,  5e-324, 0.30000000000000004,
      2,    1e15, 1e16,    1.5e-10};
  for (size_t i = 0; i < sizeof weights / sizeof *weights; i++) {
    pith_i_decimal d = pith_i_decimal_write(weights[i]);
    double back = -1;
    assert_true(pith_i_decimal_read(d.text, strlen(d.text), &back));
    assert_true(back == weights[i]);
    char text[128];
    snprintf(text, sizeof text, "pos(f(a),%s).", d.text);
    pith *p = handle_with(text, PITH_PROLOG);
    assert_true(pith_example_at(p, 0)->weight == weights[i]);
    assert_round(p, PITH_PROLOG);
    pith_free(p);
  }
}

/* A comma for the point must change nothing. */
static void test_locale(void **state) {
  if (setlocale(LC_NUMERIC, "de_DE.UTF-8") == NULL &&
      setlocale(LC_NUMERIC, "fr_FR.UTF-8") == NULL)
    skip();
  test_round_weights(state);
  setlocale(LC_NUMERIC, "C");
}

static void assert_rule_text(pith *p, const pith_rule *r, const char *text) {
  pith_out *o;
  assert_int_equal(pith_out_memory(p, &o), PITH_OK);
  assert_int_equal(pith_rule_write(p, r, o), PITH_OK);
  assert_string_equal(pith_out_text(o, NULL), text);
  pith_out_close(o, false);
}

/* Names of variables that a reader could not tell apart are not used. */
static void test_variable_names(void **state) {
  (void)state;
  pith *p = handle();
  pith_pred head, body;
  pith_sym x, y, any, small;
  assert_int_equal(pith_pred_add(p, "h", 2, &head), PITH_OK);
  assert_int_equal(pith_pred_add(p, "b", 2, &body), PITH_OK);
  assert_int_equal(pith_sym_add(p, "X", 1, PITH_NAME, &x), PITH_OK);
  assert_int_equal(pith_sym_add(p, "Y", 1, PITH_NAME, &y), PITH_OK);
  assert_int_equal(pith_sym_add(p, "_", 1, PITH_NAME, &any), PITH_OK);
  assert_int_equal(pith_sym_add(p, "x", 1, PITH_NAME, &small), PITH_OK);
  pith_term args[] = {PITH_VAR(0), PITH_VAR(1)};
  pith_atom atom = {.pred = body, .arity = 2, .args = args};
  pith_rule r = {.head = {.pred = head, .arity = 2, .args = args},
                 .body = &atom,
                 .body_len = 1,
                 .var_count = 2};
  assert_rule_text(p, &r, "h(A,B) :- b(A,B).");
  r.var_names = (pith_sym[]){x, y};
  assert_rule_text(p, &r, "h(X,Y) :- b(X,Y).");
  r.var_names = (pith_sym[]){x, x};
  assert_rule_text(p, &r, "h(A,B) :- b(A,B).");
  r.var_names = (pith_sym[]){x, any};
  assert_rule_text(p, &r, "h(A,B) :- b(A,B).");
  r.var_names = (pith_sym[]){x, small};
  assert_rule_text(p, &r, "h(A,B) :- b(A,B).");
  args[1] = PITH_VAR(60);
  r.var_names = NULL;
  r.var_count = 61;
  assert_rule_text(p, &r, "h(A,I2) :- b(A,I2).");
  r.var_count = 2;
  assert_int_equal(pith_rule_add(p, &r), PITH_EARG);
  pith_free(p);
}

/* ---- damage ----------------------------------------------------------- */

static const char sample[] =
    "% a comment\n"
    "edge(a,'B c\\n'). edge(1.5,-3).\n"
    "reach(X,Y) :- edge(X,Z), /* so */ reach(Z,Y), X \\= Y.\n"
    "pos(reach(a,b), 0.8). neg(reach(b,a)).\n"
    ":- dynamic edge/2.\n";

static const char *const samples[] = {
    [PITH_PROLOG] = sample,
    [PITH_TRIPLES] = "a\tlikes\tb\n12\tlikes\ttwo words\r\n\nx\ty\tz",
    [PITH_TEMPLATES] = "F(X,Y) <- F(X,Z), F(Z,Y)\n3 #1(X) :- #1(X), p(X).\n"
                       "invented: aux/2\nsteps: 3\n"
                       "metarule([P,Q],[P,A],[[Q,A]]).\n",
    [PITH_BIAS] = "head_pred(f,2).\ntype(f,(a,b)).\ndirection(g,(in,)).\n"
                  "max_vars(3). enable_pi.\nconstant(a,b). constant(-1).\n"
                  "allow_singletons. prop(x).\n"};

/* A fourth column is a fact of three places, which triples cannot hold. */
static bool has_wide_fact(const pith *p) {
  for (pith_pred i = 0; i < pith_pred_count(p); i++)
    if (pith_pred_arity(p, i) > 2)
      return true;
  return false;
}

static void read_anyhow(const char *text, size_t n, pith_format format) {
  pith *p = handle();
  pith_status rc = pith_read_text(p, "damaged", text, n, format);
  assert_true(rc == PITH_OK || rc == PITH_EINPUT);
  assert_int_equal(rc == PITH_EINPUT, pith_remark_errors(p) > 0);
  for (size_t i = 0; i < pith_remark_count(p); i++) {
    const pith_remark *m = pith_remark_at(p, i);
    assert_true(m->text[0] != '\0' && strchr(m->text, ';') != NULL);
    assert_true(m->caret <= strlen(m->source));
  }
  if (!has_wide_fact(p) || format != PITH_TRIPLES)
    assert_round(p, format);
  pith_free(p);
}

static void test_cut_short(void **state) {
  (void)state;
  for (pith_format f = PITH_PROLOG; f <= PITH_BIAS; f++)
    for (size_t n = 0; n <= strlen(samples[f]); n++)
      read_anyhow(samples[f], n, f);
}

static void test_bytes_changed(void **state) {
  (void)state;
  static const char bytes[] = "\0\n'\"(),.:-%*/\\X_a1[#\t\xe9\x80 ";
  for (pith_format f = PITH_PROLOG; f <= PITH_BIAS; f++)
    for (size_t i = 0; i < strlen(samples[f]); i++)
      for (size_t b = 0; b < sizeof bytes - 1; b++) {
        char text[512];
        size_t n = strlen(samples[f]);
        memcpy(text, samples[f], n);
        text[i] = bytes[b];
        read_anyhow(text, n, f);
      }
}

static void test_limits_of_remarks(void **state) {
  (void)state;
  char text[4096] = "";
  for (int i = 0; i < 25; i++)
    strcat(text, "Edge(a).\np(X) :- q(X,Y).\n");
  pith *p = handle();
  assert_int_equal(pith_read_text(p, "a", text, strlen(text), PITH_PROLOG),
                   PITH_EINPUT);
  assert_int_equal(pith_remark_errors(p), 25);
  assert_int_equal(pith_remark_warnings(p), 25);
  assert_int_equal(pith_remark_count(p), 40);
  assert_string_equal(pith_error(p),
                      "a:1:1: Edge looks like a variable; expected a "
                      "predicate; quote it: 'Edge', or write it in lower case");
  assert_int_equal(pith_rule_count(p), 25);
  assert_int_equal(pith_read_text(p, "b", "p([]).", 6, PITH_PROLOG),
                   PITH_EINPUT);
  assert_int_equal(pith_remark_count(p), 41);
  assert_memory_equal(pith_error(p), "b:1:3: ", 7);
  pith_free(p);
}

/* ---- sizes ------------------------------------------------------------ */

static void test_long_name(void **state) {
  (void)state;
  enum { LONG = 1 << 16 };
  char *text = malloc(2 * LONG + 64), *s = text;
  assert_non_null(text);
  s += sprintf(s, "p(");
  memset(s, 'n', LONG);
  s += LONG;
  s += sprintf(s, ",'");
  memset(s, 'Q', LONG);
  s += LONG;
  sprintf(s, "').");
  pith *p = handle_with(text, PITH_PROLOG);
  assert_round(p, PITH_PROLOG);
  memcpy(s, "  X", 3);
  assert_int_equal(pith_read_text(p, "x", text, strlen(text), PITH_PROLOG),
                   PITH_EINPUT);
  assert_true(strlen(pith_remark_at(p, 0)->source) < 200);
  pith_free(p);
  free(text);
}

/* One line of many facts, an error in its middle. */
static void test_long_line(void **state) {
  (void)state;
  enum { FACTS = 200000 };
  char *text = malloc(FACTS * 24), *s = text;
  assert_non_null(text);
  for (int i = 0; i < FACTS; i++)
    s += sprintf(s, i == FACTS / 2 ? "Edge(%d,%d). " : "edge(n%d,%d). ", i,
                 i + 1);
  pith *p = handle();
  assert_int_equal(
      pith_read_text(p, "long", text, (size_t)(s - text), PITH_PROLOG),
      PITH_EINPUT);
  assert_true(pith_fact_count(p, PITH_NONE, PITH_GIVEN) == FACTS - 1);
  assert_int_equal(pith_remark_errors(p), 1);
  assert_true(strlen(pith_remark_at(p, 0)->source) < 200);
  pith_free(p);
  free(text);
}

static void test_large_arity(void **state) {
  (void)state;
  for (int arity = 65535; arity <= 65536; arity++) {
    char *text = malloc((size_t)arity * 2 + 16), *s = text;
    assert_non_null(text);
    s += sprintf(s, "p(a");
    for (int i = 1; i < arity; i++)
      s += sprintf(s, ",b");
    sprintf(s, ").");
    pith *p = handle();
    assert_int_equal(pith_read_text(p, "x", text, strlen(text), PITH_PROLOG),
                     arity == 65535 ? PITH_OK : PITH_EINPUT);
    pith_free(p);
    free(text);
  }
}

/* ---- files ------------------------------------------------------------ */

#define CORPUS "tests/fuzz/corpus/source/"

static void test_packed(void **state) {
  (void)state;
  static const struct {
    const char *path, *feature;
    uint64_t facts;
  } files[] = {{CORPUS "plain", "", 2},
               {CORPUS "gz", "zlib", 2},
               {CORPUS "zst", "zstd", 2},
               {CORPUS "xz", "lzma", 2}};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    pith *p = handle();
    bool there = strstr(pith_features(), files[i].feature) != NULL;
    assert_int_equal(pith_read(p, files[i].path, PITH_TRIPLES),
                     there ? PITH_OK : PITH_EUNSUPPORTED);
    if (there)
      assert_true(pith_fact_count(p, PITH_NONE, PITH_GIVEN) == files[i].facts);
    pith_free(p);
  }
}

/* Packed data that is cut short is refused at every length. */
static void test_packed_cut(void **state) {
  (void)state;
  static const char *const files[] = {CORPUS "gz", CORPUS "zst", CORPUS "xz"};
  static const char *const features[] = {"zlib", "zstd", "lzma"};
  for (size_t i = 0; i < 3; i++) {
    char data[1024];
    FILE *f = fopen(files[i], "rb");
    assert_non_null(f);
    size_t n = fread(data, 1, sizeof data, f);
    fclose(f);
    if (strstr(pith_features(), features[i]) == NULL)
      continue;
    for (size_t k = 7; k < n; k++) {
      pith *p = handle();
      pith_status rc = pith_read_text(p, "x.tsv", data, k, PITH_AUTO);
      assert_true(rc == PITH_EIO || (i == 0 && rc == PITH_OK));
      pith_free(p);
    }
  }
}

static void assert_refused(const char *path, pith_format format,
                           pith_status status, const char *sentence) {
  pith *p = handle();
  assert_int_equal(pith_read(p, path, format), status);
  assert_string_equal(pith_error(p), sentence);
  pith_free(p);
}

static void test_paths(void **state) {
  (void)state;
  assert_refused("no/such/file.pl", PITH_AUTO, PITH_EIO,
                 "no/such/file.pl: cannot read: No such file or directory");
  assert_refused("tests", PITH_AUTO, PITH_EIO,
                 "tests: a folder with nothing to read; expected bk.pl, "
                 "exs.pl, or train.tsv, .txt, .csv or .nt in it; name a file "
                 "instead");
  pith *p = handle();
  assert_int_equal(pith_read(p, "data/ilp/son/", PITH_AUTO), PITH_OK);
  pith_pred son = pith_pred_find(p, "son", 2);
  assert_true((pith_pred_roles(p, son) & PITH_TARGET) != 0);
  assert_true(pith_template_count(p) > 0 && pith_template_steps(p) > 0);
  pith_free(p);
}

/* ---- atoms ------------------------------------------------------------ */

static void test_atom(void **state) {
  (void)state;
  pith *p = handle_with("reach(a,b).", PITH_PROLOG);
  const pith_atom *a;
  assert_int_equal(pith_atom_read(p, " reach(a, X) . ", &a), PITH_OK);
  assert_int_equal(a->pred, pith_pred_find(p, "reach", 2));
  assert_int_equal(a->arity, 2);
  assert_int_equal(a->args[0], pith_sym_find(p, "a", 1, PITH_NAME));
  assert_true(PITH_IS_VAR(a->args[1]));
  assert_int_equal(pith_atom_read(p, "raining", &a), PITH_OK);
  assert_int_equal(a->arity, 0);
  assert_int_equal(pith_atom_read(p, "reach(a)", &a), PITH_OK);
  assert_int_equal(a->pred, pith_pred_find(p, "reach", 1));
  assert_int_equal(pith_atom_read(p, "", &a), PITH_EINPUT);
  assert_null(a);
  assert_int_equal(pith_atom_read(p, "p(a), q(b)", &a), PITH_EINPUT);
  assert_int_equal(pith_atom_read(p, "p(a) :- q(b)", &a), PITH_EINPUT);
  assert_int_equal(pith_atom_read(p, "p('a", &a), PITH_EINPUT);
  assert_int_equal(pith_remark_count(p), 0);
  pith_free(p);
}

/* ---- small parts ------------------------------------------------------ */

static void test_integers(void **state) {
  (void)state;
  static const char *const yes[] = {"0", "7", "-3", "1200"};
  static const char *const no[] = {"",   "-",   "-0",  "007", "1.5",
                                   "+1", "1e5", "12a", " 1",  "--1"};
  for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
    assert_true(pith_i_is_integer(yes[i], strlen(yes[i])));
  for (size_t i = 0; i < sizeof no / sizeof *no; i++)
    assert_false(pith_i_is_integer(no[i], strlen(no[i])));
}

static void test_letters(void **state) {
  (void)state;
  assert_true(pith_i_is_capital(0xc9) && !pith_i_is_capital(0xe9));
  assert_true(!pith_i_is_capital(0xd7) && !pith_i_is_letter(0xd7));
  assert_true(pith_i_is_capital(0x141) && !pith_i_is_capital(0x142));
  assert_true(pith_i_is_capital(0x394) && !pith_i_is_capital(0x3b4));
  assert_true(pith_i_is_capital(0x416) && !pith_i_is_capital(0x436));
  assert_true(!pith_i_is_capital(0x4e2d) && pith_i_is_letter(0x4e2d));
  assert_true(!pith_i_is_letter(0x2019) && !pith_i_is_letter(0xa0));
}

static void test_api_is_checked(void **state) {
  (void)state;
  pith *p = handle_with("p(a).", PITH_PROLOG);
  pith_pred pred = pith_pred_find(p, "p", 1);
  pith_sym wrong = 1000, pair[2] = {0, 0};
  assert_int_equal(pith_fact_add(p, pred, &wrong, 1), PITH_EARG);
  assert_int_equal(pith_fact_add(p, PITH_EQUAL, pair, 2), PITH_EARG);
  assert_int_equal(pith_example_add(p, pred, pair, 1, true, -1), PITH_EARG);
  pith_term arg = PITH_VAR(0);
  pith_slot slot = {.arity = 1, .pred = PITH_NONE};
  pith_template t = {
      .shape = {.head = {.pred = 1, .arity = 1, .args = &arg}, .var_count = 1},
      .slots = &slot,
      .slot_count = 1,
      .copies = 1};
  assert_int_equal(pith_template_add(p, &t), PITH_EARG);
  pith_free(p);
}

/* ---- columns of tables ------------------------------------------------- */

static pith_i_column_kind kind_of(const char *const *cells) {
  pith_i_column_kind k = {.may_be = PITH_I_CELL_ANY};
  for (size_t i = 0; cells[i] != NULL; i++) {
    pith_i_cell cell = {cells[i], strlen(cells[i]), i, false};
    pith_i_column_look(&k, &cell, false);
  }
  return k;
}

#define KIND_OF(...) kind_of((const char *const[]){__VA_ARGS__, NULL})

static void test_column_kinds(void **state) {
  (void)state;
  pith_i_column_kind k = KIND_OF("1", "-2.5", "?", "n/a", "1e3");
  assert_true(pith_i_column_is_number(&k) && !pith_i_column_is_truth(&k));
  assert_int_equal(k.may_be, PITH_I_CELL_DECIMAL);
  pith_i_cell dash = {"-", 1, 0, false}, none = {"none", 4, 0, false};
  assert_true(pith_i_column_is_empty(&k, &dash));
  assert_false(pith_i_column_is_empty(&k, &none));
  k = KIND_OF("yes", "no", "NA");
  assert_true(pith_i_column_is_truth(&k));
  k = KIND_OF("007", "NA", "x");
  assert_int_equal(k.may_be, 0);
  pith_i_cell namibia = {"NA", 2, 0, false};
  assert_false(pith_i_column_is_empty(&k, &namibia));
}

static void test_column_doubts(void **state) {
  (void)state;
  pith_i_column_kind k = KIND_OF("1", "2", "3", "4", "x");
  assert_non_null(strstr(pith_i_column_doubt(&k), "not a number"));
  assert_string_equal(k.odd.text, "x");
  assert_int_equal(k.odd_at, 4);
  const char *const numbers[] = {"1,200",     "1.200,50", "1'200", "$ 3",
                                 "-3 \u20ac", "12%",      "50 %"};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    k = KIND_OF("7", numbers[i]);
    assert_non_null(pith_i_column_doubt(&k));
  }
  k = KIND_OF("14/06/2024", "6/7/24", "1.2.1999", "2024/6/1");
  assert_non_null(strstr(pith_i_column_doubt(&k), "date"));
  const char *const names[] = {"007", "555-1234", "3/8",   "1,",
                               "%",   "a1",       "1 2 kg"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    k = KIND_OF(names[i], names[i]);
    assert_null(pith_i_column_doubt(&k));
  }
  k = KIND_OF("1", "2", "3", "x"); /* too few to say */
  assert_null(pith_i_column_doubt(&k));
  k = KIND_OF("1", "2", "3");
  assert_null(pith_i_column_doubt(&k));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_round_tasks),
      cmocka_unit_test(test_round_triples),
      cmocka_unit_test(test_round_names),
      cmocka_unit_test(test_round_weights),
      cmocka_unit_test(test_locale),
      cmocka_unit_test(test_variable_names),
      cmocka_unit_test(test_cut_short),
      cmocka_unit_test(test_bytes_changed),
      cmocka_unit_test(test_limits_of_remarks),
      cmocka_unit_test(test_long_name),
      cmocka_unit_test(test_long_line),
      cmocka_unit_test(test_large_arity),
      cmocka_unit_test(test_packed),
      cmocka_unit_test(test_packed_cut),
      cmocka_unit_test(test_paths),
      cmocka_unit_test(test_atom),
      cmocka_unit_test(test_integers),
      cmocka_unit_test(test_letters),
      cmocka_unit_test(test_api_is_checked),
      cmocka_unit_test(test_column_kinds),
      cmocka_unit_test(test_column_doubts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
