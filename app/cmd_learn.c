/* pith learn: rules from background and examples.
**
** Every operand is a world: constants, facts and examples of its own, with a
** handle of its own. The first one's templates say how rules may look. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "find_inputs.h"
#include "grade.h"
#include "learn_cost.h"
#include "links.h"
#include "lint.h"
#include "paper.h"
#include "print_learned.h"
#include "progress.h"

/* ---- reading ---------------------------------------------------------- */

static bool is(const char *text, const char *word) {
  return text != NULL && strcmp(text, word) == 0;
}

static int read_templates(session *s) {
  if (s->set.templates == NULL)
    return 0;
  pith_template_clear(s->p);
  if (is(s->set.templates, "none"))
    return 0;
  int code = session_read_one(s, s->set.templates, PITH_TEMPLATES);
  if (code != 0 || pith_template_count(s->p) > 0)
    return code;
  say_error(
      "%s: there are no templates in it; a template is a rule whose "
      "predicates are open, such as F(X,Y) <- F(X,Z), F(Z,Y); --templates "
      "none learns without any",
      s->set.templates);
  return EXIT_INPUT;
}

static int read_world(learning *l, size_t i) {
  session *s = &l->worlds[i].s;
  *s = *l->s;
  s->p = NULL;
  s->operands += i;
  s->operand_count = l->world_count > 1 ? 1 : s->operand_count;
  s->memory = s->set.memory > 0 ? &l->memory : NULL;
  s->world = l->world_count > 1 ? s->operands[0] : NULL;
  int code = session_new(s);
  if (code == 0)
    code = session_read(s, 0);
  if (code == 0 && l->world_count == 1 && links_is_graph(s->p) &&
      s->set.templates == NULL && !has_file(s->operands[0], "exs.pl")) {
    l->graph = true;
    return 0;
  }
  if (code == 0 && pith_example_count(s->p) == 0 &&
      has_file(s->operands[0], "exs.pl")) {
    say_error("%s/exs.pl: there are no examples in it to learn from; write "
              "pos(..) and neg(..)",
              s->operands[0]);
    code = EXIT_INPUT;
  } else if (code == 0 && pith_example_count(s->p) == 0) {
    say_error("%s: there are no examples to learn from; write pos(..) and "
              "neg(..), or name a folder with exs.pl; every operand is a "
              "world of its own",
              s->operands[0]);
    code = EXIT_INPUT;
  }
  return code == 0 && i == 0 ? read_templates(s) : code;
}

static int read_worlds(learning *l) {
  /* Tables with a label describe the same things: one world. */
  l->world_count = l->s->set.label != NULL ? 1 : l->s->operand_count;
  l->limit.limit = (size_t)l->s->set.memory;
  l->memory = memory_budget_allocator(&l->limit);
  l->worlds = calloc(l->world_count, sizeof *l->worlds);
  if (l->worlds == NULL)
    return session_fail(l->s, PITH_ENOMEM);
  int code = 0;
  for (size_t i = 0; i < l->world_count && code != EXIT_LIMIT; i++) {
    int failed = read_world(l, i);
    code = failed != 0 ? failed : code;
  }
  return code;
}

static void free_worlds(learning *l) {
  pith_learned_free(l->found);
  if (l->graph) /* the one world has the result itself, if it failed */
    pith_out_close(l->worlds[0].s.out, false);
  for (size_t i = 0; l->worlds != NULL && i < l->world_count; i++)
    pith_free(l->worlds[i].s.p);
  free(l->worlds);
}

/* ---- settings --------------------------------------------------------- */

static int check_settings(const settings *set) { return check_paper(set); }

static void take_settings(learning *l) {
  const settings *set = &l->s->set;
  pith_learn_options *o = &l->opt;
  pith_learn_defaults(o);
  o->run.seed = set->seed > 0 ? set->seed : o->run.seed;
  o->restarts = set->restarts > 0 ? set->restarts : o->restarts;
  o->keep = set->keep > 0 ? set->keep : o->keep;
  o->epochs = set->epochs;
  o->steps = set->steps;
  o->run.jobs = set->jobs;
  o->rate = set->rate;
  o->search = is(set->search, "on");
  o->go_on = set->go_on;
  o->semantics = is(set->semantics, "paper") ? PITH_PAPER : PITH_BEST;
  o->onehot = is(set->embeddings, "onehot");
  o->minimum = is(set->conjunction, "minimum");
  o->clamp = set->clamp;
  o->max_rules = set->max_rules;
  o->max_body = set->max_body;
  o->max_vars = set->max_vars;
  if (!is(set->max_invented, "any"))
    o->max_invented = (uint32_t)strtoul(set->max_invented, NULL, 10);
  o->constants = set->constants;
  o->noisy = set->noisy;
  o->method = is(set->method, "clauses")    ? PITH_METHOD_SEARCH
              : is(set->method, "gradient") ? PITH_METHOD_GRADIENT
                                            : PITH_METHOD_AUTO;
  o->run.seconds = set->timeout;
  o->checkpoint = set->checkpoint;
  pith_learn_fill(l->worlds[0].s.p, o);
}

