#include "fact/store.h"

#include <string.h>

void pith_i_store_init(pith_i_store *s, pith_i_env *env) {
  memset(s, 0, sizeof *s);
  s->env = env;
}

void pith_i_store_free(pith_i_store *s) {
  for (size_t i = 0; i < s->relations.n; i++)
    pith_i_tuples_free(s->env, &s->relations.at[i].rows);
  pith_i_vec_free(s->env, &s->relations);
}

pith_i_relation *pith_i_relation_get(pith_i_store *s, pith_pred pred,
                                     uint32_t arity) {
  if (pred >= s->relations.n) {
    size_t more = pred + 1 - s->relations.n;
    if (!pith_i_room(s->env, &s->relations, more))
      return NULL;
    memset(&s->relations.at[s->relations.n], 0, more * sizeof *s->relations.at);
    s->relations.n += more;
  }
  pith_i_relation *r = &s->relations.at[pred];
  r->rows.width = arity;
  return r;
}

pith_status pith_i_fact_give(pith_i_store *s, pith_pred pred, uint32_t arity,
                             const pith_sym *args) {
  pith_i_relation *r = pith_i_relation_get(s, pred, arity);
  if (r == NULL)
    return PITH_ENOMEM;
  pith_status rc = pith_i_tuples_add(s->env, &r->rows, args, NULL, NULL);
  r->given = r->rows.n;
  return rc;
}

bool pith_i_fact_holds(const pith_i_store *s, pith_pred pred,
                       const pith_sym *args) {
  return pred < s->relations.n &&
         pith_i_tuples_find(&s->relations.at[pred].rows, args) != PITH_NONE;
}

void pith_i_store_forget(pith_i_store *s) {
  for (size_t i = 0; i < s->relations.n; i++)
    pith_i_tuples_cut(&s->relations.at[i].rows, s->relations.at[i].given);
}
