/* Running a plan: a search with one cursor a step, in a loop rather than by
** recursion, so that a body of any length needs no stack. */
#include "logic/plan.h"

#include <assert.h>

#include "base/run.h"
#include "term/compare.h"

enum {
  POLL_ROWS = 1 << 15, /* also those that a step goes over in one turn */
  LIMITED_ROWS = 512   /* in calls that pith_limit_calls may end */
};

/* ---- opening a step -------------------------------------------------- */

static void set_view(pith_i_step *s) {
  const pith_i_relation *r = s->rel;
  s->lo = s->view == PITH_I_NEW ? r->old : 0;
  s->hi = s->view == PITH_I_OLD     ? r->old
          : s->view == PITH_I_GIVEN ? r->given
          : s->view == PITH_I_WHOLE ? r->rows.n
                                    : r->end;
  assert(r->bits != NULL || s->hi <= r->rows.n);
}

static void load_step_key(const pith_i_plan *plan, pith_i_step *s) {
  for (uint32_t i = 0; i < s->key_count; i++)
    s->key[i] = plan->regs[s->key_regs[i]];
}

/* The row of bits that the bound argument selects, or none. */
static void open_bits(const pith_i_plan *plan, pith_i_step *s, uint32_t key) {
  assert(s->rel->bits != NULL && key < s->key_count);
  uint32_t id =
      pith_i_domain_id(s->rel->bits->domain, plan->regs[s->key_regs[key]]);
  s->next = id == PITH_NONE ? 0 : id;
  s->hi = id == PITH_NONE ? 0 : (size_t)id + 1;
  s->at = 0;
  s->word = 0;
}

static void open_step(const pith_i_plan *plan, pith_i_step *s) {
  switch (s->access) {
  case PITH_I_SCAN:
    s->next = s->lo;
    break;
  case PITH_I_CHAIN:
    load_step_key(plan, s);
    s->next = pith_i_index_find(s->index, &s->rel->rows, s->key);
    while (s->next != PITH_NONE && s->next >= s->hi)
      s->next = s->index->next[s->next];
    break;
  case PITH_I_MEMBER:
    load_step_key(plan, s);
    s->next = 0;
    break;
  case PITH_I_BIT_SCAN:
    s->next = s->at = 0;
    s->word = 0;
    s->hi = s->rel->bits->n;
    break;
  case PITH_I_BIT_ROW:
  case PITH_I_BIT_COLUMN:
  case PITH_I_BIT_MEMBER:
    open_bits(plan, s, 0);
    break;
  }
}

/* ---- the next match -------------------------------------------------- */

/* PAUSE: enough rows did not match; it is time for a look at the clock. */
typedef enum { NO_MATCH, MATCH, PAUSE } outcome;

static bool is_absent(pith_i_plan *plan, pith_i_step *s);

static inline bool tests_hold(const pith_i_plan *plan,
                              const pith_i_conditions *c) {
  const pith_sym *regs = plan->regs;
  for (uint32_t i = 0; i < c->test_count; i++) {
    pith_sym a = regs[c->tests[i].left], b = regs[c->tests[i].right];
    if (c->tests[i].pred == PITH_DIFFERENT
            ? a == b
            : !pith_i_builtin_holds(plan->form->names, c->tests[i].pred, a, b))
      return false;
  }
  return true;
}

static bool each_holds(pith_i_plan *plan, pith_i_conditions *c) {
  if (!tests_hold(plan, c))
    return false;
  for (uint32_t i = 0; i < c->absent_count; i++)
    if (!is_absent(plan, &c->absent[i]))
      return false;
  return true;
}

/* Most steps have no conditions, and a call for each row would cost. */
static inline bool conditions_hold(pith_i_plan *plan, pith_i_conditions *c) {
  return (c->test_count | c->absent_count) == 0 || each_holds(plan, c);
}

static inline bool row_matches(pith_i_plan *plan, pith_i_step *s,
                               const uint32_t *row) {
  pith_sym *regs = plan->regs;
  for (uint32_t i = 0; i < s->bind_count; i++)
    regs[s->binds[i].reg] = row[s->binds[i].column];
  for (uint32_t i = 0; i < s->check_count; i++)
    if (regs[s->checks[i].reg] != row[s->checks[i].column])
      return false;
  return conditions_hold(plan, &s->then);
}

static inline bool match_row(pith_i_plan *plan, pith_i_step *s, size_t row) {
  assert(row < s->rel->rows.n);
  s->row = (uint32_t)row;
  return row_matches(plan, s, s->rel->rows.at + row * s->rel->rows.width);
}

/* Of a row that did not match. */
static inline bool is_time_to_pause(pith_i_plan *plan) {
  return ++plan->gone_over >= POLL_ROWS;
}

static outcome next_scan(pith_i_plan *plan, pith_i_step *s) {
  while (s->next < s->hi) {
    if (match_row(plan, s, s->next++))
      return MATCH;
    if (is_time_to_pause(plan))
      return PAUSE;
  }
  return NO_MATCH;
}

static outcome next_chain(pith_i_plan *plan, pith_i_step *s) {
  assert(s->index != NULL);
  while (s->next != PITH_NONE) {
    size_t row = s->next;
    s->next = s->index->next[row];
    if (match_row(plan, s, row))
      return MATCH;
    if (is_time_to_pause(plan))
      return PAUSE;
  }
  return NO_MATCH;
}

static outcome next_member(pith_i_plan *plan, pith_i_step *s) {
  if (s->next++ > 0)
    return NO_MATCH;
  uint32_t row = pith_i_tuples_find(&s->rel->rows, s->key);
  return row != PITH_NONE && row < s->hi && match_row(plan, s, row) ? MATCH
                                                                    : NO_MATCH;
}

