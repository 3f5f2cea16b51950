/* pith: learns the theory behind observed facts.
**
** One handle holds names, facts, rules, examples and templates. Read or add
** them, then ask: what follows (pith_infer), why (pith_explain), how well the
** rules fit the examples (pith_score).
**
** One handle, one owner, one thread at a time; two handles share nothing.
** Inputs are copied. A const pointer we return belongs to the handle and
** lives until the handle is next changed. The library never prints and never
** exits. */
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

/* ---- status ---------------------------------------------------------- */

/* Zero is success, negative a failure, positive a success with a remark. */
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

/* A constant that the learners were tuned with. */
typedef struct {
  const char *name;
  double value, low, high; /* the range within which it makes sense */
  const char *meaning;
} pith_tunable;
PITH_API const pith_tunable *pith_tunable_at(size_t i); /* NULL: no more */

/* ---- the handle ------------------------------------------------------ */

typedef struct pith pith;

/* Where memory comes from. resize(ctx, NULL, n) allocates, resize(ctx, b, 0)
** frees, NULL means refused; blocks are aligned as malloc's. limit: bytes the
** handle may hold, 0 for no limit. A NULL resize is the C library's. */
typedef struct {
  void *(*resize)(void *ctx, void *block, size_t size);
  void *ctx;
  size_t limit;
} pith_memory;

PITH_API pith_status pith_new(pith **out);
PITH_API pith_status pith_new_with(const pith_memory *memory, pith **out);
PITH_API void pith_free(pith *p); /* NULL is fine */

/* One sentence about the last failure: file, line, column, what was expected.
** "" when there was none. */
PITH_API const char *pith_error(const pith *p);

PITH_API size_t pith_bytes(const pith *p);      /* held now  */
PITH_API size_t pith_bytes_peak(const pith *p); /* at most   */

/* ---- names ----------------------------------------------------------- */

typedef uint32_t pith_sym;  /* interned constant                    */
typedef uint32_t pith_pred; /* interned predicate, a name and arity */
typedef uint32_t pith_term; /* a constant, or a variable of a rule  */

#define PITH_NONE UINT32_MAX
#define PITH_VAR(i) (UINT32_C(0x80000000) | (i)) /* the i-th variable */
#define PITH_IS_VAR(t) (((t)&UINT32_C(0x80000000)) != 0)
#define PITH_VAR_INDEX(t) ((t)&UINT32_C(0x7fffffff))

/* The name abc and the number 12; the name '12' is not the number 12. A ground
** compound term, f(x,2), is one constant too: its text is the whole term as the
** writers write it, f(x,2). */
typedef enum { PITH_NAME, PITH_NUMBER, PITH_COMPOUND } pith_sym_kind;

/* Interns text[0..n). One number is one constant, whatever its spelling: 007 is
** 7, 1_000 is 1000, 0x1F is 31, 1.50 and 15.0e-1 are 1.5. An integer and a
** decimal, 1 and 1.0, are different constants of equal value.
**   PITH_EARG    text is not a valid number, or a decimal beyond the range of a
**                double; a NUL byte, or invalid UTF-8
**   PITH_ENOMEM  nothing was added */
PITH_API pith_status pith_sym_add(pith *p, const char *text, size_t n,
                                  pith_sym_kind kind, pith_sym *out);
PITH_API pith_sym pith_sym_find(const pith *p, const char *text, size_t n,
                                pith_sym_kind kind); /* or PITH_NONE */
PITH_API const char *pith_sym_text(const pith *p, pith_sym s); /* NUL-ended */
PITH_API pith_sym_kind pith_sym_kind_of(const pith *p, pith_sym s);
PITH_API size_t pith_sym_count(const pith *p);

/* Constants that have an order: numbers, by value; and names that are dates as
** ISO 8601 writes them, '2024-03-01' or '2024-03-01T14:30:00Z', by time. */
typedef enum { PITH_ORDER_NONE, PITH_ORDER_NUMBER, PITH_ORDER_DATE } pith_order;

/* The order that a constant has, and its place there: the value of the number,
** rounded to a double, or the seconds of the date since 1970; value may be
** NULL. O(1). */
PITH_API pith_order pith_sym_order(const pith *p, pith_sym s, double *value);

/* Predicates that are always there, for the bodies of rules. They are
 *evaluated,
 ** not looked up: no fact or rule can define them, and other atoms of the body
 ** must bind their variables. = and \= compare constants as they stand; the
 ** others compare values, and are false where either side has no order, or one
 *is
 ** a number and the other a date. */
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
PITH_API size_t pith_pred_arity(const pith *p, pith_pred pred);
PITH_API size_t pith_pred_count(const pith *p);

/* What a predicate is for; a set of flags, kept from what was read. */
typedef enum {
  PITH_TARGET = 1,   /* has examples, or bias.pl names it as head      */
  PITH_INVENTED = 2, /* an `invented:` line of the templates names it  */
  PITH_BODY = 4      /* bias.pl allows it in bodies                    */
} pith_role;
PITH_API unsigned pith_pred_roles(const pith *p, pith_pred pred);

/* ---- atoms, rules, templates, examples ------------------------------- */

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
} pith_rule;

/* One predicate to be chosen, or one that is given. */
typedef struct {
  uint32_t arity;
  pith_pred pred; /* PITH_NONE: open */
} pith_slot;

/* A rule whose predicates are slots: shape.head.pred and the body's are
** numbers of slots; equal numbers are the same predicate. */
typedef struct {
  pith_rule shape;
  const pith_slot *slots; /* (slot_count) */
  uint32_t slot_count;
  uint32_t copies; /* how many rules are to have this shape */
} pith_template;

typedef struct {
  pith_atom atom;
  bool positive;
  double weight; /* 1 unless given: pos(f(a), 0.8) */
} pith_example;

