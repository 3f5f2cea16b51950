/* How the predicates of rules depend on each other, as a graph for Graphviz or
** Mermaid: an arrow from each body atom to the head, dashed where negated. */
#include <string.h>

#include "base/tuples.h"
#include "text/writers.h"

typedef void (*arrow)(pith_out *o, pith_pred from, pith_pred to, bool negated);

/* Each arrow once. */
static pith_status draw_arrows(const pith_i_output *out, arrow draw) {
  const pith_i_theory *t = out->theory;
  pith_i_tuples drawn = {.width = 3};
  pith_status rc = PITH_OK;
  for (size_t i = 0; i < t->rules.n; i++) {
    const pith_rule *r = t->rules.at[i];
    for (uint32_t k = 0; rc >= 0 && k < r->body_len; k++) {
      const pith_atom *a = &r->body[k];
      uint32_t key[3] = {a->pred, r->head.pred, a->negated};
      bool added = false;
      if (!PITH_IS_BUILTIN(a->pred))
        rc = pith_i_tuples_add(out->env, &drawn, key, NULL, &added);
      if (added)
        draw(out->o, a->pred, r->head.pred, a->negated);
    }
  }
  pith_i_tuples_free(out->env, &drawn);
  return rc;
}

static void draw_dot(pith_out *o, pith_pred from, pith_pred to, bool negated) {
  pith_out_print(o, "  p%u -> p%u%s;\n", (unsigned)from, (unsigned)to,
                 negated ? " [style=dashed]" : "");
}

static void draw_mermaid(pith_out *o, pith_pred from, pith_pred to,
                         bool negated) {
  pith_out_print(o, "  p%u %s p%u\n", (unsigned)from, negated ? "-.->" : "-->",
                 (unsigned)to);
}

pith_status pith_i_write_dot(pith_i_output *out) {
  const pith_i_names *names = &out->theory->names;
  bool *used = pith_i_mark_preds(out, true);
  if (used == NULL)
    return PITH_ENOMEM;
  pith_i_out_text(out->o,
                  "digraph theory {\n  rankdir=LR;\n  node [shape=box];\n");
  for (pith_pred p = PITH_BUILTINS; p < names->preds.n; p++)
    if (used[p]) {
      pith_out_print(out->o, "  p%u [label=", (unsigned)p);
      pith_out_quote(out->o, pith_i_pred_text(names, p));
      pith_i_out_text(out->o, "];\n");
    }
  pith_i_release(out->env, used);
  pith_status rc = draw_arrows(out, draw_dot);
  return rc < 0 ? rc : pith_out_write(out->o, "}\n", 2);
}

/* Mermaid has entities for what would end a label, or be HTML in it. */
static void put_label(pith_out *o, const char *text) {
  static const char *const entities[256] = {
      ['"'] = "#quot;", ['#'] = "#35;",  ['<'] = "#lt;",
      ['>'] = "#gt;",   ['&'] = "#amp;", ['\n'] = " "};
  for (; *text != '\0'; text++) {
    const char *entity = entities[(unsigned char)*text];
    if (entity != NULL)
      pith_i_out_text(o, entity);
    else
      pith_i_out_char(o, *text);
  }
}

pith_status pith_i_write_mermaid(pith_i_output *out) {
  const pith_i_names *names = &out->theory->names;
  bool *used = pith_i_mark_preds(out, true);
  if (used == NULL)
    return PITH_ENOMEM;
  pith_i_out_text(out->o, "graph LR\n");
  for (pith_pred p = PITH_BUILTINS; p < names->preds.n; p++)
    if (used[p]) {
      pith_out_print(out->o, "  p%u[\"", (unsigned)p);
      put_label(out->o, pith_i_pred_text(names, p));
      pith_i_out_text(out->o, "\"]\n");
    }
  pith_i_release(out->env, used);
  pith_status rc = draw_arrows(out, draw_mermaid);
  return rc < 0 ? rc : pith_out_write(out->o, "", 0);
}
