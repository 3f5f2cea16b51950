#include "compress/prune_facts.h"

#include <assert.h>
#include <string.h>

enum { W = PITH_I_SLICE_WORDS };

#define ROW(array, i) ((array) + (size_t)(i)*W)
#define EACH_WORD(w) for (int w = 0; w < W; w++)

pith_status pith_i_prune_new(pith_i_env *env, const pith_i_net *net,
                             pith_i_prune **out) {
  pith_i_prune *p = pith_i_zalloc(env, 1, sizeof *p);
  if (p == NULL)
    return PITH_ENOMEM;
  size_t row = W * sizeof(uint64_t), atoms = net->atoms;
  pith_status rc = pith_i_sliced_new(env, net, &p->sliced);
  if (rc >= 0)
    p->block = pith_i_zalloc(env, atoms, 2 * row + sizeof(bool));
  if (p->block == NULL) {
    pith_i_prune_free(env, p);
    return PITH_ENOMEM;
  }
  p->given = p->block;
  p->wrong = ROW(p->given, atoms);
  p->observed = (bool *)ROW(p->wrong, atoms);
  for (size_t i = 0; i < net->examples.n; i++)
    p->observed[net->examples.at[i].atom] = net->examples.at[i].label > 0.5f;
  p->sliced->given = p->given;
  *out = p;
  return PITH_OK;
}

void pith_i_prune_free(pith_i_env *env, pith_i_prune *p) {
  if (p == NULL)
    return;
  pith_i_sliced_free(env, p->sliced);
  pith_i_release(env, p->block);
  pith_i_release(env, p);
}

void pith_i_prune_clear(pith_i_prune *p) {
  pith_i_sliced_clear(p->sliced);
  memset(p->abduce, 0, sizeof p->abduce);
  memset(p->given, 0, p->sliced->net->atoms * W * sizeof *p->given);
}

void pith_i_prune_add(pith_i_prune *p, const uint32_t *choice, const bool *core,
                      bool abduce) {
  assert(p->sliced->count < PITH_I_SLICE);
  const pith_i_net *net = p->sliced->net;
  uint32_t word = p->sliced->count / 64, bit = p->sliced->count % 64;
  pith_i_sliced_add(p->sliced, choice);
  p->abduce[word] |= (uint64_t)abduce << bit;
  for (size_t m = 0; m < net->core.n; m++)
    ROW(p->given, net->core.at[m])[word] |= (uint64_t)core[m] << bit;
}

bool pith_i_prune_has(const pith_i_prune *p, uint32_t i, size_t m) {
  assert(i < p->sliced->count);
  assert(m < p->sliced->net->core.n);
  const uint64_t *row = ROW(p->given, p->sliced->net->core.at[m]);
  return (row[i / 64] >> i % 64 & 1) != 0;
}

/* ---- the ways to match a body ------------------------------------------ */

/* For one element of a body of one join: elements of its one or two slots. */
typedef struct {
  const uint32_t *left, *right; /* (count) or NULL: by steps */
  size_t x, y, x_step, y_step;
  uint32_t count;
} ways;

static ways ways_to_match(const pith_i_net *net, const pith_i_join *j,
                          uint32_t e) {
  if (!net->dense)
    return (ways){.left = j->left + j->start[e],
                  .right = j->right == NULL ? NULL : j->right + j->start[e],
                  .count = j->start[e + 1] - j->start[e]};
  uint32_t x = j->arity[2] == 2 ? net->pair_x[e] : e;
  pith_i_grid g = pith_i_grid_of(net, j, net->world_of[x]);
  size_t row = (e - g.out) / g.columns, column = (e - g.out) % g.columns;
  return (ways){.x = g.a + row * g.a_step[0] + column * g.a_step[1],
                .y = g.b + row * g.b_step[0] + column * g.b_step[1],
                .x_step = g.a_step[2],
                .y_step = g.b_step[2],
                .count = (uint32_t)g.depth};
}

static uint32_t left_of(const ways *w, uint32_t k) {
  assert(k < w->count);
  return w->left != NULL ? w->left[k] : (uint32_t)(w->x + k * w->x_step);
}

static uint32_t right_of(const ways *w, uint32_t k) {
  assert(k < w->count);
  return w->right != NULL ? w->right[k] : (uint32_t)(w->y + k * w->y_step);
}

