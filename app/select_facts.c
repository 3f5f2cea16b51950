/* Sorting compares ranks: every constant that occurs is given its place among
** all of them once, numbers by value before names, so that comparing two
** facts compares integers. */
#include "select_facts.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "memory_budget.h"

typedef struct {
  const pith_sym *args;
  uint32_t n;
} row;

typedef struct {
  const pith *from;
  pith *to;
  const pith_atom *pattern;
  uint32_t *moved; /* symbol of `from` -> of `to`, or PITH_NONE */
  pith_status rc;
  pith_pred pred; /* of `to`, the one being copied */
  pith_sym *args; /* of one fact, when nothing is sorted */
  size_t args_cap;
  pith_sym *block; /* of all facts, when sorted */
  size_t used, cap;
  uint32_t *rank; /* symbol of `from` -> rank */
  pith_sym *by_rank;
} selector;

bool fact_matches(const pith_atom *pattern, const pith_sym *args, size_t n) {
  assert(pattern->arity == n);
  for (size_t i = 0; i < n; i++) {
    pith_term t = pattern->args[i];
    if (!PITH_IS_VAR(t) && t != args[i])
      return false;
    for (size_t j = 0; j < i && PITH_IS_VAR(t); j++)
      if (pattern->args[j] == t && args[j] != args[i])
        return false;
  }
  return true;
}

static pith_sym move_sym(selector *c, pith_sym s) {
  assert(s < pith_sym_count(c->from));
  if (c->moved[s] == PITH_NONE && c->rc >= 0) {
    const char *text = pith_sym_text(c->from, s);
    c->rc = pith_sym_add(c->to, text, strlen(text),
                         pith_sym_kind_of(c->from, s), &c->moved[s]);
  }
  return c->moved[s];
}

static void move_fact(selector *c, const pith_sym *args, size_t n) {
  assert(n <= c->args_cap);
  for (size_t i = 0; i < n; i++)
    c->args[i] = move_sym(c, args[i]);
  if (c->rc >= 0)
    c->rc = pith_fact_add(c->to, c->pred, c->args, n);
}

static int visit_moving(void *ctx, pith_pred pred, const pith_sym *args,
                        size_t n) {
  selector *c = ctx;
  (void)pred;
  if (c->pattern == NULL || fact_matches(c->pattern, args, n))
    move_fact(c, args, n);
  return c->rc < 0;
}

/* ---- sorted ----------------------------------------------------------- */

static int visit_keeping(void *ctx, pith_pred pred, const pith_sym *args,
                         size_t n) {
  selector *c = ctx;
  (void)pred;
  if (c->pattern != NULL && !fact_matches(c->pattern, args, n))
    return 0;
  if (n > c->cap - c->used) {
    size_t cap = 2 * c->cap + n + 1024;
    pith_sym *block = command_resize(c->block, cap * sizeof *block);
    if (block == NULL) {
      c->rc = PITH_ENOMEM;
      return 1;
    }
    c->block = block;
    c->cap = cap;
  }
  for (size_t i = 0; i < n; i++)
    c->block[c->used++] = c->rank[args[i]];
  return 0;
}

static int compare_rows(const void *a, const void *b) {
  const row *x = a, *y = b;
  for (uint32_t i = 0; i < x->n; i++)
    if (x->args[i] != y->args[i])
      return x->args[i] < y->args[i] ? -1 : 1;
  return 0;
}

static void move_sorted(selector *c, uint32_t n) {
  assert(n > 0 && c->used % n == 0);
  size_t count = c->used / n;
  size_t bytes = (count + 1) * sizeof(row);
  row *rows = command_resize(NULL, bytes);
  /* never touched: it stands for what qsort takes beside us */
  void *reserved = command_resize(NULL, bytes);
  if (rows == NULL || reserved == NULL) {
    command_free(rows);
    command_free(reserved);
    c->rc = PITH_ENOMEM;
    return;
  }
  for (size_t i = 0; i < count; i++)
    rows[i] = (row){c->block + i * n, n};
  qsort(rows, count, sizeof *rows, compare_rows);
  command_free(reserved);
  for (size_t i = 0; i < count && c->rc >= 0; i++) {
    pith_sym *args = c->block + (rows[i].args - c->block);
    for (uint32_t j = 0; j < n; j++)
      args[j] = c->by_rank[args[j]];
    move_fact(c, args, n);
  }
  command_free(rows);
}

typedef struct {
  const char *text;
  pith_sym_kind kind;
  uint32_t id;
  double value;
} named;

