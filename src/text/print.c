#include "text/print.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "text/decimal.h"
#include "text/lexer.h"
#include "text/parser.h"

static pith_status put_string(pith_out *o, const char *text) {
  return pith_out_write(o, text, strlen(text));
}

/* ---- names ----------------------------------------------------------- */

/* Bare only where every Prolog agrees: small ASCII letter, then letters,
** digits, underscores. */
static bool is_bare(const char *text, size_t n) {
  if (!pith_i_is(text[0], PITH_I_LOWER))
    return false;
  for (size_t i = 1; i < n; i++)
    if (!pith_i_is(text[i], PITH_I_ALNUM))
      return false;
  return true;
}

static pith_status put_escaped(pith_out *o, uint32_t code) {
  if (code == '\'' || code == '\\')
    return pith_out_print(o, "\\%c", (int)code);
  if (code == '\n')
    return put_string(o, "\\n");
  if (code == '\t')
    return put_string(o, "\\t");
  return pith_out_print(o, "\\x%x\\", (unsigned)code);
}

/* Control characters of all kinds are written as escapes, which read back as
** what they were and which a terminal does not act on. */
static pith_status put_quoted_name(pith_out *o, const char *text, size_t n) {
  pith_i_out_char(o, '\'');
  size_t from = 0;
  for (size_t i = 0; i < n;) {
    size_t len = pith_i_utf8_plain(text + i, n - i);
    if (len > 0 && text[i] != '\'' && text[i] != '\\') {
      i += len;
      continue;
    }
    uint32_t code = 0;
    len = pith_i_utf8_next(text + i, n - i, &code);
    assert(len > 0); /* names are valid UTF-8 */
    if (len == 0)
      break; /* else there would be no end */
    pith_out_write(o, text + from, i - from);
    put_escaped(o, code);
    i += len;
    from = i;
  }
  pith_out_write(o, text + from, n - from);
  return pith_i_out_char(o, '\'');
}

pith_status pith_i_print_sym(const pith_i_names *names, pith_sym s,
                             pith_out *o) {
  const pith_i_symbol *sym = pith_i_sym(names, s);
  if (sym->kind != PITH_NAME || is_bare(sym->text, sym->len))
    return pith_out_write(o, sym->text, sym->len);
  return put_quoted_name(o, sym->text, sym->len);
}

pith_status pith_i_print_pred(const pith_i_names *names, pith_pred pred,
                              pith_out *o) {
  const pith_i_symbol *sym = pith_i_sym(names, pith_i_pred(names, pred)->name);
  if (is_bare(sym->text, sym->len) && !pith_i_is_reserved(sym->text, sym->len))
    return pith_out_write(o, sym->text, sym->len);
  return put_quoted_name(o, sym->text, sym->len);
}

/* ---- variables ------------------------------------------------------- */

enum { MANY = PITH_I_NAMED_VARIABLES };

typedef pith_i_naming naming;

static bool may_be_variable(const pith_i_names *names, pith_sym s) {
  return s < names->symbols.n && pith_i_is_variable(pith_i_sym(names, s)->text);
}

static void count_uses(naming *v, const pith_atom *a) {
  for (uint32_t i = 0; i < a->arity; i++)
    if (PITH_IS_VAR(a->args[i]) && PITH_VAR_INDEX(a->args[i]) < MANY) {
      uint8_t *uses = &v->uses[PITH_VAR_INDEX(a->args[i])];
      *uses = (uint8_t)(*uses < 2 ? *uses + 1 : 2);
    }
}

static void count_rule_uses(naming *v, const pith_rule *r) {
  v->count = r->var_count;
  v->known = v->count <= MANY;
  if (!v->known)
    return;
  memset(v->uses, 0, r->var_count * sizeof *v->uses);
  count_uses(v, &r->head);
  for (uint32_t i = 0; i < r->body_len; i++)
    count_uses(v, &r->body[i]);
}

static int compare_syms(const void *a, const void *b) {
  pith_sym x = *(const pith_sym *)a, y = *(const pith_sym *)b;
  return (x > y) - (x < y);
}

