#include "compress/invent.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/tunables.h"

enum { SIDES = 2 };

/* One argument place of a binary predicate, and who is there. */
typedef struct {
  pith_pred pred;
  uint32_t side;
  uint64_t *set; /* (words) symbols */
  uint32_t kind; /* from 1; 0: none */
} place;

typedef struct {
  pith_i_theory *theory;
  const pith_i_observations *w;
  pith_i_arena *arena;
  pith_i_env *env;
  pith_i_store *out;
  pith_i_concepts *concepts;
  uint32_t most;
  size_t words;
  PITH_I_VEC(pith_pred) preds;  /* binary, with facts                    */
  PITH_I_VEC(place) places;     /* (preds, 2)                            */
  uint32_t *group;              /* (preds) the first predicate of a link */
  bool *turned;                 /* (preds) against that first one        */
  PITH_I_VEC(uint64_t *) kinds; /* sets                                  */
  PITH_I_VEC(uint32_t) family;  /* (kinds) kinds that exclude each other */
} inventor;

/* ---- sets ------------------------------------------------------------- */

static bool sets_meet(const inventor *v, const uint64_t *a, const uint64_t *b) {
  for (size_t i = 0; i < v->words; i++)
    if ((a[i] & b[i]) != 0)
      return true;
  return false;
}

static size_t count_common(const inventor *v, const uint64_t *a,
                           const uint64_t *b) {
  size_t n = 0;
  for (size_t i = 0; i < v->words; i++)
    n += (size_t)__builtin_popcountll(a[i] & b[i]);
  return n;
}

static void join_sets(const inventor *v, uint64_t *a, const uint64_t *b) {
  for (size_t i = 0; i < v->words; i++)
    a[i] |= b[i];
}

static uint64_t *new_set(const inventor *v) {
  uint64_t *set = pith_i_arena_alloc(v->arena, v->words * sizeof *set);
  if (set != NULL)
    memset(set, 0, v->words * sizeof *set);
  return set;
}

static const pith_i_tuples *relation_rows(const inventor *v, size_t i) {
  assert(i < v->preds.n);
  return &v->w->store.relations.at[v->preds.at[i]].rows;
}

static pith_status list_places(inventor *v) {
  for (pith_pred p = 0; p < v->w->pred_count; p++) {
    const pith_i_tuples *t = &v->w->store.relations.at[p].rows;
    if (t->width != SIDES || t->n == 0)
      continue;
    if (!pith_i_push(v->env, &v->preds, p))
      return PITH_ENOMEM;
    for (uint32_t side = 0; side < SIDES; side++) {
      place one = {p, side, new_set(v), 0};
      if (one.set == NULL || !pith_i_push(v->env, &v->places, one))
        return PITH_ENOMEM;
      for (size_t row = 0; row < t->n; row++) {
        pith_sym s = t->at[row * SIDES + side];
        one.set[s / 64] |= UINT64_C(1) << s % 64;
      }
    }
  }
  return PITH_OK;
}

static place *place_of(const inventor *v, size_t i, uint32_t side) {
  assert(i < v->preds.n && side < SIDES);
  return &v->places.at[SIDES * i + side];
}

/* ---- links: relations that share pairs -------------------------------- */

static size_t shared_pairs(const inventor *v, size_t i, size_t j, bool turned) {
  const pith_i_tuples *a = relation_rows(v, i), *b = relation_rows(v, j);
  size_t n = 0;
  for (size_t row = 0; row < a->n; row++) {
    pith_sym key[SIDES] = {a->at[2 * row + turned], a->at[2 * row + !turned]};
    n += pith_i_tuples_find(b, key) != PITH_NONE;
  }
  return n;
}

/* Two relations that are alike but for who is on one side: never the same
** there, and mostly the same on the other. */
static bool are_complementary(const inventor *v, size_t i, size_t j) {
  for (uint32_t side = 0; side < SIDES; side++) {
    const uint64_t *a = place_of(v, i, !side)->set;
    const uint64_t *b = place_of(v, j, !side)->set;
    size_t both = count_common(v, a, b);
    size_t all = count_common(v, a, a) + count_common(v, b, b) - both;
    if (!sets_meet(v, place_of(v, i, side)->set, place_of(v, j, side)->set) &&
        4 * both >= 3 * all)
      return true;
  }
  return false;
}