/* The next bit in rows [next, hi): its place in the row, or n. */
static size_t next_bit(pith_i_step *s, const uint64_t *rows, size_t words) {
  while (s->next < s->hi) {
    while (s->word == 0 && s->at < words)
      s->word = rows[s->next * words + s->at++];
    if (s->word != 0) {
      size_t bit = (s->at - 1) * 64 + (size_t)__builtin_ctzll(s->word);
      s->word &= s->word - 1;
      return bit;
    }
    s->at = 0;
    s->next++;
  }
  return SIZE_MAX;
}

static outcome next_bits(pith_i_plan *plan, pith_i_step *s) {
  assert(s->access != PITH_I_BIT_COLUMN || s->rel->bits->columns != NULL);
  const pith_i_bits *b = s->rel->bits;
  bool by_column = s->access == PITH_I_BIT_COLUMN;
  const uint64_t *rows = by_column ? b->columns : b->rows;
  size_t bit;
  while ((bit = next_bit(s, rows, b->words)) != SIZE_MAX) {
    pith_sym fixed = pith_i_domain_sym(b->domain, s->next);
    pith_sym found = pith_i_domain_sym(b->domain, bit);
    pith_sym pair[2] = {by_column ? found : fixed, by_column ? fixed : found};
    if (row_matches(plan, s, pair))
      return MATCH;
    if (is_time_to_pause(plan))
      return PAUSE;
  }
  return NO_MATCH;
}

static outcome next_bit_member(pith_i_plan *plan, pith_i_step *s) {
  if (s->next >= s->hi)
    return NO_MATCH;
  const pith_i_bits *b = s->rel->bits;
  uint32_t y = pith_i_domain_id(b->domain, plan->regs[s->key_regs[1]]);
  bool holds = y != PITH_NONE && pith_i_bit(b->rows + s->next * b->words, y);
  s->next = s->hi;
  return holds && conditions_hold(plan, &s->then) ? MATCH : NO_MATCH;
}

static inline outcome next_match(pith_i_plan *plan, pith_i_step *s) {
  switch (s->access) {
  case PITH_I_SCAN:
    return next_scan(plan, s);
  case PITH_I_CHAIN:
    return next_chain(plan, s);
  case PITH_I_MEMBER:
    return next_member(plan, s);
  case PITH_I_BIT_MEMBER:
    return next_bit_member(plan, s);
  default:
    return next_bits(plan, s);
  }
}

/* Whether no fact matches. What it binds is used nowhere else. */
static bool is_absent(pith_i_plan *plan, pith_i_step *s) {
  assert(s->view == PITH_I_WHOLE || s->view == PITH_I_GIVEN);
  set_view(s);
  open_step(plan, s);
  outcome o = PAUSE;
  while (o == PAUSE) /* the step whose rows it is about pauses then */
    o = next_match(plan, s);
  return o == NO_MATCH;
}

/* ---- the search ------------------------------------------------------ */

static pith_status poll_hooks(pith_i_env *env, pith_i_hooks *h) {
  h->countdown = POLL_ROWS;
  pith_status rc = pith_i_call_poll(env);
  return rc < 0 || h->poll == NULL ? rc : h->poll(h->ctx);
}

/* Before a step's next turn, for the rows of the one before. */
static inline pith_status count_turn(pith_i_plan *plan, pith_i_hooks *h) {
  uint32_t rows = 1 + plan->gone_over;
  plan->gone_over = 0;
  if (h->countdown < rows)
    return poll_hooks(plan->env, h);
  h->countdown -= rows;
  return PITH_OK;
}

static bool head_is_known(pith_i_plan *plan, pith_i_hooks *h, uint32_t level) {
  return level == plan->head_at && level < plan->step_count &&
         h->known != NULL && h->known(h->ctx, plan);
}

/* level: how many steps have matched. */
static pith_status search_matches(pith_i_plan *plan, pith_i_hooks *h) {
  uint32_t level = 0;
  pith_status rc;
  open_step(plan, &plan->steps[0]);
  for (;;) {
    if ((rc = count_turn(plan, h)) != PITH_OK)
      return rc;
    outcome o = next_match(plan, &plan->steps[level]);
    if (o == PAUSE)
      continue;
    if (o == NO_MATCH) {
      if (level-- == 0)
        return PITH_OK;
    } else if (level + 1 == plan->step_count) {
      if ((rc = h->found(h->ctx, plan)) != PITH_OK)
        return rc;
      if (plan->head_at <= level) { /* one match of the rest is enough */
        if (plan->head_at == 0)
          return PITH_OK;
        level = plan->head_at - 1;
      }
    } else if (!head_is_known(plan, h, level + 1)) {
      open_step(plan, &plan->steps[++level]);
    }
  }
}

pith_status pith_i_plan_run(pith_i_plan *plan, pith_i_hooks *hooks) {
  assert(plan->step_count == plan->form->atom_count);
  assert(plan->head_at <= plan->step_count);
  assert(hooks->found != NULL);
  if (plan->form->never || !conditions_hold(plan, &plan->first) ||
      head_is_known(plan, hooks, 0))
    return PITH_OK;
  if (plan->step_count == 0)
    return hooks->found(hooks->ctx, plan);
  for (uint32_t i = 0; i < plan->step_count; i++)
    set_view(&plan->steps[i]);
  plan->gone_over = 0;
  if (plan->env->run != NULL && hooks->countdown > LIMITED_ROWS)
    hooks->countdown = LIMITED_ROWS;
  return search_matches(plan, hooks);
}
