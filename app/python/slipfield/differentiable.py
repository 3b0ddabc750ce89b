# SPDX-License-Identifier: Apache-2.0
"""A case as a differentiable function of values in it, in forward and in reverse mode; shared by slipfield.torch and
slipfield.jax."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any, Callable, Dict, Iterable, Iterator, List, NamedTuple, Optional, Tuple

import numpy as np

from . import _slipfield
from .case import yaml_of
from .errors import Error, InputError, NotConverged
from .given import real_array
from .solver import DeviceField, Solver

Place = Tuple[Any, ...]  # the keys and indices that lead to a value


class OnGpu(NamedTuple):
    """Where a caller's arrays are. number: of the GPU; copy_of: makes an array there of a DeviceField."""

    number: int
    copy_of: Callable[[DeviceField], Any]


_FIELDS = ("pressure", "traction_x", "traction_y", "slip_x", "slip_y")  # those that a batch has


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
    """A table of heights: the undeformed distance of each element, or the heights of one body."""

    name = "undeformed_distance"

    def __init__(self, shape: Mapping[str, Any], place: Place) -> None:
        if shape.get("type") != "heights" or "spacing" in shape:
            raise InputError(f"{_name(place)}: has no derivatives; accepted: a table of `type: heights` with one value for "
                             "each element")
        self.is_distance = shape.get("of", "distance") == "distance"

    def tangent(self, table: Any, of_table: Any) -> Any:
        """Converts a change of the table to a change of the distances."""
        if self.is_distance:
            return of_table
        return of_table.flat[table.argmax()] - of_table  # h = max - value

    def adjoint(self, table: Any, of_distance: Any) -> Any:
        """Converts derivatives to the distances into derivatives to the table."""
        if self.is_distance:
            return of_distance
        result = -of_distance
        result.flat[table.argmax()] += of_distance.sum()
        return result


class _Direct:
    """An input that a gradient has under its own name."""

    def __init__(self, name: str) -> None:
        self.name = name

    def tangent(self, _value: Any, of_value: Any) -> Any:
        return of_value

    def adjoint(self, _value: Any, of_input: Any) -> Any:
        return of_input


def _shapes(case: Mapping[str, Any]) -> List[Mapping[str, Any]]:
    shapes = case.get("geometry", [])
    return [shape for shape in (shapes if isinstance(shapes, Sequence) else [shapes]) if isinstance(shape, Mapping)]


def _entries(case: Mapping[str, Any]) -> List[Tuple[int, Mapping[str, Any]]]:
    """Returns for each step its entry of `steps` with its number; leaves anything but a list of maps for the solver to refuse."""
    given = case.get("steps")
    if not isinstance(given, Sequence) or not given or not all(isinstance(entry, Mapping) for entry in given):
        return [(0, {})]
    return [(number, entry) for number, entry in enumerate(given)
            for _ in range(entry["repeat"] if isinstance(entry.get("repeat"), int) else 1)]


def _steps_of(case: Mapping[str, Any], place: Place) -> List[int]:
    """Returns the steps in which a value is in force: until an entry of `steps` has its key or another `problem`."""
    entries = _entries(case)
    if place[0] == "geometry":
        return list(range(len(entries)))
    of_entry, path = (place[1], place[2:]) if place[0] == "steps" else (None, place)
    holds: List[int] = []
    for k, (number, entry) in enumerate(entries):
        if of_entry is not None and number < of_entry:
            continue
        section = entry.get(path[0])
        changed = isinstance(section, Mapping) and (path[1:2] and path[1] in section or "problem" in section)
        if number != of_entry and changed:
            break
        holds.append(k)
    return holds