/* Puts j and all of its group into i's, turned as they must be. */
static void merge_groups(inventor *v, size_t i, size_t j, bool turned) {
  assert(i < v->preds.n && j < v->preds.n);
  uint32_t to = v->group[i], from = v->group[j];
  bool flip = v->turned[i] ^ v->turned[j] ^ turned;
  if (to == from)
    return;
  for (size_t k = 0; k < v->preds.n; k++)
    if (v->group[k] == from) {
      v->group[k] = to;
      v->turned[k] ^= flip;
    }
}

static bool is_alone(const inventor *v, size_t i) {
  size_t n = 0;
  for (size_t k = 0; k < v->preds.n; k++)
    n += v->group[k] == v->group[i];
  return n == 1;
}

static pith_status find_links(inventor *v) {
  size_t n = v->preds.n;
  v->group = pith_i_arena_alloc(v->arena, (n + 1) * sizeof *v->group);
  v->turned = pith_i_arena_alloc(v->arena, (n + 1) * sizeof *v->turned);
  if (v->group == NULL || v->turned == NULL)
    return PITH_ENOMEM;
  for (size_t i = 0; i < n; i++) {
    v->group[i] = (uint32_t)i;
    v->turned[i] = false;
  }
  for (size_t i = 0; i < n; i++)
    for (size_t j = i + 1; j < n; j++) {
      size_t same = shared_pairs(v, i, j, false);
      size_t other = shared_pairs(v, i, j, true);
      if (same > 0 || other > 0)
        merge_groups(v, i, j, other > same);
    }
  for (size_t i = 0; i < n; i++)
    for (size_t j = i + 1; j < n; j++)
      if (is_alone(v, i) && is_alone(v, j) && are_complementary(v, i, j))
        merge_groups(v, i, j, false);
  return PITH_OK;
}

/* ---- kinds ------------------------------------------------------------ */

static pith_status new_kind(inventor *v, uint32_t family, const uint64_t *set) {
  uint64_t *copy = new_set(v);
  if (copy == NULL || !pith_i_push(v->env, &v->kinds, copy) ||
      !pith_i_push(v->env, &v->family, family))
    return PITH_ENOMEM;
  join_sets(v, copy, set);
  return PITH_OK;
}

/* The one kind of a family that the set meets, from 1; 0: none; PITH_NONE:
** several. */
static uint32_t kind_met(const inventor *v, uint32_t family,
                         const uint64_t *set) {
  uint32_t found = 0;
  for (uint32_t k = 0; k < v->kinds.n; k++) {
    if (v->family.at[k] != family || !sets_meet(v, v->kinds.at[k], set))
      continue;
    if (found != 0)
      return PITH_NONE;
    found = k + 1;
  }
  return found;
}

/* Whether a kind may take the set in without meeting its opposites, when it
** was so far met by nobody else in this split. */
static bool fits_family(const inventor *v, uint32_t family, const place *a,
                        const place *b) {
  uint32_t x = kind_met(v, family, a->set), y = kind_met(v, family, b->set);
  return x != PITH_NONE && y != PITH_NONE && x != y && (x != 0 || y != 0);
}

static uint32_t other_kind(const inventor *v, uint32_t family, uint32_t kind) {
  for (uint32_t k = 0; k < v->kinds.n; k++)
    if (v->family.at[k] == family && k + 1 != kind)
      return k + 1;
  return 0;
}

static void take_in(inventor *v, uint32_t kind, place *p) {
  assert(kind > 0 && kind <= v->kinds.n);
  join_sets(v, v->kinds.at[kind - 1], p->set);
  p->kind = kind;
}

/* Two places of which nobody is in both: a new pair of kinds, or two that are
** known, with more of them. */
static pith_status split_places(inventor *v, place *a, place *b,
                                uint32_t *families) {
  for (uint32_t f = 0; f < *families; f++) {
    if (!fits_family(v, f, a, b))
      continue;
    uint32_t x = kind_met(v, f, a->set), y = kind_met(v, f, b->set);
    take_in(v, x != 0 ? x : other_kind(v, f, y), a);
    take_in(v, y != 0 ? y : other_kind(v, f, x), b);
    return PITH_OK;
  }
  uint32_t first = (uint32_t)v->kinds.n + 1;
  pith_status rc = new_kind(v, *families, a->set);
  if (rc >= 0)
    rc = new_kind(v, *families, b->set);
  if (rc < 0)
    return rc;
  *families += 1;
  a->kind = first;
  b->kind = first + 1;
  return PITH_OK;
}

