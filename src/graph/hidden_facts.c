#include "graph/hidden_facts.h"

#include <assert.h>
#include <string.h>

#include "base/random.h"
#include "base/tunables.h"
#include "score/confidence.h"

enum { SPLIT = 1u << 20 }; /* a stream of random numbers no section has */

static double random_share(const pith_i_hidden_facts *s, uint64_t stream,
                           uint64_t i) {
  return (double)(pith_i_random(s->seed, stream, i) >> 11) * 0x1p-53;
}

/* The truths from first on are those of x. */
static pith_status add_subject(pith_i_hidden_facts *s, uint32_t x,
                               size_t first) {
  pith_i_subject new = {x, first, s->truths.n};
  if (new.first == new.end)
    return PITH_OK;
  return pith_i_push(s->env, &s->subjects, new) ? PITH_OK : PITH_ENOMEM;
}

pith_status pith_i_hidden_facts_init(pith_i_hidden_facts *s,
                                     const pith_i_graph *g, uint32_t relation,
                                     const uint8_t *among, uint64_t seed) {
  *s = (pith_i_hidden_facts){.env = g->env,
                             .g = g,
                             .relation = relation,
                             .seed = seed,
                             .among = among};
  s->kept = pith_i_zalloc(g->env, g->edges, sizeof *s->kept);
  s->gone = pith_i_zalloc(g->env, g->edges, sizeof *s->gone);
  if (s->kept == NULL || s->gone == NULL)
    return PITH_ENOMEM;
  for (uint32_t i = 0; i < g->entities; i++)
    s->candidates += among[i] != 0;
  pith_i_way way = PITH_I_WAY(relation, 0);
  pith_status rc = PITH_OK;
  for (uint32_t i = g->way_first[way]; rc >= 0 && i < g->way_first[way + 1];
       i++) {
    uint32_t run = g->way_run[i];
    size_t first = s->truths.n;
    for (uint32_t e = g->run_edge[run]; rc >= 0 && e < g->run_edge[run + 1];
         e++)
      if (among[g->target[e]] &&
          !pith_i_push(s->env, &s->truths, (pith_i_truth){g->target[e], e}))
        rc = PITH_ENOMEM;
    if (rc >= 0)
      rc = add_subject(s, pith_i_run_node(g, run), first);
  }
  return rc;
}

/* Whether x has no way to go that is not of the kind asked about. */
static bool has_only_kind(const pith_i_hidden_facts *s, uint32_t x) {
  const pith_i_graph *g = s->g;
  for (uint32_t r = g->node_run[x]; r < g->node_run[x + 1]; r++)
    if (!s->kind[g->run_way[r]])
      return false;
  return true;
}

pith_status pith_i_hidden_facts_like(pith_i_hidden_facts *s,
                                     const uint32_t *like, size_t n) {
  const pith_i_graph *g = s->g;
  size_t kept = 0;
  s->kind = pith_i_zalloc(s->env, g->ways, 1);
  if (s->kind == NULL)
    return PITH_ENOMEM;
  s->kind[PITH_I_WAY(s->relation, 0)] = 1;
  for (size_t i = 0; i < n; i++)
    for (uint32_t r = g->node_run[like[i]]; r < g->node_run[like[i] + 1]; r++)
      s->kind[g->run_way[r]] = 1;
  for (size_t i = 0; i < s->subjects.n; i++)
    if (has_only_kind(s, s->subjects.at[i].entity))
      s->subjects.at[kept++] = s->subjects.at[i];
  s->subjects.n = kept;
  return PITH_OK;
}

void pith_i_hidden_facts_free(pith_i_hidden_facts *s) {
  if (s->env == NULL)
    return;
  pith_i_release(s->env, s->kept);
  pith_i_release(s->env, s->gone);
  pith_i_release(s->env, s->kind);
  pith_i_vec_free(s->env, &s->subjects);
  pith_i_vec_free(s->env, &s->truths);
  pith_i_vec_free(s->env, &s->answers);
}

/* ---- hiding ----------------------------------------------------------- */

