import pickle
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pith
from pith import Atom, Compound, Facts, Rule, Theory, Var

names = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12
)
numbers = st.integers() | st.floats(-1e300, 1e300, allow_subnormal=False).filter(
    lambda x: x == 0 or abs(x) > 1e-300
)
constants = names | numbers
variables = st.sampled_from([Var("X"), Var("Y"), Var("Zed"), Var("_w")])


@st.composite
def rules(draw):
    """Rules whose heads use variables that the body binds."""
    bodies = st.builds(
        lambda p, a: Atom(p, *a),
        st.sampled_from(["p", "q r", "Élan", "s"]),
        st.lists(constants | variables, min_size=1, max_size=3),
    )
    body = draw(st.lists(bodies, min_size=1, max_size=3))
    bound = [v for a in body for v in a.variables]
    head_args = st.lists(constants | st.sampled_from([*bound, "c"]), max_size=3)
    return Rule(Atom("h", *draw(head_args)), body)


@settings(max_examples=150, deadline=None)
@given(rules())
def test_a_rule_reads_back_from_its_text(rule):
    assert Rule.parse(str(rule)) == rule


@settings(max_examples=100, deadline=None)
@given(st.lists(rules(), max_size=4))
def test_a_theory_reads_back_from_its_text_and_pickle(found):
    theory = Theory(found)
    assert Theory.parse(str(theory)) == theory
    assert pickle.loads(pickle.dumps(theory)) == theory


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(constants, constants), max_size=6))
def test_facts_come_back_as_they_went_in(rows):
    facts = Facts({"r": rows})
    plain = [tuple(0.0 if c == 0 and type(c) is float else c for c in r) for r in rows]
    wanted = list(dict.fromkeys(tuple((type(c), c) for c in r) for r in plain))
    found = [tuple((type(c), c) for c in r) for r in facts.get("r", [])]
    assert found == wanted
    assert Facts.parse(facts.to_text(), "prolog") == facts
    assert pickle.loads(pickle.dumps(facts)) == facts


def test_equality_is_up_to_the_names_of_variables():
    a = Rule.parse("p(X,Y) :- q(X,Z), r(Z,Y).")
    assert a == Rule.parse("p(A,B) :- q(A,C), r(C,B).")
    assert a != Rule.parse("p(A,C) :- q(A,C), r(C,A).")
    assert hash(a) == hash(Rule.parse("p(U,V) :- q(U,W), r(W,V)."))
    assert a != Rule.parse("0.5::p(X,Y) :- q(X,Z), r(Z,Y).")


def test_single_variables_stay_apart():
    rule = Rule.parse("p(X) :- q(X,_), r(_,X).")
    assert rule != Rule.parse("p(X) :- q(X,Y), r(Y,X).")
    assert str(rule) == "p(X) :- q(X,_), r(_,X)."


def test_integers_decimals_and_names_are_different_constants():
    facts = Facts({"p": [1, 1.0, "1", Decimal("1.23456789012345678901"), True]})
    types = [type(r[0]) for r in facts["p"]]
    assert types == [int, float, str, Decimal, str]
    assert Atom("p", 1) != Atom("p", 1.0)
    big = 10**5000 + 7
    assert list(Facts({"p": [big, -big]})["p"]) == [(big,), (-big,)]


def test_compound_terms_are_constants_of_their_own():
    facts = Facts.parse("p(f(x,2)). p('f(x,2)').")
    assert list(facts["p"]) == [(Compound("f(x,2)"),), ("f(x,2)",)]
    assert Compound("f(x,2)") != "f(x,2)"
    assert facts == Facts({"p": [Compound("f(x,2)"), "f(x,2)"]})


def test_atoms():
    atom = Atom.parse("edge(a,X)")
    assert atom == Atom("edge", "a", Var("X"))
    assert str(~atom) == "\\+ edge(a,X)"
    assert Atom.parse("\\+ edge(a,X)") == ~atom
    assert atom.variables == (Var("X"),)
    assert not atom.is_ground
    assert str(Atom("p", "it's", 2.5)) == "p('it\\'s',2.5)"
    assert pickle.loads(pickle.dumps(~atom)) == ~atom
    with pytest.raises(AttributeError):
        atom.predicate = "x"
    with pytest.raises(ValueError, match="capital"):
        Var("x")


def test_theories_are_sequences_and_sets():
    a, b, c = (Rule.parse(f"p{i}(X) :- q(X)") for i in range(3))
    theory = Theory([a, b, a])
    assert list(theory) == [a, b]
    assert theory[1] == b
    assert theory[:1] == Theory([a])
    assert theory | [c] == Theory([c, b, a])
    assert theory & [b, c] == Theory([b])
    assert theory - [b] == Theory([a])
    assert Theory([a]) < theory <= theory
    assert "p0(Z) :- q(Z)." in theory
    assert theory.conditions == 2
    assert ("q", 1) in theory.predicates


def test_a_theory_in_a_file(tmp_path):
    theory = Theory.parse("p(X) :- q(X), \\+ r(X). q(a). 0.25::p(X) :- s(X,_).")
    theory.write(tmp_path / "t.pl")
    assert Theory.read(tmp_path / "t.pl") == theory


def test_a_rule_that_binds_nothing_is_refused():
    with pytest.raises(pith.InputError, match="binds"):
        pith.infer([Rule(Atom("p", Var("X")))], {})
