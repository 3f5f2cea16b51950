/* SWI-Prolog is handed a small program and the names of the files. It loads the
** background, collects constants, asks every tuple of them and prints facts,
** which are read here like any others. The last line says that it came to the
** end, since a background may halt; a line "!..." says why it did not.
**
** A call is stopped after so many inferences, not seconds: the same facts on
** every machine. */
#include "ground.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "subprocess.h"

enum { CPU_SECONDS = 300, PATH_ROOM = 4096 };

static const char load[] =
    "current_prolog_flag(argv,As),length(L,7),append(_,L,As),L=[X,Y|R],"
    "atom_concat(X,Y,T),"
    "open_string(T,S),load_files(pith_ground,[stream(S)]),"
    "pith_ground:begin(R)";

static const char program[] =
    ":- module(pith_ground, []).\n"
    ":- set_prolog_flag(encoding, utf8).\n"
    ":- set_prolog_flag(stack_limit, 268435456).\n"
    ":- dynamic bad/0.\n"
    ":- multifile user:message_hook/3.\n"
    ":- dynamic user:message_hook/3.\n"
    "user:message_hook(_, error, _) :- assertz(pith_ground:bad), fail.\n"
    "user:message_hook(_, warning, _).\n"
    "most_tuples(1000000).\n"
    "most_inferences(1000000).\n"
    /* What the background prints is not the result. */
    "begin(Args) :-\n"
    "  stream_property(Out, alias(user_output)),\n"
    "  set_stream(Out, encoding(utf8)),\n"
    "  set_stream(user_error, alias(user_output)), set_output(user_error),\n"
    "  ( catch(all(Out, Args), E, (print_message(error, E), fail)) ->\n"
    "    halt(0) ; halt(1) ).\n"
    "all(Out, [Bk, Exs, Bias, Text, Examples]) :-\n"
    "  load_files(user:Bk, [silent(true)]), \\+ bad,\n"
    "  named(Text, Bias, Preds), refuse_unknown(Out, Preds),\n"
    "  findall(C, constant(Bk, Exs, C), Cs0), sort(Cs0, Cs), length(Cs, N),\n"
    "  partition(listed, Preds, Listed, Asked),\n"
    "  foldl(tuples(N), Asked, 0, All), refuse_many(Out, N, All),\n"
    "  forall((member(P, Listed), goal(P, G), clause(user:G, true)),\n"
    "         put(Out, G)),\n"
    "  forall((member(P, Asked), ask(P, Cs, G)), put(Out, G)),\n"
    "  ( Examples == yes -> forall(example(Exs, E), put_example(Out, E))\n"
    "  ; true ),\n"
    "  flag(endless, Endless, Endless),\n"
    "  format(Out, '~N%end ~d ~d ~d~n', [N, All, Endless]),\n"
    "  flush_output(Out).\n"
    "named('', Bias, Preds) :- !,\n"
    "  findall(N/A, term_of(Bias, body_pred(N, A)), Ps),\n"
    "  list_to_set(Ps, Preds).\n"
    "named(Text, _, Preds) :-\n"
    "  format(atom(List), '[~w]', [Text]), term_to_atom(Terms, List),\n"
    "  list_to_set(Terms, Preds).\n"
    "refuse(Out, Code, Format, Args) :-\n"
    "  format(Out, Format, Args), flush_output(Out), halt(Code).\n"
    "refuse_unknown(Out, []) :-\n"
    "  refuse(Out, 3, '!no predicates to ask for; name them, as in \\\n"
    "--preds double/2,small/1, or by body_pred in bias.pl~n', []).\n"
    "refuse_unknown(Out, [P|Ps]) :-\n"
    "  forall(( member(Q, [P|Ps]), \\+ known(Q) ),\n"
    "    refuse(Out, 3, '!~q is not defined by the background; expected \\\n"
    "NAME/ARITY of one that is~n', [Q])).\n"
    "known(N/A) :- atom(N), integer(A), A >= 0, functor(G, N, A),\n"
    "  predicate_property(user:G, visible).\n"
    "refuse_many(Out, N, All) :- most_tuples(Most),\n"
    "  ( All =< Most -> true\n"
    "  ; refuse(Out, 4, '!~D tuples of ~D constants to ask for, ~D at most; "
    "\\\n"
    "name fewer predicates with --preds~n', [All, N, Most]) ).\n"
    "tuples(N, _/A, Sum0, Sum) :- Sum is Sum0 + N ** A.\n"
    "goal(N/A, G) :- functor(G, N, A).\n"
    /* Nothing but ground facts: no need to ask. */
    "listed(P) :- goal(P, G),\n"
    "  predicate_property(user:G, number_of_clauses(_)),\n"
    "  \\+ predicate_property(user:G, imported_from(_)),\n"
    "  \\+ ( clause(user:G, B), \\+ ( B == true, ground(G) ) ).\n"
    "term_of(File, T) :- exists_file(File),\n"
    "  setup_call_cleanup(open(File, read, S), term_in(S, T), close(S)).\n"
    "term_in(S, T) :- repeat, read_term(S, X, [module(user)]),\n"
    "  ( X == end_of_file -> !, fail ; T = X ).\n"
    "example(Exs, E) :- term_of(Exs, E), ground(E), E =.. [Sign, _|_],\n"
    "  memberchk(Sign, [pos, neg]).\n"
    "constant(Bk, _, C) :- term_of(Bk, T), ground(T), callable(T),\n"
    "  T =.. [F|As], \\+ memberchk(F, [(:-), (?-), (-->)]),\n"
    "  member(A, As), part(A, C).\n"
    "constant(_, Exs, C) :- example(Exs, E), arg(1, E, T), T =.. [_|As],\n"
    "  member(A, As), part(A, C).\n"
    "part(A, A).\n"
    "part([H|T], P) :- part(H, P) ; part(T, P).\n"
    "ask(P, Cs, G) :- goal(P, G), G =.. [_|As], choose(As, Cs),\n"
    "  holds(G).\n"
    "choose([], _).\n"
    "choose([A|As], Cs) :- member(A, Cs), choose(As, Cs).\n"
    "holds(G) :- most_inferences(Most),\n"
    "  catch(call_with_inference_limit(user:G, Most, R), _, fail), !,\n"
    "  ( R == inference_limit_exceeded -> flag(endless, I, I + 1), fail\n"
    "  ; true ).\n";

