#!/usr/bin/env python3
"""Tasks on lists in Popper's format: `pith convert --ground`, then `pith learn`.

    bench/lists.py [--pith build/pith] [--kinds a,b] [--draws 5] [--seed 1]
                   [--positives 8] [--negatives 12] [--longest 7] [--verbose]

Each draw is a folder with a background in Prolog (first, rest, cons, arithmetic
and some predicates that are not needed, under random names), a bias.pl with types
and directions, and labelled lists drawn at random; none of the sublists that the
recursion passes through has a label. Both commands run with default options. The
rules are then called by SWI-Prolog on 40 other lists, half of them longer: what
computes must give one answer, the right one. Counted:

  right      on all other lists
  undecided  wrong there, but fits the labels and is no larger than the program
             behind them: nobody could have known
  wrong      the rest

Seconds are processor seconds of both commands, SWI-Prolog's with them.
"""
import argparse
import pathlib
import random
import re
import resource
import statistics
import subprocess
import sys
import tempfile

BACKGROUND = {  # name: (clauses, types, directions)
    "first": ("first([H|_],H).", "list,int", "in,out"),
    "rest": ("rest([_|T],T).", "list,list", "in,out"),
    "none": ("none([]).", "list,", "out,"),
    "put": ("put(A,B,[A|B]).", "int,list,list", "in,in,out"),
    "snoc": ("snoc(A,B,C) :- append(A,[B],C).", "list,int,list", "in,in,out"),
    "zero": ("zero(0).", "int,", "out,"),
    "one": ("one(1).", "int,", "out,"),
    "up": ("up(A,B) :- B is A+1.", "int,int", "in,out"),
    "down": ("down(A,B) :- A > 0, B is A-1.", "int,int", "in,out"),
    "add": ("add(A,B,C) :- C is A+B.", "int,int,int", "in,in,out"),
    "geq": ("geq(A,B) :- A >= B.", "int,int", "in,in"),
    "even": ("even(A) :- 0 is A mod 2.", "int,", "in,"),
    "odd": ("odd(A) :- 1 is A mod 2.", "int,", "in,"),
    "seq": ("seq(A) :- is_list(A).", "list,", "in,"),
    "has": ("has([H|_],H).\nhas([_|T],X) :- has(T,X).", "list,int", "in,out"),
}


class Kind:
    """A relation: its types and directions, what bodies may have, the size of
    the program behind it, and a function that gives the last argument, or
    whether it holds."""

    def __init__(self, name, types, ways, words, size, truth, inputs=None):
        self.name, self.types, self.ways = name, types, ways
        self.words, self.size, self.truth = words.split(), size, truth
        self.inputs = inputs or (lambda rng, n: (some_list(rng, n),))
        self.computes = ways.rstrip(",").endswith("out")


def some_list(rng, n):
    return [rng.randint(0, 9) for _ in range(n)]


def sorted_or_not(rng, n):
    values = sorted(some_list(rng, n))
    if rng.random() < 0.5 and n > 1:
        i, k = rng.sample(range(n), 2)
        values[i], values[k] = values[k], values[i]
    return (values,)


def evens_or_not(rng, n):
    values = [2 * rng.randint(0, 4) for _ in range(n)]
    if rng.random() < 0.5 and n > 0:
        values[rng.randrange(n)] += 1
    return (values,)


def begins_or_not(rng, n):
    whole = some_list(rng, n)
    part = whole[:rng.randint(0, n)]
    if rng.random() < 0.5:
        part = part[:-1] + [rng.randint(0, 9)]
    return part, whole


def list_and_value(rng, n):
    return some_list(rng, n), rng.randint(0, 9)


def list_and_count(rng, n):
    return some_list(rng, n), rng.randint(1, max(1, n))


def two_lists(rng, n):
    return some_list(rng, rng.randint(0, n)), some_list(rng, rng.randint(0, 3))


def repeated(values):
    twice = {v for i, v in enumerate(values) if v in values[i + 1:]}
    return twice.pop() if len(twice) == 1 else None


