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

typedef struct {
  pith_i_sample *m;
  const pith_i_table *in;
  const pith_i_lit *atom;
  const pith_i_kind_of_atom *choice;
  const pith_i_relation *relation;
  const pith_i_index *index; /* on the places that are bound, or the first */
  uint32_t bound_vars;       /* variables with a number below are bound */
  uint32_t width;            /* of rows out */
  bool any_open;
  pith_i_table *out; /* NULL: the cover alone */
  size_t most;
  uint64_t *cover;
  bool full;
} joiner;

static inline uint32_t variable_value(const joiner *j, const uint32_t *row,
                                      uint32_t var) {
  assert(row[0] < j->m->n);
  const pith_i_space *s = j->m->space;
  return var < s->head ? s->args[(size_t)j->m->pick[row[0]] * s->head + var]
                       : row[1 + var - s->head];
}

static bool emit_row(joiner *j, const uint32_t *row, const uint32_t *fresh,
                     uint32_t n) {
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
  memcpy(to, row, j->in->width * sizeof *to);
  if (n > 0)
    memcpy(to + j->in->width, fresh, n * sizeof *to);
  j->out->at.n += j->width;
  j->out->rows++;
  return true;
}

/* The new variables as a fact has them; false when one that occurs twice
** would have two values. */
static bool read_fresh(const joiner *j, const uint32_t *fact, uint32_t *fresh) {
  uint32_t seen = 0;
  for (uint32_t i = 0; i < j->choice->arity; i++) {
    if (j->atom->arg[i] < j->bound_vars)
      continue;
    uint32_t v = j->atom->arg[i] - j->bound_vars;
    if (v < seen && fresh[v] != fact[i])
      return false;
    fresh[v] = fact[i];
    seen = v >= seen ? v + 1 : seen;
  }
  return true;
}

static bool holds_by_value(const joiner *j, double a, double b) {
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
static bool compare_values(joiner *j, const uint32_t *row) {
  const pith_i_space *s = j->m->space;
  double a = s->value[variable_value(j, row, j->atom->arg[0])];
  double b =
      j->choice->arity == 2
          ? s->value[variable_value(j, row, j->atom->arg[1])]
          : pith_i_sym(&s->worlds[0].theory->names, j->choice->fixed[1])->value;
  return !holds_by_value(j, a, b) || emit_row(j, row, NULL, 0);
}

static bool compare_row(joiner *j, const uint32_t *row) {
  if (j->choice->kind == PITH_I_COMPARED_ATOM)
    return compare_values(j, row);
  bool same = variable_value(j, row, j->atom->arg[0]) ==
              variable_value(j, row, j->atom->arg[1]);
  return same != (j->choice->kind == PITH_I_EQUAL_ATOM) ||
         emit_row(j, row, NULL, 0);
}

/* Whether a fact has these values in all its places. */
static bool fact_holds(const joiner *j, const uint32_t *key) {
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
static bool join_row(joiner *j, const uint32_t *row) {
  uint32_t key[PITH_I_PLACES], fresh[PITH_I_PLACES], n = 0;
  const pith_i_tuples *rows = &j->relation->rows;
  if (j->choice->kind >= PITH_I_EQUAL_ATOM)
    return compare_row(j, row);
  for (uint32_t i = 0; i < j->choice->arity; i++)
    if (j->atom->arg[i] < j->bound_vars)
      key[n++] = variable_value(j, row, j->atom->arg[i]);
  if (j->choice->kind == PITH_I_ABSENT_ATOM)
    return (rows->n > 0 && fact_holds(j, key)) || emit_row(j, row, NULL, 0);
  if (rows->n == 0)
    return true;
  if (!j->any_open)
    return (n == 0 ? rows->n == 0 : !fact_holds(j, key)) ||
           emit_row(j, row, NULL, 0);
  uint32_t at = pith_i_index_find(j->index, rows, key);
  for (; at != PITH_NONE; at = j->index->next[at]) {
    j->m->work++;
    if (!read_fresh(j, rows->at + (size_t)at * rows->width, fresh))
      continue;
    if (!emit_row(j, row, fresh, j->width - j->in->width))
      return false;
    if (j->out == NULL)
      break; /* one match is enough for the cover */
  }
  return true;
}

/* Where all places are bound, the facts with the first value are few enough to
** be looked through: that is quicker than hashing. */
static const pith_i_index *quick_index(const pith_i_index *x,
                                       const pith_i_relation *r) {
  enum { FEW = 4 };
  return x->direct && r->rows.n <= FEW * x->keys ? x : NULL;
}

static pith_status prepare_join(joiner *j) {
  uint32_t columns[PITH_I_PLACES], n = 0;
  for (uint32_t i = 0; i < j->choice->arity; i++)
    if (j->atom->arg[i] < j->bound_vars)
      columns[n++] = i;
  j->any_open = n < j->choice->arity;
  j->index = NULL;
  if (n == 0 || j->relation->rows.n == 0 || (!j->any_open && n > 2))
    return PITH_OK;
  pith_i_index *x = NULL;
  pith_status rc =
      pith_i_relation_index(j->m->space->env, (pith_i_relation *)j->relation,
                            columns, j->any_open ? n : 1, &x);
  j->index = rc < 0 || j->any_open ? x : quick_index(x, j->relation);
  return rc;
}

double pith_i_table_expect(pith_i_sample *m, const pith_i_table *in,
                           const pith_i_lit *atom) {
  joiner j = {.m = m, .in = in, .atom = atom};
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
static bool misses_positive(const joiner *j, uint32_t example,
                            uint32_t *covered) {
  uint32_t end = example < j->m->positives ? example : j->m->positives;
  while (*covered < end && pith_i_bit(j->cover, *covered))
    ++*covered;
  return *covered < end;
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
  uint32_t covered = 0; /* the first so many examples are */
  for (size_t i = 0; i < in->rows; i++) {
    const uint32_t *row = in->at.at + i * in->width;
    if (m->wants_all && misses_positive(&j, row[0], &covered))
      break;
    m->work++;
    if (j.out == NULL && pith_i_bit(cover, pith_i_sample_bit(m, row[0])))
      continue;
    if (!join_row(&j, row))
      return PITH_ENOMEM;
  }
  *full = j.full;
  return PITH_OK;
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
