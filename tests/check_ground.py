#!/usr/bin/env python3
"""`pith convert --ground`: the facts that SWI-Prolog finds, and what is refused.

    tests/check_ground.py [--pith FILE]

Where swipl is not installed, only that pith says so.
"""
import argparse
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent

FILES = {
    "task/bk.pl": """num(0). num(1). num(2).
double(X,Y) :- Y is 2*X.
small(X) :- number(X), X < 2.
loop(X) :- loop(X).
loud(X) :- member(X,[0,2]), write(hello), nl.
head([H|_],H).
tail([_|T],T).
""",
    "task/exs.pl": "pos(f([4,1],4)).\nneg(f([1],'it''s'),0.5).\n",
    "task/bias.pl": "head_pred(f,2).\nbody_pred(head,2).\nbody_pred(num,1).\n",
    "length/bk.pl": """tail([_|T],T).
empty([]).
zero(0).
next(A,B) :- integer(A), B is A+1.
back(A,B,C) :- append(A,[B],C).
""",
    "length/exs.pl": "#T1\npos(f([a,b],2)).\npos(f([c],1)).\nneg(f([a,b],1)).\nneg(f([c],2)).\nneg(f([],1)).\n",
    "length/bias.pl": """enable_recursion.
head_pred(f,2). body_pred(tail,2). body_pred(empty,1). body_pred(zero,1). body_pred(next,2).
type(f,(list,int)). type(tail,(list,list)). type(empty,(list,)). type(zero,(int,)). type(next,(int,int)).
direction(f,(in,out)). direction(tail,(in,out)). direction(empty,(in,)). direction(zero,(out,)).
direction(next,(in,out)).
:- body_literal(0,_,3,_).
""",
    "front/bk.pl": """first([H|_],H).
rest([_|T],T).
none([]).
put(A,B,C) :- append([A],B,C).
""",
    "front/exs.pl": "".join(f"pos(front({l},{l[:-1]})).\nneg(front({l},{l[1:]})).\n"
                            for l in (list(range(i, 60)) for i in range(1, 58, 14))),
    "front/bias.pl": """enable_recursion.
head_pred(front,2). body_pred(first,2). body_pred(rest,2). body_pred(none,1). body_pred(put,3).
type(front,(list,list)). type(first,(list,any)). type(rest,(list,list)). type(none,(list,)).
type(put,(any,list,list)).
direction(front,(in,out)). direction(first,(in,out)). direction(rest,(in,out)).
direction(none,(out,)). direction(put,(in,in,out)).
""",
    "total/bk.pl": """first([H|_],H).
rest([_|T],T).
none([]).
nought(0).
add(A,B,C) :- C is A+B.
""",
    "total/exs.pl": """pos(total([3,1,4],8)). pos(total([2,6],8)). pos(total([9],9)).
pos(total([1,5,3,2],11)). neg(total([3,1,4],7)). neg(total([2,6],6)). neg(total([],3)).
neg(total([1,5,3,2],9)). neg(total([9],10)).
""",
    "total/bias.pl": """enable_recursion.
head_pred(total,2). body_pred(first,2). body_pred(rest,2). body_pred(none,1).
body_pred(nought,1). body_pred(add,3).
type(total,(list,int)). type(first,(list,int)). type(rest,(list,list)). type(none,(list,)).
type(nought,(int,)). type(add,(int,int,int)).
direction(total,(in,out)). direction(first,(in,out)). direction(rest,(in,out)).
direction(none,(out,)). direction(nought,(out,)). direction(add,(in,in,out)).
""",
    "keep/bk.pl": """first([H|_],H).
rest([_|T],T).
none([]).
put(A,B,[A|B]).
odd(X) :- 1 is X mod 2.
even(X) :- 0 is X mod 2.
""",
    "keep/exs.pl": """pos(keep([1,2,3,6],[2,6])). pos(keep([5,1],[])). pos(keep([8],[8])).
pos(keep([4,7,2],[4,2])). neg(keep([4],[])). neg(keep([7],[7])). neg(keep([4,7,2],[4,7,2])).
neg(keep([2,6],[6])). neg(keep([3,2],[3])). neg(keep([1,2],[])). neg(keep([2,5],[2,5])).
""",
    "keep/bias.pl": """enable_recursion. max_clauses(3).
head_pred(keep,2). body_pred(first,2). body_pred(rest,2). body_pred(none,1). body_pred(put,3).
body_pred(odd,1). body_pred(even,1).
type(keep,(list,list)). type(first,(list,int)). type(rest,(list,list)). type(none,(list,)).
type(put,(int,list,list)). type(odd,(int,)). type(even,(int,)).
direction(keep,(in,out)). direction(first,(in,out)). direction(rest,(in,out)).
direction(none,(out,)). direction(put,(in,in,out)). direction(odd,(in,)). direction(even,(in,)).
""",
    "plain/bk.pl": "join(A,B,[A|B]).\nempty([]).\nbelow(A,B) :- A < B.\n",
    "plain/exs.pl": "pos(f([2,1])). neg(f([3])).\n",
    "plain/bias.pl": "head_pred(f,1). body_pred(join,3). body_pred(empty,1). body_pred(below,2).\n"
                     "type(join,(n,list,list)). type(below,(n,n)). type(f,(list,)).\n",
    "halts.pl": "p(a).\n:- halt.\n",
    "broken.pl": "p(a).\np(b\n",
    "runs.pl": ":- shell('echo > ran').\np(a).\n",
    "calls.pl": """:- use_module(library(lists)).
:- table path/2.
e(a,b). e(b,c).
path(X,Y) :- e(X,Y).
path(X,Y) :- path(X,Z), e(Z,Y).
runs(X) :- X = a, shell('echo > ran').
opens(X) :- open(X, write, S), close(S).
any(X) :- call(X).
lost(X) :- e(X,_), nowhere(X).
term_expansion(_, _) :- shell('echo > ran').
""",
    "elsewhere.pl": "sandbox:safe_primitive(system:shell(_)).\np(a).\n",
    "two": "p(right).\n",
    "two.pl": "p(wrong).\n",
    "sleeps.pl": ":- sleep(1000).\np(a).\n",
    "many.pl": "".join(f"n({i}).\n" for i in range(1001)) +
               "less(X,Y) :- X < Y.\n",
}

