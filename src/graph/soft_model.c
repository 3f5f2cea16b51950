#include "graph/soft_model.h"

#include <assert.h>
#include <string.h>

#include "base/random.h"
#include "base/tunables.h"
#include "graph/hidden_facts.h"
#include "train/program.h"

enum {
  DRAW = 1 << 21 /* streams of random numbers that no hiding has */
};

/* A section, or the whole graph: facts and examples with their own names. */
typedef struct {
  pith_i_theory theory;
  pith_i_store store;
  pith_i_net *net;
} small_world;

struct pith_i_soft_model {
  pith_i_env *env;
  const pith_i_graph *g;
  const pith_i_theory *theory; /* has the templates */
  uint32_t relation;
  pith_i_soft_options opt;
  uint8_t *among;
  pith_i_hidden_facts hidden;
  pith_i_descent *descent;
  small_world *world; /* whose network the descent has */
  pith_sym *local;    /* (entities) its number in a small world, or NONE */
  PITH_I_VEC(uint32_t) inside; /* entities of the section */
};

/* ---- small worlds ----------------------------------------------------- */

static void world_free(pith_i_env *env, small_world *w) {
  if (w == NULL)
    return;
  pith_i_net_free(w->net);
  pith_i_theory_free(&w->theory);
  pith_i_store_free(&w->store);
  pith_i_release(env, w);
}

/* A predicate of the graph in a small world: they follow the two that are
** always there. */
static pith_pred world_pred(uint32_t relation) {
  return PITH_BUILTINS + relation;
}

static pith_status name_preds(const pith_i_soft_model *x, small_world *w) {
  const pith_i_names *from = &x->theory->names;
  pith_status rc = PITH_OK;
  for (uint32_t r = 0; rc >= 0 && r < x->g->relations; r++) {
    const pith_i_symbol *name =
        pith_i_sym(from, pith_i_pred(from, x->g->pred[r])->name);
    pith_sym s;
    pith_pred q;
    rc = pith_i_sym_add(&w->theory.names, name->text, name->len, PITH_NAME, &s);
    if (rc >= 0)
      rc = pith_i_pred_add(&w->theory.names, s, 2, &q);
  }
  return rc;
}

static pith_status copy_template(const pith_i_soft_model *x, small_world *w,
                                 const pith_template *t) {
  pith_i_env *env = x->env;
  pith_slot *slots = pith_i_alloc(env, (t->slot_count + 1) * sizeof *slots);
  if (slots == NULL)
    return PITH_ENOMEM;
  pith_status rc = PITH_OK;
  for (uint32_t i = 0; rc >= 0 && i < t->slot_count; i++) {
    slots[i] = t->slots[i];
    uint32_t r =
        slots[i].pred == PITH_NONE ? PITH_NONE : x->g->relation[slots[i].pred];
    if (slots[i].pred != PITH_NONE && r == PITH_NONE)
      rc = pith_i_fail(env, PITH_EINPUT,
                       "a template names a predicate that has no facts");
    else if (r != PITH_NONE)
      slots[i].pred = world_pred(r);
  }
  pith_template copy = *t;
  copy.slots = slots;
  copy.shape.var_names = NULL;
  copy.shape.file = PITH_NONE;
  if (rc >= 0)
    rc = pith_i_template_add(&w->theory, &copy);
  pith_i_release(env, slots);
  return rc;
}

static pith_status world_new(const pith_i_soft_model *x, small_world **out) {
  small_world *w = pith_i_zalloc(x->env, 1, sizeof *w);
  *out = w;
  if (w == NULL)
    return PITH_ENOMEM;
  pith_i_store_init(&w->store, x->env);
  pith_status rc = pith_i_theory_init(&w->theory, x->env);
  if (rc >= 0)
    rc = name_preds(x, w);
  for (size_t i = 0; rc >= 0 && i < x->theory->templates.n; i++)
    rc = copy_template(x, w, x->theory->templates.at[i]);
  w->theory.steps = x->theory->steps;
  return rc;
}