static int compare_named(const void *a, const void *b) {
  const named *x = a, *y = b;
  if (x->kind != y->kind)
    return x->kind == PITH_NUMBER ? -1 : 1;
  if (x->value != y->value)
    return x->value < y->value ? -1 : 1;
  int order = strcmp(x->text, y->text);
  return order != 0 ? order : (x->id > y->id) - (x->id < y->id);
}

static pith_status rank_symbols(selector *c) {
  size_t n = pith_sym_count(c->from);
  named *all = command_resize(NULL, (n + 1) * sizeof *all);
  c->rank = command_resize(NULL, (n + 1) * sizeof *c->rank);
  c->by_rank = command_resize(NULL, (n + 1) * sizeof *c->by_rank);
  if (all == NULL || c->rank == NULL || c->by_rank == NULL) {
    command_free(all);
    return PITH_ENOMEM;
  }
  for (uint32_t i = 0; i < n; i++) {
    pith_sym_kind kind = pith_sym_kind_of(c->from, i);
    const char *text = pith_sym_text(c->from, i);
    all[i] =
        (named){text, kind, i, kind == PITH_NUMBER ? strtod(text, NULL) : 0};
  }
  qsort(all, n, sizeof *all, compare_named);
  for (uint32_t i = 0; i < n; i++) {
    c->rank[all[i].id] = i;
    c->by_rank[i] = all[i].id;
  }
  command_free(all);
  return PITH_OK;
}

/* ---- predicates ------------------------------------------------------- */

static void move_pred(selector *c, pith_pred pred, pith_part part,
                      bool sorted) {
  size_t n = pith_pred_arity(c->from, pred);
  if (n > c->args_cap) {
    pith_sym *args = command_resize(c->args, n * sizeof *args);
    if (args == NULL) {
      c->rc = PITH_ENOMEM;
      return;
    }
    c->args = args;
    c->args_cap = n;
  }
  c->rc = pith_pred_add(c->to, pith_pred_name(c->from, pred), n, &c->pred);
  if (c->rc < 0)
    return;
  c->used = 0;
  /* A fact without arguments is alone: there is nothing to sort. */
  sorted = sorted && n > 0;
  pith_fact_each(c->from, pred, part, sorted ? visit_keeping : visit_moving, c);
  if (sorted && c->rc >= 0)
    move_sorted(c, (uint32_t)n);
}

static int compare_preds(const void *a, const void *b) {
  const named *x = a, *y = b;
  int order = strcmp(x->text, y->text);
  return order != 0 ? order : (x->value > y->value) - (x->value < y->value);
}

static pith_status move_all(selector *c, pith_part part, bool sorted) {
  size_t n = pith_pred_count(c->from), count = 0;
  named *preds = command_resize(NULL, (n + 1) * sizeof *preds);
  if (preds == NULL)
    return PITH_ENOMEM;
  for (pith_pred i = 0; i < n; i++)
    if (c->pattern == NULL || c->pattern->pred == i)
      preds[count++] = (named){pith_pred_name(c->from, i), PITH_NAME, i,
                               (double)pith_pred_arity(c->from, i)};
  if (sorted)
    qsort(preds, count, sizeof *preds, compare_preds);
  for (size_t i = 0; i < count && c->rc >= 0; i++)
    if (pith_fact_count(c->from, preds[i].id, part) > 0)
      move_pred(c, preds[i].id, part, sorted);
  command_free(preds);
  return c->rc;
}

pith_status select_facts(const pith *p, pith_part part,
                         const pith_atom *pattern, bool sorted, pith **out) {
  size_t n = pith_sym_count(p);
  selector c = {.from = p, .pattern = pattern};
  c.moved = command_resize(NULL, (n + 1) * sizeof *c.moved);
  c.rc = c.moved == NULL ? PITH_ENOMEM : command_handle(&c.to);
  for (size_t i = 0; c.rc >= 0 && i < n; i++)
    c.moved[i] = PITH_NONE;
  if (c.rc >= 0 && sorted)
    c.rc = rank_symbols(&c);
  if (c.rc >= 0)
    c.rc = move_all(&c, part, sorted);
  command_free(c.moved);
  command_free(c.args);
  command_free(c.block);
  command_free(c.rank);
  command_free(c.by_rank);
  if (c.rc < 0)
    pith_free(c.to);
  *out = c.rc < 0 ? NULL : c.to;
  return c.rc < 0 ? c.rc : PITH_OK;
}
