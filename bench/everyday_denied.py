"""Worlds for everyday.py: what cannot be reached, called, or tainted."""
from everyday_worlds import World, things


def reached(edges, start):
    seen, todo = set(start), list(start)
    after = {}
    for a, b in edges:
        after.setdefault(a, []).append(b)
    while todo:
        for b in after.get(todo.pop(), []):
            if b not in seen:
                seen.add(b)
                todo.append(b)
    return seen


def links(rng, scale):
    """Nodes, and about as many edges at random."""
    nodes = things("n", int(40 * scale))
    edges = {(rng.choice(nodes), rng.choice(nodes)) for _ in range(int(1.1 * len(nodes)))}
    return nodes, {(a, b) for a, b in edges if a != b}


def never_called(rng, scale, w):
    """Functions that no entry leads to."""
    nodes, edges = links(rng, scale)
    start = rng.sample(nodes, max(2, len(nodes) // 12))
    live = reached(edges, start)
    f, c, t = w("function"), w("calls"), w("target")
    facts = {(f, x) for x in nodes} | {(c, a, b) for a, b in edges} | {(w("entry"), x) for x in start}
    return World(facts, {(x,) for x in nodes if x not in live}, {(x,) for x in live},
                 f"{t}(A) :- {f}(A), \\+ live(A). live(A) :- {w('entry')}(A). live(A) :- {c}(B,A), live(B).")


def untainted(rng, scale, w):
    """Variables that no source gets to but through one that cleans."""
    nodes, edges = links(rng, scale)
    start = rng.sample(nodes, max(2, len(nodes) // 10))
    clean = set(rng.sample(nodes, len(nodes) // 5))
    bad = reached({(a, b) for a, b in edges if b not in clean}, start)
    v, e, t = w("variable"), w("flows"), w("target")
    facts = {(v, x) for x in nodes} | {(e, a, b) for a, b in edges}
    facts |= {(w("source"), x) for x in start} | {(w("clean"), x) for x in clean}
    return World(facts, {(x,) for x in nodes if x not in bad}, {(x,) for x in bad},
                 f"{t}(A) :- {v}(A), \\+ bad(A). bad(A) :- {w('source')}(A). "
                 f"bad(A) :- {e}(B,A), bad(B), \\+ {w('clean')}(A).")


def unreachable(rng, scale, w):
    """Pairs without a path."""
    nodes, edges = links(rng, 0.6 * scale)
    true = {(a, b) for a in nodes for b in reached(edges, [y for x, y in edges if x == a])}
    n, e, t = w("node"), w("edge"), w("target")
    facts = {(n, x) for x in nodes} | {(e, a, b) for a, b in edges}
    return World(facts, {(a, b) for a in nodes for b in nodes} - true, true,
                 f"{t}(A,B) :- {n}(A), {n}(B), \\+ path(A,B). "
                 f"path(A,B) :- {e}(A,B). path(A,B) :- {e}(A,C), path(C,B).")


def noise_eats(rng, scale, w):
    """Guests and dishes without anything that the guest must not have."""
    guests, dishes = things("g", int(12 * scale)), things("d", int(10 * scale))
    parts, kinds = things("p", 20), things("k", 6)
    of = {p: set(rng.sample(kinds, rng.randint(0, 2))) for p in parts}
    uses = {d: set(rng.sample(parts, rng.randint(2, 4))) for d in dishes}
    shuns = {g: set(rng.sample(kinds, rng.randint(0, 2))) for g in guests}
    facts = {(w("guest"), g) for g in guests} | {(w("dish"), d) for d in dishes}
    facts |= {(w("contains"), p, k) for p in parts for k in of[p]}
    facts |= {(w("uses"), d, p) for d in dishes for p in uses[d]}
    facts |= {(w("shuns"), g, k) for g in guests for k in shuns[g]}
    pairs = {(g, d) for g in guests for d in dishes}
    false = {(g, d) for g, d in pairs if any(of[p] & shuns[g] for p in uses[d])}
    return World(facts, pairs - false, false,
                 f"{w('target')}(A,B) :- {w('guest')}(A), {w('dish')}(B), \\+ bad(A,B). bad(A,B) :- "
                 f"{w('shuns')}(A,C), {w('contains')}(D,C), {w('uses')}(B,D).")


def noise_strangers(rng, scale, w):
    """Pupils of one school who share no course."""
    pupils, schools, courses = things("p", int(14 * scale)), things("s", 3), things("c", 8)
    school = {p: rng.choice(schools) for p in pupils}
    takes = {p: set(rng.sample(courses, rng.randint(1, 3))) for p in pupils}
    pairs = {(a, b) for a in pupils for b in pupils}
    true = {(a, b) for a, b in pairs if school[a] == school[b] and not takes[a] & takes[b]}
    facts = {(w("school"), p, school[p]) for p in pupils} | {(w("takes"), p, c) for p in pupils for c in takes[p]}
    s, t = w("school"), w("takes")
    return World(facts, true, pairs - true,
                 f"{w('target')}(A,B) :- {s}(A,C), {s}(B,C), \\+ both(A,B). both(A,B) :- {t}(A,C), {t}(B,C).")


# kind: the rate of wrong labels
DENIED_NOISY = {noise_eats: None, noise_strangers: None}

# kind: labels of either sign for learning
DENIED_KINDS = {never_called: 20, untainted: 25, unreachable: 15, noise_eats: 60, noise_strangers: 60}
