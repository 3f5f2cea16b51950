#include "train/descent.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "net/core.h"
#include "net/weigh.h"

typedef pith_i_real real;

pith_i_recipe pith_i_recipe_default(void) {
  return (pith_i_recipe){.weighing = PITH_I_SOFTMAX,
                         .epochs = 4000,
                         .rate = 10.0f,
                         .bound = 2.0f,
                         .tau_start = 1.0f,
                         .tau_end = 0.2f,
                         .noise_kind = PITH_I_NORMAL,
                         .noise = 1.0f,
                         .noise_hold = 0.5f,
                         .eps = 1e-4f};
}

/* The authors' code, with noise that fades slowly: with the schedules that they
** ship it does not reach the rates that they publish (docs/paper.md). */
pith_i_recipe pith_i_recipe_paper(void) {
  return (pith_i_recipe){.semantics = {.reference = true},
                         .weighing = PITH_I_COSINE,
                         .epochs = 3000,
                         .rate = PITH_I_SCALAR(0.1),
                         .noise_kind = PITH_I_NORMAL,
                         .noise = PITH_I_SCALAR(0.7125),
                         .noise_hold = -1,
                         .noise_decay = PITH_I_SCALAR(0.95),
                         .noise_every = 60,
                         .unit = true,
                         .hold = PITH_I_HOLD_LATE,
                         .alternate = true};
}

/* What the scripts for theories share: no noise, everything held in [0,1], the
** old value and what the rules give joined by a + b - ab. */
static pith_i_recipe recipe_theory(void) {
  pith_i_recipe r = pith_i_recipe_paper();
  r.semantics.known_sum = true;
  r.noise = 0;
  r.hold = PITH_I_HOLD_AFTER;
  r.alternate = false;
  r.core_start = -1;
  return r;
}

pith_i_recipe pith_i_recipe_taxonomy(void) {
  pith_i_recipe r = recipe_theory();
  r.onehot = true;
  r.epochs = 200;
  r.rate = r.core_rate = PITH_I_SCALAR(0.01);
  r.core_squash = 2;
  r.loss_scale = PITH_I_SCALAR(10.0 / 540);
  r.core_penalty = PITH_I_SCALAR(50.0 / 540);
  return r;
}

pith_i_recipe pith_i_recipe_kinship(void) {
  pith_i_recipe r = recipe_theory();
  r.semantics.or_sum = true;
  r.uniform = true;
  r.epochs = 300;
  r.core_rate = r.rate;
  r.core_penalty = PITH_I_SCALAR(0.1);
  return r;
}

/* The paper's text; where it is silent (rates, decay) the authors' code. */
pith_i_recipe pith_i_recipe_text(void) {
  return (pith_i_recipe){.semantics = {.and_product = true, .slot_max = true},
                         .weighing = PITH_I_COSINE,
                         .epochs = 1200,
                         .rate = 0.1f,
                         .noise_kind = PITH_I_NORMAL,
                         .noise = 1.05f,
                         .noise_hold = -1.0f,
                         .noise_decay = 0.7f,
                         .noise_every = 60,
                         .dimension = 30,
                         .eps = 1e-4f};
}

/* ---- memory ---------------------------------------------------------- */

static size_t param_rows(const pith_i_net *net, const pith_i_recipe *r) {
  return r->weighing == PITH_I_SOFTMAX
             ? net->candidates.n
             : (net->slots.n + net->preds.n) * r->dimension;
}

pith_status pith_i_descent_new(pith_i_env *env, const pith_i_net *net,
                               const pith_i_recipe *recipe,
                               pith_i_descent **out) {
  pith_i_descent *d = pith_i_zalloc(env, 1, sizeof *d);
  if (d == NULL)
    return PITH_ENOMEM;
  d->net = net;
  d->recipe = *recipe;
  if (recipe->onehot || recipe->unit)
    d->recipe.dimension = (uint32_t)net->preds.n;
  d->params = param_rows(net, &d->recipe);
  size_t rows =
      6 * d->params + net->slots.n + net->preds.n + 6 * net->core.n + 2;
  pith_status rc = pith_i_tape_new(env, net, recipe->semantics, &d->tape);
  if (rc >= 0)
    d->block = pith_i_zalloc(env, (rows + 1) * sizeof(real), 1);
  if (d->block == NULL) {
    pith_i_descent_free(env, d);
    return PITH_ENOMEM;
  }
  if (recipe->loss_scale > 0)
    d->tape->scale = recipe->loss_scale;
  real *next = PITH_I_ALIGN(d->block);
  real **part[] = {&d->theta,  &d->dtheta, &d->first,
                   &d->second, &d->noise,  &d->noisy};
  for (int i = 0; i < 6; i++, next += d->params)
    *part[i] = next;
  d->norm = next;
  next += net->slots.n + net->preds.n;
  real **core[] = {&d->core,       &d->core_theta,  &d->core_dtheta,
                   &d->core_first, &d->core_second, &d->core_noise};
  for (int i = 0; i < 6; i++, next += net->core.n)
    *core[i] = next;
  d->seed = (pith_i_word *)next;
  *out = d;
  return PITH_OK;
}

