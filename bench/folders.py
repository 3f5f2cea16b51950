#!/usr/bin/env python3
"""Popper's own example folders (bk.pl, exs.pl, bias.pl): what `pith learn` and,
with --popper, Popper make of each, judged alike by pith's exact engine.

    bench/folders.py EXAMPLES [--folders REGEX] [--pith build/pith] [--timeout 60]
                     [--popper COMMAND] [--half SEED] [--verbose]

EXAMPLES is the folder `examples` of Popper's repository, which is not shipped here;
folders with lists or terms to compute with are left out, as `convert --ground` is for
them. pith runs with its default options on one core, whatever the folder. COMMAND runs
Popper, with {} for a folder and LIMIT for --timeout in seconds, such as
'popper.py {} --timeout LIMIT'; ` --noisy` is added for the folders that are named so.

--half learns from one half of the examples, those of half of the things named first
in them, and counts on the other; folders whose other half would be empty are left out.

Printed: rules, literals (heads and body atoms), wrong examples, accuracy, processor
seconds. A theory that says less than its learner claims shows in "wrong".
"""
import argparse
import json
import pathlib
import random
import re
import shutil
import subprocess
import tempfile

from everyday import run_timed, size_of

COMPUTED = r"robots|synthesis|dropk|alzheimer"


def rules_of(text):
    return "\n".join(re.sub(r"\s+%.*", "", line) for line in text.splitlines()
                     if line and not line.startswith("%"))


def learn(args, folder, out):
    done, seconds = run_timed([args.pith, "learn", "-q", "-j", "1", "--timeout", str(args.timeout),
                               str(folder)])
    out.write_text(rules_of(done.stdout) + "\n")
    return seconds


def learn_popper(args, folder, out):
    noisy = " --noisy" if folder.name.startswith("noisy") else ""
    command = args.popper.replace("{}", str(folder)).replace("LIMIT", str(args.timeout)) + noisy
    done, seconds = run_timed(["sh", "-c", command])
    said = done.stdout + done.stderr
    rules = re.findall(r"^(?:[0-9.]+s )?(\w+\(.*\.)$", said.split("SOLUTION")[-1], re.MULTILINE)
    out.write_text("\n".join(rules) + "\n")
    return seconds


def judge(args, theory, task):
    """Wrong examples and all of them; None: the theory is not safe, so that it says
    different things in Prolog and here."""
    done = subprocess.run([args.pith, "score", "--format", "json", str(theory), str(task)],
                          capture_output=True, text=True)
    for line in done.stdout.splitlines():
        event = json.loads(line)
        if event.get("event") == "score":
            wrong = event["fp"] + event["fn"]
            return wrong, wrong + event["tp"] + event["tn"]
    if "no body atom binds" in done.stderr:
        return None
    raise SystemExit(f"folders.py: score failed on {task}: {done.stderr}")


def split(folder, seed, temporary):
    """Two folders, by the first argument of the examples; None: one has no example."""
    rng = random.Random(f"{folder.name} {seed}")
    examples = re.findall(r"(?:pos|neg)\(.*\)\s*\.", (folder / "exs.pl").read_text())
    first = [re.match(r"\w+\(\w+\(([^,)]*)", x).group(1) for x in examples]
    things = sorted(set(first))
    chosen = set(rng.sample(things, len(things) // 2))
    halves = []
    for name, inside in (("train", True), ("test", False)):
        half = temporary / name / folder.name
        shutil.copytree(folder, half)
        lines = [x for x, thing in zip(examples, first) if (thing in chosen) == inside]
        if not any(x.startswith("pos") for x in lines) or not any(x.startswith("neg") for x in lines):
            return None
        (half / "exs.pl").write_text("\n".join(lines) + "\n")
        halves.append(half)
    return halves


def one_folder(args, folder, learners):
    with tempfile.TemporaryDirectory() as name:
        temporary = pathlib.Path(name)
        halves = (folder, folder) if args.half is None else split(folder, args.half, temporary)
        if halves is None:
            return None
        cells = []
        for learner in learners:
            theory = temporary / "theory.pl"
            seconds = learner(args, halves[0], theory)
            text = theory.read_text().strip()
            judged = judge(args, theory, halves[1])
            cells.append((len(text.splitlines()), size_of(text + "\n") if text else 0,
                          *(("unsafe", "") if judged is None else
                            (judged[0], f"{1 - judged[0] / judged[1]:.4f}")), f"{seconds:.2f}"))
            if args.verbose:
                print(text)
        return cells


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("examples", type=pathlib.Path)
    parser.add_argument("--folders", default="")
    parser.add_argument("--pith", default="build/pith")
    parser.add_argument("--timeout", type=int, default=60)
    parser.add_argument("--popper", help="another learner's command")
    parser.add_argument("--half", type=int, metavar="SEED")
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    learners = [learn] + ([learn_popper] if args.popper else [])
    head = ["rules", "literals", "wrong", "accuracy", "s"]
    print("| folder | " + " | ".join(head + [f"Popper: {head[0]}", *head[1:]] * (len(learners) - 1)) + " |")
    print("|---|" + "--:|" * len(head) * len(learners))
    totals = [0.0] * len(learners)
    for folder in sorted(args.examples.iterdir()):
        if re.search(COMPUTED, folder.name) or not re.search(args.folders, folder.name):
            continue
        cells = one_folder(args, folder, learners)
        if cells is None:
            continue
        print(f"| {folder.name} | " + " | ".join(
            " | ".join(map(str, cell)) for cell in cells) + " |", flush=True)
        if not folder.name.startswith("noisy"):
            totals = [t + float(cell[-1]) for t, cell in zip(totals, cells)]
    print("processor seconds of the folders without noise: " + ", ".join(f"{t:.1f}" for t in totals))


if __name__ == "__main__":
    main()
