/* Memory and disk that run out. Each job below is repeated, refusing the k-th
** allocation for k = 0, 1, 2, ... until none is refused: until then the job
** must end in PITH_ENOMEM or, where the library can do without the block (to
** see whether bit rows would pay, say), in the right answer. Freeing the handle
** must leave no block alive. Both kinds of trouble are tried: one refusal among
** many grants, and nothing granted any more; in the latter case there is no
** doing without.
**
** The allocator behind also moves every block that is resized and fills what
** it hands out and takes back with junk, so a stale pointer or an unset field
** shows in any build. */
#include <fcntl.h>
#include <glob.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <pith.h>

/* ---- an allocator that refuses ---------------------------------------- */

typedef struct {
  size_t asked;   /* allocations so far                     */
  size_t refuse;  /* the number of the first one refused    */
  bool forever;   /* and all after it                       */
  size_t refused; /* how many were                          */
  size_t alive;   /* blocks                                 */
} miser;

typedef union {
  size_t size;
  max_align_t align;
} header;

enum { FRESH = 0xa5, DEAD = 0x5a };

static bool refuses(miser *m) {
  size_t k = m->asked++;
  bool no = k == m->refuse || (m->forever && k > m->refuse);
  m->refused += no;
  return no;
}

static void give_up(miser *m, void *block) {
  header *h = (header *)block - 1;
  memset(block, DEAD, h->size);
  m->alive--;
  free(h);
}

static void *miser_resize(void *ctx, void *block, size_t size) {
  miser *m = ctx;
  if (size == 0) {
    if (block != NULL)
      give_up(m, block);
    return NULL;
  }
  if (refuses(m))
    return NULL;
  header *h = malloc(sizeof *h + size);
  assert_non_null(h);
  h->size = size;
  memset(h + 1, FRESH, size);
  m->alive++;
  if (block != NULL) {
    size_t old = ((header *)block - 1)->size;
    memcpy(h + 1, block, old < size ? old : size);
    give_up(m, block);
  }
  return h + 1;
}

/* A job works on a fresh handle; a negative status ends it. */
typedef pith_status (*job)(pith *p);

static pith_status run_job(miser *m, job work) {
  pith_memory memory = {miser_resize, m, 0};
  pith *p;
  pith_status rc = pith_new_with(&memory, &p);
  if (rc < 0)
    assert_null(p);
  else
    rc = work(p);
  if (rc == PITH_ENOMEM && p != NULL)
    assert_true(strlen(pith_error(p)) > 0);
  pith_free(p);
  return rc;
}

static void refuse_each(job work, bool forever) {
  for (size_t k = 0;; k++) {
    miser m = {.refuse = k, .forever = forever};
    pith_status rc = run_job(&m, work);
    assert_int_equal(m.alive, 0);
    if (m.refused == 0) {
      assert_true(rc >= 0);
      assert_true(k > 2);
      return;
    }
    if (rc != PITH_ENOMEM && (rc < 0 || forever))
      fail_msg("allocation %zu refused, status %d", k, rc);
  }
}

static void refuse_all(job work) {
  refuse_each(work, false);
  refuse_each(work, true);
}

/* ---- jobs -------------------------------------------------------------- */

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

static pith_status read_as(pith *p, const char *text, pith_format format) {
  return pith_read_text(p, "text", text, strlen(text), format);
}

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

/* A ring fills its closure, which is then kept as bit rows. */
static pith_status infer_dense(pith *p) {
  enum { N = 80 };
  char text[N * 24 + 128], *end = text;
  for (int i = 0; i < N; i++)
    end += sprintf(end, "edge(%d,%d).\n", i, (i + 1) % N);
  strcpy(end, "reach(X,Y) :- edge(X,Y).\n"
              "reach(X,Y) :- reach(X,Z), reach(Z,Y).\n");
  pith_status rc = read_as(p, text, PITH_PROLOG);
  if (rc >= 0)
    rc = pith_infer(p, NULL, NULL);
  if (rc >= 0)
    assert_int_equal(pith_fact_count(p, PITH_NONE, PITH_DERIVED), N * N);
  return rc;
}

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

