#!/usr/bin/env python3
"""Reading, checking, estimating, planning and proving grow no faster than n log n.

Each case makes an input of a size, of twice and of four times that size, and
counts the instructions of a command on each, by valgrind: no clock takes part.
The second increase must be about twice the first; were the work quadratic, it
would be four times.
"""
import argparse
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile

PITH = "build/pith"
SIZES = (1, 2, 4)
SMALL = 20  # a run that only warms up has so many times less
MOST = 2.75  # n log n gives 2.2 at these sizes; growth of hash tables is uneven


def chain(n):
    """Each rule needs the one after it: the worst order for a sweep."""
    return "".join(f"p{i}(X) :- p{i + 1}(X).\n" for i in range(n)) + f"p{n}(c).\n"


def cycle(n):
    """As many rounds as rules, one new fact in each."""
    return "".join(f"p{i}(X) :- p{(i + 1) % n}(X).\n" for i in range(n)) + "p0(c).\n"


def pair_cycle(n):
    return "".join(f"p{i}(X,Y) :- p{(i + 1) % n}(Y,X).\n" for i in range(n)) + (
        "p0(c,d).\n")


def predicates(n):
    return "".join(f"p{i}(a).\n" for i in range(n))


def long_body(n):
    return "p(X) :- " + ", ".join(["q(X)"] * n) + ".\nq(a).\n"


def linked_body(n):
    atoms = (f"q(X{i % 500},X{(i + 1) % 500})" for i in range(n))
    return "p(X0) :- " + ", ".join(atoms) + ".\nq(a,a).\n"


def many_variables(n):
    return ("p(X0) :- " + ", ".join(f"q(X{i},X{i + 1})" for i in range(n))
            + ".\nq(a,a).\n")


def many_conditions(n):
    return "p(X) :- " + ", ".join(f"q{i}(X)" for i in range(n)) + ".\n"


def wide_rule(n):
    places = ",".join(f"X{i}" for i in range(n))
    return f"p({places}) :- q({places}).\n"


def recursive_body(n):
    return ("p(X) :- e(X,Y), " + ", ".join(["p(Y)"] * n)
            + ".\np(z). e(y,z). e(x,y). e(w,x).\n")


def conditions(n):
    """Comparisons and negated atoms, decided at many places of the body."""
    atoms = ", ".join(f"q(X{i})" for i in range(400))
    tests = ", ".join(f"X{i % 400} >= X{i * 7 % 400}, \\+ r(X{i % 400},b)"
                      for i in range(n))
    return f"p(X0) :- {atoms}, {tests}.\nq(1).\n"


def undefined(n):
    return "q(a).\n" + "".join(f"p(a) :- z{i}(a).\n" for i in range(n))


def equalities(n):
    m = min(n, 4000)
    same = ", ".join(f"X{i % m} = X{(i + 1) % m}" for i in range(n))
    return f"p(X0) :- {same}, q(X1).\nq(a).\n"


def wide_fact(n):
    return f"p({','.join(f'c{i}' for i in range(n))}).\n"


def bias(n):
    """A folder as Popper has it."""
    return {
        "bk.pl": "".join(f"b{i}(a).\n" for i in range(n)),
        "exs.pl": "pos(t(a)).\nneg(t(b)).\n",
        "bias.pl": "head_pred(t,1).\n"
                   + "".join(f"body_pred(b{i},1).\n" for i in range(n)),
    }


def triples(n):
    return {"train.tsv": "".join(f"e{i % 97}\tr{i % 5}\te{i}\n" for i in range(n))}


def table(n):
    return {"t.csv": ",".join(f"c{i}" for i in range(n)) + "\n"
                     + ",".join(str(i) for i in range(n)) + "\n"}


def json_members(n):
    row = ",".join(f'"k{i}":{i}' for i in range(n))
    return {"t.json": f"[{{{row}}}]"}


def json_rows_apart(n):
    """Each row has a column of its own."""
    rows = ",".join(f'{{"id":{i},"k{i}":1}}' for i in range(n))
    return {"t.json": f"[{rows}]"}


def colliding(n):
    """Names that have one hash where it has no key (tests/colliding.c)."""
    maker = os.path.join(os.path.dirname(PITH), "tests", "colliding")
    made = subprocess.run([maker, str(n)], capture_output=True, text=True,
                          check=True)
    return made.stdout.splitlines()


def colliding_names(n):
    return "".join(f"p('{name}').\n" for name in colliding(n))


def colliding_columns(n):
    return {"t.csv": ",".join(colliding(n)) + "\n"
                     + ",".join(str(i) for i in range(n)) + "\n"}


def colliding_rows(n):
    return {"t.csv": "name,age\n" + "".join(f"{name},7\n"
                                            for name in colliding(n))}


