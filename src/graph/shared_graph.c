#if defined(__linux__)
#define _GNU_SOURCE /* memfd_create */
#endif
#include "graph/shared_graph.h"

#include <stdio.h>
#include <string.h>
#if defined(__linux__)
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

#include "base/parallel.h"
#include "base/team.h"

/* What the others are told, and what stands at the beginning of the block. */
typedef struct {
  uint64_t secret; /* that it is this block, not another of the same name */
  uint64_t bytes;
  uint32_t process, file;
} graph_name;

typedef struct {
  const pith_i_store *store;
  size_t symbols, preds;
  const pith_i_graph_extra *extra;
  pith_i_graph *g;
  int file; /* the block that this process made, or -1 */
} graph_job;

static pith_status build_graph(void *ctx, pith_i_worker *w, size_t item) {
  graph_job *j = ctx;
  (void)w;
  (void)item;
  return pith_i_graph_new(j->store, j->symbols, j->preds, j->extra, &j->g);
}

#if defined(__linux__)

/* The arrays of a graph, in the order in which they lie in the block. */
enum { ARRAYS = 14 };

typedef struct {
  void *at; /* the pointer to it */
  size_t n; /* in four bytes     */
} graph_array;

static void list_arrays(pith_i_graph *g, graph_array out[ARRAYS]) {
  const graph_array all[ARRAYS] = {
      {&g->symbol, g->symbols + 1},
      {&g->entity, g->symbols + 1},
      {&g->pred, g->preds + 1},
      {&g->relation, g->preds + 1},
      {&g->node_run, (size_t)g->entities + 1},
      {&g->run_edge, (size_t)g->runs + 1},
      {&g->run_way, g->runs},
      {&g->some_node, (size_t)g->runs / PITH_I_NODE_STEP + 1},
      {&g->target, g->edges},
      {&g->back, g->back == NULL ? 0 : (size_t)g->edges / 2 + 1},
      {&g->back_wide, g->back_wide == NULL ? 0 : g->edges},
      {&g->way_first, (size_t)g->ways + 2},
      {&g->way_run, g->runs},
      {&g->way_edges, g->ways}};
  memcpy(out, all, sizeof all);
}

/* ---- moving it into a block ---------------------------------------------- */

enum { HEAD = 256 }; /* the name and the graph's numbers */
_Static_assert(sizeof(graph_name) + sizeof(pith_i_graph) <= HEAD, "no room");

static uint64_t count_bytes(pith_i_graph *g) {
  graph_array a[ARRAYS];
  uint64_t bytes = HEAD;
  list_arrays(g, a);
  for (int i = 0; i < ARRAYS; i++)
    bytes += a[i].n * sizeof(uint32_t);
  return bytes;
}

/* From g into the block; or from the block into g, whose arrays then lie
** there. */
static void copy_arrays(pith_i_graph *g, char *block) {
  graph_array a[ARRAYS];
  char *at = block + HEAD;
  list_arrays(g, a);
  for (int i = 0; i < ARRAYS; i++) {
    void *from;
    memcpy(&from, a[i].at, sizeof from);
    if (a[i].n > 0)
      memcpy(at, from, a[i].n * sizeof(uint32_t));
    at += a[i].n * sizeof(uint32_t);
  }
}

static void place_arrays(pith_i_graph *g, char *block) {
  graph_array a[ARRAYS];
  uint32_t *at = (uint32_t *)(block + HEAD);
  list_arrays(g, a);
  for (int i = 0; i < ARRAYS; i++) {
    if (a[i].n > 0)
      memcpy(a[i].at, &at, sizeof at);
    at += a[i].n;
  }
}

static bool fill_block(graph_job *j, graph_name *name) {
  name->bytes = count_bytes(j->g);
  j->file = memfd_create("pith-graph", MFD_CLOEXEC);
  if (j->file < 0 || ftruncate(j->file, (off_t)name->bytes) != 0)
    return false;
  char *block =
      mmap(NULL, name->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, j->file, 0);
  if (block == MAP_FAILED)
    return false;
  name->secret = pith_i_secret_number();
  name->process = (uint32_t)getpid();
  name->file = (uint32_t)j->file;
  memcpy(block, name, sizeof *name);
  memcpy(block + sizeof *name, j->g, sizeof *j->g);
  copy_arrays(j->g, block);
  munmap(block, name->bytes);
  return true;
}

