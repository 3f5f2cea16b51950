/* Rules with constants. The set of all x with an edge to c is a run of c, so
** a rule h(X,c) :- b(X,d) says of two runs how much of the second lies in the
** first. For each run as head, the runs that its members are in are counted;
** the work is the sum over entities of the square of their degree at most, and
** for a head with many members a share of them stands for all. */
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/tunables.h"
#include "graph/mine_thresholds.h"

enum { CHUNKS = 512 };

typedef struct {
  uint32_t *in_run; /* (runs) members of the head in that run               */
  uint32_t *in_way; /* (ways) members that have an edge that goes this way  */
  PITH_I_VEC(uint32_t) runs; /* those that are not 0 */
  PITH_I_VEC(uint32_t) ways;
  pith_i_paths found; /* of the head at hand */
} constants_worker;

typedef struct {
  const pith_i_graph *g;
  const pith_i_mining *m;
  pith_i_quantities quantities;
  constants_worker *hands; /* (jobs) */
  pith_i_paths *by_chunk;  /* (CHUNKS), each of the worker that made it */
  uint32_t *maker;         /* (CHUNKS) */
  size_t before;           /* rules of other forms */
  atomic_size_t count;     /* rules of these forms so far */
} constants_miner;

static pith_status constants_worker_init(pith_i_env *env, const pith_i_graph *g,
                                         constants_worker *h) {
  h->in_run = pith_i_zalloc(env, (size_t)g->runs + 1, sizeof *h->in_run);
  h->in_way = pith_i_zalloc(env, (size_t)g->ways + 1, sizeof *h->in_way);
  return h->in_run == NULL || h->in_way == NULL ? PITH_ENOMEM : PITH_OK;
}

static void constants_worker_free(pith_i_env *env, constants_worker *h) {
  pith_i_release(env, h->in_run);
  pith_i_release(env, h->in_way);
  pith_i_vec_free(env, &h->runs);
  pith_i_vec_free(env, &h->ways);
  pith_i_vec_free(env, &h->found);
}

/* Counts the runs that x is in. */
static pith_status count_member(const pith_i_graph *g, pith_i_env *env,
                                constants_worker *h, uint32_t x) {
  for (uint32_t r = g->node_run[x]; r < g->node_run[x + 1]; r++) {
    pith_i_way way = g->run_way[r];
    if (h->in_way[way]++ == 0 && !pith_i_push(env, &h->ways, way))
      return PITH_ENOMEM;
    for (uint32_t i = g->run_edge[r]; i < g->run_edge[r + 1]; i++) {
      uint32_t back = pith_i_back_run(g, i);
      if (h->in_run[back]++ == 0 && !pith_i_push(env, &h->runs, back))
        return PITH_ENOMEM;
    }
  }
  return PITH_OK;
}

static pith_status keep_rule(const constants_miner *m, pith_i_env *env,
                             constants_worker *h, const pith_i_path *p) {
  if (p->support < m->m->support || p->confidence < m->m->confidence)
    return PITH_OK;
  return pith_i_push(env, &h->found, *p) ? PITH_OK : PITH_ENOMEM;
}

/* The counts of h(X,c) :- b(X,Y). In h(X,c) :- h(X,Y) the variable Y never
** stands for c, or every fact would support itself: a member whose only edge
** leads to c is no match. */
static void set_open_counts(const pith_i_graph *g, const constants_worker *h,
                            uint32_t head, pith_i_path *p) {
  uint32_t support = h->in_way[p->step[0]];
  uint32_t predictions = pith_i_way_nodes(g, p->step[0]);
  for (uint32_t i = g->run_edge[head];
       p->step[0] == p->head && i < g->run_edge[head + 1]; i++) {
    bool only = pith_i_graph_degree(g, g->target[i], p->head) == 1;
    support -= only;
    predictions -= only;
  }
  pith_i_path_set(p, support, predictions);
}

/* The rules whose head is the run, from the counts of its members. */
static pith_status list_head_rules(const constants_miner *m, pith_i_env *env,
                                   constants_worker *h, uint32_t head) {
  const pith_i_graph *g = m->g;
  pith_i_path p = {.head = PITH_I_OPPOSITE(g->run_way[head]),
                   .constant = pith_i_run_node(g, head),
                   .length = 1};
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc >= 0 && i < h->runs.n; i++) {
    uint32_t run = h->runs.at[i];
    p.step[0] = PITH_I_OPPOSITE(g->run_way[run]);
    p.end = pith_i_run_node(g, run);
    assert(h->in_run[run] <= pith_i_run_size(g, run));
    pith_i_path_set(&p, h->in_run[run], pith_i_run_size(g, run));
    if (run != head)
      rc = keep_rule(m, env, h, &p);
  }
  p.end = PITH_NONE;
  for (size_t i = 0; rc >= 0 && i < h->ways.n; i++) {
    p.step[0] = h->ways.at[i];
    set_open_counts(g, h, head, &p);
    rc = keep_rule(m, env, h, &p);
  }
  return rc;
}

static void forget_counts(constants_worker *h) {
  for (size_t i = 0; i < h->runs.n; i++)
    h->in_run[h->runs.at[i]] = 0;
  for (size_t i = 0; i < h->ways.n; i++)
    h->in_way[h->ways.at[i]] = 0;
  h->runs.n = h->ways.n = 0;
}

