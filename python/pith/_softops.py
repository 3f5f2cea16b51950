"""Soft forward chaining in torch operations, on whatever device the tensors are.

A value of a body is the product of its atoms' values, the value of a head the
largest of all bodies that give it. Where the largest is attained is kept, so the
gradient follows one path, as in the paper; of equals the first has it, as in the
C kernels. Nothing here knows the rest of pith.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

Tensor = Any
ROOM = 1 << 26  # numbers that a product may hold at once


def larger(a: Tensor, b: Tensor) -> Tensor:
    """The larger of two; where they are equal, the first has the gradient."""
    return torch.where(b > a, b, a)


class MaxProduct(torch.autograd.Function):  # type: ignore[misc]
    """``out[x,y] = max over z of a[x,z] * b[z,y]``, batched.

    The products are made for some z at a time, so memory is that of the result
    and of where its maxima are.
    """

    @staticmethod
    def forward(ctx: Any, a: Tensor, b: Tensor) -> Tensor:
        """a: (..., x, z), b: (..., z, y)."""
        batch = torch.broadcast_shapes(a.shape[:-2], b.shape[:-2])
        a = a.expand(*batch, *a.shape[-2:])
        b = b.expand(*batch, *b.shape[-2:])
        out = a.new_full((*batch, a.shape[-2], b.shape[-1]), -1.0)
        best = torch.zeros(out.shape, dtype=torch.long, device=a.device)
        width = max(1, ROOM // max(out.numel(), 1))
        for start in range(0, a.shape[-1], width):
            part = a[..., start : start + width].unsqueeze(-1)
            other = b[..., start : start + width, :].unsqueeze(-3)
            value, place = (part * other).max(dim=-2)
            better = value > out
            out = torch.where(better, value, out)
            best = torch.where(better, place + start, best)
        ctx.save_for_backward(a, b, best)
        return out

    @staticmethod
    def backward(  # pyright: ignore[reportIncompatibleMethodOverride]
        ctx: Any, grad: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Adds where the maxima are."""
        a, b, best = ctx.saved_tensors
        da, db = torch.zeros_like(a), torch.zeros_like(b)
        da = da.scatter_add(-1, best, grad * b.gather(-2, best))
        db = db.scatter_add(-2, best, grad * a.gather(-1, best))
        return da, db


def max_product(a: Tensor, b: Tensor) -> Tensor:
    """``out[x,y] = max over z of a[x,z] * b[z,y]``, batched."""
    batch = torch.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    a = a.expand(*batch, *a.shape[-2:])
    b = b.expand(*batch, *b.shape[-2:])
    return MaxProduct.apply(a, b)


class Factor:
    """A tensor over variables: its last dimensions, in the order of variables."""

    def __init__(self, value: Tensor, variables: Sequence[int]) -> None:
        self.value = value
        self.variables = list(variables)

    def over(self, variables: Sequence[int]) -> Tensor:
        """The value with a dimension for each of these variables."""
        batch = self.value.dim() - len(self.variables)
        order = [v for v in variables if v in self.variables]
        moved = self.value.permute(
            *range(batch), *(batch + self.variables.index(v) for v in order)
        )
        for i, v in enumerate(variables):
            if v not in self.variables:
                moved = moved.unsqueeze(batch + i)
        return moved


def atom_factor(value: Tensor, arguments: Sequence[int]) -> Factor:
    """An atom: p(X,X) is a diagonal."""
    if len(arguments) == 2 and arguments[0] == arguments[1]:
        return Factor(value.diagonal(dim1=-2, dim2=-1), arguments[:1])
    return Factor(value, arguments)


def _meet(factors: list[Factor], keep: list[int]) -> Factor:
    """The product over the variables to keep and one more, which is maximised."""
    variables = sorted({v for f in factors for v in f.variables})
    gone = [v for v in variables if v not in keep]
    if len(factors) == 2 and len(gone) == 1:
        left, right = factors
        z = gone[0]
        x = [v for v in left.variables if v != z]
        y = [v for v in right.variables if v != z]
        if len(x) == 1 and len(y) == 1 and x != y:
            product = max_product(left.over([*x, z]), right.over([z, *y]))
            return Factor(product, [*x, *y])
    value = factors[0].over(variables)
    for factor in factors[1:]:
        value = value * factor.over(variables)
    first = value.dim() - len(variables)
    for v in reversed(gone):
        value = value.max(dim=first + variables.index(v)).values
    return Factor(value, [v for v in variables if v in keep])


def body_value(factors: list[Factor], head: Sequence[int]) -> Factor:
    """A body over the variables of the head, the others maximised one by one."""
    wanted = set(head)
    while True:
        others = {v for f in factors for v in f.variables} - wanted
        if not others:
            break
        z = min(others, key=lambda v: (sum(v in f.variables for f in factors), v))
        inside = [f for f in factors if z in f.variables]
        outside = [f for f in factors if z not in f.variables]
        kept = sorted({v for f in inside for v in f.variables} - {z})
        factors = [*outside, _meet(inside, kept)]
    return _meet(factors, sorted(wanted))


def head_value(body: Factor, arguments: Sequence[int], n: int) -> Tensor:
    """A body as a relation: of a head p(X,X), what is not on the diagonal is 0."""
    if len(arguments) == 2 and arguments[0] == arguments[1]:
        return torch.diag_embed(body.over(arguments[:1]))
    value = body.over(arguments)
    batch = value.shape[: value.dim() - len(arguments)]
    return value.expand(*batch, *([n] * len(arguments)))
