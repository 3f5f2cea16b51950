/* Questions to a graph model: pith infer --top, and pith explain. */
#include <math.h>

#include "conjunctive_query.h"
#include "deadline.h"
#include "memory_budget.h"
#include "model_commands.h"
#include "progress.h"
#include "report_events.h"

/* ---- queries ---------------------------------------------------------- */

/* In three digits, so that what is improbable is not called impossible. */
static void put_probability(pith_out *o, double p) {
  pith_out_print(o, p == 0 || p >= 0.001 ? "%.3f" : "%.2g", p);
}

enum { REASONS = 5 };

static int put_reason(void *ctx, const pith_reason *r) {
  const session *s = ctx;
  pith_out_print(s->out, "%%     ");
  pith_rule_write(s->p, r->rule, s->out);
  if (!isnan(r->weight))
    pith_out_print(s->out, "  %% adds %.2f to the log-odds", r->weight);
  pith_out_print(s->out, "\n%%       as ");
  for (size_t i = 0; i < r->atoms; i++) {
    pith_out_print(s->out, i == 0 ? "" : ", ");
    pith_atom_write(s->p, &r->grounding[i], s->out);
  }
  if (r->groundings > 1)
    pith_out_print(s->out, ", and %llu more",
                   (unsigned long long)(r->groundings - 1));
  pith_out_print(s->out, "\n");
  return 0;
}

static int put_reason_event(void *ctx, const pith_reason *r) {
  const session *s = ctx;
  pith_out *text = NULL;
  pith_rule plain = *r->rule;
  plain.probability = 0;
  if (pith_out_memory(s->p, &text) < 0)
    return 1;
  pith_rule_write(s->p, &plain, text);
  event_begin(s->out, "reason");
  event_text(s->out, "rule", pith_out_text(text, NULL));
  event_real(s->out, "confidence", r->rule->probability);
  if (!isnan(r->weight))
    event_real(s->out, "weight", r->weight);
  event_count(s->out, "groundings", r->groundings);
  event_key(s->out, "grounding");
  pith_out_close(text, false);
  for (size_t i = 0; i < r->atoms; i++) {
    pith_out_print(s->out, i == 0 ? "[" : ",");
    if (pith_out_memory(s->p, &text) < 0)
      return 1;
    pith_atom_write(s->p, &r->grounding[i], text);
    pith_out_quote(s->out, pith_out_text(text, NULL));
    pith_out_close(text, false);
  }
  pith_out_print(s->out, "]");
  event_end(s->out);
  return 0;
}

static pith_status put_answer_event(const session *s, const pith_atom *fact,
                                    size_t rank, const pith_answer *a) {
  pith_out *text = NULL;
  pith_status rc = pith_out_memory(s->p, &text);
  if (rc >= 0)
    rc = pith_atom_write(s->p, fact, text);
  if (rc >= 0) {
    event_begin(s->out, "answer");
    event_count(s->out, "rank", rank);
    event_text(s->out, "text", pith_out_text(text, NULL));
    event_atom(s->out, s->p, fact);
    event_real(s->out, "probability", a->probability);
    event_key(s->out, "score"); /* in full: equal texts are equal scores */
    pith_out_print(s->out, "%.17g", a->score);
    event_count(s->out, "rules", a->rules);
    event_end(s->out);
  }
  pith_out_close(text, false);
  return rc;
}

bool model_puts_rows(const session *s) {
  return text_is(s->set.format, "tsv") || text_is(s->set.format, "csv");
}

/* subject, predicate, object, probability */
static void put_answer_row(const session *s, const pith_atom *fact,
                           const pith_answer *a) {
  bool csv = text_is(s->set.format, "csv");
  const char *cells[] = {pith_sym_text(s->p, fact->args[0]),
                         pith_pred_name(s->p, fact->pred),
                         pith_sym_text(s->p, fact->args[1])};
  for (int i = 0; i < 3; i++) {
    (csv ? put_csv_cell : put_safe)(s->out, cells[i]);
    pith_out_print(s->out, csv ? "," : "\t");
  }
  put_probability(s->out, a->probability);
  pith_out_print(s->out, "\n");
}

