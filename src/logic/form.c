#include "logic/form.h"

#include <assert.h>
#include <string.h>

#include "term/compare.h"

/* While a form is made: what each variable turned out to be. */
typedef struct {
  pith_i_arena *arena;
  pith_i_form *f;
  pith_term *is; /* (var_count) itself, another variable or a constant */
} maker;

/* Each variable on the way is pointed further along it, so that later ways are
** short. */
static pith_term resolve_term(maker *m, pith_term t) {
  assert(!PITH_IS_VAR(t) || PITH_VAR_INDEX(t) < m->f->var_count);
  while (PITH_IS_VAR(t)) {
    pith_term *is = &m->is[PITH_VAR_INDEX(t)];
    if (*is == t)
      break;
    if (PITH_IS_VAR(*is))
      *is = m->is[PITH_VAR_INDEX(*is)];
    t = *is;
  }
  return t;
}

static void identify_terms(maker *m, pith_term a, pith_term b) {
  a = resolve_term(m, a);
  b = resolve_term(m, b);
  if (a == b)
    return;
  if (PITH_IS_VAR(a))
    m->is[PITH_VAR_INDEX(a)] = b;
  else if (PITH_IS_VAR(b))
    m->is[PITH_VAR_INDEX(b)] = a;
  else
    m->f->never = true;
}

static uint32_t reg_of(maker *m, pith_term t) {
  t = resolve_term(m, t);
  if (PITH_IS_VAR(t))
    return PITH_VAR_INDEX(t);
  m->f->constants[m->f->reg_count - m->f->var_count] = t;
  return m->f->reg_count++;
}

static bool make_atom(maker *m, const pith_atom *a, uint32_t place,
                      pith_i_form_atom *out) {
  assert(m->f->reg_count >= m->f->var_count);
  uint32_t *regs = pith_i_arena_alloc(m->arena, a->arity * sizeof *regs);
  if (regs == NULL)
    return false;
  for (uint32_t i = 0; i < a->arity; i++)
    regs[i] = reg_of(m, a->args[i]);
  *out = (pith_i_form_atom){a->pred, a->arity, regs, place};
  return true;
}

/* What is decided without facts is decided here. */
static void make_test(maker *m, const pith_atom *a) {
  assert(a->arity == 2 && !a->negated);
  pith_term left = resolve_term(m, a->args[0]);
  pith_term right = resolve_term(m, a->args[1]);
  if (PITH_IS_VAR(left) || PITH_IS_VAR(right)) {
    if (left == right && a->pred == PITH_DIFFERENT)
      m->f->never = true;
    else
      m->f->tests[m->f->test_count++] =
          (pith_i_form_test){a->pred, reg_of(m, left), reg_of(m, right)};
  } else if (!pith_i_builtin_holds(m->f->names, a->pred, left, right)) {
    m->f->never = true;
  }
}

static bool make_body(maker *m) {
  const pith_rule *rule = m->f->rule;
  pith_i_form *f = m->f;
  for (uint32_t i = 0; i < rule->body_len; i++) {
    const pith_atom *a = &rule->body[i];
    if (a->pred == PITH_EQUAL)
      continue;
    if (pith_i_is_builtin(a->pred))
      make_test(m, a);
    else if (!make_atom(m, a, i,
                        a->negated ? &f->negatives[f->negative_count++]
                                   : &f->atoms[f->atom_count++]))
      return false;
  }
  return true;
}

/* ---- variables of one negated atom ----------------------------------- */

enum { NOWHERE, ONE_NEGATED, ELSEWHERE };

/* Notes the places of an atom in where (var_count) and, for a negated atom,
** by which one in who. */
static void note_registers(const pith_i_form *f, const pith_i_form_atom *a,
                           uint32_t negated, uint8_t *where, uint32_t *who) {
  for (uint32_t i = 0; i < a->arity; i++) {
    uint32_t reg = a->regs[i];
    if (pith_i_is_constant(f, reg))
      continue;
    bool first = where[reg] == NOWHERE || who[reg] == negated;
    where[reg] = negated != PITH_NONE && first ? ONE_NEGATED : ELSEWHERE;
    who[reg] = negated;
  }
}

static void note_test_register(const pith_i_form *f, uint32_t reg,
                               uint8_t *where) {
  if (!pith_i_is_constant(f, reg))
    where[reg] = ELSEWHERE;
}

static bool find_local(maker *m) {
  pith_i_form *f = m->f;
  uint8_t *where = pith_i_arena_alloc(m->arena, f->var_count + 1);
  uint32_t *who = pith_i_arena_alloc(m->arena, f->var_count * sizeof *who);
  if (where == NULL || who == NULL)
    return false;
  memset(where, NOWHERE, f->var_count + 1);
  for (uint32_t i = 0; i < f->negative_count; i++)
    note_registers(f, &f->negatives[i], i, where, who);
  note_registers(f, &f->head, PITH_NONE, where, who);
  for (uint32_t i = 0; i < f->atom_count; i++)
    note_registers(f, &f->atoms[i], PITH_NONE, where, who);
  for (uint32_t i = 0; i < f->test_count; i++) {
    note_test_register(f, f->tests[i].left, where);
    note_test_register(f, f->tests[i].right, where);
  }
  for (uint32_t r = 0; r < f->var_count; r++)
    f->local[r] = where[r] == ONE_NEGATED;
  return true;
}

