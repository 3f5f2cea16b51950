#include "learn/clauses/part_attempt.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "learn/clauses/clause_cost.h"
#include "learn/clauses/oddness.h"
#include "learn/clauses/part_calls.h"
#include "learn/clauses/proposed_values.h"
#include "score/length.h"

typedef pith_i_growth growth;
typedef pith_i_piece part;

static pith_status add_fingerprint(pith_i_env *env, pith_i_tuples *set,
                                   uint64_t hash, uint32_t *row, bool *fresh) {
  uint32_t key[2] = {(uint32_t)hash, (uint32_t)(hash >> 32)};
  return pith_i_tuples_add(env, set, key, row, fresh);
}

/* Whether the attempt's table is new. If not, there is one more way to say the
** part that has it. */
static pith_status see_table(growth *g, uint64_t hash, uint16_t choice,
                             bool *fresh) {
  uint32_t row;
  pith_status rc = add_fingerprint(g->arena.env, &g->tables, hash, &row, fresh);
  if (rc < 0)
    return rc;
  bool pushed = true;
  if (*fresh)
    pushed = pith_i_push(g->arena.env, &g->owner, PITH_NONE);
  else if (g->owner.at[row] != PITH_NONE)
    pushed = pith_i_push(g->arena.env, &g->again,
                         (pith_i_again){g->owner.at[row], choice});
  return pushed ? PITH_OK : PITH_ENOMEM;
}

/* ---- the identity of a table ------------------------------------------ */

/* Rows are a set and variables have no names, so the hash adds up rows and
** takes columns in the order of their own hashes. */
static void hash_columns(const pith_i_table *t, uint64_t *sum,
                         uint32_t *order) {
  uint32_t n = t->width - 1;
  memset(sum, 0, n * sizeof *sum);
  for (size_t i = 0; i < t->rows; i++) {
    const uint32_t *row = t->at.at + i * t->width;
    uint64_t example = pith_i_mix(row[0], 1);
    for (uint32_t k = 0; k < n; k++)
      sum[k] += pith_i_mix(example, row[1 + k]);
  }
  for (uint32_t k = 0; k < n; k++) {
    uint32_t at = k;
    for (; at > 0 && sum[order[at - 1]] > sum[k]; at--)
      order[at] = order[at - 1];
    order[at] = k;
  }
}

/* A factor for each place of a column, so that they need not wait for one
** another. */
static uint64_t hash_rows(const pith_i_table *t, const uint32_t *order) {
  uint64_t sum = t->width, factor[PITH_I_VARS];
  for (uint32_t k = 0; k + 1 < t->width; k++)
    factor[order[k]] = pith_i_mix(k + 1, 11) | 1;
  for (size_t i = 0; i < t->rows; i++) {
    const uint32_t *row = t->at.at + i * t->width;
    uint64_t h = pith_i_mix(row[0], 1);
    for (uint32_t k = 0; k + 1 < t->width; k++)
      h += (row[1 + k] + UINT64_C(1)) * factor[k];
    sum += pith_i_mix(pith_i_mix(h, 1), 2);
  }
  return sum;
}

/* Where the target is used, it matters of what. */
static uint64_t hash_targets(const pith_i_attempt *a, const uint64_t *column) {
  const pith_i_space *s = a->g->m->space;
  uint64_t sum = 0;
  for (uint32_t i = 0; i < a->n; i++) {
    const pith_i_kind_of_atom *c = &s->choices.at[a->atoms[i].choice];
    if (c->kind != PITH_I_TARGET_ATOM)
      continue;
    uint64_t h = 3;
    for (uint32_t k = 0; k < c->arity; k++) {
      uint32_t v = a->atoms[i].arg[k];
      h = pith_i_mix(h, v < s->head ? v : column[v - s->head]);
    }
    sum += pith_i_mix(h, 5);
  }
  return sum;
}

static uint64_t table_hash(const pith_i_attempt *a, uint32_t bound) {
  uint64_t column[PITH_I_VARS];
  uint32_t order[PITH_I_VARS];
  hash_columns(&a->next, column, order);
  uint64_t h = hash_rows(&a->next, order);
  return pith_i_mix(pith_i_mix(h, bound), hash_targets(a, column));
}

/* ---- keeping a part --------------------------------------------------- */

