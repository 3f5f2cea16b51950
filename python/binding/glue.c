#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void pith_py_free(pith_py_owner *owner) {
  pith_model_free(owner->model);
  pith_soft_free(owner->soft);
  pith_free(owner->p);
}

/* ---- long calls -------------------------------------------------------- */

static bool stop_wanted(void *ctx) {
  pith_py_control *c = ctx;
  return __atomic_load_n(&c->stop, __ATOMIC_RELAXED) != 0;
}

/* The lock guards a copy of some hundred bytes; nobody waits longer. */
static bool try_lock_report(pith_py_control *c) {
  return __atomic_exchange_n(&c->locked, 1, __ATOMIC_ACQUIRE) == 0;
}

static void unlock_report(pith_py_control *c) {
  __atomic_store_n(&c->locked, 0, __ATOMIC_RELEASE);
}

static void keep_report(void *ctx, const pith_progress *now) {
  pith_py_control *c = ctx;
  while (!try_lock_report(c))
    sched_yield();
  c->latest = *now;
  c->turns++;
  unlock_report(c);
}

void pith_py_watch(pith_run *run, pith_py_control *control) {
  run->stop = stop_wanted;
  run->stop_ctx = control;
  run->progress = keep_report;
  run->progress_ctx = control;
}

void pith_py_stop(pith_py_control *control) {
  __atomic_store_n(&control->stop, 1, __ATOMIC_RELAXED);
}

bool pith_py_report(pith_py_control *control, unsigned *turns,
                    pith_progress *out) {
  if (!try_lock_report(control))
    return false;
  bool fresh = control->turns != *turns;
  if (fresh) {
    *out = control->latest;
    *turns = control->turns;
  }
  unlock_report(control);
  return fresh;
}

enum { LOOK_EVERY = 4096 }; /* short turns of a loop between two looks */

/* Whether the turn of a loop must be its last. */
static bool is_last_turn(pith_py_control *c, size_t turn) {
  return c != NULL && turn % LOOK_EVERY == 0 && stop_wanted(c);
}

/* ---- rows -------------------------------------------------------------- */

typedef struct {
  pith_sym *to;
  pith_py_control *control;
  size_t turns;
  bool stopped;
} row_copy;

static int copy_row(void *ctx, pith_pred pred, const pith_sym *args, size_t n) {
  row_copy *c = ctx;
  (void)pred;
  c->stopped = is_last_turn(c->control, c->turns++);
  if (n > 0)
    memcpy(c->to, args, n * sizeof *args);
  c->to += n;
  return c->stopped;
}

pith_status pith_py_rows(const pith *p, pith_pred pred, pith_part part,
                         pith_sym *out, pith_py_control *control) {
  row_copy c = {out, control, 0, false};
  pith_fact_each(p, pred, part, copy_row, &c);
  return c.stopped ? PITH_ELIMIT : PITH_OK;
}

pith_status pith_py_add_rows(pith *p, pith_pred pred, const pith_sym *rows,
                             size_t count, pith_py_control *control) {
  size_t arity = pith_pred_arity(p, pred);
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc >= 0 && i < count; i++)
    rc = is_last_turn(control, i)
             ? PITH_ELIMIT
             : pith_fact_add(p, pred, rows + i * arity, arity);
  return rc;
}

/* ---- objects by address ------------------------------------------------- */

typedef struct {
  void *object;
  int32_t number; /* -1: the slot is free */
} object_slot;

typedef struct {
  object_slot *slots;
  size_t mask, count;
} object_numbers;

static object_slot *find_object(const object_numbers *t, void *object) {
  uint64_t mixed = (uint64_t)(uintptr_t)object * UINT64_C(0x9e3779b97f4a7c15);
  size_t i = (size_t)(mixed >> 32) & t->mask;
  while (t->slots[i].number >= 0 && t->slots[i].object != object)
    i = (i + 1) & t->mask;
  return &t->slots[i];
}

