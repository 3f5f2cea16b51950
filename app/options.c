/* Arguments are read in two passes. The first needs no command: a name means
** the same option everywhere, so values can be told from operands, and options
** may come anywhere, also before the command. The second checks what the
** command takes. */
#include "options.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pith.h"
#include "report.h"

#define X(kind, field, name, alias, letter, value, low, high, choices,         \
          commands, section, help)                                             \
  {kind, name,    alias,    letter,  value, low,                               \
   high, choices, commands, section, help,  offsetof(settings, field)},
const option options[OPTION_COUNT] = {OPTION_LIST(X)};
#undef X

extern const command command_infer, command_explain, command_score,
    command_check, command_convert, command_learn, command_bench,
    command_report, command_compress;
const command *const commands[] = {
    &command_learn,   &command_compress, &command_infer,
    &command_explain, &command_score,    &command_check,
    &command_convert, &command_report,   &command_bench};
const size_t command_count = sizeof commands / sizeof commands[0];

const exit_text exit_texts[] = {
    {EXIT_FITS, "Done, and everything fits."},
    {EXIT_MISFIT, "Done, but something does not fit: an atom that does not "
                  "follow, a wrong example, an inference cut short."},
    {EXIT_USE, "Wrong use."},
    {EXIT_INPUT, "Bad input."},
    {EXIT_LIMIT, "Out of memory, disk or time, with nothing to show."},
    {EXIT_INTERRUPTED, "Interrupted; what was found so far is printed."},
};
const size_t exit_text_count = sizeof exit_texts / sizeof exit_texts[0];

/* ---- words and names -------------------------------------------------- */

bool word_next(const char **at, const char **word, size_t *n) {
  *word = *at + strspn(*at, " ");
  *n = strcspn(*word, " ");
  *at = *word + *n;
  return *n > 0;
}

bool word_in(const char *words, const char *wanted) {
  const char *word;
  size_t n;
  while (word_next(&words, &word, &n))
    if (strlen(wanted) == n && memcmp(word, wanted, n) == 0)
      return true;
  return false;
}

bool text_is(const char *text, const char *word) {
  return text != NULL && strcmp(text, word) == 0;
}

const command *command_find(const char *name) {
  for (size_t i = 0; i < command_count; i++)
    if (strcmp(commands[i]->name, name) == 0)
      return commands[i];
  return NULL;
}

bool option_taken(const option *o, const char *name) {
  return word_in(o->commands, name) ||
         (word_in(o->commands, "*") && strcmp(name, "pith") != 0);
}

/* "prolog json" and all other formats that hold rules, made once. */
static const char *rule_format_words(void) {
  static char words[512];
  const pith_format_info *f;
  size_t n = 0;
  if (words[0] != '\0')
    return words;
  n += (size_t)snprintf(words, sizeof words, "prolog json");
  for (size_t i = 0; (f = pith_format_at(i)) != NULL; i++)
    if ((f->writes & PITH_HOLDS_RULES) != 0 && f->format != PITH_PROLOG &&
        f->format != PITH_JSON)
      n += (size_t)snprintf(words + n, sizeof words - n, " %s", f->name);
  return words;
}

/* "auto prolog tsv ..." or "prolog ... popper", made once. */
static const char *format_words(bool read) {
  static char both[2][512];
  char *words = both[read];
  const pith_format_info *f;
  size_t n = 0;
  if (words[0] != '\0')
    return words;
  if (read)
    n += (size_t)snprintf(words, sizeof both[0], "auto ");
  for (size_t i = 0; (f = pith_format_at(i)) != NULL; i++)
    if ((read ? f->reads : f->writes) != 0)
      n += (size_t)snprintf(words + n, sizeof both[0] - n, "%s ", f->name);
  snprintf(words + n - 1, sizeof both[0] - n + 1, read ? "" : " popper");
  return words;
}

const char *option_help(char room[HELP_ROOM], const option *o,
                        const command *c) {
  const char *at = o->help + strcspn(o->help, "|");
  size_t used = (size_t)(at - o->help), name = c == NULL ? 0 : strlen(c->name);
  assert(strlen(o->help) < HELP_ROOM);
  memcpy(room, o->help, used);
  while (*at == '|') {
    size_t n = strcspn(++at, "|"), colon = strcspn(at, ":");
    assert(colon < n);
    if (c != NULL && colon == name && memcmp(at, c->name, name) == 0) {
      memcpy(room + used, at + colon + 1, n - colon - 1);
      used += n - colon - 1;
    }
    at += n;
  }
  room[used] = '\0';
  return room;
}

