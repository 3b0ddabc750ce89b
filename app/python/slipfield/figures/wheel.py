# SPDX-License-Identifier: Apache-2.0
"""A wheel on its rail, or both wheels: profiles in contact, contacts in plan, contact lines, a single profile.

The program supplies the curves of the profiles (`profiles`), because it knows their formats, places and smoothing: a list
with a dictionary for each side: {"side": "left", "rail": [[y, z], ...], "wheel": [[y, z], ...]}, y to the right, z down [mm].
"""

from __future__ import annotations

import math
from typing import Any, Dict, List, Optional, Sequence, Tuple

import numpy as np

from . import maps, names, totals as curves
from ..errors import InputError
from .layout import Panel, Text, page
from .view import Refused, Step, View

RAIL, WHEEL, HILL = maps.BLUE, maps.RED, maps.GREEN
LEFT, RIGHT = maps.GREEN, maps.PURPLE  # curves of each wheel, next to the profiles
ABOVE, BELOW, BESIDE, HIGHEST = 22.0, 35.0, 8.0, 12.0  # [mm]


def require_profiles(profiles: Any) -> None:
    """Raises InputError if the curves are not those of profiles."""
    if profiles is None:
        return
    sides = profiles if isinstance(profiles, (list, tuple)) else [profiles]
    for side in sides:
        if not isinstance(side, dict) or side.get("side") not in ("left", "right") or not {"rail", "wheel"} <= set(side):
            raise InputError('profiles: these are not the curves of profiles; accepted: a list with {"side": "left" or "right", '
                             '"rail": [[y, z], ...], "wheel": [[y, z], ...]} for each wheel')


def _table(data: Dict[str, Any], name: str, columns: int) -> Any:
    try:
        table = np.array(data[name], dtype=float)
    except (TypeError, ValueError):
        table = np.zeros(0)
    if table.ndim != 2 or table.shape[1] != columns or len(table) < 2 or not np.isfinite(table).all():
        raise InputError(f"the profile's {name!r} is not a table; accepted: two rows or more of {columns} numbers")
    return table


def length_factor(view: View) -> float:
    """Factor to mm."""
    return 1000.0 if view.units == "SI" else 1.0


def sides_of(step: Step) -> List[str]:
    """Returns the sides that have a panel."""
    if "left_nearest_y" in step.totals:
        return ["left", "right"]
    place = step.totals.get("nearest_y", step.contacts[0].totals.get("track_y", 1.0) if step.contacts else 1.0)
    return ["left" if place < 0.0 else "right"]


def forces_text(step: Step, side: str) -> str:
    """Writes Q and Y of a wheel in one unit, Y positive outwards."""
    t = step.totals
    prefix = f"{side}_" if f"{side}_track_force_z" in t else ""
    if f"{prefix}track_force_z" not in t:
        return ""
    down, outwards = t[f"{prefix}track_force_z"], (-1.0 if side == "left" else 1.0) * t[f"{prefix}track_force_y"]
    texts = names.quantities([down, outwards], "N", noise=1e-6 * abs(down))
    values, _, unit = texts.rpartition(" ")
    first, second = values.strip("()").split(", ")
    return f"$Q$ = {first} {unit}, $Y$ = {second} {unit}"


def summary_of(view: View, step: Step) -> List[str]:
    parts = [f"Step {step.number} of {view.step_numbers[-1]}"] if len(view.step_numbers) > 1 else []
    t = step.totals
    if "axle_z" in t:
        parts.append(f"axle {names.quantity(t['axle_z'], view.unit('axle_z'))} below its nominal height")
    if abs(t.get("axle_roll", 0.0)) > 1e-12:
        parts.append(f"roll {names.quantity(t['axle_roll'], 'rad')}")
    count = len(step.contacts)
    parts.append(f"{count} contact{'' if count == 1 else 's'}")
    parts[0] = names.capital(parts[0])
    return parts


