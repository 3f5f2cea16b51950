"""More worlds for everyday.py: the same kinds of tasks in other clothes."""
import itertools

from everyday_worlds import Lists, World, closure, graph, lists_of, red_and_big, rows, things


def rest_of(every, true):
    return {(x,) for x in every} - true


# ---- constants -----------------------------------------------------------------


def some_values(rng, scale, w, good, among, share, n):
    """One of a few values; a rule each."""
    facts, true, items = set(), set(), things("s", int(n * scale))
    for x in items:
        c = rng.choice(good) if rng.random() < share else f"c{rng.randrange(among)}"
        facts |= {(w("tone"), x, c), (w("by"), x, f"a{rng.randrange(9)}")}
        true |= {(x,)} if c in good else set()
    rules = " ".join(f"{w('target')}(A) :- {w('tone')}(A,{c})." for c in good)
    return World(facts, true, rest_of(items, true), rules)


def two_values(rng, scale, w):
    return some_values(rng, scale, w, ["c7", "c9"], 300, 0.4, 80)


def three_values(rng, scale, w):
    return some_values(rng, scale, w, ["c7", "c9", "c11"], 40, 0.5, 120)


def rare_value(rng, scale, w):
    """One in thirty is right; 30,000 values."""
    return some_values(rng, scale, w, ["c123"], 30000, 0.033, 900)


def two_arities(rng, scale, w):
    o = w("owner")
    facts, true, people = set(), set(), things("p", int(40 * scale))
    for p in people:
        owner, thing = rng.random() < 0.5, rng.choice(["car", "boat", None, None])
        facts |= {(o, p)} if owner else set()
        facts |= {(o, p, thing)} if thing else set()
        facts.add((w("town"), p, f"t{rng.randrange(4)}"))
        true |= {(p,)} if owner and thing == "boat" else set()
    return World(facts, true, rest_of(people, true), f"{w('target')}(A) :- {o}(A), {o}(A,boat).")


def compound(rng, scale, w):
    facts, true, items = set(), set(), things("p", int(50 * scale))
    for x in items:
        size = "f(x,2)" if rng.random() < 0.3 else (
            f"{rng.choice('fg')}({rng.choice('xyz')},{rng.randint(1, 3)})")
        facts |= {(w("size"), x, size), (w("kind"), x, rng.choice(things("k", 3)))}
        true |= {(x,)} if size == "f(x,2)" else set()
    return World(facts, true, rest_of(items, true), f"{w('target')}(A) :- {w('size')}(A,f(x,2)).")


def head_value(rng, scale, w):
    world = rows(rng, scale, w, 40, {"red": lambda: rng.random() < 0.5,
                                     "big": lambda: rng.random() < 0.5,
                                     "kind": lambda: rng.choice(things("k", 3))},
                 lambda r: r["red"] and r["big"],
                 f"{w('target')}(A,good) :- {w('red')}(A), {w('big')}(A).")
    return World(world.facts, {(x, "good") for x, in world.true},
                 {(x, "good") for x, in world.false}, world.truth)


# ---- numbers and dates -----------------------------------------------------------


def older(rng, scale, w):
    age = {p: rng.randint(1, 90) for p in things("p", int(14 * scale))}
    facts = {(w("age"), p, str(a)) for p, a in age.items()}
    facts |= {(w("city"), p, f"c{rng.randrange(6)}") for p in age}
    pairs = set(itertools.permutations(age, 2))
    true = {(x, y) for x, y in pairs if age[x] > age[y]}
    return World(facts, true, pairs - true,
                 f"{w('target')}(A,B) :- {w('age')}(A,X), {w('age')}(B,Y), X > Y.")


def overdue(rng, scale, w):
    def day():
        return f"'2024-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}'"
    return rows(rng, scale, w, 60, {"due": day, "returned": day,
                                    "member": lambda: f"m{rng.randrange(10)}"},
                lambda r: r["returned"] > r["due"],
                f"{w('target')}(A) :- {w('due')}(A,X), {w('returned')}(A,Y), Y > X.")


