/* pith: learns the theory behind observed facts.
**
** A handle holds facts, rules, examples and templates. Read or add them, then
**
**   pith_learn     finds rules that explain the examples
**   pith_compress  finds rules and core facts that entail all facts
**   pith_infer     derives what follows; pith_explain proves it
**   pith_score     compares what follows with the examples
**
**   pith *p;
**   pith_learned *found;
**   if (pith_new(&p) == PITH_OK &&
**       pith_read(p, "task", PITH_AUTO) == PITH_OK &&
**       pith_learn(&p, 1, NULL, &found) >= 0)
**     for (size_t i = 0; i < pith_learned_info(found, 0)->rules; i++)
**       use(pith_learned_rule(found, 0, i));
**
** Calls return a status; zero or more is success. A handle has one owner and
** one thread at a time; two handles share nothing. Inputs are copied. A const
** pointer that we return belongs to the handle and lives until the handle is
** next changed. Ids, indexes, counts, enum values and numbers are checked: what
** is wrong gives PITH_EARG or PITH_EARITY and changes nothing; accessors return
** NULL, PITH_NONE, NaN or 0. Pointers must be valid, and are not NULL except
** where a comment says so or there is nothing to point to. The library never
** prints and never exits.
**
** This header is the stable tier. With PITH_EXPERIMENTAL defined it includes
** pith_experimental.h as well, which any version may change: graph models,
** probabilities, the paper's semantics. */
#ifndef PITH_H
#define PITH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define PITH_API __attribute__((visibility("default")))
#define PITH_PRINTF(f, a) __attribute__((format(printf, f, a)))
#else
#define PITH_API
#define PITH_PRINTF(f, a)
#endif

#define PITH_VERSION_MAJOR 0
#define PITH_VERSION_MINOR 1
#define PITH_VERSION_PATCH 0
#define PITH_VERSION "0.1.0"

/* ---- status ------------------------------------------------------------ */

/* Zero is success, negative a failure, positive a success with a remark. Any
** call that returns a status may return PITH_ENOMEM; a comment mentions it
** only where more than "nothing was changed" is to be said. */
#define PITH_STATUS_LIST(X)                                                    \
  X(OK, 0, "success")                                                          \
  X(STOPPED, 1, "stopped before the end; what was found is usable")            \
  X(UNPROVED, 2, "the atom does not follow")                                   \
  X(FULL, 3, "memory ran out; what was found is usable")                       \
  X(ENOMEM, -1, "out of memory")                                               \
  X(EINPUT, -2, "malformed input")                                             \
  X(EARITY, -3, "wrong number of arguments")                                   \
  X(EARG, -4, "argument out of range")                                         \
  X(EIO, -5, "cannot read or write")                                           \
  X(ELIMIT, -6, "a limit was reached with nothing to show")                    \
  X(EUNSUPPORTED, -7, "not supported by this build")                           \
  X(EINTERNAL, -8, "a fault of pith itself; please report it")

typedef enum {
#define PITH_X(name, code, text) PITH_##name = code,
  PITH_STATUS_LIST(PITH_X)
#undef PITH_X
} pith_status;

PITH_API const char *pith_status_text(pith_status s);
PITH_API const char *pith_version(void);  /* PITH_VERSION of the library */
PITH_API const char *pith_features(void); /* "zlib zstd lzma", or "" */

/* ---- the handle -------------------------------------------------------- */

typedef struct pith pith;

/* Where memory comes from. resize(ctx, NULL, n) allocates, resize(ctx, b, 0)
** frees; it returns NULL to refuse. Blocks are aligned as malloc aligns them.
** A NULL resize means the C library's. */
typedef struct {
  void *(*resize)(void *ctx, void *block, size_t size);
  void *ctx;
  size_t limit; /* bytes that the handle may hold; 0: no limit */
} pith_memory;

PITH_API pith_status pith_new(pith **out);
PITH_API pith_status pith_new_with(const pith_memory *memory, pith **out);
PITH_API void pith_free(pith *p); /* NULL is fine */

/* One sentence about the last failure: file, line, column, what was expected.
** "" if nothing failed. */
PITH_API const char *pith_error(const pith *p);

PITH_API size_t pith_bytes(const pith *p);      /* held now              */
PITH_API size_t pith_bytes_peak(const pith *p); /* the most ever held    */

/* ---- nouns ------------------------------------------------------------- */

typedef uint32_t pith_sym;  /* interned constant                      */
typedef uint32_t pith_pred; /* interned predicate: a name and an arity */
typedef uint32_t pith_term; /* a constant, or a variable of a rule     */

#define PITH_NONE UINT32_MAX
#define PITH_VAR(i) (UINT32_C(0x80000000) | (i)) /* the i-th variable */
#define PITH_IS_VAR(t) (((t)&UINT32_C(0x80000000)) != 0)
#define PITH_VAR_INDEX(t) ((t)&UINT32_C(0x7fffffff))

typedef struct {
  pith_pred pred; /* in a template: the slot's number */
  uint32_t arity;
  const pith_term *args; /* (arity) */
  bool negated; /* \+ atom: it does not hold; in bodies of rules only */
} pith_atom;

typedef struct {
  pith_atom head;
  const pith_atom *body; /* (body_len) */
  uint32_t body_len;
  uint32_t var_count;        /* variables are 0 .. var_count-1    */
  const pith_sym *var_names; /* (var_count), or NULL: A, B, C ... */
  pith_sym file;             /* where it was read, or PITH_NONE   */
  uint32_t line;
  double probability; /* of 0.8::head :- body. 0: none given. Exact logic
                         takes every rule as certain               */
  uint64_t predictions, support; /* as a file gives them; 0: it does not */
} pith_rule;

