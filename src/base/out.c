/* Output is buffered here rather than by stdio, so that every byte's fate is
** known: a write that fails, a disk that is full, a sync that is refused. A
** file is written under a temporary name in the same folder and renamed when
** it is whole, so a reader sees the old file or the new one.
**
** The temporary is PATH.tmp-PID-RANDOM. Nobody can plant a file or a link
** under a name that cannot be guessed, and it is opened only if it is new. We
** hold a lock on it while we write, so what a killed run left behind is told
** from what another process is writing now: the next run that writes PATH
** removes it. */
#include "base/out.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/pack.h"
#include "base/run.h"
#include "base/utf8.h"

enum { ROOM = 1 << 16 };

struct pith_out {
  pith_i_env *env;
  char *at;
  size_t n, cap;
  int fd; /* -1: memory */
  bool terminal;
  pith_status status;
  char *path, *temp;     /* NULL: standard output or memory */
  pith_i_packer *packer; /* or NULL: the text is written as it is */
};

static pith_status out_new(pith_i_env *env, pith_out **out) {
  pith_out *o = pith_i_zalloc(env, 1, sizeof *o);
  if (o == NULL)
    return PITH_ENOMEM;
  o->env = env;
  o->fd = -1;
  o->cap = ROOM;
  o->at = pith_i_alloc(env, o->cap);
  if (o->at == NULL) {
    pith_i_release(env, o);
    return PITH_ENOMEM;
  }
  *out = o;
  return PITH_OK;
}

pith_status pith_i_out_memory(pith_i_env *env, pith_out **o) {
  return out_new(env, o);
}

void pith_i_out_clear(pith_out *o) { o->n = 0; }

pith_i_env *pith_i_out_env(const pith_out *o) { return o->env; }

static void out_free(pith_out *o) {
  pith_i_env *env = o->env;
  pith_i_packer_free(o->packer);
  pith_i_release(env, o->at);
  pith_i_release(env, o->path);
  pith_i_release(env, o->temp);
  pith_i_release(env, o);
}

/* ---- temporaries ------------------------------------------------------ */

enum {
  NAME_TRIES = 100, /* names to try until one is new           */
  LINK_LEVELS = 40, /* links to links, as many as Linux allows */
  NAME_ROOM = 64    /* for what a temporary's name adds        */
};

static bool lock_whole_file(int fd) {
  struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  return fcntl(fd, F_SETLK, &whole) == 0;
}

/* The process that the name of a temporary of base names, or 0: not one. */
static long owner_of_temporary(const char *name, const char *base, size_t n) {
  static const char mark[] = ".tmp-";
  if (strncmp(name, base, n) != 0 ||
      strncmp(name + n, mark, sizeof mark - 1) != 0)
    return 0;
  char *end;
  long pid = strtol(name + n + sizeof mark - 1, &end, 10);
  return *end == '-' && pid > 0 ? pid : 0;
}

/* A file of ours, of a process that is gone, that nobody holds a lock on. */
static bool is_stray(int folder, const char *name, long pid) {
  if (pid == (long)getpid() || kill((pid_t)pid, 0) == 0 || errno != ESRCH)
    return false;
  int fd = openat(folder, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0)
    return false;
  struct stat st;
  bool stray = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
               st.st_uid == geteuid() && st.st_nlink == 1 &&
               lock_whole_file(fd);
  close(fd);
  return stray;
}

/* Removes what killed runs left beside path. */
static void remove_strays(const char *path) {
  const char *slash = strrchr(path, '/');
  const char *base = slash != NULL ? slash + 1 : path;
  char folder[4096];
  size_t n = slash == NULL ? 0 : slash == path ? 1 : (size_t)(slash - path);
  if (n >= sizeof folder)
    return;
  memcpy(folder, path, n);
  folder[n] = '\0';
  DIR *all = opendir(n > 0 ? folder : ".");
  if (all == NULL)
    return;
  for (struct dirent *d; (d = readdir(all)) != NULL;) {
    long pid = owner_of_temporary(d->d_name, base, strlen(base));
    if (pid > 0 && is_stray(dirfd(all), d->d_name, pid))
      (void)unlinkat(dirfd(all), d->d_name, 0);
  }
  closedir(all);
}

/* Replaces a link by what it points to, once; false: it is not a link. */
static bool follow_link(char *path, size_t cap) {
  char to[4096];
  ssize_t got = readlink(path, to, sizeof to - 1);
  if (got <= 0)
    return false;
  to[got] = '\0';
  char *slash = strrchr(path, '/');
  size_t keep = to[0] == '/' || slash == NULL ? 0 : (size_t)(slash - path) + 1;
  if (keep + (size_t)got >= cap)
    return false;
  memcpy(path + keep, to, (size_t)got + 1);
  return true;
}

static int open_new_file(pith_out *o, size_t n, mode_t mode) {
  int fd = -1;
  for (int i = 0; i < NAME_TRIES && fd < 0; i++) {
    snprintf(o->temp, n, "%s.tmp-%ld-%016llx", o->path, (long)getpid(),
             (unsigned long long)pith_i_secret_number());
    fd = open(o->temp, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
              mode);
    if (fd < 0 && errno != EEXIST)
      break;
  }
  return fd;
}

