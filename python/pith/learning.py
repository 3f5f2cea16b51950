"""Learning: rules from examples, theories from observations.

>>> import pith
>>> rules = pith.learn(
...     {"succ": [(0, 1), (1, 2), (2, 3), (3, 4)], "zero": [0]},
...     positive=["even(0)", "even(2)", "even(4)"],
...     negative=["even(1)", "even(3)"],
... )
>>> print(rules)
even(A) :- zero(A).
even(A) :- succ(B,A), succ(C,B), even(C).
>>> rules.solved, rules[1].support, rules[1].predictions
(True, 2, 2)
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Union

from . import _c, _calls, _values, errors
from ._adding import Adder
from .facts import Facts, FactsLike, as_facts, as_world
from .progress import Progress, ProgressOption, Reporter
from .terms import Atom, Rule
from .theory import Theory

__all__ = [
    "Compressed", "HardlyDecided", "Learned", "LearnedTheory", "compress", "learn",
]  # fmt: skip

Examples = Union[Mapping[str, Any], Iterable[Any]]

_STAGES = {
    _c.lib.PITH_GRADIENT: "gradient",
    _c.lib.PITH_RESTART: "restart",
    _c.lib.PITH_SEARCH: "search",
    _c.lib.PITH_CLAUSES: "clauses",
}


class LearnedTheory(Theory):
    """A theory, and how it was found.

    ``solved``: every example fits, which was checked exactly; ``fp`` and ``fn``
    count those that do not. ``stage`` is what found it: "clauses", "gradient",
    "restart" or "search". ``by_heart``: it predicts examples that were left out
    no better than chance; ``maybe_by_heart``: it looks so, and more than one in
    ten of these come wrong, or the run ended before all were tried.
    """

    __slots__ = (
        "by_heart", "error", "fn", "fp", "loss", "maybe_by_heart", "size", "solved",
        "stage",
    )  # fmt: skip

    solved: bool
    stage: str
    fp: int
    fn: int
    size: int
    loss: float | None
    error: float | None
    by_heart: bool
    maybe_by_heart: bool

    def _take_info(self, info: Any) -> None:
        self.solved = bool(info.solved)
        self.stage = _STAGES[info.stage]
        self.fp = int(info.fp)
        self.fn = int(info.fn)
        self.size = int(info.size)
        self.loss = _calls.number_or_none(info.loss)
        self.error = _calls.number_or_none(info.error)
        self.by_heart = bool(info.by_heart)
        self.maybe_by_heart = bool(info.maybe_by_heart)

    def _figures(self) -> dict[str, Any]:
        names = (n for c in type(self).__mro__ for n in getattr(c, "__slots__", ()))
        return {n: getattr(self, n) for n in names if n != "_rules"}

    def __reduce__(self) -> Any:
        return _rebuild, (type(self), tuple(self), self._figures())


def _rebuild(kind: Any, rules: tuple[Rule, ...], figures: dict[str, Any]) -> Any:
    made = kind(rules)
    for name, value in figures.items():
        setattr(made, name, value)
    return made


@dataclass(frozen=True)
class HardlyDecided:
    """A condition of which so few examples tell that it may be there by chance.

    Where examples may be wrong: body atom ``atom`` of rule ``rule``, or the whole
    rule if None. ``shorter`` is the rule without it, or None; the theory then takes
    ``bits`` more, and ``wrong`` examples do not fit.
    """

    rule: int
    atom: int | None
    shorter: Rule | None
    bits: float
    wrong: int


class Learned(LearnedTheory):
    """The best theory that was found, and how the run went.

    ``theories`` are all that were kept, the best first; ``wrong`` the examples
    that the best one gets wrong; ``ended`` is "complete", "timeout",
    "interrupted" or "memory"; ``curve`` the reports on the way. ``hardly_decided``:
    the condition that wrong examples may have brought, or None.
    """

    __slots__ = (
        "curve", "ended", "epochs", "hardly_decided", "restarts", "seconds", "theories",
        "wrong",
    )  # fmt: skip

    theories: list[LearnedTheory]
    wrong: list[Atom]
    ended: str
    restarts: int
    epochs: int
    seconds: float
    curve: list[Progress]
    hardly_decided: HardlyDecided | None

    def __repr__(self) -> str:
        wrong = _values.counted(self.fp + self.fn, "example")
        state = "solved" if self.solved else f"{wrong} wrong"
        return f"<Learned: {_values.counted(len(self), 'rule')}, {state}>\n{self}"

    def _repr_html_(self) -> str:
        from . import _html

        return _html.learned_html(self)


# ---- learn ----------------------------------------------------------------


def learn(
    *worlds: FactsLike,
    positive: Examples = (),
    negative: Examples = (),
    label: Any = None,
    key: Any = None,
    columns: Sequence[Any] | None = None,
    templates: str | os.PathLike[str] | None = None,
    closed_world: bool = False,
    method: str = "auto",
    max_rules: int | None = None,
    max_body: int | None = None,
    max_vars: int | None = None,
    max_invented: int | None = None,
    constants: str = "auto",
    noise: str = "auto",
    keep: int | None = None,
    restarts: int | None = None,
    epochs: int | None = None,
    steps: int | None = None,
    rate: float | None = None,
    search: bool = True,
    semantics: str = "best",
    checkpoint: str | os.PathLike[str] | None = None,
    seed: int = 1,
    jobs: int = 0,
    timeout: float | None = None,
    progress: ProgressOption = None,
) -> Learned:
    """Learns rules that entail the positive examples and no negative one.

    A world is `Facts` with examples, the path of a task, or what `Facts` takes,
    with ``positive`` and ``negative`` examples of the first world; several
    worlds share the rules. Of a data frame or the file of a table, ``label`` is
    the column to learn, ``key`` the one that names the rows, and ``columns`` are
    those to use (`Facts.from_table`, `Facts.read`).

    ``templates`` is a text or a file in one of the three notations; without
    templates rules are searched from small to large. ``closed_world``: what is
    not listed is false. ``noise`` "on": examples may be wrong; "off": everything
    must fit. ``constants`` "on": rules may name constants from the start; "off":
    only in comparisons. The same seed gives the same rules, whatever ``jobs``.

    Ctrl-C ends the run and returns the best so far, with a warning.
    """
    if not worlds:
        raise TypeError("learn() needs facts: learn(facts, positive=..., ...)")
    handles = [as_world(w, key, label, columns)._handle.copy() for w in worlds]
    _add_examples(handles[0], positive, negative)
    if not any(h.example_count() for h in handles):
        raise errors.InputError(
            "no examples to learn from; give positive= and negative=, or facts that "
            "have examples; without examples compress() finds the theory behind facts"
        )
    _add_templates(handles[0], templates)
    opt = _c.ffi.new("pith_learn_options *")
    _c.lib.pith_learn_defaults(opt)
    given = {
        "max_rules": max_rules, "max_body": max_body, "max_vars": max_vars,
        "max_invented": max_invented,
        "constants": _calls.choice("constants", constants, _CONSTANTS) > 0,
        "no_constants": _calls.choice("constants", constants, _CONSTANTS) < 0,
        "keep": keep, "restarts": restarts, "epochs": epochs, "steps": steps,
        "rate": rate, "search": search,
    }  # fmt: skip
    _calls.set_options(opt, given)
    opt.method = _calls.choice("method", method, _calls.METHODS)
    opt.noise = _calls.choice("noise", noise, _calls.NOISE)
    opt.semantics = _calls.choice("semantics", semantics, _calls.SEMANTICS)
    _calls.set_run(opt.run, seed, jobs, timeout)
    kept_path = _calls.path_text(checkpoint)
    opt.checkpoint = kept_path
    if closed_world:
        for handle in handles:
            with handle:
                handle.close_world(2000, seed)
    return _run_learner(handles, opt, progress)


_CONSTANTS = {"auto": 0, "on": 1, "off": -1}


def _add_examples(handle: _c.Handle, positive: Examples, negative: Examples) -> None:
    Adder(handle, True, "positive").add(positive)
    Adder(handle, False, "negative").add(negative)


def _add_templates(handle: _c.Handle, templates: str | os.PathLike[str] | None) -> None:
    """None keeps those that the task has; "" or "none" forgets them."""
    if templates is None:
        return
    with handle:
        handle.clear_templates()
    if isinstance(templates, str) and templates.strip() in ("", "none"):
        return
    options = {"format": "templates"}
    if isinstance(templates, str) and ("\n" in templates or "(" in templates):
        handle.read_text("templates", templates, options)
    else:
        handle.read(os.fspath(templates), options)


def _run_learner(
    handles: list[_c.Handle], opt: Any, progress: ProgressOption
) -> Learned:
    lib, ffi = _c.lib, _c.ffi
    first = handles[0]
    out = ffi.new("pith_learned **")
    with Reporter(progress) as report:
        pointers = [h.__enter__() for h in handles]
        try:
            worlds = ffi.new("pith *[]", pointers)
            watch = _calls.Watch(report)
            watch.attach(opt.run)
            status = watch.call(lib.pith_learn, worlds, len(pointers), opt, out)
            first.check(status)
            learned = _collect(handles, out[0], watch, status)
            learned.curve = report.curve
        finally:
            lib.pith_learned_free(out[0])
            for handle in handles:
                handle.__exit__()
    _c.log.info("%d rules, %s", len(learned), learned.ended)
    return learned


def _collect(
    handles: list[_c.Handle], found: Any, watch: _calls.Watch, status: int
) -> Learned:
    lib = _c.lib
    count = lib.pith_learned_count(found)
    if count == 0:
        if watch.interrupted:
            raise KeyboardInterrupt
        raise errors.LimitError("it ended before anything was learned")
    ended = watch.ended(status)
    best = Learned(_fitted_rules(handles, found))
    best._take_info(lib.pith_learned_info(found, 0))
    best.theories = [
        best,
        *(_other_theory(handles[0], found, i) for i in range(1, count)),
    ]
    best.wrong = [a for h in handles for a in _wrong_examples(h)]
    best.hardly_decided = _hardly_decided(handles[0], found)
    best.ended = ended
    best.seconds = watch.seconds
    best.restarts = int(lib.pith_learned_restarts(found))
    best.epochs = int(lib.pith_learned_epochs(found))
    return best


def _hardly_decided(handle: _c.Handle, found: Any) -> HardlyDecided | None:
    lib, ffi = _c.lib, _c.ffi
    weak = lib.pith_learned_weakest(found, 0)
    if weak == ffi.NULL:
        return None
    whole = weak.shorter == ffi.NULL
    return HardlyDecided(
        rule=int(weak.rule),
        atom=None if whole else int(weak.atom),
        shorter=None if whole else handle.rule_from(weak.shorter),
        bits=float(weak.bits),
        wrong=int(weak.wrong),
    )


def _other_theory(handle: _c.Handle, found: Any, i: int) -> LearnedTheory:
    lib = _c.lib
    info = lib.pith_learned_info(found, i)
    theory = LearnedTheory(
        handle.rule_from(lib.pith_learned_rule(found, i, r)) for r in range(info.rules)
    )
    theory._take_info(info)
    return theory


def _fitted_rules(handles: list[_c.Handle], found: Any) -> list[Rule]:
    """The best theory's rules, counted in all worlds together."""
    lib, ffi = _c.lib, _c.ffi
    opt = ffi.new("pith_infer_options *")
    lib.pith_infer_defaults(opt)
    opt.examples = True
    given = []
    for handle in handles:
        p = handle._pointer
        given.append(lib.pith_rule_count(p))
        handle.check(lib.pith_learned_adopt(found, 0, p))
        handle.check(lib.pith_infer(p, opt, ffi.NULL))
    rules = []
    for r in range(lib.pith_learned_info(found, 0).rules):
        figures = _counted(handles, [g + r for g in given])
        figures["similarity"] = _calls.number_or_none(
            lib.pith_learned_similarity(found, 0, r)
        )
        raw = lib.pith_rule_at(handles[0]._pointer, given[0] + r)
        rules.append(handles[0].rule_from(raw, **figures))
    return rules


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _counted(handles: list[_c.Handle], numbers: list[int]) -> dict[str, Any]:
    support = predictions = pca = observed = 0
    labelled = False
    for handle, number in zip(handles, numbers):
        counts = _c.ffi.new("pith_counts *")
        p = handle._pointer
        rule = _c.lib.pith_rule_at(p, number)
        handle.check(_c.lib.pith_rule_labelled(p, rule, counts))
        support += counts.support
        predictions += counts.predictions
        pca += counts.pca_predictions
        observed += counts.observed
        labelled |= counts.pca_confidence != counts.pca_confidence
    return {
        "support": support,
        "predictions": predictions,
        "confidence": _ratio(support, predictions) if observed else None,
        "pca_confidence": None if labelled else _ratio(support, pca),
        "head_coverage": _ratio(support, observed),
    }


