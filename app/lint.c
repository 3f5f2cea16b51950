/* Each check is a function over one table with a row a predicate: how often
** it is a fact, a head, a body atom, an example, and whether it can ever be
** true. Checks keep to what is almost surely a slip; data that is merely odd
** passes. */
#include "lint.h"

#include <assert.h>
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory_budget.h"
#include "options.h"
#include "report.h"

typedef struct {
  uint64_t facts;
  size_t heads, bodies, pos, neg;
  bool possible;     /* has a fact, or a rule whose body is possible */
  size_t begin, end; /* its places in bodies, in the list of find_possible */
} use;

typedef struct {
  const pith *p;
  use *uses;      /* (preds) */
  uint32_t *seen; /* (symbols) how often in facts and rules */
  size_t preds, symbols, rules, examples;
  bool biased; /* a body_pred was read */
  lint_say say;
  void *ctx;
  size_t found;
  uint64_t work; /* of checks that compare all with all */
} linter;

/* Some checks compare each with each. After so much of it, which is about a
** tenth of a second, they find no more. */
static const uint64_t most_work = 20000000;

static bool is_worth_work(linter *l, uint64_t work) {
  l->work += work;
  return l->work < most_work;
}

static void report_finding(linter *l, const char *kind, const char *format, ...)
    PITH_PRINTF(3, 4);