static pith_status open_temp(pith_out *o, const char *path) {
  size_t cap = strlen(path) + 4096, n = cap + NAME_ROOM;
  o->path = pith_i_alloc(o->env, cap);
  o->temp = pith_i_alloc(o->env, n);
  if (o->path == NULL || o->temp == NULL)
    return PITH_ENOMEM;
  snprintf(o->path, cap, "%s", path);
  for (int i = 0; i < LINK_LEVELS && follow_link(o->path, cap); i++)
    continue;
  mode_t mode = 0666;
  struct stat st;
  bool there = stat(o->path, &st) == 0;
  if (there && !S_ISREG(st.st_mode)) { /* a pipe, a device: written in place */
    o->temp[0] = '\0';
    o->fd = open(o->path, O_WRONLY | O_CLOEXEC);
  } else if (there || errno != ELOOP) {
    if (there)
      mode = st.st_mode & 0777;
    remove_strays(o->path);
    o->fd = open_new_file(o, n, mode);
    if (o->fd >= 0)
      (void)lock_whole_file(o->fd);
  }
  if (o->fd < 0)
    return pith_i_fail(o->env, PITH_EIO, "%s: cannot write: %s", path,
                       strerror(errno));
  return PITH_OK;
}

/* ---- places to write --------------------------------------------------- */

pith_status pith_i_out_file(pith_i_env *env, const char *path, pith_out **out) {
  pith_out *o;
  pith_status rc = out_new(env, &o);
  if (rc < 0)
    return rc;
  if (strcmp(path, "-") == 0) {
    o->fd = STDOUT_FILENO;
    o->terminal = isatty(STDOUT_FILENO) == 1;
  } else {
    rc = pith_i_wants_packing(path) ? pith_i_packer_new(env, path, &o->packer)
                                    : PITH_OK;
    if (rc >= 0)
      rc = open_temp(o, path);
  }
  if (rc < 0)
    out_free(o);
  else
    *out = o;
  return rc;
}

static const char *out_name(const pith_out *o) {
  return o->path != NULL ? o->path : "standard output";
}

static pith_status out_fail(pith_out *o, const char *what) {
  return o->status = pith_i_fail(o->env, PITH_EIO, "%s: %s: %s", out_name(o),
                                 what, strerror(errno));
}

static pith_status write_all(pith_out *o, const char *text, size_t n) {
  while (n > 0) {
    ssize_t sent = write(o->fd, text, n);
    if (sent < 0 && errno == EINTR)
      continue;
    if (sent <= 0)
      return out_fail(o, "cannot write");
    text += sent;
    n -= (size_t)sent;
  }
  return PITH_OK;
}

/* Formats of other programs may have no way to escape a control character: a
** terminal gets a question mark. Whole characters are written, so that none is
** cut at the end of a buffer. */
static pith_status write_plain(pith_out *o, const char *text, size_t n) {
  size_t from = 0;
  for (size_t i = 0; i < n;) {
    uint32_t code = 0;
    size_t len = pith_i_utf8_next(text + i, n - i, &code);
    bool acts =
        len > 0 && code != '\n' && code != '\t' && pith_i_utf8_is_control(code);
    if (acts &&
        (write_all(o, text + from, i - from) < 0 || write_all(o, "?", 1) < 0))
      return o->status;
    i += len > 0 ? len : 1;
    from = acts ? i : from;
  }
  return write_all(o, text + from, n - from);
}

static pith_status write_packed(void *o, const char *bytes, size_t n) {
  return write_all(o, bytes, n);
}

static pith_status write_out(pith_out *o, const char *text, size_t n) {
  if (o->packer != NULL)
    return pith_i_packer_write(o->packer, text, n, false, write_packed, o);
  return o->terminal ? write_plain(o, text, n) : write_all(o, text, n);
}

pith_status pith_out_flush(pith_out *o) {
  if (o->status < 0 || o->fd < 0)
    return o->status;
  size_t n = o->n;
  o->n = 0;
  return write_out(o, o->at, n);
}

/* The caller may write line by line, outside of all calls that are limited. */
static pith_status look_before_writing(pith_i_env *env) {
  const pith_run *limits = env->limits;
  if (env->run == NULL && limits != NULL && limits->stop != NULL &&
      limits->stop(limits->stop_ctx))
    return pith_i_fail(env, PITH_ELIMIT, "stopped by the caller's limit");
  return pith_i_call_poll(env);
}

static pith_status make_room_for(pith_out *o, size_t n) {
  o->status = look_before_writing(o->env);
  if (o->status < 0)
    return o->status;
  if (o->fd >= 0)
    return pith_out_flush(o);
  size_t cap = o->cap;
  while (cap < o->n + n)
    cap *= 2;
  char *at = pith_i_realloc(o->env, o->at, cap);
  if (at == NULL)
    return o->status = PITH_ENOMEM;
  o->at = at;
  o->cap = cap;
  return PITH_OK;
}

