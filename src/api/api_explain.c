/* Proofs: asking for one, and writing it.
**
** As text a proof is a tree by indentation: a fact a line, with the rule that
** gives it, and below it the facts that the rule needs. In JSON it is a list
** of nodes that name each other by number rather than a tree, so that a proof
** of ten thousand steps does not nest ten thousand deep and a shared part is
** written once. */
#include <assert.h>
#include <string.h>

#include "api/handle.h"
#include "base/out.h"
#include "logic/closure.h"
#include "logic/proof.h"

/* ---- asking ---------------------------------------------------------- */

static pith_status check_goal(pith *p, const pith_atom *a) {
  pith_status rc = pith_i_check_arity(p, a);
  if (rc < 0)
    return rc;
  if (PITH_IS_BUILTIN(a->pred) || a->negated)
    return pith_i_fail(&p->env, PITH_EARG,
                       "a comparison or a negated atom is not a fact; ask "
                       "about an atom");
  if (a->arity > 0 && a->args == NULL)
    return pith_i_fail(&p->env, PITH_EARG, "an atom without its arguments");
  for (uint32_t i = 0; i < a->arity; i++) {
    if (PITH_IS_VAR(a->args[i]))
      return pith_i_fail(&p->env, PITH_EARG,
                         "only an atom without variables can be explained; "
                         "put a constant in place %u of %s",
                         i + 1, pith_pred_name(p, a->pred));
    if (a->args[i] >= pith_sym_count(p))
      return pith_i_fail(&p->env, PITH_EARG, "no such constant");
  }
  return PITH_OK;
}

static uint32_t most_variables(const pith *p) {
  uint32_t most = 0;
  for (size_t i = 0; i < pith_rule_count(p); i++)
    if (pith_rule_at(p, i)->var_count > most)
      most = pith_rule_at(p, i)->var_count;
  return most;
}

/* A proof that is wrong is our fault and is never shown. */
static pith_status check_proof(pith *p, const pith_proof *proof) {
  pith_sym *scratch =
      pith_i_alloc(&p->env, most_variables(p) * sizeof *scratch);
  if (scratch == NULL)
    return PITH_ENOMEM;
  bool right = pith_i_proof_check(proof, &p->theory.names, scratch, &p->store);
  pith_i_release(&p->env, scratch);
  assert(right);
  return right ? PITH_OK
               : pith_i_fail(&p->env, PITH_EINTERNAL,
                             "a proof was found that does not hold; this is a "
                             "fault of pith, please report it");
}

static pith_status prove_or_refute(pith *p, pith_proof *proof) {
  const pith_atom *a = &proof->goal;
  pith_status rc = PITH_OK;
  if (!p->complete && !pith_i_fact_holds(&p->store, a->pred, a->args))
    rc = pith_infer(p, NULL, NULL);
  if (rc < 0)
    return rc;
  if (pith_i_fact_holds(&p->store, a->pred, a->args)) {
    rc = pith_i_prove(proof, &p->theory, &p->store, p->complete);
    return rc < 0 ? rc : check_proof(p, proof);
  }
  rc = pith_i_whynot_find(proof, &p->theory, &p->store);
  return rc < 0 ? rc : PITH_UNPROVED;
}

pith_status pith_explain(pith *p, const pith_atom *atom, pith_proof **out) {
  *out = NULL;
  pith_proof *proof;
  pith_status rc = check_goal(p, atom);
  if (rc >= 0)
    rc = pith_i_proof_new(&p->env, atom, &proof);
  if (rc < 0)
    return rc;
  pith_i_call_begin(p);
  rc = pith_i_call_end(p, prove_or_refute(p, proof));
  if (rc < 0)
    pith_proof_free(proof);
  else
    *out = proof;
  return rc;
}

uint32_t pith_proof_steps(const pith_proof *proof) { return proof->steps; }
size_t pith_proof_size(const pith_proof *proof) { return proof->uses; }

void pith_proof_free(pith_proof *proof) {
  if (proof == NULL)
    return;
  pith_i_env *env = proof->env;
  pith_i_vec_free(env, &proof->nodes);
  pith_i_arena_free(&proof->arena);
  pith_i_release(env, proof);
}

/* ---- writing --------------------------------------------------------- */

typedef struct {
  const pith *p;
  const pith_proof *proof;
  pith_out *o;
} writer;

static void put_proof_text(const writer *w, const char *text) {
  pith_out_write(w->o, text, strlen(text));
}

static void put_atom(const writer *w, const pith_atom *a) {
  pith_atom_write(w->p, a, w->o);
}

