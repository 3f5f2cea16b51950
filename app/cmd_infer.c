/* pith infer: what follows from a theory and was not given. */
#include <string.h>

#include "conjunctive_query.h"
#include "find_inputs.h"
#include "model_commands.h"
#include "model_session.h"
#include "select_facts.h"
#include "session.h"

typedef struct {
  pith_part part;
  const pith_atom *pattern; /* or NULL */
  conjunction asked;        /* what the pattern stands for, if it has a name */
} selection;

static pith_format fact_format(const session *s) {
  return session_json(s)                     ? PITH_JSON
         : strcmp(s->set.format, "tsv") == 0 ? PITH_TRIPLES
         : strcmp(s->set.format, "csv") == 0 ? PITH_CSV
                                             : PITH_PROLOG;
}

static int put_facts(const session *s, const selection *sel) {
  if (strcmp(s->set.format, "csv") == 0 && sel->pattern != NULL) {
    pith_status rc =
        conjunction_put_csv(s->p, sel->part, &sel->asked, sel->pattern, s->out);
    return rc < 0 ? session_fail(s, rc) : 0;
  }
  if (sel->pattern == NULL && !s->set.sort) {
    pith_status rc = pith_facts_write(s->p, sel->part, fact_format(s), s->out);
    return rc < 0 ? session_fail(s, rc) : 0;
  }
  pith *chosen = NULL;
  int code = 0;
  pith_status rc =
      select_facts(s->p, sel->part, sel->pattern, s->set.sort, &chosen);
  if (rc < 0)
    return session_fail(s, rc);
  rc = pith_facts_write(chosen, PITH_GIVEN, fact_format(s), s->out);
  if (rc < 0) {
    session of_chosen = {.set = s->set, .p = chosen};
    code = session_fail(pith_error(chosen)[0] != '\0' ? &of_chosen : s, rc);
  }
  pith_free(chosen);
  return code;
}

/* ---- --count ---------------------------------------------------------- */

typedef struct {
  const pith_atom *pattern;
  uint64_t n;
} tally;

static int visit_counting(void *ctx, pith_pred pred, const pith_sym *args,
                          size_t n) {
  tally *t = ctx;
  (void)pred;
  t->n += fact_matches(t->pattern, args, n);
  return 0;
}

static uint64_t count_of(const session *s, const selection *sel, pith_pred pred,
                         pith_part part) {
  if (sel->pattern == NULL)
    return pith_fact_count(s->p, pred, part);
  tally t = {.pattern = sel->pattern};
  if (sel->pattern->pred == pred)
    pith_fact_each(s->p, pred, part, visit_counting, &t);
  return t.n;
}

static void put_count(const session *s, pith_pred pred, uint64_t given,
                      uint64_t derived) {
  const char *name = pith_pred_name(s->p, pred);
  size_t arity = pith_pred_arity(s->p, pred);
  if (session_json(s)) {
    event_begin(s->out, "count");
    event_text(s->out, "predicate", name);
    event_count(s->out, "arity", arity);
    event_count(s->out, "given", given);
    event_count(s->out, "derived", derived);
    event_end(s->out);
    return;
  }
  bool tsv = strcmp(s->set.format, "tsv") == 0;
  if (!tsv)
    pith_out_print(s->out, "%% ");
  put_safe(s->out, name);
  pith_out_print(
      s->out, tsv ? "/%zu\t%llu\t%llu\n" : "/%zu: %llu given, %llu derived\n",
      arity, (unsigned long long)given, (unsigned long long)derived);
}

static void put_counts(const session *s, const selection *sel) {
  for (pith_pred i = 0; i < pith_pred_count(s->p); i++) {
    uint64_t given = count_of(s, sel, i, PITH_GIVEN);
    uint64_t derived = count_of(s, sel, i, PITH_DERIVED);
    if (derived > 0 || (given > 0 && sel->part == PITH_ALL))
      put_count(s, i, given, derived);
  }
}

/* ---- the end ---------------------------------------------------------- */

static void put_infer_end(const session *s) {
  const pith_infer_info *info = &s->info;
  if (session_json(s)) {
    event_begin(s->out, "result");
    event_flag(s->out, "solved", s->end == END_COMPLETE);
    event_text(s->out, "ended", ending_word(s->end));
    event_count(s->out, "given", info->given);
    event_count(s->out, "derived", info->derived);
    event_count(s->out, "rounds", info->steps);
    event_end_result(s);
  } else if (session_comments(s)) {
    pith_out_print(s->out, "%% derived ");
    put_number(s->out, info->derived, "fact", "facts");
    if (s->set.steps > 0) {
      pith_out_print(s->out, " in ");
      put_number(s->out, info->steps, "step", "steps");
    }
    pith_out_print(s->out, ": %s\n", ending_text(s->end));
  }
}

