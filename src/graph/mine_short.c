/* Chains of one and two atoms, counted exactly.
**
** From each entity x all paths of two edges are walked, a first way at a time;
** what is reached by one body is marked, so that a pair counts once however
** many groundings it has, and where x has an edge to the end, the body
** supports a rule for that edge. A body and its reverse predict the same pairs
** seen from the other end, so only the lesser of the two is walked. */
#include <assert.h>
#include <string.h>

#include "base/random.h"
#include "graph/mine.h"

enum {
  CHUNKS = 256,
  LOOK = 256 /* nodes or runs between looks at the clock */
};

/* How often a body predicts, and how often a rule is right. */
typedef struct {
  pith_i_tuples bodies; /* (first way, second way) */
  PITH_I_VEC(uint64_t) predictions;
  pith_i_tuples rules; /* (first, second, head's way from x) */
  PITH_I_VEC(uint32_t) support;
} short_tally;

typedef struct {
  short_tally t;
  uint32_t *edge;  /* (entities) first edge from x to it, + 1; 0: none      */
  uint32_t *next;  /* (edges of x) the next edge to the same entity, + 1    */
  uint32_t *way;   /* (edges of x) */
  size_t next_cap; /* room in next and way */
  uint64_t *mark;  /* (entities) the last body that reached it              */
  uint64_t marks;
  uint32_t *bucket; /* (ways) first of the runs to follow that way, + 1      */
  PITH_I_VEC(uint32_t) runs;   /* runs to follow, in lists by way             */
  PITH_I_VEC(uint32_t) after;  /* the next in its list, + 1                   */
  PITH_I_VEC(pith_i_way) used; /* ways whose bucket is not empty             */
} short_worker;                /* what one worker needs */

typedef struct {
  const pith_i_graph *g;
  const pith_i_mining *m;
  short_worker *hands;  /* (jobs) */
  pith_i_tuples costly; /* bodies with more work than allowed              */
  PITH_I_VEC(uint64_t) share; /* of entities to start from: of 2^32        */
} short_miner;

/* ---- memory ---------------------------------------------------------- */

static pith_status short_worker_init(pith_i_env *env, const pith_i_graph *g,
                                     short_worker *h) {
  h->t.bodies.width = 2;
  h->t.rules.width = 3;
  h->edge = pith_i_zalloc(env, (size_t)g->entities + 1, sizeof *h->edge);
  h->mark = pith_i_zalloc(env, (size_t)g->entities + 1, sizeof *h->mark);
  h->bucket = pith_i_zalloc(env, (size_t)g->ways + 1, sizeof *h->bucket);
  return h->edge == NULL || h->mark == NULL || h->bucket == NULL ? PITH_ENOMEM
                                                                 : PITH_OK;
}

static void short_tally_free(pith_i_env *env, short_tally *t) {
  pith_i_tuples_free(env, &t->bodies);
  pith_i_tuples_free(env, &t->rules);
  pith_i_vec_free(env, &t->predictions);
  pith_i_vec_free(env, &t->support);
}

static void short_worker_free(pith_i_env *env, short_worker *h) {
  short_tally_free(env, &h->t);
  pith_i_release(env, h->edge);
  pith_i_release(env, h->next);
  pith_i_release(env, h->way);
  pith_i_release(env, h->mark);
  pith_i_release(env, h->bucket);
  pith_i_vec_free(env, &h->runs);
  pith_i_vec_free(env, &h->after);
  pith_i_vec_free(env, &h->used);
}

/* ---- counting -------------------------------------------------------- */

static pith_status add_body(pith_i_env *env, short_tally *t,
                            const uint32_t *body, uint64_t n) {
  uint32_t row;
  bool added;
  pith_status rc = pith_i_tuples_add(env, &t->bodies, body, &row, &added);
  if (rc >= 0 && added && !pith_i_push(env, &t->predictions, 0))
    rc = PITH_ENOMEM;
  if (rc >= 0)
    t->predictions.at[row] += n;
  return rc;
}

static pith_status add_support(pith_i_env *env, short_tally *t,
                               const uint32_t *rule, uint32_t n) {
  uint32_t row;
  bool added;
  pith_status rc = pith_i_tuples_add(env, &t->rules, rule, &row, &added);
  if (rc >= 0 && added && !pith_i_push(env, &t->support, 0))
    rc = PITH_ENOMEM;
  if (rc >= 0)
    t->support.at[row] += n;
  return rc;
}

