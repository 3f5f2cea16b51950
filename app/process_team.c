#include "process_team.h"

#include <stdlib.h>
#include <string.h>

#include "report.h"

/* How many processes were started together, as their starters say it. */
static long count_started(void) {
  static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE",
                                      "MPI_LOCALNRANKS"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const char *text = getenv(names[i]);
    if (text != NULL)
      return strtol(text, NULL, 10);
  }
  return 1;
}

static bool shares_loops(const command *c) {
  return strcmp(c->name, "learn") == 0 || strcmp(c->name, "score") == 0 ||
         strcmp(c->name, "infer") == 0 || strcmp(c->name, "compress") == 0;
}

#ifdef PITH_HAVE_MPI
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static struct {
  bool started;
  int rank, size;
  pith *p; /* whose loops are shared */
} team;

/* ---- bytes between processes --------------------------------------------- */

/* More than one message can hold goes in pieces. */
enum { PIECE = 1 << 30, TAG = 1 };

static int send_bytes(void *ctx, uint32_t to, const void *data, size_t n) {
  const char *at = data;
  (void)ctx;
  for (size_t done = 0; done < n;) {
    int piece = n - done > PIECE ? PIECE : (int)(n - done);
    if (MPI_Send(at + done, piece, MPI_BYTE, (int)to, TAG, MPI_COMM_WORLD) !=
        MPI_SUCCESS)
      return -1;
    done += (size_t)piece;
  }
  return 0;
}

/* MPI waits by looking all the time; others need the processor, so we sleep
** between two looks. */
static int probe_bytes(void *ctx, double seconds, uint32_t *from, size_t *n) {
  const struct timespec nap = {.tv_nsec = 200000};
  double waited = 0;
  (void)ctx;
  for (;;) {
    int there = 0, count = 0;
    MPI_Status status;
    int source = *from == PITH_NONE ? MPI_ANY_SOURCE : (int)*from;
    if (MPI_Iprobe(source, TAG, MPI_COMM_WORLD, &there, &status) !=
            MPI_SUCCESS ||
        (there && MPI_Get_count(&status, MPI_BYTE, &count) != MPI_SUCCESS))
      return -1;
    *n = (size_t)count;
    if (there)
      *from = (uint32_t)status.MPI_SOURCE;
    if (there || waited >= seconds)
      return there;
    nanosleep(&nap, NULL);
    waited += (double)nap.tv_nsec * 1e-9;
  }
}

static int receive_bytes(void *ctx, uint32_t from, void *data, size_t n) {
  char *at = data;
  (void)ctx;
  for (size_t done = 0; done < n;) {
    int piece = n - done > PIECE ? PIECE : (int)(n - done);
    if (MPI_Recv(at + done, piece, MPI_BYTE, (int)from, TAG, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE) != MPI_SUCCESS)
      return -1;
    done += (size_t)piece;
  }
  return 0;
}

/* ---- leader and helpers -------------------------------------------------- */

/* A helper is silent, and neither a deadline nor an interrupt is its business:
** the leader tells it when to stop. */
static void become_helper(settings *set) {
  set->output = set->report = set->checkpoint = NULL;
  set->progress = NULL;
  set->timeout = 0;
  signal(SIGINT, SIG_IGN);
  signal(SIGTERM, SIG_IGN);
  if (freopen("/dev/null", "w", stdout) == NULL ||
      freopen("/dev/null", "w", stderr) == NULL)
    _exit(EXIT_LIMIT);
}

/* Processes on one machine share its cores. */
static void share_cores(settings *set) {
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  MPI_Comm local;
  int here = 1;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL,
                      &local);
  MPI_Comm_size(local, &here);
  MPI_Comm_free(&local);
  if (set->jobs == 0)
    set->jobs = cores > here ? (unsigned)(cores / here) : 1;
}

int process_team_start(const command *c, settings *set) {
  int given;
  if (count_started() < 2)
    return 0;
  if (!shares_loops(c)) {
    say_error("%s is for one process; start it without mpirun", c->name);
    return EXIT_USE;
  }
  if (MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &given) != MPI_SUCCESS ||
      given < MPI_THREAD_MULTIPLE) {
    say_error("this MPI does not serve several threads, which pith needs");
    return EXIT_LIMIT;
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &team.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &team.size);
  team.started = true;
  share_cores(set);
  if (team.rank > 0)
    become_helper(set);
  return 0;
}

pith_status process_team_join(pith *p) {
  pith_transport t = {.rank = (uint32_t)team.rank,
                      .size = (uint32_t)team.size,
                      .send = send_bytes,
                      .probe = probe_bytes,
                      .receive = receive_bytes};
  if (!team.started || team.size < 2)
    return PITH_OK;
  team.p = p;
  return pith_team_join(p, &t);
}

void process_team_say(void) {
  uint64_t items;
  if (team.p == NULL)
    return;
  uint32_t loops = pith_team_loops(team.p, &items);
  say_note("%d processes shared %u %s; the others did %llu parts of them",
           team.size, loops, plural(loops, "loop", "loops"),
           (unsigned long long)items);
}

bool process_team_is_over(void) {
  return team.p != NULL && pith_team_is_over(team.p);
}

int process_team_finish(int code) {
  if (!team.started)
    return code;
  team.p = NULL;
  fflush(stdout);
  MPI_Finalize();
  return team.rank == 0 ? code : 0;
}

#else

int process_team_start(const command *c, settings *set) {
  (void)set;
  if (count_started() < 2 || !shares_loops(c))
    return 0;
  say_error("this pith was built without MPI, so each of the processes would "
            "do the same; build it with -DPITH_MPI=ON, or start one");
  return EXIT_USE;
}

pith_status process_team_join(pith *p) {
  (void)p;
  return PITH_OK;
}

void process_team_say(void) {}

bool process_team_is_over(void) { return false; }

int process_team_finish(int code) { return code; }

#endif