/* Both ways of an edge out of x. */
static void hide_edge(const pith_i_graph *g, uint8_t *gone, uint32_t x,
                      uint32_t edge) {
  assert(edge < g->edges);
  assert(g->target[pith_i_graph_edge(g, pith_i_back_run(g, edge), x)] == x);
  gone[edge] = 1;
  gone[pith_i_graph_edge(g, pith_i_back_run(g, edge), x)] = 1;
}

/* The facts of x, all or to candidates alone. */
static void hide_facts(pith_i_hidden_facts *s, uint32_t x, bool all) {
  const pith_i_graph *g = s->g;
  uint32_t run = pith_i_graph_run(g, x, PITH_I_WAY(s->relation, 0));
  if (run == PITH_NONE)
    return;
  for (uint32_t e = g->run_edge[run]; e < g->run_edge[run + 1]; e++)
    if (all || s->among[g->target[e]])
      hide_edge(g, s->gone, x, e);
}

/* Each fact to a candidate by a chance of its own. */
static bool is_drawn(const pith_i_hidden_facts *s, uint64_t stream,
                     size_t truth, double share) {
  return random_share(s, stream, truth) < share;
}

static void hide_some(pith_i_hidden_facts *s, uint8_t *gone,
                      const pith_i_subject *of, uint64_t stream, double share) {
  for (size_t i = of->first; i < of->end; i++)
    if (s->truths.at[i].edge != PITH_NONE && is_drawn(s, stream, i, share))
      hide_edge(s->g, gone, of->entity, s->truths.at[i].edge);
}

static void hide_around(pith_i_hidden_facts *s, uint32_t x) {
  const pith_i_graph *g = s->g;
  for (uint32_t r = g->node_run[x]; r < g->node_run[x + 1]; r++)
    for (uint32_t e = g->run_edge[r];
         g->run_way[r] / 2 != s->relation && e < g->run_edge[r + 1]; e++)
      hide_facts(s, g->target[e], false);
}

void pith_i_hidden_facts_keep(pith_i_hidden_facts *s, uint32_t x, uint32_t y) {
  pith_i_way way = PITH_I_WAY(s->relation, 0);
  uint32_t run = pith_i_graph_run(s->g, x, way);
  if (pith_i_graph_has(s->g, x, way, y))
    hide_edge(s->g, s->kept, x, pith_i_graph_edge(s->g, run, y));
}

/* ---- what follows for certain ----------------------------------------- */

typedef struct {
  uint32_t right, wrong; /* subjects that it is right, or ever wrong, about */
} chain_tally;

static bool has_truth(const pith_i_hidden_facts *s, const pith_i_subject *of,
                      uint32_t y) {
  assert(of->first <= of->end && of->end <= s->truths.n);
  for (size_t i = of->first; i < of->end; i++)
    if (s->truths.at[i].candidate == y)
      return true;
  return false;
}

/* Whether each chain of the last walk is right: chain and right in one
** number. */
typedef PITH_I_VEC(uint32_t) verdicts;

static pith_status judge_chains(pith_i_hidden_facts *s,
                                const pith_i_chain_walk *e,
                                const pith_i_subject *of, verdicts *out) {
  for (size_t i = 0; i < e->found.n; i++) {
    const pith_i_chain_end *f = &e->found.at[i];
    uint32_t verdict = 2 * f->chain + has_truth(s, of, f->end);
    if (!pith_i_push(s->env, out, verdict))
      return PITH_ENOMEM;
  }
  return PITH_OK;
}