static pith_status put_answer(session *s, pith_model *m, const pith_atom *query,
                              size_t rank, const pith_answer *a) {
  pith_term args[2] = {query->args[0], query->args[1]};
  pith_atom fact = {.pred = query->pred, .arity = 2, .args = args};
  pith_status rc = PITH_OK;
  args[PITH_IS_VAR(args[0]) ? 0 : 1] = a->answer;
  if (session_json(s)) {
    rc = put_answer_event(s, &fact, rank, a);
  } else if (model_puts_rows(s)) {
    put_answer_row(s, &fact, a);
  } else {
    rc = pith_atom_write(s->p, &fact, s->out);
    pith_out_print(s->out, ".");
    if (session_comments(s)) {
      pith_out_print(s->out, "  %% %zu, probability ", rank);
      put_probability(s->out, a->probability);
      pith_out_print(s->out, ", ");
      put_number(s->out, a->rules, "rule", "rules");
    }
    pith_out_print(s->out, "\n");
  }
  if (rc < 0 || !(s->set.explain || s->reporting))
    return rc;
  return pith_model_reasons(m, query, a->answer, REASONS,
                            session_json(s) ? put_reason_event : put_reason, s);
}

static void put_answers_end(const session *s, size_t n) {
  if (session_json(s)) {
    event_begin(s->out, "result");
    event_flag(s->out, "solved", n > 0);
    event_text(s->out, "ended", ending_word(s->end));
    event_count(s->out, "answers", n);
    event_end_result(s);
  }
}

pith_status put_each_answer(session *s, pith_model *m, const pith_atom *query,
                            const pith_answer *answers, size_t n) {
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc >= 0 && i < n; i++)
    rc = put_answer(s, m, query, i + 1, &answers[i]);
  if (rc >= 0 && n == 0 && session_comments(s))
    pith_out_print(s->out, "%% no rule predicts an answer that is not a "
                           "fact already\n");
  return rc;
}

static pith_status put_all_answers(session *s, pith_model *m,
                                   const pith_atom *query,
                                   const pith_answer *answers, size_t n) {
  pith_status rc = put_each_answer(s, m, query, answers, n);
  if (rc >= 0)
    put_answers_end(s, n);
  return rc;
}

pith_status read_asked_model(const session *s, pith_model **out) {
  pith_status rc = pith_model_read(s->p, NULL, 0, out);
  uint64_t unused = rc < 0 ? 0 : pith_model_info_of(*out)->unused;
  if (unused > 0 && !s->set.quiet)
    say_warning(
        "%llu %s cannot be used: it names what the graph does not "
        "have, or its body is not a path of binary atoms such as "
        "b(X,A), c(A,Y), with a comparison at the end if there is one",
        (unsigned long long)unused,
        plural(unused, "rule with a probability", "rules with probabilities"));
  return rc;
}

void put_meaning(const session *s, const pith_model_info *i) {
  char share[SIZE_ROOM];
  if (text_is(s->set.format, "csv"))
    pith_out_print(s->out, "subject,predicate,object,probability\n");
  if (session_json(s) || !session_comments(s) || i->method != PITH_MODEL_RULES)
    return;
  if (isnan(i->missing))
    pith_out_print(s->out, "%% probability: of the rules together, each taken "
                           "at its word\n");
  else
    pith_out_print(s->out,
                   "%% probability: that the atom is true, where %s %% of all "
                   "facts are missing (%s)\n",
                   ratio_text(share, 100 * i->missing),
                   i->missing_told ? "by the held-out facts"
                                   : "an estimate from the graph");
}