KINDS = [
    Kind("length", "list,int", "in,out", "first rest none zero up even", 7, len),
    Kind("total", "list,int", "in,out", "first rest none zero add odd", 8, sum),
    Kind("reverse", "list,list", "in,out", "first rest none snoc", 7,
         lambda l: l[::-1]),
    Kind("drop_last", "list,list", "in,out", "first rest none put even odd", 8,
         lambda l: l[:-1] if l else None),
    Kind("last", "list,int", "in,out", "first rest none zero even", 7,
         lambda l: l[-1] if l else None),
    Kind("member", "list,int", "in,in", "first rest none geq", 5,
         lambda l, v: v in l, list_and_value),
    Kind("sorted", "list,", "in,", "first rest none geq zero even", 9,
         lambda l: l == sorted(l) and l != [], sorted_or_not),
    Kind("all_even", "list,", "in,", "first rest none even odd zero", 7,
         lambda l: all(v % 2 == 0 for v in l), evens_or_not),
    Kind("even_length", "list,", "in,", "first rest none even zero", 6,
         lambda l: len(l) % 2 == 0),
    Kind("keep_even", "list,list", "in,out", "first rest none put even odd", 13,
         lambda l: [v for v in l if v % 2 == 0]),
    Kind("drop_k", "list,int,list", "in,in,out", "first rest none one down geq", 7,
         lambda l, k: l[k:] if 1 <= k <= len(l) else None, list_and_count),
    Kind("repeated", "list,int", "in,out", "first rest has even none", 7, repeated),
    Kind("append", "list,list,list", "in,in,out", "first rest none put seq", 8,
         lambda a, b: a + b, two_lists),
    Kind("prefix", "list,list", "in,in", "first rest none seq even", 9,
         lambda a, b: b[:len(a)] == a, begins_or_not),
    Kind("add_one", "list,list", "in,out", "first rest none put up", 9,
         lambda l: [v + 1 for v in l]),
    Kind("second", "list,int", "in,out", "first rest none zero even", 3,
         lambda l: l[1] if len(l) > 1 else None),
]


# ---- a folder --------------------------------------------------------------------


def other_output(rng, kind, inputs, right):
    """An output that is wrong, but not by far."""
    for _ in range(100):
        if isinstance(right, int):
            value = rng.choice([right + 1, max(0, right - 1), rng.randint(0, 9)])
        else:
            source = [v for i in inputs if isinstance(i, list) for v in i]
            pool = [right[:-1], right[1:], right[::-1], list(inputs[0]), [],
                    rng.sample(source, min(len(source), len(right))),
                    right + source[:1], list(inputs[0])[1:], list(inputs[0])[:1]]
            value = rng.choice(pool)
        if value != right:
            return value
    return None


def examples(rng, kind, positives, negatives, longest):
    true, false = set(), set()
    for _ in range(5000):
        inputs = kind.inputs(rng, rng.randint(0, longest))
        right = kind.truth(*inputs)
        if kind.computes:
            if right is None:
                continue
            if len(true) < positives:
                true.add(text_of(inputs + (right,)))
            wrong = other_output(rng, kind, inputs, right)
            if wrong is not None and len(false) < negatives:
                false.add(text_of(inputs + (wrong,)))
        elif right and len(true) < positives:
            true.add(text_of(inputs))
        elif not right and len(false) < negatives:
            false.add(text_of(inputs))
    return sorted(true), sorted(false)


def text_of(values):
    return ",".join(str(v).replace(" ", "") for v in values)


def names_for(rng, words):
    used, names = set(), {}
    for word in words:
        while word not in names:
            name = "".join(rng.choice("bcdfglmnprstvz") + rng.choice("aeiou")
                           for _ in range(3))
            if name not in used:
                used.add(name)
                names[word] = name
    return names


def renamed(text, names):
    return re.sub(r"\b[a-z_]+\b", lambda m: names.get(m.group(), m.group()), text)


def places(text):
    return f"({text})"


def write_folder(folder, kind, names, true, false):
    target = names[kind.name]
    bias = ["enable_recursion.", "max_clauses(3)."]
    bias.append(f"head_pred({target},{kind.types.rstrip(',').count(',') + 1}).")
    bias.append(f"type({target},{places(kind.types)}).")
    bias.append(f"direction({target},{places(kind.ways)}).")
    for word in kind.words:
        _, types, ways = BACKGROUND[word]
        bias.append(f"body_pred({names[word]},{types.rstrip(',').count(',') + 1}).")
        bias.append(f"type({names[word]},{places(types)}).")
        bias.append(f"direction({names[word]},{places(ways)}).")
    folder.mkdir()
    (folder / "bias.pl").write_text("\n".join(bias) + "\n")
    (folder / "bk.pl").write_text("\n".join(
        renamed(BACKGROUND[w][0], names) for w in kind.words) + "\n")
    (folder / "exs.pl").write_text(
        "".join(f"pos({target}({e})).\n" for e in true) +
        "".join(f"neg({target}({e})).\n" for e in false))