/* The atom that an element of a slot is for a candidate, or PITH_NONE. */
static uint32_t atom_of_element(const pith_i_net *net, uint32_t c, uint32_t e) {
  assert(c < net->candidates.n);
  const pith_i_slot_candidate *k = &net->candidates.at[c];
  uint32_t a = k->map == NULL ? e : k->map[e];
  return a == PITH_NONE ? PITH_NONE : net->preds.at[k->pred].offset + a;
}

/* ---- what must be stated ----------------------------------------------- */

/* An observed fact that follows from no other facts must be stated. If all
** else follows from those, nothing more is needed, and that takes one look
** instead of one for each fact. Where facts support each other in a circle it
** fails, and they are taken one by one. */

/* The theories in which an element of a slot holds without this atom's help. */
static void holds_without(const pith_i_prune *p, uint32_t slot, uint32_t e,
                          uint32_t atom, uint64_t out[W]) {
  const pith_i_net *net = p->sliced->net;
  const pith_i_net_slot *s = &net->slots.at[slot];
  EACH_WORD(w) out[w] = 0;
  for (uint32_t c = s->first; c < s->first + s->count; c++) {
    uint32_t a = atom_of_element(net, c, e);
    if (a == PITH_NONE || a == atom ||
        !net->preds.at[net->candidates.at[c].pred].derived)
      continue;
    EACH_WORD(w)
    out[w] |= ROW(p->sliced->choice, c)[w] & ROW(p->sliced->value, a)[w];
  }
}

/* The theories whose rule derives the atom from others: p->wrong gets them. A
** body of several joins may have used the atom itself. */
static void note_support(pith_i_prune *p, const pith_i_net_rule *r, uint32_t e,
                         uint32_t head, uint32_t atom) {
  const pith_i_net *net = p->sliced->net;
  const pith_i_join *j = &net->joins.at[r->first_join + r->joins - 1];
  const uint64_t *has = ROW(p->sliced->choice, head);
  const uint64_t *body = ROW(p->sliced->tensor, net->tensor_offset.at[j->out]);
  uint64_t *to = ROW(p->wrong, atom), left[W], right[W], open = 0;
  EACH_WORD(w) open |= has[w] & ROW(body, e)[w] & ~to[w];
  if (open == 0)
    return;
  if (r->joins > 1) {
    EACH_WORD(w) to[w] |= has[w] & ROW(body, e)[w];
    return;
  }
  ways way = ways_to_match(net, j, e);
  for (uint32_t k = 0; k < way.count; k++) {
    holds_without(p, j->a, left_of(&way, k), atom, left);
    memcpy(right, left, sizeof right);
    if (j->b != PITH_NONE)
      holds_without(p, j->b, right_of(&way, k), atom, right);
    EACH_WORD(w) to[w] |= has[w] & left[w] & right[w];
  }
}

/* Fills p->wrong, for each observed atom, with the theories in which it
** follows from others. The sliced values are those of the whole theories. */
static void note_supports(pith_i_prune *p) {
  const pith_i_net *net = p->sliced->net;
  memset(p->wrong, 0, (size_t)net->atoms * W * sizeof *p->wrong);
  for (size_t i = 0; i < net->rules.n; i++) {
    const pith_i_net_rule *r = &net->rules.at[i];
    const pith_i_net_slot *head = &net->slots.at[r->head];
    for (uint32_t c = head->first; c < head->first + head->count; c++)
      for (uint32_t e = 0; e < r->size; e++) {
        uint32_t a = atom_of_element(net, c, r->atoms[e]);
        if (a != PITH_NONE && p->observed[a])
          note_support(p, r, e, c, a);
      }
  }
}

/* The theories that still derive every observation. */
static void all_hold(const pith_i_prune *p, uint64_t whole[W]) {
  const pith_i_net *net = p->sliced->net;
  EACH_WORD(w) whole[w] = ~UINT64_C(0);
  for (size_t i = 0; i < net->examples.n; i++) {
    const pith_i_net_example *e = &net->examples.at[i];
    for (int w = 0; e->label > 0.5f && w < W; w++)
      whole[w] &= ROW(p->sliced->value, e->atom)[w];
  }
}

