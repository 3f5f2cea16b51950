#!/usr/bin/env python3
"""Runs `pith learn` on instances of the 20 ILP tasks that nobody has seen.

    bench/unseen.py [--draws 20] [--tasks a,b] [--pith build/pith] [--free]
                    [--more OPTIONS] [--write FOLDER]

For each task and draw: a random background of another size, every constant
and predicate under a random name, labels from the task's right program
(data/ilp/TASK/solution.pl, evaluated by `pith infer`), the task's templates.
With --free it
has no templates; --more "--method gradient --search off" gives learn further
options. --write leaves an instance of each task in FOLDER, under its own names, with its
bias.pl and a test folder, and learns nothing: for `pith bench ilp --data FOLDER`,
or as a second world. What is learned is scored on a second, larger random instance of the same
names. Printed: runs solved, runs right on the second instance, the median and
the longest time of a whole process.

A random instance may admit another program that fits all of it, is no larger
than the right one and is wrong elsewhere (every uncle in a family may happen
to be a father's brother). No learner can know better; such draws are counted
in a column of their own, "open", and their programs shown with --verbose.
"""
import argparse
import pathlib
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
DATA = ROOT / "data" / "ilp"

# ---- backgrounds: (rng, size) -> set of (predicate, arguments...) ------------


def numbers(_, n, *more):
    facts = {("zero", "0")} | {("succ", str(i), str(i + 1)) for i in range(n - 1)}
    for k in more:
        facts |= {(f"succ{k}", str(i), str(i + k)) for i in range(n - k)}
    return facts


