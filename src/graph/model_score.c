/* How high held-out facts are ranked, and how far probabilities hold. */
#include <assert.h>
#include <math.h>

#include "graph/model.h"
#include "score/confidence.h"

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

/* Probabilities of the truth and of the best others, question by question. */
static pith_status check_probabilities(pith_i_env *env,
                                       const pith_i_held_out *e,
                                       const pith_i_rank_record *ranks,
                                       pith_model_scores *out) {
  PITH_I_VEC(pith_prediction) v = {0};
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc >= 0 && i < e->questions.n; i++)
    for (uint32_t j = 0; rc >= 0 && j < ranks[i].predicted; j++)
      if (!pith_i_push(env, &v,
                       (pith_prediction){(double)ranks[i].probability[j],
                                         j == 0 && !ranks[i].unreached}))
        rc = PITH_ENOMEM;
  if (rc >= 0)
    pith_i_ranking(v.at, v.n, &out->calibration);
  pith_i_vec_free(env, &v);
  return rc;
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
    rc = check_probabilities(m->env, e, ranks, out);
  } else if (rc == PITH_STOPPED) {
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
    run->now.stage = run->now.stages = 1;
    run->now.phase = "ranking";
    rc = rank_all(m, crew, &held_out, out);
  }
  pith_i_crew_free(crew);
  pith_i_held_out_free(m->env, &held_out);
  return rc;
}
