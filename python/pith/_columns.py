"""Data frames as columns that C reads where they lie.

Three sources, none of which is imported here: what has ``__arrow_c_stream__``
(`_arrow`), a pandas frame (by numpy's buffers, pandas' own codes, and Arrow's
columns of strings), and an array (by the buffer protocol).
"""

from __future__ import annotations

from array import array
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Callable

from . import _c, _calls, errors
from ._native import ffi, lib
from ._values import constant_text, encode, is_missing, not_a_constant, shown

SKIP, REFUSE = "skip", "error"


class Column:
    """A column of one batch: its name, and the struct that C reads.

    ``keep`` holds what the struct points to. Of a column of flags that are
    codes, ``true_codes`` are those that say true.
    """

    __slots__ = ("keep", "name", "raw", "true_codes")

    def __init__(self, name: str, keep: Sequence[Any] = (), **fields: Any) -> None:
        self.name = name
        self.raw = ffi.new("pith_column *", fields)
        self.keep = list(keep)
        self.true_codes: frozenset[int] | None = None

    def flags(self, rows: int) -> Column | None:
        """The column as a map of bits; None: it is not one of flags."""
        if self.raw.kind == lib.PITH_COLUMN_BOOL:
            return self
        if self.true_codes is None:
            return None
        kind = f"int{8 * self.raw.width}_t *"
        codes = ffi.unpack(ffi.cast(kind, self.raw.values), rows)
        digits = ["1" if code in self.true_codes else "0" for code in reversed(codes)]
        number = int("".join(digits) or "0", 2)
        packed = number.to_bytes(rows // 8 + 1, "little")
        return Column(
            self.name,
            [packed],
            kind=lib.PITH_COLUMN_BOOL,
            values=ffi.from_buffer(packed),
        )

    def bits_as_filter(self, of: Column, rows: int) -> Column:
        """The other column, with values only where this one, of flags, is true."""
        true = bits_of(self.raw.values, self.raw.first, rows)
        for other in (self.raw.valid, of.raw.valid):
            if other != ffi.NULL:
                first = self.raw.first if other == self.raw.valid else of.raw.first
                true &= bits_of(other, first, rows)
        first = int(of.raw.first)
        packed = (true << first).to_bytes((first + rows) // 8 + 1, "little")
        made = Column(of.name, [*self.keep, *of.keep, of.raw, packed])
        made.raw[0] = of.raw[0]
        made.raw.valid = ffi.from_buffer("uint8_t[]", packed)
        return made


def bits_of(pointer: Any, first: int, rows: int) -> int:
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
        or hasattr(data, "__arrow_c_array__")
        or hasattr(data, "__array_interface__")
        or _is_pandas(data)
    )


def _is_pandas(data: object) -> bool:
    return type(data).__module__.partition(".")[0] == "pandas"


@contextmanager
def batches(
    frame: Any, wanted: Sequence[str] | None = None
) -> Iterator[Iterator[Batch]]:
    """The batches of a frame; each lives until the next is asked for.

    wanted: the columns that will be asked for; what others hold does not matter.
    """
    if _is_pandas(frame):
        found = _pandas_batches(frame, wanted)
    elif hasattr(frame, "__arrow_c_stream__"):
        from . import _arrow

        found = _arrow.batches(frame, wanted)
    elif hasattr(frame, "__arrow_c_array__"):
        from . import _arrow

        found = _arrow.array_batches(frame)
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
        status = handle.stoppable(
            lib.pith_fact_add_columns, p, pred, raw, len(columns), batch.rows,
            missing == SKIP, bad,
        )  # fmt: skip
        if status == lib.PITH_EINPUT:
            reason = handle.last_error().partition(": ")[2]
            name = columns[bad.column].name
            raise errors.InputError(
                f"row {batch.start + bad.row}, column {name!r}: {reason}"
            )
        handle.check(status)


# ---- texts ----------------------------------------------------------------


def text_column(texts: Sequence[str], place: Callable[[int], str]) -> dict[str, Any]:
    """Names as the bytes and offsets of a column, and what holds them.

    place: where the text of a number stands, for a message.
    """
    data = []
    offsets = array("q", [0])
    end = 0
    for i, text in enumerate(texts):
        try:
            data.append(text.encode("utf-8"))
        except UnicodeEncodeError:
            encode(text, place(i))
        end += len(data[-1])
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
    """Codes into a list of values: names, whole numbers, or decimals."""

    def place(word: int) -> str:
        row = _first_row(codes, word)
        column = f"column {name!r}"
        return column if row is None else f"row {row}, {column}"

    texts = [_word_text(w, i, place) for i, w in enumerate(words)]
    if all(kind == lib.PITH_NAME for _, kind in texts):
        fields = text_column([t for t, _ in texts], place)
        keep = fields.pop("keep")
    else:
        fields, keep = _number_words(name, words, place)
    dictionary = ffi.new("pith_column *", fields)
    values = ffi.from_buffer(codes)
    made = Column(
        name,
        [*keep, dictionary, codes, values],
        kind=lib.PITH_COLUMN_CODE,
        width=memoryview(codes).itemsize,
        values=values,
        dictionary=dictionary,
        dictionary_rows=len(texts),
    )
    if words and all(type(w).__name__ in ("bool", "bool_") for w in words):
        made.true_codes = frozenset(i for i, w in enumerate(words) if w)
    return made


def _word_text(word: Any, i: int, place: Callable[[int], str]) -> tuple[str, int]:
    if type(word) is str:
        return word, lib.PITH_NAME
    try:
        return constant_text(word, "")
    except errors.PithError:  # now the place is worth looking for
        return constant_text(word, place(i))


def _first_row(codes: Any, word: int) -> int | None:
    """The first row that has a word; None: no row has it."""
    for row, code in enumerate(memoryview(codes)):
        if code == word:
            return row
    return None


def _number_words(
    name: str, words: Sequence[Any], place: Callable[[int], str]
) -> tuple[dict[str, Any], list[Any]]:
    """Numbers as the words of a dictionary: all whole, or all decimals."""
    plain = [w.item() if hasattr(w, "item") else w for w in words]
    first = plain[0]
    for i, value in enumerate(plain):
        if type(value) is not type(first):
            raise errors.InputError(
                f"{place(i)}: {shown(value)} is a {type(value).__name__}, but "
                f"{shown(first)} is a {type(first).__name__}; a column mixes no kinds "
                f"of values; make it names, for example: frame[{name!r}].astype(str)"
            )
    low = -(2**63) if type(first) is int and min(plain) < 0 else 0
    for i, value in enumerate(plain):
        if type(value) not in (int, float):
            raise errors.InputError(
                f"{place(i)}: a {type(value).__name__} in a frame; make the column "
                f"float or names, for example: frame[{name!r}].astype(float)"
            )
        if isinstance(value, int) and not low <= value < low + 2**64:
            raise errors.InputError(
                f"{place(i)}: {shown(value)} does not fit into 64 bits; "
                "give rows instead of a frame: frame.itertuples(index=False)"
            )
    if type(first) is not int:
        letter, kind = "d", lib.PITH_COLUMN_REAL
    elif max(plain) < 2**63:
        letter, kind = "q", lib.PITH_COLUMN_INT
    else:
        letter, kind = "Q", lib.PITH_COLUMN_UINT
    values: Any = array(letter, plain)
    held = ffi.from_buffer(values)
    return {"kind": kind, "width": 8, "values": held}, [values, held]


def row_names(prefix: str, start: int, rows: int) -> Column:
    """Names for rows that have no key: row_1, row_2, ..."""
    names = [f"{prefix}_{start + i + 1}" for i in range(rows)]
    fields = text_column(names, lambda i: f"row {start + i}")
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
        return coded_column(name, values.view("i1"), [False, True])
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
    if kind == "O":
        return object_column(name, values)
    return listed_column(name, values.tolist())


def object_column(name: str, values: Any) -> Column:
    """An array of objects: each different object once, whatever it is equal to.

    A frame as a rule holds few objects many times; telling them apart by their
    addresses takes no look at them. If they are many, equal ones are found.
    """
    from numpy import empty, isin

    values = _dense(values)
    most = len(values) // 4 + 1000
    codes: Any = empty(len(values), "int32")
    first: Any = empty(most, "int64")
    count = _calls.stoppable_loop(
        lib.pith_py_number_objects,
        ffi.cast("void **", values.ctypes.data), len(values), most,
        ffi.from_buffer("int32_t[]", codes), ffi.from_buffer("int64_t[]", first),
    )  # fmt: skip
    if count > most:
        return listed_column(name, values.tolist())
    words = values[first[:count]].tolist()
    gone = [i for i, word in enumerate(words) if is_missing(word)]
    if gone:
        codes[isin(codes, gone)] = -1
        for i in gone:
            words[i] = next((w for w in words if not is_missing(w)), "")
    return coded_column(name, codes, words)


def listed_column(name: str, values: Sequence[Any]) -> Column:
    """Any values: each different one once, and codes for the rows."""
    numbers: dict[Any, int] = {}
    words: list[Any] = []
    codes = array("i")
    for row, value in enumerate(values):
        if is_missing(value):
            codes.append(-1)
            continue
        place = f"row {row}, column {name!r}"
        try:
            code = numbers.setdefault((type(value), value), len(words))
        except Exception as error:  # it cannot be hashed, or not be compared
            raise not_a_constant(value, place, shown(error)) from error
        if code == len(words):
            constant_text(value, place)
            words.append(value)
        codes.append(code)
    return coded_column(name, codes, words)


def _array_batches(values: Any) -> Generator[Batch, None, None]:
    import numpy

    if isinstance(values, numpy.ma.MaskedArray):
        hidden = numpy.ma.getmaskarray(values)
        values = values.data.astype(object)
        values[hidden] = None
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


def refuse_repeated(names: Sequence[str]) -> None:
    """Two columns of one name would be one relation."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise errors.InputError(f"two columns have the name {name!r}; rename one")
        seen.add(name)


def wanted_places(names: Sequence[str], wanted: Sequence[str] | None) -> list[int]:
    """Which columns are wanted; all where one of those is not there."""
    if wanted is None or not set(wanted) <= set(names):
        return list(range(len(names)))
    return [i for i, name in enumerate(names) if name in wanted]


def _pandas_batches(
    frame: Any, wanted: Sequence[str] | None
) -> Generator[Batch, None, None]:
    if not hasattr(frame, "columns") and type(frame).__name__ != "Series":
        frame = frame.to_frame(index=False)  # an index, which is a column, too
    if type(frame).__name__ == "Series":
        frame = frame.to_frame(frame.name if frame.name is not None else "0")
    names, rows = list(frame.columns), len(frame)
    texts = [str(name) for name in names]
    refuse_repeated(texts)
    columns = [
        _pandas_column(texts[i], frame[names[i]]) for i in wanted_places(texts, wanted)
    ]
    _check_unchanged(frame, names, rows)
    yield Batch(columns, rows, 0)
    _check_unchanged(frame, names, rows)


def _check_unchanged(frame: Any, names: list[Any], rows: int) -> None:
    """Another thread, or a method of a value, may have changed the frame."""
    if len(frame) != rows:
        raise errors.InputError(
            f"row {min(len(frame), rows)}: the frame changed while it was read: "
            f"it had {rows} rows and has {len(frame)}"
        )
    now = list(frame.columns)
    if now != names:
        other = next((n for n in [*names, *now] if (n in names) != (n in now)), now[0])
        raise errors.InputError(
            f"column {str(other)!r}: the frame changed while it was read"
        )


def _pandas_column(name: str, series: Any) -> Column:
    column = _series_column(name, series)
    column.keep.append(series)  # while it lives, pandas writes to a copy
    return column


def _series_column(name: str, series: Any) -> Column:
    dtype = series.dtype
    if hasattr(dtype, "categories"):
        return coded_column(name, _dense(series.array.codes), list(dtype.categories))
    if type(dtype).__module__.partition(".")[0] == "numpy" and dtype.kind in "iufb":
        return array_column(name, series.to_numpy())
    if getattr(dtype, "storage", "") == "pyarrow" or hasattr(dtype, "pyarrow_dtype"):
        from . import _arrow

        return _arrow.array_column(name, series.array.__arrow_array__())
    if dtype.kind == "O" or getattr(dtype, "storage", "") == "python":
        return object_column(name, series.to_numpy(dtype=object))
    return _factorized(name, series)


def _factorized(name: str, series: Any) -> Column:
    """Dates and nullable columns: pandas finds the different values."""
    try:
        codes, words = series.factorize()
    except Exception:  # values that cannot be hashed; the list says which
        return listed_column(name, list(series))
    return coded_column(name, _dense(codes), list(words))


def _dense(values: Any) -> Any:
    return values if values.flags.c_contiguous else values.copy()