def hill(contact: Any, scale: float, f: float) -> Tuple[Any, Any]:
    """Returns y, z of the greatest pressure of each row of elements, drawn upwards from the contact plane."""
    rows = contact.field("pressure").max(axis=1)
    across = contact.grid.y * f
    t = contact.totals
    angle = t.get("contact_angle", 0.0)
    s, h = np.concatenate([across, across[::-1]]), np.concatenate([rows * scale, np.zeros(len(rows))])
    return (t["track_y"] * f + s * math.cos(angle) + h * math.sin(angle),
            t["track_z"] * f + s * math.sin(angle) - h * math.cos(angle))


def in_contact(view: View, step_number: int = 0, profiles: Optional[Sequence[Dict[str, Any]]] = None) -> Any:
    """Draws the profiles of wheel and rail where they touch, with the pressure over each contact."""
    panels, text = contact_panels(view, step_number, profiles)
    return page(panels, text, len(panels))


def contact_panels(view: View, step_number: int, profiles: Optional[Sequence[Dict[str, Any]]]) -> Tuple[List[Panel], Text]:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch
    step = view.step(step_number)
    if not view.is_wheel:
        raise Refused(f"{view.name}: it has no profiles in contact, as the result of a wheel on a rail has; accepted: such a result")
    f = length_factor(view)
    with_pressure = [c for c in step.contacts if "pressure" in c.fields]
    greatest = max((names.greatest(c.field("pressure")) for c in with_pressure), default=0.0)
    lines = {str(line["side"]): line for line in profiles or ()}
    panels = []
    sides = sides_of(step)
    for side in sides:
        title = f"{names.capital(side)} wheel"
        forces = forces_text(step, side)
        contacts = [c for c in step.contacts if c.side == side]
        panels.append(_contact_panel(view, step, side, contacts, lines.get(side), greatest, f,
                                     title + (f": {forces}" if forces else "")))
    legend: List[Any] = []
    if lines:
        legend += [Line2D([], [], color=RAIL, label="rail"), Line2D([], [], color=WHEEL, label="wheel, where its circles are lowest")]
    if greatest > 0.0:
        legend.append(Patch(facecolor=HILL, alpha=0.6, label="pressure, greatest of each row; the highest is "
                                                             f"{names.quantity(greatest, view.unit('pressure'))}"))
    notes = [] if lines else ["Without the profiles: `slipfield plot` reads and draws them."]
    if step.outcome != "converged":
        notes.append(f"Step {step.number} did not converge.")
    if not greatest > 0.0:
        notes.append("The result holds no pressure.")
    return panels, Text(view.title, summary_of(view, step), notes, legend)


def _contact_panel(view: View, step: Step, side: str, contacts: Sequence[Any], lines: Optional[Dict[str, Any]],
                   greatest: float, f: float, title: str) -> Panel:
    rail = np.array(lines["rail"]) if lines else None
    if rail is not None:
        low, high = rail[:, 0].min() - BESIDE, rail[:, 0].max() + BESIDE
        top = rail[:, 1].min()
    else:
        places = [c.totals["track_y"] * f for c in contacts] or [step.totals.get("nearest_y", 0.0) * f]
        low, high = min(places) - 40.0, max(places) + 40.0
        top = min([c.totals["track_z"] * f for c in contacts] or [0.0])
    window = (low, high, top - ABOVE, top + BELOW)

    def draw(axes: Any) -> None:
        scale = HIGHEST / greatest if greatest > 0.0 else 0.0
        for contact in contacts:
            if scale and "pressure" in contact.fields:
                axes.fill(*hill(contact, scale, f), color=HILL, alpha=0.6, linewidth=0)
        if lines:
            axes.plot(*rail.T, color=RAIL)
            axes.plot(*np.array(lines["wheel"]).T, color=WHEEL)
        for contact in contacts:
            axes.plot(contact.totals["track_y"] * f, contact.totals["track_z"] * f, "o", color="black", markersize=3)
            if len(step.contacts) > 1:
                axes.annotate(str(contact.index), (contact.totals["track_y"] * f, contact.totals["track_z"] * f), (0, -4),
                              textcoords="offset points", ha="center", va="top")
        axes.set(xlim=window[0:2], ylim=(window[3], window[2]), xlabel="$y$, right (mm)", ylabel="$z$, down (mm)")
        maps.to_scale(axes)
        maps.few_ticks(axes)

    return Panel(draw, title, (window[3] - window[2]) / (window[1] - window[0]))


