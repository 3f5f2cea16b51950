"""Two objects in two threads share nothing; one object in two is refused.

`./dev python --sanitize thread` runs this file over a library built for the thread
sanitizer, which reports every race.
"""

import pickle
import threading

import pytest
from test_learning import slow_task

import pith

REACH = "r(X,Y) :- e(X,Y). r(X,Y) :- e(X,Z), r(Z,Y)."


def reach(name):
    facts = {"e": [(f"{name}{i}", f"{name}{i + 1}") for i in range(30)]}
    return pith.infer(REACH, facts).count


def even_numbers(name):
    facts = pith.Facts(
        {"succ": [(i, i + 1) for i in range(6)], "zero": [0]},
        positive={f"even_{name}": [0, 2, 4]},
        negative={f"even_{name}": [1, 3]},
    )
    templates = f"2 F(X) <- F(X,Y), F(Y)\n1 F(X) <- F(X)\ninvented: {name}/1\n"
    by_search = pith.learn(facts, jobs=2)
    by_descent = pith.learn(facts, templates=templates, restarts=20, epochs=50, jobs=2)
    return str(by_search).replace(name, ""), str(by_descent).replace(name, "")


def married(name):
    pairs = [(f"{name}{i}", f"{name}{i ^ 1}") for i in range(12)]
    theory = pith.compress({"married": pairs}, jobs=2)
    return str(theory[0]), theory.core.count


def likes(name):
    rows = [(f"{name}{i}", f"{name}{i * 3 % 20}") for i in range(20)]
    model = pith.Model(support=1, confidence=0.0, jobs=2)
    model.fit({"likes": rows, "knows": [(b, a) for a, b in rows]})
    ranks = model.evaluate({"likes": rows[:5]})
    return len(model.rules), ranks.mrr, len(model.predict(f"likes({name}1,X)"))


def proofs(name):
    rows = [(f"{name}{i}", f"{name}{i + 1}") for i in range(8)]
    facts = pickle.loads(pickle.dumps(pith.Facts({"e": rows})))
    proof = pith.explain(f"r({name}0,{name}8)", REACH, facts)
    task = pith.Facts(facts, positive={"r": rows})
    return proof.steps, pith.score(REACH, task).tp, len(facts.to_text("json"))


def frames(name):
    numpy = pytest.importorskip("numpy")  # polars crashes under the thread sanitizer
    rows = [(f"{name}{i % 50}", f"{name}{i % 7}") for i in range(3000)]
    facts = pith.Facts({"p": numpy.array(rows)})
    facts |= pith.Facts({"n": numpy.arange(4000).reshape(2000, 2)})
    return facts.count, len(facts["p"]), facts["n"].__arrow_c_stream__() is not None


def at_once(works):
    """Runs all of them in threads that start together; their results."""
    found, gate = {}, threading.Barrier(len(works))

    def run(key, work):
        gate.wait()
        try:
            found[key] = work()
        except BaseException as error:
            found[key] = error

    threads = [threading.Thread(target=run, args=item) for item in works.items()]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


@pytest.mark.parametrize("work", [reach, even_numbers, married, likes, proofs, frames])
def test_two_objects_in_two_threads(work):
    alone = work("a")
    found = at_once({name: lambda name=name: work(name) for name in "ab"})
    assert found == {"a": alone, "b": alone}


def test_calls_of_every_kind_at_once():
    works = [reach, even_numbers, married, likes, proofs, frames]
    alone = {work.__name__: work("a") for work in works}
    found = at_once({w.__name__: lambda w=w: w("a") for w in works})
    assert found == alone


def test_one_object_in_two_threads_is_refused():
    facts = pith.Facts({"p": [1]})
    caught = []

    def work():
        with pytest.raises(pith.ThreadError) as error:
            facts["p"]
        caught.append(str(error.value))

    with facts._handle:
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert "another thread" in caught[0]
    assert list(facts["p"]) == [(1,)]


def test_a_model_that_answers_in_two_threads_is_right_or_refused():
    model = pith.Model(support=1, confidence=0.0)
    model.fit({"likes": [(i, i * 3 % 20) for i in range(20)]})
    alone = model.predict("likes(1,X)")

    def ask():
        results = []
        for _ in range(200):
            try:
                results.append(model.predict("likes(1,X)"))
            except pith.ThreadError:
                results.append(alone)
        return results

    for results in at_once(dict.fromkeys("ab", ask)).values():
        assert results == [alone] * 200


def test_progress_comes_to_the_thread_that_called():
    def learn():
        seen = []
        pith.learn(
            slow_task(),
            timeout=0.5,
            progress=lambda _: seen.append(threading.get_ident()),
        )
        return set(seen) <= {threading.get_ident()}

    assert at_once(dict.fromkeys("ab", learn)) == {"a": True, "b": True}
