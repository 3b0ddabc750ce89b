# SPDX-License-Identifier: Apache-2.0
"""Results of a solver or a result file: totals, fields, figures."""

from __future__ import annotations

import functools
import os
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Sequence, Tuple, TypeVar

from . import _slipfield
from .counts import counted
from .distribution import Distribution, distribution_of
from .elements import Grid
from .errors import InputError, imported
from .fixed import FixedDict, FixedList, ReadOnly, fixed
from .given import name_of, near_names, number_of, path_of
from .show import warned

if TYPE_CHECKING:
    import numpy.typing as npt
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from .case import PathLike
    from .spots import Spots
    Array = npt.NDArray[Any]

_VELOCITIES = {"relative_slip_velocity_x": "slip_x", "relative_slip_velocity_y": "slip_y"}


class _Copy:
    """A step in Python's own memory, made by pickle and deepcopy. The stresses inside are computed for it if the case requests
    them."""

    def __init__(self, step: Any) -> None:
        self._values = {**step.values(), "can_be_written": False}
        self._run_warnings = step.run_warnings()
        self._history = step.history()
        self._centres = step.centres()
        self._fields = {name: step.field(name) for name in self._values["stored_fields"]}
        self._inside = step.interior() if self._values["has_interior"] else None
        if self._values["totals_to_come"]:
            self._values.update(totals={**self._values["totals"], **step.interior_totals()}, totals_to_come=[])

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self.__dict__.update(state)
        known = self._values
        for array in (*self._fields.values(), self._centres, known["jacobian"], known["approach_derivatives"]):
            if array is not None:
                fixed(array)

    def values(self) -> Dict[str, Any]:
        """See the compiled step."""
        return self._values

    def run_warnings(self) -> List[str]:
        """See the compiled step."""
        return self._run_warnings

    def history(self) -> List[Tuple[str, int, float]]:
        """See the compiled step."""
        return self._history

    def centres(self) -> Optional[Array]:
        """See the compiled step."""
        return self._centres

    def field(self, name: str) -> Array:
        """See the compiled step."""
        return self._fields[name]

    def interior(self) -> Optional[Dict[str, Dict[str, Any]]]:
        """See the compiled step."""
        return self._inside


_Steps = TypeVar("_Steps", bound="KeptSteps")


class KeptSteps(ReadOnly):
    """The steps that were kept together with a step."""

    number: int
    _step: Any
    _known: Any  # what _step has, as attributes
    _earlier: List[Any]

    @property
    def steps(self: _Steps) -> List[_Steps]:
        """The results of all steps that were kept, this one last."""
        return [*self._earlier, self]

    def step(self: _Steps, number: int) -> _Steps:
        """Returns the result of a step by its number, from 1; 0: the last."""
        number = number_of(number, "step", "1, 2, ..., or 0 for the last")
        for result in self.steps:
            if number in (result.number, 0 if result is self else result.number):
                return result
        numbers = ", ".join(str(result.number) for result in self.steps)
        raise InputError(f"there is no step {number}; accepted: {numbers}, or 0 for the last")

    def save(self, path: PathLike, overwrite: bool = False) -> None:
        """Writes a result file (HDF5), which the program also opens: the steps of solve() and run() that the case's output.steps
        asks for, or the one of advance().

        Parameters
        ----------
        path: the file to write.
        overwrite: True replaces an existing result; other files are never replaced.
        """
        path = path_of(path, "the result file to write")
        for result in self.steps:
            if not result._known.can_be_written:
                raise InputError("this result is from a file or a copy; accepted: results as a solver returned them")
            if not result._known.has_fields:
                raise InputError(f"step {result.number} was kept without fields; accepted for a file: fields=True")
        if not overwrite and os.path.isfile(path):
            raise InputError(f"{path}: the file exists already; accepted: another name, or overwrite=True, which replaces a result and "
                             "nothing else")
        _slipfield.write_steps(path, bool(overwrite), [result._step for result in self.steps])


