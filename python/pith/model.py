"""Graph models: which further facts are likely, and why.

>>> import pith
>>> facts = {"in": [("lyon", "france"), ("nice", "france"), ("rome", "italy"),
...                 ("pisa", "italy"), ("bari", "italy")],
...          "country": [("ann", "france"), ("bob", "italy"), ("cleo", "italy"),
...                      ("dan", "france")],
...          "home": [("ann", "lyon"), ("bob", "rome"), ("cleo", "pisa"),
...                   ("dan", "nice"), ("eve", "bari")]}
>>> model = pith.Model(target="country", support=1, confidence=0).fit(facts)
>>> [a.constant for a in model.predict("country(eve,X)", k=1)]
['italy']
"""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Union

from . import _c, _calls, _values, errors
from .facts import Facts, FactsLike, as_facts
from .progress import Progress, ProgressOption, Reporter
from .terms import Atom, Compound, Constant, Rule, Var
from .theory import Theory

__all__ = ["Answer", "Model", "Ranks", "Reason"]

Query = Union[str, Atom]


@dataclass(frozen=True)
class Answer:
    """An answer to a query: the constant, and how sure the model is of it."""

    constant: Constant
    probability: float
    score: float
    rules: int
    atom: Atom


@dataclass(frozen=True)
class Reason:
    """A rule that predicts an answer, with one grounding of its body.

    ``groundings`` is how many there are; ``weight``, of weighted chains, what
    the rule adds to the log-odds.
    """

    rule: Rule
    grounding: tuple[Atom, ...]
    groundings: int
    confidence: float
    weight: float | None

    def __str__(self) -> str:
        atoms = ", ".join(map(str, self.grounding))
        more = f", and {self.groundings - 1} more" if self.groundings > 1 else ""
        return f"{self.rule}  as {atoms}{more}"


@dataclass(frozen=True)
class Ranks:
    """How high held-out facts are ranked, filtered, ties by mean rank."""

    questions: int
    mrr: float | None
    hits1: float | None
    hits3: float | None
    hits10: float | None
    mean_rank: float | None
    object: Ranks | None = None
    subject: Ranks | None = None
    unreached: int = 0
    unknown: int = 0
    calibration_error: float | None = None
    brier: float | None = None

    def __str__(self) -> str:
        lines = [f"{'':8}{'questions':>9}    MRR  hits@1  hits@3  hits@10  mean rank"]
        sides = {"object": self.object, "subject": self.subject, "both": self}
        for name, side in sides.items():
            if side is not None:
                lines.append(f"{name:8}{side.questions:9}{side._figures()}")
        return "\n".join(lines)

    def _figures(self) -> str:
        figures = (self.mrr, self.hits1, self.hits3, self.hits10, self.mean_rank)
        shown = ["-" if x is None else f"{x:.3f}" for x in figures]
        return "".join(x.rjust(width) for x, width in zip(shown, (7, 8, 8, 9, 11)))

    def _repr_html_(self) -> str:
        from . import _html

        return _html.ranks_html(self)


