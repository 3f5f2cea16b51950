/* Rules for people: as aligned formulas or a table for LaTeX, and as English
** sentences. */
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

/* An IRI as people write it: with its prefix, else what is behind the last
** slash or hash. */
static void put_short(const page *g, const char *text,
                      void (*put_name)(const page *g, const char *text)) {
  for (size_t i = 0; i < g->t->prefixes.n; i++) {
    size_t n = strlen(g->t->prefixes.at[i].iri);
    if (n > 0 && strncmp(text, g->t->prefixes.at[i].iri, n) == 0) {
      put_name(g, g->t->prefixes.at[i].name);
      put_text(g, ":");
      put_name(g, text + n);
      return;
    }
  }
  const char *tail = strstr(text, "://") == NULL ? NULL : strrchr(text, '/');
  const char *hash = tail == NULL ? NULL : strrchr(tail, '#');
  tail = hash != NULL ? hash : tail;
  put_name(g, tail != NULL && tail[1] != '\0' ? tail + 1 : text);
}

/* ---- LaTeX ------------------------------------------------------------ */

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
  put_short(g, pith_i_sym(&g->t->names, t)->text, put_escaped);
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
  put_short(g, pith_i_pred_text(&g->t->names, a->pred), put_escaped);
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

/* ---- English ---------------------------------------------------------- */

static void put_words(const page *g, const char *text) {
  for (; *text != '\0'; text++)
    pith_i_out_char(g->o, *text == '_' || *text == '\n' ? ' ' : *text);
}

static bool is_single(const page *g, uint32_t var) {
  return g->own != NULL &&
         pith_i_sym(&g->t->names, g->own[var])->text[0] == '_';
}

/* The i-th argument; what occurs once has no name. */
static void put_english_term(const page *g, const pith_atom *a, uint32_t i) {
  pith_term t = a->args[i];
  if (!PITH_IS_VAR(t))
    put_short(g, pith_i_sym(&g->t->names, t)->text, put_words);
  else if (is_single(g, PITH_VAR_INDEX(t)))
    put_text(g, a->negated ? "anything" : "something");
  else
    pith_i_print_variable(&g->t->names, g->own, PITH_VAR_INDEX(t), g->o);
}

static bool ends_in(const char *text, const char *end) {
  size_t n = strlen(text), m = strlen(end);
  return n >= m && strcmp(text + n - m, end) == 0;
}

/* likes is a verb, located_in leads to its object, parent is a noun. */
static bool is_verb(const char *name) {
  static const char *const helping[] = {"can", "may", "must", "will"};
  for (size_t i = 0; i < sizeof helping / sizeof *helping; i++)
    if (strcmp(name, helping[i]) == 0)
      return true;
  return ends_in(name, "s") && !ends_in(name, "ss") && !ends_in(name, "us");
}

static bool leads_on(const char *name) {
  return ends_in(name, "_of") || ends_in(name, "_in") || ends_in(name, "_to") ||
         ends_in(name, "_by") || ends_in(name, "_at") ||
         ends_in(name, "_with") || ends_in(name, "_from") ||
         ends_in(name, "_than");
}

static const char *article_of(const char *name) {
  return strchr("aeiou", name[0]) != NULL ? "an " : "a ";
}

static void put_unary(const page *g, const pith_atom *a, const char *name) {
  put_english_term(g, a, 0);
  put_text(g, a->negated ? " is not " : " is ");
  put_text(g, article_of(name));
  put_short(g, name, put_words);
}

static void put_binary(const page *g, const pith_atom *a, const char *name) {
  bool is = strncmp(name, "is_", 3) == 0;
  put_english_term(g, a, 0);
  if (is || leads_on(name)) {
    put_text(g, a->negated ? " is not " : " is ");
    put_short(g, is ? name + 3 : name, put_words);
    put_text(g, is && name[3] == '\0' ? "" : " ");
  } else if (is_verb(name)) {
    put_text(g, a->negated ? " does not: " : " ");
    put_short(g, name, put_words);
    put_text(g, " ");
  } else {
    put_text(g, a->negated ? " is not " : " is ");
    put_text(g, article_of(name));
    put_short(g, name, put_words);
    put_text(g, " of ");
  }
  put_english_term(g, a, 1);
}

static void put_english_builtin(const page *g, const pith_atom *a) {
  static const char *const words[] = {[PITH_EQUAL] = " is ",
                                      [PITH_DIFFERENT] = " is not ",
                                      [PITH_LESS] = " is less than ",
                                      [PITH_LESS_EQUAL] = " is at most ",
                                      [PITH_GREATER] = " is more than ",
                                      [PITH_GREATER_EQUAL] = " is at least ",
                                      [PITH_SAME_VALUE] = " is as much as ",
                                      [PITH_OTHER_VALUE] =
                                          " is not as much as "};
  put_english_term(g, a, 0);
  put_text(g, words[a->pred]);
  put_english_term(g, a, 1);
}

static void put_english_atom(const page *g, const pith_atom *a) {
  const char *name = pith_i_pred_text(&g->t->names, a->pred);
  if (PITH_IS_BUILTIN(a->pred)) {
    put_english_builtin(g, a);
  } else if (a->arity == 1) {
    put_unary(g, a, name);
  } else if (a->arity == 2) {
    put_binary(g, a, name);
  } else {
    put_short(g, name, put_words);
    put_text(g, a->negated ? " does not hold" : " holds");
    for (uint32_t i = 0; i < a->arity; i++) {
      put_text(g, i == 0 ? " of " : i + 1 == a->arity ? " and " : ", ");
      put_english_term(g, a, i);
    }
  }
}

pith_status pith_i_write_english(pith_i_output *out) {
  page g = {.t = out->theory, .o = out->o};
  for (size_t i = 0; i < g.t->rules.n; i++) {
    const pith_rule *r = g.t->rules.at[i];
    g.own = pith_i_rule_names(&g.t->names, r);
    put_english_atom(&g, &r->head);
    for (uint32_t k = 0; k < r->body_len; k++) {
      put_text(&g, k == 0 ? " if " : k + 1 == r->body_len ? " and " : ", ");
      put_english_atom(&g, &r->body[k]);
    }
    put_text(&g, ".\n");
  }
  return pith_out_write(out->o, "", 0);
}
