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
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, Sequence, Tuple, TypeVar, Union

from . import step as _steps
from . import totals as _curves
from ..errors import InputError, imported
from ..given import number_of, numbers_of, path_of, place_of, texts_of
from . import inside, maps, names, pairs, wheel
from .layout import STYLES, Drawing, Panel, Text, page, shown_once, style_path, styled
from .step import Request, animation
from .view import Contact, MemoryContact, Refused, Step, View, open_view

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["Contact", "Panel", "Refused", "Request", "STYLES", "Step", "Text", "View", "animation", "contact_lines", "contacts",
           "curves", "difference", "geometry", "heat_maps", "inside", "maps", "names", "open_view", "over_each_other", "page", "pairs", "plot",
           "profile", "style_path", "styled", "wheel", "wheel_in_contact"]

Source = Union[str, "os.PathLike[str]", View]
Names = Union[str, Sequence[str]]
_Made = TypeVar("_Made")
_FIELDS, _TOTALS = '["pressure", "traction"]', '["force_x", "moment_z"]'


def _opened(source: Any) -> View:
    return source if isinstance(source, View) else open_view(path_of(source, "a result file, or a View"))


def _all_opened(sources: Any) -> List[View]:
    if isinstance(sources, (str, os.PathLike, View)) or not isinstance(sources, Iterable):
        raise InputError("several results are drawn over each other, and this is one; accepted: a list of paths or Views")
    views = [_opened(source) for source in sources]
    if not 2 <= len(views) <= pairs.MOST_SIDES:
        raise InputError(f"{len(views)} results cannot be drawn over each other; accepted: 2 to {pairs.MOST_SIDES}")
    return views


def _with(source: Source, style: Optional[str], draw: Callable[[View], _Made]) -> _Made:
    with styled(style):
        if isinstance(source, View):
            return draw(source)
        with _opened(source) as view:
            return draw(view)


def _step(step: Any) -> int:
    return number_of(step, "step", "1, 2, ..., or 0 for the last")


def _contact(contact: Any) -> int:
    return number_of(contact, "contact", "1, 2, ..., or 0 for the first")


def plot(source: Source, fields: Names = (), step: Union[int, Sequence[int]] = 0, contact: int = 0, point: int = 0,
         style: Optional[str] = None, *, cuts: bool = False, at: Optional[Tuple[float, float]] = None, history: bool = False,
         shakedown: bool = False, interior: Names = (), surfaces: Names = (), shape: bool = False,
         whole_grid: bool = False) -> Figure:
    """Draws an overview of a step, or the pictures that are named, one panel each.

    Parameters
    ----------
    source: path of a result file, or a View.
    fields: names of fields, each a map; "traction" and "slip" are drawn as arrows.
    step: number of a step, or several for steps side by side; 0: the last.
    contact: number of a contact of a wheel, from 1; 0: the first.
    point: number of a point of a sweep with fields, from 1; 0: the file is no sweep.
    style: "screen", "column", "page" or "slide".
    cuts: tractions and their bound along x and y through the pressure's centroid, or its maximum if nothing touches there; without friction the pressure.
    at: (x, y) [length of the case], the place of the cuts.
    history: how the iterations converged.
    shakedown: the point of a case with `fatigue` in the shakedown map.
    interior: "depth", "along_y", or quantities inside the bodies, on sections through the greatest value.
    surfaces: fields drawn in three dimensions.
    shape: cuts of the distance of the surfaces, undeformed and deformed.
    whole_grid: show the whole potential contact area, and not only the surroundings of the contact.

    Returns
    -------
    A matplotlib Figure.
    """
    request = Request(fields=texts_of(fields, "fields", _FIELDS), cuts=bool(cuts),
                      at=None if at is None else place_of(at, "at"), history=bool(history), shakedown=bool(shakedown),
                      interior=texts_of(interior, "interior", '["depth", "von_mises"]'), whole_grid=bool(whole_grid),
                      surfaces=texts_of(surfaces, "surfaces", '["pressure", "gap"]'), shape=bool(shape))
    numbers = numbers_of(step, "step", "1, 2, ..., or 0 for the last")
    chosen, number = _contact(contact), number_of(point, "point", "1, 2, ..., or 0 for a result that is no sweep")

    def draw(view: View) -> Any:
        from_view = view.point(number) if number else view
        return _steps.steps([from_view.contact(each, chosen) for each in numbers], request)
    return _with(source, style, draw)