/* Where bias.pl has directions: stuck as pith_i_variables_given tells. */
static uint32_t head_bound(const pith_i_attempt *a, bool *stuck) {
  const pith_i_space *s = a->g->m->space;
  *stuck = false;
  if (a->g->directed)
    return s->given | pith_i_variables_given(s, a->atoms, a->n, stuck);
  uint64_t bound = s->given, head = (UINT64_C(1) << s->head) - 1;
  for (uint32_t i = 0; i < a->n; i++)
    bound |= pith_i_variables_bound(s, &a->atoms[i]);
  return (uint32_t)(bound & head);
}

static uint32_t count_atoms_of(const pith_i_attempt *a, pith_i_kind kind) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < a->n; i++)
    n += a->g->m->space->choices.at[a->atoms[i].choice].kind == kind;
  return n;
}

static bool needs_kind(const growth *g) {
  return g->limits.needed != PITH_I_GIVEN_ATOM;
}

static uint32_t needed_atoms(const pith_i_attempt *a) {
  return needs_kind(a->g) ? count_atoms_of(a, a->g->limits.needed) : 0;
}

/* Bits saved in telling the covered positives: as FOIL weighs a literal. */
static double score_of(const pith_i_sample *m, uint32_t pos, uint32_t neg) {
  double p = pos, n = neg, all = m->positives, rest = m->n - m->positives;
  return p * (log2((p + 1) / (p + n + 1)) - log2((all + 1) / (all + rest + 1)));
}

bool pith_i_is_apart(const pith_i_attempt *a) {
  const pith_i_space *s = a->g->m->space;
  const pith_i_lit *atom = &a->atoms[a->n - 1];
  bool apart = a->n > 1;
  for (uint32_t k = 0; k < s->choices.at[atom->choice].arity; k++)
    apart = apart && atom->arg[k] >= s->head;
  return apart;
}

static bool binds_head(const pith_i_space *s, const part *p) {
  return p->bound + 1 == UINT32_C(1) << s->head;
}

bool pith_i_is_refinable(const growth *g, const part *p,
                         const pith_i_lit *atoms) {
  const pith_i_space *s = g->m->space;
  return (p->neg > 0 || p->loose || !binds_head(s, p) || g->limits.open) &&
         p->refine < s->choices.at[atoms[p->n - 1].choice].arity;
}

static pith_status keep_part(pith_i_attempt *a, uint32_t vars, bool grows) {
  assert(a->n > 0 && a->n <= PITH_I_ATOMS);
  growth *g = a->g;
  size_t bytes = g->m->words * sizeof(uint64_t);
  part p = {.n = a->n, .vars = vars, .rows = grows ? a->next.rows : 0};
  p.bound = head_bound(a, &p.stuck);
  p.targets = count_atoms_of(a, PITH_I_TARGET_ATOM);
  p.denials = count_atoms_of(a, PITH_I_ABSENT_ATOM);
  p.needed = needed_atoms(a);
  p.pos = pith_i_count_bits(a->cover, g->m->pos_words);
  p.neg = pith_i_count_bits(a->cover + g->m->pos_words,
                            g->m->words - g->m->pos_words);
  bool fresh = true;
  uint64_t h = pith_i_mix(pith_i_hash_bytes(a->cover, bytes),
                          p.stuck ? PITH_NONE : p.bound);
  pith_status rc = PITH_OK;
  p.loose = vars > g->limits.vars;
  p.apart = a->refine < PITH_I_PLACES && pith_i_is_apart(a);
  p.refine = a->refine;
  if (p.targets == 0 && !p.loose)
    rc = add_fingerprint(g->arena.env, &g->covers, h, NULL, &fresh);
  p.twin = !fresh || p.loose;
  bool enough = p.neg == 0 && binds_head(g->m->space, &p);
  p.closed = !grows || vars == 0 || (enough && !g->limits.open) || p.loose;
  if (rc < 0 || (p.twin && p.closed && !pith_i_is_refinable(g, &p, a->atoms)))
    return rc;
  pith_i_helpers helpers = {.n = 0};
  p.cost = pith_i_cost_of_atoms(g->m->space, a->atoms, a->n, &helpers);
  p.score = score_of(g->m, p.pos, p.neg);
  p.atoms = pith_i_arena_alloc(&g->arena, a->n * sizeof *p.atoms);
  p.cover = pith_i_arena_alloc(&g->arena, bytes + 8);
  if (p.atoms == NULL || p.cover == NULL)
    return PITH_ENOMEM;
  memcpy(p.atoms, a->atoms, a->n * sizeof *p.atoms);
  memcpy(p.cover, a->cover, bytes);
  return pith_i_push(g->arena.env, &g->parts, p) &&
                 pith_i_push(g->arena.env, &g->level[a->n],
                             (pith_i_rank){p.score, (uint32_t)g->parts.n - 1})
             ? PITH_OK
             : PITH_ENOMEM;
}

