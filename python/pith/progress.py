"""How far a long call is: a callback, or a bar."""

from __future__ import annotations

import math
import sys
import time
import warnings
from dataclasses import dataclass
from typing import Any, Callable, TextIO, Union

from . import _c, _values

__all__ = ["Progress", "ProgressOption"]


@dataclass(frozen=True)
class Progress:
    """A report of a long call; what does not apply is 0, an unknown loss None."""

    phase: str
    stage: int
    stages: int
    done: int
    count: int
    seconds: float
    facts: int
    steps: int
    restarts: int
    restarts_done: int
    epoch: int
    epochs: int
    loss: float | None
    tried: int
    wrong: int
    core: int
    rules: int
    bits: float

    @property
    def share(self) -> float | None:
        """How much is done, from 0 to 1, as far as that can be told."""
        if self.count and self.stages:
            return min((self.stage - 1 + self.done / self.count) / self.stages, 1.0)
        if self.count:
            return min(self.done / self.count, 1.0)
        if self.epochs:
            return min(self.epoch / self.epochs, 1.0)
        return None

    def __str__(self) -> str:
        parts = [self.phase] if self.phase else []
        if self.tried:
            parts.append(f"{self.tried} clauses tried, {self.wrong} examples wrong")
        elif self.epochs:
            parts.append(f"epoch {self.epoch} of {self.epochs}, {self.wrong} wrong")
        if self.loss is not None and self.epochs:
            parts.append(f"loss {self.loss:.4f}")
        if self.bits:
            parts.append(f"{self.rules} rules, {self.core} core facts")
        if self.steps:
            parts.append(f"{self.facts} facts")
        return ", ".join(parts)


ProgressOption = Union[bool, None, Callable[[Progress], object]]
Report = Callable[[Any], object]


def from_c(raw: Any) -> Progress:
    """A report as C made it."""
    phase = _values.text_of(raw.phase) if raw.phase != _c.ffi.NULL else ""
    names = Progress.__dataclass_fields__
    given = {n: getattr(raw, n) for n in names if n not in ("phase", "loss")}
    loss = None if math.isnan(raw.loss) else float(raw.loss)
    return Progress(phase=phase, loss=loss, **given)


# ---- bars -----------------------------------------------------------------

QUIET = 0.5  # seconds without a bar: most calls are shorter


class _Plain:
    """One line on standard error, for a terminal without tqdm and rich."""

    def __init__(self, out: TextIO) -> None:
        self.out = out
        self.width = 0

    def show(self, now: Progress) -> None:
        share = now.share
        bar = "" if share is None else f"{100 * share:3.0f} % "
        text = f"pith: {bar}{now.seconds:.0f} s, {now}"[:78]
        self.out.write("\r" + text.ljust(self.width))
        self.out.flush()
        self.width = len(text)

    def close(self) -> None:
        if self.width:
            self.out.write("\r" + " " * self.width + "\r")
            self.out.flush()


class _Tqdm:
    """A bar by tqdm, which is a widget in a notebook."""

    KNOWN = "{desc}: {percentage:3.0f}%|{bar}| {elapsed}{postfix}"
    UNKNOWN = "{desc}: {elapsed}{postfix}"  # nobody can tell how much is left

    def __init__(self, tqdm: Any) -> None:
        self.bar = tqdm(total=100, desc="pith", leave=False, bar_format=self.UNKNOWN)

    def show(self, now: Progress) -> None:
        self.bar.bar_format = self.UNKNOWN if now.share is None else self.KNOWN
        self.bar.n = round(100 * (now.share or 0))
        self.bar.set_postfix_str(str(now), refresh=True)

    def close(self) -> None:
        self.bar.close()


class _Rich:
    """A bar by rich."""

    def __init__(self, progress: Any) -> None:
        self.progress = progress.Progress(transient=True)
        self.progress.start()
        self.task = self.progress.add_task("pith", total=None)  # it swings

    def show(self, now: Progress) -> None:
        total = None if now.share is None else 100
        done = 100 * (now.share or 0)
        self.progress.update(
            self.task, total=total, completed=done, description=str(now)
        )

    def close(self) -> None:
        self.progress.stop()


def _in_notebook() -> bool:
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return type(shell).__name__ == "ZMQInteractiveShell"


def make_bar() -> Any:
    """The best bar there is."""
    try:
        with warnings.catch_warnings():  # without widgets it is a line of text
            warnings.simplefilter("ignore")
            from tqdm.auto import tqdm

        return _Tqdm(tqdm)
    except ImportError:
        pass
    try:
        from rich import progress

        return _Rich(progress)
    except ImportError:
        return _Plain(sys.stderr)


class _Bar:
    """Makes a bar when a call turns out to be long."""

    def __init__(self) -> None:
        self.bar: Any = None
        self.began = time.monotonic()

    def __call__(self, now: Progress) -> None:
        if self.bar is None and time.monotonic() - self.began > QUIET:
            self.bar = make_bar()
        if self.bar is not None:
            self.bar.show(now)

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()


class Reporter:
    """Hands the reports of a long call on, and keeps them as a curve."""

    def __init__(self, option: ProgressOption) -> None:
        if option not in (None, True, False) and not callable(option):
            raise TypeError(f"progress is a bool or a function, not {option!r}")
        self.curve: list[Progress] = []
        self.bar: _Bar | None = None
        self.tell: Callable[[Progress], object] | None = None
        if callable(option):
            self.tell = option
        elif option or (option is None and self._bar_is_welcome()):
            self.bar = _Bar()
            self.tell = self.bar

    @staticmethod
    def _bar_is_welcome() -> bool:
        return _in_notebook() or (sys.stderr is not None and sys.stderr.isatty())

    def __call__(self, raw: Any) -> None:
        now = from_c(raw)
        _c.log.debug("%s", now)
        if len(self.curve) < 10000:
            self.curve.append(now)
        if self.tell is not None:
            self.tell(now)

    def __enter__(self) -> Reporter:
        return self

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            self.bar.close()
