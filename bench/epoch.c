/* Times epochs of training.
**
**   epoch tasks [FOLDER ...]     each task: default data/ilp's twenty
**   epoch scale [CONSTANTS ...]  less-than and connectedness over more and
**                                more constants, dense and sparse: default
**                                10 30 100 300 1000
**   epoch run FOLDER N           exactly N epochs of one task and nothing
**                                else, for callgrind to count instructions
**
** A row gives joined pairs of one step, steps, memory of a group of restarts,
** seconds to build the network, microseconds for an epoch of one restart (a
** group of PITH_I_LANES divided by their number), and nanoseconds for each
** joined pair of each step of one restart. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "api/handle.h"
#include "base/random.h"
#include "train/descent.h"

static const char *const tasks[] = {"adjacent-to-red",
                                    "buzz",
                                    "connectedness",
                                    "cyclic",
                                    "even-odd",
                                    "even-succ2",
                                    "father",
                                    "fizz",
                                    "grandparent",
                                    "graph-colouring",
                                    "husband",
                                    "length",
                                    "less-than",
                                    "member",
                                    "predecessor",
                                    "relatedness",
                                    "son",
                                    "two-children",
                                    "uncle",
                                    "undirected-edge"};

static void check(const pith *p, pith_status rc) {
  if (rc >= 0)
    return;
  fprintf(stderr, "epoch: %s\n", pith_error(p));
  exit(1);
}

static pith *new_handle(void) {
  pith *p = NULL;
  if (pith_new(&p) < 0)
    exit(1);
  return p;
}

/* ---- timing ----------------------------------------------------------- */

static pith_i_descent *new_descent(pith *p, const pith_i_net *net) {
  pith_i_recipe recipe = pith_i_recipe_default();
  pith_i_descent *d = NULL;
  uint64_t seeds[PITH_I_LANES];
  check(p, pith_i_descent_new(&p->env, net, &recipe, &d));
  for (uint64_t l = 0; l < PITH_I_LANES; l++)
    seeds[l] = l + 1;
  pith_i_descent_start(d, seeds);
  return d;
}

/* Of the processor, so that others who use the machine count for little. */
static double used(void) { return (double)clock() / CLOCKS_PER_SEC; }

/* Seconds for an epoch of a group: the least of five measurements of at least
** a twentieth of a second each, or of one epoch. The first epochs are the ones
** with the most noise. */
static double time_epochs(pith_i_descent *d) {
  double least = 1e30;
  for (int round = 0; round < 5; round++) {
    double began = used(), taken = 0;
    uint32_t n = 0;
    while (taken < 0.05) {
      pith_i_descent_epoch(d);
      n++;
      taken = used() - began;
    }
    least = taken / n < least ? taken / n : least;
    if (taken > 2)
      break;
  }
  return least;
}

static void header(void) {
  printf("%-18s %-6s %9s %12s %5s %9s %9s %10s %8s\n", "task", "layout",
         "pairs", "joined", "steps", "MB", "build s", "us/epoch", "ns/join");
}

static void row(pith *p, const char *name, pith_i_layout layout) {
  pith_i_world world = {&p->theory, &p->store};
  pith_i_net *net = NULL;
  double began = pith_i_now();
  if (pith_i_net_new(&p->env, &world, 1,
                     &(pith_i_net_options){.layout = layout}, &net) < 0) {
    printf("%-18s %s\n", name, pith_error(p));
    return;
  }
  double built = pith_i_now() - began;
  double bytes = pith_i_tape_bytes(net, pith_i_recipe_default().semantics);
  printf("%-18s %-6s %9u %12llu %5u %9.2f %9.4f ", name,
         net->dense ? "dense" : "sparse", net->pairs,
         (unsigned long long)net->joined, net->steps,
         ((double)pith_bytes(p) + bytes) * 1e-6, built);
  fflush(stdout);
  pith_i_descent *d = new_descent(p, net);
  double each = time_epochs(d) / PITH_I_LANES;
  printf("%10.2f %8.3f\n", 1e6 * each,
         1e9 * each / ((double)net->joined * net->steps));
  pith_i_descent_free(&p->env, d);
  pith_i_net_free(net);
}

/* ---- tasks ------------------------------------------------------------ */

static pith *read_task(const char *folder) {
  pith *p = new_handle();
  check(p, pith_read(p, folder, PITH_AUTO));
  return p;
}

