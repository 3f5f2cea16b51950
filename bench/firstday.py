#!/usr/bin/env python3
"""Tasks of 71 kinds that somebody who did not know pith made up on a first day: how often
`pith learn` finds what generalises.

    bench/firstday.py [--pith build/pith] [--kinds a,b] [--draws 5] [--seed 0]
                      [--write FOLDER] [--verbose] [-- more options of learn]

Each draw is a small world (firstday_worlds.py) with 8 to 50 labels of each sign, learned from
with pith's default options, and a world of twice the size on which the theory is scored.
Counted as in everyday.py: right, undecided (fits the labels and is no larger than the
program behind them), fits (with a larger program), wrong. Where labels are wrong, a theory
fits that gets as many wrong as the program behind them. Seconds are processor seconds.
"""
import argparse
import collections
import os
import pathlib
import random
import statistics
import sys
import tempfile

import firstday_worlds
from everyday import errors, run_timed, size_of

# ---- one draw ------------------------------------------------------------------


def term(value):
    text = str(value)
    return f"'{text}'" if text[0].isdigit() and "-" in text else text


def atom(pred, args):
    return f"{pred}({','.join(map(term, args))})"


def write(path, world, labels):
    lines = [atom(f[0], f[1:]) + "." for f in sorted(world.facts, key=str)]
    for target, positive, negative in labels:
        lines += [f"pos({atom(target, a)})." for a in positive]
        lines += [f"neg({atom(target, a)})." for a in negative]
    path.write_text("\n".join(lines) + "\n" + world.rules)


def some(rng, atoms, n):
    atoms = sorted(atoms, key=str)
    return sorted(rng.sample(atoms, n), key=str) if len(atoms) > n else atoms


def draw_labels(rng, world, n):
    labels = []
    for target, (true, false) in world.targets.items():
        near = some(rng, world.near.get(target, set()) & false, n // 2)
        negative = near + some(rng, false - set(near), n - len(near))
        labels.append((target, some(rng, true, n), sorted(negative, key=str)))
    return labels


def flip(rng, rate, labels):
    """Labels of which some are wrong."""
    flipped = []
    for target, positive, negative in labels:
        both = [(a, True) for a in positive] + [(a, False) for a in negative]
        wrong = set(rng.sample(range(len(both)), round(rate * len(both))))
        both = [(a, sign != (i in wrong)) for i, (a, sign) in enumerate(both)]
        flipped.append((target, [a for a, sign in both if sign], [a for a, sign in both if not sign]))
    return flipped


def has_labels(kind, world):
    least = min(8, kind.labels)
    return all(len(true) >= least and len(false) >= least for true, false in world.targets.values())


def draw(kind, seed, folder):
    """Writes task.pl, test.pl and true.pl."""
    parameters = f"{kind.__name__}:{seed}"
    for attempt in range(200):
        rng = random.Random(f"{parameters}:{attempt}")
        world = kind(rng, random.Random(parameters), kind.size)
        if has_labels(kind, world):
            break
    else:
        raise SystemExit(f"firstday.py: {parameters}: no world with enough labels")
    if kind.positive:
        labels = [(t, sorted(true, key=str), []) for t, (true, _) in world.targets.items()]
    else:
        labels = draw_labels(rng, world, kind.labels)
    labels = flip(rng, kind.noise, labels) if kind.noise else labels
    larger = kind(random.Random(f"{parameters}:test"), random.Random(parameters), max(2, kind.size))
    write(folder / "task.pl", world, labels)
    write(folder / "test.pl", larger, draw_labels(rng, larger, 500))
    (folder / "true.pl").write_text(world.truth + "\n")


def rules_of(path):
    text = path.read_text() if path.exists() else ""
    return "\n".join(line for line in text.splitlines() if line and not line.startswith("%"))


def verdict_of(pith, kind, folder):
    theory, task = folder / "theory.pl", folder / "task.pl"
    rules = rules_of(theory)
    if not rules:
        return "wrong"
    if errors(pith, theory, folder / "test.pl") == 0:
        return "right"
    allowed = errors(pith, folder / "true.pl", task) if kind.noise else 0
    if errors(pith, theory, task) > allowed:
        return "wrong"
    return "undecided" if size_of(rules) <= size_of(rules_of(folder / "true.pl")) else "fits"


def judge(args, kind, seed, folder, more):
    draw(kind, seed, folder)
    (folder / "theory.pl").unlink(missing_ok=True)
    _, seconds = run_timed([args.pith, "learn", "--timeout", "60", *kind.options.split(), *more,
                            "-o", str(folder / "theory.pl"), str(folder / "task.pl")])
    verdict = verdict_of(args.pith, kind, folder)
    if args.verbose and verdict != "right":
        print(f"-- {kind.__name__} {seed}: {verdict}\n{rules_of(folder / 'theory.pl')}\n"
              f"   behind it:\n{rules_of(folder / 'true.pl')}")
    return verdict, seconds


# ---- all of it -----------------------------------------------------------------


def main():
    if os.environ.get("PYTHONHASHSEED") != "0":  # worlds are drawn from sets of names
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, "PYTHONHASHSEED": "0"})
    argv, more = sys.argv[1:], []
    if "--" in argv:
        argv, more = argv[:argv.index("--")], argv[argv.index("--") + 1:]
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--pith", default="build/pith")
    parser.add_argument("--kinds", default=",".join(firstday_worlds.KINDS))
    parser.add_argument("--draws", type=int, default=5)
    parser.add_argument("--seed", type=int, default=0, help="the draws are numbered from the next one on")
    parser.add_argument("--write", type=pathlib.Path)
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args(argv)
    columns = ("right", "undecided", "fits", "wrong")
    print(f"| kind | {' | '.join(columns)} | median s | worst s |\n|---|--:|--:|--:|--:|--:|--:|")
    total = collections.Counter()
    for name in args.kinds.split(","):
        counts, times = collections.Counter(), []
        for seed in range(args.seed + 1, args.seed + 1 + args.draws):
            with tempfile.TemporaryDirectory() as temporary:
                folder = pathlib.Path(temporary)
                if args.write:
                    folder = args.write / f"{name}-{seed}"
                    folder.mkdir(parents=True, exist_ok=True)
                verdict, seconds = judge(args, firstday_worlds.KINDS[name], seed, folder, more)
            counts[verdict] += 1
            times.append(seconds)
        total += counts
        print(f"| {name} | {' | '.join(str(counts[c]) for c in columns)} | "
              f"{statistics.median(times):.2f} | {max(times):.2f} |", flush=True)
    print(f"| all | {' | '.join(str(total[c]) for c in columns)} | | |")


if __name__ == "__main__":
    main()
