# SPDX-License-Identifier: Apache-2.0
"""Many contacts: a case for each combination of values."""

from __future__ import annotations

import itertools
import numbers
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, Sequence, Tuple

import numpy as np

from . import _slipfield
from .case import yaml_of
from .errors import InputError, needs
from .solver import Solver, _named
from .wheel import TOTALS

if TYPE_CHECKING:
    import numpy.typing as npt
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from .case import CaseLike
    Array = npt.NDArray[Any]

_TOTALS = ["force_x", "force_y", "moment_z", "normal_force", "approach", "max_pressure",
           "elements_contact", "elements_adhesion", "elements_slip"]

_WHEEL = ["axle_z", "axle_roll", *TOTALS, "contact_count", "normal_force", "max_pressure"]


class Table:
    """Totals over the points of a sweep.

    A key or a total by its name is an array of the sweep's shape: one axis for each key.
    """

    def __init__(self, keys: Dict[str, List[Any]], totals: Dict[str, Array], converged: Array,
                 messages: Array, units: str, warnings: Optional[Array] = None,
                 case_warnings: Sequence[str] = ()) -> None:
        self.keys = keys            # {key: values}
        self.totals = totals        # {name: array}
        self.converged = converged  # array of bool
        self.messages = messages    # array of sentences; "" where a point converged
        self.units = units
        # Array of sentences on what is suspicious in a point, a line each; "" where nothing is.
        self.warnings = np.full(self.shape, "", dtype=object) if warnings is None else warnings
        self.case_warnings = list(case_warnings)  # of the case as it was before the keys were set

    @property
    def shape(self) -> Tuple[int, ...]:
        """The number of values of each key."""
        return tuple(len(values) for values in self.keys.values())

    def __getitem__(self, name: str) -> Array:
        if name in self.totals:
            return self.totals[name]
        if name in self.keys:
            axis = list(self.keys).index(name)
            shape = [1] * len(self.keys)
            shape[axis] = -1
            values = self.keys[name]
            column = np.array(values) if _plain(values) else np.empty(len(values), dtype=object)
            if column.dtype == object:
                column[:] = values
            return np.broadcast_to(column.reshape(shape), self.shape)
        raise InputError(f"the table has no {name!r}; accepted: "
                         f"{', '.join([*self.keys, *self.totals])}")

    def to_pandas(self) -> Any:
        """A pandas.DataFrame with a row for each point."""
        try:
            import pandas
        except ImportError as error:
            raise needs("pandas", "to_pandas()") from error
        columns = {name: np.ravel(self[name]) for name in [*self.keys, *self.totals]}
        return pandas.DataFrame({**columns, "converged": self.converged.ravel()})

    def plot(self, total: str = "force_x", ax: Optional[Axes] = None) -> Figure:
        """A total over the first key, a curve for each value of the others. Returns the figure."""
        from .figures import plot_table
        return plot_table(self, total, ax)

    def __repr__(self) -> str:
        return (f"<slipfield.Table: {' x '.join(map(str, self.shape))} points over "
                f"{', '.join(self.keys)}; {int(np.sum(~self.converged))} not converged>")


def _plain(values: Iterable[Any]) -> bool:
    return all(isinstance(value, (str, numbers.Number)) for value in values)


def _values_of(key: str, values: Any) -> List[Any]:
    if isinstance(values, (str, bytes, Mapping)) or not isinstance(values, Iterable):
        raise InputError(f"{key}: {values!r} is not a list of values; accepted: a list or an "
                         "array, for one value of one")
    listed = list(values)
    if not listed:
        raise InputError(f"{key}: has no values; accepted: at least one")
    return listed


def sweep(case: CaseLike, keys: Mapping[str, Iterable[Any]], *,
          totals: Optional[Sequence[str]] = None,
          progress: Optional[Callable[[int, int], Any]] = None, **options: Any) -> Table:
    """Solves the case for each combination of values, side by side, and returns a Table.

    keys: {"tangential.x.creepage": [...], "friction.coefficient": [...]}, any keys of the case;
    of a wheel on a rail also the short names of Solver.
    totals: names of totals (of the last step). progress(done, points): called some times a second
    and at the end; returning False cancels, which raises Cancelled. options: as Solver; threads:
    points at a time.
    A point that fails or does not converge is marked in Table.converged, with the reason in
    Table.messages; failed totals are NaN. InputError where every point fails.
    """
    values = {key: _values_of(key, given) for key, given in _named(keys, "sweep").items()}
    if not values:
        raise InputError("a sweep needs keys; accepted: {key: values} with at least one")
    solver = Solver(case, **options)
    wheel = solver._solver.is_wheel
    known = _slipfield.wheel_names() if wheel else _slipfield.quantity_names()
    names = [totals] if isinstance(totals, str) else list(totals or (_WHEEL if wheel else _TOTALS))
    unknown = [name for name in names if name not in known]
    if unknown:
        raise InputError(f"there is no total {unknown[0]!r}; accepted: {', '.join(known)}")
    if progress is not None and not callable(progress):
        raise InputError("progress: cannot be called; accepted: a function of (done, points)")
    points = [[(solver._path(key), yaml_of(value, None, key)) for key, value in zip(values, point)]
              for point in itertools.product(*values.values())]
    report = None if progress is None else lambda done: progress(done, len(points))
    numbers_found, converged, failed, messages, warned = solver._call(solver._solver.batch, points,
                                                                      names, report)
    if progress is not None:
        progress(len(points), len(points))
    if all(failed):
        raise InputError(f"all {len(points)} points failed, the first with: {messages[0]}")
    shape = tuple(len(given) for given in values.values())
    columns = {name: numbers_found[:, i].reshape(shape) for i, name in enumerate(names)}
    return Table(values, columns, np.array(converged).reshape(shape),
                 np.array(messages, dtype=object).reshape(shape), solver.units,
                 np.array(warned, dtype=object).reshape(shape), solver.warnings)
