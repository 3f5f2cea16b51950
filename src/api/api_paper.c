/* The paper's way to rank: the public functions over graph/soft_model. */
#include <math.h>
#include <string.h>

#include "api/pairs.h"
#include "graph/soft_model.h"
#include "train/restarts.h"

struct pith_paper {
  pith *p;
  pith_i_graph *graph;
  pith_i_soft_model *paper;
  pith_i_arena arena;
  size_t rule_count;
  pith_rule **rules;  /* (restarts, rule_count) */
  double *similarity; /* likewise               */
};

void pith_paper_defaults(pith_paper_options *opt) {
  *opt = (pith_paper_options){.run = {.seed = 1}, .hiding = PITH_HIDE_ENTITY};
}

void pith_paper_free(pith_paper *x) {
  if (x == NULL)
    return;
  pith_i_soft_model_free(x->paper);
  pith_i_graph_free(x->graph);
  pith_i_arena_free(&x->arena);
  pith_i_release(&x->p->env, x);
}

static pith_i_recipe recipe_of(const pith_paper_options *opt) {
  pith_learn_options all;
  pith_learn_defaults(&all);
  all.semantics = PITH_PAPER;
  all.epochs = opt->epochs;
  all.onehot = opt->onehot;
  all.minimum = opt->minimum;
  all.clamp = opt->clamp;
  all.rate = opt->rate;
  return pith_i_recipe_of(&all);
}

static pith_status decode(pith_paper *x) {
  size_t n = x->rule_count = pith_i_soft_model_rules(x->paper);
  size_t all = n * PITH_PAPER_RESTARTS;
  x->rules = pith_i_arena_alloc(&x->arena, (all + 1) * sizeof *x->rules);
  x->similarity =
      pith_i_arena_alloc(&x->arena, (all + 1) * sizeof *x->similarity);
  if (x->rules == NULL || x->similarity == NULL)
    return PITH_ENOMEM;
  pith_status rc = PITH_OK;
  for (uint32_t l = 0; rc >= 0 && l < PITH_PAPER_RESTARTS; l++)
    rc = pith_i_soft_model_decode(x->paper, l, &x->arena, x->rules + l * n,
                                  x->similarity + l * n);
  return rc;
}

static pith_status learn(pith_paper *x, pith_pred target,
                         const pith_paper_options *opt) {
  pith *p = x->p;
  pith_i_pairs v = {0};
  pith_i_symbols extra = {0};
  pith_i_run run;
  pith_i_soft_options inner = {.seed = opt->run.seed,
                               .hiding = opt->hiding,
                               .recipe = recipe_of(opt),
                               .run = &run};
  pith_i_run_begin(&run, &opt->run);
  pith_status rc = pith_i_pairs_graph(p, target, &extra, &x->graph);
  if (rc >= 0)
    rc = pith_i_pairs_list(p, x->graph, target, &v);
  if (rc >= 0)
    rc = pith_i_soft_model_learn(x->graph, &p->theory,
                                 x->graph->relation[target], v.at, v.n, &inner,
                                 &x->paper);
  if (rc == PITH_OK)
    rc = decode(x);
  pith_i_vec_free(&p->env, &v);
  pith_i_vec_free(&p->env, &extra);
  return rc;
}

static pith_status check(pith *p, pith_pred target) {
  size_t examples = 0;
  if (!pith_i_is_binary(p, target))
    return pith_i_fail(&p->env, PITH_EARG, "expected a binary predicate");
  for (size_t i = 0; i < p->theory.examples.n; i++)
    examples += p->theory.examples.at[i]->atom.pred == target;
  if (examples == 0)
    return pith_i_fail(&p->env, PITH_EINPUT,
                       "no examples of %s/2, which say what the candidates "
                       "are; give pos(..) and neg(..)",
                       pith_i_pred_text(&p->theory.names, target));
  if (p->theory.templates.n == 0)
    return pith_i_fail(&p->env, PITH_EINPUT,
                       "no templates; the paper's way needs them");
  return PITH_OK;
}

pith_status pith_paper_learn(pith *p, pith_pred target,
                             const pith_paper_options *opt, pith_paper **out) {
  pith_paper_options defaults;
  *out = NULL;
  pith_paper_defaults(&defaults);
  pith_status rc = check(p, target);
  if (rc < 0)
    return rc;
  pith_paper *x = pith_i_zalloc(&p->env, 1, sizeof *x);
  if (x == NULL)
    return PITH_ENOMEM;
  x->p = p;
  x->arena.env = &p->env;
  pith_i_forget(p);
  rc = learn(x, target, opt == NULL ? &defaults : opt);
  if (rc == PITH_OK)
    *out = x;
  else
    pith_paper_free(x);
  return rc;
}

/* ---- asking ----------------------------------------------------------- */

size_t pith_paper_rules(const pith_paper *x) { return x->rule_count; }

const pith_rule *pith_paper_rule(const pith_paper *x, uint32_t restart,
                                 size_t i) {
  return restart < PITH_PAPER_RESTARTS && i < x->rule_count
             ? x->rules[restart * x->rule_count + i]
             : NULL;
}

double pith_paper_similarity(const pith_paper *x, uint32_t restart, size_t i) {
  return restart < PITH_PAPER_RESTARTS && i < x->rule_count
             ? x->similarity[restart * x->rule_count + i]
             : NAN;
}

/* The entity of another handle's symbol, or PITH_NONE. */
static uint32_t entity_of(const pith_paper *x, const pith *from, pith_sym s) {
  const pith_i_symbol *text = pith_i_sym(&from->theory.names, s);
  pith_sym own = pith_i_sym_find(&x->p->theory.names, text->text, text->len,
                                 (pith_sym_kind)text->kind);
  return own < x->graph->symbols ? x->graph->entity[own] : PITH_NONE;
}

pith_status pith_paper_score(pith_paper *x, const pith *pairs, double *out) {
  pith_i_env *env = &x->p->env;
  size_t all = pairs->theory.examples.n, n = 0;
  pith_i_pair *v = pith_i_alloc(env, (all + 1) * sizeof *v);
  size_t *place = pith_i_alloc(env, (all + 1) * sizeof *place);
  double *scores =
      pith_i_zalloc(env, all * PITH_PAPER_RESTARTS + 1, sizeof *scores);
  pith_status rc =
      v == NULL || place == NULL || scores == NULL ? PITH_ENOMEM : PITH_OK;
  memset(out, 0, all * PITH_PAPER_RESTARTS * sizeof *out);
  for (size_t i = 0; rc >= 0 && i < all; i++) {
    const pith_example *e = pairs->theory.examples.at[i];
    if (e->atom.arity != 2)
      continue;
    v[n] = (pith_i_pair){entity_of(x, pairs, e->atom.args[0]),
                         entity_of(x, pairs, e->atom.args[1]), e->positive};
    place[n] = i;
    n += v[n].x != PITH_NONE && v[n].y != PITH_NONE;
  }
  if (rc >= 0)
    rc = pith_i_soft_model_score(x->paper, v, n, scores);
  for (size_t l = 0; rc >= 0 && l < PITH_PAPER_RESTARTS; l++)
    for (size_t i = 0; i < n; i++)
      out[l * all + place[i]] = scores[l * n + i];
  pith_i_release(env, v);
  pith_i_release(env, place);
  pith_i_release(env, scores);
  return rc;
}
