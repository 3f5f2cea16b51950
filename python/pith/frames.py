"""From and to what people have: data frames, networkx, rdflib.

None of these is required; each is imported where it is used.
"""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from . import _c, _calls, _columns, errors
from ._native import ffi, lib

if TYPE_CHECKING:
    from .facts import Facts, Relation

# ---- in: frames -----------------------------------------------------------


def add_frame(
    handle: _c.Handle,
    relation: str,
    frame: Any,
    columns: Sequence[str] | None = None,
    missing: str = "error",
) -> None:
    """Adds a fact of the relation for each row."""
    try:
        with _columns.batches(frame, columns) as batches:
            for batch in batches:
                chosen = batch.select(columns)
                if not chosen:
                    raise errors.InputError("a frame without columns")
                _columns.add(handle, relation, chosen, batch, missing)
    except (errors.InputError, errors.ConstantError) as error:
        raise type(error)(f"{relation}, {error}") from error


class Table:
    """A frame whose rows are things: every cell is a fact about its row."""

    def __init__(self, key: Any, label: Any, columns: Sequence[Any] | None) -> None:
        self.key = None if key is None else str(key)
        text = "" if label is None else str(label)
        self.label, _, self.wanted = text.partition("=")
        self.columns = None if columns is None else [str(c) for c in columns]
        self.labelled: list[tuple[Any, Any]] = []  # rows, and their cells

    def add(self, handle: _c.Handle, frame: Any, prefix: str) -> None:
        """Adds the facts, and the examples that a label column makes."""
        if self.key is not None and self.key in _index_names(frame):
            frame = frame.reset_index()
        with _columns.batches(frame, self._wanted()) as batches:
            for batch in batches:
                self._add_batch(handle, batch, prefix)
        if self.labelled:
            self._add_examples(handle)

    def _wanted(self) -> list[str] | None:
        if self.columns is None:
            return None
        return [*self.columns, *filter(None, (self.key, self.label))]

    def _key_column(self, batch: _columns.Batch, prefix: str) -> _columns.Column:
        if self.key is None:
            return _columns.row_names(prefix, batch.start, batch.rows)
        return batch.select([self.key])[0]

    def _add_batch(self, handle: _c.Handle, batch: _columns.Batch, prefix: str) -> None:
        key = self._key_column(batch, prefix)
        for column in batch.select(self.columns):
            if column.name in (self.key, self.label):
                continue
            flags = column.flags(batch.rows)
            chosen = [key, column]
            if flags is not None:
                chosen = [flags.bits_as_filter(key, batch.rows)]
            _columns.add(handle, column.name, chosen, batch, "skip")
        if self.label:
            self._take_labels(batch, key)

    def _take_labels(self, batch: _columns.Batch, key: _columns.Column) -> None:
        from .facts import Facts

        cells = _c.Handle()
        label = batch.select([self.label])[0]
        _columns.add(cells, "cell", [key, label], batch, "skip")
        for row, value in Facts._of(cells).get("cell", ()):
            self.labelled.append((row, value))

    def _add_examples(self, handle: _c.Handle) -> None:
        """As the command does: of yes and no, of one class, or of each class."""
        classes = {str(value): value for _, value in self.labelled}
        yes = {text for text in classes if text.lower() in _TRUE_WORDS}
        bits = all(text.lower() in _TRUE_WORDS | _FALSE_WORDS for text in classes)
        if self.wanted and self.wanted not in classes:
            raise errors.InputError(
                f"no row has {self.wanted!r} in the column {self.label!r}; "
                f"there are: {_some(classes)}"
            )
        if not self.wanted and not bits and len(classes) > _MOST_CLASSES:
            raise errors.InputError(
                f"the label {self.label!r} has more than {_MOST_CLASSES} values; "
                f"name one: label={self.label + '=' + min(classes)!r}"
            )
        with handle:
            if self.wanted or bits:
                pred = handle.pred(self.wanted or self.label, 1)
                wanted = {self.wanted} if self.wanted else yes
                for row, value in self.labelled:
                    args = [handle.sym(row)]
                    handle.add_example(pred, args, str(value) in wanted, 1.0)
                return
            pred = handle.pred(self.label, 2)
            for row, value in self.labelled:
                for text, other in classes.items():
                    args = [handle.sym(row), handle.sym(other)]
                    handle.add_example(pred, args, text == str(value), 1.0)


def _index_names(frame: Any) -> list[Any]:
    """The names of a pandas index that are not columns as well."""
    names = getattr(getattr(frame, "index", None), "names", ())
    return [n for n in names or () if n not in getattr(frame, "columns", ())]


_TRUE_WORDS = {"true", "yes", "1", "1.0", "t", "y"}
_FALSE_WORDS = {"false", "no", "0", "0.0", "f", "n"}
_MOST_CLASSES = 20


def _some(classes: Iterable[str]) -> str:
    shown = sorted(classes)
    return ", ".join(shown[:5]) + (", ..." if len(shown) > 5 else "")


# ---- in: graphs -----------------------------------------------------------


