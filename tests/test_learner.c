/* The learner: decoded programs evaluated many at once against the exact
** engine, search, and whole runs: the same result for any number of threads,
** and after any interruption. Run under the thread sanitizer too. */
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "task.h"
#include "task/judge.h"
#include "train/near_ties.h"
#include "train/slot_moves.h"

/* The thread sanitizer is slow, and has nothing to see in one thread. */
static void one_thread(void) {
#ifdef __SANITIZE_THREAD__
  skip();
#endif
}

/* ---- programs many at once -------------------------------------------- */

/* A random choice for each slot; each rule is left out with chance 1/8. */
static void draw_program(task *t, const pith_i_net *net, uint32_t *choice) {
  for (size_t s = 0; s < net->slots.n; s++)
    choice[s] = net->slots.at[s].first + task_below(t, net->slots.at[s].count);
  for (size_t r = 0; r < net->rules.n; r++)
    if (task_below(t, 8) == 0)
      choice[net->rules.at[r].head] = PITH_NONE;
}

static pith_i_errors judge(task *t, const pith_i_net *net,
                           const uint32_t *choice) {
  pith_i_world worlds[TASK_WORLDS];
  pith_i_arena arena = {.env = &t->world[0]->env};
  pith_rule *rules[64];
  pith_i_errors errors;
  size_t n = 0;
  assert_true(net->rules.n <= 64);
  for (size_t w = 0; w < t->worlds; w++)
    worlds[w] = (pith_i_world){.theory = &t->world[w]->theory,
                               .store = &t->world[w]->store};
  for (size_t r = 0; r < net->rules.n; r++)
    if (choice[net->rules.at[r].head] != PITH_NONE) {
      rules[n] = pith_i_program_rule(net, choice, r, &arena);
      assert_non_null(rules[n++]);
    }
  task_check(t->world[0], pith_i_judge(worlds, t->worlds, rules, n, &errors));
  pith_i_arena_free(&arena);
  return errors;
}

static void sliced_is_exact(void **state) {
  (void)state;
  one_thread();
  enum { EACH = 70 };
  for (uint64_t seed = 0; seed < 60; seed++) {
    task t = task_new(seed, 1 + (uint32_t)(seed % 5));
    pith_i_net *net =
        task_net(&t, seed % 2 == 0 ? PITH_I_SPARSE : PITH_I_DENSE);
    pith_i_sliced *s;
    uint32_t choice[EACH][64];
    pith_i_errors errors[EACH];
    assert_true(net->slots.n <= 64);
    task_check(t.world[0], pith_i_sliced_new(&t.world[0]->env, net, &s));
    pith_i_sliced_clear(s);
    for (int i = 0; i < EACH; i++) {
      draw_program(&t, net, choice[i]);
      pith_i_sliced_add(s, choice[i]);
    }
    pith_i_sliced_run(s, errors);
    for (int i = 0; i < EACH; i++) {
      pith_i_errors exact = judge(&t, net, choice[i]);
      assert_int_equal(errors[i].fp, exact.fp);
      assert_int_equal(errors[i].fn, exact.fn);
    }
    pith_i_sliced_free(&t.world[0]->env, s);
    pith_i_net_free(net);
    task_free(&t);
  }
}

/* ---- search ----------------------------------------------------------- */

static uint32_t total(pith_i_errors e) { return e.fp + e.fn; }

/* Makes the examples those of a random program, so that exact programs
** exist; the labels of the network alone are changed. choice: that program. */
static void relabel_by(task *t, pith_i_net *net, uint32_t choice[64]) {
  pith_i_sliced *s;
  task_check(t->world[0], pith_i_sliced_new(&t->world[0]->env, net, &s));
  draw_program(t, net, choice);
  pith_i_sliced_clear(s);
  pith_i_sliced_add(s, choice);
  pith_i_errors errors;
  pith_i_sliced_run(s, &errors);
  for (size_t i = 0; i < net->examples.n; i++) {
    pith_i_net_example *x = &net->examples.at[i];
    bool holds = x->atom != PITH_NONE &&
                 s->value[(size_t)x->atom * PITH_I_SLICE_WORDS] & 1;
    x->label = holds ? 1.0f : 0.0f;
  }
  pith_i_sliced_free(&t->world[0]->env, s);
}

static void relabel(task *t, pith_i_net *net) {
  uint32_t choice[64];
  relabel_by(t, net, choice);
}

