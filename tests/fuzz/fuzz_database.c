/* Files that may be SQLite databases. What was taken in must come out as Prolog
** that reads back to the same. */
#include "round.h"

/* SQLite opens files by name: there is one a process. */
static char path[64];

static void remove_file(void) { unlink(path); }

static int open_file(void) {
  snprintf(path, sizeof path, "%s/fuzz_database_XXXXXX", round_folder());
  int fd = mkstemp(path);
  if (fd < 0 || atexit(remove_file) != 0)
    abort();
  return fd;
}

static void fill_file(const uint8_t *data, size_t size) {
  static int fd = -1;
  fd = fd < 0 ? open_file() : fd;
  if (ftruncate(fd, 0) != 0 || lseek(fd, 0, SEEK_SET) != 0)
    abort();
  for (size_t done = 0; done < size;) {
    ssize_t n = write(fd, data + done, size - done);
    if (n <= 0)
      abort();
    done += (size_t)n;
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fill_file(data, size);
  pith *p = round_handle();
  return round_check(p, pith_read(p, path, PITH_SQLITE), PITH_PROLOG);
}
