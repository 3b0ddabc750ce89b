# SPDX-License-Identifier: Apache-2.0
"""Contacts in JAX: arrays in a case, arrays out, with gradients. Needs jax, which the package does not.

    from slipfield.jax import solve
    def loss(force):
        pressure, = solve({**case, "normal": {"force": force}}, ["pressure"])
        return (pressure**2).sum()
    jax.grad(loss)(10.0)

Not under jax.jit: the solver needs values. Set jax_enable_x64, or digits are those of single precision.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Tuple

import numpy as np

from .differentiable import Function
from .errors import InputError, needs

try:
    import jax
    import jax.numpy as jnp
except ImportError as error:
    raise needs("jax", "slipfield.jax") from error


def _numbers(values: Sequence[Any]) -> Any:
    try:
        return [np.asarray(value, dtype=float) for value in values]
    except jax.errors.TracerArrayConversionError as error:
        raise InputError("a case cannot be solved under jax.jit or jax.vmap, which have no values yet; accepted: "
                         "jax.grad and jax.vjp outside of them") from error


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

    @jax.custom_vjp
    def call(*values: Any) -> Any:
        return tuple(jnp.asarray(array) for array in function.solve(_numbers(values)).outputs)

    def forward(*values: Any) -> Any:
        solution = function.solve(_numbers(values))
        return tuple(jnp.asarray(array) for array in solution.outputs), (_Kept(solution), values)

    def backward(kept: Any, seeds: Any) -> Any:
        solution, values = kept
        found = solution.kept.adjoint(_numbers(seeds))
        return tuple(jnp.asarray(array, dtype=value.dtype) for array, value in zip(found, values))

    call.defvjp(forward, backward)
    return call(*function.values)


@jax.tree_util.register_pytree_node_class
class _Kept:
    """Something that JAX passes on as it is."""

    def __init__(self, kept: Any) -> None:
        self.kept = kept

    def tree_flatten(self) -> Any:
        return (), self.kept

    @classmethod
    def tree_unflatten(cls, kept: Any, _children: Any) -> Any:
        return cls(kept)
