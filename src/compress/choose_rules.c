#include "compress/choose_rules.h"

#include <assert.h>
#include <string.h>

#include "base/hash.h"
#include "base/random.h"
#include "base/tunables.h"
#include "base/tuples.h"

/* What a choice cost, and the work that it took to find out. */
typedef struct {
  double bits;
  uint64_t work;
} priced_choice;

struct pith_i_chooser {
  const pith_i_observations *w;
  const pith_i_mined_rules *list;
  pith_i_choose_options opt;
  pith_i_env *env;
  pith_i_instances ground;
  pith_i_core_finder *corer;
  pith_i_core core;
  size_t n;
  double *rule_bits;  /* (n) its predicates */
  uint32_t *like;     /* (n) the first rule of its shape */
  double *shape_bits; /* (n) */
  uint32_t *likes;    /* (n) active rules of the shape; kept by price */
  double *fact_bits;  /* (predicates) what leaving a fact out saves */
  size_t *heads_start;
  PITH_I_VEC(uint32_t) heads; /* (heads_start[n]) the different heads of each */
  uint32_t *mark;             /* (facts) */
  uint32_t turn;
  const bool *dead;
  uint32_t limit; /* of active rules; 0: none */
  bool *active;   /* (n) */
  double bits;    /* of active */
  bool free_invented;
  bool *soft; /* (facts) what a further rule could save, as of the last look */
  uint64_t work, turns;
  bool told;
  bool *visited; /* (predicates) */
  bool *denies;  /* (n) it has a negated atom */
  bool negation; /* some candidate has a negated atom */
  double *hope;  /* (n) */
  uint32_t *order;
  pith_i_tuples priced; /* hashes of choices that were priced before */
  PITH_I_VEC(priced_choice) prices; /* (priced) */
};

/* ---- making ----------------------------------------------------------- */

static pith_status list_heads(pith_i_chooser *c) {
  assert(c->ground.first.n == c->n + 1);
  const pith_i_instances *g = &c->ground;
  c->heads_start[0] = 0;
  for (size_t r = 0; r < c->n; r++) {
    c->turn++;
    for (size_t i = g->first.at[r]; i < g->first.at[r + 1]; i++) {
      uint32_t h = g->head.at[i];
      if (c->mark[h] == c->turn)
        continue;
      c->mark[h] = c->turn;
      if (!pith_i_push(c->env, &c->heads, h))
        return PITH_ENOMEM;
    }
    c->heads_start[r + 1] = c->heads.n;
  }
  return PITH_OK;
}

static pith_status ground_all(pith_i_chooser *c) {
  pith_status rc = pith_i_instances_init(&c->ground, c->w);
  for (size_t r = 0; rc >= 0 && r < c->n; r++)
    rc = pith_i_instances_add(&c->ground, c->w, c->list->at[r].rule,
                              PITH_TUNE_CHOICE_INSTANCES, c->opt.run);
  return rc < 0 ? rc : PITH_OK;
}

static bool chooser_make_room(pith_i_chooser *c) {
  pith_i_env *env = c->env;
  size_t n = c->n + 1;
  c->rule_bits = pith_i_zalloc(env, n, sizeof *c->rule_bits);
  c->shape_bits = pith_i_zalloc(env, n, sizeof *c->shape_bits);
  c->like = pith_i_zalloc(env, n, sizeof *c->like);
  c->likes = pith_i_zalloc(env, n, sizeof *c->likes);
  c->fact_bits = pith_i_zalloc(env, c->w->pred_count, sizeof *c->fact_bits);
  c->heads_start = pith_i_zalloc(env, n + 1, sizeof *c->heads_start);
  c->mark = pith_i_zalloc(env, c->w->n + 1, sizeof *c->mark);
  c->active = pith_i_zalloc(env, n, sizeof *c->active);
  c->denies = pith_i_zalloc(env, n, sizeof *c->denies);
  c->visited = pith_i_zalloc(env, c->w->pred_count + 1, sizeof *c->visited);
  c->soft = pith_i_zalloc(env, c->w->n + 1, sizeof *c->soft);
  c->hope = pith_i_zalloc(env, n, sizeof *c->hope);
  c->order = pith_i_zalloc(env, n, sizeof *c->order);
  return c->rule_bits != NULL && c->shape_bits != NULL && c->like != NULL &&
         c->likes != NULL && c->fact_bits != NULL && c->heads_start != NULL &&
         c->mark != NULL && c->active != NULL && c->soft != NULL &&
         c->hope != NULL && c->order != NULL && c->visited != NULL &&
         c->denies != NULL;
}

