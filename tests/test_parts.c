/* A long file comes part by part: what is read of it, and every remark, is what
** comes of the same bytes in one piece. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <pith.h>

enum { ROOM = 8 << 20 };

typedef struct {
  char *text;
  size_t n;
} draft;

static void add_text(draft *d, const char *text, size_t n) {
  assert_true(d->n + n <= ROOM);
  memcpy(d->text + d->n, text, n);
  d->n += n;
}

static void add_word(draft *d, const char *text) {
  add_text(d, text, strlen(text));
}

/* Lines that differ in length, so that parts end anywhere in them. */
static void add_lines(draft *d, const char *format, size_t count) {
  char line[200];
  for (size_t i = 0; i < count; i++) {
    size_t n = (size_t)snprintf(line, sizeof line, format, i * i % 9973, i % 7,
                                i * 31 % 9973);
    add_text(d, line, n);
  }
}

static char *written(pith *p) {
  pith_out *o;
  assert_int_equal(pith_out_memory(p, &o), PITH_OK);
  assert_int_equal(pith_write(p, PITH_PROLOG, o), PITH_OK);
  char *copy = strdup(pith_out_text(o, NULL));
  pith_out_close(o, false);
  return copy;
}

static void same_remarks(const pith *a, const pith *b) {
  assert_int_equal(pith_remark_count(a), pith_remark_count(b));
  for (size_t i = 0; i < pith_remark_count(a); i++) {
    const pith_remark *x = pith_remark_at(a, i), *y = pith_remark_at(b, i);
    assert_int_equal(x->line, y->line);
    assert_int_equal(x->column, y->column);
    assert_int_equal(x->caret, y->caret);
    assert_string_equal(x->text, y->text);
    assert_string_equal(x->source, y->source);
  }
}

/* path: a template of mkstemp's, filled in. */
static void write_draft(const draft *d, char *path) {
  int fd = mkstemp(path);
  assert_true(fd >= 0);
  assert_true(write(fd, d->text, d->n) == (ssize_t)d->n);
  close(fd);
}

#define PATH_OF_DRAFT "/tmp/pith_parts_XXXXXX"

/* Read from a file and from memory; bad: it must be refused. */
static void check_draft(const draft *d, const char *name, bool bad) {
  char path[] = PATH_OF_DRAFT;
  pith *file, *text;
  write_draft(d, path);
  pith_format format = pith_format_named(name);
  assert_int_equal(pith_new(&file), PITH_OK);
  assert_int_equal(pith_new(&text), PITH_OK);
  pith_status rc = pith_read(file, path, format);
  assert_int_equal(rc, bad ? PITH_EINPUT : PITH_OK);
  assert_int_equal(pith_read_text(text, path, d->text, d->n, format), rc);
  unlink(path);
  same_remarks(file, text);
  char *a = written(file), *b = written(text);
  assert_true(strcmp(a, b) == 0);
  assert_true(strlen(a) > 0);
  free(a);
  free(b);
  pith_free(file);
  pith_free(text);
}

static draft new_draft(void) {
  draft d = {malloc(ROOM), 0};
  assert_non_null(d.text);
  return d;
}

static void test_lines(void **state) {
  (void)state;
  static const char *const formats[] = {
      "n%zu\tr%zu\tn%zu\n", "n%zu\tr%zu\tn%zu\r\n", "n%zu r%zu n%zu\n"};
  for (size_t i = 0; i < 3; i++) {
    draft d = new_draft();
    add_word(&d, i == 1 ? "\xef\xbb\xbf" : "");
    add_lines(&d, formats[i], 200000);
    check_draft(&d, "tsv", false);
    d.n -= i == 1 ? 2 : 1; /* without the last line end */
    check_draft(&d, "tsv", false);
    free(d.text);
  }
}

static void test_errors(void **state) {
  (void)state;
  draft d = new_draft();
  for (size_t i = 0; i < 6; i++) {
    add_lines(&d, "n%zu\tr%zu\tn%zu\n", 40000);
    add_word(&d, i % 2 == 0 ? "a\tb\n" : "a\t\tb\n");
  }
  check_draft(&d, "tsv", true);
  free(d.text);
}

static void test_long_line(void **state) {
  (void)state;
  draft d = new_draft();
  add_lines(&d, "n%zu\tr%zu\tn%zu\n", 90000);
  add_word(&d, "a\tb\t");
  memset(d.text + d.n, 'x', 3 << 20);
  d.n += 3 << 20;
  add_word(&d, "\n");
  add_lines(&d, "m%zu\tr%zu\tn%zu\n", 1000);
  check_draft(&d, "tsv", false);
  free(d.text);
}

static void test_rdf(void **state) {
  (void)state;
  if (strstr(pith_features(), "serd") == NULL)
    skip();
  draft d = new_draft();
  add_lines(&d, "<http://e/n%zu> <http://e/r%zu> <http://e/n%zu> .\n", 60000);
  add_lines(&d, "<http://e/n%zu> <http://e/s%zu> \"%zu\" .\n", 40000);
  check_draft(&d, "ntriples", false);
  add_word(&d, "<http://e/a> <http://e/b c> <http://e/d> .\n");
  add_lines(&d, "_:n%zu <http://e/r%zu> <http://e/n%zu> .\n", 100);
  check_draft(&d, "ntriples", true);
  free(d.text);
}

/* Behind a bad byte nothing is read; in front of it whole parts are. */
static void test_bad_byte(void **state) {
  (void)state;
  draft d = new_draft();
  char path[] = PATH_OF_DRAFT;
  pith *p;
  add_lines(&d, "n%zu\tr%zu\tn%zu\n", 150000);
  add_word(&d, "a\tb\t\xff\n");
  write_draft(&d, path);
  assert_int_equal(pith_new(&p), PITH_OK);
  assert_int_equal(pith_read(p, path, PITH_TRIPLES), PITH_EINPUT);
  unlink(path);
  assert_int_equal(pith_remark_count(p), 1);
  assert_int_equal(pith_remark_at(p, 0)->line, 150001);
  assert_int_equal(pith_remark_at(p, 0)->column, 5);
  pith_free(p);
  free(d.text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_lines),     cmocka_unit_test(test_errors),
      cmocka_unit_test(test_long_line), cmocka_unit_test(test_rdf),
      cmocka_unit_test(test_bad_byte),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
