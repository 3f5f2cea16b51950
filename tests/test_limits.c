/* Calls that take no run end when pith_limit_calls says so: each job is stopped
** at the first look, at some in between, and at the last; never does it crash,
** leak or come back with something that is not whole. The looks are counted, no
** clock takes part. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "pith.h"

typedef struct {
  unsigned looks, last; /* stop at the last */
} watch;

static bool stop_at_last(void *ctx) {
  watch *w = ctx;
  return ++w->looks >= w->last;
}

typedef struct {
  const char *name;
  pith_status (*prepare)(pith *p);
  pith_status (*work)(pith *p);
} job;

enum { LINES = 12000 };

/* LINES lines, by a format with two numbers. */
static char *make_text(const char *line) {
  char *text = malloc(LINES * 64);
  size_t n = 0;
  assert_non_null(text);
  for (int i = 0; i < LINES; i++)
    n += (size_t)snprintf(text + n, 64, line, i % 50, i);
  return text;
}

static pith_status read_made(pith *p, const char *name, const char *line,
                             pith_format format) {
  char *text = make_text(line);
  pith_status rc = pith_read_text(p, name, text, strlen(text), format);
  free(text);
  return rc;
}

static pith_status read_nothing(pith *p) {
  (void)p;
  return PITH_OK;
}

static pith_status read_prolog(pith *p) {
  return read_made(p, "a.pl", "e('n %d', f(%d)) :- true.\n", PITH_PROLOG);
}
static pith_status read_facts(pith *p) {
  return read_made(p, "a.pl", "e(n%d,n%d).\n", PITH_PROLOG);
}
static pith_status read_triples(pith *p) {
  return read_made(p, "a.tsv", "n%d\tlikes\tn%d\n", PITH_TRIPLES);
}
static pith_status read_table(pith *p) {
  return read_made(p, "a.csv", "k%d_%d,x,y\n", PITH_CSV);
}
#ifdef PITH_HAVE_JANSSON
static pith_status read_json(pith *p) {
  return read_made(p, "a.jsonl", "{\"id\": %d, \"n\": %d}\n", PITH_JSON);
}
#endif
static pith_status read_templates(pith *p) {
  return read_made(p, "t.txt", "#1(X) :- #2(X). %% %d %d\n", PITH_TEMPLATES);
}

static pith_status read_file(pith *p) {
  char path[64];
  snprintf(path, sizeof path, "/tmp/pith-limits-%ld.pl", (long)getpid());
  char *text = make_text("e(n%d,n%d).\n");
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
  free(text);
  pith_status rc = pith_read(p, path, PITH_AUTO);
  unlink(path);
  return rc;
}

/* Nothing follows, after many matches. */
static const char rules[] = "r(X,Y) :- e(X,Y).\n"
                            "r(X,Z) :- r(X,Y), e(Y,Z).\n"
                            "t(X) :- e(X,Y), e(X,Z), Y < Z.\n"
                            "neg(t(m)).\n";

static pith_status read_rules(pith *p) {
  pith_status rc = read_facts(p);
  if (rc >= 0)
    rc = read_made(p, "x.pl", "pos(t(n%d)). %% %d\n", PITH_PROLOG);
  return rc < 0 ? rc
                : pith_read_text(p, "r.pl", rules, strlen(rules), PITH_PROLOG);
}

static pith_status explain_text(pith *p, const char *text) {
  const pith_atom *atom;
  pith_proof *proof = NULL;
  pith_status rc = pith_atom_read(p, text, &atom);
  if (rc >= 0)
    rc = pith_explain(p, atom, &proof);
  pith_proof_free(proof);
  return rc;
}
static pith_status explain_atom(pith *p) { return explain_text(p, "r(n1,n7)"); }
static pith_status explain_why_not(pith *p) { return explain_text(p, "t(n1)"); }

/* A proof of so many steps that writing it looks at the clock. */
static pith_status make_chain(pith *p) {
  char *text = malloc(LINES * 64);
  size_t n = 0;
  assert_non_null(text);
  for (int i = 0; i < LINES; i++)
    n += (size_t)snprintf(text + n, 64, "p%d :- p%d.\n", i, i + 1);
  (void)snprintf(text + n, 64, "p%d.\n", LINES);
  pith_status rc =
      pith_read_text(p, "chain.pl", text, strlen(text), PITH_PROLOG);
  free(text);
  return rc;
}

