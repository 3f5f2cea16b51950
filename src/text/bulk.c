#include "text/bulk.h"

#include <assert.h>
#include <string.h>

/* Where the name is, if it is there and nothing is in its way. */
static const pith_i_name_slot *slot_of(const pith_i_names *names,
                                       uint32_t hash) {
  assert(names->slot_count > 0);
  return &names->slots[hash & (names->slot_count - 1)];
}

static const pith_i_symbol *likely_symbol(const pith_i_names *names,
                                          uint32_t hash) {
  const pith_i_name_slot *s = slot_of(names, hash);
  return s->sym == PITH_NONE ? NULL : pith_i_sym(names, s->sym);
}

static void prefetch_symbols(const pith_i_bulk *b) {
  const pith_i_names *names = &b->in->theory->names;
  for (size_t i = 0; i < b->arg_count; i++) {
    const pith_i_symbol *s = likely_symbol(names, b->args[i].hash);
    if (s != NULL)
      pith_i_prefetch(s);
  }
  for (size_t i = 0; i < b->arg_count; i++) {
    const pith_i_symbol *s = likely_symbol(names, b->args[i].hash);
    if (s != NULL)
      pith_i_prefetch(s->text);
  }
}

static pith_status add_symbols(pith_i_bulk *b, pith_sym *syms) {
  pith_i_names *names = &b->in->theory->names;
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc >= 0 && i < b->arg_count; i++) {
    const pith_i_span *a = &b->args[i];
    rc =
        pith_i_sym_add_hashed(names, a->text, a->n, a->kind, a->hash, &syms[i]);
  }
  return rc;
}

static pith_status hand_over(pith_i_bulk *b, const pith_sym *syms) {
  const pith_i_input *in = b->in;
  const pith_sym *args = syms;
  for (size_t i = 0; i < b->fact_count; i++) {
    in->expect(in->fact_ctx, b->preds[i], args);
    args += b->arities[i];
  }
  pith_status rc = PITH_OK;
  args = syms;
  for (size_t i = 0; rc >= 0 && i < b->fact_count; i++) {
    rc = in->fact(in->fact_ctx, b->preds[i], b->arities[i], args);
    args += b->arities[i];
  }
  return rc;
}

pith_status pith_i_bulk_flush(pith_i_bulk *b) {
  assert(b->arg_count <= PITH_I_BULK_ARGS);
  pith_sym syms[PITH_I_BULK_ARGS];
  if (b->fact_count == 0)
    return PITH_OK;
  prefetch_symbols(b);
  pith_status rc = add_symbols(b, syms);
  if (rc >= 0)
    rc = hand_over(b, syms);
  b->arg_count = b->fact_count = 0;
  return rc;
}

pith_status pith_i_bulk_add(pith_i_bulk *b, pith_pred pred,
                            const pith_i_span *args, uint32_t arity) {
  assert(arity <= PITH_I_BULK_ARITY);
  assert(b->arg_count + arity <= PITH_I_BULK_ARGS);
  assert(b->fact_count < PITH_I_BULK_ARGS);
  const pith_i_names *names = &b->in->theory->names;
  pith_i_span *to = b->args + b->arg_count;
  for (uint32_t i = 0; i < arity; i++) {
    to[i] = args[i];
    to[i].hash = pith_i_sym_hash(names, args[i].text, args[i].n, args[i].kind);
    pith_i_prefetch(slot_of(names, to[i].hash));
  }
  b->arg_count += arity;
  b->preds[b->fact_count] = pred;
  b->arities[b->fact_count++] = arity;
  return b->arg_count + PITH_I_BULK_ARITY <= PITH_I_BULK_ARGS
             ? PITH_OK
             : pith_i_bulk_flush(b);
}