/* The names that a rule comes with, if a reader would tell them apart; else
** NULL, and all are made up. */
static const pith_sym *good_names(const pith_i_names *names, const naming *v,
                                  const pith_rule *r) {
  pith_sym seen[MANY];
  size_t n = 0;
  if (r->var_names == NULL || !v->known)
    return NULL;
  for (uint32_t i = 0; i < r->var_count; i++) {
    pith_sym name = r->var_names[i];
    if (!may_be_variable(names, name))
      return NULL;
    if (strcmp(pith_i_sym(names, name)->text, "_") != 0)
      seen[n++] = name;
    else if (v->uses[i] > 1)
      return NULL;
  }
  qsort(seen, n, sizeof *seen, compare_syms);
  for (size_t i = 1; i < n; i++)
    if (seen[i] == seen[i - 1])
      return NULL;
  return r->var_names;
}

const pith_sym *pith_i_rule_names(const pith_i_names *names,
                                  const pith_rule *r) {
  naming v;
  count_rule_uses(&v, r);
  return good_names(names, &v, r);
}

pith_status pith_i_print_variable(const pith_i_names *names,
                                  const pith_sym *own, uint32_t var,
                                  pith_out *o) {
  if (own != NULL)
    return put_string(o, pith_i_sym(names, own[var])->text);
  pith_i_out_char(o, (char)('A' + var % 26));
  return var < 26 ? PITH_OK : pith_out_print(o, "%u", (unsigned)(var / 26));
}

/* An atom alone keeps its names: each may stand for something outside. */
static void name_variables(const pith_i_names *names, const pith_rule *r,
                           naming *v) {
  count_rule_uses(v, r);
  v->own = good_names(names, v, r);
  v->known &= r->body_len > 0;
}

static pith_status put_variable(const pith_i_names *names, const naming *v,
                                uint32_t var, pith_out *o) {
  const char *own =
      v->own == NULL ? NULL : pith_i_sym(names, v->own[var])->text;
  if (v->known && var < MANY && v->uses[var] == 1 &&
      (own == NULL || own[0] != '_'))
    return pith_i_out_char(o, '_');
  return pith_i_print_variable(names, v->own, var, o);
}

static uint32_t rank_singles(naming *v, const pith_atom *a, uint32_t rank) {
  for (uint32_t i = 0; i < a->arity; i++) {
    uint32_t var = PITH_VAR_INDEX(a->args[i]);
    if (PITH_IS_VAR(a->args[i]) && v->uses[var] == 1)
      v->single[var] = (uint16_t)++rank;
  }
  return rank;
}

void pith_i_name_variables(const pith_i_names *names, const pith_rule *r,
                           pith_i_naming *out) {
  count_rule_uses(out, r);
  out->own = good_names(names, out, r);
  if (!out->known)
    return;
  uint32_t rank = rank_singles(out, &r->head, 0);
  for (uint32_t i = 0; i < r->body_len; i++)
    rank = rank_singles(out, &r->body[i], rank);
}

static bool is_own_name(const pith_i_names *names, const pith_sym *own,
                        uint32_t n, const char *text) {
  for (uint32_t i = 0; own != NULL && i < n; i++)
    if (strcmp(pith_i_sym(names, own[i])->text, text) == 0)
      return true;
  return false;
}

pith_status pith_i_print_distinct_variable(const pith_i_names *names,
                                           const pith_i_naming *v, uint32_t var,
                                           pith_out *o) {
  const char *own =
      v->own == NULL ? NULL : pith_i_sym(names, v->own[var])->text;
  if (!v->known || v->uses[var] != 1 ||
      (own != NULL && own[0] == '_' && own[1] != '\0'))
    return pith_i_print_variable(names, v->own, var, o);
  char text[32];
  int n = snprintf(text, sizeof text, "_%u", (unsigned)v->single[var]);
  while (is_own_name(names, v->own, v->count, text) && n < 30) {
    text[n++] = '_';
    text[n] = '\0';
  }
  return put_string(o, text);
}

/* ---- atoms ----------------------------------------------------------- */

static pith_status put_term_text(const pith_i_names *names, const naming *v,
                                 pith_term term, pith_out *o) {
  return PITH_IS_VAR(term) ? put_variable(names, v, PITH_VAR_INDEX(term), o)
                           : pith_i_print_sym(names, term, o);
}