/* Copies the rule.
**   PITH_EARG    a predicate, constant or variable that does not exist, or a
**                head that cannot be defined, such as = or \=
**   PITH_EARITY  an atom's arity is not its predicate's
**   PITH_EINPUT  a head variable that no body atom binds
**   PITH_ENOMEM  nothing was added */
PITH_API pith_status pith_rule_add(pith *p, const pith_rule *rule);
/* Whether the rules have an order of evaluation: no predicate depends on its
** own negation. pith_infer checks that itself.
**   PITH_EINPUT  they are not stratified; pith_error names the cycle
**   PITH_ENOMEM */
PITH_API pith_status pith_rules_check(pith *p);
PITH_API size_t pith_rule_count(const pith *p);
PITH_API const pith_rule *pith_rule_at(const pith *p, size_t i);

PITH_API pith_status pith_template_add(pith *p, const pith_template *t);
PITH_API size_t pith_template_count(const pith *p);
PITH_API const pith_template *pith_template_at(const pith *p, size_t i);
PITH_API size_t pith_template_steps(const pith *p); /* 0: not given */
/* Forgets the templates, their steps and which predicates are invented. */
PITH_API void pith_template_clear(pith *p);

/*   PITH_EINPUT  it is there with the other sign already
**   PITH_EARG    as for a rule, or a weight below 0 or not finite
**   PITH_EARITY, PITH_ENOMEM */
PITH_API pith_status pith_example_add(pith *p, pith_pred pred,
                                      const pith_sym *args, size_t n,
                                      bool positive, double weight);
PITH_API size_t pith_example_count(const pith *p);

/* The closed world: of every predicate that has positive examples only, atoms
** that are neither examples nor facts become negative examples; over constants
** that could stand in its places, all of them, or at most `most`, drawn by the
** seed. *added (may be NULL): how many.
**   PITH_ENOMEM  some may have been added */
PITH_API pith_status pith_close_world(pith *p, size_t most, uint64_t seed,
                                      size_t *added);
PITH_API const pith_example *pith_example_at(const pith *p, size_t i);

/* What bias.pl says. 0 or false: not given. */
typedef struct {
  uint32_t max_vars, max_body, max_clauses;
  bool enable_pi, enable_recursion;
  bool allow_singletons; /* they always are                   */
  uint32_t constants;    /* that rules may name; 0: none said */
} pith_bias;
PITH_API const pith_bias *pith_bias_of(const pith *p);

/* The i-th of the constants that rules may name. *type: PITH_NONE for any;
** may be NULL. */
PITH_API pith_sym pith_bias_constant(const pith *p, size_t i, pith_sym *type);

/* The type that bias.pl gives an argument place, or PITH_NONE; and its
** direction: 'i' in, 'o' out, 0 not given. */
PITH_API pith_sym pith_pred_type(const pith *p, pith_pred pred, size_t place);
PITH_API char pith_pred_direction(const pith *p, pith_pred pred, size_t place);

/* ---- facts ----------------------------------------------------------- */

typedef enum { PITH_GIVEN = 1, PITH_DERIVED = 2, PITH_ALL = 3 } pith_part;

/* Adds the fact pred(args[0], ..., args[n-1]); amortised O(n). A fact that is
** there already is no error. What was derived before is forgotten.
**   PITH_EARG    no such predicate or constant, or a builtin such as =; nothing
**                was added
**   PITH_EARITY  n is not the arity of pred; nothing was added
**   PITH_ENOMEM  nothing was added */
PITH_API pith_status pith_fact_add(pith *p, pith_pred pred,
                                   const pith_sym *args, size_t n);
PITH_API bool pith_fact_holds(const pith *p, pith_pred pred,
                              const pith_sym *args, size_t n);
PITH_API uint64_t pith_fact_count(const pith *p, pith_pred pred,
                                  pith_part part); /* PITH_NONE: all preds */

/* Calls visit for each fact of pred, in the order added or derived; stops
** when it returns non-zero, and returns that. */
typedef int (*pith_fact_visit)(void *ctx, pith_pred pred, const pith_sym *args,
                               size_t n);
PITH_API int pith_fact_each(const pith *p, pith_pred pred, pith_part part,
                            pith_fact_visit visit, void *ctx);

/* ---- reading --------------------------------------------------------- */

/* What a text is written in. pith_format_at lists them with their names. */
typedef enum {
  PITH_AUTO,      /* by the name and the content                              */
  PITH_PROLOG,    /* facts, rules, pos(..), neg(..)                           */
  PITH_TRIPLES,   /* lines of subject, predicate, object; or of two columns   */
  PITH_TEMPLATES, /* in three notations                                       */
  PITH_BIAS,      /* Popper's bias.pl                                         */
  PITH_JSON,      /* JSON lines                                               */
  PITH_CSV,       /* a table with a header line                               */
  PITH_NTRIPLES,  /* RDF, in four notations                                   */
  PITH_NQUADS,
  PITH_TURTLE,
  PITH_TRIG,
  PITH_SQLITE,  /* a database                                               */
  PITH_PROBLOG, /* for other logic programs; written only */
  PITH_ASP,
  PITH_SOUFFLE,
  PITH_SQL, /* tables and views of databases; written only */
  PITH_POSTGRES,
  PITH_DUCKDB,
  PITH_AMIE, /* rules as miners of graphs have them; written only */
  PITH_ANYBURL,
  PITH_GRAPHVIZ, /* rules for people; written only */
  PITH_MERMAID,
  PITH_LATEX,
  PITH_ENGLISH,
  PITH_FORMATS /* how many there are                                       */
} pith_format;

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
  const char *name;       /* as --from and --to have it: "csv"          */
  const char *title;      /* as a sentence has it: "a table (CSV, TSV)" */
  const char *endings;    /* of files' names: ".csv .psv"; "" for none  */
  unsigned reads, writes; /* pith_holds; 0: it does not                 */
  const char *library;    /* that it needs, or NULL                     */
  const char *package;    /* which brings that on Debian, or NULL       */
  bool built;             /* the library is in this build               */
} pith_format_info;
/* The i-th format, PITH_AUTO not among them; NULL behind the last. */
PITH_API const pith_format_info *pith_format_at(size_t i);
PITH_API const pith_format_info *pith_format_of(pith_format format);
PITH_API pith_format pith_format_named(const char *name); /* or PITH_AUTO */