static pith_status tally_chains(pith_i_hidden_facts *s, pith_i_chain_walk *e,
                                chain_tally **out) {
  verdicts v = {0};
  double part = (double)PITH_TUNE_CHAIN_ASKED / ((double)s->subjects.n + 1);
  pith_status rc = PITH_OK;
  *out = NULL;
  for (size_t i = 0; rc >= 0 && i < s->subjects.n; i++) {
    if (random_share(s, SPLIT + 2, i) >= part)
      continue;
    rc = pith_i_chain_walk_from(e, s->subjects.at[i].entity);
    if (rc >= 0)
      rc = judge_chains(s, e, &s->subjects.at[i], &v);
  }
  if (rc >= 0)
    *out = pith_i_zalloc(s->env, e->tree.n + 1, sizeof **out);
  for (size_t i = 0; *out != NULL && i < v.n; i++) {
    chain_tally *t = &(*out)[v.at[i] / 2];
    *(v.at[i] % 2 != 0 ? &t->right : &t->wrong) += 1;
  }
  pith_i_vec_free(s->env, &v);
  return *out == NULL ? PITH_ENOMEM : PITH_OK;
}

/* Right so often, and never wrong, that it is right with this probability. */
static bool is_certain(const chain_tally *t) {
  double low, high;
  if (t->wrong > 0)
    return false;
  pith_i_interval(t->right, t->right, 0.95, &low, &high);
  return low >= 0.95;
}

static pith_status derive_from(pith_i_hidden_facts *s, pith_i_chain_walk *e,
                               uint32_t x, const chain_tally *tallies,
                               size_t n) {
  size_t first = s->truths.n;
  pith_status rc = pith_i_chain_walk_from(e, x);
  for (size_t i = 0; rc >= 0 && !e->cut && i < e->found.n; i++) {
    const pith_i_chain_end *f = &e->found.at[i];
    pith_i_subject so_far = {x, first, s->truths.n};
    if (f->chain < n && is_certain(&tallies[f->chain]) &&
        !has_truth(s, &so_far, f->end) &&
        !pith_i_push(s->env, &s->truths, (pith_i_truth){f->end, PITH_NONE}))
      rc = PITH_ENOMEM;
  }
  return rc < 0 ? rc : add_subject(s, x, first);
}

pith_status pith_i_hidden_facts_derive(pith_i_hidden_facts *s,
                                       pith_i_chain_walk *e,
                                       const uint32_t *like,
                                       size_t like_count) {
  const pith_i_graph *g = s->g;
  size_t chains, derived = 0;
  chain_tally *tallies;
  uint8_t *known = pith_i_zalloc(s->env, g->entities, 1);
  e->gone = s->kept;
  pith_status rc = known == NULL ? PITH_ENOMEM : tally_chains(s, e, &tallies);
  if (rc < 0) {
    pith_i_release(s->env, known);
    return rc;
  }
  chains = e->tree.n + 1;
  for (size_t i = 0; i < s->subjects.n; i++)
    known[s->subjects.at[i].entity] = 1;
  for (size_t i = 0; i < like_count; i++)
    known[like[i]] = 1;
  for (uint32_t x = 0;
       rc >= 0 && x < g->entities && derived < PITH_TUNE_CHAIN_DERIVED; x++)
    if (!known[x] && has_only_kind(s, x)) {
      rc = derive_from(s, e, x, tallies, chains);
      derived++;
    }
  pith_i_release(s->env, tallies);
  pith_i_release(s->env, known);
  return rc;
}

/* ---- asking ----------------------------------------------------------- */

typedef struct {
  pith_i_hiding hiding;
  uint64_t stream;
  double share; /* of what is hidden */
} hiding_round;

/* Whether truth number i of a subject that is asked about is hidden now: its
** edge is, and was not before; or it has none, and it is drawn. */
static bool is_asked(const pith_i_hidden_facts *s, const hiding_round *now,
                     size_t i) {
  uint32_t edge = s->truths.at[i].edge;
  if (edge != PITH_NONE)
    return s->gone[edge] && (now == NULL || !s->kept[edge]);
  return now != NULL && (now->hiding != PITH_I_HIDE_FACT ||
                         is_drawn(s, now->stream + 1, i, now->share));
}

