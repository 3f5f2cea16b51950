#include "train/changes.h"

#include <assert.h>

typedef struct {
  const char *about;
  void (*make)(pith_i_recipe *r);
} recipe_change;

/* Each slot takes the largest of its weighed values before slots are joined:
** one join per rule instead of one per choice of predicates. */
static void join_weighed_values(pith_i_recipe *r) {
  r->semantics.reference = false;
  r->semantics.slot_max = true;
  r->alternate = false;
  r->hold = PITH_I_HOLD_AFTER;
  r->eps = PITH_I_SCALAR(1e-4);
}

static void free_embeddings(pith_i_recipe *r) {
  r->unit = false;
  r->dimension = 30;
}

static void choose_by_softmax(pith_i_recipe *r) {
  r->weighing = PITH_I_SOFTMAX;
  r->semantics.slot_max = false;
  r->tau_start = r->tau_end = 1;
}

static void bound_logits(pith_i_recipe *r) { r->bound = 2; }

static void move_fast(pith_i_recipe *r) { r->rate = 10; }

/* What is left: noise that holds for half of the training, a temperature that
** falls, 4000 epochs. */
static void take_default(pith_i_recipe *r) { *r = pith_i_recipe_default(); }

static const recipe_change changes[] = {
    {"AND of weighed values, slot by slot", join_weighed_values},
    {"embeddings free, not held in [0,1]", free_embeddings},
    {"softmax of logits, no embeddings", choose_by_softmax},
    {"logits held in [-2,2]", bound_logits},
    {"rate 10 instead of 0.1", move_fast},
    {"noise of 1 for half the time, temperature falls", take_default}};
enum { CHANGES = sizeof changes / sizeof changes[0] };

void pith_i_recipe_change(pith_i_recipe *r, uint32_t n) {
  assert(r->semantics.reference);
  for (uint32_t i = 0; i < n && i < CHANGES; i++)
    changes[i].make(r);
}

const char *pith_change_text(size_t i) {
  return i < CHANGES ? changes[i].about : NULL;
}
