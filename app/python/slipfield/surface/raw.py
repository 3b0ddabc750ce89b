# SPDX-License-Identifier: Apache-2.0
"""The contents of a file of heights before conversion."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, List, Optional

import numpy as np

# Names of coordinates along x and y, and of heights, in any case.
X_NAMES = ("x", "lon", "longitude", "easting", "length", "länge", "longueur", "lunghezza")
Y_NAMES = ("y", "lat", "latitude", "northing", "width", "breite", "largeur", "larghezza")
Z_NAMES = ("z", "height", "heights", "elevation", "höhe", "hauteur", "altezza")
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


def samples(count: int, one: str, several: str) -> str:
    """"1 sample is", "3 samples are"."""
    return f"1 sample {one}" if count == 1 else f"{count} samples {several}"


def stand_for(heights: Any, value: float) -> Any:
    """Returns where heights equal a value that stands for missing measurements, to single precision."""
    return np.isclose(heights, value, rtol=6e-8, atol=0.0, equal_nan=True)
