#include "report_training.h"

#include <assert.h>
#include <math.h>

#include "memory_budget.h"

enum {
  POINTS = 121,           /* in time, at most                              */
  WEIGHTS_AT_MOST = 4096, /* of all slots: with more only losses are kept  */
  EPOCHS_MORE = 40,       /* behind the one that was decoded, at least     */
  VALUES_AT_MOST = 600,   /* of the first world's atoms after each step     */
  ATOMS_AT_MOST = 60
};

typedef struct {
  const session *s;
  bool begun, weights;
  size_t atoms; /* whose values are written: the first world's, or 0 */
} trace_writer;

static pith_status put_slot(const session *s, const pith_trace_slot *slot) {
  const pith_rule *shape = &slot->shape->shape;
  assert(slot->atom <= shape->body_len);
  const pith_atom *a =
      slot->atom == 0 ? &shape->head : &shape->body[slot->atom - 1];
  pith_out_print(s->out, "{\"rule\":%u,\"atom\":%u,\"vars\":[", slot->rule,
                 slot->atom);
  for (uint32_t i = 0; i < a->arity; i++)
    pith_out_print(s->out, "%s%u", i == 0 ? "" : ",",
                   PITH_IS_VAR(a->args[i]) ? PITH_VAR_INDEX(a->args[i]) : 0);
  pith_out_print(s->out, "],\"predicates\":[");
  for (size_t c = 0; c < slot->count; c++) {
    pith_out_print(s->out, c == 0 ? "" : ",");
    pith_out_quote(s->out, pith_pred_name(s->p, slot->preds[c]));
  }
  return pith_out_print(s->out, "]}");
}

/* ---- soft values ------------------------------------------------------- */

static size_t count_written_atoms(const pith_trace_point *p) {
  size_t n = 0;
  for (size_t a = 0; a < p->atom_count; a++)
    n += p->atoms[a].world == 0;
  bool few = n <= ATOMS_AT_MOST && n * (p->steps + (size_t)1) <= VALUES_AT_MOST;
  return few ? n : 0;
}

static pith_status put_atom_text(const session *s, const pith_trace_atom *a) {
  pith_atom atom = {.pred = a->pred, .arity = a->arity, .args = a->args};
  pith_out *text = NULL;
  pith_status rc = pith_out_memory(s->p, &text);
  if (rc >= 0)
    rc = pith_atom_write(s->p, &atom, text);
  const char *words = rc < 0 ? NULL : pith_out_text(text, NULL);
  rc = words == NULL ? PITH_ENOMEM : pith_out_quote(s->out, words);
  pith_out_close(text, false);
  return rc;
}

static void put_atoms(const trace_writer *w, const pith_trace_point *p) {
  const char *separator = "[";
  event_count(w->s->out, "steps", p->steps);
  event_key(w->s->out, "atoms");
  for (size_t a = 0; a < p->atom_count; a++) {
    if (p->atoms[a].world != 0)
      continue;
    pith_out_print(w->s->out, "%s", separator);
    put_atom_text(w->s, &p->atoms[a]);
    separator = ",";
  }
  pith_out_print(w->s->out, "]");
}

/* A row for each step, in hundredths. */
static void put_values(const trace_writer *w, const pith_trace_point *p) {
  pith_out *o = w->s->out;
  event_key(o, "values");
  for (uint32_t k = 0; k <= p->steps; k++) {
    const char *separator = k == 0 ? "[[" : "],[";
    for (size_t a = 0; a < p->atom_count; a++) {
      double v = p->values[k * p->atom_count + a];
      if (p->atoms[a].world != 0)
        continue;
      pith_out_print(o, "%s%.0f", separator, isfinite(v) ? 100 * v : 0);
      separator = ",";
    }
  }
  pith_out_print(o, "]]");
}

/* ---- points in time ---------------------------------------------------- */

static void put_slots(trace_writer *w, const pith_trace_point *p) {
  size_t weights = 0;
  for (size_t i = 0; i < p->slot_count; i++)
    weights += p->slots[i].count;
  w->begun = true;
  w->weights = weights <= WEIGHTS_AT_MOST;
  event_begin(w->s->out, "slots");
  event_count(w->s->out, "first", p->first + 1);
  event_count(w->s->out, "restarts", p->restarts);
  event_key(w->s->out, "slots");
  pith_out_print(w->s->out, "[");
  for (size_t i = 0; w->weights && i < p->slot_count; i++) {
    pith_out_print(w->s->out, i == 0 ? "" : ",");
    put_slot(w->s, &p->slots[i]);
  }
  pith_out_print(w->s->out, "]");
  w->atoms = count_written_atoms(p);
  if (w->atoms > 0)
    put_atoms(w, p);
  event_end(w->s->out);
}

static void put_weights(pith_out *o, const pith_trace_slot *slot) {
  for (size_t c = 0; c < slot->count; c++)
    pith_out_print(o, "%s%.3f", c == 0 ? "[" : ",",
                   isfinite(slot->weights[c]) ? slot->weights[c] : 0);
  pith_out_print(o, slot->count == 0 ? "[]" : "]");
}

static void put_lanes(pith_out *o, const pith_trace_point *p) {
  event_key(o, "losses");
  for (uint32_t l = 0; l < p->restarts; l++) {
    pith_out_print(o, l == 0 ? "[" : ",");
    pith_out_print(o, isfinite(p->loss[l]) ? "%.5g" : "null", p->loss[l]);
  }
  pith_out_print(o, "]");
  event_key(o, "wrong");
  for (uint32_t l = 0; l < p->restarts; l++)
    pith_out_print(o, "%s%llu", l == 0 ? "[" : ",",
                   (unsigned long long)p->wrong[l]);
  pith_out_print(o, "]");
}

static int put_point(void *ctx, const pith_trace_point *p) {
  trace_writer *w = ctx;
  pith_out *o = w->s->out;
  if (!w->begun)
    put_slots(w, p);
  event_begin(o, "epoch");
  event_count(o, "epoch", p->epoch);
  put_lanes(o, p);
  event_key(o, "weights");
  pith_out_print(o, "[");
  for (size_t i = 0; w->weights && i < p->slot_count; i++) {
    pith_out_print(o, i == 0 ? "" : ",");
    put_weights(o, &p->slots[i]);
  }
  pith_out_print(o, "]");
  if (w->atoms > 0)
    put_values(w, p);
  event_end(o);
  return 0;
}

/* Beyond the epoch that was decoded, so that one sees the slots settle. */
static uint32_t epochs_to_show(uint32_t found) {
  return found > UINT32_MAX / 2 ? found : found + found / 2 + EPOCHS_MORE;
}

pith_status put_training(const learning *l) {
  const pith_theory_info *info = pith_learned_info(l->found, 0);
  pith **handles = command_zalloc(l->world_count, sizeof(pith *));
  if (handles == NULL)
    return PITH_ENOMEM;
  for (size_t i = 0; i < l->world_count; i++)
    handles[i] = l->worlds[i].s.p;
  pith_trace_options which = {.restart = info->restart,
                              .epochs = epochs_to_show(info->epoch),
                              .points = POINTS};
  trace_writer w = {.s = &l->worlds[0].s};
  pith_status rc =
      pith_learn_trace(handles, l->world_count, &l->opt, &which, put_point, &w);
  command_free(handles);
  return rc < 0 ? rc : PITH_OK;
}
