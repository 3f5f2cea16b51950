/* From chains to matrix operations.
**
** A chain is folded outwards from its first growing link, leftwards first:
** what is fixed on the left hands on whole rows, which is the cheapest
** operation. When the rules are mostly fixed on the right, all relations are
** transposed instead: (A B)' = B' A'. Each fold gives a temporary matrix, the
** last one goes to the head. A growing relation that is used the other way
** round has a second matrix which follows it.
**
** Rows are numbered in the postorder of the fixed relations on the left, so
** that most rows are complete when they are handed on. */
#include "logic/dense.h"

#include <assert.h>
#include <string.h>

#include "base/scc.h"
#include "logic/sweep.h"

typedef struct {
  pith_pred pred;
  bool inverse;
} fixed_key;

typedef struct {
  const pith_i_dense_spec *spec;
  pith_i_env *env;
  bool flip; /* matrices hold the transposed relations */
  size_t n;  /* constants                              */
  size_t limit;
  uint32_t *id_of; /* (sym_count) or PITH_NONE         */
  size_t sym_count;
  pith_i_domain *domain;
  pith_i_sweep sweep;
  PITH_I_VEC(fixed_key) fixed;     /* as sweep.fixed                      */
  PITH_I_VEC(uint32_t) inverse_of; /* as sweep.grown; PITH_NONE: has none */
  uint32_t *grown_of;              /* (head_count)                        */
} builder;

static pith_i_relation *matrix_relation(const builder *b, pith_pred pred) {
  return pith_i_strata_relation(b->spec->program, pred);
}

static uint32_t head_number(const builder *b, pith_pred pred) {
  for (size_t i = 0; i < b->spec->head_count; i++)
    if (b->spec->heads[i] == pred)
      return (uint32_t)i;
  return PITH_NONE;
}

/* Link i of a chain, of the transposed chain when flipped. What grows is then
** transposed in its matrix, and so the same way round as before. */
static pith_i_link link_at(const builder *b, const pith_i_chain *c,
                           uint32_t i) {
  assert(i < c->link_count);
  if (!b->flip)
    return c->links[i];
  pith_i_link link = c->links[c->link_count - 1 - i];
  link.inverse ^= head_number(b, link.pred) == PITH_NONE;
  return link;
}

/* The first link that grows; link_count: none does. */
static uint32_t first_grown(const builder *b, const pith_i_chain *c) {
  uint32_t i = 0;
  while (i < c->link_count &&
         head_number(b, link_at(b, c, i).pred) == PITH_NONE)
    i++;
  return i;
}

/* ---- visiting pairs -------------------------------------------------- */

/* Where the pairs of a relation go; visitors see ids, turned round if asked. */
typedef struct {
  bool inverse;
  size_t *starts;
  uint32_t *ids;
  uint64_t *bits;
  uint32_t grown;
} sink;

typedef void (*pair_visit)(builder *b, const sink *to, size_t x, size_t y);

static inline void visit_pair(builder *b, pair_visit visit, const sink *to,
                              pith_sym x, pith_sym y) {
  assert(x < b->sym_count && y < b->sym_count);
  assert(b->id_of[x] != PITH_NONE && b->id_of[y] != PITH_NONE);
  uint32_t i = b->id_of[x], j = b->id_of[y];
  visit(b, to, to->inverse ? j : i, to->inverse ? i : j);
}

static void each_bit_pair(builder *b, const pith_i_bits *m, pair_visit visit,
                          const sink *to) {
  const pith_sym *sym = m->domain->ids.at;
  for (size_t x = 0; x < m->n; x++)
    for (size_t i = 0; i < m->words; i++)
      for (uint64_t w = m->rows[x * m->words + i]; w != 0; w &= w - 1)
        visit_pair(b, visit, to, sym[x],
                   sym[i * 64 + (size_t)__builtin_ctzll(w)]);
}

static void each_pair(builder *b, pith_pred pred, pair_visit visit,
                      const sink *to) {
  const pith_i_relation *r = matrix_relation(b, pred);
  if (r->bits != NULL) {
    each_bit_pair(b, r->bits, visit, to);
    return;
  }
  for (size_t row = 0; row < r->rows.n; row++)
    visit_pair(b, visit, to, r->rows.at[2 * row], r->rows.at[2 * row + 1]);
}