/* The result tells what is used, also where nothing was asked for. */
static void tell_settings(learning *l) {
  settings *set = &l->s->set;
  set->keep = l->opt.keep;
  if (l->templates || l->opt.max_invented == PITH_NONE)
    set->max_invented = NULL;
  if (!l->templates)
    set->semantics = set->embeddings = set->conjunction = NULL;
  else
    set->method = NULL;
  if (!l->templates && l->opt.method == PITH_METHOD_SEARCH) {
    set->seed = set->restarts = set->epochs = set->steps = 0;
    set->search = NULL;
    return;
  }
  set->seed = (uint32_t)l->opt.run.seed;
  set->restarts = l->opt.restarts;
  set->epochs = l->opt.epochs;
  set->steps = l->opt.steps;
  set->rate = l->opt.rate;
  if (l->opt.semantics == PITH_BEST)
    set->embeddings = set->conjunction = NULL;
}

static size_t rules_allowed(const pith *p) {
  size_t n = 0;
  for (size_t i = 0; i < pith_template_count(p); i++)
    n += pith_template_at(p, i)->copies;
  return n;
}

static int put_start(learning *l) {
  pith_estimate sum = {0};
  int code = session_open(l->s);
  for (size_t i = 0; code == 0 && i < l->world_count; i++) {
    session *w = &l->worlds[i].s;
    pith_estimate e;
    pith_status rc = pith_estimate_infer(w->p, &e);
    if (rc < 0)
      return session_fail(w, rc);
    sum.constants += e.constants;
    sum.facts += e.facts;
    sum.rules += e.rules;
    sum.examples += e.examples;
    w->out = l->s->out;
  }
  if (code != 0)
    return code;
  size_t rules = rules_allowed(l->worlds[0].s.p);
  session_preface(l->s, &sum);
  if (session_comments(l->s) && !l->templates)
    pith_out_print(l->s->out, "%% no templates: from small rules to large\n");
  else if (session_comments(l->s))
    pith_out_print(l->s->out, "%% templates for %zu %s\n", rules,
                   plural(rules, "rule", "rules"));
  return 0;
}

/* ---- learning --------------------------------------------------------- */

typedef struct {
  const learning *l;
  progress_line line;
} watcher;

static void put_progress(const learning *l, const pith_progress *now) {
  pith_out *o = l->s->out;
  event_begin(o, "progress");
  event_count(o, "restarts", now->restarts);
  event_count(o, "restarts_done", now->restarts_done);
  event_count(o, "epoch", now->epoch);
  event_count(o, "epochs", now->epochs);
  event_real(o, "loss", now->loss);
  if (now->space.clauses)
    event_count(o, "tried", now->tried);
  event_count(o, "wrong", now->wrong);
  event_real(o, "seconds", now->seconds);
  if (now->space.number > 0)
    put_space(o, &now->space);
  event_end(o);
  pith_out_flush(o);
}

static void say_progress(watcher *w, const pith_progress *now) {
  char where[SPACE_ROOM], done[80];
  if (now->space.number > 0)
    space_text(where, &now->space);
  else
    snprintf(where, sizeof where, "%u of %u restarts done", now->restarts_done,
             now->restarts);
  if (now->space.clauses)
    snprintf(done, sizeof done, "%llu tried", (unsigned long long)now->tried);
  else
    snprintf(done, sizeof done, "epoch %u of %u, loss %.4f", now->epoch,
             now->epochs, now->loss);
  progress_say(&w->line, "best so far %llu wrong, %s; %s",
               (unsigned long long)now->wrong, done, where);
}

static void show_progress(void *ctx, const pith_progress *now) {
  watcher *w = ctx;
  if (!progress_due(&w->line))
    return;
  if (is(w->l->s->set.progress, "json"))
    put_progress(w->l, now);
  else if (w->line.wanted)
    say_progress(w, now);
}

static void say_oddity(void *ctx, const char *kind, const char *text) {
  (void)ctx, (void)kind;
  say_note("%s", text);
}

static pith_status call_learner(learning *l) {
  pith **handles = calloc(l->world_count, sizeof(pith *));
  if (handles == NULL)
    return PITH_ENOMEM;
  for (size_t i = 0; i < l->world_count; i++)
    handles[i] = l->worlds[i].s.p;
  if (!l->templates && l->world_count == 1 && !l->s->set.quiet)
    lint_task(handles[0], say_oddity, NULL);
  if (!l->templates) {
    pith_learn_cost cost;
    pith_estimate_learn(handles, l->world_count, &cost);
    say_cost(&l->worlds[0].s, &cost, &l->opt);
  }
  pith_status rc = pith_learn(handles, l->world_count, &l->opt, &l->found);
  free(handles);
  return rc;
}

