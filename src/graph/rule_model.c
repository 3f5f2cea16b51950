#include "graph/rule_model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/out.h"
#include "text/decimal.h"
#include "text/print.h"

void pith_i_ranker_free(pith_i_ranker *r) {
  pith_i_rule_index_free(r->index);
  pith_i_graph_free(r->g);
  pith_i_vec_free(r->env, &r->rules);
  pith_i_scoring_free(r->env, &r->scoring);
}

/* ---- paths and rules ------------------------------------------------- */

static void set_atom(const pith_i_graph *g, pith_i_way way, pith_term from,
                     pith_term to, pith_term *args, pith_atom *out) {
  args[way % 2] = from;
  args[1 - way % 2] = to;
  *out = (pith_atom){.pred = g->pred[way / 2], .arity = 2, .args = args};
}

/* Variables: X 0, Y 1 where the rule is a chain, then those between. */
void pith_i_path_show(const pith_i_graph *g, const pith_i_path *p,
                      pith_i_path_rule *out) {
  bool chain = p->constant == PITH_NONE;
  uint32_t vars = chain ? 2 : 1;
  pith_term goal = chain ? PITH_VAR(1) : g->symbol[p->constant];
  set_atom(g, p->head, PITH_VAR(0), goal, out->args[0], &out->rule.head);
  pith_term from = PITH_VAR(0);
  for (uint32_t i = 0; i < p->length; i++) {
    pith_term to = i + 1 < p->length || (!chain && p->end == PITH_NONE)
                       ? PITH_VAR(vars++)
                   : chain ? PITH_VAR(1)
                           : g->symbol[p->end];
    set_atom(g, p->step[i], from, to, out->args[i + 1], &out->body[i]);
    from = to;
  }
  pith_atom head = out->rule.head;
  out->rule = (pith_rule){.head = head,
                          .body = out->body,
                          .body_len = p->length,
                          .var_count = vars,
                          .file = PITH_NONE,
                          .probability = p->confidence};
}

static bool find_relation(const pith_i_graph *g, pith_pred pred,
                          uint32_t *out) {
  *out = pred < g->preds ? g->relation[pred] : PITH_NONE;
  return *out != PITH_NONE;
}

static bool find_entity(const pith_i_graph *g, pith_term t, uint32_t *out) {
  *out = t < g->symbols ? g->entity[t] : PITH_NONE;
  return *out != PITH_NONE;
}

/* The way of an atom gone from a term, and where it leads. */
static bool find_way(const pith_i_graph *g, const pith_atom *a, pith_term from,
                     pith_i_way *way, pith_term *to) {
  uint32_t relation;
  if (a->negated || a->arity != 2 || !find_relation(g, a->pred, &relation) ||
      a->args[0] == a->args[1])
    return false;
  uint32_t inverse = a->args[0] == from ? 0 : 1;
  *way = PITH_I_WAY(relation, inverse);
  *to = a->args[1 - inverse];
  return a->args[inverse] == from;
}

static bool find_head(const pith_i_graph *g, const pith_atom *h,
                      pith_i_path *out, pith_term *x, pith_term *goal) {
  if (h->arity != 2)
    return false;
  *x = PITH_IS_VAR(h->args[0]) ? h->args[0] : h->args[1];
  out->constant = PITH_NONE;
  return PITH_IS_VAR(*x) && find_way(g, h, *x, &out->head, goal) &&
         (PITH_IS_VAR(*goal) || find_entity(g, *goal, &out->constant));
}

bool pith_i_path_of(const pith_i_graph *g, const pith_rule *r,
                    pith_i_path *out) {
  pith_term x, goal, at, seen[PITH_I_REACH + 1];
  *out = (pith_i_path){.length = r->body_len, .confidence = r->probability};
  if (r->body_len < 1 || r->body_len > PITH_I_REACH ||
      !find_head(g, &r->head, out, &x, &goal))
    return false;
  bool chain = out->constant == PITH_NONE;
  at = x;
  for (uint32_t i = 0; i < r->body_len; i++) {
    bool last = i + 1 == r->body_len;
    seen[i] = at;
    if (!find_way(g, &r->body[i], at, &out->step[i], &at) ||
        (!last && (!PITH_IS_VAR(at) || at == goal)))
      return false;
    for (uint32_t k = 0; k <= i; k++)
      if (seen[k] == at)
        return false;
  }
  out->end = PITH_NONE;
  if (chain)
    return at == goal;
  /* longer ones with constants are never learned, and so never applied */
  return r->body_len == 1 && (PITH_IS_VAR(at) || find_entity(g, at, &out->end));
}