def _wrong_examples(handle: _c.Handle) -> list[Atom]:
    wrong = []
    for i in range(_c.lib.pith_example_count(handle._pointer)):
        e = _c.lib.pith_example_at(handle._pointer, i)
        holds = _c.lib.pith_fact_holds(
            handle._pointer, e.atom.pred, e.atom.args, e.atom.arity
        )
        if bool(holds) != bool(e.positive):
            wrong.append(handle.atom_from(e.atom, {}))
    return wrong


# ---- compress -------------------------------------------------------------


@dataclass(frozen=True)
class Invented:
    """A predicate that no observation names, and where it comes from."""

    name: str
    arity: int
    about: str


class Compressed(Theory):
    """Rules and core facts from which the observations follow.

    ``core``: the facts that are stated; ``extra``: those that follow though they
    were not observed; ``missing``: those observed that do not follow. ``exact``:
    neither are there any. ``minimal``: proved that no core for these rules has
    fewer facts. ``by`` is what found the rules: "search", "gradient" or "none".
    """

    __slots__ = (
        "bits_after", "bits_before", "bound", "by", "core", "curve", "ended",
        "exact", "extra", "invented", "minimal", "missing", "observed", "seconds",
    )  # fmt: skip

    core: Facts
    extra: Facts
    missing: Facts
    invented: list[Invented]
    observed: int
    exact: bool
    minimal: bool
    bound: int | None
    bits_before: float
    bits_after: float
    by: str
    ended: str
    seconds: float
    curve: list[Progress]

    def __str__(self) -> str:
        core = self.core.to_text().rstrip("\n")
        return "\n".join(filter(None, [core, super().__str__()]))

    def __repr__(self) -> str:
        return (
            f"<Compressed: {_values.counted(self.observed, 'fact')} to "
            f"{_values.counted(len(self), 'rule')} and "
            f"{_values.counted(self.core.count, 'core fact')}>\n{Theory.__str__(self)}"
        )

    def _repr_html_(self) -> str:
        from . import _html

        return _html.compressed_html(self)

    def __reduce__(self) -> Any:
        figures = {n: getattr(self, n) for n in Compressed.__slots__}
        return _rebuild, (Compressed, tuple(self), figures)