static int put_answers(session *s, pith_model *m, const pith_atom *query) {
  const pith_answer *found;
  size_t n;
  put_meaning(s, pith_model_info_of(m));
  pith_status rc = pith_model_ask(m, query, s->set.top, &found, &n);
  pith_answer *answers = rc < 0 ? NULL : command_zalloc(n + 1, sizeof *answers);
  if (rc >= 0 && answers == NULL)
    rc = PITH_ENOMEM;
  for (size_t i = 0; rc >= 0 && i < n; i++)
    answers[i] = found[i]; /* reasons are questions too */
  if (rc >= 0)
    rc = put_all_answers(s, m, query, answers, n);
  if (rc >= 0 && report_turn(s)) {
    rc = put_all_answers(s, m, query, answers, n);
    report_turn(s);
  }
  command_free(answers);
  return rc < 0 ? session_fail(s, rc)
                : session_finish(s, n > 0 ? EXIT_FITS : EXIT_MISFIT);
}

int model_infer(session *s, const pith_atom *query) {
  pith_model *m = NULL;
  deadline_while("ranking answers");
  int code = session_start(s);
  double began = seconds_now();
  s->did = "ranked";
  if (code == 0) {
    pith_status rc = read_asked_model(s, &m);
    note_strangers(s, query);
    s->info.seconds = seconds_now() - began;
    code = rc < 0 ? session_fail(s, rc) : put_answers(s, m, query);
  }
  pith_model_free(m);
  return code;
}

/* ---- why one atom ----------------------------------------------------- */

/* Of a graph: no atom of it has other than two arguments. */
static bool is_binary_rule(const pith_rule *r) {
  bool binary = r->head.arity == 2;
  for (uint32_t i = 0; i < r->body_len; i++)
    binary = binary && r->body[i].arity == 2;
  return binary;
}

/* Rules that are certain are for proofs. */
bool model_explains(const pith *p, const pith_atom *atom) {
  bool any = false, of_graph = pith_fact_count(p, atom->pred, PITH_GIVEN) > 0;
  for (size_t i = 0; i < pith_rule_count(p); i++) {
    const pith_rule *r = pith_rule_at(p, i);
    if (r->head.pred == atom->pred && r->probability == 0)
      return false;
    any = any || r->probability > 0;
    of_graph = of_graph || (r->head.pred == atom->pred && is_binary_rule(r));
  }
  return any && atom->arity == 2 && of_graph;
}

/* The atom as an answer to its query for the object, or, where that leads
** nowhere, for the subject. */
typedef struct {
  pith_term args[2];
  pith_atom query;
  const pith_answer *answers; /* best first */
  size_t n, place;            /* place: from 1; 0: nothing speaks for it */
  pith_sym own;               /* the argument that is asked for          */
} atom_answer;

static const pith_answer *own_answer(const atom_answer *a) {
  return &a->answers[a->place - 1];
}

/* Answers before it, and others that nothing tells from it. */
static void count_rivals(const atom_answer *a, size_t *before, size_t *equal) {
  const pith_answer *own = own_answer(a);
  *before = *equal = 0;
  for (size_t i = 0; i < a->n; i++) {
    const pith_answer *b = &a->answers[i];
    bool same = b->probability == own->probability && b->score == own->score;
    *before += !same && i + 1 < a->place;
    *equal += same && i + 1 != a->place;
  }
}

static pith_status find_answer_at(pith_model *m, const pith_atom *atom,
                                  int place, atom_answer *out) {
  *out = (atom_answer){.args = {atom->args[0], atom->args[1]},
                       .own = atom->args[place]};
  out->args[place] = PITH_VAR(0);
  out->query = (pith_atom){.pred = atom->pred, .arity = 2, .args = out->args};
  pith_status rc =
      pith_model_ask(m, &out->query, SIZE_MAX, &out->answers, &out->n);
  for (size_t i = 0; rc >= 0 && out->place == 0 && i < out->n; i++)
    if (out->answers[i].answer == out->own)
      out->place = i + 1;
  return rc;
}

static pith_status find_answer(pith_model *m, const pith_atom *atom,
                               atom_answer *out) {
  pith_status rc = find_answer_at(m, atom, 1, out);
  if (rc >= 0 && out->place == 0)
    rc = find_answer_at(m, atom, 0, out);
  out->query.args = out->args;
  if (rc >= 0 && out->place > 0 && PITH_IS_VAR(out->args[0]) &&
      own_answer(out)->rules == 0)
    out->place = 0; /* it is there only as one of all */
  return rc;
}

