# SPDX-License-Identifier: Apache-2.0
"""A case as a function of values in it, with its derivatives both ways; what slipfield.torch and slipfield.jax share."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

import numpy as np

from .errors import InputError, NotConverged
from .solver import Solver

Place = Tuple[Any, ...]  # the keys and indices that lead to a value


def _found(value: Any, is_value: Callable[[Any], bool], place: Place = ()) -> Iterator[Tuple[Place, Any]]:
    if is_value(value):
        yield place, value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _found(inner, is_value, (*place, key))
    elif isinstance(value, Sequence) and not isinstance(value, (str, bytes)):
        for index, inner in enumerate(value):
            yield from _found(inner, is_value, (*place, index))


def _at(case: Any, place: Place) -> Any:
    for key in place:
        case = case[key]
    return case


def _name(place: Place) -> str:
    text = ""
    for key in place:
        text += f"[{key}]" if isinstance(key, int) else f".{key}" if text else str(key)
    return text


class _Heights:
    """A table of heights: the undeformed distance of each element, or what body it is of says."""

    name = "undeformed_distance"

    def __init__(self, shape: Mapping[str, Any], place: Place) -> None:
        if shape.get("type") != "heights" or "spacing" in shape:
            raise InputError(f"{_name(place)}: has no derivatives; accepted: a table of `type: heights` with one value for "
                             "each element")
        self.is_distance = shape.get("of", "distance") == "distance"

    def tangent(self, table: Any, of_table: Any) -> Any:
        """The change of the distances by that of the table."""
        if self.is_distance:
            return of_table
        return of_table.flat[table.argmax()] - of_table  # h = max - value

    def adjoint(self, table: Any, of_distance: Any) -> Any:
        """The derivatives with respect to the table, from those with respect to the distances."""
        if self.is_distance:
            return of_distance
        result = -of_distance
        result.flat[table.argmax()] += of_distance.sum()
        return result


class _Direct:
    """What a gradient has under a name of its own."""

    def __init__(self, name: str) -> None:
        self.name = name

    def tangent(self, _value: Any, of_value: Any) -> Any:
        return of_value

    def adjoint(self, _value: Any, of_input: Any) -> Any:
        return of_input


def _shapes(case: Mapping[str, Any]) -> List[Mapping[str, Any]]:
    shapes = case.get("geometry", [])
    return [shape for shape in (shapes if isinstance(shapes, Sequence) else [shapes]) if isinstance(shape, Mapping)]


def _kind(case: Any, place: Place) -> Any:
    if place and place[0] == "geometry" and place[-1] == "file":
        return _Heights(_at(case, place[:-1]), place)
    if place == ("normal", "force") and any(shape.get("type") == "hertz" for shape in _shapes(case)):
        raise InputError("normal.force: has no derivatives with a shape of `type: hertz`, which follows it; accepted: "
                         "`type: sphere` or `ellipsoid`")
    if place == ("friction", "coefficient", "file"):
        return _Direct("friction")
    return _Direct(_name(place))


class Function:
    """A case as a function of the values that is_value finds in it.

    Parameters
    ----------
    case: a dict of one step, with tensors as loads, friction coefficient, or tables of heights and coefficients.
    is_value: whether something in the case is such a value.
    outputs: names of fields and totals of the result.
    options: those of Solver.
    """

    def __init__(self, case: Mapping[str, Any], is_value: Callable[[Any], bool], outputs: Sequence[str],
                 options: Mapping[str, Any]) -> None:
        if not isinstance(case, Mapping):
            raise InputError(f"a case of type {type(case).__name__} has no values with derivatives; accepted: a dict")
        if isinstance(outputs, str):
            outputs = [outputs]
        if "steps" in case:
            raise InputError("steps: a case with values that have derivatives is one step; accepted: its loads at the top of the "
                             "case, without `steps`")
        self.outputs = list(outputs)
        if len(set(self.outputs)) < len(self.outputs):
            raise InputError(f"outputs: {', '.join(self.outputs)}: a name is there twice; accepted: each once")
        places = list(_found(case, is_value))
        if not places:
            raise InputError("the case has no value with derivatives; accepted: a tensor as a load, a friction coefficient "
                             "or a table of heights")
        self.places = [place for place, _ in places]
        self.values = [value for _, value in places]
        self.options = dict(options)
        self.kinds = [_kind(case, place) for place in self.places]
        self._case = _with(case, dict.fromkeys(self.places))

    def solve(self, arrays: Sequence[Any]) -> Solution:
        """Solves the case at these values, arrays of NumPy. Raises NotConverged, CaseError, InputError, Error."""
        values = [np.asarray(array, dtype=float) for array in arrays]
        case = _with(self._case, {place: value if value.ndim else float(value)
                                  for place, value in zip(self.places, values)})
        solver = Solver(case, **self.options)
        if solver.steps_in_case != 1:
            raise InputError(f"the case has {solver.steps_in_case} steps; accepted: one, for derivatives hold what the "
                             "steps before left")
        result = solver.advance()
        if not result.converged:
            raise NotConverged(f"the step did not converge: {result.message}", result)
        return Solution(self, solver, result, values)


class Solution:
    """A solved case. outputs: arrays, in the order that was asked for."""

    def __init__(self, function: Function, solver: Solver, result: Any, values: Sequence[Any]) -> None:
        self._function, self._solver, self._values = function, solver, values
        self.result = result
        fields = set(result.field_names())
        self.outputs = [np.array(result.field(name) if name in fields else _total(result, name), dtype=float)
                        for name in function.outputs]

    def adjoint(self, seeds: Sequence[Any], wanted: Optional[Sequence[bool]] = None) -> List[Any]:
        """The derivatives of a scalar with respect to the values, from those with respect to the outputs; None where
        they are not wanted."""
        gradient = self._solver.gradient({name: seed for name, seed in zip(self._function.outputs, seeds) if np.any(seed)})
        asked = [True] * len(self._values) if wanted is None else wanted
        self._require(gradient, asked)
        return [np.asarray(kind.adjoint(value, gradient[kind.name])) if ask else None
                for kind, value, ask in zip(self._function.kinds, self._values, asked)]

    def tangent(self, changes: Sequence[Any]) -> List[Any]:
        """The changes of the outputs by those of the values."""
        direction: Dict[str, Any] = {}
        for kind, value, change in zip(self._function.kinds, self._values, changes):
            of_input = kind.tangent(value, np.asarray(change, dtype=float))
            if np.any(of_input):  # what does not change need not have derivatives
                direction[kind.name] = direction.get(kind.name, 0.0) + of_input
        found = self._solver.derivative(direction)
        missing = [name for name in self._function.outputs if name not in found]
        if missing:
            raise InputError(f"{missing[0]}: has no derivatives; accepted: {', '.join(found)}")
        return [np.asarray(found[name]) for name in self._function.outputs]

    def _require(self, gradient: Mapping[str, Any], asked: Sequence[bool]) -> None:
        for kind, place, ask in zip(self._function.kinds, self._function.places, asked):
            if ask and kind.name not in gradient:
                raise InputError(f"{_name(place)}: has no derivatives in this case; accepted: heights as a table, and "
                                 f"{', '.join(name for name in gradient if '.' in name)}")


def _total(result: Any, name: str) -> float:
    if name not in result.totals:
        raise InputError(f"the result has no {name!r}; accepted: a field or a total of it, such as pressure or force_x")
    return result.totals[name]


def _with(case: Any, values: Mapping[Place, Any], place: Place = ()) -> Any:
    """A copy of the case with other values at these places."""
    if place in values:
        return values[place]
    if isinstance(case, Mapping):
        return {key: _with(inner, values, (*place, key)) for key, inner in case.items()}
    if isinstance(case, Sequence) and not isinstance(case, (str, bytes)):
        return [_with(inner, values, (*place, index)) for index, inner in enumerate(case)]
    return copy.copy(case)
