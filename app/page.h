/* The report: one HTML file that shows the events of a result, with nothing to
** load. The page itself is made from web/ and built into the command. */
#ifndef APP_PAGE_H
#define APP_PAGE_H

#include "pith.h"

/* Writes the page with the events, JSON lines, in it. Of a kind of event that
** there are very many of, the first are shown and the rest is counted, so that
** the page stays below 5 MB. A line that is not JSON is left out. */
pith_status write_page(pith_out *o, const char *events, size_t n);

/* The event of a line, "rule", at *name with its length; 0: the line does not
** begin as an event does. */
size_t event_name(const char *line, size_t n, const char **name);

#endif