FACTS = ("head('[1]',1).\nhead('[4,1]',4).\nnum(0).\nnum(1).\nnum(2).\n")
EXAMPLES = "pos(f('[4,1]',4)).\nneg(f('[1]','it\\'s'),0.5).\n"

# Arguments, exit code, standard output as a set of lines, part of the errors.
CASES = [
    (["task"], 0, FACTS + EXAMPLES, "asked 8 tuples of 7 constants"),
    (["task/bk.pl"], 0, FACTS, "asked 8 tuples"),
    (["--preds", "small/1,double/2", "task/bk.pl"], 0,
     "small(0).\nsmall(1).\ndouble(0,0).\ndouble(1,2).\ndouble(2,4).\n"
     "double('[1]',2).\n", ""),  # Prolog: [X] is X where a number is expected
    (["length"], 0, "tail('[a,b]','[b]').\ntail('[b]','[]').\ntail('[c]','[]').\n"
     "empty('[]').\nzero(0).\nnext(0,1).\nnext(1,2).\npos(f('[a,b]',2)).\n"
     "pos(f('[c]',1)).\nneg(f('[a,b]',1)).\nneg(f('[c]',2)).\nneg(f('[]',1)).\n", ""),
    (["plain"], 0, "join(2,'[1]','[2,1]').\njoin(1,'[]','[1]').\njoin(3,'[]','[3]').\n"
     "empty('[]').\nbelow(1,2).\nbelow(1,3).\nbelow(2,3).\npos(f('[2,1]')).\n"
     "neg(f('[3]')).\n", ""),
    (["--preds", "loud/1", "task"], 0, "loud(0).\nloud(2).\n" + EXAMPLES,
     "hello"),
    (["--preds", "loop/1", "task/bk.pl"], 0, "",
     "8 calls did not end and count as false"),
    (["--preds", "n/1", "many.pl"], 0,
     "".join(f"n({i}).\n" for i in range(1001)), "asked 0 tuples"),
    (["--preds", "less/2", "many.pl"], 4, "", "1,000,000 at most"),
    (["--preds", "nope/1", "task"], 3, "", "nope/1 is not defined"),
    (["many.pl"], 3, "", "no predicates to ask for"),
    (["--preds", "p/1", "halts.pl"], 3, "", "line 2: the directive halt would"),
    (["--trust", "--preds", "p/1", "halts.pl"], 3, "",
     "stopped before the end"),
    (["--preds", "p/1", "runs.pl"], 3, "", "if you trust the file, --trust"),
    (["--preds", "path/2,lost/1", "calls.pl"], 0,
     "path(a,b).\npath(a,c).\npath(b,c).\n", ""),
    (["--preds", "runs/1", "calls.pl"], 3, "", "runs/1 is not safe to call"),
    (["--preds", "opens/1", "calls.pl"], 3, "", "opens/1 is not safe to call"),
    (["--preds", "any/1", "calls.pl"], 3, "", "any/1 is not safe to call"),
    (["--preds", "shell/1", "calls.pl"], 3, "", "shell/1 is not safe to call"),
    (["--preds", "p/1", "elsewhere.pl"], 3, "", "is defined elsewhere"),
    (["--preds", "p/1", "two"], 0, "p(right).\n", ""),
    (["--trust", "--preds", "p/1", "two"], 0, "p(right).\n", ""),
    (["--preds", "p/1", "broken.pl"], 3, "", "stopped before the end"),
    (["task", "many.pl"], 2, "", "takes one Popper folder"),
]


