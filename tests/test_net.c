/* The network against a plain one that tries every binding (plain.h), and
** every gradient against central differences of that one's loss. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "net/kernels.h"
#include "plain.h"
#include "task.h"

enum { L = PITH_I_LANES };
static const float eps = 1e-4f;

static const pith_i_semantics all_semantics[] = {
    {.slot_max = false},
    {.slot_max = true},
    {.and_product = true},
    {.and_product = true, .slot_max = true}};

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
  assert_true(d->loss < 2e-6);
  assert_true(d->slope < 2e-6);
}

static void fast_is_plain(void **state) {
  (void)state;
  differences sparse = {0}, dense = {0}, reached = {0};
  for (uint64_t i = 0; i < 150; i++)
    for (size_t s = 0; s < 4; s++) {
      task t = task_new(i, 1 + (uint32_t)(i % 4));
      compare_net(&t, PITH_I_REACHED, all_semantics[s], &reached);
      compare_net(&t, PITH_I_SPARSE, all_semantics[s], &sparse);
      compare_net(&t, PITH_I_DENSE, all_semantics[s], &dense);
      task_free(&t);
    }
  report("sparse and plain", &sparse);
  report("dense and plain", &dense);
  report("reached and plain", &reached);
}

/* All layouts hold the same atoms where something can be true, and the lists
** meet no more pairs than there are. */
static void layouts_agree(void **state) {
  (void)state;
  for (uint64_t i = 0; i < 100; i++) {
    task t = task_new(1000 + i, 3);
    pith_i_net *sparse = task_net(&t, PITH_I_SPARSE);
    pith_i_net *dense = task_net(&t, PITH_I_DENSE);
    pith_i_net *reached = task_net(&t, PITH_I_REACHED);
    assert_true(reached->joined <= sparse->joined);
    assert_true(reached->pairs <= sparse->pairs);
    assert_true(sparse->joined <= dense->joined);
    assert_true(sparse->pairs <= dense->pairs);
    for (uint32_t p = 0; p < sparse->pairs; p++) {
      uint32_t x = sparse->pair_x[p], y = sparse->pair_y[p];
      uint32_t q = pith_i_net_pair(dense, x, y);
      assert_int_equal(pith_i_net_pair(sparse, x, y), p);
      assert_true(dense->pair_x[q] == x && dense->pair_y[q] == y);
      assert_int_equal(sparse->world_of[x], sparse->world_of[y]);
    }
    pith_i_net_free(reached);
    pith_i_net_free(sparse);
    pith_i_net_free(dense);
    task_free(&t);
  }
}

/* ---- central differences ---------------------------------------------- */

typedef struct {
  double largest; /* difference seen, relative to the largest slope */
  size_t checked, kinks;
} slopes;

static double loss_at(pith_i_plain *p, size_t c, double w) {
  double before = p->weight[c];
  p->weight[c] = w;
  pith_i_plain_forward(p);
  double loss = pith_i_plain_loss_forward(p, (double)eps);
  p->weight[c] = before;
  return loss;
}

/* Where the winner of a maximum changes within the step, the two one-sided
** slopes differ and there is nothing to compare. */
static void check_slope(pith_i_plain *p, size_t c, double slope, double scale,
                        slopes *s) {
  const double h = 1e-6;
  double w = p->weight[c], at = loss_at(p, c, w);
  double up = (loss_at(p, c, w + h) - at) / h;
  double down = (at - loss_at(p, c, w - h)) / h;
  if (fabs(up - down) > 1e-3 * scale) {
    s->kinks++;
    return;
  }
  s->largest = fmax(s->largest, fabs((up + down) / 2 - slope) / scale);
  s->checked++;
}

