/* Edges are put in order by three counting sorts, the last by node, each
** keeping the order of the one before. */
#include "graph/graph.h"

#include <assert.h>
#include <string.h>
#if defined(__linux__)
#include <sys/mman.h>
#include <unistd.h>
#endif

typedef struct {
  uint32_t from, to;
  pith_i_way way;
} graph_edge;

/* ---- who takes part -------------------------------------------------- */

static bool is_relation(const pith_i_store *s, size_t pred) {
  if (pred >= s->relations.n)
    return false;
  const pith_i_relation *r = &s->relations.at[pred];
  return !PITH_IS_BUILTIN(pred) && r->rows.width == 2 && r->given > 0;
}

static void add_entity(pith_i_graph *g, pith_sym s) {
  if (g->entity[s] == PITH_NONE) {
    g->entity[s] = g->entities;
    g->symbol[g->entities++] = s;
  }
}

static void add_relation(pith_i_graph *g, pith_pred pred) {
  assert(pred < g->preds);
  if (g->relation[pred] == PITH_NONE) {
    g->relation[pred] = g->relations;
    g->pred[g->relations++] = pred;
  }
}

static void add_extra(pith_i_graph *g, const pith_i_graph_extra *extra) {
  for (size_t i = 0; extra != NULL && i < extra->symbol_count; i++)
    add_entity(g, extra->symbols[i]);
  for (size_t i = 0; extra != NULL && i < extra->pred_count; i++)
    add_relation(g, extra->preds[i]);
}

static pith_status add_facts_of(pith_i_graph *g, const pith_i_relation *r) {
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc == PITH_OK && i < 2 * r->given; i++) {
    add_entity(g, r->rows.at[i]);
    rc = pith_i_look_at_turn(g->env, g->run, i);
  }
  return rc;
}

static pith_status name_entities(pith_i_graph *g, const pith_i_store *s,
                                 const pith_i_graph_extra *extra) {
  g->entity = pith_i_alloc(g->env, (g->symbols + 1) * sizeof *g->entity);
  g->symbol = pith_i_alloc(g->env, (g->symbols + 1) * sizeof *g->symbol);
  g->relation = pith_i_alloc(g->env, (g->preds + 1) * sizeof *g->relation);
  g->pred = pith_i_alloc(g->env, (g->preds + 1) * sizeof *g->pred);
  if (g->entity == NULL || g->symbol == NULL || g->relation == NULL ||
      g->pred == NULL)
    return PITH_ENOMEM;
  memset(g->entity, 0xff, (g->symbols + 1) * sizeof *g->entity);
  memset(g->relation, 0xff, (g->preds + 1) * sizeof *g->relation);
  uint64_t edges = 0;
  pith_status rc = PITH_OK;
  for (size_t p = 0; rc == PITH_OK && p < s->relations.n; p++) {
    const pith_i_relation *r = &s->relations.at[p];
    if (!is_relation(s, p))
      continue;
    add_relation(g, (pith_pred)p);
    edges += 2 * (uint64_t)r->given;
    rc = add_facts_of(g, r);
  }
  if (rc != PITH_OK)
    return rc;
  add_extra(g, extra);
  if (edges == 0)
    return pith_i_fail(g->env, PITH_EINPUT,
                       "no binary facts; a graph is made of facts such as "
                       "likes(ann,bob)");
  if (edges >= PITH_NONE)
    return pith_i_fail(g->env, PITH_ENOMEM,
                       "out of memory: a graph has fewer than 2^31 facts");
  g->edges = (uint32_t)edges;
  g->ways = 2 * g->relations;
  return PITH_OK;
}

/* ---- edges in order -------------------------------------------------- */

static void list_edges(const pith_i_graph *g, const pith_i_store *s,
                       graph_edge *out) {
  for (uint32_t r = 0; r < g->relations; r++) {
    size_t given = is_relation(s, g->pred[r])
                       ? s->relations.at[g->pred[r]].given
                       : 0; /* a relation of rules alone */
    const pith_i_relation *rel =
        given == 0 ? NULL : &s->relations.at[g->pred[r]];
    for (size_t i = 0; i < given; i++) {
      uint32_t x = g->entity[rel->rows.at[2 * i]];
      uint32_t y = g->entity[rel->rows.at[2 * i + 1]];
      *out++ = (graph_edge){x, y, PITH_I_WAY(r, 0)};
      *out++ = (graph_edge){y, x, PITH_I_WAY(r, 1)};
    }
  }
}

typedef enum { BY_TARGET, BY_WAY, BY_NODE } edge_key;

static uint32_t edge_key_of(const graph_edge *e, edge_key key) {
  return key == BY_TARGET ? e->to : key == BY_WAY ? e->way : e->from;
}

