#!/usr/bin/env python3
"""Whether probabilities hold on generated graphs from which facts were removed.

    bench/calibration.py [--pith FILE] [--worlds a,b] [--rates 0,0.05,0.1,0.2,0.3]
                         [--seeds 101,102] [--processes N] [--valid]

A world is generated whole; facts are removed at a rate, and those are the test
part. With --valid half of them are the valid part. `pith learn` sees the rest;
it is never told the rate. At rate 0 the graph is complete: nothing is true but
what is known, and we ask `infer --top 1` about 60 entities of each relation.
Prints a row a graph: MRR, the calibration errors of `pith score`, and at rate 0
the mean and the largest probability of a best answer.

Settings were chosen on the worlds org, geography and typed with seeds below
100. The others, and seeds from 100, played no part in that; friends, transit,
animals, league and visits were written afterwards, and citations, products,
proteins, communities, transfers and films after those.
"""
import argparse
import json
import multiprocessing
import os
import pathlib
import random
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def org(dice):
    """Employees in a tree; `under` is the closure of `manager`."""
    n = dice.randint(80, 250)
    boss, facts = {}, []
    for i in range(1, n):
        boss[i] = dice.randrange(max(0, i // 4 - 3), (i + 3) // 4)
    units = max(3, n // 15)
    for i in range(n):
        unit = f"unit{i % units}" if dice.random() < 0.5 or i not in boss else \
            f"unit{boss[i] % units}"
        facts += [(f"e{i}", "unit", unit), (f"e{i}", "site", f"site{hash_of(unit) % 4}")]
        if i in boss:
            facts.append((f"e{i}", "manager", f"e{boss[i]}"))
        above = boss.get(i)
        while above is not None:
            facts.append((f"e{i}", "under", f"e{above}"))
            above = boss.get(above)
    return facts


def hash_of(text):
    return sum(ord(c) * (i + 1) for i, c in enumerate(text))


def geography(dice):
    facts = []
    lands = dice.randint(25, 60)
    continent = {c: f"continent{dice.randrange(5)}" for c in range(lands)}
    for c in range(lands):
        land = f"land{c}"
        facts += [(land, "part_of", continent[c]), (land, "currency", f"coin{c // 2}"),
                  (land, "language", f"tongue{hash_of(continent[c]) % 3 + dice.randrange(3)}")]
        for d in range(c):
            if continent[d] == continent[c] and dice.random() < 0.3:
                facts += [(land, "borders", f"land{d}"), (f"land{d}", "borders", land)]
        for k in range(dice.randint(2, 8)):
            town = f"town{c}_{k}"
            facts += [(town, "lies_in", land), (town, "lies_in", continent[c])]
            if k == 0:
                facts += [(town, "capital_of", land), (land, "capital", town)]
            if dice.random() < 0.6:
                facts.append((town, "spoken", f"tongue{hash_of(continent[c]) % 3}"))
    return facts


def typed(dice):
    """Types, relations between them, and rules that hold now and then."""
    types = [[f"t{t}_{i}" for i in range(dice.randint(20, 80))] for t in range(4)]
    facts, by = set(), {}
    for r in range(8):
        a, b = dice.randrange(4), dice.randrange(4)
        by[r] = (a, b, set())
        for x in types[a]:
            for _ in range(dice.choice([0, 1, 1, 2, 3])):
                y = dice.choice(types[b][:max(3, int(len(types[b]) * dice.random()))])
                by[r][2].add((x, y))
    heads = 0
    for r in range(8):
        for s in range(8):
            if heads < 5 and by[r][1] == by[s][0] and dice.random() < 0.4:
                share = dice.choice([0.6, 0.8, 1.0])
                for x, y in sorted(by[r][2]):
                    for z in sorted(w for v, w in by[s][2] if v == y):
                        if dice.random() < share:
                            facts.add((x, f"h{heads}", z))
                heads += 1
    for r in by:
        facts |= {(x, f"r{r}", y) for x, y in by[r][2]}
    return sorted(facts)


def family(dice):
    facts, people = [], []
    parents, spouse, male = {}, {}, {}

    def person(mother=None, father=None):
        p = f"p{len(people)}"
        people.append(p)
        male[p] = dice.random() < 0.5
        parents[p] = (mother, father) if mother else None
        return p

    generation = [person() for _ in range(dice.randint(12, 24))]
    for _ in range(3):
        men = [p for p in generation if male[p]]
        women = [p for p in generation if not male[p]]
        dice.shuffle(men)
        born = []
        for man, woman in zip(men, women):
            spouse[man], spouse[woman] = woman, man
            born += [person(woman, man) for _ in range(dice.randint(0, 5))]
        generation = born
    children = {}
    for p, two in parents.items():
        for q in two or ():
            children.setdefault(q, []).append(p)
    for p in people:
        if p in spouse:
            facts.append((p, "spouse", spouse[p]))
        if not parents[p]:
            continue
        mother, father = parents[p]
        facts += [(mother, "mother", p), (father, "father", p)]
        siblings = [q for q in children[mother] if q != p]
        facts += [(p, "brother" if male[p] else "sister", q) for q in siblings]
        for q in (mother, father):
            for g in parents[q] or ():
                facts.append((g, "grandparent", p))
            if parents[q]:
                facts += [(u, "uncle" if male[u] else "aunt", p)
                          for u in children[parents[q][0]] if u != q]
    return facts


def catalogue(dice):
    facts = []
    kinds = dice.randint(10, 25)
    shelf = [k // 4 for k in range(kinds)]
    facts += [(f"kind{k}", "within", f"group{shelf[k]}") for k in range(kinds)]
    items = []
    for i in range(dice.randint(150, 400)):
        kind, brand = dice.randrange(kinds), dice.randrange(12)
        items.append((kind, brand))
        name = f"item{i}"
        facts += [(name, "kind", f"kind{kind}"), (name, "brand", f"brand{brand}"),
                  (name, "stored", f"hall{shelf[kind]}")]
        if dice.random() < 0.8:
            facts.append((name, "supplier", f"supplier{brand % 5}"))
        for j in range(i):
            if items[j] == items[i] or (items[j][1] == brand and dice.random() < 0.02):
                facts.append((name, "fits", f"item{j}"))
                facts.append((f"item{j}", "fits", name))
            elif items[j][0] == kind and dice.random() < 0.15:
                facts.append((name, "bought_with", f"item{j}"))
    return facts


def papers(dice):
    facts = []
    fields = dice.randint(4, 9)
    writers = [dice.randrange(fields) for _ in range(dice.randint(40, 90))]
    for w, field in enumerate(writers):
        facts.append((f"writer{w}", "works_on", f"field{field}"))
        if dice.random() < 0.7:
            facts.append((f"writer{w}", "house", f"house{(field + dice.randrange(2)) % 7}"))
    topic = []
    for p in range(dice.randint(150, 300)):
        lead = dice.randrange(len(writers))
        topic.append(writers[lead])
        near = [w for w in range(len(writers)) if writers[w] == writers[lead]]
        facts += [(f"paper{p}", "field", f"field{topic[p]}"),
                  (f"paper{p}", "venue", f"venue{2 * topic[p] + dice.randrange(2)}")]
        for w in {lead, *dice.sample(near, min(len(near), dice.randrange(3)))}:
            facts.append((f"writer{w}", "wrote", f"paper{p}"))
        for q in dice.sample(range(p), min(p, dice.randrange(6))):
            if topic[q] == topic[p] or dice.random() < 0.1:
                facts.append((f"paper{p}", "cites", f"paper{q}"))
    return facts


def friends(dice):
    """One relation, symmetric: friends of friends in the same town are friends."""
    n = dice.randint(60, 120)
    town = [dice.randrange(5) for _ in range(n)]
    pairs = {(a, b) for a in range(n) for b in range(a)
             if dice.random() < (0.08 if town[a] == town[b] else 0.005)}
    for _ in range(2):
        near = {p: {b for q, b in pairs | {(b, a) for a, b in pairs} if q == p}
                for p in range(n)}
        pairs |= {(a, b) for p in range(n) for a in near[p] for b in near[p]
                  if b < a and dice.random() < 0.08}
    return [(f"p{a}", "friend", f"p{b}") for x, y in pairs for a, b in ((x, y), (y, x))]


def transit(dice):
    """Lines of stations: the next station, lines, where to change."""
    facts, lines = [], dice.randint(8, 14)
    stations = [f"station{i}" for i in range(12 * lines)]
    served = {}
    for k in range(lines):
        stops = dice.sample(stations, dice.randint(10, 25))
        for i, s in enumerate(stops):
            facts.append((s, "on_line", f"line{k}"))
            served.setdefault(s, set()).add(k)
            if i > 0:
                facts += [(stops[i - 1], "next", s), (s, "back", stops[i - 1])]
        facts += [(f"line{k}", "first_stop", stops[0]), (f"line{k}", "last_stop", stops[-1])]
    for a in range(lines):
        for b in range(lines):
            if a != b and any({a, b} <= k for k in served.values()):
                facts.append((f"line{a}", "meets", f"line{b}"))
    return facts


def animals(dice):
    """A taxonomy whose properties are inherited, with exceptions."""
    facts, kinds = [], ["life"]
    parent, own = {}, {"life": set()}
    for i in range(dice.randint(60, 140)):
        up = dice.choice(kinds[-20:])
        kind = f"kind{i}"
        parent[kind] = up
        own[kind] = {p for p in sorted(own[up]) if dice.random() < 0.95}
        if dice.random() < 0.3:
            own[kind].add(f"trait{dice.randrange(25)}")
        kinds.append(kind)
        facts.append((kind, "isa", up))
        facts += [(kind, "has", p) for p in own[kind]]
        if dice.random() < 0.7:
            facts.append((kind, "eats", dice.choice(kinds[:max(1, i // 2)])))
    return facts


def league(dice):
    """Players by strength: who beat whom, teams, and years of birth as numbers."""
    n = dice.randint(50, 90)
    strength = [dice.gauss(0, 1) for _ in range(n)]
    facts = []
    for a in range(n):
        year = int(1990 + 4 * dice.random() - 3 * strength[a])
        facts += [(f"player{a}", "born", str(year)),
                  (f"player{a}", "team", f"team{dice.randrange(8)}"),
                  (f"player{a}", "class", "senior" if year < 1991 else "junior")]
        for b in range(a):
            if dice.random() < 0.25:
                wins = strength[a] + dice.gauss(0, 0.5) > strength[b]
                facts.append((f"player{a if wins else b}", "beat", f"player{b if wins else a}"))
    return facts


def visits(dice):
    """Nothing but popularity: who visits what is drawn by chance."""
    places = [f"place{i}" for i in range(40)]
    weights = [1 / (i + 1) for i in range(40)]
    return [(f"guest{g}", "visited", p) for g in range(dice.randint(80, 160))
            for p in set(dice.choices(places, weights, k=dice.randint(2, 9)))]


def citations(dice):
    """Papers by year: newer ones cite older ones of their topic, famous ones most."""
    n, topics = dice.randint(120, 220), dice.randint(4, 8)
    facts, topic, cited = [], [], []
    for p in range(n):
        year = 1990 + p * 30 // n
        topic.append(dice.randrange(topics))
        facts += [(f"paper{p}", "year", str(year)), (f"paper{p}", "topic", f"topic{topic[p]}"),
                  (f"paper{p}", "era", "old" if year < 2005 else "new")]
        near = [q for q in range(p) if topic[q] == topic[p]]
        famous = [q for q in cited if topic[q] == topic[p]]
        for _ in range(dice.randint(1, 5)):
            pool = famous if famous and dice.random() < 0.5 else near
            if pool and dice.random() < 0.9:
                q = dice.choice(pool)
                cited.append(q)
                facts.append((f"paper{p}", "cites", f"paper{q}"))
    return facts


def products(dice):
    """Products have parts, parts have parts; a product contains all materials of its parts."""
    facts, made_of, parts = [], {}, {}
    materials = [f"material{i}" for i in range(dice.randint(8, 15))]
    screws = [f"screw{i}" for i in range(dice.randint(20, 40))]
    for x in screws:
        made_of[x] = {dice.choice(materials[:5]), dice.choice(materials)}
    layers = [screws]
    for layer in range(2):
        layers.append([f"{('module', 'product')[layer]}{i}" for i in range(dice.randint(40, 80))])
        for x in layers[-1]:
            parts[x] = set(dice.sample(layers[-2], dice.randint(1, 4)))
            made_of[x] = set().union(*(made_of[y] for y in parts[x]))
            facts += [(x, "has_part", y) for y in parts[x]]
            facts += [(x, "needs", z) for y in parts[x] for z in parts.get(y, ())]
    facts += [(x, "contains", m) for x in made_of for m in made_of[x]]
    facts += [(x, "maker", f"maker{hash_of(x) % 7}") for x in made_of if dice.random() < 0.8]
    return facts


def proteins(dice):
    """Proteins of one complex bind each other, mostly, and do the same thing."""
    facts, n = [], dice.randint(120, 220)
    complexes = [dice.sample(range(n), dice.randint(3, 8)) for _ in range(n // 5)]
    binds = set()
    for k, members in enumerate(complexes):
        task = dice.randrange(12)
        facts.append((f"complex{k}", "task", f"task{task}"))
        for a in members:
            facts.append((f"protein{a}", "in_complex", f"complex{k}"))
            if dice.random() < 0.8:
                facts.append((f"protein{a}", "does", f"task{task}"))
            binds |= {(a, b) for b in members if b < a and dice.random() < 0.6}
    binds |= {(a, b) for a in range(n) for b in range(a) if dice.random() < 0.003}
    facts += [(f"protein{a}", "found_in", f"place{dice.randrange(6)}") for a in range(n)]
    return facts + [(f"protein{x}", "binds", f"protein{y}") for a, b in binds
                    for x, y in ((a, b), (b, a))]


def communities(dice):
    """People in communities follow each other, not always both ways; groups and towns."""
    n, groups = dice.randint(100, 180), dice.randint(5, 9)
    home = [dice.randrange(groups) for _ in range(n)]
    fame = [1 / (1 + dice.randrange(20)) for _ in range(n)]
    follows = set()
    for a in range(n):
        for b in range(n):
            chance = 0.35 * fame[b] + 0.03 if home[a] == home[b] else 0.04 * fame[b]
            if a != b and dice.random() < chance:
                follows.add((a, b))
    follows |= {(b, a) for a, b in sorted(follows) if dice.random() < 0.4}
    facts = [(f"user{a}", "follows", f"user{b}") for a, b in follows]
    for a in range(n):
        facts.append((f"user{a}", "member", f"group{home[a]}"))
        if dice.random() < 0.3:
            facts.append((f"user{a}", "member", f"group{dice.randrange(groups)}"))
        facts.append((f"user{a}", "town", f"town{(home[a] + (dice.random() < 0.4)) % 4}"))
    return facts


def transfers(dice):
    """Players and their clubs: one club now, clubs before, leagues, countries, agents."""
    facts, clubs = [], dice.randint(16, 30)
    league = [k // 6 for k in range(clubs)]
    for k in range(clubs):
        facts += [(f"club{k}", "league", f"league{league[k]}"),
                  (f"club{k}", "ground", f"ground{k}")]
        facts += [(f"club{k}", "rival", f"club{j}") for j in range(clubs)
                  if j != k and league[j] == league[k] and (j + k) % 3 == 0]
    for p in range(dice.randint(150, 300)):
        club = dice.randrange(clubs)
        facts.append((f"player{p}", "agent", f"agent{dice.randrange(15)}"))
        facts.append((f"player{p}", "from", f"country{league[club] if dice.random() < 0.7 else dice.randrange(9)}"))
        for _ in range(dice.choice([0, 1, 1, 2, 3])):
            near = [j for j in range(clubs) if league[j] == league[club] and j != club]
            new = dice.choice(near) if near and dice.random() < 0.6 else dice.randrange(clubs)
            facts += [(f"player{p}", "played_for", f"club{club}"),
                      (f"club{club}", "sold_to", f"club{new}")]
            club = new
        facts += [(f"player{p}", "club", f"club{club}"), (f"player{p}", "in_league", f"league{league[club]}")]
    return [f for f in facts if f[0] != f[2]]


def films(dice):
    """Films with a director, actors who return to directors, genres that go with both."""
    facts, genres = [], dice.randint(6, 10)
    directors = [dice.sample(range(genres), 2) for _ in range(dice.randint(15, 30))]
    actors = [dice.sample(range(genres), 3) for _ in range(dice.randint(60, 120))]
    for f in range(dice.randint(120, 240)):
        by = dice.randrange(len(directors))
        kinds = {dice.choice(directors[by])} | ({dice.randrange(genres)} if dice.random() < 0.3 else set())
        fits = [a for a in range(len(actors)) if kinds & set(actors[a])]
        regulars = [a for a in fits if a % len(directors) == by]
        cast = set(dice.sample(fits, min(len(fits), dice.randint(1, 4)))) | set(
            a for a in regulars if dice.random() < 0.5)
        facts.append((f"director{by}", "directed", f"film{f}"))
        facts += [(f"film{f}", "genre", f"genre{g}") for g in kinds]
        facts += [(f"actor{a}", "acted_in", f"film{f}") for a in cast]
        facts += [(f"actor{a}", "worked_with", f"director{by}") for a in cast]
        if dice.random() < 0.5:
            facts.append((f"film{f}", "studio", f"studio{by % 5}"))
    return facts


WORLDS = {f.__name__: f for f in (org, geography, typed, family, catalogue, papers,
                                  friends, transit, animals, league, visits, citations,
                                  products, proteins, communities, transfers, films)}


def write_triples(path, facts):
    path.write_text("".join("\t".join(f) + "\n" for f in facts))


def run(*command):
    return subprocess.run([str(c) for c in command], capture_output=True, text=True,
                          check=False).stdout


def score(pith, model, folder):
    for line in run(pith, "score", "--format", "json", "-j1", model, folder).splitlines():
        event = json.loads(line)
        if event["event"] == "calibration":
            errors = event
        elif event["event"] == "ranks" and event["asked"] == "both":
            mrr = event["mrr"]
    return mrr, errors


def ask_complete(pith, model, graph, facts, dice):
    """Best answers on a graph that misses nothing, asked for from either side, about entities
    that have answers and others that have none: the head of a firm has no manager."""
    questions = []
    entities = sorted({e for x, _, y in facts for e in (x, y)})
    for relation in sorted({r for _, r, _ in facts}):
        for side, query in ((0, "'{}'('{}',X)"), (2, "'{}'(X,'{}')")):
            have = sorted({f[side] for f in facts if f[1] == relation})
            others = sorted(set(entities) - set(have))
            for e in dice.sample(have, min(len(have), 10)) + \
                    dice.sample(others, min(len(others), 10)):
                questions.append(query.format(relation, e) + "\n")
    asked = model.with_suffix(".questions")
    asked.write_text("".join(questions))
    said = run(pith, "infer", "--top", "1", "--format", "json", model, graph, "--queries", asked)
    events = [json.loads(line) for line in said.splitlines()]
    return [event["probability"] for event in events if event["event"] == "answer"]


def measure(job):
    pith, world, rate, seed, valid = job
    dice = random.Random(f"{world} {seed}")
    facts = sorted(set(WORLDS[world](dice)))
    gone = set(f for f in facts if dice.random() < rate)
    kept, gone = [f for f in facts if f not in gone], sorted(gone)
    dice.shuffle(gone)
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        held = len(gone) // 2 if valid else 0
        write_triples(folder / "train.tsv", kept)
        if held:
            write_triples(folder / "valid.tsv", gone[:held])
        model = folder / "model.pl"
        run(pith, "learn", "-j1", folder, "-o", model)
        row = f"| {world} | {seed} | {rate:.2f} | {len(kept)} "
        if rate == 0:
            said = ask_complete(pith, model, folder, facts, dice)
            mean = sum(said) / len(said)
            over = sum(p >= 0.5 for p in said)
            return row + f"| | {mean:.4f} (mean of {len(said)}, {over} of .5 or more) | | | |"
        write_triples(folder / "test.tsv", gone[held:])
        mrr, e = score(pith, model, folder)
        return row + (f"| {mrr:.3f} | {e['calibration_error']:.4f} | "
                      f"{e['equal_count_error']:.4f} | {e['first_error']:.4f} | "
                      f"{e['asked_error']:.4f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--pith", default=ROOT / "build" / "pith")
    parser.add_argument("--worlds", default=",".join(WORLDS))
    parser.add_argument("--rates", default="0,0.05,0.1,0.2,0.3")
    parser.add_argument("--seeds", default="101,102")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--valid", action="store_true")
    args = parser.parse_args()
    jobs = [(os.path.abspath(args.pith), world, float(rate), int(seed), args.valid)
            for world in args.worlds.split(",") for rate in args.rates.split(",")
            for seed in args.seeds.split(",")]
    print("| world | seed | removed | facts | MRR | calibration error | equal counts | "
          "best answers | asked |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|", flush=True)
    with multiprocessing.Pool(args.processes) as pool:
        for row in pool.imap(measure, jobs):
            print(row, flush=True)


if __name__ == "__main__":
    main()
