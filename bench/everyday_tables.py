"""Worlds for everyday.py: small tables of families, companies, networks, words, shops."""
import itertools

from everyday_more import rest_of
from everyday_worlds import Lists, World, closure, graph, rows, things


# ---- families ---------------------------------------------------------------------


def family(rng, scale, w, couples=5):
    """Three generations; every child has a mother and a father."""
    facts, mother, father, age, n = set(), {}, {}, {}, 0
    women, men = [], []
    for i in range(int(couples * scale) + 1):
        women.append(f"w{i}")
        men.append(f"m{i}")
    pairs = list(zip(women, men))
    for x in women + men:
        age[x] = rng.randint(60, 90)
    for generation in range(2):
        young_women, young_men = [], []
        for a, b in pairs:
            for _ in range(rng.randint(1, 3)):
                n += 1
                girl = rng.random() < 0.5
                c = f"{'w' if girl else 'm'}c{n}"
                (young_women if girl else young_men).append(c)
                mother[c], father[c] = a, b
                age[c] = rng.randint(30, 50) - 28 * generation
        rng.shuffle(young_women)
        rng.shuffle(young_men)
        facts |= {(w("married"), a, b) for a, b in pairs} | {(w("married"), b, a) for a, b in pairs}
        pairs = list(zip(young_women, young_men))
    people = sorted(age)
    facts |= {(w("woman"), p) if p[0] == "w" else (w("man"), p) for p in people}
    return facts, people, mother, father, age


def parents_of(mother, father):
    return {(p, c) for m in (mother, father) for c, p in m.items()}


def only_child(rng, scale, w):
    facts, people, mother, father, _ = family(rng, scale, w, 12)
    parents = parents_of(mother, father)
    facts |= {(w("parent"), a, b) for a, b in parents}
    shared = {(x, y) for p, x in parents for q, y in parents if p == q and x != y}
    true = {(c,) for c in mother} - {(x,) for x, _ in shared}
    p = w("parent")
    return World(facts, true, {(c,) for c in mother} - true,
                 f"{w('target')}(A) :- {p}(_,A), \\+ no(A). no(A) :- {p}(B,A), {p}(B,C), A \\= C.")


def eldest(rng, scale, w):
    """No older sister or brother: a comparison is denied."""
    facts, people, mother, father, age = family(rng, scale, w, 12)
    facts |= {(w("mother"), m, c) for c, m in mother.items()}
    facts |= {(w("age"), p, str(a)) for p, a in age.items()}
    true = {(c,) for c in mother if all(age[d] <= age[c] for d in mother if mother[d] == mother[c])}
    m, a = w("mother"), w("age")
    return World(facts, true, {(c,) for c in mother} - true,
                 f"{w('target')}(A) :- {m}(_,A), \\+ no(A). "
                 f"no(A) :- {m}(B,A), {m}(B,C), {a}(A,X), {a}(C,Y), X < Y.")


# ---- companies -------------------------------------------------------------------


