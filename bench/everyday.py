#!/usr/bin/env python3
"""Tasks as people bring them on their first day: few labels, many values,
numbers, negation. How often `pith learn` finds what generalises.

    bench/everyday.py [--pith build/pith] [--kinds a,b] [--draws 20] [--seed 1]
                      [--labels 12] [--size 1.0] [--rate 0.1] [--verbose]
                      [--write FOLDER] [--popper COMMAND [--limit 60]]
                      [-- more options of learn]

Each draw is a small world under random names with a few labels, learned from
with pith's default options, and a larger world of the same names on which the
theory is scored; a world with fewer than three true or false atoms is drawn again.
Counted:

  right      fits the labels and every label of the larger world
  undecided  fits the labels and is no larger than the program behind them,
             but says something else elsewhere: nobody could have known
             (--verbose shows it)
  fits       fits the labels with a larger program, and is wrong elsewhere
  wrong      does not fit, or nothing was found

For by_heart (labels by chance) right means that the output does not say
"solved"; for positives_only, that rules learned with --closed-world are right
and that a run without it names the option; for the kinds of noise, that the
theory is right on clean labels, undecided, that the output says that the labels
do not decide, or that the theory is no larger than the program behind the labels
and fits them no worse. Seconds are processor seconds of the learning process.

--popper runs another learner on the same draws, and judges what it prints in the same
way: COMMAND with {} for a folder of bk.pl, exs.pl and bias.pl and LIMIT for --limit in
seconds, such as 'python3 popper.py {} --timeout LIMIT'. The bias allows what the program
behind the labels needs, and no more: its predicates, recursion, as many rules, variables
and atoms as it has. Kinds with numbers, constants or negation are left out.
"""
import argparse
import json
import math
import pathlib
import random
import re
import resource
import statistics
import subprocess
import sys
import tempfile

from everyday_denied import DENIED_KINDS, DENIED_NOISY
from everyday_more import MORE_KINDS, MORE_NOISY
from everyday_rows import ROW_KINDS
from everyday_tables import TABLE_KINDS, TABLE_NOISY
from everyday_worlds import KINDS, NOISY, Names, by_heart, is_sorted, positives_only

KINDS = {**KINDS, **MORE_KINDS, **TABLE_KINDS, **ROW_KINDS, **DENIED_KINDS}
NOISY = {**NOISY, **MORE_NOISY, **TABLE_NOISY, **DENIED_NOISY}

# ---- one draw ------------------------------------------------------------------


def atom(pred, args):
    return f"{pred}({','.join(args)})"


def write_task(path, world, labels):
    """labels: (predicate, positive, negative) for each target."""
    lines = [atom(f[0], f[1:]) + "." for f in sorted(world.facts)]
    for target, positive, negative in labels:
        lines += [f"pos({atom(target, a)})." for a in positive]
        lines += [f"neg({atom(target, a)})." for a in negative]
    path.write_text("\n".join(lines) + "\n")


def some_of_all(rng, targets, n):
    return [(t, some(rng, sorted(true), n), some(rng, sorted(false), n)) for t, true, false in targets]


def some(rng, atoms, n):
    return sorted(rng.sample(atoms, n)) if len(atoms) > n else list(atoms)