static void put_rule(const writer *w, const pith_rule *r) {
  pith_rule_write(w->p, r, w->o);
}

/* The text that a writer gives, kept aside. */
static void aside_start(const writer *w, writer *in) {
  *in = *w;
  if (pith_i_out_memory(w->proof->env, &in->o) < 0)
    in->o = NULL;
}

/* The text, or NULL: no memory. It lives until the end. */
static const char *aside_text(const writer *in, size_t *n) {
  return in->o == NULL ? NULL : pith_out_text(in->o, n);
}

static void aside_end(const writer *in) {
  if (in->o != NULL)
    pith_out_close(in->o, true);
}

/* An atom of the rule that may have variables left, by their names there:
** written as a rule without a body, less its full stop. */
static pith_status put_open_atom(const writer *w, const pith_rule *rule,
                                 const pith_atom *a) {
  pith_rule bare = {.head = *a,
                    .var_count = rule->var_count,
                    .var_names = rule->var_names,
                    .file = PITH_NONE};
  writer in;
  size_t n;
  aside_start(w, &in);
  if (in.o != NULL)
    put_rule(&in, &bare);
  const char *text = aside_text(&in, &n);
  pith_status rc =
      text == NULL ? PITH_ENOMEM : pith_out_write(w->o, text, n - 1);
  aside_end(&in);
  return rc;
}

/* Beyond this depth the indentation stays: a proof of many steps would
** otherwise be mostly blanks. */
enum { DEEPEST = 32 };

static void put_indent(const writer *w, size_t depth) {
  for (size_t i = 0; i < depth && i < DEEPEST; i++)
    put_proof_text(w, "  ");
}

/* What the writer of a tree still has to visit. */
typedef struct {
  uint32_t node;
  uint32_t depth;
} visit;

/* no proof of p(a,_): the negated atom less its sign. */
static pith_status put_absent(const writer *w, const pith_atom *a) {
  static const char sign[] = "\\+ ";
  writer in;
  size_t n;
  assert(a->negated);
  aside_start(w, &in);
  if (in.o != NULL)
    put_atom(&in, a);
  const char *text = aside_text(&in, &n);
  put_proof_text(w, "no proof of ");
  pith_status rc = text == NULL ? PITH_ENOMEM
                                : pith_out_write(w->o, text + strlen(sign),
                                                 n - strlen(sign));
  aside_end(&in);
  return rc;
}

static pith_status put_node(const writer *w, visit v, bool again) {
  const pith_i_proof_node *node = &w->proof->nodes.at[v.node];
  if (pith_i_call_poll_rarely(w->proof->env) < 0)
    return PITH_ELIMIT;
  put_indent(w, v.depth);
  if (node->atom.negated) {
    pith_status rc = put_absent(w, &node->atom);
    put_proof_text(w, "\n");
    return rc;
  }
  put_atom(w, &node->atom);
  if (node->rule == NULL)
    put_proof_text(w, "  given");
  else if (again)
    put_proof_text(w, "  proved above");
  else {
    put_proof_text(w, "  by ");
    put_rule(w, node->rule);
  }
  put_proof_text(w, "\n");
  return PITH_OK;
}

/* Depth first, with a stack of its own. Each derived fact is unfolded once. */
static pith_status put_tree(const writer *w) {
  const pith_proof *proof = w->proof;
  PITH_I_VEC(visit) todo = {0};
  bool *done = pith_i_zalloc(proof->env, proof->nodes.n, sizeof *done);
  bool ok = done != NULL && pith_i_push(proof->env, &todo, (visit){0, 0});
  while (ok && todo.n > 0) {
    visit v = todo.at[--todo.n];
    const pith_i_proof_node *node = &proof->nodes.at[v.node];
    ok = put_node(w, v, done[v.node]) >= 0 &&
         pith_i_room(proof->env, &todo, node->from_count);
    for (uint32_t i = node->from_count; ok && !done[v.node] && i-- > 0;)
      todo.at[todo.n++] = (visit){node->from[i], v.depth + 1};
    done[v.node] = true;
  }
  pith_i_vec_free(proof->env, &todo);
  pith_i_release(proof->env, done);
  return ok ? PITH_OK : PITH_ENOMEM;
}

static void put_like(const writer *w, const pith_i_whynot *y) {
  if (y->like_pred == PITH_NONE)
    return;
  put_proof_text(w, "; did you mean ");
  put_proof_text(w, pith_pred_name(w->p, y->like_pred));
  pith_out_print(w->o, "/%zu?", pith_pred_arity(w->p, y->like_pred));
}