def compress(
    facts: FactsLike,
    *,
    templates: str | os.PathLike[str] | None = None,
    method: str = "auto",
    max_body: int | None = None,
    max_rules: int | None = None,
    max_invented: int | None = None,
    noise: str = "auto",
    types: bool = True,
    open: bool = False,
    restarts: int | None = None,
    epochs: int | None = None,
    steps: int | None = None,
    rate: float | None = None,
    semantics: str = "best",
    seed: int = 1,
    jobs: int = 0,
    timeout: float | None = None,
    progress: ProgressOption = None,
) -> Compressed:
    """Finds the theory behind observed facts: rules, and core facts.

    Together they entail the observations and, as far as possible, nothing else,
    with the fewest bits.

    >>> import pith
    >>> spouses = [("a", "b"), ("b", "a"), ("c", "d"), ("d", "c"), ("e", "f"),
    ...            ("f", "e"), ("g", "h"), ("h", "g"), ("i", "j"), ("j", "i")]
    >>> theory = pith.compress({"married": spouses})
    >>> print(theory[0], theory.core.count, theory.exact)
    married(X,Y) :- married(Y,X). 5 True
    """
    lib = _c.lib
    handle = as_facts(facts)._handle.copy()
    _add_templates(handle, templates)
    opt = _c.ffi.new("pith_compress_options *")
    lib.pith_compress_defaults(opt)
    given = {
        "max_body": max_body, "max_rules": max_rules, "max_invented": max_invented,
        "types": types, "open": open, "restarts": restarts, "epochs": epochs,
        "steps": steps, "rate": rate,
    }  # fmt: skip
    _calls.set_options(opt, given)
    opt.method = _calls.choice("method", method, _calls.METHODS)
    opt.noise = _calls.choice("noise", noise, _calls.NOISE)
    opt.semantics = _calls.choice("semantics", semantics, _calls.SEMANTICS)
    _calls.set_run(opt.run, seed, jobs, timeout)
    out = _c.ffi.new("pith_compressed **")
    with handle.long_call() as p, Reporter(progress) as report:
        watch = _calls.Watch(report)
        watch.attach(opt.run)
        try:
            status = watch.call(lib.pith_compress, p, opt, out)
            handle.check(status)
            if out[0] == _c.ffi.NULL:
                raise KeyboardInterrupt
            compressed = _compressed_of(handle, out[0])
        finally:
            lib.pith_compressed_free(out[0])
        compressed.ended = watch.ended(status)
        compressed.seconds = watch.seconds
        compressed.curve = report.curve
    return compressed


