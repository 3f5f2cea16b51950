/* Facts as tables and rules as views of a database: SQLite, PostgreSQL, DuckDB.
**
** A predicate p of n places is a table or view p(c1, ..., cn) of texts. Facts
** of a predicate that has rules too are in the table "p (facts)". Predicates
** that depend on each other are one recursive common table expression whose
** first column says which of them a row belongs to. SQL lets a recursive rule
** use what it defines once; a rule that does so twice is refused. */
#include <assert.h>
#include <string.h>

#include "base/scc.h"
#include "text/writers.h"

typedef enum { SQLITE, POSTGRES, DUCKDB } dialect;

typedef struct {
  bool bound;
  bool constant;
  uint32_t atom, place; /* of the body, unless it is a constant */
  pith_sym sym;
} binding;

/* Those of group i are items[starts[i]] .. items[starts[i + 1] - 1]. */
typedef struct {
  size_t *starts;
  uint32_t *items;
} groups;

typedef struct {
  pith_i_output *out;
  dialect to;
  const pith_i_names *names;
  pith_i_arena arena;
  uint32_t *component;   /* (preds) those that depend on each other; from 1, or
                            0: has no rules */
  uint32_t components;   /* what one depends on has a smaller number */
  groups members, rules; /* of each component */
  bool *has_facts, *has_rules, *mentioned, *shares_name; /* (preds) */
  binding *bindings;                                     /* (most variables) */
  pith_status status;
} writer;

static void put_sql(const writer *w, const char *text) {
  pith_out_write(w->out->o, text, strlen(text));
}

/* ---- names ------------------------------------------------------------ */

static void put_doubled(const writer *w, const char *text, char quote) {
  for (const char *s = text; *s != '\0'; s++) {
    if (*s == quote)
      pith_i_out_char(w->out->o, quote);
    pith_i_out_char(w->out->o, *s);
  }
}

static void put_relation(const writer *w, pith_pred pred, bool facts) {
  put_sql(w, "\"");
  put_doubled(w, pith_i_pred_text(w->names, pred), '"');
  if (w->shares_name[pred])
    pith_out_print(w->out->o, "/%u",
                   (unsigned)pith_i_pred(w->names, pred)->arity);
  put_sql(w, facts ? " (facts)\"" : "\"");
}

static void put_quoted_text(const writer *w, const char *text) {
  put_sql(w, "'");
  put_doubled(w, text, '\'');
  put_sql(w, "'");
}

static void put_constant(const writer *w, pith_sym sym) {
  put_quoted_text(w, pith_i_sym(w->names, sym)->text);
}

/* A relation without places has one column all the same. */
static uint32_t width_of(const writer *w, pith_pred pred) {
  uint32_t arity = pith_i_pred(w->names, pred)->arity;
  return arity == 0 ? 1 : arity;
}

/* ---- what depends on what --------------------------------------------- */

/* Zeroes, or NULL: no memory. */
static void *take_zeroed(writer *w, size_t n, size_t size) {
  void *block = pith_i_arena_alloc(&w->arena, (n + 1) * size);
  if (block == NULL)
    w->status = PITH_ENOMEM;
  else
    memset(block, 0, (n + 1) * size);
  return block;
}

/* Turns counts behind each place into where it starts. */
static void sum_up(size_t *starts, size_t n) {
  for (size_t i = 0; i < n; i++)
    starts[i + 1] += starts[i];
}

/* Numbers 0 to n - 1 by their group, in order; group 0 is left out. */
static bool make_groups(writer *w, const uint32_t *group, size_t n,
                        groups *out) {
  size_t count = (size_t)w->components + 2;
  out->starts = take_zeroed(w, count, sizeof *out->starts);
  out->items = take_zeroed(w, n, sizeof *out->items);
  size_t *at = take_zeroed(w, count, sizeof *at);
  if (w->status < 0)
    return false;
  for (size_t i = 0; i < n; i++)
    out->starts[group[i] + 1] += group[i] > 0;
  sum_up(out->starts, count - 1);
  memcpy(at, out->starts, count * sizeof *at);
  for (size_t i = 0; i < n; i++)
    if (group[i] > 0)
      out->items[at[group[i]]++] = (uint32_t)i;
  return true;
}