static void put_stranger(const writer *w, const pith_i_whynot *y) {
  pith_sym_write(w->p, y->stranger, w->o);
  put_proof_text(w, " is in no fact");
  if (y->like_stranger == PITH_NONE)
    return;
  put_proof_text(w, "; did you mean ");
  pith_sym_write(w->p, y->like_stranger, w->o);
  put_proof_text(w, "?");
}

/* Reasons that need no rule. */
static void put_reasons(const writer *w, const pith_i_whynot *y, size_t depth) {
  const char *name = pith_pred_name(w->p, y->atom.pred);
  if (y->no_rules) {
    put_indent(w, depth);
    pith_out_print(w->o, "there are no rules for %s/%u", name, y->atom.arity);
    put_proof_text(w, y->no_facts ? " and no facts"
                                  : ", and it is not among the facts");
    put_like(w, y);
    put_proof_text(w, "\n");
  }
  if (y->no_head) {
    put_indent(w, depth);
    pith_out_print(w->o, "no rule for %s/%u has a head that matches\n", name,
                   y->atom.arity);
  }
  if (y->stranger != PITH_NONE) {
    put_indent(w, depth);
    put_stranger(w, y);
    put_proof_text(w, "\n");
  }
}

static bool fails_with(const pith_i_whynot *y, pith_term var) {
  for (uint32_t i = 0; i < y->rule->body_len; i++)
    for (uint32_t j = 0; y->body[i].fails && j < y->body[i].atom.arity; j++)
      if (y->body[i].atom.args[j] == var)
        return true;
  return false;
}

/* A comparison or a negation about something that an atom which fails would
** have to find first. */
static bool is_undecided(const pith_i_whynot *y, uint32_t i) {
  const pith_i_whynot_atom *b = &y->body[i];
  if (b->fails || !(PITH_IS_BUILTIN(b->atom.pred) || b->atom.negated))
    return false;
  for (uint32_t j = 0; j < b->atom.arity; j++)
    if (PITH_IS_VAR(b->atom.args[j]) && fails_with(y, b->atom.args[j]))
      return true;
  return false;
}

/* Nested no deeper than the search for reasons goes. */
static pith_status put_whynot(const writer *w, const pith_i_whynot *y,
                              size_t depth) {
  pith_status rc = PITH_OK;
  put_reasons(w, y, depth);
  if (y->rule == NULL)
    return rc;
  put_indent(w, depth);
  put_proof_text(w, "nearest: ");
  put_rule(w, y->rule);
  put_proof_text(w, "\n");
  for (uint32_t i = 0; rc >= 0 && i < y->rule->body_len; i++) {
    const pith_i_whynot_atom *b = &y->body[i];
    put_indent(w, depth + 1);
    rc = put_open_atom(w, y->rule, &b->atom);
    put_proof_text(w, is_undecided(y, i) ? "  depends on what is missing\n"
                      : !b->fails        ? "  holds\n"
                      : b->atom.negated  ? "  fails: it can be proved\n"
                                         : "  fails\n");
    if (rc >= 0 && b->why != NULL)
      rc = put_whynot(w, b->why, depth + 2);
  }
  return rc;
}

static pith_status write_text(const writer *w) {
  if (w->proof->holds)
    return put_tree(w);
  put_atom(w, &w->proof->goal);
  put_proof_text(w, " does not follow\n");
  return put_whynot(w, w->proof->why, 0);
}

/* ---- one line -------------------------------------------------------- */

static void line_whynot(const writer *w, const pith_i_whynot *y) {
  if (y->rule == NULL) {
    pith_out_print(w->o, "no %s for %s/%u%s",
                   y->no_rules ? "rule" : "rule with a head that matches",
                   pith_pred_name(w->p, y->atom.pred), y->atom.arity,
                   y->no_rules && y->no_facts ? " and no fact" : "");
    return;
  }
  put_rule(w, y->rule);
  const char *parting = "  fails at ";
  for (uint32_t i = 0; i < y->rule->body_len; i++)
    if (y->body[i].fails) {
      put_proof_text(w, parting);
      put_atom(w, &y->body[i].atom);
      parting = ", ";
    }
}

static pith_status write_line(const writer *w) {
  const pith_proof *proof = w->proof;
  if (!proof->holds)
    line_whynot(w, proof->why);
  else if (proof->uses == 0)
    put_proof_text(w, "given as a fact");
  else
    pith_out_print(w->o, "proved with %zu rule use%s in %u step%s", proof->uses,
                   proof->uses == 1 ? "" : "s", proof->steps,
                   proof->steps == 1 ? "" : "s");
  return PITH_OK;
}