class Result(KeptSteps):
    """A step: its totals, its fields, how it converged.

    Totals and fields are attributes under the names of the result file (io/RESULT.md), in the units
    of the case: result.force_x is a number, result.pressure an array of shape (my, mx), [iy, ix],
    without a copy and read-only; result.wear_profile has one value for each row of elements, (my,).
    """

    def __init__(self, step: Any, title: str = "", units: str = "N-mm-s",
                 earlier: Sequence[Result] = ()) -> None:
        self._step = step
        self._earlier = list(earlier)
        self.title: str
        self.units: str
        vars(self).update(title=title, units=units)  # assigned, they would be looked for among the totals

    def __reduce__(self) -> Tuple[Any, ...]:
        step = self._step if isinstance(self._step, _Copy) else _Copy(self._step)
        return Result, (step, self.title, self.units, self._earlier)

    @functools.cached_property
    def _known(self) -> Any:  # type: ignore[override]
        return SimpleNamespace(**self._step.values())

    @functools.cached_property
    def totals(self) -> Dict[str, float]:
        """All totals by name: a dict of numbers, counts as int. Those of the interior are computed at the first use."""
        inside = self._step.interior_totals() if self._known.totals_to_come else {}
        return FixedDict(counted({**self._known.totals, **inside}))

    def _total_names(self) -> List[str]:
        return [*self._known.totals, *self._known.totals_to_come]

    @property
    def number(self) -> int:  # type: ignore[override]
        """The number of the step, from 1."""
        return self._known.number

    @property
    def converged(self) -> bool:
        """False if the totals and fields are those of the last iteration."""
        return self._known.converged

    @property
    def message(self) -> str:
        """Why the step did not converge, or the remark of a converged one; "" if there is none."""
        return self._known.message

    @property
    def warnings(self) -> List[str]:
        """What is suspicious in this step alone, and its remark: a list of sentences."""
        return FixedList(self._known.warnings)

    @property
    def run_warnings(self) -> List[str]:
        """The warnings of the run: those of the case and of all its steps up to this one, or of a file's whole run."""
        return FixedList(self._step.run_warnings())

    @property
    def jacobian(self) -> Optional[Array]:
        """d(force_x, force_y, moment_z)/d(x, y, rotation), (3, 3): creepages and spin in rolling,
        shifts and rotation otherwise. The elements in contact and the normal force or approach,
        whichever the step prescribes, are held; coefficients that fall with the slip follow it. Read-only. None without `output: {sensitivities: true}`."""
        return self._known.jacobian

    @property
    def approach_derivatives(self) -> Optional[Array]:
        """d(normal_force, force_x, force_y, moment_z)/d(approach), (4,), with the elements in contact
        held. Read-only. None without `output: {sensitivities: true}`."""
        return self._known.approach_derivatives

    @property
    def stiffness(self) -> float:
        """d(normal_force)/d(approach) [force/length]: the first of approach_derivatives. Needs `output: {sensitivities: true}`."""
        derivatives = self.approach_derivatives
        if derivatives is None:
            raise InputError("stiffness: the step has no derivatives; accepted: a case with output: {sensitivities: true} (and no "
                             "periodic surface in full contact, where the force does not change the approach)")
        return float(derivatives[0])

    @functools.cached_property
    def interior(self) -> Optional[Dict[str, Dict[str, Any]]]:
        """Stresses and displacements inside the bodies, {"upper": {...}, "lower": {...}}, by the names of io/RESULT.md:
        "depth",
        "x", "y", for each quantity an array (depths, y, x), "max_von_mises", "von_mises_by_depth", ...

        Computed, or read from a file, at the first use. None without `interior` in the case.
        """
        if self._known.has_interior and not self._known.has_fields and not self._known.reads_interior:
            raise InputError("interior: the step was kept without fields; accepted: fields=True")
        return self._step.interior() if self._known.has_interior else None

    @property
    def history(self) -> List[Tuple[str, int, float]]:
        """(phase, iteration, change of the tractions) of each iteration."""
        return list(self._step.history())

    @functools.cached_property
    def grid(self) -> Grid:
        """The elements: their centres x (mx,) and y (my,), and their size dx, dy [length]."""
        return Grid(self._known.grid)

    @property
    def x(self) -> Array:
        """Centres of the elements along x [length], (mx,)."""
        return self.grid.x

    @property
    def y(self) -> Array:
        """Centres of the elements along y [length], (my,)."""
        return self.grid.y

    @property
    def spacing(self) -> Tuple[float, float]:
        """(dx, dy) of an element [length]."""
        return self.grid.dx, self.grid.dy

    def field_names(self) -> List[str]:
        """Returns the names of the fields that this step has."""
        stored = set(self._known.stored_fields)
        if self._known.slip_rate != 0.0:
            stored |= {name for name, slip in _VELOCITIES.items() if slip in stored}
        return [name for name in _slipfield.field_names() if name in stored]

    def row_field_names(self) -> List[str]:
        """Returns the names of results with one value per row of elements: wear_profile, surface_fatigue_along_y."""
        return [name for name in _slipfield.row_field_names() if name in self._known.stored_fields]

    def _all_fields(self) -> List[str]:
        return [*self.field_names(), *self.row_field_names()]

    def field(self, name: str) -> Array:
        """Returns a field by its name, read-only, in the unit of unit(name): an array (my, mx), or (my,) for row_field_names()."""
        if name_of(name, "'pressure'") not in self._all_fields():
            raise InputError(self._why_not(name))
        if name in _VELOCITIES:
            return fixed(self._known.slip_rate * self._step.field(_VELOCITIES[name]))
        return self._step.field(name)

    def _why_not(self, name: str) -> str:
        known = [*_slipfield.field_names(), *_slipfield.row_field_names()]
        if name in known and not self._known.has_fields:
            return f"{name}: the step was kept without fields; accepted: fields=True"
        if name in _VELOCITIES and _VELOCITIES[name] in self._known.stored_fields:
            return f"{name}: the step has no rolling velocity; accepted: with tangential.velocity"
        if name in known:
            return f"{name}: the step does not have it; accepted: {', '.join(self._all_fields())}"
        everything = "list(result.totals) has its totals, " + ("result.field_names() its fields" if self._known.has_fields
                                                               else "and it was kept without fields")
        return f"a result has no {name!r}; {near_names(name, [*self._total_names(), *self._all_fields()], everything)}"

    def distribution(self, name: str, bins: int = 50, where: str = "") -> Distribution:
        """Returns the share of the grid's area for each range of a field's values, such as pressures or gaps of a rough contact.

        Parameters
        ----------
        name: a field, such as "pressure" or "gap".
        bins: their number, between the least and the greatest value; for pressure and gap from 0.
        where: "contact", "gap" (elements out of contact) or "all"; "": "gap" for the gap, "contact" for all others.
        """
        return distribution_of(self, name, bins, where)

    def unit(self, name: str) -> str:
        """Returns the unit of a field or a total: "N/mm^2"; "-" for ratios and counts."""
        known = [*_slipfield.field_names(), *_slipfield.row_field_names(), *_slipfield.quantity_names(), *self._total_names()]
        if name_of(name, "'pressure'") not in known:
            raise InputError(self._why_not(name))
        return _slipfield.unit(name, self.units)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if name in self._known.totals:
            return counted({name: self._known.totals[name]})[name]
        if name in self._known.totals_to_come:
            return self.totals[name]
        if name in self._all_fields():
            return self.field(name)
        raise AttributeError(self._why_not(name))

    def __dir__(self) -> List[str]:
        return [*super().__dir__(), *self._total_names(), *self._all_fields()]

    def to_xarray(self) -> Any:
        """Returns the fields as an xarray.Dataset with the coordinates x and y [length]; totals are its attributes."""
        xarray = imported("xarray", "to_xarray()")
        fields = {name: (("y", "x")[:self.field(name).ndim], self.field(name), {"units": self.unit(name)})
                  for name in self._all_fields()}
        length = self.unit("undeformed_distance")
        coordinates = {"x": ("x", self.x, {"units": length}), "y": ("y", self.y, {"units": length})}
        return xarray.Dataset(fields, coordinates, {"title": self.title, **self.totals})

    def spots(self) -> Spots:
        """Returns the spots of the contact, elements in contact that share a side, the one with the greatest normal force
        first: for each its elements, area, x, y, normal_force, force_x, force_y and max_pressure.

            result.spots().to_pandas()
        """
        from .spots import spots_of
        return spots_of(self)

    def plot(self, what: str = "overview", ax: Optional[Axes] = None,
             minus: Optional[Result] = None) -> Figure:
        """Draws the step, or one field of it.

        Parameters
        ----------
        what: "overview", "traction" or "slip" (arrows), or a field's name.
        ax: axes of matplotlib to draw one field into.
        minus: another result on the same grid, whose field is subtracted.

        Returns
        -------
        A matplotlib Figure.
        """
        from . import figures
        if minus is not None:
            return figures.plot_difference(self, minus, what, ax)
        return figures.plot_result(self, what, ax)

    def __repr__(self) -> str:
        state = "converged" if self.converged else f"not converged ({self.message})"
        grid = self._known.grid
        return (f"<slipfield.Result {self.title!r}: step {self.number}, {grid['mx']} x "
                f"{grid['my']} elements, {state}{warned(self.run_warnings)}>")

    def _repr_html_(self) -> str:
        from . import figures
        return figures.result_html(self)
