/* Parts that other parts stand on: bytes and journals of base; atoms that only
** the examples ask for and the steps of a proof in logic; clauses, terms and
** JSON of text; and SQLite, where it is here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "api/handle.h"
#include "base/bytes.h"
#include "base/journal.h"
#include "learned.h"
#include "logic/goals.h"
#include "logic/replay.h"
#include "task/shared_places.h"
#include "text/dialect.h"
#include "text/jsonprint.h"
#include "text/rdf.h"
#include "text/sqlite_calls.h"

/* ---- base --------------------------------------------------------------- */

/* What was put in comes out in the same order; a count that the bytes cannot
** hold is not believed. */
static void bytes_come_back(void **state) {
  (void)state;
  pith *p = new_task("a.");
  pith_i_buffer out = {0};
  PITH_I_VEC(uint32_t) list = {0}, back = {0};
  for (uint32_t i = 0; i < 5; i++)
    assert_true(pith_i_push(&p->env, &list, 7 * i));
  double half = 0.5, got;
  assert_true(pith_i_buffer_put(&p->env, &out, &half, sizeof half));
  assert_true(
      pith_i_buffer_put_list(&p->env, &out, list.at, list.n, sizeof *list.at));
  pith_i_cursor c = {.at = out.at, .left = out.n, .ok = true};
  pith_i_cursor_take(&c, &got, sizeof got);
  assert_true(got == 0.5);
  assert_true(pith_i_cursor_take_list(&p->env, &c, (void **)&back.at, &back.n,
                                      &back.cap, sizeof *back.at));
  assert_true(c.ok && c.left == 0 && back.n == 5);
  assert_memory_equal(back.at, list.at, 5 * sizeof *list.at);
  pith_i_cursor_take(&c, &got, sizeof got);
  assert_false(c.ok);
  assert_true(got == 0);
  uint64_t many = 1000;
  c = (pith_i_cursor){.at = (const char *)&many, .left = 8, .ok = true};
  assert_int_equal(pith_i_cursor_count(&c, 4), 0);
  assert_false(c.ok);
  pith_i_vec_free(&p->env, &out);
  pith_i_vec_free(&p->env, &list);
  pith_i_vec_free(&p->env, &back);
  pith_free(p);
}

static int note_entry(void *ctx, const pith_i_journal_entry *e) {
  char *text = ctx;
  sprintf(text + strlen(text), "%zu-%zu:%.*s ", e->first, e->last, (int)e->n,
          e->bytes);
  return 0;
}

/* Entries that are whole count, of the loop that is asked for; what a kill left
** of the last one does not, and another computation is refused. */
static void journals_forget_what_is_cut(void **state) {
  (void)state;
  pith *p = new_task("a.");
  char path[64], text[200] = "";
  pith_i_journal *j;
  snprintf(path, sizeof path, "/tmp/pith-journal-%ld", (long)getpid());
  unlink(path);
  assert_int_equal(pith_i_journal_open(&p->env, path, 42, &p->env, &j),
                   PITH_OK);
  assert_int_equal(pith_i_journal_add(j, 1, 0, 3, "one", 3), PITH_OK);
  assert_int_equal(pith_i_journal_add(j, 2, 0, 1, "other", 5), PITH_OK);
  assert_int_equal(pith_i_journal_add(j, 1, 3, 4, "two", 3), PITH_OK);
  pith_i_journal_close(j);
  assert_int_equal(pith_i_journal_open(&p->env, path, 42, &p->env, &j),
                   PITH_OK);
  pith_i_journal_each(j, 1, note_entry, text);
  assert_string_equal(text, "0-3:one 3-4:two ");
  pith_i_journal_close(j);
  FILE *f = fopen(path, "rb");
  assert_non_null(f);
  fseek(f, 0, SEEK_END);
  assert_int_equal(truncate(path, ftell(f) - 1), 0);
  fclose(f);
  text[0] = '\0';
  assert_int_equal(pith_i_journal_open(&p->env, path, 42, &p->env, &j),
                   PITH_OK);
  pith_i_journal_each(j, 1, note_entry, text);
  assert_string_equal(text, "0-3:one ");
  pith_i_journal_close(j);
  assert_int_equal(pith_i_journal_open(&p->env, path, 43, &p->env, &j),
                   PITH_EINPUT);
  assert_null(j);
  pith_i_journal_close(NULL);
  unlink(path);
  pith_free(p);
}

