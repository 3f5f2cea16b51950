"""Columns by the Arrow C data interface: polars, pyarrow, duckdb, pandas' strings."""

from __future__ import annotations

import ctypes
from collections.abc import Generator, Sequence
from datetime import date, datetime, timedelta, timezone, tzinfo
from typing import Any, Callable
from zoneinfo import ZoneInfo

from . import errors
from ._columns import (
    Batch,
    Column,
    bits_of,
    listed_column,
    refuse_repeated,
    wanted_places,
)
from ._native import ffi, lib

_pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
_pointer_of.restype = ctypes.c_void_p
_pointer_of.argtypes = [ctypes.py_object, ctypes.c_char_p]

_WIDTHS = {"c": 1, "s": 2, "i": 4, "l": 8, "C": 1, "S": 2, "I": 4, "L": 8}


def batches(
    frame: Any, wanted: Sequence[str] | None = None
) -> Generator[Batch, None, None]:
    """The batches of a frame; wanted: the columns that will be asked for."""
    if wanted is not None and type(frame).__module__.partition(".")[0] == "polars":
        names = frame.columns
        frame = frame.select([names[i] for i in wanted_places(names, wanted)])
    capsule = frame.__arrow_c_stream__()
    address = _pointer_of(capsule, b"arrow_array_stream")
    stream = ffi.cast("struct ArrowArrayStream *", address)
    schema = ffi.new("struct ArrowSchema *")
    _check(stream, stream.get_schema(stream, schema))
    try:
        if ffi.string(schema.format) == b"+s" and schema.n_children == 0:
            raise errors.InputError("a frame without columns")
        chosen = _chosen_columns(schema, wanted)
        start = 0
        while True:
            array_ = ffi.new("struct ArrowArray *")
            _check(stream, stream.get_next(stream, array_))
            if array_.release == ffi.NULL:
                break
            try:
                batch = _batch(schema, chosen, array_, start)
                start += batch.rows
                yield batch
            finally:
                array_.release(array_)
    finally:
        schema.release(schema)
        del capsule


def array_column(name: str, values: Any) -> Column:
    """A column of a pyarrow array, which may lie in chunks."""
    if getattr(values, "num_chunks", 1) != 1:
        values = values.combine_chunks()
    if hasattr(values, "chunk"):
        values = values.chunk(0)
    capsules = values.__arrow_c_array__()
    schema, data = (
        ffi.cast(f"struct {kind} *", _pointer_of(capsule, label))
        for kind, capsule, label in zip(
            ("ArrowSchema", "ArrowArray"), capsules, (b"arrow_schema", b"arrow_array")
        )
    )
    column = _column(name, schema, data, int(data.length))
    column.keep.append(capsules)
    return column


def array_batches(values: Any) -> Generator[Batch, None, None]:
    """An array by itself is a frame of one column."""
    column = array_column("0", values)
    yield Batch([column], len(values), 0)


def _check(stream: Any, code: int) -> None:
    if code != 0:
        text = stream.get_last_error(stream)
        reason = ffi.string(text).decode() if text != ffi.NULL else f"error {code}"
        raise errors.InputError(f"the frame cannot be read: {reason}")


def _chosen_columns(
    schema: Any, wanted: Sequence[str] | None
) -> list[tuple[int, str]] | None:
    """Number and name of the columns to read; None: one column by itself.

    Types that we do not read are refused before the first batch is asked for:
    polars 1 ends the process when it should hand out a column of objects.
    """
    if ffi.string(schema.format) != b"+s":
        _check_format("0", schema)
        return None
    children = [schema.children[i] for i in range(schema.n_children)]
    names = [ffi.string(c.name).decode("utf-8", "replace") for c in children]
    refuse_repeated(names)
    chosen = [(i, names[i]) for i in wanted_places(names, wanted)]
    for i, name in chosen:
        _check_format(name, children[i])
    return chosen


def _check_format(name: str, schema: Any) -> None:
    format = ffi.string(schema.format).decode()
    dated = format[:2] in ("td", "ts")
    if not dated and format != "vu" and format not in tuple("cCsSiIlLfgbuUn"):
        raise _unknown(name, schema)


def _batch(
    schema: Any, chosen: list[tuple[int, str]] | None, data: Any, start: int
) -> Batch:
    rows, offset = int(data.length), int(data.offset)
    if chosen is None:
        return Batch([_column("0", schema, data, rows)], rows, start)
    columns = [
        _column(name, schema.children[i], data.children[i], rows, offset)
        for i, name in chosen
    ]
    return Batch(columns, rows, start)