/* How a rule fares on what was observed; see pith_rule_counts. */
typedef struct {
  uint64_t predictions, support;
  uint64_t pca_predictions; /* whose subject (object) has an observed fact */
  uint64_t observed;        /* facts of the head's predicate               */
  double confidence, pca_confidence, head_coverage; /* NaN: 0/0 */
} pith_counts;

typedef struct pith_out pith_out; /* a place to write; see pith_out_file */

/* ---- reading ----------------------------------------------------------- */

typedef enum {
  PITH_AUTO,      /* decided by the name and the content                     */
  PITH_PROLOG,    /* facts, rules, pos(..), neg(..)                          */
  PITH_TRIPLES,   /* lines of subject, predicate, object; or of two columns  */
  PITH_TEMPLATES, /* in three notations                                      */
  PITH_BIAS,      /* Popper's bias.pl                                        */
  PITH_JSON,      /* JSON lines                                              */
  PITH_CSV,       /* a table with a header line                              */
  PITH_NTRIPLES,  /* RDF, in four notations                                  */
  PITH_NQUADS,
  PITH_TURTLE,
  PITH_TRIG,
  PITH_SQLITE,  /* a database                                             */
  PITH_PROBLOG, /* other logic programs; the third is written only        */
  PITH_ASP,
  PITH_SOUFFLE,
  PITH_SQL, /* tables and views of databases; written only            */
  PITH_POSTGRES,
  PITH_DUCKDB,
  PITH_AMIE, /* rules as miners of graphs write them                   */
  PITH_ANYBURL,
  PITH_GRAPHVIZ, /* rules for people; written only                         */
  PITH_MERMAID,
  PITH_LATEX,
  PITH_ENGLISH,
  PITH_ALEPH,    /* background, examples and modes; read only             */
  PITH_METAGOL,  /* background, metarules and a task; read only           */
  PITH_BOOKTABS, /* rules as a table for LaTeX; written only              */
  PITH_FORMATS   /* how many there are                                      */
} pith_format;

/* Reads a file, or a folder: bk.pl, exs.pl, bias.pl and templates.txt; or the
** train file of a train/valid/test folder. Unpacks .gz, .zst and .xz; "-" is
** standard input. Reading continues after an error, so that one call reports
** all of them, up to a limit; what is in error is not added.
**   PITH_EINPUT        at least one error; see pith_remark_at
**   PITH_EIO           cannot be read
**   PITH_EUNSUPPORTED  packed or written in a way this build does not know
**   PITH_ENOMEM        the handle can only be freed */
PITH_API pith_status pith_read(pith *p, const char *path, pith_format format);
PITH_API pith_status pith_read_text(pith *p, const char *name, const char *text,
                                    size_t n, pith_format format);

typedef enum { PITH_HEADER_AUTO, PITH_HEADER_YES, PITH_HEADER_NO } pith_header;

/* NULL and PITH_AUTO: decided by the content. The texts are the caller's and
** must live until the call returns. */
typedef struct {
  pith_format format;
  const char *relation; /* what lines of two columns are facts of; NULL: the
                           file's name without its ending                 */
  const char *key;      /* of a table: the column that names the rows;
                           "none": a row is one fact of the table's name  */
  const char *columns;  /* of a table: those to read, "age,city"          */
  const char *query;    /* of a database: the rows to read, in SQL        */
  const char *label;    /* of a table: the column to learn, whose cells
                           become examples: "adult", or "risk=high"       */
  pith_header header;   /* whether the first line names the columns       */
  bool several;         /* there are other tables: ignore columns that this
                           one lacks                                      */
} pith_read_options;
PITH_API void pith_read_defaults(pith_read_options *opt);
PITH_API pith_status pith_read_with(pith *p, const char *path,
                                    const pith_read_options *opt);
PITH_API pith_status pith_read_text_with(pith *p, const char *name,
                                         const char *text, size_t n,
                                         const pith_read_options *opt);

/* Reads one part of a graph's folder: "valid" is valid.tsv, .txt, .csv or .nt,
** packed or not. *found: whether the file exists. */
PITH_API pith_status pith_read_part(pith *p, const char *folder,
                                    const char *part,
                                    const pith_read_options *opt, bool *found);

/* How the last file was understood: its format, and a summary such as "9 rows,
** named by the column name". *by_content: whether the content decided, not the
** name; may be NULL. */
PITH_API pith_format pith_read_format(const pith *p, bool *by_content);
PITH_API const char *pith_read_summary(const pith *p);

/* Reads one atom, such as "reach(a,X)". It lives until the next call. */
PITH_API pith_status pith_atom_read(pith *p, const char *text,
                                    const pith_atom **out);

/* An error or a warning about an input. */
typedef struct {
  bool warning;
  const char *file;
  size_t line, column; /* from 1; column in characters; 0: whole file  */
  const char *text;    /* what is wrong; what was expected; how to fix */
  const char *source;  /* the offending line, or ""; long ones are cut */
  size_t caret;        /* characters of source in front of the caret   */
} pith_remark;

PITH_API size_t pith_remark_count(const pith *p);
PITH_API const pith_remark *pith_remark_at(const pith *p, size_t i);
PITH_API size_t pith_remark_errors(const pith *p); /* also those not kept */
PITH_API size_t pith_remark_warnings(const pith *p);

/* ---- a run: limits, stopping, progress --------------------------------- */