static void report_finding(linter *l, const char *kind, const char *format,
                           ...) {
  char text[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  l->say(l->ctx, kind, text);
  l->found++;
}

static const char *name_of(const linter *l, pith_pred pred) {
  assert(pred < l->preds);
  return pith_pred_name(l->p, pred);
}
static size_t arity_of(const linter *l, pith_pred pred) {
  return pith_pred_arity(l->p, pred);
}

/* "file:12", or "a rule". */
static const char *place_of(const linter *l, const pith_rule *r, char *room,
                            size_t n) {
  if (r->file == PITH_NONE)
    snprintf(room, n, "rule");
  else
    snprintf(room, n, "%s:%u", pith_sym_text(l->p, r->file), r->line);
  return room;
}

/* ---- the table -------------------------------------------------------- */

static void count_symbol(linter *l, pith_sym s) {
  assert(s < l->symbols);
  if (l->seen[s] < UINT32_MAX)
    l->seen[s]++;
}

static int see_fact(void *ctx, pith_pred pred, const pith_sym *args, size_t n) {
  (void)pred;
  for (size_t i = 0; i < n; i++)
    count_symbol(ctx, args[i]);
  return 0;
}

static void see_atom(linter *l, const pith_atom *a) {
  for (uint32_t i = 0; i < a->arity; i++)
    if (!PITH_IS_VAR(a->args[i]))
      count_symbol(l, a->args[i]);
}

static void see_facts(linter *l) {
  for (pith_pred i = 0; i < l->preds; i++)
    pith_fact_each(l->p, i, PITH_GIVEN, see_fact, l);
}

static void count_uses(linter *l) {
  for (pith_pred i = 0; i < l->preds; i++) {
    l->uses[i].facts = pith_fact_count(l->p, i, PITH_GIVEN);
    l->biased |= (pith_pred_roles(l->p, i) & PITH_BODY) != 0;
  }
  for (size_t i = 0; i < l->rules; i++) {
    const pith_rule *r = pith_rule_at(l->p, i);
    l->uses[r->head.pred].heads++;
    see_atom(l, &r->head);
    for (uint32_t j = 0; j < r->body_len; j++) {
      l->uses[r->body[j].pred].bodies++;
      see_atom(l, &r->body[j]);
    }
  }
  for (size_t i = 0; i < l->examples; i++) {
    const pith_example *e = pith_example_at(l->p, i);
    *(e->positive ? &l->uses[e->atom.pred].pos : &l->uses[e->atom.pred].neg) +=
        1;
  }
}

static bool rule_possible(const linter *l, const pith_rule *r) {
  for (uint32_t i = 0; i < r->body_len; i++) {
    const pith_atom *a = &r->body[i];
    if ((!l->uses[a->pred].possible && !a->negated) ||
        (a->pred == PITH_DIFFERENT && a->args[0] == a->args[1]))
      return false;
  }
  return true;
}

/* Rules wait for the predicates of their bodies; a predicate that turns out
** possible tells the rules that wait for it. */
typedef struct {
  linter *l;
  uint32_t
      *waiting;    /* (rules) places not yet possible; one more: never fires */
  uint32_t *rules; /* of the places of each predicate, by use.begin          */
  pith_pred *open; /* (open_count, at most preds) possible, not yet told     */
  size_t open_count;
} possible_search;

static void note_possible(possible_search *f, pith_pred pred) {
  use *u = &f->l->uses[pred];
  if (u->possible)
    return;
  u->possible = true;
  f->open[f->open_count++] = pred;
}

/* Where the places of each predicate will begin; how many there are. */
static size_t number_places(linter *l) {
  size_t n = 0;
  for (size_t i = 0; i < l->preds; i++) {
    l->uses[i].begin = l->uses[i].end = n;
    n += l->uses[i].bodies;
  }
  return n;
}

static void list_places(possible_search *f) {
  linter *l = f->l;
  for (size_t i = 0; i < l->rules; i++) {
    const pith_rule *r = pith_rule_at(l->p, i);
    for (uint32_t j = 0; j < r->body_len; j++) {
      const pith_atom *a = &r->body[j];
      bool waits = !a->negated && !PITH_IS_BUILTIN(a->pred);
      f->waiting[i] +=
          waits || (a->pred == PITH_DIFFERENT && a->args[0] == a->args[1]);
      if (waits)
        f->rules[l->uses[a->pred].end++] = (uint32_t)i;
    }
  }
}

static void tell_rules(possible_search *f, pith_pred pred) {
  const use *u = &f->l->uses[pred];
  for (size_t k = u->begin; k < u->end; k++)
    if (--f->waiting[f->rules[k]] == 0)
      note_possible(f, pith_rule_at(f->l->p, f->rules[k])->head.pred);
}

static void spread_possible(possible_search *f) {
  linter *l = f->l;
  for (pith_pred i = 0; i < l->preds; i++)
    if (PITH_IS_BUILTIN(i) || l->uses[i].facts > 0)
      note_possible(f, i);
  for (size_t i = 0; i < l->rules; i++)
    if (f->waiting[i] == 0)
      note_possible(f, pith_rule_at(l->p, i)->head.pred);
  while (f->open_count > 0)
    tell_rules(f, f->open[--f->open_count]);
}

static bool find_possible(linter *l) {
  size_t places = number_places(l);
  possible_search f = {.l = l};
  f.waiting = command_zalloc(l->rules + 1, sizeof *f.waiting);
  f.rules = command_zalloc(places + 1, sizeof *f.rules);
  f.open = command_zalloc(l->preds + 1, sizeof *f.open);
  bool room = f.waiting != NULL && f.rules != NULL && f.open != NULL;
  if (room) {
    list_places(&f);
    spread_possible(&f);
  }
  command_free(f.waiting);
  command_free(f.rules);
  command_free(f.open);
  return room;
}

/* ---- predicates and rules --------------------------------------------- */

/* Another predicate for which is_known holds and whose name is near, or
** PITH_NONE. A name that differs in its arity alone is nearest. */
static pith_pred similar_pred(linter *l, pith_pred pred,
                              bool (*is_known)(const use *u)) {
  nearest near = {.wanted = name_of(l, pred)};
  pith_pred best = PITH_NONE;
  if (!is_worth_work(l, l->preds))
    return PITH_NONE;
  for (pith_pred i = PITH_BUILTINS; i < l->preds; i++) {
    const char *before = near.best;
    if (i == pred || !is_known(&l->uses[i]) || !is_worth_work(l, 100))
      continue;
    nearest_try(&near, name_of(l, i));
    if (near.best != before)
      best = i;
  }
  return best;
}

static bool is_defined(const use *u) { return u->facts > 0 || u->heads > 0; }
static bool has_examples(const use *u) { return u->pos + u->neg > 0; }

enum { SUGGESTION_ROOM = 160 };

/* "; did you mean NAME/ARITY?", or nothing for PITH_NONE. */
static const char *suggestion_text(char room[SUGGESTION_ROOM], const linter *l,
                                   pith_pred pred) {
  if (pred == PITH_NONE)
    return "";
  snprintf(room, SUGGESTION_ROOM, "; did you mean %.100s/%zu?",
           name_of(l, pred), arity_of(l, pred));
  return room;
}

static void check_undefined(linter *l) {
  char room[SUGGESTION_ROOM];
  if (pith_fact_count(l->p, PITH_NONE, PITH_GIVEN) == 0)
    return; /* rules alone: the facts come from elsewhere */
  for (pith_pred i = PITH_BUILTINS; i < l->preds; i++) {
    const use *u = &l->uses[i];
    if (u->bodies == 0 || u->facts > 0 || u->heads > 0)
      continue;
    report_finding(l, "undefined",
                   "%s/%zu is used by a rule but has no facts and no rules%s",
                   name_of(l, i), arity_of(l, i),
                   suggestion_text(room, l, similar_pred(l, i, is_defined)));
  }
}

static void check_rules(linter *l) {
  if (pith_fact_count(l->p, PITH_NONE, PITH_GIVEN) == 0)
    return;
  for (size_t i = 0; i < l->rules; i++) {
    const pith_rule *r = pith_rule_at(l->p, i);
    char place[512];
    if (!rule_possible(l, r))
      report_finding(l, "dead", "%s: the rule for %s/%zu can never fire",
                     place_of(l, r, place, sizeof place),
                     name_of(l, r->head.pred), arity_of(l, r->head.pred));
  }
}

static bool same_atom(const pith_atom *a, const pith_atom *b) {
  return a->pred == b->pred && a->arity == b->arity &&
         a->negated == b->negated &&
         (a->arity == 0 ||
          memcmp(a->args, b->args, a->arity * sizeof *a->args) == 0);
}

static bool same_rule(const pith_rule *a, const pith_rule *b) {
  if (a->body_len != b->body_len || !same_atom(&a->head, &b->head))
    return false;
  for (uint32_t i = 0; i < a->body_len; i++)
    if (!same_atom(&a->body[i], &b->body[i]))
      return false;
  return true;
}

static void check_twice(linter *l) {
  enum { MANY = 2000 }; /* the comparison is pair by pair */
  for (size_t i = 0; i < l->rules && l->rules <= MANY; i++)
    for (size_t j = 0; j < i; j++) {
      char here[512], there[512];
      const pith_rule *a = pith_rule_at(l->p, i), *b = pith_rule_at(l->p, j);
      if (!same_rule(a, b))
        continue;
      report_finding(l, "twice", "%s: the rule is the same as %s",
                     place_of(l, a, here, sizeof here),
                     place_of(l, b, there, sizeof there));
      break;
    }
}

static void check_empty(linter *l) {
  char room[SUGGESTION_ROOM];
  for (pith_pred i = PITH_BUILTINS; i < l->preds; i++)
    if ((pith_pred_roles(l->p, i) & PITH_BODY) && l->uses[i].facts == 0 &&
        l->uses[i].heads == 0 && l->uses[i].pos == 0)
      report_finding(l, "empty",
                     "body_pred(%s,%zu): it has no facts and no rules%s",
                     name_of(l, i), arity_of(l, i),
                     suggestion_text(room, l, similar_pred(l, i, is_defined)));
}

static void check_unused(linter *l) {
  for (pith_pred i = PITH_BUILTINS; i < l->preds; i++) {
    const use *u = &l->uses[i];
    unsigned roles = pith_pred_roles(l->p, i);
    if (l->biased && u->facts > 0 && !(roles & (PITH_BODY | PITH_TARGET)) &&
        u->bodies == 0)
      report_finding(l, "unused",
                     "%s/%zu has facts, but no rule and no body_pred uses it",
                     name_of(l, i), arity_of(l, i));
  }
}

/* ---- examples --------------------------------------------------------- */

static void check_targets(linter *l) {
  char room[SUGGESTION_ROOM];
  for (pith_pred i = PITH_BUILTINS; i < l->preds; i++) {
    const use *u = &l->uses[i];
    const char *name = name_of(l, i);
    size_t arity = arity_of(l, i);
    if (pith_pred_roles(l->p, i) & PITH_TARGET && u->pos + u->neg == 0)
      report_finding(
          l, "no-examples",
          "the target %s/%zu has no examples: nothing is learned about it%s",
          name, arity,
          suggestion_text(room, l, similar_pred(l, i, has_examples)));
    if (u->pos > 0 && u->neg == 0)
      report_finding(
          l, "only-positive",
          "%s/%zu has positive examples only: a rule for everything would "
          "fit; add neg(..), or learn with --closed-world, which takes what is "
          "not listed as false%s",
          name, arity,
          suggestion_text(room, l, similar_pred(l, i, has_examples)));
    if (u->neg > 0 && u->pos == 0)
      report_finding(
          l, "only-negative",
          "%s/%zu has negative examples only: no rule at all would fit; add "
          "pos(..)%s",
          name, arity,
          suggestion_text(room, l, similar_pred(l, i, has_examples)));
    if (u->pos + u->neg > 0 && u->facts > 0)
      report_finding(
          l, "leak",
          "%s/%zu has examples, and facts in the background too: %llu", name,
          arity, (unsigned long long)u->facts);
  }
}

/* Examples about constants of which nothing is known: no rule can tell them
** apart. One finding, with the first of them. */
static void check_strangers(linter *l) {
  size_t strangers = 0;
  const char *first = NULL;
  for (size_t i = 0; i < l->examples; i++) {
    const pith_atom *a = &pith_example_at(l->p, i)->atom;
    bool strange = false;
    for (uint32_t j = 0; j < a->arity; j++)
      if (l->seen[a->args[j]] == 0) {
        strange = true;
        if (first == NULL)
          first = pith_sym_text(l->p, a->args[j]);
      }
    strangers += strange;
  }
  if (strangers > 0 && pith_fact_count(l->p, PITH_NONE, PITH_GIVEN) > 0)
    report_finding(
        l, "stranger",
        "%zu %s a constant of which no fact is given; the first is %.200s",
        strangers, plural(strangers, "example has", "examples have"), first);
}

/* ---- constants -------------------------------------------------------- */

/* A long name that occurs once, and one letter away a name that occurs often:
** probably a slip. Names with digits are numbered, and near on purpose. */
static bool is_long_word(const linter *l, pith_sym s) {
  enum { SHORT = 6 };
  const char *text = pith_sym_text(l->p, s);
  return pith_sym_kind_of(l->p, s) == PITH_NAME && strlen(text) >= SHORT &&
         strpbrk(text, "0123456789") == NULL;
}

static void check_constants(linter *l) {
  enum { OFTEN = 5, WORK = 20000000 };
  size_t work = 0;
  for (pith_sym i = 0; i < l->symbols; i++) {
    if (l->seen[i] != 1 || !is_long_word(l, i))
      continue;
    nearest near = {.wanted = pith_sym_text(l->p, i)};
    for (pith_sym j = 0; j < l->symbols; j++) {
      if (l->seen[j] < OFTEN || !is_long_word(l, j))
        continue;
      size_t a = strlen(near.wanted), b = strlen(pith_sym_text(l->p, j));
      work += a * b;
      if (a <= b + 1 && b <= a + 1)
        nearest_try(&near, pith_sym_text(l->p, j));
    }
    if (near.best != NULL && near.distance == 1 &&
        strncmp(near.best, near.wanted, strlen(near.wanted)) != 0)
      report_finding(l, "similar",
                     "the constant %.200s occurs once; is it %.200s?",
                     near.wanted, near.best);
    if (work > WORK)
      return;
  }
}

/* ann, Ann and 'ann ': names that are the same but for capitals, and blanks or
** underscores inside or at the ends. */
typedef struct {
  uint64_t hash;
  pith_sym sym;
} spelling;

/* The next letter that counts, 0 at the end; a run of blanks and underscores
** is one blank, and none at the end. */
static int next_letter(const char **at) {
  size_t gap = strspn(*at, " _");
  *at += gap;
  if (gap > 0)
    return **at == '\0' ? 0 : ' ';
  return **at == '\0' ? 0 : tolower((unsigned char)*(*at)++);
}

static const char *skip_gap(const char *text) {
  return text + strspn(text, " _");
}

static uint64_t spelling_hash(const char *text) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  int c;
  for (text = skip_gap(text); (c = next_letter(&text)) != 0;)
    hash = (hash ^ (uint64_t)c) * UINT64_C(0x100000001b3);
  return hash;
}

