/* Chains of three to five atoms. There are too many bodies to try them all, so
** the facts say which are worth it: from sampled facts (x, y) of a relation,
** paths from x to y are looked for, and the bodies met most often are counted,
** from sampled entities. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/tunables.h"
#include "graph/mine.h"

enum {
  BODY = PITH_I_MINED_MOST, /* places for ways in a body                      */
  EDGES_A_LOOK = 4096       /* followed between looks at the clock            */
};

typedef struct {
  pith_i_tuples bodies; /* (BODY), of the relation at hand                  */
  PITH_I_VEC(uint32_t) met;  /* facts whose ends it joins                   */
  PITH_I_VEC(uint32_t) last; /* the last such fact, + 1                     */
  uint32_t *edge;            /* (entities) first edge from y to it, + 1     */
  uint32_t *next;            /* (edges) */
  size_t next_cap;
  pith_i_walk *walk;
} long_worker;

/* A rule to count: its body, then its relation, so that equal bodies meet. */
typedef struct {
  pith_i_way step[PITH_I_MINED_MOST], head; /* PITH_NONE behind the last */
} proposal;

static uint32_t body_length(const pith_i_way *step) {
  uint32_t n = 3;
  while (n < BODY && step[n] != PITH_NONE)
    n++;
  return n;
}

typedef PITH_I_VEC(proposal) proposals;

typedef struct {
  const pith_i_graph *g;
  const pith_i_mining *m;
  long_worker *hands;     /* (jobs) */
  proposals *by_relation; /* (relations), each of the worker that made it   */
  uint32_t *maker;        /* (relations) */
  proposals all;
  PITH_I_VEC(uint32_t) group; /* where each new body starts in all, and end */
  pith_i_path *counted;       /* (all.n) */
} long_miner;

/* ---- proposing ------------------------------------------------------- */

static pith_status long_worker_init(pith_i_env *env, const pith_i_graph *g,
                                    long_worker *h) {
  h->bodies.width = BODY;
  h->edge = pith_i_zalloc(env, (size_t)g->entities + 1, sizeof *h->edge);
  if (h->edge == NULL)
    return PITH_ENOMEM;
  return pith_i_walk_new(env, g, &h->walk);
}

static void long_worker_free(pith_i_env *env, long_worker *h) {
  pith_i_tuples_free(env, &h->bodies);
  pith_i_vec_free(env, &h->met);
  pith_i_vec_free(env, &h->last);
  pith_i_release(env, h->edge);
  pith_i_release(env, h->next);
  pith_i_walk_free(env, h->walk);
}

static uint32_t first_edge(const pith_i_graph *g, uint32_t node) {
  return g->run_edge[g->node_run[node]];
}

static uint32_t node_degree(const pith_i_graph *g, uint32_t node) {
  return first_edge(g, node + 1) - first_edge(g, node);
}

static pith_i_way way_of(const pith_i_graph *g, uint32_t edge) {
  return PITH_I_OPPOSITE(g->run_way[pith_i_back_run(g, edge)]);
}

static pith_status count_body(pith_i_env *env, long_worker *h,
                              const uint32_t *body, uint32_t fact) {
  uint32_t row;
  bool added;
  pith_status rc = pith_i_tuples_add(env, &h->bodies, body, &row, &added);
  if (rc >= 0 && added &&
      (!pith_i_push(env, &h->met, 0) || !pith_i_push(env, &h->last, 0)))
    return PITH_ENOMEM;
  if (rc >= 0 && h->last.at[row] != fact + 1) {
    h->last.at[row] = fact + 1;
    h->met.at[row]++;
  }
  return rc;
}

/* Notes the edges of y by their other ends. */
static pith_status note_edges_back(const pith_i_graph *g, pith_i_env *env,
                                   long_worker *h, uint32_t y, bool on) {
  uint32_t first = first_edge(g, y), n = node_degree(g, y);
  if (n > h->next_cap) {
    uint32_t *next = pith_i_realloc(env, h->next, 2 * (size_t)n * sizeof *next);
    if (next == NULL)
      return PITH_ENOMEM;
    h->next = next;
    h->next_cap = 2 * (size_t)n;
  }
  for (uint32_t i = 0; i < n; i++) {
    uint32_t b = g->target[first + i];
    h->next[i] = on ? h->edge[b] : 0;
    h->edge[b] = on ? i + 1 : 0;
  }
  return PITH_OK;
}

