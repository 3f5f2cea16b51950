/* The paper's semantics against the numbers of the authors' code.
**
** tests/golden has, for each task of the paper, the initial parameters of three
** runs, and for each of them the losses of the first hundred epochs, the
** valuation and the gradient of the first, and the parameters after it; two
** tasks have noise too. This file is compiled twice: with lanes of doubles, to
** agree to many digits, and as the library is, to agree as far as single
** precision goes. */
#include <ctype.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "plain.h"
#include "task.h"
#include "train/descent.h"

enum { MOST = 1 << 14, RUNS = 4, EPOCHS = 101, PREDS = 16, WORLDS = 2 };

/* Largest relative difference allowed: of the valuation of epoch 0, its
** gradient and the parameters after it; of the losses up to epoch 10 and 100.
** Measured: 1e-14, and in single precision 2e-6, 4e-6 and 2e-5. */
#ifdef PITH_I_DOUBLE
static const double first_limit = 1e-12, ten_limit = 1e-9, all_limit = 1e-6;
#else
static const double first_limit = 1e-5, ten_limit = 2e-5, all_limit = 1e-4;
#endif

/* ---- one file --------------------------------------------------------- */

typedef struct {
  double *at;
  size_t n;
} numbers;

typedef struct {
  numbers embeddings, rules, gradient[2], after[2]; /* embeddings, rules */
  numbers valuation[PREDS];
  double loss[EPOCHS];
  numbers noise[EPOCHS], at[EPOCHS][2];
  double scale[EPOCHS];
} run;

typedef struct {
  char pred[PREDS][32];
  uint32_t arity[PREDS];
  bool background[PREDS];
  uint32_t preds;
  char loop;
  bool trained;
  double rate;
  pith *world[WORLDS];
  uint32_t worlds, constants, target_cells;
  bool target[64 * 64];
  run run[RUNS];
  uint32_t runs, epochs; /* epochs with a loss */
} golden;

static numbers read_numbers(const char *text) {
  static double room[MOST];
  numbers all = {.n = 0};
  char *end;
  for (double x; x = strtod(text, &end), end != text; text = end) {
    assert_true(all.n < MOST);
    room[all.n++] = x;
  }
  all.at = malloc((all.n + 1) * sizeof *all.at);
  memcpy(all.at, room, all.n * sizeof *all.at);
  return all;
}

static void add_text(pith *p, pith_format format, const char *form, ...) {
  char text[512];
  va_list args;
  va_start(args, form);
  vsnprintf(text, sizeof text, form, args);
  va_end(args);
  task_read(p, text, format);
}

/* Every cell of the target is an example. */
static void add_examples(golden *g) {
  pith *p = g->world[g->worlds - 1];
  const char *name = g->pred[g->preds - 1];
  uint32_t n = g->constants, arity = g->arity[g->preds - 1];
  for (uint32_t x = 0; x < n; x++)
    for (uint32_t y = 0; y < (arity == 1 ? 1 : n); y++) {
      const char *sign = g->target[x * 64 + y] ? "pos" : "neg";
      if (arity == 1)
        add_text(p, PITH_PROLOG, "%s(%s(c%u)).", sign, name, x);
      else
        add_text(p, PITH_PROLOG, "%s(%s(c%u,c%u)).", sign, name, x, y);
    }
}

static void begin_world(golden *g, uint32_t constants) {
  if (g->worlds > 0)
    add_examples(g);
  assert_true(g->worlds < WORLDS && constants <= 64);
  pith *p = NULL;
  assert_int_equal(pith_new(&p), PITH_OK);
  g->world[g->worlds++] = p;
  g->constants = constants;
  memset(g->target, 0, sizeof g->target);
  for (uint32_t i = 0; i < g->preds; i++) {
    pith_pred number;
    assert_true(pith_pred_add(p, g->pred[i], g->arity[i], &number) >= 0);
  }
}

static void read_fact(golden *g, const char *line) {
  char name[32];
  unsigned x, y;
  int n = sscanf(line, "%31s %u %u", name, &x, &y);
  pith *p = g->world[g->worlds - 1];
  if (n == 2)
    add_text(p, PITH_PROLOG, "%s(c%u).", name, x);
  else
    add_text(p, PITH_PROLOG, "%s(c%u,c%u).", name, x, y);
}

static void read_cell(golden *g, const char *line) {
  unsigned x, y = 0;
  assert_true(sscanf(line, "%u %u", &x, &y) >= 1);
  g->target[x * 64 + y] = true;
}