def plan(view: View, step_number: int = 0, name: str = "pressure") -> Any:
    """Draws all contacts of a wheel or of both from above, at their places on the rail, with a common colour scale."""
    panels, text = plan_panels(view, step_number, name)
    return page(panels, text, len(panels))


def plan_panels(view: View, step_number: int, name: str) -> Tuple[List[Panel], Text]:
    step = view.step(step_number)
    f = length_factor(view)
    if not view.is_wheel:
        raise Refused(f"{view.name}: the contacts in plan are those of a wheel on a rail; accepted: a result of one")
    contacts = [c for c in step.contacts if name in c.fields]
    if not contacts:
        raise Refused(f'{view.name}: step {step.number} has no contact with the field "{name}"; accepted: a step in contact that keeps it')
    arrays = [maps.values_of(c, name) for c in contacts]
    limits = maps.limits_of(arrays, maps.kind_of(name))
    unit = contacts[0].unit(name)
    shown = names.scaled(unit, max(abs(limits.low), abs(limits.high)), name)
    notes = maps.note_of(limits, name, unit) + maps.notes_of(contacts)
    windows = {side: _plan_window([c for c in contacts if c.side == side], f) for side in sides_of(step)}
    known = [window for window in windows.values() if window is not None]
    width, height = max(w[1] - w[0] for w in known), max(w[3] - w[2] for w in known)
    panels = []
    for side, window in windows.items():
        own = [(c, a) for c, a in zip(contacts, arrays) if c.side == side]
        panels.append(Panel(lambda axes, o=own, w=window: _draw_plan(axes, o, w, width, height, f, name, limits, shown),
                            f"{names.capital(side)} wheel: {names.inner(names.label(name, shown))}",
                            width / height, bar=True))
    summary = [part for part in (*summary_of(view, step), maps.direction_text(contacts[0])) if part]
    return panels, Text(view.title, summary, notes)


def _across(contact: Any, f: float) -> Tuple[float, float]:
    """Returns the place of y = 0 of a contact and the length of y, in plan."""
    t = contact.totals
    return t["track_y"] * f, math.cos(t.get("contact_angle", 0.0)) * f


def _plan_window(contacts: Sequence[Any], f: float) -> Optional[Tuple[float, float, float, float]]:
    """Returns the window around the contacts: y of the track, x."""
    boxes = []
    for contact in contacts:
        x0, x1, y0, y1 = maps.scene_of([contact]).window
        at, scale = _across(contact, f)
        boxes.append((at + y0 * scale, at + y1 * scale, contact.totals["track_x"] * f + x0 * f, contact.totals["track_x"] * f + x1 * f))
    if not boxes:
        return None
    box = np.array(boxes)
    low, high = box[:, 0].min(), box[:, 1].max()
    return low - 0.1 * (high - low), high, box[:, 2].min(), box[:, 3].max()  # with room for the numbers below