/* What learning without templates searches now, or where it found a theory. It
** goes through such spaces from small to large. */
typedef struct {
  uint32_t number, count; /* 1-based index and total; number is 0 if there is
                             no space                                    */
  uint32_t rules, body;   /* most rules per target (0: any number) and atoms
                             per body                                    */
  uint32_t invented;      /* most invented predicates                    */
  bool recursive;
  bool clauses;    /* searched, not trained; what follows is for these */
  bool inequality; /* rules may contain X \= Y       */
  bool constants;  /* rules may name constants       */
  bool noisy;      /* examples may be wrong          */
} pith_space;

/* How far a long call is. Every call sets phase and seconds; the others are 0
** (loss: NaN) where they do not apply. */
typedef struct {
  const char *phase; /* name of the current phase                            */
  uint32_t stage;    /* 1-based index of the phase */
  uint32_t stages;   /* how many there are         */
  uint64_t done, count; /* parts of the phase                              */
  double seconds;       /* since the call began                            */
  /* inference */
  uint64_t facts; /* given and derived so far */
  uint32_t steps; /* rounds so far            */
  /* learning */
  uint32_t restarts, restarts_done;
  uint32_t epoch, epochs; /* of the restarts in training                     */
  double loss;            /* the least of theirs                             */
  uint64_t tried;         /* clauses; restarts and epochs are 0 then         */
  uint64_t wrong;         /* examples that the best theory so far gets wrong */
  pith_space space;       /* that is searched                                */
  /* compression: the best theory so far; rules: of graph models too */
  uint64_t core; /* its facts              */
  uint32_t rules;
  double bits; /* its description length */
} pith_progress;

/* What all long calls share. All zero is a good default, except that the seed
** is 1. */
typedef struct {
  uint64_t seed;           /* same seed, same input: same result             */
  uint32_t jobs;           /* threads; 0: one per core. Changes no result    */
  double seconds;          /* time limit; 0: none                            */
  bool (*stop)(void *ctx); /* called now and then, from any thread but never
                              concurrently; returns true to stop. May be NULL */
  void *stop_ctx;
  void (*progress)(void *ctx, const pith_progress *now); /* may be NULL      */
  void *progress_ctx;
} pith_run;

/* Limits the calls that take no run: reading, adding columns, closing the
** world, proving, counting, writing, and those on models. Each may take
** run->seconds, and ends when run->stop says so; the rest of run is not used.
** A call that is ended returns PITH_ELIMIT: after reading and adding the handle
** can only be freed, what was written is not whole, and all else is as before.
** run->stop is asked too when output that is written piece by piece goes to
** its place. NULL: no limits, as at first. */
PITH_API void pith_limit_calls(pith *p, const pith_run *run);

/* How rules are found: by exact search, by gradient descent, or (auto) by
** search first and then by descent where that can help. */
typedef enum {
  PITH_METHOD_AUTO,
  PITH_METHOD_SEARCH,
  PITH_METHOD_GRADIENT
} pith_method;

/* Whether some of the data may be wrong. Off: everything must fit. On: errors
** are weighed against the length of the rules. Auto: a theory with errors must
** be much better than one without. */
typedef enum { PITH_NOISE_AUTO, PITH_NOISE_ON, PITH_NOISE_OFF } pith_noise;

/* How slots are trained; PITH_PAPER and PITH_TEXT are for comparison. */
typedef enum {
  PITH_BEST,  /* what learns best: docs/method.md                      */
  PITH_PAPER, /* as the code of Campero et al. computes: docs/paper.md */
  PITH_TEXT   /* as their text describes it                            */
} pith_semantics;

/* Details of PITH_PAPER and PITH_TEXT: pith_experimental.h. */
typedef struct pith_variant pith_variant;

/* What a call will cost, estimated from counts before it runs. */
typedef struct {
  uint64_t constants, facts, rules, examples;
  double facts_bound; /* inference: at most this many facts afterwards        */
  double bytes;       /* in all, with what the handles hold now               */
  double seconds;     /* of one core; within a factor of a few                */
  /* learning without templates */
  double least_bytes; /* without this much it cannot begin                    */
  bool recursion;     /* recursive clauses are tried: few enough examples     */
  bool gradient;  /* the gradient invents predicates: few enough constants */
  pith_pred wide; /* a predicate with more than 8 places, which bodies
                     leave out, or PITH_NONE                              */
} pith_estimate;

/* ---- learning: rules from examples ------------------------------------- */

/* All learners have the same shape: options that begin with a run, and a
** function that fills in defaults; a cost; the call, whose result belongs to
** its first handle and must be freed before it; the result's info, its rule i,
** and a function that adds it to a handle or writes it. */
typedef struct {
  pith_run run;
  /* without templates; 0: as bias.pl says, or as the search needs */
  pith_method method;
  uint32_t max_rules, max_body, max_vars; /* per theory, per rule, per rule */
  uint32_t max_invented; /* predicates; 0: none; PITH_NONE: as bias.pl says,
                            or as the search needs                          */
  pith_noise noise;
  bool constants;    /* try constants in rules from the start       */
  bool no_constants; /* name none in rules but in comparisons; wins */
  /* training; 0: the default of the semantics, or what the templates say */
  uint32_t restarts; /* random initialisations, at most                 */
  uint32_t epochs;   /* of each restart, at most                        */
  uint32_t steps;    /* of forward chaining                             */
  double rate;       /* learning rate                                   */
  pith_semantics semantics;
  const pith_variant *variant; /* NULL: the defaults                    */
  bool search;                 /* improve decoded rules by discrete moves */
  bool go_on;                  /* do not stop at the first exact theory   */
  bool each;     /* return every restart's theory, in order, instead of the best
                    few: no restart stops early, none is searched from      */
  uint32_t keep; /* theories to return, best first             */
  const char *checkpoint; /* a file to save to and continue from, or NULL */
} pith_learn_options;
PITH_API void pith_learn_defaults(pith_learn_options *opt);

