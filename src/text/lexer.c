#include "text/lexer.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/run.h"
#include "base/utf8.h"
#include "text/letters.h"

#define S PITH_I_SPACE
#define L PITH_I_LOWER
#define U PITH_I_UPPER
#define D PITH_I_DIGIT
#define Y PITH_I_SYMBOL
const unsigned char pith_i_class[256] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, S, S, S, S, S, 0, 0, /* \t \n \v \f \r */
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    S, 0, 0, Y, Y, 0, Y, 0, 0, 0, Y, Y, 0, Y, Y, Y, /*  !"#$%&'()*+,-./ */
    D, D, D, D, D, D, D, D, D, D, Y, 0, Y, Y, Y, Y, /* 0123456789:;<=>? */
    Y, U, U, U, U, U, U, U, U, U, U, U, U, U, U, U, /* @ABCDEFGHIJKLMNO */
    U, U, U, U, U, U, U, U, U, U, U, 0, Y, 0, Y, U, /* PQRSTUVWXYZ[\]^_ */
    0, L, L, L, L, L, L, L, L, L, L, L, L, L, L, L, /* `abcdefghijklmno */
    L, L, L, L, L, L, L, L, L, L, L, 0, 0, 0, Y, 0, /* pqrstuvwxyz{|}~  */
};
#undef S
#undef L
#undef U
#undef D
#undef Y

void pith_i_lexer_init(pith_i_lexer *x, pith_i_lines *lines,
                       pith_i_remarks *remarks) {
  memset(x, 0, sizeof *x);
  x->lines = lines;
  x->remarks = remarks;
  x->text = lines->text;
}

void pith_i_lexer_free(pith_i_lexer *x) {
  pith_i_vec_free(x->remarks->env, &x->buffer);
}

bool pith_i_token_is(const pith_i_token *t, const char *text) {
  return (t->kind == PITH_I_OPERATOR || t->kind == PITH_I_PUNCT ||
          t->kind == PITH_I_PLAIN_NAME) &&
         strlen(text) == t->n && memcmp(t->text, text, t->n) == 0;
}

/* ---- remarks --------------------------------------------------------- */

static void add_remark(pith_i_lexer *x, pith_i_remark_kind kind, size_t offset,
                       const char *format, va_list args) {
  char message[640];
  vsnprintf(message, sizeof message, format, args);
  if (pith_i_remark_add(x->remarks, kind, x->lines, offset, "%s", message) < 0)
    x->status = PITH_ENOMEM;
}

void pith_i_lexer_report(pith_i_lexer *x, size_t offset, const char *format,
                         ...) {
  va_list args;
  va_start(args, format);
  add_remark(x, PITH_I_ERROR, offset, format, args);
  va_end(args);
}

void pith_i_lexer_warn(pith_i_lexer *x, size_t offset, const char *format,
                       ...) {
  va_list args;
  va_start(args, format);
  add_remark(x, PITH_I_WARNING, offset, format, args);
  va_end(args);
}

/* ---- layout ---------------------------------------------------------- */

static const char *skip_line(const char *s) {
  while (*s != '\n' && *s != '\0')
    s++;
  return s;
}

/* Past white space and comments; false when a comment does not end. */
static bool skip_layout(pith_i_lexer *x) {
  const char *s = x->text + x->at;
  for (;;) {
    while (pith_i_is(*s, PITH_I_SPACE)) {
      x->token.new_line |= *s == '\n';
      s++;
    }
    if (*s == '%') {
      s = skip_line(s);
    } else if (s[0] == '/' && s[1] == '*') {
      const char *end = strstr(s + 2, "*/");
      x->at = (size_t)(s - x->text);
      if (end == NULL)
        return false;
      x->token.new_line |= memchr(s, '\n', (size_t)(end - s)) != NULL;
      s = end + 2;
    } else {
      x->at = (size_t)(s - x->text);
      return true;
    }
  }
}

/* ---- quoted names and strings ---------------------------------------- */

/* Room for one more keeps the buffer there even for the empty name. */
static bool put_buffered(pith_i_lexer *x, const char *text, size_t n) {
  assert(text != NULL || n == 0);
  if (!pith_i_room(x->remarks->env, &x->buffer, n + 1)) {
    x->status = PITH_ENOMEM;
    return false;
  }
  memcpy(x->buffer.at + x->buffer.n, text, n);
  x->buffer.n += n;
  return true;
}

static int digit_value(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : 99;
}

/* The character with this code, from an escape that starts at `at`. */
static bool put_code(pith_i_lexer *x, size_t at, uint32_t code) {
  char bytes[4];
  size_t n = pith_i_utf8_put(code, bytes);
  if (code == 0 || n == 0)
    return pith_i_lexer_error(
        x, at,
        "an escape for a character that does not exist; expected a code "
        "from 1 to 10FFFF, no surrogate; correct the digits");
  return put_buffered(x, bytes, n);
}

