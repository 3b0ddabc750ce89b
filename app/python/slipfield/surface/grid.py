# SPDX-License-Identifier: Apache-2.0
"""A surface: heights on a grid, with their units and the changes made to them."""

from __future__ import annotations

import math
import numbers
from dataclasses import dataclass, replace
from typing import Any, Optional, Tuple

import numpy as np

from ..errors import InputError

# Lengths in metres by the names that files give them: those of io/heights/hdf5.cpp, which a case reads, and others.
_OF_CASES = {
    "m": 1.0, "meter": 1.0, "metre": 1.0, "meters": 1.0, "metres": 1.0, "cm": 1e-2, "centimeter": 1e-2, "centimetre": 1e-2,
    "mm": 1e-3, "millimeter": 1e-3, "millimetre": 1e-3, "millimeters": 1e-3, "millimetres": 1e-3, "um": 1e-6, "\u00b5m": 1e-6,
    "\u03bcm": 1e-6, "micron": 1e-6, "microns": 1e-6, "micrometer": 1e-6, "micrometre": 1e-6, "micrometers": 1e-6,
    "micrometres": 1e-6, "nm": 1e-9, "nanometer": 1e-9, "nanometre": 1e-9, "nanometers": 1e-9, "nanometres": 1e-9, "pm": 1e-12,
    "angstrom": 1e-10, "\u00c5": 1e-10, "\u212b": 1e-10, "in": 0.0254, "inch": 0.0254, "inches": 0.0254,
    "mil": 2.54e-5, "mils": 2.54e-5, "thou": 2.54e-5, "ft": 0.3048, "foot": 0.3048, "feet": 0.3048,
}
_METRES = {
    **_OF_CASES,
    **{name: 1e-6 * 0.0254 for name in ("uin", "\u00b5in", "\u03bcin", "uinch", "\u00b5inch", "\u03bcinch", "microinch", "microinches")},
    "km": 1e3, "dm": 0.1, "angstroms": 1e-10, "\u00e5ngstr\u00f6m": 1e-10,
    "centimeters": 1e-2, "centimetres": 1e-2, "picometer": 1e-12, "picometre": 1e-12, "picometers": 1e-12, "picometres": 1e-12,
}
UNITS = ("m", "cm", "mm", "um", "nm", "angstrom", "inch")


def _metres(unit: str) -> Optional[float]:
    name = unit.strip()
    return _METRES.get(name, _METRES.get(name.lower()) if len(name) > 3 else None)  # "Microns", not Mm or PM


def metres_of(unit: Any, what: str) -> float:
    """Returns the length of a unit in metres. what: origin of the unit, for the message."""
    found = _metres(str(unit))
    if found is None:
        raise InputError(f"{what}: '{unit}' is not a unit of length; accepted: {', '.join(UNITS)}")
    return found


def is_length(unit: str) -> bool:
    return _metres(unit) is not None


def a_case_reads(unit: str) -> bool:
    return unit in _OF_CASES


def same_unit(one: Optional[str], other: Optional[str]) -> bool:
    """Whether two units are equal, even by different names."""
    if one is None or other is None:
        return one == other
    return one == other or is_length(one) and is_length(other) and metres_of(one, "") == metres_of(other, "")


def real_of(value: Any) -> Optional[float]:
    """Returns a number of any real type, including NumPy's; None for anything else."""
    if getattr(value, "ndim", None) == 0:
        value = value.item()
    return float(value) if isinstance(value, numbers.Real) and not isinstance(value, bool) else None


def _array_of(heights: Any) -> Any:
    """Returns a copy as floats, with NaN for masked values."""
    accepted = "accepted: real numbers of shape (my, mx), a row for each y, all rows of one length"
    try:
        given = np.ma.asarray(heights)
        made = np.ma.filled(given.astype(float), np.nan) if given.dtype.kind in "fiuO" else None
    except (TypeError, ValueError):
        raise InputError(f"heights: a {type(heights).__name__} of this content is no array of numbers; {accepted}") from None
    if made is None:
        raise InputError(f"heights: an array of {given.dtype} has no real numbers; {accepted}")
    return np.array(made)


@dataclass(frozen=True)
class Surface:
    """Heights on a rectangular grid.

    Attributes
    ----------
    heights: (my, mx), outwards from the body, row 0 at the lowest y, NaN where nothing was measured.
    dx, dy: distance of the columns and of the rows.
    unit: of heights, dx, dy, x and y.
    x0, y0: place of the first sample.
    source, sha256, size: the file's name, SHA-256 and bytes; "" and 0 of an array.
    steps: what was done, a sentence each.
    warnings: what is suspicious in the file, a sentence each.
    """

    heights: Any
    dx: float
    dy: float
    unit: str = "mm"
    x0: float = 0.0
    y0: float = 0.0
    source: str = ""
    sha256: str = ""
    size: int = 0
    steps: Tuple[str, ...] = ()
    warnings: Tuple[str, ...] = ()

    def __post_init__(self) -> None:
        heights = _array_of(self.heights)
        if heights.ndim != 2 or 0 in heights.shape:
            raise InputError(f"heights: an array of shape {heights.shape} is not a surface; accepted: (my, mx), a row for each y")
        heights[~np.isfinite(heights)] = np.nan
        if not np.isfinite(heights).any():
            raise InputError(f"{self.source or 'heights'}: no height is a number; accepted: a surface with measured points")
        heights.flags.writeable = False
        object.__setattr__(self, "heights", heights)
        for name, least, what in (("dx", 0.0, "distance of samples; accepted: a number > 0"),
                                  ("dy", 0.0, "distance of samples; accepted: a number > 0"),
                                  ("x0", -math.inf, "place; accepted: a finite number"), ("y0", -math.inf, "place; accepted: a finite number")):
            value = real_of(getattr(self, name))
            if value is None or not least < value < math.inf:
                raise InputError(f"{name}: {getattr(self, name)!r} is not a {what}")
            object.__setattr__(self, name, value)
        metres_of(self.unit, "unit")

    @property
    def shape(self) -> Tuple[int, int]:
        """(my, mx): rows and columns."""
        return self.heights.shape[0], self.heights.shape[1]

    @property
    def x(self) -> Any:
        """Places of the columns, (mx,)."""
        return self.x0 + self.dx * np.arange(self.shape[1])

    @property
    def y(self) -> Any:
        """Places of the rows, (my,)."""
        return self.y0 + self.dy * np.arange(self.shape[0])

    @property
    def missing(self) -> int:
        """Number of samples that were not measured."""
        return int(np.isnan(self.heights).sum())

    def changed(self, step: str, **values: Any) -> Surface:
        """Returns another surface with these attributes and one more step."""
        return replace(self, steps=(*self.steps, step), **values)

    def __repr__(self) -> str:
        my, mx = self.shape
        hole = f", {self.missing} missing" if self.missing else ""
        return f"<slipfield.surface.Surface: {mx} x {my} samples of {self.dx:.6g} x {self.dy:.6g} {self.unit}, heights in {self.unit}{hole}>"
