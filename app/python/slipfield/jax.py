# SPDX-License-Identifier: Apache-2.0
"""Contacts in JAX: arrays in a case, arrays out, with gradients. Needs jax, which the package does not.

    from slipfield.jax import solve
    def loss(force):
        pressure, = solve({**case, "normal": {"force": force}}, ["pressure"])
        return (pressure**2).sum()
    jax.grad(loss)(10.0)

Under jax.vmap the contacts are one batch, forward and backward. Not under jax.jit: the solver needs values. Set
jax_enable_x64, or digits are those of single precision.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Callable, List, Optional, Tuple

import numpy as np

from .differentiable import Function, OnGpu
from .errors import InputError, imported
from .solver import DeviceField

jax = imported("jax", "slipfield.jax")
imported("jax.extend.core", "slipfield.jax")
jnp = imported("jax.numpy", "slipfield.jax")
imported("jax.dlpack", "slipfield.jax")
batching = imported("jax.interpreters.batching", "slipfield.jax")


class _Call:  # pylint: disable=too-few-public-methods
    """A call of solve() and its result."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.solution: Any = None


def _flat(values: Sequence[Any], axes: int) -> List[Any]:
    """Returns NumPy arrays with one leading axis instead of `axes`; values common to all contacts have stride 0 along it."""
    arrays = [np.asarray(value, dtype=float) for value in values]
    return arrays if axes < 2 else [array.reshape(-1, *array.shape[axes:]) for array in arrays]


def _copy_of(field: DeviceField) -> Any:
    return jnp.array(jax.dlpack.from_dlpack(field), dtype=jnp.result_type(float), copy=True)


def _gpu_of(value: Any) -> Optional[OnGpu]:
    device = next(iter(value.devices())) if isinstance(value, jax.Array) else None
    return OnGpu(device.local_hardware_id, _copy_of) if device is not None and device.platform == "gpu" else None


def _as_jax(arrays: Sequence[Any], outside: Sequence[int], kinds: Sequence[Any]) -> List[Any]:
    """Returns JAX arrays with the axes `outside` instead of the leading one."""
    return [jnp.asarray(array.reshape((*outside, *array.shape[1 if outside else 0:])), dtype=kind)
            for array, kind in zip((one if isinstance(one, jax.Array) else np.asarray(one) for one in arrays), kinds)]


def _operation(name: str, implement: Callable[..., Any]) -> Any:
    """An operation on arrays with values. axes: number of surrounding vmaps, each with a leading axis."""
    operation = jax.extend.core.Primitive(f"slipfield_{name}")
    operation.multiple_results = True
    operation.def_impl(implement)

    def refuse(*_values: Any, **_options: Any) -> Any:
        raise InputError("a case cannot be solved under jax.jit, which has no values yet; accepted: jax.grad, jax.vjp and "
                         "jax.vmap outside of it")
    operation.def_abstract_eval(refuse)
    return operation


def _solved(*values: Any, call: _Call, axes: int) -> Any:
    solve_ = call.function.solve if axes == 0 else call.function.solve_many
    call.solution = solve_(_flat(values, axes), _gpu_of(values[0]))
    return _as_jax(call.solution.outputs, values[0].shape[:axes], [None] * len(call.function.outputs))


def _pulled(*arrays: Any, call: _Call, axes: int) -> Any:
    """Applies the adjoint to the values and the seeds."""
    values, seeds = arrays[:len(call.function.values)], arrays[len(call.function.values):]
    return _as_jax(call.solution.adjoint(_flat(seeds, axes)), values[0].shape[:axes], [value.dtype for value in values])


_solve = _operation("solve", _solved)
_pull = _operation("pull", _pulled)


def _in_front(values: Sequence[Any], dims: Sequence[Any]) -> List[Any]:
    """Moves the axis of a vmap to the front; values without it are repeated along it."""
    size = next(value.shape[dim] for value, dim in zip(values, dims) if dim is not None)
    return [jnp.moveaxis(value, dim, 0) if dim is not None else
            (jnp if isinstance(value, jax.core.Tracer) else np).broadcast_to(value, (size, *value.shape))
            for value, dim in zip(values, dims)]


def _solve_batch(values: Sequence[Any], dims: Sequence[Any], *, call: _Call, axes: int) -> Any:
    found = _solve.bind(*_in_front(values, dims), call=call, axes=axes + 1)
    return found, [0] * len(found)


def _pull_batch(arrays: Sequence[Any], dims: Sequence[Any], *, call: _Call, axes: int) -> Any:
    if any(dim is not None for dim in dims[:len(call.function.values)]):  # the axis of contacts
        found = _pull.bind(*_in_front(arrays, dims), call=call, axes=axes + 1)
        return found, [0] * len(found)
    moved = [array if dim is None else jnp.moveaxis(array, dim, 0) for array, dim in zip(arrays, dims)]
    size = next(array.shape[0] for array, dim in zip(moved, dims) if dim is not None)
    rows = [_pull.bind(*(array if dim is None else array[k] for array, dim in zip(moved, dims)),
                       call=call, axes=axes) for k in range(size)]  # several products with one contact, or with each
    return [jnp.stack(column) for column in zip(*rows)], [0] * len(rows[0])


batching.primitive_batchers[_solve] = _solve_batch
batching.primitive_batchers[_pull] = _pull_batch


def solve(case: Mapping[str, Any], outputs: Sequence[str], **options: Any) -> Tuple[Any, ...]:
    """Solves a case, and returns results of its last step as arrays of JAX.

    Parameters
    ----------
    case: a dict in which arrays of JAX stand for loads, the friction coefficient, a table of friction coefficients
        (`{"file": array}`), or heights with one value for each element. Their gradients are those of slipfield's
        Solver.gradient, through all steps: which elements touch and which stick is held.
    outputs: names: fields (pressure, traction_x, ...), of shape (my, mx), and totals (force_x, approach, ...).
    options: those of slipfield.Solver.

    Returns
    -------
    A tuple of arrays in the order of outputs.

    Raises
    ------
    NotConverged, CaseError, InputError, Error.
    """
    function = Function(case, lambda value: isinstance(value, jax.Array), outputs, options)

    call = _Call(function)

    @jax.custom_vjp
    def operation(*values: Any) -> Any:
        return tuple(_solve.bind(*values, call=call, axes=0))

    def forward(*values: Any) -> Any:
        return operation(*values), values

    def backward(values: Any, seeds: Any) -> Any:
        return tuple(_pull.bind(*values, *seeds, call=call, axes=0))

    operation.defvjp(forward, backward)
    return operation(*function.values)