/* \x41\ and \101\: digits of the base up to a backslash. */
static bool escape_digits(pith_i_lexer *x, size_t at, const char **s,
                          int base) {
  uint32_t code = 0;
  const char *from = *s;
  for (; digit_value(**s) < base; ++*s)
    if (code < 0x200000)
      code = code * (uint32_t)base + (uint32_t)digit_value(**s);
  if (*s == from || **s != '\\')
    return pith_i_lexer_error(
        x, at,
        "a numeric escape without its end; expected digits and then a "
        "backslash, as in \\x41\\; write \\\\ for a backslash itself");
  ++*s;
  return put_code(x, at, code);
}

/* \u0041 and \U00000041, as SWI-Prolog has them. */
static bool escape_fixed(pith_i_lexer *x, size_t at, const char **s,
                         size_t count) {
  uint32_t code = 0;
  for (size_t i = 0; i < count; i++, ++*s) {
    if (digit_value(**s) >= 16)
      return pith_i_lexer_error(x, at,
                                "an escape that is cut short; expected %zu "
                                "hexadecimal digits; add the missing ones",
                                count);
    code = code << 4 | (uint32_t)digit_value(**s);
  }
  return put_code(x, at, code);
}

/* *s is behind the backslash. */
static bool read_escape(pith_i_lexer *x, const char **s) {
  static const char letters[] = "abfnrtves\\'\"`";
  static const char meaning[] = "\a\b\f\n\r\t\v\x1b \\'\"`";
  size_t at = (size_t)(*s - x->text) - 1;
  char c = *(*s)++;
  const char *found = c == '\0' ? NULL : strchr(letters, c);
  if (found != NULL)
    return put_buffered(x, &meaning[found - letters], 1);
  if (c == '\n') /* a line goes on */
    return true;
  if (c == '\r' && **s == '\n') {
    ++*s;
    return true;
  }
  if (c == 'x')
    return escape_digits(x, at, s, 16);
  if (digit_value(c) < 8) {
    --*s;
    return escape_digits(x, at, s, 8);
  }
  if (c == 'u' || c == 'U')
    return escape_fixed(x, at, s, c == 'u' ? 4 : 8);
  --*s;
  return pith_i_lexer_error(
      x, at,
      "an unknown escape; expected one of \\n \\t \\\\ \\' \\x41\\ and the "
      "like; write \\\\ for a backslash itself");
}

/* Reports the quote at x->token.at and goes on behind the line. */
static void report_unclosed_quote(pith_i_lexer *x, char quote,
                                  const char *line_end) {
  pith_i_lexer_report(
      x, x->token.at,
      "an unbalanced quote; expected another %c before the line ends; close "
      "it, or write %c%c for a quote inside",
      quote, quote, quote);
  x->token.kind = PITH_I_BAD;
  x->token.lost_line = true;
  x->at = (size_t)(line_end - x->text);
}

/* The end of what is quoted, to go on behind an error in it. */
static const char *skip_quoted(const char *s, char quote) {
  for (; *s != '\0' && *s != '\n'; s++) {
    if ((*s == '\\' && s[1] != '\0') || (*s == quote && s[1] == quote))
      s++;
    else if (*s == quote)
      return s + 1;
  }
  return s;
}

static void finish_quoted(pith_i_lexer *x, const char *s) {
  x->token.text = x->buffer.at;
  x->token.n = x->buffer.n;
  x->at = (size_t)(s - x->text);
}

/* From the first escape or doubled quote on: into the buffer. */
static void quoted_slowly(pith_i_lexer *x, const char *s, char quote) {
  const char *from = x->text + x->token.at + 1;
  x->buffer.n = 0;
  bool ok = put_buffered(x, from, (size_t)(s - from));
  while (ok) {
    if (*s == quote && s[1] != quote) {
      finish_quoted(x, s + 1);
      return;
    }
    if (*s == '\0' || *s == '\n') {
      report_unclosed_quote(x, quote, s);
      return;
    }
    if (*s == quote) {
      ok = put_buffered(x, s, 1);
      s += 2;
    } else if (*s == '\\') {
      s++;
      ok = read_escape(x, &s);
    } else {
      ok = put_buffered(x, s++, 1);
    }
  }
  s = skip_quoted(s, quote);
  x->token.kind = PITH_I_BAD;
  x->token.lost_line = s[-1] != quote;
  x->at = (size_t)(s - x->text);
}

