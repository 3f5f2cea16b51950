/* Facts and rules for other logic programs: ProbLog, clingo (ASP), Soufflé.
** Their names are more narrow than ours: what is no plain name is a string
** there, or, for predicates and variables, spelled in letters and digits. */
#include <stdio.h>
#include <string.h>

#include "text/decimal.h"
#include "text/lexer.h"
#include "text/print.h"
#include "text/writers.h"

typedef struct {
  const char *title; /* for messages: "an answer set program" */
  bool bare_names;   /* plain names need no quotes */
  bool typed;        /* all constants are strings, numbers are cast */
  const char *not_word, *different, *not_equal, *same_value;
  const char *comment;
} notation;

static const notation asp = {"clingo's", true,   false, "not ",
                             " != ",     " != ", " = ", "% "};
static const notation souffle = {"Soufflé's", false,  true,  "!",
                                 " != ",      " != ", " = ", "// "};

typedef struct {
  pith_i_output *out;
  const notation *n;
} writer;

static bool is_plain_name(const char *text, size_t n) {
  if (n == 0 || !pith_i_is(text[0], PITH_I_LOWER))
    return false;
  for (size_t i = 1; i < n; i++)
    if (!pith_i_is(text[i], PITH_I_ALNUM))
      return false;
  return true;
}

/* likes stays, 'Is A' is p_4973_20_41: letters and digits, no two alike. */
static void put_identifier(const char *text, size_t n, pith_out *o) {
  bool plain = is_plain_name(text, n) && strncmp(text, "p_", 2) != 0 &&
               strcmp(text, "not") != 0;
  if (plain) {
    pith_out_write(o, text, n);
    return;
  }
  pith_i_out_text(o, "p_");
  for (size_t i = 0; i < n; i++)
    pith_out_print(o, "%02x", (unsigned char)text[i]);
}

static void put_string(const char *text, pith_out *o) {
  pith_i_out_char(o, '"');
  for (const char *s = text; *s != '\0'; s++) {
    if (*s == '"' || *s == '\\')
      pith_i_out_char(o, '\\');
    if (*s == '\n')
      pith_i_out_text(o, "\\n");
    else
      pith_i_out_char(o, *s);
  }
  pith_i_out_char(o, '"');
}

static void put_constant(const writer *w, pith_sym sym, pith_out *o) {
  const pith_i_symbol *s = pith_i_sym(&w->out->theory->names, sym);
  bool integer = s->kind == PITH_NUMBER && strpbrk(s->text, ".e") == NULL;
  bool bare = !w->n->typed &&
              (integer ||
               (w->n->bare_names && s->kind == PITH_NAME &&
                is_plain_name(s->text, s->len) && strcmp(s->text, "not") != 0));
  if (bare)
    pith_i_out_text(o, s->text);
  else
    put_string(s->text, o);
}

static void put_term(const writer *w, pith_term t, pith_out *o) {
  if (PITH_IS_VAR(t))
    pith_out_print(o, "V%u", (unsigned)PITH_VAR_INDEX(t));
  else
    put_constant(w, t, o);
}

/* Soufflé compares numbers where both sides are cast. */
static void put_number(const writer *w, pith_term t, pith_out *o) {
  if (w->n->typed)
    pith_i_out_text(o, "to_float(");
  put_term(w, t, o);
  if (w->n->typed)
    pith_i_out_text(o, ")");
}

static const char *comparison_text(const writer *w, pith_pred pred) {
  switch (pred) {
  case PITH_EQUAL:
    return " = ";
  case PITH_DIFFERENT:
    return w->n->different;
  case PITH_LESS:
    return " < ";
  case PITH_LESS_EQUAL:
    return " <= ";
  case PITH_GREATER:
    return " > ";
  case PITH_GREATER_EQUAL:
    return " >= ";
  case PITH_SAME_VALUE:
    return w->n->same_value;
  default:
    return w->n->not_equal;
  }
}

static void put_atom(const writer *w, const pith_atom *a, pith_out *o) {
  const pith_i_names *names = &w->out->theory->names;
  if (PITH_IS_BUILTIN(a->pred)) {
    bool values = PITH_IS_COMPARISON(a->pred);
    (values ? put_number : put_term)(w, a->args[0], o);
    pith_i_out_text(o, comparison_text(w, a->pred));
    (values ? put_number : put_term)(w, a->args[1], o);
    return;
  }
  if (a->negated)
    pith_i_out_text(o, w->n->not_word);
  const pith_i_symbol *s = pith_i_sym(names, pith_i_pred(names, a->pred)->name);
  put_identifier(s->text, s->len, o);
  for (uint32_t i = 0; i < a->arity; i++) {
    pith_i_out_char(o, i == 0 ? '(' : ',');
    put_term(w, a->args[i], o);
  }
  if (a->arity > 0 || w->n->typed)
    pith_i_out_text(o, a->arity == 0 ? "()" : ")");
}

static int write_fact(void *ctx, pith_pred pred, const pith_sym *args,
                      size_t n) {
  const writer *w = ctx;
  pith_atom a = {.pred = pred, .arity = (uint32_t)n, .args = args};
  put_atom(w, &a, w->out->o);
  return pith_out_write(w->out->o, ".\n", 2);
}

