/* A checkpoint of any bytes: learning goes on from it, or refuses it; it never
** crashes, and does not take the file for a result. */
#include "round.h"

static const char task[] = "succ(0,1). succ(1,2). succ(2,3). zero(0).\n"
                           "pos(even(0)). pos(even(2)).\n"
                           "neg(even(1)). neg(even(3)).\n";
static const char templates[] = "#1(X) :- #2(X).\n"
                                "2 #1(X) :- #2(Y,X), #3(Y).\n";

static void write_file(const char *path, const uint8_t *data, size_t size) {
  FILE *f = fopen(path, "wb");
  if (f == NULL || fwrite(data, 1, size, f) != size || fclose(f) != 0)
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char path[64];
  snprintf(path, sizeof path, "%s/pith-fuzz-checkpoint-%ld", round_folder(),
           (long)getpid());
  write_file(path, data, size);
  pith *p = round_handle();
  pith_learned *l = NULL;
  pith_learn_options opt;
  pith_learn_defaults(&opt);
  opt.restarts = 16;
  opt.epochs = 2;
  opt.run.jobs = 1;
  opt.checkpoint = path;
  if (pith_read_text(p, "task", task, sizeof task - 1, PITH_PROLOG) < 0 ||
      pith_read_text(p, "templates", templates, sizeof templates - 1,
                     PITH_TEMPLATES) < 0)
    round_fail(p, "does not read", task);
  pith_status rc = pith_learn(&p, 1, &opt, &l);
  if (rc < 0 && rc != PITH_EIO && rc != PITH_EINPUT && rc != PITH_ENOMEM)
    round_fail(p, "neither taken nor refused", "");
  pith_learned_free(l);
  pith_free(p);
  unlink(path);
  return 0;
}
