/* Learning without templates: networks of whole bodies against the exact
** engine, their gradient against central differences of a plain forward pass,
** and the order of the spaces. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "learn/bodies/space_table.h"
#include "task.h"
#include "task/judge.h"
#include "train/descent.h"
#include "train/program.h"

/* ---- networks ---------------------------------------------------------- */

static pith_i_net *make_net(const task *t, const pith_i_theory_space *space) {
  pith_i_world worlds[TASK_WORLDS];
  pith_pred invented[2];
  pith_i_net *net = NULL;
  double work;
  for (size_t w = 0; w < t->worlds; w++)
    worlds[w] = (pith_i_world){.theory = &t->world[w]->theory,
                               .store = &t->world[w]->store};
  invented[0] = pith_pred_find(t->world[0], "aux2", 2);
  invented[1] = pith_pred_find(t->world[0], "aux1", 1);
  pith_status rc = pith_i_theory_space_net(&t->world[0]->env, worlds, t->worlds,
                                           space, invented, NULL, &work, &net);
  assert_true(rc == PITH_OK || rc == PITH_EINPUT); /* no rule can be made */
  return net;
}

static pith_i_theory_space draw_space(task *t) {
  return (pith_i_theory_space){.rules = 1 + task_below(t, 3),
                               .atoms = 1 + task_below(t, 2),
                               .vars = 2 + task_below(t, 2),
                               .invented = task_below(t, 3),
                               .invented_rules = 2,
                               .invented_atoms = 1 + task_below(t, 2),
                               .recursive = task_below(t, 2) == 1};
}

/* ---- exact -------------------------------------------------------------- */

static pith_i_errors judge(task *t, const pith_i_net *net,
                           const uint32_t *choice) {
  pith_i_world worlds[TASK_WORLDS];
  pith_i_arena arena = {.env = &t->world[0]->env};
  pith_rule *rules[64];
  pith_i_errors errors;
  size_t n = 0;
  for (size_t w = 0; w < t->worlds; w++)
    worlds[w] = (pith_i_world){.theory = &t->world[w]->theory,
                               .store = &t->world[w]->store};
  for (size_t r = 0; r < net->rules.n; r++)
    if (choice[net->rules.at[r].head] != PITH_NONE) {
      rules[n] = pith_i_program_rule(net, choice, r, &arena);
      assert_non_null(rules[n++]);
    }
  task_check(t->world[0], pith_i_judge(worlds, t->worlds, rules, n, &errors));
  pith_i_arena_free(&arena);
  return errors;
}

/* Random programs of random spaces, many at once and one by one. */
static void bodies_mean_what_they_say(void **state) {
  (void)state;
  enum { PROGRAMS = 12 };
  uint32_t different = 0;
  for (uint64_t i = 0; i < 60; i++) {
    task t = task_new(5000 + i, 1);
    pith_i_theory_space space = draw_space(&t);
    pith_i_net *net = make_net(&t, &space);
    if (net == NULL) {
      task_free(&t);
      continue;
    }
    pith_i_env *env = &t.world[0]->env;
    uint32_t choice[PROGRAMS][16];
    pith_i_errors errors[PITH_I_SLICE];
    bool used[8];
    pith_i_sliced *s = NULL;
    assert_true(net->slots.n <= 16 && net->preds.n <= 8);
    task_check(t.world[0], pith_i_sliced_new(env, net, &s));
    for (size_t p = 0; p < PROGRAMS; p++) {
      for (size_t k = 0; k < net->slots.n; k++)
        choice[p][k] =
            net->slots.at[k].first + task_below(&t, net->slots.at[k].count);
      pith_i_program_trim(net, choice[p], used);
      pith_i_sliced_add(s, choice[p]);
    }
    pith_i_sliced_run(s, errors);
    for (size_t p = 0; p < PROGRAMS; p++) {
      pith_i_errors exact = judge(&t, net, choice[p]);
      assert_int_equal(errors[p].fp, exact.fp);
      assert_int_equal(errors[p].fn, exact.fn);
      different += exact.fp + exact.fn != errors[0].fp + errors[0].fn;
    }
    pith_i_sliced_free(env, s);
    pith_i_net_free(net);
    task_free(&t);
  }
  assert_true(different > 100);
}

/* ---- gradient ----------------------------------------------------------- */