static bool is_wanted_head(const short_miner *m, pith_i_way head) {
  return m->m->target == PITH_NONE || head / 2 == m->m->target;
}

/* The pair (x, y) was reached by a body: it supports a rule for each edge
** between the two. A body that is its own reverse meets each pair from either
** end, so there edges count from their subject alone. */
static pith_status count_support(const short_miner *m, pith_i_env *env,
                                 short_worker *h, const uint32_t *body,
                                 bool mirror, uint32_t y) {
  for (uint32_t e = h->edge[y]; e != 0; e = h->next[e - 1]) {
    pith_i_way head = h->way[e - 1];
    uint32_t rule[3] = {body[0], body[1], head};
    if (head == body[0] && body[1] == PITH_NONE)
      continue; /* the fact itself */
    if ((mirror && head % 2 == 1) || !is_wanted_head(m, head))
      continue;
    pith_status rc = add_support(env, &h->t, rule, 1);
    if (rc < 0)
      return rc;
  }
  return PITH_OK;
}

static bool is_lesser_body(const uint32_t *a, const uint32_t *b) {
  return a[0] != b[0] ? a[0] < b[0] : a[1] <= b[1];
}

/* Whether x is one of those that the body starts from. */
static bool is_start(const short_miner *m, const uint32_t *body, uint32_t x) {
  uint32_t row = pith_i_tuples_find(&m->costly, body);
  return row == PITH_NONE ||
         pith_i_random(m->m->seed, 2, x) >> 32 < m->share.at[row];
}

static pith_status end_body(const short_miner *m, pith_i_env *env,
                            short_worker *h, const uint32_t *body, uint32_t x) {
  const pith_i_graph *g = m->g;
  bool mirror = body[1] == PITH_I_OPPOSITE(body[0]);
  uint64_t n = 0;
  h->marks++;
  for (uint32_t k = h->bucket[body[1]]; k != 0; k = h->after.at[k - 1]) {
    uint32_t run = h->runs.at[k - 1];
    for (uint32_t i = g->run_edge[run]; i < g->run_edge[run + 1]; i++) {
      uint32_t y = g->target[i];
      /* a node with an edge to itself would be two of the path */
      if (h->mark[y] == h->marks || y == x || y == pith_i_run_node(g, run))
        continue;
      h->mark[y] = h->marks;
      n++;
      pith_status rc =
          h->edge[y] == 0 ? PITH_OK : count_support(m, env, h, body, mirror, y);
      if (rc < 0)
        return rc;
    }
  }
  return n == 0 ? PITH_OK : add_body(env, &h->t, body, n);
}

static pith_status gather_runs(const short_miner *m, pith_i_env *env,
                               short_worker *h, uint32_t first_run,
                               uint32_t x) {
  const pith_i_graph *g = m->g;
  pith_i_way way = g->run_way[first_run];
  for (uint32_t i = g->run_edge[first_run]; i < g->run_edge[first_run + 1];
       i++) {
    uint32_t a = g->target[i];
    for (uint32_t r = g->node_run[a]; a != x && r < g->node_run[a + 1]; r++) {
      pith_i_way second = g->run_way[r];
      uint32_t body[2] = {way, second};
      uint32_t reverse[2] = {PITH_I_OPPOSITE(second), PITH_I_OPPOSITE(way)};
      if (!is_lesser_body(body, reverse))
        continue;
      if (!pith_i_push(env, &h->runs, r) ||
          !pith_i_push(env, &h->after, h->bucket[second]) ||
          (h->bucket[second] == 0 && !pith_i_push(env, &h->used, second)))
        return PITH_ENOMEM;
      h->bucket[second] = (uint32_t)h->runs.n;
    }
  }
  return PITH_OK;
}