static uint32_t find_pred(const golden *g, const char *name) {
  uint32_t i = 0;
  while (i < g->preds && strcmp(g->pred[i], name) != 0)
    i++;
  assert_true(i < g->preds);
  return i;
}

static void read_pred(golden *g, const char *line) {
  unsigned arity, background;
  assert_true(g->preds < PREDS);
  assert_int_equal(
      sscanf(line, "%31s %u %u", g->pred[g->preds], &arity, &background), 3);
  g->arity[g->preds] = arity;
  g->background[g->preds++] = background != 0;
}

static numbers *embeddings_or_rules(const char *word, numbers *two) {
  return word[0] == 'e' ? &two[0] : &two[1];
}

/* The rest of the line after its first n words. */
static const char *after_words(const char *line, int n) {
  for (; n > 0; n--) {
    line += strcspn(line, " ");
    line += strspn(line, " ");
  }
  return line;
}

static void read_run_line(golden *g, const char *key, const char *line) {
  run *r = &g->run[g->runs - 1];
  unsigned epoch = (unsigned)strtoul(line, NULL, 10);
  assert_true(epoch < EPOCHS || !isdigit((unsigned char)*line));
  if (strcmp(key, "embeddings") == 0)
    r->embeddings = read_numbers(line);
  else if (strcmp(key, "rules") == 0)
    r->rules = read_numbers(line);
  else if (strcmp(key, "loss") == 0) {
    r->loss[epoch] = strtod(after_words(line, 1), NULL);
    g->epochs = epoch + 1 > g->epochs ? epoch + 1 : g->epochs;
  } else if (strcmp(key, "gradient") == 0)
    *embeddings_or_rules(line, r->gradient) =
        read_numbers(after_words(line, 1));
  else if (strcmp(key, "after") == 0)
    *embeddings_or_rules(line, r->after) = read_numbers(after_words(line, 1));
  else if (strcmp(key, "noise") == 0) {
    r->scale[epoch] = strtod(after_words(line, 1), NULL);
    r->noise[epoch] = read_numbers(after_words(line, 2));
  } else if (strcmp(key, "at") == 0)
    *embeddings_or_rules(after_words(line, 1), r->at[epoch]) =
        read_numbers(after_words(line, 2));
  else {
    char name[32];
    assert_string_equal(key, "valuation");
    assert_int_equal(sscanf(line, "%31s", name), 1);
    r->valuation[find_pred(g, name)] = read_numbers(after_words(line, 1));
  }
}

static void read_line(golden *g, const char *key, const char *line,
                      char templates[], size_t room) {
  size_t used = strlen(templates);
  if (strcmp(key, "loop") == 0)
    g->loop = line[0];
  else if (strcmp(key, "trained") == 0)
    g->trained = line[0] == '1';
  else if (strcmp(key, "rate") == 0)
    g->rate = strtod(line, NULL);
  else if (strcmp(key, "steps") == 0)
    snprintf(templates + used, room - used, "steps: %s\n", line);
  else if (strcmp(key, "template") == 0)
    snprintf(templates + used, room - used, "%s\n", line);
  else if (strcmp(key, "pred") == 0)
    read_pred(g, line);
  else if (strcmp(key, "world") == 0)
    begin_world(g, (uint32_t)strtoul(line, NULL, 10));
  else if (strcmp(key, "fact") == 0)
    read_fact(g, line);
  else if (strcmp(key, "target") == 0)
    read_cell(g, line);
  else if (strcmp(key, "run") == 0) {
    if (g->runs == 0)
      add_examples(g);
    assert_true(g->runs < RUNS);
    for (int e = 0; e < EPOCHS; e++)
      g->run[g->runs].loss[e] = NAN;
    g->runs++;
  } else
    read_run_line(g, key, line);
}

static void invent(golden *g) {
  for (uint32_t i = 0; i + 1 < g->preds; i++)
    if (!g->background[i])
      add_text(g->world[0], PITH_TEMPLATES, "invented: %s/%u\n", g->pred[i],
               g->arity[i]);
}

static golden *read_golden(const char *task) {
  static char line[1 << 19];
  char path[128], templates[1024] = "";
  golden *g = calloc(1, sizeof *g);
  snprintf(path, sizeof path, "tests/golden/%s.txt", task);
  FILE *file = fopen(path, "r");
  if (file == NULL)
    fail_msg("%s: cannot be opened", path);
  while (fgets(line, sizeof line, file) != NULL) {
    line[strcspn(line, "\n")] = '\0';
    char *rest = line + strcspn(line, " ");
    if (*rest != '\0')
      *rest++ = '\0';
    read_line(g, line, rest, templates, sizeof templates);
  }
  fclose(file);
  invent(g);
  task_read(g->world[0], templates, PITH_TEMPLATES);
  return g;
}

