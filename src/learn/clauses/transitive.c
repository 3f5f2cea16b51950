#include "learn/clauses/transitive.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/tunables.h"
#include "learn/clauses/oddness.h"

enum {
  MOST_LINKS = 8, /* base rules of a program */
  FEW_LINKS = 3,  /* so many may use up the work */
  LINK_ATOMS = 2  /* of a base rule */
};

/* A base rule, and between which things it holds. */
typedef struct {
  pith_i_lit atoms[LINK_ATOMS];
  uint32_t n, odd, part;
  uint64_t cost;
  uint64_t *rows; /* (things, words) */
} base_link;

typedef struct {
  pith_i_space *s;
  const pith_i_exact_limits *limits;
  pith_i_sample m; /* of no examples: what parts are written with */
  pith_i_growth growth;
  uint32_t *number; /* (constants) a thing's, or PITH_NONE */
  uint32_t things;
  size_t words; /* of a row */
  PITH_I_VEC(base_link) links;
  uint64_t *whole; /* (things, words) the closure at hand */
  uint64_t end;    /* of the work, by the sample's count */
  uint64_t cost;   /* of the best program */
  uint32_t best[MOST_LINKS], best_count;
} transitive;

/* ---- things -------------------------------------------------------------- */

static void number_thing(transitive *t, uint32_t constant) {
  if (t->number[constant] == PITH_NONE)
    t->number[constant] = t->things++;
}

/* What could be an argument of the target: what is one in an example, and what
** stands in places of that kind. */
static pith_status number_things(transitive *t) {
  const pith_i_space *s = t->s;
  t->number = pith_i_alloc(s->env, (s->constants + 1) * sizeof *t->number);
  if (t->number == NULL)
    return PITH_ENOMEM;
  memset(t->number, 0xff, s->constants * sizeof *t->number);
  for (size_t i = 0; i < (size_t)s->examples * 2; i++)
    number_thing(t, s->args[i]);
  for (uint32_t c = 0; c < s->choices.n; c++)
    for (uint32_t p = 0; p < s->choices.at[c].arity; p++) {
      const pith_i_tuples *rows = &s->store.relations.at[c].rows;
      uint32_t domain = s->choices.at[c].domain[p];
      if (!pith_i_may_meet(s, domain, s->head_domain[0]) &&
          !pith_i_may_meet(s, domain, s->head_domain[1]))
        continue;
      for (size_t i = 0; i < rows->n; i++)
        number_thing(t, rows->at[i * rows->width + p]);
    }
  t->words = ((size_t)t->things + 63) / 64;
  return PITH_OK;
}

static void set_pair(const transitive *t, uint64_t *rows, uint32_t a,
                     uint32_t b) {
  rows[a * t->words + (b >> 6)] |= UINT64_C(1) << (b & 63);
}

static bool has_pair(const transitive *t, const uint64_t *rows, uint32_t i) {
  uint32_t a = t->number[t->s->args[2 * i]],
           b = t->number[t->s->args[2 * i + 1]];
  return pith_i_bit(rows + a * t->words, b);
}

static bool has_negative_pair(const transitive *t, const uint64_t *rows) {
  for (uint32_t i = t->s->positives; i < t->s->examples; i++)
    if (has_pair(t, rows, i))
      return true;
  return false;
}

static bool has_all_positives(const transitive *t, const uint64_t *rows) {
  for (uint32_t i = 0; i < t->s->positives; i++)
    if (!has_pair(t, rows, i))
      return false;
  return true;
}

/* ---- base rules ---------------------------------------------------------- */

/* Where the first atom holds, by the values of A and B in a fact. */
static void fill_link(const transitive *t, base_link *l) {
  const pith_i_tuples *rows =
      &t->s->store.relations.at[l->atoms[0].choice].rows;
  uint32_t place[2] = {0, 0};
  for (uint32_t p = 0; p < rows->width; p++)
    if (l->atoms[0].arg[p] < 2)
      place[l->atoms[0].arg[p]] = p;
  for (size_t i = 0; i < rows->n; i++) {
    const uint32_t *fact = rows->at + i * rows->width;
    uint32_t a = t->number[fact[place[0]]], b = t->number[fact[place[1]]];
    if (a != PITH_NONE && b != PITH_NONE)
      set_pair(t, l->rows, a, b);
  }
}

