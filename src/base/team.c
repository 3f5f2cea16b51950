#include "base/team.h"

#include <assert.h>
#include <pthread.h>
#include <string.h>

#include "base/journal.h"
#include "base/tunables.h"

/* A message: this, and then `bytes` more. Members send ASK, FAILED and LEFT;
** member 0 answers an ASK by ITEMS, by one PART for each part and END, or by
** GIVEN_UP; OVER it sends unasked, once and last. */
typedef enum { ASK, FAILED, LEFT, ITEMS, PART, END, GIVEN_UP, OVER } team_word;
typedef struct {
  uint32_t word, loop;
  uint64_t first, last, bytes;
  uint64_t print; /* ASK: of the loop */
} team_message;

/* What member 0 knows of a member's last items, to measure its speed. */
typedef struct {
  double since, seconds; /* since: they were given; seconds: of one item */
} member_pace;

typedef struct {
  size_t count, next, finished;
  PITH_I_VEC(pith_i_team_result) parts; /* in the order of their items */
  pith_status status;                   /* not OK: nobody goes on with it */
  bool begun;      /* member 0 is there; only then are items given       */
  bool keep;       /* in the journal */
  uint32_t kept;   /* and the number it has there                        */
  bool *waiting;   /* (members) asked, and nothing was left to give      */
  uint64_t print;  /* what it computes                                   */
  uint64_t *asked; /* (members) and what the member takes it for         */
  uint32_t told;   /* members that have the parts, or will not want them */
} team_loop;

struct pith_i_team {
  pith_i_env env; /* of its own: the service thread allocates too, under lock */
  pith_transport t;
  pthread_mutex_t lock;
  pthread_cond_t changed; /* a part came in */
  pthread_t service;
  bool serving, closing, over;
  uint32_t left; /* members that have said so */
  PITH_I_VEC(team_loop) loops;
  uint32_t begun;       /* loops that this member has begun */
  uint64_t from_others; /* items that others have done      */
  member_pace *pace;    /* (members) of the loop under way */
  /* Loops are numbered there by those that it keeps, as how many others there
  ** are depends on the number of members; and with what they compute, so that
  ** results are taken by none that is cut otherwise. */
  pith_i_journal *journal; /* or NULL */
  uint32_t kept;
};

uint32_t pith_i_team_rank(const pith_i_team *t) { return t->t.rank; }
uint32_t pith_i_team_size(const pith_i_team *t) { return t->t.size; }

/* ---- loops, wherever they are ------------------------------------------ */

/* The lock is held. */
static team_loop *loop_of(pith_i_team *t, uint32_t number) {
  while (t->loops.n <= number) {
    team_loop loop = {0};
    loop.waiting = pith_i_zalloc(&t->env, t->t.size + 1, sizeof(bool));
    loop.asked = pith_i_zalloc(&t->env, t->t.size + 1, sizeof *loop.asked);
    if (loop.waiting == NULL || loop.asked == NULL ||
        !pith_i_push(&t->env, &t->loops, loop)) {
      pith_i_release(&t->env, loop.waiting);
      pith_i_release(&t->env, loop.asked);
      return NULL;
    }
  }
  return &t->loops.at[number];
}

static void drop_parts(pith_i_team *t, team_loop *loop) {
  for (size_t i = 0; i < loop->parts.n; i++)
    pith_i_vec_free(&t->env, &loop->parts.at[i].bytes);
  pith_i_vec_free(&t->env, &loop->parts);
}

/* One more member needs the parts no longer. The lock is held. */
static void release_parts(pith_i_team *t, team_loop *loop) {
  uint32_t holders = t->t.rank == 0 ? t->t.size : 1;
  if (++loop->told == holders)
    drop_parts(t, loop);
}

/* Adds a part in its place; copies the bytes. The lock is held. */
static pith_status add_part(pith_i_team *t, team_loop *loop, size_t first,
                            size_t last, const char *bytes, size_t n) {
  pith_i_team_result part = {.first = first, .last = last};
  assert(first < last && last <= loop->count);
  if (!pith_i_buffer_put(&t->env, &part.bytes, bytes, n) ||
      !pith_i_push(&t->env, &loop->parts, part)) {
    pith_i_vec_free(&t->env, &part.bytes);
    return PITH_ENOMEM;
  }
  size_t at = loop->parts.n - 1;
  for (; at > 0 && loop->parts.at[at - 1].first > first; at--)
    loop->parts.at[at] = loop->parts.at[at - 1];
  loop->parts.at[at] = part;
  loop->finished += last - first;
  return PITH_OK;
}