static void free_golden(golden *g) {
  for (uint32_t i = 0; i < g->runs; i++) {
    run *r = &g->run[i];
    free(r->embeddings.at);
    free(r->rules.at);
    for (int k = 0; k < 2; k++) {
      free(r->gradient[k].at);
      free(r->after[k].at);
    }
    for (int p = 0; p < PREDS; p++)
      free(r->valuation[p].at);
    for (int e = 0; e < EPOCHS; e++) {
      free(r->noise[e].at);
      free(r->at[e][0].at);
      free(r->at[e][1].at);
    }
  }
  for (uint32_t w = g->worlds; w-- > 0;)
    pith_free(g->world[w]);
  free(g);
}

/* ---- the network ------------------------------------------------------ */

static pith_i_net *make_net(const golden *g) {
  pith_i_world worlds[WORLDS];
  pith_i_net *net = NULL;
  for (uint32_t w = 0; w < g->worlds; w++)
    worlds[w] = (pith_i_world){.theory = &g->world[w]->theory,
                               .store = &g->world[w]->store};
  pith_i_net_options opt = {.layout = PITH_I_DENSE, .reference = true};
  task_check(g->world[0],
             pith_i_net_new(&g->world[0]->env, worlds, g->worlds, &opt, &net));
  assert_int_equal(net->preds.n, g->preds);
  for (uint32_t p = 0; p < g->preds; p++)
    assert_string_equal(
        pith_i_pred_text(&net->theory->names, net->preds.at[p].pred),
        g->pred[p]);
  return net;
}

static pith_i_recipe recipe_of(const golden *g) {
  pith_i_recipe r = pith_i_recipe_paper();
  r.rate = (pith_i_scalar)g->rate;
  r.onehot = !g->trained;
  r.noise = 0;
  r.hold = g->loop == 'A'   ? PITH_I_HOLD_LATE
           : g->loop == 'B' ? PITH_I_HOLD_THROUGH
                            : PITH_I_HOLD_AFTER;
  r.alternate = g->loop == 'B';
  return r;
}

/* The row of a parameter of the file; PITH_NONE: a slot that the template does
** not have. D parameters of the head, D of the first body atom, D of the
** second, rule after rule. */
static uint32_t rule_row(const pith_i_net *net, size_t i) {
  size_t d = net->preds.n, r = i / (3 * d), part = i / d % 3;
  const pith_i_net_rule *q = &net->rules.at[r];
  const pith_rule *shape = &q->shape->shape;
  if (part > shape->body_len)
    return PITH_NONE;
  uint32_t slot = part == 0 ? shape->head.pred : shape->body[part - 1].pred;
  return (uint32_t)(q->slots[slot] * d + i % d);
}

static uint32_t embedding_row(const pith_i_net *net, size_t i) {
  return (uint32_t)(net->slots.n * net->preds.n + i);
}

typedef uint32_t row_of(const pith_i_net *net, size_t i);

static void set_lane(const pith_i_net *net, row_of *row, const numbers *from,
                     int lane, double scale, pith_i_real *to) {
  for (size_t i = 0; i < from->n; i++) {
    uint32_t at = row(net, i);
    if (at != PITH_NONE)
      to[at][lane] = (pith_i_scalar)(scale * from->at[i]);
  }
}

/* ---- comparing -------------------------------------------------------- */

typedef struct {
  double value, slope, after, loss[EPOCHS];
} distance;

static double far(double worst, double a, double b) {
  double d = fabs(a - b) / fmax(1.0, fabs(b));
  return d > worst || isnan(d) ? d : worst;
}

static double compare_rows(const pith_i_net *net, row_of *row,
                           const numbers *want, const pith_i_real *have,
                           int lane, bool held) {
  double worst = 0;
  for (size_t i = 0; i < want->n; i++) {
    uint32_t at = row(net, i);
    if (at == PITH_NONE)
      continue;
    double x = (double)have[at][lane];
    if (held)
      x = fmin(1, fmax(0, x));
    worst = far(worst, x, want->at[i]);
  }
  return worst;
}

/* The constant that the file calls i, in world 0. */
static uint32_t constant_named(const pith_i_net *net, uint32_t i) {
  char name[16];
  snprintf(name, sizeof name, "c%u", i);
  for (uint32_t c = 0; c < net->first_constant[1]; c++)
    if (strcmp(pith_i_sym(&net->theory->names, net->symbol[c])->text, name) ==
        0)
      return c;
  fail_msg("no constant %s", name);
  return 0;
}

