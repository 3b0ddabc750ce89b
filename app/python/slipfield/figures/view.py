# SPDX-License-Identifier: Apache-2.0
"""A result file as figures need it: points, steps and contacts with totals, fields, units and descriptions.

Only this module knows how a file is laid out (io/RESULT.md).
"""

from __future__ import annotations

import functools
import os
from dataclasses import dataclass, field as member
from typing import Any, Dict, List, Optional

import numpy as np

from ..errors import InputError, imported
from ..given import number_of, path_of
from . import names


class Refused(InputError):
    """The request cannot be drawn; the message says what is accepted."""


def text(value: Any) -> str:
    """A string of a file."""
    if isinstance(value, np.ndarray):
        value = value[()] if value.shape == () else value.flat[0] if value.size else ""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def texts(dataset: Any) -> List[str]:
    return texts_of(dataset[()])


def texts_of(values: Any) -> List[str]:
    return [text(value) for value in np.ravel(values)]


@dataclass
class Column:
    """A total over the rows of a table."""
    name: str
    values: Any
    unit: str = "-"
    description: str = ""


@dataclass
class Grid:
    """Centres and size of the elements."""
    x: Any
    y: Any
    dx: float
    dy: float

    @property
    def edges_x(self) -> Any:
        return np.append(self.x - self.dx / 2, self.x[-1] + self.dx / 2)

    @property
    def edges_y(self) -> Any:
        return np.append(self.y - self.dy / 2, self.y[-1] + self.dy / 2)


@dataclass
class Inside:
    """Results inside a body: depths, places, quantities (depth, y, x), greatest values."""
    body: str
    group: Any
    depth: Any
    x: Any
    y: Any
    totals: Dict[str, Any] = member(default_factory=dict)

    @property
    def quantities(self) -> List[str]:
        return [name for name, data in self.group.items() if getattr(data, "ndim", 0) == 3]

    def unit(self, name: str) -> str:
        return text(self.group[name].attrs.get("units", "-"))


def require_each_element(contact: Any, name: str, values: Any) -> None:
    """Refuses what is no field of elements, such as wear_profile, which has one number for each row of them."""
    if values.ndim != 2:
        raise Refused(f'{contact.view.name}: "{name}" has no number for each element, and a figure of fields draws those that have; '
                      f"accepted: {', '.join(contact.fields) or 'none'}; `slipfield export --fields {name}` writes its numbers")


class Contact:
    """One contact in one step. `label` names step, contact and wheel if there are several."""

    def __init__(self, view: Any, number: int, group: Any, grid: Any, totals: Dict[str, float], label: str = "") -> None:
        self.view, self.number, self.label = view, number, label
        self.units, self.title = view.units, view.title
        self.totals = totals
        self._group, self._grid = group, grid
        self.problem = text(group.attrs.get("problem", "none"))
        self.direction = float(group.attrs.get("rolling_direction", 0.0))
        self.outcome = text(group.attrs.get("outcome", "converged"))
        self.touches_edge = "warning" in group.attrs  # the only warning that is an attribute

    @functools.cached_property
    def grid(self) -> Grid:
        group = self._grid
        if "spacing" not in group.attrs or "origin" not in group.attrs:
            raise Refused(f"{self.view.name}: step {self.number} has no grid; accepted: a result with fields")
        mx, my = (int(n) for n in group.attrs["elements"])
        dx, dy = (float(d) for d in group.attrs["spacing"])
        x0, y0 = (float(o) for o in group.attrs["origin"])
        return Grid(x0 + dx * (np.arange(mx) + 0.5), y0 + dy * (np.arange(my) + 0.5), dx, dy)

    @property
    def boundary(self) -> str:
        return text(self._grid.attrs.get("boundary", "free"))

    @functools.cached_property
    def fields(self) -> List[str]:
        return [name for name, data in self._group.items()
                if getattr(data, "ndim", 0) == 2 and name != "sensitivities"]

    def field(self, name: str) -> Any:
        if name not in self._group:
            raise Refused(f'{self.view.name}: step {self.number} has no field "{name}"; ' + (
                names.accepted(name, self.fields) if self.fields else "it holds no field, which `output.fields` of its case chose; accepted: "
                                                 "another run with `output: {fields: all}`"))
        damaged = f"{self.view.name}: the result file is damaged or incomplete"
        try:
            values = np.asarray(self._group[name][()], dtype=float)
        except (OSError, TypeError, ValueError) as error:
            raise Refused(f"{damaged} ({name}: {error})") from error
        wanted = tuple(int(n) for n in getattr(self._grid, "attrs", {}).get("elements", ()))[::-1]
        require_each_element(self, name, values)
        if wanted and values.shape != wanted:
            raise Refused(f"{damaged} ({name} is of {values.shape[0]} x {values.shape[1]} elements, and the grid of {wanted[0]} x {wanted[1]})")
        return values

    def unit(self, name: str) -> str:
        known = {"traction": "traction_x", "slip": "slip_x"}.get(name, name)
        if known in self._group and "units" in self._group[known].attrs:
            return text(self._group[known].attrs["units"])
        return self.view.unit(known)

    @property
    def history(self) -> Dict[str, Any]:
        """Returns phase, iteration and change of the tractions; {} if they were not kept."""
        if "convergence" not in self._group:
            return {}
        return {name: data[()] for name, data in self._group["convergence"].items()}

    @property
    def insides(self) -> List[Inside]:
        found = []
        for body, group in self._group.get("interior", {}).items():
            places = {name: np.atleast_1d(group[name][()]) for name in ("depth", "x", "y") if name in group}
            if len(places) == 3:
                found.append(Inside(body, group, places["depth"], places["x"], places["y"], dict(group.attrs)))
        return found


