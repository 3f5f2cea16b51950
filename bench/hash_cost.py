#!/usr/bin/env python3
"""What the key of the hash of names costs in reading.

    bench/hash_cost.py [--pith FILE] [--rows N] [--repeat K]

Builds the command a second time in build-unkeyed, with the hash that has no key
(the header below goes before src/base/hash.h), makes N facts with random names as triples, Prolog
and a table, and lets both commands count them (infer --count), in turn. Columns:
format, instructions of each (valgrind), what the key adds, processor seconds of
each (the least of K, with ten times as many facts), what the key adds.
"""
import argparse
import os
import pathlib
import random
import re
import resource
import string
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
UNKEYED = f"""
#define pith_i_hash_keyed pith_i_hash_with_key
#include "{ROOT}/src/base/hash.h"
#undef pith_i_hash_keyed
#define pith_i_hash_keyed(key, data, n) ((void)(key), pith_i_hash_bytes(data, n))
"""


def build_unkeyed():
    folder = ROOT / "build-unkeyed"
    (folder / "base").mkdir(parents=True, exist_ok=True)
    (folder / "base" / "hash.h").write_text(UNKEYED)
    subprocess.run(["cmake", "-S", ROOT, "-B", folder, "-G", "Ninja",
                    "-DCMAKE_BUILD_TYPE=Release", "-DPITH_TESTS=OFF",
                    f"-DCMAKE_C_FLAGS=-iquote {folder}"], check=True,
                   stdout=subprocess.DEVNULL)
    subprocess.run(["ninja", "-C", folder, "pith"], check=True,
                   stdout=subprocess.DEVNULL)
    return folder / "pith"


def make_files(folder, rows):
    rng = random.Random(1)

    def name():
        return "".join(rng.choices(string.ascii_lowercase,
                                   k=rng.randrange(4, 17)))

    entities = [name() for _ in range(rows // 3)]
    relations = [name() for _ in range(20)]
    facts = [(rng.choice(entities), rng.choice(relations), rng.choice(entities))
             for _ in range(rows)]
    files = {kind: folder / f"{rows}.{end}" for kind, end in
             (("triples", "tsv"), ("prolog", "pl"), ("csv", "csv"))}
    files["triples"].write_text("".join("\t".join(f) + "\n" for f in facts))
    files["prolog"].write_text("".join(f"{p}({s},{o}).\n" for s, p, o in facts))
    files["csv"].write_text("name,kind,friend\n" + "".join(
        f"n{i}{s},{p},{o}\n" for i, (s, p, o) in enumerate(facts)))
    return files


def instructions(pith, file):
    out = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", pith,
         "infer", "-q", "--count", file], check=True, capture_output=True,
        text=True)
    return int(re.search(r"Collected : (\d+)", out.stderr).group(1))


def seconds(pith, file):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run([pith, "infer", "-q", "--count", file], check=True,
                   stdout=subprocess.DEVNULL)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pith", default=ROOT / "build" / "pith")
    parser.add_argument("--rows", type=int, default=30000)
    parser.add_argument("--repeat", type=int, default=9)
    o = parser.parse_args()
    os.environ["GLIBC_TUNABLES"] = "glibc.cpu.hwcaps=-AVX512VL"  # for valgrind
    both = [build_unkeyed(), o.pith]
    with tempfile.TemporaryDirectory() as where:
        few, many = (make_files(pathlib.Path(where), n)
                     for n in (o.rows, 10 * o.rows))
        for kind in few:
            count = [instructions(p, few[kind]) for p in both]
            times = [min(column) for column in
                     zip(*([seconds(p, many[kind]) for p in both]
                           for _ in range(o.repeat)))]
            print(f"{kind:8} {count[0]:12,} {count[1]:12,} "
                  f"{100 * (count[1] / count[0] - 1):+5.1f} % "
                  f"{times[0]:8.3f} {times[1]:8.3f} "
                  f"{100 * (times[1] / times[0] - 1):+5.1f} %", flush=True)


if __name__ == "__main__":
    main()
