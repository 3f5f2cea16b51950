/* pith convert: from one format to another.
**
** A format holds some of the kinds of things that can be read. What was read
** and cannot be held is named and refused, unless --drop says otherwise. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "deadline.h"
#include "ground.h"

/* What --to names: a format that is written, or a folder as Popper has it. */
typedef struct {
  const char *word;
  pith_format format; /* PITH_AUTO: the folder */
  unsigned holds;
} target;

static target target_of(const session *s) {
  const pith_format_info *f = pith_format_of(pith_format_named(s->set.format));
  if (f == NULL)
    return (target){"popper", PITH_AUTO, ~0u};
  return (target){f->name, f->format, f->writes};
}

static bool has_bias(const pith *p) {
  const pith_bias *b = pith_bias_of(p);
  bool any = b->max_vars > 0 || b->max_body > 0 || b->max_clauses > 0 ||
             b->enable_pi || b->enable_recursion || b->constants > 0;
  for (pith_pred i = 0; !any && i < pith_pred_count(p); i++)
    any = (pith_pred_roles(p, i) & PITH_BODY) != 0;
  return any;
}

/* ---- loss ------------------------------------------------------------- */

static int refuse_loss(const session *s, const target *t) {
  const pith *p = s->p;
  const struct {
    unsigned thing;
    uint64_t n;
    const char *one, *many;
  } read[] = {
      {PITH_HOLDS_FACTS, pith_fact_count(p, PITH_NONE, PITH_GIVEN), "fact",
       "facts"},
      {PITH_HOLDS_RULES, pith_rule_count(p), "rule", "rules"},
      {PITH_HOLDS_EXAMPLES, pith_example_count(p), "example", "examples"},
      {PITH_HOLDS_TEMPLATES, pith_template_count(p), "template", "templates"},
      {PITH_HOLDS_BIAS, has_bias(p), "set of bias lines", ""},
  };
  char lost[256] = "";
  size_t used = 0;
  for (size_t i = 0; i < sizeof read / sizeof read[0]; i++)
    if (read[i].n > 0 && !(t->holds & read[i].thing))
      used +=
          (size_t)snprintf(lost + used, sizeof lost - used, "%s%llu %s",
                           used > 0 ? ", " : "", (unsigned long long)read[i].n,
                           plural(read[i].n, read[i].one, read[i].many));
  if (used == 0 || s->set.drop)
    return 0;
  say_error("%s cannot hold everything: %s would be lost; --drop leaves them "
            "out, --to popper keeps all",
            t->word, lost);
  return EXIT_INPUT;
}

/* ---- a Popper folder -------------------------------------------------- */

static void put_fact_rules(session *s) {
  pith_facts_write(s->p, PITH_GIVEN, PITH_PROLOG, s->out);
  for (size_t i = 0; i < pith_rule_count(s->p); i++) {
    pith_rule_write(s->p, pith_rule_at(s->p, i), s->out);
    pith_out_print(s->out, "\n");
  }
}

static void put_examples(session *s) {
  for (size_t i = 0; i < pith_example_count(s->p); i++) {
    const pith_example *e = pith_example_at(s->p, i);
    pith_out_print(s->out, e->positive ? "pos(" : "neg(");
    pith_atom_write(s->p, &e->atom, s->out);
    if (e->weight != 1)
      pith_out_print(s->out, ", %.17g", e->weight);
    pith_out_print(s->out, ").\n");
  }
}

static bool is_background(const pith *p, pith_pred pred) {
  bool found = pith_fact_count(p, pred, PITH_GIVEN) > 0;
  for (size_t j = 0; !found && j < pith_rule_count(p); j++)
    found = pith_rule_at(p, j)->head.pred == pred;
  return found;
}

static void put_declaration(session *s, const char *kind, pith_pred pred) {
  const char *name = pith_pred_name(s->p, pred);
  pith_out_print(s->out, "%s(", kind);
  pith_sym_write(s->p, pith_sym_find(s->p, name, strlen(name), PITH_NAME),
                 s->out);
  pith_out_print(s->out, ",%zu).\n", pith_pred_arity(s->p, pred));
}

