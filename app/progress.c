/* The width is asked for at every report, so a terminal that changes its size
** needs no signal. The last column stays empty: many terminals wrap when it is
** written to. */
#include "progress.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "deadline.h"
#include "report.h"

/* Nothing flashes up for a short run, unless it was asked for. */
static const double first_after = 0.3;
static const double terminal_every = 0.1, lines_every = 1;

static bool is_set_to(const settings *set, const char *word) {
  return set->progress != NULL && strcmp(set->progress, word) == 0;
}

void progress_begin(progress_line *l, const settings *set) {
  bool terminal = isatty(STDERR_FILENO) != 0;
  bool refused = set->quiet || is_set_to(set, "off") || is_set_to(set, "json");
  bool asked = is_set_to(set, "on");
  double now = seconds_now();
  *l = (progress_line){.began = now,
                       .limit = deadline_left(),
                       .next = asked ? now : now + first_after,
                       .wanted = asked || (terminal && !refused),
                       .terminal = terminal};
  deadline_while(NULL); /* the library looks at the clock */
  interrupt_catch();
}

bool progress_due(progress_line *l) {
  double now = seconds_now();
  if (now < l->next)
    return false;
  l->next = now + (l->terminal ? terminal_every : lines_every);
  return true;
}

static size_t terminal_columns(void) {
  struct winsize size;
  const char *columns = getenv("COLUMNS");
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    return size.ws_col;
  long n = columns == NULL ? 0 : strtol(columns, NULL, 10);
  return n > 0 ? (size_t)n : 80;
}

/* Cuts the text to so many characters; the last three are dots if any are cut
** off. A character is a byte that does not continue another, as in UTF-8. */
static void cut_to_columns(char *text, size_t columns) {
  size_t seen = 0, dots = 0;
  for (size_t i = 0; text[i] != '\0'; i++) {
    if (((unsigned char)text[i] & 0xc0) == 0x80)
      continue;
    if (seen + 3 == columns)
      dots = i;
    if (seen++ < columns)
      continue;
    text[dots] = '\0';
    if (columns >= 3)
      memcpy(text + dots, "...", 4); /* at least three bytes were there */
    return;
  }
}

/* Tenths are enough for a figure that changes all the time. */
static const char *tenths_text(char room[SIZE_ROOM], double seconds) {
  if (seconds >= 120)
    return seconds_text(room, seconds);
  snprintf(room, SIZE_ROOM, "%.1f s", seconds);
  return room;
}

static int put_time(char *room, size_t size, const progress_line *l) {
  char spent[SIZE_ROOM], limit[SIZE_ROOM];
  tenths_text(spent, seconds_now() - l->began);
  return l->limit > 0 ? snprintf(room, size, "%s of %s, ", spent,
                                 tenths_text(limit, l->limit))
                      : snprintf(room, size, "%s, ", spent);
}

void progress_say(progress_line *l, const char *format, ...) {
  char text[512];
  va_list args;
  int n = put_time(text, sizeof text, l);
  va_start(args, format);
  vsnprintf(text + n, sizeof text - (size_t)n, format, args);
  va_end(args);
  if (l->terminal) {
    size_t columns = terminal_columns();
    assert(columns > 0);
    cut_to_columns(text, columns - 1);
    fprintf(stderr, "\r\033[K%s", text);
  } else {
    fprintf(stderr, "pith: %s\n", text);
  }
  fflush(stderr);
  l->shown = true;
}

void progress_end(const progress_line *l, const settings *set) {
  if (set->output == NULL)
    interrupt_release();
  else
    interrupt_finish();
  if (l->shown && l->terminal) {
    fputs("\r\033[K", stderr);
    fflush(stderr);
  }
  deadline_while_writing(set->output);
}
