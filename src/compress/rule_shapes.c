/* The shapes of rules: the arguments of the head, then of each body atom, by
** letters; a letter that is there once stands for "some". X!Y is X \= Y. */
#include <assert.h>
#include <string.h>

#include "compress/rule_mining.h"

static const char *const one[] = {
    "X X",     "X XZ",    "X ZX",   "X XX",    "XY XY",   "XY YX",   "XX XX",
    "XX XZ",   "XX ZX",   "XX X",   "XYZ XZY", "XYZ YXZ", "XYZ YZX", "XYZ ZXY",
    "XYZ ZYX", "XYZ XYZ", "XY XYZ", "XY YXZ",  "XY XZY",  "XY YZX",  "XY ZXY",
    "XY ZYX",  "X XZW",   "X ZXW",  "X ZWX",
};

static const char *const two[] = {
    /* chains, both ways round */
    "XY XZ ZY",
    "XY ZX ZY",
    "XY XZ YZ",
    "XY ZX YZ",
    /* both of two relations */
    "XY XY XY",
    "XY XY YX",
    "XY YX YX",
    /* a relation and a condition on one side */
    "XY XY X",
    "XY XY Y",
    "XY YX X",
    "XY YX Y",
    "XY XY XZ",
    "XY XY ZX",
    "XY XY YZ",
    "XY XY ZY",
    "XY YX XZ",
    "XY YX ZX",
    "XY YX YZ",
    "XY YX ZY",
    "XY X Y",
    /* a constant and itself */
    "XX X X",
    "XX X XZ",
    "XX X ZX",
    "XX XZ XW",
    "XX XZ WX",
    "XX ZX WX",
    /* properties */
    "X X X",
    "X X XZ",
    "X X ZX",
    "X XZ Z",
    "X ZX Z",
    "X XZ XW",
    "X XZ WX",
    "X ZX WX",
    "X XZ XZ",
    "X XZ ZX",
    "X ZX ZX",
    "X XZ ZW",
    "X XZ WZ",
    "X ZX ZW",
    "X ZX WZ",
    /* of three places */
    "XYZ XY YZ",
    "XYZ XY XZ",
    "XYZ XZ YZ",
    "XY XZY Z",
};

static const char *const three[] = {
    "XY XZ ZW WY", "XY XZ ZW YW", "XY XZ WZ WY", "XY XZ WZ YW", "XY ZX ZW WY",
    "XY ZX ZW YW", "XY ZX WZ WY", "XY ZX WZ YW", "XY XZ ZY XY", "XY XZ ZY YX",
    "XY ZX ZY XY", "XY ZX ZY YX", "XY XZ YZ XY", "XY XZ YZ YX", "XY ZX YZ XY",
    "XY ZX YZ YX", "XY XZ ZY X",  "XY XZ ZY Y",  "XY XZ ZY Z",  "XY ZX ZY X",
    "XY ZX ZY Y",  "XY ZX ZY Z",  "XY XZ YZ X",  "XY XZ YZ Y",  "XY XZ YZ Z",
    "XY ZX YZ X",  "XY ZX YZ Y",  "XY ZX YZ Z",  "XY XZ ZY XW", "XY XZ ZY WX",
    "XY XZ ZY YW", "XY XZ ZY WY", "XY XZ ZY ZW", "XY XZ ZY WZ", "XY ZX ZY XW",
    "XY ZX ZY WX", "XY ZX ZY YW", "XY ZX ZY WY", "XY ZX ZY ZW", "XY ZX ZY WZ",
    "XY XZ YZ XW", "XY XZ YZ WX", "XY XZ YZ YW", "XY XZ YZ WY", "XY XZ YZ ZW",
    "XY XZ YZ WZ", "XY ZX YZ XW", "XY ZX YZ WX", "XY ZX YZ YW", "XY ZX YZ WY",
    "XY ZX YZ ZW", "XY ZX YZ WZ", "XY XY X Y",   "XY YX X Y",   "XY XY X YZ",
    "XY XY X ZY",  "XY XY Y XZ",  "XY XY Y ZX",  "XY XY XZ YW", "XY XY XZ WY",
    "XY XY ZX YW", "XY XY ZX WY", "XY YX XZ YW", "XY YX XZ WY", "XY YX ZX YW",
    "XY YX ZX WY", "X XZ ZW W",   "X XZ ZW X",   "X XZ Z X",    "X ZX Z X",
};

/* Where X and Y may be the same, it can matter that they are not. */
static const char *const unlike[] = {
    "XY XZ ZY X!Y", "XY ZX ZY X!Y", "XY XZ YZ X!Y",
    "XY ZX YZ X!Y", "XY X Y X!Y",
};
static const char *const unlike_three[] = {
    "XY XZ ZY X X!Y",  "XY ZX ZY X X!Y",  "XY XZ YZ X X!Y",  "XY ZX YZ X X!Y",
    "XY XZ ZY XW X!Y", "XY ZX ZY XW X!Y", "XY XZ YZ XW X!Y", "XY ZX YZ XW X!Y",
    "XY XZ ZY WX X!Y", "XY ZX ZY WX X!Y", "XY XZ YZ WX X!Y", "XY ZX YZ WX X!Y",
};

