#!/usr/bin/env python3
"""A full disk: the command fails with exit code 4, says so, and leaves the old
file as it was, with nothing beside it.

    tests/check_disk.py [--pith FILE]

The disk is a tmpfs of 64 KB in a mount namespace of our own, so no rights are
needed; where the kernel does not allow that, there is only /dev/full.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
NODES = 200  # their 19900 pairs need some 300 KB as text

INSIDE = """
mount -t tmpfs -o size=64k none "$1" || exit 77
cd "$1" || exit 77
echo old > result.pl
"$2" infer --output result.pl "$3"
echo "code $?"
echo "files" *
cat result.pl
"""


def write_program(path):
    with open(path, "w") as file:
        for i in range(NODES - 1):
            file.write(f"edge(node_{i},node_{i + 1}).\n")
        file.write("reach(X,Y) :- edge(X,Y).\n"
                   "reach(X,Y) :- edge(X,Z), reach(Z,Y).\n")


def full_tmpfs(pith, program, folder):
    """The transcript on a full disk, or None where there cannot be one."""
    try:
        done = subprocess.run(
            ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c",
             INSIDE, "sh", folder, pith, program],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    except FileNotFoundError:
        return None
    return done.stdout if "code" in done.stdout else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pith", default=ROOT / "build" / "pith")
    pith = str(pathlib.Path(parser.parse_args().pith).resolve())
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "program.pl")
        disk = os.path.join(folder, "disk")
        os.mkdir(disk)
        write_program(program)
        got = full_tmpfs(pith, program, disk)
        if got is not None:
            expected = ["code 4", "files result.pl", "old"]
            good = (got.splitlines()[-3:] == expected and
                    "No space left" in got)
            passed, failed = passed + good, failed + (not good)
            if not good:
                print(f"FAIL a full disk:\n{got}")
        with open("/dev/full", "w") as full:
            done = subprocess.run([pith, "infer", program], stdout=full,
                                  stderr=subprocess.PIPE, text=True)
        good = done.returncode == 4 and "No space left" in done.stderr
        passed, failed = passed + good, failed + (not good)
        if not good:
            print(f"FAIL /dev/full: {done.returncode} {done.stderr}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