/* The i-th of at most `most` edges tried of n, spread evenly from a random
** start: all of them where there are few. */
static uint32_t spread_evenly(uint32_t i, uint32_t n, uint32_t most,
                              uint64_t start) {
  return n <= most ? i : (uint32_t)((start + (uint64_t)i * n / most) % n);
}

static uint32_t lesser(uint32_t a, uint32_t b) { return a < b ? a : b; }

/* A path from one end of a fact that looks for the other. */
typedef struct {
  uint32_t y, fact;
  uint64_t random;
  uint32_t node[BODY], body[BODY]; /* the first is x; its way leads on */
} fact_trail;

static bool is_on_trail(const fact_trail *t, uint32_t depth, uint32_t node) {
  bool on = node == t->y;
  for (uint32_t i = 0; !on && i <= depth; i++)
    on = t->node[i] == node;
  return on;
}

/* Edges that lead from the node at this depth to y end a body. */
static pith_status end_trail(const pith_i_graph *g, pith_i_env *env,
                             long_worker *h, fact_trail *t, uint32_t depth) {
  pith_status rc = PITH_OK;
  for (uint32_t i = depth + 1; i < BODY; i++)
    t->body[i] = PITH_NONE;
  for (uint32_t e = h->edge[t->node[depth]]; rc >= 0 && e != 0;
       e = h->next[e - 1]) {
    t->body[depth] = PITH_I_OPPOSITE(way_of(g, first_edge(g, t->y) + e - 1));
    rc = count_body(env, h, t->body, t->fact);
  }
  return rc;
}

static pith_status follow_trail(const long_miner *m, pith_i_env *env,
                                long_worker *h, fact_trail *t, uint32_t depth,
                                uint32_t most) {
  const pith_i_graph *g = m->g;
  uint32_t base = first_edge(g, t->node[depth]);
  uint32_t n = node_degree(g, t->node[depth]);
  pith_status rc = PITH_OK;
  assert(depth + 1 < BODY);
  for (uint32_t j = 0; rc >= 0 && j < lesser(n, most); j++) {
    uint32_t edge = base + spread_evenly(j, n, most, t->random);
    if (is_on_trail(t, depth, g->target[edge]))
      continue;
    t->node[depth + 1] = g->target[edge];
    t->body[depth] = way_of(g, edge);
    rc = end_trail(g, env, h, t, depth + 1);
    if (rc >= 0 && depth + 3 <= m->m->length)
      rc = follow_trail(m, env, h, t, depth + 1, PITH_TUNE_GRAPH_LONG_LATER);
  }
  return rc;
}

static pith_status meet_from_fact(const long_miner *m, pith_i_env *env,
                                  long_worker *h, uint32_t x, uint32_t y,
                                  uint32_t fact) {
  const pith_i_graph *g = m->g;
  uint64_t random = pith_i_random(m->m->seed, 3, ((uint64_t)x << 32) | y);
  uint32_t base = first_edge(g, x), n = node_degree(g, x);
  pith_status rc = x == y ? PITH_OK : note_edges_back(g, env, h, y, true);
  for (uint32_t i = 0;
       rc >= 0 && x != y && i < lesser(n, PITH_TUNE_GRAPH_LONG_FIRST); i++) {
    uint32_t first =
        base + spread_evenly(i, n, PITH_TUNE_GRAPH_LONG_FIRST, random >> 32);
    if (g->target[first] != x && g->target[first] != y) {
      fact_trail t = {.y = y,
                      .fact = fact,
                      .random = random & 0xffffffff,
                      .node = {x, g->target[first]},
                      .body = {way_of(g, first)}};
      rc = follow_trail(m, env, h, &t, 1, PITH_TUNE_GRAPH_LONG_SECOND);
    }
  }
  return rc < 0 || x == y ? rc : note_edges_back(g, env, h, y, false);
}

