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


# kind: labels of either sign for learning
DENIED_KINDS = {never_called: 20, untainted: 25, unreachable: 15}