static void count_pair(builder *b, const sink *to, size_t x, size_t y) {
  (void)b, (void)y;
  to->starts[x + 2]++;
}

static void list_pair(builder *b, const sink *to, size_t x, size_t y) {
  (void)b;
  to->ids[to->starts[x + 1]++] = (uint32_t)y;
}

static void bit_pair(builder *b, const sink *to, size_t x, size_t y) {
  to->bits[x * b->sweep.words + (y >> 6)] |= UINT64_C(1) << (y & 63);
}

static void grow_pair(builder *b, const sink *to, size_t x, size_t y) {
  assert(to->grown < b->sweep.grown.n);
  pith_i_grown_set(&b->sweep, to->grown, x, y);
}

/* ---- constants ------------------------------------------------------- */

/* The symbols of a relation, with repetitions. */
static const pith_i_tuples *symbols_of_relation(const builder *b,
                                                pith_pred pred) {
  const pith_i_relation *r = matrix_relation(b, pred);
  return r->bits != NULL ? &r->bits->domain->ids : &r->rows;
}

/* All relations of the component and of its rules, some more than once. */
static void each_relation(builder *b,
                          void (*visit)(builder *b, const pith_i_tuples *t)) {
  for (size_t i = 0; i < b->spec->head_count; i++)
    visit(b, symbols_of_relation(b, b->spec->heads[i]));
  for (size_t i = 0; i < b->spec->chain_count; i++)
    for (uint32_t j = 0; j < b->spec->chains[i].link_count; j++)
      visit(b, symbols_of_relation(b, b->spec->chains[i].links[j].pred));
}

static void find_largest(builder *b, const pith_i_tuples *t) {
  for (size_t i = 0; i < t->n * t->width; i++)
    if (t->at[i] >= b->sym_count)
      b->sym_count = (size_t)t->at[i] + 1;
}

static void number_symbols(builder *b, const pith_i_tuples *t) {
  for (size_t i = 0; i < t->n * t->width && b->n <= b->limit; i++)
    if (b->id_of[t->at[i]] == PITH_NONE)
      b->id_of[t->at[i]] = (uint32_t)b->n++;
}

static pith_status make_ids(builder *b) {
  each_relation(b, find_largest);
  b->id_of = pith_i_alloc(b->env, b->sym_count * sizeof *b->id_of);
  if (b->id_of == NULL)
    return PITH_ENOMEM;
  memset(b->id_of, 0xff, b->sym_count * sizeof *b->id_of);
  each_relation(b, number_symbols);
  return PITH_OK;
}

size_t pith_i_dense_constants(const pith_i_dense_spec *spec, size_t limit) {
  builder b = {.spec = spec, .env = spec->program->env, .limit = limit};
  size_t n = make_ids(&b) < 0 ? SIZE_MAX : b.n;
  pith_i_release(b.env, b.id_of);
  return n;
}

/* ---- the order of rows ----------------------------------------------- */

/* Visits the pairs (x, z) by which row z is handed on to row x: those of the
** fixed links left of one that grows. Bits are too many to be worth it. */
static void each_feeding_pair(builder *b, pair_visit visit, sink *to) {
  for (size_t i = 0; i < b->spec->chain_count; i++) {
    const pith_i_chain *c = &b->spec->chains[i];
    uint32_t n = first_grown(b, c);
    for (uint32_t j = 0; n < c->link_count && j < n; j++) {
      pith_i_link link = link_at(b, c, j);
      to->inverse = link.inverse;
      if (matrix_relation(b, link.pred)->bits == NULL)
        each_pair(b, link.pred, visit, to);
    }
  }
}

static void counts_to_starts(size_t *starts, size_t n) {
  for (size_t i = 2; i <= n + 1; i++)
    starts[i] += starts[i - 1];
}