static bool same_spelling(const char *a, const char *b) {
  int x, y;
  a = skip_gap(a);
  b = skip_gap(b);
  do {
    x = next_letter(&a);
    y = next_letter(&b);
  } while (x == y && x != 0);
  return x == y;
}

static int compare_spellings(const void *a, const void *b) {
  const spelling *x = a, *y = b;
  if (x->hash != y->hash)
    return x->hash < y->hash ? -1 : 1;
  return x->sym < y->sym ? -1 : x->sym > y->sym;
}

static void check_spellings(linter *l) {
  enum { MOST = 10 };
  spelling *v = command_zalloc(l->symbols + 1, sizeof *v);
  size_t n = 0, pairs = 0;
  if (v == NULL) {
    l->found = SIZE_MAX;
    return;
  }
  for (pith_sym i = 0; i < l->symbols; i++)
    if (l->seen[i] > 0 && pith_sym_kind_of(l->p, i) == PITH_NAME)
      v[n++] = (spelling){spelling_hash(pith_sym_text(l->p, i)), i};
  qsort(v, n, sizeof *v, compare_spellings);
  for (size_t i = 1; i < n; i++) {
    const char *a = pith_sym_text(l->p, v[i - 1].sym);
    const char *b = pith_sym_text(l->p, v[i].sym);
    if (v[i].hash != v[i - 1].hash || !same_spelling(a, b))
      continue;
    if (++pairs <= MOST)
      report_finding(
          l, "spelling",
          "the constants '%.100s' and '%.100s' are two; are they meant to be "
          "one?",
          a, b);
  }
  if (pairs > MOST)
    report_finding(l, "spelling",
                   "%zu more pairs of constants differ so little",
                   pairs - MOST);
  command_free(v);
}

