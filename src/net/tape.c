#include "net/tape.h"

#include <string.h>

enum { L = PITH_I_LANES };

/* Rows of lanes each part of the tape takes. */
static void parts(const pith_i_net *net, size_t *rows) {
  size_t c = net->candidates.n, t = net->tensors, a = net->atoms,
         k = net->steps;
  rows[0] = rows[1] = c;
  rows[2] = rows[3] = t;
  rows[4] = (k + 1) * a;
  rows[5] = a;
  rows[6] = k * t;
  rows[7] = t;
  rows[8] = k * t;
  rows[9] = k * a;
  rows[10] = t;
}

enum { PARTS = 11 };

size_t pith_i_tape_bytes(const pith_i_net *net) {
  size_t rows[PARTS], all = 0;
  parts(net, rows);
  for (int i = 0; i < PARTS; i++)
    all += rows[i];
  return all * L * sizeof(float) + 64;
}

/* The valuation before the first step: what is given of the derived
** predicates. */
static void start_values(pith_i_tape *t) {
  const pith_i_net *net = t->net;
  for (size_t i = 0; i < net->preds.n; i++) {
    const pith_i_net_pred *p = &net->preds.at[i];
    for (uint32_t f = 0; p->derived && f < p->fact_count; f++)
      PITH_I_EACH_LANE(l)
    t->value[(size_t)(p->offset + p->facts[f]) * L + l] = 1.0f;
  }
}

pith_status pith_i_tape_new(pith_i_env *env, const pith_i_net *net,
                            pith_i_semantics semantics, pith_i_tape **out) {
  size_t rows[PARTS];
  parts(net, rows);
  pith_i_tape *t = pith_i_zalloc(env, 1, sizeof *t);
  if (t == NULL)
    return PITH_ENOMEM;
  t->bytes = pith_i_tape_bytes(net);
  t->block = pith_i_zalloc(env, t->bytes, 1);
  if (t->block == NULL) {
    pith_i_release(env, t);
    return PITH_ENOMEM;
  }
  t->net = net;
  t->semantics = semantics;
  char *next = (char *)(((uintptr_t)t->block + 63) & ~(uintptr_t)63);
  void **part[PARTS] = {
      (void **)&t->weight, (void **)&t->dweight, (void **)&t->base,
      (void **)&t->dbase,  (void **)&t->value,   (void **)&t->dvalue,
      (void **)&t->tensor, (void **)&t->dtensor, (void **)&t->won,
      (void **)&t->rule,   (void **)&t->base_won};
  for (int i = 0; i < PARTS; i++) {
    *part[i] = next;
    next += rows[i] * L * sizeof(float);
  }
  start_values(t);
  *out = t;
  return PITH_OK;
}

void pith_i_tape_free(pith_i_env *env, pith_i_tape *t) {
  if (t == NULL)
    return;
  pith_i_release(env, t->block);
  pith_i_release(env, t);
}
