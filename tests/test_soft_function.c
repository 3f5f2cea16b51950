/* Soft rules as a function (pith_soft_*): the values against a plain evaluation
** in doubles, which tries every choice for the variables, and the gradients
** against central differences of that evaluation. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <pith.h>

enum { MOST_PREDS = 8, MOST_ATOMS = 25, MOST_WEIGHTS = 128, MOST_LANES = 40 };

/* What one lane starts with, or a gradient of it. */
typedef struct {
  double value[MOST_PREDS][MOST_ATOMS];
  double weight[MOST_WEIGHTS];
} inputs;

typedef struct {
  pith *p;
  pith_soft *soft;
  uint32_t n, steps;
  size_t preds, weights;
} fixture;

/* ---- the plain evaluation ---------------------------------------------- */

typedef struct {
  double value[MOST_PREDS][MOST_ATOMS];
} valuation;

static size_t number_of(const fixture *f, pith_pred pred) {
  for (size_t i = 0; i < f->preds; i++)
    if (pith_soft_pred_at(f->soft, i) == pred)
      return i;
  fail_msg("predicate %u has no values", pred);
  return 0;
}

static double atom_value(const fixture *f, const valuation *v, pith_pred pred,
                         uint32_t x, uint32_t y) {
  if (pred == PITH_EQUAL || pred == PITH_DIFFERENT)
    return (x == y) == (pred == PITH_EQUAL);
  size_t i = number_of(f, pred);
  return pith_pred_arity(f->p, pred) == 1 ? v->value[i][x]
                                          : v->value[i][x * f->n + y];
}

/* A slot: the predicate it names, or the open slot and its first weight. */
typedef struct {
  pith_pred pred;
  const pith_soft_slot *open;
  size_t first;
} filling;

static double filled_value(const fixture *f, const inputs *in,
                           const valuation *v, const filling *s, uint32_t x,
                           uint32_t y) {
  if (s->open == NULL)
    return atom_value(f, v, s->pred, x, y);
  double best = 0;
  for (size_t k = 0; k < s->open->count; k++)
    best = fmax(best, in->weight[s->first + k] *
                          atom_value(f, v, s->open->preds[k], x, y));
  return best;
}

static void raise_atom(const fixture *f, valuation *v, pith_pred pred,
                       uint32_t x, uint32_t y, double value) {
  size_t i = number_of(f, pred);
  bool unary = pith_pred_arity(f->p, pred) == 1;
  double *at = &v->value[i][unary ? x : x * f->n + y];
  *at = fmax(*at, value);
}

/* Every choice for the variables of one rule. slots: by number, or NULL: the
** atoms name predicates. */
static void apply_rule(const fixture *f, const inputs *in, const valuation *old,
                       const pith_rule *rule, const filling *slots,
                       valuation *out) {
  size_t choices = 1;
  for (uint32_t i = 0; i < rule->var_count; i++)
    choices *= f->n;
  for (size_t c = 0; c < choices; c++) {
    uint32_t var[8];
    size_t rest = c;
    for (uint32_t i = 0; i < rule->var_count; i++, rest /= f->n)
      var[i] = (uint32_t)(rest % f->n);
    double product = 1;
    for (uint32_t i = 0; i < rule->body_len; i++) {
      const pith_atom *a = &rule->body[i];
      filling named = {.pred = a->pred};
      product *=
          filled_value(f, in, old, slots == NULL ? &named : &slots[a->pred],
                       var[PITH_VAR_INDEX(a->args[0])],
                       var[PITH_VAR_INDEX(a->args[a->arity - 1])]);
    }
    const pith_atom *h = &rule->head;
    uint32_t x = var[PITH_VAR_INDEX(h->args[0])];
    uint32_t y = var[PITH_VAR_INDEX(h->args[h->arity - 1])];
    filling named = {.pred = h->pred};
    const filling *s = slots == NULL ? &named : &slots[h->pred];
    if (s->open == NULL)
      raise_atom(f, out, s->pred, x, y, product);
    for (size_t k = 0; s->open != NULL && k < s->open->count; k++)
      raise_atom(f, out, s->open->preds[k], x, y,
                 in->weight[s->first + k] * product);
  }
}