static void find_shapes(pith_i_chooser *c) {
  for (uint32_t r = 0; r < c->n; r++) {
    uint32_t i = 0; /* candidates of one shape follow each other, mostly */
    if (r > 0 &&
        pith_i_same_shape(c->list->at[r].rule, c->list->at[r - 1].rule))
      i = c->like[r - 1];
    while (!pith_i_same_shape(c->list->at[i].rule, c->list->at[r].rule))
      i++;
    c->like[r] = i;
  }
}

static bool has_negation(const pith_rule *r) {
  for (uint32_t i = 0; i < r->body_len; i++)
    if (r->body[i].negated)
      return true;
  return false;
}

static void set_prices(pith_i_chooser *c) {
  const double next_to_nothing = 1e-3;
  for (size_t p = 0; p < c->w->pred_count; p++)
    c->fact_bits[p] = c->w->scale * pith_i_observation_bits(c->w, (pith_pred)p);
  double rule = c->opt.free_rules ? next_to_nothing : 1;
  find_shapes(c);
  for (size_t r = 0; r < c->n; r++) {
    const pith_i_mined_rule *g = &c->list->at[r];
    c->rule_bits[r] = rule * pith_i_rule_bits(c->w->words, g->rule) +
                      g->surcharge +
                      c->opt.exception * c->fact_bits[g->rule->head.pred] *
                          (double)(g->predictions - g->support);
    c->shape_bits[r] = rule * pith_i_shape_bits(c->list->at[r].rule);
    c->denies[r] = has_negation(g->rule);
    c->negation |= c->denies[r];
  }
}

pith_status pith_i_chooser_new(const pith_i_observations *w,
                               const pith_i_mined_rules *candidates,
                               const pith_i_choose_options *opt,
                               pith_i_chooser **out) {
  pith_i_chooser *c = *out = pith_i_zalloc(w->env, 1, sizeof *c);
  if (c == NULL)
    return PITH_ENOMEM;
  c->w = w;
  c->env = w->env;
  c->list = candidates;
  c->opt = *opt;
  c->n = candidates->n;
  c->priced.width = 2;
  pith_status rc = chooser_make_room(c) ? ground_all(c) : PITH_ENOMEM;
  if (rc >= 0)
    rc = list_heads(c);
  if (rc >= 0)
    rc = pith_i_core_finder_new(&c->ground, w, c->opt.run, &c->corer);
  if (rc >= 0)
    set_prices(c);
  if (rc < 0) {
    pith_i_chooser_free(c);
    *out = NULL;
  }
  return rc;
}

void pith_i_chooser_free(pith_i_chooser *c) {
  if (c == NULL)
    return;
  pith_i_env *env = c->env;
  pith_i_core_finder_free(c->corer);
  pith_i_instances_free(&c->ground);
  pith_i_vec_free(env, &c->core.facts);
  pith_i_vec_free(env, &c->heads);
  pith_i_tuples_free(env, &c->priced);
  pith_i_vec_free(env, &c->prices);
  pith_i_release(env, c->rule_bits);
  pith_i_release(env, c->shape_bits);
  pith_i_release(env, c->like);
  pith_i_release(env, c->likes);
  pith_i_release(env, c->fact_bits);
  pith_i_release(env, c->heads_start);
  pith_i_release(env, c->mark);
  pith_i_release(env, c->active);
  pith_i_release(env, c->visited);
  pith_i_release(env, c->denies);
  pith_i_release(env, c->soft);
  pith_i_release(env, c->hope);
  pith_i_release(env, c->order);
  pith_i_release(env, c);
}

/* ---- what a choice costs ---------------------------------------------- */

static double price_choice(pith_i_chooser *c) {
  assert(c->core.facts.n <= c->w->n);
  double bits = 0;
  memset(c->likes, 0, c->n * sizeof *c->likes);
  for (size_t r = 0; r < c->n; r++) {
    if (!c->active[r])
      continue;
    bits += c->rule_bits[r];
    bits += c->likes[c->like[r]]++ == 0 ? c->shape_bits[r] : 0;
  }
  const pith_i_observations *w = c->w;
  pith_pred p = 0;
  for (size_t i = 0; i < c->core.facts.n; i++) {
    while (c->core.facts.at[i] >= w->base[p + 1])
      p++;
    if (!c->free_invented || !w->invented[p])
      bits += c->fact_bits[p] + pith_i_reals.CHOICE_FACT;
  }
  return bits;
}

static pith_status evaluate_choice(pith_i_chooser *c, double *bits) {
  const uint64_t most = 20000 + 4 * (uint64_t)c->w->n;
  pith_status rc =
      pith_i_core_find(c->corer, c->active, most, c->free_invented, &c->core);
  c->work += c->core.work + c->n + 100;
  c->turns++;
  *bits = price_choice(c);
  return rc;
}

