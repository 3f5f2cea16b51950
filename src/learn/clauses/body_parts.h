/* Parts of bodies, from small to large.
**
** For given head variables a body falls into parts that share no other
** variable: f(A) :- has_car(A,B), long(B), has_car(A,C), red(C) has two. A
** body covers an example when each of its parts does, so the parts are what
** is joined; bodies are then made of them by AND on bits.
**
** Parts are grown an atom at a time. One that covers no positive example
** goes; so does one whose table of matches has been seen, for whatever is
** added to either gives the same again. Of parts with one cover the smallest
** is used in bodies, but all are grown: has_car(A,B) may cover all that
** has_car(A,B), size(B,C) does, and yet be the lesser start.
**
** What can come next is put in an order in which the end of the work is least
** missed. Atoms without new variables, which only test, come first, for every
** part; then those that bring variables. An atom with many places could be
** written in very many ways: it comes with one place bound and all others new,
** and is refined a place at a time, by a variable or a value, from parts that
** cover something. */
#ifndef PITH_LEARN_CLAUSES_BODY_PARTS_H
#define PITH_LEARN_CLAUSES_BODY_PARTS_H

#include "learn/clauses/match_table.h"

typedef struct {
  pith_i_lit *atoms; /* (n) */
  uint64_t *cover;   /* (words) */
  uint32_t n, vars;  /* atoms; variables beyond the head's */
  uint32_t bound;    /* head variables that it binds, as bits */
  bool stuck;        /* bias.pl's directions let nobody call it */
  uint32_t targets;  /* atoms of the target */
  uint32_t denials;  /* atoms that must not hold */
  uint32_t needed;   /* atoms of the kind that some clause must have */
  size_t rows;       /* of its table; 0 where it is not grown further */
  uint32_t cost;     /* of its atoms, without what they define */
  uint32_t pos, neg; /* covered */
  bool twin;         /* a part no larger has its cover      */
  bool closed;       /* not to be grown further             */
  bool loose;        /* too many variables: only to be refined */
  uint8_t refine;    /* places of its last atom before this are settled */
  bool apart;        /* its last atom is wide and has none of the head's */
  uint32_t pass;     /* of growth in which it was last used */
  double score;      /* how much it tells; higher is better */
  double bits;       /* to say it: of the choices on the way, over all ways */
} pith_i_piece;

/* A part in the order of its score. */
typedef struct {
  double score;
  uint32_t part;
} pith_i_rank;

/* A part that was met once more, with an atom of this choice at its end. */
typedef struct {
  uint32_t part;
  uint16_t choice;
} pith_i_again;

enum { PITH_I_BAD_SETS = 4 };

/* More than any program costs, and sums of it are still numbers. */
#define PITH_I_NO_OTHER (UINT64_MAX / 4)

typedef struct {
  uint32_t atoms, vars; /* of a part, at most; vars beyond the head's */
  uint64_t work;        /* stop when the sample's work passes this    */
  size_t rows;          /* of a table that is grown, at most          */
  bool noisy;           /* negative examples may be covered           */
  bool small_first;     /* parts with small tables are grown first    */
  bool open; /* what covers no negative example is made longer too  */
  /* Where most examples have no label: what must not hold, if recursion goes
  ** one way or another; thresholds are cut off from it. */
  const uint64_t *bad[PITH_I_BAD_SETS];
  uint32_t bad_count;
  uint64_t below; /* no part is kept that only dearer programs have; 0: all */
  /* Every program has an atom of this kind, and pays so much more for each;
  ** PITH_I_GIVEN_ATOM: any atoms will do. */
  pith_i_kind needed;
  uint64_t extra;
  /* What a clause costs at least that has to stand beside one which does not
  ** cover all positive examples; PITH_I_NO_OTHER: there may be none. */
  uint64_t other;
  bool whole;  /* only parts that cover all positive examples are kept */
  double bits; /* what takes more to say is not made longer; 0: all is */
  pith_i_run *run;
} pith_i_grow_limits;

typedef struct {
  pith_i_sample *m;
  pith_i_grow_limits limits;
  pith_i_arena arena;
  PITH_I_VEC(pith_i_piece) parts;
  PITH_I_VEC(pith_i_rank) level[PITH_I_ATOMS + 1]; /* parts by their atoms */
  pith_i_tuples tables, covers;                    /* hashes of those seen */
  PITH_I_VEC(uint32_t) owner; /* of a table: its part, or PITH_NONE */
  PITH_I_VEC(pith_i_again) again;
  PITH_I_VEC(pith_i_rank) order[2]; /* parts to go on from, in two orders */
  uint32_t pass;
  bool directed; /* the target has directions */
  bool cut;      /* some part was not grown for want of work or room */
} pith_i_growth;

void pith_i_growth_init(pith_i_growth *g, pith_i_sample *m,
                        const pith_i_grow_limits *limits);
void pith_i_growth_free(pith_i_growth *g);

/* Makes all parts of n atoms; n goes up by one from call to call. */
pith_status pith_i_growth_level(pith_i_growth *g, uint32_t n);

/* Bits that are set. */
uint32_t pith_i_count_bits(const uint64_t *bits, size_t words);

#endif