def run(pith, args, folder, env=None):
    return subprocess.run([pith, "convert", "--ground", *args], cwd=folder,
                          env=env, capture_output=True, text=True)


def check(done, code, out, err):
    return (done.returncode == code and err in done.stderr and
            sorted(done.stdout.splitlines()) == sorted(out.splitlines()))


# What is learned from the facts: recursion through lists that nobody labelled.
LEARNED = {
    "length": ["f(A,B) :- empty(A), zero(B).", "f(A,B) :- tail(A,C), f(C,D), next(D,B)."],
    "front": ["front(A,B) :- rest(A,B), none(B).",
              "front(A,B) :- first(A,C), rest(A,D), front(D,E), put(C,E,B)."],
    "keep": ["keep(A,A) :- none(A).",
             "keep(A,B) :- rest(A,C), first(A,D), odd(D), keep(C,B).",
             "keep(A,B) :- first(A,C), rest(A,D), even(C), keep(D,E), put(C,E,B)."],
    "total": ["total(A,B) :- none(A), nought(B).",
              "total(A,B) :- first(A,C), rest(A,D), total(D,E), add(C,E,B)."],
}


def learns(pith, folder, name):
    run(pith, [name, "--to", "popper", "-o", name + ".facts"], folder)
    done = subprocess.run([pith, "learn", "-q", name + ".facts"], cwd=folder,
                          capture_output=True, text=True)
    rules = [line.split("  %")[0] for line in done.stdout.splitlines()]
    if rules != LEARNED[name]:
        print(f"learn {name}: {rules}\n{done.stderr}")
    return rules == LEARNED[name]


def folder_out(pith, folder):
    """A whole task: every file is there, and pith reads them."""
    done = run(pith, ["task", "--to", "popper", "-o", "out"], folder)
    names = sorted(p.name for p in pathlib.Path(folder, "out").glob("*"))
    again = subprocess.run([pith, "check", "out"], cwd=folder,
                           capture_output=True, text=True)
    return (done.returncode == 0 and again.returncode == 0 and
            names == ["bias.pl", "bk.pl", "exs.pl"])


def children(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as f:
            return [int(word) for word in f.read().split()]
    except OSError:
        return []


def is_running(pid):
    """Neither gone nor dead and not yet waited for."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as f:
            return f.read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def wait_until(what):
    for _ in range(600):
        if what():
            return True
        time.sleep(0.1)
    return False


def dies_with_pith(pith, folder, number):
    """SWI-Prolog sleeps; pith is killed; nothing is left."""
    if not os.path.exists("/proc/self/task"):
        return True
    with subprocess.Popen([pith, "convert", "--ground", "--trust", "--preds",
                           "p/1", "sleeps.pl"], cwd=folder,
                          stderr=subprocess.DEVNULL) as p:
        started = wait_until(lambda: children(p.pid))
        child = children(p.pid)
        p.send_signal(number)
    return started and wait_until(lambda: not is_running(child[0]))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pith", default=str(ROOT / "build" / "pith"))
    pith = str(pathlib.Path(parser.parse_args().pith).resolve())
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in ("task", "length", "front", "keep", "total", "plain"):
            os.mkdir(os.path.join(folder, name))
        for name, text in FILES.items():
            pathlib.Path(folder, name).write_text(text)
        nowhere = dict(os.environ, PATH=folder)
        failed += not check(run(pith, ["task"], folder, nowhere), 4, "",
                            "swipl is not on PATH")
        if shutil.which("swipl") is None:
            print("swipl is not installed: skipped but for saying so")
            return failed > 0
        for args, code, out, err in CASES:
            done = run(pith, args, folder)
            if not check(done, code, out, err):
                failed += 1
                print(f"convert --ground {' '.join(args)}: exit code "
                      f"{done.returncode}\n{done.stdout[:500]}"
                      f"{done.stderr[:500]}")
        failed += not folder_out(pith, folder)
        failed += sum(not learns(pith, folder, name) for name in LEARNED)
        ran = pathlib.Path(folder, "ran")
        failed += ran.exists()
        run(pith, ["--trust", "--preds", "p/1", "runs.pl"], folder)
        failed += not ran.exists()
        for number in (signal.SIGTERM, signal.SIGKILL):
            failed += not dies_with_pith(pith, folder, number)
    count = len(CASES) + len(LEARNED) + 6
    print(f"{count - failed} of {count} cases passed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