/* Takes away the pairs that the second atom, a test of A or of B, is
** against. */
static void test_link(const transitive *t, base_link *l, uint64_t *among) {
  const pith_i_tuples *rows =
      &t->s->store.relations.at[l->atoms[1].choice].rows;
  memset(among, 0, t->words * sizeof *among);
  for (size_t i = 0; i < rows->n; i++) {
    uint32_t a = t->number[rows->at[i]];
    if (a != PITH_NONE)
      among[a >> 6] |= UINT64_C(1) << (a & 63);
  }
  for (uint32_t a = 0; a < t->things; a++) {
    uint64_t keep =
        l->atoms[1].arg[0] == 1 || pith_i_bit(among, a) ? ~UINT64_C(0) : 0;
    for (size_t w = 0; w < t->words; w++)
      l->rows[a * t->words + w] &= l->atoms[1].arg[0] == 1 ? among[w] : keep;
  }
}

/* The link's atoms as a part, which says how odd they are. */
static pith_status price_link(transitive *t, base_link *l) {
  pith_i_growth *g = &t->growth;
  pith_i_piece p = {
      .atoms = pith_i_arena_alloc(&g->arena, LINK_ATOMS * sizeof *p.atoms)};
  if (p.atoms == NULL)
    return PITH_ENOMEM;
  memcpy(p.atoms, l->atoms, sizeof l->atoms);
  p.n = l->n;
  p.vars = pith_i_lits_vars(t->s, p.atoms, p.n);
  l->part = (uint32_t)g->parts.n;
  if (!pith_i_push(g->arena.env, &g->parts, p))
    return PITH_ENOMEM;
  l->odd = pith_i_oddness(g, &l->part, 1);
  l->cost = (uint64_t)PITH_I_COST * (1 + l->n) + l->odd;
  for (uint32_t i = 0; i < l->n; i++)
    l->cost +=
        PITH_TUNE_CLAUSE_GIVEN_COST + t->s->choices.at[l->atoms[i].choice].full;
  return PITH_OK;
}

static void close_pairs_by_bits(transitive *t, uint64_t *rows) {
  for (uint32_t k = 0; k < t->things; k++)
    for (uint32_t i = 0; i < t->things; i++)
      if (pith_i_bit(rows + i * t->words, k)) {
        for (size_t w = 0; w < t->words; w++)
          rows[i * t->words + w] |= rows[k * t->words + w];
        t->m.work += t->words;
      }
  t->m.work += t->things * t->words;
}

/* Whether what the links hold for, and all that follows, has no negative
** example; *all: and every positive one. */
static bool is_consistent(transitive *t, const uint32_t *link, uint32_t n,
                          bool *all) {
  size_t size = t->things * t->words;
  memset(t->whole, 0, size * sizeof *t->whole);
  for (uint32_t i = 0; i < n; i++)
    for (size_t w = 0; w < size; w++)
      t->whole[w] |= t->links.at[link[i]].rows[w];
  close_pairs_by_bits(t, t->whole);
  *all = has_all_positives(t, t->whole);
  return !has_negative_pair(t, t->whole);
}

/* Keeps a link that holds somewhere and leads to no negative example. */
static pith_status keep_link(transitive *t, base_link l) {
  size_t size = t->things * t->words, set = 0;
  uint32_t number = (uint32_t)t->links.n;
  bool all;
  l.rows = pith_i_arena_alloc(&t->growth.arena, (size + 1) * sizeof *l.rows);
  if (l.rows == NULL)
    return PITH_ENOMEM;
  memset(l.rows, 0, size * sizeof *l.rows);
  fill_link(t, &l);
  if (l.n > 1)
    test_link(t, &l, t->whole);
  for (size_t w = 0; w < size; w++)
    set |= l.rows[w] != 0;
  if (set == 0)
    return PITH_OK;
  pith_status rc = price_link(t, &l);
  if (rc < 0 || !pith_i_push(t->s->env, &t->links, l))
    return rc < 0 ? rc : PITH_ENOMEM;
  if (!is_consistent(t, &number, 1, &all))
    t->links.n--;
  return PITH_OK;
}

static bool is_given(const pith_i_kind_of_atom *c) {
  return c->kind == PITH_I_GIVEN_ATOM && c->helper == PITH_I_NO_HELPER;
}