# ---- whether the rules are right ------------------------------------------------


def as_prolog(rules):
    """Lists are names in learned rules: '[1,2]'."""
    return re.sub(r"'(\[[^']*\])'", r"\1", rules)


def queries(rng, kind, target, longest):
    for i in range(40):
        inputs = kind.inputs(rng, rng.randint(1, longest) + (i % 2) * longest)
        right = kind.truth(*inputs)
        if kind.computes and right is None:
            continue
        if kind.computes:
            goal = f"findall(X,{target}({text_of(inputs)},X),L0),sort(L0,[{text_of([right])}])"
        else:
            goal = f"{'' if right else chr(92) + '+ '}{target}({text_of(inputs)})"
        yield f"check(({goal}))"


def is_right(folder, rules, goals):
    program = (":- style_check(-discontiguous). :- style_check(-singleton).\n"
               "check(G0) :- copy_term(G0,G),\n"
               "  catch(call_with_inference_limit(G,1000000,R),_,fail), !,\n"
               "  R \\== inference_limit_exceeded.\n" +
               (folder / "bk.pl").read_text() + as_prolog(rules) +
               "\nall :- " + ",\n  ".join(goals) + ".\n:- initialization((all -> halt(0) ; halt(1))).\n")
    path = folder / "judge.pl"
    path.write_text(program)
    return subprocess.run(["swipl", "-q", path], stdin=subprocess.DEVNULL,
                          capture_output=True).returncode == 0


def size_of(rules):
    return sum(1 + len(re.findall(r"[a-z]\w*\(|\\=|[<>]", rule.split(":-", 1)[1]))
               for rule in rules.splitlines() if ":-" in rule)


def run_timed(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done, (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def one_draw(args, kind, seed, base):
    rng = random.Random(f"{kind.name} {seed}")
    names = names_for(rng, kind.words + [kind.name])
    folder = base / f"{kind.name}{seed}"
    true, false = examples(rng, kind, args.positives, args.negatives, args.longest)
    write_folder(folder, kind, names, true, false)
    facts = folder / "facts"
    done, seconds = run_timed([args.pith, "convert", "--ground", folder, "--to",
                               "popper", "-o", facts])
    if done.returncode != 0:
        return "wrong", seconds, done.stderr
    done, more = run_timed([args.pith, "learn", "-q", facts])
    rules = re.sub(r"  %.*", "", done.stdout)
    goals = list(queries(rng, kind, names[kind.name], args.longest))
    if done.returncode == 0 and is_right(folder, rules, goals):
        verdict = "right"
    else:
        small = done.returncode == 0 and size_of(rules) <= kind.size
        verdict = "undecided" if small else "wrong"
    back = {v: k for k, v in names.items()}
    return verdict, seconds + more, renamed(rules, back) or done.stderr


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pith", default="build/pith")
    parser.add_argument("--kinds", default=",".join(k.name for k in KINDS))
    parser.add_argument("--draws", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--positives", type=int, default=8)
    parser.add_argument("--negatives", type=int, default=12)
    parser.add_argument("--longest", type=int, default=7)
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    wanted = args.kinds.split(",")
    print("| kind | draws | right | undecided | wrong | median s | worst s |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    wrong = 0
    for kind in (k for k in KINDS if k.name in wanted):
        count, seconds = {"right": 0, "undecided": 0, "wrong": 0}, []
        for i in range(args.draws):
            with tempfile.TemporaryDirectory() as base:
                verdict, spent, rules = one_draw(args, kind, args.seed + i,
                                                 pathlib.Path(base))
            count[verdict] += 1
            seconds.append(spent)
            if args.verbose and verdict != "right":
                print(f"{kind.name} {args.seed + i} {verdict} {spent:.1f} s\n{rules}",
                      file=sys.stderr)
        wrong += count["wrong"]
        print(f"| {kind.name} | {args.draws} | {count['right']} | {count['undecided']} | "
              f"{count['wrong']} | {statistics.median(seconds):.2f} | {max(seconds):.2f} |",
              flush=True)
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
