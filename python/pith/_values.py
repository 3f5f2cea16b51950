"""Constants as Python values, and back."""

from __future__ import annotations

import math
from datetime import date
from decimal import Decimal
from typing import Any

from . import errors
from ._native import ffi, lib
from .terms import Compound, Constant


def text_of(pointer: Any) -> str:
    """A C string as Python has it."""
    return str(ffi.string(pointer).decode("utf-8", "replace"))


def encode(text: str, where: str = "") -> bytes:
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        place = f"{where}: " if where else ""
        raise errors.InputError(f"{place}{text!r} is not valid Unicode") from error


def constant_text(value: object, where: str) -> tuple[str, int]:
    """A Python value as the text and the kind of a constant."""
    if type(value) is str:
        return value, lib.PITH_NAME
    if isinstance(value, bool):
        return ("true" if value else "false"), lib.PITH_NAME
    if isinstance(value, Compound):
        return str(value), lib.PITH_COMPOUND
    if isinstance(value, int):
        return _integer_text(value), lib.PITH_NUMBER
    if isinstance(value, (float, Decimal)):
        return _decimal_text(value, where), lib.PITH_NUMBER
    if isinstance(value, str):
        return str(value), lib.PITH_NAME
    if isinstance(value, date):
        return value.isoformat(), lib.PITH_NAME
    return _foreign_text(value, where)


def _foreign_text(value: object, where: str) -> tuple[str, int]:
    """The values of numpy and pandas, which know their Python value."""
    item = getattr(value, "item", None)
    if callable(item):
        plain = item()
        if type(plain) is not type(value):
            return constant_text(plain, where)
    place = f"{where}: " if where else ""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        raise errors.InputError(
            f"{place}a missing value; expected a constant; drop the row or fill it in"
        )
    if isinstance(value, bytes):
        raise errors.InputError(
            f"{place}bytes; expected a str; decode them: value.decode('utf-8')"
        )
    raise TypeError(
        f"{place}{value!r} is a {type(value).__name__}; "
        "expected a str, a number, a date or a bool"
    )


def _integer_text(value: int) -> str:
    try:
        return str(int(value))
    except ValueError:  # more digits than Python converts at once
        sign, value = ("-" if value < 0 else ""), abs(value)
        parts = []
        while value:
            value, part = divmod(value, 10**4000)
            parts.append(str(part).zfill(4000))
        return sign + "".join(reversed(parts)).lstrip("0")


def _decimal_text(value: float | Decimal, where: str) -> str:
    if not math.isfinite(value):
        place = f"{where}: " if where else ""
        raise errors.InputError(
            f"{place}{value} is not a number that can be compared; "
            "drop the row or fill it in"
        )
    text = repr(float(value)) if isinstance(value, float) else f"{value:f}"
    return text if "." in text or "e" in text else text + ".0"


def constant_value(text: str, kind: int) -> Constant:
    """The Python value of a constant."""
    if kind == lib.PITH_NAME:
        return text
    if kind == lib.PITH_COMPOUND:
        return Compound(text)
    if "." not in text and "e" not in text:
        return _long_integer(text) if len(text) > 4000 else int(text)
    value = float(text)
    digits = text.partition("e")[0].replace(".", "").lstrip("-0").rstrip("0")
    return value if len(digits) <= 15 or _same(text, value) else Decimal(text)


def _same(text: str, value: float) -> bool:
    return Decimal(text) == Decimal(repr(value))


def _long_integer(text: str) -> int:
    sign, digits = (-1, text[1:]) if text.startswith("-") else (1, text)
    value = 0
    for i in range(0, len(digits), 4000):
        part = digits[i : i + 4000]
        value = value * 10 ** len(part) + int(part)
    return sign * value