const char *option_choices(const option *o, const command *c) {
  if (o->kind != CHOICE)
    return NULL;
  if (o->choices != NULL && strcmp(o->choices, "formats") == 0)
    return format_words(true);
  if (o->choices != NULL && strcmp(o->choices, "methods") == 0)
    return c == NULL || strcmp(c->name, "learn") == 0
               ? "auto search gradient rules chains soft"
               : "auto search gradient";
  if (o->choices != NULL || c == NULL)
    return o->choices != NULL ? o->choices : "";
  if (word_in(c->formats, "rules"))
    return rule_format_words();
  return strcmp(c->formats, "formats popper") == 0 ? format_words(false)
                                                   : c->formats;
}

/* ---- settings by name -------------------------------------------------- */

const option *option_find(const char *name) {
  size_t i = 0;
  while (i < OPTION_COUNT && strcmp(options[i].name, name) != 0)
    i++;
  assert(i < OPTION_COUNT);
  return &options[i];
}

bool setting_given(const settings *set, const char *name) {
  return set->given[option_find(name) - options];
}

typedef bool setting_visitor(void *ctx, const option *o);

/* Calls visit for each of the names, until it returns false. */
static void for_each_name(const char *names, setting_visitor *visit,
                          void *ctx) {
  const char *word;
  size_t n;
  while (word_next(&names, &word, &n)) {
    char name[32];
    assert(n < sizeof name);
    snprintf(name, sizeof name, "%.*s", (int)n, word);
    if (!visit(ctx, option_find(name)))
      return;
  }
}

typedef struct {
  const settings *set;
  const option *found;
} given_search;

static bool visit_to_find_given(void *ctx, const option *o) {
  given_search *g = ctx;
  if (g->set->given[o - options])
    g->found = o;
  return g->found == NULL;
}

int settings_refuse(const settings *set, const char *names, const char *why) {
  given_search g = {.set = set};
  for_each_name(names, visit_to_find_given, &g);
  if (g.found == NULL)
    return 0;
  say_error("--%s has no effect %s", g.found->name, why);
  return EXIT_USE;
}

/* ---- near names -------------------------------------------------------- */

static size_t smaller_of(size_t a, size_t b) { return a < b ? a : b; }

/* Edit distance, where exchanging two neighbours is one edit too. Names over
** the limit are far from everything. */
static size_t edit_distance(const char *a, const char *b) {
  enum { LIMIT = 63 };
  size_t n = strlen(a), m = strlen(b);
  size_t row[3][LIMIT + 1];
  if (n > LIMIT || m > LIMIT)
    return LIMIT;
  for (size_t j = 0; j <= m; j++)
    row[0][j] = j;
  for (size_t i = 1; i <= n; i++) {
    size_t *now = row[i % 3], *last = row[(i + 2) % 3],
           *older = row[(i + 1) % 3];
    now[0] = i;
    for (size_t j = 1; j <= m; j++) {
      size_t change = last[j - 1] + (a[i - 1] != b[j - 1]);
      now[j] = smaller_of(change, smaller_of(last[j], now[j - 1]) + 1);
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        now[j] = smaller_of(now[j], older[j - 2] + 1);
    }
  }
  return row[n % 3][m];
}

void nearest_try(nearest *n, const char *name) {
  size_t len = strlen(n->wanted);
  size_t d = edit_distance(n->wanted, name);
  if (len >= 2 && strncmp(n->wanted, name, len) == 0)
    d = 1; /* the start of a name */
  if (d <= 1 + len / 4 && d < len && (n->best == NULL || d < n->distance)) {
    n->best = name;
    n->distance = d;
  }
}

/* ---- values ----------------------------------------------------------- */

static int refuse_number(const option *o, const char *text) {
  char low[SIZE_ROOM], high[SIZE_ROOM];
  if (o->kind == SIZE) {
    size_text(low, o->low);
    size_text(high, o->high);
  } else {
    snprintf(low, sizeof low, "%.10g", o->low);
    snprintf(high, sizeof high, "%.10g", o->high);
  }
  say_error("--%s: '%s' is not %s from %s to %s%s", o->name, text,
            o->kind == SIZE       ? "a size"
            : o->kind == COUNT    ? "a whole number"
            : o->kind == DURATION ? "a time"
                                  : "a number",
            low, high,
            o->kind == DURATION ? " seconds; write 90, 90s, 1.5m or 2h" : "");
  return EXIT_USE;
}

