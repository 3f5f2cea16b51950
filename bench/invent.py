#!/usr/bin/env python3
"""Tasks that need predicates which nobody gave, from fixed seeds: how often
pith learns them without templates, and in how many processor seconds.

    bench/invent.py [--pith build/pith] [--draws 5] [--method both]
"""
import argparse
import os
import random
import resource
import subprocess
import tempfile

LIMITS = ["max_body(2).", "max_vars(3).", "enable_pi."]
RECURSIVE = LIMITS + ["enable_recursion."]


def compose(a, b):
    return {(x, w) for x, y in a for z, w in b if y == z}


def family(r, n):
    """Facts about n people, some with a father or a mother among those before
    them; and who is a parent of whom."""
    sex = [r.choice("mf") for _ in range(n)]
    facts, parent = [], set()
    for child in range(4, n):
        for name, of in (("father", "m"), ("mother", "f")):
            older = [p for p in range(child) if sex[p] == of][-4:]
            if older and r.random() < 0.85:
                p = r.choice(older)
                facts.append(f"{name}(p{p},p{child}).")
                parent.add((p, child))
    return facts, parent


def label(name, true, pairs):
    return [f"{'pos' if xy in true else 'neg'}({name}(p{xy[0]},p{xy[1]}))."
            for xy in pairs]


def great_grandparent(r):
    n = 14
    facts, parent = family(r, n)
    true = compose(compose(parent, parent), parent)
    pairs = [(x, y) for x in range(n) for y in range(n)]
    return facts, label("ggp", true, pairs), LIMITS + ["max_clauses(5)."]


def grandparent(r):
    n = 14
    facts, parent = family(r, n)
    pairs = [(x, y) for x in range(n) for y in range(n)]
    return (facts, label("gp", compose(parent, parent), pairs),
            LIMITS + ["max_clauses(3)."])


def multiple(r, k, limits):
    n = r.randint(3 * k, 12)
    facts = [f"succ({i},{i + 1})." for i in range(n - 1)] + ["zero(0)."]
    examples = [f"{'neg' if i % k else 'pos'}(m({i}))." for i in range(n)]
    return facts, examples, limits


def even(r):
    return multiple(r, 2, ["max_body(2).", "max_vars(2).", "enable_pi.",
                           "enable_recursion."])


def triple(r):
    return multiple(r, 3, RECURSIVE)


KINDS = [grandparent, great_grandparent, even, triple]


def write(folder, parts):
    for name, lines in zip(("bk.pl", "exs.pl", "bias.pl"), parts):
        with open(os.path.join(folder, name), "w", encoding="utf8") as f:
            f.write("\n".join(lines) + "\n")


def run(args, folder):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run([args.pith, "learn", "-j1", "--method", args.method,
                           folder], capture_output=True, text=True, check=False)
    spent = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    invented = "inv1(" in done.stdout or "_or_" in done.stdout
    return done.returncode == 0, invented, spent


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pith", default="build/pith")
    parser.add_argument("--draws", type=int, default=5)
    parser.add_argument("--method", default="both")
    args = parser.parse_args()
    print(f"{'task':18} {'draws':>5} {'solved':>6} {'invented':>8} "
          f"{'median s':>8} {'max s':>6}")
    for kind in KINDS:
        rows = []
        for draw in range(args.draws):
            with tempfile.TemporaryDirectory() as folder:
                write(folder, kind(random.Random(f"{kind.__name__}:{draw}")))
                rows.append(run(args, folder))
        times = sorted(r[2] for r in rows)
        print(f"{kind.__name__:18} {len(rows):5} {sum(r[0] for r in rows):6} "
              f"{sum(r[1] for r in rows):8} {times[len(times) // 2]:8.2f} "
              f"{times[-1]:6.2f}", flush=True)


if __name__ == "__main__":
    main()