/* Theories, best first. */
typedef struct pith_learned pith_learned;

/* Learns rules from the templates, facts and examples of worlds[0] and the
** facts and examples of the other worlds: separate constants, shared rules.
** Without templates it searches clauses by size, the smallest theory first,
** and leaves to the gradient what needs invented predicates. opt may be NULL.
**   PITH_STOPPED  the run ended early; the best so far is in out
**   PITH_FULL     memory ran out; likewise
**   PITH_EINPUT   no examples, or a template that cannot be used
**   PITH_ELIMIT   by gradient alone: the smallest space is too large
**   PITH_EIO      the checkpoint */
PITH_API pith_status pith_learn(pith *const *worlds, size_t world_count,
                                const pith_learn_options *opt,
                                pith_learned **out);

/* What learning without templates will cost if nothing fits. */
PITH_API pith_status pith_learn_cost(pith *const *worlds, size_t world_count,
                                     pith_estimate *out);

/* What found a theory: the gradient of the first restart, of another restart,
** discrete moves on decoded rules, or the search of clauses. */
typedef enum {
  PITH_GRADIENT,
  PITH_RESTART,
  PITH_SEARCH,
  PITH_CLAUSES
} pith_stage;

typedef struct {
  bool solved; /* every example of every world fits: checked exactly */
  pith_stage stage;
  uint32_t restart, epoch; /* where it was found            */
  uint64_t fp, fn;         /* examples that do not fit      */
  uint32_t rules, size;    /* size: rules and body atoms    */
  double loss, error;      /* soft: cross-entropy and mean squared error; NaN if
                              found by search                                 */
  pith_space space;        /* where it was found                              */
  /* bits, where examples may be wrong: of the rules, of the examples that they
  ** get wrong, and of naming the positive examples instead; else 0 */
  double rule_bits, error_bits, label_bits;
  /* if the rules may merely repeat the examples: how many examples were left
  ** out, learned without and predicted, and how many of these correctly */
  uint64_t left_out, left_out_right;
  bool by_heart; /* no better than always predicting the more frequent sign */
  bool maybe_by_heart; /* two or more wrong, and more than one in ten; or not
                          all were tried                                  */
  uint32_t merged;     /* pairs of predicates that training made one */
} pith_theory_info;

/* Two predicates that the trained slots cannot tell apart. They were read in
** the way that fits the examples best: as the first; as one in some slots and
** as the other in others; or as both, each in a rule of its own. */
typedef enum { PITH_READ_FIRST, PITH_READ_EITHER, PITH_READ_BOTH } pith_reading;
typedef struct {
  pith_pred first, second;
  pith_reading reading;
} pith_merged;

PITH_API size_t pith_learned_count(const pith_learned *l);
PITH_API const pith_theory_info *pith_learned_info(const pith_learned *l,
                                                   size_t i);
/* Rule r of theory i. */
PITH_API const pith_rule *pith_learned_rule(const pith_learned *l, size_t i,
                                            size_t r);
/* The least similarity between the rule's slots and their predicates; NaN for
** rules found by search. */
PITH_API double pith_learned_similarity(const pith_learned *l, size_t i,
                                        size_t r);
PITH_API const pith_merged *pith_learned_merged(const pith_learned *l, size_t i,
                                                size_t m);
PITH_API uint32_t pith_learned_restarts(const pith_learned *l); /* done */
PITH_API uint64_t pith_learned_epochs(const pith_learned *l);   /* done */
PITH_API uint32_t pith_learned_steps(const pith_learned *l); /* of chaining */

/* Adds the rules of theory i to a world, for pith_infer, pith_score and
** pith_rule_counts. PITH_EARG: there is no such theory. */
PITH_API pith_status pith_learned_adopt(const pith_learned *l, size_t i,
                                        pith *p);
PITH_API void pith_learned_free(pith_learned *l);

/* ---- compression: a theory behind facts -------------------------------- */

typedef struct {
  pith_run run;       /* jobs is not used: one thread                        */
  pith_method method; /* the gradient needs templates; auto uses it if there
                         are any                                             */
  uint32_t max_rules; /* per theory; 0: any number                           */
  uint32_t max_body;  /* atoms per body, 1 to 3; templates have their own    */
  uint32_t max_invented; /* predicates; with templates, those that they name */
  pith_noise noise;
  bool types; /* infer which argument places share constants, and join only
                 those                                                       */
  bool open;  /* what was not observed is unknown rather than false: rules may
                 predict it                                                  */
  double hold_out; /* the share of all atoms, true or false, to hide from the
                      search                                                 */
  /* training; 0: the default of the semantics, or what the templates say */
  uint32_t restarts;
  uint32_t epochs;
  uint32_t steps;
  double rate;
  double lambda;            /* cost of a core fact in training               */
  pith_semantics semantics; /* PITH_PAPER, PITH_TEXT: by gradient alone, and
                               the theory as it was learned                  */
  const pith_variant *variant;
  bool each; /* train every restart to the end                               */
  const pith *meant; /* compare its rules with what each restart learned, for
                        pith_compressed_restart; may be NULL                 */
} pith_compress_options;
PITH_API void pith_compress_defaults(pith_compress_options *opt);

/* A theory: rules and core facts. */
typedef struct pith_compressed pith_compressed;

/* Finds rules and core facts that entail the given facts of p and, as far as
** possible, nothing else, with the fewest bits. Facts that rules of p derive
** count as observed. Names of invented predicates are added to p; its facts
** and rules stay as they are. opt may be NULL.
**   PITH_STOPPED  the run ended early; the best so far is in out
**   PITH_EINPUT   no facts, or nothing for the gradient to learn
**   PITH_EARG     an option is out of range */
PITH_API pith_status pith_compress(pith *p, const pith_compress_options *opt,
                                   pith_compressed **out);