/* Any other place whose people all are of one kind. */
static void name_places(inventor *v) {
  for (size_t i = 0; i < v->places.n; i++) {
    place *p = &v->places.at[i];
    for (uint32_t k = 0; k < v->kinds.n && p->kind == 0; k++)
      if (count_common(v, p->set, v->kinds.at[k]) ==
          count_common(v, p->set, p->set))
        p->kind = k + 1;
  }
}

/* Whether each is the other turned round. */
static bool are_inverse(const inventor *v, size_t i, size_t j) {
  return relation_rows(v, i)->n == relation_rows(v, j)->n &&
         shared_pairs(v, i, j, true) == relation_rows(v, i)->n;
}

/* Two relations of one link, turned the same way, or one the other's inverse:
** who is in the same place of both? */
static pith_status split_pair(inventor *v, size_t i, size_t j,
                              uint32_t *families) {
  bool alike = v->turned[i] == v->turned[j];
  uint32_t sides = alike ? SIDES : are_inverse(v, i, j) ? 1 : 0;
  pith_status rc = PITH_OK;
  for (uint32_t side = 0; rc >= 0 && side < sides; side++) {
    place *a = place_of(v, i, side), *b = place_of(v, j, side);
    if (!sets_meet(v, a->set, b->set))
      rc = split_places(v, a, b, families);
  }
  return rc;
}

static pith_status find_all_kinds(inventor *v) {
  uint32_t families = 0;
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc >= 0 && i < v->preds.n; i++)
    for (size_t j = i + 1; rc >= 0 && j < v->preds.n; j++)
      if (v->group[i] == v->group[j])
        rc = split_pair(v, i, j, &families);
  name_places(v);
  return rc;
}

/* ---- names and facts -------------------------------------------------- */

static bool is_taken(const inventor *v, pith_pred p) {
  for (size_t i = 0; i < v->concepts->n; i++)
    if (v->concepts->at[i].pred == p)
      return true;
  return p < v->w->pred_count && pith_i_observation_count(v->w, p) > 0;
}

/* The next of the templates' invented predicates, or PITH_NONE. */
static pith_pred next_given(const inventor *v, uint32_t arity) {
  const pith_i_names *names = &v->theory->names;
  for (pith_pred p = 0; p < names->preds.n; p++)
    if ((names->preds.at[p].roles & PITH_INVENTED) != 0 &&
        names->preds.at[p].arity == arity && !is_taken(v, p))
      return p;
  return PITH_NONE;
}

static pith_status next_new(inventor *v, uint32_t arity, pith_pred *out) {
  for (unsigned i = 1;; i++) {
    char text[32];
    pith_sym name;
    snprintf(text, sizeof text, arity == 1 ? "kind%u" : "link%u", i);
    pith_status rc =
        pith_i_sym_add(&v->theory->names, text, strlen(text), PITH_NAME, &name);
    if (rc < 0)
      return rc;
    bool fresh = pith_i_pred_named(&v->theory->names, name) == PITH_NONE;
    rc = pith_i_pred_add(&v->theory->names, name, arity, out);
    if (rc < 0 || fresh)
      return rc;
    if (!is_taken(v, *out) &&
        pith_i_pred(&v->theory->names, *out)->arity == arity &&
        (pith_i_pred(&v->theory->names, *out)->roles & PITH_INVENTED) != 0)
      return PITH_OK; /* made by an earlier call */
  }
}

/* PITH_NONE: there are enough. */
static pith_status name_concept(inventor *v, uint32_t arity, const char *about,
                                pith_pred *out) {
  assert(arity == 1 || arity == SIDES);
  pith_status rc = PITH_OK;
  *out = PITH_NONE;
  if (v->concepts->n >= v->most)
    return PITH_OK;
  if (v->theory->templates.n > 0)
    *out = next_given(v, arity);
  else
    rc = next_new(v, arity, out);
  if (rc < 0 || *out == PITH_NONE)
    return rc;
  pith_i_pred(&v->theory->names, *out)->roles |= PITH_INVENTED;
  pith_i_concept one = {*out,
                        pith_i_arena_text(v->arena, about, strlen(about))};
  return one.about != NULL && pith_i_push(v->env, v->concepts, one)
             ? PITH_OK
             : PITH_ENOMEM;
}

typedef struct {
  char text[512];
  size_t n;
} phrase;

