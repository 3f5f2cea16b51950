#include "graph/open_questions.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "base/tunables.h"
#include "graph/answer_rating.h"

typedef struct {
  uint32_t x;
  pith_i_way way;
  float weight;
} open_question;

typedef struct {
  pith_i_applier *applier;
  uint32_t *mark; /* (entities) 2 x the question, + 1 where it was held out */
  uint32_t marks;
} open_worker;

typedef struct {
  const pith_i_rule_index *index;
  const pith_i_held_out *e;
  const pith_i_scoring *const *folds;
  uint64_t seed;
  uint32_t draws; /* of one sort and way */
  PITH_I_VEC(open_question) questions;
  open_worker *workers;     /* (jobs) */
  pith_i_open_answer *best; /* (questions, PITH_I_OPEN_ANSWERS) */
  uint8_t *found;           /* (questions) how many of them are there */
} open_job;

void pith_i_open_answers_free(pith_i_env *env, pith_i_open_answers *a) {
  pith_i_vec_free(env, &a->answers);
  a->questions = 0;
}

/* ---- whom to ask ------------------------------------------------------ */

static bool is_asked(const open_job *t, uint32_t x, pith_i_way way) {
  return pith_i_held_out_range(t->e, x, way, true).n > 0;
}

static const pith_i_scoring *scoring_of(const open_job *t, uint32_t x,
                                        pith_i_way way) {
  pith_i_question_range asked = pith_i_held_out_range(t->e, x, way, true);
  return t->folds[pith_i_fold(asked.n > 0 ? asked.at[0].fact : x)];
}

/* Those that miss an answer: questions [first, last) of a way. */
static pith_status draw_asked(pith_i_env *env, open_job *t, size_t first,
                              size_t last) {
  const pith_i_question *q = t->e->questions.at;
  size_t n = 0, from = t->questions.n;
  for (size_t i = first; i < last; i++)
    n += i == first || q[i].x != q[i - 1].x;
  for (size_t i = first; i < last; i++) {
    uint64_t dice =
        pith_i_random(t->seed, 7, ((uint64_t)q[i].way << 32) | q[i].x);
    if ((i > first && q[i].x == q[i - 1].x) ||
        (n > t->draws && dice % n >= t->draws))
      continue;
    if (!pith_i_push(env, &t->questions, (open_question){q[i].x, q[i].way, 1}))
      return PITH_ENOMEM;
  }
  for (size_t i = from; i < t->questions.n; i++)
    t->questions.at[i].weight = (float)n / (float)(t->questions.n - from);
  return PITH_OK;
}

/* Entities that miss nothing: those that have this way, or the others. */
static pith_status draw_others(pith_i_env *env, open_job *t, pith_i_way way,
                               bool with) {
  const pith_i_graph *g = t->index->g;
  uint32_t n = with ? pith_i_way_nodes(g, way) : g->entities;
  uint32_t tries = n < t->draws ? n : t->draws;
  for (uint32_t i = 0; i < tries; i++) {
    uint64_t dice = pith_i_random(t->seed, 8 + with, ((uint64_t)way << 32) | i);
    uint32_t at = tries == n ? i : (uint32_t)(dice % n);
    uint32_t x =
        with ? pith_i_run_node(g, g->way_run[g->way_first[way] + at]) : at;
    if (is_asked(t, x, way) ||
        (!with && pith_i_graph_run(g, x, way) != PITH_NONE))
      continue;
    open_question q = {x, way, (float)n / (float)tries};
    if (!pith_i_push(env, &t->questions, q))
      return PITH_ENOMEM;
  }
  return PITH_OK;
}

static pith_status draw_questions(pith_i_env *env, open_job *t) {
  const pith_i_question *q = t->e->questions.at;
  size_t n = t->e->questions.n, end, ways = 0;
  for (size_t i = 0; i < n; i++)
    ways += q[i].way != PITH_NONE && (i == 0 || q[i].way != q[i - 1].way);
  size_t draws = PITH_TUNE_OPEN_DRAWS / (ways + (ways == 0));
  draws = draws < PITH_TUNE_OPEN_DRAWS_LEAST  ? PITH_TUNE_OPEN_DRAWS_LEAST
          : draws > PITH_TUNE_OPEN_DRAWS_MOST ? PITH_TUNE_OPEN_DRAWS_MOST
                                              : draws;
  t->draws = draws < t->draws ? (uint32_t)draws : t->draws;
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc >= 0 && i < n && q[i].way != PITH_NONE; i = end) {
    for (end = i + 1; end < n && q[end].way == q[i].way;)
      end++;
    rc = draw_asked(env, t, i, end);
    if (rc >= 0)
      rc = draw_others(env, t, q[i].way, true);
    if (rc >= 0)
      rc = draw_others(env, t, q[i].way, false);
  }
  return rc;
}

