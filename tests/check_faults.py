#!/usr/bin/env python3
"""What fails under a command: short reads and writes, interrupted calls, a full
or broken disk, a file that cannot be opened, synced or renamed, a library that
is not there, a kill.

    tests/check_faults.py [--pith FILE] [--shim FILE] [--kills N] [--seed N]

tests/faults.c is preloaded; it makes the n-th call of a kind fail, for every
n that a run reaches (of many, some spread over all). Whatever fails:

  - the old result stands whole, or the new one does; never a part of either
  - a run that kept the old result says so, with exit code 3 or 4
  - short and interrupted calls change nothing at all
  - nothing else is left in the folder, after a kill not beyond the next run

Then learning with a checkpoint is killed at N random moments in all, with one
to three threads, and started again each time: the result is the same bytes.
Time is counted there, not measured.
"""
import argparse
import os
import pathlib
import random
import re
import sqlite3
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
OLD = "old(result).\n"
MOST = 12  # calls of a kind that are tried, spread over all

# kind of call: what can happen to it
FAULTS = {
    "read": ["short", "EINTR", "EIO", "kill"],
    "write": ["short", "EINTR", "ENOSPC", "EIO", "kill"],
    "open": ["EACCES", "EMFILE", "kill"],
    "close": ["EIO", "kill"],
    "fsync": ["EIO", "kill"],
    "rename": ["EACCES", "EIO", "kill"],
    "load": ["EACCES", "kill"],
}
HARMLESS = ("short", "EINTR")

COMMANDS = {
    "learn": ["learn", "data/ilp/even-odd"],
    "learn json": ["learn", "--to", "json", "--templates", "none",
                   "data/ilp/predecessor"],
    "learn graph": ["learn", "--target", "likes", "{folder}/likes.tsv"],
    "compress": ["compress", "{folder}/parents.pl"],
    "infer": ["infer", "{folder}/chain.pl"],
    "explain": ["explain", "son(c,b)", "data/theory/kinship/rules.pl",
                "data/theory/kinship/core.pl"],
    "score": ["score", "data/ilp/even-odd/solution.pl", "data/ilp/even-odd"],
    "convert": ["convert", "--to", "json", "data/theory/kinship/core.pl"],
    "packed": ["convert", "{folder}/chain.pl.gz"],
    "database": ["convert", "{folder}/people.db"],
    "check": ["check", "data/ilp/even-odd"],
    "report": ["report", "{folder}/learned.jsonl"],
    "bench": ["bench", "ilp", "--tasks", "predecessor", "--seeds", "1",
              "--jobs", "1", "--format", "json"],
}
# What check cannot read is what it reports; bench reads as learn does.
WRITES_ONLY = {"check", "bench"}


class Bench:
    """A folder with a result in it, and pith with the shim before it."""

    def __init__(self, pith, shim, folder):
        self.pith, self.shim, self.folder = pith, shim, folder
        self.results = os.path.join(folder, "results")
        self.result = os.path.join(self.results, "result")
        self.counts = os.path.join(folder, "counts")
        os.mkdir(self.results)

    def run(self, command, fault=None, clock=None, count=False):
        env = dict(os.environ, LD_PRELOAD=self.shim)
        for name, value in (("PITH_FAULT", fault), ("PITH_FAULT_CLOCK", clock),
                            ("PITH_FAULT_COUNT", count and self.counts)):
            if value:
                env[name] = str(value)
        words = [word.format(folder=self.folder) for word in command]
        return subprocess.run([self.pith, *words, "-o", self.result],
                              cwd=ROOT, env=env, capture_output=True,
                              text=True, errors="replace")

    def calls(self):
        lines = pathlib.Path(self.counts).read_text().split("\n")
        return {k: int(n) for k, n in (line.split() for line in lines if line)}

    def put_old(self):
        for name in os.listdir(self.results):
            os.unlink(os.path.join(self.results, name))
        pathlib.Path(self.result).write_text(OLD)

    def found(self):
        text = pathlib.Path(self.result).read_text()
        return re.sub(r'("\w*seconds":|took )[-+.e\d]+', r"\1T", text)

    def strays(self):
        return [f for f in os.listdir(self.results) if f != "result"]


