/* A model as text that pith reads: rules with their confidence as probability,
** and facts that say what becomes of them. Asked is `object` or `subject`.
**
**   pith_model(Method, Version, Target)             what it is; Target or `all`
**   pith_method(Relation, Asked, Method)            how answers are scored
**   pith_odds(slope, Clue, all, Slope), and         what a score means;
**   pith_odds(Relation, Asked, Known, Bias)           Known: `none` or `some`
**   pith_missing(Relation, Asked, Known, Log)         what facts are missing
**   pith_odds(sides, base, all, Base), pith_odds(sides, slope, all, Slope)
**   pith_weight(Relation, Asked, Feature, Weight)   for the method `learned`
**   pith_weight(Relation, Asked, N, Weight)         of the relation's N-th rule
**   pith_weight(Relation, Asked, bias, Weight)        where chains are weighted
**   pith_missing(all, told, Share)                  facts that are missing; or
**                                                     `estimated`
**   pith_candidate(Relation, Asked, Constant)       whom these are asked about
*/
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/out.h"
#include "graph/model.h"
#include "text/decimal.h"
#include "text/print.h"

enum { VERSION = 2 };

/* ---- names ------------------------------------------------------------ */

static const char *const model_methods[] = {[PITH_MODEL_AUTO] = "auto",
                                            [PITH_MODEL_RULES] = "rules",
                                            [PITH_MODEL_CHAINS] = "chains",
                                            [PITH_MODEL_SOFT] = "soft"};
static const char *const aggregators[PITH_I_AGGREGATORS] = {
    [PITH_I_MAX_PLUS] = "max_plus",
    [PITH_I_NOISY_OR] = "noisy_or",
    [PITH_I_LEARNED] = "learned"};
static const char *const rule_kinds[PITH_I_KINDS] = {
    [PITH_I_CHAIN1] = "chain1",       [PITH_I_CHAIN2] = "chain2",
    [PITH_I_CHAIN3] = "chain3",       [PITH_I_ITEM] = "item",
    [PITH_I_ITEM_BACK] = "item_back", [PITH_I_OPEN] = "open",
    [PITH_I_OPEN_BACK] = "open_back"};
static const char *const clues[PITH_I_CLUES] = {
    [PITH_I_CLUE_OWN] = "own",           [PITH_I_CLUE_ALL] = "all",
    [PITH_I_CLUE_SHARE] = "share",       [PITH_I_CLUE_BEST] = "best",
    [PITH_I_CLUE_ANOTHER] = "another",   [PITH_I_CLUE_BACK] = "back",
    [PITH_I_CLUE_BACK_NEW] = "back_new", [PITH_I_CLUE_MIRRORED] = "mirrored"};
static const char *const missing_words[2] = {"estimated", "told"};
static const char *const knowns[2] = {"none", "some"};
static const char *const sides[2] = {"base", "slope"};
static const char *const asked_places[2] = {"object", "subject"};

enum { NAME_ROOM = 32 };

/* "chain2_best" and the like; the names never change their meaning. */
static void feature_name(int feature, char out[NAME_ROOM]) {
  static const char *const of_kind[] = {"best", "or", "sum", "rules"};
  static const char *const of_chains[] = {"flow", "flow_log"};
#define NAME_FEATURE(name, text) text,
  static const char *const rest[] = {PITH_I_REST_FEATURES(NAME_FEATURE)};
#undef NAME_FEATURE
  int chains = feature - PITH_I_F_FLOWS;
  assert(feature >= 0 && feature < PITH_I_FEATURES);
  if (feature >= PITH_I_F_REST)
    snprintf(out, NAME_ROOM, "%s", rest[feature - PITH_I_F_REST]);
  else if (chains >= 0)
    snprintf(out, NAME_ROOM, "%s_%s", rule_kinds[chains / PITH_I_OF_CHAINS],
             of_chains[chains % PITH_I_OF_CHAINS]);
  else
    snprintf(out, NAME_ROOM, "%s_%s", rule_kinds[feature / PITH_I_OF_KIND],
             of_kind[feature % PITH_I_OF_KIND]);
}

static int find_name(const char *const *names, int n, const char *text) {
  for (int i = 0; i < n; i++)
    if (strcmp(names[i], text) == 0)
      return i;
  return -1;
}

static int find_feature(const char *text) {
  for (int i = 0; i < PITH_I_FEATURES; i++) {
    char name[NAME_ROOM];
    feature_name(i, name);
    if (strcmp(name, text) == 0)
      return i;
  }
  return -1;
}