static void mark_rules(writer *w) {
  const pith_i_theory *t = w->out->theory;
  for (size_t i = 0; w->out->rules && i < t->rules.n; i++) {
    w->has_rules[t->rules.at[i]->head.pred] = true;
    for (uint32_t k = 0; k < t->rules.at[i]->body_len; k++)
      w->mentioned[t->rules.at[i]->body[k].pred] = true;
  }
}

static bool mark_names(writer *w) {
  uint8_t *seen = take_zeroed(w, w->names->symbols.n, sizeof *seen);
  for (pith_pred p = PITH_BUILTINS; seen != NULL && p < w->names->preds.n; p++)
    seen[pith_i_pred(w->names, p)->name] +=
        seen[pith_i_pred(w->names, p)->name] < 2;
  for (pith_pred p = PITH_BUILTINS; seen != NULL && p < w->names->preds.n; p++)
    w->shares_name[p] = seen[pith_i_pred(w->names, p)->name] > 1;
  return seen != NULL;
}

/* From each predicate that has rules to those in their bodies that have some
** too. */
static bool find_edges(writer *w, size_t **starts, uint32_t **targets) {
  const pith_i_theory *t = w->out->theory;
  size_t n = w->names->preds.n;
  *starts = take_zeroed(w, n + 1, sizeof **starts);
  size_t *at = take_zeroed(w, n + 1, sizeof *at);
  for (int filling = 0; filling < 2 && w->status >= 0; filling++) {
    for (size_t i = 0; i < t->rules.n; i++)
      for (uint32_t k = 0; k < t->rules.at[i]->body_len; k++) {
        pith_pred from = t->rules.at[i]->head.pred;
        pith_pred to = t->rules.at[i]->body[k].pred;
        if (!w->has_rules[to])
          continue;
        if (filling)
          (*targets)[at[from]++] = to;
        else
          (*starts)[from + 1]++;
      }
    if (filling)
      break;
    sum_up(*starts, n);
    memcpy(at, *starts, n * sizeof *at);
    *targets = take_zeroed(w, (*starts)[n], sizeof **targets);
  }
  return w->status >= 0;
}

static bool find_components(writer *w) {
  const pith_i_theory *t = w->out->theory;
  size_t n = w->names->preds.n, *starts = NULL;
  uint32_t *targets = NULL;
  uint32_t *of_rule = take_zeroed(w, t->rules.n, sizeof *of_rule);
  if (w->status < 0 || !find_edges(w, &starts, &targets))
    return false;
  w->status = pith_i_components(w->out->env, n, starts, targets, w->component,
                                &w->components);
  if (w->status < 0)
    return false;
  for (pith_pred p = 0; p < n; p++)
    w->component[p] = w->has_rules[p] ? w->component[p] + 1 : 0;
  for (size_t i = 0; w->out->rules && i < t->rules.n; i++)
    of_rule[i] = w->component[t->rules.at[i]->head.pred];
  return make_groups(w, w->component, n, &w->members) &&
         make_groups(w, of_rule, t->rules.n, &w->rules);
}

/* The rules of a component: rule_at of rule_start up to rule_end. */
static size_t rule_start(const writer *w, uint32_t component) {
  return w->rules.starts[component];
}

static size_t rule_end(const writer *w, uint32_t component) {
  return w->rules.starts[component + 1];
}

static const pith_rule *rule_at(const writer *w, size_t i) {
  return w->out->theory->rules.at[w->rules.items[i]];
}

/* ---- one rule --------------------------------------------------------- */