static pith_status find_order(builder *b, uint32_t *order) {
  sink to = {.starts = pith_i_zalloc(b->env, b->n + 2, sizeof *to.starts)};
  if (to.starts == NULL)
    return PITH_ENOMEM;
  each_feeding_pair(b, count_pair, &to);
  counts_to_starts(to.starts, b->n);
  to.ids = pith_i_alloc(b->env, to.starts[b->n + 1] * sizeof *to.ids);
  pith_status rc = PITH_ENOMEM;
  if (to.ids != NULL) {
    each_feeding_pair(b, list_pair, &to);
    rc = pith_i_postorder(b->env, b->n, to.starts, to.ids, order);
  }
  pith_i_release(b->env, to.starts);
  pith_i_release(b->env, to.ids);
  return rc;
}

/* The domain in the new order; sym (n) is scratch. */
static pith_status make_domain(builder *b, const uint32_t *order,
                               pith_sym *sym) {
  b->domain = pith_i_zalloc(b->env, 1, sizeof *b->domain);
  if (b->domain == NULL)
    return PITH_ENOMEM;
  b->domain->ids.width = 1;
  b->domain->users = 1; /* ours, until we are done */
  for (size_t s = 0; s < b->sym_count; s++)
    if (b->id_of[s] != PITH_NONE) {
      b->id_of[s] = order[b->id_of[s]];
      sym[b->id_of[s]] = (pith_sym)s;
    }
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc >= 0 && i < b->n; i++)
    rc = pith_i_tuples_add(b->env, &b->domain->ids, &sym[i], NULL, NULL);
  return rc;
}

static pith_status order_rows(builder *b) {
  uint32_t *order = pith_i_alloc(b->env, 2 * b->n * sizeof *order);
  if (order == NULL)
    return PITH_ENOMEM;
  pith_status rc = find_order(b, order);
  if (rc >= 0)
    rc = make_domain(b, order, order + b->n);
  pith_i_release(b->env, order);
  return rc;
}

/* Handing on whole rows needs the fixed link on the left. */
static void choose_side(builder *b) {
  size_t left = 0, right = 0;
  for (size_t i = 0; i < b->spec->chain_count; i++) {
    const pith_i_chain *c = &b->spec->chains[i];
    uint32_t first = first_grown(b, c);
    for (uint32_t j = 0; first < c->link_count && j < c->link_count; j++)
      if (head_number(b, c->links[j].pred) == PITH_NONE) {
        left += j < first;
        right += j > first;
      }
  }
  b->flip = right > left;
}

/* ---- matrices -------------------------------------------------------- */

static bool fill_lists(builder *b, pith_pred pred, sink *to) {
  to->starts = pith_i_zalloc(b->env, b->n + 2, sizeof *to->starts);
  if (to->starts == NULL)
    return false;
  each_pair(b, pred, count_pair, to);
  counts_to_starts(to->starts, b->n);
  to->ids = pith_i_alloc(b->env, to->starts[b->n + 1] * sizeof *to->ids);
  if (to->ids == NULL)
    return false;
  each_pair(b, pred, list_pair, to);
  return true;
}

static bool fill_bits(builder *b, pith_pred pred, sink *to) {
  to->bits = pith_i_zalloc(b->env, b->n * b->sweep.words, sizeof *to->bits);
  if (to->bits == NULL)
    return false;
  each_pair(b, pred, bit_pair, to);
  return true;
}

/* Lists as long as a row has words, on average, are better as bits. */
static bool is_dense(const builder *b, pith_pred pred) {
  const pith_i_relation *r = matrix_relation(b, pred);
  uint64_t pairs = r->bits != NULL ? r->bits->count : r->rows.n;
  return pairs >= (uint64_t)b->n * b->sweep.words;
}

/* The number of a fixed matrix; PITH_NONE: no memory. */
static uint32_t fixed_matrix(builder *b, pith_pred pred, bool inverse) {
  for (size_t i = 0; i < b->fixed.n; i++)
    if (b->fixed.at[i].pred == pred && b->fixed.at[i].inverse == inverse)
      return (uint32_t)i;
  if (!pith_i_push(b->env, &b->fixed, (fixed_key){pred, inverse}) ||
      !pith_i_room(b->env, &b->sweep.fixed, 1))
    return PITH_NONE;
  sink to = {.inverse = inverse};
  bool filled =
      is_dense(b, pred) ? fill_bits(b, pred, &to) : fill_lists(b, pred, &to);
  b->sweep.fixed.at[b->sweep.fixed.n++] =
      (pith_i_fixed){to.starts, to.ids, to.bits};
  return filled ? (uint32_t)b->sweep.fixed.n - 1 : PITH_NONE;
}

