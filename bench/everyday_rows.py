"""Worlds for everyday.py: things with several rows each, of which the first or last counts."""
from everyday_worlds import World, things


def day(n):
    return f"'2024-{1 + n // 28:02}-{1 + n % 28:02}'"


def beyond(fact, sign):
    """What has a greater or smaller value too; fact: of a thing and a value, as text."""
    return f"other(A,B) :- {fact('A', 'B')}, {fact('A', 'C')}, B {sign} C."


def histories(rng, scale, n, last):
    """For each thing up to four rows of different times, in order."""
    return {x: sorted(rng.sample(range(last), rng.randint(1, 4))) for x in things("x", int(n * scale))}


def last_state(rng, scale, w):
    """The last event has some value."""
    e, facts, true = w("event"), set(), set()
    rows = histories(rng, scale, 60, 60)
    for x, times in rows.items():
        states = [rng.choice(["open", "closed", "waiting"]) for _ in times]
        facts |= {(e, x, str(t), s) for t, s in zip(times, states)}
        true |= {(x,)} if states[-1] == "open" else set()
    return World(facts, true, {(x,) for x in rows} - true, f"{w('target')}(A) :- {e}(A,B,open), \\+ other(A,B). "
                 + beyond(lambda a, b: f"{e}({a},{b},_)", "<"))


def last_mark(rng, scale, w):
    """The last mark, by date, is high enough."""
    e, facts, true = w("mark"), set(), set()
    rows = histories(rng, scale, 100, 300)
    for x, times in rows.items():
        marks = [rng.randint(10, 99) for _ in times]
        facts |= {(e, x, day(t), str(m)) for t, m in zip(times, marks)}
        facts |= {(w("school"), x, rng.choice(things("s", 4)))}
        true |= {(x,)} if marks[-1] >= 50 else set()
    return World(facts, true, {(x,) for x in rows} - true,
                 f"{w('target')}(A) :- {e}(A,B,C), C >= 50, \\+ other(A,B). "
                 + beyond(lambda a, b: f"{e}({a},{b},_)", "<"))


def last_owner(rng, scale, w):
    """Who bought a thing last."""
    e, facts, true, false = w("bought"), set(), set(), set()
    rows = histories(rng, scale, 40, 30)
    for x, times in rows.items():
        people = [f"p{rng.randrange(len(rows))}" for _ in times]
        facts |= {(e, p, x, str(1990 + t)) for t, p in zip(times, people)}
        true.add((x, people[-1]))
        false |= {(x, p) for p in people if p != people[-1]}
    return World(facts, true, false, f"{w('target')}(A,B) :- {e}(B,A,C), \\+ other(A,C). "
                 + beyond(lambda a, b: f"{e}(_,{a},{b})", "<"))


def first_entry(rng, scale, w):
    """The first entry, by date, has some value."""
    e, facts, true = w("entry"), set(), set()
    rows = histories(rng, scale, 70, 300)
    for x, times in rows.items():
        kinds = [rng.choice(["bug", "wish", "note"]) for _ in times]
        facts |= {(e, x, day(t), k) for t, k in zip(times, kinds)}
        true |= {(x,)} if kinds[0] == "bug" else set()
    return World(facts, true, {(x,) for x in rows} - true, f"{w('target')}(A) :- {e}(A,B,bug), \\+ other(A,B). "
                 + beyond(lambda a, b: f"{e}({a},{b},_)", ">"))


def last_of_kind(rng, scale, w):
    """The last reading of a thing that has some property says something."""
    e, facts, true = w("reading"), set(), set()
    rows = histories(rng, scale, 80, 1000)
    for x, times in rows.items():
        says = [rng.choice(["ok", "warn", "fail"]) for _ in times]
        facts |= {(e, x, str(t), s) for t, s in zip(times, says)}
        marked = rng.random() < 0.5
        facts |= {(w("critical"), x)} if marked else set()
        true |= {(x,)} if marked and says[-1] == "fail" else set()
    return World(facts, true, {(x,) for x in rows} - true,
                 f"{w('target')}(A) :- {w('critical')}(A), {e}(A,B,fail), \\+ other(A,B). "
                 + beyond(lambda a, b: f"{e}({a},{b},_)", "<"))


def owned_rows(rng, w, rows, owner, value):
    """Facts of rows that have names: whose they are, and when; and the name of each."""
    names = things("r", sum(len(times) for times in rows.values()))
    rng.shuffle(names)
    facts, name_of = set(), {}
    for x, times in rows.items():
        for t in times:
            name_of[x, t] = names.pop()
            facts |= {(w(owner), name_of[x, t], x), (w(value), name_of[x, t], str(t))}
    return facts, name_of


def last_order(rng, scale, w):
    """The last order of a customer has some status."""
    rows, true = histories(rng, scale, 60, 400), set()
    facts, name_of = owned_rows(rng, w, rows, "customer", "placed")
    for x, times in rows.items():
        states = [rng.choice(["open", "sent", "paid"]) for _ in times]
        facts |= {(w("status"), name_of[x, t], s) for t, s in zip(times, states)}
        true |= {(x,)} if states[-1] == "open" else set()
    c, p = w("customer"), w("placed")
    return World(facts, true, {(x,) for x in rows} - true,
                 f"{w('target')}(A) :- {c}(B,A), {w('status')}(B,open), \\+ other(B). "
                 f"other(A) :- {c}(A,B), {p}(A,C), {c}(D,B), {p}(D,E), C < E.")


def first_test(rng, scale, w):
    """The first test of a pupil is good enough."""
    rows, true = histories(rng, scale, 70, 400), set()
    facts, name_of = owned_rows(rng, w, rows, "pupil", "day")
    for x, times in rows.items():
        marks = [rng.randint(10, 99) for _ in times]
        facts |= {(w("mark"), name_of[x, t], str(m)) for t, m in zip(times, marks)}
        true |= {(x,)} if marks[0] >= 50 else set()
    c, p = w("pupil"), w("day")
    return World(facts, true, {(x,) for x in rows} - true,
                 f"{w('target')}(A) :- {c}(B,A), {w('mark')}(B,C), C >= 50, \\+ other(B). "
                 f"other(A) :- {c}(A,B), {p}(A,C), {c}(D,B), {p}(D,E), C > E.")


# kind: labels of either sign for learning
ROW_KINDS = {last_state: 25, last_mark: 40, last_owner: 25, first_entry: 25, last_of_kind: 25,
             last_order: 25, first_test: 30}