typedef struct {
  const pith_rule *rule;
  uint32_t component; /* it is written in; 0: not a recursive one */
  uint32_t recursive; /* the body atom of that component, or PITH_NONE */
  bool lateral;       /* that atom is the row r of the query around */
  uint32_t width;     /* columns beside the name; 0: as the head has */
} selection;

static bool is_stored(const pith_atom *a) {
  return !PITH_IS_BUILTIN(a->pred) && !a->negated;
}

static void put_column(const writer *w, const selection *s, uint32_t atom,
                       uint32_t place) {
  if (s->lateral && atom == s->recursive)
    pith_out_print(w->out->o, "r.c%u", place + 1u);
  else
    pith_out_print(w->out->o, "t%u.c%u", (unsigned)atom, place + 1u);
}

static void put_value(const writer *w, const selection *s, pith_term t) {
  if (!PITH_IS_VAR(t)) {
    put_constant(w, t);
    return;
  }
  const binding *b = &w->bindings[PITH_VAR_INDEX(t)];
  if (b->constant)
    put_constant(w, b->sym);
  else
    put_column(w, s, b->atom, b->place);
}

static bool bind_equal(writer *w, pith_term a, pith_term b) {
  binding *to = PITH_IS_VAR(a) ? &w->bindings[PITH_VAR_INDEX(a)] : NULL;
  if (to == NULL || to->bound)
    return false;
  if (!PITH_IS_VAR(b))
    *to = (binding){.bound = true, .constant = true, .sym = b};
  else if (w->bindings[PITH_VAR_INDEX(b)].bound)
    *to = w->bindings[PITH_VAR_INDEX(b)];
  return to->bound;
}

/* Each variable stands for the first column that it occurs in; X = a and X = Y
** bind as well. */
static void bind_variables(writer *w, const pith_rule *r) {
  memset(w->bindings, 0, r->var_count * sizeof *w->bindings);
  for (uint32_t i = 0; i < r->body_len; i++)
    for (uint32_t k = 0; is_stored(&r->body[i]) && k < r->body[i].arity; k++) {
      pith_term t = r->body[i].args[k];
      if (PITH_IS_VAR(t) && !w->bindings[PITH_VAR_INDEX(t)].bound)
        w->bindings[PITH_VAR_INDEX(t)] =
            (binding){.bound = true, .atom = i, .place = k};
    }
  for (bool more = true; more;) {
    more = false;
    for (uint32_t i = 0; i < r->body_len; i++) {
      const pith_atom *a = &r->body[i];
      if (a->pred == PITH_EQUAL)
        more = bind_equal(w, a->args[0], a->args[1]) ||
               bind_equal(w, a->args[1], a->args[0]) || more;
    }
  }
}

static void put_cast(const writer *w, const selection *s, pith_term t) {
  put_sql(w, "cast(");
  put_value(w, s, t);
  put_sql(w, " as text)");
}

static void put_head(const writer *w, const selection *s) {
  const pith_atom *h = &s->rule->head;
  uint32_t width = s->width > 0 ? s->width : width_of(w, h->pred);
  put_sql(w, s->lateral || s->component > 0 ? "select " : "select distinct ");
  if (s->component > 0) {
    pith_out_print(w->out->o, "%u, ", (unsigned)h->pred);
  }
  for (uint32_t i = 0; i < width; i++) {
    if (i > 0)
      put_sql(w, ", ");
    if (i < h->arity)
      put_cast(w, s, h->args[i]);
    else
      put_sql(w, h->arity == 0 ? "'true'" : "cast(null as text)");
    pith_out_print(w->out->o, " as c%u", i + 1u);
  }
}

static void put_from(const writer *w, const selection *s) {
  const char *between = " from ";
  for (uint32_t i = 0; i < s->rule->body_len; i++) {
    const pith_atom *a = &s->rule->body[i];
    if (!is_stored(a) || (s->lateral && i == s->recursive))
      continue;
    put_sql(w, between);
    between = ", ";
    if (i == s->recursive)
      put_sql(w, "rec");
    else
      put_relation(w, a->pred, false);
    pith_out_print(w->out->o, " t%u", (unsigned)i);
  }
}

