/* A fact p(a,b) is the term f(p,a,b), so that names need no other care than
** being quoted where clingo would not take them. */
#include "compress/certify.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "compress/derive.h"

typedef struct {
  const pith_i_certificate *c;
  pith_out *o;
  const pith_rule *rule; /* that is written, or NULL */
} writer;

/* ---- terms ------------------------------------------------------------ */

static bool is_plain(const char *t, size_t n, pith_sym_kind kind) {
  bool integer = kind == PITH_NUMBER && n < 9;
  for (size_t i = 0; integer && i < n; i++)
    integer = (t[i] >= '0' && t[i] <= '9') || (i == 0 && t[i] == '-');
  if (integer)
    return true;
  bool word = kind == PITH_NAME && n > 0 && t[0] >= 'a' && t[0] <= 'z' &&
              strcmp(t, "not") != 0;
  for (size_t i = 0; word && i < n; i++)
    word = (t[i] >= 'a' && t[i] <= 'z') || (t[i] >= 'A' && t[i] <= 'Z') ||
           (t[i] >= '0' && t[i] <= '9') || t[i] == '_';
  return word;
}

/* A string. A mark in front distinguishes a number that clingo cannot hold from
** a name of the same spelling. */
static void put_quoted(pith_out *o, const char *t, size_t n,
                       pith_sym_kind kind) {
  pith_out_write(o, kind == PITH_NUMBER ? "\"#" : "\"",
                 kind == PITH_NUMBER ? 2 : 1);
  for (size_t i = 0; i < n; i++) {
    if (t[i] == '\n')
      pith_out_write(o, "\\n", 2);
    else if (t[i] == '"' || t[i] == '\\')
      pith_out_print(o, "\\%c", t[i]);
    else
      pith_out_write(o, &t[i], 1);
  }
  pith_out_write(o, "\"", 1);
}

static void put_sym(const writer *w, pith_sym s) {
  const pith_i_symbol *x = pith_i_sym(&w->c->theory->names, s);
  if (is_plain(x->text, x->len, (pith_sym_kind)x->kind))
    pith_out_write(w->o, x->text, x->len);
  else
    put_quoted(w->o, x->text, x->len, (pith_sym_kind)x->kind);
}

/* Whether the variable is in one negated atom and nowhere else: there any value
** would do. */
static bool is_local(const pith_rule *r, pith_term t) {
  size_t negated = 0, others = 0;
  for (uint32_t i = 0; i < r->head.arity; i++)
    others += r->head.args[i] == t;
  for (uint32_t i = 0; i < r->body_len; i++)
    for (uint32_t k = 0; k < r->body[i].arity; k++)
      if (r->body[i].args[k] == t)
        *(r->body[i].negated ? &negated : &others) += 1;
  return others == 0 && negated == 1;
}

static void put_term(const writer *w, pith_term t) {
  if (!PITH_IS_VAR(t))
    put_sym(w, t);
  else if (w->rule != NULL && is_local(w->rule, t))
    pith_out_print(w->o, "_");
  else
    pith_out_print(w->o, "V%u", PITH_VAR_INDEX(t));
}

static void put_fact(const writer *w, pith_pred pred, const pith_term *args,
                     size_t n) {
  pith_out_print(w->o, "f(");
  put_sym(w, pith_i_pred(&w->c->theory->names, pred)->name);
  for (size_t i = 0; i < n; i++) {
    pith_out_print(w->o, ",");
    put_term(w, args[i]);
  }
  pith_out_print(w->o, ")");
}

/* ---- rules ------------------------------------------------------------ */

static const char *asp_operator(pith_pred builtin) {
  static const char *const words[] = {
      "=", "!=", "<", "<=", ">", ">=", "=", "!="};
  assert(builtin < sizeof words / sizeof words[0]);
  return words[builtin];
}

static void put_asp_atom(const writer *w, const pith_atom *a) {
  if (pith_i_is_builtin(a->pred)) {
    put_term(w, a->args[0]);
    pith_out_print(w->o, " %s ", asp_operator(a->pred));
    put_term(w, a->args[1]);
    return;
  }
  pith_out_print(w->o, a->negated ? "not holds(" : "holds(");
  put_fact(w, a->pred, a->args, a->arity);
  pith_out_print(w->o, ")");
}

static void put_asp_rule(writer *w, size_t i) {
  assert(i < w->c->rule_count);
  const pith_rule *r = w->c->rules[i];
  w->rule = r;
  put_asp_atom(w, &r->head);
  pith_out_print(w->o, " :- ");
  if (w->c->choose)
    pith_out_print(w->o, "rule(%zu), ", i);
  for (uint32_t k = 0; k < r->body_len; k++) {
    pith_out_print(w->o, k == 0 ? "" : ", ");
    put_asp_atom(w, &r->body[k]);
  }
  pith_out_print(w->o, ".\n");
  w->rule = NULL;
}

