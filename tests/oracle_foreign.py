#!/usr/bin/env python3
"""Random programs, evaluated by pith, SWI-Prolog and clingo: no difference.

    tests/oracle_foreign.py --count 2000 --seed 1

Starting a process costs more than a small program, so a batch of programs is
evaluated in one process each. Every program has its own predicates (they
carry its number) and all share their constants: the batch as a whole is still
over few constants, as the engine's dense path wants it. One program in forty
runs alone, so that nothing hides behind the batch. The same seed gives the
same programs. A program on which they differ is cut down while they still do,
then printed.
"""
import argparse
import concurrent.futures
import os
import random
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BATCH = 100

# ---- programs -----------------------------------------------------------------
# An atom is (predicate, args); a variable is a capitalised string, a constant
# any other. A rule is (head, body) and a program (facts, rules). The
# predicates "=" and "\\=" and the comparisons stand in bodies only; a
# predicate that starts with "\\+" is negated.

COMPARISONS = {"<": "<", "=<": "<=", ">": ">", ">=": ">=", "=:=": "=",
               "=\\=": "!="}  # as Prolog writes them: as clingo does
BUILTIN = {"=", "\\=", *COMPARISONS}


def is_fact_atom(pred):
    return pred not in BUILTIN and not pred.startswith("\\+")


def is_variable(term):
    return term[0].isupper()


def random_atom(rng, pred, arity, pool):
    return (pred, tuple(rng.choice(pool) for _ in range(arity)))


def bound_variables(body):
    """What a body binds: by its atoms, then by equality with what is bound."""
    bound = {a for p, args in body if is_fact_atom(p)
             for a in args if is_variable(a)}
    known = lambda t: not is_variable(t) or t in bound
    changed = True
    while changed:
        changed = False
        for pred, args in body:
            if pred == "=" and known(args[0]) != known(args[1]):
                bound.update(a for a in args if is_variable(a))
                changed = True
    return bound


def safe(rule):
    head, body = rule
    used = {a for _, args in [head, *body] for a in args if is_variable(a)}
    return used <= bound_variables(body)


def random_rule(rng, preds, heads, constants):
    """One safe rule; unsafe draws are thrown away."""
    while True:
        variables = ["X", "Y", "Z", "W", "V"][:rng.randint(1, 5)]
        pool = variables * 3 + ([rng.choice(constants)]
                                if rng.random() < 0.4 else [])
        body = []
        for _ in range(rng.choice([1, 1, 2, 2, 2, 3, 3, 4])):
            pred, arity = rng.choice(preds)
            body.append(random_atom(rng, pred, arity, pool))
        while rng.random() < 0.2:
            op = rng.choice(["=", "\\="])
            pair = (rng.choice(variables), rng.choice(pool))
            body.insert(rng.randint(0, len(body)), (op, pair))
        if rng.random() < 0.02:
            body = [("=", (variables[0], rng.choice(constants)))]
        bound = sorted(bound_variables(body))
        pred, arity = rng.choice(heads)
        head = random_atom(rng, pred, arity, bound * 4 + [rng.choice(constants)])
        if safe((head, body)):
            return head, body


def random_mixed(rng):
    """Any arities, any recursion, over few constants."""
    constants = [f"c{i}" for i in range(rng.randint(1, 4))]
    constants += [str(i) for i in range(rng.randint(0, 3))]
    arities = [0, 1, 1, 1, 2, 2, 2, 2, 3, 3, 4]
    given = [(f"e{i}", rng.choice(arities)) for i in range(rng.randint(1, 4))]
    derived = [(f"p{i}", rng.choice(arities)) for i in range(rng.randint(1, 5))]
    facts = {random_atom(rng, pred, arity, constants)
             for pred, arity in given
             for _ in range(rng.randint(0, 4 * arity + 1))}
    if rng.random() < 0.3:  # a predicate may be given and derived
        facts.add(random_atom(rng, *rng.choice(derived), constants))
    rules = [random_rule(rng, given + derived * 2, derived, constants)
             for _ in range(rng.randint(1, 8))]
    return sorted(facts), rules