static bool resize_objects(object_numbers *t, size_t slots) {
  object_numbers next = {malloc(slots * sizeof *next.slots), slots - 1,
                         t->count};
  if (next.slots == NULL)
    return false;
  memset(next.slots, 0xff, slots * sizeof *next.slots);
  for (size_t i = 0; t->slots != NULL && i <= t->mask; i++)
    if (t->slots[i].number >= 0)
      *find_object(&next, t->slots[i].object) = t->slots[i];
  free(t->slots);
  *t = next;
  return true;
}

size_t pith_py_number_objects(void *const *objects, size_t n, size_t most,
                              int32_t *codes, int64_t *first,
                              pith_py_control *control) {
  object_numbers t = {0};
  bool fine = resize_objects(&t, 1024);
  for (size_t i = 0; fine && i < n; i++) {
    object_slot *slot = find_object(&t, objects[i]);
    if (slot->number < 0) {
      fine = t.count < most;
      if (!fine)
        break;
      first[t.count] = (int64_t)i;
      *slot = (object_slot){objects[i], (int32_t)t.count++};
      codes[i] = slot->number;
      fine = t.count * 2 <= t.mask || resize_objects(&t, 2 * (t.mask + 1));
      continue;
    }
    codes[i] = slot->number;
    if (is_last_turn(control, i))
      fine = false;
  }
  free(t.slots);
  return fine ? t.count : most + 1;
}

/* ---- a handle into another --------------------------------------------- */

typedef struct {
  const pith *from;
  pith *to;
  pith_sym *syms; /* (constants of from): the same one in to */
  pith_pred *preds;
  pith_status status;
  pith_part part;
  pith_py_control *control;
  size_t turns;
} transfer;

static bool must_end(transfer *t) {
  return is_last_turn(t->control, t->turns++);
}

static pith_status transfer_sym(transfer *t, pith_sym s) {
  const char *text = pith_sym_text(t->from, s);
  return pith_sym_add(t->to, text, strlen(text), pith_sym_kind_of(t->from, s),
                      &t->syms[s]);
}

static pith_status transfer_pred(transfer *t, pith_pred p) {
  return pith_pred_add(t->to, pith_pred_name(t->from, p),
                       pith_pred_arity(t->from, p), &t->preds[p]);
}

static pith_status transfer_names(transfer *t) {
  size_t syms = pith_sym_count(t->from), preds = pith_pred_count(t->from);
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc >= 0 && i < syms; i++)
    rc = must_end(t) ? PITH_ELIMIT : transfer_sym(t, (pith_sym)i);
  for (size_t i = 0; rc >= 0 && i < preds; i++)
    rc = transfer_pred(t, (pith_pred)i);
  return rc;
}

enum { WIDE = 64 }; /* arguments that need no allocation */

static pith_sym *argument_room(size_t n, pith_sym *small) {
  return n <= WIDE ? small : malloc(n * sizeof *small);
}

static int transfer_fact(void *ctx, pith_pred pred, const pith_sym *args,
                         size_t n) {
  transfer *t = ctx;
  pith_sym small[WIDE], *room = argument_room(n, small);
  if (room == NULL || must_end(t)) {
    t->status = room == NULL ? PITH_ENOMEM : PITH_ELIMIT;
    if (room != small)
      free(room);
    return 1;
  }
  for (size_t i = 0; i < n; i++)
    room[i] = t->syms[args[i]];
  t->status = pith_fact_add(t->to, t->preds[pred], room, n);
  if (room != small)
    free(room);
  return t->status < 0;
}

static pith_status transfer_example(transfer *t, const pith_example *e) {
  size_t n = e->atom.arity;
  pith_sym small[WIDE], *room = argument_room(n, small);
  if (room == NULL)
    return PITH_ENOMEM;
  for (size_t i = 0; i < n; i++)
    room[i] = t->syms[e->atom.args[i]];
  pith_status rc = pith_example_add(t->to, t->preds[e->atom.pred], room, n,
                                    e->positive, e->weight);
  if (room != small)
    free(room);
  return rc;
}