/* start: room for as many numbers as there are keys, and one more. */
static pith_status sort_edges(const pith_i_graph *g, const graph_edge *in,
                              graph_edge *out, edge_key key, uint32_t keys,
                              uint32_t *start) {
  pith_status rc = PITH_OK;
  memset(start, 0, ((size_t)keys + 1) * sizeof *start);
  for (uint32_t i = 0; i < g->edges; i++)
    start[edge_key_of(&in[i], key) + 1]++;
  for (uint32_t k = 0; k < keys; k++)
    start[k + 1] += start[k];
  for (uint32_t i = 0; rc == PITH_OK && i < g->edges; i++) {
    out[start[edge_key_of(&in[i], key)]++] = in[i];
    rc = pith_i_look_at_turn(g->env, g->run, i);
  }
  return rc;
}

static bool is_same_run(const graph_edge *a, const graph_edge *b) {
  return a->from == b->from && a->way == b->way;
}

static pith_status make_runs(pith_i_graph *g, const graph_edge *e) {
  for (uint32_t i = 0; i < g->edges; i++)
    g->runs += i == 0 || !is_same_run(&e[i - 1], &e[i]);
  g->node_run =
      pith_i_zalloc(g->env, (size_t)g->entities + 1, sizeof(uint32_t));
  g->run_edge = pith_i_alloc(g->env, ((size_t)g->runs + 1) * sizeof(uint32_t));
  g->run_way = pith_i_alloc(g->env, (size_t)g->runs * sizeof(uint32_t));
  g->some_node = pith_i_alloc(g->env, ((size_t)g->runs / PITH_I_NODE_STEP + 1) *
                                          sizeof(uint32_t));
  g->target = pith_i_alloc(g->env, (size_t)g->edges * sizeof(uint32_t));
  if (g->node_run == NULL || g->run_edge == NULL || g->run_way == NULL ||
      g->some_node == NULL || g->target == NULL)
    return PITH_ENOMEM;
  uint32_t run = 0;
  for (uint32_t i = 0; i < g->edges; i++) {
    g->target[i] = e[i].to;
    if (i > 0 && is_same_run(&e[i - 1], &e[i]))
      continue;
    g->run_edge[run] = i;
    g->run_way[run] = e[i].way;
    if (run % PITH_I_NODE_STEP == 0)
      g->some_node[run / PITH_I_NODE_STEP] = e[i].from;
    g->node_run[e[i].from + 1]++;
    run++;
  }
  g->run_edge[run] = g->edges;
  for (uint32_t n = 0; n < g->entities; n++)
    g->node_run[n + 1] += g->node_run[n];
  return PITH_OK;
}

static pith_status make_ways(pith_i_graph *g) {
  g->way_first = pith_i_zalloc(g->env, (size_t)g->ways + 2, sizeof(uint32_t));
  g->way_edges = pith_i_zalloc(g->env, g->ways, sizeof(uint32_t));
  g->way_run = pith_i_alloc(g->env, (size_t)g->runs * sizeof(uint32_t));
  if (g->way_first == NULL || g->way_run == NULL || g->way_edges == NULL)
    return PITH_ENOMEM;
  uint32_t *next = g->way_first + 1; /* becomes way_first while filling */
  for (uint32_t r = 0; r < g->runs; r++) {
    next[g->run_way[r] + 1]++;
    g->way_edges[g->run_way[r]] += pith_i_run_size(g, r);
  }
  for (uint32_t w = 0; w < g->ways; w++)
    next[w + 1] += next[w];
  for (uint32_t r = 0; r < g->runs; r++)
    g->way_run[next[g->run_way[r]]++] = r;
  return PITH_OK;
}

static pith_status make_back(pith_i_graph *g) {
  uint32_t most = 0;
  for (uint32_t n = 0; n < g->entities; n++)
    if (g->node_run[n + 1] - g->node_run[n] > most)
      most = g->node_run[n + 1] - g->node_run[n];
  if (most <= UINT16_MAX + 1u) /* even, as blocks are moved by four bytes */
    g->back =
        pith_i_zalloc(g->env, (size_t)g->edges / 2 + 1, 2 * sizeof *g->back);
  else
    g->back_wide = pith_i_alloc(g->env, g->edges * sizeof *g->back_wide);
  if (g->back == NULL && g->back_wide == NULL)
    return PITH_ENOMEM;
  pith_status rc = PITH_OK;
  for (uint32_t r = 0; rc == PITH_OK && r < g->runs; r++)
    for (uint32_t i = g->run_edge[r]; rc == PITH_OK && i < g->run_edge[r + 1];
         i++) {
      uint32_t to = g->target[i];
      uint32_t run = pith_i_graph_run(g, to, PITH_I_OPPOSITE(g->run_way[r]));
      if (g->back != NULL)
        g->back[i] = (uint16_t)(run - g->node_run[to]);
      else
        g->back_wide[i] = run;
      rc = pith_i_look_at_turn(g->env, g->run, i);
    }
  return rc;
}

