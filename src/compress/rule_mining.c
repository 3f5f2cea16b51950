#include "compress/rule_mining.h"

#include <assert.h>
#include <string.h>

#include "base/run.h"
#include "logic/plan.h"
#include "term/equal.h"

enum { WIDEST = 8, MOST_ATOMS = 8 };

/* ---- types ------------------------------------------------------------ */

/* Which argument places share a constant: a place is (predicate, column). */
typedef struct {
  size_t *first; /* (pred_count + 1) the first place of each */
  size_t places, words;
  pith_pred *owner; /* (places) */
  uint64_t *meet;   /* (places, words) */
  bool *ordered;    /* (places) some constant there has an order */
} types;

/* The places at which a constant was seen meet each other. */
static pith_status let_meet(types *t, const uint64_t *at, pith_i_run *run,
                            size_t *work) {
  enum { LOOK_EVERY = 1 << 20 };
  for (size_t i = 0; i < t->places; i++) {
    if (++*work >= LOOK_EVERY) {
      *work = 0;
      if (pith_i_stop_requested(run))
        return PITH_STOPPED;
    }
    if ((at[i / 64] >> i % 64 & 1) == 0)
      continue;
    *work += t->words;
    for (size_t j = 0; j < t->words; j++)
      t->meet[i * t->words + j] |= at[j];
  }
  return PITH_OK;
}

static pith_status note_argument_places(const pith_i_observations *w, types *t,
                                        pith_i_run *run) {
  size_t symbols = w->theory->names.symbols.n;
  uint64_t *at = pith_i_zalloc(w->env, symbols * t->words, sizeof *at);
  if (at == NULL)
    return PITH_ENOMEM;
  for (size_t p = 0; p < w->pred_count; p++) {
    const pith_i_tuples *rows = &w->store.relations.at[p].rows;
    for (size_t i = 0; i < rows->n * rows->width; i++) {
      size_t place = t->first[p] + i % rows->width;
      at[rows->at[i] * t->words + place / 64] |= UINT64_C(1) << place % 64;
      t->ordered[place] |=
          pith_i_sym(&w->theory->names, rows->at[i])->order != PITH_ORDER_NONE;
    }
  }
  pith_status rc = PITH_OK;
  size_t work = 0;
  for (size_t s = 0; rc == PITH_OK && s < symbols; s++)
    rc = let_meet(t, at + s * t->words, run, &work);
  pith_i_release(w->env, at);
  return rc;
}

static size_t end_of_places(const types *t, const pith_i_observations *w,
                            pith_pred p) {
  return p + 1 < w->pred_count ? t->first[p + 1] : t->places;
}

static pith_status types_init(const pith_i_observations *w, types *t,
                              pith_i_run *run) {
  *t = (types){0};
  t->first = pith_i_alloc(w->env, (w->pred_count + 1) * sizeof *t->first);
  if (t->first == NULL)
    return PITH_ENOMEM;
  for (size_t p = 0; p < w->pred_count; p++) {
    t->first[p] = t->places;
    if (w->store.relations.at[p].rows.n > 0)
      t->places += w->store.relations.at[p].rows.width;
  }
  t->words = (t->places + 63) / 64 + 1;
  t->meet = pith_i_zalloc(w->env, (t->places + 1) * t->words, sizeof *t->meet);
  t->ordered = pith_i_zalloc(w->env, t->places + 1, sizeof *t->ordered);
  t->owner = pith_i_alloc(w->env, (t->places + 1) * sizeof *t->owner);
  if (t->meet == NULL || t->ordered == NULL || t->owner == NULL)
    return PITH_ENOMEM;
  for (pith_pred p = 0; p < w->pred_count; p++)
    for (size_t i = t->first[p]; i < end_of_places(t, w, p); i++)
      t->owner[i] = p;
  return note_argument_places(w, t, run);
}

