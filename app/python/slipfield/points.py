# SPDX-License-Identifier: Apache-2.0
"""Many contacts: a case for each combination of values."""

from __future__ import annotations

import csv
import io
import itertools
import math
import numbers
import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple, Union

import numpy as np

from . import _slipfield
from .case import length_unit, settings_of
from .counts import counted_column, of_part
from .errors import Error, InputError, imported
from .fixed import FixedDict, FixedList, ReadOnly, fixed
from .given import name_of, near_names, number_of, path_of, texts_of
from .progress import show_progress
from .show import html_table
from .solver import Solver, _named
from .wheel import TOTALS

if TYPE_CHECKING:
    import numpy.typing as npt
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from .case import CaseLike, PathLike
    Array = npt.NDArray[Any]

_TOTALS = ["force_x", "force_y", "moment_z", "normal_force", "approach", "max_pressure",
           "elements_contact", "elements_adhesion", "elements_slip"]

_WHEEL = ["axle_z", "axle_roll", *TOTALS, "contact_count", "normal_force", "max_pressure"]


_OF_A_WHEEL = ["rolling_radius", "nearest_angle", *TOTALS, "contact_count"]
_MOST_ROWS = 20  # in a notebook


class Table(ReadOnly):
    """Totals over the points of a sweep: table["force_x"] is an array with an axis for each key.

    Attributes
    ----------
    keys: {key: its values}, in the order of the axes.
    totals: {name: array of the shape of the table}; counts are integers where every point has one.
    converged: array of bool.
    messages: array of sentences, "" if a point converged.
    warnings: array of the warnings of each point, a line each; "" if there are none.
    case_warnings: warnings about the case before the keys were set.
    gradients: {(total, input): array of the shape of the table, followed by (my, mx) for inputs by element}, if requested.
    near_change: array of int, Gradient.near_change of each point, 0 if its gradients are NaN; None without gradients.
    units: "N-mm-s" or "SI"; unit(name) has the unit of a total.
    """

    def __init__(self, keys: Dict[str, List[Any]], totals: Dict[str, Array], converged: Array,
                 messages: Array, units: str, warnings: Optional[Array] = None,
                 case_warnings: Sequence[str] = (), gradients: Optional[Dict[Tuple[str, str], Array]] = None,
                 near_change: Optional[Array] = None) -> None:
        self.keys = FixedDict({key: FixedList(values) for key, values in keys.items()})
        self.totals = FixedDict({name: fixed(counted_column(name, values)) for name, values in totals.items()})
        self.converged = fixed(converged)
        self.messages = fixed(messages)
        self.units = units
        self.warnings = fixed(np.full(self.shape, "", dtype=object) if warnings is None else warnings)
        self.case_warnings = FixedList(case_warnings)
        self.gradients = FixedDict({pair: fixed(values) for pair, values in (gradients or {}).items()})
        self.near_change = None if near_change is None else fixed(near_change)

    @property
    def shape(self) -> Tuple[int, ...]:
        """The number of values of each key."""
        return tuple(len(values) for values in self.keys.values())

    _known: Sequence[str] = ()  # of sweep(): the totals that it could have recorded

    def __getitem__(self, name: str) -> Array:
        if name_of(name, "'force_x'") in self.totals:
            return self.totals[name]
        if name in self.keys:
            axis = list(self.keys).index(name)
            shape = [1] * len(self.keys)
            shape[axis] = -1
            values = self.keys[name]
            column = np.array(values) if _plain(values) else np.empty(len(values), dtype=object)
            if column.dtype == object:
                for i, value in enumerate(values):  # of which each may be an array
                    column[i] = value
            return np.broadcast_to(column.reshape(shape), self.shape)
        if name in self._known:
            raise InputError(f"the table has no {name!r}; accepted: a sweep(..., totals=[{name!r}, ...]) that records it")
        raise InputError(f"the table has no {name!r}; {near_names(name, list(self), 'list(table) has all of its names')}")

    def __contains__(self, name: object) -> bool:
        return name in list(self.keys) or name in list(self.totals)

    def __iter__(self) -> Iterator[str]:
        """The names of keys and totals."""
        return iter([*self.keys, *self.totals])

    def unit(self, name: str) -> str:
        """Returns the unit of a total: "N"; "-" for ratios and counts."""
        if name_of(name, "'force_x'") not in self.totals:
            raise InputError(f"the table has no total {name!r}; "
                             f"{near_names(name, self.totals, 'list(table.totals) has all of their names')}")
        return _slipfield.unit(of_part(name), self.units)

    def _part(self, start: str) -> Table:
        """Returns the totals whose names begin with the prefix, without it."""
        own = {name[len(start):]: values for name, values in self.totals.items() if name.startswith(start)}
        return Table(self.keys, own, self.converged, self.messages, self.units, self.warnings, self.case_warnings)

    def side(self, side: str) -> Table:
        """Returns the table of one wheel of a wheelset, side "left" or "right", without the prefix in its totals."""
        part = self._part(f"{side}_")
        if side not in ("left", "right") or not part.totals:
            raise InputError(f"the table has no side {side!r}; accepted: 'left' or 'right', of a sweep of a wheelset with totals "
                             "such as left_track_force_y")
        return part

    def contact(self, number: int) -> Table:
        """Returns the table of a contact, from 1, without contact_1_ in its totals, which are NaN if it does not exist.

        table.side("left").contact(1) is one of a wheel of a wheelset.
        """
        part = self._part(f"contact_{number_of(number, 'contact', '1, 2, ...')}_")
        if not part.totals:
            raise InputError(f"the table has no contact {number}; accepted: one of which there are totals, such as "
                             "contact_1_normal_force")
        return part

    def _columns(self) -> Dict[str, Array]:
        """Keys and totals, a value for each point."""
        return {name: np.ravel(self[name]) for name in [*self.keys, *self.totals]}

    def units_of_totals(self) -> Dict[str, str]:
        """Returns {name of a total: its unit}; "-" for ratios, counts and columns that are no totals."""
        known = {*_slipfield.quantity_names(), *_slipfield.wheel_names()}
        return {name: self.unit(name) if of_part(name) in known else "-" for name in self.totals}

    def _units_of_keys(self) -> Dict[str, str]:
        """The units of keys with known ones. A case has some angles in degrees, so none of those."""
        from .figures import names  # here alone: importing it takes time
        known = {key: names.KEYS[key] for key in self.keys if key in names.KEYS}
        return {key: names.unit_of(key, self.units) for key, name in known.items() if name.dimension not in ("angle", "percent")}

    def _remarks(self) -> Dict[str, Array]:
        """The outcome and the warnings of each point."""
        return {"converged": self.converged.ravel(), "message": self.messages.ravel(), "warnings": self.warnings.ravel()}

    def _notes(self) -> List[str]:
        """Notes about all points together."""
        failed, doubted = int(np.sum(~self.converged)), int(np.sum(self.warnings != ""))
        return ([f"{failed} not converged"] if failed else []) + ([f"{doubted} with warnings"] if doubted else [])

    def to_pandas(self) -> Any:
        """Returns a pandas.DataFrame with a row for each point: keys, totals, converged, message, warnings.

        Its `attrs["units"]` is {name of a total: its unit}.
        """
        frame = imported("pandas", "to_pandas()").DataFrame({**self._columns(), **self._remarks()})
        frame.attrs["units"] = self.units_of_totals()
        return frame

    def to_xarray(self) -> Any:
        """Returns an xarray.Dataset with a dimension for each key; units are attributes of the totals.

        A key whose values are neither numbers nor texts, such as a list of semi-axes, has no coordinate.
        """
        xarray = imported("xarray", "to_xarray()")
        axes = tuple(self.keys)
        units = self.units_of_totals()
        totals = {name: (axes, values, {"units": units[name]}) for name, values in self.totals.items()}
        totals.update({name: (axes, values.reshape(self.shape), {}) for name, values in self._remarks().items()})
        coordinates = {key: (key, np.array(values)) for key, values in self.keys.items() if _plain(values)}
        return xarray.Dataset(totals, coordinates, {"units": self.units})

    def save(self, path: PathLike, overwrite: bool = False, units: bool = False) -> None:
        """Writes the table as CSV with a row for each point: keys, totals, converged, message, warnings.

        Numbers read back unchanged. to_xarray().to_netcdf(path) and to_pandas().to_parquet(path) write other formats, with
        the units of the totals.

        Parameters
        ----------
        path: a name that ends with .csv.
        overwrite: True replaces a file that is there.
        units: True writes units into the first line, like `slipfield export`: force_x [N].
        """
        name = path_of(path, "the CSV file to write")
        if not name.lower().endswith(".csv"):
            raise InputError(f"{name}: a table is saved as CSV; accepted: a name that ends with .csv, or to_xarray() and to_pandas(), "
                             "which write other formats")
        if not overwrite and os.path.exists(name):
            raise InputError(f"{name}: the file exists already; accepted: another name, or overwrite=True")
        columns = {**self._columns(), **self._remarks()}
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        known = {**self._units_of_keys(), **self.units_of_totals()} if units else {}
        writer.writerow([name if known.get(name, "-") == "-" else f"{name} [{known[name]}]" for name in columns])
        writer.writerows(zip(*(map(_cell, values.tolist()) for values in columns.values())))
        try:
            with open(name, "w", encoding="utf-8", newline="") as file:
                file.write(text.getvalue())
        except OSError as error:
            raise Error(f"{name}: cannot be written: {error.strerror}") from error

    def plot(self, total: Optional[str] = None, ax: Optional[Axes] = None) -> Figure:
        """Draws a total over the first key, a curve for each value of the others.

        Parameters
        ----------
        total: the name of a total of the table; by default force_x, for a wheel track_force_y.
        ax: axes of matplotlib to draw into.

        Returns
        -------
        A matplotlib Figure.
        """
        from .figures import plot_table
        usual = [name for name in ("force_x", "track_force_y", *self.totals) if name in self.totals]
        return plot_table(self, usual[0] if total is None and usual else total, ax)

    def _repr_html_(self) -> str:
        columns = {**self._columns(), **({} if self.converged.all() else {"message": self.messages.ravel()})}
        count = int(np.prod(self.shape))
        rows = [[_shown(values[i]) for values in columns.values()] for i in range(min(count, _MOST_ROWS))]
        notes = [f"of {count} points: {', '.join(self._notes())}"] if self._notes() else []
        notes += [f"the first {_MOST_ROWS} of {count} points"] if count > _MOST_ROWS else []
        return html_table(rows, list(columns)) + "".join(f"<p>{note}</p>" for note in notes)

    def __repr__(self) -> str:
        reasons = [message.splitlines()[0] for message in self.messages.ravel() if message]
        return (f"<slipfield.Table: {' x '.join(map(str, self.shape))} points over "
                f"{', '.join(self.keys)}; {', '.join(self._notes() or ['all converged'])}"
                f"{f'; the first message: {reasons[0]}' if reasons else ''}>")