/* ---- names ----------------------------------------------------------- */

static const char *const methods[PITH_I_AGGREGATORS] = {
    [PITH_I_MAX_PLUS] = "max_plus",
    [PITH_I_NOISY_OR] = "noisy_or",
    [PITH_I_LEARNED] = "learned"};
static const char *const kinds[PITH_I_KINDS] = {
    [PITH_I_CHAIN1] = "chain1",       [PITH_I_CHAIN2] = "chain2",
    [PITH_I_CHAIN3] = "chain3",       [PITH_I_ITEM] = "item",
    [PITH_I_ITEM_BACK] = "item_back", [PITH_I_OPEN] = "open",
    [PITH_I_OPEN_BACK] = "open_back"};
static const char *const asked[2] = {"object", "subject"};

const char *pith_i_aggregator_name(pith_i_aggregator m) { return methods[m]; }

void pith_i_feature_name(int feature, char *out) {
  static const char *const parts[3] = {"best", "or", "sum"};
  static const char *const rest[] = {"share", "prior", "noisy_or"};
  int kind = feature / 3;
  if (kind < PITH_I_KINDS)
    snprintf(out, 32, "%s_%s", kinds[kind], parts[feature % 3]);
  else
    snprintf(out, 32, "%s", rest[feature - 3 * PITH_I_KINDS]);
}

static int find_name(const char *const *names, int n, const char *text) {
  for (int i = 0; i < n; i++)
    if (strcmp(names[i], text) == 0)
      return i;
  return -1;
}

static int find_feature(const char *text) {
  for (int i = 0; i < PITH_I_FEATURES; i++) {
    char name[32];
    pith_i_feature_name(i, name);
    if (strcmp(name, text) == 0)
      return i;
  }
  return -1;
}

/* ---- writing --------------------------------------------------------- */

/* To four places. The text layer's own decimals are not negative. */
static void put_real(pith_out *o, double value) {
  value = floor(value * 1e4 + 0.5) / 1e4;
  pith_out_print(o, "%s%s", value < 0 ? "-" : "",
                 pith_i_decimal_write(fabs(value)).text);
}

static void put_way(const pith_i_ranker *r, const char *pred, pith_i_way way,
                    pith_out *o) {
  pith_out_print(o, "%s(", pred);
  pith_i_print_sym(&r->theory->names,
                   pith_i_pred(&r->theory->names, r->g->pred[way / 2])->name,
                   o);
  pith_out_print(o, ",%s,", asked[way % 2]);
}

static bool is_learned_from(const pith_i_ranker *r, pith_i_way way) {
  return r->index->chain_end[way / 2] > 0 ||
         r->index->way_first[way] < r->index->way_first[way + 1] ||
         r->scoring.bias[way] != 0;
}

pith_status pith_i_scoring_write(const pith_i_ranker *r, pith_out *o) {
  const pith_i_scoring *s = &r->scoring;
  pith_out_print(o, "pith_odds(slope,own,");
  put_real(o, s->a);
  pith_out_print(o, ").\npith_odds(slope,all,");
  put_real(o, s->c);
  pith_out_print(o, ").\n");
  for (pith_i_way w = 0; w < r->g->ways; w++) {
    if (!is_learned_from(r, w))
      continue;
    put_way(r, "pith_method", w, o);
    pith_out_print(o, "%s).\n", methods[s->method[w]]);
    put_way(r, "pith_odds", w, o);
    put_real(o, (double)s->bias[w]);
    pith_out_print(o, ").\n");
    for (int k = 0; s->method[w] == PITH_I_LEARNED && k < PITH_I_FEATURES;
         k++) {
      char name[32];
      pith_i_feature_name(k, name);
      put_way(r, "pith_weight", w, o);
      pith_out_print(o, "%s,", name);
      put_real(o, (double)pith_i_weights(s, w)[k]);
      pith_out_print(o, ").\n");
    }
  }
  return pith_out_write(o, "", 0);
}

