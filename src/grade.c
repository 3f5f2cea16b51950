/* Graded answers: the public functions over rank/grade. */
#include <math.h>
#include <string.h>

#include "handle.h"
#include "rank/grade.h"

struct pith_grader {
  pith *p;
  pith_i_graph *graph;
  pith_i_grader *grader;
  pith_i_arena arena; /* of the rules */
  size_t rule_count;
  pith_rule *rules[PITH_I_GRADE_RULES]; /* short ones first */
  double weights[PITH_I_GRADE_RULES];
  pith_grader_info info;
};

void pith_grade_defaults(pith_grade_options *opt) {
  *opt = (pith_grade_options){.seed = 1};
}

void pith_grader_free(pith_grader *g) {
  if (g == NULL)
    return;
  pith_i_grader_free(g->grader);
  pith_i_graph_free(g->graph);
  pith_i_arena_free(&g->arena);
  pith_i_release(&g->p->env, g);
}

/* ---- learning --------------------------------------------------------- */

typedef PITH_I_VEC(pith_i_pair) pairs;
typedef PITH_I_VEC(pith_sym) symbols;

static bool is_asked(const pith_example *e, pith_pred target) {
  return e->atom.pred == target;
}

/* The symbols of the examples, each once: some may be in no fact. */
static pith_status list_symbols(pith *p, pith_pred target, symbols *out) {
  uint8_t *seen = pith_i_zalloc(&p->env, p->theory.names.symbols.n, 1);
  pith_status rc = seen == NULL ? PITH_ENOMEM : PITH_OK;
  for (size_t i = 0; rc >= 0 && i < p->theory.examples.n; i++)
    for (int k = 0; rc >= 0 && k < 2; k++) {
      const pith_example *e = p->theory.examples.at[i];
      if (!is_asked(e, target) || seen[e->atom.args[k]])
        continue;
      seen[e->atom.args[k]] = 1;
      if (!pith_i_push(&p->env, out, e->atom.args[k]))
        rc = PITH_ENOMEM;
    }
  pith_i_release(&p->env, seen);
  return rc;
}

/* The examples, those of one subject together, in the order of the first. */
static pith_status list_pairs(pith *p, const pith_i_graph *g, pith_pred target,
                              pairs *out) {
  size_t n = g->entities;
  uint32_t *first = pith_i_zalloc(&p->env, n + 2, sizeof *first);
  if (first == NULL)
    return PITH_ENOMEM;
  size_t all = 0;
  for (size_t i = 0; i < p->theory.examples.n; i++) {
    const pith_example *e = p->theory.examples.at[i];
    if (is_asked(e, target)) {
      first[g->entity[e->atom.args[0]] + 2]++;
      all++;
    }
  }
  for (size_t i = 0; i < n; i++)
    first[i + 2] += first[i + 1];
  bool fine = pith_i_room(&p->env, out, all);
  for (size_t i = 0; fine && i < p->theory.examples.n; i++) {
    const pith_example *e = p->theory.examples.at[i];
    if (!is_asked(e, target))
      continue;
    uint32_t x = g->entity[e->atom.args[0]];
    out->at[first[x + 1]++] =
        (pith_i_pair){x, g->entity[e->atom.args[1]], e->positive};
  }
  out->n = fine ? all : 0;
  pith_i_release(&p->env, first);
  return fine ? PITH_OK : PITH_ENOMEM;
}

static pith_status learn(pith_grader *g, pith_pred target,
                         const pith_grade_options *opt) {
  pith *p = g->p;
  pairs v = {0};
  symbols extra = {0};
  pith_i_stop stop = {opt->stop, opt->stop_ctx};
  pith_i_grade_options inner = {opt->seed, opt->rules, opt->length, &stop};
  pith_status rc = list_symbols(p, target, &extra);
  if (rc >= 0)
    rc =
        pith_i_graph_new(&p->store, p->theory.names.symbols.n,
                         p->theory.names.preds.n, extra.at, extra.n, &g->graph);
  if (rc >= 0 && g->graph->relation[target] == PITH_NONE)
    rc = pith_i_fail(&p->env, PITH_EINPUT, "%s/2 has no facts to learn from",
                     pith_i_pred_text(&p->theory.names, target));
  if (rc >= 0)
    rc = list_pairs(p, g->graph, target, &v);
  if (rc >= 0)
    rc = pith_i_grader_learn(g->graph, g->graph->relation[target], v.at, v.n,
                             &inner, &g->grader);
  pith_i_vec_free(&p->env, &v);
  pith_i_vec_free(&p->env, &extra);
  return rc;
}

