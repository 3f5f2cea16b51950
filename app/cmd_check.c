/* pith check: what was read, what looks wrong, what inference will cost.
**
** Files and task folders named together are one input. A folder that is no
** task is walked, and each thing found in it is an input of its own. */
#include <errno.h>
#include <string.h>

#include "deadline.h"
#include "find_inputs.h"
#include "lint.h"
#include "memory_budget.h"
#include "model_commands.h"
#include "model_session.h"
#include "say_cost.h"
#include "session.h"

/* ---- predicates ------------------------------------------------------- */

typedef struct {
  uint64_t facts;
  size_t rules, pos, neg;
} use;

typedef struct {
  session *s;     /* its handle holds what was read */
  use *uses;      /* (preds) */
  uint32_t *mark; /* (symbols) the last round that saw it */
  uint32_t round;
  size_t place; /* the argument being counted */
  size_t distinct;
  size_t warnings;
} checker;

static int mark_fact(void *ctx, pith_pred pred, const pith_sym *args,
                     size_t n) {
  checker *c = ctx;
  (void)pred;
  (void)n;
  uint32_t *mark = &c->mark[args[c->place]];
  c->distinct += *mark != c->round;
  *mark = c->round;
  return 0;
}

static size_t distinct_at(checker *c, pith_pred pred, size_t place) {
  c->round++;
  c->place = place;
  c->distinct = 0;
  pith_fact_each(c->s->p, pred, PITH_GIVEN, mark_fact, c);
  return c->distinct;
}

static void count_pred_uses(checker *c) {
  const pith *p = c->s->p;
  for (pith_pred i = 0; i < pith_pred_count(p); i++)
    c->uses[i].facts = pith_fact_count(p, i, PITH_GIVEN);
  for (size_t i = 0; i < pith_rule_count(p); i++)
    c->uses[pith_rule_at(p, i)->head.pred].rules++;
  for (size_t i = 0; i < pith_example_count(p); i++) {
    const pith_example *e = pith_example_at(p, i);
    use *u = &c->uses[e->atom.pred];
    *(e->positive ? &u->pos : &u->neg) += 1;
  }
}

static void put_pred_event(checker *c, pith_pred pred) {
  pith_out *o = c->s->out;
  const use *u = &c->uses[pred];
  size_t arity = pith_pred_arity(c->s->p, pred);
  event_begin(o, "predicate");
  event_text(o, "name", pith_pred_name(c->s->p, pred));
  event_count(o, "arity", arity);
  event_count(o, "facts", u->facts);
  event_count(o, "rules", u->rules);
  event_count(o, "positive", u->pos);
  event_count(o, "negative", u->neg);
  event_key(o, "constants");
  pith_out_print(o, "[");
  for (size_t i = 0; i < arity; i++)
    pith_out_print(o, i == 0 ? "%zu" : ",%zu", distinct_at(c, pred, i));
  pith_out_print(o, "]");
  event_end(o);
}

static void put_pred_line(checker *c, pith_pred pred) {
  pith_out *o = c->s->out;
  const use *u = &c->uses[pred];
  size_t arity = pith_pred_arity(c->s->p, pred);
  bool invented = (pith_pred_roles(c->s->p, pred) & PITH_INVENTED) != 0;
  pith_out_print(o, "%% ");
  put_safe(o, pith_pred_name(c->s->p, pred));
  pith_out_print(o, "/%zu:", arity);
  const char *parting = " ";
  if (u->facts > 0) {
    pith_out_print(o, " ");
    put_number(o, u->facts, "fact", "facts");
    for (size_t i = 0; i < arity; i++)
      pith_out_print(o, "%s%zu", i == 0 ? " over " : " x ",
                     distinct_at(c, pred, i));
    if (arity > 0)
      pith_out_print(o, " constants");
    parting = ", ";
  }
  if (u->rules > 0) {
    pith_out_print(o, "%s", parting);
    put_number(o, u->rules, "rule", "rules");
    parting = ", ";
  }
  if (u->pos + u->neg > 0)
    pith_out_print(o, "%s%zu positive and %zu negative %s", parting, u->pos,
                   u->neg, plural(u->neg, "example", "examples"));
  else if (u->facts == 0 && u->rules == 0)
    pith_out_print(o, invented ? " to be invented"
                               : " named, without facts or rules");
  pith_out_print(o, "\n");
}

