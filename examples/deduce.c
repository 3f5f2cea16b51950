/* Embedding pith: a graph goes in by calls, two rules by text; out come the
** pairs that are connected, and a proof of one of them.
**
**   cc deduce.c $(pkg-config --cflags --libs pith) && ./a.out */
#include <pith.h>
#include <stdio.h>
#include <string.h>

static const char rules[] = "reach(X,Y) :- edge(X,Y).\n"
                            "reach(X,Y) :- edge(X,Z), reach(Z,Y).\n";

static pith_status add_edge(pith *p, const char *from, const char *to) {
  pith_pred edge;
  pith_sym ends[2];
  pith_status rc = pith_pred_add(p, "edge", 2, &edge);
  if (rc >= 0)
    rc = pith_sym_add(p, from, strlen(from), PITH_NAME, &ends[0]);
  if (rc >= 0)
    rc = pith_sym_add(p, to, strlen(to), PITH_NAME, &ends[1]);
  return rc < 0 ? rc : pith_fact_add(p, edge, ends, 2);
}

static pith_status fill(pith *p) {
  static const char *const edges[][2] = {
      {"paris", "lyon"}, {"lyon", "turin"}, {"turin", "rome"}};
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc >= 0 && i < sizeof edges / sizeof edges[0]; i++)
    rc = add_edge(p, edges[i][0], edges[i][1]);
  return rc < 0 ? rc
                : pith_read_text(p, "rules", rules, strlen(rules), PITH_PROLOG);
}

static int print_pair(void *ctx, pith_pred pred, const pith_sym *args,
                      size_t n) {
  const pith *p = ctx;
  (void)n;
  printf("%s %s %s\n", pith_sym_text(p, args[0]), pith_pred_name(p, pred),
         pith_sym_text(p, args[1]));
  return 0;
}

static pith_status print_proof(pith *p, const char *text) {
  const pith_atom *atom;
  pith_proof *proof = NULL;
  pith_out *out = NULL;
  pith_status rc = pith_atom_read(p, text, &atom);
  if (rc >= 0)
    rc = pith_explain(p, atom, &proof);
  if (rc >= 0)
    rc = pith_out_memory(p, &out);
  if (rc >= 0)
    rc = pith_proof_write(p, proof, PITH_TREE, out);
  if (rc >= 0)
    fputs(pith_out_text(out, NULL), stdout);
  pith_out_close(out, false);
  pith_proof_free(proof);
  return rc;
}

int main(void) {
  pith *p;
  pith_infer_info info;
  pith_status rc = pith_new(&p);
  if (rc >= 0)
    rc = fill(p);
  if (rc >= 0)
    rc = pith_infer(p, NULL, &info);
  if (rc >= 0) {
    pith_fact_each(p, pith_pred_find(p, "reach", 2), PITH_DERIVED, print_pair,
                   p);
    printf("%llu facts follow\n", (unsigned long long)info.derived);
    rc = print_proof(p, "reach(paris,rome)");
  }
  if (rc < 0)
    fprintf(stderr, "%s: %s\n", pith_status_text(rc),
            p != NULL ? pith_error(p) : "");
  pith_free(p);
  return rc < 0 ? 1 : 0;
}