/* ---- the queue, at member 0 --------------------------------------------- */

/* As many items as a member does in a moment, and so few that all end
** together. */
static size_t batch_size(const pith_i_team *t, const team_loop *loop,
                         uint32_t member) {
  size_t left = loop->count - loop->next;
  double seconds = t->pace[member].seconds;
  double fair = (double)left / (2.0 * t->t.size) + 1;
  double batch = seconds > 0 ? pith_i_reals.TEAM_BATCH_SECONDS / seconds
                             : (double)loop->count / (32.0 * t->t.size);
  batch = batch > fair ? fair : batch;
  return batch < 1 ? 1 : (size_t)batch;
}

/* The next items that nobody has; false: there are none. Parts of a journal
** are passed over. */
static bool give_items(pith_i_team *t, team_loop *loop, uint32_t member,
                       size_t *first, size_t *last) {
  size_t end = loop->count;
  for (size_t i = 0; i < loop->parts.n; i++) {
    const pith_i_team_result *part = &loop->parts.at[i];
    if (part->first <= loop->next && part->last > loop->next)
      loop->next = part->last;
    else if (part->first > loop->next && part->first < end)
      end = part->first;
  }
  if (loop->status != PITH_OK || loop->next >= loop->count)
    return false;
  size_t n = batch_size(t, loop, member);
  *first = loop->next;
  *last = n < end - *first ? *first + n : end;
  loop->next = *last;
  t->pace[member].since = pith_i_now();
  return true;
}

static void measure_pace(pith_i_team *t, uint32_t member, size_t items) {
  member_pace *pace = &t->pace[member];
  double seconds = (pith_i_now() - pace->since) / (double)items;
  pace->seconds = pace->seconds > 0 ? (pace->seconds + seconds) / 2 : seconds;
}

/* Takes what a member hands in. The lock is held. */
static void take_part(pith_i_team *t, uint32_t number, uint32_t member,
                      const team_message *m, const char *bytes) {
  team_loop *loop = &t->loops.at[number];
  if (m->last <= m->first || m->last > loop->count || loop->status != PITH_OK)
    return;
  measure_pace(t, member, m->last - m->first);
  t->from_others += member == 0 ? 0 : m->last - m->first;
  pith_status rc = add_part(t, loop, m->first, m->last, bytes, m->bytes);
  if (rc >= 0 && t->journal != NULL && loop->keep)
    rc = pith_i_journal_add(t->journal, loop->kept, m->first, m->last, bytes,
                            m->bytes);
  loop->status = rc;
  pthread_cond_broadcast(&t->changed);
}

static bool is_loop_done(const team_loop *loop) {
  return loop->status != PITH_OK || loop->finished == loop->count;
}

/* ---- messages ---------------------------------------------------------- */

static bool send_message(pith_i_team *t, uint32_t to, const team_message *m,
                         const void *bytes) {
  return t->t.send(t->t.ctx, to, m, sizeof *m) == 0 &&
         (m->bytes == 0 || t->t.send(t->t.ctx, to, bytes, m->bytes) == 0);
}

/* Waits for a message from `from` (PITH_NONE: anyone); its bytes go to
** `bytes`, whose memory is the caller's. 0: none came in time; below: the
** transport is broken. */
static int receive_message(pith_i_team *t, pith_i_env *env, double seconds,
                           uint32_t *from, team_message *m,
                           pith_i_buffer *bytes) {
  size_t n;
  int there = t->t.probe(t->t.ctx, seconds, from, &n);
  if (there <= 0)
    return there;
  bytes->n = 0;
  if (n != sizeof *m || t->t.receive(t->t.ctx, *from, m, n) != 0)
    return -1;
  if (m->bytes == 0)
    return 1;
  if (!pith_i_room(env, bytes, m->bytes) ||
      t->t.receive(t->t.ctx, *from, bytes->at, m->bytes) != 0)
    return -1;
  bytes->n = m->bytes;
  return 1;
}

/* ---- the service thread of member 0 -------------------------------------- */

