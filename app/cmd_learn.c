/* pith learn: rules from background and examples. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "deadline.h"
#include "learn_worlds.h"
#include "lint.h"
#include "memory_budget.h"
#include "model_commands.h"
#include "print_learned.h"
#include "progress.h"
#include "report_events.h"
#include "say_cost.h"

/* ---- settings --------------------------------------------------------- */

/* Refuses a method that only graphs have. 0 or EXIT_USE. */
static int refuse_graph_method(const settings *set) {
  if (set->method == NULL || !word_in("rules chains soft", set->method))
    return 0;
  say_error("--method %s is for graphs; expected auto, "
            "search or gradient",
            set->method);
  return EXIT_USE;
}

/* Refuses what would have no effect; templates: there are some. */
static int check_settings(const settings *set, bool templates) {
  enum { INVENTED_AT_MOST = 4 };
  int code = refuse_graph_method(set);
  if (code == 0 && templates)
    code = settings_refuse(
        set, "method max-rules max-body max-vars max-invented constants noise",
        "with templates; --templates none learns without them");
  else if (code == 0 && text_is(set->method, "search"))
    code = settings_refuse(set, "restarts epochs steps rate search",
                           "with --method search");
  if (code == 0 && set->max_invented > INVENTED_AT_MOST) {
    say_error("--max-invented: learn invents at most %d predicates",
              INVENTED_AT_MOST);
    code = EXIT_USE;
  }
  return code;
}

static int refuse_for_graphs(const settings *set) {
  return settings_refuse(set,
                         "templates method max-vars max-invented constants "
                         "noise keep restarts epochs steps search go-on rate "
                         "worlds semantics",
                         "when learning from a graph");
}

static void take_settings(learning *l) {
  assert(l->world_count > 0 && l->worlds[0].s.p != NULL);
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
  o->search = text_is(set->search, "on");
  o->go_on = set->go_on;
  o->semantics = take_semantics(set, &l->variant, &o->epochs);
  o->variant = &l->variant;
  o->max_rules = set->max_rules;
  o->max_body = set->max_body;
  o->max_vars = set->max_vars;
  if (setting_given(set, "max-invented"))
    o->max_invented = set->max_invented;
  o->constants = text_is(set->constants, "on");
  o->no_constants = text_is(set->constants, "off");
  o->noise = setting_noise(set->noise);
  o->method = setting_method(set->method);
  o->run.seconds = deadline_left();
  o->checkpoint = set->checkpoint;
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
    pith_status rc = pith_infer_cost(w->p, &e);
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
  if (report_turn(l->s)) {
    session_preface(l->s, &sum);
    report_turn(l->s);
  }
  if (session_comments(l->s) && l->world_count > 1)
    pith_out_print(l->s->out, "%% %zu worlds share the rules\n",
                   l->world_count);
  if (session_comments(l->s) && !l->templates)
    pith_out_print(
        l->s->out,
        "%% no templates: pith searches rules from small to large\n");
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
  run_log_note(w->l->log, now);
  if (!progress_due(&w->line))
    return;
  if (text_is(w->l->s->set.progress, "json"))
    put_progress(w->l, now);
  else if (w->line.wanted)
    say_progress(w, now);
}

static void say_oddity(void *ctx, const char *kind, const char *text) {
  (void)ctx, (void)kind;
  say_note("%s", text);
}

static pith_status call_learner(learning *l) {
  pith **handles = command_zalloc(l->world_count, sizeof(pith *));
  if (handles == NULL)
    return PITH_ENOMEM;
  for (size_t i = 0; i < l->world_count; i++)
    handles[i] = l->worlds[i].s.p;
  if (!l->templates && l->world_count == 1 && !l->s->set.quiet)
    lint_task(handles[0], say_oddity, NULL);
  if (!l->templates) {
    pith_estimate cost;
    if (pith_learn_cost(handles, l->world_count, &cost) >= 0)
      say_cost(&l->worlds[0].s, &cost, &l->opt);
  }
  pith_status rc = pith_learn(handles, l->world_count, &l->opt, &l->found);
  command_free(handles);
  return rc;
}

