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


def at(where: str) -> str:
    """A place in front of what is wrong there."""
    return f"{where}: " if where else ""


def shown(value: object) -> str:
    """A value in a message: short, whatever it is."""
    try:
        text = repr(value)
    except Exception:
        text = f"<{type(value).__name__}>"
    return text if len(text) <= 60 else text[:57] + "..."


def encode(text: str, where: str = "") -> bytes:
    """A text as UTF-8."""
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise errors.InputError(
            f"{at(where)}{shown(text)} is not valid Unicode"
        ) from error


def not_a_constant(value: object, where: str, why: str = "") -> errors.ConstantError:
    """The error for a value of a type that no constant has."""
    return errors.ConstantError(
        f"{at(where)}{shown(value)} is a {type(value).__name__}"
        f"{f' that cannot be read ({why})' if why else ''}; "
        "expected a str, a number, a date or a bool"
    )


def is_missing(value: Any) -> bool:
    """None, and the NaN, NA and NaT of numpy and pandas."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    try:
        return bool(value != value)
    except Exception:  # a value that cannot be compared is there
        return False


def constant_text(value: object, where: str) -> tuple[str, int]:
    """A Python value as the text and the kind of a constant."""
    if type(value) is str:
        return value, lib.PITH_NAME
    try:
        return _text_and_kind(value, where)
    except errors.PithError:
        raise
    except Exception as error:  # whatever a class of the caller's may raise
        raise not_a_constant(value, where, shown(error)) from error


def _text_and_kind(value: object, where: str) -> tuple[str, int]:
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
    if isinstance(value, date) and not is_missing(value):
        return value.isoformat(), lib.PITH_NAME
    return _foreign_text(value, where)


def _foreign_text(value: object, where: str) -> tuple[str, int]:
    """The values of numpy and pandas, which know their Python value."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        raise errors.InputError(
            f"{at(where)}a missing value; expected a constant; "
            "drop the row or fill it in"
        )
    if isinstance(value, bytes):
        raise errors.InputError(
            f"{at(where)}bytes; expected a str; decode them: value.decode('utf-8')"
        )
    item = getattr(value, "item", None)
    if callable(item):
        plain = item()
        if type(plain) is not type(value):
            return constant_text(plain, where)
    raise not_a_constant(value, where)


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
    if isinstance(value, Decimal) and value.is_snan():
        value = math.nan
    if not math.isfinite(value):
        raise errors.InputError(
            f"{at(where)}{value} is not a number that can be compared; "
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


def counted(count: int, noun: str) -> str:
    """How many of something: 1 rule, 2 rules."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
