#!/usr/bin/env python3
"""Which of the 20 tasks their shipped examples leave open: for each the exact
programs that a long run meets, within bias.pl, that are no larger than the right
one and wrong on the task's test folder.

    bench/open.py [--pith build/pith] [--tasks a,b] [--seconds 6]

The smallest such program is written with its size; it is a proof, whoever found
it: `pith score` with the task's folder and with its test folder.
"""
import argparse
import json
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
DATA = ROOT / "data" / "ilp"


def learn(pith, task, *more):
    """Theories that fit, as (size, rules)."""
    done = subprocess.run([pith, "learn", "-q", "-j1", "--templates", "none", "--format",
                           "json", *more, task], capture_output=True, text=True, check=False)
    rules, found = [], []
    for line in done.stdout.splitlines():
        event = json.loads(line)
        if event["event"] == "rule":
            rules.append(event["text"])
        elif event["event"] == "theory" and event["errors"] == 0:
            found.append((event["size"], tuple(sorted(event["rules"]))))
        elif event["event"] == "result" and event["errors"] == 0:
            found.append((event["size"], tuple(sorted(rules))))
    return found


def fits(pith, rules, folder, scratch):
    path = pathlib.Path(scratch) / "rules.pl"
    path.write_text("\n".join(rules) + "\n")
    return subprocess.run([pith, "score", "-q", path, folder],
                          capture_output=True).returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--pith", default=ROOT / "build" / "pith")
    parser.add_argument("--tasks", default=",".join(sorted(p.name for p in DATA.iterdir())))
    parser.add_argument("--seconds", type=int, default=6)
    args = parser.parse_args()
    for name in args.tasks.split(","):
        task = DATA / name
        with tempfile.TemporaryDirectory() as scratch:
            right = min(size for size, rules in learn(args.pith, task)
                        if fits(args.pith, rules, task / "test", scratch))
            met = learn(args.pith, task, "--method", "gradient", "--keep", "60",
                        "--go-on", "--search", "off", "--timeout", str(args.seconds))
            met = set(met)
            wrong = sorted({t for t in met if t[0] <= right and
                            fits(args.pith, t[1], task, scratch) and
                            not fits(args.pith, t[1], task / "test", scratch)})
        print(f"{name:<16} right {right:>2}, exact programs met {len(met):>3}, "
              f"no larger and wrong {len(wrong):>3}")
        for size, rules in wrong[:1]:
            print(f"    size {size}: {' '.join(rules)}", flush=True)


if __name__ == "__main__":
    main()