static void types_free(const pith_i_observations *w, types *t) {
  pith_i_release(w->env, t->first);
  pith_i_release(w->env, t->owner);
  pith_i_release(w->env, t->meet);
  pith_i_release(w->env, t->ordered);
}

/* ---- the search ------------------------------------------------------- */

typedef struct {
  pith_pred pred;
  uint64_t support, wrong, most; /* most: may be wrong */
} tally;

typedef struct {
  const pith_i_observations *w;
  pith_i_arena *arena; /* of what is found */
  const pith_i_mining_options *opt;
  pith_i_mined_rules *out;
  types types;
  pith_i_arena scratch;
  const pith_template *shape;
  uint32_t number; /* of the shape */
  uint32_t var_count;
  pith_pred fill[MOST_ATOMS]; /* of each body atom */
  pith_i_tuples seen;         /* heads */
  PITH_I_VEC(tally) alive;
  pith_i_form *form;
  uint64_t work, matches;
  size_t turns; /* predicates tried */
} finder;

static bool pred_has_facts(const pith_i_observations *w, pith_pred p) {
  return w->store.relations.at[p].rows.n > 0;
}

static const pith_i_aspect *aspect_of(const finder *f, pith_pred p) {
  return f->opt->with == NULL ? NULL
                              : pith_i_aspect_of(f->opt->with->aspects, p);
}

/* Whether the rule would be known if its head were not an aspect. */
static bool body_is_plain(const finder *f) {
  if (f->opt->with == NULL || !f->opt->with->required)
    return false;
  for (uint32_t i = 0; i < f->shape->shape.body_len; i++)
    if (aspect_of(f, f->fill[i]) != NULL)
      return false;
  return true;
}

static bool may_be_head(const finder *f, pith_pred p, bool plain_body) {
  const pith_i_aspect *a = aspect_of(f, p);
  return a == NULL ? !plain_body : a->kind == PITH_I_FIXED;
}

/* Heads that may be predicted: those of the right arity, or the one that the
** body says. */
static pith_status begin_heads(finder *f) {
  assert(f->shape->shape.head.pred < f->shape->slot_count);
  const pith_template *t = f->shape;
  const pith_slot *slot = &t->slots[t->shape.head.pred];
  pith_pred only = slot->pred;
  for (uint32_t i = 0; i < t->shape.body_len; i++)
    if (t->shape.body[i].pred == t->shape.head.pred)
      only = f->fill[i];
  bool plain = body_is_plain(f);
  f->alive.n = 0;
  for (pith_pred p = 0; p < f->w->pred_count; p++) {
    if (pith_i_is_builtin(p) || (only != PITH_NONE && p != only) ||
        f->w->store.relations.at[p].rows.width != slot->arity ||
        !pred_has_facts(f->w, p) || !may_be_head(f, p, plain))
      continue;
    double most = f->opt->wrong * (double)pith_i_observation_count(f->w, p);
    tally one = {p, 0, 0, (uint64_t)most};
    if (!pith_i_push(f->w->env, &f->alive, one))
      return PITH_ENOMEM;
  }
  return PITH_OK;
}

static void head_arguments(const pith_i_plan *plan, pith_sym *key) {
  assert(plan->form->head.arity <= WIDEST);
  const pith_i_form_atom *h = &plan->form->head;
  for (uint32_t i = 0; i < h->arity; i++)
    key[i] = plan->regs[h->regs[i]];
}

static bool was_seen(void *ctx, pith_i_plan *plan) {
  finder *f = ctx;
  pith_sym key[WIDEST];
  head_arguments(plan, key);
  return pith_i_tuples_find(&f->seen, key) != PITH_NONE;
}