static void put_preds(checker *c) {
  for (pith_pred i = PITH_BUILTINS; i < pith_pred_count(c->s->p); i++) {
    if (session_json(c->s))
      put_pred_event(c, i);
    else
      put_pred_line(c, i);
  }
}

/* ---- findings and estimate -------------------------------------------- */

static void put_finding(void *ctx, const char *kind, const char *text) {
  checker *c = ctx;
  pith_out *o = c->s->out;
  if (session_json(c->s)) {
    event_begin(o, "warning");
    event_text(o, "kind", kind);
    event_text(o, "text", text);
    event_end(o);
    return;
  }
  pith_out_print(o, "%% warning: ");
  put_safe(o, text);
  pith_out_print(o, "\n");
}

static void put_learning(checker *c) {
  const pith *p = c->s->p;
  size_t templates = pith_template_count(p), rules = 0;
  for (size_t i = 0; i < templates; i++)
    rules += pith_template_at(p, i)->copies;
  if (templates > 0)
    pith_out_print(c->s->out, "%% %zu %s for %zu %s, steps %zu\n", templates,
                   plural(templates, "template", "templates"), rules,
                   plural(rules, "rule", "rules"), pith_template_steps(p));
}

static void put_estimate(checker *c, const pith_estimate *e) {
  pith_out *o = c->s->out;
  char size[SIZE_ROOM], seconds[SIZE_ROOM];
  if (session_json(c->s)) {
    event_begin(o, "estimate");
    event_real(o, "facts", e->facts_bound);
    event_real(o, "bytes", e->bytes);
    event_real(o, "seconds", e->seconds);
    event_end(o);
  } else {
    pith_out_print(o, "%% inference needs at most %.15g %s, %s, %s\n",
                   e->facts_bound, e->facts_bound == 1 ? "fact" : "facts",
                   size_text(size, e->bytes),
                   seconds_text(seconds, e->seconds));
  }
}

/* Facts alone are what pith learn takes for a graph. */
static int put_rank_estimate(checker *c) {
  pith_out *o = c->s->out;
  pith_estimate e;
  char size[SIZE_ROOM], seconds[SIZE_ROOM];
  if (!is_graph(c->s->p) || pith_rule_count(c->s->p) > 0)
    return 0;
  int code = model_estimate(c->s, &e);
  if (code != 0)
    return code;
  if (session_json(c->s)) {
    event_begin(o, "learning");
    event_real(o, "bytes", e.bytes);
    event_real(o, "seconds", e.seconds);
    event_end(o);
  } else {
    pith_out_print(o,
                   "%% learning from this graph takes about %s, %s of one "
                   "core\n",
                   size_text(size, e.bytes), seconds_text(seconds, e.seconds));
  }
  return 0;
}

static void put_check_end(checker *c) {
  pith_out *o = c->s->out;
  if (session_json(c->s)) {
    event_begin(o, "result");
    event_flag(o, "solved", c->warnings == 0);
    event_count(o, "warnings", c->warnings);
    event_count(o, "templates", pith_template_count(c->s->p));
    event_end_result(c->s);
  } else if (c->warnings == 0) {
    pith_out_print(o, "%% nothing looks wrong\n");
  } else {
    pith_out_print(o, "%% %zu %s\n", c->warnings,
                   plural(c->warnings, "warning", "warnings"));
  }
}

/* ---- one input -------------------------------------------------------- */

