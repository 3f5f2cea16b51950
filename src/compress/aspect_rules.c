#include "compress/aspects.h"

#include <assert.h>
#include <string.h>

#include "learn/clauses/cut_points.h"

enum { MOST_ATOMS = 24, MOST_VARS = 16 };

typedef struct {
  const pith_i_aspects *a;
  pith_i_names *names;
  pith_i_arena *arena;
  pith_atom atoms[3][MOST_ATOMS]; /* facts, conditions, absences */
  size_t count[3];
  pith_sym vars[MOST_VARS];
  uint32_t var_count;
  bool failed;
} writing;

enum { FACTS, CONDITIONS, ABSENCES };

static void write_atom(writing *w, int part, pith_pred pred, uint32_t arity,
                       const pith_term *args) {
  pith_term *copy = pith_i_arena_alloc(w->arena, (arity + 1) * sizeof *copy);
  if (copy == NULL) {
    w->failed = true;
    return;
  }
  assert(w->count[part] < MOST_ATOMS);
  if (arity > 0)
    memcpy(copy, args, arity * sizeof *copy);
  w->atoms[part][w->count[part]++] = (pith_atom){
      .pred = pred, .arity = arity, .args = copy, .negated = part == ABSENCES};
}

/* A variable that the rule does not have yet: N, N1, ... */
static pith_term new_variable(writing *w) {
  char text[8];
  size_t n = 0;
  assert(w->var_count < MOST_VARS);
  text[n++] = 'N';
  if (w->var_count > 9)
    text[n++] = '1';
  text[n++] = (char)('0' + w->var_count % 10);
  w->failed |=
      pith_i_sym_add(w->names, text, n, PITH_NAME, &w->vars[w->var_count]) < 0;
  return PITH_VAR(w->var_count++);
}

static void write_fixed(writing *w, const pith_i_aspect *a,
                        const pith_term *args) {
  pith_term all[PITH_I_ASPECT_WIDEST];
  for (uint32_t i = 0, k = 0; i <= a->arity; i++)
    all[i] = i == a->place ? a->value : args[k++];
  write_atom(w, FACTS, a->pred, a->arity + 1, all);
}

/* The roundest number or date between the value and the nearest one that is
** left out; the value itself where there is none. */
static pith_term round_value(writing *w, const pith_i_aspect *a) {
  char text[PITH_I_CUT_TEXT];
  bool below = a->kind == PITH_I_AT_MOST;
  if (a->other == PITH_NONE)
    return a->value;
  const pith_i_symbol *in = pith_i_sym(w->names, a->value);
  const pith_i_symbol *out = pith_i_sym(w->names, a->other);
  pith_order order = (pith_order)in->order;
  double low = below ? in->value : out->value;
  double high = below ? out->value : in->value;
  size_t n = low < high ? pith_i_cut_text(order, low, high, below, text) : 0;
  pith_sym value = a->value;
  if (n > 0)
    w->failed |=
        pith_i_sym_add(w->names, text, n,
                       order == PITH_ORDER_NUMBER ? PITH_NUMBER : PITH_NAME,
                       &value) < 0;
  return value;
}

/* The variable for the value that a fact in the body has already, where there
** is only one; else PITH_NONE. */
static pith_term written_value(const writing *w, const pith_i_aspect *a,
                               pith_term thing) {
  for (size_t i = 0; a->one_each && i < w->count[FACTS]; i++) {
    const pith_atom *fact = &w->atoms[FACTS][i];
    if (fact->pred == a->pred && fact->arity == 2 &&
        fact->args[1 - a->place] == thing && PITH_IS_VAR(fact->args[a->place]))
      return fact->args[a->place];
  }
  return PITH_NONE;
}

static void write_compared(writing *w, const pith_i_aspect *a,
                           const pith_term *args) {
  pith_term known = written_value(w, a, args[0]), pair[2], test[2];
  test[0] = known != PITH_NONE ? known : new_variable(w);
  test[1] = round_value(w, a);
  pair[a->place] = test[0];
  pair[1 - a->place] = args[0];
  if (known == PITH_NONE)
    write_atom(w, FACTS, a->pred, 2, pair);
  write_atom(w, CONDITIONS,
             a->kind == PITH_I_AT_LEAST ? PITH_GREATER_EQUAL : PITH_LESS_EQUAL,
             2, test);
}