static pith_i_errors errors_of(pith_i_sliced *s, const uint32_t *choice) {
  pith_i_errors e;
  pith_i_sliced_clear(s);
  pith_i_sliced_add(s, choice);
  pith_i_sliced_run(s, &e);
  return e;
}

/* What training leaves of a program: its slots are like their predicates, and
** rules that it does without have faded, though decoding gives them a head. */
static void fade(const pith_i_net *net, const uint32_t *program,
                 pith_i_real *weight, uint32_t *decoded) {
  for (size_t c = 0; c < net->candidates.n; c++)
    weight[c] = (pith_i_real){0} + 0.3f;
  for (size_t i = 0; i < net->slots.n; i++) {
    decoded[i] = program[i];
    if (program[i] == PITH_NONE)
      decoded[i] = net->slots.at[i].first;
    else
      weight[program[i]] = (pith_i_real){0} + 0.99f;
  }
}

static void silent_rules_are_left_out(void **state) {
  (void)state;
  one_thread();
  uint32_t wrong = 0;
  for (uint64_t seed = 0; seed < 400; seed++) {
    task t = task_new(7000 + seed, 3);
    pith_i_net *net = task_net(&t, PITH_I_AUTO);
    pith_i_env *env = &t.world[0]->env;
    pith_i_sliced *sliced;
    pith_i_search *search;
    uint32_t program[64], decoded[64], tied[64];
    pith_i_real *weight =
        aligned_alloc(64, (net->candidates.n + 1) * sizeof *weight);
    pith_i_found_program f = {.choice = decoded, .tied = tied};
    assert_non_null(weight);
    relabel_by(&t, net, program);
    task_check(t.world[0], pith_i_sliced_new(env, net, &sliced));
    task_check(t.world[0], pith_i_search_new(env, sliced, &search));
    fade(net, program, weight, decoded);
    pith_i_errors e = errors_of(sliced, decoded);
    uint32_t in = 0;
    for (size_t r = 0; r < net->rules.n; r++)
      in += program[net->rules.at[r].head] != PITH_NONE;
    wrong += total(e) > 0 && in > 0;
    e = pith_i_near_ties_read(search, weight, 3, e, NULL, &f);
    if (in > 0)
      assert_int_equal(total(e), 0);
    if (in > 0 && !f.both)
      assert_int_equal(total(errors_of(sliced, decoded)), 0);
    pith_i_search_free(env, search);
    pith_i_sliced_free(env, sliced);
    free(weight);
    pith_i_net_free(net);
    task_free(&t);
  }
  print_message("the arg-max alone is wrong %u times\n", wrong);
  assert_true(wrong >= 10);
}

static void search_only_improves(void **state) {
  (void)state;
  one_thread();
  uint32_t solved = 0, tried = 0;
  for (uint64_t seed = 0; seed < 60; seed++) {
    task t = task_new(6000 + seed, 3);
    pith_i_net *net = task_net(&t, PITH_I_AUTO);
    pith_i_env *env = &t.world[0]->env;
    pith_i_sliced *sliced;
    pith_i_search *search;
    uint32_t choice[64];
    relabel(&t, net);
    task_check(t.world[0], pith_i_sliced_new(env, net, &sliced));
    task_check(t.world[0], pith_i_search_new(env, sliced, &search));
    for (int i = 0; i < 10; i++) {
      draw_program(&t, net, choice);
      for (size_t r = 0; r < net->rules.n; r++) /* climbing starts with all */
        if (choice[net->rules.at[r].head] == PITH_NONE)
          choice[net->rules.at[r].head] =
              net->slots.at[net->rules.at[r].head].first;
      uint32_t before = total(errors_of(sliced, choice));
      pith_i_errors after = pith_i_search_climb(search, choice, 20, NULL);
      assert_true(total(after) <= before);
      assert_int_equal(total(after), total(errors_of(sliced, choice)));
      tried++;
      if (total(after) > 0)
        continue;
      solved++;
      uint32_t size = pith_i_program_size(net, choice);
      pith_i_search_polish(search, choice, i % 2 == 0);
      assert_int_equal(total(errors_of(sliced, choice)), 0);
      assert_true(pith_i_program_size(net, choice) <= size);
    }
    pith_i_search_free(env, search);
    pith_i_sliced_free(env, sliced);
    pith_i_net_free(net);
    task_free(&t);
  }
  print_message("%u of %u climbs ended exact\n", solved, tried);
  assert_true(solved > tried / 2);
}

