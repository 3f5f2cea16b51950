#include "learn/clauses/pool.h"

#include <math.h>
#include <string.h>

#include "term/equal.h"

enum {
  SIMPLIFIED = 200000, /* with more examples a verdict takes too long */
  MOST_VARS = 64       /* of a rule, to give them new numbers         */
};

void pith_i_pool_init(pith_i_pool *p, pith_i_env *env, pith_i_world *worlds,
                      size_t world_count, uint32_t keep) {
  *p = (pith_i_pool){.env = env, .worlds = worlds, .world_count = world_count};
  p->arena.env = env;
  p->keep = keep;
  for (size_t w = 0; w < world_count; w++) {
    const pith_i_theory *t = worlds[w].theory;
    p->examples += t->examples.n;
    for (size_t i = 0; i < t->examples.n; i++)
      p->positives += t->examples.at[i]->positive;
  }
}

void pith_i_pool_free(pith_i_pool *p) {
  pith_i_vec_free(p->env, &p->best);
  pith_i_arena_free(&p->arena);
}

static uint32_t size_of(pith_rule *const *rules, uint32_t n) {
  uint32_t size = n;
  for (uint32_t i = 0; i < n; i++)
    size += rules[i]->body_len;
  return size;
}

static uint64_t wrong(pith_i_errors e) { return (uint64_t)e.fp + e.fn; }

uint64_t pith_i_pool_wrong(const pith_i_pool *p) {
  uint64_t n = 0;
  if (p->best.n > 0)
    return wrong(p->best.at[0].errors);
  for (size_t w = 0; w < p->world_count; w++)
    for (size_t i = 0; i < p->worlds[w].theory->examples.n; i++)
      n += p->worlds[w].theory->examples.at[i]->positive;
  return n;
}

/* Leaves out rules without which it fits as well. */
static pith_status drop_rules(pith_i_pool *p, pith_i_program_found *c) {
  for (uint32_t i = c->n; i-- > 0 && c->n > 1;) {
    pith_i_errors errors;
    pith_rule *taken = c->rules[i];
    c->rules[i] = c->rules[c->n - 1];
    pith_status rc =
        pith_i_judge(p->worlds, p->world_count, c->rules, c->n - 1, &errors);
    c->rules[i] = taken;
    if (rc < 0)
      return rc;
    if (wrong(errors) > wrong(c->errors))
      continue;
    memmove(&c->rules[i], &c->rules[i + 1], (c->n - i - 1) * sizeof *c->rules);
    c->n--;
    c->errors = errors;
  }
  return PITH_OK;
}

/* A rule that says more may make others needless, and so on. */
static pith_status simplify(pith_i_pool *p, pith_i_program_found *c) {
  uint32_t before = UINT32_MAX;
  pith_status rc = PITH_OK;
  while (rc >= 0 && size_of(c->rules, c->n) < before) {
    before = size_of(c->rules, c->n);
    rc = drop_rules(p, c);
    if (rc >= 0 && wrong(c->errors) == 0)
      rc = pith_i_judge_simplify(p->worlds, p->world_count, c->rules, c->n);
  }
  return rc;
}

/* Variables in the order in which they come, though atoms were left out. */
static void renumber_atom(const pith_atom *a, uint32_t *map, uint32_t *n) {
  pith_term *args = (pith_term *)a->args;
  for (uint32_t i = 0; i < a->arity; i++) {
    if (!PITH_IS_VAR(args[i]))
      continue;
    uint32_t v = PITH_VAR_INDEX(args[i]), k = 0;
    while (k < *n && map[k] != v)
      k++;
    if (k == *n && *n < MOST_VARS)
      map[(*n)++] = v;
    args[i] = PITH_VAR(k);
  }
}

static void renumber(pith_rule *r) {
  uint32_t map[MOST_VARS], n = 0;
  if (r->var_count > MOST_VARS || r->var_names != NULL)
    return;
  renumber_atom(&r->head, map, &n);
  for (uint32_t i = 0; i < r->body_len; i++)
    renumber_atom(&r->body[i], map, &n);
  r->var_count = n;
}

static bool better(const pith_i_program_found *a,
                   const pith_i_program_found *b) {
  if (a->other != b->other && a->errors.fp + a->errors.fn == 0 &&
      b->errors.fp + b->errors.fn == 0)
    return b->other;
  return a->cost != b->cost ? a->cost < b->cost : a->size < b->size;
}

static bool is_there(const pith_i_pool *p, const pith_i_program_found *c) {
  for (size_t i = 0; i < p->best.n; i++)
    if (pith_i_rules_same(p->best.at[i].rules, p->best.at[i].n, c->rules, c->n))
      return true;
  return false;
}

static pith_status insert(pith_i_pool *p, const pith_i_program_found *c) {
  size_t at = p->best.n;
  if (is_there(p, c))
    return PITH_OK;
  while (at > 0 && (c->other ? better(c, &p->best.at[at - 1])
                             : !better(&p->best.at[at - 1], c)))
    at--; /* of equals the last to come, which was preferred where it was found
           */
  if (at >= p->keep)
    return PITH_OK;
  if (!pith_i_room(p->env, &p->best, 1))
    return PITH_ENOMEM;
  memmove(&p->best.at[at + 1], &p->best.at[at],
          (p->best.n - at) * sizeof *p->best.at);
  p->best.at[at] = *c;
  p->best.n += p->best.n < p->keep;
  return PITH_OK;
}

static pith_status copy(pith_i_pool *p, pith_rule *const *rules, uint32_t n,
                        pith_i_program_found *c) {
  c->rules = pith_i_arena_alloc(&p->arena, (n + 1) * sizeof *c->rules);
  if (c->rules == NULL)
    return PITH_ENOMEM;
  for (c->n = 0; c->n < n; c->n++)
    if ((c->rules[c->n] = pith_i_rule_copy(&p->arena, rules[c->n])) == NULL)
      return PITH_ENOMEM;
  return PITH_OK;
}

pith_status pith_i_pool_add(pith_i_pool *p, pith_rule *const *rules, uint32_t n,
                            double bits, pith_stage stage, bool *solved) {
  pith_i_program_found c = {
      .stage = stage, .space = p->space, .other = p->others, .bits = bits};
  pith_status rc = copy(p, rules, n, &c);
  if (rc >= 0)
    rc = pith_i_judge(p->worlds, p->world_count, c.rules, c.n, &c.errors);
  if (rc >= 0 && p->examples <= SIMPLIFIED)
    rc = simplify(p, &c);
  if (rc < 0)
    return rc;
  for (uint32_t i = 0; i < c.n; i++)
    renumber(c.rules[i]);
  c.size = size_of(c.rules, c.n);
  if (isnan(c.bits))
    c.bits = PITH_I_ATOM_BITS * c.size;
  c.cost = (double)wrong(c.errors) + (c.size + p->odd) * 1e-6;
  if (p->noisy) {
    double all = (double)p->examples;
    c.lengths = (pith_lengths){
        .rules = c.n == 0 ? 0 : c.bits,
        .errors = pith_i_error_bits((double)wrong(c.errors), all),
        .labels = pith_i_error_bits((double)p->positives, all)};
    c.cost = c.bits + c.lengths.errors;
  }
  if (solved != NULL)
    *solved = wrong(c.errors) == 0;
  return insert(p, &c);
}