def run_timed(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def size_of(text):
    """Rules and body atoms."""
    n = 0
    for rule in re.findall(r"[^.%\s](?:'[^']*'|[^.']|\.\d)*\.(?:\s|$)", text):
        body = rule.split(":-", 1)[1] if ":-" in rule else ""
        depth, atoms = 0, bool(body.strip(" ."))
        for c in body:
            depth += (c == "(") - (c == ")")
            atoms += c == "," and depth == 0
        n += 1 + atoms
    return n


def errors(pith, theory, task):
    """Labels of the task that the theory gets wrong; infinitely many: it failed."""
    done = subprocess.run([pith, "score", "--format", "json", str(theory), str(task)],
                          capture_output=True, text=True)
    for line in done.stdout.splitlines():
        event = json.loads(line)
        if event.get("event") == "score":
            return event["fp"] + event["fn"]
    return math.inf


def labels_of(kind, rng, world, per_sign, rate):
    if kind in NOISY:
        labels = [(x, True) for x in world.true] + [(x, False) for x in world.false]
        rate = NOISY[kind] or rate
        wrong = set(rng.sample(range(len(labels)), round(rate * len(labels))))
        labels = [(x, y != (i in wrong)) for i, (x, y) in enumerate(labels)]
        return [x for x, y in labels if y], [x for x, y in labels if not y]
    if kind is positives_only:
        return world.true, []
    if kind is is_sorted:  # the empty list decides
        rest = [x for x in world.true if x != ("nil",)]
        return [("nil",), *some(rng, rest, per_sign - 1)], some(rng, world.false, per_sign)
    return some(rng, world.true, per_sign), some(rng, world.false, per_sign)


def draw(kind, args, seed, folder):
    rng = random.Random(f"{kind.__name__} {seed}")
    names = Names(rng)
    names.map["target"] = names("target")
    small = kind(rng, args.size, names)
    while min(len(small.true), len(small.false)) < 3:  # there is nothing to learn from
        small = kind(rng, args.size, names)
    large = kind(rng, 2 * args.size, names)
    per_sign = round(KINDS[kind] * args.labels / 12)
    positive, negative = labels_of(kind, rng, small, per_sign, args.rate)
    target = names("target")
    task, test = folder / "task.pl", folder / "test.pl"
    write_task(task, small, [(target, positive, negative), *some_of_all(rng, small.more, per_sign)])
    write_task(test, large, some_of_all(rng, [(target, large.true, large.false), *large.more], 300))
    (folder / "truth.pl").write_text(small.truth.replace(". ", ".\n") + "\n")
    return small, target, task, test


def verdict_of(kind, args, small, theory, task, test):
    text = theory.read_text()
    rules = "\n".join(l for l in text.splitlines() if l and not l.startswith("%"))
    no_larger = size_of(rules) <= size_of(small.truth)
    if errors(args.pith, theory, test) == 0:
        return "right"
    wrong = errors(args.pith, theory, task)
    if kind not in NOISY:
        return "wrong" if wrong > 0 else "undecided" if no_larger else "fits"
    said = "the labels do not decide" in text or "no rule is worth" in text
    known = no_larger and wrong <= errors(args.pith, task.parent / "truth.pl", task)
    return "undecided" if said or known else "wrong"


def judge(kind, args, small, task, test, more):
    theory = task.parent / "theory.pl"
    theory.unlink(missing_ok=True)
    done, seconds = run_timed([args.pith, "learn", "--timeout", "600", "-o", str(theory), str(task), *more])
    text = theory.read_text() if theory.exists() else ""
    rules = "\n".join(l for l in text.splitlines() if l and not l.startswith("%"))
    if kind is by_heart:
        return ("wrong" if "% solved" in text else "right"), rules, seconds
    if done.returncode not in (0, 1) or (not rules and kind not in NOISY):
        return "wrong", rules + done.stderr[-300:], seconds
    return verdict_of(kind, args, small, theory, task, test), rules, seconds


# ---- Popper ----------------------------------------------------------------------


def has_plain_truth(world):
    """Whether the program behind the labels is made of predicates alone."""
    return world.truth != "" and not re.search(r"[<>=\\]|[(,](?:[a-z0-9]|')", world.truth)


def write_popper(folder, world, target, task):
    folder.mkdir(exist_ok=True)
    lines = task.read_text().splitlines()
    labels = [l for l in lines if l.startswith(("pos(", "neg("))]
    # Popper wants the facts of a predicate together, as Prolog does
    (folder / "bk.pl").write_text("\n".join(l for l in lines if l not in set(labels)) + "\n")
    (folder / "exs.pl").write_text("\n".join(labels) + "\n")
    rules = [r for r in re.split(r"\.(?:\s|$)", world.truth) if r.strip()]
    bodies = [re.findall(r"(\w+)\(([^)]*)\)", r) for r in rules]
    preds = {(name, args.count(",") + 1) for body in bodies for name, args in body}
    head = next(p for p in preds if p[0] == target)
    bias = [f"head_pred({target},{head[1]})."]
    bias += [f"body_pred({f[0]},{len(f) - 1})." for f in sorted({(f[0], *f[1:]) for f in world.facts},
                                                            key=lambda f: (f[0], len(f)))]
    bias += [f"max_clauses({max(2, len(rules))}).",
             f"max_body({max(2, *(len(b) - 1 for b in bodies))}).",
             f"max_vars({max(3, *(len(set(re.findall('[A-Z]', r))) for r in rules))})."]
    bias += ["enable_recursion."] if any(target in [n for n, _ in b[1:]] for b in bodies) else []
    (folder / "bias.pl").write_text("\n".join(dict.fromkeys(bias)) + "\n")


def judge_popper(kind, args, small, target, task, test):
    folder, theory = task.parent / "popper", task.parent / "popper.pl"
    write_popper(folder, small, target, task)
    command = args.popper.replace("{}", str(folder)).replace("LIMIT", str(args.limit))
    done, seconds = run_timed(["sh", "-c", command + (" --noisy" if kind in NOISY else "")])
    said = done.stdout + done.stderr
    rules = re.findall(r"^(?:[0-9.]+s )?(\w+\(.*\.)$", said.split("SOLUTION")[-1], re.MULTILINE)
    theory.write_text("\n".join(rules) + "\n")
    if not rules:
        return "wrong", said[-300:], seconds
    return verdict_of(kind, args, small, theory, task, test), "\n".join(rules), seconds


def one_draw(kind, args, seed, folder, more):
    small, target, task, test = draw(kind, args, seed, folder)
    if args.popper:
        if not has_plain_truth(small):
            return "left out", "", 0, small
        return *judge_popper(kind, args, small, target, task, test), small
    if kind is positives_only:
        hint = subprocess.run([args.pith, "learn", str(task)], capture_output=True, text=True)
        verdict, rules, seconds = judge(kind, args, small, task, test, ["--closed-world", *more])
        named = "--closed-world" in hint.stdout + hint.stderr
        return (verdict if named else "wrong"), rules, seconds, small
    return *judge(kind, args, small, task, test, more), small


def main():
    argv, more = sys.argv[1:], []
    if "--" in argv:
        argv, more = argv[:argv.index("--")], argv[argv.index("--") + 1:]
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--pith", default="build/pith")
    parser.add_argument("--kinds", default=",".join(k.__name__ for k in KINDS))
    parser.add_argument("--draws", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--labels", type=float, default=12, help="12: as many as the kind has by itself")
    parser.add_argument("--size", type=float, default=1.0)
    parser.add_argument("--rate", type=float, default=0.1)
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--write", type=pathlib.Path)
    parser.add_argument("--popper", help="another learner's command")
    parser.add_argument("--limit", type=int, default=60, help="seconds, for that one")
    args = parser.parse_args(argv)
    kinds = {k.__name__: k for k in KINDS}
    print("| kind | draws | right | undecided | fits | wrong | median s | worst s |\n"
          "|---|--:|--:|--:|--:|--:|--:|--:|")
    for name in args.kinds.split(","):
        counts, times = {}, []
        for i in range(args.draws):
            with tempfile.TemporaryDirectory() as temporary:
                folder = pathlib.Path(temporary)
                if args.write:
                    folder = args.write / f"{name}-{i}"
                    folder.mkdir(parents=True, exist_ok=True)
                verdict, rules, seconds, small = one_draw(
                    kinds[name], args, args.seed * 1000 + i, folder, more)
            if verdict == "left out":
                break
            counts[verdict] = counts.get(verdict, 0) + 1
            times.append(seconds)
            if args.verbose and verdict != "right":
                print(f"-- {name} {i}: {verdict}\n{rules}\n   behind it: {small.truth}")
        if not times:
            continue
        print(f"| {name} | {args.draws} | " + " | ".join(
            str(counts.get(v, 0)) for v in ("right", "undecided", "fits", "wrong"))
            + f" | {statistics.median(times):.2f} | {max(times):.2f} |", flush=True)


if __name__ == "__main__":
    main()