static void check_slopes(task *t, pith_i_layout layout, pith_i_semantics m,
                         slopes *s) {
  pith_i_env *env = &t->world[0]->env;
  pith_i_net *net = task_net(t, layout);
  pith_i_tape *tape;
  pith_i_plain *plain;
  task_check(t->world[0], pith_i_tape_new(env, net, m, &tape));
  task_check(t->world[0], pith_i_plain_new(env, net, m, &plain));
  for (int l = 0; l < L; l++)
    draw_weights(t, net, tape, l);
  pith_i_net_forward(tape);
  pith_i_loss_backward(tape, eps);
  pith_i_net_backward(tape);
  int lane = (int)task_below(t, L);
  double scale = 1e-2;
  copy_weights(tape, lane, plain);
  for (size_t c = 0; c < net->candidates.n; c++)
    scale = fmax(scale, fabs((double)tape->dweight[c][lane]));
  for (size_t c = 0; c < net->candidates.n; c++)
    check_slope(plain, c, (double)tape->dweight[c][lane], scale, s);
  pith_i_plain_free(env, plain);
  pith_i_tape_free(env, tape);
  pith_i_net_free(net);
}

/* A task with this one template and the given steps. */
static task one_template(uint64_t seed, const char *text, uint32_t steps) {
  task t = task_new(seed, 0);
  char line[32];
  snprintf(line, sizeof line, "steps: %u\n", steps);
  task_read(t.world[0], text, PITH_TEMPLATES);
  task_read(t.world[0], line, PITH_TEMPLATES);
  return t;
}

static const struct {
  const char *name, *text;
  uint32_t steps;
} operations[] = {
    {"slot and head", "F(X) <- F(X)", 1},
    {"and", "F(X,Y) <- F(X,Y), F(Y,X)", 1},
    {"maximum", "F(X) <- F(X,Z)", 1},
    {"join", "F(X,Y) <- F(X,Z), F(Z,Y)", 1},
    {"steps", "F(X,Y) <- F(X,Z), F(Z,Y)", 3},
    {"tied slots", "#1(X,Y) <- #2(X,Z), #2(Z,W), #1(W,Y)", 2},
    {"diagonal", "F(X,X) <- F(X,Z), F(X,Z)", 2},
};

static void slopes_of_operations(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
    slopes s = {0};
    for (uint64_t seed = 0; seed < 40; seed++) {
      task t =
          one_template(2000 + seed, operations[i].text, operations[i].steps);
      check_slopes(&t, seed % 2 == 0 ? PITH_I_SPARSE : PITH_I_DENSE,
                   all_semantics[seed / 2 % 4], &s);
      task_free(&t);
    }
    print_message("%-14s %5zu slopes, largest difference %.1e\n",
                  operations[i].name, s.checked, s.largest);
    assert_true(s.largest < 3e-6 && s.kinks <= s.checked / 100);
  }
}

static void slopes_of_networks(void **state) {
  (void)state;
  slopes s = {0};
  for (uint64_t seed = 0; seed < 120; seed++) {
    task t = task_new(3000 + seed, 3);
    check_slopes(&t, seed % 2 == 0 ? PITH_I_SPARSE : PITH_I_DENSE,
                 all_semantics[seed / 2 % 4], &s);
    task_free(&t);
  }
  print_message("%zu slopes, %zu at a kink, largest difference %.1e\n",
                s.checked, s.kinks, s.largest);
  assert_true(s.largest < 3e-6 && s.kinks <= s.checked / 100);
}

/* ---- the probabilistic sum ---------------------------------------------- */

/* The plain network has no such sum, so the fast one is compared with itself:
** its loss in single precision, by steps that are large enough for that. */
static void sum_slopes(task *t, pith_i_tape *tape, slopes *s) {
  const float h = 1.0f / 1024;
  const pith_i_net *net = tape->net;
  size_t c = task_below(t, (uint32_t)net->candidates.n);
  pith_i_real loss[3], error, slope, at = tape->weight[c];
  for (int i = 0; i < 3; i++) {
    tape->weight[c] = at + PITH_I_ALL((i - 1) * h);
    pith_i_net_forward(tape);
    pith_i_loss_forward(tape, eps, &loss[i], &error);
  }
  tape->weight[c] = at;
  memset(tape->dweight, 0, net->candidates.n * sizeof *tape->dweight);
  pith_i_net_forward(tape);
  pith_i_loss_backward(tape, eps);
  pith_i_net_backward(tape);
  slope = tape->dweight[c];
  PITH_I_EACH_LANE(l) {
    double up = (double)((loss[2][l] - loss[1][l]) / h);
    double down = (double)((loss[1][l] - loss[0][l]) / h);
    double scale = fmax(0.1, fabs(up));
    if (fabs(up - down) > 0.02 * scale) {
      s->kinks++;
      continue;
    }
    s->largest =
        fmax(s->largest, fabs((up + down) / 2 - (double)slope[l]) / scale);
    s->checked++;
  }
}