static pith_status transfer_contents(transfer *t) {
  pith_status rc = transfer_names(t);
  for (size_t i = 0; rc >= 0 && i < pith_pred_count(t->from); i++) {
    pith_fact_each(t->from, (pith_pred)i, t->part, transfer_fact, t);
    rc = t->status;
  }
  size_t examples = t->part == PITH_DERIVED ? 0 : pith_example_count(t->from);
  for (size_t i = 0; rc >= 0 && i < examples; i++)
    rc = must_end(t) ? PITH_ELIMIT
                     : transfer_example(t, pith_example_at(t->from, i));
  return rc;
}

/* Every number stands for a name that was not transferred yet. */
static bool make_transfer(const pith *from, pith *to, transfer *t) {
  size_t room = pith_sym_count(from) + pith_pred_count(from) + 1;
  *t = (transfer){.from = from, .to = to};
  t->syms = malloc(room * sizeof *t->syms);
  if (t->syms == NULL)
    return false;
  memset(t->syms, 0xff, room * sizeof *t->syms);
  t->preds = t->syms + pith_sym_count(from);
  return true;
}

pith_status pith_py_merge(const pith *from, pith_part part, pith *to,
                          pith_py_control *control) {
  transfer t;
  if (!make_transfer(from, to, &t))
    return PITH_ENOMEM;
  t.part = part;
  t.control = control;
  pith_status rc = transfer_contents(&t);
  free(t.syms);
  return rc;
}

/* The names of an atom that are not there yet, in the order of their use. */
static pith_status transfer_atom_names(transfer *t, const pith_atom *a) {
  pith_status rc = PITH_OK;
  if (t->preds[a->pred] == PITH_NONE)
    rc = transfer_pred(t, a->pred);
  for (size_t i = 0; rc >= 0 && i < a->arity; i++)
    if (t->syms[a->args[i]] == PITH_NONE)
      rc = transfer_sym(t, a->args[i]);
  return rc;
}

pith_status pith_py_compressed_facts(const pith *from,
                                     const pith_compressed *found,
                                     pith_compressed_part part, pith *to) {
  transfer t;
  pith_atom atom;
  if (!make_transfer(from, to, &t))
    return PITH_ENOMEM;
  for (size_t i = 0; t.status >= 0; i++) {
    if (!pith_compressed_fact(found, part, i, &atom, NULL))
      break;
    t.status = transfer_atom_names(&t, &atom);
    if (t.status >= 0)
      transfer_fact(&t, atom.pred, atom.args, atom.arity);
  }
  free(t.syms);
  return t.status;
}

/* In an empty handle every name gets the number that it has in from. */
pith_status pith_py_copy(const pith *from, pith *to, pith_py_control *control) {
  pith_status rc = pith_py_merge(from, PITH_GIVEN, to, control);
  for (size_t i = 0; rc >= 0 && i < pith_rule_count(from); i++)
    rc = pith_rule_add(to, pith_rule_at(from, i));
  return rc;
}

/* ---- reasons ------------------------------------------------------------ */

static void write_member(const char *name, pith_out *o) {
  pith_out_print(o, ",\"%s\":{", name);
}

static int write_reason(void *ctx, const pith_reason *r) {
  pith_py_reasons *w = ctx;
  pith_out_print(w->out, "{\"groundings\":%llu",
                 (unsigned long long)r->groundings);
  if (r->weight == r->weight)
    pith_out_print(w->out, ",\"weight\":%.17g", r->weight);
  pith_out_print(w->out, ",\"confidence\":%.17g,\"atoms\":[",
                 r->rule->probability);
  for (size_t i = 0; i < r->atoms; i++) {
    pith_out_print(w->out, i == 0 ? "{" : ",{");
    pith_atom_write_json(w->p, &r->grounding[i], w->out);
    pith_out_print(w->out, "}");
  }
  pith_out_print(w->out, "]");
  write_member("rule", w->out);
  pith_rule_write_json(w->p, r->rule, w->out);
  return pith_out_print(w->out, "}}\n") < 0;
}

pith_status pith_py_model_reasons(pith *p, pith_model *m,
                                  const pith_atom *query, pith_sym answer,
                                  size_t most, pith_out *out) {
  pith_py_reasons w = {p, out};
  return pith_model_reasons(m, query, answer, most, write_reason, &w);
}
