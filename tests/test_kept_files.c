/* Files that are written when memory or the disk runs out: the old one stays
** until the new one is whole. */
#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "miser.h"

static char folder[] = "/tmp/pith-test-XXXXXX";
static char target[64];

static int make_folder(void **state) {
  (void)state;
  if (mkdtemp(folder) == NULL)
    return -1;
  snprintf(target, sizeof target, "%s/result.pl", folder);
  return 0;
}

static int remove_folder(void **state) {
  (void)state;
  unlink(target);
  return rmdir(folder); /* fails when a temporary file was left behind */
}

static void put_old(void) {
  FILE *f = fopen(target, "w");
  assert_non_null(f);
  fputs("old\n", f);
  fclose(f);
}

static bool is_old(void) {
  char text[8] = "";
  FILE *f = fopen(target, "r");
  assert_non_null(f);
  size_t n = fread(text, 1, sizeof text - 1, f);
  fclose(f);
  return n == 4 && strcmp(text, "old\n") == 0;
}

static size_t files_in_folder(void) {
  char pattern[64];
  glob_t found;
  snprintf(pattern, sizeof pattern, "%s/*", folder);
  size_t n = glob(pattern, 0, NULL, &found) == 0 ? found.gl_pathc : 0;
  globfree(&found);
  return n;
}

static pith_status write_to(pith *p, const char *path) {
  pith_out *out = NULL;
  pith_status rc = pith_out_file(p, path, &out);
  if (rc >= 0)
    rc = pith_facts_write(p, PITH_ALL, PITH_PROLOG, out);
  pith_status closed = pith_out_close(out, rc >= 0);
  return rc < 0 ? rc : closed;
}

static pith_status write_file(pith *p) {
  pith_status rc = infer_ring(p, 4);
  return rc < 0 ? rc : write_to(p, target);
}

static void test_file_kept(void **state) {
  (void)state;
  for (size_t k = 0;; k++) {
    put_old();
    miser m = {.refuse = k};
    pith_status rc = run_job(&m, write_file);
    assert_int_equal(m.alive, 0);
    assert_int_equal(files_in_folder(), 1);
    assert_int_equal(is_old(), rc < 0);
    if (m.refused == 0)
      return;
    assert_true(rc == PITH_ENOMEM || rc >= 0);
  }
}

static pith *filled(void) {
  pith *p;
  assert_int_equal(pith_new(&p), PITH_OK);
  assert_int_equal(infer_ring(p, 80), PITH_OK);
  return p;
}

static void test_full_device(void **state) {
  (void)state;
  if (access("/dev/full", W_OK) != 0)
    skip();
  pith *p = filled();
  assert_int_equal(write_to(p, "/dev/full"), PITH_EIO);
  assert_non_null(strstr(pith_error(p), "/dev/full"));
  pith_free(p);
}

/* The limit on a file's size stands in for a full disk: a write comes back
** short, the next one fails. */
static void test_full_disk(void **state) {
  (void)state;
  pith *p = filled();
  struct rlimit old, small;
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
  small = old;
  small.rlim_cur = 10000;
  put_old();
  signal(SIGXFSZ, SIG_IGN);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
  pith_status rc = write_to(p, target);
  setrlimit(RLIMIT_FSIZE, &old);
  assert_int_equal(rc, PITH_EIO);
  assert_non_null(strstr(pith_error(p), target));
  assert_true(is_old());
  assert_int_equal(files_in_folder(), 1);
  assert_int_equal(write_to(p, target), PITH_OK);
  assert_false(is_old());
  pith_free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_file_kept),
      cmocka_unit_test(test_full_device),
      cmocka_unit_test(test_full_disk),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
