/* Reading, inferring, explaining and writing with memory that runs out; and
** after a refusal the handle is as before. */
#include <stdio.h>
#include <unistd.h>

#include "miser.h"

static const char program[] =
    "edge(a,b). edge(b,c). edge(c,'d e'). edge(c,a). ten(10, 1.5).\n"
    "label(a,b,c,'four').\n"
    "reach(X,Y) :- edge(X,Y).\n"
    "reach(X,Y) :- edge(X,Z), reach(Z,Y).\n"
    "loop(X) :- reach(X,X), X \\= b.\n"
    "far(X) :- reach(X,_), \\+ loop(X), \\+ edge(X,_).\n"
    "tall(X,Y) :- size(X,N), size(Y,M), N > M, \\+ loop(X), M >= 1e0.\n"
    "size(a,3). size(b,2.5). size(c,f(x,'Y z',2)).\n"
    "same(X,Y) :- label(X,Y,_,_), X \\= Y, reach(Y,X).\n"
    "pos(reach(a,c)). pos(loop(a)). neg(loop(b)). neg(reach('d e',a)).\n";

static pith_status read_program(pith *p) {
  return read_as(p, program, PITH_PROLOG);
}

static pith_status read_formats(pith *p) {
  pith_status rc = read_as(p,
                           "3 #1(X,Y) :- #2(X,Z), #3(Z,Y).\n"
                           "F(X,Y) <- F(X,Z), F(Z,Y)\n"
                           "invented: aux/2\nsteps: 4\n",
                           PITH_TEMPLATES);
  if (rc >= 0)
    rc = read_as(p, "a\tlikes\tb\nb\tlikes\tc d\n", PITH_TRIPLES);
  if (rc >= 0)
    rc = read_as(p,
                 "head_pred(even,1). body_pred(succ,2). body_pred(zero,1).\n"
                 "type(succ,(int,int)). direction(succ,(in,out)).\n"
                 "max_vars(4). max_body(3). enable_recursion.\n",
                 PITH_BIAS);
  return rc;
}

/* A table, its label and its cells with doubled quotes; edges, and a fourth
** column under a header. */
static pith_status read_columns(pith *p) {
  static const char table[] = "name,age,height,city,grade\n"
                              "ann,37,1.5,\"Ulm \"\"U\"\"\",good\n"
                              "bob,12,2,Bonn,bad\ncid,1,+3,,good\n";
  static const char edges[] = "from,to\na,\"b \"\"c\"\"\"\n";
  pith_read_options opt;
  pith_read_defaults(&opt);
  opt.label = "grade";
  opt.columns = "age,height,city";
  pith_status rc =
      pith_read_text_with(p, "people.csv", table, strlen(table), &opt);
  if (rc >= 0)
    rc = pith_read_text(p, "roads.csv", edges, strlen(edges), PITH_AUTO);
  if (rc >= 0)
    rc = read_as(p, "s\tr\to\tsince\na\tr\tb\t1.50\n", PITH_TRIPLES);
  return rc;
}

static pith_status read_json(pith *p) {
  if (strstr(pith_features(), "jansson") == NULL)
    return read_columns(p);
  pith_status rc = read_as(
      p, "[{\"a\":\"x\",\"b\":[1,2.5],\"c\":true,\"d\":{}}]", PITH_JSON);
  if (rc >= 0)
    rc = read_as(p, "{\"t\":[{\"a\":1}],\"u\":[{\"b\":2}]}", PITH_JSON);
  if (rc >= 0)
    rc = read_as(p,
                 "{\"event\":\"rule\",\"text\":\"p(X) :- q(X).\"}\n"
                 "{\"event\":\"fact\",\"predicate\":\"q\",\"args\":[1]}",
                 PITH_JSON);
  return rc;
}

static pith_status add_columns(pith *p) {
  static const int64_t numbers[] = {1, 2, 3, INT64_MAX};
  static const int32_t codes[] = {1, 0, 1, 0}, offsets[] = {0, 1, 2};
  static const double reals[] = {0.5, 1, 2, 3};
  static const pith_column words = {
      .kind = PITH_COLUMN_TEXT, .width = 4, .values = "ab", .offsets = offsets};
  pith_column columns[] = {
      {.kind = PITH_COLUMN_INT, .width = 8, .values = numbers},
      {.kind = PITH_COLUMN_CODE,
       .width = 4,
       .values = codes,
       .dictionary = &words,
       .dictionary_rows = 2},
      {.kind = PITH_COLUMN_REAL, .width = 8, .values = reals},
  };
  pith_pred pred;
  pith_status rc = pith_pred_add(p, "r", 3, &pred);
  if (rc >= 0)
    rc = pith_fact_add_columns(p, pred, columns, 3, 4, false, NULL);
  if (rc >= 0)
    assert_int_equal(pith_fact_count(p, pred, PITH_GIVEN), 4);
  return rc;
}

