#!/usr/bin/env python3
"""What the Python package calls is declared: names of pith.h that it uses must
be there. Needs neither a compiler nor the package's own requirements, so that a
renamed function is noticed before the package is built."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
USED = {
    "python/pith/*.py": re.compile(r"\blib\.(pith_\w+|PITH_\w+)|[\"'](pith_\w+) \*"),
    "python/binding/*.c": re.compile(r"\b(pith_\w+)\b|\b(PITH_\w+)\b"),
}


def declared():
    text = "".join(p.read_text() for p in (ROOT / "include").glob("*.h"))
    text += (ROOT / "python" / "binding" / "glue.h").read_text()
    names = set(re.findall(r"\b(?:pith|PITH)_\w+", text))
    codes = re.findall(r"\bX\((\w+), -?\d+", text)
    return names | {f"PITH_{code}" for code in codes}


def main():
    known, passed, wrong = declared(), 0, []
    for pattern, use in USED.items():
        for path in sorted(ROOT.glob(pattern)):
            for match in use.finditer(path.read_text()):
                name = next(filter(None, match.groups()))
                passed += name in known
                if name not in known:
                    wrong.append(f"{path.relative_to(ROOT)}: {name} is not declared")
    print("\n".join(sorted(set(wrong))))
    print(f"{passed} passed, {len(wrong)} failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
