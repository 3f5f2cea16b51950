"""Long calls: in a thread of their own, so that Ctrl-C and progress get through.

The thread that computes waits for the next call when it is done: handing a call
over costs some microseconds, starting a thread a hundred.
"""

from __future__ import annotations

import _thread
import math
import os
import threading
import time
from typing import Any, Callable, ClassVar

from . import errors
from ._native import ffi, lib

Callback = Callable[[Any], object]
POLL = 0.05  # seconds between two looks at the progress


class _Job:
    """A call for another thread. Who takes the gate decides whether it runs."""

    __slots__ = ("args", "done", "error", "finished", "function", "gate", "status")

    def __init__(self, function: Any, args: tuple[Any, ...]) -> None:
        self.function, self.args = function, args
        self.status = 0
        self.error: BaseException | None = None
        self.finished = False
        self.gate = _thread.allocate_lock()
        self.done = _thread.allocate_lock()
        self.done.acquire()

    def run(self) -> None:
        """Calls the function, unless the call was taken back."""
        if self.gate.acquire(blocking=False):
            try:
                self.status = self.function(*self.args)
            except BaseException as error:  # for the caller
                self.error = error
            finally:
                self.finished = True

    def take_back(self) -> bool:
        """Whether it had not begun; then it never will."""
        return self.gate.acquire(blocking=False)


class _Worker:
    """A thread that runs one job after the other."""

    __slots__ = ("_job", "_start")
    idle: ClassVar[list[_Worker]] = []

    def __init__(self) -> None:
        self._start = _thread.allocate_lock()
        self._start.acquire()
        self._job: _Job | None = None
        _thread.start_new_thread(self._loop, ())

    def _loop(self) -> None:
        while True:
            self._start.acquire()
            job, self._job = self._job, None
            if job is None:
                continue
            try:
                job.run()
            finally:
                _Worker.idle.append(self)  # first: the caller may be back at once
                job.done.release()
            job = None  # holds nothing of the last call

    @classmethod
    def start(cls, job: _Job) -> None:
        """Hands a job to a thread that has nothing to do."""
        try:
            worker = cls.idle.pop()
        except IndexError:
            worker = cls()
        worker._job = job
        worker._start.release()


if hasattr(os, "register_at_fork"):  # a child has no threads but its own
    os.register_at_fork(after_in_child=_Worker.idle.clear)


class Watch:
    """How a long call ended, and what it reported on the way."""

    def __init__(self, report: Callback | None) -> None:
        self.interrupted = False
        self.seconds = 0.0
        self.report = report
        self._control = ffi.new("pith_py_control *")
        self._turns = ffi.new("unsigned *")
        self._latest = ffi.new("pith_progress *")
        self._error: BaseException | None = None

    def attach(self, run: Any) -> None:
        """Makes a run report here, and stop when it is told to."""
        run = run if ffi.typeof(run).kind == "pointer" else ffi.addressof(run)
        lib.pith_py_watch(run, self._control)

    def call(self, function: Any, *args: Any) -> int:
        """Runs a C function in a thread, so that Ctrl-C and progress get through.

        Ctrl-C asks the function to stop; it returns what it has. An error of the
        report, or of a signal's handler, does the same and is raised when the
        function has returned: what it works on must not be freed before.
        """
        started = time.perf_counter()
        job = _Job(function, args)
        try:
            _Worker.start(job)
            self._wait_for(job)
        except BaseException as error:  # before the first wait, or in the loop's head
            if job.take_back():
                raise
            self._end_by(error)
            self._wait_for(job)
        self.seconds = time.perf_counter() - started
        failed = self._error or job.error
        if failed is not None:
            raise failed
        return job.status

    def _wait_for(self, job: _Job) -> None:
        """Waits, whatever signal handlers raise meanwhile, and however often."""
        raised: BaseException | None = None
        while not job.finished:  # not the lock: an interrupt may follow its taking
            try:
                if raised is not None:
                    self._end_by(raised)
                    raised = None
                self._wait(job.done)
            except BaseException as error:
                raised = error
        if raised is not None:
            self._end_by(raised)

    def _end_by(self, error: BaseException) -> None:
        if isinstance(error, KeyboardInterrupt):
            self.interrupted = True
        elif self._error is None:
            self._error = error
        lib.pith_py_stop(self._control)

    def _wait(self, done: _thread.LockType) -> None:
        """Not for ever: with another's handler (polars has one) nothing wakes us."""
        if not done.acquire(timeout=POLL):
            self._look()

    def _look(self) -> None:
        if self._error is not None or self.report is None:
            return
        if not lib.pith_py_report(self._control, self._turns, self._latest):
            return
        self.report(self._latest)

    @property
    def control(self) -> Any:
        """What a function of glue.h asks whether to stop."""
        return self._control

    @staticmethod
    def warn() -> None:
        """Says that the result is the best so far."""
        errors.warn(
            "interrupted: the result is the best so far", errors.InterruptedWarning
        )

    def ended(self, status: int) -> str:
        """How a run ended, in a word, and a warning if that was early."""
        if status == lib.PITH_STOPPED and self.interrupted:
            self.warn()
            return "interrupted"
        if status == lib.PITH_STOPPED:
            return "timeout"
        return "memory" if status == lib.PITH_FULL else "complete"


