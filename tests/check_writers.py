#!/usr/bin/env python3
"""What pith writes for other programs is right when these programs say so.

Random theories, with recursion, negation and comparisons, are written for
SQLite, PostgreSQL, DuckDB, clingo, ProbLog and Soufflé; the facts that they
come to must be those of `pith infer`. Graphs go through dot, RDF through
rapper, tables through csv. A program that is not here is named and left out.

    check_writers.py [--pith FILE] [--count N]
"""
import argparse
import csv
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
BASE = [("edge", 2), ("colour", 2), ("big", 1), ("age", 2), ("odd Name", 2)]
CONSTANTS = ["a", "b", "c", "'D e'", "'it''s'", "7"]
AGES = ["3", "12.5", "40", "-1", "'2001-02-03'", "young"]


def quoted(name):
    return name if re.fullmatch("[a-z][a-z0-9_]*", name) else f"'{name}'"


def random_facts(dice):
    lines = []
    for name, arity in BASE:
        for _ in range(dice.randint(2, 7)):
            args = [dice.choice(CONSTANTS) for _ in range(arity)]
            if name == "age":
                args[1] = dice.choice(AGES)
            lines.append(f"{quoted(name)}({','.join(args)}).")
    return lines


def base_atom(dice, left, right):
    name, arity = dice.choice(BASE)
    return (f"{quoted(name)}({left},{right})" if arity == 2
            else f"{name}({left}), edge({left},{right})")


def random_rules(dice):
    """Layers of predicates; a layer may be recursive, once a rule, and negate
    what is below it."""
    lines, below = [], []
    for layer in range(dice.randint(1, 3)):
        name = f"p{layer}"
        lines.append(f"{name}(X,Y) :- {base_atom(dice, 'X', 'Y')}.")
        if dice.random() < 0.6:
            lines.append(f"{name}(X,Y) :- {base_atom(dice, 'X', 'Z')}, "
                         f"{name}(Z,Y).")
        if dice.random() < 0.3:
            lines.append(f"{name}(X,Y) :- {name}(Y,X), X \\= a.")
        if dice.random() < 0.3:
            lines.append(f"{name}(X,c) :- {base_atom(dice, 'Y', 'X')}, Y = b.")
        if below and dice.random() < 0.7:
            other = dice.choice(below)
            lines.append(f"{name}(X,Y) :- {base_atom(dice, 'X', 'Y')}, "
                         f"\\+ {other}(Y,X).")
        if dice.random() < 0.5:
            sign = dice.choice(["<", "=<", ">", ">=", "=:=", "=\\="])
            lines.append(f"q{layer}(X) :- age(X,Y), Y {sign} 12.")
            below_unary = f"q{layer}"
            lines.append(f"r{layer} :- {below_unary}(X), X \\= b.")
        if dice.random() < 0.4:
            lines += [f"e{layer}(X) :- big(X).",
                      f"e{layer}(X) :- edge(Y,X), o{layer}(Y).",
                      f"o{layer}(X) :- edge(Y,X), e{layer}(Y)."]
        below.append(name)
    return lines


class Theory:
    def __init__(self, pith, folder, dice):
        self.pith, self.folder = pith, folder
        self.path = os.path.join(folder, "theory.pl")
        self.rules = random_rules(dice)
        self.compares = any(rule.startswith("q") for rule in self.rules)
        text = "\n".join(random_facts(dice) + self.rules) + "\n"
        pathlib.Path(self.path).write_text(text)
        self.heads = sorted({(m.group(1), 0 if not m.group(2) else
                              m.group(2).count(",") + 1)
                             for m in (re.match(r"(\w+)(\(.*?\))? :-", rule)
                                       for rule in self.rules)})
        out = self.run("infer", "--format", "json", "--all", "-q")
        self.expected = set()
        for line in out.splitlines():
            event = json.loads(line)
            if event["event"] == "fact" and (event["predicate"],
                                             len(event["args"])) in self.heads:
                self.expected.add((event["predicate"],
                                   *map(self.text, event["args"])))

    @staticmethod
    def text(value):
        return str(value)

    def run(self, command, *options):
        return subprocess.run([self.pith, command, self.path, *options],
                              check=True, stdout=subprocess.PIPE,
                              text=True).stdout

    def written(self, format):
        return self.run("convert", "--to", format)


def queries(theory):
    for name, arity in theory.heads:
        columns = ", ".join(f"c{i + 1}" for i in range(max(arity, 1)))
        yield name, arity, f'select {columns} from "{name}"'


