"""Many contacts: a case for each combination of values."""

import itertools

import numpy as np

from . import _slipfield
from .case import yaml_of
from .errors import InputError
from .solver import Solver

_TOTALS = ["force_x", "force_y", "moment_z", "normal_force", "approach", "max_pressure",
           "elements_contact", "elements_adhesion", "elements_slip"]


class Table:
    """Totals over the points of a sweep.

    A key or a total by its name is an array of the sweep's shape: one axis for each key.
    """

    def __init__(self, keys, totals, converged, messages, units):
        self.keys = keys            # {key: values}
        self.totals = totals        # {name: array}
        self.converged = converged  # array of bool
        self.messages = messages    # array of sentences; "" where a point converged
        self.units = units

    @property
    def shape(self):
        return tuple(len(values) for values in self.keys.values())

    def __getitem__(self, name):
        if name in self.totals:
            return self.totals[name]
        if name in self.keys:
            axis = list(self.keys).index(name)
            shape = [1] * len(self.keys)
            shape[axis] = -1
            return np.broadcast_to(np.reshape(self.keys[name], shape), self.shape)
        raise InputError(f"the table has no {name!r}; accepted: "
                         f"{', '.join([*self.keys, *self.totals])}")

    def to_pandas(self):
        """A pandas.DataFrame with a row for each point."""
        try:
            import pandas
        except ImportError as error:
            raise InputError("to_pandas() needs pandas, which is not installed; accepted: "
                             "`pip install pandas`") from error
        columns = {name: np.ravel(self[name]) for name in [*self.keys, *self.totals]}
        return pandas.DataFrame({**columns, "converged": self.converged.ravel()})

    def plot(self, total="force_x", ax=None):
        """A total over the first key, a curve for each value of the others. Returns the figure."""
        from .figures import _figure
        figure, axes = (ax.figure, [[ax]]) if ax is not None else _figure(1)
        place = axes[0][0]
        names = list(self.keys)
        first = self.keys[names[0]]
        values = self[total]
        for rest in itertools.product(*(range(len(self.keys[name])) for name in names[1:])):
            label = ", ".join(f"{name} = {self.keys[name][i]}"
                              for name, i in zip(names[1:], rest))
            place.plot(first, values[(slice(None), *rest)], label=label or None)
        unit = _slipfield.unit(total, self.units)
        place.set(xlabel=names[0], ylabel=total + (f" [{unit}]" if unit else ""))
        if len(names) > 1:
            place.legend(fontsize="small")
        place.grid(alpha=0.3)
        return figure


def sweep(case, keys, *, totals=None, **options):
    """Solves the case for each combination of values, side by side, and returns a Table.

    keys: {"tangential.x.creepage": [...], "friction.coefficient": [...]}, any keys of the case.
    totals: names of totals (of the last step). options: as Solver; threads: points at a time.
    A point that fails or does not converge is marked in Table.converged, with the reason in
    Table.messages; failed totals are NaN.
    """
    if not keys:
        raise InputError("a sweep needs keys; accepted: {key: values} with at least one")
    keys = {key: list(values) for key, values in keys.items()}
    empty = [key for key, values in keys.items() if not values]
    if empty:
        raise InputError(f"{empty[0]}: has no values; accepted: at least one")
    solver = Solver(case, **options)
    known = _slipfield.quantity_names()
    names = list(totals or _TOTALS)
    unknown = [name for name in names if name not in known]
    if unknown:
        raise InputError(f"there is no total {unknown[0]!r}; accepted: {', '.join(known)}")
    points = [[(key, yaml_of(value)) for key, value in zip(keys, values)]
              for values in itertools.product(*keys.values())]
    numbers, converged, _, messages = solver._solver.batch(points, names)
    shape = tuple(len(values) for values in keys.values())
    return Table(keys, {name: numbers[:, i].reshape(shape) for i, name in enumerate(names)},
                 np.array(converged).reshape(shape),
                 np.array(messages, dtype=object).reshape(shape), solver.units)