/* Where X and Y, or what they are measured by, have an order. */
static const char *const ordered[] = {
    "XY X Y X<Y",   "XY X Y Y<X",   "XY XY X<Y",    "XY XY Y<X",
    "XY YX X<Y",    "XY YX Y<X",    "XY XZ YZ X<Y", "XY XZ YZ Y<X",
    "XY XZ YW Z<W", "XY XZ YW W<Z",
};

/* ---- from letters to templates ---------------------------------------- */

enum { LETTERS = 4, ATOMS = 8, WIDEST = 4 };

typedef struct {
  pith_i_arena *arena;
  pith_i_names *names;
  char letter[LETTERS + 1]; /* of each variable */
  uint32_t vars;
} spelling;

static pith_term term_of(spelling *s, char letter) {
  assert(s->vars <= LETTERS);
  uint32_t v = 0;
  while (v < s->vars && s->letter[v] != letter)
    v++;
  if (v == s->vars)
    s->letter[s->vars++] = letter;
  return PITH_VAR(v);
}

static bool spell_atom(spelling *s, const char *text, size_t n, uint32_t slot,
                       pith_atom *a, pith_slot *open) {
  assert(n <= WIDEST);
  pith_term *args = pith_i_arena_alloc(s->arena, WIDEST * sizeof *args);
  if (args == NULL)
    return false;
  pith_pred builtin = n != 3           ? PITH_NONE
                      : text[1] == '!' ? PITH_DIFFERENT
                      : text[1] == '<' ? PITH_LESS
                                       : PITH_NONE;
  uint32_t arity = 0;
  for (size_t i = 0; i < n; i++)
    if (text[i] != '!' && text[i] != '<')
      args[arity++] = term_of(s, text[i]);
  *a = (pith_atom){.pred = slot, .arity = arity, .args = args};
  *open = (pith_slot){arity, builtin};
  return true;
}

/* Rules are written with the same letters. */
static pith_sym *name_vars(spelling *s) {
  pith_sym *names = pith_i_arena_alloc(s->arena, LETTERS * sizeof *names);
  for (uint32_t v = 0; names != NULL && v < s->vars; v++)
    if (pith_i_sym_add(s->names, &s->letter[v], 1, PITH_NAME, &names[v]) < 0)
      return NULL;
  return names;
}

static pith_template *spell_shape(pith_i_arena *arena, pith_i_names *names,
                                  const char *text) {
  spelling s = {.arena = arena, .names = names};
  pith_template *t = pith_i_arena_alloc(arena, sizeof *t);
  pith_atom *atoms = pith_i_arena_alloc(arena, ATOMS * sizeof *atoms);
  pith_slot *slots = pith_i_arena_alloc(arena, ATOMS * sizeof *slots);
  if (t == NULL || atoms == NULL || slots == NULL)
    return NULL;
  uint32_t n = 0;
  while (*text != '\0') {
    size_t len = strcspn(text, " ");
    if (!spell_atom(&s, text, len, n, &atoms[n], &slots[n]))
      return NULL;
    n++;
    text += len + strspn(text + len, " ");
  }
  pith_sym *vars = name_vars(&s);
  if (vars == NULL)
    return NULL;
  *t = (pith_template){.shape = {.head = atoms[0],
                                 .body = atoms + 1,
                                 .body_len = n - 1,
                                 .var_count = s.vars,
                                 .var_names = vars,
                                 .file = PITH_NONE},
                       .slots = slots,
                       .slot_count = n};
  return t;
}

static pith_status add_list(pith_i_arena *arena, pith_i_names *names,
                            const char *const *texts, size_t n,
                            pith_i_shapes *out) {
  for (size_t i = 0; i < n; i++) {
    pith_template *t = spell_shape(arena, names, texts[i]);
    if (t == NULL || !pith_i_push(arena->env, out, t))
      return PITH_ENOMEM;
  }
  return PITH_OK;
}

#define ADD(list)                                                              \
  add_list(arena, names, list, sizeof list / sizeof list[0], out)

pith_status pith_i_shapes_add(pith_i_arena *arena, pith_i_names *names,
                              uint32_t max_body, pith_i_shapes *out) {
  assert(max_body >= 1 && max_body <= 3);
  pith_status rc = ADD(one);
  if (rc >= 0 && max_body > 1)
    rc = ADD(two);
  if (rc >= 0 && max_body > 2)
    rc = ADD(three);
  return rc;
}

pith_status pith_i_shapes_add_conditions(pith_i_arena *arena,
                                         pith_i_names *names, uint32_t max_body,
                                         pith_i_shapes *out) {
  assert(max_body >= 1 && max_body <= 3);
  pith_status rc = PITH_OK;
  if (max_body > 1)
    rc = ADD(unlike);
  if (rc >= 0 && max_body > 1)
    rc = ADD(ordered);
  if (rc >= 0 && max_body > 2)
    rc = ADD(unlike_three);
  return rc;
}
