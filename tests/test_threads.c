/* Handles share nothing: every public function at once in several threads, each
** with handles of its own. The thread sanitizer sees what they would share. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "everything.h"

enum { THREADS = 4, ROUNDS = 2 };

typedef struct {
  const char *failed; /* the part that did, or NULL */
  pith_status rc;
} outcome;

typedef struct {
  const char *name;
  pith_status (*alone)(pith *p);
  pith_status (*pair)(pith *p, pith *q);
} part;

static const part parts[] = {
    {"names", all_names, NULL},        {"reading", all_reading, NULL},
    {"logic", all_logic, NULL},        {"a file", all_file, NULL},
    {"learning", NULL, all_learning},  {"compressing", NULL, all_compressing},
    {"models", all_models, NULL},      {"soft rules", all_soft, NULL},
    {"a team of one", all_team, NULL},
};

static pith_status run_part(const part *a) {
  pith *p = NULL, *q = NULL;
  pith_status rc = pith_new(&p);
  if (rc >= 0)
    rc = pith_new_with(NULL, &q);
  if (rc >= 0)
    rc = a->pair != NULL ? a->pair(p, q) : a->alone(p);
  pith_free(q);
  pith_free(p);
  return rc;
}

static void *run_all(void *arg) {
  outcome *o = arg;
  for (int round = 0; round < ROUNDS && o->failed == NULL; round++) {
    if (all_without_handle() == 0)
      o->failed = "without a handle";
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
      pith_status rc = run_part(&parts[i]);
      if (rc >= 0)
        continue;
      o->failed = parts[i].name;
      o->rc = rc;
    }
  }
  return NULL;
}

static void handles_share_nothing(void **state) {
  (void)state;
  pthread_t threads[THREADS];
  outcome outcomes[THREADS] = {{NULL, PITH_OK}};
  for (int i = 0; i < THREADS; i++)
    assert_int_equal(pthread_create(&threads[i], NULL, run_all, &outcomes[i]),
                     0);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  for (int i = 0; i < THREADS; i++)
    if (outcomes[i].failed != NULL)
      fail_msg("%s: status %d", outcomes[i].failed, outcomes[i].rc);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(handles_share_nothing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