typedef enum { PITH_HEADER_AUTO, PITH_HEADER_YES, PITH_HEADER_NO } pith_header;

/* NULL and PITH_AUTO: as the content has it. The texts are the caller's and
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
  pith_header header;   /* whether a first line of names is there         */
  bool several;         /* there are other tables: a column that this one
                           lacks is theirs, and no error                  */
} pith_read_options;
PITH_API void pith_read_defaults(pith_read_options *opt);

/* Reads a file, or a folder: bk.pl, exs.pl, bias.pl and templates.txt; or the
** train file of a train/valid/test folder. .gz, .zst and .xz are unpacked;
** "-" is standard input. All errors of a file are kept, up to a limit, and
** reading goes on after each; what is in error is not added.
**   PITH_EINPUT        at least one error; see pith_remark_at
**   PITH_EIO           cannot be read
**   PITH_EUNSUPPORTED  packed or written in a way this build does not know
**   PITH_ENOMEM        the handle can only be freed */
PITH_API pith_status pith_read(pith *p, const char *path, pith_format format);
PITH_API pith_status pith_read_with(pith *p, const char *path,
                                    const pith_read_options *opt);
PITH_API pith_status pith_read_text(pith *p, const char *name, const char *text,
                                    size_t n, pith_format format);
PITH_API pith_status pith_read_text_with(pith *p, const char *name,
                                         const char *text, size_t n,
                                         const pith_read_options *opt);

/* Reads one part of a graph's folder: "valid" is valid.tsv, .txt, .csv or .nt,
** packed or not. *found: whether there is one. */
PITH_API pith_status pith_read_part(pith *p, const char *folder,
                                    const char *part,
                                    const pith_read_options *opt, bool *found);

/* What the last file was taken for, and in words what was made of it: "a table
** (CSV, TSV): 9 rows, named by the column name". *by_content: its name alone
** did not say; may be NULL. */
PITH_API pith_format pith_read_format(const pith *p, bool *by_content);
PITH_API const char *pith_read_summary(const pith *p);

/* Reads one atom, "reach(a,X)": variables are allowed. The atom lives until
** the next call. */
PITH_API pith_status pith_atom_read(pith *p, const char *text,
                                    const pith_atom **out);

typedef struct {
  bool warning; /* else an error                               */
  const char *file;
  size_t line, column; /* from 1; column in characters; 0: whole file */
  const char *text;    /* what is wrong; what was expected; how to fix */
  const char *source;  /* the offending line, or ""; long ones are cut */
  size_t caret;        /* characters of source in front of the caret  */
} pith_remark;

PITH_API size_t pith_remark_count(const pith *p);
PITH_API const pith_remark *pith_remark_at(const pith *p, size_t i);
PITH_API size_t pith_remark_errors(const pith *p); /* also those not kept */
PITH_API size_t pith_remark_warnings(const pith *p);

/* ---- writing --------------------------------------------------------- */

/* A place to write: a file, standard output, or memory. Buffered. A file
** appears under its name, whole, when it is closed with keep, or not at all:
** the text goes to a new file beside it which is synced and renamed. A link is
** followed: what it points to is replaced. After a
** failure every later call fails too, so it is enough to check the last;
** pith_error says what happened. */
typedef struct pith_out pith_out;

/* "-" is standard output. o must be closed before p is freed. */
PITH_API pith_status pith_out_file(pith *p, const char *path, pith_out **o);
PITH_API pith_status pith_out_memory(pith *p, pith_out **o);
PITH_API pith_status pith_out_write(pith_out *o, const char *text, size_t n);
PITH_API pith_status pith_out_print(pith_out *o, const char *format, ...)
    PITH_PRINTF(2, 3);
PITH_API pith_status pith_out_quote(pith_out *o, const char *text); /* JSON */
/* The bytes of the UTF-8 character at text[0..n) if a terminal may be shown it
** as it is; 0 for control characters, marks that turn the direction of text,
** and bytes that are not valid. */
PITH_API size_t pith_text_plain(const char *text, size_t n);
PITH_API pith_status pith_out_flush(pith_out *o);
PITH_API const char *pith_out_text(pith_out *o, size_t *n);  /* memory only */
PITH_API pith_status pith_out_close(pith_out *o, bool keep); /* frees o */

/* Each writes what reads back to the same thing, with no newline at the end
** but for the last two. */
PITH_API pith_status pith_sym_write(const pith *p, pith_sym s, pith_out *o);
PITH_API pith_status pith_atom_write(const pith *p, const pith_atom *a,
                                     pith_out *o);
PITH_API pith_status pith_rule_write(const pith *p, const pith_rule *r,
                                     pith_out *o);
PITH_API pith_status pith_template_write(const pith *p, const pith_template *t,
                                         pith_out *o);

/* The same as members of a JSON object, "predicate" and "args", or "head" and
** "body", to be put between braces. A constant is a string or a number, a
** variable is {"var":"X"}. */
PITH_API pith_status pith_atom_write_json(const pith *p, const pith_atom *a,
                                          pith_out *o);
PITH_API pith_status pith_rule_write_json(const pith *p, const pith_rule *r,
                                          pith_out *o);

/* The facts of one part, predicate by predicate, in a format that holds facts.
**   PITH_EINPUT        a fact that the format cannot hold, or whose text a
**                      reader would take for another; named by pith_error
**   PITH_EUNSUPPORTED  the format's library is not in this build
**   PITH_EARG          the format is not written */
PITH_API pith_status pith_facts_write(pith *p, pith_part part,
                                      pith_format format, pith_out *o);

/* Everything in the handle as one text: facts, rules and examples, or the
** templates, or the bias, by format. As above; PITH_EINPUT also where there
** are rules or examples and the format holds facts alone. */
PITH_API pith_status pith_write(pith *p, pith_format format, pith_out *o);