/* Trimming changes nothing that an example sees. */
static void trimming_is_harmless(void **state) {
  (void)state;
  one_thread();
  for (uint64_t seed = 0; seed < 100; seed++) {
    task t = task_new(7000 + seed, 5);
    pith_i_net *net = task_net(&t, PITH_I_AUTO);
    for (int i = 0; i < 20; i++) {
      uint32_t choice[64];
      bool used[64];
      assert_true(net->preds.n <= 64);
      draw_program(&t, net, choice);
      pith_i_errors before = judge(&t, net, choice);
      pith_i_program_trim(net, choice, used);
      pith_i_errors after = judge(&t, net, choice);
      assert_memory_equal(&before, &after, sizeof before);
    }
    pith_i_net_free(net);
    task_free(&t);
  }
}

/* ---- whole runs ------------------------------------------------------- */

/* All of a result but the time it took. */
static void write_result(const pith *p, const pith_learned *l, pith_out *o) {
  for (size_t i = 0; i < pith_learned_count(l); i++) {
    const pith_theory_info *info = pith_learned_info(l, i);
    pith_out_print(o, "%d %d %u %u %llu %llu %u %.9g %.9g\n", info->solved,
                   (int)info->stage, info->restart, info->epoch,
                   (unsigned long long)info->fp, (unsigned long long)info->fn,
                   info->size, info->loss, info->error);
    for (uint32_t r = 0; r < info->rules; r++) {
      pith_rule_write(p, pith_learned_rule(l, i, r), o);
      pith_out_print(o, " %.9g\n", pith_learned_similarity(l, i, r));
    }
  }
  pith_out_print(o, "%u restarts, %llu epochs\n", pith_learned_restarts(l),
                 (unsigned long long)pith_learned_epochs(l));
}

typedef struct {
  pith_status status;
  bool solved;
  uint32_t restart; /* of the best theory */
  char text[16384];
} result;

static pith *read_task(const char *folder) {
  pith *p = NULL;
  assert_int_equal(pith_new(&p), PITH_OK);
  task_check(p, pith_read(p, folder, PITH_AUTO));
  return p;
}

static result learn(const char *folder, const pith_learn_options *opt) {
  pith *p = read_task(folder);
  result r = {0};
  pith_learned *l = NULL;
  r.status = pith_learn(&p, 1, opt, &l);
  if (r.status < 0) {
    assert_null(l);
    snprintf(r.text, sizeof r.text, "%s", pith_error(p));
  } else {
    pith_out *o = NULL;
    size_t n;
    task_check(p, pith_out_memory(p, &o));
    write_result(p, l, o);
    r.solved = pith_learned_info(l, 0)->solved;
    r.restart = pith_learned_info(l, 0)->restart;
    snprintf(r.text, sizeof r.text, "%s", pith_out_text(o, &n));
    assert_true(n + 1 < sizeof r.text);
    pith_out_close(o, false);
    pith_learned_free(l);
  }
  pith_free(p);
  return r;
}

/* Runs whose theory comes from the first group, a later one, or none; and
** those that go on. */
static pith_learn_options settings(int i) {
  pith_learn_options opt;
  pith_learn_defaults(&opt);
  opt.restarts = 72;
  opt.keep = 5;
  opt.run.seed = 3 + (uint64_t)i;
  opt.run.jobs = 1;
  opt.search = i == 0;
  opt.go_on = i % 4 == 2;
  opt.epochs = i % 3 == 0 ? 60 : 30;
  opt.rate = 0.01; /* so little that chance decides */
  if (i == 5)
    opt.semantics = PITH_PAPER;
  return opt;
}
enum { SETTINGS = 6 };

static const char *const folders[] = {"data/ilp/fizz", "data/ilp/even-odd",
                                      "data/ilp/two-children"};

static void threads_change_nothing(void **state) {
  (void)state;
  static const uint32_t jobs[] = {2, 5};
  int solved = 0, later = 0;
  for (int i = 0; i < SETTINGS; i++)
    for (int f = 0; f < 3; f++) {
      pith_learn_options opt = settings(i);
      result one = learn(folders[f], &opt);
      assert_int_equal(one.status, PITH_OK);
      solved += one.solved;
      later += one.solved && one.restart >= PITH_I_LANES;
      for (int j = 0; j < 2; j++) {
        opt.run.jobs = jobs[j];
        result many = learn(folders[f], &opt);
        assert_int_equal(many.status, PITH_OK);
        assert_string_equal(many.text, one.text);
      }
    }
  print_message("%d of %d solved, %d by a later group\n", solved, 3 * SETTINGS,
                later);
  assert_true(solved < 3 * SETTINGS && later > 0);
}

