# SPDX-License-Identifier: Apache-2.0
"""Draws the inside of the bodies: greatest stresses over depth and along y, sections, the shakedown map; and convergence."""

from __future__ import annotations

import math
from typing import Any, List, Sequence, Tuple

import numpy as np

from . import names
from .maps import BLUE, GREEN, GREY, RED, Scene, division, draw_lines, few_ticks, limits_of, place_text, to_scale
from .layout import Panel, colour_bar
from .view import Inside, Refused

_PROFILES = (("von_mises", BLUE, "-"), ("tresca", RED, (0, (5, 2))), ("principal_1", GREEN, (0, (1.5, 1.5))),
             ("dang_van", "#CC79A7", "-"), ("crossland", "#E69F00", (0, (5, 2, 1.5, 2))))
PASSAGE = ("dang_van", "crossland")  # one number for a whole passage along x


def insides_of(contact: Any) -> List[Inside]:
    found = contact.insides
    if not found:
        raise Refused(f"{contact.view.name}: step {contact.number} has no interior; accepted: a case with 'interior', or what "
                      "`slipfield interior` writes")
    return found


def panels_of(scene: Scene, wanted: Sequence[str], legend: List[Any]) -> List[Panel]:
    """Returns the panels of `depth`, `along_y` and quantities for each body and contact."""
    made: List[Panel] = []
    for name in wanted:
        for contact in scene.contacts:
            for inside in insides_of(contact):
                if name == "depth":
                    made.append(profile_panel(scene, contact, inside, "by_depth", inside.depth, legend))
                elif name == "along_y":
                    made.append(profile_panel(scene, contact, inside, "along_y", inside.y, legend))
                else:
                    made += section_panels(scene, contact, inside, name)
    return made


def profile_panel(scene: Scene, contact: Any, inside: Inside, suffix: str, places: Any, legend: List[Any]) -> Panel:
    """Draws the greatest of each stress at each depth, or in each row."""
    from matplotlib.lines import Line2D
    curves = [(name, inside.group[f"{name}_{suffix}"][()], colour, line) for name, colour, line in _PROFILES
              if f"{name}_{suffix}" in inside.group]
    if not curves or len(places) < 2:
        raise Refused(f"{contact.view.name}: step {contact.number} has no " + (
            "fatigue along y; accepted: a case with 'interior.fatigue' and two or more rows, or what `slipfield interior "
            "--fatigue` writes" if suffix == "along_y" else "two depths; accepted: an interior with several depths"))
    shown_names = {handle.get_label() for handle in legend}
    for name, _, colour, line in curves:
        label = names.label(name, None, names.INSIDE[name])
        if label not in shown_names:
            legend.append(Line2D([], [], color=colour, linestyle=line, label=label))
    length = names.scaled(contact.unit("undeformed_distance"), names.greatest(places))
    stress = names.scaled(contact.unit("pressure"), max(names.greatest(values) for _, values, _, _ in curves))

    def draw(axes: Any) -> None:
        draw_lines(axes, [(places * length.factor, values * stress.factor, {"color": colour, "linestyle": line})
                          for _, values, colour, line in curves],
                   xlim=(places[0] * length.factor, places[-1] * length.factor), ylabel=f"Greatest stress ({stress.text})",
                   xlabel=f"Depth ({length.text})" if suffix == "by_depth" else f"$y$ ({length.text})")

    over = "over the depth" if suffix == "by_depth" else "along $y$"
    return Panel(draw, scene.heading(contact, f"{names.capital(inside.body)} body, {over}"), 0.75)


