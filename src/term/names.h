/* Symbols and predicates as small numbers: equality is one comparison, and a
** table over them is a plain array. A symbol is a text and a kind; a
** predicate is a symbol and an arity. Neither is ever removed. */
#ifndef PITH_TERM_NAMES_H
#define PITH_TERM_NAMES_H

#include <assert.h>

#include "base/hash.h"
#include "base/tuples.h"
#include "base/vec.h"

typedef struct {
  const char *text; /* NUL-ended */
  uint32_t len;
  uint8_t kind;  /* pith_sym_kind                  */
  uint8_t order; /* pith_order                     */
  double value;  /* its place in it; see compare.h   */
} pith_i_symbol;

typedef struct {
  pith_sym name;
  uint32_t arity;
  unsigned roles;   /* pith_role flags                                  */
  pith_sym *types;  /* (arity) PITH_NONE where not given; NULL: none    */
  char *directions; /* (arity) 'i', 'o' or 0; NULL: none                */
  pith_sym file;    /* where it was first used, or PITH_NONE            */
  uint32_t line;
} pith_i_predicate;

typedef struct {
  uint32_t hash;
  pith_sym sym; /* PITH_NONE: empty */
} pith_i_name_slot;

typedef struct {
  pith_i_env *env;
  pith_i_arena arena;
  PITH_I_VEC(pith_i_symbol) symbols;
  pith_i_name_slot *slots;
  size_t slot_count;
  PITH_I_VEC(pith_i_predicate) preds;
  pith_i_tuples pred_set;      /* rows (name, arity); row number = predicate */
  pith_i_tuples by_name;       /* rows (name) of all predicates */
  PITH_I_VEC(pith_pred) first; /* row of by_name -> first predicate so named */
} pith_i_names;

/* Starts with the builtin predicates. */
pith_status pith_i_names_init(pith_i_names *names, pith_i_env *env);
void pith_i_names_free(pith_i_names *names);

/* As pith_sym_add, for text known to be valid; a number in any spelling. */
pith_status pith_i_sym_add(pith_i_names *names, const char *text, size_t n,
                           pith_sym_kind kind, pith_sym *out);
/* The same in two steps, for those who have many to add: text is spelled as
** it is kept, and while one is looked up the places of the next can be on
** their way into the cache. */
static inline uint32_t pith_i_sym_hash(const pith_i_names *names,
                                       const char *text, size_t n,
                                       pith_sym_kind kind) {
  return (uint32_t)pith_i_hash_keyed(&names->env->key, text, n) +
         (uint32_t)kind;
}
pith_status pith_i_sym_add_hashed(pith_i_names *names, const char *text,
                                  size_t n, pith_sym_kind kind, uint32_t hash,
                                  pith_sym *out);

pith_sym pith_i_sym_find(const pith_i_names *names, const char *text, size_t n,
                         pith_sym_kind kind);

pith_status pith_i_pred_add(pith_i_names *names, pith_sym name, size_t arity,
                            pith_pred *out);
pith_pred pith_i_pred_find(const pith_i_names *names, pith_sym name,
                           size_t arity);
/* The first predicate with this name, whatever its arity, or PITH_NONE. */
pith_pred pith_i_pred_named(const pith_i_names *names, pith_sym name);

enum { PITH_I_INVENTED_TEXT = 480 }; /* bytes of a name, with the end */

/* A predicate that was not there: by this name, or with a number behind it. */
pith_status pith_i_pred_invent(pith_i_names *names, const char *text,
                               size_t arity, pith_pred *out);

/* Predicates that are evaluated rather than looked up among the facts. */
static inline bool pith_i_is_builtin(pith_pred pred) {
  return PITH_IS_BUILTIN(pred);
}

static inline const pith_i_symbol *pith_i_sym(const pith_i_names *names,
                                              pith_sym s) {
  assert(s < names->symbols.n);
  return &names->symbols.at[s];
}
static inline pith_i_predicate *pith_i_pred(const pith_i_names *names,
                                            pith_pred p) {
  assert(p < names->preds.n);
  return &names->preds.at[p];
}
static inline const char *pith_i_pred_text(const pith_i_names *names,
                                           pith_pred p) {
  return pith_i_sym(names, pith_i_pred(names, p)->name)->text;
}

#endif