static uint32_t new_matrix(builder *b) {
  uint32_t at = pith_i_grown_new(&b->sweep);
  return at != PITH_NONE && pith_i_push(b->env, &b->inverse_of, PITH_NONE)
             ? at
             : PITH_NONE;
}

/* The matrix that follows this one the other way round. */
static uint32_t transpose_of(builder *b, uint32_t from) {
  if (b->inverse_of.at[from] != PITH_NONE)
    return b->inverse_of.at[from];
  uint32_t to = new_matrix(b);
  if (to == PITH_NONE ||
      !pith_i_grown_op(&b->sweep, from, (pith_i_op){PITH_I_INVERT, to, 0, 0}))
    return PITH_NONE;
  b->inverse_of.at[from] = to;
  b->inverse_of.at[to] = from;
  return to;
}

/* ---- operations ------------------------------------------------------ */

static bool add_op(builder *b, uint32_t from, pith_i_op_kind kind, uint32_t to,
                   uint32_t other, uint32_t fixed) {
  return other != PITH_NONE && fixed != PITH_NONE &&
         pith_i_grown_op(&b->sweep, from, (pith_i_op){kind, to, other, fixed});
}

/* A matrix for the link to start from: its own if it grows, else a copy. */
static uint32_t start_matrix(builder *b, pith_i_link link) {
  uint32_t head = head_number(b, link.pred);
  if (head != PITH_NONE)
    return link.inverse ? transpose_of(b, b->grown_of[head])
                        : b->grown_of[head];
  uint32_t at = new_matrix(b);
  if (at != PITH_NONE)
    each_pair(b, link.pred, grow_pair,
              &(sink){.inverse = link.inverse, .grown = at});
  return at;
}

/* to gets from composed with the link on its right. */
static bool compose_right(builder *b, uint32_t from, pith_i_link link,
                          uint32_t to) {
  if (head_number(b, link.pred) == PITH_NONE)
    return add_op(b, from, PITH_I_FIXED_RIGHT, to, 0,
                  fixed_matrix(b, link.pred, link.inverse));
  uint32_t right = start_matrix(b, link);
  return right != PITH_NONE &&
         add_op(b, from, PITH_I_GROWN_RIGHT, to, right, 0) &&
         add_op(b, right, PITH_I_GROWN_LEFT, to, transpose_of(b, from), 0);
}

/* The same on its left; there only fixed links are. */
static bool compose_left(builder *b, uint32_t from, pith_i_link link,
                         uint32_t to) {
  return add_op(b, from, PITH_I_FIXED_LEFT, to, 0,
                fixed_matrix(b, link.pred, !link.inverse));
}

static bool add_single(builder *b, pith_i_link link, uint32_t to) {
  uint32_t head = head_number(b, link.pred);
  if (head != PITH_NONE)
    return add_op(b, b->grown_of[head],
                  link.inverse ? PITH_I_INVERT : PITH_I_COPY, to, 0, 0);
  each_pair(b, link.pred, grow_pair,
            &(sink){.inverse = link.inverse, .grown = to});
  return true;
}

static bool add_chain_matrices(builder *b, const pith_i_chain *c) {
  uint32_t head = b->grown_of[head_number(b, c->head)];
  if (c->link_count == 1)
    return add_single(b, link_at(b, c, 0), head);
  uint32_t first = first_grown(b, c), left = c->link_count - 1;
  if (first == c->link_count)
    first = 0;
  uint32_t from = start_matrix(b, link_at(b, c, first));
  bool ok = from != PITH_NONE;
  for (uint32_t i = 0; ok && i < c->link_count - 1; i++) {
    uint32_t to = --left == 0 ? head : new_matrix(b);
    if (to == PITH_NONE)
      return false;
    ok = i < first ? compose_left(b, from, link_at(b, c, first - 1 - i), to)
                   : compose_right(b, from, link_at(b, c, i + 1), to);
    from = to;
  }
  return ok;
}

