# SPDX-License-Identifier: Apache-2.0
"""The grid of a case: the centres of its elements, before it is solved."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Optional, Tuple

import numpy as np

from .errors import InputError
from .fixed import ReadOnly, fixed

if TYPE_CHECKING:
    import numpy.typing as npt

    from .case import CaseLike, PathLike
    Array = npt.NDArray[Any]

_OFF = 0.01  # of an element: beyond it, the places of a table are not those of the elements


class Grid(ReadOnly):
    """The elements of the potential contact area.

    Attributes
    ----------
    x: centres along x [length of the case], shape (mx,).
    y: centres along y [length of the case], shape (my,).
    dx, dy: the size of an element [length of the case].
    shape: (my, mx), the shape of fields, heights and coefficients: row 0 has the lowest y.
    repeats: whether the grid is periodic in x and in y.
    """

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.dx: float = values["dx"]
        self.dy: float = values["dy"]
        self.shape: Tuple[int, int] = (values["my"], values["mx"])
        self.repeats: Tuple[bool, bool] = values.get("repeats", (False, False))
        self.x: Array = fixed(values["x0"] + self.dx * np.arange(values["mx"]))
        self.y: Array = fixed(values["y0"] + self.dy * np.arange(values["my"]))

    def centres(self) -> Tuple[Array, Array]:
        """X and Y of all elements [length of the case], two arrays of the grid's shape."""
        x, y = np.meshgrid(self.x, self.y)
        return x, y

    def __repr__(self) -> str:
        return (f"<slipfield.Grid: {self.shape[1]} x {self.shape[0]} elements of {self.dx:.6g} x {self.dy:.6g}, centres from "
                f"({self.x[0]:.6g}, {self.y[0]:.6g}) to ({self.x[-1]:.6g}, {self.y[-1]:.6g})>")


def grid(case: CaseLike, *, folder: Optional[PathLike] = None) -> Grid:
    """Returns the grid of a case, so that heights can be computed at the centres of its elements.

        g = sf.grid(case)
        X, Y = g.centres()
        case["geometry"] = {"type": "heights", "file": X**2 / 100 + Y**2 / 60}

    Parameters
    ----------
    case: a dict, YAML text, or the path of a case file. Only `grid` is read from a dict: the rest may still be missing.
    folder: base of relative file names in a text.

    Returns
    -------
    A Grid. A wheel on a rail has none before it is solved: each contact gets its own grid.
    """
    if isinstance(case, Mapping):
        if "grid" not in case:
            raise InputError("the case has no `grid`; accepted: a dict with it (the contacts of a wheel on a rail have grids of "
                             "their own, which `contact.grid` of a solved step has)")
        body = {"shear_modulus": 1.0, "poisson_ratio": 0.3}
        case = {"schema": 1, "units": case.get("units", "N-mm-s"), "bodies": {"upper": body, "lower": body},
                "grid": case["grid"], "geometry": {"type": "sphere", "radius": 1.0}, "normal": {"approach": 0.0}}
    from .solver import Solver
    return Solver(case, backend="cpu", threads=1, folder=folder).grid


def _placed_tables(case: Any) -> Iterator[Tuple[str, Any]]:
    """Finds tables of heights in a dict that have one value per element and coordinates x and y, such as an xarray.DataArray."""
    shapes = case.get("geometry", []) if isinstance(case, Mapping) else []
    several = isinstance(shapes, (list, tuple))
    for index, shape in enumerate(shapes if several else [shapes]):
        if isinstance(shape, Mapping) and "spacing" not in shape and {"x", "y"} <= set(getattr(shape.get("file"), "coords", ())):
            yield f"geometry[{index}].file" if several else "geometry.file", shape["file"]


def places_warnings(case: Any, solved: Grid) -> List[str]:
    """Returns a sentence for each table of heights whose coordinates differ from the element centres."""
    found = []
    for name, table in _placed_tables(case):
        for axis, centres, size in (("x", solved.x, solved.dx), ("y", solved.y, solved.dy)):
            places = np.asarray(table.coords[axis], dtype=float)
            if places.shape != centres.shape:
                continue  # the solver names the shape that it expects
            most = float(np.max(np.abs(places - centres)))
            if most > _OFF * size:
                found.append(f"{name}: its {axis} go from {places[0]:.6g} to {places[-1]:.6g} and the centres of the elements from "
                             f"{centres[0]:.6g} to {centres[-1]:.6g}, up to {most / size:.2g} elements apart; accepted: heights "
                             "at slipfield.grid(case).x and .y, or `spacing` and `origin` of the table's own grid")
    return found


def level_of_caller() -> int:
    """Returns the stacklevel with which warnings.warn() in the calling function shows the first line outside this package."""
    folder, frame, level = os.path.dirname(__file__) + os.sep, sys._getframe(1), 1  # pylint: disable=protected-access
    while frame.f_back is not None and frame.f_code.co_filename.startswith(folder):
        frame, level = frame.f_back, level + 1
    return level


def warn_of_places(case: Any, values: Dict[str, Any]) -> None:
    """Issues a UserWarning for each such sentence, at the line of the user's program."""
    for sentence in places_warnings(case, Grid(values)):
        warnings.warn(sentence, stacklevel=level_of_caller())
