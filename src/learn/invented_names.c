#include "learn/invented_names.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static bool has_predicate(const pith_rule *r, pith_pred pred) {
  for (uint32_t i = 0; i < r->body_len; i++)
    if (r->body[i].pred == pred)
      return true;
  return r->head.pred == pred;
}

static bool is_used(const pith_i_best *b, pith_pred pred) {
  for (size_t i = 0; i < b->at.n; i++)
    for (uint32_t r = 0; r < b->at.at[i].info.rules; r++)
      if (has_predicate(b->at.at[i].rules[r], pred))
        return true;
  return false;
}

static void rename_predicate(const pith_i_best *b, pith_pred from,
                             pith_pred to) {
  for (size_t i = 0; i < b->at.n; i++)
    for (uint32_t r = 0; r < b->at.at[i].info.rules; r++) {
      pith_rule *rule = b->at.at[i].rules[r];
      pith_atom *body = (pith_atom *)rule->body;
      for (uint32_t k = 0; k < rule->body_len; k++)
        if (body[k].pred == from)
          body[k].pred = to;
      if (rule->head.pred == from)
        rule->head.pred = to;
    }
}

size_t pith_i_stem_of(const pith_i_task *task, pith_pred pred) {
  const char *text = pith_i_pred_text(&task->worlds[0].theory->names, pred);
  size_t n = strlen(text), digits = n;
  while (digits > 0 && text[digits - 1] >= '0' && text[digits - 1] <= '9')
    digits--;
  bool numbered = digits < n && digits > 1 && text[digits - 1] == '_';
  return numbered && pred >= task->given_preds ? digits - 1 : n;
}

/* The invented predicate by this name, if it has as many places. */
static pith_pred find_invented(const pith_i_task *task, const char *text,
                               size_t n, size_t arity) {
  const pith_i_names *names = &task->worlds[0].theory->names;
  pith_sym sym = pith_i_sym_find(names, text, n, PITH_NAME);
  pith_pred pred =
      sym == PITH_NONE ? PITH_NONE : pith_i_pred_find(names, sym, arity);
  return pred != PITH_NONE && pred >= task->given_preds ? pred : PITH_NONE;
}

/* An earlier one of the same stem that no theory has, or the same. */
static pith_pred first_free(const pith_i_task *task, const pith_i_best *b,
                            pith_pred pred) {
  const pith_i_names *names = &task->worlds[0].theory->names;
  const char *text = pith_i_pred_text(names, pred);
  size_t arity = pith_i_pred(names, pred)->arity,
         stem = pith_i_stem_of(task, pred);
  char other[PITH_I_INVENTED_TEXT + 16];
  if (text[stem] == 0 || stem >= PITH_I_INVENTED_TEXT)
    return pred;
  for (uint32_t n = 1; n < names->preds.n; n++) {
    int len = snprintf(other, sizeof other, "%.*s", (int)stem, text);
    if (n > 1)
      len = snprintf(other, sizeof other, "%.*s_%u", (int)stem, text, n);
    pith_pred found = find_invented(task, other, (size_t)len, arity);
    if (found == pred || (found != PITH_NONE && !is_used(b, found)))
      return found;
  }
  return pred;
}

void pith_i_number_invented(const pith_i_task *task, pith_i_best *best) {
  assert(task->given_preds <= task->worlds[0].theory->names.preds.n);
  for (size_t i = 0; i < best->at.n; i++)
    for (uint32_t r = 0; r < best->at.at[i].info.rules; r++) {
      pith_pred pred = best->at.at[i].rules[r]->head.pred;
      if (pred < task->given_preds)
        continue;
      pith_pred other = first_free(task, best, pred);
      if (other != pred)
        rename_predicate(best, pred, other);
    }
}
