# SPDX-License-Identifier: Apache-2.0
"""The single spots of a contact: elements in contact that share a side, as counted by the total `contact_spots`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, List, NamedTuple

import numpy as np

from . import _slipfield
from .errors import imported

if TYPE_CHECKING:
    from .result import Result


class Spot(NamedTuple):
    """A spot: the elements, their area [length^2], the place of the resultant of the pressure [length], forces, greatest pressure."""
    elements: int
    area: float
    x: float
    y: float
    normal_force: float
    force_x: float
    force_y: float
    max_pressure: float


class Spots(List[Spot]):
    """A list of spots."""

    def to_pandas(self) -> Any:
        """Returns a pandas.DataFrame with a row for each spot."""
        return imported("pandas", "to_pandas()").DataFrame(self, columns=Spot._fields)


def spots_of(result: Result) -> Spots:
    """Implements Result.spots()."""
    grid = result.grid
    touches = result.element_division > 0
    if not touches.any():
        return Spots()
    spot = _slipfield.spot_numbers(result.element_division, grid.repeats)[touches]
    _, first = np.unique(spot, return_index=True)
    area = grid.dx * grid.dy

    def total(values: Any) -> Any:
        return np.bincount(spot, values)

    pressure = result.pressure[touches]
    weight = total(pressure)
    shares = pressure / np.where(weight > 0.0, weight, 1.0)[spot]
    places = []
    for centres, size, around in zip(grid.centres(), (grid.dx * grid.shape[1], grid.dy * grid.shape[0]), grid.repeats):
        at = centres[touches]
        middle = at[first]
        if around:  # about where on the circle of a period the spot is
            waves = np.exp(2j * np.pi / size * at) * shares
            middle = size / (2.0 * np.pi) * np.angle(total(waves.real) + 1j * total(waves.imag))
            middle += size * np.round((at[first] - middle) / size)
        away = at - middle[spot]
        if around:
            away -= size * np.round(away / size)
        places.append(middle + total(away * shares))
    greatest = np.zeros(len(first))
    np.maximum.at(greatest, spot, pressure)
    columns = [np.bincount(spot), area * np.bincount(spot), *places, area * weight, area * total(result.traction_x[touches]),
               area * total(result.traction_y[touches]), greatest]
    return Spots(sorted((Spot(int(row[0]), *map(float, row[1:])) for row in zip(*columns)), key=lambda one: -one.normal_force))
