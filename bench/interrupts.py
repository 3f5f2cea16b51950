#!/usr/bin/env python3
"""How long Ctrl-C takes to end each kind of call of the Python package.

    bench/interrupts.py [--times 6] [--seed 1] [CALL...]

Each call is run once to see how long it takes, three seconds at most, and then again with
SIGINT at random moments of it. Prints the longest wait by the clock and of the processor;
those above 200 ms of the clock are marked. Run it on a quiet machine.
"""
import argparse
import contextlib
import functools
import os
import pathlib
import pickle
import random
import signal
import sys
import tempfile
import threading
import time
import warnings

import networkx
import numpy
import pandas
import polars
import pyarrow
import rdflib

import pith
from pith.sklearn import LinkPredictor, RuleClassifier

MOST = 3.0  # seconds of a call
LIMIT = 0.2  # seconds to end in


# ---- what is worked on ------------------------------------------------------


def pairs(nodes, count, seed=1):
    draw = random.Random(seed)
    return [(draw.randrange(nodes), draw.randrange(nodes)) for _ in range(count)]


@functools.cache
def random_task():
    """Labels that no rule explains."""
    draw = random.Random(1)
    labels = [draw.random() < 0.5 for _ in range(40)]
    return pith.Facts(
        {"e": [(i, (7 * i + 3) % 40) for i in range(40)],
         "f": [(i, i * i % 40) for i in range(40)]},
        positive={"p": [i for i in range(40) if labels[i]]},
        negative={"p": [i for i in range(40) if not labels[i]]})


@functools.cache
def large_task():
    draw = random.Random(2)
    people = range(3000)
    return pith.Facts(
        {"knows": pairs(3000, 60_000), "age": [(i, draw.randrange(90)) for i in people],
         "city": [(i, f"c{draw.randrange(200)}") for i in people]},
        positive={"p": [i for i in people if i % 7 < 3]},
        negative={"p": [i for i in people if i % 7 >= 3]})


@functools.cache
def cyclic():
    closure = pith.infer("p(X,Y) :- e(X,Y). p(X,Y) :- p(X,Z), p(Z,Y).",
                         {"e": pairs(300, 350)}, progress=False)
    return pith.Facts({"p": list(closure["p"])})


