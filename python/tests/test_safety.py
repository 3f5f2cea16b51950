"""Threads, forks, interrupts, garbage: what must not crash."""

import gc
import multiprocessing
import os
import pathlib
import signal
import subprocess
import sys

import pytest
from test_learning import slow_task

import pith
from pith._calls import _Worker


def test_ctrl_c_returns_the_best_so_far():
    def interrupt(now):
        signal.raise_signal(signal.SIGINT)  # to this thread, at once

    with pytest.warns(pith.InterruptedWarning):
        learned = pith.learn(slow_task(), progress=interrupt)
    assert learned.ended == "interrupted"
    assert len(learned.theories) >= 1


def test_an_interrupt_at_any_moment_of_a_call():
    """Also before the call begins and after its end: no hang, nothing freed early."""
    program = """
import os, random, signal, sys, threading, time, warnings
import pith
warnings.simplefilter("ignore")
draw, ended = random.Random(1), {}
facts = pith.Facts({"e": [(i, i + 1) for i in range(60)]})
rules = pith.Theory.parse("t(X,Y) :- e(X,Y). t(X,Y) :- e(X,Z), t(Z,Y).")
for k in range(60):
    try:
        timer = threading.Timer(draw.random() * 0.002, os.kill, (os.getpid(), 2))
        timer.start()
        how = pith.infer(rules, facts, progress=False).ended
        timer.join()
    except KeyboardInterrupt:
        how = "raised"
    while timer.is_alive():
        try:
            timer.join()
        except KeyboardInterrupt:
            pass
    ended[how] = ended.get(how, 0) + 1
assert sum(ended.values()) == 60
assert len(pith.infer(rules, facts)["t"]) == 1830
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True,
                          text=True, timeout=300)  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_threads_are_used_again():
    """A call hands its work to a thread that waits; it starts none."""
    facts = {"e": [(1, 2)]}
    pith.infer("t(X,Y) :- e(X,Y).", facts)
    before = set(_Worker.idle)
    for _ in range(20):
        pith.infer("t(X,Y) :- e(X,Y).", facts)
    assert set(_Worker.idle) == before


def test_handles_may_be_freed_in_any_order():
    for _ in range(5):
        facts = pith.Facts({"likes": [(i, (i * 3) % 20) for i in range(20)]})
        model = pith.Model(support=1, confidence=0.0).fit(facts)
        relation, closure = facts["likes"], pith.infer([], facts)
        proof = closure.explain("likes(1,3)")
        cycle = [model, relation, closure, proof]
        cycle.append(cycle)
        del facts, model, closure, proof
        gc.collect()
        assert len(relation) == 20
        del relation, cycle
        gc.collect()


def child(queue):
    queue.put(str(pith.learn({"e": [(1, 2)]}, positive=["p(1)"], negative=["p(2)"])))


def test_fork_after_import():
    facts = pith.Facts({"p": [1, 2]})
    pid = os.fork()
    if pid == 0:
        right = list(facts["p"]) == [(1,), (2,)]
        learned = pith.learn({"e": [(1, 2)]}, positive=["p(1)"], negative=["p(2)"])
        os._exit(0 if right and learned.solved else 1)
    assert os.waitpid(pid, 0)[1] == 0
    context = multiprocessing.get_context("spawn")
    queue = context.Queue()
    process = context.Process(target=child, args=(queue,))
    process.start()
    assert "p(A) :- e(A,_)." in queue.get(timeout=60)
    process.join()


SUBINTERPRETER = """
import sys
try:
    import _interpreters as sub
except ImportError:
    import _xxsubinterpreters as sub