/* ---- rules ------------------------------------------------------------ */

/* h(X,Y) :- a(X,A), b(A,Y): variable 0 is X, 1 is Y. */
static pith_rule *make_rule(pith_grader *g, uint32_t chain) {
  const pith_i_graph *graph = g->graph;
  pith_i_way ways[PITH_I_LONGEST];
  pith_term args[PITH_I_LONGEST + 1][2];
  pith_atom body[PITH_I_LONGEST];
  uint32_t n = pith_i_chain_ways(&g->grader->evidence, chain, ways);
  for (uint32_t i = 0; i < n; i++) {
    pith_term from = PITH_VAR(i == 0 ? 0 : i + 1);
    pith_term to = PITH_VAR(i + 1 == n ? 1 : i + 2);
    args[i][ways[i] % 2] = from;
    args[i][1 - ways[i] % 2] = to;
    body[i] = (pith_atom){graph->pred[ways[i] / 2], 2, args[i]};
  }
  args[n][0] = PITH_VAR(0);
  args[n][1] = PITH_VAR(1);
  pith_rule r = {.head = {graph->pred[g->grader->relation], 2, args[n]},
                 .body = body,
                 .body_len = n,
                 .var_count = n + 1,
                 .file = PITH_NONE};
  return pith_i_rule_copy(&g->arena, &r);
}

static bool comes_after(const pith_grader *g, size_t i, const pith_rule *rule,
                        double weight) {
  uint32_t n = g->rules[i]->body_len;
  return n > rule->body_len || (n == rule->body_len && g->weights[i] < weight);
}

static pith_status list_rules(pith_grader *g) {
  const pith_i_grader *from = g->grader;
  for (uint32_t i = 0; i < from->rules; i++) {
    pith_rule *rule = make_rule(g, from->chain[i]);
    if (rule == NULL)
      return PITH_ENOMEM;
    size_t at = g->rule_count++;
    for (; at > 0 && comes_after(g, at - 1, rule, from->weight[i]); at--) {
      g->weights[at] = g->weights[at - 1];
      g->rules[at] = g->rules[at - 1];
    }
    g->weights[at] = from->weight[i];
    g->rules[at] = rule;
  }
  g->info = (pith_grader_info){
      from->weight[from->rules], from->kind, from->hiding, from->loss,
      from->questions,           from->pairs};
  return PITH_OK;
}

pith_status pith_grader_learn(pith *p, pith_pred target,
                              const pith_grade_options *opt,
                              pith_grader **out) {
  pith_grade_options defaults;
  *out = NULL;
  pith_grade_defaults(&defaults);
  if (target >= p->theory.names.preds.n || target <= PITH_DIFFERENT ||
      pith_i_pred(&p->theory.names, target)->arity != 2)
    return pith_i_fail(&p->env, PITH_EARG, "expected a binary predicate");
  pith_grader *g = pith_i_zalloc(&p->env, 1, sizeof *g);
  if (g == NULL)
    return PITH_ENOMEM;
  g->p = p;
  g->arena.env = &p->env;
  pith_i_forget(p);
  pith_status rc = learn(g, target, opt == NULL ? &defaults : opt);
  pith_status made = g->grader == NULL ? PITH_OK : list_rules(g);
  rc = made < 0 ? made : rc;
  if (rc < 0 || g->grader == NULL)
    pith_grader_free(g);
  else
    *out = g;
  return rc;
}

/* ---- asking ----------------------------------------------------------- */

size_t pith_grader_rules(const pith_grader *g) { return g->rule_count; }

const pith_rule *pith_grader_rule(const pith_grader *g, size_t i) {
  return i < g->rule_count ? g->rules[i] : NULL;
}

double pith_grader_weight(const pith_grader *g, size_t i) {
  return i < g->rule_count ? g->weights[i] : NAN;
}

const pith_grader_info *pith_grader_info_of(const pith_grader *g) {
  return &g->info;
}

static uint32_t entity_of(const pith_grader *g, pith_sym s) {
  return s < g->graph->symbols ? g->graph->entity[s] : PITH_NONE;
}

pith_status pith_grader_score(pith_grader *g, pith_sym x, pith_sym y,
                              double *out) {
  uint32_t from = entity_of(g, x), to = entity_of(g, y);
  *out = 0;
  if (to == PITH_NONE)
    return PITH_OK;
  if (from == PITH_NONE) {
    *out = g->grader->prior[to];
    return PITH_OK;
  }
  return pith_i_grader_score(g->grader, from, to, out);
}