@functools.cache
def taxonomy():
    draw = random.Random(3)
    parent = {i: draw.randrange(max(1, i // 2)) for i in range(1, 3000)}
    above = []
    for i in parent:
        j = i
        while j in parent:
            j = parent[j]
            above.append((i, j))
    return pith.Facts({"isa": above})


@functools.cache
def graph():
    return pith.Facts({r: pairs(2000, 20_000, seed) for seed, r in enumerate("abcdef")})


@functools.cache
def hubs():
    """Few entities have most of the links."""
    draw = random.Random(4)

    def node():
        return int(2000 * draw.random() ** 4)

    return pith.Facts({r: [(node(), node()) for _ in range(10_000)] for r in "abcd"})


@functools.cache
def model():
    return pith.Model().fit({r: pairs(300, 2000, seed) for seed, r in enumerate("abcd")},
                            progress=False)


@functools.cache
def columns(rows):
    draw = numpy.random.default_rng(1)
    return pandas.DataFrame({c: draw.integers(0, 100_000, rows) for c in "ab"})


@functools.cache
def words(rows):
    draw = numpy.random.default_rng(1)
    return pandas.DataFrame({c: [f"node{i}" for i in draw.integers(0, 100_000, rows)]
                             for c in "ab"}, dtype=object)


@functools.cache
def table():
    draw = numpy.random.default_rng(1)
    frame = pandas.DataFrame({f"x{i}": draw.normal(size=2000) for i in range(12)})
    frame["kind"] = draw.choice(list("abcdefgh"), 2000)
    return frame, draw.integers(0, 2, 2000)


@functools.cache
def network():
    return networkx.gnm_random_graph(50_000, 400_000, seed=1, directed=True)


@functools.cache
def triples():
    made = rdflib.Graph()
    for a, b in pairs(20_000, 60_000):
        made.add((rdflib.URIRef(f"http://a/{a}"), rdflib.URIRef("http://a/knows"),
                  rdflib.URIRef(f"http://a/{b}")))
    return made


@functools.cache
def folder():
    return pathlib.Path(tempfile.mkdtemp(prefix="pith-"))


@functools.cache
def saved_model():
    path = folder() / "model.pl"
    model().save(path)
    return path


@functools.cache
def long_chain():
    return pith.Facts({"e": [(i, i + 1) for i in range(3000)]})


@functools.cache
def labelled_chain():
    return pith.Facts({"e": list(long_chain()["e"])}, positive={"p": pairs(3000, 300_000)})


CLOSURE = "p(X,Y) :- e(X,Y). p(X,Y) :- e(X,Z), p(Z,Y)."
CHAINS = "t(X,Y,Z) :- e(X,Y), e(Y,Z). t(X,Y,W) :- t(X,Y,Z), t(Y,Z,W)."
TEMPLATES = ("3 F(X) <- F(X,Z), F(Z)\n3 F(X,Y) <- F(X,Z), F(Z,Y)\n"
             "invented: i/1, j/2\n")


# ---- calls ------------------------------------------------------------------

# What a call works on is made before it is handed on.


def learning():
    quiet = {"progress": False}
    task, large = random_task(), large_task()
    yield "learn", lambda: pith.learn(task, **quiet)
    yield "learn, two threads", lambda: pith.learn(task, jobs=2, **quiet)
    yield "learn, noise", lambda: pith.learn(task, noise="on", **quiet)
    yield "learn, much", lambda: pith.learn(large, **quiet)
    yield "learn, templates", lambda: pith.learn(
        task, templates=TEMPLATES, restarts=100_000, **quiet)
    yield "learn, paper", lambda: pith.learn(
        task, templates=TEMPLATES, restarts=100_000, semantics="paper", **quiet)
    for name, facts in (("cyclic", cyclic()), ("taxonomy", taxonomy()), ("graph", graph())):
        yield f"compress, {name}", lambda f=facts: pith.compress(f, **quiet)


def deducing():
    quiet = {"progress": False}
    edges, chain, labelled = {"e": pairs(2000, 8000)}, long_chain(), labelled_chain()
    closed = pith.infer(CLOSURE, chain, **quiet)
    yield "infer, chains", lambda: pith.infer(CHAINS, edges, **quiet)
    yield "infer, closure", lambda: pith.infer(CLOSURE, chain, **quiet).count
    yield "explain", lambda: pith.explain("p(0,3000)", CLOSURE, chain)
    yield "Closure.explain", lambda: closed.explain("p(0,3000)")
    yield "Closure.query", lambda: closed.query("p(X,Y)")
    yield "Closure.derived", lambda: list(closed.derived["p"])
    yield "score", lambda: pith.score(CLOSURE, labelled)


def graphs():
    quiet = {"progress": False}
    even, uneven, fitted, saved = graph(), hubs(), model(), saved_model()
    rows = [(x, r, y) for r in even for x, y in even[r]]
    test, asked = {"a": pairs(300, 2000, 9)}, [("a", *p) for p in pairs(300, 200_000)]
    yield "Model.fit", lambda: pith.Model().fit(even, **quiet)
    yield "Model.fit, hubs", lambda: pith.Model().fit(uneven, **quiet)
    yield "Model.fit, all rules", lambda: pith.Model(all_rules=True).fit(uneven, **quiet)
    yield "Model.evaluate", lambda: fitted.evaluate(test)
    yield "Model.predict", lambda: [fitted.predict(f"a({i},X)") for i in range(300)]
    yield "Model.probability", lambda: fitted.probability(asked)
    yield "Model.explain", lambda: [fitted.explain(f"a({i},X)", 1) for i in range(300)]
    yield "Model.load", lambda: pith.Model.load(saved, fitted.graph)
    yield "pickle of a model", lambda: pickle.loads(pickle.dumps(fitted)).rules
    yield "LinkPredictor.fit", lambda: LinkPredictor().fit(rows)


def tables():
    rows, labels = table()
    fitted = RuleClassifier(timeout=1).fit(rows, labels)
    yield "RuleClassifier.fit", lambda: RuleClassifier().fit(rows, labels)
    yield "RuleClassifier.predict", lambda: [fitted.predict(rows) for _ in range(100)]
    yield "RuleClassifier.explain", lambda: [
        fitted.explain(rows.iloc[[i]]) for i in range(300)]


def taking_in():
    many, some = columns(10_000_000), columns(2_000_000)
    kinds = {"tuples": pairs(100_000, 1_000_000), "pandas, integers": many,
             "pandas, objects": words(2_000_000), "polars": polars.from_pandas(many),
             "Arrow": pyarrow.Table.from_pandas(many, preserve_index=False)}
    for name, rows in kinds.items():
        yield f"Facts of {name}", lambda r=rows: pith.Facts({"e": r})
    net, rdf = network(), triples()
    yield "Facts.from_table", lambda: pith.Facts.from_table(some)
    yield "Facts.from_networkx", lambda: pith.Facts.from_networkx(net)
    yield "Facts.from_rdflib", lambda: pith.Facts.from_rdflib(rdf)


def handing_out():
    facts = pith.Facts({"edge": columns(2_000_000)})
    yield "Relation.to_pandas", lambda: facts["edge"].to_pandas()
    yield "Relation.to_polars", lambda: facts["edge"].to_polars()
    yield "list of a relation", lambda: list(facts["edge"])
    yield "Facts.to_networkx", lambda: facts.to_networkx()
    yield "Facts.to_text", lambda: facts.to_text()
    yield "Facts.constants", lambda: facts.constants
    yield "pickle of facts", lambda: pickle.loads(pickle.dumps(facts))
    for format in ("prolog", "tsv", "json", "ntriples"):
        path = folder() / f"facts.{format}"
        facts.write(path, format)
        yield f"read {format}", lambda p=path, f=format: pith.Facts.read(p, format=f)
        yield f"write {format}", lambda f=format: facts.write(folder() / f"out.{f}", f)


def all_calls():
    for part in (learning, deducing, graphs, tables, taking_in, handing_out):
        yield from part()


# ---- measuring --------------------------------------------------------------


@contextlib.contextmanager
def signalled(after):
    """Sends SIGINT after so many seconds, and says when."""
    sent = []

    def interrupt():
        sent.append((time.perf_counter(), time.process_time()))
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(after, interrupt)
    timer.start()
    try:
        yield sent
    finally:
        timer.cancel()
        timer.join()


def interrupted(call, after):
    """The wait from the signal to the end, by the clock and of the processor, if it came before.

    The end is where the caller has its answer or its exception: what a call
    had half made is freed after that, with the exception.
    """
    ended = None
    try:
        with signalled(after) as sent:
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    call()
                ended = time.perf_counter(), time.process_time()
            except (KeyboardInterrupt, pith.PithError):
                ended = time.perf_counter(), time.process_time()
            time.sleep(0.01)
    except KeyboardInterrupt:  # just behind the end
        return None
    if not sent or sent[0][0] > ended[0]:
        return None
    return ended[0] - sent[0][0], ended[1] - sent[0][1]


def lasts(call):
    """How long a call takes, of which no more than MOST are waited for."""
    began = time.perf_counter()
    interrupted(call, MOST)
    return min(time.perf_counter() - began, MOST)


def main():
    signal.signal(signal.SIGINT, signal.default_int_handler)
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--times", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("calls", nargs="*", help="part of a name; default: all")
    args = parser.parse_args()
    draw = random.Random(args.seed)
    slow = 0
    print("| call | takes | interrupted | longest wait | of processor |\n"
          "|---|--:|--:|--:|--:|")
    for name, call in all_calls():
        if args.calls and not any(part in name for part in args.calls):
            continue
        whole = lasts(call)
        waits = [interrupted(call, draw.uniform(0, whole)) for _ in range(args.times)]
        waits = [w for w in waits if w] or [(0, 0)]
        wall, processor = (max(w[k] for w in waits) for k in (0, 1))
        slow += wall > LIMIT
        print(f"| {name} | {whole:.2f} s | {len(waits)} | {1e3 * wall:.0f} ms"
              f"{' (!)' if wall > LIMIT else ''} | {1e3 * processor:.0f} ms |", flush=True)
    print(f"\n{slow} above {1e3 * LIMIT:.0f} ms")
    return slow > 0


if __name__ == "__main__":
    sys.exit(main())