/* ---- trying an atom ---------------------------------------------------- */

static bool is_same_literal(const pith_i_space *s, const pith_i_lit *a,
                            const pith_i_lit *b) {
  return a->choice == b->choice &&
         memcmp(a->arg, b->arg, s->choices.at[a->choice].arity) == 0;
}

bool pith_i_is_useless_atom(const pith_i_attempt *a) {
  const pith_i_space *s = a->g->m->space;
  const pith_i_lit *atom = &a->atoms[a->n - 1];
  const pith_i_kind_of_atom *c = &s->choices.at[atom->choice];
  for (uint32_t i = 0; i + 1 < a->n; i++)
    if (is_same_literal(s, &a->atoms[i], atom))
      return true;
  bool itself = c->kind == PITH_I_TARGET_ATOM;
  for (uint32_t k = 0; k < c->arity; k++)
    itself = itself && atom->arg[k] == k;
  return itself;
}

void pith_i_count_next_atom(pith_i_attempt *a) {
  uint16_t choice = a->atoms[a->n - 1].choice;
  if (a->g->m->space->choices.at[choice].helper == PITH_I_NO_HELPER)
    a->tried++;
  else
    a->calls[choice]++;
}

/* Whether the last atom has a new variable in a place with many values, which
** the table will propose some of. */
static bool may_propose(const pith_i_attempt *a, uint32_t fresh) {
  const pith_i_space *s = a->g->m->space;
  const pith_i_kind_of_atom *c = &s->choices.at[a->atoms[a->n - 1].choice];
  return fresh > 0 && c->many != 0 && s->few > 0;
}

/* What a program costs at least that has a clause with these atoms. Where none
** of them is of the kind that is needed, one more atom has to be. */
static uint64_t least_cost_with(const pith_i_attempt *a) {
  const pith_i_grow_limits *l = &a->g->limits;
  const pith_i_space *s = a->g->m->space;
  pith_i_helpers h = {.n = 0};
  uint32_t needed = needed_atoms(a);
  uint64_t least = PITH_I_COST + pith_i_cost_of_atoms(s, a->atoms, a->n, &h);
  least += pith_i_cost_of_helpers(s, &h);
  if (l->extra > 0)
    least += l->extra + (needed > 1 ? (needed - 1) * PITH_I_DENIED_AGAIN : 0);
  least += needs_kind(a->g) && needed == 0 ? PITH_I_COST : 0;
  return least;
}

static pith_status propose_values(pith_i_attempt *a);

pith_status pith_i_try_atom(pith_i_attempt *a, uint32_t fresh) {
  growth *g = a->g;
  uint32_t vars = a->vars + fresh - g->m->space->head;
  bool proposes = may_propose(a, fresh);
  bool grows = !a->last && vars > 0, full = true, new_table = true;
  bool tabled = grows || proposes;
  uint64_t below = g->limits.below == 0 ? UINT64_MAX : g->limits.below;
  uint64_t least = below == UINT64_MAX ? 0 : least_cost_with(a);
  if (least >= below)
    return PITH_OK;
  if (tabled && pith_i_table_expect(g->m, &a->table, &a->atoms[a->n - 1]) >
                    (double)g->limits.rows) {
    grows = tabled = false; /* through what many things share: all to all */
    g->cut = true;
  }
  bool alone = g->limits.whole ||
               least + g->limits.other >= below; /* it has to cover all */
  g->m->wants_all = alone;
  pith_status rc = pith_i_table_join(g->m, &a->table, &a->atoms[a->n - 1],
                                     fresh, g->limits.rows,
                                     tabled ? &a->next : NULL, a->cover, &full);
  g->m->wants_all = false;
  bool single = g->limits.noisy && a->n == 1; /* may start a recursion */
  uint32_t pos = rc < 0 ? 0 : pith_i_count_bits(a->cover, g->m->pos_words);
  if (rc < 0 || (!single && pos == 0) || (alone && pos < g->m->positives))
    return rc;
  if (tabled && full) {
    bool stuck;
    uint32_t bound = head_bound(a, &stuck);
    rc = see_table(g, table_hash(a, stuck ? PITH_NONE : bound),
                   a->atoms[a->n - 1].choice, &new_table);
    g->m->work += a->next.rows;
  }
  g->cut = g->cut || !full;
  if (rc < 0 || !new_table)
    return rc;
  size_t before = g->parts.n;
  rc = keep_part(a, vars, grows && full);
  if (rc >= 0 && tabled && full && g->parts.n > before)
    g->owner.at[g->owner.n - 1] = (uint32_t)before;
  return rc >= 0 && proposes && tabled && full ? propose_values(a) : rc;
}