/* ---- writing ---------------------------------------------------------- */

/* The text layer's own decimals are not negative. */
static void put_signed(pith_out *o, double value) {
  pith_out_print(o, "%s%s", value < 0 ? "-" : "",
                 pith_i_decimal_write(fabs(value)).text);
}

static void put_four_places(pith_out *o, double value) {
  put_signed(o, floor(value * 1e4 + 0.5) / 1e4);
}

static void put_relation(const pith_i_model *m, uint32_t relation,
                         pith_out *o) {
  const pith_i_names *names = &m->theory->names;
  pith_i_print_sym(names, pith_i_pred(names, m->g->pred[relation])->name, o);
}

/* pred(Relation,Asked, */
static void put_way(const pith_i_model *m, const char *pred, pith_i_way way,
                    pith_out *o) {
  pith_out_print(o, "%s(", pred);
  put_relation(m, way / 2, o);
  pith_out_print(o, ",%s,", asked_places[way % 2]);
}

/* Whether anything is known of this way: a rule, a fit, or what a text said. */
static bool is_learned_from(const pith_i_model *m, pith_i_way way) {
  const pith_i_rule_index *x = m->index;
  if (m->target != PITH_NONE && m->target != way / 2)
    return false;
  return x->chain_end[way / 2] > 0 ||
         x->way_first[way] < x->way_first[way + 1] ||
         m->scoring.bias[2 * way] != 0 || m->scoring.named[way];
}

static void write_way(const pith_i_model *m, pith_i_way w, pith_out *o) {
  const pith_i_scoring *s = &m->scoring;
  put_way(m, "pith_method", w, o);
  pith_out_print(o, "%s).\n", aggregators[s->method[w]]);
  for (int known = 0; s->fitted && known < 2; known++) {
    put_way(m, "pith_odds", w, o);
    pith_out_print(o, "%s,", knowns[known]);
    put_four_places(o, (double)s->bias[2 * w + (uint32_t)known]);
    pith_out_print(o, ").\n");
    if (s->missing[2 * w + (uint32_t)known] == 0)
      continue;
    put_way(m, "pith_missing", w, o);
    pith_out_print(o, "%s,", knowns[known]);
    put_four_places(o, (double)s->missing[2 * w + (uint32_t)known]);
    pith_out_print(o, ").\n");
  }
  for (int k = 0; s->method[w] == PITH_I_LEARNED && k < PITH_I_FEATURES; k++) {
    char name[NAME_ROOM];
    if (pith_i_weights(s, w)[k] == 0)
      continue; /* as where a text does not name it */
    feature_name(k, name);
    put_way(m, "pith_weight", w, o);
    pith_out_print(o, "%s,", name);
    put_four_places(o, (double)pith_i_weights(s, w)[k]);
    pith_out_print(o, ").\n");
  }
}

static void write_chains(const pith_i_model *m, const pith_i_chain_model *gr,
                         pith_out *o) {
  pith_i_way w = PITH_I_WAY(gr->relation, 0);
  put_way(m, "pith_method", w, o);
  pith_out_print(o, "%s).\n", pith_i_grade_names[gr->kind]);
  put_way(m, "pith_weight", w, o);
  pith_out_print(o, "bias,");
  put_signed(o, gr->weight[gr->rules]);
  pith_out_print(o, ").\n");
  for (uint32_t i = 0; i < gr->rules; i++) {
    put_way(m, "pith_weight", w, o);
    pith_out_print(o, "%u,", i + 1);
    put_signed(o, gr->weight[i]);
    pith_out_print(o, ").\n");
  }
  for (uint32_t y = 0; y < m->g->entities; y++) {
    if (!gr->among[y])
      continue;
    put_way(m, "pith_candidate", w, o);
    pith_i_print_sym(&m->theory->names, m->g->symbol[y], o);
    pith_out_print(o, ").\n");
  }
}

static pith_status write_rules(pith_i_model *m, bool comments, pith_out *o) {
  size_t n = pith_i_model_rules(m);
  pith_status rc = PITH_OK;
  for (size_t i = 0; rc >= 0 && i < n; i++) {
    pith_model_rule r;
    rc = pith_i_model_rule(m, i, &r);
    if (rc >= 0)
      rc = pith_i_print_rule(&m->theory->names, r.rule, o);
    if (rc >= 0 && comments && m->soft != NULL)
      pith_out_print(o, "  %% similarity %.3f", r.rule->probability);
    else if (rc >= 0 && comments)
      pith_out_print(o, "  %% support %llu of %llu, %.3f to %.3f",
                     (unsigned long long)r.support,
                     (unsigned long long)r.predictions, r.low, r.high);
    if (rc >= 0 && comments && !isnan(r.weight))
      pith_out_print(o, ", weight %.2f", r.weight);
    if (rc >= 0)
      pith_out_print(o, "\n");
  }
  return rc;
}