/* The formula of net/pooled.c in doubles: the loss for weights w. */
static double plain_loss(const pith_i_net *net, const double *w) {
  double *v = calloc(2 * (size_t)net->atoms + 1, sizeof *v);
  double *next = v + net->atoms, loss = 0, total = 0;
  for (size_t p = 0; p < net->preds.n; p++)
    for (uint32_t f = 0; f < net->preds.at[p].fact_count; f++)
      v[net->preds.at[p].offset + net->preds.at[p].facts[f]] = 1;
  for (uint32_t k = 0; k < net->steps; k++) {
    memcpy(next, v, net->atoms * sizeof *v);
    for (size_t s = 0; s < net->slots.n; s++) {
      const pith_i_net_slot *slot = &net->slots.at[s];
      double *m = calloc(slot->size + 1, sizeof *m);
      uint32_t offset = 0;
      for (uint32_t c = slot->first; c < slot->first + slot->count; c++) {
        const pith_i_body *b = &net->bodies.at[net->candidates.at[c].body];
        offset = net->preds.at[b->pred].offset;
        for (uint32_t f = 0; f < b->fact_count; f++)
          m[b->facts[f]] += w[c];
        const pith_i_join *j =
            b->join == PITH_NONE ? NULL : &net->joins.at[b->join];
        for (uint32_t e = 0; j != NULL && e < j->size; e++) {
          double best = 0;
          for (uint32_t i = j->start[e]; i < j->start[e + 1]; i++) {
            double x = v[j->left[i]];
            x = j->b == PITH_NONE ? x : fmin(x, v[j->right[i]]);
            best = fmax(best, x);
          }
          m[b->atoms[e]] += w[c] * best;
        }
      }
      for (uint32_t e = 0; e < slot->size; e++)
        next[offset + e] = fmax(next[offset + e], m[e]);
      free(m);
    }
    memcpy(v, next, net->atoms * sizeof *v);
  }
  for (size_t i = 0; i < net->examples.n; i++) {
    const pith_i_net_example *x = &net->examples.at[i];
    double value = x->atom == PITH_NONE ? 0 : v[x->atom];
    double likely = x->label > 0.5f ? value : 1 - value;
    if (x->atom != PITH_NONE)
      loss -= (double)x->weight * log(likely * (1 - 2e-4) + 1e-4);
    total += (double)x->weight;
  }
  free(v);
  return loss / total;
}

/* Where a winner changes within the step the two one-sided slopes differ. */
static void check_slopes(task *t, const pith_i_net *net, size_t *checked) {
  pith_i_tape *tape = NULL;
  pith_i_real loss, error;
  pith_i_semantics semantics = {0};
  size_t n = net->candidates.n;
  double *w = malloc((n + 1) * sizeof *w);
  task_check(t->world[0],
             pith_i_tape_new(&t->world[0]->env, net, semantics, &tape));
  for (size_t s = 0; s < net->slots.n; s++) {
    const pith_i_net_slot *slot = &net->slots.at[s];
    double sum = 0;
    for (uint32_t c = slot->first; c < slot->first + slot->count; c++)
      sum += w[c] = exp(3 * task_uniform(t));
    for (uint32_t c = slot->first; c < slot->first + slot->count; c++) {
      w[c] = (double)(float)(w[c] / sum);
      tape->weight[c] = PITH_I_ALL(w[c]);
    }
  }
  pith_i_net_forward(tape);
  pith_i_loss_forward(tape, 1e-4f, &loss, &error);
  pith_i_loss_backward(tape, 1e-4f);
  memset(tape->dweight, 0, n * sizeof *tape->dweight);
  pith_i_net_backward(tape);
  double at = plain_loss(net, w), step = 1e-6;
  assert_true(fabs(at - (double)loss[3]) < 1e-5 * fmax(1, at));
  for (size_t i = 0; i < 6; i++) {
    size_t c = task_below(t, (uint32_t)n);
    double before = w[c];
    w[c] = before + step;
    double up = (plain_loss(net, w) - at) / step;
    w[c] = before - step;
    double down = (at - plain_loss(net, w)) / step;
    w[c] = before;
    double slope = (double)tape->dweight[c][3];
    if (fabs(up - down) > 1e-2 * fmax(1, fabs(up)))
      continue; /* a kink */
    assert_true(fabs(slope - (up + down) / 2) < 2e-2 * fmax(1, fabs(up)));
    *checked += fabs(up) > 1e-3;
  }
  free(w);
  pith_i_tape_free(&t->world[0]->env, tape);
}

