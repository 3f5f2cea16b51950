#include "train/checkpoint.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/hash.h"

/* ---- fingerprint ----------------------------------------------------- */

static uint64_t mix_words(uint64_t h, const uint32_t *at, size_t n) {
  return pith_i_mix(h, pith_i_hash_bytes(at, n * sizeof *at));
}

static uint64_t mix_join(uint64_t h, const pith_i_net *net,
                         const pith_i_join *j) {
  uint32_t tensors[] = {j->a, j->b, j->out, j->size};
  h = mix_words(h, tensors, 4);
  if (net->dense) {
    h = pith_i_mix(h, pith_i_hash_bytes(&j->a_step, sizeof j->a_step));
    return pith_i_mix(h, pith_i_hash_bytes(&j->b_step, sizeof j->b_step));
  }
  h = mix_words(h, j->start, j->size + (size_t)1);
  h = mix_words(h, j->left, j->start[j->size]);
  return j->right == NULL ? h : mix_words(h, j->right, j->start[j->size]);
}

static uint64_t mix_net(uint64_t h, const pith_i_net *net) {
  uint64_t sizes[] = {net->constants, net->pairs,      net->preds.n,
                      net->slots.n,   net->joins.n,    net->rules.n,
                      net->atoms,     net->examples.n, net->steps};
  h = pith_i_mix(h, pith_i_hash_bytes(sizes, sizeof sizes));
  for (size_t i = 0; i < net->preds.n; i++)
    h = mix_words(h, net->preds.at[i].facts, net->preds.at[i].fact_count);
  for (size_t i = 0; i < net->candidates.n; i++)
    h = pith_i_mix(h, net->pooled ? net->candidates.at[i].body
                                  : net->candidates.at[i].pred);
  for (size_t i = 0; i < net->bodies.n; i++)
    h = mix_words(h, net->bodies.at[i].facts, net->bodies.at[i].fact_count);
  for (size_t i = 0; i < net->joins.n; i++)
    h = mix_join(h, net, &net->joins.at[i]);
  for (size_t i = 0; !net->pooled && i < net->rules.n; i++)
    h = mix_words(h, net->rules.at[i].atoms, net->rules.at[i].size);
  for (size_t i = 0; i < net->examples.n; i++) {
    const pith_i_net_example *e = &net->examples.at[i];
    uint32_t weight;
    memcpy(&weight, &e->weight, sizeof weight);
    h = pith_i_mix(h, (uint64_t)e->atom << 32 | weight);
    h = pith_i_mix(h, e->label > 0.5f);
  }
  return h;
}

/* Field by field: a struct may have padding. */
static uint64_t mix_recipe(uint64_t h, const pith_i_recipe *r) {
  float floats[] = {r->rate,  r->bound,      r->tau_start,   r->tau_end,
                    r->noise, r->noise_hold, r->noise_decay, r->eps};
  uint32_t words[] = {r->semantics.and_product,
                      r->semantics.slot_max,
                      (uint32_t)r->weighing,
                      r->epochs,
                      (uint32_t)r->noise_kind,
                      r->noise_every,
                      r->dimension,
                      r->onehot,
                      r->unit,
                      r->semantics.reference,
                      (uint32_t)r->hold};
  h = pith_i_mix(h, pith_i_hash_bytes(floats, sizeof floats));
  return pith_i_mix(h, pith_i_hash_bytes(words, sizeof words));
}

uint64_t pith_i_fingerprint(const pith_i_net *net, const pith_i_training *opt) {
  uint64_t h = pith_i_hash_bytes(PITH_VERSION, sizeof PITH_VERSION);
  h = mix_recipe(mix_net(h, net), &opt->recipe);
  uint64_t rest[] = {opt->seed,   opt->restarts, opt->keep,
                     opt->search, opt->go_on,    opt->each};
  return pith_i_mix(h, pith_i_hash_bytes(rest, sizeof rest));
}

/* ---- writing --------------------------------------------------------- */

static bool put_found(pith_i_env *env, const pith_i_net *net,
                      const pith_i_found_program *f, pith_i_buffer *out) {
  uint32_t words[] = {f->errors.fp, f->errors.fn, (uint32_t)f->stage,
                      f->restart,   f->epoch,     f->both};
  float floats[] = {f->loss, f->error};
  return pith_i_buffer_put(env, out, words, sizeof words) &&
         pith_i_buffer_put(env, out, floats, sizeof floats) &&
         pith_i_buffer_put(env, out, f->choice,
                           net->slots.n * sizeof *f->choice) &&
         pith_i_buffer_put(env, out, f->tied, net->slots.n * sizeof *f->tied) &&
         pith_i_buffer_put(env, out, f->similarity,
                           net->rules.n * sizeof *f->similarity);
}

