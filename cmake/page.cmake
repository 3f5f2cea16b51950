# The report's page as an array: web/dist/report.html is made from web/ by
# ./dev web and committed, so that a C compiler alone builds the command.
get_filename_component(page
  ${CMAKE_CURRENT_LIST_DIR}/../web/dist/report.html ABSOLUTE)
set(page_source ${PROJECT_BINARY_DIR}/report_page.c)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${page})
file(READ ${page} page_bytes HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," page_bytes "${page_bytes}")
file(CONFIGURE OUTPUT ${page_source} CONTENT
"/* Made from web/dist/report.html by cmake. */
#include <stddef.h>
extern const unsigned char report_page[];
extern const size_t report_page_size;
const unsigned char report_page[] = {@page_bytes@};
const size_t report_page_size = sizeof report_page;
" @ONLY)
