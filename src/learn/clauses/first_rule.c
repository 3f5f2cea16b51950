#include "learn/clauses/first_rule.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "task/chosen_examples.h"

/* ---- its body ---------------------------------------------------------- */

static uint32_t count_negatives(const pith_i_sample *m, const uint64_t *cover) {
  return pith_i_count_bits(cover + m->pos_words, m->words - m->pos_words);
}

static uint32_t negatives_left(const pith_i_first_rule *x,
                               const pith_i_piece *p) {
  const pith_i_sample *m = &x->d->sample;
  uint32_t n = 0;
  for (size_t w = m->pos_words; w < m->words; w++)
    n += (uint32_t)__builtin_popcountll(x->cover[w] & p->cover[w]);
  return n;
}

/* Positive examples that the body loses by the part, too. */
static uint32_t positives_lost(const pith_i_first_rule *x,
                               const pith_i_piece *p) {
  const pith_i_sample *m = &x->d->sample;
  uint32_t n = 0;
  for (size_t w = 0; w < m->pos_words; w++)
    n += (uint32_t)__builtin_popcountll(x->cover[w] & p->cover[w]);
  return m->positives - n;
}

static uint64_t part_cost(const pith_i_first_rule *x, const pith_i_piece *p) {
  pith_i_helpers none = {.n = 0};
  return pith_i_cost_of_atoms(&x->d->space, p->atoms, p->n, &none);
}

static void add_to_body(pith_i_first_rule *x, uint32_t number) {
  const pith_i_piece *p = &x->growth.parts.at[number];
  assert(x->body.part_count < PITH_I_ATOMS);
  for (size_t w = 0; w < x->d->sample.words; w++)
    x->cover[w] &= p->cover[w];
  x->body.part[x->body.part_count++] = number;
  x->body.atoms += p->n;
  x->cost += part_cost(x, p);
}

/* Of the parts that lose few positive examples, the cheapest that binds more of
** the head; or, once all is bound, the one that gets the fewest examples wrong.
** PITH_NONE: there is none. */
static uint32_t choose_part(const pith_i_first_rule *x, uint32_t bound) {
  uint32_t all = (UINT32_C(1) << x->d->space.head) - 1, best = PITH_NONE;
  uint64_t least = UINT64_MAX;
  uint32_t now = count_negatives(&x->d->sample, x->cover);
  for (uint32_t i = 0; i < x->growth.parts.n; i++) {
    const pith_i_piece *p = &x->growth.parts.at[i];
    uint32_t left = negatives_left(x, p), lost = positives_lost(x, p);
    if (lost > x->most_missed || p->targets > 0 || p->denials > 0 || p->loose ||
        (bound == all ? left == now : (p->bound & ~bound) == 0))
      continue;
    uint64_t price = bound == all
                         ? ((uint64_t)(left + lost) << 32) + part_cost(x, p)
                         : part_cost(x, p);
    if (price < least) {
      least = price;
      best = i;
    }
  }
  return best;
}

bool pith_i_first_rule_bind(pith_i_first_rule *x) {
  uint32_t bound = 0, all = (UINT32_C(1) << x->d->space.head) - 1;
  pith_i_sample *m = &x->d->sample;
  memset(x->cover, 0xff, m->words * sizeof *x->cover);
  for (uint32_t i = m->positives; i < 64 * m->pos_words; i++)
    x->cover[i / 64] &= ~(UINT64_C(1) << i % 64);
  x->body = (pith_i_clause){.part_count = 0};
  x->cost = PITH_I_COST;
  while (bound != all) {
    uint32_t next = choose_part(x, bound);
    if (next == PITH_NONE)
      return false;
    bound |= x->growth.parts.at[next].bound;
    add_to_body(x, next);
  }
  return true;
}

