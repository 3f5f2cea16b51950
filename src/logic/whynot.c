/* Why an atom does not follow.
**
** For each rule whose head matches, body atoms are left out until the rest
** can be made true: first each one alone, then each pair, then as many as it
** takes. In a long body only the last is tried, and by halves: what holds
** together is put back together. The rule that needs the fewest left out comes
** nearest; what was left out, filled in by the match of the rest, is what
** fails. A failing atom that is itself the business of rules is asked about in
** turn, a few levels deep. */
#include <assert.h>
#include <string.h>

#include "logic/plan.h"
#include "logic/proof.h"

enum {
  LEVELS = 3,     /* of explanations within explanations           */
  WITHIN = 64,    /* of those, in all                              */
  LONG_BODY = 64, /* atoms; more are put back by halves            */
  HALVINGS = 128, /* in a long body, then the rest stays out       */
  POLLS = 64      /* of 2^15 rows each, then a match is given up   */
};

typedef struct {
  pith_proof *proof;
  pith_i_env *env;
  const pith_i_theory *theory;
  pith_i_store *store;
  pith_i_arena arena; /* forms and plans of the attempt at hand */
  bool *seen;         /* (symbols) in a given fact or a rule    */
  bool *head;         /* (predicates) has rules                 */
  uint32_t polls;
  uint32_t halvings; /* that are left */
  uint32_t within;   /* explanations within the first, so far */
} asker;

/* One rule being tried. */
typedef struct {
  const pith_rule *rule;
  bool *out;       /* (body_len) left out                        */
  bool *never;     /* (body_len) long bodies: holds in no way    */
  pith_sym *value; /* (var_count) of the last match, or NONE     */
} attempt;

/* ---- matching what is left ------------------------------------------- */

static bool is_fact_atom(const pith_atom *a) {
  return !pith_i_is_builtin(a->pred) && !a->negated;
}

/* Where a variable of a rule stands while some of its atoms are left out. */
typedef struct {
  bool in_head;
  uint32_t atoms, kept; /* of the body, with the variable */
  uint32_t last;        /* one more than the number of the last of them */
} var_places;

/* NULL: no memory. */
static var_places *find_var_places(asker *q, const attempt *t) {
  const pith_rule *r = t->rule;
  size_t bytes = (r->var_count + 1) * sizeof(var_places);
  var_places *v = pith_i_arena_alloc(&q->arena, bytes);
  if (v == NULL)
    return NULL;
  memset(v, 0, bytes);
  for (uint32_t i = 0; i < r->head.arity; i++)
    if (PITH_IS_VAR(r->head.args[i]))
      v[PITH_VAR_INDEX(r->head.args[i])].in_head = true;
  for (uint32_t k = 0; k < r->body_len; k++)
    for (uint32_t i = 0; i < r->body[k].arity; i++) {
      pith_term arg = r->body[k].args[i];
      var_places *p = PITH_IS_VAR(arg) ? &v[PITH_VAR_INDEX(arg)] : NULL;
      if (p == NULL || p->last == k + 1)
        continue;
      p->last = k + 1;
      p->atoms++;
      p->kept += !t->out[k];
    }
  return v;
}

/* Whether a negated atom has a variable that only atoms left out would bind:
** without them it would say that there is no such thing at all. */
static bool lost_variable(const var_places *v, const pith_atom *a) {
  for (uint32_t i = 0; a->negated && i < a->arity; i++) {
    if (!PITH_IS_VAR(a->args[i]))
      continue;
    const var_places *p = &v[PITH_VAR_INDEX(a->args[i])];
    if (p->atoms > 1 && p->kept == 1 && !p->in_head)
      return true;
  }
  return false;
}

/* The rule without what is left out. Equalities always stay: they say what
** variables are. */
static const pith_rule *rule_without_left_out(asker *q, const attempt *t) {
  const var_places *v = find_var_places(q, t);
  pith_rule *r = v == NULL ? NULL : pith_i_rule_copy(&q->arena, t->rule);
  if (r == NULL)
    return NULL;
  pith_atom *body = (pith_atom *)r->body; /* our own copy */
  r->body_len = 0;
  for (uint32_t i = 0; i < t->rule->body_len; i++)
    if (!t->out[i] && !lost_variable(v, &t->rule->body[i]))
      body[r->body_len++] = body[i];
  return r;
}

