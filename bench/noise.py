#!/usr/bin/env python3
"""Runs `pith learn --noisy`, without templates, on examples some of which are
wrong.

    bench/noise.py [--draws 20] [--tasks a,b] [--rates 5,10,20] [--pith build/pith]

For each task, rate and draw: a random background that gives at least a hundred
examples, under random names; the labels of the given share of them, drawn at
random, are flipped. What is learned is scored on a second, clean instance. A
draw is right when every example there fits. Printed: right draws of all, for
each rate, and the median seconds of processor time.
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

# Sizes that give a hundred labels and more.
SIZES = {
    "predecessor": 24, "even-odd": 120, "even-succ2": 120, "less-than": 12, "fizz": 120,
    "buzz": 120, "member": 8, "length": 12, "son": 50, "grandparent": 40, "relatedness": 14,
    "father": 30, "undirected-edge": 16, "adjacent-to-red": 120, "two-children": 110,
    "graph-colouring": 120, "connectedness": 14, "cyclic": 110, "husband": 60, "uncle": 60,
}


def flip(path, rng, rate):
    """Exactly the share, so that draws differ in which and not in how many."""
    lines = path.read_text().splitlines()
    for i in rng.sample(range(len(lines)), round(rate * len(lines))):
        lines[i] = ("neg" if lines[i].startswith("pos") else "pos") + lines[i][3:]
    path.write_text("\n".join(lines) + "\n")
    return len(lines)


def run(task, rate, number, pith, verbose):
    rng = random.Random(f"{task}:{rate}:{number}")
    size = SIZES[task]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        train = unseen.background(task, rng, size)
        test = unseen.background(task, rng, size + size // 2)
        names = unseen.rename(rng, train, test)
        head = re.search(r"head_pred\((\w+)", (unseen.DATA / task / "bias.pl").read_text())[1]
        names[head] = "target"
        unseen.write(folder / "train", task, train, names, pith)
        unseen.write(folder / "test", task, test, names, pith)
        flip(folder / "train" / "exs.pl", rng, rate / 100)
        rules = folder / "learned.pl"
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        subprocess.run([pith, "learn", "-q", "--noisy", "--jobs", "1", folder / "train", "-o", rules])
        seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
        right = rules.exists() and subprocess.run(
            [pith, "score", "-q", rules, folder / "test"], capture_output=True).returncode == 0
        if verbose and not right and rules.exists():
            print(task, rate, number, rules.read_text(), file=sys.stderr)
        return right, seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--draws", type=int, default=20)
    parser.add_argument("--tasks", default=",".join(SIZES))
    parser.add_argument("--rates", default="5,10,20")
    parser.add_argument("--pith", default=unseen.ROOT / "build" / "pith")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    rates = [int(r) for r in options.rates.split(",")]
    print("task            " + "".join(f" {r:>5} %" for r in rates) + "  seconds")
    for task in options.tasks.split(","):
        line, times = "", []
        for rate in rates:
            got = [run(task, rate, i, options.pith, options.verbose) for i in range(1, options.draws + 1)]
            line += f" {sum(g[0] for g in got):>4}/{len(got)}"
            times += [g[1] for g in got]
        print(f"{task:<16}{line}  {statistics.median(times):7.2f}", flush=True)


if __name__ == "__main__":
    main()