/* ---- one question ----------------------------------------------------- */

/* Marks what is known and what was held out; how many are known. */
static uint64_t mark_answers(const open_job *t, open_worker *w,
                             const open_question *q) {
  const pith_i_graph *g = t->index->g;
  uint32_t run = pith_i_graph_run(g, q->x, q->way);
  uint64_t known = 0;
  w->marks++;
  pith_i_question_range all = pith_i_held_out_range(t->e, q->x, q->way, false);
  pith_i_question_range asked = pith_i_held_out_range(t->e, q->x, q->way, true);
  for (size_t i = 0; i < all.n; i++)
    w->mark[all.at[i].truth] = 2 * w->marks;
  for (size_t i = 0; i < asked.n; i++)
    w->mark[asked.at[i].truth] = 2 * w->marks + 1;
  for (size_t i = 0; i < all.n; i++)
    known += w->mark[all.at[i].truth] == 2 * w->marks;
  for (uint32_t i = run == PITH_NONE ? 0 : g->run_edge[run];
       run != PITH_NONE && i < g->run_edge[run + 1]; i++, known++)
    w->mark[g->target[i]] = 2 * w->marks;
  return known;
}

static uint64_t count_known(const open_job *t, uint32_t x, pith_i_way way) {
  return pith_i_graph_degree(t->index->g, x, way) +
         pith_i_held_out_range(t->e, x, way, false).n -
         pith_i_held_out_range(t->e, x, way, true).n;
}

static void keep_best(pith_i_open_answer *best, uint32_t *place, uint8_t *n,
                      double score, uint32_t at_candidate) {
  if (*n == PITH_I_OPEN_ANSWERS && score <= best[*n - 1].score)
    return;
  uint32_t at = *n < PITH_I_OPEN_ANSWERS ? (*n)++ : *n - 1u;
  for (; at > 0 && best[at - 1].score < score; at--) {
    best[at] = best[at - 1];
    place[at] = place[at - 1];
  }
  best[at].score = score;
  place[at] = at_candidate;
}

static void describe_answer(const open_job *t, const open_worker *w,
                            const pith_i_asked *q,
                            const pith_i_link_candidate *c,
                            pith_i_open_answer *out) {
  const pith_i_scoring *s = scoring_of(t, q->x, q->way);
  double own =
      pith_i_aggregate_odds((pith_i_aggregator)s->method[q->way], out->score);
  uint64_t back = count_known(t, c->entity, PITH_I_OPPOSITE(q->way));
  out->way = q->way;
  out->x = q->x;
  out->y = c->entity;
  out->truth = w->mark[c->entity] == 2 * w->marks + 1;
  out->asked = is_asked(t, q->x, q->way);
  out->itself = c->entity == q->x;
  pith_i_find_clues(q, c->entity, own, (double)c->top[0], back, &out->clues);
}

static void rate_answers(const open_job *t, open_worker *w,
                         const open_question *q, pith_i_open_answer *best,
                         uint8_t *n) {
  const pith_i_scoring *s = scoring_of(t, q->x, q->way);
  pith_i_aggregator m = (pith_i_aggregator)s->method[q->way];
  pith_i_asked asked = {.g = t->index->g,
                        .shapes = &t->index->shapes,
                        .x = q->x,
                        .way = q->way,
                        .known = mark_answers(t, w, q)};
  uint32_t place[PITH_I_OPEN_ANSWERS];
  double sum = 0;
  bool spoken = false;
  for (size_t i = 0; i < w->applier->candidates.n; i++) {
    const pith_i_link_candidate *c = &w->applier->candidates.at[i];
    if (w->mark[c->entity] == 2 * w->marks)
      continue;
    double score = pith_i_aggregate(m, pith_i_weights(s, q->way), c);
    sum += exp(pith_i_aggregate_odds(m, score));
    spoken = spoken || c->rules > 0;
    keep_best(best, place, n, score, (uint32_t)i);
  }
  asked.all = log(sum);
  *n = spoken ? *n : 0;
  for (uint8_t i = 0; i < *n; i++)
    describe_answer(t, w, &asked, &w->applier->candidates.at[place[i]],
                    &best[i]);
  for (uint8_t i = 0; i < *n; i++) {
    best[i].weight = q->weight;
    best[i].first = i == 0;
  }
}

