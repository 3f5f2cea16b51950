#include "learn/clauses/greedy_bodies.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/tunables.h"

typedef struct {
  pith_i_bodies *b;
  pith_i_clause c;
  uint32_t bound, all_bound;
  uint64_t *cover; /* (words) */
  uint32_t most, example;
} builder;

static uint32_t count_negatives(const pith_i_sample *m, const uint64_t *cover) {
  return pith_i_count_bits(cover + m->pos_words, m->words - m->pos_words);
}

static bool part_fits(const builder *u, const pith_i_piece *p) {
  const pith_i_bodies *b = u->b;
  uint32_t vars = b->g->m->space->head + u->c.vars + p->vars;
  return !p->twin && !p->stuck && p->targets == 0 &&
         pith_i_bit(p->cover, u->example) && u->c.part_count < PITH_I_ATOMS &&
         u->c.atoms + p->n <= u->most &&
         (b->max_vars == 0 || vars <= b->max_vars);
}

/* How much the part tells, for each of its atoms; 0: nothing. Binding what the
** head needs is worth a bit. */
static double part_worth(const builder *u, const pith_i_piece *p) {
  const pith_i_sample *m = u->b->g->m;
  double before = u->c.neg, after = 0;
  for (size_t w = m->pos_words; w < m->words; w++)
    after += __builtin_popcountll(u->cover[w] & p->cover[w]);
  bool binds = (p->bound & ~u->bound) != 0;
  return (log2((before + 1) / (after + 1)) + binds) / p->n;
}

static void add_to_body(builder *u, uint32_t part) {
  assert(part < u->b->g->parts.n && u->c.part_count < PITH_I_ATOMS);
  const pith_i_sample *m = u->b->g->m;
  const pith_i_piece *p = &u->b->g->parts.at[part];
  for (size_t w = 0; w < m->words; w++)
    u->cover[w] &= p->cover[w];
  u->c.part[u->c.part_count++] = part;
  u->c.atoms += p->n;
  u->c.vars += p->vars;
  u->bound |= p->bound;
  u->c.neg = count_negatives(m, u->cover);
}

/* The body without its i-th part. */
static void rebuild_without(builder *u, uint32_t i) {
  assert(i == PITH_NONE || i < u->c.part_count);
  pith_i_clause c = u->c;
  memset(u->cover, 0xff, u->b->g->m->words * sizeof *u->cover);
  u->c = (pith_i_clause){.neg = u->b->g->m->n - u->b->g->m->positives};
  u->bound = 0;
  for (uint32_t k = 0; k < c.part_count; k++)
    if (k != i)
      add_to_body(u, c.part[k]);
}

static bool is_complete_body(const builder *u) {
  return u->c.neg == 0 && u->bound == u->all_bound;
}

/* Parts that those after them have made needless. */
static void drop_needless_parts(builder *u) {
  for (uint32_t i = 0; i < u->c.part_count;) {
    pith_i_clause before = u->c;
    rebuild_without(u, i);
    if (is_complete_body(u))
      continue;
    u->c = before;
    rebuild_without(u, PITH_NONE);
    i++;
  }
}

static pith_status build_greedily(builder *u) {
  const pith_i_growth *g = u->b->g;
  rebuild_without(u, PITH_NONE);
  while (!is_complete_body(u)) {
    uint32_t best = PITH_NONE;
    double most = 0;
    for (uint32_t i = 0; i < g->parts.n; i++) {
      double now =
          part_fits(u, &g->parts.at[i]) ? part_worth(u, &g->parts.at[i]) : 0;
      if (now > most) {
        most = now;
        best = i;
      }
    }
    g->m->work += g->parts.n * g->m->words;
    if (best == PITH_NONE || g->m->work > u->b->work)
      return PITH_OK;
    add_to_body(u, best);
  }
  drop_needless_parts(u);
  u->c.pos = pith_i_count_bits(u->cover, g->m->pos_words);
  return pith_i_bodies_keep(u->b, u->c, u->cover);
}

static bool is_covered(const pith_i_bodies *b, uint32_t example) {
  for (size_t i = 0; i < b->plain.n; i++)
    if (pith_i_bit(b->plain.at[i].cover, example))
      return true;
  return false;
}

pith_status pith_i_bodies_greedy(pith_i_bodies *b, uint32_t most) {
  const pith_i_sample *m = b->g->m;
  pith_i_env *env = b->arena.env;
  builder u = {.b = b, .most = most};
  u.all_bound = (UINT32_C(1) << m->space->head) - 1;
  u.cover = pith_i_alloc(env, (m->words + 1) * sizeof *u.cover);
  pith_status rc = u.cover == NULL ? PITH_ENOMEM : PITH_OK;
  for (uint32_t tried = 0; rc >= 0 && u.example < m->positives; u.example++) {
    if (is_covered(b, u.example))
      continue;
    if (tried++ == PITH_TUNE_CLAUSE_GREEDY_EXAMPLES ||
        pith_i_stop_requested(b->g->limits.run))
      break;
    u.c = (pith_i_clause){.part_count = 0};
    rc = build_greedily(&u);
    if (b->g->limits.whole)
      break; /* the same for each */
  }
  pith_i_release(env, u.cover);
  return rc;
}
