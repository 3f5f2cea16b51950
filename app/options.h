/* The one table of options, and the commands that take them.
**
** OPTION_LIST gives the struct of settings, the parser, --help, the man page
** and the completions for three shells; nothing else knows an option's name.
** An option's last but one column names the commands that take it: "*" is
** every command, "pith" is the program itself.
**
** A command is a file that defines one `const command` and an entry in the
** list of options.c. */
#ifndef APP_OPTIONS_H
#define APP_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KIB 1024.0
#define GIB (KIB * KIB * KIB)

/* X(kind, field, name, alias, letter, value, low, high, choices, commands,
**   help). No choices for a CHOICE: those of the command; "formats": those
** that are read. */
#define OPTION_LIST(X)                                                         \
  X(CHOICE, format, "format", "to", 'f', "FORMAT", 0, 0, NULL, "*",            \
    "How the result is written")                                               \
  X(PATH, output, "output", NULL, 'o', "FILE", 0, 0, NULL, "*",                \
    "Write the result to FILE: all of it, or nothing")                         \
  X(CHOICE, from, "from", NULL, 0, "FORMAT", 0, 0, "formats", "*",             \
    "What the inputs are; auto goes by their names and content")               \
  X(TEXT, relation, "relation", NULL, 0, "NAME", 0, 0, NULL, "*",              \
    "Lines of two columns are facts of NAME; default: the file's name")        \
  X(TEXT, key, "key", NULL, 0, "COLUMN", 0, 0, NULL, "*",                      \
    "Of a table: COLUMN names the rows; none: a row is one fact. Default: "    \
    "found out")                                                               \
  X(TEXT, columns, "columns", NULL, 0, "NAMES", 0, 0, NULL, "*",               \
    "Of a table: read only these, such as age,city")                           \
  X(TEXT, label, "label", NULL, 0, "COLUMN", 0, 0, NULL, "*",                  \
    "Of a table: learn this column, with yes and no in it, or a few classes; " \
    "COLUMN=VALUE: learn which rows have VALUE")                               \
  X(FLAG, header, "header", NULL, 0, NULL, 0, 0, NULL, "*",                    \
    "The first of lines with columns names them, whatever it looks like")      \
  X(FLAG, no_header, "no-header", NULL, 0, NULL, 0, 0, NULL, "*",              \
    "The first of lines with columns is like the others")                      \
  X(FLAG, all, "all", NULL, 'a', NULL, 0, 0, NULL,                             \
    "learn compress infer score",                                              \
    "Leave nothing out: infer prints the given facts too, the others name "    \
    "everything that goes wrong")                                              \
  X(FLAG, count, "count", NULL, 'c', NULL, 0, 0, NULL, "infer",                \
    "Print how many facts each predicate has, not the facts")                  \
  X(TEXT, query, "query", NULL, 0, "ATOM", 0, 0, NULL, "infer",                \
    "Print only the facts that match ATOM, such as 'reach(a,X)'")              \
  X(COUNT, top, "top", NULL, 0, "K", 1, 1e9, NULL, "infer",                    \
    "Print the K likeliest answers to the query, by a model that learn made "  \
    "from a graph")                                                            \
  X(FLAG, explain, "explain", NULL, 0, NULL, 0, 0, NULL, "infer",              \
    "With --top: also the rules behind each answer, and what they rest on")    \
  X(FLAG, sort, "sort", NULL, 's', NULL, 0, 0, NULL, "infer",                  \
    "Print the facts by name, not in the order derived")                       \
  X(TEXT, target, "target", NULL, 0, "NAME", 0, 0, NULL, "learn",              \
    "From the graph of all binary facts: the chains that speak for "           \
    "NAME(X,Y), "                                                              \
    "and how much each does")                                                  \
  X(PATH, templates, "templates", NULL, 0, "FILE", 0, 0, NULL,                 \
    "learn compress bench",                                                    \
    "Take the templates from FILE, not from the task's folder; none: learn "   \
    "without any (bench takes none alone)")                                    \
  X(CHOICE, method, "method", NULL, 0, "WHICH", 0, 0, "both clauses gradient", \
    "learn bench",                                                             \
    "Without templates: search clauses, train, or search first and then "      \
    "train")                                                                   \
  X(COUNT, max_rules, "max-rules", NULL, 0, "N", 1, 64, NULL, "learn",         \
    "Without templates: N rules in a theory at most")                          \
  X(COUNT, max_body, "max-body", NULL, 0, "N", 1, 12, NULL, "learn compress",  \
    "Without templates: N atoms in the body of a rule at most; compress: at "  \
    "most 3, default 2")                                                       \
  X(COUNT, max_vars, "max-vars", NULL, 0, "N", 1, 16, NULL, "learn",           \
    "Without templates: N variables in a rule at most")                        \
  X(CHOICE, max_invented, "max-invented", NULL, 0, "N", 0, 0, "any 0 1 2 3 4", \
    "learn", "Without templates: N invented predicates at most, 0 for none")   \
  X(FLAG, constants, "constants", NULL, 0, NULL, 0, 0, NULL, "learn",          \
    "Without templates: constants in rules from the start, not only where "    \
    "nothing else fits")                                                       \
  X(FLAG, noisy, "noisy", NULL, 0, NULL, 0, 0, NULL, "learn",                  \
    "Without templates: examples may be wrong; weigh them against the length " \
    "of the rules")                                                            \
  X(FLAG, inequality, "inequality", NULL, 0, NULL, 0, 0, NULL, "compress",     \
    "Rules may say that two things differ")                                    \
  X(FLAG, open, "open", NULL, 0, NULL, 0, 0, NULL, "compress",                 \
    "What was not observed is unknown, not false: rules may predict it")       \
  X(CHOICE, noise, "noise", NULL, 0, "WHETHER", 0, 0, "on off", "compress",    \
    "A few observations may be wrong or missing: allow exceptions where that " \
    "makes the theory much shorter")                                           \
  X(REAL, hold_out, "hold-out", NULL, 0, "SHARE", 0.001, 0.9, NULL,            \
    "compress",                                                                \
    "Hide a share of all atoms, and tell how many of the hidden "              \
    "facts follow")                                                            \
  X(PATH, test, "test", NULL, 0, "FILE", 0, 0, NULL, "compress",               \
    "Tell how many of the facts in FILE follow")                               \
  X(PATH, certify, "certify", NULL, 0, "FILE", 0, 0, NULL, "compress",         \
    "Write an answer set program to FILE, and have clingo prove with it that " \
    "the core is minimal")                                                     \
  X(COUNT, invent, "invent", NULL, 0, "N", 1, 64, NULL, "compress",            \
    "Invent up to N predicates, where that makes the theory shorter; default " \
    "8; with templates, those that they name")                                 \
  X(CHOICE, types, "types", NULL, 0, "WHETHER", 0, 0, "on off", "compress",    \
    "Infer which arguments are of one kind, and join only those")              \
  X(COUNT, seed, "seed", NULL, 0, "N", 1, 4294967295.0, NULL,                  \
    "learn compress", "Where the random numbers start; default 1")             \
  X(COUNT, restarts, "restarts", NULL, 0, "N", 1, 1e6, NULL, "learn compress", \
    "Train from N random initialisations at most; default 64")                 \
  X(COUNT, epochs, "epochs", NULL, 0, "N", 1, 1e9, NULL, "learn compress",     \
    "Train each of them for N epochs at most")                                 \
  X(COUNT, steps, "steps", NULL, 'k', "K", 1, 4294967295.0, NULL,              \
    "learn compress infer explain score",                                      \
    "Apply all rules at once, K times; if not given, learn and compress go "   \
    "by the templates, the others to the end")                                 \
  X(CHOICE, search, "search", NULL, 0, "WHETHER", 0, 0, "on off", "learn",     \
    "Also change programs that were learned, a predicate at a time")           \
  X(COUNT, keep, "keep", NULL, 0, "N", 1, 1e4, NULL, "learn",                  \
    "Show the N best theories; default 1")                                     \
  X(FLAG, go_on, "go-on", NULL, 0, NULL, 0, 0, NULL, "learn",                  \
    "Do not stop at the first theory that fits every example")                 \
  X(CHOICE, by, "by", NULL, 0, "WHICH", 0, 0, "both exact gradient",           \
    "compress",                                                                \
    "Find theories by counting what rules do, by gradient (where there are "   \
    "templates), or by both")                                                  \
  X(CHOICE, semantics, "semantics", NULL, 0, "WHICH", 0, 0, "best paper",      \
    "learn compress bench",                                                    \
    "What learns best, or what Campero et al. wrote; bench: for countries")    \
  X(CHOICE, embeddings, "embeddings", NULL, 0, "WHICH", 0, 0,                  \
    "trained onehot", "learn compress bench",                                  \
    "In the paper's semantics: the predicates' embeddings")                    \
  X(CHOICE, conjunction, "conjunction", NULL, 0, "WHICH", 0, 0,                \
    "product minimum", "learn compress bench",                                 \
    "In the paper's semantics: how AND is computed")                           \
  X(FLAG, clamp, "clamp", NULL, 0, NULL, 0, 0, NULL, "learn compress bench",   \
    "In the paper's semantics: embeddings as the authors' code has")           \
  X(REAL, rate, "rate", NULL, 0, "RATE", 1e-6, 100, NULL, "learn compress",    \
    "How far an epoch moves")                                                  \
  X(REAL, lambda, "lambda", NULL, 0, "PENALTY", 1e-6, 1e6, NULL, "compress",   \
    "What a core fact costs while the gradient learns")                        \
  X(PATH, checkpoint, "checkpoint", NULL, 0, "FILE", 0, 0, NULL, "learn",      \
    "Save to FILE every few seconds, and go on from there if it exists")       \
  X(CHOICE, progress, "progress", NULL, 0, "WHEN", 0, 0, "auto on off json",   \
    "learn compress infer explain score",                                      \
    "Say how far it is: on a terminal, always, never, or as events in the "    \
    "result")                                                                  \
  X(COUNT, seeds, "seeds", NULL, 0, "N", 1, 1e5, NULL, "bench",                \
    "Learn each task from N seeds; default 20")                                \
  X(TEXT, tasks, "tasks", NULL, 0, "NAMES", 0, 0, NULL, "bench",               \
    "Only these tasks, such as fizz,buzz")                                     \
  X(PATH, data, "data", NULL, 0, "FOLDER", 0, 0, NULL, "bench",                \
    "Where the tasks are; default data/ilp, data/theory")                      \
  X(COUNT, jobs, "jobs", NULL, 'j', "N", 1, 256, NULL,                         \
    "learn score compress bench",                                              \
    "Use N threads; if not given, learn uses one a core, bench one; changes "  \
    "no result")                                                               \
  X(SECONDS, timeout, "timeout", NULL, 't', "SECONDS", 0.001, 1e9, NULL,       \
    "learn compress infer explain score",                                      \
    "Stop after SECONDS; keep what was found")                                 \
  X(SIZE, memory, "memory", NULL, 'm', "SIZE", 64 * KIB, 1e6 * GIB, NULL, "*", \
    "Use at most SIZE of memory, such as 500M or 2G; without it, nine tenths " \
    "of the machine's")                                                        \
  X(FLAG, drop, "drop", NULL, 0, NULL, 0, 0, NULL, "convert",                  \
    "Leave out what the format cannot hold, instead of refusing")              \
  X(FLAG, ground, "ground", NULL, 0, NULL, 0, 0, NULL, "convert",              \
    "Have SWI-Prolog compute the facts of a background that is no Datalog "    \
    "(lists, arithmetic), over the constants of facts and examples")           \
  X(TEXT, preds, "preds", NULL, 0, "NAMES", 0, 0, NULL, "convert",             \
    "With --ground: of these, such as double/2,small/1; default: those that "  \
    "bias.pl lets bodies use")                                                 \
  X(FLAG, strict, "strict", NULL, 0, NULL, 0, 0, NULL, "check",                \
    "Exit with 1 when there is a warning")                                     \
  X(FLAG, quiet, "quiet", NULL, 'q', NULL, 0, 0, NULL, "*",                    \
    "Only the result: no comments around it, no warnings, no progress")        \
  X(FLAG, verbose, "verbose", NULL, 'v', NULL, 0, 0, NULL, "*",                \
    "Say on standard error what was read, the time and the memory")            \
  X(FLAG, help, "help", NULL, 'h', NULL, 0, 0, NULL, "* pith",                 \
    "Print help and exit")                                                     \
  X(FLAG, version, "version", NULL, 'V', NULL, 0, 0, NULL, "pith",             \
    "Print the version, the compiler and the optional libraries, and exit")    \
  X(FLAG, man, "man", NULL, 0, NULL, 0, 0, NULL, "pith",                       \
    "Print the man page and exit")                                             \
  X(CHOICE, completions, "completions", NULL, 0, "SHELL", 0, 0,                \
    "bash zsh fish", "pith", "Print completions for SHELL and exit")

