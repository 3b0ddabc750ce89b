# SPDX-License-Identifier: Apache-2.0
"""A profile that wears: a row of points (y, z) in the canonical form of CASE.md, y increasing, z down.

Wear is an area for each point [mm^2]. All operations on it are linear and keep the sum, because area is conserved.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional

import numpy as np

Array = Any
INTO = {"rail": 1.0, "wheel": -1.0}  # the direction of z, roughly, from the surface into the body


@dataclass
class WornContact:
    """The wear of one contact in one pass, in the coordinates of the profile."""
    y: float       # of the contact's reference point
    z: float
    angle: float   # of the contact's plane against the y axis
    s: Array       # of the rows, along the plane from the reference point, increasing
    depth: Array   # of the rows
    area: float    # the program's worn_area


def spline(points: Array, spacing: float) -> Array:
    """Returns the points, with more on the cubic spline through them between points farther apart than `spacing`."""
    step = np.hypot(*np.diff(points, axis=0).T)
    at = np.concatenate([[0.0], np.cumsum(step)])
    slope = _second_derivatives(at, points)
    made = [points[:1]]
    for k, length in enumerate(step):
        parts = max(1, int(np.ceil(length / spacing - 1e-9)))
        b = np.arange(1, parts)[:, None] / parts
        a = 1.0 - b
        made += [a * points[k] + b * points[k + 1] + ((a**3 - a) * slope[k] + (b**3 - b) * slope[k + 1]) * length**2 / 6.0,
                 points[k + 1:k + 2]]
    return np.concatenate(made)


def _second_derivatives(at: Array, values: Array) -> Array:
    """Second derivatives of the natural cubic spline, by elimination in its tridiagonal system."""
    count = len(at)
    second, factor = np.zeros_like(values), np.zeros(count)
    for i in range(1, count - 1):
        before, after = at[i] - at[i - 1], at[i + 1] - at[i]
        pivot = 2.0 * (before + after) - before * factor[i - 1]
        factor[i] = after / pivot
        right = 6.0 * ((values[i + 1] - values[i]) / after - (values[i] - values[i - 1]) / before)
        second[i] = (right - before * second[i - 1]) / pivot
    for i in range(count - 2, 0, -1):
        second[i] -= factor[i] * second[i + 1]
    return second


def shares(points: Array) -> Array:
    """Returns the length of profile that belongs to each point."""
    step = np.hypot(*np.diff(points, axis=0).T)
    return 0.5 * (np.concatenate([[0.0], step]) + np.concatenate([step, [0.0]]))


def contact_areas(points: Array, contact: WornContact) -> Array:
    """Returns the area that a contact wears off at each point: its depth, linear between the rows, times the points' hat
    functions, integrated exactly along the polygon, then scaled to the contact's own area. The ends of the profile do not
    move."""
    areas = np.zeros(len(points))
    if contact.area == 0.0:
        return areas
    offset = points - [contact.y, contact.z]
    along = offset @ [np.cos(contact.angle), np.sin(contact.angle)]
    first = last = int(np.argmin((offset**2).sum(axis=1)))
    while first > 0 and along[first - 1] < along[first]:
        first -= 1
    while last < len(points) - 1 and along[last + 1] > along[last]:
        last += 1
    here = along[first:last + 1]
    rows = np.clip(contact.s, here[0], here[-1])
    ends = np.unique(np.concatenate([rows, here[(here > rows[0]) & (here < rows[-1])]]))
    if len(ends) == 1:  # a contact of one row
        at, mass = ends, np.ones(1)
    else:  # Simpson's rule, exact for depth times hat
        low, high = ends[:-1], ends[1:]
        at = np.concatenate([low, 0.5 * (low + high), high])
        mass = np.interp(at, contact.s, contact.depth) * np.concatenate([high - low, 4.0 * (high - low), high - low]) / 6.0
    place = np.interp(at, here, np.arange(first, last + 1.0))
    lower = np.minimum(place.astype(int), len(points) - 2)
    np.add.at(areas, lower, mass * (lower + 1.0 - place))
    np.add.at(areas, lower + 1, mass * (place - lower))
    areas[1] += areas[0]
    areas[-2] += areas[-1]
    areas[0] = areas[-1] = 0.0
    return areas * (contact.area / areas.sum())


def smoothing_weights(points: Array, length: float) -> Optional[Array]:
    """Returns a matrix that spreads the area of each point over its neighbours by a cubic B-spline of support `length` along
    the profile. Its columns sum to 1, so that the area is conserved; a constant depth stays constant. None: no smoothing."""
    if length == 0.0:
        return None
    share = shares(points)[1:-1]
    at = np.cumsum(np.hypot(*np.diff(points, axis=0).T))[:-1]
    u = np.abs(at[:, None] - at[None, :]) * (4.0 / length)
    kernel = np.where(u < 1.0, 4.0 - 6.0 * u**2 + 3.0 * u**3, np.clip(2.0 - u, 0.0, None)**3)
    scale = np.ones(len(at))
    for _ in range(60):  # to a symmetric matrix of which all rows integrate to 1 (Sinkhorn)
        scale = np.sqrt(scale / (kernel @ (share * scale)))
    weights = (share * scale)[:, None] * kernel * scale[None, :]
    whole = np.zeros((len(points), len(points)))
    whole[1:-1, 1:-1] = weights / weights.sum(axis=0)
    return whole


def depths(points: Array, areas: Array) -> Array:
    """Returns the depths of the areas [mm] along the normals."""
    chord = np.hypot(*(points[2:] - points[:-2]).T)
    return np.concatenate([[0.0], 2.0 * areas[1:-1] / chord, [0.0]])


def remove(points: Array, areas: Array, body: str) -> Array:
    """Removes the areas from the profile. Each point moves along its normal by the depth of its area; all depths are then
    multiplied by one number near 1, which corrects for curvature, so that the polygon loses exactly the sum of the areas."""
    total = areas.sum()
    if total == 0.0:
        return points.copy()
    chord = points[2:] - points[:-2]
    normal = INTO[body] * np.stack([-chord[:, 1], chord[:, 0]], axis=1)
    moved = np.zeros_like(points)
    moved[1:-1] = 2.0 * areas[1:-1, None] * normal / (chord**2).sum(axis=1)[:, None]
    second = 0.5 * INTO[body] * _cross(moved[1:], moved[:-1]).sum()  # area(a) = a total + a^2 second
    factor = 2.0 / (1.0 + np.sqrt(1.0 + 4.0 * second / total))
    return points + factor * moved


def removed_area(before: Array, after: Array, body: str) -> float:
    """Area between two polygons with the same ends."""
    ring = np.concatenate([before, after[::-1]])
    return float(0.5 * INTO[body] * _cross(ring, np.roll(ring, -1, axis=0)).sum())


def _cross(first: Array, second: Array) -> Array:
    return first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0]