/* ---- choosing -------------------------------------------------------- */

typedef struct {
  uint32_t met, row;
} ranked_body;

static int compare_ranked(const void *a, const void *b) {
  const ranked_body *x = a, *y = b;
  return x->met != y->met ? (x->met < y->met ? 1 : -1)
                          : (x->row > y->row) - (x->row < y->row);
}

/* The bodies met most often, of each length as many; rows come in the order
** met, which depends on the relation alone. */
static pith_status choose_bodies(const long_miner *m, pith_i_env *env,
                                 const long_worker *h, pith_i_way head,
                                 proposals *out) {
  size_t n = h->bodies.n;
  ranked_body *r = pith_i_alloc(env, (n + 1) * sizeof *r);
  if (r == NULL)
    return PITH_ENOMEM;
  for (size_t i = 0; i < n; i++)
    r[i] = (ranked_body){h->met.at[i], (uint32_t)i};
  qsort(r, n, sizeof *r, compare_ranked);
  pith_status rc = PITH_OK;
  uint32_t of_length[BODY + 1] = {0};
  for (size_t i = 0; rc >= 0 && i < n; i++) {
    const uint32_t *body = h->bodies.at + BODY * (size_t)r[i].row;
    proposal p = {.head = head};
    memcpy(p.step, body, sizeof p.step);
    if (r[i].met >= 2 && of_length[body_length(body)]++ < m->m->long_bodies &&
        !pith_i_push(env, out, p))
      rc = PITH_ENOMEM;
  }
  pith_i_release(env, r);
  return rc;
}

static pith_status propose_bodies(void *ctx, pith_i_worker *w,
                                  size_t relation) {
  long_miner *m = ctx;
  const pith_i_graph *g = m->g;
  long_worker *h = &m->hands[w->number];
  pith_i_way way = PITH_I_WAY((uint32_t)relation, 0);
  if (m->m->target != PITH_NONE && m->m->target != relation)
    return PITH_OK;
  pith_status rc = h->edge != NULL ? PITH_OK : long_worker_init(&w->env, g, h);
  pith_i_tuples_cut(&h->bodies, 0);
  h->met.n = h->last.n = 0;
  uint32_t runs = pith_i_way_nodes(g, way);
  uint32_t facts = lesser(g->way_edges[way], m->m->long_facts);
  uint64_t start = pith_i_random(m->m->seed, 4, relation);
  bool stopped = false;
  for (uint32_t i = 0;
       rc >= 0 && i < facts && !(stopped = pith_i_worker_stopped(w)); i++) {
    /* a subject, and one of its objects */
    assert(runs > 0);
    uint32_t at = spread_evenly(i % runs, runs, lesser(facts, runs), start);
    uint32_t run = g->way_run[g->way_first[way] + at];
    uint64_t k = pith_i_random(m->m->seed, start, i) % pith_i_run_size(g, run);
    rc = meet_from_fact(m, &w->env, h, pith_i_run_node(g, run),
                        g->target[g->run_edge[run] + k], i);
  }
  m->maker[relation] = w->number;
  if (rc >= 0)
    rc = choose_bodies(m, &w->env, h, way, &m->by_relation[relation]);
  return rc >= 0 && stopped ? PITH_STOPPED : rc;
}

static pith_status pack_proposals(void *ctx, pith_i_crew *c, size_t first,
                                  size_t last, pith_i_buffer *out) {
  long_miner *m = ctx;
  for (size_t r = first; r < last; r++) {
    if (!pith_i_buffer_put_vec(c->owner, out, &m->by_relation[r]))
      return PITH_ENOMEM;
    pith_i_vec_free(&c->workers[m->maker[r]].env, &m->by_relation[r]);
  }
  return PITH_OK;
}

