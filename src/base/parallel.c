#include "base/parallel.h"

#include <assert.h>
#include <string.h>
#include <unistd.h>

/* What the workers' environments allocate with. */
static void *resize_locked(void *ctx, void *block, size_t size) {
  pith_i_crew *c = ctx;
  void *moved = NULL;
  pthread_mutex_lock(&c->lock);
  if (size == 0)
    pith_i_release(c->owner, block);
  else
    moved = pith_i_realloc(c->owner, block, size);
  pthread_mutex_unlock(&c->lock);
  return moved;
}

static uint32_t count_cores(void) {
  long n = sysconf(_SC_NPROCESSORS_ONLN);
  return n < 1 ? 1 : n > PITH_I_CREW_MOST ? PITH_I_CREW_MOST : (uint32_t)n;
}

pith_status pith_i_crew_new(pith_i_env *owner, uint32_t jobs,
                            pith_i_crew **out) {
  *out = NULL;
  pith_i_crew *c = pith_i_zalloc(owner, 1, sizeof *c);
  if (c == NULL)
    return PITH_ENOMEM;
  c->owner = owner;
  c->jobs = jobs == 0                 ? count_cores()
            : jobs > PITH_I_CREW_MOST ? PITH_I_CREW_MOST
                                      : jobs;
  c->workers = pith_i_zalloc(owner, c->jobs, sizeof *c->workers);
  if (c->workers == NULL || pthread_mutex_init(&c->lock, NULL) != 0) {
    pith_i_release(owner, c->workers);
    pith_i_release(owner, c);
    return PITH_ENOMEM;
  }
  pith_memory memory = {.resize = resize_locked, .ctx = c};
  for (uint32_t i = 0; i < c->jobs; i++) {
    pith_i_env_init(&c->workers[i].env, &memory);
    c->workers[i].number = i;
    c->workers[i].crew = c;
  }
  *out = c;
  return PITH_OK;
}

void pith_i_crew_free(pith_i_crew *c) {
  if (c == NULL)
    return;
  pthread_mutex_destroy(&c->lock);
  pith_i_env *owner = c->owner;
  pith_i_release(owner, c->workers);
  pith_i_release(owner, c);
}

/* Under the lock. */
static void look_for_stop(pith_i_crew *c) {
  if (c->status == PITH_OK && pith_i_stop_requested(c->run))
    c->status = PITH_STOPPED;
}

bool pith_i_worker_stopped(pith_i_worker *w) {
  pith_i_crew *c = w->crew;
  pthread_mutex_lock(&c->lock);
  look_for_stop(c);
  bool stopped = c->status != PITH_OK;
  pthread_mutex_unlock(&c->lock);
  return stopped;
}

/* The next item, or count: nothing is left to do. */
static size_t next_item(pith_i_crew *c) {
  pthread_mutex_lock(&c->lock);
  look_for_stop(c);
  size_t item =
      c->status == PITH_OK && c->next < c->count ? c->next++ : c->count;
  pthread_mutex_unlock(&c->lock);
  return item;
}

static void report_item(pith_i_crew *c, size_t item) {
  if (c->run == NULL)
    return;
  c->run->now.done = item;
  c->run->now.count = c->count;
  pith_i_run_report(c->run);
}

static void *work_items(void *arg) {
  pith_i_worker *w = arg;
  pith_i_crew *c = w->crew;
  for (size_t item; (item = next_item(c)) < c->count;) {
    if (w->number == 0)
      report_item(c, item);
    pith_status rc = c->work(c->ctx, w, item);
    if (rc != PITH_OK) {
      pthread_mutex_lock(&c->lock);
      c->status = rc < c->status || c->status == PITH_OK ? rc : c->status;
      pthread_mutex_unlock(&c->lock);
    }
  }
  return NULL;
}

/* Threads that cannot be had are done without. */
pith_status pith_i_crew_run(pith_i_crew *c, size_t count,
                            pith_status (*item)(void *ctx, pith_i_worker *w,
                                                size_t item),
                            void *ctx) {
  assert(c->jobs > 0 && c->jobs <= PITH_I_CREW_MOST);
  pthread_t threads[PITH_I_CREW_MOST];
  bool started[PITH_I_CREW_MOST] = {false};
  c->work = item;
  c->ctx = ctx;
  c->next = 0;
  c->count = count;
  c->status = PITH_OK;
  for (uint32_t i = 1; i < c->jobs && i < count; i++)
    started[i] =
        pthread_create(&threads[i], NULL, work_items, &c->workers[i]) == 0;
  work_items(&c->workers[0]);
  for (uint32_t i = 1; i < c->jobs; i++)
    if (started[i])
      pthread_join(threads[i], NULL);
  return c->status;
}
