/* What the readers of clauses share: terms, argument lists, and a clause
** under way. A clause is collected as a draft, atoms and arguments in two
** arrays that are reused from clause to clause, and becomes a rule only when
** all of it was read and found right; so an error leaves nothing behind. */
#ifndef PITH_TEXT_PARSER_H
#define PITH_TEXT_PARSER_H

#include "base/tuples.h"
#include "term/theory.h"
#include "text/lexer.h"

/* What a reader is given. text/ does not know where facts are kept. */
typedef struct {
  pith_i_theory *theory;
  pith_i_remarks *remarks;
  pith_i_lines *lines;
  pith_status (*fact)(void *ctx, pith_pred pred, uint32_t arity,
                      const pith_sym *args);
  /* A fact that will come soon: its place may be looked for ahead. */
  void (*expect)(void *ctx, pith_pred pred, const pith_sym *args);
  void *fact_ctx;
  /* The next part of lines, 1, where the text comes part by part; or 0, or a
  ** failure. NULL: lines are all. */
  pith_status (*more)(void *ctx);
  void *more_ctx;
  const pith_read_options *opt; /* never NULL in a reader of whole texts   */
  const char *path;             /* of the file, or the name of the text    */
  char *summary;                /* (PITH_I_SUMMARY) what was made of it    */
} pith_i_input;

typedef struct {
  uint32_t pred;  /* PITH_NONE until known; in a template the slot */
  pith_sym name;  /* of the predicate, or PITH_NONE                */
  uint32_t first; /* of its arguments                              */
  uint32_t arity;
  size_t at;
  bool negated;
} pith_i_atom_draft;

typedef struct {
  pith_sym name;
  uint32_t uses;
  size_t at; /* of the first */
} pith_i_variable;

typedef struct {
  pith_i_lexer lex;
  const pith_i_input *in;
  pith_sym file;
  PITH_I_VEC(pith_i_atom_draft) drafts; /* the head first */
  PITH_I_VEC(pith_term) args;
  PITH_I_VEC(pith_i_variable) vars;
  pith_i_tuples late_vars;        /* the names of those after the first few */
  PITH_I_VEC(pith_atom) atoms;    /* built from drafts */
  PITH_I_VEC(pith_sym) var_names; /* built from vars */
  PITH_I_VEC(pith_sym) parts;     /* of compound terms under way */
  unsigned depth;                 /* how deep in compound terms  */
  pith_sym (*replace)(void *ctx, pith_sym name); /* or NULL: of constants */
  void *replace_ctx;
  bool has_inequality; /* != is \\=, in some dialects  */
  bool has_strings;    /* "text" is a name, likewise  */
  bool ended;          /* the full stop was reached; an error loses no more */
  bool resume;         /* after an error: the token starts the next clause */
  unsigned constant_preds; /* bias.pl: what constants say of predicates */
} pith_i_parser;

pith_status pith_i_parser_init(pith_i_parser *p, const pith_i_input *in);

/* Frees the parser and tells how it went: PITH_OK; PITH_EINPUT, more errors
** than at the start; PITH_ENOMEM. */
pith_status pith_i_parser_end(pith_i_parser *p, size_t errors);

/* Each bool below is false after an error, which has been reported. Each
** reads from the token on, and leaves the first token that it did not use. */

/* Forgets the clause under way. */
void pith_i_parser_clear(pith_i_parser *p);

/* Goes to where the next clause may start, after an error. */
void pith_i_parser_recover(pith_i_parser *p);

/* Interns the token's text. */
bool pith_i_parse_name(pith_i_parser *p, pith_sym_kind kind, pith_sym *out);

/* A constant or a variable; a compound term without variables is a constant. */
bool pith_i_parse_term(pith_i_parser *p, pith_term *out);

/* The variable of this name in the clause, which is new or not. */
bool pith_i_parse_variable(pith_i_parser *p, const char *text, size_t n,
                           size_t at, pith_term *out);