/* A new head: who has it as a fact? PITH_STOPPED: nobody is left. */
static pith_status take_head(void *ctx, pith_i_plan *plan) {
  enum { MATCHES = 1 << 20 };
  finder *f = ctx;
  pith_sym key[WIDEST];
  bool added;
  head_arguments(plan, key);
  f->work += f->opt->with == NULL ? 1 : f->alive.n; /* aspects are many */
  if (pith_i_tuples_add(f->w->env, &f->seen, key, NULL, &added) < 0)
    return PITH_ENOMEM;
  if (!added)
    return PITH_OK;
  size_t kept = 0;
  for (size_t i = 0; i < f->alive.n; i++) {
    tally *t = &f->alive.at[i];
    bool holds = pith_i_observation_find(f->w, t->pred, key) != PITH_NONE;
    t->support += holds;
    t->wrong += !holds && !pith_i_is_hidden(&f->w->hiding, t->pred, key,
                                            plan->form->head.arity);
    if (t->wrong <= t->most)
      f->alive.at[kept++] = *t;
  }
  f->alive.n = kept;
  return kept == 0 || ++f->matches > MATCHES ? PITH_STOPPED : PITH_OK;
}

/* The body that is filled in, with a head of no predicate. */
static pith_rule *fill_template(const finder *f, pith_i_arena *arena) {
  assert(f->shape->shape.body_len <= MOST_ATOMS);
  pith_rule plain = f->shape->shape;
  pith_atom body[MOST_ATOMS];
  plain.head.pred = PITH_EQUAL;
  for (uint32_t i = 0; i < plain.body_len; i++) {
    body[i] = plain.body[i];
    body[i].pred = f->fill[i];
  }
  plain.body = body;
  plain.file = PITH_NONE;
  return pith_i_rule_copy(arena, &plain);
}

static pith_status match_body(finder *f) {
  pith_i_arena_free(&f->scratch);
  f->seen.width = f->shape->shape.head.arity;
  pith_i_tuples_cut(&f->seen, 0);
  f->matches = 0;
  pith_rule *rule = fill_template(f, &f->scratch);
  f->form = rule == NULL
                ? NULL
                : pith_i_form_new(&f->scratch, &f->w->theory->names, rule);
  if (f->form == NULL)
    return PITH_ENOMEM;
  if (f->form->never)
    return PITH_OK;
  pith_i_plan *plan = pith_i_plan_body(f->w, &f->scratch, f->form, false);
  if (plan == NULL)
    return PITH_ENOMEM;
  pith_i_hooks hooks = {
      .found = take_head, .known = was_seen, .ctx = f, .countdown = UINT32_MAX};
  pith_status rc = pith_i_plan_run(plan, &hooks);
  return rc == PITH_STOPPED ? PITH_OK : rc;
}

/* ---- what comes out --------------------------------------------------- */

static bool same_atom(const pith_atom *a, const pith_atom *b) {
  return a->pred == b->pred && pith_i_args_equal(a, b);
}

static bool has_head_in_body(const pith_rule *r) {
  for (uint32_t i = 0; i < r->body_len; i++)
    if (same_atom(&r->head, &r->body[i]))
      return true;
  return false;
}

enum { MOST_VARS = 16 };

/* Matches atoms i, i+1, ... of a's body with atoms of b's. */
static bool embed_body(const pith_rule *a, const pith_rule *b, uint32_t i,
                       const pith_term *map) {
  assert(i <= a->body_len);
  if (i == a->body_len)
    return true;
  const pith_atom *x = &a->body[i];
  for (uint32_t j = 0; j < b->body_len; j++) {
    const pith_atom *y = &b->body[j];
    pith_term extended[MOST_VARS];
    memcpy(extended, map, sizeof extended);
    bool fits =
        x->pred == y->pred && x->arity == y->arity && x->negated == y->negated;
    for (uint32_t k = 0; fits && k < x->arity; k++) {
      if (!PITH_IS_VAR(x->args[k])) {
        fits = x->args[k] == y->args[k];
        continue;
      }
      pith_term *to = &extended[PITH_VAR_INDEX(x->args[k])];
      if (*to == PITH_NONE)
        *to = y->args[k];
      fits = *to == y->args[k];
    }
    if (fits && embed_body(a, b, i + 1, extended))
      return true;
  }
  return false;
}

