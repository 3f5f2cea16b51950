#!/usr/bin/env python3
"""What the Python package adds to the command's own time; both in one run.

    bench/python.py [--pith build/pith] [--rows 10000000] [--runs 200]

Processor time where that is told, so that other work on the machine matters less.
"""
import argparse
import pathlib
import random
import re
import resource
import statistics
import subprocess
import time

import pith

ROOT = pathlib.Path(__file__).resolve().parent.parent


def row(what, text):
    print(f"| {what} | {text} |", flush=True)


def best(times, work):
    """The least processor time of some runs, in seconds."""
    found = []
    for _ in range(times):
        began = time.process_time()
        work()
        found.append(time.process_time() - began)
    return min(found)


def calls():
    lib, handle = pith._c.lib, pith._c.Handle()
    count = 100_000

    def nothing():
        for _ in range(count):
            lib.pith_version()

    def locked():
        for _ in range(count):
            with handle:
                pass

    row("a C call that does nothing", f"{1e6 * best(5, nothing) / count:.2f} us")
    row("taking and giving back a handle", f"{1e6 * best(5, locked) / count:.2f} us")


def learning(command, runs):
    task = ROOT / "data" / "ilp" / "even-odd"
    for name, options, more in (
        ("with templates", [], {}),
        ("without", ["--templates", "none"], {"templates": "none"}),
    ):
        own, ours = [], []
        for _ in range(runs):
            done = subprocess.run([command, "learn", "--format", "json", *options, task],
                                  stdout=subprocess.PIPE, text=True, check=True)
            own.append(float(re.search(r'"seconds":([0-9.e-]+)', done.stdout).group(1)))
            learned = pith.learn(task, progress=False, **more)
            ours.append(learned.seconds)
        low = min(own), min(ours)
        middle = statistics.median(own), statistics.median(ours)
        row(f"learn even-odd {name}", f"{1e3 * low[1]:.2f} ms, the command "
            f"{1e3 * low[0]:.2f} ms (medians {1e3 * middle[1]:.2f} and "
            f"{1e3 * middle[0]:.2f}, {100 * (middle[1] / middle[0] - 1):+.0f} %)")


def all_frames(rows):
    """Frames of two columns, by name; each is made when it is asked for."""
    import numpy
    import pandas
    import polars

    draw = numpy.random.default_rng(1)
    words = numpy.array([f"node{i}" for i in range(100_000)])
    codes = {c: draw.integers(0, len(words), rows) for c in "ab"}
    yield "a pandas frame of integers", lambda: pandas.DataFrame(
        {c: draw.integers(0, 1_000_000, rows) for c in "ab"})
    yield "a pandas frame of categories", lambda: pandas.DataFrame(
        {c: pandas.Categorical.from_codes(codes[c], words) for c in "ab"})
    for dtype in ("str", object):
        series = pandas.Series(list(map(str, words)), dtype=dtype)
        yield f"a pandas frame of strings ({series.dtype!r})", lambda s=series: (
            pandas.DataFrame({c: s.take(codes[c]).reset_index(drop=True) for c in "ab"}))
    yield "a polars frame of strings", lambda: polars.DataFrame(
        {c: polars.Series(words)[codes[c]] for c in "ab"})


def frames(rows):
    for name, make in all_frames(rows):
        frame = make()
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        began, wall = time.process_time(), time.perf_counter()
        facts = pith.Facts({"edge": frame})
        seconds, wall = time.process_time() - began, time.perf_counter() - wall
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        row(f"{facts.count} facts from {name}",
            f"{seconds:.2f} s of processor, {wall:.2f} s in all, {grown // 1024} MiB more")
        del facts, frame


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pith", default=ROOT / "build" / "pith")
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--rows", type=int, default=10_000_000)
    args = parser.parse_args()
    print("| what | figure |\n|---|---|")
    calls()
    learning(args.pith, args.runs)
    frames(args.rows)


if __name__ == "__main__":
    main()