def section_panels(scene: Scene, contact: Any, inside: Inside, name: str) -> List[Panel]:
    """Draws sections along x and along y through the greatest von Mises stress."""
    if name not in inside.quantities:
        raise Refused(f"{contact.view.name}: the interior of step {contact.number} does not hold {name}; accepted: "
                      f"{', '.join(['depth', 'along_y', *inside.quantities])}")
    if len(inside.depth) < 2:
        raise Refused(f"{contact.view.name}: the interior of step {contact.number} has one depth; accepted for a section: two or more")
    data = inside.group[name]
    at = np.ravel(inside.totals.get("max_von_mises_at", (0.0, 0.0, 0.0)))
    made = []
    cuts = []
    if len(inside.x) > 1 and not (name in PASSAGE and len(inside.y) > 1):
        row = int(np.argmin(np.abs(inside.y - at[1] - 1e-9)))
        cuts.append(("x", inside.x, data[:, row, :], "y", inside.y[row], contact.grid.dy))
    if len(inside.y) > 1:
        column = int(np.argmin(np.abs(inside.x - at[0] - 1e-9)))
        cuts.append(("y", inside.y, data[:, :, column], "x", inside.x[column], contact.grid.dx))
    known = names.INSIDE.get(name, names.find(name))
    limits = limits_of([cut[2] for cut in cuts], known.kind)
    unit = names.scaled(inside.unit(name), max(abs(limits.low), abs(limits.high)), name)
    for along, places, values, other, place, size in cuts:
        where = place_text(place, scene.length, size)
        title = f"{names.label(name, unit, known)}, {inside.body} body at ${other}$ = {where}"
        thickness = inside.depth[-1] - inside.depth[0]
        ratio = thickness / (places[-1] - places[0])
        made.append(Panel(lambda axes, a=along, p=places, v=values: _draw_section(axes, scene, inside, a, p, v, unit, limits, known),
                          scene.heading(contact, title), ratio, bar=True))
    return made


def _draw_section(axes: Any, scene: Scene, inside: Inside, along: str, places: Any, values: Any, unit: names.Unit,
                  limits: Any, known: names.Name) -> None:
    f = scene.length.factor
    sign = 1.0 if inside.body == "upper" else -1.0  # z points into body 1
    shown = axes.pcolormesh(places * f, sign * inside.depth * f, np.ma.masked_invalid(values * unit.factor), shading="gouraud",
                            cmap="RdBu_r" if known.kind == "signed" else "viridis", vmin=limits.low * unit.factor,
                            vmax=limits.high * unit.factor, rasterized=True)
    colour_bar(axes, shown, extend=limits.extend)
    axes.set(xlabel=f"${along}$ ({scene.length.text})", ylabel=f"$z$ ({scene.length.text})",
             xlim=(places[0] * f, places[-1] * f), ylim=sorted((sign * inside.depth[0] * f, sign * inside.depth[-1] * f)))
    to_scale(axes)
    few_ticks(axes)


# --- The shakedown map. Tables over the friction of the greatest shear stress over p_0, by steps of .05: where the first pass yields,
# and where every pass does; where the friction is greater, the surface yields. solver/surface/shakedown.cpp has
# the circle's tables, and the search that the line's are of (THEORY.md 14.4).
_POINT = ((0.3100, 0.3106, 0.3123, 0.3153, 0.3195, 0.3249, 0.3402, 0.3867, 0.4337, 0.4812, 0.5287),
          (0.2137, 0.2277, 0.2420, 0.2565, 0.2713, 0.2863, 0.3015))
_LINE = ((0.3003, 0.3014, 0.3048, 0.3106, 0.3190, 0.3311, 0.3588, 0.3869, 0.4154),
         (0.2500, 0.2651, 0.2805, 0.2962, 0.3122, 0.3284, 0.3448, 0.3614))


def _between(table: Sequence[float], friction: float) -> float:
    place = friction / 0.05
    first = min(int(place), len(table) - 2)
    return table[first] + (place - first) * (table[first + 1] - table[first])


def _limits(tables: Sequence[Sequence[float]], friction: float) -> Tuple[float, float]:
    elastic, shakedown = (1.0 / max(_between(table, friction), friction) for table in tables)
    return elastic, shakedown


def line_limits(friction: float) -> Tuple[float, float]:
    """Elastic and shakedown limit p_0/k of a line contact, to 0.3 %."""
    return _limits(_LINE, friction)


def point_limits(friction: float) -> Tuple[float, float]:
    """The same for a circular contact."""
    return _limits(_POINT, friction)


def _orthogonal(length_over_width: float) -> float:
    """Of an ellipse's p_0, the greatest shear stress on planes parallel to the surface: Lundberg and Palmgren's form."""
    t = np.linspace(1.0, 1.4, 4001)
    found = float(np.interp(length_over_width, np.sqrt((t * t - 1.0) * (2.0 * t - 1.0)), t))
    return 0.5 * math.sqrt(2.0 * found - 1.0) / (found * (found + 1.0))


