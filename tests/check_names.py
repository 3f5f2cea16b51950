#!/usr/bin/env python3
"""A reader greps once: checks the names that src/ and app/ define.

No type, macro or enumerator of src/ is defined twice; no function name has
more than a few homes; no static function is a bare word that says nothing
outside its file, and none shadows a function of POSIX. The layout that
clang-format gives makes definitions easy to find without a parser.

With --figures: the counts, without a verdict.
"""
import collections
import pathlib
import re
import sys

HOMES = 3          # files that may define a static function of one name
ASSERTS = 300      # in src/, at least
POSIX = set("""accept access bind chdir close connect dup exec exit fork fsync
getline index kill link listen listen lseek mkdir open pause pipe poll read
recv remove rename rindex seek select send shutdown signal sleep socket stat
sync time unlink wait write""".split())
# A bare word is fine where it names the one thing every such file has.
BARE = {"main", "run"}

FUNCTION = re.compile(r"^(static )?(?:inline )?[A-Za-z_][\w \*]*?[ \*](\w+)\("
                      r"[^;{}]*\) \{$", re.M)
TYPE = re.compile(r"^(?:typedef (?:struct|union|enum) \w* ?\{|"
                  r"typedef (?:struct|enum) \{)[\s\S]*?^\} (\w+);", re.M)
SHORT_TYPE = re.compile(r"^typedef [^{};()]* \**(\w+);", re.M)
POINTER_TYPE = re.compile(r"^typedef [^{};]*\(\*(\w+)\)", re.M)
MACRO = re.compile(r"^#define (\w+)", re.M)
ENUM = re.compile(r"^(?:typedef )?enum (?:\w+ )?\{([\s\S]*?)\}", re.M)


def plain(text):
    """The text without comments and strings, every line kept."""
    blank = lambda m: re.sub(r"[^\n]", " ", m.group(0))
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', blank, text,
                  flags=re.S)


def definitions(root, folders):
    functions, shared = [], collections.defaultdict(set)
    for folder in folders:
        for path in sorted((root / folder).rglob("*.[ch]")):
            text = plain(path.read_text())
            name = path.relative_to(root).as_posix()
            for match in FUNCTION.finditer(text):
                if match.group(2).isupper():
                    continue  # a macro that makes the name
                functions.append((match.group(2), bool(match.group(1)), name))
            for pattern in (TYPE, SHORT_TYPE, POINTER_TYPE):
                for match in pattern.finditer(text):
                    shared[match.group(1)].add(name)
            gone = set(re.findall(r"^#undef (\w+)", text, re.M))
            for match in MACRO.finditer(text):
                if not match.group(1).endswith("_H") and match.group(1) not in gone:
                    shared[match.group(1)].add(name)
            for match in ENUM.finditer(text):
                for word in re.findall(r"(?:^|,)\s*([A-Z]\w*)", match.group(1)):
                    shared[word].add(name)
    return functions, shared


def twice(shared):
    """Names with a prefix that two files define; a file's own are its own."""
    for name, homes in sorted(shared.items()):
        if len(homes) > 1 and re.match(r"(pith|PITH)_", name):
            yield f"{name} is defined in {', '.join(sorted(homes))}"


def homes_of(functions):
    homes = collections.defaultdict(set)
    for name, _, path in functions:
        homes[name].add(path)
    return homes


def unclear(functions):
    for name, files in sorted(homes_of(functions).items()):
        if len(files) > HOMES and name not in BARE:
            yield f"{name} has {len(files)} homes: {', '.join(sorted(files))}"
    for name, static, path in functions:
        if not static or name in BARE:
            continue
        if name in POSIX:
            yield f"{path}: {name} shadows a function of POSIX"
        elif "_" not in name:
            yield f"{path}: {name} says nothing outside its file"


def figures(root, functions):
    homes = homes_of(functions)
    same = sum(len(homes[n]) > 1 for n, _, _ in functions)
    bare = sum("_" not in n for n, _, _ in functions)
    print(f"{len(functions)} functions; {same} share a name "
          f"({100 * same / len(functions):.0f} %); {bare} are one bare word "
          f"({100 * bare / len(functions):.0f} %); {asserts(root)} asserts")


def asserts(root):
    return sum(len(re.findall(r"(?<!static_)\bassert\(", plain(p.read_text())))
               for p in (root / "src").rglob("*.[ch]"))


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    functions, _ = definitions(root, ["src", "app"])
    _, shared = definitions(root, ["src"])
    figures(root, functions)
    if "--figures" in sys.argv:
        return 0
    errors = list(twice(shared)) + list(unclear(functions))
    if asserts(root) < ASSERTS:
        errors.append(f"{asserts(root)} asserts in src/, of {ASSERTS}")
    for error in errors:
        print(error)
    print(f"{len(functions)} passed, {len(errors)} failed")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