static void add_words(phrase *p, const char *words) {
  size_t room = sizeof p->text - p->n;
  int n = snprintf(p->text + p->n, room, "%s", words);
  p->n += n < 0 ? 0 : (size_t)n < room ? (size_t)n : room - 1;
}

static void add_pred_name(phrase *p, const inventor *v, pith_pred pred,
                          const char *before) {
  add_words(p, before);
  add_words(p, pith_i_pred_text(&v->theory->names, pred));
}

static pith_status make_kind(inventor *v, uint32_t kind) {
  assert(kind > 0 && kind <= v->kinds.n);
  static const char *const sides[SIDES] = {"first in ", "second in "};
  phrase about = {.n = 0};
  pith_pred pred;
  for (uint32_t side = 0; side < SIDES; side++) {
    const char *before = sides[side];
    for (size_t i = 0; i < v->preds.n; i++)
      if (place_of(v, i, side)->kind == kind) {
        if (before == sides[side] && about.n > 0)
          add_words(&about, "; ");
        add_pred_name(&about, v, v->preds.at[i], before);
        before = ", ";
      }
  }
  pith_status rc = name_concept(v, 1, about.text, &pred);
  for (pith_sym s = 0; rc >= 0 && pred != PITH_NONE && s < v->words * 64; s++)
    if (v->kinds.at[kind - 1][s / 64] >> s % 64 & 1)
      rc = pith_i_fact_give(v->out, pred, 1, &s);
  return rc;
}

static pith_status give_pairs(inventor *v, size_t group, bool both,
                              pith_pred pred) {
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc >= 0 && i < v->preds.n; i++) {
    const pith_i_tuples *t = relation_rows(v, i);
    for (size_t row = 0; v->group[i] == group && rc >= 0 && row < t->n; row++) {
      const pith_sym *pair = t->at + 2 * row;
      pith_sym turned[SIDES] = {pair[1], pair[0]};
      rc = pith_i_fact_give(v->out, pred, SIDES, v->turned[i] ? turned : pair);
      if (rc >= 0 && both)
        rc =
            pith_i_fact_give(v->out, pred, SIDES, v->turned[i] ? pair : turned);
    }
  }
  return rc;
}

static pith_status make_link(inventor *v, size_t group) {
  phrase about = {.n = 0};
  size_t members = 0, inverse = 0;
  pith_pred pred;
  for (size_t i = 0; i < v->preds.n; i++)
    if (v->group[i] == group) {
      members++;
      inverse += v->turned[i];
    }
  if (members < 2)
    return PITH_OK;
  bool both = members == 2 && inverse == 1; /* each is the other's inverse */
  for (size_t i = 0; i < v->preds.n; i++)
    if (v->group[i] == group) {
      add_pred_name(&about, v, v->preds.at[i], about.n > 0 ? ", " : "");
      add_words(&about, v->turned[i] && !both ? " turned round" : "");
    }
  add_words(&about, both ? ", either way round" : "");
  pith_status rc = name_concept(v, SIDES, about.text, &pred);
  return rc < 0 || pred == PITH_NONE ? rc : give_pairs(v, group, both, pred);
}

pith_status pith_i_invent(pith_i_theory *theory, const pith_i_observations *w,
                          uint32_t most, pith_i_arena *arena, pith_i_store *out,
                          pith_i_concepts *concepts) {
  inventor v = {.theory = theory,
                .w = w,
                .arena = arena,
                .env = w->env,
                .out = out,
                .concepts = concepts,
                .most = most,
                .words = theory->names.symbols.n / 64 + 1};
  pith_status rc = list_places(&v);
  if (rc >= 0 && v.preds.n <= PITH_TUNE_INVENT_PREDS)
    rc = find_links(&v);
  if (rc >= 0 && v.preds.n <= PITH_TUNE_INVENT_PREDS)
    rc = find_all_kinds(&v);
  for (uint32_t k = 1; rc >= 0 && k <= v.kinds.n; k++)
    rc = make_kind(&v, k);
  for (size_t g = 0;
       rc >= 0 && v.preds.n <= PITH_TUNE_INVENT_PREDS && g < v.preds.n; g++)
    if (v.group[g] == g)
      rc = make_link(&v, g);
  pith_i_vec_free(v.env, &v.preds);
  pith_i_vec_free(v.env, &v.places);
  pith_i_vec_free(v.env, &v.kinds);
  pith_i_vec_free(v.env, &v.family);
  return rc;
}