static pith_status count_polls(void *ctx) {
  asker *q = ctx;
  return ++q->polls < POLLS ? PITH_OK : PITH_UNPROVED;
}

/* What the match says of the rule's variables; those that only what was left
** out would bind stay open. */
static bool keep_values(asker *q, attempt *t, const pith_i_plan *plan) {
  assert(t->rule->var_count == plan->form->var_count);
  const pith_i_form *f = plan->form;
  bool *bound = pith_i_arena_alloc(&q->arena, f->reg_count + 1);
  if (bound == NULL)
    return false;
  memset(bound, 0, f->reg_count + 1);
  for (uint32_t i = 0; i < f->head.arity; i++)
    bound[f->head.regs[i]] = true;
  for (uint32_t i = 0; i < f->atom_count; i++)
    for (uint32_t j = 0; j < f->atoms[i].arity; j++)
      bound[f->atoms[i].regs[j]] = true;
  for (uint32_t v = 0; v < t->rule->var_count; v++) {
    uint32_t reg = f->reg_of[v];
    t->value[v] =
        bound[reg] || pith_i_is_constant(f, reg) ? plan->regs[reg] : PITH_NONE;
  }
  return true;
}

/* Whether the rule without t->out can give the atom. */
static pith_status try_without(asker *q, attempt *t, const pith_atom *a,
                               bool *works) {
  *works = false;
  const pith_rule *rule = rule_without_left_out(q, t);
  pith_i_form *f =
      rule == NULL ? NULL : pith_i_form_new(&q->arena, &q->theory->names, rule);
  pith_i_plan *plan =
      f == NULL ? NULL : pith_i_plan_backwards(&q->arena, q->store, f);
  pith_status rc = PITH_ENOMEM;
  if (plan != NULL) {
    q->polls = 0;
    pith_i_hooks hooks = {.found = pith_i_stop_at_first,
                          .poll = count_polls,
                          .ctx = q,
                          .countdown = 1};
    rc = pith_i_plan_set_head(plan, a->args) ? pith_i_plan_run(plan, &hooks)
                                             : PITH_OK;
    *works = rc == PITH_STOPPED;
    if (*works && !keep_values(q, t, plan))
      rc = PITH_ENOMEM;
  }
  pith_i_arena_free(&q->arena);
  return rc < 0 ? rc : PITH_OK;
}

/* ---- what to leave out ----------------------------------------------- */

static bool may_leave(const attempt *t, uint32_t i) {
  return t->rule->body[i].pred != PITH_EQUAL;
}

/* From the last: then the atoms before it hold, as one reads. */
static pith_status try_ones(asker *q, attempt *t, const pith_atom *a,
                            bool *works) {
  pith_status rc = PITH_OK;
  for (uint32_t i = t->rule->body_len; rc >= 0 && !*works && i-- > 0;) {
    if (!may_leave(t, i))
      continue;
    t->out[i] = true;
    rc = try_without(q, t, a, works);
    t->out[i] = *works;
  }
  return rc;
}

static pith_status try_pairs(asker *q, attempt *t, const pith_atom *a,
                             bool *works) {
  pith_status rc = PITH_OK;
  for (uint32_t i = 0; rc >= 0 && !*works && i < t->rule->body_len; i++) {
    if (!may_leave(t, i))
      continue;
    t->out[i] = true;
    for (uint32_t j = i + 1; rc >= 0 && !*works && j < t->rule->body_len; j++) {
      if (!may_leave(t, j))
        continue;
      t->out[j] = true;
      rc = try_without(q, t, a, works);
      t->out[j] = *works;
    }
    t->out[i] = *works;
  }
  return rc;
}

/* Puts back one after the other what can be; what can not stays out. */
static pith_status try_greedily(asker *q, attempt *t, const pith_atom *a,
                                bool *works) {
  for (uint32_t i = 0; i < t->rule->body_len; i++)
    t->out[i] = may_leave(t, i);
  pith_status rc = try_without(q, t, a, works);
  for (uint32_t i = 0; rc >= 0 && *works && i < t->rule->body_len; i++) {
    if (!t->out[i])
      continue;
    bool also;
    t->out[i] = false;
    rc = try_without(q, t, a, &also);
    t->out[i] = !also;
  }
  if (rc >= 0 && *works) /* the values of the last one that worked */
    rc = try_without(q, t, a, works);
  return rc;
}

/* ---- long bodies ------------------------------------------------------ */