typedef enum {
  FLAG,
  COUNT,
  REAL,
  SECONDS,
  SIZE,
  CHOICE,
  TEXT,
  PATH
} option_kind;

/* Zero, false and NULL: not given. A CHOICE not given is set to its first
** when the command is known. */
typedef struct {
#define TYPE_FLAG bool
#define TYPE_COUNT uint32_t
#define TYPE_REAL double
#define TYPE_SECONDS double
#define TYPE_SIZE uint64_t
#define TYPE_CHOICE const char *
#define TYPE_TEXT const char *
#define TYPE_PATH const char *
#define X(kind, field, ...) TYPE_##kind field;
  OPTION_LIST(X)
#undef X
} settings;

typedef struct {
  option_kind kind;
  const char *name, *alias; /* without dashes; the alias may be NULL */
  char letter;              /* or 0 */
  const char *value;        /* its name in help; NULL: a flag */
  double low, high;         /* inclusive */
  const char *choices;      /* words; the first is the default */
  const char *commands;     /* words */
  const char *help;
  size_t place; /* in settings */
} option;

struct session;

typedef struct {
  const char *name;
  const char *operands; /* as in the usage line */
  size_t least;         /* how many operands it needs */
  const char *formats;  /* words; the first is the default */
  const char *summary;  /* one line */
  const char *about;    /* paragraphs, parted by "\n\n" */
  const char *examples; /* lines; each a command */
  int (*run)(struct session *s);
} command;