bool pith_i_rule_implies(const pith_rule *a, const pith_rule *b) {
  pith_term map[MOST_VARS];
  if (a->var_count > MOST_VARS || a->head.pred != b->head.pred ||
      a->head.arity != b->head.arity)
    return false;
  for (uint32_t i = 0; i < MOST_VARS; i++)
    map[i] = PITH_NONE;
  for (uint32_t i = 0; i < a->head.arity; i++) {
    if (!PITH_IS_VAR(a->head.args[i])) {
      if (a->head.args[i] != b->head.args[i])
        return false;
      continue;
    }
    pith_term *to = &map[PITH_VAR_INDEX(a->head.args[i])];
    if (*to == PITH_NONE)
      *to = b->head.args[i];
    else if (*to != b->head.args[i])
      return false;
  }
  return embed_body(a, b, 0, map);
}

/* By one that is wrong no more often. */
static bool is_implied(const finder *f, const pith_rule *r, uint64_t wrong) {
  for (size_t i = 0; i < f->out->n; i++) {
    const pith_i_mined_rule *c = &f->out->at[i];
    if (c->rule->head.pred == r->head.pred &&
        c->predictions - c->support <= wrong && pith_i_rule_implies(c->rule, r))
      return true;
  }
  return false;
}

/* ---- rules over aspects ----------------------------------------------- */

static bool has_constant(const pith_atom *a) {
  for (uint32_t i = 0; i < a->arity; i++)
    if (!PITH_IS_VAR(a->args[i]))
      return true;
  return false;
}

/* Rules that name constants or deny something must save twice their price. */
static double surcharge_of(const finder *f, const pith_rule *rule) {
  bool special = has_constant(&rule->head);
  for (uint32_t i = 0; i < rule->body_len; i++)
    special |= rule->body[i].negated || has_constant(&rule->body[i]);
  return special ? pith_i_rule_bits(f->opt->with->words, rule) +
                       pith_i_shape_bits(rule)
                 : 0;
}

/* What the rule can save at most: its heads in the core, less its price. */
static double saving_of(const finder *f, pith_pred head,
                        const pith_rule *rule) {
  const pith_i_mining_aspects *with = f->opt->with;
  size_t open = 0;
  for (size_t i = 0; i < f->seen.n; i++) {
    pith_sym args[WIDEST + 1];
    pith_pred pred = pith_i_aspect_head(with->aspects, head, f->seen.width,
                                        f->seen.at + i * f->seen.width, args);
    uint32_t fact = pith_i_observation_find(f->w, pred, args);
    open += fact != PITH_NONE && with->open[fact];
  }
  return (double)open * with->scale *
             pith_i_fact_bits(with->words, rule->head.arity) -
         pith_i_rule_bits(with->words, rule);
}

static uint32_t count_fact_atoms(const pith_rule *r) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < r->body_len; i++)
    n += !pith_i_is_builtin(r->body[i].pred);
  return n;
}

/* A head that its own body denies has no closure. */
static bool denies_head(const pith_rule *r) {
  for (uint32_t i = 0; i < r->body_len; i++)
    if (r->body[i].negated && r->body[i].pred == r->head.pred)
      return true;
  return false;
}

/* Different constants in a place; without memory, those that fitted. */
static size_t count_distinct(const finder *f, pith_pred p, uint32_t place) {
  const pith_i_tuples *t = &f->w->store.relations.at[p].rows;
  pith_i_tuples seen = {.width = 1};
  for (size_t i = 0; i < t->n; i++)
    if (pith_i_tuples_add(f->w->env, &seen, &t->at[i * t->width + place], NULL,
                          NULL) < 0)
      break;
  size_t n = seen.n;
  pith_i_tuples_free(f->w->env, &seen);
  return n;
}

