import json
import pickle
import sys

import pytest

import pith
from pith import Atom, Facts, Rule

REACH = "reach(X,Y) :- edge(X,Y). reach(X,Y) :- edge(X,Z), reach(Z,Y)."


def chain(n):
    return Facts({"edge": [(i, i + 1) for i in range(n)]})


def test_infer():
    closure = pith.infer(REACH, chain(4))
    assert closure.complete
    assert closure.ended == "complete"
    assert closure.given == chain(4)
    assert len(closure.derived["reach"]) == 10
    assert closure.count == 14
    assert (0, 4) in closure["reach"]
    assert closure.query("reach(1,X)") == [Atom("reach", 1, i) for i in (2, 3, 4)]
    assert closure.query("reach(X,X)") == []
    again = pickle.loads(pickle.dumps(closure))
    assert again == closure


def test_a_pickled_closure_keeps_examples_and_where_it_ended():
    facts = pith.Facts(chain(4), positive={"reach": [(0, 4)]},
                       negative={"reach": [(4, 0)]})  # fmt: skip
    for steps in (None, 1, 2):
        closure = pith.infer(REACH, facts, steps=steps)
        again = pickle.loads(pickle.dumps(closure))
        assert again == closure
        assert again.score() == closure.score()
        assert (again.complete, again.ended) == (closure.complete, closure.ended)
        assert again.derived == closure.derived


def test_infer_as_the_command(data, command):
    folder = data / "theory" / "taxonomy"
    closure = pith.infer(folder / "rules.pl", folder / "core.pl")
    wanted = command("infer", "-q", folder / "rules.pl", folder / "core.pl")
    assert [f"{a}." for a in closure.derived.atoms()] == wanted.splitlines()


def test_infer_within_limits():
    assert pith.infer(REACH, chain(9), steps=1).ended == "steps"
    cut = pith.infer(REACH, chain(300), max_facts=400)
    assert not cut.complete
    assert cut.ended == "facts"


def test_what_cannot_be_stratified_is_refused():
    with pytest.raises(pith.InputError, match="negation"):
        pith.infer("p(X) :- q(X), \\+ p(X).", {"q": [1]})


def test_proofs():
    proof = pith.explain("reach(0,3)", REACH, chain(3))
    assert proof
    assert (proof.steps, proof.size) == (3, 3)
    assert proof.rule == Rule.parse("reach(X,Y) :- edge(X,Z), reach(Z,Y)")
    assert [c.atom for c in proof.children] == [Atom("edge", 0, 1), Atom("reach", 1, 3)]
    assert proof.children[0].rule is None
    copy = pickle.loads(pickle.dumps(proof))
    assert copy == proof
    assert str(copy) == str(proof)
    rebuilt = pith.Proof(proof.atom, True, proof.rule, proof.children)
    assert str(rebuilt) == str(proof)


def test_a_proof_deeper_than_the_stack():
    n = sys.getrecursionlimit() + 500
    proof = pith.explain(f"reach(0,{n})", REACH, chain(n))
    assert proof.steps == n
    assert len(str(proof).splitlines()) == 2 * n
    assert len(list(proof.walk())) == 2 * n
    assert pickle.loads(pickle.dumps(proof)) == proof
    assert "more lines" in proof._repr_mimebundle_()["text/html"]


def test_why_not():
    proof = pith.explain(Atom("reach", 3, 0), REACH, chain(3))
    assert not proof
    assert proof.nearest is not None
    assert "does not follow" in str(proof)
    assert any(not holds for _, holds in proof.body)


def test_a_proof_by_negation():
    rules = "lone(X) :- n(X), \\+ linked(X). linked(X) :- e(X,_)."
    proof = pith.explain("lone(2)", rules, {"n": [1, 2], "e": [(1, 2)]})
    assert proof
    assert any(node.atom.negated for node in proof.walk())


def test_a_proof_by_comparison():
    proof = pith.explain("big(3)", "big(X) :- n(X), X > 2.", {"n": [1, 3]})
    assert [str(c.atom) for c in proof.children] == ["n(3)"]
    why = pith.explain("big(1)", "big(X) :- n(X), X > 2.", {"n": [1, 3]})
    assert [(str(a), h) for a, h in why.body] == [("n(1)", True), ("1 > 2", False)]
    assert Atom.parse("3 =< 2.5") == Atom("=<", 3, 2.5)


def test_explain_wants_a_ground_atom():
    with pytest.raises(pith.ArgumentError):
        pith.explain("reach(0,X)", REACH, chain(3))
    with pytest.raises(TypeError):
        pith.explain(5, REACH, chain(3))


def test_score(data, command):
    folder = data / "ilp" / "even-odd"
    rules = pith.learn(folder)
    score = pith.score(rules, folder / "test")
    assert str(score).splitlines()[0] == "tp 11, fp 0, tn 10, fn 0"
    assert score.errors == 0
    assert score.accuracy == 1.0
    assert pith.score([], folder / "test").precision is None


def test_networkx():
    networkx = pytest.importorskip("networkx")
    graph = pith.explain("reach(0,2)", REACH, chain(2)).to_networkx()
    assert networkx.is_directed_acyclic_graph(graph)
    assert graph.has_edge("edge(0,1)", "reach(0,2)")


# ---- graph models ---------------------------------------------------------


