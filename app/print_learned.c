/* The best theory is a program with a comment on each rule; further ones are
** comments, so that what is printed can be loaded. Times are not part of it:
** the same seed gives the same bytes. */
#include "print_learned.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "print_fit.h"
#include "report_events.h"
#include "report_training.h"

static const char *const stages[] = {[PITH_GRADIENT] = "gradient",
                                     [PITH_RESTART] = "restart",
                                     [PITH_SEARCH] = "search",
                                     [PITH_CLAUSES] = "clauses"};

/* ---- counts ----------------------------------------------------------- */

/* Where examples may be wrong, rules and errors together should take fewer bits
** than the labels alone; a theory that does not is no better than none. */
static bool is_worth_its_length(const pith_theory_info *i) {
  return i->solved || !i->space.noisy || i->label_bits <= 0 ||
         i->rule_bits + i->error_bits < i->label_bits;
}

/* Nothing stops this: the learner itself did the same to judge the theory. */
static pith_status adopt_best_theory(learning *l) {
  const pith_theory_info *info = pith_learned_info(l->found, 0);
  pith_status rc = PITH_OK;
  for (size_t w = 0; rc >= 0 && w < l->world_count; w++) {
    session *s = &l->worlds[w].s;
    l->worlds[w].given = pith_rule_count(s->p);
    rc = pith_learned_adopt(l->found, 0, s->p);
    pith_infer_options opt;
    pith_infer_defaults(&opt);
    s->for_examples = true;
    s->suspects =
        info->space.noisy && !info->solved && is_worth_its_length(info);
    if (rc >= 0)
      rc = session_derive(s, &opt);
    s->end = END_COMPLETE;
  }
  return rc;
}

static double ratio_or_nan(uint64_t part, uint64_t whole) {
  return whole == 0 ? NAN : (double)part / (double)whole;
}

/* The rule's counts in all worlds together. */
static pith_status count_rule(const learning *l, size_t rule,
                              pith_counts *sum) {
  *sum = (pith_counts){0};
  for (size_t i = 0; i < l->world_count; i++) {
    const world *w = &l->worlds[i];
    pith_counts c;
    pith_status rc =
        pith_rule_labelled(w->s.p, pith_rule_at(w->s.p, w->given + rule), &c);
    if (rc < 0)
      return rc;
    sum->predictions += c.predictions;
    sum->support += c.support;
    sum->pca_predictions += c.pca_predictions;
    sum->observed += c.observed;
  }
  sum->confidence = ratio_or_nan(sum->support, sum->predictions);
  sum->pca_confidence = ratio_or_nan(sum->support, sum->pca_predictions);
  sum->head_coverage = ratio_or_nan(sum->support, sum->observed);
  return PITH_OK;
}

/* Whether theory t has a rule that reads the same. */
static pith_status has_rule(const learning *l, size_t t, const char *text,
                            bool *out) {
  pith *p = l->worlds[0].s.p;
  pith_status rc = PITH_OK;
  *out = false;
  for (uint32_t r = 0; rc >= 0 && r < pith_learned_info(l->found, t)->rules;
       r++) {
    pith_out *o = NULL;
    rc = pith_out_memory(p, &o);
    if (rc >= 0)
      rc = pith_rule_write(p, pith_learned_rule(l->found, t, r), o);
    *out = *out || (rc >= 0 && strcmp(pith_out_text(o, NULL), text) == 0);
    pith_out_close(o, false);
  }
  return rc;
}

/* In how many of the theories kept the rule is, itself included. */
static pith_status count_agreement(const learning *l, uint32_t rule,
                                   rule_fit *f) {
  pith *p = l->worlds[0].s.p;
  pith_out *o = NULL;
  pith_status rc = pith_out_memory(p, &o);
  if (rc >= 0)
    rc = pith_rule_write(p, pith_learned_rule(l->found, 0, rule), o);
  f->theories = (uint32_t)pith_learned_count(l->found);
  for (size_t t = 0; rc >= 0 && t < f->theories; t++) {
    bool has;
    rc = has_rule(l, t, pith_out_text(o, NULL), &has);
    f->agree += rc >= 0 && has;
  }
  pith_out_close(o, false);
  return rc;
}