/* The same for a choice that is only compared with others. Climbing comes back
** to the same choices, so prices are kept; the work counts each time, so that
** what is found does not depend on that. */
static pith_status price_again(pith_i_chooser *c, double *bits) {
  uint64_t h = pith_i_mix(pith_i_hash_bytes(c->active, c->n * sizeof(bool)),
                          c->free_invented);
  uint32_t key[2] = {(uint32_t)h, (uint32_t)(h >> 32)};
  uint32_t row = pith_i_tuples_find(&c->priced, key);
  if (row != PITH_NONE) {
    c->work += c->prices.at[row].work;
    c->turns++;
    *bits = c->prices.at[row].bits;
    return PITH_OK;
  }
  uint64_t before = c->work;
  pith_status rc = evaluate_choice(c, bits);
  if (rc < 0 || c->prices.n >= PITH_TUNE_CHOICE_PRICES)
    return rc;
  priced_choice one = {*bits, c->work - before};
  rc = pith_i_tuples_add(c->env, &c->priced, key, NULL, NULL);
  return rc >= 0 && !pith_i_push(c->env, &c->prices, one) ? PITH_ENOMEM : rc;
}

/* The facts of the core, and all in cycles, where a pick stands for many. */
static pith_status look_at_choice(pith_i_chooser *c) {
  pith_status rc = evaluate_choice(c, &c->bits);
  memset(c->soft, 0, c->w->n * sizeof *c->soft);
  for (size_t i = 0; i < c->core.facts.n; i++)
    c->soft[c->core.facts.at[i]] = true;
  pith_i_core_cycles(c->corer, c->soft);
  return rc;
}

static bool is_done_choosing(pith_i_chooser *c) {
  c->told |= pith_i_stop_requested(c->opt.run);
  return c->told || c->work > c->opt.work;
}

static bool has_copies(const pith_i_chooser *c, size_t r) {
  assert(r < c->n);
  uint32_t shape = c->list->at[r].shape, most = 0, used = 0;
  if (shape < c->opt.shape_count)
    most = c->opt.copies[shape];
  if (most == 0)
    return true;
  for (size_t i = 0; i < c->n; i++)
    used += c->active[i] && c->list->at[i].shape == shape;
  return used < most;
}

static bool uses_head(const pith_rule *user, const pith_rule *of) {
  for (uint32_t i = 0; i < user->body_len; i++)
    if (user->body[i].pred == of->head.pred)
      return true;
  return false;
}

/* Whether r neither uses what an active rule derives nor the reverse. */
static bool in_one_step(const pith_i_chooser *c, size_t r) {
  const pith_rule *rule = c->list->at[r].rule;
  bool fits = !uses_head(rule, rule);
  for (size_t i = 0; fits && i < c->n; i++)
    fits = !c->active[i] || (!uses_head(rule, c->list->at[i].rule) &&
                             !uses_head(c->list->at[i].rule, rule));
  return fits;
}

/* Whether `from` depends on `on` through the active rules and the r-th. */
static bool depends_on(const pith_i_chooser *c, size_t r, pith_pred from,
                       pith_pred on, bool *visited) {
  if (from == on)
    return true;
  if (visited[from])
    return false;
  visited[from] = true;
  for (size_t i = 0; i < c->n; i++) {
    const pith_rule *rule = c->list->at[i].rule;
    if ((!c->active[i] && i != r) || rule->head.pred != from)
      continue;
    for (uint32_t k = 0; k < rule->body_len; k++)
      if (depends_on(c, r, rule->body[k].pred, on, visited))
        return true;
  }
  return false;
}

/* Whether no rule denies what depends on its own head, with the r-th added. */
static bool stays_stratified(const pith_i_chooser *c, size_t r) {
  for (size_t i = 0; c->negation && i < c->n; i++) {
    const pith_rule *rule = c->list->at[i].rule;
    if ((!c->active[i] && i != r) || !c->denies[i])
      continue;
    for (uint32_t k = 0; k < rule->body_len; k++) {
      if (!rule->body[k].negated)
        continue;
      memset(c->visited, 0, c->w->pred_count * sizeof *c->visited);
      if (depends_on(c, r, rule->body[k].pred, rule->head.pred, c->visited))
        return false;
    }
  }
  return true;
}

static bool has_room(const pith_i_chooser *c) {
  uint32_t n = 0;
  for (size_t i = 0; c->limit > 0 && i < c->n; i++)
    n += c->active[i];
  return c->limit == 0 || n < c->limit;
}