/* ---- task ---------------------------------------------------------------- */

/* 0 and 1 share a constant, 1 and 33 another: 0 and 33 are of one kind without
** meeting; 2 has one of its own and 3 none. */
static void places_share_constants(void **state) {
  (void)state;
  enum { PLACES = 34 };
  static const uint32_t rows[] = {5, 6, 7, 5}, last[] = {6}, own[] = {9};
  pith *p = new_task("a.");
  pith_i_shared_places s;
  uint8_t meet[PLACES * PLACES] = {0};
  uint32_t up[PLACES];
  assert_int_equal(pith_i_places_init(&s, &p->env, PLACES, 10), PITH_OK);
  pith_i_places_add(&s, 0, rows, 2, 2);     /* 5, 7 */
  pith_i_places_add(&s, 1, rows + 1, 2, 2); /* 6, 5 */
  pith_i_places_add(&s, 33, last, 1, 1);
  pith_i_places_add(&s, 2, own, 1, 1);
  pith_i_places_meet(&s, meet);
  assert_true(meet[0 * PLACES + 1] && meet[1 * PLACES + 0]);
  assert_true(meet[1 * PLACES + 33] && meet[33 * PLACES + 1]);
  assert_false(meet[0 * PLACES + 33] || meet[2 * PLACES + 0]);
  assert_true(meet[2 * PLACES + 2]);
  assert_false(meet[3 * PLACES + 3]);
  for (uint32_t i = 0; i < PLACES; i++)
    up[i] = i;
  pith_i_places_join(&s, up);
  assert_int_equal(pith_i_places_kind(up, 0), pith_i_places_kind(up, 33));
  assert_int_equal(pith_i_places_kind(up, 0), pith_i_places_kind(up, 1));
  assert_int_not_equal(pith_i_places_kind(up, 2), pith_i_places_kind(up, 0));
  pith_i_places_clear(&s);
  memset(meet, 0, sizeof meet);
  pith_i_places_meet(&s, meet);
  assert_false(meet[0 * PLACES + 1]);
  pith_i_places_free(&s);
  pith_free(p);
}

/* ---- logic --------------------------------------------------------------- */

static const char *const pairs =
    "p(a). p(b). p(c). q(a). q(b). q(c). f(A,B) :- p(A), q(B)."
    "g(A) :- p(A), q(A). pos(f(a,b)). neg(f(d,a)). pos(g(b)).";

/* Of f, which no body uses, only the example that follows; not all nine. */
static void only_examples_are_derived(void **state) {
  (void)state;
  pith *p = new_task(pairs);
  pith_infer_info info;
  pith_i_closure_options opt = {.run = NULL};
  assert_int_equal(pith_i_closure_examples(&p->theory, &p->store, &opt, &info),
                   PITH_OK);
  assert_int_equal(pith_fact_count(p, pith_pred_find(p, "f", 2), PITH_DERIVED),
                   1);
  assert_int_equal(pith_fact_count(p, pith_pred_find(p, "g", 1), PITH_DERIVED),
                   1);
  pith_free(p);
}

/* Of a chain, what it takes to reach d from a, and not what comes later. */
static void steps_up_to_the_goal(void **state) {
  (void)state;
  pith *p = new_task("e(a,b). e(b,c). e(c,d). e(d,g). e(g,h). other(a)."
                     "r(X,Y) :- e(X,Y). r(X,Y) :- e(X,Z), r(Z,Y)."
                     "s(X) :- other(X).");
  const pith_atom *goal;
  pith_i_store steps;
  pith_i_store_init(&steps, &p->env);
  assert_int_equal(pith_atom_read(p, "r(a,c)", &goal), PITH_OK);
  /* It ends at the goal, though more follows. */
  assert_int_equal(pith_i_replay(&p->theory, &p->store, goal, &steps),
                   PITH_STOPPED);
  pith_pred r = pith_pred_find(p, "r", 2), s = pith_pred_find(p, "s", 1);
  const pith_i_tuples *rows = &steps.relations.at[r].rows;
  pith_sym ac[] = {goal->args[0], goal->args[1]}, ah[] = {ac[0], ac[0]};
  ah[1] = pith_sym_find(p, "h", 1, PITH_NAME);
  assert_int_not_equal(pith_i_tuples_find(rows, ac), PITH_NONE);
  assert_int_equal(pith_i_tuples_find(rows, ah), PITH_NONE);
  assert_true(s >= steps.relations.n || steps.relations.at[s].rows.n == 0);
  pith_i_store_free(&steps);
  pith_free(p);
}

