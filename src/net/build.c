/* From worlds and templates to a network: which predicates take part, what
** each slot may choose, which atoms carry a label.
**
** A background predicate takes part if some slot may choose it; all others are
** left out with their constants. A template may name = or \\=, which are then
** predicates like any other, with the pairs of each world as their facts. */
#include <assert.h>

#include "net/net.h"
#include "net/net_builder.h"

static pith_status build_net(pith_i_net_builder *b, pith_i_layout layout) {
  pith_status rc = pith_i_build_check_templates(b);
  if (rc >= 0)
    rc = pith_i_build_preds(b);
  if (rc >= 0)
    rc = pith_i_build_rules(b);
  if (rc >= 0 && (!pith_i_build_constants(b) || !pith_i_build_pairs(b)))
    rc = PITH_ENOMEM;
  if (rc >= 0)
    rc = pith_i_net_unroll(b->net, b->fact_pairs.at, b->fact_pairs.n / 2,
                           layout);
  if (rc >= 0)
    rc = pith_i_build_facts(b);
  if (rc >= 0)
    rc = pith_i_build_map_candidates(b);
  if (rc >= 0)
    rc = pith_i_build_has_core(b) ? pith_i_build_core(b)
                                  : pith_i_build_labels(b);
  if (rc >= 0 && b->net->reference)
    rc = pith_i_net_fill(b->net);
  return rc;
}

pith_status pith_i_net_new(pith_i_env *env, const pith_i_world *worlds,
                           size_t world_count, const pith_i_net_options *opt,
                           pith_i_net **out) {
  assert(world_count > 0);
  pith_i_net_options o = {0};
  if (opt != NULL)
    o = *opt;
  pith_i_net *net = pith_i_zalloc(env, 1, sizeof *net);
  if (net == NULL)
    return PITH_ENOMEM;
  net->arena.env = env;
  net->theory = worlds[0].theory;
  net->steps = o.steps != 0 ? o.steps : worlds[0].theory->steps;
  if (net->steps == 0)
    net->steps = 4;
  pith_i_net_builder b = {
      .env = env, .net = net, .worlds = worlds, .world_count = world_count};
  net->core_kind = o.core;
  net->reference = o.reference;
  net->weights_first = o.weights_first;
  if (o.core == PITH_I_CORE_ANY)
    o.layout = PITH_I_DENSE;
  pith_status rc = build_net(&b, o.layout);
  pith_i_vec_free(env, &b.constant_of);
  pith_i_vec_free(env, &b.world_start);
  pith_i_vec_free(env, &b.fact_pairs);
  pith_i_vec_free(env, &b.net_pred);
  net->world_of = b.world_of.at;
  net->symbol = b.symbol.at;
  net->first_constant = b.first.at;
  if (rc < 0) {
    pith_i_net_free(net);
    return rc;
  }
  *out = net;
  return PITH_OK;
}

void pith_i_net_free(pith_i_net *net) {
  if (net == NULL)
    return;
  pith_i_env *env = net->arena.env;
  pith_i_release(env, (void *)net->world_of);
  pith_i_release(env, (void *)net->symbol);
  pith_i_release(env, (void *)net->first_constant);
  pith_i_vec_free(env, &net->preds);
  pith_i_vec_free(env, &net->candidates);
  pith_i_vec_free(env, &net->slots);
  pith_i_vec_free(env, &net->joins);
  pith_i_vec_free(env, &net->rules);
  pith_i_vec_free(env, &net->examples);
  pith_i_vec_free(env, &net->bodies);
  pith_i_vec_free(env, &net->filled_joins);
  pith_i_vec_free(env, &net->filled_bodies);
  pith_i_vec_free(env, &net->filled_slots);
  pith_i_vec_free(env, &net->filled_heads);
  pith_i_vec_free(env, &net->filled_members);
  pith_i_vec_free(env, &net->core);
  pith_i_vec_free(env, &net->tensor_offset);
  pith_i_arena_free(&net->arena);
  pith_i_arena_free(&net->rule_arena);
  pith_i_release(env, net);
}