def add_networkx(
    handle: _c.Handle, graph: Any, relation: str, label: str | None
) -> None:
    """Adds edges as binary facts, and what nodes and edges carry."""
    from ._adding import Adder

    if not hasattr(graph, "is_directed"):
        raise TypeError(f"expected a networkx graph, not {type(graph).__name__}")
    adder = Adder(handle, None, "graph")
    with handle:
        for u, v, carried in graph.edges(data=True):
            name = carried.get(label, relation) if label else relation
            ends = [(u, v)] if graph.is_directed() else [(u, v), (v, u)]
            adder.add_relation(str(name), ends)
        for node, carried in graph.nodes(data=True):
            for name, value in carried.items():
                if value is True:
                    adder.add_relation(str(name), [node])
                elif value is not None and value is not False:
                    adder.add_relation(str(name), [(node, value)])


def rdf_text(graph: Any) -> str:
    """An rdflib graph as N-Triples."""
    if not hasattr(graph, "serialize"):
        raise TypeError(f"expected an rdflib graph, not {type(graph).__name__}")
    _want_rdf()
    text = graph.serialize(format="nt")
    return text if isinstance(text, str) else text.decode("utf-8")


def _want_rdf() -> None:
    info = lib.pith_format_of(lib.PITH_NTRIPLES)
    if not info.built:
        raise errors.UnsupportedError(
            "this build of pith has no serd, which reads and writes RDF; "
            "install libserd-dev and build it again"
        )


# ---- out ------------------------------------------------------------------


def stream(relation: Relation) -> Any:
    """The facts as a capsule that holds an Arrow stream."""
    import ctypes

    make = ctypes.pythonapi.PyCapsule_New
    make.restype = ctypes.py_object
    make.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    out = ffi.new("struct ArrowArrayStream **")
    with relation._handle as p:
        status = _calls.stoppable_loop(
            lib.pith_py_stream, p, relation._pred, relation._part, out
        )
    if status < 0:
        raise errors.OutOfMemoryError("no memory for the columns")
    made = out[0]
    free = int(ffi.cast("uintptr_t", ffi.addressof(lib, "pith_py_free_stream")))
    return make(int(ffi.cast("uintptr_t", made)), b"arrow_array_stream", free)


class _Stream:
    """A relation is also a sequence, which polars would look at first."""

    def __init__(self, relation: Relation) -> None:
        self.relation = relation

    def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
        return stream(self.relation)


def to_polars(relation: Relation) -> Any:
    """A polars frame."""
    import polars

    return polars.DataFrame(_Stream(relation))


def to_pandas(relation: Relation) -> Any:
    """A pandas frame: names as categories, numbers as numbers."""
    import numpy
    import pandas

    codes = numpy.frombuffer(relation.codes, dtype=numpy.uint32)
    table = codes.reshape(len(relation), relation.arity)
    columns = {}
    for i in range(relation.arity):
        used, places = _used_codes(numpy, table[:, i])
        words = [relation.constant(int(c)) for c in used]
        columns[i] = _pandas_column(pandas, numpy, words, places)
    return pandas.DataFrame(columns)


def _used_codes(numpy: Any, column: Any) -> tuple[Any, Any]:
    """The codes that occur, in order, and for each row the place of its own."""
    occurs = numpy.zeros(int(column.max(initial=0)) + 1, dtype=bool)
    occurs[column] = True
    return numpy.flatnonzero(occurs), (numpy.cumsum(occurs) - 1)[column]


def _pandas_column(pandas: Any, numpy: Any, words: list[Any], places: Any) -> Any:
    if words and all(type(w) is int and -(2**63) <= w < 2**63 for w in words):
        return numpy.array(words, dtype="int64")[places]
    if words and all(isinstance(w, (int, float)) for w in words):
        return numpy.array(words, dtype="float64")[places]
    if len(set(map(type, words))) > 1 or len(set(words)) < len(words):
        return pandas.Series([words[p] for p in places], dtype=object)
    return pandas.Categorical.from_codes(places, categories=words)


@contextlib.contextmanager
def _uncollected() -> Iterator[None]:
    """Nothing made here is garbage: a collection would walk it all in vain,
    and an interrupt would wait for it. What is made counts as old afterwards,
    or the first collection would come at once.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if gc.get_freeze_count() == 0:  # else the caller has frozen something
            gc.freeze()
            gc.unfreeze()
        if enabled:
            gc.enable()


@_uncollected()
def to_networkx(facts: Facts, relations: Iterable[str] | None) -> Any:
    """Binary facts as edges keyed by relation, unary ones as node attributes."""
    import networkx

    graph = networkx.MultiDiGraph()
    for name in facts if relations is None else relations:
        relation = facts[name]
        if relation.arity == 1:
            for (node,) in relation:
                graph.add_node(node, **{relation.name: True})
        elif relation.arity == 2:
            for u, v in relation:
                graph.add_edge(u, v, key=relation.name)
        else:
            raise errors.ArgumentError(
                f"{relation.name}/{relation.arity} has more than two places"
            )
    return graph


def to_rdflib(facts: Facts) -> Any:
    """An rdflib graph."""
    import rdflib

    _want_rdf()
    return rdflib.Graph().parse(data=facts.to_text("ntriples"), format="nt")
