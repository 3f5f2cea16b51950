#!/usr/bin/env python3
"""How good the rules are after so many seconds: pith, AnyBURL and AMIE.

    bench/anytime.py FOLDER... [--times 5,20,100,300] [--pith FILE]
                     [--anyburl JAR] [--amie JAR] [--svg FILE] [--json FILE]
    bench/anytime.py --json FILE --svg FILE
    bench/anytime.py --make FACTS FOLDER

FOLDER has train, valid and test; --make generates one (graphs.py), with 1000
facts each of valid and test. Each program gets one core and the same time, in
seconds of the processor, so that what else the machine does is no matter
(processor_clock.c): pith by --timeout, AnyBURL by its snapshots, which count
from when it has read the graph; AMIE, which has none, runs once and counts from
the time on at which it ended. The rules of all are ranked by pith score,
filtered, both directions, mean rank of ties: pith's with its weights, the
others' by noisy-or of the five best for each candidate, as their files have
confidences and no weights.

AnyBURL is a jar in github.com/symbolic-kg/PyClause; AMIE is built from
github.com/dig-team/amie with `mvn -DskipTests package`. Both need Java.
"""
import argparse
import json
import math
import os
import pathlib
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile

import graphs

HERE = pathlib.Path(__file__).resolve().parent
CORE = ["taskset", "-c", str(os.cpu_count() - 1)]
COLOURS = {"pith": "#1f6f54", "AnyBURL": "#b4541a", "AMIE": "#4a5fa8"}


def run(command, limit, **more):
    """Output and processor seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([str(c) for c in command], capture_output=True,
                          text=True, timeout=limit, check=False, **more)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done, (after.ru_utime + after.ru_stime - before.ru_utime
                  - before.ru_stime)


def keep_clock(room, clock):
    """What to put before a command so that this clock is the processor's."""
    library = room / f"{clock}.so"
    if not library.exists():
        subprocess.run(["cc", "-O2", "-shared", "-fPIC", f"-DCLOCK={clock}",
                        HERE / "processor_clock.c", "-o", library, "-ldl"],
                       check=True)
    return CORE + ["env", f"LD_PRELOAD={library}"]


def mrr_of(pith, rules, folder):
    """The MRR of rules, and how many there are; 0 where none can be used."""
    done, _ = run([pith, "score", "--format", "json", "-j", "1", rules, folder],
                  3600)
    for line in reversed(done.stdout.splitlines()):
        event = json.loads(line)
        if event.get("event") == "result":
            return event["mrr"] or 0.0
    print(done.stderr[-300:], file=sys.stderr)
    return 0.0


def count_lines(path, mark):
    with open(path, encoding="utf-8", errors="replace") as lines:
        return sum(mark in line for line in lines)


def run_pith(args, folder, times, room):
    for time in times:
        model = room / f"pith{time}.pl"
        clock = keep_clock(room, "CLOCK_MONOTONIC")
        _, seconds = run(clock + [args.pith, "learn", "-q", "-j", "1",
                                  "--timeout", time, folder, "-o", model],
                         100 * time + 60)
        found = model.exists()
        yield ("pith", time, seconds, count_lines(model, "::") if found else 0,
               mrr_of(args.pith, model, folder) if found else 0.0)


def train_file(folder):
    return next(p for p in (folder / "train.tsv", folder / "train.txt")
                if p.exists())


def run_anyburl(args, folder, times, room):
    properties = room / "anyburl.properties"
    sparse = count_lines(train_file(folder), "\t") < 150000
    properties.write_text(
        f"PATH_TRAINING = {train_file(folder).resolve()}\n"
        f"PATH_OUTPUT = {room / 'anyburl'}\n"
        f"SNAPSHOTS_AT = {','.join(map(str, times))}\n"
        f"WORKER_THREADS = 1\nTHRESHOLD_CORRECT_PREDICTIONS = 2\n"
        f"THRESHOLD_CONFIDENCE = 0.0001\n"
        f"MAX_LENGTH_CYCLIC = {5 if sparse else 3}\n")
    clock = keep_clock(room, "CLOCK_REALTIME")
    run(clock + ["java", "-Xmx4G", "-XX:+UseSerialGC", "-cp", args.anyburl,
                 "de.unima.ki.anyburl.Learn", properties],
        100 * times[-1] + 120)
    for time in times:
        rules = room / f"anyburl-{time}"
        if not rules.exists():
            continue
        named = rules.with_suffix(".anyburl")
        with open(rules, encoding="utf-8") as lines, open(
                named, "w", encoding="utf-8") as out:
            out.writelines(line for line in lines if " <= " in line
                           and not line.rstrip().endswith("<="))
        yield ("AnyBURL", time, time,
               count_lines(named, " <= "), mrr_of(args.pith, named, folder))


def run_amie(args, folder, times, room):
    done, seconds = run(
        CORE + ["java", "-Xmx4G", "-XX:+UseSerialGC", "-jar", args.amie, "-nc",
                "1", "-mins", "2", "-minhc", "0", "-minpca", "0.001", "-minc",
                "0.0001", train_file(folder)], 100 * times[-1])
    rules = room / "rules.amie"
    rules.write_text("".join(
        re.sub(r"\s+$", "", line) + "\n" for line in
        done.stdout.splitlines(keepends=True) if "=>" in line))
    mrr = mrr_of(args.pith, rules, folder)
    for time in times:
        yield ("AMIE", time, seconds, count_lines(rules, "=>"),
               mrr if seconds <= time else 0.0)