pith_status pith_out_write(pith_out *o, const char *text, size_t n) {
  if (o->status < 0 || n == 0)
    return o->status;
  if (n > o->cap - o->n && make_room_for(o, n) < 0)
    return o->status;
  if (n > o->cap - o->n) /* a file, and longer than the buffer */
    return write_out(o, text, n);
  assert(o->n + n <= o->cap);
  memcpy(o->at + o->n, text, n);
  o->n += n;
  return PITH_OK;
}

/* Numbers have a point, whatever the locale of the program that calls us. */
static int print_plainly(char *to, size_t room, const char *format,
                         va_list args) {
  locale_t plain = strcmp(nl_langinfo(RADIXCHAR), ".") == 0
                       ? (locale_t)0
                       : newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (plain == (locale_t)0)
    return vsnprintf(to, room, format, args);
  locale_t before = uselocale(plain);
  int n = vsnprintf(to, room, format, args);
  uselocale(before);
  freelocale(plain);
  return n;
}

pith_status pith_out_print(pith_out *o, const char *format, ...) {
  char small[512];
  va_list args;
  va_start(args, format);
  int n = print_plainly(small, sizeof small, format, args);
  va_end(args);
  if (n < 0)
    return o->status = PITH_EARG;
  if ((size_t)n < sizeof small)
    return pith_out_write(o, small, (size_t)n);
  char *big = pith_i_alloc(o->env, (size_t)n + 1);
  if (big == NULL)
    return o->status = PITH_ENOMEM;
  va_start(args, format);
  print_plainly(big, (size_t)n + 1, format, args);
  va_end(args);
  pith_status rc = pith_out_write(o, big, (size_t)n);
  pith_i_release(o->env, big);
  return rc;
}

static pith_status put_json_escape(pith_out *o, uint32_t code) {
  if (code == '"' || code == '\\')
    return pith_out_print(o, "\\%c", (int)code);
  if (code == '\n' || code == '\t')
    return pith_out_write(o, code == '\n' ? "\\n" : "\\t", 2);
  assert(code <= 0xffff); /* all control characters are */
  return pith_out_print(o, "\\u%04x", (unsigned)code);
}

/* The length of the character at s, or 0 when JSON cannot hold it as it is or
** a terminal must not see it. */
static size_t plain_length(const char *s) {
  return *s == '"' || *s == '\\' ? 0 : pith_i_utf8_plain(s, strnlen(s, 4));
}

/* A file's name may hold any bytes; those that are not UTF-8 become U+FFFD. */
pith_status pith_out_quote(pith_out *o, const char *text) {
  pith_out_write(o, "\"", 1);
  const char *from = text, *s = text;
  while (*s != '\0') {
    size_t n = plain_length(s);
    if (n == 0) {
      uint32_t code = 0xfffd;
      pith_out_write(o, from, (size_t)(s - from));
      n = pith_i_utf8_next(s, strnlen(s, 4), &code);
      n = n == 0 ? 1 : n;
      put_json_escape(o, code);
      from = s + n;
    }
    s += n;
  }
  pith_out_write(o, from, (size_t)(s - from));
  return pith_out_write(o, "\"", 1);
}

size_t pith_text_plain(const char *text, size_t n) {
  return pith_i_utf8_plain(text, n);
}

const char *pith_out_text(pith_out *o, size_t *n) {
  if (pith_out_write(o, "", 1) < 0)
    return NULL;
  o->n--;
  if (n != NULL)
    *n = o->n;
  return o->at;
}

/* The rename itself is durable only when its folder is synced too. */
static void sync_folder(const pith_out *o) {
  char *slash = strrchr(o->temp, '/');
  if (slash == o->temp)
    slash++; /* the root folder keeps its name */
  if (slash != NULL)
    *slash = '\0';
  int fd = open(slash != NULL ? o->temp : ".", O_RDONLY | O_CLOEXEC);
  if (fd >= 0) {
    (void)fsync(fd);
    close(fd);
  }
}

static pith_status keep_file(pith_out *o) {
  bool renames = o->temp[0] != '\0';
  if (renames && o->status >= 0 && fsync(o->fd) != 0)
    out_fail(o, "cannot sync");
  if (close(o->fd) != 0 && o->status >= 0)
    out_fail(o, "cannot close");
  if (!renames)
    return o->status;
  if (o->status >= 0 && rename(o->temp, o->path) != 0)
    out_fail(o, "cannot rename into place");
  if (o->status < 0)
    unlink(o->temp);
  else
    sync_folder(o);
  return o->status;
}

pith_status pith_out_close(pith_out *o, bool keep) {
  if (o == NULL)
    return PITH_OK;
  if (keep && pith_out_flush(o) >= 0 && o->packer != NULL)
    pith_i_packer_write(o->packer, "", 0, true, write_packed, o);
  pith_status rc = o->status;
  if (o->path != NULL && keep)
    rc = keep_file(o);
  else if (o->path != NULL) {
    close(o->fd);
    if (o->temp[0] != '\0')
      unlink(o->temp);
  }
  out_free(o);
  return rc;
}
