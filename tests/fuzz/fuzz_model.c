/* Graph models. An even first byte: a graph of a grammar is learned from, the
** model is written, and what is read back has as many rules; probabilities
** are between 0 and 1. An odd one: the rest is read as a model beside a small
** graph, and is asked if it is taken. */
#include "grammar.h"

static const char graph[] = "e(a,b). e(b,c). e(c,d). f(a,c). f(b,d). f(c,a).\n"
                            "p(a,b). p(b,c). p(c,d). p(d,a).\n";

static void ask_all(pith_model *m, pith *p) {
  pith_pred q = pith_pred_find(p, "p", 2);
  for (size_t i = 0; q != PITH_NONE && i < pith_sym_count(p); i++) {
    pith_term args[2] = {(pith_term)i, PITH_VAR(0)};
    pith_atom query = {.pred = q, .arity = 2, .args = args};
    const pith_answer *answers;
    size_t n = 0;
    pith_status rc = pith_model_ask(m, &query, 10, &answers, &n);
    for (size_t j = 0; rc >= 0 && j < n; j++)
      if (!(answers[j].probability >= 0 && answers[j].probability <= 1))
        round_fail(p, "not a probability", "");
  }
}

static const char *model_text(pith_model *m, pith *p, pith_out **o, size_t *n) {
  if (pith_out_memory(p, o) < 0 || pith_model_write(m, false, *o) < 0)
    round_fail(p, "cannot write the model", "");
  return pith_out_text(*o, n);
}

/* Each rule is a line with its probability. */
static size_t count_rules(const char *text, size_t n) {
  size_t count = 0;
  for (size_t i = 0; i + 1 < n; i++)
    count += text[i] == ':' && text[i + 1] == ':';
  return count;
}

static void check_read_back(pith_model *m, pith *p, const char *facts) {
  pith_out *o, *again;
  size_t n = 0, count = 0;
  const char *text = model_text(m, p, &o, &n);
  pith *other = round_handle();
  pith_model *back = NULL;
  if (pith_read_text(other, "graph", facts, strlen(facts), PITH_PROLOG) < 0 ||
      pith_read_text(other, "model", text, n, PITH_PROLOG) < 0)
    round_fail(other, "does not read back", text);
  pith_status rc = pith_model_read(other, NULL, 0, &back);
  if (rc < 0 && rc != PITH_EINPUT) /* a model may have no rule at all */
    round_fail(other, "is not a model again", text);
  if (rc >= 0) {
    const char *second = model_text(back, other, &again, &count);
    if (count_rules(text, n) != count_rules(second, count))
      round_differ(other, text, second);
    ask_all(back, other);
    pith_out_close(again, false);
  }
  pith_model_free(back);
  pith_free(other);
  pith_out_close(o, false);
}

static void learn_from(const uint8_t *data, size_t size, uint8_t how) {
  static grammar g;
  grammar_start(&g, data, size < 90 ? size : 90, 8);
  while (grammar_more(&g))
    grammar_fact(&g, 4);
  pith *p = grammar_read(&g);
  pith_model *m = NULL;
  pith_model_options opt;
  pith_model_defaults(&opt);
  opt.method = PITH_MODEL_RULES;
  opt.max_body = 1 + (how >> 1 & 1);
  opt.support = 1;
  opt.run.jobs = 1;
  pith_status rc = pith_model_learn(p, NULL, &opt, &m);
  if (rc < 0 && rc != PITH_EINPUT && rc != PITH_ENOMEM)
    round_fail(p, "does not learn", g.text);
  if (m != NULL) {
    ask_all(m, p);
    check_read_back(m, p, g.text);
  }
  pith_model_free(m);
  pith_free(p);
}

static void read_as_model(const uint8_t *data, size_t size) {
  pith *p = round_handle();
  pith_model *m = NULL;
  (void)pith_read_text(p, "graph", graph, sizeof graph - 1, PITH_PROLOG);
  if (pith_read_text(p, "model", (const char *)data, size, PITH_PROLOG) >= 0 &&
      pith_model_read(p, NULL, 0, &m) >= 0)
    ask_all(m, p);
  pith_model_free(m);
  pith_free(p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 2)
    return 0;
  if (data[0] % 2 == 0)
    learn_from(data + 1, size - 1, data[0]);
  else
    read_as_model(data + 1, size - 1);
  return 0;
}
