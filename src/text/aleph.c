/* Aleph's files: NAME.b with background, modes and determinations, NAME.f with
** positive and NAME.n with negative examples; or one file with sections between
** :- begin_in_pos and :- end_in_pos and the like.
**
** Modes and determinations become a bias: what may stand in heads and bodies,
** with the types of the places. Where a mode asks for a constant (#colour),
** rules may name those that the facts have in that place. */
#include <stdio.h>
#include <string.h>

#include "text/dialect.h"
#include "text/formats.h"

enum { MOST_PLACES = 64 };

typedef struct {
  pith_pred pred;
  uint64_t places; /* a bit for each that asks for a constant */
} constant_places;

typedef struct {
  pith_i_env *env;
  pith_i_answer section;        /* what facts are now */
  PITH_I_VEC(pith_pred) bodies; /* that modes name */
  PITH_I_VEC(constant_places) named;
  size_t modes, determinations;
  bool first_pass; /* only modes are looked at */
  bool told_noise;
} reader;

/* ---- scanning --------------------------------------------------------- */

/* A place in the text of a directive. */
typedef struct {
  pith_i_parser *p;
  const char *s;
} cursor;

static size_t cursor_place(const cursor *c) {
  return (size_t)(c->s - c->p->lex.text);
}

static bool next_is(cursor *c, char wanted) {
  const char *text = c->p->lex.text;
  c->s = text + pith_i_skip_layout(text, cursor_place(c));
  if (*c->s != wanted)
    return false;
  c->s++;
  return true;
}

typedef struct {
  const char *at;
  size_t n;
} word;

/* A name, bare or in quotes without escapes. */
static bool next_name(cursor *c, word *out) {
  bool quoted = next_is(c, '\'');
  *out = (word){.at = c->s};
  if (quoted)
    while (*c->s != '\'' && *c->s != '\n' && *c->s != '\0')
      c->s++;
  else if (pith_i_is(*c->s, PITH_I_LOWER))
    while (pith_i_is(*c->s, PITH_I_ALNUM))
      c->s++;
  out->n = (size_t)(c->s - out->at);
  if (quoted)
    return *c->s == '\'' && c->s++ != NULL;
  return out->n > 0;
}

static bool next_number(cursor *c, uint32_t *out) {
  size_t digits = 0;
  next_is(c, ' ');
  for (*out = 0; pith_i_is(*c->s, PITH_I_DIGIT) && digits < 6; digits++)
    *out = *out * 10 + (uint32_t)(*c->s++ - '0');
  return digits > 0 && digits < 6;
}

static bool bad_directive(const cursor *c, const char *expected) {
  return pith_i_lexer_error(&c->p->lex, cursor_place(c),
                            "not what Aleph has here; expected %s; correct it",
                            expected);
}

/* ---- modes ------------------------------------------------------------ */

typedef struct {
  word name;
  size_t at;
  size_t arity;
  word types[MOST_PLACES];
  char signs[MOST_PLACES]; /* + - # */
} mode;

/* +person, -person or #colour */
static bool read_place(cursor *c, mode *m) {
  static const char form[] = "+type, -type or #type for each place";
  next_is(c, ' ');
  if (m->arity == MOST_PLACES || *c->s == '\0' || !strchr("+-#", *c->s))
    return bad_directive(c, form);
  m->signs[m->arity] = *c->s++;
  if (!next_name(c, &m->types[m->arity]) || *c->s == '(')
    return bad_directive(c, form);
  m->arity++;
  return true;
}

/* (recall, name(+t, -t)) */
static bool read_mode(cursor *c, mode *m) {
  uint32_t recall;
  m->arity = 0;
  if (!next_is(c, '(') || (!next_is(c, '*') && !next_number(c, &recall)) ||
      !next_is(c, ','))
    return bad_directive(c, "how often, then a predicate, as in (*, "
                            "parent(+person,-person))");
  next_is(c, ' ');
  m->at = cursor_place(c);
  if (!next_name(c, &m->name))
    return bad_directive(c, "a predicate");
  if (*c->s == '(') {
    c->s++;
    do {
      if (!read_place(c, m))
        return false;
    } while (next_is(c, ','));
    if (!next_is(c, ')'))
      return bad_directive(c, ", or )");
  }
  return next_is(c, ')') || bad_directive(c, ")");
}

static bool intern_word(pith_i_parser *p, const word *w, pith_sym *out) {
  return pith_i_sym_add(&p->in->theory->names, w->at, w->n, PITH_NAME, out) >=
             0 ||
         pith_i_parser_no_memory(p);
}

/* Two modes of a predicate that disagree leave it without types. */
static bool set_types(pith_i_parser *p, pith_pred pred, const mode *m) {
  pith_i_theory *t = p->in->theory;
  pith_sym *types =
      pith_i_arena_alloc(&t->arena, (m->arity + 1) * sizeof *types);
  if (types == NULL)
    return pith_i_parser_no_memory(p);
  for (size_t i = 0; i < m->arity; i++)
    if (!intern_word(p, &m->types[i], &types[i]))
      return false;
  pith_i_predicate *d = pith_i_pred(&t->names, pred);
  if (d->types != NULL &&
      memcmp(d->types, types, m->arity * sizeof *types) != 0) {
    d->types = NULL;
    pith_i_lexer_warn(&p->lex, m->at,
                      "another mode gives this predicate other types; expected "
                      "the same; it has none now: name the types alike");
    return true;
  }
  d->types = types;
  return true;
}