/* What the body says about the constant in the head: support times the surprise
** that the constant is there. Where nearly everything has it, any body would
** do. */
static bool tells_constant(const finder *f, pith_pred head, uint64_t support,
                           const pith_rule *rule) {
  const pith_i_aspect *a = aspect_of(f, head);
  if (a == NULL || a->arity != 1)
    return true;
  double all = (double)count_distinct(f, a->pred, 1 - a->place);
  double with = (double)pith_i_observation_count(f->w, head);
  return (double)support * pith_i_choice_bits(all / with) >
         pith_i_rule_bits(f->opt->with->words, rule);
}

/* Writes the rule out; it is NULL then if it is not worth keeping. */
static pith_status write_out(const finder *f, pith_i_mined_rule *c) {
  const pith_i_mining_aspects *with = f->opt->with;
  pith_rule *over = c->rule;
  c->rule = NULL;
  pith_rule *out =
      pith_i_aspects_expand(with->aspects, with->names, over, f->arena);
  if (out == NULL)
    return PITH_ENOMEM;
  c->surcharge = surcharge_of(f, out);
  c->saving = saving_of(f, over->head.pred, out) - c->surcharge;
  if (c->saving > 0 && count_fact_atoms(out) <= with->max_body &&
      !denies_head(out) && tells_constant(f, over->head.pred, c->support, out))
    c->rule = out;
  return PITH_OK;
}

static pith_status keep_rule(finder *f, const tally *t) {
  pith_status rc = PITH_OK;
  pith_rule *rule = fill_template(f, f->arena);
  if (rule == NULL)
    return PITH_ENOMEM;
  rule->head.pred = t->pred;
  pith_i_mined_rule c = {.rule = rule,
                         .shape = f->number,
                         .predictions = t->support + t->wrong,
                         .support = t->support};
  if (f->opt->with != NULL)
    rc = write_out(f, &c);
  if (rc < 0 || c.rule == NULL || has_head_in_body(c.rule) ||
      is_implied(f, c.rule, t->wrong))
    return rc;
  return pith_i_push(f->w->env, f->out, c) ? PITH_OK : PITH_ENOMEM;
}

static pith_status keep_rules(finder *f) {
  assert(f->number != PITH_NONE);
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc >= 0 && i < f->alive.n; i++) {
    const tally *t = &f->alive.at[i];
    double all = (double)(t->support + t->wrong);
    if (t->support >= 1 && (double)t->support >= f->opt->confidence * all)
      rc = keep_rule(f, t);
  }
  return rc;
}

/* ---- filling ---------------------------------------------------------- */

/* Whether both places have constants with an order. */
static bool can_compare(const finder *f, const pith_atom *a,
                        const size_t *place) {
  for (uint32_t k = 0; k < a->arity; k++) {
    size_t at = place[PITH_VAR_INDEX(a->args[k])];
    if (at == SIZE_MAX || !f->types.ordered[at])
      return false;
  }
  return true;
}

/* Whether the places where a variable stands could ever share a constant. */
static bool can_meet(const finder *f, uint32_t upto) {
  assert(upto < f->shape->shape.body_len);
  const pith_rule *r = &f->shape->shape;
  size_t place[MOST_VARS];
  if (r->var_count > MOST_VARS)
    return true;
  for (uint32_t v = 0; v < r->var_count; v++)
    place[v] = SIZE_MAX;
  for (uint32_t i = 0; i <= upto; i++) {
    if (PITH_IS_COMPARISON(f->fill[i]) && !can_compare(f, &r->body[i], place))
      return false;
    if (pith_i_is_builtin(f->fill[i]))
      continue;
    for (uint32_t k = 0; k < r->body[i].arity; k++) {
      pith_term t = r->body[i].args[k];
      if (!PITH_IS_VAR(t))
        continue;
      size_t here = f->types.first[f->fill[i]] + k;
      size_t *there = &place[PITH_VAR_INDEX(t)];
      if (f->opt->types && *there != SIZE_MAX &&
          !(f->types.meet[*there * f->types.words + here / 64] >> here % 64 &
            1))
        return false;
      *there = here;
    }
  }
  return true;
}