static double compare_values(const pith_i_net *net, const pith_i_tape *t,
                             const numbers *want, uint32_t pred, int lane) {
  const pith_i_net_pred *p = &net->preds.at[pred];
  uint32_t n = net->first_constant[1];
  double worst = 0;
  for (uint32_t i = 0; i < want->n; i++) {
    uint32_t x = constant_named(net, p->arity == 1 ? i : i / n);
    uint32_t y = constant_named(net, p->arity == 1 ? i : i % n);
    uint32_t a = p->arity == 1 ? x : pith_i_net_pair(net, x, y);
    size_t at = (size_t)net->steps * net->atoms + p->offset + a;
    worst = far(worst, (double)t->value[at][lane], want->at[i]);
  }
  return worst;
}

static void compare_first(const golden *g, const pith_i_descent *d, int lane,
                          distance *out) {
  const run *r = &g->run[lane];
  const pith_i_net *net = d->net;
  for (uint32_t p = 0; p < g->preds; p++)
    out->value = fmax(out->value,
                      compare_values(net, d->tape, &r->valuation[p], p, lane));
  out->slope =
      fmax(out->slope, compare_rows(net, embedding_row, &r->gradient[0],
                                    d->dtheta, lane, false));
  out->slope = fmax(out->slope, compare_rows(net, rule_row, &r->gradient[1],
                                             d->dtheta, lane, false));
  out->after = fmax(out->after, compare_rows(net, embedding_row, &r->after[0],
                                             d->theta, lane, true));
  out->after = fmax(out->after, compare_rows(net, rule_row, &r->after[1],
                                             d->theta, lane, true));
}

/* With noise: the parameters before each epoch. */
static void compare_before(const golden *g, const pith_i_descent *d, int lane,
                           uint32_t epoch, distance *out) {
  const run *r = &g->run[lane];
  out->after =
      fmax(out->after, compare_rows(d->net, embedding_row, &r->at[epoch][0],
                                    d->theta, lane, true));
  out->after = fmax(out->after, compare_rows(d->net, rule_row, &r->at[epoch][1],
                                             d->theta, lane, true));
}

static void compare_epoch(const golden *g, pith_i_descent *d, uint32_t epoch,
                          distance *out) {
  pith_i_real loss, error;
  memset(d->noise, 0, d->params * sizeof *d->noise);
  for (uint32_t l = 0; l < g->runs; l++) {
    set_lane(d->net, rule_row, &g->run[l].noise[epoch], (int)l,
             g->run[l].scale[epoch], d->noise);
    compare_before(g, d, (int)l, epoch, out);
  }
  pith_i_descent_step(d);
  pith_i_descent_loss(d, &loss, &error);
  for (uint32_t l = 0; l < g->runs; l++) {
    if (!isnan(g->run[l].loss[epoch]))
      out->loss[epoch] =
          far(out->loss[epoch], (double)loss[l], g->run[l].loss[epoch]);
    if (epoch == 0)
      compare_first(g, d, (int)l, out);
  }
}

static distance compare_task(const char *task) {
  golden *g = read_golden(task);
  pith_i_env *env = &g->world[0]->env;
  pith_i_net *net = make_net(g);
  pith_i_recipe recipe = recipe_of(g);
  pith_i_descent *d;
  distance out = {0};
  uint64_t seeds[PITH_I_LANES] = {0};
  task_check(g->world[0], pith_i_descent_new(env, net, &recipe, &d));
  pith_i_descent_start(d, seeds);
  for (uint32_t l = 0; l < g->runs; l++) {
    set_lane(net, embedding_row, &g->run[l].embeddings, (int)l, 1, d->theta);
    set_lane(net, rule_row, &g->run[l].rules, (int)l, 1, d->theta);
  }
  for (uint32_t e = 0; e < g->epochs; e++)
    compare_epoch(g, d, e, &out);
  pith_i_descent_free(env, d);
  pith_i_net_free(net);
  free_golden(g);
  return out;
}

static double worst_loss(const distance *d, int from, int to) {
  double worst = 0;
  for (int e = from; e <= to; e++)
    worst = fmax(worst, d->loss[e]);
  return worst;
}

static const char *const tasks[] = {"predecessor",
                                    "even-odd",
                                    "even-succ2",
                                    "less-than",
                                    "fizz",
                                    "buzz",
                                    "member",
                                    "length",
                                    "son",
                                    "grandparent",
                                    "relatedness",
                                    "father",
                                    "undirected-edge",
                                    "adjacent-to-red",
                                    "two-children",
                                    "two-children-1",
                                    "graph-colouring",
                                    "connectedness",
                                    "cyclic",
                                    "even-odd-noise",
                                    "adjacent-to-red-noise"};

