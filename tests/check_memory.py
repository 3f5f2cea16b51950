#!/usr/bin/env python3
"""What --memory says is what the process takes, within a tenth or 4 MB.

    tests/check_memory.py [--pith FILE] [--free] [WORD...]

The system says how much memory each command held at most; every command and
format is there, with less memory than it would like. --free prints how much that
would be; WORDs choose commands that contain them all. Learning from a graph that
needs more than it has keeps what it found before.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
MEGA = 1 << 20
FACTS = 300000

RULES = """r(X,Z) :- e(X,Y), r(Y,Z).
r(X,Y) :- e(X,Y).
w(X,Y,Z) :- r(X,Y), r(Y,Z).
"""


def write_lines(path, lines):
    """Line by line: what we hold ourselves counts as the child's at first."""
    with open(path, "w", encoding="utf-8") as f:
        f.writelines(lines)


def write_facts():
    numbers = range(FACTS)
    third = range(FACTS // 3)
    write_lines("facts.pl", (f"e(n{i % 1000},n{i}).\n" for i in numbers))
    write_lines("facts.tsv", (f"n{i % 1000}\te\tn{i}\n" for i in numbers))
    write_lines("facts.lp", (f"e(n{i % 1000},n{i}).\n" for i in numbers))
    write_lines("facts.nt", (f"<http://x/n{i % 1000}> <http://x/e> <http://x/n{i}>"
                             " .\n" for i in third))
    with open("facts.ttl", "w", encoding="utf-8") as f:
        f.write("@prefix x: <http://x/> .\n")
        f.writelines(f"x:n{i % 1000} x:e x:n{i} .\n" for i in third)
    with open("table.csv", "w", encoding="utf-8") as f:
        f.write("name,age,city,boss\n")
        f.writelines(f'p{i},{i % 90},"town{i % 5}",p{i // 2}\n' for i in third)
    row = '{{"name":"p{0}","age":{1},"city":"c{2}"}}'
    write_lines("table.jsonl", (row.format(i, i % 90, i % 50) + "\n"
                                for i in third))
    with open("table.json", "w", encoding="utf-8") as f:
        f.write("[" + row.format(0, 0, 0))
        f.writelines(",\n" + row.format(i, i % 90, i % 50) for i in third if i)
        f.write("]\n")
    import sqlite3  # here, as what we hold ourselves counts as the child's
    with sqlite3.connect("table.db") as db:
        db.execute("create table person(name text, age int, city text)")
        db.executemany("insert into person values (?,?,?)",
                       ((f"p{i}", i % 90, f"c{i % 50}") for i in third))


def write_packed():
    import gzip
    import lzma
    import shutil
    for pack, end, fast in ((gzip.open, ".gz", {"compresslevel": 1}),
                            (lzma.open, ".xz", {"preset": 1})):
        with open("facts.pl", "rb") as f, \
                pack("facts.pl" + end, "wb", **fast) as to:
            shutil.copyfileobj(f, to, 1 << 16)
    subprocess.run(["zstd", "-q", "-1", "--long=25", "facts.pl"], check=True)


def write_tasks():
    import random
    draw = random.Random(5)
    with open("cube.pl", "w", encoding="utf-8") as f:
        f.write(RULES)
        for i in range(75):
            f.write(f"e(n{i},n{(i + 1) % 75}).\n")
        for i in range(0, 75, 2):
            f.write(f"pos(w(n{i},n{i},n{i})).\nneg(w(n{i},n{i},none)).\n")
    write_lines("chain.pl", ["r(X,Z) :- e(X,Y), r(Y,Z).\nr(X,Y) :- e(X,Y).\n"]
                + [f"e(n{i},n{i + 1}).\n" for i in range(1200)])
    with open("labels.pl", "w", encoding="utf-8") as f:
        for i in range(60000):
            f.write(f"e(n{draw.randrange(3000)},n{draw.randrange(3000)}).\n")
        for i in range(3000):
            f.write(f"{'pos' if i % 3 else 'neg'}(t(n{i})).\n")
    os.mkdir("graph")
    for name, n in (("dense.tsv", 6000), ("graph/train.tsv", FACTS),
                    ("graph/test.tsv", 100)):
        size = 100 if name == "dense.tsv" else 5000
        write_lines(name, (f"e{draw.randrange(size)}\tr{draw.randrange(30)}"
                           f"\te{draw.randrange(size)}\n" for _ in range(n)))
    write_lines("model.pl", (
        f"0.5::r{i}(X,Y) :- r{i + 1}(X,Y).\n"
        f"0.3::r{i}(X,Y) :- r{i + 1}(X,Z), r{i * 7 % 30}(Z,Y).\n"
        for i in range(29)))
    write_lines("queries.txt", (f"r{i % 30}(e{i},X).\n" for i in range(300)))
    with open("comments.txt", "w", encoding="utf-8") as f:
        f.writelines(f"% a comment that is number {i}\n" for i in range(FACTS))
        f.write("r1(e1,X).\n")
    long = "n" * 100
    write_lines("events.jsonl", (f'{{"event":"fact","atom":"e({long}{i})"}}\n'
                                 for i in range(FACTS)))
    write_lines("list.pl", ["p(X,Y) :- member(X,[1,2]), between(1,300000,Y).\n"])
    for i in range(3000):
        os.makedirs(f"folders/a_folder_with_a_long_name_{i}")
    os.symlink(os.path.abspath("facts.pl"), "folders/facts.pl")


def write_files():
    write_facts()
    write_packed()
    write_tasks()


# Limits in megabytes, above what the process that starts the command takes: some
# two thirds of what it would take, or less.
CASES = [
    (28, "infer --all --sort cube.pl"),
    (36, "infer --all --sort facts.pl"),
    (64, "infer --all --sort facts.pl"),
    (48, "infer --all facts.pl"),
    (20, "infer --all --format json facts.pl"),
    (20, "infer --all --format csv facts.pl"),
    (16, "infer --all --format tsv -o out.tsv facts.pl"),
    (24, "explain --report out.html r(n0,n1200) chain.pl"),
    (16, "infer --count cube.pl"),
    (16, "infer --top 5 model.pl graph r1(e1,X)"),
    (16, "infer --top 3 --queries queries.txt model.pl graph"),
    (20, "infer --top 3 --queries comments.txt model.pl graph"),
    (16, "score cube.pl"),
    (16, "score --report out.html cube.pl"),
    (16, "score model.pl graph"),
    (16, "explain w(n0,n1,n2) cube.pl"),
    (16, "explain --format dot w(n0,n1,n2) cube.pl"),
    (16, "explain w(n0,n1,none) cube.pl"),
    (16, "explain r1(e1,e2) model.pl graph"),
    (20, "check facts.pl"),
    (20, "check table.csv"),
    (20, "check folders"),
    (16, "report events.jsonl -o out.html"),
    (20, "learn -j 1 -t 0.25 labels.pl"),
    (20, "learn -j 3 -t 0.25 labels.pl"),
    (20, "learn -j 2 -t 2 --method gradient cube.pl"),
    (20, "learn -j 2 -t 0.25 --worlds labels.pl labels.pl"),
    (20, "learn -j 2 -t 2 --label city=town1 table.csv"),
    (20, "learn -j 2 -t 0.25 --report out.html labels.pl"),
    (20, "learn -j 2 --max-body 2 dense.tsv"),
    (20, "learn -j 2 -t 2 graph"),
    (40, "compress -t 2 facts.pl"),
    (36, "compress -t 2 --test facts.pl facts.pl"),
    (14, "compress -t 0.3 --report out.html labels.pl"),
    (20, "convert --ground --trust --preds p/2 list.pl"),
    (20, "convert --sql select/**/hex(zeroblob(60000000))a,1/**/b table.db"),
    (12, f"bench ilp --seeds 1 --tasks father --data {ROOT}/data/ilp"),
    *((20, f"convert {name}") for name in
      ("facts.pl", "facts.pl.gz", "facts.pl.xz", "facts.pl.zst", "facts.tsv",
       "facts.lp", "facts.nt", "facts.ttl", "table.csv", "table.jsonl",
       "table.json", "table.db")),
    *((20, f"convert --drop --to {to} -o out.{to} facts.tsv") for to in
      ("json", "csv", "ntriples", "turtle", "problog", "asp", "souffle", "sql",
       "postgres", "duckdb", "dot", "mermaid", "latex", "english", "popper")),
]
SOME = (8, "learn -j 1 --max-body 2 dense.tsv")


def peak_of(pith, limit, command):
    words = [pith, *command.split()]
    if limit is not None:
        words += ["--memory", f"{limit}M"]
    done = subprocess.Popen(words, stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(done.pid, 0)
    done.returncode = os.waitstatus_to_exitcode(status)
    return done.returncode, used.ru_maxrss * 1024


def print_free(pith, words):
    for limit, command in CASES:
        if all(w in command for w in words):
            code, peak = peak_of(pith, None, command)
            print(f"{peak / MEGA:6.1f} MB, limit {limit}, exit code {code}: "
                  f"{command}", flush=True)


def check_case(pith, limit, command):
    code, peak = peak_of(pith, limit, command)
    most = limit * MEGA + max(limit * MEGA // 10, 4 * MEGA)
    if code in (0, 1, 4) and peak <= most:
        return 0
    print(f"{command} --memory {limit}M: exit code {code}, {peak / MEGA:.1f} MB")
    return 1


def keeps_some(pith):
    """Rules that were found before memory ran out are written."""
    limit, command = SOME
    done = subprocess.run([pith, *command.split(), "--memory", f"{limit}M"],
                          capture_output=True, text=True)
    if done.returncode == 1 and "memory ran out" in done.stdout \
            and done.stdout.count("::") > 10:
        return 0
    print(f"{command} --memory {limit}M: exit code {done.returncode}, "
          f"{done.stdout.count('::')} rules; {done.stderr}")
    return 1


def is_sanitized(pith):
    with open(pith, "rb") as f:
        before = b""
        while part := f.read(1 << 16):
            if b"__asan_init" in before + part:
                return True
            before = part[-16:]
    return False


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pith", default="build/pith")
    parser.add_argument("--free", action="store_true")
    parser.add_argument("words", nargs="*")
    args = parser.parse_args()
    pith = str(pathlib.Path(args.pith).resolve())
    if is_sanitized(pith):
        print("a sanitizer takes memory of its own: 0 cases")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        # In a process of its own, whose memory is not ours.
        maker = os.fork()
        if maker == 0:
            write_files()
            os._exit(0)
        os.waitpid(maker, 0)
        chosen = [c for c in CASES if all(w in c[1] for w in args.words)]
        if args.free:
            print_free(pith, args.words)
            chosen = []
        failed = sum(check_case(pith, *case) for case in chosen)
        failed += keeps_some(pith)
        os.chdir("/")
    print(f"{len(chosen) + 1 - failed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