static int call_and_report(learning *l) {
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
  const char *error = pith_error(l->worlds[0].s.p);
  if (s->set.checkpoint != NULL && strstr(error, s->set.checkpoint) == error)
    say_warning("%s; an older checkpoint is there, and the run went on", error);
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

static int learn_target(session *s) {
  int code = check_paper(&s->set);
  if (code == 0)
    code = settings_refuse(&s->set,
                           "worlds noise constants keep go-on "
                           "max-invented max-vars",
                           "with --target");
  if (code == 0)
    code = session_share(s);
  return code == 0 ? model_learn_target(s) : code;
}

static int learn_from_graph(session *s) {
  int code = refuse_for_graphs(&s->set);
  return code == 0 ? model_learn(s) : code;
}

/* What is not listed is false, if the user says so. */
static int close_worlds(learning *l) {
  enum { MOST = 2000 }; /* negative examples of one predicate */
  pith_status rc = PITH_OK;
  for (size_t w = 0; l->s->set.closed_world && rc >= 0 && w < l->world_count;
       w++) {
    size_t added;
    rc = pith_close_world(l->worlds[w].s.p, MOST, l->opt.run.seed, &added);
    l->assumed += rc < 0 ? 0 : added;
  }
  return rc < 0 ? session_fail(&l->worlds[0].s, rc) : 0;
}

static int learn_from_examples(learning *l) {
  l->templates = pith_template_count(l->worlds[0].s.p) > 0;
  int code = check_settings(&l->s->set, l->templates);
  if (code != 0)
    return code;
  take_settings(l);
  code = close_worlds(l);
  if (code == 0)
    code = put_start(l);
  l->log = run_log_new(l->s->set.report);
  if (code == 0)
    code = call_and_report(l);
  if (code == 0)
    code = put_learned(l);
  run_log_free(l->log);
  return code;
}

static int run(session *s) {
  learning l = {.s = s};
  if (s->set.target != NULL)
    return learn_target(s);
  int code = check_paper(&s->set);
  if (code == 0)
    code = read_worlds(&l);
  if (code == 0)
    code = session_share(&l.worlds[0].s);
  if (code == 0)
    code = l.graph ? learn_from_graph(&l.worlds[0].s) : learn_from_examples(&l);
  free_worlds(&l);
  return code;
}

const command command_learn = {
    .name = "learn",
    .operands = "TASK...",
    .least = 1,
    .formats = "prolog json rules",
    .summary = "Rules from examples, or from a graph",
    .about =
        "Learns rules that, together with the background facts, entail every "
        "positive example and no negative one. TASK is a folder with bk.pl and "
        "exs.pl, files with facts and pos(..) and neg(..) examples, or a table "
        "with the column to predict, --label; facts alone are a graph, and the "
        "rules predict its missing links. Prints "
        "the smallest theory that fits, or else the best one, the examples it "
        "gets wrong and what to try.",
    .details =
        "Without templates, pith searches for rules exactly, from small to "
        "large: with recursion and invented predicates, and with inequalities "
        "and constants where nothing fits without them. What the search does "
        "not find is trained by gradient descent, with further invented "
        "predicates. The limits of bias.pl hold unless an option replaces "
        "them. Where nothing fits, and with --noise on, pith prints the theory "
        "whose length is repaid by the examples it explains, and names the "
        "other examples as suspects.\n\n"
        "With templates (templates.txt in the folder, or --templates), rules "
        "have the shapes that the templates allow: gradient descent from many "
        "random initialisations chooses the predicates, and every result is "
        "checked exactly. With --checkpoint, here and on graphs, the same "
        "command continues later where it was stopped.\n\n"
        "All files together are one world, and each folder is a world of its "
        "own: other constants and facts, the same rules. pith help worlds says "
        "more.\n\n"
        "From a graph, facts without examples, pith learns rules that predict "
        "further facts of every relation, or of --target. A folder with "
        "train.tsv is a graph; valid.tsv beside it shows how far to trust "
        "which rule, otherwise one fact in ten is held out for that. The "
        "result is a model for infer --top and for score.\n\n"
        "With --target and examples of that relation, pith estimates how "
        "probable a link is: from chains of atoms that lead from its first "
        "argument to its second, each with a weight fitted to hidden facts. "
        "The examples choose the model, and their second arguments are the "
        "candidate answers. pith score gives other examples their "
        "probabilities. --semantics paper instead matches templates softly on "
        "random sections of the graph.\n\n"
        "pith reports before it starts what a large task leaves out. With "
        "--timeout or --memory, and on Ctrl-C, it prints the best theory so "
        "far. The same seed gives the same bytes for any number of threads.",
    .examples = "pith learn data/ilp/even-odd\n"
                "pith learn bk.pl exs.pl\n"
                "pith learn --label approved data/everyday/loans.csv\n"
                "pith learn --templates none data/ilp/even-odd\n"
                "pith learn --noise on --timeout 2m task.pl\n"
                "pith learn --target likes -o model.pl graph.tsv\n"
                "pith learn --templates templates.txt --keep 3 task.pl\n"
                "pith learn --target locatedIn data/countries/S2.tsv "
                "data/countries/valid.pl",
    .run = run,
};
