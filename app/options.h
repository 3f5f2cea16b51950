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
**   section, help). No choices for a CHOICE: those of the command; "methods":
**   those of graphs only for learn; "formats":
**   those that are read. A part "|COMMAND:text" of the help is said of that
**   command alone. */
#define READERS "learn compress infer explain score check convert"
#define OPTION_LIST(X)                                                         \
  X(CHOICE, format, "format", "to", 'f', "FORMAT", 0, 0, NULL, "*", GENERAL,   \
    "Write the result in this format")                                         \
  X(PATH, output, "output", NULL, 'o', "FILE", 0, 0, NULL, "*", GENERAL,       \
    "Write the result to FILE: all of it, or nothing")                         \
  X(PATH, report, "report", NULL, 0, "FILE", 0, 0, NULL,                       \
    "learn compress score infer explain", GENERAL,                             \
    "Also write the result to FILE, a page for any browser; if its name ends " \
    "in .jsonl, lines from which pith report makes the page|infer:; with "     \
    "--top")                                                                   \
  X(CHOICE, from, "from", NULL, 0, "FORMAT", 0, 0, "formats", READERS,         \
    GENERAL,                                                                   \
    "Read the inputs in this format; auto goes by their names and content")    \
  X(TEXT, relation, "relation", NULL, 0, "NAME", 0, 0, NULL, READERS, TABLES,  \
    "Take lines of two columns as facts of NAME; default: the file's name")    \
  X(TEXT, key, "key", NULL, 0, "COLUMN", 0, 0, NULL, READERS, TABLES,          \
    "COLUMN names the rows of a table; none: a row is one fact; default: "     \
    "pith guesses")                                                            \
  X(TEXT, columns, "columns", NULL, 0, "NAMES", 0, 0, NULL, READERS, TABLES,   \
    "Read only these columns, such as age,city")                               \
  X(TEXT, sql, "sql", NULL, 0, "SELECT", 0, 0, NULL, READERS, TABLES,          \
    "Read the rows of this SELECT instead of all tables of a database")        \
  X(TEXT, label, "label", NULL, 0, "COLUMN", 0, 0, NULL, READERS, TABLES,      \
    "The column to predict, of yes and no or of a few classes, becomes "       \
    "examples; COLUMN=VALUE: which rows have VALUE")                           \
  X(FLAG, header, "header", NULL, 0, NULL, 0, 0, NULL, READERS, TABLES,        \
    "The first line names the columns, whatever it looks like")                \
  X(FLAG, no_header, "no-header", NULL, 0, NULL, 0, 0, NULL, READERS, TABLES,  \
    "The first line is like the others")                                       \
  X(FLAG, all, "all", NULL, 'a', NULL, 0, 0, NULL,                             \
    "learn compress infer score", MAIN,                                        \
    "|learn:Name every example that goes wrong, not only the first "           \
    "20; of a graph, keep every rule found|compress:Name every exception, "    \
    "not only the first few|infer:Print "                                      \
    "the given facts too|score:Name every example that goes wrong, not only "  \
    "the first 20; for probabilities, print all")                              \
  X(FLAG, count, "count", NULL, 'c', NULL, 0, 0, NULL, "infer", MAIN,          \
    "Print how many facts each predicate has instead of the facts")            \
  X(TEXT, query, "query", NULL, 0, "ATOM", 0, 0, NULL, "infer", MAIN,          \
    "Print only facts that match ATOM, such as 'reach(a,X)', or the answers "  \
    "to a conjunction of atoms; also as the last operand")                     \
  X(COUNT, top, "top", NULL, 0, "K", 1, 1e9, NULL, "infer", MAIN,              \
    "Print the K most likely answers to the query, by a model that learn "     \
    "made from a graph")                                                       \
  X(PATH, queries, "queries", NULL, 0, "FILE", 0, 0, NULL, "infer", MAIN,      \
    "With --top: answer every query in FILE, one per line such as "            \
    "likes(ann,X), in their order")                                            \
  X(FLAG, explain, "explain", NULL, 0, NULL, 0, 0, NULL, "infer", MAIN,        \
    "With --top: print the rules behind each answer and the facts they use")   \
  X(FLAG, sort, "sort", NULL, 's', NULL, 0, 0, NULL, "infer", MAIN,            \
    "Print the facts by name instead of in the order derived")                 \
  X(TEXT, target, "target", NULL, 0, "NAME", 0, 0, NULL, "learn", MAIN,        \
    "Learn to predict only the links NAME(X,Y) of a graph")                    \
  X(FLAG, worlds, "worlds", NULL, 0, NULL, 0, 0, NULL, "learn", MAIN,          \
    "Take each file as a world of its own, as folders always are: other "      \
    "constants and facts, the same rules (pith help worlds)")                  \
  X(PATH, templates, "templates", NULL, 0, "FILE", 0, 0, NULL,                 \
    "learn compress bench", MAIN,                                              \
    "|learn:Take the templates from FILE instead of the task's folder, or "    \
    "learn without any: none|compress:Take the templates from FILE instead "   \
    "of the folder's, or do without: none|bench:none: learn without the "      \
    "templates that the tasks have")                                           \
  X(CHOICE, method, "method", NULL, 0, "WHICH", 0, 0, "methods",               \
    "learn compress bench", LIMITS,                                            \
    "|learn:Search rules exactly, train them by gradient descent, or (auto) "  \
    "search and then train; on a graph: many rules, a few weighted chains "    \
    "for "                                                                     \
    "--target, or templates matched softly|compress:Search rules exactly, or " \
    "train them by "                                                           \
    "gradient descent where there are templates; auto does both|bench:How "    \
    "tasks without templates are learned, as in learn")                        \
  X(COUNT, max_rules, "max-rules", NULL, 0, "N", 1, 64, NULL,                  \
    "learn compress", LIMITS, "At most N rules in a theory")                   \
  X(COUNT, max_body, "max-body", NULL, 0, "N", 1, 12, NULL, "learn compress",  \
    LIMITS,                                                                    \
    "At most N atoms in the body of a rule|compress:; default 2; 1 to 3")      \
  X(COUNT, max_vars, "max-vars", NULL, 0, "N", 1, 16, NULL, "learn", LIMITS,   \
    "At most N variables in a rule")                                           \
  X(COUNT, max_invented, "max-invented", NULL, 0, "N", 0, 64, NULL,            \
    "learn compress", LIMITS,                                                  \
    "Invent at most N predicates|learn:; 0 to 4|compress:; default 8, or "     \
    "with templates those that they name")                                     \
  X(FLAG, closed_world, "closed-world", NULL, 0, NULL, 0, 0, NULL, "learn",    \
    MAIN,                                                                      \
    "Take what is not listed as false, where a predicate has positive "        \
    "examples only; of many such atoms some are drawn")                        \
  X(CHOICE, constants, "constants", NULL, 0, "WHETHER", 0, 0, "auto on off",   \
    "learn", LIMITS,                                                           \
    "Whether rules may name constants: on tries them from the start, off "     \
    "only in comparisons, auto where nothing else fits or much is saved")      \
  X(FLAG, open, "open", NULL, 0, NULL, 0, 0, NULL, "compress", MAIN,           \
    "Treat what was not observed as unknown instead of false: rules may "      \
    "predict it")                                                              \
  X(CHOICE, noise, "noise", NULL, 0, "WHETHER", 0, 0, "auto on off",           \
    "learn compress", MAIN,                                                    \
    "Whether some of the data may be wrong: on weighs errors against the "     \
    "length of the rules, off lets nothing be wrong|learn:, auto first tries " \
    "to fit every example|compress:, auto weighs")                             \
  X(REAL, hold_out, "hold-out", NULL, 0, "SHARE", 0.001, 0.9, NULL,            \
    "compress", MAIN,                                                          \
    "Hide this share of all atoms, and report how many of the hidden facts "   \
    "follow")                                                                  \
  X(PATH, test, "test", NULL, 0, "FILE", 0, 0, NULL, "compress", MAIN,         \
    "Report how many of the facts in FILE follow")                             \
  X(PATH, certify, "certify", NULL, 0, "FILE", 0, 0, NULL, "compress", MAIN,   \
    "Write an answer set program to FILE and have clingo prove with it that "  \
    "the core is minimal")                                                     \
  X(CHOICE, types, "types", NULL, 0, "WHETHER", 0, 0, "on off", "compress",    \
    LIMITS, "Infer which arguments are of the same kind, and join only those") \
  X(COUNT, seed, "seed", NULL, 0, "N", 1, 4294967295.0, NULL,                  \
    "learn compress", TRAINING, "Seed of the random numbers; default 1")       \
  X(COUNT, restarts, "restarts", NULL, 0, "N", 1, 1e6, NULL, "learn compress", \
    TRAINING, "Train from at most N random initialisations; default 64")       \
  X(COUNT, epochs, "epochs", NULL, 0, "N", 1, 1e9, NULL, "learn compress",     \
    TRAINING, "Train each of them for at most N epochs")                       \
  X(COUNT, steps, "steps", NULL, 'k', "K", 1, 4294967295.0, NULL,              \
    "learn compress infer explain score", TRAINING,                            \
    "Apply all rules at once, K times|learn:; default: as the templates "      \
    "say|compress:; default: as the templates say|infer:; default: until "     \
    "nothing new follows|explain:; default: until nothing new "                \
    "follows|score:; default: until nothing new follows")                      \
  X(CHOICE, search, "search", NULL, 0, "WHETHER", 0, 0, "on off", "learn",     \
    TRAINING,                                                                  \
    "Also improve trained rules by exchanging one predicate at a "             \
    "time")                                                                    \
  X(COUNT, keep, "keep", NULL, 0, "N", 1, 1e4, NULL, "learn", MAIN,            \
    "Show the N best theories; default 1")                                     \
  X(FLAG, go_on, "go-on", NULL, 0, NULL, 0, 0, NULL, "learn", TRAINING,        \
    "Do not stop at the first theory that fits every example")                 \
  X(CHOICE, semantics, "semantics", NULL, 0, "WHICH", 0, 0, "best paper text", \
    "learn compress bench", PAPER,                                             \
    "Train in pith's own way, as the code of Campero et al. (2018) does, or "  \
    "as their text says")                                                      \
  X(CHOICE, embeddings, "embeddings", NULL, 0, "WHICH", 0, 0,                  \
    "trained onehot onehot-start", "learn compress bench", PAPER,              \
    "Train the embeddings of predicates, or fix them; onehot-start: train "    \
    "them from one-hot, as the paper's code always does for rules")            \
  X(CHOICE, conjunction, "conjunction", NULL, 0, "WHICH", 0, 0,                \
    "auto product minimum", "learn compress bench", PAPER,                     \
    "How AND is computed; auto: paper minimum, text product")                  \
  X(FLAG, clamp, "clamp", NULL, 0, NULL, 0, 0, NULL, "learn compress bench",   \
    PAPER, "With --semantics text: hold embeddings in [0,1]")                  \
  X(FLAG, core_half, "core-half", NULL, 0, NULL, 0, 0, NULL, "compress",       \
    PAPER,                                                                     \
    "With --semantics paper: core facts start at one half, as the text says; " \
    "without it anywhere, as the code has it")                                 \
  X(TEXT, schedule, "schedule", NULL, 0, "WHICH", 0, 0, NULL, "learn bench",   \
    PAPER,                                                                     \
    "With --semantics paper: how noise fades: slow, the authors' a or b, "     \
    "none, or START,FACTOR,EVERY[,held]; default slow")                        \
  X(REAL, rate, "rate", NULL, 0, "RATE", 1e-6, 100, NULL, "learn compress",    \
    TRAINING, "Learning rate; default: that of the semantics")                 \
  X(REAL, lambda, "lambda", NULL, 0, "PENALTY", 1e-6, 1e6, NULL, "compress",   \
    TRAINING, "Cost of a core fact during training")                           \
  X(PATH, checkpoint, "checkpoint", NULL, 0, "FILE", 0, 0, NULL,               \
    "learn compress score infer", TRAINING,                                    \
    "|learn:With templates, or of a graph: keep in FILE what was computed, "   \
    "and go on from there if it exists|compress:With templates: keep in FILE " \
    "what was trained, and go on from there if it exists|score:Of a graph: "   \
    "keep in FILE what was computed, and go on from there if it "              \
    "exists|infer:With --queries: keep in FILE what was answered, and go on "  \
    "from there if it exists")                                                 \
  X(CHOICE, progress, "progress", NULL, 0, "WHEN", 0, 0, "auto on off json",   \
    "learn compress infer explain score", GENERAL,                             \
    "Report progress: on a terminal, always, never, or as events in the "      \
    "result")                                                                  \
  X(COUNT, seeds, "seeds", NULL, 0, "N", 1, 1e5, NULL, "bench", MAIN,          \
    "Learn each task from N seeds; default 20")                                \
  X(TEXT, tasks, "tasks", NULL, 0, "NAMES", 0, 0, NULL, "bench", MAIN,         \
    "Run only these tasks, such as fizz,buzz")                                 \
  X(PATH, data, "data", NULL, 0, "FOLDER", 0, 0, NULL, "bench", MAIN,          \
    "Take the tasks from FOLDER; default data/ilp or data/theory")             \
  X(COUNT, jobs, "jobs", NULL, 'j', "N", 1, 256, NULL,                         \
    "learn score infer bench", GENERAL,                                        \
    "Use N threads; the result stays the same|learn:; default: one per "       \
    "core|score:; default: one per core|infer:; for --queries; default: one "  \
    "per core|bench:; default 1")                                              \
  X(DURATION, timeout, "timeout", NULL, 't', "TIME", 0.001, 1e9, NULL,         \
    READERS " report bench", MAIN,                                             \
    "Stop after TIME from the start, such as 90, 90s, 1.5m or 2h|learn:, and " \
    "print the best so far|compress:, and print the best so far|infer:, and "  \
    "print what was derived|bench:, after the rows that are done")             \
  X(SIZE, memory, "memory", NULL, 'm', "SIZE", 64 * KIB, 1e6 * GIB, NULL, "*", \
    GENERAL,                                                                   \
    "Use at most SIZE of memory, such as 500M or 2G; default: nine tenths of " \
    "the machine's")                                                           \
  X(FLAG, drop, "drop", NULL, 0, NULL, 0, 0, NULL, "convert", MAIN,            \
    "Leave out what the format cannot hold instead of refusing")               \
  X(FLAG, ground, "ground", NULL, 0, NULL, 0, 0, NULL, "convert", MAIN,        \
    "Have SWI-Prolog compute the facts of a background that is not Datalog "   \
    "(lists, arithmetic), over the constants of facts and examples. This "     \
    "runs "                                                                    \
    "the background as a program, without files, network and other programs "  \
    "unless --trust is given")                                                 \
  X(FLAG, trust, "trust", NULL, 0, NULL, 0, 0, NULL, "convert", MAIN,          \
    "With --ground: load the background without these limits; it may then do " \
    "whatever you may do")                                                     \
  X(TEXT, preds, "preds", NULL, 0, "NAMES", 0, 0, NULL, "convert", MAIN,       \
    "With --ground: compute these predicates, such as double/2,small/1; "      \
    "default: those that bias.pl allows in bodies")                            \
  X(FLAG, strict, "strict", NULL, 0, NULL, 0, 0, NULL, "check", MAIN,          \
    "Exit with 1 if there is a warning")                                       \
  X(FLAG, quiet, "quiet", NULL, 'q', NULL, 0, 0, NULL, "*", GENERAL,           \
    "Print only the result: no comments around it, no warnings, no progress")  \
  X(FLAG, verbose, "verbose", NULL, 'v', NULL, 0, 0, NULL, "*", GENERAL,       \
    "Report on standard error what was read, the time and the memory")         \
  X(FLAG, help, "help", NULL, 'h', NULL, 0, 0, NULL, "* pith", GENERAL,        \
    "Print help and exit")                                                     \
  X(FLAG, version, "version", NULL, 'V', NULL, 0, 0, NULL, "pith", GENERAL,    \
    "Print the version, the compiler and the optional libraries, and exit")    \
  X(FLAG, man, "man", NULL, 0, NULL, 0, 0, NULL, "pith", GENERAL,              \
    "Print the man page and exit")                                             \
  X(CHOICE, completions, "completions", NULL, 0, "SHELL", 0, 0,                \
    "bash zsh fish", "pith", GENERAL, "Print completions for SHELL and exit")