typedef struct {
  pith_format format;
  pith_part facts; /* which facts; 0: none                              */
  bool rules;      /* rules, examples and templates, if the format can  */
  bool drop;       /* leave out what the format cannot hold             */
} pith_write_options;
PITH_API void pith_write_defaults(pith_write_options *opt); /* all, as Prolog */
/* *dropped: how many facts and rules were left out; may be NULL. */
PITH_API pith_status pith_write_with(pith *p, const pith_write_options *opt,
                                     pith_out *o, uint64_t *dropped);

/* ---- a run: limits, stopping, progress --------------------------------- */

/* Learning without templates looks for theories in one space after the other,
** from small to large: by search of clauses, then by gradient. */
typedef struct {
  uint32_t number, count; /* 1-based index and total; 0: no such space */
  uint32_t rules, body;   /* of a target, and atoms of each, at most; of
                             clauses rules is 0 where nobody limits them */
  uint32_t invented;      /* predicates, at most                        */
  bool recursive;
  bool clauses;    /* searched, not trained in; the rest is for these   */
  bool inequality; /* rules may say X \= Y                              */
  bool constants;  /* and name constants                                */
  bool noisy;      /* examples may be wrong                             */
} pith_space;

/* How far a long call is. Every call fills in phase and seconds; the others
** are 0 (the loss: NaN) where they mean nothing. */
typedef struct {
  const char *phase; /* name of the current phase                       */
  uint32_t stage,
      stages;           /* 1-based index of the phase and how many there are */
  uint64_t done, count; /* parts of the phase                              */
  double seconds;       /* since the call began                            */
  /* inference */
  uint64_t facts; /* given and derived so far */
  uint32_t steps; /* rounds so far            */
  /* learning */
  uint32_t restarts, restarts_done;
  uint32_t epoch, epochs; /* of the restarts under way                       */
  double loss;            /* least of theirs                                 */
  uint64_t tried;         /* clauses; the restarts and epochs are 0 then     */
  uint64_t wrong;         /* examples that the best theory so far misses     */
  pith_space space;       /* that is searched                                */
  /* compression: the best theory so far */
  uint64_t core; /* its facts              */
  uint32_t rules;
  double bits; /* its description length */
} pith_progress;

/* What all long calls have in common. Zero everywhere is a good default but for
** the seed, which is 1. */
typedef struct {
  uint64_t seed;           /* same seed, same input: same result             */
  uint32_t jobs;           /* threads; 0: one per core. Changes no result    */
  double seconds;          /* time limit; 0: none                            */
  bool (*stop)(void *ctx); /* called now and then, from any thread, never from
                              two at once; true: stop. May be NULL           */
  void *stop_ctx;
  void (*progress)(void *ctx, const pith_progress *now); /* may be NULL      */
  void *progress_ctx;
} pith_run;

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

/* ---- exact logic ----------------------------------------------------- */

typedef struct {
  pith_run run;   /* seed and jobs are not used                            */
  uint32_t steps; /* all rules at once, this many times; 0: to the end     */
  bool examples;  /* of predicates that no body has, derive only what is an
                     example: enough for pith_score, and often much less  */
  uint64_t facts; /* stop when there are more; 0: never                    */
} pith_infer_options;
PITH_API void pith_infer_defaults(pith_infer_options *opt);

typedef struct {
  uint64_t given, derived;
  uint32_t steps; /* rounds that added something               */
  bool complete;  /* nothing more follows                      */
  double seconds;
  size_t peak_bytes;
} pith_info;

/* Adds to the handle what follows from its facts and rules. opt or info may
** be NULL.
**   PITH_STOPPED  steps, time, facts or stop ended it; what was derived stays
**   PITH_ENOMEM   what was derived is forgotten; the handle is as before */
PITH_API pith_status pith_infer(pith *p, const pith_infer_options *opt,
                                pith_info *info);

/* Why an atom holds, or why it does not. */
typedef struct pith_proof pith_proof;
typedef enum {
  PITH_TREE,       /* a fact a line, what it needs indented below it  */
  PITH_PROOF_JSON, /* a "proof" event; nodes name each other by number */
  PITH_DOT,        /* a graph for Graphviz                            */
  PITH_LINE        /* the gist in one line, with no newline           */
} pith_proof_format;

/* Infers if need be, and proves the ground atom with the fewest steps; every
** proof is checked again, rule by rule, before it is handed out.
**   PITH_UNPROVED  it does not follow; the proof says which rule comes
**                  nearest and which body atom fails
**   PITH_EARG      the atom has variables; PITH_ENOMEM */
PITH_API pith_status pith_explain(pith *p, const pith_atom *atom,
                                  pith_proof **out);
PITH_API pith_status pith_proof_write(const pith *p, const pith_proof *proof,
                                      pith_proof_format format, pith_out *o);
PITH_API uint32_t pith_proof_steps(const pith_proof *proof);
PITH_API size_t pith_proof_size(const pith_proof *proof); /* rule uses */
PITH_API void pith_proof_free(pith_proof *proof);

/* How a rule fares on what was observed, as AMIE defines it: the body is
** matched against the observed facts and positive examples (and, for a
** predicate never observed, what pith_infer derived for it); predictions are
** the different head atoms, support those of them that were observed. For a
** head p(x,y) the PCA counts predictions whose x has some observed p(x,_), or
** where p has more different y than x, whose y has some observed p(_,y); for
** other heads it counts all. The rule need not be in the handle.
**   PITH_EARG, PITH_EARITY, PITH_EINPUT  as pith_rule_add; PITH_ENOMEM */
typedef struct {
  uint64_t predictions, support;
  uint64_t pca_predictions; /* whose subject (object) has an observed fact */
  uint64_t observed;        /* facts of the head's predicate               */
  double confidence, pca_confidence, head_coverage; /* NaN: 0/0 */
} pith_counts;
PITH_API pith_status pith_rule_counts(pith *p, const pith_rule *rule,
                                      pith_counts *out);

/* The same with what is labelled alone, where there are negative examples of
** the head's predicate: predictions are the examples that the rule gives,
** support the positive ones of them, observed all positive ones; there is no
** PCA (NaN). Without negative examples: as pith_rule_counts. */
PITH_API pith_status pith_rule_labelled(pith *p, const pith_rule *rule,
                                        pith_counts *out);