/* Takes all observed facts that follow from others where the rest is enough;
** p->wrong keeps those that are still in doubt. */
static void take_followers(pith_i_prune *p) {
  const pith_i_net *net = p->sliced->net;
  uint64_t whole[W];
  pith_i_sliced_close(p->sliced);
  note_supports(p);
  for (size_t m = 0; m < net->observed; m++)
    EACH_WORD(w) {
      uint64_t *given = &ROW(p->given, net->core.at[m])[w];
      uint64_t *follows = &ROW(p->wrong, net->core.at[m])[w];
      *follows &= *given;
      *given &= ~*follows;
    }
  pith_i_sliced_close(p->sliced);
  all_hold(p, whole);
  for (size_t m = 0; m < net->observed; m++)
    EACH_WORD(w) {
      uint64_t *follows = &ROW(p->wrong, net->core.at[m])[w];
      *follows &= ~whole[w];
      ROW(p->given, net->core.at[m])[w] |= *follows;
    }
}

static bool is_doubtful(const pith_i_prune *p, uint32_t atom) {
  uint64_t any = 0;
  EACH_WORD(w) any |= ROW(p->wrong, atom)[w];
  return any != 0;
}

/* ---- pruning --------------------------------------------------------- */

/* A fact is taken from all theories; false: none had it. */
static bool take_fact(pith_i_prune *p, uint32_t place, uint64_t had[W]) {
  assert(place < p->sliced->net->atoms);
  uint64_t any = 0;
  EACH_WORD(w) {
    had[w] = ROW(p->given, place)[w];
    ROW(p->given, place)[w] = 0;
    any |= had[w];
  }
  return any != 0;
}

/* Facts are taken one by one, but for those that a theory must have. */
static void reduce_cores(pith_i_prune *p, const uint32_t *order) {
  const pith_i_net *net = p->sliced->net;
  take_followers(p);
  for (size_t i = 0; i < net->core.n && !p->sliced->stopped; i++) {
    uint32_t place = net->core.at[order[i]];
    uint64_t had[W], whole[W];
    if (order[i] < net->observed && !is_doubtful(p, place))
      continue;
    if (!take_fact(p, place, had))
      continue;
    pith_i_sliced_close(p->sliced);
    all_hold(p, whole);
    EACH_WORD(w) ROW(p->given, place)[w] = had[w] & ~whole[w];
  }
}

/* ---- abduction ------------------------------------------------------- */

/* The theories with this rule that can use it for the observed head atoms of
** the element e of its body. */
static bool find_wanted(const pith_i_prune *p, const pith_i_net_rule *r,
                        uint32_t e, uint64_t want[W]) {
  const pith_i_net *net = p->sliced->net;
  const pith_i_net_slot *head = &net->slots.at[r->head];
  uint64_t any = 0;
  EACH_WORD(w) want[w] = 0;
  for (uint32_t c = head->first; c < head->first + head->count; c++) {
    uint32_t a = atom_of_element(net, c, r->atoms[e]);
    if (a == PITH_NONE || !p->observed[a])
      continue;
    EACH_WORD(w)
    any |= want[w] |= ROW(p->sliced->choice, c)[w] & p->abduce[w];
  }
  return any != 0;
}

/* An element of a slot is given to the theories that read the slot as an
** invented predicate. */
static void give_element(pith_i_prune *p, uint32_t slot, uint32_t e,
                         const uint64_t want[W]) {
  const pith_i_net *net = p->sliced->net;
  const pith_i_net_slot *s = &net->slots.at[slot];
  for (uint32_t c = s->first; c < s->first + s->count; c++) {
    const pith_i_net_pred *q = &net->preds.at[net->candidates.at[c].pred];
    uint32_t a = atom_of_element(net, c, e);
    if (!q->derived || q->fact_count > 0 || a == PITH_NONE)
      continue;
    EACH_WORD(w)
    ROW(p->given, a)[w] |= want[w] & ROW(p->sliced->choice, c)[w];
  }
}

/* Every way to match the body for its element e. */
static void give_body(pith_i_prune *p, const pith_i_join *j, uint32_t e,
                      const uint64_t want[W]) {
  ways w = ways_to_match(p->sliced->net, j, e);
  for (uint32_t k = 0; k < w.count; k++) {
    give_element(p, j->a, left_of(&w, k), want);
    if (j->b != PITH_NONE)
      give_element(p, j->b, right_of(&w, k), want);
  }
}

