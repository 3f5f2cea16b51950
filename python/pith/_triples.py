"""Triples (subject, relation, object), in whatever form they come."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from numbers import Integral
from typing import TYPE_CHECKING, Any

from . import _c, errors
from ._values import constant_text, shown
from .terms import Compound

if TYPE_CHECKING:
    from .facts import Facts, FactsLike


def table_rows(data: Any, what: str, width: int) -> list[tuple[Any, ...]]:
    """Rows of a frame, an array or a list, each of the width that is wanted."""
    found: Iterable[Any] = data
    if hasattr(data, "itertuples"):
        found = data.itertuples(index=False, name=None)
    elif hasattr(data, "__array_interface__"):
        found = data.tolist()
    elif callable(getattr(data, "rows", None)):
        found = data.rows()
    rows = []
    for i, row in enumerate(found):
        if isinstance(row, str) or not hasattr(row, "__len__"):
            raise TypeError(f"row {i} is {row!r}; expected {what}")
        if len(row) != width:
            raise ValueError(f"row {i} has {len(row)} columns; expected {what}")
        rows.append(tuple(row))
    return rows


def as_graph(data: FactsLike | Any) -> Facts:
    """The facts of triples, or of anything that facts are made of."""
    from .facts import Facts, as_facts

    if isinstance(data, (Facts, Mapping, str)) or hasattr(data, "__fspath__"):
        return as_facts(data)
    return Facts.from_triples(data)


def atoms_of(triples: Iterable[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """(relation, subject, object) of each."""
    return [(relation_name(r, i), s, o) for i, (s, r, o) in enumerate(triples)]


@contextmanager
def places_named(triples: Iterable[tuple[Any, ...]]) -> Iterator[None]:
    """Makes an error about a value name its place in the triples."""
    try:
        yield
    except (errors.InputError, errors.ArgumentError, errors.ConstantError):
        handle = _c.Handle()
        for row, (s, r, o) in enumerate(triples):
            for column, value in enumerate((s, relation_name(r, row), o)):
                handle.sym(value, f"row {row}, column {column}")
        raise


def relation_name(value: Any, row: int) -> str:
    """The name of a relation, which may be a number."""
    known = isinstance(value, (str, Integral))
    if known and not isinstance(value, (bool, Compound)):
        return constant_text(value, f"row {row}, column 1")[0]
    raise errors.ConstantError(
        f"row {row}, column 1: {shown(value)} is a {type(value).__name__}; "
        "expected the name of a relation"
    )