class Model:
    """Rules with probabilities that say which links of a graph are missing.

    ``target`` is the one relation to learn, None all of them. ``method`` is
    "rules", "chains" or "soft"; "auto" takes chains where the target has
    examples, else rules. docs/ranking.md explains them. ``all_rules`` keeps every
    rule that was found, not only the few that rank held-out facts nearly as well;
    ``checkpoint`` is a file from which the same call goes on where it was ended.
    """

    def __init__(
        self,
        target: str | None = None,
        *,
        method: str = "auto",
        max_body: int | None = None,
        max_rules: int | None = None,
        support: int | None = None,
        confidence: float | None = None,
        all_rules: bool = False,
        checkpoint: str | os.PathLike[str] | None = None,
        semantics: str = "best",
        epochs: int | None = None,
        rate: float | None = None,
        seed: int = 1,
        jobs: int = 0,
        timeout: float | None = None,
    ) -> None:
        self.target = target
        self._words = {"method": method, "semantics": semantics}
        self._options = {
            "max_body": max_body, "max_rules": max_rules, "support": support,
            "confidence": confidence, "all_rules": all_rules, "epochs": epochs,
            "rate": rate,
        }  # fmt: skip
        self._checkpoint = checkpoint
        self._run = (seed, jobs, timeout)
        self.ended = ""
        self.seconds = 0.0
        self.curve: list[Progress] = []
        self.info: dict[str, Any] = {}
        self._text = ""
        self._facts: Facts | None = None
        self._learned: tuple[_c.Handle, Any] | None = None
        self._loaded: tuple[_c.Handle, Any] | None = None
        self._counts: list[tuple[int, int]] = []
        self._rules: Theory | None = None

    # ---- learning ----

    def fit(
        self,
        facts: FactsLike,
        valid: FactsLike | None = None,
        *,
        progress: ProgressOption = None,
    ) -> Model:
        """Learns from the binary facts of a graph.

        ``valid``: held-out facts that say how far to trust which rule; without
        them one fact in ten is set aside for that. The valid file of a
        train/valid/test folder is found by itself.
        """
        graph = as_facts(facts)
        held_out = _part_of(facts, "valid") if valid is None else as_facts(valid)
        handle = graph._handle.copy()
        opt = self._learn_options(handle)
        kept_path = _calls.path_text(self._checkpoint)
        opt.checkpoint = kept_path
        lib, ffi = _c.lib, _c.ffi
        out = ffi.new("pith_model **")
        with handle.long_call() as p, Reporter(progress) as report:
            watch = _calls.Watch(report)
            watch.attach(opt.run)
            beside = held_out._handle.copy() if held_out is not None else None
            other = beside._pointer if beside is not None else ffi.NULL
            status = watch.call(lib.pith_model_learn, p, other, opt, out)
            model = handle.own_model(out[0])
            handle.check(status)
            info = lib.pith_model_info_of(model) if model else None
            if info is None or (watch.interrupted and not _has_rules(info)):
                self._nothing_learned(watch)
            self._take(handle, model)
            self.ended = watch.ended(status)
            self.seconds = watch.seconds
            self.curve = report.curve
        self._facts = graph
        _c.log.info("model of %d rules, %s", self.info["rules"], self.ended)
        return self

    @staticmethod
    def _nothing_learned(watch: _calls.Watch) -> None:
        if watch.interrupted:
            raise KeyboardInterrupt
        raise errors.LimitError("it ended before anything was learned")

    def _learn_options(self, handle: _c.Handle) -> Any:
        opt = _c.ffi.new("pith_model_options *")
        _c.lib.pith_model_defaults(opt)
        _calls.set_options(opt, self._options)
        opt.method = _calls.choice("method", self._words["method"], _calls.MODELS)
        opt.semantics = _calls.choice(
            "semantics", self._words["semantics"], _calls.SEMANTICS
        )
        _calls.set_run(opt.run, *self._run)
        if self.target is not None:
            with handle:
                opt.target = handle.find_pred(self.target, 2)
            if opt.target == _c.NONE:
                raise errors.ArgumentError(
                    f"target: there is no {self.target}/2 among the facts; "
                    f"there are: {_pairs_of(handle)}"
                )
        return opt

    def _take(self, handle: _c.Handle, model: Any) -> None:
        """What was learned; the rest is done at the first use, after the run."""
        lib = _c.lib
        info = lib.pith_model_info_of(model)
        if not _has_rules(info):
            raise errors.InputError(
                "no rule has enough support and confidence; give more facts, "
                "or a lower support= and confidence="
            )
        self._loaded = self._rules = None
        names = {number: word for word, number in _calls.MODELS.items()}
        self.info = {
            name: int(getattr(info, name))
            for name in ("entities", "relations", "facts", "rules", "chains")
        }
        self.info["method"] = names[info.method]
        for name in ("mrr", "bias", "loss", "average_precision"):
            self.info[name] = _calls.number_or_none(getattr(info, name))
        self._learned = handle, model

    @property
    def text(self) -> str:
        """The model as the command writes it; without the graph."""
        if self._learned is not None:
            self._write_out(*self._learned)
        return self._text

    def _write_out(self, handle: _c.Handle, model: Any) -> None:
        def write(_: Any, out: Any) -> int:
            return int(_c.lib.pith_model_write(model, False, out))

        with handle:
            self._counts, self._text = _counts_of(model), handle.written(write)
        self._learned = None

    def _read(self, others: Iterable[Facts], graph: Facts) -> tuple[_c.Handle, Any]:
        handle = graph._handle.copy()
        handle.read_text("model", self.text, {"format": "prolog"})
        beside = [o._handle.copy() for o in others]
        out = _c.ffi.new("pith_model **")
        with handle as p:
            pointers = _c.ffi.new("pith *[]", [b._pointer for b in beside] or 1)
            read = _c.lib.pith_model_read
            handle.check(handle.stoppable(read, p, pointers, len(beside), out))
            model = handle.own_model(out[0])
        return handle, model

    def _fitted(self) -> Facts:
        if self._facts is None:
            raise errors.ArgumentError("the model knows nothing yet; call fit() first")
        return self._facts

    def _ready(self) -> tuple[_c.Handle, Any]:
        """The model as the command would read it: rules and graph together."""
        graph = self._fitted()
        loaded = self._loaded
        if loaded is None:
            loaded = self._loaded = self._read((), graph)
        return loaded

    # ---- files ----

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes what the command reads as a model; the graph is not in it."""
        self._fitted()
        handle = _c.Handle()
        data = self.text.encode()
        with handle:
            handle.write_file(
                os.fspath(path),
                lambda _, o: _c.lib.pith_out_write(o, data, len(data)),
            )

    @classmethod
    def load(cls, path: str | os.PathLike[str], facts: FactsLike) -> Model:
        """A model that the command or `save` wrote, and its graph."""
        with open(path, encoding="utf-8") as file:
            return cls.parse(file.read(), facts)

    @classmethod
    def parse(cls, text: str, facts: FactsLike) -> Model:
        """The same from a text."""
        made = cls()
        made._text = text
        made._facts = as_facts(facts)
        made._ready()
        return made

    def __getstate__(self) -> dict[str, Any]:
        self._text = self.text
        state = dict(self.__dict__)
        state["_loaded"] = None
        return state

    # ---- asking ----

    @property
    def graph(self) -> Facts:
        """The facts that the model was fitted to."""
        return self._fitted()

    @property
    def rules(self) -> Theory:
        """The rules, each with its confidence as probability."""
        if self._rules is None:
            handle, model = self._ready()
            with handle:
                self._rules = Theory(_rules_of(handle, model, self._counts))
        return self._rules

    def predict(self, query: Query, k: int = 10) -> list[Answer]:
        """The likeliest answers to ``likes(ann,X)`` that are not facts yet."""
        handle, model = self._ready()
        ffi, lib = _c.ffi, _c.lib
        k = _calls.whole("k", k, 0, 2**64 - 1)
        found, count = ffi.new("pith_answer **"), ffi.new("size_t *")
        keep: list[Any] = []
        with handle as p:
            atom = handle.query(query, keep)
            name, args = self._open_query(handle, atom)
            ask = lib.pith_model_ask
            handle.check(handle.stoppable(ask, model, atom, k, found, count))
            del p
            return [_answer(handle, found[0][i], name, args) for i in range(count[0])]

    @staticmethod
    def _open_query(handle: _c.Handle, atom: Any) -> tuple[str, list[Any]]:
        name, _ = handle.pred_name(atom.pred)
        args: list[Any] = []
        for i in range(atom.arity):
            term = atom.args[i]
            args.append(None if term & _c.VARIABLE else handle.constant(term))
        return name, args

    def rank(self, query: Query, answer: Constant) -> int | None:
        """The place of an answer, from 1; None: no rule speaks for it."""
        answers = self.predict(query, 2**62)
        for i, found in enumerate(answers):
            if (type(found.constant), found.constant) == (type(answer), answer):
                return i + 1
        return None

    def probability(self, atoms: Iterable[Any]) -> list[float]:
        """How probable each of some binary atoms is."""
        handle, model = self._ready()
        examples = Facts(positive=atoms)
        with examples._handle as e, handle:
            n = examples._handle.example_count()
            out = _c.ffi.new("double[]", max(n, 1))
            handle.check(handle.stoppable(_c.lib.pith_model_grade, model, e, out))
            return [float(out[i]) for i in range(n)]

    def explain(self, query: Query, answer: Constant, most: int = 5) -> list[Reason]:
        """The rules that predict an answer, the strongest first."""
        handle, model = self._ready()
        most = _calls.whole("most", most, 0, 2**64 - 1)
        keep: list[Any] = []
        with handle as p:
            sym = handle.find_sym(answer)
            if sym == _c.NONE:
                return []
            atom = handle.query(query, keep)
            text = handle.written(
                lambda _, o: _c.lib.pith_py_model_reasons(p, model, atom, sym, most, o)
            )
        return [
            _reason(json.loads(line, parse_float=Decimal)) for line in text.splitlines()
        ]

    def evaluate(
        self,
        test: FactsLike | None = None,
        known: FactsLike | None = None,
        *,
        progress: ProgressOption = None,
    ) -> Ranks:
        """How high held-out facts are ranked among all constants.

        Every fact asks for its object and its subject; other answers known to
        be true, in the graph, in test or in known, do not count.
        """
        graph = self._fitted()
        if test is None:
            raise TypeError("evaluate() needs the held-out facts")
        lib, ffi = _c.lib, _c.ffi
        held = _part_of(test, "test") or as_facts(test)
        beside = as_facts(known) if known is not None else _part_of(test, "valid")
        others = [held] if beside is None else [held, beside]
        handle, model = self._read(others, graph)
        run = ffi.new("pith_run *")
        out = ffi.new("pith_model_scores *")
        _calls.set_run(run, 1, self._run[1], None)
        with (
            handle.long_call(),
            held._handle.long_call() as asked,
            nullcontext(ffi.NULL) if beside is None else beside._handle as other,
            Reporter(progress) as report,
        ):
            watch = _calls.Watch(report)
            watch.attach(run)
            status = watch.call(lib.pith_model_score, model, asked, other, run, out)
            if status == lib.PITH_ELIMIT and watch.interrupted:
                raise KeyboardInterrupt
            handle.check(status)
        return _all_ranks(out)

    def __repr__(self) -> str:
        if self._facts is None:
            return "<Model: not fitted>"
        target = f"{self.target}, " if self.target else ""
        return f"<Model: {target}{_values.counted(len(self.rules), 'rule')}>"

    def _repr_html_(self) -> str:
        from . import _html

        return _html.theory_html(self.rules)


def _part_of(data: object, part: str) -> Facts | None:
    """The valid or test file of a graph's folder."""
    if not isinstance(data, (str, os.PathLike)) or not os.path.isdir(data):
        return None
    handle = _c.Handle()
    found = handle.read_part(os.fspath(data), part, {})
    return Facts._of(handle) if found else None