/* At most this many constants: one for each argument and each variable. */
static size_t count_terms(const pith_rule *rule) {
  size_t n = rule->head.arity + (size_t)rule->var_count;
  for (uint32_t i = 0; i < rule->body_len; i++)
    n += rule->body[i].arity;
  return n;
}

static bool make_form_room(maker *m) {
  pith_i_form *f = m->f;
  pith_i_arena *a = m->arena;
  uint32_t body = f->rule->body_len, vars = f->rule->var_count;
  f->atoms = pith_i_arena_alloc(a, body * sizeof *f->atoms);
  f->negatives = pith_i_arena_alloc(a, body * sizeof *f->negatives);
  f->tests = pith_i_arena_alloc(a, body * sizeof *f->tests);
  f->constants =
      pith_i_arena_alloc(a, count_terms(f->rule) * sizeof *f->constants);
  f->reg_of = pith_i_arena_alloc(a, vars * sizeof *f->reg_of);
  f->local = pith_i_arena_alloc(a, vars * sizeof *f->local);
  m->is = pith_i_arena_alloc(a, vars * sizeof *m->is);
  return f->atoms != NULL && f->negatives != NULL && f->tests != NULL &&
         f->constants != NULL && f->reg_of != NULL && f->local != NULL &&
         m->is != NULL;
}

pith_i_form *pith_i_form_new(pith_i_arena *arena, const pith_i_names *names,
                             const pith_rule *rule) {
  maker m = {.arena = arena, .f = pith_i_arena_alloc(arena, sizeof *m.f)};
  if (m.f == NULL)
    return NULL;
  *m.f = (pith_i_form){.rule = rule,
                       .names = names,
                       .var_count = rule->var_count,
                       .reg_count = rule->var_count};
  if (!make_form_room(&m))
    return NULL;
  for (uint32_t i = 0; i < rule->var_count; i++)
    m.is[i] = PITH_VAR(i);
  for (uint32_t i = 0; i < rule->body_len; i++)
    if (rule->body[i].pred == PITH_EQUAL)
      identify_terms(&m, rule->body[i].args[0], rule->body[i].args[1]);
  if (!make_atom(&m, &rule->head, PITH_NONE, &m.f->head) || !make_body(&m))
    return NULL;
  for (uint32_t i = 0; i < rule->var_count; i++)
    m.f->reg_of[i] = reg_of(&m, PITH_VAR(i));
  memset(m.f->local, 0, rule->var_count * sizeof *m.f->local);
  return m.f->negative_count == 0 || find_local(&m) ? m.f : NULL;
}

/* ---- chains ---------------------------------------------------------- */

static bool is_pair(const pith_i_form *f, const pith_i_form_atom *a) {
  return a->arity == 2 && a->regs[0] != a->regs[1] &&
         !pith_i_is_constant(f, a->regs[0]) &&
         !pith_i_is_constant(f, a->regs[1]);
}

/* The only atom with this register that is not yet used, or PITH_NONE when
** there is none or more than one. */
static uint32_t only_atom(const pith_i_form *f, const uint32_t *used,
                          uint32_t reg) {
  uint32_t found = PITH_NONE;
  for (uint32_t i = 0; i < f->atom_count; i++) {
    if (used[i] || (f->atoms[i].regs[0] != reg && f->atoms[i].regs[1] != reg))
      continue;
    if (found != PITH_NONE)
      return PITH_NONE;
    found = i;
  }
  return found;
}

bool pith_i_form_chain(const pith_i_form *f, pith_i_link *links,
                       uint32_t *scratch) {
  assert(f->head.arity != 2 || f->head.regs != NULL);
  enum { LONGEST = 64 }; /* more would be searched in vain */
  uint32_t n = f->atom_count, *used = scratch;
  bool fits = !f->never && f->test_count == 0 && f->negative_count == 0 &&
              n > 0 && n <= LONGEST && is_pair(f, &f->head);
  for (uint32_t i = 0; fits && i < n; i++)
    fits = is_pair(f, &f->atoms[i]);
  if (!fits)
    return false;
  memset(used, 0, n * sizeof *used);
  uint32_t at = f->head.regs[0];
  for (uint32_t i = 0; i < n; i++) {
    uint32_t next = only_atom(f, used, at);
    if (next == PITH_NONE)
      return false;
    const pith_i_form_atom *a = &f->atoms[next];
    used[next] = 1;
    links[i] = (pith_i_link){a->pred, a->regs[1] == at};
    at = a->regs[links[i].inverse ? 0 : 1];
    if (at == f->head.regs[1] && i + 1 < n)
      return false;
  }
  return at == f->head.regs[1];
}