/* All bodies that start at x with the way of this run. */
static pith_status count_from_run(const short_miner *m, pith_i_env *env,
                                  short_worker *h, uint32_t run, uint32_t x) {
  uint32_t one[2] = {m->g->run_way[run], PITH_NONE};
  pith_status rc = PITH_OK;
  for (uint32_t i = m->g->run_edge[run]; rc >= 0 && i < m->g->run_edge[run + 1];
       i++)
    if (m->g->target[i] != x)
      rc = count_support(m, env, h, one, false, m->g->target[i]);
  if (rc < 0 || m->m->length < 2)
    return rc;
  h->runs.n = h->after.n = h->used.n = 0;
  rc = gather_runs(m, env, h, run, x);
  for (size_t i = 0; i < h->used.n; i++) {
    uint32_t body[2] = {m->g->run_way[run], h->used.at[i]};
    if (rc >= 0 && is_start(m, body, x))
      rc = end_body(m, env, h, body, x);
    h->bucket[h->used.at[i]] = 0;
  }
  return rc;
}

/* Notes to whom x has which edges. */
static pith_status note_edges_of(const pith_i_graph *g, pith_i_env *env,
                                 short_worker *h, uint32_t x, bool on) {
  uint32_t first = g->node_run[x], last = g->node_run[x + 1];
  size_t n = first == last ? 0 : g->run_edge[last] - g->run_edge[first];
  if (n > h->next_cap) {
    uint32_t *next = pith_i_realloc(env, h->next, 2 * n * sizeof *next);
    h->next = next == NULL ? h->next : next;
    uint32_t *way =
        next == NULL ? NULL : pith_i_realloc(env, h->way, 2 * n * sizeof *way);
    if (way == NULL)
      return PITH_ENOMEM;
    h->way = way;
    h->next_cap = 2 * n;
  }
  uint32_t e = 0;
  for (uint32_t r = first; r < last; r++)
    for (uint32_t i = g->run_edge[r]; i < g->run_edge[r + 1]; i++) {
      uint32_t y = g->target[i];
      if (!on) {
        h->edge[y] = 0;
        continue;
      }
      h->way[e] = g->run_way[r];
      h->next[e] = h->edge[y];
      h->edge[y] = ++e;
    }
  return PITH_OK;
}

static pith_status count_chunk(void *ctx, pith_i_worker *w, size_t chunk) {
  const short_miner *m = ctx;
  const pith_i_graph *g = m->g;
  short_worker *h = &m->hands[w->number];
  pith_status rc = h->edge != NULL ? PITH_OK : short_worker_init(&w->env, g, h);
  uint32_t end = pith_i_chunk(g->entities, chunk + 1, CHUNKS);
  for (uint32_t x = pith_i_chunk(g->entities, chunk, CHUNKS);
       rc == PITH_OK && x < end; x++) {
    rc = note_edges_of(g, &w->env, h, x, true);
    for (uint32_t r = g->node_run[x]; rc >= 0 && r < g->node_run[x + 1]; r++)
      rc = count_from_run(m, &w->env, h, r, x);
    if (rc >= 0)
      rc = note_edges_of(g, &w->env, h, x, false);
    if (rc >= 0 && pith_i_worker_stopped(w))
      rc = PITH_STOPPED;
  }
  return rc;
}

/* ---- with other processes --------------------------------------------- */

typedef struct {
  uint32_t key[4]; /* a body's two ways, or a rule's three; 0, not a gap */
  uint64_t n;
} tally_entry;

static bool put_tally(pith_i_env *env, const short_tally *t,
                      pith_i_buffer *out) {
  uint64_t counts[2] = {t->bodies.n, t->rules.n};
  bool ok = pith_i_buffer_put(env, out, counts, sizeof counts);
  for (size_t i = 0; ok && i < t->bodies.n; i++) {
    tally_entry e = {{t->bodies.at[2 * i], t->bodies.at[2 * i + 1], 0},
                     t->predictions.at[i]};
    ok = pith_i_buffer_put(env, out, &e, sizeof e);
  }
  for (size_t i = 0; ok && i < t->rules.n; i++) {
    tally_entry e = {.n = t->support.at[i]};
    memcpy(e.key, t->rules.at + 3 * i, 3 * sizeof *e.key);
    ok = pith_i_buffer_put(env, out, &e, sizeof e);
  }
  return ok;
}

