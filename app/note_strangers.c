/* A mistyped entity is answered like one that nobody knows: by what occurs
** most. So we say that the graph does not have it. */
#include <string.h>

#include "model_commands.h"
#include "options.h"
#include "report.h"

enum { MOST_NAMES = 200000 }; /* that are compared with a mistyped one */

/* The lines of a model are facts, too. */
static bool is_of_model(const pith *p, pith_pred pred) {
  return strncmp(pith_pred_name(p, pred), "pith_", 5) == 0;
}

static int find_wanted(void *ctx, pith_pred pred, const pith_sym *args,
                       size_t n) {
  const pith_sym *wanted = ctx;
  (void)pred;
  for (size_t i = 0; i < n; i++)
    if (args[i] == *wanted)
      return 1;
  return 0;
}

static bool is_in_graph(const pith *p, pith_sym wanted) {
  for (pith_pred i = 0; i < pith_pred_count(p); i++)
    if (pith_pred_arity(p, i) == 2 && !is_of_model(p, i) &&
        pith_fact_each(p, i, PITH_GIVEN, find_wanted, &wanted) != 0)
      return true;
  return false;
}

static void note_stranger(const pith *p, pith_sym wanted) {
  const char *text = pith_sym_text(p, wanted);
  nearest near = {.wanted = text};
  bool other_sort = false; /* 30 and '30' */
  size_t n = pith_sym_count(p);
  for (pith_sym i = 0; n <= MOST_NAMES && i < n; i++) {
    if (i == wanted)
      continue;
    const char *name = pith_sym_text(p, i);
    if (strcmp(name, text) == 0 && is_in_graph(p, i))
      other_sort = true;
    else if (near.best == NULL || strcmp(name, near.best) != 0)
      nearest_try(&near, name);
  }
  if (other_sort)
    say_note("the graph does not have the name '%s', but the number %s: leave "
             "out the quotes",
             text, text);
  else if (near.best != NULL)
    say_note("the graph does not have %s; did you mean %s? It is answered by "
             "what occurs most",
             text, near.best);
  else
    say_note("the graph does not have %s: it is answered by what occurs most",
             text);
}

void note_strangers(const session *s, const pith_atom *query) {
  for (uint32_t i = 0; i < query->arity && !s->set.quiet; i++)
    if (!PITH_IS_VAR(query->args[i]) && !is_in_graph(s->p, query->args[i]))
      note_stranger(s->p, query->args[i]);
}