static pith_status put_rules(const learning *l) {
  const world *first = &l->worlds[0];
  uint32_t n = pith_learned_info(l->found, 0)->rules;
  bool doubtful = !is_worth_its_length(pith_learned_info(l->found, 0));
  pith_status rc = PITH_OK;
  for (uint32_t r = 0; rc >= 0 && r < n; r++) {
    rule_fit f = {.similarity = pith_learned_similarity(l->found, 0, r),
                  .weight = NAN,
                  .doubtful = doubtful};
    rc = count_rule(l, r, &f.counts);
    if (rc >= 0)
      rc = count_agreement(l, r, &f);
    if (rc >= 0)
      rc = put_rule_fit(&first->s, pith_rule_at(first->s.p, first->given + r),
                        &f);
  }
  return rc;
}

static void put_merged_line(const session *s, const pith_merged *m) {
  const char *first = pith_pred_name(s->p, m->first);
  pith_out_print(s->out, "%% ");
  put_safe(s->out, first);
  pith_out_print(s->out, " and ");
  put_safe(s->out, pith_pred_name(s->p, m->second));
  pith_out_print(s->out, " merged; read as ");
  put_safe(s->out, m->reading == PITH_READ_BOTH    ? "both"
                   : m->reading == PITH_READ_FIRST ? first
                                                   : "the one that fits");
  pith_out_print(s->out, "\n");
}

/* Predicates between which what was trained does not tell. */
static void put_merged(const learning *l) {
  static const char *const words[] = {"first", "either", "both"};
  const session *s = &l->worlds[0].s;
  const pith_merged *m;
  for (size_t i = 0; (m = pith_learned_merged(l->found, 0, i)) != NULL; i++) {
    if (!session_json(s)) {
      put_merged_line(s, m);
      continue;
    }
    event_begin(s->out, "merged");
    event_text(s->out, "first", pith_pred_name(s->p, m->first));
    event_text(s->out, "second", pith_pred_name(s->p, m->second));
    event_text(s->out, "read", words[m->reading]);
    event_end(s->out);
  }
}

static pith_status put_wrong(const learning *l) {
  pith_status rc = PITH_OK;
  for (size_t w = 0; rc >= 0 && w < l->world_count; w++) {
    const session *s = &l->worlds[w].s;
    pith_scores f;
    uint64_t named;
    rc = pith_score(s->p, &f);
    if (rc < 0 || f.fp + f.fn == 0)
      continue;
    if (s->world != NULL && !session_json(s)) {
      pith_out_print(s->out, "%% in ");
      put_safe(s->out, s->world);
      pith_out_print(s->out, ":\n");
    }
    rc = put_wrong_examples(s, s->set.all || session_json(s), &named);
    if (f.fp + f.fn > named)
      pith_out_print(s->out, "%% and %llu more; --all names them\n",
                     (unsigned long long)(f.fp + f.fn - named));
  }
  return rc;
}

/* ---- where it was found ------------------------------------------------ */

/* Appends to what is in the room. */
static void add_text(char room[SPACE_ROOM], const char *format, ...)
    PITH_PRINTF(2, 3);
static void add_text(char room[SPACE_ROOM], const char *format, ...) {
  size_t n = strlen(room);
  va_list args;
  va_start(args, format);
  vsnprintf(room + n, SPACE_ROOM - n, format, args);
  va_end(args);
}

static void clauses_text(char room[SPACE_ROOM], const pith_space *s) {
  const char *const words[] = {
      s->recursive ? "recursion" : NULL, s->invented > 0 ? "invention" : NULL,
      s->inequality ? "inequality" : NULL, s->constants ? "constants" : NULL,
      s->noisy ? "noise" : NULL};
  const char *parting = " with ";
  *room = '\0';
  if (s->rules > 1)
    add_text(room, "up to %u ", s->rules);
  add_text(room, "%s of up to %u %s", s->rules == 1 ? "one clause" : "clauses",
           s->body, plural(s->body, "atom", "atoms"));
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (words[i] != NULL) {
      add_text(room, "%s%s", parting, words[i]);
      parting = ", ";
    }
}

