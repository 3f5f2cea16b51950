/* Two handles share nothing: each has a heap of its own here, and a block that
** is resized or freed in another heap than its own ends the test. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pith.h"

typedef struct {
  size_t blocks;
} heap;

typedef union {
  const heap *owner;
  max_align_t align;
} tag;

static void *heap_resize(void *ctx, void *block, size_t size) {
  heap *h = ctx;
  tag *t = block == NULL ? NULL : (tag *)block - 1;
  if (t != NULL)
    assert_ptr_equal(t->owner, h);
  if (size == 0) {
    h->blocks -= t != NULL;
    free(t);
    return NULL;
  }
  h->blocks += t == NULL;
  t = realloc(t, size + sizeof *t);
  assert_non_null(t);
  t->owner = h;
  return t + 1;
}

static pith *read_world(heap *h, const char *text, const char *templates) {
  pith *p;
  pith_memory memory = {.resize = heap_resize, .ctx = h};
  assert_int_equal(pith_new_with(&memory, &p), PITH_OK);
  assert_int_equal(pith_read_text(p, "w.pl", text, strlen(text), PITH_PROLOG),
                   PITH_OK);
  if (templates != NULL)
    assert_int_equal(
        pith_read_text(p, "t", templates, strlen(templates), PITH_TEMPLATES),
        PITH_OK);
  return p;
}

static const char *const worlds[] = {
    "e(a,b). e(b,c). e(c,d). e(d,f)."
    "pos(r(a,b)). pos(r(a,c)). pos(r(b,d)). pos(r(a,f))."
    "neg(r(b,a)). neg(r(d,a)). neg(r(c,c)). neg(r(f,b)).",
    "e(u,v). e(v,w). e(w,x)."
    "pos(r(u,v)). pos(r(u,w)). pos(r(u,x)). neg(r(w,u)). neg(r(v,u))."};

static void learn_in(const char *templates, pith_method method) {
  heap heaps[2] = {{0}, {0}};
  pith *p[2];
  for (int i = 0; i < 2; i++)
    p[i] = read_world(&heaps[i], worlds[i], i == 0 ? templates : NULL);
  pith_learn_options opt;
  pith_learn_defaults(&opt);
  opt.method = method;
  opt.run.jobs = 1;
  pith_learned *l = NULL;
  assert_true(pith_learn(p, 2, &opt, &l) >= 0);
  pith_learned_free(l);
  pith_free(p[1]); /* in either order */
  pith_free(p[0]);
  assert_int_equal(heaps[0].blocks, 0);
  assert_int_equal(heaps[1].blocks, 0);
}

static void by_search(void **state) {
  (void)state;
  learn_in(NULL, PITH_METHOD_SEARCH);
}

static void by_bodies(void **state) {
  (void)state;
  learn_in(NULL, PITH_METHOD_GRADIENT);
}

static void by_templates(void **state) {
  (void)state;
  learn_in("2 #1(X,Y) <- #2(X,Y)\n#1(X,Y) <- #2(X,Z), #3(Z,Y)\n",
           PITH_METHOD_AUTO);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(by_search),
      cmocka_unit_test(by_bodies),
      cmocka_unit_test(by_templates),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
