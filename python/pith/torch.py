"""Soft forward chaining as a differentiable function of facts and slots.

>>> import torch
>>> from pith.torch import SoftRules
>>> chain = SoftRules("reach(X,Y) :- edge(X,Y). reach(X,Y) :- edge(X,Z), reach(Z,Y).",
...                   steps=3)
>>> edge = torch.tensor([[0.0, 0.9, 0.0], [0.0, 0.0, 0.5], [0.0, 0.0, 0.0]],
...                     requires_grad=True)
>>> reach = chain({"edge": edge})["reach"]
>>> round(float(reach[0, 2].detach()), 3)
0.45
>>> reach[0, 2].backward()
>>> [round(float(g), 2) for g in (edge.grad[0, 1], edge.grad[1, 2])]
[0.5, 0.9]
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import torch

from . import _c, errors
from ._softc import Kernel, fits
from ._softops import atom_factor, body_value, head_value, larger
from .terms import Rule, Var
from .theory import Theory, TheoryLike, as_theory

__all__ = ["SoftRules"]

Tensor = Any
BACKENDS = ("auto", "c", "torch")
CERTAIN = {"=": True, "\\=": False}  # of equal things: whether it holds


class _Slot:
    """A place for a predicate: one that is given, or one to be chosen."""

    def __init__(self, arity: int, given: str | None) -> None:
        self.arity = arity
        self.given = given


class _SoftRule:
    """A rule whose atoms name slots, with numbers for variables."""

    def __init__(self, head: tuple[int, list[int]], body: list[tuple[int, list[int]]]):
        self.head = head
        self.body = body


class SoftRules(torch.nn.Module):  # type: ignore[misc]
    """Applies rules, or templates with slots to be learned, to soft facts.

    ``rules`` is a theory, ``templates`` a text in one of the notations of pith;
    either may be left out. ``predicates`` gives the arity of further predicates
    that slots may choose. Calling it with the values of some relations, tensors
    of shape ``(..., n)`` or ``(..., n, n)`` with numbers from 0 to 1, returns
    the values of all relations after ``steps`` steps. What is not given is 0.

    ``slots`` are the logits of every open slot, one row each, over the
    predicates of its arity; a slot's weights are their softmax. Leading
    dimensions of facts and, with ``restarts``, of slots are a batch, so many
    restarts are computed side by side.

    ``backend`` says who computes: ``"c"`` the kernels of pith, which take float32
    tensors of the processor; ``"torch"`` the same function in torch operations,
    which runs where its tensors are; ``"auto"`` the kernels where they can.
    """

    def __init__(
        self,
        rules: TheoryLike = (),
        *,
        templates: str = "",
        predicates: Mapping[str, int] | None = None,
        steps: int = 4,
        restarts: int | None = None,
        seed: int = 1,
        backend: str = "auto",
    ) -> None:
        super().__init__()
        if backend not in BACKENDS:
            raise errors.ArgumentError(
                f"backend is {backend!r}; expected {', '.join(BACKENDS)}"
            )
        if isinstance(steps, bool) or not isinstance(steps, int) or steps < 1:
            raise errors.ArgumentError(f"steps is {steps!r}; expected 1 or more")
        self.backend = backend
        self.steps = steps
        self.arities: dict[str, int] = dict(predicates or {})
        self._slots: list[_Slot] = []
        self._rules: list[_SoftRule] = []
        self._theory = list(as_theory(rules))
        self._templates = templates
        self._kernels: dict[int, Kernel | errors.PithError] = {}
        for rule in self._theory:
            self._add_rule(rule)
        if templates:
            self._add_templates(templates)
        for slot in self._slots:
            if slot.given is None and not self._choices(slot):
                raise errors.ArgumentError(
                    f"no predicate fits a slot with {slot.arity} "
                    f"place{'s' if slot.arity > 1 else ''}; "
                    "name one in predicates, or invent one in the templates"
                )
        draw = torch.Generator().manual_seed(seed)
        lead = () if restarts is None else (restarts,)
        self.slots = torch.nn.ParameterList(
            torch.randn(*lead, len(self._choices(s)), generator=draw)
            for s in self._slots
            if s.given is None
        )

    def __getstate__(self) -> dict[str, Any]:
        """Kernels are made again where they are needed."""
        return {**self.__dict__, "_kernels": {}}

    # ---- rules ----

    def _note(self, name: str, arity: int) -> None:
        if name in CERTAIN:
            return
        if arity not in (1, 2):
            raise errors.ArgumentError(
                f"{name}/{arity}: soft rules speak of one or two things"
            )
        if self.arities.setdefault(name, arity) != arity:
            raise errors.ArgumentError(f"{name} has {self.arities[name]} places")

    def _add_rule(self, rule: Rule) -> None:
        numbers: dict[Var, int] = {}

        def made(atom: Any) -> tuple[int, list[int]]:
            if atom.negated or not all(isinstance(a, Var) for a in atom.args):
                raise errors.ArgumentError(
                    f"{rule}: soft rules have neither negation nor constants"
                )
            if atom.predicate in _c.builtin_names() and atom.predicate not in CERTAIN:
                raise errors.ArgumentError(
                    f"{rule}: of comparisons soft rules have = and \\= alone"
                )
            self._note(atom.predicate, atom.arity)
            self._slots.append(_Slot(atom.arity, atom.predicate))
            places = [numbers.setdefault(a, len(numbers)) for a in atom.args]
            return len(self._slots) - 1, places

        head = made(rule.head)
        self._rules.append(_SoftRule(head, [made(a) for a in rule.body]))

    def _add_templates(self, text: str) -> None:
        handle = _c.Handle()
        handle.read_text("templates", text, {"format": "templates"})
        with handle as p:
            for i in range(handle.template_count()):
                raw = _c.lib.pith_template_at(p, i)
                for _ in range(raw.copies):
                    self._add_template(handle, raw)
            for name, arity in _invented(handle, p):
                self._note(name, arity)

    def _add_template(self, handle: _c.Handle, raw: Any) -> None:
        first = len(self._slots)
        for k in range(raw.slot_count):
            slot = raw.slots[k]
            given = None if slot.pred == _c.NONE else handle.pred_name(slot.pred)[0]
            if given is not None:
                self._note(given, slot.arity)
            self._slots.append(_Slot(int(slot.arity), given))

        def made(atom: Any) -> tuple[int, list[int]]:
            places = [int(atom.args[k]) & ~_c.VARIABLE for k in range(atom.arity)]
            return first + int(atom.pred), places

        shape = raw.shape
        body = [made(shape.body[k]) for k in range(shape.body_len)]
        self._rules.append(_SoftRule(made(shape.head), body))

    def _choices(self, slot: _Slot) -> list[str]:
        return [n for n, arity in self.arities.items() if arity == slot.arity]

    # ---- computing ----

    def weights(self) -> list[Tensor | None]:
        """The weights of every slot over its predicates; None: it is given."""
        logits = iter(self.slots)
        return [
            None if s.given is not None else torch.softmax(next(logits), dim=-1)
            for s in self._slots
        ]

    def forward(self, facts: Mapping[str, Tensor]) -> dict[str, Tensor]:
        """The values of all relations after the steps."""
        values = self._start(facts)
        weights = self.weights()
        batch = self._batch(values, weights)
        kernel = self._kernel(values, weights)
        if kernel is not None:
            after = self._by_kernel(kernel, batch, facts, weights)
        else:
            after = values
            for _ in range(self.steps):
                after = self._step(after, weights)
        heads = self._heads()
        return {
            name: after[name].expand(*batch, *[self._n] * arity)
            if name in heads
            else values[name]
            for name, arity in self.arities.items()
        }

    def _batch(self, values: dict[str, Tensor], weights: list[Any]) -> list[int]:
        """The leading dimensions of all facts and slots together."""
        shapes = [v.shape[: v.dim() - self.arities[n]] for n, v in values.items()]
        shapes += [w.shape[:-1] for w in weights if w is not None]
        try:
            return list(torch.broadcast_shapes(*shapes))
        except RuntimeError:
            found = ", ".join(str(tuple(s)) for s in shapes)
            raise errors.ArgumentError(
                f"the batches of facts and slots do not fit together: {found}"
            ) from None

    def _heads(self) -> set[str]:
        """The relations that some rule may add to."""
        heads: set[str] = set()
        for rule in self._rules:
            slot = self._slots[rule.head[0]]
            heads.update(self._choices(slot) if slot.given is None else [slot.given])
        return heads

    # ---- by the C kernels ----

    def _kernel(self, values: dict[str, Tensor], weights: list[Any]) -> Kernel | None:
        """The kernel for these tensors; None: torch computes."""
        if self.backend == "torch":
            return None
        tensors = [*values.values(), *(w for w in weights if w is not None)]
        if not all(map(fits, tensors)):
            if self.backend == "auto":
                return None
            raise errors.ArgumentError(
                'backend="c" takes float32 tensors of the processor'
            )
        made = self._kernels.get(self._n)
        if made is None:
            made = self._made_kernel()
            self._kernels = {self._n: made}  # one is kept: tapes are large
        if isinstance(made, Kernel):
            return made
        if self.backend == "c":
            raise made
        return None

    def _made_kernel(self) -> Kernel | errors.PithError:
        """A kernel for so many things, or why C has none for these rules."""
        try:
            return Kernel(
                self._theory, self._templates, self.arities, self._n, self.steps
            )
        except (errors.InputError, errors.OutOfMemoryError) as error:
            return error

    def _by_kernel(
        self,
        kernel: Kernel,
        batch: list[int],
        facts: Mapping[str, Tensor],
        weights: list[Any],
    ) -> dict[str, Tensor]:
        open_slots = [s for s in self._slots if s.given is None]

        def place(name: str, arity: int, slot: int) -> int | None:
            made = open_slots[slot]
            return self._choices(made).index(name) if arity == made.arity else None

        own = [w for w in weights if w is not None]
        row = kernel.gather(own, place) if own else None
        return kernel.run(batch, facts, row)

    # ---- by torch operations ----

    def _start(self, facts: Mapping[str, Tensor]) -> dict[str, Tensor]:
        if not facts:
            raise errors.ArgumentError("soft rules need the values of some relation")
        for name, value in facts.items():
            if name not in self.arities:
                raise errors.ArgumentError(f"no rule or slot knows {name}")
            if value.dim() < self.arities[name]:
                raise errors.ArgumentError(
                    f"{name}: a tensor of {value.dim()} dimensions; "
                    f"expected {self.arities[name]} at least"
                )
        some = next(iter(facts.values()))
        self._n = int(some.shape[-1])
        values = {}
        for name, arity in self.arities.items():
            value = facts.get(name)
            values[name] = some.new_zeros([self._n] * arity) if value is None else value
            if any(d != self._n for d in values[name].shape[-arity:]):
                raise errors.ArgumentError(
                    f"{name}: {tuple(values[name].shape)}; expected {self._n} things"
                )
        return values

    def _filled(
        self, slot: int, weights: list[Any], values: dict[str, Tensor]
    ) -> Tensor:
        """A slot's own relation: the largest of its predicates, each weighed."""
        made = self._slots[slot]
        if made.given in CERTAIN:
            some = next(iter(values.values()))
            same = torch.eye(self._n, dtype=some.dtype, device=some.device)
            return same if CERTAIN[made.given] else 1 - same
        if made.given is not None:
            return values[made.given]
        names = self._choices(made)
        parts = [
            _scaled(values[name], weights[slot][..., k], made.arity)
            for k, name in enumerate(names)
        ]
        best = parts[0]
        for part in parts[1:]:
            best = larger(best, part)
        return best

    def _step(self, values: dict[str, Tensor], weights: list[Any]) -> dict[str, Tensor]:
        after = dict(values)
        for rule in self._rules:
            factors = [
                atom_factor(self._filled(slot, weights, values), places)
                for slot, places in rule.body
            ]
            slot, places = rule.head
            body = head_value(body_value(factors, places), places, self._n)
            made = self._slots[slot]
            if made.given is not None:
                after[made.given] = larger(after[made.given], body)
                continue
            for k, name in enumerate(self._choices(made)):
                part = _scaled(body, weights[slot][..., k], made.arity)
                after[name] = larger(after[name], part)
        return after

    # ---- reading ----

    def decode(self, restart: int | None = None) -> Theory:
        """Rules with the likeliest predicate in each slot."""
        chosen = []
        for slot, weights in zip(self._slots, self.weights()):
            if weights is None:
                chosen.append(slot.given)
                continue
            own = weights if restart is None else weights[restart]
            chosen.append(self._choices(slot)[int(own.argmax())])
        return Theory(self._decoded(chosen))

    def _decoded(self, chosen: list[Any]) -> Iterator[Rule]:
        from .terms import Atom

        for rule in self._rules:
            head, *body = (
                Atom(chosen[slot], *(Var(chr(ord("A") + p)) for p in places))
                for slot, places in (rule.head, *rule.body)
            )
            yield Rule(head, body)


def _scaled(value: Tensor, weight: Tensor, arity: int) -> Tensor:
    """A relation times a weight, or one weight for each of a batch."""
    return value * weight.reshape(*weight.shape, *([1] * arity))


def _invented(handle: _c.Handle, p: Any) -> Iterator[tuple[str, int]]:
    for pred in range(_c.lib.PITH_BUILTINS, _c.lib.pith_pred_count(p)):
        if _c.lib.pith_pred_roles(p, pred) & _c.lib.PITH_INVENTED:
            yield handle.pred_name(pred)