/* How the derived facts fit the examples; pith_infer first. An example is
** predicted true when it holds. */
typedef struct {
  uint64_t tp, fp, tn, fn;
  double accuracy, precision, recall, f1; /* NaN: 0/0 */
} pith_scores;
PITH_API pith_status pith_score(pith *p, pith_scores *out);

/* What counts say about a share, all shares being equally likely beforehand:
** it lies between low and high with the given probability (0.95, say), and is
** as likely below as above; none or all being hits, low is 0 or high is 1.
** hits: at most tries. */
PITH_API void pith_interval(uint64_t hits, uint64_t tries, double probability,
                            double *low, double *high);

/* An atom with the score it was given and whether it is true. */
typedef struct {
  double score;
  bool truth;
} pith_prediction;

/* Predictions with scores from i/PITH_BINS to (i+1)/PITH_BINS: if the scores
** mean anything, predicted and observed are near each other. */
#define PITH_BINS 10
typedef struct {
  uint64_t count;
  double predicted, observed; /* mean score, share of true ones; NaN: 0/0 */
} pith_bin;

/* How good scores are as an order, and as probabilities. Equal scores are
** taken together, so the order of the predictions is of no matter; what is
** not a number is below all others. NaN: nothing is true; for the last three,
** a score is no probability. */
typedef struct {
  uint64_t count, positive; /* predictions, and true ones among them         */
  uint64_t scores;          /* different ones                                */
  double average_precision; /* sum of recall gained x precision so far       */
  double brier;             /* mean squared difference of score and truth    */
  double calibration_error; /* mean difference of the bins, by their count   */
  pith_bin bins[PITH_BINS];
} pith_ranking;

/* p lends memory. O(n log n).
**   PITH_ENOMEM */
PITH_API pith_status pith_ranking_of(pith *p, const pith_prediction *v,
                                     size_t n, pith_ranking *out);

/* ---- the paper's semantics ---------------------------------------------- */

typedef enum {
  PITH_BEST,  /* what learns best: docs/method.md                          */
  PITH_PAPER, /* as the code of Campero et al. computes: docs/paper.md     */
  PITH_TEXT   /* as they describe it: cosine, product, maximum             */
} pith_semantics;

/* AND of two values; the default of PITH_PAPER is the minimum, of PITH_TEXT the
** product. */
typedef enum {
  PITH_AND_DEFAULT,
  PITH_AND_PRODUCT,
  PITH_AND_MINIMUM
} pith_conjunction;

/* What text and code leave open; all 0 are the defaults. PITH_PAPER adds normal
** noise of deviation start * factor^(epoch / every) to the slots of rules. */
typedef struct {
  bool onehot; /* the embeddings of predicates are fixed                 */
  bool onehot_start; /* theories in PITH_PAPER: they start one-hot, and are
                        trained                                          */
  bool core_half;    /* theories in PITH_PAPER: core values start at 1/2, as
                        the text says; else anywhere in [0,1]            */
  bool clamp; /* PITH_TEXT: embeddings are held in [0,1]                */
  pith_conjunction conjunction;
  double noise_start; /* negative: no noise                             */
  double noise_factor;
  uint32_t noise_every;
  bool noise_held; /* slots are held in [0,1] with their noise, and the gradient
                      passes as if they were not                         */
} pith_variant;

/* What inference will need at most, told from counts alone. */
typedef struct {
  uint64_t constants, facts, rules, examples;
  double facts_bound; /* facts after inference, at most              */
  double bytes;       /* memory for them                              */
  double seconds;     /* on one core; rough                           */
} pith_estimate;
PITH_API pith_status pith_estimate_infer(const pith *p, pith_estimate *out);

/* ---- learning rules -------------------------------------------------- */

/* What found a theory: the first restart's gradient, another restart's,
** discrete moves on a decoded program, or, without templates, the search of
** clauses by size. */
typedef enum {
  PITH_GRADIENT,
  PITH_RESTART,
  PITH_SEARCH,
  PITH_CLAUSES
} pith_stage;

typedef struct {
  pith_run run;
  uint32_t restarts; /* random initialisations, at most             */
  uint32_t epochs;   /* of each; 0: as the semantics likes          */
  uint32_t steps;    /* of forward chaining; 0: as the templates say */
  uint32_t keep;     /* theories kept, best first                   */
  bool search;       /* discrete moves on decoded programs          */
  bool go_on;        /* do not stop at the first exact theory       */
  bool each;         /* every restart's theory at the end of its training, in
                        their order, not the best few: to measure rates. No
                        restart stops early, and none is searched from    */
  pith_semantics semantics;
  pith_variant variant;
  double rate; /* of learning; 0: as the semantics likes      */
  uint32_t max_rules, max_body, max_vars; /* without templates: of a theory,
                              of a rule; 0: as bias.pl says, or the search */
  uint32_t max_invented;  /* without templates: predicates, 0: none;
                             PITH_NONE: as bias.pl says, or the search   */
  bool constants;         /* without templates: in rules from the start  */
  bool noisy;             /* without templates: examples may be wrong    */
  pith_method method;     /* without templates                           */
  const char *checkpoint; /* a file to go on from, or NULL               */
} pith_learn_options;
PITH_API void pith_learn_defaults(pith_learn_options *opt);

/* Puts what will be used where opt has 0: epochs, rate, steps. p is the first
** world. */
PITH_API void pith_learn_fill(const pith *p, pith_learn_options *opt);

/* What learning without templates will take, told from counts alone. */
typedef struct {
  uint64_t constants, facts, examples;
  bool recursion; /* recursive clauses are tried: examples are few enough  */
  bool gradient;  /* also predicates invented by gradient: constants are   */
  pith_pred wide; /* a predicate with more than 8 places, which bodies do
                     without, or PITH_NONE                                */
  double least_bytes;    /* with what was read                             */
  double bytes, seconds; /* where nothing fits: about, on one core         */
} pith_learn_cost;
PITH_API void pith_estimate_learn(pith *const *worlds, size_t world_count,
                                  pith_learn_cost *out);