def make_folder(folder, facts):
    """A generated graph, of which 1000 facts each are valid and test."""
    folder.mkdir(parents=True)
    graphs.make_graph(folder / "train.tsv", facts)
    lines = sorted(set((folder / "train.tsv").read_text().splitlines(True)))
    random.Random(1).shuffle(lines)
    for name, some in (("test", lines[:1000]), ("valid", lines[1000:2000]),
                       ("train", lines[2000:])):
        (folder / f"{name}.tsv").write_text("".join(some))


def measure(args, folder, times):
    rows = []
    with tempfile.TemporaryDirectory() as name:
        room = pathlib.Path(name)
        programs = [run_pith]
        programs += [run_anyburl] if args.anyburl else []
        programs += [run_amie] if args.amie else []
        for program in programs:
            for row in program(args, folder, times, room):
                rows.append((folder.name,) + row)
                print("| %s | %s | %g | %.1f | %d | %.4f |" % rows[-1],
                      flush=True)
    return rows


# ---- the figure --------------------------------------------------------------

WIDTH, HEIGHT, LEFT, TOP, ACROSS, DOWN = 340, 250, 48, 34, 270, 170


def panel(rows, name, times, at):
    """One graph: MRR by seconds, the latter on a scale of logarithms."""
    most = max([row[5] for row in rows] + [0.1]) * 1.08
    first, last = math.log(times[0]), math.log(times[-1])

    def x(time):
        share = (math.log(time) - first) / ((last - first) or 1)
        return LEFT + ACROSS * share

    def y(mrr):
        return TOP + DOWN * (1 - mrr / most)

    out = [f'<g transform="translate({at},0)">',
           f'<text x="{LEFT}" y="20" font-weight="bold">{name}</text>']
    for k in range(5):
        value = most * k / 4
        out.append(f'<line x1="{LEFT}" x2="{LEFT + ACROSS}" y1="{y(value):.1f}" '
                   f'y2="{y(value):.1f}" stroke="#ddd"/>'
                   f'<text x="{LEFT - 6}" y="{y(value) + 4:.1f}" '
                   f'text-anchor="end">{value:.2f}</text>')
    for time in times:
        out.append(f'<text x="{x(time):.1f}" y="{TOP + DOWN + 18}" '
                   f'text-anchor="middle">{time:g} s</text>')
    for program, colour in COLOURS.items():
        points = [(x(r[2]), y(r[5])) for r in rows if r[1] == program]
        if not points:
            continue
        out.append('<polyline fill="none" stroke-width="2" stroke="%s" '
                   'points="%s"/>' % (colour, " ".join(
                       "%.1f,%.1f" % p for p in points)))
        out += [f'<circle cx="{px:.1f}" cy="{py:.1f}" r="3" fill="{colour}"/>'
                for px, py in points]
    return "\n".join(out + ["</g>"])


def draw(rows, times, path):
    names = list(dict.fromkeys(row[0] for row in rows))
    width = WIDTH * len(names)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" '
           f'height="{HEIGHT}" viewBox="0 0 {width} {HEIGHT}" '
           'font-family="sans-serif" font-size="11">',
           '<rect width="100%" height="100%" fill="white"/>']
    for i, name in enumerate(names):
        out.append(panel([r for r in rows if r[0] == name], name, times,
                         i * WIDTH))
    used = {row[1] for row in rows}
    for i, (program, colour) in enumerate(
            (p, c) for p, c in COLOURS.items() if p in used):
        out.append(f'<text x="{LEFT + 90 * i}" y="{HEIGHT - 8}" '
                   f'fill="{colour}">&#9679; {program}</text>')
    pathlib.Path(path).write_text("\n".join(out + ["</svg>"]) + "\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folders", nargs="*", type=pathlib.Path)
    parser.add_argument("--make", type=int, help="facts of a graph to generate")
    parser.add_argument("--times", default="5,20,100,300")
    parser.add_argument("--pith", default="build/pith")
    parser.add_argument("--anyburl")
    parser.add_argument("--amie")
    parser.add_argument("--svg")
    parser.add_argument("--json", help="keep the figures, and draw those "
                        "that it has too")
    args = parser.parse_args()
    if (args.anyburl or args.amie) and shutil.which("java") is None:
        parser.error("AnyBURL and AMIE need Java")
    times = [int(t) for t in args.times.split(",")]
    if args.make:
        make_folder(args.folders[0], args.make)
        return 0
    print("| graph | program | seconds | processor | rules | MRR |\n"
          "|---|---|--:|--:|--:|--:|")
    rows = []
    for folder in args.folders:
        rows += measure(args, folder, times)
    if args.json:
        path = pathlib.Path(args.json)
        old = json.loads(path.read_text()) if path.exists() else []
        new = {tuple(r[:3]) for r in rows}
        rows = [tuple(r) for r in old if tuple(r[:3]) not in new] + rows
        path.write_text(json.dumps(rows, indent=0) + "\n")
    if args.svg:
        draw(rows, sorted({row[2] for row in rows}), args.svg)
    return 0


if __name__ == "__main__":
    sys.exit(main())