static pith_status put_args(const pith_i_names *names, const naming *v,
                            const pith_term *args, size_t n, pith_out *o) {
  assert(n == 0 || args != NULL);
  for (size_t i = 0; i < n; i++) {
    pith_i_out_char(o, i == 0 ? '(' : ',');
    put_term_text(names, v, args[i], o);
  }
  return n == 0 ? PITH_OK : pith_i_out_char(o, ')');
}

static bool is_date(const pith_i_names *names, pith_term term) {
  return !PITH_IS_VAR(term) &&
         pith_i_sym(names, term)->order >= PITH_ORDER_DATE;
}

/* Prolog's < takes numbers only; its order of terms, @<, takes dates and times,
** and is
** read as < here. */
static bool is_date_comparison(const pith_i_names *names, const pith_atom *a) {
  return a->pred >= PITH_LESS && a->pred <= PITH_GREATER_EQUAL &&
         (is_date(names, a->args[0]) || is_date(names, a->args[1]));
}

static pith_status put_atom_text(const pith_i_names *names, const naming *v,
                                 const pith_atom *a, pith_out *o) {
  if (pith_i_is_builtin(a->pred)) {
    put_term_text(names, v, a->args[0], o);
    pith_out_print(o, " %s%s ", is_date_comparison(names, a) ? "@" : "",
                   pith_i_pred_text(names, a->pred));
    return put_term_text(names, v, a->args[1], o);
  }
  if (a->negated)
    put_string(o, "\\+ ");
  pith_i_print_pred(names, a->pred, o);
  return put_args(names, v, a->args, a->arity, o);
}

pith_status pith_i_print_atom(const pith_i_names *names, const pith_atom *a,
                              pith_out *o) {
  naming v;
  v.own = NULL;
  v.known = a->negated; /* what only it has is nothing to anyone else */
  if (v.known) {
    memset(v.uses, 0, sizeof v.uses);
    count_uses(&v, a);
  }
  put_atom_text(names, &v, a, o);
  return pith_out_write(o, "", 0);
}

pith_status pith_i_print_ground(const pith_i_names *names, pith_pred pred,
                                const pith_sym *args, size_t n, pith_out *o) {
  pith_i_print_pred(names, pred, o);
  for (size_t i = 0; i < n; i++) {
    pith_i_out_char(o, i == 0 ? '(' : ',');
    pith_i_print_sym(names, args[i], o);
  }
  if (n > 0)
    pith_i_out_char(o, ')');
  return pith_out_write(o, "", 0);
}

/* ---- rules, examples, templates -------------------------------------- */

pith_status pith_i_print_rule(const pith_i_names *names, const pith_rule *r,
                              pith_out *o) {
  naming v;
  name_variables(names, r, &v);
  if (r->probability != 0)
    pith_out_print(o, "%s::", pith_i_decimal_write(r->probability).text);
  put_atom_text(names, &v, &r->head, o);
  for (uint32_t i = 0; i < r->body_len; i++) {
    put_string(o, i == 0 ? " :- " : ", ");
    put_atom_text(names, &v, &r->body[i], o);
  }
  return pith_i_out_char(o, '.');
}

pith_status pith_i_print_example(const pith_i_names *names,
                                 const pith_example *e, pith_out *o) {
  put_string(o, e->positive ? "pos(" : "neg(");
  pith_i_print_ground(names, e->atom.pred, e->atom.args, e->atom.arity, o);
  if (e->weight != 1) {
    pith_i_decimal d = pith_i_decimal_write(e->weight);
    pith_out_print(o, ",%s", d.text);
  }
  return put_string(o, ").");
}

static pith_status put_slot(const pith_i_names *names, const pith_template *t,
                            const naming *v, const pith_atom *a, pith_out *o) {
  assert(a->pred < t->slot_count);
  pith_pred pred = t->slots[a->pred].pred;
  if (pred != PITH_NONE) {
    pith_atom given = {.pred = pred, .arity = a->arity, .args = a->args};
    return put_atom_text(names, v, &given, o);
  }
  unsigned number = 1; /* slots that are given have none */
  for (pith_pred i = 0; i < a->pred; i++)
    number += t->slots[i].pred == PITH_NONE;
  pith_out_print(o, "#%u", number);
  return put_args(names, v, a->args, a->arity, o);
}

