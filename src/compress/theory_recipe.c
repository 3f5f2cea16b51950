#include "compress/theory_recipe.h"

#include "train/restarts.h"

/* docs/method.md has what each is worth. */
static pith_i_recipe recipe_best(void) {
  pith_i_recipe r = pith_i_recipe_default();
  r.epochs = 3000;
  r.bound = 1.0f;
  r.tau_end = 0.3f;
  r.core_rate = 0.05f;
  r.core_start = 0.5f;
  r.core_penalty = 1.0f;
  r.core_drop = 0.8f;
  r.invented_rate = 1.0f;
  return r;
}

/* The text: values start at 1/2, everything descends together, nothing is
** noisy. Epochs, rates and the penalty, which it does not give, are those of
** the code for kinship. */
static pith_i_recipe recipe_of_text(const pith_variant *v) {
  pith_i_recipe r = pith_i_recipe_text();
  r.semantics.and_product = v->conjunction != PITH_AND_MINIMUM;
  r.onehot = v->onehot;
  r.unit = r.semantics.or_sum = v->clamp;
  r.epochs = 300;
  r.noise = 0;
  r.core_rate = r.rate;
  r.core_start = v->clamp ? -1.0f : 0.5f; /* the code: anywhere */
  r.core_penalty = 0.1f;
  return r;
}

bool pith_i_templates_invent(const pith_i_theory *t, uint32_t arity) {
  for (size_t p = 0; p < t->names.preds.n; p++)
    if ((t->names.preds.at[p].roles & PITH_INVENTED) != 0 &&
        t->names.preds.at[p].arity >= arity)
      return true;
  return false;
}

static pith_i_recipe recipe_of_code(const pith_variant *v, bool invents) {
  pith_i_recipe r =
      invents ? pith_i_recipe_kinship() : pith_i_recipe_taxonomy();
  r.semantics.and_product = v->conjunction == PITH_AND_PRODUCT;
  if (v->onehot || v->onehot_start) {
    r.onehot = v->onehot;
    r.uniform = false;
  }
  if (v->core_half)
    r.core_start = 0.5f;
  return r;
}

static pith_i_scalar loss_scale(const pith_i_recipe *r) {
  return r->loss_scale > 0 ? r->loss_scale : 1;
}

pith_i_recipe pith_i_theory_recipe(const pith_compress_options *opt,
                                   const pith_i_theory *theory) {
  pith_variant given = pith_i_variant(opt->variant);
  const pith_variant *v = &given;
  pith_i_recipe r = opt->semantics == PITH_PAPER
                        ? recipe_of_code(v, pith_i_templates_invent(theory, 1))
                    : opt->semantics == PITH_TEXT ? recipe_of_text(v)
                                                  : recipe_best();
  if (opt->epochs != 0)
    r.epochs = opt->epochs;
  if (opt->rate > 0)
    r.rate = (pith_i_scalar)opt->rate;
  if (opt->rate > 0 && opt->semantics != PITH_BEST)
    r.core_rate = r.rate;
  if (opt->lambda > 0)
    r.core_penalty = (pith_i_scalar)opt->lambda * loss_scale(&r);
  return r;
}
