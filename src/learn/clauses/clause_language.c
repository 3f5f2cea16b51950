#include "learn/clauses/clause_language.h"

#include <assert.h>
#include <string.h>

#include "base/hash.h"
#include "base/tunables.h"
#include "learn/clauses/head_values.h"
#include "learn/clauses/helpers.h"
#include "learn/clauses/ordered_places.h"
#include "task/shared_places.h"
#include "task/task.h"
#include "task/vocabulary.h"
#include "term/translate.h"

typedef pith_i_space space;

void pith_i_space_free(pith_i_space *s) {
  pith_i_store_free(&s->store);
  pith_i_vec_free(s->env, &s->choices);
  pith_i_vec_free(s->env, &s->domains);
  pith_i_vec_free(s->env, &s->only);
  pith_i_tuples_free(s->env, &s->listed);
  pith_i_tuples_free(s->env, &s->in_examples);
  pith_i_tuples_free(s->env, &s->valued);
  pith_i_vec_free(s->env, &s->valued_as);
  pith_i_release(s->env, s->base);
  pith_i_release(s->env, s->args);
  pith_i_release(s->env, s->weight);
  pith_i_release(s->env, s->value);
  pith_i_vec_free(s->env, &s->orders);
}

/* ---- relations ------------------------------------------------------- */

typedef struct {
  space *s;
  size_t world;
  uint32_t choice;
  pith_sym fixed[PITH_I_PLACES]; /* as this world numbers them */
  pith_status rc;
} filler;

static int take_fact(void *ctx, pith_pred pred, const pith_sym *args,
                     size_t n) {
  filler *f = ctx;
  space *s = f->s;
  const pith_i_kind_of_atom *c = &s->choices.at[f->choice];
  uint32_t row[PITH_I_PLACES];
  (void)pred;
  for (size_t i = 0; i < n; i++)
    if (f->fixed[i] != PITH_NONE && f->fixed[i] != args[i])
      return 0;
  for (uint32_t i = 0; i < c->arity; i++)
    row[i] = s->base[f->world] + args[c->place[i]];
  f->rc = pith_i_fact_give(&s->store, f->choice, c->arity, row);
  return f->rc < 0;
}

/* Where the constant is not known in a world, there is no such fact. */
static bool fix_in_world(filler *f) {
  const pith_i_kind_of_atom *c = &f->s->choices.at[f->choice];
  for (uint32_t i = 0; i < c->full; i++) {
    f->fixed[i] = PITH_NONE;
    if (c->fixed[i] == PITH_NONE)
      continue;
    f->fixed[i] = pith_i_sym_in_world(f->s->worlds, f->world, c->fixed[i]);
    if (f->fixed[i] == PITH_NONE)
      return false;
  }
  return true;
}

/* Another predicate with examples: the positive ones hold. */
static void take_positives(filler *f, pith_pred pred) {
  const pith_i_theory *t = f->s->worlds[f->world].theory;
  for (size_t i = 0; f->rc >= 0 && i < t->examples.n; i++) {
    const pith_example *e = t->examples.at[i];
    if (e->atom.pred == pred && e->positive)
      take_fact(f, pred, e->atom.args, e->atom.arity);
  }
}

static pith_status fill_relation(space *s, uint32_t choice) {
  assert(choice < s->choices.n);
  filler f = {.s = s, .choice = choice, .rc = PITH_OK};
  const pith_i_kind_of_atom *c = &s->choices.at[choice];
  if (pith_i_relation_get(&s->store, choice, c->arity) == NULL)
    return PITH_ENOMEM;
  if (c->kind >= PITH_I_EQUAL_ATOM)
    return PITH_OK;
  for (f.world = 0; f.rc >= 0 && f.world < s->world_count; f.world++) {
    pith_pred pred = pith_i_pred_in_world(s->worlds, f.world, c->pred);
    if (pred == PITH_NONE || !fix_in_world(&f))
      continue;
    pith_i_fact_each(s->worlds[f.world].store, pred, PITH_ALL, take_fact, &f);
    if (c->pred != s->target)
      take_positives(&f, pred);
  }
  return f.rc;
}

/* ---- choices --------------------------------------------------------- */

static pith_i_kind_of_atom plain_choice(const space *s, pith_pred pred,
                                        pith_i_kind kind) {
  pith_i_kind_of_atom c = {.pred = pred, .kind = kind};
  c.full = c.arity = pith_i_pred(&s->worlds[0].theory->names, pred)->arity;
  for (uint32_t i = 0; i < PITH_I_PLACES; i++) {
    c.place[i] = (uint8_t)i;
    c.fixed[i] = PITH_NONE;
    c.domain[i] = 0;
  }
  return c;
}