def rows_of(view: View, contact: int = 0, side: str = "") -> _curves.Rows:
    """The totals of a sweep or of the steps of a sequence, or those of a contact, as curves() takes them."""
    return _curves.of_contact(_curves.of_sweep(view) if view.is_sweep else _curves.of_steps(view), contact, side)


def curves(source: Union[Source, Sequence[Source]], quantities: Names = (), over: str = "", panels: str = "",
           where: Names = (), side: str = "", style: Optional[str] = None, *, contact: int = 0) -> Figure:
    """Draws totals over a key of a sweep or over the steps of a sequence, a panel each.

    Parameters
    ----------
    source: path of a result file or a View; a list of them: over each other.
    quantities: names of totals; by default the force ratios, and over steps the motions.
    over: key of the sweep along the horizontal axis, by default the one with the most values; "step": the steps; or a
        total, whose values are connected in the order of that key or of the steps.
    panels: key of the sweep with a panel for each of its values; "none": line styles instead.
    where: conditions "key.path=value" that choose points of the sweep.
    side: "left" or "right" wheel of a wheelset, "both": the wheelset as a whole; by default each of the two wheels.
    style: "screen", "column", "page" or "slide".
    contact: totals of the contact of this number on its wheel, from 1; 0: those of the wheels.

    Returns
    -------
    A matplotlib Figure.
    """
    number = _contact(contact)
    drawn = texts_of(quantities, "quantities", _TOTALS)
    conditions = texts_of(where, "where", '["friction.coefficient=0.3"]')
    _require_side(side)
    if isinstance(source, (list, tuple)):
        views = _all_opened(source)
        pairs.require_one_kind(views)
        labels, notes = pairs.labels_of([view.path for view in views], [view.case for view in views], views[0].units)
        each = [rows_of(view, number, side) for view in views]
        along = _along(over, views[0], each[0])
        for rows in each:
            _curves.require_along(rows, along)
        with styled(style):
            return _curves.curves(_curves.joined(each, labels, notes), drawn, along, panels, conditions, side)

    def draw(view: View) -> Any:
        rows = rows_of(view, number, side)
        return _curves.curves(rows, drawn, _along(over, view, rows), panels, conditions, side)
    return _with(source, style, draw)  # type: ignore[arg-type]


def _along(over: str, view: View, rows: _curves.Rows) -> str:
    """Returns the key or total along the axis; "": that of the rows, the steps of a sequence."""
    if over == "step" and view.is_sweep:
        raise Refused(f"{view.name}: --over step is of the steps of one result, and a sweep has points; accepted: --over "
                      f"{' or '.join(key for key in rows.keys if key != 'file')}, or --point N with it")
    return "" if over == "step" else over


def _require_side(side: Any) -> None:
    if side not in ("", "left", "right", "both"):
        raise InputError(f"side: {side!r} is not known; accepted: 'left', 'right' or 'both'")


def heat_maps(source: Source, quantities: Names = (), over: str = "", where: Names = (), side: str = "",
              style: Optional[str] = None, *, contact: int = 0) -> Figure:
    """Draws totals of a sweep as cells over two keys; a third key has a map for each of its values.

    Parameters and result are those of curves(); `over` is the key along the horizontal axis.
    """
    _require_side(side)
    number = _contact(contact)
    drawn, conditions = texts_of(quantities, "quantities", _TOTALS), texts_of(where, "where", '["friction.coefficient=0.3"]')
    return _with(source, style, lambda view: _curves.heat_maps(rows_of(view, number, side), drawn, over, conditions, side))


