#!/usr/bin/env python3
"""Reading speed of pith beside what people have, on one set of triples.

    bench/formats.py [--pith FILE] [--rows N] [--repeat K] [--only WORD,...]

Makes N triples over N/10 entities and 20 relations, as tab-separated columns,
N-Triples, Turtle, a database, and a table of N/4 rows and 5 columns; then times
each reader on the same file, one after the other, and takes the best of K. The
time is that of a whole process: pith counts what it read (infer --count).
Columns: format, reader, MB, seconds, MB/s, peak MB of memory. What is not
installed is named and left out; --only takes readers (pith, rapper, ...).
"""
import argparse
import importlib.util
import multiprocessing
import os
import pathlib
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

PYTHON_READERS = {
    "rdflib": "import rdflib,sys; g=rdflib.Graph(); g.parse(sys.argv[1]);"
              " print(len(g))",
    "pandas": "import pandas,sys; print(len(pandas.read_csv(sys.argv[1],"
              " sep=sys.argv[2])))",
    "python": "import csv,sys; print(sum(1 for _ in csv.reader("
              "open(sys.argv[1]), delimiter=sys.argv[2])))",
}


def files_in(folder):
    """The files, by format."""
    return {k: folder / name for k, name in
            (("tsv", "g.tsv"), ("ntriples", "g.nt"), ("turtle", "g.ttl"),
             ("csv", "people.csv"), ("sqlite", "g.db"))}


def make_data(folder, n):
    rng = random.Random(1)
    entities = max(2, n // 10)
    files = files_in(folder)
    triples = [(f"entity{rng.randrange(entities)}", f"rel{rng.randrange(20)}",
                f"entity{rng.randrange(entities)}") for _ in range(n)]
    iri = "http://example.org/kg/"
    files["tsv"].write_text("".join("\t".join(t) + "\n" for t in triples))
    files["ntriples"].write_text("".join(
        f"<{iri}{s}> <{iri}{p}> <{iri}{o}> .\n" for s, p, o in triples))
    with open(files["turtle"], "w") as f:
        f.write(f"@prefix e: <{iri}> .\n")
        f.writelines(f"e:{s} e:{p} e:{o} .\n" for s, p, o in triples)
    with open(files["csv"], "w") as f:
        f.write("name,age,height,city,boss\n")
        f.writelines(f"person{i},{rng.randrange(90)},{rng.random():.3f},"
                     f"\"city {rng.randrange(500)}\",person{rng.randrange(i+1)}"
                     "\n" for i in range(n // 4))
    db = sqlite3.connect(files["sqlite"])
    db.execute("create table triple(s text, p text, o text)")
    db.executemany("insert into triple values(?,?,?)", triples)
    db.commit()
    db.close()


def commands(pith, files):
    """(format, reader, command), the same file for all of a format."""
    py = sys.executable
    count = [pith, "infer", "-q", "--count"]
    yield "tsv", "pith", [*count, str(files["tsv"])]
    yield "tsv", "pandas", [py, "-c", PYTHON_READERS["pandas"],
                            str(files["tsv"]), "\t"]
    yield "csv", "pith", [*count, str(files["csv"])]
    yield "csv", "pandas", [py, "-c", PYTHON_READERS["pandas"],
                            str(files["csv"]), ","]
    yield "csv", "python", [py, "-c", PYTHON_READERS["python"],
                            str(files["csv"]), ","]
    yield "csv", "csvkit", ["csvstat", "--count", str(files["csv"])]
    for form in ("ntriples", "turtle"):
        yield form, "pith", [*count, str(files[form])]
        yield form, "rapper", ["rapper", "-q", "-c", "-i", form,
                               str(files[form])]
        yield form, "rdflib", [py, "-c", PYTHON_READERS["rdflib"],
                               str(files[form])]
    yield "sqlite", "pith", [*count, str(files["sqlite"])]
    yield "sqlite", "sqlite3", ["sqlite3", str(files["sqlite"]),
                                "select count(s||p||o) from triple"]


def is_there(reader, command):
    if reader in ("pandas", "rdflib"):
        return importlib.util.find_spec(reader) is not None
    beside = pathlib.Path(sys.executable).parent / command[0]
    if reader == "csvkit" and beside.exists():
        command[0] = str(beside)
    return shutil.which(command[0]) is not None


def measure(command, repeat):
    """Seconds of processor and peak bytes: the best of some runs."""
    best = peak = None
    for _ in range(repeat):
        before = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        if status != 0:
            return None, None, None
        used = usage.ru_utime + usage.ru_stime
        if best is None or used < best[0]:
            best = used, time.perf_counter() - before
            peak = usage.ru_maxrss * 1024
    return best[0], best[1], peak


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pith", default="build/pith")
    parser.add_argument("--rows", type=int, default=1000000)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    only = set(filter(None, args.only.split(",")))
    with tempfile.TemporaryDirectory() as folder:
        # In a process of its own: the peak of a child is at least that of the
        # process that starts it.
        files = files_in(pathlib.Path(folder))
        maker = multiprocessing.Process(
            target=make_data, args=(pathlib.Path(folder), args.rows))
        maker.start()
        maker.join()
        print("| format | reader | MB | cpu s | MB/s | peak MB |")
        print("|---|---|---|---|---|---|")
        for form, reader, command in commands(args.pith, files):
            if only and reader not in only and form not in only:
                continue
            size = files[form].stat().st_size
            if not is_there(reader, command):
                print(f"| {form} | {reader} | not installed | | | |")
                continue
            used, _, peak = measure(command, args.repeat)
            if used is None:
                print(f"| {form} | {reader} | failed | | | |")
                continue
            print(f"| {form} | {reader} | {size / 1e6:.1f} | {used:.2f} |"
                  f" {size / 1e6 / used:.0f} | {peak / 1e6:.0f} |", flush=True)


if __name__ == "__main__":
    main()
