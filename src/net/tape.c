#include "net/tape.h"

#include <assert.h>

/* Elements whose winning candidate is kept. */
static double count_winners(const pith_i_net *net, pith_i_semantics semantics) {
  assert(net->slot_tensors <= net->tensors);
  return semantics.slot_max ? net->slot_tensors : 0;
}

/* Rows of a reference network's tape, apart from weights and values. */
static double reference_rows(const pith_i_net *net,
                             pith_i_semantics semantics) {
  double k = net->steps, a = net->atoms, j = net->joined_rows;
  double rows = net->given_rows + (double)net->fixed_rows + k * j + j +
                2 * k * a + a + 2.0 * (double)net->filled_bodies.n +
                2.0 * (double)net->filled_heads.n;
  return rows + (semantics.or_sum ? k * (double)net->filled_elements : 0);
}

double pith_i_tape_bytes(const pith_i_net *net, pith_i_semantics semantics) {
  double c = (double)net->candidates.n, a = net->atoms, k = net->steps,
         t = net->tensors, s = net->slot_tensors;
  double rows = 2 * c + (k + 1) * a + a;
  rows += net->reference ? reference_rows(net, semantics)
                         : 2 * s + k * t + t + k * (t - s) + k * a +
                               (k + 1) * count_winners(net, semantics);
  return (rows + 1) * sizeof(pith_i_real);
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

/* The background's values in a reference network. */
static void given_values(pith_i_tape *t) {
  const pith_i_net *net = t->net;
  for (size_t i = 0; i < net->preds.n; i++) {
    const pith_i_net_pred *p = &net->preds.at[i];
    for (uint32_t f = 0; !p->derived && f < p->fact_count; f++) {
      assert(p->offset + p->facts[f] < net->given_rows);
      t->given[p->offset + p->facts[f]] = PITH_I_ALL(1);
    }
  }
}

static void lay_out_reference(pith_i_tape *t) {
  const pith_i_net *net = t->net;
  size_t a = net->atoms, k = net->steps, j = net->joined_rows,
         b = net->filled_bodies.n;
  char *next = PITH_I_ALIGN(t->block);
  t->weight = cut_rows(&next, net->candidates.n);
  t->dweight = cut_rows(&next, net->candidates.n);
  t->given = cut_rows(&next, net->given_rows);
  t->fixed = cut_rows(&next, net->fixed_rows);
  t->body = cut_rows(&next, b);
  t->dbody = cut_rows(&next, b);
  t->head = cut_rows(&next, net->filled_heads.n);
  t->dhead = cut_rows(&next, net->filled_heads.n);
  t->dtensor = cut_rows(&next, j);
  t->tensor = cut_rows(&next, k * j);
  t->value = cut_rows(&next, (k + 1) * a);
  t->dvalue = cut_rows(&next, a);
  t->rest = cut_rows(&next, a);
  t->best = cut_rows(&next, k * a);
  t->rule = cut_rows(&next, k * a);
  if (t->semantics.or_sum)
    t->before = cut_rows(&next, k * net->filled_elements);
  assert((double)(next - (char *)t->block) <=
         pith_i_tape_bytes(net, t->semantics));
}

static void lay_out(pith_i_tape *t) {
  const pith_i_net *net = t->net;
  size_t c = net->candidates.n, n = net->tensors, s = net->slot_tensors,
         a = net->atoms, k = net->steps,
         chose = (size_t)count_winners(net, t->semantics);
  char *next = PITH_I_ALIGN(t->block);
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
  assert(net->reference == semantics.reference);
  t->net = net;
  t->semantics = semantics;
  t->block = pith_i_zalloc(env, (size_t)bytes, 1);
  if (t->block == NULL) {
    pith_i_release(env, t);
    return PITH_ENOMEM;
  }
  t->world = PITH_NONE;
  t->scale = 1;
  if (net->reference) {
    lay_out_reference(t);
    given_values(t);
  } else {
    lay_out(t);
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
