#include "learn/templates/template_learner.h"

#include "train/offer_program.h"
#include "train/restarts.h"

pith_status pith_i_template_net(const pith_i_task *task, pith_i_net **out) {
  pith_i_recipe recipe = pith_i_recipe_of(task->opt);
  pith_i_net_options opt = {.steps = task->opt->steps,
                            .reference = recipe.semantics.reference};
  pith_status rc = pith_i_derive_background(task->worlds, task->world_count);
  if (rc >= 0)
    rc = pith_i_net_new(task->env, task->worlds, task->world_count, &opt, out);
  pith_i_forget_background(task->worlds, task->world_count);
  return rc;
}

pith_status pith_i_learn_templates(const pith_i_task *task, pith_i_run *run,
                                   pith_i_best *best) {
  pith_i_training training = pith_i_training_of(task->opt);
  pith_i_net *net = NULL;
  pith_i_programs found = {0};
  pith_i_trained done = {0};
  run->now.phase = "training on templates";
  pith_status rc = pith_i_template_net(task, &net);
  if (rc >= 0)
    rc = pith_i_programs_new(task->env, net, best->keep, &found);
  if (rc >= 0)
    rc = pith_i_train(task->env, net, &training, run, &found, &done);
  for (uint32_t i = 0; rc >= 0 && i < found.n; i++)
    rc = pith_i_offer_program(net, &found.at[i], 0, NULL, best, NULL);
  best->restarts_done += done.restarts;
  best->epochs_done += done.epochs;
  pith_i_programs_free(task->env, &found);
  pith_i_net_free(net);
  return rc;
}
