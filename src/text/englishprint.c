/* Rules as English sentences. What a predicate says is read off its name: its
** words, their endings, and lists of common words. A name that none of this
** fits is taken for a noun: "X is a parent of Y". */
#include <assert.h>
#include <ctype.h>
#include <string.h>

#include "text/print.h"
#include "text/writers.h"

enum { PHRASE_ROOM = 128 }; /* a longer name is not looked into */

typedef struct {
  const pith_i_theory *t;
  const pith_sym *own; /* names of the rule's variables, or NULL */
  pith_out *o;
  bool compared[PITH_I_NAMED_VARIABLES]; /* as numbers are, in the rule */
} sentence;

/* ---- words ------------------------------------------------------------ */

#define BE_WORDS " is are was were "
#define HELPING_WORDS " can may must will could should would "
#define NUMERALS " no two three four five six many "
#define PREPOSITIONS                                                           \
  " of in to by at with from than for on under over near above below before "  \
  "after into onto behind beside between inside outside within against "       \
  "around through along across beneath upon via as most least "
#define PLAIN_OF " north south east west left right ahead out part made full "
#define WAYS                                                                   \
  " edge arc link path road way flight bridge connection route train bus "
#define ATTRIBUTES                                                             \
  " colour color size shape age name type kind class weight height length "    \
  "width depth price cost value job role status level amount year date day "   \
  "month time city country gender sex species category temperature speed "     \
  "score grade rank salary income title state position material charge "       \
  "element department dept position place result area volume distance "
#define NOT_VERBS                                                              \
  " bus gas cons glass news series species lens canvas atlas class address "   \
  "process "                                                                   \
  "access business alias basis analysis boss cross dress mass pass always "    \
  "less plus minus versus status virus campus focus bonus genus this as "      \
  "years months weeks days hours minutes seconds miles times points units "
#define PARTICIPLES                                                            \
  " born made known seen done broken frozen written lost found sold built "    \
  "held wed won been given taken chosen bought paid sent met led put set "
#define PAST_VERBS                                                             \
  " died lived graduated played worked acted went came happened occurred "     \
  "moved wrote won directed founded studied created "
#define ADJECTIVES                                                             \
  " even odd zero red green blue yellow black white brown grey gray orange "   \
  "purple "                                                                    \
  "pink big small large little tall short long old young new hot cold warm "   \
  "cool rich poor male female true false alive dead happy sad good bad great " \
  "high low deep open closed empty full free busy prime positive negative "    \
  "active passive valid invalid safe unsafe heavy light fast slow strong "     \
  "weak sick healthy ill smart cyclic acyclic symmetric transitive equal "     \
  "similar different adjacent close human mortal immortal wild tame wet dry "  \
  "sweet sour toxic round expensive cheap ready late early perfect binary "    \
  "distinct parallel opposite friendly lazy hungry warm-blooded electric "

static bool is_among(const char *list, const char *word, size_t n) {
  for (const char *at = list; (at = strchr(at, ' ')) != NULL && at[1] != '\0';)
    if (strncmp(++at, word, n) == 0 && at[n] == ' ')
      return n > 0;
  return false;
}

static size_t word_length(const char *text) { return strcspn(text, " "); }

static bool first_among(const char *list, const char *text) {
  return is_among(list, text, word_length(text));
}

static const char *last_word(const char *text) {
  const char *blank = strrchr(text, ' ');
  return blank == NULL ? text : blank + 1;
}

static bool last_among(const char *list, const char *text) {
  const char *word = last_word(text);
  return is_among(list, word, strlen(word));
}

static const char *after_first(const char *text) {
  text += word_length(text);
  return *text == ' ' ? text + 1 : text;
}

static bool word_ends_in(const char *word, size_t n, const char *end) {
  size_t m = strlen(end);
  return n >= m && strncmp(word + n - m, end, m) == 0;
}

/* Whether the first word is one: red, connected, reachable. */
static bool is_adjective(const char *text) {
  static const char *const ends[] = {"able", "ible", "ful",
                                     "less", "ous",  "bound"};
  size_t n = word_length(text);
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
    if (n > strlen(ends[i]) + 2 && word_ends_in(text, n, ends[i]) &&
        !is_among(" vegetable constable timetable ", text, n))
      return true;
  bool participle = n > 4 && word_ends_in(text, n, "ed") && text[n - 3] != 'e';
  return participle || is_among(ADJECTIVES, text, n) ||
         is_among(PARTICIPLES, text, n);
}

