#include "learn/descent.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "net/weigh.h"

enum { L = PITH_I_LANES };

#define ROW(array, i) ((array) + (size_t)(i)*L)

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

/* The paper's text; where it is silent (rates, decay) the authors' code. */
pith_i_recipe pith_i_recipe_paper(void) {
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
  if (recipe->onehot)
    d->recipe.dimension = (uint32_t)net->preds.n;
  d->params = param_rows(net, &d->recipe);
  size_t norms = net->slots.n + net->preds.n;
  size_t rows = 6 * d->params + norms;
  pith_status rc = pith_i_tape_new(env, net, recipe->semantics, &d->tape);
  if (rc >= 0)
    d->block = pith_i_zalloc(env, rows * L * sizeof(float) + 64, 1);
  if (d->block == NULL) {
    pith_i_descent_free(env, d);
    return PITH_ENOMEM;
  }
  float *next = (float *)(((uintptr_t)d->block + 63) & ~(uintptr_t)63);
  float **part[] = {&d->theta,  &d->dtheta, &d->first,
                    &d->second, &d->noise,  &d->noisy};
  for (int i = 0; i < 6; i++, next += d->params * L)
    *part[i] = next;
  d->norm = next;
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

/* ---- noise ----------------------------------------------------------- */

/* The i-th uniform number in (0,1) of a lane at an epoch. */
static inline float uniform(const uint32_t *seed, uint32_t epoch, uint32_t i) {
  uint32_t x = pith_i_scramble32(seed[0] + i * UINT32_C(0x9e3779b9));
  x = pith_i_scramble32((x ^ seed[1]) + epoch * UINT32_C(0x85ebca6b));
  return ((float)(x >> 8) + 0.5f) * 0x1p-24f;
}

static inline float normal(const uint32_t *seed, uint32_t epoch, uint32_t i) {
  float u = uniform(seed, epoch, 2 * i), v = uniform(seed, epoch, 2 * i + 1);
  return sqrtf(-2.0f * pith_i_log(u)) * pith_i_cos_turn(v);
}

PITH_I_HOT static void make_noise(pith_i_descent *d, float scale) {
  uint32_t epoch = d->epoch + 1; /* 0 is the start's */
  bool gumbel = d->recipe.noise_kind == PITH_I_GUMBEL;
  for (uint32_t i = 0; i < d->params; i++) {
    float *restrict out = ROW(d->noise, i);
    if (gumbel)
      PITH_I_EACH_LANE(l) {
        float u = uniform(d->seed[l], epoch, i);
        out[l] = scale * -pith_i_log(-pith_i_log(u));
      }
    else
      PITH_I_EACH_LANE(l) out[l] = scale * normal(d->seed[l], epoch, i);
  }
}

static float noise_scale(const pith_i_recipe *r, uint32_t epoch) {
  if (r->noise_hold < 0)
    return r->noise * powf(r->noise_decay, (float)(epoch / r->noise_every));
  float hold = r->noise_hold * (float)r->epochs;
  float rest = (float)r->epochs - hold;
  float over = (float)epoch - hold;
  return over <= 0 ? r->noise : r->noise * (1.0f - over / rest);
}

static float temperature(const pith_i_recipe *r, uint32_t epoch) {
  float t = (float)epoch / (float)r->epochs;
  return r->tau_start * powf(r->tau_end / r->tau_start, t);
}

/* ---- one epoch ------------------------------------------------------- */

/* Row of the first parameter that is fixed: one-hot predicates. */
static size_t free_rows(const pith_i_descent *d) {
  return d->recipe.onehot ? d->net->slots.n * d->recipe.dimension : d->params;
}

static void weigh(pith_i_descent *d, const float *noise, float tau) {
  if (d->recipe.weighing == PITH_I_SOFTMAX) {
    pith_i_softmax_forward(d->net, d->theta, noise, tau, d->tape->weight);
    return;
  }
  size_t n = d->params * L, fixed = free_rows(d) * L;
  for (size_t i = 0; i < n; i++)
    d->noisy[i] = d->theta[i] + (i < fixed ? noise[i] : 0.0f);
  pith_i_cosine_forward(d->net, d->noisy, d->recipe.dimension, d->norm,
                        d->tape->weight);
}

static void weigh_backward(pith_i_descent *d, float tau) {
  memset(d->dtheta, 0, d->params * L * sizeof *d->dtheta);
  if (d->recipe.weighing == PITH_I_SOFTMAX)
    pith_i_softmax_backward(d->net, d->tape->weight, tau, d->tape->dweight,
                            d->dtheta);
  else
    pith_i_cosine_backward(d->net, d->noisy, d->recipe.dimension, d->norm,
                           d->tape->weight, d->tape->dweight, d->dtheta);
}

/* Kingma and Ba's Adam, then the bounds. */
PITH_I_HOT static void adam(pith_i_descent *d) {
  const float b1 = 0.9f, b2 = 0.999f;
  float c1 = 1.0f / (1.0f - powf(b1, (float)(d->epoch + 1)));
  float c2 = 1.0f / (1.0f - powf(b2, (float)(d->epoch + 1)));
  float rate = d->recipe.rate;
  float low = d->recipe.unit ? 0.0f : -d->recipe.bound;
  float high = d->recipe.unit ? 1.0f : d->recipe.bound;
  if (!d->recipe.unit && d->recipe.bound == 0) {
    low = -1e30f;
    high = 1e30f;
  }
  size_t n = free_rows(d) * L;
  for (size_t i = 0; i < n; i++) {
    float g = d->dtheta[i];
    float m = d->first[i] = b1 * d->first[i] + (1 - b1) * g;
    float v = d->second[i] = b2 * d->second[i] + (1 - b2) * g * g;
    float x = d->theta[i] - rate * (m * c1) / (sqrtf(v * c2) + 1e-8f);
    d->theta[i] = x < low ? low : x > high ? high : x;
  }
}

void pith_i_descent_epoch(pith_i_descent *d) {
  const pith_i_recipe *r = &d->recipe;
  pith_i_tape *t = d->tape;
  float tau = temperature(r, d->epoch), error[L];
  make_noise(d, noise_scale(r, d->epoch));
  weigh(d, d->noise, tau);
  pith_i_net_forward(t);
  pith_i_loss_forward(t, r->eps, d->loss, error);
  pith_i_loss_backward(t, r->eps);
  memset(t->dweight, 0, d->net->candidates.n * L * sizeof *t->dweight);
  pith_i_net_backward(t);
  weigh_backward(d, tau);
  adam(d);
  d->epoch++;
}

/* ---- start, decode, measure ------------------------------------------ */

static void fix_onehot(pith_i_descent *d) {
  size_t base = free_rows(d);
  for (uint32_t p = 0; p < d->net->preds.n; p++)
    for (uint32_t k = 0; k < d->recipe.dimension; k++)
      PITH_I_EACH_LANE(l)
  ROW(d->theta, base + (size_t)p * d->recipe.dimension + k)
  [l] = p == k ? 1.0f : 0.0f;
}

void pith_i_descent_start(pith_i_descent *d, const uint64_t *seeds) {
  d->epoch = 0;
  size_t bytes = d->params * L * sizeof(float);
  memset(d->first, 0, bytes);
  memset(d->second, 0, bytes);
  PITH_I_EACH_LANE(l) {
    uint64_t s = pith_i_scramble(seeds[l]);
    d->seed[l][0] = (uint32_t)s;
    d->seed[l][1] = (uint32_t)(s >> 32);
  }
  for (uint32_t i = 0; i < d->params; i++)
    PITH_I_EACH_LANE(l) {
      float x = normal(d->seed[l], 0, i);
      if (d->recipe.unit)
        x = uniform(d->seed[l], 0, i);
      ROW(d->theta, i)[l] = x;
    }
  if (d->recipe.onehot)
    fix_onehot(d);
}

static void weigh_quietly(pith_i_descent *d) {
  memset(d->noise, 0, d->params * L * sizeof *d->noise);
  weigh(d, d->noise, temperature(&d->recipe, d->epoch));
}

void pith_i_descent_decode(pith_i_descent *d, uint32_t *choice) {
  const pith_i_net *net = d->net;
  weigh_quietly(d);
  for (size_t s = 0; s < net->slots.n; s++) {
    uint32_t first = net->slots.at[s].first;
    PITH_I_EACH_LANE(l) {
      uint32_t best = first;
      for (uint32_t c = first; c < first + net->slots.at[s].count; c++)
        if (ROW(d->tape->weight, c)[l] > ROW(d->tape->weight, best)[l])
          best = c;
      choice[(size_t)l * net->slots.n + s] = best;
    }
  }
}

void pith_i_descent_measure(pith_i_descent *d, float *loss, float *error) {
  weigh_quietly(d);
  pith_i_net_forward(d->tape);
  pith_i_loss_forward(d->tape, d->recipe.eps, loss, error);
}