def lists(rng, n, *_):
    facts, node = {("zero", "0")}, n
    facts |= {("succ", str(i), str(i + 1)) for i in range(n - 1)}
    for length in (n - 2, n - 1, n // 2):
        last = "0"
        for _i in range(length):
            node += 1
            facts.add(("cons", str(node), last))
            facts.add(("value", str(node), str(rng.randrange(1, n))))
            last = str(node)
    return facts


def family(rng, n, *_):
    """Couples and their children; brothers and sisters of both parents."""
    facts, number = set(), 0

    def person():
        nonlocal number
        number += 1
        return f"p{number}"

    couples = [(person(), person())]
    people = 2
    while people < n and couples:
        man, woman = couples.pop(0)
        facts.add(("husband", man, woman))
        girls, boys = [], []
        for _i in range(rng.randrange(2, 5)):
            child, male = person(), rng.random() < 0.5
            (boys if male else girls).append(child)
            facts |= {("father", man, child), ("mother", woman, child),
                      ("parent", man, child), ("parent", woman, child)}
            if rng.random() < 0.7:
                other = person()
                people += 1
                couples.append((child, other) if male else (other, child))
            people += 1
        for one in boys + girls:
            for two in boys + girls:
                if one != two:
                    facts.add(("brother" if one in boys else "sister", one, two))
    return facts


def forest(rng, n, *_):
    """Two families that do not touch, so that not all are related."""
    facts = set()
    for side in "ab":
        for i in range(1, n // 2):
            facts.add(("parent", f"{side}{rng.randrange(i)}", f"{side}{i}"))
    return facts


def graph(rng, n, *_):
    facts = {("edge", f"n{rng.randrange(n)}", f"n{rng.randrange(n)}")
             for _i in range(n + n // 3)}
    nodes = [f"n{i}" for i in range(n)]
    for node in nodes:
        facts.add(("colour", node, rng.choice(["c1", "c2", "c3"])))
    facts |= {("red", "c1"), ("green", "c2")}
    facts |= {("neq", a, b) for a in nodes for b in nodes if a != b}
    return facts


def cycles(rng, n, *_):
    """Cycles of two to four nodes, tails into and out of them, a tree."""
    facts, nodes = set(), [f"n{i}" for i in range(n)]
    rng.shuffle(nodes)
    for length in (2, 3, 4):
        ring, nodes = nodes[:length], nodes[length:]
        facts |= {("edge", a, b) for a, b in zip(ring, ring[1:] + ring[:1])}
        facts.add(("edge", ring[0], nodes[0]))
        facts.add(("edge", nodes[1], ring[-1]))
    return facts | {("edge", rng.choice(nodes[:i]), nodes[i])
                    for i in range(1, len(nodes))}


TASKS = {
    "predecessor": (numbers, 12), "even-odd": (numbers, 9),
    "even-succ2": (numbers, 12), "less-than": (numbers, 9),
    "fizz": (numbers, 11), "buzz": (numbers, 17, 2, 3),
    "member": (lists, 6), "length": (lists, 6),
    "son": (family, 20), "grandparent": (family, 18),
    "relatedness": (forest, 12), "father": (family, 20),
    "undirected-edge": (graph, 9), "adjacent-to-red": (graph, 14),
    "two-children": (graph, 10), "graph-colouring": (graph, 14),
    "connectedness": (graph, 7), "cyclic": (cycles, 14),
    "husband": (family, 24), "uncle": (family, 40),
}

# ---- one instance ------------------------------------------------------------


def background(task, rng, size):
    """Only the predicates that the task's own background has."""
    make, _, *more = TASKS[task]
    names = set(re.findall(r"^(\w+)\(", (DATA / task / "bk.pl").read_text(), re.M))
    return sorted(f for f in make(rng, size, *more) if f[0] in names)


def text(fact, names):
    return f"{names[fact[0]]}({','.join(names[c] for c in fact[1:])})"


def write(folder, task, facts, names, pith):
    """bk.pl and exs.pl: closed world over the constants of the background."""
    folder.mkdir(parents=True)
    head = re.search(r"head_pred\((\w+),(\d)\)", (DATA / task / "bias.pl").read_text())
    target, arity = head[1], int(head[2])
    plain = folder / "plain.pl"
    plain.write_text("".join(f"{f[0]}({','.join(f[1:])}).\n" for f in facts))
    out = subprocess.run([pith, "infer", "-q", DATA / task / "solution.pl", plain],
                         capture_output=True, text=True, check=True).stdout
    plain.unlink()
    true = set(re.findall(rf"^{target}\((.*)\)\.$", out, re.M))
    constants = sorted({c for f in facts for c in f[1:]})
    atoms = [[a] for a in constants]
    if arity == 2:
        atoms = [[a, b] for a in constants for b in constants]
    (folder / "bk.pl").write_text("".join(text(f, names) + ".\n" for f in facts))
    (folder / "exs.pl").write_text("".join(
        f"{'pos' if ','.join(a) in true else 'neg'}({text([target] + a, names)}).\n"
        for a in atoms))


def rename(rng, *instances):
    words = sorted({w for facts in instances for f in facts for w in f})
    fresh = rng.sample(range(10 ** 6), len(words))
    return {w: f"w{number}" for w, number in zip(words, fresh)}


def draw(task, number, folder, pith):
    rng = random.Random(f"{task}:{number}")
    size = TASKS[task][1]
    train = background(task, rng, size + rng.randrange(3))
    test = background(task, rng, 2 * size)
    names = rename(rng, train, test)
    head = re.search(r"head_pred\((\w+)", (DATA / task / "bias.pl").read_text())[1]
    names[head] = f"w{rng.randrange(10 ** 6, 10 ** 7)}"
    write(folder / "train", task, train, names, pith)
    write(folder / "test", task, test, names, pith)
    templates = (DATA / task / "templates.txt").read_text()
    steps = 2 * size if "steps: 1" not in templates else 2
    templates = re.sub(r"steps: \d+", f"steps: {min(steps, 12)}", templates)
    (folder / "train" / "templates.txt").write_text(templates)


def size(path):
    """Rules and body atoms of a program."""
    rules = [line.split("%")[0] for line in path.read_text().splitlines()]
    return sum(1 + len(re.findall(r"\w+\(", rule.split(":-")[1]))
               for rule in rules if ":-" in rule)


def leave(task, folder, pith):
    bias = (DATA / task / "bias.pl").read_text()
    head = re.search(r"head_pred\((\w+)", bias)[1]
    rng, size = random.Random(f"{task}:second"), TASKS[task][1]
    for part, n in ((folder / task, size), (folder / task / "test", 2 * size)):
        facts = background(task, rng, n)
        names = {w: w for f in facts for w in f} | {head: head}
        write(part, task, facts, names, pith)
    (folder / task / "bias.pl").write_text(bias)


def run(task, number, pith, verbose, free, more):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        draw(task, number, folder, pith)
        if free:
            (folder / "train" / "templates.txt").unlink()
        rules = folder / "learned.pl"
        began = time.monotonic()
        learned = subprocess.run([pith, "learn", "--seed", str(number), "--jobs", "1",
                                  folder / "train", "-o", rules, *more])
        seconds = time.monotonic() - began
        right = rules.exists() and subprocess.run(
            [pith, "score", "-q", rules, folder / "test"],
            capture_output=True).returncode == 0
        solved = learned.returncode == 0
        undecided = (solved and not right and
                     size(rules) <= size(DATA / task / "solution.pl"))
        if verbose and not right and rules.exists():
            print(rules.read_text(), file=sys.stderr)
        return solved, right, undecided, seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--draws", type=int, default=20)
    parser.add_argument("--tasks", default=",".join(TASKS))
    parser.add_argument("--pith", default=ROOT / "build" / "pith")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--free", action="store_true", help="without templates")
    parser.add_argument("--more", default="", help="options of learn")
    parser.add_argument("--write", type=pathlib.Path, metavar="FOLDER")
    options = parser.parse_args()
    if options.write:
        for task in options.tasks.split(","):
            leave(task, options.write, options.pith)
        return
    print(f"{'task':<16} {'draws':>5} {'solved':>6} {'right':>5} {'open':>5} "
          f"{'median ms':>9} {'max ms':>7}")
    for task in options.tasks.split(","):
        got = [run(task, i, options.pith, options.verbose, options.free,
                   options.more.split())
               for i in range(1, options.draws + 1)]
        times = [1000 * g[3] for g in got]
        print(f"{task:<16} {len(got):>5} {sum(g[0] for g in got):>6} "
              f"{sum(g[1] for g in got):>5} {sum(g[2] for g in got):>5} {statistics.median(times):>9.1f} "
              f"{max(times):>7.1f}", flush=True)


if __name__ == "__main__":
    main()
