"""A theory: a sequence of rules.

>>> import pith
>>> theory = pith.Theory.parse("reach(X,Y) :- edge(X,Y).")
>>> theory |= [pith.Rule.parse("reach(X,Y) :- edge(X,Z), reach(Z,Y)")]
>>> print(theory)
reach(X,Y) :- edge(X,Y).
reach(X,Y) :- edge(X,Z), reach(Z,Y).
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Union, overload

from . import _c, _values
from .terms import Atom, Rule

__all__ = ["Theory", "TheoryLike"]


class Theory(Sequence[Rule]):
    """Rules in an order, none twice.

    A theory is also a set: ``|``, ``&``, ``-``, ``<=`` and ``in`` compare rules
    up to the names of variables. Two theories are equal when they have the same
    rules, in whatever order. A rule without body and variables is a fact.
    """

    __slots__ = ("_rules",)

    def __init__(self, rules: Iterable[Rule | str] = ()) -> None:
        if isinstance(rules, str):
            raise TypeError("expected rules; for a text: Theory.parse(text)")
        parsed = (Rule.parse(r) if isinstance(r, str) else r for r in rules)
        unique: dict[Rule, None] = {}
        for rule in parsed:
            if not isinstance(rule, Rule):
                raise TypeError(f"a theory is made of Rules, not {rule!r}")
            unique.setdefault(rule)
        self._rules = tuple(unique)

    @classmethod
    def parse(cls, text: str) -> Theory:
        """Reads rules and facts as Prolog writes them."""
        if not text.strip():
            return Theory()
        handle = _c.Handle()
        handle.read_text("text", text, {"format": "prolog"})
        return Theory(_rules_and_facts(handle))

    @classmethod
    def read(cls, path: str | os.PathLike[str], format: str | None = None) -> Theory:
        """Reads the rules and facts of a file."""
        handle = _c.Handle()
        handle.read(os.fspath(path), {"format": format})
        return Theory(_rules_and_facts(handle))

    def write(self, path: str | os.PathLike[str], format: str = "prolog") -> None:
        """Writes a file that reads back to the same theory."""
        handle = _c.Handle()
        self.add_to(handle)
        number = _c.format_number(format)
        with handle:
            handle.write_file(
                os.fspath(path), lambda p, o: _c.lib.pith_write(p, number, o)
            )

    def add_to(self, handle: _c.Handle) -> None:
        """Adds the rules to a handle."""
        with handle:
            for rule in self._rules:
                handle.add_rule(rule)

    @property
    def predicates(self) -> frozenset[tuple[str, int]]:
        """Name and arity of every predicate in it."""
        return frozenset().union(*(r.predicates for r in self._rules))

    @property
    def conditions(self) -> int:
        """How many atoms all bodies have together."""
        return sum(r.conditions for r in self._rules)

    # ---- sequence ----

    def __len__(self) -> int:
        return len(self._rules)

    @overload
    def __getitem__(self, index: int) -> Rule: ...
    @overload
    def __getitem__(self, index: slice) -> Theory: ...
    def __getitem__(self, index: int | slice) -> Rule | Theory:
        if isinstance(index, slice):
            return Theory(self._rules[index])
        return self._rules[index]

    def __iter__(self) -> Iterator[Rule]:
        return iter(self._rules)

    def __contains__(self, rule: object) -> bool:
        if isinstance(rule, str):
            rule = Rule.parse(rule)
        return rule in self._rules

    # ---- set ----

    def __or__(self, other: Iterable[Rule]) -> Theory:
        return Theory((*self._rules, *other))

    def __and__(self, other: Iterable[Rule]) -> Theory:
        both = set(other)
        return Theory(r for r in self._rules if r in both)

    def __sub__(self, other: Iterable[Rule]) -> Theory:
        without = set(other)
        return Theory(r for r in self._rules if r not in without)

    def __le__(self, other: Theory) -> bool:
        return set(self._rules) <= set(other)

    def __lt__(self, other: Theory) -> bool:
        return set(self._rules) < set(other)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Theory) and set(self._rules) == set(other._rules)

    def __hash__(self) -> int:
        return hash(frozenset(self._rules))

    # ---- text ----

    def __str__(self) -> str:
        return "\n".join(map(str, self._rules))

    def __repr__(self) -> str:
        size = _values.counted(len(self), "rule")
        return f"<{type(self).__name__} of {size}>\n{self}"

    def _repr_html_(self) -> str:
        from . import _html

        return _html.theory_html(self)

    def __reduce__(self) -> Any:
        return Theory, (self._rules,)


TheoryLike = Union[Theory, Iterable[Union[Rule, str]], str, "os.PathLike[str]"]


def _is_program(text: str) -> bool:
    """Whether a text is rules, perhaps with a slip in them, or else a path."""
    return "\n" in text or ":-" in text or text.rstrip().endswith(".")


def as_theory(theory: TheoryLike) -> Theory:
    """A theory, its rules, or the path of its file."""
    if isinstance(theory, Theory):
        return theory
    if isinstance(theory, str) and _is_program(theory):
        return Theory.parse(theory)
    if isinstance(theory, (str, os.PathLike)):
        return Theory.read(theory)
    if not isinstance(theory, Iterable):
        raise TypeError(f"expected rules or the path of their file, not {theory!r}")
    return Theory(theory)


def _rules_and_facts(handle: _c.Handle) -> Iterator[Rule]:
    with handle:
        for name, arity, pred in handle.relations(_c.GIVEN):
            rows = handle.rows(pred, _c.GIVEN)
            numbers = memoryview(rows).cast("B").cast("I")
            for i in range(handle.count(pred, _c.GIVEN)):
                args = [
                    handle.constant(s) for s in numbers[i * arity : (i + 1) * arity]
                ]
                yield Rule(Atom(name, *args))
        yield from handle.rules()
