#!/usr/bin/env python3
"""Figures of the source tree: lines by folder, functions, files, names.

    bench/house.py [TREE]

Counts what docs/results.md has under "One house"; TREE is another checkout to
compare with. Functions are counted with universal-ctags.
"""
import collections
import pathlib
import re
import subprocess
import sys

FOLDERS = {
    "base, term, fact, logic, score": ["src/base", "src/term", "src/fact",
                                       "src/logic", "src/score"],
    "text": ["src/text"],
    "net": ["src/net"],
    "task, train": ["src/task", "src/train"],
    "learn, before also induce": ["src/learn", "src/induce"],
    "compress": ["src/compress"],
    "graph, before rank": ["src/graph", "src/rank"],
    "api, before src/*.c": ["src/api"],
    "app": ["app"],
    "tests": ["tests"],
}


def sources(folder, endings=(".c", ".h")):
    return sorted(p for p in folder.rglob("*") if p.suffix in endings)


def line_count(path):
    return path.read_bytes().count(b"\n")


def share(sorted_numbers, part):
    return sorted_numbers[min(len(sorted_numbers) - 1,
                              int(part * len(sorted_numbers)))]


def functions(root):
    """(name, lines) of every function in src and app."""
    done = subprocess.run(
        ["ctags", "-R", "--languages=C", "--kinds-C=f", "--fields=+ne",
         "-f", "-", "src", "app"], cwd=root, capture_output=True, text=True,
        check=True)
    found = []
    for line in done.stdout.splitlines():
        name = line.split("\t")[0]
        begin = re.search(r"\bline:(\d+)", line)
        end = re.search(r"\bend:(\d+)", line)
        if begin and end and not name.startswith("!"):
            found.append((name, int(end.group(1)) - int(begin.group(1)) + 1))
    return found


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else
                        pathlib.Path(__file__).resolve().parent.parent)
    for title, folders in FOLDERS.items():
        files = [f for d in folders if (root / d).is_dir()
                 for f in sources(root / d)]
        if "src/api" in folders:
            files += [f for f in (root / "src").glob("*.[ch]")]
        print(f"{title}: {sum(map(line_count, files))} lines")
    for header in sorted((root / "include").glob("*.h")):
        print(f"{header.name}: {line_count(header)} lines")
    every = functions(root)
    lines = sorted(n for _, n in every)
    print(f"functions: {len(every)}; lines: median {share(lines, 0.5)}, "
          f"p90 {share(lines, 0.9)}, p99 {share(lines, 0.99)}, "
          f"most {lines[-1]}")
    files = [f for d in ("src", "app") for f in sources(root / d, (".c",))]
    sizes = sorted(map(line_count, files))
    print(f".c files: {len(files)}; lines: median {share(sizes, 0.5)}, "
          f"p90 {share(sizes, 0.9)}, most {sizes[-1]}")
    homes = collections.Counter(f.name for f in files)
    print(f".c files that share a basename: "
          f"{sum(n for n in homes.values() if n > 1)}")
    public = sum(len(re.findall(r"^PITH_API|^[a-z][^\n;{]*\bpith_\w+\([^;{]*\);",
                                h.read_text(), re.M))
                 for h in (root / "include").glob("*.h"))
    print(f"public functions: {public}")
    tunables = root / "src/base/tunables.def"
    if tunables.exists():
        table = len(re.findall(r"^PITH_I_(?:COUNT|REAL)\(",
                               tunables.read_text(), re.M))
        print(f"tunables: {table}")


if __name__ == "__main__":
    main()