def ellipse_limits(friction: float, width_over_length: float) -> Tuple[float, float]:
    """The same of an ellipse; of a long one, or of 0, a circle's."""
    elastic, circle = point_limits(friction)
    if not width_over_length > 1.0:
        return elastic, circle
    round_, line = _orthogonal(1.0), _orthogonal(0.0)
    share = (_orthogonal(1.0 / width_over_length) - round_) / (line - round_)
    below = [_between(table, friction) for table in (_POINT[1], _LINE[1])]
    shakedown = 1.0 / max(below[0] + share * (below[1] - below[0]), friction)
    return min(elastic, shakedown), shakedown


def shakedown_panels(scene: Scene, notes: List[str], legend: List[Any]) -> List[Panel]:
    """Draws the point of each step into the map for its kind of contact."""
    from matplotlib.lines import Line2D
    points = []
    for contact in scene.contacts:
        t = contact.totals
        if "shakedown_load" not in t or "used_friction" not in t:
            why = ": nothing touches in it; accepted: a step in contact" if t.get("normal_force") == 0.0 else "; accepted: a case with 'fatigue'"
            raise Refused(f"{contact.view.name}: step {contact.number} has no point in the shakedown map{why}")
        points.append((t["used_friction"], t["shakedown_load"]))
        notes += ellipse_note(contact)
    legend += [Line2D([], [], color=BLUE, linestyle=(0, (5, 2)), label="elastic limit"),
               Line2D([], [], color=RED, label="shakedown limit"),
               Line2D([], [], color="black", linestyle="none", marker="o", label="this contact")]
    most_friction = max(0.6, *(1.1 * point[0] for point in points))
    most_load = max(5.5, *(1.1 * point[1] for point in points))

    def draw(axes: Any, point: Tuple[float, float], shape: Tuple[bool, float]) -> None:
        line, ratio = shape
        frictions = np.linspace(0.0, most_friction, 41)
        limits = np.array([line_limits(float(f)) if line and ratio > 1.0 else ellipse_limits(float(f), ratio) for f in frictions])
        axes.plot(frictions, limits[:, 0], color=BLUE, linestyle=(0, (5, 2)))
        axes.plot(frictions, limits[:, 1], color=RED)
        axes.plot(*point, "o", color="black", markersize=5)
        axes.set(xlim=(0, most_friction), ylim=(0, most_load), xlabel="Tangential over normal force $F_t/F_n$",
                 ylabel="Load $p_0/k$")
        few_ticks(axes)

    def kind(line: bool, ratio: float) -> str:
        return "line contact" if line else f"an ellipse {ratio:.2g} times as wide as long" if ratio > 1.2 else "circular contact"

    return [Panel(lambda axes, p=point, s=passed_contact(contact): draw(axes, p, s),
                  scene.heading(contact, f"Shakedown map of {kind(*passed_contact(contact))}"), 0.75)
            for contact, point in zip(scene.contacts, points)]


def _span(touches: Any, spacing: float, repeats: bool) -> Tuple[float, bool]:
    """Returns the length from the first to the last that touches, on a period less the longest gap; whether all touch."""
    places = np.flatnonzero(touches)
    gap = max(len(touches) - 1 - places[-1] + places[0], int(np.diff(places).max(initial=1)) - 1 if repeats else 0)
    return (len(touches) - gap) * spacing, bool(touches.all())


def _variation(pressure: Any) -> Tuple[float, float]:
    """Returns how a pressure varies along x and along y, 0 where it is what solutions leave."""
    squares = [((pressure - pressure.mean(axis=axis, keepdims=True)) ** 2).sum() / (pressure ** 2).sum() for axis in (1, 0)]
    return squares[0] * (squares[0] > 1e-8), squares[1] * (squares[1] > 1e-8)