static pith_status add_choice(space *s, pith_i_kind_of_atom c) {
  return pith_i_push(s->env, &s->choices, c) ? PITH_OK : PITH_ENOMEM;
}

/* bias.pl says what rules are made of, so that comparisons are no part of
** it. */
static bool bias_rules_bodies(const space *s) {
  return pith_i_bias_names_bodies(&s->worlds[0].theory->names);
}

static bool is_body_word(const space *s, pith_pred p, bool listed) {
  return p != s->target &&
         pith_i_may_be_in_bodies(&s->worlds[0].theory->names, p, listed);
}

/* Those with few places first: of atoms that say the same, the first is
** used. */
static pith_status add_predicates(space *s) {
  const pith_i_names *names = &s->worlds[0].theory->names;
  bool listed = bias_rules_bodies(s);
  pith_status rc = PITH_OK;
  for (uint32_t arity = 0; arity <= PITH_I_PLACES; arity++)
    for (pith_pred p = 0; rc >= 0 && p < names->preds.n; p++)
      if (is_body_word(s, p, listed) && pith_i_pred(names, p)->arity == arity)
        rc = add_choice(s, plain_choice(s, p, PITH_I_GIVEN_ATOM));
  for (pith_pred p = 0; p < names->preds.n; p++)
    s->too_wide += is_body_word(s, p, listed) &&
                   pith_i_pred(names, p)->arity > PITH_I_PLACES;
  return rc;
}

pith_sym pith_i_space_symbol(const pith_i_space *s, uint32_t constant) {
  size_t w = s->world_count - 1;
  while (s->base[w] > constant)
    w--;
  assert(constant - s->base[w] < s->worlds[w].theory->names.symbols.n);
  return pith_i_sym_counterpart(s->worlds[w].theory, s->worlds[0].theory,
                                constant - s->base[w]);
}

static pith_sym type_of(const space *s, pith_pred pred, uint32_t place) {
  return pith_i_place_type(&s->worlds[0].theory->names, pred, place);
}

/* What the bias says of constants, as numbers of any world. */
static pith_status list_constants(space *s) {
  const pith_i_theory *t = s->worlds[0].theory;
  pith_status rc = PITH_OK;
  s->listed.width = 1;
  for (size_t i = 0; i < t->constants.n; i++)
    for (size_t w = 0; rc >= 0 && w < s->world_count; w++) {
      pith_sym here =
          pith_i_sym_in_world(s->worlds, w, t->constants.at[i].name);
      uint32_t number = s->base[w] + here;
      if (here != PITH_NONE)
        rc = pith_i_tuples_add(s->env, &s->listed, &number, NULL, NULL);
    }
  if (t->constants.n > s->few)
    s->few = (uint32_t)t->constants.n;
  return rc;
}

/* Of some types a rule has one variable, the head's. */
static bool is_single_type(const space *s, pith_sym type) {
  const pith_i_theory *t = s->worlds[0].theory;
  for (size_t i = 0; type != PITH_NONE && i < t->single_types.n; i++)
    if (t->single_types.at[i] == type)
      return pith_i_single_place(&t->names, s->target, type) != PITH_NONE;
  return false;
}

/* Whether a rule may have the constant in a place: any, where none is
** listed. */
static bool may_name(const space *s, uint32_t choice, uint32_t place,
                     uint32_t constant) {
  const pith_i_theory *t = s->worlds[0].theory;
  const pith_i_kind_of_atom *c = &s->choices.at[choice];
  if (is_single_type(s, type_of(s, c->pred, c->place[place])))
    return false;
  if (t->constants.n == 0)
    return true;
  if (pith_i_tuples_find(&s->listed, &constant) == PITH_NONE)
    return false;
  return pith_i_may_name_constant(t, pith_i_space_symbol(s, constant),
                                  type_of(s, c->pred, c->place[place]));
}

/* The different values in one place of a relation, if they are few. */
static pith_status values_at(const space *s, uint32_t choice, uint32_t place,
                             uint32_t most, pith_i_tuples *out) {
  assert(place < s->choices.at[choice].arity);
  const pith_i_tuples *rows = &s->store.relations.at[choice].rows;
  pith_status rc = PITH_OK;
  out->width = 1;
  for (size_t i = 0; rc >= 0 && i < rows->n && out->n <= most; i++) {
    const uint32_t *value = &rows->at[i * rows->width + place];
    if (may_name(s, choice, place, *value))
      rc = pith_i_tuples_add(s->env, out, value, NULL, NULL);
  }
  return rc;
}