def well(rng, scale, w):
    """Two columns, one between two decimals."""
    return rows(rng, scale, w, 300, {"heat": lambda: f"{rng.randint(355, 385) / 10}",
                                     "pulse": lambda: rng.randint(80, 120),
                                     "ward": lambda: f"w{rng.randrange(5)}"},
                lambda r: 36.2 <= float(r["heat"]) <= 37.8 and r["pulse"] < 100,
                f"{w('target')}(A) :- {w('heat')}(A,X), X >= 36.2, X =< 37.8, {w('pulse')}(A,Y), Y < 100.")


def below_zero(rng, scale, w):
    return rows(rng, scale, w, 60, {"level": lambda: f"{rng.uniform(-40, 40):.1f}",
                                    "unit": lambda: rng.choice(things("a", 3))},
                lambda r: float(r["level"]) < -5, f"{w('target')}(A) :- {w('level')}(A,X), X < -5.")


def outside(rng, scale, w):
    t, s = w("target"), w("level")
    return rows(rng, scale, w, 250, {"level": lambda: rng.choice([40, 150]) + rng.randint(-20, 20),
                                     "unit": lambda: rng.choice(things("a", 3))},
                lambda r: r["level"] < 40 or r["level"] > 150,
                f"{t}(A) :- {s}(A,X), X < 40. {t}(A) :- {s}(A,X), X > 150.")


def younger_boss(rng, scale, w):
    people = things("p", int(30 * scale))
    age, boss = {p: rng.randint(20, 65) for p in people}, {p: rng.choice(people) for p in people[1:]}
    facts = {(w("age"), p, str(a)) for p, a in age.items()}
    facts |= {(w("boss"), p, b) for p, b in boss.items()}
    true = {(p,) for p, b in boss.items() if age[b] < age[p]}
    return World(facts, true, rest_of(people, true),
                 f"{w('target')}(A) :- {w('boss')}(A,B), {w('age')}(A,X), {w('age')}(B,Y), Y < X.")


def orders(rng, scale, w):
    facts, large, buyers = set(), set(), things("c", int(50 * scale))
    for c in buyers:
        for k in range(rng.randint(1, 4)):
            amount, o = rng.randint(1, 300) / 2, f"{c}o{k}"
            facts |= {(w("order"), c, o), (w("amount"), o, str(amount)),
                      (w("day"), o, f"'2024-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}'")}
            large |= {(c,)} if amount >= 100 else set()
    return facts, large, rest_of(buyers, large), (
        f"{w('order')}(A,B), {w('amount')}(B,X), X >= 100")


def big_order(rng, scale, w):
    facts, large, small, body = orders(rng, scale, w)
    return World(facts, large, small, f"{w('target')}(A) :- {body}.")


def no_big_order(rng, scale, w):
    facts, large, small, body = orders(rng, scale, w)
    return World(facts, small, large,
                 f"{w('target')}(A) :- {w('order')}(A,_), \\+ no(A). no(A) :- {body}.")


def profit_member(rng, scale, w):
    """Two columns compared, and a condition."""
    return rows(rng, scale, w, 90, {"earned": lambda: rng.randint(0, 120),
                                    "spent": lambda: rng.randint(0, 120),
                                    "member": lambda: rng.random() < 0.5,
                                    "town": lambda: f"t{rng.randrange(5)}"},
                lambda r: r["earned"] > r["spent"] and r["member"],
                f"{w('target')}(A) :- {w('member')}(A), {w('earned')}(A,X), {w('spent')}(A,Y), X > Y.")


def cheap_at(rng, scale, w):
    """A relation of three places with a price in it."""
    shops, goods = things("s", int(8 * scale)), things("g", 9)
    sold = {(s, g): rng.randint(1, 60) for s in shops for g in goods if rng.random() < 0.7}
    facts = {(w("sells"), s, g, str(p)) for (s, g), p in sold.items()}
    facts |= {(w("town"), s, f"t{rng.randrange(3)}") for s in shops}
    true = {x for x, p in sold.items() if p <= 20}
    every = set(itertools.product(shops, goods))
    return World(facts, true, every - true, f"{w('target')}(A,B) :- {w('sells')}(A,B,X), X =< 20.")