/* ---- interruptions ---------------------------------------------------- */

static bool count_down(void *ctx) { return (*(int *)ctx)-- <= 0; }

static void stops_with_the_best(void **state) {
  (void)state;
  for (int calls = 0; calls < 8; calls++) {
    pith_learn_options opt = settings(3);
    int left = calls;
    opt.run.stop = count_down;
    opt.run.stop_ctx = &left;
    result r = learn("data/ilp/fizz", &opt);
    assert_int_equal(r.status, PITH_STOPPED);
    assert_non_null(strstr(r.text, ":-"));
  }
  pith_learn_options opt = settings(3);
  opt.restarts = 100000;
  opt.run.seconds = 1e-9; /* over before the first look, on any machine */
  result r = learn("data/ilp/length", &opt);
  assert_int_equal(r.status, PITH_STOPPED);
  assert_non_null(strstr(r.text, ":-"));
}

static char *temporary(char *path, const char *name) {
  snprintf(path, 64, "/tmp/pith-learn-%ld-%s", (long)getpid(), name);
  unlink(path);
  return path;
}

/* Stopped after every so many questions, again and again, with changing
** numbers of threads, until it ends. */
static void resumes_to_the_same(void **state) {
  (void)state;
  char path[64];
  for (int i = 0; i < SETTINGS; i++)
    for (int calls = 1; calls < 24; calls += 7) {
      pith_learn_options opt = settings(i);
      const char *folder = folders[(i + calls) % 3];
      result whole = learn(folder, &opt), r;
      int runs = 0;
      opt.checkpoint = temporary(path, "resume");
      opt.run.stop = count_down;
      do {
        int left = calls + runs; /* on a slow machine too it gets on */
        opt.run.stop_ctx = &left;
        opt.run.jobs = (uint32_t)(1 + runs % 3);
        r = learn(folder, &opt);
        assert_true(r.status >= 0);
      } while (r.status == PITH_STOPPED && ++runs < 1000);
      assert_int_equal(r.status, PITH_OK);
      assert_string_equal(r.text, whole.text);
      opt.run.stop = NULL;
      r = learn(folder, &opt); /* from the file of a run that has ended */
      assert_string_equal(r.text, whole.text);
      unlink(path);
    }
}

static bool killed_by_count(void *ctx) {
  if ((*(int *)ctx)-- <= 0)
    raise(SIGKILL);
  return false;
}

/* In a process of its own, which writes its result to a file, and is killed
** when it asks for the looks-th time whether to stop. */
static pid_t learn_apart(pith_learn_options opt, int looks, const char *out) {
  pid_t child = fork();
  assert_true(child >= 0);
  if (child > 0)
    return child;
  opt.run.stop = killed_by_count;
  opt.run.stop_ctx = &looks;
  result r = learn("data/ilp/fizz", &opt);
  FILE *f = fopen(out, "w");
  if (f == NULL || fputs(r.text, f) < 0 || fclose(f) != 0)
    _exit(2);
  _exit(r.status == PITH_OK ? 0 : 1);
}

static void survives_being_killed(void **state) {
  (void)state;
  one_thread();
  char path[64], out[64], text[16384] = "";
  pith_learn_options opt = settings(2);
  opt.restarts = 1600;
  result whole = learn("data/ilp/fizz", &opt);
  opt.checkpoint = temporary(path, "killed");
  temporary(out, "out");
  int status = 0, kills = 0;
  for (int looks = 1;; looks += looks / 16 + 1) {
    pid_t child = learn_apart(opt, looks, out);
    assert_int_equal(waitpid(child, &status, 0), child);
    if (!WIFSIGNALED(status))
      break;
    kills++;
    assert_true(kills < 500);
  }
  assert_true(kills > 10);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  FILE *f = fopen(out, "r");
  assert_non_null(f);
  text[fread(text, 1, sizeof text - 1, f)] = '\0';
  fclose(f);
  print_message("killed %d times\n", kills);
  assert_string_equal(text, whole.text);
  unlink(path);
  unlink(out);
}

/* ---- checkpoints gone wrong ------------------------------------------- */

static size_t read_all(const char *path, char *to, size_t cap) {
  FILE *f = fopen(path, "rb");
  assert_non_null(f);
  size_t n = fread(to, 1, cap, f);
  fclose(f);
  return n;
}

