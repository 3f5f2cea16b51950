#include "learn/clauses/helpers.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/tunables.h"
#include "base/utf8.h"
#include "learn/clauses/extremes.h"
#include "learn/clauses/head_values.h"

typedef pith_i_space space;
typedef pith_i_kind_of_atom choice;

/* ---- facts ------------------------------------------------------------- */

static pith_status copy_pairs(space *s, uint32_t from, uint32_t to,
                              bool turned) {
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc >= 0 && i < s->store.relations.at[from].rows.n; i++) {
    const uint32_t *row = s->store.relations.at[from].rows.at + 2 * i;
    uint32_t pair[2] = {row[turned], row[!turned]};
    rc = pith_i_fact_give(&s->store, to, 2, pair);
  }
  return rc;
}

enum { PATHS_A_LOOK = 1024 };

/* Paths by one edge more each time; false in *whole: too many, or stopped. */
static pith_status close_pairs(space *s, uint32_t from, uint32_t to,
                               bool *whole) {
  const uint32_t first = 0;
  pith_i_index *edges;
  pith_i_relation *base = &s->store.relations.at[from];
  pith_status rc = copy_pairs(s, from, to, false);
  if (rc >= 0)
    rc = pith_i_relation_index(s->env, base, &first, 1, &edges);
  pith_i_tuples *paths = &s->store.relations.at[to].rows;
  size_t most = PITH_TUNE_HELPER_CLOSURE_FACTS + 4 * base->rows.n;
  *whole = true;
  for (size_t i = 0; rc >= 0 && *whole && i < paths->n; i++) {
    uint32_t start = paths->at[2 * i], end = paths->at[2 * i + 1];
    uint32_t at = pith_i_index_find(edges, &base->rows, &end);
    for (; rc >= 0 && at != PITH_NONE; at = edges->next[at]) {
      uint32_t pair[2] = {start, base->rows.at[2 * at + 1]};
      rc = pith_i_fact_give(&s->store, to, 2, pair);
    }
    bool looks = i % PATHS_A_LOOK == 0;
    *whole = paths->n < most && !(looks && pith_i_stop_requested(s->run));
  }
  return rc;
}

/* ---- which ---------------------------------------------------------- */

static bool is_binary(const space *s, uint32_t c) {
  const choice *x = &s->choices.at[c];
  return x->kind == PITH_I_GIVEN_ATOM && x->arity == 2 && x->full == 2 &&
         s->store.relations.at[c].rows.n > 0 &&
         s->store.relations.at[c].rows.n < PITH_TUNE_HELPER_BASE_FACTS;
}

/* Whether something is in both places, so that the relation can go on. */
static pith_status chains_with_itself(const space *s, uint32_t c, bool *yes) {
  pith_i_tuples firsts = {.width = 1};
  const pith_i_tuples *rows = &s->store.relations.at[c].rows;
  pith_status rc = PITH_OK;
  *yes = false;
  for (size_t i = 0; rc >= 0 && i < rows->n; i++)
    rc = pith_i_tuples_add(s->env, &firsts, rows->at + 2 * i, NULL, NULL);
  for (size_t i = 0; rc >= 0 && i < rows->n && !*yes; i++)
    *yes = pith_i_tuples_find(&firsts, rows->at + 2 * i + 1) != PITH_NONE;
  pith_i_tuples_free(s->env, &firsts);
  return rc;
}

/* The helper's number, or PITH_NONE where it says nothing new. */
static pith_status add_helper(space *s, pith_i_helper kind, uint32_t a,
                              uint32_t b, uint32_t *out) {
  assert(a < s->choices.n && b < s->choices.n);
  uint32_t at = (uint32_t)s->choices.n;
  choice c = s->choices.at[a];
  bool whole = true;
  c.pred = PITH_NONE;
  c.helper = kind;
  c.of[0] = (uint16_t)a;
  c.of[1] = (uint16_t)b;
  *out = PITH_NONE;
  if (!pith_i_push(s->env, &s->choices, c) ||
      pith_i_relation_get(&s->store, at, 2) == NULL)
    return PITH_ENOMEM;
  pith_status rc = kind == PITH_I_CLOSURE ? close_pairs(s, a, at, &whole)
                                          : copy_pairs(s, a, at, false);
  if (rc >= 0 && kind != PITH_I_CLOSURE)
    rc = copy_pairs(s, b, at, kind == PITH_I_BOTH_WAYS);
  size_t n = s->store.relations.at[at].rows.n;
  if (rc < 0)
    return rc;
  if (whole && n > s->store.relations.at[a].rows.n &&
      n > s->store.relations.at[b].rows.n) {
    *out = at;
    return PITH_OK;
  }
  s->choices.n--;
  pith_i_relation_free(s->env, &s->store.relations.at[at]);
  memset(&s->store.relations.at[at], 0, sizeof s->store.relations.at[at]);
  return PITH_OK;
}