extern const option options[];
extern const size_t option_count;
extern const command *const commands[];
extern const size_t command_count;

/* Exit codes are part of the interface; their texts are in the help. */
enum {
  EXIT_FITS = 0,
  EXIT_MISFIT = 1,
  EXIT_USE = 2,
  EXIT_INPUT = 3,
  EXIT_LIMIT = 4,
  EXIT_INTERRUPTED = 130
};
typedef struct {
  int code;
  const char *text;
} exit_text;
extern const exit_text exit_texts[];
extern const size_t exit_text_count;

const command *command_find(const char *name); /* or NULL */
bool option_taken(const option *o, const char *command_name);

/* The words it may be, or NULL when it is no CHOICE. c: NULL is the program
** itself. */
const char *option_choices(const option *o, const command *c);

/* The next of words parted by blanks, and *at moved behind it; false at the
** end. */
bool word_next(const char **at, const char **word, size_t *n);
bool word_in(const char *words, const char *word);

/* Reads the arguments. Operands are moved to the front of argv and counted;
** the first is the command's name, which is looked up, and the options are
** checked against what it takes. *c is NULL when no command was named.
** Returns 0, or EXIT_USE after saying what is wrong. */
int options_parse(int argc, char **argv, settings *set, const command **c,
                  size_t *operand_count);

/* The name nearest to what was wanted: set wanted, try many, look at best,
** which stays NULL when none is near. */
typedef struct {
  const char *wanted, *best;
  size_t distance;
} nearest;
void nearest_try(nearest *n, const char *name);

#endif
