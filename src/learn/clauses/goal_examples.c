#include "learn/clauses/recursion_finder.h"

#include <string.h>

pith_status pith_i_recursion_adopt_goals(pith_i_recursion_finder *f) {
  pith_i_space *s = f->s;
  const pith_i_tuples *goals = &f->graph.goals;
  uint32_t n = (uint32_t)goals->n, hidden = n - s->examples;
  size_t bytes = ((size_t)n * s->head + 1) * sizeof *s->args;
  uint32_t *args = pith_i_alloc(s->env, bytes);
  double *weight = pith_i_alloc(s->env, (n + 1) * sizeof *weight);
  uint32_t *pick = pith_i_alloc(s->env, (n + 1) * sizeof *pick);
  if (args == NULL || weight == NULL || pick == NULL) {
    pith_i_release(s->env, args);
    pith_i_release(s->env, weight);
    pith_i_release(s->env, pick);
    return PITH_ENOMEM;
  }
  for (uint32_t i = 0; i < n; i++) {
    uint32_t at = i < s->positives  ? i
                  : i < s->examples ? i + hidden
                                    : i - s->examples + s->positives;
    memcpy(args + (size_t)at * s->head, goals->at + (size_t)i * s->head,
           s->head * sizeof *args);
    weight[i] = 1;
    pick[i] = i;
  }
  pith_i_release(s->env, s->args);
  pith_i_release(s->env, s->weight);
  s->args = args;
  s->weight = weight;
  f->known = s->positives;
  s->positives += hidden;
  s->examples = n;
  pith_i_sample_take(&f->m, s, pick, s->positives, n);
  f->bits = 64 * f->m.words;
  return pith_i_space_find_domains(s);
}

/* The bit of a goal by its number in the graph. */
static uint32_t bit_of(const pith_i_recursion_finder *f, uint32_t goal) {
  uint32_t hidden = f->s->positives - f->known;
  uint32_t labelled = f->s->examples - hidden;
  uint32_t at = goal < f->known   ? goal
                : goal < labelled ? goal + hidden
                                  : goal - labelled + f->known;
  return (uint32_t)pith_i_sample_bit(&f->m, at);
}

void pith_i_recursion_number_edges(pith_i_recursion_finder *f) {
  for (size_t i = 0; i < f->graph.steps.n; i++) {
    pith_i_recursive_step *s = &f->graph.steps.at[i];
    for (size_t k = 0; k < 2 * s->edge_count; k++)
      s->edges[k] = bit_of(f, s->edges[k]);
  }
}