uint32_t pith_i_number_new(pith_i_attempt *a) {
  const pith_i_space *s = a->g->m->space;
  pith_i_lit *atom = &a->atoms[a->n - 1];
  const pith_i_kind_of_atom *c = &s->choices.at[atom->choice];
  uint8_t was[PITH_I_PLACES];
  uint32_t fresh = 0;
  for (uint32_t k = 0; k < c->arity; k++) {
    was[k] = atom->arg[k];
    if (was[k] < a->vars)
      continue;
    uint32_t i = 0;
    while (i < k && was[i] != was[k])
      i++;
    atom->arg[k] = i < k ? atom->arg[i] : (uint8_t)(a->vars + fresh);
    a->domain[atom->arg[k]] = c->domain[i];
    fresh += i == k;
  }
  return fresh;
}

/* ---- values that the examples propose ----------------------------------- */

/* The last atom with a value in a place. */
static pith_status try_proposed(pith_i_attempt *a, uint32_t place,
                                pith_sym value) {
  pith_i_lit *atom = &a->atoms[a->n - 1];
  const pith_i_lit was = *atom;
  uint32_t choice, domain[PITH_I_VARS];
  pith_status rc =
      pith_i_space_value(a->g->m->space, atom->choice, place, value, &choice);
  if (rc < 0 || choice == PITH_NONE)
    return rc;
  memcpy(domain, a->domain, sizeof domain);
  atom->choice = (uint16_t)choice;
  memmove(&atom->arg[place], &atom->arg[place + 1], PITH_I_PLACES - 1 - place);
  rc = pith_i_try_atom(a, pith_i_number_new(a));
  *atom = was;
  memcpy(a->domain, domain, sizeof domain);
  return rc;
}

/* For each place with many values that has a new variable, values that tell
** the examples apart, as the table of matches has them. */
static pith_status propose_values(pith_i_attempt *a) {
  growth *g = a->g;
  const pith_i_space *s = g->m->space;
  const pith_i_lit atom = a->atoms[a->n - 1];
  const pith_i_kind_of_atom c = s->choices.at[atom.choice];
  pith_i_value_proposal found[PITH_I_PLACES];
  uint8_t refine = a->refine;
  pith_status rc = PITH_OK;
  for (uint32_t k = 0; rc >= 0 && k < c.arity; k++) {
    found[k].n = 0;
    if (c.many >> k & 1 && atom.arg[k] >= a->vars)
      rc = pith_i_propose_values(g->m, &a->next, atom.arg[k] - s->head,
                                 &found[k]);
  }
  for (uint32_t k = 0; rc >= 0 && k < c.arity; k++)
    for (uint32_t i = 0; rc >= 0 && i < found[k].n; i++) {
      a->refine = PITH_I_PLACES;
      rc = try_proposed(a, k, found[k].value[i]);
    }
  a->refine = refine;
  return rc;
}

/* ---- what a part costs --------------------------------------------------- */

/* Bits of the last atom, among those that could be there. A program that
** invents something has the words that are given and that one. */
static double atom_bits(const pith_i_attempt *a, uint16_t choice) {
  uint64_t others = a->tried + (choice < a->known ? a->calls[choice] : 0);
  uint32_t values = a->g->m->space->choices.at[choice].values;
  return pith_i_choice_bits(1.0 + (double)others) +
         (values == 0 ? 0 : pith_i_choice_bits((double)values));
}

void pith_i_price_new_parts(pith_i_attempt *a, size_t before, double bits) {
  growth *g = a->g;
  for (size_t i = before; i < g->parts.n; i++) {
    part *p = &g->parts.at[i];
    p->bits = bits + atom_bits(a, p->atoms[p->n - 1].choice);
  }
  for (size_t i = 0; i < g->again.n; i++) {
    double *b = &g->parts.at[g->again.at[i].part].bits;
    *b -= log2(1 + exp2(*b - bits - atom_bits(a, g->again.at[i].choice)));
  }
  g->again.n = 0;
  a->tried = 0;
  memset(a->calls, 0, a->known * sizeof *a->calls);
}