static bool may_add(const pith_i_chooser *c, size_t r) {
  assert(r < c->n);
  return !c->active[r] && has_room(c) &&
         (!c->opt.one_step || in_one_step(c, r)) &&
         (c->dead == NULL || !c->dead[r]) &&
         c->heads_start[r] < c->heads_start[r + 1] && has_copies(c, r) &&
         stays_stratified(c, r);
}

/* What a rule can save at most. */
static double hope_of(const pith_i_chooser *c, size_t r) {
  assert(r < c->n);
  assert(c->like[r] <= r);
  double bits = -c->rule_bits[r];
  bits -= c->likes[c->like[r]] == 0 ? c->shape_bits[r] : 0;
  double each = c->fact_bits[c->list->at[r].rule->head.pred];
  if (c->free_invented && c->w->invented[c->list->at[r].rule->head.pred])
    return bits;
  for (size_t i = c->heads_start[r]; i < c->heads_start[r + 1]; i++)
    bits += c->soft[c->heads.at[i]] ? each : 0;
  return bits;
}

/* ---- moves ------------------------------------------------------------ */

/* Candidates that may help, the most hopeful first. */
static size_t order_hopes(pith_i_chooser *c) {
  size_t n = 0;
  for (size_t r = 0; r < c->n; r++) {
    if (!may_add(c, r))
      continue;
    double hope = hope_of(c, r);
    c->hope[r] = hope;
    if (hope <= 0)
      continue;
    size_t at = n++;
    for (; at > 0 && c->hope[c->order[at - 1]] < hope; at--)
      c->order[at] = c->order[at - 1];
    c->order[at] = (uint32_t)r;
  }
  return n;
}

/* Adds the rule that saves most, if one does; looks at no more than most. */
static pith_status add_best(pith_i_chooser *c, size_t most, bool *added) {
  size_t n = order_hopes(c), best = SIZE_MAX;
  double best_bits = c->bits - pith_i_reals.CHOICE_LEAST_GAIN;
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc >= 0 && i < n && i < most; i++) {
    size_t r = c->order[i];
    double bits;
    if (c->bits - c->hope[r] >= best_bits || is_done_choosing(c))
      break;
    c->active[r] = true;
    rc = price_again(c, &bits);
    c->active[r] = false;
    if (rc >= 0 && bits < best_bits) {
      best_bits = bits;
      best = r;
    }
  }
  *added = rc >= 0 && best != SIZE_MAX;
  if (!*added)
    return rc;
  c->active[best] = true;
  return look_at_choice(c);
}

static pith_status add_all(pith_i_chooser *c, size_t most) {
  bool added = true;
  pith_status rc = look_at_choice(c);
  while (rc >= 0 && added && !is_done_choosing(c))
    rc = add_best(c, most, &added);
  return rc;
}

/* Takes out rules that do not pay. */
static pith_status drop_all(pith_i_chooser *c, bool *dropped) {
  pith_status rc = PITH_OK;
  *dropped = false;
  for (size_t r = 0; rc >= 0 && r < c->n; r++) {
    double bits;
    if (!c->active[r] || is_done_choosing(c))
      continue;
    c->active[r] = false;
    rc = price_again(c, &bits);
    if (rc >= 0 && bits < c->bits - pith_i_reals.CHOICE_LEAST_GAIN) {
      c->bits = bits;
      *dropped = true;
    } else {
      c->active[r] = true;
    }
  }
  return rc;
}

/* Takes one out and adds others in its place, if that pays. */
static pith_status swap_one(pith_i_chooser *c, size_t out, bool *swapped) {
  assert(out < c->n && c->active[out]);
  double before = c->bits;
  bool *saved = pith_i_alloc(c->env, (c->n + 1) * sizeof *saved);
  if (saved == NULL)
    return PITH_ENOMEM;
  memcpy(saved, c->active, c->n * sizeof *saved);
  c->active[out] = false;
  pith_status rc = look_at_choice(c);
  bool added = true;
  for (int i = 0; rc >= 0 && added && i < PITH_TUNE_CHOICE_ADDED; i++) {
    /* the one taken out would come back at once */
    double bits = c->rule_bits[out];
    c->rule_bits[out] = 1e300;
    rc = add_best(c, PITH_TUNE_CHOICE_TRIED, &added);
    c->rule_bits[out] = bits;
  }
  *swapped = rc >= 0 && c->bits < before - pith_i_reals.CHOICE_LEAST_GAIN;
  if (!*swapped) {
    memcpy(c->active, saved, c->n * sizeof *saved);
    c->bits = before;
  }
  pith_i_release(c->env, saved);
  return rc;
}

