/* Templates in three notations, which may be mixed in one file:
**
**   3 #1(X,Y) :- #2(X,Z), #3(Z,Y).          count; equal numbers are tied
**   F(X,Y) <- F(X,Z), F(Z,Y)                every F is a slot of its own
**   metarule([P,Q],[P,A,B],[[Q,A,B]]).      as Metagol has them
**
** and the lines `invented: name/arity` and `steps: K`. A full stop is optional
** where the line ends. Slots are numbered in the order of their appearance. */
#include <assert.h>
#include <string.h>

#include "text/parser.h"
#include "text/template.h"

static pith_i_token *current_token(pith_i_template_reader *r) {
  return &r->p.lex.token;
}

/* A line that ends too early is told at its end. */
static bool refuse_token(pith_i_template_reader *r, const char *expected) {
  const pith_i_token *t = current_token(r);
  if (!t->new_line && t->kind != PITH_I_EOF)
    return pith_i_parse_refuse(&r->p, expected);
  return pith_i_lexer_error(&r->p.lex, r->p.lex.last_end,
                            "the line ends too early; expected %s; complete it",
                            expected);
}

/* ---- slots ----------------------------------------------------------- */

static bool slot_new(pith_i_template_reader *r, uint64_t tag, pith_pred pred,
                     uint32_t arity) {
  pith_i_env *env = r->p.in->theory->env;
  pith_slot slot = {.arity = arity, .pred = pred};
  r->p.drafts.at[r->p.drafts.n - 1].pred = (uint32_t)r->slots.n;
  return (pith_i_push(env, &r->slots, slot) &&
          pith_i_push(env, &r->tags, tag)) ||
         pith_i_parser_no_memory(&r->p);
}

/* The slot with this tag for the atom just read; made when it is new. */
static bool slot_tied(pith_i_template_reader *r, uint64_t tag, pith_pred pred) {
  pith_i_atom_draft *d = &r->p.drafts.at[r->p.drafts.n - 1];
  for (size_t i = 0; i < r->slots.n; i++) {
    if (r->tags.at[i] != tag)
      continue;
    d->pred = (uint32_t)i;
    return r->slots.at[i].arity == d->arity ||
           pith_i_lexer_error(&r->p.lex, d->at,
                              "the slot has %u arguments here and %u before; "
                              "a predicate has one arity; use another slot",
                              d->arity, r->slots.at[i].arity);
  }
  return slot_new(r, tag, pred, d->arity);
}

/* Tags: what makes two slots the same one. */
enum { FRESH, NUMBERED, FIXED, VARIABLE };

static uint64_t tag_slot(unsigned kind, uint32_t value) {
  return (uint64_t)kind << 32 | value;
}

bool pith_i_template_variable(pith_i_template_reader *r, pith_sym name) {
  return slot_tied(r, tag_slot(VARIABLE, name), PITH_NONE);
}

bool pith_i_template_fixed(pith_i_template_reader *r, pith_sym name) {
  pith_i_atom_draft *d = &r->p.drafts.at[r->p.drafts.n - 1];
  pith_pred pred = d->pred;
  if (pred == PITH_NONE &&
      !pith_i_predicate_use(&r->p, name, d->arity, d->at, &pred))
    return false;
  if (PITH_IS_COMPARISON(pred))
    return pith_i_lexer_error(&r->p.lex, d->at,
                              "comparing values in a template is not "
                              "supported; expected = or \\=; leave the "
                              "comparison out");
  return slot_tied(r, tag_slot(FIXED, pred), pred);
}

/* A number that fits 32 bits from the token. */
static bool small_number(pith_i_template_reader *r, const char *what,
                         uint32_t *out) {
  const pith_i_token *t = current_token(r);
  uint64_t value = 0;
  *out = 0;
  bool good = t->kind == PITH_I_NUMBER || t->kind == PITH_I_SLOT;
  for (size_t i = 0; good && i < t->n; i++) {
    good = pith_i_is(t->text[i], PITH_I_DIGIT) && value < 100000000;
    value = value * 10 + (uint64_t)(t->text[i] - '0');
  }
  if (!good && t->kind == PITH_I_BAD)
    return false;
  if (!good)
    return pith_i_lexer_error(&r->p.lex, t->at,
                              "not %s; expected a whole number below a "
                              "billion; correct it",
                              what);
  *out = (uint32_t)value;
  return true;
}

/* ---- atoms ----------------------------------------------------------- */

/* The draft and its arguments, the token being the predicate or slot. */
static bool atom_args(pith_i_template_reader *r, pith_sym name) {
  bool call = current_token(r)->call;
  if (!pith_i_draft_add(&r->p, name, current_token(r)->at))
    return false;
  pith_i_lexer_next(&r->p.lex);
  return pith_i_parse_args(&r->p, call);
}

