#!/usr/bin/env python3
"""The progress line on a terminal never wraps, and follows the terminal's width.

    tests/check_progress.py [--pith FILE]

pith learns something that does not end, on a pseudo terminal; its reports are
read and measured until there were enough, then it gets Ctrl-C. No clock
decides: a slow machine reports later. Where tests/faults.c can be preloaded,
the clock goes on with every look, so that reports come at once.
"""
import argparse
import fcntl
import os
import pathlib
import pty
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import termios

ROOT = pathlib.Path(__file__).resolve().parent.parent
CLEAR = "\r\033[K"
COMMAND = ["learn", "-o", "/dev/null", "tests/cli/data/impossible.pl",
           "--templates", "data/ilp/even-odd/templates.txt", "--restarts",
           "1000000", "--jobs", "1"]


def set_columns(fd, columns):
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))


def reports(fd):
    """The texts between two clearings of the line, as they come."""
    text = ""
    while True:
        try:
            more = os.read(fd, 4096)
        except OSError:  # the other end was closed
            return
        text += more.decode()
        parts = text.split(CLEAR)
        yield from parts[1:-1]
        text = parts[0] if len(parts) == 1 else CLEAR + parts[-1]


class Terminal:
    """pith on a terminal of some width."""

    def __init__(self, pith, columns, *more, clock=None):
        self.master, slave = pty.openpty()
        set_columns(self.master, columns)
        environment = {k: v for k, v in os.environ.items() if k != "COLUMNS"}
        shim = pathlib.Path(pith).parent / "tests" / "libpith_faults.so"
        if clock and shim.exists():
            environment.update(LD_PRELOAD=str(shim), PITH_FAULT_CLOCK=clock)
        self.process = subprocess.Popen([pith, *COMMAND, *more], cwd=ROOT,
                                        stderr=slave, env=environment)
        os.close(slave)
        self.reports = reports(self.master)

    def interrupt(self):
        """Reads to the end, so that pith is not stopped by a full buffer."""
        self.process.send_signal(signal.SIGINT)
        for _ in self.reports:
            pass
        code = self.process.wait()
        os.close(self.master)
        return code


def check_width(pith, columns):
    terminal = Terminal(pith, columns, clock="20")
    seen = [next(terminal.reports) for _ in range(3)]
    code = terminal.interrupt()
    return (code == 130 and all(len(s) < columns for s in seen) and
            (columns < 200 or all("restarts done" in s for s in seen)) and
            (columns < 20 or all(" s, " in s for s in seen)))


def check_resize(pith):
    """Narrower: the second report from then on knows the new width."""
    terminal = Terminal(pith, 200, "--timeout", "10h")
    wide = next(terminal.reports)
    set_columns(terminal.master, 30)
    next(terminal.reports)
    narrow = next(terminal.reports)
    code = terminal.interrupt()
    return (code == 130 and 30 <= len(wide) < 200 and len(narrow) == 29 and
            narrow.endswith("..."))


def check_control_characters(pith):
    """SQL has no escapes: a file gets the name as it is, a terminal does not."""
    with tempfile.NamedTemporaryFile("w", suffix=".pl") as f:
        f.write("p('a\\x9b\\b\\x1b\\c\\x202e\\d').\n")
        f.flush()
        command = [pith, "convert", "-q", "--to", "sql", f.name]
        master, slave = pty.openpty()
        subprocess.run(command, stdout=slave, check=True)
        shown = b""
        while not shown.endswith(b");\r\n") or b"insert" not in shown:
            shown += os.read(master, 1 << 16)
        os.close(slave)
        os.close(master)
        kept = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout
    return (b"'a?b?c?d'" in shown
            and "'a\u009bb\x1bc\u202ed'".encode() in kept)


def check_whole_lines(pith):
    """A message is written at once, so that those of several processes stay
    apart: a datagram for each write tells."""
    reader, writer = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    with reader, writer:
        subprocess.run([pith, "infer", "nowhere\x1b.pl"], stderr=writer)
        reader.setblocking(False)
        return reader.recv(4096) == (
            b"pith: error: nowhere?.pl: cannot read: No such file or directory\n")


def on_terminal(command):
    """What a command prints to a terminal."""
    master, slave = pty.openpty()
    process = subprocess.Popen(command, stdout=slave, stderr=subprocess.DEVNULL)
    os.close(slave)
    shown = b""
    try:
        while more := os.read(master, 1 << 16):
            shown += more
    except OSError:  # all of it was read
        pass
    process.wait()
    os.close(master)
    return shown.decode().replace("\r", "")


def check_brief_model(pith):
    """A terminal gets a model's strongest rules; a file gets all of it."""
    graph = str(ROOT / "tests" / "cli" / "data" / "kin.tsv")
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "model.pl"
        shown = on_terminal([pith, "learn", graph])
        beside = on_terminal([pith, "learn", graph, "-o", str(file)])
        kept = file.read_text()
        quiet = on_terminal([pith, "learn", "-q", graph])
        whole = on_terminal([pith, "learn", graph, "-o", "-"])
    rules = lambda text: [line for line in text.splitlines() if ":-" in line]
    best = "0.72414::grandmother(A,B) :- mother(A,C), father(C,B)."
    return (best in shown and best in beside and best in kept and
            len(rules(shown)) == len(rules(beside)) < len(rules(kept)) and
            "-o FILE" in shown and "-o FILE" not in beside and
            "pith_weight(" not in shown and "pith_weight(" in kept and
            rules(quiet) == [r.split("  %")[0] for r in rules(kept)] and
            rules(whole) == rules(kept))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pith", default=ROOT / "build" / "pith")
    pith = str(pathlib.Path(parser.parse_args().pith).resolve())
    passed = failed = 0
    cases = [(f"{n} columns", lambda n=n: check_width(pith, n))
             for n in (1, 3, 40, 80, 100, 200)]
    for name, case in [*cases, ("a narrower terminal",
                                lambda: check_resize(pith)),
                       ("control characters",
                        lambda: check_control_characters(pith)),
                       ("whole lines", lambda: check_whole_lines(pith)),
                       ("a model in brief",
                        lambda: check_brief_model(pith))]:
        good = case()
        passed, failed = passed + good, failed + (not good)
        if not good:
            print(f"FAIL {name}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