def _pairs_of(handle: _c.Handle) -> str:
    """The first relations of two places, for a message."""
    found = handle.relations(_c.GIVEN)
    names = [f"{name}/{arity}" for name, arity, _ in found if arity == 2]
    shown = ", ".join(names[:5]) or "none of two places"
    hint = "; of triples (subject, relation, object): Facts.from_triples(triples)"
    return shown + ("" if names and len(names) <= 5 else f", ...{hint}")


def _has_rules(info: Any) -> bool:
    return bool(info.rules + info.chains)


def _raw_rules(model: Any) -> Iterator[Any]:
    for i in itertools.count():
        raw = _c.lib.pith_model_rule_at(model, i)
        if raw == _c.ffi.NULL:
            return
        yield raw


def _counts_of(model: Any) -> list[tuple[int, int]]:
    """Support and predictions of each rule, which the text of a model has not."""
    return [(int(raw.support), int(raw.predictions)) for raw in _raw_rules(model)]


def _rules_of(
    handle: _c.Handle, model: Any, counts: list[tuple[int, int]]
) -> list[Rule]:
    found: list[Rule] = []
    for raw, (support, predictions) in zip(
        _raw_rules(model), itertools.chain(counts, itertools.repeat((0, 0)))
    ):
        figures = {
            "support": support or None,
            "predictions": predictions or None,
            "confidence": float(raw.rule.probability) or None,
            "weight": _calls.number_or_none(raw.weight),
        }
        found.append(handle.rule_from(raw.rule, **figures))
    return found