/* With threads, a checkpoint, and a background of rules. */
static const char task[] =
    "succ(0,1). succ(1,2). succ(2,3). succ(3,4). odd(1). wide(a,b,c).\n"
    "next(X,Y) :- succ(X,Y).\n"
    "pos(even(0)). pos(even(2)). pos(even(4)). neg(even(1)). neg(even(3)).\n";
static const char templates[] = "F(X) <- F(X)\n"
                                "F(X) <- F(Z), F(Z,X)\n"
                                "F(X,X) <- F(X,Z), F(X,Z)\n"
                                "F(X) <- F(X,Z), F(Z,W), X \\= W\n"
                                "invented: aux/1\ninvented: more/2\n";

static int ignore_point(void *ctx, const pith_trace_point *point) {
  (void)ctx, (void)point;
  return 0;
}

static pith_status learn_from(pith *p) {
  char path[64];
  pith_learn_options opt;
  pith_learned *l = NULL;
  snprintf(path, sizeof path, "/tmp/pith-alloc-%ld", (long)getpid());
  pith_learn_defaults(&opt);
  opt.restarts = 40;
  opt.epochs = 20;
  opt.run.jobs = 3;
  opt.keep = 2;
  opt.go_on = true;
  opt.checkpoint = path;
  pith_trace_options which = {.restart = 17, .epochs = 3, .points = 4};
  pith_status rc = pith_learn(&p, 1, &opt, &l);
  if (rc >= 0)
    rc = pith_learn_trace(&p, 1, &opt, &which, ignore_point, NULL);
  if (rc >= 0)
    rc = pith_learned_adopt(l, 0, p);
  pith_learned_free(l);
  unlink(path);
  return rc;
}

static pith_status learn(pith *p) {
  pith_status rc = read_as(p, task, PITH_PROLOG);
  if (rc >= 0)
    rc = read_as(p, templates, PITH_TEMPLATES);
  return rc < 0 ? rc : learn_from(p);
}

/* A ring of towns in two lands. */
static pith_status learn_chains(pith *p) {
  char text[4096];
  size_t n = 0;
  for (int i = 0; i < 16; i++) {
    const char *fact =
        i % 4 == 1 ? "pos(in(t%d,l%d)). neg(in(t%d,l%d)).\n" : "in(t%d,l%d).\n";
    n += (size_t)snprintf(text + n, sizeof text - n,
                          "near(t%d,t%d). near(t%d,t%d).\n", i, (i + 1) % 16,
                          (i + 1) % 16, i);
    n += (size_t)snprintf(text + n, sizeof text - n, fact, i, i / 8, i,
                          1 - i / 8);
  }
  pith_model_options opt;
  pith_model *m = NULL;
  double probability[8];
  pith_model_defaults(&opt);
  pith_status rc = read_as(p, text, PITH_PROLOG);
  opt.target = pith_pred_find(p, "in", 2);
  if (rc >= 0)
    rc = pith_model_learn(p, NULL, &opt, &m);
  if (rc >= 0)
    rc = pith_model_grade(m, p, probability);
  pith_out *o = NULL;
  if (rc >= 0)
    rc = pith_out_memory(p, &o);
  if (rc >= 0)
    rc = pith_model_write(m, true, o);
  pith_model_free(m);
  m = NULL;
  if (rc >= 0)
    rc = pith_out_text(o, NULL) == NULL
             ? PITH_ENOMEM
             : read_as(p, pith_out_text(o, NULL), PITH_PROLOG);
  pith_out_close(o, false);
  if (rc >= 0)
    rc = pith_model_read(p, NULL, 0, &m);
  pith_ranking ranking;
  pith_prediction v[2] = {{0.5, true}, {0.2, false}};
  if (rc >= 0)
    rc = pith_ranking_of(p, v, 2, &ranking);
  pith_model_free(m);
  return rc;
}

