"""Soft forward chaining by the C kernels, for float32 tensors of the processor.

Tensors are read and written where they lie, whatever their strides. Nothing here
knows modules or parameters: `torch.py` does.
"""

from __future__ import annotations

import math
import weakref
from collections.abc import Mapping, Sequence
from typing import Any

import torch

from . import _c
from .terms import Rule

Tensor = Any


def fits(tensor: Tensor) -> bool:
    """Whether C can read the tensor."""
    return bool(
        tensor.dtype == torch.float32
        and tensor.device.type == "cpu"
        and tensor.layout == torch.strided
    )


class Kernel:
    """Rules and templates over n things, ready to be run."""

    def __init__(
        self,
        rules: Sequence[Rule],
        templates: str,
        arities: Mapping[str, int],
        n: int,
        steps: int,
    ) -> None:
        self.handle = _c.Handle()
        self.n = n
        for name, arity in arities.items():
            self.handle.pred(name, arity)
        for rule in rules:
            self.handle.add_rule(rule)
        if templates:
            self.handle.read_text("templates", templates, {"format": "templates"})
        out = _c.ffi.new("pith_soft **")
        with self.handle as p:
            self.handle.check(_c.lib.pith_soft_new(p, n, steps, out))
        self.soft = self.handle.own_soft(out[0])
        lib = _c.lib
        self.names = [
            self.handle.pred_name(lib.pith_soft_pred_at(self.soft, i))[0]
            for i in range(lib.pith_soft_pred_count(self.soft))
        ]
        self.slots = [
            self._candidates(lib.pith_soft_slot_at(self.soft, i))
            for i in range(lib.pith_soft_slot_count(self.soft))
        ]

    def _candidates(self, slot: Any) -> list[tuple[str, int]]:
        """Name and arity of what a slot may choose."""
        return [self.handle.pred_name(slot.preds[k]) for k in range(slot.count)]

    def gather(self, weights: Sequence[Tensor], chosen: Any) -> Tensor:
        """The weights of all open slots in a row, in the order that C has.

        ``chosen(name, arity, slot)`` is the place of a predicate in the weights of
        a slot, or None: it weighs nothing there.
        """
        parts = []
        for i, candidates in enumerate(self.slots):
            for name, arity in candidates:
                at = chosen(name, arity, i)
                own = weights[i]
                parts.append(own[..., at] if at is not None else own.new_zeros(()))
        batch = torch.broadcast_shapes(*(p.shape for p in parts))
        return torch.stack([p.expand(batch) for p in parts], dim=-1)

    def run(
        self, batch: Sequence[int], facts: Mapping[str, Tensor], weights: Tensor | None
    ) -> dict[str, Tensor]:
        """The values after the steps, with the batch in front."""
        lanes = math.prod(batch)
        inputs = [
            None if name not in facts else _by_lane(facts[name], batch, lanes, arity)
            for name, arity in self._relations()
        ]
        if weights is not None:
            weights = _by_lane(weights, batch, lanes, 1)
        given = [t for t in (weights, *inputs) if t is not None]
        grad = torch.is_grad_enabled() and any(t.requires_grad for t in given)
        out = _SoftChaining.apply(self, lanes, grad, weights, *inputs)
        return {
            name: value.reshape(*batch, *value.shape[1:])
            for name, value in zip(self.names, out)
        }

    def _relations(self) -> list[tuple[str, int]]:
        lib, soft = _c.lib, self.soft
        return [
            self.handle.pred_name(lib.pith_soft_pred_at(soft, i))
            for i in range(len(self.names))
        ]

    def empty(self, lanes: int) -> list[Tensor]:
        """Room for the values of all predicates."""
        return [
            torch.empty(lanes, *([self.n] * arity)) for _, arity in self._relations()
        ]


def _by_lane(tensor: Tensor, batch: Sequence[int], lanes: int, width: int) -> Tensor:
    """A tensor with one dimension for the batch, or none if all share it.

    It is copied only where several dimensions of a batch do not lie in a row.
    """
    own = tensor.shape[: tensor.dim() - width]
    if math.prod(own) == 1:
        return tensor.reshape(tensor.shape[len(own) :])
    shape = tensor.shape[len(own) :]
    return tensor.expand(*batch, *shape).reshape(lanes, *shape)


def _view(raw: Any, tensor: Tensor | None, width: int) -> None:
    """Where a tensor's numbers are; its last dimensions are those of a relation."""
    if tensor is None:
        return
    raw.at = _c.ffi.cast("float *", tensor.data_ptr())
    steps = tensor.stride()
    raw.lane = steps[0] if tensor.dim() > width else 0
    for k in range(width):
        raw.step[k] = steps[tensor.dim() - width + k]


def _views(kernel: Kernel, tensors: Sequence[Tensor | None]) -> Any:
    raw = _c.ffi.new("pith_soft_values[]", max(len(tensors), 1))
    for i, (tensor, (_, arity)) in enumerate(zip(tensors, kernel._relations())):
        _view(raw[i], tensor, arity)
    return raw


def _weight_view(tensor: Tensor | None) -> Any:
    raw = _c.ffi.new("pith_soft_values *")
    _view(raw, tensor, 1)
    return raw


def _free_pass(handle: _c.Handle, raw: Any) -> None:
    with handle:
        _c.lib.pith_soft_pass_free(raw)


class _Pass:
    """What the way back needs; the handle lives as long as it."""

    def __init__(self, kernel: Kernel, raw: Any) -> None:
        self.raw = raw
        weakref.finalize(self, _free_pass, kernel.handle, raw)


class _SoftChaining(torch.autograd.Function):  # type: ignore[misc]
    """One call of the C function, and its gradient."""

    @staticmethod
    def forward(
        ctx: Any,
        kernel: Kernel,
        lanes: int,
        grad: bool,
        weights: Tensor | None,
        *facts: Tensor | None,
    ) -> tuple[Tensor, ...]:
        """From the values at the start to those after the steps."""
        out = kernel.empty(lanes)
        made = _c.ffi.new("pith_soft_pass **") if grad else _c.ffi.NULL
        views = (
            _views(kernel, facts),
            _weight_view(weights),
            _views(kernel, out),
        )
        with kernel.handle:
            status = _c.lib.pith_soft_forward(kernel.soft, lanes, *views, made)
            kernel.handle.check(status)
        ctx.kernel = kernel
        ctx.made = _Pass(kernel, made[0]) if grad else None
        ctx.shapes = [None if f is None else f.shape for f in (weights, *facts)]
        ctx.set_materialize_grads(False)
        return tuple(out)

    @staticmethod
    @torch.autograd.function.once_differentiable  # type: ignore[untyped-decorator]
    def backward(  # pyright: ignore[reportIncompatibleMethodOverride]
        ctx: Any, *slopes: Tensor | None
    ) -> tuple[Tensor | None, ...]:
        """Adds up what each input is worth."""
        wanted = ctx.needs_input_grad[3:]
        found = [
            torch.zeros(shape) if shape is not None and need else None
            for shape, need in zip(ctx.shapes, wanted)
        ]
        kernel = ctx.kernel
        views = (
            _views(kernel, slopes),
            _views(kernel, found[1:]),
            _weight_view(found[0]),
        )
        with kernel.handle:
            status = _c.lib.pith_soft_backward(ctx.made.raw, *views)
            kernel.handle.check(status)
        return (None, None, None, *found)