/* What all workers have counted since the last time. */
static pith_status pack_tallies(void *ctx, pith_i_crew *c, size_t first,
                                size_t last, pith_i_buffer *out) {
  const short_miner *m = ctx;
  (void)first;
  (void)last;
  for (uint32_t i = 0; i < c->jobs; i++) {
    short_tally *t = &m->hands[i].t;
    if (!put_tally(c->owner, t, out))
      return PITH_ENOMEM;
    short_tally_free(&c->workers[i].env, t);
    t->bodies.width = 2;
    t->rules.width = 3;
  }
  return PITH_OK;
}

static pith_status unpack_tallies(void *ctx, pith_i_crew *c, size_t first,
                                  size_t last, pith_i_cursor *in) {
  const short_miner *m = ctx;
  short_tally *t = &m->hands[0].t;
  pith_i_env *env = &c->workers[0].env;
  pith_status rc = PITH_OK;
  (void)first;
  (void)last;
  t->bodies.width = 2; /* worker 0 may have done nothing */
  t->rules.width = 3;
  while (rc >= 0 && in->ok && in->left > 0) {
    uint64_t counts[2];
    pith_i_cursor_take(in, counts, sizeof counts);
    for (uint64_t i = 0; rc >= 0 && in->ok && i < counts[0] + counts[1]; i++) {
      tally_entry e;
      pith_i_cursor_take(in, &e, sizeof e);
      rc = i < counts[0] ? add_body(env, t, e.key, e.n)
                         : add_support(env, t, e.key, (uint32_t)e.n);
    }
  }
  return rc;
}

/* ---- work ------------------------------------------------------------ */

/* What the bodies through a node will cost. */
static pith_status tally_through(pith_i_env *env, const pith_i_graph *g,
                                 uint32_t a, pith_i_run *run, short_tally *t) {
  pith_status rc = PITH_OK;
  for (uint32_t r = g->node_run[a]; rc == PITH_OK && r < g->node_run[a + 1];
       r++) {
    for (uint32_t s = g->node_run[a]; rc == PITH_OK && s < g->node_run[a + 1];
         s++) {
      uint32_t body[2] = {PITH_I_OPPOSITE(g->run_way[r]), g->run_way[s]};
      rc = add_body(env, t, body,
                    (uint64_t)pith_i_run_size(g, r) * pith_i_run_size(g, s));
    }
    if (rc == PITH_OK && r % LOOK == 0 && pith_i_stop_requested(run))
      rc = PITH_STOPPED;
  }
  return rc;
}

/* What the bodies through each node will cost, and of those that cost too
** much, which share of the entities to start from. */
static pith_status find_costly(pith_i_env *env, pith_i_run *run,
                               short_miner *m) {
  const pith_i_graph *g = m->g;
  short_tally t = {.bodies.width = 2, .rules.width = 3};
  pith_status rc = PITH_OK;
  for (uint32_t a = 0; rc == PITH_OK && a < g->entities; a++) {
    rc = tally_through(env, g, a, run, &t);
    if (rc == PITH_OK && a % LOOK == 0 && pith_i_stop_requested(run))
      rc = PITH_STOPPED;
  }
  m->costly.width = 2;
  for (size_t i = 0; rc == PITH_OK && i < t.bodies.n; i++) {
    double cost = (double)t.predictions.at[i];
    if (cost <= (double)m->m->short_work)
      continue;
    rc = pith_i_tuples_add(env, &m->costly, t.bodies.at + 2 * i, NULL, NULL);
    double share = 4294967296.0 * (double)m->m->short_work / cost;
    if (rc >= 0 && !pith_i_push(env, &m->share, (uint64_t)share))
      rc = PITH_ENOMEM;
  }
  short_tally_free(env, &t);
  return rc;
}

/* ---- rules ----------------------------------------------------------- */

static pith_status merge_tallies(pith_i_env *env, short_tally *all,
                                 const short_tally *t) {
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc >= 0 && i < t->bodies.n; i++)
    rc = add_body(env, all, t->bodies.at + 2 * i, t->predictions.at[i]);
  for (size_t i = 0; rc >= 0 && i < t->rules.n; i++)
    rc = add_support(env, all, t->rules.at + 3 * i, t->support.at[i]);
  return rc;
}