/* The choice with a value in one of its open places. */
static pith_i_kind_of_atom fix_place(const pith_i_kind_of_atom *of,
                                     uint32_t place, pith_sym value) {
  assert(place < of->arity);
  pith_i_kind_of_atom c = *of;
  c.fixed[c.place[place]] = value;
  c.arity--;
  memmove(&c.place[place], &c.place[place + 1], c.arity - place);
  memmove(&c.domain[place], &c.domain[place + 1],
          (c.arity - place) * sizeof *c.domain);
  c.many = 0;
  c.one_way = false;
  memset(c.fix_count, 0, sizeof c.fix_count);
  memset(c.fixes, 0, sizeof c.fixes);
  return c;
}

/* The facts of one choice that have the value go to another. */
static pith_status copy_fixed(space *s, uint32_t from, uint32_t place,
                              uint32_t value, uint32_t to) {
  assert(from != to && place < s->choices.at[from].arity);
  uint32_t row[PITH_I_PLACES], arity = s->choices.at[to].arity;
  pith_i_index *index;
  pith_status rc = pith_i_relation_index(s->env, &s->store.relations.at[from],
                                         &place, 1, &index);
  if (rc < 0)
    return rc;
  const pith_i_tuples *rows = &s->store.relations.at[from].rows;
  uint32_t at = pith_i_index_find(index, rows, &value);
  for (; rc >= 0 && at != PITH_NONE; at = index->next[at]) {
    const uint32_t *fact = rows->at + (size_t)at * rows->width;
    for (uint32_t i = 0; i < arity; i++)
      row[i] = fact[i + (i >= place)];
    rc = pith_i_fact_give(&s->store, to, arity, row);
    rows = &s->store.relations.at[from].rows;
  }
  return rc;
}

static bool is_in_examples(const space *s, pith_sym value) {
  return s->in_examples.n > 0 &&
         pith_i_tuples_find(&s->in_examples, &value) != PITH_NONE;
}

/* One choice for a symbol, whatever number it has in a world. */
static pith_status add_value(space *s, uint32_t choice, uint32_t place,
                             pith_sym value) {
  uint32_t to = (uint32_t)s->choices.n;
  pith_i_kind_of_atom fixed = fix_place(&s->choices.at[choice], place, value);
  fixed.names_example = fixed.names_example || is_in_examples(s, value);
  pith_status rc = add_choice(s, fixed);
  if (rc >= 0 &&
      pith_i_relation_get(&s->store, to, s->choices.at[to].arity) == NULL)
    rc = PITH_ENOMEM;
  for (size_t w = 0; rc >= 0 && w < s->world_count; w++) {
    pith_sym here = pith_i_sym_in_world(s->worlds, w, value);
    if (here != PITH_NONE)
      rc = copy_fixed(s, choice, place, s->base[w] + here, to);
  }
  return rc;
}

static pith_status add_fixed(space *s, uint32_t choice, uint32_t place,
                             const pith_i_tuples *values) {
  pith_status rc = PITH_OK;
  pith_i_tuples seen = {.width = 1};
  for (size_t i = 0; rc >= 0 && i < values->n; i++) {
    bool fresh = false;
    pith_sym sym = pith_i_space_symbol(s, values->at[i]);
    if (sym == PITH_NONE)
      continue;
    rc = pith_i_tuples_add(s->env, &seen, &sym, NULL, &fresh);
    if (rc >= 0 && fresh)
      rc = add_value(s, choice, place, sym);
  }
  pith_i_tuples_free(s->env, &seen);
  return rc;
}

static pith_status add_values(space *s, uint32_t choice, uint32_t place) {
  pith_i_tuples values = {0};
  pith_status rc = values_at(s, choice, place, s->few, &values);
  if (rc >= 0 && values.n <= s->few)
    rc = add_fixed(s, choice, place, &values);
  else if (rc >= 0)
    s->choices.at[choice].many |= (uint8_t)(1u << place);
  pith_i_tuples_free(s->env, &values);
  return rc;
}