typedef enum {
  FLAG,
  COUNT,
  REAL,
  DURATION, /* in seconds */
  SIZE,
  CHOICE,
  TEXT,
  PATH
} option_kind;

/* The sections of --help, in their order. */
typedef enum {
  MAIN,
  LIMITS,
  TRAINING,
  GENERAL,
  TABLES,
  PAPER,
  SECTIONS
} option_section;

#define X(...) +1
enum { OPTION_COUNT = 0 OPTION_LIST(X) };
#undef X

/* Zero, false and NULL: not given. A CHOICE not given is set to its first
** when the command is known. */
typedef struct {
#define TYPE_FLAG bool
#define TYPE_COUNT uint32_t
#define TYPE_REAL double
#define TYPE_DURATION double
#define TYPE_SIZE uint64_t
#define TYPE_CHOICE const char *
#define TYPE_TEXT const char *
#define TYPE_PATH const char *
#define X(kind, field, ...) TYPE_##kind field;
  OPTION_LIST(X)
#undef X
  bool given[OPTION_COUNT]; /* on the command line */
} settings;

typedef struct {
  option_kind kind;
  const char *name, *alias; /* without dashes; the alias may be NULL */
  char letter;              /* or 0 */
  const char *value;        /* its name in help; NULL: a flag */
  double low, high;         /* inclusive */
  const char *choices;      /* words; the first is the default */
  const char *commands;     /* words */
  option_section section;
  const char *help;
  size_t place; /* in settings */
} option;