static pith_status add_closure(space *s, uint32_t of) {
  bool yes;
  uint32_t ignored;
  pith_status rc = chains_with_itself(s, of, &yes);
  return rc < 0 || !yes ? rc : add_helper(s, PITH_I_CLOSURE, of, of, &ignored);
}

/* No father is a mother, and yet both are people: some place has both. */
static bool of_one_kind(const space *s, uint32_t a, uint32_t b) {
  for (uint32_t d = 0; d < s->domain_count; d++)
    if (pith_i_may_meet(s, a, d) && pith_i_may_meet(s, b, d))
      return true;
  return false;
}

static bool have_same_kinds(const space *s, uint32_t a, uint32_t b) {
  const choice *x = &s->choices.at[a], *y = &s->choices.at[b];
  return of_one_kind(s, x->domain[0], y->domain[0]) &&
         of_one_kind(s, x->domain[1], y->domain[1]);
}

static pith_status add_from(space *s, uint32_t a, size_t given, size_t most) {
  pith_status rc = add_closure(s, a);
  for (uint32_t b = a; rc >= 0 && b < given && s->choices.n < most; b++) {
    uint32_t at = PITH_NONE;
    if (!is_binary(s, b) || (a != b && !have_same_kinds(s, a, b)))
      continue;
    bool turns = a == b && pith_i_may_meet(s, s->choices.at[a].domain[0],
                                           s->choices.at[a].domain[1]);
    if (a != b || turns)
      rc = add_helper(s, a == b ? PITH_I_BOTH_WAYS : PITH_I_EITHER, a, b, &at);
    if (rc >= 0 && at != PITH_NONE)
      rc = add_closure(s, at);
  }
  return rc;
}

pith_status pith_i_helpers_add(pith_i_space *s) {
  size_t given = s->choices.n, most = given + PITH_TUNE_HELPER_COUNT;
  pith_status rc = PITH_OK;
  for (uint32_t a = 0; rc >= 0 && a < given && s->choices.n < most; a++)
    if (is_binary(s, a))
      rc = add_from(s, a, given, most);
  s->helpers += (uint32_t)(s->choices.n - given);
  return rc;
}

/* ---- to be denied ------------------------------------------------------ */

/* What a relation leads to something of a kind from: X with p(X,Y), q(Y). */
static pith_status fill_having(space *s, uint32_t at, uint32_t of,
                               uint32_t kind, bool back) {
  pith_status rc = PITH_OK;
  const pith_i_tuples *pairs = &s->store.relations.at[of].rows,
                      *kinds = &s->store.relations.at[kind].rows;
  for (size_t i = 0; rc >= 0 && i < pairs->n; i++) {
    const uint32_t *row = pairs->at + 2 * i;
    if (pith_i_tuples_find(kinds, &row[!back]) != PITH_NONE)
      rc = pith_i_fact_give(&s->store, at, 1, &row[back]);
  }
  return rc;
}

static pith_status add_denied(space *s, uint32_t of, uint32_t kind, bool back) {
  uint32_t at = (uint32_t)s->choices.n;
  choice c = {.pred = PITH_NONE, .kind = PITH_I_ABSENT_ATOM, .arity = 1};
  c.full = 1;
  c.helper = back ? PITH_I_HAVING_BACK : PITH_I_HAVING;
  c.of[0] = (uint16_t)of;
  c.of[1] = (uint16_t)kind;
  for (uint32_t i = 0; i < PITH_I_PLACES; i++)
    c.fixed[i] = PITH_NONE;
  if (!pith_i_push(s->env, &s->choices, c) ||
      pith_i_relation_get(&s->store, at, 1) == NULL)
    return PITH_ENOMEM;
  return fill_having(s, at, of, kind, back);
}

static bool is_kind(const space *s, uint32_t c) {
  const choice *x = &s->choices.at[c];
  return x->kind == PITH_I_GIVEN_ATOM && x->arity == 1 &&
         !pith_i_is_head_value(x) && x->helper == PITH_I_NO_HELPER &&
         s->store.relations.at[c].rows.n > 0;
}