/* What other learners and logic programs have. */
static pith_status read_dialects(pith *p) {
  pith_status rc = read_as(
      p, "0.5::e(a,b).\n0.9::p(X) :- e(X,_).\nquery(p(X)).", PITH_PROBLOG);
  if (rc >= 0)
    rc = read_as(p,
                 "#const n = 2. %* a *%\nc(1..n,(a;b)). d(x,y;z,w).\n"
                 "f(X,Y) :- d(X,Y), X != Y, X != \"s\".\n",
                 PITH_ASP);
  if (rc >= 0)
    rc = read_as(p,
                 ":- modeh(1,t(+k)).\n:- modeb(*,e(+k,#k)).\n"
                 ":- determination(t/1,e/2).\n:- set(clauselength,3).\n"
                 "e(c,d).\n:- begin_in_pos.\nt(c).\n:- end_in_pos.\n",
                 PITH_ALEPH);
  if (rc >= 0)
    rc = read_as(p,
                 "prim(e/2).\nmetarule([P,Q],[P,A],[[Q,A,B]]).\n"
                 "a :- Pos = [t(c), t(e)], learn(Pos,[t(z)]).\ne(e,f).\n",
                 PITH_METAGOL);
  if (rc >= 0)
    rc = read_as(p, "?a  e  ?b  ?b  e  z   => ?b  e  ?a\t0.5\n", PITH_AMIE);
  if (rc >= 0)
    rc = read_as(p, "1\t2\t0.5\te(X,z) <= e(z,A), e(A,X)\n", PITH_ANYBURL);
  return rc;
}

static pith_status read_folder(pith *p) {
  return pith_read(p, "data/ilp/even-odd", PITH_AUTO);
}

static pith_status round_rdf(pith *p) {
  static const char text[] =
      "@prefix e: <http://e/> .\n"
      "e:a a e:C ; e:p e:b , 1 , 1.5 , true , \"x\"@de , \"y\"^^e:T , _:b .\n";
  pith_out *o;
  if (strstr(pith_features(), "serd") == NULL)
    return read_columns(p);
  pith_status rc = read_as(p, text, PITH_TURTLE);
  if (rc >= 0)
    rc = read_as(p,
                 "<http://e/a> <http://e/p> <http://e/c> .\n"
                 "<urn:pith:a> <http://e/p> \"x\\ty\" .\n",
                 PITH_NTRIPLES);
  if (rc < 0 || (rc = pith_out_memory(p, &o)) < 0)
    return rc;
  rc = pith_write(p, PITH_TURTLE, o);
  if (rc >= 0)
    rc = pith_write(p, PITH_NTRIPLES, o);
  pith_out_close(o, false);
  return rc;
}

/* Wrong input is a success here: what counts is memory. */
static pith_status read_errors(pith *p) {
  pith_status rc = read_as(p,
                           "Edge(a,b).\nedge(a,b\nedge(X,b).\n"
                           "p('unbalanced).\np(X,Y) :- q(X).\n"
                           "pos(a). neg(a). r([1,2]).\n",
                           PITH_PROLOG);
  if (rc == PITH_ENOMEM)
    return rc;
  assert_int_equal(rc, PITH_EINPUT);
  assert_true(pith_remark_errors(p) > 0);
  return PITH_OK;
}

static pith_status infer(pith *p) {
  pith_status rc = read_program(p);
  pith_infer_info info;
  if (rc >= 0)
    rc = pith_infer(p, NULL, &info);
  if (rc >= 0) {
    assert_int_equal(
        pith_fact_count(p, pith_pred_find(p, "reach", 2), PITH_DERIVED), 12);
    assert_true(info.complete);
  }
  return rc;
}

static pith_status infer_dense(pith *p) { return infer_ring(p, 80); }

static pith_status write_proof(pith *p, const char *text) {
  const pith_atom *atom;
  pith_proof *proof = NULL;
  pith_out *out = NULL;
  pith_status rc = pith_atom_read(p, text, &atom);
  if (rc >= 0)
    rc = pith_explain(p, atom, &proof);
  if (rc >= 0)
    rc = pith_out_memory(p, &out);
  for (int format = PITH_TREE; rc >= 0 && format <= PITH_DOT; format++)
    rc = pith_proof_write(p, proof, (pith_proof_format)format, out);
  pith_out_close(out, false);
  pith_proof_free(proof);
  return rc;
}

static pith_status explain(pith *p) {
  pith_status rc = read_program(p);
  if (rc >= 0)
    rc = write_proof(p, "reach(a,'d e')");
  if (rc >= 0)
    rc = write_proof(p, "reach('d e',a)");
  return rc;
}

static pith_status judge(pith *p) {
  pith_scores scores;
  pith_counts counts;
  pith_estimate estimate;
  bool covers[64];
  pith_status rc = infer(p);
  assert_true(pith_example_count(p) <= sizeof covers);
  if (rc >= 0)
    rc = pith_score(p, &scores);
  for (size_t i = 0; rc >= 0 && i < pith_rule_count(p); i++)
    rc = pith_rule_counts(p, pith_rule_at(p, i), &counts);
  for (size_t i = 0; rc >= 0 && i < pith_rule_count(p); i++)
    rc = pith_rule_covers(p, pith_rule_at(p, i), covers);
  if (rc >= 0)
    rc = pith_infer_cost(p, &estimate);
  return rc;
}

