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
        interrupt.seconds = now.seconds
        os.kill(os.getpid(), signal.SIGINT)

    with pytest.warns(pith.InterruptedWarning):
        learned = pith.learn(slow_task(), timeout=60, progress=interrupt)
    assert learned.ended == "interrupted"
    assert learned.seconds < 30
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