static void plain_step(const fixture *f, const inputs *in, valuation *v) {
  valuation old = *v;
  for (size_t i = 0; i < pith_rule_count(f->p); i++)
    apply_rule(f, in, &old, pith_rule_at(f->p, i), NULL, v);
  size_t open = 0, first = 0;
  for (size_t i = 0; i < pith_template_count(f->p); i++) {
    const pith_template *t = pith_template_at(f->p, i);
    for (uint32_t c = 0; c < t->copies; c++) {
      filling slots[8];
      for (uint32_t k = 0; k < t->slot_count; k++) {
        slots[k] = (filling){.pred = t->slots[k].pred};
        if (t->slots[k].pred != PITH_NONE)
          continue;
        slots[k].open = pith_soft_slot_at(f->soft, open++);
        slots[k].first = first;
        first += slots[k].open->count;
      }
      apply_rule(f, in, &old, &t->shape, slots, v);
    }
  }
  assert_int_equal(open, pith_soft_slot_count(f->soft));
  assert_int_equal(first, f->weights);
}

static valuation plain_values(const fixture *f, const inputs *in) {
  valuation v;
  memcpy(v.value, in->value, sizeof v.value);
  for (uint32_t k = 0; k < f->steps; k++)
    plain_step(f, in, &v);
  return v;
}

/* ---- the function under test ------------------------------------------- */

typedef struct {
  float value[MOST_PREDS][MOST_LANES][MOST_ATOMS];
  float weight[MOST_LANES][MOST_WEIGHTS];
} lane_numbers;

static void views_of(const fixture *f, lane_numbers *x,
                     pith_soft_values *values, pith_soft_values *weights) {
  for (size_t i = 0; i < f->preds; i++) {
    bool unary = pith_pred_arity(f->p, pith_soft_pred_at(f->soft, i)) == 1;
    values[i] = (pith_soft_values){
        x->value[i][0], MOST_ATOMS, {unary ? 1 : (ptrdiff_t)f->n, 1}};
  }
  *weights = (pith_soft_values){x->weight[0], MOST_WEIGHTS, {1, 0}};
}

static double random_share(void) { return rand() / (RAND_MAX + 1.0); }

static void draw_inputs(const fixture *f, inputs *in) {
  for (size_t i = 0; i < f->preds; i++)
    for (size_t a = 0; a < MOST_ATOMS; a++)
      in->value[i][a] = (float)random_share();
  for (size_t w = 0; w < f->weights; w++)
    in->weight[w] = (float)random_share();
}

static void put_lane(const inputs *in, size_t lane, lane_numbers *x) {
  for (size_t i = 0; i < MOST_PREDS; i++)
    for (size_t a = 0; a < MOST_ATOMS; a++)
      x->value[i][lane][a] = (float)in->value[i][a];
  for (size_t w = 0; w < MOST_WEIGHTS; w++)
    x->weight[lane][w] = (float)in->weight[w];
}

static size_t atoms_of(const fixture *f, size_t i) {
  bool unary = pith_pred_arity(f->p, pith_soft_pred_at(f->soft, i)) == 1;
  return unary ? f->n : (size_t)f->n * f->n;
}

static double slope_sum(const fixture *f, const inputs *in,
                        const lane_numbers *dout, size_t lane) {
  valuation v = plain_values(f, in);
  double sum = 0;
  for (size_t i = 0; i < f->preds; i++)
    for (size_t a = 0; a < atoms_of(f, i); a++)
      sum += v.value[i][a] * (double)dout->value[i][lane][a];
  return sum;
}

/* The central difference at one number of the inputs. Around a kink both sides
** are tried: the gradient is that of one of them. */
static void check_slope(const fixture *f, inputs *in, double *x,
                        const lane_numbers *dout, size_t lane, double found) {
  const double h = 1e-6;
  double at = *x, here = slope_sum(f, in, dout, lane);
  *x = at + h;
  double up = (slope_sum(f, in, dout, lane) - here) / h;
  *x = at - h;
  double down = (here - slope_sum(f, in, dout, lane)) / h;
  *x = at;
  double room = 1e-3 * (1 + fabs(found));
  if (fabs(found - up) > room && fabs(found - down) > room)
    fail_msg("slope %g, differences %g and %g", found, up, down);
}

static void check_values(const fixture *f, const inputs *in,
                         const lane_numbers *out, size_t lane) {
  valuation v = plain_values(f, in);
  for (size_t i = 0; i < f->preds; i++)
    for (size_t a = 0; a < atoms_of(f, i); a++)
      assert_true(fabs((double)out->value[i][lane][a] - v.value[i][a]) < 1e-5);
}

