/* Files that appear whole or not at all: names that nobody can plant, links
** that are followed, what killed runs leave behind, two writers of one path. */
#include <dirent.h>
#include <fcntl.h>
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/out.h"

static char folder[64];

static int make_folder(void **state) {
  (void)state;
  strcpy(folder, "/tmp/pith-out-XXXXXX");
  return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state) {
  (void)state;
  DIR *all = opendir(folder);
  for (struct dirent *d; all != NULL && (d = readdir(all)) != NULL;)
    (void)unlinkat(dirfd(all), d->d_name, 0);
  closedir(all);
  return rmdir(folder);
}

static const char *path_of(const char *name) {
  static char paths[4][128];
  static int next;
  char *path = paths[next++ % 4];
  snprintf(path, sizeof paths[0], "%s/%s", folder, name);
  return path;
}

static int count_files(void) {
  int n = 0;
  DIR *all = opendir(folder);
  assert_non_null(all);
  for (struct dirent *d; (d = readdir(all)) != NULL;)
    n += d->d_name[0] != '.';
  closedir(all);
  return n;
}

static void put_file(const char *path, const char *text) {
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  assert_true(fputs(text, f) >= 0);
  assert_int_equal(fclose(f), 0);
}

static void assert_file(const char *path, const char *text) {
  char got[256];
  FILE *f = fopen(path, "r");
  assert_non_null(f);
  got[fread(got, 1, sizeof got - 1, f)] = '\0';
  fclose(f);
  assert_string_equal(got, text);
}

static void put_through(const char *path, const char *text, bool keep) {
  pith_i_env env;
  pith_out *o;
  pith_i_env_init(&env, NULL);
  assert_int_equal(pith_i_out_file(&env, path, &o), PITH_OK);
  assert_int_equal(pith_out_write(o, text, strlen(text)), PITH_OK);
  assert_int_equal(pith_out_close(o, keep), PITH_OK);
  assert_int_equal(env.used, 0);
}

static void whole_or_not_at_all(void **state) {
  (void)state;
  put_through(path_of("a"), "old", true);
  put_through(path_of("a"), "new", false);
  assert_file(path_of("a"), "old");
  put_through(path_of("a"), "new", true);
  assert_file(path_of("a"), "new");
  assert_int_equal(count_files(), 1);
}

static void keeps_the_mode(void **state) {
  (void)state;
  struct stat st;
  put_file(path_of("a"), "old");
  assert_int_equal(chmod(path_of("a"), 0640), 0);
  put_through(path_of("a"), "new", true);
  assert_int_equal(stat(path_of("a"), &st), 0);
  assert_int_equal(st.st_mode & 0777, 0640);
}

static void follows_links(void **state) {
  (void)state;
  struct stat st;
  put_file(path_of("real"), "old");
  assert_int_equal(symlink("real", path_of("link")), 0);
  assert_int_equal(symlink(path_of("link"), path_of("far")), 0);
  put_through(path_of("far"), "new", true);
  assert_file(path_of("real"), "new");
  assert_int_equal(lstat(path_of("link"), &st), 0);
  assert_true(S_ISLNK(st.st_mode));
  assert_int_equal(symlink("nothing-yet", path_of("dangling")), 0);
  put_through(path_of("dangling"), "made", true);
  assert_file(path_of("nothing-yet"), "made");
  assert_int_equal(symlink("loop", path_of("loop")), 0);
  pith_i_env env;
  pith_out *o;
  pith_i_env_init(&env, NULL);
  assert_int_equal(pith_i_out_file(&env, path_of("loop"), &o), PITH_EIO);
  assert_int_equal(env.used, 0);
}

/* Two handles of one process have temporaries of their own. */
static void two_writers(void **state) {
  (void)state;
  pith_i_env one, two;
  pith_out *a, *b;
  pith_i_env_init(&one, NULL);
  pith_i_env_init(&two, NULL);
  assert_int_equal(pith_i_out_file(&one, path_of("a"), &a), PITH_OK);
  assert_int_equal(pith_i_out_file(&two, path_of("a"), &b), PITH_OK);
  assert_int_equal(count_files(), 2);
  assert_int_equal(pith_out_write(a, "first", 5), PITH_OK);
  assert_int_equal(pith_out_write(b, "second", 6), PITH_OK);
  assert_int_equal(pith_out_close(a, true), PITH_OK);
  assert_file(path_of("a"), "first");
  assert_int_equal(pith_out_close(b, true), PITH_OK);
  assert_file(path_of("a"), "second");
  assert_int_equal(count_files(), 1);
}