/* Maps the block of a name; NULL: it is not on this machine. */
static char *map_block(const graph_name *name) {
  char path[64];
  graph_name seen;
  snprintf(path, sizeof path, "/proc/%u/fd/%u", name->process, name->file);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  bool right = fd >= 0 &&
               read(fd, &seen, sizeof seen) == (ssize_t)sizeof seen &&
               memcmp(&seen, name, sizeof seen) == 0;
  char *block = right ? mmap(NULL, name->bytes, PROT_READ, MAP_SHARED, fd, 0)
                      : MAP_FAILED;
  if (fd >= 0)
    close(fd);
  return block == MAP_FAILED ? NULL : block;
}

static pith_status open_block(graph_job *j, const graph_name *name) {
  char *block = map_block(name);
  if (block == NULL)
    return build_graph(j, NULL, 0);
  j->g = pith_i_zalloc(j->store->env, 1, sizeof *j->g);
  if (j->g == NULL) {
    munmap(block, name->bytes);
    return PITH_ENOMEM;
  }
  memcpy(j->g, block + sizeof *name, sizeof *j->g);
  j->g->env = j->store->env;
  j->g->block = block;
  j->g->block_bytes = name->bytes;
  place_arrays(j->g, block);
  return PITH_OK;
}

static void close_block(const graph_job *j) {
  if (j->file >= 0)
    close(j->file);
}

#else

static void close_block(const graph_job *j) { (void)j; }

static bool fill_block(graph_job *j, graph_name *name) {
  (void)j;
  (void)name;
  return false;
}

static pith_status open_block(graph_job *j, const graph_name *name) {
  (void)name;
  return build_graph(j, NULL, 0);
}

#endif

/* ---- telling the others ------------------------------------------------ */

static pith_status pack_graph(void *ctx, pith_i_crew *c, size_t first,
                              size_t last, pith_i_buffer *out) {
  graph_job *j = ctx;
  graph_name name;
  (void)first;
  (void)last;
  memset(&name, 0, sizeof name); /* padding too: it is compared */
  if (!fill_block(j, &name))
    name.secret = 0; /* all build their own */
  pith_i_graph_free(j->g);
  j->g = NULL;
  return pith_i_buffer_put(c->owner, out, &name, sizeof name) ? PITH_OK
                                                              : PITH_ENOMEM;
}

static pith_status unpack_graph(void *ctx, pith_i_crew *c, size_t first,
                                size_t last, pith_i_cursor *in) {
  graph_job *j = ctx;
  graph_name name;
  (void)c;
  (void)first;
  (void)last;
  pith_i_cursor_take(in, &name, sizeof name);
  return name.secret == 0 ? build_graph(j, NULL, 0) : open_block(j, &name);
}

pith_status pith_i_graph_obtain(const pith_i_store *store, size_t symbols,
                                size_t preds, const pith_i_graph_extra *extra,
                                pith_i_graph **out) {
  const pith_i_shared_loop once = {
      1, build_graph, pack_graph, unpack_graph, true, 0};
  graph_job j = {store, symbols, preds, extra, NULL, -1};
  pith_i_crew *crew = NULL;
  pith_i_team *team = store->env->team;
  *out = NULL;
  if (team == NULL || pith_i_team_size(team) == 1)
    return pith_i_graph_new(store, symbols, preds, extra, out);
  pith_status rc = pith_i_crew_new(store->env, 1, &crew);
  if (rc >= 0)
    rc = pith_i_crew_share(crew, &once, &j);
  pith_i_crew_free(crew);
  if (rc == PITH_STOPPED) /* the first process has left */
    rc = j.g != NULL ? PITH_OK : build_graph(&j, NULL, 0);
  if (j.g != NULL)
    j.g->file = j.file;
  else
    close_block(&j);
  *out = j.g;
  return rc;
}