/* The entity's name in the world: its number, which no predicate has. */
static pith_status enter_world(pith_i_soft_model *x, small_world *w,
                               uint32_t entity) {
  char text[16];
  size_t n = 0;
  uint32_t rest = entity;
  assert(entity < x->g->entities);
  if (x->local[entity] != PITH_NONE)
    return PITH_OK;
  do
    text[sizeof text - ++n] = (char)('0' + rest % 10);
  while ((rest /= 10) > 0);
  if (!pith_i_push(x->env, &x->inside, entity))
    return PITH_ENOMEM;
  return pith_i_sym_add(&w->theory.names, text + sizeof text - n, n,
                        PITH_NUMBER, &x->local[entity]);
}

static void leave_world(pith_i_soft_model *x) {
  for (size_t i = 0; i < x->inside.n; i++)
    x->local[x->inside.at[i]] = PITH_NONE;
  x->inside.n = 0;
}

/* The facts that are not gone between constants of the world. */
static pith_status give_facts(pith_i_soft_model *x, small_world *w,
                              const uint8_t *gone) {
  const pith_i_graph *g = x->g;
  pith_status rc = PITH_OK;
  for (size_t i = 0; i < x->inside.n; i++) {
    uint32_t from = x->inside.at[i];
    for (uint32_t r = g->node_run[from]; r < g->node_run[from + 1]; r++)
      for (uint32_t e = g->run_edge[r];
           rc >= 0 && g->run_way[r] % 2 == 0 && e < g->run_edge[r + 1]; e++) {
        pith_sym args[2] = {x->local[from], x->local[g->target[e]]};
        if (!gone[e] && args[1] != PITH_NONE)
          rc = pith_i_fact_give(&w->store, world_pred(g->run_way[r] / 2), 2,
                                args);
      }
  }
  return rc;
}

static pith_status label_pair(pith_i_soft_model *x, small_world *w,
                              uint32_t from, uint32_t to, bool positive) {
  pith_sym args[2] = {x->local[from], x->local[to]};
  pith_atom atom = {.pred = world_pred(x->relation), .arity = 2, .args = args};
  pith_status rc = pith_i_example_add(&w->theory, &atom, positive, 1);
  return rc == PITH_EINPUT ? PITH_OK : rc; /* there with the other sign */
}

static pith_status unroll_world(const pith_i_soft_model *x, small_world *w) {
  pith_i_world world = {.theory = &w->theory, .store = &w->store};
  pith_i_net_options opt = {.layout = PITH_I_REACHED,
                            .reference = x->opt.recipe.semantics.reference};
  return pith_i_net_new(x->env, &world, 1, &opt, &w->net);
}

/* ---- hidden --------------------------------------------------------- */

static uint64_t draw_random(const pith_i_soft_model *x, uint32_t epoch,
                            uint64_t i) {
  return pith_i_random(x->opt.seed, DRAW + (uint64_t)epoch, i);
}

/* What can be reached from the constants inside, the nearest first, until
** there are enough; and all candidates. */
static pith_status enter_neighbours(pith_i_soft_model *x, small_world *w) {
  const pith_i_graph *g = x->g;
  pith_status rc = PITH_OK;
  for (size_t i = 0;
       i < x->inside.n && x->inside.n < PITH_TUNE_SECTION_CONSTANTS; i++) {
    uint32_t from = x->inside.at[i];
    for (uint32_t r = g->node_run[from]; r < g->node_run[from + 1]; r++)
      for (uint32_t e = g->run_edge[r];
           rc >= 0 && g->run_way[r] % 2 == 0 && e < g->run_edge[r + 1]; e++)
        rc = x->hidden.gone[e] ? rc : enter_world(x, w, g->target[e]);
  }
  for (uint32_t y = 0; rc >= 0 && y < g->entities; y++)
    if (x->among[y])
      rc = enter_world(x, w, y);
  return rc;
}

static bool is_truth(const pith_i_soft_model *x, const pith_i_subject *of,
                     uint32_t y) {
  for (size_t i = of->first; i < of->end; i++)
    if (x->hidden.truths.at[i].candidate == y)
      return true;
  return false;
}