static pith_status write_formats(pith *p) {
  static const pith_format formats[] = {PITH_PROLOG, PITH_JSON};
  pith_out *out = NULL;
  pith_status rc = infer(p);
  if (rc >= 0)
    rc = pith_out_memory(p, &out);
  for (size_t i = 0; rc >= 0 && i < 2; i++) {
    rc = pith_facts_write(p, PITH_ALL, formats[i], out);
    if (rc >= 0)
      rc = pith_write(p, formats[i], out);
  }
  pith_out_close(out, false);
  return rc;
}

static void test_read(void **state) {
  (void)state;
  refuse_all(add_columns);
  refuse_all(read_program);
  refuse_all(read_formats);
  refuse_all(read_columns);
  refuse_all(read_json);
  refuse_all(read_dialects);
  refuse_all(round_rdf);
  refuse_all(read_errors);
}

static void test_read_folder(void **state) {
  (void)state;
  refuse_all(read_folder);
}

static void test_infer(void **state) {
  (void)state;
  refuse_all(infer);
  refuse_all(infer_dense);
}

static void test_explain(void **state) {
  (void)state;
  refuse_all(explain);
}

static void test_judge(void **state) {
  (void)state;
  refuse_all(judge);
}

static void test_write(void **state) {
  (void)state;
  refuse_all(write_formats);
}

static void test_infer_again(void **state) {
  (void)state;
  for (size_t k = 0;; k++) {
    miser m = {.refuse = SIZE_MAX};
    pith_memory memory = {miser_resize, &m, 0};
    pith *p;
    assert_int_equal(pith_new_with(&memory, &p), PITH_OK);
    assert_int_equal(read_program(p), PITH_OK);
    uint64_t given = pith_fact_count(p, PITH_NONE, PITH_GIVEN);
    m.refuse = m.asked + k;
    pith_status rc = pith_infer(p, NULL, NULL);
    if (rc < 0) {
      assert_int_equal(rc, PITH_ENOMEM);
      assert_int_equal(pith_fact_count(p, PITH_NONE, PITH_ALL), given);
      m.refuse = SIZE_MAX;
      assert_int_equal(pith_infer(p, NULL, NULL), PITH_OK);
    }
    assert_int_equal(
        pith_fact_count(p, pith_pred_find(p, "reach", 2), PITH_DERIVED), 12);
    pith_free(p);
    assert_int_equal(m.alive, 0);
    if (m.refused == 0)
      return;
  }
}

static void test_add_again(void **state) {
  (void)state;
  miser m = {.refuse = SIZE_MAX};
  pith_memory memory = {miser_resize, &m, 0};
  pith *p;
  pith_pred pred;
  assert_int_equal(pith_new_with(&memory, &p), PITH_OK);
  assert_int_equal(pith_pred_add(p, "number", 1, &pred), PITH_OK);
  for (unsigned i = 0; i < 1000; i++) {
    char text[16];
    pith_sym sym;
    size_t n = (size_t)snprintf(text, sizeof text, "%u", i);
    m.refuse = m.asked;
    if (pith_sym_add(p, text, n, PITH_NUMBER, &sym) < 0) {
      assert_int_equal(pith_sym_find(p, text, n, PITH_NUMBER), PITH_NONE);
      m.refuse = SIZE_MAX;
      assert_int_equal(pith_sym_add(p, text, n, PITH_NUMBER, &sym), PITH_OK);
    }
    m.refuse = m.asked;
    if (pith_fact_add(p, pred, &sym, 1) < 0) {
      assert_false(pith_fact_holds(p, pred, &sym, 1));
      m.refuse = SIZE_MAX;
      assert_int_equal(pith_fact_add(p, pred, &sym, 1), PITH_OK);
    }
    assert_int_equal(pith_fact_count(p, pred, PITH_GIVEN), i + 1);
  }
  pith_free(p);
  assert_int_equal(m.alive, 0);
}

/* A little more than an empty handle is enough to start, not to infer. */
static void test_limit(void **state) {
  (void)state;
  pith_memory memory = {NULL, NULL, 0};
  pith *p;
  assert_int_equal(pith_new(&p), PITH_OK);
  memory.limit = pith_bytes(p) + 20000;
  pith_free(p);
  assert_int_equal(pith_new_with(&memory, &p), PITH_OK);
  assert_int_equal(infer_dense(p), PITH_ENOMEM);
  assert_true(pith_bytes_peak(p) <= memory.limit);
  pith_free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_read),        cmocka_unit_test(test_read_folder),
      cmocka_unit_test(test_infer),       cmocka_unit_test(test_explain),
      cmocka_unit_test(test_judge),       cmocka_unit_test(test_write),
      cmocka_unit_test(test_infer_again), cmocka_unit_test(test_add_again),
      cmocka_unit_test(test_limit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
