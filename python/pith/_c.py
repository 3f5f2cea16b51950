"""The one module that calls C, with `_values` and `_calls` beside it.

Everything else in the package speaks of Python values; a call of pith.h that
changes its name changes here. A `Handle` owns a ``pith *`` and whatever belongs
to it, lets one thread at a time use it, and turns a negative status into an
exception.
"""

from __future__ import annotations

import functools
import logging
import os
import re
import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Callable

from . import _calls, errors
from ._native import ffi as ffi
from ._native import lib as lib
from ._values import at, constant_text, constant_value, encode, shown, text_of
from .terms import Atom, Constant, Rule, Var

log = logging.getLogger("pith")

NONE: int = lib.PITH_NONE
GIVEN: int = lib.PITH_GIVEN
DERIVED: int = lib.PITH_DERIVED
ALL: int = lib.PITH_ALL
VARIABLE = 0x80000000
SHORT_TEXT = 1 << 16  # bytes that are read too soon to be interrupted
SHORT_ROWS = 1 << 16  # facts that are copied too soon for that


def version() -> str:
    """The version of the C library."""
    return text_of(lib.pith_version())


def features() -> tuple[str, ...]:
    """The optional libraries that this build has: zlib, zstd, ..."""
    return tuple(text_of(lib.pith_features()).split())


# ---- errors ---------------------------------------------------------------

_CLASSES: dict[int, type[errors.PithError]] = {
    lib.PITH_ENOMEM: errors.OutOfMemoryError,
    lib.PITH_EINPUT: errors.InputError,
    lib.PITH_EARITY: errors.ArgumentError,
    lib.PITH_EARG: errors.ArgumentError,
    lib.PITH_EIO: errors.FileError,
    lib.PITH_ELIMIT: errors.LimitError,
    lib.PITH_EUNSUPPORTED: errors.UnsupportedError,
}


def failure(
    status: int, message: str, remarks: tuple[errors.Remark, ...] = ()
) -> errors.PithError:
    """The exception for a negative status."""
    kind = _CLASSES.get(status, errors.InternalError)
    return kind(message or text_of(lib.pith_status_text(status)), remarks)


def _remark(raw: Any) -> errors.Remark:
    return errors.Remark(
        warning=bool(raw.warning),
        file=text_of(raw.file),
        line=int(raw.line),
        column=int(raw.column),
        text=text_of(raw.text),
        source=text_of(raw.source),
        caret=int(raw.caret),
    )


def _place_in(message: str) -> tuple[errors.Remark, ...]:
    """What a message such as "atom:1:5: ..." says, as a remark."""
    found = re.match(r"(\w+):(\d+):(\d+): (.*)", message)
    if found is None:
        return ()
    file, line, column, text = found.groups()
    return (errors.Remark(False, file, int(line), int(column), text, "", 0),)


# ---- handles --------------------------------------------------------------


def _ground_term(text: str, where: str) -> str:
    """A compound term as C spells it, or an error if it is not one."""
    try:
        return _spelled_term(text)
    except errors.InputError:
        raise errors.InputError(
            f"{at(where)}{shown(text)} is not a ground compound term such as f(x,2)"
        ) from None


@functools.lru_cache(maxsize=1 << 16)
def _spelled_term(text: str) -> str:
    handle = Handle()
    handle.read_text("term", f"p({text}).", {"format": "prolog"})
    with handle as p:
        sym = ffi.new("pith_sym *")
        if lib.pith_fact_count(p, NONE, GIVEN) != 1 or not handle.relations(GIVEN):
            raise errors.InputError("not one term")
        ((_, arity, pred),) = handle.relations(GIVEN)
        lib.pith_py_rows(p, pred, GIVEN, sym, ffi.NULL)
        if arity != 1 or lib.pith_sym_kind_of(p, sym[0]) != lib.PITH_COMPOUND:
            raise errors.InputError("not a compound term")
        return text_of(lib.pith_sym_text(p, sym[0]))