/* Without templates, with something invented. */
static pith_status learn_invented(pith *p, const char *text) {
  pith_learn_options opt;
  pith_learned *l = NULL;
  pith_learn_defaults(&opt);
  opt.method = PITH_METHOD_GRADIENT;
  opt.restarts = 2;
  opt.epochs = 3;
  opt.run.jobs = 1;
  opt.keep = 2;
  opt.go_on = true;
  pith_status rc = read_as(p, text, PITH_PROLOG);
  if (rc >= 0)
    rc = read_as(p, "max_body(1). enable_pi. max_vars(2). max_clauses(3).",
                 PITH_BIAS);
  if (rc >= 0)
    rc = pith_learn(&p, 1, &opt, &l);
  if (rc >= 0)
    rc = pith_learned_adopt(l, 0, p);
  pith_learned_free(l);
  return rc;
}

static pith_status learn_free(pith *p) {
  return learn_invented(
      p, "n(0,1). n(1,2). m(X,Y) :- n(X,Y). pos(e(0)). pos(e(2)). neg(e(1)).");
}

/* By clauses: no theory is exact, so all languages are gone through, and then
** examples may be wrong. */
static pith_status learn_clauses(pith *p) {
  pith_learn_options opt;
  pith_learned *l = NULL;
  pith_learn_defaults(&opt);
  opt.method = PITH_METHOD_SEARCH;
  opt.max_body = 2;
  opt.max_rules = 1;
  opt.keep = 3;
  pith_status rc =
      read_as(p,
              "r(a). r(b). r(c). r(d). r(e). r(f). r(g). r(h). r(i). "
              "n(a,j). n(i,k). s(X) :- n(X,_). pos(p(a)). pos(p(b)). "
              "pos(p(c)). pos(p(d)). pos(p(e)). pos(p(f)). pos(p(g)). "
              "pos(p(h)). neg(p(i)). neg(p(j)). neg(p(k)). neg(p(l)). "
              "neg(p(m)). neg(p(n)). neg(p(o)).",
              PITH_PROLOG);
  if (rc >= 0)
    rc = pith_learn(&p, 1, &opt, &l);
  bool full = rc == PITH_FULL; /* it says so, and has something to show */
  if (rc >= 0)
    rc = pith_learned_adopt(l, 0, p);
  pith_learned_free(l);
  return rc >= 0 && full ? PITH_ENOMEM : rc;
}

static void test_learn_free(void **state) {
  (void)state;
  refuse_all(learn_free);
  refuse_all(learn_clauses);
}

/* The same where worlds are cut. */
static pith_status learn_cut(pith *p) {
  return learn_invented(
      p, "n(a,b). n(b,c). n(c,d). n(d,e). n(e,f). n(f,g). n(g,h). n(h,i). "
         "n(i,j). n(j,k). n(k,l). n(l,m). n(m,o). n(o,p). n(p,q). n(q,r). "
         "n(r,s). n(s,t). n(t,u). n(u,v). n(v,w). n(w,x). n(x,y). n(y,z). "
         "n(z,aa). pos(e(a,b)). neg(e(b,a)). pos(e(y,z)). neg(e(a,a)).");
}

static void test_learn_cut(void **state) {
  (void)state;
  refuse_all(learn_cut);
}

static pith_status compress(pith *p) {
  pith_compressed *c = NULL;
  pith *other = NULL;
  pith_compress_options opt;
  pith_compress_defaults(&opt);
  opt.noise = PITH_NOISE_OFF; /* no second search: the same refusals again */
  opt.max_invented = 0;
  pith_status rc = read_as(p,
                           "r(a,b). r(b,c). r(a,c). r(c,d). r(b,d). r(a,d).\n"
                           "r(d,e). r(c,e). r(b,e). r(a,e).\n",
                           PITH_PROLOG);
  if (rc >= 0)
    rc = pith_compress(p, &opt, &c);
  if (rc >= 0) {
    assert_int_equal(pith_compressed_info(c)->core, 4);
    rc = pith_new(&other);
  }
  if (rc >= 0)
    rc = pith_compressed_adopt(c, other);
  pith_free(other);
  pith_compressed_free(c);
  return rc;
}