# What is made, how large at first, and the commands that are to take it.
CASES = [
    (chain, 2000, ["infer", "--count", "FILE"]),
    (chain, 2500, ["check", "FILE"]),
    (chain, 1000, ["explain", "p0(c)", "FILE"]),
    (chain, 1000, ["convert", "FILE"]),
    (chain, 1000, ["convert", "--to", "sql", "FILE"]),
    (chain, 1000, ["convert", "--to", "souffle", "FILE"]),
    (chain, 1000, ["convert", "--drop", "--to", "dot", "FILE"]),
    (cycle, 1000, ["infer", "--count", "FILE"]),
    (cycle, 1000, ["infer", "--steps", "100000", "FILE"]),
    (cycle, 1000, ["explain", "p1(c)", "FILE"]),
    (pair_cycle, 1000, ["infer", "--count", "FILE"]),
    (predicates, 5000, ["infer", "--count", "FILE"]),
    (predicates, 5000, ["check", "FILE"]),
    (long_body, 2000, ["infer", "FILE"]),
    (long_body, 2000, ["explain", "p(a)", "FILE"]),
    (long_body, 2000, ["compress", "FILE"]),
    (linked_body, 2000, ["infer", "FILE"]),
    (recursive_body, 2000, ["infer", "FILE"]),
    (conditions, 1600, ["infer", "FILE"]),
    (equalities, 2000, ["infer", "FILE"]),
    (undefined, 4000, ["check", "FILE"]),
    (wide_fact, 4000, ["infer", "--all", "FILE"]),
    (bias, 2000, ["check", "FILE"]),
    (triples, 5000, ["infer", "--all", "FILE"]),
    (table, 1000, ["convert", "FILE"]),
    (json_members, 1000, ["convert", "FILE"]),
    (json_rows_apart, 500, ["convert", "FILE"]),
    (many_variables, 250, ["convert", "--to", "json", "FILE"]),
    (many_variables, 1000, ["check", "FILE"]),
    (many_variables, 1000, ["convert", "--drop", "--to", "english", "FILE"]),
    (many_conditions, 250, ["explain", "p(a)", "FILE"]),
    (wide_rule, 500, ["check", "FILE"]),
    (colliding_names, 2000, ["infer", "--all", "FILE"]),
    (colliding_columns, 1000, ["convert", "FILE"]),
    (colliding_rows, 2000, ["convert", "FILE"]),
]


def place(content, folder):
    os.makedirs(folder)
    if isinstance(content, dict):
        for name, text in content.items():
            with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
                f.write(text)
        return os.path.join(folder, *content) if len(content) == 1 else folder
    where = os.path.join(folder, "input.pl")
    with open(where, "w", encoding="utf-8") as f:
        f.write(content)
    return where


def make_runs(number, case, folder):
    """A line for a small input, and one for each size (tests/counted.c). What
    has to be translated for the small one is translated for all."""
    make, size, command = case
    for sign, n in ("-", size // SMALL), *(("+", k * size) for k in SIZES):
        path = place(make(n), os.path.join(folder, str(number), str(n)))
        yield "\t".join([sign, *(path if w == "FILE" else w for w in command)])


def instructions(pith, runs, folder):
    """What valgrind counts at the end of each run of a child."""
    path = os.path.join(folder, "runs")
    with open(path, "w", encoding="utf-8") as f:
        f.write("\n".join(runs))
    env = dict(os.environ, PITH_COUNTED=path, LD_PRELOAD=library_beside(pith))
    run = subprocess.run(
        ["valgrind", "--tool=cachegrind", "--cache-sim=no",
         "--cachegrind-out-file=/dev/null", pith],
        env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        timeout=600)
    found = re.findall(r"I +refs: +([\d,]+)", run.stderr)
    children = sum(line[0] == "+" for line in runs)
    if run.returncode != 0 or len(found) != children + 1:
        sys.exit(f"{runs[0]}: exit {run.returncode}\n{run.stderr[-2000:]}")
    return [int(n.replace(",", "")) for n in found[:children]]


def grows_in_step(case, a, b, c):
    make, size, command = case
    growth = (c - b) / max(b - a, 1)
    good = growth <= MOST
    print(f"{'ok' if good else 'FAIL'}: {make.__name__} {command[0]}: "
          f"{b - a} instructions more for twice {size}, then {c - b} for "
          f"four times: the increase grows {growth:.2f} times")
    return good


def count_good(cases):
    """How many of the cases, all of one command, grow in step."""
    with tempfile.TemporaryDirectory() as folder:
        runs = [line for number, case in enumerate(cases)
                for line in make_runs(number, case, folder)]
        counts = iter(instructions(PITH, runs, folder))
        return sum(grows_in_step(case, *(next(counts) for _ in SIZES))
                   for case in cases)


def library_beside(pith):
    return os.path.join(os.path.dirname(os.path.abspath(pith)), "tests",
                        "libpith_counted.so")


def main():
    args = argparse.ArgumentParser(description=__doc__)
    args.add_argument("--pith", default="build/pith")
    args.add_argument("only", nargs="*", help="names of cases")
    args = args.parse_args()
    global PITH
    PITH = args.pith
    if shutil.which("valgrind") is None:
        print("valgrind is not here: 0 cases")
        return 0
    if not os.path.exists(library_beside(PITH)):
        print("no library to preload (sanitizers need to come first): 0 cases")
        return 0
    cases = [case for case in CASES
             if not args.only or case[0].__name__ in args.only]
    groups = {}
    for case in cases:
        groups.setdefault(case[2][0], []).append(case)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        good = sum(pool.map(count_good, groups.values()))
    print(f"{good} passed, {len(cases) - good} failed")
    return 0 if good == len(cases) else 1


sys.exit(main())
