#include "term/names.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "term/compare.h"
#include "term/number.h"

/* ---- symbols --------------------------------------------------------- */

static size_t probe_name_slots(const pith_i_names *names, uint32_t hash,
                               const char *text, size_t n, pith_sym_kind kind) {
  assert(names->slot_count > 0 &&
         (names->slot_count & (names->slot_count - 1)) == 0);
  size_t mask = names->slot_count - 1;
  size_t s = hash & mask;
  for (; names->slots[s].sym != PITH_NONE; s = (s + 1) & mask) {
    if (names->slots[s].hash != hash)
      continue;
    const pith_i_symbol *sym = pith_i_sym(names, names->slots[s].sym);
    if (sym->len == n && sym->kind == kind && memcmp(sym->text, text, n) == 0)
      break;
  }
  return s;
}

static bool grow_name_slots(pith_i_names *names) {
  size_t count = names->slot_count == 0 ? 64 : 2 * names->slot_count;
  pith_i_name_slot *slots = pith_i_alloc(names->env, count * sizeof *slots);
  if (slots == NULL)
    return false;
  memset(slots, 0xff, count * sizeof *slots);
  for (size_t i = 0; i < names->slot_count; i++) {
    if (names->slots[i].sym == PITH_NONE)
      continue;
    size_t s = names->slots[i].hash & (count - 1);
    while (slots[s].sym != PITH_NONE)
      s = (s + 1) & (count - 1);
    slots[s] = names->slots[i];
  }
  pith_i_release(names->env, names->slots);
  names->slots = slots;
  names->slot_count = count;
  return true;
}

pith_status pith_i_sym_add_hashed(pith_i_names *names, const char *text,
                                  size_t n, pith_sym_kind kind, uint32_t hash,
                                  pith_sym *out) {
  assert(hash == pith_i_sym_hash(names, text, n, kind));
  assert(pith_i_utf8_valid(text, n));
  if ((names->symbols.n + 1) * 2 > names->slot_count && !grow_name_slots(names))
    return PITH_ENOMEM;
  size_t s = probe_name_slots(names, hash, text, n, kind);
  if (names->slots[s].sym == PITH_NONE) {
    if (names->symbols.n >= UINT32_C(0x7fffffff) || n > UINT32_MAX)
      return pith_i_fail(names->env, PITH_ENOMEM, "too many or too long names");
    if (!pith_i_room(names->env, &names->symbols, 1))
      return PITH_ENOMEM;
    char *copy = pith_i_arena_text(&names->arena, text, n);
    if (copy == NULL)
      return PITH_ENOMEM;
    names->slots[s] = (pith_i_name_slot){hash, (pith_sym)names->symbols.n};
    pith_i_symbol *sym = &names->symbols.at[names->symbols.n++];
    *sym = (pith_i_symbol){
        .text = copy, .len = (uint32_t)n, .kind = (uint8_t)kind};
    sym->order = (uint8_t)pith_i_order_of(copy, n, kind, &sym->value);
  }
  *out = names->slots[s].sym;
  return PITH_OK;
}

static pith_status sym_add(pith_i_names *names, const char *text, size_t n,
                           pith_sym_kind kind, pith_sym *out) {
  uint32_t hash = pith_i_sym_hash(names, text, n, kind);
  return pith_i_sym_add_hashed(names, text, n, kind, hash, out);
}

enum { SHORT_NUMBER = 96 };

/* Numbers are looked up by their normal spelling. Short ones, nearly all, need
** no allocation. */
static char *normal_spelling(pith_i_names *names, const char *text, size_t *n,
                             char *small) {
  char *buffer = small;
  if (*n + PITH_I_NUMBER_ROOM > SHORT_NUMBER) {
    buffer = pith_i_alloc(names->env, *n + PITH_I_NUMBER_ROOM);
    if (buffer == NULL)
      return NULL;
  }
  *n = pith_i_number_normal(text, *n, buffer);
  return buffer;
}

static pith_status add_number(pith_i_names *names, const char *text, size_t n,
                              pith_sym *out) {
  char small[SHORT_NUMBER];
  char *number = normal_spelling(names, text, &n, small);
  if (number == NULL)
    return PITH_ENOMEM;
  pith_status rc;
  if (n == 0)
    rc = pith_i_fail(names->env, PITH_EARG, "not a number");
  else if (n == PITH_I_NUMBER_RANGE)
    rc = pith_i_fail(names->env, PITH_EARG, "a number out of range");
  else
    rc = sym_add(names, number, n, PITH_NUMBER, out);
  if (number != small)
    pith_i_release(names->env, number);
  return rc;
}

pith_status pith_i_sym_add(pith_i_names *names, const char *text, size_t n,
                           pith_sym_kind kind, pith_sym *out) {
  return kind == PITH_NUMBER ? add_number(names, text, n, out)
                             : sym_add(names, text, n, kind, out);
}