/* ---- conditions ------------------------------------------------------- */

static void put_and(const writer *w, bool *any) {
  put_sql(w, *any ? " and " : " where ");
  *any = true;
}

static void put_matches(const writer *w, const selection *s, pith_term t,
                        bool number) {
  static const char *const patterns[] = {
      "'^[0-9]{4}-[0-9]{2}-[0-9]{2}'", "'^-?[0-9]+([.][0-9]+(e-?[0-9]+)?)?$'"};
  if (w->to == SQLITE) {
    if (number) {
      put_sql(w, "(");
      put_value(w, s, t);
      put_sql(w, " not glob '*[^0-9.e-]*' and replace(");
      put_value(w, s, t);
      put_sql(w, ", 'e-', 'e') not glob '?*-*')");
    } else {
      put_value(w, s, t);
      put_sql(w, " glob '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]*'");
    }
    return;
  }
  put_sql(w, w->to == DUCKDB ? "regexp_matches(" : "(");
  put_value(w, s, t);
  put_sql(w, w->to == DUCKDB ? ", " : " ~ ");
  put_sql(w, patterns[number]);
  put_sql(w, ")");
}

static void put_double(const writer *w, const selection *s, pith_term t) {
  put_sql(w, "cast(");
  put_value(w, s, t);
  put_sql(w, w->to == SQLITE ? " as real)" : " as double precision)");
}

/* Numbers compare by value, dates by time; all else is false. */
static void put_comparison(const writer *w, const selection *s,
                           const pith_atom *a) {
  static const char *const signs[] = {
      [PITH_LESS] = " < ",       [PITH_LESS_EQUAL] = " <= ",
      [PITH_GREATER] = " > ",    [PITH_GREATER_EQUAL] = " >= ",
      [PITH_SAME_VALUE] = " = ", [PITH_OTHER_VALUE] = " <> "};
  for (int number = 0; number < 2; number++) {
    put_sql(w, number ? " when " : "case when ");
    put_matches(w, s, a->args[0], number);
    put_sql(w, " and ");
    put_matches(w, s, a->args[1], number);
    put_sql(w, " then ");
    (number ? put_double : put_value)(w, s, a->args[0]);
    put_sql(w, signs[a->pred]);
    (number ? put_double : put_value)(w, s, a->args[1]);
  }
  put_sql(w, w->to == SQLITE ? " else 0 end" : " else false end");
}

static void put_builtin(const writer *w, const selection *s,
                        const pith_atom *a) {
  if (PITH_IS_COMPARISON(a->pred)) {
    put_comparison(w, s, a);
    return;
  }
  put_value(w, s, a->args[0]);
  put_sql(w, a->pred == PITH_EQUAL ? " = " : " <> ");
  put_value(w, s, a->args[1]);
}

/* A variable that nothing binds stands for anything. */
static void put_negated(const writer *w, const selection *s,
                        const pith_atom *a) {
  bool any = false;
  put_sql(w, "not exists (select 1 from ");
  put_relation(w, a->pred, false);
  put_sql(w, " n");
  for (uint32_t k = 0; k < a->arity; k++) {
    pith_term t = a->args[k];
    if (PITH_IS_VAR(t) && !w->bindings[PITH_VAR_INDEX(t)].bound) {
      for (uint32_t j = 0; j < k; j++)
        if (a->args[j] == t) {
          put_and(w, &any);
          pith_out_print(w->out->o, "n.c%u = n.c%u", j + 1u, k + 1u);
          break;
        }
      continue;
    }
    put_and(w, &any);
    pith_out_print(w->out->o, "n.c%u = ", k + 1u);
    put_value(w, s, t);
  }
  put_sql(w, ")");
}