/* What a suffix multiplies by: K, M, G, T, each with or without B or iB; 0
** when it is none of these. */
static double size_unit(const char *suffix) {
  double unit = 1;
  for (const char *l = "KMGT"; *l != '\0'; l++) {
    unit *= KIB;
    if (*suffix != *l && *suffix != tolower((unsigned char)*l))
      continue;
    suffix++;
    bool known = strcmp(suffix, "") == 0 || strcmp(suffix, "B") == 0 ||
                 strcmp(suffix, "iB") == 0;
    return known ? unit : 0;
  }
  return strcmp(suffix, "") == 0 || strcmp(suffix, "B") == 0;
}

/* Seconds, minutes, hours; 0 when it is none of these. */
static double duration_unit(const char *suffix) {
  return *suffix == '\0' || strcmp(suffix, "s") == 0              ? 1
         : strcmp(suffix, "m") == 0 || strcmp(suffix, "min") == 0 ? 60
         : strcmp(suffix, "h") == 0                               ? 3600
                                                                  : 0;
}

/* strtod takes nan, inf, 0x10 and blanks too; here a number is digits. */
static int set_number(const option *o, const char *text, void *field) {
  char *end = NULL;
  double v = strtod(text, &end);
  size_t n = (size_t)(end - text);
  bool plain = n > 0 && strspn(text, "0123456789.eE+-") >= n;
  double unit = o->kind == SIZE       ? size_unit(end)
                : o->kind == DURATION ? duration_unit(end)
                                      : *end == '\0';
  v *= unit;
  if (!plain || unit == 0 || !(v >= o->low && v <= o->high) ||
      (o->kind == COUNT && v != (double)(uint32_t)v))
    return refuse_number(o, text);
  if (o->kind == COUNT)
    *(uint32_t *)field = (uint32_t)v;
  else if (o->kind == SIZE)
    *(uint64_t *)field = (uint64_t)v;
  else
    *(double *)field = v;
  return 0;
}

static int set_value(const option *o, const char *text, settings *set) {
  assert(o >= options && o < options + OPTION_COUNT);
  assert(o->kind == FLAG || text != NULL);
  void *field = (char *)set + o->place;
  switch (o->kind) {
  case FLAG:
    *(bool *)field = true;
    return 0;
  case COUNT:
  case REAL:
  case DURATION:
  case SIZE:
    return set_number(o, text, field);
  case CHOICE:
  case TEXT:
  case PATH:
    if (*text == '\0') {
      say_error("--%s: the %s is empty", o->name, o->value);
      return EXIT_USE;
    }
    *(const char **)field = text;
    return 0;
  }
  return 0;
}

/* ---- first pass ------------------------------------------------------- */

typedef struct {
  char **argv;
  int argc, next;
  size_t operands;
  settings *set;
} argument_reader;

static bool has_name(const option *o, const char *name, size_t n) {
  return (strlen(o->name) == n && memcmp(o->name, name, n) == 0) ||
         (o->alias != NULL && strlen(o->alias) == n &&
          memcmp(o->alias, name, n) == 0);
}

static int unknown_long(const char *name, size_t n) {
  char wanted[64];
  snprintf(wanted, sizeof wanted, "%.*s", (int)smaller_of(n, 60), name);
  nearest near = {.wanted = wanted};
  for (size_t i = 0; i < OPTION_COUNT; i++) {
    nearest_try(&near, options[i].name);
    if (options[i].alias != NULL)
      nearest_try(&near, options[i].alias);
  }
  if (near.best != NULL)
    say_error("there is no option --%s; did you mean --%s?", wanted, near.best);
  else
    say_error("there is no option --%s; pith --help lists them", wanted);
  return EXIT_USE;
}