void space_text(char room[SPACE_ROOM], const pith_space *s) {
  if (s->clauses) {
    clauses_text(room, s);
    return;
  }
  int n =
      snprintf(room, SPACE_ROOM, "space %u of %u: %u %s of up to %u atoms%s",
               s->number, s->count, s->rules, plural(s->rules, "rule", "rules"),
               s->body, s->recursive ? ", recursive" : "");
  if (s->invented > 0)
    snprintf(room + n, SPACE_ROOM - (size_t)n, ", %u invented", s->invented);
}

void put_space(pith_out *o, const pith_space *s) {
  event_key(o, "space");
  pith_out_print(o,
                 "{\"number\":%u,\"count\":%u,\"rules\":%u,\"body\":%u,"
                 "\"invented\":%u,\"recursive\":%s",
                 s->number, s->count, s->rules, s->body, s->invented,
                 s->recursive ? "true" : "false");
  if (s->clauses) {
    event_flag(o, "inequality", s->inequality);
    event_flag(o, "constants", s->constants);
    event_flag(o, "noisy", s->noisy);
  }
  pith_out_print(o, "}");
}

static void put_found(pith_out *o, const pith_theory_info *i) {
  char where[SPACE_ROOM];
  if (i->stage == PITH_CLAUSES) {
    clauses_text(where, &i->space);
    pith_out_print(o, "found by searching %s", where);
    return;
  }
  pith_out_print(o, "found by %s (restart %u, epoch %u)",
                 i->stage == PITH_SEARCH
                     ? "exchanging predicates of a trained program"
                     : "gradient descent",
                 i->restart + 1, i->epoch);
  if (i->space.number == 0)
    return;
  space_text(where, &i->space);
  pith_out_print(o, " in %s", where);
}

/* ---- other theories --------------------------------------------------- */

static void event_found(pith_out *o, const pith_theory_info *i) {
  event_text(o, "stage", stages[i->stage]);
  event_count(o, "restart", i->restart + 1);
  event_count(o, "epoch", i->epoch);
  event_count(o, "errors", i->fp + i->fn);
  event_count(o, "fp", i->fp);
  event_count(o, "fn", i->fn);
  event_count(o, "size", i->size);
  if (i->maybe_by_heart)
    event_flag(o, "maybe_by_heart", true);
  if (i->left_out > 0) {
    event_flag(o, "by_heart", i->by_heart);
    event_count(o, "left_out", i->left_out);
    event_count(o, "left_out_right", i->left_out_right);
  }
  event_real(o, "loss", i->loss);
  event_real(o, "mse", i->error);
  if (i->space.number > 0)
    put_space(o, &i->space);
  if (i->label_bits > 0) {
    event_real(o, "bits_rules", i->rule_bits);
    event_real(o, "bits_errors", i->error_bits);
    event_real(o, "bits_labels", i->label_bits);
  }
}

static pith_status put_theory_rule(const learning *l, size_t t, uint32_t r) {
  const session *s = &l->worlds[0].s;
  pith_out *memory = NULL;
  pith_status rc = pith_out_memory(s->p, &memory);
  if (rc >= 0)
    rc = pith_rule_write(s->p, pith_learned_rule(l->found, t, r), memory);
  const char *text = rc >= 0 ? pith_out_text(memory, NULL) : NULL;
  if (text != NULL && session_json(s)) {
    pith_out_print(s->out, r == 0 ? "" : ",");
    pith_out_quote(s->out, text);
  } else if (text != NULL) {
    pith_out_print(s->out, "%%   %s\n", text);
  } else if (rc >= 0) {
    rc = PITH_ENOMEM;
  }
  pith_out_close(memory, false);
  return rc;
}

