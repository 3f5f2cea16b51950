#include "net/tape.h"

#include <string.h>

size_t pith_i_tape_bytes(const pith_i_net *net) {
  size_t c = net->candidates.n, t = net->tensors, a = net->atoms,
         k = net->steps;
  size_t rows = 2 * c + 4 * t + (k + 1) * a + a + 2 * k * t + k * a;
  return rows * sizeof(pith_i_real) + 64;
}

/* The valuation before the first step: what is given of the derived
** predicates. */
static void start_values(pith_i_tape *t) {
  const pith_i_net *net = t->net;
  for (size_t i = 0; i < net->preds.n; i++) {
    const pith_i_net_pred *p = &net->preds.at[i];
    for (uint32_t f = 0; p->derived && f < p->fact_count; f++)
      t->value[p->offset + p->facts[f]] = PITH_I_ALL(1);
  }
}

/* The next n rows of the block. */
static void *cut(char **next, size_t n) {
  void *rows = *next;
  *next += n * sizeof(pith_i_real);
  return rows;
}

static void lay_out(pith_i_tape *t) {
  const pith_i_net *net = t->net;
  size_t c = net->candidates.n, n = net->tensors, a = net->atoms,
         k = net->steps;
  char *next = (char *)(((uintptr_t)t->block + 63) & ~(uintptr_t)63);
  t->weight = cut(&next, c);
  t->dweight = cut(&next, c);
  t->base = cut(&next, n);
  t->dbase = cut(&next, n);
  t->base_won = cut(&next, n);
  t->dtensor = cut(&next, n);
  t->tensor = cut(&next, k * n);
  t->won = cut(&next, k * n);
  t->value = cut(&next, (k + 1) * a);
  t->dvalue = cut(&next, a);
  t->rule = cut(&next, k * a);
}

pith_status pith_i_tape_new(pith_i_env *env, const pith_i_net *net,
                            pith_i_semantics semantics, pith_i_tape **out) {
  pith_i_tape *t = pith_i_zalloc(env, 1, sizeof *t);
  if (t == NULL)
    return PITH_ENOMEM;
  t->net = net;
  t->semantics = semantics;
  t->block = pith_i_zalloc(env, pith_i_tape_bytes(net), 1);
  if (t->block == NULL) {
    pith_i_release(env, t);
    return PITH_ENOMEM;
  }
  lay_out(t);
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
