# SPDX-License-Identifier: Apache-2.0
"""Contacts in PyTorch: tensors in a case, tensors out, with gradients. Needs torch, which the package does not.

    from slipfield.torch import solve
    force = torch.tensor(10.0, requires_grad=True, dtype=torch.float64)
    pressure, approach = solve({**case, "normal": {"force": force}}, ["pressure", "approach"])
    (pressure**2).sum().backward()
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, List, Tuple

from .differentiable import Function
from .errors import InputError, needs

try:
    import torch
except ImportError as error:
    raise needs("torch", "slipfield.torch") from error


def _is_value(value: Any) -> bool:
    if not torch.is_tensor(value):
        return False
    if not value.is_floating_point():
        raise InputError(f"a tensor of type {value.dtype} in the case; accepted: tensors of floating-point numbers, float64 "
                         "for all digits")
    return True


def _tensors(arrays: Sequence[Any], kind: Any) -> Tuple[Any, ...]:
    return tuple(torch.as_tensor(array, **kind) for array in arrays)


def _array(value: Any) -> Any:
    return value.detach().cpu().double().numpy()  # NumPy has no bfloat16


class _Call:  # pylint: disable=too-few-public-methods
    """A function, and what it found."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.solution: Any = None
        self.kinds: List[Any] = []


class _Solve(torch.autograd.Function):
    """The solution as an operation with derivatives in both directions."""

    @staticmethod
    def forward(call: _Call, *values: Any) -> Any:  # pylint: disable=arguments-differ
        call.solution = call.function.solve([_array(value) for value in values])
        call.kinds = [{"dtype": value.dtype, "device": value.device} for value in values]
        return _tensors(call.solution.outputs, call.kinds[0])

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:  # pylint: disable=arguments-differ,unused-argument
        ctx.solution, ctx.kinds = inputs[0].solution, inputs[0].kinds

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, *seeds: Any) -> Any:  # pylint: disable=arguments-differ
        found = ctx.solution.adjoint([_array(seed) for seed in seeds], ctx.needs_input_grad[1:])
        return (None, *(None if array is None else torch.as_tensor(array, **kind)
                        for array, kind in zip(found, ctx.kinds)))

    @staticmethod
    def jvp(ctx: Any, _function: Any, *changes: Any) -> Any:  # pylint: disable=arguments-differ
        found = ctx.solution.tangent([0.0 if change is None else _array(change) for change in changes])
        return _tensors(found, ctx.kinds[0])


def solve(case: Mapping[str, Any], outputs: Sequence[str], **options: Any) -> Tuple[Any, ...]:
    """Solves a case, and returns results of its last step as tensors.

    Parameters
    ----------
    case: a dict in which tensors stand for loads, the friction coefficient, a table of friction coefficients
        (`{"file": tensor}`), or heights with one value for each element. Their gradients are those of slipfield's
        Solver.gradient, through all steps: which elements touch and which stick is held.
    outputs: names: fields (pressure, traction_x, ...), of shape (my, mx), and totals (force_x, approach, ...).
    options: those of slipfield.Solver.

    Returns
    -------
    A tuple of tensors in the order of outputs, of the type and on the device of the first tensor of the case.

    Raises
    ------
    NotConverged, CaseError, InputError, Error.
    """
    function = Function(case, _is_value, outputs, options)
    return _Solve.apply(_Call(function), *function.values)