/* p(X,c) beside p(X,Y), for each place with few values. Of wider relations
** they are made when asked for, since they may have several. */
static pith_status add_constants(space *s) {
  pith_status rc = PITH_OK;
  size_t n = s->choices.n;
  for (uint32_t i = 0; rc >= 0 && i < n; i++) {
    uint32_t arity = s->choices.at[i].arity;
    if (s->choices.at[i].kind != PITH_I_GIVEN_ATOM || arity < 2 ||
        arity > PITH_I_NARROW)
      continue;
    for (uint32_t k = 0; rc >= 0 && k < arity; k++)
      rc = add_values(s, i, k);
  }
  return rc;
}

/* ---- which variables may be the same ---------------------------------- */

/* Two places may hold the same variable when they share a constant, or when the
** bias gives both the same type. */

static void number_domains(space *s) {
  s->domain_count = 0;
  for (uint32_t i = 0; i < s->head; i++)
    s->head_domain[i] = s->domain_count++;
  for (size_t c = 0; c < s->choices.n; c++)
    for (uint32_t i = 0; i < s->choices.at[c].arity; i++)
      s->choices.at[c].domain[i] = s->domain_count++;
}

static void add_columns(const space *s, pith_i_shared_places *p) {
  for (uint32_t i = 0; i < s->head; i++)
    pith_i_places_add(p, s->head_domain[i], s->args + i, s->examples, s->head);
  for (size_t c = 0; c < s->choices.n; c++) {
    const pith_i_tuples *rows = &s->store.relations.at[c].rows;
    for (uint32_t i = 0; i < s->choices.at[c].arity && rows->n > 0; i++)
      pith_i_places_add(p, s->choices.at[c].domain[i], rows->at + i, rows->n,
                        rows->width);
  }
}

/* type: (domains) that the bias gives, or PITH_NONE. */
static void find_types(const space *s, pith_sym *type) {
  for (uint32_t i = 0; i < s->head; i++)
    type[s->head_domain[i]] = type_of(s, s->target, i);
  for (size_t c = 0; c < s->choices.n; c++) {
    const pith_i_kind_of_atom *x = &s->choices.at[c];
    for (uint32_t i = 0; i < x->arity; i++)
      type[x->domain[i]] = type_of(s, x->pred, x->place[i]);
  }
}

/* Given types part what shares constants by accident. An (in)equality goes
** with everything. */
static void apply_types(space *s, const pith_sym *type) {
  for (uint32_t a = 0; a < s->domain_count; a++)
    for (uint32_t b = 0; type[a] != PITH_NONE && b < s->domain_count; b++)
      if (type[b] != PITH_NONE && type[a] != type[b])
        s->domains.at[(size_t)a * s->domain_count + b] = 0;
  for (size_t c = 0; c < s->choices.n; c++)
    if (s->choices.at[c].kind >= PITH_I_EQUAL_ATOM &&
        s->choices.at[c].arity == 2)
      for (uint32_t a = 0; a < 2 * s->domain_count; a++) {
        uint32_t d = s->choices.at[c].domain[a % 2];
        s->domains.at[(size_t)d * s->domain_count + a / 2] = 1;
        s->domains.at[(size_t)(a / 2) * s->domain_count + d] = 1;
      }
}

static void find_only_variables(space *s, const pith_sym *type) {
  const pith_i_theory *t = s->worlds[0].theory;
  for (uint32_t d = 0; d < s->domain_count; d++) {
    uint32_t place = PITH_NONE;
    if (is_single_type(s, type[d]))
      place = pith_i_single_place(&t->names, s->target, type[d]);
    s->only.at[d] = place == PITH_NONE ? 0 : (uint8_t)(place + 1);
  }
}

pith_status pith_i_space_find_domains(pith_i_space *s) {
  number_domains(s);
  size_t n = (size_t)s->domain_count * s->domain_count;
  s->domains.n = 0;
  s->only.n = 0;
  if (!pith_i_room(s->env, &s->domains, n + 1) ||
      !pith_i_room(s->env, &s->only, s->domain_count + (size_t)1))
    return PITH_ENOMEM;
  memset(s->domains.at, 0, n * sizeof *s->domains.at);
  pith_i_shared_places shared;
  pith_sym *type = pith_i_zalloc(s->env, s->domain_count + 1, sizeof *type);
  pith_status rc =
      pith_i_places_init(&shared, s->env, s->domain_count, s->constants);
  bool room = rc >= 0 && type != NULL;
  if (room) {
    add_columns(s, &shared);
    pith_i_places_meet(&shared, s->domains.at);
    find_types(s, type);
    find_only_variables(s, type);
    apply_types(s, type);
  }
  pith_i_places_free(&shared);
  pith_i_release(s->env, type);
  return room ? pith_i_space_find_orders(s) : PITH_ENOMEM;
}