static void rules_are_the_reference(void **state) {
  (void)state;
  bool fine = true;
  for (size_t i = 0; i < sizeof tasks / sizeof *tasks; i++) {
    distance d = compare_task(tasks[i]);
    double ten = worst_loss(&d, 0, 10), all = worst_loss(&d, 0, 100);
    print_message("%-22s value %.0e gradient %.0e after %.0e, loss to epoch 10 "
                  "%.0e, 100 %.0e\n",
                  tasks[i], d.value, d.slope, d.after, ten, all);
    fine = fine && d.value < first_limit && d.slope < first_limit &&
           d.after < first_limit && ten < ten_limit && all < all_limit;
  }
  assert_true(fine);
}

/* ---- theories ---------------------------------------------------------- */

typedef struct {
  numbers rules, embeddings, core, valuation;
  double loss[EPOCHS];
} theory_run;

typedef struct {
  numbers shapes, target;
  char preds[PREDS][16];
  uint32_t pred_count, runs;
  double rate, sumand, beta, lambda;
  theory_run run[RUNS];
} theory_file;

static void read_theory_line(theory_file *f, const char *key,
                             const char *line) {
  theory_run *r = &f->run[f->runs > 0 ? f->runs - 1 : 0];
  const struct {
    const char *key;
    numbers *all;
    double *one;
  } places[] = {
      {"shapes", &f->shapes, NULL},      {"target", &f->target, NULL},
      {"rules", &r->rules, NULL},        {"embeddings", &r->embeddings, NULL},
      {"core", &r->core, NULL},          {"valuation", &r->valuation, NULL},
      {"learning_rate", NULL, &f->rate}, {"sumand", NULL, &f->sumand},
      {"beta", NULL, &f->beta},          {"lambda", NULL, &f->lambda}};
  for (size_t i = 0; i < sizeof places / sizeof *places; i++)
    if (strcmp(places[i].key, key) == 0) {
      if (places[i].all != NULL)
        *places[i].all = read_numbers(line);
      else
        *places[i].one = strtod(line, NULL);
    }
  if (strcmp(key, "loss") == 0 && strtoul(line, NULL, 10) < EPOCHS)
    r->loss[strtoul(line, NULL, 10)] = strtod(after_words(line, 1), NULL);
  if (strcmp(key, "run") == 0) {
    for (int e = 0; e < EPOCHS; e++)
      f->run[f->runs].loss[e] = NAN;
    f->runs++;
  }
  for (; strcmp(key, "preds") == 0 && *line != '\0'; f->pred_count++) {
    sscanf(line, "%15s", f->preds[f->pred_count]);
    line = after_words(line, 1);
  }
}

static theory_file *read_theory(const char *name) {
  static char line[1 << 19];
  char path[64];
  theory_file *f = calloc(1, sizeof *f);
  snprintf(path, sizeof path, "tests/golden/%s.txt", name);
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  while (fgets(line, sizeof line, file) != NULL) {
    line[strcspn(line, "\n")] = '\0';
    char *rest = line + strcspn(line, " ");
    if (*rest != '\0')
      *rest++ = '\0';
    read_theory_line(f, line, rest);
  }
  fclose(file);
  return f;
}

static void free_theory(theory_file *f) {
  free(f->shapes.at);
  free(f->target.at);
  for (uint32_t i = 0; i < f->runs; i++) {
    free(f->run[i].rules.at);
    free(f->run[i].embeddings.at);
    free(f->run[i].core.at);
    free(f->run[i].valuation.at);
  }
  free(f);
}

/* A predicate's cells: (rows, columns) of constants; columns 0: unary. The
** subjects are s0, s1, ...; objects other than subjects are o<pred>_0, ... */
typedef struct {
  uint32_t rows, columns;
  bool own_objects;
} cells;

static cells cells_of(const theory_file *f, uint32_t pred) {
  if (f->shapes.n == 0) /* kinship: female, male, and ten people */
    return (cells){10, pred < 2 ? 0 : 10, false};
  return (cells){(uint32_t)f->shapes.at[2 * pred],
                 (uint32_t)f->shapes.at[2 * pred + 1], pred > 0};
}

static void object_name(cells c, uint32_t pred, uint32_t y, char out[32]) {
  if (c.own_objects)
    snprintf(out, 32, "o%u_%u", pred, y);
  else
    snprintf(out, 32, "s%u", y);
}

