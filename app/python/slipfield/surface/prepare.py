# SPDX-License-Identifier: Apache-2.0
"""Changes to a surface: crop it, remove its form, fill gaps, turn it over, rescale it."""

from __future__ import annotations

import math
from typing import Any, List, Sequence, Tuple, Union

import numpy as np

from ..errors import InputError
from .grid import Surface, metres_of, real_of
from .raw import samples

MOST_DEGREE = 12
LEVELS = f"mean, plane, sphere, curvature, or the degree of a polynomial, 0 to {MOST_DEGREE}"
FILLS = ("smooth", "lowest")
FLIPS = ("x", "y", "heights")


def crop(surface: Surface, x: Sequence[float], y: Sequence[float]) -> Surface:
    """Returns the samples within x = (least, greatest) and y = (least, greatest), in the surface's unit."""
    kept = []
    for name, limits, places in (("x", x, surface.x), ("y", y, surface.y)):
        try:
            least, greatest = (real_of(each) for each in limits)
        except (TypeError, ValueError):
            least = greatest = None
        if least is None or greatest is None or math.isnan(least + greatest):
            raise InputError(f"crop: {name} = {limits!r} are no limits; accepted: two numbers, the least first")
        step = surface.dx if name == "x" else surface.dy
        inside = np.flatnonzero((places >= least - 1e-6 * step) & (places <= greatest + 1e-6 * step))
        if inside.size < 2 <= places.size:
            raise InputError(f"crop: {name} = {least:g} to {greatest:g} {surface.unit} holds {inside.size} of its samples, which lie at "
                             f"{places[0]:.6g} to {places[-1]:.6g}; accepted: limits with two samples or more between them")
        kept.append(slice(inside[0], inside[-1] + 1))
    columns, rows = kept
    if (rows.stop - rows.start, columns.stop - columns.start) == surface.shape:
        return surface.changed(f"nothing was cropped: the limits hold all samples, x = {surface.x[0]:.6g} to {surface.x[-1]:.6g}, "
                               f"y = {surface.y[0]:.6g} to {surface.y[-1]:.6g} {surface.unit}")
    heights = surface.heights[rows, columns]
    return surface.changed(f"cropped to x = {surface.x[columns][0]:.6g} to {surface.x[columns][-1]:.6g}, y = {surface.y[rows][0]:.6g} to "
                           f"{surface.y[rows][-1]:.6g} {surface.unit}: {heights.shape[1]} x {heights.shape[0]} samples",
                           heights=heights, x0=float(surface.x[columns][0]), y0=float(surface.y[rows][0]))


def _degree(kind: Union[str, int]) -> int:
    """-1: a paraboloid with one curvature."""
    named = {"mean": 0, "plane": 1, "sphere": -1, "curvature": 2}
    if isinstance(kind, str) and kind in named:
        return named[kind]
    text = str(kind)
    if not isinstance(kind, bool) and text.isascii() and text.isdigit() and int(text) <= MOST_DEGREE:
        return int(text)
    raise InputError(f"level: {kind!r} is not a form; accepted: {LEVELS}")


def _terms(degree: int, scale_x: float, scale_y: float, shape: Tuple[int, int]) -> Any:
    """The forms that can be removed, as columns of coefficients of products P_i(u) P_j(v) of Legendre's polynomials."""
    order = 2 if degree < 0 else degree
    columns = []
    for i, j in np.ndindex(order + 1, order + 1):
        if i + j > abs(degree) or (i > 0 and shape[1] == 1) or (j > 0 and shape[0] == 1):
            continue
        column = np.zeros((order + 1, order + 1))
        column[i, j] = 1.0
        columns.append(column.ravel())
    if degree < 0:  # x^2 + y^2, less a constant
        column = np.zeros((3, 3))
        column[2, 0], column[0, 2] = np.array([scale_x**2, scale_y**2]) / max(scale_x, scale_y)**2
        columns.append(column.ravel())
    return np.stack(columns, axis=1)


def _fit(heights: Any, known: Any, terms: Any, u: Any, v: Any) -> Any:
    """Returns the best coefficients of P_i(u) P_j(v), (order + 1, order + 1). Summing over rows, then over columns, needs no
    matrix of all samples."""
    order = math.isqrt(terms.shape[0]) - 1
    of_u, of_v = (np.polynomial.legendre.legvander(each, order) for each in (u, v))
    pairs_u, pairs_v = ((each[:, :, None] * each[:, None, :]).reshape(len(each), -1) for each in (of_u, of_v))
    size = order + 1
    products = (pairs_v.T @ known @ pairs_u).reshape(size, size, size, size).transpose(2, 0, 3, 1).reshape(size**2, size**2)
    sums = (of_v.T @ heights @ of_u).T.ravel()
    solved = np.linalg.lstsq(terms.T @ products @ terms, terms.T @ sums, rcond=1e-13)[0]
    return (terms @ solved).reshape(size, size)


