"""Rules as scikit-learn estimators.

>>> from sklearn.datasets import load_iris
>>> from pith.sklearn import RuleClassifier
>>> iris = load_iris(as_frame=True)
>>> model = RuleClassifier().fit(iris.data, iris.target_names[iris.target])
>>> print(model.rules_["setosa"])
setosa(A) :- 'petal length (cm)'(A,B), B =< 2.
>>> model.score(iris.data, iris.target_names[iris.target]) > 0.9
True
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import Any, Callable

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from . import _c, _columns
from ._links import LinkPredictor
from ._values import is_missing, shown
from .facts import Facts
from .learning import Learned, learn
from .logic import Proof, explain
from .terms import Atom, Rule, Var

__all__ = ["LinkPredictor", "RuleClassifier"]


# ---- columns --------------------------------------------------------------


class _Columns:
    """The columns of a table by name.

    A column holds floats, NaN where a value is missing, or else the constants
    that its facts have, with None for a missing one.
    """

    def __init__(self, names: list[str], values: list[Any]) -> None:
        self.names = names
        self.values = dict(zip(names, values))
        self.rows = len(values[0]) if values else 0

    def facts(self, rows: Iterable[int] | None = None, typed: bool = True) -> Facts:
        """A fact ``column(row, value)`` for each cell; typed: columns do not mix."""
        chosen = slice(None) if rows is None else list(rows)
        handle = _c.Handle()
        for name, values in self.values.items():
            column = _columns.array_column(name, np.ascontiguousarray(values[chosen]))
            count = len(values[chosen])
            batch = _columns.Batch([column], count, 0)
            key = _columns.row_names("row", 0, count)
            _columns.add(handle, name, [key, column], batch, "skip")
        if typed and self.values:
            types = [
                f"type({_quoted(n)},(row,v{i}))." for i, n in enumerate(self.names)
            ]
            handle.read_text("types", "\n".join(types), {"format": "bias"})
        return Facts._of(handle)


def _constants(name: str, column: Any) -> Any:
    """The cells as rules see them: a flag is a name, a date its ISO name."""
    handle = _c.Handle()
    cells = _columns.array_column(name, np.ascontiguousarray(column))
    batch = _columns.Batch([cells], len(column), 0)
    rows = _columns.row_names("row", 0, len(column))
    _columns.add(handle, name, [rows, cells], batch, "skip")
    found: Any = np.full(len(column), None, dtype=object)
    for row, value in Facts._of(handle).get(name, ()):
        found[int(str(row).partition("_")[2]) - 1] = value
    return found


def _present(values: Any) -> Any:
    """Where a column has a value."""
    if values.dtype.kind == "f":
        return ~np.isnan(values)
    nothing: Any = None
    return np.not_equal(values, nothing).astype(bool)


def _quoted(name: str) -> str:
    escaped = name.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n")
    return f"'{escaped}'"


def _is_table(x: Any) -> bool:
    return hasattr(x, "columns") and hasattr(x, "__getitem__")


def _categories(x: Any) -> bool:
    """Whether a frame has columns that are not numbers."""
    return _is_table(x) and any(
        np.asarray(x[name]).dtype.kind not in "iufb" for name in x.columns
    )


def _first_odd_cell(x: Any) -> str:
    """Where a table has a number that is not finite, for a message."""
    try:
        table = np.asarray(x, dtype=float)
        row, column = np.argwhere(~np.isfinite(table))[0]
    except (TypeError, ValueError, IndexError):
        return ""
    name = str(x.columns[column]) if _is_table(x) else int(column)
    return f"\nThe first one: row {row}, column {name!r}"


def _labels(y: Any) -> Any:
    """The classes of the rows, each one of the same kind."""
    if y is None:
        raise ValueError("requires y to be passed, but the target y is None")
    if not hasattr(y, "dtype") or np.asarray(y).dtype.kind == "O":
        _check_labels(list(y if hasattr(y, "__iter__") else np.asarray(y)))
    labels = np.asarray(y)
    if labels.ndim == 2 and labels.shape[1] == 1:
        from sklearn.utils.validation import column_or_1d

        labels = column_or_1d(labels, warn=True)
    check_classification_targets(labels)
    return labels


def _check_labels(labels: list[Any]) -> None:
    first = next((x for x in labels if isinstance(x, str)), None)
    for row, label in enumerate(labels):
        if first is not None and is_missing(label):
            raise ValueError(f"y, row {row}: a missing label; drop the row")
        if first is not None and not isinstance(label, str):
            raise ValueError(
                f"y, row {row}: {shown(label)} is a {type(label).__name__}, but "
                f"{shown(first)} is a str; labels are of one kind"
            )
        if label is None:
            raise ValueError(f"y, row {row}: a missing label; drop the row")


def _order_of(values: Any) -> tuple[Any, Any]:
    """What constants are in pith's order, number, date or none, and their place."""
    if isinstance(values, np.ndarray) and values.dtype.kind == "f":
        return np.where(np.isnan(values), 0, _c.lib.PITH_ORDER_NUMBER), values
    cells = np.atleast_1d(np.asarray(values, dtype=object))
    handle, place = _c.Handle(), _c.ffi.new("double *")
    known: dict[Any, tuple[int, float]] = {None: (0, math.nan)}
    with handle as p:
        for cell in set(cells) - {None}:
            kind = _c.lib.pith_sym_order(p, handle.sym(cell), place)
            known[cell] = int(kind), float(place[0])
    kinds, places = zip(*(known[cell] for cell in cells))
    return np.array(kinds), np.array(places)


