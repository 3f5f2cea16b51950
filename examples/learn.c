/* Embedding the learner: facts and examples go in by calls, the shapes of the
** rules as text; out come the rules, each with its support. From who is whose
** parent it learns what an ancestor is.
**
**   cc learn.c $(pkg-config --cflags --libs pith) && ./a.out */
#include <pith.h>
#include <stdio.h>
#include <string.h>

enum { PEOPLE = 5 };
static const char *const people[PEOPLE] = {"ada", "ben", "cleo", "dan", "eve"};

/* One rule looks a predicate up, one goes through somebody in between. */
static const char templates[] = "F(X,Y) <- F(X,Y)\n"
                                "F(X,Y) <- F(X,Z), F(Z,Y)\n"
                                "steps: 4\n";

/* Each is the parent of the next, so a lower number is an ancestor. */
static pith_status fill(pith *p) {
  pith_pred parent, ancestor;
  pith_sym names[PEOPLE];
  pith_status rc = pith_pred_add(p, "parent", 2, &parent);
  if (rc >= 0)
    rc = pith_pred_add(p, "ancestor", 2, &ancestor);
  for (int i = 0; rc >= 0 && i < PEOPLE; i++)
    rc = pith_sym_add(p, people[i], strlen(people[i]), PITH_NAME, &names[i]);
  for (int i = 0; rc >= 0 && i + 1 < PEOPLE; i++)
    rc = pith_fact_add(p, parent, &names[i], 2);
  for (int i = 0; i < PEOPLE; i++)
    for (int j = 0; rc >= 0 && j < PEOPLE; j++) {
      pith_sym pair[2] = {names[i], names[j]};
      rc = pith_example_add(p, ancestor, pair, 2, i < j, 1);
    }
  return rc < 0 ? rc
                : pith_read_text(p, "templates", templates, strlen(templates),
                                 PITH_TEMPLATES);
}

static void watch(void *ctx, const pith_progress *now) {
  (void)ctx;
  fprintf(stderr, "epoch %u of %u: loss %.3f, %llu wrong\n", now->epoch,
          now->epochs, now->loss, (unsigned long long)now->wrong);
}

static pith_status print_rule(pith *p, const pith_rule *rule) {
  pith_out *out = NULL;
  pith_counts counts;
  pith_status rc = pith_rule_counts(p, rule, &counts);
  if (rc >= 0)
    rc = pith_out_memory(p, &out);
  if (rc >= 0)
    rc = pith_rule_write(p, rule, out);
  if (rc >= 0)
    printf("%s  %% support %llu of %llu\n", pith_out_text(out, NULL),
           (unsigned long long)counts.support,
           (unsigned long long)counts.predictions);
  pith_out_close(out, false);
  return rc;
}

/* The best theory becomes part of the handle, which then infers with it. */
static pith_status print_best(pith *p, const pith_learned *found) {
  const pith_theory_info *best = pith_learned_info(found, 0);
  pith_scores scores;
  pith_status rc = pith_learned_adopt(found, 0, p);
  if (rc >= 0)
    rc = pith_infer(p, NULL, NULL);
  for (size_t i = 0; rc >= 0 && i < pith_rule_count(p); i++)
    rc = print_rule(p, pith_rule_at(p, i));
  if (rc >= 0)
    rc = pith_score(p, &scores);
  if (rc >= 0)
    printf("%s: %llu of %zu examples fit\n",
           best->solved ? "solved" : "not solved",
           (unsigned long long)(scores.tp + scores.tn), pith_example_count(p));
  return rc;
}

int main(void) {
  pith *p;
  pith_learned *found = NULL;
  pith_learn_options opt;
  pith_learn_defaults(&opt);
  opt.run.seed = 7;
  opt.run.seconds = 10;
  opt.run.progress = watch;
  pith_status rc = pith_new(&p);
  if (rc >= 0)
    rc = fill(p);
  if (rc >= 0)
    rc = pith_learn(&p, 1, &opt, &found);
  if (rc >= 0)
    rc = print_best(p, found);
  if (rc < 0)
    fprintf(stderr, "%s: %s\n", pith_status_text(rc),
            p != NULL ? pith_error(p) : "");
  pith_learned_free(found);
  pith_free(p);
  return rc < 0 ? 1 : 0;
}