/* Answers a member that waits at a loop: items, the parts, or the end. Sends
** without the lock: parts of a finished loop do not change any more. */
static void send_parts(pith_i_team *t, uint32_t number, uint32_t to) {
  for (size_t i = 0;; i++) {
    pthread_mutex_lock(&t->lock);
    const team_loop *loop = &t->loops.at[number];
    bool more = loop->status == PITH_OK && i < loop->parts.n;
    pith_i_team_result part =
        more ? loop->parts.at[i] : (pith_i_team_result){0};
    pith_status status = loop->status;
    pthread_mutex_unlock(&t->lock);
    team_message m = {more                ? PART
                      : status == PITH_OK ? END
                                          : GIVEN_UP,
                      number,
                      part.first,
                      part.last,
                      part.bytes.n,
                      0};
    if (!send_message(t, to, &m, part.bytes.at) || !more)
      return;
  }
}

/* A member that is at another loop, as the clock or memory made it leave one
** out, must not hand in what belongs there: it is told to give this one up. */
static bool is_elsewhere(const team_loop *loop, uint32_t member) {
  return loop->asked[member] != loop->print;
}

/* Who waits at a loop that can be answered now: a member and the items for it,
** or none, for the parts. */
static bool find_waiting(pith_i_team *t, uint32_t *number, uint32_t *member,
                         size_t *first, size_t *last) {
  for (*number = 0; *number < t->loops.n; ++*number) {
    team_loop *loop = &t->loops.at[*number];
    for (*member = 1; *member < t->t.size; ++*member) {
      *first = *last = 0;
      if (!loop->waiting[*member] || !loop->begun ||
          (!is_elsewhere(loop, *member) &&
           !give_items(t, loop, *member, first, last) && !is_loop_done(loop)))
        continue;
      loop->waiting[*member] = false;
      return true;
    }
  }
  return false;
}

static void answer_waiting(pith_i_team *t) {
  uint32_t number, member;
  size_t first, last;
  for (;;) {
    pthread_mutex_lock(&t->lock);
    bool found = find_waiting(t, &number, &member, &first, &last);
    bool elsewhere = found && is_elsewhere(&t->loops.at[number], member);
    pthread_mutex_unlock(&t->lock);
    if (!found)
      return;
    team_message m = {elsewhere ? GIVEN_UP : ITEMS, number, first, last, 0, 0};
    if (first < last || elsewhere)
      send_message(t, member, &m, NULL);
    if (first < last)
      continue;
    if (!elsewhere)
      send_parts(t, number, member);
    pthread_mutex_lock(&t->lock);
    release_parts(t, &t->loops.at[number]);
    pthread_mutex_unlock(&t->lock);
  }
}

/* The lock is held. */
static void hear_message(pith_i_team *t, uint32_t from, const team_message *m,
                         const char *bytes) {
  team_loop *loop = m->word == LEFT ? NULL : loop_of(t, m->loop);
  if (m->word == LEFT)
    t->left++;
  else if (loop == NULL)
    return;
  else if (m->word == FAILED)
    loop->status = (pith_status)(int64_t)m->first;
  else if (loop->begun && m->print == loop->print)
    take_part(t, m->loop, from, m, bytes);
  if (m->word == ASK) {
    loop->waiting[from] = true;
    loop->asked[from] = m->print;
  }
  pthread_cond_broadcast(&t->changed);
}

static bool is_service_done(pith_i_team *t) {
  pthread_mutex_lock(&t->lock);
  bool done = t->closing && t->left + 1 >= t->t.size;
  pthread_mutex_unlock(&t->lock);
  return done;
}

static void send_word(pith_i_team *t, uint32_t to, team_word word) {
  team_message m = {word, 0, 0, 0, 0, 0};
  send_message(t, to, &m, NULL);
}

/* After this nothing is sent to the others any more. */
static void tell_all_over(pith_i_team *t) {
  for (uint32_t i = 1; i < t->t.size; i++)
    send_word(t, i, OVER);
  t->over = true;
}

static void *serve_members(void *arg) {
  pith_i_team *t = arg;
  pith_i_env env; /* of this thread's messages alone */
  pith_i_buffer bytes = {0};
  pith_i_env_init(&env, NULL);
  while (!is_service_done(t)) {
    team_message m;
    uint32_t from = PITH_NONE;
    int there = receive_message(t, &env, 0.002, &from, &m, &bytes);
    pthread_mutex_lock(&t->lock);
    if (there > 0)
      hear_message(t, from, &m, bytes.at);
    bool closing = t->closing;
    pthread_mutex_unlock(&t->lock);
    if (there < 0)
      break;
    if (!closing)
      answer_waiting(t);
    else if (!t->over) /* which those who wait hear too */
      tell_all_over(t);
  }
  pith_i_vec_free(&env, &bytes);
  return NULL;
}

