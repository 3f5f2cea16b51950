/* Several processes that share out the items of long loops.
**
** All members run the same program on the same input, so they come to the same
** loops in the same order. Member 0 keeps a queue for each loop: a member asks
** for items, hands in what they gave and asks again; how many it gets goes by
** the seconds that its last ones took. When all are done every member gets the
** results of all, and goes on as if it had done the whole loop itself. What is
** not shared each does by itself.
**
** Member 0 leads. When it leaves the others are told, and whatever they ask
** then ends with PITH_STOPPED: so it alone looks at deadlines. A team of one
** serves to keep a journal: results of finished items are appended to a file,
** and a later run with the same file begins with them. */
#ifndef PITH_BASE_TEAM_H
#define PITH_BASE_TEAM_H

#include "base/bytes.h"
#include "pith.h"

typedef struct pith_i_team pith_i_team;

/* What some items gave. */
typedef struct {
  size_t first, last; /* items [first, last) */
  pith_i_buffer bytes;
} pith_i_team_result;

/* transport NULL: a team of one. PITH_ENOMEM */
pith_status pith_i_team_new(const pith_transport *transport, pith_i_team **out);
/* Member 0 tells the others, and waits until they have left. NULL is fine. */
void pith_i_team_free(pith_i_team *team);

uint32_t pith_i_team_rank(const pith_i_team *team);
uint32_t pith_i_team_size(const pith_i_team *team);

/* At member 0: loops so far, and items of them that others have done. */
void pith_i_team_counts(pith_i_team *team, uint32_t *loops, uint64_t *items);

/* Whether member 0 has left: looks, and does not wait. */
bool pith_i_team_is_over(pith_i_team *team);

/* From now on results of loops are kept in this file, by member 0; what it
** holds already is not done again. print: what is being computed; error: where
** to put the sentence. path NULL: no longer.
**   PITH_EINPUT  the file is of another computation, or is no journal
**   PITH_EIO, PITH_ENOMEM */
pith_status pith_i_team_journal(pith_i_team *team, const char *path,
                                uint64_t print, pith_i_env *error);

/* A loop in which all members take part; its number is for the calls below.
** keep: its results go into the journal. print: what it computes; a member that
** is at another loop, as it left one out, gets no items of this one. */
pith_status pith_i_team_begin(pith_i_team *team, size_t count, uint64_t print,
                              bool keep, uint32_t *loop);

/* Hands in a part, unless it is empty, and asks for items. *first == *last: all
** are done, by whomever, and the parts can be had.
**   PITH_STOPPED  member 0 has left the loop or the team
**   PITH_ENOMEM, PITH_EIO */
pith_status pith_i_team_next(pith_i_team *team, uint32_t loop,
                             const pith_i_team_result *done, size_t *first,
                             size_t *last);
/* The parts of a finished loop, in the order of their items: the i-th, or NULL
** behind the last. They live until the loop is ended. */
const pith_i_team_result *pith_i_team_part(pith_i_team *team, uint32_t loop,
                                           size_t i);
/* rc below or above 0: this member gives the loop up; where it is member 0 or
** a failure, nobody goes on with it. */
void pith_i_team_end(pith_i_team *team, uint32_t loop, pith_status rc);

#endif