def direct_flight(rng, scale, w):
    """A relation of three places joined with another."""
    towns, lines = things("t", int(14 * scale)), things("l", 8)
    flights = {(*rng.sample(towns, 2), rng.choice(lines)) for _ in range(3 * len(towns))}
    good = {x for x in lines if x in ("l1", "l4", "l6")}
    facts = {(w("flight"), *x) for x in flights} | {(w("cheap"), x) for x in good}
    true = {(a, b) for a, b, x in flights if x in good}
    every = set(itertools.permutations(towns, 2))
    return World(facts, true, {(a, b) for a, b, _ in flights} - true | set(
        rng.sample(sorted(every - true), 20)),
        f"{w('target')}(A,B) :- {w('flight')}(A,B,C), {w('cheap')}(C).")


def new_staff(rng, scale, w):
    """A date and a value."""
    return rows(rng, scale, w, 120, {
        "hired": lambda: f"'{rng.randint(2010, 2025)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}'",
        "unit": lambda: "sales" if rng.random() < 0.4 else f"u{rng.randrange(40)}"},
        lambda r: r["hired"] >= "'2018-01-01'" and r["unit"] == "sales",
        f"{w('target')}(A) :- {w('hired')}(A,X), X >= '2018-01-01', {w('unit')}(A,sales).")


# ---- negation and inequality -------------------------------------------------------


def parts(rng, scale, w, n, label):
    facts, true, items = set(), set(), things("t", int(n * scale))
    for x in items:
        mine = []
        for j in range(rng.randint(1, 4)):
            p = f"{x}p{j}"
            part = {"colour": rng.choice(["red", "blue", "green", "white"]),
                    "weight": rng.randint(1, 40), "made": rng.choice(things("m", 6))}
            facts |= {(w("part"), x, p)} | {(w(k), p, str(v)) for k, v in part.items()}
            facts |= {(w("isred"), p)} if part["colour"] == "red" else set()
            mine.append(part)
        true |= {(x,)} if label(mine) else set()
    return facts, true, rest_of(items, true)


def only_heavy(rng, scale, w):
    world = parts(rng, scale, w, 60, lambda ps: all(p["weight"] >= 10 for p in ps))
    return World(*world, f"{w('target')}(A) :- {w('part')}(A,_), \\+ no(A). "
                         f"no(A) :- {w('part')}(A,B), {w('weight')}(B,X), X < 10.")


def none_made(rng, scale, w):
    world = parts(rng, scale, w, 60, lambda ps: all(p["made"] != "m3" for p in ps))
    return World(*world, f"{w('target')}(A) :- {w('part')}(A,_), \\+ no(A). "
                         f"no(A) :- {w('part')}(A,B), {w('made')}(B,m3).")


def all_red(rng, scale, w):
    world = parts(rng, scale, w, 160, lambda ps: all(p["colour"] == "red" for p in ps))
    return World(*world, f"{w('target')}(A) :- {w('part')}(A,_), \\+ no(A). "
                         f"no(A) :- {w('part')}(A,B), \\+ {w('isred')}(B).")


def two_red(rng, scale, w):
    world = parts(rng, scale, w, 100, lambda ps: sum(p["colour"] == "red" for p in ps) >= 2)
    p, r = w("part"), w("isred")
    return World(*world, f"{w('target')}(A) :- {p}(A,B), {r}(B), {p}(A,C), {r}(C), B \\= C.")


def some_heavy_made(rng, scale, w):
    world = parts(rng, scale, w, 80, lambda ps: any(
        p["weight"] >= 20 and p["made"] == "m2" for p in ps))
    return World(*world, f"{w('target')}(A) :- {w('part')}(A,B), {w('weight')}(B,X), X >= 20, {w('made')}(B,m2).")


def suggest(rng, scale, w):
    people, friends, f = things("p", int(14 * scale)), set(), w("friend")
    while len(friends) < 3 * len(people):
        x, y = rng.sample(people, 2)
        friends |= {(x, y), (y, x)}
    pairs = set(itertools.permutations(people, 2))
    true = {(x, y) for x, y in pairs - friends
            if any((x, z) in friends and (z, y) in friends for z in people)}
    return World({(f, x, y) for x, y in friends}, true, pairs - true,
                 f"{w('target')}(A,B) :- {f}(A,C), {f}(C,B), \\+ {f}(A,B), A \\= B.")


