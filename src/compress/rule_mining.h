/* Rules that the facts of a world bear out, found by counting. A shape is a
** template; each way to fill its body is matched once, and every predicate
** that holds of nearly all heads so found makes a rule. A filling is given up
** as soon as no predicate is left, so most cost a few matches. */
#ifndef PITH_COMPRESS_RULE_MINING_H
#define PITH_COMPRESS_RULE_MINING_H

#include "base/run.h"
#include "compress/aspects.h"

typedef struct {
  pith_rule *rule;
  uint32_t shape;                /* its number */
  uint64_t predictions, support; /* different heads; those that are facts */
  double surcharge; /* bits that it must save beyond its price: a rule that
                       names constants or denies something is one of very many,
                       and chance must not write rules */
  double saving;    /* of a rule over aspects: bits at most, less both */
} pith_i_mined_rule;

typedef PITH_I_VEC(pith_i_mined_rule) pith_i_mined_rules;

/* The shapes that are tried when there are no templates: those of bodies of up
** to max_body atoms; and the same size with a condition, X \= Y or X < Y. */
typedef PITH_I_VEC(pith_template *) pith_i_shapes;
pith_status pith_i_shapes_add(pith_i_arena *arena, pith_i_names *names,
                              uint32_t max_body, pith_i_shapes *out);
pith_status pith_i_shapes_add_conditions(pith_i_arena *arena,
                                         pith_i_names *names, uint32_t max_body,
                                         pith_i_shapes *out);

/* Where bodies and heads may be aspects too (aspects.h). */
typedef struct {
  const pith_i_aspects *aspects;
  pith_i_names *names; /* of new variables */
  bool required;       /* only rules with an aspect: the others are known */
  uint32_t max_body;   /* atoms of a rule written out, conditions aside */
  const bool *open; /* (facts) what a further rule could save: the core; rules
                       that save less than they cost are left out */
  double scale;     /* facts that each of these stands for */
  pith_i_vocabulary_size words;
} pith_i_mining_aspects;

typedef struct {
  double wrong;      /* share of a head's facts that may be too many */
  double confidence; /* share of its predictions that must be facts  */
  bool types;        /* leave out bodies whose places share no constant */
  uint64_t work;     /* matches, at most, in all */
  const pith_i_mining_aspects *with; /* or NULL */
  pith_i_run *run;
} pith_i_mining_options;

/* Adds the rules to out, shorter ones first. A rule that another one implies
** is left out. The rules live in the arena.
**   PITH_STOPPED  told to stop; out has what was found */
pith_status pith_i_rules_mine(const pith_i_observations *w, pith_i_arena *arena,
                              const pith_i_shapes *shapes,
                              const pith_i_mining_options *opt,
                              pith_i_mined_rules *out);

/* How many facts the rule derives in one step that are not in the world;
** counted up to most + 1. */
pith_status pith_i_rule_count_wrong(const pith_i_observations *w,
                                    const pith_rule *rule, uint64_t most,
                                    pith_i_run *run, uint64_t *wrong);

/* The different heads that the rule derives from the scene's facts, and how
** many of them are facts. */
pith_status pith_i_rule_count(const pith_i_observations *w,
                              const pith_rule *rule, uint64_t *predictions,
                              uint64_t *support);

/* Whether what b derives a derives too: a's body, its own variables renamed,
** is part of b's. The heads must be the same. */
bool pith_i_rule_implies(const pith_rule *a, const pith_rule *b);

#endif
