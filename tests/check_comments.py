#!/usr/bin/env python3
"""Whether comments of several lines are whole: clang-format breaks a long line
of one, and what it begins the next line with is not what we write.

In a comment that continues with `**`, every line does, in the column of its
opening; other comments are continued by text alone.
"""
import pathlib
import re
import sys

COMMENT = re.compile(r"^([ \t]*)/\*.*?\*/", re.S | re.M)


def broken_lines(text):
    """Numbers of lines that continue a comment in another way than its first."""
    for found in COMMENT.finditer(text):
        lines = found.group().split("\n")
        if len(lines) < 2:
            continue
        first = text.count("\n", 0, found.start()) + 1
        begin = found.group(1) + "**"
        starred = lines[1].startswith(begin)
        for i, line in enumerate(lines[1:], 1):
            rest = line[len(begin):]
            good = (line == found.group(1) + "*/" or
                    line.startswith(begin) and rest[:1] in ("", " ", "/")
                    if starred else not line.lstrip().startswith("*"))
            if not good:
                yield first + i


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    files = [p for folder in ("include", "src", "app", "tests", "examples",
                                "bench", "python/binding", "web/wasm")
             for p in sorted((root / folder).rglob("*.[ch]"))]
    wrong = 0
    for path in files:
        for number in broken_lines(path.read_text()):
            print(f"{path.relative_to(root)}:{number}: the comment is broken here; "
                  "expected ** below its opening")
            wrong += 1
    print(f"{len(files)} passed, {wrong} failed")
    return 1 if wrong or not files else 0


if __name__ == "__main__":
    sys.exit(main())
