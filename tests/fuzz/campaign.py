#!/usr/bin/env python3
"""Runs fuzz targets side by side, and counts.

    tests/fuzz/campaign.py [--folder build-fuzz]
                           [--runs N | --seconds N | --hours H]
                           [--jobs N] [--minimise] [--sum] [TARGET...]

Rounds go over all targets, a share of the time each, until the time is up.
What is new goes to FOLDER/found, inputs that crash, leak, hang or break a
promise to FOLDER/crash, and the target goes on; the corpus in the repository is
only read. Executions add up in FOLDER/executions.json from run to run. --runs counts executions
instead of seconds, N of each target and fewer of those that learn something,
always from the same seed and the corpus alone. --minimise reduces what was
found to what covers something new, and puts that into the corpus. --sum prints
a table of the executions of all runs so far, with sanitizers (build-fuzz) and
without (build-fuzz-fast), by target.
"""
import argparse
import collections
import concurrent.futures
import itertools
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
# Faults need few bytes, and short inputs run sooner: of every two rounds one
# is of short ones. A grammar reads no more bytes than it says here, and a
# database has two pages at least.
SHORT, LONG = 128, 1024
LONGEST = {"fuzz_database": 2048, "fuzz_program": 100, "fuzz_compress": 64,
           "fuzz_worlds": 101, "fuzz_model": 256}
# Without sanitizers half of the time would go into weighing the corpus, and
# some into giving memory back that the next input takes again.
FAST = ["-entropic=0"]
KEEP_MEMORY = {"MALLOC_TRIM_THRESHOLD_": "1000000000",
               "MALLOC_MMAP_THRESHOLD_": "1000000000",
               "MALLOC_TOP_PAD_": "16777216"}
# These do much for an input: they get so many times the time of the others.
SHARE = {"fuzz_compress": 3, "fuzz_model": 3, "fuzz_worlds": 3}
MOST_FINDINGS = 30  # of a target in a round; the same fault comes again
# An execution of these takes as long as so many of the others.
SLOW = {"fuzz_program": 20, "fuzz_compress": 40, "fuzz_worlds": 200,
        "fuzz_model": 200, "fuzz_learn": 5, "fuzz_checkpoint": 5}


def run_once(target, folder, limits, found):
    """Executions, edges covered, and the log if something was found."""
    name = target.name
    found, crash = found / name, folder / "crash"
    found.mkdir(parents=True, exist_ok=True)
    crash.mkdir(exist_ok=True)
    corpus = HERE / "corpus" / name.removeprefix("fuzz_")
    fast = folder.name.endswith("fast")
    done = subprocess.run(
        [target, *limits, *LIMITS, *(FAST if fast else []),
         "-print_final_stats=1", f"-artifact_prefix={crash}/{name}-", found,
         *([corpus] if corpus.exists() else [])],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        errors="replace", env={**os.environ, **(KEEP_MEMORY if fast else {})})
    units = re.search(r"number_of_executed_units: (\d+)", done.stdout)
    covered = re.findall(r" cov: (\d+)", done.stdout)
    return (int(units[1]) if units else 0, int(covered[-1]) if covered else 0,
            done.stdout if done.returncode != 0 else None)


def run_target(target, folder, limits, found, seconds=None):
    """The same, again and again until the time is up; all logs."""
    end = time.monotonic() + (seconds or 0)
    executions, edges, logs = 0, 0, []
    while len(logs) < MOST_FINDINGS:
        left = [f"-max_total_time={max(1, round(end - time.monotonic()))}"]
        count, covered, log = run_once(
            target, folder, limits + (left if seconds else []), found)
        executions, edges = executions + count, max(edges, covered)
        if log:
            logs.append(log)
        if not log or not seconds or time.monotonic() > end - 1:
            break
    (folder / f"{target.name}.log").write_text("\n".join(logs))
    return executions, edges, logs


def minimise(target, folder):
    corpus = HERE / "corpus" / target.name.removeprefix("fuzz_")
    corpus.mkdir(exist_ok=True)
    subprocess.run([target, "-merge=1", *LIMITS, corpus,
                    folder / "found" / target.name], check=True,
                   stderr=subprocess.DEVNULL)


def add_up(folder, name, executions, covered, findings):
    path = folder / "executions.json"
    sums = json.loads(path.read_text()) if path.exists() else {}
    entry = sums.setdefault(name, {"executions": 0, "edges": 0})
    entry["executions"] += executions
    entry["edges"] = max(entry["edges"], covered)
    entry["findings"] = entry.get("findings", 0) + findings
    path.write_text(json.dumps(sums, indent=1, sort_keys=True))
    return entry


def print_sum(folders):
    """By target, what the runs in each folder add up to."""
    tables = [json.loads(path.read_text()) if path.exists() else {}
              for path in (f / "executions.json" for f in folders)]
    total = [0] * len(tables)
    print("| target | with sanitizers | without | edges | findings |\n"
          "|---|---:|---:|---:|---:|")
    for name in sorted(set().union(*tables)):
        entries = [t.get(name, {}) for t in tables]
        counts = [e.get("executions", 0) for e in entries]
        total = [a + b for a, b in zip(total, counts)]
        print(f"| {name.removeprefix('fuzz_')} | "
              + " | ".join(f"{n:,}" for n in counts)
              + f" | {max(e.get('edges', 0) for e in entries):,}"
              + f" | {sum(e.get('findings', 0) for e in entries)} |")
    print("| all | " + " | ".join(f"{n:,}" for n in total) + " | | |")
    print(f"\n{sum(total):,} executions in all")


def fuzz_round(pool, targets, folder, found, bad, limits_of, each=None):
    results = pool.map(
        lambda t: run_target(t, folder, limits_of(t.name), found,
                             each and each * SHARE.get(t.name, 1)), targets)
    for target, (executions, covered, logs) in zip(targets, results):
        entry = add_up(folder, target.name, executions, covered, len(logs))
        print(f"{target.name:18} {executions:10} executions, "
              f"{entry['executions']:11} in all, {covered:6} edges"
              f"{f'  FAILED {len(logs)} times' if logs else ''}", flush=True)
        if logs:
            bad.setdefault(target.name, []).extend(logs)


def fuzz_for(pool, targets, folder, bad, args):
    wanted = args.hours * 3600 if args.hours is not None else args.seconds
    shares = sum(SHARE.get(t.name, 1) for t in targets)
    targets = sorted(targets, key=lambda t: -SHARE.get(t.name, 1))
    end = time.monotonic() + wanted
    for longest in itertools.cycle([LONG, SHORT]):
        left = end - time.monotonic()
        each = max(1, int(min(left, 1200) * args.jobs / shares))
        fuzz_round(pool, targets, folder, folder / "found", bad,
                   lambda name: [f"-max_len={LONGEST.get(name, longest)}"],
                   each)
        if args.hours is None or end - time.monotonic() < shares / args.jobs:
            break


def what_failed(log):
    """The line that says what is wrong, above the stack."""
    said = re.search(r"Assertion .*|runtime error: .*|"
                     r"ERROR: (?:AddressSanitizer|LeakSanitizer): .*", log)
    lines = log.split("\n")
    at = [i for i, line in enumerate(lines) if "ERROR: libFuzzer" in line]
    return said[0] if said else lines[at[-1]] if at else lines[-1]


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
    for name, logs in bad.items():
        print(f"---- {name}", *logs[-1].split("\n")[-25:], sep="\n")
        for what, times in collections.Counter(map(what_failed, logs)).items():
            print(f"{times:4} times: {what}")
    print(f"{len(targets) - len(bad)} passed, {len(bad)} failed")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