class Handle:
    """Owns a ``pith *``; ``with handle as p`` lends it to one thread."""

    __slots__ = ("__weakref__", "_busy", "_lock", "_owner", "_pointer")

    def __init__(self, memory_limit: int = 0) -> None:
        out = ffi.new("pith **")
        memory = ffi.new("pith_memory *")
        memory.limit = memory_limit
        status = lib.pith_new_with(memory, out)
        if status < 0:
            raise failure(status, "")
        self._pointer = out[0]
        self._owner = ffi.gc(ffi.new("pith_py_owner *"), lib.pith_py_free)
        self._owner.p = out[0]
        self._lock = threading.RLock()
        self._busy = False

    def __enter__(self) -> Any:
        if not self._lock.acquire(blocking=False):
            raise errors.ThreadError(
                "this object is in use by another thread; give each thread its own, "
                "or put a lock around it"
            )
        if self._busy:
            self._lock.release()
            raise errors.ThreadError(
                "this object is in use by a call that is still under way"
            )
        return self._pointer

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    def own_model(self, model: Any) -> Any:
        """Frees the model with the handle, in front of it."""
        self._owner.model = model
        return model

    def own_soft(self, soft: Any) -> Any:
        """Frees the network with the handle, in front of it."""
        self._owner.soft = soft
        return soft

    def stoppable(self, function: Any, *args: Any) -> int:
        """Calls what may take long on this handle; Ctrl-C ends it and is raised.

        What was being added to can only be freed then; all else is as before.
        """
        return _calls.stoppable(self._pointer, function, *args)

    @contextmanager
    def long_call(self) -> Iterator[Any]:
        """Lends the pointer to a call that runs in a thread of its own."""
        with self as pointer:
            self._busy = True
            try:
                yield pointer
            finally:
                self._busy = False

    def check(self, status: int) -> int:
        """Raises what a negative status means; else returns it."""
        if status < 0:
            raise failure(status, text_of(lib.pith_error(self._pointer)))
        return status

    def last_error(self) -> str:
        """The sentence about the last failure."""
        return text_of(lib.pith_error(self._pointer))

    # ---- reading ----

    def _settle_reading(self, status: int, seen: int, quiet: bool = False) -> None:
        found = [
            _remark(lib.pith_remark_at(self._pointer, i))
            for i in range(seen, lib.pith_remark_count(self._pointer))
        ]
        for remark in found:
            if remark.warning and not quiet:
                errors.warn(str(remark), errors.InputWarning)
        wrong = tuple(r for r in found if not r.warning)
        if status >= 0:
            return
        if not wrong:
            self.check(status)
        message = "\n".join(str(r) for r in wrong[:5])
        if len(wrong) > 5:
            message += f"\nand {len(wrong) - 5} more"
        raise failure(status, message, wrong)

    def read(self, path: str, options: dict[str, Any]) -> None:
        """Reads a file or folder."""
        with self as p, _read_options(options) as opt:
            seen = lib.pith_remark_count(p)
            status = self.stoppable(lib.pith_read_with, p, os.fsencode(path), opt)
            self._settle_reading(status, seen)
            log.debug("%s: %s", path, text_of(lib.pith_read_summary(p)))

    def read_part(self, folder: str, part: str, options: dict[str, Any]) -> bool:
        """Reads the valid or test file of a graph's folder, if there is one."""
        found = ffi.new("bool *")
        with self as p, _read_options(options) as opt:
            seen = lib.pith_remark_count(p)
            status = self.stoppable(
                lib.pith_read_part, p, os.fsencode(folder), encode(part), opt, found
            )
            self._settle_reading(status, seen)
        return bool(found[0])

    def read_text(
        self, name: str, text: str, options: dict[str, Any], quiet: bool = False
    ) -> None:
        """Reads a text; quiet: without the warnings about it."""
        data = encode(text)
        with self as p, _read_options(options) as opt:
            seen = lib.pith_remark_count(p)
            args = p, encode(name), data, len(data), opt
            if len(data) < SHORT_TEXT:
                status = lib.pith_read_text_with(*args)
            else:
                status = self.stoppable(lib.pith_read_text_with, *args)
            self._settle_reading(status, seen, quiet)

    # ---- constants and predicates ----

    def sym(self, value: object, where: str = "") -> int:
        """The number of a constant, which is added if need be."""
        text, kind = constant_text(value, where)
        if kind == lib.PITH_COMPOUND:
            text = _ground_term(text, where)
        data = encode(text, where)
        out = ffi.new("pith_sym *")
        status = lib.pith_sym_add(self._pointer, data, len(data), kind, out)
        if status < 0:
            reason = text_of(lib.pith_error(self._pointer))
            if "\0" in text:
                reason = f"{shown(text)} has a NUL character in it"
            raise failure(status, at(where) + reason)
        return int(out[0])

    def find_sym(self, value: object) -> int:
        """The number of a constant, or NONE."""
        text, kind = constant_text(value, "")
        data = encode(text)
        return int(lib.pith_sym_find(self._pointer, data, len(data), kind))

    def constant(self, sym: int) -> Constant:
        """The constant of a number."""
        text = text_of(lib.pith_sym_text(self._pointer, sym))
        return constant_value(text, lib.pith_sym_kind_of(self._pointer, sym))

    def constants(self) -> list[Constant]:
        """All constants, by number."""
        return [self.constant(i) for i in range(lib.pith_sym_count(self._pointer))]

    def pred(self, name: str, arity: int) -> int:
        """The number of a predicate, which is added if need be."""
        if not isinstance(name, str):
            raise TypeError(f"the name of a relation is a str, not {name!r}")
        if "\0" in name:
            raise errors.ArgumentError(f"the name {name!r} has a NUL character in it")
        out = ffi.new("pith_pred *")
        self.check(lib.pith_pred_add(self._pointer, encode(name), arity, out))
        return int(out[0])

    def find_pred(self, name: str, arity: int) -> int:
        """The number of a predicate, or NONE."""
        return int(lib.pith_pred_find(self._pointer, encode(name), arity))

    def pred_name(self, pred: int) -> tuple[str, int]:
        """Name and arity of a predicate."""
        return (
            text_of(lib.pith_pred_name(self._pointer, pred)),
            int(lib.pith_pred_arity(self._pointer, pred)),
        )

    def relations(self, part: int) -> list[tuple[str, int, int]]:
        """Name, arity and number of the predicates that have facts."""
        return [
            (*self.pred_name(i), i)
            for i in range(lib.PITH_BUILTINS, lib.pith_pred_count(self._pointer))
            if lib.pith_fact_count(self._pointer, i, part) > 0
        ]

    # ---- facts and examples ----

    def count(self, pred: int, part: int) -> int:
        """How many facts a predicate has; NONE: all predicates."""
        return int(lib.pith_fact_count(self._pointer, pred, part))

    def rows(self, pred: int, part: int) -> Any:
        """The facts of a predicate as one buffer of numbers, row by row."""
        arity = lib.pith_pred_arity(self._pointer, pred)
        count = self.count(pred, part)
        out = ffi.new("pith_sym[]", max(count * arity, 1))
        args = self._pointer, pred, part, out
        if count < SHORT_ROWS:
            lib.pith_py_rows(*args, ffi.NULL)
        else:
            self.check(_calls.stoppable_loop(lib.pith_py_rows, *args))
        return ffi.buffer(out, count * arity * 4)

    def add_rows(self, pred: int, rows: bytes, count: int) -> None:
        """Adds facts that `rows` gave, of a handle with the same numbers."""
        data = ffi.from_buffer("pith_sym[]", rows)
        add = lib.pith_py_add_rows
        self.check(_calls.stoppable_loop(add, self._pointer, pred, data, count))

    def add_fact(self, pred: int, args: Sequence[int]) -> None:
        """Adds a fact."""
        self.check(lib.pith_fact_add(self._pointer, pred, args, len(args)))

    def holds(self, pred: int, args: Sequence[int]) -> bool:
        """Whether a fact is there."""
        return bool(lib.pith_fact_holds(self._pointer, pred, args, len(args)))

    def add_example(
        self, pred: int, args: Sequence[int], positive: bool, weight: float
    ) -> None:
        """Adds an example."""
        self.check(
            lib.pith_example_add(self._pointer, pred, args, len(args), positive, weight)
        )

    def examples(self) -> Iterator[tuple[Atom, bool, float]]:
        """Every example with its sign and weight."""
        for i in range(lib.pith_example_count(self._pointer)):
            e = lib.pith_example_at(self._pointer, i)
            yield self.atom_from(e.atom, {}), bool(e.positive), float(e.weight)

    def example_count(self) -> int:
        """How many examples there are."""
        return int(lib.pith_example_count(self._pointer))

    def template_count(self) -> int:
        """How many templates there are."""
        return int(lib.pith_template_count(self._pointer))

    def clear_templates(self) -> None:
        """Forgets the templates."""
        lib.pith_template_clear(self._pointer)

    def close_world(self, most: int, seed: int) -> int:
        """Adds what is neither example nor fact as negative examples."""
        added = ffi.new("size_t *")
        close = lib.pith_close_world
        self.check(self.stoppable(close, self._pointer, most, seed, added))
        return int(added[0])

    # ---- atoms and rules ----

    def atom_from(self, raw: Any, names: dict[int, Var]) -> Atom:
        """A C atom as Python has it; names: the variables so far."""
        args: list[Any] = []
        for i in range(raw.arity):
            term = raw.args[i]
            if term & VARIABLE:
                args.append(names[term & ~VARIABLE])
            else:
                args.append(self.constant(term))
        name = text_of(lib.pith_pred_name(self._pointer, raw.pred))
        return Atom(name, *args, negated=bool(raw.negated))

    def _variables(self, raw: Any) -> dict[int, Var]:
        """Names for the variables of a rule, each its own."""
        taken: dict[int, Var] = {}
        for i in range(raw.var_count):
            name = _letters(i)
            if raw.var_names:
                name = text_of(lib.pith_sym_text(self._pointer, raw.var_names[i]))
            while name == "_" or Var(name) in taken.values():
                name = f"_{i}" if name == "_" else name + "_"
            taken[i] = Var(name)
        return taken

    def rule_from(self, raw: Any, **figures: Any) -> Rule:
        """A C rule as Python has it."""
        names = self._variables(raw)
        body = [self.atom_from(raw.body[i], names) for i in range(raw.body_len)]
        return Rule(
            self.atom_from(raw.head, names),
            body,
            probability=float(raw.probability) or None,
            text=self.written(lambda p, o: lib.pith_rule_write(p, raw, o), short=True),
            **figures,
        )

    def atom_to(self, atom: Atom, keep: list[Any], names: dict[Var, int]) -> Any:
        """An atom for C; keep holds what it points to."""
        args = ffi.new("pith_term[]", max(len(atom.args), 1))
        for i, arg in enumerate(atom.args):
            if isinstance(arg, Var):
                args[i] = VARIABLE | names.setdefault(arg, len(names))
            else:
                args[i] = self.sym(arg, f"{atom.predicate}, argument {i + 1}")
        keep.append(args)
        return {
            "pred": self.pred(atom.predicate, len(atom.args)),
            "arity": len(atom.args),
            "args": args,
            "negated": atom.negated,
        }

    def rule_to(self, rule: Rule, keep: list[Any]) -> Any:
        """A rule for C; keep holds what it points to."""
        names: dict[Var, int] = {}
        head = self.atom_to(rule.head, keep, names)
        atoms = [self.atom_to(a, keep, names) for a in rule.body]
        body = ffi.new("pith_atom[]", atoms or 1)
        spelled = [self.sym(name) for name in _spelled_variables(rule, names)]
        var_names = ffi.new("pith_sym[]", spelled or 1)
        keep += [body, var_names]
        raw = ffi.new("pith_rule *")
        raw.head = head
        raw.body = body
        raw.body_len = len(rule.body)
        raw.var_count = len(names)
        raw.var_names = var_names
        raw.file = NONE
        raw.probability = rule.probability or 0
        return raw

    def add_rule(self, rule: Rule) -> None:
        """Adds a rule; one without body and variables is a fact."""
        keep: list[Any] = []
        raw = self.rule_to(rule, keep)
        if rule.is_fact:
            status = lib.pith_fact_add(
                self._pointer, raw.head.pred, raw.head.args, raw.head.arity
            )
        else:
            status = lib.pith_rule_add(self._pointer, raw)
        if status < 0:
            message = text_of(lib.pith_error(self._pointer))
            raise failure(status, f"{message}, in {rule!r}")

    def rules(self) -> list[Rule]:
        """The rules of the handle."""
        return [
            self.rule_from(lib.pith_rule_at(self._pointer, i))
            for i in range(lib.pith_rule_count(self._pointer))
        ]

    def parse_atom(self, text: str) -> Any:
        """A C atom, which lives until the next call."""
        out = ffi.new("pith_atom **")
        if "\0" in text:
            raise errors.InputError("an atom with a NUL character in it")
        status = lib.pith_atom_read(self._pointer, encode(text), out)
        if status < 0:
            message = text_of(lib.pith_error(self._pointer))
            raise failure(status, message, _place_in(message))
        return out[0]

    def query(self, query: str | Atom, keep: list[Any]) -> Any:
        """A C atom from its text, or from Python's."""
        if isinstance(query, str):
            return self.parse_atom(query)
        if not isinstance(query, Atom):
            raise TypeError(f"expected an Atom or its text, not {query!r}")
        raw = ffi.new("pith_atom *", self.atom_to(query, keep, {}))
        keep.append(raw)
        return raw

    # ---- writing ----

    def written(self, write: Callable[[Any, Any], int], short: bool = False) -> str:
        """What write(pointer, out) writes, as text; short: in no time."""
        out = ffi.new("pith_out **")
        self.check(lib.pith_out_memory(self._pointer, out))
        try:
            self._write(write, out[0], short)
            size = ffi.new("size_t *")
            text = lib.pith_out_text(out[0], size)
            if text == ffi.NULL:
                raise failure(lib.PITH_ENOMEM, "")
            return str(ffi.buffer(text, size[0])[:].decode("utf-8"))
        finally:
            lib.pith_out_close(out[0], False)

    def _write(self, write: Callable[[Any, Any], int], out: Any, short: bool) -> None:
        if short:
            self.check(write(self._pointer, out))
        else:
            self.check(self.stoppable(write, self._pointer, out))

    def write_file(self, path: str, write: Callable[[Any, Any], int]) -> None:
        """Writes a file: it appears whole, or not at all."""
        out = ffi.new("pith_out **")
        self.check(lib.pith_out_file(self._pointer, os.fsencode(path), out))
        try:
            self._write(write, out[0], False)
        except BaseException:
            lib.pith_out_close(out[0], False)
            raise
        self.check(lib.pith_out_close(out[0], True))

    def copy(self) -> Handle:
        """Another handle with the same contents, under the same numbers."""
        other = Handle()
        with self as p, other as to:
            other.check(_calls.stoppable_loop(lib.pith_py_copy, p, to))
            if lib.pith_template_count(p) > 0:
                other.read_text("templates", self.text("templates"), _TEMPLATES)
            bias = self.text("bias")
            if bias:
                other.read_text("bias", bias, _BIAS)
        return other

    def merge(self, other: Handle, part: int = GIVEN) -> None:
        """Adds a part of another handle's facts, and its examples.

        What was derived comes without examples.
        """
        with self as p, other as from_:
            self.check(_calls.stoppable_loop(lib.pith_py_merge, from_, part, p))

    def text(self, format: str) -> str:
        """The contents in a format; "" for templates or bias that are not there."""
        number = format_number(format)
        if number == lib.PITH_TEMPLATES and self.template_count() == 0:
            return ""
        return self.written(lambda p, o: lib.pith_write(p, number, o))


