#include "train/restarts.h"

#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/out.h"
#include "base/parallel.h"
#include "base/team.h"
#include "base/tunables.h"
#include "train/changes.h"
#include "train/checkpoint.h"
#include "train/group.h"

enum { L = PITH_I_LANES, MAX_JOBS = 256 };

/* A run: a wave of groups at a time, one group a thread. Everything below the
** lock is shared by the threads. */
typedef struct worker worker;
typedef struct {
  pith_i_env *env;
  const pith_i_net *net;
  const pith_i_training *opt;
  pith_i_run *run;
  pith_i_programs *found;
  pith_i_trained *done;
  const char *checkpoint; /* of a process that is alone, or NULL */
  bool has_checkpoint;    /* a whole one is there, of this run or a former */
  pith_i_group **groups;  /* (jobs) */
  uint32_t jobs, first;   /* group numbers first .. first+jobs-1 */
  pith_i_crew *crew;      /* of the threads here, where jobs are of several
                             processes too; or NULL */
  uint32_t group_count;
  worker *workers; /* (jobs) of the wave under way, or NULL */
  uint64_t print;  /* fingerprint */
  pthread_mutex_t lock;
  pith_status status;
  bool stopped;
  uint32_t solved; /* lowest group that solved it, or PITH_NONE */
  struct {
    pith_i_buffer state;
    double at; /* when it was saved */
  } * saved;   /* (jobs) each group's last state */
} training_run;

struct worker {
  training_run *r;
  uint32_t i; /* of groups */
  pith_i_run run;
};

/* ---- checkpoints ----------------------------------------------------- */

/* A checkpoint: what it is, the run so far, the groups under way, and a hash
** of all that. */
static const char magic[16] = "pith learn 2\n";

/* Seconds between two looks of a worker at the clock: so few that an end is
** noticed soon, so many that looking costs nothing. */

static bool put_header(training_run *r, pith_i_buffer *out) {
  uint64_t words[] = {r->print, r->first, r->done->restarts, r->done->epochs};
  return pith_i_buffer_put(r->env, out, magic, sizeof magic) &&
         pith_i_buffer_put(r->env, out, words, sizeof words) &&
         pith_i_programs_save(r->env, r->net, r->found, out);
}

/* The lock is held. Each group's last saved state is whole, so the file is
** too, though the groups are not at the same epoch. */
static pith_status write_checkpoint(training_run *r) {
  pith_i_buffer all = {0};
  pith_status rc = put_header(r, &all) ? PITH_OK : PITH_ENOMEM;
  for (uint32_t i = 0; rc >= 0 && i < r->jobs; i++)
    if (!pith_i_buffer_put(r->env, &all, r->saved[i].state.at,
                           r->saved[i].state.n))
      rc = PITH_ENOMEM;
  if (rc >= 0) {
    uint64_t hash = pith_i_hash_bytes(all.at, all.n);
    rc = pith_i_buffer_put(r->env, &all, &hash, sizeof hash) ? PITH_OK
                                                             : PITH_ENOMEM;
  }
  pith_out *o = NULL;
  if (rc >= 0)
    rc = pith_i_out_file(r->env, r->checkpoint, &o);
  if (rc >= 0) {
    pith_out_write(o, all.at, all.n);
    rc = pith_out_close(o, true);
  }
  pith_i_vec_free(r->env, &all);
  return rc;
}

static pith_status save_group(training_run *r, uint32_t i) {
  assert(i < r->jobs);
  r->saved[i].state.n = 0;
  r->saved[i].at = pith_i_now();
  return pith_i_group_save(r->env, r->groups[i], &r->saved[i].state)
             ? PITH_OK
             : PITH_ENOMEM;
}

static pith_status fail_damaged(training_run *r) {
  return pith_i_fail(r->env, PITH_EINPUT,
                     "%s: a damaged checkpoint; remove it or name another file",
                     r->checkpoint);
}

/* Takes the hash off the end; false: it is not that of the rest. */
static bool is_hash_right(pith_i_cursor *c) {
  uint64_t hash;
  if (c->left < sizeof hash)
    return false;
  c->left -= sizeof hash;
  memcpy(&hash, c->at + c->left, sizeof hash);
  return hash == pith_i_hash_bytes(c->at, c->left);
}