bool pith_i_programs_save(pith_i_env *env, const pith_i_net *net,
                          const pith_i_programs *s, pith_i_buffer *out) {
  bool ok = pith_i_buffer_put(env, out, &s->n, sizeof s->n);
  for (uint32_t i = 0; ok && i < s->n; i++)
    ok = put_found(env, net, &s->at[i], out);
  return ok;
}

bool pith_i_group_save(pith_i_env *env, const pith_i_group *g,
                       pith_i_buffer *out) {
  assert(g->descent != NULL);
  const pith_i_descent *d = g->descent;
  uint32_t words[] = {g->number, d->epoch, g->search_next, g->solved, g->done};
  size_t bytes = d->params * sizeof *d->theta;
  return pith_i_buffer_put(env, out, words, sizeof words) &&
         pith_i_buffer_put(env, out, d->theta, bytes) &&
         pith_i_buffer_put(env, out, d->first, bytes) &&
         pith_i_buffer_put(env, out, d->second, bytes) &&
         pith_i_programs_save(env, d->net, &g->list, out);
}

/* ---- reading --------------------------------------------------------- */

/* A device may have no end, and cannot be replaced by a rename. */
pith_status pith_i_buffer_read(pith_i_env *env, const char *path,
                               pith_i_buffer *out) {
  struct stat st;
  if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
    return pith_i_fail(env, PITH_EINPUT,
                       "%s: not a plain file, so no checkpoint of pith", path);
  FILE *f = fopen(path, "rb");
  pith_status rc = f == NULL ? PITH_EIO : PITH_OK;
  for (size_t got = 1; rc >= 0 && got > 0;) {
    if (!pith_i_room(env, out, 1 << 16))
      rc = PITH_ENOMEM;
    else {
      got = fread(out->at + out->n, 1, 1 << 16, f);
      out->n += got;
      rc = ferror(f) ? PITH_EIO : PITH_OK;
    }
  }
  if (f != NULL)
    fclose(f);
  return rc == PITH_EIO ? pith_i_fail(env, rc, "%s: cannot read: %s", path,
                                      strerror(errno))
                        : rc;
}

/* A choice names a candidate of its slot, or none in a head. */
static bool is_valid_choice(const pith_i_net *net, const uint32_t *choice) {
  for (size_t i = 0; i < net->slots.n; i++) {
    const pith_i_net_slot *s = &net->slots.at[i];
    if (choice[i] == PITH_NONE ? !s->in_head : choice[i] - s->first >= s->count)
      return false;
  }
  return true;
}

static bool are_valid_ties(const pith_i_net *net, const uint32_t *tied) {
  for (size_t i = 0; i < net->slots.n; i++) {
    const pith_i_net_slot *s = &net->slots.at[i];
    if (tied[i] != PITH_NONE && tied[i] - s->first >= s->count)
      return false;
  }
  return true;
}

void pith_i_programs_load(pith_i_cursor *c, const pith_i_net *net,
                          pith_i_programs *s) {
  assert(s->cap > 0);
  uint32_t n;
  pith_i_cursor_take(c, &n, sizeof n);
  c->ok = c->ok && n <= s->cap;
  s->n = 0;
  for (uint32_t i = 0; c->ok && i < n; i++) {
    pith_i_found_program *f = &s->at[i];
    uint32_t words[6];
    float floats[2];
    pith_i_cursor_take(c, words, sizeof words);
    pith_i_cursor_take(c, floats, sizeof floats);
    pith_i_cursor_take(c, f->choice, net->slots.n * sizeof *f->choice);
    pith_i_cursor_take(c, f->tied, net->slots.n * sizeof *f->tied);
    pith_i_cursor_take(c, f->similarity, net->rules.n * sizeof *f->similarity);
    f->errors = (pith_i_errors){words[0], words[1]};
    f->stage = (pith_stage)words[2];
    f->restart = words[3];
    f->epoch = words[4];
    f->both = words[5] != 0;
    f->loss = floats[0];
    f->error = floats[1];
    c->ok = c->ok && words[2] <= PITH_SEARCH &&
            is_valid_choice(net, f->choice) && are_valid_ties(net, f->tied);
    s->n += c->ok;
  }
}

void pith_i_group_load(pith_i_cursor *c, pith_i_group *g) {
  pith_i_descent *d = g->descent;
  uint32_t words[5];
  size_t bytes = d->params * sizeof *d->theta;
  pith_i_cursor_take(c, words, sizeof words);
  pith_i_cursor_take(c, d->theta, bytes);
  pith_i_cursor_take(c, d->first, bytes);
  pith_i_cursor_take(c, d->second, bytes);
  pith_i_programs_load(c, d->net, &g->list);
  c->ok = c->ok && words[0] == g->number && words[1] <= d->recipe.epochs;
  d->epoch = words[1];
  g->search_next = words[2];
  g->solved = words[3] != 0;
  g->done = words[4] != 0;
}