static bool open_atom(pith_i_template_reader *r) {
  const pith_i_token *t = current_token(r);
  if (t->n != 1 || t->text[0] != 'F') {
    pith_i_short s = pith_i_shorten(t->text, t->n);
    return pith_i_lexer_error(&r->p.lex, t->at,
                              "%s is not a slot; expected F for a slot of its "
                              "own, or #1 for one that may be used again; "
                              "write one of these, or quote a predicate: '%s'",
                              s.text, s.text);
  }
  return atom_args(r, PITH_NONE) &&
         slot_new(r, tag_slot(FRESH, 0), PITH_NONE,
                  r->p.drafts.at[r->p.drafts.n - 1].arity);
}

static bool numbered_atom(pith_i_template_reader *r) {
  uint32_t number;
  return small_number(r, "the number of a slot", &number) &&
         atom_args(r, PITH_NONE) &&
         slot_tied(r, tag_slot(NUMBERED, number), PITH_NONE);
}

static bool fixed_atom(pith_i_template_reader *r) {
  pith_sym name;
  return pith_i_parse_name(&r->p, PITH_NAME, &name) && atom_args(r, name) &&
         pith_i_template_fixed(r, name);
}

static bool read_slot_atom(pith_i_template_reader *r) {
  switch (current_token(r)->kind) {
  case PITH_I_SLOT:
    return numbered_atom(r);
  case PITH_I_VARIABLE:
    return open_atom(r);
  case PITH_I_PLAIN_NAME:
  case PITH_I_QUOTED:
    return fixed_atom(r);
  default:
    return pith_i_parse_refuse(&r->p, "a slot such as F(X,Y) or #1(X,Y)");
  }
}

/* X \= Y is an atom whose slot is given. */
static bool read_slot_body_atom(pith_i_template_reader *r) {
  pith_i_token_kind kind = current_token(r)->kind;
  bool name = kind == PITH_I_PLAIN_NAME || kind == PITH_I_QUOTED ||
              kind == PITH_I_VARIABLE;
  const char *rest = r->p.lex.text + current_token(r)->end;
  while (*rest == ' ')
    rest++;
  if (!name || current_token(r)->call || (*rest != '=' && *rest != '\\'))
    return read_slot_atom(r);
  size_t at = current_token(r)->at;
  pith_term left;
  return pith_i_parse_term(&r->p, &left) &&
         pith_i_parse_comparison(&r->p, left, at) &&
         pith_i_template_fixed(r, PITH_NONE);
}

/* ---- statements ------------------------------------------------------ */

static bool statement_end(pith_i_template_reader *r) {
  const pith_i_token *t = current_token(r);
  return t->kind == PITH_I_STOP || t->kind == PITH_I_EOF || t->new_line ||
         refuse_token(r, ", or the end of the line");
}

/* Boundness is about predicates, and a slot's number is none. */
static bool shape_is_bound(pith_i_template_reader *r, pith_rule rule) {
  assert(rule.body_len + 1 == r->p.atoms.n);
  pith_atom *body = r->p.atoms.at + 1;
  for (uint32_t i = 0; i < rule.body_len; i++)
    body[i].pred = r->slots.at[body[i].pred].pred;
  return pith_i_parser_bound(&r->p, &rule);
}

bool pith_i_template_finish(pith_i_template_reader *r, uint32_t copies) {
  pith_i_theory *t = r->p.in->theory;
  pith_template tp = {.copies = copies,
                      .slots = r->slots.at,
                      .slot_count = (uint32_t)r->slots.n};
  if (!pith_i_parser_rule(&r->p, &tp.shape) || !shape_is_bound(r, tp.shape) ||
      !pith_i_parser_rule(&r->p, &tp.shape))
    return false;
  return pith_i_template_add(t, &tp) >= 0 || pith_i_parser_no_memory(&r->p);
}

static bool is_arrow(const pith_i_token *t) {
  return pith_i_token_is(t, ":-") || pith_i_token_is(t, "<-");
}

static bool read_template(pith_i_template_reader *r) {
  pith_i_lexer *x = &r->p.lex;
  uint32_t copies = 1;
  if (x->token.kind == PITH_I_NUMBER) {
    if (!small_number(r, "a count of rules", &copies))
      return false;
    if (copies == 0)
      return pith_i_lexer_error(x, x->token.at,
                                "a count of 0; expected how many rules may "
                                "have this shape; remove the line, or write 1");
    pith_i_lexer_next(x);
  }
  if (!read_slot_atom(r))
    return false;
  if (!is_arrow(&x->token))
    return refuse_token(r, "<- or :- between head and body");
  do {
    pith_i_lexer_next(x);
    if (!read_slot_body_atom(r))
      return false;
  } while (pith_i_token_is(&x->token, ","));
  return statement_end(r) && pith_i_template_finish(r, copies);
}