static pith_status make_edges(pith_i_graph *g, const pith_i_store *s) {
  uint32_t keys = g->entities > g->ways ? g->entities : g->ways;
  graph_edge *a = pith_i_alloc(g->env, (size_t)g->edges * sizeof *a);
  graph_edge *b = pith_i_alloc(g->env, (size_t)g->edges * sizeof *b);
  uint32_t *start = pith_i_alloc(g->env, ((size_t)keys + 1) * sizeof *start);
  pith_status rc = PITH_ENOMEM;
  if (a != NULL && b != NULL && start != NULL) {
    list_edges(g, s, a);
    rc = sort_edges(g, a, b, BY_TARGET, g->entities, start);
    if (rc == PITH_OK)
      rc = sort_edges(g, b, a, BY_WAY, g->ways, start);
    if (rc == PITH_OK)
      rc = sort_edges(g, a, b, BY_NODE, g->entities, start);
    if (rc == PITH_OK)
      rc = make_runs(g, b);
  }
  pith_i_release(g->env, a);
  pith_i_release(g->env, b);
  pith_i_release(g->env, start);
  return rc;
}

pith_status pith_i_graph_new(const pith_i_store *store, size_t symbols,
                             size_t preds, const pith_i_graph_extra *extra,
                             pith_i_graph **out) {
  *out = NULL;
  pith_i_graph *g = pith_i_zalloc(store->env, 1, sizeof *g);
  if (g == NULL)
    return PITH_ENOMEM;
  g->env = store->env;
  g->symbols = symbols;
  g->preds = preds;
  g->run = extra != NULL ? extra->run : NULL;
  pith_status rc = name_entities(g, store, extra);
  if (rc == PITH_OK)
    rc = make_edges(g, store);
  if (rc == PITH_OK)
    rc = make_ways(g);
  if (rc == PITH_OK)
    rc = make_back(g);
  if (rc != PITH_OK) {
    pith_i_graph_free(g);
    return rc;
  }
  g->run = NULL;
  *out = g;
  return PITH_OK;
}

void pith_i_graph_free(pith_i_graph *g) {
  if (g == NULL)
    return;
  void *blocks[] = {g->symbol,   g->entity,   g->pred,      g->relation,
                    g->node_run, g->run_edge, g->run_way,   g->some_node,
                    g->target,   g->back,     g->back_wide, g->way_first,
                    g->way_run,  g->way_edges};
  for (size_t i = 0; g->block == NULL && i < sizeof blocks / sizeof *blocks;
       i++)
    pith_i_release(g->env, blocks[i]);
#if defined(__linux__)
  if (g->block != NULL)
    munmap(g->block, g->block_bytes);
  if (g->file > 0)
    close(g->file);
#endif
  pith_i_release(g->env, g);
}

/* ---- looking up ------------------------------------------------------ */

uint32_t pith_i_graph_run(const pith_i_graph *g, uint32_t node,
                          pith_i_way way) {
  assert(node < g->entities && way < g->ways);
  uint32_t low = g->node_run[node], high = g->node_run[node + 1];
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (g->run_way[middle] < way)
      low = middle + 1;
    else
      high = middle;
  }
  return low < g->node_run[node + 1] && g->run_way[low] == way ? low
                                                               : PITH_NONE;
}

uint32_t pith_i_graph_edge(const pith_i_graph *g, uint32_t run, uint32_t to) {
  assert(run < g->runs && to < g->entities);
  uint32_t low = g->run_edge[run], high = g->run_edge[run + 1];
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (g->target[middle] < to)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

bool pith_i_graph_has(const pith_i_graph *g, uint32_t from, pith_i_way way,
                      uint32_t to) {
  uint32_t run = pith_i_graph_run(g, from, way);
  if (run == PITH_NONE)
    return false;
  uint32_t graph_edge = pith_i_graph_edge(g, run, to);
  return graph_edge < g->run_edge[run + 1] && g->target[graph_edge] == to;
}

uint32_t pith_i_graph_degree(const pith_i_graph *g, uint32_t node,
                             pith_i_way way) {
  uint32_t run = pith_i_graph_run(g, node, way);
  return run == PITH_NONE ? 0 : pith_i_run_size(g, run);
}
