#!/usr/bin/env python3
"""Runs `pith learn`, without templates, on problems of the kinds that Popper's
users have: trains, scenes of pieces, rules of games, chess, families; and
relations of up to six places.

    bench/popper.py [--draws 3] [--problems a,b] [--nonsense] [--pith build/pith] [--verbose]

Every problem is a background that a generator draws from a fixed seed and a
program that says what is true there; `pith infer` labels the examples. What is
learned from one draw is scored on the examples of another. Printed: facts and
examples, whether the examples were fitted, accuracy on the other draw, size of
the program found and of the one that labelled, seconds of processor time and
megabytes of the whole process.
"""
import argparse
import itertools
import pathlib
import random
import re
import resource
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent

# ---- backgrounds: (rng, n) -> facts and candidates for examples --------------


def trains(rng, n):
    """Michalski's trains: cars, their properties, their loads."""
    facts, cars, loads = [], 0, 0
    for t in range(n):
        for _ in range(rng.randrange(2, 6)):
            cars += 1
            car = f"c{cars}"
            facts.append(("has_car", f"t{t}", car))
            facts.append((rng.choice(["short", "long"]), car))
            facts.append((rng.choice(["two_wheels", "three_wheels"]), car))
            facts.append((rng.choice(["roof_open", "roof_flat", "roof_jagged", "roof_peaked"]), car))
            for _ in range(rng.randrange(0, 3)):
                loads += 1
                facts.append(("has_load", car, f"l{loads}"))
                facts.append((rng.choice(["circle", "triangle", "rectangle", "diamond"]), f"l{loads}"))
    return facts, [(f"t{t}",) for t in range(n)]


def valued_trains(rng, n):
    """The same with values instead of predicates: constants are needed."""
    facts, cars = [], 0
    for t in range(n):
        for place in range(rng.randrange(2, 6)):
            cars += 1
            car = f"c{cars}"
            facts += [("has_car", f"t{t}", car, str(place)),
                      ("size", car, rng.choice(["short", "long"])),
                      ("wheels", car, rng.choice("23")),
                      ("roof", car, rng.choice(["open", "flat", "jagged", "peaked"])),
                      ("load", car, rng.choice(["circle", "triangle", "diamond"]), rng.choice("0123"))]
    return facts, [(f"t{t}",) for t in range(n)]


def scenes(rng, n):
    """Zendo: scenes of coloured pieces that touch."""
    facts, pieces = [], 0
    for s in range(n):
        here = []
        for _ in range(rng.randrange(2, 6)):
            pieces += 1
            p = f"p{pieces}"
            here.append(p)
            facts += [("piece", f"s{s}", p), (rng.choice(["red", "green", "blue"]), p),
                      (rng.choice(["small", "medium", "large"]), p),
                      (rng.choice(["upright", "lhs", "rhs", "strange"]), p)]
        for a, b in itertools.combinations(here, 2):
            if rng.random() < 0.3:
                facts += [("contact", a, b), ("contact", b, a)]
    return facts, [(f"s{s}",) for s in range(n)]


def duels(rng, n):
    """Rock, paper, scissors: states, players, moves, scores."""
    top = 10
    facts = [("succ", str(i), str(i + 1)) for i in range(top)]
    facts += [("beats", "rock", "scissors"), ("beats", "scissors", "paper"), ("beats", "paper", "rock")]
    facts += [("player", "p1"), ("player", "p2"), ("other", "p1", "p2"), ("other", "p2", "p1")]
    asked = []
    for s in range(n):
        for p in ("p1", "p2"):
            score = rng.randrange(top)
            facts += [("does", f"g{s}", p, rng.choice(["rock", "paper", "scissors"])),
                      ("score", f"g{s}", p, str(score))]
            asked += [(f"g{s}", p, str(v)) for v in {score, score + 1, rng.randrange(top)}]
    return facts, asked


def decay(rng, n):
    """A counter that falls by one a step unless a button is pressed."""
    facts = [("succ", str(i), str(i + 1)) for i in range(10)] + [("button", "b1"), ("button", "b2")]
    facts += [("top", "5"), ("zero", "0")]
    asked = []
    for s in range(n):
        v = rng.randrange(8)
        facts.append(("value", f"g{s}", str(v)))
        if rng.random() < 0.5:
            facts.append(("press", f"g{s}", "you", rng.choice(["b1", "b2"])))
        else:
            facts.append(("wait", f"g{s}", "you"))
        asked += [(f"g{s}", str(w)) for w in {v, max(v - 1, 0), 5, rng.randrange(10)}]
    return facts, asked