/* A positive, and negatives with another candidate in its place. */
static pith_status add_target(pith_i_soft_model *x, small_world *w,
                              const pith_i_subject *of, uint32_t y,
                              uint32_t epoch) {
  pith_status rc = label_pair(x, w, of->entity, y, true);
  for (uint64_t i = 0, made = 0;
       rc >= 0 && made < PITH_TUNE_SECTION_CORRUPTED &&
       i < 8 * PITH_TUNE_SECTION_CORRUPTED;
       i++) {
    uint64_t n = draw_random(x, epoch, 1000 + 100 * (uint64_t)of->entity + i);
    uint32_t other = x->inside.at[n % x->inside.n];
    if (!x->among[other] || is_truth(x, of, other))
      continue;
    rc = label_pair(x, w, of->entity, other, false);
    made++;
  }
  return rc;
}

static pith_status add_targets(pith_i_soft_model *x, small_world *w,
                               uint32_t epoch, const size_t *picked, size_t n) {
  const pith_i_hidden_facts *s = &x->hidden;
  pith_status rc = PITH_OK;
  for (size_t k = 0; k < n; k++) {
    const pith_i_subject *of = &s->subjects.at[picked[k]];
    for (size_t i = of->first; rc >= 0 && i < of->end; i++)
      if (pith_i_hidden_facts_asks(s, x->opt.hiding, epoch, picked[k], i))
        rc = add_target(x, w, of, s->truths.at[i].candidate, epoch);
  }
  return rc;
}

/* Some of the subjects that the section asks about. */
static size_t pick_subjects(const pith_i_soft_model *x, uint32_t epoch,
                            size_t *out) {
  const pith_i_hidden_facts *s = &x->hidden;
  size_t n = 0;
  for (uint64_t i = 0;
       n < PITH_TUNE_SECTION_SUBJECTS && i < 16 * PITH_TUNE_SECTION_SUBJECTS;
       i++) {
    size_t k = draw_random(x, epoch, i) % s->subjects.n;
    const pith_i_subject *of = &s->subjects.at[k];
    bool asked = false, new = true;
    for (size_t t = of->first; t < of->end; t++)
      asked = asked || pith_i_hidden_facts_asks(s, x->opt.hiding, epoch, k, t);
    for (size_t j = 0; j < n; j++)
      new = new &&out[j] != k;
    if (asked && new)
      out[n++] = k;
  }
  return n;
}

static pith_status draw_section(pith_i_soft_model *x, uint32_t epoch,
                                small_world **out) {
  size_t picked[PITH_TUNE_SECTION_SUBJECTS];
  pith_i_hidden_facts_hide(&x->hidden, x->opt.hiding, epoch);
  size_t n = pick_subjects(x, epoch, picked);
  pith_status rc = world_new(x, out);
  for (size_t k = 0; rc >= 0 && k < n; k++)
    rc = enter_world(x, *out, x->hidden.subjects.at[picked[k]].entity);
  if (rc >= 0)
    rc = enter_neighbours(x, *out);
  if (rc >= 0)
    rc = give_facts(x, *out, x->hidden.gone);
  if (rc >= 0)
    rc = add_targets(x, *out, epoch, picked, n);
  leave_world(x);
  if (rc >= 0 && (*out)->theory.examples.n > 0)
    rc = unroll_world(x, *out);
  return rc;
}

/* ---- training --------------------------------------------------------- */

/* Puts the world under the descent and frees the last one, unless it is not
** like that: a section may happen to lack a predicate. */
static pith_status take_world(pith_i_soft_model *x, small_world *w) {
  pith_status rc = PITH_EARG;
  if (w->net != NULL && x->descent != NULL) {
    rc = pith_i_descent_turn(x->env, x->descent, w->net);
  } else if (w->net != NULL && w->net->preds.n == x->g->relations) {
    uint64_t seeds[PITH_I_LANES];
    for (uint64_t l = 0; l < PITH_I_LANES; l++)
      seeds[l] = pith_i_random(x->opt.seed + l, 0, 0);
    rc = pith_i_descent_new(x->env, w->net, &x->opt.recipe, &x->descent);
    if (rc >= 0)
      pith_i_descent_start(x->descent, seeds);
  }
  small_world *old = rc >= 0 ? x->world : w;
  x->world = rc >= 0 ? w : x->world;
  world_free(x->env, old);
  return rc == PITH_EARG ? PITH_OK : rc;
}

