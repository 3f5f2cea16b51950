#!/usr/bin/env python3
"""Tasks that need predicates which nobody gave, from fixed seeds: how often
pith learns them without templates, and in how many processor seconds.

    bench/invent.py [--pith build/pith] [--draws 10] [--sizes 14,60,300]
                    [--kinds a,b] [--method auto] [-- more options of learn]

For each kind, size and draw a background of about that many constants, under
random names; labels from what the task means, computed here; at most 300 of
either label. What is learned is scored on another draw of the same names
("right"). "invented": the rules have a predicate that nobody gave.
"""
import argparse
import os
import random
import re
import resource
import subprocess
import tempfile

MOST = 300  # examples of either label
TWO = ["max_body(2).", "max_vars(3).", "enable_pi."]
LOOP = TWO + ["enable_recursion."]


def compose(a, b):
    after = {}
    for y, z in b:
        after.setdefault(y, []).append(z)
    return {(x, z) for x, y in a for z in after.get(y, [])}


def closure(a):
    whole, new = set(a), set(a)
    while new:
        new = compose(new, a) - whole
        whole |= new
    return whole


# ---- backgrounds: sets of (predicate, arguments...) ---------------------------


def family(r, n):
    """n people, most of them with a father or a mother among those not long
    before them; and who is a parent of whom."""
    sex = [r.choice("mf") for _ in range(n)]
    facts, parent = set(), set()
    for child in range(4, n):
        for name, of in (("father", "m"), ("mother", "f")):
            older = [p for p in range(child) if sex[p] == of][-4:]
            if older and r.random() < 0.85:
                p = r.choice(older)
                facts.add((name, p, child))
                parent.add((p, child))
    return facts, parent


def roads(r, n):
    """Places joined by three kinds of ways, mostly onwards."""
    kinds, ways = ("road", "rail", "ferry"), set()
    for i in range(1, n):
        if r.random() < 0.9:
            ways.add((r.choice(kinds), r.randrange(max(0, i - 5), i), i))
    return ways, {w[1:] for w in ways}


def words(r, n):
    """Words of two letters as chains, from each place to the next; the places
    after which an even number of letters a follows."""
    facts, even, node = set(), set(), 0
    while node < n:
        odd = 0
        facts.add(("end", node))
        even.add((node,))
        for _ in range(r.randint(3, 8)):
            letter = r.choice("ab")
            facts.add((f"letter_{letter}", node + 1, node))
            node += 1
            odd ^= letter == "a"
            if not odd:
                even.add((node,))
        node += 1
    return facts, even


# ---- kinds: (rng, size) -> facts, what is true, arity, bias --------------------


def grandparent(r, n):
    facts, parent = family(r, n)
    return facts, compose(parent, parent), 2, TWO + ["max_clauses(3)."]


def great_grandparent(r, n):
    facts, parent = family(r, n)
    true = compose(compose(parent, parent), parent)
    return facts, true, 2, TWO + ["max_clauses(5)."]


def relatives(r, n):
    """Children of one's own parents' parent."""
    facts, parent = family(r, n)
    sibling = compose({(y, x) for x, y in parent}, parent)
    return facts, compose(sibling, parent), 2, TWO


def same_generation(r, n):
    facts, parent = family(r, n)
    back = {(y, x) for x, y in parent}
    true = new = compose(back, parent)
    while new:
        new = compose(compose(back, new), parent) - true
        true = true | new
    return facts, true, 2, []


def union_reach(r, n):
    ways, step = roads(r, n)
    return ways, closure(step), 2, []


def multiple(r, n, k):
    n = r.randint(n - 3, n)
    facts = {("succ", i, i + 1) for i in range(n - 1)} | {("zero", 0)}
    return facts, {(i,) for i in range(0, n, k)}, 1, LOOP


def even(r, n):
    return multiple(r, n, 2)


def triple(r, n):
    return multiple(r, n, 3)


def even_list(r, n):
    facts, true, node = set(), set(), 0
    while node < n:
        facts.add(("empty", node))
        true.add((node,))
        for i in range(1, r.randint(3, 8)):
            facts.add(("tail", node + 1, node))
            facts.add(("head", node + 1, r.randrange(n)))
            node += 1
            if i % 2 == 0:
                true.add((node,))
        node += 1
    return facts, true, 1, LOOP


def parity(r, n):
    """An even number of letters a, whatever is between them: without a second
    predicate for the odd ones no rules say this."""
    facts, true = words(r, n)
    return facts, true, 1, LOOP


