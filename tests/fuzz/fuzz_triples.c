#include "round.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  return read_and_write(data, size, PITH_TRIPLES);
}
