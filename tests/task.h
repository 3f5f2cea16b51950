/* Random learning tasks: worlds with unary and binary facts, templates drawn
** from every form of the paper and some more, examples of a target. Used by
** the tests of the network and of the learner. */
#ifndef PITH_TESTS_TASK_H
#define PITH_TESTS_TASK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/handle.h"
#include "base/random.h"
#include "net/net.h"

enum { TASK_WORLDS = 3 };

typedef struct {
  uint64_t seed, drawn; /* the random numbers used up so far */
  pith *world[TASK_WORLDS];
  size_t worlds;
  uint32_t target_arity;
} task;

static uint32_t task_below(task *t, uint32_t n) {
  return (uint32_t)(pith_i_random(t->seed, 7, t->drawn++) % n);
}

/* In (0, 1). */
static double task_uniform(task *t) {
  return ((double)(pith_i_random(t->seed, 7, t->drawn++) >> 11) + 0.5) *
         0x1p-53;
}

static const char *const task_forms[] = {
    "F(X) <- F(X)",
    "F(X) <- F(Z), F(Z,X)",
    "F(X,Y) <- F(X,Z), F(Z,Y)",
    "F(X,X) <- F(X)",
    "F(X,Y) <- F(X,Y)",
    "F(X) <- F(X,X)",
    "F(X,Y) <- F(Y,X)",
    "F(X,Y) <- F(Y,Z), F(X,Z)",
    "F(X,Y) <- F(Y,X), F(X)",
    "F(X) <- F(X,Z)",
    "F(X) <- F(X,Z), F(Z)",
    "F(X,Y) <- F(X,Z), F(Y,Z)",
    "F(X,X) <- F(X,Z), F(X,Z)",
    "F(X,Y) <- F(X), F(Y,X)",
    "F(X,Y) <- F(X), F(X,Y)",
    "#1(X,Y) <- #1(Y,X)",
    "#1(X,Y) <- #2(X,Z), #2(Z,Y)",
    "#1(X,Y) <- #2(X,Z), #3(Z,Y)",
    "#1(X,Y) <- #2(X,Z), #3(Z,W), #4(W,Y)",
    "#1(X,Y) <- #2(X,Z), #1(Z,Y)",
    "#1(X) <- #1(Z), #2(Z,X)",
    "#1(X,Y) <- #1(X,Z), #1(Z,Y)",
    "F(X,Y) <- F(X), F(Y)",
    "F(X) <- F(X,Z), F(Z,X)",
    "F(X,Y) <- F(X,Y), F(X), F(Y)",
    "F(X) <- F(X,Z), F(Z,W), F(W,X)",
    "F(X) <- F(X,Z), F(Z,Z)",
    "F(X,Y) <- F(Z,Y), F(Z,X), F(Z)",
    "F(X) <- F(X,Z), F(Z,W), F(W)",
    "F(X) <- F(X), F(Z)",
    "F(X,X) <- F(X,X), F(X,Z)",
    "F(X) <- F(X,A), F(A,B), F(A,C), F(B), F(C)",
};
enum { TASK_FORMS = sizeof task_forms / sizeof *task_forms };

static void task_check(pith *p, pith_status rc) {
  if (rc >= 0)
    return;
  fprintf(stderr, "%s\n", pith_error(p));
  for (size_t i = 0; i < pith_remark_count(p); i++)
    fprintf(stderr, "%s: %s\n", pith_remark_at(p, i)->source,
            pith_remark_at(p, i)->text);
  abort();
}

static void task_read(pith *p, const char *text, pith_format format) {
  task_check(p, pith_read_text(p, "task", text, strlen(text), format));
}