/* value is what was joined to the option, or NULL. */
static int take_option(argument_reader *r, size_t i, const char *value) {
  assert(i < OPTION_COUNT && r->next <= r->argc);
  const option *o = &options[i];
  r->set->given[i] = true;
  if (o->kind == FLAG && value != NULL) {
    say_error("--%s takes no value", o->name);
    return EXIT_USE;
  }
  if (o->kind != FLAG && value == NULL) {
    if (r->next == r->argc) {
      say_error("--%s needs a value: --%s %s", o->name, o->name, o->value);
      return EXIT_USE;
    }
    value = r->argv[r->next++];
  }
  return set_value(o, value, r->set);
}

static int take_long(argument_reader *r, const char *arg) {
  size_t n = strcspn(arg, "=");
  for (size_t i = 0; i < OPTION_COUNT; i++)
    if (has_name(&options[i], arg, n))
      return take_option(r, i, arg[n] == '=' ? arg + n + 1 : NULL);
  return unknown_long(arg, n);
}

static size_t letter_find(char letter) {
  size_t i = 0;
  while (i < OPTION_COUNT && options[i].letter != letter)
    i++;
  return i;
}

/* -q, -qv, -oFILE, -o FILE. */
static int take_letters(argument_reader *r, const char *arg) {
  while (*arg != '\0') {
    size_t i = letter_find(*arg++);
    if (i == OPTION_COUNT) {
      say_error("there is no option -%c; pith --help lists them", arg[-1]);
      return EXIT_USE;
    }
    bool joined = options[i].kind != FLAG && *arg != '\0';
    int code = take_option(r, i, joined ? arg : NULL);
    if (code != 0 || joined)
      return code;
  }
  return 0;
}

static int read_arguments(argument_reader *r) {
  bool literal = false; /* after -- */
  int code = 0;
  while (code == 0 && r->next < r->argc) {
    char *arg = r->argv[r->next++];
    if (literal || arg[0] != '-' || arg[1] == '\0')
      r->argv[r->operands++] = arg; /* never past what was read */
    else if (strcmp(arg, "--") == 0)
      literal = true;
    else if (arg[1] == '-')
      code = take_long(r, arg + 2);
    else
      code = take_letters(r, arg + 1);
  }
  return code;
}

/* ---- second pass ------------------------------------------------------ */

static int unknown_command(const char *name) {
  nearest near = {.wanted = name};
  for (size_t i = 0; i < command_count; i++)
    nearest_try(&near, commands[i]->name);
  if (near.best != NULL)
    say_error("there is no command %s; did you mean %s?", name, near.best);
  else
    say_error("there is no command %s; pith --help lists them", name);
  return EXIT_USE;
}

static char defaults[OPTION_COUNT][16]; /* the first choice of each */

static int check_choice(const option *o, const command *c, settings *set) {
  const char **field = (const char **)(void *)((char *)set + o->place);
  const char *words = option_choices(o, c), *at = words, *word;
  size_t n;
  if (*field == NULL && word_next(&at, &word, &n)) {
    char *first = defaults[o - options];
    assert(n < sizeof defaults[0]);
    snprintf(first, sizeof defaults[0], "%.*s", (int)n, word);
    *field = first;
  }
  if (*field == NULL || word_in(words, *field))
    return 0;
  say_error("--%s: '%s' is not one of: %s", o->name, *field, words);
  return EXIT_USE;
}

static int check_options(settings *set, const command *c) {
  const char *name = c == NULL ? "pith" : c->name;
  int code = 0;
  for (size_t i = 0; code == 0 && i < OPTION_COUNT; i++) {
    const option *o = &options[i];
    bool taken = option_taken(o, name);
    if (set->given[i] && !taken && (c != NULL || !word_in(o->commands, "*"))) {
      say_error("%s does not take --%s; it belongs to: %s", name, o->name,
                o->commands);
      return EXIT_USE;
    }
    if (o->kind == CHOICE && (set->given[i] || (taken && c != NULL)))
      code = check_choice(o, c, set);
  }
  return code;
}

int options_parse(int argc, char **argv, settings *set, const command **c,
                  size_t *operand_count) {
  argument_reader r = {.argv = argv, .argc = argc, .set = set};
  *c = NULL;
  *set = (settings){0};
  int code = read_arguments(&r);
  *operand_count = r.operands;
  if (code != 0)
    return code;
  if (r.operands > 0 && strcmp(argv[0], "help") != 0) {
    *c = command_find(argv[0]);
    if (*c == NULL)
      return unknown_command(argv[0]);
  }
  return check_options(set, *c);
}
