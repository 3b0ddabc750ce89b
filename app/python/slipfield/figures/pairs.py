# SPDX-License-Identifier: Apache-2.0
"""Draws several results in one figure: cuts over each other, or maps of the first minus the second."""

from __future__ import annotations

import os
import re
from typing import Any, Dict, List, Optional, Sequence, Tuple

import numpy as np

from . import maps, names
from .totals import COLOURS, LINES, shortened
from .layout import Panel, Text, page
from .view import Refused

MOST_SIDES = 6


def side_names(paths: Sequence[str]) -> List[str]:
    """Returns the names of the files without their folders if these differ."""
    short = [os.path.basename(path) for path in paths]
    if len(set(short)) == len(short):
        return short
    if len(set(paths)) == len(paths):
        return list(paths)
    return [f"{path} ({i})" for i, path in enumerate(paths, 1)]  # a file twice: two steps, perhaps


def flat(tree: Any, at: str = "") -> Dict[str, Any]:
    """{"friction.coefficient": 0.3, "geometry.0.radius": 10.0, ...}: the paths that --set takes."""
    if isinstance(tree, dict):
        found: Dict[str, Any] = {}
        for key, value in tree.items():
            found.update(flat(value, f"{at}.{key}" if at else str(key)))
        return found
    if isinstance(tree, list) and any(isinstance(item, dict) for item in tree):
        found = {}
        for i, value in enumerate(tree):
            found.update(flat(value, f"{at}.{i}"))
        return found
    return {at: tree}


def differing(cases: Sequence[str]) -> Dict[str, List[Any]]:
    """Returns the keys in which the cases differ, with each one's value; {} if no YAML reader is installed."""
    try:
        import yaml
        trees = [flat({key: value for key, value in (yaml.safe_load(case) or {}).items()
                       if key not in ("title", "output", "expected")}) for case in cases]
    except Exception:  # pylint: disable=broad-except
        return {}
    keys = dict.fromkeys(key for tree in trees for key in tree)
    return of_all_steps({key: [tree.get(key, names.MISSING) for tree in trees] for key in keys
                         if len({str(tree.get(key, names.MISSING)) for tree in trees}) > 1})


def of_all_steps(keys: Dict[str, List[Any]]) -> Dict[str, List[Any]]:
    """Merges a key that differs by the same values in each step into one, named without the steps."""
    held: Dict[str, List[List[Any]]] = {}
    for key, values in keys.items():
        held.setdefault(without_step(key), []).append(values)
    found: Dict[str, List[Any]] = {}
    for key, values in keys.items():
        everywhere = all(each == values for each in held[without_step(key)])
        found[without_step(key) if everywhere else key] = values
    return found


def without_step(key: str) -> str:
    return re.sub(r"^steps\.\d+\.", "", key)


def _difference(key: str, values: Sequence[Any]) -> str:
    """The key with its values, or alone where these are long, as points of a profile are."""
    shown = [str(value) for value in values]
    return f"{key}: {', '.join(shown)}" if max(map(len, shown)) <= 40 else key


def labels_of(paths: Sequence[str], cases: Sequence[str], units: str) -> Tuple[List[str], List[str]]:
    """Returns labels for the legend and a sentence on the cases: if one key differs, its values are the labels."""
    shown = [shortened(name, 36) for name in side_names(paths)]
    keys = differing(cases)
    if len(keys) == 1 and _difference(*next(iter(keys.items()))) != next(iter(keys)):
        key, values = next(iter(keys.items()))
        return [f"{names.value_text(key, value, units)} ({name})" for value, name in zip(values, shown)], []
    if 1 <= len(keys) <= 4:
        return shown, [f"The cases differ in {', '.join(map(_difference, keys, keys.values()))}."]
    return shown, [f"The cases differ in {len(keys)} keys."] if keys else []


def require_same_units(paths: Sequence[str], contacts: Sequence[Any]) -> None:
    for path, contact in zip(paths, contacts):
        if contact.units != contacts[0].units:
            raise Refused(f"{paths[0]} is in {contacts[0].units} and {path} in {contact.units}; accepted: results in the same units")


def require_one_kind(views: Sequence[Any], chosen: Optional[bool] = None) -> None:
    """Refuses to mix wheelsets, single wheels and single contacts, unless a contact was chosen (None: none can be)."""
    for view in views:
        if view.kind != views[0].kind and not chosen:
            raise Refused(f"{views[0].name} is of {views[0].kind} and {view.name} is of {view.kind}; accepted: results of one kind"
                          + ("" if chosen is None else ", or --contact N, the contact to draw of a wheel"))


