#!/usr/bin/env python3
"""What --memory says is what the process takes, within a tenth or 4 MB.

    tests/check_memory.py [--pith FILE]

The system says how much memory each command held at most. Learning from a
graph that needs more keeps what it found before.
"""
import argparse
import os
import pathlib
import random
import subprocess
import sys
import tempfile

MEGA = 1 << 20

RULES = """r(X,Z) :- e(X,Y), r(Y,Z).
r(X,Y) :- e(X,Y).
w(X,Y,Z) :- r(X,Y), r(Y,Z).
"""


def write_files(folder):
    """Line by line: what we hold ourselves counts as the child's at first."""
    with open(os.path.join(folder, "facts.pl"), "w", encoding="utf-8") as f:
        for i in range(300000):
            f.write(f"e(n{i % 1000},n{i}).\n")
    with open(os.path.join(folder, "cube.pl"), "w", encoding="utf-8") as f:
        f.write(RULES)
        for i in range(75):
            f.write(f"e(n{i},n{(i + 1) % 75}).\n")
        for i in range(0, 75, 2):
            f.write(f"pos(w(n{i},n{i},n{i})).\nneg(w(n{i},n{i},none)).\n")
    draw = random.Random(5)
    with open(os.path.join(folder, "labels.pl"), "w", encoding="utf-8") as f:
        for i in range(60000):
            f.write(f"e(n{draw.randrange(3000)},n{draw.randrange(3000)}).\n")
        for i in range(3000):
            f.write(f"{'pos' if i % 3 else 'neg'}(t(n{i})).\n")
    with open(os.path.join(folder, "dense.tsv"), "w", encoding="utf-8") as f:
        for i in range(6000):
            f.write(f"e{draw.randrange(100)}\tr{draw.randrange(30)}"
                    f"\te{draw.randrange(100)}\n")


# Limits in megabytes, above what the process that starts the command takes.
CASES = [
    (28, ["infer", "--all", "--sort", "cube.pl"]),
    (36, ["infer", "--all", "--sort", "facts.pl"]),
    (64, ["infer", "--all", "--sort", "facts.pl"]),
    (48, ["infer", "--all", "facts.pl"]),
    (36, ["check", "facts.pl"]),
    (40, ["convert", "facts.pl"]),
    (18, ["score", "cube.pl"]),
    (16, ["explain", "w(n0,n1,n2)", "cube.pl"]),
    (20, ["learn", "-j", "1", "-t", "3", "labels.pl"]),
    (20, ["learn", "-j", "3", "-t", "3", "labels.pl"]),
    (40, ["compress", "-t", "3", "facts.pl"]),
    (20, ["learn", "-j", "2", "--max-body", "2", "dense.tsv"]),
]
SOME = (8, ["learn", "-j", "1", "--max-body", "2", "dense.tsv"])


def peak_of(pith, limit, command, folder):
    done = subprocess.Popen([pith, *command, "--memory", f"{limit}M"],
                            cwd=folder, stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(done.pid, 0)
    done.returncode = os.waitstatus_to_exitcode(status)
    return done.returncode, used.ru_maxrss * 1024


def keeps_some(pith, folder):
    """Rules that were found before memory ran out are written."""
    limit, command = SOME
    done = subprocess.run([pith, *command, "--memory", f"{limit}M"],
                          cwd=folder, capture_output=True, text=True)
    if done.returncode == 1 and "memory ran out" in done.stdout \
            and done.stdout.count("::") > 10:
        return 0
    print(f"{' '.join(command)} --memory {limit}M: exit code {done.returncode}, "
          f"{done.stdout.count('::')} rules; {done.stderr}")
    return 1


def is_sanitized(pith):
    with open(pith, "rb") as f:
        before = b""
        while part := f.read(1 << 16):
            if b"__asan_init" in before + part:
                return True
            before = part[-16:]
    return False


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pith", default="build/pith")
    pith = str(pathlib.Path(parser.parse_args().pith).resolve())
    if is_sanitized(pith):
        print("a sanitizer takes memory of its own: 0 cases")
        return 0
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        write_files(folder)
        for limit, command in CASES:
            code, peak = peak_of(pith, limit, command, folder)
            most = limit * MEGA + max(limit * MEGA // 10, 4 * MEGA)
            if code not in (0, 1, 4) or peak > most:
                failed += 1
                print(f"{' '.join(command)} --memory {limit}M: exit code {code}, "
                      f"{peak / MEGA:.1f} MB")
        failed += keeps_some(pith, folder)
    print(f"{len(CASES) + 1 - failed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