static bool note_constants(reader *r, pith_i_parser *p, pith_pred pred,
                           const mode *m) {
  constant_places c = {.pred = pred};
  for (size_t i = 0; i < m->arity; i++)
    c.places |= (uint64_t)(m->signs[i] == '#') << i;
  return c.places == 0 || pith_i_push(r->env, &r->named, c) ||
         pith_i_parser_no_memory(p);
}

static bool take_mode(reader *r, pith_i_parser *p, bool head) {
  cursor c = {p, p->lex.text + p->lex.token.end};
  mode m;
  pith_sym name;
  pith_pred pred;
  if (!read_mode(&c, &m) || !intern_word(p, &m.name, &name) ||
      !pith_i_predicate_use(p, name, m.arity, m.at, &pred))
    return false;
  if (r->first_pass)
    return note_constants(r, p, pred, &m) && set_types(p, pred, &m);
  r->modes++;
  if (head)
    pith_i_pred(&p->in->theory->names, pred)->roles |= PITH_TARGET;
  else if (!pith_i_push(r->env, &r->bodies, pred))
    return pith_i_parser_no_memory(p);
  return m.arity == 0 || set_types(p, pred, &m);
}

/* ---- determinations and settings -------------------------------------- */

/* name/2 */
static bool read_indicator(cursor *c, pith_pred *out) {
  static const char form[] = "a predicate and its arity, as in parent/2";
  word name;
  uint32_t arity;
  pith_sym sym;
  next_is(c, ' ');
  size_t at = cursor_place(c);
  if (!next_name(c, &name) || !next_is(c, '/') || !next_number(c, &arity))
    return bad_directive(c, form);
  return intern_word(c->p, &name, &sym) &&
         pith_i_predicate_use(c->p, sym, arity, at, out);
}

/* (head/2, body/2): a target that may stand in bodies is recursive. */
static bool take_determination(reader *r, pith_i_parser *p) {
  cursor c = {p, p->lex.text + p->lex.token.end};
  pith_pred head, body;
  pith_i_theory *t = p->in->theory;
  if (!next_is(&c, '('))
    return bad_directive(&c, "(");
  if (!read_indicator(&c, &head))
    return false;
  if (!next_is(&c, ','))
    return bad_directive(&c, ",");
  if (!read_indicator(&c, &body))
    return false;
  r->determinations++;
  pith_i_pred(&t->names, head)->roles |= PITH_TARGET;
  if (head == body)
    t->bias.enable_recursion = true;
  else
    pith_i_pred(&t->names, body)->roles |= PITH_BODY;
  return true;
}

/* set(clauselength,4) counts the head too; others say how Aleph searches. */
static void take_setting(reader *r, pith_i_parser *p) {
  cursor c = {p, p->lex.text + p->lex.token.end};
  word name;
  uint32_t value;
  if (!next_is(&c, '(') || !next_name(&c, &name) || !next_is(&c, ',') ||
      !next_number(&c, &value))
    return;
  if (name.n == 12 && memcmp(name.at, "clauselength", 12) == 0 && value > 1)
    p->in->theory->bias.max_body = value - 1;
  if (name.n == 5 && memcmp(name.at, "noise", 5) == 0 && value > 0 &&
      !r->told_noise) {
    r->told_noise = true;
    pith_i_lexer_warn(&p->lex, p->lex.token.at,
                      "set(noise,..) is skipped; expected facts, modes and "
                      "determinations; say --noise to learn where examples may "
                      "be wrong");
  }
}

/* ---- what the reader of Prolog asks ------------------------------------ */

static bool is_silent(const pith_i_token *t) {
  static const char *const known[] = {"aleph",   "aleph_read_all", "if",
                                      "endif",   "use_rendering",  "begin_bg",
                                      "end_bg",  "commutative",    "symmetric",
                                      "consult", "initialization"};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (pith_i_token_is(t, known[i]))
      return true;
  return false;
}

static bool take_section(reader *r, const pith_i_token *t) {
  bool positive = pith_i_token_is(t, "begin_in_pos");
  bool negative = pith_i_token_is(t, "begin_in_neg");
  if (positive || negative)
    r->section = positive ? PITH_I_POSITIVE : PITH_I_NEGATIVE;
  else if (pith_i_token_is(t, "end_in_pos") || pith_i_token_is(t, "end_in_neg"))
    r->section = PITH_I_NOT_MINE;
  else
    return false;
  return true;
}

static pith_i_answer answer_of(bool ok) {
  return ok ? PITH_I_TAKEN : PITH_I_REFUSED;
}

