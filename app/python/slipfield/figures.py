"""Figures of results, with matplotlib; loaded when the first one is asked for."""

import html as text
import io

import numpy as np

from . import _slipfield
from .errors import InputError

_SHOWN = ["normal_force", "force_x", "force_y", "moment_z", "approach", "max_pressure",
          "elements_contact", "elements_adhesion", "elements_slip", "residual"]
_SIGNED = ("traction_x", "traction_y", "displacement_x", "displacement_y", "slip_x", "slip_y",
           "relative_slip_velocity_x", "relative_slip_velocity_y")
_MOST_ARROWS = 24  # along a side


def _matplotlib():
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise InputError("figures need matplotlib, which is not installed; accepted: "
                         "`pip install matplotlib`") from error
    return Figure


def _figure(count):
    """In a notebook or a script pyplot shows it; without pyplot's window it can still be saved."""
    _matplotlib()
    import matplotlib.pyplot as pyplot
    return pyplot.subplots(1, count, figsize=(5.0 * count, 4.2), layout="constrained",
                           squeeze=False)


def _bounds(result):
    """The contact and a margin: (x0, x1), (y0, y1)."""
    inside = result.element_division > 0
    if not inside.any():
        return (result.x[0], result.x[-1]), (result.y[0], result.y[-1])
    sides = []
    for axis, centres in ((0, result.x), (1, result.y)):
        found = centres[inside.any(axis=axis)]
        step = centres[1] - centres[0] if len(centres) > 1 else 1.0
        margin = 0.1 * (found[-1] - found[0]) + step
        sides.append((max(found[0] - margin, centres[0] - step / 2),
                      min(found[-1] + margin, centres[-1] + step / 2)))
    return sides[0], sides[1]


def _label(result, name):
    unit = result.unit(name)
    return name.replace("_", " ") + (f" [{unit}]" if unit else "")


def _edges(centres):
    step = centres[1] - centres[0] if len(centres) > 1 else 1.0
    return np.append(centres - step / 2, centres[-1] + step / 2)


def _frame(result, ax, title):
    length = result.unit("undeformed_distance")
    bounds = _bounds(result)
    ax.set(xlim=bounds[0], ylim=bounds[1], xlabel=f"x [{length}]", ylabel=f"y [{length}]",
           title=title, aspect="equal")


def draw_field(result, name, ax):
    """A field as a map; white where there is no contact."""
    values = np.where(result.element_division > 0, result.field(name), np.nan)
    limits = {"vmin": 0.0}
    if name in _SIGNED:
        most = np.nanmax(np.abs(values)) if np.isfinite(values).any() else 1.0
        limits = {"vmin": -most, "vmax": most}
    image = ax.pcolormesh(_edges(result.x), _edges(result.y), values,
                          cmap="RdBu_r" if name in _SIGNED else "viridis", **limits)
    ax.figure.colorbar(image, ax=ax, label=_label(result, name), shrink=0.85)
    _frame(result, ax, "")


def draw_traction(result, ax):
    """Slip and adhesion with the tractions as arrows."""
    from matplotlib.colors import ListedColormap
    from matplotlib.patches import Patch
    division = np.where(result.element_division > 0, result.element_division, np.nan)
    colours = ["#c7dcef", "#f3c9a5"]
    ax.pcolormesh(_edges(result.x), _edges(result.y), division, vmin=1, vmax=2,
                  cmap=ListedColormap(colours))
    (x0, x1), (y0, y1) = _bounds(result)
    columns = np.flatnonzero((result.x >= x0) & (result.x <= x1))
    rows = np.flatnonzero((result.y >= y0) & (result.y <= y1))
    columns = columns[::max(1, -(-len(columns) // _MOST_ARROWS))]
    rows = rows[::max(1, -(-len(rows) // _MOST_ARROWS))]
    chosen = np.ix_(rows, columns)
    x, y = np.meshgrid(result.x[columns], result.y[rows])
    ax.quiver(x, y, result.traction_x[chosen], result.traction_y[chosen], angles="xy", width=0.003)
    there = [Patch(color=colour, label=label) for state, colour, label
             in ((1, colours[0], "adhesion"), (2, colours[1], "slip"))
             if (result.element_division == state).any()]
    if there:
        ax.legend(handles=there, loc="upper right", fontsize="small")
    _frame(result, ax, "traction on the upper body")


def plot(result, what, ax=None):
    """As Result.plot."""
    if not result.field_names():
        raise InputError("the step was kept without fields; accepted: fields=True")
    choices = {"overview": ["pressure", "traction"], "traction": ["traction"]}
    panels = choices.get(what, [what])
    known = [*choices, *result.field_names()]
    if what not in known:
        raise InputError(f"there is nothing to plot named {what!r}; accepted: {', '.join(known)}")
    if ax is not None and len(panels) > 1:
        raise InputError(f"{what!r} has {len(panels)} panels; accepted with ax: one field, or "
                         "'traction'")
    figure, axes = (ax.figure, [[ax]]) if ax is not None else _figure(len(panels))
    for panel, place in zip(panels, axes[0]):
        if panel == "traction":
            draw_traction(result, place)
        else:
            draw_field(result, panel, place)
    if ax is None and result.title:
        figure.suptitle(result.title)
    return figure


def html(result):
    """Totals, and the figure where matplotlib is there."""
    rows = "".join(f"<tr><td>{text.escape(name)}</td><td>{result.totals[name]:.6g}</td>"
                   f"<td>{text.escape(_slipfield.unit(name, result.units))}</td></tr>"
                   for name in _SHOWN if name in result.totals)
    state = "" if result.converged else f"<p><b>not converged: {text.escape(result.message)}</b></p>"
    page = f"<p>{text.escape(result.title)}, step {result.number}</p>{state}<table>{rows}</table>"
    try:
        _matplotlib()
        import matplotlib.pyplot as pyplot
        figure = plot(result, "overview")
    except InputError:
        return page
    picture = io.StringIO()
    figure.savefig(picture, format="svg")
    pyplot.close(figure)
    drawing = picture.getvalue()
    return page + drawing[drawing.index("<svg"):]
