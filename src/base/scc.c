/* Tarjan's algorithm with a stack of its own: a path of a million nodes must
** not need a million frames. */
#include "base/scc.h"

#include <assert.h>
#include <string.h>

typedef struct {
  const size_t *starts;
  const uint32_t *targets;
  uint32_t *number; /* (n) when the search came to it; 0: not yet         */
  uint32_t *low;    /* (n) the smallest number it leads to on the stack   */
  size_t *edge;     /* (n) next edge to follow                            */
  uint32_t *path;   /* (n) nodes being searched                           */
  uint32_t *stack;  /* (n) nodes whose component is not known             */
  size_t path_n, stack_n;
  uint32_t visited, count;
  uint32_t *component;
} search;

static void enter_node(search *s, uint32_t node) {
  assert(s->number[node] == 0);
  s->number[node] = s->low[node] = ++s->visited;
  s->edge[node] = s->starts[node];
  s->path[s->path_n++] = node;
  s->stack[s->stack_n++] = node;
}

static void close_component(search *s, uint32_t root) {
  assert(s->stack_n > 0);
  uint32_t node;
  do {
    node = s->stack[--s->stack_n];
    s->component[node] = s->count;
  } while (node != root);
  s->count++;
}

static void leave_node(search *s, uint32_t node) {
  s->path_n--;
  if (s->low[node] == s->number[node])
    close_component(s, node);
  if (s->path_n > 0) {
    uint32_t parent = s->path[s->path_n - 1];
    if (s->low[node] < s->low[parent])
      s->low[parent] = s->low[node];
  }
}

static void search_from(search *s, uint32_t root) {
  enter_node(s, root);
  while (s->path_n > 0) {
    uint32_t node = s->path[s->path_n - 1];
    if (s->edge[node] == s->starts[node + 1]) {
      leave_node(s, node);
      continue;
    }
    uint32_t to = s->targets[s->edge[node]++];
    if (s->number[to] == 0)
      enter_node(s, to);
    else if (s->component[to] == PITH_NONE && s->number[to] < s->low[node])
      s->low[node] = s->number[to];
  }
}

pith_status pith_i_components(pith_i_env *env, size_t n, const size_t *starts,
                              const uint32_t *targets, uint32_t *component,
                              uint32_t *count) {
  search s = {.starts = starts, .targets = targets, .component = component};
  s.edge = pith_i_zalloc(env, n, sizeof *s.edge + 4 * sizeof *s.number);
  if (s.edge == NULL)
    return PITH_ENOMEM;
  s.number = (uint32_t *)(s.edge + n);
  s.low = s.number + n;
  s.path = s.low + n;
  s.stack = s.path + n;
  memset(component, 0xff, n * sizeof *component);
  for (size_t i = 0; i < n; i++)
    if (s.number[i] == 0)
      search_from(&s, (uint32_t)i);
  *count = s.count;
  pith_i_release(env, s.edge);
  return PITH_OK;
}

pith_status pith_i_postorder(pith_i_env *env, size_t n, const size_t *starts,
                             const uint32_t *targets, uint32_t *order) {
  size_t *edge = pith_i_zalloc(env, n, sizeof *edge + sizeof(uint32_t));
  if (edge == NULL)
    return PITH_ENOMEM;
  uint32_t *path = (uint32_t *)(edge + n), left = 0;
  const uint32_t open = PITH_NONE - 1;
  memset(order, 0xff, n * sizeof *order);
  for (size_t root = 0; root < n; root++) {
    size_t depth = 0;
    if (order[root] == PITH_NONE) {
      path[depth++] = (uint32_t)root;
      order[root] = open;
    }
    while (depth > 0) {
      uint32_t node = path[depth - 1];
      if (starts[node] + edge[node] == starts[node + 1]) {
        order[node] = left++;
        depth--;
        continue;
      }
      uint32_t to = targets[starts[node] + edge[node]++];
      if (order[to] == PITH_NONE) {
        order[to] = open;
        path[depth++] = to;
      }
    }
  }
  pith_i_release(env, edge);
  return PITH_OK;
}
