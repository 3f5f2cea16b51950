#include "brief_model.h"

#include <string.h>
#include <unistd.h>

#include "memory_budget.h"
#include "report.h"

enum {
  OF_RELATION = 5, /* rules shown, at most */
  IN_ALL = 100     /* about */
};

bool reads_on_terminal(const session *s) {
  bool all_wanted = s->set.output != NULL && strcmp(s->set.output, "-") == 0;
  return session_comments(s) && !all_wanted && isatty(STDOUT_FILENO) != 0;
}

static pith_status count_by_relation(const session *s, pith_model *m,
                                     const pith_model_info *info,
                                     uint64_t **out) {
  uint64_t *rules = command_zalloc(pith_pred_count(s->p) + 1, sizeof *rules);
  *out = rules;
  for (uint64_t i = 0; rules != NULL && i < info->rules; i++) {
    const pith_model_rule *r = pith_model_rule_at(m, i);
    if (r == NULL)
      return PITH_ENOMEM;
    rules[r->rule->head.pred]++;
  }
  return rules == NULL ? PITH_ENOMEM : PITH_OK;
}

/* Of each relation, so that they fit a few screens. */
static uint64_t rules_to_show(const session *s, const uint64_t *rules) {
  uint64_t relations = 0;
  for (pith_pred p = 0; p < pith_pred_count(s->p); p++)
    relations += rules[p] > 0;
  uint64_t each = relations == 0 ? 0 : IN_ALL / relations;
  return each < 1 ? 1 : each < OF_RELATION ? each : OF_RELATION;
}

static void put_relation_title(const session *s, pith_pred pred, uint64_t n,
                               uint64_t each) {
  pith_out_print(s->out, "%% ");
  put_safe(s->out, pith_pred_name(s->p, pred));
  pith_out_print(s->out, ": ");
  put_number(s->out, n, "rule", "rules");
  pith_out_print(s->out, n > each ? ", the strongest:\n" : "\n");
}

/* Rules of a relation stand together, chains before those with constants, and
** the strongest first. */
pith_status put_brief_model(const session *s, pith_model *m,
                            const pith_model_info *info) {
  uint64_t *rules = NULL, shown = 0, all_shown = 0;
  pith_pred last = PITH_NONE;
  pith_status rc = count_by_relation(s, m, info, &rules);
  uint64_t each = rc < 0 ? 0 : rules_to_show(s, rules);
  for (uint64_t i = 0; rc >= 0 && i < info->rules; i++) {
    const pith_model_rule *r = pith_model_rule_at(m, i);
    if (r == NULL) {
      rc = PITH_ENOMEM;
      break;
    }
    pith_pred pred = r->rule->head.pred;
    if (pred != last)
      put_relation_title(s, pred, rules[pred], each);
    shown = pred == last ? shown + 1 : 1;
    last = pred;
    if (shown > each)
      continue;
    all_shown++;
    rc = pith_rule_write(s->p, r->rule, s->out);
    pith_out_print(s->out, "\n");
  }
  if (rc >= 0 && s->set.output == NULL && all_shown < info->rules)
    pith_out_print(s->out, "%% a terminal gets these alone: -o FILE writes the "
                           "model, and so does a pipe\n");
  command_free(rules);
  return rc;
}