def test_a_model_as_the_command(data, command, tmp_path):
    path = data / "countries" / "S2.tsv"
    model = pith.Model(target="locatedIn").fit(path)
    text = command("learn", "-q", "--target", "locatedIn", path)
    assert model.text == text
    saved = tmp_path / "model.pl"
    model.save(saved)
    query = "locatedIn(eritrea,X)"
    wanted = command("infer", "-q", "--top", 3, saved, path, query).splitlines()
    answers = model.predict(query, 3)
    assert [f"{a.atom}." for a in answers] == wanted
    places = [a.constant for a in model.predict(query, 10)]
    assert model.rank(query, "africa") == places.index("africa") + 1 <= 3
    assert model.rank(query, "nowhere") is None
    reasons = model.explain(query, "africa")
    assert reasons
    assert str(reasons[0].rule.head).startswith("locatedIn")
    assert all(a in Facts.read(path) for a in reasons[0].grounding)
    for other in (pith.Model.load(saved, path), pickle.loads(pickle.dumps(model))):
        assert other.predict(query, 3) == answers
        assert other.rules == model.rules
    assert model.rules[0].support


def test_ranks_as_the_command(data, command, tmp_path):
    lines = (data / "countries" / "S1.tsv").read_text().splitlines()
    held_out = lines[::25]
    kept = [line for i, line in enumerate(lines) if i % 25]
    folder = tmp_path / "graph"
    folder.mkdir()
    (folder / "train.tsv").write_text("\n".join(kept) + "\n")
    (folder / "valid.tsv").write_text("\n".join(held_out[::2]) + "\n")
    (folder / "test.tsv").write_text("\n".join(held_out[1::2]) + "\n")
    model = pith.Model().fit(folder)
    ranks = model.evaluate(folder)
    model.save(tmp_path / "model.pl")
    assert model.text == command("learn", "-q", folder)
    every = pith.Model(all_rules=True, checkpoint=tmp_path / "kept").fit(folder)
    assert every.text == command("learn", "-q", "--all", folder)
    assert len(every.rules) >= len(model.rules)
    assert (tmp_path / "kept").exists()
    text = command("score", "--format", "json", tmp_path / "model.pl", folder)
    events = [json.loads(line) for line in text.splitlines()]
    (both,) = (e for e in events if e["event"] == "ranks" and e["asked"] == "both")
    for name in ("mrr", "hits1", "hits3", "hits10", "mean_rank"):
        assert both[name] == pytest.approx(getattr(ranks, name), abs=1e-6)
    assert ranks.questions == 2 * len(held_out[1::2])
    assert ranks.object.questions == ranks.subject.questions


def test_models_say_what_is_wrong(data):
    with pytest.raises(pith.ArgumentError, match="fit"):
        pith.Model().predict("p(a,X)")
    with pytest.raises(pith.ArgumentError, match="nothing/2"):
        pith.Model(target="nothing").fit(data / "countries" / "S1.tsv")
    with pytest.raises(pith.InputError):
        pith.Model().fit({"p": [1]})
    model = pith.Model(target="locatedIn").fit(data / "countries" / "S1.tsv")
    with pytest.raises(pith.InputError):
        model.predict("locatedIn(X,Y)")
    assert model.explain("locatedIn(eritrea,X)", "atlantis") == []


# ---- parts of a closure ----


def test_a_part_of_a_closure_is_facts_like_others(tmp_path):
    """What is done with the derived facts concerns them, and not the given ones."""
    closure = pith.infer(
        "p(X,Y) :- e(X,Y), q(Y).",
        pith.Facts({"e": [(1, 2), (2, 3)], "q": [2]}, positive=["p(1,2)"]),
    )
    derived = closure.derived
    for again in (
        pickle.loads(pickle.dumps(derived)),
        pith.Facts.parse(derived.to_text()),
        pith.Facts(derived),
        derived | {},
    ):
        assert again == pith.Facts({"p": [(1, 2)]})
        assert not again.rules
        assert again.positive == []
    derived.write(tmp_path / "derived.pl")
    assert pith.Facts.read(tmp_path / "derived.pl") == derived
    assert pith.infer("r(X) :- p(X,Y), q(Y).", derived).derived.count == 0
    assert pith.infer("r(X) :- p(X,Y), q(Y).", closure).derived["r"][0] == (1,)
    assert set(closure.given | {"z": [1]}) == {"e", "q", "z"}
    assert set(closure | {"z": [1]}) == {"e", "q", "p", "z"}
    assert not (closure.given | {}).rules
    assert (closure.given | {}).positive == [pith.Atom("p", 1, 2)]
    assert pith.compress(derived).observed == 1


def test_a_name_by_itself_is_a_query():
    closure = pith.infer("p :- e(1,_).", {"e": [(1, 2), (2, 3)], "e/1": []})
    assert [str(a) for a in closure.query("e")] == ["e(1,2)", "e(2,3)"]
    assert closure.query("p") == [pith.Atom("p")]
    assert closure.query("nothing") == []
    with pytest.raises(pith.ArgumentError, match="without the negation"):
        closure.query("not e(1,X)")
    with pytest.raises(TypeError, match="an Atom or its text"):
        closure.query(3)


def test_a_comparison_that_nothing_binds():
    theory = "gold(A) :- member(A), age(A,B), B >= 40."
    proof = pith.explain("gold(ann)", theory, {"member": ["ann"]})
    assert not proof
    assert [str(atom) for atom, _ in proof.body][2] == "B >= 40"
    assert str(pith.Atom.parse("3 < X")) == "3 < X"


def test_scores_of_tables_and_slips_in_rules():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"age": [10, 20, 30], "adult": ["no", "yes", "yes"]})
    rule = "adult(A) :- age(A,B), B >= 18."
    assert pith.score(rule, frame, label="adult").accuracy == 1.0
    with pytest.raises(pith.InputError, match="no examples to score"):
        pith.score(rule, {"age": [("ann", 3)]})
    with pytest.raises(pith.InputError, match="unbalanced parenthesis"):
        pith.infer("reach(X,Y) :- edge(X,Y", {"edge": [("a", "b")]})
