"""Seventy-one kinds of tasks that somebody who did not know pith made up; for
firstday.py.

A kind is a function (rng, prm, scale) -> World: rng for the world, prm, the same in
training and test, for thresholds and other parameters of the program. Facts and labels
are tuples; targets: name -> (true, false atoms). near: false atoms of which half of the
negative labels are drawn.
"""

import itertools
import datetime

from everyday_worlds import closure

KINDS = {}


class World:
    def __init__(self, facts, targets, truth, near=None, rules=""):
        self.facts, self.targets, self.truth = set(facts), targets, truth
        self.near, self.rules = near or {}, rules


def kind(labels=20, size=1.0, noise=0.0, options="", positive=None, all_pos=False):
    def wrap(f):
        f.labels, f.size, f.noise, f.options, f.positive = labels, size, noise, options, positive
        KINDS[f.__name__] = f
        return f

    return wrap


def things(p, n):
    return [f"{p}{i}" for i in range(1, int(n) + 1)]


def one(name, every, true):
    true = set(true)
    return {name: (true, set(every) - true)}


def pairs(xs):
    return {(a, b) for a in xs for b in xs}


def day(n):
    return (datetime.date(2024, 1, 1) + datetime.timedelta(days=n)).isoformat()


def dag(rng, names, back=5, p=0.85, extra=6):
    edges = {
        (names[rng.randrange(max(0, i - back), i)], names[i])
        for i in range(1, len(names))
        if rng.random() < p
    }
    for _ in range(len(names) // extra):
        i, j = sorted(rng.sample(range(len(names)), 2))
        edges.add((names[i], names[j]))
    return edges


# ---- state transitions ------------------------------------------------------------


@kind(labels=40)
def robot_move(rng, prm, s):
    """move(From,Dir,To): four rules with a constant in the head; not into a wall."""
    w, h = int(4 * s) + 1, 5
    cells = {(x, y): f"c{x}_{y}" for x in range(w) for y in range(h)}
    wall = {c for c in cells if rng.random() < 0.25}
    facts, true = set(), set()
    for (x, y), c in cells.items():
        if (x, y) in wall:
            facts.add(("wall", c))
        if (x + 1, y) in cells:
            facts.add(("left_of", c, cells[x + 1, y]))
        if (x, y + 1) in cells:
            facts.add(("below", c, cells[x, y + 1]))
        facts.add(("cell", c))
        for d, (dx, dy) in dict(east=(1, 0), west=(-1, 0), north=(0, 1), south=(0, -1)).items():
            q = (x + dx, y + dy)
            if q in cells and q not in wall:
                true.add((c, d, cells[q]))
    dirs = ["east", "west", "north", "south"]
    near = {
        (c, d, q)
        for (x, y), c in cells.items()
        for d in dirs
        for dx, dy in [(1, 0), (-1, 0), (0, 1), (0, -1)]
        if (q := cells.get((x + dx, y + dy)))
    } - true
    every = {(a, d, b) for a in cells.values() for d in dirs for b in cells.values()}
    return World(
        facts,
        one("move", every, true),
        "move(A,east,B) :- left_of(A,B), \\+ wall(B).\nmove(A,west,B) :- left_of(B,A), \\+ wall(B).\n"
        "move(A,north,B) :- below(A,B), \\+ wall(B).\nmove(A,south,B) :- below(B,A), \\+ wall(B).",
        {"move": near},
    )


@kind(labels=25)
def traffic(rng, prm, s):
    """next_colour(Light,C): the following colour if the timer is up, else the same."""
    lights, cols = things("l", 30 * s), ["green", "amber", "red"]
    after = {"green": "amber", "amber": "red", "red": "green"}
    facts = {("follows", a, b) for a, b in after.items()}
    true = set()
    for l in lights:
        c = rng.choice(cols)
        up = rng.random() < 0.5
        facts |= {("shows", l, c)} | ({("timer_up", l)} if up else set())
        facts |= {("pedestrian", l)} if rng.random() < 0.3 else set()
        true.add((l, after[c] if up else c))
    every = {(l, c) for l in lights for c in cols}
    return World(
        facts,
        one("next_colour", every, true),
        "next_colour(A,B) :- shows(A,C), follows(C,B), timer_up(A).\n"
        "next_colour(A,B) :- shows(A,B), \\+ timer_up(A).",
    )


@kind(labels=30)
def vending(rng, prm, s):
    """can_buy(Person,Item): credit at least the price and some in stock."""
    ps, items = things("p", 12 * s), things("item", 10 * s)
    credit = {p: rng.randint(0, 50) * 10 for p in ps}
    price = {i: rng.randint(5, 40) * 10 for i in items}
    stock = {i: rng.choice([0, 0, 1, 2, 3, 5, 8]) for i in items}
    facts = {("credit", p, c) for p, c in credit.items()} | {
        ("price", i, c) for i, c in price.items()
    }
    facts |= {("stock", i, n) for i, n in stock.items()}
    every = {(p, i) for p in ps for i in items}
    true = {(p, i) for p, i in every if credit[p] >= price[i] and stock[i] >= 1}
    near = {(p, i) for p, i in every if credit[p] >= price[i]} - true
    return World(
        facts,
        one("can_buy", every, true),
        "can_buy(A,B) :- credit(A,C), price(B,D), stock(B,E), C >= D, E >= 1.",
        {"can_buy": near},
    )


@kind(labels=25)
def lift(rng, prm, s):
    """arrives(Lift,Floor): up, down or idle."""
    n = 9
    floors, lifts = things("f", n), things("lift", 24 * s)
    facts = {("above", floors[i], floors[i + 1]) for i in range(n - 1)}
    true = set()
    for l in lifts:
        i, d = rng.randrange(n), rng.choice(["up", "down", "idle"])
        facts |= {("at", l, floors[i]), ("going", l, d)}
        j = i + dict(up=1, down=-1, idle=0)[d]
        if 0 <= j < n:
            true.add((l, floors[j]))
    every = {(l, f) for l in lifts for f in floors}
    at = {(f[1], f[2]) for f in facts if f[0] == "at"}
    idx = {f: i for i, f in enumerate(floors)}
    near = {
        (l, floors[j]) for l, f in at for j in (idx[f] - 1, idx[f], idx[f] + 1) if 0 <= j < n
    } - true
    return World(
        facts,
        one("arrives", every, true),
        "arrives(A,B) :- going(A,idle), at(A,B).\narrives(A,B) :- going(A,up), at(A,C), above(C,B).\n"
        "arrives(A,B) :- going(A,down), at(A,C), above(B,C).",
        {"arrives": near},
    )


# ---- puzzles -----------------------------------------------------------------------


@kind(labels=40)
def queens(rng, prm, s):
    """attacks(A,B): same row, column or one of two diagonals."""
    n = 8
    qs = things("q", 12 * s)
    squares = (
        rng.sample([(r, c) for r in range(n) for c in range(n)], len(qs)) if len(qs) <= 64 else None
    )
    at = dict(zip(qs, squares))
    facts = set()
    for q, (r, c) in at.items():
        facts |= {
            ("row", q, f"r{r}"),
            ("col", q, f"c{c}"),
            ("diag", q, f"d{r + c}"),
            ("anti", q, f"e{r - c + 7}"),
        }
    every = pairs(qs)
    true = {
        (a, b)
        for a, b in every
        if a != b
        and (
            at[a][0] == at[b][0]
            or at[a][1] == at[b][1]
            or sum(at[a]) == sum(at[b])
            or at[a][0] - at[a][1] == at[b][0] - at[b][1]
        )
    }
    return World(
        facts,
        one("attacks", every, true),
        "\n".join(
            f"attacks(A,B) :- {p}(A,C), {p}(B,C), A \\= B." for p in ("row", "col", "diag", "anti")
        ),
        {"attacks": {(q, q) for q in qs}},
    )


@kind(labels=30)
def sudoku(rng, prm, s):
    """clash(A,B): same digit and same row, column or box."""
    n = int(28 * s)
    sq = rng.sample([(r, c) for r in range(9) for c in range(9)], min(n, 75))
    cells, facts = {}, set()
    for i, (r, c) in enumerate(sq):
        k = f"s{r}{c}"
        cells[k] = (r, c, r // 3 * 3 + c // 3, rng.randint(1, 4))
        facts |= {
            ("row", k, f"r{r}"),
            ("column", k, f"c{c}"),
            ("box", k, f"b{cells[k][2]}"),
            ("digit", k, f"d{cells[k][3]}"),
        }
    every = pairs(cells)
    share = lambda a, b: sum(x == y for x, y in zip(cells[a][:3], cells[b][:3]))
    true = {(a, b) for a, b in every if a != b and cells[a][3] == cells[b][3] and share(a, b)}
    near = {(a, b) for a, b in every - true if share(a, b) or cells[a][3] == cells[b][3]}
    return World(
        facts,
        one("clash", every, true),
        "\n".join(
            f"clash(A,B) :- digit(A,C), digit(B,C), {p}(A,D), {p}(B,D), A \\= B."
            for p in ("row", "column", "box")
        ),
        {"clash": near},
    )


# ---- scheduling --------------------------------------------------------------------


@kind(labels=25)
def can_meet(rng, prm, s):
    """can_meet(P,Q,Slot): both work then and neither is busy."""
    ps, slots = things("p", 7 * s), things("t", 6 * s)
    works = {(p, t) for p in ps for t in slots if rng.random() < 0.75}
    busy = {(p, t) for p, t in works if rng.random() < 0.3}
    every = {(p, q, t) for p in ps for q in ps for t in slots if p != q}
    ok = works - busy
    true = {(p, q, t) for p, q, t in every if (p, t) in ok and (q, t) in ok}
    near = {(p, q, t) for p, q, t in every - true if (p, t) in works and (q, t) in works}
    return World(
        {("works", *x) for x in works} | {("busy", *x) for x in busy},
        one("can_meet", every, true),
        "can_meet(A,B,C) :- works(A,C), works(B,C), \\+ busy(A,C), \\+ busy(B,C).",
        {"can_meet": near},
    )


@kind(labels=30)
def double_booked(rng, prm, s):
    """clash(A,B): bookings of a room overlap, by dates; four places."""
    bs = things("b", 40 * s)
    of = {}
    for b in bs:
        f = rng.randrange(60)
        of[b] = (f"room{rng.randint(1, 4)}", f, f + rng.randint(1, 12))
    facts = {("booking", b, r, day(f), day(t)) for b, (r, f, t) in of.items()}
    every = pairs(bs)
    over = {(a, b) for a, b in every if of[a][1] <= of[b][2] and of[b][1] <= of[a][2]}
    true = {(a, b) for a, b in over if a != b and of[a][0] == of[b][0]}
    near = {(a, b) for a, b in every - true if of[a][0] == of[b][0] or (a, b) in over}
    return World(
        facts,
        one("clash", every, true),
        "clash(A,B) :- booking(A,R,F,T), booking(B,R,G,U), F =< U, G =< T, A \\= B.",
        {"clash": near},
    )


# ---- permissions and networks ----------------------------------------------------------


@kind(labels=12)
def has_role(rng, prm, s):
    """Inherited roles: recursion with another relation as its start, few labels."""
    us, roles = things("u", 10 * s), things("role", 12 * s)
    inh = dag(rng, roles, 4, 0.7)
    given = {(u, rng.choice(roles)) for u in us for _ in range(rng.choice([1, 1, 2]))}
    cl = closure(inh)
    true = given | {(u, r) for u, q in given for p, r in cl if p == q}
    return World(
        {("assigned", *x) for x in given} | {("inherits", *x) for x in inh},
        one("has_role", {(u, r) for u in us for r in roles}, true),
        "has_role(A,B) :- assigned(A,B).\nhas_role(A,B) :- has_role(A,C), inherits(C,B).",
    )


@kind(labels=25)
def allowed_deny(rng, prm, s):
    """Background rules give member_of; granted to a group and not denied to the user."""
    us, gs, docs = things("u", 12 * s), things("g", 6 * s), things("doc", 9 * s)
    sub = dag(rng, gs, 3, 0.8)
    inn = {(u, rng.choice(gs)) for u in us for _ in range(2)}
    member = inn | {(u, h) for u, g in inn for k, h in closure(sub) if k == g}
    grants = {(rng.choice(gs), d) for d in docs for _ in range(2)}
    deny = {(u, d) for u in us for d in docs if rng.random() < 0.3}
    every = {(u, d) for u in us for d in docs}
    could = {(u, d) for u, g in member for h, d in grants if g == h}
    true = could - deny
    return World(
        {("in_group", *x) for x in inn}
        | {("part_of", *x) for x in sub}
        | {("grants", *x) for x in grants}
        | {("deny", *x) for x in deny},
        one("allowed", every, true),
        "allowed(A,B) :- member_of(A,C), grants(C,B), \\+ deny(A,B).",
        {"allowed": could - true},
        rules="member_of(U,G) :- in_group(U,G).\nmember_of(U,H) :- member_of(U,G), part_of(G,H).\n",
    )


@kind(labels=20)
def firewall(rng, prm, s):
    """reach(A,B): over links whose port is not blocked."""
    hs = things("host", 14 * s)
    ports = ["p22", "p25", "p80", "p443", "p8080"]
    edges = dag(rng, hs, 4, 0.9, 4)
    links = {(a, b, rng.choice(ports)) for a, b in edges}
    blocked = {"p25", "p8080"}
    true = closure({(a, b) for a, b, p in links if p not in blocked})
    every = pairs(hs)
    near = closure(edges) - true
    return World(
        {("link", *x) for x in links} | {("blocked", p) for p in blocked},
        one("reach", every, true),
        "reach(A,B) :- link(A,B,P), \\+ blocked(P).\nreach(A,B) :- link(A,C,P), \\+ blocked(P), reach(C,B).",
        {"reach": near},
    )


# ---- families --------------------------------------------------------------------------


def family(rng, couples, gens=3, remarry=0.3):
    """mother, father: child -> parent; some people have children with two partners."""
    n = itertools.count(1)
    mother, father = {}, {}
    gen = []
    for _ in range(couples):
        gen += [(f"p{next(n)}", "m"), (f"p{next(n)}", "f")]
    sex = dict(gen)
    cur = [p for p, _ in gen]
    for _ in range(gens - 1):
        m = [p for p in cur if sex[p] == "m"]
        f = [p for p in cur if sex[p] == "f"]
        rng.shuffle(m), rng.shuffle(f)
        couplesl = list(zip(m, f))
        for a in range(len(couplesl)):
            if rng.random() < remarry and len(couplesl) > 1:
                b = rng.randrange(len(couplesl))
                couplesl.append((couplesl[a][0], couplesl[b][1]))
        nxt = []
        for a, b in couplesl:
            for _ in range(rng.choice([1, 2, 2, 3])):
                c = f"p{next(n)}"
                sex[c] = rng.choice("mf")
                father[c], mother[c] = a, b
                nxt.append(c)
        cur = nxt[: 2 * couples + 2]
    return sex, mother, father


@kind(labels=25)
def half_sibling(rng, prm, s):
    """One parent the same and the other not: two rules."""
    sex, mother, father = family(rng, max(3, int(4 * s)), 3, 0.6)
    facts = {("mother", m, c) for c, m in mother.items()} | {
        ("father", f, c) for c, f in father.items()
    }
    kids = list(mother)
    true = {(a, b) for a, b in pairs(kids) if (mother[a] == mother[b]) != (father[a] == father[b])}
    near = {(a, b) for a, b in pairs(kids) if mother[a] == mother[b] and father[a] == father[b]}
    return World(
        facts,
        one("half_sibling", pairs(kids), true),
        "half_sibling(A,B) :- mother(M,A), mother(M,B), father(F,A), father(G,B), F \\= G.\n"
        "half_sibling(A,B) :- father(F,A), father(F,B), mother(M,A), mother(N,B), M \\= N.",
        {"half_sibling": near},
    )


@kind(labels=15)
def cousin(rng, prm, s):
    sex, mother, father = family(rng, max(3, int(4 * s)), 3, 0.0)
    par = {(m, c) for c, m in mother.items()} | {(f, c) for c, f in father.items()}
    of = {}
    for p, c in par:
        of.setdefault(c, set()).add(p)
    sib = {(a, b) for a, b in pairs(of) if a != b and of[a] & of[b]}
    true = {(a, b) for a, b in pairs(of) if any((p, q) in sib for p in of[a] for q in of[b])}
    return World(
        {("parent", *x) for x in par},
        one("cousin", pairs(sex), true),
        "cousin(A,B) :- parent(P,A), parent(G,P), parent(G,Q), parent(Q,B), P \\= Q.",
        {"cousin": sib | {(a, a) for a in of}},
    )


@kind(labels=20)
def heirs(rng, prm, s):
    """inherits(A,B): A from B: a living child, or an heir of a dead child."""
    ps = things("p", 34 * s)
    parent = dag(rng, ps, 7, 0.9, 100)
    dead = {p for p in ps if rng.random() < 0.45}
    kids = {}
    for a, b in parent:
        kids.setdefault(a, []).append(b)

    def down(p):
        for k in kids.get(p, ()):
            if k in dead:
                yield from down(k)
            else:
                yield k

    true = {(h, p) for p in ps for h in down(p)}
    near = {(b, a) for a, b in closure(parent)} - true
    return World(
        {("parent", *x) for x in parent} | {("dead", p) for p in dead},
        one("inherits", pairs(ps), true),
        "inherits(A,B) :- parent(B,A), \\+ dead(A).\ninherits(A,B) :- parent(B,C), dead(C), inherits(A,C).",
        {"inherits": near},
    )


@kind(labels=25)
def aunt_rules(rng, prm, s):
    """Background rules give sibling; aunt by blood or by marriage."""
    sex, mother, father = family(rng, max(4, int(4 * s)), 3, 0.0)
    par = {(m, c) for c, m in mother.items()} | {(f, c) for c, f in father.items()}
    of = {}
    for p, c in par:
        of.setdefault(c, set()).add(p)
    wed = {(father[c], mother[c]) for c in mother}
    sib = {(a, b) for a, b in pairs(of) if a != b and of[a] & of[b]}
    by_blood = {(a, c) for p, c in par for a, q in sib if q == p}
    wives = {(w, c) for h, c in by_blood for m, w in wed if m == h}
    true = {(a, c) for a, c in by_blood if sex[a] == "f"} | wives
    facts = {("parent", *x) for x in par} | {
        ("female" if v == "f" else "male", p) for p, v in sex.items()
    }
    facts |= {("husband", h, w) for h, w in wed}
    return World(
        facts,
        one("aunt", pairs(sex), true),
        "aunt(A,B) :- female(A), sibling(A,P), parent(P,B).\naunt(A,B) :- husband(H,A), sibling(H,P), parent(P,B).",
        {"aunt": (by_blood | {(m, c) for w, c in by_blood for m, x in wed if x == w} | par) - true},
        rules="sibling(A,B) :- parent(P,A), parent(P,B), A \\= B.\n",
    )


# ---- shops -------------------------------------------------------------------------------


def table(rng, n, columns, prefix="x"):
    rows = {f"{prefix}{i}": {c: f() for c, f in columns.items()} for i in range(1, int(n) + 1)}
    facts = set()
    for r, row in rows.items():
        for c, v in row.items():
            if v is True:
                facts.add((c, r))
            elif v is not False and v is not None:
                facts.add((c, r, v))
    return rows, facts


def returns_world(rng, prm, s):
    limit = prm.choice([14, 21, 30])
    rows, facts = table(
        rng,
        90 * s,
        {
            "days": lambda: rng.randint(1, 45),
            "opened": lambda: rng.random() < 0.4,
            "faulty": lambda: rng.random() < 0.25,
            "total": lambda: rng.randint(5, 200),
            "paid_by": lambda: rng.choice(["card", "cash", "voucher"]),
        },
        "order",
    )
    true = {
        (o,) for o, r in rows.items() if r["faulty"] or (r["days"] <= limit and not r["opened"])
    }
    return World(
        facts,
        one("refund", {(o,) for o in rows}, true),
        f"refund(A) :- faulty(A).\nrefund(A) :- days(A,B), B =< {limit}, \\+ opened(A).",
    )


@kind(labels=30)
def returns(rng, prm, s):
    """A threshold with a negation, or a condition."""
    return returns_world(rng, prm, s)


@kind(labels=40)
def loyalty(rng, prm, s):
    """gold: spent a lot, or half as much over years."""
    a, b, y = 1000, 500, prm.choice([3, 5])
    rows, facts = table(
        rng,
        120 * s,
        {
            "spent": lambda: rng.randint(10, 150) * 10,
            "years": lambda: rng.randint(0, 9),
            "city": lambda: rng.choice(["rome", "oslo", "bern"]),
            "orders": lambda: rng.randint(1, 40),
        },
        "client",
    )
    true = {
        (o,) for o, r in rows.items() if r["spent"] >= a or (r["spent"] >= b and r["years"] >= y)
    }
    return World(
        facts,
        one("gold", {(o,) for o in rows}, true),
        f"gold(A) :- spent(A,B), B >= {a}.\ngold(A) :- spent(A,B), B >= {b}, years(A,C), C >= {y}.",
    )


@kind(labels=30)
def vat(rng, prm, s):
    """reverse_charge: a business in an EU country other than our own, one of many countries."""
    cs = things("country", 60)
    home = prm.choice(["country3", "country7"])
    eu = set(cs[:20])
    rows, facts = table(
        rng,
        120 * s,
        {
            "ships_to": lambda: rng.choice(
                [home, home, rng.choice(cs[:20]), rng.choice(cs[:20]), rng.choice(cs)]
            ),
            "type": lambda: rng.choice(["business", "private", "business"]),
            "total": lambda: rng.randint(5, 300),
        },
        "inv",
    )
    facts |= {("eu", c) for c in eu}
    true = {
        (o,)
        for o, r in rows.items()
        if r["ships_to"] in eu and r["ships_to"] != home and r["type"] == "business"
    }
    return World(
        facts,
        one("reverse_charge", {(o,) for o in rows}, true),
        f"reverse_charge(A) :- type(A,business), ships_to(A,B), eu(B), B \\= {home}.",
    )


@kind(labels=25)
def coupon(rng, prm, s):
    """valid(Use): between two dates of the coupon."""
    cs = things("coupon", 12 * s)
    win = {}
    for c in cs:
        f = rng.randrange(200)
        win[c] = (f, f + rng.randint(20, 120))
    facts = {("window", c, day(f), day(t)) for c, (f, t) in win.items()}
    uses, true = things("use", 60 * s), set()
    for u in uses:
        c = rng.choice(cs)
        d = rng.randint(max(0, win[c][0] - 60), win[c][1] + 60)
        facts.add(("used", u, c, day(d)))
        facts.add(("shop", u, rng.choice(["north", "south"])))
        if win[c][0] <= d <= win[c][1]:
            true.add((u,))
    return World(
        facts,
        one("valid", {(u,) for u in uses}, true),
        "valid(A) :- used(A,C,D), window(C,F,T), D >= F, D =< T.",
    )


# ---- schools -----------------------------------------------------------------------------


@kind(labels=30)
def ready(rng, prm, s):
    """ready(Student,Course): all prerequisites passed."""
    st, cs = things("st", 14 * s), things("c", 10)
    req = {
        (c, d)
        for i, c in enumerate(cs)
        for d in rng.sample(cs[:i], min(i, rng.choice([1, 1, 2, 2, 3])))
    }
    passed = {(p, c) for p in st for c in cs if rng.random() < 0.55}
    every = {(p, c) for p in st for c in cs[1:]}
    true = {(p, c) for p, c in every if all((p, d) in passed for e, d in req if e == c)}
    near = {(p, c) for p, c in every - true if any((p, d) in passed for e, d in req if e == c)}
    return World(
        {("requires", *x) for x in req} | {("passed", *x) for x in passed},
        one("ready", every, true),
        "ready(A,B) :- requires(B,_), passed(A,_), \\+ missing(A,B).\n"
        "missing(A,B) :- requires(B,C), passed(A,_), \\+ passed(A,C).",
        {"ready": near},
    )


@kind(labels=25)
def scholarship(rng, prm, s):
    """A decimal average and no failed exam."""
    cut = prm.choice([7.5, 8.0, 8.5])
    st = things("st", 80 * s)
    cs = things("exam", 8)
    avg = {x: f"{rng.uniform(5, 10):.2f}" for x in st}
    failed = {(x, rng.choice(cs)) for x in st if rng.random() < 0.4}
    facts = {("average", x, v) for x, v in avg.items()} | {("failed", *x) for x in failed}
    facts |= {("year", x, rng.randint(1, 4)) for x in st}
    bad = {x for x, _ in failed}
    true = {(x,) for x in st if float(avg[x]) >= cut and x not in bad}
    near = {(x,) for x in st if float(avg[x]) >= cut - 1} - true
    return World(
        facts,
        one("scholarship", {(x,) for x in st}, true),
        f"scholarship(A) :- average(A,B), B >= {cut}, \\+ failed(A,_).",
        {"scholarship": near},
    )


# ---- medicine ------------------------------------------------------------------------------


def contra_world(rng, prm, s):
    ps, ds, cs = things("pat", 14 * s), things("drug", 9 * s), things("cond", 6)
    inter = {tuple(rng.sample(ds, 2)) for _ in range(int(8 * s))}
    contra = {(d, c) for d in ds for c in cs if rng.random() < 0.15}
    takes = {(p, rng.choice(ds)) for p in ps for _ in range(rng.choice([1, 2]))}
    has = {(p, rng.choice(cs)) for p in ps if rng.random() < 0.7}
    true = {(p, d) for p, e in takes for a, d in inter | {(b, a) for a, b in inter} if a == e}
    true |= {(p, d) for p, c in has for d, k in contra if k == c}
    every = {(p, d) for p in ps for d in ds}
    return World(
        {("takes", *x) for x in takes}
        | {("has", *x) for x in has}
        | {("interacts", *x) for x in inter}
        | {("contra", *x) for x in contra},
        one("avoid", every, true),
        "avoid(A,B) :- takes(A,C), interacts(C,B).\navoid(A,B) :- takes(A,C), interacts(B,C).\n"
        "avoid(A,B) :- has(A,C), contra(B,C).",
    )


@kind(labels=20)
def contraindicated(rng, prm, s):
    """Three rules: interaction either way, or a condition."""
    return contra_world(rng, prm, s)


@kind(labels=25)
def dose_range(rng, prm, s):
    """dose(Patient,Drug,Dose): by weight between two limits of a row of five."""
    ps, ds = things("pat", 12 * s), things("drug", 4 * s)
    weight = {p: rng.randint(8, 95) for p in ps}
    facts, true, every = {("weight", p, w) for p, w in weight.items()}, set(), set()
    for d in ds:
        cuts = sorted(rng.sample(range(15, 85), 2))
        for dose, (lo, hi) in zip(
            ("low", "mid", "high"), ((5, cuts[0]), (cuts[0], cuts[1]), (cuts[1], 120))
        ):
            facts.add(("regimen", d, lo, hi, dose))
            for p in ps:
                every.add((p, d, dose))
                if lo <= weight[p] < hi:
                    true.add((p, d, dose))
    return World(
        facts,
        one("dose", every, true),
        "dose(A,B,C) :- weight(A,W), regimen(B,L,H,C), W >= L, W < H.",
    )


# ---- geography -----------------------------------------------------------------------------


def rivers(rng, s):
    cs, rs = things("land", 16 * s), things("river", 7 * s)
    flows = {(rng.choice(rs), c) for c in cs for _ in range(rng.choice([0, 1, 1, 2]))}
    bord = {tuple(rng.sample(cs, 2)) for _ in range(int(20 * s))}
    bord |= {(b, a) for a, b in bord}
    coast = {c for c in cs if rng.random() < 0.4}
    return cs, flows, bord, coast


@kind(labels=20)
def same_river(rng, prm, s):
    """On one river but no neighbours."""
    cs, flows, bord, coast = rivers(rng, s)
    share = {(a, b) for r, a in flows for q, b in flows if r == q and a != b}
    true = share - bord
    return World(
        {("flows", *x) for x in flows}
        | {("borders", *x) for x in bord}
        | {("coast", c) for c in coast},
        one("river_link", pairs(cs), true),
        "river_link(A,B) :- flows(R,A), flows(R,B), A \\= B, \\+ borders(A,B).",
        {"river_link": (share & bord) | {(c, c) for _, c in flows}},
    )


@kind(labels=12, positive=True, options="--closed-world")
def coastal_cw(rng, prm, s):
    """Positives only, --closed-world: a landlocked country beside a coastal one."""
    cs, flows, bord, coast = rivers(rng, s)
    true = {(a, b) for a, b in bord if a not in coast and b in coast}
    return World(
        {("flows", *x) for x in flows}
        | {("borders", *x) for x in bord}
        | {("coast", c) for c in coast},
        one("transit", pairs(cs), true),
        "transit(A,B) :- borders(A,B), coast(B), \\+ coast(A).",
    )


# ---- chemistry, music, text -------------------------------------------------------------------


@kind(labels=20)
def carboxyl(rng, prm, s):
    """A carbon with a double-bonded oxygen and another oxygen by a single bond."""
    facts, true, ms = set(), set(), things("m", 50 * s)
    for m in ms:
        k = rng.randint(4, 7)
        el = [rng.choice("cccoon") for _ in range(k)]
        at = [f"{m}_{i}" for i in range(k)]
        bonds = {}
        for i in range(1, k):
            bonds[rng.randrange(i), i] = rng.choice(["single", "single", "double"])
        for a, e in zip(at, el):
            facts |= {("atom", m, a), ("element", a, e)}
        near = {}
        for (i, j), t in bonds.items():
            facts |= {("bond", at[i], at[j], t), ("bond", at[j], at[i], t)}
            near.setdefault(i, []).append((j, t)), near.setdefault(j, []).append((i, t))
        if any(
            el[i] == "c"
            and any(el[j] == "o" and t == "double" for j, t in ns)
            and any(el[j] == "o" and t == "single" for j, t in ns)
            for i, ns in near.items()
        ):
            true.add((m,))
    return World(
        facts,
        one("acid", {(m,) for m in ms}, true),
        "acid(M) :- atom(M,A), element(A,c), bond(A,B,double), element(B,o), bond(A,C,single), element(C,o).",
    )


@kind(labels=15)
def ring3(rng, prm, s):
    """A molecule with a ring of three atoms."""
    facts, true, ms = set(), set(), things("m", 40 * s)
    for m in ms:
        k = rng.randint(3, 6)
        at = [f"{m}_{i}" for i in range(k)]
        e = {(rng.randrange(i), i) for i in range(1, k)}
        for _ in range(rng.choice([0, 1, 2])):
            e.add(tuple(sorted(rng.sample(range(k), 2))))
        facts |= {("atom", m, a) for a in at} | {("element", a, rng.choice("cno")) for a in at}
        both = e | {(j, i) for i, j in e}
        facts |= {("bond", at[i], at[j]) for i, j in both}
        if any(
            (i, j) in both and (j, l) in both and (l, i) in both
            for i, j, l in itertools.permutations(range(k), 3)
        ):
            true.add((m,))
    return World(
        facts,
        one("strained", {(m,) for m in ms}, true),
        "strained(M) :- atom(M,A), bond(A,B), bond(B,C), bond(C,A).",
    )


@kind(labels=20)
def major_chord(rng, prm, s):
    """The root with its major third and its fifth."""
    notes = ["c", "cis", "d", "dis", "e", "f", "fis", "g", "gis", "a", "ais", "b"]
    facts = {("third", notes[i], notes[(i + 4) % 12]) for i in range(12)}
    facts |= {("minor_third", notes[i], notes[(i + 3) % 12]) for i in range(12)}
    facts |= {("fifth", notes[i], notes[(i + 7) % 12]) for i in range(12)}
    true, cs = set(), things("chord", 44 * s)
    for c in cs:
        r = rng.randrange(12)
        shape = rng.choice([(4, 7), (4, 7), (3, 7), (4, 8), (3, 6), (5, 7), (4, 10)])
        facts |= {("root", c, notes[r]), ("note", c, notes[r])} | {
            ("note", c, notes[(r + x) % 12]) for x in shape
        }
        if shape == (4, 7):
            true.add((c,))
    return World(
        facts,
        one("major", {(c,) for c in cs}, true),
        "major(C) :- root(C,A), third(A,B), note(C,B), fifth(A,D), note(C,D).",
    )


@kind(labels=18)
def same_ends(rng, prm, s):
    """Words that start and end alike, by position and length."""
    facts, true, ws = set(), set(), things("w", 50 * s)
    for w in ws:
        n = rng.randint(3, 6)
        word = [rng.choice("aeionrst") for _ in range(n)]
        if rng.random() < 0.45:
            word[-1] = word[0]
        facts |= {("char", w, i + 1, c) for i, c in enumerate(word)} | {("length", w, n)}
        if word[0] == word[-1]:
            true.add((w,))
    return World(
        facts,
        one("round", {(w,) for w in ws}, true),
        "round(A) :- char(A,1,X), length(A,N), char(A,N,X).",
    )


@kind(labels=15)
def palindrome(rng, prm, s):
    """Words of four letters: two pairs of places."""
    facts, true, ws = set(), set(), things("w", 60 * s)
    for w in ws:
        word = [rng.choice("aeionrst") for _ in range(4)]
        if rng.random() < 0.6:
            word[3] = word[0]
        if rng.random() < 0.6:
            word[2] = word[1]
        facts |= {("letter", w, p, c) for p, c in zip(("first", "second", "third", "fourth"), word)}
        if word == word[::-1]:
            true.add((w,))
    return World(
        facts,
        one("palindrome", {(w,) for w in ws}, true),
        "palindrome(A) :- letter(A,first,X), letter(A,fourth,X), letter(A,second,Y), letter(A,third,Y).",
    )


# ---- graphs, sports -----------------------------------------------------------------------------


@kind(labels=20)
def source_or_sink(rng, prm, s):
    """end(A): something goes in and nothing out, or the reverse."""
    ns = things("n", 44 * s)
    e = {tuple(rng.sample(ns, 2)) for _ in range(int(40 * s))}
    out, inn = {a for a, _ in e}, {b for _, b in e}
    true = {(n,) for n in out ^ inn}
    facts = (
        {("edge", *x) for x in e}
        | {("node", n) for n in ns}
        | {("red", n) for n in ns if rng.random() < 0.4}
    )
    return World(
        facts,
        one("end", {(n,) for n in ns}, true),
        "end(A) :- edge(A,_), \\+ edge(_,A).\nend(A) :- edge(_,A), \\+ edge(A,_).",
    )


@kind(labels=20)
def sports(rng, prm, s):
    """beat(A,B) from matches at home and away; better(A,B): transitively. Two targets."""
    ts = things("team", 9 * s)
    order = ts[:]
    rng.shuffle(order)
    matches, beat = set(), set()
    for a, b in rng.sample([(a, b) for a in ts for b in ts if a != b], int(14 * s)):
        hi, lo = rng.randint(1, 5), rng.randint(0, 4)
        x, y = rng.choice([(max(hi, lo), min(hi, lo))] * 3 + [(lo, lo)])
        if order.index(a) > order.index(b):
            x, y = y, x
        matches.add((a, b, x, y))
        if x > y:
            beat.add((a, b))
        elif y > x:
            beat.add((b, a))
    better = closure(beat)
    every = pairs(ts)
    return World(
        {("match", *m) for m in matches},
        {**one("beat", every, beat), **one("better", every, better)},
        "beat(A,B) :- match(A,B,X,Y), X > Y.\nbeat(A,B) :- match(B,A,X,Y), X < Y.\n"
        "better(A,B) :- beat(A,B).\nbetter(A,B) :- beat(A,C), better(C,B).",
        {"beat": ({(a, b) for a, b, _, _ in matches} | {(b, a) for a, b, _, _ in matches}) - beat},
    )


# ---- accounting ---------------------------------------------------------------------------------


@kind(labels=20)
def duplicate_invoice(rng, prm, s):
    """Same supplier and amount, another number, four places."""
    facts, inv = set(), {}
    for i in things("inv", 44 * s):
        inv[i] = (
            f"sup{rng.randint(1, 5)}",
            rng.choice([100, 120, 150, 200, 250]),
            rng.randrange(90),
        )
        facts.add(("invoice", i, inv[i][0], inv[i][1], day(inv[i][2])))
    every = pairs(inv)
    true = {(a, b) for a, b in every if a != b and inv[a][:2] == inv[b][:2]}
    near = {(a, b) for a, b in every - true if inv[a][0] == inv[b][0] or inv[a][1] == inv[b][1]}
    return World(
        facts,
        one("duplicate", every, true),
        "duplicate(A,B) :- invoice(A,C,D,_), invoice(B,C,D,_), A \\= B.",
        {"duplicate": near},
    )


@kind(labels=20)
def mismatch(rng, prm, s):
    """Not in the bank, or with another amount."""
    facts, true, es = set(), set(), things("entry", 60 * s)
    for e in es:
        v = f"{rng.uniform(10, 500):.2f}"
        facts.add(("ledger", e, v))
        x = rng.random()
        if x < 0.6:
            facts.add(("bank", e, v))
        else:
            true.add((e,))
            if x < 0.8:
                facts.add(("bank", e, f"{rng.uniform(10, 500):.2f}"))
    facts |= {("account", e, rng.choice(["a1", "a2", "a3"])) for e in es}
    return World(
        facts,
        one("mismatch", {(e,) for e in es}, true),
        "mismatch(A) :- ledger(A,B), \\+ bank(A,B).",
    )


@kind(labels=25)
def unbalanced(rng, prm, s):
    """Bank and ledger differ, or open and old: two rules, a number either way."""
    facts, true, es = set(), set(), things("entry", 80 * s)
    for e in es:
        v = rng.randint(10, 90)
        b = v if rng.random() < 0.7 else rng.randint(10, 90)
        d = rng.randrange(200)
        op = rng.random() < 0.5
        facts |= {("ledger", e, v), ("bank", e, b), ("booked", e, day(d))} | (
            {("open", e)} if op else set()
        )
        if b != v or (op and d < 100):
            true.add((e,))
    return World(
        facts,
        one("check", {(e,) for e in es}, true),
        f"check(A) :- ledger(A,B), bank(A,C), B \\= C.\ncheck(A) :- open(A), booked(A,D), D < '{day(100)}'.",
    )


# ---- code and versions ----------------------------------------------------------------------------


@kind(labels=8)
def taint(rng, prm, s):
    """Through assignments unless sanitised; few labels, what is between has none."""
    vs = things("v", 26 * s)
    ass = {(b, a) for a, b in dag(rng, vs, 5, 0.85)}
    src = {v for i, v in enumerate(vs) if rng.random() < (0.5 if i < 4 else 0.05)}
    clean = {v for v in vs if rng.random() < 0.25} - src
    bad = set(src)
    while True:
        more = {v for v, w in ass if w in bad and v not in clean} - bad
        if not more:
            break
        bad |= more
    anyway = src | {a for a, b in closure(ass) if b in src}
    return World(
        {("assign", *x) for x in ass}
        | {("source", v) for v in src}
        | {("sanitised", v) for v in clean},
        one("tainted", {(v,) for v in vs}, {(v,) for v in bad}),
        "tainted(A) :- source(A).\ntainted(A) :- assign(A,B), tainted(B), \\+ sanitised(A).",
        {"tainted": {(v,) for v in anyway - bad}},
    )


@kind(labels=12)
def dead_code(rng, prm, s):
    """Two targets: live is recursive, dead is what is not live."""
    fs = things("fun", 30 * s)
    calls = dag(rng, fs, 5, 0.85)
    entry = {fs[0]} | {f for f in fs if rng.random() < 0.06}
    live = entry | {b for a, b in closure(calls) if a in entry}
    every = {(f,) for f in fs}
    return World(
        {("calls", *x) for x in calls}
        | {("entry", f) for f in entry}
        | {("function", f) for f in fs},
        {
            **one("dead", every, {(f,) for f in fs if f not in live}),
            **one("live", every, {(f,) for f in live}),
        },
        "live(A) :- entry(A).\nlive(A) :- calls(B,A), live(B).\ndead(A) :- function(A), \\+ live(A).",
    )


@kind(labels=12)
def dead_alone(rng, prm, s):
    """dead alone is labelled, live is not: to be invented under a negation."""
    w = dead_code(rng, prm, s)
    del w.targets["live"]
    return w


@kind(labels=20)
def exclusions(rng, prm, s):
    """Needs transitively, but what a package excludes is not needed by it."""
    ps = things("pkg", 16 * s)
    req = dag(rng, ps, 4, 0.9, 4)
    cl = closure(req)
    exc = {x for x in cl if rng.random() < 0.25}
    need = {}

    def needs(a):
        if a not in need:
            need[a] = {c for x, c in req if x == a}
            for x, c in req:
                if x == a:
                    need[a] |= {b for b in needs(c) if (a, b) not in exc}
        return need[a]

    true = {(a, b) for a in ps for b in needs(a)}
    return World(
        {("requires", *x) for x in req} | {("excludes", *x) for x in exc},
        one("needs", pairs(ps), true),
        "needs(A,B) :- requires(A,B).\nneeds(A,B) :- requires(A,C), needs(C,B), \\+ excludes(A,B).",
        {"needs": cl - true},
    )


# ---- wrong labels -----------------------------------------------------------------------------------


@kind(labels=60, size=1.5, noise=0.07)
def noise_returns(rng, prm, s):
    """returns with 7 % wrong labels."""
    return returns_world(rng, prm, s)


@kind(labels=50, size=2, noise=0.06)
def noise_contra(rng, prm, s):
    """contraindicated with 6 % wrong labels."""
    return contra_world(rng, prm, s)


@kind(labels=50, size=1.6, noise=0.06)
def noise_roles(rng, prm, s):
    """has_role with 6 % wrong labels."""
    return has_role(rng, prm, s)


# ---- second batch -----------------------------------------------------------------------------------


@kind(labels=25)
def contact_tracing(rng, prm, s):
    """infected(P,T): recursion with a comparison of times; met gives both ways."""
    ps = things("p", 14 * s)
    met = {(*rng.sample(ps, 2), rng.randint(1, 20)) for _ in range(int(22 * s))}
    met |= {(b, a, t) for a, b, t in met}
    index = {(p, rng.randint(1, 6)) for p in rng.sample(ps, max(2, int(2 * s)))}
    inf = set(index)
    while True:
        more = {(b, t) for a, b, t in met for p, u in inf if p == a and u <= t} - inf
        if not more:
            break
        inf |= more
    cand = {(b, t) for _, b, t in met}
    return World(
        {("met", *x) for x in met} | {("index", *x) for x in index},
        one("infected", cand | inf, inf),
        "infected(A,T) :- index(A,T).\ninfected(A,T) :- met(B,A,T), infected(B,S), S =< T.",
    )


@kind(labels=20)
def heavy_route(rng, prm, s):
    """Over bridges that carry enough: recursion with a threshold in a step of three places."""
    lim = prm.choice([20, 30, 40])
    ns = things("town", 15 * s)
    edges = dag(rng, ns, 4, 0.9, 4)
    load = {e: rng.randrange(5, 80, 5) for e in edges}
    true = closure({e for e in edges if load[e] >= lim})
    return World(
        {("road", a, b, w) for (a, b), w in load.items()},
        one("truck", pairs(ns), true),
        f"truck(A,B) :- road(A,B,W), W >= {lim}.\ntruck(A,B) :- road(A,C,W), W >= {lim}, truck(C,B).",
        {"truck": closure(edges) - true},
    )


@kind(labels=14)
def family3(rng, prm, s):
    """Three targets: father, sibling, uncle, of which the last needs the others' ideas."""
    sex, mother, father = family(rng, max(4, int(4 * s)), 3, 0.0)
    par = {(m, c) for c, m in mother.items()} | {(f, c) for c, f in father.items()}
    of = {}
    for p, c in par:
        of.setdefault(c, set()).add(p)
    sib = {(a, b) for a, b in pairs(of) if a != b and of[a] & of[b]}
    fa = {(f, c) for c, f in father.items()}
    unc = {(a, c) for p, c in par for a, q in sib if q == p and sex[a] == "m"}
    aunts = {(a, c) for p, c in par for a, q in sib if q == p} - unc
    every = pairs(sex)
    return World(
        {("parent", *x) for x in par}
        | {("male" if v == "m" else "female", p) for p, v in sex.items()},
        {**one("father", every, fa), **one("sibling", every, sib), **one("uncle", every, unc)},
        "father(A,B) :- parent(A,B), male(A).\nsibling(A,B) :- parent(P,A), parent(P,B), A \\= B.\n"
        "uncle(A,B) :- sibling(A,P), parent(P,B), male(A).",
        {"father": par - fa, "sibling": {(c, c) for c in of}, "uncle": aunts | par},
    )


@kind(labels=12, positive=True, options="--closed-world")
def chain_cw(rng, prm, s):
    """Positives only, --closed-world: all pairs of a chain of command."""
    ps = things("emp", 12 * s)
    boss = {(ps[rng.randrange(max(0, i - 4), i)], ps[i]) for i in range(1, len(ps))}
    return World(
        {("manages", *x) for x in boss} | {("dept", p, rng.choice(["it", "hr"])) for p in ps},
        one("above", pairs(ps), closure(boss)),
        "above(A,B) :- manages(A,B).\nabove(A,B) :- manages(A,C), above(C,B).",
    )


@kind(labels=30, positive=True, options="--closed-world")
def threshold_cw(rng, prm, s):
    """Positives only, --closed-world: a threshold and a condition."""
    lim = prm.choice([18, 21, 65])
    rows, facts = table(
        rng,
        50 * s,
        {
            "age": lambda: rng.randint(5, 90),
            "member": lambda: rng.random() < 0.6,
            "town": lambda: rng.choice(["rome", "oslo"]),
        },
        "p",
    )
    true = {(p,) for p, r in rows.items() if r["age"] >= lim and r["member"]}
    return World(
        facts,
        one("may_enter", {(p,) for p in rows}, true),
        f"may_enter(A) :- age(A,B), B >= {lim}, member(A).",
    )


@kind(labels=25)
def blocks(rng, prm, s):
    """Blocks world: can_stack(A,B): both clear and not the same."""
    bs = things("b", 12 * s)
    on, tops = set(), []
    for b in bs:
        if tops and rng.random() < 0.5:
            i = rng.randrange(len(tops))
            on.add((b, tops[i]))
            tops[i] = b
        else:
            tops.append(b)
    table_ = {b for b in bs if b not in {a for a, _ in on}}
    true = {(a, b) for a in tops for b in tops if a != b}
    facts = (
        {("on", *x) for x in on} | {("on_table", b) for b in table_} | {("block", b) for b in bs}
    )
    return World(
        facts,
        one("can_stack", pairs(bs), true),
        "can_stack(A,B) :- block(A), block(B), \\+ on(_,A), \\+ on(_,B), A \\= B.",
        {"can_stack": {(a, a) for a in tops} | {(a, b) for a in tops for b in bs} - true},
    )


@kind(labels=30)
def timetable(rng, prm, s):
    """conflict(A,B): lessons of four places: same teacher or room in the same slot."""
    ls = things("l", 30 * s)
    of = {
        l: (f"t{rng.randint(1, 6)}", f"r{rng.randint(1, 6)}", f"s{rng.randint(1, 5)}") for l in ls
    }
    true = {
        (a, b)
        for a, b in pairs(ls)
        if a != b and of[a][2] == of[b][2] and (of[a][0] == of[b][0] or of[a][1] == of[b][1])
    }
    near = {
        (a, b) for a, b in pairs(ls) - true if a == b or sum(x == y for x, y in zip(of[a], of[b]))
    }
    return World(
        {("lesson", l, *v) for l, v in of.items()},
        one("conflict", pairs(ls), true),
        "conflict(A,B) :- lesson(A,T,_,S), lesson(B,T,_,S), A \\= B.\n"
        "conflict(A,B) :- lesson(A,_,R,S), lesson(B,_,R,S), A \\= B.",
        {"conflict": near},
    )


@kind(labels=40)
def exam(rng, prm, s):
    """pass: enough in both parts, or a better resit."""
    a, b, c = prm.choice([40, 50]), 50, 60
    rows, facts = table(
        rng,
        110 * s,
        {
            "written": lambda: rng.randint(20, 100),
            "oral": lambda: rng.randint(20, 100),
            "resit": lambda: rng.randint(20, 100) if rng.random() < 0.4 else None,
            "group": lambda: rng.choice(["g1", "g2", "g3"]),
        },
        "st",
    )
    true = {
        (p,)
        for p, r in rows.items()
        if (r["written"] >= a and r["oral"] >= b) or (r["resit"] or 0) >= c
    }
    return World(
        facts,
        one("passes", {(p,) for p in rows}, true),
        f"passes(A) :- written(A,B), B >= {a}, oral(A,C), C >= {b}.\npasses(A) :- resit(A,B), B >= {c}.",
    )


@kind(labels=30)
def premium(rng, prm, s):
    """class(P,C): three classes as constants in the head: young, none claimed, claimed."""
    ps = things("p", 60 * s)
    age = {p: rng.randint(18, 75) for p in ps}
    claims = {(p, f"c{i}") for i, p in enumerate(ps) if rng.random() < 0.5}
    who = {p for p, _ in claims}
    cls = {p: "high" if age[p] < 25 else ("mid" if p in who else "low") for p in ps}
    facts = (
        {("age", p, v) for p, v in age.items()}
        | {("claim", *x) for x in claims}
        | {("city", p, rng.choice(["x", "y"])) for p in ps}
    )
    return World(
        facts,
        one("class", {(p, c) for p in ps for c in ("high", "mid", "low")}, set(cls.items())),
        "class(A,high) :- age(A,B), B < 25.\nclass(A,mid) :- age(A,B), B >= 25, claim(A,_).\n"
        "class(A,low) :- age(A,B), B >= 25, \\+ claim(A,_).",
    )


@kind(labels=12)
def leap(rng, prm, s):
    """div4 and not div100, or div400."""
    ys = things("y", 50 * s)
    facts, true = set(), set()
    for y in ys:
        k = rng.choice([1, 1, 4, 4, 4, 100, 100, 400, 400])
        if k >= 4:
            facts.add(("div4", y))
        if k >= 100:
            facts.add(("div100", y))
        if k == 400:
            facts.add(("div400", y))
        facts.add(("year", y))
        if k in (4, 400):
            true.add((y,))
    return World(
        facts,
        one("leap", {(y,) for y in ys}, true),
        "leap(A) :- div4(A), \\+ div100(A).\nleap(A) :- div400(A).",
    )


def edit_world(rng, prm, s):
    us, ds = things("u", 12 * s), things("doc", 12 * s)
    owns = {(rng.choice(us), d) for d in ds for _ in range(2)}
    locked, admin = {d for d in ds if rng.random() < 0.4}, {u for u in us if rng.random() < 0.2}
    every = {(u, d) for u in us for d in ds}
    true = {(u, d) for u, d in every if u in admin or ((u, d) in owns and d not in locked)}
    facts = (
        {("owns", *x) for x in owns}
        | {("locked", d) for d in locked}
        | {("admin", u) for u in admin}
        | {("document", d) for d in ds}
    )
    return World(
        facts,
        one("can_edit", every, true),
        "can_edit(A,B) :- owns(A,B), \\+ locked(B).\ncan_edit(A,B) :- admin(A), document(B).",
        {"can_edit": {(u, d) for u, d in owns} - true},
    )


@kind(labels=25)
def can_edit(rng, prm, s):
    """The owner unless locked, or an admin: two rules, one with all documents."""
    return edit_world(rng, prm, s)


@kind(labels=50, size=1.5, noise=0.06)
def noise_edit(rng, prm, s):
    """can_edit with 6 % wrong labels."""
    return edit_world(rng, prm, s)


@kind(labels=12)
def bom(rng, prm, s):
    """Two targets: hazardous through parts, and what is safe to ship: no hazardous part."""
    ps = things("item", 34 * s)
    parts = dag(rng, ps, 5, 0.85)
    toxic = {p for p in ps if rng.random() < 0.2}
    cl = closure(parts)
    haz = toxic | {a for a, b in cl if b in toxic}
    finished = {p for p in ps if rng.random() < 0.6}
    safe = finished - haz
    every = {(p,) for p in ps}
    return World(
        {("part", *x) for x in parts}
        | {("toxic", p) for p in toxic}
        | {("finished", p) for p in finished},
        {
            **one("hazardous", every, {(p,) for p in haz}),
            **one("shippable", every, {(p,) for p in safe}),
        },
        "hazardous(A) :- toxic(A).\nhazardous(A) :- part(A,B), hazardous(B).\nshippable(A) :- finished(A), \\+ hazardous(A).",
        {"shippable": {(p,) for p in finished & haz}},
    )


@kind(labels=20)
def vip_discount(rng, prm, s):
    """Two targets: vip by one of two rules; regular: a client who is not vip."""
    rows, facts = table(
        rng,
        60 * s,
        {
            "client": lambda: rng.random() < 0.75,
            "spent": lambda: rng.randint(1, 100) * 10,
            "staff": lambda: rng.random() < 0.2,
        },
        "p",
    )
    vip = {(p,) for p, r in rows.items() if r["spent"] >= 700 or r["staff"]}
    reg = {(p,) for p, r in rows.items() if r["client"] and (p,) not in vip}
    every = {(p,) for p in rows}
    return World(
        facts,
        {**one("vip", every, vip), **one("regular", every, reg)},
        "vip(A) :- spent(A,B), B >= 700.\nvip(A) :- staff(A).\nregular(A) :- client(A), \\+ vip(A).",
    )


@kind(labels=25)
def shift_swap(rng, prm, s):
    """swap(P,Q,Shift): P has it, Q can and does not have it nor is off: three places, two denials."""
    ps, ss = things("p", 7 * s), things("shift", 7 * s)
    has = {(p, t) for p in ps for t in ss if rng.random() < 0.4}
    skill = {(p, f"k{rng.randint(1, 3)}") for p in ps for _ in range(2)}
    needs = {(t, f"k{rng.randint(1, 3)}") for t in ss}
    off = {p for p in ps if rng.random() < 0.25}
    can = {(p, t) for p, k in skill for t, j in needs if k == j}
    every = {(p, q, t) for p in ps for q in ps for t in ss}
    true = {
        (p, q, t)
        for p, q, t in every
        if (p, t) in has and (q, t) in can and (q, t) not in has and q not in off
    }
    near = {(p, q, t) for p, q, t in every - true if (p, t) in has and (q, t) in can}
    return World(
        {("has", *x) for x in has}
        | {("skill", *x) for x in skill}
        | {("needs", *x) for x in needs}
        | {("off", p) for p in off},
        one("swap", every, true),
        "swap(A,B,C) :- has(A,C), needs(C,K), skill(B,K), \\+ has(B,C), \\+ off(B).",
        {"swap": near},
    )


@kind(labels=30)
def colleagues(rng, prm, s):
    """met(A,B): in the same company at overlapping times, by year; and not the same."""
    ps = things("p", 22 * s)
    worked = {
        (p, f"co{rng.randint(1, 4)}", y := rng.randint(1990, 2015), y + rng.randint(1, 8))
        for p in ps
        for _ in range(rng.choice([1, 2]))
    }
    true = {
        (p, q)
        for p, c, a, b in worked
        for q, d, x, y in worked
        if p != q and c == d and a <= y and x <= b
    }
    near = {(p, q) for p, c, a, b in worked for q, d, x, y in worked if c == d} - true
    return World(
        {("worked", *x) for x in worked} | {("lives", p, rng.choice(["rome", "oslo"])) for p in ps},
        one("met", pairs(ps), true),
        "met(A,B) :- worked(A,C,F,T), worked(B,C,G,U), F =< U, G =< T, A \\= B.",
        {"met": near},
    )


@kind(labels=30)
def colleagues_easy(rng, prm, s):
    """colleagues without a pair (A,A) among the labels."""
    w = colleagues(rng, prm, s)
    w.truth = w.truth.replace(", A \\= B", "")
    t, f = w.targets["met"]
    w.targets["met"] = (t, {x for x in f if x[0] != x[1]})
    return w


@kind(labels=20)
def indirect(rng, prm, s):
    """colleague of a colleague that is none: an inequality with a denial, both ways."""
    ps = things("p", 16 * s)
    k = {tuple(rng.sample(ps, 2)) for _ in range(int(20 * s))}
    k |= {(b, a) for a, b in k}
    two = {(a, c) for a, b in k for x, c in k if b == x}
    true = {x for x in two - k if x[0] != x[1]}
    return World(
        {("knows", *x) for x in k},
        one("introduce", pairs(ps), true),
        "introduce(A,B) :- knows(A,C), knows(C,B), \\+ knows(A,B), A \\= B.",
        {"introduce": (two & k) | {(p, p) for p in ps}},
    )


# ---- third batch ------------------------------------------------------------------------------------


@kind(labels=25)
def trip4(rng, prm, s):
    """trip(P,From,To,Day): a target of four places with a denial of two."""
    ps, fl, ds = things("p", 14 * s), things("fl", 10 * s), things("d", 5)
    towns = things("town", 6)
    flight = {f: tuple(rng.sample(towns, 2)) for f in fl}
    books = {(p, rng.choice(fl), rng.choice(ds)) for p in ps for _ in range(3)}
    canc = {(f, d) for f in fl for d in ds if rng.random() < 0.35}
    true = {(p, *flight[f], d) for p, f, d in books if (f, d) not in canc}
    every = {(p, a, b, d) for p in ps for a, b in set(flight.values()) for d in ds}
    near = {(p, *flight[f], d) for p, f, d in books} - true
    return World(
        {("books", *x) for x in books}
        | {("flight", f, *v) for f, v in flight.items()}
        | {("cancelled", *x) for x in canc},
        one("trip", every, true),
        "trip(A,B,C,D) :- books(A,F,D), flight(F,B,C), \\+ cancelled(F,D).",
        {"trip": near},
    )


@kind(labels=20)
def same_line(rng, prm, s):
    """ride(A,B,Line): recursion of three places, without changing the line."""
    st, ls = things("st", 14 * s), ["red", "blue", "green"]
    links = set()
    for l in ls:
        stops = rng.sample(st, int(6 * s))
        links |= {(a, b, l) for a, b in zip(stops, stops[1:])}
    true = {(a, b, l) for l in ls for a, b in closure({(x, y) for x, y, k in links if k == l})}
    every = {(a, b, l) for a in st for b in st for l in ls}
    near = {(a, b, l) for a, b in closure({(x, y) for x, y, _ in links}) for l in ls} - true
    return World(
        {("link", *x) for x in links},
        one("ride", every, true),
        "ride(A,B,C) :- link(A,B,C).\nride(A,B,C) :- link(A,D,C), ride(D,B,C).",
        {"ride": near},
    )


def hands(rng, s, n=60):
    deck = [(r, u) for r in (2, 3, 4, 5, 6, 7) for u in ("clubs", "hearts", "spades", "diamonds")]
    hs, facts = {}, set()
    for h in things("h", n * s):
        x = rng.random()
        if x < 0.3:
            u = rng.choice(["clubs", "hearts", "spades", "diamonds"])
            hs[h] = rng.sample([c for c in deck if c[1] == u], 5)
        elif x < 0.65:
            r = rng.choice([2, 3, 4, 5, 6, 7])
            three = rng.sample([c for c in deck if c[0] == r], 3)
            hs[h] = three + rng.sample([c for c in deck if c[0] != r], 2)
        else:
            hs[h] = rng.sample(deck, 5)
        for i, (r, u) in enumerate(hs[h]):
            facts |= {
                ("card", h, f"{h}_{i}"),
                ("rank", f"{h}_{i}", f"r{r}"),
                ("suit", f"{h}_{i}", u),
            }
    return hs, facts


@kind(labels=20)
def three_of_a_kind(rng, prm, s):
    """Poker: three cards of a rank; three inequalities."""
    hs, facts = hands(rng, s)
    true = {(h,) for h, cs in hs.items() if any(sum(r == q for r, _ in cs) >= 3 for q, _ in cs)}
    return World(
        facts,
        one("triple", {(h,) for h in hs}, true),
        "triple(H) :- card(H,A), card(H,B), card(H,C), rank(A,R), rank(B,R), rank(C,R), A \\= B, A \\= C, B \\= C.",
    )


@kind(labels=15)
def flush(rng, prm, s):
    """Poker: all of one suit: no two suits differ."""
    hs, facts = hands(rng, s)
    true = {(h,) for h, cs in hs.items() if len({u for _, u in cs}) == 1}
    return World(
        facts,
        one("flush", {(h,) for h in hs}, true),
        "flush(H) :- card(H,_), \\+ mixed(H).\nmixed(H) :- card(H,A), card(H,B), suit(A,S), suit(B,T), S \\= T.",
    )


def zendo_world(rng, prm, s):
    lim = prm.choice([5, 6, 7])
    facts, true, ss = set(), set(), things("s", 70 * s)
    for sc in ss:
        k = rng.randint(2, 5)
        col = [rng.choice(["red", "blue", "green"]) for _ in range(k)]
        size = [rng.randint(1, 10) for _ in range(k)]
        con = {tuple(sorted(rng.sample(range(k), 2))) for _ in range(rng.randint(0, k))}
        con |= {(j, i) for i, j in con}
        for i in range(k):
            facts |= {
                ("piece", sc, f"{sc}_{i}"),
                (col[i], f"{sc}_{i}"),
                ("size", f"{sc}_{i}", size[i]),
            }
        facts |= {("contact", f"{sc}_{i}", f"{sc}_{j}") for i, j in con}
        if any(col[i] == "blue" and size[j] >= lim for i, j in con):
            true.add((sc,))
    return World(
        facts,
        one("zendo", {(x,) for x in ss}, true),
        f"zendo(A) :- piece(A,B), blue(B), contact(B,C), size(C,D), D >= {lim}.",
    )


@kind(labels=25)
def zendo(rng, prm, s):
    """A blue piece touches a large one."""
    return zendo_world(rng, prm, s)


@kind(labels=45, size=1.6, noise=0.06)
def noise_zendo(rng, prm, s):
    """zendo with 6 % wrong labels."""
    return zendo_world(rng, prm, s)


@kind(labels=30)
def tickets(rng, prm, s):
    """urgent: priority high and neither done nor closed, or waiting for long."""
    rows, facts = table(
        rng,
        110 * s,
        {
            "priority": lambda: rng.choice(["high", "high", "low", "mid"]),
            "status": lambda: rng.choice(
                ["done", "closed", "open", "new", "waiting", "review", "blocked", "started"]
            ),
            "days": lambda: rng.randint(0, 60),
            "team": lambda: rng.choice(["a", "b", "c"]),
        },
        "tick",
    )
    true = {
        (t,)
        for t, r in rows.items()
        if r["priority"] == "high" and r["status"] not in ("done", "closed")
    }
    return World(
        facts,
        one("urgent", {(t,) for t in rows}, true),
        "urgent(A) :- priority(A,high), \\+ status(A,done), \\+ status(A,closed).",
    )


@kind(labels=25)
def lapsed(rng, prm, s):
    """A member who has paid nothing since a date."""
    cut = prm.choice([150, 200, 250])
    ms = things("m", 70 * s)
    paid = {(m, day(rng.randrange(360))) for m in ms for _ in range(rng.choice([0, 1, 2, 3]))}
    facts = (
        {("paid", *x) for x in paid}
        | {("member", m) for m in ms}
        | {("city", m, rng.choice(["rome", "oslo"])) for m in ms}
    )
    true = {(m,) for m in ms if not any(n == m and d >= day(cut) for n, d in paid)}
    return World(
        facts,
        one("lapsed", {(m,) for m in ms}, true),
        f"lapsed(A) :- member(A), \\+ recent(A).\nrecent(A) :- paid(A,D), D >= '{day(cut)}'.",
    )


@kind(labels=30)
def available(rng, prm, s):
    """free(Room,Request): no booking of the room overlaps the request."""
    rooms, reqs = things("room", 6 * s), things("req", 12 * s)
    booked = {(r, f := rng.randrange(80), f + rng.randint(2, 15)) for r in rooms for _ in range(3)}
    req = {q: (f := rng.randrange(85), f + rng.randint(1, 10)) for q in reqs}
    every = {(r, q) for r in rooms for q in reqs}
    true = {
        (r, q)
        for r, q in every
        if not any(x == r and f <= req[q][1] and req[q][0] <= t for x, f, t in booked)
    }
    return World(
        {("booked", r, day(f), day(t)) for r, f, t in booked}
        | {("request", q, day(f), day(t)) for q, (f, t) in req.items()}
        | {("room", r) for r in rooms},
        one("free", every, true),
        "free(A,B) :- room(A), request(B,_,_), \\+ taken(A,B).\ntaken(A,B) :- booked(A,F,T), request(B,G,U), F =< U, G =< T.",
    )


@kind(labels=25)
def buildable(rng, prm, s):
    """No part of which there is less in stock than is needed."""
    xs, parts = things("prod", 70 * s), things("part", 14)
    stock = {p: rng.randint(0, 20) for p in parts}
    needs = {(x, p): rng.randint(1, 12) for x in xs for p in rng.sample(parts, rng.randint(1, 3))}
    true = {(x,) for x in xs if all(stock[p] >= n for (y, p), n in needs.items() if y == x)}
    return World(
        {("needs", x, p, n) for (x, p), n in needs.items()}
        | {("stock", p, n) for p, n in stock.items()}
        | {("product", x) for x in xs},
        one("buildable", {(x,) for x in xs}, true),
        "buildable(A) :- product(A), \\+ short(A).\nshort(A) :- needs(A,P,N), stock(P,M), M < N.",
    )


@kind(labels=25)
def two_shops(rng, prm, s):
    """A card used on one day in two different countries."""
    cs, facts, true = things("card", 60 * s), set(), set()
    for c in cs:
        pay = [
            (f"d{rng.randint(1, 6)}", rng.choice(["fr", "de", "it"]))
            for _ in range(rng.randint(2, 4))
        ]
        facts |= {("payment", f"{c}_{i}", c, d, l) for i, (d, l) in enumerate(pay)}
        if any(d == e and l != m for d, l in pay for e, m in pay):
            true.add((c,))
    return World(
        facts,
        one("fraud", {(c,) for c in cs}, true),
        "fraud(A) :- payment(_,A,D,L), payment(_,A,D,M), L \\= M.",
    )