/* ---- comparisons ------------------------------------------------------ */

/* Which orders the values of a place or a constant have, as a set of flags by
** pith_order; and one that has none. */
typedef struct {
  const pith *p;
  size_t place;
  unsigned orders;
  uint64_t unordered;
  pith_sym first;
} value_kinds;

static void note_value(value_kinds *k, pith_sym s) {
  pith_order order = pith_sym_order(k->p, s, NULL);
  k->orders |= 1u << order;
  if (order == PITH_ORDER_NONE && k->unordered++ == 0)
    k->first = s;
}

static int note_place(void *ctx, pith_pred pred, const pith_sym *args,
                      size_t n) {
  value_kinds *k = ctx;
  (void)pred, (void)n;
  note_value(k, args[k->place]);
  return 0;
}

/* The first place with facts that binds the variable; false: none does. */
static bool find_place(const linter *l, const pith_rule *r, pith_term var,
                       pith_pred *pred, size_t *place) {
  for (uint32_t i = 0; i < r->body_len; i++) {
    const pith_atom *a = &r->body[i];
    for (uint32_t j = 0; j < a->arity; j++)
      if (a->args[j] == var && !a->negated && l->uses[a->pred].facts > 0) {
        *pred = a->pred;
        *place = j;
        return true;
      }
  }
  return false;
}