def _compare(operator: str, left: Any, right: Any) -> Any:
    """A flag for each row; as pith compares, a missing value fits nothing."""
    compared = _OPERATORS[operator]
    if operator in ("=", "\\="):
        there = [_present(np.asarray(x)) for x in (left, right) if np.ndim(x)]
        return np.logical_and.reduce([compared(left, right).astype(bool), *there])
    (kind, place), (other_kind, other_place) = _order_of(left), _order_of(right)
    return (kind == other_kind) & (kind != 0) & compared(place, other_place)


_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "<": np.less,
    "=<": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
    "=:=": np.equal,
    "=\\=": np.not_equal,
    "=": np.equal,
    "\\=": np.not_equal,
}


class _SeveralRowsError(Exception):
    """A rule that speaks of several rows at once."""


class _Matcher:
    """Which rows the body of a rule holds for, all rows at once.

    A rule may say that a value occurs in some row; then that is a row of the
    training data, so that a prediction depends on its own row alone.
    """

    def __init__(self, rule: Rule, table: _Columns, training: _Columns) -> None:
        (row,) = rule.head.args
        if not isinstance(row, Var):
            raise _SeveralRowsError
        self.row = row
        self.table = table
        self.training = training
        self.bound: dict[Var, Any] = {}
        self.rule = rule

    def holds(self) -> Any:
        """A flag for each row."""
        found: Any = np.ones(self.table.rows, dtype=bool)
        for atom in sorted(self.rule.body, key=self._order):
            flags = self._atom(atom)
            found &= ~flags if atom.negated else flags
        return found

    def _order(self, atom: Atom) -> tuple[bool, ...]:
        """Atoms about the row itself bind; comparisons and the others look."""
        own = bool(atom.args) and atom.args[0] == self.row
        return (not own, atom.negated, atom.predicate in _OPERATORS)

    def _atom(self, atom: Atom) -> Any:
        if atom.predicate in _OPERATORS:
            left, right = (self._value(a) for a in atom.args)
            return _compare(atom.predicate, left, right)
        if atom.predicate not in self.table.values or atom.arity != 2:
            raise _SeveralRowsError
        if atom.args[0] == self.row:
            return self._own(atom)
        return self._elsewhere(atom)

    def _own(self, atom: Atom) -> Any:
        values, term = self.table.values[atom.predicate], atom.args[1]
        if not isinstance(term, Var):
            return values == term
        present = _present(values)
        if term in self.bound:
            return present & (values == self.bound[term])
        if not atom.negated:
            self.bound[term] = values
        return present

    def _elsewhere(self, atom: Atom) -> Any:
        other, term = atom.args
        uses = sum(other in a.args for a in self.rule.body)
        if not isinstance(other, Var) or uses > 1:
            raise _SeveralRowsError
        known = set(self.training.values[atom.predicate]) - {None}
        values = np.broadcast_to(self._value(term), self.table.rows)
        return np.array([value in known for value in values], dtype=bool)

    def _value(self, term: Any) -> Any:
        if isinstance(term, Var):
            if term not in self.bound:
                raise _SeveralRowsError
            return self.bound[term]
        return term


