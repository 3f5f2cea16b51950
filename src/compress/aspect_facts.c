#include "compress/aspects.h"

#include <assert.h>

typedef struct {
  const pith_i_observations *w;
  const pith_i_aspect *a;
  pith_i_store *to;
  pith_pred pred; /* of the aspect */
} filling;

static pith_status fill_fixed(const filling *f, const pith_sym *row,
                              uint32_t width) {
  pith_sym key[PITH_I_ASPECT_WIDEST];
  uint32_t n = 0;
  if (row[f->a->place] != f->a->value)
    return PITH_OK;
  for (uint32_t i = 0; i < width; i++)
    if (i != f->a->place)
      key[n++] = row[i];
  return pith_i_fact_give(f->to, f->pred, f->a->arity, key);
}

static pith_status fill_compared(const filling *f, const pith_sym *row) {
  const pith_i_names *names = &f->w->theory->names;
  double value = pith_i_sym(names, row[f->a->place])->value;
  double bound = pith_i_sym(names, f->a->value)->value;
  bool holds = f->a->kind == PITH_I_AT_LEAST ? value >= bound : value <= bound;
  return holds ? pith_i_fact_give(f->to, f->pred, 1, &row[1 - f->a->place])
               : PITH_OK;
}

static pith_status fill_greater(const filling *f, const pith_sym *row) {
  const pith_i_names *names = &f->w->theory->names;
  const pith_i_tuples *t = pith_i_aspect_rows(f->w, f->a->other);
  pith_i_relation *r = &f->w->store.relations.at[f->a->other];
  const uint32_t column = 0;
  pith_i_index *x;
  pith_status rc = pith_i_relation_index(f->w->env, r, &column, 1, &x);
  uint32_t at = rc < 0 ? PITH_NONE : pith_i_index_find(x, t, &row[0]);
  for (; rc >= 0 && at != PITH_NONE; at = x->next[at])
    if (pith_i_sym(names, row[1])->value >
        pith_i_sym(names, t->at[2 * at + 1])->value)
      return pith_i_fact_give(f->to, f->pred, 1, row);
  return rc;
}

static pith_status fill_difference(const filling *f, const pith_sym *row) {
  uint32_t turned = f->a->place;
  pith_sym key[2] = {row[turned], row[1 - turned]};
  bool there = pith_i_observation_find(f->w, f->a->other, key) != PITH_NONE;
  return there ? PITH_OK : pith_i_fact_give(f->to, f->pred, 2, row);
}

/* Every constant that is not there. */
static pith_status fill_absent(const filling *f) {
  size_t symbols = f->w->theory->names.symbols.n;
  bool *out = pith_i_zalloc(f->w->env, symbols + 1, sizeof *out);
  pith_status rc = out == NULL ? PITH_ENOMEM : PITH_OK;
  for (pith_pred p = 0; rc >= 0 && p < f->w->pred_count; p++) {
    const pith_i_tuples *t = pith_i_aspect_rows(f->w, p);
    for (size_t i = 0; i < t->n * t->width; i++)
      out[t->at[i]] = true;
  }
  const pith_i_tuples *t = pith_i_aspect_rows(f->w, f->a->pred);
  for (size_t i = 0; rc >= 0 && i < t->n; i++)
    out[t->at[i * t->width + f->a->place]] = false;
  for (pith_sym s = 0; rc >= 0 && s < symbols; s++)
    if (out[s])
      rc = pith_i_fact_give(f->to, f->pred, 1, &s);
  pith_i_release(f->w->env, out);
  return rc;
}

static pith_status fill_row(const filling *f, const pith_sym *row,
                            uint32_t width) {
  switch (f->a->kind) {
  case PITH_I_FIXED:
    return fill_fixed(f, row, width);
  case PITH_I_AT_LEAST:
  case PITH_I_AT_MOST:
    return fill_compared(f, row);
  case PITH_I_GREATER:
    return fill_greater(f, row);
  case PITH_I_DIFFERENCE:
    return fill_difference(f, row);
  case PITH_I_ABSENT:
    break;
  }
  return PITH_OK;
}

static pith_status fill_aspect(const filling *f) {
  const pith_i_tuples *t = pith_i_aspect_rows(f->w, f->a->pred);
  if (f->a->kind == PITH_I_ABSENT)
    return fill_absent(f);
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc >= 0 && i < t->n; i++)
    rc = fill_row(f, t->at + i * t->width, t->width);
  return rc;
}

pith_status pith_i_aspects_observe(const pith_i_aspects *a,
                                   const pith_i_observations *w,
                                   pith_i_observations *out) {
  assert(a->first == w->pred_count);
  pith_status rc = pith_i_observations_extend(out, w, a->list.n);
  for (size_t i = 0; rc >= 0 && i < a->list.n; i++) {
    filling f = {w, &a->list.at[i], &out->store, a->first + (pith_pred)i};
    if (pith_i_relation_get(&out->store, f.pred, f.a->arity) == NULL)
      return PITH_ENOMEM;
    rc = fill_aspect(&f);
  }
  return rc < 0 ? rc : pith_i_observations_number(out);
}
