/* One atom, as a user types it; what is written reads back to the same. */
#include "round.h"

static void check(pith *p, const pith_atom *atom) {
  pith_out *o;
  const pith_atom *again;
  if (pith_out_memory(p, &o) < 0)
    abort();
  pith_atom_write(p, atom, o);
  pith_pred pred = atom->pred;
  const char *text = pith_out_text(o, NULL);
  if (text != NULL && pith_atom_read(p, text, &again) == PITH_OK &&
      again->pred == pred) {
    pith_out_close(o, false);
    return;
  }
  round_fail(p, "does not read back", text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  pith *p = round_handle();
  char *text = malloc(size + 1);
  const pith_atom *atom;
  if (text == NULL)
    abort();
  memcpy(text, data, size);
  text[size] = '\0';
  if (pith_atom_read(p, text, &atom) == PITH_OK)
    check(p, atom);
  free(text);
  pith_free(p);
  return 0;
}
