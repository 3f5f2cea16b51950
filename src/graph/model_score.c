/* How high held-out facts are ranked, and how far probabilities hold. */
#include <assert.h>
#include <math.h>

#include "base/tunables.h"
#include "graph/model.h"
#include "score/reliability.h"

static void add_rank(pith_ranks *s, double rank) {
  assert(rank >= 1);
  s->questions++;
  s->mrr += 1 / rank;
  s->hits1 += rank <= 1;
  s->hits3 += rank <= 3;
  s->hits10 += rank <= 10;
  s->mean_rank += rank;
}

static void end_ranks(pith_ranks *s) {
  double n = s->questions == 0 ? NAN : (double)s->questions;
  s->mrr /= n;
  s->hits1 /= n;
  s->hits3 /= n;
  s->hits10 /= n;
  s->mean_rank /= n;
}

/* Questions are sorted by way, so those of a relation are side by side. */
static pith_status sum_by_relation(pith_i_model *m, const pith_i_held_out *e,
                                   const pith_i_rank_record *ranks,
                                   pith_model_scores *out) {
  m->relation_ranks.n = 0;
  for (size_t i = 0; i < e->questions.n; i++) {
    const pith_i_question *q = &e->questions.at[i];
    if (q->way == PITH_NONE)
      continue;
    pith_pred pred = m->g->pred[q->way / 2];
    size_t n = m->relation_ranks.n;
    if (n == 0 || m->relation_ranks.at[n - 1].relation != pred) {
      pith_relation_ranks fresh = {.relation = pred};
      if (!pith_i_push(m->env, &m->relation_ranks, fresh))
        return PITH_ENOMEM;
      n++;
    }
    pith_relation_ranks *of = &m->relation_ranks.at[n - 1];
    add_rank(q->inverse ? &of->subject : &of->object,
             ranks[i].rank[PITH_I_AGGREGATORS]);
  }
  for (size_t i = 0; i < m->relation_ranks.n; i++) {
    end_ranks(&m->relation_ranks.at[i].object);
    end_ranks(&m->relation_ranks.at[i].subject);
  }
  out->relations = m->relation_ranks.at;
  out->relation_count = m->relation_ranks.n;
  return PITH_OK;
}

static void sum_ranks(const pith_i_held_out *e, const pith_i_rank_record *ranks,
                      pith_model_scores *out) {
  for (size_t i = 0; i < e->questions.n; i++) {
    double rank = ranks[i].rank[PITH_I_AGGREGATORS];
    add_rank(&out->all, rank);
    add_rank(e->questions.at[i].inverse ? &out->subject : &out->object, rank);
    out->unreached += ranks[i].unreached;
  }
  end_ranks(&out->all);
  end_ranks(&out->object);
  end_ranks(&out->subject);
}

static double said_of(const pith_i_model *m, const pith_i_open_answer *a) {
  if (a->itself && m->index->shapes.irreflexive[a->way / 2])
    return 0;
  return a->back_weight > 0 && m->scoring.method[a->way] != PITH_I_GRADED
             ? pith_i_open_probability(&m->scoring, a)
             : pith_i_probability(&m->scoring, a->way, a->score, &a->clues);
}

/* The most probable answer of each question is the first. */
static size_t weigh_answers(const pith_i_model *m,
                            const pith_i_open_answers *open, pith_i_weighed *v,
                            uint64_t *questions) {
  size_t n = 0, best = 0;
  *questions = 0;
  for (size_t i = 0; i < open->answers.n; i++) {
    const pith_i_open_answer *a = &open->answers.at[i];
    if (m->scoring.two_sided && a->back_weight == 0)
      continue; /* not drawn */
    double weight = (double)(m->scoring.two_sided ? a->back_weight : a->weight);
    v[n] =
        (pith_i_weighed){said_of(m, a), weight, a->truth, a->first, a->asked};
    if (a->first) {
      best = n;
      ++*questions;
    } else if (v[n].p > v[best].p) {
      v[best].first = false;
      v[best = n].first = true;
    }
    n++;
  }
  return n;
}

/* What the model says of open questions, and what is true. */
static pith_status check_probabilities(pith_i_model *m, pith_i_crew *crew,
                                       const pith_i_held_out *e,
                                       pith_reliability *out) {
  pith_i_open_answers open = {0};
  const pith_i_scoring *folds[2] = {&m->scoring, &m->scoring};
  pith_status rc = pith_i_ask_openly(crew, m->index, e, folds,
                                     crew->run->user.seed, UINT32_MAX, &open);
  if (rc == PITH_OK && m->scoring.two_sided)
    rc = pith_i_ask_back(crew, m->index, e, folds, crew->run->user.seed,
                         PITH_TUNE_BACK_SCORED, &open);
  pith_i_weighed *v =
      rc != PITH_OK ? NULL
                    : pith_i_alloc(m->env, (open.answers.n + 1) * sizeof *v);
  if (rc == PITH_OK && v == NULL)
    rc = PITH_ENOMEM;
  uint64_t questions = 0;
  if (rc == PITH_OK)
    pith_i_reliability(v, weigh_answers(m, &open, v, &questions), out);
  out->questions = questions;
  pith_i_release(m->env, v);
  pith_i_open_answers_free(m->env, &open);
  return rc;
}

static void run_next_stage(pith_i_run *run, const char *phase) {
  run->now.stage++;
  run->now.phase = phase;
}

static pith_status rank_all(pith_i_model *m, pith_i_crew *crew,
                            const pith_i_held_out *e, pith_model_scores *out) {
  pith_i_rank_record *ranks =
      pith_i_zalloc(m->env, e->questions.n + 1, sizeof *ranks);
  pith_status rc = ranks == NULL ? PITH_ENOMEM
                                 : pith_i_held_out_rank(crew, m->index, e,
                                                        &m->scoring, ranks);
  if (rc == PITH_OK) {
    sum_ranks(e, ranks, out);
    rc = sum_by_relation(m, e, ranks, out);
  }
  if (rc == PITH_OK) {
    run_next_stage(crew->run, "probabilities");
    rc = check_probabilities(m, crew, e, &out->calibration);
  }
  if (rc == PITH_STOPPED) {
    rc = pith_i_fail(m->env, PITH_ELIMIT,
                     "it ended before all held-out facts were ranked");
  }
  pith_i_release(m->env, ranks);
  return rc;
}

pith_status pith_i_model_score(pith_i_model *m, const pith_i_fact_source *test,
                               const pith_i_fact_source *known, pith_i_run *run,
                               pith_model_scores *out) {
  pith_i_held_out held_out = {0};
  pith_i_source_counts counts = {0};
  pith_i_crew *crew = NULL;
  *out = (pith_model_scores){0};
  pith_status rc =
      pith_i_source_held_out(test, m->theory, m->g, true, &held_out, &counts);
  out->facts = counts.facts;
  out->unknown = counts.unknown;
  if (rc >= 0 && known != NULL)
    rc = pith_i_source_held_out(known, m->theory, m->g, false, &held_out, NULL);
  pith_i_held_out_sort(&held_out);
  if (rc >= 0)
    rc = pith_i_crew_new(m->env, run->user.jobs, &crew);
  if (rc >= 0) {
    crew->run = run;
    run->now.stages = 2;
    run_next_stage(run, "ranking");
    rc = rank_all(m, crew, &held_out, out);
  }
  pith_i_crew_free(crew);
  pith_i_held_out_free(m->env, &held_out);
  return rc;
}