/* ---- joining and leaving ------------------------------------------------- */

pith_status pith_i_team_new(const pith_transport *transport,
                            pith_i_team **out) {
  pith_i_env env;
  pith_i_env_init(&env, NULL);
  pith_i_team *t = pith_i_zalloc(&env, 1, sizeof *t);
  *out = t;
  if (t == NULL)
    return PITH_ENOMEM;
  t->env = env;
  t->t = transport != NULL ? *transport : (pith_transport){.size = 1};
  assert(t->t.rank < t->t.size);
  pthread_mutex_init(&t->lock, NULL);
  pthread_cond_init(&t->changed, NULL);
  t->pace = pith_i_zalloc(&t->env, t->t.size, sizeof *t->pace);
  if (t->pace != NULL && t->t.rank == 0 && t->t.size > 1)
    t->serving = pthread_create(&t->service, NULL, serve_members, t) == 0;
  if (t->pace != NULL && (t->serving || t->t.rank > 0 || t->t.size == 1))
    return PITH_OK;
  pith_i_team_free(t);
  *out = NULL;
  return PITH_ENOMEM;
}

/* Member 0: the service thread leaves nobody behind. */
static void lead_out(pith_i_team *t) {
  pthread_mutex_lock(&t->lock);
  t->closing = true;
  pthread_mutex_unlock(&t->lock);
  pthread_join(t->service, NULL);
}

/* The others: after the last message to them. */
static void follow_out(pith_i_team *t) {
  pith_i_buffer bytes = {0};
  team_message m;
  uint32_t from = 0;
  while (!t->over) {
    int there = receive_message(t, &t->env, 1, &from, &m, &bytes);
    t->over = there < 0 || (there > 0 && m.word == OVER);
  }
  pith_i_vec_free(&t->env, &bytes);
  send_word(t, 0, LEFT);
}

void pith_i_team_free(pith_i_team *t) {
  if (t == NULL)
    return;
  if (t->serving)
    lead_out(t);
  else if (t->t.rank > 0 && t->pace != NULL)
    follow_out(t);
  for (size_t i = 0; i < t->loops.n; i++) {
    drop_parts(t, &t->loops.at[i]);
    pith_i_release(&t->env, t->loops.at[i].waiting);
    pith_i_release(&t->env, t->loops.at[i].asked);
  }
  pith_i_vec_free(&t->env, &t->loops);
  pith_i_journal_close(t->journal);
  pith_i_release(&t->env, t->pace);
  pthread_cond_destroy(&t->changed);
  pthread_mutex_destroy(&t->lock);
  pith_i_env env = t->env;
  pith_i_release(&env, t);
}

void pith_i_team_counts(pith_i_team *t, uint32_t *loops, uint64_t *items) {
  pthread_mutex_lock(&t->lock);
  *loops = t->begun;
  *items = t->from_others;
  pthread_mutex_unlock(&t->lock);
}

bool pith_i_team_is_over(pith_i_team *t) {
  team_message m;
  pith_i_buffer none = {0};
  uint32_t from = 0;
  if (t->t.rank > 0 && !t->over) {
    int there = receive_message(t, &t->env, 0, &from, &m, &none);
    t->over = there < 0 || (there > 0 && m.word == OVER);
    pith_i_vec_free(&t->env, &none);
  }
  return t->over;
}

pith_status pith_i_team_journal(pith_i_team *t, const char *path,
                                uint64_t print, pith_i_env *error) {
  pith_status rc = PITH_OK;
  if (t->t.rank > 0)
    return PITH_OK;
  pthread_mutex_lock(&t->lock);
  pith_i_journal_close(t->journal);
  t->journal = NULL;
  t->kept = 0;
  if (path != NULL)
    rc = pith_i_journal_open(&t->env, path, print, error, &t->journal);
  pthread_mutex_unlock(&t->lock);
  return rc;
}

/* ---- loops --------------------------------------------------------------- */

/* Into the loop that this member has begun last. */
static int take_from_journal(void *ctx, const pith_i_journal_entry *e) {
  pith_i_team *t = ctx;
  team_loop *loop = &t->loops.at[t->begun - 1];
  if (e->last <= e->first || e->last > loop->count)
    return 0;
  for (size_t i = 0; i < loop->parts.n; i++)
    if (e->first < loop->parts.at[i].last && loop->parts.at[i].first < e->last)
      return 0; /* known already */
  loop->status = add_part(t, loop, e->first, e->last, e->bytes, e->n);
  return loop->status < 0;
}

