/* How the predicates of rules depend on each other, as a graph for Graphviz or
** Mermaid: an arrow from each body atom to the head, dashed where negated. */
#include <string.h>

#include "text/writers.h"

static bool is_used(const pith_i_theory *t, pith_pred pred) {
  for (size_t i = 0; i < t->rules.n; i++) {
    const pith_rule *r = t->rules.at[i];
    bool used = r->head.pred == pred;
    for (uint32_t k = 0; k < r->body_len; k++)
      used = used || r->body[k].pred == pred;
    if (used)
      return true;
  }
  return false;
}

/* Whether an atom before this one, of this rule or one before, drew the same
** arrow. */
static bool is_drawn(const pith_i_theory *t, size_t rule, uint32_t atom) {
  const pith_rule *r = t->rules.at[rule];
  const pith_atom *a = &r->body[atom];
  for (size_t i = 0; i <= rule; i++) {
    const pith_rule *other = t->rules.at[i];
    uint32_t n = i == rule ? atom : other->body_len;
    if (other->head.pred != r->head.pred)
      continue;
    for (uint32_t k = 0; k < n; k++)
      if (other->body[k].pred == a->pred &&
          other->body[k].negated == a->negated)
        return true;
  }
  return false;
}

typedef void (*arrow)(pith_out *o, pith_pred from, pith_pred to, bool negated);

static void draw_arrows(const pith_i_output *out, arrow draw) {
  const pith_i_theory *t = out->theory;
  for (size_t i = 0; i < t->rules.n; i++) {
    const pith_rule *r = t->rules.at[i];
    for (uint32_t k = 0; k < r->body_len; k++)
      if (!PITH_IS_BUILTIN(r->body[k].pred) && !is_drawn(t, i, k))
        draw(out->o, r->body[k].pred, r->head.pred, r->body[k].negated);
  }
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
  pith_i_out_text(out->o,
                  "digraph theory {\n  rankdir=LR;\n  node [shape=box];\n");
  for (pith_pred p = PITH_BUILTINS; p < names->preds.n; p++)
    if (is_used(out->theory, p)) {
      pith_out_print(out->o, "  p%u [label=", (unsigned)p);
      pith_out_quote(out->o, pith_i_pred_text(names, p));
      pith_i_out_text(out->o, "];\n");
    }
  draw_arrows(out, draw_dot);
  return pith_out_write(out->o, "}\n", 2);
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
  pith_i_out_text(out->o, "graph LR\n");
  for (pith_pred p = PITH_BUILTINS; p < names->preds.n; p++)
    if (is_used(out->theory, p)) {
      pith_out_print(out->o, "  p%u[\"", (unsigned)p);
      put_label(out->o, pith_i_pred_text(names, p));
      pith_i_out_text(out->o, "\"]\n");
    }
  draw_arrows(out, draw_mermaid);
  return pith_out_write(out->o, "", 0);
}