/* The arguments of the last draft, if it has any: the token before this one
** was its name, and call says whether a parenthesis followed. */
bool pith_i_parse_args(pith_i_parser *p, bool call);

/* Starts an atom at the token. */
bool pith_i_draft_add(pith_i_parser *p, pith_sym name, size_t at);

/* Adds an argument to the last draft. */
bool pith_i_parse_push(pith_i_parser *p, pith_term term);

/* left = right, left < right and so on, left having been read; the token is the
** operator. */
bool pith_i_parse_comparison(pith_i_parser *p, pith_term left, size_t at);

/* The token cannot stand here: the message for what it is, or that `expected`
** was. */
bool pith_i_parse_refuse(pith_i_parser *p, const char *expected);

/* The full stop; or, where the line or the text ends without one, the message
** that it is missing. */
bool pith_i_parse_stop(pith_i_parser *p, const char *expected);

/* The predicate name/arity as used at a place: the first place is recorded. One
** name with two arities is two predicates. */
bool pith_i_predicate_use(pith_i_parser *p, pith_sym name, size_t arity,
                          size_t at, pith_pred *out);

/* The same for a fact: what the language defines itself is an error. */
bool pith_i_predicate_define(pith_i_parser *p, pith_sym name, size_t arity,
                             size_t at, pith_pred *out);

/* The same for a declaration about the data: an arity that the data does not
** have, where it has the name, is warned of. */
bool pith_i_predicate_declare(pith_i_parser *p, pith_sym name, size_t arity,
                              size_t at, pith_pred *out);

/* The drafts and variables as a rule, which lives until the next change. */
bool pith_i_parser_rule(pith_i_parser *p, pith_rule *out);

/* Whether all variables that must be are bound. rule: as the parser made it,
** but perhaps for its predicates. */
bool pith_i_parser_bound(pith_i_parser *p, const pith_rule *rule);

/* Records that memory was refused; false. */
static inline bool pith_i_parser_no_memory(pith_i_parser *p) {
  p->lex.status = PITH_ENOMEM;
  return false;
}

/* Whether another part of the text is in lines now. What was taken from the
** part before is gone. */
bool pith_i_parser_more(pith_i_parser *p);

/* The remark for a file in which nothing was found. */
void pith_i_parser_empty(pith_i_parser *p, const char *what);

/* Adds a constant that rules may name, unless it is there. */
bool pith_i_bias_constant(pith_i_parser *p, pith_i_constant c);

/* Whether a predicate's name means something else unless it is quoted. */
bool pith_i_is_reserved(const char *name, size_t n);

/* The readers. PITH_OK; PITH_EINPUT when something was in error, the rest
** having been added; PITH_ENOMEM. */
pith_status pith_i_read_prolog(const pith_i_input *in);
pith_status pith_i_read_templates(const pith_i_input *in);
pith_status pith_i_read_bias(const pith_i_input *in);
pith_status pith_i_read_triples(const pith_i_input *in);
pith_status pith_i_read_csv(const pith_i_input *in);
pith_status pith_i_read_json(const pith_i_input *in);
pith_status pith_i_read_ntriples(const pith_i_input *in);
pith_status pith_i_read_nquads(const pith_i_input *in);
pith_status pith_i_read_turtle(const pith_i_input *in);
pith_status pith_i_read_trig(const pith_i_input *in);
pith_status pith_i_read_sqlite(const pith_i_input *in);
pith_status pith_i_read_problog(const pith_i_input *in);
pith_status pith_i_read_clingo(const pith_i_input *in);
pith_status pith_i_read_amie(const pith_i_input *in);
pith_status pith_i_read_anyburl(const pith_i_input *in);
pith_status pith_i_read_aleph(const pith_i_input *in);
pith_status pith_i_read_metagol(const pith_i_input *in);

/* Reads one atom, perhaps with variables, into the arena. */
pith_status pith_i_read_atom(const pith_i_input *in, pith_i_arena *arena,
                             const pith_atom **out);

#endif
