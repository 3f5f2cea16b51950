/* Several members of a team, here threads with a handle each, whose transport
** is a mailbox: a model learned together has the bytes of one learned alone;
** a member that leaves, and a journal that was cut off anywhere, change
** nothing. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/team.h"

/* ---- mailboxes -------------------------------------------------------- */

enum { MOST = 3 };

typedef struct letter {
  struct letter *next;
  uint32_t from;
  size_t n;
  char data[];
} letter;

typedef struct {
  pthread_mutex_t lock;
  letter *box[MOST];
} post_office;

typedef struct {
  post_office *office;
  uint32_t rank;
} address;

static int post_letter(void *ctx, uint32_t to, const void *data, size_t n) {
  address *a = ctx;
  letter *l = malloc(sizeof *l + n);
  *l = (letter){.from = a->rank, .n = n};
  memcpy(l->data, data, n);
  pthread_mutex_lock(&a->office->lock);
  letter **end = &a->office->box[to];
  while (*end != NULL)
    end = &(*end)->next;
  *end = l;
  pthread_mutex_unlock(&a->office->lock);
  return 0;
}

/* The first letter from someone; the lock is held. */
static letter **find_letter(address *a, uint32_t from) {
  letter **l = &a->office->box[a->rank];
  while (*l != NULL && from != PITH_NONE && (*l)->from != from)
    l = &(*l)->next;
  return l;
}

static int look_for_letter(void *ctx, double seconds, uint32_t *from,
                           size_t *n) {
  address *a = ctx;
  const struct timespec nap = {.tv_nsec = 100000};
  for (double waited = 0;; waited += 1e-4) {
    pthread_mutex_lock(&a->office->lock);
    letter *l = *find_letter(a, *from);
    if (l != NULL) {
      *from = l->from;
      *n = l->n;
    }
    pthread_mutex_unlock(&a->office->lock);
    if (l != NULL || waited >= seconds)
      return l != NULL;
    nanosleep(&nap, NULL);
  }
}

static int take_letter(void *ctx, uint32_t from, void *data, size_t n) {
  address *a = ctx;
  size_t there;
  while (look_for_letter(ctx, 1, &from, &there) == 0)
    continue;
  pthread_mutex_lock(&a->office->lock);
  letter **at = find_letter(a, from), *l = *at;
  int rc = l == NULL || l->n != n ? -1 : 0;
  if (rc == 0) {
    *at = l->next;
    memcpy(data, l->data, n);
    free(l);
  }
  pthread_mutex_unlock(&a->office->lock);
  return rc;
}

static pith_transport transport_of(address *a, uint32_t size) {
  return (pith_transport){.rank = a->rank,
                          .size = size,
                          .ctx = a,
                          .send = post_letter,
                          .probe = look_for_letter,
                          .receive = take_letter};
}

/* ---- a graph ---------------------------------------------------------- */

/* Who lives where, and two ways to be near, with some facts left out. */
static void make_facts(char *text, size_t room) {
  size_t n = 0;
  for (unsigned i = 0; i < 60; i++)
    n += (size_t)snprintf(
        text + n, room - n, "in(p%u,c%u). near(p%u,p%u). %s(p%u,p%u).\n", i,
        i % 6, i, (i + 6) % 60, i % 5 == 0 ? "far" : "next", (i + 6) % 60, i);
}

typedef struct {
  address at;
  uint32_t size;
  const char *checkpoint;
  char *model; /* what was learned */
  pith_status rc;
} member;

static void learn_as_member(member *m, uint32_t jobs) {
  char text[8192];
  pith *p;
  pith_model *model = NULL;
  pith_model_options opt;
  make_facts(text, sizeof text);
  assert_int_equal(pith_new(&p), PITH_OK);
  assert_int_equal(pith_read_text(p, "facts", text, strlen(text), PITH_PROLOG),
                   PITH_OK);
  pith_transport t = transport_of(&m->at, m->size);
  if (m->size > 1)
    assert_int_equal(pith_team_join(p, &t), PITH_OK);
  pith_model_defaults(&opt);
  opt.run.jobs = jobs;
  opt.checkpoint = m->checkpoint;
  m->rc = pith_model_learn(p, NULL, &opt, &model);
  pith_out *out = NULL;
  if (m->rc == PITH_OK) {
    assert_int_equal(pith_out_memory(p, &out), PITH_OK);
    assert_int_equal(pith_model_write(model, true, out), PITH_OK);
    m->model = strdup(pith_out_text(out, NULL));
    pith_out_close(out, false);
  }
  pith_model_free(model);
  pith_free(p);
}