def spread(count):
    """Numbers from 1 to count: all, or MOST with the first and the last."""
    if count <= MOST:
        return range(1, count + 1)
    return sorted({1 + round(i * (count - 1) / (MOST - 1))
                   for i in range(MOST)})


def complaint(bench, done, base, new, what):
    """What is wrong after a run with a fault; None: nothing is."""
    found = bench.found()
    if what == "kill" and done.returncode == -9:
        return None if found in (OLD, new) else "a part of a result"
    if bench.strays():
        return f"left behind: {bench.strays()}"
    if done.returncode == base:
        return None if found == new else "another result, and no word of it"
    if what in HARMLESS:
        return f"exit code {done.returncode} instead of {base}"
    if found != OLD:
        return "failed, and the old result is gone"
    if done.returncode not in (3, 4) or "error" not in done.stderr:
        return f"exit code {done.returncode}, said: {done.stderr!r}"
    return None


def try_faults(bench, name, command):
    """The number of attempts, and the failures in words."""
    bench.put_old()
    first = bench.run(command, count=True)
    base, new, calls = first.returncode, bench.found(), bench.calls()
    if base not in (0, 1) or new == OLD:
        return 1, [f"{name}: does not run: {first.stderr}"]
    if calls["open"] == 0:
        return 1, [f"{name}: the preloaded library sees no calls"]
    tried, wrong = 0, []
    for kind, whats in FAULTS.items():
        if name in WRITES_ONLY and kind in ("read", "open", "close"):
            continue
        for what in whats:
            for nth in spread(calls[kind]):
                fault = f"{kind} {nth} {what}"
                bench.put_old()
                done = bench.run(command, fault=fault)
                tried += 1
                bad = complaint(bench, done, base, new, what)
                if bad is None and done.returncode == -9:
                    again = bench.run(command)
                    bad = complaint(bench, again, base, new, "")
                if bad is not None:
                    wrong.append(f"{name}, {fault}: {bad}")
    return tried, wrong


def kill_and_resume(bench, kills, seed):
    """Kills a run with a checkpoint at random moments until it gets through."""
    rng = random.Random(seed)
    checkpoint = os.path.join(bench.results, "run")
    task = "tests/cli/data/impossible.pl"
    base = ["learn", task, "--templates", "data/ilp/even-odd/templates.txt",
            "--restarts", "48", "--checkpoint", checkpoint]
    bench.put_old()
    whole = bench.run([*base, "--jobs", "1"], clock=20, count=True)
    new, looks = bench.found(), bench.calls()["clock"]
    if new == OLD or looks == 0:
        return 1, [f"learn with a checkpoint does not run: {whole.stderr}"]
    done, wrong, resumed = 0, [], 0
    while done < kills:
        bench.put_old()
        for _ in range(rng.randint(1, 6)):
            fault = f"clock {rng.randint(1, max(2, looks))} kill"
            got = bench.run([*base, "--jobs", str(rng.randint(1, 3))],
                            fault=fault, clock=20)
            done += got.returncode == -9
            resumed += os.path.exists(checkpoint)
            if bench.found() not in (OLD, new):
                wrong.append(f"{fault}: a part of a result")
            if got.returncode != -9:
                break
        last = bench.run(base, clock=20)
        if bench.found() != new or last.returncode != whole.returncode:
            wrong.append(f"after {done} kills: another result: {last.stderr}")
        if set(bench.strays()) - {"run"}:
            wrong.append(f"after {done} kills: left {bench.strays()}")
    if resumed == 0:
        wrong.append("no kill came after a checkpoint")
    return done, wrong