def no_child_doctor(rng, scale, w):
    """What is denied takes two steps."""
    people, facts = things("p", int(50 * scale)), set()
    doctors = {p for p in people if rng.random() < 0.3}
    children = {p: set(rng.sample(people, rng.choice([0, 1, 1, 2, 3]))) - {p} for p in people}
    for p in people:
        facts |= {(w("parent"), p, c) for c in children[p]} | {(w("person"), p)}
        facts |= {(w("doctor"), p)} if p in doctors else set()
        facts.add((w("town"), p, f"t{rng.randrange(5)}"))
    true = {(p,) for p in people if not children[p] & doctors}
    return World(facts, true, rest_of(people, true),
                 f"{w('target')}(A) :- {w('person')}(A), \\+ no(A). "
                 f"no(A) :- {w('parent')}(A,B), {w('doctor')}(B).")


def same_city(rng, scale, w):
    return rows(rng, scale, w, 50, {"lives": lambda: f"c{rng.randrange(5)}",
                                    "works": lambda: f"c{rng.randrange(5)}",
                                    "age": lambda: rng.randint(20, 60)},
                lambda r: r["lives"] == r["works"],
                f"{w('target')}(A) :- {w('lives')}(A,B), {w('works')}(A,B).")


def commuter(rng, scale, w):
    world = same_city(rng, scale, w)
    return World(world.facts, world.false, world.true,
                 f"{w('target')}(A) :- {w('lives')}(A,B), {w('works')}(A,C), B \\= C.")


# ---- recursion ---------------------------------------------------------------------


def wet(rng, scale, w):
    n = int(36 * scale)
    nodes, pipes = things("n", n), set()
    for i in range(n - 1):
        pipes |= {(nodes[i], nodes[rng.randint(i + 1, min(n - 1, i + 4))])
                  for _ in range(rng.randint(0, 2))}
    leaky = {x for x in nodes if rng.random() < 0.12}
    true = {(x,) for x in leaky} | {(a,) for a, b in closure(pipes) if b in leaky}
    facts = {(w("pipe"), a, b) for a, b in pipes} | {(w("leaky"), x) for x in leaky}
    facts |= {(w("valve"), x) for x in nodes if rng.random() < 0.3}
    t = w("target")
    return World(facts, true, rest_of(nodes, true),
                 f"{t}(A) :- {w('leaky')}(A). {t}(A) :- {w('pipe')}(A,B), {t}(B).")


def ancestor_of_two(rng, scale, w):
    """Through mothers and fathers."""
    people, pairs, facts = things("p", int(20 * scale)), set(), set()
    for i in range(2, len(people)):
        for k, p in enumerate(rng.sample(range(max(0, i - 6), i), min(i, 2))):
            if rng.random() < 0.75:
                pairs.add((people[p], people[i]))
                facts.add((w(["mother", "father"][k]), people[p], people[i]))
    true, t = closure(pairs), w("target")
    return World(facts, true, set(itertools.permutations(people, 2)) - true,
                 f"{t}(A,B) :- {w('mother')}(A,B). {t}(A,B) :- {w('father')}(A,B). "
                 f"{t}(A,B) :- {t}(A,C), {t}(C,B).")


def third_steps(rng, scale, w):
    n, e, s, t = int(24 * scale), w("end"), w("next"), w("target")
    facts = {(s, f"k{i}", f"k{i + 1}") for i in range(n)} | {(e, "k0")}
    true = {(f"k{i}",) for i in range(0, n + 1, 3)}
    return World(facts, true, rest_of((f"k{i}" for i in range(n + 1)), true),
                 f"{t}(A) :- {e}(A). {t}(A) :- {s}(B,A), {s}(C,B), {s}(D,C), {t}(D).")