static bool fill_atom(asker *q, const attempt *t, const pith_atom *from,
                      pith_atom *to) {
  assert(from->arity == 0 || from->args != NULL);
  pith_term *args =
      pith_i_arena_alloc(&q->proof->arena, from->arity * sizeof *args + 1);
  if (args == NULL)
    return false;
  for (uint32_t i = 0; i < from->arity; i++) {
    args[i] = from->args[i];
    if (PITH_IS_VAR(args[i]) && t->value[PITH_VAR_INDEX(args[i])] != PITH_NONE)
      args[i] = t->value[PITH_VAR_INDEX(args[i])];
  }
  *to = (pith_atom){.pred = from->pred,
                    .arity = from->arity,
                    .args = args,
                    .negated = from->negated};
  return true;
}

static bool is_ground(const pith_atom *a) {
  for (uint32_t i = 0; i < a->arity; i++)
    if (PITH_IS_VAR(a->args[i]))
      return false;
  return true;
}

/* The values that the atom asked about gives to the head's variables. */
static void bind_head(attempt *t, const pith_atom *a) {
  const pith_atom *head = &t->rule->head;
  for (uint32_t v = 0; v < t->rule->var_count; v++)
    t->value[v] = PITH_NONE;
  for (uint32_t i = 0; i < head->arity; i++)
    if (PITH_IS_VAR(head->args[i]))
      t->value[PITH_VAR_INDEX(head->args[i])] = a->args[i];
}

/* Whether an atom holds in no way, whatever the others say: there are no such
** facts, or the head says all about it, and it is none of them. */
static bool never_holds(asker *q, const attempt *t, const pith_atom *a) {
  pith_atom filled;
  if (!is_fact_atom(a))
    return false;
  if (pith_i_fact_count(q->store, a->pred, PITH_ALL) == 0)
    return true;
  return fill_atom(q, t, a, &filled) && is_ground(&filled) &&
         !pith_i_fact_holds(q->store, a->pred, filled.args);
}

/* Puts back what it can of the atoms from..to. */
static pith_status put_back(asker *q, attempt *t, const pith_atom *a,
                            uint32_t from, uint32_t to) {
  bool works;
  if (q->halvings == 0)
    return PITH_OK;
  q->halvings--;
  for (uint32_t i = from; i < to; i++)
    t->out[i] = t->never[i];
  pith_status rc = try_without(q, t, a, &works);
  if (rc < 0 || works)
    return rc;
  for (uint32_t i = from; i < to; i++)
    t->out[i] = may_leave(t, i);
  uint32_t middle = from + (to - from) / 2;
  if (to - from > 1)
    rc = put_back(q, t, a, from, middle);
  if (rc >= 0 && to - from > 1)
    rc = put_back(q, t, a, middle, to);
  return rc;
}

static pith_status try_halves(asker *q, attempt *t, const pith_atom *a,
                              bool *works) {
  bind_head(t, a);
  for (uint32_t i = 0; i < t->rule->body_len; i++) {
    t->never[i] = never_holds(q, t, &t->rule->body[i]);
    t->out[i] = may_leave(t, i);
  }
  q->halvings = HALVINGS;
  pith_status rc = try_without(q, t, a, works);
  if (rc >= 0 && *works)
    rc = put_back(q, t, a, 0, t->rule->body_len);
  if (rc >= 0 && *works) /* the values of the last one that worked */
    rc = try_without(q, t, a, works);
  return rc;
}

/* works: false when not even the empty rest matches the atom. */
static pith_status try_leaving_out(asker *q, attempt *t, const pith_atom *a,
                                   bool *works) {
  *works = false;
  if (t->rule->body_len > LONG_BODY)
    return try_halves(q, t, a, works);
  memset(t->out, 0, t->rule->body_len * sizeof *t->out);
  pith_status rc = try_ones(q, t, a, works);
  if (rc >= 0 && !*works)
    rc = try_pairs(q, t, a, works);
  if (rc >= 0 && !*works)
    rc = try_greedily(q, t, a, works);
  return rc;
}

static uint32_t count_out(const attempt *t) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < t->rule->body_len; i++)
    n += t->out[i];
  return n;
}

/* Fewer left out is nearer; then, more that holds. */
static bool is_nearer(const attempt *t, const attempt *than) {
  if (than->rule == NULL || count_out(t) != count_out(than))
    return than->rule == NULL || count_out(t) < count_out(than);
  return t->rule->body_len > than->rule->body_len;
}

