/* The examples of a language, and the symbols that they are about. */
#include "learn/clauses/language_parts.h"

#include "task/vocabulary.h"

typedef pith_i_space space;

static void take_examples(space *s, bool positive) {
  for (size_t w = 0; w < s->world_count; w++) {
    const pith_i_world *t = &s->worlds[w];
    pith_pred target = pith_i_pred_in_world(s->worlds, w, s->target);
    for (size_t i = 0; i < t->theory->examples.n; i++) {
      const pith_example *e = t->theory->examples.at[i];
      if (e->atom.pred != target || e->positive != positive ||
          pith_i_fact_holds(t->store, target, e->atom.args))
        continue; /* what is given needs no rule */
      for (uint32_t k = 0; k < s->head; k++)
        s->args[(size_t)s->examples * s->head + k] =
            s->base[w] + e->atom.args[k];
      s->weight[s->examples++] = e->weight;
    }
  }
}

static void find_repeated_arguments(space *s) {
  s->head_twice = 0;
  for (uint32_t e = 0; e < s->positives; e++)
    for (uint32_t i = 0; i < s->head; i++)
      for (uint32_t k = i + 1; k < s->head; k++)
        if (s->args[(size_t)e * s->head + i] ==
            s->args[(size_t)e * s->head + k])
          s->head_twice |= UINT64_C(1) << (PITH_I_PLACES * i + k);
}

pith_status pith_i_space_collect_examples(space *s) {
  size_t n = 1;
  for (size_t w = 0; w < s->world_count; w++)
    n += s->worlds[w].theory->examples.n;
  s->args = pith_i_alloc(s->env, n * (s->head + 1) * sizeof *s->args);
  s->weight = pith_i_alloc(s->env, n * sizeof *s->weight);
  if (s->args == NULL || s->weight == NULL)
    return PITH_ENOMEM;
  take_examples(s, true);
  s->positives = s->examples;
  find_repeated_arguments(s);
  take_examples(s, false);
  return PITH_OK;
}

static pith_status list_symbol(space *s, uint32_t constant,
                               pith_i_tuples *out) {
  pith_sym sym = pith_i_space_symbol(s, constant);
  return sym == PITH_NONE ? PITH_OK
                          : pith_i_tuples_add(s->env, out, &sym, NULL, NULL);
}

bool pith_i_is_in_examples(const space *s, pith_sym value) {
  return s->in_examples.n > 0 &&
         pith_i_tuples_find(&s->in_examples, &value) != PITH_NONE;
}

static bool has_example_symbol(const space *s, const pith_i_tuples *rows,
                               uint32_t place) {
  for (size_t i = 0; i < rows->n; i++)
    if (pith_i_is_in_examples(
            s, pith_i_space_symbol(s, rows->at[i * rows->width + place])))
      return true;
  return false;
}

/* All that stands in a place beside what the examples are about. */
static pith_status list_column(space *s, uint32_t choice, uint32_t place,
                               pith_i_tuples *out) {
  const pith_i_tuples *rows = &s->store.relations.at[choice].rows;
  pith_status rc = PITH_OK;
  if (!has_example_symbol(s, rows, place))
    return PITH_OK;
  for (size_t i = 0; rc >= 0 && i < rows->n; i++)
    rc = list_symbol(s, rows->at[i * rows->width + place], out);
  return rc;
}

/* What the examples are about, as the first world names it, and what is of the
** same kind without having a label. */
pith_status pith_i_space_list_symbols(space *s) {
  pith_i_tuples all = {.width = 1};
  pith_status rc = PITH_OK;
  s->in_examples.width = 1;
  for (size_t i = 0; rc >= 0 && i < (size_t)s->examples * s->head; i++)
    rc = list_symbol(s, s->args[i], &s->in_examples);
  for (uint32_t c = 0; c < s->choices.n; c++)
    for (uint32_t k = 0; rc >= 0 && k < s->choices.at[c].arity &&
                         s->choices.at[c].kind == PITH_I_GIVEN_ATOM;
         k++)
      rc = list_column(s, c, k, &all);
  for (size_t i = 0; rc >= 0 && i < all.n; i++)
    rc = pith_i_tuples_add(s->env, &s->in_examples, &all.at[i], NULL, NULL);
  pith_i_tuples_free(s->env, &all);
  return rc;
}
