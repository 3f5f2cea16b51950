#!/usr/bin/env python3
"""Runs fuzz targets side by side, and counts.

    tests/fuzz/campaign.py [--folder build-fuzz]
                           [--runs N | --seconds N | --hours H]
                           [--jobs N] [--minimise] [--sum] [TARGET...]

Rounds go over all targets, a share of the time each, until the time is up.
What is new goes to FOLDER/found, inputs that crash, leak, hang or break a
promise to FOLDER/crash; the corpus in the repository is only read. Executions
add up in FOLDER/executions.json from run to run. --runs counts executions
instead of seconds, N of each target and fewer of those that learn something,
always from the same seed and the corpus alone. --minimise reduces what was
found to what covers something new, and puts that into the corpus. --sum prints
the executions of all runs so far, with sanitizers (build-fuzz) and without
(build-fuzz-fast), by target.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
# libFuzzer counts wall time: wide, so that a loaded machine is no finding.
LIMITS = ["-timeout=300", "-rss_limit_mb=2048"]
# Faults need few bytes, and short inputs run sooner.
SHORT = ["-max_len=1024"]
# An execution of these takes as long as so many of the others.
SLOW = {"fuzz_program": 20, "fuzz_compress": 40, "fuzz_worlds": 200,
        "fuzz_model": 200, "fuzz_learn": 5, "fuzz_checkpoint": 5}


def run_target(target, folder, limits, found):
    """Executions, edges covered, and the log if something was found."""
    name = target.name
    found, crash = found / name, folder / "crash"
    found.mkdir(parents=True, exist_ok=True)
    crash.mkdir(exist_ok=True)
    corpus = HERE / "corpus" / name.removeprefix("fuzz_")
    done = subprocess.run(
        [target, *limits, *LIMITS, "-print_final_stats=1",
         f"-artifact_prefix={crash}/{name}-", found,
         *([corpus] if corpus.exists() else [])],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        errors="replace")
    (folder / f"{name}.log").write_text(done.stdout)
    units = re.search(r"number_of_executed_units: (\d+)", done.stdout)
    covered = re.findall(r" cov: (\d+)", done.stdout)
    return (int(units[1]) if units else 0, int(covered[-1]) if covered else 0,
            done.stdout if done.returncode != 0 else None)


def minimise(target, folder):
    corpus = HERE / "corpus" / target.name.removeprefix("fuzz_")
    corpus.mkdir(exist_ok=True)
    subprocess.run([target, "-merge=1", *LIMITS, corpus,
                    folder / "found" / target.name], check=True,
                   stderr=subprocess.DEVNULL)


def add_up(folder, name, executions, covered):
    path = folder / "executions.json"
    sums = json.loads(path.read_text()) if path.exists() else {}
    entry = sums.setdefault(name, {"executions": 0, "edges": 0})
    entry["executions"] += executions
    entry["edges"] = max(entry["edges"], covered)
    path.write_text(json.dumps(sums, indent=1, sort_keys=True))
    return entry


def print_sum(folders):
    """By target, what the runs in each folder add up to."""
    tables = [json.loads(path.read_text()) if path.exists() else {}
              for path in (f / "executions.json" for f in folders)]
    total = [0] * len(tables)
    print("target " + " ".join(f"{f.name:>18}" for f in folders))
    for name in sorted(set().union(*tables)):
        counts = [t.get(name, {}).get("executions", 0) for t in tables]
        total = [a + b for a, b in zip(total, counts)]
        print(f"{name.removeprefix('fuzz_'):12}"
              + " ".join(f"{n:18,}" for n in counts))
    print(f"{'all':12}" + " ".join(f"{n:18,}" for n in total)
          + f"{sum(total):18,}")


def fuzz_round(pool, targets, folder, found, bad, limits_of):
    results = pool.map(
        lambda t: run_target(t, folder, limits_of(t.name), found), targets)
    for target, (executions, covered, log) in zip(targets, results):
        entry = add_up(folder, target.name, executions, covered)
        print(f"{target.name:18} {executions:10} executions, "
              f"{entry['executions']:11} in all, {covered:6} edges"
              f"{'  FAILED' if log else ''}", flush=True)
        if log:
            bad[target.name] = log


def fuzz_for(pool, targets, folder, bad, args):
    wanted = args.hours * 3600 if args.hours is not None else args.seconds
    each = max(1, int(min(wanted, 1200) * args.jobs / len(targets)))
    end = time.monotonic() + wanted
    while True:
        todo = [t for t in targets if t.name not in bad]
        fuzz_round(pool, todo, folder, folder / "found", bad,
                   lambda name: [f"-max_total_time={each}", *SHORT])
        if args.hours is None or time.monotonic() >= end or not todo:
            break


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", type=pathlib.Path, default="build-fuzz")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--hours", type=float)
    parser.add_argument("--runs", type=int)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--minimise", action="store_true")
    parser.add_argument("--sum", action="store_true")
    parser.add_argument("targets", nargs="*")
    args = parser.parse_args()
    folder = args.folder.resolve()
    if args.sum:
        root = HERE.parent.parent
        print_sum([root / "build-fuzz", root / "build-fuzz-fast"])
        return 0
    targets = sorted(p for p in (folder / "tests" / "fuzz").glob("fuzz_*")
                     if p.is_file() and os.access(p, os.X_OK)
                     and (not args.targets or p.name in args.targets))
    if not targets:
        sys.exit("no fuzz targets were built")
    if args.minimise:
        for target in targets:
            minimise(target, folder)
        return 0
    bad = {}
    with tempfile.TemporaryDirectory() as fresh, \
            concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        if args.runs is not None:
            fuzz_round(pool, targets, folder, pathlib.Path(fresh), bad,
                       lambda name: [
                           f"-runs={max(1, args.runs // SLOW.get(name, 1))}",
                           "-seed=1"])
        else:
            fuzz_for(pool, targets, folder, bad, args)
    for name, log in bad.items():
        print(f"---- {name}", *log.split("\n")[-25:], sep="\n")
    print(f"{len(targets) - len(bad)} passed, {len(bad)} failed")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
