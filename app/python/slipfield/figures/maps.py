# SPDX-License-Identifier: Apache-2.0
"""Draws fields of a contact: maps, arrows, cuts, surfaces in three dimensions, the shape of the gap."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Sequence, Tuple

import numpy as np

from . import names
from .layout import Panel, colour_bar
from .view import Refused

ADHESION, SLIP, PLASTIC = "#a6cee3", "#fdcf9b", "#cab2d6"
STATES = {1: ("adhesion", ADHESION), 2: ("slip", SLIP), 3: ("plastic", PLASTIC)}
EVERYWHERE = ("displacement_n", "displacement_x", "displacement_y", "undeformed_distance", "gap", "temperature_upper",
              "temperature_lower", "heights", "permanent_deformation", "adhesive_stress")
ARROWS = ("traction", "slip")
MOST_ARROWS = 22  # along a side
BLUE, RED, GREEN = "#0072B2", "#D55E00", "#009E73"
PURPLE = "#CC79A7"
GREY = "#808080"


@dataclass
class Scene:
    """Data shared by all panels of a figure: the contacts drawn, the window on the grid, the unit of lengths."""
    contacts: Sequence[Any]
    window: Tuple[float, float, float, float]
    length: names.Unit
    at: Optional[Tuple[float, float]] = None

    @property
    def several(self) -> bool:
        return len(self.contacts) > 1

    def heading(self, contact: Any, title: str) -> str:
        return f"Step {contact.number}: {names.inner(title)}" if self.several else title

    @property
    def aspect(self) -> float:
        x0, x1, y0, y1 = self.window
        return (y1 - y0) / (x1 - x0)

    @property
    def to_scale(self) -> bool:
        """Sets both directions to scale, unless one would become too narrow a strip for the drawing."""
        return 1 / 12 < self.aspect < 12


def division(contact: Any) -> Any:
    """Returns the state of each element; if it was not kept, guessed from the pressure, or None."""
    if "element_division" in contact.fields:
        return contact.field("element_division")
    if "pressure" in contact.fields:
        return (contact.field("pressure") > 0.0) * 1.0
    return None


def scene_of(contacts: Sequence[Any], whole: bool = False, at: Optional[Tuple[float, float]] = None) -> Scene:
    """Returns the scene with the surroundings of all contacts, or the whole grid."""
    boxes = []
    grid = contacts[0].grid
    for contact in contacts:
        inside = None if whole else division(contact)
        if inside is None or not (inside > 0).any():
            continue
        own = contact.grid
        xs, ys = own.x[(inside > 0).any(axis=0)], own.y[(inside > 0).any(axis=1)]
        margin_x, margin_y = 0.07 * (xs[-1] - xs[0]) + own.dx, 0.07 * (ys[-1] - ys[0]) + own.dy
        boxes.append((max(xs[0] - margin_x, own.edges_x[0]), min(xs[-1] + margin_x, own.edges_x[-1]),
                      max(ys[0] - margin_y, own.edges_y[0]), min(ys[-1] + margin_y, own.edges_y[-1])))
    if not boxes:
        boxes = [(grid.edges_x[0], grid.edges_x[-1], grid.edges_y[0], grid.edges_y[-1])]
    box = np.array(boxes)
    window = (box[:, 0].min(), box[:, 1].max(), box[:, 2].min(), box[:, 3].max())
    shown = [side for side, count in ((window[0:2], len(grid.x)), (window[2:4], len(grid.y))) if count > 1]
    most = max((max(abs(low), abs(high)) for low, high in shown), default=abs(window[1]))
    return Scene(contacts, window, names.scaled(contacts[0].unit("undeformed_distance"), most), at)


def is_row(contact: Any) -> bool:
    """Whether the grid is one row or column of elements, which is drawn as curves."""
    grid = contact.grid
    return len(grid.x) == 1 or len(grid.y) == 1


def values_of(contact: Any, name: str) -> Any:
    """Returns the field with NaN out of contact if it is meaningful only in contact."""
    values = contact.field(name)
    state = division(contact)
    if name not in EVERYWHERE and name != "element_division" and state is not None:
        values = np.where(state > 0, values, np.nan)
    return np.where(np.isfinite(values), values, np.nan)


@dataclass
class Limits:
    """Limits of a colour scale. `beyond`: number of elements outside it because they are far above all others."""
    low: float
    high: float
    beyond: int = 0
    greatest: float = 0.0

    @property
    def extend(self) -> str:
        return "neither" if not self.beyond else "both" if self.low < 0.0 < self.high else "max"


def limits_of(arrays: Sequence[Any], kind: str) -> Limits:
    """Returns the whole range, from 0 unless no element is near it; narrower only if a few elements exceed all others by far, as at
    the ends of a roller."""
    numbers = np.concatenate([np.ravel(a)[np.isfinite(np.ravel(a))] for a in arrays] or [np.zeros(0)])
    if not numbers.size:
        return Limits(0.0, 1.0)
    if kind == "range":
        low, high = float(numbers.min()), float(numbers.max())
        return Limits(low, high if high > low else low + (abs(low) or 1.0) * 1e-3)
    sizes = np.abs(numbers)
    most = float(sizes.max())
    beyond = 0
    greatest = most
    for share in (0.98, 0.99, 0.995, 0.998, 0.999, 0.9995, 0.9998):  # few summits may stand out of many
        usual = float(np.quantile(sizes, share)) if sizes.size > 200 else most
        top = 1.15 * usual
        count = int((sizes > top).sum())
        if usual > 0.0 and most > 1.8 * usual and 0 < count <= 0.05 * sizes.size and not _smooth(arrays, top):
            beyond, most = count, top
            break
    if most == 0.0:
        most = 1.0
    least = float(numbers.min())
    if kind != "signed" and all(np.isfinite(a).all() for a in arrays) and 0.5 * most < least < (1.0 - 1e-9) * most:
        return Limits(least, most, beyond, greatest)  # of a full contact: from 0 it would have one colour
    return Limits(-most if kind == "signed" or numbers.min() < -1e-9 * most else 0.0, most, beyond, greatest)


def _smooth(arrays: Sequence[Any], top: float) -> bool:
    """Whether the elements above `top` rise gradually: along x and along y a neighbour has most of their height."""
    for array in arrays:
        sizes = np.abs(np.nan_to_num(array))
        padded = np.pad(sizes, 1)
        around = np.minimum(np.maximum(padded[1:-1, :-2], padded[1:-1, 2:]),
                            np.maximum(padded[:-2, 1:-1], padded[2:, 1:-1]))
        high = sizes > top
        if high.any() and (around[high] > 0.75 * sizes[high]).mean() < 0.5:
            return False
    return True


def outline(axes: Any, contact: Any, factor: float) -> None:
    """Draws the border of the contact along the edges of its elements."""
    from matplotlib.collections import LineCollection
    state = division(contact)
    if state is None or not (state > 0).any():
        return
    inside = np.pad(state > 0, 1)
    xs, ys = contact.grid.edges_x * factor, contact.grid.edges_y * factor
    rows, columns = np.nonzero(inside[1:-1, 1:] != inside[1:-1, :-1])
    lines = [[(xs[j], ys[i]), (xs[j], ys[i + 1])] for i, j in zip(rows, columns)]
    rows, columns = np.nonzero(inside[1:, 1:-1] != inside[:-1, 1:-1])
    lines += [[(xs[j], ys[i]), (xs[j + 1], ys[i])] for i, j in zip(rows, columns)]
    many = len(lines) > 6000  # of a rough surface: the lines would hide it
    if not many:
        axes.add_collection(LineCollection(lines, colors="black", linewidths=axes.spines["left"].get_linewidth(), capstyle="projecting"))


def image(axes: Any, contact: Any, values: Any, factor: float, **options: Any) -> Any:
    """Draws the elements as coloured cells, to scale."""
    grid = contact.grid
    if grid.edges_x.size * grid.edges_y.size < 200_000:
        options.pop("interpolation", None)
        return axes.pcolormesh(grid.edges_x * factor, grid.edges_y * factor, np.ma.masked_invalid(values), rasterized=True, **options)
    extent = tuple(edge * factor for edge in (grid.edges_x[0], grid.edges_x[-1], grid.edges_y[0], grid.edges_y[-1]))
    shown = axes.imshow(np.ma.masked_invalid(values), origin="lower", extent=extent, **options)
    return shown


def frame(axes: Any, scene: Scene) -> None:
    """Sets window and labels; both directions to scale."""
    f = scene.length.factor
    x0, x1, y0, y1 = scene.window
    axes.set(xlim=(x0 * f, x1 * f), ylim=(y0 * f, y1 * f), xlabel=f"$x$ ({scene.length.text})",
             ylabel=f"$y$ ({scene.length.text})")
    if scene.to_scale:
        to_scale(axes)
    few_ticks(axes)


def to_scale(axes: Any) -> None:
    """Widens the limits in one direction, so that both directions have the same scale and the axes keep their size."""
    box = axes.get_position(original=True)
    width, height = (size * part for size, part in zip(axes.figure.get_size_inches(), (box.width, box.height)))
    (x0, x1), (y0, y1) = axes.get_xlim(), axes.get_ylim()
    scale = max(abs(x1 - x0) / width, abs(y1 - y0) / height)  # of the coordinates, an inch
    for low, high, size, place in ((x0, x1, width, axes.set_xlim), (y0, y1, height, axes.set_ylim)):
        half = 0.5 * scale * size * (1.0 if high > low else -1.0)  # z points down in figures of wheels
        place(0.5 * (low + high) - half, 0.5 * (low + high) + half)
    axes.set_aspect("equal", adjustable="box")


def few_ticks(axes: Any) -> None:
    """Sets as many ticks as fit."""
    from matplotlib import rcParams
    from matplotlib.font_manager import FontProperties
    from matplotlib.ticker import MaxNLocator
    box = axes.get_position()
    width, height = axes.figure.get_size_inches()
    em = FontProperties(size=rcParams["xtick.labelsize"]).get_size_in_points() / 72.0  # "medium", in axes of the caller
    for axis, length, room in ((axes.xaxis, box.width * width, 4.2), (axes.yaxis, box.height * height, 2.2)):
        if axis.get_scale() == "linear":
            axis.set_major_locator(MaxNLocator(max(2, min(7, int(length / (room * em)))), steps=[1, 2, 2.5, 5, 10]))


def kind_of(name: str) -> str:
    if name in ("displacement_n", "undeformed_distance", "gap", "temperature_upper", "temperature_lower"):
        return "range"
    return names.find(name).kind


def note_of(limits: Limits, name: str, unit: str) -> List[str]:
    if not limits.beyond:
        return []
    return [f"The colours of the {names.find(name).words} end at {names.quantity(limits.high, unit, name)}; "
            f"{limits.beyond} {'element is' if limits.beyond == 1 else 'elements are'} beyond, up to "
            f"{names.quantity(limits.greatest, unit, name)}."]


def draw_lines(axes: Any, lines: Sequence[Tuple[Any, Any, Dict[str, Any]]], zero: bool = True, **labels: Any) -> None:
    """Draws lines (x, y, options of plot()) above a line at 0. labels: for axes.set(), including limits."""
    if zero:
        axes.axhline(0.0, color=GREY, linewidth=axes.spines["left"].get_linewidth())
    for x, y, options in lines:
        axes.plot(x, y, **options)
    axes.set(**labels)
    few_ticks(axes)


def nothing(axes: Any, text: str) -> None:
    """Writes a sentence in place of an empty drawing."""
    axes.text(0.5, 0.5, text, ha="center", va="center", transform=axes.transAxes, color="#404040")


def map_panels(scene: Scene, name: str, notes: List[str]) -> List[Panel]:
    """Draws a field of each contact with a common colour scale."""
    if is_row(scene.contacts[0]):
        return row_panels(scene, name)
    if name == "element_division":
        return [Panel(lambda axes, c=c: _draw_division(axes, c, scene),
                      scene.heading(c, names.label(name) if is_frictional(c) else "Contact"), scene.aspect) for c in scene.contacts]
    arrays = [values_of(contact, name) for contact in scene.contacts]
    window = [_within(scene, c, a) for c, a in zip(scene.contacts, arrays)]
    limits = limits_of(window, kind_of(name))
    unit = scene.contacts[0].unit(name)
    shown = names.scaled(unit, max(abs(limits.low), abs(limits.high)) if names.greatest(window[0]) or limits.high != 1.0
                         else 0.0, name)
    notes += note_of(limits, name, unit)
    title = names.label(name, shown)
    return [Panel(lambda axes, c=c, a=a: draw_map(axes, c, a, scene, name, limits, shown), scene.heading(c, title),
                  scene.aspect, bar=True) for c, a in zip(scene.contacts, arrays)]


def _within(scene: Scene, contact: Any, values: Any) -> Any:
    x0, x1, y0, y1 = scene.window
    grid = contact.grid
    columns, rows = (grid.x >= x0) & (grid.x <= x1), (grid.y >= y0) & (grid.y <= y1)
    return values[np.ix_(rows, columns)]


def draw_map(axes: Any, contact: Any, values: Any, scene: Scene, name: str, limits: Limits, shown: names.Unit) -> Any:
    finite = values[np.isfinite(values)]
    drawn = None
    if not finite.size or not finite.any():
        nothing(axes, "0 everywhere" if finite.size else "no contact")
    else:
        colours = {"signed": "RdBu_r"}.get(kind_of(name), "viridis")
        drawn = image(axes, contact, values * shown.factor, scene.length.factor, cmap=colours,
                      vmin=limits.low * shown.factor, vmax=limits.high * shown.factor)
        colour_bar(axes, drawn, extend=limits.extend)
    outline(axes, contact, scene.length.factor)
    frame(axes, scene)
    return drawn


def _draw_division(axes: Any, contact: Any, scene: Scene) -> None:
    from matplotlib.colors import ListedColormap
    state = division(contact)
    if state is not None and not is_frictional(contact):
        state = (state > 0) * 1.0
    if state is not None and (state > 0).any():
        image(axes, contact, np.where(state > 0, state, np.nan), scene.length.factor, vmin=0.5, vmax=3.5,
              cmap=ListedColormap([ADHESION, SLIP, PLASTIC]), interpolation="nearest")
    else:
        nothing(axes, "no contact")
    outline(axes, contact, scene.length.factor)
    frame(axes, scene)


def arrow_panels(scene: Scene, name: str, notes: List[str]) -> List[Panel]:
    """Draws tractions or slips as arrows over the areas of adhesion and slip."""
    parts = [(values_of(c, name + "_x"), values_of(c, name + "_y")) for c in scene.contacts]
    if is_row(scene.contacts[0]):
        return row_panels(scene, name)
    most = max(names.greatest(np.hypot(*pair)) for pair in parts)
    shown = names.scaled(scene.contacts[0].unit(name), most, name)
    step = _every(scene)
    if step > (1, 1) and most > 0.0:
        notes.append("Arrows: one element in " + (f"{step[0]}" if step[0] == step[1] else f"{step[0]} along x and {step[1]} along y")
                     + (" along x and y." if step[0] == step[1] else "."))
    title = names.label(name, shown)
    return [Panel(lambda axes, c=c, p=p: _draw_arrows(axes, c, p, scene, most, shown, step), scene.heading(c, title),
                  scene.aspect) for c, p in zip(scene.contacts, parts)]


def _every(scene: Scene) -> Tuple[int, int]:
    """Returns the strides along x and y between elements with arrows, so that arrows are about equally dense in both
    directions."""
    x0, x1, y0, y1 = scene.window
    grid = scene.contacts[0].grid
    lengths = (x1 - x0) / MOST_ARROWS, (y1 - y0) / MOST_ARROWS
    if scene.to_scale:
        lengths = max(lengths), max(lengths)
    return max(1, round(lengths[0] / grid.dx)), max(1, round(lengths[1] / grid.dy))


def _draw_arrows(axes: Any, contact: Any, parts: Any, scene: Scene, most: float, shown: names.Unit,
                 step: Tuple[int, int]) -> None:
    _draw_division(axes, contact, scene)
    grid, f = contact.grid, scene.length.factor
    x0, x1, y0, y1 = scene.window
    centre_x, centre_y = len(grid.x) // 2 % step[0], len(grid.y) // 2 % step[1]
    columns = np.arange(centre_x, len(grid.x), step[0])
    rows = np.arange(centre_y, len(grid.y), step[1])
    u, v = (part[np.ix_(rows, columns)] for part in parts)
    x, y = np.meshgrid(grid.x[columns], grid.y[rows])
    drawn = (np.hypot(u, v) > 0.02 * most) & np.isfinite(u) & (x >= x0) & (x <= x1) & (y >= y0) & (y <= y1)
    if most == 0.0 or not drawn.any():
        return
    if scene.to_scale:
        longest, angles, units = 1.05 * max(step[0] * grid.dx, step[1] * grid.dy) * f, "xy", "xy"
    else:  # on the paper, in widths of the axes: a length along x is another one along y
        longest, angles, units = 1.05 * min(step[0] * grid.dx / (x1 - x0), 1.0 / 3.0), "uv", "width"
    arrows = axes.quiver(x[drawn] * f, y[drawn] * f, u[drawn], v[drawn], angles=angles, scale_units=units, pivot="mid",
                         scale=most / longest, width=0.0032, headwidth=3.6, headlength=4.2, headaxislength=3.8, minlength=0.0, minshaft=1.6)
    size = nice(most)
    below = 2.55 * axes.xaxis.label.get_size() / 72.0 / (axes.get_position(original=True).height * axes.figure.get_size_inches()[1])
    axes.quiverkey(arrows, 0.95, -below, size, f"{names.number(size * shown.factor, 2)} {shown.text}", labelpos="W",
                   coordinates="axes", fontproperties={"size": axes.xaxis.label.get_size() * 0.9})


def nice(value: float) -> float:
    """Rounds down to 1, 2 or 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(value))
    return max(digit * power for digit in (1.0, 2.0, 5.0) if digit * power <= value * (1 + 1e-9))