static void *run_member(void *arg) {
  learn_as_member(arg, 1);
  return NULL;
}

static char *learn_alone(void) {
  member alone = {.size = 1};
  learn_as_member(&alone, 1);
  assert_non_null(alone.model);
  return alone.model;
}

/* Member 0 has the model that one alone has. */
static void learn_together(uint32_t size, const char *checkpoint,
                           const char *expected) {
  post_office office = {.box = {NULL}};
  member members[MOST] = {0};
  pthread_t threads[MOST];
  pthread_mutex_init(&office.lock, NULL);
  for (uint32_t i = 0; i < size; i++) {
    members[i].at = (address){&office, i};
    members[i].size = size;
    members[i].checkpoint = i == 0 ? checkpoint : NULL;
    assert_int_equal(pthread_create(&threads[i], NULL, run_member, &members[i]),
                     0);
  }
  for (uint32_t i = 0; i < size; i++)
    pthread_join(threads[i], NULL);
  assert_int_equal(members[0].rc, PITH_OK);
  for (uint32_t i = 0; i < size; i++) {
    if (members[i].rc == PITH_OK) /* the others: unless member 0 left first */
      assert_string_equal(members[i].model, expected);
    else
      assert_int_equal(members[i].rc, PITH_STOPPED);
    assert_null(office.box[i]);
    free(members[i].model);
  }
  pthread_mutex_destroy(&office.lock);
}

static void members_learn_what_one_learns(void **state) {
  (void)state;
  char *alone = learn_alone();
  assert_non_null(strstr(alone, "::near(A,B)"));
  learn_together(2, NULL, alone);
  learn_together(3, NULL, alone);
  free(alone);
}

/* ---- journals --------------------------------------------------------- */

static long file_size(const char *path) {
  FILE *f = fopen(path, "rb");
  assert_non_null(f);
  fseek(f, 0, SEEK_END);
  long n = ftell(f);
  fclose(f);
  return n;
}

/* Wherever a run was killed, the next one goes on and ends with the same. */
static void a_journal_that_was_cut_off_is_gone_on_with(void **state) {
  (void)state;
  char path[] = "/tmp/pith-journal-XXXXXX";
  int fd = mkstemp(path);
  assert_true(fd >= 0);
  close(fd);
  char *alone = learn_alone();
  learn_together(2, path, alone);
  long whole = file_size(path);
  assert_true(whole > 1000);
  for (int part = 0; part <= 8; part++) {
    assert_int_equal(truncate(path, whole * part / 8), 0);
    member again = {.size = 1, .checkpoint = path};
    learn_as_member(&again, 1 + (uint32_t)part % 2);
    assert_int_equal(again.rc, PITH_OK);
    assert_string_equal(again.model, alone);
    free(again.model);
    assert_true(file_size(path) >= whole / 2);
  }
  free(alone);
  unlink(path);
}

static void another_graphs_journal_is_refused(void **state) {
  (void)state;
  char path[] = "/tmp/pith-journal-XXXXXX";
  int fd = mkstemp(path);
  pith_i_env env;
  pith_i_team *team;
  pith_i_env_init(&env, NULL);
  assert_int_equal(write(fd, "something else entirely, and long enough", 40),
                   40);
  close(fd);
  assert_int_equal(pith_i_team_new(NULL, &team), PITH_OK);
  assert_int_equal(pith_i_team_journal(team, path, 1, &env), PITH_EINPUT);
  assert_non_null(strstr(env.error, "not a checkpoint"));
  unlink(path);
  assert_int_equal(pith_i_team_journal(team, path, 1, &env), PITH_OK);
  assert_int_equal(pith_i_team_journal(team, path, 2, &env), PITH_EINPUT);
  assert_non_null(strstr(env.error, "other input"));
  pith_i_team_free(team);
  unlink(path);
}

