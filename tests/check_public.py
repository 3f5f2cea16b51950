#!/usr/bin/env python3
"""Every public function is tried where all of them should be.

    tests/check_public.py [--pith FILE]

A function that the headers declare must be named in tests/everything.h, which
runs in threads (test_threads.c) and with memory that runs out
(test_alloc_all.c), and in tests/test_checks.c, with wrong arguments or in the
list of those that have none to check.
"""
import argparse
import re
import sys

from check_abi import ROOT, declarations


def words(name):
    text = (ROOT / "tests" / name).read_text(encoding="utf-8")
    return set(re.findall(r"\bpith_\w+", re.sub(r"/\*.*?\*/", "", text, flags=re.S)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pith")
    parser.parse_args()
    functions = [name for name, _ in declarations("EXPERIMENTAL")]
    used = words("everything.h") | words("test_threads.c")
    checked = words("test_checks.c")
    wrong = [f"{name} is not in tests/everything.h"
             for name in functions if name not in used]
    wrong += [f"{name} is not in tests/test_checks.c"
              for name in functions if name not in checked]
    for line in wrong:
        print("FAIL", line)
    print(f"{2 * len(functions) - len(wrong)} passed, {len(wrong)} failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