static void write_all(const char *path, const char *from, size_t n) {
  FILE *f = fopen(path, "wb");
  assert_non_null(f);
  assert_int_equal(fwrite(from, 1, n, f), n);
  fclose(f);
}

/* Leaves a checkpoint of a run that was stopped. */
static pith_learn_options stopped_run(const char *path, int *left) {
  pith_learn_options opt = settings(2);
  opt.checkpoint = path;
  opt.run.stop = count_down;
  opt.run.stop_ctx = left;
  *left = 3;
  assert_int_equal(learn("data/ilp/even-odd", &opt).status, PITH_STOPPED);
  opt.run.stop = NULL;
  return opt;
}

static void damaged_checkpoints(void **state) {
  (void)state;
  one_thread();
  static char good[1 << 20], bad[1 << 20];
  char path[64];
  int left;
  pith_learn_options opt = stopped_run(temporary(path, "damaged"), &left);
  size_t n = read_all(path, good, sizeof good);
  assert_true(n > 100 && n < sizeof good);
  for (size_t i = 0; i < n; i += 1 + n / 150) {
    memcpy(bad, good, n);
    bad[i] ^= (char)(1 << i % 8);
    write_all(path, bad, n);
    result r = learn("data/ilp/even-odd", &opt);
    assert_int_equal(r.status, PITH_EINPUT);
    assert_non_null(strstr(r.text, path));
    write_all(path, good, i); /* cut short */
    assert_int_equal(learn("data/ilp/even-odd", &opt).status, PITH_EINPUT);
  }
  write_all(path, good, n);
  opt.run.seed++;
  assert_int_equal(learn("data/ilp/even-odd", &opt).status, PITH_EINPUT);
  opt.run.seed--;
  assert_int_equal(learn("data/ilp/fizz", &opt).status, PITH_EINPUT);
  assert_int_equal(learn("data/ilp/even-odd", &opt).status, PITH_OK);
  unlink(path);
  opt.checkpoint = "/nowhere/at/all";
  assert_int_equal(learn("data/ilp/even-odd", &opt).status, PITH_EIO);
}

/* After the last change the paper's training is the default one, and before it
** is not. */
static void changes_end_at_the_default(void **state) {
  (void)state;
  one_thread();
  pith_variant variant = {0};
  pith_learn_options opt;
  size_t n = 0;
  pith_learn_defaults(&opt);
  opt.restarts = 4;
  opt.epochs = 100;
  opt.each = true;
  opt.search = false;
  result ours = learn("data/ilp/son", &opt);
  opt.semantics = PITH_PAPER;
  opt.variant = &variant;
  while (pith_change_text(n) != NULL)
    n++;
  for (variant.changes = 0; variant.changes <= n; variant.changes++) {
    result theirs = learn("data/ilp/son", &opt);
    assert_int_equal(theirs.status, PITH_OK);
    assert_true((strcmp(ours.text, theirs.text) == 0) ==
                (variant.changes == n));
  }
}

/* With an older checkpoint the run goes on; without one it ends at once. */
static void full_disk(void **state) {
  (void)state;
  one_thread();
  static char before[1 << 20], after[1 << 20];
  char path[64];
  int left;
  pith_learn_options opt = stopped_run(temporary(path, "full"), &left);
  size_t n = read_all(path, before, sizeof before);
  struct rlimit old, small;
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
  small = old;
  small.rlim_cur = 100;
  signal(SIGXFSZ, SIG_IGN);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
  result r = learn("data/ilp/even-odd", &opt);
  char none[64];
  opt.checkpoint = temporary(none, "none");
  result fresh = learn("data/ilp/even-odd", &opt);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
  assert_int_equal(fresh.status, PITH_EIO);
  assert_true(r.status >= 0); /* the older one stays, and the run goes on */
  assert_int_equal(read_all(path, after, sizeof after), n);
  assert_memory_equal(before, after, n);
  unlink(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(threads_change_nothing),
      cmocka_unit_test(stops_with_the_best),
      cmocka_unit_test(resumes_to_the_same),
      cmocka_unit_test(sliced_is_exact),
      cmocka_unit_test(silent_rules_are_left_out),
      cmocka_unit_test(search_only_improves),
      cmocka_unit_test(trimming_is_harmless),
      cmocka_unit_test(damaged_checkpoints),
      cmocka_unit_test(full_disk),
      cmocka_unit_test(changes_end_at_the_default),
      cmocka_unit_test(survives_being_killed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