def stoppable(pointer: Any, function: Any, *args: Any) -> int:
    """Calls a function that takes no run; Ctrl-C ends it and is raised."""
    if _thread.get_ident() != threading.main_thread().ident:
        return int(function(*args))  # signals come to the main thread
    watch = Watch(None)
    run = ffi.new("pith_run *")
    watch.attach(run)
    lib.pith_limit_calls(pointer, run)
    try:
        status = watch.call(function, *args)
    finally:
        lib.pith_limit_calls(pointer, ffi.NULL)
    if watch.interrupted:
        raise KeyboardInterrupt
    return status


def stoppable_loop(function: Any, *args: Any) -> int:
    """The same for a function of glue.h, which takes a control after all else."""
    if _thread.get_ident() != threading.main_thread().ident:
        return int(function(*args, ffi.NULL))
    watch = Watch(None)
    status = watch.call(function, *args, watch.control)
    if watch.interrupted:
        raise KeyboardInterrupt
    return status


def set_run(run: Any, seed: int | None, jobs: int, timeout: float | None) -> None:
    """Fills in what all long calls share."""
    if seed is not None:
        run.seed = whole("seed", seed, 0, 2**64 - 1)
    run.jobs = whole("jobs", jobs, 0, 4096)
    if timeout is not None:
        if not (isinstance(timeout, (int, float)) and 0 < timeout < math.inf):
            raise errors.ArgumentError(
                f"timeout is a number of seconds above 0, not {timeout!r}"
            )
        run.seconds = timeout


def whole(name: str, value: object, low: int, high: int) -> int:
    """An int within bounds, or an error that names it."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{name} is an int, not {value!r}")
    if not low <= value <= high:
        raise errors.ArgumentError(f"{name} is {value}; expected {low} to {high}")
    return value


def set_options(opt: Any, given: dict[str, Any]) -> None:
    """Sets the whole numbers, decimals and flags that were given."""
    kinds = {f[0]: f[1].type.cname for f in ffi.typeof(opt).item.fields}
    for name, value in given.items():
        if value is None:
            continue
        kind = kinds[name]
        if kind in ("bool", "_Bool"):
            setattr(opt, name, bool(value))
        elif kind == "double":
            if isinstance(value, bool) or not isinstance(value, (int, float)):
                raise TypeError(f"{name} is a number, not {value!r}")
            if not math.isfinite(value):
                raise errors.ArgumentError(f"{name} is not finite: {value!r}")
            setattr(opt, name, value)
        else:
            bits = 64 if kind == "uint64_t" else 32
            setattr(opt, name, whole(name, value, 0, 2**bits - 1))


def path_text(path: str | os.PathLike[str] | None) -> Any:
    """A path for C; keep it while C may read it."""
    return ffi.NULL if path is None else ffi.new("char[]", os.fsencode(path))


def choice(name: str, word: str, words: dict[str, int]) -> int:
    """One of some words, or an error that lists them."""
    if word not in words:
        raise errors.ArgumentError(f"{name} is {word!r}; expected {', '.join(words)}")
    return words[word]


METHODS = {
    "auto": lib.PITH_METHOD_AUTO,
    "search": lib.PITH_METHOD_SEARCH,
    "gradient": lib.PITH_METHOD_GRADIENT,
}
SEMANTICS = {
    "best": lib.PITH_BEST,
    "paper": lib.PITH_PAPER,
    "text": lib.PITH_TEXT,
}
NOISE = {
    "auto": lib.PITH_NOISE_AUTO,
    "on": lib.PITH_NOISE_ON,
    "off": lib.PITH_NOISE_OFF,
}
MODELS = {
    "auto": lib.PITH_MODEL_AUTO,
    "rules": lib.PITH_MODEL_RULES,
    "chains": lib.PITH_MODEL_CHAINS,
    "soft": lib.PITH_MODEL_SOFT,
}


def interval(hits: int, tries: int) -> tuple[float, float]:
    """Where a share lies with a probability of 0.95."""
    low, high = ffi.new("double *"), ffi.new("double *")
    lib.pith_interval(hits, tries, 0.95, low, high)
    return float(low[0]), float(high[0])


def number_or_none(value: float) -> float | None:
    """NaN, which is C's way to say "unknown", as None."""
    return None if math.isnan(value) else float(value)