def level(surface: Surface, kind: Union[str, int] = "plane") -> Surface:
    """Subtracts the form that fits the measured samples best (least squares).

    Parameters
    ----------
    kind: "mean"; "plane"; "sphere", a plane and a paraboloid of one curvature; "curvature", a plane and a paraboloid of any
        curvatures; or the degree of a polynomial in x and y, 0 to 12.
    """
    degree = _degree(kind)
    my, mx = surface.shape
    if any(1 < count <= (2 if degree < 0 else degree) for count in (mx, my)) or degree < 0 and min(mx, my) == 1:
        raise InputError(f"level: {mx} x {my} samples are too few for {kind!r}; accepted: more samples, or a lower degree")
    # Places from -1 to 1; a single row has one place, 0, where the fit leaves slopes across it at 0.
    half_x, half_y = (max(0.5 * (count - 1), 0.5) * step for count, step in ((mx, surface.dx), (my, surface.dy)))
    u, v = ((np.arange(count) - 0.5 * (count - 1)) * step / half for count, step, half in
            ((mx, surface.dx, half_x), (my, surface.dy, half_y)))
    known = np.isfinite(surface.heights).astype(float)
    rest = np.where(known > 0.0, surface.heights, 0.0)
    terms = _terms(degree, half_x, half_y, surface.shape)
    coefficients = np.zeros((math.isqrt(terms.shape[0]),) * 2)
    for _ in range(2):  # the second time to rounding
        found = _fit(rest, known, terms, u, v)
        rest = np.where(known > 0.0, rest - np.polynomial.legendre.leggrid2d(u, v, found).T, 0.0)
        coefficients += found
    heights = np.where(known > 0.0, rest, np.nan)
    return surface.changed(_removed(degree, coefficients, (half_x, half_y), surface), heights=heights)


def _removed(degree: int, found: Any, half: Tuple[float, float], surface: Surface) -> str:
    words = {0: "mean", 1: "plane", 2: "plane and curvature", -1: "plane and sphere"}.get(degree, f"polynomial of degree {degree}")
    parts: List[str] = []
    if abs(degree) == 1 or degree == 2:  # at the middle: P_1' = 1, P_2'' = 3
        parts.append(f"slopes {found[1, 0] / half[0]:.4g} in x and {found[0, 1] / half[1]:.4g} in y")
    if degree in (-1, 2):
        curvatures = [3.0 * found[2, 0] / half[0]**2, 3.0 * found[0, 2] / half[1]**2]
        shown = curvatures[:1] if degree < 0 else curvatures
        parts.append("curvature" + ("s " if degree == 2 else " ") + " and ".join(f"{each:.4g}" for each in shown)
                     + f" 1/{surface.unit} (a summit has negative ones)")
    return f"levelled: {words} taken off" + (f", {', '.join(parts)}" if parts else "")


def fill(surface: Surface, how: str = "smooth") -> Surface:
    """Gives heights to the samples that were not measured.

    Parameters
    ----------
    how: "smooth", the membrane over each hole (Laplace's equation), which makes no new summits; or "lowest", the lowest
        measured height, for pits that were too deep or too steep to be seen.
    """
    if how not in FILLS:
        raise InputError(f"fill: {how!r} is not a way; accepted: {', '.join(FILLS)}")
    hole = np.isnan(surface.heights)
    count = int(hole.sum())
    if not count:
        return surface.changed("nothing was missing, nothing was filled")
    heights = surface.heights.copy()
    heights[hole] = np.nanmin(heights) if how == "lowest" else _membrane(heights, hole)
    return surface.changed(f"filled: {samples(count, '', '').strip()} ({100.0 * count / hole.size:.3g} %), {how}", heights=heights)


def _membrane(heights: Any, hole: Any) -> Any:
    """Returns heights in the hole, each the mean of its neighbours, by conjugate gradients on the samples of the hole."""
    number = np.full((hole.shape[0] + 2, hole.shape[1] + 2), -2)  # -2: outside, -1: known, else its number
    number[1:-1, 1:-1] = np.where(hole, np.cumsum(hole.ravel()).reshape(hole.shape) - 1, -1)
    around = np.pad(heights, 1, constant_values=np.nan)
    rows, columns = np.nonzero(np.pad(hole, 1))
    places = [(rows + i, columns + j) for i, j in ((0, 1), (0, -1), (1, 0), (-1, 0))]
    beside = np.stack([number[place] for place in places])
    count = (beside > -2).sum(axis=0).astype(float)
    right = np.nansum(np.where(beside == -1, np.stack([around[place] for place in places]), 0.0), axis=0)
    middle = right[count > 0].sum() / max((beside == -1).sum(), 1)  # the mean of the rim: numbers near 0 lose no digits
    right -= middle * (beside == -1).sum(axis=0)
    inside = beside >= 0
    at = np.where(inside, beside, 0)

    def applied(values: Any) -> Any:
        return count * values - np.where(inside, values[at], 0.0).sum(axis=0)

    values = np.zeros(len(right))
    residual = right.copy()
    scaled = residual / count
    direction, product = scaled.copy(), float(residual @ scaled)
    target = 1e-28 * product
    for _ in range(20 * len(right) + 100):
        if product <= target:
            break
        along = applied(direction)
        step = product / float(direction @ along)
        values += step * direction
        residual -= step * along
        scaled = residual / count
        before, product = product, float(residual @ scaled)
        direction = scaled + product / before * direction
    return values + middle