enum { RIVALS = 3 };

/* What speaks against it: answers that are likelier. */
static void put_rivals(const session *s, const pith_atom *atom,
                       const atom_answer *a) {
  size_t n = 0;
  while (n < RIVALS && n < a->n &&
         a->answers[n].probability > own_answer(a)->probability)
    n++;
  for (size_t i = 0; i < n; i++) {
    pith_term args[2] = {a->args[0], a->args[1]};
    args[PITH_IS_VAR(args[0]) ? 0 : 1] = a->answers[i].answer;
    pith_atom rival = {.pred = atom->pred, .arity = 2, .args = args};
    pith_out_print(s->out, i == 0 ? "%% likelier: " : ", ");
    pith_atom_write(s->p, &rival, s->out);
    pith_out_print(s->out, " (");
    put_probability(s->out, a->answers[i].probability);
    pith_out_print(s->out, ")");
  }
  if (n > 0)
    pith_out_print(s->out, "\n");
}

/* ---- how the probability comes about ---------------------------------- */

typedef struct {
  const session *s;
  double probability;
  size_t n;
} clue_list;

static int put_clue(void *ctx, const pith_clue *c) {
  clue_list *l = ctx;
  pith_out *o = l->s->out;
  if (l->n++ == 0) {
    pith_out_print(o, "%% how ");
    put_probability(o, l->probability);
    pith_out_print(o, " comes about: these add up to its log-odds; those "
                      "below 0 speak against it\n");
  }
  pith_out_print(o, "%%     %+7.2f  %s\n", c->adds, c->what);
  return 0;
}

static void put_most(const clue_list *l) {
  if (l->n == 0 || l->probability < 0.999)
    return;
  pith_out_print(l->s->out, "%% nothing is certain: no more than ");
  put_probability(l->s->out, l->probability);
  pith_out_print(l->s->out, " is said\n");
}

static int put_clue_event(void *ctx, const pith_clue *c) {
  const session *s = ctx;
  event_begin(s->out, "clue");
  event_text(s->out, "what", c->what);
  event_real(s->out, "value", c->value);
  event_real(s->out, "adds", c->adds);
  event_end(s->out);
  return 0;
}

static pith_status put_clues(session *s, pith_model *m, const atom_answer *a,
                             double probability) {
  clue_list list = {.s = s, .probability = probability};
  bool json = session_json(s);
  pith_status rc =
      pith_model_clues(m, &a->query, a->own, json ? put_clue_event : put_clue,
                       json ? (void *)s : &list);
  put_most(&list);
  return rc;
}

static void put_place(pith_out *o, const atom_answer *a) {
  size_t before, equal;
  count_rivals(a, &before, &equal);
  pith_out_print(o, ": answer %zu of %zu", before + 1, a->n);
  if (equal > 0) {
    pith_out_print(o, ", equal to ");
    put_number(o, equal, "other", "others");
  }
  pith_out_print(o, ", probability ");
}

static pith_status put_why_text(session *s, pith_model *m,
                                const pith_atom *atom, const atom_answer *a) {
  pith_out *o = s->out;
  put_meaning(s, pith_model_info_of(m));
  pith_out_print(o, "%% ");
  pith_atom_write(s->p, atom, o);
  if (a->place == 0) {
    pith_out_print(o, ": no rule of the model predicts it\n");
    return PITH_OK;
  }
  const pith_answer own = *own_answer(a); /* reasons ask anew */
  put_place(o, a);
  put_probability(o, own.probability);
  pith_out_print(o, "; ");
  if (own.rules == 0)
    pith_out_print(o, "no rule speaks");
  else
    put_number(o, own.rules, "rule speaks", "rules speak");
  pith_out_print(o, " for it%s\n",
                 own.rules > REASONS ? ", the strongest:" : "");
  put_rivals(s, atom, a);
  pith_status rc =
      pith_model_reasons(m, &a->query, a->own, REASONS, put_reason, s);
  return rc < 0 ? rc : put_clues(s, m, a, own.probability);
}

