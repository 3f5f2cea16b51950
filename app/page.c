/* Inside <script type="application/json"> only "<" could end the data; it, ">"
** and "&" become escapes, which in JSON mean the same. The policy in the page's
** head allows the one script whose hash it names, and no network. */
#include "page.h"

#include <assert.h>
#include <string.h>

#include "json_check.h"

/* Made by cmake from web/dist/report.html. */
extern const unsigned char report_page[];
extern const size_t report_page_size;

static const char place_of_data[] = "@EVENTS@";

/* What a page shows at most, of each kind and in bytes altogether. */
static const struct {
  const char *name;
  size_t most;
} kinds[] = {
    {"rule", 1000},       {"example", 2000},        {"coverage", 2000},
    {"proof", 600},       {"fact", 3000},           {"core", 4000},
    {"exception", 1000},  {"answer", 1000},         {"reason", 2000},
    {"epoch", 400},       {"progress", 400},        {"relation", 1000},
    {"prediction", 2000}, {"relation_ranks", 2000}, {"valuation", 1000}};
enum {
  KINDS = sizeof kinds / sizeof *kinds,
  LONGEST_LINE = 512 * 1024,
  BYTES_AT_MOST = 4 * 1024 * 1024,
  ROOM_FOR_THE_END = 64 * 1024 /* kept for kinds that are not in the table */
};

typedef struct {
  pith_out *o;
  size_t bytes;
  size_t seen[KINDS], left_out[KINDS];
} page_data;

size_t event_name(const char *line, size_t n, const char **name) {
  static const char *const begin[] = {"{", "\"event\"", ":", "\""};
  size_t at = 0;
  for (size_t i = 0; i < sizeof begin / sizeof *begin; i++) {
    size_t len = strlen(begin[i]);
    while (at < n && (line[at] == ' ' || line[at] == '\t'))
      at++;
    if (n - at < len || memcmp(line + at, begin[i], len) != 0)
      return 0;
    at += len;
  }
  *name = line + at;
  const char *end = memchr(*name, '"', n - at);
  return end == NULL ? 0 : (size_t)(end - *name);
}

static size_t kind_of_line(const char *line, size_t n) {
  const char *name;
  size_t len = event_name(line, n, &name);
  size_t i = 0;
  while (i < KINDS && (strlen(kinds[i].name) != len ||
                       memcmp(kinds[i].name, name, len) != 0))
    i++;
  return i;
}

static void write_escaped(pith_out *o, const char *text, size_t n) {
  size_t from = 0;
  for (size_t i = 0; i < n; i++) {
    if (text[i] != '<' && text[i] != '>' && text[i] != '&')
      continue;
    pith_out_write(o, text + from, i - from);
    pith_out_print(o, "\\u%04x", (unsigned)text[i]);
    from = i + 1;
  }
  pith_out_write(o, text + from, n - from);
}

/* Whether the line is shown; kinds that grow with the data give way first. */
static bool has_room(page_data *d, size_t kind, size_t n) {
  size_t most = kind < KINDS ? BYTES_AT_MOST - ROOM_FOR_THE_END : BYTES_AT_MOST;
  if (n > LONGEST_LINE || d->bytes + n > most)
    return false;
  return kind == KINDS || d->seen[kind]++ < kinds[kind].most;
}

static void write_line(page_data *d, const char *line, size_t n) {
  size_t at;
  if (!json_check(line, n, &at))
    return;
  size_t kind = kind_of_line(line, n);
  if (has_room(d, kind, n)) {
    d->bytes += n;
    write_escaped(d->o, line, n);
    pith_out_write(d->o, "\n", 1);
  } else if (kind < KINDS) {
    d->left_out[kind]++;
  }
}

static void write_events(pith_out *o, const char *events, size_t n) {
  page_data d = {.o = o};
  for (size_t from = 0; from < n;) {
    const char *end = memchr(events + from, '\n', n - from);
    size_t len = end == NULL ? n - from : (size_t)(end - (events + from));
    write_line(&d, events + from, len);
    from += len + 1;
  }
  for (size_t i = 0; i < KINDS; i++)
    if (d.left_out[i] > 0)
      pith_out_print(o,
                     "{\"event\":\"left_out\",\"kind\":\"%s\",\"count\":%zu}\n",
                     kinds[i].name, d.left_out[i]);
}

static const char *find_place(void) {
  size_t n = sizeof place_of_data - 1;
  const char *at = (const char *)report_page, *end = at + report_page_size;
  while ((at = memchr(at, place_of_data[0], (size_t)(end - at))) != NULL) {
    if ((size_t)(end - at) >= n && memcmp(at, place_of_data, n) == 0)
      return at;
    at++;
  }
  return NULL;
}

pith_status write_page(pith_out *o, const char *events, size_t n) {
  const char *place = find_place();
  assert(place != NULL);
  const char *rest = place + sizeof place_of_data - 1;
  const char *page = (const char *)report_page;
  pith_out_write(o, page, (size_t)(place - page));
  write_events(o, events, n);
  return pith_out_write(o, rest, report_page_size - (size_t)(rest - page));
}
