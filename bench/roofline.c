/* How near the joins of the network come to what the machine can do.
**
**   roofline
**
** A joined pair of a join costs, for the sixteen lanes together, two loads of
** 64 bytes and four operations on vectors: a minimum, a comparison, and two
** selections, of the best value and of who has it. Three figures bound it:
** the rate of those operations on registers, the rate of such loads from the
** first-level cache, and from the second. The joins are timed inside the
** network's own forward pass, on a graph where they are nearly all of it. This
** file is compiled for the machine it is built on. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "api/handle.h"
#include "net/tape.h"

typedef pith_i_part real;
typedef pith_i_part_int whole;

static double used(void) { return (double)clock() / CLOCKS_PER_SEC; }

/* Seconds of the fastest of a few runs. */
static double best_of(void (*work)(void *), void *ctx) {
  double least = 1e30;
  for (int i = 0; i < 7; i++) {
    double began = used();
    work(ctx);
    double taken = used() - began;
    least = taken < least ? taken : least;
  }
  return least;
}

/* ---- the machine ------------------------------------------------------- */

enum { ROUNDS = 1 << 22, CHAINS = 8 };

/* Results go here, so that no loop can be left out. */
static volatile real sink[CHAINS];
static volatile whole who_sink[CHAINS];

/* The four operations of a joined pair on registers; as many chains as hide
** that each waits for its own last result. ctx: (CHAINS) */
static void operate(void *ctx) {
  real best[CHAINS];
  whole who[CHAINS] = {{0}};
  for (int c = 0; c < CHAINS; c++)
    best[c] = ((const real *)ctx)[c];
  real x = best[0] + best[1], y = best[1] * 0.5f;
  for (int i = 0; i < ROUNDS; i++)
    for (int c = 0; c < CHAINS; c++) {
      real z = PITH_I_PICK(best[c] < y, x, y);
      PITH_I_TAKE_GREATER(z, i, best[c], who[c]);
    }
  for (int c = 0; c < CHAINS; c++) {
    sink[c] = best[c];
    who_sink[c] = who[c];
  }
}

typedef struct {
  const real *at;
  size_t n, rounds;
} block;

static void load(void *ctx) {
  const block *b = ctx;
  real sum[CHAINS] = {{0}};
  for (size_t r = 0; r < b->rounds; r++)
    for (size_t i = 0; i < b->n; i += CHAINS)
      for (int c = 0; c < CHAINS; c++)
        sum[c] += b->at[i + (size_t)c];
  for (int c = 0; c < CHAINS; c++)
    sink[c] = sum[c];
}

/* Bytes a second from a block of this many bytes. */
static double load_rate(size_t bytes) {
  real *at = aligned_alloc(64, bytes);
  if (at == NULL)
    exit(1);
  for (size_t i = 0; i < bytes / sizeof *at; i++)
    at[i] = PITH_I_ONE(1);
  block b = {at, bytes / sizeof *at, (size_t)1 << 31 >> 3};
  b.rounds = b.rounds / b.n / 8 + 1;
  double seconds = best_of(load, &b);
  free(at);
  return (double)bytes * (double)b.rounds / seconds;
}

/* ---- the network ------------------------------------------------------- */

static void forward(void *tape) { pith_i_net_forward(tape); }

/* A random graph of n nodes whose closure is nearly everything. */
static pith *make_task(uint32_t n) {
  pith *p = NULL;
  pith_out *text = NULL;
  if (pith_new(&p) < 0 || pith_out_memory(p, &text) < 0)
    exit(1);
  uint64_t seed = 1;
  for (uint32_t i = 0; i < 4 * n; i++) {
    seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
    pith_out_print(text, "edge(%u,%u).\n", i % n, (unsigned)(seed >> 33) % n);
  }
  pith_out_print(text, "pos(path(0,1)).\n");
  size_t length;
  const char *facts = pith_out_text(text, &length);
  static const char shapes[] = "F(X,Y) <- F(X,Y)\n"
                               "F(X,Y) <- F(X,Z), F(Z,Y)\nsteps: 4\n";
  if (pith_read_text(p, "facts", facts, length, PITH_PROLOG) < 0 ||
      pith_read_text(p, "templates", shapes, sizeof shapes - 1,
                     PITH_TEMPLATES) < 0)
    exit(1);
  pith_out_close(text, false);
  return p;
}

static void time_joins(uint32_t n, pith_i_layout layout, double op_rate) {
  pith *p = make_task(n);
  pith_i_world world = {&p->theory, &p->store};
  pith_i_net *net = NULL;
  pith_i_tape *t = NULL;
  pith_i_semantics best = {false, false};
  if (pith_i_net_new(&p->env, &world, 1,
                     &(pith_i_net_options){.layout = layout}, &net) < 0 ||
      pith_i_tape_new(&p->env, net, best, &t) < 0)
    exit(1);
  for (size_t c = 0; c < net->candidates.n; c++)
    t->weight[c] = PITH_I_ALL(0.4f);
  pith_i_net_forward(t);
  double pairs = (double)net->joined * net->steps;
  double rate = pairs / best_of(forward, t);
  printf("joins, %3u constants, %-6s %7.2f Gpairs/s %6.1f GB/s %7.1f Gop/s  "
         "%3.0f %% of the operations' peak\n",
         n, net->dense ? "dense" : "sparse", rate * 1e-9, rate * 128e-9,
         rate * 4 * PITH_I_LANES * 1e-9, 100 * rate / op_rate);
  pith_i_tape_free(&p->env, t);
  pith_i_net_free(net);
  pith_free(p);
}

int main(void) {
  real begin[CHAINS];
  for (int c = 0; c < CHAINS; c++)
    begin[c] = PITH_I_ONE(c + 1);
  double op_rate =
      (double)ROUNDS * CHAINS / PITH_I_PARTS / best_of(operate, begin);
  printf("operations on registers      %7.2f Gpairs/s            %7.1f Gop/s\n",
         op_rate * 1e-9, op_rate * 4 * PITH_I_LANES * 1e-9);
  double l1 = load_rate(16 << 10), l2 = load_rate(512 << 10);
  printf("loads from 16 KB             %7.2f Gpairs/s %6.1f GB/s\n", l1 / 128e9,
         l1 * 1e-9);
  printf("loads from 512 KB            %7.2f Gpairs/s %6.1f GB/s\n", l2 / 128e9,
         l2 * 1e-9);
  for (uint32_t n = 20; n <= 160; n *= 2) {
    time_joins(n, PITH_I_DENSE, op_rate);
    time_joins(n, PITH_I_SPARSE, op_rate);
  }
  return 0;
}