# --- Cuts
def place_of(contact: Any, scene: Scene) -> Tuple[int, int]:
    """Returns row and column of the elements of a cut: through `at`, or the pressure's centroid; if nothing touches in that row
    or column, through the greatest pressure."""
    return _cut_place(contact, scene)[0]


def cut_notes(scene: Scene) -> List[str]:
    """Says what is cut where it is not the pressure's centroid."""
    whys = {c.number: _cut_place(c, scene)[1] for c in scene.contacts if not is_row(c)}
    return [(f"Step {number}: the" if scene.several else "The") + f" cuts go through {why}." for number, why in whys.items() if why]


def _cut_place(contact: Any, scene: Scene) -> Tuple[Tuple[int, int], str]:
    """Also returns what is cut and why, if that is neither `at` nor the pressure's centroid."""
    grid = contact.grid
    weight: Any = None
    if scene.at is not None:
        x, y = scene.at
        if not (grid.edges_x[0] <= x <= grid.edges_x[-1] and grid.edges_y[0] <= y <= grid.edges_y[-1]):
            ends = [f"{edges[0]:.6g} to {edges[-1]:.6g}" for edges in (grid.edges_x, grid.edges_y)]
            raise Refused(f"--at {x:g},{y:g}: the place is not on the grid; accepted: x from {ends[0]}, y from {ends[1]}")
    else:
        weight = contact.field("pressure") if "pressure" in contact.fields else np.zeros((len(grid.y), len(grid.x)))
        if not weight.sum() > 0.0:
            why = "the middle of the grid, because adhesion pulls more than the contact presses" if weight.any() else ""
            return (len(grid.y) // 2, len(grid.x) // 2), why
        x = float((weight.sum(axis=0) * grid.x).sum() / weight.sum())
        y = float((weight.sum(axis=1) * grid.y).sum() / weight.sum())
    # Just off the edge between two elements, so that rounding does not choose.
    row, column = (int(np.argmin(np.abs(centres - value - 1e-6 * step)))
                   for centres, value, step in ((grid.y, y, grid.dy), (grid.x, x, grid.dx)))
    if weight is not None and not (weight[row, :].any() and weight[:, column].any()):
        centre = f"x = {place_text(x, scene.length, grid.dx)}, y = {place_text(y, scene.length, grid.dy)}"
        row, column = map(int, np.unravel_index(int(np.argmax(weight)), weight.shape))
        return (row, column), f"the greatest pressure, because nothing touches in the row or in the column of the pressure's centroid, {centre}"
    return (row, column), ""


@dataclass
class Line:
    """A curve of a cut."""
    label: str
    values: Any
    style: Dict[str, Any]


def cut_lines(contact: Any, name: str) -> List[Line]:
    """Returns the curves of a cut on the whole grid: components and bound of tractions, or the field itself."""
    if name in ARROWS:
        lines = [Line(f"${names.FIELDS[name + '_' + a].symbol}$", contact.field(f"{name}_{a}"), style)
                 for a, style in (("x", {"color": BLUE}), ("y", {"color": RED, "linestyle": (0, (5, 2))}))]
        if name == "traction" and "traction_bound" in contact.fields:
            bound = contact.field("traction_bound")
            dotted = {"color": "black", "linestyle": (0, (1.5, 1.5)), "linewidth": 0.9}
            lines += [Line("± traction bound", bound, dotted), Line("± traction bound", -bound, dotted)]
        return lines
    if name == "shape":
        return [Line("undeformed", contact.field("undeformed_distance"), {"color": GREY, "linestyle": (0, (5, 2))}),
                Line("deformed", contact.field("gap"), {"color": BLUE})]
    return [Line(f"${names.find(name).symbol}$" if names.find(name).symbol else names.find(name).words,
                 contact.field(name), {"color": BLUE})]


def place_text(at: float, length: names.Unit, step: float) -> str:
    """Writes a place in the unit of the axes; step: the size of the elements, of which a row through 0 is not exactly there."""
    return f"{names.number(0.0 if abs(at) < 1e-3 * step else at * length.factor)} {length.text}"


def cut_panels(scene: Scene, name: str) -> List[Panel]:
    """Draws cuts along x and along y through one place, on the same scale."""
    first = scene.contacts[0]
    if scene.at is not None and is_row(first):
        raise Refused(f"{first.view.name}: the grid has one row of elements, which is drawn as it is; accepted: no --at")
    unit = first.unit({"shape": "gap"}.get(name, name))
    cuts = []
    for along in "xy":
        if len(getattr(first.grid, along)) > 1:
            cuts.append((along, [_cut(contact, scene, name, along) for contact in scene.contacts]))
    most = max(names.greatest(values) for _, row in cuts for cut in row for _, values, _ in cut["lines"]) if cuts else 0.0
    shown = names.scaled(unit, most)
    panels = []
    for along, row in cuts:
        for contact, cut in zip(scene.contacts, row):
            panels.append(Panel(lambda axes, cut=cut, along=along: draw_cut(axes, cut, scene, along, shown, name),
                                scene.heading(contact, cut["title"])))
    return panels


def _cut(contact: Any, scene: Scene, name: str, along: str) -> Dict[str, Any]:
    row, column = place_of(contact, scene)
    grid = contact.grid
    pick = (lambda a: a[row, :]) if along == "x" else (lambda a: a[:, column])
    state = division(contact)
    at = grid.y[row] if along == "x" else grid.x[column]
    other = "y" if along == "x" else "x"
    one = is_row(contact)
    place = "" if one else f" at ${other}$ = {place_text(at, scene.length, {'x': grid.dx, 'y': grid.dy}[other])}"
    words = "distance" if name == "shape" else names.find(name).words
    return {"title": f"{names.capital(words)} along ${along}${place}", "grid": grid,
            "state": None if state is None else pick(state),
            "lines": [(line.label, np.where(np.isfinite(pick(line.values)), pick(line.values), np.nan), line.style)
                      for line in cut_lines(contact, name)]}


def shade(axes: Any, centres: Any, step: float, state: Any, factor: float) -> None:
    """Marks adhesion and slip as bands behind the curves."""
    if state is None:
        return
    for code, (_, colour) in STATES.items():
        inside = np.concatenate([[False], state == code, [False]])
        begins, ends = np.flatnonzero(inside[1:] & ~inside[:-1]), np.flatnonzero(~inside[1:] & inside[:-1])
        for begin, end in zip(begins, ends):
            axes.axvspan((centres[begin] - step / 2) * factor, (centres[end - 1] + step / 2) * factor, color=colour,
                         linewidth=0, zorder=0)


def draw_cut(axes: Any, cut: Dict[str, Any], scene: Scene, along: str, shown: names.Unit, name: str) -> None:
    grid, f = cut["grid"], scene.length.factor
    centres, step = (grid.x, grid.dx) if along == "x" else (grid.y, grid.dy)
    low, high = scene.window[0:2] if along == "x" else scene.window[2:4]
    if name == "traction":
        shade(axes, centres, step, cut["state"], f)
    inside = (centres >= low) & (centres <= high)
    spans = [names.span(values[inside] * shown.factor) for _, values, _ in cut["lines"]]
    least, most = min(s[0] for s in spans), max(s[1] for s in spans)
    room = 0.07 * (most - least) or 1.0
    words = {"traction": "Traction", "slip": "Slip", "shape": "Distance"}.get(name)
    draw_lines(axes, [(centres * f, values * shown.factor, {"label": text, **style}) for text, values, style in cut["lines"]],
               xlim=(low * f, high * f), ylim=(least - room, most + room), xlabel=f"${along}$ ({scene.length.text})",
               ylabel=f"{words} ({shown.text})" if words else names.label(name, shown))


def row_panels(scene: Scene, name: str) -> List[Panel]:
    """Draws the field of a grid of one row as curves."""
    if name == "element_division":
        raise Refused(f"{scene.contacts[0].view.name}: adhesion and slip of a row of elements are the colours behind its "
                      "curves; accepted: --fields traction")
    return cut_panels(scene, name)


# --- In three dimensions
def surface_panels(scene: Scene, name: str, notes: List[str]) -> List[Panel]:
    """Draws a field as a surface."""
    first = scene.contacts[0]
    if is_row(first):
        raise Refused(f"{first.view.name}: the grid has one row of elements, which is no surface; accepted: no --surface")
    if name in ARROWS or name == "element_division":
        raise Refused(f'there is no surface of "{name}"; accepted: a field of numbers')
    arrays = [np.where(np.isfinite(c.field(name)), c.field(name), np.nan) for c in scene.contacts]
    shown = names.scaled(first.unit(name), max(names.greatest(_within(scene, c, a)) for c, a in zip(scene.contacts, arrays)), name)
    return [Panel(lambda axes, c=c, a=a: _draw_surface(axes, c, a, scene, name, shown),
                  scene.heading(c, names.label(name, shown)), 0.8, projection="3d") for c, a in zip(scene.contacts, arrays)]


def _draw_surface(axes: Any, contact: Any, values: Any, scene: Scene, name: str, shown: names.Unit) -> None:
    grid, f = contact.grid, scene.length.factor
    x0, x1, y0, y1 = scene.window
    columns, rows = np.flatnonzero((grid.x >= x0) & (grid.x <= x1)), np.flatnonzero((grid.y >= y0) & (grid.y <= y1))
    x, y = np.meshgrid(grid.x[columns] * f, grid.y[rows] * f)
    z = values[np.ix_(rows, columns)] * shown.factor
    axes.plot_surface(x, y, np.nan_to_num(z), cmap="RdBu_r" if kind_of(name) == "signed" else "viridis", linewidth=0,
                      rcount=150, ccount=150, antialiased=False, rasterized=True)
    axes.set(xlabel=f"$x$ ({scene.length.text})", ylabel=f"$y$ ({scene.length.text})")
    axes.set_box_aspect((1.0, min(max(scene.aspect, 0.4), 1.6), 0.6), zoom=0.92)
    from matplotlib.ticker import MaxNLocator
    for axis in (axes.xaxis, axes.yaxis, axes.zaxis):
        axis.set_major_locator(MaxNLocator(4))
    axes.view_init(elev=28, azim=-55)


# --- Legends and summaries
def legend_of(scene: Scene, drawn: Sequence[str]) -> List[Any]:
    """Returns one entry for each colour and line in panels of these names."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch
    handles: List[Any] = []
    if set(drawn) & {"traction", "slip", "element_division", "cut traction"}:
        there = set()
        for contact in scene.contacts:
            state = division(contact)
            there |= set() if state is None else {int(code) for code in np.unique(state) if code > 0}
        if any(is_frictional(contact) for contact in scene.contacts):
            handles += [Patch(facecolor=colour, label=text) for code, (text, colour) in STATES.items() if code in there]
        elif there:
            handles.append(Patch(facecolor=ADHESION, label="contact"))
    lines: Dict[str, Dict[str, Any]] = {}
    for name in drawn:
        cut = name[4:] if name.startswith("cut ") else name if is_row(scene.contacts[0]) and name in ARROWS else ""
        if cut in ARROWS or cut == "shape":
            for line in cut_lines(scene.contacts[0], cut):
                lines.setdefault(line.label, line.style)
    handles += [Line2D([], [], label=text, **style) for text, style in lines.items()]
    return handles


def has_friction(contact: Any) -> bool:
    return is_frictional(contact) and {"traction_x", "traction_y"} <= set(contact.fields)


def is_frictional(contact: Any) -> bool:
    """Whether there is friction; without it every element in contact counts as slip, which is meaningless."""
    return contact.problem != "none" and ("friction_coefficient" not in contact.totals or names.is_frictional(contact.totals))


def direction_text(contact: Any) -> str:
    if not contact.problem.endswith("rolling"):
        return ""
    turns = {0: "→", 90: "↑", 180: "←", -180: "←", -90: "↓", 270: "↓"}
    degrees = round(math.degrees(contact.direction), 6)
    return f"rolling {turns[degrees]}" if degrees in turns else f"rolling at {names.number(degrees)}° to $x$"


_ROUNDING = 1e-10  # of the forces and lengths next to which a sum that should be 0 is rounding


def summary_of(contact: Any) -> List[str]:
    """Names step and contact if there are several; lists loads, friction, motion."""
    t, units = contact.totals, contact.units
    unit = lambda name: names.unit_of(name, units)
    parts = [names.capital(contact.label)] if contact.label else []
    load = abs(t.get("normal_force", 0.0))
    grid = contact.grid
    if "normal_force" in t:
        pressed = np.abs(contact.field("pressure")).sum() * grid.dx * grid.dy if "pressure" in contact.fields else 0.0
        parts.append(f"$F_n$ = {names.quantity(t['normal_force'], unit('normal_force'), noise=_ROUNDING * pressed)}")
    if contact.problem != "none" and "force_x" in t:
        parts.append(f"$(F_x, F_y)$ = {names.quantities([t['force_x'], t['force_y']], unit('force_x'), noise=1e-6 * load)}")
    if "approach" in t:
        parts.append(rf"$\delta$ = {names.quantity(t['approach'], unit('approach'), noise=_ROUNDING * min(grid.dx, grid.dy))}")
    if contact.problem == "none":
        return parts
    if t.get("friction_coefficient"):
        parts.append(rf"$\mu$ = {names.number(t['friction_coefficient'])}")
    if t.get("shear_strength"):
        parts.append(rf"$\tau_0$ = {names.quantity(t['shear_strength'], unit('shear_strength'))}")
    if "creepage_x" in t:
        parts.append(rf"$(\xi, \eta)$ = {names.quantities([t['creepage_x'], t['creepage_y']], '-', 'creepage_x', 1e-12)}")
        if abs(t.get("spin", 0.0)) > 0.0:
            parts.append(rf"$\varphi$ = {names.quantity(t['spin'], unit('spin'))}")
        parts.append(direction_text(contact))
    elif "shift_x" in t:
        parts.append(f"$(w_x, w_y)$ = {names.quantities([t['shift_x'], t['shift_y']], unit('shift_x'), 'shift_x', 1e-15)}")
        if abs(t.get("rotation", 0.0)) > 0.0:
            parts.append(rf"$w_\varphi$ = {names.quantity(t['rotation'], 'rad')}")
    return [part for part in parts if part]


def notes_of(contacts: Sequence[Any]) -> List[str]:
    """Returns what a reader must know about the steps drawn."""
    notes = []
    for contact in contacts:
        place = names.capital(contact.label or f"step {contact.number}")
        if contact.outcome not in ("converged", ""):
            notes.append(f"{place} did not converge.")
        state = division(contact) if "element_division" in contact.fields else None
        if state is not None and not (state > 0).any():
            notes.append(f"{place} has no contact.")
        elif contact.touches_edge:
            notes.append(f"{place}: contact reaches the edge of the grid: the grid may be too small, unless the body ends there.")
    return notes
