#include "learn/clauses/clause_body.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "base/tunables.h"
#include "learn/clauses/oddness.h"

typedef pith_i_bodies bodies;

void pith_i_bodies_init(pith_i_bodies *b, pith_i_growth *g) {
  *b = (pith_i_bodies){.g = g, .work = UINT64_MAX};
  b->arena.env = g->arena.env;
  b->seen.width = 2;
}

void pith_i_bodies_free(pith_i_bodies *b) {
  if (b->g == NULL)
    return;
  pith_i_env *env = b->arena.env;
  pith_i_arena_free(&b->arena);
  pith_i_vec_free(env, &b->usable);
  pith_i_vec_free(env, &b->plain);
  pith_i_vec_free(env, &b->recursive);
  pith_i_tuples_free(env, &b->seen);
}

/* ---- what a recursive clause needs ------------------------------------- */

typedef struct {
  pith_i_lit atoms[PITH_I_ATOMS];
  uint32_t n, vars;
} joined;

/* The parts that have the target, as one; the others only restrict which
** examples are covered. */
static void join_recursive(const bodies *b, const pith_i_clause *c, bool open,
                           joined *out) {
  const pith_i_space *s = b->g->m->space;
  *out = (joined){.n = 0};
  for (uint32_t i = 0; i < c->part_count; i++) {
    const pith_i_piece *p = &b->g->parts.at[c->part[i]];
    if (p->targets == 0)
      continue;
    for (uint32_t k = 0; k < p->n; k++) {
      pith_i_lit *atom = &out->atoms[out->n++];
      *atom = p->atoms[k];
      for (uint32_t j = 0; j < s->choices.at[atom->choice].arity; j++)
        if (atom->arg[j] >= s->head)
          atom->arg[j] = (uint8_t)(atom->arg[j] + out->vars);
      if (open && s->choices.at[atom->choice].kind == PITH_I_TARGET_ATOM)
        atom->choice = (uint16_t)s->open;
    }
    out->vars += p->vars;
  }
}

static bool is_target_literal(const pith_i_space *s, const pith_i_lit *atom) {
  pith_i_kind kind = s->choices.at[atom->choice].kind;
  return kind == PITH_I_TARGET_ATOM || kind == PITH_I_OPEN_ATOM;
}

/* The bit of the example that a target atom is in a row, or PITH_NONE: it is
** given, and needs no rule. The sample has all examples, in their order. */
static uint32_t needed_example(const pith_i_sample *m, const pith_i_lit *atom,
                               const uint32_t *row) {
  assert(atom->choice < m->space->choices.n);
  const pith_i_space *s = m->space;
  uint32_t key[PITH_I_PLACES];
  for (uint32_t i = 0; i < s->head; i++)
    key[i] = atom->arg[i] < s->head
                 ? s->args[(size_t)m->pick[row[0]] * s->head + atom->arg[i]]
                 : row[1 + atom->arg[i] - s->head];
  uint32_t at =
      pith_i_tuples_find(&s->store.relations.at[atom->choice].rows, key);
  uint32_t end = atom->choice == s->open ? s->examples : s->positives;
  return at < end ? (uint32_t)pith_i_sample_bit(m, at) : PITH_NONE;
}

static pith_status collect_edges(const bodies *b, const joined *body,
                                 const pith_i_table *t, pith_i_tuples *edges) {
  const pith_i_sample *m = b->g->m;
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc >= 0 && i < t->rows; i++) {
    const uint32_t *row = t->at.at + i * t->width;
    uint32_t edge[PITH_I_ATOMS + 1], n = 1;
    edge[0] = (uint32_t)pith_i_sample_bit(m, row[0]);
    bool itself = false;
    for (uint32_t k = 0; k < body->n; k++)
      if (is_target_literal(m->space, &body->atoms[k])) {
        edge[n] = needed_example(m, &body->atoms[k], row);
        itself = itself || edge[n] == edge[0];
        n++;
      }
    if (!itself)
      rc = pith_i_tuples_add(b->arena.env, edges, edge, NULL, NULL);
  }
  return rc;
}