/* Columns of an atom that are constants, or variables bound elsewhere. */
static void put_joins(const writer *w, const selection *s, uint32_t i,
                      bool *any) {
  const pith_atom *a = &s->rule->body[i];
  for (uint32_t k = 0; k < a->arity; k++) {
    pith_term t = a->args[k];
    const binding *b = PITH_IS_VAR(t) ? &w->bindings[PITH_VAR_INDEX(t)] : NULL;
    if (b != NULL && !b->constant && b->atom == i && b->place == k)
      continue;
    put_and(w, any);
    put_column(w, s, i, k);
    put_sql(w, " = ");
    put_value(w, s, t);
  }
}

static void put_where(const writer *w, const selection *s) {
  bool any = false;
  if (s->recursive != PITH_NONE) {
    put_and(w, &any);
    if (s->lateral)
      put_sql(w, "r.p = ");
    else
      pith_out_print(w->out->o, "t%u.p = ", (unsigned)s->recursive);
    pith_out_print(w->out->o, "%u", (unsigned)s->rule->body[s->recursive].pred);
  }
  for (uint32_t i = 0; i < s->rule->body_len; i++) {
    const pith_atom *a = &s->rule->body[i];
    if (is_stored(a)) {
      put_joins(w, s, i, &any);
      continue;
    }
    put_and(w, &any);
    if (a->negated)
      put_negated(w, s, a);
    else
      put_builtin(w, s, a);
  }
}

static void put_selection(writer *w, const selection *s) {
  bind_variables(w, s->rule);
  put_head(w, s);
  put_from(w, s);
  put_where(w, s);
}

/* ---- views ------------------------------------------------------------ */

static uint32_t recursive_atom(const writer *w, const pith_rule *r,
                               size_t *count) {
  uint32_t found = PITH_NONE;
  *count = 0;
  for (uint32_t i = 0; i < r->body_len; i++)
    if (is_stored(&r->body[i]) && w->component[r->body[i].pred] != 0 &&
        w->component[r->body[i].pred] == w->component[r->head.pred]) {
      found = i;
      ++*count;
    }
  return found;
}

static bool is_usable(const writer *w, const pith_rule *r) {
  size_t count;
  recursive_atom(w, r, &count);
  return count <= 1;
}

/* The columns c1 to cN, as nulls from own on. */
static void put_padded_columns(writer *w, uint32_t own, uint32_t all) {
  for (uint32_t k = 0; k < all; k++)
    pith_out_print(w->out->o, k < own ? "%sc%u" : "%scast(null as text) as c%u",
                   k == 0 ? "" : ", ", k + 1u);
}

/* The facts of a predicate, filled up to width columns. */
static void put_fact_rows(writer *w, pith_pred pred, uint32_t width) {
  uint32_t own = width_of(w, pred);
  put_sql(w, "select ");
  if (width > 0)
    pith_out_print(w->out->o, "%u, ", (unsigned)pred);
  put_padded_columns(w, own, width > 0 ? width : own);
  put_sql(w, " from ");
  put_relation(w, pred, true);
}

static void put_no_rows(writer *w, uint32_t width, uint32_t columns) {
  put_sql(w, width > 0 ? "select 0, " : "select ");
  put_padded_columns(w, 0, columns);
  put_sql(w, " where 1 = 0");
}

/* The rules of a component that are not recursive, and the facts. */
static void put_base(writer *w, uint32_t component, const pith_pred *members,
                     size_t n, uint32_t width) {
  const char *between = "";
  size_t count;
  for (size_t i = rule_start(w, component); i < rule_end(w, component); i++) {
    const pith_rule *r = rule_at(w, i);
    if (recursive_atom(w, r, &count) != PITH_NONE)
      continue;
    put_sql(w, between);
    between = "\n  union ";
    selection s = {.rule = r,
                   .component = width > 0 ? component : 0,
                   .recursive = PITH_NONE,
                   .width = width};
    put_selection(w, &s);
  }
  for (size_t i = 0; i < n; i++) {
    if (!w->has_facts[members[i]])
      continue;
    put_sql(w, between);
    between = "\n  union ";
    put_fact_rows(w, members[i], width);
  }
  if (*between == '\0')
    put_no_rows(w, width, width > 0 ? width : width_of(w, members[0]));
}