/* ---- reading --------------------------------------------------------- */

typedef struct {
  pith_i_ranker *r;
  pith_status rc;
} reading;

static const char *text_of(const reading *t, pith_sym s) {
  return pith_i_sym(&t->r->theory->names, s)->text;
}

static bool read_real(const reading *t, pith_sym s, double *out) {
  const char *text = text_of(t, s);
  bool minus = text[0] == '-';
  if (!pith_i_decimal_read(text + minus, strlen(text + minus), out))
    return false;
  *out = minus ? -*out : *out;
  return true;
}

static bool read_way(const reading *t, const pith_sym *args, pith_i_way *way) {
  const pith_i_names *names = &t->r->theory->names;
  pith_pred pred = pith_i_pred_find(names, args[0], 2);
  uint32_t relation;
  int inverse = find_name(asked, 2, text_of(t, args[1]));
  if (pred == PITH_NONE || inverse < 0 ||
      !find_relation(t->r->g, pred, &relation))
    return false;
  *way = PITH_I_WAY(relation, (uint32_t)inverse);
  return true;
}

static int refuse(reading *t, const char *what) {
  t->rc = pith_i_fail(t->r->env, PITH_EINPUT,
                      "a %s fact of the model cannot be understood; learn the "
                      "model again",
                      what);
  return 1;
}

static int read_method(void *ctx, pith_pred pred, const pith_sym *args,
                       size_t n) {
  reading *t = ctx;
  pith_i_way way;
  int m = find_name(methods, PITH_I_AGGREGATORS, text_of(t, args[2]));
  (void)pred;
  (void)n;
  if (m < 0)
    return refuse(t, "pith_method");
  if (read_way(t, args, &way))
    t->r->scoring.method[way] = (uint8_t)m;
  return 0;
}

static int read_odds(void *ctx, pith_pred pred, const pith_sym *args,
                     size_t n) {
  reading *t = ctx;
  pith_i_way way;
  double value;
  (void)pred;
  (void)n;
  if (!read_real(t, args[2], &value))
    return refuse(t, "pith_odds");
  if (read_way(t, args, &way))
    t->r->scoring.bias[way] = (float)value;
  else if (strcmp(text_of(t, args[0]), "slope") == 0)
    *(strcmp(text_of(t, args[1]), "own") == 0 ? &t->r->scoring.a
                                              : &t->r->scoring.c) = value;
  return 0;
}

static int read_weight(void *ctx, pith_pred pred, const pith_sym *args,
                       size_t n) {
  reading *t = ctx;
  pith_i_way way;
  double value;
  int k = find_feature(text_of(t, args[2]));
  (void)pred;
  (void)n;
  if (k < 0 || !read_real(t, args[3], &value))
    return refuse(t, "pith_weight");
  if (read_way(t, args, &way))
    t->r->scoring.weights[(size_t)way * PITH_I_FEATURES + (size_t)k] =
        (float)value;
  return 0;
}

pith_status pith_i_scoring_read(pith_i_ranker *r, const pith_i_store *store) {
  static const struct {
    const char *name;
    uint32_t arity;
    pith_fact_visit visit;
  } parts[] = {{"pith_method", 3, read_method},
               {"pith_odds", 3, read_odds},
               {"pith_weight", 4, read_weight}};
  const pith_i_names *names = &r->theory->names;
  reading t = {r, PITH_OK};
  for (size_t i = 0; t.rc >= 0 && i < sizeof parts / sizeof *parts; i++) {
    pith_sym name =
        pith_i_sym_find(names, parts[i].name, strlen(parts[i].name), PITH_NAME);
    pith_pred pred = name == PITH_NONE
                         ? PITH_NONE
                         : pith_i_pred_find(names, name, parts[i].arity);
    if (pred != PITH_NONE)
      pith_i_fact_each(store, pred, PITH_GIVEN, parts[i].visit, &t);
  }
  return t.rc;
}
