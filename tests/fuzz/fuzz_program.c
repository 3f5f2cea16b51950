/* Programs of a grammar: what is inferred is what a plain evaluator finds, an
** atom is proved when it holds, in as many steps as it took, and what the
** handle writes reads back to the same. */
#include "../oracle.h"
#include "grammar.h"

static void check_atom(pith *p, const oracle *o, const pith_atom *a,
                       const char *text) {
  int depth = *oracle_atom(o, a->pred, a->args, a->arity);
  if (pith_fact_holds(p, a->pred, a->args, a->arity) != (depth >= 0))
    round_fail(p, "holds here and not there", text);
  if (depth < 0 && a->arity == GRAMMAR_ARITY)
    return; /* most atoms; a few of them are enough, and other words have them
             */
  pith_proof *proof = NULL;
  pith_status rc = pith_explain(p, a, &proof);
  if (rc < 0 || (rc == PITH_OK) != (depth >= 0))
    round_fail(p, "proved wrongly", text);
  if (rc == PITH_OK && o->levels == 0 &&
      pith_proof_steps(proof) != (uint32_t)depth)
    round_fail(p, "a proof of another length", text);
  pith_proof_free(proof);
}

static void check_word(pith *p, const oracle *o, uint32_t word,
                       const char *text) {
  uint32_t arity = grammar_words[word].arity;
  pith_pred q = pith_pred_find(p, grammar_words[word].name, arity);
  size_t digit[GRAMMAR_ARITY] = {0};
  pith_sym args[GRAMMAR_ARITY];
  if (q == PITH_NONE || q >= o->preds || (arity > 0 && o->constants == 0))
    return;
  for (uint32_t i = 0; i < arity; i++)
    args[i] = o->constant[0];
  do {
    pith_atom a = {.pred = q, .arity = arity, .args = args};
    check_atom(p, o, &a, text);
  } while (oracle_next(o, digit, args, arity));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static grammar g;
  grammar_start(&g, data, size < 100 ? size : 100, 3);
  grammar_program(&g);
  pith *p = grammar_read(&g);
  oracle o;
  oracle_init(&o, p, 0);
  pith_status rc = pith_infer(p, NULL, NULL);
  if (rc < 0 && (rc != PITH_EINPUT || o.levels >= 0))
    round_fail(p, "does not infer", g.text);
  for (uint32_t i = 0; rc >= 0 && o.levels >= 0 && i < GRAMMAR_WORDS; i++)
    check_word(p, &o, i, g.text);
  oracle_free(&o);
  pith_free(p);
  return round_trip((const uint8_t *)g.text, g.n, PITH_PROLOG);
}
