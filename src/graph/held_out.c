#include "graph/held_out.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"

/* ---- questions ------------------------------------------------------- */

pith_status pith_i_held_out_add(pith_i_env *env, pith_i_held_out *e, uint32_t x,
                                uint32_t relation, uint32_t y, bool asked) {
  for (uint32_t inverse = 0; inverse < 2; inverse++) {
    pith_i_way way =
        relation == PITH_NONE ? PITH_NONE : PITH_I_WAY(relation, inverse);
    assert(x != PITH_NONE && y != PITH_NONE);
    pith_i_question q = {inverse ? y : x, inverse ? x : y, way,
                         (uint32_t)(e->known.n / 2), inverse};
    if ((asked && !pith_i_push(env, &e->questions, q)) ||
        !pith_i_push(env, &e->known, q))
      return PITH_ENOMEM;
  }
  return PITH_OK;
}

static int compare_numbers(uint32_t a, uint32_t b) { return (a > b) - (a < b); }

static int compare_questions(const void *left, const void *right) {
  const pith_i_question *a = left, *b = right;
  int c = compare_numbers(a->way, b->way);
  if (c == 0)
    c = compare_numbers(a->x, b->x);
  if (c == 0)
    c = compare_numbers(a->truth, b->truth);
  return c != 0 ? c : compare_numbers(a->fact, b->fact);
}

void pith_i_held_out_sort(pith_i_held_out *e) {
  if (e->questions.n > 0)
    qsort(e->questions.at, e->questions.n, sizeof *e->questions.at,
          compare_questions);
  if (e->known.n > 0)
    qsort(e->known.at, e->known.n, sizeof *e->known.at, compare_questions);
}

void pith_i_held_out_free(pith_i_env *env, pith_i_held_out *e) {
  pith_i_vec_free(env, &e->questions);
  pith_i_vec_free(env, &e->known);
}