class MemoryContact:
    """A step of the compiled solver, as a Contact."""

    def __init__(self, result: Any) -> None:
        self.view, self._result, self.number, self.label = self, result, result.number, ""
        self.name = result.title or "the result"
        self.units, self.title, self.totals = result.units, result.title, dict(result.totals)
        self.problem, self.direction = result._known.problem, result._known.direction
        self.boundary = result._known.boundary
        self.outcome = "converged" if result.converged else "not_converged"
        self.touches_edge = any("reaches the edge of the grid" in warning for warning in result.warnings)
        dx, dy = result.spacing
        self.grid = Grid(np.array(result.x), np.array(result.y), dx, dy)
        self.fields = list(result.field_names())
        self.insides: List[Inside] = []

    @property
    def history(self) -> Dict[str, Any]:
        rows = self._result.history
        phases = {"normal": 0, "tangential": 1, "outer": 2}
        return {} if not rows else {"phase": np.array([phases.get(row[0], 1) for row in rows]),
                                    "iteration": np.array([row[1] for row in rows]),
                                    "change": np.array([row[2] for row in rows])}

    def field(self, name: str) -> Any:
        values = np.array(self._result.field(name), dtype=float)
        require_each_element(self, name, values)
        return values

    def unit(self, name: str) -> str:
        return names.unit_of({"traction": "traction_x", "slip": "slip_x"}.get(name, name), self.units)


class Step:
    """A step: its totals and contacts."""

    def __init__(self, view: Any, number: int, group: Any) -> None:
        self.view, self.number, self.group = view, number, group
        self.outcome = text(group.attrs.get("outcome", "converged"))
        self.message = text(group.attrs.get("message", ""))
        self.totals = numbers_of(group)
        self.contacts = list(self._contacts())

    @property
    def warnings(self) -> List[str]:
        return texts(self.group["warnings"]) if "warnings" in self.group else []

    def _contacts(self) -> Any:
        several = len(self.view.step_numbers) > 1
        place = ", ".join(part for part in (self.view.of_point, f"step {self.number} of {self.view.step_numbers[-1]}" if several else "") if part)
        found = sorted(self.group.get("contacts", {}).items(), key=lambda item: int(item[0]))
        if not found:
            if not self.view.is_wheel:
                yield Contact(self.view, self.number, self.group, self.view.grid_group, self.totals, place)
            return
        for number, (_, group) in enumerate(found, 1):
            side = text(group.attrs["side"])
            label = ", ".join(part for part in (place, f"contact {number} of {len(found)}", f"{side} wheel") if part)
            contact = Contact(self.view, self.number, group, group.get("grid", {}), numbers_of(group), label)
            contact.side, contact.index = side, number
            yield contact


