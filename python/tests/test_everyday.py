"""What people with pandas, networkx and scikit-learn try first."""

import contextlib
import sqlite3

import pytest

import pith
from pith import Facts

np = pytest.importorskip("numpy")
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


FLAGS = {
    "plain": np.array([True, False, True]),
    "nullable": pd.array([True, False, None], dtype="boolean"),
    "objects": np.array([True, False, None], dtype=object),
    "mixed": np.array([True, np.False_, np.True_], dtype=object),
}


@pytest.mark.parametrize("kind", FLAGS)
def test_flags_are_unary_however_they_are_stored(kind):
    flags = FLAGS[kind]
    facts = Facts.from_table(pd.DataFrame({"id": list("abc"), "ok": flags}), key="id")
    expected = [(n,) for n, f in zip("abc", flags) if f is not pd.NA and f]
    assert list(facts["ok/1"]) == expected


def test_no_flags_at_all():
    table = pd.DataFrame({"id": ["a"], "ok": pd.array([None], dtype="boolean")})
    assert list(Facts.from_table(table, key="id")) == []


TRIPLES = [("ann", "knows", "bob"), ("bob", "knows", "cid"), ("cid", 7, "ann")]


@pytest.mark.parametrize("form", [list, np.array, pd.DataFrame, tuple])
def test_triples(form):
    facts = Facts.from_triples(form(TRIPLES))
    assert {name: len(rows) for name, rows in facts.items()} == {"knows": 2, "7": 1}
    assert ("knows", "ann", "bob") in facts


def test_triples_name_what_is_wrong():
    with pytest.raises(pith.InputError, match="row 1, column 2"):
        Facts.from_triples([("a", "r", "b"), ("a", "r", float("nan"))])
    with pytest.raises(pith.ConstantError, match="row 0, column 1"):
        Facts.from_triples([("a", None, "b")])
    with pytest.raises(ValueError, match="row 0 has 2 columns; expected a triple"):
        Facts.from_triples([("a", "b")])


def test_a_model_of_triples_the_wrong_way_round():
    rows = [(f"p{i}", "likes", f"q{i}") for i in range(9)]
    with pytest.raises(pith.ArgumentError, match=r"p0/2, .*Facts.from_triples"):
        pith.Model("likes").fit(rows)
    with pytest.raises(pith.ArgumentError, match=r"there are: likes/2$"):
        pith.Model("hates").fit(Facts.from_triples(rows))


def test_warnings_name_the_line_of_the_caller(tmp_path):
    path = tmp_path / "x.db"
    with contextlib.closing(sqlite3.connect(path)) as base:
        base.execute("create table parent(a text, b text)")
        rows = "('ann', 'bob'), ('bob', 'cid'), ('bob', null)"
        base.execute(f"insert into parent values {rows}")
        base.commit()
    for call in (Facts.read, pith.compress, pith.Theory.read):
        with pytest.warns(pith.InputWarning, match="left out") as seen:
            call(path)
        assert [w.filename for w in seen] == [__file__]


def test_one_is_not_many():
    assert repr(Facts({"n": [1]})["n"]) == "<Relation n/1: 1 fact>"
    assert repr(pith.Theory(["p(X) :- q(X)."])).startswith("<Theory of 1 rule>")
    found = pith.learn({"q": ["a"], "r": ["b"]}, positive=["p(a)"], negative=["p(b)"])
    assert repr(found).startswith("<Learned: 1 rule, solved>")


def test_what_is_no_atom():
    with pytest.raises(pith.InputError) as caught:
        pith.Atom.parse("p(bob")
    assert (caught.value.line, caught.value.column) == (1, 2)
    assert caught.value.hint == "add it"
    assert ":-" not in str(caught.value)


def test_what_is_no_graph():
    with pytest.raises(TypeError, match="expected a networkx graph, not list"):
        Facts.from_networkx([("a", "b")])
    with pytest.raises(TypeError, match="expected an rdflib graph, not list"):
        Facts.from_rdflib([("a", "b")])


def test_a_variable_without_a_name():
    rule = pith.Rule.parse("p(X) :- q(X,_).")
    copy = pith.Rule(rule.head, rule.body)
    assert str(copy) == "p(X) :- q(X,_)."
    twice = pith.Rule.parse("p(X) :- q(X,_1), r(_1).")
    assert str(pith.Rule(twice.head, twice.body)) == "p(X) :- q(X,_1), r(_1)."


def test_ranks_as_text():
    side = pith.Ranks(2, 0.75, 0.5, 1.0, 1.0, 1.5)
    both = pith.Ranks(4, 0.75, 0.5, 1.0, 1.0, 1.5, object=side, subject=side)
    lines = str(both).splitlines()
    assert [line.split()[0] for line in lines[1:]] == ["object", "subject", "both"]
    assert lines[3].split()[1:] == ["4", "0.750", "0.500", "1.000", "1.000", "1.500"]
    assert "-" in str(pith.Ranks(0, None, None, None, None, None))


def test_what_a_tab_shows():
    assert set(pith.__all__) <= set(dir(pith))
    assert "annotations" not in dir(pith)
