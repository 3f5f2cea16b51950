#include "graph/question_table.h"

#include <assert.h>
#include <string.h>

enum { UNASKED = 1, FIRST_ROW = 2 }; /* in place */

pith_status pith_i_question_table_init(pith_i_question_table *s,
                                       const pith_i_graph *g) {
  *s = (pith_i_question_table){.env = g->env};
  s->place = pith_i_zalloc(g->env, (size_t)g->entities + 1, sizeof *s->place);
  return s->place == NULL ? PITH_ENOMEM : PITH_OK;
}

void pith_i_question_table_free(pith_i_question_table *s) {
  if (s->env == NULL)
    return;
  pith_i_vec_free(s->env, &s->target);
  pith_i_vec_free(s->env, &s->weight);
  pith_i_vec_free(s->env, &s->cells);
  pith_i_release(s->env, s->first);
  pith_i_release(s->env, s->place);
}

static bool add_table_row(pith_i_question_table *s, double target,
                          double weight) {
  assert(target == 0 || target == 1);
  assert(weight > 0);
  return pith_i_push(s->env, &s->target, target) &&
         pith_i_push(s->env, &s->weight, weight);
}

static bool place_answers(pith_i_question_table *s,
                          const pith_i_known_answer *answers, size_t n) {
  for (size_t i = 0; i < n; i++) {
    bool asked = answers[i].known != PITH_I_UNASKED;
    s->place[answers[i].entity] =
        asked ? FIRST_ROW + (uint32_t)s->target.n : UNASKED;
    if (asked && !add_table_row(s, answers[i].known == PITH_I_TRUE, 1))
      return false;
  }
  return true;
}

static bool place_found(pith_i_question_table *s, const pith_i_chain_walk *e,
                        bool others) {
  for (size_t i = 0; i < e->found.n; i++) {
    const pith_i_chain_end *f = &e->found.at[i];
    uint32_t *place = &s->place[f->end];
    if (*place == 0) {
      *place = others ? FIRST_ROW + (uint32_t)s->target.n : UNASKED;
      if (others && !add_table_row(s, 0, 1))
        return false;
    }
    if (*place != UNASKED &&
        !pith_i_push(s->env, &s->cells,
                     (pith_i_table_cell){f->chain, *place - FIRST_ROW, f->count,
                                         f->total}))
      return false;
  }
  return true;
}

pith_status pith_i_question_table_add(pith_i_question_table *s,
                                      const pith_i_chain_walk *e,
                                      const pith_i_known_answer *answers,
                                      size_t n, uint32_t candidates) {
  assert(s->first == NULL); /* not sealed yet */
  if (e->found.n == 0)
    return PITH_OK;
  size_t before = s->target.n, unasked = 0;
  bool fine = place_answers(s, answers, n) && place_found(s, e, candidates > 0);
  for (size_t i = 0; i < n; i++) {
    unasked += answers[i].known == PITH_I_UNASKED;
    s->place[answers[i].entity] = 0;
  }
  for (size_t i = 0; i < e->found.n; i++)
    s->place[e->found.at[i].end] = 0;
  size_t rows = s->target.n - before + unasked;
  if (fine && candidates > rows)
    fine = add_table_row(s, 0, (double)(candidates - rows));
  s->questions++;
  return fine ? PITH_OK : PITH_ENOMEM;
}

pith_status pith_i_question_table_seal(pith_i_question_table *s,
                                       uint32_t chains) {
  size_t n = s->cells.n;
  pith_i_table_cell *sorted = pith_i_alloc(s->env, n * sizeof *sorted);
  pith_i_release(s->env, s->first);
  s->first = pith_i_zalloc(s->env, (size_t)chains + 3, sizeof *s->first);
  if (sorted == NULL || s->first == NULL) {
    pith_i_release(s->env, sorted);
    return PITH_ENOMEM;
  }
  size_t *next = s->first + 1; /* becomes first while filling */
  for (size_t i = 0; i < n; i++) {
    assert(s->cells.at[i].chain <= chains);
    assert(s->cells.at[i].row < s->target.n);
    next[s->cells.at[i].chain + 1]++;
  }
  for (uint32_t c = 0; c <= chains; c++)
    next[c + 1] += next[c];
  for (size_t i = 0; i < n; i++)
    sorted[next[s->cells.at[i].chain]++] = s->cells.at[i];
  if (n > 0)
    memcpy(s->cells.at, sorted, n * sizeof *sorted);
  s->chains = chains;
  pith_i_release(s->env, sorted);
  return PITH_OK;
}
