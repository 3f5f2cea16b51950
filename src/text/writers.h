/* What the writers of formats are given, and the writers. text/ does not know
** where facts are kept. */
#ifndef PITH_TEXT_WRITERS_H
#define PITH_TEXT_WRITERS_H

#include "base/out.h"
#include "term/theory.h"

typedef struct {
  const pith_i_theory *theory;
  pith_i_env *env;
  pith_out *o;
  /* Calls visit for each fact to be written, predicate by predicate; stops when
  ** it is not 0, and returns that. */
  int (*each)(void *ctx, pith_fact_visit visit, void *visit_ctx);
  void *ctx;
  bool rules;       /* also rules, examples and templates */
  bool drop;        /* leave out what the format cannot hold */
  uint64_t dropped; /* how much that was */
} pith_i_output;

typedef pith_status (*pith_i_writer)(pith_i_output *out);

/* Each fact to visit; a status that it returns ends it. */
pith_status pith_i_output_facts(pith_i_output *out, pith_fact_visit visit,
                                void *ctx);

/* What cannot be written: 0, and counted, where such things are dropped; else
** PITH_EINPUT with a sentence that names it and says why. */
pith_status pith_i_refuse_fact(pith_i_output *out, pith_pred pred,
                               const pith_sym *args, size_t n,
                               const char *format, const char *why);
pith_status pith_i_refuse_rule(pith_i_output *out, const pith_rule *rule,
                               const char *format, const char *why);

/* (preds) which of them rules define, or with bodies also those that they use;
** to be released. NULL: no memory. */
bool *pith_i_mark_preds(const pith_i_output *out, bool bodies);

/* Why a text of cells would not give the constant back, whatever its letters;
** or NULL. */
const char *pith_i_unfit_kind(const pith_i_symbol *s);

pith_status pith_i_write_prolog(pith_i_output *out);
pith_status pith_i_write_triples(pith_i_output *out);
pith_status pith_i_write_csv(pith_i_output *out);
pith_status pith_i_write_json(pith_i_output *out);
pith_status pith_i_write_templates(pith_i_output *out);
pith_status pith_i_write_bias(pith_i_output *out);
pith_status pith_i_write_problog(pith_i_output *out);
pith_status pith_i_write_asp(pith_i_output *out);
pith_status pith_i_write_souffle(pith_i_output *out);
pith_status pith_i_write_sql(pith_i_output *out);
pith_status pith_i_write_postgres(pith_i_output *out);
pith_status pith_i_write_duckdb(pith_i_output *out);
pith_status pith_i_write_amie(pith_i_output *out);
pith_status pith_i_write_anyburl(pith_i_output *out);
pith_status pith_i_write_dot(pith_i_output *out);
pith_status pith_i_write_mermaid(pith_i_output *out);
pith_status pith_i_write_latex(pith_i_output *out);
pith_status pith_i_write_booktabs(pith_i_output *out);
pith_status pith_i_write_english(pith_i_output *out);
pith_status pith_i_write_ntriples(pith_i_output *out);
pith_status pith_i_write_turtle(pith_i_output *out);

/* An IRI as people write it: with its prefix, else (NULL) what is behind the
** last slash or hash. Other names stay whole. The parts belong to t and
** text. */
typedef struct {
  const char *prefix, *rest;
} pith_i_iri_name;

pith_i_iri_name pith_i_iri_short(const pith_i_theory *t, const char *text);

#endif