CHAINS = [
    "p(X,Y) :- e(X,Y). p(X,Y) :- e(X,Z), p(Z,Y).",
    "p(X,Y) :- e(X,Y). p(X,Y) :- p(X,Z), e(Z,Y).",
    "p(X,Y) :- e(X,Y). p(X,Y) :- p(X,Z), p(Z,Y).",
    "p(X,Y) :- e(Y,X). q(X,Y) :- p(X,Z), e(Z,Y). p(X,Y) :- q(X,Z), p(Z,Y).",
    "p(X,Y) :- e(Z,X), e(Z,Y), X \\= Y. p(X,Y) :- e(Z,X), p(Z,W), e(W,Y).",
    "p(X,Y) :- e(X,Y). p(X,Y) :- e(Y,X). p(X,Z) :- p(X,Y), p(Y,Z).",
    "p(X,Y) :- e(X,Y). q(X,Y) :- p(Y,X). p(X,Z) :- q(X,Y), e(Y,Z).",
    "p(X,Y) :- e(X,Y). q(X) :- p(X,X). p(X,Y) :- p(X,Z), p(Z,Y), q(Z).",
    "p(X,Y) :- e(X,Y), X \\= Y. q(X,Y,Z) :- p(X,Y), p(Y,Z), p(Z,X).",
    "p(X,Y) :- e(X,Y). p(X,Y) :- f(X,Y). f(X,Y) :- p(X,Z), e(Y,Z).",
]


def parse_rule(text):
    head, body = text.split(":-")
    atoms = []
    for part in re.findall(r"\w+\([^)]*\)|\w+ \\= \w+", body):
        if "\\=" in part:
            atoms.append(("\\=", tuple(part.split(" \\= "))))
        else:
            atoms.append(parse_atom(part))
    return parse_atom(head.strip()), atoms


def parse_atom(text):
    match = re.fullmatch(r"(\w+)(?:\(([^)]*)\))?", text)
    return match[1], tuple(match[2].split(",")) if match[2] else ()


def random_chain(rng):
    """Binary relations that fill up, over enough constants to cross a word;
    the engine turns to bit rows at some thousand facts."""
    n = rng.choice([5, 40, 64, 90, 100, 127, 129, 150])
    constants = [f"k{i}" for i in range(n)]
    edges = rng.randint(n, 3 * n)
    facts = {("e", (rng.choice(constants), rng.choice(constants)))
             for _ in range(edges)}
    if rng.random() < 0.3:
        facts |= {("e", pair) for pair in zip(constants, constants[1:])}
    facts |= {("f", (rng.choice(constants), rng.choice(constants)))
              for _ in range(rng.randint(0, 5))}
    text = rng.choice(CHAINS)
    return sorted(facts), [parse_rule(t) for t in text.split(". ")]


def random_condition(rng, lower, bound, constants):
    """A comparison, or a negated atom of a lower level."""
    pool = bound * 3 + [rng.choice(constants)]
    if not lower or rng.random() < 0.5:
        return (rng.choice(list(COMPARISONS)),
                (rng.choice(pool), rng.choice(pool)))
    pred, arity = rng.choice(lower)
    args = tuple("_" if rng.random() < 0.25 else rng.choice(pool)
                 for _ in range(arity))
    return "\\+" + pred, args


def random_levels(rng):
    """Numbers compared, and negation level by level. One program in three has
    decimals, one in three names, which compare with nothing."""
    kind = rng.choice(["integers", "decimals", "names"])
    constants = [str(i) for i in rng.sample(range(-5, 15), rng.randint(2, 5))]
    if kind == "decimals":
        constants += rng.sample(["0.5", "1.0", "-2.25", "7.125", "0.0"], 2)
    if kind == "names":
        constants += ["a", "b"][:rng.randint(1, 2)]
    arities = [0, 1, 1, 1, 2, 2, 2, 3]
    given = [(f"e{i}", rng.choice(arities)) for i in range(rng.randint(1, 3))]
    facts = {random_atom(rng, pred, arity, constants)
             for pred, arity in given
             for _ in range(rng.randint(1, 4 * arity + 1))}
    rules, below, lower = [], list(given), list(given)
    for level in range(rng.randint(1, 4)):
        here = [(f"p{level}{i}", rng.choice(arities))
                for i in range(rng.randint(1, 2))]
        for _ in range(rng.randint(1, 4)):
            head, body = random_rule(rng, below + here, here, constants)
            bound = sorted(bound_variables(body))
            for _ in range(rng.choice([0, 1, 1, 2, 3])):
                body.insert(rng.randint(0, len(body)),
                            random_condition(rng, lower, bound, constants))
            rules.append((head, body))
        below += here
        lower += here
    return sorted(facts), rules