static void check_slopes(const fixture *f, inputs *in, const lane_numbers *dout,
                         const lane_numbers *din, size_t lane) {
  for (size_t i = 0; i < f->preds; i++)
    for (size_t a = 0; a < atoms_of(f, i); a++)
      check_slope(f, in, &in->value[i][a], dout, lane,
                  (double)din->value[i][lane][a]);
  for (size_t w = 0; w < f->weights; w++)
    check_slope(f, in, &in->weight[w], dout, lane,
                (double)din->weight[lane][w]);
}

static fixture fixture_of(const char *program, const char *templates,
                          const char *preds, uint32_t n, uint32_t steps) {
  fixture f = {.n = n, .steps = steps};
  assert_int_equal(pith_new(&f.p), PITH_OK);
  for (; *preds != 0; preds += 2) {
    char name[2] = {preds[0], 0};
    pith_pred pred;
    assert_true(pith_pred_add(f.p, name, (size_t)(preds[1] - '0'), &pred) >= 0);
  }
  assert_true(
      pith_read_text(f.p, "rules", program, strlen(program), PITH_PROLOG) >= 0);
  if (templates[0] != 0)
    assert_true(pith_read_text(f.p, "templates", templates, strlen(templates),
                               PITH_TEMPLATES) >= 0);
  pith_status rc = pith_soft_new(f.p, n, steps, &f.soft);
  if (rc < 0)
    fail_msg("%s", pith_error(f.p));
  assert_int_equal(pith_soft_steps(f.soft), steps);
  f.preds = pith_soft_pred_count(f.soft);
  assert_in_range(f.preds, 1, MOST_PREDS);
  for (size_t i = 0; i < pith_soft_slot_count(f.soft); i++)
    f.weights += pith_soft_slot_at(f.soft, i)->count;
  assert_true(f.weights <= MOST_WEIGHTS);
  assert_int_equal(pith_soft_pred_at(f.soft, f.preds), PITH_NONE);
  assert_null(pith_soft_slot_at(f.soft, pith_soft_slot_count(f.soft)));
  return f;
}

static void fixture_free(fixture *f) {
  pith_soft_free(f->soft);
  pith_free(f->p);
}

static void check_lanes(const fixture *f, size_t lanes) {
  static inputs in[MOST_LANES];
  static lane_numbers start, out, dout, din;
  pith_soft_values vs[MOST_PREDS], vo[MOST_PREDS], vd[MOST_PREDS],
      vi[MOST_PREDS], ws, wi, unused;
  views_of(f, &start, vs, &ws);
  views_of(f, &out, vo, &unused);
  views_of(f, &dout, vd, &unused);
  views_of(f, &din, vi, &wi);
  memset(&din, 0, sizeof din);
  for (size_t l = 0; l < lanes; l++) {
    inputs slope;
    draw_inputs(f, &in[l]);
    put_lane(&in[l], l, &start);
    draw_inputs(f, &slope);
    put_lane(&slope, l, &dout);
  }
  pith_soft_pass *pass;
  assert_int_equal(pith_soft_forward(f->soft, lanes, vs, &ws, vo, &pass),
                   PITH_OK);
  assert_int_equal(pith_soft_backward(pass, vd, vi, &wi), PITH_OK);
  pith_soft_pass_free(pass);
  for (size_t l = 0; l < lanes; l++)
    check_values(f, &in[l], &out, l);
  for (size_t l = 0; l<lanes; l += lanes> 2 ? lanes / 2 : 1)
    check_slopes(f, &in[l], &dout, &din, l);
}

static void check_program(const char *program, const char *templates,
                          const char *preds) {
  fixture f = fixture_of(program, templates, preds, 4, 2);
  srand(7);
  check_lanes(&f, 1);
  check_lanes(&f, 16);
  check_lanes(&f, 37);
  fixture_free(&f);
}

static void test_rules(void **state) {
  (void)state;
  check_program("r(X,Y) :- e(X,Y). r(X,Y) :- e(X,Z), r(Z,Y).", "", "");
  check_program("s(X,Y) :- e(Z,X), e(Z,Y), X \\= Y. l(X) :- e(X,X).", "", "");
  check_program("o(X,X) :- u(X). f(X) :- u(Y), e(Y,Z), e(Z,X), X = X.", "", "");
  check_program("p(X,Y) :- u(X), u(Y). t(X) :- e(X,Y), e(Y,Z), e(Z,X).", "",
                "");
  check_program("b(X,Y) :- e(Y,X), u(Y), e(X,W), u(W).", "", "");
}

