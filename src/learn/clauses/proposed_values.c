#include "learn/clauses/proposed_values.h"

#include <assert.h>
#include <math.h>

/* How many examples have a value. */
typedef struct {
  uint32_t pos, neg;
  uint32_t last; /* the example that was counted last */
} tally;

typedef struct {
  pith_i_sample *m;
  pith_i_tuples values; /* (symbol) a row for each tally */
  PITH_I_VEC(tally) tallies;
  pith_i_tuples numbers;       /* (constant) that were looked up */
  PITH_I_VEC(uint32_t) row_of; /* its row of values, or PITH_NONE */
} counter;

/* The row of a constant's symbol; one symbol has a number in each world. */
static pith_status find_tally(counter *c, uint32_t constant, uint32_t *row) {
  pith_i_env *env = c->m->space->env;
  uint32_t number;
  bool fresh;
  pith_status rc =
      pith_i_tuples_add(env, &c->numbers, &constant, &number, &fresh);
  if (rc >= 0 && fresh) {
    pith_sym sym = pith_i_space_symbol(c->m->space, constant);
    bool first = false;
    *row = PITH_NONE;
    if (sym != PITH_NONE)
      rc = pith_i_tuples_add(env, &c->values, &sym, row, &first);
    if (rc >= 0 && first &&
        !pith_i_push(env, &c->tallies, (tally){.last = PITH_NONE}))
      rc = PITH_ENOMEM;
    if (rc >= 0 && !pith_i_push(env, &c->row_of, *row))
      rc = PITH_ENOMEM;
  }
  if (rc >= 0)
    *row = c->row_of.at[number];
  return rc;
}

static pith_status count_rows(counter *c, const pith_i_table *t,
                              uint32_t column) {
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc >= 0 && i < t->rows; i++) {
    const uint32_t *row = t->at.at + i * t->width;
    uint32_t at;
    rc = find_tally(c, row[1 + column], &at);
    if (rc < 0 || at == PITH_NONE || c->tallies.at[at].last == row[0])
      continue;
    c->tallies.at[at].last = row[0];
    if (row[0] < c->m->positives)
      c->tallies.at[at].pos++;
    else
      c->tallies.at[at].neg++;
  }
  c->m->work += 2 * t->rows;
  return rc;
}

/* Bits saved in telling the positive examples that have it. */
static double worth_of(const pith_i_sample *m, const tally *t) {
  double share = (t->pos + 1.0) / (t->pos + t->neg + 1.0);
  double all = (m->positives + 1.0) / (m->n + 1.0);
  return t->pos * (log2(share) - log2(all));
}

static void choose_values(const counter *c, pith_i_value_proposal *out) {
  double worth[PITH_I_PROPOSED];
  uint32_t least = c->m->positives > 3 ? 2 : 1;
  out->n = 0;
  for (uint32_t i = 0; i < c->values.n; i++) {
    double w = worth_of(c->m, &c->tallies.at[i]);
    if (c->tallies.at[i].pos < least || !(w > 0))
      continue;
    uint32_t at = out->n < PITH_I_PROPOSED ? out->n++ : PITH_I_PROPOSED;
    for (; at > 0 && worth[at - 1] < w; at--)
      if (at < PITH_I_PROPOSED) {
        worth[at] = worth[at - 1];
        out->value[at] = out->value[at - 1];
      }
    if (at < PITH_I_PROPOSED) {
      worth[at] = w;
      out->value[at] = c->values.at[i];
    }
  }
}

pith_status pith_i_propose_values(pith_i_sample *m, const pith_i_table *t,
                                  uint32_t column, pith_i_value_proposal *out) {
  counter c = {.m = m, .values = {.width = 1}, .numbers = {.width = 1}};
  assert(column + 1 < t->width);
  pith_status rc = count_rows(&c, t, column);
  if (rc >= 0)
    choose_values(&c, out);
  pith_i_tuples_free(m->space->env, &c.values);
  pith_i_tuples_free(m->space->env, &c.numbers);
  pith_i_vec_free(m->space->env, &c.tallies);
  pith_i_vec_free(m->space->env, &c.row_of);
  return rc;
}