def _kind(case: Any, place: Place) -> Any:
    if place[0] == "steps":
        return _kind(_at(case, place[:2]), place[2:])
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
    case: a dict, with tensors as loads, friction coefficient, or tables of heights and coefficients; also in its `steps`.
    is_value: whether something in the case is such a value.
    outputs: names of fields and totals of the result, of the last step.
    options: those of Solver.
    """

    def __init__(self, case: Mapping[str, Any], is_value: Callable[[Any], bool], outputs: Sequence[str],
                 options: Mapping[str, Any]) -> None:
        if not isinstance(case, Mapping):
            raise InputError(f"a case of type {type(case).__name__} has no values with derivatives; accepted: a dict")
        if isinstance(outputs, str):
            outputs = [outputs]
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
        self.steps = [_steps_of(case, place) for place in self.places]
        self.count = len(_entries(case))
        self._case = _with(case, dict.fromkeys(self.places))

    def solver(self, values: Sequence[Any], gpu: Optional[OnGpu] = None) -> Solver:
        """Returns a solver for the case with these values, on that GPU unless the options say otherwise."""
        case = _with(self._case, {place: value if value.ndim else float(value)
                                  for place, value in zip(self.places, values)})
        solver = None
        if gpu and self.options.get("backend") in (None, "cuda") and self.options.get("device") is None and not _slipfield.gpu():
            try:
                solver = Solver(case, **{**self.options, "device": gpu.number})
            except Error:  # a case for the CPU, or little free memory there: as without tensors on a GPU
                if self.options.get("backend") == "cuda":
                    raise
        solver = solver or Solver(case, **self.options)
        if solver.steps_in_case != self.count:
            raise InputError(f"the case has {solver.steps_in_case} steps, and `steps` says {self.count}; accepted: steps as "
                             "they are written in the dict")
        return solver

    def solve(self, arrays: Sequence[Any], gpu: Optional[OnGpu] = None) -> Solution:
        """Solves the case with these values, NumPy arrays. Raises NotConverged, CaseError, InputError, Error.

        gpu: fields of a case with one step that were computed there stay there.
        """
        values = [real_array(array, "a value of the case", "real numbers") for array in arrays]
        solver = self.solver(values, gpu)
        stay = gpu if self.count == 1 and not solver._solver.is_wheel else None
        results = []
        for _ in range(self.count):
            results.append(solver.advance(fields=stay is None))
            if not results[-1].converged:
                if stay:
                    results[-1] = solver._result(solver._call(solver._solver.last_step_with_fields))
                raise NotConverged(f"step {len(results)} did not converge: {results[-1].message}", results[-1])
        return Solution(self, solver, results, values, stay)

    def solve_many(self, arrays: Sequence[Any], gpu: Optional[OnGpu] = None) -> Any:
        """Solves the case for n sets of values; each array, output and derivative has a leading axis of n.

        Uses the batch solver if it accepts the case, else solves one by one. Raises like solve().
        """
        values = [real_array(array, "a value of the case", "real numbers") for array in arrays]
        if len(values[0]) == 0:
            raise InputError("a batch without contacts; accepted: one contact or more")
        keys = [_key_in_batch(place, value.ndim - 1) for place, value in zip(self.places, values)]
        known = {*_FIELDS, *_slipfield.quantity_names()}
        # A value that an entry of `steps` replaces holds in no step; a batch refuses it.
        if self.count > 1 or not all(self.steps) or "wheel_rail" in self._case or "progress" in self.options or not (
                all(keys) and known.issuperset(self.outputs)):
            return _OneByOne([_of_contact(i, self.solve, [value[i] for value in values]) for i in range(len(values[0]))])
        return _Batch(self, keys, values, gpu)


def _key_in_batch(place: Place, dimensions: int) -> str:
    """Returns the path of the number, or the name of the table (case.yaml_of), that differs between contacts; "": neither."""
    if dimensions == 2 and place[-1] == "file":
        return ".".join(map(str, place))
    path = place[2:] if place[0] == "steps" else place
    return ".".join(map(str, place)) if dimensions == 0 and all(isinstance(key, str) for key in path) else ""


def _of_contact(number: int, work: Callable[[Any], Any], values: Any) -> Any:
    """Calls work(values) and names the contact in errors."""
    try:
        return work(values)
    except NotConverged as error:
        raise NotConverged(f"contact {number}: {error}", error.result) from error
    except InputError as error:
        raise InputError(f"contact {number}: {error}") from error


class Solution:
    """A solved case. outputs: arrays in the order requested; gpu: those of fields on this GPU are made by copy_of()."""

    def __init__(self, function: Function, solver: Solver, results: List[Any], values: Sequence[Any],
                 gpu: Optional[OnGpu] = None) -> None:
        self._function, self._solver, self._values, self._results = function, solver, values, results
        shown = _shown_on(gpu, solver, function.outputs) if gpu else {}
        if gpu and not shown.keys() >= set(_slipfield.field_names()).intersection(function.outputs):
            results[-1] = solver._result(solver._call(solver._solver.last_step_with_fields))
        self.result = result = results[-1]
        fields = set(result.field_names())
        self.outputs = [gpu.copy_of(shown[name]) if gpu and name in shown else
                        np.array(result.field(name) if name in fields else _total(result, name), dtype=float)
                        for name in function.outputs]

    def adjoint(self, seeds: Sequence[Any], wanted: Optional[Sequence[bool]] = None) -> List[Any]:
        """Converts derivatives of a scalar to the outputs into derivatives to the values; None for those that are not wanted."""
        seed = {name: seed for name, seed in zip(self._function.outputs, seeds) if np.any(seed)}
        gradients = ([self._solver.gradient(seed)] if len(self._results) == 1 else
                     self._solver.gradient(seed, steps=self._results))
        asked = [True] * len(self._values) if wanted is None else wanted
        self._require(gradients, asked)
        return [np.asarray(kind.adjoint(value, sum(gradients[k][kind.name] for k in steps if kind.name in gradients[k])))
                if ask else None
                for kind, value, steps, ask in zip(self._function.kinds, self._values, self._function.steps, asked)]

    def tangent(self, changes: Sequence[Any]) -> List[Any]:
        """Computes the changes of the outputs from changes of the values."""
        directions: List[Dict[str, Any]] = [{} for _ in self._results]
        for kind, value, steps, change in zip(self._function.kinds, self._values, self._function.steps, changes):
            of_input = kind.tangent(value, np.asarray(change, dtype=float))
            if np.any(of_input):  # what does not change need not have derivatives
                for k in steps:
                    directions[k][kind.name] = directions[k].get(kind.name, 0.0) + of_input
        found = (self._solver.derivative(directions[0]) if len(self._results) == 1 else
                 self._solver.derivative(directions, steps=self._results)[-1])
        missing = [name for name in self._function.outputs if name not in found]
        if missing:
            raise InputError(f"{missing[0]}: has no derivatives; accepted: {', '.join(found)}")
        return [np.asarray(found[name]) for name in self._function.outputs]

    def _require(self, gradients: Sequence[Mapping[str, Any]], asked: Sequence[bool]) -> None:
        for kind, place, steps, ask in zip(self._function.kinds, self._function.places, self._function.steps, asked):
            if ask and not any(kind.name in gradients[k] for k in steps):
                raise _no_input(place, gradients[-1])


def _shown_on(gpu: OnGpu, solver: Solver, names: Iterable[str]) -> Dict[str, DeviceField]:
    """Those of the last step's fields that are on the GPU."""
    known = set(_slipfield.field_names())
    fields = {name: solver.device_field(name) for name in names if name in known}
    return {name: field for name, field in fields.items() if field is not None and field.__dlpack_device__()[1] == gpu.number}