def turns(r, n):
    """Along ways of two kinds by turns, the first first; who has a way of the
    second kind only may wait where he is."""
    steps = {"out": set(), "back": set()}
    for i in range(1, n):
        steps[r.choice(("out", "back"))].add((r.randrange(max(0, i - 4), i), i))
    true = new = set(steps["out"])
    while new:
        new = compose(compose(new, steps["back"]), steps["out"]) - true
        true = true | new
    facts = {(name, *pair) for name, pairs in steps.items() for pair in pairs}
    return facts, true, 2, LOOP


KINDS = [grandparent, great_grandparent, relatives, same_generation, union_reach,
         even, triple, even_list, parity, turns]

# ---- one task ------------------------------------------------------------------


def some(r, atoms):
    atoms = sorted(atoms)
    return r.sample(atoms, MOST) if len(atoms) > MOST else atoms


def examples(r, facts, true, arity):
    """All atoms; of many a few hundred, the false ones no farther from the true
    than a change of one argument."""
    things = sorted({c for f in facts for c in f[1:]})
    positive = some(r, true)
    if len(things) ** arity <= 4 * MOST:
        near = {(a,) if arity == 1 else (a, b) for a in things
                for b in (things if arity == 2 else [0])}
    else:
        near = {(a, b) if r.random() < 0.5 else (b, a) if arity == 2 else (b,)
                for a, *_ in (r.choice(positive) for _ in range(8 * MOST))
                for b in [r.choice(things)]} if arity == 2 else {
                    (t,) for t in things}
    return positive, some(r, near - true)


def task(kind, n, r):
    facts, true, arity, bias = kind(r, n)
    return facts, *examples(r, facts, true, arity), bias


def text(names, pred, *args):
    return f"{names(pred)}({','.join(names(a) for a in args)})"


def write(folder, names, facts, positive, negative, bias):
    os.mkdir(folder)
    parts = {"bk.pl": [text(names, *f) + "." for f in sorted(facts, key=str)],
             "exs.pl": [f"pos({text(names, 'target', *a)})." for a in positive] +
                       [f"neg({text(names, 'target', *a)})." for a in negative],
             "bias.pl": bias}
    for name, lines in parts.items():
        with open(os.path.join(folder, name), "w", encoding="utf8") as f:
            f.write("".join(line + "\n" for line in lines))
    if not bias:
        os.remove(os.path.join(folder, "bias.pl"))


def namer(r):
    known = {}
    fresh = iter(r.sample(range(10 ** 5), 10 ** 4))
    return lambda word: known.setdefault(word, f"w{next(fresh)}")


def run(args, kind, n, draw, folder):
    r = random.Random(f"{kind.__name__}:{n}:{draw}")
    names = namer(r)
    train, test = (os.path.join(folder, part) for part in ("train", "test"))
    write(train, names, *task(kind, n, r))
    write(test, names, *task(kind, n, r))
    rules = os.path.join(folder, "rules.pl")
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run([args.pith, "learn", "-j1", "--method", args.method, "-o",
                           rules, train, *args.more], check=False)
    spent = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    solved = done.returncode == 0
    learned = open(rules, encoding="utf8").read() if os.path.exists(rules) else ""
    right = learned and subprocess.run([args.pith, "score", "-q", rules, test],
                                       capture_output=True).returncode == 0
    if args.verbose:
        print(learned, flush=True)
    target = names("target")
    heads = set(re.findall(r"^(\w+)\(", learned, re.M))
    return solved, solved and right, bool(heads - {target}), spent


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--pith", default="build/pith")
    parser.add_argument("--draws", type=int, default=10)
    parser.add_argument("--sizes", default="14,60,300")
    parser.add_argument("--kinds", default=",".join(k.__name__ for k in KINDS))
    parser.add_argument("--method", default="auto")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("more", nargs="*")
    args = parser.parse_args()
    print(f"{'task':18} {'size':>5} {'draws':>5} {'solved':>6} {'right':>5} "
          f"{'invented':>8} {'median s':>8} {'max s':>6}")
    for kind in (k for k in KINDS if k.__name__ in args.kinds.split(",")):
        for n in map(int, args.sizes.split(",")):
            rows = []
            for draw in range(args.draws):
                with tempfile.TemporaryDirectory() as folder:
                    rows.append(run(args, kind, n, draw, folder))
            times = sorted(r[3] for r in rows)
            print(f"{kind.__name__:18} {n:5} {len(rows):5} "
                  f"{sum(r[0] for r in rows):6} {sum(r[1] for r in rows):5} "
                  f"{sum(r[2] for r in rows):8} {times[len(times) // 2]:8.2f} "
                  f"{times[-1]:6.2f}", flush=True)


if __name__ == "__main__":
    main()
