/* Rules for LaTeX: as aligned formulas or as a table. */
#include <string.h>

#include "text/decimal.h"
#include "text/print.h"
#include "text/writers.h"

typedef struct {
  const pith_i_theory *t;
  const pith_sym *own; /* names of the rule's variables, or NULL */
  pith_out *o;
} page;

static void put_text(const page *g, const char *text) {
  pith_out_write(g->o, text, strlen(text));
}

static void put_escaped(const page *g, const char *text) {
  for (; *text != '\0'; text++) {
    if (strchr("#$%&_{}", *text) != NULL)
      put_text(g, "\\");
    if (*text == '\\')
      put_text(g, "\\textbackslash{}");
    else if (*text == '^' || *text == '~')
      pith_out_print(g->o, "\\%c{}", *text);
    else
      pith_i_out_char(g->o, *text == '\n' ? ' ' : *text);
  }
}

/* An IRI as people write it. */
static void put_short(const page *g, const char *text) {
  pith_i_iri_name name = pith_i_iri_short(g->t, text);
  if (name.prefix != NULL) {
    put_escaped(g, name.prefix);
    put_text(g, ":");
  }
  put_escaped(g, name.rest);
}

static void put_latex_term(const page *g, pith_term t) {
  if (PITH_IS_VAR(t)) {
    pith_out *text = g->o;
    put_text(g, "\\mathit{");
    if (g->own != NULL)
      put_escaped(g, pith_i_sym(&g->t->names, g->own[PITH_VAR_INDEX(t)])->text);
    else
      pith_i_print_variable(&g->t->names, NULL, PITH_VAR_INDEX(t), text);
    put_text(g, "}");
    return;
  }
  put_text(g, "\\text{");
  put_short(g, pith_i_sym(&g->t->names, t)->text);
  put_text(g, "}");
}

static const char *latex_sign(pith_pred pred) {
  static const char *const signs[] = {
      [PITH_EQUAL] = " = ",      [PITH_DIFFERENT] = " \\neq ",
      [PITH_LESS] = " < ",       [PITH_LESS_EQUAL] = " \\leq ",
      [PITH_GREATER] = " > ",    [PITH_GREATER_EQUAL] = " \\geq ",
      [PITH_SAME_VALUE] = " = ", [PITH_OTHER_VALUE] = " \\neq "};
  return signs[pred];
}

static void put_latex_atom(const page *g, const pith_atom *a) {
  if (PITH_IS_BUILTIN(a->pred)) {
    put_latex_term(g, a->args[0]);
    put_text(g, latex_sign(a->pred));
    put_latex_term(g, a->args[1]);
    return;
  }
  put_text(g, a->negated ? "\\neg \\text{" : "\\text{");
  put_short(g, pith_i_pred_text(&g->t->names, a->pred));
  put_text(g, "}");
  for (uint32_t i = 0; i < a->arity; i++) {
    put_text(g, i == 0 ? "(" : ", ");
    put_latex_term(g, a->args[i]);
  }
  if (a->arity > 0)
    put_text(g, ")");
}

/* head <arrow> body, without a line end. */
static void put_latex_rule(page *g, const pith_rule *r, const char *arrow) {
  g->own = pith_i_rule_names(&g->t->names, r);
  put_latex_atom(g, &r->head);
  put_text(g, arrow);
  for (uint32_t k = 0; k < r->body_len; k++) {
    put_text(g, k == 0 ? "" : " \\wedge ");
    put_latex_atom(g, &r->body[k]);
  }
}

pith_status pith_i_write_latex(pith_i_output *out) {
  page g = {.t = out->theory, .o = out->o};
  put_text(&g, "\\begin{align*}\n");
  for (size_t i = 0; i < g.t->rules.n; i++) {
    put_latex_rule(&g, g.t->rules.at[i], " &\\leftarrow ");
    put_text(&g, i + 1 < g.t->rules.n ? " \\\\\n" : "\n");
  }
  put_text(&g, "\\end{align*}\n");
  return pith_out_write(out->o, "", 0);
}

static bool has_probabilities(const pith_i_theory *t) {
  for (size_t i = 0; i < t->rules.n; i++)
    if (t->rules.at[i]->probability != 0)
      return true;
  return false;
}

pith_status pith_i_write_booktabs(pith_i_output *out) {
  page g = {.t = out->theory, .o = out->o};
  bool figures = has_probabilities(g.t);
  put_text(&g, figures ? "\\begin{tabular}{lr}\n\\toprule\nRule & Confidence"
                       : "\\begin{tabular}{l}\n\\toprule\nRule");
  put_text(&g, " \\\\\n\\midrule\n");
  for (size_t i = 0; i < g.t->rules.n; i++) {
    const pith_rule *r = g.t->rules.at[i];
    put_text(&g, "$");
    put_latex_rule(&g, r, " \\leftarrow ");
    put_text(&g, "$");
    if (figures && r->probability != 0)
      pith_out_print(g.o, " & %s", pith_i_decimal_write(r->probability).text);
    else if (figures)
      put_text(&g, " &");
    put_text(&g, " \\\\\n");
  }
  put_text(&g, "\\bottomrule\n\\end{tabular}\n");
  return pith_out_write(out->o, "", 0);
}