static pith_status keep_tested_links(transitive *t, base_link l) {
  const pith_i_space *s = t->s;
  pith_status rc = keep_link(t, l);
  l.n = 2;
  for (uint32_t u = 0; u < s->choices.n; u++)
    for (uint8_t v = 0; rc >= 0 && v < 2; v++) {
      const pith_i_kind_of_atom *c = &s->choices.at[u];
      if (!is_given(c) || c->arity != 1 || t->m.work > t->end ||
          !pith_i_may_meet(s, c->domain[0], s->head_domain[v]))
        continue;
      l.atoms[1] = (pith_i_lit){.choice = (uint16_t)u, .arg = {v}};
      rc = keep_link(t, l);
    }
  return rc;
}

/* The relation's places for A and B; what else it has is open. */
static pith_status make_links(transitive *t, uint32_t choice) {
  const pith_i_kind_of_atom *c = &t->s->choices.at[choice];
  pith_status rc = PITH_OK;
  for (uint32_t a = 0; a < c->arity; a++)
    for (uint32_t b = 0; rc >= 0 && b < c->arity; b++) {
      base_link l = {.n = 1};
      if (a == b)
        continue;
      l.atoms[0].choice = (uint16_t)choice;
      memset(l.atoms[0].arg, 2, sizeof l.atoms[0].arg);
      l.atoms[0].arg[a] = 0;
      l.atoms[0].arg[b] = 1;
      rc = keep_tested_links(t, l);
    }
  return rc;
}

static int by_link_cost(const void *x, const void *y) {
  const base_link *a = x, *b = y;
  return a->cost != b->cost ? (a->cost > b->cost) - (a->cost < b->cost)
                            : (a->part > b->part) - (a->part < b->part);
}

static pith_status make_all_links(transitive *t) {
  pith_status rc = PITH_OK;
  for (uint32_t c = 0; rc >= 0 && c < t->s->choices.n; c++)
    if (is_given(&t->s->choices.at[c]) && t->s->choices.at[c].arity >= 2 &&
        t->s->choices.at[c].arity <= PITH_I_NARROW)
      rc = make_links(t, c);
  if (t->links.n > 1)
    qsort(t->links.at, t->links.n, sizeof *t->links.at, by_link_cost);
  return rc;
}

/* ---- programs ------------------------------------------------------------ */

/* Of t(A,B) :- t(A,C), t(C,B); a little more than another recursive rule of
** two atoms, which people write first. */
static uint64_t closing_cost(void) {
  return 3 * (uint64_t)PITH_I_COST + 2 * PITH_TUNE_CLAUSE_GIVEN_COST + 6;
}

/* Whether the links chosen and all from the first on together would give every
** positive example, whatever else they give. */
static bool could_give_all(transitive *t, const uint32_t *chosen, uint32_t n,
                           uint32_t first) {
  size_t size = t->things * t->words;
  memset(t->whole, 0, size * sizeof *t->whole);
  for (uint32_t i = 0; i < n + (t->links.n - first); i++) {
    uint32_t link = i < n ? chosen[i] : first + (i - n);
    for (size_t w = 0; w < size; w++)
      t->whole[w] |= t->links.at[link].rows[w];
    t->m.work += size / 8;
  }
  close_pairs_by_bits(t, t->whole);
  return has_all_positives(t, t->whole);
}

/* All sets of `most` links, of those from the first on, that are added to those
** chosen. A set that gives a negative example is left, and so is one that gives
** too little even with all that may come. */
static void choose_links(transitive *t, uint32_t *chosen, uint32_t n,
                         uint32_t first, uint32_t most, uint64_t cost) {
  assert(n < most && most <= MOST_LINKS);
  for (uint32_t i = first; i < t->links.n; i++) {
    bool all;
    uint64_t with = cost + t->links.at[i].cost;
    if (with + (most - n - 1) * t->links.at[i].cost >= t->cost ||
        t->m.work > t->end || pith_i_stop_requested(t->limits->run) ||
        !could_give_all(t, chosen, n, i))
      break; /* those after it cost more, and give less */
    chosen[n] = i;
    if (!is_consistent(t, chosen, n + 1, &all))
      continue;
    if (n + 1 < most) {
      choose_links(t, chosen, n + 1, i + 1, most, with);
    } else if (all) {
      t->cost = with;
      t->best_count = most;
      memcpy(t->best, chosen, most * sizeof *chosen);
    }
  }
}