/* false: nothing is known of the side. */
static bool side_kinds(linter *l, const pith_rule *r, pith_term side,
                       value_kinds *k) {
  char place[512];
  pith_pred pred;
  *k = (value_kinds){.p = l->p};
  if (!PITH_IS_VAR(side)) {
    note_value(k, side);
    return true;
  }
  if (!is_worth_work(l, r->body_len) ||
      !find_place(l, r, side, &pred, &k->place) ||
      !is_worth_work(l, l->uses[pred].facts))
    return false;
  pith_fact_each(l->p, pred, PITH_GIVEN, note_place, k);
  if (k->unordered > 0)
    report_finding(
        l, "unordered",
        "%s: a comparison with place %zu of %s/%zu, where %llu of %llu values "
        "are neither numbers nor dates, the first %.100s: it is false for them",
        place_of(l, r, place, sizeof place), k->place + 1, name_of(l, pred),
        arity_of(l, pred), (unsigned long long)k->unordered,
        (unsigned long long)l->uses[pred].facts, pith_sym_text(l->p, k->first));
  return true;
}

static void check_comparison(linter *l, const pith_rule *r,
                             const pith_atom *a) {
  const unsigned ordered =
      1u << PITH_ORDER_NUMBER | 1u << PITH_ORDER_DATE | 1u << PITH_ORDER_TIME;
  char place[512];
  value_kinds left, right;
  bool known = side_kinds(l, r, a->args[0], &left);
  known &= side_kinds(l, r, a->args[1], &right);
  if (known && (left.orders & right.orders & ordered) == 0)
    report_finding(
        l, "unlike",
        "%s: a comparison by %s that is never true: expected numbers on both "
        "sides, or dates on both",
        place_of(l, r, place, sizeof place), name_of(l, a->pred));
}