/* The query is read before anything is inferred: reading may add names. */
static int read_query(session *s, selection *sel) {
  bool csv = strcmp(s->set.format, "csv") == 0;
  if (csv && s->set.count) {
    say_error("--to csv is for facts and answers, not for --count");
    return EXIT_USE;
  }
  if (model_puts_rows(s) && s->set.top > 0 && s->set.explain) {
    say_error("--explain needs --format text or json: rules are no columns "
              "of a table");
    return EXIT_USE;
  }
  if (s->set.query == NULL)
    return 0;
  if (s->set.top == 0 && (csv || is_conjunction(s->set.query)))
    return conjunction_add(s, &sel->asked, &sel->pattern);
  size_t remarks = pith_remark_count(s->p), preds = pith_pred_count(s->p);
  pith_status rc = pith_atom_read(s->p, s->set.query, &sel->pattern);
  if (rc == PITH_ENOMEM)
    return session_fail(s, rc);
  if (rc < 0)
    return session_refuse(s, remarks);
  pith_pred pred = sel->pattern->pred;
  if (pred >= preds && !s->set.quiet)
    say_warning("--query: nothing that was read names %s/%zu",
                pith_pred_name(s->p, pred), pith_pred_arity(s->p, pred));
  return 0;
}

/* The query may also be the last operand. */
static void take_query_operand(session *s) {
  size_t last = s->operand_count - 1;
  if (s->set.query != NULL || s->set.queries != NULL || last == 0 ||
      !is_atom_operand(s->operands[last]))
    return;
  s->set.query = s->operands[last];
  s->set.given[option_find("query") - options] = true;
  s->operand_count = last;
}

static int check_top(session *s) {
  static const char top_says[] = "with --top, which ranks answers that are not "
                                 "facts already";
  if (s->set.top == 0 && s->set.explain) {
    say_error("--explain is for --top; pith explain proves what follows");
    return EXIT_USE;
  }
  if (s->set.queries != NULL && s->set.top == 0) {
    say_error("--queries is for --top K, which ranks answers");
    return EXIT_USE;
  }
  if (s->set.queries != NULL &&
      settings_refuse(&s->set, "query report", "with --queries") != 0)
    return EXIT_USE;
  if (s->set.queries != NULL)
    return settings_refuse(&s->set, "all count sort steps", top_says);
  if (s->set.top > 0 &&
      settings_refuse(&s->set, "all count sort steps", top_says) != 0)
    return EXIT_USE;
  if (s->set.top > 0 && s->set.query == NULL) {
    say_error("--top needs a query such as 'likes(ann,X)' behind the files, or "
              "--query, or a file of them: --queries");
    return EXIT_USE;
  }
  return 0;
}

static int run(session *s) {
  selection sel = {.part = s->set.all ? PITH_ALL : PITH_DERIVED};
  take_query_operand(s);
  int code = check_top(s);
  if (code == 0 && s->set.top == 0)
    code = settings_refuse(&s->set, "report", "without --top");
  if (code == 0 && s->set.queries == NULL)
    code = settings_refuse(&s->set, "checkpoint jobs", "without --queries");
  if (code == 0)
    code = session_share(s);
  if (code == 0)
    code = session_read(s, 0);
  if (code == 0)
    code = read_query(s, &sel);
  if (code == 0 && s->set.queries != NULL)
    return model_infer_all(s);
  if (code == 0 && s->set.top > 0)
    return model_infer(s, sel.pattern);
  if (code == 0 && is_model(s->p) && !s->set.quiet)
    say_warning("infer ignores the probabilities of rules; --top ranks answers "
                "by them");
  if (code == 0 && pith_rule_count(s->p) == 0 && !s->set.quiet)
    say_warning("no rules were read, so nothing follows");
  if (code == 0)
    code = session_warn_undefined(s);
  if (code == 0)
    code = session_start(s);
  if (code == 0)
    code = session_infer(s);
  if (code == 0 && s->set.count)
    put_counts(s, &sel);
  else if (code == 0)
    code = put_facts(s, &sel);
  if (code != 0)
    return code;
  put_infer_end(s);
  return session_finish(s, ending_code(s, EXIT_FITS));
}

const command command_infer = {
    .name = "infer",
    .operands = "THEORY [FACTS...]",
    .least = 1,
    .formats = "prolog tsv csv json",
    .summary = "What follows and was not given",
    .about =
        "Applies the rules in all the files and folders named to the facts in "
        "them until nothing new follows, and prints the new facts in the order "
        "derived. With --top K it ranks answers instead, by a model that learn "
        "made from a graph.",
    .details =
        "A step applies all rules at once to what is known. With --timeout or "
        "on Ctrl-C, pith prints what was derived so far. The same input gives "
        "the same bytes.\n\n"
        "A query may be a conjunction, such as under(ann,X), dept(X,Y), with "
        "\\+ and comparisons: then the answers are facts of the predicate "
        "answer, "
        "and --to csv prints them as a table.\n\n"
        "--top K needs a query with one variable, such as likes(ann,X). Its "
        "probabilities say how likely the atom is true in a world where facts "
        "may be missing: as many as valid.tsv had when the model was learned, "
        "or else as many as the graph itself suggests. If a relation "
        "is complete, new answers are improbable. pith "
        "prints the K most likely answers that are not facts already, each "
        "with its probability. With --explain, also the rules "
        "behind it. --queries FILE asks many questions in one run, one per "
        "line, and shares them out to threads, or to the processes of mpirun; "
        "the answers come in the order of the queries.",
    .examples =
        "pith infer rules.pl facts.pl\n"
        "pith infer --query 'reach(a,X)' graph.pl\n"
        "pith infer --query 'under(ann,X), dept(X,Y)' --to csv firm.pl\n"
        "pith infer --count --memory 2G graph.pl\n"
        "pith infer --top 5 model.pl graph.tsv 'likes(ann,X)'\n"
        "pith infer --top 5 model.pl graph.tsv --queries queries.pl",
    .run = run,
};