static void write_header(const pith_i_model *m, pith_out *o) {
  pith_out_print(o, "pith_model(%s,%d,", model_methods[m->method], VERSION);
  if (m->target == PITH_NONE)
    pith_out_print(o, "all");
  else
    put_relation(m, m->target, o);
  pith_out_print(o, ").\n");
}

/* The decoded rules speak by the best of them, as maxima are what was
** trained. */
static void write_soft(const pith_i_model *m, pith_out *o) {
  for (uint32_t inverse = 0; inverse < 2; inverse++) {
    put_way(m, "pith_method", PITH_I_WAY(m->target, inverse), o);
    pith_out_print(o, "%s).\n", aggregators[PITH_I_MAX_PLUS]);
  }
}

static void write_sides(pith_out *o, const char *what, double value) {
  pith_out_print(o, "pith_odds(sides,%s,all,", what);
  put_four_places(o, value);
  pith_out_print(o, ").\n");
}

pith_status pith_i_model_write(pith_i_model *m, bool comments, pith_out *o) {
  pith_status rc = write_rules(m, comments, o);
  if (rc < 0)
    return rc;
  write_header(m, o);
  if (m->soft != NULL)
    write_soft(m, o);
  if (m->scoring.fitted) {
    pith_out_print(o, "pith_missing(all,%s,", missing_words[m->missing_told]);
    put_four_places(o, m->missing);
    pith_out_print(o, ").\n");
  }
  for (int k = 0; m->scoring.fitted && k < PITH_I_CLUES; k++) {
    pith_out_print(o, "pith_odds(slope,%s,all,", clues[k]);
    put_four_places(o, m->scoring.slope[k]);
    pith_out_print(o, ").\n");
  }
  if (m->scoring.fitted && m->scoring.two_sided) {
    write_sides(o, sides[0], m->scoring.sides_base);
    write_sides(o, sides[1], m->scoring.sides_slope);
  }
  for (pith_i_way w = 0; m->soft == NULL && w < m->g->ways; w++)
    if (m->chains[w / 2] == NULL && is_learned_from(m, w))
      write_way(m, w, o);
  for (uint32_t r = 0; r < m->g->relations; r++)
    if (m->chains[r] != NULL)
      write_chains(m, m->chains[r], o);
  return pith_out_write(o, "", 0);
}

/* ---- reading ---------------------------------------------------------- */

/* What facts say of a relation whose chains are weighted. */
typedef struct {
  bool given;
  pith_i_grade_kind kind;
  double bias, weight[PITH_I_CHAIN_RULES];
} chain_record;

typedef struct {
  pith_i_model *m;
  chain_record *chains; /* (relations) */
  uint8_t *among;       /* (entities) of the relation that is made now */
  uint32_t relation;
  bool described; /* a fact of pith_model/3 was read */
  pith_status rc;
} model_reader;

static const char *sym_text(const model_reader *t, pith_sym s) {
  return pith_i_sym(&t->m->theory->names, s)->text;
}

static bool read_signed(const model_reader *t, pith_sym s, double *out) {
  const char *text = sym_text(t, s);
  bool minus = text[0] == '-';
  if (pith_i_sym(&t->m->theory->names, s)->kind != PITH_NUMBER ||
      !pith_i_decimal_read(text + minus, strlen(text + minus), out))
    return false;
  *out = minus ? -*out : *out;
  return true;
}

/* False: the graph has no such relation, which is no fault. */
static bool read_way(const model_reader *t, const pith_sym *args,
                     pith_i_way *way) {
  pith_pred pred = pith_i_pred_find(&t->m->theory->names, args[0], 2);
  uint32_t relation;
  int inverse = find_name(asked_places, 2, sym_text(t, args[1]));
  if (pred == PITH_NONE || inverse < 0 ||
      !pith_i_find_relation(t->m->g, pred, &relation))
    return false;
  *way = PITH_I_WAY(relation, (uint32_t)inverse);
  return true;
}