static pith_i_answer take_directive(void *ctx, pith_i_parser *p) {
  reader *r = ctx;
  const pith_i_token *t = &p->lex.token;
  if (pith_i_token_is(t, "modeh"))
    return answer_of(take_mode(r, p, true));
  if (pith_i_token_is(t, "modeb") || pith_i_token_is(t, "mode"))
    return answer_of(take_mode(r, p, false));
  if (pith_i_token_is(t, "determination"))
    return answer_of(take_determination(r, p));
  if (pith_i_token_is(t, "set")) {
    take_setting(r, p);
    return PITH_I_TAKEN;
  }
  return take_section(r, t) || is_silent(t) ? PITH_I_TAKEN : PITH_I_NOT_MINE;
}

/* Constants of places that modes mark with #. */
static bool keep_constants(reader *r, pith_i_parser *p,
                           const pith_i_atom_draft *d) {
  for (size_t i = 0; i < r->named.n; i++) {
    const constant_places *c = &r->named.at[i];
    const pith_sym *types = pith_i_pred(&p->in->theory->names, c->pred)->types;
    for (uint32_t k = 0; c->pred == d->pred && k < d->arity; k++) {
      pith_i_constant constant = {.name = p->args.at[d->first + k],
                                  .type = types == NULL ? PITH_NONE : types[k]};
      if ((c->places >> k & 1) != 0 && !pith_i_bias_constant(p, constant))
        return false;
    }
  }
  return true;
}

static pith_i_answer take_aleph_fact(void *ctx, pith_i_parser *p,
                                     double probability) {
  reader *r = ctx;
  (void)probability;
  if (r->named.n > 0 && !keep_constants(r, p, &p->drafts.at[0]))
    return PITH_I_REFUSED;
  return r->section;
}

/* ---- all of it -------------------------------------------------------- */

/* Modes may stand behind the facts whose constants they are about: those with a
** # are looked for first. What is wrong there is told on the second pass. */
static pith_status find_constant_modes(const pith_i_input *in, reader *r) {
  pith_i_remarks remarks;
  pith_i_parser p;
  pith_i_input own = *in;
  pith_i_remarks_init(&remarks, r->env);
  own.remarks = &remarks;
  pith_status rc = pith_i_remarks_file(&remarks, in->remarks->file);
  if (rc >= 0)
    rc = pith_i_parser_init(&p, &own);
  if (rc >= 0) {
    r->first_pass = true;
    const char *text = in->lines->text;
    for (size_t at = 0; p.lex.status >= 0 && at < in->lines->n;) {
      at = pith_i_skip_layout(text, at);
      size_t end = pith_i_clause_end(text, at);
      if (strncmp(text + at, ":-", 2) == 0 &&
          memchr(text + at, '#', end - at) != NULL) {
        p.lex.at = at + 2;
        pith_i_lexer_next(&p.lex);
        if (pith_i_token_is(&p.lex.token, "modeb") ||
            pith_i_token_is(&p.lex.token, "mode"))
          take_mode(r, &p, false);
      }
      at = end;
    }
    r->first_pass = false;
    rc = pith_i_parser_end(&p, 0);
  }
  pith_i_remarks_free(&remarks);
  return rc == PITH_ENOMEM ? rc : PITH_OK;
}

/* NAME.f holds positive examples, NAME.n negative ones. */
static pith_i_answer section_of(const char *path) {
  size_t n, stem;
  const char *name = pith_i_stem(path, &stem);
  n = strlen(name);
  if (n < stem + 2 || name[stem] != '.')
    return PITH_I_NOT_MINE;
  return strncmp(name + stem, ".f", 2) == 0   ? PITH_I_POSITIVE
         : strncmp(name + stem, ".n", 2) == 0 ? PITH_I_NEGATIVE
                                              : PITH_I_NOT_MINE;
}

/* Without determinations modes alone say what bodies may have. */
static void finish_bias(const pith_i_input *in, const reader *r) {
  for (size_t i = 0; r->determinations == 0 && i < r->bodies.n; i++)
    pith_i_pred(&in->theory->names, r->bodies.at[i])->roles |= PITH_BODY;
}

pith_status pith_i_read_aleph(const pith_i_input *in) {
  reader r = {.env = in->theory->env, .section = section_of(in->path)};
  pith_i_dialect dialect = {.directive = take_directive,
                            .fact = take_aleph_fact,
                            .asks_all = true,
                            .ctx = &r};
  pith_status rc = find_constant_modes(in, &r);
  dialect.asks_all = r.section != PITH_I_NOT_MINE || r.named.n > 0 ||
                     strstr(in->lines->text, "begin_in_") != NULL;
  if (rc >= 0)
    rc = pith_i_read_dialect(in, &dialect);
  if (rc != PITH_ENOMEM)
    finish_bias(in, &r);
  if (in->summary != NULL)
    snprintf(in->summary, PITH_I_SUMMARY, "%zu modes, %zu determinations",
             r.modes, r.determinations);
  pith_i_vec_free(r.env, &r.bodies);
  pith_i_vec_free(r.env, &r.named);
  return rc;
}