def random_program(rng):
    draw = rng.random()
    return (random_chain(rng) if draw < 0.06 else
            random_levels(rng) if draw < 0.5 else random_mixed(rng))


def is_for_clingo(program):
    """clingo has no decimals, and an order of names."""
    facts, rules = program
    bodies = [a for _, body in rules for a in body]
    terms = {t for _, args in [*facts, *bodies, *(h for h, _ in rules)]
             for t in args if not is_variable(t) and t != "_"}
    compares = any(p in COMPARISONS for p, _ in bodies)
    return (not any("." in t for t in terms) and
            not (compares and any(t[0].isalpha() for t in terms)))


# ---- what each engine is told, and what it answers ------------------------------


def show_atom(atom, prefix, language):
    pred, args = atom
    if pred in COMPARISONS and language == "swipl":
        return f"compares({pred},{args[0]},{args[1]})"
    if pred in BUILTIN:
        op = ({"\\=": "!=", "=": "=", **COMPARISONS}[pred]
              if language == "clingo" else pred)
        return f"{args[0]} {op} {args[1]}"
    if pred.startswith("\\+"):
        sign = "not " if language == "clingo" else "\\+ "
        return sign + show_atom((pred[2:], args), prefix, language)
    return prefix + pred + (f"({','.join(args)})" if args else "")


def show_program(program, prefix="", language="pith"):
    """For SWI-Prolog, what needs bound variables comes last."""
    facts, rules = program
    late = lambda a: a[0] != "=" and not is_fact_atom(a[0])
    lines = [show_atom(f, prefix, language) + "." for f in facts]
    for head, body in rules:
        if language == "swipl":
            body = sorted(body, key=late)
        lines.append(show_atom(head, prefix, language) + " :- " +
                     ", ".join(show_atom(a, prefix, language) for a in body) +
                     ".")
    return "\n".join(lines) + "\n"


def predicates(program):
    facts, rules = program
    atoms = list(facts) + [a for head, body in rules for a in [head, *body]]
    return sorted({(p.removeprefix("\\+"), len(args)) for p, args in atoms
                   if p not in BUILTIN})


def output_of(command, text, suffix):
    with tempfile.NamedTemporaryFile("w", suffix=suffix) as file:
        file.write(text)
        file.flush()
        done = subprocess.run([*command, file.name], stdin=subprocess.DEVNULL,
                              capture_output=True, text=True)
    if done.returncode not in (0, 30):  # 30: clingo, all of it searched
        raise RuntimeError(f"{command[0]}: exit code {done.returncode}\n"
                           f"{done.stderr[:2000]}")
    return done.stdout


def collect(text, programs):
    """The lines of an answer, dealt out to the programs they belong to."""
    answers = {number: set() for number, _ in programs}
    for line in text.splitlines():
        match = re.match(r"q(\d+)_(.*)\.$", line.replace(" ", ""))
        if match:
            answers[int(match[1])].add(match[2])
        elif line and line[0] not in "%#":  # clingo: #p_, for _ under negation
            raise RuntimeError(f"unexpected output: {line!r}")
    return answers


def ask_pith(pith, programs, *options):
    text = "".join(show_program(p, f"q{n}_") for n, p in programs)
    return collect(output_of([pith, "infer", *options], text, ".pl"), programs)