static pith_status swap_all(pith_i_chooser *c, bool *swapped) {
  pith_status rc = PITH_OK;
  *swapped = false;
  for (size_t r = 0; rc >= 0 && r < c->n; r++) {
    bool one = false;
    if (c->active[r] && !is_done_choosing(c))
      rc = swap_one(c, r, &one);
    *swapped |= one;
  }
  return rc;
}

static pith_status climb_moves(pith_i_chooser *c, bool swap) {
  pith_status rc = add_all(c, SIZE_MAX);
  for (bool more = true; rc >= 0 && more && !is_done_choosing(c);) {
    bool dropped, swapped = false;
    rc = drop_all(c, &dropped);
    if (rc >= 0 && swap)
      rc = swap_all(c, &swapped);
    if (rc >= 0)
      rc = add_all(c, SIZE_MAX);
    more = dropped || swapped;
  }
  return rc;
}

/* ---- throwing over ---------------------------------------------------- */

static size_t draw_candidate(pith_i_chooser *c, size_t n) {
  assert(n > 0);
  return (size_t)(pith_i_random(c->opt.seed, 0xc4, c->turns++) % n);
}

static void throw_over(pith_i_chooser *c) {
  size_t out = 1 + draw_candidate(c, 3), in = draw_candidate(c, 3);
  if (draw_candidate(c, 8) == 0) /* now and then all of it */
    out = 4 * c->n;
  for (size_t tries = 0; tries < 4 * c->n && out > 0; tries++) {
    size_t r = draw_candidate(c, c->n);
    out -= c->active[r];
    c->active[r] = false;
  }
  for (size_t tries = 0; tries < 4 * c->n && in > 0; tries++) {
    size_t r = draw_candidate(c, c->n);
    if (!may_add(c, r))
      continue;
    c->active[r] = true;
    in--;
  }
}

pith_status pith_i_chooser_open(pith_i_chooser *c, const bool *active,
                                bool *open) {
  memcpy(c->active, active, c->n * sizeof *active);
  pith_status rc = look_at_choice(c);
  memcpy(open, c->soft, c->w->n * sizeof *open);
  return rc;
}

/* Begins with what active says, as far as the limit allows it. */
static void copy_allowed(pith_i_chooser *c, const bool *active) {
  uint32_t n = 0;
  for (size_t i = 0; i < c->n; i++) {
    c->active[i] = active[i] && (c->limit == 0 || n < c->limit);
    n += c->active[i];
  }
}

/* Throws over and climbs again, as long as there is work; active and *best are
** the best so far. */
static pith_status try_again(pith_i_chooser *c, uint32_t rounds, bool *active,
                             double *best) {
  pith_status rc = PITH_OK;
  size_t size = c->n * sizeof *active;
  for (uint32_t i = 0;
       rc >= 0 && c->n > 0 && i < rounds && !is_done_choosing(c); i++) {
    throw_over(c);
    rc = climb_moves(c, i % 8 == 7);
    if (rc >= 0 && c->bits < *best - pith_i_reals.CHOICE_LEAST_GAIN) {
      *best = c->bits;
      memcpy(active, c->active, size);
    } else {
      memcpy(c->active, active, size);
    }
  }
  return rc;
}

static pith_status choose_within(pith_i_chooser *c, uint32_t rounds,
                                 bool *active, double *best) {
  pith_status rc = PITH_OK;
  copy_allowed(c, active);
  if (pith_i_observations_invent(
          c->w)) { /* a concept pays only when several rules use it */
    c->free_invented = true;
    rc = add_all(c, SIZE_MAX);
    c->free_invented = false;
  }
  if (rc >= 0)
    rc = climb_moves(c, true);
  *best = c->bits;
  memcpy(active, c->active, c->n * sizeof *active);
  return rc < 0 ? rc : try_again(c, rounds, active, best);
}

/* Where rules are limited, from one rule to the limit, so that a larger limit
** never gives less. */
pith_status pith_i_choose(pith_i_chooser *c, const bool *dead, bool *active,
                          double *bits) {
  assert(c->n == c->list->n);
  const uint32_t most = c->opt.max_rules;
  const uint32_t rounds = most == 0 ? c->opt.rounds : c->opt.rounds / 8;
  pith_status rc = PITH_OK;
  c->dead = dead;
  for (c->limit = most > 0; rc >= 0 && c->limit <= most; c->limit++) {
    c->work = c->turns = 0;
    rc = choose_within(c, rounds, active, bits);
  }
  return rc < 0 ? rc : c->told ? PITH_STOPPED : PITH_OK;
}
