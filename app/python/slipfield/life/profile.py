# SPDX-License-Identifier: Apache-2.0
"""A profile that wears: a row of points (y, z) in the canonical form of CASE.md, y increasing, z down.

Wear is an area for each point [mm^2]. All operations on it are linear and keep the sum, because area is conserved.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Optional

import numpy as np

Array = Any
_TOGETHER = 500  # contacts whose arrays fit the cache
INTO = {"rail": 1.0, "wheel": -1.0}  # the direction of z, roughly, from the surface into the body


@dataclass
class WornContacts:
    """The wear of contacts in one pass, in the coordinates of the profile: an array with a number, or a row, for each; numbers and a
    row for one alone."""
    y: Array       # of the reference points
    z: Array
    angle: Array   # of the contacts' planes against the y axis
    s: Array       # of the elements' rows, along the plane from the reference point, increasing; the last may be repeated
    depth: Array   # of the rows
    area: Array    # the program's worn_area

    def some(self, which: Array) -> WornContacts:
        return WornContacts(*(getattr(self, each.name)[which] for each in fields(self)))


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


def contact_areas(points: Array, worn: WornContacts, passes: Array = 1.0) -> Array:
    """Returns the area that contacts together wear off at each point in their numbers of passes: their depths, linear between the
    rows, times the points' hat functions, integrated exactly along the polygon, then scaled to each contact's own area. The ends
    of the profile do not move."""
    each = np.broadcast_arrays(*map(np.atleast_1d, (worn.y, worn.z, worn.angle, passes * np.asarray(worn.area))))
    rows = [values if values.shape[1] > 1 else np.repeat(values, 2, axis=1) for values in map(np.atleast_2d, (worn.s, worn.depth))]
    areas = np.zeros(len(points))
    wears = np.flatnonzero(each[3] != 0.0)
    for first in range(0, len(wears), _TOGETHER):
        some = wears[first:first + _TOGETHER]
        areas += _areas(points, *(values[some] for values in (*each, *rows)))
    areas[1] += areas[0]
    areas[-2] += areas[-1]
    areas[0] = areas[-1] = 0.0
    return areas


def _areas(points: Array, y: Array, z: Array, angle: Array, area: Array, s: Array, depth: Array) -> Array:
    """Returns the sum of the contacts' areas. Rows of elements and points of the profile divide each contact into intervals, in
    which depth and hat functions are linear."""
    count, rows, number = len(points), s.shape[1], np.arange(len(points))
    across, down = points[:, 0] - y[:, None], points[:, 1] - z[:, None]
    along = across * np.cos(angle)[:, None] + down * np.sin(angle)[:, None]
    # The part around the nearest point in which the profile does not turn back along the plane.
    nearest = np.argmin(across**2 + down**2, axis=1)[:, None]
    turns = along[:, 1:] <= along[:, :-1]
    first = np.where(turns & (number[1:] <= nearest), number[1:], 0).max(axis=1)
    last = np.where(turns & (number[:-1] >= nearest), number[:-1], count - 1).min(axis=1)
    each = np.arange(len(y))
    on_profile = np.clip(s, along[each, first][:, None], along[each, last][:, None])
    begin, end = on_profile[:, :1], on_profile[:, -1:]
    part = (number >= first[:, None]) & (number <= last[:, None])
    before = first + (part & (along <= begin)).sum(axis=1) - 1  # the last point that is not behind the contact's begin
    within = (part & (along > begin) & (along < end)).sum(axis=1)
    step = np.arange(1, within.max() + 1)
    nodes = np.where(step <= within[:, None], along[each[:, None], np.minimum(before[:, None] + step, count - 1)], end)

    at = np.concatenate([on_profile, nodes], axis=1)
    order = np.argsort(at, axis=1, kind="stable")
    at = np.take_along_axis(at, order, axis=1)
    row = np.clip(np.cumsum(order < rows, axis=1)[:, :-1] - 1, 0, rows - 2)  # of the interval's lower end
    point = before[:, None] + np.cumsum(order >= rows, axis=1)[:, :-1]
    point = np.clip(point, 0, np.clip(last - 1, 0, before + within)[:, None])

    low, high = at[:, :-1], at[:, 1:]
    slope = _taken(np.diff(depth, axis=1), row) / _spaced(_taken(np.diff(s, axis=1), row))
    depth_low, depth_high = (_taken(depth, row) + (x - _taken(s, row)) * slope for x in (low, high))
    wide = _taken(np.diff(along, axis=1), point)
    hat_low, hat_high = ((x - _taken(along, point)) / wide for x in (low, high))  # of the upper point
    mass = 0.5 * (high - low) * (depth_low + depth_high)
    upper = (high - low) / 6.0 * (depth_low * hat_low + (depth_low + depth_high) * (hat_low + hat_high) + depth_high * hat_high)
    whole = mass.sum(axis=1)
    one = np.flatnonzero(whole == 0.0)  # contacts of one row
    mass[one, 0], upper[one, 0], whole[one] = 1.0, hat_low[one, 0], 1.0
    share = (area / whole)[:, None]
    return (np.bincount(point.ravel(), ((mass - upper) * share).ravel(), count) +
            np.bincount(point.ravel() + 1, (upper * share).ravel(), count))


def _taken(values: Array, which: Array) -> Array:
    return np.take_along_axis(values, which, axis=1)


def _spaced(lengths: Array) -> Array:
    """Returns the lengths, of which those of 0 divide nothing."""
    return np.where(lengths > 0.0, lengths, np.inf)


def smoothing_weights(points: Array, length: float) -> Optional[Array]:
    """Returns a matrix that spreads the area of each point over its neighbours by a cubic B-spline of support `length` along
    the profile. Its columns sum to 1, so that the area is conserved; a constant depth stays constant. None: no smoothing."""
    if length == 0.0:
        return None
    share = shares(points)[1:-1]
    at = np.cumsum(np.hypot(*np.diff(points, axis=0).T))[:-1]
    first, end = np.searchsorted(at, at - 0.5 * length), np.searchsorted(at, at + 0.5 * length, "right")
    width = (end - first).max()
    near = np.minimum(first, len(at) - width)[:, None] + np.arange(width)  # all that a point's spline reaches
    u = np.abs(at[:, None] - at[near]) * (4.0 / length)
    kernel = np.where(u < 1.0, 4.0 - 6.0 * u**2 + 3.0 * u**3, np.clip(2.0 - u, 0.0, None)**3)
    scale = np.ones(len(at))
    for _ in range(60):  # to a symmetric matrix of which all rows integrate to 1 (Sinkhorn)
        scale = np.sqrt(scale / (kernel * (share * scale)[near]).sum(axis=1))
    whole = np.zeros((len(points), len(points)))
    whole[1 + np.arange(len(at))[:, None], 1 + near] = (share * scale)[:, None] * kernel * scale[near]
    whole[:, 1:-1] /= whole[:, 1:-1].sum(axis=0)
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