/* Reads the header; c is left at the groups. */
static pith_status read_header(training_run *r, pith_i_cursor *c) {
  uint64_t words[4];
  if (c->left < sizeof magic || memcmp(c->at, magic, sizeof magic) != 0)
    return pith_i_fail(r->env, PITH_EINPUT, "%s: not a checkpoint of pith",
                       r->checkpoint);
  if (!is_hash_right(c))
    return fail_damaged(r);
  char seen[sizeof magic];
  pith_i_cursor_take(c, seen, sizeof seen);
  pith_i_cursor_take(c, words, sizeof words);
  if (words[0] != r->print)
    return pith_i_fail(r->env, PITH_EINPUT,
                       "%s: a checkpoint of another task, seed or setting; "
                       "remove it or name another file",
                       r->checkpoint);
  pith_i_programs_load(c, r->net, r->found);
  r->first = (uint32_t)words[1];
  r->done->restarts = (uint32_t)words[2];
  r->done->epochs = words[3];
  return c->ok ? PITH_OK : fail_damaged(r);
}

/* No file yet is no error: the run begins. */
static pith_status read_checkpoint(training_run *r, pith_i_buffer *file,
                                   pith_i_cursor *c) {
  *c = (pith_i_cursor){0};
  if (r->checkpoint == NULL || access(r->checkpoint, F_OK) != 0)
    return PITH_OK;
  pith_status rc = pith_i_buffer_read(r->env, r->checkpoint, file);
  if (rc < 0)
    return rc;
  *c = (pith_i_cursor){file->at, file->n, true};
  return read_header(r, c);
}

/* ---- one group ------------------------------------------------------- */

static void report_training(training_run *r, const pith_i_group *g) {
  pith_progress *now = &r->run->now;
  now->restarts = r->opt->restarts;
  now->restarts_done = r->done->restarts;
  now->epoch = g->descent->epoch;
  now->epochs = r->opt->recipe.epochs;
  now->loss = (double)g->loss;
  now->wrong = UINT64_MAX;
  const pith_i_programs *shelves[2] = {r->found, &g->list};
  for (int i = 0; i < 2; i++)
    if (shelves[i]->n > 0) {
      uint64_t wrong =
          (uint64_t)shelves[i]->at[0].errors.fp + shelves[i]->at[0].errors.fn;
      now->wrong = wrong < now->wrong ? wrong : now->wrong;
    }
  pith_i_run_report(r->run);
}

/* Ends the work on groups from this number on. */
static void end_workers(training_run *r, uint32_t number) {
  for (uint32_t i = 0; r->workers != NULL && i < r->jobs; i++)
    if (r->workers[i].r == r && r->groups[i]->number >= number)
      pith_i_run_end(&r->workers[i].run);
}

static void note_solved(training_run *r, const pith_i_group *g) {
  if (!g->solved || g->go_on || g->number >= r->solved)
    return;
  r->solved = g->number;
  end_workers(r, r->solved + 1);
}

/* A group is saved when it is done, and when its last state is old. One that
** was stopped between two checks is not. */
static pith_status save_if_due(training_run *r, uint32_t i, bool at_check) {
  const pith_i_group *g = r->groups[i];
  bool due = g->done || r->stopped ||
             pith_i_now() - r->saved[i].at > pith_i_reals.TRAIN_SAVE_SECONDS;
  if (r->checkpoint == NULL || !due)
    return PITH_OK;
  pith_status rc = at_check ? save_group(r, i) : PITH_OK;
  if (rc >= 0)
    rc = write_checkpoint(r);
  /* With an older one a killed run would only do some work again: what is
     being found is worth more. The handle's error tells of it. */
  if (rc == PITH_EIO && r->has_checkpoint)
    return PITH_OK;
  r->has_checkpoint = r->has_checkpoint || rc >= 0;
  return rc;
}

static bool may_go_on(const training_run *r, const pith_i_group *g) {
  return r->status >= 0 && !r->stopped && g->number <= r->solved;
}

