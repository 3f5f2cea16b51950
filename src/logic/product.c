#include "logic/product.h"

#include <assert.h>
#include <string.h>

/* A relation, or its inverse, as bits. */
typedef struct {
  pith_pred pred;
  bool inverse;
  size_t seen;     /* rows that are in full                */
  uint64_t *full;  /* (n, words)                           */
  uint64_t *fresh; /* (n, words) of the last round         */
  bool *changed;   /* (n) row has fresh bits               */
  bool any;        /* some row has                         */
} mirror;

struct pith_i_product {
  pith_i_env *env;
  const pith_i_strata *program;
  pith_i_tuples ids; /* width 1: the row number of a constant is its id */
  size_t n, words;
  PITH_I_VEC(mirror) mirrors;
  uint64_t *row, *next; /* (words) scratch */
};

/* ---- mirrors --------------------------------------------------------- */

static mirror *find_mirror(const pith_i_product *m, pith_pred pred,
                           bool inverse) {
  for (size_t i = 0; i < m->mirrors.n; i++)
    if (m->mirrors.at[i].pred == pred && m->mirrors.at[i].inverse == inverse)
      return &m->mirrors.at[i];
  return NULL;
}

static pith_status note_pred(pith_i_product *m, pith_pred pred, bool inverse) {
  if (find_mirror(m, pred, inverse) != NULL)
    return PITH_OK;
  const pith_i_tuples *t = &pith_i_strata_relation(m->program, pred)->rows;
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc >= 0 && i < 2 * t->n; i++)
    rc = pith_i_tuples_add(m->env, &m->ids, t->at + i, NULL, NULL);
  mirror new = {.pred = pred, .inverse = inverse};
  return rc >= 0 && !pith_i_push(m->env, &m->mirrors, new) ? PITH_ENOMEM : rc;
}

static bool make_mirror(const pith_i_product *m, mirror *r) {
  r->full = pith_i_zalloc(m->env, m->n * m->words, sizeof *r->full);
  r->fresh = pith_i_zalloc(m->env, m->n * m->words, sizeof *r->fresh);
  r->changed = pith_i_zalloc(m->env, m->n, sizeof *r->changed);
  return r->full != NULL && r->fresh != NULL && r->changed != NULL;
}

static pith_status note_chain(pith_i_product *m, const pith_i_chain *c) {
  pith_status rc = note_pred(m, c->head, false);
  for (uint32_t j = 0; rc >= 0 && j < c->link_count; j++)
    rc = note_pred(m, c->links[j].pred, c->links[j].inverse);
  return rc;
}

static bool make_product_room(pith_i_product *m) {
  m->n = m->ids.n;
  m->words = pith_i_bits_words(m->n);
  m->row = pith_i_alloc(m->env, m->words * sizeof *m->row);
  m->next = pith_i_alloc(m->env, m->words * sizeof *m->next);
  bool ok = m->row != NULL && m->next != NULL;
  for (size_t i = 0; ok && i < m->mirrors.n; i++)
    ok = make_mirror(m, &m->mirrors.at[i]);
  return ok;
}

pith_i_product *pith_i_product_new(const pith_i_strata *program,
                                   const pith_i_chain *chains, size_t n) {
  pith_i_product *m = pith_i_zalloc(program->env, 1, sizeof *m);
  if (m == NULL)
    return NULL;
  m->env = program->env;
  m->program = program;
  m->ids.width = 1;
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc >= 0 && i < n; i++)
    rc = note_chain(m, &chains[i]);
  if (rc < 0 || !make_product_room(m)) {
    pith_i_product_free(m);
    return NULL;
  }
  return m;
}

void pith_i_product_free(pith_i_product *m) {
  if (m == NULL)
    return;
  for (size_t i = 0; i < m->mirrors.n; i++) {
    pith_i_release(m->env, m->mirrors.at[i].full);
    pith_i_release(m->env, m->mirrors.at[i].fresh);
    pith_i_release(m->env, m->mirrors.at[i].changed);
  }
  pith_i_vec_free(m->env, &m->mirrors);
  pith_i_tuples_free(m->env, &m->ids);
  pith_i_release(m->env, m->row);
  pith_i_release(m->env, m->next);
  pith_i_release(m->env, m);
}

/* ---- rows in view ---------------------------------------------------- */

static void forget_fresh(const pith_i_product *m, mirror *r) {
  for (size_t x = 0; r->any && x < m->n; x++)
    if (r->changed[x])
      memset(r->fresh + x * m->words, 0, m->words * sizeof *r->fresh);
  memset(r->changed, 0, m->n * sizeof *r->changed);
  r->any = false;
}

static void set_pair(const pith_i_product *m, mirror *r, size_t x, size_t y,
                     bool fresh) {
  assert(x < m->n && y < m->n);
  uint64_t bit = UINT64_C(1) << (y & 63);
  size_t at = x * m->words + (y >> 6);
  r->full[at] |= bit;
  if (fresh) {
    r->fresh[at] |= bit;
    r->changed[x] = r->any = true;
  }
}

