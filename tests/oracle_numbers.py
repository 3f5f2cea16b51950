#!/usr/bin/env python3
"""Random spellings of numbers against SWI-Prolog.

    tests/oracle_numbers.py --pith FILE [--count N] [--seed S]

Of each spelling that pith takes: SWI-Prolog takes it too, and reads what pith
writes for it as the same number. Of each two: pith takes them for the same
constant, for equal, and one for less than the other, where that is so, counted
with fractions; and SWI-Prolog says the same unless it rounds one of them. What
pith refuses is nothing but what docs/formats.md says.
Needs swipl on PATH; without it there is nothing to compare, and it says so.
"""
import argparse
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
from fractions import Fraction

FIXED = ["007", "0x10", "1e5", "1.0", "-0.0", "0.0", "1r3", "-1r3", "2r4", "0",
         "-0", "1.0e0", "0.1e1", "10.0e-1", "2.0e10", "20000000000.0",
         "20000000000", "9007199254740993", "9007199254740992.0",
         "9007199254740992", "18446744073709551616", "-9223372036854775808",
         "9223372036854775807", "9223372036854775808", "1.0e308",
         "1.7976931348623157e308", "4.9e-324", "2.2250738585072014e-308",
         "1.0e400", "1.0Inf", "1.5NaN", "0b101", "0o17", "0xFF", "0xff",
         "0'a", "1_000", "1_000_000", "1 000", "1E5", "1.0E5", "1.5e+3", "1e-3",
         "00.5", "1.50", "0.1", "0.10", "0.1000000000000000055511151231257827",
         "1" + "0" * 400, "-1" + "0" * 400 + "1", "36'ZZ", "16'FF", "1.e5"]


def random_integer(rng):
    digits = rng.choice([1, 2, 5, 15, 16, 17, 19, 20, 40, 120])
    return rng.randrange(10 ** digits)


def random_spelling(rng):
    sign = rng.choice(["", "", "-"])
    kind = rng.randrange(8)
    n = random_integer(rng)
    if kind == 0:
        return sign + str(n)
    if kind == 1:
        return sign + "0" * rng.randrange(4) + str(n)
    if kind == 2:
        prefix, digits = rng.choice([("0x", f"{n:x}"), ("0o", f"{n:o}"),
                                     ("0b", f"{n:b}")])
        return sign + prefix + digits
    if kind == 3:
        return sign + f"{n:,}".replace(",", "_")
    if kind == 4:
        return sign + f"{n}.{random_integer(rng)}"
    if kind == 5:
        return sign + f"{n}.{rng.randrange(1000)}e{rng.randrange(-330, 310)}"
    if kind == 6:
        return sign + repr(rng.uniform(-1, 1) * 10.0 ** rng.randrange(
            -300, 300)).lstrip("-").replace("e+", "e")
    return sign + f"{n}e{rng.randrange(-20, 20)}"


def pairs_of(rng, spellings):
    """Some of all pairs, near ones more often."""
    n = len(spellings)
    pairs = {(rng.randrange(n), rng.randrange(n)) for _ in range(4 * n)}
    near = sorted(range(n), key=lambda i: float_of(spellings[i]))
    for k in range(1, 4):
        pairs.update(zip(near, near[k:]))
    return sorted(pairs)


def float_of(spelling):
    try:
        return float(spelling.replace("_", ""))
    except ValueError:
        return 0.0