/* Called after each advance, with the lock held; false: the group stops. */
static bool settle_group(training_run *r, uint32_t i, bool at_check) {
  assert(i < r->jobs);
  const pith_i_group *g = r->groups[i];
  note_solved(r, g);
  if (i == 0)
    report_training(r, g);
  r->stopped = r->stopped || pith_i_stop_requested(r->run);
  if (r->status >= 0)
    r->status = save_if_due(r, i, at_check);
  if (r->stopped || r->status < 0)
    end_workers(r, 0);
  return may_go_on(r, g);
}

static void *train_group(void *arg) {
  worker *w = arg;
  training_run *r = w->r;
  pith_i_group *g = r->groups[w->i];
  bool more = true;
  while (more && !g->done) {
    bool at_check = pith_i_group_advance(g, &w->run);
    pthread_mutex_lock(&r->lock);
    more = settle_group(r, w->i, at_check) && at_check;
    pthread_mutex_unlock(&r->lock);
  }
  return NULL;
}

/* ---- waves ----------------------------------------------------------- */

static void begin_worker(training_run *r, worker *w, uint32_t i) {
  w->r = r;
  w->i = i;
  pith_i_run_part(&w->run, r->run, 1);
  w->run.pause = pith_i_reals.TRAIN_LOOK_SECONDS;
  w->run.looked = pith_i_now();
}

/* Threads that cannot be had are done without: their groups run here. */
static void run_wave(training_run *r, uint32_t count) {
  assert(count > 0 && count <= r->jobs && count <= MAX_JOBS);
  pthread_t threads[MAX_JOBS];
  worker workers[MAX_JOBS] = {0};
  bool started[MAX_JOBS] = {false};
  r->workers = workers;
  for (uint32_t i = 0; i < count; i++)
    begin_worker(r, &workers[i], i);
  for (uint32_t i = 0; i < count; i++) {
    if (i > 0)
      started[i] =
          pthread_create(&threads[i], NULL, train_group, &workers[i]) == 0;
  }
  train_group(&workers[0]);
  for (uint32_t i = 1; i < count; i++) {
    if (started[i])
      pthread_join(threads[i], NULL);
    else
      train_group(&workers[i]);
  }
  r->workers = NULL;
}

/* ---- waves of several processes ---------------------------------------- */

static pith_status train_item(void *ctx, pith_i_worker *w, size_t item) {
  training_run *r = ctx;
  (void)w;
  train_group(&r->workers[item]);
  return r->status < 0 ? r->status : r->stopped ? PITH_STOPPED : PITH_OK;
}

static pith_status pack_groups(void *ctx, pith_i_crew *c, size_t first,
                               size_t last, pith_i_buffer *out) {
  training_run *r = ctx;
  for (size_t i = first; i < last; i++)
    if (!pith_i_group_save(c->owner, r->groups[i], out))
      return PITH_ENOMEM;
  return PITH_OK;
}

static pith_status unpack_groups(void *ctx, pith_i_crew *c, size_t first,
                                 size_t last, pith_i_cursor *in) {
  training_run *r = ctx;
  (void)c;
  for (size_t i = first; i < last; i++) {
    pith_i_group_start(r->groups[i], r->opt->seed, r->first + (uint32_t)i,
                       r->opt->restarts);
    pith_i_group_load(in, r->groups[i]);
    note_solved(r, r->groups[i]);
  }
  return PITH_OK;
}

static void share_wave(training_run *r, uint32_t count) {
  const pith_i_shared_loop groups = {
      count,         train_item, pack_groups,
      unpack_groups, false,      pith_i_mix(r->print, r->first)};
  worker workers[MAX_JOBS] = {0};
  r->workers = workers;
  for (uint32_t i = 0; i < count; i++)
    begin_worker(r, &workers[i], i);
  pith_status rc = pith_i_crew_share(r->crew, &groups, r);
  r->stopped = r->stopped || rc == PITH_STOPPED;
  r->status = rc < 0 && r->status >= 0 ? rc : r->status;
  r->workers = NULL;
}

/* Discard groups after the first that solved it, so that the result does not
** depend on threads. */
static void gather_wave(training_run *r, uint32_t count) {
  assert(count <= r->jobs);
  for (uint32_t i = 0; i < count; i++) {
    const pith_i_group *g = r->groups[i];
    if (g->number > r->solved)
      break;
    for (uint32_t j = 0; j < g->list.n; j++) {
      if (r->opt->each)
        pith_i_programs_append(r->net, r->found, &g->list.at[j]);
      else
        pith_i_programs_add(r->net, r->found, &g->list.at[j]);
    }
    r->done->epochs += (uint64_t)g->lanes * g->descent->epoch;
    r->done->restarts += g->done ? g->lanes : 0;
  }
}

