import logging
import pickle
import signal
import sys

import pytest

import pith
from pith import Facts
from pith.progress import make_bar

TASKS = ["even-odd", "grandparent", "less-than", "undirected-edge", "uncle"]


def rules_of(text):
    return [line for line in text.splitlines() if line and not line.startswith("%")]


@pytest.mark.parametrize("task", TASKS)
def test_the_same_bytes_as_the_command(task, data, command):
    folder = data / "ilp" / task
    wanted = rules_of(command("learn", "-q", "--seed", 3, folder))
    assert str(pith.learn(folder, seed=3)).splitlines() == wanted
    assert str(pith.learn(Facts.read(folder), seed=3)).splitlines() == wanted
    again = pickle.loads(pickle.dumps(Facts.read(folder)))
    assert str(pith.learn(again, seed=3, jobs=1)).splitlines() == wanted
    wanted = rules_of(command("learn", "-q", "--templates", "none", folder))
    assert str(pith.learn(folder, templates="none")).splitlines() == wanted


def test_rules_carry_the_figures_of_the_command(data, command):
    learned = pith.learn(data / "ilp" / "even-odd", templates="none")
    line = command("learn", "--templates", "none", data / "ilp" / "even-odd")
    rule = learned[1]
    assert f"support {rule.support} of {rule.predictions}" in line
    low, high = rule.confidence_low, rule.confidence_high
    assert f"({low:.2f} to {high:.2f})" in line
    assert learned.solved
    assert learned.stage == "clauses"
    assert learned.ended == "complete"
    assert learned.wrong == []
    copy = pickle.loads(pickle.dumps(learned))
    assert copy == learned
    assert copy[1].support == rule.support
    assert copy.stage == "clauses"


def test_templates_from_text(data):
    text = (data / "ilp" / "even-odd" / "templates.txt").read_text()
    facts = {"succ": [(i, i + 1) for i in range(4)], "zero": [0]}
    learned = pith.learn(
        facts,
        positive={"even": [0, 2, 4]},
        negative={"even": [1, 3]},
        templates=text,
        keep=2,
    )
    assert learned.solved
    assert learned.theories[0] is learned
    assert learned[0].similarity is not None


def test_what_does_not_fit_is_named(family):
    learned = pith.learn(
        family, positive=["p(ann)", "p(bob)"], negative=["p(cid)"], max_body=1,
        max_rules=1, method="search",
    )  # fmt: skip
    assert learned.solved == (not learned.wrong)


def some_wrong_labels(seed):
    """What is red and big is wanted; a fifth of the labels are wrong."""

    def draw(n):
        nonlocal seed
        seed = seed * 16807 % 2147483647
        return seed // 100 % n

    draw(9)
    text = ""
    for i in range(120):
        red, big, old = draw(3) == 0, draw(3) == 0, draw(2)
        has = {"red": red, "big": big, "old": old, "new": draw(2), "hot": draw(2)}
        has["low"] = draw(3)
        text += "".join(f"{name}(x{i}). " for name, holds in has.items() if holds)
        sign = "pos" if (red and big) != (draw(5) == 0) else "neg"
        text += f"{sign}(f(x{i})).\n"
    return Facts.parse(text)


def test_what_is_hardly_decided_is_said():
    found = pith.learn(some_wrong_labels(6))
    weak = found.hardly_decided
    assert str(found) == "f(A) :- red(A), hot(A), big(A)."
    assert (weak.rule, weak.atom, weak.wrong) == (0, 1, 26)
    assert str(weak.shorter) == "f(A) :- red(A), big(A)."
    assert 0 < weak.bits < 6
    assert pickle.loads(pickle.dumps(found)).hardly_decided == weak
    assert pith.learn(some_wrong_labels(2)).hardly_decided is None


def test_several_worlds_share_the_rules():
    def world(names):
        pairs = list(zip(names, names[1:]))
        return Facts(
            {"next": pairs},
            positive=[("before", a, b) for a, b in pairs]
            + [("before", names[0], names[2])],
            negative=[("before", b, a) for a, b in pairs],
        )

    learned = pith.learn(world("abcd"), world(["x", "y", "z"]))
    assert learned.solved
    assert sum(r.support for r in learned) > 0


def test_closed_world():
    rows = [("a", "b"), ("b", "c"), ("c", "d")]
    learned = pith.learn(
        {"e": rows}, positive={"r": [(b, a) for a, b in rows]}, closed_world=True
    )
    assert learned == pith.Theory.parse("r(X,Y) :- e(Y,X).")


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"method": "magic"}, pith.ArgumentError, "auto, search, gradient"),
        ({"seed": -1}, pith.ArgumentError, "seed"),
        ({"seed": "1"}, TypeError, "seed"),
        ({"jobs": 1.5}, TypeError, "jobs"),
        ({"timeout": -1}, pith.ArgumentError, "timeout"),
        ({"timeout": float("nan")}, pith.ArgumentError, "timeout"),
        ({"rate": float("inf")}, pith.ArgumentError, "rate"),
        ({"restarts": 2**40}, pith.ArgumentError, "restarts"),
        ({"templates": "F(X <- F(X)"}, pith.InputError, None),
        ({"progress": 3}, TypeError, "progress"),
        ({"positive": [("p",)], "negative": 3}, TypeError, None),
    ],
)
def test_bad_options(options, error, words, family):
    options = {"positive": ["p(ann)"], **options}
    with pytest.raises(error, match=words):
        pith.learn(family, **options)


