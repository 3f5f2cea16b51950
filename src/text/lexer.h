/* Tokens of Prolog text. One token is looked at, at a time; names, variables
** and numbers point into the source, and only a quoted name with escapes in
** it is copied, into a buffer that the next token reuses. A lexical error is
** reported here, where its place is known, and comes out as a token too. */
#ifndef PITH_TEXT_LEXER_H
#define PITH_TEXT_LEXER_H

#include "text/remark.h"
#include "text/unpack.h"

typedef enum {
  PITH_I_EOF,
  PITH_I_STOP,       /* the full stop                              */
  PITH_I_PLAIN_NAME, /* abc                                        */
  PITH_I_QUOTED,     /* 'a b', without quotes and escapes          */
  PITH_I_VARIABLE,   /* X, _y, _                                   */
  PITH_I_NUMBER,     /* 12, 1.5, 1.0e9; a sign is a token before it */
  PITH_I_STRING,     /* "..." or `...`                             */
  PITH_I_SLOT,       /* #12; text is the digits                    */
  PITH_I_PUNCT,      /* one of ( ) [ ] { } , | ; !                 */
  PITH_I_OPERATOR,   /* a run of symbol characters                 */
  PITH_I_BAD         /* reported; the clause is lost               */
} pith_i_token_kind;

typedef struct {
  pith_i_token_kind kind;
  size_t at, end;   /* place in the source */
  const char *text; /* (n), not NUL-ended  */
  size_t n;
  bool call;      /* an opening parenthesis follows at once       */
  bool new_line;  /* first on its line                            */
  bool lost_line; /* BAD: the next token starts a clause, perhaps */
} pith_i_token;

typedef struct {
  pith_i_lines *lines;
  pith_i_remarks *remarks;
  const char *text; /* lines->text */
  size_t at;        /* where the next token is looked for */
  size_t last_end;  /* where the token before this one ended */
  pith_i_token token;
  pith_i_text_buffer buffer;
  pith_status status; /* PITH_ENOMEM or PITH_ELIMIT, once and for all */
} pith_i_lexer;

void pith_i_lexer_init(pith_i_lexer *x, pith_i_lines *lines,
                       pith_i_remarks *remarks);
void pith_i_lexer_free(pith_i_lexer *x);

/* Reads the next token into x->token. After memory was refused: EOF. */
void pith_i_lexer_next(pith_i_lexer *x);

/* Skips to the end of the clause, after an error in it: to a full stop that
** white space or the end follows, or to where a quote was not closed before
** its line ended. */
void pith_i_lexer_recover(pith_i_lexer *x);

/* Whether the token is this operator, punctuation or unquoted name. */
bool pith_i_token_is(const pith_i_token *t, const char *text);

/* Whether text is a variable: X, _y, _. */
bool pith_i_is_variable(const char *text);

/* Reports an error at offset; false, so that a failure is one line. */
#define pith_i_lexer_error(...) (pith_i_lexer_report(__VA_ARGS__), false)
void pith_i_lexer_report(pith_i_lexer *x, size_t offset, const char *format,
                         ...) PITH_PRINTF(3, 4);
void pith_i_lexer_warn(pith_i_lexer *x, size_t offset, const char *format, ...)
    PITH_PRINTF(3, 4);

/* The classes of ASCII characters; 0 for all others. */
enum {
  PITH_I_SPACE = 1,
  PITH_I_LOWER = 2,
  PITH_I_UPPER = 4, /* and the underscore */
  PITH_I_DIGIT = 8,
  PITH_I_SYMBOL = 16,
  PITH_I_ALNUM = PITH_I_LOWER | PITH_I_UPPER | PITH_I_DIGIT
};
extern const unsigned char pith_i_class[256];

static inline bool pith_i_is(char c, int class) {
  return (pith_i_class[(unsigned char)c] & class) != 0;
}

#endif