/* Few links first: one that is not needed costs more than none. */
static void choose_few_links(transitive *t) {
  uint32_t chosen[MOST_LINKS], rules = t->limits->max_rules;
  uint32_t most = rules == 0 || rules > MOST_LINKS ? MOST_LINKS : rules - 1;
  t->end = t->m.work + t->limits->work;
  for (uint32_t n = 1; n <= most; n++) {
    if (n > FEW_LINKS)
      t->end = t->m.work + t->limits->work / 8;
    choose_links(t, chosen, 0, 0, n, closing_cost());
  }
}

/* ---- rules --------------------------------------------------------------- */

static pith_rule *closing_rule(const transitive *t, pith_i_arena *arena) {
  static const uint32_t args[] = {0, 1, 0, 2, 2, 1};
  pith_rule *r = pith_i_arena_alloc(arena, sizeof *r);
  pith_atom *body = pith_i_arena_alloc(arena, 2 * sizeof *body);
  pith_term *terms = pith_i_arena_alloc(arena, 6 * sizeof *terms);
  if (r == NULL || body == NULL || terms == NULL)
    return NULL;
  for (uint32_t i = 0; i < 6; i++)
    terms[i] = PITH_VAR(args[i]);
  pith_atom head = {.pred = t->s->target, .arity = 2, .args = terms};
  for (uint32_t i = 0; i < 2; i++) {
    body[i] = head;
    body[i].args = terms + 2 * (i + 1);
  }
  *r = (pith_rule){.head = head, .body = body, .body_len = 2, .var_count = 3};
  r->file = PITH_NONE;
  return r;
}

static pith_status write_transitive(transitive *t, pith_i_arena *arena,
                                    pith_i_rules *out, uint32_t *odd) {
  pith_i_set set = {.n = 0};
  pith_i_clause clause[MOST_LINKS];
  *odd = 0;
  for (uint32_t i = 0; i < t->best_count; i++) {
    const base_link *l = &t->links.at[t->best[i]];
    clause[i] = (pith_i_clause){.part = {l->part}, .part_count = 1};
    clause[i].atoms = l->n;
    set.clause[set.n++] = &clause[i];
    *odd += l->odd;
  }
  pith_status rc = pith_i_set_rules(&t->growth, &set, arena, out);
  if (rc < 0)
    return rc;
  out->rules[out->n] = closing_rule(t, arena);
  return out->rules[out->n++] == NULL ? PITH_ENOMEM : PITH_OK;
}

/* ---- all of it ----------------------------------------------------------- */

static bool is_possible(const pith_i_space *s, const pith_i_exact_limits *l) {
  return s->head == 2 && s->positives > 0 && l->max_rules != 1 &&
         l->max_body != 1 && (l->max_vars == 0 || l->max_vars > 2) &&
         l->below > closing_cost() + 2 * PITH_I_COST;
}

static pith_status search_transitive(transitive *t) {
  pith_status rc = number_things(t);
  if (rc < 0 || t->things > PITH_TUNE_GOAL_THINGS)
    return rc;
  size_t size = (t->things + 1) * t->words;
  t->whole = pith_i_alloc(t->s->env, (size + 1) * sizeof *t->whole);
  if (t->whole == NULL)
    return PITH_ENOMEM;
  t->end = t->m.work + t->limits->work;
  rc = make_all_links(t);
  if (rc >= 0)
    choose_few_links(t);
  return rc;
}

pith_status pith_i_transitive_run(pith_i_space *s,
                                  const pith_i_exact_limits *limits,
                                  pith_i_arena *arena, pith_i_rules *out,
                                  uint64_t *cost, uint32_t *odd) {
  transitive t = {.s = s, .limits = limits, .cost = limits->below};
  pith_i_grow_limits grow = {.run = limits->run};
  out->n = 0;
  if (!is_possible(s, limits))
    return PITH_OK;
  pith_i_sample_take(&t.m, s, NULL, 0, 0);
  pith_i_growth_init(&t.growth, &t.m, &grow);
  pith_status rc = search_transitive(&t);
  if (rc >= 0 && t.best_count > 0) {
    rc = write_transitive(&t, arena, out, odd);
    *cost = t.cost;
  }
  pith_i_release(s->env, t.number);
  pith_i_release(s->env, t.whole);
  pith_i_vec_free(s->env, &t.links);
  pith_i_growth_free(&t.growth);
  return rc;
}
