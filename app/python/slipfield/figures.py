# SPDX-License-Identifier: Apache-2.0
"""Figures of results, with matplotlib; loaded when the first one is asked for."""

from __future__ import annotations

import base64
import html as text
import io
import itertools
from typing import TYPE_CHECKING, Any, List, Optional, Tuple

import numpy as np

from . import _slipfield
from .errors import InputError, needs

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from .result import Result
    from .sweep import Table

_SHOWN = ["normal_force", "force_x", "force_y", "moment_z", "approach", "max_pressure",
          "elements_contact", "elements_adhesion", "elements_slip", "residual"]
_SIGNED = ("traction_x", "traction_y", "displacement_x", "displacement_y", "slip_x", "slip_y",
           "relative_slip_velocity_x", "relative_slip_velocity_y")
_EVERYWHERE = ("displacement_n", "undeformed_distance", "gap")  # of interest out of contact too
_MOST_ARROWS = 24  # along a side
_STATES = {"adhesion": "#c7dcef", "slip": "#f3c9a5", "plastic": "#cdb9e0"}  # 1, 2, 3
_PANEL = (5.0, 4.2)  # [inches]


def _matplotlib() -> Any:
    try:
        from matplotlib.figure import Figure as made
    except ImportError as error:
        raise needs("matplotlib", "a figure") from error
    return made


def _figure(count: int) -> Any:
    """In a notebook or a script pyplot shows it; without pyplot's window it can still be saved."""
    _matplotlib()
    from matplotlib import pyplot
    return pyplot.subplots(1, count, figsize=(_PANEL[0] * count, _PANEL[1]), layout="constrained",
                           squeeze=False)


def _bounds(result: Result) -> List[Tuple[float, float]]:
    """The contact and a margin, or the grid where nothing touches: [(x0, x1), (y0, y1)]."""
    inside = result.element_division > 0
    if not inside.any():
        inside = np.ones_like(inside)
    sides = []
    for axis, centres, step in zip((0, 1), (result.x, result.y), result.spacing):
        found = centres[inside.any(axis=axis)]
        margin = 0.1 * (found[-1] - found[0]) + step
        sides.append((max(found[0] - margin, centres[0] - step / 2),
                      min(found[-1] + margin, centres[-1] + step / 2)))
    return sides


def _label(name: str, unit: str) -> str:
    return name.replace("_", " ") + (f" [{unit}]" if unit not in ("", "-") else "")


def _map(result: Result, values: Any, ax: Axes, **options: Any) -> Any:
    """The values as coloured elements; white where they are not finite."""
    edges = [np.append(centres - step / 2, centres[-1] + step / 2)
             for centres, step in zip((result.x, result.y), result.spacing)]
    return ax.pcolormesh(*edges, np.ma.masked_invalid(values), rasterized=True, **options)


def _frame(result: Result, ax: Axes, title: str) -> None:
    length = result.unit("undeformed_distance")
    bounds = _bounds(result)
    ax.set(xlim=bounds[0], ylim=bounds[1], xlabel=f"x [{length}]", ylabel=f"y [{length}]",
           title=title)
    # A line contact has no scale across it.
    (x0, x1), (y0, y1) = bounds
    ax.set_aspect("equal" if 0.05 < (y1 - y0) / (x1 - x0) < 20.0 else "auto")


def draw_field(result: Result, name: str, ax: Axes) -> None:
    """A field as a map; white where there is no contact, for fields that are of the contact."""
    values = np.array(result.field(name), dtype=float)
    if name == "element_division":
        _draw_division(result, ax)
        _frame(result, ax, "adhesion and slip")
        return
    if name not in _EVERYWHERE:
        values[result.element_division == 0] = np.nan
    finite = values[np.isfinite(values)]
    most = float(np.max(np.abs(finite), initial=0.0)) or 1.0
    limits = {"vmin": -most, "vmax": most} if name in _SIGNED else (
        {} if name in _EVERYWHERE else {"vmin": 0.0, "vmax": most})
    image = _map(result, values, ax, cmap="RdBu_r" if name in _SIGNED else "viridis", **limits)
    ax.figure.colorbar(image, ax=ax, label=_label(name, result.unit(name)), shrink=0.85)
    _frame(result, ax, "")


def _draw_division(result: Result, ax: Axes) -> None:
    from matplotlib.colors import ListedColormap
    from matplotlib.patches import Patch
    division = result.element_division
    _map(result, np.where(division > 0, division, np.nan), ax, vmin=0.5, vmax=3.5,
         cmap=ListedColormap(list(_STATES.values())))
    there = [Patch(color=colour, label=label) for state, (label, colour)
             in enumerate(_STATES.items(), 1) if (division == state).any()]
    if there:
        ax.legend(handles=there, loc="upper right", fontsize="small")