static pith_status compress_softly(pith *p) {
  pith_compressed *c = NULL;
  pith_compress_options opt;
  pith_compress_defaults(&opt);
  opt.method = PITH_METHOD_GRADIENT;
  opt.restarts = 2;
  opt.epochs = 3;
  pith_status rc = read_as(p, "m(a,x). f(c,x). f(d,z).\n", PITH_PROLOG);
  if (rc >= 0)
    rc = read_as(p, "2 #1(X,Y) :- #2(X), #3(X,Y).\ninvented: s/1\n",
                 PITH_TEMPLATES);
  if (rc >= 0)
    rc = pith_compress(p, &opt, &c);
  pith_compressed_free(c);
  return rc;
}

static pith_status compress_as_the_paper(pith *p) {
  pith_compressed *c = NULL;
  pith_compress_options opt;
  pith_compress_defaults(&opt);
  opt.semantics = PITH_PAPER;
  opt.restarts = 2;
  opt.epochs = 3;
  pith_status rc = read_as(p, "r(a,b). r(b,c). r(a,c).\n", PITH_PROLOG);
  if (rc >= 0)
    rc = read_as(p, "#1(X,Y) :- #2(X,Z), #3(Z,Y).\n", PITH_TEMPLATES);
  if (rc >= 0)
    rc = pith_compress(p, &opt, &c);
  pith_compressed_free(c);
  return rc;
}