static pith_status put_why_events(session *s, pith_model *m,
                                  const pith_atom *atom, const atom_answer *a) {
  pith_status rc = PITH_OK;
  bool likely = a->place > 0 && own_answer(a)->probability >= 0.5;
  if (a->place > 0) {
    pith_answer own = *own_answer(a);
    size_t before, equal;
    count_rivals(a, &before, &equal);
    rc = put_answer_event(s, atom, before + 1, &own);
    if (rc >= 0)
      rc = pith_model_reasons(m, &a->query, a->own, REASONS, put_reason_event,
                              s);
    if (rc >= 0)
      rc = put_clues(s, m, a, own.probability);
  }
  event_begin(s->out, "result");
  event_flag(s->out, "solved", likely);
  event_text(s->out, "ended", ending_word(s->end));
  event_end_result(s);
  return rc;
}

static int put_why(session *s, const pith_atom *atom) {
  pith_model *m = NULL;
  atom_answer a = {.place = 0};
  double began = seconds_now();
  pith_status rc = read_asked_model(s, &m);
  if (rc >= 0)
    rc = find_answer(m, atom, &a);
  bool likely = rc >= 0 && a.place > 0 && own_answer(&a)->probability >= 0.5;
  s->info.seconds = seconds_now() - began;
  if (rc >= 0)
    rc = session_json(s) ? put_why_events(s, m, atom, &a)
                         : put_why_text(s, m, atom, &a);
  if (rc >= 0 && report_turn(s)) {
    rc = put_why_events(s, m, atom, &a);
    report_turn(s);
  }
  pith_model_free(m);
  return rc < 0 ? session_fail(s, rc)
                : session_finish(s, likely ? EXIT_FITS : EXIT_MISFIT);
}

/* A fact of the graph needs no rule; nothing is inferred to say so. */
static pith_status put_given_proof(session *s, const pith_atom *atom) {
  pith_out *text = NULL;
  pith_status rc = pith_out_memory(s->p, &text);
  if (rc >= 0)
    rc = pith_atom_write(s->p, atom, text);
  if (rc >= 0 && session_json(s)) {
    event_begin(s->out, "proof");
    event_text(s->out, "atom", pith_out_text(text, NULL));
    event_flag(s->out, "holds", true);
    event_count(s->out, "steps", 0);
    event_count(s->out, "size", 0);
    event_key(s->out, "nodes");
    pith_out_print(s->out, "[{\"node\":0,\"atom\":");
    pith_out_quote(s->out, pith_out_text(text, NULL));
    pith_out_print(s->out, ",\"given\":true}]");
    event_end(s->out);
    event_begin(s->out, "result");
    event_flag(s->out, "solved", true);
    event_text(s->out, "ended", ending_word(s->end));
    event_count(s->out, "steps", 0);
    event_count(s->out, "size", 0);
    event_end_result(s);
  } else if (rc >= 0) {
    pith_out_print(s->out, "%s.\n%% %s  given\n", pith_out_text(text, NULL),
                   pith_out_text(text, NULL));
  }
  pith_out_close(text, false);
  return rc;
}

static int put_given(session *s, const pith_atom *atom) {
  pith_status rc = put_given_proof(s, atom);
  if (rc >= 0 && report_turn(s)) {
    rc = put_given_proof(s, atom);
    report_turn(s);
  }
  return rc < 0 ? session_fail(s, rc) : session_finish(s, EXIT_FITS);
}

int model_explain(session *s, const pith_atom *atom) {
  if (text_is(s->set.format, "dot")) {
    say_error("--format dot draws proofs, and the rules for this atom have "
              "probabilities; use text or json");
    return EXIT_USE;
  }
  deadline_while("looking for reasons");
  int code = session_start(s);
  s->did = "explained";
  if (code != 0)
    return code;
  note_strangers(s, atom);
  return pith_fact_holds(s->p, atom->pred, atom->args, 2) ? put_given(s, atom)
                                                          : put_why(s, atom);
}