static void slopes_of_sum(void **state) {
  (void)state;
  slopes s = {0};
  for (uint64_t seed = 0; seed < 100; seed++) {
    task t = task_new(6000 + seed, 3);
    pith_i_semantics m = all_semantics[seed % 4];
    pith_i_net *net =
        task_net(&t, seed % 2 == 0 ? PITH_I_SPARSE : PITH_I_DENSE);
    pith_i_tape *tape;
    m.or_sum = true;
    task_check(t.world[0], pith_i_tape_new(&t.world[0]->env, net, m, &tape));
    for (int l = 0; l < L; l++)
      draw_weights(&t, net, tape, l);
    sum_slopes(&t, tape, &s);
    pith_i_tape_free(&t.world[0]->env, tape);
    pith_i_net_free(net);
    task_free(&t);
  }
  print_message("%zu slopes, %zu at a kink, largest difference %.1e\n",
                s.checked, s.kinks, s.largest);
  assert_true(s.largest < 2e-2 && s.kinks <= s.checked / 4);
}

/* One rule twice: 1 - (1 - a)(1 - a). */
static void sum_is_what_it_says(void **state) {
  (void)state;
  pith *p;
  assert_int_equal(pith_new(&p), PITH_OK);
  task_read(p, "u(a). pos(t(a)).", PITH_PROLOG);
  task_read(p, "2 t(X) :- u(X).\nsteps: 1\n", PITH_TEMPLATES);
  task t = {.world = {p}, .worlds = 1};
  pith_i_net *net = task_net(&t, PITH_I_AUTO);
  pith_i_tape *tape;
  pith_i_semantics m = {.or_sum = true};
  task_check(p, pith_i_tape_new(&p->env, net, m, &tape));
  for (size_t c = 0; c < net->candidates.n; c++)
    tape->weight[c] = PITH_I_ALL(0.5);
  pith_i_net_forward(tape);
  assert_true(tape->value[net->atoms][0] == 0.4375f); /* 1/4 each */
  pith_i_tape_free(&p->env, tape);
  pith_i_net_free(net);
  pith_free(p);
}

/* ---- loss ------------------------------------------------------------- */

static double loss_of(const pith_i_net *net, const double *value) {
  double loss = 0, total = 0, e = (double)eps;
  for (size_t i = 0; i < net->examples.n; i++) {
    const pith_i_net_example *x = &net->examples.at[i];
    total += (double)x->weight;
    if (x->atom == PITH_NONE)
      continue;
    double p = value[x->atom] * (1 - 2 * e) + e;
    loss -= (double)x->weight * log(x->label > 0.5f ? p : 1 - p);
  }
  return loss / total;
}

static double check_loss(task *t, pith_i_tape *tape) {
  const pith_i_net *net = tape->net;
  pith_i_real *last = tape->value + (size_t)net->steps * net->atoms;
  double value[512], bad = 0;
  assert_true(net->atoms <= 512);
  for (uint32_t a = 0; a < net->atoms; a++) {
    last[a] = PITH_I_ALL(task_uniform(t));
    value[a] = (double)last[a][0];
  }
  pith_i_real loss, error;
  pith_i_loss_forward(tape, eps, &loss, &error);
  pith_i_loss_backward(tape, eps);
  bad = worst(bad, (double)loss[0], loss_of(net, value));
  for (uint32_t a = 0; a < net->atoms; a++) {
    double v = value[a], h = 1e-6 * fmin(v, 1 - v);
    value[a] = v + h;
    double up = loss_of(net, value);
    value[a] = v - h;
    double slope = (up - loss_of(net, value)) / (2 * h);
    value[a] = v;
    bad = worst(bad, (double)tape->dvalue[a][0], slope);
  }
  return bad;
}