def by_sqlite(theory):
    found = set()
    script = theory.written("sql")
    for name, arity, query in queries(theory):
        out = subprocess.run(["sqlite3", "-separator", "\x01", ":memory:"],
                             input=script + query + ";\n",
                             check=True, stdout=subprocess.PIPE, text=True)
        for line in out.stdout.splitlines():
            found.add((name, *(line.split("\x01") if arity else [])))
    return found


def by_duckdb(theory):
    import duckdb
    found = set()
    with duckdb.connect() as db:
        db.execute(theory.written("duckdb"))
        for name, arity, query in queries(theory):
            for row in db.execute(query).fetchall():
                found.add((name, *(row if arity else [])))
    return found


def unquote_clingo(term):
    if term.startswith('"'):
        return re.sub(r"\\(.)", lambda m: "\n" if m.group(1) == "n"
                      else m.group(1), term[1:-1])
    return term


def by_clingo(theory):
    out = subprocess.run(["clingo", "--outf=0", "-V0", "-"],
                         input=theory.written("asp"), text=True,
                         stdout=subprocess.PIPE).stdout.splitlines()[0]
    found = set()
    token = r'(\w+)(?:\(((?:"(?:\\.|[^"\\])*"|[^()"])*)\))?'
    for match in re.finditer(token, out):
        args = re.findall(r'"(?:\\.|[^"\\])*"|[^,"]+', match.group(2) or "")
        found.add((match.group(1), *map(unquote_clingo, args)))
    heads = dict(theory.heads)
    return {fact for fact in found if heads.get(fact[0]) == len(fact) - 1}


def by_postgres(theory):
    found = set()
    schema = "set client_min_messages to error; drop schema if exists t cascade; create schema t; " \
             "set search_path to t;\n"
    script = schema + theory.written("postgres")
    for name, arity, query in queries(theory):
        script += f"\\echo @{name}\n{query};\n"
    out = subprocess.run([*POSTGRES, "-qAt", "-F", "\x01", "-v",
                          "ON_ERROR_STOP=1"], input=script, check=True,
                         text=True, stdout=subprocess.PIPE).stdout
    name = None
    heads = dict(theory.heads)
    for line in out.splitlines():
        if line.startswith("@"):
            name = line[1:]
        elif name is not None:
            found.add((name, *(line.split("\x01") if heads[name] else [])))
    return found


def by_problog(theory):
    from problog.program import PrologString
    from problog import get_evaluatable
    result = get_evaluatable().create_from(
        PrologString(theory.written("problog"))).evaluate()
    found = set()
    for term, value in result.items():
        if value > 0.5:
            found.add((term.functor.strip("'"),
                       *(str(a).strip("'").replace("\\'", "'")
                         for a in term.args)))
    return found


POSTGRES = None
# clingo compares integers, not dates and decimals; ProbLog, which is slow, fails
# at comparisons of anything but numbers.
LIMITED = {"clingo"}


def present():
    checks = {"sqlite": (by_sqlite, shutil.which("sqlite3")),
              "clingo": (by_clingo, shutil.which("clingo"))}
    for name, check, module in [("duckdb", by_duckdb, "duckdb"),
                                ("problog", by_problog, "problog")]:
        try:
            __import__(module)
            checks[name] = (check, True)
        except ImportError:
            checks[name] = (check, None)
    checks["postgres"] = (by_postgres, POSTGRES)
    return checks


def start_postgres(folder):
    """A server of our own in folder, reached by a socket there; or None."""
    bins = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not bins:
        return None, None
    tools = bins[-1].parent
    prefix = []
    if os.getuid() == 0:
        if not shutil.which("runuser"):
            return None, None
        prefix = ["runuser", "-u", "postgres", "--"]
        shutil.chown(folder, "postgres")
    data = os.path.join(folder, "data")
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    try:
        subprocess.run([*prefix, tools / "initdb", "-D", data, "-A", "trust",
                        "-U", "postgres", "--no-sync"], check=True, **quiet)
        subprocess.run([*prefix, tools / "pg_ctl", "-D", data, "-w", "-o",
                        f"-k {folder} -c listen_addresses='' -F", "start"],
                       check=True, **quiet)
    except (subprocess.CalledProcessError, OSError):
        return None, None
    stop = [*prefix, tools / "pg_ctl", "-D", data, "-m", "immediate", "stop"]
    return ["psql", "-h", folder, "-U", "postgres"], stop