typedef struct {
  bool complete;     /* the search ended by itself                            */
  bool exact;        /* the closure of core and rules is the observations,
                        invented predicates aside: checked exactly            */
  uint64_t observed; /* facts                                                 */
  uint64_t core;     /* facts, those of invented predicates included          */
  uint32_t rules, invented;
  uint64_t extra;   /* facts that follow but were not observed                */
  uint64_t missing; /* observed facts that do not follow                      */
  uint64_t held_out, held_out_right; /* hidden facts; those that follow       */
  uint64_t held_out_wrong; /* hidden atoms that follow but are not facts      */
  double bits_before, bits_after; /* description lengths                      */
  uint64_t bound; /* no core for these rules has fewer facts; 0: unknown      */
  bool minimal; /* proved: the core has as few facts as the bound. False if the
                   search was cut short                                    */
  const char *by; /* what found the rules: "search" or "gradient"; "none": the
                     observations stand as they are                           */
} pith_compress_info;
PITH_API const pith_compress_info *
pith_compressed_info(const pith_compressed *c);

/* Rule i, and how it fares on the observations and on the extensions of
** invented predicates. */
PITH_API const pith_rule *pith_compressed_rule(const pith_compressed *c,
                                               size_t i);
PITH_API const pith_counts *pith_compressed_counts(const pith_compressed *c,
                                                   size_t i);

/* The core facts, the facts that follow but were not observed, and the observed
** facts that do not follow, predicate by predicate. False if there is no i-th.
** The atom's arguments belong to c. value (may be NULL): of a core fact, how
** sure the gradient was of it. */
typedef enum { PITH_CORE, PITH_EXTRA, PITH_MISSING } pith_compressed_part;
PITH_API bool pith_compressed_fact(const pith_compressed *c,
                                   pith_compressed_part part, size_t i,
                                   pith_atom *fact, double *value);

/* Invented predicate i, and in words where it comes from ("first in mother,
** wife"); about may be NULL. PITH_NONE if there is no i-th. */
PITH_API pith_pred pith_compressed_invented(const pith_compressed *c, size_t i,
                                            const char **about);

/* Adds rules and core facts to a handle, for pith_infer and pith_explain. */
PITH_API pith_status pith_compressed_adopt(const pith_compressed *c, pith *p);
PITH_API void pith_compressed_free(pith_compressed *c);

/* ---- inference and proofs ---------------------------------------------- */

typedef struct {
  pith_run run;   /* seed and jobs are not used                            */
  uint32_t steps; /* apply all rules at once, this often; 0: to the end    */
  bool examples;  /* of predicates that no body contains, derive only what is
                     an example: enough for pith_score, and often much less */
  uint64_t facts; /* stop when there are more; 0: never                    */
} pith_infer_options;
PITH_API void pith_infer_defaults(pith_infer_options *opt);

typedef struct {
  uint64_t given, derived;
  uint32_t steps; /* rounds that added something */
  bool complete;  /* nothing more follows        */
  double seconds;
  size_t peak_bytes;
} pith_infer_info;

/* Adds to the handle what follows from its facts and rules. opt and info may be
** NULL.
**   PITH_STOPPED  steps, facts or the run ended it; what was derived stays
**   PITH_EINPUT   the rules are not stratified
**   PITH_ENOMEM   what was derived is forgotten; the handle is as before */
PITH_API pith_status pith_infer(pith *p, const pith_infer_options *opt,
                                pith_infer_info *info);
PITH_API pith_status pith_infer_cost(const pith *p, pith_estimate *out);

/* Whether the rules are stratified: no predicate depends on its own negation.
** pith_infer checks that itself.
**   PITH_EINPUT  they are not; pith_error names the cycle */
PITH_API pith_status pith_rules_check(pith *p);

/* Why an atom holds, or why it does not. */
typedef struct pith_proof pith_proof;
typedef enum {
  PITH_TREE,       /* one fact per line, what it needs indented below it */
  PITH_PROOF_JSON, /* a "proof" event; nodes refer to each other by number */
  PITH_DOT,        /* a graph for Graphviz                               */
  PITH_LINE        /* the gist in one line, without a newline            */
} pith_proof_format;

/* Infers if necessary, and proves the ground atom in the fewest steps. Every
** proof is checked again, rule by rule, before it is returned.
**   PITH_UNPROVED  it does not follow; the proof shows which rule comes
**                  nearest and which body atom fails
**   PITH_EARG      the atom has variables */
PITH_API pith_status pith_explain(pith *p, const pith_atom *atom,
                                  pith_proof **out);
PITH_API pith_status pith_proof_write(const pith *p, const pith_proof *proof,
                                      pith_proof_format format, pith_out *o);
PITH_API uint32_t pith_proof_steps(const pith_proof *proof);
PITH_API size_t pith_proof_size(const pith_proof *proof); /* rule uses */
PITH_API void pith_proof_free(pith_proof *proof);

/* ---- scores ------------------------------------------------------------ */

/* Which examples the rule gives in one step from what holds; call pith_infer
** first. out: (pith_example_count).
**   PITH_EARG, PITH_EARITY, PITH_EINPUT  as pith_rule_add; PITH_ENOMEM */
PITH_API pith_status pith_rule_covers(pith *p, const pith_rule *rule,
                                      bool *out);

/* How the derived facts fit the examples; call pith_infer first. An example is
** predicted true if it holds. */
typedef struct {
  uint64_t tp, fp, tn, fn;
  double accuracy, precision, recall, f1; /* NaN: 0/0 */
} pith_scores;
PITH_API pith_status pith_score(pith *p, pith_scores *out);