/* PostgreSQL and DuckDB allow one mention of what is being defined; where there
** are several rules they look at its row one after the other. */
static void put_recursion(writer *w, uint32_t component, uint32_t width) {
  size_t rules = 0, count;
  for (size_t i = rule_start(w, component); i < rule_end(w, component); i++)
    rules += recursive_atom(w, rule_at(w, i), &count) != PITH_NONE;
  bool lateral = rules > 1 && w->to != SQLITE;
  const char *between = lateral ? "" : "\n  union ";
  if (lateral)
    put_sql(w, "\n  union select x.* from rec r, lateral (");
  for (size_t i = rule_start(w, component); i < rule_end(w, component); i++) {
    const pith_rule *r = rule_at(w, i);
    uint32_t atom = recursive_atom(w, r, &count);
    if (count != 1)
      continue;
    selection s = {.rule = r,
                   .component = component,
                   .recursive = atom,
                   .lateral = lateral,
                   .width = width};
    put_sql(w, between);
    between = lateral ? "\n    union all " : "\n  union ";
    put_selection(w, &s);
  }
  if (lateral)
    put_sql(w, ") x");
}

static void put_columns(const writer *w, uint32_t width) {
  for (uint32_t k = 0; k < width; k++)
    pith_out_print(w->out->o, "%sc%u", k == 0 ? "" : ", ", k + 1u);
}

static void put_recursive_view(writer *w, pith_pred pred,
                               const pith_pred *members, size_t n) {
  uint32_t component = w->component[pred], width = 1;
  for (size_t i = 0; i < n; i++)
    width = width_of(w, members[i]) > width ? width_of(w, members[i]) : width;
  put_sql(w, "with recursive rec(p, ");
  put_columns(w, width);
  put_sql(w, ") as (\n  ");
  put_base(w, component, members, n, width);
  put_recursion(w, component, width);
  put_sql(w, ")\nselect ");
  put_columns(w, width_of(w, pred));
  pith_out_print(w->out->o, " from rec where p = %u", (unsigned)pred);
}

/* A rule that uses what it defines twice is refused, or left out. */
static bool refuse_rules(writer *w, uint32_t component) {
  size_t end = rule_end(w, component);
  for (size_t i = rule_start(w, component); w->status >= 0 && i < end; i++)
    if (!is_usable(w, rule_at(w, i)))
      w->status = pith_i_refuse_rule(
          w->out, rule_at(w, i), "SQL",
          "it uses what it defines twice, and SQL's recursion allows once");
  return w->status < 0;
}

static bool is_recursive(const writer *w, uint32_t component) {
  size_t count;
  for (size_t i = rule_start(w, component); i < rule_end(w, component); i++)
    if (recursive_atom(w, rule_at(w, i), &count) != PITH_NONE)
      return true;
  return false;
}

static void write_component(writer *w, uint32_t component) {
  const pith_pred *members = w->members.items + w->members.starts[component];
  size_t n = w->members.starts[component + 1] - w->members.starts[component];
  if (w->status < 0 || n == 0 || refuse_rules(w, component))
    return;
  bool recursive = is_recursive(w, component);
  for (size_t i = 0; i < n; i++) {
    put_sql(w, "create view ");
    put_relation(w, members[i], false);
    put_sql(w, " as\n");
    if (recursive)
      put_recursive_view(w, members[i], members, n);
    else
      put_base(w, component, members, n, 0);
    put_sql(w, ";\n");
  }
}

/* ---- tables ----------------------------------------------------------- */