static int refuse_fact(model_reader *t, const char *pred, const char *what) {
  t->rc = pith_i_fail(t->m->env, PITH_EINPUT,
                      "%s: %s; expected what pith learn wrote; learn the model "
                      "again",
                      pred, what);
  return 1;
}

static int read_model_fact(void *ctx, pith_pred pred, const pith_sym *args,
                           size_t n) {
  model_reader *t = ctx;
  double version;
  int method =
      find_name(model_methods, PITH_MODEL_SOFT + 1, sym_text(t, args[0]));
  (void)pred, (void)n;
  if (method < 0 || !read_signed(t, args[1], &version) || version != VERSION)
    return refuse_fact(t, "pith_model", "unknown method or version");
  t->described = true;
  pith_pred target = pith_i_pred_find(&t->m->theory->names, args[2], 2);
  t->m->method =
      method == PITH_MODEL_CHAINS ? PITH_MODEL_CHAINS : PITH_MODEL_RULES;
  if (target != PITH_NONE && strcmp(sym_text(t, args[2]), "all") != 0)
    pith_i_find_relation(t->m->g, target, &t->m->target);
  return 0;
}

static int read_method(void *ctx, pith_pred pred, const pith_sym *args,
                       size_t n) {
  model_reader *t = ctx;
  pith_i_way way;
  int m = find_name(aggregators, PITH_I_AGGREGATORS, sym_text(t, args[2]));
  int kind = find_name(pith_i_grade_names, 3, sym_text(t, args[2]));
  (void)pred, (void)n;
  if (m < 0 && kind < 0)
    return refuse_fact(t, "pith_method", "unknown method");
  if (!read_way(t, args, &way))
    return 0;
  if (m >= 0) {
    t->m->scoring.method[way] = (uint8_t)m;
    t->m->scoring.named[way] = true;
  } else {
    t->chains[way / 2].given = true;
    t->chains[way / 2].kind = (pith_i_grade_kind)kind;
  }
  return 0;
}

static int read_odds(void *ctx, pith_pred pred, const pith_sym *args,
                     size_t n) {
  model_reader *t = ctx;
  pith_i_way way;
  double value;
  int clue = find_name(clues, PITH_I_CLUES, sym_text(t, args[1]));
  int known = find_name(knowns, 2, sym_text(t, args[2]));
  int side = strcmp(sym_text(t, args[0]), "sides") == 0
                 ? find_name(sides, 2, sym_text(t, args[1]))
                 : -1;
  (void)pred, (void)n;
  if ((clue < 0 && known < 0 && side < 0) || !read_signed(t, args[3], &value))
    return refuse_fact(t, "pith_odds", "not a number, or an unknown clue");
  if (side >= 0) {
    *(side == 0 ? &t->m->scoring.sides_base : &t->m->scoring.sides_slope) =
        value;
    t->m->scoring.two_sided = true;
  } else if (clue >= 0) {
    t->m->scoring.slope[clue] = value;
    t->m->scoring.fitted = true;
  } else if (read_way(t, args, &way)) {
    t->m->scoring.bias[2 * way + (uint32_t)known] = (float)value;
  }
  return 0;
}

static int read_missing_log(void *ctx, pith_pred pred, const pith_sym *args,
                            size_t n) {
  model_reader *t = ctx;
  pith_i_way way;
  double value;
  int known = find_name(knowns, 2, sym_text(t, args[2]));
  (void)pred, (void)n;
  if (known < 0 || !read_signed(t, args[3], &value))
    return refuse_fact(t, "pith_missing", "not a number, none or some");
  if (read_way(t, args, &way))
    t->m->scoring.missing[2 * way + (uint32_t)known] = (float)value;
  return 0;
}

static int read_missing(void *ctx, pith_pred pred, const pith_sym *args,
                        size_t n) {
  model_reader *t = ctx;
  int told = find_name(missing_words, 2, sym_text(t, args[1]));
  (void)pred, (void)n;
  if (told < 0 || !read_signed(t, args[2], &t->m->missing))
    return refuse_fact(t, "pith_missing", "not a number, or an unknown word");
  t->m->missing_told = told == 1;
  return 0;
}

