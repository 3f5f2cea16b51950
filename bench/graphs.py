#!/usr/bin/env python3
"""Time and memory of `pith learn` on graphs from a thousand facts to fifty million.

    bench/graphs.py [--pith FILE] [--most N | --sizes N,N,...] [--jobs N]

A graph has a tenth as many entities as facts and 20 relations. Some entities
have far more edges than others, as in real graphs: an end of an edge is, half
of the time, an end of an edge before it. Every fifth relation follows from two
others in four cases of five, so that there are rules to find. Prints a row a
size: processor seconds and peak memory of the whole process, and both by fact.
"""
import argparse
import array
import os
import random
import subprocess
import sys
import tempfile

RELATIONS = 20
SIZES = [1000, 3000, 10000, 30000, 100000, 300000, 1000000]


def make_graph(path, facts, seed=1):
    dice = random.Random(seed)
    entities = facts // 10
    ends = array.array("I")
    out = {}  # of the relations that others follow from

    def pick():
        return (dice.choice(ends) if ends and dice.random() < 0.5
                else dice.randrange(entities))

    with open(path, "w") as file:
        written = 0
        while written < facts:
            relation, x, y = dice.randrange(RELATIONS), pick(), pick()
            ends.extend((x, y))
            if relation % 5 == 1:
                out.setdefault((relation, x), []).append(y)
            file.write(f"e{x}\tr{relation}\te{y}\n")
            written += 1
            second = (relation + 1) % RELATIONS
            if relation % 5 == 0 and dice.random() < 0.8:
                for z in out.get((second, y), [])[:2]:
                    file.write(f"e{x}\tr{(relation + 2) % RELATIONS}\te{z}\n")
                    written += 1


def measure(command):
    """Processor seconds and peak kB of a process."""
    pid = os.spawnvp(os.P_NOWAIT, command[0], command)
    _, status, use = os.wait4(pid, 0)
    if os.waitstatus_to_exitcode(status) not in (0, 1):
        raise SystemExit(f"{command}: {status}")
    return use.ru_utime + use.ru_stime, use.ru_maxrss


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pith", default="build/pith")
    parser.add_argument("--most", type=int, default=SIZES[-1])
    parser.add_argument("--sizes", help="instead of 1,000 to 1,000,000")
    parser.add_argument("--jobs", default="1")
    args = parser.parse_args()
    print("| facts | entities | rules | seconds | us a fact | MB | bytes a "
          "fact |\n|--:|--:|--:|--:|--:|--:|--:|")
    with tempfile.TemporaryDirectory() as folder:
        sizes = ([int(n) for n in args.sizes.split(",")] if args.sizes
                 else [n for n in SIZES if n <= args.most])
        for facts in sizes:
            graph = os.path.join(folder, "graph.tsv")
            model = os.path.join(folder, "model.pl")
            make_graph(graph, facts)
            seconds, peak = measure([args.pith, "learn", graph, "-o", model,
                                     "-q", "--jobs", args.jobs])
            rules = sum("::" in line for line in open(model))
            print(f"| {facts:,} | {facts // 10:,} | {rules:,} | {seconds:.2f} "
                  f"| {1e6 * seconds / facts:.0f} | {peak / 1024:.0f} | "
                  f"{1024 * peak / facts:.0f} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