static void slopes_of_loss(void **state) {
  (void)state;
  double bad = 0;
  for (uint64_t seed = 0; seed < 50; seed++) {
    task t = task_new(4000 + seed, 1);
    pith_i_net *net = task_net(&t, PITH_I_AUTO);
    pith_i_tape *tape;
    task_check(t.world[0],
               pith_i_tape_new(&t.world[0]->env, net, all_semantics[0], &tape));
    bad = fmax(bad, check_loss(&t, tape));
    pith_i_tape_free(&t.world[0]->env, tape);
    pith_i_net_free(net);
    task_free(&t);
  }
  print_message("largest difference %.1e\n", bad);
  assert_true(bad < 2e-6);
}

/* ---- the core ---------------------------------------------------------- */

/* A network over observations: the facts of one world of a task. */
static pith_i_net *core_net(const task *t, pith_i_core_kind core) {
  pith_i_world world = {.theory = &t->world[0]->theory,
                        .store = &t->world[0]->store};
  pith_i_net *net = NULL;
  task_check(t->world[0],
             pith_i_net_new(&t->world[0]->env, &world, 1,
                            &(pith_i_net_options){.core = core}, &net));
  return net;
}

/* Where an atom of the network stands among the plain one's. */
static size_t plain_place(const pith_i_net *net, uint32_t atom) {
  uint32_t p = 0;
  while (!net->preds.at[p].derived ||
         atom - net->preds.at[p].offset >= net->preds.at[p].size)
    p++;
  uint32_t a = atom - net->preds.at[p].offset, n = net->constants;
  uint32_t x = net->preds.at[p].arity == 1 ? a : net->pair_x[a];
  uint32_t y = net->preds.at[p].arity == 1 ? a : net->pair_y[a];
  return ((size_t)p * n + x) * n + y;
}

/* Everything that the core's functions work on, with random contents. */
typedef struct {
  pith_i_core_step step;
  pith_i_tape *tape;
  pith_i_plain *plain;
  pith_i_real *theta, *noise, *core, *dtheta; /* (M) */
  void *block;
} core_test;

static core_test core_test_new(task *t, const pith_i_net *net,
                               pith_i_semantics m) {
  pith_i_env *env = &t->world[0]->env;
  size_t n = net->core.n;
  core_test k = {.step = {.place = net->core.at,
                          .n = n,
                          .observed = net->observed,
                          .first_logit = task_below(t, (uint32_t)n + 1),
                          .drop = task_below(t, 2) == 0 ? 0.0f : 0.4f,
                          .tau = 0.7f,
                          .penalty = 0.01f}};
  task_check(t->world[0], pith_i_tape_new(env, net, m, &k.tape));
  task_check(t->world[0], pith_i_plain_new(env, net, m, &k.plain));
  k.block = calloc(4 * n + 1, sizeof(pith_i_real));
  k.theta = (pith_i_real *)(((uintptr_t)k.block + 63) & ~(uintptr_t)63);
  k.noise = k.theta + n;
  k.core = k.noise + n;
  k.dtheta = k.core + n;
  for (size_t i = 0; i < n; i++)
    PITH_I_EACH_LANE(l) {
      k.theta[i][l] = (float)task_uniform(t);
      k.noise[i][l] = (float)task_uniform(t);
    }
  for (int l = 0; l < L; l++)
    draw_weights(t, net, k.tape, l);
  return k;
}

static void core_test_free(pith_i_env *env, core_test *k) {
  pith_i_plain_free(env, k->plain);
  pith_i_tape_free(env, k->tape);
  free(k->block);
}

/* The loss and the penalty as a function of the i-th parameter, in double. */
static double core_loss(core_test *k, int lane, size_t at, double theta) {
  const pith_i_core_step *s = &k->step;
  double sum = 0;
  for (size_t i = 0; i < s->n; i++) {
    double x = i == at ? theta : (double)k->theta[i][lane];
    double noise = (double)k->noise[i][lane];
    if (i >= s->first_logit)
      x = 1 / (1 + exp(-(x + noise) / (double)s->tau));
    sum += x;
    if (i < s->observed && k->noise[i][lane] < s->drop)
      x = 0;
    k->plain->value[plain_place(k->plain->net, s->place[i])] = x;
  }
  pith_i_plain_forward(k->plain);
  return pith_i_plain_loss_forward(k->plain, (double)eps) +
         (double)s->penalty * sum;
}