/* The first predicate that is observed. */
static uint32_t first_observed(const theory_file *f) {
  return f->shapes.n == 0 ? 4 : 0;
}

static pith *theory_world(const theory_file *f) {
  pith *p = NULL;
  pith_pred number;
  char y[32];
  size_t at = 0;
  assert_int_equal(pith_new(&p), PITH_OK);
  for (uint32_t i = 0; i < f->pred_count; i++)
    assert_true(pith_pred_add(p, f->preds[i],
                              cells_of(f, i).columns == 0 ? 1 : 2,
                              &number) >= 0);
  for (uint32_t i = first_observed(f); i < f->pred_count; i++) {
    cells c = cells_of(f, i);
    for (uint32_t k = 0; k < c.rows * c.columns; k++) {
      object_name(c, i, k % c.columns, y);
      if (f->target.at[at++] > 0.5)
        add_text(p, PITH_PROLOG, "%s(s%u,%s).", f->preds[i], k / c.columns, y);
    }
  }
  assert_int_equal(at, f->target.n);
  if (f->shapes.n > 0)
    add_text(p, PITH_TEMPLATES, "4 F(X,Y) <- F(X,Z), F(Z,Y)\nsteps: 2\n");
  else
    add_text(p, PITH_TEMPLATES,
             "invented: female/1\ninvented: male/1\ninvented: spouse/2\n"
             "invented: child/2\n2 F(X,Y) <- F(X), F(Y,X)\n"
             "4 F(X,Y) <- F(X), F(X,Y)\nsteps: 1\n");
  return p;
}

static uint32_t symbol_constant(const pith_i_net *net, const char *name) {
  for (uint32_t c = 0; c < net->constants; c++)
    if (strcmp(pith_i_sym(&net->theory->names, net->symbol[c])->text, name) ==
        0)
      return c;
  return PITH_NONE;
}

/* The place of a cell in a valuation; PITH_NONE: its constants are in no fact,
** so nothing is known of it. */
static uint32_t cell_atom(const theory_file *f, const pith_i_net *net,
                          uint32_t pred, uint32_t k) {
  cells c = cells_of(f, pred);
  char x[32], y[32];
  snprintf(x, sizeof x, "s%u", c.columns == 0 ? k : k / c.columns);
  uint32_t a = symbol_constant(net, x), b = a;
  if (c.columns > 0) {
    object_name(c, pred, k % c.columns, y);
    b = symbol_constant(net, y);
  }
  if (a == PITH_NONE || b == PITH_NONE)
    return PITH_NONE;
  return net->preds.at[pred].offset +
         (c.columns == 0 ? a : pith_i_net_pair(net, a, b));
}

static uint32_t cell_count(cells c) {
  return c.rows * (c.columns == 0 ? 1 : c.columns);
}

/* The core of a run into its lane. */
static void set_core(const theory_file *f, pith_i_descent *d, int lane) {
  size_t at = 0;
  uint32_t end = first_observed(f) > 0 ? first_observed(f) : f->pred_count;
  for (uint32_t p = 0; p < end; p++)
    for (uint32_t k = 0; k < cell_count(cells_of(f, p)); k++, at++) {
      uint32_t atom = cell_atom(f, d->net, p, k);
      for (size_t m = 0; m < d->net->core.n; m++)
        if (d->net->core.at[m] == atom)
          d->core_theta[m][lane] = (pith_i_scalar)f->run[lane].core.at[at];
    }
  assert_int_equal(at, f->run[lane].core.n);
}

static double compare_theory_values(const theory_file *f,
                                    const pith_i_descent *d, int lane) {
  const pith_i_net *net = d->net;
  double worst = 0;
  size_t at = 0;
  for (uint32_t p = first_observed(f); p < f->pred_count; p++)
    for (uint32_t k = 0; k < cell_count(cells_of(f, p)); k++, at++) {
      uint32_t atom = cell_atom(f, net, p, k);
      assert_true(atom != PITH_NONE);
      size_t place = (size_t)net->steps * net->atoms + atom;
      worst = far(worst, (double)d->tape->value[place][lane],
                  f->run[lane].valuation.at[at]);
    }
  assert_int_equal(at, f->run[lane].valuation.n);
  return worst;
}

static pith_i_recipe theory_recipe(const theory_file *f) {
  bool taxonomy = f->shapes.n > 0;
  pith_i_recipe r =
      taxonomy ? pith_i_recipe_taxonomy() : pith_i_recipe_kinship();
  assert_true(fabs((double)r.rate - f->rate) < 1e-7);
  r.loss_scale = (pith_i_scalar)f->beta;
  r.core_penalty = (pith_i_scalar)f->lambda;
  return r;
}

