/* The parts of src/net that other tests only reach through whole networks: the
** order of joins, one conjunction, one view of a tape. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "net/conjunction.h"
#include "net/order.h"
#include "net/pooled.h"
#include "task.h"

enum { W = PITH_I_WIDTH };

/* The template of a line, in a handle of its own. */
static pith *read_template(const char *line, const pith_rule **shape) {
  pith *p = NULL;
  assert_int_equal(pith_new(&p), PITH_OK);
  task_read(p, line, PITH_TEMPLATES);
  *shape = &p->theory.templates.at[0]->shape;
  return p;
}

static void order_of_joins(void **state) {
  (void)state;
  static const struct {
    const char *line;
    uint32_t joins, keep; /* of the last join */
  } want[] = {{"F(X) <- F(X)", 1, 1},
              {"F(X) <- F(X,Z)", 1, 1},
              {"F(X,Y) <- F(X,Z), F(Z,Y)", 1, 2},
              {"F(X,Y) <- F(X,Z), F(Z,W), F(W,Y)", 2, 2},
              {"F(X) <- F(X), F(Z)", 1, 1}};
  for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
    const pith_rule *shape;
    pith_i_order order;
    pith *p = read_template(want[i].line, &shape);
    assert_true(pith_i_order_make(shape, &order));
    assert_int_equal(order.atoms, shape->body_len);
    assert_int_equal(order.count, want[i].joins);
    assert_int_equal(order.joins[order.count - 1].keep.n, want[i].keep);
    pith_free(p);
  }
}

static void order_is_refused(void **state) {
  (void)state;
  const pith_rule *shape;
  pith_i_order order;
  pith *p = read_template(
      "F(X,Y) <- F(X,Z), F(X,W), F(Z,W), F(Z,Y), F(W,Y), F(V,Z), F(V,W), "
      "F(V,X)",
      &shape);
  assert_false(pith_i_order_make(shape, &order));
  pith_free(p);
}

static void variables_of_operands(void **state) {
  (void)state;
  pith_i_vars v = {{3, 5}, 2};
  assert_true(pith_i_vars_have(&v, 3) && pith_i_vars_have(&v, 5));
  assert_false(pith_i_vars_have(&v, 0));
  v.n = 1;
  assert_false(pith_i_vars_have(&v, 5));
}

/* out[0] = max(and(a0, b0), and(a1, b1)), out[1] = nothing at all. */
static void one_conjunction(void **state) {
  (void)state;
  static const uint32_t start[] = {0, 2, 2}, left[] = {0, 1}, right[] = {0, 1};
  pith_i_join j = {.size = 2, .start = start, .left = left, .right = right};
  pith_i_net net = {.worlds = 1};
  for (int product = 0; product < 2; product++) {
    static pith_i_real a[2], b[2], out[2], dout[2], da[2], db[2];
    static pith_i_int won[2];
    memset(da, 0, sizeof da);
    memset(db, 0, sizeof db);
    a[0] = PITH_I_ALL(0.5), b[0] = PITH_I_ALL(0.5);
    a[1] = PITH_I_ALL(0.75), b[1] = PITH_I_ALL(1.0);
    dout[0] = PITH_I_ALL(2), dout[1] = PITH_I_ALL(2);
    pith_i_conjunction_forward_base(&net, &j, product, PITH_I_PART(a, 0),
                                    PITH_I_PART(b, 0), PITH_I_PART(out, 0),
                                    PITH_I_PART_INT(won, 0));
    pith_i_conjunction_backward_base(
        &net, &j, product, PITH_I_PART(a, 0), PITH_I_PART(b, 0),
        PITH_I_PART(out, 0), PITH_I_PART_INT(won, 0), PITH_I_PART(dout, 0),
        PITH_I_PART(da, 0), PITH_I_PART(db, 0));
    for (int l = 0; l < W; l++) {
      assert_true(out[0][l] == 0.75f && out[1][l] == 0);
      assert_int_equal(won[0][l], 1);
      assert_true(da[0][l] == 0 && da[1][l] == 2);
      assert_true(db[0][l] == 0 && db[1][l] == (product ? 1.5f : 0));
    }
  }
}

/* A view's rows are the tape's, and a pooled step is what the view runs. */
static void view_of_a_tape(void **state) {
  (void)state;
  task t = task_new(7, 2);
  pith_i_net *net = task_net(&t, PITH_I_AUTO);
  pith_i_tape *tape;
  pith_i_semantics m = {.and_product = true};
  task_check(t.world[0], pith_i_tape_new(&t.world[0]->env, net, m, &tape));
  for (int c = 0; c < PITH_I_PARTS; c++) {
    view v = view_of(tape, c);
    assert_ptr_equal(v.net, net);
    assert_ptr_equal(&AT(v.weight, 1), (pith_i_part *)(tape->weight + 1) + c);
    fill_rows(v.value, net->atoms, PITH_I_ONE(0.25));
    copy_rows(v.dvalue, v.value, net->atoms);
    fill_int_rows(v.rule, net->atoms, 1);
    known_value_backward(v.rule, net->atoms, v.dvalue);
    assert_false(leave_off(&v));
  }
  for (uint32_t a = 0; a < net->atoms; a++)
    PITH_I_EACH_LANE(l)
  assert_true(tape->value[a][l] == 0.25f && tape->dvalue[a][l] == 0);
  pith_i_tape_free(&t.world[0]->env, tape);
  pith_i_net_free(net);
  task_free(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(order_of_joins),
      cmocka_unit_test(order_is_refused),
      cmocka_unit_test(variables_of_operands),
      cmocka_unit_test(one_conjunction),
      cmocka_unit_test(view_of_a_tape),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