# ---- the classifier -------------------------------------------------------


class RuleClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Learns a short theory for each class.

    A column becomes a relation of rows and values; thresholds and categories
    come from the language of rules. ``rules_`` has the theory of each class
    (with two classes, of the second alone); a row that no rule covers is of the
    class that was most frequent among such rows in training. ``noise`` "on"
    weighs errors against the length of the rules; ``across`` lets rules compare
    the values of different columns; the others are those of `pith.learn`. There
    are no sample weights: rules count rows, so repeat a row that counts more.
    """

    def __init__(
        self,
        *,
        noise: str = "on",
        max_body: int | None = None,
        max_rules: int | None = None,
        across: bool = False,
        seed: int = 1,
        jobs: int = 0,
        timeout: float | None = None,
    ) -> None:
        self.noise = noise
        self.across = across
        self.max_body = max_body
        self.max_rules = max_rules
        self.seed = seed
        self.jobs = jobs
        self.timeout = timeout

    # ---- input ----

    def _table(self, x: Any, reset: bool) -> _Columns:
        if _categories(x):
            return self._frame(x, reset)
        from sklearn.utils.validation import validate_data

        try:
            data: Any = validate_data(self, x, reset=reset, dtype="numeric")
        except ValueError as error:
            raise ValueError(f"{error}{_first_odd_cell(x)}") from error
        data = data.astype(float)
        names = [f"x{i}" for i in range(data.shape[1])]
        if hasattr(self, "feature_names_in_"):
            names = [str(n) for n in self.feature_names_in_]
        return _Columns(names, [data[:, i] for i in range(data.shape[1])])

    def _frame(self, x: Any, reset: bool) -> _Columns:
        names = [str(n) for n in x.columns]
        _columns.refuse_repeated(names)
        if reset:
            self.feature_names_in_ = np.array(names, dtype=object)
            self.n_features_in_ = len(names)
        elif list(self.feature_names_in_) != names:
            raise ValueError(
                f"the columns are {names}; expected {self.feature_names_in_}"
            )
        values = []
        for name in x.columns:
            column = np.asarray(x[name])
            numbers = column.dtype.kind in "iuf"
            values.append(
                column.astype(float) if numbers else _constants(str(name), column)
            )
        return _Columns(names, values)

    # ---- learning ----

    def fit(self, X: Any, y: Any) -> RuleClassifier:  # noqa: N803
        """Learns from the rows of a frame or an array, and their classes."""
        table = self._table(X, reset=True)
        labels = _labels(y)
        if len(labels) != table.rows:
            raise ValueError(f"{table.rows} rows, but {len(labels)} labels")
        self.classes_, codes = np.unique(labels, return_inverse=True)
        self._training = table
        self._facts = table.facts(typed=not self.across)
        self._names = [_predicate(c) for c in self.classes_]
        taught = range(len(self.classes_)) if len(self.classes_) > 2 else [1]
        self._taught = [k for k in taught if k < len(self.classes_)]
        self.rules_ = {
            self.classes_[k]: self._learn(self._names[k], codes == k)
            for k in self._taught
        }
        self._rest = {k: self._uncovered(k, codes == k) for k in self._taught}
        return self

    def _learn(self, name: str, members: Any) -> Learned:
        rows = [f"row_{i + 1}" for i in range(len(members))]
        return learn(
            self._facts,
            positive={name: [r for r, m in zip(rows, members) if m]},
            negative={name: [r for r, m in zip(rows, members) if not m]},
            noise=self.noise,
            constants="on",
            max_invented=0,
            max_body=self.max_body,
            max_rules=self.max_rules,
            seed=self.seed,
            jobs=self.jobs,
            timeout=self.timeout,
            progress=False,
        )

    def _uncovered(self, k: int, members: Any) -> float:
        """The share of the class among rows that no rule of it covers."""
        left = members[self._confidence(k, self._training) < 0]
        return float((left.sum() + 1) / (len(left) + 2))

    # ---- predicting ----

    def _confidence(self, k: int, table: _Columns) -> Any:
        """The confidence of the strongest rule for each row; -1: none fires."""
        best = np.full(table.rows, -1.0)
        for rule in self.rules_[self.classes_[k]]:
            sure = ((rule.support or 0) + 1) / ((rule.predictions or 0) + 2)
            fires = self._fires(rule, table)
            best[fires] = np.maximum(best[fires], sure)
        return best

    def _fires(self, rule: Rule, table: _Columns) -> Any:
        try:
            return _Matcher(rule, table, self._training).holds()
        except _SeveralRowsError:
            return np.array(
                [self._fires_alone(rule, table, i) for i in range(table.rows)]
            )

    def _fires_alone(self, rule: Rule, table: _Columns, row: int) -> bool:
        """Exactly, by inference on the training data and one more row."""
        name = f"row_{self._training.rows + 1}"
        own = {column: [(name, values[row])] for column, values in table.values.items()}
        facts = self._facts | Facts(own)
        return bool(explain(Atom(rule.head.predicate, name), [rule], facts))

    def predict_proba(self, X: Any) -> Any:  # noqa: N803
        """The probability of each class for each row."""
        check_is_fitted(self)
        table = self._table(X, reset=False)
        if len(self.classes_) == 1:
            return np.ones((table.rows, 1))
        shares = np.zeros((table.rows, len(self.classes_)))
        for k in self._taught:
            sure = self._confidence(k, table)
            shares[:, k] = np.where(sure < 0, self._rest[k], sure)
        if len(self.classes_) == 2:
            shares[:, 0] = 1 - shares[:, 1]
        return shares / shares.sum(axis=1, keepdims=True)

    def predict(self, X: Any) -> Any:  # noqa: N803
        """The likeliest class of each row."""
        check_is_fitted(self)
        return self.classes_[np.argmax(self.predict_proba(X), axis=1)]

    def explain(self, X: Any, label: Any = None) -> list[Proof]:  # noqa: N803
        """Why each row is of a class, the predicted one unless told: a proof.

        A proof that is false says which rule comes nearest.
        """
        check_is_fitted(self)
        table = self._table(X, reset=False)
        wanted = self.predict(X) if label is None else np.full(table.rows, label)
        return [self._explain(table, i, wanted[i]) for i in range(table.rows)]

    def _explain(self, table: _Columns, row: int, label: Any) -> Proof:
        known = np.flatnonzero(self.classes_ == label)
        if len(known) == 0:
            raise ValueError(
                f"{shown(label)} is not a class; the classes are: "
                f"{', '.join(map(str, self.classes_))}"
            )
        k = int(known[0])
        rules: Iterable[Rule] = self.rules_.get(label, ())
        return explain(Atom(self._names[k], "row_1"), rules, table.facts([row]))

    @property
    def conditions_(self) -> int:
        """How many conditions all rules have together."""
        return sum(_conditions(r) for t in self.rules_.values() for r in t)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = False
        return tags


def _conditions(rule: Rule) -> int:
    """Comparisons, and atoms that say more than that a column has a value."""
    compared = {v for a in rule.body if a.predicate in _OPERATORS for v in a.variables}
    return sum(
        1
        for a in rule.body
        if a.predicate in _OPERATORS
        or a.arity != 2
        or not isinstance(a.args[1], Var)
        or a.args[1] not in compared
    )


def _predicate(label: Any) -> str:
    text = str(label)
    return text if re.fullmatch(r"[a-z]\w*", text) else f"class_{text}"