static uint64_t hash_edges(const pith_i_tuples *edges) {
  uint64_t sum = edges->width;
  for (size_t i = 0; i < edges->n; i++)
    sum += pith_i_mix(
        pith_i_hash_tuple(edges->at + i * edges->width, edges->width), 7);
  return sum;
}

static pith_status keep_edges(bodies *b, pith_i_clause *c,
                              const pith_i_tuples *edges, bool *fresh) {
  uint64_t h = hash_edges(edges);
  uint32_t key[2] = {(uint32_t)h, (uint32_t)(h >> 32)};
  pith_status rc = pith_i_tuples_add(b->arena.env, &b->seen, key, NULL, fresh);
  if (rc < 0 || !*fresh)
    return rc;
  size_t bytes = edges->n * edges->width * sizeof *c->edges;
  c->edge_count = edges->n;
  c->edges = pith_i_arena_alloc(&b->arena, bytes + 8);
  if (c->edges == NULL)
    return PITH_ENOMEM;
  if (bytes > 0)
    memcpy(c->edges, edges->at, bytes);
  return PITH_OK;
}

/* The examples that the clause may derive: in the open, those which the parts
** without the target cover. */
static void find_among(const bodies *b, const pith_i_clause *c, bool open,
                       uint64_t *among) {
  size_t words = b->g->m->words;
  memset(among, 0xff, words * sizeof *among);
  for (uint32_t i = 0; i < c->part_count; i++) {
    const pith_i_piece *p = &b->g->parts.at[c->part[i]];
    for (size_t w = 0; w < words && !(open && p->targets > 0); w++)
      among[w] &= p->cover[w];
  }
}

pith_status pith_i_clause_edges(pith_i_bodies *b, pith_i_clause *c, bool open,
                                bool *fresh) {
  pith_i_env *env = b->arena.env;
  pith_i_table t = {0}, scratch = {0};
  pith_i_tuples edges = {.width = 1 + c->targets};
  joined body;
  bool full = true;
  uint64_t *among = pith_i_alloc(env, (b->g->m->words + 1) * sizeof *among);
  if (among == NULL)
    return PITH_ENOMEM;
  find_among(b, c, open, among);
  join_recursive(b, c, open, &body);
  pith_status rc =
      pith_i_table_body(b->g->m, among, body.atoms, body.n,
                        PITH_TUNE_CLAUSE_RECURSIVE_EDGES, &t, &scratch, &full);
  if (rc >= 0)
    rc = collect_edges(b, &body, &t, &edges);
  *fresh = false;
  if (rc >= 0 && full && edges.n > 0)
    rc = keep_edges(b, c, &edges, fresh);
  pith_i_release(env, among);
  pith_i_tuples_free(env, &edges);
  pith_i_table_free(env, &t);
  pith_i_table_free(env, &scratch);
  return rc;
}

static bool edge_fires(const uint32_t *edge, uint32_t targets,
                       const uint64_t *have) {
  for (uint32_t k = 1; k <= targets; k++)
    if (edge[k] != PITH_NONE && !pith_i_bit(have, edge[k]))
      return false;
  return true;
}

static bool close_once(const pith_i_clause *c, uint64_t *have) {
  bool changed = false;
  for (size_t i = 0; i < c->edge_count; i++) {
    const uint32_t *edge = c->edges + i * (1 + c->targets);
    if (!pith_i_bit(have, edge[0]) && edge_fires(edge, c->targets, have)) {
      have[edge[0] >> 6] |= UINT64_C(1) << (edge[0] & 63);
      changed = true;
    }
  }
  return changed;
}

void pith_i_clauses_close(pith_i_sample *m, const pith_i_clause *const *clauses,
                          uint32_t n, uint64_t *have) {
  bool changed = true;
  while (changed) {
    changed = false;
    for (uint32_t i = 0; i < n; i++) {
      m->work += clauses[i]->edge_count;
      changed =
          (clauses[i]->targets > 0 && close_once(clauses[i], have)) || changed;
    }
  }
}