/* Counts as AMIE defines them: the body is matched against the observed facts
** and positive examples (for a predicate without any, against what pith_infer
** derived); predictions are the different head atoms, support those of them
** that were observed. For a head p(x,y) the PCA counts predictions whose x has
** some observed p(x,_) or, if p has more different y than x, whose y has some
** observed p(_,y); for other heads it counts all. The rule need not be in the
** handle.
**   PITH_EARG, PITH_EARITY, PITH_EINPUT  as pith_rule_add */
PITH_API pith_status pith_rule_counts(pith *p, const pith_rule *rule,
                                      pith_counts *out);

/* The same over labelled atoms alone, if the head's predicate has negative
** examples: predictions are the examples that the rule derives from what is
** known or was derived before, support the positive ones among them, observed
** all positive ones; there is no PCA (NaN).
** Without negative examples: as pith_rule_counts. */
PITH_API pith_status pith_rule_labelled(pith *p, const pith_rule *rule,
                                        pith_counts *out);

/* The credible interval of a share, given hits out of tries and a uniform
** prior: it lies between low and high with the given probability (0.95, say),
** and is as likely below as above. low is 0 if hits is, high is 1 if hits is
** tries. More hits than tries, or a probability that is not between 0 and 1:
** 0 and 1, for nothing is known. */
PITH_API void pith_interval(uint64_t hits, uint64_t tries, double probability,
                            double *low, double *high);

/* ---- constants and predicates ------------------------------------------ */

/* The name abc and the number 12; the name '12' is not the number 12. A ground
** compound term such as f(x,2) is one constant; its text is the whole term. */
typedef enum { PITH_NAME, PITH_NUMBER, PITH_COMPOUND } pith_sym_kind;

/* Interns text[0..n). A number is one constant whatever its spelling: 007 is 7,
** 1_000 is 1000, 0x1F is 31, 1.50 and 15.0e-1 are 1.5. The integer 1 and the
** decimal 1.0 are different constants of equal value.
**   PITH_EARG  text is not a valid number, is a decimal beyond the range of a
**              double, contains a NUL byte, or is not valid UTF-8 */
PITH_API pith_status pith_sym_add(pith *p, const char *text, size_t n,
                                  pith_sym_kind kind, pith_sym *out);
PITH_API pith_sym pith_sym_find(const pith *p, const char *text, size_t n,
                                pith_sym_kind kind); /* or PITH_NONE */
PITH_API const char *pith_sym_text(const pith *p, pith_sym s); /* NUL-ended */
PITH_API pith_sym_kind pith_sym_kind_of(const pith *p, pith_sym s);
PITH_API size_t pith_sym_count(const pith *p);

/* Numbers are ordered by value; names that are ISO 8601 dates, '2024-03-01' or
** '2024-03-01T14:30:00Z', by time; times of day, '08:30' or '08:30:15', by the
** clock. Other constants have no order. */
typedef enum {
  PITH_ORDER_NONE,
  PITH_ORDER_NUMBER,
  PITH_ORDER_DATE,
  PITH_ORDER_TIME
} pith_order;

/* A constant's order, and its place there: the number rounded to a double, or
** the seconds from 1970 to the date or from midnight to the time of day; value
** may be NULL. O(1). */
PITH_API pith_order pith_sym_order(const pith *p, pith_sym s, double *value);

/* Builtin predicates, for the bodies of rules. They are evaluated, not looked
** up: no fact or rule can define them, and other atoms of the body must bind
** their variables. = and \= compare constants as they are written; the others
** compare values, and are false if either side has no order, or if both have
** different ones, such as a number and a date. */
#define PITH_EQUAL ((pith_pred)0)         /* X = Y   */
#define PITH_DIFFERENT ((pith_pred)1)     /* X \= Y  */
#define PITH_LESS ((pith_pred)2)          /* X < Y   */
#define PITH_LESS_EQUAL ((pith_pred)3)    /* X =< Y  */
#define PITH_GREATER ((pith_pred)4)       /* X > Y   */
#define PITH_GREATER_EQUAL ((pith_pred)5) /* X >= Y  */
#define PITH_SAME_VALUE ((pith_pred)6)    /* X =:= Y */
#define PITH_OTHER_VALUE ((pith_pred)7)   /* X =\= Y */
#define PITH_BUILTINS 8
#define PITH_IS_BUILTIN(pred) ((pred) < PITH_BUILTINS)
#define PITH_IS_COMPARISON(pred) ((pred) >= PITH_LESS && PITH_IS_BUILTIN(pred))

/* Whether a OP b holds, for a builtin predicate; exact. */
PITH_API bool pith_sym_compare(const pith *p, pith_pred op, pith_sym a,
                               pith_sym b);

PITH_API pith_status pith_pred_add(pith *p, const char *name, size_t arity,
                                   pith_pred *out);
PITH_API pith_pred pith_pred_find(const pith *p, const char *name,
                                  size_t arity); /* or PITH_NONE */
PITH_API const char *pith_pred_name(const pith *p, pith_pred pred);
PITH_API size_t pith_pred_arity(const pith *p, pith_pred pred); /* or 0 */
PITH_API size_t pith_pred_count(const pith *p);

/* What a predicate is for; a set of flags, from what was read. */
typedef enum {
  PITH_TARGET = 1,   /* has examples, or bias.pl names it as head     */
  PITH_INVENTED = 2, /* an `invented:` line of the templates names it */
  PITH_BODY = 4      /* bias.pl allows it in bodies                   */
} pith_role;
PITH_API unsigned pith_pred_roles(const pith *p, pith_pred pred);

