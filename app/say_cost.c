#include "say_cost.h"

static void say_left_out(const pith_estimate *c,
                         const pith_learn_options *opt) {
  bool trained = opt->method != PITH_METHOD_SEARCH && opt->max_invented != 0 &&
                 opt->noise != PITH_NOISE_ON && !c->gradient;
  if (!c->recursion && trained)
    say_note("a large task, of %llu examples and %llu constants: recursive "
             "rules and predicates invented by gradient are left out; fewer "
             "examples and constants allow them",
             (unsigned long long)c->examples, (unsigned long long)c->constants);
  else if (!c->recursion)
    say_note("a large task, of %llu examples: recursive rules are left out; "
             "fewer examples allow them",
             (unsigned long long)c->examples);
  else if (trained)
    say_note("a large task, of %llu constants: predicates invented by gradient "
             "are left out; fewer constants allow them",
             (unsigned long long)c->constants);
}

void say_cost(const session *s, const pith_estimate *c,
              const pith_learn_options *opt) {
  char needed[SIZE_ROOM], limit[SIZE_ROOM];
  size_t most = session_memory(s);
  if (s->set.quiet)
    return;
  say_left_out(c, opt);
  if (c->wide != PITH_NONE)
    say_note("rules do without %s/%zu: their atoms have at most 8 arguments",
             pith_pred_name(s->p, c->wide), pith_pred_arity(s->p, c->wide));
  if (most > 0 && c->least_bytes > (double)most)
    say_warning("learning needs about %s at least, and the limit is %s; what "
                "is found within it is printed%s",
                size_text(needed, c->least_bytes),
                size_text(limit, (double)most),
                s->set.memory > 0 ? "; raise --memory" : "");
}

void put_cost(const session *s, const pith_estimate *c) {
  char least[SIZE_ROOM], most[SIZE_ROOM], seconds[SIZE_ROOM];
  pith_out *o = s->out;
  if (session_json(s)) {
    event_begin(o, "learning");
    event_real(o, "bytes", c->bytes);
    event_real(o, "seconds", c->seconds);
    event_real(o, "least_bytes", c->least_bytes);
    event_flag(o, "recursion", c->recursion);
    event_flag(o, "gradient", c->gradient);
    event_end(o);
    return;
  }
  pith_out_print(o,
                 "%% learning without templates takes at least %s; where "
                 "nothing fits, up to about %s, %s of one core\n",
                 size_text(least, c->least_bytes), size_text(most, c->bytes),
                 seconds_text(seconds, c->seconds));
  if (!c->recursion)
    pith_out_print(o, "%% examples are many: recursive rules are left out\n");
  if (!c->gradient)
    pith_out_print(o, "%% constants are many: predicates invented by gradient "
                      "are left out\n");
}