/* What a theory of examples that may be wrong was weighed by, in bits: to say
** its rules, to name the examples that do not fit, and, instead of both, to
** name the positive ones. All 0 where nothing was weighed. */
typedef struct {
  double rules, errors, labels;
} pith_lengths;

/* Theories found, best first. Belongs to the first world; free it before. */
typedef struct pith_learned pith_learned;

typedef struct {
  bool solved; /* every example of every world fits: checked exactly */
  pith_stage stage;
  uint32_t restart, epoch; /* where it was found            */
  uint64_t fp, fn;         /* examples that do not fit      */
  uint32_t rules, size;    /* size: rules and body atoms    */
  double loss, error;      /* soft: cross-entropy and mean squared error, NaN
                              for what search found */
  pith_space space;        /* that it was found in */
  pith_lengths lengths;
  /* Where it may be learned by heart: of how many examples that were left out,
  ** learned without, and predicted, how many were right; 0: not looked at. */
  uint64_t left_out, left_out_right;
  bool by_heart; /* less than half of what the larger sign alone gets wrong */
} pith_theory_info;

/* Learns rules from the templates, facts and examples of worlds[0] and the
** facts and examples of the others: separate constants, shared rules. Without
** templates clauses are searched for by size, the smallest theory first, and
** what needs invented predicates is left to the gradient.
**   PITH_STOPPED   time or stop ended it; the best so far is in out
**   PITH_FULL      memory ran out, likewise
**   PITH_EINPUT    no examples, or a template that cannot be used
**   PITH_ELIMIT    by gradient alone: the smallest space is too large
**   PITH_EIO       the checkpoint; PITH_ENOMEM */
PITH_API pith_status pith_learn(pith *const *worlds, size_t world_count,
                                const pith_learn_options *opt,
                                pith_learned **out);
/* The accessors give NULL (the similarity: NaN) for an index that is too
** large. */
PITH_API size_t pith_learned_count(const pith_learned *l);
PITH_API const pith_theory_info *pith_learned_info(const pith_learned *l,
                                                   size_t i);
PITH_API const pith_rule *pith_learned_rule(const pith_learned *l, size_t i,
                                            size_t r);
/* The least similarity of the rule's atoms and their predicates; NaN for what
** search found. */
PITH_API double pith_learned_similarity(const pith_learned *l, size_t i,
                                        size_t r);
PITH_API uint32_t pith_learned_restarts(const pith_learned *l); /* done */
PITH_API uint64_t pith_learned_epochs(const pith_learned *l);   /* done */

/* Adds the rules of theory i to a world, so that pith_infer, pith_score and
** pith_rule_counts speak of them.
**   PITH_EARG  no such theory; PITH_ENOMEM */
PITH_API pith_status pith_learned_adopt(const pith_learned *l, size_t i,
                                        pith *p);
PITH_API void pith_learned_free(pith_learned *l);

/* ---- compression: rules and core facts from observations -------------- */

typedef struct {
  pith_run run;
  pith_method method; /* the gradient needs templates; auto uses it where there
                         are some                                          */
  uint32_t max_body;  /* atoms in the body of a rule, 1 to 3; templates have
                         their own                                         */
  uint32_t max_rules; /* in a theory; 0: any number                        */
  uint32_t max_invented; /* predicates; with templates, those they name    */
  pith_noise noise;      /* whether observations may be wrong or missing   */
  bool types; /* infer which argument places share constants, and leave out
                 rules that never join                                     */
  bool open;  /* what was not observed may hold: rules may predict it      */
  double hold_out; /* the share of all atoms, true or false, to hide: they are
                      not observed, and not taken for false                */
  /* of the gradient */
  uint32_t restarts; /* random initialisations, at most                    */
  uint32_t epochs;   /* of each, at most; 0: the default of the semantics  */
  uint32_t steps;    /* of forward chaining; 0: as the templates say       */
  bool each; /* train every restart to the end, to measure rates           */
  pith_semantics semantics; /* PITH_PAPER: by gradient alone, and the theory
                               as it was learned, neither pruned nor
                               repaired                                 */
  pith_variant variant;
  double rate, lambda; /* how far an epoch moves, and what a core fact costs;
                          0: the default of the semantics                  */
  const pith *meant;   /* its rules are compared with what each restart
                          learned; may be NULL                             */
} pith_compress_options;
PITH_API void pith_compress_defaults(pith_compress_options *opt);

/* Replaces 0 in epochs, steps, rate and lambda by the values that the gradient
** will use. */
PITH_API void pith_compress_fill(const pith *p, pith_compress_options *opt);

/* A theory of the observations. Belongs to the handle; free it first. */
typedef struct pith_compressed pith_compressed;

typedef struct {
  bool complete; /* the search ended by itself: neither time nor stop did  */
  bool exact;    /* the closure of core and rules is the observations,
                    invented predicates aside: checked exactly          */
  uint64_t observed; /* facts                                               */
  uint64_t core;     /* facts, those of invented predicates included        */
  uint32_t rules, invented;
  uint64_t extra;   /* facts that follow and were not observed             */
  uint64_t missing; /* observed facts that do not follow                   */
  uint64_t held_out, held_out_right; /* hidden facts; those that follow    */
  uint64_t held_out_wrong; /* hidden atoms that follow but are not facts   */
  double bits_before, bits_after; /* description lengths                    */
  uint64_t bound; /* no core for these rules has fewer facts; 0: not known  */
  bool minimal;   /* proved: the core has as few facts as the bound says. False
                     where no rule was found and the search was cut short   */
  const char *by; /* what found the rules: "search", "gradient"; "none": the
                     observations stand as they are                         */
} pith_compress_info;

/* Finds rules and core facts that entail the given facts of p and, as far as
** possible, nothing else; with the fewest bits. Facts that rules of p derive
** count as observed. Names of invented predicates are added to p; its facts
** and rules stay as they are.
**   PITH_STOPPED   time or stop ended it; the best so far is in out
**   PITH_EINPUT    no facts, or nothing for the gradient to learn
**   PITH_EARG; PITH_ENOMEM */
PITH_API pith_status pith_compress(pith *p, const pith_compress_options *opt,
                                   pith_compressed **out);