/* Without the i-th part, where that changes neither what is covered nor what is
** bound. */
static bool drop_part(pith_i_first_rule *x, uint32_t i) {
  size_t words = x->d->sample.words;
  uint32_t bound = 0;
  for (uint32_t k = 0; k < x->body.part_count; k++)
    bound |= k == i ? 0 : x->growth.parts.at[x->body.part[k]].bound;
  if (bound + 1 != UINT32_C(1) << x->d->space.head)
    return false;
  for (size_t w = 0; w < words; w++) {
    uint64_t rest = ~UINT64_C(0);
    for (uint32_t k = 0; k < x->body.part_count; k++)
      rest &= k == i ? rest : x->growth.parts.at[x->body.part[k]].cover[w];
    if (rest != x->cover[w])
      return false;
  }
  const pith_i_piece *p = &x->growth.parts.at[x->body.part[i]];
  x->body.atoms -= p->n;
  x->cost -= part_cost(x, p);
  for (uint32_t k = i + 1; k < x->body.part_count; k++)
    x->body.part[k - 1] = x->body.part[k];
  x->body.part_count--;
  return true;
}

bool pith_i_first_rule_narrow(pith_i_first_rule *x) {
  uint32_t next = choose_part(x, (UINT32_C(1) << x->d->space.head) - 1);
  if (next == PITH_NONE || x->body.part_count + 1 >= PITH_I_ATOMS)
    return false;
  add_to_body(x, next);
  for (uint32_t i = x->body.part_count - 1; i-- > 0;)
    drop_part(x, i);
  return true;
}

/* ---- the rule ------------------------------------------------------------ */

pith_status pith_i_first_rule_open(pith_i_first_rule *x,
                                   pith_i_clause_learner *d) {
  pith_i_exact_limits limits = pith_i_clauses_limits(d, 0);
  pith_i_grow_limits grow = {.atoms = 2,
                             .vars = PITH_I_VARS - d->space.head,
                             .rows = limits.rows,
                             .work = d->sample.work + limits.work / 16,
                             .run = d->run};
  *x = (pith_i_first_rule){.d = d};
  pith_i_growth_init(&x->growth, &d->sample, &grow);
  x->cover = pith_i_alloc(d->task->env, (d->sample.words + 1) * 8);
  pith_status rc = x->cover == NULL ? PITH_ENOMEM : PITH_OK;
  for (uint32_t n = 1; rc >= 0 && n <= 2; n++)
    rc = pith_i_growth_level(&x->growth, n);
  return rc;
}

void pith_i_first_rule_close(pith_i_first_rule *x) {
  pith_i_release(x->d->task->env, x->cover);
  pith_i_growth_free(&x->growth);
}

double pith_i_first_rule_bits(const pith_i_first_rule *x) {
  double bits = 1 + x->body.atoms;
  for (uint32_t i = 0; i < x->body.part_count; i++)
    bits += x->growth.parts.at[x->body.part[i]].bits - log2(i + 1);
  return bits;
}

pith_status pith_i_first_rule_write(const pith_i_first_rule *x,
                                    pith_i_rules *out) {
  pith_i_set first = {.n = 1, .clause = {(pith_i_clause *)&x->body}};
  return pith_i_set_rules((pith_i_growth *)&x->growth, &first, &x->d->arena,
                          out);
}

/* ---- what it denies ------------------------------------------------------ */

pith_status pith_i_name_denied(pith_i_space *s, pith_pred *out) {
  pith_i_names *names = &s->worlds[0].theory->names;
  char text[PITH_I_INVENTED_TEXT];
  const char *target = pith_i_pred_text(names, s->target);
  snprintf(text, sizeof text, "not_%.*s", pith_i_utf8_cut(target, 200), target);
  return pith_i_pred_invent(names, text, s->head, out);
}

pith_status pith_i_deny_in_rule(pith_i_arena *arena, pith_rule *r,
                                const pith_atom *denied) {
  pith_atom *body = pith_i_arena_alloc(arena, (r->body_len + 1) * sizeof *body);
  if (body == NULL)
    return PITH_ENOMEM;
  memcpy(body, r->body, r->body_len * sizeof *body);
  body[r->body_len] = *denied;
  body[r->body_len].negated = true;
  r->body = body;
  r->body_len++;
  return PITH_OK;
}