static pith_status refresh_mirror(const pith_i_product *m, mirror *r) {
  const pith_i_relation *rel = pith_i_strata_relation(m->program, r->pred);
  forget_fresh(m, r);
  for (; r->seen < rel->end; r->seen++) {
    const pith_sym *pair = rel->rows.at + 2 * r->seen;
    uint32_t x = pith_i_tuples_find(&m->ids, pair);
    uint32_t y = pith_i_tuples_find(&m->ids, pair + 1);
    if (x == PITH_NONE || y == PITH_NONE)
      return PITH_STOPPED;
    set_pair(m, r, r->inverse ? y : x, r->inverse ? x : y, r->seen >= rel->old);
  }
  return PITH_OK;
}

pith_status pith_i_product_refresh(pith_i_product *m) {
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc == PITH_OK && i < m->mirrors.n; i++)
    rc = refresh_mirror(m, &m->mirrors.at[i]);
  return rc;
}

/* ---- products -------------------------------------------------------- */

PITH_I_FOR_EACH_MACHINE
static void or_row_into(uint64_t *restrict to, const uint64_t *restrict from,
                        size_t n) {
  for (size_t i = 0; i < n; i++)
    to[i] |= from[i];
}

/* next becomes the union of the rows of r that row names. */
static void follow_link(pith_i_product *m, const mirror *r) {
  memset(m->next, 0, m->words * sizeof *m->next);
  for (size_t i = 0; i < m->words; i++)
    for (uint64_t w = m->row[i]; w != 0; w &= w - 1)
      or_row_into(m->next,
                  r->full + (i * 64 + (size_t)__builtin_ctzll(w)) * m->words,
                  m->words);
}

/* The same for a chain of two, where one of both must be new. */
static void follow_news(pith_i_product *m, const mirror *a, const mirror *b,
                        size_t x) {
  const uint64_t *full = a->full + x * m->words;
  const uint64_t *fresh = a->fresh + x * m->words;
  memset(m->next, 0, m->words * sizeof *m->next);
  for (size_t i = 0; i < m->words; i++)
    for (uint64_t w = full[i]; w != 0; w &= w - 1) {
      size_t z = i * 64 + (size_t)__builtin_ctzll(w);
      if (pith_i_bit(fresh, z))
        or_row_into(m->next, b->full + z * m->words, m->words);
      else if (b->changed[z])
        or_row_into(m->next, b->fresh + z * m->words, m->words);
    }
}

/* next becomes row x of the chain. */
static void multiply_chain(pith_i_product *m, const pith_i_chain *c, size_t x) {
  assert(c->link_count >= 2);
  const mirror *first = find_mirror(m, c->links[0].pred, c->links[0].inverse);
  if (c->link_count == 2) {
    follow_news(m, first, find_mirror(m, c->links[1].pred, c->links[1].inverse),
                x);
    return;
  }
  memcpy(m->next, first->full + x * m->words, m->words * sizeof *m->next);
  for (uint32_t j = 1; j < c->link_count; j++) {
    uint64_t *row = m->row;
    m->row = m->next;
    m->next = row;
    follow_link(m, find_mirror(m, c->links[j].pred, c->links[j].inverse));
  }
}

static pith_status tell_row(const pith_i_product *m, const mirror *head,
                            size_t x, const pith_i_product_hooks *hooks) {
  pith_status rc = PITH_OK;
  for (size_t i = 0; i < m->words; i++) {
    uint64_t w = m->next[i] & ~head->full[x * m->words + i];
    for (; rc == PITH_OK && w != 0; w &= w - 1) {
      size_t y = i * 64 + (size_t)__builtin_ctzll(w);
      pith_sym pair[2] = {m->ids.at[x], m->ids.at[y]};
      rc = hooks->found(hooks->ctx, head->pred, pair);
    }
  }
  return rc;
}

static bool has_news(const pith_i_product *m, const pith_i_chain *c) {
  bool any = false;
  for (uint32_t j = 0; j < c->link_count; j++)
    any |= find_mirror(m, c->links[j].pred, c->links[j].inverse)->any;
  return any;
}

pith_status pith_i_product_run(pith_i_product *m, const pith_i_chain *chain,
                               const pith_i_product_hooks *hooks) {
  assert(find_mirror(m, chain->head, false) != NULL);
  const mirror *head = find_mirror(m, chain->head, false);
  pith_status rc = PITH_OK;
  if (!has_news(m, chain))
    return rc;
  for (size_t x = 0; rc == PITH_OK && x < m->n; x++) {
    multiply_chain(m, chain, x);
    rc = tell_row(m, head, x, hooks);
    if (rc == PITH_OK)
      rc = hooks->poll(hooks->ctx);
  }
  return rc;
}