FAR_OFF = 12.0  # of a spike: times the robust standard deviation of all samples from their neighbours


def _off_neighbours(heights: Any) -> Any:
    """Returns how far each sample is from the median of the four samples two away; 0 if it was not measured."""
    rows, columns = (np.pad(heights, 2, mode="reflect" if min(heights.shape) > 2 else "edge")[each] for each in
                     ((slice(2, -2), slice(None)), (slice(None), slice(2, -2))))
    around = [rows[:, 4:], rows[:, :-4]]
    around += [rows[:, 3:-1], rows[:, 1:-3]] if heights.shape[0] == 1 else [columns[4:], columns[:-4]]
    most, least, total = (np.full(heights.shape, start) for start in (-np.inf, np.inf, 0.0))
    for each in around:
        known = np.where(np.isnan(each), heights, each)
        most, least, total = np.maximum(most, known), np.minimum(least, known), total + known
    return np.nan_to_num(heights - 0.5 * (total - most - least))


def _far_off(surface: Surface) -> Tuple[Any, Any, float]:
    """Returns the mask of samples far from their neighbours, all distances from them, and their robust standard deviation; none is far if that is
    0, as on terraces."""
    off = np.abs(_off_neighbours(surface.heights))
    known = np.isfinite(surface.heights)
    usual = 1.4826 * float(np.median(off[known]))
    return known & (off > FAR_OFF * usual) & (usual > 0.0), off, usual


def spikes(surface: Surface) -> Any:
    """Returns a mask (my, mx) of spikes: samples further from the median of their neighbours than 12 times the robust standard
    deviation (by the median absolute deviation) of this distance over all samples. Empty if more than one in a hundred would
    be spikes, because they then belong to the surface."""
    found = _far_off(surface)[0]
    return found if 100 * found.sum() <= found.size - surface.missing else np.zeros_like(found)


def spikes_text(surface: Surface, found: Any) -> str:
    """Writes the number and height of spikes."""
    _, off, usual = _far_off(surface)
    count = int(found.sum())
    return (f"{count} spike{'' if count == 1 else 's'}, up to {float(off[found].max()):.4g} {surface.unit} from the samples around, where the "
            f"usual deviation is {usual:.3g} {surface.unit}")


def _why_no_spikes(surface: Surface) -> str:
    far, off, usual = _far_off(surface)
    measured = far.size - surface.missing
    if far.any():
        return (f"no spikes were taken off: {100.0 * far.sum() / measured:.3g} % of the samples ({far.sum()}) are more than {FAR_OFF:g} robust standard "
                f"deviations ({FAR_OFF * usual:.3g} {surface.unit}) from the samples around, and more than 1 % cannot be spikes")
    if usual == 0.0 and off.any():
        return "no spikes were looked for: more than half of the samples are as high as those around, so that no usual deviation is known"
    return "there were no spikes"


def despike(surface: Surface) -> Surface:
    """Treats the samples of spikes() as not measured; fill() gives them heights. The step says why if there are none."""
    found = spikes(surface)
    if not found.any():
        return surface.changed(_why_no_spikes(surface))
    return surface.changed(f"treated as not measured: {spikes_text(surface, found)}", heights=np.where(found, np.nan, surface.heights))


def flip(surface: Surface, *what: str) -> Surface:
    """Turns the surface over: "x" (first column last), "y" (first row last), "heights" (their signs)."""
    heights = surface.heights
    for each in what:
        if each not in FLIPS:
            raise InputError(f"flip: {each!r} is not a direction; accepted: {', '.join(FLIPS)}")
        heights = {"x": heights[:, ::-1], "y": heights[::-1], "heights": -heights}[each]
    return surface.changed(f"flipped: {', '.join(what)}", heights=heights) if what else surface


def rescale(surface: Surface, heights: float = 1.0, lateral: float = 1.0, unit: str = "") -> Surface:
    """Multiplies heights and distances by factors, and converts both to a unit; "": unchanged."""
    factors = []
    for name, given in (("heights", heights), ("lateral", lateral)):
        factor = real_of(given)
        if factor is None or not 0.0 < factor < math.inf:
            raise InputError(f"rescale: {name} = {given!r} is not a factor; accepted: a number > 0 (flip changes the sign of heights)")
        factors.append(factor)
    heights, lateral = factors
    words = [f"{name} times {factor:.10g}" for name, factor in (("heights", heights), ("distances", lateral)) if factor != 1.0]
    to = unit or surface.unit
    change = 1.0 if to == surface.unit else metres_of(surface.unit, "unit") / metres_of(to, "unit")
    if change != 1.0:
        words.append(f"from {surface.unit} to {to}")
    if not words:
        return surface
    sides = lateral * change
    return surface.changed("rescaled: " + ", ".join(words), heights=surface.heights * (heights * change), unit=to, dx=surface.dx * sides,
                           dy=surface.dy * sides, x0=surface.x0 * sides, y0=surface.y0 * sides)