/* ---- comparisons ----------------------------------------------------------
 */

/* X < Y and its like, between variables. */
static pith_status add_value_comparisons(space *s) {
  pith_status rc = PITH_OK;
  for (pith_pred op = PITH_LESS; rc >= 0 && op <= PITH_GREATER_EQUAL; op++) {
    rc = add_choice(s, plain_choice(s, op, PITH_I_COMPARED_ATOM));
    if (rc >= 0)
      rc = fill_relation(s, (uint32_t)s->choices.n - 1);
  }
  return rc;
}

static void find_repeated_places(space *s, size_t choice) {
  const pith_i_tuples *t = &s->store.relations.at[choice].rows;
  pith_i_kind_of_atom *x = &s->choices.at[choice];
  x->twice = 0;
  for (uint32_t i = 0; i < x->arity; i++)
    for (uint32_t k = i + 1; k < x->arity; k++)
      for (size_t r = 0; r < t->n; r++)
        if (t->at[r * t->width + i] == t->at[r * t->width + k]) {
          x->twice |= UINT64_C(1) << (PITH_I_PLACES * i + k);
          break;
        }
}

pith_status pith_i_space_fix(pith_i_space *s, uint32_t choice, uint32_t place,
                             uint32_t *first, uint32_t *count) {
  assert(choice < s->choices.n && place < PITH_I_PLACES);
  const pith_i_kind_of_atom *c = &s->choices.at[choice];
  size_t before = s->choices.n, rows = s->store.relations.at[choice].rows.n;
  pith_status rc = PITH_OK;
  if (c->fixes[place] == 0 && s->few > 0 && c->kind == PITH_I_GIVEN_ATOM &&
      c->helper == PITH_I_NO_HELPER &&
      before + s->few < PITH_TUNE_LANGUAGE_CHOICES &&
      s->derived_rows + rows < PITH_TUNE_LANGUAGE_FIXED_FACTS) {
    rc = add_values(s, choice, place);
    for (size_t i = before; i < s->choices.n; i++) {
      s->choices.at[i].derived = true;
      find_repeated_places(s, i);
    }
    s->derived_rows += rows;
    s->choices.at[choice].fixes[place] = (uint32_t)before;
    s->choices.at[choice].fix_count[place] = (uint32_t)(s->choices.n - before);
  }
  *first = s->choices.at[choice].fixes[place];
  *count = s->choices.at[choice].fix_count[place];
  return rc;
}

/* Different values in a place, by its index. */
static pith_status count_values(space *s, uint32_t choice, uint32_t place,
                                uint32_t *out) {
  pith_i_index *index;
  pith_status rc = pith_i_relation_index(s->env, &s->store.relations.at[choice],
                                         &place, 1, &index);
  *out = rc < 0 ? 0 : (uint32_t)index->keys;
  return rc;
}

/* Whether the relation is a function of its first place, as the rest of a list
** is, and not also of its second. */
static pith_status find_direction(space *s, uint32_t choice) {
  pith_i_kind_of_atom *c = &s->choices.at[choice];
  size_t rows = s->store.relations.at[choice].rows.n;
  uint32_t firsts = 0, seconds = 0;
  if (c->kind != PITH_I_GIVEN_ATOM || c->arity != 2 || c->full != 2 ||
      c->helper != PITH_I_NO_HELPER || rows == 0)
    return PITH_OK;
  pith_status rc = count_values(s, choice, 0, &firsts);
  if (rc >= 0)
    rc = count_values(s, choice, 1, &seconds);
  c->one_way = firsts == rows && seconds < rows;
  return rc;
}

static pith_status add_proposed(space *s, uint32_t choice, uint32_t place,
                                pith_sym value, uint32_t *out) {
  uint32_t values;
  *out = (uint32_t)s->choices.n;
  pith_status rc = count_values(s, choice, place, &values);
  if (rc >= 0)
    rc = add_value(s, choice, place, value);
  if (rc < 0)
    return rc;
  s->choices.at[*out].derived = true;
  s->choices.at[*out].values = values;
  find_repeated_places(s, *out);
  return PITH_OK;
}

/* Whether the bias lets a rule name the symbol there, in some world. */
static bool may_name_symbol(const space *s, uint32_t choice, uint32_t place,
                            pith_sym value) {
  bool may = s->worlds[0].theory->constants.n == 0 &&
             s->worlds[0].theory->single_types.n == 0;
  for (size_t w = 0; w < s->world_count && !may; w++) {
    pith_sym here = pith_i_sym_in_world(s->worlds, w, value);
    may = here != PITH_NONE && may_name(s, choice, place, s->base[w] + here);
  }
  return may;
}

