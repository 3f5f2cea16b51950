/* Memory and time for many facts.
**
**   facts [FACTS [CONSTANTS]]    default: 10000000 2000000
**
** Adds random binary facts, then asks for a join of them with themselves.
** Fails when the facts and all that belongs to them take more than 100 bytes
** a fact: ten million must fit in a gigabyte. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "pith.h"

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void check(pith *p, pith_status rc) {
  if (rc < 0) {
    fprintf(stderr, "facts: %s\n", pith_error(p));
    exit(1);
  }
}

static uint64_t random_state = UINT64_C(0x9e3779b97f4a7c15);

static uint32_t random_below(uint32_t n) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return (uint32_t)((random_state >> 11) % n);
}

static void show(const pith *p, const char *what, uint64_t facts,
                 double seconds) {
  printf("%-22s %9llu %8.2f s %8.1f MB %8.1f MB at most\n", what,
         (unsigned long long)facts, seconds, (double)pith_bytes(p) / 1e6,
         (double)pith_bytes_peak(p) / 1e6);
}

static void add_facts(pith *p, pith_pred edge, uint32_t facts,
                      uint32_t constants) {
  pith_sym *node = malloc(constants * sizeof *node);
  char text[16];
  for (uint32_t i = 0; i < constants; i++) {
    int n = snprintf(text, sizeof text, "%u", i);
    check(p, pith_sym_add(p, text, (size_t)n, PITH_NUMBER, &node[i]));
  }
  for (uint32_t i = 0; i < facts; i++) {
    pith_sym pair[2] = {node[random_below(constants)],
                        node[random_below(constants)]};
    check(p, pith_fact_add(p, edge, pair, 2));
  }
  free(node);
}

/* both(X,Y) :- edge(X,Y), edge(Y,X). */
static void add_rule(pith *p, pith_pred edge) {
  pith_pred both;
  check(p, pith_pred_add(p, "both", 2, &both));
  pith_term xy[2] = {PITH_VAR(0), PITH_VAR(1)}, yx[2] = {xy[1], xy[0]};
  pith_atom body[2] = {{edge, 2, xy}, {edge, 2, yx}};
  pith_rule rule = {.head = {both, 2, xy},
                    .body = body,
                    .body_len = 2,
                    .var_count = 2,
                    .file = PITH_NONE};
  check(p, pith_rule_add(p, &rule));
}

int main(int argc, char **argv) {
  uint32_t facts = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 10000000;
  uint32_t constants =
      argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 2000000;
  pith *p;
  pith_pred edge;
  if (pith_new(&p) < 0)
    return 1;
  check(p, pith_pred_add(p, "edge", 2, &edge));
  double start = now();
  add_facts(p, edge, facts, constants);
  show(p, "facts", pith_fact_count(p, edge, PITH_GIVEN), now() - start);
  add_rule(p, edge);
  start = now();
  check(p, pith_infer(p, NULL, NULL));
  show(p, "derived by a join", pith_fact_count(p, PITH_NONE, PITH_DERIVED),
       now() - start);
  size_t peak = pith_bytes_peak(p);
  pith_free(p);
  if (peak > 100.0 * facts) {
    fprintf(stderr, "facts: %.1f bytes a fact\n", (double)peak / facts);
    return 1;
  }
  return 0;
}