static pith_status open_worker_init(pith_i_env *env, const pith_i_rule_index *b,
                                    open_worker *w) {
  w->mark = pith_i_zalloc(env, (size_t)b->g->entities + 1, sizeof *w->mark);
  return w->mark == NULL ? PITH_ENOMEM
                         : pith_i_applier_new(env, b, &w->applier);
}

static pith_status answer_openly(void *ctx, pith_i_worker *worker,
                                 size_t item) {
  open_job *t = ctx;
  open_worker *w = &t->workers[worker->number];
  const open_question *q = &t->questions.at[item];
  pith_status rc =
      w->mark != NULL ? PITH_OK : open_worker_init(&worker->env, t->index, w);
  if (rc >= 0)
    rc = pith_i_apply_rules(w->applier, q->x, q->way);
  if (rc >= 0)
    rate_answers(t, w, q, t->best + item * PITH_I_OPEN_ANSWERS,
                 &t->found[item]);
  return rc;
}

static pith_status pack_open(void *ctx, pith_i_crew *c, size_t first,
                             size_t last, pith_i_buffer *out) {
  const open_job *t = ctx;
  bool ok = pith_i_buffer_put(c->owner, out, t->found + first, last - first);
  for (size_t i = first; ok && i < last; i++)
    ok = pith_i_buffer_put(c->owner, out, t->best + i * PITH_I_OPEN_ANSWERS,
                           t->found[i] * sizeof *t->best);
  return ok ? PITH_OK : PITH_ENOMEM;
}

static pith_status unpack_open(void *ctx, pith_i_crew *c, size_t first,
                               size_t last, pith_i_cursor *in) {
  const open_job *t = ctx;
  (void)c;
  pith_i_cursor_take(in, t->found + first, last - first);
  for (size_t i = first; i < last; i++) {
    in->ok = in->ok && t->found[i] <= PITH_I_OPEN_ANSWERS;
    t->found[i] = in->ok ? t->found[i] : 0;
    pith_i_cursor_take(in, t->best + i * PITH_I_OPEN_ANSWERS,
                       t->found[i] * sizeof *t->best);
  }
  return PITH_OK;
}

/* ---- all of them ------------------------------------------------------ */

static pith_status gather_answers(pith_i_env *env, const open_job *t,
                                  pith_i_open_answers *out) {
  for (size_t i = 0; i < t->questions.n; i++) {
    out->questions += t->found[i] > 0;
    for (uint8_t k = 0; k < t->found[i]; k++)
      if (!pith_i_push(env, &out->answers,
                       t->best[i * PITH_I_OPEN_ANSWERS + k]))
        return PITH_ENOMEM;
  }
  return PITH_OK;
}

static pith_status answer_all(pith_i_crew *crew, open_job *t,
                              pith_i_open_answers *out) {
  pith_i_env *env = crew->owner;
  size_t n = t->questions.n;
  t->workers = pith_i_zalloc(env, crew->jobs, sizeof *t->workers);
  t->best = pith_i_zalloc(env, n * PITH_I_OPEN_ANSWERS + 1, sizeof *t->best);
  t->found = pith_i_zalloc(env, n + 1, 1);
  if (t->workers == NULL || t->best == NULL || t->found == NULL)
    return PITH_ENOMEM;
  const pith_i_shared_loop questions = {n,           answer_openly, pack_open,
                                        unpack_open, false,         0};
  pith_status rc = pith_i_crew_share(crew, &questions, t);
  return rc == PITH_OK ? gather_answers(env, t, out) : rc;
}

static void open_workers_free(pith_i_crew *crew, open_job *t) {
  for (uint32_t i = 0; t->workers != NULL && i < crew->jobs; i++) {
    pith_i_applier_free(&crew->workers[i].env, t->workers[i].applier);
    pith_i_release(&crew->workers[i].env, t->workers[i].mark);
  }
  pith_i_release(crew->owner, t->workers);
}

pith_status pith_i_ask_openly(pith_i_crew *crew, const pith_i_rule_index *index,
                              const pith_i_held_out *e,
                              const pith_i_scoring *const folds[2],
                              uint64_t seed, uint32_t per_way,
                              pith_i_open_answers *out) {
  open_job t = {
      .index = index, .e = e, .folds = folds, .seed = seed, .draws = per_way};
  pith_i_env *env = crew->owner;
  pith_status rc = draw_questions(env, &t);
  if (rc >= 0)
    rc = answer_all(crew, &t, out);
  open_workers_free(crew, &t);
  pith_i_release(env, t.best);
  pith_i_release(env, t.found);
  pith_i_vec_free(env, &t.questions);
  return rc;
}