static void compare_theory(const char *name) {
  theory_file *f = read_theory(name);
  pith *p = theory_world(f);
  bool taxonomy = f->shapes.n > 0;
  pith_i_world world = {.theory = &p->theory, .store = &p->store};
  pith_i_net_options opt = {.core = taxonomy ? PITH_I_CORE_TYPED
                                             : PITH_I_CORE_HIDDEN,
                            .reference = true,
                            .weights_first = taxonomy};
  pith_i_recipe recipe = theory_recipe(f);
  pith_i_net *net;
  pith_i_descent *d;
  distance out = {0};
  uint64_t seeds[PITH_I_LANES] = {0};
  task_check(p, pith_i_net_new(&p->env, &world, 1, &opt, &net));
  task_check(p, pith_i_descent_new(&p->env, net, &recipe, &d));
  pith_i_descent_start(d, seeds);
  for (uint32_t l = 0; l < f->runs; l++) {
    set_lane(net, embedding_row, &f->run[l].embeddings, (int)l, 1, d->theta);
    set_lane(net, rule_row, &f->run[l].rules, (int)l, 1, d->theta);
    set_core(f, d, (int)l);
  }
  for (int e = 0; e < EPOCHS; e++) {
    pith_i_real loss, error;
    pith_i_descent_epoch(d);
    pith_i_descent_loss(d, &loss, &error);
    for (uint32_t l = 0; l < f->runs; l++) {
      if (!isnan(f->run[l].loss[e]))
        out.loss[e] = far(out.loss[e], (double)loss[l], f->run[l].loss[e]);
      if (e == 0)
        out.value = fmax(out.value, compare_theory_values(f, d, (int)l));
    }
  }
  double ten = worst_loss(&out, 0, 10), all = worst_loss(&out, 0, 100);
  print_message("%-22s value %.0e, loss to epoch 10 %.0e, 100 %.0e\n", name,
                out.value, ten, all);
  assert_true(out.value < first_limit && ten < ten_limit && all < all_limit);
  pith_i_descent_free(&p->env, d);
  pith_i_net_free(net);
  pith_free(p);
  free_theory(f);
}

static void theories_are_the_reference(void **state) {
  (void)state;
  compare_theory("kinship");
  compare_theory("taxonomy");
}

/* ---- random networks -------------------------------------------------- */

static pith_i_net *random_net(const task *t, pith_i_layout layout) {
  pith_i_world worlds[TASK_WORLDS];
  pith_i_net *net = NULL;
  for (size_t w = 0; w < t->worlds; w++)
    worlds[w] = (pith_i_world){.theory = &t->world[w]->theory,
                               .store = &t->world[w]->store};
  pith_i_env *env = &t->world[0]->env;
  pith_i_net_options opt = {.layout = layout, .reference = true};
  pith_status rc = pith_i_net_new(env, worlds, t->worlds, &opt, &net);
  return rc < 0 ? NULL : net; /* a slot without predicates */
}

static pith_i_tape *random_tape(task *t, const pith_i_net *net, bool product) {
  pith_i_tape *tape;
  pith_i_semantics m = {.reference = true, .and_product = product};
  task_check(t->world[0], pith_i_tape_new(&t->world[0]->env, net, m, &tape));
  for (size_t c = 0; c < net->candidates.n; c++)
    PITH_I_EACH_LANE(l)
  tape->weight[c][l] = (pith_i_scalar)(1.2 * task_uniform(t) - 0.2);
  return tape;
}

static double compare_with_plain(task *t, const pith_i_tape *tape, int lane) {
  const pith_i_net *net = tape->net;
  pith_i_env *env = &t->world[0]->env;
  pith_i_plain *plain;
  double worst = 0;
  task_check(t->world[0], pith_i_plain_new(env, net, tape->semantics, &plain));
  for (size_t c = 0; c < net->candidates.n; c++)
    plain->weight[c] = (double)tape->weight[c][lane];
  pith_i_plain_forward(plain);
  for (uint32_t i = 0; i < net->preds.n; i++) {
    const pith_i_net_pred *q = &net->preds.at[i];
    for (uint32_t a = 0; q->derived && a < q->size; a++) {
      uint32_t x = q->arity == 1 ? a : net->pair_x[a];
      uint32_t y = q->arity == 1 ? a : net->pair_y[a];
      size_t at = (size_t)net->steps * net->atoms + q->offset + a;
      worst = far(worst, (double)tape->value[at][lane],
                  pith_i_plain_value(plain, net->steps, i, x, y));
    }
  }
  pith_i_plain_free(env, plain);
  return worst;
}