static pith_status train_wave(training_run *r, pith_i_cursor *c) {
  assert(r->first < r->group_count);
  uint32_t count = r->group_count - r->first;
  count = count < r->jobs ? count : r->jobs;
  for (uint32_t i = 0; i < count; i++) {
    pith_i_group_start(r->groups[i], r->opt->seed, r->first + i,
                       r->opt->restarts);
    if (c->ok && c->left > 0)
      pith_i_group_load(c, r->groups[i]);
    if (c->at != NULL && !c->ok)
      return fail_damaged(r);
    note_solved(r, r->groups[i]);
    if (r->checkpoint != NULL) {
      pith_status rc = save_group(r, i);
      if (rc < 0)
        return rc;
    }
  }
  for (uint32_t i = count; i < r->jobs; i++)
    r->saved[i].state.n = 0;
  if (r->crew != NULL)
    share_wave(r, count);
  else
    run_wave(r, count);
  gather_wave(r, count);
  return r->status;
}

static pith_status train_waves(training_run *r) {
  pith_i_buffer file = {0};
  pith_i_cursor c;
  pith_status rc = read_checkpoint(r, &file, &c);
  r->has_checkpoint = file.n > 0;
  while (rc >= 0 && r->first < r->group_count && r->solved == PITH_NONE &&
         !r->stopped) {
    rc = train_wave(r, &c);
    c.left = 0; /* only the first wave goes on from the file */
    if (!r->stopped)
      r->first += r->jobs;
  }
  pith_i_vec_free(r->env, &file);
  return rc;
}

/* ---- all ------------------------------------------------------------- */

/* As many as are asked for, have something to do and fit into memory: one
** that has to wait changes no result. */
static uint32_t count_jobs(const training_run *r) {
  const pith_memory *memory = &r->env->memory;
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  double jobs = r->opt->jobs != 0 ? r->opt->jobs
                : cores > 0       ? (double)cores
                                  : 1;
  double room = memory->limit > 0 ? (double)memory->limit - (double)r->env->used
                                  : 0.8 * pith_i_machine_bytes();
  double fit = room / pith_i_group_bytes(r->net, &r->opt->recipe);
  jobs = jobs < fit ? jobs : fit;
  jobs = jobs < MAX_JOBS ? jobs : MAX_JOBS;
  jobs = jobs < r->group_count ? jobs : r->group_count;
  return jobs > 1 ? (uint32_t)jobs : 1;
}

/* Where memory is short, fewer at a time must do: the result is the same. */
static pith_status make_groups(training_run *r) {
  r->groups = pith_i_zalloc(r->env, r->jobs, sizeof *r->groups);
  r->saved = pith_i_zalloc(r->env, r->jobs, sizeof *r->saved);
  if (r->groups == NULL || r->saved == NULL)
    return PITH_ENOMEM;
  pith_status rc = PITH_OK;
  for (uint32_t i = 0; rc >= 0 && i < r->jobs; i++) {
    rc = pith_i_group_new(r->env, r->net, &r->opt->recipe,
                          r->opt->each ? L : r->opt->keep, &r->groups[i]);
    if (rc >= 0) {
      r->groups[i]->each = r->opt->each;
      r->groups[i]->use_search = r->opt->search && !r->opt->each;
      r->groups[i]->go_on = r->opt->go_on || r->opt->each;
    } else if (i > 0) {
      r->jobs = i;
      rc = PITH_OK;
    }
  }
  return rc;
}

static void free_groups(training_run *r) {
  for (uint32_t i = 0; i < r->jobs; i++) {
    if (r->groups != NULL)
      pith_i_group_free(r->env, r->groups[i]);
    if (r->saved != NULL)
      pith_i_vec_free(r->env, &r->saved[i].state);
  }
  pith_i_release(r->env, r->groups);
  pith_i_release(r->env, r->saved);
}