static int put_report(checker *c) {
  pith_estimate e;
  int code = session_header(c->s);
  if (code != 0)
    return code;
  count_pred_uses(c);
  put_preds(c);
  if (!session_json(c->s))
    put_learning(c);
  size_t found = lint(c->s->p, put_finding, c);
  pith_status rc = pith_infer_cost(c->s->p, &e);
  if (found == SIZE_MAX || rc < 0)
    return session_fail(c->s, PITH_ENOMEM);
  c->warnings += found + pith_remark_warnings(c->s->p);
  put_estimate(c, &e);
  code = put_rank_estimate(c);
  if (pith_example_count(c->s->p) > 0) {
    pith_estimate cost;
    if (pith_learn_cost(&c->s->p, 1, &cost) < 0)
      return session_fail(c->s, PITH_ENOMEM);
    put_cost(c->s, &cost);
  }
  if (code != 0)
    return code;
  put_check_end(c);
  return c->warnings > 0 && c->s->set.strict ? EXIT_MISFIT : EXIT_FITS;
}

static int check_handle(session *s) {
  checker c = {.s = s};
  c.uses = command_zalloc(pith_pred_count(s->p) + 1, sizeof *c.uses);
  c.mark = command_zalloc(pith_sym_count(s->p) + 1, sizeof *c.mark);
  int code = c.uses == NULL || c.mark == NULL ? session_fail(s, PITH_ENOMEM)
                                              : put_report(&c);
  command_free(c.uses);
  command_free(c.mark);
  return code;
}

/* Reads the operands into a handle of their own; the result's place belongs
** to the session's handle, which outlives it. */
static int check_input(session *s, char **inputs, size_t n) {
  session part = *s;
  part.operands = inputs;
  part.operand_count = n;
  part.p = NULL;
  int code = session_new(&part);
  if (code == 0)
    code = session_read(&part, 0);
  if (code == 0)
    code = check_handle(&part);
  pith_free(part.p);
  return code;
}

/* ---- all inputs ------------------------------------------------------- */

static int worse_code(int a, int b) { return a > b ? a : b; }

static int check_folder(session *s, const char *folder) {
  path_list found = {0};
  int code = 0;
  if (!find_inputs(folder, &found)) {
    say_error("%s: cannot be walked: %s",
              found.refused != NULL ? found.refused : folder, strerror(errno));
    code = EXIT_INPUT;
  } else if (found.n == 0) {
    say_error("%s: there is nothing to read in this folder; expected bk.pl, "
              "exs.pl, train.tsv, or files such as .pl, .tsv and .csv",
              folder);
    code = EXIT_INPUT;
  }
  for (size_t i = 0; i < found.n && code != EXIT_LIMIT; i++)
    code = worse_code(code, check_input(s, &found.at[i], 1));
  path_list_free(&found);
  return code;
}

static bool is_searched(const char *path) {
  return is_folder(path) && !is_task_folder(path);
}

static int check_together(session *s) {
  size_t n = 0;
  char **inputs = command_zalloc(s->operand_count, sizeof *inputs);
  if (inputs == NULL)
    return session_fail(s, PITH_ENOMEM);
  for (size_t i = 0; i < s->operand_count; i++)
    if (!is_searched(s->operands[i]))
      inputs[n++] = s->operands[i];
  int code = n > 0 ? check_input(s, inputs, n) : 0;
  command_free(inputs);
  return code;
}

static int run(session *s) {
  deadline_while("checking");
  int code = session_open(s);
  if (code != 0)
    return code;
  code = check_together(s);
  for (size_t i = 0; code != EXIT_LIMIT && i < s->operand_count; i++)
    if (is_searched(s->operands[i]))
      code = worse_code(code, check_folder(s, s->operands[i]));
  return code == EXIT_LIMIT ? code : session_finish(s, code);
}

const command command_check = {
    .name = "check",
    .operands = "INPUT...",
    .least = 1,
    .formats = "prolog json",
    .summary = "What an input holds and what looks wrong",
    .about =
        "Reads everything named as one input and prints how many facts, rules, "
        "examples and constants each predicate has; what looks wrong although "
        "it can be read, such as a predicate that no fact or rule defines; and "
        "how much time and memory inference and learning will take.",
    .details =
        "If a folder is not a task, check looks for tasks and files in it and "
        "checks each on its own.",
    .examples = "pith check data/ilp/grandparent\n"
                "pith check --strict rules.pl facts.pl",
    .run = run,
};