static int learn(learning *l) {
  session *s = l->s;
  watcher w = {.l = l};
  progress_begin(&w.line, &s->set);
  l->opt.run.stop = interrupt_requested;
  l->opt.run.progress = show_progress;
  l->opt.run.progress_ctx = &w;
  double began = seconds_now();
  pith_status rc = call_learner(l);
  progress_end(&w.line, &s->set);
  if (rc < 0)
    return session_fail(&l->worlds[0].s, rc);
  s->did = "learned";
  s->info.seconds = seconds_now() - began;
  s->end = rc == PITH_OK     ? END_COMPLETE
           : rc == PITH_FULL ? END_MEMORY
           : interrupted()   ? END_INTERRUPTED
                             : END_TIME;
  if (pith_learned_count(l->found) > 0)
    return 0;
  say_error("it ended before anything was learned; raise --timeout");
  return s->end == END_INTERRUPTED ? EXIT_INTERRUPTED : EXIT_LIMIT;
}

static int run(session *s) {
  learning l = {.s = s};
  if (s->set.target != NULL)
    return is(s->set.semantics, "paper") ? learn_paper(s) : learn_graded(s);
  int code = check_settings(&s->set);
  if (code == 0)
    code = read_worlds(&l);
  if (code == 0 && l.graph)
    code = links_learn(&l.worlds[0].s);
  if (code == 0 && !l.graph) {
    l.templates = pith_template_count(l.worlds[0].s.p) > 0;
    take_settings(&l);
    tell_settings(&l);
    code = put_start(&l);
  }
  if (code == 0 && !l.graph)
    code = learn(&l);
  if (code == 0 && !l.graph)
    code = put_learned(&l);
  free_worlds(&l);
  return code;
}

const command command_learn = {
    .name = "learn",
    .operands = "TASK [WORLD...]",
    .least = 1,
    .formats = "prolog json",
    .summary = "Rules from background and examples, or from a graph",
    .about =
        "Finds rules such that with the background every positive example "
        "follows and no negative one does.\n\n"
        "Without templates, clauses are searched for from small to large, "
        "exactly, and the smallest theory that fits is printed: with recursion "
        "and invented predicates, and with inequalities and constants where "
        "nothing fits without. What that does not find is learned by gradient "
        "descent, in spaces of rules from small to large, with other "
        "predicates invented. bias.pl's limits hold, or --max-rules, "
        "--max-body, --max-vars and --max-invented. Where nothing fits, or "
        "with --noisy, the theory is printed that is worth its length in the "
        "examples it explains; those it gives up on are named as suspects. "
        "--keep prints other theories that fit.\n\n"
        "What a large task leaves out is said before it starts. With --timeout "
        "or --memory, and on Ctrl-C, the best theory so far is printed.\n\n"
        "With templates, rules have the shapes that they allow. Slots for "
        "predicates are filled by gradient descent from many random "
        "initialisations; what comes out is checked exactly. Ends at the first "
        "theory that fits every example, else prints the best one, the "
        "examples it misses and what to try, and exits with 1.\n\n"
        "A task is a folder with bk.pl, exs.pl and perhaps bias.pl and "
        "templates.txt, or one file with facts, pos(..) and neg(..). "
        "--templates names a file of templates, or none. Each further operand "
        "is a world of its own: other "
        "constants and facts, the same rules.\n\n"

        "Facts alone are a graph: rules are learned that predict further "
        "facts of each relation, or of --target. A folder with train.tsv, "
        ".txt, .csv or .nt is one; a valid file beside it teaches how far to "
        "trust which rules, "
        "else one fact in ten is held out for that. The result is a model for "
        "infer --top and for score.\n\n"
        "With --target and examples of it all operands are one graph, and what "
        "is learned is how "
        "probable an atom of that predicate is: by chains of atoms that lead "
        "from its first argument to its second, each with a weight, fitted to "
        "facts that were hidden. The examples are what the model "
        "is chosen by, and their second arguments are the candidates. pith "
        "score gives other examples their probabilities. --max-body and "
        "--max-rules hold here too. With --semantics paper, templates are "
        "matched softly on random sections of the graph instead, and the rules "
        "of the restart that orders the examples best are printed.\n\n"
        "The output is a program that pith reads. With a seed it is the same, "
        "byte by byte, whatever the number of threads. With templates and "
        "--checkpoint, the same command goes on later from where it was "
        "stopped.",
    .examples = "pith learn data/ilp/even-odd\n"
                "pith learn --templates none data/ilp/even-odd\n"
                "pith learn --noisy task.pl\n"
                "pith learn --target likes -o model.pl graph.tsv\n"
                "pith learn --templates templates.txt --keep 3 task.pl\n"
                "pith learn --checkpoint run.ckpt --restarts 1000 task\n"
                "pith learn --target locatedIn data/countries/S2.tsv "
                "data/countries/valid.pl",
    .run = run,
};