/* Whether the first word is a verb of a third person: likes, lives. */
static bool is_verb(const char *text) {
  size_t n = word_length(text);
  return n > 2 && text[n - 1] == 's' && text[n - 2] != 's' &&
         text[n - 2] != 'u' && !is_among(NOT_VERBS, text, n);
}

static const char *article_of(const char *text) {
  return strchr("aeiouAEIOU", text[0]) != NULL ? "an " : "a ";
}

/* Abbreviations that are common in programs. */
static const char *spelled_out(const char *name) {
  static const char *const pairs[][2] = {
      {"neq", "is different from"}, {"eq", "is equal to"},
      {"lt", "is less than"},       {"gt", "is more than"},
      {"leq", "is at most"},        {"geq", "is at least"},
      {"same", "is the same as"},   {"succeeds", "follows"}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
    if (strcmp(name, pairs[i][0]) == 0)
      return pairs[i][1];
  return name;
}

/* A predicate's name in words, if it is short: located_in and locatedIn alike
** become "located in". */
static bool read_phrase(const char *name, char phrase[PHRASE_ROOM]) {
  size_t n = 0;
  for (const char *c = name; *c != '\0'; c++) {
    bool upper = isupper((unsigned char)*c) != 0;
    bool inner = c > name && islower((unsigned char)c[-1]);
    bool alone = !isupper((unsigned char)c[1]);
    if (n + 3 > PHRASE_ROOM)
      return false;
    if (upper && inner)
      phrase[n++] = ' ';
    bool blank = *c == '_' || *c == '\n' || *c == ' ';
    if (blank && (n == 0 || phrase[n - 1] == ' '))
      continue;
    phrase[n++] = blank                                    ? ' '
                  : upper && alone && (inner || c == name) ? (char)tolower(*c)
                                                           : *c;
  }
  while (n > 0 && phrase[n - 1] == ' ')
    n--;
  phrase[n] = '\0';
  return n > 0;
}

/* ---- parts of a sentence ---------------------------------------------- */

static void say_text(const sentence *s, const char *text) {
  pith_out_write(s->o, text, strlen(text));
}

static void say_words(const sentence *s, const char *text) {
  for (; *text != '\0'; text++)
    pith_i_out_char(s->o, *text == '_' || *text == '\n' ? ' ' : *text);
}

static bool is_single(const sentence *s, uint32_t var) {
  return s->own != NULL &&
         pith_i_sym(&s->t->names, s->own[var])->text[0] == '_';
}

static void say_constant(const sentence *s, pith_term t) {
  pith_i_iri_name name =
      pith_i_iri_short(s->t, pith_i_sym(&s->t->names, t)->text);
  if (name.prefix != NULL) {
    say_text(s, name.prefix);
    say_text(s, ":");
  }
  say_words(s, name.rest);
}

/* The i-th argument; what occurs once has no name. */
static void say_term(const sentence *s, const pith_atom *a, uint32_t i) {
  pith_term t = a->args[i];
  if (a->arity == 2 && i == 1 && t == a->args[0] && !PITH_IS_BUILTIN(a->pred))
    say_text(s, "itself");
  else if (!PITH_IS_VAR(t))
    say_constant(s, t);
  else if (is_single(s, PITH_VAR_INDEX(t)))
    say_text(s, a->negated ? "anything" : "something");
  else
    pith_i_print_variable(&s->t->names, s->own, PITH_VAR_INDEX(t), s->o);
}

/* likes: like; goes: go; flies: fly; has: have. */
static void say_plain_verb(const sentence *s, const char *text) {
  size_t n = word_length(text);
  if (is_among(" has ", text, n))
    say_text(s, "have");
  else if (n > 4 && word_ends_in(text, n, "ies"))
    pith_out_print(s->o, "%.*sy", (int)n - 3, text);
  else if (word_ends_in(text, n, "ches") || word_ends_in(text, n, "shes") ||
           word_ends_in(text, n, "sses") || word_ends_in(text, n, "xes") ||
           word_ends_in(text, n, "oes"))
    pith_out_print(s->o, "%.*s", (int)n - 2, text);
  else
    pith_out_print(s->o, "%.*s", (int)n - 1, text);
  say_text(s, text + n);
}

static void say_verb(const sentence *s, const pith_atom *a, const char *text) {
  say_text(s, a->negated ? " does not " : " ");
  if (a->negated)
    say_plain_verb(s, text);
  else
    say_text(s, text);
}

/* " can fly", " cannot fly", " may not fly" */
static void say_helped(const sentence *s, const pith_atom *a,
                       const char *text) {
  size_t n = word_length(text);
  const char *denied = strncmp(text, "can ", 4) == 0 || strcmp(text, "can") == 0
                           ? "not"
                           : " not";
  pith_out_print(s->o, " %.*s%s%s", (int)n, text, a->negated ? denied : "",
                 text + n);
}

/* " is", " was not"; be: the word, or NULL */
static void say_being(const sentence *s, const pith_atom *a, const char *be) {
  pith_out_print(s->o, " %.*s%s", be == NULL ? 2 : (int)word_length(be),
                 be == NULL ? "is" : be, a->negated ? " not" : "");
}

static bool has_article(const char *text) {
  return first_among(" a an the ", text);
}

static bool needs_article(const char *text) {
  return !has_article(text) && !is_adjective(text) &&
         !is_adjective(last_word(text)) && !first_among(PREPOSITIONS, text);
}

/* ---- predicates of one place ------------------------------------------ */

static void say_unary(const sentence *s, const pith_atom *a,
                      const char *phrase) {
  const char *be = first_among(BE_WORDS, phrase) ? phrase : NULL;
  const char *rest = be == NULL ? phrase : after_first(phrase);
  say_term(s, a, 0);
  if (first_among(HELPING_WORDS, phrase)) {
    say_helped(s, a, phrase);
  } else if (be == NULL && first_among(NUMERALS, phrase)) {
    pith_out_print(s->o, " %s %s", a->negated ? "does not have" : "has",
                   phrase);
  } else if (be == NULL && is_verb(phrase)) {
    say_verb(s, a, phrase);
  } else {
    say_being(s, a, be);
    say_text(s, *rest == '\0' ? "" : " ");
    say_text(s, *rest != '\0' && needs_article(rest) ? article_of(rest) : "");
    say_text(s, rest);
  }
}

/* ---- predicates of two places ----------------------------------------- */

/* What stands between an adjective and its object. */
static const char *link_of(const char *adjective) {
  static const struct {
    const char *words, *link;
  } links[] = {{" different distinct reachable derived ", "from"},
               {" divisible visible ", "by"},
               {" parallel friendly ", "with"}};
  for (size_t i = 0; i < sizeof links / sizeof *links; i++)
    if (last_among(links[i].words, adjective))
      return links[i].link;
  return "to";
}

static bool is_figure(const sentence *s, pith_term t) {
  if (PITH_IS_VAR(t))
    return PITH_VAR_INDEX(t) < PITH_I_NAMED_VARIABLES &&
           s->compared[PITH_VAR_INDEX(t)];
  const char *text = pith_i_sym(&s->t->names, t)->text;
  return isdigit((unsigned char)text[text[0] == '-']) != 0;
}

/* The length of a phrase without a unit in brackets: "weight (kg)". */
static size_t length_without_unit(const char *phrase) {
  const char *unit = strstr(phrase, " (");
  return unit == NULL ? strlen(phrase) : (size_t)(unit - phrase);
}

/* age(X,42): "the age of X is 42" */
static bool is_attribute(const sentence *s, const pith_atom *a,
                         const char *phrase) {
  char bare[PHRASE_ROOM];
  size_t n = length_without_unit(phrase);
  assert(n < PHRASE_ROOM);
  memcpy(bare, phrase, n);
  bare[n] = '\0';
  if (first_among(PREPOSITIONS, bare) || last_among(PREPOSITIONS, bare))
    return false;
  return last_among(ATTRIBUTES, bare) ||
         (!is_verb(bare) && is_figure(s, a->args[1]));
}

/* " is located in ", " is a citizen of ", " is adjacent to " */
static void say_relation(const sentence *s, const pith_atom *a, const char *be,
                         const char *phrase) {
  say_being(s, a, be);
  say_text(s, " ");
  bool of = last_among(" of ", phrase) && !first_among(PLAIN_OF, phrase);
  if (last_among(" a an ", phrase) && a->args[0] == a->args[1])
    return; /* "X is itself" */
  if (first_among(PREPOSITIONS, phrase)) {
    pith_out_print(s->o, "%s ", phrase); /* "is in country " */
  } else if (last_among(PREPOSITIONS, phrase) || last_among(" a an ", phrase)) {
    say_text(s, of && needs_article(phrase) ? article_of(phrase) : "");
    pith_out_print(s->o, "%s ", phrase);
  } else if (is_adjective(phrase) || is_adjective(last_word(phrase))) {
    pith_out_print(s->o, "%s %s ", phrase, link_of(phrase));
  } else {
    pith_out_print(s->o, "%s%s of ", article_of(phrase), phrase);
  }
}

/* has_part(X,_): "X has a part" */
static bool is_unnamed(const sentence *s, const pith_atom *a) {
  return PITH_IS_VAR(a->args[1]) && is_single(s, PITH_VAR_INDEX(a->args[1]));
}

/* " has won ", " has the colour ", " has a part " */
static void say_having(const sentence *s, const pith_atom *a,
                       const char *rest) {
  bool done = is_adjective(rest);
  say_text(s, done && a->negated ? " has not "
              : a->negated       ? " does not have "
                                 : " has ");
  if (*rest == '\0')
    return;
  if (!done && !has_article(rest))
    say_text(s, PITH_IS_VAR(a->args[1]) ? article_of(rest) : "the ");
  pith_out_print(s->o, "%s%s", rest, is_unnamed(s, a) ? "" : " ");
}

/* Everything between the two, where the first comes first. */
static void say_between(const sentence *s, const pith_atom *a,
                        const char *phrase) {
  const char *rest = after_first(phrase);
  if (first_among(" has have ", phrase)) {
    say_having(s, a, rest);
  } else if (first_among(BE_WORDS, phrase) && *rest == '\0') {
    say_being(s, a, phrase);
    say_text(s, " ");
  } else if (first_among(BE_WORDS, phrase)) {
    say_relation(s, a, phrase, rest);
  } else if (first_among(HELPING_WORDS, phrase)) {
    say_helped(s, a, phrase);
    say_text(s, *rest == '\0' && is_unnamed(s, a) ? " do " : " ");
  } else if (is_verb(phrase)) {
    say_verb(s, a, phrase);
    say_text(s, " ");
  } else if (first_among(PAST_VERBS, phrase)) {
    pith_out_print(s->o, " %s ", phrase);
  } else {
    say_relation(s, a, NULL, phrase);
  }
}

/* succ, next, succ3: how far the second is after the first; else 0. */
static int steps_onward(const char *phrase) {
  bool succ = strncmp(phrase, "succ", 4) == 0;
  if (is_among(" succ next ", phrase, strlen(phrase)))
    return 1;
  bool digit = succ && phrase[4] > '1' && phrase[4] <= '9' && phrase[5] == '\0';
  return digit ? phrase[4] - '0' : 0;
}

/* succ(X,Y), reach(X,Y): these lead from X on to Y. */
static bool say_onward(const sentence *s, const pith_atom *a,
                       const char *phrase) {
  int steps = steps_onward(phrase);
  bool reach = is_among(" reach reachable ", phrase, strlen(phrase));
  uint32_t first = a->args[0] == a->args[1] ? 0 : 1;
  if (steps == 0 && !reach)
    return false;
  say_term(s, a, first);
  if (reach)
    say_text(s,
             a->negated ? " cannot be reached from " : " can be reached from ");
  else
    say_text(s, a->negated ? " does not come " : " comes ");
  if (steps > 1)
    pith_out_print(s->o, "%d steps after ", steps);
  else if (steps == 1)
    say_text(s, "right after ");
  say_term(s, a, 1 - first);
  return true;
}

/* "there is a path from X to Y", "there is an undirected edge between X and
** Y" */
static void say_way(const sentence *s, const pith_atom *a, const char *phrase) {
  bool both = first_among(" undirected symmetric ", phrase);
  say_text(s, "there is ");
  pith_out_print(s->o, "%s%s %s ", a->negated ? "no " : article_of(phrase),
                 phrase, both ? "between" : "from");
  say_term(s, a, 0);
  say_text(s, both ? " and " : " to ");
  say_term(s, a, 1);
}

static void say_attribute(const sentence *s, const pith_atom *a,
                          const char *phrase) {
  pith_out_print(s->o, "the %s of ", phrase);
  say_term(s, a, 0);
  say_text(s, a->negated ? " is not " : " is ");
  say_term(s, a, a->args[0] == a->args[1] ? 0 : 1);
}

static void say_binary(const sentence *s, const pith_atom *a,
                       const char *phrase) {
  if (say_onward(s, a, phrase))
    return;
  if (last_among(WAYS, phrase)) {
    say_way(s, a, phrase);
  } else if (!first_among(" has have is was ", phrase) &&
             is_attribute(s, a, phrase)) {
    say_attribute(s, a, phrase);
  } else {
    bool past = first_among(PAST_VERBS, phrase);
    say_text(s, past && a->negated ? "it is not so that " : "");
    say_term(s, a, 0);
    say_between(s, a, phrase);
    bool had = first_among(" has have ", phrase) && strchr(phrase, ' ') != NULL;
    if (!had || !is_unnamed(s, a))
      say_term(s, a, 1);
  }
}

/* ---- sentences -------------------------------------------------------- */

static void say_builtin(const sentence *s, const pith_atom *a) {
  static const char *const words[] = {[PITH_EQUAL] = " is ",
                                      [PITH_DIFFERENT] = " is not ",
                                      [PITH_LESS] = " is less than ",
                                      [PITH_LESS_EQUAL] = " is at most ",
                                      [PITH_GREATER] = " is more than ",
                                      [PITH_GREATER_EQUAL] = " is at least ",
                                      [PITH_SAME_VALUE] = " is as much as ",
                                      [PITH_OTHER_VALUE] =
                                          " is not as much as "};
  say_term(s, a, 0);
  say_text(s, words[a->pred]);
  say_term(s, a, 1);
}

/* What has no place, more than two, or a name that cannot be looked into. */
static void say_other(const sentence *s, const pith_atom *a, const char *name) {
  say_words(s, name);
  say_text(s, a->negated ? " does not hold" : " holds");
  for (uint32_t i = 0; i < a->arity; i++) {
    say_text(s, i == 0 ? " of " : i + 1 == a->arity ? " and " : ", ");
    say_term(s, a, i);
  }
}

static void say_atom(const sentence *s, const pith_atom *a) {
  char phrase[PHRASE_ROOM];
  const char *name =
      pith_i_iri_short(s->t, pith_i_pred_text(&s->t->names, a->pred)).rest;
  if (PITH_IS_BUILTIN(a->pred))
    say_builtin(s, a);
  else if (!read_phrase(name, phrase) || a->arity == 0 || a->arity > 2)
    say_other(s, a, name);
  else if (a->arity == 1)
    say_unary(s, a, phrase);
  else
    say_binary(s, a, spelled_out(phrase));
}

static void note_compared(sentence *s, const pith_rule *r) {
  memset(s->compared, 0, sizeof s->compared);
  for (uint32_t k = 0; k < r->body_len; k++) {
    const pith_atom *a = &r->body[k];
    if (!PITH_IS_BUILTIN(a->pred) || a->pred == PITH_EQUAL ||
        a->pred == PITH_DIFFERENT)
      continue;
    for (uint32_t i = 0; i < a->arity; i++)
      if (PITH_IS_VAR(a->args[i]) &&
          PITH_VAR_INDEX(a->args[i]) < PITH_I_NAMED_VARIABLES)
        s->compared[PITH_VAR_INDEX(a->args[i])] = true;
  }
}

static void say_rule(sentence *s, const pith_rule *r) {
  s->own = pith_i_rule_names(&s->t->names, r);
  note_compared(s, r);
  say_atom(s, &r->head);
  for (uint32_t k = 0; k < r->body_len; k++) {
    say_text(s, k == 0 ? " if " : k + 1 == r->body_len ? " and " : ", ");
    say_atom(s, &r->body[k]);
  }
  say_text(s, ".\n");
}

pith_status pith_i_write_english(pith_i_output *out) {
  sentence s = {.t = out->theory, .o = out->o};
  for (size_t i = 0; i < s.t->rules.n; i++)
    say_rule(&s, s.t->rules.at[i]);
  return pith_out_write(out->o, "", 0);
}
