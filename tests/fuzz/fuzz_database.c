/* Files that may be SQLite databases, by way of a file without a name. What was
** taken in must come out as Prolog that reads back to the same. */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <unistd.h>

#include "round.h"

static int file_of(const uint8_t *data, size_t size) {
  int fd = memfd_create("database", 0);
  if (fd < 0)
    abort();
  for (size_t done = 0; done < size;) {
    ssize_t n = write(fd, data + done, size - done);
    if (n <= 0)
      abort();
    done += (size_t)n;
  }
  return fd;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char path[64];
  int fd = file_of(data, size);
  snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  pith *p = round_handle();
  pith_status rc = pith_read(p, path, PITH_SQLITE);
  close(fd);
  return round_check(p, rc, PITH_PROLOG);
}