def draw_traction(result: Result, ax: Axes) -> None:
    """Slip and adhesion with the tractions as arrows."""
    _draw_division(result, ax)
    chosen = []
    for axis, centres, (least, most) in zip((0, 1), (result.x, result.y), _bounds(result)):
        inside = np.flatnonzero((centres >= least) & (centres <= most))
        chosen.append(inside[::max(1, -(-len(inside) // _MOST_ARROWS))])
    columns, rows = np.meshgrid(*chosen)
    tractions = [result.traction_x[rows, columns], result.traction_y[rows, columns]]
    # A traction of zero would be drawn as a dot.
    drawn = (result.element_division[rows, columns] > 0) & (np.hypot(*tractions) > 0.0)
    if drawn.any():
        ax.quiver(result.x[columns][drawn], result.y[rows][drawn], tractions[0][drawn],
                  tractions[1][drawn], angles="xy", width=0.003, minlength=0.0)
    _frame(result, ax, "traction on the upper body")


def draw_curves(table: Table, total: str, ax: Optional[Axes]) -> Figure:
    """As Table.plot."""
    values = table[total]
    if total in table.keys:
        raise InputError(f"{total!r} is a key of the sweep; accepted: {', '.join(table.totals)}")
    figure, axes = (ax.figure, [[ax]]) if ax is not None else _figure(1)
    place = axes[0][0]
    names = list(table.keys)
    first = table.keys[names[0]]
    for rest in itertools.product(*(range(len(table.keys[name])) for name in names[1:])):
        shown = [(name, table.keys[name][i]) for name, i in zip(names[1:], rest)]
        label = ", ".join(f"{name} = {value:.6g}" if isinstance(value, float) else
                          f"{name} = {value}" for name, value in shown)
        place.plot(first, values[(slice(None),) + rest], label=label or None,
                   marker="." if len(first) < 30 else None)
    place.set(xlabel=names[0], ylabel=_label(total, _slipfield.unit(total, table.units)))
    if len(names) > 1:
        place.legend(fontsize="small")
    place.grid(alpha=0.3)
    return figure


def _panels(result: Result, what: str) -> List[str]:
    if not result.field_names():
        raise InputError("the step was kept without fields; accepted: fields=True")
    tractions = result.traction_x.any() or result.traction_y.any()
    overview = ["pressure", "traction"] if tractions else ["pressure"]
    choices = {"overview": overview, "traction": ["traction"]}
    known = [*choices, *result.field_names()]
    if what not in known:
        raise InputError(f"there is nothing to plot named {what!r}; accepted: {', '.join(known)}")
    return choices.get(what, [what])


def _draw(result: Result, panels: List[str], places: Any) -> None:
    for panel, place in zip(panels, places):
        if panel == "traction":
            draw_traction(result, place)
        else:
            draw_field(result, panel, place)


def _title(result: Result, figure: Figure) -> None:
    if result.title:
        figure.suptitle(result.title).set_parse_math(False)  # "$" is a character


def plot(result: Result, what: str, ax: Optional[Axes] = None) -> Figure:
    """As Result.plot."""
    panels = _panels(result, what)
    if ax is not None and len(panels) > 1:
        raise InputError(f"{what!r} has {len(panels)} panels; accepted with ax: one field, or "
                         "'traction'")
    if ax is not None:
        _draw(result, panels, [ax])
        return ax.figure  # type: ignore[return-value]
    figure, axes = _figure(len(panels))
    _draw(result, panels, axes[0])
    _title(result, figure)
    return figure


def plot_difference(result: Result, other: Result, name: str, ax: Optional[Axes]) -> Figure:
    """A field less that of another result; white where neither touches, the middle colour for 0."""
    if name not in result.field_names() or name == "element_division":
        fields = [known for known in result.field_names() if known != "element_division"]
        raise InputError(f"there is no difference of {name!r}; accepted: "
                         f"{', '.join(fields) or 'results with fields'}")
    if not (np.array_equal(result.x, other.x) and np.array_equal(result.y, other.y)):
        raise InputError("the results are on different grids, between which there is no "
                         "difference; accepted: a result on the same grid")
    if result.units != other.units:
        raise InputError(f"the results are in {result.units} and {other.units}; accepted: a result "
                         "in the same units")
    values = result.field(name) - other.field(name)
    if name not in _EVERYWHERE:
        touching = (result.element_division > 0) | (other.element_division > 0)
        values = np.where(touching, values, np.nan)
    most = float(np.max(np.abs(values[np.isfinite(values)]), initial=0.0)) or 1.0
    figure, axes = (ax.figure, [[ax]]) if ax is not None else _figure(1)
    place = axes[0][0]
    image = _map(result, values, place, cmap="RdBu_r", vmin=-most, vmax=most)
    figure.colorbar(image, ax=place, shrink=0.85,
                    label="difference of " + _label(name, result.unit(name)))
    _frame(result, place, "")
    return figure


def _picture(result: Result) -> str:
    """The overview as an image for a page; "" without matplotlib or fields."""
    try:
        made = _matplotlib()
        panels = _panels(result, "overview")
    except InputError:
        return ""
    figure = made(figsize=(_PANEL[0] * len(panels), _PANEL[1]), layout="constrained")
    _draw(result, panels, figure.subplots(1, len(panels), squeeze=False)[0])
    file = io.BytesIO()
    figure.savefig(file, format="png", dpi=80)
    return (f'<img alt="" src="data:image/png;base64,'
            f'{base64.b64encode(file.getvalue()).decode("ascii")}">')


def _shown(result: Result) -> List[str]:
    # Without friction every element in contact counts as slip, which says nothing.
    left_out = () if result.totals["friction_coefficient"] != 0.0 else ("elements_adhesion", "elements_slip")
    return [name for name in _SHOWN if name in result.totals and name not in left_out]


def html(result: Result) -> str:
    """Totals, and the figure where matplotlib is there."""
    rows = "".join(f"<tr><td>{text.escape(name)}</td><td>{result.totals[name]:.6g}</td>"
                   f"<td>{text.escape(_unit(result, name))}</td></tr>"
                   for name in _shown(result))
    state = ("" if result.converged else
             f"<p><b>not converged: {text.escape(result.message)}</b></p>")
    remarks = "".join(f"<p>{text.escape(warning)}</p>" for warning in result.warnings)
    return (f"<p>{text.escape(result.title)}, step {result.number}</p>{state}{remarks}"
            f"<table>{rows}</table>{_picture(result)}")


def _unit(result: Result, name: str) -> str:
    unit = result.unit(name)
    return "" if unit == "-" else unit