static void check_core_slope(core_test *k, int lane, size_t i, slopes *s) {
  const double h = 1e-6;
  double x = (double)k->theta[i][lane], at = core_loss(k, lane, i, x);
  double up = (core_loss(k, lane, i, x + h) - at) / h;
  double down = (at - core_loss(k, lane, i, x - h)) / h;
  double scale = fmax(0.1, fabs(up));
  if (fabs(up - down) > 1e-3 * scale) {
    s->kinks++;
    return;
  }
  double slope = (double)k->dtheta[i][lane];
  s->largest = fmax(s->largest, fabs((up + down) / 2 - slope) / scale);
  s->checked++;
}

static void slopes_of_core(void **state) {
  (void)state;
  slopes s = {0};
  differences d = {0};
  for (uint64_t seed = 0; seed < 60; seed++) {
    task t = task_new(5000 + seed, 3);
    pith_i_net *net =
        core_net(&t, PITH_I_CORE_SEEN + (pith_i_core_kind)(seed % 3));
    core_test k = core_test_new(&t, net, all_semantics[seed / 3 % 4]);
    pith_i_real loss, error;
    int lane = (int)task_below(&t, L);
    pith_i_core_forward(&k.step, k.theta, k.noise, k.core, k.tape->value);
    pith_i_net_forward(k.tape);
    pith_i_theory_loss_forward(&k.step, k.tape, eps, k.core, &loss, &error);
    pith_i_loss_backward(k.tape, eps);
    pith_i_net_backward(k.tape);
    pith_i_core_backward(&k.step, k.noise, k.core, k.tape->dvalue, k.dtheta);
    copy_weights(k.tape, lane, k.plain);
    double plain = core_loss(&k, lane, SIZE_MAX, 0);
    for (size_t i = 0; i < net->core.n; i++)
      check_core_slope(&k, lane, i, &s);
    d.loss = worst(d.loss, (double)loss[lane], plain);
    core_test_free(&t.world[0]->env, &k);
    pith_i_net_free(net);
    task_free(&t);
  }
  print_message("%zu slopes, %zu at a kink, largest difference %.1e, of the "
                "loss %.1e\n",
                s.checked, s.kinks, s.largest, d.loss);
  assert_true(s.largest < 1e-5 && s.kinks <= s.checked / 50);
  assert_true(d.loss < 2e-6);
}

/* Which atoms are open, and that each observation is a positive example. */
static void core_is_what_it_says(void **state) {
  (void)state;
  pith *p;
  assert_int_equal(pith_new(&p), PITH_OK);
  task_read(p, "r(a,b). r(a,c). r(b,c). u(d).", PITH_PROLOG);
  task_read(p, "invented: i/1\nF(X,Y) <- F(X,Z), F(Z,Y)\nF(X) <- F(X,Y), F(Y)",
            PITH_TEMPLATES);
  static const struct {
    pith_i_core_kind core;
    uint32_t observed, pairs;
  } want[] = {{PITH_I_CORE_SEEN, 4, 3},
              {PITH_I_CORE_TYPED, 5, 4},
              {PITH_I_CORE_ANY, 20, 16}};
  for (size_t i = 0; i < 3; i++) {
    task t = {.world = {p}, .worlds = 1};
    pith_i_net *net = core_net(&t, want[i].core);
    uint32_t positive = 0;
    assert_int_equal(net->observed, want[i].observed);
    assert_int_equal(net->pairs, want[i].pairs);
    assert_int_equal(net->core.n, want[i].observed + 4);
    assert_int_equal(net->examples.n, want[i].pairs + 4);
    for (size_t e = 0; e < net->examples.n; e++)
      positive += net->examples.at[e].label > 0.5f;
    assert_int_equal(positive, 4);
    pith_i_net_free(net);
  }
  pith_free(p);
}

/* ---- weights ---------------------------------------------------------- */

/* Sums weight times push over all candidates, in double, as a function of the
** parameters; the slopes of this are what a backward gets for dw = push. */
typedef struct {
  const pith_i_net *net;
  double tau;
  uint32_t dimension;
  double push[512], noise[512];
} weighing;

