# SPDX-License-Identifier: Apache-2.0
"""Figures of result files, with matplotlib; needs h5py and no compiled module.

    from slipfield import figures
    figure = figures.plot("out.h5")                                # an overview of the last step
    figure = figures.plot("out.h5", fields=["pressure", "slip"], step=3, style="column")
    figure = figures.curves("sweep.h5", ["force_ratio_x"])         # over the keys of a sweep, or over the steps
    figure.axes[0].set_title("my own"); figure.savefig("fig.pdf")

Each function returns a matplotlib Figure. `style`: "screen", "column" (85 mm), "page" (175 mm) or "slide"; None draws
within `styled(...)`, or for a screen. `slipfield plot` and `slipfield report` draw with it, too.
"""

from __future__ import annotations

import os
from typing import Any, Callable, List, Optional, Sequence, Tuple, TypeVar, Union

from . import totals as _curves
from ..errors import needs
from . import inside, maps, names, pairs, wheel
from . import step as _step
from .layout import STYLES, Drawing, Panel, Text, page, style_path, styled
from .step import Request, animation
from .view import Contact, MemoryContact, Refused, Step, View, open_view

__all__ = ["Contact", "Panel", "Refused", "Request", "STYLES", "Step", "Text", "View", "animation", "contact_lines", "curves",
           "difference", "heat_maps", "inside", "maps", "names", "open_view", "over_each_other", "page", "pairs", "patches",
           "plot", "profile", "style_path", "styled", "wheel", "wheel_in_contact"]

Source = Union[str, "os.PathLike[str]", View]
_Made = TypeVar("_Made")


def _with(source: Source, style: Optional[str], draw: Callable[[View], _Made]) -> _Made:
    with styled(style):
        if isinstance(source, View):
            return draw(source)
        with open_view(source) as view:
            return draw(view)


def plot(source: Source, fields: Sequence[str] = (), step: Union[int, Sequence[int]] = 0, contact: int = 0, point: int = 0,
         style: Optional[str] = None, **request: Any) -> Any:
    """An overview of a step, or what is named: fields as maps ("traction", "slip": arrows), cuts=True, at=(x, y),
    history=True, shakedown=True, interior=["depth", "von_mises"], surfaces=["gap"], shape=True, whole_grid=True.

    step: a number, several for steps side by side; 0: the last. contact: of a wheel. point: of a sweep with fields.
    """
    def draw(view: View) -> Any:
        view = view.point(point) if point else view
        numbers = [step] if isinstance(step, int) else list(step)
        return _step.steps([view.contact(number, contact) for number in numbers],
                           Request(fields=[fields] if isinstance(fields, str) else list(fields), **request))
    return _with(source, style, draw)


def rows_of(view: View) -> _curves.Rows:
    """The totals of a sweep or of the steps of a sequence, as curves() takes them."""
    return _curves.of_sweep(view) if view.is_sweep else _curves.of_steps(view)


def curves(source: Union[Source, Sequence[Source]], quantities: Sequence[str] = (), over: str = "", panels: str = "",
           where: Sequence[str] = (), sides: str = "each", style: Optional[str] = None) -> Any:
    """Totals over a key of a sweep, or over the steps; of several files over each other. Of a wheelset each total is that
    of the left and of the right wheel; sides="both": that of the wheelset."""
    if isinstance(source, (list, tuple)):
        views = [item if isinstance(item, View) else open_view(item) for item in source]
        labels = pairs.side_names([view.path for view in views])
        with styled(style):
            return _curves.curves(_curves.joined([rows_of(view) for view in views], labels), quantities,
                                  "" if over == "step" else over, panels, where, sides)
    return _with(source, style, lambda view: _curves.curves(  # type: ignore[arg-type]
        rows_of(view), quantities, "" if over == "step" and not view.is_sweep else over, panels, where, sides))


def heat_maps(source: Source, quantities: Sequence[str] = (), over: str = "", where: Sequence[str] = (), sides: str = "each",
              style: Optional[str] = None) -> Any:
    """Totals of a sweep as cells over two keys; a third key has a map for each of its values."""
    return _with(source, style, lambda view: _curves.heat_maps(rows_of(view), quantities, over, where, sides))


def over_each_other(sources: Sequence[Source], fields: Sequence[str] = (), step: int = 0, contact: int = 0,
                    at: Optional[Tuple[float, float]] = None, style: Optional[str] = None) -> Any:
    """Cuts of several results over each other."""
    views = [item if isinstance(item, View) else open_view(item) for item in sources]
    contacts = [view.contact(step, contact) for view in views]
    labels, notes = pairs.labels_of([view.path for view in views], contacts)
    with styled(style):
        return pairs.cuts(contacts, labels, fields, at, notes=notes)