PITH_API const pith_compress_info *
pith_compressed_info(const pith_compressed *c);

/* Rule i, and how it fares on the observations and on the extensions of
** invented predicates. NULL: there is no such rule. */
PITH_API const pith_rule *pith_compressed_rule(const pith_compressed *c,
                                               size_t i);
PITH_API const pith_counts *pith_compressed_counts(const pith_compressed *c,
                                                   size_t i);

/* The core facts, the facts that follow though they were not observed, and
** the observed ones that do not follow, predicate by predicate. False: there
** is no i-th. The atom's arguments belong to c. value (may be NULL): of a core
** fact, how sure a learner was of it. */
typedef enum { PITH_CORE, PITH_EXTRA, PITH_MISSING } pith_compressed_part;
PITH_API bool pith_compressed_fact(const pith_compressed *c,
                                   pith_compressed_part part, size_t i,
                                   pith_atom *fact, double *value);
/* An invented predicate, and in words where it comes from ("first in mother,
** wife"); about may be NULL. PITH_NONE: there is no i-th. */
PITH_API pith_pred pith_compressed_invented(const pith_compressed *c, size_t i,
                                            const char **about);

/* The share of the gradient's restarts whose own theory has the i-th rule or
** core fact as well, invented concepts being the same when they hold of the
** same things. NaN: there were no restarts, or there is no i-th. */
PITH_API double pith_compressed_rule_share(const pith_compressed *c, size_t i);
PITH_API double pith_compressed_core_share(const pith_compressed *c, size_t i);

/* What each restart of the gradient arrived at, in their order. */
typedef struct {
  uint64_t wrong, missing; /* atoms that follow and were not observed, and the
                              other way round                            */
  uint64_t core;           /* facts                                      */
} pith_worth;

typedef struct {
  pith_worth soft;     /* what holds by more than a half                  */
  pith_worth tenth;    /* what holds by more than 0.1, the authors' count */
  pith_worth decoded;  /* rules and facts read as symbols                 */
  pith_worth pruned;   /* the rules with as few facts as they need        */
  pith_worth repaired; /* rules changed as long as that saves facts       */
  uint32_t epoch;
  double loss, error; /* cross-entropy, mean squared error */
  uint64_t cells;     /* atoms that soft and tenth are about */
  double likeness;    /* the least, over the rules of options.meant, of how
                         much a learned rule is like it; NaN: none is meant */
} pith_restart_info;
PITH_API size_t pith_compressed_restarts(const pith_compressed *c);
PITH_API const pith_restart_info *
pith_compressed_restart(const pith_compressed *c, size_t i); /* or NULL */

/* Writes an answer set program for clingo, whose optimum is the size of the
** smallest core for these rules; with all, of the rules that were considered
** too: then its optimum is the shortest description, in tenths of a bit.
**   PITH_ELIMIT  all, and they were too many; or rules compare numbers that
**                are not whole, or dates */
PITH_API pith_status pith_compressed_certify(const pith_compressed *c, bool all,
                                             pith_out *o);

/* Adds rules and core facts to a handle, such as a new one, so that pith_infer
** and pith_explain speak of them. */
PITH_API pith_status pith_compressed_adopt(const pith_compressed *c, pith *p);
PITH_API void pith_compressed_free(pith_compressed *c);

/* ---- graph models ------------------------------------------------------ */

/* The binary facts of a handle are a graph. A model says which further facts
** are likely, by rules whose bodies are paths in the graph: h(X,Y) :- b(X,A),
** c(A,Y). Different variables of a rule stand for different constants.
** docs/ranking.md explains how they are learned and what probabilities mean.
**
**   rules    many rules of up to three atoms, also with constants, such as
**            h(X,c) :- b(X,d); for all relations or for one
**   chains   for one relation, a few chains of up to four atoms, each with a
**            weight; chosen by the relation's examples where there are any
**   soft     for one relation, templates whose slots are matched softly on
**            random sections of the graph, as Campero et al. did; chosen by
**            the examples, which it needs. It answers by soft values; what is
**            written are the rules that its slots are most like
**   auto     soft where the semantics of the paper is asked for, chains where
**            the target has examples, else rules */
typedef enum {
  PITH_MODEL_AUTO,
  PITH_MODEL_RULES,
  PITH_MODEL_CHAINS,
  PITH_MODEL_SOFT
} pith_model_method;

typedef struct {
  pith_run run;
  pith_model_method method;
  pith_pred target;   /* the one relation to learn; PITH_NONE: all, by rules  */
  uint32_t max_body;  /* atoms of a body, at most; rules: 1 to 3; 0: default,
                         for chains as many as is cheap, up to 4              */
  uint32_t max_rules; /* chains: at most, 1 to 8; 0: 8                        */
  uint32_t support;   /* rules: facts a rule must explain, at least           */
  double confidence;  /* rules: and its confidence, at least                  */
  pith_semantics semantics; /* PITH_PAPER: auto means soft                 */
  uint32_t epochs;          /* soft: 0: default for the semantics          */
  pith_variant variant;
  double rate; /* soft: likewise                              */
} pith_model_options;
PITH_API void pith_model_defaults(pith_model_options *opt);

/* Belongs to its handle: free it before, and do not change the handle
** meanwhile. */
typedef struct pith_model pith_model;

/* Learns from the given binary facts of p; the examples of the target are what
** a model is chosen by and are not learned from. held_out, for rules: another
** handle whose binary facts say how far to trust which kind of rule; NULL: one
** fact in ten is set aside for that and the rules are then learned again from
** all. opt may be NULL.
**   PITH_STOPPED  the run ended early; *out is usable, or NULL
**   PITH_EINPUT   too few facts; no target, examples or templates where the
**                 method needs them
**   PITH_EARG     the target is not a binary predicate, or an option is out of
**                 range; PITH_ENOMEM */
PITH_API pith_status pith_model_learn(pith *p, const pith *held_out,
                                      const pith_model_options *opt,
                                      pith_model **out);