static int tenths_of_bits(double bits) { return (int)lround(10 * bits); }

/* Every rule has its price, and shapes that are used have theirs. */
static void put_prices(const writer *w, const pith_i_observations *scene) {
  for (size_t i = 0; i < w->c->rule_count; i++) {
    const pith_rule *r = w->c->rules[i];
    size_t like = 0;
    while (!pith_i_same_shape(w->c->rules[like], r))
      like++;
    pith_out_print(w->o, "price(%zu,%d). like(%zu,%zu). ", i,
                   tenths_of_bits(pith_i_rule_bits(scene->words, r)), i, like);
    if (like == i)
      pith_out_print(w->o, "shape(%zu,%d).", i,
                     tenths_of_bits(pith_i_shape_bits(r)));
    pith_out_print(w->o, "\n");
  }
  pith_out_print(w->o, "{ rule(R) } :- price(R,_).\n"
                       "used(S) :- rule(R), like(R,S).\n"
                       "#minimize { B,r,R : rule(R), price(R,B); "
                       "B,s,S : used(S), shape(S,B); "
                       "B,F : core(F), fact(F,B) }.\n");
}

/* ---- facts ------------------------------------------------------------ */

typedef struct {
  const writer *w;
  const pith_i_observations *scene; /* NULL: a fact counts as one */
} listing;

static int list_fact(void *ctx, pith_pred pred, const pith_sym *args,
                     size_t n) {
  const listing *l = ctx;
  const pith_i_priced_theory *found = l->w->c->found;
  bool observed = true;
  for (size_t i = 0; i < found->invented.n; i++)
    observed &= found->invented.at[i].pred != pred;
  observed &= !pith_i_fact_given(&found->extra, pred, args);
  pith_out_print(l->w->o, "fact(");
  put_fact(l->w, pred, args, n);
  pith_out_print(l->w->o, ",%d).",
                 l->scene == NULL
                     ? 1
                     : tenths_of_bits(pith_i_observation_bits(l->scene, pred)));
  if (observed) {
    pith_out_print(l->w->o, " observed(");
    put_fact(l->w, pred, args, n);
    pith_out_print(l->w->o, ").");
  }
  pith_out_print(l->w->o, "\n");
  return 0;
}

static void put_frame(const writer *w) {
  pith_out_print(w->o,
                 "%% Which facts must be stated so that all that was observed "
                 "holds, and nothing else?\n"
                 "{ core(F) } :- fact(F,_).\n"
                 "holds(F) :- core(F).\n"
                 ":- observed(F), not holds(F).\n"
                 ":- holds(F), not fact(F,_).\n"
                 "#show core/1.\n");
  if (!w->c->choose)
    pith_out_print(w->o, "#minimize { B,F : core(F), fact(F,B) }.\n");
  else
    pith_out_print(w->o, "#show rule/1.\n");
}

static bool has_comparison(const pith_i_certificate *c) {
  for (size_t i = 0; i < c->rule_count; i++)
    for (uint32_t k = 0; k < c->rules[i]->body_len; k++)
      if (PITH_IS_COMPARISON(c->rules[i]->body[k].pred))
        return true;
  return false;
}

/* clingo has no order of ours but that of whole numbers. */
static pith_status check_comparisons(const pith_i_certificate *c) {
  const pith_i_names *names = &c->theory->names;
  for (pith_sym s = 0; has_comparison(c) && s < names->symbols.n; s++) {
    const pith_i_symbol *x = pith_i_sym(names, s);
    if (x->order != PITH_ORDER_NONE &&
        !is_plain(x->text, x->len, (pith_sym_kind)x->kind))
      return pith_i_fail(c->theory->env, PITH_ELIMIT,
                         "clingo compares whole numbers only, and %s is none",
                         x->text);
  }
  return PITH_OK;
}

pith_status pith_i_certify(const pith_i_certificate *c, pith_out *o) {
  assert(c->found != NULL);
  writer w = {.c = c, .o = o};
  pith_i_observations scene = {0};
  /* All that follows is listed: from there the core may be taken. */
  pith_status rc = check_comparisons(c);
  if (rc >= 0)
    rc = pith_i_derive(c->theory, c->found->rules.at, c->found->rules.n,
                       &c->found->core, NULL);
  if (rc >= 0 && c->choose) {
    rc = pith_i_observations_closed(&scene, c->theory, &c->found->core);
  }
  listing list = {&w, c->choose ? &scene : NULL};
  if (rc >= 0) {
    put_frame(&w);
    for (size_t i = 0; i < c->rule_count; i++)
      put_asp_rule(&w, i);
    if (c->choose)
      put_prices(&w, &scene);
    rc = pith_i_fact_each(&c->found->core, PITH_NONE, PITH_ALL, list_fact,
                          &list);
  }
  pith_i_store_forget(&c->found->core);
  pith_i_observations_free(&scene);
  return rc < 0 ? rc : pith_out_flush(o);
}