/* ---- leaving ---------------------------------------------------------- */

typedef struct {
  address at;
  pith_status rc;
} waiting_member;

static void *wait_for_items(void *arg) {
  waiting_member *m = arg;
  pith_i_team *team;
  pith_i_team_result none = {0};
  uint32_t loop;
  size_t first, last;
  pith_transport t = transport_of(&m->at, 2);
  assert_int_equal(pith_i_team_new(&t, &team), PITH_OK);
  assert_int_equal(pith_i_team_begin(team, 5, 1, true, &loop), PITH_OK);
  m->rc = pith_i_team_next(team, loop, &none, &first, &last);
  pith_i_team_end(team, loop, m->rc);
  assert_true(pith_i_team_is_over(team));
  pith_i_team_free(team);
  return NULL;
}

/* Member 0 leaves before the loop that the other waits at. */
static void members_hear_that_it_is_over(void **state) {
  (void)state;
  post_office office = {.box = {NULL}};
  waiting_member other = {.at = {&office, 1}};
  address first = {&office, 0};
  pthread_t thread;
  pith_i_team *team;
  pthread_mutex_init(&office.lock, NULL);
  pith_transport t = transport_of(&first, 2);
  assert_int_equal(pith_i_team_new(&t, &team), PITH_OK);
  assert_int_equal(pthread_create(&thread, NULL, wait_for_items, &other), 0);
  pith_i_team_free(team);
  pthread_join(thread, NULL);
  assert_int_equal(other.rc, PITH_STOPPED);
  pthread_mutex_destroy(&office.lock);
}

/* Both come to a loop of five items, but the second to another one. */
static void members_at_another_loop_get_nothing(void **state) {
  (void)state;
  post_office office = {.box = {NULL}};
  waiting_member other = {.at = {&office, 1}};
  address here = {&office, 0};
  pthread_t thread;
  pith_i_team *team;
  pith_i_team_result done = {0};
  uint32_t loop;
  size_t first, last, items = 0;
  pthread_mutex_init(&office.lock, NULL);
  pith_transport t = transport_of(&here, 2);
  assert_int_equal(pith_i_team_new(&t, &team), PITH_OK);
  assert_int_equal(pthread_create(&thread, NULL, wait_for_items, &other), 0);
  assert_int_equal(pith_i_team_begin(team, 5, 2, true, &loop), PITH_OK);
  while (pith_i_team_next(team, loop, &done, &first, &last) == PITH_OK &&
         first < last) {
    items += last - first;
    done.first = first;
    done.last = last;
  }
  assert_int_equal(items, 5);
  pith_i_team_end(team, loop, PITH_OK);
  uint32_t loops;
  uint64_t from_others;
  pith_i_team_counts(team, &loops, &from_others);
  assert_int_equal(loops, 1);
  assert_int_equal(from_others, 0);
  pith_i_team_free(team);
  pthread_join(thread, NULL);
  assert_int_equal(other.rc, PITH_STOPPED);
  pthread_mutex_destroy(&office.lock);
}

static void what_is_no_transport_is_refused(void **state) {
  (void)state;
  pith *p;
  pith_transport none = {0};
  assert_int_equal(pith_new(&p), PITH_OK);
  assert_int_equal(pith_team_join(p, &none), PITH_EARG);
  assert_false(pith_team_is_over(p));
  pith_team_leave(p);
  pith_free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(members_learn_what_one_learns),
      cmocka_unit_test(a_journal_that_was_cut_off_is_gone_on_with),
      cmocka_unit_test(another_graphs_journal_is_refused),
      cmocka_unit_test(members_hear_that_it_is_over),
      cmocka_unit_test(members_at_another_loop_get_nothing),
      cmocka_unit_test(what_is_no_transport_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