@functools.cache
def builtin_names() -> frozenset[str]:
    """Predicates that are evaluated: = and the comparisons."""
    handle = Handle()
    return frozenset(handle.pred_name(i)[0] for i in range(lib.PITH_BUILTINS))


def _spelled_variables(rule: Rule, names: Iterable[Var]) -> list[str]:
    """The names of variables; _1 that occurs once is one that C calls _."""
    atoms = (rule.head, *rule.body)
    uses = Counter(a for atom in atoms for a in atom.args if isinstance(a, Var))
    return [
        "_" if v.name[0] == "_" and v.name[1:].isdigit() and uses[v] == 1 else v.name
        for v in names
    ]


def _letters(i: int) -> str:
    letter = chr(ord("A") + i % 26)
    return letter if i < 26 else f"{letter}{i // 26}"


# ---- formats --------------------------------------------------------------


def format_names() -> list[str]:
    """The names of all formats that pith reads or writes."""
    names: list[str] = []
    i = 0
    while True:
        info = lib.pith_format_at(i)
        if info == ffi.NULL:
            return names
        names.append(text_of(info.name))
        i += 1


def format_number(name: str | None) -> int:
    """The number of a format; None: as the content has it."""
    if name is None or name == "auto":
        return int(lib.PITH_AUTO)
    number = int(lib.pith_format_named(encode(name)))
    if number == lib.PITH_AUTO:
        known = ", ".join(format_names())
        raise errors.ArgumentError(f"no format is called {name!r}; there are: {known}")
    return number


_TEMPLATES: dict[str, Any] = {"format": "templates"}
_BIAS: dict[str, Any] = {"format": "bias"}


@contextmanager
def _read_options(options: dict[str, Any]) -> Iterator[Any]:
    """The options of a reader; the texts live as long as the block."""
    opt = ffi.new("pith_read_options *")
    lib.pith_read_defaults(opt)
    opt.format = format_number(options.get("format"))
    keep = []
    for name in ("relation", "key", "columns", "label"):
        value = options.get(name)
        if value is not None:
            if not isinstance(value, str):
                value = ",".join(value)
            keep.append(ffi.new("char[]", encode(value)))
            setattr(opt, name, keep[-1])
    header = options.get("header")
    if header is not None:
        opt.header = lib.PITH_HEADER_YES if header else lib.PITH_HEADER_NO
    yield opt
    del keep