pith_status pith_i_print_template(const pith_i_names *names,
                                  const pith_template *t, pith_out *o) {
  const pith_rule *r = &t->shape;
  naming v;
  name_variables(names, r, &v);
  v.known = false;
  if (t->copies != 1)
    pith_out_print(o, "%u ", (unsigned)t->copies);
  put_slot(names, t, &v, &r->head, o);
  for (uint32_t i = 0; i < r->body_len; i++) {
    put_string(o, i == 0 ? " :- " : ", ");
    put_slot(names, t, &v, &r->body[i], o);
  }
  return pith_i_out_char(o, '.');
}

pith_status pith_i_print_templates(const pith_i_theory *t, pith_out *o) {
  for (size_t i = 0; i < t->templates.n; i++) {
    pith_i_print_template(&t->names, t->templates.at[i], o);
    pith_i_out_char(o, '\n');
  }
  for (pith_pred p = 0; p < t->names.preds.n; p++) {
    const pith_i_predicate *d = pith_i_pred(&t->names, p);
    if ((d->roles & PITH_INVENTED) == 0)
      continue;
    put_string(o, "invented: ");
    pith_i_print_sym(&t->names, d->name, o);
    pith_out_print(o, "/%u\n", (unsigned)d->arity);
  }
  if (t->steps > 0)
    pith_out_print(o, "steps: %u\n", (unsigned)t->steps);
  return pith_out_write(o, "", 0);
}

/* ---- bias ------------------------------------------------------------ */

static void put_places(const pith_i_names *names, const pith_i_predicate *d,
                       const char *what, pith_out *o) {
  assert(what[0] == 't' ? d->types != NULL : d->directions != NULL);
  bool types = what[0] == 't';
  pith_out_print(o, "%s(", what);
  pith_i_print_sym(names, d->name, o);
  put_string(o, ",(");
  for (uint32_t i = 0; i < d->arity; i++) {
    if (i > 0)
      pith_i_out_char(o, ',');
    if (types)
      pith_i_print_sym(names, d->types[i], o);
    else
      put_string(o, d->directions[i] == 'i' ? "in" : "out");
  }
  put_string(o, d->arity == 1 ? ",)).\n" : ")).\n");
}

static void put_declarations(const pith_i_names *names,
                             const pith_i_predicate *d, pith_out *o) {
  static const struct {
    unsigned role;
    const char *name;
  } roles[] = {{PITH_TARGET, "head_pred("}, {PITH_BODY, "body_pred("}};
  for (size_t i = 0; i < 2; i++)
    if ((d->roles & roles[i].role) != 0) {
      put_string(o, roles[i].name);
      pith_i_print_sym(names, d->name, o);
      pith_out_print(o, ",%u).\n", (unsigned)d->arity);
    }
  if (d->types != NULL)
    put_places(names, d, "type", o);
  if (d->directions != NULL)
    put_places(names, d, "direction", o);
}

pith_status pith_i_print_bias(const pith_i_theory *t, pith_out *o) {
  const pith_bias *b = &t->bias;
  for (pith_pred p = 0; p < t->names.preds.n; p++)
    put_declarations(&t->names, pith_i_pred(&t->names, p), o);
  for (size_t i = 0; i < t->constants.n; i++) {
    put_string(o, "constant(");
    pith_i_print_sym(&t->names, t->constants.at[i].name, o);
    if (t->constants.at[i].type != PITH_NONE) {
      pith_i_out_char(o, ',');
      pith_i_print_sym(&t->names, t->constants.at[i].type, o);
    }
    put_string(o, ").\n");
  }
  for (size_t i = 0; i < t->single_types.n; i++) {
    put_string(o, ":- clause(C), #count{V : var_type(C,V,");
    pith_i_print_sym(&t->names, t->single_types.at[i], o);
    put_string(o, ")} != 1.\n");
  }
  if (b->max_vars > 0)
    pith_out_print(o, "max_vars(%u).\n", (unsigned)b->max_vars);
  if (b->max_body > 0)
    pith_out_print(o, "max_body(%u).\n", (unsigned)b->max_body);
  if (b->max_clauses > 0)
    pith_out_print(o, "max_clauses(%u).\n", (unsigned)b->max_clauses);
  if (b->enable_pi)
    put_string(o, "enable_pi.\n");
  if (b->enable_recursion)
    put_string(o, "enable_recursion.\n");
  if (b->allow_singletons)
    put_string(o, "allow_singletons.\n");
  return pith_out_write(o, "", 0);
}
