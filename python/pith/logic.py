"""What follows, why, and how well it fits.

>>> import pith
>>> rules = "reach(X,Y) :- edge(X,Y). reach(X,Y) :- edge(X,Z), reach(Z,Y)."
>>> facts = {"edge": [("a", "b"), ("b", "c")]}
>>> closure = pith.infer(rules, facts)
>>> list(closure.derived["reach"])
[('a', 'b'), ('b', 'c'), ('a', 'c')]
>>> print(closure.explain("reach(a,c)"))
reach(a,c)  by reach(X,Y) :- edge(X,Z), reach(Z,Y).
  edge(a,b)  given
  reach(b,c)  by reach(X,Y) :- edge(X,Y).
    edge(b,c)  given
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from . import _c, _calls, _text, _values, errors
from .facts import Facts, FactsLike, as_facts, as_world
from .progress import ProgressOption, Reporter
from .terms import Atom, Rule
from .theory import Theory, TheoryLike, as_theory

__all__ = ["Closure", "Proof", "Score", "explain", "infer", "score"]


# ---- inference ------------------------------------------------------------


class Closure(Facts):
    """Facts with all that follows from them: `given`, `derived`, or both.

    ``complete`` says that nothing more follows; if not, ``ended`` says what cut
    it short: "steps", "facts", "timeout" or "interrupted".
    """

    __slots__ = ("complete", "ended", "rounds", "seconds", "theory")

    theory: Theory
    complete: bool
    ended: str
    rounds: int
    seconds: float

    @property
    def given(self) -> Facts:
        """What was given."""
        return Facts._of(self._handle, _c.GIVEN, view=True)

    @property
    def derived(self) -> Facts:
        """What follows and was not given."""
        return Facts._of(self._handle, _c.DERIVED, view=True)

    def query(self, query: str | Atom) -> list[Atom]:
        """The facts that match an atom with variables, or have a name.

        >>> import pith
        >>> closure = pith.infer([], {"edge": [("a", "b"), ("b", "c")]})
        >>> [str(a) for a in closure.query("edge(X,c)")]
        ['edge(b,c)']
        >>> len(closure.query("edge"))
        2
        """
        atom = Atom.parse(query) if isinstance(query, str) else query
        if not isinstance(atom, Atom):
            raise TypeError(f"expected an Atom or its text, not {query!r}")
        if atom.negated:
            raise errors.ArgumentError(
                f"{query}: facts are what holds; ask for it without the negation"
            )
        if atom.arity == 0:  # a name by itself
            return [fact for fact in self.atoms() if fact.predicate == atom.predicate]
        key = f"{atom.predicate}/{atom.arity}"
        relation: Iterable[Any] = self.get(key, ())
        return [Atom(atom.predicate, *r) for r in relation if _matches(atom, r)]

    def get(self, key: str, default: Any = None) -> Any:
        """The relation of a name, or the default."""
        try:
            return self[key]
        except KeyError:
            return default

    def explain(self, atom: str | Atom) -> Proof:
        """Why an atom holds, or why it does not."""
        return _explain(self._handle, atom)

    def score(self) -> Score:
        """How well what follows fits the examples."""
        return _score(self._handle)

    def __repr__(self) -> str:
        with self._handle:
            given = self._handle.count(_c.NONE, _c.GIVEN)
            derived = self._handle.count(_c.NONE, _c.DERIVED)
        end = "nothing more follows" if self.complete else f"ended by {self.ended}"
        return f"<Closure: {given} given, {derived} derived; {end}>"

    def __reduce__(self) -> Any:
        figures = (self.complete, self.ended, self.rounds, self.seconds)
        return _infer_again, (self.theory, self.given._alone(), figures)


def _infer_again(theory: Theory, facts: Facts, figures: Any) -> Closure:
    """A closure that was pickled; one that was cut short has its whole rounds."""
    complete, ended, rounds, seconds = figures
    again = infer(theory, facts, False, steps=None if complete else rounds)
    again.complete, again.ended = complete, ended
    again.rounds, again.seconds = rounds, seconds
    return again


def _matches(atom: Atom, row: tuple[Any, ...]) -> bool:
    bound: dict[Any, Any] = {}
    for term, value in zip(atom.args, row):
        if hasattr(term, "name") and not isinstance(term, str):
            if bound.setdefault(term, value) != value:
                return False
        elif (type(term), term) != (type(value), value):
            return False
    return True


def infer(
    theory: TheoryLike,
    facts: FactsLike = (),
    progress: ProgressOption = None,
    *,
    steps: int | None = None,
    max_facts: int | None = None,
    timeout: float | None = None,
) -> Closure:
    """Everything that follows from rules and facts, exactly.

    The facts may have rules of their own; they count as well. ``steps`` applies
    all rules that many times and no more.
    """
    rules = as_theory(theory)
    given = as_facts(facts)
    handle = _with_rules(rules, given)
    watch, info = _run_inference(handle, progress, steps, max_facts, timeout)
    if watch.interrupted and not info.complete:
        watch.warn()
    closure = Closure.__new__(Closure)
    closure._handle = handle
    closure._part = _c.ALL
    closure._view = True
    closure.theory = rules | given.rules
    closure.complete = bool(info.complete)
    closure.rounds = int(info.steps)
    closure.seconds = watch.seconds
    closure.ended = _ending(watch, info, steps, max_facts)
    return closure


def _with_rules(rules: Theory, facts: Facts) -> _c.Handle:
    """Rules and facts together, in the order in which the command reads them."""
    handle = _c.Handle()
    rules.add_to(handle)
    handle.merge(facts._handle)
    facts.rules.add_to(handle)
    return handle


def _run_inference(
    handle: _c.Handle,
    progress: ProgressOption,
    steps: int | None,
    max_facts: int | None,
    timeout: float | None,
) -> tuple[_calls.Watch, Any]:
    opt = _c.ffi.new("pith_infer_options *")
    info = _c.ffi.new("pith_infer_info *")
    _c.lib.pith_infer_defaults(opt)
    _calls.set_options(opt, {"steps": steps, "facts": max_facts})
    _calls.set_run(opt.run, None, 0, timeout)
    with handle.long_call() as p, Reporter(progress) as report:
        watch = _calls.Watch(report)
        watch.attach(opt.run)
        status = watch.call(_c.lib.pith_infer, p, opt, info)
        handle.check(status)
    return watch, info


def _ending(
    watch: _calls.Watch, info: Any, steps: int | None, max_facts: int | None
) -> str:
    if info.complete:
        return "complete"
    if watch.interrupted:
        return "interrupted"
    if max_facts is not None and info.given + info.derived > max_facts:
        return "facts"
    return "steps" if steps is not None and info.steps >= steps else "timeout"


# ---- proofs ---------------------------------------------------------------


class Proof:
    """A proof of the fewest steps as a tree, or why there is none.

    If ``holds``, ``rule`` is the rule that gives the atom (None: it is given)
    and ``children`` are the proofs of its body; ``steps`` is the height of the
    tree and ``size`` the number of rule uses. If not, ``nearest`` is the rule
    that comes nearest, and ``body`` its atoms, each with whether it holds.
    A subtree that is needed twice is one object.
    """

    __slots__ = (
        "_text", "atom", "body", "children", "holds", "nearest", "rule", "steps",
    )  # fmt: skip

    def __init__(
        self,
        atom: Atom,
        holds: bool,
        rule: Rule | None = None,
        children: tuple[Proof, ...] = (),
        *,
        nearest: Rule | None = None,
        body: tuple[tuple[Atom, bool], ...] = (),
        text: str = "",
    ) -> None:
        self.atom = atom
        self.holds = holds
        self.rule = rule
        self.children = children
        self.nearest = nearest
        self.body = body
        self.steps = 0
        if rule is not None:
            self.steps = 1 + max((c.steps for c in children), default=0)
        self._text = text

    @property
    def size(self) -> int:
        """How many rule uses it takes."""
        return sum(1 for node in self.walk() if node.rule is not None)

    def walk(self) -> Iterator[Proof]:
        """The node itself and all below it, each once, before its children."""
        seen: set[int] = set()
        waiting: list[Proof] = [self]
        while waiting:
            node = waiting.pop()
            if id(node) not in seen:
                seen.add(id(node))
                yield node
                waiting += reversed(node.children)

    def __bool__(self) -> bool:
        return self.holds

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Proof) and self._flat() == other._flat()

    def __hash__(self) -> int:
        return hash((self.atom, self.holds, self.rule))

    def _flat(self) -> list[tuple[Any, ...]]:
        """The nodes with the numbers of their children; children come last."""
        nodes = list(self.walk())
        number = {id(node): i for i, node in enumerate(nodes)}
        return [
            (n.atom, n.holds, n.rule, n.nearest, n.body,
             tuple(number[id(c)] for c in n.children))
            for n in nodes
        ]  # fmt: skip

    def __str__(self) -> str:
        if self._text:
            return self._text
        lines = []
        waiting = [(self, 0)]
        while waiting:
            node, depth = waiting.pop()
            how = f"by {node.rule}" if node.rule is not None else "given"
            lines.append(f"{'  ' * depth}{node.atom}  {how}")
            waiting += [(c, depth + 1) for c in reversed(node.children)]
        return "\n".join(lines)

    def __repr__(self) -> str:
        state = _values.counted(self.steps, "step") if self.holds else "does not follow"
        return f"<Proof of {self.atom}: {state}>"

    def __reduce__(self) -> Any:
        return _build, (self._flat(), self._text)

    def to_networkx(self) -> Any:
        """The proof as a networkx.DiGraph, from what is needed to what follows."""
        import networkx

        graph = networkx.DiGraph()
        for node in self.walk():
            graph.add_node(str(node.atom), rule=str(node.rule) if node.rule else None)
            graph.add_edges_from((str(c.atom), str(node.atom)) for c in node.children)
        return graph

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        from . import _html

        return {"text/plain": str(self), "text/html": _html.proof_html(self)}


def _build(parts: list[tuple[Any, ...]], text: str) -> Proof:
    """A proof from (atom, holds, rule, nearest, body, children by number)."""
    made: dict[int, Proof] = {}
    waiting = [0]
    while waiting:
        number = waiting[-1]
        atom, holds, rule, nearest, body, children = parts[number]
        missing = [c for c in children if c not in made]
        if missing:
            waiting += missing
            continue
        waiting.pop()
        made[number] = Proof(
            atom,
            holds,
            rule,
            tuple(made[c] for c in children),
            nearest=nearest,
            body=body,
            text=text if number == 0 else "",
        )
    return made[0]


def explain(atom: str | Atom, theory: TheoryLike, facts: FactsLike = ()) -> Proof:
    """Why an atom holds, or why it does not.

    >>> import pith
    >>> proof = pith.explain("far(a,c)", "far(X,Z) :- near(X,Y), near(Y,Z).",
    ...                      {"near": [("a", "b")]})
    >>> bool(proof), str(proof.nearest)
    (False, 'far(X,Z) :- near(X,Y), near(Y,Z).')
    """
    handle = _with_rules(as_theory(theory), as_facts(facts))
    return _explain(handle, atom)


def _explain(handle: _c.Handle, atom: str | Atom) -> Proof:
    lib, ffi = _c.lib, _c.ffi
    keep: list[Any] = []
    out = ffi.new("pith_proof **")
    with handle as p:
        query = handle.query(atom, keep)
        handle.check(handle.stoppable(lib.pith_explain, p, query, out))
        try:
            event = handle.written(
                lambda p, o: lib.pith_proof_write(p, out[0], lib.PITH_PROOF_JSON, o)
            )
            tree = handle.written(
                lambda p, o: lib.pith_proof_write(p, out[0], lib.PITH_TREE, o)
            )
        finally:
            lib.pith_proof_free(out[0])
    return _proof_of(json.loads(event, parse_float=Decimal), tree.rstrip("\n"))


def _proof_of(event: dict[str, Any], text: str) -> Proof:
    atom = _text.parse_atom(event["atom"])
    if event["holds"]:
        return _proof_tree(event["nodes"], text)
    nearest = event.get("nearest")
    body = tuple(
        (_text.parse_atom(b["atom"]), bool(b["holds"])) for b in event.get("body", ())
    )
    rule = Rule.parse(nearest) if nearest else None
    return Proof(atom, False, nearest=rule, body=body, text=text)


def _proof_tree(nodes: list[Mapping[str, Any]], text: str) -> Proof:
    rules: dict[str, Rule] = {}
    for node in nodes:
        if "rule" in node and node["rule"] not in rules:
            rules[node["rule"]] = Rule.parse(node["rule"])
    place = {node["node"]: i for i, node in enumerate(nodes)}
    parts = [
        (
            _text.parse_atom(node["atom"]),
            True,
            rules[node["rule"]] if "rule" in node else None,
            None,
            (),
            tuple(place[c] for c in node.get("from", ())),
        )
        for node in nodes
    ]
    return _build(parts, text)


# ---- scores ---------------------------------------------------------------


@dataclass(frozen=True)
class Score:
    """How rules fit examples; a figure that is 0/0 is None."""

    tp: int
    fp: int
    tn: int
    fn: int
    accuracy: float | None
    precision: float | None
    recall: float | None
    f1: float | None

    @property
    def errors(self) -> int:
        """How many examples do not fit."""
        return self.fp + self.fn

    def __str__(self) -> str:
        def shown(x: float | None) -> str:
            return "-" if x is None else f"{x:.3f}"

        return (
            f"tp {self.tp}, fp {self.fp}, tn {self.tn}, fn {self.fn}\n"
            f"accuracy {shown(self.accuracy)}, precision {shown(self.precision)}, "
            f"recall {shown(self.recall)}, F1 {shown(self.f1)}"
        )

    def _repr_html_(self) -> str:
        from . import _html

        return _html.score_html(self)


def score(
    theory: TheoryLike,
    task: FactsLike,
    *,
    label: Any = None,
    key: Any = None,
    columns: Sequence[Any] | None = None,
) -> Score:
    """How well rules fit the examples of a task.

    Of a data frame or the file of a table, ``label`` is the column with the
    answers, as in `learn`.

    >>> import pith
    >>> task = pith.Facts({"n": [1, 2, 3]}, positive=["big(3)"], negative=["big(1)"])
    >>> pith.score("big(X) :- n(X), X > 2.", task).accuracy
    1.0
    """
    facts = as_world(task, key, label, columns)
    if not facts._handle.example_count():
        raise errors.InputError(
            "no examples to score; give facts that have positive and negative ones, "
            "or a table and its label="
        )
    handle = _with_rules(as_theory(theory), facts)
    watch, _ = _run_inference(handle, False, None, None, None)
    if watch.interrupted:  # part of what follows has no score
        raise KeyboardInterrupt
    return _score(handle)


def _score(handle: _c.Handle) -> Score:
    out = _c.ffi.new("pith_scores *")
    with handle as p:
        handle.check(handle.stoppable(_c.lib.pith_score, p, out))
    counts = {n: int(getattr(out, n)) for n in ("tp", "fp", "tn", "fn")}
    shares: dict[str, Any] = {
        n: _calls.number_or_none(getattr(out, n))
        for n in ("accuracy", "precision", "recall", "f1")
    }
    return Score(**counts, **shares)
