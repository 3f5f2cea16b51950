#include "learn/clauses/match_table.h"

#include <assert.h>
#include <string.h>

void pith_i_sample_take(pith_i_sample *m, pith_i_space *s, uint32_t *pick,
                        uint32_t positives, uint32_t n) {
  assert(positives <= n);
  m->space = s;
  m->pick = pick;
  m->positives = positives;
  m->n = n;
  m->pos_words = (positives + 63) / 64;
  m->words = m->pos_words + (n - positives + 63) / 64;
}

void pith_i_sample_free(pith_i_sample *m) {
  if (m->space != NULL)
    pith_i_release(m->space->env, m->pick);
  m->pick = NULL;
}

void pith_i_table_free(pith_i_env *env, pith_i_table *t) {
  pith_i_vec_free(env, &t->at);
  t->rows = 0;
}

pith_status pith_i_table_start(pith_i_sample *m, const uint64_t *among,
                               pith_i_table *out) {
  out->width = 1;
  out->rows = 0;
  out->at.n = 0;
  for (uint32_t i = 0; i < m->n; i++) {
    if (among != NULL && !pith_i_bit(among, pith_i_sample_bit(m, i)))
      continue;
    if (!pith_i_push(m->space->env, &out->at, i))
      return PITH_ENOMEM;
    out->rows++;
  }
  return PITH_OK;
}

/* ---- joining --------------------------------------------------------- */

/* The columns of the relation that are bound, ascending, where their values
** come from, and where new variables are. All of it is found out once, for a
** join runs over many rows. */
typedef struct {
  pith_i_sample *m;
  const pith_i_table *in;
  const pith_i_lit *atom;
  const pith_i_kind_of_atom *choice;
  const pith_i_relation *relation;
  const pith_i_index *index;  /* on the places that are bound, or the first */
  uint32_t head, bound_vars;  /* variables with a number below are bound */
  uint32_t width;             /* of rows out */
  uint32_t bound;             /* places that are, */
  uint8_t var[PITH_I_PLACES]; /* (bound) what is there */
  uint32_t column[PITH_I_PLACES]; /* (bound) and which they are */
  uint32_t fresh;
  uint8_t
      fresh_at[PITH_I_PLACES]; /* (fresh) where each new variable is first */
  uint32_t again;              /* places where one is once more */
  uint8_t again_at[PITH_I_PLACES], again_as[PITH_I_PLACES];
  bool any_open;
  pith_i_table *out; /* NULL: the cover alone */
  size_t most;
  uint64_t *cover;
  bool full;
} joiner;

/* A row of the table, and the head's values of its example. */
typedef struct {
  const uint32_t *row, *args;
} matched;

static inline matched match_of(const joiner *j, const uint32_t *row) {
  assert(row[0] < j->m->n);
  const pith_i_space *s = j->m->space;
  return (matched){row, s->args + (size_t)j->m->pick[row[0]] * s->head};
}

static inline uint32_t variable_value(const joiner *j, matched at,
                                      uint32_t var) {
  return var < j->head ? at.args[var] : at.row[1 + var - j->head];
}

/* By pairs: rows are too short to call memcpy for. */
static inline void copy_row(uint32_t *to, const uint32_t *from, uint32_t n) {
  for (; n >= 2; n -= 2, to += 2, from += 2)
    memcpy(to, from, 2 * sizeof *to);
  if (n > 0)
    *to = *from;
}

/* fact: NULL where the atom has no new variable. */
static inline bool emit_row(joiner *j, const uint32_t *row,
                            const uint32_t *fact) {
  size_t bit = pith_i_sample_bit(j->m, row[0]);
  j->cover[bit >> 6] |= UINT64_C(1) << (bit & 63);
  if (j->out == NULL)
    return true;
  if (j->out->rows >= j->most) {
    j->full = false;
    j->out = NULL;
    return true;
  }
  if (!pith_i_room(j->m->space->env, &j->out->at, j->width))
    return false;
  uint32_t *to = j->out->at.at + j->out->at.n;
  copy_row(to, row, j->in->width);
  for (uint32_t i = 0; fact != NULL && i < j->fresh; i++)
    to[j->in->width + i] = fact[j->fresh_at[i]];
  j->out->at.n += j->width;
  j->out->rows++;
  return true;
}

/* Whether new variables that occur twice have one value. */
static inline bool is_fact_even(const joiner *j, const uint32_t *fact) {
  for (uint32_t i = 0; i < j->again; i++)
    if (fact[j->again_at[i]] != fact[j->again_as[i]])
      return false;
  return true;
}