static const char *last_part(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash == NULL ? path : slash + 1;
}

static void time_task(const char *folder) {
  pith *p = read_task(folder);
  row(p, last_part(folder), PITH_I_AUTO);
  pith_free(p);
}

static void all_tasks(void) {
  for (size_t i = 0; i < sizeof tasks / sizeof *tasks; i++) {
    char folder[64];
    snprintf(folder, sizeof folder, "data/ilp/%s", tasks[i]);
    time_task(folder);
  }
}

static void run_task(const char *folder, long n) {
  pith *p = read_task(folder);
  pith_i_world world = {&p->theory, &p->store};
  pith_i_net *net = NULL;
  check(p, pith_i_net_new(&p->env, &world, 1, NULL, &net));
  pith_i_descent *d = new_descent(p, net);
  for (long i = 0; i < n; i++)
    pith_i_descent_epoch(d);
  pith_i_descent_free(&p->env, d);
  pith_i_net_free(net);
  pith_free(p);
}

/* ---- scaling ---------------------------------------------------------- */

static const char closure_templates[] = "F(X,Y) <- F(X,Y)\n"
                                        "F(X,Y) <- F(X,Z), F(Z,Y)\n"
                                        "steps: 5\n";

static void add(pith *p, const char *format, uint32_t x, uint32_t y) {
  char text[64];
  int n = snprintf(text, sizeof text, format, x, y);
  check(p, pith_read_text(p, "bench", text, (size_t)n, PITH_PROLOG));
}

/* less(x,y) over a chain. */
static pith *less_than(uint32_t n) {
  pith *p = new_handle();
  for (uint32_t i = 0; i + 1 < n; i++)
    add(p, "succ(%u,%u).", i, i + 1);
  for (uint32_t i = 0; i < 100; i++) {
    uint32_t x = (uint32_t)(pith_i_random(1, 0, i) % n);
    uint32_t y = (uint32_t)(pith_i_random(1, 1, i) % n);
    add(p, x < y ? "pos(less(%u,%u))." : "neg(less(%u,%u)).", x, y);
  }
  return p;
}

/* connected(x,y) over a random graph, one edge a node. */
static pith *connectedness(uint32_t n) {
  pith *p = new_handle();
  for (uint32_t i = 0; i < n; i++)
    add(p, "edge(%u,%u).", i, (uint32_t)(pith_i_random(2, 0, i) % n));
  for (uint32_t i = 0; i < 100; i++)
    add(p, i % 2 ? "pos(connected(%u,%u))." : "neg(connected(%u,%u)).", i % n,
        (uint32_t)(pith_i_random(2, 1 + i % n, i) % n));
  return p;
}

static void scale(uint32_t n) {
  pith *(*const make[])(uint32_t) = {less_than, connectedness};
  const char *const names[] = {"less-than", "connectedness"};
  const pith_i_layout layouts[] = {PITH_I_SPARSE, PITH_I_DENSE};
  for (int i = 0; i < 4; i++) {
    char name[64];
    pith *p = make[i / 2](n);
    check(p, pith_read_text(p, "templates", closure_templates,
                            sizeof closure_templates - 1, PITH_TEMPLATES));
    snprintf(name, sizeof name, "%s %u", names[i / 2], n);
    row(p, name, layouts[i % 2]);
    pith_free(p);
  }
}

static int usage(void) {
  fputs("epoch tasks [FOLDER ...] | scale [CONSTANTS ...] | run FOLDER N\n",
        stderr);
  return 2;
}

int main(int argc, char **argv) {
  static const uint32_t sizes[] = {10, 30, 100, 300, 1000};
  if (argc == 4 && strcmp(argv[1], "run") == 0) {
    run_task(argv[2], strtol(argv[3], NULL, 10));
    return 0;
  }
  bool is_scale = argc > 1 && strcmp(argv[1], "scale") == 0;
  if (argc < 2 || (!is_scale && strcmp(argv[1], "tasks") != 0))
    return usage();
  header();
  for (int i = 2; i < argc; i++)
    if (is_scale)
      scale((uint32_t)strtoul(argv[i], NULL, 10));
    else
      time_task(argv[i]);
  if (argc == 2 && !is_scale)
    all_tasks();
  for (size_t i = 0; argc == 2 && is_scale && i < 5; i++)
    scale(sizes[i]);
  return 0;
}