def less_by_steps(rng, scale, w):
    n, s, t = int(15 * scale), w("succ"), w("target")
    pairs = set(itertools.product(map(str, range(n + 1)), repeat=2))
    true = {(a, b) for a, b in pairs if int(a) < int(b)}
    return World({(s, str(i), str(i + 1)) for i in range(n)}, true, pairs - true,
                 f"{t}(A,B) :- {s}(A,B). {t}(A,B) :- {s}(A,C), {t}(C,B).")


def red_path(rng, scale, w):
    nodes, edges = graph(rng, int(20 * scale))
    red, e, t = {x for x in nodes if rng.random() < 0.6}, w("edge"), w("target")
    true = {x for x in closure({(a, b) for a, b in edges if b in red}) if x[0] != x[1]}
    facts = {(e, a, b) for a, b in edges} | {(w("red"), x) for x in red}
    near = {x for x in closure(edges) if x[0] != x[1]}
    far = rng.sample(sorted(set(itertools.permutations(nodes, 2)) - near), 10)
    return World(facts, true, (near | set(far)) - true,
                 f"{t}(A,B) :- {e}(A,B), {w('red')}(B). {t}(A,B) :- {t}(A,C), {t}(C,B).")


def by_air(rng, scale, w):
    """Steps of three places."""
    nodes, edges = graph(rng, int(14 * scale))
    f, t = w("flight"), w("target")
    true = {x for x in closure(edges) if x[0] != x[1]}
    return World({(f, a, b, f"air{rng.randrange(4)}") for a, b in edges}, true,
                 set(itertools.permutations(nodes, 2)) - true,
                 f"{t}(A,B) :- {f}(A,B,_). {t}(A,B) :- {f}(A,C,_), {t}(C,B).")