void pith_i_descent_free(pith_i_env *env, pith_i_descent *d) {
  if (d == NULL)
    return;
  pith_i_tape_free(env, d->tape);
  pith_i_release(env, d->block);
  pith_i_release(env, d);
}

pith_status pith_i_descent_turn(pith_i_env *env, pith_i_descent *d,
                                const pith_i_net *net) {
  pith_i_tape *tape = NULL;
  if (net->preds.n != d->net->preds.n || net->slots.n != d->net->slots.n ||
      net->candidates.n != d->net->candidates.n || net->core.n > 0)
    return PITH_EARG;
  pith_status rc = pith_i_tape_new(env, net, d->recipe.semantics, &tape);
  if (rc < 0)
    return rc;
  pith_i_tape_free(env, d->tape);
  d->tape = tape;
  d->net = net;
  return PITH_OK;
}

/* ---- schedules ------------------------------------------------------- */

/* base^n by repeated squaring: the C library's may differ in the last bit
** from machine to machine. */
static pith_i_scalar power_of(pith_i_scalar base, uint32_t n) {
  double all = 1, square = (double)base;
  for (; n > 0; n /= 2, square *= square)
    all *= n % 2 == 1 ? square : 1;
  return (pith_i_scalar)all;
}

static pith_i_scalar noise_scale(const pith_i_recipe *r, uint32_t epoch) {
  if (r->noise_hold < 0)
    return r->noise * power_of(r->noise_decay, epoch / r->noise_every);
  pith_i_scalar hold = r->noise_hold * (pith_i_scalar)r->epochs;
  pith_i_scalar rest = (pith_i_scalar)r->epochs - hold;
  pith_i_scalar over = (pith_i_scalar)epoch - hold;
  return over <= 0 ? r->noise : r->noise * (1.0f - over / rest);
}

/* tau_start (tau_end / tau_start)^t, t going from 0 to 1. */
static pith_i_scalar temperature_at(const pith_i_recipe *r, uint32_t epoch) {
  if (r->weighing != PITH_I_SOFTMAX)
    return 1.0f;
  pith_i_scalar t = (pith_i_scalar)epoch / (pith_i_scalar)r->epochs;
  pith_i_part ratio = PITH_I_ONE(r->tau_end / r->tau_start), ln, factor;
  PITH_I_LOG(ratio, ln);
  PITH_I_EXP(ln * t, factor);
  return r->tau_start * factor[0];
}

/* ---- one epoch ------------------------------------------------------- */

/* The slots' embeddings come first, then the predicates'. */
static size_t slot_params(const pith_i_descent *d) {
  return d->net->slots.n * d->recipe.dimension;
}

/* Parameters from here on are fixed: one-hot predicates. */
static size_t free_params(const pith_i_descent *d) {
  return d->recipe.onehot ? slot_params(d) : d->params;
}

/* Holds each of n rows in [0,1]. */
static void hold_in_unit(real *x, size_t n) {
  for (size_t i = 0; i < n; i++)
    PITH_I_EACH_LANE(l) {
      x[i][l] = x[i][l] < 0 ? 0 : x[i][l];
      x[i][l] = x[i][l] > 1 ? 1 : x[i][l];
    }
}

/* What the forward pass sees of the embeddings: with their noise, and held as
** the recipe says. Quietly: held in any case. */
static void see_embeddings(pith_i_descent *d, bool quietly) {
  const pith_i_recipe *r = &d->recipe;
  size_t noisy = r->onehot || r->unit ? slot_params(d) : d->params;
  for (size_t i = 0; i < d->params; i++)
    d->noisy[i] = i < noisy ? d->theta[i] + d->noise[i] : d->theta[i];
  if (!r->unit || r->hold == PITH_I_HOLD_AFTER)
    return;
  if (quietly || r->hold == PITH_I_HOLD_THROUGH)
    hold_in_unit(d->noisy, d->params);
  if (!quietly)
    hold_in_unit(d->theta, d->params);
}

static void weigh_slots(pith_i_descent *d, pith_i_scalar tau, bool quietly) {
  if (d->recipe.weighing == PITH_I_SOFTMAX) {
    pith_i_softmax_forward(d->net, d->theta, d->noise, tau, d->tape->weight);
    return;
  }
  see_embeddings(d, quietly);
  pith_i_cosine_forward(d->net, d->noisy, d->recipe.dimension, d->norm,
                        d->tape->weight);
}