def passed_contact(contact: Any) -> Tuple[bool, float]:
    """Returns whether the contact is a line, and its width over its length along the passage; solver/surface/surface_fields.h."""
    state, grid, t = division(contact), contact.grid, contact.totals
    rolls = contact.problem.endswith("rolling")
    shift = math.hypot(t.get("shift_x", 0.0), t.get("shift_y", 0.0))
    towards = math.cos(contact.direction), math.sin(contact.direction)
    if not rolls:
        towards = (t["shift_x"] / shift, t["shift_y"] / shift) if shift > 0.0 else (1.0, 0.0)
    if state is None or not (state > 0).any():
        return len(grid.y) == 1, math.inf if len(grid.y) == 1 else 0.0
    repeats = [contact.boundary in ("periodic", f"periodic_{axis}") for axis in "xy"]
    (long_x, full_x), (long_y, full_y) = (_span((state > 0).any(axis=axis), spacing, repeat)
                                          for axis, spacing, repeat in zip((0, 1), (grid.dx, grid.dy), repeats))
    fills_x, fills_y = repeats[0] and full_x, repeats[1] and full_y
    varies_x, varies_y = _variation(contact.field("pressure")) if fills_x and fills_y and "pressure" in contact.fields else (0.0, 0.0)
    along_y = len(grid.y) == 1 or (fills_y and (not fills_x or varies_y < 1e-4 * varies_x))
    along_x = not along_y and (len(grid.x) == 1 or (fills_x and (not fills_y or varies_x < 1e-4 * varies_y)))
    if along_x or along_y:
        across = not (rolls or shift > 0.0) or along_x == (abs(towards[1]) > abs(towards[0]))
        return True, math.inf if across else 0.0
    return False, (math.hypot(long_x * towards[1], long_y * towards[0]) / math.hypot(long_x * towards[0], long_y * towards[1]))


def ellipse_note(contact: Any) -> List[str]:
    """A long ellipse has other limits than those that are drawn."""
    line, ratio = passed_contact(contact)
    if line and ratio == 0.0:
        return ["The contact is a line along which the material passes, and the shakedown limits are those of a circle: "
                f"{names.number(point_limits(0.0)[1], 3)} without friction."]
    if line:
        return []
    if ratio > 2.0:
        return ["The load has the greatest pressure of an ellipse, 1.5 times the mean; that of a line is 1.27 times."]
    if 0.0 < ratio < 0.5:
        return [f"The contact is {1 / ratio:.2g} times as long as wide, and the shakedown limits are those of a circle: "
                f"{names.number(point_limits(0.0)[1], 3)} without friction."]
    return []


# --- Convergence
_PHASES = ((0, "normal", BLUE, "-"), (1, "tangential", RED, (0, (5, 2))), (2, "outer", GREEN, (0, (1.5, 1.5))))


def history_panels(scene: Scene, legend: List[Any]) -> List[Panel]:
    """Draws the relative change of the tractions in each iteration, by phase, on a logarithmic scale."""
    from matplotlib.lines import Line2D
    made, there = [], set()
    tolerance = _tolerance(scene.contacts[0].view)
    for contact in scene.contacts:
        history = contact.history
        if not history or not len(history["change"]):
            raise Refused(f"{contact.view.name}: step {contact.number} has no history of its iterations; accepted: a result of "
                          "`slipfield run`")
        there |= {int(phase) for phase in history["phase"]}

        def draw(axes: Any, history: Any = history) -> None:
            number = np.arange(1, len(history["change"]) + 1)
            for code, _, colour, line in _PHASES:
                part = (history["phase"] == code) & (history["change"] > 0.0)
                if part.any():
                    axes.plot(number[part], history["change"][part], color=colour, linestyle=line, marker="o")
            if tolerance:
                axes.axhline(tolerance, color=GREY, linestyle=(0, (1.5, 1.5)))
            axes.set_yscale("log")
            axes.set(xlabel="Iteration", ylabel="Relative change of the tractions")
            from matplotlib.ticker import MaxNLocator
            axes.xaxis.set_major_locator(MaxNLocator(8, integer=True))

        made.append(Panel(draw, scene.heading(contact, "Convergence"), 0.75))
    legend += [Line2D([], [], color=colour, linestyle=line, marker="o", label=f"{name} problem" if code < 2 else "outer iteration")
               for code, name, colour, line in _PHASES if code in there]
    if tolerance:
        legend.append(Line2D([], [], color=GREY, linestyle=(0, (1.5, 1.5)), label="tolerance"))
    return made


def _tolerance(view: Any) -> float:
    import re
    found = re.search(r"\btolerance: ([0-9.eE+-]+)", getattr(view, "case", "").split("expected:")[0])
    try:
        return float(found.group(1)) if found else 0.0
    except ValueError:
        return 0.0
