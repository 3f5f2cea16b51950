/* pith explain: a proof of an atom, or why there is none. */
#include <string.h>

#include "deadline.h"
#include "find_inputs.h"
#include "model_commands.h"
#include "report_events.h"
#include "session.h"

static pith_proof_format proof_format(const session *s) {
  return session_json(s)                     ? PITH_PROOF_JSON
         : strcmp(s->set.format, "dot") == 0 ? PITH_DOT
                                             : PITH_TREE;
}

/* The atom comes first; people also write it last, as infer takes a query. */
static void put_atom_first(session *s) {
  size_t last = s->operand_count - 1;
  if (is_atom_operand(s->operands[0]) || !is_atom_operand(s->operands[last]))
    return;
  char *atom = s->operands[last];
  memmove(s->operands + 1, s->operands, last * sizeof *s->operands);
  s->operands[0] = atom;
}

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

/* A tree is comments, so that the result stays a program: of one fact, when
** it holds. */
static pith_status put_tree(const session *s, const pith_atom *atom,
                            const pith_proof *proof, bool holds) {
  pith_out *memory = NULL;
  pith_status rc = pith_out_memory(s->p, &memory);
  if (rc >= 0)
    rc = pith_proof_write(s->p, proof, PITH_TREE, memory);
  const char *text = rc >= 0 ? pith_out_text(memory, NULL) : NULL;
  if (text != NULL && holds) {
    pith_atom_write(s->p, atom, s->out);
    pith_out_print(s->out, ".\n");
  }
  if (text != NULL)
    put_commented(s->out, text);
  else if (rc >= 0)
    rc = PITH_ENOMEM;
  pith_out_close(memory, false);
  return rc;
}

static pith_status put_proof(const session *s, const pith_atom *atom,
                             const pith_proof *proof, bool holds) {
  pith_proof_format format = proof_format(s);
  return format == PITH_TREE ? put_tree(s, atom, proof, holds)
                             : pith_proof_write(s->p, proof, format, s->out);
}

/* A proof beyond the steps allowed is not counted as solved, but has a size. */
static void put_proof_end(const session *s, const pith_proof *proof,
                          bool counts, bool holds) {
  if (session_json(s)) {
    event_begin(s->out, "result");
    event_flag(s->out, "solved", counts);
    event_text(s->out, "ended", ending_word(s->end));
    event_count(s->out, "steps", holds ? pith_proof_steps(proof) : 0);
    event_count(s->out, "size", holds ? pith_proof_size(proof) : 0);
    event_end_result(s);
  } else if (session_comments(s) && s->end != END_COMPLETE) {
    pith_out_print(s->out, "%% %s\n", ending_text(s->end));
  }
}

/* A proof that needs more steps than were allowed is shown, but does not
** count. */
static bool within_steps(const session *s, const pith_proof *proof) {
  return s->set.steps == 0 || pith_proof_steps(proof) <= s->set.steps;
}

static void put_beyond(const session *s, const pith_proof *proof) {
  if (session_comments(s))
    pith_out_print(s->out, "%% it takes %u steps; --steps allows %u\n",
                   pith_proof_steps(proof), s->set.steps);
}

static pith_status put_explained(session *s, const pith_atom *atom,
                                 const pith_proof *proof, bool holds) {
  bool counts = holds && within_steps(s, proof);
  pith_status rc = put_proof(s, atom, proof, counts);
  if (rc >= 0 && holds && !counts)
    put_beyond(s, proof);
  if (rc >= 0)
    put_proof_end(s, proof, counts, holds);
  return rc;
}

static int print_proof(session *s, const pith_atom *atom) {
  pith_proof *proof = NULL;
  deadline_while("proving");
  pith_status rc = pith_explain(s->p, atom, &proof);
  deadline_while_writing(s->set.output);
  bool holds = rc != PITH_UNPROVED;
  bool counts = rc >= 0 && holds && within_steps(s, proof);
  if (rc >= 0)
    rc = put_explained(s, atom, proof, holds);
  if (rc >= 0 && report_turn(s)) {
    rc = put_explained(s, atom, proof, holds);
    report_turn(s);
  }
  pith_proof_free(proof);
  return rc < 0 ? session_fail(s, rc)
                : session_finish(s, counts ? EXIT_FITS : EXIT_MISFIT);
}

/* Cut short with the atom not found: it is unknown whether it follows. */
static int give_up(session *s) {
  put_proof_end(s, NULL, false, false);
  if (report_turn(s)) {
    put_proof_end(s, NULL, false, false);
    report_turn(s);
  }
  return session_finish(s, ending_code(s, EXIT_MISFIT));
}

static int run(session *s) {
  const pith_atom *atom = NULL;
  put_atom_first(s);
  int code = session_read(s, 1);
  if (code == 0)
    code = read_atom(s, &atom);
  if (code == 0 && model_explains(s->p, atom))
    return model_explain(s, atom);
  if (code == 0)
    code = session_start(s);
  uint32_t steps = s->set.steps;
  s->set.steps = 0; /* all that follows; the proof's steps are counted */
  if (code == 0)
    code = session_infer(s);
  s->set.steps = steps;
  if (code != 0)
    return code;
  bool known = s->end == END_COMPLETE ||
               pith_fact_holds(s->p, atom->pred, atom->args, atom->arity);
  return known ? print_proof(s, atom) : give_up(s);
}

const command command_explain = {
    .name = "explain",
    .operands = "ATOM THEORY [FACTS...]",
    .least = 2,
    .formats = "text json dot",
    .summary = "A proof of an atom, or why there is none",
    .about =
        "Proves ATOM in the fewest steps from the rules and facts in all the "
        "files and folders named. If the atom does not follow, reports which "
        "rule comes nearest and which atom of its body fails, and exits with "
        "1. Every proof is checked again, rule by rule, before it is "
        "printed.\n\n"
        "Rules with probabilities prove nothing. Where the atom is of a "
        "relation of a graph and such rules are all there is for it, prints "
        "its "
        "probability, the strongest rules that speak for it with the facts "
        "they "
        "use, and the answers that are likelier; exits with 1 if the "
        "probability is below one half.",
    .examples = "pith explain 'reach(a,c)' graph.pl\n"
                "pith explain --format dot 'reach(a,c)' graph.pl | dot -Tsvg",
    .run = run,
};