static pith_status put_theory(const learning *l, size_t t) {
  assert(t < pith_learned_count(l->found));
  const pith_theory_info *i = pith_learned_info(l->found, t);
  pith_out *o = l->s->out;
  bool json = session_json(l->s);
  pith_status rc = PITH_OK;
  if (json) {
    event_begin(o, "theory");
    event_count(o, "rank", t + 1);
    event_flag(o, "solved", i->solved);
    event_found(o, i);
    event_key(o, "rules");
    pith_out_print(o, "[");
  } else {
    pith_out_print(o, "%% number %zu, %llu wrong, ", t + 1,
                   (unsigned long long)(i->fp + i->fn));
    put_found(o, i);
    pith_out_print(o, ":\n");
  }
  for (uint32_t r = 0; rc >= 0 && r < i->rules; r++)
    rc = put_theory_rule(l, t, r);
  if (json) {
    pith_out_print(o, "]");
    event_end(o);
  }
  return rc;
}

/* ---- what to try ------------------------------------------------------ */

enum { ADVICE = 10, ADVICE_ROOM = 160 };

typedef struct {
  char text[ADVICE][ADVICE_ROOM];
  size_t n;
} advice;

static void add_advice(advice *a, const char *format, ...) PITH_PRINTF(2, 3);
static void add_advice(advice *a, const char *format, ...) {
  va_list args;
  va_start(args, format);
  assert(a->n < ADVICE);
  vsnprintf(a->text[a->n++], ADVICE_ROOM, format, args);
  va_end(args);
}

/* Limits of bias.pl that no option replaces. */
static void advise_on_bias(const learning *l, advice *a) {
  const pith_bias *b = pith_bias_of(l->worlds[0].s.p);
  if (b->max_body > 0 && l->opt.max_body == 0)
    add_advice(a, "more than max_body(%u) in bias.pl, or --max-body",
               b->max_body);
  if (b->max_clauses > 0 && l->opt.max_rules == 0)
    add_advice(a, "more than max_clauses(%u) in bias.pl, or --max-rules",
               b->max_clauses);
  if (b->max_vars > 0 && l->opt.max_vars == 0)
    add_advice(a, "more than max_vars(%u) in bias.pl, or --max-vars",
               b->max_vars);
}

static void advise_clauses(const learning *l, advice *a) {
  if (l->s->end == END_MEMORY)
    add_advice(a, "more --memory");
  else if (l->s->end != END_COMPLETE)
    add_advice(a, "let it run longer");
  if (l->opt.noise == PITH_NOISE_OFF)
    add_advice(a, "--noise auto: some of the examples may be wrong");
  if (l->opt.noise == PITH_NOISE_AUTO && l->worlds[0].s.suspects)
    add_advice(a, "--noise off, if no example can be wrong: longer rules are "
                  "looked for");
  if (l->opt.max_rules + l->opt.max_body + l->opt.max_vars > 0)
    add_advice(a, "higher --max-rules, --max-body or --max-vars");
  advise_on_bias(l, a);
  if (l->opt.max_invented != PITH_NONE)
    add_advice(a, "higher --max-invented");
  add_advice(a, "more background: a relation that tells the examples apart");
  add_advice(a, "templates, for rules of another shape: --templates FILE");
}

/* The likeliest first. */
static void find_advice(const learning *l, uint64_t examples, advice *a) {
  assert(pith_learned_count(l->found) > 0 && a->n == 0);
  const pith_theory_info *i = pith_learned_info(l->found, 0);
  if (!l->templates) {
    advise_clauses(l, a);
    return;
  }
  uint32_t done = pith_learned_restarts(l->found);
  if (l->s->end != END_COMPLETE)
    add_advice(a, "let it run longer: %u of %u restarts were done", done,
               l->opt.restarts);
  if (!l->opt.search)
    add_advice(a, "--search on: change learned programs a predicate at a time");
  if (l->opt.semantics != PITH_BEST)
    add_advice(a, "--semantics best: it learns more tasks");
  if (l->s->end == END_COMPLETE)
    add_advice(a, "--restarts %u, or another --seed", 4 * l->opt.restarts);
  if (i->fn > 0)
    add_advice(a,
               "--steps %u: an example may need a longer chain than %u steps",
               2 * pith_learned_steps(l->found), pith_learned_steps(l->found));
  add_advice(a, "other templates: one rule more, or an invented predicate");
  if (20 * (i->fp + i->fn) <= examples)
    add_advice(a,
               "if these few examples may be wrong: the theory may be right");
}