static int mark_facts(void *ctx, pith_pred pred, const pith_sym *args,
                      size_t n) {
  writer *w = ctx;
  (void)args, (void)n;
  w->has_facts[pred] = true;
  return 0;
}

static void write_tables(writer *w) {
  for (pith_pred p = PITH_BUILTINS; p < w->names->preds.n; p++) {
    bool view = w->has_rules[p];
    if (!w->has_facts[p] && (view || !w->mentioned[p]))
      continue;
    put_sql(w, "create table if not exists ");
    put_relation(w, p, view);
    put_sql(w, "(");
    for (uint32_t k = 0; k < width_of(w, p); k++)
      pith_out_print(w->out->o, "%sc%u text", k == 0 ? "" : ", ", k + 1u);
    put_sql(w, ");\n");
  }
}

/* Names and numbers are both texts, so they must differ in that. */
static const char *why_unfit_for_sql(const writer *w, const pith_sym *args,
                                     size_t n) {
  for (size_t i = 0; i < n; i++) {
    const pith_i_symbol *s = pith_i_sym(w->names, args[i]);
    if (s->kind == PITH_NAME &&
        pith_i_sym_find(w->names, s->text, s->len, PITH_NUMBER) != PITH_NONE)
      return "a name is spelled as a number is, and both are texts there";
  }
  return NULL;
}

static int write_row(void *ctx, pith_pred pred, const pith_sym *args,
                     size_t n) {
  writer *w = ctx;
  const char *why = why_unfit_for_sql(w, args, n);
  if (why != NULL) {
    w->status = pith_i_refuse_fact(w->out, pred, args, n, "SQL", why);
    return w->status < 0;
  }
  put_sql(w, "insert into ");
  put_relation(w, pred, w->has_rules[pred]);
  put_sql(w, " values (");
  for (size_t i = 0; i < n; i++) {
    put_sql(w, i == 0 ? "" : ", ");
    put_constant(w, args[i]);
  }
  w->status =
      pith_out_write(w->out->o, n == 0 ? "'true');\n" : ");\n", n == 0 ? 9 : 3);
  return w->status < 0;
}

/* ---- all of it -------------------------------------------------------- */

static uint32_t most_variables(const pith_i_theory *t) {
  uint32_t most = 1;
  for (size_t i = 0; i < t->rules.n; i++)
    if (t->rules.at[i]->var_count > most)
      most = t->rules.at[i]->var_count;
  return most;
}

static void write_all(writer *w) {
  w->out->each(w->out->ctx, mark_facts, w);
  write_tables(w);
  w->out->each(w->out->ctx, write_row, w);
  for (uint32_t i = 1; w->status >= 0 && i <= w->components; i++)
    write_component(w, i);
}

static pith_status write_sql(pith_i_output *out, dialect to) {
  writer w = {.out = out, .to = to, .names = &out->theory->names};
  size_t n = w.names->preds.n;
  w.arena.env = out->env;
  w.component = take_zeroed(&w, n, sizeof *w.component);
  w.has_facts = take_zeroed(&w, n, sizeof *w.has_facts);
  w.has_rules = take_zeroed(&w, n, sizeof *w.has_rules);
  w.mentioned = take_zeroed(&w, n, sizeof *w.mentioned);
  w.shares_name = take_zeroed(&w, n, sizeof *w.shares_name);
  w.bindings = take_zeroed(&w, most_variables(out->theory), sizeof *w.bindings);
  if (w.status >= 0) {
    mark_rules(&w);
    if (mark_names(&w) && find_components(&w))
      write_all(&w);
  }
  pith_i_arena_free(&w.arena);
  return w.status;
}

pith_status pith_i_write_sql(pith_i_output *out) {
  return write_sql(out, SQLITE);
}

pith_status pith_i_write_postgres(pith_i_output *out) {
  return write_sql(out, POSTGRES);
}

pith_status pith_i_write_duckdb(pith_i_output *out) {
  return write_sql(out, DUCKDB);
}