static double softmax_sum(const weighing *w, const double *theta) {
  double all = 0;
  for (size_t s = 0; s < w->net->slots.n; s++) {
    const pith_i_net_slot *slot = &w->net->slots.at[s];
    double sum = 0, part = 0;
    for (uint32_t c = slot->first; c < slot->first + slot->count; c++) {
      double e = exp((theta[c] + w->noise[c]) / w->tau);
      sum += e;
      part += e * w->push[c];
    }
    all += part / sum;
  }
  return all;
}

static double cosine_sum(const weighing *w, const double *emb) {
  double all = 0;
  uint32_t d = w->dimension;
  for (size_t s = 0; s < w->net->slots.n; s++) {
    const pith_i_net_slot *slot = &w->net->slots.at[s];
    for (uint32_t c = slot->first; c < slot->first + slot->count; c++) {
      const double *a = emb + s * d;
      const double *b =
          emb + (w->net->slots.n + w->net->candidates.at[c].pred) * d;
      double ab = 0, aa = 0, bb = 0;
      for (uint32_t k = 0; k < d; k++) {
        ab += a[k] * b[k];
        aa += a[k] * a[k];
        bb += b[k] * b[k];
      }
      all += w->push[c] * fmax(0, ab / sqrt(aa * bb));
    }
  }
  return all;
}

static double check_sum(double (*sum)(const weighing *, const double *),
                        const weighing *w, double *param, size_t n,
                        const pith_i_real *slope) {
  const double h = 1e-5;
  double bad = 0;
  for (size_t i = 0; i < n; i++) {
    double x = param[i], at = sum(w, param);
    param[i] = x + h;
    double up = (sum(w, param) - at) / h;
    param[i] = x - h;
    double down = (at - sum(w, param)) / h;
    param[i] = x;
    if (fabs(up - down) < 1e-2)
      bad = worst(bad, (double)slope[i][0], (up + down) / 2);
  }
  return bad;
}

static void slopes_of_weights(void **state) {
  (void)state;
  static pith_i_real theta[4096], noise[512], w[512], dw[512], d[4096],
      norm[256];
  static double param[4096];
  double bad_softmax = 0, bad_cosine = 0;
  for (uint64_t seed = 0; seed < 30; seed++) {
    task t = task_new(5000 + seed, 4);
    pith_i_net *net = task_net(&t, PITH_I_AUTO);
    weighing x = {.net = net, .tau = 0.25 + task_uniform(&t), .dimension = 5};
    size_t n = net->candidates.n, rows = net->slots.n + net->preds.n;
    assert_true(n <= 512 && rows <= 256 && rows * x.dimension <= 4096);
    for (size_t c = 0; c < n; c++) {
      dw[c] = PITH_I_ALL(x.push[c] = (float)(task_uniform(&t) - 0.5));
      noise[c] = PITH_I_ALL(x.noise[c] = (float)(2 * task_uniform(&t)));
    }
    for (size_t i = 0; i < 4096; i++)
      theta[i] = PITH_I_ALL(param[i] = (float)(4 * task_uniform(&t) - 2));
    x.tau = (double)(float)x.tau;
    memset(d, 0, sizeof d);
    pith_i_softmax_forward(net, theta, noise, (float)x.tau, w);
    pith_i_softmax_backward(net, w, (float)x.tau, dw, d);
    bad_softmax = fmax(bad_softmax, check_sum(softmax_sum, &x, param, n, d));
    memset(d, 0, sizeof d);
    pith_i_cosine_forward(net, theta, x.dimension, norm, w);
    pith_i_cosine_backward(net, theta, x.dimension, norm, w, dw, d);
    bad_cosine = fmax(bad_cosine,
                      check_sum(cosine_sum, &x, param, rows * x.dimension, d));
    pith_i_net_free(net);
    task_free(&t);
  }
  print_message("largest difference: softmax %.1e, cosine %.1e\n", bad_softmax,
                bad_cosine);
  assert_true(bad_softmax < 1e-6 && bad_cosine < 1e-6);
}

/* ---- instruction sets ------------------------------------------------- */