static bool close_lanes_once(const pith_i_clause *c, uint64_t *lanes) {
  uint64_t changed = 0;
  for (size_t i = 0; i < c->edge_count; i++) {
    const uint32_t *edge = c->edges + i * (1 + c->targets);
    uint64_t fires = ~lanes[edge[0]];
    for (uint32_t k = 1; k <= c->targets; k++)
      fires &= edge[k] == PITH_NONE ? ~UINT64_C(0) : lanes[edge[k]];
    lanes[edge[0]] |= fires;
    changed |= fires;
  }
  return changed != 0;
}

void pith_i_clauses_close_lanes(pith_i_sample *m,
                                const pith_i_clause *const *clauses, uint32_t n,
                                uint32_t without, uint64_t *lanes) {
  bool changed = true;
  while (changed) {
    changed = false;
    for (uint32_t i = 0; i < n; i++) {
      if (i == without || clauses[i]->targets == 0)
        continue;
      m->work += clauses[i]->edge_count;
      changed = close_lanes_once(clauses[i], lanes) || changed;
    }
  }
}

/* ---- keeping a clause ---------------------------------------------------- */

static bool is_subset(const uint64_t *a, const uint64_t *b, size_t words) {
  uint64_t rest = 0;
  for (size_t i = 0; i < words; i++)
    rest |= a[i] & ~b[i];
  return rest == 0;
}

static bool is_dominated(const bodies *b, const pith_i_clause *c) {
  b->g->m->work += b->plain.n / 4;
  for (size_t i = 0; i < b->plain.n; i++)
    if (b->plain.at[i].pos >= c->pos && b->plain.at[i].cost <= c->cost &&
        is_subset(c->cover, b->plain.at[i].cover, b->g->m->pos_words))
      return true;
  return false;
}

void pith_i_clause_helpers(const pith_i_growth *g, const pith_i_clause *c,
                           pith_i_helpers *h) {
  for (uint32_t i = 0; i < c->part_count; i++) {
    const pith_i_piece *p = &g->parts.at[c->part[i]];
    for (uint32_t k = 0; k < p->n; k++)
      pith_i_helper_need(g->m->space, p->atoms[k].choice, h);
  }
}

static double bits_of(const bodies *b, const pith_i_clause *c) {
  double bits = 1 + c->atoms; /* is there another rule, another atom? */
  for (uint32_t i = 0; i < c->part_count; i++)
    bits += b->g->parts.at[c->part[i]].bits - log2(i + 1); /* in any order */
  return bits;
}

static void price_clause(const bodies *b, pith_i_clause *c) {
  pith_i_helpers h = {.n = 0};
  c->odd = pith_i_oddness(b->g, c->part, c->part_count);
  c->cost = PITH_I_COST + c->odd;
  for (uint32_t i = 0; i < c->part_count; i++) {
    const pith_i_piece *p = &b->g->parts.at[c->part[i]];
    c->cost += pith_i_cost_of_atoms(b->g->m->space, p->atoms, p->n, &h);
  }
  c->cost += pith_i_cost_of_helpers(b->g->m->space, &h);
  c->invented = h.n;
  c->bits = bits_of(b, c);
}

/* Whether another clause must have an atom of the kind that is needed. */
static bool lacks_needed(const bodies *b, const pith_i_clause *c) {
  if (b->g->limits.needed == PITH_I_GIVEN_ATOM)
    return false;
  for (uint32_t i = 0; i < c->part_count; i++)
    if (b->g->parts.at[c->part[i]].needed > 0)
      return false;
  return true;
}

/* Whether all programs with the clause cost as much as what is there: a
** recursive one needs another that is not, as does one that leaves a positive
** example uncovered; and where an atom of some kind is needed, another clause
** has it if this one does not. */
static bool is_too_dear(const bodies *b, const pith_i_clause *c) {
  const pith_i_grow_limits *l = &b->g->limits;
  uint64_t other = c->targets > 0 ? PITH_I_COST : 0;
  if (lacks_needed(b, c))
    other += 2 * PITH_I_COST + l->extra;
  if (c->pos < b->g->m->positives && l->other > other)
    other = l->other;
  return b->below > 0 && c->cost + other >= b->below;
}

