/* Many questions to a model at once, shared out to threads and to the
** processes of a team, a block at a time: the answers to a block are all in
** memory, and are visited in order before the next is asked. */
#include <assert.h>

#include "graph/model.h"

enum { BLOCK = 4096 }; /* questions */

typedef PITH_I_VEC(pith_answer) answer_list;

typedef struct {
  pith_i_model *m;
  const pith_i_model_question *questions; /* of the block */
  size_t most;
  pith_i_model *askers; /* (jobs) the model with an applier of its own */
  answer_list found[BLOCK];
  uint32_t maker[BLOCK]; /* the worker whose memory the list is */
} answer_job;

/* What is asked lies in the applier and in the answers; all else is only read.
** A soft model has more, so it has one asker. */
static pith_status begin_asker(const pith_i_model *m, pith_i_env *env,
                               pith_i_model *asker) {
  *asker = *m;
  asker->env = env;
  asker->answers.at = NULL;
  asker->answers.n = asker->answers.cap = 0;
  asker->ratings.at = NULL;
  asker->ratings.n = asker->ratings.cap = 0;
  return pith_i_applier_new(env, m->index, &asker->applier);
}

static void end_asker(pith_i_env *env, pith_i_model *asker) {
  pith_i_applier_free(env, asker->applier);
  pith_i_vec_free(env, &asker->answers);
  pith_i_vec_free(env, &asker->ratings);
}

static pith_status answer_question(void *ctx, pith_i_worker *w, size_t item) {
  answer_job *j = ctx;
  pith_i_model *asker = &j->askers[w->number];
  const pith_i_model_question *q = &j->questions[item];
  answer_list *out = &j->found[item];
  size_t count = 0;
  assert(item < BLOCK && out->n == 0);
  j->maker[item] = w->number;
  pith_status rc =
      asker->applier != NULL ? PITH_OK : begin_asker(j->m, &w->env, asker);
  if (rc >= 0)
    rc = pith_i_model_ask(asker, q->x, q->way, j->most, &count);
  if (rc >= 0 && !pith_i_room(&w->env, out, count))
    rc = PITH_ENOMEM;
  for (size_t i = 0; rc >= 0 && i < count; i++)
    out->at[out->n++] = asker->answers.at[i];
  return rc;
}

static void forget_answers(answer_job *j, pith_i_crew *c, size_t item) {
  pith_i_vec_free(&c->workers[j->maker[item]].env, &j->found[item]);
}

static pith_status pack_answers(void *ctx, pith_i_crew *c, size_t first,
                                size_t last, pith_i_buffer *out) {
  answer_job *j = ctx;
  for (size_t i = first; i < last; i++) {
    if (!pith_i_buffer_put_vec(c->owner, out, &j->found[i]))
      return PITH_ENOMEM;
    forget_answers(j, c, i);
  }
  return PITH_OK;
}

static pith_status unpack_answers(void *ctx, pith_i_crew *c, size_t first,
                                  size_t last, pith_i_cursor *in) {
  answer_job *j = ctx;
  for (size_t i = first; i < last; i++) {
    j->maker[i] = 0;
    if (!pith_i_cursor_take_vec(&c->workers[0].env, in, &j->found[i]))
      return PITH_ENOMEM;
  }
  return PITH_OK;
}

/* The block whose first question is number `first` of all. */
static pith_status answer_block(answer_job *j, pith_i_crew *crew, size_t first,
                                size_t n, pith_answers_visit visit, void *ctx) {
  const pith_i_shared_loop questions = {
      n, answer_question, pack_answers, unpack_answers, false, 0};
  pith_status rc = pith_i_crew_share(crew, &questions, j);
  bool stop = false;
  for (size_t i = 0; i < n; i++) {
    if (rc == PITH_OK && !stop)
      stop = visit(ctx, first + i, j->found[i].at, j->found[i].n) != 0;
    forget_answers(j, crew, i);
  }
  return rc == PITH_OK && stop ? PITH_STOPPED : rc;
}

static void answer_job_free(answer_job *j, pith_i_crew *crew) {
  for (uint32_t i = 0; j->askers != NULL && i < crew->jobs; i++)
    end_asker(&crew->workers[i].env, &j->askers[i]);
  pith_i_release(crew->owner, j->askers);
  pith_i_release(crew->owner, j);
}

pith_status pith_i_model_ask_all(pith_i_model *m,
                                 const pith_i_model_question *questions,
                                 size_t n, size_t most, pith_i_run *run,
                                 pith_answers_visit visit, void *ctx) {
  pith_i_crew *crew = NULL;
  pith_status rc =
      pith_i_crew_new(m->env, m->soft != NULL ? 1 : run->user.jobs, &crew);
  if (rc < 0)
    return rc;
  crew->run = run;
  run->now.phase = "answers";
  run->now.stages = 1;
  run->now.stage = 1;
  answer_job *j = pith_i_zalloc(m->env, 1, sizeof *j);
  if (j != NULL) {
    j->m = m;
    j->most = most;
    j->askers = pith_i_zalloc(m->env, crew->jobs, sizeof *j->askers);
  }
  rc = j == NULL || j->askers == NULL ? PITH_ENOMEM : PITH_OK;
  for (size_t at = 0; rc == PITH_OK && at < n; at += BLOCK) {
    j->questions = questions + at;
    rc = answer_block(j, crew, at, n - at < BLOCK ? n - at : BLOCK, visit, ctx);
  }
  if (j != NULL)
    answer_job_free(j, crew);
  pith_i_crew_free(crew);
  return rc;
}
