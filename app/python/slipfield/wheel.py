# SPDX-License-Identifier: Apache-2.0
"""Results of a step of a wheel on a rail: totals of the wheelset, of each wheel, of each contact."""

from __future__ import annotations

import functools
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Sequence, Tuple, Union

import numpy as np

from . import _slipfield
from .counts import counted
from .errors import InputError
from .fixed import FixedDict, FixedList, ReadOnly, fixed
from .given import name_of, near_names, texts_of
from .result import KeptSteps, Result
from .show import html_of_step, html_table, shown_unit, warned

if TYPE_CHECKING:
    import numpy.typing as npt
    from matplotlib.figure import Figure

    from .case import PathLike
    Array = npt.NDArray[Any]

# The short names that calls of a wheel take, in place of the keys' paths.
SHORT_KEYS = {
    "side": "wheel_rail.side",
    **{name: f"wheel_rail.wheelset.{name}" for name in ("y", "z", "roll", "yaw")},
    **{f"velocity_{name}": f"wheel_rail.wheelset.velocity.{name}"
       for name in ("x", "y", "z", "roll", "pitch", "yaw")},
    **{name: f"wheel_rail.{name}" for name in ("vertical_force", "longitudinal_force")},
}
TOTALS = [f"track_{kind}_{axis}" for kind in ("force", "moment") for axis in "xyz"]


class _Totals(ReadOnly):
    """Totals as attributes; NaN for those of contacts if the wheel touches nothing."""

    contacts: List[Contact]
    _what = "the step"
    _side = ""          # "": the whole step
    _step: Any          # computes the totals to come
    _now: Dict[str, Any]
    _to_come: List[str]

    @functools.cached_property
    def totals(self) -> Dict[str, Any]:
        """All totals by name: a dict of numbers, counts as int. Those of the interior are computed at the first use."""
        return FixedDict(counted(self._step.all_totals(self._side) if self._to_come else self._now))

    def _names(self) -> List[str]:
        return [*self._now, *self._to_come]

    def __getstate__(self) -> Dict[str, Any]:
        return {**self.__dict__, "_now": dict(self.totals), "_to_come": [], "_step": None}

    def _touches(self, name: str) -> bool:
        """Whether the wheels that a total belongs to touch."""
        sides = {contact.side for contact in self.contacts}
        return name.split("_", 1)[0] in sides if name.startswith(("left_", "right_")) else bool(sides)

    def _missing(self, name: str) -> str:
        return f"{self._what} has no {name!r}; {near_names(name, self._names(), '.totals has all of its names')}"

    def _is_of_no_contact(self, name: str) -> bool:
        return _slipfield.is_total_of_contacts(name) and not self._touches(name)

    def __getattr__(self, name: str) -> float:
        if name.startswith("_") or name == "contacts":
            raise AttributeError(name)
        if name in self._now:
            return counted({name: self._now[name]})[name]
        if name in self._to_come:
            return self.totals[name]
        if self._is_of_no_contact(name):
            return float("nan")
        raise AttributeError(self._missing(name))

    def __dir__(self) -> List[str]:
        return [*super().__dir__(), *self._names()]


class Contact(Result):
    """One contact of a wheel on a rail: a Result whose coordinates are the contact's.

    x is forward along the rail, y across it along its surface, n into the rail. Totals are those of
    a Result and the contact's place (io/RESULT.md): track_y [mm], contact_angle [rad],
    contact_track_force_z [N], ... side: "left" or "right"; index: its number in the step, from 1.
    """

    def __init__(self, step: Any, title: str, units: str, side: str, index: int) -> None:
        super().__init__(step, title, units)
        self.side: str
        self.index: int
        vars(self).update(side=side, index=index)

    def __reduce__(self) -> Tuple[Any, ...]:
        _, arguments = super().__reduce__()
        return Contact, (*arguments[:3], self.side, self.index)

    @property
    def centres(self) -> Optional[Array]:
        """The centres of the elements in track coordinates [length], (my, mx, 3): x forward, y to
        the right, z down; on the contact's plane or curved surface. Read-only. None for a file."""
        return self._step.centres()

    def save(self, path: PathLike, overwrite: bool = False) -> None:
        """Raises InputError: a contact is saved with its step."""
        raise InputError("a contact is not saved by itself; accepted: save() of the step's result")

    def __repr__(self) -> str:
        return f"<slipfield.Contact {self.index} of step {self.number}, {self.side} wheel>"