pith_status pith_i_space_value(pith_i_space *s, uint32_t choice, uint32_t place,
                               pith_sym value, uint32_t *out) {
  uint32_t key[3] = {choice, place, value}, row;
  bool fresh;
  *out = PITH_NONE;
  s->valued.width = 3;
  pith_status rc = pith_i_tuples_add(s->env, &s->valued, key, &row, &fresh);
  if (rc >= 0 && fresh && !pith_i_push(s->env, &s->valued_as, PITH_NONE))
    rc = PITH_ENOMEM;
  if (rc >= 0 && fresh && s->choices.n < PITH_TUNE_LANGUAGE_CHOICES &&
      may_name_symbol(s, choice, place, value))
    rc = add_proposed(s, choice, place, value, &s->valued_as.at[row]);
  if (rc >= 0)
    *out = s->valued_as.at[row];
  return rc;
}

/* ---- comparisons with a value ------------------------------------------- */

pith_status pith_i_space_threshold(pith_i_space *s, pith_pred op,
                                   pith_sym value, uint32_t values,
                                   uint32_t *out) {
  uint32_t key[3] = {PITH_NONE, op, value}, row;
  bool fresh;
  *out = PITH_NONE;
  s->valued.width = 3;
  pith_status rc = pith_i_tuples_add(s->env, &s->valued, key, &row, &fresh);
  if (rc >= 0 && fresh && !pith_i_push(s->env, &s->valued_as, PITH_NONE))
    rc = PITH_ENOMEM;
  if (rc >= 0 && fresh && s->choices.n < PITH_TUNE_LANGUAGE_CHOICES) {
    pith_i_kind_of_atom c = plain_choice(s, op, PITH_I_COMPARED_ATOM);
    uint32_t at = (uint32_t)s->choices.n;
    c = fix_place(&c, 1, value);
    c.derived = true;
    c.values = values;
    rc = add_choice(s, c);
    if (rc >= 0)
      rc = fill_relation(s, at);
    s->valued_as.at[row] = at;
  }
  if (rc >= 0)
    *out = s->valued_as.at[row];
  return rc;
}

/* ---- what is not there -------------------------------------------------- */

/* No fact of a choice has the values in these of its places, given as bits. */
static pith_status add_absent(space *s, uint32_t of, uint32_t places) {
  pith_i_kind_of_atom c = s->choices.at[of];
  uint32_t at = (uint32_t)s->choices.n, row[PITH_I_PLACES];
  c.kind = PITH_I_ABSENT_ATOM;
  c.arity = 0;
  for (uint32_t i = 0; i < s->choices.at[of].arity; i++)
    if (places >> i & 1)
      c.place[c.arity++] = s->choices.at[of].place[i];
  pith_status rc = add_choice(s, c);
  if (rc >= 0 && pith_i_relation_get(&s->store, at, c.arity) == NULL)
    rc = PITH_ENOMEM;
  for (size_t r = 0; rc >= 0 && r < s->store.relations.at[of].rows.n; r++) {
    const pith_i_tuples *rows = &s->store.relations.at[of].rows;
    uint32_t n = 0;
    for (uint32_t i = 0; i < rows->width; i++)
      if (places >> i & 1)
        row[n++] = rows->at[r * rows->width + i];
    rc = pith_i_fact_give(&s->store, at, c.arity, row);
  }
  return rc;
}

/* Open places that must have the head's variable, as bits. */
static uint32_t single_places(const space *s, uint32_t choice) {
  const pith_i_kind_of_atom *c = &s->choices.at[choice];
  uint32_t places = 0;
  for (uint32_t i = 0; i < c->arity; i++)
    if (is_single_type(s, type_of(s, c->pred, c->place[i])))
      places |= UINT32_C(1) << i;
  return places;
}

