#!/usr/bin/env python3
"""Sends a signal to a command once it has shown that it is at work.

    interrupt.py SIGNAL COMMAND...           at its first progress line
    interrupt.py --when REGEX SIGNAL COMMAND...  at the first that has this
    interrupt.py --json SIGNAL COMMAND...    at its first progress event
    interrupt.py --file PATH SIGNAL COMMAND...  when PATH appears or changes

No clock decides: a slow machine gets to the same place later. The command's
output is passed on, progress lines on standard error are not (--show prints
the one that was waited for). Exits as the command does, with 128 and the
signal's number if that ended it, or with 99 if it ended before the event.
"""
import argparse
import os
import re
import signal
import subprocess
import sys
import time

LINE = re.compile(r"pith: (under )?\d+(\.\d+)? (s|minutes|hours|days)\b")
EVENT = '{"event":"progress"'


def stamp(path):
    """Something that changes when the file is replaced."""
    try:
        st = os.stat(path)
    except FileNotFoundError:
        return None
    return st.st_ino, st.st_mtime_ns, st.st_size


def wait_for_file(process, path, before):
    while process.poll() is None:
        if stamp(path) not in (before, None):
            return True
        time.sleep(0.001)
    return False


def copy_until(stream, is_event, when, to, found):
    """Copies lines but events; calls found at the first that has when."""
    seen = False
    for line in stream:
        if not is_event(line):
            to.write(line)
        elif not seen and re.search(when, line):
            seen = True
            found(line)
    to.flush()
    return seen


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--file")
    parser.add_argument("--when", default="")
    parser.add_argument("signal")
    parser.add_argument("command", nargs=argparse.REMAINDER)
    args = parser.parse_args()
    number = getattr(signal, "SIG" + args.signal)
    before = stamp(args.file) if args.file else None
    process = subprocess.Popen(
        args.command, text=True,
        stdout=subprocess.PIPE if args.json else None,
        stderr=subprocess.PIPE if not args.json and not args.file else None)

    def found(line):
        process.send_signal(number)
        if args.show:
            sys.stdout.write(line)
            sys.stdout.flush()

    if args.file:
        seen = wait_for_file(process, args.file, before)
        process.send_signal(number)
    elif args.json:
        seen = copy_until(process.stdout, lambda l: l.startswith(EVENT),
                          args.when, sys.stdout, found)
    else:
        seen = copy_until(process.stderr, LINE.match, args.when, sys.stderr,
                          found)
    code = process.wait()
    return 99 if not seen else 128 - code if code < 0 else code


if __name__ == "__main__":
    sys.exit(main())