class Side(_Totals):
    """One wheel of a step: its totals as attributes, and its contacts, beginning at the field side.

    Totals have the names of io/RESULT.md's table of wheels, in the units there: track_force_y [N] on
    the rail, rolling_radius [mm], ...
    """

    def __init__(self, name: str, step: Any, totals: Tuple[Dict[str, float], List[str]], contacts: Sequence[Contact]) -> None:
        self._step, self._side = step, name
        self._now, self._to_come = totals
        self._what = f"the {name} wheel"
        self.name = name            # "left" or "right"
        self.contacts = FixedList(contacts)

    def __repr__(self) -> str:
        return f"<slipfield.Side {self.name!r}: {len(self.contacts)} contact{'' if len(self.contacts) == 1 else 's'}>"


class WheelResult(_Totals, KeptSteps):
    """A step of a wheel on a rail, or of both wheels of a wheelset.

    Totals are attributes under the names of io/RESULT.md: track_force_y [N] on the rail, axle_z [mm];
    for both wheels the sum, with left_... and right_...; under a contact's names the combination of
    its contacts: the greatest max_pressure, the sum of t_gamma, normal_force and contact_angle of the
    contact with the greatest normal force (io/RESULT.md has all). result["left"] is a wheel,
    result.contacts[0] a contact with fields.
    """

    def __init__(self, step: Any, title: str = "", units: str = "N-mm-s",
                 earlier: Sequence[WheelResult] = ()) -> None:
        self._earlier = list(earlier)
        self._step = step
        self._known = known = SimpleNamespace(**step.values())
        self._now, self._to_come = known.totals
        self.title = title
        self.units = units
        self.number: int = known.number           # of the step, from 1
        self.converged: bool = known.converged    # False: what was found last is there all the same
        self.message: str = known.message         # why it did not converge, else ""
        self.warnings: List[str] = FixedList(known.warnings)  # of this step; of a contact: "contact 2: ..."
        names = [name for name, _, count in known.sides for _ in range(count)]
        # All contacts, those of the left wheel first.
        self.contacts = FixedList(Contact(contact, title, units, side, index + 1)
                                  for index, (contact, side) in enumerate(zip(known.contacts, names)))
        # {"left": Side, "right": Side}, or the one that the case has.
        self.sides = FixedDict({name: Side(name, step, totals, [contact for contact in self.contacts if contact.side == name])
                                for name, totals, _ in known.sides})

    def __getstate__(self) -> Dict[str, Any]:
        known = SimpleNamespace(can_be_written=False, run_warnings=list(self.run_warnings))
        return {**super().__getstate__(), "_known": known}

    @property
    def run_warnings(self) -> List[str]:
        """The warnings of the run: those of the case and of all its steps up to this one, or of a file's whole run."""
        return FixedList(self._known.run_warnings if self._step is None else self._step.run_warnings())

    def __getitem__(self, side: str) -> Side:
        """A wheel: "left" or "right"."""
        if name_of(side, "'left'") not in self.sides:
            raise InputError(f"the step has no side {side!r}; accepted: {', '.join(self.sides)}")
        return self.sides[side]

    def unit(self, name: str) -> str:
        """Returns the unit of a total: "N"; "-" for ratios and counts."""
        if name_of(name, "'track_force_y'") not in self._names() and not self._is_of_no_contact(name):
            raise InputError(self._missing(name))
        plain = name
        for side in ("left_", "right_"):
            plain = plain[len(side):] if plain.startswith(side) else plain
        return _slipfield.unit(plain, self.units)

    def plot(self, what: str = "pressure") -> Figure:
        """Draws a field of all contacts, a panel each in the same colours; contacts[0].plot() draws one of them in full.

        Parameters
        ----------
        what: a field's name, or "traction" or "slip" (arrows).

        Returns
        -------
        A matplotlib Figure.
        """
        from .figures import plot_contacts
        return plot_contacts(self, what)

    def __repr__(self) -> str:
        state = "converged" if self.converged else f"not converged ({self.message})"
        sides = " and ".join(f"{len(side.contacts)} {name}" for name, side in self.sides.items())
        return f"<slipfield.WheelResult {self.title!r}: step {self.number}, {sides}, {state}{warned(self.run_warnings)}>"

    def _repr_html_(self) -> str:
        def table(head: Sequence[str], parts: Sequence[Union[Side, Contact]], shown: Sequence[str]) -> str:
            rows = [[name, *(f"{part.totals[name]:.6g}" if name in part.totals else "" for part in parts),
                     shown_unit(_slipfield.unit(name, self.units))]
                    for name in shown if any(name in part.totals for part in parts)]
            return html_table(rows, [*head, ""]) if rows else ""
        return (html_of_step(self) + table(["wheel", *self.sides], list(self.sides.values()), _SHOWN_OF_SIDE)
                + table(["contact", *(f"{contact.index}, {contact.side}" for contact in self.contacts)], self.contacts, _SHOWN_OF_CONTACT))