static void write_greater(writing *w, const pith_i_aspect *a,
                          const pith_term *args) {
  pith_term test[2] = {new_variable(w), new_variable(w)};
  pith_term left[2] = {args[0], test[0]}, right[2] = {args[0], test[1]};
  write_atom(w, FACTS, a->pred, 2, left);
  write_atom(w, FACTS, a->other, 2, right);
  write_atom(w, CONDITIONS, PITH_GREATER, 2, test);
}

static void write_absent(writing *w, const pith_i_aspect *a, uint32_t width,
                         const pith_term *args) {
  pith_term all[2];
  for (uint32_t i = 0; i < width; i++)
    all[i] = i == a->place ? args[0] : new_variable(w);
  write_atom(w, ABSENCES, a->pred, width, all);
}

static void write_difference(writing *w, const pith_i_aspect *a,
                             const pith_term *args) {
  pith_term pair[2] = {args[a->place], args[1 - a->place]};
  write_atom(w, FACTS, a->pred, 2, args);
  write_atom(w, ABSENCES, a->other, 2, pair);
}

static void write_body_atom(writing *w, const pith_atom *atom) {
  const pith_i_aspect *a = pith_i_aspect_of(w->a, atom->pred);
  if (a == NULL) {
    write_atom(w, pith_i_is_builtin(atom->pred) ? CONDITIONS : FACTS,
               atom->pred, atom->arity, atom->args);
    return;
  }
  switch (a->kind) {
  case PITH_I_FIXED:
    write_fixed(w, a, atom->args);
    break;
  case PITH_I_AT_LEAST:
  case PITH_I_AT_MOST:
    write_compared(w, a, atom->args);
    break;
  case PITH_I_GREATER:
    write_greater(w, a, atom->args);
    break;
  case PITH_I_ABSENT:
    write_absent(w, a, pith_i_pred(w->names, a->pred)->arity, atom->args);
    break;
  case PITH_I_DIFFERENCE:
    write_difference(w, a, atom->args);
    break;
  }
}

pith_pred pith_i_aspect_head(const pith_i_aspects *a, pith_pred pred,
                             uint32_t arity, const pith_sym *args,
                             pith_sym *out) {
  const pith_i_aspect *of = pith_i_aspect_of(a, pred);
  if (of == NULL) {
    if (arity > 0)
      memcpy(out, args, arity * sizeof *out);
    return pred;
  }
  assert(of->kind == PITH_I_FIXED && arity == of->arity);
  for (uint32_t i = 0, k = 0; i <= arity; i++)
    out[i] = i == of->place ? of->value : args[k++];
  return of->pred;
}

pith_rule *pith_i_aspects_expand(const pith_i_aspects *a, pith_i_names *names,
                                 const pith_rule *rule, pith_i_arena *arena) {
  writing w = {.a = a, .names = names, .arena = arena};
  pith_term head[MOST_VARS];
  pith_atom body[3 * MOST_ATOMS];
  assert(rule->var_count < MOST_VARS && rule->head.arity + 1 < MOST_VARS);
  w.var_count = rule->var_count;
  memcpy(w.vars, rule->var_names, rule->var_count * sizeof *w.vars);
  for (uint32_t i = 0; i < rule->body_len; i++)
    write_body_atom(&w, &rule->body[i]);
  if (w.failed)
    return NULL;
  pith_rule out = *rule;
  out.head.pred = pith_i_aspect_head(a, rule->head.pred, rule->head.arity,
                                     rule->head.args, head);
  out.head.arity += out.head.pred != rule->head.pred;
  out.head.args = head;
  out.body_len = 0;
  for (int part = FACTS; part <= ABSENCES; part++)
    for (size_t i = 0; i < w.count[part]; i++)
      body[out.body_len++] = w.atoms[part][i];
  out.body = body;
  out.var_count = w.var_count;
  out.var_names = w.vars;
  return pith_i_rule_copy(arena, &out);
}
