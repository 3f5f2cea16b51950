/* ProbLog: Prolog with probabilities. Those of rules are kept with the rules.
** A fact with one is read as certain, and the probability kept apart as a fact
** of its own, as a fourth column of triples is: 0.8::edge(a,b) is edge(a,b) and
** edge_weight(a,b,0.8). */
#include <stdio.h>
#include <string.h>

#include "text/csv.h"
#include "text/decimal.h"
#include "text/dialect.h"

typedef struct {
  size_t weighted; /* facts with a probability */
  size_t first;    /* where the first of them stands */
  bool told_query, told_evidence;
} reader;

static void tell_skipped(pith_i_parser *p, bool *told, const char *what) {
  if (!*told)
    pith_i_lexer_warn(&p->lex, p->lex.at, "%s", what);
  *told = true;
}

static pith_i_answer take_clause(void *ctx, pith_i_parser *p) {
  reader *r = ctx;
  const char *s = p->lex.text + p->lex.at;
  if (strncmp(s, "query(", 6) == 0)
    tell_skipped(p, &r->told_query,
                 "queries are skipped; expected facts and rules; ask with "
                 "pith infer --query");
  else if (strncmp(s, "evidence(", 9) == 0)
    tell_skipped(p, &r->told_evidence,
                 "evidence is skipped; expected facts and rules; write "
                 "pos(..) and neg(..) for examples to learn from");
  else if (strncmp(s, "t(", 2) == 0 && strstr(s, "::") != NULL &&
           (size_t)(strstr(s, "::") - s) <
               pith_i_clause_end(p->lex.text, p->lex.at) - p->lex.at)
    return pith_i_lexer_error(&p->lex, p->lex.at,
                              "a probability that ProbLog is to learn; "
                              "expected a number; give one, or leave it out")
               ? PITH_I_TAKEN
               : PITH_I_REFUSED;
  else
    return PITH_I_NOT_MINE;
  p->lex.at = pith_i_clause_end(p->lex.text, p->lex.at);
  return PITH_I_TAKEN;
}

/* The probability as a constant. */
static bool intern_probability(pith_i_parser *p, double value, pith_sym *out) {
  pith_i_decimal d = pith_i_decimal_write(value);
  char number[80];
  size_t n = pith_i_cell_decimal(d.text, strlen(d.text), number);
  return pith_i_sym_add(&p->in->theory->names, number, n, PITH_NUMBER, out) >=
             0 ||
         pith_i_parser_no_memory(p);
}

/* name_weight, with a place more. */
static bool weight_predicate(pith_i_parser *p, const pith_i_atom_draft *d,
                             pith_pred *out) {
  pith_i_names *names = &p->in->theory->names;
  const pith_i_symbol *name = pith_i_sym(names, d->name);
  size_t n = name->len + strlen("_weight");
  pith_i_arena arena = {.env = p->in->theory->env};
  char *text = pith_i_arena_alloc(&arena, n + 1);
  pith_sym sym;
  bool ok = text != NULL;
  if (ok) {
    snprintf(text, n + 1, "%s_weight", name->text);
    ok = pith_i_sym_add(names, text, n, PITH_NAME, &sym) >= 0;
  }
  pith_i_arena_free(&arena);
  return ok ? pith_i_predicate_use(p, sym, (size_t)d->arity + 1, d->at, out)
            : pith_i_parser_no_memory(p);
}

static bool give_fact(pith_i_parser *p, pith_pred pred, uint32_t arity,
                      const pith_sym *args) {
  pith_status rc = p->in->fact(p->in->fact_ctx, pred, arity, args);
  if (rc < 0)
    p->lex.status = rc;
  return rc >= 0;
}

static pith_i_answer take_weighted_fact(void *ctx, pith_i_parser *p,
                                        double probability) {
  reader *r = ctx;
  pith_pred weight;
  pith_sym value;
  if (probability == 0)
    return PITH_I_NOT_MINE;
  if (r->weighted++ == 0)
    r->first = p->drafts.at[0].at;
  if (!intern_probability(p, probability, &value) ||
      !weight_predicate(p, &p->drafts.at[0], &weight) ||
      !pith_i_parse_push(p, value))
    return PITH_I_REFUSED;
  const pith_i_atom_draft *d = &p->drafts.at[0]; /* with the value behind */
  const pith_sym *args = p->args.at + d->first;
  return give_fact(p, d->pred, d->arity - 1, args) &&
                 give_fact(p, weight, d->arity, args)
             ? PITH_I_TAKEN
             : PITH_I_REFUSED;
}

static pith_status tell_weights(const pith_i_input *in, const reader *r) {
  if (in->summary != NULL)
    snprintf(in->summary, PITH_I_SUMMARY, "%zu fact%s with a probability",
             r->weighted, r->weighted == 1 ? "" : "s");
  if (r->weighted == 0)
    return PITH_OK;
  return pith_i_remark_add(in->remarks, PITH_I_WARNING, in->lines, r->first,
                           "%zu fact%s with a probability %s taken as certain; "
                           "expected facts that hold; the probabilities are "
                           "kept apart, 0.8 of edge(a,b) as "
                           "edge_weight(a,b,0.8)",
                           r->weighted, r->weighted == 1 ? "" : "s",
                           r->weighted == 1 ? "is" : "are");
}

pith_status pith_i_read_problog(const pith_i_input *in) {
  reader r = {0};
  pith_i_dialect dialect = {
      .clause = take_clause, .fact = take_weighted_fact, .ctx = &r};
  pith_status rc = pith_i_read_dialect(in, &dialect);
  if (rc >= 0 || rc == PITH_EINPUT)
    rc = tell_weights(in, &r) < 0 ? PITH_ENOMEM : rc;
  return rc;
}
