"""The nouns: variables, constants, atoms, rules.

A constant is a Python value: a ``str`` is a name, an ``int`` or ``float`` a
number, a `Compound` a ground term such as ``f(x,2)``. A `Var` stands for any
constant within one rule.

>>> from pith import Atom, Rule, Var
>>> X, Y = Var("X"), Var("Y")
>>> rule = Rule(Atom("child", X, Y), [Atom("parent", Y, X)])
>>> print(rule)
child(X,Y) :- parent(Y,X).
>>> rule == Rule.parse("child(A,B) :- parent(B,A).")
True
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Union

__all__ = ["Atom", "Compound", "Constant", "Rule", "Term", "Var"]


class Compound(str):
    """A ground compound term as one constant: ``Compound("f(x,2)")``."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"Compound({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Compound) and str(self) == str(other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((Compound, str(self)))

    def __str__(self) -> str:
        return str.__str__(self)


@dataclass(frozen=True)
class Var:
    """A variable of a rule."""

    name: str

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not re.fullmatch(r"[A-Z_]\w*", self.name):
            raise ValueError(
                f"a variable starts with a capital or _, not {self.name!r}"
            )

    def __str__(self) -> str:
        return self.name


Constant = Union[str, int, float, Decimal, Compound]
Term = Union[Constant, Var]


class Atom:
    """A predicate with its terms: ``Atom("edge", "a", Var("X"))``.

    >>> Atom.parse("edge(a,X)")
    Atom('edge', 'a', Var(name='X'))
    """

    __slots__ = ("args", "negated", "predicate")

    predicate: str
    args: tuple[Term, ...]
    negated: bool

    def __init__(self, predicate: str, *args: Any, negated: bool = False) -> None:
        if not isinstance(predicate, str):
            raise TypeError(f"the name of a predicate is a str, not {predicate!r}")
        for i, arg in enumerate(args):
            if type(arg) not in _PLAIN:
                _check_constant(arg, f"{predicate}, argument {i + 1}")
        object.__setattr__(self, "predicate", predicate)
        object.__setattr__(self, "args", args)
        object.__setattr__(self, "negated", bool(negated))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("an Atom does not change")

    @classmethod
    def parse(cls, text: str) -> Atom:
        """Reads an atom; variables are allowed."""
        from . import _text

        return _text.parse_atom(text)

    @property
    def arity(self) -> int:
        """How many arguments it has."""
        return len(self.args)

    @property
    def variables(self) -> tuple[Var, ...]:
        """Its variables, each once, in their order."""
        return tuple(dict.fromkeys(a for a in self.args if isinstance(a, Var)))

    @property
    def is_ground(self) -> bool:
        """Whether it has no variables."""
        return not self.variables

    def __invert__(self) -> Atom:
        return Atom(self.predicate, *self.args, negated=not self.negated)

    def _key(self) -> tuple[Any, ...]:
        return (self.predicate, self.negated, tuple(map(_constant_key, self.args)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Atom) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        parts = [repr(a) for a in (self.predicate, *self.args)]
        if self.negated:
            parts.append("negated=True")
        return f"Atom({', '.join(parts)})"

    def __str__(self) -> str:
        from . import _text

        return _text.print_atom(self)

    def __reduce__(self) -> Any:
        return _make_atom, (self.predicate, self.args, self.negated)


def _make_atom(predicate: str, args: tuple[Term, ...], negated: bool) -> Atom:
    return Atom(predicate, *args, negated=negated)


_PLAIN = frozenset((str, int, float, bool, Decimal, Compound, Var))


def _check_constant(value: object, where: str) -> None:
    from ._values import constant_text

    if not isinstance(value, Var):
        constant_text(value, where)


def _constant_key(term: Term) -> Any:
    """Python takes 1 and 1.0, and True and 1, for equal; pith does not."""
    if isinstance(term, (bool, int, float, Decimal)):
        decimal = isinstance(term, (float, Decimal))
        return (type(term) is bool, decimal, float(term) if decimal else term)
    return term


class Rule:
    """A head and a body, and how the rule fares where that is known.

    ``support`` of its ``predictions`` were observed, which makes its
    ``confidence``; that of further ones lies between ``confidence_low`` and
    ``confidence_high`` with a probability of 0.95. ``probability`` is the one
    in ``0.8::head :- body.`` All are None where they are not known.

    Two rules are equal when they are the same up to the names of variables.
    """

    __slots__ = (
        "_text",
        "body",
        "confidence",
        "head",
        "head_coverage",
        "pca_confidence",
        "predictions",
        "probability",
        "similarity",
        "support",
        "weight",
    )

    head: Atom
    body: tuple[Atom, ...]
    probability: float | None
    support: int | None
    predictions: int | None
    confidence: float | None
    pca_confidence: float | None
    head_coverage: float | None
    similarity: float | None
    weight: float | None
    _text: str | None

    def __init__(
        self,
        head: Atom,
        body: Iterable[Atom] = (),
        *,
        probability: float | None = None,
        support: int | None = None,
        predictions: int | None = None,
        confidence: float | None = None,
        pca_confidence: float | None = None,
        head_coverage: float | None = None,
        similarity: float | None = None,
        weight: float | None = None,
        text: str | None = None,
    ) -> None:
        body = tuple(body)
        for atom in (head, *body):
            if not isinstance(atom, Atom):
                raise TypeError(f"a rule is made of Atoms, not {atom!r}")
        figures = {
            "head": head,
            "body": body,
            "probability": probability,
            "support": support,
            "predictions": predictions,
            "confidence": confidence,
            "pca_confidence": pca_confidence,
            "head_coverage": head_coverage,
            "similarity": similarity,
            "weight": weight,
            "_text": text,
        }
        for name, value in figures.items():
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a Rule does not change")

    @classmethod
    def parse(cls, text: str) -> Rule:
        """Reads one rule."""
        from .theory import Theory

        theory = Theory.parse(text if text.rstrip().endswith(".") else text + ".")
        if len(theory) != 1:
            raise ValueError(f"expected one rule, not {len(theory)}")
        return theory[0]

    @property
    def is_fact(self) -> bool:
        """Whether it has neither a body nor variables."""
        return not self.body and self.head.is_ground

    @property
    def conditions(self) -> int:
        """How many atoms its body has."""
        return len(self.body)

    @property
    def predicates(self) -> frozenset[tuple[str, int]]:
        """Name and arity of every predicate in it."""
        return frozenset((a.predicate, a.arity) for a in (self.head, *self.body))

    @property
    def confidence_low(self) -> float | None:
        """The lower end of the credible interval of the confidence."""
        return self._interval(0)

    @property
    def confidence_high(self) -> float | None:
        """The upper end of the credible interval of the confidence."""
        return self._interval(1)

    def _interval(self, end: int) -> float | None:
        from . import _calls

        if not self.predictions or self.support is None:
            return None
        return _calls.interval(self.support, self.predictions)[end]

    def _key(self) -> tuple[Any, ...]:
        """The same for rules that differ in the names of variables alone."""
        numbers: dict[Var, int] = {}

        def term_key(term: Term) -> Any:
            if isinstance(term, Var):
                return ("variable", numbers.setdefault(term, len(numbers)))
            return _constant_key(term)

        atoms = tuple(
            (a.predicate, a.negated, tuple(map(term_key, a.args)))
            for a in (self.head, *self.body)
        )
        given = self.probability
        known = given is not None and not math.isnan(given)
        return atoms, (given if known else None)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rule) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __str__(self) -> str:
        if self._text is None:
            from . import _text

            object.__setattr__(self, "_text", _text.print_rule(self))
        return str(self._text)

    def __repr__(self) -> str:
        return f"Rule.parse({str(self)!r})"

    def _repr_html_(self) -> str:
        from . import _html

        return _html.theory_html([self])

    def __reduce__(self) -> Any:
        return _make_rule, (tuple(getattr(self, name) for name in self.__slots__),)


def _make_rule(values: tuple[Any, ...]) -> Rule:
    given = dict(zip(Rule.__slots__, values))
    text = given.pop("_text")
    return Rule(given.pop("head"), given.pop("body"), text=text, **given)