/* What that will take, estimated from counts: the bytes in all with what p
** holds now, and the seconds of one core; both within a factor of about two on
** the graphs that were tried. For rules; the other methods are given the same
** figures. opt may be NULL. PITH_EINPUT, PITH_ENOMEM */
PITH_API pith_status pith_model_cost(const pith *p, const pith *held_out,
                                     const pith_model_options *opt,
                                     pith_estimate *out);

/* Writes everything that pith_model_read needs beside the graph: the rules, by
** comments with their support, and facts of pith_model/3, pith_method/3,
** pith_weight/4, pith_odds/3 and pith_candidate/3. */
PITH_API pith_status pith_model_write(pith_model *m, bool comments,
                                      pith_out *o);

/* The model in what p has read: rules with probabilities, perhaps the facts
** that pith_model_write wrote, and the graph. others: handles whose constants
** may be answers too, such as those of held-out facts; may be NULL.
**   PITH_EINPUT  no rule has a probability, or a fact of the model cannot be
**                understood; PITH_ENOMEM */
PITH_API pith_status pith_model_read(pith *p, const pith *const *others,
                                     size_t other_count, pith_model **out);
PITH_API void pith_model_free(pith_model *m);

typedef struct {
  pith_model_method method;
  pith_pred target; /* PITH_NONE: all relations                              */
  uint64_t entities, relations, facts;
  uint64_t rules, chains; /* chains: those without constants                  */
  uint64_t unused;        /* read, but not of a form that can be used         */
  uint64_t questions;     /* hidden or held-out facts that it was fitted to   */
  double mrr;             /* rules: of those not fitted to, roughly; or NaN   */
  /* chains */
  const char *grade;  /* "fraction", "count" or "any"; NULL: not chains       */
  const char *hiding; /* "fact", "entity" or "around": what was hidden        */
  double bias; /* probability: 1/(1+exp(-(bias + sum of weight x grade))) */
  double loss; /* cross-entropy for each answer it was chosen by       */
  uint64_t answers; /* that it was chosen by                                */
  /* soft */
  uint32_t restart,
      restarts; /* the restart that is asked; restarts 0: not soft */
  double average_precision; /* of that restart on the examples; or NaN      */
} pith_model_info;
PITH_API void pith_model_info_of(const pith_model *m, pith_model_info *out);

/* Soft models: asks another restart from now on; at first it is the one that
** orders the examples best. PITH_EARG */
PITH_API pith_status pith_model_use(pith_model *m, uint32_t restart);

/* Rules: by relation, chains first, each by confidence. Chains: the shortest
** first, then by weight. The rule lives until the next call; its probability
** is the confidence, for soft models the least similarity of its slots. */
typedef struct {
  const pith_rule *rule;
  uint64_t support, predictions; /* 0: not known, as it was read            */
  double low, high;              /* of the confidence: 95 % credible        */
  double weight;                 /* chains; else NaN                        */
} pith_model_rule;
PITH_API pith_status pith_model_rule_at(pith_model *m, size_t i,
                                        pith_model_rule *out); /* PITH_EARG */

/* The likeliest answers to a query with one variable, likes(ann,X) or
** likes(X,ann), that are not facts of p already; at most k. They live until
** the next call. A constant that the graph does not have is answered by how
** often each answer occurs.
**   PITH_EINPUT  not such a query, a relation without facts, or one that the
**                model was not learned for; PITH_ENOMEM */
typedef struct {
  pith_sym answer;
  double score;       /* to rank by                                        */
  double probability; /* that it is true                                    */
  uint32_t rules;     /* that predict it                                    */
} pith_answer;
PITH_API pith_status pith_model_ask(pith_model *m, const pith_atom *query,
                                    size_t k, const pith_answer **out,
                                    size_t *count);

/* The rules that predict an answer, strongest first, each with one grounding
** of its body. The pointers live until visit returns; it stops when that is
** not 0. */
typedef struct {
  const pith_rule *rule;
  const pith_atom *grounding; /* (atoms) */
  size_t atoms;
  uint64_t groundings; /* how many there are                               */
  double weight;       /* chains: weight x grade, a part of the log-odds;
                          else NaN                                          */
} pith_reason;
typedef int (*pith_reason_visit)(void *ctx, const pith_reason *reason);
PITH_API pith_status pith_model_reasons(pith_model *m, const pith_atom *query,
                                        pith_sym answer, size_t most,
                                        pith_reason_visit visit, void *ctx);

/* The probabilities of another handle's binary examples, or the same one's:
** out has room for each example, in order; 0 for examples of other arities and
** of relations that the graph does not have. PITH_ENOMEM */
PITH_API pith_status pith_model_grade(pith_model *m, const pith *examples,
                                      double *out);

/* How high held-out facts are ranked among all constants of the graph and of
** the handles that were named to pith_model_read. Every binary fact of test
** asks for its object and for its subject. Filtered: other answers known to be
** true, in the graph, in test or in known (may be NULL), do not count. Among
** equal scores the mean rank is taken. run may be NULL.
**   PITH_EARG    a constant of test or known that the model does not know
**   PITH_ELIMIT  the run ended before all were ranked
**   PITH_EUNSUPPORTED  a soft model; write and read it; PITH_ENOMEM */
typedef struct {
  uint64_t questions;
  double mrr, hits1, hits3, hits10, mean_rank; /* NaN: no question */
} pith_ranks;
typedef struct {
  uint64_t facts;     /* asked                                           */
  uint64_t unreached; /* questions whose answer nothing speaks for       */
  uint64_t unknown;   /* facts of relations that the graph does not have */
  pith_ranks all, object, subject;
  pith_ranking calibration; /* of the probabilities: the answer itself and the
                               ten best others that are not known to be true */
} pith_model_scores;
PITH_API pith_status pith_model_score(pith_model *m, const pith *test,
                                      const pith *known, const pith_run *run,
                                      pith_model_scores *out);

#ifdef __cplusplus
}
#endif
#endif
