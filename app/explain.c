/* pith explain: a proof of an atom, or why there is none. */
#include <string.h>

#include "session.h"

static pith_proof_format proof_format(const session *s) {
  return session_json(s)                     ? PITH_PROOF_JSON
         : strcmp(s->set.format, "dot") == 0 ? PITH_DOT
                                             : PITH_TREE;
}

/* The atom is read into the handle's scratch, where the proof's own names
** stay valid; only variables are refused here. */
static int read_atom(session *s, const pith_atom **atom) {
  size_t remarks = pith_remark_count(s->p);
  pith_status rc = pith_atom_read(s->p, s->operands[0], atom);
  if (rc == PITH_ENOMEM)
    return session_fail(s, rc);
  if (rc < 0)
    return session_refuse(s, remarks);
  for (uint32_t i = 0; i < (*atom)->arity; i++)
    if (PITH_IS_VAR((*atom)->args[i])) {
      say_error("%s has variables; pith infer --all --query '%s' lists what "
                "matches, and each of these can be explained",
                s->operands[0], s->operands[0]);
      return EXIT_USE;
    }
  return 0;
}

/* The tree, as comments: the result stays a program. */
static pith_status put_tree(const session *s, const pith_proof *proof) {
  pith_out *memory = NULL;
  pith_status rc = pith_out_memory(s->p, &memory);
  if (rc >= 0)
    rc = pith_proof_write(s->p, proof, PITH_TREE, memory);
  const char *text = rc >= 0 ? pith_out_text(memory, NULL) : NULL;
  if (text != NULL)
    put_commented(s->out, text);
  else if (rc >= 0)
    rc = PITH_ENOMEM;
  pith_out_close(memory, false);
  return rc;
}

static void put_end(const session *s, const pith_proof *proof, bool holds) {
  event_begin(s->out, "result");
  event_flag(s->out, "solved", holds);
  event_text(s->out, "ended", ending_word(s->end));
  event_count(s->out, "steps", holds ? pith_proof_steps(proof) : 0);
  event_count(s->out, "size", holds ? pith_proof_size(proof) : 0);
  event_end_result(s);
}

static int put_proof(const session *s, const pith_atom *atom,
                     const pith_proof *proof, bool holds) {
  pith_proof_format format = proof_format(s);
  pith_status rc = PITH_OK;
  if (format == PITH_TREE && holds) {
    pith_atom_write(s->p, atom, s->out);
    pith_out_print(s->out, ".\n");
  }
  if (format == PITH_TREE)
    rc = put_tree(s, proof);
  else
    rc = pith_proof_write(s->p, proof, format, s->out);
  if (rc < 0)
    return session_fail(s, rc);
  if (session_json(s))
    put_end(s, proof, holds);
  else if (session_comments(s) && s->end != END_COMPLETE)
    pith_out_print(s->out, "%% %s\n", ending_text(s->end));
  return 0;
}

static int explain(session *s, const pith_atom *atom) {
  pith_proof *proof = NULL;
  pith_status rc = pith_explain(s->p, atom, &proof);
  if (rc < 0)
    return session_fail(s, rc);
  bool holds = rc != PITH_UNPROVED;
  int code = put_proof(s, atom, proof, holds);
  pith_proof_free(proof);
  if (code != 0)
    return code;
  code = holds ? EXIT_FITS : EXIT_MISFIT;
  return session_finish(s, holds ? code : ending_code(s, code));
}

static int run(session *s) {
  const pith_atom *atom = NULL;
  int code = session_read(s, 1);
  if (code == 0)
    code = read_atom(s, &atom);
  if (code == 0)
    code = session_start(s);
  if (code == 0)
    code = session_infer(s);
  return code == 0 ? explain(s, atom) : code;
}

const command command_explain = {
    .name = "explain",
    .operands = "ATOM THEORY [FACTS...]",
    .least = 2,
    .formats = "text json dot",
    .summary = "A proof of an atom, or why there is none",
    .about =
        "Proves ATOM with the fewest steps from the rules and facts in all the "
        "files and folders named. Every proof is checked again, rule by rule, "
        "before it is printed.\n\n"
        "When the atom does not follow, says which rule comes nearest and "
        "which atom of its body fails, and exits with 1.",
    .examples = "pith explain 'reach(a,c)' graph.pl\n"
                "pith explain --format dot 'reach(a,c)' graph.pl | dot -Tsvg",
    .run = run,
};