pith_status pith_i_helpers_deny(pith_i_space *s) {
  size_t given = s->choices.n, most = given + PITH_TUNE_HELPER_DENIALS;
  pith_status rc = PITH_OK;
  for (uint32_t a = 0; a < given; a++)
    for (uint32_t k = 0; rc >= 0 && k < given && is_binary(s, a); k++)
      for (int back = 0; rc >= 0 && back < 2 && is_kind(s, k); back++)
        if (s->choices.n < most &&
            pith_i_may_meet(s, s->choices.at[a].domain[!back],
                            s->choices.at[k].domain[0]))
          rc = add_denied(s, a, k, back);
  if (rc >= 0)
    rc = pith_i_extremes_deny(s, most);
  s->helpers += (uint32_t)(s->choices.n - given);
  return rc;
}

/* ---- definitions ---------------------------------------------------- */

uint32_t pith_i_helper_size(const pith_i_space *s, uint32_t c) {
  pith_i_helper kind = s->choices.at[c].helper;
  return kind == PITH_I_NO_HELPER ? 0
         : kind == PITH_I_CLOSURE ? 5
         : kind >= PITH_I_ABOVE   ? pith_i_extreme_size(&s->choices.at[c])
         : kind >= PITH_I_HAVING  ? 3
                                  : 4;
}

void pith_i_helper_need(const pith_i_space *s, uint32_t c, pith_i_helpers *h) {
  assert(c < s->choices.n && h->n <= PITH_I_NEEDED);
  if (s->choices.at[c].helper == PITH_I_NO_HELPER || h->n == PITH_I_NEEDED)
    return;
  for (uint32_t i = 0; i < h->n; i++)
    if (h->choice[i] == c)
      return;
  pith_i_helper_need(s, s->choices.at[c].of[0], h);
  pith_i_helper_need(s, s->choices.at[c].of[1], h);
  if (h->n < PITH_I_NEEDED)
    h->choice[h->n++] = c;
}

/* The value that a choice has, after an underscore; or nothing. */
static const char *spell_value(const space *s, uint32_t c, const char **value) {
  const choice *x = &s->choices.at[c];
  *value = "";
  for (uint32_t i = 0; i < x->full; i++)
    if (x->fixed[i] != PITH_NONE)
      *value = pith_i_sym(&s->worlds[0].theory->names, x->fixed[i])->text;
  return **value == 0 ? "" : "_";
}

/* event_after; customer_placed_after, where rows have names. */
static void spell_extreme(const space *s, const choice *x, pith_pred a,
                          pith_pred b, char *text, size_t size) {
  const pith_i_names *names = &s->worlds[0].theory->names;
  const char *first = pith_i_pred_text(names, a), *last = "", *link = "";
  if (a != b) {
    link = "_";
    last = pith_i_pred_text(names, b);
  }
  snprintf(text, size, "%.*s%s%.*s%s", pith_i_utf8_cut(first, 150), first, link,
           pith_i_utf8_cut(last, 150), last, pith_i_extreme_text(s, x));
}

static void spell_helper(const space *s, const choice *x, pith_pred a,
                         pith_pred b, char *text, size_t size) {
  static const char *const between[] = {[PITH_I_EITHER] = "_or_",
                                        [PITH_I_BOTH_WAYS] = "_both_ways",
                                        [PITH_I_CLOSURE] = "_path",
                                        [PITH_I_HAVING] = "_",
                                        [PITH_I_HAVING_BACK] = "_of_"};
  const pith_i_names *names = &s->worlds[0].theory->names;
  bool second = x->helper == PITH_I_EITHER || x->helper >= PITH_I_HAVING;
  const char *value = "", *link = "";
  if (x->helper >= PITH_I_HAVING)
    link = spell_value(s, x->of[1], &value);
  const char *first = pith_i_pred_text(names, a);
  const char *last = second ? pith_i_pred_text(names, b) : "";
  snprintf(text, size, "%.*s%s%.*s%s%.*s", pith_i_utf8_cut(first, 150), first,
           between[x->helper], pith_i_utf8_cut(last, 150), last, link,
           pith_i_utf8_cut(value, 150), value);
}

/* father_or_mother, edge_both_ways, edge_path, part_red, event_after. */
pith_status pith_i_helper_pred(pith_i_space *s, uint32_t c, pith_pred *out) {
  pith_i_names *names = &s->worlds[0].theory->names;
  choice *x = &s->choices.at[c];
  pith_status rc = PITH_OK;
  if (x->pred != PITH_NONE || x->helper == PITH_I_NO_HELPER) {
    *out = x->pred;
    return PITH_OK;
  }
  pith_pred a, b;
  rc = pith_i_helper_pred(s, x->of[0], &a);
  if (rc >= 0)
    rc = pith_i_helper_pred(s, x->of[1], &b);
  char text[PITH_I_INVENTED_TEXT];
  if (rc >= 0) {
    (x->helper >= PITH_I_ABOVE ? spell_extreme : spell_helper)(s, x, a, b, text,
                                                               sizeof text);
    rc = pith_i_pred_invent(names, text, x->full, &x->pred);
  }
  *out = x->pred;
  return rc;
}