static pith_status build_matrices(builder *b) {
  pith_status rc = pith_i_sweep_init(&b->sweep, b->env, b->n);
  size_t n = b->spec->head_count;
  b->grown_of = pith_i_alloc(b->env, n * sizeof *b->grown_of);
  bool ok = rc >= 0 && b->grown_of != NULL;
  for (size_t i = 0; ok && i < n; i++) {
    b->grown_of[i] = new_matrix(b);
    ok = b->grown_of[i] != PITH_NONE;
    if (ok)
      each_pair(b, b->spec->heads[i], grow_pair,
                &(sink){.inverse = b->flip, .grown = b->grown_of[i]});
  }
  for (size_t i = 0; ok && i < b->spec->chain_count; i++)
    ok = add_chain_matrices(b, &b->spec->chains[i]);
  b->sweep.poll = b->spec->poll;
  b->sweep.poll_ctx = b->spec->poll_ctx;
  return ok ? PITH_OK : PITH_ENOMEM;
}

/* ---- the result ------------------------------------------------------ */

/* Takes the matrix out of the sweep, the right way round. */
static uint64_t *take_full(builder *b, uint32_t grown) {
  assert(grown < b->sweep.grown.n && b->sweep.grown.at[grown].full != NULL);
  pith_i_grown *g = &b->sweep.grown.at[grown];
  uint64_t *full = g->full;
  pith_i_release(b->env, g->fresh);
  g->fresh = NULL;
  if (b->flip) {
    uint64_t *to = pith_i_zalloc(b->env, b->n * b->sweep.words, sizeof *to);
    if (to == NULL)
      return NULL;
    pith_i_bits_transpose(full, b->n, b->sweep.words, to);
    pith_i_release(b->env, full);
    full = to;
  }
  g->full = NULL;
  return full;
}

/* All or none of the relations change. bits (head_count) is scratch. */
static pith_status make_result(builder *b, pith_i_bits **bits) {
  size_t n = b->spec->head_count, made = 0;
  pith_status rc = PITH_OK;
  for (; rc >= 0 && made < n; made++) {
    uint64_t *full = take_full(b, b->grown_of[made]);
    bits[made] = NULL;
    rc = full == NULL ? PITH_ENOMEM
                      : pith_i_bits_take(b->env, b->domain, full, &bits[made]);
    if (rc < 0)
      pith_i_release(b->env, full);
  }
  for (size_t i = 0; i < made; i++)
    if (rc < 0)
      pith_i_bits_free(b->env, bits[i]);
    else
      pith_i_relation_take_bits(b->env, matrix_relation(b, b->spec->heads[i]),
                                bits[i]);
  return rc;
}

static void free_builder(builder *b) {
  pith_i_release(b->env, b->id_of);
  pith_i_release(b->env, b->grown_of);
  pith_i_vec_free(b->env, &b->fixed);
  pith_i_vec_free(b->env, &b->inverse_of);
  pith_i_sweep_free(&b->sweep);
  pith_i_domain_release(b->env, b->domain);
}

static pith_status prepare_builder(builder *b) {
  pith_status rc = make_ids(b);
  if (rc >= 0) {
    choose_side(b);
    rc = order_rows(b);
  }
  return rc < 0 ? rc : build_matrices(b);
}

pith_status pith_i_dense_run(const pith_i_dense_spec *spec, uint32_t *sweeps) {
  builder b = {.spec = spec, .env = spec->program->env, .limit = PITH_NONE - 1};
  b.sweep.env = b.env; /* freed also when it was never begun */
  pith_i_bits **bits =
      pith_i_alloc(b.env, spec->head_count * sizeof(pith_i_bits *));
  pith_status rc = bits == NULL ? PITH_ENOMEM : prepare_builder(&b);
  if (rc >= 0) {
    rc = pith_i_sweep_run(&b.sweep);
    *sweeps = b.sweep.sweeps;
  }
  if (rc >= 0) {
    pith_status made = make_result(&b, bits);
    rc = made < 0 ? made : rc;
  }
  free_builder(&b);
  pith_i_release(spec->program->env, bits);
  return rc;
}
