"""What can go wrong, and what is worth a warning.

>>> import pith
>>> try:
...     pith.Theory.parse("reach(X,Y) :- edge(X,Y)")
... except pith.InputError as error:
...     print(error.line, error.column, error.hint)
1 24 add it here
"""

from __future__ import annotations

import sys
import warnings
from dataclasses import dataclass

__all__ = [
    "ArgumentError",
    "ConstantError",
    "FileError",
    "InputError",
    "InputWarning",
    "InternalError",
    "InterruptedWarning",
    "LimitError",
    "OutOfMemoryError",
    "PithError",
    "PithWarning",
    "Remark",
    "ThreadError",
    "UnsupportedError",
]


@dataclass(frozen=True)
class Remark:
    """An error or a warning about an input, with its place."""

    warning: bool
    file: str
    line: int
    column: int
    text: str
    source: str
    caret: int

    @property
    def hint(self) -> str:
        """How to fix it: the last part of the text, or "" if there is none."""
        return self.text.rpartition("; ")[2] if "; " in self.text else ""

    def __str__(self) -> str:
        place = self.file
        if self.line > 0:
            place += f":{self.line}:{self.column}"
        shown = f"{place}: {self.text}"
        if self.source:
            shown += f"\n  {self.source}\n  {' ' * self.caret}^"
        return shown


class PithError(Exception):
    """The base of all errors of pith.

    ``file``, ``line``, ``column`` and ``hint`` say where and what to do, if the
    input is to blame; ``remarks`` has all errors that were found there.
    """

    def __init__(self, message: str, remarks: tuple[Remark, ...] = ()) -> None:
        super().__init__(message)
        self.remarks = remarks
        first = remarks[0] if remarks else None
        self.file: str | None = first.file if first else None
        self.line: int | None = first.line if first and first.line else None
        self.column: int | None = first.column if first and first.line else None
        self.hint: str = first.hint if first else ""


class InputError(PithError, ValueError):
    """The input is malformed, or there is not enough of it."""


class ArgumentError(PithError, ValueError):
    """An argument is out of range."""


class ConstantError(PithError, TypeError):
    """A value cannot be a constant, for its type; the message names its place."""


class FileError(PithError, OSError):
    """A file cannot be read or written."""


class OutOfMemoryError(PithError, MemoryError):
    """Memory ran out, or the limit that was given."""


class LimitError(PithError, RuntimeError):
    """A limit was reached with nothing to show."""


class UnsupportedError(PithError, NotImplementedError):
    """This build of pith cannot do that."""


class InternalError(PithError, RuntimeError):
    """A fault of pith itself; please report it."""


class ThreadError(PithError, RuntimeError):
    """An object is used by two threads at once, or by a callback of its own."""


class PithWarning(UserWarning):
    """The base of all warnings of pith."""


class InputWarning(PithWarning):
    """Something in the input looks wrong."""


class InterruptedWarning(PithWarning):
    """A call was stopped early; the result is the best so far."""


def warn(message: str, category: type[PithWarning]) -> None:
    """Warns of the line outside of this package that made the call."""
    ours = ("pith", "contextlib")
    frame, level = sys._getframe(), 1
    while frame.f_back is not None and (
        frame.f_globals.get("__name__", "").partition(".")[0] in ours
    ):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)