static const char writer[] =
    "put(Out, G) :- put_atom(Out, G), format(Out, '.~n', []).\n"
    "put_example(Out, E) :- E =.. [Sign, G|W],\n"
    "  format(Out, '~w(', [Sign]), put_atom(Out, G),\n"
    "  forall(member(X, W), format(Out, ',~w', [X])),\n"
    "  format(Out, ').~n', []).\n"
    "put_atom(Out, G) :- G =.. [F|As], put_constant(Out, F),\n"
    "  ( As = [A|Bs] -> write(Out, '('), put_constant(Out, A),\n"
    "    forall(member(B, Bs), (write(Out, ','), put_constant(Out, B))),\n"
    "    write(Out, ')') ; true ).\n"
    /* A list is a name here: '[1,2]'. */
    "put_constant(Out, A) :- ( integer(A) ; float(A) ), !, write(Out, A).\n"
    "put_constant(Out, A) :- atom(A), !, put_name(Out, A).\n"
    "put_constant(Out, A) :- string(A), !, put_name(Out, A).\n"
    "put_constant(Out, A) :- format(atom(N), '~q', [A]), put_name(Out, N).\n"
    "put_name(Out, A) :- write(Out, '\\''),\n"
    "  forall(sub_atom(A, _, 1, _, C), put_letter(Out, C)),\n"
    "  write(Out, '\\'').\n"
    "put_letter(Out, '\\n') :- !, write(Out, '\\\\n').\n"
    "put_letter(Out, C) :- memberchk(C, ['\\'', '\\\\']), !,\n"
    "  write(Out, '\\\\'), write(Out, C).\n"
    "put_letter(Out, C) :- write(Out, C).\n";

/* ---- the files -------------------------------------------------------- */

/* The folder, with a slash, of a folder or of a file; false: too long. */
static bool folder_of(const char *path, bool folder, char *out) {
  const char *slash = strrchr(path, '/');
  size_t n = folder          ? strlen(path)
             : slash == NULL ? 0
                             : (size_t)(slash - path) + 1;
  return (size_t)snprintf(out, PATH_ROOM, "%.*s%s", (int)n, path,
                          folder ? "/" : "") < PATH_ROOM - 16;
}