static void scan_quoted(pith_i_lexer *x, pith_i_token_kind kind) {
  assert(x->text[x->at] != 0);
  const char *s = x->text + x->at;
  char quote = *s++;
  const char *from = s;
  x->token.kind = kind;
  while (*s != quote && *s != '\\' && *s != '\n' && *s != '\0')
    s++;
  if (*s == '\\' || (*s == quote && s[1] == quote)) {
    quoted_slowly(x, s, quote);
  } else if (*s != quote) {
    report_unclosed_quote(x, quote, s);
  } else {
    x->token.text = from;
    x->token.n = (size_t)(s - from);
    x->at = (size_t)(s - x->text) + 1;
  }
}

/* ---- words and numbers ----------------------------------------------- */

/* Past letters, digits and underscores. */
static const char *skip_word(const char *s) {
  for (;;) {
    while (pith_i_is(*s, PITH_I_ALNUM))
      s++;
    if ((unsigned char)*s < 0x80)
      return s;
    uint32_t code = 0;
    size_t len = pith_i_utf8_next(s, 4, &code); /* valid: checked on loading */
    if (!pith_i_is_letter(code))
      return s;
    s += len;
  }
}

static void scan_word(pith_i_lexer *x, pith_i_token_kind kind, const char *s) {
  x->token.kind = kind;
  x->at = (size_t)(skip_word(s) - x->text);
}

bool pith_i_is_variable(const char *text) {
  uint32_t code = 0;
  if (!pith_i_is(text[0], PITH_I_UPPER) &&
      (pith_i_utf8_next(text, strlen(text), &code) == 0 ||
       !pith_i_is_capital(code)))
    return false;
  return *skip_word(text) == '\0';
}

static const char *skip_digits(const char *s) {
  while (pith_i_is(*s, PITH_I_DIGIT))
    s++;
  return s;
}

/* 1_000_000 as well. */
static const char *skip_grouped_digits(const char *s) {
  s = skip_digits(s);
  while (*s == '_' && pith_i_is(s[1], PITH_I_DIGIT))
    s = skip_digits(s + 1);
  return s;
}

/* 0x1F, 0o17 and 0b101 from the letter on; NULL: not such a number. */
static const char *skip_other_base(const char *s) {
  int base = *s == 'x' ? 16 : *s == 'o' ? 8 : *s == 'b' ? 2 : 0;
  if (base == 0 || digit_value(s[1]) >= base)
    return NULL; /* s may be the end of the text: nothing is behind it */
  do
    s++;
  while (digit_value(*s) < base);
  return s;
}

/* e9 and E-9 behind a number, if they are there. */
static const char *skip_exponent(const char *s) {
  if (*s != 'e' && *s != 'E')
    return s;
  const char *digits = s + 1 + (s[1] == '-' || s[1] == '+');
  return pith_i_is(*digits, PITH_I_DIGIT) ? skip_digits(digits) : s;
}

static bool continues_with(const char *s, const char *text) {
  return strncmp(s, text, strlen(text)) == 0;
}

/* x->at is behind the digits. */
static void bad_number(pith_i_lexer *x) {
  assert(x->at > x->token.at);
  const char *s = x->text + x->at;
  x->token.kind = PITH_I_BAD;
  if (*s == '\'') {
    pith_i_lexer_report(x, x->token.at,
                        "character codes are not supported; expected a decimal "
                        "number; write the number itself");
    s += s[1] == '\'' && s[2] == '\'' ? 2 : 1;
    x->at = (size_t)(skip_word(s) - x->text);
    return;
  }
  bool infinite = continues_with(s, "Inf") || continues_with(s, "NaN");
  x->at = (size_t)(skip_word(s) - x->text);
  pith_i_short shown =
      pith_i_shorten(x->text + x->token.at, x->at - x->token.at);
  if (infinite)
    pith_i_lexer_report(x, x->token.at,
                        "%s is not a finite number; expected one such as 12 or "
                        "1.5; write a name if it stands for a missing value",
                        shown.text);
  else
    pith_i_lexer_report(x, x->token.at,
                        "a number that runs into letters; expected a decimal "
                        "number such as 12, 1.5 or 1.0e9; quote it if it is a "
                        "name: '%s'",
                        shown.text);
}

static void scan_number(pith_i_lexer *x) {
  const char *from = x->text + x->at;
  const char *s = *from == '0' ? skip_other_base(from + 1) : NULL;
  if (s == NULL) {
    s = skip_grouped_digits(from);
    if (s[0] == '.' && pith_i_is(s[1], PITH_I_DIGIT))
      s = skip_grouped_digits(s + 1);
    s = skip_exponent(s);
  }
  x->token.kind = PITH_I_NUMBER;
  x->at = (size_t)(s - x->text);
  if (*s == '\'' || skip_word(s) != s)
    bad_number(x);
}

/* ---- everything else ------------------------------------------------- */

