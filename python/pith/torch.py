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
from ._softops import atom_factor, body_value, head_value
from .terms import Rule, Var
from .theory import Theory, TheoryLike, as_theory

__all__ = ["SoftRules"]

Tensor = Any


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
    restarts are computed side by side. Everything is torch operations: it runs
    where its tensors are.
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
    ) -> None:
        super().__init__()
        self.steps = steps
        self.arities: dict[str, int] = dict(predicates or {})
        self._slots: list[_Slot] = []
        self._rules: list[_SoftRule] = []
        for rule in as_theory(rules):
            self._add_rule(rule)
        if templates:
            self._add_templates(templates)
        draw = torch.Generator().manual_seed(seed)
        lead = () if restarts is None else (restarts,)
        self.slots = torch.nn.ParameterList(
            torch.randn(*lead, len(self._choices(s)), generator=draw)
            for s in self._slots
            if s.given is None
        )

    # ---- rules ----

    def _note(self, name: str, arity: int) -> None:
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
        for _ in range(self.steps):
            values = self._step(values, weights)
        return values

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
        if made.given is not None:
            return values[made.given]
        names = self._choices(made)
        parts = [
            _scaled(values[name], weights[slot][..., k], made.arity)
            for k, name in enumerate(names)
        ]
        best = parts[0]
        for part in parts[1:]:
            best = torch.maximum(best, part)
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
                after[made.given] = torch.maximum(after[made.given], body)
                continue
            for k, name in enumerate(self._choices(made)):
                part = _scaled(body, weights[slot][..., k], made.arity)
                after[name] = torch.maximum(after[name], part)
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