static pith_status train_on_sections(pith_i_soft_model *x) {
  pith_status rc = PITH_OK;
  uint32_t misses = 0;
  for (uint32_t n = 0; rc >= 0; n++) {
    small_world *w = NULL;
    if (pith_i_stop_requested(x->opt.run))
      return PITH_STOPPED;
    rc = draw_section(x, n, &w);
    if (rc < 0) {
      world_free(x->env, w);
      return rc;
    }
    rc = take_world(x, w);
    if (rc >= 0 && x->descent != NULL)
      pith_i_descent_epoch(x->descent);
    misses += x->descent == NULL;
    if (misses > 100)
      return pith_i_fail(x->env, PITH_EINPUT,
                         "no section of the graph has all its predicates");
    if (x->descent != NULL && x->descent->epoch >= x->opt.recipe.epochs)
      break;
  }
  return rc;
}

static pith_status prepare_training(pith_i_soft_model *x,
                                    const pith_i_pair *pairs, size_t n) {
  pith_i_env *env = x->env;
  size_t entities = x->g->entities;
  PITH_I_VEC(uint32_t) like = {0};
  x->among = pith_i_zalloc(env, entities + 1, 1);
  x->local = pith_i_alloc(env, (entities + 1) * sizeof *x->local);
  if (x->among == NULL || x->local == NULL)
    return PITH_ENOMEM;
  memset(x->local, 0xff, entities * sizeof *x->local);
  for (size_t i = 0; i < n; i++)
    x->among[pairs[i].y] = 1;
  pith_status rc = pith_i_hidden_facts_init(&x->hidden, x->g, x->relation,
                                            x->among, x->opt.seed);
  for (size_t i = 0; rc >= 0 && i < n; i++) {
    pith_i_hidden_facts_keep(&x->hidden, pairs[i].x, pairs[i].y);
    if ((i == 0 || pairs[i].x != pairs[i - 1].x) &&
        !pith_i_push(env, &like, pairs[i].x))
      rc = PITH_ENOMEM;
  }
  if (rc >= 0)
    rc = pith_i_hidden_facts_like(&x->hidden, like.at, like.n);
  pith_i_vec_free(env, &like);
  if (rc >= 0 && x->hidden.subjects.n < PITH_TUNE_SECTION_SUBJECTS)
    rc = pith_i_fail(env, PITH_EINPUT, "too few facts to learn from");
  return rc;
}

pith_status pith_i_soft_model_learn(const pith_i_graph *g,
                                    const pith_i_theory *theory,
                                    uint32_t relation, const pith_i_pair *pairs,
                                    size_t n, const pith_i_soft_options *opt,
                                    pith_i_soft_model **out) {
  *out = NULL;
  pith_i_soft_model *x = pith_i_zalloc(g->env, 1, sizeof *x);
  if (x == NULL)
    return PITH_ENOMEM;
  x->env = g->env;
  x->g = g;
  x->theory = theory;
  x->relation = relation;
  x->opt = *opt;
  pith_status rc = prepare_training(x, pairs, n);
  if (rc >= 0)
    rc = train_on_sections(x);
  if (rc != PITH_OK)
    pith_i_soft_model_free(x);
  else
    *out = x;
  return rc;
}

void pith_i_soft_model_free(pith_i_soft_model *x) {
  if (x == NULL)
    return;
  pith_i_descent_free(x->env, x->descent);
  world_free(x->env, x->world);
  pith_i_hidden_facts_free(&x->hidden);
  pith_i_vec_free(x->env, &x->inside);
  pith_i_release(x->env, x->local);
  pith_i_release(x->env, x->among);
  pith_i_release(x->env, x);
}

/* ---- what was learned ------------------------------------------------- */

