/* All files together are one world: people keep background and examples in two
** files and name both. A folder is a world of its own, as it is complete; with
** --worlds so is every file. Each world has a handle of its own. */
#include "learn_worlds.h"

#include <assert.h>
#include <string.h>

#include "find_inputs.h"
#include "memory_budget.h"
#include "model_session.h"

/* ---- which operands belong together ------------------------------------ */

static bool is_world_alone(const session *s, const char *operand) {
  return s->set.worlds || is_folder(operand);
}

/* Fills l->operands with the operands, those of one world side by side, the
** worlds in the order of their first operand; sets operands and operand_count
** of every world. */
static void group_operands(learning *l) {
  const session *s = l->s;
  size_t used = 0;
  bool files_done = false;
  l->world_count = 0;
  for (size_t i = 0; i < s->operand_count; i++) {
    bool alone = is_world_alone(s, s->operands[i]);
    if (!alone && files_done)
      continue;
    session *w = &l->worlds[l->world_count++].s;
    *w = *s;
    w->operands = l->operands + used;
    w->operand_count = 0;
    for (size_t j = i; j < s->operand_count && (j == i || !alone); j++)
      if (j == i || !is_world_alone(s, s->operands[j])) {
        l->operands[used++] = s->operands[j];
        w->operand_count++;
      }
    files_done |= !alone;
  }
  assert(used == s->operand_count);
  assert(l->world_count > 0 && l->world_count <= s->operand_count);
}

/* ---- reading ------------------------------------------------------------ */

static int read_templates(session *s) {
  if (s->set.templates == NULL)
    return 0;
  pith_template_clear(s->p);
  if (strcmp(s->set.templates, "none") == 0)
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

static bool is_empty(const pith *p) {
  return pith_fact_count(p, PITH_NONE, PITH_GIVEN) == 0 &&
         pith_rule_count(p) == 0;
}

static int refuse_no_examples(const session *s) {
  const char *first = s->operands[0];
  const char *more = s->operand_count > 1 ? " and the other files" : "";
  if (has_file(first, "exs.pl"))
    say_error("%s/exs.pl: there are no examples in it to learn from; write "
              "pos(..) and neg(..)",
              first);
  else if (is_empty(s->p))
    say_error("%s%s: there is nothing in it to learn from; expected facts, and "
              "examples, pos(..) and neg(..)",
              first, more);
  else
    say_error("%s%s: there are no examples to learn from; write pos(..) and "
              "neg(..), or name the file that has them too%s",
              first, more,
              s->world != NULL
                  ? "; each of several worlds needs examples (pith "
                    "help worlds)"
                  : "");
  return EXIT_INPUT;
}

static bool is_graph_task(const learning *l, const session *s) {
  return l->world_count == 1 && is_graph(s->p) && s->set.templates == NULL &&
         !has_file(s->operands[0], "exs.pl");
}

/* Whoever has a table mostly wants to know about one of its columns. */
static void suggest_label(const session *s) {
  pith_format format = pith_read_format(s->p, NULL);
  bool table =
      format == PITH_CSV || format == PITH_JSON || format == PITH_SQLITE;
  if (table && *pith_read_summary(s->p) != '\0' && s->set.target == NULL &&
      !s->set.quiet)
    say_note("without --label the columns are learned as relations of a graph; "
             "--label COLUMN learns which rows have which value there");
}

static int read_world(learning *l, size_t i) {
  session *s = &l->worlds[i].s;
  s->p = NULL;
  s->world = l->world_count > 1 ? s->operands[0] : NULL;
  int code = session_new(s);
  if (code == 0)
    code = session_read(s, 0);
  if (code == 0 && is_graph_task(l, s)) {
    l->graph = true;
    suggest_label(s);
    return 0;
  }
  if (code == 0 && pith_example_count(s->p) == 0)
    code = refuse_no_examples(s);
  return code == 0 && i == 0 ? read_templates(s) : code;
}

int read_worlds(learning *l) {
  size_t n = l->s->operand_count;
  l->worlds = command_zalloc(n, sizeof *l->worlds);
  l->operands = command_zalloc(n, sizeof *l->operands);
  if (l->worlds == NULL || l->operands == NULL)
    return session_fail(l->s, PITH_ENOMEM);
  group_operands(l);
  int code = 0;
  for (size_t i = 0; i < l->world_count && code != EXIT_LIMIT; i++) {
    int failed = read_world(l, i);
    code = failed != 0 ? failed : code;
  }
  return code;
}

void free_worlds(learning *l) {
  pith_learned_free(l->found);
  if (l->graph) /* the one world has the result itself, if it failed */
    pith_out_close(l->worlds[0].s.out, false);
  for (size_t i = 0; l->worlds != NULL && i < l->world_count; i++)
    pith_free(l->worlds[i].s.p);
  command_free(l->worlds);
  command_free(l->operands);
}
