#!/usr/bin/env python3
"""The tree is the architecture: checks who includes whom, and who calls what.

A folder of src/ may include from itself and from those before it; logic and
net do not know each other. No two files of src/ and app/ share a basename. The
command and the examples see pith.h alone. The library's memory comes from
base/env.c only, the command's from memory_budget.c, which --memory bounds; the
library neither prints nor exits. docs/tour.md names every file.
"""
import pathlib
import re
import sys

ORDER = ["base", "term", "text", "fact", "logic", "net", "score", "task",
         "train", "learn", "compress", "graph", "api"]
STRANGERS = {("net", "logic")}
FORBIDDEN = re.compile(
    r"(?<![\w.>])(malloc|calloc|realloc|free|printf|puts|putchar|perror|exit|abort)"
    r"\s*\(")
ALLOCATOR = "src/base/env.c"
OUTSIDE_THE_LIMIT = re.compile(
    r"(?<![\w.>])(malloc|calloc|realloc|free|strdup|strndup|getline|pith_new)"
    r"\s*\(")
BUDGET = "app/memory_budget.c"


def includes(path):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
        if match:
            yield number, match.group(1)


def without_comments(text):
    """Comments and strings become blanks, so that line numbers stay."""
    blank = lambda m: re.sub(r"[^\n]", " ", m.group(0))
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', blank, text,
                  flags=re.S)


def layer_errors(root, path):
    parts = path.relative_to(root / "src").parts
    here = parts[0]
    for number, name in includes(path):
        there = name.split("/")[0] if "/" in name else None
        if there is None:
            if name != "pith.h":
                yield number, f"includes {name}: name its folder"
        elif there not in ORDER:
            yield number, f"includes {name}: no such layer"
        elif ORDER.index(there) > ORDER.index(here):
            yield number, f"{here}/ includes {name}, which is above it"
        elif (here, there) in STRANGERS:
            yield number, f"{here}/ includes {name}: they do not know each other"


def call_errors(root, path, forbidden, allocator):
    if path == root / allocator:
        return
    text = without_comments(path.read_text())
    for number, line in enumerate(text.splitlines(), 1):
        match = forbidden.search(line)
        if match:
            yield number, f"calls {match.group(1)}"


def outside_errors(path):
    """A file of the command may include pith.h and its own folder's headers."""
    for number, name in includes(path):
        if name != "pith.h" and not (path.parent / name).exists():
            yield number, f"includes {name}: only pith.h is public"


def homonyms(root):
    """{file: errors}: a basename that stands in two folders of src/ and app/."""
    folders, found = {}, {}
    paths = [*(root / "src").rglob("*.[ch]"), *(root / "app").rglob("*.[ch]")]
    for path in sorted(paths):
        other = folders.setdefault(path.stem, path.parent)
        if other != path.parent:
            found[path] = [(1, f"{other.relative_to(root)} has a file of this name")]
    return found


def tour_sections(root):
    """{folder: text} of docs/tour.md, by the headings "## folder: ..." """
    text = (root / "docs" / "tour.md").read_text()
    return dict(re.findall(r"^## ([\w/]+):(.*?)(?=^## |\Z)", text, re.M | re.S))


def tour_errors(root, path, sections):
    folder = path.parent.relative_to(root).as_posix()
    name = rf"`{re.escape(path.stem)}(\.[ch])?`"
    if not re.search(name, sections.get(folder, "")):
        yield 1, f"docs/tour.md does not name it under {folder}"


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    checked, errors, sections = 0, [], tour_sections(root)

    def take(path, found):
        errors.extend(f"{path.relative_to(root)}:{n}: {e}" for n, e in found)

    doubles = homonyms(root)
    for path in sorted((root / "src").rglob("*.[ch]")):
        checked += 1
        take(path, doubles.get(path, []))
        take(path, layer_errors(root, path))
        take(path, call_errors(root, path, FORBIDDEN, ALLOCATOR))
        take(path, tour_errors(root, path, sections))
    for folder in ("app", "examples"):
        for path in sorted((root / folder).glob("*.[ch]")):
            checked += 1
            take(path, outside_errors(path))
            if folder == "app":
                take(path, tour_errors(root, path, sections))
                take(path, call_errors(root, path, OUTSIDE_THE_LIMIT, BUDGET))
    for error in errors:
        print(error)
    bad = len({e.split(":")[0] for e in errors})
    print(f"{checked - bad} passed, {bad} failed")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
