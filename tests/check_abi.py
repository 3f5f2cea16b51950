#!/usr/bin/env python3
"""The version stands in one place; programs that were built keep working.

    tests/check_abi.py [--pith FILE] [--update]

The version of include/pith.h is that of the command, the change log, the
citation, CMake's project and the Python package, and the library's soname and
Debian's package follow from it.

Every public function is in packaging/debian/libpith*.symbols. The stable tier
of the header is compared by abidiff with packaging/abi/stable.abi: functions
may be added; what is removed or changed breaks programs, and needs a new minor
version before 1.0 and a major one after it. --update writes both files, when
such a change is meant.
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
BASELINE = ROOT / "packaging" / "abi" / "stable.abi"


def text_of(name):
    return (ROOT / name).read_text(encoding="utf-8")


def version_of_header():
    return re.search(r'^#define PITH_VERSION "(.*)"$',
                     text_of("include/pith.h"), re.M)[1]


def soname_version(version):
    major, minor, _ = version.split(".")
    return f"{major}.{minor}" if major == "0" else major


def wrong_versions(pith, version):
    header = text_of("include/pith.h")
    parts = [re.search(rf"^#define PITH_VERSION_{part} (\d+)$", header, re.M)[1]
             for part in ("MAJOR", "MINOR", "PATCH")]
    if ".".join(parts) != version:
        yield f"pith.h: the parts make {'.'.join(parts)}, the whole is {version}"
    newest = re.search(r"^## (\d+\.\d+\.\d+)", text_of("CHANGELOG.md"), re.M)
    if newest is None or newest[1] != version:
        yield f"CHANGELOG.md does not begin with {version}"
    if f"\nversion: {version}\n" not in text_of("CITATION.cff"):
        yield f"CITATION.cff is not {version}"
    said = subprocess.run([pith, "--version"], capture_output=True, text=True)
    if version not in said.stdout.split("\n")[0].split():
        yield f"pith --version says {said.stdout!r}"
    # Both of these take it from the header; a number of their own would go stale.
    if re.search(r"project\(pith VERSION \d", text_of("CMakeLists.txt")):
        yield "CMakeLists.txt has a version of its own"
    if not re.search(r'^dynamic = \["version"\]$', text_of("pyproject.toml"), re.M):
        yield "pyproject.toml has a version of its own"
    package = f"Package: libpith{soname_version(version)}\n"
    if package not in text_of("packaging/debian/control"):
        yield f"packaging/debian/control lacks {package.strip()}"


def declarations(tier):
    """What the header exports in a tier: (name, declaration)."""
    done = subprocess.run(["cc", "-E", "-P", f"-DPITH_{tier}",
                           ROOT / "include" / "pith.h"],
                          capture_output=True, text=True, check=True)
    mark = r'__attribute__\(\(visibility\("default"\)\)\)'
    for text in re.findall(mark + r"([^;{]*);", done.stdout):
        yield re.search(r"\b(pith_\w+)\(", text)[1], text


def symbols_text(version):
    soname = soname_version(version)
    names = sorted(name for name, _ in declarations("EXPERIMENTAL"))
    return (f"libpith.so.{soname} libpith{soname} #MINVER#\n"
            + "".join(f" {name}@Base {version}\n" for name in names))


def describe(folder):
    """abidw's description of the stable tier: a library of empty functions."""
    source, library = folder / "stable.c", folder / "libpith.so"
    bodies = "".join(f"{text} {{ __builtin_trap(); }}\n"
                     for _, text in declarations("STABLE"))
    bodies = re.sub(r"__attribute__\(\(format[^{]*\)\)\)", "", bodies)
    source.write_text(f'#include "pith.h"\n{bodies}')
    subprocess.run(["cc", "-std=c17", "-g", "-fPIC", "-shared", "-I", ROOT / "include",
                    "stable.c", "-o", library], cwd=folder, check=True)
    out = folder / "stable.abi"
    subprocess.run(["abidw", "--no-corpus-path", "--no-comp-dir-path",
                    "--no-show-locs", "--out-file", out, library], check=True)
    return out


def changed_interface(folder, update):
    new = describe(folder)
    if update:
        BASELINE.parent.mkdir(exist_ok=True)
        shutil.copy(new, BASELINE)
    done = subprocess.run(["abidiff", "--no-added-syms", BASELINE, new],
                          capture_output=True, text=True)
    if done.returncode != 0:
        yield ("the stable tier differs from packaging/abi/stable.abi; if that "
               f"is meant, tests/check_abi.py --update:\n{done.stdout}{done.stderr}")


def changed_symbols(version, update):
    path = (ROOT / "packaging" / "debian"
            / f"libpith{soname_version(version)}.symbols")
    wanted = symbols_text(version)
    if update:
        path.write_text(wanted)
    if not path.exists() or path.read_text() != wanted:
        yield (f"{path.name} does not list the functions of the header; if that "
               "is meant, tests/check_abi.py --update")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pith", default=ROOT / "build" / "pith")
    parser.add_argument("--update", action="store_true")
    args = parser.parse_args()
    version = version_of_header()
    checks = [lambda: wrong_versions(args.pith, version),
              lambda: changed_symbols(version, args.update)]
    with tempfile.TemporaryDirectory() as folder:
        if shutil.which("abidw"):
            checks.append(lambda: changed_interface(pathlib.Path(folder),
                                                    args.update))
        else:
            print("abidw is not here: the stable tier is not compared")
        wrong = [list(check()) for check in checks]
    for line in sum(wrong, []):
        print("FAIL", line)
    failed = sum(map(bool, wrong))
    print(f"{len(wrong) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
