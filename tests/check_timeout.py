#!/usr/bin/env python3
"""--timeout ends a command in whatever phase it is, and so does Ctrl-C.

    tests/check_timeout.py [--pith FILE]

Reading is held up by a pipe that never ends. The other phases are given more
work than the time allows; what counts is the processor time that the command
takes, which a busy machine does not change: that of the limit, and at most a
quarter of a second more. Where a proof of known size takes longer than it did
where that was chosen, so many times more is allowed: what is held to is the
work between two looks at the clock, not how fast the machine is.

Learning from a graph goes through stages that a loaded machine would not reach
in that time. There a preloaded library (tests/faults.c) makes the clock go on
with every look, so that each stage is stopped in turn whatever the machine
does, and says how long the processor worked between two looks.
"""
import argparse
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile

LIMIT, MORE = 0.15, 0.25
PROOF = 0.15  # seconds that the proof which measures the machine took


def pairs(n, nodes, seed):
    draw = random.Random(seed)
    return "".join(f"e(n{draw.randrange(nodes)},n{draw.randrange(nodes)}).\n"
                   for _ in range(n))


def ring(n):
    return ("r(X,Y) :- e(X,Y).\nr(X,Z) :- r(X,Y), r(Y,Z).\n"
            + "".join(f"e(n{i},n{(i + 1) % n}).\n" for i in range(n)))


DEEP = "t(X) :- e(X,Y), e(Y,Z), e(Z,W), e(W,V), z(V).\nz(nothing).\n"
SQUARE = "t(X,Y,Z,W) :- e(X,Y), e(Y,Z), e(Z,W), e(W,X).\n"

METAGOL = (":- use_module('metagol').\nbody_pred(p/2).\n"
           "metarule(chain,[P,Q,R],[P,A,B],[[Q,A,C],[R,C,B]]).\n"
           "p(a,b). p(b,c).\n"
           "a :- Pos=[t(a,c)], Neg=[], learn(Pos,Neg).\n")

DATA = pathlib.Path(__file__).resolve().parent.parent / "data"

FILES = {
    "square.pl": SQUARE + pairs(30000, 800, 1),
    "ring.pl": ring(600),
    "many.pl": ring(3000),  # nine million facts follow
    "empty.pl": "".join(f"p{i}(X,Y) :- p{i + 1}(X,Y).\n" for i in range(30000))
                + "p0(a,b).\n",
    "metarules.pl": METAGOL * 100,
    "rows.pl": "x(A) :- e(A), e(B), B < A, A < B.\n"
               + "".join(f"e({i}).\n" for i in range(20000)),
    "path.pl": "r(X,Y) :- e(X,Y).\nr(X,Y) :- e(X,Z), r(Z,Y).\n"
               + "".join(f"e(n{i},n{i + 1}).\n" for i in range(400)),
    "labels.pl": DEEP + pairs(20000, 300, 2)
                 + "".join(f"{'pos' if i % 2 else 'neg'}(t(n{i})).\n"
                           for i in range(300)),
}

COMMANDS = [
    ["infer", "--count", "square.pl"],
    ["explain", "r(n0,n599)", "ring.pl"],
    ["explain", "t(n1,n2,n3,n4)", "square.pl"],
    ["score", "labels.pl"],
    ["learn", "-j", "1", "labels.pl"],
    ["compress", "square.pl"],
    ["compress", "many.pl"],
    ["compress", "empty.pl"],
    ["infer", "rows.pl"],
    ["learn", "-j", "1", "metarules.pl"],
    ["bench", "ilp", "--data", str(DATA / "ilp")],
    ["bench", "theory", "--data", str(DATA / "theory")],
    ["bench", "countries", "--data", str(DATA / "countries")],
]


def measure(command, folder):
    """The exit code, and the seconds that the processor took."""
    done = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(done.pid, 0)
    done.returncode = os.waitstatus_to_exitcode(status)
    return done.returncode, used.ru_utime + used.ru_stime


def slowness(pith, folder):
    """How many times longer this machine takes, 1 at least."""
    pathlib.Path(folder, "known.pl").write_text(ring(300), encoding="utf-8")
    command = [pith, "explain", "r(n0,n299)", "known.pl"]
    return max(1, max(measure(command, folder)[1] for _ in range(3)) / PROOF)