static void fast_is_plain(void **state) {
  (void)state;
  double worst = 0;
  size_t nets = 0;
  for (uint64_t seed = 0; seed < 120; seed++) {
    task t = task_new(9000 + seed, 1 + (uint32_t)(seed % 4));
    pith_i_net *net =
        random_net(&t, seed % 2 == 0 ? PITH_I_SPARSE : PITH_I_DENSE);
    if (net != NULL) {
      pith_i_tape *tape = random_tape(&t, net, seed % 3 == 0);
      pith_i_net_forward(tape);
      worst = fmax(worst, compare_with_plain(&t, tape, 5));
      pith_i_tape_free(&t.world[0]->env, tape);
      nets++;
    }
    pith_i_net_free(net);
    task_free(&t);
  }
  print_message("%zu networks, largest difference %.0e\n", nets, worst);
  assert_true(nets > 60 && worst < first_limit);
}

/* ---- slopes ------------------------------------------------------------ */

#ifdef PITH_I_DOUBLE

typedef struct {
  double worst;
  size_t checked, kinks;
} slopes;

/* A candidate to either side takes two lanes, so a pass serves this many. */
enum { AT_ONCE = PITH_I_LANES / 2 };

/* Adds h to the weight of candidate c + i in lane 2i, takes it off in lane
** 2i + 1, and gives the loss of every lane. */
static void side_losses(pith_i_tape *t, size_t c, size_t n, double h,
                        pith_i_real *loss) {
  pith_i_real error, before[AT_ONCE];
  for (size_t i = 0; i < n; i++) {
    before[i] = t->weight[c + i];
    t->weight[c + i][2 * i] += h;
    t->weight[c + i][2 * i + 1] -= h;
  }
  pith_i_net_forward(t);
  pith_i_loss_forward(t, 0, loss, &error);
  for (size_t i = 0; i < n; i++)
    t->weight[c + i] = before[i];
}

/* Where two alternatives meet, the slopes to either side differ. */
static void check_slope(double up, double down, double slope, slopes *s) {
  double scale = fmax(1, fabs(up));
  if (fabs(up - down) > 1e-3 * scale) {
    s->kinks++;
    return;
  }
  s->checked++;
  s->worst = fmax(s->worst, fabs((up + down) / 2 - slope) / scale);
}

static void check_slopes(pith_i_tape *t, slopes *s) {
  const double h = 1e-6;
  size_t candidates = t->net->candidates.n;
  pith_i_real at, loss;
  side_losses(t, 0, 0, h, &at);
  for (size_t c = 0; c < candidates; c += AT_ONCE) {
    size_t n = candidates - c < AT_ONCE ? candidates - c : AT_ONCE;
    side_losses(t, c, n, h, &loss);
    for (size_t i = 0; i < n; i++)
      check_slope((loss[2 * i] - at[0]) / h, (at[0] - loss[2 * i + 1]) / h,
                  t->dweight[c + i][0], s);
  }
}

static void slopes_are_right(void **state) {
  (void)state;
  slopes s = {0};
  for (uint64_t seed = 0; seed < 100; seed++) {
    task t = task_new(9500 + seed, 1 + (uint32_t)(seed % 3));
    pith_i_net *net =
        random_net(&t, seed % 2 == 0 ? PITH_I_SPARSE : PITH_I_DENSE);
    if (net != NULL) {
      pith_i_tape *tape = random_tape(&t, net, seed % 3 == 0);
      tape->semantics.known_sum = seed % 5 == 0;
      for (size_t c = 0; c < net->candidates.n; c++)
        tape->weight[c] = PITH_I_ALL(0.05 + 0.9 * task_uniform(&t));
      pith_i_net_forward(tape);
      pith_i_loss_backward(tape, 0);
      pith_i_net_backward(tape);
      check_slopes(tape, &s);
      pith_i_tape_free(&t.world[0]->env, tape);
    }
    pith_i_net_free(net);
    task_free(&t);
  }
  print_message("%zu slopes, %zu at a kink, largest difference %.0e\n",
                s.checked, s.kinks, s.worst);
  assert_true(s.worst < 1e-4 && s.kinks <= s.checked / 20);
}

#endif

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fast_is_plain),
#ifdef PITH_I_DOUBLE
      cmocka_unit_test(slopes_are_right),
#endif
      cmocka_unit_test(rules_are_the_reference),
      cmocka_unit_test(theories_are_the_reference),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
