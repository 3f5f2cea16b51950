import pickle
import random

import pytest

pytest.importorskip("sklearn")
import numpy as np
import pandas as pd
from graphs import people
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.utils.estimator_checks import parametrize_with_checks

import pith
from pith.sklearn import LinkPredictor, RuleClassifier


@parametrize_with_checks([RuleClassifier(max_body=2, max_rules=4)])
def test_the_checks_of_scikit_learn(estimator, check):
    check(estimator)


def test_iris():
    iris = load_iris(as_frame=True)
    names = iris.target_names[iris.target]
    model = RuleClassifier().fit(iris.data, names)
    assert model.score(iris.data, names) > 0.93
    assert set(model.rules_) == set(iris.target_names)
    shares = model.predict_proba(iris.data)
    assert np.allclose(shares.sum(axis=1), 1)
    proof = model.explain(iris.data.iloc[[0]])[0]
    assert proof
    assert str(proof.atom) == "setosa(row_1)"
    assert not model.explain(iris.data.iloc[[0]], "virginica")[0]
    again = pickle.loads(pickle.dumps(model))
    assert (again.predict(iris.data) == model.predict(iris.data)).all()


def test_held_out_rows():
    data = load_breast_cancer(as_frame=True)
    model = RuleClassifier().fit(data.data[::2], data.target[::2])
    assert model.score(data.data[1::2], data.target[1::2]) > 0.88
    assert model.conditions_ < 12


def test_categories_and_missing_values():
    rows = [("red", 3.0, "a"), ("blue", 1.0, "b"), ("red", 1.0, None)] * 8
    frame = pd.DataFrame(rows, columns=["colour", "size", "kind"])
    labels = np.where(frame["colour"] == "red", "warm", "cold")
    model = RuleClassifier().fit(frame, labels)
    assert (model.predict(frame) == labels).all()
    (theory,) = model.rules_.values()
    assert "colour" in str(theory)
    with pytest.raises(ValueError, match="columns"):
        model.predict(frame[["colour", "kind"]])


def mixed_frame(rows):
    """Numbers, names, flags and dates, some of them missing."""
    rng = np.random.default_rng(rows)
    days = pd.to_timedelta(rng.integers(0, 3000, rows), unit="D")
    frame = pd.DataFrame(
        {
            "age": rng.integers(10, 80, rows),
            "city": rng.choice(["Ulm", "Bonn", "Hof"], rows),
            "member": rng.random(rows) < 0.5,
            "since": pd.to_datetime("2015-01-01") + days,
            "spend": rng.normal(100, 30, rows).round(2),
        }
    )
    frame.loc[:3, "spend"] = np.nan
    frame.loc[3:5, "city"] = None
    frame.loc[5:6, "since"] = pd.NaT
    return frame


LABELS = {
    "flag and number": lambda f: (f["age"] >= 40) & f["member"],
    "date": lambda f: f["since"] > "2018-06-01",
    "missing": lambda f: f["spend"].isna() | (f["spend"] > 110),
    "not that name": lambda f: f["city"] != "Ulm",
}


@pytest.mark.parametrize("what", LABELS)
def test_rules_say_of_rows_what_inference_says(what):
    frame = mixed_frame(60)
    labels = np.where(LABELS[what](frame), "yes", "no")
    model = RuleClassifier(noise="off", max_body=4).fit(frame, labels)
    assert (model.predict(frame) == labels).all()
    fresh = mixed_frame(25)
    proofs = model.explain(fresh, "yes")
    assert [bool(p) for p in proofs] == (model.predict(fresh) == "yes").tolist()


def test_columns_of_one_name():
    frame = pd.DataFrame([["a", 1, 2]] * 4, columns=["c", "n", "n"])
    with pytest.raises(pith.InputError, match="two columns have the name 'n'"):
        RuleClassifier().fit(frame, ["x", "y"] * 2)


def test_the_fast_way_agrees_with_inference():
    rng = np.random.default_rng(3)
    data = rng.integers(0, 6, (60, 3)).astype(float)
    labels = (data[:, 0] > data[:, 1]).astype(int)
    model = RuleClassifier(noise="off", across=True).fit(data, labels)
    fresh = rng.integers(0, 6, (25, 3)).astype(float)
    table = model._table(fresh, reset=False)
    for rule in model.rules_[1]:
        fast = model._fires(rule, table)
        exact = [model._fires_alone(rule, table, i) for i in range(len(fresh))]
        assert fast.tolist() == exact


# ---- link prediction ------------------------------------------------------


def graph():
    triples = []
    for i in range(40):
        triples += [
            (f"p{i}", "lives", f"town{i % 10}"),
            (f"p{i}", "in", f"land{i % 5}"),
        ]
    return triples + [(f"town{i}", "part", f"land{i % 5}") for i in range(10)]


def brute_force_ranks(model, train, test, share):
    """Filtered ranks of both sides, straight from the definition."""
    things = sorted({x for s, _, o in [*train, *test] for x in (s, o)})
    true = set(train) | set(test)
    ranks = []
    for s, r, o in test:
        for side in (2, 0):
            query = (
                pith.Atom(r, s, pith.Var("X"))
                if side
                else pith.Atom(r, pith.Var("X"), o)
            )
            answers = model.predict(query, 10**6)
            ratings = {a.constant: (a.probability, a.score) for a in answers}
            answer = o if side else s
            others = [
                x for x in things
                if x != answer
                and ((s, r, x) if side else (x, r, o)) not in true
            ]  # fmt: skip
            low = (-1, 0)
            own = ratings.get(answer, low)
            above = sum(ratings.get(x, low) > own for x in others)
            equal = sum(ratings.get(x, low) == own for x in others)
            ranks.append(1 + above + share * equal)
    return ranks


def split(triples):
    test = triples[1:30:4]
    return test, [t for t in triples if t not in test]


@pytest.mark.parametrize("make", [graph, lambda: people(random.Random(0))])
def test_ranks_of_links(make):
    test, train = split(make())
    model = LinkPredictor(support=2).fit(np.array(train))
    for ties, share in (("optimistic", 0), ("pessimistic", 1), ("realistic", 0.5)):
        ranks = np.array(brute_force_ranks(model.model_, train, test, share))
        found = model.evaluate(test, ties=ties)
        assert found.questions == len(ranks)
        assert found.mrr == pytest.approx(np.mean(1 / ranks), abs=1e-9)
        assert found.hits1 == pytest.approx(np.mean(ranks <= 1), abs=1e-9)
        assert found.hits10 == pytest.approx(np.mean(ranks <= 10), abs=1e-9)
        assert found.mean_rank == pytest.approx(np.mean(ranks), abs=1e-9)
    assert model.score(test) == found.mrr


def test_link_prediction():
    test, train = split(graph())
    model = LinkPredictor(support=2).fit(np.array(train))
    assert model.predict([("p0", "in")])[0] == "land0"
    assert model.predict_proba(test[:2]).shape == (2,)
    assert model.rules_
    with pytest.raises(ValueError, match="triple"):
        LinkPredictor().fit([("a", "b")])
