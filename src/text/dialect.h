/* How dialects of Prolog differ from it: hooks that the reader of Prolog asks
** before it goes its own way. */
#ifndef PITH_TEXT_DIALECT_H
#define PITH_TEXT_DIALECT_H

#include "text/parser.h"

typedef enum {
  PITH_I_NOT_MINE, /* as Prolog has it                               */
  PITH_I_TAKEN,    /* it was read                                    */
  PITH_I_REFUSED,  /* it is in error, which was reported             */
  PITH_I_POSITIVE, /* a fact: a positive example                     */
  PITH_I_NEGATIVE  /* a fact: a negative example                     */
} pith_i_answer;

/* Hooks may be NULL. */
typedef struct {
  /* A clause at lex.at, behind white space and comments; no token of it was
  ** read. TAKEN: lex.at is behind it. */
  pith_i_answer (*clause)(void *ctx, pith_i_parser *p);
  /* A directive; the token is the first behind :-. TAKEN: the rest of it is
  ** skipped. */
  pith_i_answer (*directive)(void *ctx, pith_i_parser *p);
  /* A ground fact, which is the first draft; probability: 0 for none. */
  pith_i_answer (*fact)(void *ctx, pith_i_parser *p, double probability);
  bool asks_all;       /* all facts, also plain ones, go to the hooks */
  bool has_inequality; /* X != Y is X \= Y                            */
  bool has_strings;    /* "text" is the name of its text              */
  void *ctx;
} pith_i_dialect;

pith_status pith_i_read_dialect(const pith_i_input *in,
                                const pith_i_dialect *dialect);

/* Behind white space and comments; n where the text ends. */
size_t pith_i_skip_layout(const char *text, size_t at);

/* The place behind the full stop of the clause at `at`, or the text's end. */
size_t pith_i_clause_end(const char *text, size_t at);

/* Whether the word stands at s, and no longer one. */
bool pith_i_starts_word(const char *s, const char *word);

#endif