/* All processes must have the same waves, so these go by their number alone,
** not by cores and memory. A process that is alone writes checkpoints; a team
** keeps a journal of finished groups. */
static pith_status begin_team(training_run *r) {
  enum { WAVE = 4 };
  pith_i_team *team = r->env->team;
  uint32_t size = team == NULL ? 1 : pith_i_team_size(team);
  r->jobs = count_jobs(r);
  if (size == 1) {
    r->checkpoint = r->opt->checkpoint;
    return PITH_OK;
  }
  uint32_t wave = WAVE * size < MAX_JOBS ? WAVE * size : MAX_JOBS;
  r->jobs = wave < r->group_count ? wave : r->group_count;
  pith_status rc = pith_i_crew_new(r->env, r->opt->jobs, &r->crew);
  if (rc >= 0 && r->opt->checkpoint != NULL)
    rc = pith_i_team_journal(team, r->opt->checkpoint, r->print, r->env);
  return rc;
}

static void end_team(training_run *r) {
  if (r->crew != NULL && r->opt->checkpoint != NULL)
    pith_i_team_journal(r->env->team, NULL, 0, r->env);
  pith_i_crew_free(r->crew);
}

pith_status pith_i_train(pith_i_env *env, const pith_i_net *net,
                         const pith_i_training *opt, pith_i_run *run,
                         pith_i_programs *found, pith_i_trained *done) {
  assert(opt->restarts > 0);
  assert(found->cap > 0);
  training_run r = {.env = env,
                    .net = net,
                    .opt = opt,
                    .run = run,
                    .found = found,
                    .done = done,
                    .group_count = opt->restarts / L + (opt->restarts % L != 0),
                    .solved = PITH_NONE};
  *done = (pith_i_trained){0};
  r.print = pith_i_fingerprint(net, opt);
  pthread_mutex_init(&r.lock, NULL);
  pith_status rc = begin_team(&r);
  if (rc >= 0)
    rc = make_groups(&r);
  if (rc >= 0)
    rc = train_waves(&r);
  free_groups(&r);
  end_team(&r);
  pthread_mutex_destroy(&r.lock);
  return rc;
}

/* As the authors' code, but for what the variant says. */
static void paper_recipe_of(const pith_variant *v, pith_i_recipe *r) {
  *r = pith_i_recipe_paper();
  r->onehot = v->onehot;
  r->semantics.and_product = v->conjunction == PITH_AND_PRODUCT;
  if (v->noise_held)
    r->hold = PITH_I_HOLD_THROUGH;
  if (v->noise_start != 0)
    r->noise = v->noise_start > 0 ? (pith_i_scalar)v->noise_start : 0;
  if (v->noise_factor > 0)
    r->noise_decay = (pith_i_scalar)v->noise_factor;
  if (v->noise_every > 0)
    r->noise_every = v->noise_every;
  pith_i_recipe_change(r, v->changes);
}

/* As the text, but for what the variant says. */
static void text_recipe_of(const pith_variant *v, pith_i_recipe *r) {
  *r = pith_i_recipe_text();
  r->onehot = v->onehot;
  r->unit = v->clamp;
  r->semantics.and_product = v->conjunction != PITH_AND_MINIMUM;
}

pith_i_training pith_i_training_of(const pith_learn_options *opt) {
  return (pith_i_training){.recipe = pith_i_recipe_of(opt),
                           .seed = opt->run.seed,
                           .restarts = opt->restarts,
                           .jobs = opt->run.jobs,
                           .keep = opt->keep,
                           .search = opt->search,
                           .go_on = opt->go_on,
                           .each = opt->each,
                           .checkpoint = opt->checkpoint};
}

pith_variant pith_i_variant(const pith_variant *given) {
  return given != NULL ? *given : (pith_variant){0};
}

pith_i_recipe pith_i_recipe_of(const pith_learn_options *opt) {
  pith_i_recipe r = pith_i_recipe_default();
  pith_variant variant = pith_i_variant(opt->variant);
  if (opt->semantics == PITH_PAPER)
    paper_recipe_of(&variant, &r);
  else if (opt->semantics == PITH_TEXT)
    text_recipe_of(&variant, &r);
  if (opt->epochs != 0)
    r.epochs = opt->epochs;
  if (opt->rate > 0)
    r.rate = (pith_i_scalar)opt->rate;
  return r;
}