static inline bool holds_by_value(const joiner *j, double a, double b) {
  switch (j->choice->pred) {
  case PITH_LESS:
    return a < b;
  case PITH_LESS_EQUAL:
    return a <= b;
  case PITH_GREATER:
    return a > b;
  default:
    return a >= b;
  }
}

/* What has no order, which is NaN, is neither less nor more. */
static inline bool compare_values(joiner *j, matched at) {
  const pith_i_space *s = j->m->space;
  double a = s->value[variable_value(j, at, j->atom->arg[0])];
  double b =
      j->choice->arity == 2
          ? s->value[variable_value(j, at, j->atom->arg[1])]
          : pith_i_sym(&s->worlds[0].theory->names, j->choice->fixed[1])->value;
  return !holds_by_value(j, a, b) || emit_row(j, at.row, NULL);
}

static inline bool compare_row(joiner *j, matched at) {
  if (j->choice->kind == PITH_I_COMPARED_ATOM)
    return compare_values(j, at);
  bool same = variable_value(j, at, j->atom->arg[0]) ==
              variable_value(j, at, j->atom->arg[1]);
  return same != (j->choice->kind == PITH_I_EQUAL_ATOM) ||
         emit_row(j, at.row, NULL);
}

/* Whether a fact has these values in all its places. */
static inline bool fact_holds(const joiner *j, const uint32_t *key) {
  const pith_i_tuples *rows = &j->relation->rows;
  if (j->index == NULL)
    return pith_i_tuples_find(rows, key) != PITH_NONE;
  uint32_t at = pith_i_index_find(j->index, rows, key);
  while (at != PITH_NONE && rows->width > 1 &&
         rows->at[(size_t)at * rows->width + 1] != key[1])
    at = j->index->next[at];
  return at != PITH_NONE;
}

/* False: no memory. */
static inline bool join_facts(joiner *j, const uint32_t *row,
                              const uint32_t *key) {
  const pith_i_tuples *rows = &j->relation->rows;
  uint32_t at = pith_i_index_find(j->index, rows, key);
  for (; at != PITH_NONE; at = j->index->next[at]) {
    const uint32_t *fact = rows->at + (size_t)at * rows->width;
    j->m->work++;
    if (!is_fact_even(j, fact))
      continue;
    if (!emit_row(j, row, fact))
      return false;
    if (j->out == NULL)
      break; /* one match is enough for the cover */
  }
  return true;
}

/* False: no memory. */
static inline bool join_row(joiner *j, const uint32_t *row) {
  uint32_t key[PITH_I_PLACES];
  size_t facts = j->relation->rows.n;
  matched at = match_of(j, row);
  if (j->choice->kind >= PITH_I_EQUAL_ATOM)
    return compare_row(j, at);
  for (uint32_t i = 0; i < j->bound; i++)
    key[i] = variable_value(j, at, j->var[i]);
  if (j->choice->kind == PITH_I_ABSENT_ATOM)
    return (facts > 0 && fact_holds(j, key)) || emit_row(j, row, NULL);
  if (facts == 0)
    return true;
  if (j->any_open)
    return join_facts(j, row, key);
  return (j->bound > 0 && !fact_holds(j, key)) || emit_row(j, row, NULL);
}

/* Where all places are bound, the facts with the first value are few enough to
** be looked through: that is quicker than hashing. */
static const pith_i_index *quick_index(const pith_i_index *x,
                                       const pith_i_relation *r) {
  enum { FEW = 4 };
  return x->direct && r->rows.n <= FEW * x->keys ? x : NULL;
}

/* New variables are numbered in the order of their first places. */
static void sort_places(joiner *j) {
  for (uint32_t i = 0; i < j->choice->arity; i++) {
    uint8_t var = j->atom->arg[i];
    if (var < j->bound_vars) {
      j->var[j->bound] = var;
      j->column[j->bound++] = i;
    } else if (var - j->bound_vars < j->fresh) {
      j->again_at[j->again] = (uint8_t)i;
      j->again_as[j->again++] = j->fresh_at[var - j->bound_vars];
    } else {
      assert(var - j->bound_vars == j->fresh);
      j->fresh_at[j->fresh++] = (uint8_t)i;
    }
  }
}