pith_status pith_i_team_begin(pith_i_team *t, size_t count, uint64_t print,
                              bool keep, uint32_t *number) {
  pith_status rc = PITH_OK;
  pthread_mutex_lock(&t->lock);
  *number = t->begun++;
  team_loop *loop = loop_of(t, *number);
  if (loop == NULL) {
    rc = PITH_ENOMEM;
  } else {
    loop->count = count;
    loop->print = print;
    loop->begun = true;
    loop->keep = keep;
    loop->kept = keep ? pith_i_mix(print, t->kept++) : 0;
    memset(t->pace, 0, t->t.size * sizeof *t->pace);
    if (t->journal != NULL && keep)
      pith_i_journal_each(t->journal, loop->kept, take_from_journal, t);
    rc = loop->status;
  }
  pthread_mutex_unlock(&t->lock);
  return rc;
}

/* At member 0: takes items from the queue itself, or waits for the others. */
static pith_status next_of_own(pith_i_team *t, uint32_t number,
                               const pith_i_team_result *done, size_t *first,
                               size_t *last) {
  team_message m = {ASK, number, done->first, done->last, done->bytes.n, 0};
  *first = *last = 0;
  pthread_mutex_lock(&t->lock);
  take_part(t, number, 0, &m, done->bytes.at);
  bool given = give_items(t, &t->loops.at[number], 0, first, last);
  while (!given && !is_loop_done(&t->loops.at[number]))
    pthread_cond_wait(&t->changed, &t->lock);
  pith_status rc = t->loops.at[number].status;
  pthread_mutex_unlock(&t->lock);
  return rc;
}

static pith_status wait_for_answer(pith_i_team *t, uint32_t number,
                                   size_t *first, size_t *last) {
  pith_i_buffer bytes = {0};
  team_message m = {OVER, 0, 0, 0, 0, 0};
  uint32_t from = 0;
  pith_status rc = PITH_OK;
  for (bool more = true; more && rc == PITH_OK;) {
    int there = receive_message(t, &t->env, 1, &from, &m, &bytes);
    if (there == 0)
      continue;
    if (there > 0 && m.word == PART && m.loop == number)
      rc =
          add_part(t, &t->loops.at[number], m.first, m.last, bytes.at, m.bytes);
    else
      more = false;
    t->over = there < 0 || m.word == OVER;
    if (m.word == GIVEN_UP)
      rc = PITH_STOPPED;
  }
  *first = m.word == ITEMS ? m.first : 0;
  *last = m.word == ITEMS ? m.last : 0;
  pith_i_vec_free(&t->env, &bytes);
  return rc == PITH_OK && t->over ? PITH_STOPPED : rc;
}

pith_status pith_i_team_next(pith_i_team *t, uint32_t number,
                             const pith_i_team_result *done, size_t *first,
                             size_t *last) {
  if (t->t.rank == 0)
    return next_of_own(t, number, done, first, last);
  team_message m = {ASK,        number,        done->first,
                    done->last, done->bytes.n, t->loops.at[number].print};
  *first = *last = 0;
  if (t->over || pith_i_team_is_over(t))
    return PITH_STOPPED;
  return send_message(t, 0, &m, done->bytes.at)
             ? wait_for_answer(t, number, first, last)
             : PITH_EIO;
}

const pith_i_team_result *pith_i_team_part(pith_i_team *t, uint32_t number,
                                           size_t i) {
  pthread_mutex_lock(&t->lock);
  const team_loop *loop = &t->loops.at[number];
  const pith_i_team_result *part =
      i < loop->parts.n ? &loop->parts.at[i] : NULL;
  pthread_mutex_unlock(&t->lock);
  return part;
}

void pith_i_team_end(pith_i_team *t, uint32_t number, pith_status rc) {
  pthread_mutex_lock(&t->lock);
  team_loop *loop = &t->loops.at[number];
  if (rc != PITH_OK && loop->status == PITH_OK)
    loop->status = rc;
  release_parts(t, loop);
  pthread_mutex_unlock(&t->lock);
  team_message m = {FAILED, number, (uint64_t)(int64_t)rc, 0, 0, 0};
  if (t->t.rank > 0 && rc < 0)
    send_message(t, 0, &m, NULL);
}