class _OneByOne:
    """Solutions for several sets of values. outputs: as in Solution, with one more leading axis."""

    def __init__(self, solutions: Sequence[Solution]) -> None:
        self._solutions = solutions
        self.outputs = _stacked(solution.outputs for solution in solutions)

    def adjoint(self, seeds: Sequence[Any], wanted: Optional[Sequence[bool]] = None) -> List[Any]:
        """Solution.adjoint for each solution."""
        return _stacked(solution.adjoint([seed[i] for seed in seeds], wanted) for i, solution in enumerate(self._solutions))

    def tangent(self, changes: Sequence[Any]) -> List[Any]:
        """Solution.tangent for each solution."""
        return _stacked(solution.tangent([change[i] for change in changes]) for i, solution in enumerate(self._solutions))


def _stacked(rows: Iterable[Sequence[Any]]) -> List[Any]:
    return [None if column[0] is None else np.stack(column) for column in zip(*rows)]


class _Batch:
    """The same, solved by the batch solver. keys: of the values, see _key_in_batch()."""

    def __init__(self, function: Function, keys: Sequence[str], values: Sequence[Any], gpu: Optional[OnGpu] = None) -> None:
        self._function, self._values = function, values
        solver = _of_contact(0, lambda first: function.solver(first, gpu), [value[0] for value in values])
        self._shape = solver.grid.shape
        self._count = len(values[0])
        # The case itself has the values that all contacts share.
        own = [(key, value) for key, value in zip(keys, values) if value.strides[0] != 0]
        points = [[(key, yaml_of(float(value[i]), None, key)) for key, value in own if value.ndim == 1]
                  for i in range(self._count)]
        tables = [{key: np.ascontiguousarray(value[i]) for key, value in own if value.ndim > 1} for i in range(self._count)]
        totals = [name for name in function.outputs if name not in _FIELDS]
        found, converged, failed, messages, _, _, _, self._kept = solver._call(
            solver._solver.batch, points, totals, [], [], None, tables, True)
        for i, message in enumerate(messages):
            if failed[i]:
                raise InputError(f"contact {i}: {message}")
            if not converged[i]:
                raise NotConverged(f"contact {i} did not converge: {message}")
        for name, column in zip(totals, found.T):
            if np.isnan(column).any():  # every contact converged
                raise _no_output(name)
        self.outputs = [self._kept.field(name).reshape(self._count, *self._shape) if name in _FIELDS else
                        found[:, totals.index(name)].copy() for name in function.outputs]

    def adjoint(self, seeds: Sequence[Any], wanted: Optional[Sequence[bool]] = None) -> List[Any]:
        """Solution.adjoint for each contact."""
        kinds, asked = self._function.kinds, [True] * len(self._values) if wanted is None else wanted
        known = self._kept.inputs()
        for kind, place, ask in zip(kinds, self._function.places, asked):
            if ask and kind.name not in known:
                raise _no_input(place, known)
        given = [(name, np.ascontiguousarray(seed, dtype=float).ravel())
                 for name, seed in zip(self._function.outputs, seeds) if np.any(seed)]
        found = self._kept.gradient(given, sorted({kind.name for kind, ask in zip(kinds, asked) if ask}))
        return [np.stack([kind.adjoint(one, of_input) for one, of_input in zip(value, found[kind.name].reshape(value.shape))])
                if ask else None for kind, value, ask in zip(kinds, self._values, asked)]

    def tangent(self, changes: Sequence[Any]) -> List[Any]:
        """Solution.tangent for each contact."""
        directions: Dict[str, Any] = {}
        for kind, value, change in zip(self._function.kinds, self._values, changes):
            of_input = np.stack([kind.tangent(one, moved) for one, moved in zip(value, change)])
            if np.any(of_input):
                directions[kind.name] = directions.get(kind.name, 0.0) + of_input
        found = self._kept.derivative([(name, np.ravel(values)) for name, values in directions.items()],
                                      self._function.outputs)
        return [found[name].reshape(output.shape) for name, output in zip(self._function.outputs, self.outputs)]


def _no_input(place: Place, known: Iterable[str]) -> InputError:
    return InputError(f"{_name(place)}: has no derivatives in this case; accepted: heights as a table, and "
                      f"{', '.join(name for name in known if '.' in name)}")


def _no_output(name: str) -> InputError:
    return InputError(f"the result has no {name!r}; accepted: a field or a total of it, such as pressure or force_x")


def _total(result: Any, name: str) -> float:
    if name not in result.totals:
        raise _no_output(name)
    return result.totals[name]


def _with(case: Any, values: Mapping[Place, Any], place: Place = ()) -> Any:
    """Returns a copy of the case with other values at these places."""
    if place in values:
        return values[place]
    if isinstance(case, Mapping):
        return {key: _with(inner, values, (*place, key)) for key, inner in case.items()}
    if isinstance(case, Sequence) and not isinstance(case, (str, bytes)):
        return [_with(inner, values, (*place, index)) for index, inner in enumerate(case)]
    return copy.copy(case)
