#include "round.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  return round_trip(data, size, PITH_TRIPLES);
}