static void put_advice(const learning *l, const advice *a) {
  pith_out *o = l->s->out;
  if (session_json(l->s)) {
    event_key(o, "try");
    for (size_t i = 0; i < a->n; i++) {
      pith_out_print(o, i == 0 ? "[" : ",");
      pith_out_quote(o, a->text[i]);
    }
    pith_out_print(o, "]");
    return;
  }
  pith_out_print(o, "%% what to try:\n");
  for (size_t i = 0; i < a->n; i++)
    pith_out_print(o, "%%   %s\n", a->text[i]);
}

/* ---- the end ---------------------------------------------------------- */

static uint64_t example_total(const learning *l) {
  uint64_t n = 0;
  for (size_t w = 0; w < l->world_count; w++)
    n += pith_example_count(l->worlds[w].s.p);
  return n;
}

static bool has_negative_of(const pith *p, pith_pred pred) {
  for (size_t i = 0; i < pith_example_count(p); i++) {
    const pith_example *e = pith_example_at(p, i);
    if (!e->positive && e->atom.pred == pred)
      return true;
  }
  return false;
}

/* A target of the rules that has positive examples only, or PITH_NONE: a typing
** error makes another predicate of its negative ones. */
static pith_pred find_unopposed(const learning *l) {
  const pith *p = l->worlds[0].s.p;
  uint32_t n = l->world_count > 1 ? 0 : pith_learned_info(l->found, 0)->rules;
  for (uint32_t r = 0; r < n; r++) {
    pith_pred pred = pith_learned_rule(l->found, 0, r)->head.pred;
    bool target = false;
    for (size_t i = 0; i < pith_example_count(p) && !target; i++)
      target = pith_example_at(p, i)->atom.pred == pred;
    if (target && !has_negative_of(p, pred))
      return pred;
  }
  return PITH_NONE;
}

static bool has_negatives(const learning *l) {
  for (size_t w = 0; w < l->world_count; w++)
    for (size_t i = 0; i < pith_example_count(l->worlds[w].s.p); i++)
      if (!pith_example_at(l->worlds[w].s.p, i)->positive)
        return true;
  return false;
}

/* What so few labels tell of that it may be there by chance. */
static void put_weakest(const learning *l) {
  const pith_weak_condition *w = pith_learned_weakest(l->found, 0);
  pith_out *o = l->s->out;
  if (w == NULL)
    return;
  pith_out_print(o, "%% the labels do not decide ");
  if (w->shorter == NULL) {
    pith_out_print(o, "whether rule %u belongs here: without it", w->rule + 1);
  } else {
    pith_out_print(o, "between rule %u and ", w->rule + 1);
    pith_rule_write(l->worlds[0].s.p, w->shorter, o);
    pith_out_print(o, "  with which");
  }
  pith_out_print(o, " %llu examples do not fit, %.1f bits more in all\n",
                 (unsigned long long)w->wrong, fmax(w->bits, 0));
}

/* Its place among the rules and atoms, from 1. */
static void event_weakest(const learning *l) {
  const pith_weak_condition *w = pith_learned_weakest(l->found, 0);
  pith_out *o = l->s->out;
  if (w == NULL)
    return;
  event_key(o, "hardly_decided");
  pith_out_print(o, "{\"rule\":%u", w->rule + 1);
  if (w->atom != PITH_NONE)
    event_count(o, "atom", w->atom + 1);
  event_real(o, "bits", w->bits);
  event_count(o, "errors", w->wrong);
  pith_out_print(o, "}");
}