struct session;

typedef struct {
  const char *name;
  const char *operands; /* as in the usage line */
  size_t least;         /* how many operands it needs */
  const char *formats;  /* words; the first is the default */
  const char *words;    /* that its operand may be; NULL: operands are files */
  const char *summary;  /* one line */
  const char *about;    /* a paragraph: what it does */
  const char *details;  /* paragraphs, separated by "\n\n"; may be NULL */
  const char *examples; /* lines; each a command */
  int (*run)(struct session *s);
} command;

extern const option options[OPTION_COUNT];
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

/* The option's field in the settings. The name must be in the table. */
const option *option_find(const char *name);
bool setting_given(const settings *set, const char *name);

/* Refuses these options if they were given: "--NAME has no effect WHY". Returns
** 0 or EXIT_USE. */
int settings_refuse(const settings *set, const char *names, const char *why);

bool option_taken(const option *o, const char *command_name);

/* The help text as it reads for one command; NULL is the program itself. */
enum { HELP_ROOM = 512 };
const char *option_help(char room[HELP_ROOM], const option *o,
                        const command *c);

/* The words it may be, or NULL when it is no CHOICE. c: NULL is the program
** itself. */
const char *option_choices(const option *o, const command *c);

/* The next of words separated by blanks, and *at moved behind it; false at the
** end. */
bool word_next(const char **at, const char **word, size_t *n);
bool word_in(const char *words, const char *word);
bool text_is(const char *text, const char *word); /* false for NULL */

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