static pith_status write_proof_as(pith *p, pith_proof_format format) {
  const pith_atom *atom;
  pith_proof *proof = NULL;
  pith_out *o = NULL;
  pith_status rc = pith_atom_read(p, "p0", &atom);
  if (rc >= 0)
    rc = pith_explain(p, atom, &proof);
  if (rc >= 0)
    rc = pith_out_memory(p, &o);
  if (rc >= 0)
    rc = pith_proof_write(p, proof, format, o);
  pith_out_close(o, false);
  pith_proof_free(proof);
  return rc;
}
static pith_status write_tree(pith *p) { return write_proof_as(p, PITH_TREE); }
static pith_status write_proof_json(pith *p) {
  return write_proof_as(p, PITH_PROOF_JSON);
}

static pith_status count_rule(pith *p) {
  pith_counts counts;
  return pith_rule_counts(p, pith_rule_at(p, 2), &counts);
}
static pith_status count_labels(pith *p) {
  pith_counts counts;
  return pith_rule_labelled(p, pith_rule_at(p, 2), &counts);
}
static pith_status cover_examples(pith *p) {
  bool covered[LINES + 1];
  assert_true(pith_example_count(p) <= LINES + 1);
  return pith_rule_covers(p, pith_rule_at(p, 2), covered);
}

static pith_status write_in(pith *p, pith_format format) {
  pith_out *o = NULL;
  pith_status rc = pith_out_memory(p, &o);
  if (rc >= 0)
    rc = pith_facts_write(p, PITH_GIVEN, format, o);
  pith_out_close(o, false);
  return rc;
}
static pith_status write_prolog(pith *p) { return write_in(p, PITH_PROLOG); }
static pith_status write_json(pith *p) { return write_in(p, PITH_JSON); }

static pith_status read_examples(pith *p) {
  return read_made(p, "x.pl", "pos(e(n%d,n%d)).\n", PITH_PROLOG);
}
static pith_status close_world(pith *p) {
  return pith_close_world(p, 0, 1, NULL);
}

static pith_status add_columns(pith *p) {
  static int32_t number[40000];
  for (int i = 0; i < 40000; i++)
    number[i] = i;
  pith_column columns[2] = {
      {.kind = PITH_COLUMN_INT, .width = 4, .values = number},
      {.kind = PITH_COLUMN_INT, .width = 4, .values = number}};
  pith_pred e;
  pith_status rc = pith_pred_add(p, "e", 2, &e);
  return rc < 0 ? rc
                : pith_fact_add_columns(p, e, columns, 2, 40000, false, NULL);
}

static pith_status read_soft_rules(pith *p) {
  static const char text[] = "r(X,Y) :- e(X,Z), r(Z,Y).\nr(X,Y) :- e(X,Y).\n";
  return pith_read_text(p, "soft.pl", text, strlen(text), PITH_PROLOG);
}

/* Sixteen lanes are a group: there and back goes group by group. */
static pith_status soft_work(pith *p) {
  static float number[1];
  const pith_soft_values same = {number, 0, {0, 0}}, none = {0};
  const pith_soft_values start[2] = {same, same}, unused[2] = {none, none};
  pith_soft *s = NULL;
  pith_soft_pass *pass = NULL;
  pith_status rc = pith_soft_new(p, 3, 2, &s);
  if (rc >= 0)
    rc = pith_soft_forward(s, 64, start, &none, unused, NULL);
  if (rc >= 0)
    rc = pith_soft_forward(s, 64, start, &none, unused, &pass);
  if (rc >= 0)
    rc = pith_soft_backward(pass, start, unused, &none);
  pith_soft_pass_free(pass);
  pith_soft_free(s);
  return rc;
}

static pith_status model_work(pith *p) {
  static const char model[] = "0.5::likes(X,Y) :- likes(Y,X).\n"
                              "0.4::likes(X,Y) :- likes(X,Z), likes(Z,Y).\n";
  pith_model *m = NULL;
  const pith_answer *answers;
  const pith_atom *query;
  size_t n;
  pith_status rc = pith_read_text(p, "m.pl", model, strlen(model), PITH_PROLOG);
  if (rc >= 0)
    rc = pith_model_read(p, NULL, 0, &m);
  if (rc >= 0)
    rc = pith_atom_read(p, "likes(n1,X)", &query);
  if (rc >= 0)
    rc = pith_model_ask(m, query, 10, &answers, &n);
  pith_model_free(m);
  return rc;
}

