/* The functions of base/lanes.h against the C library's over their range, and
** the noise of training: its moments, and that a lane's whole training is the
** same in any lane, whatever the other lanes do. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "task.h"
#include "train/descent.h"

enum { L = PITH_I_LANES };

/* ---- functions -------------------------------------------------------- */

/* The distance in units in the last place of the float nearest to b. */
static double units(float a, double b) {
  float near = (float)b;
  double unit = (double)(nextafterf(fabsf(near), INFINITY) - fabsf(near));
  return fabs((double)a - b) / unit;
}

static void test_exp(void **state) {
  (void)state;
  double worst = 0;
  for (double x = -87; x <= 88; x += 1.0 / 1024) {
    pith_i_part y;
    PITH_I_EXP(PITH_I_ONE(x), y);
    worst = fmax(worst, units(y[0], exp((double)(float)x)));
  }
  print_message("exp: %.2f units in the last place\n", worst);
  assert_true(worst < 1);
  pith_i_part zero, low, high;
  PITH_I_EXP(PITH_I_ONE(0), zero);
  PITH_I_EXP(PITH_I_ONE(-1e30f), low);
  PITH_I_EXP(PITH_I_ONE(1e30f), high);
  assert_true(zero[0] == 1.0f && low[0] >= 0 && low[0] < 1e-37f);
  assert_true(high[0] > 1e38f && isfinite(high[0]));
}

static void test_log(void **state) {
  (void)state;
  double worst = 0;
  for (double x = 0x1p-126; x < 1e38; x *= 1.0001) {
    pith_i_part y;
    float f = (float)x;
    PITH_I_LOG(PITH_I_ONE(f), y);
    if (fabsf(f - 1.0f) > 1e-3f)
      worst = fmax(worst, units(y[0], log((double)f)));
    else /* near its zero */
      assert_true(fabs((double)y[0] - log((double)f)) < 1e-9);
  }
  print_message("log: %.2f units in the last place\n", worst);
  assert_true(worst < 1);
  pith_i_part one;
  PITH_I_LOG(PITH_I_ONE(1), one);
  assert_true(one[0] == 0.0f);
}

static void test_cos(void **state) {
  (void)state;
  double worst = 0, turn = 8 * atan(1);
  for (double u = 0; u < 1; u += 1.0 / 65536) {
    pith_i_part y;
    PITH_I_COS_TURN(PITH_I_ONE(u), y);
    worst = fmax(worst, fabs((double)y[0] - cos(turn * (double)(float)u)));
  }
  print_message("cos: within %.1e\n", worst);
  assert_true(worst < 1e-6);
}

static void test_sqrt(void **state) {
  (void)state;
  pith_i_part x, y;
  for (int l = 0; l < PITH_I_WIDTH; l++)
    x[l] = (float)l * 1.7f;
  PITH_I_SQRT(x, y);
  for (int l = 0; l < PITH_I_WIDTH; l++)
    assert_true(y[l] == sqrtf(x[l]));
}

static void test_busy(void **state) {
  (void)state;
  for (uint32_t bits = 0; bits < 1u << PITH_I_WIDTH; bits++) {
    pith_i_part x;
    for (int l = 0; l < PITH_I_WIDTH; l++)
      x[l] = bits >> l & 1 ? (l % 2 ? 1e-30f : -2.0f) : 0.0f;
    assert_int_equal(pith_i_busy(&x), bits);
  }
}

/* ---- noise ------------------------------------------------------------ */

typedef struct {
  double n, sum[5]; /* of powers 1 .. 4 */
} moments;

static void note(moments *m, double x) {
  double power = 1;
  m->n++;
  for (int k = 1; k <= 4; k++)
    m->sum[k] += power *= x;
}

static pith_i_descent *new_descent(task *t, const pith_i_net *net,
                                   const pith_i_recipe *recipe) {
  pith_i_descent *d = NULL;
  task_check(t->world[0],
             pith_i_descent_new(&t->world[0]->env, net, recipe, &d));
  return d;
}

