# SPDX-License-Identifier: Apache-2.0
"""Derivatives of a step: of a scalar to all inputs, or of the results along a change of inputs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Dict, List, Optional, Tuple

import numpy as np

from . import _slipfield
from .errors import InputError
from .given import near_names, real_array


class Gradient(Dict[str, Any]):
    """Numbers, fields of shape (my, mx), and points of profiles of shape (points, 2), by names of results or paths of keys.

    near_change: number of elements about to touch or to part, to stick or to slip. If it is not 0, one-sided derivatives may
    differ.
    """

    def __init__(self, values: Dict[str, Any], near_change: int) -> None:
        super().__init__(values)
        self.near_change = near_change

    def __missing__(self, name: Any) -> Any:
        raise InputError(f"the gradient has no {name!r}; {near_names(str(name), list(self), 'accepted: ' + ', '.join(self))}")

    def __repr__(self) -> str:
        parts = [f"{name}: {value.shape} array" if isinstance(value, np.ndarray) else f"{name}: {value:.6g}"
                 for name, value in self.items()]
        return f"<slipfield.Gradient {', '.join(parts)}; {self.near_change} elements near a change>"


def through_steps(find: Any, steps: Any, values: Any, what: str) -> List[Gradient]:
    """Applies `find` to consecutive results; values: for the last one, or a list with one for each."""
    results = list(steps) if isinstance(steps, Iterable) else []
    if not results or not all(isinstance(getattr(result, "_step", None), _slipfield.Step) for result in results):
        raise InputError("steps: not a list of results; accepted: results of advance() of one contact with fields=True, in "
                         "their order, the last one being the one that the scalar is of")
    if isinstance(values, Mapping):
        values = [{}] * (len(results) - 1) + [values]
    if not isinstance(values, Sequence) or isinstance(values, (str, bytes)):
        raise InputError(f"{what}: a value of type {type(values).__name__} is neither a dict nor a list of dicts; accepted: the "
                         f"{what} of the last step, or a list with one for each step")
    given = [pairs_of(one, results[-1].grid.shape, what) for one in values]
    return [Gradient(*found) for found in find([result._step for result in results], given)]


def pairs_of(values: Any, shape: Optional[Tuple[int, int]], what: str) -> List[Tuple[str, Any]]:
    """Returns (name, array) for each number and field; raises InputError for anything else. shape: None: only numbers."""
    accepted = "one number" if shape is None else f"one number, or an array of shape {shape}"
    if not isinstance(values, Mapping):
        raise InputError(f"{what}: a value of type {type(values).__name__} is not a dict; "
                         'accepted: {"force_x": 1.0, "pressure": array, ...}')
    pairs = []
    for name, value in values.items():
        array = real_array(value, f"{what}: {name}", accepted)
        if array.ndim > 0 and array.shape != shape:
            raise InputError(f"{what}: {name}: the shape {array.shape}; accepted: {accepted}")
        pairs.append((str(name), array.ravel()))
    return pairs