/* ---- from the other side ---------------------------------------------- */

typedef struct {
  pith_i_way way; /* in which it is asked now */
  uint32_t y, answer;
} back_question;

typedef struct {
  pith_i_open_answer *answers;
  PITH_I_VEC(back_question) asked; /* those of one entity side by side */
  PITH_I_VEC(uint32_t) group;      /* where they begin, and where all end */
  open_job open;
} back_job;

static int compare_back(const void *left, const void *right) {
  const back_question *a = left, *b = right;
  if (a->way != b->way)
    return a->way < b->way ? -1 : 1;
  if (a->y != b->y)
    return a->y < b->y ? -1 : 1;
  return (a->answer > b->answer) - (a->answer < b->answer);
}

static bool is_same_back(const back_question *a, const back_question *b) {
  return a->way == b->way && a->y == b->y;
}

static pith_status add_back(pith_i_env *env, back_job *t, size_t i) {
  const pith_i_open_answer *a = &t->answers[i];
  back_question q = {PITH_I_OPPOSITE(a->way), a->y, (uint32_t)i};
  return pith_i_push(env, &t->asked, q) ? PITH_OK : PITH_ENOMEM;
}

static void sort_back(back_job *t) {
  if (t->asked.n > 0)
    qsort(t->asked.at, t->asked.n, sizeof *t->asked.at, compare_back);
}

/* How many questions all answers lead to: many answers are the same. */
static pith_status count_back(pith_i_env *env, back_job *t, size_t answers,
                              size_t *count) {
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc >= 0 && i < answers; i++)
    rc = add_back(env, t, i);
  sort_back(t);
  *count = 0;
  for (size_t i = 0; rc >= 0 && i < t->asked.n; i++)
    *count += i == 0 || !is_same_back(&t->asked.at[i], &t->asked.at[i - 1]);
  t->asked.n = 0;
  return rc;
}

/* The answers of whole questions, drawn so that they lead to `most` questions
** or some more. */
static pith_status draw_back(pith_i_env *env, back_job *t, size_t most,
                             size_t n) {
  const uint64_t whole = 1u << 30;
  double all = 0, some = 0;
  bool drawn = false;
  size_t count;
  pith_status rc = count_back(env, t, n, &count);
  double share = (double)most / ((double)count + 1);
  for (size_t i = 0; rc >= 0 && i < n; i++) {
    pith_i_open_answer *a = &t->answers[i];
    if (a->first)
      drawn = (double)(pith_i_random(t->open.seed, 10, i) % whole) <
              share * (double)whole;
    all += (double)a->weight;
    some += drawn ? (double)a->weight : 0;
    a->back_weight = drawn ? a->weight : 0;
    if (drawn)
      rc = add_back(env, t, i);
  }
  for (size_t i = 0; some > 0 && i < n; i++)
    t->answers[i].back_weight *= (float)(all / some);
  return rc;
}

static pith_status group_back(pith_i_env *env, back_job *t) {
  const back_question *q = t->asked.at;
  sort_back(t);
  for (size_t i = 0; i <= t->asked.n; i++)
    if ((i == 0 || i == t->asked.n || !is_same_back(&q[i], &q[i - 1])) &&
        !pith_i_push(env, &t->group, (uint32_t)i))
      return PITH_ENOMEM;
  return PITH_OK;
}

/* The log of the sum of the exponentials of the odds of all that is marked as
** not known. */
static double add_unknown(const open_worker *w, const pith_i_scoring *s,
                          pith_i_way way) {
  pith_i_aggregator m = (pith_i_aggregator)s->method[way];
  double sum = -INFINITY;
  for (size_t i = 0; i < w->applier->candidates.n; i++) {
    const pith_i_link_candidate *c = &w->applier->candidates.at[i];
    if (w->mark[c->entity] != 2 * w->marks)
      sum = pith_i_add_logs(
          sum, pith_i_aggregate_odds(
                   m, pith_i_aggregate(m, pith_i_weights(s, way), c)));
  }
  return sum;
}

