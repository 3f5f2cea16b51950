"""Data frames as columns that C reads where they lie.

Three sources, none of which is imported here: what has ``__arrow_c_stream__``
(polars, pyarrow, duckdb, pandas with pyarrow), a pandas frame (by numpy's
buffers and pandas' own codes), and an array (by the buffer protocol).
"""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from . import _c, errors
from ._native import ffi, lib
from ._values import constant_text, encode

SKIP, REFUSE = "skip", "error"


class Column:
    """A column of one batch: its name, and the struct that C reads.

    ``keep`` holds what the struct points to.
    """

    __slots__ = ("keep", "name", "raw")

    def __init__(self, name: str, keep: Sequence[Any] = (), **fields: Any) -> None:
        self.name = name
        self.raw = ffi.new("pith_column *", fields)
        self.keep = list(keep)

    def bits_as_filter(self, of: Column, rows: int) -> Column:
        """The other column, with values only where this one, of flags, is true."""
        true = _bits(self.raw.values, self.raw.first, rows)
        for other in (self.raw.valid, of.raw.valid):
            if other != ffi.NULL:
                first = self.raw.first if other == self.raw.valid else of.raw.first
                true &= _bits(other, first, rows)
        first = int(of.raw.first)
        packed = (true << first).to_bytes((first + rows) // 8 + 1, "little")
        made = Column(of.name, [*self.keep, *of.keep, of.raw, packed])
        made.raw[0] = of.raw[0]
        made.raw.valid = ffi.from_buffer("uint8_t[]", packed)
        return made


def _bits(pointer: Any, first: int, rows: int) -> int:
    """A map of bits as one number."""
    data = ffi.buffer(ffi.cast("uint8_t *", pointer), (first + rows + 7) // 8)
    return int.from_bytes(data[:], "little") >> first & ((1 << rows) - 1)


class Batch:
    """Columns of equal length; ``start`` is the number of their first row."""

    __slots__ = ("columns", "rows", "start")

    def __init__(self, columns: list[Column], rows: int, start: int) -> None:
        self.columns = columns
        self.rows = rows
        self.start = start

    def select(self, names: Sequence[str] | None) -> list[Column]:
        """The columns of these names; None: all of them."""
        if names is None:
            return self.columns
        by_name = {c.name: c for c in self.columns}
        missing = [n for n in names if n not in by_name]
        if missing:
            known = ", ".join(by_name)
            raise errors.ArgumentError(
                f"there is no column {missing[0]!r}; the columns are: {known}"
            )
        return [by_name[n] for n in names]


def is_frame(data: object) -> bool:
    """Whether something is a data frame or an array."""
    return (
        hasattr(data, "__arrow_c_stream__")
        or hasattr(data, "__array_interface__")
        or _is_pandas(data)
    )


def _is_pandas(data: object) -> bool:
    return type(data).__module__.partition(".")[0] == "pandas"


@contextmanager
def batches(frame: Any) -> Iterator[Iterator[Batch]]:
    """The batches of a frame; each lives until the next is asked for."""
    if _is_pandas(frame):
        found = _pandas_batches(frame)
    elif hasattr(frame, "__arrow_c_stream__"):
        found = _arrow_batches(frame)
    elif hasattr(frame, "__array_interface__"):
        found = _array_batches(frame)
    else:
        raise TypeError(f"expected a data frame or an array, not {type(frame)}")
    try:
        yield found
    finally:
        found.close()


def add(
    handle: _c.Handle, relation: str, columns: list[Column], batch: Batch, missing: str
) -> None:
    """Adds the rows of some columns as facts of a relation."""
    if missing not in (SKIP, REFUSE):
        raise errors.ArgumentError(f"missing is {missing!r}; expected error, skip")
    raw = ffi.new("pith_column[]", [c.raw[0] for c in columns])
    bad = ffi.new("pith_place *")
    with handle as p:
        pred = handle.pred(relation, len(columns))
        status = lib.pith_fact_add_columns(
            p, pred, raw, len(columns), batch.rows, missing == SKIP, bad
        )
        if status == lib.PITH_EINPUT:
            reason = handle.last_error().partition(": ")[2]
            name = columns[bad.column].name
            raise errors.InputError(
                f"{relation}, row {batch.start + bad.row}, column {name!r}: {reason}"
            )
        handle.check(status)


# ---- texts ----------------------------------------------------------------


def text_column(name: str, texts: Sequence[str], where: str) -> dict[str, Any]:
    """Names as the bytes and offsets of a column, and what holds them."""
    data = [encode(t, f"{where}, {name!r}") for t in texts]
    offsets = array("q", [0])
    end = 0
    for text in data:
        end += len(text)
        offsets.append(end)
    joined = b"".join(data)
    held = ffi.from_buffer("char[]", joined)
    places = ffi.from_buffer("int64_t[]", offsets)
    return {
        "kind": lib.PITH_COLUMN_TEXT,
        "width": 8,
        "values": held,
        "offsets": places,
        "keep": [joined, offsets, held, places],
    }


def coded_column(name: str, codes: Any, words: Sequence[Any]) -> Column:
    """Codes into a list of values, which may be names and numbers."""
    texts = [constant_text(w, f"column {name!r}") for w in words]
    kinds = {kind for _, kind in texts}
    if kinds <= {lib.PITH_NAME}:
        fields = text_column(name, [t for t, _ in texts], "column")
        keep = fields.pop("keep")
    else:
        fields, keep = _number_words(name, words)
    dictionary = ffi.new("pith_column *", fields)
    values = ffi.from_buffer(codes)
    return Column(
        name,
        [*keep, dictionary, codes, values],
        kind=lib.PITH_COLUMN_CODE,
        width=memoryview(codes).itemsize,
        values=values,
        dictionary=dictionary,
        dictionary_rows=len(texts),
    )


def _number_words(name: str, words: Sequence[Any]) -> tuple[dict[str, Any], list[Any]]:
    """Numbers as the words of a dictionary: all whole, or all decimals."""
    plain = [w.item() if hasattr(w, "item") else w for w in words]
    if all(type(w) is int and -(2**63) <= w < 2**63 for w in plain):
        values: Any = array("q", plain)
        kind = lib.PITH_COLUMN_INT
    elif all(type(w) is float for w in plain):
        values = array("d", plain)
        kind = lib.PITH_COLUMN_REAL
    else:
        raise errors.InputError(
            f"column {name!r} mixes kinds of values ({_kinds(plain)}); make it "
            f"one kind, for example names: frame[{name!r}].astype(str)"
        )
    held = ffi.from_buffer(values)
    return {"kind": kind, "width": 8, "values": held}, [values, held]


def _kinds(values: Sequence[Any]) -> str:
    shown: dict[str, Any] = {}
    for value in values:
        shown.setdefault(type(value).__name__, value)
    return ", ".join(f"{kind} {value!r:.30}" for kind, value in shown.items())


def row_names(prefix: str, start: int, rows: int) -> Column:
    """Names for rows that have no key: row_1, row_2, ..."""
    names = [f"{prefix}_{start + i + 1}" for i in range(rows)]
    fields = text_column(prefix, names, "row")
    keep = fields.pop("keep")
    return Column("row", keep, **fields)


# ---- arrays ---------------------------------------------------------------

_ARRAY_KINDS = {
    "i": lib.PITH_COLUMN_INT,
    "u": lib.PITH_COLUMN_UINT,
    "f": lib.PITH_COLUMN_REAL,
}


def array_column(name: str, values: Any) -> Column:
    """A column of a one-dimensional numpy array, without a copy if it is dense."""
    kind, width = values.dtype.kind, values.dtype.itemsize
    if not values.flags.c_contiguous or not values.dtype.isnative:
        values = values.astype(values.dtype.newbyteorder("=")).copy()
    if kind == "b":
        return coded_column(name, values.view("i1"), ["false", "true"])
    if kind in _ARRAY_KINDS and width <= 8 and (kind != "f" or width >= 4):
        data = ffi.from_buffer(values)
        return Column(
            name,
            [values, data],
            kind=_ARRAY_KINDS[kind],
            width=width,
            values=data,
        )
    if kind == "f":
        return array_column(name, values.astype("f8"))
    return _listed_column(name, values.tolist())


def _listed_column(name: str, values: Sequence[Any]) -> Column:
    """Any values: each different one once, and codes for the rows."""
    numbers: dict[Any, int] = {}
    words: list[Any] = []
    codes = array("i")
    for row, value in enumerate(values):
        if _is_missing(value):
            codes.append(-1)
            continue
        key = _key_of(name, row, value)
        code = numbers.get(key)
        if code is None:
            code = numbers[key] = len(words)
            constant_text(value, f"row {row}, column {name!r}")
            words.append(value)
        codes.append(code)
    return coded_column(name, codes, words)


def _key_of(name: str, row: int, value: Any) -> Any:
    try:
        hash(value)
    except TypeError:
        raise TypeError(
            f"row {row}, column {name!r}: {value!r:.60} is a "
            f"{type(value).__name__}; expected a str, a number, a date or a bool"
        ) from None
    return type(value), value


def _is_missing(value: Any) -> bool:
    return value is None or value != value or type(value).__name__ == "NAType"


def _array_batches(values: Any) -> Generator[Batch, None, None]:
    import numpy

    table = numpy.asarray(values)
    if table.dtype.names is not None:
        columns = [array_column(n, table[n]) for n in table.dtype.names]
    elif table.ndim == 1:
        columns = [array_column("0", table)]
    elif table.ndim == 2:
        columns = [array_column(str(i), table[:, i]) for i in range(table.shape[1])]
    else:
        raise errors.InputError(f"an array of {table.ndim} dimensions; expected 1 or 2")
    yield Batch(columns, len(table), 0)


# ---- pandas ---------------------------------------------------------------


def _pandas_batches(frame: Any) -> Generator[Batch, None, None]:
    if type(frame).__name__ == "Series":
        frame = frame.to_frame(frame.name if frame.name is not None else "0")
    if len({str(c) for c in frame.columns}) < len(frame.columns):
        raise errors.InputError("two columns have the same name")
    rows = len(frame)
    columns = [_pandas_column(str(name), frame[name]) for name in frame.columns]
    if len(frame) != rows:
        raise errors.InputError("the frame changed while it was read")
    yield Batch(columns, rows, 0)


def _pandas_column(name: str, series: Any) -> Column:
    dtype = series.dtype
    if hasattr(dtype, "categories"):
        return coded_column(
            name, _dense(series.cat.codes.to_numpy()), list(dtype.categories)
        )
    if type(dtype).__module__.partition(".")[0] == "numpy" and dtype.kind in "iufb":
        return array_column(name, series.to_numpy())
    return _factorized(name, series)


def _factorized(name: str, series: Any) -> Column:
    """Names, dates and nullable columns: pandas finds the different ones."""
    try:
        codes, words = series.factorize()
    except TypeError:
        return _listed_column(name, list(series))
    words = list(words)
    if len({type(w) for w in words}) > 1:  # 1 and 1.0 and True are one to pandas
        return _listed_column(name, list(series))
    for row, word in _first_rows(codes, words):
        constant_text(word, f"row {row}, column {name!r}")
    return coded_column(name, _dense(codes), words)


def _first_rows(codes: Any, words: list[Any]) -> Iterator[tuple[int, Any]]:
    """Words that are not plain, with the first row of each."""
    for i, word in enumerate(words):
        if type(word) is not str:
            yield int((codes == i).argmax()), word


def _dense(values: Any) -> Any:
    return values if values.flags.c_contiguous else values.copy()


# ---- Arrow ----------------------------------------------------------------

_pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
_pointer_of.restype = ctypes.c_void_p
_pointer_of.argtypes = [ctypes.py_object, ctypes.c_char_p]

_WIDTHS = {"c": 1, "s": 2, "i": 4, "l": 8, "C": 1, "S": 2, "I": 4, "L": 8}


def _arrow_batches(frame: Any) -> Generator[Batch, None, None]:
    capsule = frame.__arrow_c_stream__()
    address = _pointer_of(capsule, b"arrow_array_stream")
    stream = ffi.cast("struct ArrowArrayStream *", address)
    schema = ffi.new("struct ArrowSchema *")
    _arrow_check(stream, stream.get_schema(stream, schema))
    try:
        start = 0
        while True:
            array_ = ffi.new("struct ArrowArray *")
            _arrow_check(stream, stream.get_next(stream, array_))
            if array_.release == ffi.NULL:
                break
            try:
                batch = _arrow_batch(schema, array_, start)
                start += batch.rows
                yield batch
            finally:
                array_.release(array_)
    finally:
        schema.release(schema)
        del capsule


def _arrow_check(stream: Any, code: int) -> None:
    if code != 0:
        text = stream.get_last_error(stream)
        reason = ffi.string(text).decode() if text != ffi.NULL else f"error {code}"
        raise errors.InputError(f"the frame cannot be read: {reason}")


def _arrow_batch(schema: Any, data: Any, start: int) -> Batch:
    rows = int(data.length)
    if ffi.string(schema.format) != b"+s":  # one column by itself
        return Batch([_arrow_column("0", schema, data, rows)], rows, start)
    columns = []
    for i in range(schema.n_children):
        child = schema.children[i]
        name = ffi.string(child.name).decode("utf-8", "replace")
        columns.append(
            _arrow_column(name, child, data.children[i], rows, int(data.offset))
        )
    return Batch(columns, rows, start)


def _arrow_column(
    name: str, schema: Any, data: Any, rows: int, offset: int = 0
) -> Column:
    fields = _arrow_fields(name, schema, data)
    if fields is None:
        return _arrow_dates(name, schema, data, rows, offset)
    keep = []
    if schema.dictionary != ffi.NULL:
        words = _arrow_fields(name, schema.dictionary, data.dictionary)
        if words is None:
            raise _unknown(name, schema.dictionary)
        dictionary = ffi.new("pith_column *", words)
        keep.append(dictionary)
        fields["kind"] = lib.PITH_COLUMN_CODE
        fields["dictionary"] = dictionary
        fields["dictionary_rows"] = int(data.dictionary.length)
    fields["first"] = int(data.offset) + offset
    return Column(name, keep, **fields)


def _arrow_fields(name: str, schema: Any, data: Any) -> dict[str, Any] | None:
    """The fields of a column by its format; None: a date."""
    format = ffi.string(schema.format).decode()
    buffers = data.buffers
    fields: dict[str, Any] = {"first": int(data.offset)}
    if data.n_buffers > 0 and data.null_count != 0:
        fields["valid"] = ffi.cast("uint8_t *", buffers[0])
    if format in "cCsSiIlL":
        signed = format.islower()
        fields["kind"] = lib.PITH_COLUMN_INT if signed else lib.PITH_COLUMN_UINT
        fields.update(width=_WIDTHS[format], values=buffers[1])
    elif format in ("f", "g"):
        width = 4 if format == "f" else 8
        fields.update(kind=lib.PITH_COLUMN_REAL, width=width, values=buffers[1])
    elif format == "b":
        fields.update(kind=lib.PITH_COLUMN_BOOL, values=buffers[1])
    elif format in ("u", "U"):
        width = 4 if format == "u" else 8
        fields.update(kind=lib.PITH_COLUMN_TEXT, width=width)
        fields.update(offsets=buffers[1], values=buffers[2])
    elif format == "vu":
        fields.update(kind=lib.PITH_COLUMN_VIEW, values=buffers[1])
        fields["buffers"] = ffi.cast("void **", buffers + 2)
    elif format == "n":
        fields.update(kind=lib.PITH_COLUMN_REAL, width=8)
        raise errors.InputError(f"column {name!r} holds nothing; leave it out")
    elif format[:2] in ("td", "ts"):
        return None
    else:
        raise _unknown(name, schema)
    return fields


def _unknown(name: str, schema: Any) -> TypeError:
    format = ffi.string(schema.format).decode()
    return TypeError(
        f"column {name!r} is of the Arrow type {format!r}; "
        "expected numbers, flags, strings or dates"
    )


_DAY = {"tdD": 1, "tdm": 86_400_000}
_SECOND = {"s": 1, "m": 1000, "u": 1_000_000, "n": 1_000_000_000}


def _arrow_dates(name: str, schema: Any, data: Any, rows: int, offset: int) -> Column:
    """Dates and times as their ISO names."""
    from datetime import date, datetime, timedelta

    format = ffi.string(schema.format).decode()
    kind = "int32_t[]" if format == "tdD" else "int64_t[]"
    first = int(data.offset) + offset
    size = 4 if format == "tdD" else 8
    raw = ffi.buffer(ffi.cast("char *", data.buffers[1]) + first * size, rows * size)
    values = ffi.from_buffer(kind, raw)
    valid = data.buffers[0] if data.null_count != 0 else ffi.NULL
    here = _bits(valid, first, rows) if valid != ffi.NULL else -1
    words: list[Any] = []
    for row in range(rows):
        if not here >> row & 1:
            words.append(None)
        elif format in _DAY:
            words.append(date(1970, 1, 1) + timedelta(days=values[row] // _DAY[format]))
        else:
            unit = _SECOND[format[2]]
            seconds, part = divmod(values[row], unit)
            moment = datetime(1970, 1, 1) + timedelta(seconds=seconds)
            words.append(moment + timedelta(microseconds=part * 1_000_000 // unit))
    return _listed_column(name, words)