/* Two atoms with the same arguments: one order is enough, and never the same
** predicate. */
static bool in_canonical_order(const finder *f, uint32_t i) {
  const pith_atom *body = f->shape->shape.body;
  return i == 0 || !pith_i_args_equal(&body[i], &body[i - 1]) ||
         body[i].pred == body[i - 1].pred || f->fill[i] > f->fill[i - 1];
}

static pith_status fill_from(finder *f, uint32_t i);

static pith_status fill_with(finder *f, uint32_t i, pith_pred p) {
  assert(i < f->shape->shape.body_len);
  assert(p < f->w->pred_count);
  f->fill[i] = p;
  return in_canonical_order(f, i) && can_meet(f, i) ? fill_from(f, i + 1)
                                                    : PITH_OK;
}

static bool is_absence(const finder *f, uint32_t i) {
  const pith_i_aspect *a = aspect_of(f, f->fill[i]);
  return a != NULL && a->kind == PITH_I_ABSENT;
}

/* Whether every variable is in some atom that must be a fact: an absence alone
** binds nothing. */
static bool is_safe(const finder *f) {
  const pith_rule *r = &f->shape->shape;
  uint32_t bound = 0, used = 0;
  for (uint32_t i = 0; i < r->body_len; i++)
    for (uint32_t k = 0; k < r->body[i].arity; k++) {
      pith_term t = r->body[i].args[k];
      uint32_t bit = PITH_IS_VAR(t) ? 1u << PITH_VAR_INDEX(t) : 0;
      used |= bit;
      if (!pith_i_is_builtin(f->fill[i]) && !is_absence(f, i))
        bound |= bit;
    }
  return used == bound;
}

static pith_status try_body(finder *f) {
  if (f->work > f->opt->work)
    return PITH_OK;
  if (f->opt->with != NULL && !is_safe(f))
    return PITH_OK;
  if (pith_i_stop_requested(f->opt->run))
    return PITH_STOPPED;
  f->work += 50; /* what making a plan is worth */
  pith_status rc = begin_heads(f);
  if (rc >= 0 && f->alive.n > 0)
    rc = match_body(f);
  return rc < 0 ? rc : keep_rules(f);
}

/* By a predicate of the atom's arity, if p is one. */
static pith_status try_fill(finder *f, uint32_t i, pith_pred p) {
  pith_status rc = pith_i_look_at_turn(f->w->env, f->opt->run, f->turns++);
  bool fits =
      !pith_i_is_builtin(p) && pred_has_facts(f->w, p) &&
      f->w->store.relations.at[p].rows.width == f->shape->shape.body[i].arity;
  return rc == PITH_OK && fits ? fill_with(f, i, p) : rc;
}

static pith_status fill_with_any(finder *f, uint32_t i) {
  pith_status rc = PITH_OK;
  for (pith_pred p = 0; rc == PITH_OK && p < f->w->pred_count; p++)
    rc = try_fill(f, i, p);
  return rc;
}

/* The last place in atoms before where a variable of atom i stands, and in
** which column the atom has it; SIZE_MAX: none, or places may not tell. */
static size_t linked_place(const finder *f, uint32_t i, uint32_t *column) {
  const pith_atom *body = f->shape->shape.body, *a = &body[i];
  size_t found = SIZE_MAX;
  for (uint32_t k = 0; f->opt->types && found == SIZE_MAX && k < a->arity; k++)
    for (uint32_t j = 0; PITH_IS_VAR(a->args[k]) && j < i; j++)
      for (uint32_t c = 0; c < body[j].arity && !pith_i_is_builtin(f->fill[j]);
           c++)
        if (body[j].args[c] == a->args[k]) {
          found = f->types.first[f->fill[j]] + c;
          *column = k;
        }
  return found;
}