def _draw_plan(axes: Any, own: Sequence[Any], window: Any, width: float, height: float, f: float, name: str,
               limits: maps.Limits, shown: names.Unit) -> None:
    drawn = None
    for contact, values in own:
        at, scale = _across(contact, f)
        grid = contact.grid
        along = (contact.totals["track_x"] + grid.edges_x) * f
        drawn = axes.pcolormesh(along, at + grid.edges_y * scale, np.ma.masked_invalid(values * shown.factor),
                                cmap="RdBu_r" if maps.kind_of(name) == "signed" else "viridis",
                                vmin=limits.low * shown.factor, vmax=limits.high * shown.factor, rasterized=True)
        lowest = grid.edges_y[:-1][(np.isfinite(values)).any(axis=1)][:1]
        axes.annotate(str(contact.index), (contact.totals["track_x"] * f, at + (lowest[0] if lowest.size else 0.0) * scale), (0, -3),
                      textcoords="offset points", ha="center", va="top")
    if drawn is None:
        maps.nothing(axes, "no contact")
    else:
        maps.colour_bar(axes, drawn, extend=limits.extend)
    if window is not None:
        middle_y, middle_x = (window[0] + window[1]) / 2, (window[2] + window[3]) / 2
        axes.set(xlim=(middle_x - height / 2, middle_x + height / 2), ylim=(middle_y - width / 2, middle_y + width / 2))
    maps.to_scale(axes)
    axes.set(xlabel="$x$, along the track (mm)", ylabel="$y$, right (mm)")
    maps.few_ticks(axes)


# --- Contact lines
KEY = "wheel_rail.wheelset.y"
LATERAL = "Lateral position of the wheelset $y$ (mm)"
DASHES = (0, (5, 2))
BETWEEN = 14.0  # [mm] between the profiles
MOST_LINES = 41
JUMP = 4.0  # [mm] along the profile, from one point of a sweep to the next


def contact_lines(view: View, profiles: Optional[Sequence[Dict[str, Any]]] = None) -> Any:
    """Draws where wheel and rail touch over the lateral position, as lines between their profiles, and the quantities that
    follow."""
    return page(*line_panels(view, profiles))


def line_panels(view: View, profiles: Optional[Sequence[Dict[str, Any]]]) -> Tuple[List[Panel], Text]:
    rows = curves.of_sweep(view) if view.is_sweep else None
    if rows is None or list(rows.keys) != [KEY] or rows.keys[KEY].dtype.kind != "f":
        raise Refused(f"{view.name}: contact lines are of a sweep over {KEY} alone; accepted: such a sweep")
    f = length_factor(view)
    y = rows.keys[KEY] * f
    sides = view.sides or [""]
    for side in sides:
        for needed in ("nearest_rail_y", "nearest_wheel_y", "nearest_angle"):
            if view.column(needed, side) is None:
                raise Refused(f"{view.name}: no point of the sweep has a {needed}; accepted: a sweep of a wheel on a rail")
    lines = {str(line["side"]): line for line in profiles or ()}
    panels = []
    for side in sides:
        own = lines.get(side) or (next(iter(lines.values())) if lines and not side else None)
        named = side or (str(own["side"]) if own else "")
        if own:
            panels.append(_lines_panel(view, y, side, named, own, f, len(sides) == 1))
    panels += _curve_panels(view, rows, y, sides, f)
    from matplotlib.lines import Line2D
    legend = [Line2D([], [], color=maps.GREY, label="contact position")] if lines else []
    if lines:
        legend += [Line2D([], [], color=RAIL, label="rail"), Line2D([], [], color=WHEEL, label="wheel")]
    if len(sides) == 2:
        legend += [Line2D([], [], color=LEFT, label="left wheel"), Line2D([], [], color=RIGHT, linestyle=(0, (5, 2)), label="right wheel")]
    notes = list(rows.notes) + (["Numbers at the lines: lateral position of the wheelset in mm, to the right."] if lines else
                                ["Without the profiles: `slipfield plot` reads and draws them."])
    notes.append("Curves end where a contact jumps to another place of its profile. Δr: right less left. Δr/(2y) equals the equivalent "
                 "conicity of conical wheels only.")
    return panels, Text(view.title, [], notes, legend)


def _height_at(line: Any, at: float, lowest: bool) -> float:
    """Returns z of the line at a place; if there are several, the one nearest to the other body."""
    y, z = line[:, 0], line[:, 1]
    crossing = np.flatnonzero(((y[:-1] - at) * (y[1:] - at) <= 0.0) & (y[:-1] != y[1:]))
    if not crossing.size:
        return math.nan
    found = z[crossing] + (z[crossing + 1] - z[crossing]) * (at - y[crossing]) / (y[crossing + 1] - y[crossing])
    return float(found.max() if lowest else found.min())


