/* Graph models: learned from a graph, asked with infer --top, scored on
** held-out facts or on examples. Each is a command's run where its inputs are
** a graph or a model. */
#ifndef APP_MODEL_COMMANDS_H
#define APP_MODEL_COMMANDS_H

#include "session.h"

/* pith learn: reads the operands, all of them one graph. */
int model_learn_target(session *s);
/* The same where the one graph was read already. */
int model_learn(session *s);
/* What that would take. */
int model_estimate(const session *s, pith_estimate *out);
/* pith infer --top, of one query and of those in the file of --queries. */
int model_infer(session *s, const pith_atom *query);
int model_infer_all(session *s);
/* pith explain: whether a model answers for the atom, and what it says. */
bool model_explains(const pith *p, const pith_atom *atom);
int model_explain(session *s, const pith_atom *atom);
/* pith score: the facts of test.tsv, or the examples where there are any. */
int model_score(session *s);

/* The model of the session's handle; warns of rules that are of no use. */
pith_status read_asked_model(const session *s, pith_model **out);
/* Notes what a query is about and the graph does not have. */
void note_strangers(const session *s, const pith_atom *query);
/* Whether answers are rows of a table: tsv or csv. */
bool model_puts_rows(const session *s);
/* What the probabilities of a model are the probabilities of. */
void put_meaning(const session *s, const pith_model_info *i);
/* The answers to a query, best first, with reasons where they are wanted. */
pith_status put_each_answer(session *s, pith_model *m, const pith_atom *query,
                            const pith_answer *answers, size_t n);

/* What the settings say of a soft model; opt refers to the variant. */
void soft_options(const settings *set, pith_variant *variant,
                  pith_model_options *opt);

#endif