/* name/arity */
static bool new_predicate(pith_i_template_reader *r) {
  pith_i_lexer *x = &r->p.lex;
  size_t at = x->token.at;
  pith_sym name;
  pith_pred pred;
  uint32_t arity;
  if (x->token.kind != PITH_I_PLAIN_NAME && x->token.kind != PITH_I_QUOTED)
    return refuse_token(r, "a new predicate, as in aux/2");
  if (!pith_i_parse_name(&r->p, PITH_NAME, &name))
    return false;
  pith_i_lexer_next(x);
  if (!pith_i_token_is(&x->token, "/"))
    return refuse_token(r, "/ and the arity, as in aux/2");
  pith_i_lexer_next(x);
  if (!small_number(r, "an arity", &arity))
    return false;
  if (arity > 65535)
    return pith_i_lexer_error(x, x->token.at,
                              "an arity above 65535; expected a small number; "
                              "correct it");
  pith_i_lexer_next(x);
  if (!pith_i_predicate_use(&r->p, name, arity, at, &pred))
    return false;
  pith_i_pred(&r->p.in->theory->names, pred)->roles |= PITH_INVENTED;
  return true;
}

/* invented: name/arity, name/arity */
static bool read_invented(pith_i_template_reader *r) {
  do {
    pith_i_lexer_next(&r->p.lex);
    if (!new_predicate(r))
      return false;
  } while (pith_i_token_is(&r->p.lex.token, ","));
  return statement_end(r);
}

static bool read_steps(pith_i_template_reader *r) {
  pith_i_lexer *x = &r->p.lex;
  uint32_t count;
  pith_i_lexer_next(x);
  if (!small_number(r, "a number of steps", &count))
    return false;
  if (count == 0)
    return pith_i_lexer_error(x, x->token.at,
                              "0 steps, in which nothing follows; expected 1 "
                              "or more; remove the line, or correct it");
  size_t before = r->p.in->theory->steps;
  if (before != 0 && before != count)
    pith_i_lexer_warn(x, x->token.at,
                      "%u steps here, and %zu before; expected one number of "
                      "steps; this one counts: remove the other",
                      (unsigned)count, before);
  pith_i_lexer_next(x);
  r->p.in->theory->steps = count;
  return statement_end(r);
}

/* `word:`, the token being the word. */
static bool is_heading(const pith_i_template_reader *r, const char *word) {
  const pith_i_token *t = &r->p.lex.token;
  const char *rest = r->p.lex.text + t->end;
  while (*rest == ' ' || *rest == '\t')
    rest++;
  return pith_i_token_is(t, word) && rest[0] == ':' && rest[1] != '-';
}

static bool read_statement(pith_i_template_reader *r) {
  pith_i_lexer *x = &r->p.lex;
  bool (*heading)(pith_i_template_reader *) =
      is_heading(r, "invented") ? read_invented
      : is_heading(r, "steps")  ? read_steps
                                : NULL;
  if (heading != NULL) {
    pith_i_lexer_next(x); /* the colon */
    return heading(r);
  }
  if (pith_i_token_is(&x->token, "metarule") && x->token.call)
    return pith_i_metarule(r) && statement_end(r) &&
           pith_i_template_finish(r, 1);
  return read_template(r);
}

/* After a statement without a full stop, or an error: to the next line or
** the next full stop, and whether it is that. */
static bool next_statement(pith_i_lexer *x, size_t start) {
  if (x->token.at == start && x->token.kind != PITH_I_EOF)
    pith_i_lexer_next(x);
  while (x->token.kind != PITH_I_EOF && x->token.kind != PITH_I_STOP &&
         !x->token.new_line)
    pith_i_lexer_next(x);
  return x->token.kind == PITH_I_STOP;
}

pith_status pith_i_read_templates(const pith_i_input *in) {
  pith_i_template_reader r = {0};
  size_t errors = in->remarks->errors;
  if (pith_i_parser_init(&r.p, in) < 0)
    return PITH_ENOMEM;
  pith_i_lexer_next(&r.p.lex);
  if (r.p.lex.token.kind == PITH_I_EOF)
    pith_i_parser_empty(&r.p, "templates such as F(X,Y) <- F(Y,X)");
  while (r.p.lex.token.kind != PITH_I_EOF) {
    size_t start = r.p.lex.token.at;
    pith_i_parser_clear(&r.p);
    r.slots.n = r.tags.n = 0;
    read_statement(&r);
    if (next_statement(&r.p.lex, start))
      pith_i_lexer_next(&r.p.lex);
  }
  pith_i_vec_free(in->theory->env, &r.slots);
  pith_i_vec_free(in->theory->env, &r.tags);
  return pith_i_parser_end(&r.p, errors);
}