pith_status pith_i_bodies_keep(pith_i_bodies *b, pith_i_clause c,
                               const uint64_t *cover) {
  size_t bytes = b->g->m->words * sizeof *cover;
  bool fresh = true;
  c.cover = (uint64_t *)cover;
  price_clause(b, &c);
  if (b->visit != NULL)
    return b->visit(b->visit_ctx, b, &c);
  if (is_too_dear(b, &c))
    return PITH_OK;
  if (c.targets == 0 &&
      (b->plain.n >= PITH_TUNE_CLAUSE_KEPT || is_dominated(b, &c))) {
    b->cut = b->cut || b->plain.n >= PITH_TUNE_CLAUSE_KEPT;
    return PITH_OK;
  }
  if (c.targets > 0 && b->recursive.n >= PITH_TUNE_CLAUSE_KEPT_RECURSIVE) {
    b->cut = true;
    return PITH_OK;
  }
  pith_status rc =
      c.targets == 0 ? PITH_OK : pith_i_clause_edges(b, &c, false, &fresh);
  if (rc < 0 || !fresh)
    return rc;
  c.cover = pith_i_arena_alloc(&b->arena, bytes + 8);
  if (c.cover == NULL)
    return PITH_ENOMEM;
  memcpy(c.cover, cover, bytes);
  return (c.targets == 0 ? pith_i_push(b->arena.env, &b->plain, c)
                         : pith_i_push(b->arena.env, &b->recursive, c))
             ? PITH_OK
             : PITH_ENOMEM;
}

/* ---- all bodies ----------------------------------------------------- */

typedef struct {
  bodies *b;
  uint64_t *covers; /* (PITH_I_ATOMS, words) of the parts so far */
  pith_i_clause c;
  uint32_t bound, all_bound;
  uint32_t cost;  /* of the parts so far */
  uint32_t parts; /* of a body; no more, no less */
} builder;

static bool same_bits(const uint64_t *a, const uint64_t *b, size_t words) {
  return memcmp(a, b, words * sizeof *a) == 0;
}

/* f(A,B) :- p(A), A = B is written f(A,A) :- p(A), and is as short. */
static bool is_equal(const bodies *b, const pith_i_piece *p) {
  return b->g->m->space->choices.at[p->atoms[0].choice].kind ==
         PITH_I_EQUAL_ATOM;
}

static pith_status extend_body(builder *u, size_t first, uint32_t left);

/* Whether the part is of no use: the body without it, or it alone, covers the
** same and binds as much. cover: of the body with it. */
static bool adds_nothing(const builder *u, const pith_i_piece *p,
                         const uint64_t *cover) {
  size_t words = u->b->g->m->words;
  if (u->c.part_count == 0)
    return false;
  bool binds = (p->bound & ~u->bound) != 0;
  return (!binds && same_bits(cover, cover - words, words)) ||
         ((u->bound & ~p->bound) == 0 && same_bits(cover, p->cover, words));
}

/* Whether a body that covers so many positive examples is not worth looking
** at. */
static bool is_hopeless(const builder *u, const pith_i_piece *p, uint32_t pos,
                        uint32_t left) {
  const bodies *b = u->b;
  bool single = b->g->limits.noisy && u->c.part_count == 0 && left == 1;
  if ((pos == 0 && !single) ||
      u->c.targets + p->targets > PITH_TUNE_CLAUSE_TARGET_ATOMS)
    return true;
  return pos < b->g->m->positives && b->below > 0 &&
         PITH_I_COST + u->cost + p->cost + b->g->limits.other >=
             b->below; /* there is no room for another clause */
}