def _lines_panel(view: View, y: Any, side: str, named: str, lines: Dict[str, Any], f: float, wide: bool) -> Panel:
    rail, wheel = np.array(lines["rail"]), np.array(lines["wheel"])
    over = (wheel[:, 0] > rail[:, 0].min()) & (wheel[:, 0] < rail[:, 0].max())
    wheel = wheel - [0.0, wheel[over, 1].max() - rail[:, 1].min() + BETWEEN]
    on_rail, on_wheel = (view.column(name, side).values * f for name in ("nearest_rail_y", "nearest_wheel_y"))  # type: ignore[union-attr]
    z = np.concatenate([rail[:, 1], wheel[over, 1]])

    def draw(axes: Any) -> None:
        labelled: List[float] = []
        room = (0.045 if wide else 0.09) * (rail[:, 0].max() - rail[:, 0].min())  # of a number of four letters
        for i in range(0, len(y), -(-len(y) // MOST_LINES)):
            a, b = _height_at(wheel, on_wheel[i], True), _height_at(rail, on_rail[i], False)
            if math.isnan(a) or math.isnan(b):
                continue
            axes.plot([on_wheel[i], on_rail[i]], [a, b], color=maps.GREY, linewidth=0.7)
            if all(abs(on_wheel[i] - other) > room for other in labelled):
                labelled.append(on_wheel[i])
                axes.annotate(names.number(y[i], 3), (on_wheel[i], a), (0, 2), textcoords="offset points", ha="center",
                              va="bottom", fontsize="small")
        axes.plot(*rail.T, color=RAIL)
        axes.plot(*wheel.T, color=WHEEL)
        margin = 0.05 * (z.max() - z.min())
        axes.set(xlim=(rail[:, 0].min() - 2, rail[:, 0].max() + 2), ylim=(z.max() + margin, z.min() - margin),
                 xlabel="$y$ of the profiles (mm)", ylabel="$z$, down (mm)")
        maps.few_ticks(axes)

    return Panel(draw, f"{names.capital(named)} wheel above, rail below", 0.45 if wide else 0.75, wide=wide)


def _moves_far(places: Any) -> Any:
    """For each pair of neighbouring places of a contact [mm] in a profile: whether it jumps between them."""
    moved = np.abs(np.diff(places))
    if not np.isfinite(moved).any():
        return np.zeros(len(moved), dtype=bool)
    return (moved > JUMP) & (moved > 3.0 * np.nanmedian(moved))


def _jumps(view: View, y: Any, sides: Sequence[str], f: float) -> Any:
    """For each pair of neighbouring points: whether the contact of a wheel jumps between them to another place of its profile.
    A single wheel has its mirror image on the other side of the axle."""
    jumps = np.zeros(max(len(y) - 1, 0), dtype=bool)
    for side in sides:
        place = view.column("nearest_wheel_y", side)
        if place is None:
            continue
        jumps |= _moves_far(place.values * f)
    if len(sides) == 1:
        at = -0.5 * (y[1:] + y[:-1])[jumps]
        low, high = np.minimum(y[1:], y[:-1]), np.maximum(y[1:], y[:-1])
        for place in at:
            jumps |= (low < place) & (place < high)
    return jumps


def _draw_curves(axes: Any, label: str, curves_: Sequence[Tuple[Any, Any, Any, Any]], x: str = LATERAL) -> None:
    """Draws curves (x, y, colour, line style) over the lateral position."""
    axes.grid(True)
    maps.draw_lines(axes, [(along, values, {"color": colour, "linestyle": line}) for along, values, colour, line in curves_], False,
                    xlabel=x, ylabel=label)


def _broken(values: Any, jumps: Any) -> Any:
    """Returns the values with a gap at each jump."""
    return np.insert(values.astype(float), np.flatnonzero(jumps) + 1, np.nan)


def _curve_panels(view: View, rows: curves.Rows, y: Any, sides: Sequence[str], f: float) -> List[Panel]:
    def panel(label: str, series: Sequence[Tuple[str, Any]]) -> Panel:
        def draw(axes: Any) -> None:
            axes.axvline(0.0, color=maps.GREY, linewidth=axes.spines["left"].get_linewidth())
            _draw_curves(axes, label, [(_broken(y, jumps), _broken(values, jumps), (LEFT, RIGHT)[i] if len(series) > 1 else "black",
                                        DASHES if i else "-") for i, (_, values) in enumerate(series)])
        return Panel(draw)

    made = []
    jumps = _jumps(view, y, sides, f)
    difference = view.column("rolling_radius_difference")
    if difference is not None:
        dr = difference.values * f
        made.append(panel(r"Radius difference $\Delta r$ (mm)", [("", dr)]))
        with np.errstate(divide="ignore", invalid="ignore"):
            conicity = np.where(np.abs(y) > 1e-9, dr / (2.0 * y), np.nan)
        made.append(panel(r"$\Delta r/(2y)$", [("", conicity)]))
    angle, radius = [], []
    for side in sides:
        place = view.column("nearest_y", side)
        sign = 1.0 if place is not None and names.span(place.values)[1] < 0.0 else -1.0
        angle.append((side, np.degrees(view.column("nearest_angle", side).values) * sign))  # type: ignore[union-attr]
        column = view.column("rolling_radius", side)
        if column is not None:
            radius.append((side, column.values * f))
    made.append(panel("Contact angle, + as on the flange (°)", angle))
    if radius:
        made.append(panel("Rolling radius $r$ (mm)", radius))
    return made


# --- A wheelset across its track, undeformed
def across(data: Any) -> Any:
    """Draws `slipfield geometry --json`: radii, places and angles over the lateral position, conicity over the amplitude."""
    from matplotlib.lines import Line2D
    rows = data.get("rows") if isinstance(data, dict) else None
    if not rows or "equivalent_conicity" not in rows[0]:
        raise InputError("this is not the geometry of a wheelset; accepted: the document of `slipfield geometry CASE.yaml --json`")
    columns = {name: np.array([math.nan if row[name] is None else float(row[name]) for row in rows]) for name in rows[0]}
    y = columns["wheelset_y"]

    def panel(label: str, series: Sequence[Tuple[Any, Any, Any, Any]], x: str = LATERAL) -> Panel:
        return Panel(lambda axes: _draw_curves(axes, label, series, x))

    # Lines have gaps where a contact jumps to another place of its profiles.
    far = {side: _moves_far(columns[f"{side}_nearest_rail_y"]) | _moves_far(columns[f"{side}_nearest_wheel_y"]) for side in ("left", "right")}

    def broken(values: Any, jumps: Any, colour: Any, line: Any) -> Tuple[Any, Any, Any, Any]:
        return _broken(y, jumps), _broken(values, jumps), colour, line

    def sides(name: str, factor: float = 1.0) -> List[Tuple[Any, Any, Any, Any]]:
        return [broken(-factor * columns["left_" + name], far["left"], LEFT, "-"),
                broken(factor * columns["right_" + name], far["right"], RIGHT, DASHES)]

    pushed = y > 0.0
    panels = [panel(r"Radius difference $\Delta r$ (mm)",
                    [broken(columns["rolling_radius_difference"], far["left"] | far["right"], "black", "-")]),
              panel("Contact on the rail, + to the field (mm)", sides("nearest_rail_y")),
              panel("Contact on the wheel, + to the field (mm)", sides("nearest_wheel_y")),
              panel("Contact angle, + as on the flange (°)", sides("nearest_angle", -180.0 / math.pi))]
    if pushed.any():
        panels.append(panel("Equivalent conicity", [(y[pushed], columns["equivalent_conicity"][pushed], "black", "-"),
                                                    (y[pushed], columns["rolled_conicity"][pushed], maps.GREY, DASHES)],
                            "Amplitude (mm)"))
    legend = [Line2D([], [], color=LEFT, label="left wheel"), Line2D([], [], color=RIGHT, linestyle=DASHES, label="right wheel"),
              Line2D([], [], color=maps.GREY, linestyle=DASHES, label="conicity with roll")]
    return page(panels, Text(str(data.get("title", "")), [], ["Δr: right less left. Conicity by EN 15302, without roll."], legend))


# --- A profile on its own
def _usual_range(values: Any) -> Optional[Tuple[float, float]]:
    """Limits that leave out what few values have, as curvatures at kinks; None where all are alike."""
    low, high = np.quantile(values, [0.01, 0.99])
    room = 0.15 * (high - low)
    if values.max() - values.min() <= 2.5 * (high - low + 2.0 * room):
        return None
    return float(low - room), float(high + room)


def profile(data: Dict[str, Any]) -> Any:
    """Draws profile, slope and curvature: {"name", "role", "points": [[y, z]], "curve": [[y, z, slope, curvature]], "length",
    "notes"}."""
    from matplotlib.lines import Line2D
    missing = [name for name in ("name", "role", "points", "curve", "length") if not isinstance(data, dict) or name not in data]
    if missing:
        raise InputError(f"the profile has no {', '.join(map(repr, missing))}; accepted: a dict with name, role, points, curve and "
                         "length, or for a file the command `slipfield plot FILE --profile wheel -o FIGURE`")
    curve, points = _table(data, "curve", 4), _table(data, "points", 2)
    low, high = min(curve[:, 0].min(), points[:, 0].min()), max(curve[:, 0].max(), points[:, 0].max())
    margin = 0.03 * (high - low)
    z = np.concatenate([curve[:, 1], points[:, 1]])

    def outline(axes: Any) -> None:
        axes.plot(points[:, 0], points[:, 1], ".", color=WHEEL, markersize=2.5, zorder=3)
        axes.plot(curve[:, 0], curve[:, 1], color=RAIL)
        room = 0.06 * (z.max() - z.min()) or 1.0
        axes.set(xlim=(low - margin, high + margin), ylim=(z.max() + room, z.min() - room), xlabel="$y$ (mm)", ylabel="$z$, down (mm)")
        maps.to_scale(axes)
        maps.few_ticks(axes)

    notes = [names.clean(note) for note in data.get("notes", [])]
    spiked = _usual_range(curve[:, 3])
    if spiked:
        notes.append(f"At kinks the curvature goes beyond what is drawn, up to {names.number(names.greatest(curve[:, 3]), 3)} 1/m.")

    def of(column: int, label: str, limits: Optional[Tuple[float, float]] = None) -> Panel:
        def draw(axes: Any) -> None:
            axes.grid(True)
            maps.draw_lines(axes, [(curve[:, 0], curve[:, column], {"color": RAIL})], xlim=(low - margin, high + margin), xlabel="$y$ (mm)",
                            ylabel=label, **({"ylim": limits} if limits else {}))
        return Panel(draw, wide=True)

    ratio = min(max((z.max() - z.min()) * 1.12 / (high - low), 0.28), 0.6)
    panels = [Panel(outline, aspect=ratio, wide=True), of(2, "Slope, + if the field side is lower (°)"),
              of(3, "Curvature, + where it bulges (1/m)", spiked)]
    legend = [Line2D([], [], color=RAIL, label="curve"),
              Line2D([], [], color=WHEEL, marker=".", linestyle="none", label="points of the file")]
    summary = [f"{names.capital(str(data['role']))}, right side", f"{len(points)} points",
               f"{names.number(float(data['length']))} mm along its surface"]
    return page(panels, Text(str(data["name"]), summary, notes, legend), 1)
