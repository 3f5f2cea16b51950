/* Values of columns that were lately seen, and the constants that they became.
**
** A value is told by two words and a tag, so that one look into memory finds it
** again: its text need not be made, checked, hashed and compared with a name's.
** Each place keeps the last value that fell there. Where values fall depends on
** the handle's secret, so that nobody can make up those that share a place. */
#ifndef PITH_FACT_RECENT_VALUES_H
#define PITH_FACT_RECENT_VALUES_H

#include <assert.h>

#include "base/env.h"
#include "base/hash.h"
#include "pith.h"

typedef struct {
  uint64_t words[2];
  uint32_t tag; /* tells kinds of values apart; never 0 */
} pith_i_value_key;

typedef struct {
  uint64_t words[2];
  uint32_t tag; /* 0: an empty place */
  pith_sym sym;
} pith_i_recent_value;

typedef struct {
  pith_i_recent_value *at; /* (mask + 1), or NULL: nothing is kept */
  size_t mask;
  uint64_t secret;
} pith_i_recent_values;

/* For this many rows. False: no memory. */
bool pith_i_recent_new(pith_i_env *env, size_t rows, pith_i_recent_values *out);
void pith_i_recent_free(pith_i_env *env, pith_i_recent_values *r);

enum { PITH_I_SHORT_TEXT = 16 };

/* The key of a text of at most PITH_I_SHORT_TEXT bytes: words that overlap say
** all of it, together with its length, which is the tag less one. */
static inline pith_i_value_key pith_i_text_key(const char *text, size_t n) {
  assert(n <= PITH_I_SHORT_TEXT);
  pith_i_value_key key = {.tag = (uint32_t)n + 1};
  if (n >= 8) {
    memcpy(&key.words[0], text, 8);
    memcpy(&key.words[1], text + n - 8, 8);
  } else {
    key.words[0] = pith_i_last_bytes((const unsigned char *)text, n);
  }
  return key;
}

static inline pith_i_recent_value *
pith_i_recent_place(const pith_i_recent_values *r,
                    const pith_i_value_key *key) {
  assert(key->tag != 0);
  uint64_t h = pith_i_mix(pith_i_mix(r->secret + key->tag, key->words[0]),
                          key->words[1]);
  return &r->at[h & r->mask];
}

static inline bool pith_i_recent_holds(const pith_i_recent_value *place,
                                       const pith_i_value_key *key) {
  return place->tag == key->tag && place->words[0] == key->words[0] &&
         place->words[1] == key->words[1];
}

static inline void pith_i_recent_keep(pith_i_recent_value *place,
                                      const pith_i_value_key *key,
                                      pith_sym sym) {
  *place = (pith_i_recent_value){{key->words[0], key->words[1]}, key->tag, sym};
}

#endif