def over_each_other(sources: Sequence[Source], fields: Names = (), step: int = 0, contact: int = 0,
                    at: Optional[Tuple[float, float]] = None, style: Optional[str] = None, *, whole_grid: bool = False) -> Figure:
    """Draws cuts of several results over each other, each on its own grid.

    Parameters
    ----------
    sources: two to six paths or Views.
    fields: names of fields; by default the pressure and the tractions.
    step, contact: numbers from 1, the same in all results; 0: the last step, the first contact.
    at: (x, y) [length of the case], the place of the cuts; by default the centroid of the first result's pressure.
    whole_grid: show the whole potential contact area, and not only the surroundings of the contact.

    Returns
    -------
    A matplotlib Figure.
    """
    place = None if at is None else place_of(at, "at")
    views = _all_opened(sources)
    pairs.require_one_kind(views, _contact(contact) > 0)
    return _compared(views, step, contact, style, lambda compared, labels, notes: pairs.cuts(
        compared, labels, texts_of(fields, "fields", _FIELDS), place, whole_grid, notes))


def difference(first: Source, second: Source, fields: Names = (), step: int = 0, contact: int = 0,
               style: Optional[str] = None, *, whole_grid: bool = False) -> Figure:
    """Draws maps of the first result less the second, which are on the same grid.

    Parameters and result are those of over_each_other().
    """
    return _compared(_all_opened([first, second]), step, contact, style, lambda compared, labels, notes: pairs.difference(
        *compared, labels, texts_of(fields, "fields", _FIELDS), whole_grid, notes))


def _compared(views: List[View], step: Any, contact: Any, style: Optional[str], draw: Callable[..., Any]) -> Any:
    contacts = [view.contact(_step(step), _contact(contact)) for view in views]
    paths = [view.path for view in views]
    pairs.require_same_units(paths, contacts)
    with styled(style):
        return draw(contacts, *pairs.labels_of(paths, [contact.view.case for contact in contacts], contacts[0].units))


def wheel_in_contact(source: Source, step: int = 0, profiles: Optional[Sequence[Dict[str, Any]]] = None,
                     style: Optional[str] = None) -> Figure:
    """Draws wheel and rail in contact, with the pressure.

    Parameters
    ----------
    source: path of a result of a wheel on a rail, or a View.
    step: number of a step, from 1; 0: the last.
    profiles: the curves of the profiles, which the program reads and adds: a list with
        {"side": "left", "rail": [[y, z], ...], "wheel": [[y, z], ...]} for each wheel, y to the right, z down [mm].
    """
    wheel.require_profiles(profiles)
    return _with(source, style, lambda view: wheel.in_contact(view, _step(step), profiles))


def contacts(source: Source, step: int = 0, field: str = "pressure", style: Optional[str] = None) -> Figure:
    """Draws a field of all contacts of a wheel or a wheelset, seen from above. step: from 1; 0: the last."""
    return _with(source, style, lambda view: wheel.plan(view, _step(step), field))


def contact_lines(source: Source, profiles: Optional[Sequence[Dict[str, Any]]] = None, style: Optional[str] = None) -> Figure:
    """Draws contact positions, rolling radii and angles over the lateral position, from a sweep over
    `wheel_rail.wheelset.y`. profiles: as for wheel_in_contact()."""
    wheel.require_profiles(profiles)
    return _with(source, style, lambda view: wheel.contact_lines(view, profiles))


def geometry(data: Dict[str, Any], style: Optional[str] = None) -> Figure:
    """Draws where a wheelset touches its rails as it moves across the track, with the equivalent conicity. data: the document of
    `slipfield geometry CASE.yaml --json`."""
    with styled(style):
        return wheel.across(data)


def profile(data: Dict[str, Any], style: Optional[str] = None) -> Figure:
    """Draws a profile with its slope and curvature. `slipfield plot FILE --profile wheel` reads a file and draws it.

    Parameters
    ----------
    data: a dict with "name" and "role" (texts), "points" (n, 2): y and z of the file [mm], "curve" (m, 4): y, z [mm],
        slope [degrees], curvature [1/m], "length" of the curve [mm], and, if you like, "notes" (texts).
    """
    with styled(style):
        return wheel.profile(data)


