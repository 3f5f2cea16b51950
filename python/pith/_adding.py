"""Facts and examples from rows of Python values, in whatever form they come."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Sized
from typing import Any

from . import _c, _columns, errors, frames
from ._values import shown
from .terms import Atom


class Adder:
    """Adds facts, or examples of one sign; ``what`` names them in messages."""

    def __init__(self, handle: _c.Handle, positive: bool | None, what: str) -> None:
        self.handle = handle
        self.positive = positive
        self.what = what
        self.syms: dict[tuple[type, Any], int] = {}

    def add(self, data: Any) -> None:
        """Adds a mapping from names to rows, or an iterable of atoms."""
        from .facts import Facts

        with self.handle:
            if isinstance(data, Facts):
                self._add_facts(data)
            elif _columns.is_frame(data):
                raise TypeError(
                    f"{self.what}: a frame needs a name, such as {{'edge': frame}}; "
                    "learn(frame, label=...) learns one of its columns; see also "
                    "Facts.from_frame and Facts.from_table"
                )
            elif isinstance(data, Mapping):
                for name, rows in list(data.items()):
                    self.add_relation(name, rows)
            else:
                for i, item in _numbered(data, self.what):
                    self._add_item(item, f"{self.what}, row {i}")

    def _add_facts(self, data: Any) -> None:
        if self.positive is None:
            self.handle.merge(data._alone()._handle)
            return
        for relation in data.values():
            self.add_relation(relation.name, relation)

    def _add_item(self, item: Any, where: str) -> None:
        if isinstance(item, str):
            item = _parsed(item, where)
        if isinstance(item, Atom):
            if item.negated or not item.is_ground:
                raise errors.InputError(f"{where}: {item} is not a fact")
            self._add_row(item.predicate, item.args, where)
            return
        if not isinstance(item, (tuple, list)) or not item:
            raise TypeError(
                f"{where}: {shown(item)} is not a fact; expected a tuple such as "
                "('edge', 'a', 'b'), an Atom, or its text"
            )
        if not isinstance(item[0], str):
            raise TypeError(
                f"{where}: the first item names the relation; it is {shown(item[0])}"
            )
        self._add_row(item[0], item[1:], where)

    def add_relation(self, name: str, rows: Any) -> None:
        """Adds the rows of one relation."""
        if not isinstance(name, str):
            raise TypeError(
                f"{self.what}: the name of a relation is a str, not {shown(name)}"
            )
        if _columns.is_frame(rows):
            self._add_frame(name, rows)
            return
        for i, row in _numbered(_pairs(rows), name):
            args = row if isinstance(row, (tuple, list)) else (row,)
            self._add_row(name, args, name, i)

    def _add_frame(self, name: str, frame: Any) -> None:
        if self.positive is None:
            frames.add_frame(self.handle, name, frame)
            return
        from .facts import Facts

        for relation in Facts.from_frame(frame, name).values():
            self.add_relation(name, list(relation))

    def _sym(self, value: Any) -> int:
        try:
            key = (type(value), value)
            sym = self.syms.get(key)
        except Exception:  # a value that cannot be hashed: sym() names its type
            return self.handle.sym(value)
        if sym is None:
            sym = self.syms[key] = self.handle.sym(value)
        return sym

    def _numbers(self, args: Sequence[Any], where: str, row: int) -> list[int]:
        try:
            return [self._sym(a) for a in args]
        except (TypeError, errors.PithError):
            place = where if row < 0 else f"{where}, row {row}"
            for i, value in enumerate(args):
                self.handle.sym(value, f"{place}, column {i}")
            raise

    def _add_row(
        self, name: str, args: Sequence[Any], where: str, row: int = -1
    ) -> None:
        syms = self._numbers(args, where, row)
        try:
            pred = self.handle.pred(name, len(args))
            if self.positive is None:
                self.handle.add_fact(pred, syms)
            else:
                self.handle.add_example(pred, syms, self.positive, 1.0)
        except (errors.InputError, errors.ArgumentError) as error:
            place = where if row < 0 else f"{where}, row {row}"
            raise type(error)(f"{place}: {error}") from error


def _parsed(text: str, where: str) -> Atom:
    try:
        return Atom.parse(text)
    except errors.InputError as error:
        raise errors.InputError(f"{where}: {error}", error.remarks) from error


def _pairs(rows: Any) -> Any:
    """Of a dict its items, and those of its lists: {"a": ["b", "c"]}."""
    if not isinstance(rows, dict):
        return rows
    found: list[tuple[Any, Any]] = []
    for key, value in list(rows.items()):
        several = isinstance(value, (list, tuple, set, frozenset))
        found += [(key, v) for v in value] if several else [(key, value)]
    return found


def _numbered(rows: Any, where: str) -> Iterator[tuple[int, Any]]:
    """Rows with their numbers; an error where they change while they are read."""
    if hasattr(rows, "nodes") and hasattr(rows, "edges"):
        raise TypeError(f"{where}: a graph; read it with Facts.from_networkx(graph)")
    if hasattr(rows, "triples"):
        raise TypeError(f"{where}: an RDF graph; read it with Facts.from_rdflib(graph)")
    if isinstance(rows, (str, bytes)) or not isinstance(rows, Iterable):
        hint = "; collect() it first" if hasattr(rows, "collect") else ""
        raise TypeError(f"{where}: expected rows, not {shown(rows)}{hint}")
    size = len(rows) if isinstance(rows, Sized) else -1
    seen = 0
    try:
        for row in rows:
            yield seen, row
            seen += 1
    except RuntimeError as error:  # sets and the like notice it themselves
        if size < 0:
            raise
        raise errors.InputError(f"{where}, row {seen}: {error}") from error
    if isinstance(rows, Sized) and not seen == size == len(rows):
        raise errors.InputError(
            f"{where}, row {min(seen, size)}: the rows changed while they were read"
        )