static void slopes_are_right(void **state) {
  (void)state;
  size_t checked = 0;
  for (uint64_t i = 0; i < 40; i++) {
    task t = task_new(9000 + i, 1);
    pith_i_theory_space space = draw_space(&t);
    pith_i_net *net = make_net(&t, &space);
    if (net != NULL)
      check_slopes(&t, net, &checked);
    pith_i_net_free(net);
    task_free(&t);
  }
  print_message("%zu slopes\n", checked);
  assert_true(checked > 100);
}

/* ---- spaces -------------------------------------------------------------- */

static void spaces_grow_within_limits(void **state) {
  (void)state;
  pith_i_theory_space s;
  pith_i_bounds all = {
      .max_invented = PITH_NONE, .recursion = true, .invention = true};
  pith_i_bounds few = {
      .max_invented = PITH_NONE, .max_rules = 2, .max_body = 2, .max_vars = 3};
  assert_true(pith_i_theory_space_at(&all, false, 0, &s));
  assert_int_equal(s.rules, 1);
  assert_int_equal(s.invented, 0);
  uint32_t n = 0;
  while (pith_i_theory_space_at(&all, false, n, &s))
    n++;
  assert_true(n > 10);
  for (n = 0; pith_i_theory_space_at(&few, false, n, &s); n++) {
    assert_true(s.rules <= 2 && s.atoms <= 2 && s.vars <= 3);
    assert_true(s.invented == 0 && !s.recursive);
  }
  assert_int_equal(n, 2);
}

/* ---- whole runs ----------------------------------------------------- */

static const struct {
  const char *text, *rule; /* one of those that must come out */
  uint32_t invented;
  const char *bias;
} runs[] = {
    {"n(0,1). n(1,2). n(2,3). n(3,4). n(4,5). z(0). pos(e(0)). pos(e(2)). "
     "pos(e(4)). neg(e(1)). neg(e(3)). neg(e(5)).",
     "e(A) :- z(A).", 0, ""},
    {"e(a,b). e(b,c). e(c,a). e(d,a). e(f,g). e(g,f). e(h,h). e(i,d). "
     "pos(c(a)). pos(c(b)). pos(c(c)). pos(c(f)). pos(c(g)). pos(c(h)). "
     "neg(c(d)). neg(c(i)). neg(c(k)). e(i,k). "
     "e(k,l). e(l,m). e(m,o). neg(c(l)). neg(c(m)). neg(c(o)).",
     "c(A) :- inv1(A,A).", 1, "max_body(2). enable_pi. enable_recursion."},
    {"r(a). s(b). pos(t). ", "t :- r(_).", 0, ""},
    {"e(a,b). e(b,c). pos(t(a,b,c)). neg(t(b,a,c)).",
     "t(A,B,C) :- e(A,B), e(B,C).", 0, ""},
    {"pos(p(a)). neg(p(b)).", NULL, 0, ""},
};

static void learns_without_templates(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
    pith *p;
    pith_learned *l = NULL;
    pith_learn_options opt;
    pith_learn_defaults(&opt);
    opt.run.jobs = 1;
    opt.method = PITH_METHOD_GRADIENT;
    assert_int_equal(pith_new(&p), PITH_OK);
    task_read(p, runs[i].text, PITH_PROLOG);
    task_read(p, runs[i].bias, PITH_BIAS);
    task_check(p, pith_learn(&p, 1, &opt, &l));
    const pith_theory_info *info = pith_learned_info(l, 0);
    assert_true(info->solved == (runs[i].rule != NULL));
    bool found = runs[i].rule == NULL;
    for (uint32_t r = 0; r < info->rules; r++) {
      pith_out *o = NULL;
      assert_int_equal(pith_out_memory(p, &o), PITH_OK);
      pith_rule_write(p, pith_learned_rule(l, 0, r), o);
      const char *text = pith_out_text(o, NULL);
      found = found || strcmp(text, runs[i].rule) == 0;
      pith_out_close(o, false);
    }
    if (!found)
      fail_msg("%s did not come out", runs[i].rule);
    assert_int_equal(info->space.invented, runs[i].invented);
    pith_learned_free(l);
    pith_free(p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bodies_mean_what_they_say),
      cmocka_unit_test(slopes_are_right),
      cmocka_unit_test(spaces_grow_within_limits),
      cmocka_unit_test(learns_without_templates),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