/* ---- JSON ------------------------------------------------------------ */

static pith_status quote_end(const writer *w, const writer *in) {
  const char *text = aside_text(in, NULL);
  pith_status rc = text == NULL ? PITH_ENOMEM : pith_out_quote(w->o, text);
  aside_end(in);
  return rc;
}

static pith_status quote_atom(const writer *w, const pith_atom *a) {
  writer in;
  aside_start(w, &in);
  if (in.o != NULL)
    put_atom(&in, a);
  return quote_end(w, &in);
}

static pith_status quote_open_atom(const writer *w, const pith_rule *rule,
                                   const pith_atom *a) {
  writer in;
  aside_start(w, &in);
  pith_status rc = in.o == NULL ? PITH_ENOMEM : put_open_atom(&in, rule, a);
  pith_status end = quote_end(w, &in);
  return rc < 0 ? rc : end;
}

static pith_status quote_rule(const writer *w, const pith_rule *r) {
  writer in;
  aside_start(w, &in);
  if (in.o != NULL)
    put_rule(&in, r);
  return quote_end(w, &in);
}

static pith_status quote_sym(const writer *w, pith_sym s) {
  writer in;
  aside_start(w, &in);
  if (in.o != NULL)
    pith_sym_write(in.p, s, in.o);
  return quote_end(w, &in);
}

static pith_status json_node(const writer *w, size_t i) {
  const pith_i_proof_node *node = &w->proof->nodes.at[i];
  if (pith_i_call_poll_rarely(w->proof->env) < 0)
    return PITH_ELIMIT;
  pith_out_print(w->o, "%s{\"node\":%zu,\"atom\":", i > 0 ? "," : "", i);
  pith_status rc = quote_atom(w, &node->atom);
  if (rc >= 0 && node->rule != NULL) {
    put_proof_text(w, ",\"rule\":");
    rc = quote_rule(w, node->rule);
    put_proof_text(w, ",\"from\":[");
    for (uint32_t j = 0; j < node->from_count; j++)
      pith_out_print(w->o, "%s%u", j > 0 ? "," : "", node->from[j]);
    put_proof_text(w, "]");
  } else {
    put_proof_text(w,
                   node->atom.negated ? ",\"absent\":true" : ",\"given\":true");
  }
  put_proof_text(w, "}");
  return rc;
}

static pith_status json_whynot(const writer *w, const pith_i_whynot *y);

static pith_status json_body(const writer *w, const pith_i_whynot *y) {
  pith_status rc = PITH_OK;
  put_proof_text(w, ",\"nearest\":");
  rc = quote_rule(w, y->rule);
  put_proof_text(w, ",\"body\":[");
  for (uint32_t i = 0; rc >= 0 && i < y->rule->body_len; i++) {
    const pith_i_whynot_atom *b = &y->body[i];
    put_proof_text(w, i > 0 ? ",{\"atom\":" : "{\"atom\":");
    rc = quote_open_atom(w, y->rule, &b->atom);
    pith_out_print(w->o, ",\"holds\":%s",
                   b->fails || is_undecided(y, i) ? "false" : "true");
    if (rc >= 0 && b->why != NULL)
      rc = json_whynot(w, b->why);
    put_proof_text(w, "}");
  }
  put_proof_text(w, "]");
  return rc;
}

/* The fields of an explanation, each after a comma. */
static pith_status json_whynot(const writer *w, const pith_i_whynot *y) {
  pith_status rc = PITH_OK;
  pith_out_print(w->o, ",\"rules\":%s,\"facts\":%s",
                 y->no_rules ? "false" : "true",
                 y->no_facts ? "false" : "true");
  if (y->like_pred != PITH_NONE) {
    put_proof_text(w, ",\"similar_predicate\":");
    pith_out_quote(w->o, pith_pred_name(w->p, y->like_pred));
    pith_out_print(w->o, ",\"similar_arity\":%zu",
                   pith_pred_arity(w->p, y->like_pred));
  }
  if (y->stranger != PITH_NONE) {
    put_proof_text(w, ",\"unknown_constant\":");
    rc = quote_sym(w, y->stranger);
  }
  if (rc >= 0 && y->like_stranger != PITH_NONE) {
    put_proof_text(w, ",\"similar_constant\":");
    rc = quote_sym(w, y->like_stranger);
  }
  return rc >= 0 && y->rule != NULL ? json_body(w, y) : rc;
}