static void check_comparisons(linter *l) {
  for (size_t i = 0; i < l->rules; i++) {
    const pith_rule *r = pith_rule_at(l->p, i);
    for (uint32_t j = 0; j < r->body_len; j++)
      if (PITH_IS_COMPARISON(r->body[j].pred))
        check_comparison(l, r, &r->body[j]);
  }
}

static void check_all(linter *l) {
  see_facts(l);
  if (!find_possible(l)) {
    l->found = SIZE_MAX;
    return;
  }
  check_undefined(l);
  check_rules(l);
  check_twice(l);
  check_comparisons(l);
  check_empty(l);
  check_unused(l);
  check_targets(l);
  check_strangers(l);
  check_constants(l);
  check_spellings(l);
}

static void check_task(linter *l) {
  check_empty(l);
  check_targets(l);
}

static size_t lint_by(const pith *p, void (*check)(linter *l), lint_say say,
                      void *ctx) {
  linter l = {.p = p,
              .preds = pith_pred_count(p),
              .symbols = pith_sym_count(p),
              .rules = pith_rule_count(p),
              .examples = pith_example_count(p),
              .say = say,
              .ctx = ctx};
  l.uses = command_zalloc(l.preds + 1, sizeof *l.uses);
  l.seen = command_zalloc(l.symbols + 1, sizeof *l.seen);
  if (l.uses != NULL && l.seen != NULL) {
    count_uses(&l);
    check(&l);
  } else {
    l.found = SIZE_MAX;
  }
  command_free(l.uses);
  command_free(l.seen);
  return l.found;
}

size_t lint(const pith *p, lint_say say, void *ctx) {
  return lint_by(p, check_all, say, ctx);
}

size_t lint_undefined(const pith *p, lint_say say, void *ctx) {
  return lint_by(p, check_undefined, say, ctx);
}

size_t lint_task(const pith *p, lint_say say, void *ctx) {
  return lint_by(p, check_task, say, ctx);
}