/* Noise of the first epochs, where its scale is 1. Neighbours in the stream
** of a lane, and lanes, must not be correlated. */
static void draw_noise(pith_i_noise kind, moments *m, moments *product) {
  task t = task_new(1, 4);
  pith_i_net *net = task_net(&t, PITH_I_AUTO);
  pith_i_recipe recipe = pith_i_recipe_default();
  recipe.noise_kind = kind;
  pith_i_descent *d = new_descent(&t, net, &recipe);
  uint64_t seeds[L];
  for (uint64_t l = 0; l < L; l++)
    seeds[l] = 100 + l;
  pith_i_descent_start(d, seeds);
  for (int epoch = 0; epoch < 1000; epoch++) {
    pith_i_descent_epoch(d);
    for (size_t i = 0; i < d->params; i++)
      for (int l = 0; l < L; l++) {
        note(m, (double)d->noise[i][l]);
        if (i + 1 < d->params)
          note(product, (double)(d->noise[i][l] * d->noise[i + 1][l]));
        if (l + 1 < L)
          note(product, (double)(d->noise[i][l] * d->noise[i][l + 1]));
      }
  }
  pith_i_descent_free(&t.world[0]->env, d);
  pith_i_net_free(net);
  task_free(&t);
}

static void test_normal_noise(void **state) {
  (void)state;
  moments m = {0}, product = {0};
  draw_noise(PITH_I_NORMAL, &m, &product);
  double mean = m.sum[1] / m.n, square = m.sum[2] / m.n;
  print_message("%.0f numbers: moments %.4f %.4f %.4f %.4f, product %.4f\n",
                m.n, mean, square, m.sum[3] / m.n, m.sum[4] / m.n,
                product.sum[1] / product.n);
  assert_true(fabs(mean) < 0.01 && fabs(square - 1) < 0.02);
  assert_true(fabs(m.sum[3] / m.n) < 0.04 && fabs(m.sum[4] / m.n - 3) < 0.15);
  assert_true(fabs(product.sum[1] / product.n) < 0.01);
}

static void test_uniform_noise(void **state) {
  (void)state;
  moments m = {0}, product = {0};
  draw_noise(PITH_I_UNIFORM, &m, &product);
  double mean = m.sum[1] / m.n, spread = m.sum[2] / m.n - mean * mean;
  assert_true(fabs(mean - 0.5) < 0.005 && fabs(spread - 1 / 12.0) < 0.002);
  assert_true(fabs(product.sum[1] / product.n - 0.25) < 0.005);
}

/* ---- lanes ------------------------------------------------------------ */

static void train(pith_i_descent *d, const uint64_t *seeds, int epochs) {
  pith_i_descent_start(d, seeds);
  for (int i = 0; i < epochs; i++)
    pith_i_descent_epoch(d);
}

/* The same restart in another lane, among other restarts. */
static void check_lanes(uint64_t seed, const pith_i_recipe *recipe) {
  task t = task_new(seed, 3);
  pith_i_net *net = task_net(&t, PITH_I_AUTO);
  pith_i_descent *a = new_descent(&t, net, recipe);
  pith_i_descent *b = new_descent(&t, net, recipe);
  uint64_t seeds[L], others[L];
  for (uint64_t l = 0; l < L; l++) {
    seeds[l] = 1000 * seed + l;
    others[l] = 999 * seed + 500 + l;
  }
  int from = (int)task_below(&t, L), to = (int)task_below(&t, L);
  others[to] = seeds[from];
  train(a, seeds, 60);
  train(b, others, 60);
  for (size_t i = 0; i < a->params; i++)
    assert_memory_equal(&((float *)&a->theta[i])[from],
                        &((float *)&b->theta[i])[to], sizeof(float));
  pith_i_descent_free(&t.world[0]->env, a);
  pith_i_descent_free(&t.world[0]->env, b);
  pith_i_net_free(net);
  task_free(&t);
}

static void test_lanes_are_independent(void **state) {
  (void)state;
  pith_i_recipe best = pith_i_recipe_default(), paper = pith_i_recipe_text();
  for (uint64_t seed = 0; seed < 30; seed++) {
    check_lanes(seed, &best);
    check_lanes(seed, &paper);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_exp),
      cmocka_unit_test(test_log),
      cmocka_unit_test(test_cos),
      cmocka_unit_test(test_sqrt),
      cmocka_unit_test(test_busy),
      cmocka_unit_test(test_normal_noise),
      cmocka_unit_test(test_uniform_noise),
      cmocka_unit_test(test_lanes_are_independent),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
