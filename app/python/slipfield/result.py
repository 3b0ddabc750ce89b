"""What a solver or a result file gives: totals, fields, figures."""

import functools

import numpy as np

from . import _slipfield
from .errors import InputError

_VELOCITIES = {"relative_slip_velocity_x": "slip_x", "relative_slip_velocity_y": "slip_y"}


class Result:
    """A step: its totals, its fields, how it converged.

    Totals and fields are attributes under the names of the result file (io/RESULT.md), in the units
    of the case: result.force_x is a number, result.pressure an array of shape (my, mx), [iy, ix],
    without a copy and read-only.
    """

    def __init__(self, step, title="", units="N-mm-s", save=None, earlier=()):
        self._step = step
        self._save = save
        self._earlier = list(earlier)
        self.title = title
        self.units = units

    @functools.cached_property
    def totals(self):
        """All totals by name: a dict of numbers."""
        return self._step.totals

    @property
    def number(self):
        """Of the step, from 1."""
        return self._step.number

    @property
    def steps(self):
        """The results of all steps that were kept, this one last."""
        return [*self._earlier, self]

    def step(self, number):
        """The result of a step by its number; 0: the last."""
        for result in self.steps:
            if number in (result.number, 0) and (number or result is self):
                return result
        numbers = ", ".join(str(result.number) for result in self.steps)
        raise InputError(f"there is no step {number}; accepted: {numbers}, or 0 for the last")

    @property
    def converged(self):
        return self._step.converged

    @property
    def message(self):
        """Why the step did not converge; "" where it did."""
        return self._step.message

    @property
    def warnings(self):
        """What is suspicious in the case and in this step: a list of sentences."""
        return list(self._step.warnings)

    @property
    def jacobian(self):
        """d(force_x, force_y, moment_z)/d(x, y, rotation), (3, 3): creepages and spin in rolling,
        shifts and rotation otherwise. None without `output: {sensitivities: true}`."""
        return self._step.jacobian

    @property
    def history(self):
        """(phase, iteration, change of the tractions) of each iteration."""
        return self._step.history

    @functools.cached_property
    def x(self):
        """Centres of the elements along x [length], (mx,)."""
        grid = self._step.grid
        return grid["x0"] + grid["dx"] * np.arange(grid["mx"])

    @functools.cached_property
    def y(self):
        """Centres of the elements along y [length], (my,)."""
        grid = self._step.grid
        return grid["y0"] + grid["dy"] * np.arange(grid["my"])

    def field_names(self):
        """The fields that this step has."""
        if not self._step.has_fields:
            return []
        rolling = self._step.slip_rate != 0.0
        return [name for name in _slipfield.field_names() if rolling or name not in _VELOCITIES]

    def field(self, name):
        """A field by its name, (my, mx)."""
        if name in _VELOCITIES and name in self.field_names():
            return self._step.slip_rate * self._step.field(_VELOCITIES[name])
        return self._step.field(name)

    def unit(self, name):
        """The unit of a field or a total: "N/mm^2"; "" for ratios and counts."""
        return _slipfield.unit(name, self.units)

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        if name in self.totals:
            return self.totals[name]
        if name in self.field_names():
            return self.field(name)
        raise AttributeError(f"a result has no {name!r}; totals: {', '.join(self.totals)}; "
                             f"fields: {', '.join(self.field_names()) or 'none'}")

    def __dir__(self):
        return [*super().__dir__(), *self.totals, *self.field_names()]

    def save(self, path, overwrite=False):
        """Writes the steps kept so far as a result file (HDF5), which the program opens too.

        overwrite: an existing result is replaced; anything else never is.
        """
        if self._save is None:
            raise InputError("this result is from a file already; accepted: results of a solver")
        self._save(str(path), overwrite, [result._step for result in self.steps])

    def to_xarray(self):
        """The fields as an xarray.Dataset with the coordinates x and y; totals as attributes."""
        try:
            import xarray
        except ImportError as error:
            raise InputError("to_xarray() needs xarray, which is not installed; accepted: "
                             "`pip install xarray`") from error
        fields = {name: (("y", "x"), self.field(name), {"units": self.unit(name)})
                  for name in self.field_names()}
        length = _slipfield.unit("undeformed_distance", self.units)
        coordinates = {"x": ("x", self.x, {"units": length}), "y": ("y", self.y, {"units": length})}
        return xarray.Dataset(fields, coordinates, {"title": self.title, **self.totals})

    def plot(self, what="overview", ax=None):
        """A matplotlib figure: "overview", "traction", or a field's name. ax: axes for one field."""
        from . import figures
        return figures.plot(self, what, ax)

    def __repr__(self):
        state = "converged" if self.converged else f"not converged ({self.message})"
        grid = self._step.grid
        return (f"<slipfield.Result {self.title!r}: step {self.number}, {grid['mx']} x "
                f"{grid['my']} elements, {state}>")

    def _repr_html_(self):
        from . import figures
        return figures.html(self)