_SHOWN_OF_SIDE = ("track_force_x", "track_force_y", "track_force_z", "rolling_radius")
_SHOWN_OF_CONTACT = ("normal_force", "force_x", "force_y", "contact_angle", "max_pressure", "creepage_x", "creepage_y", "spin",
                     "elements_contact")


class Derivatives(ReadOnly):
    """d(total)/d(key) of a step: values, and errors, their uncertainty due to the distance and the elements
    (Solver.derivatives; None if left out); arrays (totals, keys).

    derivatives["track_force_y", "y"] is one of the values. Units: the total's by the key's.
    """

    def __init__(self, totals: List[str], keys: List[str], values: Array, errors: Optional[Array]) -> None:
        self.totals = FixedList(totals)
        self.keys = FixedList(keys)  # paths
        self.values = fixed(values)
        self.errors = None if errors is None else fixed(errors)

    def __getitem__(self, place: Tuple[str, str]) -> float:
        total, key = place if isinstance(place, tuple) and len(place) == 2 else (place, "")
        key = SHORT_KEYS.get(key, key)
        if total not in self.totals or key not in self.keys:
            raise InputError(f"there is no derivative {place!r}; accepted: a total of "
                             f"{', '.join(self.totals)} and a key of {', '.join(self.keys)}")
        return float(self.values[self.totals.index(total), self.keys.index(key)])

    def __repr__(self) -> str:
        return f"<slipfield.Derivatives of {len(self.totals)} totals to {len(self.keys)} keys>"


def checked_side(side: Any) -> str:
    """Converts a side for the compiled solver."""
    if side not in (None, "left", "right"):
        raise InputError(f"side: {side!r} is not known; accepted: 'left', 'right', or None for all")
    return side or ""


def derivatives_of(solver: Any, totals: Union[str, Sequence[str], None],
                   keys: Union[str, Sequence[str], None], side: Optional[str], with_errors: bool = True) -> Derivatives:
    """Solver.derivatives for the compiled solver's last step."""
    names = list(TOTALS) if totals is None else texts_of(totals, "totals", '["track_force_y"]')
    given = solver.derivative_keys() if keys is None else texts_of(keys, "keys", '["y", "yaw"]')
    paths = [SHORT_KEYS.get(str(key), str(key)) for key in given]
    values, errors = solver.derivatives([str(name) for name in names], paths, checked_side(side), with_errors)
    return Derivatives(names, paths, np.array(values), np.array(errors) if with_errors else None)