/* Facts of one predicate about n constants, each with this chance. */
static void task_facts(task *t, pith *p, const char *name, uint32_t arity,
                       uint32_t n, double chance) {
  char text[64];
  for (uint32_t x = 0; x < n; x++)
    for (uint32_t y = 0; y < (arity == 2 ? n : 1); y++) {
      if (task_uniform(t) > chance)
        continue;
      if (arity == 1)
        snprintf(text, sizeof text, "%s(c%u).", name, x);
      else
        snprintf(text, sizeof text, "%s(c%u,c%u).", name, x, y);
      task_read(p, text, PITH_PROLOG);
    }
}

/* Labels about a third of the target's atoms, a few with weights of their
** own; at least the first. */
static void task_examples(task *t, pith *p, uint32_t n) {
  char text[64];
  for (uint32_t x = 0; x < n; x++)
    for (uint32_t y = 0; y < (t->target_arity == 2 ? n : 1); y++) {
      if (x + y > 0 && task_below(t, 3) > 0)
        continue;
      char atom[32], weight[16] = "";
      if (t->target_arity == 1)
        snprintf(atom, sizeof atom, "target(c%u)", x);
      else
        snprintf(atom, sizeof atom, "target(c%u,c%u)", x, y);
      if (task_below(t, 4) == 0)
        snprintf(weight, sizeof weight, ", 0.%u", 1 + task_below(t, 9));
      snprintf(text, sizeof text, "%s(%s%s).", task_below(t, 2) ? "pos" : "neg",
               atom, weight);
      task_read(p, text, PITH_PROLOG);
    }
}

static void task_world(task *t, pith *p, uint32_t n) {
  static const struct {
    const char *name;
    uint32_t arity;
  } preds[] = {{"u", 1}, {"v", 1}, {"a", 2}, {"b", 2}, {"c", 2}};
  for (size_t i = 0; i < sizeof preds / sizeof *preds; i++) {
    pith_pred pred;
    task_check(p, pith_pred_add(p, preds[i].name, preds[i].arity, &pred));
    task_facts(t, p, preds[i].name, preds[i].arity, n,
               preds[i].arity == 1 ? 0.4 : 0.25);
  }
  if (task_below(t, 4) == 0) /* some of the target is given */
    task_facts(t, p, "target", t->target_arity, n, 0.15);
  task_examples(t, p, n);
}

/* A task of this number. forms: how many templates. */
static inline task task_new(uint64_t seed, uint32_t forms) {
  task t = {.seed = seed};
  char text[64];
  t.worlds = 1 + task_below(&t, TASK_WORLDS);
  t.target_arity = 1 + task_below(&t, 2);
  for (size_t w = 0; w < t.worlds; w++) {
    if (pith_new(&t.world[w]) < 0)
      abort();
    task_world(&t, t.world[w], 2 + task_below(&t, 4));
  }
  pith *p = t.world[0];
  task_facts(&t, p, "u", 1, 1, 1); /* every arity has a candidate */
  task_facts(&t, p, "a", 2, 1, 1);
  task_read(p, "invented: aux1/1\ninvented: aux2/2\n", PITH_TEMPLATES);
  for (uint32_t i = 0; i < forms; i++)
    task_read(p, task_forms[task_below(&t, TASK_FORMS)], PITH_TEMPLATES);
  snprintf(text, sizeof text, "steps: %u\n", 1 + task_below(&t, 4));
  task_read(p, text, PITH_TEMPLATES);
  return t;
}

static inline pith_i_net *task_net(const task *t, pith_i_layout layout) {
  pith_i_world worlds[TASK_WORLDS];
  pith_i_net *net = NULL;
  for (size_t w = 0; w < t->worlds; w++)
    worlds[w] = (pith_i_world){.theory = &t->world[w]->theory,
                               .store = &t->world[w]->store};
  task_check(t->world[0],
             pith_i_net_new(&t->world[0]->env, worlds, t->worlds,
                            &(pith_i_net_options){.layout = layout}, &net));
  return net;
}

static inline void task_free(task *t) {
  for (size_t w = t->worlds; w-- > 0;)
    pith_free(t->world[w]);
}

#endif
