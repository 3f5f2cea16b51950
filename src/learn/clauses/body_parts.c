#include "learn/clauses/body_parts.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/tunables.h"
#include "learn/clauses/cut_points.h"
#include "learn/clauses/proposed_values.h"
#include "score/length.h"

typedef pith_i_growth growth;
typedef pith_i_piece part;

/* What is being tried: the part it starts from, with its table. */
typedef struct {
  growth *g;
  const part *from;             /* NULL: nothing yet      */
  uint32_t vars;                /* bound, with the head's */
  uint32_t domain[PITH_I_VARS]; /* of each                */
  pith_i_lit atoms[PITH_I_ATOMS];
  uint32_t n; /* atoms; the last one is being made */
  pith_i_table table, next, scratch;
  uint64_t *cover; /* (words) */
  bool last;       /* children will not be grown */
  bool tests;      /* atoms without new variables, or those with */
  uint8_t refine;  /* first place of the last atom that is not settled */
  uint32_t tried;  /* atoms that could be next, without invented ones */
  uint32_t *calls; /* (known) those of an invented predicate */
  size_t known;    /* choices; more may be made on the way, none invented */
} attempt;

void pith_i_growth_init(pith_i_growth *g, pith_i_sample *m,
                        const pith_i_grow_limits *limits) {
  *g = (pith_i_growth){.m = m, .limits = *limits};
  g->arena.env = m->space->env;
  g->tables.width = g->covers.width = 2;
}

void pith_i_growth_free(pith_i_growth *g) {
  if (g->m == NULL)
    return;
  pith_i_env *env = g->arena.env;
  pith_i_arena_free(&g->arena);
  pith_i_vec_free(env, &g->parts);
  for (uint32_t i = 0; i <= PITH_I_ATOMS; i++)
    pith_i_vec_free(env, &g->level[i]);
  pith_i_tuples_free(env, &g->tables);
  pith_i_vec_free(env, &g->owner);
  pith_i_vec_free(env, &g->again);
  pith_i_vec_free(env, &g->order[0]);
  pith_i_vec_free(env, &g->order[1]);
  pith_i_tuples_free(env, &g->covers);
}

uint32_t pith_i_count_bits(const uint64_t *bits, size_t words) {
  uint32_t n = 0;
  for (size_t i = 0; i < words; i++)
    n += (uint32_t)__builtin_popcountll(bits[i]);
  return n;
}

static uint64_t lesser_work(uint64_t a, uint64_t b) { return a < b ? a : b; }

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
static uint64_t hash_targets(const attempt *a, const uint64_t *column) {
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

static uint64_t table_hash(const attempt *a, uint32_t bound) {
  uint64_t column[PITH_I_VARS];
  uint32_t order[PITH_I_VARS];
  hash_columns(&a->next, column, order);
  uint64_t h = hash_rows(&a->next, order);
  return pith_i_mix(pith_i_mix(h, bound), hash_targets(a, column));
}

/* ---- keeping a part --------------------------------------------------- */

static bool binds_variables(const pith_i_kind_of_atom *c) {
  return c->kind <= PITH_I_OPEN_ATOM || c->kind == PITH_I_EQUAL_ATOM;
}

static uint32_t head_bound(const attempt *a) {
  const pith_i_space *s = a->g->m->space;
  uint32_t bound = 0;
  for (uint32_t i = 0; i < a->n; i++) {
    const pith_i_kind_of_atom *c = &s->choices.at[a->atoms[i].choice];
    /* A = B binds B where A is bound. */
    uint32_t k = c->kind == PITH_I_EQUAL_ATOM ? 1 : 0;
    for (; k < c->arity && binds_variables(c); k++)
      if (a->atoms[i].arg[k] < s->head)
        bound |= UINT32_C(1) << a->atoms[i].arg[k];
  }
  return bound;
}

static uint32_t count_targets(const attempt *a) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < a->n; i++)
    n += a->g->m->space->choices.at[a->atoms[i].choice].kind ==
         PITH_I_TARGET_ATOM;
  return n;
}

/* Bits saved in telling the covered positives: as FOIL weighs a literal. */
static double score_of(const pith_i_sample *m, uint32_t pos, uint32_t neg) {
  double p = pos, n = neg, all = m->positives, rest = m->n - m->positives;
  return p * (log2((p + 1) / (p + n + 1)) - log2((all + 1) / (all + rest + 1)));
}