static bool is_there(const char *path, bool *folder) {
  struct stat st;
  bool there = stat(path, &st) == 0;
  *folder = there && S_ISDIR(st.st_mode);
  return there;
}

/* ---- what it says ----------------------------------------------------- */

static char *read_all(FILE *from, size_t *n) {
  size_t room = 1 << 16, got = 0;
  char *text = malloc(room);
  *n = 0;
  while (text != NULL && from != NULL &&
         (got = fread(text + *n, 1, room - *n - 1, from)) > 0) {
    *n += got;
    if (room - *n > 1)
      continue;
    char *more = realloc(text, room *= 2);
    if (more == NULL)
      free(text);
    text = more;
  }
  if (text != NULL)
    text[*n] = '\0';
  return text;
}

/* Where the last line begins. */
static const char *last_line(const char *text, size_t n) {
  while (n > 0 && text[n - 1] == '\n')
    n--;
  while (n > 0 && text[n - 1] != '\n')
    n--;
  return text + n;
}

static int read_answer(session *s, const char *path, const char *text, size_t n,
                       int code) {
  unsigned long long constants = 0, tuples = 0, endless = 0;
  const char *end = last_line(text, n);
  if (*end == '!') {
    say_error("%s: %.*s", path, (int)strcspn(end + 1, "\n"), end + 1);
    return code; /* the program above knows ours */
  }
  if (sscanf(end, "%%end %llu %llu %llu", &constants, &tuples, &endless) != 3) {
    say_error("%s: SWI-Prolog stopped before the end; see what it said", path);
    return EXIT_INPUT;
  }
  size_t remarks = pith_remark_count(s->p);
  pith_status rc = PITH_OK;
  if (end > text) /* something holds */
    rc = pith_read_text(s->p, path, text, (size_t)(end - text), PITH_PROLOG);
  say_remarks(s->p, remarks, !s->set.quiet);
  if (rc < 0)
    return session_fail(s, rc);
  if (!s->set.quiet)
    say_note("SWI-Prolog was asked %llu tuples of %llu constants", tuples,
             constants);
  if (!s->set.quiet && endless > 0)
    say_note("%llu calls did not end and count as false", endless);
  return 0;
}

static int ask_swipl(session *s, const char *path, const char *const *argv) {
  size_t n = 0;
  int code = 0, result = EXIT_LIMIT;
  subprocess w = subprocess_start(argv, CPU_SECONDS, true);
  char *text = read_all(w.from, &n);
  subprocess_end end = subprocess_wait(&w, &code);
  if (text == NULL)
    say_error("out of memory");
  else if (end == SUBPROCESS_ABSENT)
    say_error("--ground needs SWI-Prolog, and swipl is not on PATH; install it "
              "(Debian: apt install swi-prolog-nox)");
  else if (end == SUBPROCESS_STOPPED)
    say_error("%s: SWI-Prolog was stopped after %d s; name fewer predicates "
              "with --preds",
              path, CPU_SECONDS);
  else
    result = read_answer(s, path, text, n, code);
  free(text);
  return result;
}

int ground_read(session *s, bool examples, bool bias) {
  const char *path = s->operands[0];
  char base[PATH_ROOM], file[4][PATH_ROOM + 16];
  static const char *const names[] = {"bk.pl", "exs.pl", "bias.pl",
                                      "templates.txt"};
  bool folder = false, unused = false;
  if (s->operand_count != 1 || !is_there(path, &folder) ||
      !folder_of(path, folder, base)) {
    say_error("--ground takes one Popper folder, or one background file");
    return EXIT_USE;
  }
  for (size_t i = 0; i < 4; i++)
    snprintf(file[i], sizeof file[i], "%s%s", base, names[i]);
  const char *bk = folder ? file[0] : path;
  const char *const argv[] = {"swipl",
                              "-q",
                              "-f",
                              "none",
                              "-g",
                              load,
                              "-t",
                              "halt(1)",
                              "--",
                              program,
                              writer,
                              bk,
                              file[1],
                              file[2],
                              s->set.preds != NULL ? s->set.preds : "",
                              folder && examples ? "yes" : "no",
                              NULL};
  int code = ask_swipl(s, bk, argv);
  for (size_t i = 2; code == 0 && folder && bias && i < 4; i++)
    if (is_there(file[i], &unused))
      code = session_read_one(s, file[i], i == 2 ? PITH_BIAS : PITH_TEMPLATES);
  return code;
}