def _column(name: str, schema: Any, data: Any, rows: int, offset: int = 0) -> Column:
    fields = _fields(name, schema, data)
    if fields is None:
        return _dates(name, schema, data, rows, offset)
    keep = []
    if schema.dictionary != ffi.NULL:
        words = _fields(name, schema.dictionary, data.dictionary)
        if words is None:
            raise _unknown(name, schema.dictionary)
        dictionary = ffi.new("pith_column *", words)
        keep.append(dictionary)
        fields["kind"] = lib.PITH_COLUMN_CODE
        fields["dictionary"] = dictionary
        fields["dictionary_rows"] = int(data.dictionary.length)
    fields["first"] = int(data.offset) + offset
    return Column(name, keep, **fields)


def _fields(name: str, schema: Any, data: Any) -> dict[str, Any] | None:
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
        if data.length > 0:
            raise errors.InputError(f"column {name!r} holds nothing; leave it out")
        fields.update(kind=lib.PITH_COLUMN_REAL, width=8)
    elif format[:2] in ("td", "ts"):
        return None
    else:
        raise _unknown(name, schema)
    return fields


_OTHERS = (
    ("z", "binary"), ("Z", "binary"), ("vz", "binary"), ("w:", "object or binary"),
    ("d:", "decimal"), ("e", "half-precision"), ("tD", "duration"), ("tt", "time"),
    ("+l", "list"), ("+L", "list"), ("+v", "list"), ("+w", "array"), ("+s", "struct"),
)  # fmt: skip


def _unknown(name: str, schema: Any) -> errors.ConstantError:
    format = ffi.string(schema.format).decode()
    known = next((word for sign, word in _OTHERS if format.startswith(sign)), "other")
    return errors.ConstantError(
        f"column {name!r} holds {known} values (Arrow's type {format!r}); "
        "expected numbers, flags, strings or dates"
    )


_DAY = {"tdD": 1, "tdm": 86_400_000}
_SECOND = {"s": 1, "m": 1000, "u": 1_000_000, "n": 1_000_000_000}


def _dates(name: str, schema: Any, data: Any, rows: int, offset: int) -> Column:
    """Dates and times as their ISO names."""
    format = ffi.string(schema.format).decode()
    kind = "int32_t[]" if format == "tdD" else "int64_t[]"
    first = int(data.offset) + offset
    size = 4 if format == "tdD" else 8
    raw = ffi.buffer(ffi.cast("char *", data.buffers[1]) + first * size, rows * size)
    values = ffi.from_buffer(kind, raw)
    valid = data.buffers[0] if data.null_count != 0 else ffi.NULL
    here = b"\xff" * (rows // 8 + 1)
    if valid != ffi.NULL:
        here = bits_of(valid, first, rows).to_bytes(rows // 8 + 1, "little")
    written = _writer(name, format)
    words: list[Any] = []
    for row in range(rows):
        if not here[row // 8] >> row % 8 & 1:
            words.append(None)
            continue
        try:
            words.append(written(values[row]))
        except (OverflowError, ValueError):
            raise errors.InputError(
                f"row {row}, column {name!r}: a time out of range; expected years 1 "
                "to 9999"
            ) from None
    return listed_column(name, words)


def _writer(name: str, format: str) -> Callable[[int], str]:
    """What writes a number of Arrow's as a date, or as a time in its zone."""
    if format in _DAY:
        unit = _DAY[format]
        return lambda value: (
            date(1970, 1, 1) + timedelta(days=value // unit)
        ).isoformat()
    unit = _SECOND[format[2]]
    zone = _zone(name, format.partition(":")[2])
    start = datetime(1970, 1, 1, tzinfo=timezone.utc)

    def write(value: int) -> str:
        seconds, part = divmod(value, unit)
        micro, nano = divmod(part * 1_000_000_000 // unit, 1000)
        moment = start + timedelta(seconds=seconds, microseconds=micro)
        local = moment.replace(tzinfo=None) if zone is None else moment.astimezone(zone)
        if not nano:
            return local.isoformat()
        text = local.isoformat(timespec="microseconds")
        return f"{text[:26]}{nano:03}{text[26:]}"

    return write


def _zone(name: str, text: str) -> tzinfo | None:
    """A zone by its name or as an offset such as +01:00; "": none."""
    if not text:
        return None
    try:
        if text[0] in "+-":
            sign = -1 if text[0] == "-" else 1
            hours, minutes = int(text[1:3]), int(text[-2:])
            return timezone(sign * timedelta(hours=hours, minutes=minutes))
        return timezone.utc if text == "UTC" else ZoneInfo(text)
    except (KeyError, ValueError, OSError):
        raise errors.InputError(
            f"column {name!r}: no time zone is called {text!r} here; expected one that "
            "zoneinfo knows (pip install tzdata)"
        ) from None