/* All that an epoch does, by the functions of one instruction set. */
#define EPOCH(isa)                                                             \
  static void epoch_##isa(epoch *x) {                                          \
    pith_i_tape *t = x->tape;                                                  \
    pith_i_adam_step s = {0.1f, 1, -2, 2};                                     \
    size_t n = t->net->candidates.n;                                           \
    pith_i_noise_make_##isa(PITH_I_NORMAL, x->seed, 1, 1, n, x->noise);        \
    pith_i_softmax_forward_##isa(t->net, x->theta, x->noise, 0.7f, t->weight); \
    pith_i_net_forward_##isa(t);                                               \
    pith_i_loss_forward_##isa(t, eps, &x->loss, &x->error);                    \
    pith_i_loss_backward_##isa(t, eps);                                        \
    pith_i_net_backward_##isa(t);                                              \
    pith_i_softmax_backward_##isa(t->net, t->weight, 0.7f, t->dweight,         \
                                  x->dtheta);                                  \
    pith_i_adam_##isa(&s, n, x->dtheta, x->first, x->second, x->theta);        \
    pith_i_cosine_forward_##isa(t->net, x->emb, 3, x->norm, x->cosine);        \
    pith_i_cosine_backward_##isa(t->net, x->emb, 3, x->norm, x->cosine,        \
                                 t->dweight, x->demb);                         \
  }

typedef struct {
  pith_i_tape *tape;
  pith_i_word seed[2];
  pith_i_real loss, error, theta[512], noise[512], dtheta[512], first[512],
      second[512], emb[512], demb[512], norm[256], cosine[512];
} epoch;

EPOCH(base)
#ifdef __x86_64__
EPOCH(avx2)
EPOCH(avx512f)
#endif

/* A fresh epoch of the task, the same each time. */
static void run_epoch(task *t, const pith_i_net *net, pith_i_semantics m,
                      void (*run)(epoch *), epoch *x) {
  assert_true(net->candidates.n <= 512 &&
              3 * (net->slots.n + net->preds.n) <= 512);
  memset(x, 0, sizeof *x);
  for (int l = 0; l < L; l++) {
    x->seed[0][l] = (uint32_t)(17 * l + 3);
    x->seed[1][l] = (uint32_t)(t->seed + 91 * (uint64_t)l);
  }
  pith_i_noise_make(PITH_I_NORMAL, x->seed, 0, 1, 512, x->emb);
  pith_i_noise_make(PITH_I_NORMAL, x->seed, 2, 1, 512, x->theta);
  task_check(t->world[0], pith_i_tape_new(&t->world[0]->env, net, m, &x->tape));
  run(x);
  pith_i_tape_free(&t->world[0]->env, x->tape);
  x->tape = NULL;
}

static void instruction_sets_agree(void **state) {
  (void)state;
  static epoch base, other;
  for (uint64_t seed = 0; seed < 80; seed++) {
    task t = task_new(8000 + seed, 3);
    pith_i_net *net =
        task_net(&t, seed % 2 == 0 ? PITH_I_SPARSE : PITH_I_DENSE);
    pith_i_semantics m = all_semantics[seed / 2 % 4];
    run_epoch(&t, net, m, epoch_base, &base);
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2")) {
      run_epoch(&t, net, m, epoch_avx2, &other);
      assert_memory_equal(&base, &other, sizeof base);
    }
    if (__builtin_cpu_supports("avx512f")) {
      run_epoch(&t, net, m, epoch_avx512f, &other);
      assert_memory_equal(&base, &other, sizeof base);
    }
#endif
    pith_i_net_free(net);
    task_free(&t);
  }
  print_message("used here: %s\n", pith_i_isa());
  (void)other;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fast_is_plain),
      cmocka_unit_test(layouts_agree),
      cmocka_unit_test(slopes_of_operations),
      cmocka_unit_test(slopes_of_networks),
      cmocka_unit_test(slopes_of_sum),
      cmocka_unit_test(sum_is_what_it_says),
      cmocka_unit_test(slopes_of_core),
      cmocka_unit_test(core_is_what_it_says),
      cmocka_unit_test(slopes_of_loss),
      cmocka_unit_test(slopes_of_weights),
      cmocka_unit_test(instruction_sets_agree),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