def require_place(contacts: Sequence[Any], place: Tuple[float, float], given: bool) -> None:
    """Checks that the cuts pass through the grids of all results."""
    for contact in contacts[1:]:
        grid = contact.grid
        ends = [(grid.edges_x[0], grid.edges_x[-1]), (grid.edges_y[0], grid.edges_y[-1])]
        if all(low <= value <= high for (low, high), value in zip(ends, place)):
            continue
        name = contact.view.name
        reach = f"x from {ends[0][0]:.6g} to {ends[0][1]:.6g}, y from {ends[1][0]:.6g} to {ends[1][1]:.6g}"
        if given:
            raise Refused(f"--at {place[0]:g},{place[1]:g}: the place is not on the grid of {name}; accepted: {reach}")
        raise Refused(f"the results do not lie in one place: the pressure of {contacts[0].view.name} is at {place[0]:.6g},"
                      f"{place[1]:.6g}, and the grid of {name} has {reach}; accepted: results whose grids overlap there, or --at "
                      "with a place on all grids")


def fields_of(contacts: Sequence[Any], wanted: Sequence[str], what: str) -> List[str]:
    """Returns the fields requested; by default pressure and tractions, if all have them and one is not zero."""
    if wanted:
        names_wanted = []
        for name in wanted:
            names_wanted += [f"{name}_x", f"{name}_y"] if name in maps.ARROWS else [name]
        for name in names_wanted:
            if name == "element_division":
                raise Refused(f"there is no {what} of element_division; accepted: a field of numbers")
            for contact in contacts:
                contact.field(name)
        return names_wanted
    found = [name for name in ("pressure", "traction_x", "traction_y") if all(name in c.fields for c in contacts)]
    most = [max(names.greatest(c.field(name)) for c in contacts) for name in found]
    found = [name for name, size in zip(found, most) if size > 1e-9 * max(most)]
    if not found:
        raise Refused(f"the results have no pressure and no tractions in common for a {what}; accepted: --fields with fields of all")
    return found


def summary(contacts: Sequence[Any]) -> List[str]:
    """Names the step or contact if it is the same for all."""
    found = list(dict.fromkeys(contact.label for contact in contacts))
    return [names.capital(found[0])] if len(found) == 1 and found[0] else []


def cuts(contacts: Sequence[Any], labels: Sequence[str], fields: Sequence[str] = (), at: Optional[Tuple[float, float]] = None,
         whole: bool = False, notes: Sequence[str] = ()) -> Any:
    """Draws fields of all results along x and along y through one place, a line for each result on its own grid."""
    from matplotlib.lines import Line2D
    drawn = fields_of(contacts, fields, "cut")
    scene = maps.scene_of(contacts, whole, at)
    first = contacts[0]
    row, column = maps.place_of(first, scene)
    place = (first.grid.x[column], first.grid.y[row])
    require_place(contacts, at or place, at is not None)
    panels = []
    for name in drawn:
        shown = names.scaled(first.unit(name), max(names.greatest(maps.values_of(c, name)) for c in contacts), name)
        for along in "xy":
            if any(len(getattr(c.grid, along)) > 1 for c in contacts):
                panels.append(_pair_panel(contacts, scene, name, along, place, shown))
    legend = [Line2D([], [], color=COLOURS[i], linestyle=LINES[i % len(LINES)], label=label) for i, label in enumerate(labels)]
    titles = list(dict.fromkeys(c.title for c in contacts))
    text = Text(titles[0] if len(titles) == 1 else "", summary(contacts), list(notes) + maps.notes_of(contacts) + maps.cut_notes(maps.scene_of([first], whole, at)), legend)
    return page(panels, text)


def _pair_panel(contacts: Sequence[Any], scene: maps.Scene, name: str, along: str, place: Tuple[float, float],
                shown: names.Unit) -> Panel:
    f = scene.length.factor
    other, at = ("y", place[1]) if along == "x" else ("x", place[0])
    curves = []
    for contact in contacts:
        grid = contact.grid
        row, column = int(np.argmin(np.abs(grid.y - place[1]))), int(np.argmin(np.abs(grid.x - place[0])))
        values = contact.field(name)
        curves.append((grid.x, values[row, :]) if along == "x" else (grid.y, values[:, column]))

    def draw(axes: Any) -> None:
        low, high = scene.window[0:2] if along == "x" else scene.window[2:4]
        maps.draw_lines(axes, [(centres * f, np.where(np.isfinite(values), values, np.nan) * shown.factor,
                                {"color": COLOURS[i], "linestyle": LINES[i % len(LINES)]}) for i, (centres, values) in enumerate(curves)],
                        xlim=(low * f, high * f), xlabel=f"${along}$ ({scene.length.text})", ylabel=names.label(name, shown))

    one = all(maps.is_row(c) for c in contacts)
    grid = contacts[0].grid
    where = "" if one else f" at ${other}$ = {maps.place_text(at, scene.length, {'x': grid.dx, 'y': grid.dy}[other])}"
    words = names.find(name).words
    return Panel(draw, f"{names.capital(words)} along ${along}${where}")