/* h(A,B) :- p(X,Y) [, q(Z,W)]. */
static pith_rule *make_definition(pith_i_arena *arena, pith_pred head,
                                  pith_pred p, const uint32_t *xy, pith_pred q,
                                  const uint32_t *zw) {
  pith_rule *r = pith_i_arena_alloc(arena, sizeof *r);
  pith_atom *body = pith_i_arena_alloc(arena, 2 * sizeof *body);
  pith_term *args = pith_i_arena_alloc(arena, 6 * sizeof *args);
  if (r == NULL || body == NULL || args == NULL)
    return NULL;
  for (uint32_t i = 0; i < 2; i++) {
    args[i] = PITH_VAR(i);
    args[2 + i] = PITH_VAR(xy[i]);
    args[4 + i] = PITH_VAR(zw[i]);
  }
  body[0] = (pith_atom){.pred = p, .arity = 2, .args = args + 2};
  body[1] = (pith_atom){.pred = q, .arity = 2, .args = args + 4};
  *r = (pith_rule){.head = {.pred = head, .arity = 2, .args = args},
                   .body = body};
  r->body_len = q == PITH_NONE ? 1 : 2;
  r->var_count = q == PITH_NONE ? 2 : 3;
  r->file = PITH_NONE;
  return r;
}

/* h(A) :- p(A,B), q(B), or p(B,A) for the first; q may have values. */
static pith_status make_having(const space *s, const choice *x, pith_pred h,
                               pith_i_arena *arena, pith_rule **out) {
  const choice *kind = &s->choices.at[x->of[1]];
  pith_rule *r = pith_i_arena_alloc(arena, sizeof *r);
  pith_atom *body = pith_i_arena_alloc(arena, 2 * sizeof *body);
  pith_term *args = pith_i_arena_alloc(arena, (3 + kind->full) * sizeof *args);
  *out = r;
  if (r == NULL || body == NULL || args == NULL)
    return PITH_ENOMEM;
  bool back = x->helper == PITH_I_HAVING_BACK;
  args[0] = PITH_VAR(0);
  args[1] = PITH_VAR(back);
  args[2] = PITH_VAR(!back);
  for (uint32_t i = 0; i < kind->full; i++)
    args[3 + i] = kind->fixed[i] == PITH_NONE ? PITH_VAR(1) : kind->fixed[i];
  body[0] = (pith_atom){
      .pred = s->choices.at[x->of[0]].pred, .arity = 2, .args = args + 1};
  body[1] =
      (pith_atom){.pred = kind->pred, .arity = kind->full, .args = args + 3};
  *r = (pith_rule){.head = {.pred = h, .arity = 1, .args = args}, .body = body};
  r->body_len = 2;
  r->var_count = 2;
  r->file = PITH_NONE;
  return PITH_OK;
}

pith_status pith_i_helper_rules(pith_i_space *s, uint32_t c,
                                pith_i_arena *arena, pith_rule **rules,
                                uint32_t *n) {
  static const uint32_t ab[] = {0, 1}, ba[] = {1, 0}, ac[] = {0, 2},
                        cb[] = {2, 1};
  choice x = s->choices.at[c];
  pith_pred h, p, q;
  pith_status rc = pith_i_helper_pred(s, c, &h);
  if (rc >= 0)
    rc = pith_i_helper_pred(s, x.of[0], &p);
  if (rc >= 0)
    rc = pith_i_helper_pred(s, x.of[1], &q);
  if (rc < 0)
    return rc;
  if (x.helper >= PITH_I_ABOVE)
    return pith_i_extreme_rule(s, &x, h, arena, &rules[(*n)++]);
  if (x.helper >= PITH_I_HAVING)
    return make_having(s, &x, h, arena, &rules[(*n)++]);
  rules[*n] = make_definition(arena, h, p, ab, PITH_NONE, ab);
  rules[*n + 1] =
      x.helper == PITH_I_CLOSURE
          ? make_definition(arena, h, p, ac, h, cb)
          : make_definition(arena, h, q, x.helper == PITH_I_BOTH_WAYS ? ba : ab,
                            PITH_NONE, ab);
  *n += 2;
  return rules[*n - 1] == NULL || rules[*n - 2] == NULL ? PITH_ENOMEM : PITH_OK;
}