script = "import sys; sys.path[:] = %r\\n"
script += "try:\\n import pith\\nexcept ImportError as e:\\n"
script += " import os; os.write(1, str(e).encode())\\n"
number = sub.create()
sub.run_string(number, script % sys.path)
"""


def test_subinterpreters_are_refused():
    path = [str(pathlib.Path(pith.__file__).resolve().parents[1]), *sys.path]
    done = subprocess.run(
        [sys.executable, "-c", SUBINTERPRETER],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path)},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    assert "subinterpreter" in done.stdout


def test_a_closed_standard_error_does_no_harm(monkeypatch):
    monkeypatch.setattr(sys, "stderr", None)
    assert pith.learn({"e": [(1, 2)]}, positive=["p(1)"], negative=["p(2)"]).solved


def test_only_the_header_is_used():
    """The binding sees include/pith.h alone."""
    binding = pathlib.Path(__file__).resolve().parents[1] / "binding"
    for path in (*binding.glob("*.c"), *binding.glob("*.h")):
        assert "pith_i_" not in path.read_text()


# ---- signals ----


def signal_at_the_start(monkeypatch, number):
    """Every call that is handed to a thread has a signal right behind it."""
    start = _Worker.start.__func__

    def hand_over(cls, job):
        start(cls, job)
        signal.raise_signal(number)  # to this thread, at once

    monkeypatch.setattr(_Worker, "start", classmethod(hand_over))


EDGES = [(i, i + 1) for i in range(5000)]
PATHS = "p(X,Y) :- e(X,Y). p(X,Y) :- e(X,Z), p(Z,Y)."


def calls_without_a_result():
    facts = pith.Facts({"e": EDGES[:50]}, positive=["p(1,2)"])
    closure = pith.infer(PATHS, facts)
    model = pith.Model(support=1, confidence=0).fit(
        {"a": [(i, i + 1) for i in range(20)], "b": [(i + 1, i) for i in range(20)]}
    )
    model.predict("a(1,X)")
    text = "".join(f"e({a},{b}).\n" for a, b in EDGES)
    array = pytest.importorskip("numpy").array(EDGES)
    return {
        "parse": lambda: pith.Facts.parse(text),
        "frame": lambda: pith.Facts({"e": array}),
        "join": lambda: facts | {"f": [1]},
        "text": facts.to_text,
        "explain": lambda: closure.explain("p(1,3)"),
        "score": closure.score,
        "score a theory": lambda: pith.score(PATHS, facts),
        "predict": lambda: model.predict("a(1,X)"),
        "reasons": lambda: model.explain("a(1,X)", 2),
        "probability": lambda: model.probability([("a", 1, 3)]),
        "evaluate": lambda: model.evaluate({"a": [(1, 5)]}),
    }


def test_ctrl_c_ends_every_call(monkeypatch):
    """What has no best so far raises, and what it worked on is as before."""
    calls = calls_without_a_result()
    for call in calls.values():
        call()
    with monkeypatch.context() as patch:
        signal_at_the_start(patch, signal.SIGINT)
        for name, call in calls.items():
            with pytest.raises(KeyboardInterrupt):
                call()
            assert name
    for call in calls.values():
        call()


def test_ctrl_c_when_signals_wake_nobody():
    """Handlers of other libraries may let a waiting thread sleep on."""
    program = """
import os, signal, threading
import pith
signal.siginterrupt(signal.SIGINT, False)
text = "".join(f"e({i},{i + 1}).\\n" for i in range(3000))
chain = "p(X,Y) :- e(X,Y). p(X,Z) :- p(X,Y), p(Y,Z)."
closure = pith.infer(chain, pith.Facts.parse(text), steps=3, progress=False)
threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    while True:
        closure.explain("p(0,9)")
        pith.Facts.parse(text * 5)
except KeyboardInterrupt:
    print("ended")
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True,
                          text=True, timeout=300)  # fmt: skip
    assert done.stdout == "ended\n", done.stderr


def test_an_error_of_a_signal_handler_waits_for_the_call(monkeypatch):
    """A handler may raise anything; the call must not go on with what is freed."""

    class AlarmError(Exception):
        pass

    def ring(*_):
        raise AlarmError

    before = signal.signal(signal.SIGUSR1, ring)
    try:
        signal_at_the_start(monkeypatch, signal.SIGUSR1)
        for call in (
            lambda: pith.learn(slow_task(), timeout=60, progress=False),
            lambda: pith.infer(PATHS, {"e": EDGES}),
        ):
            with pytest.raises(AlarmError):
                call()
    finally:
        signal.signal(signal.SIGUSR1, before)


def test_copies_end_when_they_are_told_to():
    from pith._c import Handle, ffi, lib

    facts, control = pith.Facts({"e": EDGES}), ffi.new("pith_py_control *")
    lib.pith_py_stop(control)
    with facts._handle as p:
        for copy in (
            lib.pith_py_copy,
            lambda f, t, c: lib.pith_py_merge(f, lib.PITH_GIVEN, t, c),
        ):
            to = Handle(), Handle()
            assert copy(p, to[0]._pointer, control) == lib.PITH_ELIMIT
            assert copy(p, to[1]._pointer, ffi.NULL) == lib.PITH_OK
        edge, out = (
            facts._handle.find_pred("e", 2),
            ffi.new("pith_sym[]", 2 * len(EDGES)),
        )
        for given, end in ((control, lib.PITH_ELIMIT), (ffi.NULL, lib.PITH_OK)):
            assert lib.pith_py_rows(p, edge, lib.PITH_GIVEN, out, given) == end
        rows = facts._handle.rows(edge, lib.PITH_GIVEN)
        data = ffi.from_buffer("pith_sym[]", rows)
        other = facts._handle.copy()
        pred = other.pred("other", 2)
        add = lib.pith_py_add_rows
        assert add(other._pointer, pred, data, 5000, control) == lib.PITH_ELIMIT


def test_a_model_is_ready_at_its_first_use():
    graph = {"a": [(i, i + 1) for i in range(20)], "b": [(i + 1, i) for i in range(20)]}
    model = pith.Model(support=1, confidence=0).fit(graph)
    assert model._loaded is None
    rules = model.rules
    assert rules
    assert all(r.support is not None for r in rules)
    assert model._loaded is not None
    assert len(pith.Model.parse(model.text, graph).rules) == len(rules)