static pith_status read_graded(pith *p) {
  static const char rest[] = "0.5::likes(X,Y) :- likes(Y,X).\n"
                             "pos(likes(n1,n2)). pos(likes(n2,n3)).\n"
                             "neg(likes(n3,n1)). neg(likes(n4,n1)).\n";
  pith_status rc = read_triples(p);
  return rc < 0 ? rc
                : pith_read_text(p, "m.pl", rest, strlen(rest), PITH_PROLOG);
}
static pith_status grade_examples(pith *p) {
  pith_model *m = NULL;
  double value[4];
  pith_status rc = pith_model_read(p, NULL, 0, &m);
  if (rc >= 0)
    rc = pith_model_grade(m, p, value);
  pith_model_free(m);
  return rc;
}

static const job jobs[] = {
    {"rules", read_nothing, read_prolog},
    {"facts", read_nothing, read_facts},
    {"a file", read_nothing, read_file},
    {"triples", read_nothing, read_triples},
    {"a table", read_nothing, read_table},
#ifdef PITH_HAVE_JANSSON
    {"JSON lines", read_nothing, read_json},
#endif
    {"templates", read_nothing, read_templates},
    {"a proof", read_rules, explain_atom},
    {"why not", read_rules, explain_why_not},
    {"a written proof", make_chain, write_tree},
    {"a proof as JSON", make_chain, write_proof_json},
    {"counts", read_rules, count_rule},
    {"labelled", read_rules, count_labels},
    {"covers", read_rules, cover_examples},
    {"writing", read_facts, write_prolog},
    {"JSON", read_facts, write_json},
    {"the closed world", read_examples, close_world},
    {"columns", read_nothing, add_columns},
    {"a model", read_triples, model_work},
    {"probabilities", read_graded, grade_examples},
    {"soft rules", read_soft_rules, soft_work},
};

/* The status, and how often the call looked. */
static pith_status run_job(const job *j, unsigned last, unsigned *looks) {
  pith *p = NULL;
  watch w = {.last = last};
  pith_run run = {.stop = stop_at_last, .stop_ctx = &w};
  assert_int_equal(pith_new(&p), PITH_OK);
  assert_int_equal(j->prepare(p), PITH_OK);
  pith_limit_calls(p, &run);
  pith_status rc = j->work(p);
  *looks = w.looks;
  if (rc == PITH_ELIMIT) { /* the handle stands, and says so */
    assert_non_null(strstr(pith_error(p), "stopped"));
    pith_limit_calls(p, NULL);
    assert_true(pith_fact_count(p, PITH_NONE, PITH_ALL) < 1000000);
  }
  pith_free(p);
  return rc;
}

static void stops_everywhere(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++) {
    unsigned all, looks;
    pith_status rc = run_job(&jobs[i], UINT32_MAX, &all);
    if (rc < 0 || all == 0)
      fail_msg("%s: status %d after %u looks", jobs[i].name, rc, all);
    for (unsigned k = 0; k <= 8; k++) {
      unsigned last = 1 + (all - 1) * k / 8;
      rc = run_job(&jobs[i], last, &looks);
      if (rc != PITH_ELIMIT)
        fail_msg("%s: stopped at look %u of %u, status %d", jobs[i].name, last,
                 all, rc);
    }
  }
}

/* A limit of time holds for each call anew, and is forgotten with NULL. */
static void limits_each_call(void **state) {
  (void)state;
  pith *p = NULL;
  pith_run run = {.seconds = 1e-9};
  assert_int_equal(pith_new(&p), PITH_OK);
  pith_limit_calls(p, &run);
  assert_int_equal(read_facts(p), PITH_ELIMIT);
  assert_int_equal(read_facts(p), PITH_ELIMIT);
  pith_limit_calls(p, NULL);
  assert_int_equal(read_facts(p), PITH_OK);
  assert_int_equal(write_prolog(p), PITH_OK);
  pith_free(p);
}

#ifdef PITH_HAVE_SQLITE
/* Without a row SQLite would compute for ever. */
static void stops_a_query(void **state) {
  (void)state;
  pith *p = NULL;
  watch w = {.last = 5};
  pith_run run = {.stop = stop_at_last, .stop_ctx = &w};
  pith_read_options opt;
  pith_read_defaults(&opt);
  opt.format = PITH_SQLITE;
  opt.query = "with recursive c(x) as (select 1 union all select x + 1 from c) "
              "select x as a, x as b from c where x < 0";
  assert_int_equal(pith_new(&p), PITH_OK);
  pith_limit_calls(p, &run);
  assert_int_equal(pith_read_with(p, "tests/fuzz/corpus/database/tables", &opt),
                   PITH_ELIMIT);
  pith_free(p);
}
#endif

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stops_everywhere),
      cmocka_unit_test(limits_each_call),
#ifdef PITH_HAVE_SQLITE
      cmocka_unit_test(stops_a_query),
#endif
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
