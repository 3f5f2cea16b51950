#include "learn/clauses/targets_in_turn.h"

#include <assert.h>
#include <math.h>

#include "task/chosen_examples.h"
#include "task/vocabulary.h"

typedef struct {
  const pith_i_task *whole;
  pith_i_chosen_examples chosen;
  pith_i_learn_one_target *learn;
  void *ctx;
  pith_i_turn turn;              /* whose examples are chosen, of worlds[0] */
  pith_i_arena arena;            /* of the rules                            */
  PITH_I_VEC(pith_rule *) rules; /* of all targets so far                   */
  double bits;                   /* theirs                                  */
  bool unsolved;                 /* some target is                          */
  bool settled;                  /* and those that are have wrong labels    */
  pith_space space;              /* where the last one was found            */
} turn_taker;

static bool is_of_turn(void *ctx, size_t world, const pith_example *e) {
  const turn_taker *t = ctx;
  const pith_i_world *worlds = t->whole->worlds;
  return e->atom.pred == pith_i_pred_in_world(worlds, world, t->turn.target) &&
         (t->turn.value == PITH_NONE ||
          e->atom.args[t->turn.place] ==
              pith_i_sym_in_world(worlds, world, t->turn.value));
}

/* The worlds' rules, until they are cut back. */
static pith_status add_background(turn_taker *t, pith_rule *const *rules,
                                  uint32_t n) {
  const pith_i_world *worlds = t->whole->worlds;
  pith_status rc = PITH_OK;
  for (size_t w = 0; w < t->whole->world_count; w++)
    for (uint32_t i = 0; rc >= 0 && i < n; i++) {
      pith_i_theory *theory = worlds[w].theory;
      pith_rule *rule;
      rc = pith_i_rule_translate(worlds[0].theory, theory, rules[i], &t->arena,
                                 &rule);
      if (rc >= 0 && !pith_i_push(theory->env, &theory->rules, rule))
        rc = PITH_ENOMEM;
    }
  return rc;
}

/* What a turn's best theory says joins the program. The classes of one target
** know nothing of each other. */
static pith_status keep_theory(turn_taker *t, pith_i_best *found) {
  bool solved = pith_i_best_is_solved(found);
  t->unsolved = t->unsolved || !solved;
  t->settled = t->settled && (solved || found->settled);
  if (found->at.n == 0)
    return PITH_OK;
  const pith_i_learned_theory *best = &found->at.at[0];
  uint32_t n = best->info.rules;
  if (!pith_i_room(t->whole->env, &t->rules, n + 1))
    return PITH_ENOMEM;
  for (uint32_t i = 0; i < n; i++)
    t->rules.at[t->rules.n++] = best->rules[i];
  t->bits += n == 0 ? 0 : best->bits;
  if (best->info.space.body >= t->space.body)
    t->space = best->info.space;
  pith_i_arena_absorb(&t->arena, &found->arena);
  return t->turn.value == PITH_NONE ? add_background(t, best->rules, n)
                                    : PITH_OK;
}

static pith_status take_turn(turn_taker *t, const pith_i_turn *turn) {
  pith_i_best found;
  t->turn = *turn;
  pith_i_chosen_set(&t->chosen, is_of_turn, t);
  pith_i_best_init(&found, &t->chosen.task, 1);
  pith_status rc = t->learn(t->ctx, &t->chosen.task, &found);
  if (rc >= 0)
    rc = keep_theory(t, &found);
  pith_i_best_free(&found);
  return rc;
}

/* Where one class has wrong labels, others are not looked at as if they had
** none. */
static bool is_doubtful(const turn_taker *t) {
  return t->turn.value != PITH_NONE && t->unsolved && t->settled;
}

static pith_status take_turns(turn_taker *t, const pith_i_turns *turns) {
  pith_status rc = pith_i_chosen_begin(&t->chosen, t->whole);
  const pith_i_world *worlds = t->whole->worlds;
  size_t *before =
      pith_i_zalloc(t->whole->env, t->whole->world_count, sizeof *before);
  rc = before == NULL ? PITH_ENOMEM : rc;
  for (size_t w = 0; rc >= 0 && w < t->whole->world_count; w++)
    before[w] = worlds[w].theory->rules.n;
  bool changed = rc >= 0;
  for (size_t i = 0; rc >= 0 && i < turns->n && (i == 0 || !is_doubtful(t));
       i++)
    rc = take_turn(t, &turns->at[i]);
  for (size_t w = 0; changed && w < t->whole->world_count; w++)
    worlds[w].theory->rules.n = before[w];
  pith_i_chosen_end(&t->chosen);
  pith_i_release(t->whole->env, before);
  return rc;
}

/* Where some target has wrong labels, all are weighed. */
static pith_status offer_together(const turn_taker *t, pith_i_best *best) {
  pith_i_offer o = {.rules = t->rules.at,
                    .info = {.stage = PITH_CLAUSES,
                             .rules = (uint32_t)t->rules.n,
                             .loss = NAN,
                             .error = NAN,
                             .space = t->space},
                    .bits = t->bits};
  if (t->rules.n == 0)
    return PITH_OK;
  best->weighs = best->weighs || (t->unsolved && t->settled);
  best->settled = best->settled || (t->unsolved && t->settled);
  return pith_i_best_offer(best, &o, NULL);
}

pith_status pith_i_learn_in_turn(const pith_i_task *task,
                                 const pith_i_turns *turns, pith_i_best *best,
                                 pith_i_learn_one_target *learn, void *ctx) {
  assert(turns->n > 1);
  turn_taker t = {.whole = task,
                  .learn = learn,
                  .ctx = ctx,
                  .settled = true,
                  .arena = {.env = task->env}};
  pith_status rc = take_turns(&t, turns);
  if (rc >= 0)
    rc = offer_together(&t, best);
  pith_i_vec_free(task->env, &t.rules);
  pith_i_arena_free(&t.arena);
  return rc;
}