def difference(first: Source, second: Source, fields: Sequence[str] = (), step: int = 0, contact: int = 0,
               style: Optional[str] = None) -> Any:
    """Maps of the first less the second, on the same grid."""
    views = [item if isinstance(item, View) else open_view(item) for item in (first, second)]
    contacts = [view.contact(step, contact) for view in views]
    pairs.require_same_units([view.path for view in views], contacts)
    labels, notes = pairs.labels_of([view.path for view in views], contacts)
    with styled(style):
        return pairs.difference(contacts[0], contacts[1], labels, fields, notes=notes)


def wheel_in_contact(source: Source, step: int = 0, profiles: Any = None, style: Optional[str] = None) -> Any:
    """Wheel and rail in contact with the pressure; `profiles`: their curves (figures/wheel.py), which the program reads."""
    return _with(source, style, lambda view: wheel.in_contact(view, step, profiles))


def patches(source: Source, step: int = 0, field: str = "pressure", style: Optional[str] = None) -> Any:
    """All contacts of a wheel or a wheelset in plan."""
    return _with(source, style, lambda view: wheel.plan(view, step, field))


def contact_lines(source: Source, profiles: Any = None, style: Optional[str] = None) -> Any:
    """Contact positions, rolling radii and angles over the lateral position of a wheelset."""
    return _with(source, style, lambda view: wheel.contact_lines(view, profiles))


def profile(data: Any, style: Optional[str] = None) -> Any:
    """A profile with its slope and curvature (figures/wheel.py)."""
    with styled(style):
        return wheel.profile(data)


# --- For Result and Table of the compiled package
def _require() -> None:
    try:
        import matplotlib  # noqa: F401  pylint: disable=unused-import
    except ImportError as error:
        raise needs("matplotlib", "a figure") from error


def plot_result(result: Any, what: str, ax: Any = None) -> Any:
    """As Result.plot."""
    _require()
    contact = MemoryContact(result)
    if not contact.fields:
        raise Refused("the step was kept without fields; accepted: fields=True")
    choices = ["overview", *maps.ARROWS, *contact.fields]
    if what not in choices:
        raise Refused(f"there is nothing to plot named {what!r}; accepted: {', '.join(choices)}")
    request = Request() if what == "overview" else Request(fields=[what])
    if ax is None:
        with styled():
            return _step.steps([contact], request)
    with styled():
        made = _step.made_of([contact], request)
    if len(made.panels) > 1:
        raise Refused(f"{what!r} has {len(made.panels)} panels; accepted with ax: one field, or 'traction'")
    return _into(made.panels[0], ax, made.text.legend)


def _into(panel: Panel, ax: Any, legend: List[Any]) -> Any:
    """A panel in axes of the caller, in the caller's style."""
    panel.draw(ax)
    ax.set_title(panel.title)
    if legend:
        ax.legend(handles=legend)
    return ax.figure


def plot_difference(result: Any, other: Any, name: str, ax: Any = None) -> Any:
    """As Result.plot(minus=...)."""
    _require()
    first, second = MemoryContact(result), MemoryContact(other)
    accepted = [known for known in first.fields if known != "element_division"]
    if name not in accepted:
        raise Refused(f"there is no difference of {name!r}; accepted: {', '.join(accepted) or 'results with fields'}")
    pairs.require_same_units(["the result", "the other"], [first, second])
    with styled():
        panels, text = pairs.difference_panels(first, second, ["this", "the other"], [name], False)
        if ax is None:
            return page(panels, text)
    return _into(panels[0], ax, [])


def plot_table(table: Any, total: str, ax: Any = None) -> Any:
    """As Table.plot."""
    _require()
    if total not in table.totals:
        what = "is a key of the sweep" if total in table.keys else "is no total of the table"
        raise Refused(f"{total!r} {what}; accepted: {', '.join(table.totals)}")
    rows = _curves.of_table(table)
    with styled():
        panels, text = _curve_panels(rows, total)
        if ax is None:
            return page(panels, text)
    return _into(panels[0], ax, text.legend)


def _curve_panels(rows: _curves.Rows, total: str) -> Tuple[List[Panel], Text]:
    return _curves.curve_panels(rows, [total], next(iter(rows.keys)), "none", (), "each")


def result_html(result: Any) -> str:
    """Totals as a table, and the overview where matplotlib is there: what a notebook shows of a result."""
    from .report import result_html as made
    return made(result)
