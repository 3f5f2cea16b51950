#include "task/shared_places.h"

#include <assert.h>
#include <string.h>

pith_status pith_i_places_init(pith_i_shared_places *p, pith_i_env *env,
                               uint32_t places, size_t constants) {
  *p = (pith_i_shared_places){.env = env,
                              .places = places,
                              .constants = constants,
                              .words = (places + 31) / 32};
  p->mark = pith_i_zalloc(env, constants * p->words + 1, sizeof *p->mark);
  return p->mark == NULL ? PITH_ENOMEM : PITH_OK;
}

void pith_i_places_free(pith_i_shared_places *p) {
  pith_i_release(p->env, p->mark);
  p->mark = NULL;
}

void pith_i_places_clear(pith_i_shared_places *p) {
  memset(p->mark, 0, p->constants * p->words * sizeof *p->mark);
}

void pith_i_places_add(pith_i_shared_places *p, uint32_t place,
                       const uint32_t *column, size_t n, size_t stride) {
  assert(place < p->places);
  uint32_t bit = UINT32_C(1) << place % 32;
  for (size_t i = 0; i < n; i++) {
    assert(column[i * stride] < p->constants);
    p->mark[column[i * stride] * p->words + place / 32] |= bit;
  }
}

static bool has_place(const uint32_t *set, uint32_t place) {
  return set[place / 32] >> place % 32 & 1;
}

void pith_i_places_meet(const pith_i_shared_places *p, uint8_t *meet) {
  for (size_t c = 0; c < p->constants; c++) {
    const uint32_t *set = p->mark + c * p->words;
    for (uint32_t a = 0; a < p->places; a++)
      if (has_place(set, a))
        for (size_t w = 0; w < p->words; w++)
          for (uint32_t left = set[w]; left != 0; left &= left - 1)
            meet[(size_t)a * p->places + 32 * w +
                 (uint32_t)__builtin_ctz(left)] = 1;
  }
}

uint32_t pith_i_places_kind(uint32_t *up, uint32_t place) {
  while (up[place] != place)
    place = up[place] = up[up[place]];
  return place;
}

void pith_i_places_join(const pith_i_shared_places *p, uint32_t *up) {
  for (size_t c = 0; c < p->constants; c++) {
    const uint32_t *set = p->mark + c * p->words;
    uint32_t first = PITH_NONE;
    for (uint32_t a = 0; a < p->places; a++) {
      if (!has_place(set, a))
        continue;
      if (first == PITH_NONE)
        first = a;
      up[pith_i_places_kind(up, a)] = pith_i_places_kind(up, first);
    }
  }
}
