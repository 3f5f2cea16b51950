/* An allocator that refuses, for tests of memory that runs out. A job is
** repeated, refusing the k-th allocation for k = 0, 1, 2, ... until none is
** refused: until then the job must end in PITH_ENOMEM or, where the library can
** do without the block (to see whether bit rows would pay, say), in the right
** answer. Freeing the handle must leave no block alive. Both kinds of trouble
** are tried: one refusal among many grants, and nothing granted any more; then
** there is no doing without.
**
** The allocator also moves every block that is resized and fills what it hands
** out and takes back with junk, so a stale pointer or an unset field shows in
** any build. */
#ifndef PITH_TESTS_MISER_H
#define PITH_TESTS_MISER_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <pith.h>

typedef struct {
  size_t asked;   /* allocations so far                     */
  size_t refuse;  /* the number of the first one refused    */
  bool forever;   /* and all after it                       */
  size_t refused; /* how many were                          */
  size_t alive;   /* blocks                                 */
} miser;

typedef union {
  size_t size;
  max_align_t align;
} header;

enum { FRESH = 0xa5, DEAD = 0x5a };

static bool refuses(miser *m) {
  size_t k = m->asked++;
  bool no = k == m->refuse || (m->forever && k > m->refuse);
  m->refused += no;
  return no;
}

static void give_up(miser *m, void *block) {
  header *h = (header *)block - 1;
  memset(block, DEAD, h->size);
  m->alive--;
  free(h);
}

static void *miser_resize(void *ctx, void *block, size_t size) {
  miser *m = ctx;
  if (size == 0) {
    if (block != NULL)
      give_up(m, block);
    return NULL;
  }
  if (refuses(m))
    return NULL;
  header *h = malloc(sizeof *h + size);
  assert_non_null(h);
  h->size = size;
  memset(h + 1, FRESH, size);
  m->alive++;
  if (block != NULL) {
    size_t old = ((header *)block - 1)->size;
    memcpy(h + 1, block, old < size ? old : size);
    give_up(m, block);
  }
  return h + 1;
}

/* A job works on a fresh handle; a negative status ends it. */
typedef pith_status (*job)(pith *p);

static pith_status run_job(miser *m, job work) {
  pith_memory memory = {miser_resize, m, 0};
  pith *p;
  pith_status rc = pith_new_with(&memory, &p);
  if (rc < 0)
    assert_null(p);
  else
    rc = work(p);
  if (rc == PITH_ENOMEM && p != NULL)
    assert_true(strlen(pith_error(p)) > 0);
  pith_free(p);
  return rc;
}

/* The next number after k. Of many allocations those in the middle come from
** the same places again and again: there every seventh is refused. */
static size_t next_refusal(size_t k, size_t all) {
  enum { END = 1000, STRIDE = 7 };
  return k < END || k + END + STRIDE >= all ? k + 1 : k + STRIDE;
}

static size_t count_asked(job work) {
  miser m = {.refuse = SIZE_MAX};
  assert_true(run_job(&m, work) >= 0);
  return m.asked;
}

static void refuse_each(job work, bool forever) {
  size_t all = count_asked(work);
  for (size_t k = 0;; k = next_refusal(k, all)) {
    miser m = {.refuse = k, .forever = forever};
    pith_status rc = run_job(&m, work);
    assert_int_equal(m.alive, 0);
    if (m.refused == 0) {
      assert_true(rc >= 0);
      assert_true(k > 2);
      return;
    }
    if (rc != PITH_ENOMEM && (rc < 0 || forever))
      fail_msg("allocation %zu refused, status %d", k, rc);
  }
}

static inline void refuse_all(job work) {
  refuse_each(work, false);
  refuse_each(work, true);
}

static inline pith_status read_as(pith *p, const char *text,
                                  pith_format format) {
  return pith_read_text(p, "text", text, strlen(text), format);
}

/* A ring of n edges fills its closure, which is then kept as bit rows. */
static inline pith_status infer_ring(pith *p, int n) {
  char text[80 * 24 + 128], *end = text;
  assert_true(n <= 80);
  for (int i = 0; i < n; i++)
    end += sprintf(end, "edge(%d,%d).\n", i, (i + 1) % n);
  strcpy(end, "reach(X,Y) :- edge(X,Y).\n"
              "reach(X,Y) :- reach(X,Z), reach(Z,Y).\n");
  pith_status rc = read_as(p, text, PITH_PROLOG);
  if (rc >= 0)
    rc = pith_infer(p, NULL, NULL);
  if (rc >= 0)
    assert_int_equal(pith_fact_count(p, PITH_NONE, PITH_DERIVED), n * n);
  return rc;
}

#endif
