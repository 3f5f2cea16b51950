/* Programs and tasks from bytes: each byte is a choice, so that a fuzzer
** changes a program by changing a byte, and every input is one that reads. */
#ifndef GRAMMAR_H
#define GRAMMAR_H

#include <stdbool.h>

#include "round.h"

enum { GRAMMAR_ROOM = 1 << 14, GRAMMAR_ARITY = 3 };

typedef struct {
  const uint8_t *data;
  size_t size, at;
  bool numbers;  /* some constants are numbers            */
  bool denies;   /* bodies may negate                     */
  uint32_t most; /* constants, at least one               */
  char text[GRAMMAR_ROOM];
  size_t n;
} grammar;

static const struct {
  const char *name;
  uint32_t arity;
} grammar_words[] = {{"e", 2}, {"f", 2}, {"p", 2}, {"q", 2},
                     {"u", 1}, {"v", 1}, {"t", 3}, {"z", 0}};
enum { GRAMMAR_WORDS = 8, GRAMMAR_TARGET = 2 };

static inline void grammar_start(grammar *g, const uint8_t *data, size_t size,
                                 uint32_t most) {
  memset(g, 0, sizeof *g);
  g->data = data;
  g->size = size;
  g->most = most;
}

/* A number below n; 0 where the input is at its end. */
static inline uint32_t grammar_pick(grammar *g, uint32_t n) {
  return g->at < g->size ? g->data[g->at++] % n : 0;
}

static inline bool grammar_more(const grammar *g) {
  return g->at < g->size && g->n < GRAMMAR_ROOM - 512;
}

static inline void grammar_put(grammar *g, const char *text) {
  size_t n = strlen(text);
  if (g->n + n >= sizeof g->text)
    abort();
  memcpy(g->text + g->n, text, n + 1);
  g->n += n;
}

static inline void grammar_constant(grammar *g) {
  uint32_t i = grammar_pick(g, g->most);
  char name[3] = {(char)('a' + i), '\0'};
  if (g->numbers && i % 2 == 1)
    name[0] = (char)('0' + i);
  grammar_put(g, name);
}

static inline void grammar_term(grammar *g, bool ground) {
  uint32_t i = ground ? 7 : grammar_pick(g, 8);
  char name[2] = {(char)('A' + i), '\0'};
  if (i < 4)
    grammar_put(g, name);
  else if (i < 6)
    grammar_put(g, i == 4 ? "A" : "B");
  else
    grammar_constant(g);
}

static inline void grammar_atom_of(grammar *g, uint32_t word, bool ground) {
  grammar_put(g, grammar_words[word].name);
  for (uint32_t i = 0; i < grammar_words[word].arity; i++) {
    grammar_put(g, i == 0 ? "(" : ",");
    grammar_term(g, ground);
  }
  if (grammar_words[word].arity > 0)
    grammar_put(g, ")");
}

static inline void grammar_fact(grammar *g, uint32_t words) {
  grammar_atom_of(g, grammar_pick(g, words), true);
  grammar_put(g, ".\n");
}

static inline void grammar_comparison(grammar *g) {
  static const char *const signs[] = {
      "<", "=<", ">", ">=", "=:=", "=\\=", "=", "\\="};
  grammar_term(g, false);
  grammar_put(g, signs[grammar_pick(g, 8)]);
  grammar_term(g, false);
}

static inline void grammar_rule(grammar *g) {
  uint32_t body = 1 + grammar_pick(g, 3);
  grammar_atom_of(g, grammar_pick(g, GRAMMAR_WORDS), false);
  for (uint32_t i = 0; i < body; i++) {
    uint32_t kind = grammar_pick(g, 6);
    grammar_put(g, i == 0 ? " :- " : ", ");
    if (kind == 5 && i > 0) {
      grammar_comparison(g);
      continue;
    }
    if (kind == 4 && g->denies)
      grammar_put(g, "\\+ ");
    grammar_atom_of(g, grammar_pick(g, GRAMMAR_WORDS), false);
  }
  grammar_put(g, ".\n");
}

/* Facts and rules; a rule that is not safe is left out when it is read. */
static inline void grammar_program(grammar *g) {
  uint32_t how = grammar_pick(g, 4);
  g->numbers = (how & 1) != 0;
  g->denies = (how & 2) != 0;
  while (grammar_more(g))
    if (grammar_pick(g, 3) == 0)
      grammar_rule(g);
    else
      grammar_fact(g, GRAMMAR_WORDS);
}

/* Facts of all words but the target, and examples of that. */
static inline void grammar_task(grammar *g) {
  g->numbers = grammar_pick(g, 2) != 0;
  while (grammar_more(g)) {
    uint32_t kind = grammar_pick(g, 4);
    if (kind < 2) {
      static const uint32_t known[] = {0, 1, 4, 5};
      grammar_atom_of(g, known[grammar_pick(g, 4)], true);
    } else {
      grammar_put(g, kind == 2 ? "pos(" : "neg(");
      grammar_atom_of(g, GRAMMAR_TARGET, true);
      grammar_put(g, ")");
    }
    grammar_put(g, ".\n");
  }
}

/* A handle with the text; what cannot be taken is left out. */
static inline pith *grammar_read(const grammar *g) {
  pith *p = round_handle();
  (void)pith_read_text(p, "input", g->text, g->n, PITH_PROLOG);
  return p;
}

#endif
