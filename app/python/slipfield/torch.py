# SPDX-License-Identifier: Apache-2.0
"""Contacts in PyTorch: tensors in a case, tensors out, with gradients. Needs torch, which the package does not.

    from slipfield.torch import solve
    force = torch.tensor(10.0, requires_grad=True, dtype=torch.float64)
    pressure, approach = solve({**case, "normal": {"force": force}}, ["pressure", "approach"])
    (pressure**2).sum().backward()

Under torch.func.vmap the contacts are one batch, forward and backward:

    forces = torch.func.vmap(lambda force: solve({**case, "normal": {"force": force}}, ["force_x"])[0])(many_forces)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Callable, List, Optional, Tuple

import numpy as np

from .differentiable import Function, OnGpu
from .errors import InputError, imported
from .solver import DeviceField

torch = imported("torch", "slipfield.torch")


def _is_value(value: Any) -> bool:
    if not torch.is_tensor(value):
        return False
    if not value.is_floating_point():
        raise InputError(f"a tensor of type {value.dtype} in the case; accepted: tensors of floating-point numbers, float64 "
                         "for all digits")
    return True


def _tensors(arrays: Sequence[Any], kind: Any) -> Tuple[Any, ...]:
    return tuple(torch.as_tensor(array, **kind) for array in arrays)


def _copier(like: Any) -> Callable[[DeviceField], Any]:
    return lambda field: torch.from_dlpack(field).to(dtype=like.dtype, device=like.device, copy=True)


def _gpu_of(value: Any) -> Optional[OnGpu]:
    return OnGpu(value.device.index, _copier(value)) if value.is_cuda else None


def _array(value: Any) -> Any:
    return value.detach().cpu().double().numpy()  # NumPy has no bfloat16


class _Call:  # pylint: disable=too-few-public-methods
    """A call of solve() and its result."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.solution: Any = None
        self.kinds: List[Any] = []


def _flat(values: Sequence[Any], axes: int) -> List[Any]:
    """Returns arrays with one leading axis instead of `axes`; values common to all contacts have stride 0 along it."""
    arrays = [_array(value) for value in values]
    return arrays if axes < 2 else [array.reshape(-1, *array.shape[axes:]) for array in arrays]


def _in_front(values: Sequence[Any], dims: Sequence[Any], size: int) -> List[Any]:
    """Moves the axis of a vmap to the front; values without it are repeated along it."""
    return [value.expand(size, *value.shape) if dim is None else value.movedim(dim, 0) for value, dim in zip(values, dims)]


class _Solve(torch.autograd.Function):
    """The solution as an operation with derivatives in both directions. axes: number of surrounding vmaps, each with a leading
    axis."""

    @staticmethod
    def forward(call: _Call, axes: int, *values: Any) -> Any:  # pylint: disable=arguments-differ
        solve_ = call.function.solve if axes == 0 else call.function.solve_many
        call.solution = solve_(_flat(values, axes), _gpu_of(values[0]))
        call.kinds = [{"dtype": value.dtype, "device": value.device} for value in values]
        found = _tensors(call.solution.outputs, call.kinds[0])
        outside = values[0].shape[:axes]
        # PyTorch forbids to change a view, which even a reshape to the same shape makes.
        return found if axes == 0 else tuple(one.reshape((*outside, *one.shape[1:])) for one in found)

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:  # pylint: disable=arguments-differ,unused-argument
        ctx.call, ctx.axes, *values = inputs
        ctx.save_for_backward(*values)
        ctx.save_for_forward(*values)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, *seeds: Any) -> Any:  # pylint: disable=arguments-differ
        wanted = ctx.needs_input_grad[2:]
        found = iter(_Linear.apply(_Product(ctx.call, ctx.axes, wanted), *ctx.saved_tensors, *seeds))
        return (None, None, *(next(found) if ask else None for ask in wanted))

    @staticmethod
    def jvp(ctx: Any, _call: Any, _axes: Any, *changes: Any) -> Any:  # pylint: disable=arguments-differ
        values = ctx.saved_tensors
        given = [torch.zeros_like(value) if change is None else change for value, change in zip(values, changes)]
        return _Linear.apply(_Product(ctx.call, ctx.axes, None), *values, *given)

    @staticmethod
    def vmap(info: Any, in_dims: Any, call: _Call, axes: int, *values: Any) -> Any:  # pylint: disable=arguments-differ
        found = _Solve.apply(call, axes + 1, *_in_front(values, in_dims[2:], info.batch_size))
        return found, (0,) * len(found)


class _Product:  # pylint: disable=too-few-public-methods
    """A product with the derivatives of a call, or with their transpose if the wanted inputs are given."""

    def __init__(self, call: _Call, axes: int, wanted: Any) -> None:
        self.call, self.axes, self.wanted = call, axes, wanted


class _Linear(torch.autograd.Function):
    """A product as a function of the values of the call and the factor."""

    @staticmethod
    def forward(product: _Product, *tensors: Any) -> Any:  # pylint: disable=arguments-differ
        call, axes, wanted = product.call, product.axes, product.wanted
        given = _flat(tensors[len(call.kinds):], axes)
        if wanted is None:
            found, kinds = call.solution.tangent(given), [call.kinds[0]] * len(call.function.outputs)
        else:
            found = [one for one in call.solution.adjoint(given, wanted) if one is not None]
            kinds = [kind for kind, ask in zip(call.kinds, wanted) if ask]
        outside = tensors[0].shape[:axes]
        return tuple(torch.as_tensor(one, **kind).reshape((*outside, *np.shape(one)[min(axes, 1):]))
                     for one, kind in zip(found, kinds))

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        pass

    @staticmethod
    def backward(ctx: Any, *_seeds: Any) -> Any:  # pylint: disable=arguments-differ
        raise InputError("a contact has no second derivatives; accepted: first derivatives")

    jvp = backward

    @staticmethod
    def vmap(info: Any, in_dims: Any, product: _Product, *tensors: Any) -> Any:  # pylint: disable=arguments-differ
        dims, count = in_dims[1:], len(product.call.function.values)
        if any(dim is not None for dim in dims[:count]):  # the axis of contacts
            more = _Product(product.call, product.axes + 1, product.wanted)
            found = _Linear.apply(more, *_in_front(tensors, dims, info.batch_size))
        else:  # several products with one contact, or with each of several
            rows = [_Linear.apply(product, *(tensor if dim is None else tensor.select(dim, k)
                                             for tensor, dim in zip(tensors, dims))) for k in range(info.batch_size)]
            found = tuple(torch.stack(column) for column in zip(*rows))
        return found, (0,) * len(found)


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
    return _Solve.apply(_Call(function), 0, *function.values)