/* Where examples may be wrong: the bits that the rules were weighed by. */
static void put_weights(const learning *l, const pith_theory_info *i) {
  pith_out *o = l->s->out;
  if (i->solved || !i->space.noisy)
    return;
  if (i->rules == 0)
    pith_out_print(o, "%% %sno rule is worth its length\n",
                   l->opt.noise == PITH_NOISE_ON ? "the labels do not decide: "
                                                 : "");
  else if (i->label_bits > 0 && is_worth_its_length(i))
    pith_out_print(o,
                   "%% worth its length: %.0f bits for the rules and %.0f for "
                   "the suspects, against %.0f for the labels alone\n",
                   i->rule_bits, i->error_bits, i->label_bits);
  else if (i->label_bits > 0)
    pith_out_print(
        o,
        "%% the labels do not decide, this may be chance: %.0f bits "
        "for the rules and %.0f for the errors, against %.0f for the "
        "labels alone\n",
        i->rule_bits, i->error_bits, i->label_bits);
  if (is_worth_its_length(i))
    put_weakest(l);
}

static void put_by_heart(pith_out *o, const pith_theory_info *i, uint64_t all) {
  pith_out_print(
      o,
      "%% learned by heart: %s; of the %llu examples, each left out "
      "once and predicted from the others, %llu come right\n"
      "%% what to try: more examples, or background that explains "
      "them\n",
      i->rules == 1 ? "1 rule fits all of them" : "the rules fit all of them",
      (unsigned long long)all, (unsigned long long)i->left_out_right);
}

/* How many examples fit, up to the semicolon. */
static void put_fitting(const learning *l, const pith_theory_info *i,
                        uint64_t all) {
  pith_out *o = l->s->out;
  uint64_t wrong = i->fp + i->fn;
  pith_pred unopposed = i->solved ? find_unopposed(l) : PITH_NONE;
  if (i->maybe_by_heart && i->left_out < all)
    pith_out_print(o,
                   "%% all %llu examples fit, perhaps by heart: the rules are "
                   "many for them, and there was no time to try them on "
                   "examples left out; ",
                   (unsigned long long)all);
  else if (i->maybe_by_heart)
    pith_out_print(o,
                   "%% all %llu examples fit, perhaps by heart: the rules are "
                   "many for them, and each left out once and predicted from "
                   "the others, %llu come right; ",
                   (unsigned long long)all,
                   (unsigned long long)i->left_out_right);
  else if (i->solved && i->rules > 0 && !has_negatives(l))
    pith_out_print(o, "%% fits, but no example is negative: a rule for "
                      "everything would fit too; ");
  else if (unopposed != PITH_NONE)
    pith_out_print(o,
                   "%% fits, but no example of %s is negative: a rule for "
                   "everything would fit too; ",
                   pith_pred_name(l->worlds[0].s.p, unopposed));
  else if (i->solved && all == 1)
    pith_out_print(o, "%% solved: the one example fits; ");
  else if (i->solved)
    pith_out_print(o, "%% solved: all %llu examples fit; ",
                   (unsigned long long)all);
  else
    pith_out_print(o, "%% %s: %llu of %llu examples %s not fit; ",
                   l->opt.noise == PITH_NOISE_ON ? "with noise" : "not solved",
                   (unsigned long long)wrong, (unsigned long long)all,
                   plural(wrong, "does", "do"));
}

static void put_verdict(const learning *l, const advice *a) {
  const pith_theory_info *i = pith_learned_info(l->found, 0);
  pith_out *o = l->s->out;
  uint64_t all = example_total(l);
  if (l->assumed > 0)
    pith_out_print(o,
                   "%% closed world: %llu atoms that are not listed count as "
                   "negative examples\n",
                   (unsigned long long)l->assumed);
  if (i->by_heart) {
    put_by_heart(o, i, all);
    return;
  }
  if (i->solved && i->rules == 0) {
    pith_out_print(o, "%% solved: the %s no rule\n",
                   plural(all, "one example needs", "examples need"));
    return;
  }
  put_fitting(l, i, all);
  put_found(o, i);
  pith_out_print(o, "\n");
  put_weights(l, i);
  if (l->s->end != END_COMPLETE)
    pith_out_print(o, "%% %s: this is the best so far\n",
                   l->s->end == END_TIME     ? "stopped by the timeout"
                   : l->s->end == END_MEMORY ? "memory ran out"
                                             : "interrupted");
  if (a->n > 0)
    put_advice(l, a);
}

