#!/usr/bin/env python3
"""What mpirun starts together gives the same bytes as one process.

    tests/check_mpi.py [--pith FILE]

Two and three processes on this machine learn from a graph, score a model, answer
a file of queries and train restarts of learn and compress; the output is compared
with that of one process. A process that is killed ends the job, and the next one
goes on from the checkpoint; for every command, one that holds half of the results
is gone on from. Uses pith-mpi beside the
given pith, which the build makes where MPI is found; without it, or without
mpirun, there is nothing to check and it says so.
"""
import argparse
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "bench"))
from graphs import make_graph  # noqa: E402

ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1",
                   OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                   OMPI_MCA_hwloc_base_binding_policy="none")
failures = 0


def check(name, right, why=""):
    global failures
    if not right:
        failures += 1
    print(f"{'ok  ' if right else 'FAIL'} {name}{'' if right else ': ' + why}",
          flush=True)


def together(n, command):
    return ["mpirun", "--oversubscribe", "-n", str(n)] + command


def run(command, limit=300):
    return subprocess.run([str(c) for c in command], env=ENVIRONMENT,
                          capture_output=True, text=True, timeout=limit,
                          check=False)


def make_folder(folder):
    """A graph in three parts, small enough to learn from in a second."""
    make_graph(folder / "all.tsv", 800)
    lines = (folder / "all.tsv").read_text().splitlines(keepends=True)
    for name, first in (("train", 0), ("valid", 8), ("test", 9)):
        part = [line for i, line in enumerate(lines)
                if (i % 10 < 8 if first == 0 else i % 10 == first)]
        (folder / f"{name}.tsv").write_text("".join(part))
    (folder / "all.tsv").unlink()


def compare(name, alone, mpi, arguments, folder, result="-"):
    """The same arguments for one, two and three processes. Two of them keep a
    checkpoint, which is what they are given back: the command, what it printed
    and the checkpoint."""
    texts = []
    journal = folder / f"{name.split()[0]}.journal"
    for n in (1, 2, 3):
        out = folder / f"out{n}"
        words = [str(out) if a == "OUT" else str(a) for a in arguments]
        if n == 2:
            words += ["--checkpoint", str(journal)]
            kept = together(n, [mpi, *words])
        done = run([alone] + words if n == 1
                   else together(n, [mpi, *words, "-v"]))
        texts.append(out.read_text() if result == "OUT" else done.stdout)
        if n > 1:
            check(f"{name}, {n} processes",
                  texts[0] == texts[-1] != "",
                  f"exit {done.returncode}; {done.stderr[-500:]}")
            shared = re.search(rf"{n} processes shared (\d+) loop", done.stderr)
            check(f"{name}, {n} processes share loops",
                  shared is not None and int(shared[1]) > 0, done.stderr[-500:])
    return kept, texts[0], journal


def kill_helper(mpi, graph, folder):
    """Kills the second process once something is in the checkpoint."""
    journal = folder / "journal"
    words = ["learn", "-j", "1", "--checkpoint", journal, graph, "-o",
             folder / "killed.pl"]
    job = subprocess.Popen([str(c) for c in together(2, [mpi] + words)],
                           env=ENVIRONMENT, stderr=subprocess.PIPE, text=True)
    killed = False
    while job.poll() is None and not killed:
        time.sleep(0.01)
        if journal.exists() and journal.stat().st_size > 1000:
            killed = kill_child(job.pid)
    said = job.communicate(timeout=100)[1]
    return killed, job.returncode, said, journal


def kill_child(pid):
    """The last child of a process; which rank it is does not matter. False: there
    is none, or it has ended by itself meanwhile."""
    listed = run(["ps", "--no-headers", "-o", "pid,comm", "--ppid", pid]).stdout
    children = [int(line.split()[0]) for line in listed.splitlines()
                if "pith" in line]
    try:
        os.kill(children[-1], signal.SIGKILL)
    except (IndexError, ProcessLookupError):
        return False
    return True


