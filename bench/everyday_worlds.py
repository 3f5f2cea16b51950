"""Worlds for everyday.py: recursion, constants, numbers, negation, noise.

A kind is a function (rng, scale, names) -> World. All names go through names(),
which gives every word another one, the same in both worlds of a draw.
"""
import itertools


class World:
    def __init__(self, facts, true, false, truth, more=()):
        self.facts, self.truth = facts, truth  # truth: rules as text
        self.true, self.false = sorted(true), sorted(false)
        self.more = more  # further targets: (predicate, true, false)


class Names:
    """A random word for each word, the same whenever it is asked for."""

    def __init__(self, rng):
        self.rng, self.map, self.used = rng, {}, set()

    def __call__(self, word):
        while word not in self.map:
            name = "".join(self.rng.choice("bcdfglmnprstvz") + self.rng.choice("aeiou")
                           for _ in range(self.rng.randint(2, 3)))
            if name not in self.used:
                self.used.add(name)
                self.map[word] = name
        return self.map[word]


def things(prefix, n):
    return [f"{prefix}{i}" for i in range(n)]


def closure(pairs):
    after, whole = {}, set()
    for a, b in pairs:
        after.setdefault(a, set()).add(b)
    for start in after:
        todo, seen = list(after[start]), set()
        while todo:
            x = todo.pop()
            if x not in seen:
                seen.add(x)
                todo += after.get(x, ())
        whole |= {(start, x) for x in seen}
    return whole