/* Popper needs to be told which predicates a rule may use; when no bias was
** read, the targets may use all that have facts or rules, and rules may be as
** they are where there is no bias: recursive, and of invented predicates. */
static void put_default_bias(session *s) {
  size_t n = pith_pred_count(s->p);
  for (pith_pred i = PITH_BUILTINS; i < n; i++)
    if (pith_pred_roles(s->p, i) & PITH_TARGET)
      put_declaration(s, "head_pred", i);
  for (pith_pred i = PITH_BUILTINS; i < n; i++)
    if (!(pith_pred_roles(s->p, i) & PITH_TARGET) && is_background(s->p, i))
      put_declaration(s, "body_pred", i);
  pith_out_print(s->out, "enable_pi.\nenable_recursion.\n");
}

static void put_bias(session *s) {
  if (has_bias(s->p))
    pith_write(s->p, PITH_BIAS, s->out);
  else
    put_default_bias(s);
}

static void put_templates(session *s) {
  pith_write(s->p, PITH_TEMPLATES, s->out);
}

static int put_file(session *s, const char *name, void (*put)(session *s)) {
  char path[4096];
  int n = snprintf(path, sizeof path, "%s/%s", s->set.output, name);
  if (n < 0 || (size_t)n >= sizeof path) {
    say_error("%s: the path is too long", s->set.output);
    return EXIT_USE;
  }
  pith_status rc = pith_out_file(s->p, path, &s->out);
  if (rc < 0)
    return session_fail(s, rc);
  put(s);
  rc = pith_out_close(s->out, true);
  s->out = NULL;
  return rc < 0 ? session_fail(s, rc) : 0;
}

static int put_folder(session *s) {
  if (mkdir(s->set.output, 0777) != 0 && errno != EEXIST) {
    say_error("%s: cannot make the folder: %s", s->set.output, strerror(errno));
    return EXIT_LIMIT;
  }
  int code = put_file(s, "bk.pl", put_fact_rules);
  if (code == 0)
    code = put_file(s, "exs.pl", put_examples);
  if (code == 0)
    code = put_file(s, "bias.pl", put_bias);
  if (code == 0 && pith_template_count(s->p) > 0)
    code = put_file(s, "templates.txt", put_templates);
  return code;
}

/* ---- one file --------------------------------------------------------- */

/* Nothing but the format's own text goes out, so that what is read back is
** what was read: no comments. JSON has its start event. */
static int put_one(session *s, const target *t) {
  bool asked_quiet = s->set.quiet;
  s->set.quiet = true;
  int code = session_start(s);
  if (code != 0)
    return code;
  pith_write_options opt;
  uint64_t dropped;
  pith_write_defaults(&opt);
  opt.format = t->format;
  opt.drop = s->set.drop;
  pith_status rc = pith_write_with(s->p, &opt, s->out, &dropped);
  if (rc < 0)
    return session_fail(s, rc);
  if (dropped > 0 && !asked_quiet)
    say_warning("left out %llu %s that %s cannot hold",
                (unsigned long long)dropped,
                plural(dropped, "fact or rule", "facts and rules"),
                pith_format_of(t->format)->title);
  return session_finish(s, EXIT_FITS);
}

static int run(session *s) {
  const target chosen = target_of(s), *t = &chosen;
  if (t->format == PITH_AUTO && s->set.output == NULL) {
    say_error("--to popper writes a folder; name it: -o FOLDER");
    return EXIT_USE;
  }
  if ((s->set.preds != NULL || s->set.trust) && !s->set.ground) {
    say_error("%s is for --ground", s->set.trust ? "--trust" : "--preds");
    return EXIT_USE;
  }
  int code = s->set.ground
                 ? ground_read(s, (t->holds & PITH_HOLDS_EXAMPLES) != 0,
                               (t->holds & PITH_HOLDS_BIAS) != 0)
                 : session_read(s, 0);
  deadline_while_writing(s->set.output);
  if (code == 0)
    code = refuse_loss(s, t);
  if (code != 0)
    return code;
  return t->format == PITH_AUTO ? put_folder(s) : put_one(s, t);
}

const command command_convert = {
    .name = "convert",
    .operands = "INPUT...",
    .least = 1,
    .formats = "formats popper",
    .summary = "From one format to another",
    .about =
        "Reads everything named and writes it as one file, or with --to popper "
        "as a folder with bk.pl, exs.pl, bias.pl and templates.txt. Refuses, "
        "with a reason, what the format cannot hold; --drop leaves it out.",
    .examples = "pith convert graph.tsv.xz --to prolog -o graph.pl\n"
                "pith convert task.pl --to popper -o task\n"
                "pith convert --ground lists --to popper -o facts",
    .run = run,
};