/* With one more part; prunes what a smaller body does as well. */
static pith_status add_part(builder *u, size_t at, uint32_t left) {
  bodies *b = u->b;
  const pith_i_sample *m = b->g->m;
  uint32_t number = b->usable.at[at], depth = u->c.part_count;
  const pith_i_piece *p = &b->g->parts.at[number];
  uint64_t *cover = u->covers + depth * m->words;
  const uint64_t *before = depth == 0 ? NULL : cover - m->words;
  b->g->m->work += m->words;
  for (size_t i = 0; i < m->words; i++)
    cover[i] = (before == NULL ? ~UINT64_C(0) : before[i]) & p->cover[i];
  uint32_t pos = depth == 0 ? p->pos : pith_i_count_bits(cover, m->pos_words);
  if (is_hopeless(u, p, pos, left) || adds_nothing(u, p, cover))
    return PITH_OK;
  pith_i_clause c = u->c;
  uint32_t bound = u->bound, before_cost = u->cost;
  u->cost += p->cost;
  u->c.part[u->c.part_count++] = number;
  u->c.atoms += p->n;
  u->c.vars += p->vars;
  u->c.targets += p->targets;
  u->c.equals += is_equal(b, p);
  u->c.pos = pos;
  u->c.neg = pith_i_count_bits(cover + m->pos_words, m->words - m->pos_words);
  u->bound |= p->bound;
  bool safe = u->bound == u->all_bound;
  pith_status rc = PITH_OK;
  bool whole = left == p->n && u->c.part_count == u->parts;
  b->now->tried += whole;
  if (whole && safe && (u->c.neg == 0 || b->g->limits.noisy))
    rc = pith_i_bodies_keep(b, u->c, cover);
  else if (left > p->n && u->c.part_count < u->parts &&
           !(safe && u->c.neg == 0 && !b->g->limits.open))
    rc = extend_body(u, at + 1, left - p->n);
  u->c = c;
  u->bound = bound;
  u->cost = before_cost;
  return rc;
}

static pith_status extend_body(builder *u, size_t first, uint32_t left) {
  bodies *b = u->b;
  pith_status rc = PITH_OK;
  for (size_t i = first; rc >= 0 && i < b->usable.n; i++) {
    const pith_i_piece *p = &b->g->parts.at[b->usable.at[i]];
    if (p->n > left)
      break;
    if (u->c.part_count + 1 == u->parts && p->n != left)
      continue;
    if (b->max_vars > 0 &&
        b->g->m->space->head + u->c.vars + p->vars > b->max_vars)
      continue;
    if (b->g->m->work > b->work || pith_i_stop_requested(b->g->limits.run)) {
      b->cut = true;
      break;
    }
    rc = add_part(u, i, left);
  }
  return rc;
}

static pith_status list_usable(bodies *b, uint32_t n) {
  b->usable.n = 0;
  for (uint32_t k = 1; k <= n; k++)
    for (size_t i = 0; i < b->g->level[k].n; i++) {
      uint32_t number = b->g->level[k].at[i].part;
      const pith_i_piece *p = &b->g->parts.at[number];
      if (!p->twin && !p->stuck &&
          !pith_i_push(b->arena.env, &b->usable, number))
        return PITH_ENOMEM;
    }
  return PITH_OK;
}

pith_status pith_i_bodies_level(pith_i_bodies *b, uint32_t n) {
  assert(n > 0 && n <= PITH_I_ATOMS);
  const pith_i_sample *m = b->g->m;
  builder u = {.b = b, .all_bound = (UINT32_C(1) << m->space->head) - 1};
  pith_status rc = list_usable(b, n);
  u.covers = pith_i_alloc(b->arena.env,
                          ((size_t)n + 1) * (m->words + 1) * sizeof *u.covers);
  if (u.covers == NULL)
    return PITH_ENOMEM;
  /* Few parts first: there are fewer such bodies. */
  for (u.parts = 1; rc >= 0 && u.parts <= n; u.parts++)
    rc = extend_body(&u, 0, n);
  pith_i_release(b->arena.env, u.covers);
  return rc;
}