static pith_status unpack_proposals(void *ctx, pith_i_crew *c, size_t first,
                                    size_t last, pith_i_cursor *in) {
  long_miner *m = ctx;
  for (size_t r = first; r < last; r++) {
    m->maker[r] = 0;
    if (!pith_i_cursor_take_vec(&c->workers[0].env, in, &m->by_relation[r]))
      return PITH_ENOMEM;
  }
  return PITH_OK;
}

/* ---- counting -------------------------------------------------------- */

static int compare_proposals(const void *a, const void *b) {
  return memcmp(a, b, sizeof(proposal));
}

static bool same_body(const proposal *a, const proposal *b) {
  return memcmp(a->step, b->step, sizeof a->step) == 0;
}

static pith_status sort_proposals(pith_i_crew *crew, long_miner *m) {
  pith_i_env *env = crew->owner;
  for (uint32_t r = 0; r < m->g->relations; r++)
    for (size_t i = 0; i < m->by_relation[r].n; i++)
      if (!pith_i_push(env, &m->all, m->by_relation[r].at[i]))
        return PITH_ENOMEM;
  if (m->all.n > 0)
    qsort(m->all.at, m->all.n, sizeof *m->all.at, compare_proposals);
  for (size_t i = 0; i < m->all.n; i++)
    if ((i == 0 || !same_body(&m->all.at[i - 1], &m->all.at[i])) &&
        !pith_i_push(env, &m->group, (uint32_t)i))
      return PITH_ENOMEM;
  m->counted = pith_i_zalloc(env, m->all.n + 1, sizeof *m->counted);
  return m->counted == NULL || !pith_i_push(env, &m->group, (uint32_t)m->all.n)
             ? PITH_ENOMEM
             : PITH_OK;
}

static void count_walk(const long_miner *m, const pith_i_walk *walk, uint32_t x,
                       size_t first, size_t last) {
  const pith_i_graph *g = m->g;
  for (size_t i = first; i < last; i++) {
    pith_i_path *p = &m->counted[i];
    p->predictions += walk->n;
    uint32_t run = pith_i_graph_run(g, x, p->head);
    if (run == PITH_NONE)
      continue;
    for (uint32_t e = g->run_edge[run]; e < g->run_edge[run + 1]; e++)
      p->support += walk->slot[g->target[e]] != 0;
  }
}

/* A step through 0 .. n-1 that meets each number once, and neighbours late. */
static uint32_t scattered_stride(uint32_t n) {
  for (uint32_t step = (uint32_t)(0.618 * n) | 1;; step++) {
    uint32_t a = n, b = step;
    while (b != 0) {
      uint32_t rest = a % b;
      a = b;
      b = rest;
    }
    if (a == 1)
      return step;
  }
}

/* Entities to start from come in a scattered order; one from which there are
** too many paths is passed over. */
static pith_status count_bodies(void *ctx, pith_i_worker *w, size_t group) {
  long_miner *m = ctx;
  const pith_i_graph *g = m->g;
  long_worker *h = &m->hands[w->number];
  if (h->edge == NULL && long_worker_init(&w->env, g, h) < 0)
    return PITH_ENOMEM;
  size_t first = m->group.at[group], last = m->group.at[group + 1];
  assert(first < last && last <= m->all.n);
  const proposal *body = &m->all.at[first];
  uint32_t length = body_length(body->step);
  for (size_t i = first; i < last; i++) {
    m->counted[i] = (pith_i_path){.head = m->all.at[i].head,
                                  .constant = PITH_NONE,
                                  .end = PITH_NONE,
                                  .length = length};
    memcpy(m->counted[i].step, body->step, sizeof body->step);
  }
  uint32_t n = pith_i_way_nodes(g, body->step[0]);
  const uint32_t *runs = g->way_run + g->way_first[body->step[0]];
  uint64_t before = h->walk->work, stride = scattered_stride(n);
  uint64_t look = before;
  h->walk->most = m->m->long_work / 4 + 1;
  for (uint64_t i = 0; i < n && h->walk->work - before < m->m->long_work; i++) {
    if (h->walk->work + i >= look) {
      if (pith_i_worker_stopped(w))
        return PITH_STOPPED;
      look = h->walk->work + i + EDGES_A_LOOK;
    }
    uint32_t x = pith_i_run_node(g, runs[i * stride % n]);
    pith_i_walk_from(h->walk, body->step, length, x);
    if (!h->walk->cut)
      count_walk(m, h->walk, x, first, last);
  }
  return PITH_OK;
}

