#include "keep_results.h"

/* FNV-1a, eight bytes at a time. */
uint64_t sum_number(uint64_t sum, uint64_t n) {
  sum = (sum ^ n) * UINT64_C(0x100000001b3);
  return sum ^ (sum >> 29);
}

static int sum_fact(void *ctx, pith_pred pred, const pith_sym *args, size_t n) {
  uint64_t *sum = ctx;
  *sum = sum_number(*sum, pred + 1);
  for (size_t i = 0; i < n; i++)
    *sum = sum_number(*sum, args[i]);
  return 0;
}

uint64_t sum_facts(uint64_t sum, const pith *p) {
  if (p != NULL)
    pith_fact_each(p, PITH_NONE, PITH_GIVEN, sum_fact, &sum);
  return sum;
}

int keep_results(session *s, uint64_t sum) {
  pith_out *text = NULL;
  if (s->set.checkpoint == NULL)
    return 0;
  pith_status rc = pith_out_memory(s->p, &text);
  if (rc >= 0) {
    put_lasting_settings(s, text);
    pith_out_print(text, "%llx", (unsigned long long)sum);
    const char *what = pith_out_text(text, NULL);
    rc = what == NULL ? PITH_ENOMEM
                      : pith_checkpoint_begin(s->p, s->set.checkpoint, what);
  }
  pith_out_close(text, false);
  return rc < 0 ? session_fail(s, rc) : 0;
}

void keep_results_end(session *s) {
  if (s->set.checkpoint != NULL)
    pith_checkpoint_end(s->p);
}
