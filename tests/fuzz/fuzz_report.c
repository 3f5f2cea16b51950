/* Any bytes as a kept result: whatever is put into a page is JSON, a line each,
** and has no character that could end the data or begin markup. */
#include <stdlib.h>
#include <string.h>

#include "json_check.h"
#include "page.h"
#include "round.h"

extern const unsigned char report_page[];
extern const size_t report_page_size;

static const char place[] = "@EVENTS@";

static void check_data(const char *data, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (data[i] == '<' || data[i] == '>' || data[i] == '&')
      abort();
  for (size_t from = 0; from < n;) {
    const char *end = memchr(data + from, '\n', n - from);
    size_t len = end == NULL ? n - from : (size_t)(end - (data + from)), at;
    if (len > 0 && !json_check(data + from, len, &at))
      abort();
    from += len + 1;
  }
}

/* The page is the template with data in its one place. */
static void check_page(const char *text, size_t n) {
  static size_t before; /* looked for once */
  const char *template = (const char *)report_page;
  size_t mark = sizeof place - 1;
  while (memcmp(template + before, place, mark) != 0)
    before++;
  size_t after = report_page_size - before - mark;
  if (n < before + after || memcmp(text, template, before) != 0 ||
      memcmp(text + n - after, template + before + mark, after) != 0)
    abort();
  check_data(text + before, n - before - after);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  pith *p;
  pith_out *o;
  if (pith_new(&p) < 0)
    abort();
  if (pith_out_memory(p, &o) < 0)
    abort();
  if (write_page(o, (const char *)data, size) < 0)
    abort();
  size_t n;
  const char *text = pith_out_text(o, &n);
  check_page(text, n);
  pith_out_close(o, false);
  pith_free(p);
  return 0;
}
