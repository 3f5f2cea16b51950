/* What the commands on graph models share. A graph is a folder with a train
** file, and perhaps valid and test; or any facts. Rules and what they are
** applied to come from the first alone. */
#ifndef APP_MODEL_SESSION_H
#define APP_MODEL_SESSION_H

#include <stdatomic.h>

#include "progress.h"
#include "session.h"

/* What was read has nothing but facts, some of them binary. */
bool is_graph(const pith *p);
/* Some rule has a probability, or pith learn wrote it. */
bool is_model(const pith *p);

/* The session of another part of a folder, valid or test; its handle is NULL
** when there is none. */
int read_graph_part(const session *s, const char *part, session *out);

/* A long call on a model: its run and its progress, until it ends. */
typedef struct {
  session *s;
  progress_line line;
  double began;
  bool json;
  atomic_uint rules; /* found so far */
} model_watcher;

void watch_model(session *s, model_watcher *w, pith_run *run);
void watch_model_end(model_watcher *w, pith_status rc, const char *did);

#endif
