#!/usr/bin/env python3
"""Observations with a known theory behind them, and whether pith finds it.

  bench/theories.py taxonomy --constants 400 --seed 1   > facts.pl
  bench/theories.py family --people 60 --seed 1         > facts.pl
  bench/theories.py odd --kind negation --constants 60   > facts.pl
  bench/theories.py run --pith build/pith [--large]

A taxonomy has one or several random trees (with --several, also several
parents), properties at unrelated classes, and all that classes hand down. A
family grows from couples; who is whose mother, father, daughter, son, wife and
husband is observed. `odd` has rules with a constant, an inequality, a threshold or
an absence behind it (--kind), with other names, numbers and shares for every
seed. `run` compresses many of all: whether what follows is what was observed
(pith's own engine is not asked), and whether the core is as small as that of the
theory the facts were made with.
"""
import argparse
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
import time


# ---- taxonomies -------------------------------------------------------------

def ancestors(parents):
    """{thing: its ancestors}, parents given before children."""
    above = {}
    for thing, direct in parents.items():
        above[thing] = set(direct).union(*(above[p] for p in direct))
    return above


def taxonomy(constants, seed, relations=3, trees=1, several=False, self_=False,
             facts=None, names="t"):
    """(observations, the size of the smallest core under the handing-down rules)"""
    rng = random.Random(f"taxonomy:{constants}:{seed}:{relations}:{trees}")
    things = max(trees + 2, constants * 2 // 3)
    features = max(relations, constants - things)
    parents = {}
    order = [f"{names}{i}" for i in range(things)]
    for i, thing in enumerate(order):
        if i < trees:
            parents[thing] = []
            continue
        # Classes near the root get more children, so depth grows slowly.
        parent = order[min(rng.randrange(i), rng.randrange(i))]
        parents[thing] = [parent]
        if several and i > 5 and rng.random() < 0.15:
            other = order[rng.randrange(i)]
            if other not in ancestors(parents)[parent] | {parent}:
                parents[thing].append(other)
    above = ancestors(parents)
    props = [f"{names}f{i}" for i in range(features)]
    relation = {f: f"has{rng.randrange(relations)}" for f in props}
    stated = {}
    for f in props:
        # The same property at several unrelated classes.
        for place in rng.sample(order, min(len(order), rng.choice([1, 1, 2, 3]))):
            if not any(f in stated.get(a, ()) for a in above[place]):
                stated.setdefault(place, set()).add(f)
    out = []
    for thing in order:
        out += [("isa", thing, a) for a in sorted(above[thing])]
        if self_:
            out.append(("isa", thing, thing))
        have = set(stated.get(thing, ())).union(*(stated.get(a, ()) for a in above[thing]))
        out += [(relation[f], thing, f) for f in sorted(have)]
    if facts is not None:
        out = out[:facts]
    return out, smallest_taxonomy(above, stated, self_)


def smallest_taxonomy(above, stated, self_):
    """Facts that no rule derives from others: direct parents, and properties
    that no ancestor has."""
    core = len(above) if self_ else 0
    for thing, up in above.items():
        through = set().union(*(above[a] for a in up)) if up else set()
        core += len(up - through)
        inherited = set().union(*(stated.get(a, ()) for a in up)) if up else set()
        core += len(stated.get(thing, set()) - inherited)
    return core


def large_taxonomy(constants, facts, seed):
    """As above, made with care for memory: (lines, smallest core)."""
    rng = random.Random(f"large:{constants}:{seed}")
    things = constants * 9 // 10
    above, stated, core = [()], [()], 0
    lines = []
    features = constants - things
    feature = 0
    for i in range(things):
        if i > 0:
            parent = rng.randrange(i)
            if rng.random() < 0.3:
                parent = min(parent, rng.randrange(i))
            above.append(above[parent] + (parent,))
            stated.append(stated[parent])
            core += 1
        mine = ()
        while feature < features and rng.random() < features / things * 1.2:
            mine += (feature,)
            feature += 1
        stated[i] = stated[i] + mine
        core += len(mine)
        for a in above[i]:
            lines.append(f"isa(c{i},c{a}).")
        for f in stated[i]:
            lines.append(f"has{f % 4}(c{i},f{f}).")
        if len(lines) > facts:
            break
    return lines, core


# ---- families ---------------------------------------------------------------

def family(people, seed, unmarried=0.0, single=0.0, names="p"):
    """(observations, core facts of the theory with gender, child and spouse)"""
    rng = random.Random(f"family:{people}:{seed}:{unmarried}:{single}")
    female, born, facts = {}, 0, set()
    children = spouses = 0

    def person(sex=None):
        nonlocal born
        name = f"{names}{born}"
        born += 1
        female[name] = rng.random() < 0.5 if sex is None else sex
        return name

    free = []
    while born < people:
        if not free:
            free.append(person())
        one = free.pop(rng.randrange(len(free)))
        other = person(not female[one])
        woman, man = (one, other) if female[one] else (other, one)
        if rng.random() >= unmarried:
            facts |= {("wife", woman, man), ("husband", man, woman)}
            spouses += 1
        for _ in range(rng.choice([1, 2, 2, 3, 4])):
            if born >= people:
                break
            child = person()
            word = "daughter" if female[child] else "son"
            facts |= {("mother", woman, child), (word, child, woman)}
            children += 1
            if rng.random() >= single:
                facts |= {("father", man, child), (word, child, man)}
                children += 1
            free.append(child)
    seen = {x for f in facts for x in f[1:]}
    return sorted(facts), len(seen) + children + spouses


# ---- constants, inequality, comparisons, negation -----------------------------

ODD = ("constant", "inequality", "comparison", "negation")


def odd(kind, things, seed):
    """(observations, core facts of the theory behind)"""
    rng = random.Random(f"odd:{kind}:{things}:{seed}")
    name = rng.choice("dkuw")
    all_ = [f"{name}{i}" for i in range(things)]
    values = [f"v{i}" for i in range(rng.randint(4, 9))]
    facts = set()
    if kind == "constant":  # badge(X,gold) :- manager(X).
        chosen = set(rng.sample(all_, things // rng.randint(3, 5)))
        for x in all_:
            facts.add(("badge", x, "gold" if x in chosen else rng.choice(values)))
        facts |= {("manager", x) for x in chosen}
        return sorted(facts), things
    if kind == "inequality":  # beside(X,Y) :- row(X,Z), row(Y,Z), X \= Y.
        row = {x: rng.choice(values) for x in all_}
        facts |= {("row", x, v) for x, v in row.items()}
        facts |= {("beside", x, y) for x in all_ for y in all_
                  if x != y and row[x] == row[y]}
        return sorted(facts), things
    if kind == "comparison":  # grown(X) :- age(X,N), N >= limit.
        limit = rng.randint(20, 60)
        age = {x: rng.randint(1, 90) for x in all_}
        facts |= {("age", x, str(n)) for x, n in age.items()}
        facts |= {("grown", x) for x, n in age.items() if n >= limit}
        return sorted(facts), things
    absent = set(rng.sample(all_, things // rng.randint(4, 6)))
    facts |= {("hue", x, rng.choice(values)) for x in all_}
    facts |= {("penguin", x) for x in absent}  # flies(X) :- bird(X), \+ penguin(X).
    facts |= {("bird", x) for x in all_} | {("flies", x) for x in all_ if x not in absent}
    return sorted(facts), things + len(absent)


# ---- running ----------------------------------------------------------------

def write(facts, path):
    with open(path, "w") as f:
        f.writelines(f"{p}({','.join(a)}).\n" for p, *a in facts)


ATOM = re.compile(r"(\\\+ )?([a-z]\w*)\(([^()]*)\)")
TEST = re.compile(r"(\w+) (\\=|<|=<|>=|>) (\w+)")
TESTS = {"\\=": lambda a, b: a != b, "<": lambda a, b: int(a) < int(b),
         "=<": lambda a, b: int(a) <= int(b), ">=": lambda a, b: int(a) >= int(b),
         ">": lambda a, b: int(a) > int(b)}


def parse(path):
    """Rules and facts of a theory that pith printed."""
    rules, facts = [], set()
    atoms = lambda text: [(bool(no), p, tuple(a.split(",")))
                          for no, p, a in ATOM.findall(text)]
    for line in open(path):
        line = line.split("%")[0].strip()
        if not line:
            continue
        if ":-" in line:
            head, body = line.split(":-")
            body_atoms = atoms(body)
            rules.append(((atoms(head)[0][1:]),
                          [a[1:] for a in body_atoms if not a[0]],
                          [a[1:] for a in body_atoms if a[0]], TEST.findall(body)))
        else:
            p, a = atoms(line)[0][1:]
            facts.add((p,) + a)
    return rules, facts


def levels(rules):
    """Rules by level: what a rule denies is complete below its level."""
    level = {head[0]: 0 for head, *_ in rules}
    for _ in range(len(level) + 1):
        for head, body, absent, _ in rules:
            level[head[0]] = max([level[head[0]]] + [level.get(p, 0) for p, _ in body]
                                 + [level[p] + 1 for p, _ in absent if p in level])
    for n in range(max(level.values(), default=0) + 1):
        yield [r for r in rules if level[r[0][0]] == n]


def closure(rules, facts):
    """Plain semi-naive evaluation, level by level, by index on one argument."""
    known = set(facts)
    for level in levels(rules):
        known = close_level(level, known)
    return known


def close_level(rules, facts):
    known, new, below = set(), set(facts), facts
    index = {}
    while new:
        fresh, new = new, set()
        known |= fresh
        for f in fresh:
            for i, c in enumerate(f[1:]):
                index.setdefault((f[0], i, c), []).append(f)
            index.setdefault(f[0], []).append(f)
        for head, body, absent, tests in rules:
            for first in range(len(body)):
                rest = body[:first] + body[first + 1:]
                for f in fresh:
                    if f[0] == body[first][0]:
                        match(head, (absent, tests, below), rest, index,
                              bind({}, body[first], f), known, new)
    return known


def is_variable(term):
    return term[0].isupper() or term[0] == "_"


def bind(env, atom, fact):
    if env is None or len(fact) - 1 != len(atom[1]):
        return None
    env = dict(env)
    for v, c in zip(atom[1], fact[1:]):
        if v == "_":
            continue
        if (env.setdefault(v, c) if is_variable(v) else v) != c:
            return None
    return env


def holds(conditions, env):
    absent, tests, below = conditions
    value = lambda t: env.get(t, t)
    return (all(TESTS[op](value(a), value(b)) for a, op, b in tests) and
            not any(bind(env, (p, args), f) is not None
                    for p, args in absent for f in below if f[0] == p))


def match(head, conditions, rest, index, env, known, new):
    if env is None:
        return
    if not rest:
        if holds(conditions, env):
            f = (head[0],) + tuple(env.get(v, v) for v in head[1])
            if f not in known:
                new.add(f)
        return
    atom, others = rest[0], rest[1:]
    rows = None
    for i, v in enumerate(atom[1]):
        if v in env or not is_variable(v):
            found = index.get((atom[0], i, env.get(v, v)), [])
            rows = found if rows is None or len(found) < len(rows) else rows
    for f in index.get(atom[0], []) if rows is None else rows:
        match(head, conditions, others, index, bind(env, atom, f), known, new)


def compress(pith, path, out, options):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.time()
    code = subprocess.run([pith, "compress", path, "-o", out, *options]).returncode
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    text = open(out).read()
    found = re.search(r"core (\d+) facts?, (\d+) rules?", text)
    return {"code": code, "core": int(found.group(1)), "rules": int(found.group(2)),
            "proved": "minimal for these rules: proved" in text,
            "seconds": after.ru_utime - before.ru_utime,
            "wall": time.time() - started, "mb": after.ru_maxrss / 1024}


def instances(args):
    for n in (60, 150, 400):
        for seed in range(args.seeds):
            kinds = [dict(), dict(trees=3), dict(several=True), dict(self_=True),
                     dict(relations=6, names="zz")]
            yield (f"taxonomy {n}", *taxonomy(n, seed, **kinds[seed % len(kinds)]))
    for n in (20, 40, 60):
        for seed in range(args.seeds):
            kinds = [dict(), dict(unmarried=0.3), dict(single=0.3),
                     dict(unmarried=0.2, single=0.2), dict(names="zz")]
            yield (f"family {n}", *family(n, seed, **kinds[seed % len(kinds)]))
    for kind in ODD:
        for n in (30, 60):
            for seed in range(args.seeds):
                yield (f"{kind} {n}", *odd(kind, n, args.draw * 1000 + seed))


def observed_again(path, facts):
    rules, core = parse(path)
    names = {f[0] for f in facts}
    return {f for f in closure(rules, core) if f[0] in names} == set(facts)


def run_small(args, folder):
    rows = {}
    for name, facts, least in instances(args):
        if not name.startswith(tuple(args.only.split(","))):
            continue
        path, out = os.path.join(folder, "facts.pl"), os.path.join(folder, "theory.pl")
        write(facts, path)
        r = compress(args.pith, path, out, args.options.split())
        r["exact"] = r["code"] == 0 and observed_again(out, facts)
        r["small"] = r["core"] <= least
        if not (r["exact"] and r["small"]):
            print(f"  {name}: {len(facts)} observed, core {r['core']}, "
                  f"{least} possible, exact {r['exact']}")
        rows.setdefault(name, []).append((r, len(facts), least))
    print("| observations | facts | core | of the theory behind | exact | small enough "
          "| proved | s, mean | s, most | MB |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    bad = 0
    for name, list_ in rows.items():
        n = len(list_)
        mean = lambda f: sum(map(f, list_)) / n
        good = sum(r["exact"] for r, _, _ in list_), sum(r["small"] for r, _, _ in list_)
        bad += 2 * n - sum(good)
        print(f"| {name} | {mean(lambda x: x[1]):.0f} | {mean(lambda x: x[0]['core']):.1f} "
              f"| {mean(lambda x: x[2]):.1f} | {good[0]} of {n} | {good[1]} of {n} "
              f"| {sum(r['proved'] for r, _, _ in list_)} of {n} "
              f"| {mean(lambda x: x[0]['seconds']):.2f} "
              f"| {max(r['seconds'] for r, _, _ in list_):.2f} "
              f"| {max(r['mb'] for r, _, _ in list_):.0f} |")
    return bad


def run_large(args, folder):
    path, out = os.path.join(folder, "large.pl"), os.path.join(folder, "theory.pl")
    lines, least = large_taxonomy(100000, 2000000, 1)
    with open(path, "w") as f:
        f.write("\n".join(lines) + "\n")
    r = compress(args.pith, path, out, args.options.split())
    print(f"taxonomy of 100000: {len(lines)} observed, core {r['core']} of {least}, "
          f"{r['rules']} rules, exit {r['code']}, {r['seconds']:.1f} s, {r['mb']:.0f} MB")
    facts, least = family(10000, 1)
    write(facts, path)
    r = compress(args.pith, path, out, args.options.split())
    print(f"family of 10000: {len(facts)} observed, core {r['core']} of {least}, "
          f"{r['rules']} rules, exit {r['code']}, {r['seconds']:.1f} s, {r['mb']:.0f} MB")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["taxonomy", "family", "odd", "large", "run"])
    parser.add_argument("--kind", choices=ODD, default="constant")
    parser.add_argument("--only", default="", help="run: kinds that begin with this")
    parser.add_argument("--draw", type=int, default=0, help="another draw of odd ones")
    parser.add_argument("--constants", type=int, default=60)
    parser.add_argument("--facts", type=int, default=1000000)
    parser.add_argument("--people", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--relations", type=int, default=3)
    parser.add_argument("--trees", type=int, default=1)
    parser.add_argument("--several", action="store_true", help="several parents")
    parser.add_argument("--self", action="store_true", help="isa(X,X) too")
    parser.add_argument("--unmarried", type=float, default=0)
    parser.add_argument("--single", type=float, default=0)
    parser.add_argument("--pith", default="build/pith")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--options", default="", help="for pith compress")
    parser.add_argument("--large", action="store_true")
    args = parser.parse_args()
    if args.what == "run":
        with tempfile.TemporaryDirectory() as folder:
            return (run_large if args.large else run_small)(args, folder) > 0
    if args.what == "large":
        lines, least = large_taxonomy(args.constants, args.facts, args.seed)
        print("\n".join(lines))
    else:
        facts, least = (taxonomy(args.constants, args.seed, args.relations, args.trees,
                                 args.several, getattr(args, "self"))
                        if args.what == "taxonomy" else
                        odd(args.kind, args.constants, args.seed)
                        if args.what == "odd" else
                        family(args.people, args.seed, args.unmarried, args.single))
        for p, *a in facts:
            print(f"{p}({','.join(a)}).")
    print(f"core of the theory behind: {least}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