def check_theories(pith, folder, count):
    passed = failed = 0
    checks = present()
    for name, (_, there) in checks.items():
        if not there:
            print(f"{name} is not here and is left out")
    for seed in range(count):
        theory = Theory(pith, folder, random.Random(seed))
        for name, (check, there) in checks.items():
            if not there or (name == "problog" and
                             (seed % 3 != 0 or theory.compares)):
                continue
            expected, found = theory.expected, check(theory)
            if name in LIMITED:
                compared = lambda f: f[0][0] in "qr"
                expected = {f for f in expected if not compared(f)}
                found = {f for f in found if not compared(f)}
            if found == expected:
                passed += 1
                continue
            failed += 1
            print(f"FAIL {name}, theory {seed}: missing "
                  f"{sorted(expected - found)[:5]}, "
                  f"wrong {sorted(found - expected)[:5]}")
            print(pathlib.Path(theory.path).read_text())
    return passed, failed


def check_graphs(pith, folder):
    theory = Theory(pith, folder, random.Random(1))
    if not shutil.which("dot"):
        print("dot is not here and is left out")
        return 0, 0
    done = subprocess.run(["dot", "-Tplain"], input=theory.run("convert", "--drop", "-q", "--to", "dot"),
                          text=True, stdout=subprocess.PIPE)
    nodes = done.stdout.count("\nnode ")
    ok = done.returncode == 0 and nodes >= len(theory.heads)
    return (1, 0) if ok else (0, 1)


def check_rdf(pith, folder):
    """As many statements as facts, says another reader of RDF."""
    if not shutil.which("rapper"):
        print("rapper is not here and is left out")
        return 0, 0
    theory = Theory(pith, folder, random.Random(2))
    passed = failed = 0
    facts = theory.run("convert", "--drop", "-q", "--to", "tsv")
    for format, syntax in [("ntriples", "ntriples"), ("turtle", "turtle")]:
        text = theory.run("convert", "--drop", "-q", "--to", format)
        done = subprocess.run(["rapper", "-q", "-i", syntax, "-o", "ntriples",
                               "-", "http://base/"], input=text, text=True,
                              stdout=subprocess.PIPE)
        lines = {line for line in done.stdout.splitlines()
                 if "22-rdf-syntax-ns#type" not in line}
        ok = done.returncode == 0 and len(lines) >= len(facts.splitlines()) > 0
        passed, failed = passed + ok, failed + (not ok)
    return passed, failed


ODD_FACTS = """p('a, b',1.5). p('say "x"','two\\nlines'). q('#1',-3). 'r s'(c,'\u00e9').
"""


