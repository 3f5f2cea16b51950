import copy
import datetime
import pickle

import pytest

import pith
from pith import Atom, Facts


def test_from_mappings_tuples_atoms_and_text():
    wanted = {"edge": [("a", "b"), ("b", "c")], "n": [(1,)]}
    for facts in (
        Facts({"edge": [("a", "b"), ["b", "c"]], "n": [1]}),
        Facts([("edge", "a", "b"), ("edge", "b", "c"), ("n", 1)]),
        Facts([Atom("edge", "a", "b"), "edge(b,c)", "n(1)."]),
        Facts.parse("edge(a,b). edge(b,c). n(1)."),
        Facts({"edge": [("a", "b")]}) | Facts({"edge": [("b", "c")], "n": [1]}),
    ):
        assert {k: list(v) for k, v in facts.items()} == wanted
    assert Facts().count == 0
    assert len(Facts({"empty": []})) == 0


def test_relations_are_sequences():
    edge = Facts({"edge": [("a", "b"), ("b", "c")]})["edge"]
    assert edge[0] == ("a", "b") == edge[-2]
    assert edge[1:] == [("b", "c")]
    assert ("a", "b") in edge
    assert ("a", "z") not in edge
    assert ("a",) not in edge
    with pytest.raises(IndexError):
        edge[2]


def test_two_relations_of_one_name():
    facts = Facts.parse("p(a). p(a,b).")
    assert list(facts) == ["p/1", "p/2"]
    assert list(facts["p/2"]) == [("a", "b")]
    with pytest.raises(KeyError, match="p/1, p/2"):
        facts["p"]
    assert ("p", "a") in facts
    assert "p(a,b)" in facts
    assert "p(b)" not in facts


def test_dates_are_names():
    day = datetime.date(2024, 3, 1)
    assert list(Facts({"d": [day]})["d"]) == [("2024-03-01",)]


def test_files(tmp_path):
    facts = Facts({"edge": [("a", "b")]}, positive=["p(a)"], negative=["p(b)"])
    for format, ending in (("prolog", "pl"), ("json", "jsonl")):
        path = tmp_path / f"f.{ending}"
        facts.write(path, format)
        again = Facts.read(path)
        assert again == facts
        assert again.positive == [Atom("p", "a")]
        assert again.negative == [Atom("p", "b")]
    (tmp_path / "people.csv").write_text("name,age,adult\nann,34,yes\nbob,4,no\n")
    table = Facts.read(tmp_path / "people.csv", key="name", label="adult")
    assert ("ann", 34) in table["age"]
    assert len(table.positive) == 1


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([("a", None)], ["edge", "row 0", "column 1", "missing"]),
        ([("a", "b"), ("a", float("nan"))], ["row 1", "column 1", "nan"]),
        ([("a", float("inf"))], ["row 0", "column 1", "inf"]),
        ([("a", b"\xff")], ["row 0", "column 1", "bytes"]),
        ([("a", "\ud800")], ["row 0", "column 1", "Unicode"]),
        ([("a", "x\0y")], ["row 0", "column 1"]),
    ],
)
def test_bad_values_are_named_with_their_place(rows, words):
    with pytest.raises(pith.PithError) as caught:
        Facts({"edge": rows})
    for word in words:
        assert word in str(caught.value)


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        ({"edge": [("a", object())]}, "row 0, column 1"),
        ({"edge": [("a", ["list"])]}, "row 0, column 1"),
        ({"edge": 5}, "edge: expected rows"),
        ({"edge": "ab"}, "edge: expected rows"),
        ({7: [("a",)]}, "name of a relation"),
        ([5], "row 0"),
        ([(1, 2)], "names the relation"),
        ([()], "row 0"),
    ],
)
def test_bad_types_are_named_with_their_place(bad, words):
    with pytest.raises(TypeError, match=words):
        Facts(bad)


def test_examples_of_both_signs_are_refused():
    with pytest.raises(pith.InputError):
        Facts(positive=["p(a)"], negative=["p(a)"])


def test_errors_of_a_file_have_place_and_hint(tmp_path):
    path = tmp_path / "typo.pl"
    path.write_text("edge(a,b).\nReach(X,Y) :- edge(X,Y).\nreach(X,Z) :- edge(X,Y)\n")
    with pytest.raises(pith.InputError) as caught:
        Facts.read(path)
    error = caught.value
    assert error.file == str(path)
    assert (error.line, error.column) == (2, 1)
    assert error.hint == "quote it: 'Reach', or write it in lower case"
    assert [r.line for r in error.remarks] == [2, 3]
    with pytest.raises(pith.FileError):
        Facts.read(tmp_path / "none.pl")
    with pytest.raises(OSError, match="none"):
        Facts.read(tmp_path / "none.pl")
    with pytest.raises(pith.ArgumentError, match="there are"):
        Facts.read(path, format="word")


def test_warnings_of_a_file(tmp_path):
    path = tmp_path / "empty.pl"
    path.write_text("% nothing here\n")
    with pytest.warns(pith.InputWarning, match=r"empty.pl: .*right file"):
        facts = Facts.read(path)
    assert facts.count == 0


def test_a_memory_limit_raises():
    handle = pith._c.Handle(memory_limit=300_000)

    def fill():
        for i in range(100_000):
            handle.add_fact(handle.pred("p", 1), [handle.sym(i)])

    with handle, pytest.raises(MemoryError):
        fill()


def test_relations_are_pickled():
    closure = pith.infer("p(X) :- q(X).", {"q": [1, "x"], "r": [(1, 2)]})
    for name, relation in closure.items():
        again = pickle.loads(pickle.dumps(relation))
        assert (again.name, again.arity, list(again)) == (
            name, relation.arity, list(relation)
        )  # fmt: skip
    assert list(copy.deepcopy(closure["q"])) == [(1,), ("x",)]