static pith_status mine_head(const constants_miner *m, pith_i_env *env,
                             constants_worker *h, uint32_t head,
                             pith_i_paths *out) {
  const pith_i_graph *g = m->g;
  pith_status rc = PITH_OK;
  h->found.n = 0;
  for (uint32_t i = g->run_edge[head]; rc >= 0 && i < g->run_edge[head + 1];
       i++)
    rc = count_member(g, env, h, g->target[i]);
  if (rc >= 0)
    rc = list_head_rules(m, env, h, head);
  if (rc >= 0)
    rc = pith_i_threshold_rules(&m->quantities, env, g, m->m, head, &h->found);
  forget_counts(h);
  pith_i_paths_keep(env, &h->found, 0, m->m->keep_item);
  for (size_t i = 0; rc >= 0 && i < h->found.n; i++)
    if (!pith_i_push(env, out, h->found.at[i]))
      rc = PITH_ENOMEM;
  return rc;
}

/* Whoever waits for the rules learns how many there would be to write, were the
** run stopped now. */
static void note_count(constants_miner *m, const pith_i_worker *w, size_t n) {
  pith_i_run *run = w->crew->run;
  size_t all = m->before + atomic_fetch_add(&m->count, n) + n;
  all =
      all < PITH_TUNE_GRAPH_STOPPED_RULES ? all : PITH_TUNE_GRAPH_STOPPED_RULES;
  if (w->number == 0 && run != NULL && all > run->now.rules)
    run->now.rules = (uint32_t)all;
}

static pith_status mine_chunk(void *ctx, pith_i_worker *w, size_t chunk) {
  constants_miner *m = ctx;
  const pith_i_graph *g = m->g;
  constants_worker *h = &m->hands[w->number];
  pith_status rc =
      h->in_run != NULL ? PITH_OK : constants_worker_init(&w->env, g, h);
  uint32_t end = pith_i_chunk(g->runs, chunk + 1, CHUNKS);
  m->maker[chunk] = w->number;
  for (uint32_t r = pith_i_chunk(g->runs, chunk, CHUNKS);
       rc == PITH_OK && r < end; r++)
    if (pith_i_worker_stopped(w))
      rc = PITH_STOPPED;
    else if ((m->m->target == PITH_NONE || g->run_way[r] / 2 == m->m->target) &&
             pith_i_run_size(g, r) >= m->m->support)
      rc = mine_head(m, &w->env, h, r, &m->by_chunk[chunk]);
  pith_i_paths_sort(&w->env, NULL, &m->by_chunk[chunk]);
  note_count(m, w, m->by_chunk[chunk].n);
  return rc;
}

static pith_status pack_chunks(void *ctx, pith_i_crew *c, size_t first,
                               size_t last, pith_i_buffer *out) {
  constants_miner *m = ctx;
  for (size_t k = first; k < last; k++) {
    if (!pith_i_buffer_put_vec(c->owner, out, &m->by_chunk[k]))
      return PITH_ENOMEM;
    pith_i_vec_free(&c->workers[m->maker[k]].env, &m->by_chunk[k]);
  }
  return PITH_OK;
}

static pith_status unpack_chunks(void *ctx, pith_i_crew *c, size_t first,
                                 size_t last, pith_i_cursor *in) {
  constants_miner *m = ctx;
  for (size_t k = first; k < last; k++) {
    m->maker[k] = 0;
    if (!pith_i_cursor_take_vec(&c->workers[0].env, in, &m->by_chunk[k]))
      return PITH_ENOMEM;
  }
  return PITH_OK;
}

/* Adds the rules of all chunks, which may be many, in one go. */
static bool join_chunks(pith_i_env *env, const constants_miner *m,
                        pith_i_paths *rules) {
  size_t all = 0;
  for (size_t c = 0; c < CHUNKS; c++)
    all += m->by_chunk[c].n;
  if (!pith_i_room(env, rules, all))
    return false;
  for (size_t c = 0; c < CHUNKS; c++) {
    size_t n = m->by_chunk[c].n;
    if (n > 0)
      memcpy(rules->at + rules->n, m->by_chunk[c].at, n * sizeof *rules->at);
    rules->n += n;
  }
  return true;
}

pith_status pith_i_mine_items(pith_i_crew *crew, const pith_i_graph *g,
                              const pith_i_mining *mining,
                              pith_i_paths *rules) {
  const pith_i_shared_loop chunks = {CHUNKS,        mine_chunk, pack_chunks,
                                     unpack_chunks, false,      0};
  pith_i_env *env = crew->owner;
  constants_miner m = {.g = g, .m = mining, .before = rules->n};
  atomic_init(&m.count, 0);
  m.hands = pith_i_zalloc(env, crew->jobs, sizeof *m.hands);
  m.by_chunk = pith_i_zalloc(env, CHUNKS, sizeof *m.by_chunk);
  m.maker = pith_i_zalloc(env, CHUNKS, sizeof *m.maker);
  pith_status rc = m.hands == NULL || m.by_chunk == NULL || m.maker == NULL
                       ? PITH_ENOMEM
                       : pith_i_quantities_new(env, g, &m.quantities);
  if (rc >= 0)
    rc = pith_i_crew_share(crew, &chunks, &m);
  pith_i_quantities_free(env, &m.quantities);
  if (rc >= 0)
    rc = join_chunks(env, &m, rules) ? rc : PITH_ENOMEM;
  for (size_t c = 0; m.by_chunk != NULL && m.maker != NULL && c < CHUNKS; c++)
    pith_i_vec_free(&crew->workers[m.maker[c]].env, &m.by_chunk[c]);
  for (uint32_t i = 0; m.hands != NULL && i < crew->jobs; i++)
    constants_worker_free(&crew->workers[i].env, &m.hands[i]);
  pith_i_release(env, m.hands);
  pith_i_release(env, m.by_chunk);
  pith_i_release(env, m.maker);
  return rc;
}