/* A lookup never allocates: a long number must be spelled as it is kept. */
pith_sym pith_i_sym_find(const pith_i_names *names, const char *text, size_t n,
                         pith_sym_kind kind) {
  char small[SHORT_NUMBER];
  if (names->slot_count == 0)
    return PITH_NONE;
  if (kind == PITH_NUMBER && n + PITH_I_NUMBER_ROOM <= sizeof small) {
    n = pith_i_number_normal(text, n, small);
    text = small;
    if (n == 0 || n == PITH_I_NUMBER_RANGE)
      return PITH_NONE;
  }
  uint32_t hash = pith_i_sym_hash(names, text, n, kind);
  return names->slots[probe_name_slots(names, hash, text, n, kind)].sym;
}

/* ---- predicates ------------------------------------------------------ */

pith_status pith_i_pred_add(pith_i_names *names, pith_sym name, size_t arity,
                            pith_pred *out) {
  assert(name < names->symbols.n);
  if (arity > 0xffff)
    return pith_i_fail(names->env, PITH_EARG, "an arity above 65535");
  if (!pith_i_room(names->env, &names->preds, 1) ||
      !pith_i_room(names->env, &names->first, 1))
    return PITH_ENOMEM;
  uint32_t key[2] = {name, (uint32_t)arity};
  bool added, named;
  pith_status rc =
      pith_i_tuples_add(names->env, &names->pred_set, key, out, &added);
  if (rc < 0 || !added)
    return rc;
  rc = pith_i_tuples_add(names->env, &names->by_name, &name, NULL, &named);
  if (rc < 0) {
    pith_i_tuples_cut(&names->pred_set, names->pred_set.n - 1);
    return rc;
  }
  if (named)
    names->first.at[names->first.n++] = *out;
  names->preds.at[names->preds.n++] = (pith_i_predicate){
      .name = name, .arity = (uint32_t)arity, .file = PITH_NONE};
  return PITH_OK;
}

pith_pred pith_i_pred_find(const pith_i_names *names, pith_sym name,
                           size_t arity) {
  if (arity > 0xffff)
    return PITH_NONE;
  uint32_t key[2] = {name, (uint32_t)arity};
  return pith_i_tuples_find(&names->pred_set, key);
}

pith_pred pith_i_pred_named(const pith_i_names *names, pith_sym name) {
  uint32_t row = pith_i_tuples_find(&names->by_name, &name);
  return row == PITH_NONE ? PITH_NONE : names->first.at[row];
}

pith_status pith_i_pred_invent(pith_i_names *names, const char *text,
                               size_t arity, pith_pred *out) {
  char full[PITH_I_INVENTED_TEXT + 16];
  pith_sym sym;
  pith_pred there = 0;
  assert(strlen(text) < PITH_I_INVENTED_TEXT);
  for (uint32_t n = 1; there != PITH_NONE; n++) {
    int len = snprintf(full, sizeof full, "%s", text);
    if (n > 1)
      snprintf(full + len, sizeof full - (size_t)len, "_%u", n);
    sym = pith_i_sym_find(names, full, strlen(full), PITH_NAME);
    there = sym == PITH_NONE ? PITH_NONE : pith_i_pred_named(names, sym);
  }
  pith_status rc = pith_i_sym_add(names, full, strlen(full), PITH_NAME, &sym);
  return rc < 0 ? rc : pith_i_pred_add(names, sym, arity, out);
}

/* ---- both ------------------------------------------------------------ */

static pith_status add_builtin(pith_i_names *names, pith_pred number,
                               const char *text) {
  pith_sym name;
  pith_pred pred = PITH_NONE;
  pith_status rc = sym_add(names, text, strlen(text), PITH_NAME, &name);
  if (rc >= 0)
    rc = pith_i_pred_add(names, name, 2, &pred);
  assert(rc < 0 || pred == number);
  (void)number;
  return rc;
}

pith_status pith_i_names_init(pith_i_names *names, pith_i_env *env) {
  static const char *const builtins[PITH_BUILTINS] = {
      [PITH_EQUAL] = "=",        [PITH_DIFFERENT] = "\\=",
      [PITH_LESS] = "<",         [PITH_LESS_EQUAL] = "=<",
      [PITH_GREATER] = ">",      [PITH_GREATER_EQUAL] = ">=",
      [PITH_SAME_VALUE] = "=:=", [PITH_OTHER_VALUE] = "=\\=",
  };
  memset(names, 0, sizeof *names);
  names->env = env;
  names->arena.env = env;
  names->pred_set.width = 2;
  names->by_name.width = 1;
  pith_status rc = PITH_OK;
  for (pith_pred i = 0; rc >= 0 && i < PITH_BUILTINS; i++)
    rc = add_builtin(names, i, builtins[i]);
  if (rc < 0)
    pith_i_names_free(names);
  return rc;
}

void pith_i_names_free(pith_i_names *names) {
  pith_i_env *env = names->env;
  pith_i_release(env, names->slots);
  names->slots = NULL;
  names->slot_count = 0;
  pith_i_vec_free(env, &names->symbols);
  pith_i_vec_free(env, &names->preds);
  pith_i_tuples_free(env, &names->pred_set);
  pith_i_tuples_free(env, &names->by_name);
  pith_i_vec_free(env, &names->first);
  pith_i_arena_free(&names->arena);
}
