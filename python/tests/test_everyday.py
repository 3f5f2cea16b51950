"""What people with pandas, networkx and scikit-learn try first."""

import pytest

import pith
from pith import Facts

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
nx = pytest.importorskip("networkx")

FRAME = pd.DataFrame({"src": ["a", "b", "c"], "dst": ["b", "c", "d"]})
EDGES = [("a", "b"), ("b", "c"), ("c", "d")]


@pytest.mark.parametrize(
    "rows",
    [
        FRAME,
        pl.from_dict(FRAME.to_dict("list")),
        FRAME.to_numpy(),
        FRAME.to_numpy().tolist(),
        FRAME.itertuples(index=False),
        zip("abc", "bcd"),
        {"a": "b", "b": "c", "c": "d"},
        {"a": ["b"], "b": ("c",), "c": {"d"}},
        nx.DiGraph(EDGES).edges,
    ],
    ids=lambda rows: type(rows).__name__,
)
def test_edges_in_any_form(rows):
    assert list(Facts({"edge": rows})["edge"]) == EDGES


def test_one_column_in_any_form():
    for column in (FRAME["src"], pd.Index(["a", "b", "c"]), pl.Series(["a", "b", "c"])):
        assert list(Facts({"n": column})["n"]) == [("a",), ("b",), ("c",)]


def test_examples_as_frames():
    for made in (pd.Series, pl.Series):
        learned = pith.learn(
            {"edge": FRAME},
            positive={"start": made(["a", "b", "c"])},
            negative={"start": made(["d"])},
        )
        assert str(learned) == "start(A) :- edge(A,_)."


def test_what_needs_another_call_says_so():
    for wrong, words in (
        (lambda: Facts(nx.path_graph(3)), "from_networkx"),
        (lambda: Facts({"edge": nx.path_graph(3)}), "from_networkx"),
        (lambda: Facts({"edge": FRAME.iterrows()}), "row 0, column 1"),
        (lambda: Facts({"n": pl.LazyFrame({"a": [1]})}), "collect"),
        (lambda: pith.infer([], FRAME), "needs a name"),
        (lambda: Facts("edge(a,b)."), "Facts.parse"),
    ):
        with pytest.raises(TypeError, match=words):
            wrong()
    with pytest.raises(pith.InputError, match="positive="):
        pith.learn({"edge": FRAME}, ["p(a)"], ["p(d)"])


def test_tables_by_their_index():
    table = pd.DataFrame({"age": [37, 52]}, index=pd.Index(["ann", "bob"], name="who"))
    assert list(Facts.from_table(table, key="who")["age"]) == [("ann", 37), ("bob", 52)]


def test_facts_and_a_mapping():
    facts = Facts({"edge": FRAME}) | {"n": ["a"]}
    assert list(facts) == ["edge", "n"]
    with pytest.raises(TypeError):
        facts | 5