def _answer(handle: _c.Handle, raw: Any, name: str, args: list[Any]) -> Answer:
    constant = handle.constant(raw.answer)
    return Answer(
        constant=constant,
        probability=float(raw.probability),
        score=float(raw.score),
        rules=int(raw.rules),
        atom=Atom(name, *(constant if a is None else a for a in args)),
    )


# ---- what C wrote as JSON -------------------------------------------------


def _term(value: Any, singles: list[None]) -> Any:
    if isinstance(value, dict):
        if "term" in value:
            return Compound(value["term"])
        if value["var"] == "_":
            singles.append(None)
            return Var(f"_{len(singles)}")
        return Var(value["var"])
    if isinstance(value, Decimal):
        return _values.constant_value(str(value), _c.lib.PITH_NUMBER)
    return value


def _atom(event: dict[str, Any], singles: list[None]) -> Atom:
    args = [_term(a, singles) for a in event["args"]]
    return Atom(event["predicate"], *args, negated=event.get("negated", False))


def _reason(event: dict[str, Any]) -> Reason:
    rule, singles = event["rule"], list[None]()
    weight = event.get("weight")
    return Reason(
        rule=Rule(
            _atom(rule["head"], singles),
            [_atom(a, singles) for a in rule["body"]],
            probability=float(rule["probability"]) if "probability" in rule else None,
        ),
        grounding=tuple(_atom(a, []) for a in event["atoms"]),
        groundings=int(event["groundings"]),
        confidence=float(event["confidence"]),
        weight=None if weight is None else float(weight),
    )


# ---- ranks ----------------------------------------------------------------


def _ranks(raw: Any, **more: Any) -> Ranks:
    names = ("mrr", "hits1", "hits3", "hits10", "mean_rank")
    figures: dict[str, Any] = {n: _calls.number_or_none(getattr(raw, n)) for n in names}
    return Ranks(questions=int(raw.questions), **figures, **more)


def _all_ranks(raw: Any) -> Ranks:
    return _ranks(
        raw.all,
        object=_ranks(raw.object),
        subject=_ranks(raw.subject),
        unreached=int(raw.unreached),
        unknown=int(raw.unknown),
        calibration_error=_calls.number_or_none(raw.calibration.calibration_error),
        brier=_calls.number_or_none(raw.calibration.brier),
    )