def lose_checkpoints(bench):
    """One checkpoint after the first cannot be written: the run goes on, gives
    the same result, and says so."""
    checkpoint = os.path.join(bench.results, "run")
    command = ["learn", "tests/cli/data/impossible.pl", "--templates",
               "data/ilp/even-odd/templates.txt", "--restarts", "32", "--jobs",
               "1", "--checkpoint", checkpoint]
    bench.put_old()
    whole = bench.run(command, clock=20, count=True)
    new, saves = bench.found(), bench.calls()["rename"] - 1
    wrong = [] if saves > 2 else [f"only {saves} checkpoints"]
    faults = [f"rename {nth} {what}" for nth in spread(saves) if nth > 1
              for what in ("EIO", "ENOSPC")]
    for fault in faults:
        bench.put_old()
        done = bench.run(command, fault=fault, clock=20)
        if bench.found() != new or done.returncode != whole.returncode:
            wrong.append(f"{fault}: another result: {done.stderr}")
        elif "the run went on" not in done.stderr:
            wrong.append(f"{fault}: not a word of it: {done.stderr}")
    return len(faults), wrong


def write_inputs(folder):
    """A chain whose closure needs several writes, a small graph, and relations
    of which one says what the other does."""
    lines = [f"edge(node_{i},node_{i + 1}).\n" for i in range(120)]
    lines += ["reach(X,Y) :- edge(X,Y).\n",
              "reach(X,Y) :- edge(X,Z), reach(Z,Y).\n"]
    path = pathlib.Path(folder, "chain.pl")
    path.write_text("".join(lines))
    subprocess.run(["gzip", "-k", path], check=True)
    with sqlite3.connect(os.path.join(folder, "people.db")) as people:
        people.execute("create table people (name primary key, age int)")
        people.execute("insert into people values ('ann', 40), ('bob', 12)")
    pathlib.Path(folder, "likes.tsv").write_text("".join(
        f"p{i}\tknows\tp{i + 1}\np{i + 1}\tlikes\tp{i}\n" for i in range(8)))
    pathlib.Path(folder, "parents.pl").write_text("".join(
        f"child(b{i},a{i}).\nparent(a{i},b{i}).\n" for i in range(6)))


def write_results(pith, folder):
    """What an earlier command made, for the one that takes it."""
    with open(os.path.join(folder, "learned.jsonl"), "w") as f:
        subprocess.run([pith, "learn", "--to", "json", "data/ilp/even-odd"],
                       cwd=ROOT, stdout=f, stderr=subprocess.DEVNULL)


def commands_left_out(pith):
    """Those that the help names and no case tries."""
    text = subprocess.run([pith, "--help"], capture_output=True, text=True).stdout
    listed = re.findall(r"^  (\w+) +[A-Z]", text.split("Commands\n")[1]
                        .split("\n\n")[0], re.M)
    tried = {command[0] for command in COMMANDS.values()}
    return ([f"pith {name} is not tried" for name in listed
             if name not in tried] if listed else ["the help names no command"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pith", default=ROOT / "build" / "pith")
    parser.add_argument("--shim")
    parser.add_argument("--kills", type=int, default=15)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    pith = pathlib.Path(args.pith).resolve()
    shim = args.shim or pith.parent / "tests" / "libpith_faults.so"
    if not os.path.exists(shim):
        print("no library to preload (sanitizers need to come first): skipped")
        return 0
    attempts, wrong = 0, []
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(str(pith), str(pathlib.Path(shim).resolve()), folder)
        write_inputs(folder)
        write_results(str(pith), folder)
        wrong += commands_left_out(str(pith))
        has = subprocess.run([pith, "--version"], capture_output=True,
                             text=True).stdout
        for name, command in COMMANDS.items():
            if name == "database" and "sqlite3" not in has:
                continue
            tried, bad = try_faults(bench, name, command)
            print(f"{name}: {tried} faults, {len(bad)} wrong")
            attempts, wrong = attempts + tried, wrong + bad
        tried, bad = lose_checkpoints(bench)
        print(f"lost checkpoints: {tried} faults, {len(bad)} wrong")
        attempts, wrong = attempts + tried, wrong + bad
        kills, bad = kill_and_resume(bench, args.kills, args.seed)
        print(f"checkpoints: {kills} kills, {len(bad)} wrong")
        attempts, wrong = attempts + kills, wrong + bad
    for line in wrong[:20]:
        print("FAIL", line)
    print(f"{attempts - len(wrong)} passed, {len(wrong)} failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
