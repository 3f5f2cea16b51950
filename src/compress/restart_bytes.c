#include "compress/restart_bytes.h"

bool pith_i_restart_put(pith_i_env *env, const pith_i_net *net,
                        const pith_i_restart *r, pith_i_buffer *out) {
  const pith_i_decoded *d = &r->draft;
  return pith_i_buffer_put(env, out, r, sizeof *r) &&
         pith_i_buffer_put(env, out, d->choice,
                           net->slots.n * sizeof *d->choice) &&
         pith_i_buffer_put(env, out, d->open, net->core.n) &&
         pith_i_buffer_put(env, out, d->core, net->core.n) &&
         pith_i_buffer_put(env, out, r->value, net->core.n * sizeof *r->value);
}

void pith_i_restart_take(pith_i_cursor *in, const pith_i_net *net,
                         pith_i_restart *r) {
  pith_i_restart was = *r;
  pith_i_cursor_take(in, r, sizeof *r);
  r->value = was.value;
  r->draft.choice = was.draft.choice;
  r->draft.open = was.draft.open;
  r->draft.core = was.draft.core;
  pith_i_cursor_take(in, r->draft.choice,
                     net->slots.n * sizeof *r->draft.choice);
  pith_i_cursor_take(in, r->draft.open, net->core.n);
  pith_i_cursor_take(in, r->draft.core, net->core.n);
  pith_i_cursor_take(in, r->value, net->core.n * sizeof *r->value);
}