static pith_status prepare_join(joiner *j) {
  sort_places(j);
  j->any_open = j->bound < j->choice->arity;
  j->index = NULL;
  if (j->bound == 0 || j->relation->rows.n == 0 ||
      (!j->any_open && j->bound > 2))
    return PITH_OK;
  pith_i_index *x = NULL;
  pith_status rc =
      pith_i_relation_index(j->m->space->env, (pith_i_relation *)j->relation,
                            j->column, j->any_open ? j->bound : 1, &x);
  j->index = rc < 0 || j->any_open ? x : quick_index(x, j->relation);
  return rc;
}

double pith_i_table_expect(pith_i_sample *m, const pith_i_table *in,
                           const pith_i_lit *atom) {
  joiner j = {.m = m, .in = in, .atom = atom, .head = m->space->head};
  j.choice = &m->space->choices.at[atom->choice];
  j.relation = &m->space->store.relations.at[atom->choice];
  j.bound_vars = m->space->head + in->width - 1;
  if (prepare_join(&j) < 0 || !j.any_open || j.index == NULL ||
      j.index->keys == 0)
    return (double)in->rows;
  return (double)in->rows * (double)j.relation->rows.n / (double)j.index->keys;
}

/* Rows come in the order of their examples, so that what those before this one
** have is known. */
static inline bool misses_positive(const joiner *j, uint32_t example,
                                   uint32_t *covered) {
  uint32_t end = example < j->m->positives ? example : j->m->positives;
  while (*covered < end && pith_i_bit(j->cover, *covered))
    ++*covered;
  return *covered < end;
}

/* Takes the joiner by value: what no pointer leads to stays in registers. */
static pith_status join_rows(joiner j, bool *full) {
  const pith_i_table *in = j.in;
  uint32_t covered = 0; /* the first so many examples are */
  for (size_t i = 0; i < in->rows; i++) {
    const uint32_t *row = in->at.at + i * in->width;
    if (j.m->wants_all && misses_positive(&j, row[0], &covered))
      break;
    j.m->work++;
    if (j.out == NULL && pith_i_bit(j.cover, pith_i_sample_bit(j.m, row[0])))
      continue;
    if (!join_row(&j, row))
      return PITH_ENOMEM;
  }
  *full = j.full;
  return PITH_OK;
}

pith_status pith_i_table_join(pith_i_sample *m, const pith_i_table *in,
                              const pith_i_lit *atom, uint32_t fresh,
                              size_t most, pith_i_table *out, uint64_t *cover,
                              bool *full) {
  assert(atom->choice < m->space->choices.n);
  assert(in->width > 0);
  pith_i_space *s = m->space;
  joiner j = {.m = m,
              .in = in,
              .atom = atom,
              .choice = &s->choices.at[atom->choice],
              .relation = &s->store.relations.at[atom->choice],
              .head = s->head,
              .bound_vars = s->head + in->width - 1,
              .width = in->width + fresh,
              .out = out,
              .most = most,
              .cover = cover,
              .full = true};
  memset(cover, 0, m->words * sizeof *cover);
  pith_status rc = prepare_join(&j);
  if (rc < 0)
    return rc;
  if (out != NULL) {
    out->width = j.width;
    out->rows = out->at.n = 0;
  }
  m->work += m->words;
  return join_rows(j, full);
}

/* ---- whole bodies ---------------------------------------------------- */

uint32_t pith_i_lits_vars(const pith_i_space *s, const pith_i_lit *atoms,
                          uint32_t n) {
  uint32_t vars = s->head;
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = 0; k < s->choices.at[atoms[i].choice].arity; k++)
      if (atoms[i].arg[k] >= vars)
        vars = atoms[i].arg[k] + 1u;
  return vars - s->head;
}

static void swap_tables(pith_i_table *a, pith_i_table *b) {
  pith_i_table t = *a;
  *a = *b;
  *b = t;
}

pith_status pith_i_table_body(pith_i_sample *m, const uint64_t *among,
                              const pith_i_lit *atoms, uint32_t n, size_t most,
                              pith_i_table *out, pith_i_table *scratch,
                              bool *full) {
  assert(out != scratch);
  uint32_t vars = 0;
  uint64_t *cover = pith_i_alloc(m->space->env, (m->words + 1) * sizeof *cover);
  pith_status rc =
      cover == NULL ? PITH_ENOMEM : pith_i_table_start(m, among, out);
  *full = true;
  for (uint32_t i = 0; rc >= 0 && *full && i < n; i++) {
    uint32_t after = pith_i_lits_vars(m->space, atoms, i + 1);
    swap_tables(out, scratch);
    rc = pith_i_table_join(m, scratch, &atoms[i], after - vars, most, out,
                           cover, full);
    vars = after;
  }
  pith_i_release(m->space->env, cover);
  return rc;
}