def _compressed_of(handle: _c.Handle, found: Any) -> Compressed:
    lib = _c.lib
    info = lib.pith_compressed_info(found)
    rules = []
    for i in range(info.rules):
        counts = lib.pith_compressed_counts(found, i)
        rules.append(
            handle.rule_from(
                lib.pith_compressed_rule(found, i),
                support=int(counts.support),
                predictions=int(counts.predictions),
                confidence=_calls.number_or_none(counts.confidence),
                pca_confidence=_calls.number_or_none(counts.pca_confidence),
                head_coverage=_calls.number_or_none(counts.head_coverage),
            )
        )
    made = Compressed(rules)
    made.core = _compressed_part(handle, found, lib.PITH_CORE)
    made.extra = _compressed_part(handle, found, lib.PITH_EXTRA)
    made.missing = _compressed_part(handle, found, lib.PITH_MISSING)
    made.invented = _invented(handle, found)
    made.observed = int(info.observed)
    made.exact = bool(info.exact)
    made.minimal = bool(info.minimal)
    made.bound = int(info.bound) or None
    made.bits_before = float(info.bits_before)
    made.bits_after = float(info.bits_after)
    made.by = _values.text_of(info.by)
    return made


def _compressed_part(handle: _c.Handle, found: Any, part: int) -> Facts:
    alone = _c.Handle()
    add = _c.lib.pith_py_compressed_facts
    alone.check(add(handle._pointer, found, part, alone._pointer))
    return Facts._of(alone)


def _invented(handle: _c.Handle, found: Any) -> list[Invented]:
    about = _c.ffi.new("const char **")
    made: list[Invented] = []
    while True:
        pred = _c.lib.pith_compressed_invented(found, len(made), about)
        if pred == _c.NONE:
            return made
        name, arity = handle.pred_name(pred)
        made.append(Invented(name, arity, _values.text_of(about[0])))