static void weigh_backward(pith_i_descent *d, pith_i_scalar tau) {
  memset(d->dtheta, 0, d->params * sizeof *d->dtheta);
  if (d->recipe.weighing == PITH_I_SOFTMAX)
    pith_i_softmax_backward(d->net, d->tape->weight, tau, d->tape->dweight,
                            d->dtheta);
  else
    pith_i_cosine_backward(d->net, d->noisy, d->recipe.dimension, d->norm,
                           d->tape->weight, d->tape->dweight, d->dtheta);
}

static pith_i_scalar logit_bound(const pith_i_recipe *r) {
  return r->bound > 0 ? r->bound : 1e30f;
}

static pith_i_adam_step adam_step_of(const pith_i_descent *d,
                                     pith_i_scalar rate, pith_i_scalar low,
                                     pith_i_scalar high) {
  return (pith_i_adam_step){
      .rate = rate / (1.0f - power_of(PITH_I_SCALAR(0.9), d->epoch + 1)),
      .second = 1.0f / (1.0f - power_of(PITH_I_SCALAR(0.999), d->epoch + 1)),
      .low = low,
      .high = high};
}

static void move_params(pith_i_descent *d) {
  const pith_i_recipe *r = &d->recipe;
  bool held = r->unit && r->hold == PITH_I_HOLD_AFTER;
  pith_i_scalar high = held ? 1.0f : logit_bound(r);
  pith_i_adam_step s = adam_step_of(d, r->rate, held ? 0.0f : -high, high);
  pith_i_adam(&s, free_params(d), d->dtheta, d->first, d->second, d->theta);
}

/* ---- core values ----------------------------------------------------- */

/* Facts from here on are logits. */
static size_t first_logit(const pith_i_descent *d) {
  return d->recipe.invented_rate > 0 ? d->net->observed : d->net->core.n;
}

static pith_i_core_step core_step(const pith_i_descent *d, pith_i_scalar tau) {
  const pith_i_recipe *r = &d->recipe;
  pith_i_scalar examples = (pith_i_scalar)d->net->examples.n;
  return (pith_i_core_step){.place = d->net->core.at,
                            .n = d->net->core.n,
                            .observed = d->net->observed,
                            .first_logit = first_logit(d),
                            .drop = r->core_drop,
                            .tau = tau,
                            .squash = r->core_squash,
                            .penalty = r->semantics.reference
                                           ? r->core_penalty
                                           : r->core_penalty / examples};
}

/* The epochs of the core's own streams of noise are counted from the top. */
static void core_forward(pith_i_descent *d, pith_i_scalar tau,
                         pith_i_scalar noise) {
  pith_i_core_step s = core_step(d, tau);
  uint32_t stream = UINT32_MAX - 1 - d->epoch;
  pith_i_noise_make(PITH_I_UNIFORM, d->seed, stream, 1.0f, s.n, d->core_noise);
  pith_i_noise_make(d->recipe.noise_kind, d->seed, stream, noise,
                    s.n - s.first_logit, d->core_noise + s.first_logit);
  pith_i_core_forward(&s, d->core_theta, d->core_noise, d->core,
                      d->tape->value);
}

static void core_quietly(pith_i_descent *d, pith_i_scalar tau) {
  pith_i_core_step s = core_step(d, tau);
  s.drop = 0;
  memset(d->core_noise, 0, s.n * sizeof *d->core_noise);
  pith_i_core_forward(&s, d->core_theta, d->core_noise, d->core,
                      d->tape->value);
}

static void core_move(pith_i_descent *d, pith_i_scalar tau) {
  const pith_i_recipe *r = &d->recipe;
  pith_i_core_step s = core_step(d, tau);
  size_t n = s.first_logit;
  pith_i_adam_step values = adam_step_of(d, r->core_rate, 0.0f, 1.0f);
  pith_i_adam_step logits =
      adam_step_of(d, r->invented_rate, -logit_bound(r), logit_bound(r));
  memset(d->core_dtheta, 0, s.n * sizeof *d->core_dtheta);
  pith_i_core_backward(&s, d->core_noise, d->core, d->tape->dvalue,
                       d->core_dtheta);
  pith_i_adam(&values, n, d->core_dtheta, d->core_first, d->core_second,
              d->core_theta);
  pith_i_adam(&logits, s.n - n, d->core_dtheta + n, d->core_first + n,
              d->core_second + n, d->core_theta + n);
}

static void core_rest(pith_i_descent *d) {
  memset(d->core_first, 0, d->net->core.n * sizeof *d->core_first);
  memset(d->core_second, 0, d->net->core.n * sizeof *d->core_second);
}