/* \+ p(A), \+ p(A,_), \+ p(_,A) and \+ p(A,B), for what may stand in bodies. */
static pith_status add_absences(space *s) {
  size_t n = s->choices.n;
  pith_status rc = PITH_OK;
  for (uint32_t c = 0;
       rc >= 0 && c < n && s->choices.n < PITH_TUNE_LANGUAGE_DENIALS; c++) {
    uint32_t arity = s->choices.at[c].arity;
    if (s->choices.at[c].kind != PITH_I_GIVEN_ATOM || arity == 0 ||
        pith_i_is_head_value(&s->choices.at[c]) || arity > PITH_I_NARROW ||
        s->choices.at[c].helper != PITH_I_NO_HELPER ||
        pith_i_has_examples(s->worlds, s->world_count, s->choices.at[c].pred,
                            false))
      continue; /* of another target we know too little to deny it */
    for (uint32_t places = 1; rc >= 0 && places < UINT32_C(1) << arity;
         places++)
      if ((places & single_places(s, c)) == single_places(s, c) &&
          (arity < 3 || (places & (places - 1)) == 0 ||
           places + 1 == UINT32_C(1) << arity))
        rc = add_absent(s, c, places);
  }
  return rc;
}

/* ---- examples -------------------------------------------------------- */

static void take_examples(space *s, bool positive) {
  for (size_t w = 0; w < s->world_count; w++) {
    const pith_i_world *t = &s->worlds[w];
    pith_pred target = pith_i_pred_in_world(s->worlds, w, s->target);
    for (size_t i = 0; i < t->theory->examples.n; i++) {
      const pith_example *e = t->theory->examples.at[i];
      if (e->atom.pred != target || e->positive != positive ||
          pith_i_fact_holds(t->store, target, e->atom.args))
        continue; /* what is given needs no rule */
      for (uint32_t k = 0; k < s->head; k++)
        s->args[(size_t)s->examples * s->head + k] =
            s->base[w] + e->atom.args[k];
      s->weight[s->examples++] = e->weight;
    }
  }
}

static void find_repeated_arguments(space *s) {
  s->head_twice = 0;
  for (uint32_t e = 0; e < s->positives; e++)
    for (uint32_t i = 0; i < s->head; i++)
      for (uint32_t k = i + 1; k < s->head; k++)
        if (s->args[(size_t)e * s->head + i] ==
            s->args[(size_t)e * s->head + k])
          s->head_twice |= UINT64_C(1) << (PITH_I_PLACES * i + k);
}

static pith_status collect_examples(space *s) {
  size_t n = 1;
  for (size_t w = 0; w < s->world_count; w++)
    n += s->worlds[w].theory->examples.n;
  s->args = pith_i_alloc(s->env, n * (s->head + 1) * sizeof *s->args);
  s->weight = pith_i_alloc(s->env, n * sizeof *s->weight);
  if (s->args == NULL || s->weight == NULL)
    return PITH_ENOMEM;
  take_examples(s, true);
  s->positives = s->examples;
  find_repeated_arguments(s);
  take_examples(s, false);
  return PITH_OK;
}

static pith_status list_symbol(space *s, uint32_t constant,
                               pith_i_tuples *out) {
  pith_sym sym = pith_i_space_symbol(s, constant);
  return sym == PITH_NONE ? PITH_OK
                          : pith_i_tuples_add(s->env, out, &sym, NULL, NULL);
}

static bool has_example_symbol(const space *s, const pith_i_tuples *rows,
                               uint32_t place) {
  for (size_t i = 0; i < rows->n; i++)
    if (is_in_examples(
            s, pith_i_space_symbol(s, rows->at[i * rows->width + place])))
      return true;
  return false;
}

/* All that stands in a place beside what the examples are about. */
static pith_status list_column(space *s, uint32_t choice, uint32_t place,
                               pith_i_tuples *out) {
  const pith_i_tuples *rows = &s->store.relations.at[choice].rows;
  pith_status rc = PITH_OK;
  if (!has_example_symbol(s, rows, place))
    return PITH_OK;
  for (size_t i = 0; rc >= 0 && i < rows->n; i++)
    rc = list_symbol(s, rows->at[i * rows->width + place], out);
  return rc;
}

/* What the examples are about, as the first world names it, and what is of the
** same kind without having a label. */
static pith_status list_example_symbols(space *s) {
  pith_i_tuples all = {.width = 1};
  pith_status rc = PITH_OK;
  s->in_examples.width = 1;
  for (size_t i = 0; rc >= 0 && i < (size_t)s->examples * s->head; i++)
    rc = list_symbol(s, s->args[i], &s->in_examples);
  for (uint32_t c = 0; c < s->choices.n; c++)
    for (uint32_t k = 0; rc >= 0 && k < s->choices.at[c].arity &&
                         s->choices.at[c].kind == PITH_I_GIVEN_ATOM;
         k++)
      rc = list_column(s, c, k, &all);
  for (size_t i = 0; rc >= 0 && i < all.n; i++)
    rc = pith_i_tuples_add(s->env, &s->in_examples, &all.at[i], NULL, NULL);
  pith_i_tuples_free(s->env, &all);
  return rc;
}