/* ---- the nearest rule ------------------------------------------------ */

static bool make_attempt(asker *q, const pith_rule *rule, attempt *t) {
  pith_i_arena *a = &q->proof->arena;
  t->rule = rule;
  t->out = pith_i_arena_alloc(a, rule->body_len * sizeof *t->out + 1);
  t->never = pith_i_arena_alloc(a, rule->body_len * sizeof *t->never + 1);
  t->value = pith_i_arena_alloc(a, rule->var_count * sizeof *t->value + 1);
  return t->out != NULL && t->never != NULL && t->value != NULL;
}

static pith_status find_nearest(asker *q, const pith_atom *a, attempt *best) {
  for (size_t i = 0; i < q->theory->rules.n; i++) {
    attempt t;
    bool works;
    if (q->theory->rules.at[i]->head.pred != a->pred)
      continue;
    if (!make_attempt(q, q->theory->rules.at[i], &t) ||
        try_leaving_out(q, &t, a, &works) < 0)
      return PITH_ENOMEM;
    if (works && is_nearer(&t, best))
      *best = t;
  }
  return PITH_OK;
}

/* ---- names that nobody uses ------------------------------------------ */

static int note_constants_of_fact(void *ctx, pith_pred pred,
                                  const pith_sym *args, size_t n) {
  asker *q = ctx;
  (void)pred;
  for (size_t i = 0; i < n; i++)
    q->seen[args[i]] = true;
  return 0;
}

static void note_constants_of_atom(asker *q, const pith_atom *a) {
  for (uint32_t i = 0; i < a->arity; i++)
    if (!PITH_IS_VAR(a->args[i]))
      q->seen[a->args[i]] = true;
}

static void see_all(asker *q) {
  pith_i_fact_each(q->store, PITH_NONE, PITH_GIVEN, note_constants_of_fact, q);
  for (size_t i = 0; i < q->theory->rules.n; i++) {
    const pith_rule *r = q->theory->rules.at[i];
    q->head[r->head.pred] = true;
    note_constants_of_atom(q, &r->head);
    for (uint32_t j = 0; j < r->body_len; j++)
      note_constants_of_atom(q, &r->body[j]);
  }
}

/* How many characters must be changed, put in or left out to make one text
** of the other; more than 2 for all that is not close. */
static unsigned name_distance(const pith_i_symbol *a, const pith_i_symbol *b) {
  enum { LONG = 64 };
  unsigned row[LONG + 1];
  if (a->len > LONG || b->len > LONG || a->len > b->len + 2 ||
      b->len > a->len + 2)
    return LONG;
  for (uint32_t j = 0; j <= b->len; j++)
    row[j] = j;
  for (uint32_t i = 1; i <= a->len; i++) {
    unsigned corner = row[0];
    row[0] = i;
    for (uint32_t j = 1; j <= b->len; j++) {
      unsigned least = corner + (a->text[i - 1] != b->text[j - 1]);
      least = row[j] + 1 < least ? row[j] + 1 : least;
      least = row[j - 1] + 1 < least ? row[j - 1] + 1 : least;
      corner = row[j];
      row[j] = least;
    }
  }
  return row[b->len];
}

/* Short names are close to anything; they must share more. */
static unsigned typo_tolerance(const pith_i_symbol *s) {
  return s->len <= 2 ? 0 : s->len <= 5 ? 1 : 2;
}

static pith_sym like_symbol(const asker *q, pith_sym stranger) {
  const pith_i_names *names = &q->theory->names;
  pith_sym best = PITH_NONE;
  unsigned least = typo_tolerance(pith_i_sym(names, stranger)) + 1;
  for (size_t s = 0; s < names->symbols.n; s++) {
    if (!q->seen[s] || s == stranger)
      continue;
    unsigned d = name_distance(pith_i_sym(names, stranger),
                               pith_i_sym(names, (pith_sym)s));
    if (d < least) {
      least = d;
      best = (pith_sym)s;
    }
  }
  return best;
}

static bool predicate_has_facts(const asker *q, pith_pred pred) {
  return pith_i_fact_count(q->store, pred, PITH_ALL) > 0;
}