def numbers_of(group: Any) -> Dict[str, float]:
    """The attributes of a group that are numbers."""
    found = {}
    for name, value in group.attrs.items():
        if np.ndim(value) == 0 and isinstance(value, (int, float, np.number)):
            found[name] = float(value)
    return found


UNNAMED = "case"  # the title of a dict or text that has none


class View:
    """A result file opened for drawing. As a context manager it closes the file."""

    def __init__(self, path: Any, root: Any = None, name: str = "", of_point: str = "") -> None:
        self.of_point = of_point  # "point 7" of a sweep
        self.path = path_of(path, "a result file")
        self.name = name or self.path
        self._file = None
        if root is None:
            root = self._file = open_file(self.path)
        self.root = root
        if not any(part in root for part in ("steps", "points", "table")):
            kind = text(root.attrs.get("file_type", "another file"))
            raise Refused(f"{self.name}: this is no result with steps or points ({names.clean(kind)}); accepted: what "
                          "`slipfield run` and `slipfield interior` write")
        self.title = names.clean(text(root.attrs.get("title", "")))
        if self.title == UNNAMED:
            self.title = names.clean(os.path.splitext(os.path.basename(self.name))[0])
        self.units = text(root.attrs.get("units", "N-mm-s"))
        self.outcome = text(root.attrs.get("outcome", ""))
        self.case = text(root["case"][()]) if "case" in root else ""
        self.warnings = texts(root["warnings"]) if "warnings" in root else []
        self.grid_group = root.get("grid", {})
        self.is_sweep = "steps" not in root
        self.step_numbers = sorted(int(number) for number in root["steps"]) if "steps" in root else []
        first = root["steps"][f"{self.step_numbers[0]:04d}"] if self.step_numbers else {}
        self.is_wheel = "wheel" in text(root.attrs.get("file_type", "")) or "contacts" in first
        self._steps: Dict[int, Step] = {}

    def __enter__(self) -> View:
        return self

    def __exit__(self, *error: Any) -> None:
        self.close()

    def close(self) -> None:
        if self._file is not None:
            self._file.close()

    @property
    def file_name(self) -> str:
        return os.path.basename(self.path)

    def attribute(self, name: str) -> str:
        return names.clean(text(self.root.attrs.get(name, "")))

    # --- Steps
    @property
    def steps(self) -> List[Step]:
        return [self.step(number) for number in self.step_numbers]

    def step(self, number: int = 0) -> Step:
        """Returns a step by number; 0: the last."""
        if not self.step_numbers:
            raise Refused(f"{self.name}: this is a sweep, which has points and no steps; accepted: a point that keeps fields "
                          "(--point N, in Python point=N), or curves of its totals")
        number = number_of(number, "step", "1, 2, ..., or 0 for the last") or self.step_numbers[-1]
        if number not in self.step_numbers:
            held = ", ".join(map(str, self.step_numbers[:20])) + (", ..." if len(self.step_numbers) > 20 else "")
            raise Refused(f"{self.name}: there is no step {number}; accepted: {held}")
        if number not in self._steps:
            self._steps[number] = Step(self, number, self.root["steps"][f"{number:04d}"])
        return self._steps[number]

    def contact(self, step: int = 0, contact: int = 0, side: str = "") -> Contact:
        """Returns a contact; 0: the last step, the first contact; with a side the first of that wheel."""
        contact = number_of(contact, "contact", "1, 2, ..., or 0 for the first")
        found = [each for each in self.step(step).contacts if not side or each.side == side]
        if not found:
            raise Refused(f"{self.name}: step {self.step(step).number} has no contact with fields; accepted: a step with one")
        if not 0 <= contact <= len(found):
            raise Refused(f"{self.name}: step {self.step(step).number} has no contact {contact}; accepted: 1 to {len(found)}")
        return found[max(contact, 1) - 1]

    # --- Points of a sweep
    def point(self, number: int) -> View:
        """Returns a point of a sweep that keeps fields, as a result."""
        number = number_of(number, "point", "1, 2, ...")
        points = self.root.get("points", {})
        held = sorted(int(point) for point in points)
        if number not in held:
            raise Refused(f"{self.name}: it holds no fields of point {number}; accepted: "
                          + (f"--point with one of {', '.join(map(str, held[:20]))}" if held else
                             f"the result of `slipfield run CASE.yaml --point {number}`"))
        return View(self.path, points[f"{number:04d}"], f"{self.name}, point {number}", f"point {number}")

    @functools.cached_property
    def keys(self) -> Dict[str, Any]:
        """Returns the values of each key at each point, numbers or texts."""
        group = self.root["table"]
        order = [key for line in texts_of(group.attrs.get("keys", "")) for key in line.split("\n") if key]
        rows = self._rows
        return {key: values_of(group[key], rows) for key in order if key in group}

    @functools.cached_property
    def point_numbers(self) -> Any:
        return self._table("point")

    @property
    def outcomes(self) -> List[str]:
        return [text(outcome) for outcome in self._table("outcome")] if "table" in self.root else []

    def point_texts(self, name: str) -> List[str]:
        """`message` or `warnings` of each point."""
        if f"table/{name}" in self.root:
            return [text(value) for value in self._table(name)]
        return [""] * len(self.outcomes)

    # --- Totals over points or steps
    @functools.cached_property
    def sides(self) -> List[str]:
        """["left", "right"] if the totals are those of a wheelset."""
        both = ["left", "right"]
        if "table" in self.root and "side" in self.root["table"]:
            there = set(texts(self.root["table/side"]))
            return both if there.issuperset(both) else []
        return both if self.step_numbers and "left_nearest_y" in self.step(0).totals else []

    @property
    def kind(self) -> str:
        """Names the kind of result: a wheelset, one wheel or one contact."""
        wheel = self.is_wheel or any(texts(self.root["table/side"]) if "table/side" in self.root else [])
        return "a wheelset" if self.sides else "one wheel on a rail" if wheel else "one contact"

    @functools.cached_property
    def totals(self) -> List[str]:
        """The names of the totals that column() has, for any wheel."""
        if self.is_sweep:
            return [name for name, data in self.root["table"].items() if data.dtype.kind == "f" and name not in self.keys
                    and any(self.column(name, side) is not None for side in ("", *self.sides))]
        found: Dict[str, None] = {}
        for step in self.steps:
            found.update(dict.fromkeys(step.totals))
        return list(found)

    def is_of_contact(self, name: str) -> bool:
        """Whether only contacts of a wheel have the number, but not the wheel itself."""
        if not self.is_sweep:
            return any(name in contact.totals for step in self.steps for contact in step.contacts) and self.column(name) is None
        if "contact" not in self.root["table"] or name not in self.root["table"] or name in self.totals:
            return False
        own = self.root["table/contact"][()] > 0
        return bool(np.isfinite(self.root["table"][name][()][own].astype(float)).any())

    def column(self, name: str, side: str = "") -> Optional[Column]:
        """Returns a total over the points of a sweep or the steps of a result; None if no row has it."""
        if not self.is_sweep:
            stored = f"{side}_{name}" if side else name
            values = np.array([step.totals.get(stored, np.nan) for step in self.steps])
            return None if np.isnan(values).all() else Column(stored, values, self.unit(stored), self.description(stored))
        if name not in self.root["table"] or self.root["table"][name].dtype.kind not in "fiu":
            return None
        values = self._of_side(name, side) if side else np.asarray(self._table(name), dtype=float)
        return None if np.isnan(values).all() else Column(name, values, self.unit(name), self.description(name))

    def column_of_contact(self, name: str, side: str, contact: int) -> Optional[Column]:
        """The same for a contact by its number on its wheel."""
        if self.is_sweep:
            stored = "contact" in self.root["table"] and name in self.root["table"] and self.root["table"][name].dtype.kind in "fiu"
            values = self._of_side(name, side, contact) if stored else np.array([np.nan])
        else:
            found = [[each.totals for each in step.contacts if side in ("", getattr(each, "side", "")) and each.totals.get("contact") == contact]
                     for step in self.steps]
            values = np.array([totals[0].get(name, np.nan) if totals else np.nan for totals in found])
        return None if np.isnan(values).all() else Column(name, values, self.unit(name), self.description(name))

    @functools.cached_property
    def _row_sides(self) -> Any:
        return np.array(texts(self.root["table/side"]), dtype=object)

    @functools.cached_property
    def _rows(self) -> Any:
        """Rows of /table, one for each point: the totals of its last step; for a wheelset those of both wheels."""
        table, sides = self.root["table"], self._row_sides
        chosen = table["contact"][()] == 0
        if (sides == "both").any():
            chosen &= (sides == "both") | (sides == "")
        rows = np.flatnonzero(chosen)
        points = table["point"][()][rows]
        return rows[np.append(points[1:] != points[:-1], True)] if rows.size else rows

    def _table(self, name: str) -> Any:
        return self.root["table"][name][()][self._rows]

    def _of_side(self, name: str, side: str, contact: int = 0) -> Any:
        """Totals of a wheel, or of one of its contacts, for the points of _rows(); NaN if a point has none. side "": the only
        wheel."""
        table, sides = self.root["table"], self._row_sides
        own = np.flatnonzero(((sides == side) | (side == "")) & (table["contact"][()] == contact))
        points = table["point"][()]
        values = dict(zip(points[own].tolist(), np.asarray(table[name][()], dtype=float)[own].tolist()))
        return np.array([values.get(point, np.nan) for point in points[self._rows].tolist()])

    def _stored(self, name: str) -> Any:
        wheels = name.removeprefix("left_").removeprefix("right_")
        for place in (f"table/{name}", f"series/{name}", f"table/{wheels}"):
            if place in self.root:
                return self.root[place].attrs
        return {}

    def unit(self, name: str) -> str:
        return text(self._stored(name).get("units", names.unit_of(name, self.units)))

    def description(self, name: str) -> str:
        return text(self._stored(name).get("description", ""))

    # --- What is said of the file
    def incomplete(self) -> str:
        """Returns a sentence if the run did not finish, else ""."""
        if self.outcome != "incomplete":
            return ""
        if self.is_sweep:
            missing = self.outcomes.count("not_run")
            count = len(self.outcomes)
            return (f"{self.name}: the sweep did not finish; {missing} of {count} points "
                    f"{'was' if missing == 1 else 'were'} not run" if missing else "")
        return f"{self.name}: the run did not finish; the file ends with step {self.step_numbers[-1]}"


