/* RDF in each of its notations, chosen by the first byte. What was taken in has
** to come out as N-Triples that read back to the same N-Triples. */
#include "round.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const pith_format formats[] = {PITH_NTRIPLES, PITH_NQUADS, PITH_TURTLE,
                                        PITH_TRIG};
  if (size == 0)
    return 0;
  pith *p = round_handle();
  pith_status rc = pith_read_text(p, "input", (const char *)data + 1, size - 1,
                                  formats[data[0] & 3]);
  return round_check(p, rc, PITH_NTRIPLES);
}