def test_nothing_to_learn(family):
    with pytest.raises(TypeError, match="needs facts"):
        pith.learn()
    with pytest.raises(pith.InputError):
        pith.learn(family)


def test_the_input_is_left_alone(data):
    facts = Facts.read(data / "ilp" / "even-odd")
    before = facts.to_text()
    first, second = pith.learn(facts), pith.learn(facts)
    assert facts.to_text() == before
    assert str(first) == str(second)


# ---- compress -------------------------------------------------------------


def test_compress_as_the_command(data, command):
    path = data / "theory" / "taxonomy" / "facts_noself.pl"
    theory = pith.compress(path)
    wanted = rules_of(command("compress", "-q", path))
    assert sorted(str(theory).splitlines()) == sorted(wanted)
    assert theory.exact
    assert theory.minimal
    assert theory.core.count == 40
    assert theory.bits_after < theory.bits_before
    closure = pith.infer(theory, theory.core)
    assert Facts(closure.atoms()) == Facts.read(path)
    copy = pickle.loads(pickle.dumps(theory))
    assert copy == theory
    assert copy.core == theory.core


def test_compress_refuses_nothing():
    with pytest.raises(pith.InputError):
        pith.compress({})


# ---- progress and logging -------------------------------------------------


def slow_task():
    """Nothing fits, so that the search goes on for long."""
    rows = [(i, (7 * i + 3) % 40) for i in range(40)]
    facts = {"e": rows, "f": [(b, (a * a) % 40) for a, b in rows]}
    labels = [(hash_of(i)) for i in range(40)]
    return Facts(
        facts,
        positive={"p": [i for i in range(40) if labels[i]]},
        negative={"p": [i for i in range(40) if not labels[i]]},
    )


def hash_of(i):
    return (i * 2654435761 >> 7) % 2 == 0


def test_progress_is_reported_to_the_caller():
    seen = []

    def report(now):
        seen.append(now)
        if len(seen) == 3:
            signal.raise_signal(signal.SIGINT)  # to this thread, at once

    with pytest.warns(pith.InterruptedWarning):
        learned = pith.learn(slow_task(), progress=report)
    assert len(seen) >= 3
    assert all(isinstance(p, pith.Progress) for p in seen)
    assert seen == learned.curve[: len(seen)]
    assert learned.ended == "interrupted"
    assert str(seen[-1])


def test_a_timeout_is_told():
    """However fast the machine is: no report comes before it is over."""
    learned = pith.learn(slow_task(), timeout=1e-9, progress=False)
    assert learned.ended == "timeout"
    assert learned.wrong


def test_an_error_of_the_callback_is_raised():
    def fail(now):
        raise ZeroDivisionError(str(now))

    with pytest.raises(ZeroDivisionError):
        pith.learn(slow_task(), timeout=20, progress=fail)


def test_the_objects_of_a_call_cannot_be_used_by_its_callback():
    caught = []
    handle = pith._c.Handle()
    with handle.long_call():
        try:
            with handle:
                pass
        except pith.ThreadError as error:
            caught.append(error)
    assert caught


def test_bars(monkeypatch, capsys):
    from pith import progress

    class Shown:
        def show(self, now):
            reports.append(now)
            signal.raise_signal(signal.SIGINT)

        def close(self):
            reports.append("closed")

    reports: list = []
    monkeypatch.setattr(progress, "QUIET", -1.0)  # a bar from the first report on
    with monkeypatch.context() as patch:
        patch.setattr(progress, "make_bar", Shown)
        with pytest.warns(pith.InterruptedWarning):
            pith.learn(slow_task(), progress=True)
    assert reports[-1] == "closed"
    for missing, kind in ("", "_Tqdm"), ("tqdm.auto", "_Rich"), ("rich", "_Plain"):
        if missing:
            monkeypatch.setitem(sys.modules, missing, None)
        bar = progress.make_bar()
        assert type(bar).__name__ == kind
        bar.show(reports[0])
        bar.close()
    assert "pith:" in capsys.readouterr().err


def test_logging(caplog, data):
    with caplog.at_level(logging.DEBUG, "pith"):
        pith.learn(data / "ilp" / "even-odd")
    assert any("rules" in r.message for r in caplog.records)


def report(**figures):
    names = pith.Progress.__dataclass_fields__
    return pith.Progress(**{**dict.fromkeys(names, 0), "phase": "p", **figures})


@pytest.mark.parametrize("hidden", [[], ["tqdm", "tqdm.auto"]])
def test_a_bar_claims_no_share_that_nobody_knows(hidden, monkeypatch, capsys):
    pytest.importorskip("tqdm")
    pytest.importorskip("rich")
    for name in hidden:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setenv("COLUMNS", "100")
    bar = make_bar()
    bar.show(report(seconds=1))
    if not hidden:
        assert "%" not in str(bar.bar)
    else:
        assert bar.progress.tasks[0].total is None
    bar.show(report(seconds=1, count=4, done=3))
    if not hidden:
        assert "75%" in str(bar.bar)
    else:
        assert bar.progress.tasks[0].percentage == 75
    bar.close()
    capsys.readouterr()