/* A variable of one negated atom alone would be unsafe to them. */
static bool occurs_only_negated(const pith_rule *r) {
  for (uint32_t i = 0; i < r->body_len; i++)
    for (uint32_t k = 0; r->body[i].negated && k < r->body[i].arity; k++) {
      pith_term t = r->body[i].args[k];
      bool bound = !PITH_IS_VAR(t);
      for (uint32_t j = 0; !bound && j < r->body_len; j++)
        for (uint32_t m = 0; !r->body[j].negated && m < r->body[j].arity; m++)
          bound = bound || r->body[j].args[m] == t;
      if (!bound)
        return true;
    }
  return false;
}

static pith_status write_rule(writer *w, const pith_rule *r) {
  pith_out *o = w->out->o;
  if (r->probability != 0 && r->probability != 1)
    pith_out_print(o, "%sprobability %s\n", w->n->comment,
                   pith_i_decimal_write(r->probability).text);
  if (occurs_only_negated(r))
    return pith_i_refuse_rule(w->out, r, w->n->title,
                              "a variable occurs in a negated atom alone");
  put_atom(w, &r->head, o);
  for (uint32_t i = 0; i < r->body_len; i++) {
    pith_i_out_text(o, i == 0 ? " :- " : ", ");
    put_atom(w, &r->body[i], o);
  }
  return pith_out_write(o, ".\n", 2);
}

static pith_status write_rules(writer *w) {
  const pith_i_theory *t = w->out->theory;
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc >= 0 && w->out->rules && i < t->rules.n; i++)
    rc = write_rule(w, t->rules.at[i]);
  return rc;
}

/* ---- clingo ----------------------------------------------------------- */

pith_status pith_i_write_asp(pith_i_output *out) {
  writer w = {out, &asp};
  pith_status rc = pith_i_output_facts(out, write_fact, &w);
  return rc < 0 ? rc : write_rules(&w);
}

/* ---- Soufflé ---------------------------------------------------------- */

static void put_declaration(const writer *w, pith_pred pred, bool defined) {
  const pith_i_theory *t = w->out->theory;
  const pith_i_predicate *d = pith_i_pred(&t->names, pred);
  const pith_i_symbol *s = pith_i_sym(&t->names, d->name);
  pith_out *o = w->out->o;
  pith_i_out_text(o, ".decl ");
  put_identifier(s->text, s->len, o);
  pith_i_out_char(o, '(');
  for (uint32_t i = 0; i < d->arity; i++)
    pith_out_print(o, "%sc%u:symbol", i == 0 ? "" : ", ", i + 1u);
  pith_i_out_text(o, ")\n");
  if (!defined)
    return;
  pith_i_out_text(o, ".output ");
  put_identifier(s->text, s->len, o);
  pith_i_out_char(o, '\n');
}

pith_status pith_i_write_souffle(pith_i_output *out) {
  writer w = {out, &souffle};
  const pith_i_names *names = &out->theory->names;
  bool *defined = pith_i_mark_preds(out, false);
  if (defined == NULL)
    return PITH_ENOMEM;
  for (pith_pred p = PITH_BUILTINS; p < names->preds.n; p++)
    put_declaration(&w, p, defined[p]);
  pith_i_release(out->env, defined);
  pith_status rc = pith_i_output_facts(out, write_fact, &w);
  return rc < 0 ? rc : write_rules(&w);
}

/* ---- ProbLog ---------------------------------------------------------- */

static int write_problog_fact(void *ctx, pith_pred pred, const pith_sym *args,
                              size_t n) {
  const pith_i_output *out = ctx;
  pith_i_print_ground(&out->theory->names, pred, args, n, out->o);
  return pith_out_write(out->o, ".\n", 2);
}

/* It asks for what the rules define. */
static pith_status write_queries(const pith_i_output *out) {
  const pith_i_names *names = &out->theory->names;
  bool *defined = pith_i_mark_preds(out, false);
  if (defined == NULL)
    return PITH_ENOMEM;
  for (pith_pred p = PITH_BUILTINS; p < names->preds.n; p++) {
    if (!defined[p])
      continue;
    pith_i_out_text(out->o, "query(");
    pith_i_print_pred(names, p, out->o);
    for (uint32_t i = 0; i < pith_i_pred(names, p)->arity; i++)
      pith_i_out_text(out->o, i == 0 ? "(_" : ",_");
    pith_i_out_text(out->o,
                    pith_i_pred(names, p)->arity > 0 ? ")).\n" : ").\n");
  }
  pith_i_release(out->env, defined);
  return PITH_OK;
}

pith_status pith_i_write_problog(pith_i_output *out) {
  const pith_i_theory *t = out->theory;
  pith_status rc = pith_i_output_facts(out, write_problog_fact, out);
  for (size_t i = 0; rc >= 0 && out->rules && i < t->rules.n; i++) {
    pith_i_print_rule(&t->names, t->rules.at[i], out->o);
    rc = pith_i_out_char(out->o, '\n');
  }
  return rc >= 0 && out->rules ? write_queries(out) : rc;
}
