#!/usr/bin/env python3
"""Which headers of src/ the unit tests reach by their own functions.

A header counts as reached when some tests/*.[ch] names a function that it
declares. Every folder must have a header that is reached; with --list the
headers that are not are printed.
"""
import pathlib
import re
import sys

DECLARED = re.compile(r"\b(pith_i_\w+)\)?\(")


def plain(text):
    return re.sub(r"/\*.*?\*/", "", text, flags=re.S)


def headers(root):
    """(header, the functions that it declares), where there are any."""
    for path in sorted((root / "src").rglob("*.h")):
        names = set(DECLARED.findall(plain(path.read_text())))
        if names:
            yield path.relative_to(root / "src"), names


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    tests = "\n".join(p.read_text() for p in (root / "tests").glob("*.[ch]"))
    words = set(re.findall(r"\w+", plain(tests)))
    reached, missed = [], []
    for header, names in headers(root):
        (reached if names & words else missed).append(header)
    lost = {h.parent for h in missed} - {h.parent for h in reached}
    if "--list" in sys.argv:
        for header in missed:
            print(header)
    for folder in sorted(lost):
        print(f"src/{folder}: no unit test calls a function of its headers")
    print(f"{len(reached)} of {len(reached) + len(missed)} headers are reached")
    print(f"{len(reached)} passed, {len(lost)} failed")
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
