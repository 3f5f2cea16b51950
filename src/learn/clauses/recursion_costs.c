#include "learn/clauses/recursion_finder.h"

#include "base/tunables.h"
#include "learn/clauses/oddness.h"

/* Of a recursive rule with so many atoms before the next goal, at least. */
static uint64_t least_cost_of_rule(const pith_i_recursion_finder *f,
                                   uint32_t atoms, bool crossed) {
  return (uint64_t)PITH_I_COST * (2 + atoms) + 64 * (uint64_t)atoms +
         f->s->head + (crossed ? PITH_I_CROSSED : 0);
}

/* Of a base rule: an atom with a variable of the head. */
static uint64_t least_cost_of_base(void) {
  return 2 * PITH_I_COST + PITH_TUNE_CLAUSE_GIVEN_COST + 1;
}

uint64_t pith_i_recursion_least_cost(const pith_i_recursion_finder *f) {
  uint64_t turned = least_cost_of_rule(f, 0, true);
  uint64_t straight = least_cost_of_rule(f, 1, false) + 2;
  return least_cost_of_base() + (turned < straight ? turned : straight);
}

uint64_t pith_i_recursion_least_cost_beside(const pith_i_recursion_finder *f) {
  uint64_t filtered = PITH_I_COST + least_cost_of_base();
  uint64_t rule = pith_i_recursion_least_cost(f) - least_cost_of_base();
  return rule < filtered ? rule : filtered;
}

uint32_t pith_i_recursion_most_atoms(const pith_i_recursion_finder *f,
                                     bool crossed) {
  uint32_t n = 0;
  while (n < PITH_I_ATOMS &&
         least_cost_of_rule(f, n + 1, crossed) + least_cost_of_base() <
             f->limits->below)
    n++;
  return n;
}

uint32_t pith_i_recursion_most_base_atoms(const pith_i_recursion_finder *f) {
  uint64_t rule = least_cost_of_rule(f, 0, false);
  uint32_t n = 1;
  while (n < PITH_I_ATOMS &&
         rule + PITH_I_COST * (uint64_t)(n + 2) < f->limits->below)
    n++;
  return n;
}

uint64_t pith_i_recursion_least_rule_cost(const pith_i_recursion_finder *f,
                                          const pith_i_recursive_step *s,
                                          uint32_t atoms) {
  return least_cost_of_rule(f, atoms, s->crossed);
}

uint32_t pith_i_recursion_atoms_oddness(const pith_i_recursion_finder *f,
                                        const pith_i_lit *atoms, uint32_t n) {
  uint32_t odd = pith_i_backward_oddness(f->s, atoms, n);
  for (uint32_t i = 0; i < n; i++)
    odd += pith_i_oddness_of_atom(f->s, &atoms[i]);
  return odd;
}

uint64_t pith_i_recursion_rule_cost(const pith_i_recursion_finder *f,
                                    const pith_i_recursive_step *s,
                                    const pith_i_lit *atoms, uint32_t n) {
  pith_i_helpers h = {.n = 0};
  uint64_t cost = pith_i_recursion_least_rule_cost(f, s, 0) +
                  pith_i_cost_of_atoms(f->s, atoms, n, &h) +
                  pith_i_recursion_atoms_oddness(f, atoms, n);
  return cost + pith_i_cost_of_helpers(f->s, &h);
}