/* Whether the last atom, not the first, has no variable of the head; that with
** one comes another way. */
static bool is_apart(const attempt *a) {
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

/* Whether the last atom has places left that may be settled; where no negative
** example is covered, only for the sake of the head's variables. */
static bool is_refinable(const growth *g, const part *p,
                         const pith_i_lit *atoms) {
  const pith_i_space *s = g->m->space;
  return (p->neg > 0 || p->loose || !binds_head(s, p) || g->limits.open) &&
         p->refine < s->choices.at[atoms[p->n - 1].choice].arity;
}

static pith_status keep_part(attempt *a, uint32_t vars, bool grows) {
  assert(a->n > 0 && a->n <= PITH_I_ATOMS);
  growth *g = a->g;
  size_t bytes = g->m->words * sizeof(uint64_t);
  part p = {.n = a->n, .vars = vars, .bound = head_bound(a)};
  p.targets = count_targets(a);
  p.pos = pith_i_count_bits(a->cover, g->m->pos_words);
  p.neg = pith_i_count_bits(a->cover + g->m->pos_words,
                            g->m->words - g->m->pos_words);
  bool fresh = true;
  uint64_t h = pith_i_mix(pith_i_hash_bytes(a->cover, bytes), p.bound);
  pith_status rc = PITH_OK;
  p.loose = vars > g->limits.vars;
  p.apart = a->refine < PITH_I_PLACES && is_apart(a);
  p.refine = a->refine;
  if (p.targets == 0 && !p.loose)
    rc = add_fingerprint(g->arena.env, &g->covers, h, NULL, &fresh);
  p.twin = !fresh || p.loose;
  bool enough = p.neg == 0 && binds_head(g->m->space, &p);
  p.closed = !grows || vars == 0 || (enough && !g->limits.open) || p.loose;
  if (rc < 0 || (p.twin && p.closed && !is_refinable(g, &p, a->atoms)))
    return rc;
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

static bool is_useless_atom(const attempt *a) {
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

/* One more atom that could be next. */
static void count_next_atom(attempt *a) {
  uint16_t choice = a->atoms[a->n - 1].choice;
  if (a->g->m->space->choices.at[choice].helper == PITH_I_NO_HELPER)
    a->tried++;
  else
    a->calls[choice]++;
}

/* Whether the last atom has a new variable in a place with many values, which
** the table will propose some of. */
static bool may_propose(const attempt *a, uint32_t fresh) {
  const pith_i_space *s = a->g->m->space;
  const pith_i_kind_of_atom *c = &s->choices.at[a->atoms[a->n - 1].choice];
  return fresh > 0 && c->many != 0 && s->few > 0;
}

static pith_status propose_all(attempt *a);

static pith_status try_atom(attempt *a, uint32_t fresh) {
  growth *g = a->g;
  uint32_t vars = a->vars + fresh - g->m->space->head;
  bool proposes = may_propose(a, fresh);
  bool grows = !a->last && vars > 0, full = true, new_table = true;
  bool tabled = grows || proposes;
  if (tabled && pith_i_table_expect(g->m, &a->table, &a->atoms[a->n - 1]) >
                    (double)g->limits.rows) {
    grows = tabled = false; /* through what many things share: all to all */
    g->cut = true;
  }
  pith_status rc = pith_i_table_join(g->m, &a->table, &a->atoms[a->n - 1],
                                     fresh, g->limits.rows,
                                     tabled ? &a->next : NULL, a->cover, &full);
  bool single = g->limits.noisy && a->n == 1; /* may start a recursion */
  if (rc < 0 || (!single && pith_i_count_bits(a->cover, g->m->pos_words) == 0))
    return rc;
  if (tabled && full) {
    rc = see_table(g, table_hash(a, head_bound(a)), a->atoms[a->n - 1].choice,
                   &new_table);
    g->m->work += a->next.rows;
  }
  g->cut = g->cut || !full;
  if (rc < 0 || !new_table)
    return rc;
  size_t before = g->parts.n;
  rc = keep_part(a, vars, grows && full);
  if (rc >= 0 && tabled && full && g->parts.n > before)
    g->owner.at[g->owner.n - 1] = (uint32_t)before;
  return rc >= 0 && proposes && tabled && full ? propose_all(a) : rc;
}

/* ---- all atoms ---------------------------------------------------------- */

/* Whether the atom hangs on what is there: on a variable of the part that is
** not the head's, or, for the first atom, on one of the head's. */
static bool is_connected_atom(const attempt *a, uint32_t arity) {
  const pith_i_lit *atom = &a->atoms[a->n - 1];
  uint32_t head = a->g->m->space->head;
  bool found = arity == 0 && a->from == NULL;
  for (uint32_t k = 0; k < arity; k++)
    found = found || (atom->arg[k] < a->vars &&
                      (a->from == NULL || atom->arg[k] >= head));
  return found;
}

/* A new variable twice in one atom: only where some fact has that. */
static bool may_repeat(const pith_i_kind_of_atom *c, const pith_i_lit *atom,
                       uint32_t place, uint32_t v) {
  for (uint32_t i = 0; i < place; i++)
    if (atom->arg[i] == v && !(c->twice >> (PITH_I_PLACES * i + place) & 1))
      return false;
  return true;
}

/* Choices may move on the way, when values are proposed. */
static pith_status fill_places(attempt *a, uint32_t place, uint32_t fresh) {
  growth *g = a->g;
  const pith_i_space *s = g->m->space;
  pith_i_lit *atom = &a->atoms[a->n - 1];
  uint32_t arity = s->choices.at[atom->choice].arity;
  if (place == arity) {
    bool counts = is_connected_atom(a, arity) && !is_useless_atom(a);
    if (counts)
      count_next_atom(a);
    return counts && (fresh == 0) == a->tests ? try_atom(a, fresh) : PITH_OK;
  }
  uint32_t end = a->vars + fresh,
           domain = s->choices.at[atom->choice].domain[place];
  bool more = end < PITH_I_VARS && end < s->head + g->limits.vars &&
              s->choices.at[atom->choice].kind != PITH_I_ABSENT_ATOM;
  pith_status rc = PITH_OK;
  for (uint32_t v = 0; rc >= 0 && v < end + more; v++) {
    if (v < end && !pith_i_may_meet(s, a->domain[v], domain))
      continue;
    if (v >= a->vars && v < end &&
        !may_repeat(&s->choices.at[atom->choice], atom, place, v))
      continue;
    atom->arg[place] = (uint8_t)v;
    if (v == end)
      a->domain[v] = domain;
    rc = fill_places(a, place + 1, fresh + (v == end));
  }
  return rc;
}

/* ---- atoms with many places ------------------------------------------- */

/* The variables that an atom must have one of: those of the part, or, for the
** first atom, the head's. */
static bool is_linking_variable(const attempt *a, uint32_t v) {
  return v < a->vars && (a->from == NULL || v >= a->g->m->space->head);
}

/* New variables get their numbers in the order of places. */
static uint32_t number_new(attempt *a) {
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
static pith_status try_proposed(attempt *a, uint32_t place, pith_sym value) {
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
  rc = try_atom(a, number_new(a));
  *atom = was;
  memcpy(a->domain, domain, sizeof domain);
  return rc;
}

/* For each place with many values that has a new variable, values that tell
** the examples apart, as the table of matches has them. */
static pith_status propose_all(attempt *a) {
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

static bool fits_place(const attempt *a, uint32_t v, uint32_t place) {
  const pith_i_space *s = a->g->m->space;
  const pith_i_kind_of_atom *c = &s->choices.at[a->atoms[a->n - 1].choice];
  return pith_i_may_meet(s, a->domain[v], c->domain[place]);
}

/* A variable in one place, perhaps another in a second one (PITH_NONE: none),
** and new ones elsewhere. */
static pith_status try_bound(attempt *a, uint32_t place, uint32_t v,
                             uint32_t second, uint32_t w) {
  pith_i_lit *atom = &a->atoms[a->n - 1];
  uint32_t arity = a->g->m->space->choices.at[atom->choice].arity;
  count_next_atom(a);
  if ((second != PITH_NONE) != a->tests || a->vars + arity > PITH_I_VARS)
    return PITH_OK;
  for (uint32_t i = 0; i < arity; i++)
    atom->arg[i] = (uint8_t)(i == place    ? v
                             : i == second ? w
                                           : PITH_I_VARS + i);
  a->refine = 0;
  return try_atom(a, number_new(a));
}

/* Bound in one place; and, with the tests, for then there are few matches,
** also by the head: another cell of the same board. */
static pith_status fill_wide(attempt *a) {
  const pith_i_space *s = a->g->m->space;
  uint32_t arity = s->choices.at[a->atoms[a->n - 1].choice].arity;
  uint32_t heads = a->from == NULL ? 0 : s->head;
  pith_status rc = PITH_OK;
  for (uint32_t k = 0; k < arity; k++)
    for (uint32_t v = 0; rc >= 0 && v < a->vars; v++) {
      if (!is_linking_variable(a, v) || !fits_place(a, v, k))
        continue;
      rc = try_bound(a, k, v, PITH_NONE, 0);
      for (uint32_t i = 0; i < arity; i++)
        for (uint32_t h = 0; rc >= 0 && h < heads && i != k; h++)
          if (fits_place(a, h, i))
            rc = try_bound(a, k, v, i, h);
    }
  a->refine = PITH_I_PLACES;
  return rc;
}

/* Whether a place of the last atom has a new variable that is nowhere else. */
static bool is_free_place(const attempt *a, uint32_t place) {
  assert(place < PITH_I_PLACES);
  const pith_i_lit *atom = &a->atoms[a->n - 1];
  uint32_t n = a->g->m->space->choices.at[atom->choice].arity, times = 0;
  for (uint32_t k = 0; k < n; k++)
    times += atom->arg[k] == atom->arg[place];
  return atom->arg[place] >= a->vars && times == 1;
}

/* A variable that may be put in a place: one that was there before, or a new
** one of the atom. Before the first place that links none that does, for that
** way to write it is another's. */
static bool may_be_there(const attempt *a, uint32_t place, uint32_t v) {
  const pith_i_space *s = a->g->m->space;
  const pith_i_lit *atom = &a->atoms[a->n - 1];
  const pith_i_kind_of_atom *c = &s->choices.at[atom->choice];
  uint32_t first = 0;
  while (first < c->arity && !is_linking_variable(a, atom->arg[first]))
    first++;
  if ((place < first && is_linking_variable(a, v)) ||
      (v < s->head && is_apart(a)))
    return false;
  if (!pith_i_may_meet(s, a->domain[v], c->domain[place]))
    return false;
  if (v < a->vars)
    return true;
  for (uint32_t k = 0; k < place; k++)
    if (atom->arg[k] == v)
      return c->twice >> (PITH_I_PLACES * k + place) & 1;
  return false;
}

/* With a variable in a place that had a new one. */
static pith_status refine_by_variables(attempt *a, uint32_t place,
                                       uint32_t end) {
  pith_i_lit *atom = &a->atoms[a->n - 1];
  const pith_i_lit was = *atom;
  uint32_t domain[PITH_I_VARS];
  pith_status rc = PITH_OK;
  memcpy(domain, a->domain, sizeof domain);
  for (uint32_t v = 0; rc >= 0 && v < end; v++) {
    if (!may_be_there(a, place, v))
      continue;
    count_next_atom(a);
    atom->arg[place] = (uint8_t)v;
    a->refine = (uint8_t)(place + 1);
    uint32_t fresh = number_new(a);
    if (!is_useless_atom(a))
      rc = try_atom(a, fresh);
    *atom = was;
    memcpy(a->domain, domain, sizeof domain);
  }
  return rc;
}

/* With a value in it. */
static pith_status refine_by_values(attempt *a, uint32_t place,
                                    uint32_t *count) {
  growth *g = a->g;
  pith_i_lit *atom = &a->atoms[a->n - 1];
  const pith_i_lit was = *atom;
  uint32_t first, domain[PITH_I_VARS];
  pith_status rc =
      pith_i_space_fix(g->m->space, atom->choice, place, &first, count);
  memcpy(domain, a->domain, sizeof domain);
  for (uint32_t i = 0; rc >= 0 && i < *count; i++) {
    atom->choice = (uint16_t)(first + i);
    memmove(&atom->arg[place], &atom->arg[place + 1],
            PITH_I_PLACES - 1 - place);
    a->refine = (uint8_t)place;
    rc = try_atom(a, number_new(a));
    *atom = was;
    memcpy(a->domain, domain, sizeof domain);
  }
  return rc;
}

/* Whether two variables can be compared in this way at all. */
static bool are_comparable(const attempt *a, pith_i_kind kind, uint32_t v,
                           uint32_t w) {
  const pith_i_space *s = a->g->m->space;
  if (kind != PITH_I_COMPARED_ATOM)
    return pith_i_may_meet(s, a->domain[v], a->domain[w]);
  uint8_t order = s->orders.at[a->domain[v]];
  return order != PITH_ORDER_NONE && order == s->orders.at[a->domain[w]];
}

/* Two bound variables, the first before the second; = only in the head. */
static pith_status fill_comparison(attempt *a, pith_i_kind kind) {
  growth *g = a->g;
  pith_i_lit *atom = &a->atoms[a->n - 1];
  pith_status rc = PITH_OK;
  uint32_t end = kind == PITH_I_EQUAL_ATOM ? g->m->space->head : a->vars;
  for (uint32_t v = 0; rc >= 0 && v < end; v++)
    for (uint32_t w = v + 1; rc >= 0 && w < end; w++) {
      if (!are_comparable(a, kind, v, w))
        continue;
      atom->arg[0] = (uint8_t)v;
      atom->arg[1] = (uint8_t)w;
      bool counts = is_connected_atom(a, 2) && !is_useless_atom(a);
      if (counts)
        count_next_atom(a);
      if (counts && a->tests)
        rc = try_atom(a, 0);
    }
  return rc;
}

/* Bits of the last atom, among those that could be there. A program that
** invents something has the words that are given and that one. */
static double atom_bits(const attempt *a, uint16_t choice) {
  uint64_t others = a->tried + (choice < a->known ? a->calls[choice] : 0);
  uint32_t values = a->g->m->space->choices.at[choice].values;
  return pith_i_choice_bits(1.0 + (double)others) +
         (values == 0 ? 0 : pith_i_choice_bits((double)values));
}

/* A part can be said in several ways, its atoms in another order; chances add
** up. Those from `before` on are new, others were met again. */
static void price_new_parts(attempt *a, size_t before, double bits) {
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

/* Of a narrow atom with a value, later places may have one too. */
static uint8_t later_places(const pith_i_kind_of_atom *c) {
  uint32_t fixed = 0, k = c->arity;
  while (fixed < c->full && c->fixed[fixed] == PITH_NONE)
    fixed++;
  while (k > 0 && c->place[k - 1] > fixed)
    k--;
  return (uint8_t)k;
}

static pith_status try_choice(attempt *a, uint16_t choice) {
  const pith_i_kind_of_atom *c = &a->g->m->space->choices.at[choice];
  if (c->kind == PITH_I_OPEN_ATOM || c->derived)
    return PITH_OK;
  a->atoms[a->n - 1].choice = choice;
  a->refine = c->arity < c->full ? later_places(c) : PITH_I_PLACES;
  if (c->kind >= PITH_I_EQUAL_ATOM)
    return fill_comparison(a, c->kind);
  return c->arity > PITH_I_NARROW ? fill_wide(a) : fill_places(a, 0, 0);
}

/* ---- thresholds -------------------------------------------------------- */

/* The symbol for a cut: a round number or date in it, else the value itself
** that is kept. */
static pith_status name_cut(pith_i_space *s, pith_i_cut cut, bool below,
                            uint8_t order, pith_sym *out) {
  char text[PITH_I_CUT_TEXT];
  double low = s->value[cut.low], high = s->value[cut.high];
  size_t n = pith_i_cut_text((pith_order)order, low, high, below, text);
  *out = pith_i_space_symbol(s, below ? cut.low : cut.high);
  if (n == 0)
    return PITH_OK;
  return pith_i_sym_add(&s->worlds[0].theory->names, text, n,
                        order == PITH_ORDER_NUMBER ? PITH_NUMBER : PITH_NAME,
                        out);
}

static pith_status try_cuts(attempt *a, uint32_t v, bool below) {
  growth *g = a->g;
  pith_i_space *s = g->m->space;
  pith_i_cuts cuts;
  uint8_t order = s->orders.at[a->domain[v]];
  pith_status rc = pith_i_find_cuts(g->m, &a->table, v, below, &cuts);
  for (uint32_t i = 0; rc >= 0 && i < cuts.n; i++) {
    pith_sym value = PITH_NONE;
    uint32_t choice = PITH_NONE;
    rc = name_cut(s, cuts.at[i], below, order, &value);
    if (rc >= 0 && value != PITH_NONE)
      rc = pith_i_space_threshold(s,
                                  below ? PITH_LESS_EQUAL : PITH_GREATER_EQUAL,
                                  value, cuts.values, &choice);
    if (rc < 0 || choice == PITH_NONE)
      continue;
    a->atoms[a->n - 1].choice = (uint16_t)choice;
    a->atoms[a->n - 1].arg[0] = (uint8_t)v;
    if (!is_useless_atom(a))
      rc = try_atom(a, 0);
  }
  return rc;
}

/* Comparisons of the part's variables with values that the examples propose.
** Among hidden atoms there are no labels to cut between. */
static pith_status try_thresholds(attempt *a) {
  const pith_i_space *s = a->g->m->space;
  pith_status rc = PITH_OK;
  if (s->value == NULL || a->g->limits.open || !a->tests)
    return PITH_OK;
  a->refine = PITH_I_PLACES;
  for (uint32_t v = a->from == NULL ? 0 : s->head; rc >= 0 && v < a->vars; v++)
    if (s->orders.at[a->domain[v]] != PITH_ORDER_NONE) {
      a->tried += 2;
      rc = try_cuts(a, v, false);
      if (rc >= 0)
        rc = try_cuts(a, v, true);
    }
  return rc;
}

static pith_status try_choices(attempt *a) {
  growth *g = a->g;
  pith_status rc = PITH_OK;
  size_t before = g->parts.n;
  double bits = a->from == NULL ? 0 : a->from->bits;
  a->n++;
  for (uint16_t c = 0; rc >= 0 && c < g->m->space->choices.n; c++) {
    if (g->m->work > g->limits.work || pith_i_stop_requested(g->limits.run)) {
      g->cut = true;
      break;
    }
    rc = try_choice(a, c);
  }
  if (rc >= 0)
    rc = try_thresholds(a);
  a->n--;
  price_new_parts(a, before, bits);
  return rc;
}

/* ---- another thing of the same kind -------------------------------------- */

/* The two variables that the last atom relates, each of one part. */
static pith_status relate_variables(attempt *a, uint32_t vars) {
  const pith_i_space *s = a->g->m->space;
  pith_i_kind kind = s->choices.at[a->atoms[a->n - 1].choice].kind;
  pith_status rc = PITH_OK;
  for (uint32_t v = s->head; rc >= 0 && v < vars; v++)
    for (uint32_t w = vars; rc >= 0 && w < a->vars; w++) {
      if (!are_comparable(a, kind, v, w))
        continue;
      a->atoms[a->n - 1].arg[0] = (uint8_t)v;
      a->atoms[a->n - 1].arg[1] = (uint8_t)w;
      a->tried++;
      rc = try_atom(a, 0);
    }
  return rc;
}

/* Has the part two of something, or one less than another? An atom on the head
** alone with a variable that differs from one of the part, has_car(A,C), B \=
** C, or compares with it, spent(A,C), B > C. */
static pith_status try_other(attempt *a, const part *one) {
  growth *g = a->g;
  const pith_i_space *s = g->m->space;
  const pith_i_kind_of_atom c = s->choices.at[one->atoms[0].choice];
  uint32_t vars = a->vars, shift = vars - s->head;
  pith_i_table before = a->table;
  bool full = true;
  pith_i_lit *atom = &a->atoms[a->n++];
  *atom = one->atoms[0];
  for (uint32_t k = 0; k < c.arity; k++)
    if (atom->arg[k] >= s->head) {
      atom->arg[k] = (uint8_t)(atom->arg[k] + shift);
      a->domain[atom->arg[k]] = c.domain[k];
    }
  pith_status rc =
      pith_i_table_join(g->m, &before, atom, one->vars, g->limits.rows,
                        &a->scratch, a->cover, &full);
  a->n++;
  a->table = a->scratch;
  a->vars += one->vars;
  for (uint32_t i = 0; rc >= 0 && full && i < s->choices.n; i++) {
    const pith_i_kind_of_atom *x = &s->choices.at[i];
    if (x->kind < PITH_I_DIFFERENT_ATOM || x->arity != 2)
      continue;
    a->atoms[a->n - 1].choice = (uint16_t)i;
    rc = relate_variables(a, vars);
  }
  a->scratch = a->table;
  a->table = before;
  a->vars = vars;
  a->n -= 2;
  return rc;
}

static bool has_relating_choice(const pith_i_space *s) {
  bool some = false;
  for (uint32_t i = 0; i < s->choices.n && !some; i++)
    some = s->choices.at[i].kind >= PITH_I_DIFFERENT_ATOM &&
           s->choices.at[i].arity == 2;
  return some;
}

static pith_status try_others(attempt *a) {
  growth *g = a->g;
  const pith_i_space *s = g->m->space;
  pith_status rc = PITH_OK;
  size_t before = g->parts.n;
  double bits = a->from->bits;
  if (!has_relating_choice(s) || a->n + 2 > g->limits.atoms)
    return PITH_OK;
  size_t n = g->level[1].n;
  for (size_t i = 0; rc >= 0 && i < n; i++) {
    const part one = g->parts.at[g->level[1].at[i].part];
    if (one.vars > 0 && a->vars + one.vars <= s->head + g->limits.vars &&
        g->m->work < g->limits.work)
      rc = try_other(a, &one);
  }
  price_new_parts(a, before, bits + log2(1.0 + a->tried));
  return rc;
}

/* ---- going on from a part ----------------------------------------------- */

static void find_domains(attempt *a) {
  const pith_i_space *s = a->g->m->space;
  memcpy(a->domain, s->head_domain, s->head * sizeof *a->domain);
  uint32_t known = s->head;
  for (uint32_t i = 0; i < a->n; i++) {
    const pith_i_kind_of_atom *c = &s->choices.at[a->atoms[i].choice];
    for (uint32_t k = 0; k < c->arity; k++)
      if (a->atoms[i].arg[k] == known)
        a->domain[known++] = c->domain[k];
  }
}

/* The attempt stands at a part without its last `less` atoms. */
static pith_status start_from_part(attempt *a, const part *from, uint32_t less,
                                   bool *full) {
  assert(less <= from->n);
  growth *g = a->g;
  a->from = from->n > less ? from : NULL;
  a->n = from->n - less;
  a->vars =
      g->m->space->head + pith_i_lits_vars(g->m->space, from->atoms, a->n);
  a->refine = PITH_I_PLACES;
  memcpy(a->atoms, from->atoms, from->n * sizeof *a->atoms);
  find_domains(a);
  *full = true;
  return pith_i_table_body(g->m, from->cover, a->atoms, a->n, g->limits.rows,
                           &a->table, &a->scratch, full);
}

/* Parts move when more are kept, so the attempt has copies. */
static pith_status grow_part(attempt *a, uint32_t number) {
  const part from = a->g->parts.at[number];
  bool full;
  pith_status rc = start_from_part(a, &from, 0, &full);
  a->last = from.n + 1 >= a->g->limits.atoms;
  if (rc >= 0 && full)
    rc = try_choices(a);
  a->last = from.n + 2 >= a->g->limits.atoms;
  if (rc >= 0 && full && !a->tests)
    rc = try_others(a);
  a->from = NULL;
  return rc;
}

/* One more place of the last atom settled, in each way. */
static pith_status refine_part(attempt *a, uint32_t number) {
  growth *g = a->g;
  const part from = g->parts.at[number];
  const pith_i_space *s = g->m->space;
  uint32_t places = s->choices.at[from.atoms[from.n - 1].choice].arity;
  bool wide = s->choices.at[from.atoms[from.n - 1].choice].full > PITH_I_NARROW;
  bool full;
  pith_status rc = start_from_part(a, &from, 1, &full);
  a->n++;
  a->last = from.n >= g->limits.atoms;
  uint32_t end = s->head + from.vars;
  number_new(a); /* for the domains */
  for (uint32_t k = from.refine; rc >= 0 && full && k < places; k++) {
    size_t before = g->parts.n;
    uint32_t values = 0;
    if (!is_free_place(a, k))
      continue;
    if (wide)
      rc = refine_by_variables(a, k, end);
    double bits = from.bits + log2(places);
    price_new_parts(a, before, bits);
    before = g->parts.n;
    if (rc >= 0)
      rc = refine_by_values(a, k, &values);
    price_new_parts(a, before, bits + 1 + log2(values + 1));
  }
  a->from = NULL;
  return rc;
}

/* ---- a level ------------------------------------------------------------ */

static int by_part_score(const void *x, const void *y) {
  const pith_i_rank *a = x, *b = y;
  return a->score != b->score ? (a->score < b->score) - (a->score > b->score)
                              : (a->part > b->part) - (a->part < b->part);
}

/* The parts of a level from `first` to `end`, in two orders: those that tell
** the most first, and those that are said the shortest. */
static pith_status put_in_order(growth *g, uint32_t level, size_t first,
                                size_t end) {
  for (int i = 0; i < 2; i++) {
    g->order[i].n = 0;
    if (!pith_i_room(g->arena.env, &g->order[i], end - first + 1))
      return PITH_ENOMEM;
    for (size_t k = first; k < end; k++) {
      pith_i_rank r = g->level[level].at[k];
      if (i == 1)
        r.score = -g->parts.at[r.part].bits -
                  (g->parts.at[r.part].apart ? PITH_TUNE_PART_WIDE_BITS : 0);
      g->order[i].at[g->order[i].n++] = r;
    }
    if (g->order[i].n > 1)
      qsort(g->order[i].at, g->order[i].n, sizeof *g->order[i].at,
            by_part_score);
  }
  g->pass++;
  return PITH_OK;
}

static bool used_up(growth *g) {
  bool up = g->m->work > g->limits.work ||
            pith_i_stop_requested(g->limits.run) ||
            g->parts.n * g->m->words * 8 > PITH_TUNE_PART_COVER_BYTES;
  g->cut = g->cut || up;
  return up;
}

static pith_status grow_once(attempt *a, uint32_t number, bool refine) {
  part *p = &a->g->parts.at[number];
  if (p->pass == a->g->pass ||
      (refine ? !is_refinable(a->g, p, p->atoms) : p->closed))
    return PITH_OK;
  p->pass = a->g->pass;
  if (used_up(a->g))
    return PITH_OK;
  return refine ? refine_part(a, number) : grow_part(a, number);
}

/* Takes from both orders in turn, so that work that runs out is least missed:
** what tells nothing yet may be half of what tells all. */
static pith_status grow_in_turn(attempt *a, uint32_t level, size_t first,
                                size_t end, bool refine) {
  growth *g = a->g;
  pith_status rc = put_in_order(g, level, first, end);
  for (size_t i = 0; rc >= 0 && i < end - first; i++)
    for (int k = 0; rc >= 0 && k < 2; k++)
      rc = grow_once(a, g->order[k].at[i].part, refine);
  return rc;
}

static pith_status start_parts(attempt *a) {
  a->vars = a->g->m->space->head;
  a->last = a->g->limits.atoms <= 1;
  a->refine = PITH_I_PLACES;
  find_domains(a);
  pith_status rc = pith_i_table_start(a->g->m, NULL, &a->table);
  return rc < 0 ? rc : try_choices(a);
}

/* Tests may take half of the work, new variables and each generation of
** refinements half of what is left. */
static pith_status grow_level(attempt *a, uint32_t n) {
  growth *g = a->g;
  uint64_t most = g->limits.work;
  size_t from = g->level[n].n;
  pith_status rc = PITH_OK;
  for (int tests = 1; rc >= 0 && tests >= 0; tests--) {
    a->tests = tests;
    g->limits.work = g->m->work + (most - lesser_work(g->m->work, most)) / 2;
    rc = n == 1 ? start_parts(a)
                : grow_in_turn(a, n - 1, 0, g->level[n - 1].n, false);
  }
  while (rc >= 0 && from < g->level[n].n) {
    size_t end = g->level[n].n;
    g->limits.work = g->m->work + (most - lesser_work(g->m->work, most)) / 2;
    rc = grow_in_turn(a, n, from, end, true);
    from = end;
  }
  g->limits.work = most;
  return rc;
}

pith_status pith_i_growth_level(pith_i_growth *g, uint32_t n) {
  assert(n > 0 && n <= PITH_I_ATOMS);
  pith_i_env *env = g->arena.env;
  attempt a = {.g = g};
  a.cover = pith_i_alloc(env, (g->m->words + 1) * sizeof *a.cover);
  a.known = g->m->space->choices.n;
  a.calls = pith_i_zalloc(env, a.known + 1, sizeof *a.calls);
  pith_status rc =
      a.cover == NULL || a.calls == NULL ? PITH_ENOMEM : grow_level(&a, n);
  if (rc >= 0 && g->level[n].n > 1)
    qsort(g->level[n].at, g->level[n].n, sizeof *g->level[n].at, by_part_score);
  pith_i_table_free(env, &a.table);
  pith_i_table_free(env, &a.next);
  pith_i_table_free(env, &a.scratch);
  pith_i_release(env, a.cover);
  pith_i_release(env, a.calls);
  return rc;
}
