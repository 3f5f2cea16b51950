/* The network against a plain one that tries every binding (net/plain.h), and
** every gradient against central differences of that one's loss. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "net/plain.h"
#include "net/weigh.h"
#include "task.h"

enum { L = PITH_I_LANES };
static const float eps = 1e-4f;

static const pith_i_semantics all_semantics[] = {
    {false, false}, {false, true}, {true, false}, {true, true}};

/* ---- two networks side by side ---------------------------------------- */

/* Weights as a softmax would give them, in one lane. */
static void draw_weights(task *t, const pith_i_net *net, pith_i_tape *tape,
                         int lane) {
  for (size_t s = 0; s < net->slots.n; s++) {
    const pith_i_net_slot *slot = &net->slots.at[s];
    double sum = 0, x[64];
    for (uint32_t c = 0; c < slot->count; c++)
      sum += x[c] = exp(3 * task_uniform(t));
    for (uint32_t c = 0; c < slot->count; c++)
      tape->weight[slot->first + c][lane] = (float)(x[c] / sum);
  }
}

static void copy_weights(const pith_i_tape *tape, int lane, pith_i_plain *p) {
  for (size_t c = 0; c < p->net->candidates.n; c++)
    p->weight[c] = (double)tape->weight[c][lane];
}

/* The largest differences seen, relative to 1 or to the number, whichever is
** larger. */
static double worst(double so_far, double a, double b) {
  double d = fabs(a - b) / fmax(1.0, fabs(b));
  return d > so_far || isnan(d) ? d : so_far;
}

/* Atoms that the network left out must be false; the others agree. */
static double compare_values(const pith_i_tape *tape, int lane,
                             const pith_i_plain *p) {
  const pith_i_net *net = tape->net;
  double bad = 0;
  for (uint32_t i = 0; i < net->preds.n; i++) {
    const pith_i_net_pred *q = &net->preds.at[i];
    double sum = 0, plain_sum = 0;
    for (uint32_t a = 0; q->derived && a < q->size; a++) {
      uint32_t x = q->arity == 1 ? a : net->pair_x[a];
      uint32_t y = q->arity == 1 ? a : net->pair_y[a];
      size_t at = (size_t)net->steps * net->atoms + q->offset + a;
      double v = (double)tape->value[at][lane];
      bad = worst(bad, v, pith_i_plain_value(p, net->steps, i, x, y));
      sum += v;
    }
    for (uint32_t x = 0; q->derived && x < net->constants; x++)
      for (uint32_t y = 0; y < net->constants; y++)
        plain_sum += pith_i_plain_value(p, net->steps, i, x, y);
    if (q->derived)
      bad = worst(bad, sum, plain_sum);
  }
  return bad;
}

typedef struct {
  double value, loss, slope;
} differences;

static void compare_lane(pith_i_tape *tape, const pith_i_real *loss, int lane,
                         pith_i_plain *p, differences *d) {
  size_t c = p->net->candidates.n;
  copy_weights(tape, lane, p);
  pith_i_plain_forward(p);
  d->value = fmax(d->value, compare_values(tape, lane, p));
  d->loss = worst(d->loss, (double)(*loss)[lane],
                  pith_i_plain_loss_forward(p, (double)eps));
  memset(p->dweight, 0, c * sizeof *p->dweight);
  pith_i_plain_loss_backward(p, (double)eps);
  pith_i_plain_backward(p);
  for (size_t i = 0; i < c; i++)
    d->slope = worst(d->slope, (double)tape->dweight[i][lane], p->dweight[i]);
}

static void compare_net(task *t, pith_i_layout layout, pith_i_semantics s,
                        differences *d) {
  pith_i_env *env = &t->world[0]->env;
  pith_i_net *net = task_net(t, layout);
  pith_i_tape *tape;
  pith_i_plain *plain;
  pith_i_real loss, error;
  task_check(t->world[0], pith_i_tape_new(env, net, s, &tape));
  task_check(t->world[0], pith_i_plain_new(env, net, s, &plain));
  for (int l = 0; l < L; l++)
    draw_weights(t, net, tape, l);
  pith_i_net_forward(tape);
  pith_i_loss_forward(tape, eps, &loss, &error);
  pith_i_loss_backward(tape, eps);
  pith_i_net_backward(tape);
  for (int l = 0; l < L; l += 5)
    compare_lane(tape, &loss, l, plain, d);
  pith_i_plain_free(env, plain);
  pith_i_tape_free(env, tape);
  pith_i_net_free(net);
}

static void report(const char *what, const differences *d) {
  print_message("%s: largest difference of values %.1e, loss %.1e, "
                "gradient %.1e\n",
                what, d->value, d->loss, d->slope);
  assert_true(d->value < 1e-6);
  assert_true(d->loss < 1e-5);
  assert_true(d->slope < 1e-4);
}

static void fast_is_plain(void **state) {
  (void)state;
  differences sparse = {0}, dense = {0};
  for (uint64_t i = 0; i < 150; i++)
    for (size_t s = 0; s < 4; s++) {
      task t = task_new(i, 1 + (uint32_t)(i % 4));
      compare_net(&t, PITH_I_SPARSE, all_semantics[s], &sparse);
      compare_net(&t, PITH_I_DENSE, all_semantics[s], &dense);
      task_free(&t);
    }
  report("sparse and plain", &sparse);
  report("dense and plain", &dense);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(fast_is_plain)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