/* Bodies of several joins are left to the learned facts. */
static void abduce_facts(pith_i_prune *p) {
  const pith_i_net *net = p->sliced->net;
  for (size_t i = 0; i < net->rules.n; i++) {
    const pith_i_net_rule *r = &net->rules.at[i];
    uint64_t want[W];
    for (uint32_t e = 0; r->joins == 1 && e < r->size; e++)
      if (find_wanted(p, r, e, want))
        give_body(p, &net->joins.at[r->first_join], e, want);
  }
}

/* ---- mending --------------------------------------------------------- */

/* Notes what is derived and should not be; false: nothing. */
static bool note_wrong_atoms(pith_i_prune *p) {
  const pith_i_net *net = p->sliced->net;
  uint64_t any = 0;
  for (size_t i = 0; i < net->examples.n; i++) {
    const pith_i_net_example *e = &net->examples.at[i];
    for (int w = 0; e->label < 0.5f && w < W; w++) {
      uint64_t now = ROW(p->sliced->value, e->atom)[w];
      ROW(p->wrong, e->atom)[w] = now;
      any |= now;
    }
  }
  return any != 0;
}

/* The theories in which less is wrong than was noted; a theory with fewer
** facts derives no more. */
static void find_better(const pith_i_prune *p, uint64_t less[W]) {
  const pith_i_net *net = p->sliced->net;
  EACH_WORD(w) less[w] = 0;
  for (size_t i = 0; i < net->examples.n; i++) {
    const pith_i_net_example *e = &net->examples.at[i];
    for (int w = 0; e->label < 0.5f && w < W; w++)
      less[w] |= ROW(p->wrong, e->atom)[w] & ~ROW(p->sliced->value, e->atom)[w];
  }
}

static void mend_theories(pith_i_prune *p, const uint32_t *order) {
  const pith_i_net *net = p->sliced->net;
  pith_i_sliced_close(p->sliced);
  bool wrong = note_wrong_atoms(p);
  for (size_t i = 0; wrong && i < net->core.n && !p->sliced->stopped; i++) {
    uint32_t place = net->core.at[order[i]];
    uint64_t had[W], less[W];
    if (order[i] < net->observed || !take_fact(p, place, had))
      continue;
    pith_i_sliced_close(p->sliced);
    find_better(p, less);
    uint64_t any = 0;
    EACH_WORD(w) {
      ROW(p->given, place)[w] = had[w] & ~less[w];
      any |= less[w] & had[w];
    }
    if (any != 0) {
      pith_i_sliced_close(p->sliced);
      wrong = note_wrong_atoms(p);
    }
  }
}

/* ---- worth ----------------------------------------------------------- */

static void count_set_bits(uint32_t n, const uint64_t row[W], uint32_t *first,
                           size_t stride) {
  for (uint32_t i = 0; i < n; i++)
    first[i * stride] += (uint32_t)(row[i / 64] >> i % 64 & 1);
}

void pith_i_prune_judge(pith_i_prune *p, pith_i_theory_worth *worth) {
  assert(p->sliced->given == p->given);
  const pith_i_net *net = p->sliced->net;
  uint32_t n = p->sliced->count;
  size_t stride = sizeof *worth / sizeof(uint32_t);
  memset(worth, 0, n * sizeof *worth);
  pith_i_sliced_close(p->sliced);
  for (size_t i = 0; i < net->examples.n; i++) {
    const pith_i_net_example *e = &net->examples.at[i];
    const uint64_t *v = ROW(p->sliced->value, e->atom);
    uint64_t not_v[W];
    EACH_WORD(w) not_v[w] = ~v[w];
    if (e->label > 0.5f)
      count_set_bits(n, not_v, &worth->missing, stride);
    else
      count_set_bits(n, v, &worth->wrong, stride);
  }
  for (size_t m = 0; m < net->core.n; m++)
    count_set_bits(n, ROW(p->given, net->core.at[m]), &worth->core, stride);
}

void pith_i_prune_run(pith_i_prune *p, const uint32_t *order,
                      pith_i_theory_worth *worth) {
  abduce_facts(p);
  mend_theories(p, order);
  reduce_cores(p, order);
  pith_i_prune_judge(p, worth);
}