def ask_pith(pith, folder, spellings, pairs):
    """What pith writes for each spelling, or None; and which pairs it calls
    the same, equal and less."""
    source = folder / "numbers.pl"
    taken, refused = list(range(len(spellings))), {None}
    while refused:  # the first twenty at a time
        source.write_text("".join(f"n({i},{spellings[i]}).\n" for i in taken))
        done = subprocess.run([pith, "convert", "-q", source], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        refused = {taken[int(line) - 1] for line in re.findall(
            rf"{re.escape(str(source))}:(\d+):", done.stderr)}
        taken = [i for i in taken if i not in refused]
    facts = dict(re.findall(r"^n\((\d+),(.*)\)\.$", done.stdout, re.M))
    rules = folder / "rules.pl"
    rules.write_text("".join(f"pair({a},{b}).\n" for a, b in pairs) + """
same(A,B) :- pair(A,B), n(A,X), n(B,X).
equal(A,B) :- pair(A,B), n(A,X), n(B,Y), X =:= Y.
less(A,B) :- pair(A,B), n(A,X), n(B,Y), X < Y.
""")
    held = subprocess.run([pith, "infer", "-q", source, rules], text=True,
                          check=True, stdout=subprocess.PIPE).stdout
    return facts, set(re.findall(r"^(\w+)\((\d+),(\d+)\)\.$", held, re.M))


PROLOG = r"""
:- initialization(main, main).
:- dynamic n/2.
number_of(Text, Number) :-
    catch(term_string(Number, Text), _, fail), number(Number).
main :-
    forall(text(I,Text), ( number_of(Text,N) -> assertz(n(I,N)) ; true )),
    forall(n(I,_), format("read(~w,0).~n", [I])),
    forall(( back(I,Text), n(I,N), \+ ( number_of(Text,M), M == N ) ),
           format("differs(~w,0).~n", [I])),
    forall(( pair(A,B), n(A,X), n(B,Y) ), tell_pair(A,B,X,Y)).
tell_pair(A,B,X,Y) :-
    ( X == Y -> format("same(~w,~w).~n", [A,B]) ; true ),
    ( X =:= Y -> format("equal(~w,~w).~n", [A,B]) ; true ),
    ( X < Y -> format("less(~w,~w).~n", [A,B]) ; true ).
"""


def ask_prolog(folder, spellings, facts, pairs):
    program = folder / "ask.pl"
    program.write_text(
        PROLOG + "".join(f'text({i},"{s}").\n' for i, s in enumerate(spellings))
        + "".join(f'back({i},"{s}").\n' for i, s in facts.items())
        + "".join(f"pair({a},{b}).\n" for a, b in pairs))
    done = subprocess.run(["swipl", "-f", "none", program], text=True,
                          check=True, stdout=subprocess.PIPE)
    return set(re.findall(r"^(\w+)\((\d+),(\d+)\)\.$", done.stdout, re.M))


def may_refuse(spelling):
    """What docs/formats.md says is not taken."""
    value = exact_value(spelling)
    if value is None:
        return True
    size = abs(value[1])
    based = spelling.lstrip("-").startswith(("0x", "0o", "0b"))
    return (based and size >= 2 ** 63
            or value[0] == "decimal" and 0 < size <= Fraction("1e-307"))


def exact_value(spelling):
    """Whether it is an integer, and its value; None for what only SWI-Prolog
    takes for a number."""
    plain = spelling.replace("_", "")
    if re.fullmatch(r"-?(\d+|0[xob][0-9a-fA-F]+)", plain):
        digits = plain.lstrip("-").lstrip("0") or "0"
        base = {"x": 16, "o": 8, "b": 2}.get(digits[0], 10)
        value = int(digits if base == 10 else digits[1:], base)
        return "integer", Fraction(-value if plain[0] == "-" else value)
    if re.fullmatch(r"-?\d+(\.\d+)?([eE][+-]?\d+)?", plain):
        return "decimal", Fraction(plain)
    return None


def is_rounded(spelling):
    kind, value = exact_value(spelling)
    return Fraction(float(value)) != value


def is_negative_zero(spelling):
    """Which is zero to pith, and to SWI-Prolog another number of that value."""
    return spelling[0] == "-" and exact_value(spelling) == ("decimal", 0)


def true_relations(spellings, pairs):
    values = [exact_value(s) for s in spellings]
    for a, b in pairs:
        if values[a] is None or values[b] is None:
            continue
        (kind, x), (other, y) = values[a], values[b]
        if x == y:
            yield "equal", str(a), str(b)
            if kind == other:
                yield "same", str(a), str(b)
        elif x < y:
            yield "less", str(a), str(b)


def show(spellings, relation):
    what, a, b = relation
    return f"{what} {spellings[int(a)]} {spellings[int(b)]}"


def compare(pith, seed, count):
    rng = random.Random(seed)
    spellings = FIXED + [random_spelling(rng) for _ in range(count)]
    pairs = pairs_of(rng, spellings)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        facts, ours = ask_pith(pith, folder, spellings, pairs)
        answers = ask_prolog(folder, spellings, facts, pairs)
    read = {int(a) for what, a, _ in answers if what == "read"}
    wrong = [f"reads back to another number: {spellings[int(a)]} as {facts[a]}"
             for what, a, _ in answers if what == "differs"
             and not is_negative_zero(spellings[int(a)])]
    wrong += [f"is not a number of SWI-Prolog: {spellings[int(i)]}"
              for i in facts if int(i) not in read]
    wrong += [f"is refused: {spellings[i]}" for i in sorted(read)
              if str(i) not in facts and not may_refuse(spellings[i])]
    theirs = {x for x in answers if x[0] in ("same", "equal", "less")
              and x[1] in facts and x[2] in facts}
    truth = {x for x in true_relations(spellings, pairs)
             if x[1] in facts and x[2] in facts}
    wrong += [f"pith is wrong about {show(spellings, x)}" for x in truth ^ ours]
    wrong += [f"SWI-Prolog differs: {show(spellings, x)}" for x in truth ^ theirs
              if not any(is_rounded(spellings[int(i)]) for i in x[1:])
              and not any(is_negative_zero(spellings[int(i)]) for i in x[1:])]
    print(f"{len(spellings)} spellings, {len(facts)} taken, {len(pairs)} pairs, "
          f"{len(ours)} relations")
    for line in wrong[:20]:
        print(" ", line)
    tried = len(spellings) + len(pairs)
    print(f"{tried - len(wrong)} passed, {len(wrong)} failed")
    return len(wrong)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pith", default="build/pith")
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    if shutil.which("swipl") is None:
        print("swipl is not installed: nothing was compared")
        return 0
    return 1 if compare(args.pith, args.seed, args.count) else 0


if __name__ == "__main__":
    sys.exit(main())