def graph(rng, n):
    nodes = things("n", n)
    rng.shuffle(nodes)
    edges = {(nodes[rng.randrange(max(0, i - 4), i)], nodes[i])
             for i in range(1, n) if rng.random() < 0.85}
    edges |= {tuple(rng.sample(nodes, 2)) for _ in range(max(1, n // 8))}
    return nodes, edges


def reach(rng, scale, w):
    nodes, edges = graph(rng, int(14 * scale))
    true = closure(edges)
    pairs = {(a, b) for a in nodes for b in nodes if a != b}
    e, t = w("edge"), w("target")
    return World({(e, a, b) for a, b in edges}, true - edges, pairs - true,
                 f"{t}(A,B) :- {e}(A,B). {t}(A,B) :- {e}(A,C), {t}(C,B).")


def ancestor(rng, scale, w):
    n = int(16 * scale)
    people, parents = things("p", n), set()
    for i in range(2, n):
        for p in rng.sample(range(max(0, i - 6), i), min(i, rng.choice([1, 1, 2]))):
            parents.add((people[p], people[i]))
    true = closure(parents)
    pairs = {(a, b) for a in people for b in people if a != b}
    e, t = w("parent"), w("target")
    facts = {(e, a, b) for a, b in parents}
    facts |= {(w(rng.choice(["male", "female"])), p) for p in people}
    return World(facts, true, pairs - true,
                 f"{t}(A,B) :- {e}(A,B). {t}(A,B) :- {e}(A,C), {t}(C,B).")


class Lists:
    """Lists as cells: first/2, rest/2, empty/1; all end in one empty cell."""

    def __init__(self, rng, w, scale, values=6):
        self.rng, self.w, self.n = rng, w, 0
        self.facts = {(w("empty"), "nil")}
        self.values = things("v", values)
        self.content = {"nil": ()}
        self.made = {(): "nil"}

    def add(self, items):
        items = tuple(items)
        if items not in self.made:
            rest = self.add(items[1:])
            self.n += 1
            cell = f"l{self.n}"
            self.facts |= {(self.w("first"), cell, items[0]), (self.w("rest"), cell, rest)}
            self.made[items], self.content[cell] = cell, items
        return self.made[items]

    def some(self, count, longest):
        return [self.add(self.rng.choices(self.values, k=self.rng.randint(0, longest)))
                for _ in range(count)]


def lists_of(rng, scale, w, count=6, longest=5, values=6):
    world = Lists(rng, w, scale, values)
    tops = world.some(int(count * scale), int(longest * scale ** 0.5))
    return world, sorted(set(tops))


def member(rng, scale, w):
    ls, tops = lists_of(rng, scale, w)
    true = {(v, c) for c in tops for v in ls.content[c]}
    every = {(v, c) for c in tops for v in ls.values}
    f, r, t = w("first"), w("rest"), w("target")
    return World(ls.facts, true, every - true,
                 f"{t}(A,B) :- {f}(B,A). {t}(A,B) :- {r}(B,C), {t}(A,C).")


def last(rng, scale, w):
    ls, tops = lists_of(rng, scale, w)
    true = {(c, ls.content[c][-1]) for c in tops if ls.content[c]}
    every = {(c, v) for c in tops for v in ls.values}
    f, r, e, t = w("first"), w("rest"), w("empty"), w("target")
    return World(ls.facts, true, every - true,
                 f"{t}(A,B) :- {f}(A,B), {r}(A,C), {e}(C). {t}(A,B) :- {r}(A,C), {t}(C,B).")


def even_length(rng, scale, w):
    ls, tops = lists_of(rng, scale, w, count=12, longest=7)
    true = {(c,) for c in tops if len(ls.content[c]) % 2 == 0}
    r, e, t = w("rest"), w("empty"), w("target")
    return World(ls.facts, true, {(c,) for c in tops} - true,
                 f"{t}(A) :- {e}(A). {t}(A) :- {r}(A,B), {r}(B,C), {t}(C).")


def is_sorted(rng, scale, w):
    world = Lists(rng, w, scale, 7)
    for _ in range(int(16 * scale)):
        items = rng.choices(range(7), k=rng.randint(0, int(4 * scale ** 0.5) + 1))
        items = sorted(items) if rng.random() < 0.55 else items
        world.add(world.values[i] for i in items)
    order = {v: i for i, v in enumerate(world.values)}
    leq, r, e, f, t = w("leq"), w("rest"), w("empty"), w("first"), w("target")
    world.facts |= {(leq, a, b) for a in world.values for b in world.values
                    if order[a] <= order[b]}
    ranks = {c: [order[v] for v in items] for c, items in world.content.items()}
    true = {(c,) for c, x in ranks.items() if x == sorted(x)}
    return World(world.facts, true, {(c,) for c in ranks} - true,
                 f"{t}(A) :- {e}(A). {t}(A) :- {r}(A,B), {e}(B). {t}(A) :- {f}(A,B), "
                 f"{r}(A,C), {f}(C,D), {leq}(B,D), {t}(C).")


def prefix(rng, scale, w):
    world = Lists(rng, w, scale, 4)
    tops = []
    for _ in range(int(6 * scale)):
        items = rng.choices(world.values, k=rng.randint(1, int(4 * scale ** 0.5) + 1))
        tops.append(world.add(items))
        tops.append(world.add(items[:rng.randint(0, len(items))]))
        odd = list(items)
        odd[rng.randrange(len(odd))] = rng.choice(world.values)
        tops.append(world.add(odd[:rng.randint(1, len(odd))]))
    tops = sorted(set(tops))
    pairs = set(itertools.product(tops, tops))
    true = {(a, b) for a, b in pairs
            if world.content[b][:len(world.content[a])] == world.content[a]}
    near = {(a, b) for a, b in pairs - true
            if len(world.content[a]) <= len(world.content[b])} | set(
                rng.sample(sorted(pairs - true), min(5, len(pairs - true))))
    r, e, f, t = w("rest"), w("empty"), w("first"), w("target")
    facts = world.facts | {(w("list"), c) for c in world.content}
    return World(facts, true, near,
                 f"{t}(A,B) :- {e}(A), {w('list')}(B). {t}(A,B) :- {f}(A,C), {f}(B,C), "
                 f"{r}(A,D), {r}(B,E), {t}(D,E).")


def append(rng, scale, w):
    world = Lists(rng, w, scale, 4)
    true, every = set(), set()
    for _ in range(int(16 * scale)):
        one = rng.choices(world.values, k=rng.randint(0, 3))
        two = rng.choices(world.values, k=rng.randint(0, 3))
        abc = [world.add(one), world.add(two), world.add(one + two)]
        true.add(tuple(abc))
        every.add((abc[1], abc[0], abc[2]))
        odd = one + two
        if odd:
            odd[rng.randrange(len(odd))] = rng.choice(world.values)
            every.add((abc[0], abc[1], world.add(odd)))
        every.add((abc[0], abc[1], rng.choice(sorted(world.content))))
        every.add((rng.choice(sorted(world.content)), abc[1], abc[2]))
    content = world.content
    true = {x for x in true | every if content[x[0]] + content[x[1]] == content[x[2]]}
    r, e, f, t = w("rest"), w("empty"), w("first"), w("target")
    facts = world.facts | {(w("list"), c) for c in content}
    return World(facts, true, every - true,
                 f"{t}(A,B,B) :- {e}(A), {w('list')}(B). {t}(A,B,C) :- {f}(A,D), {f}(C,D), "
                 f"{r}(A,E), {r}(C,F), {t}(E,B,F).")


def alternating(rng, scale, w):
    """By turns along two kinds of steps: mutual recursion, or two steps."""
    nodes, edges = graph(rng, int(40 * scale))
    kind = {e: rng.random() < 0.5 for e in sorted(edges)}
    red = {e for e in edges if kind[e]}
    blue = edges - red
    steps = {(("r", a), ("b", b)) for a, b in red} | {(("b", a), ("r", b)) for a, b in blue}
    true = {(a, b) for (k, a), (_, b) in closure(steps) if k == "r"}
    pairs = {(a, b) for a in nodes for b in nodes if a != b}
    p, q, t = w("red"), w("blue"), w("target")
    return World({(p, a, b) for a, b in red} | {(q, a, b) for a, b in blue},
                 {x for x in true if x[0] != x[1]}, pairs - true,
                 f"{t}(A,B) :- {p}(A,B). {t}(A,B) :- {p}(A,C), {q}(C,B). "
                 f"{t}(A,B) :- {p}(A,C), {q}(C,D), {t}(D,B).")


def even_steps(rng, scale, w):
    """Even numbers of steps down to a leaf, in a chain or a tree of links."""
    n = int(20 * scale)
    nodes = things("n", n)
    depth, facts = {nodes[0]: 0}, {(w("end"), nodes[0])}
    for i in range(1, n):
        down = nodes[rng.randrange(max(0, i - 3), i)]
        depth[nodes[i]] = depth[down] + 1
        facts.add((w("next"), nodes[i], down))
    true = {(x,) for x in nodes if depth[x] % 2 == 0}
    e, s, t = w("end"), w("next"), w("target")
    return World(facts, true, {(x,) for x in nodes} - true,
                 f"{t}(A) :- {e}(A). {t}(A) :- {s}(A,B), {s}(B,C), {t}(C).")


# ---- constants -----------------------------------------------------------------


def by_value(rng, scale, w, k, join=False, both=False):
    n = int(max(60, min(3 * k, 2000)) * scale)
    values, items = things("c", k), things("x", n)
    facts, true = set(), set()
    right = w.map.setdefault("value", rng.choice(values))
    kind = w.map.setdefault("kind", rng.choice(things("s", 12)))
    for i, x in enumerate(items):
        value = right if rng.random() < 0.3 else rng.choice(values)
        part = x
        if join:
            part = f"y{i}"
            facts.add((w("has"), x, part))
        facts.add((w("tone"), part, value))
        shape = kind if rng.random() < 0.4 else rng.choice(things("s", 12))
        facts.add((w("shape"), x, shape))
        if value == right and (not both or shape == kind):
            true.add((x,))
    t = w("target")
    rule = (f"{w('has')}(A,B), {w('tone')}(B,{right})" if join else f"{w('tone')}(A,{right})")
    return World(facts, true, {(x,) for x in items} - true,
                 f"{t}(A) :- {rule}{', ' + w('shape') + '(A,' + kind + ')' if both else ''}.")


def values_30(rng, scale, w): return by_value(rng, scale, w, 30)
def values_300(rng, scale, w): return by_value(rng, scale, w, 300)
def values_30000(rng, scale, w): return by_value(rng, scale, w, 30000)
def values_join(rng, scale, w): return by_value(rng, scale, w, 300, join=True)
def values_both(rng, scale, w): return by_value(rng, scale, w, 100, both=True)


# ---- numbers -------------------------------------------------------------------


def number(rng, low, high, decimals):
    x = rng.uniform(low, high)
    return str(round(x)) if decimals == 0 else f"{x:.{decimals}f}"


def by_number(rng, scale, w, decimals=0, low=None, high=None, join=False, top=100):
    """What is right lies between low and high."""
    facts, true, items = set(), set(), things("x", int(80 * scale))
    low = low if low is None else w.map.setdefault("low", low(rng))
    high = high if high is None else w.map.setdefault("high", high(rng))
    for i, x in enumerate(items):
        near = rng.choice([b for b in (low, high) if b is not None])
        v = number(rng, 0, top, decimals) if rng.random() < 0.5 else number(
            rng, max(0, near - top / 5), near + top / 5, decimals)
        part = x
        if join:
            part = f"y{i}"
            facts.add((w("has"), x, part))
        facts.add((w("size"), part, v))
        facts.add((w("shape"), x, rng.choice(things("s", 4))))
        if (low is None or float(v) >= low) and (high is None or float(v) <= high):
            true.add((x,))
    t, s = w("target"), w("size")
    tests = ([f"X >= {low}"] if low is not None else []) + (
        [f"X =< {high}"] if high is not None else [])
    first = f"{w('has')}(A,B), {s}(B,X)" if join else f"{s}(A,X)"
    return World(facts, true, {(x,) for x in items} - true,
                 f"{t}(A) :- {', '.join([first] + tests)}.")


def threshold(rng, scale, w):
    return by_number(rng, scale, w, low=lambda r: r.choice([18, 21, 40, 65]))


def at_most(rng, scale, w):
    return by_number(rng, scale, w, high=lambda r: r.choice([12, 25, 50]))


def interval(rng, scale, w):
    return by_number(rng, scale, w, low=lambda r: r.choice([20, 30]),
                     high=lambda r: r.choice([50, 60]))


def decimals(rng, scale, w):
    return by_number(rng, scale, w, decimals=2, top=10,
                     low=lambda r: r.choice([2.5, 4.0, 7.0]))


def number_join(rng, scale, w):
    return by_number(rng, scale, w, join=True, low=lambda r: r.choice([18, 40]))


def dates(rng, scale, w):
    facts, true, items = set(), set(), things("x", int(80 * scale))
    start = w.map.setdefault("start", f"20{rng.randint(15, 23)}-{rng.choice(['01', '04', '07'])}-01")
    for x in items:
        year = rng.randint(2012, 2026) if rng.random() < 0.5 else int(start[:4]) + rng.randint(-1, 0)
        d = f"{year}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}"
        facts |= {(w("born"), x, f"'{d}'"), (w("shape"), x, rng.choice(things("s", 4)))}
        if d >= start:
            true.add((x,))
    return World(facts, true, {(x,) for x in items} - true,
                 f"{w('target')}(A) :- {w('born')}(A,X), X >= '{start}'.")


def two_columns(rng, scale, w):
    facts, true, items = set(), set(), things("x", int(60 * scale))
    for x in items:
        a = rng.randint(0, 200)
        b = rng.randint(0, 200) if rng.random() < 0.5 else max(0, a + rng.randint(-15, 15))
        facts |= {(w("earned"), x, str(a)), (w("spent"), x, str(b)),
                  (w("shape"), x, rng.choice(things("s", 4)))}
        if a > b:
            true.add((x,))
    return World(facts, true, {(x,) for x in items} - true,
                 f"{w('target')}(A) :- {w('earned')}(A,X), {w('spent')}(A,Y), X > Y.")


# ---- negation ------------------------------------------------------------------


def bachelor(rng, scale, w):
    people = things("p", int(40 * scale))
    facts, men, wed = set(), set(), set()
    for p in people:
        (facts.add((w("man"), p)), men.add(p)) if rng.random() < 0.6 else facts.add((w("woman"), p))
    for p in people:
        if rng.random() < 0.5:
            wed.add(p)
            facts.add((w("wed"), p, rng.choice(people)))
        facts.add((w("lives"), p, rng.choice(things("t", 6))))
    true = {(p,) for p in men - wed}
    return World(facts, true, {(p,) for p in people} - true,
                 f"{w('target')}(A) :- {w('man')}(A), \\+ {w('wed')}(A,_).")


def no_red_part(rng, scale, w):
    facts, true, items = set(), set(), things("x", int(40 * scale))
    for i, x in enumerate(items):
        facts.add((w("thing"), x))
        colours = [rng.choice(["red", "green", "blue", "grey"]) for _ in range(rng.randint(1, 3))]
        for k, c in enumerate(colours):
            facts |= {(w("part"), x, f"y{i}_{k}"), (w(c), f"y{i}_{k}")}
        if "red" not in colours:
            true.add((x,))
    return World(facts, true, {(x,) for x in items} - true,
                 f"{w('target')}(A) :- {w('thing')}(A), \\+ no(A). no(A) :- {w('part')}(A,B), {w('red')}(B).")


def part_not_red(rng, scale, w):
    facts, true, items = set(), set(), things("x", int(40 * scale))
    colours = things("k", 9)
    for i, x in enumerate(items):
        mine = [w("red") if rng.random() < 0.6 else rng.choice(colours)
                for _ in range(rng.randint(1, 3))]
        for k, c in enumerate(mine):
            facts.add((w("part"), x, f"y{i}_{k}"))
            facts.add((w("red"), f"y{i}_{k}") if c == w("red") else (w("paint"), f"y{i}_{k}", c))
        if any(c != w("red") for c in mine):
            true.add((x,))
    return World({f for f in facts if f[0] != w("paint")}, true, {(x,) for x in items} - true,
                 f"{w('target')}(A) :- {w('part')}(A,B), \\+ {w('red')}(B).")


# ---- more of the same, several at once --------------------------------------------


def rows(rng, scale, w, n, columns, label, truth):
    """n things; columns: name -> value, or whether it holds; label: of a row."""
    facts, true, items = set(), set(), things("x", int(n * scale))
    for x in items:
        row = {name: value() for name, value in columns.items()}
        facts |= {(w(name), x) if value is True else (w(name), x, str(value))
                  for name, value in row.items() if value is not False}
        if label(row):
            true.add((x,))
    return World(facts, true, {(x,) for x in items} - true, truth)


def odd_steps(rng, scale, w):
    n = int(20 * scale)
    e, s, t = w("end"), w("next"), w("target")
    facts = {(s, f"k{i}", f"k{i + 1}") for i in range(n)} | {(e, "k0")}
    true = {(f"k{i}",) for i in range(1, n + 1, 2)}
    return World(facts, true, {(f"k{i}",) for i in range(0, n + 1, 2)},
                 f"{t}(A) :- {s}(B,A), {e}(B). {t}(A) :- {s}(B,A), {s}(C,B), {t}(C).")


def threshold_value(rng, scale, w):
    low = w.map.setdefault("low", rng.choice([18, 21, 40, 65]))
    city = w.map.setdefault("home", rng.choice(things("c", 300)))
    return rows(rng, scale, w, 200, {
        "age": lambda: rng.randint(0, 99), "kids": lambda: rng.randint(0, 5),
        "city": lambda: city if rng.random() < 0.4 else rng.choice(things("c", 300))},
        lambda r: r["age"] >= low and r["city"] == city,
        f"{w('target')}(A) :- {w('age')}(A,X), X >= {low}, {w('city')}(A,{city}).")


def deny_value(rng, scale, w):
    return rows(rng, scale, w, 60, {
        "man": lambda: rng.random() < 0.6, "job": lambda: rng.choice(things("j", 5)),
        "city": lambda: "c3" if rng.random() < 0.4 else rng.choice(things("c", 8))},
        lambda r: r["man"] and r["city"] != "c3",
        f"{w('target')}(A) :- {w('man')}(A), \\+ {w('city')}(A,c3).")


def deny_threshold(rng, scale, w):
    low = w.map.setdefault("low", rng.choice([20, 30, 50]))
    return rows(rng, scale, w, 80, {
        "age": lambda: rng.randint(1, 99), "banned": lambda: rng.random() < 0.4,
        "member": lambda: rng.random() < 0.5},
        lambda r: r["age"] >= low and not r["banned"],
        f"{w('target')}(A) :- {w('age')}(A,X), X >= {low}, \\+ {w('banned')}(A).")


def decimals_between(rng, scale, w):
    low, high = w.map.setdefault("gap", rng.choice([(36.0, 37.5), (1.5, 3.5), (0.2, 0.6)]))
    wide = high - low
    return rows(rng, scale, w, 100, {
        "heat": lambda: f"{rng.uniform(low - wide, high + wide):.2f}",
        "mass": lambda: f"{rng.uniform(0, 9):.1f}", "kind": lambda: rng.choice(things("k", 4))},
        lambda r: low <= float(r["heat"]) <= high,
        f"{w('target')}(A) :- {w('heat')}(A,X), X >= {low}, X =< {high}.")


def dates_between(rng, scale, w):
    def day(first, last):
        return f"'{rng.randint(first, last)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}'"
    return rows(rng, scale, w, 100, {
        "hired": lambda: day(2015, 2025), "born": lambda: day(1950, 2005),
        "section": lambda: rng.choice(things("d", 5))},
        lambda r: "'2018-01-01'" <= r["hired"] < "'2022-01-01'",
        f"{w('target')}(A) :- {w('hired')}(A,X), X >= '2018-01-01', X < '2022-01-01'.")


def liked_value(rng, scale, w):
    people, clubs = things("p", int(30 * scale)), things("club", 60)
    club = {p: clubs[7] if rng.random() < 0.35 else rng.choice(clubs) for p in people}
    likes = {(p, rng.choice(people)) for p in people for _ in range(2)}
    facts = {(w("in"), p, c) for p, c in club.items()} | {(w("likes"), a, b) for a, b in likes}
    true = {(a, b) for a, b in likes if club[b] == clubs[7]}
    every = likes | {tuple(rng.sample(people, 2)) for _ in range(3 * len(people))}
    return World(facts, true, every - true,
                 f"{w('target')}(A,B) :- {w('likes')}(A,B), {w('in')}(B,club7).")


def no_child(rng, scale, w):
    people, facts, parents = things("p", int(30 * scale)), set(), set()
    for i, p in enumerate(people):
        facts |= {(w("person"), p), (w("town"), p, rng.choice(things("t", 5)))}
        if i >= 4:
            parents.add(people[rng.randrange(0, i // 2 + 1)])
            facts.add((w("parent"), rng.choice(sorted(parents)), p))
    having = {f[1] for f in facts if f[0] == w("parent")}
    return World(facts, {(p,) for p in people if p not in having}, {(p,) for p in having},
                 f"{w('target')}(A) :- {w('person')}(A), \\+ {w('parent')}(A,_).")


def orphan(rng, scale, w):
    """No parent alive: a join is denied."""
    people, facts, true = things("p", int(40 * scale)), set(), set()
    alive = {p for p in people if rng.random() < 0.5}
    for p in people:
        two = rng.sample(people, 2)
        facts |= {(w("parent"), q, p) for q in two} | {(w("person"), p)}
        facts |= {(w("town"), p, rng.choice(things("t", 5)))}
        facts |= {(w("alive"), p)} if p in alive else set()
        if not alive.intersection(two):
            true.add((p,))
    t = w("target")
    return World(facts, true, {(p,) for p in people} - true,
                 f"{t}(A) :- {w('person')}(A), \\+ no(A). no(A) :- {w('parent')}(B,A), {w('alive')}(B).")


# ---- what cannot be learned, and what needs a word ----------------------------------


def by_heart(rng, scale, w):
    facts, true, items = set(), set(), things("x", int(30 * scale))
    for x in items:
        for c in ("p", "q", "r"):
            if rng.random() < 0.5:
                facts.add((w(c), x))
        facts.add((w("tone"), x, rng.choice(things("c", 12))))
        if rng.random() < 0.4:
            true.add((x,))
    return World(facts, true, {(x,) for x in items} - true, "")


def positives_only(rng, scale, w):
    world = ancestor(rng, scale, w)
    e, t = w("parent"), w("target")
    pairs = {f[1:] for f in world.facts if f[0] == e}
    true = {(a, d) for a, b in pairs for c, d in pairs if b == c}
    people = {x for pair in pairs for x in pair}
    return World(world.facts, true, {(a, b) for a in people for b in people} - true,
                 f"{t}(A,B) :- {e}(A,C), {e}(C,B).")


def noise(rng, scale, w):
    facts, true, items = set(), set(), things("x", int(160 * scale))
    for i, x in enumerate(items):
        mark = rng.random() < 0.25
        for k in range(rng.randint(1, 3)):
            y = f"y{i}_{k}"
            facts |= {(w("part"), x, y), (w("red" if mark and k == 0 else rng.choice(
                ["green", "blue"])), y)}
        big = rng.random() < 0.5
        facts |= {(w("big"), x)} if big else {(w("small"), x)}
        if mark and big:
            true.add((x,))
    return World(facts, true, {(x,) for x in items} - true,
                 f"{w('target')}(A) :- {w('big')}(A), {w('part')}(A,B), {w('red')}(B).")


def noise_deny(rng, scale, w):
    return rows(rng, scale, w, 300, {"owner": lambda: rng.random() < 0.6,
                                     "bound": lambda: rng.random() < 0.4,
                                     "old": lambda: rng.random() < 0.5},
                lambda r: r["owner"] and not r["bound"],
                f"{w('target')}(A) :- {w('owner')}(A), \\+ {w('bound')}(A).")


def red_and_big(rng, scale, w, n, red):
    return rows(rng, scale, w, n, {"red": lambda: rng.random() < red,
                                   "big": lambda: rng.random() < 0.2,
                                   "old": lambda: rng.random() < 0.5,
                                   "shape": lambda: rng.choice(things("s", 5))},
                lambda r: r["red"] and r["big"],
                f"{w('target')}(A) :- {w('red')}(A), {w('big')}(A).")


def noise_few(rng, scale, w):
    """Ten or so are right, of 200."""
    return red_and_big(rng, scale, w, 200, 0.25)


# kind: the rate of wrong labels (None: as --rate says)
NOISY = {noise: None, noise_deny: None, noise_few: None}

# kind: labels of either sign for learning
KINDS = {reach: 10, ancestor: 10, member: 10, last: 10, even_length: 8, is_sorted: 16, prefix: 20,
         append: 16, alternating: 60, even_steps: 7, values_30: 20, values_300: 20,
         values_30000: 25, values_join: 20, values_both: 40, threshold: 30, at_most: 30,
         interval: 40, decimals: 40, number_join: 30, dates: 40, two_columns: 30,
         bachelor: 12, no_red_part: 15, part_not_red: 15, by_heart: 10, positives_only: 30,
         noise: 80, odd_steps: 8, threshold_value: 40, deny_value: 20, deny_threshold: 30,
         decimals_between: 50, dates_between: 50, liked_value: 14, no_child: 10, orphan: 15,
         noise_deny: 80, noise_few: 80}