static void test_compress(void **state) {
  (void)state;
  refuse_each(compress, false); /* it asks for memory thousands of times */
  refuse_all(compress_softly);
  refuse_all(compress_as_the_paper);
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

static void test_learn(void **state) {
  (void)state;
  refuse_all(learn);
}

/* The same softly, for one epoch. */
static pith_status learn_softly(pith *p) {
  char text[4096];
  size_t n = 0;
  for (int i = 0; i < 8; i++)
    n += (size_t)snprintf(
        text + n, sizeof text - n,
        i % 4 == 1 ? "near(t%d,t%d). pos(in(t%d,l%d)). neg(in(t%d,l%d)).\n"
                   : "near(t%d,t%d). in(t%d,l%d).\n",
        i, (i + 1) % 8, i, i / 4, i, 1 - i / 4);
  pith_model_options opt;
  pith_model *m = NULL;
  double probability[4];
  pith_model_defaults(&opt);
  opt.epochs = 1;
  opt.method = PITH_MODEL_SOFT;
  pith_status rc = read_as(p, text, PITH_PROLOG);
  if (rc >= 0)
    rc = read_as(p, "#1(X,Y) <- #2(X,Z), #3(Z,Y)\nsteps: 1\n", PITH_TEMPLATES);
  if (rc >= 0)
    opt.target = pith_pred_find(p, "in", 2);
  if (rc >= 0)
    rc = pith_model_learn(p, NULL, &opt, &m);
  if (rc >= 0)
    rc = pith_model_grade(m, p, probability);
  pith_model_free(m);
  return rc;
}

static void test_soft_model(void **state) {
  (void)state;
  refuse_all(learn_softly);
}

static void test_chains(void **state) {
  (void)state;
  refuse_all(learn_chains);
}

/* ---- after a refusal the handle is as before ---------------------------- */

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

static void test_learn_again(void **state) {
  (void)state;
  for (size_t k = 0;; k += 3) {
    miser m = {.refuse = SIZE_MAX};
    pith_memory memory = {miser_resize, &m, 0};
    pith *p;
    assert_int_equal(pith_new_with(&memory, &p), PITH_OK);
    assert_int_equal(read_as(p, task, PITH_PROLOG), PITH_OK);
    assert_int_equal(read_as(p, templates, PITH_TEMPLATES), PITH_OK);
    m.refuse = m.asked + k;
    pith_status rc = learn_from(p);
    m.refuse = SIZE_MAX;
    if (rc < 0) {
      assert_int_equal(rc, PITH_ENOMEM);
      assert_int_equal(pith_rule_count(p), 1);
      assert_int_equal(pith_fact_count(p, PITH_NONE, PITH_ALL), 6);
      assert_int_equal(learn_from(p), PITH_OK);
    }
    assert_true(pith_rule_count(p) > 1);
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

/* ---- output ------------------------------------------------------------- */

static char folder[] = "/tmp/pith-test-XXXXXX";
static char target[64];

static int make_folder(void **state) {
  (void)state;
  if (mkdtemp(folder) == NULL)
    return -1;
  snprintf(target, sizeof target, "%s/result.pl", folder);
  return 0;
}

static int remove_folder(void **state) {
  (void)state;
  unlink(target);
  return rmdir(folder); /* fails when a temporary file was left behind */
}

static void put_old(void) {
  FILE *f = fopen(target, "w");
  assert_non_null(f);
  fputs("old\n", f);
  fclose(f);
}

static bool is_old(void) {
  char text[8] = "";
  FILE *f = fopen(target, "r");
  assert_non_null(f);
  size_t n = fread(text, 1, sizeof text - 1, f);
  fclose(f);
  return n == 4 && strcmp(text, "old\n") == 0;
}

static size_t files_in_folder(void) {
  char pattern[64];
  glob_t found;
  snprintf(pattern, sizeof pattern, "%s/*", folder);
  size_t n = glob(pattern, 0, NULL, &found) == 0 ? found.gl_pathc : 0;
  globfree(&found);
  return n;
}

static pith_status write_to(pith *p, const char *path) {
  pith_out *out = NULL;
  pith_status rc = pith_out_file(p, path, &out);
  if (rc >= 0)
    rc = pith_facts_write(p, PITH_ALL, PITH_PROLOG, out);
  pith_status closed = pith_out_close(out, rc >= 0);
  return rc < 0 ? rc : closed;
}

static pith_status write_file(pith *p) {
  pith_status rc = infer(p);
  return rc < 0 ? rc : write_to(p, target);
}

static void test_file_kept(void **state) {
  (void)state;
  for (size_t k = 0;; k++) {
    put_old();
    miser m = {.refuse = k};
    pith_status rc = run_job(&m, write_file);
    assert_int_equal(m.alive, 0);
    assert_int_equal(files_in_folder(), 1);
    assert_int_equal(is_old(), rc < 0);
    if (m.refused == 0)
      return;
    assert_true(rc == PITH_ENOMEM || rc >= 0);
  }
}

/* Learning with a checkpoint, then inferring with what was learned. */
static pith_status run_soft_rules(pith *p) {
  pith_status rc = read_as(p,
                           "r(X,Y) :- e(X,Y).\n"
                           "r(X,Y) :- e(X,Z), r(Z,Y), X \\= Y.\n",
                           PITH_PROLOG);
  if (rc >= 0)
    rc =
        read_as(p, "2 F(X) <- F(Z), F(Z,X)\ninvented: aux/1\n", PITH_TEMPLATES);
  pith_soft *s = NULL;
  pith_soft_pass *pass[2] = {NULL, NULL};
  if (rc >= 0)
    rc = pith_soft_new(p, 3, 2, &s);
  static float number[1] = {0.5f};
  const pith_soft_values same = {number, 0, {0, 0}}, none = {0};
  const pith_soft_values start[3] = {same, same, same}, unused[3] = {none};
  for (size_t i = 0; rc >= 0 && i < 2; i++)
    rc = pith_soft_forward(s, 20, start, &same, unused, &pass[i]);
  if (rc >= 0)
    rc = pith_soft_backward(pass[0], start, unused, &none);
  pith_soft_pass_free(pass[0]);
  pith_soft_pass_free(pass[1]);
  pith_soft_free(s);
  return rc;
}

static void test_soft_rules(void **state) {
  (void)state;
  refuse_all(run_soft_rules);
}

static pith_status learn_saved(pith *p) {
  char saved[80];
  snprintf(saved, sizeof saved, "%s.run", target);
  remove(saved);
  pith_learn_options opt;
  pith_learned *found = NULL;
  pith_learn_defaults(&opt);
  opt.run.jobs = 1;
  opt.restarts = 16;
  opt.epochs = 60;
  opt.checkpoint = saved;
  pith_status rc = pith_read(p, "data/ilp/even-odd", PITH_AUTO);
  if (rc >= 0)
    rc = pith_learn(&p, 1, &opt, &found);
  if (rc >= 0)
    rc = pith_learned_adopt(found, 0, p);
  if (rc >= 0)
    rc = pith_infer(p, NULL, NULL);
  pith_learned_free(found);
  remove(saved);
  return rc;
}

static void test_learn_saved(void **state) {
  (void)state;
  refuse_all(learn_saved);
}

/* A graph is learned, its model asked and scored. */
static pith_status rank_links(pith *p) {
  static const char text[] =
      "child(a,b). child(b,c). child(b,d). child(e,f). child(f,g). "
      "child(h,i). child(i,j). grand(a,c). grand(e,g). grand(h,j). "
      "lives(a,t). lives(b,t). lives(e,u). lives(f,u). lives(h,t).";
  pith_model_options opt;
  pith_model *k = NULL;
  pith_model_scores scores;
  pith_estimate estimate;
  const pith_answer *answers;
  const pith_atom *query;
  size_t n;
  pith_model_defaults(&opt);
  opt.run.jobs = 1;
  opt.run.seconds = 1000;
  pith_status rc =
      pith_read_text(p, "graph.pl", text, sizeof text - 1, PITH_PROLOG);
  if (rc >= 0)
    rc = pith_model_cost(p, p, &opt, &estimate);
  if (rc >= 0)
    rc = pith_model_learn(p, p, &opt, &k);
  if (rc >= 0)
    rc = pith_atom_read(p, "grand(a,X)", &query);
  if (rc >= 0)
    rc = pith_model_ask(k, query, 3, &answers, &n);
  if (rc >= 0)
    rc = pith_model_score(k, p, NULL, &opt.run, &scores);
  pith_model_free(k);
  return rc;
}

static void test_rank(void **state) {
  (void)state;
  refuse_all(rank_links);
}

static pith *filled(void) {
  pith *p;
  assert_int_equal(pith_new(&p), PITH_OK);
  assert_int_equal(infer_dense(p), PITH_OK);
  return p;
}

static void test_full_device(void **state) {
  (void)state;
  if (access("/dev/full", W_OK) != 0)
    skip();
  pith *p = filled();
  assert_int_equal(write_to(p, "/dev/full"), PITH_EIO);
  assert_non_null(strstr(pith_error(p), "/dev/full"));
  pith_free(p);
}

/* The limit on a file's size stands in for a full disk: a write comes back
** short, the next one fails. */
static void test_full_disk(void **state) {
  (void)state;
  pith *p = filled();
  struct rlimit old, small;
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
  small = old;
  small.rlim_cur = 10000;
  put_old();
  signal(SIGXFSZ, SIG_IGN);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
  pith_status rc = write_to(p, target);
  setrlimit(RLIMIT_FSIZE, &old);
  assert_int_equal(rc, PITH_EIO);
  assert_non_null(strstr(pith_error(p), target));
  assert_true(is_old());
  assert_int_equal(files_in_folder(), 1);
  assert_int_equal(write_to(p, target), PITH_OK);
  assert_false(is_old());
  pith_free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_read),        cmocka_unit_test(test_read_folder),
      cmocka_unit_test(test_infer),       cmocka_unit_test(test_explain),
      cmocka_unit_test(test_judge),       cmocka_unit_test(test_write),
      cmocka_unit_test(test_infer_again), cmocka_unit_test(test_learn),
      cmocka_unit_test(test_compress),    cmocka_unit_test(test_learn_again),
      cmocka_unit_test(test_learn_saved), cmocka_unit_test(test_add_again),
      cmocka_unit_test(test_learn_free),  cmocka_unit_test(test_learn_cut),
      cmocka_unit_test(test_limit),       cmocka_unit_test(test_file_kept),
      cmocka_unit_test(test_full_device), cmocka_unit_test(test_full_disk),
      cmocka_unit_test(test_chains),      cmocka_unit_test(test_rank),
      cmocka_unit_test(test_soft_model),  cmocka_unit_test(test_soft_rules),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