def _cell(value: Any) -> Any:
    """Writes numbers as Python does, so that they read back unchanged."""
    return repr(value) if isinstance(value, float) else value


def _shown(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, (float, np.floating)) else str(value)


def _plain(values: Iterable[Any]) -> bool:
    return all(isinstance(value, (str, numbers.Number)) for value in values)


def _values_of(key: str, values: Any) -> List[Any]:
    if isinstance(values, (str, bytes, Mapping)) or not isinstance(values, Iterable) or getattr(values, "ndim", 1) == 0:
        raise InputError(f"{key}: {values!r} is not a list of values; accepted: a list or an "
                         "array, for one value of one")
    listed = list(values)
    if not listed:
        raise InputError(f"{key}: has no values; accepted: at least one")
    return listed


def _names_of(solver: Solver, totals: Union[str, Sequence[str], None], keys: Iterable[str],
              known: Sequence[str]) -> List[str]:
    """Returns the totals requested, or the usual ones for such a case; for a wheelset also those of each wheel."""
    wheel = solver._solver.is_wheel
    if totals:
        names = texts_of(totals, "totals", '["force_x", "max_pressure"]')
    elif wheel and "wheel_rail.side" not in map(solver._path, keys) and solver["side"] == "both":
        names = [*_WHEEL, *(f"{side}_{name}" for side in ("left", "right") for name in _OF_A_WHEEL)]
    else:
        names = _WHEEL if wheel else _TOTALS
    unknown = [name for name in names if name not in known and not (wheel and of_part(name) in known)]
    if unknown:
        raise InputError(f"there is no total {unknown[0]!r}; "
                         f"{near_names(unknown[0], known, '`slipfield info --fields` lists all')}")
    return names


