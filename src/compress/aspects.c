#include "compress/aspects.h"

#include <assert.h>
#include <string.h>

#include "base/tunables.h"

void pith_i_aspects_free(pith_i_env *env, pith_i_aspects *a) {
  pith_i_vec_free(env, &a->list);
}

const pith_i_tuples *pith_i_aspect_rows(const pith_i_observations *w,
                                        pith_pred p) {
  assert(p < w->pred_count);
  return &w->store.relations.at[p].rows;
}

pith_status pith_i_aspects_add(const pith_i_observations *w,
                               pith_i_aspects *out, pith_i_aspect a) {
  for (size_t i = 0; i < out->list.n; i++)
    if (memcmp(&out->list.at[i], &a, sizeof a) == 0)
      return PITH_OK;
  return pith_i_push(w->env, &out->list, a) ? PITH_OK : PITH_ENOMEM;
}

/* Predicates whose second place is ordered; more than most: there are more. */
static size_t find_ordered(const pith_i_observations *w, pith_pred *out,
                           size_t most) {
  size_t n = 0;
  for (pith_pred p = 0; n <= most && p < w->pred_count; p++)
    if (pith_i_aspect_is_ordered(w, p, 1)) {
      if (n < most)
        out[n] = p;
      n++;
    }
  return n;
}

/* One measure of a thing greater than another. */
static pith_status add_comparisons(const pith_i_observations *w,
                                   pith_i_aspects *out) {
  pith_status rc = PITH_OK;
  size_t most = PITH_TUNE_ASPECT_PREDS;
  pith_pred *ordered = pith_i_alloc(w->env, (most + 1) * sizeof *ordered);
  if (ordered == NULL)
    return PITH_ENOMEM;
  size_t n = find_ordered(w, ordered, most);
  for (size_t i = 0; n <= most && i < n; i++)
    for (size_t j = 0; rc >= 0 && j < n; j++)
      if (i != j)
        rc = pith_i_aspects_add(w, out,
                                (pith_i_aspect){.kind = PITH_I_GREATER,
                                                .arity = 1,
                                                .pred = ordered[i],
                                                .other = ordered[j],
                                                .place = 1});
  pith_i_release(w->env, ordered);
  return rc;
}

static size_t count_with_facts(const pith_i_observations *w) {
  size_t n = 0;
  for (pith_pred p = 0; p < w->pred_count; p++)
    n += pith_i_aspect_rows(w, p)->n > 0;
  return n;
}

static pith_status add_absences(const pith_i_observations *w,
                                pith_i_aspects *out) {
  pith_status rc = PITH_OK;
  for (pith_pred p = 0; p < w->pred_count; p++) {
    const pith_i_tuples *t = pith_i_aspect_rows(w, p);
    for (uint32_t k = 0; rc >= 0 && t->n > 0 && t->width <= 2 && k < t->width;
         k++)
      rc = pith_i_aspects_add(
          w, out,
          (pith_i_aspect){
              .kind = PITH_I_ABSENT, .arity = 1, .pred = p, .place = k});
  }
  return rc;
}

static size_t count_shared(const pith_i_tuples *a, const pith_i_tuples *b,
                           uint32_t turned) {
  size_t n = 0;
  for (size_t i = 0; i < a->n; i++) {
    const pith_sym *r = a->at + 2 * i;
    pith_sym key[2] = {r[turned], r[1 - turned]};
    n += pith_i_tuples_find(b, key) != PITH_NONE;
  }
  return n;
}

static pith_status add_differences(const pith_i_observations *w,
                                   pith_i_run *run, pith_i_aspects *out) {
  pith_status rc = PITH_OK;
  for (pith_pred p = 0; p < w->pred_count; p++) {
    const pith_i_tuples *a = pith_i_aspect_rows(w, p);
    if (a->width != 2 || a->n == 0)
      continue;
    for (pith_pred q = 0; rc >= 0 && q < w->pred_count; q++) {
      const pith_i_tuples *b = pith_i_aspect_rows(w, q);
      if (b->width != 2 || b->n == 0 || pith_i_stop_requested(run))
        continue;
      for (uint32_t turned = p == q; rc >= 0 && turned < 2; turned++) {
        size_t shared = count_shared(a, b, turned);
        pith_i_aspect one = {.kind = PITH_I_DIFFERENCE,
                             .arity = 2,
                             .pred = p,
                             .other = q,
                             .place = turned};
        if (shared > 0 && shared < a->n)
          rc = pith_i_aspects_add(w, out, one);
      }
    }
  }
  return rc;
}

pith_status pith_i_aspects_find(const pith_i_observations *w, pith_i_run *run,
                                pith_i_aspects *out) {
  *out = (pith_i_aspects){.first = (pith_pred)w->pred_count};
  pith_status rc = pith_i_aspects_add_fixed(w, out);
  if (rc >= 0 && count_with_facts(w) <= PITH_TUNE_ASPECT_PREDS) {
    rc = pith_i_aspects_add_thresholds(w, run, out);
    if (rc >= 0)
      rc = add_comparisons(w, out);
    if (rc >= 0)
      rc = add_absences(w, out);
    if (rc >= 0)
      rc = add_differences(w, run, out);
  }
  return rc;
}