def check_kill(alone, mpi, graph, folder):
    killed, code, said, journal = kill_helper(mpi, graph, folder)
    if killed and code != 0:
        check("a killed process ends the job, and mpirun says so",
              "signal 9" in said, said[-500:])
    run([alone, "learn", "-j", "1", graph, "-o", folder / "whole.pl"])
    again = run(together(2, [mpi, "learn", "-j", "1", "--checkpoint", journal,
                             graph, "-o", folder / "again.pl"]))
    same = ((folder / "whole.pl").read_bytes()
            == (folder / "again.pl").read_bytes() if again.returncode == 0
            else False)
    check("the next job goes on from the checkpoint", same, again.stderr[-500:])


def check_resumed(name, command, printed, journal):
    """A checkpoint that was cut in the middle, as by a process that died."""
    size = journal.stat().st_size if journal.exists() else 0
    check(f"{name} keeps a checkpoint", size > 100, f"{size} bytes")
    if size == 0:
        return
    os.truncate(journal, size // 2)
    again = run(command)
    check(f"{name} goes on from half of it", again.stdout == printed
          and journal.stat().st_size > size // 2, again.stderr[-500:])
    if name.startswith("score"):
        return
    other = run(command + (["--top", "9"] if name.startswith("infer")
                           else ["--seed", "9"]))
    check(f"{name} refuses the checkpoint of another run",
          other.returncode != 0 and "checkpoint" in other.stderr,
          other.stderr[-500:])


def make_queries(graph, path):
    """Both questions of the facts that were set aside, and of nobody."""
    lines = []
    for line in (graph / "test.tsv").read_text().splitlines():
        subject, relation, thing = line.split("\t")
        lines += [f"'{relation}'('{subject}',X).",
                  f"'{relation}'(X,'{thing}')"]
    relation = lines[0].split("(")[0]
    path.write_text("% queries\n" + "\n".join(lines)
                    + f"\n\n{relation}(nobody,X).\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pith", default="build/pith")
    args = parser.parse_args()
    alone = pathlib.Path(args.pith).resolve()
    mpi = alone.with_name("pith-mpi")
    if not mpi.exists() or shutil.which("mpirun") is None:
        print("no pith-mpi or no mpirun: nothing to check")
        return 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        graph = folder / "graph"
        graph.mkdir()
        make_folder(graph)
        compare("learn", alone, mpi, ["learn", "-q", "-j", "1", graph, "-o",
                                      "OUT"], folder, "OUT")
        model = folder / "out1.pl"
        shutil.copy(folder / "out1", model)
        queries = folder / "queries.pl"
        make_queries(graph, queries)
        theory = ROOT / "data/theory/kinship"
        for name, words in (
                ("score", ["score", "-j", "1", model, graph]),
                ("restarts", ["learn", "-j", "1", "--go-on", "--restarts", "160",
                              "--epochs", "20", ROOT / "data/ilp/grandparent"]),
                ("infer --queries", ["infer", "-j", "1", "--top", "3",
                                     "--explain", model, graph / "train.tsv",
                                     "--queries", queries]),
                ("compress", ["compress", "--method", "gradient", "--restarts",
                              "24", "--epochs", "10", "--templates",
                              theory / "templates.txt", theory / "facts.pl"])):
            check_resumed(name, *compare(name, alone, mpi, words, folder))
        done = run(together(2, [mpi, "learn", "--timeout", "0.1", graph, "-q",
                                "-o", folder / "some.pl"]))
        check("a deadline ends all", done.returncode in (0, 1, 4), done.stderr)
        done = run(together(2, [alone, "learn", graph]))
        check("without MPI the command says so", "built without MPI"
              in done.stderr, done.stderr)
        check_kill(alone, mpi, graph, folder)
    print(f"{failures} failed")
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