# --- For Result and Table of the compiled package
def _require() -> None:
    imported("matplotlib", "a figure")


def plot_file(source: Source, step: int, point: int, style: Optional[str], over: str = "", quantities: Names = ()) -> Any:
    """As File.plot."""
    _require()

    def draw(view: View) -> Any:
        chosen = view.point(point) if point else view
        if step and (over or quantities):
            raise Refused(f"step: {step} of curves, which are of all steps; accepted: without it")
        if chosen.is_sweep and step:
            raise Refused(f"step: {step} of a sweep, which is drawn as curves; accepted: open(path, point).plot(step)")
        if chosen.is_sweep or over or quantities:
            return curves(chosen, quantities, over)
        return wheel_in_contact(chosen, step) if chosen.is_wheel else plot(chosen, step=step)
    return _with(source, style, draw)


def _require_choice(what: str, choices: List[str]) -> None:
    if what not in choices:
        raise Refused(f"there is nothing to plot named {what!r}; {names.accepted(what, choices)}")


def plot_result(result: Any, what: str, ax: Any = None) -> Any:
    """As Result.plot."""
    _require()
    contact = _with_fields(result)
    _require_choice(what, ["overview", *maps.ARROWS, *contact.fields])
    with styled():
        made = _steps.made_of([contact], Request() if what == "overview" else Request(fields=[what]))
        if ax is None:
            return page(made.panels, made.text, made.columns)
    if len(made.panels) > 1:
        raise Refused(f"{what!r} has {len(made.panels)} panels; accepted with ax: one field, or 'traction'")
    return _into(made.panels[0], ax, made.text.legend)


def _with_fields(result: Any) -> MemoryContact:
    contact = MemoryContact(result)
    if not contact.fields:
        raise Refused("the step was kept without fields; accepted: fields=True")
    return contact


def plot_contacts(result: Any, what: str) -> Any:
    """As WheelResult.plot."""
    _require()
    contacts = [_with_fields(contact) for contact in result.contacts]
    if not contacts:
        raise Refused("nothing touches in the step; accepted: a step with a contact")
    _require_choice(what, [*maps.ARROWS, *contacts[0].fields])
    with styled():
        made = _steps.made_of(contacts, Request(fields=[what]))
        for panel, contact in zip(made.panels, result.contacts):
            panel.title = f"{contact.side} wheel, contact {contact.index}: {panel.title.split(': ', 1)[-1]}"
        return page(made.panels, made.text, made.columns)


def _into(panel: Panel, ax: Any, legend: List[Any]) -> Any:
    """A panel in axes of the caller, in the caller's style."""
    if not hasattr(ax, "pcolormesh"):
        raise InputError(f"ax: a value of type {type(ax).__name__} is not axes; accepted: axes of matplotlib, as plt.subplots() "
                         "returns them")
    panel.draw(ax)
    ax.set_title(panel.title)
    if legend:
        ax.legend(handles=legend)
    return shown_once(ax.figure)


def plot_difference(result: Any, other: Any, name: str, ax: Any = None) -> Any:
    """As Result.plot(minus=...)."""
    _require()
    if not hasattr(other, "field_names"):
        raise InputError(f"minus: a value of type {type(other).__name__} is not a result; accepted: a Result on the same grid")
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
    if not isinstance(total, str) or total not in table.totals:
        what = "is a key of the sweep" if total in list(table.keys) else "is no total of the table"
        raise Refused(f"{total!r} {what}; accepted: {', '.join(table.totals)}")
    rows = _curves.of_table(table)
    with styled():
        panels, text = _curves.curve_panels(rows, [total], next(iter(rows.keys)), "none", (), "each")
        if ax is None:
            return page(panels, text)
    return _into(panels[0], ax, text.legend)


def result_html(result: Any) -> str:
    """Totals as a table, and the overview where matplotlib is there: what a notebook shows of a result."""
    from .report import result_html as made
    return made(result)