static void put_result_event(const learning *l, const advice *a) {
  const pith_theory_info *i = pith_learned_info(l->found, 0);
  pith_out *o = l->s->out;
  event_begin(o, "result");
  event_flag(o, "solved", i->solved);
  event_text(o, "ended", ending_word(l->s->end));
  event_found(o, i);
  event_count(o, "rules", i->rules);
  event_count(o, "core", 0);
  event_count(o, "examples", example_total(l));
  event_count(o, "restarts", pith_learned_restarts(l->found));
  event_count(o, "epochs", pith_learned_epochs(l->found));
  if (!is_worth_its_length(i))
    event_flag(o, "worth_its_length", false);
  event_weakest(l);
  if (a->n > 0)
    put_advice(l, a);
  event_end_result(l->s);
}

static int exit_code(const learning *l) {
  if (l->s->end == END_INTERRUPTED)
    return EXIT_INTERRUPTED;
  return pith_learned_info(l->found, 0)->solved ? EXIT_FITS : EXIT_MISFIT;
}

/* All that is printed once the best theory was adopted. */
static pith_status put_theories(const learning *l, const advice *a) {
  bool told = session_json(l->s) || session_comments(l->s);
  pith_status rc = put_rules(l);
  if (rc >= 0 && told)
    put_merged(l);
  if (rc >= 0 && told)
    rc = put_wrong(l);
  for (size_t t = 1; rc >= 0 && told && t < pith_learned_count(l->found); t++)
    rc = put_theory(l, t);
  if (rc < 0)
    return rc;
  if (session_json(l->s))
    put_result_event(l, a);
  else if (told)
    put_verdict(l, a);
  return PITH_OK;
}

/* Turns the session to the report's events or back, and the worlds with it. */
static bool turn_worlds(learning *l) {
  if (!report_turn(l->s))
    return false;
  for (size_t w = 0; w < l->world_count; w++) {
    session *s = &l->worlds[w].s;
    s->out = l->s->out;
    s->set.format = l->s->set.format;
    s->reporting = l->s->reporting;
  }
  return true;
}

/* How it was trained, before the theory is adopted: then it would count as
** background. */
static pith_status report_training(learning *l) {
  pith_status rc = PITH_OK;
  if (!turn_worlds(l))
    return PITH_OK;
  if (l->templates)
    rc = put_training(l);
  else
    run_log_put(l->log, l->s->out);
  turn_worlds(l);
  return rc;
}

static pith_status report_theories(learning *l, const advice *a) {
  if (!turn_worlds(l))
    return PITH_OK;
  pith_status rc = PITH_OK;
  for (size_t w = 0; rc >= 0 && w < l->world_count; w++)
    rc = report_examples(&l->worlds[w].s, l->worlds[w].given);
  if (rc >= 0)
    rc = put_theories(l, a);
  turn_worlds(l);
  return rc;
}

int put_learned(learning *l) {
  assert(l->found != NULL && pith_learned_count(l->found) > 0);
  assert(l->world_count > 0);
  bool solved = pith_learned_info(l->found, 0)->solved;
  bool traded = l->opt.noise == PITH_NOISE_ON &&
                is_worth_its_length(pith_learned_info(l->found, 0));
  advice a = {.n = 0};
  if (!solved && !traded)
    find_advice(l, example_total(l), &a);
  pith_status rc = report_training(l);
  if (rc >= 0)
    rc = adopt_best_theory(l);
  for (size_t w = 0; w < l->world_count; w++)
    l->s->elsewhere += pith_bytes_peak(l->worlds[w].s.p);
  if (rc >= 0)
    rc = put_theories(l, &a);
  if (rc >= 0)
    rc = report_theories(l, &a);
  return rc < 0 ? session_fail(&l->worlds[0].s, rc)
                : session_finish(l->s, exit_code(l));
}