/* ---- text ---------------------------------------------------------------- */

static void clauses_end_at_full_stops(void **state) {
  (void)state;
  static const char text[] =
      " % no clause.\n/* nor this. */p(X,1.5,'a. b'). q.";
  size_t at = pith_i_skip_layout(text, 0);
  assert_memory_equal(text + at, "p(X", 3);
  at = pith_i_clause_end(text, at);
  assert_string_equal(text + at, " q.");
  at = pith_i_clause_end(text, pith_i_skip_layout(text, at));
  assert_string_equal(text + at, "");
  assert_true(pith_i_starts_word("modeh(1)", "modeh"));
  assert_false(pith_i_starts_word("modehead", "modeh"));
}

static void terms_of_rdf(void **state) {
  (void)state;
  assert_true(pith_i_is_iri("http://ex.org/a", 15));
  assert_false(pith_i_is_iri("ann", 3));
  assert_false(pith_i_is_iri("http://ex.org/a b", 17));
  assert_true(pith_i_string_needs_quotes("http://ex.org/a", 15));
  assert_true(pith_i_string_needs_quotes("\"chat\"@fr", 9));
  assert_false(pith_i_string_needs_quotes("ann", 3));
}

static void rules_as_json(void **state) {
  (void)state;
  pith *p = new_task("p(X,'b \"c\"') :- q(X,1.5), \\+ r(X).");
  pith_out *o;
  assert_int_equal(pith_out_memory(p, &o), PITH_OK);
  assert_int_equal(pith_i_json_rule(&p->theory.names, pith_rule_at(p, 0), o),
                   PITH_OK);
  const char *text = pith_out_text(o, NULL);
  assert_non_null(strstr(text, "\"head\":{\"predicate\":\"p\""));
  assert_non_null(strstr(text, "{\"var\":\"X\"},\"b \\\"c\\\"\""));
  assert_non_null(strstr(text, "1.5"));
  assert_non_null(strstr(text, "\"negated\":true"));
  assert_null(strstr(text, "probability"));
  pith_out_close(o, false);
  pith_free(p);
}

/* SQLite is found once more each time, and works. */
static void sqlite_is_loaded(void **state) {
  (void)state;
#ifdef PITH_HAVE_SQLITE
  for (int i = 0; i < 2; i++) {
    pith_i_sqlite_calls sql;
    const char *why;
    sqlite3 *db;
    sqlite3_stmt *s;
    assert_true(pith_i_sqlite_load(&sql, &why));
    assert_int_equal(sql.open_v2(":memory:", &db, SQLITE_OPEN_READWRITE, NULL),
                     SQLITE_OK);
    assert_int_equal(sql.prepare_v2(db, "select 6 * 7", -1, &s, NULL),
                     SQLITE_OK);
    assert_int_equal(sql.step(s), SQLITE_ROW);
    assert_int_equal(sql.column_int(s, 0), 42);
    sql.finalize(s);
    sql.close(db);
  }
#else
  assert_null(strstr(pith_features(), "sqlite3"));
#endif
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bytes_come_back),
      cmocka_unit_test(journals_forget_what_is_cut),
      cmocka_unit_test(places_share_constants),
      cmocka_unit_test(only_examples_are_derived),
      cmocka_unit_test(steps_up_to_the_goal),
      cmocka_unit_test(clauses_end_at_full_stops),
      cmocka_unit_test(terms_of_rdf),
      cmocka_unit_test(rules_as_json),
      cmocka_unit_test(sqlite_is_loaded),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