def values_of(dataset: Any, rows: Any) -> Any:
    values = dataset[()][rows]
    if values.dtype.kind in "fiu":
        return values.astype(float)
    return np.array([text(value) for value in values], dtype=object)


def open_file(path: str) -> Any:
    h5py = imported("h5py", "a figure of a file")
    if os.path.isdir(path):
        raise Refused(f"{path}: this is a folder; accepted: a result file")
    if not os.path.exists(path) and os.path.isdir(path + ".checkpoint"):
        raise Refused(f"{path}: no such file, its run has not ended; `slipfield run CASE.yaml -o {path} --resume` "
                      f"continues from {path}.checkpoint")
    if not os.path.exists(path):
        raise Refused(f"{path}: no such file; accepted: a result of `slipfield run`")
    if not h5py.is_hdf5(path):
        raise Refused(f"{path}: this is not an HDF5 file, so not a slipfield result; accepted: a result, or a profile as "
                      "a table of y and z with --profile wheel or --profile rail")
    try:
        return h5py.File(path, "r")
    except OSError as error:
        raise Refused(f"{path}: it cannot be opened: {error}") from error


def is_life(path: str) -> bool:
    """Whether `slipfield life` wrote the file, which has its own figure."""
    with open_file(path) as file:
        return text(file.attrs.get("file_type", "")) == "slipfield-life"


def open_view(path: Any) -> View:
    """Opens a result file to be drawn."""
    return View(path)