def ask_swipl(programs):
    """Tabling makes every predicate's evaluation bottom-up and finite."""
    lines = [":- style_check(-discontiguous).", ":- style_check(-singleton).",
             "compares(Op,X,Y) :- number(X), number(Y), call(Op,X,Y)."]
    asked = []
    for number, program in programs:
        facts, rules = program
        defined = {pred for pred, _ in facts} | {head[0] for head, _ in rules}
        for pred, arity in predicates(program):
            name = f"q{number}_{pred}"
            how = "table" if pred in defined else "dynamic"
            lines.append(f":- {how} {name}/{arity}.")
            asked.append(f"ask({name},{arity}).")
        lines.append(show_program(program, f"q{number}_", "swipl"))
    lines += asked
    lines.append(":- initialization(forall(ask(P,N), (functor(G,P,N), "
                 "forall(call(G), (print(G), write('.'), nl))))).")
    return collect(output_of(["swipl", "-q", "-g", "halt"],
                             "\n".join(lines) + "\n", ".pl"), programs)


def ask_clingo(programs):
    """The grounder alone evaluates stratified programs completely."""
    programs = [(n, p) for n, p in programs if is_for_clingo(p)]
    text = "".join(show_program(p, f"q{n}_", "clingo") for n, p in programs)
    return collect(output_of(["clingo", "--text", "-Wnone"], text, ".lp"),
                   programs)


# ---- comparing ------------------------------------------------------------------


def given(program):
    return {show_atom(f, "", "") for f in program[0]}


def compare(pith, programs):
    """[(number, program, what differs)] of a batch."""
    answers = {"pith": ask_pith(pith, programs, "--all"),
               "SWI-Prolog": ask_swipl(programs),
               "clingo": ask_clingo(programs)}
    fresh = ask_pith(pith, programs)
    bad = []
    for number, program in programs:
        ours = answers["pith"][number]
        if fresh[number] != ours - given(program):
            bad.append((number, program, "infer and infer --all differ"))
            continue
        for name in ("SWI-Prolog", "clingo"):
            theirs = answers[name].get(number)
            if theirs is not None and ours != theirs:
                bad.append((number, program,
                            f"only pith: {sorted(ours - theirs)[:10]}; "
                            f"only {name}: {sorted(theirs - ours)[:10]}"))
                break
    return bad


def differs(pith, program):
    try:
        return bool(compare(pith, [(0, program)]))
    except (RuntimeError, subprocess.TimeoutExpired):
        return True


def smaller(program):
    """Programs with one thing less: a rule, a body atom or some facts."""
    facts, rules = program
    for i in range(len(rules)):
        yield facts, rules[:i] + rules[i + 1:]
    size = len(facts)
    while size >= 1:
        for i in range(0, len(facts), size):
            yield facts[:i] + facts[i + size:], rules
        size //= 2
    for i, (head, body) in enumerate(rules):
        for j in range(len(body)):
            cut = (head, body[:j] + body[j + 1:])
            if any(is_fact_atom(p) for p, _ in cut[1]) and safe(cut):
                yield facts, rules[:i] + [cut] + rules[i + 1:]


def minimise(pith, program, tries=400):
    progress = True
    while progress and tries > 0:
        progress = False
        for candidate in smaller(program):
            tries -= 1
            if tries <= 0:
                break
            if differs(pith, candidate):
                program, progress = candidate, True
                break
    return program


def batches(count, seed):
    batch = []
    for number in range(count):
        rng = random.Random(f"{seed}:{number}")
        program = random_program(rng)
        if number % 40 == 0:
            yield [(number, program)]
            continue
        batch.append((number, program))
        if len(batch) == BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def checked(pith, batch):
    """One engine failing on a batch says nothing; find the program."""
    try:
        return compare(pith, batch)
    except (RuntimeError, subprocess.TimeoutExpired) as error:
        if len(batch) == 1:
            return [(*batch[0], str(error))]
        half = len(batch) // 2
        return checked(pith, batch[:half]) + checked(pith, batch[half:])


def report(pith, seed, number, program, difference):
    print(f"FAIL program {number} of seed {seed}: {difference}")
    print("It still differs cut down to:")
    print(show_program(minimise(pith, program)), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--pith", default=os.path.join(ROOT, "build", "pith"))
    options = parser.parse_args()
    failures = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for bad in pool.map(lambda b: checked(options.pith, b),
                            batches(options.count, options.seed)):
            failures += bad
    for failure in failures[:3]:
        report(options.pith, options.seed, *failure)
    bad = len({number for number, _, _ in failures})
    print(f"{options.count - bad} passed, {bad} failed")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