def difference(first: Any, second: Any, labels: Sequence[str], fields: Sequence[str] = (), whole: bool = False,
               notes: Sequence[str] = ()) -> Any:
    """Draws maps of the first minus the second."""
    panels, text = difference_panels(first, second, labels, fields, whole)
    text.notes = list(notes) + text.notes
    return page(panels, text)


def difference_panels(first: Any, second: Any, labels: Sequence[str], fields: Sequence[str],
                      whole: bool) -> Tuple[List[Panel], Text]:
    a, b = first.grid, second.grid
    if len(a.x) != len(b.x) or len(a.y) != len(b.y) or not (np.allclose(a.x, b.x, atol=1e-9 * a.dx, rtol=1e-12)
                                                            and np.allclose(a.y, b.y, atol=1e-9 * a.dy, rtol=1e-12)):
        raise Refused(f"the results are on different grids, {len(a.x)} x {len(a.y)} elements of {a.dx:.6g} x {a.dy:.6g} and "
                      f"{len(b.x)} x {len(b.y)} of {b.dx:.6g} x {b.dy:.6g}, between which the differences would be largest "
                      "where the contact ends; accepted: results on the same grid, or without --difference")
    scene = maps.scene_of([first, second], whole)
    panels, notes = [], []
    for name in fields_of([first, second], fields, "difference"):
        values = np.where(np.isfinite(first.field(name)), first.field(name), np.nan) - np.where(
            np.isfinite(second.field(name)), second.field(name), np.nan)
        states = [maps.division(c) for c in (first, second)]
        if name not in maps.EVERYWHERE and all(state is not None for state in states):
            values = np.where((states[0] > 0) | (states[1] > 0), values, np.nan)
        limits = maps.limits_of([values], "signed")
        unit = first.unit(name)
        shown = names.scaled(unit, limits.high if names.greatest(values) else 0.0, name)
        equal = names.greatest(values) == 0.0
        known = names.find(name)
        title = f"Difference of {names.inner(names.label(name, None if equal else shown))}"
        notes += maps.note_of(limits, name, unit)
        if maps.is_row(first):
            panels.append(_row_difference(scene, first, values, shown, known))
        else:
            panels.append(Panel(lambda axes, v=values, li=limits, u=shown, e=equal: _draw_difference(axes, scene, first, v, li, u, e),
                                title, scene.aspect, bar=True))
    titles = list(dict.fromkeys((first.title, second.title)))
    text = Text(titles[0] if len(titles) == 1 else "", [*summary([first, second]), f"{labels[0]}  minus  {labels[1]}"], notes)
    return panels, text


def _draw_difference(axes: Any, scene: maps.Scene, contact: Any, values: Any, limits: maps.Limits, shown: names.Unit,
                     equal: bool) -> None:
    if equal:
        maps.nothing(axes, "no difference:\nthe two are equal")
    else:
        drawn = maps.image(axes, contact, values * shown.factor, scene.length.factor, cmap="RdBu_r",
                           vmin=limits.low * shown.factor, vmax=limits.high * shown.factor)
        maps.colour_bar(axes, drawn, extend=limits.extend)
    maps.outline(axes, contact, scene.length.factor)
    maps.frame(axes, scene)


def _row_difference(scene: maps.Scene, contact: Any, values: Any, shown: names.Unit, known: names.Name) -> Panel:
    grid, f = contact.grid, scene.length.factor
    along = "x" if len(grid.x) > 1 else "y"

    def draw(axes: Any) -> None:
        low, high = scene.window[0:2] if along == "x" else scene.window[2:4]
        maps.draw_lines(axes, [(getattr(grid, along) * f, np.nan_to_num(np.ravel(values)) * shown.factor, {})],
                        xlim=(low * f, high * f), xlabel=f"${along}$ ({scene.length.text})",
                        ylabel=names.label("", shown, names.Name("Difference", known.symbol)))

    return Panel(draw, f"Difference of the {known.words}")