/* The first question of a sorted list that does not come before (way, x). */
static size_t first_question(const pith_i_question *q, size_t n, uint32_t x,
                             pith_i_way way) {
  size_t low = 0, high = n;
  pith_i_question key = {.x = x, .way = way};
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (compare_questions(&q[middle], &key) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

pith_i_question_range pith_i_held_out_range(const pith_i_held_out *e,
                                            uint32_t x, pith_i_way way,
                                            bool asked) {
  const pith_i_question *q = asked ? e->questions.at : e->known.at;
  size_t n = asked ? e->questions.n : e->known.n;
  size_t first = first_question(q, n, x, way), last = first;
  while (last < n && q[last].x == x && q[last].way == way)
    last++;
  return n == 0 ? (pith_i_question_range){NULL, 0}
                : (pith_i_question_range){q + first, last - first};
}

/* ---- one query ------------------------------------------------------- */

typedef struct {
  pith_i_applier *applier;
  uint32_t *mark; /* (entities) the last query that it is known to answer   */
  uint32_t marks, marked;
  pith_i_ratings ratings; /* of the candidates */
} rank_worker;            /* what one worker needs */

typedef struct {
  const pith_i_rule_index *index;
  const pith_i_held_out *e;
  const pith_i_scoring *s;
  const pith_i_scoring *const *folds; /* (2) instead of s, or NULL */
  pith_i_rank_record *marks;
  PITH_I_VEC(uint32_t) group; /* (queries, 2) its first question, and last */
  uint64_t seed;
  rank_worker *seats; /* (jobs) */
  uint32_t per_way, most;
  pith_i_samples *by_group; /* (groups) */
  uint32_t *maker;          /* (groups) */
} rank_job;

static pith_status rank_worker_init(pith_i_env *env, const pith_i_rule_index *b,
                                    rank_worker *s) {
  s->mark = pith_i_zalloc(env, (size_t)b->g->entities + 1, sizeof *s->mark);
  return s->mark == NULL ? PITH_ENOMEM
                         : pith_i_applier_new(env, b, &s->applier);
}

static void rank_worker_free(pith_i_env *env, rank_worker *s) {
  pith_i_applier_free(env, s->applier);
  pith_i_release(env, s->mark);
  pith_i_vec_free(env, &s->ratings);
}

static void mark_true(rank_worker *s, uint32_t entity) {
  s->marked += s->mark[entity] != s->marks;
  s->mark[entity] = s->marks;
}

/* Marks all that are known to be right. */
static void mark_known(const rank_job *t, rank_worker *s, uint32_t x,
                       pith_i_way way) {
  const pith_i_graph *g = t->index->g;
  s->marks++;
  s->marked = 0;
  uint32_t run = way == PITH_NONE ? PITH_NONE : pith_i_graph_run(g, x, way);
  for (uint32_t i = run == PITH_NONE ? 0 : g->run_edge[run];
       run != PITH_NONE && i < g->run_edge[run + 1]; i++)
    mark_true(s, g->target[i]);
  pith_i_question_range known = pith_i_held_out_range(t->e, x, way, false);
  for (size_t i = 0; i < known.n; i++)
    mark_true(s, known.at[i].truth);
}

/* ---- ranks ----------------------------------------------------------- */

static const pith_i_rating *rating_of(const rank_worker *s, uint32_t entity) {
  for (size_t i = 0; i < s->ratings.n; i++)
    if (s->ratings.at[i].entity == entity)
      return &s->ratings.at[i];
  return NULL;
}

/* The truth is marked, as all that is known. */
static double rank_of(const rank_job *t, const rank_worker *s, uint32_t truth) {
  const pith_i_rating *own = rating_of(s, truth);
  assert(s->mark[truth] == s->marks);
  uint64_t better = 0, equal = 0, unmarked = 0;
  for (size_t i = 0; i < s->ratings.n; i++) {
    const pith_i_rating *r = &s->ratings.at[i];
    if (s->mark[r->entity] == s->marks)
      continue;
    unmarked++;
    if (own == NULL)
      continue;
    int order = pith_i_rating_compare(r, own);
    better += order < 0;
    equal += order == 0;
  }
  if (own == NULL) {
    better = unmarked;
    equal = t->index->g->entities - s->marked - unmarked;
  }
  return 1 + (double)better + (double)equal / 2;
}

/* By the weights of s alone, for the questions of one fold. */
static void rank_by(const rank_job *t, rank_worker *w, const pith_i_scoring *s,
                    pith_i_aggregator m, uint32_t first, uint32_t last,
                    uint32_t fold) {
  const pith_i_question *q = t->e->questions.at;
  pith_i_way way = q[first].way;
  const float *weights = way == PITH_NONE ? NULL : pith_i_weights(s, way);
  for (size_t i = 0; i < w->applier->candidates.n; i++)
    w->ratings.at[i] = (pith_i_rating){
        .score = pith_i_aggregate(m, weights, &w->applier->candidates.at[i]),
        .entity = w->applier->candidates.at[i].entity};
  for (uint32_t i = first; i < last; i++)
    if (pith_i_fold(q[i].fact) == fold)
      t->marks[i].rank[m] = rank_of(t, w, q[i].truth);
}

static pith_status rank_by_folds(const rank_job *t, pith_i_env *env,
                                 rank_worker *w, uint32_t first,
                                 uint32_t last) {
  if (!pith_i_room(env, &w->ratings, w->applier->candidates.n))
    return PITH_ENOMEM;
  w->ratings.n = w->applier->candidates.n;
  for (int m = 0; m < PITH_I_AGGREGATORS; m++)
    for (uint32_t fold = 0; fold < 2; fold++)
      rank_by(t, w, t->folds[fold], (pith_i_aggregator)m, first, last, fold);
  return PITH_OK;
}

/* In the order in which a model lists them. */
static pith_status rank_by_rating(const rank_job *t, pith_i_env *env,
                                  rank_worker *w, uint32_t first,
                                  uint32_t last) {
  const pith_i_question *q = t->e->questions.at;
  const pith_i_rater rater = {t->s, w->applier};
  pith_i_asked asked;
  pith_status rc = PITH_OK;
  w->ratings.n = 0;
  if (q[first].way != PITH_NONE)
    rc = pith_i_rate_candidates(env, &rater, q[first].x, q[first].way,
                                &w->ratings, &asked);
  bool looked_at = false;
  for (uint32_t i = first;
       rc >= 0 && q[first].way != PITH_NONE && !looked_at && i < last; i++)
    looked_at = pith_i_is_looked_at(&rater, &asked, &w->ratings, q[i].truth);
  if (looked_at) /* if not, what follows changes no rank */
    rc = pith_i_rate_from_both_sides(&rater, &asked, &w->ratings);
  for (uint32_t i = first; rc >= 0 && i < last; i++) {
    t->marks[i].rank[PITH_I_AGGREGATORS] = rank_of(t, w, q[i].truth);
    t->marks[i].unreached = rating_of(w, q[i].truth) == NULL;
  }
  return rc;
}

/* ---- samples --------------------------------------------------------- */

typedef struct {
  double score;
  uint32_t at;
} rival;

static int compare_rivals(const void *a, const void *b) {
  const rival *x = a, *y = b;
  return x->score != y->score ? (x->score < y->score ? 1 : -1)
                              : compare_numbers(x->at, y->at);
}

/* The i-th of n rivals out of all: the first half are the strongest, the
** others are spread over the rest, so that weights are also right far down. */
static size_t count_strong(size_t n, size_t all) {
  return n == all ? n : n / 2;
}
static size_t pick_rival(size_t i, size_t n, size_t all) {
  assert(i < n && n <= all);
  size_t strong = count_strong(n, all);
  return i < strong ? i : strong + (i - strong) * (all - strong) / (n - strong);
}
/* The log of how many rivals each of those that are spread stands for. */
static float log_stands(size_t n, size_t all) {
  size_t strong = count_strong(n, all);
  return n == strong
             ? 0
             : (float)log((double)(all - strong) / (double)(n - strong));
}

static void add_row(pith_i_samples *out, const pith_i_link_candidate *c) {
  pith_i_features(c, out->features.at + out->features.n);
  out->features.n += PITH_I_FEATURES;
}

/* Answers to the same question that are of the other fold. */
static pith_status add_unsure(const rank_job *t, pith_i_env *env,
                              const rank_worker *s, const pith_i_question *q,
                              pith_i_samples *out) {
  pith_i_question_range same = pith_i_held_out_range(t->e, q->x, q->way, true);
  pith_i_lesson_sample *sample = &out->samples.at[out->samples.n - 1];
  if (!pith_i_room(env, &out->features, same.n * PITH_I_FEATURES))
    return PITH_ENOMEM;
  for (size_t i = 0; i < same.n && sample->unsure < t->most; i++) {
    uint32_t slot = s->applier->slot[same.at[i].truth];
    if (slot == 0 || pith_i_fold(same.at[i].fact) == pith_i_fold(q->fact))
      continue;
    add_row(out, &s->applier->candidates.at[slot - 1]);
    sample->unsure++;
  }
  return PITH_OK;
}

static pith_status add_sample(const rank_job *t, pith_i_env *env,
                              rank_worker *s, const pith_i_question *q,
                              const rival *rivals, size_t n,
                              pith_i_samples *out) {
  uint32_t slot = s->applier->slot[q->truth];
  if (slot == 0 || n == 0) {
    out->unreached += slot == 0;
    return PITH_OK;
  }
  size_t rivals_all = n;
  n = n < t->most ? n : t->most;
  size_t row = out->features.n / PITH_I_FEATURES;
  pith_i_lesson_sample sample = {.way = q->way,
                                 .first = (uint32_t)row,
                                 .n = (uint32_t)n + 1,
                                 .fold = pith_i_fold(q->fact),
                                 .strong =
                                     1 + (uint32_t)count_strong(n, rivals_all),
                                 .stands = log_stands(n, rivals_all)};
  if (!pith_i_room(env, &out->features, (n + 1) * PITH_I_FEATURES) ||
      !pith_i_push(env, &out->samples, sample))
    return PITH_ENOMEM;
  const pith_i_link_candidate *c = s->applier->candidates.at;
  add_row(out, &c[slot - 1]);
  for (size_t i = 0; i < n; i++)
    add_row(out, &c[rivals[pick_rival(i, n, rivals_all)].at]);
  return add_unsure(t, env, s, q, out);
}

static double rival_strength(const rank_job *t, pith_i_way way,
                             const pith_i_link_candidate *c) {
  if (t->s != NULL)
    return pith_i_aggregate(PITH_I_LEARNED, pith_i_weights(t->s, way), c);
  double sum = (double)c->prior;
  for (int k = 0; k < PITH_I_KINDS; k++)
    sum += (double)c->sum[k];
  return sum;
}

static pith_status add_samples(const rank_job *t, pith_i_env *env,
                               rank_worker *s, uint32_t first, uint32_t last,
                               pith_i_samples *out) {
  const pith_i_applier *d = s->applier;
  rival *rivals = pith_i_alloc(env, (d->candidates.n + 1) * sizeof *rivals);
  pith_i_way way = t->e->questions.at[first].way;
  size_t n = 0;
  if (rivals == NULL)
    return PITH_ENOMEM;
  for (size_t i = 0; i < d->candidates.n; i++)
    if (s->mark[d->candidates.at[i].entity] != s->marks)
      rivals[n++] =
          (rival){rival_strength(t, way, &d->candidates.at[i]), (uint32_t)i};
  qsort(rivals, n, sizeof *rivals, compare_rivals);
  pith_status rc = PITH_OK;
  for (uint32_t i = first; rc >= 0 && i < last; i++)
    rc = add_sample(t, env, s, &t->e->questions.at[i], rivals, n, out);
  pith_i_release(env, rivals);
  return rc;
}

/* ---- all of them ----------------------------------------------------- */

static pith_status answer_group(void *ctx, pith_i_worker *w, size_t group) {
  rank_job *t = ctx;
  rank_worker *s = &t->seats[w->number];
  uint32_t first = t->group.at[2 * group], last = t->group.at[2 * group + 1];
  const pith_i_question *q = &t->e->questions.at[first];
  pith_status rc =
      s->mark != NULL ? PITH_OK : rank_worker_init(&w->env, t->index, s);
  if (rc >= 0)
    rc = pith_i_apply_rules(s->applier, q->x, q->way);
  if (rc < 0)
    return rc;
  mark_known(t, s, q->x, q->way);
  if (t->by_group == NULL)
    return (t->folds != NULL ? rank_by_folds : rank_by_rating)(t, &w->env, s,
                                                               first, last);
  t->maker[group] = w->number;
  return q->way == PITH_NONE
             ? PITH_OK
             : add_samples(t, &w->env, s, first, last, &t->by_group[group]);
}

/* Ranks of the questions of some groups, as they stand. */
static pith_status pack_ranks(void *ctx, pith_i_crew *c, size_t first,
                              size_t last, pith_i_buffer *out) {
  const rank_job *t = ctx;
  for (size_t k = first; k < last; k++) {
    size_t from = t->group.at[2 * k], n = t->group.at[2 * k + 1] - from;
    if (!pith_i_buffer_put(c->owner, out, t->marks + from,
                           n * sizeof *t->marks))
      return PITH_ENOMEM;
  }
  return PITH_OK;
}

static pith_status unpack_ranks(void *ctx, pith_i_crew *c, size_t first,
                                size_t last, pith_i_cursor *in) {
  const rank_job *t = ctx;
  (void)c;
  for (size_t k = first; k < last; k++) {
    size_t from = t->group.at[2 * k], n = t->group.at[2 * k + 1] - from;
    pith_i_cursor_take(in, t->marks + from, n * sizeof *t->marks);
  }
  return PITH_OK;
}

static pith_status pack_samples(void *ctx, pith_i_crew *c, size_t first,
                                size_t last, pith_i_buffer *out) {
  rank_job *t = ctx;
  for (size_t k = first; k < last; k++) {
    pith_i_samples *l = &t->by_group[k];
    if (!pith_i_buffer_put(c->owner, out, &l->unreached, sizeof l->unreached) ||
        !pith_i_buffer_put_vec(c->owner, out, &l->samples) ||
        !pith_i_buffer_put_vec(c->owner, out, &l->features))
      return PITH_ENOMEM;
    pith_i_samples_free(&c->workers[t->maker[k]].env, l);
  }
  return PITH_OK;
}

static pith_status unpack_samples(void *ctx, pith_i_crew *c, size_t first,
                                  size_t last, pith_i_cursor *in) {
  rank_job *t = ctx;
  pith_i_env *env = &c->workers[0].env;
  for (size_t k = first; k < last; k++) {
    pith_i_samples *l = &t->by_group[k];
    t->maker[k] = 0;
    pith_i_cursor_take(in, &l->unreached, sizeof l->unreached);
    if (!pith_i_cursor_take_vec(env, in, &l->samples) ||
        !pith_i_cursor_take_vec(env, in, &l->features))
      return PITH_ENOMEM;
  }
  return PITH_OK;
}

/* Whether a query is among those taken of a way with so many questions. */
static bool is_sampled(const rank_job *t, const pith_i_question *q, size_t n) {
  return t->per_way == 0 || n <= t->per_way ||
         pith_i_random(t->seed, 5, ((uint64_t)q->way << 32) | q->x) % n <
             t->per_way;
}

/* Questions of the same query are answered together. */
static pith_status group_questions(pith_i_env *env, rank_job *t) {
  const pith_i_question *q = t->e->questions.at;
  size_t n = t->e->questions.n, of_way = 0, end = 0;
  for (size_t i = 0; i < n; i = end) {
    if (i == 0 || q[i].way != q[i - 1].way)
      for (of_way = 1; i + of_way < n && q[i + of_way].way == q[i].way;)
        of_way++;
    for (end = i + 1; end < n && q[end].x == q[i].x && q[end].way == q[i].way;)
      end++;
    if (is_sampled(t, &q[i], of_way) &&
        (!pith_i_push(env, &t->group, (uint32_t)i) ||
         !pith_i_push(env, &t->group, (uint32_t)end)))
      return PITH_ENOMEM;
  }
  return PITH_OK;
}

static void rank_job_free(pith_i_crew *crew, rank_job *t) {
  for (uint32_t i = 0; t->seats != NULL && i < crew->jobs; i++)
    rank_worker_free(&crew->workers[i].env, &t->seats[i]);
  for (size_t i = 0;
       t->by_group != NULL && t->maker != NULL && i < t->group.n / 2; i++)
    pith_i_samples_free(&crew->workers[t->maker[i]].env, &t->by_group[i]);
  pith_i_release(crew->owner, t->seats);
  pith_i_release(crew->owner, t->by_group);
  pith_i_release(crew->owner, t->maker);
  pith_i_vec_free(crew->owner, &t->group);
}

/* A seat for each worker, and what is asked. */
static pith_status begin_job(pith_i_crew *crew, rank_job *t) {
  t->seats = pith_i_zalloc(crew->owner, crew->jobs, sizeof *t->seats);
  return t->seats == NULL ? PITH_ENOMEM : group_questions(crew->owner, t);
}

static pith_status rank_questions(pith_i_crew *crew, rank_job *t) {
  pith_status rc = begin_job(crew, t);
  if (rc >= 0) {
    const pith_i_shared_loop groups = {t->group.n / 2, answer_group, pack_ranks,
                                       unpack_ranks,   false,        0};
    rc = pith_i_crew_share(crew, &groups, t);
  }
  rank_job_free(crew, t);
  return rc;
}

pith_status pith_i_held_out_rank(pith_i_crew *crew,
                                 const pith_i_rule_index *index,
                                 const pith_i_held_out *e,
                                 const pith_i_scoring *s,
                                 pith_i_rank_record *marks) {
  rank_job t = {.index = index, .e = e, .s = s, .marks = marks};
  return rank_questions(crew, &t);
}

pith_status pith_i_held_out_rank_folds(pith_i_crew *crew,
                                       const pith_i_rule_index *index,
                                       const pith_i_held_out *e,
                                       const pith_i_scoring *const folds[2],
                                       uint64_t seed, uint32_t per_way,
                                       pith_i_rank_record *marks) {
  rank_job t = {.index = index,
                .e = e,
                .folds = folds,
                .marks = marks,
                .seed = seed,
                .per_way = per_way};
  return rank_questions(crew, &t);
}

/* Room for all samples at once: these take more memory than anything else. */
static bool make_room(pith_i_env *env, const rank_job *t, pith_i_samples *out) {
  size_t features = 0, samples = 0;
  for (size_t i = 0; i < t->group.n / 2; i++) {
    features += t->by_group[i].features.n;
    samples += t->by_group[i].samples.n;
  }
  return pith_i_room(env, &out->features, features) &&
         pith_i_room(env, &out->samples, samples);
}

static pith_status gather_samples(pith_i_crew *crew, const rank_job *t,
                                  pith_i_samples *out) {
  if (!make_room(crew->owner, t, out))
    return PITH_ENOMEM;
  for (size_t i = 0; i < t->group.n / 2; i++) {
    pith_i_samples *l = &t->by_group[i];
    uint32_t row = (uint32_t)(out->features.n / PITH_I_FEATURES);
    out->unreached += l->unreached;
    if (l->samples.n > 0)
      memcpy(out->features.at + out->features.n, l->features.at,
             l->features.n * sizeof *l->features.at);
    out->features.n += l->features.n;
    for (size_t k = 0; k < l->samples.n; k++) {
      pith_i_lesson_sample sample = l->samples.at[k];
      sample.first += row;
      out->samples.at[out->samples.n++] = sample;
    }
    pith_i_samples_free(&crew->workers[t->maker[i]].env, l);
  }
  return PITH_OK;
}

pith_status pith_i_held_out_samples(pith_i_crew *crew,
                                    const pith_i_rule_index *index,
                                    const pith_i_held_out *e,
                                    const pith_i_scoring *s, uint64_t seed,
                                    uint32_t per_way, uint32_t most,
                                    pith_i_samples *out) {
  rank_job t = {.index = index,
                .e = e,
                .s = s,
                .per_way = per_way,
                .most = most,
                .seed = seed};
  pith_i_env *env = crew->owner;
  pith_status rc = begin_job(crew, &t);
  if (rc >= 0) {
    t.by_group = pith_i_zalloc(env, t.group.n / 2 + 1, sizeof *t.by_group);
    t.maker = pith_i_zalloc(env, t.group.n / 2 + 1, sizeof *t.maker);
    const pith_i_shared_loop groups = {
        t.group.n / 2, answer_group, pack_samples, unpack_samples, true, 0};
    rc = t.by_group == NULL || t.maker == NULL
             ? PITH_ENOMEM
             : pith_i_crew_share(crew, &groups, &t);
  }
  if (rc >= 0)
    rc = gather_samples(crew, &t, out);
  rank_job_free(crew, &t);
  return rc;
}
