# SPDX-License-Identifier: Apache-2.0
"""The contents of a file of heights before conversion."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, List, Optional

import numpy as np

# Names of coordinates along x and y, and of heights, in any case.
X_NAMES = ("x", "lon", "longitude", "easting", "length", "länge", "longueur", "lunghezza")
Y_NAMES = ("y", "lat", "latitude", "northing", "width", "breite", "largeur", "larghezza")
Z_NAMES = ("z", "height", "heights", "elevation", "höhe", "hauteur", "altezza", "h", "altitude", "topography", "hoehe")
# Words in the names of columns and arrays that hold something else than places and heights.
_COUNTERS = frozenset((
    "index", "indices", "idx", "id", "no", "nr", "num", "number", "nummer", "point", "points", "punkt", "count", "counter", "row", "rows", "column",
    "columns", "line", "pixel"))
_QUANTITIES = frozenset((
    "intensity", "intensität", "intensité", "brightness", "reflectance", "reflectivity", "contrast", "grey", "gray", "colour", "color", "red",
    "green", "blue", "rgb", "quality", "qualität", "qualité", "confidence", "validity", "valid", "mask", "flag", "flags", "status", "weight",
    "error", "errors", "err", "fehler", "uncertainty", "deviation", "std", "stdev", "sigma", "variance", "noise", "snr", "time", "zeit",
    "timestamp", "temperature", "temperatur", "température", "pressure", "force", "load", "voltage", "current", "phase", "amplitude", "friction",
    "slope", "angle", "curvature", "hardness"))
NEVER = 1e30  # no length in any unit: NetCDF's, Surfer's and C's fill values


@dataclass
class Raw:
    """Heights and distances in units that may differ; None: not stated by the file."""
    heights: Any
    dx: Optional[float] = None
    dy: Optional[float] = None
    x0: float = 0.0
    y0: float = 0.0
    unit_x: Optional[str] = None  # of dx and x0
    unit_y: Optional[str] = None
    unit_z: Optional[str] = None
    words: str = ""               # the format
    notes: List[str] = field(default_factory=list)
    warnings: List[str] = field(default_factory=list)


def words_of(name: str) -> List[str]:
    """"Pos_X", "posX" and "pos x" in words."""
    return [word.lower() for word in re.findall(r"[^\W\d_A-Z]+\d*|[A-Z][^\W\d_A-Z]+\d*|[A-Z]+(?![a-z])\d*", name)]


def is_no_height(name: str) -> bool:
    """Whether a column or an array by this name holds something else than heights: an index, an intensity, an error."""
    words = set(words_of(name))
    return bool(words & _QUANTITIES or words & _COUNTERS and not words & set(Z_NAMES))


def samples(count: int, one: str, several: str) -> str:
    """"1 sample is", "3 samples are"."""
    return f"1 sample {one}" if count == 1 else f"{count} samples {several}"


def stand_for(heights: Any, value: float) -> Any:
    """Returns where heights equal a value that stands for missing measurements, to single precision."""
    return np.isclose(heights, value, rtol=6e-8, atol=0.0, equal_nan=True)