/* now: NULL for what was put aside. What is neither hidden now nor false is
** not asked about. */
static pith_status ask_subject(pith_i_hidden_facts *s, const pith_i_subject *of,
                               const hiding_round *now, pith_i_chain_walk *e,
                               pith_i_question_table *out) {
  bool any = false;
  s->answers.n = 0;
  for (size_t i = of->first; i < of->end; i++) {
    bool asked = is_asked(s, now, i);
    pith_i_known_answer a = {s->truths.at[i].candidate,
                             asked ? PITH_I_TRUE : PITH_I_UNASKED};
    any = any || asked;
    if (!pith_i_push(s->env, &s->answers, a))
      return PITH_ENOMEM;
  }
  if (!any)
    return PITH_OK;
  e->gone = s->gone;
  pith_status rc = pith_i_chain_walk_from(e, of->entity);
  if (rc >= 0 && !e->cut)
    rc = pith_i_question_table_add(out, e, s->answers.at, s->answers.n,
                                   s->candidates);
  return rc;
}

pith_status pith_i_hidden_facts_split(pith_i_hidden_facts *s,
                                      pith_i_chain_walk *e,
                                      pith_i_question_table *out) {
  for (size_t i = 0; i < s->subjects.n; i++)
    hide_some(s, s->kept, &s->subjects.at[i], SPLIT, 0.1);
  memcpy(s->gone, s->kept, s->g->edges);
  double part =
      (double)PITH_TUNE_CHAIN_ASKED / (0.1 * (double)s->subjects.n + 1);
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc >= 0 && i < s->subjects.n; i++)
    if (random_share(s, SPLIT + 1, i) < part)
      rc = ask_subject(s, &s->subjects.at[i], NULL, e, out);
  return rc;
}

static bool is_picked_subject(const pith_i_hidden_facts *s,
                              const hiding_round *now, size_t i) {
  return now->hiding == PITH_I_HIDE_FACT ||
         random_share(s, now->stream + 2, i) < now->share;
}

static void hide_section(pith_i_hidden_facts *s, const hiding_round *now) {
  memcpy(s->gone, s->kept, s->g->edges);
  for (size_t i = 0; i < s->subjects.n; i++) {
    const pith_i_subject *of = &s->subjects.at[i];
    if (now->hiding == PITH_I_HIDE_FACT) {
      hide_some(s, s->gone, of, now->stream + 1, now->share);
    } else if (is_picked_subject(s, now, i)) {
      hide_facts(s, of->entity, true);
      if (now->hiding == PITH_I_HIDE_AROUND)
        hide_around(s, of->entity);
    }
  }
}

static hiding_round round_of(const pith_i_hidden_facts *s, pith_i_hiding hiding,
                             uint32_t n) {
  assert(4 * (uint64_t)n + 3 < SPLIT);
  hiding_round now = {hiding, 4 * (uint64_t)n, 0};
  now.share = 0.1 + 0.6 * random_share(s, now.stream, 0);
  return now;
}

void pith_i_hidden_facts_hide(pith_i_hidden_facts *s, pith_i_hiding hiding,
                              uint32_t n) {
  hiding_round now = round_of(s, hiding, n);
  hide_section(s, &now);
}

bool pith_i_hidden_facts_asks(const pith_i_hidden_facts *s,
                              pith_i_hiding hiding, uint32_t n, size_t subject,
                              size_t truth) {
  hiding_round now = round_of(s, hiding, n);
  return is_picked_subject(s, &now, subject) && is_asked(s, &now, truth);
}

pith_status pith_i_hidden_facts_add(pith_i_hidden_facts *s,
                                    pith_i_hiding hiding, uint32_t n,
                                    pith_i_chain_walk *e,
                                    pith_i_question_table *out, double *share) {
  hiding_round now = round_of(s, hiding, n);
  double part =
      (double)PITH_TUNE_CHAIN_ASKED / (now.share * (double)s->subjects.n + 1);
  pith_status rc = PITH_OK;
  hide_section(s, &now);
  for (size_t i = 0; rc >= 0 && i < s->subjects.n; i++)
    if (is_picked_subject(s, &now, i) &&
        random_share(s, now.stream + 3, i) < part)
      rc = ask_subject(s, &s->subjects.at[i], &now, e, out);
  *share = now.share * (part < 1 ? part : 1);
  return rc;
}