/* The target's relation: the first n examples, numbered as they are; then what
** is given of it. */
static pith_status add_target_relation(space *s, pith_i_kind kind, uint32_t n) {
  uint32_t choice = (uint32_t)s->choices.n;
  pith_status rc = add_choice(s, plain_choice(s, s->target, kind));
  if (rc >= 0 && pith_i_relation_get(&s->store, choice, s->head) == NULL)
    rc = PITH_ENOMEM;
  for (uint32_t i = 0; rc >= 0 && i < n; i++)
    rc = pith_i_fact_give(&s->store, choice, s->head,
                          s->args + (size_t)i * s->head);
  return rc < 0 ? rc : fill_relation(s, choice);
}

static pith_status fill_all(space *s, const pith_i_language *language) {
  pith_status rc = pith_i_derive_background(s->worlds, s->world_count);
  if (rc >= 0)
    rc = collect_examples(s);
  if (rc >= 0)
    rc = add_predicates(s);
  for (uint32_t i = 0; rc >= 0 && i < s->choices.n; i++)
    rc = fill_relation(s, i);
  s->open = PITH_NONE;
  if (rc >= 0 && language->recursion) {
    rc = add_target_relation(s, PITH_I_TARGET_ATOM, s->positives);
    s->open = (uint32_t)s->choices.n;
  }
  if (rc >= 0 && language->recursion)
    rc = add_target_relation(s, PITH_I_OPEN_ATOM, s->examples);
  pith_i_forget_background(s->worlds, s->world_count);
  return rc;
}

static pith_status add_comparison(space *s, pith_pred pred, pith_i_kind kind) {
  pith_status rc = add_choice(s, plain_choice(s, pred, kind));
  return rc < 0 ? rc : fill_relation(s, (uint32_t)s->choices.n - 1);
}

pith_status pith_i_space_init(pith_i_space *s, pith_i_env *env,
                              pith_i_world *worlds, size_t world_count,
                              pith_pred target,
                              const pith_i_language *language) {
  assert(world_count > 0);
  assert(target < worlds[0].theory->names.preds.n);
  *s = (pith_i_space){.env = env, .worlds = worlds, .world_count = world_count};
  pith_i_store_init(&s->store, env);
  s->target = target;
  s->head = pith_i_pred(&worlds[0].theory->names, target)->arity;
  s->base = pith_i_alloc(env, world_count * sizeof *s->base);
  if (s->base == NULL)
    return PITH_ENOMEM;
  for (size_t w = 0; w < world_count; w++) {
    s->base[w] = s->constants;
    s->constants += (uint32_t)worlds[w].theory->names.symbols.n;
  }
  pith_status rc = fill_all(s, language);
  for (uint32_t c = 0; rc >= 0 && c < s->choices.n; c++)
    rc = find_direction(s, c);
  s->few = language->constants;
  if (rc >= 0 && !language->no_constants && !bias_rules_bodies(s))
    rc = pith_i_space_add_head_values(s, s->few);
  if (rc >= 0 && s->few > 0)
    rc = list_constants(s);
  if (rc >= 0 && s->few > 0)
    rc = list_example_symbols(s);
  if (rc >= 0 && s->few > 0)
    rc = add_constants(s);
  if (rc >= 0 && s->head > 1)
    rc = add_comparison(s, PITH_EQUAL, PITH_I_EQUAL_ATOM);
  if (rc >= 0 && language->different)
    rc = add_comparison(s, PITH_DIFFERENT, PITH_I_DIFFERENT_ATOM);
  if (rc >= 0 && language->absent)
    rc = add_absences(s);
  if (rc >= 0 && language->comparisons && !bias_rules_bodies(s))
    rc = pith_i_space_read_values(s);
  if (rc >= 0 && s->value != NULL)
    rc = add_value_comparisons(s);
  if (rc >= 0)
    rc = pith_i_space_find_domains(s);
  if (rc >= 0 && language->absent) {
    rc = pith_i_helpers_deny(s);
    if (rc >= 0)
      rc = pith_i_space_find_domains(s);
  }
  if (rc >= 0 && language->helpers) {
    rc = pith_i_helpers_add(s);
    if (rc >= 0)
      rc = pith_i_space_find_domains(s);
  }
  for (size_t c = 0; rc >= 0 && c < s->choices.n; c++)
    find_repeated_places(s, c);
  return rc;
}