/* ---- facts, rules, examples -------------------------------------------- */

typedef enum { PITH_GIVEN = 1, PITH_DERIVED = 2, PITH_ALL = 3 } pith_part;

/* Adds the fact pred(args[0], ..., args[n-1]); amortised O(n). Adding a fact
** twice is no error. What was derived before is forgotten.
**   PITH_EARG    no such predicate or constant, or a builtin such as =
**   PITH_EARITY  n is not the arity of pred */
PITH_API pith_status pith_fact_add(pith *p, pith_pred pred,
                                   const pith_sym *args, size_t n);

/* A column of constants, laid out as Arrow does: a data frame's memory as it
** stands, which is read and not kept. */
typedef enum {
  PITH_COLUMN_INT,  /* int8_t to int64_t, by width                          */
  PITH_COLUMN_UINT, /* uint8_t to uint64_t                                  */
  PITH_COLUMN_REAL, /* float, double                                        */
  PITH_COLUMN_BOOL, /* bits; become the names true and false                */
  PITH_COLUMN_TEXT, /* names in UTF-8: bytes, and offsets of width 4 or 8   */
  PITH_COLUMN_VIEW, /* names: views of 16 bytes, and the buffers they name  */
  PITH_COLUMN_CODE  /* rows of a dictionary: int8_t to int64_t              */
} pith_column_kind;

typedef struct pith_column {
  pith_column_kind kind;
  uint32_t width;             /* bytes of a value, an offset or a code       */
  size_t first;               /* row 0 is there in values, offsets and valid */
  const void *values;         /* of texts: their bytes                       */
  const void *offsets;        /* of texts: (rows + 1)                        */
  const void *const *buffers; /* of views                                   */
  const uint8_t *valid;       /* bits: the value is there; NULL: all are     */
  const struct pith_column *dictionary; /* of codes; itself not of codes    */
  size_t dictionary_rows;
} pith_column;

typedef struct {
  size_t row, column; /* from 0 */
} pith_place;

/* Adds a fact for each row of n columns, as pith_fact_add would, one after the
** other; about five million a second. A row with a missing value is left out if
** skip_missing, else refused; NaN and negative codes are missing values, too.
** If bad is not NULL it gets the place of the value that was refused.
**   PITH_EINPUT  a value that is missing, not finite, out of range, not valid
**                UTF-8, a code without a word, or a text whose offsets go
**                backwards; rows before it may have been added
**   PITH_EARG    no such predicate, or a kind or width that there is not
**   PITH_EARITY  n is not the arity of pred, or 0
**   PITH_ENOMEM  rows may have been added */
PITH_API pith_status pith_fact_add_columns(pith *p, pith_pred pred,
                                           const pith_column *columns, size_t n,
                                           size_t rows, bool skip_missing,
                                           pith_place *bad);
PITH_API bool pith_fact_holds(const pith *p, pith_pred pred,
                              const pith_sym *args, size_t n);
PITH_API uint64_t pith_fact_count(const pith *p, pith_pred pred,
                                  pith_part part); /* PITH_NONE: all preds */

/* Visits the facts of pred in the order they were added or derived; stops when
** visit returns non-zero, and returns that. */
typedef int (*pith_fact_visit)(void *ctx, pith_pred pred, const pith_sym *args,
                               size_t n);
PITH_API int pith_fact_each(const pith *p, pith_pred pred, pith_part part,
                            pith_fact_visit visit, void *ctx);

/* Copies the rule.
**   PITH_EARG    a predicate, constant or variable that does not exist, or a
**                head that cannot be defined, such as =
**   PITH_EARITY  an atom's arity is not its predicate's
**   PITH_EINPUT  a head variable that no body atom binds */
PITH_API pith_status pith_rule_add(pith *p, const pith_rule *rule);
PITH_API size_t pith_rule_count(const pith *p);
PITH_API const pith_rule *pith_rule_at(const pith *p, size_t i);

typedef struct {
  pith_atom atom;
  bool positive;
  double weight; /* 1 unless given: pos(f(a), 0.8) */
} pith_example;

/*   PITH_EINPUT  the atom is an example of the other sign already
**   PITH_EARG    as for a rule, or the weight is negative or not finite
**   PITH_EARITY */
PITH_API pith_status pith_example_add(pith *p, pith_pred pred,
                                      const pith_sym *args, size_t n,
                                      bool positive, double weight);
PITH_API size_t pith_example_count(const pith *p);
PITH_API const pith_example *pith_example_at(const pith *p, size_t i);

/* The closed world: for every predicate with positive examples only, adds as
** negative examples atoms that are neither examples nor facts, over constants
** that occur in its places: all of them, or `most`, drawn by the seed. *added
** (may be NULL): how many.
**   PITH_ENOMEM  some may have been added */
PITH_API pith_status pith_close_world(pith *p, size_t most, uint64_t seed,
                                      size_t *added);

/* ---- templates and bias ------------------------------------------------ */

/* A predicate to be chosen, or one that is given. */
typedef struct {
  uint32_t arity;
  pith_pred pred; /* PITH_NONE: open */
} pith_slot;

/* A rule whose predicates are slots: shape.head.pred and those of the body are
** numbers of slots; equal numbers stand for the same predicate. */
typedef struct {
  pith_rule shape;
  const pith_slot *slots; /* (slot_count) */
  uint32_t slot_count;
  uint32_t copies; /* how many rules of this shape to learn */
} pith_template;

PITH_API pith_status pith_template_add(pith *p, const pith_template *t);
PITH_API size_t pith_template_count(const pith *p);
PITH_API const pith_template *pith_template_at(const pith *p, size_t i);
PITH_API size_t pith_template_steps(const pith *p); /* 0: not given */
/* Forgets the templates, their steps and which predicates are invented. */
PITH_API void pith_template_clear(pith *p);