typedef struct {
  const bool *holds; /* by the first rule, in the order of the examples */
  size_t next;
} covered_choice;

static bool is_covered(void *ctx, size_t world, const pith_example *e) {
  covered_choice *c = ctx;
  (void)world, (void)e;
  return c->holds[c->next++];
}

/* What the rule covers wrongly is positive for a while, and what it should
** cover negative. The worlds have copies until the end of the choice. */
static pith_status turn_signs(pith_i_chosen_examples *c, pith_i_arena *arena) {
  for (size_t w = 0; w < c->task.world_count; w++) {
    pith_i_theory *t = c->task.worlds[w].theory;
    for (size_t i = 0; i < t->examples.n; i++) {
      pith_example *turned = pith_i_arena_alloc(arena, sizeof *turned);
      if (turned == NULL)
        return PITH_ENOMEM;
      *turned = *t->examples.at[i];
      turned->positive = !turned->positive;
      t->examples.at[i] = turned;
    }
  }
  c->task.positives = c->task.examples - c->task.positives;
  return PITH_OK;
}

/* holds: (examples) by the rule. */
static pith_status learn_covered(const pith_i_task *task, const bool *holds,
                                 pith_i_learn_turned *learn, void *ctx,
                                 pith_i_best *found) {
  covered_choice covered = {.holds = holds};
  pith_i_arena turned = {.env = task->env};
  pith_i_chosen_examples chosen;
  pith_status rc = pith_i_chosen_begin(&chosen, task);
  if (rc >= 0) {
    pith_i_chosen_set(&chosen, is_covered, &covered);
    rc = turn_signs(&chosen, &turned);
  }
  if (rc >= 0 && chosen.task.positives > 1) {
    found->task = &chosen.task; /* while it is judged by that */
    rc = learn(ctx, &chosen.task, found);
    found->task = task;
  }
  pith_i_chosen_end(&chosen);
  pith_i_arena_free(&turned);
  return rc;
}

pith_status pith_i_learn_exceptions(const pith_i_task *task,
                                    const pith_i_rules *rule,
                                    pith_i_learn_turned *learn, void *ctx,
                                    pith_i_best *found) {
  assert(rule->n == 1);
  pith_i_errors errors;
  pith_i_pick each = {
      .holds = pith_i_zalloc(task->env, task->examples + 1, sizeof(bool))};
  if (each.holds == NULL)
    return PITH_ENOMEM;
  pith_status rc = pith_i_judge_pick(task->worlds, task->world_count,
                                     rule->rules, 1, &errors, &each);
  if (rc >= 0 && each.seen == task->examples)
    rc = learn_covered(task, each.holds, learn, ctx, found);
  pith_i_release(task->env, each.holds);
  return rc;
}

pith_status pith_i_deny_theory(pith_i_clause_learner *d,
                               const pith_i_learned_theory *t,
                               pith_i_rules *rules) {
  pith_pred denied = PITH_NONE;
  pith_atom atom = rules->rules[0]->head;
  pith_status rc = pith_i_name_denied(&d->space, &denied);
  assert(1 + t->info.rules <= sizeof rules->rules / sizeof *rules->rules);
  if (rc < 0)
    return rc;
  atom.pred = denied;
  rc = pith_i_deny_in_rule(&d->arena, rules->rules[0], &atom);
  for (uint32_t i = 0; rc >= 0 && i < t->info.rules; i++) {
    pith_rule *r = pith_i_rule_copy(&d->arena, t->rules[i]);
    if (r == NULL)
      return PITH_ENOMEM;
    if (r->head.pred == d->space.target)
      r->head.pred = denied;
    for (uint32_t k = 0; k < r->body_len; k++)
      if (r->body[k].pred == d->space.target)
        ((pith_atom *)r->body)[k].pred = denied;
    rules->rules[rules->n++] = r;
  }
  return rc;
}