/* By the predicates alone that share a constant there: others are many. */
static pith_status fill_with_linked(finder *f, uint32_t i, size_t from,
                                    uint32_t column) {
  const types *t = &f->types;
  pith_status rc = PITH_OK;
  for (size_t word = 0; rc == PITH_OK && word < t->words; word++)
    for (uint64_t left = t->meet[from * t->words + word];
         rc == PITH_OK && left != 0; left &= left - 1) {
      size_t place = word * 64 + (size_t)__builtin_ctzll(left);
      assert(place < t->places);
      pith_pred p = t->owner[place];
      if (place == t->first[p] + column)
        rc = try_fill(f, i, p);
    }
  return rc;
}

static pith_status fill_from(finder *f, uint32_t i) {
  const pith_template *t = f->shape;
  if (i == t->shape.body_len)
    return try_body(f);
  const pith_atom *a = &t->shape.body[i];
  if (t->slots[a->pred].pred != PITH_NONE)
    return fill_with(f, i, t->slots[a->pred].pred);
  for (uint32_t j = 0; j < i; j++)
    if (t->shape.body[j].pred == a->pred)
      return fill_with(f, i, f->fill[j]);
  uint32_t column = 0;
  size_t from = linked_place(f, i, &column);
  return from == SIZE_MAX ? fill_with_any(f, i)
                          : fill_with_linked(f, i, from, column);
}

static bool body_binds(const pith_template *t, pith_term term) {
  for (uint32_t i = 0; i < t->shape.body_len; i++) {
    const pith_atom *a = &t->shape.body[i];
    for (uint32_t k = 0;
         k < a->arity && !pith_i_is_builtin(t->slots[a->pred].pred); k++)
      if (a->args[k] == term)
        return true;
  }
  return false;
}

/* Neither too wide nor with a head variable that no body atom binds. */
static bool is_usable_shape(const pith_template *t) {
  const pith_rule *r = &t->shape;
  bool fits = r->body_len <= MOST_ATOMS && r->head.arity <= WIDEST &&
              r->var_count <= MOST_VARS;
  for (uint32_t i = 0; fits && i < r->head.arity; i++)
    fits = !PITH_IS_VAR(r->head.args[i]) || body_binds(t, r->head.args[i]);
  return fits;
}

pith_status pith_i_rules_mine(const pith_i_observations *w, pith_i_arena *arena,
                              const pith_i_shapes *shapes,
                              const pith_i_mining_options *opt,
                              pith_i_mined_rules *out) {
  assert(opt->wrong >= 0 && opt->confidence <= 1);
  finder f = {.w = w, .arena = arena, .opt = opt, .out = out};
  f.scratch.env = w->env;
  pith_status rc = types_init(w, &f.types, opt->run);
  for (size_t i = 0; rc == PITH_OK && i < shapes->n; i++) {
    f.shape = shapes->at[i];
    f.number = (uint32_t)i;
    pith_i_tuples_free(w->env, &f.seen);
    if (is_usable_shape(f.shape))
      rc = fill_from(&f, 0);
  }
  types_free(w, &f.types);
  pith_i_tuples_free(w->env, &f.seen);
  pith_i_vec_free(w->env, &f.alive);
  pith_i_arena_free(&f.scratch);
  return rc;
}

/* ---- soundness -------------------------------------------------------- */

typedef struct {
  const pith_i_observations *w;
  pith_i_run *run;
  pith_i_tuples wrong;
  uint64_t most;
  bool told;
} checker;

static bool is_fact(void *ctx, pith_i_plan *plan) {
  const checker *c = ctx;
  pith_sym key[WIDEST];
  head_arguments(plan, key);
  return pith_i_observation_find(c->w, plan->form->head.pred, key) != PITH_NONE;
}