/* What bias.pl says. 0 or false: it does not say. */
typedef struct {
  uint32_t max_vars, max_body, max_clauses;
  bool enable_pi, enable_recursion;
  bool allow_singletons; /* parsed and ignored: singletons are always allowed */
  uint32_t constants;    /* how many constants rules may name                 */
} pith_bias;
PITH_API const pith_bias *pith_bias_of(const pith *p);

/* The i-th constant that rules may name, or PITH_NONE. *type (may be NULL): its
** type, PITH_NONE for any. */
PITH_API pith_sym pith_bias_constant(const pith *p, size_t i, pith_sym *type);

/* The type that bias.pl gives an argument place, or PITH_NONE; and its
** direction: 'i' in, 'o' out, 0 not given. */
PITH_API pith_sym pith_pred_type(const pith *p, pith_pred pred, size_t place);
PITH_API char pith_pred_direction(const pith *p, pith_pred pred, size_t place);

/* ---- writing ----------------------------------------------------------- */

/* A pith_out is a buffered file, standard output ("-"), or memory. A file
** appears under its name, whole, when it is closed with keep, or not at all:
** the text goes to a new file beside it, which is synced and renamed. If the
** name is a link, its target is replaced. After a failure every later call
** fails too, so it suffices to check the last; pith_error says what happened.
** Close it before p is freed. */
PITH_API pith_status pith_out_file(pith *p, const char *path, pith_out **o);
PITH_API pith_status pith_out_memory(pith *p, pith_out **o);
PITH_API pith_status pith_out_write(pith_out *o, const char *text, size_t n);
PITH_API pith_status pith_out_print(pith_out *o, const char *format, ...)
    PITH_PRINTF(2, 3);
PITH_API pith_status pith_out_quote(pith_out *o, const char *text); /* JSON */
PITH_API pith_status pith_out_flush(pith_out *o);
PITH_API const char *pith_out_text(pith_out *o, size_t *n);  /* memory only */
PITH_API pith_status pith_out_close(pith_out *o, bool keep); /* frees o */

/* Each writes text that reads back as the same thing, without a newline. */
PITH_API pith_status pith_sym_write(const pith *p, pith_sym s, pith_out *o);
PITH_API pith_status pith_atom_write(const pith *p, const pith_atom *a,
                                     pith_out *o);
PITH_API pith_status pith_rule_write(const pith *p, const pith_rule *r,
                                     pith_out *o);
PITH_API pith_status pith_template_write(const pith *p, const pith_template *t,
                                         pith_out *o);

/* The same as members of a JSON object, "predicate" and "args" or "head" and
** "body", without the braces. A constant is a string or a number, a variable
** is {"var":"X"}. */
PITH_API pith_status pith_atom_write_json(const pith *p, const pith_atom *a,
                                          pith_out *o);
PITH_API pith_status pith_rule_write_json(const pith *p, const pith_rule *r,
                                          pith_out *o);

/* Writes the given or derived facts, or both, predicate by predicate, in a
** format that holds facts.
**   PITH_EINPUT        a fact that the format cannot hold, or whose text a
**                      reader would take for another; pith_error names it
**   PITH_EUNSUPPORTED  the format's library is not in this build
**   PITH_EARG          the format cannot be written, or part is none */
PITH_API pith_status pith_facts_write(pith *p, pith_part part,
                                      pith_format format, pith_out *o);

/* Everything in the handle as one text: facts, rules and examples, or the
** templates, or the bias, by format. Errors as above; PITH_EINPUT also if there
** are rules or examples and the format holds facts alone. */
PITH_API pith_status pith_write(pith *p, pith_format format, pith_out *o);

typedef struct {
  pith_format format;
  pith_part facts; /* which facts; 0: none                             */
  bool rules;      /* rules, examples and templates, if the format can */
  bool drop;       /* leave out what the format cannot hold            */
} pith_write_options;
PITH_API void pith_write_defaults(pith_write_options *opt); /* all, as Prolog */
/* *dropped: how many facts and rules were left out; may be NULL. */
PITH_API pith_status pith_write_with(pith *p, const pith_write_options *opt,
                                     pith_out *o, uint64_t *dropped);

/* ---- formats ----------------------------------------------------------- */

/* What a format can hold; a set of flags. */
typedef enum {
  PITH_HOLDS_FACTS = 1,
  PITH_HOLDS_RULES = 2,
  PITH_HOLDS_EXAMPLES = 4,
  PITH_HOLDS_TEMPLATES = 8,
  PITH_HOLDS_BIAS = 16
} pith_holds;

typedef struct {
  pith_format format;
  const char *name;       /* as --from and --to spell it: "csv"         */
  const char *title;      /* for a sentence: "a table (CSV, TSV)"       */
  const char *endings;    /* of file names: ".csv .psv"; "" for none    */
  unsigned reads, writes; /* pith_holds; 0: cannot be read (written)    */
  const char *library;    /* that it needs, or NULL                     */
  const char *package;    /* that provides the library on Debian, or NULL */
  bool built;             /* the library is in this build               */
} pith_format_info;
/* The i-th format, PITH_AUTO excluded. */
PITH_API const pith_format_info *pith_format_at(size_t i);
PITH_API const pith_format_info *pith_format_of(pith_format format);
PITH_API pith_format pith_format_named(const char *name); /* or PITH_AUTO */

#ifdef PITH_EXPERIMENTAL
#include "pith_experimental.h"
#endif

#ifdef __cplusplus
}
#endif
#endif