/* By the weights that the answer was found with. */
static void describe_back(const open_job *t, const open_worker *w,
                          const pith_i_asked *q, pith_i_open_answer *a) {
  const pith_i_scoring *s = scoring_of(t, a->x, a->way);
  pith_i_aggregator m = (pith_i_aggregator)s->method[q->way];
  uint32_t slot = w->applier->slot[a->x];
  a->unspoken = slot == 0;
  if (slot == 0)
    return;
  const pith_i_link_candidate *c = &w->applier->candidates.at[slot - 1];
  double own = pith_i_aggregate_odds(
      m, pith_i_aggregate(m, pith_i_weights(s, q->way), c));
  pith_i_find_clues(q, a->x, own, (double)c->top[0],
                    count_known(t, a->x, a->way), &a->back);
}

static pith_status answer_back(void *ctx, pith_i_worker *worker, size_t item) {
  back_job *t = ctx;
  open_job *o = &t->open;
  open_worker *w = &o->workers[worker->number];
  size_t first = t->group.at[item], last = t->group.at[item + 1];
  open_question q = {t->asked.at[first].y, t->asked.at[first].way, 1};
  pith_status rc =
      w->mark != NULL ? PITH_OK : open_worker_init(&worker->env, o->index, w);
  if (rc >= 0)
    rc = pith_i_apply_rules(w->applier, q.x, q.way);
  if (rc < 0)
    return rc;
  pith_i_asked asked = {.g = o->index->g,
                        .shapes = &o->index->shapes,
                        .x = q.x,
                        .way = q.way,
                        .known = mark_answers(o, w, &q)};
  double all[2] = {add_unknown(w, o->folds[0], q.way),
                   add_unknown(w, o->folds[1], q.way)};
  for (size_t i = first; i < last; i++) {
    pith_i_open_answer *a = &t->answers[t->asked.at[i].answer];
    asked.all = all[scoring_of(o, a->x, a->way) != o->folds[0]];
    describe_back(o, w, &asked, a);
  }
  return rc;
}

static pith_status pack_back(void *ctx, pith_i_crew *c, size_t first,
                             size_t last, pith_i_buffer *out) {
  const back_job *t = ctx;
  bool ok = true;
  for (size_t i = t->group.at[first]; ok && i < t->group.at[last]; i++) {
    const pith_i_open_answer *a = &t->answers[t->asked.at[i].answer];
    ok = pith_i_buffer_put(c->owner, out, a, sizeof *a);
  }
  return ok ? PITH_OK : PITH_ENOMEM;
}

static pith_status unpack_back(void *ctx, pith_i_crew *c, size_t first,
                               size_t last, pith_i_cursor *in) {
  const back_job *t = ctx;
  (void)c;
  for (size_t i = t->group.at[first]; i < t->group.at[last]; i++) {
    pith_i_open_answer *a = &t->answers[t->asked.at[i].answer];
    pith_i_cursor_take(in, a, sizeof *a);
  }
  return PITH_OK;
}

pith_status pith_i_ask_back(pith_i_crew *crew, const pith_i_rule_index *index,
                            const pith_i_held_out *e,
                            const pith_i_scoring *const folds[2], uint64_t seed,
                            size_t most, pith_i_open_answers *a) {
  back_job t = {.answers = a->answers.at,
                .open = {.index = index, .e = e, .folds = folds, .seed = seed}};
  pith_i_env *env = crew->owner;
  t.open.workers = pith_i_zalloc(env, crew->jobs, sizeof *t.open.workers);
  pith_status rc = t.open.workers == NULL
                       ? PITH_ENOMEM
                       : draw_back(env, &t, most, a->answers.n);
  if (rc >= 0)
    rc = group_back(env, &t);
  if (rc >= 0) {
    const pith_i_shared_loop questions = {t.group.n - 1, answer_back, pack_back,
                                          unpack_back,   false,       0};
    rc = pith_i_crew_share(crew, &questions, &t);
  }
  open_workers_free(crew, &t.open);
  pith_i_vec_free(env, &t.asked);
  pith_i_vec_free(env, &t.group);
  return rc;
}

static const pith_i_clues *back_of(const pith_i_open_answer *a) {
  assert(a->back_weight > 0);
  return a->unspoken ? NULL : &a->back;
}

double pith_i_open_sum(const pith_i_scoring *s, const pith_i_open_answer *a) {
  return pith_i_sum_of_sides(s, a->way, &a->clues, back_of(a));
}

double pith_i_open_missing(const pith_i_scoring *s,
                           const pith_i_open_answer *a) {
  return pith_i_joint_missing(s, a->way, &a->clues, back_of(a));
}

double pith_i_open_probability(const pith_i_scoring *s,
                               const pith_i_open_answer *a) {
  return pith_i_joint_probability(s, a->way, &a->clues, back_of(a));
}