static void test_templates(void **state) {
  (void)state;
  check_program("", "F(X,Y) <- F(X,Z), F(Z,Y)\n", "a2b2c2");
  check_program("", "F(X) <- F(X)\nF(X) <- F(Z), F(Z,X)\nF(X,X) <- F(X)\n",
                "a1b1c2");
  check_program("c(X,Y) :- c(Y,X).", "F(X) <- F(X,X), F(X,Z)\n", "a1c2d2");
}

/* Facts that all lanes share get the sum of their gradients, and a lane of
** another layout gives the same numbers. */
static void test_strides(void **state) {
  (void)state;
  fixture f = fixture_of("r(X,Y) :- e(X,Z), e(Z,Y).", "", "e2r2", 3, 1);
  assert_int_equal(f.preds, 2);
  float e[9], turned[9], out[20][9], other[9][20], sum[9] = {0}, one[9] = {0};
  for (int i = 0; i < 9; i++)
    turned[i % 3 * 3 + i / 3] = e[i] = 0.1f * (float)(i + 1);
  pith_soft_values none = {0}, start[2] = {{e, 0, {3, 1}}, none};
  pith_soft_values to[2] = {none, {out[0], 9, {3, 1}}};
  pith_soft_values ones[2] = {none, {(float[]){1}, 0, {0, 0}}};
  pith_soft_values shared[2] = {{sum, 0, {3, 1}}, none};
  pith_soft_pass *pass;
  assert_int_equal(pith_soft_forward(f.soft, 20, start, &none, to, &pass), 0);
  assert_int_equal(pith_soft_backward(pass, ones, shared, &none), 0);
  pith_soft_pass_free(pass);
  start[0] = (pith_soft_values){turned, 0, {1, 3}};
  to[1] = (pith_soft_values){other[0], 1, {60, 20}};
  assert_int_equal(pith_soft_forward(f.soft, 20, start, &none, to, NULL), 0);
  assert_int_equal(pith_soft_forward(f.soft, 1, start, &none, to, &pass), 0);
  shared[0].at = one;
  assert_int_equal(pith_soft_backward(pass, ones, shared, &none), 0);
  pith_soft_pass_free(pass);
  for (int i = 0; i < 9; i++) {
    assert_true(fabsf(sum[i] - 20 * one[i % 3 * 3 + i / 3]) < 1e-4f ||
                fabsf(sum[i] - 20 * one[i]) < 1e-4f);
    for (int l = 0; l < 20; l++)
      assert_true(out[l][i] == other[i][l]);
  }
  fixture_free(&f);
}

static void refused(const char *program, const char *sentence) {
  pith *p;
  pith_soft *s;
  assert_int_equal(pith_new(&p), PITH_OK);
  assert_true(pith_read_text(p, "rules.pl", program, strlen(program),
                             PITH_PROLOG) >= 0);
  assert_int_equal(pith_soft_new(p, 3, 0, &s), PITH_EINPUT);
  assert_null(s);
  if (strstr(pith_error(p), sentence) == NULL)
    fail_msg("%s", pith_error(p));
  pith_free(p);
}

static void test_what_has_no_soft_meaning(void **state) {
  (void)state;
  refused("q(a).", "no rule");
  refused("p(X) :- q(X), \\+ r(X).", "rules.pl:1: a rule with a negation");
  refused("p(X) :- q(X,a).", "a constant");
  refused("p(X) :- q(X,Y), X < Y.", "with a comparison");
  refused("p(X) :- q(X,Y,Y).", "one or two");
  pith *p;
  pith_soft *s;
  assert_int_equal(pith_new(&p), PITH_OK);
  assert_int_equal(pith_soft_new(p, 0, 0, &s), PITH_EARG);
  pith_free(p);
  fixture f = fixture_of("p(X) :- q(X).", "", "", 2, 1);
  pith_soft_values none[2] = {0};
  assert_int_equal(pith_soft_forward(f.soft, 0, none, none, none, NULL),
                   PITH_EARG);
  assert_int_equal(pith_soft_forward(f.soft, 1, none, none, none, NULL),
                   PITH_OK);
  fixture_free(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rules),
      cmocka_unit_test(test_templates),
      cmocka_unit_test(test_strides),
      cmocka_unit_test(test_what_has_no_soft_meaning),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
