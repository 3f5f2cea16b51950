/* Rules of AMIE and of AnyBURL, chosen by the first byte. */
#include "round.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0)
    return 0;
  return round_trip(data + 1, size - 1, data[0] & 1 ? PITH_AMIE : PITH_ANYBURL);
}
