#include "learn/bodies/space_table.h"

#include <assert.h>

#include "base/tunables.h"

/* ---- which spaces, in which order -------------------------------------- */

/* By the size of the largest theory that they hold, more or less: few rules
** of few atoms first, then larger bodies, then what has to be invented. */
typedef struct {
  uint8_t rules, atoms;
  uint8_t arity[2]; /* of what is invented; 0: nothing */
  enum { PLAIN, RECURSIVE, MUTUAL } use;
} space_entry;

static const space_entry space_table[] = {
    {1, 2, {0, 0}, PLAIN},     {1, 3, {0, 0}, PLAIN},
    {2, 2, {0, 0}, PLAIN},     {2, 2, {0, 0}, RECURSIVE},
    {2, 3, {0, 0}, PLAIN},     {2, 3, {0, 0}, RECURSIVE},
    {4, 2, {0, 0}, PLAIN},     {4, 2, {0, 0}, RECURSIVE},
    {2, 2, {1, 0}, MUTUAL},    {2, 2, {1, 1}, MUTUAL},
    {1, 2, {2, 0}, RECURSIVE}, {1, 4, {0, 0}, PLAIN},
    {2, 4, {0, 0}, RECURSIVE}, {4, 3, {0, 0}, PLAIN},
    {4, 3, {0, 0}, RECURSIVE}, {2, 2, {2, 0}, RECURSIVE},
    {3, 2, {1, 0}, MUTUAL},    {2, 2, {2, 0}, MUTUAL},
    {8, 2, {0, 0}, PLAIN},     {1, 2, {2, 2}, RECURSIVE},
    {2, 3, {2, 0}, RECURSIVE}, {2, 2, {2, 1}, MUTUAL},
    {2, 2, {2, 2}, RECURSIVE}, {2, 2, {2, 2}, MUTUAL},
    {8, 3, {0, 0}, PLAIN},     {4, 4, {0, 0}, RECURSIVE},
};
enum { SPACES = sizeof space_table / sizeof *space_table };

static uint32_t count_invented(const space_entry *e) {
  return (e->arity[0] > 0) + (e->arity[1] > 0);
}

static bool is_space_allowed(const pith_i_bounds *l, bool only_invented,
                             const space_entry *e) {
  uint32_t invented = count_invented(e);
  if (e->use != PLAIN && invented == 0 && !l->recursion)
    return false;
  if (invented > 0 ? !l->invention : only_invented)
    return false;
  if (e->use == MUTUAL && !l->recursion && e->arity[0] == 2)
    return false; /* the one without holds it too */
  /* The same space with recursion holds it too. */
  if (e->use == PLAIN && e->rules > 1 && l->recursion)
    return false;
  return (l->max_rules == 0 || e->rules + 2 * invented <= l->max_rules) &&
         (l->max_body == 0 || e->atoms <= l->max_body || e->atoms == 2) &&
         invented <= l->max_invented;
}

static uint32_t bounded_by_user(uint32_t n, uint32_t limit) {
  return limit != 0 && limit < n ? limit : n;
}

static pith_i_theory_space space_of(const pith_i_bounds *l,
                                    const space_entry *e) {
  assert(count_invented(e) <= PITH_I_MAX_INVENTED);
  return (pith_i_theory_space){
      .rules = e->rules,
      .atoms = bounded_by_user(e->atoms, l->max_body),
      .vars = l->max_vars != 0 ? l->max_vars : PITH_TUNE_BODY_DEFAULT_VARS,
      .invented = count_invented(e),
      .arity = {e->arity[0], e->arity[1]},
      .invented_rules = 2,
      .invented_atoms = bounded_by_user(2, l->max_body),
      .recursive = e->use != PLAIN && l->recursion,
      .mutual = e->use == MUTUAL && l->recursion};
}

bool pith_i_theory_space_at(const pith_i_bounds *bounds, bool only_invented,
                            uint32_t i, pith_i_theory_space *out) {
  for (size_t e = 0; e < SPACES; e++)
    if (is_space_allowed(bounds, only_invented, &space_table[e]) && i-- == 0) {
      *out = space_of(bounds, &space_table[e]);
      return true;
    }
  return false;
}
