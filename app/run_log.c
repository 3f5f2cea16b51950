#include "run_log.h"

#include <assert.h>
#include <string.h>

#include "memory_budget.h"
#include "print_learned.h"

/* A space as it is begun: how far bodies grow in it is seen later. */
static bool is_same_space(const pith_space *a, const pith_space *b) {
  return a->number == b->number && a->count == b->count &&
         a->clauses == b->clauses && a->recursive == b->recursive &&
         a->inequality == b->inequality && a->constants == b->constants &&
         a->noisy == b->noisy && a->invented == b->invented;
}

static bool is_same_history(const pith_progress *a, const pith_progress *b) {
  return strcmp(a->phase, b->phase) == 0 && a->bits == b->bits &&
         a->core == b->core && a->rules == b->rules &&
         a->restarts_done == b->restarts_done && a->epoch == b->epoch;
}

static bool is_news(const pith_progress *last, const pith_progress *now) {
  if (now->space.number > 0)
    return !is_same_space(&last->space, &now->space) ||
           (now->space.clauses && strcmp(last->phase, now->phase) != 0);
  return now->bits > 0 && !is_same_history(last, now);
}

run_log *run_log_new(const char *report) {
  return report == NULL ? NULL : command_zalloc(1, sizeof(run_log));
}

void run_log_free(run_log *l) { command_free(l); }

void run_log_note(run_log *l, const pith_progress *now) {
  static const pith_progress nothing = {.phase = ""};
  if (l == NULL)
    return;
  assert(l->n <= LOG_ROOM);
  const pith_progress *last = l->n == 0 ? &nothing : &l->at[l->n - 1];
  if (l->n < LOG_ROOM && is_news(last, now))
    l->at[l->n++] = *now;
}

static void put_searched(pith_out *o, const pith_progress *now, bool over) {
  event_begin(o, "space");
  if (over)
    event_text(o, "space", NULL);
  else
    put_space(o, &now->space);
  if (now->space.clauses)
    event_count(o, "tried", now->tried);
  event_end(o);
}

static void put_history(pith_out *o, const pith_progress *now) {
  event_begin(o, "history");
  event_text(o, "phase", now->phase);
  event_count(o, "core", now->core);
  event_count(o, "rules", now->rules);
  event_real(o, "bits", now->bits);
  if (now->epoch > 0) {
    event_count(o, "restarts_done", now->restarts_done);
    event_count(o, "epoch", now->epoch);
    event_real(o, "loss", now->loss);
  }
  event_end(o);
}

void run_log_put(const run_log *l, pith_out *o) {
  for (size_t i = 0; l != NULL && i < l->n; i++) {
    const pith_progress *now = &l->at[i];
    if (now->space.number > 0)
      put_searched(o, now, strcmp(now->phase, "clauses searched") == 0);
    else
      put_history(o, now);
  }
}
