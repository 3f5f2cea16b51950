/* Graded answers: the public functions over graph/chain_model. */
#include <math.h>
#include <string.h>

#include "api/handle.h"
#include "api/pairs.h"
#include "text/decimal.h"
#include "text/print.h"

struct pith_grader {
  pith *p;
  pith_i_graph *graph;
  pith_i_chain_model *grader;
  pith_i_arena arena; /* of the rules */
  size_t rule_count;
  pith_rule *rules[PITH_I_CHAIN_RULES]; /* short ones first */
  double weights[PITH_I_CHAIN_RULES];
  pith_grader_info info;
};

void pith_grade_defaults(pith_grade_options *opt) {
  *opt = (pith_grade_options){.run = {.seed = 1}};
}

void pith_grader_free(pith_grader *g) {
  if (g == NULL)
    return;
  pith_i_chain_model_free(g->grader);
  pith_i_graph_free(g->graph);
  pith_i_arena_free(&g->arena);
  pith_i_release(&g->p->env, g);
}

/* ---- learning --------------------------------------------------------- */

static pith_status learn(pith_grader *g, pith_pred target,
                         const pith_grade_options *opt) {
  pith *p = g->p;
  pith_i_pairs v = {0};
  pith_i_symbols extra = {0};
  pith_i_run run;
  pith_i_chain_options inner = {opt->run.seed, opt->rules, opt->length, &run};
  pith_i_run_begin(&run, &opt->run);
  pith_status rc = pith_i_pairs_graph(p, target, &extra, &g->graph);
  if (rc >= 0)
    rc = pith_i_pairs_list(p, g->graph, target, &v);
  if (rc >= 0)
    rc = pith_i_chain_model_learn(g->graph, g->graph->relation[target], v.at,
                                  v.n, &inner, &g->grader);
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
  uint32_t n = pith_i_chain_ways(&g->grader->walk, chain, ways);
  for (uint32_t i = 0; i < n; i++) {
    pith_term from = PITH_VAR(i == 0 ? 0 : i + 1);
    pith_term to = PITH_VAR(i + 1 == n ? 1 : i + 2);
    args[i][ways[i] % 2] = from;
    args[i][1 - ways[i] % 2] = to;
    body[i] = (pith_atom){
        .pred = graph->pred[ways[i] / 2], .arity = 2, .args = args[i]};
  }
  args[n][0] = PITH_VAR(0);
  args[n][1] = PITH_VAR(1);
  pith_rule r = {.head = {.pred = graph->pred[g->grader->relation],
                          .arity = 2,
                          .args = args[n]},
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
  const pith_i_chain_model *from = g->grader;
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

static pith_status new_grader(pith *p, pith_pred target, pith_grader **out) {
  *out = NULL;
  if (!pith_i_is_binary(p, target))
    return pith_i_fail(&p->env, PITH_EARG, "expected a binary predicate");
  pith_grader *g = pith_i_zalloc(&p->env, 1, sizeof *g);
  if (g == NULL)
    return PITH_ENOMEM;
  g->p = p;
  g->arena.env = &p->env;
  pith_i_forget(p);
  *out = g;
  return PITH_OK;
}

/* What was made of it: handed out, or freed. */
static pith_status finish(pith_grader *g, pith_status rc, pith_grader **out) {
  pith_status made = rc < 0 || g->grader == NULL ? PITH_OK : list_rules(g);
  rc = made < 0 ? made : rc;
  bool usable = rc >= 0 && g->grader != NULL;
  if (!usable)
    pith_grader_free(g);
  *out = usable ? g : NULL;
  return rc;
}

pith_status pith_grader_learn(pith *p, pith_pred target,
                              const pith_grade_options *opt,
                              pith_grader **out) {
  pith_grade_options defaults;
  pith_grader *g;
  *out = NULL;
  pith_grade_defaults(&defaults);
  pith_status rc = new_grader(p, target, &g);
  return rc < 0
             ? rc
             : finish(g, learn(g, target, opt == NULL ? &defaults : opt), out);
}

/* ---- as text ---------------------------------------------------------- */

static const char *const kinds[] = {
    [PITH_FRACTION] = "fraction", [PITH_COUNT] = "count", [PITH_ANY] = "any"};

static void put_real(pith_out *o, double v) {
  pith_out_print(o, "%s%s", v < 0 ? "-" : "",
                 pith_i_decimal_write(fabs(v)).text);
}

pith_status pith_grader_write(const pith_grader *g, pith_out *o) {
  const pith_i_names *names = &g->p->theory.names;
  const pith_i_graph *graph = g->graph;
  pith_sym target = pith_i_pred(names, graph->pred[g->grader->relation])->name;
  pith_out_print(o, "pith_grade(");
  pith_i_print_sym(names, target, o);
  pith_out_print(o, ",%s,", kinds[g->info.kind]);
  put_real(o, g->info.bias);
  pith_out_print(o, ").\n");
  for (size_t i = 0; i < g->rule_count; i++) {
    pith_out_print(o, "pith_grade_weight(");
    pith_i_print_sym(names, target, o);
    pith_out_print(o, ",%zu,", i + 1);
    put_real(o, g->weights[i]);
    pith_out_print(o, ").\n");
  }
  for (uint32_t y = 0; y < graph->entities; y++) {
    if (!g->grader->among[y])
      continue;
    pith_out_print(o, "pith_grade_among(");
    pith_i_print_sym(names, target, o);
    pith_out_print(o, ",2,");
    pith_i_print_sym(names, graph->symbol[y], o);
    pith_out_print(o, ").\n");
  }
  return pith_out_print(o, "%s", "");
}

/* ---- from text -------------------------------------------------------- */

typedef struct {
  pith_grader *g;
  pith_pred target;
  pith_sym name;
  bool found; /* pith_grade */
  double bias, weights[PITH_I_CHAIN_RULES];
  pith_grade_kind kind;
  pith_i_symbols among;
  pith_status rc;
} reading;

static pith_status misread(reading *r, const char *what) {
  return r->rc = pith_i_fail(&r->g->p->env, PITH_EINPUT,
                             "pith_grade: %s; expected what pith learn wrote; "
                             "learn it again",
                             what);
}

static bool read_real(const reading *r, pith_sym s, double *out) {
  const pith_i_symbol *sym = pith_i_sym(&r->g->p->theory.names, s);
  bool minus = sym->len > 0 && sym->text[0] == '-';
  if (sym->kind != PITH_NUMBER ||
      !pith_i_decimal_read(sym->text + minus, sym->len - minus, out))
    return false;
  *out = minus ? -*out : *out;
  return true;
}

static int visit_grade(void *ctx, pith_pred q, const pith_sym *args, size_t n) {
  reading *r = ctx;
  (void)q, (void)n;
  if (args[0] != r->name)
    return 0;
  const char *text = pith_i_sym(&r->g->p->theory.names, args[1])->text;
  bool known = false;
  for (int k = 0; k < 3; k++)
    if (strcmp(text, kinds[k]) == 0) {
      r->kind = (pith_grade_kind)k;
      known = true;
    }
  r->found = true;
  if (!known || !read_real(r, args[2], &r->bias))
    misread(r, "no kind of grade, or no number");
  return r->rc < 0;
}

static int visit_weight(void *ctx, pith_pred q, const pith_sym *args,
                        size_t n) {
  reading *r = ctx;
  double i, weight;
  (void)q, (void)n;
  if (args[0] != r->name)
    return 0;
  if (!read_real(r, args[1], &i) || !read_real(r, args[2], &weight) ||
      !(i >= 1 && i <= PITH_I_CHAIN_RULES) || weight < 0)
    misread(r, "a weight that is no number, or of no rule");
  else
    r->weights[(size_t)i - 1] = weight;
  return r->rc < 0;
}

static int visit_among(void *ctx, pith_pred q, const pith_sym *args, size_t n) {
  reading *r = ctx;
  (void)q, (void)n;
  if (args[0] == r->name && !pith_i_push(&r->g->p->env, &r->among, args[2]))
    r->rc = PITH_ENOMEM;
  return r->rc < 0;
}

static void visit_facts(reading *r, const char *name, pith_fact_visit visit) {
  pith_pred q = pith_pred_find(r->g->p, name, 3);
  if (r->rc >= 0 && q != PITH_NONE)
    pith_i_fact_each(&r->g->p->store, q, PITH_GIVEN, visit, r);
}

/* The ways of a body that leads from the head's first variable to its second;
** false when it does not. */
static bool ways_of(const pith_i_graph *g, const pith_rule *rule,
                    pith_i_way *ways) {
  const pith_term *head = rule->head.args;
  pith_term at = head[0];
  if (rule->body_len > PITH_I_LONGEST || !PITH_IS_VAR(head[0]) ||
      !PITH_IS_VAR(head[1]) || head[0] == head[1])
    return false;
  for (uint32_t i = 0; i < rule->body_len; i++) {
    const pith_atom *a = &rule->body[i];
    uint32_t relation =
        a->arity == 2 && !a->negated ? g->relation[a->pred] : PITH_NONE;
    bool inverse = a->arity == 2 && a->args[0] != at;
    if (relation == PITH_NONE || (inverse && a->args[1] != at) ||
        !PITH_IS_VAR(a->args[!inverse]))
      return false;
    ways[i] = PITH_I_WAY(relation, inverse);
    at = a->args[!inverse];
  }
  return at == head[1];
}

static pith_status add_rules(reading *r) {
  pith_grader *g = r->g;
  size_t i = 0;
  for (size_t n = 0; n < g->p->theory.rules.n; n++) {
    const pith_rule *rule = g->p->theory.rules.at[n];
    pith_i_way ways[PITH_I_LONGEST];
    if (rule->head.pred != r->target)
      continue;
    if (i == PITH_I_CHAIN_RULES || !ways_of(g->graph, rule, ways))
      return misread(r, "too many rules, or one that is not a chain");
    pith_status rc = pith_i_chain_model_add(g->grader, ways, rule->body_len,
                                            r->weights[i++]);
    if (rc < 0)
      return rc;
  }
  return PITH_OK;
}

/* among: the candidates, to which the graph adds the examples' constants. */
static pith_status make_grader(reading *r) {
  pith_grader *g = r->g;
  size_t candidates = r->among.n;
  pith_status rc = pith_i_pairs_graph(g->p, r->target, &r->among, &g->graph);
  if (rc < 0)
    return rc;
  uint8_t *among = pith_i_zalloc(&g->p->env, (size_t)g->graph->entities + 1, 1);
  if (among == NULL)
    return PITH_ENOMEM;
  for (size_t i = 0; i < candidates; i++)
    among[g->graph->entity[r->among.at[i]]] = 1;
  rc = pith_i_chain_model_new(g->graph, g->graph->relation[r->target], among,
                              &g->grader);
  pith_i_release(&g->p->env, among);
  if (rc < 0)
    return rc;
  g->grader->kind = r->kind;
  g->grader->weight[0] = r->bias;
  g->grader->loss = NAN;
  return add_rules(r);
}

pith_status pith_grader_read(pith *p, pith_pred target, pith_grader **out) {
  reading r = {.target = target};
  *out = NULL;
  pith_status rc = new_grader(p, target, &r.g);
  if (rc < 0)
    return rc;
  r.name = pith_i_pred(&p->theory.names, target)->name;
  visit_facts(&r, "pith_grade", visit_grade);
  visit_facts(&r, "pith_grade_weight", visit_weight);
  visit_facts(&r, "pith_grade_among", visit_among);
  if (r.rc >= 0 && !r.found)
    r.rc = pith_i_fail(&p->env, PITH_EINPUT,
                       "pith_grade: there is none for %s; expected the "
                       "predicate that it was learned for",
                       pith_i_pred_text(&p->theory.names, target));
  if (r.rc >= 0)
    r.rc = make_grader(&r);
  pith_i_vec_free(&p->env, &r.among);
  return finish(r.g, r.rc, out);
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
  return pith_i_chain_model_score(g->grader, from, to, out);
}
