/* JSON of any kind; what was taken in must come out as JSON lines that read
** back to the same. */
#include "round.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  return round_trip(data, size, PITH_JSON);
}