static void report_stray(pith_i_lexer *x, size_t len, uint32_t code) {
  if (code == 0xa0)
    pith_i_lexer_report(
        x, x->at,
        "a no-break space; expected a plain one; it often comes "
        "from copying out of a web page: replace it");
  else if (code >= 0x2018 && code <= 0x201f)
    pith_i_lexer_report(x, x->at,
                        "a typographic quote; expected the plain quote '; it "
                        "often comes from a word processor: replace it");
  else if (code < 0x20 || code == 0x7f)
    pith_i_lexer_report(x, x->at,
                        "an unexpected control character, 0x%02x; expected "
                        "text; remove it",
                        (unsigned)code);
  else
    pith_i_lexer_report(x, x->at,
                        "an unexpected character, %.*s; expected a name, a "
                        "variable or punctuation; quote it if it is part of a "
                        "name: '...'",
                        (int)len, x->text + x->at);
  x->token.kind = PITH_I_BAD;
  x->at += len > 0 ? len : 1; /* whatever it is, it is not met again */
}

static void outside_ascii(pith_i_lexer *x) {
  const char *s = x->text + x->at;
  uint32_t code = 0;
  size_t len = pith_i_utf8_next(s, 4, &code);
  if (!pith_i_is_letter(code))
    report_stray(x, len, code);
  else
    scan_word(x, pith_i_is_capital(code) ? PITH_I_VARIABLE : PITH_I_PLAIN_NAME,
              s);
}

static bool starts_other(const char *s) {
  return (s[0] == '#' && pith_i_is(s[1], PITH_I_DIGIT)) ||
         (s[0] == '/' && s[1] == '*');
}

/* A run of symbol characters, up to a slot or a comment; but a full stop
** stands alone. */
static void scan_symbols(pith_i_lexer *x) {
  const char *s = x->text + x->at;
  if (*s == '#' && pith_i_is(s[1], PITH_I_DIGIT)) {
    x->token.kind = PITH_I_SLOT;
    x->token.text = s + 1;
    const char *end = skip_digits(s + 1);
    x->token.n = (size_t)(end - s) - 1;
    x->at += x->token.n + 1;
    return;
  }
  if (*s == '.' && s[1] != '.') {
    x->token.kind = PITH_I_STOP;
    x->at++;
    return;
  }
  x->token.kind = PITH_I_OPERATOR;
  do
    s++;
  while (pith_i_is(*s, PITH_I_SYMBOL) && !starts_other(s));
  x->at = (size_t)(s - x->text);
}

static void scan_token(pith_i_lexer *x) {
  const char *s = x->text + x->at;
  unsigned char c = (unsigned char)*s;
  int class = pith_i_class[c];
  if (class == PITH_I_LOWER)
    scan_word(x, PITH_I_PLAIN_NAME, s);
  else if (class == PITH_I_UPPER)
    scan_word(x, PITH_I_VARIABLE, s);
  else if (class == PITH_I_DIGIT)
    scan_number(x);
  else if (c == '\'')
    scan_quoted(x, PITH_I_QUOTED);
  else if (class == PITH_I_SYMBOL || (c == '!' && s[1] == '='))
    scan_symbols(x);
  else if (c == '"' || c == '`')
    scan_quoted(x, PITH_I_STRING);
  else if (c >= 0x80)
    outside_ascii(x);
  else if (c != '\0' && strchr("()[]{},|;!", c) != NULL) {
    x->token.kind = PITH_I_PUNCT;
    x->at++;
  } else
    report_stray(x, 1, c);
}

void pith_i_lexer_next(pith_i_lexer *x) {
  assert(x->at <= x->lines->n);
  x->last_end = x->token.end;
  if (x->status >= 0)
    x->status = pith_i_call_poll_rarely(x->remarks->env);
  x->token = (pith_i_token){.new_line = x->at == 0};
  bool closed = x->status >= 0 && skip_layout(x);
  x->token.at = x->at;
  if (x->status < 0 || x->text[x->at] == '\0') {
    x->token.kind = PITH_I_EOF;
  } else if (!closed) {
    pith_i_lexer_report(
        x, x->at,
        "a comment that does not end; expected */; add it where "
        "the comment is to end");
    x->token.kind = PITH_I_BAD;
    x->at = x->lines->n;
  } else {
    scan_token(x);
  }
  x->token.end = x->at;
  if (x->status < 0)
    x->token.kind = PITH_I_EOF;
  if (x->token.text == NULL) {
    x->token.text = x->text + x->token.at;
    x->token.n = x->token.end - x->token.at;
  }
  x->token.call = x->text[x->at] == '(';
}

static bool ends_clause(const pith_i_lexer *x) {
  char c = x->text[x->token.end];
  return x->token.kind == PITH_I_STOP &&
         (c == '\0' || c == '%' || pith_i_is(c, PITH_I_SPACE));
}

void pith_i_lexer_recover(pith_i_lexer *x) {
  while (x->token.kind != PITH_I_EOF && !x->token.lost_line && !ends_clause(x))
    pith_i_lexer_next(x);
}
