"""Facts: a collection of relations, and perhaps examples.

>>> import pith
>>> facts = pith.Facts({"edge": [("a", "b"), ("b", "c")], "start": ["a"]})
>>> facts
<Facts: edge/2 2, start/1 1>
>>> list(facts["edge"])
[('a', 'b'), ('b', 'c')]
>>> ("edge", "a", "b") in facts
True
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Union, overload

from . import _c, _columns, _values, errors, frames
from ._adding import Adder
from .terms import Atom, Constant
from .theory import Theory

__all__ = ["Facts", "FactsLike", "Relation"]

Row = tuple[Constant, ...]
PathLike = Union[str, "os.PathLike[str]"]
FactsLike = Union["Facts", Mapping[str, Any], Iterable[Any], PathLike]


class Relation(Sequence[Row]):
    """The facts of one predicate, each a tuple of its arguments."""

    __slots__ = ("_buffer", "_constants", "_handle", "_part", "_pred", "arity", "name")

    def __init__(self, handle: _c.Handle, name: str, arity: int, part: int) -> None:
        self._handle = handle
        self._part = part
        self.name = name
        self.arity = arity
        with handle:
            self._pred = handle.find_pred(name, arity)
        self._buffer: Any = None
        self._constants: dict[int, Constant] = {}

    @property
    def codes(self) -> memoryview:
        """The numbers of the constants, row by row, 32 bits each."""
        if self._buffer is None:
            with self._handle:
                self._buffer = self._handle.rows(self._pred, self._part)
        return memoryview(self._buffer).cast("B").cast("I")

    def constant(self, code: int) -> Constant:
        """The constant of a number."""
        known = self._constants.get(code)
        if known is None:
            with self._handle:
                known = self._handle.constant(code)
            self._constants[code] = known
        return known

    def __len__(self) -> int:
        with self._handle:
            return self._handle.count(self._pred, self._part)

    def _row(self, i: int) -> Row:
        codes = self.codes[i * self.arity : (i + 1) * self.arity]
        return tuple(map(self.constant, codes))

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> list[Row]: ...
    def __getitem__(self, index: int | slice) -> Row | list[Row]:
        if isinstance(index, slice):
            return [self._row(i) for i in range(*index.indices(len(self)))]
        i = index + len(self) if index < 0 else index
        if not 0 <= i < len(self):
            raise IndexError(f"row {index} of {len(self)}")
        return self._row(i)

    def __iter__(self) -> Iterator[Row]:
        for i in range(len(self)):
            yield self._row(i)

    def __contains__(self, row: object) -> bool:
        args = row if isinstance(row, tuple) else (row,)
        if len(args) != self.arity:
            return False
        with self._handle as p:
            try:
                syms = [self._handle.find_sym(a) for a in args]
            except errors.PithError:  # what cannot be a constant is in no fact
                return False
            if _c.NONE in syms or not self._handle.holds(self._pred, syms):
                return False
            if self._part == _c.ALL:
                return True
            given = self._handle.count(self._pred, _c.DERIVED) == 0
            del p
        return (self._part == _c.GIVEN) if given else row in set(self)

    def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
        """The facts by the Arrow C data interface: duckdb, pyarrow, polars."""
        return frames.stream(self)

    def to_pandas(self) -> Any:
        """A pandas frame: names as categories, numbers as numbers."""
        return frames.to_pandas(self)

    def to_polars(self) -> Any:
        """A polars frame, of the columns without another copy."""
        return frames.to_polars(self)

    def __reduce__(self) -> Any:
        alone = Facts({self.name: list(self)})
        return _restore_relation, (alone, self.name, self.arity)

    def __repr__(self) -> str:
        size = _values.counted(len(self), "fact")
        return f"<Relation {self.name}/{self.arity}: {size}>"

    def _repr_html_(self) -> str:
        from . import _html

        return _html.relation_html(self)


class Facts(Mapping[str, Relation]):
    """Relations by name, and what else a task has: examples, rules, templates.

    ``data`` is a mapping from names of relations to their rows or to a data
    frame, or an iterable
    of `Atom` objects, of texts such as ``"edge(a,b)"``, or of tuples whose first
    item is the name. ``positive`` and ``negative`` are examples, in the same
    forms. Facts do not change once they are made; ``|`` joins them.

    A relation is found as ``facts["edge"]``; where two of one name differ in
    their number of arguments, as ``facts["edge/2"]``.
    """

    __slots__ = ("_handle", "_part", "_view")

    def __init__(
        self,
        data: Mapping[str, Any] | Iterable[Any] = (),
        *,
        positive: Mapping[str, Any] | Iterable[Any] = (),
        negative: Mapping[str, Any] | Iterable[Any] = (),
    ) -> None:
        self._handle = _c.Handle()
        self._part = _c.GIVEN
        self._view = False
        if isinstance(data, str):
            raise TypeError(
                "expected facts; for a file: Facts.read(path), "
                "for a text: Facts.parse(text)"
            )
        Adder(self._handle, None, "facts").add(data)
        Adder(self._handle, True, "positive").add(positive)
        Adder(self._handle, False, "negative").add(negative)

    @classmethod
    def _of(cls, handle: _c.Handle, part: int = _c.GIVEN, view: bool = False) -> Facts:
        self = Facts.__new__(Facts)
        self._handle = handle
        self._part = part
        self._view = view
        return self

    def _alone(self) -> Facts:
        """These facts as all that a handle has: a part of a closure's is copied."""
        if not self._view:
            return self
        handle = _c.Handle()
        handle.merge(self._handle, self._part)
        return Facts._of(handle)

    @classmethod
    def read(
        cls,
        *paths: PathLike,
        format: str | None = None,
        relation: str | None = None,
        key: str | None = None,
        columns: str | Sequence[str] | None = None,
        label: str | None = None,
        header: bool | None = None,
    ) -> Facts:
        """Reads files or folders, in any format that the command reads.

        Of a table, ``key`` is the column that names the rows, ``columns`` are
        those to read, and ``label`` is the one to learn: its cells become
        examples.
        """
        handle = _c.Handle()
        options = {
            "format": format,
            "relation": relation,
            "key": key,
            "columns": columns,
            "label": label,
            "header": header,
        }
        for path in paths:
            handle.read(os.fspath(path), options)
        return cls._of(handle)

    @classmethod
    def parse(cls, text: str, format: str | None = None, name: str = "text") -> Facts:
        """Reads a text: Prolog unless it looks like another format."""
        handle = _c.Handle()
        if text.strip():
            handle.read_text(name, text, {"format": format})
        return cls._of(handle)

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        relation: str,
        *,
        columns: Sequence[str] | None = None,
        missing: str = "error",
    ) -> Facts:
        """A fact ``relation(a, b, ...)`` for each row of a frame or an array.

        Frames are read where they lie: polars, pyarrow and others by the Arrow
        C data interface, pandas and numpy by their buffers. A row with a missing
        value is an error, or left out with ``missing="skip"``.
        """
        handle = _c.Handle()
        frames.add_frame(handle, relation, frame, columns, missing)
        return cls._of(handle)

    @classmethod
    def from_table(
        cls,
        frame: Any,
        *,
        key: Any = None,
        label: Any = None,
        columns: Sequence[Any] | None = None,
        row: str = "row",
    ) -> Facts:
        """A fact ``column(key, value)`` for each cell of a frame.

        ``key`` is the column that names the rows; without one they are called
        ``row_1``, ``row_2`` and so on. A column of flags becomes a unary
        relation of the rows that say true. ``label`` is the column to learn: its
        cells become examples ``label(row)`` of yes and no, or ``label(row,
        class)`` of up to 20 classes; ``"risk=high"`` is one class against the
        others. A missing value says nothing.
        """
        handle = _c.Handle()
        frames.Table(key, label, columns).add(handle, frame, row)
        return cls._of(handle)

    @classmethod
    def from_triples(cls, triples: Any) -> Facts:
        """Facts of (subject, relation, object): rows, an array or a frame.

        >>> import pith
        >>> pith.Facts.from_triples([("ann", "knows", "bob"), ("bob", "knows", "cid")])
        <Facts: knows/2 2>
        """
        from . import _triples

        rows = _triples.table_rows(triples, "a triple", 3)
        with _triples.places_named(rows):
            return cls(_triples.atoms_of(rows))

    @classmethod
    def from_networkx(
        cls, graph: Any, *, relation: str = "edge", label: str | None = None
    ) -> Facts:
        """The edges of a graph, and the attributes of its nodes.

        ``label`` is the attribute of an edge that names its relation. An edge
        without direction is two facts.
        """
        handle = _c.Handle()
        frames.add_networkx(handle, graph, relation, label)
        return cls._of(handle)

    @classmethod
    def from_rdflib(cls, graph: Any) -> Facts:
        """The triples of an rdflib graph."""
        return cls.parse(frames.rdf_text(graph), "ntriples")

    def to_networkx(self, relations: Iterable[str] | None = None) -> Any:
        """A MultiDiGraph: binary facts as edges, unary ones as attributes."""
        return frames.to_networkx(self, relations)

    def to_rdflib(self) -> Any:
        """An rdflib graph of the unary and binary facts."""
        return frames.to_rdflib(self)

    def write(self, path: PathLike, format: str = "prolog") -> None:
        """Writes a file; it appears whole or not at all."""
        number = _c.format_number(format)
        handle = self._alone()._handle
        with handle:
            handle.write_file(
                os.fspath(path), lambda p, o: _c.lib.pith_write(p, number, o)
            )

    def to_text(self, format: str = "prolog") -> str:
        """Facts, rules and examples as text."""
        handle = self._alone()._handle
        with handle:
            return handle.text(format)

    # ---- what else is there ----

    @property
    def positive(self) -> list[Atom]:
        """The examples that hold."""
        return self._examples(True)

    @property
    def negative(self) -> list[Atom]:
        """The examples that do not hold."""
        return self._examples(False)

    def _examples(self, sign: bool) -> list[Atom]:
        with self._handle:
            found = self._handle.examples()
            return [atom for atom, positive, _ in found if positive == sign]

    @property
    def rules(self) -> Theory:
        """The rules that were read with the facts."""
        with self._handle:
            return Theory(self._handle.rules())

    @property
    def constants(self) -> list[Constant]:
        """Every constant of the facts, in the order of their first use."""
        codes: dict[int, None] = {}
        for relation in self.values():
            codes.update(dict.fromkeys(relation.codes))
        with self._handle:
            return [self._handle.constant(c) for c in sorted(codes)]

    # ---- mapping ----

    def _named(self) -> dict[str, tuple[str, int]]:
        """The relations by their keys."""
        with self._handle:
            found = self._handle.relations(self._part)
        several = [name for name, _, _ in found]
        return {
            (name if several.count(name) == 1 else f"{name}/{arity}"): (name, arity)
            for name, arity, _ in found
        }

    def __getitem__(self, key: str) -> Relation:
        named = self._named()
        if key not in named and "/" in key:
            name, _, arity = key.rpartition("/")
            if arity.isdigit() and (name, int(arity)) in named.values():
                return Relation(self._handle, name, int(arity), self._part)
        if key not in named:
            known = ", ".join(named) or "none"
            raise KeyError(f"{key}; the relations are: {known}")
        return Relation(self._handle, *named[key], self._part)

    def __iter__(self) -> Iterator[str]:
        return iter(self._named())

    def __len__(self) -> int:
        return len(self._named())

    @property
    def count(self) -> int:
        """How many facts there are."""
        with self._handle:
            return self._handle.count(_c.NONE, self._part)

    def atoms(self) -> Iterator[Atom]:
        """Every fact as an `Atom`."""
        for relation in self.values():
            for row in relation:
                yield Atom(relation.name, *row)

    def __contains__(self, fact: object) -> bool:
        if isinstance(fact, str):
            if "(" not in fact:
                return fact in self._named()
            fact = Atom.parse(fact)
        if isinstance(fact, Atom):
            fact = (fact.predicate, *fact.args)
        if not isinstance(fact, tuple) or not fact or not isinstance(fact[0], str):
            return False
        try:
            return fact[1:] in self[f"{fact[0]}/{len(fact) - 1}"]
        except KeyError:
            return False

    def __or__(self, other: Facts | Mapping[str, Any]) -> Facts:
        if not isinstance(other, Mapping):
            return NotImplemented
        handle = self._alone()._handle.copy()
        handle.merge(as_facts(other)._handle)
        return Facts._of(handle)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Facts):
            return NotImplemented
        mine, theirs = self._named(), other._named()
        return set(mine) == set(theirs) and all(
            set(map(_typed, self[k])) == set(map(_typed, other[k])) for k in mine
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        parts = [f"{r.name}/{r.arity} {len(r)}" for r in self.values()]
        with self._handle:
            examples = self._handle.example_count()
        if examples:
            parts.append(_values.counted(examples, "example"))
        return f"<Facts: {', '.join(parts) or 'none'}>"

    def _repr_html_(self) -> str:
        from . import _html

        return _html.facts_html(self)

    # ---- pickling ----

    def __reduce__(self) -> Any:
        return _restore, (_state(self._alone()._handle),)


def _typed(row: Row) -> tuple[Any, ...]:
    return tuple((type(a), a) for a in row)


def as_facts(data: FactsLike) -> Facts:
    """Facts, or what they can be made of, or the path of a file."""
    if isinstance(data, Facts):
        return data._alone()
    if isinstance(data, (str, os.PathLike)):
        return Facts.read(data)
    return Facts(data)


def as_world(
    data: FactsLike, key: Any, label: Any, columns: Sequence[Any] | None
) -> Facts:
    """Facts; of a frame or a table's file those that the columns make."""
    if key is None and label is None and columns is None:
        return as_facts(data)
    if isinstance(data, (str, os.PathLike)):
        return Facts.read(data, key=key, label=label, columns=columns)
    if _columns.is_frame(data):
        return Facts.from_table(data, key=key, label=label, columns=columns)
    raise TypeError(
        "label, key and columns are for a data frame or the file of a table, not "
        f"for {type(data).__name__}; give positive= and negative="
    )


# ---- pickling -------------------------------------------------------------


def _state(handle: _c.Handle) -> dict[str, Any]:
    """Everything in a handle, by the numbers it has there."""
    with handle as p:
        lib = _c.lib
        syms = [
            (_values.text_of(lib.pith_sym_text(p, i)), int(lib.pith_sym_kind_of(p, i)))
            for i in range(lib.pith_sym_count(p))
        ]
        preds = [handle.pred_name(i) for i in range(lib.pith_pred_count(p))]
        facts = {
            pred: (handle.count(pred, _c.GIVEN), bytes(handle.rows(pred, _c.GIVEN)))
            for _, _, pred in handle.relations(_c.GIVEN)
        }
        return {
            "version": _c.version(),
            "syms": syms,
            "preds": preds,
            "facts": facts,
            "examples": list(handle.examples()),
            "rules": handle.rules(),
            "templates": handle.text("templates"),
            "bias": handle.text("bias"),
        }


def _restore_relation(facts: Facts, name: str, arity: int) -> Relation:
    return Relation(facts._handle, name, arity, _c.GIVEN)


def _restore(state: dict[str, Any]) -> Facts:
    handle = _c.Handle()
    with handle:
        for text, kind in state["syms"]:
            handle.sym(_values.constant_value(text, kind))
        for name, arity in state["preds"]:
            handle.pred(name, arity)
        for pred, (count, rows) in state["facts"].items():
            handle.add_rows(pred, rows, count)
        for atom, positive, weight in state["examples"]:
            syms = [handle.sym(a) for a in atom.args]
            pred = handle.pred(atom.predicate, atom.arity)
            handle.add_example(pred, syms, positive, weight)
        for rule in state["rules"]:
            handle.add_rule(rule)
        for part in ("templates", "bias"):
            if state[part]:
                handle.read_text(part, state[part], {"format": part})
    return Facts._of(handle)