def staff(rng, scale, n):
    people = things("e", int(n * scale))
    boss = {p: people[rng.randrange(0, max(1, i // 2))] for i, p in enumerate(people) if i}
    return people, boss


def active_chain(rng, scale, w):
    """Recursion with a guard on who stands between."""
    people, boss = staff(rng, scale, 24)
    active = {p for p in people if rng.random() < 0.7}
    true, near = set(), set()
    for p in people:
        q, open_ = p, True
        while q in boss:
            open_ = open_ and (q == p or q in active)
            q = boss[q]
            near.add((p, q))
            if open_:
                true.add((p, q))
    facts = {(w("boss"), a, b) for a, b in boss.items()} | {(w("active"), p) for p in active}
    b, t = w("boss"), w("target")
    far = {tuple(rng.sample(people, 2)) for _ in range(30)}
    return World(facts, true, (near | far) - true,
                 f"{t}(A,B) :- {b}(A,B). {t}(A,B) :- {b}(A,C), {w('active')}(C), {t}(C,B).")


def overpaid(rng, scale, w):
    people, boss = staff(rng, scale, 120)
    pay = {p: rng.randint(20, 90) * 100 for p in people}
    unit = {p: rng.choice(["sales", "it", "hr"]) for p in people}
    facts = {(w("boss"), a, b) for a, b in boss.items()} | {(w("pay"), p, str(x)) for p, x in pay.items()}
    facts |= {(w("unit"), p, u) for p, u in unit.items()}
    true = {(p,) for p, b in boss.items() if pay[p] > pay[b] and unit[p] == "sales"}
    y = w("pay")
    return World(facts, true, rest_of(people, true),
                 f"{w('target')}(A) :- {w('unit')}(A,sales), {w('boss')}(A,B), {y}(A,X), {y}(B,Y), X > Y.")


def entitled(rng, scale, w):
    """A value or a threshold."""
    t = w("target")
    return rows(rng, scale, w, 120, {
        "role": lambda: "director" if rng.random() < 0.25 else f"r{rng.randrange(12)}",
        "years": lambda: rng.randint(0, 30), "town": lambda: f"t{rng.randrange(5)}"},
        lambda r: r["role"] == "director" or r["years"] >= 20,
        f"{t}(A) :- {w('role')}(A,director). {t}(A) :- {w('years')}(A,X), X >= 20.")


# ---- networks --------------------------------------------------------------------


def spreading(rng, scale, w):
    """Recursion with a denied guard."""
    nodes, links = graph(rng, int(60 * scale))
    links |= {tuple(rng.sample(nodes, 2)) for _ in nodes}
    start = set(rng.sample(nodes, 4))
    patched = {x for x in nodes if rng.random() < 0.35} - start
    true = set(start)
    while True:
        more = {b for a, b in links if a in true and b not in patched} - true
        if not more:
            break
        true |= more
    facts = {(w("link"), a, b) for a, b in links} | {(w("patched"), x) for x in patched}
    facts |= {(w("first"), x) for x in start}
    t = w("target")
    true = {(x,) for x in true}
    return World(facts, true, rest_of(nodes, true),
                 f"{t}(A) :- {w('first')}(A). {t}(A) :- {w('link')}(B,A), {t}(B), \\+ {w('patched')}(A).")


def isolated(rng, scale, w):
    """Two things are denied."""
    nodes = things("n", int(50 * scale))
    links = {tuple(rng.sample(nodes, 2)) for _ in range(len(nodes) // 2)}
    facts = {(w("link"), a, b) for a, b in links} | {(w("host"), x) for x in nodes}
    facts |= {(w("site"), x, f"s{rng.randrange(4)}") for x in nodes}
    true = {(x,) for x in nodes} - {(x,) for e in links for x in e}
    l = w("link")
    return World(facts, true, rest_of(nodes, true),
                 f"{w('target')}(A) :- {w('host')}(A), \\+ {l}(A,_), \\+ {l}(_,A).")


def fan(rng, scale, w):
    """Not followed back."""
    nodes, f = things("n", int(16 * scale)), w("follows")
    links = {tuple(rng.sample(nodes, 2)) for _ in range(5 * len(nodes))}
    true = {(a, b) for a, b in links if (b, a) not in links}
    return World({(f, a, b) for a, b in links}, true, set(itertools.permutations(nodes, 2)) - true,
                 f"{w('target')}(A,B) :- {f}(A,B), \\+ {f}(B,A).")


def connected(rng, scale, w):
    """Links go both ways though each is listed once."""
    nodes = things("n", int(20 * scale))
    links = {tuple(rng.sample(nodes, 2)) for _ in range(int(0.8 * len(nodes)))}
    true = {(a, b) for a, b in closure(links | {(b, a) for a, b in links}) if a != b}
    l, t = w("link"), w("target")
    return World({(l, a, b) for a, b in links}, true, set(itertools.permutations(nodes, 2)) - true,
                 f"{t}(A,B) :- {l}(A,B). {t}(A,B) :- {l}(B,A). {t}(A,B) :- {t}(A,C), {t}(C,B).")


# ---- words -----------------------------------------------------------------------


def words(rng, scale, w, n, letters="abcdeilorst", longest=6):
    """char(word, place, letter), next places, vowels."""
    made, facts = {}, set()
    for i in range(int(n * scale)):
        text = "".join(rng.choice(letters) for _ in range(rng.randint(3, longest)))
        made[f"s{i}"] = text
        facts |= {(w("char"), f"s{i}", str(k), c) for k, c in enumerate(text)}
    facts |= {(w("next"), str(k), str(k + 1)) for k in range(longest)}
    facts |= {(w("vowel"), c) for c in "aeiou"}
    return facts, made


def of_words(w, facts, made, label, truth):
    true = {(s,) for s, text in made.items() if label(text)}
    return World(facts, true, rest_of(made, true), truth)


def starts_with(rng, scale, w):
    facts, made = words(rng, scale, w, 80, "abcad")
    return of_words(w, facts, made, lambda x: x[0] == "a", f"{w('target')}(A) :- {w('char')}(A,0,a).")


def no_vowel(rng, scale, w):
    facts, made = words(rng, scale, w, 60, "abcdfghiklmn", 5)
    facts |= {(w("word"), s) for s in made}
    return of_words(w, facts, made, lambda x: not set(x) & set("aeiou"),
                    f"{w('target')}(A) :- {w('word')}(A), \\+ no(A). no(A) :- {w('char')}(A,_,B), {w('vowel')}(B).")


# ---- lists -----------------------------------------------------------------------


def cells(rng, scale, w, n, values, longest=5, bend=None):
    world = Lists(rng, w, scale, 3)
    world.values = values
    for _ in range(int(n * scale)):
        items = rng.choices(values, k=rng.randint(1, longest))
        world.add(bend(items) if bend else items)
    return world


def rising(rng, scale, w):
    """Sorted, by comparing numbers."""
    world = cells(rng, scale, w, 24, [str(x) for x in range(1, 60)], 4,
                  lambda x: sorted(x, key=int) if rng.random() < 0.6 else x)
    ok = {c: [int(v) for v in x] for c, x in world.content.items() if x}
    true = {(c,) for c, x in ok.items() if x == sorted(x)}
    f, r, t = w("first"), w("rest"), w("target")
    return World(world.facts, true, {(c,) for c in ok} - true,
                 f"{t}(A) :- {r}(A,B), {w('empty')}(B). "
                 f"{t}(A) :- {f}(A,X), {r}(A,B), {f}(B,Y), X =< Y, {t}(B).")


def some_large(rng, scale, w):
    """Recursion that ends in a threshold."""
    world = cells(rng, scale, w, 30, [str(x) for x in range(1, 70)], 4)
    true = {(c,) for c, x in world.content.items() if any(int(v) >= 50 for v in x)}
    f, r, t = w("first"), w("rest"), w("target")
    return World(world.facts, true, {(c,) for c in world.content} - true,
                 f"{t}(A) :- {f}(A,X), X >= 50. {t}(A) :- {r}(A,B), {t}(B).")


# ---- boards ----------------------------------------------------------------------


def three_in_line(rng, scale, w):
    lines = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
    facts, true = {(w("line"), *(f"q{i}" for i in l)) for l in lines}, set()
    boards = things("b", int(70 * scale))
    for b in boards:
        marks = [rng.choice("xxo") if rng.random() < 0.7 else None for _ in range(9)]
        facts |= {(w("mark"), b, f"q{i}", m) for i, m in enumerate(marks) if m}
        if any(all(marks[i] == "x" for i in l) for l in lines):
            true.add((b,))
    m = w("mark")
    return World(facts, true, rest_of(boards, true),
                 f"{w('target')}(A) :- {w('line')}(B,C,D), {m}(A,B,x), {m}(A,C,x), {m}(A,D,x).")


# ---- calendars --------------------------------------------------------------------


def overlap(rng, scale, w):
    meetings = {f"m{i}": (s := rng.randint(8, 17), s + rng.randint(1, 4)) for i in range(int(16 * scale))}
    facts = {(w("slot"), m, str(a), str(b)) for m, (a, b) in meetings.items()}
    facts |= {(w("room"), m, f"r{rng.randrange(4)}") for m in meetings}
    pairs = set(itertools.permutations(meetings, 2))
    true = {(x, y) for x, y in pairs
            if meetings[x][0] < meetings[y][1] and meetings[y][0] < meetings[x][1]}
    s = w("slot")
    return World(facts, true, pairs - true,
                 f"{w('target')}(A,B) :- {s}(A,X,Y), {s}(B,U,V), X < V, U < Y.")


# ---- shops -----------------------------------------------------------------------


def never_bought(rng, scale, w):
    people, goods = things("p", int(40 * scale)), things("g", 15)
    kind = {g: ["beer", "bread", "fruit", "tea", "soap"][i % 5] for i, g in enumerate(goods)}
    bought = {(p, rng.choice(goods)) for p in people for _ in range(rng.randint(1, 4))}
    facts = {(w("bought"), *x) for x in bought} | {(w("kind"), g, k) for g, k in kind.items()}
    facts |= {(w("client"), p) for p in people} | {(w("town"), p, f"t{rng.randrange(4)}") for p in people}
    true = {(p,) for p in people} - {(p,) for p, g in bought if kind[g] == "beer"}
    return World(facts, true, rest_of(people, true),
                 f"{w('target')}(A) :- {w('client')}(A), \\+ no(A). "
                 f"no(A) :- {w('bought')}(A,B), {w('kind')}(B,beer).")


def discount(rng, scale, w):
    """Either of a conjunction and a condition."""
    t = w("target")
    return rows(rng, scale, w, 140, {
        "member": lambda: rng.random() < 0.5, "vip": lambda: rng.random() < 0.2,
        "total": lambda: f"{rng.uniform(5, 200):.2f}", "town": lambda: f"t{rng.randrange(6)}"},
        lambda r: r["vip"] or (r["member"] and float(r["total"]) >= 100),
        f"{t}(A) :- {w('vip')}(A). {t}(A) :- {w('member')}(A), {w('total')}(A,X), X >= 100.")


def unpaid(rng, scale, w):
    """Nothing was paid, or less than owed."""
    t = w("target")
    return rows(rng, scale, w, 90, {
        "owed": lambda: rng.randint(5, 30), "paid": lambda: rng.randint(5, 30) if rng.random() < 0.7 else False,
        "kind": lambda: f"k{rng.randrange(4)}"},
        lambda r: r["paid"] is False or r["paid"] < r["owed"],
        f"{t}(A) :- {w('owed')}(A,_), \\+ {w('paid')}(A,_). "
        f"{t}(A) :- {w('owed')}(A,X), {w('paid')}(A,Y), Y < X.")


# ---- medicine --------------------------------------------------------------------


def allergic(rng, scale, w):
    people, drugs, stuff = things("p", int(20 * scale)), things("d", 9), things("s", 7)
    has = {(d, s) for d in drugs for s in rng.sample(stuff, 2)}
    hates = {(p, s) for p in people for s in rng.sample(stuff, rng.randint(0, 2))}
    facts = {(w("contains"), *x) for x in has} | {(w("hates"), *x) for x in hates}
    facts |= {(w("ward"), p, f"w{rng.randrange(3)}") for p in people}
    pairs = set(itertools.product(people, drugs))
    true = {(p, d) for p, s in hates for d, z in has if s == z}
    return World(facts, true, pairs - true,
                 f"{w('target')}(A,B) :- {w('hates')}(A,C), {w('contains')}(B,C).")


def safe_drug(rng, scale, w):
    world = allergic(rng, scale, w)
    facts = world.facts | {(w("patient"), a) for a, _ in world.true + world.false}
    facts |= {(w("drug"), b) for _, b in world.true + world.false}
    return World(facts, world.false, world.true,
                 f"{w('target')}(A,B) :- {w('patient')}(A), {w('drug')}(B), \\+ no(A,B). "
                 f"no(A,B) :- {w('hates')}(A,C), {w('contains')}(B,C).")


# ---- odds and ends -----------------------------------------------------------------


def passed(rng, scale, w):
    """Four places."""
    people, courses = things("p", int(14 * scale)), things("k", 6)
    exams = {(p, c): (rng.choice(["2022", "2023", "2024"]), rng.randint(20, 100))
             for p in people for c in courses if rng.random() < 0.7}
    facts = {(w("exam"), p, c, y, str(g)) for (p, c), (y, g) in exams.items()}
    true = {x for x, (_, g) in exams.items() if g >= 50}
    return World(facts, true, set(itertools.product(people, courses)) - true,
                 f"{w('target')}(A,B) :- {w('exam')}(A,B,_,X), X >= 50.")


def connection(rng, scale, w):
    """Four places, joined in time."""
    towns = things("t", int(9 * scale))
    flights = set()
    for _ in range(int(26 * scale)):
        a, b = rng.sample(towns, 2)
        start = rng.randint(6, 20)
        flights.add((a, b, start, start + rng.randint(1, 4)))
    facts = {(w("flight"), a, b, str(x), str(y)) for a, b, x, y in flights}
    true = {(a, d) for a, b, _, y in flights for c, d, x, _ in flights if b == c and y < x and a != d}
    joined = {(a, d) for a, b, *_ in flights for c, d, *_ in flights if b == c and a != d}
    pairs = set(itertools.permutations(towns, 2))
    f = w("flight")
    return World(facts, true, (joined - true) | set(rng.sample(sorted(pairs - true), min(20, len(pairs - true)))),
                 f"{w('target')}(A,B) :- {f}(A,C,_,X), {f}(C,B,Y,_), X < Y.")


def either_not_both(rng, scale, w):
    t, p, q = w("target"), w("tea"), w("milk")
    return rows(rng, scale, w, 60, {"tea": lambda: rng.random() < 0.5, "milk": lambda: rng.random() < 0.5,
                                    "town": lambda: f"t{rng.randrange(4)}"},
                lambda r: r["tea"] != r["milk"],
                f"{t}(A) :- {p}(A), \\+ {q}(A). {t}(A) :- {q}(A), \\+ {p}(A).")


def two_towns(rng, scale, w):
    """At least two different values."""
    people = things("p", int(40 * scale))
    been = {(p, f"t{rng.randrange(8)}") for p in people for _ in range(rng.choice([0, 1, 1, 2, 3]))}
    facts = {(w("visited"), *x) for x in been} | {(w("job"), p, f"j{rng.randrange(5)}") for p in people}
    true = {(p,) for p in people if len({t for q, t in been if q == p}) >= 2}
    v = w("visited")
    return World(facts, true, rest_of(people, true), f"{w('target')}(A) :- {v}(A,B), {v}(A,C), B \\= C.")


def exactly_one(rng, scale, w):
    world = two_towns(rng, scale, w)
    v = w("visited")
    any_ = {(f[1],) for f in world.facts if f[0] == v}
    every = set(world.true) | set(world.false)
    true = any_ - set(world.true)
    return World(world.facts, true, every - true,
                 f"{w('target')}(A) :- {v}(A,_), \\+ no(A). no(A) :- {v}(A,B), {v}(A,C), B \\= C.")


def cheaper_elsewhere(rng, scale, w):
    shops, goods = things("s", int(7 * scale)), things("g", 8)
    sold = {(s, g): rng.randint(1, 40) for s in shops for g in goods if rng.random() < 0.5}
    facts = {(w("sells"), s, g, str(p)) for (s, g), p in sold.items()}
    true = {(s, g) for (s, g), p in sold.items() if any(h == g and q < p for (_, h), q in sold.items())}
    e = w("sells")
    return World(facts, true, set(sold) - true,
                 f"{w('target')}(A,B) :- {e}(A,B,X), {e}(_,B,Y), Y < X.")


def cheapest(rng, scale, w):
    world = cheaper_elsewhere(rng, scale, w)
    e = w("sells")
    return World(world.facts, world.false, world.true,
                 f"{w('target')}(A,B) :- {e}(A,B,_), \\+ no(A,B). no(A,B) :- {e}(A,B,X), {e}(_,B,Y), Y < X.")


# ---- noise -------------------------------------------------------------------------


def noise_value(rng, scale, w):
    return rows(rng, scale, w, 200, {"town": lambda: "t7" if rng.random() < 0.3 else f"t{rng.randrange(200)}",
                                     "kind": lambda: f"k{rng.randrange(5)}", "big": lambda: rng.random() < 0.5},
                lambda r: r["town"] == "t7", f"{w('target')}(A) :- {w('town')}(A,t7).")


def noise_interval(rng, scale, w):
    return rows(rng, scale, w, 250, {"heat": lambda: f"{rng.uniform(34, 42):.1f}",
                                     "pulse": lambda: rng.randint(50, 120), "ward": lambda: f"w{rng.randrange(5)}"},
                lambda r: 36 <= float(r["heat"]) <= 38,
                f"{w('target')}(A) :- {w('heat')}(A,X), X >= 36, X =< 38.")


def noise_columns(rng, scale, w):
    return rows(rng, scale, w, 200, {"earned": lambda: rng.randint(0, 100), "spent": lambda: rng.randint(0, 100),
                                     "town": lambda: f"t{rng.randrange(5)}"},
                lambda r: r["earned"] > r["spent"],
                f"{w('target')}(A) :- {w('earned')}(A,X), {w('spent')}(A,Y), X > Y.")


def noise_reach(rng, scale, w):
    nodes, edges = graph(rng, int(14 * scale))
    true = {x for x in closure(edges) if x[0] != x[1]}
    e, t = w("edge"), w("target")
    return World({(e, a, b) for a, b in edges}, true, set(itertools.permutations(nodes, 2)) - true,
                 f"{t}(A,B) :- {e}(A,B). {t}(A,B) :- {e}(A,C), {t}(C,B).")


def noise_both(rng, scale, w):
    """A conjunction of a value and a threshold under noise."""
    return rows(rng, scale, w, 250, {"unit": lambda: "sales" if rng.random() < 0.5 else f"u{rng.randrange(20)}",
                                     "years": lambda: rng.randint(0, 30), "town": lambda: f"t{rng.randrange(6)}"},
                lambda r: r["unit"] == "sales" and r["years"] >= 10,
                f"{w('target')}(A) :- {w('unit')}(A,sales), {w('years')}(A,X), X >= 10.")


def noise_sibling(rng, scale, w):
    people, ps = things("p", int(20 * scale)), things("q", int(8 * scale))
    of = {p: set(rng.sample(ps, rng.choice([1, 2]))) for p in people}
    pairs = set(itertools.permutations(people, 2))
    true = {(a, b) for a, b in pairs if of[a] & of[b]}
    facts = {(w("parent"), q, p) for p, qs in of.items() for q in qs}
    e = w("parent")
    return World(facts, true, pairs - true | {(p, p) for p in people},
                 f"{w('target')}(A,B) :- {e}(C,A), {e}(C,B), A \\= B.")


# ---- several targets ----------------------------------------------------------------


def two_of(w, facts, targets, truth):
    """targets: name: (true, false), the first one being the target."""
    (_, first), *rest = targets.items()
    return World(facts, *first, truth, [(w(name), *labels) for name, labels in rest])


def siblings(rng, scale, w):
    """Sisters and brothers, of each of whom the other could be told."""
    people, ps = things("p", int(20 * scale)), things("q", int(8 * scale))
    of = {p: rng.choice(ps) for p in people}
    girls = {p for p in people if rng.random() < 0.5}
    facts = {(w("parent"), q, p) for p, q in of.items()}
    facts |= {(w("girl" if p in girls else "boy"), p) for p in people}
    pairs = set(itertools.product(people, repeat=2))
    kin = {(a, b) for a, b in pairs if of[a] == of[b] and a != b}
    s, b, t, p = {x for x in kin if x[0] in girls}, {x for x in kin if x[0] not in girls}, w("target"), w("parent")
    near = kin | {(x, x) for x in people} | set(rng.sample(sorted(pairs - kin), len(kin)))
    return two_of(w, facts, {"target": (s, near - s), "brother": (b, near - b)},
                  f"{t}(A,B) :- {w('girl')}(A), {p}(C,A), {p}(C,B), A \\= B. "
                  f"{w('brother')}(A,B) :- {w('boy')}(A), {p}(C,A), {p}(C,B), A \\= B.")


def odd_and_even(rng, scale, w):
    n, t, e = int(20 * scale), w("target"), w("even")
    facts = {(w("next"), f"k{i}", f"k{i + 1}") for i in range(n)} | {(w("zero"), "k0")}
    odd, even = {(f"k{i}",) for i in range(1, n + 1, 2)}, {(f"k{i}",) for i in range(0, n + 1, 2)}
    return two_of(w, facts, {"target": (odd, even), "even": (even, odd)},
                  f"{t}(A) :- {w('next')}(B,A), {e}(B). {e}(A) :- {w('zero')}(A). {e}(A) :- {w('next')}(B,A), {t}(B).")


def rich_and_poor(rng, scale, w):
    income = {f"x{i}": rng.randint(5, 100) for i in range(int(80 * scale))}
    owner = {x for x in income if rng.random() < 0.4}
    facts = {(w("income"), x, str(v)) for x, v in income.items()} | {(w("owner"), x) for x in owner}
    facts |= {(w("town"), x, f"t{rng.randrange(5)}") for x in income}
    rich = {(x,) for x, v in income.items() if v >= 60}
    poor = {(x,) for x, v in income.items() if v < 30 and x not in owner}
    every, t = {(x,) for x in income}, w("target")
    return two_of(w, facts, {"target": (rich, every - rich), "poor": (poor, every - poor)},
                  f"{t}(A) :- {w('income')}(A,X), X >= 60. {w('poor')}(A) :- {w('income')}(A,X), X < 30, \\+ {w('owner')}(A).")


# kind: the rate of wrong labels (None: as --rate says)
TABLE_NOISY = {noise_value: None, noise_interval: None, noise_columns: None, noise_reach: 0.05,
               noise_both: None, noise_sibling: None}

# kind: labels of either sign for learning
TABLE_KINDS = {only_child: 15, eldest: 25, active_chain: 25, overpaid: 40, entitled: 40, spreading: 20,
               isolated: 15, fan: 20, connected: 12, starts_with: 20, no_vowel: 15, rising: 16,
               some_large: 25, three_in_line: 25, overlap: 40, never_bought: 20, discount: 40,
               unpaid: 30, safe_drug: 15, passed: 30, connection: 30, either_not_both: 15,
               exactly_one: 15, cheaper_elsewhere: 20, cheapest: 20, siblings: 20, odd_and_even: 8,
               rich_and_poor: 50, noise_value: 80, noise_interval: 80, noise_columns: 80,
               noise_reach: 80, noise_both: 80, noise_sibling: 80}