static pith_status write_json(const writer *w) {
  const pith_proof *proof = w->proof;
  put_proof_text(w, "{\"event\":\"proof\",\"atom\":");
  pith_status rc = quote_atom(w, &proof->goal);
  if (rc >= 0 && proof->holds) {
    pith_out_print(w->o,
                   ",\"holds\":true,\"steps\":%u,\"size\":%zu,\"nodes\":[",
                   proof->steps, proof->uses);
    for (size_t i = 0; rc >= 0 && i < proof->nodes.n; i++)
      rc = json_node(w, i);
    put_proof_text(w, "]");
  } else if (rc >= 0) {
    put_proof_text(w, ",\"holds\":false");
    rc = json_whynot(w, proof->why);
  }
  put_proof_text(w, "}\n");
  return rc;
}

/* ---- DOT ------------------------------------------------------------- */

/* DOT's quoted strings escape as JSON's do, for what a label holds. */
static pith_status dot_node(const writer *w, size_t i) {
  const pith_i_proof_node *node = &w->proof->nodes.at[i];
  if (pith_i_call_poll_rarely(w->proof->env) < 0)
    return PITH_ELIMIT;
  pith_out_print(w->o, "  n%zu [label=", i);
  pith_status rc = quote_atom(w, &node->atom);
  if (node->rule == NULL) {
    put_proof_text(w, node->atom.negated
                          ? ", style=dotted];\n"
                          : ", style=filled, fillcolor=\"#e8f0e8\"];\n");
    return rc;
  }
  put_proof_text(w, ", tooltip=");
  if (rc >= 0)
    rc = quote_rule(w, node->rule);
  put_proof_text(w, "];\n");
  for (uint32_t j = 0; j < node->from_count; j++)
    pith_out_print(w->o, "  n%u -> n%zu;\n", node->from[j], i);
  return rc;
}

/* Numbers the boxes as it goes; the atom's own box is drawn by the caller. */
static pith_status dot_whynot(const writer *w, const pith_i_whynot *y,
                              size_t box, size_t *count) {
  pith_status rc = PITH_OK;
  for (uint32_t i = 0; rc >= 0 && y->rule != NULL && i < y->rule->body_len;
       i++) {
    const pith_i_whynot_atom *b = &y->body[i];
    size_t at = ++*count;
    pith_out_print(w->o, "  n%zu [label=", at);
    rc = quote_open_atom(w, y->rule, &b->atom);
    put_proof_text(w, b->fails ? ", style=dashed, color=\"#b03030\"];\n"
                               : ", style=filled, fillcolor=\"#e8f0e8\"];\n");
    pith_out_print(w->o, "  n%zu -> n%zu%s;\n", at, box,
                   b->fails ? " [style=dashed]" : "");
    if (rc >= 0 && b->why != NULL)
      rc = dot_whynot(w, b->why, at, count);
  }
  return rc;
}

static pith_status write_dot(const writer *w) {
  const pith_proof *proof = w->proof;
  pith_status rc = PITH_OK;
  put_proof_text(w, "digraph proof {\n  rankdir=BT;\n  node [shape=box];\n");
  for (size_t i = 0; rc >= 0 && i < proof->nodes.n; i++)
    rc = dot_node(w, i);
  if (!proof->holds) {
    size_t count = 0;
    put_proof_text(w, "  n0 [style=dashed, color=\"#b03030\", label=");
    rc = quote_atom(w, &proof->goal);
    put_proof_text(w, "];\n");
    if (rc >= 0)
      rc = dot_whynot(w, proof->why, 0, &count);
  }
  put_proof_text(w, "}\n");
  return rc;
}

pith_status pith_proof_write(const pith *p, const pith_proof *proof,
                             pith_proof_format format, pith_out *o) {
  writer w = {p, proof, o};
  if (proof->env != &p->env || (unsigned)format > PITH_LINE)
    return pith_i_fail(proof->env, PITH_EARG,
                       "a proof of another handle, or no such format");
  pith *limited = (pith *)p; /* as its limits and errors are, not its facts */
  pith_i_call_begin(limited);
  pith_status rc = format == PITH_TREE         ? write_text(&w)
                   : format == PITH_LINE       ? write_line(&w)
                   : format == PITH_PROOF_JSON ? write_json(&w)
                                               : write_dot(&w);
  return pith_i_call_end(limited, rc < 0 ? rc : pith_out_write(o, "", 0));
}