/* The whole graph as a world, the pairs as its examples. */
static pith_status make_whole_world(pith_i_soft_model *x,
                                    const pith_i_pair *pairs, size_t n,
                                    small_world **out) {
  pith_status rc = world_new(x, out);
  memcpy(x->hidden.gone, x->hidden.kept, x->g->edges);
  for (uint32_t e = 0; rc >= 0 && e < x->g->entities; e++)
    rc = enter_world(x, *out, e);
  if (rc >= 0)
    rc = give_facts(x, *out, x->hidden.gone);
  for (size_t i = 0; rc >= 0 && i < n; i++)
    rc = label_pair(x, *out, pairs[i].x, pairs[i].y, pairs[i].truth);
  leave_world(x);
  return rc < 0 ? rc : unroll_world(x, *out);
}

static void read_values(const pith_i_soft_model *x, size_t n, double *out) {
  const pith_i_net *net = x->descent->net;
  const pith_i_real *last =
      x->descent->tape->value + (size_t)net->steps * net->atoms;
  memset(out, 0, PITH_I_LANES * n * sizeof *out);
  for (size_t i = 0; i < net->examples.n; i++) {
    const pith_i_net_example *e = &net->examples.at[i];
    PITH_I_EACH_LANE(l)
    if (e->atom != PITH_NONE && e->example < n)
      out[(size_t)l * n + e->example] = (double)last[e->atom][l];
  }
}

pith_status pith_i_soft_model_score(pith_i_soft_model *x,
                                    const pith_i_pair *pairs, size_t n,
                                    double *out) {
  small_world *w = NULL;
  pith_i_real loss, error;
  pith_status rc = make_whole_world(x, pairs, n, &w);
  if (rc < 0) {
    world_free(x->env, w);
    return rc;
  }
  rc = take_world(x, w);
  if (rc < 0)
    return rc;
  if (x->world != w)
    return pith_i_fail(x->env, PITH_EINPUT,
                       "the graph's predicates are not those of its hidden");
  pith_i_descent_measure(x->descent, &loss, &error);
  read_values(x, n, out);
  return PITH_OK;
}

size_t pith_i_soft_model_rules(const pith_i_soft_model *x) {
  return x->descent->net->rules.n;
}

/* From the world's predicates back to the graph's. */
static void restore_preds(const pith_i_soft_model *x, pith_rule *r) {
  pith_atom *body = (pith_atom *)r->body;
  if (r->head.pred >= PITH_BUILTINS)
    r->head.pred = x->g->pred[r->head.pred - PITH_BUILTINS];
  for (uint32_t i = 0; i < r->body_len; i++)
    if (body[i].pred >= PITH_BUILTINS)
      body[i].pred = x->g->pred[body[i].pred - PITH_BUILTINS];
}

pith_status pith_i_soft_model_decode(pith_i_soft_model *x, uint32_t restart,
                                     pith_i_arena *arena, pith_rule **rules,
                                     double *similarity) {
  const pith_i_net *net = x->descent->net;
  size_t slots = net->slots.n;
  uint32_t *choice =
      pith_i_alloc(x->env, (PITH_I_LANES * slots + 1) * sizeof *choice);
  if (choice == NULL)
    return PITH_ENOMEM;
  pith_i_descent_decode(x->descent, choice);
  assert(restart < PITH_I_LANES);
  const uint32_t *own = choice + restart * slots;
  pith_status rc = PITH_OK;
  for (size_t r = 0; rc >= 0 && r < net->rules.n; r++) {
    const pith_i_net_rule *q = &net->rules.at[r];
    similarity[r] = 1;
    for (uint32_t i = 0; i < q->shape->slot_count; i++) {
      double w = (double)x->descent->tape->weight[own[q->slots[i]]][restart];
      similarity[r] = w < similarity[r] ? w : similarity[r];
    }
    rules[r] = pith_i_program_rule(net, own, r, arena);
    if (rules[r] == NULL)
      rc = PITH_ENOMEM;
    else
      restore_preds(x, rules[r]);
  }
  pith_i_release(x->env, choice);
  return rc;
}