def keeps_to_limit(pith, command, folder, allowed):
    code, seconds = measure([pith, command[0], "-t", str(LIMIT), *command[1:]],
                            folder)
    if code in (0, 1, 4) and seconds <= LIMIT + allowed:
        return 0
    print(f"{' '.join(command)}: exit code {code}, {seconds:.2f} s "
          f"of processor time at a limit of {LIMIT} s, {allowed:.2f} s more allowed")
    return 1


def graph(n, entities, relations, seed):
    draw = random.Random(seed)
    return "".join(f"e{draw.randrange(entities)}\tr{draw.randrange(relations)}"
                   f"\te{draw.randrange(entities)}\n" for _ in range(n))


def star(n):
    """Everybody knows the same three."""
    return "".join(f"e{i}\tr{i % 4}\te{i % 3}\ne{i}\ts\te{i // 2}\n"
                   for i in range(n))


GRAPHS = {"dense.tsv": graph(4500, 90, 30, 3), "star.tsv": star(6000)}
LOOKS = [10, 300, 5000, 20000]


def longest_stretch(pith, shim, name, looks, folder, allowed):
    """Stopped after so many looks at the clock, which goes on 1 ms a look."""
    counts = os.path.join(folder, "counts")
    env = dict(os.environ, LD_PRELOAD=shim, PITH_FAULT_COUNT=counts,
               PITH_FAULT_CLOCK="1")
    done = subprocess.run([pith, "learn", "-j", "1", "-t", str(looks / 1000),
                           name, "-o", "model"], cwd=folder, env=env,
                          capture_output=True)
    lines = dict(line.split() for line in open(counts))
    seconds = int(lines["longest"]) / 1e6
    if done.returncode in (0, 1, 4) and seconds <= allowed:
        return 0
    print(f"learn {name}, {looks} looks: exit code {done.returncode}, "
          f"{seconds:.2f} s of the processor without a look at the clock")
    return 1


def never_read(pith, command, folder):
    """What is read never comes to an end, so the limit must end it."""
    with subprocess.Popen([pith, command, "-t", str(LIMIT), "-"], cwd=folder,
                          stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True) as p:
        said = p.stderr.read()
        p.wait()
    right = p.returncode == 4 and "the time was up while" in said
    if not right:
        print(f"{command} of what never ends: exit code {p.returncode}: {said}")
    return not right


def nobody_reads(pith, command, folder):
    """The reader of a pipe sleeps: writing is ended, not only waited for."""
    with subprocess.Popen([pith, *command], cwd=folder, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True) as p:
        said = p.stderr.read()  # ends with the process, whatever is not read
        p.wait()
    right = p.returncode == 4 and "the time was up while writing" in said
    if not right:
        print(f"{' '.join(command)} to a pipe that nobody reads: "
              f"exit code {p.returncode}: {said}")
    return not right


def interrupted(pith, command, folder):
    with subprocess.Popen([pith, command, "-"], cwd=folder,
                          stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as p:
        p.send_signal(signal.SIGINT)
        p.wait()
    return p.returncode not in (-signal.SIGINT, 130)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pith", default="build/pith")
    pith = str(pathlib.Path(parser.parse_args().pith).resolve())
    shim = pathlib.Path(pith).parent / "tests" / "libpith_faults.so"
    sanitized = b"__asan_init" in pathlib.Path(pith).read_bytes()
    failed = 0
    readers = ["infer", "check", "convert", "learn", "compress", "score",
               "report"]
    writers = [["convert", "-q", "-t", "3", "square.pl"],
               ["infer", "-q", "-t", "3", "path.pl"]]
    count = len(COMMANDS) + 2 * len(readers) + len(writers)
    with tempfile.TemporaryDirectory() as folder:
        for name, text in FILES.items():
            pathlib.Path(folder, name).write_text(text, encoding="utf-8")
        allowed = MORE * max(slowness(pith, folder), 8 if sanitized else 1)
        for command in COMMANDS:
            failed += keeps_to_limit(pith, command, folder, allowed)
        for name, text in GRAPHS.items() if shim.exists() else ():
            pathlib.Path(folder, name).write_text(text, encoding="utf-8")
            for looks in LOOKS:
                count += 1
                failed += longest_stretch(pith, str(shim), name, looks,
                                          folder, allowed)
        for command in readers:
            failed += never_read(pith, command, folder)
            failed += interrupted(pith, command, folder)
        for command in writers:
            failed += nobody_reads(pith, command, folder)
    print(f"{count - failed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
