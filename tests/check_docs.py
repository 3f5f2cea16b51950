#!/usr/bin/env python3
"""Runs every command that the documents show and compares what it prints.

    tests/check_docs.py [--pith FILE] [--update] [DOCUMENT...]

A ```console block holds commands after "$ ", each followed by what it prints
on standard output and error. A line "..." there stands for any lines, "..."
within a line for any text. A block is one shell session, in a folder that
looks like the root of the project, so what it writes is gone afterwards.
--update rewrites the blocks whose output changed, but for those with "...".
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.M | re.S)
MARK = "\x01end of a command\x01"


def split_block(text):
    """[(command, expected output)]"""
    steps = []
    for line in text.splitlines(keepends=True):
        if line.startswith("$ "):
            steps.append([line[2:].rstrip("\n"), ""])
        elif steps and steps[-1][0].endswith("\\") and not steps[-1][1]:
            steps[-1][0] += "\n" + line.rstrip("\n")
        elif steps:
            steps[-1][1] += line
        else:
            raise ValueError(f"a console block starts with output: {line!r}")
    return steps


def run_session(commands, pith):
    """What each command prints, run one after the other in one shell."""
    script = "".join(f"{command}\n__status=$?\nprintf '{MARK}'\n"
                     "(exit $__status)\n" for command in commands)
    environment = dict(os.environ, LC_ALL="C.UTF-8", NO_COLOR="1")
    environment["PATH"] = f"{pith.parent}:{environment['PATH']}"
    with tempfile.TemporaryDirectory() as folder:
        for entry in ROOT.iterdir():
            os.symlink(entry, os.path.join(folder, entry.name))
        done = subprocess.run(["bash", "-c", script], cwd=folder, text=True,
                              env=environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
    return done.stdout.split(MARK)[:len(commands)]


def pattern(expected):
    lines = []
    for line in expected.splitlines():
        if line.strip() == "...":
            lines.append(r"(?:[^\n]*\n)*?")
        else:
            parts = [re.escape(part) for part in line.rstrip().split("...")]
            lines.append("[^\n]*".join(parts) + r"[ \t]*\n")
    return re.compile("".join(lines))


def matches(expected, got):
    if got and not got.endswith("\n"):
        got += "\n"
    return pattern(expected).fullmatch(got) is not None


def check_block(where, text, pith):
    """(cases passed, cases failed, the block as it should be)"""
    steps = split_block(text)
    answers = run_session([command for command, _ in steps], pith)
    answers += [""] * (len(steps) - len(answers))
    passed, failed, lines = 0, 0, []
    for (command, expected), got in zip(steps, answers):
        if matches(expected, got):
            passed += 1
        else:
            failed += 1
            print(f"FAIL {where}: $ {command}\n---- expected\n{expected}"
                  f"---- got\n{got}----")
            if "..." not in expected:
                expected = got
        lines.append(f"$ {command}\n{expected}")
    return passed, failed, "".join(lines)


def check_file(path, pith, update):
    text = path.read_text()
    passed = failed = 0
    result, last = [], 0
    for block in BLOCK.finditer(text):
        line = text.count("\n", 0, block.start()) + 1
        ok, bad, fresh = check_block(f"{path.relative_to(ROOT)}:{line}",
                                     block[1], pith)
        passed, failed = passed + ok, failed + bad
        result += [text[last:block.start(1)], fresh]
        last = block.end(1)
    if update and failed:
        path.write_text("".join(result) + text[last:])
    return passed, failed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pith", default=ROOT / "build" / "pith")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("documents", nargs="*")
    options = parser.parse_args()
    pith = pathlib.Path(options.pith).resolve()
    documents = [pathlib.Path(d).resolve() for d in options.documents]
    passed = failed = 0
    for path in documents or sorted([*ROOT.glob("*.md"),
                                     *ROOT.glob("docs/*.md")]):
        ok, bad = check_file(path, pith, options.update)
        passed, failed = passed + ok, failed + bad
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
