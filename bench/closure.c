/* Times inference on generated programs: transitive closure of a random
** digraph, a tree and a chain, with right-linear, left-linear and non-linear
** rules; same-generation on a tree; a three-way join.
**
**   closure [CONSTANTS ...]    default: 1000 5000 20000
**
** A row for each: constants, given and derived facts, seconds, derived facts
** a second, and the most memory the library held. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pith.h"

static void check(pith *p, pith_status rc) {
  if (rc < 0) {
    fprintf(stderr, "closure: %s\n", pith_error(p));
    exit(1);
  }
}

/* ---- facts ----------------------------------------------------------- */

/* Marsaglia's xorshift: the same graphs everywhere. */
static uint64_t random_state;

static uint32_t random_below(uint32_t n) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return (uint32_t)((random_state >> 11) % n);
}

static pith_pred predicate(pith *p, const char *name, size_t arity) {
  pith_pred pred = PITH_NONE;
  check(p, pith_pred_add(p, name, arity, &pred));
  return pred;
}

static void add_pair(pith *p, pith_pred pred, uint32_t x, uint32_t y) {
  pith_sym args[2];
  char text[16];
  for (int i = 0; i < 2; i++) {
    int n = snprintf(text, sizeof text, "%u", i == 0 ? x : y);
    check(p, pith_sym_add(p, text, (size_t)n, PITH_NUMBER, &args[i]));
  }
  check(p, pith_fact_add(p, pred, args, 2));
}

static void digraph(pith *p, uint32_t n) {
  pith_pred edge = predicate(p, "edge", 2);
  for (uint32_t i = 0; i < 2 * n; i++) {
    uint32_t x = random_below(n);
    add_pair(p, edge, x, random_below(n));
  }
}

static void tree(pith *p, uint32_t n) {
  pith_pred edge = predicate(p, "edge", 2);
  for (uint32_t i = 1; i < n; i++)
    add_pair(p, edge, random_below(i), i);
}

static void chain(pith *p, uint32_t n) {
  pith_pred edge = predicate(p, "edge", 2);
  for (uint32_t i = 1; i < n; i++)
    add_pair(p, edge, i - 1, i);
}

/* ---- rules ----------------------------------------------------------- */

/* One letter a variable: "path xy edge xz path zy". */
static void add_rule(pith *p, const char *text) {
  enum { MOST = 8 };
  pith_atom atoms[MOST];
  pith_term args[MOST][4];
  char name[32], vars[8];
  int n = 0, used;
  for (; sscanf(text, "%31s %7s%n", name, vars, &used) == 2; text += used) {
    uint32_t arity = (uint32_t)strlen(vars);
    for (uint32_t i = 0; i < arity; i++)
      args[n][i] = PITH_VAR((uint32_t)(vars[i] - 'a'));
    atoms[n] = (pith_atom){predicate(p, name, arity), arity, args[n]};
    n++;
  }
  pith_rule rule = {.head = atoms[0],
                    .body = atoms + 1,
                    .body_len = (uint32_t)n - 1,
                    .var_count = 26,
                    .file = PITH_NONE};
  check(p, pith_rule_add(p, &rule));
}

typedef struct {
  const char *name;
  void (*facts)(pith *p, uint32_t n);
  const char *rules[3];
} task;

static const task tasks[] = {
    {"digraph right", digraph, {"path xy edge xy", "path xy edge xz path zy"}},
    {"digraph left", digraph, {"path xy edge xy", "path xy path xz edge zy"}},
    {"digraph double", digraph, {"path xy edge xy", "path xy path xz path zy"}},
    {"tree right", tree, {"path xy edge xy", "path xy edge xz path zy"}},
    {"tree left", tree, {"path xy edge xy", "path xy path xz edge zy"}},
    {"tree double", tree, {"path xy edge xy", "path xy path xz path zy"}},
    {"chain right", chain, {"path xy edge xy", "path xy edge xz path zy"}},
    {"chain left", chain, {"path xy edge xy", "path xy path xz edge zy"}},
    {"chain double", chain, {"path xy edge xy", "path xy path xz path zy"}},
    {"same generation",
     tree,
     {"sg xy edge zx edge zy", "sg xy edge ux sg uv edge vy"}},
    {"three-way join", digraph, {"three xyz edge xy edge yz edge zx"}},
};

static void run(const task *t, uint32_t n) {
  pith *p;
  if (pith_new(&p) < 0)
    exit(1);
  random_state = UINT64_C(0x9e3779b97f4a7c15) + n;
  t->facts(p, n);
  for (size_t i = 0; i < 3 && t->rules[i] != NULL; i++)
    add_rule(p, t->rules[i]);
  pith_infer_info info;
  check(p, pith_infer(p, NULL, &info));
  printf("%-16s %6u %8llu %10llu %9.4f %9.3g %8.1f\n", t->name, n,
         (unsigned long long)info.given, (unsigned long long)info.derived,
         info.seconds, (double)info.derived / info.seconds,
         (double)info.peak_bytes / 1e6);
  fflush(stdout);
  pith_free(p);
}

int main(int argc, char **argv) {
  static const uint32_t usual[] = {1000, 5000, 20000};
  printf("%-16s %6s %8s %10s %9s %9s %8s\n", "task", "n", "given", "derived",
         "seconds", "facts/s", "MB");
  int sizes = argc > 1 ? argc - 1 : 3;
  for (size_t i = 0; i < sizeof tasks / sizeof tasks[0]; i++)
    for (int j = 0; j < sizes; j++)
      run(&tasks[i],
          argc > 1 ? (uint32_t)strtoul(argv[j + 1], NULL, 10) : usual[j]);
  return 0;
}
