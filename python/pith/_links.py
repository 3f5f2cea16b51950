"""Link prediction in the manner of PyKEEN's pipeline, as an estimator."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from . import _c, errors
from ._triples import as_graph, atoms_of, places_named, relation_name, table_rows
from .facts import Facts
from .model import Model, Ranks
from .terms import Atom, Rule, Var

REALISTIC = "realistic"
_SHARES = {"optimistic": 0.0, REALISTIC: 0.5, "pessimistic": 1.0}


class LinkPredictor(BaseEstimator):  # type: ignore[misc]
    """Predicts missing links of a graph by rules.

    ``fit`` takes triples (subject, relation, object): an array, a frame of three
    columns, or anything that `pith.Facts` takes. ``evaluate`` ranks held-out
    triples as PyKEEN's rank-based evaluator does: both sides, filtered.
    """

    def __init__(
        self,
        *,
        max_body: int | None = None,
        support: int | None = None,
        confidence: float | None = None,
        all_rules: bool = False,
        seed: int = 1,
        jobs: int = 0,
        timeout: float | None = None,
    ) -> None:
        self.max_body = max_body
        self.support = support
        self.confidence = confidence
        self.all_rules = all_rules
        self.seed = seed
        self.jobs = jobs
        self.timeout = timeout

    def fit(self, X: Any, y: Any = None, *, valid: Any = None) -> LinkPredictor:  # noqa: N803
        """Learns rules from triples; valid: held-out ones to calibrate with."""
        held_out = None if valid is None else as_graph(valid)
        model = Model(**self.get_params())
        self.model_ = model.fit(as_graph(X), held_out, progress=False)
        return self

    @property
    def rules_(self) -> Sequence[Rule]:
        """The rules, each with its confidence."""
        check_is_fitted(self)
        return self.model_.rules

    def predict(self, X: Any) -> list[Any]:  # noqa: N803
        """The likeliest object for each (subject, relation); None: no rule."""
        check_is_fitted(self)
        rows = table_rows(X, "a subject and a relation", 2)
        return [self._likeliest(i, s, r) for i, (s, r) in enumerate(rows)]

    def _likeliest(self, row: int, subject: Any, relation: Any) -> Any:
        name = relation_name(relation, row)
        _c.Handle().sym(subject, f"row {row}, column 0")
        answers = self.model_.predict(Atom(name, subject, Var("X")), 1)
        return answers[0].constant if answers else None

    def predict_proba(self, X: Any) -> Any:  # noqa: N803
        """The probability of each triple."""
        check_is_fitted(self)
        rows = table_rows(X, "a triple", 3)
        with places_named(rows):
            return np.array(self.model_.probability(atoms_of(rows)))

    def evaluate(
        self,
        X: Any,  # noqa: N803
        known: Any = None,
        *,
        ties: str = REALISTIC,
    ) -> Ranks:
        """Filtered ranks of held-out triples; known: others that are true.

        ``ties`` says where an answer stands among those that are rated alike:
        "realistic" at their mean, "optimistic" first, "pessimistic" last.
        """
        check_is_fitted(self)
        if ties not in _SHARES:
            raise errors.ArgumentError(
                f"ties is {ties!r}; expected {', '.join(_SHARES)}"
            )
        test = as_graph(X)
        beside = None if known is None else as_graph(known)
        found = self.model_.evaluate(test, beside, progress=False)
        if ties == REALISTIC:
            return found
        questions = _Questions(self.model_, test, beside)
        by_side = {
            side: [above + 1 + _SHARES[ties] * equal for above, equal in ranks]
            for side, ranks in questions.ranks().items()
        }
        return replace(
            found,
            **_figures([*by_side["object"], *by_side["subject"]]),
            object=Ranks(**_figures(by_side["object"])),
            subject=Ranks(**_figures(by_side["subject"])),
        )

    def score(self, X: Any, y: Any = None) -> float:  # noqa: N803
        """The filtered mean reciprocal rank."""
        return self.evaluate(X).mrr or 0.0


def _figures(ranks: Sequence[float]) -> dict[str, Any]:
    places = np.array(ranks, dtype=float)
    if len(places) == 0:
        nothing = ("mrr", "hits1", "hits3", "hits10", "mean_rank")
        return {"questions": 0, **dict.fromkeys(nothing)}
    hits = {f"hits{k}": float(np.mean(places <= k)) for k in (1, 3, 10)}
    return {
        "questions": len(places),
        "mrr": float(np.mean(1 / places)),
        "mean_rank": float(np.mean(places)),
        **hits,
    }


class _Questions:
    """Held-out facts as questions: how many answers are above, how many equal."""

    def __init__(self, model: Model, test: Facts, known: Facts | None) -> None:
        self.model = model
        self.test = test
        graph = model.graph
        every = [graph, test] if known is None else [graph, test, known]
        self.things: set[Any] = set()
        self.true: dict[tuple[Any, ...], set[Any]] = {}
        for relation, (s, o) in (f for facts in every for f in _binary(facts)):
            self.things |= {_typed(s), _typed(o)}
            self.true.setdefault((relation, "object", _typed(s)), set()).add(_typed(o))
            self.true.setdefault((relation, "subject", _typed(o)), set()).add(_typed(s))
        self.asked = {relation for relation, _ in _binary(graph)}

    def ranks(self) -> dict[str, list[tuple[int, int]]]:
        """For each fact and side: answers above the true one, and equal to it."""
        found: dict[str, list[tuple[int, int]]] = {"object": [], "subject": []}
        for relation, (s, o) in _binary(self.test):
            if relation in self.asked:
                found["object"].append(self._rank(relation, "object", s, o))
                found["subject"].append(self._rank(relation, "subject", o, s))
        return found

    def _rank(self, relation: str, side: str, given: Any, answer: Any) -> Any:
        hole = Var("X")
        args = (given, hole) if side == "object" else (hole, given)
        answers = self.model.predict(Atom(relation, *args), 2**62)
        ratings = {_typed(a.constant): (a.probability, a.score) for a in answers}
        true = self.true[relation, side, _typed(given)]
        others = [ratings[x] for x in ratings if x not in true]
        own = ratings.get(_typed(answer))
        if own is None:  # nothing speaks for it: below all that have a rating
            return len(others), len(self.things - true) - len(others)
        return sum(x > own for x in others), sum(x == own for x in others)


def _typed(value: Any) -> tuple[type, Any]:
    return type(value), value


def _binary(facts: Facts) -> Iterable[tuple[str, Any]]:
    for relation in facts.values():
        if relation.arity == 2:
            yield from ((relation.name, row) for row in relation)