def check_csv(pith, folder):
    """Python's csv finds the facts, and so does pith."""
    source = os.path.join(folder, "odd.pl")
    table = os.path.join(folder, "odd.csv")
    pathlib.Path(source).write_text(ODD_FACTS)
    subprocess.run([pith, "convert", "-q", "--to", "csv", "-o", table, source],
                   check=True)
    with open(table, newline="") as f:
        rows = list(csv.reader(f))
    expected = [["subject", "predicate", "object"], ["a, b", "p", "1.5"],
                ['say "x"', "p", "two\nlines"], ["#1", "q", "-3"],
                ["c", "r s", "\u00e9"]]
    back = subprocess.run([pith, "convert", table], check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    ok = [rows == expected, back.split() == ODD_FACTS.split()]
    if not all(ok):
        print(f"FAIL csv: {rows}\n{back}")
    return sum(ok), len(ok) - sum(ok)


def facts_of(pith, path, *options):
    """What follows, in the order of its text."""
    done = subprocess.run([pith, "infer", "-q", "--all", *options, path],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True)
    return done.returncode, sorted(done.stdout.splitlines()), done.stderr


# Only what is plain in both: clingo and Soufflé spell other names otherwise.
PLAIN = """edge(a,b). edge(b,c). edge(c,a). age(a,3). age(b,12). big(b).
"""


def check_read_back(pith, folder, count):
    """What pith writes for clingo, ProbLog, AMIE and AnyBURL it reads back to
    the same consequences."""
    passed = failed = 0
    for seed in range(count):
        rules = [r for r in random_rules(random.Random(seed)) if "odd" not in r]
        binary = [r for r in rules if not re.search(
            r"\\|<|>|=|big|\b[qreo]\d", r.split(":-")[1]) and "(X,Y)" in r[:9]]
        for format, kept in [("asp", rules), ("problog", rules),
                             ("amie", binary), ("anyburl", binary)]:
            plain = os.path.join(folder, "plain.pl")
            facts = os.path.join(folder, "facts.pl")
            other = os.path.join(folder, "other.txt")
            pathlib.Path(facts).write_text(PLAIN)
            pathlib.Path(plain).write_text(PLAIN + "\n".join(kept) + "\n")
            text = subprocess.run(
                [pith, "convert", "-q", "--drop", "--to", format, plain],
                check=True, stdout=subprocess.PIPE, text=True).stdout
            pathlib.Path(other).write_text(text)
            _, expected, _ = facts_of(pith, plain)
            ruled = ["--from", format]
            code, found, said = facts_of(pith, other, *ruled)
            if format in ("amie", "anyburl"):
                prolog = subprocess.run(
                    [pith, "convert", "-q", *ruled, other], check=bool(kept),
                    stdout=subprocess.PIPE, text=True).stdout
                pathlib.Path(other).write_text(PLAIN + prolog)
                code, found, said = facts_of(pith, other)
            if found == expected:
                passed += 1
                continue
            failed += 1
            print(f"FAIL {format} read back, theory {seed}: exit {code}, "
                  f"{said[:300]}\n{text}")
    return passed, failed


SOUFFLE_TERM = r'(?:"(?:[^"\\]|\\.)*"|\w+|_|-?\d+(?:\.\d+)?)'
SOUFFLE_ATOM = rf'!?\w+\((?:{SOUFFLE_TERM}(?:,\s*{SOUFFLE_TERM})*)?\)'
SOUFFLE_SIDE = rf'(?:to_float\({SOUFFLE_TERM}\)|{SOUFFLE_TERM})'
SOUFFLE_TEST = rf'{SOUFFLE_SIDE} (?:=|!=|<|<=|>|>=) {SOUFFLE_SIDE}'
SOUFFLE_LINES = [
    r'\.decl \w+\((?:\w+:symbol(?:, \w+:symbol)*)?\)',
    r'\.output \w+',
    rf'{SOUFFLE_ATOM}\.',
    rf'{SOUFFLE_ATOM} :- (?:{SOUFFLE_ATOM}|{SOUFFLE_TEST})'
    rf'(?:, (?:{SOUFFLE_ATOM}|{SOUFFLE_TEST}))*\.',
]


def check_souffle_grammar(pith, folder, count):
    """Soufflé is in no package of Debian: each line is one of its forms, and
    each predicate is declared once, with the arity that it has."""
    passed = failed = 0
    for seed in range(count):
        theory = Theory(pith, folder, random.Random(seed))
        text = theory.run("convert", "-q", "--drop", "--to", "souffle")
        declared = dict((m[1], m[2].count(":")) for m in re.finditer(
            r"^\.decl (\w+)\((.*)\)$", text, re.M))
        odd = [line for line in text.splitlines() if line and not any(
            re.fullmatch(form, line) for form in SOUFFLE_LINES)]
        bare = re.sub(r'"(?:[^"\\]|\\.)*"', "x", text)
        odd += [m[0] for m in re.finditer(r"(\w+)\(([^()]*)\)", bare)
                if m[1] in declared and ":" not in m[2] and
                declared[m[1]] != (m[2].count(",") + 1 if m[2] else 0)]
        ok = not odd and len(declared) == text.count(".decl ")
        passed, failed = passed + ok, failed + (not ok)
        if not ok:
            print(f"FAIL Soufflé's grammar, theory {seed}: {odd[:5]}")
    return passed, failed


def main():
    global POSTGRES
    parser = argparse.ArgumentParser()
    parser.add_argument("--pith", default=ROOT / "build" / "pith")
    parser.add_argument("--count", type=int, default=20)
    args = parser.parse_args()
    pith = str(pathlib.Path(args.pith).resolve())
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        server = os.path.join(folder, "server")
        os.mkdir(server)
        POSTGRES, stop = start_postgres(server)
        try:
            for p, f in [check_theories(pith, folder, args.count),
                         check_graphs(pith, folder), check_rdf(pith, folder),
                         check_csv(pith, folder),
                         check_souffle_grammar(pith, folder, args.count),
                         check_read_back(pith, folder, args.count)]:
                passed, failed = passed + p, failed + f
        finally:
            if stop:
                subprocess.run(stop, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
