/* What Python needs in C beside pith.h: loops over many facts, and functions
** that a long call may call from any thread without the interpreter's lock. */

/* A handle and what must be freed before it. Python's garbage collector calls
** pith_py_free without running code of Python's, so that Ctrl-C comes through
** afterwards. */
typedef struct {
  pith *p;
  pith_model *model;
  pith_soft *soft;
} pith_py_owner;
void pith_py_free(pith_py_owner *owner);

/* Shared by the thread that runs a long call and the one that waits for it.
** turns counts the reports; the lock guards it and the latest one. */
typedef struct {
  int stop, locked;
  unsigned turns;
  pith_progress latest;
} pith_py_control;

/* Makes a run ask control whether to stop, and report to it. */
void pith_py_watch(pith_run *run, pith_py_control *control);
void pith_py_stop(pith_py_control *control);

/* The latest report, if there was one since *turns; then *turns is updated. */
bool pith_py_report(pith_py_control *control, unsigned *turns,
                    pith_progress *out);

/* The calls that take a control end with PITH_ELIMIT when pith_py_stop was
** called, and the handle that they add to can only be freed. NULL: they run to
** their end. */

/* The rows of a relation, one after the other; out has room for all of them. */
pith_status pith_py_rows(const pith *p, pith_pred pred, pith_part part,
                         pith_sym *out, pith_py_control *control);

/* Adds rows that pith_py_rows gave: of this handle, or one whose constants
** have the same numbers. */
pith_status pith_py_add_rows(pith *p, pith_pred pred, const pith_sym *rows,
                             size_t count, pith_py_control *control);

/* Numbers objects by their address, in the order of first use: codes (n), and
** first, with room for most: the row that each number comes from. Returns how
** many there are; more than most: too many, no memory, or stopped. The objects
** are not looked at. */
size_t pith_py_number_objects(void *const *objects, size_t n, size_t most,
                              int32_t *codes, int64_t *first,
                              pith_py_control *control);

/* Makes an empty handle hold the constants, predicates, given facts, rules and
** examples of another, all under the same numbers. */
pith_status pith_py_copy(const pith *from, pith *to, pith_py_control *control);

/* Adds to a handle a part of another's facts, and its examples unless that part
** is what was derived, whatever the numbers there. */
pith_status pith_py_merge(const pith *from, pith_part part, pith *to,
                          pith_py_control *control);

/* Adds the core facts, or the extra or missing ones, of what compressing
** `from` found to another handle. */
pith_status pith_py_compressed_facts(const pith *from,
                                     const pith_compressed *found,
                                     pith_compressed_part part, pith *to);

/* The reasons of an answer, copied: Python reads them after the call. */
typedef struct {
  pith *p;
  pith_out *out;
} pith_py_reasons;
pith_status pith_py_model_reasons(pith *p, pith_model *m,
                                  const pith_atom *query, pith_sym answer,
                                  size_t most, pith_out *out);

/* Columns of others, and ours for them: the Arrow C data interface, whose
** structs are the same everywhere. */
struct ArrowSchema {
  const char *format, *name, *metadata;
  int64_t flags, n_children;
  struct ArrowSchema **children, *dictionary;
  void (*release)(struct ArrowSchema *);
  void *private_data;
};
struct ArrowArray {
  int64_t length, null_count, offset, n_buffers, n_children;
  const void **buffers;
  struct ArrowArray **children, *dictionary;
  void (*release)(struct ArrowArray *);
  void *private_data;
};
struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *);
  int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *);
  const char *(*get_last_error)(struct ArrowArrayStream *);
  void (*release)(struct ArrowArrayStream *);
  void *private_data;
};

/* The facts of a relation as a stream of one batch: whole numbers that fit as
** int64, other numbers as double, else the words of a dictionary.
** pith_py_free_stream is the destructor of the capsule around it. */
pith_status pith_py_stream(const pith *p, pith_pred pred, pith_part part,
                           struct ArrowArrayStream **out,
                           pith_py_control *control);
void pith_py_free_stream(void *capsule);
