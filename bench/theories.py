#!/usr/bin/env python3
"""Observations with a known theory behind them, and whether pith finds it.

  bench/theories.py taxonomy --constants 400 --seed 1   > facts.pl
  bench/theories.py family --people 60 --seed 1         > facts.pl
  bench/theories.py run --pith build/pith [--large]

A taxonomy has one or several random trees (with --several, also several
parents), properties at unrelated classes, and all that classes hand down. A
family grows from couples; who is whose mother, father, daughter, son, wife and
husband is observed. `run` compresses many of both: whether what follows is what
was observed (pith's own engine is not asked), and whether the core is as small
as that of the theory the facts were made with.
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


# ---- running ----------------------------------------------------------------

def write(facts, path):
    with open(path, "w") as f:
        f.writelines(f"{p}({','.join(a)}).\n" for p, *a in facts)


def parse(path):
    """Rules and facts of a theory that pith printed."""
    rules, facts = [], set()
    atom = re.compile(r"([a-z]\w*)\(([^()]*)\)")
    for line in open(path):
        line = line.split("%")[0].strip()
        if not line:
            continue
        if ":-" in line:
            head, body = line.split(":-")
            differ = re.findall(r"(\w+) \\= (\w+)", body)
            rules.append(([(p, tuple(a.split(","))) for p, a in atom.findall(head)][0],
                          [(p, tuple(a.split(","))) for p, a in atom.findall(body)],
                          differ))
        else:
            p, a = atom.findall(line)[0]
            facts.add((p,) + tuple(a.split(",")))
    return rules, facts


def closure(rules, facts):
    """Plain semi-naive evaluation, by index on one argument."""
    known, new = set(), set(facts)
    index = {}
    while new:
        fresh, new = new, set()
        known |= fresh
        for f in fresh:
            for i, c in enumerate(f[1:]):
                index.setdefault((f[0], i, c), []).append(f)
            index.setdefault(f[0], []).append(f)
        for head, body, differ in rules:
            for first in range(len(body)):
                rest = body[:first] + body[first + 1:]
                for f in fresh:
                    if f[0] == body[first][0]:
                        match(head, differ, rest, index,
                              bind({}, body[first], f), known, new)
    return known


def bind(env, atom, fact):
    if env is None or len(fact) - 1 != len(atom[1]):
        return None
    env = dict(env)
    for v, c in zip(atom[1], fact[1:]):
        if env.setdefault(v, c) != c:
            return None
    return env


def match(head, differ, rest, index, env, known, new):
    if env is None:
        return
    if not rest:
        if all(env[a] != env[b] for a, b in differ):
            f = (head[0],) + tuple(env[v] for v in head[1])
            if f not in known:
                new.add(f)
        return
    atom, others = rest[0], rest[1:]
    rows = None
    for i, v in enumerate(atom[1]):
        if v in env:
            found = index.get((atom[0], i, env[v]), [])
            rows = found if rows is None or len(found) < len(rows) else rows
    for f in index.get(atom[0], []) if rows is None else rows:
        match(head, differ, others, index, bind(env, atom, f), known, new)


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


def observed_again(path, facts):
    rules, core = parse(path)
    names = {f[0] for f in facts}
    return {f for f in closure(rules, core) if f[0] in names} == set(facts)


def run_small(args, folder):
    rows = {}
    for name, facts, least in instances(args):
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
    parser.add_argument("what", choices=["taxonomy", "family", "large", "run"])
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
                        family(args.people, args.seed, args.unmarried, args.single))
        for p, *a in facts:
            print(f"{p}({','.join(a)}).")
    print(f"core of the theory behind: {least}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