def same_generation(rng, scale, w):
    people, up = things("p", int(16 * scale)), {}
    for i in range(2, len(people)):
        up[people[i]] = people[rng.randrange(max(0, i // 2 - 2), i // 2 + 1)]

    def line(x):
        return (x, 0) if x not in up else (line(up[x])[0], line(up[x])[1] + 1)
    pairs, p, t = set(itertools.permutations(people, 2)), w("parent"), w("target")
    true = {(a, b) for a, b in pairs if line(a) == line(b)}
    return World({(p, a, b) for b, a in up.items()}, true, pairs - true,
                 f"{t}(A,B) :- {p}(C,A), {p}(C,B). {t}(A,B) :- {p}(C,A), {p}(D,B), {t}(C,D).")


def of_lists(rng, w, world, label, truth):
    true = {(c,) for c, items in world.content.items() if items and label(items)}
    return World(world.facts, true, {(c,) for c, items in world.content.items() if items} - true, truth)


def all_same(rng, scale, w):
    world = Lists(rng, w, scale, 3)
    for _ in range(int(16 * scale)):
        k = rng.randint(1, 5)
        world.add([rng.choice(world.values)] * k if rng.random() < 0.5 else rng.choices(world.values, k=k))
    r, e, f, t = w("rest"), w("empty"), w("first"), w("target")
    return of_lists(rng, w, world, lambda x: len(set(x)) == 1,
                    f"{t}(A) :- {r}(A,B), {e}(B). {t}(A) :- {f}(A,B), {r}(A,C), {f}(C,B), {t}(C).")


def has_twins(rng, scale, w):
    """Two neighbours are the same."""
    world = Lists(rng, w, scale, 8)
    for _ in range(int(16 * scale)):
        k = rng.randint(2, 5)
        world.add(rng.sample(world.values, k) if rng.random() < 0.5 else rng.choices(world.values[:5], k=k))
    r, f, t = w("rest"), w("first"), w("target")
    return of_lists(rng, w, world, lambda x: any(a == b for a, b in zip(x, x[1:])),
                    f"{t}(A) :- {f}(A,B), {r}(A,C), {f}(C,B). {t}(A) :- {r}(A,B), {t}(B).")


def contains(rng, scale, w):
    world = Lists(rng, w, scale, 6)
    for _ in range(int(14 * scale)):
        world.add(rng.choices(world.values, k=rng.randint(1, 5)))
    r, f, t = w("rest"), w("first"), w("target")
    return of_lists(rng, w, world, lambda x: "v3" in x,
                    f"{t}(A) :- {f}(A,v3). {t}(A) :- {r}(A,B), {t}(B).")


def two_lists(rng, scale, w, label, truth):
    world = Lists(rng, w, scale, 4)
    tops = {world.add(rng.choices(world.values, k=rng.randint(0, 4))) for _ in range(int(10 * scale))}
    pairs = set(itertools.product(sorted(tops), repeat=2))
    true = {(a, b) for a, b in pairs if label(len(world.content[a]), len(world.content[b]))}
    return World(world.facts, true, pairs - true, truth)


def same_length(rng, scale, w):
    r, e, t = w("rest"), w("empty"), w("target")
    return two_lists(rng, scale, w, lambda a, b: a == b,
                     f"{t}(A,B) :- {e}(A), {e}(B). {t}(A,B) :- {r}(A,C), {r}(B,D), {t}(C,D).")


def longer(rng, scale, w):
    r, e, t = w("rest"), w("empty"), w("target")
    return two_lists(rng, scale, w, lambda a, b: a > b,
                     f"{t}(A,B) :- {r}(A,C), {e}(B). {t}(A,B) :- {r}(A,C), {r}(B,D), {t}(C,D).")


def second(rng, scale, w):
    world, tops = lists_of(rng, scale, w, count=10)
    true = {(c, world.content[c][1]) for c in tops if len(world.content[c]) > 1}
    return World(world.facts, true, {(c, v) for c in tops for v in world.values} - true,
                 f"{w('target')}(A,B) :- {w('rest')}(A,C), {w('first')}(C,B).")


# ---- class labels ------------------------------------------------------------------


def class_rows(rng, scale, w, n, columns, class_of, rules):
    facts, named = set(), {}
    for i, x in enumerate(things("x", int(n * scale))):
        row = {name: value() for name, value in columns.items()}
        facts |= {(w(name), x, str(value)) for name, value in row.items()} | {(w("nr"), x, str(i + 1))}
        named[x] = class_of(row)
    true = set(named.items())
    every = {c for c, _ in rules}
    return World(facts, true, {(x, c) for x in named for c in every} - true,
                 " ".join(f"{w('target')}(A,{c}) :- {body}." for c, body in rules))


def late(rng, scale, w):
    """Times of day."""
    return rows(rng, scale, w, 120, {"arrived": lambda: f"'{rng.randint(7, 10):02}:{5 * rng.randrange(12):02}'",
                                     "by": lambda: rng.choice(["bus", "car", "bike"]),
                                     "age": lambda: rng.randint(18, 65)},
                lambda r: r["arrived"] >= "'09:00'", f"{w('target')}(A) :- {w('arrived')}(A,X), X @>= '09:00'.")


def escalate(rng, scale, w):
    """One of two values, and not another."""
    t, p, s = w("target"), w("priority"), w("status")
    return rows(rng, scale, w, 90, {"priority": lambda: rng.choice(["low", "medium", "high", "critical"]),
                                    "status": lambda: rng.choice(["open", "closed", "waiting"]),
                                    "channel": lambda: rng.choice(["web", "mail", "phone"]),
                                    "days": lambda: rng.randint(1, 90)},
                lambda r: r["priority"] in ("high", "critical") and r["status"] != "closed",
                " ".join(f"{t}(A) :- {p}(A,{v}), \\+ {s}(A,closed)." for v in ("high", "critical")))


def grades(rng, scale, w):
    """Three classes by one number, and numbered rows."""
    s = w("score")
    return class_rows(rng, scale, w, 70, {"score": lambda: 5 * rng.randint(0, 20),
                                          "group": lambda: rng.choice(things("g", 3))},
                      lambda r: "low" if r["score"] < 50 else "middle" if r["score"] < 80 else "high",
                      [("low", f"{s}(A,X), X < 50"), ("middle", f"{s}(A,X), X >= 50, X < 80"),
                       ("high", f"{s}(A,X), X >= 80")])


def triage(rng, scale, w):
    """Two classes by two of five numbers."""
    o, p = w("oxygen"), w("pressure")
    return class_rows(rng, scale, w, 120, {"oxygen": lambda: rng.randint(85, 100),
                                           "pressure": lambda: 5 * rng.randint(14, 32),
                                           "pulse": lambda: rng.randint(50, 130),
                                           "age": lambda: rng.randint(1, 95),
                                           "sex": lambda: rng.choice(["m", "f"])},
                      lambda r: "urgent" if r["oxygen"] < 92 or r["pressure"] < 90 else "stable",
                      [("urgent", f"{o}(A,X), X < 92"), ("urgent", f"{p}(A,X), X < 90"),
                       ("stable", f"{o}(A,X), X >= 92, {p}(A,Y), Y >= 90")])


def bins(rng, scale, w):
    """Four classes by a value each, one of them by two."""
    m = w("made_of")
    kinds = {"tin": "metal", "glass": "glass", "paper": "paper", "card": "paper", "peel": "garden"}
    return class_rows(rng, scale, w, 60, {"made_of": lambda: rng.choice(sorted(kinds)),
                                          "weight": lambda: rng.randint(1, 90),
                                          "shop": lambda: f"s{rng.randrange(8)}"},
                      lambda r: "b_" + kinds[r["made_of"]],
                      [("b_" + c, f"{m}(A,{k})") for k, c in kinds.items()])


# ---- noise -------------------------------------------------------------------------


def noise_threshold(rng, scale, w):
    return rows(rng, scale, w, 200, {"income": lambda: rng.randint(10, 90),
                                     "bound": lambda: rng.random() < 0.4,
                                     "owner": lambda: rng.random() < 0.5,
                                     "town": lambda: f"t{rng.randrange(7)}"},
                lambda r: r["income"] >= 40 and not r["bound"],
                f"{w('target')}(A) :- {w('income')}(A,X), X >= 40, \\+ {w('bound')}(A).")


def noise_either(rng, scale, w):
    t = w("target")
    return rows(rng, scale, w, 300, {"income": lambda: rng.randint(10, 90),
                                     "age": lambda: rng.randint(18, 80),
                                     "owner": lambda: rng.random() < 0.3},
                lambda r: r["income"] >= 50 or r["owner"],
                f"{t}(A) :- {w('income')}(A,X), X >= 50. {t}(A) :- {w('owner')}(A).")


def few_of_400(rng, scale, w):
    """Sixteen or so are right."""
    return red_and_big(rng, scale, w, 400, 0.2)


def noise_5(rng, scale, w): return few_of_400(rng, scale, w)
def noise_10(rng, scale, w): return few_of_400(rng, scale, w)
def noise_20(rng, scale, w): return few_of_400(rng, scale, w)


def noise_classes(rng, scale, w): return grades(rng, scale, w)


# kind: the rate of wrong labels (None: as --rate says)
MORE_NOISY = {noise_threshold: None, noise_either: None, noise_5: 0.05, noise_10: 0.1,
              noise_20: 0.2, noise_classes: 0.05}

# kind: labels of either sign for learning
MORE_KINDS = {two_values: 25, three_values: 30, rare_value: 900, two_arities: 20, compound: 20,
              head_value: 20, older: 30, overdue: 30, well: 120, below_zero: 30, outside: 100,
              younger_boss: 30, big_order: 20, no_big_order: 20, profit_member: 40, cheap_at: 40,
              direct_flight: 20, new_staff: 40, only_heavy: 24, none_made: 24, all_red: 24,
              two_red: 24, some_heavy_made: 24, suggest: 40, no_child_doctor: 20, same_city: 12,
              commuter: 12, wet: 12, ancestor_of_two: 10, third_steps: 10, less_by_steps: 12,
              red_path: 25, by_air: 10, same_generation: 12, all_same: 14, has_twins: 14,
              contains: 14, same_length: 14, longer: 14, second: 12, late: 40, escalate: 40, grades: 60, triage: 80,
              bins: 50, noise_threshold: 80,
              noise_either: 80, noise_5: 80, noise_10: 80, noise_20: 80,
              noise_classes: 80}
