/* Rules proposed by counting: mine what the observations bear out, choose the
** rules that make the shortest description, and offer them to the compressor.
** Where there are many facts, rules are mined and chosen on a sample and then
** checked on everything. */
#ifndef PITH_COMPRESS_PROPOSE_RULES_H
#define PITH_COMPRESS_PROPOSE_RULES_H

#include "compress/choose_rules.h"
#include "compress/complete_theory.h"

/* One search, from shapes to chosen rules. */
typedef struct {
  pith_i_compressor *c;
  const pith_i_observations *w;     /* all of them */
  pith_i_observations sample;       /* or nothing */
  const pith_i_observations *small; /* the sample, or all */
  pith_i_mined_rules list;
  pith_i_arena arena;
  pith_i_shapes shapes;
  uint32_t *copies; /* (shapes) rules of each at most; 0: any number */
  bool *dead;       /* (list) wrong outside the sample */
  bool *active;     /* (list) chosen; NULL: not yet */
  bool *open;       /* (facts of small) what a further rule could save */
  uint32_t max_body;
  uint32_t rounds; /* of throwing the choice over */
  double bits;     /* of the choice, among small */
  bool invents;    /* w has invented predicates */
  double wrong;    /* share of a head's facts that may be too many */
} pith_i_rule_search;

/* Borrows both; for rules of up to max_body atoms. The end frees also after a
** failed beginning. */
pith_status pith_i_rule_search_begin(pith_i_rule_search *s,
                                     pith_i_compressor *c,
                                     const pith_i_observations *w,
                                     uint32_t max_body);
void pith_i_rule_search_end(pith_i_rule_search *s);

/* Mines rules and chooses among them; wrong and confidence are those of
** pith_i_mining_options. PITH_STOPPED: active is the best choice so far. */
pith_status pith_i_mine_and_choose(pith_i_rule_search *s, double wrong,
                                   double confidence);

/* Goes on with rules that have constants, comparisons and absences
** (aspects.h), as far as they could save something; *changed: some were chosen.
** Where there are templates, nothing is added. */
pith_status pith_i_widen_choice(pith_i_rule_search *s, double confidence,
                                bool *changed);

/* The smallest body to begin with; the largest is an option. With templates all
** sizes are one. */
uint32_t pith_i_least_body(const pith_i_compressor *c);

/* Proposes rules over the observed predicates; over those and predicates that
** invent.h makes up. PITH_STOPPED, PITH_ENOMEM */
pith_status pith_i_propose_rules(pith_i_compressor *c);
pith_status pith_i_propose_invented(pith_i_compressor *c);

/* Offers a proposal from elsewhere: rules that are wrong are left out, and of
** the others those are kept that pay. Invented predicates must have been added
** to the theory's names.
**   PITH_STOPPED  time is up: it was not looked at; PITH_ENOMEM */
pith_status pith_i_compress_offer(pith_i_compressor *c,
                                  const pith_i_proposal *p);

#endif