def sweep(case: CaseLike, keys: Mapping[str, Iterable[Any]], *, totals: Union[str, Sequence[str], None] = None,
          progress: Union[bool, Callable[[int, int], Any], None] = None, backend: str = "auto", device: Optional[int] = None,
          threads: int = 0, folder: Optional[PathLike] = None, arrays: Optional[Mapping[str, Any]] = None,
          gradient_of: Union[str, Sequence[str], None] = None, gradient_to: Union[str, Sequence[str], None] = None) -> Table:
    """Solves the case for each combination of values, many at a time.

        sf.sweep(case, {"tangential.x.creepage": np.linspace(0, 4e-3, 9), "friction.coefficient": [0.2, 0.3]})

    Table.converged marks a point that fails or does not converge, and Table.messages has the reason; the totals of a
    failed one are NaN.

    Parameters
    ----------
    case, backend, device, folder, arrays: see Solver.
    keys: {path of a key: its values}; for a wheel on a rail also the short names of Solver. They change the case like its own
        `sweep`: an entry of `steps` overrides them, and has keys of its own, steps.0.normal.force.
    totals: names of totals of the last step, those of wear, heat, interior and so on if the case asks for them; for a
        wheelset also left_... and right_... of each wheel, and those of a contact, contact_1_normal_force or
        left_contact_2_normal_force, which are NaN if it does not exist.
    progress: True shows the number of points done and the time left, by tqdm if it is installed; or a function of
        (done, points), called a few times a second and at the end, which returns False to cancel.
    threads: number of points solved at a time; 0: one per core of the CPU.
    gradient_of, gradient_to: names of numbers and of inputs as in Solver.gradient, including undeformed_distance and friction
        by element but not points of profiles: Table.gradients has the derivatives of each number to each input, from one
        adjoint solution per number on the CPU.

    Returns
    -------
    A Table, with an axis for each key.

    Raises
    ------
    InputError if every point fails; Cancelled.
    """
    values = {key: _values_of(key, given) for key, given in _named(keys, "sweep").items()}
    if not values:
        raise InputError("a sweep needs keys; accepted: {key: values} with at least one")
    solver = Solver(case, backend=backend, device=device, threads=threads, folder=folder, arrays=arrays)
    solver._check_short({key: given[0] for key, given in values.items()})
    known = _slipfield.wheel_names() if solver._solver.is_wheel else _slipfield.quantity_names()
    names = _names_of(solver, totals, values, known)
    of, to = ([] if given is None else texts_of(given, what, '["force_x"]')
              for given, what in ((gradient_of, "gradient_of"), (gradient_to, "gradient_to")))
    if bool(of) != bool(to):
        raise InputError("gradient_of and gradient_to: one of them is missing; accepted: both, or none")
    if progress not in (None, True, False) and not callable(progress):
        raise InputError("progress: cannot be called; accepted: True, or a function of (done, points)")
    count = math.prod(len(given) for given in values.values())
    if count > _slipfield.most_points:
        raise InputError(f"the sweep has {count} points; accepted: at most {_slipfield.most_points}")
    settings: List[List[Tuple[List[Tuple[str, str]], Dict[str, Any]]]] = []  # of each value of each key, with its tables
    paths, unit = [solver._path(key) for key in values], length_unit(solver.units)
    for path, given_values in zip(paths, values.values()):
        settings.append([])
        for value in given_values:
            own: Dict[str, Any] = {}
            settings[-1].append((settings_of(path, value, own, unit, paths, solver._type_of), own))
    combined = list(itertools.product(*settings))
    points = [[pair for pairs, _ in point for pair in pairs] for point in combined]
    tables = [{name: table for _, own in point for name, table in own.items()} for point in combined]
    bar = show_progress(len(points), "points") if progress is True else None
    report: Optional[Callable[[int], Any]] = None
    if bar:
        report = bar.update
    elif callable(progress):
        follow = progress
        report = lambda done: follow(done, len(points))  # noqa: E731
    try:
        found, converged, failed, messages, warned, slopes, near, _ = solver._call(
            solver._solver.batch, points, names, of, to, report, tables if any(tables) else [])
        if report:
            report(len(points))
    finally:
        if bar:
            bar.close()
    if all(failed):
        raise InputError(f"the only point failed: {messages[0]}" if len(points) == 1
                         else f"all {len(points)} points failed, the first with: {messages[0]}")
    shape = tuple(len(given) for given in values.values())
    columns = {name: found[:, i].reshape(shape) for i, name in enumerate(names)}
    table = Table(values, columns, np.array(converged).reshape(shape),
                  np.array(messages, dtype=object).reshape(shape), solver.units,
                  np.array(warned, dtype=object).reshape(shape), solver.warnings, _gradients_of(solver, slopes, of, to, shape),
                  np.array(near, dtype=int).reshape(shape) if of else None)
    table._known = known
    return table


def _gradients_of(solver: Any, slopes: Array, of: List[str], to: List[str], shape: Tuple[int, ...]) -> Dict[Tuple[str, str], Array]:
    """Splits rows, which have the values of one input after another, by total and input."""
    found = {}
    for row, total in enumerate(of):
        begin = 0
        for name in to:
            by_element = name in ("undeformed_distance", "friction") and not solver._solver.is_wheel
            own = solver.grid.shape if by_element else ()
            count = int(np.prod(own))
            found[total, name] = slopes[:, row, begin:begin + count].copy().reshape(*shape, *own)
            begin += count
    return found