static pith_status note_wrong_head(void *ctx, pith_i_plan *plan) {
  checker *c = ctx;
  pith_sym key[WIDEST];
  head_arguments(plan, key);
  if (is_fact(c, plan) || pith_i_is_hidden(&c->w->hiding, plan->form->head.pred,
                                           key, plan->form->head.arity))
    return PITH_OK;
  if (pith_i_tuples_add(c->w->env, &c->wrong, key, NULL, NULL) < 0)
    return PITH_ENOMEM;
  return c->wrong.n > c->most ? PITH_STOPPED : PITH_OK;
}

static pith_status ask_checker(void *ctx) {
  checker *c = ctx;
  c->told = pith_i_stop_requested(c->run);
  return c->told ? PITH_STOPPED : PITH_OK;
}

pith_status pith_i_rule_count_wrong(const pith_i_observations *w,
                                    const pith_rule *rule, uint64_t most,
                                    pith_i_run *run, uint64_t *wrong) {
  checker c = {.w = w, .run = run, .most = most};
  pith_i_arena arena = {.env = w->env};
  c.wrong.width = rule->head.arity;
  *wrong = 0;
  pith_i_form *form = rule->head.arity <= WIDEST
                          ? pith_i_form_new(&arena, &w->theory->names, rule)
                          : NULL;
  pith_i_plan *plan =
      form == NULL ? NULL : pith_i_plan_body(w, &arena, form, false);
  pith_status rc = plan == NULL ? PITH_ENOMEM : PITH_OK;
  if (rc >= 0 && !form->never) {
    pith_i_hooks hooks = {note_wrong_head, is_fact, ask_checker, &c, 0};
    rc = pith_i_plan_run(plan, &hooks);
  }
  *wrong = c.wrong.n;
  pith_i_tuples_free(w->env, &c.wrong);
  pith_i_arena_free(&arena);
  return rc == PITH_STOPPED && !c.told ? PITH_OK : rc;
}

/* ---- counts ----------------------------------------------------------- */

typedef struct {
  const pith_i_observations *w;
  pith_i_tuples seen;
  uint64_t support;
} counter;

static bool is_counted(void *ctx, pith_i_plan *plan) {
  counter *c = ctx;
  pith_sym key[WIDEST];
  head_arguments(plan, key);
  return pith_i_tuples_find(&c->seen, key) != PITH_NONE;
}

static pith_status count_head(void *ctx, pith_i_plan *plan) {
  counter *c = ctx;
  pith_sym key[WIDEST];
  bool added;
  head_arguments(plan, key);
  if (pith_i_tuples_add(c->w->env, &c->seen, key, NULL, &added) < 0)
    return PITH_ENOMEM;
  uint32_t fact = pith_i_observation_find(c->w, plan->form->head.pred, key);
  if (added && fact != PITH_NONE)
    c->support += !pith_i_observation_lacks(c->w, plan->form->head.pred, fact);
  return PITH_OK;
}

pith_status pith_i_rule_count(const pith_i_observations *w,
                              const pith_rule *rule, uint64_t *predictions,
                              uint64_t *support) {
  assert(rule->head.pred < w->pred_count);
  counter c = {.w = w};
  pith_i_arena arena = {.env = w->env};
  c.seen.width = rule->head.arity;
  pith_i_form *form = pith_i_form_new(&arena, &w->theory->names, rule);
  pith_i_plan *plan =
      form == NULL ? NULL : pith_i_plan_body(w, &arena, form, false);
  pith_status rc = plan == NULL ? PITH_ENOMEM : PITH_OK;
  if (rc >= 0 && !form->never && rule->head.arity <= WIDEST) {
    pith_i_hooks hooks = {count_head, is_counted, NULL, &c, UINT32_MAX};
    rc = pith_i_plan_run(plan, &hooks);
  }
  *predictions = c.seen.n;
  *support = c.support;
  pith_i_tuples_free(w->env, &c.seen);
  pith_i_arena_free(&arena);
  return rc;
}