static pith_status pack_counted(void *ctx, pith_i_crew *c, size_t first,
                                size_t last, pith_i_buffer *out) {
  const long_miner *m = ctx;
  size_t from = m->group.at[first], n = m->group.at[last] - from;
  return pith_i_buffer_put(c->owner, out, m->counted + from,
                           n * sizeof *m->counted)
             ? PITH_OK
             : PITH_ENOMEM;
}

static pith_status unpack_counted(void *ctx, pith_i_crew *c, size_t first,
                                  size_t last, pith_i_cursor *in) {
  const long_miner *m = ctx;
  size_t from = m->group.at[first], n = m->group.at[last] - from;
  (void)c;
  pith_i_cursor_take(in, m->counted + from, n * sizeof *m->counted);
  return PITH_OK;
}

static pith_status make_long_rules(pith_i_env *env, const long_miner *m,
                                   pith_i_paths *rules) {
  size_t from = rules->n;
  for (size_t i = 0; i < m->all.n; i++) {
    pith_i_path *p = &m->counted[i];
    pith_i_path_set(p, p->support, p->predictions);
    if (p->support >= m->m->support && p->confidence >= m->m->confidence &&
        !pith_i_push(env, rules, *p))
      return PITH_ENOMEM;
  }
  pith_i_paths_keep(env, rules, from, m->m->keep_long * (m->m->length - 2));
  return PITH_OK;
}

/* ---- all together ---------------------------------------------------- */

static void long_miner_free(pith_i_crew *crew, long_miner *m) {
  pith_i_env *env = crew->owner;
  for (uint32_t r = 0;
       m->by_relation != NULL && m->maker != NULL && r < m->g->relations; r++)
    pith_i_vec_free(&crew->workers[m->maker[r]].env, &m->by_relation[r]);
  for (uint32_t i = 0; m->hands != NULL && i < crew->jobs; i++)
    long_worker_free(&crew->workers[i].env, &m->hands[i]);
  pith_i_release(env, m->hands);
  pith_i_release(env, m->by_relation);
  pith_i_release(env, m->maker);
  pith_i_vec_free(env, &m->all);
  pith_i_vec_free(env, &m->group);
  pith_i_release(env, m->counted);
}

pith_status pith_i_mine_long(pith_i_crew *crew, const pith_i_graph *g,
                             const pith_i_mining *mining, pith_i_paths *rules) {
  const pith_i_shared_loop relations = {
      g->relations, propose_bodies, pack_proposals, unpack_proposals, false, 0};
  pith_i_env *env = crew->owner;
  long_miner m = {.g = g, .m = mining};
  if (mining->length < 3)
    return PITH_OK;
  m.hands = pith_i_zalloc(env, crew->jobs, sizeof *m.hands);
  m.by_relation = pith_i_zalloc(env, g->relations, sizeof *m.by_relation);
  m.maker = pith_i_zalloc(env, g->relations, sizeof *m.maker);
  pith_status rc = m.hands == NULL || m.by_relation == NULL || m.maker == NULL
                       ? PITH_ENOMEM
                       : pith_i_crew_share(crew, &relations, &m);
  bool stopped = rc == PITH_STOPPED;
  if (rc >= 0)
    rc = sort_proposals(crew, &m);
  if (rc >= 0 && !stopped) {
    const pith_i_shared_loop bodies = {
        m.group.n - 1, count_bodies, pack_counted, unpack_counted, false, 0};
    rc = pith_i_crew_share(crew, &bodies, &m);
  }
  stopped = stopped || rc == PITH_STOPPED;
  if (rc >= 0)
    rc = make_long_rules(env, &m, rules);
  long_miner_free(crew, &m);
  return rc >= 0 && stopped ? PITH_STOPPED : rc;
}
