#include "learn/clauses/clause_language.h"

#include <assert.h>

#include "base/tunables.h"
#include "learn/clauses/head_values.h"
#include "learn/clauses/helpers.h"
#include "learn/clauses/language_parts.h"
#include "learn/clauses/ordered_places.h"
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

pith_status pith_i_space_add_choice(space *s, pith_i_kind_of_atom c) {
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
        rc = pith_i_space_add_choice(s, plain_choice(s, p, PITH_I_GIVEN_ATOM));
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

/* ---- comparisons --------------------------------------------------------- */

/* X < Y and its like, between variables. */
static pith_status add_value_comparisons(space *s) {
  pith_status rc = PITH_OK;
  for (pith_pred op = PITH_LESS; rc >= 0 && op <= PITH_GREATER_EQUAL; op++) {
    rc = pith_i_space_add_choice(s, plain_choice(s, op, PITH_I_COMPARED_ATOM));
    if (rc >= 0)
      rc = fill_relation(s, (uint32_t)s->choices.n - 1);
  }
  return rc;
}

void pith_i_find_repeated_places(space *s, size_t choice) {
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

/* Whether the relation is a function of its first place, as the rest of a list
** is, and not also of its second. */
static pith_status find_direction(space *s, uint32_t choice) {
  pith_i_kind_of_atom *c = &s->choices.at[choice];
  size_t rows = s->store.relations.at[choice].rows.n;
  uint32_t firsts = 0, seconds = 0;
  if (c->kind != PITH_I_GIVEN_ATOM || c->arity != 2 || c->full != 2 ||
      c->helper != PITH_I_NO_HELPER || rows == 0)
    return PITH_OK;
  pith_status rc = pith_i_space_count_values(s, choice, 0, &firsts);
  if (rc >= 0)
    rc = pith_i_space_count_values(s, choice, 1, &seconds);
  c->one_way = firsts == rows && seconds < rows;
  c->one_to_one = firsts == rows && seconds == rows;
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
    c = pith_i_fix_place(&c, 1, value);
    c.derived = true;
    c.values = values;
    rc = pith_i_space_add_choice(s, c);
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
  pith_status rc = pith_i_space_add_choice(s, c);
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
    if (pith_i_space_single_type(s, pith_i_space_type(s, c->pred, c->place[i])))
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

/* The target's relation: the first n examples, numbered as they are; then what
** is given of it. */
static pith_status add_target_relation(space *s, pith_i_kind kind, uint32_t n) {
  uint32_t choice = (uint32_t)s->choices.n;
  pith_status rc = pith_i_space_add_choice(s, plain_choice(s, s->target, kind));
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
    rc = pith_i_space_collect_examples(s);
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
  pith_status rc = pith_i_space_add_choice(s, plain_choice(s, pred, kind));
  return rc < 0 ? rc : fill_relation(s, (uint32_t)s->choices.n - 1);
}

/* Numbers the constants of all worlds. */
static pith_status number_constants(space *s) {
  s->base = pith_i_alloc(s->env, s->world_count * sizeof *s->base);
  if (s->base == NULL)
    return PITH_ENOMEM;
  for (size_t w = 0; w < s->world_count; w++) {
    s->base[w] = s->constants;
    s->constants += (uint32_t)s->worlds[w].theory->names.symbols.n;
  }
  return PITH_OK;
}

/* The atoms that name a value. */
static pith_status add_naming_atoms(space *s, const pith_i_language *language) {
  pith_status rc = PITH_OK;
  s->few = language->constants;
  if (!language->no_constants && !bias_rules_bodies(s))
    rc = pith_i_space_add_head_values(s, s->few);
  if (s->few == 0)
    return rc;
  if (rc >= 0)
    rc = pith_i_space_list_constants(s);
  if (rc >= 0)
    rc = pith_i_space_list_symbols(s);
  return rc < 0 ? rc : pith_i_space_add_constants(s);
}

/* The atoms that compare, and those that deny. */
static pith_status add_tests(space *s, const pith_i_language *language) {
  pith_status rc = PITH_OK;
  if (s->head > 1)
    rc = add_comparison(s, PITH_EQUAL, PITH_I_EQUAL_ATOM);
  if (rc >= 0 && language->different)
    rc = add_comparison(s, PITH_DIFFERENT, PITH_I_DIFFERENT_ATOM);
  if (rc >= 0 && language->absent)
    rc = add_absences(s);
  if (rc >= 0 && language->comparisons && !bias_rules_bodies(s))
    rc = pith_i_space_read_values(s);
  if (rc >= 0 && s->value != NULL)
    rc = add_value_comparisons(s);
  return rc < 0 ? rc : pith_i_space_find_domains(s);
}

/* Invented predicates depend on the domains, and have some themselves. */
static pith_status add_helpers(space *s, const pith_i_language *language,
                               bool invention) {
  pith_status rc = PITH_OK;
  if (language->absent && invention) {
    rc = pith_i_helpers_deny(s);
    if (rc >= 0)
      rc = pith_i_space_find_domains(s);
  }
  if (rc >= 0 && language->helpers) {
    rc = pith_i_helpers_add(s);
    if (rc >= 0)
      rc = pith_i_space_find_domains(s);
  }
  return rc;
}

pith_status pith_i_space_init(pith_i_space *s, const pith_i_task *task,
                              pith_i_run *run, pith_pred target,
                              const pith_i_language *language) {
  const pith_i_names *names = &task->worlds[0].theory->names;
  assert(task->world_count > 0 && target < names->preds.n);
  *s = (pith_i_space){.env = task->env,
                      .run = run,
                      .worlds = task->worlds,
                      .world_count = task->world_count,
                      .target = target};
  pith_i_store_init(&s->store, task->env);
  s->head = pith_i_pred(names, target)->arity;
  pith_status rc = number_constants(s);
  if (rc >= 0)
    rc = fill_all(s, language);
  for (uint32_t c = 0; rc >= 0 && c < s->choices.n; c++)
    rc = find_direction(s, c);
  if (rc >= 0)
    rc = add_naming_atoms(s, language);
  if (rc >= 0)
    rc = add_tests(s, language);
  if (rc >= 0)
    rc = add_helpers(s, language, task->bounds.invention);
  for (size_t c = 0; rc >= 0 && c < s->choices.n; c++)
    pith_i_find_repeated_places(s, c);
  return rc;
}
