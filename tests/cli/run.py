#!/usr/bin/env python3
"""Runs the transcripts in this folder against a pith binary.

A transcript is a text file. A line `$ command` is run by sh from the root of
the project, with pith on PATH and TMP naming a fresh folder; the lines after
it, up to `[exit N]`, are what it prints on both outputs together. Everything
else is a remark for readers.

    run.py [--pith FILE] [--update] [NAME...]

--update rewrites what is expected; look at the difference before you commit.

Bits that change from run to run are written as a letter on both sides:

    0.012 s, under 0.001 s, 3 minutes      ->  T s
    "seconds":0.0012                       ->  "seconds":T
    "loss", "mse", "similarity" and a figure  ->  "loss":L
    12 bytes, 1.5 MiB                      ->  N bytes
    "bytes":12, "peak_bytes":12            ->  "bytes":N
    pith 0.1.0, "pith":"0.1.0"             ->  pith V
    compiler: ..., features: ...           ->  compiler: C, features: F
    the folder TMP                         ->  $TMP

Every line of output that is a JSON event is checked against
docs/json-schema.json too.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent

PATTERNS = [
    (r"\b(under )?\d+(\.\d+)?(e[+-]\d+)? (s|minutes|hours|days)\b", "T s"),
    (r'seconds":[-+.e\d]+', 'seconds":T'),
    (r'"(loss|mse|similarity)":[-+.e\d]+', r'"\1":L'),
    (r"\b\d+(\.\d+)? (bytes|[KMGTPE]iB)(?! long)", "N bytes"),
    (r'"(peak_|least_)?bytes":[-+.e\d]+', r'"\1bytes":N'),
    (r"\bpith \d+\.\d+\.\d+", "pith V"),
    (r'"pith":"\d+\.\d+\.\d+"', '"pith":"V"'),
    (r"^compiler: .*$", "compiler: C"),
    (r"^features: .*$", "features: F"),
]

# What each event looks like. Without jsonschema only its required fields are
# checked.
SCHEMA = json.loads((ROOT / "docs" / "json-schema.json").read_text())
DEFS = SCHEMA["$defs"]
EVENTS = [ref["$ref"].rsplit("/", 1)[1] for ref in SCHEMA["oneOf"]]
try:
    import jsonschema
    VALIDATORS = {name: jsonschema.Draft202012Validator(
        {"$ref": f"#/$defs/{name}", "$defs": DEFS}) for name in EVENTS}
except ImportError:
    VALIDATORS = {}


def schema_errors(name, event):
    if VALIDATORS:
        return [f"{'.'.join(map(str, error.path)) or name}: {error.message}"
                for error in VALIDATORS[name].iter_errors(event)]
    return [f"{name} lacks {field}" for field in DEFS[name]["required"]
            if field not in event]


def normalise(text, tmp):
    text = text.replace(tmp, "$TMP")
    for pattern, letter in PATTERNS:
        text = re.sub(pattern, letter, text, flags=re.MULTILINE)
    return text


def json_errors(text):
    """What is wrong with the JSON events in text, if there are any."""
    errors, first = [], True
    for line in text.splitlines():
        if not line.startswith('{"'):
            continue
        try:
            event = json.loads(line)
        except ValueError as error:
            errors.append(f"not JSON: {error}: {line[:80]}")
            continue
        name = event.get("event")
        if next(iter(event)) != "event" or name not in EVENTS:
            errors.append(f"no known event first: {line[:80]}")
            continue
        if first and (name != "start" or event.get("schema") != 2):
            errors.append("the first event is no start with schema 2")
        first = False
        errors += [f"{error}: {line[:80]}" for error in
                   schema_errors(name, event)]
    return errors


def run(command, tmp, pith):
    path = f"{pith.parent}{os.pathsep}{os.environ.get('PATH', '')}"
    env = dict(os.environ, PATH=path, TMP=tmp, LC_ALL="C.UTF-8", NO_COLOR="1",
               COLUMNS="80")
    done = subprocess.run(["sh", "-c", command], cwd=ROOT, env=env,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    return done.stdout.decode("utf-8", "backslashreplace"), done.returncode


def parse(lines):
    """Yields ("remark", [line]) and ("command", [line, output...])."""
    at = 0
    while at < len(lines):
        if not lines[at].startswith("$ "):
            yield "remark", [lines[at]]
            at += 1
            continue
        end = at + 1
        while end < len(lines) and not lines[end].startswith("$ "):
            if re.fullmatch(r"\[exit \d+\]", lines[end]):
                break
            end += 1
        else:
            end = at  # a new command: nothing is expected yet
        yield "command", lines[at:end + 1]
        at = end + 1


def show(name, block, actual):
    print(f"FAIL {name}: {block[0]}")
    expected = block[1:]
    for i in range(max(len(expected), len(actual))):
        want = expected[i] if i < len(expected) else None
        have = actual[i] if i < len(actual) else None
        if want == have:
            continue
        if want is not None:
            print(f"  expected: {want[:300]}")
        if have is not None:
            print(f"  printed:  {have[:300]}")


def run_file(path, pith, update):
    """Runs one transcript; returns how many commands passed and failed."""
    passed = failed = 0
    result = []
    with tempfile.TemporaryDirectory() as tmp:
        for kind, block in parse(path.read_text().splitlines()):
            if kind == "remark":
                result += block
                continue
            text, code = run(block[0][2:], tmp, pith)
            errors = json_errors(text)
            text = normalise(text, tmp)
            if text and not text.endswith("\n"):
                text += "\n"
            actual = text.split("\n")[:-1] + [f"[exit {code}]"]
            result += block[:1] + actual
            for error in errors:
                print(f"FAIL {path.name}: {block[0]}\n  {error}")
            if errors or (block[1:] != actual and not update):
                failed += 1
                if block[1:] != actual and not update:
                    show(path.name, block, actual)
            else:
                passed += 1
    if update:
        path.write_text("\n".join(result) + "\n")
    return passed, failed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pith", default=ROOT / "build" / "pith")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    pith = pathlib.Path(args.pith).resolve()
    if not os.access(pith, os.X_OK):
        sys.exit(f"{pith}: no such program; build it first")
    paths = sorted(HERE.glob("*.txt"))
    if args.names:
        paths = [p for p in paths if p.stem in args.names]
    passed = failed = 0
    for path in paths:
        p, f = run_file(path, pith, args.update)
        passed, failed = passed + p, failed + f
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
