#!/usr/bin/env python3
"""Runs `pith learn --noise on`, without templates, on examples some of which are
wrong.

    bench/noise.py [--draws 20] [--tasks a,b] [--rates 5,10,20] [--pith build/pith]

For each task, rate and draw: a random background that gives at least a hundred
examples, under random names; the labels of the given share of them, drawn at
random, are flipped. What is learned is scored on a second, clean instance. A
draw is right when every example there fits. A background on which even the
clean labels do not lead to the right program (every uncle may happen to be a
father's brother) is drawn again; how often is printed at the end. Printed:
the mean number of labels and of those that are truly positive, right draws of
all, for each rate, and the median seconds of processor time.

At 20 % an example speaks with 2 bits for or against a program. A relation that
few pairs are in, among many, has little to say with: sizes give some tens of
true positives to each task.

With --chance the labels have nothing behind them: of each task the given
percentages of labels are positive, drawn at random, and what is counted is the
draws in which a rule is found all the same.
"""
import argparse
import pathlib
import random
import re
import resource
import statistics
import subprocess
import sys
import tempfile

import unseen

SIZES = {
    "predecessor": 20, "even-odd": 120, "even-succ2": 120, "less-than": 12, "fizz": 120,
    "buzz": 160, "member": 8, "length": 14, "son": 90, "grandparent": 45, "relatedness": 16,
    "father": 60, "undirected-edge": 30, "adjacent-to-red": 120, "two-children": 180,
    "graph-colouring": 120, "connectedness": 14, "cyclic": 150, "husband": 90, "uncle": 80,
}
LEAST = 100  # labels


def flip(path, rng, rate):
    """Exactly the share, so that draws differ in which and not in how many."""
    lines = path.read_text().splitlines()
    for i in rng.sample(range(len(lines)), round(rate * len(lines))):
        lines[i] = ("neg" if lines[i].startswith("pos") else "pos") + lines[i][3:]
    path.write_text("\n".join(lines) + "\n")
    return len(lines)


def fits(pith, rules, folder):
    return rules.exists() and subprocess.run(
        [pith, "score", "-q", rules, folder], capture_output=True).returncode == 0


def learn(pith, folder, rules, *options):
    subprocess.run([pith, "learn", "-q", "--jobs", "1", *options, folder, "-o", rules],
                   capture_output=True)


def draw(task, rng, folder, pith):
    """A clean instance in folder/train, another in folder/test."""
    size = SIZES[task]
    train = unseen.background(task, rng, size)
    test = unseen.background(task, rng, size + size // 2)
    names = unseen.rename(rng, train, test)
    head = re.search(r"head_pred\((\w+)", (unseen.DATA / task / "bias.pl").read_text())[1]
    names[head] = "target"
    unseen.write(folder / "train", task, train, names, pith)
    unseen.write(folder / "test", task, test, names, pith)
    labels = (folder / "train" / "exs.pl").read_text()
    if labels.count("\n") < LEAST:
        return None
    learn(pith, folder / "train", folder / "clean.pl")
    if not fits(pith, folder / "clean.pl", folder / "test"):
        return None
    return labels.count("\n"), labels.count("pos(")


def run(task, rate, number, pith, verbose):
    rng = random.Random(f"{task}:{rate}:{number}")
    with tempfile.TemporaryDirectory() as name:
        counts, tries = None, 0
        while counts is None:
            tries += 1
            folder = pathlib.Path(name) / str(tries)
            counts = draw(task, rng, folder, pith)
        flip(folder / "train" / "exs.pl", rng, rate / 100)
        rules = folder / "learned.pl"
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        learn(pith, folder / "train", rules, "--noise", "on")
        seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        right = fits(pith, rules, folder / "test")
        if verbose and not right:
            print(task, rate, number, rules.read_text(), file=sys.stderr)
        return right, seconds, counts, tries - 1


def chance(task, share, number, pith):
    rng = random.Random(f"{task}:{share}:{number}:chance")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        draw(task, rng, folder, pith)
        examples = folder / "train" / "exs.pl"
        examples.write_text("".join(
            ("pos" if 100 * rng.random() < share else "neg") + line[3:] + "\n"
            for line in examples.read_text().splitlines()))
        rules = folder / "learned.pl"
        learn(pith, folder / "train", rules, "--noise", "on")
        return ":-" in re.sub("%.*", "", rules.read_text())


def main_chance(options):
    shares = [int(s) for s in options.chance.split(",")]
    print("task            " + "".join(f" {s:>5} %" for s in shares))
    for task in options.tasks.split(","):
        print(f"{task:<16}" + "".join(
            f" {sum(chance(task, s, i, options.pith) for i in range(options.draws)):>4}/{options.draws}"
            for s in shares), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--draws", type=int, default=20)
    parser.add_argument("--tasks", default=",".join(SIZES))
    parser.add_argument("--rates", default="5,10,20")
    parser.add_argument("--pith", default=unseen.ROOT / "build" / "pith")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--chance", metavar="5,20,50")
    options = parser.parse_args()
    if options.chance:
        return main_chance(options)
    rates = [int(r) for r in options.rates.split(",")]
    print("task             labels  true" + "".join(f" {r:>5} %" for r in rates) + "  seconds")
    again = 0
    for task in options.tasks.split(","):
        line, runs = "", []
        for rate in rates:
            got = [run(task, rate, i, options.pith, options.verbose)
                   for i in range(1, options.draws + 1)]
            line += f" {sum(g[0] for g in got):>4}/{len(got)}"
            runs += got
        labels, true = (statistics.mean(g[2][k] for g in runs) for k in (0, 1))
        again += sum(g[3] for g in runs)
        print(f"{task:<16} {labels:>6.0f} {true:>5.0f}{line}  {statistics.median(g[1] for g in runs):7.2f}",
              flush=True)
    print(f"drawn again: {again}")


if __name__ == "__main__":
    main()
