#include "net/tape.h"

#include <assert.h>

/* Elements whose winning candidate is kept. */
static double count_winners(const pith_i_net *net, pith_i_semantics semantics) {
  assert(net->slot_tensors <= net->tensors);
  return semantics.slot_max ? net->slot_tensors : 0;
}

double pith_i_tape_bytes(const pith_i_net *net, pith_i_semantics semantics) {
  double c = (double)net->candidates.n, a = net->atoms, k = net->steps,
         t = net->tensors, s = net->slot_tensors;
  double rows = 2 * c + 2 * s + (k + 1) * a + a + k * t + t + k * (t - s) +
                k * a + (k + 1) * count_winners(net, semantics);
  return rows * sizeof(pith_i_real) + 64;
}

/* The valuation before the first step: what is given of the derived
** predicates. Observations are not given. */
static void start_values(pith_i_tape *t) {
  const pith_i_net *net = t->net;
  for (size_t i = 0; i < net->preds.n; i++) {
    const pith_i_net_pred *p = &net->preds.at[i];
    bool given = p->derived && net->core_kind == PITH_I_CORE_NONE;
    for (uint32_t f = 0; given && f < p->fact_count; f++) {
      assert(p->facts[f] < p->size && p->offset + p->size <= net->atoms);
      t->value[p->offset + p->facts[f]] = PITH_I_ALL(1);
    }
  }
}

/* The next n rows of the block. */
static void *cut_rows(char **next, size_t n) {
  void *rows = *next;
  *next += n * sizeof(pith_i_real);
  return rows;
}

static void lay_out(pith_i_tape *t) {
  const pith_i_net *net = t->net;
  size_t c = net->candidates.n, n = net->tensors, s = net->slot_tensors,
         a = net->atoms, k = net->steps,
         chose = (size_t)count_winners(net, t->semantics);
  char *next = (char *)(((uintptr_t)t->block + 63) & ~(uintptr_t)63);
  t->weight = cut_rows(&next, c);
  t->dweight = cut_rows(&next, c);
  t->base = cut_rows(&next, s);
  t->dbase = cut_rows(&next, s);
  t->base_won = cut_rows(&next, chose);
  t->dtensor = cut_rows(&next, n);
  t->tensor = cut_rows(&next, k * n);
  t->won = cut_rows(&next, k * (n - s));
  t->slot_won = cut_rows(&next, k * chose);
  t->value = cut_rows(&next, (k + 1) * a);
  t->dvalue = cut_rows(&next, a);
  t->rule = cut_rows(&next, k * a);
  assert((double)(next - (char *)t->block) <=
         pith_i_tape_bytes(net, t->semantics));
}

pith_status pith_i_tape_new(pith_i_env *env, const pith_i_net *net,
                            pith_i_semantics semantics, pith_i_tape **out) {
  double bytes = pith_i_tape_bytes(net, semantics);
  if (bytes > pith_i_machine_bytes())
    return pith_i_fail(env, PITH_ENOMEM,
                       "%u steps over %u derived atoms and %u joined elements "
                       "need %.1f GB, more than this machine has; use fewer "
                       "constants, templates or steps",
                       net->steps, net->atoms, net->tensors, bytes * 1e-9);
  pith_i_tape *t = pith_i_zalloc(env, 1, sizeof *t);
  if (t == NULL)
    return PITH_ENOMEM;
  assert(net->steps > 0 && net->tensor_offset.n > 0);
  assert(net->slot_tensors <= net->tensors);
  t->net = net;
  t->semantics = semantics;
  t->block = pith_i_zalloc(env, (size_t)bytes, 1);
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