/* A child that dies while it writes. */
static void leave_a_stray(void) {
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    pith_i_env env;
    pith_out *o;
    pith_i_env_init(&env, NULL);
    _exit(pith_i_out_file(&env, path_of("a"), &o) < 0);
  }
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void removes_strays(void **state) {
  (void)state;
  leave_a_stray();
  assert_int_equal(count_files(), 1);
  put_file(path_of("a.tmp-1-0123456789abcdef"), "of a live process");
  put_file(path_of("a.tmp-x-0123456789abcdef"), "of nobody");
  put_file(path_of("ab.tmp-999999999-0"), "of another file");
  put_through(path_of("a"), "new", true);
  assert_int_equal(count_files(), 4);
  assert_file(path_of("a"), "new");
  assert_file(path_of("a.tmp-1-0123456789abcdef"), "of a live process");
}

/* A pipe or a device is written in place. */
static void writes_to_pipes(void **state) {
  (void)state;
  char got[8] = "";
  assert_int_equal(mkfifo(path_of("pipe"), 0600), 0);
  int fd = open(path_of("pipe"), O_RDONLY | O_NONBLOCK);
  assert_true(fd >= 0);
  put_through(path_of("pipe"), "text", true);
  assert_int_equal(read(fd, got, sizeof got), 4);
  assert_string_equal(got, "text");
  close(fd);
}

static void nothing_is_written_by_nothing(void **state) {
  (void)state;
  pith_i_env env;
  pith_out *o;
  pith_i_env_init(&env, NULL);
  assert_int_equal(pith_i_out_memory(&env, &o), PITH_OK);
  assert_int_equal(pith_out_write(o, NULL, 0), PITH_OK);
  assert_string_equal(pith_out_text(o, NULL), "");
  assert_int_equal(pith_out_close(o, true), PITH_OK);
}

/* A name that ends in .gz: packed, and the same bytes each time. */
static void packs_by_name(void **state) {
  (void)state;
  enum { LONG = 300000 };
  char *text = malloc(LONG + 1), first[LONG], again[LONG];
  assert_non_null(text);
  for (int i = 0; i < LONG; i++)
    text[i] = "abc(d,e).\n"[i % 10];
  text[LONG] = '\0';
  size_t n = 0;
  for (int round = 0; round < 2; round++) {
    put_through(path_of("a.gz"), text, true);
    FILE *f = fopen(path_of("a.gz"), "r");
    assert_non_null(f);
    size_t got = fread(round == 0 ? first : again, 1, LONG, f);
    fclose(f);
    assert_true(got > 20 && got < LONG / 50 && (round == 0 || got == n));
    n = got;
  }
  assert_memory_equal(first, "\x1f\x8b", 2);
  assert_memory_equal(first, again, n);
  put_through(path_of("b.gz"), text, false);
  assert_int_equal(count_files(), 1);
  put_through(path_of(".gz"), "as it is", true); /* nothing before the dot */
  free(text);
}

/* A locale with a comma, made where the system has none; false: it cannot. */
static bool use_comma_locale(void) {
  char command[256];
  if (setlocale(LC_NUMERIC, "de_DE.UTF-8") != NULL)
    return true;
  snprintf(command, sizeof command,
           "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 >/dev/null 2>&1",
           folder);
  setenv("LOCPATH", folder, 1);
  return system(command) == 0 && setlocale(LC_NUMERIC, "de_DE.UTF-8") != NULL;
}

static void numbers_have_a_point(void **state) {
  (void)state;
  pith_i_env env;
  pith_out *o = NULL;
  char text[16], command[128];
  pith_i_env_init(&env, NULL);
  if (use_comma_locale()) {
    snprintf(text, sizeof text, "%.1f", 0.5);
    assert_string_equal(text, "0,5");
    assert_int_equal(pith_i_out_memory(&env, &o), PITH_OK);
    pith_out_print(o, "%.1f %.17g", 0.5, 0.25);
    assert_string_equal(pith_out_text(o, NULL), "0.5 0.25");
    pith_out_close(o, false);
  }
  setlocale(LC_NUMERIC, "C");
  snprintf(command, sizeof command, "rm -rf %s/de_DE.UTF-8", folder);
  assert_int_equal(system(command), 0);
}

int main(void) {
#define CASE(f) cmocka_unit_test_setup_teardown(f, make_folder, remove_folder)
  const struct CMUnitTest tests[] = {
      CASE(whole_or_not_at_all),
      CASE(keeps_the_mode),
      CASE(follows_links),
      CASE(two_writers),
      CASE(removes_strays),
      CASE(writes_to_pipes),
      CASE(nothing_is_written_by_nothing),
      CASE(packs_by_name),
      CASE(numbers_have_a_point),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
