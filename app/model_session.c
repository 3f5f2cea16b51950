#include "model_session.h"

#include <math.h>

#include "deadline.h"
#include "find_inputs.h"

bool is_graph(const pith *p) {
  if (pith_example_count(p) > 0 || pith_template_count(p) > 0)
    return false;
  for (pith_pred i = 0; i < pith_pred_count(p); i++)
    if (pith_pred_arity(p, i) == 2 && pith_fact_count(p, i, PITH_GIVEN) > 0)
      return true;
  return false;
}

bool is_model(const pith *p) {
  pith_pred mark = pith_pred_find(p, "pith_model", 3);
  if (mark != PITH_NONE && pith_fact_count(p, mark, PITH_GIVEN) > 0)
    return true;
  for (size_t i = 0; i < pith_rule_count(p); i++)
    if (pith_rule_at(p, i)->probability > 0)
      return true;
  return false;
}

/* ---- parts of a folder ------------------------------------------------ */

int read_graph_part(const session *s, const char *part, session *out) {
  *out = *s;
  out->p = NULL;
  out->out = NULL;
  for (size_t i = 0; i < s->operand_count; i++) {
    if (!is_folder(s->operands[i]))
      continue;
    int code = session_new(out);
    if (code == 0)
      code = session_read_part(out, s->operands[i], part);
    if (code != 0 || out->p != NULL)
      return code;
  }
  return 0;
}

/* ---- progress --------------------------------------------------------- */

static void put_progress_event(pith_out *o, const pith_progress *now) {
  event_begin(o, "progress");
  event_text(o, "what", now->phase);
  event_count(o, "stage", now->stage);
  event_count(o, "stages", now->stages);
  event_count(o, "done", now->done);
  event_count(o, "count", now->count);
  event_real(o, "seconds", now->seconds);
  event_end(o);
  pith_out_flush(o);
}

static void show_model_progress(void *ctx, const pith_progress *now) {
  model_watcher *w = ctx;
  char left[SIZE_ROOM];
  atomic_store(&w->rules, now->rules);
  if (!progress_due(&w->line))
    return;
  double share = now->count == 0 ? 0 : (double)now->done / (double)now->count;
  if (w->json) {
    put_progress_event(w->s->out, now);
  } else if (w->line.wanted) {
    double all = (double)now->stage - 1 + share;
    seconds_text(left, all <= 0 ? 0
                                : now->seconds *
                                      fmax((double)now->stages - all, 0) / all);
    progress_say(&w->line, "about %s to go; part %u of %u, %.0f %%, %s",
                 all <= 0 ? "?" : left, now->stage, now->stages, 100 * share,
                 now->phase);
  }
}

/* The time is for writing the rules as well: each takes some microseconds. */
static bool model_stop(void *ctx) {
  const double seconds_per_rule = 1.2e-5;
  model_watcher *w = ctx;
  double left = deadline_left();
  return interrupted() ||
         (left > 0 && left < seconds_per_rule * (double)atomic_load(&w->rules));
}

void watch_model(session *s, model_watcher *w, pith_run *run) {
  *w = (model_watcher){
      .s = s, .began = seconds_now(), .json = text_is(s->set.progress, "json")};
  atomic_init(&w->rules, 0);
  progress_begin(&w->line, &s->set);
  run->jobs = s->set.jobs;
  run->seconds = deadline_left();
  run->stop = model_stop;
  run->stop_ctx = w;
  run->progress = show_model_progress;
  run->progress_ctx = w;
}

void watch_model_end(model_watcher *w, pith_status rc, const char *did) {
  session *s = w->s;
  progress_end(&w->line, &s->set);
  s->did = did;
  s->info.seconds = seconds_now() - w->began;
  s->end = rc == PITH_FULL      ? END_MEMORY
           : rc != PITH_STOPPED ? END_COMPLETE
           : interrupted()      ? END_INTERRUPTED
                                : END_TIME;
}