/* Logits start from a normal distribution, as the slots' do. */
static void core_start(pith_i_descent *d) {
  size_t n = d->net->core.n, values = first_logit(d);
  core_rest(d);
  pith_i_noise_make(PITH_I_UNIFORM, d->seed, UINT32_MAX, 1.0f, values,
                    d->core_theta);
  pith_i_noise_make(PITH_I_NORMAL, d->seed, UINT32_MAX, 1.0f, n - values,
                    d->core_theta + values);
  for (size_t i = 0; d->recipe.core_start >= 0 && i < values; i++)
    d->core_theta[i] = PITH_I_ALL(d->recipe.core_start);
}

void pith_i_descent_epoch(pith_i_descent *d) {
  assert(d->recipe.epochs > 0);
  const pith_i_recipe *r = &d->recipe;
  pith_i_noise_make(r->noise_kind, d->seed, d->epoch + 1,
                    noise_scale(r, d->epoch), d->params, d->noise);
  pith_i_descent_step(d);
}

void pith_i_descent_step(pith_i_descent *d) {
  const pith_i_recipe *r = &d->recipe;
  pith_i_tape *t = d->tape;
  pith_i_scalar tau = temperature_at(r, d->epoch);
  t->world = r->alternate ? d->epoch % d->net->worlds : PITH_NONE;
  weigh_slots(d, tau, false);
  core_forward(d, tau, noise_scale(r, d->epoch));
  pith_i_net_forward(t);
  pith_i_loss_backward(t, r->eps);
  memset(t->dweight, 0, d->net->candidates.n * sizeof *t->dweight);
  pith_i_net_backward(t);
  if (t->stopped)
    return;
  weigh_backward(d, tau);
  move_params(d);
  core_move(d, tau);
  d->epoch++;
}

void pith_i_descent_settle(pith_i_descent *d, uint32_t epochs,
                           pith_i_scalar penalty) {
  pith_i_recipe before = d->recipe;
  d->recipe.rate = d->recipe.noise = d->recipe.core_drop = 0;
  d->recipe.tau_start = d->recipe.tau_end;
  d->recipe.core_penalty = penalty;
  core_rest(d); /* leaving facts out has made for large moments */
  for (uint32_t i = 0; i < epochs && !d->tape->stopped; i++)
    pith_i_descent_epoch(d);
  d->recipe = before;
}

/* ---- start, decode, measure ------------------------------------------ */

static void set_onehot(pith_i_descent *d) {
  real *e = d->theta + slot_params(d);
  for (uint32_t p = 0; p < d->net->preds.n; p++)
    for (uint32_t k = 0; k < d->recipe.dimension; k++)
      *e++ = PITH_I_ALL(p == k ? 1 : 0);
}

/* Epoch 0's noise is the initialisation: normal, or uniform in [0,1]. */
static void draw_initial_params(pith_i_descent *d) {
  pith_i_noise_make(d->recipe.unit ? PITH_I_UNIFORM : PITH_I_NORMAL, d->seed, 0,
                    1.0f, d->params, d->theta);
  if ((d->recipe.onehot || d->recipe.unit) && !d->recipe.uniform)
    set_onehot(d);
}

void pith_i_descent_start(pith_i_descent *d, const uint64_t *seeds) {
  d->epoch = 0;
  memset(d->first, 0, d->params * sizeof *d->first);
  memset(d->second, 0, d->params * sizeof *d->second);
  PITH_I_EACH_LANE(l) {
    uint64_t s = pith_i_scramble(seeds[l]);
    d->seed[0][l] = (uint32_t)s;
    d->seed[1][l] = (uint32_t)(s >> 32);
  }
  draw_initial_params(d);
  core_start(d);
}

static void weigh_quietly(pith_i_descent *d) {
  memset(d->noise, 0, d->params * sizeof *d->noise);
  pith_i_scalar tau = temperature_at(&d->recipe, d->epoch);
  d->tape->world = PITH_NONE;
  weigh_slots(d, tau, true);
  core_quietly(d, tau);
}

void pith_i_descent_decode(pith_i_descent *d, uint32_t *choice) {
  const pith_i_net *net = d->net;
  const real *w = d->tape->weight;
  weigh_quietly(d);
  for (size_t s = 0; s < net->slots.n; s++) {
    uint32_t first = net->slots.at[s].first;
    PITH_I_EACH_LANE(l) {
      uint32_t best = first;
      for (uint32_t c = first; c < first + net->slots.at[s].count; c++)
        if (w[c][l] > w[best][l])
          best = c;
      choice[(size_t)l * net->slots.n + s] = best;
    }
  }
}

void pith_i_descent_loss(const pith_i_descent *d, real *loss, real *error) {
  pith_i_core_step s = core_step(d, 1);
  pith_i_theory_loss_forward(&s, d->tape, d->recipe.eps, d->core, loss, error);
}

void pith_i_descent_measure(pith_i_descent *d, real *loss, real *error) {
  weigh_quietly(d);
  pith_i_net_forward(d->tape);
  pith_i_descent_loss(d, loss, error);
}
