/* What was learned, as the result says it. */
#ifndef APP_PRINT_LEARNED_H
#define APP_PRINT_LEARNED_H

#include "run_log.h"
#include "session.h"

/* One of the worlds that are learned from together. */
typedef struct {
  session s;    /* its handle, and the result it shares with the others */
  size_t given; /* rules it had before */
} world;

typedef struct {
  session *s;
  world *worlds; /* (world_count) */
  size_t world_count;
  uint64_t assumed; /* negative examples by the closed world */
  char **operands;  /* those of the command, world by world */
  pith_learn_options opt;
  pith_variant variant; /* that opt refers to */
  bool templates;       /* there are some */
  bool graph;           /* facts alone: links.h */
  pith_learned *found;  /* NULL before */
  run_log *log;         /* for the report; or NULL */
} learning;

/* A space of theories, in words and as a field of an event. */
enum { SPACE_ROOM = 96 };
void space_text(char room[SPACE_ROOM], const pith_space *s);
void put_space(pith_out *o, const pith_space *s);

/* Adds the best theory to the worlds, and prints it, the others that were
** kept, and how it ended; s->end and s->info.seconds are set. Returns the exit
** code. */
int put_learned(learning *l);

#endif