static uint64_t edges_between_two(const pith_i_graph *g, pith_i_way way) {
  uint64_t n = 0;
  for (uint32_t i = g->way_first[way]; i < g->way_first[way + 1]; i++) {
    uint32_t run = g->way_run[i];
    n += pith_i_run_size(g, run) - pith_i_graph_has(g, pith_i_run_node(g, run),
                                                    way,
                                                    pith_i_run_node(g, run));
  }
  return n;
}

/* From what was counted at x to a rule from its head's subject. */
static pith_i_path make_chain_rule(const uint32_t *key) {
  pith_i_path p = {.head = key[2] & ~1u,
                   .constant = PITH_NONE,
                   .end = PITH_NONE,
                   .length = key[1] == PITH_NONE ? 1 : 2,
                   .step = {key[0], key[1]}};
  if (key[2] % 2 == 1 && p.length == 2) {
    p.step[0] = PITH_I_OPPOSITE(key[1]);
    p.step[1] = PITH_I_OPPOSITE(key[0]);
  } else if (key[2] % 2 == 1) {
    p.step[0] = PITH_I_OPPOSITE(key[0]);
  }
  return p;
}

static pith_status list_short_rules(pith_i_env *env, const short_miner *m,
                                    const short_tally *t, const uint64_t *ones,
                                    pith_i_paths *rules) {
  for (size_t i = 0; i < t->rules.n; i++) {
    const uint32_t *key = t->rules.at + 3 * i;
    /* one atom: every fact is met from both of its ends */
    if (t->support.at[i] < m->m->support ||
        (key[1] == PITH_NONE && key[2] % 2 == 1))
      continue;
    uint32_t body =
        key[1] == PITH_NONE ? PITH_NONE : pith_i_tuples_find(&t->bodies, key);
    uint64_t n = body == PITH_NONE ? ones[key[0]] : t->predictions.at[body];
    assert(t->support.at[i] <= n);
    pith_i_path p = make_chain_rule(key);
    pith_i_path_set(&p, t->support.at[i], n);
    if (p.confidence >= m->m->confidence && !pith_i_push(env, rules, p))
      return PITH_ENOMEM;
  }
  return PITH_OK;
}

static pith_status make_short_rules(pith_i_crew *crew, const short_miner *m,
                                    pith_i_paths *rules) {
  pith_i_env *env = crew->owner;
  short_tally all = {.bodies.width = 2, .rules.width = 3};
  size_t from = rules->n;
  uint64_t *ones = pith_i_alloc(env, ((size_t)m->g->ways + 1) * sizeof *ones);
  pith_status rc = ones == NULL ? PITH_ENOMEM : PITH_OK;
  for (uint32_t i = 0; rc >= 0 && i < crew->jobs; i++)
    rc = merge_tallies(env, &all, &m->hands[i].t);
  for (pith_i_way w = 0; rc >= 0 && w < m->g->ways; w++)
    ones[w] = edges_between_two(m->g, w);
  if (rc >= 0)
    rc = list_short_rules(env, m, &all, ones, rules);
  if (rc >= 0)
    pith_i_paths_keep(env, rules, from, m->m->keep_short);
  short_tally_free(env, &all);
  pith_i_release(env, ones);
  return rc;
}

pith_status pith_i_mine_short(pith_i_crew *crew, const pith_i_graph *g,
                              const pith_i_mining *mining,
                              pith_i_paths *rules) {
  const pith_i_shared_loop chunks = {CHUNKS,         count_chunk, pack_tallies,
                                     unpack_tallies, false,       0};
  pith_i_env *env = crew->owner;
  short_miner m = {.g = g, .m = mining};
  m.hands = pith_i_zalloc(env, crew->jobs, sizeof *m.hands);
  pith_status rc =
      m.hands == NULL ? PITH_ENOMEM : find_costly(env, crew->run, &m);
  if (rc == PITH_OK)
    rc = pith_i_crew_share(crew, &chunks, &m);
  bool stopped = rc == PITH_STOPPED;
  if (rc >= 0)
    rc = make_short_rules(crew, &m, rules);
  for (uint32_t i = 0; m.hands != NULL && i < crew->jobs; i++)
    short_worker_free(&crew->workers[i].env, &m.hands[i]);
  pith_i_release(env, m.hands);
  pith_i_tuples_free(env, &m.costly);
  pith_i_vec_free(env, &m.share);
  return rc >= 0 && stopped ? PITH_STOPPED : rc;
}
