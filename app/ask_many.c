/* pith infer --top --queries: the answers to every query of a file. */
#include "deadline.h"
#include "keep_results.h"
#include "model_commands.h"
#include "model_session.h"
#include "query_file.h"

typedef struct {
  session *s;
  pith_model *m;
  const query_list *queries;
  size_t answered, with_answers;
  pith_status status; /* of writing */
} query_run;

/* Which query the answers that follow are to. */
static pith_status put_query(const session *s, const pith_atom *query,
                             size_t line) {
  pith_out *text = NULL;
  pith_status rc = pith_out_memory(s->p, &text);
  if (rc >= 0)
    rc = pith_atom_write(s->p, query, text);
  if (rc >= 0 && session_json(s)) {
    event_begin(s->out, "query");
    event_text(s->out, "text", pith_out_text(text, NULL));
    event_count(s->out, "line", line);
    event_end(s->out);
  } else if (rc >= 0 && session_comments(s)) {
    pith_out_print(s->out, "%% %s\n", pith_out_text(text, NULL));
  }
  pith_out_close(text, false);
  return rc;
}

static int put_answers_to(void *ctx, size_t query, const pith_answer *answers,
                          size_t n) {
  query_run *r = ctx;
  const pith_atom *q = &r->queries->atom[query];
  r->status = put_query(r->s, q, r->queries->line[query]);
  if (r->status >= 0)
    r->status = put_each_answer(r->s, r->m, q, answers, n);
  r->answered++;
  r->with_answers += n > 0;
  return r->status < 0;
}

/* Names every query that the model cannot be asked. */
static int check_queries(const session *s, pith_model *m, const query_list *l) {
  size_t bad = 0;
  for (size_t i = 0; i < l->n; i++)
    if (pith_model_can_ask(m, &l->atom[i]) < 0 && ++bad <= QUERIES_NAMED)
      say_error("%s:%zu: %s", s->set.queries, l->line[i], pith_error(s->p));
  say_more_queries(s->set.queries, bad);
  return bad == 0 ? 0 : EXIT_INPUT;
}

static void put_queries_end(const query_run *r) {
  const session *s = r->s;
  size_t left = r->queries->n - r->answered;
  if (session_json(s)) {
    event_begin(s->out, "result");
    event_flag(s->out, "solved", r->with_answers > 0);
    event_text(s->out, "ended", ending_word(s->end));
    event_count(s->out, "queries", r->queries->n);
    event_count(s->out, "answered", r->answered);
    event_end_result(s);
  } else if (left > 0 && session_comments(s)) {
    pith_out_print(s->out, "%% %s before the last %zu of %zu queries\n",
                   ending_text(s->end), left, r->queries->n);
  }
}

static int answer_queries(session *s, pith_model *m, const query_list *l) {
  query_run r = {.s = s, .m = m, .queries = l};
  model_watcher w;
  pith_run run = {0};
  put_meaning(s, pith_model_info_of(m));
  watch_model(s, &w, &run);
  pith_status rc = pith_model_ask_all(m, l->atom, l->n, s->set.top, &run,
                                      put_answers_to, &r);
  watch_model_end(&w, rc, "ranked");
  if (r.status < 0)
    rc = r.status;
  if (rc < 0)
    return session_fail(s, rc);
  put_queries_end(&r);
  s->info.derived = r.answered; /* what there is when the time is up */
  int code = r.with_answers > 0 ? EXIT_FITS : EXIT_MISFIT;
  return session_finish(s, ending_code(s, code));
}

static uint64_t sum_queries(const query_list *l) {
  uint64_t sum = 0;
  for (size_t i = 0; i < l->n; i++) {
    sum = sum_number(sum, l->atom[i].pred);
    sum =
        sum_number(sum, ((uint64_t)l->args[2 * i] << 32) | l->args[2 * i + 1]);
  }
  return sum;
}

int model_infer_all(session *s) {
  pith_model *m = NULL;
  query_list queries;
  deadline_while("ranking answers");
  int code = read_queries(s, s->set.queries, &queries);
  pith_status rc = PITH_OK;
  if (code == 0) {
    rc = read_asked_model(s, &m);
    code = rc < 0 ? session_fail(s, rc) : check_queries(s, m, &queries);
  }
  if (code == 0)
    code = session_start(s);
  deadline_while(NULL);
  if (code == 0)
    code = keep_results(s, sum_queries(&queries));
  if (code == 0)
    code = answer_queries(s, m, &queries);
  keep_results_end(s);
  pith_model_free(m);
  query_list_free(&queries);
  return code;
}