static int read_weight(void *ctx, pith_pred pred, const pith_sym *args,
                       size_t n) {
  model_reader *t = ctx;
  pith_i_way way;
  double value, number;
  int k = find_feature(sym_text(t, args[2]));
  bool bias = strcmp(sym_text(t, args[2]), "bias") == 0;
  bool numbered = k < 0 && !bias && read_signed(t, args[2], &number);
  (void)pred, (void)n;
  if (!read_signed(t, args[3], &value) || (k < 0 && !bias && !numbered) ||
      (numbered && !(number >= 1 && number <= PITH_I_CHAIN_RULES)))
    return refuse_fact(t, "pith_weight",
                       "not a number, or its rule number is out of range");
  if (!read_way(t, args, &way))
    return 0;
  if (bias)
    t->chains[way / 2].bias = value;
  else if (numbered)
    t->chains[way / 2].weight[(size_t)number - 1] = value;
  else
    t->m->scoring.weights[(size_t)way * PITH_I_FEATURES + (size_t)k] =
        (float)value;
  return 0;
}

static int read_candidate(void *ctx, pith_pred pred, const pith_sym *args,
                          size_t n) {
  model_reader *t = ctx;
  pith_i_way way;
  uint32_t y;
  (void)pred, (void)n;
  if (read_way(t, args, &way) && way / 2 == t->relation &&
      pith_i_find_entity(t->m->g, args[2], &y))
    t->among[y] = 1;
  return 0;
}

static void read_facts(model_reader *t, const pith_i_store *store,
                       const char *name, uint32_t arity,
                       pith_fact_visit visit) {
  const pith_i_names *names = &t->m->theory->names;
  pith_sym sym = pith_i_sym_find(names, name, strlen(name), PITH_NAME);
  pith_pred pred =
      sym == PITH_NONE ? PITH_NONE : pith_i_pred_find(names, sym, arity);
  if (t->rc >= 0 && pred != PITH_NONE)
    pith_i_fact_each(store, pred, PITH_GIVEN, visit, t);
}

/* ---- rules ------------------------------------------------------------ */

/* Candidates are entities also where no fact has them. */
static pith_status add_candidates(pith_i_theory *theory,
                                  const pith_i_store *store,
                                  pith_i_symbols *out) {
  const pith_i_names *names = &theory->names;
  static const char name[] = "pith_candidate";
  pith_sym sym = pith_i_sym_find(names, name, strlen(name), PITH_NAME);
  pith_pred pred =
      sym == PITH_NONE ? PITH_NONE : pith_i_pred_find(names, sym, 3);
  if (pred == PITH_NONE || pred >= store->relations.n)
    return PITH_OK;
  const pith_i_relation *r = &store->relations.at[pred];
  for (size_t i = 0; i < r->given; i++)
    if (!pith_i_push(theory->env, out, r->rows.at[3 * i + 2]))
      return PITH_ENOMEM;
  return PITH_OK;
}

/* A relation that rules with probabilities speak of may have no fact, and a
** constant in the head of such a rule may be in none: it is an answer all the
** same. */
static pith_status add_stated(const pith_i_theory *theory,
                              const pith_i_store *store,
                              pith_i_symbols *symbols,
                              pith_i_model_preds *preds) {
  for (size_t i = 0; i < theory->rules.n; i++) {
    const pith_rule *r = theory->rules.at[i];
    const pith_atom *h = &r->head;
    if (r->probability == 0 || h->arity != 2)
      continue;
    bool known =
        h->pred < store->relations.n && store->relations.at[h->pred].given > 0;
    if (!known && !pith_i_push(theory->env, preds, h->pred))
      return PITH_ENOMEM;
    for (int a = 0; a < 2; a++)
      if (!PITH_IS_VAR(h->args[a]) &&
          !pith_i_push(theory->env, symbols, h->args[a]))
        return PITH_ENOMEM;
  }
  return PITH_OK;
}

static pith_status read_mined_rules(model_reader *t) {
  pith_i_model *m = t->m;
  for (size_t i = 0; i < m->theory->rules.n; i++) {
    const pith_rule *rule = m->theory->rules.at[i];
    pith_i_path path;
    if (rule->probability == 0)
      continue;
    if (!pith_i_path_of(m->g, rule, &path))
      m->unused++;
    else if (!t->chains[path.head / 2].given &&
             !pith_i_push(m->env, &m->rules, path))
      return PITH_ENOMEM;
  }
  return pith_i_paths_sort(m->env, NULL, &m->rules);
}