def chess(rng, n):
    """King, rook, king: a board is cells with a piece and a colour."""
    facts = []
    for i in range(1, 9):
        for j in range(1, 9):
            if abs(i - j) <= 2:
                facts.append(("distance", str(i), str(j), f"d{abs(i - j)}"))
    facts += [("one", "d1"), ("zero", "d0"), ("white", "w"), ("black", "b"), ("king", "k"), ("rook", "r")]
    for s in range(n):
        for piece, colour in (("k", "w"), ("r", "w"), ("k", "b")):
            facts.append(("cell", f"g{s}", str(rng.randrange(1, 9)), colour, piece))
    return facts, [(f"g{s}",) for s in range(n)]


def people(rng, n, extra=()):
    """Families, with father and mother, and who is what."""
    facts, generation, number = [], [f"p{i}" for i in range(max(4, n // 4))], max(4, n // 4)
    male = {p: rng.random() < 0.5 for p in generation}
    while number < n:
        after = []
        men = [p for p in generation if male[p]]
        women = [p for p in generation if not male[p]]
        for man, woman in zip(men, women):
            for _ in range(rng.randrange(1, 4)):
                child = f"p{number}"
                number += 1
                male[child] = rng.random() < 0.5
                facts += [("father", man, child), ("mother", woman, child)]
                after.append(child)
        if not after:
            break
        generation = after
    known = sorted({p for f in facts for p in f[1:]})
    facts += [("male" if male[p] else "female", p) for p in known]
    return facts, None


def relatives(rng, n):
    facts, _ = people(rng, n)
    known = sorted({p for f in facts for p in f[1:]})
    if n <= 60:
        return facts, [(a, b) for a in known for b in known]
    parents = {}
    for f in facts:
        if len(f) == 3:
            parents.setdefault(f[2], []).append(f[1])
    asked = set()
    for p in known:
        up = [p]
        for _ in range(4):
            up = [q for r in up for q in parents.get(r, [])]
            asked |= {(q, p) for q in up}
        asked |= {(rng.choice(known), p) for _ in range(4)}
    return facts, sorted(asked)


def molecules(rng, n):
    """Atoms and bonds, with elements and kinds of bond as values."""
    facts, atoms = [], 0
    for m in range(n):
        here = []
        for _ in range(rng.randrange(4, 10)):
            atoms += 1
            here.append(f"a{atoms}")
            facts.append(("atom", f"m{m}", f"a{atoms}", rng.choice(["c", "c", "h", "o", "n"])))
        for a, b in zip(here, here[1:]):
            kind = rng.choice(["single", "double", "aromatic"])
            facts += [("bond", a, b, kind), ("bond", b, a, kind)]
    return facts, [(f"m{m}",) for m in range(n)]


def graphs(rng, n):
    """Many small coloured graphs; a graph is asked about its nodes."""
    facts, asked = [], []
    for g in range(n // 10):
        nodes = [f"g{g}n{i}" for i in range(10)]
        facts += [("edge", rng.choice(nodes), rng.choice(nodes)) for _ in range(12)]
        facts += [(rng.choice(["red", "green", "blue"]), v) for v in nodes]
        asked += [(v,) for v in nodes]
    return sorted(set(facts)), asked


def wide_chess(rng, n):
    """King, rook, king with both coordinates in one relation of five places."""
    facts = [("close", str(i), str(j)) for i in range(8) for j in range(8) if abs(i - j) <= 1]
    for s in range(n):
        for piece, colour in (("king", "white"), ("rook", "white"), ("king", "black")):
            facts.append(("cell", f"g{s}", str(rng.randrange(8)), str(rng.randrange(8)), colour, piece))
    return facts, [(f"g{s}",) for s in range(n)]


def hands(rng, n):
    """Poker: five cards, each with a rank and a suit."""
    facts = []
    deck = [(r, s) for r in "23456789tjqka" for s in ("clubs", "diamonds", "hearts", "spades")]
    for h in range(n):
        ranks = rng.sample("23456789tjqka", 3 if h % 2 else 13)  # more pairs than there would be
        some = [c for c in deck if c[0] in ranks]
        facts += [("card", f"h{h}", "r" + r, s) for r, s in rng.sample(some, 5)]
    return facts, [(f"h{h}",) for h in range(n)]


LINES = ["11 12 13", "21 22 23", "31 32 33", "11 21 31", "12 22 32", "13 23 33", "11 22 33", "13 22 31"]


def boards(rng, n):
    """Tic-tac-toe: a board has a mark in each cell; lines of three."""
    facts = [("line", *("c" + c for c in line.split())) for line in LINES] + [("mark", "x"), ("mark", "o")]
    asked = []
    for s in range(n):
        for x in "123":
            for y in "123":
                facts.append(("cell", f"b{s}", "c" + x + y, rng.choice("xob")))
        asked += [(f"b{s}", p) for p in "xo"]
    return facts, asked


def marks(rng, n):
    """Tic-tac-toe, the next state: cells by their coordinates, a move each."""
    facts, asked = [("mark", "x"), ("mark", "o"), ("other", "x", "o"), ("other", "o", "x")], []
    for s in range(n):
        state = {}
        for x in "123":
            for y in "123":
                state[x, y] = rng.choice("xob")
                facts.append(("cell", f"b{s}", x, y, state[x, y]))
        p = rng.choice("xo")
        blank = [c for c in state if state[c] == "b"]
        facts.append(("control", f"b{s}", p))
        if blank:
            facts.append(("does", f"b{s}", p) + rng.choice(blank))
        asked += [(f"b{s}", x, y, m) for x in "123" for y in "123" for m in "xob"]
    return facts, asked


def grids(rng, n):
    """Sudoku of four by four, some cells filled in."""
    facts, asked = [("box", str(r), str(c), f"q{r // 2}{c // 2}") for r in range(4) for c in range(4)], []
    for s in range(n):
        for r, c in rng.sample([(r, c) for r in range(4) for c in range(4)], 5):
            facts.append(("cell", f"s{s}", str(r), str(c), "v" + rng.choice("1234")))
        asked.append((f"s{s}",))
    return facts, asked


def days(rng, n):
    """Weather: a row of values for each day."""
    facts = [("day", f"d{d}", rng.choice(["sunny", "overcast", "rain"]), rng.choice(["hot", "mild", "cool"]),
              rng.choice(["high", "normal"]), rng.choice(["weak", "strong"])) for d in range(n)]
    return facts, [(f"d{d}",) for d in range(n)]


def robots(rng, n):
    """A robot on a field takes a step."""
    facts, asked = [("succ", str(i), str(i + 1)) for i in range(7)], []
    for s in range(n):
        x, y = rng.randrange(8), rng.randrange(8)
        facts += [("at", f"s{s}", str(x), str(y)), ("go", f"s{s}", rng.choice(["north", "south", "east", "west"]))]
        asked += [(f"s{s}", str(a), str(b)) for a in range(x - 1, x + 2) for b in range(y - 1, y + 2)
                  if 0 <= a < 8 and 0 <= b < 8]
    return facts, asked


def flights(rng, n):
    """Flights between towns, of six places."""
    towns = [f"t{i}" for i in range(max(5, n // 10))]
    facts = []
    for i in range(n):
        a, b = rng.sample(towns, 2)
        facts.append(("flight", f"f{i}", a, b, rng.choice(["ka", "lu", "ba"]), rng.choice(["mon", "tue", "wed"]),
                      rng.choice(["cheap", "dear"])))
    return facts, [(a, b) for a in towns for b in towns if rng.random() < 0.5]


def wide_trains(rng, n):
    """Trains whose cars are rows: train, car, length, roof, wheels, load."""
    facts, cars = [], 0
    for t in range(n):
        for place in range(rng.randrange(2, 6)):
            cars += 1
            facts.append(("car", f"t{t}", f"c{cars}", rng.choice(["short", "long"]), rng.choice(["open", "flat", "peaked"]),
                          rng.choice("23"), rng.choice(["circle", "triangle", "diamond"])))
    return facts, [(f"t{t}",) for t in range(n)]


# ---- problems: generator, size of the draw, program ---------------------------

PROBLEMS = {
    "trains-1": (trains, 200, "f(A) :- has_car(A,B), short(B), roof_flat(B), three_wheels(B)."),
    "trains-2": (trains, 1000, "f(A) :- has_car(A,B), long(B), three_wheels(B), has_car(A,C), has_load(C,D), circle(D)."),
    "trains-3": (trains, 1000, "f(A) :- has_car(A,B), short(B), roof_jagged(B).\n"
                 "f(A) :- has_car(A,B), long(B), has_load(B,C), triangle(C).\n"
                 "f(A) :- has_car(A,B), roof_peaked(B), three_wheels(B), has_load(B,C), diamond(C)."),
    "trains-4": (trains, 5000, "f(A) :- has_car(A,B), roof_open(B), has_load(B,C), circle(C), has_car(A,D), roof_flat(D), long(D)."),
    "trains-values": (valued_trains, 1000, "f(A) :- has_car(A,B,C), roof(B,flat), load(B,circle,D), has_car(A,E,F), size(E,long), wheels(E,3)."),
    "zendo-1": (scenes, 300, "f(A) :- piece(A,B), red(B), contact(B,C), blue(C)."),
    "zendo-2": (scenes, 1000, "f(A) :- piece(A,B), red(B), small(B), contact(B,C), blue(C), upright(C)."),
    "zendo-3": (scenes, 1000, "f(A) :- piece(A,B), green(B), lhs(B).\n"
                "f(A) :- piece(A,B), large(B), contact(B,C), red(C)."),
    "zendo-two": (scenes, 500, "f(A) :- piece(A,B), red(B), piece(A,C), red(C), B \\= C."),
    "zendo-4": (scenes, 20000, "f(A) :- piece(A,B), blue(B), strange(B), piece(A,C), small(C), contact(B,C)."),
    "rps": (duels, 200, "f(A,B,C) :- does(A,B,D), other(B,E), does(A,E,F), beats(D,F), score(A,B,G), succ(G,C).\n"
            "f(A,B,C) :- does(A,B,D), other(B,E), does(A,E,D), score(A,B,C).\n"
            "f(A,B,C) :- does(A,B,D), other(B,E), does(A,E,F), beats(F,D), score(A,B,C)."),
    "rps-win": (duels, 5000, "f(A,B,C) :- does(A,B,D), other(B,E), does(A,E,F), beats(D,F), score(A,B,G), succ(G,C)."),
    "decay": (decay, 300, "f(A,B) :- value(A,C), succ(B,C), wait(A,D).\n"
              "f(A,B) :- press(A,C,D), top(B).\n"
              "f(A,B) :- value(A,B), zero(B), wait(A,C)."),
    "decay-large": (decay, 30000, "f(A,B) :- value(A,C), succ(B,C), wait(A,D).\n"
                    "f(A,B) :- press(A,C,D), top(B).\n"
                    "f(A,B) :- value(A,B), zero(B), wait(A,C)."),
    "krk": (chess, 1000, "f(A) :- cell(A,B,C,D), white(C), rook(D), cell(A,B,E,F), black(E)."),
    "krk-near": (chess, 2000, "f(A) :- cell(A,B,C,D), white(C), king(D), cell(A,E,F,G), black(F), distance(B,E,H), one(H)."),
    "grandparent": (relatives, 40, "f(A,B) :- parent(A,C), parent(C,B).\nparent(A,B) :- father(A,B).\nparent(A,B) :- mother(A,B)."),
    "greatgrand": (relatives, 2000, "f(A,B) :- parent(A,C), parent(C,D), parent(D,B).\nparent(A,B) :- father(A,B).\nparent(A,B) :- mother(A,B)."),
    "ancestor": (relatives, 50, "f(A,B) :- parent(A,B).\nf(A,B) :- parent(A,C), f(C,B).\nparent(A,B) :- father(A,B).\nparent(A,B) :- mother(A,B)."),
    "uncle": (relatives, 3000, "f(A,B) :- male(A), parent(C,A), parent(C,D), parent(D,B), A \\= D.\nparent(A,B) :- father(A,B).\nparent(A,B) :- mother(A,B)."),
    "molecules": (molecules, 1000, "f(A) :- atom(A,B,o), bond(B,C,double), atom(A,C,n)."),
    "molecules-large": (molecules, 10000, "f(A) :- atom(A,B,o), bond(B,C,aromatic), atom(A,C,c), bond(C,D,single).\nf(A) :- atom(A,B,n), bond(B,C,double), atom(A,C,n)."),
    "reach-red": (graphs, 500, "f(A) :- red(A).\nf(A) :- edge(A,B), f(B)."),
    "on-cycle": (graphs, 500, "f(A) :- path(A,A).\npath(A,B) :- edge(A,B).\npath(A,B) :- edge(A,C), path(C,B)."),
    "krk-wide": (wide_chess, 500, "f(A) :- cell(A,B,C,black,D), cell(A,B,E,white,rook).\nf(A) :- cell(A,B,C,black,king), cell(A,D,E,white,king), close(B,D), close(C,E)."),
    "krk-rook": (wide_chess, 1000, "f(A) :- cell(A,B,C,black,D), cell(A,B,E,white,rook).\nf(A) :- cell(A,B,C,black,D), cell(A,E,C,white,rook)."),
    "krk-kings": (wide_chess, 3000, "f(A) :- cell(A,B,C,black,king), cell(A,D,E,white,king), close(B,D), close(C,E)."),
    "poker-pair": (hands, 500, "f(A) :- card(A,B,C), card(A,B,D), C \\= D."),
    "poker-three": (hands, 1000, "f(A) :- card(A,B,C), card(A,B,D), card(A,B,E), C \\= D, C \\= E, D \\= E."),
    "poker-two": (hands, 1000, "f(A) :- card(A,B,C), card(A,B,D), C \\= D, card(A,E,F), card(A,E,G), F \\= G, B \\= E."),
    "ttt-win": (boards, 500, "f(A,B) :- mark(B), line(C,D,E), cell(A,C,B), cell(A,D,B), cell(A,E,B)."),
    "ttt-next": (marks, 100, "f(A,B,C,D) :- does(A,D,B,C).\nf(A,B,C,D) :- cell(A,B,C,D), mark(D).\nf(A,B,C,D) :- cell(A,B,C,D), does(A,E,F,G), B \\= F.\nf(A,B,C,D) :- cell(A,B,C,D), does(A,E,F,G), C \\= G."),
    "sudoku": (grids, 600, "f(A) :- cell(A,B,C,D), cell(A,B,E,D), C \\= E.\nf(A) :- cell(A,B,C,D), cell(A,E,C,D), B \\= E."),
    "sudoku-box": (grids, 1000, "f(A) :- cell(A,B,C,D), cell(A,B,E,D), C \\= E.\nf(A) :- cell(A,B,C,D), cell(A,E,C,D), B \\= E.\nf(A) :- cell(A,B,C,D), cell(A,E,F,D), box(B,C,G), box(E,F,G), B \\= E."),
    "tennis": (days, 100, "f(A) :- day(A,overcast,B,C,D).\nf(A) :- day(A,sunny,B,normal,C).\nf(A) :- day(A,rain,B,C,weak)."),
    "tennis-deep": (days, 400, "f(A) :- day(A,overcast,hot,B,weak).\nf(A) :- day(A,sunny,mild,normal,B).\nf(A) :- day(A,rain,B,high,weak).\nf(A) :- day(A,B,cool,normal,strong)."),
    "robots": (robots, 200, "f(A,B,C) :- at(A,B,D), go(A,north), succ(D,C).\nf(A,B,C) :- at(A,B,D), go(A,south), succ(C,D).\nf(A,B,C) :- at(A,D,C), go(A,east), succ(D,B).\nf(A,B,C) :- at(A,D,C), go(A,west), succ(B,D)."),
    "flights": (flights, 300, "f(A,B) :- flight(C,A,D,E,F,G), flight(H,D,B,E,F,I)."),
    "flights-cheap": (flights, 1000, "f(A,B) :- flight(C,A,D,E,F,cheap), flight(H,D,B,E,F,cheap)."),
    "trains-wide": (wide_trains, 500, "f(A) :- car(A,B,long,flat,C,circle), car(A,D,short,E,3,F).\nf(A) :- car(A,B,short,peaked,2,C)."),
    "trains-100k": (trains, 100000 // 16 * 10 // 10, "f(A) :- has_car(A,B), short(B), roof_flat(B), has_car(A,C), has_load(C,D), diamond(D)."),
    "scenes-100k": (scenes, 100000, "f(A) :- piece(A,B), red(B), small(B), contact(B,C), blue(C)."),
}

# ---- one run -------------------------------------------------------------------


def text(fact):
    return f"{fact[0]}({','.join(fact[1:])})" if len(fact) > 1 else fact[0]


def label(facts, program, asked, folder, pith):
    """Those of the asked that the program derives."""
    (folder / "facts.pl").write_text("".join(text(f) + ".\n" for f in facts))
    (folder / "program.pl").write_text(program + "\n")
    out = subprocess.run([pith, "infer", "-q", folder / "program.pl", folder / "facts.pl"],
                         capture_output=True, text=True, check=True).stdout
    true = {tuple(m.split(",")) for m in re.findall(r"^f\((.*)\)\.$", out, re.M)}
    (folder / "facts.pl").unlink()
    (folder / "program.pl").unlink()
    return [(a, a in true) for a in asked]


def balance(rng, labelled):
    """Three negative examples to a positive one at most."""
    pos = [a for a, t in labelled if t]
    neg = [a for a, t in labelled if not t]
    return pos, rng.sample(neg, min(len(neg), 3 * len(pos) + 10))


def mix(rng, pos, neg):
    """Signs at random."""
    both = pos + neg
    rng.shuffle(both)
    return both[:len(both) // 2], both[len(both) // 2:]


def write(folder, rng, generator, n, program, pith, nonsense=False):
    folder.mkdir(parents=True)
    facts, asked = generator(rng, n)
    facts = sorted(set(facts))
    pos, neg = balance(rng, label(facts, program, asked, folder, pith))
    if nonsense:
        pos, neg = mix(rng, pos, neg)
    (folder / "bk.pl").write_text("".join(text(f) + ".\n" for f in facts))
    (folder / "exs.pl").write_text(
        "".join(f"{sign}({text(('f',) + a)}).\n" for sign, some in (("pos", pos), ("neg", neg)) for a in some))
    return len(facts), len(pos) + len(neg)


def size(program):
    rules = [line.split("%")[0] for line in program.splitlines()]
    return sum(1 + len(re.findall(r"\w+\(|\\=", r.split(":-")[1])) for r in rules if ":-" in r)


def run(name, number, pith, verbose, keep, nonsense):
    generator, n, program = PROBLEMS[name]
    rng = random.Random(f"{name}:{number}")
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(keep) / f"{name}-{number}" if keep else pathlib.Path(temporary)
        facts, examples = write(folder / "train", rng, generator, n, program, pith, nonsense)
        write(folder / "test", rng, generator, n, program, pith)
        rules = folder / "learned.pl"
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        child = subprocess.run(["/usr/bin/time", "-f", "%U %M", pith, "learn", "-q", "-j1", folder / "train", "-o", rules],
                               capture_output=True, text=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = after.ru_utime - before.ru_utime
        memory = int(child.stderr.split()[-1]) / 1024
        found = rules.read_text() if rules.exists() else ""
        out = subprocess.run([pith, "score", "-q", rules, folder / "test"], capture_output=True, text=True).stdout
        accuracy = re.search(r"accuracy ([\d.]+)", out)
        right = "all right" in out
        if verbose:
            print(found, file=sys.stderr)
        return (facts, examples, child.returncode == 0, right, float(accuracy[1]) if accuracy else 0.0,
                size(found), size(program), seconds, memory)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--draws", type=int, default=1)
    parser.add_argument("--problems", default=",".join(PROBLEMS))
    parser.add_argument("--pith", default=ROOT / "build" / "pith")
    parser.add_argument("--nonsense", action="store_true", help="signs at random: what it takes where nothing fits")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--keep", help="leave the problems in this folder")
    options = parser.parse_args()
    print(f"{'problem':<16} {'facts':>7} {'examples':>8} {'fits':>4} {'right':>5} {'accuracy':>8} "
          f"{'size':>4} {'true':>4} {'seconds':>7} {'MB':>5}")
    for name in options.problems.split(","):
        for number in range(1, options.draws + 1):
            facts, examples, fits, right, accuracy, found, true, seconds, memory = run(
                name, number, options.pith, options.verbose, options.keep, options.nonsense)
            print(f"{name:<16} {facts:>7} {examples:>8} {'yes' if fits else 'no':>4} {'yes' if right else 'no':>5} "
                  f"{accuracy:>8.3f} {found:>4} {true:>4} {seconds:>7.2f} {memory:>5.0f}", flush=True)


if __name__ == "__main__":
    main()