/* The same name with another number of arguments counts as closest. */
static pith_pred like_pred(const asker *q, pith_pred pred) {
  const pith_i_names *names = &q->theory->names;
  const pith_i_symbol *name = pith_i_sym(names, pith_i_pred(names, pred)->name);
  pith_pred best = PITH_NONE;
  unsigned least = typo_tolerance(name) + 1;
  for (size_t i = PITH_BUILTINS; i < names->preds.n; i++) {
    pith_pred other = (pith_pred)i;
    if (other == pred || (!q->head[i] && !predicate_has_facts(q, other)))
      continue;
    unsigned d =
        name_distance(name, pith_i_sym(names, pith_i_pred(names, other)->name));
    if (d < least) {
      least = d;
      best = other;
    }
  }
  return best;
}

/* ---- the answer ------------------------------------------------------ */

static pith_status explain_failure(asker *q, const pith_atom *a, unsigned level,
                                   const pith_i_whynot **out);

static pith_status fill_failed_body(asker *q, const attempt *t, unsigned level,
                                    pith_i_whynot *w) {
  w->body = pith_i_arena_alloc(&q->proof->arena,
                               t->rule->body_len * sizeof *w->body + 1);
  if (w->body == NULL)
    return PITH_ENOMEM;
  pith_status rc = PITH_OK;
  for (uint32_t i = 0; rc >= 0 && i < t->rule->body_len; i++) {
    pith_i_whynot_atom *b = &w->body[i];
    *b = (pith_i_whynot_atom){.fails = t->out[i]};
    if (!fill_atom(q, t, &t->rule->body[i], &b->atom))
      return PITH_ENOMEM;
    if (b->fails && level < LEVELS && is_fact_atom(&b->atom) &&
        is_ground(&b->atom) && q->within++ < WITHIN)
      rc = explain_failure(q, &b->atom, level + 1, &b->why);
  }
  return rc;
}

/* A reason within a reason is left out when nothing in it holds and what fails
** is not even known in full. */
static bool says_nothing(const pith_i_whynot *w) {
  bool open = false;
  for (uint32_t i = 0; w->rule != NULL && i < w->rule->body_len; i++) {
    if (!w->body[i].fails)
      return false;
    open |= !is_ground(&w->body[i].atom);
  }
  return open;
}

/* Of a constant that is in no fact, once is said enough. */
static void note_strangers(asker *q, pith_i_whynot *w, unsigned level) {
  pith_pred pred = w->atom.pred;
  w->no_facts = !predicate_has_facts(q, pred);
  w->no_rules = !q->head[pred];
  w->stranger = w->like_stranger = w->like_pred = PITH_NONE;
  if (w->no_facts && w->no_rules)
    w->like_pred = like_pred(q, pred);
  for (uint32_t i = 0; level == 1 && i < w->atom.arity; i++)
    if (w->stranger == PITH_NONE && !q->seen[w->atom.args[i]])
      w->stranger = w->atom.args[i];
  if (w->stranger != PITH_NONE)
    w->like_stranger = like_symbol(q, w->stranger);
}

static pith_status explain_failure(asker *q, const pith_atom *a, unsigned level,
                                   const pith_i_whynot **out) {
  pith_i_whynot *w = pith_i_arena_alloc(&q->proof->arena, sizeof *w);
  if (w == NULL)
    return PITH_ENOMEM;
  *w = (pith_i_whynot){.atom = *a};
  note_strangers(q, w, level);
  attempt best = {0};
  pith_status rc = find_nearest(q, a, &best);
  w->rule = best.rule;
  w->no_head = best.rule == NULL && !w->no_rules;
  if (rc >= 0 && best.rule != NULL)
    rc = fill_failed_body(q, &best, level, w);
  if (rc >= 0 && level > 1 && says_nothing(w))
    w->rule = NULL;
  *out = w;
  return rc;
}

pith_status pith_i_whynot_find(pith_proof *proof, const pith_i_theory *theory,
                               pith_i_store *store) {
  asker q = {.proof = proof,
             .env = proof->env,
             .theory = theory,
             .store = store,
             .arena.env = proof->env};
  const pith_i_names *names = &theory->names;
  q.seen = pith_i_zalloc(q.env, names->symbols.n, sizeof *q.seen);
  q.head = pith_i_zalloc(q.env, names->preds.n, sizeof *q.head);
  pith_status rc = PITH_ENOMEM;
  if (q.seen != NULL && q.head != NULL) {
    see_all(&q);
    rc = explain_failure(&q, &proof->goal, 1, &proof->why);
  }
  pith_i_release(q.env, q.seen);
  pith_i_release(q.env, q.head);
  pith_i_arena_free(&q.arena);
  return rc;
}