static pith_status read_chain_rules(model_reader *t, pith_i_chain_model *gr) {
  const pith_i_theory *theory = t->m->theory;
  const chain_record *c = &t->chains[gr->relation];
  for (size_t i = 0; i < theory->rules.n; i++) {
    const pith_rule *rule = theory->rules.at[i];
    pith_i_path p;
    if (rule->head.pred != t->m->g->pred[gr->relation])
      continue;
    if (gr->rules == PITH_I_CHAIN_RULES || !pith_i_path_of(t->m->g, rule, &p) ||
        p.constant != PITH_NONE) {
      refuse_fact(t, "pith_method", "too many rules, or one is not a chain");
      return t->rc;
    }
    pith_status rc = pith_i_chain_model_add(gr, &p, c->weight[gr->rules]);
    if (rc < 0)
      return rc;
  }
  return PITH_OK;
}

static pith_status read_chain_model(model_reader *t, const pith_i_store *store,
                                    uint32_t relation) {
  pith_i_model *m = t->m;
  const chain_record *c = &t->chains[relation];
  pith_i_chain_model *gr = NULL;
  memset(t->among, 0, m->g->entities);
  t->relation = relation;
  read_facts(t, store, "pith_candidate", 3, read_candidate);
  pith_status rc =
      pith_i_chain_model_new(m->env, m->g, relation, t->among, &gr);
  if (rc < 0)
    return rc;
  gr->kind = c->kind;
  gr->weight[0] = c->bias;
  pith_i_model_take_chains(m, gr);
  return read_chain_rules(t, gr);
}

static pith_status read_all(model_reader *t, const pith_i_store *store) {
  pith_i_model *m = t->m;
  read_facts(t, store, "pith_model", 3, read_model_fact);
  read_facts(t, store, "pith_method", 3, read_method);
  read_facts(t, store, "pith_odds", 4, read_odds);
  read_facts(t, store, "pith_missing", 3, read_missing);
  read_facts(t, store, "pith_missing", 4, read_missing_log);
  read_facts(t, store, "pith_weight", 4, read_weight);
  pith_status rc = t->rc;
  bool chains = false;
  for (uint32_t r = 0; rc >= 0 && r < m->g->relations; r++)
    if (t->chains[r].given) {
      rc = read_chain_model(t, store, r);
      chains = true;
    }
  if (rc >= 0 && !chains && !t->described && m->rules.n + m->unused == 0)
    rc = pith_i_fail(m->env, PITH_EINPUT,
                     "no rule has a probability; a model, as pith learn "
                     "makes it from a graph, has rules such as "
                     "0.8::likes(X,Y) :- knows(X,Y)");
  return rc;
}

/* Methods are read twice: which relations have weighted chains must be known
** before the rules of the others are put in order. */
static pith_status read_model(model_reader *t, const pith_i_store *store) {
  pith_i_model *m = t->m;
  pith_status rc = pith_i_scoring_new(m->env, m->g->ways, &m->scoring);
  if (rc >= 0)
    read_facts(t, store, "pith_method", 3, read_method);
  pith_i_scoring_free(m->env, &m->scoring);
  if (rc >= 0)
    rc = t->rc;
  if (rc >= 0)
    rc = read_mined_rules(t);
  if (rc >= 0)
    rc = pith_i_model_prepare(m);
  return rc < 0 ? rc : read_all(t, store);
}

static pith_status read_graph(pith_i_model *m, const pith_i_store *store,
                              const pith_i_fact_source *others, size_t n) {
  pith_i_symbols extra = {0};
  pith_i_model_preds stated = {0};
  pith_status rc = add_candidates(m->theory, store, &extra);
  if (rc >= 0)
    rc = add_stated(m->theory, store, &extra, &stated);
  if (rc >= 0)
    rc = pith_i_model_graph(m, store, others, n, &extra, &stated, NULL);
  pith_i_vec_free(m->env, &extra);
  pith_i_vec_free(m->env, &stated);
  return rc;
}

pith_status pith_i_model_read(pith_i_theory *theory, const pith_i_store *store,
                              const pith_i_fact_source *others, size_t n,
                              pith_i_model **out) {
  model_reader t = {0};
  *out = NULL;
  pith_status rc = pith_i_model_new(theory, &t.m);
  if (rc >= 0)
    rc = read_graph(t.m, store, others, n);
  if (rc >= 0) {
    t.chains = pith_i_zalloc(theory->env, t.m->g->relations, sizeof *t.chains);
    t.among = pith_i_zalloc(theory->env, t.m->g->entities + 1, 1);
    rc = t.chains == NULL || t.among == NULL ? PITH_ENOMEM
                                             : read_model(&t, store);
  }
  pith_i_release(theory->env, t.chains);
  pith_i_release(theory->env, t.among);
  if (rc >= 0)
    *out = t.m;
  else
    pith_i_model_free(t.m);
  return rc;
}
