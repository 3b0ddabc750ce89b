# SPDX-License-Identifier: Apache-2.0
"""Draws totals over the keys of a sweep or the steps of a sequence: curves, facets, heat maps."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, field as member, replace
from typing import Any, Dict, List, Optional, Sequence, Set, Tuple

import numpy as np

from . import names
from .maps import GREY, few_ticks, limits_of, nothing
from .layout import Panel, Text, colour_bar, page
from .view import Column, Refused, View

LINES = ("-", (0, (5, 2)), (0, (1.5, 1.5)), (0, (5, 2, 1.5, 2)))
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MOTIONS = ("creepage_x", "creepage_y", "spin", "shift_x", "shift_y", "rotation")
MOST_PANELS = 32


@dataclass
class Rows:
    """Keys and totals side by side, of a sweep, a sequence or several of them."""
    keys: Dict[str, Any]
    units: str
    source: Any                      # has column(name, side), totals, is_of_contact(name), sides
    name: str = ""
    title: str = ""
    converged: Any = None
    missing: Sequence[str] = member(default_factory=list)
    notes: List[str] = member(default_factory=list)

    @property
    def count(self) -> int:
        return len(next(iter(self.keys.values())))

    def series(self, quantity: str, side: str = "") -> List[Tuple[str, Column]]:
        """Returns a column, or those of the left and the right wheel."""
        if self.source.sides and not side:
            both = [(f"{one} wheel", self.source.column(quantity, one)) for one in self.source.sides]
            if all(column is not None for _, column in both):
                return [(label, column) for label, column in both if column is not None]
        if side in self.source.sides:
            column = self.source.column(quantity, side)
            if column is not None:
                return [("", Column(f"{side}_{quantity}", column.values, column.unit, column.description))]
        column = self.source.column(quantity)
        of, _, own = quantity.partition("_")
        if column is None and of in self.source.sides:  # a sweep has a row for each wheel
            column = self.source.column(own, of)
            if column is not None:
                return [("", Column(quantity, column.values, column.unit, column.description))]
        if column is None:
            what = "no point has the quantity" if quantity in names.TOTALS else "there is no quantity"
            # left_... and right_... are those of each wheel: the names without them draw both
            known = {name.partition("_")[2] if name.startswith(("left_", "right_")) else name for name in self.source.totals}
            if self.source.is_of_contact(quantity):
                raise Refused(f'{self.name}: "{quantity}" belongs to a contact, and curves show the whole wheel; accepted: '
                              f"--contact 1{', with --side left or right' if self.source.sides else ''}, the curves of one contact")
            key = names.request_of(quantity) if quantity in names.TOTALS else ""
            if key and not any(names.request_of(name) == key for name in known):
                raise Refused(f'{self.name}: no point has the quantity "{quantity}"; accepted: the result of a case with \'{key}\'')
            if side == "both" and quantity in known:
                raise Refused(f'{self.name}: "{quantity}" belongs to one wheel, and --side both draws numbers of the wheelset; '
                              "accepted: without it, or --side left or right")
            raise Refused(f'{self.name}: {what} "{quantity}"; {names.accepted(quantity, known)}')
        return [("", column)]

    def has(self, quantity: str, side: str = "") -> bool:
        try:
            found = self.series(quantity, side)
        except Refused:
            return False
        return any(np.isfinite(column.values).any() for _, column in found)

    def varies(self, quantity: str, side: str = "") -> bool:
        return self.has(quantity, side) and any(
            (lambda low, high: high - low > 1e-4 * max(abs(low), abs(high)))(*names.span(column.values))
            for _, column in self.series(quantity, side))


def given_by_keys(rows: Rows) -> Set[str]:
    """Returns the totals that are keys of the sweep."""
    return {total for key in rows.keys for total, known in names.TOTALS.items() if names.KEYS.get(key) is known}


def of_sweep(view: View) -> Rows:
    outcomes = view.outcomes
    rows = Rows(view.keys, view.units, view, view.name, view.title, np.array([o == "converged" for o in outcomes]))
    for outcome, words in (("not_converged", "did not converge"), ("failed", "failed"), ("not_run", "were not run")):
        if count := outcomes.count(outcome):
            rows.notes.append(f"{count} of {len(outcomes)} points {words}.")
    return rows


def of_steps(view: View) -> Rows:
    """Treats a sequence as a sweep over its steps."""
    steps = view.steps
    if len(steps) < 2:
        raise Refused(f"{view.name}: --over step and --quantities are of several steps, and it holds one step; accepted: a "
                      "sequence kept with `output: {steps: all}`, or a sweep")
    done = np.array([step.outcome == "converged" for step in steps])
    rows = Rows({"step": np.array(view.step_numbers, dtype=float)}, view.units, view, view.name, view.title, done)
    if not done.all():
        rows.notes.append(f"{int((~done).sum())} of {len(steps)} steps did not converge.")
    return rows


class OfContact:
    """The totals of one contact of a wheel over the points or the steps of a view."""

    def __init__(self, view: View, contact: int) -> None:
        self.view, self.contact, self.sides = view, contact, view.sides
        self.totals = [name for name in names.TOTALS if self.column(name) is not None]
        if not self.totals:
            raise Refused(f"{view.name}: no {'point' if view.is_sweep else 'step'} has a contact {contact} of a wheel; accepted: the number of "
                          "a contact on its wheel, or without --contact")

    def column(self, name: str, side: str = "") -> Optional[Column]:
        return self.view.column_of_contact(name, side, self.contact)

    def is_of_contact(self, name: str) -> bool:
        return False


def of_contact(rows: Rows, contact: int, side: str) -> Rows:
    """Returns the same rows with the totals of a contact; 0: unchanged."""
    if contact and rows.source.sides and side not in rows.source.sides:
        raise Refused(f"{rows.name}: contacts are numbered on each wheel, and this is the result of a wheelset; accepted: --side left or right "
                      "with --contact")
    return replace(rows, source=OfContact(rows.source, contact)) if contact else rows


class Joined:
    """The columns of several sweeps or sequences, one below the other."""

    def __init__(self, rows: Sequence[Rows]) -> None:
        self.rows = rows
        self.sides = rows[0].source.sides if all(r.source.sides == rows[0].source.sides for r in rows) else []

    @property
    def totals(self) -> List[str]:
        others = [set(r.source.totals) for r in self.rows[1:]]
        return [name for name in self.rows[0].source.totals if all(name in other for other in others)]

    def column(self, name: str, side: str = "") -> Optional[Column]:
        parts = [r.source.column(name, side) for r in self.rows]
        found = [part for part in parts if part is not None]
        if not found:
            return None
        values = [np.full(r.count, np.nan) if part is None else part.values for r, part in zip(self.rows, parts)]
        return Column(name, np.concatenate(values), found[0].unit, found[0].description)

    def is_of_contact(self, name: str) -> bool:
        return any(r.source.is_of_contact(name) for r in self.rows)


def joined(rows: Sequence[Rows], labels: Sequence[str], notes: Sequence[str] = ()) -> Rows:
    """Joins files, with the file as one more key. notes: differences of the cases."""
    for other in rows[1:]:
        if list(other.keys) != list(rows[0].keys):
            raise Refused(f"{other.name}: its keys are {', '.join(other.keys)}, and those of {rows[0].name} "
                          f"{', '.join(rows[0].keys)}; accepted: sweeps over the same keys")
        if other.units != rows[0].units:
            raise Refused(f"{rows[0].name} is in {rows[0].units} and {other.name} in {other.units}; accepted: results in "
                          "the same units")
    keys = {key: np.concatenate([r.keys[key] for r in rows]) for key in rows[0].keys}
    keys["file"] = np.concatenate([np.array([label] * r.count, dtype=object) for r, label in zip(rows, labels)])
    titles = list(dict.fromkeys(r.title for r in rows))
    return Rows(keys, rows[0].units, Joined(rows), rows[0].name, titles[0] if len(titles) == 1 else "",
                np.concatenate([r.converged for r in rows]), notes=[*notes, *(note for r in rows for note in r.notes)])


def default_quantities(rows: Rows, side: str = "") -> List[str]:
    """The force ratios, over steps and where the forces are given the motions too; else what varies. Not what a key prescribes.

    Of a wheel the forces and places of the whole, not those of a contact.
    """
    given = given_by_keys(rows)
    wheel = rows.has("axle_z", side)  # which every wheel has
    found = [] if wheel else [
        name for name in ("force_ratio_x", "force_ratio_y") if name not in given
        and rows.has(name, side) and max(names.greatest(c.values) for _, c in rows.series(name, side)) > 1e-6]
    if not wheel and (list(rows.keys)[0] == "step" or not found):
        found += [name for name in MOTIONS if name not in given and rows.varies(name, side)]
    if not found:
        usual = _OF_A_WHEEL if wheel else _OF_A_CONTACT
        found = [name for name in usual if name not in given and rows.varies(name, side)][:4]
        if wheel and rows.varies("worn_area", side):  # the case has 'wear'
            found.append("t_gamma")
    if not found:
        found = [name for name in ("track_force_z", "max_pressure", "normal_force", "nearest_rail_y") if rows.has(name, side)][:1]
    if not found:
        raise Refused(f"{rows.name}: no point has a total that could be drawn; accepted: --quantities")
    return found


_OF_A_WHEEL = ("track_force_z", "track_force_y", "rolling_radius_difference", "nearest_rail_y", "nearest_angle", "axle_z")
_OF_A_CONTACT = ("max_pressure", "approach", "normal_force", "moment_z", "force_x", "force_y", "rolling_resistance")


# --- Keys
def distinct(values: Any) -> List[Any]:
    """Returns the distinct values in the order of first appearance; numbers ascending."""
    found = list(dict.fromkeys(values.tolist()))
    return sorted(found) if values.dtype.kind == "f" else found


def _equal_to_text(values: Any, held: Sequence[Any], wanted: str, place: str) -> Any:
    """Returns which values are the typed one: equal, or, if none is, the one that has these digits when it is rounded to as many."""
    try:
        number, numbers = float(wanted), values.astype(float)
    except (ValueError, TypeError):
        return np.array([str(value) == wanted for value in values])
    same = np.isclose(numbers, number, rtol=1e-9, atol=0.0)
    if same.any() or not np.isfinite(number):
        return same
    digits = re.sub(r"[eE].*|\D", "", wanted).lstrip("0")
    near = [value for value in held if digits and float(f"{value:.{len(digits)}g}") == number
            and abs(value - number) <= 1e-3 * abs(number)]
    if len(near) > 1:
        raise Refused(f"{place} may be {' or '.join(repr(float(value)) for value in near[:6])}; accepted: one of them, with its digits")
    return np.isin(values, near)


def chosen_rows(rows: Rows, where: Sequence[str]) -> Any:
    """Returns which rows satisfy --where."""
    mask = np.ones(rows.count, dtype=bool)
    for condition in where:
        key, equals, wanted = condition.partition("=")
        if not equals or not key or not wanted:
            raise Refused(f'"{condition}" is not a condition; accepted: key.path=value')
        if key not in rows.keys:
            raise Refused(f'{rows.name}: the sweep has no key "{key}"; {names.accepted(key, rows.keys)}')
        values = rows.keys[key]
        held = distinct(values)
        same = _equal_to_text(values, held, wanted, f"{rows.name}: {condition}")
        if not same.any():
            most = 12
            shown = ", ".join(f"{value:.6g}" if isinstance(value, float) else str(value) for value in held[:most])
            more = f", ... ({len(held)} values)" if len(held) > most else ""
            raise Refused(f"{rows.name}: no point has {condition}; accepted: {shown}{more}")
        mask &= same
    if not mask.any():
        raise Refused(f"{rows.name}: no point has {' and '.join(where)}; accepted: values that points have together")
    return mask


def free_keys(rows: Rows, mask: Any) -> List[str]:
    """Returns the keys with several values; of keys that change together only the first numeric one."""
    found: List[str] = []
    for key, values in rows.keys.items():
        if len(distinct(values[mask])) >= 2 and not any(_together(rows, mask, key, other) for other in found):
            found.append(key)
    return found


def _together(rows: Rows, mask: Any, one: str, other: str) -> bool:
    """Whether each value of a key has one of the other key, and the other way round."""
    a, b = rows.keys[one][mask], rows.keys[other][mask]
    return len(set(zip(a.tolist(), b.tolist()))) == len(distinct(a)) == len(distinct(b))


def twins_of(rows: Rows, mask: Any, key: str) -> List[str]:
    """Returns the other keys that vary together with this one."""
    if len(distinct(rows.keys[key][mask])) < 2:
        return []
    return [other for other in rows.keys if other not in (key, "file") and _together(rows, mask, key, other)]


def keyed_text(rows: Rows, mask: Any, key: str, value: Any) -> str:
    """Writes the value of a key, and those of the keys that vary together with it: "hurst 0.3, $F_n$ = 500 mN"."""
    if key == "file":
        return str(value)
    first = np.flatnonzero(mask & (rows.keys[key] == value))[0]
    return ", ".join(names.value_text(each, rows.keys[each][first], rows.units) for each in (key, *twins_of(rows, mask, key)))


def twin_notes(rows: Rows, mask: Any, key: str) -> List[str]:
    """Says which values other keys have along an axis of this one."""
    twins = twins_of(rows, mask, key)
    if not twins:
        return []
    firsts = [np.flatnonzero(mask & (rows.keys[key] == value))[0] for value in distinct(rows.keys[key][mask])]
    texts = [", ".join(names.value_words(each, rows.keys[each][first], rows.units) for each in (key, *twins)) for first in firsts]
    return ["Keys that vary together: " + "; ".join(texts if len(texts) <= 6 else [*texts[:2], "...", texts[-1]]) + "."]


@dataclass
class Plan:
    """Assigns keys to the axis, to panels, colours and line styles."""
    over: str
    panels: Optional[str]
    colours: Optional[str]
    styles: Optional[str]
    total: Optional[Column] = None   # along the axis in place of `over`, which then says what follows what


def require_along(rows: Rows, over: str) -> None:
    """Refuses a name that is neither a key nor a total of any row."""
    if over and over not in rows.keys and rows.source.column(over) is None:
        known = [*rows.keys, *(name for name in rows.source.totals if rows.source.column(name) is not None)]
        raise Refused(f'{rows.name}: --over names no key and no total of it, "{over}"; {names.accepted(over, known)}')


def plan_of(rows: Rows, mask: Any, over: str, panels: str) -> Plan:
    free = free_keys(rows, mask)
    require_along(rows, over)
    total = rows.source.column(over) if over and over not in rows.keys else None
    over = "" if total is not None else over
    if panels and panels != "none" and panels not in rows.keys:
        raise Refused(f'{rows.name}: --panels names no key of it, "{panels}"; {names.accepted(panels, rows.keys)}')
    counts = {key: len(distinct(rows.keys[key][mask])) for key in free}
    numeric = [key for key in free if rows.keys[key].dtype.kind == "f"]
    if not over:
        over = max(numeric or free or list(rows.keys), key=lambda key: counts.get(key, 1))
    rest = [key for key in free if key not in (over, *twins_of(rows, mask, over))]
    if panels and panels != "none" and panels in (over, "file"):
        raise Refused(f"{rows.name}: --panels {panels}: this key is that of the horizontal axis; accepted: "
                      f"{', '.join(key for key in rest if key != 'file') or 'none'}")
    by_file = "file" in rest
    if by_file:
        rest.remove("file")
    panel = panels if panels in rest else None
    if not panels and len(rest) >= 2:
        panel = min(rest, key=lambda key: counts[key])
    rest = [key for key in rest if key != panel]
    rest.sort(key=lambda key: -counts[key])
    if len(rest) + by_file > 2:
        raise Refused(f"{rows.name}: the sweep has more keys than a figure can show ({', '.join(free)}); accepted: --where "
                      f"with a value of {' or '.join(rest[1:] or rest)}")
    colours = rest[0] if rest else "file" if by_file else None
    styles = rest[1] if len(rest) > 1 else "file" if by_file and colours != "file" else None
    return Plan(over, panel, colours, styles, total)


def is_logarithmic(values: Sequence[float]) -> bool:
    """Whether the values are evenly spaced as logarithms over at least a decade."""
    if len(values) < 4 or min(values) <= 0.0 or max(values) < 10.0 * min(values):
        return False
    steps = np.diff(np.log(np.array(values)))
    return bool(np.ptp(steps) < 0.02 * steps.mean())


def greatest_forces(rows: Rows, drawn: Sequence[str], mask: Any) -> List[float]:
    """Returns the greatest of the forces drawn and of the normal forces."""
    columns = [rows.source.column(name, side) for name in ("normal_force", "track_force_z", *drawn) if names.is_force(name)
               for side in ("", *rows.source.sides)]
    return [names.greatest(column.values[mask]) for column in columns if column is not None]


# --- Curves
def curves(rows: Rows, quantities: Sequence[str] = (), over: str = "", panels: str = "", where: Sequence[str] = (),
           side: str = "") -> Any:
    """Draws a panel for each quantity (and each value of the key `panels`), with a curve for each value of the other keys."""
    made, text = curve_panels(rows, quantities, over, panels, where, side)
    return page(made, text)


def curve_panels(rows: Rows, quantities: Sequence[str], over: str, panels: str, where: Sequence[str],
                 side: str) -> Tuple[List[Panel], Text]:
    mask = chosen_rows(rows, where)
    plan = plan_of(rows, mask, over, panels)
    drawn = list(quantities) or default_quantities(rows, side)
    facets = distinct(rows.keys[plan.panels][mask]) if plan.panels else [None]
    if len(drawn) * len(facets) > MOST_PANELS:
        raise Refused(f"{rows.name}: {len(drawn) * len(facets)} panels are asked for; a figure has at most {MOST_PANELS}")
    keyed = Keyed(rows, plan, mask)
    made = []
    forces = greatest_forces(rows, drawn, mask)
    for quantity in drawn:
        series = rows.series(quantity, side)
        keyed.note_sides(series)
        unit = series[0][1].unit
        most = names.most_of_forces(quantity, max(names.greatest(column.values[mask]) for _, column in series), forces)
        shown = names.scaled(unit, most, series[0][1].name)
        words = names.label(quantity if len(series) > 1 else series[0][1].name)
        for facet in facets:
            made.append(Panel(lambda axes, q=quantity, s=series, u=shown, m=most, f=facet: keyed.draw(axes, q, s, (u, m * u.factor), f),
                              "" if facet is None else (f"{words}, " if len(drawn) > 1 else "") + keyed_text(rows, mask, str(plan.panels), facet)))
    fixed = [names.value_text(key, distinct(values[mask])[0], rows.units) for key, values in rows.keys.items()
             if len(distinct(values[mask])) == 1 and (len(distinct(values)) > 1 or len(rows.keys) > 1) and key != "file"]
    return made, Text(rows.title, fixed, list(rows.notes) + keyed.notes(), keyed.legend())


class Keyed:
    """Draws panels of one plan with common colours and styles."""

    def __init__(self, rows: Rows, plan: Plan, mask: Any) -> None:
        self.rows, self.plan, self.mask = rows, plan, mask
        self.colours = distinct(rows.keys[plan.colours][mask]) if plan.colours else [None]
        self.styles = distinct(rows.keys[plan.styles][mask]) if plan.styles else [None]
        self.sides: List[str] = []
        self.hollow = False
        values = rows.keys[plan.over] if plan.total is None else plan.total.values
        self.texts = None if values.dtype.kind == "f" else distinct(values[mask])
        self.along = plan.over if plan.total is None else plan.total.name
        self.unit = names.scaled(names.unit_of(plan.over, rows.units) if plan.total is None else plan.total.unit,
                                 0.0 if self.texts else names.greatest(values[mask]), self.along)

    def note_sides(self, series: Sequence[Tuple[str, Column]]) -> None:
        if len(series) > 1:
            self.sides = [label for label, _ in series]

    def colour(self, colour: int, side: int) -> Any:
        """Wheels have the colours if they are drawn separately, otherwise the key has."""
        count = len(self.colours)
        if count == 1 and self.sides:
            return COLOURS[side]
        if count > len(COLOURS):
            from matplotlib import colormaps
            return colormaps["viridis"](0.92 * colour / (count - 1))
        return COLOURS[colour]

    def style(self, style: int, side: int) -> Any:
        both = style + (side if len(self.colours) > 1 else 0) * (len(self.styles) if len(self.styles) > 1 else 1)
        return LINES[both % len(LINES)] if len(self.colours) > 1 or not self.sides else LINES[style % len(LINES)]

    def draw(self, axes: Any, quantity: str, series: Sequence[Tuple[str, Column]], scale: Tuple[names.Unit, float], facet: Any) -> None:
        """scale: the unit, and the greatest magnitude in it, relative to which values may be noise."""
        rows, plan = self.rows, self.plan
        unit, beside = scale
        base = self.mask & (rows.keys[plan.panels] == facet if plan.panels else True)
        least, most = 0.0, 0.0
        everything = np.concatenate([column.values[self.mask] * unit.factor for _, column in series])
        least, most = names.span(everything)
        for (ci, colour), (si, style), (wi, (_, column)) in itertools.product(
                enumerate(self.colours), enumerate(self.styles), enumerate(series)):
            part = base.copy()
            if plan.colours:
                part &= rows.keys[plan.colours] == colour
            if plan.styles:
                part &= rows.keys[plan.styles] == style
            self._line(axes, np.flatnonzero(part), column.values * unit.factor, self.colour(ci, wi), self.style(si, wi))
        if not np.isfinite(everything).any():
            nothing(axes, "no point has this total")
        self._frame(axes, quantity if len(series) > 1 else series[0][1].name, unit, least, most, beside)

    def _line(self, axes: Any, rows: Any, values: Any, colour: Any, style: Any) -> None:
        keys = self.rows.keys[self.plan.over][rows]
        places = np.array([self.texts.index(key) for key in keys], dtype=float) if self.texts else keys
        order = np.argsort(places, kind="stable") if places.dtype.kind == "f" else np.arange(len(places))
        if self.plan.total is not None:
            x = self.plan.total.values[rows] * self.unit.factor
        else:
            x = places if self.texts else places * self.unit.factor
        x, y = x[order], values[rows][order]
        done = self.rows.converged[rows][order] if self.rows.converged is not None else np.ones(len(x), dtype=bool)
        few = len(x) <= 40
        axes.plot(x, y, color=colour, linestyle=style, marker="o" if few else None, markevery=np.flatnonzero(done).tolist())
        if not done.all() and np.isfinite(y[~done]).any():
            self.hollow = True
            axes.plot(x[~done], y[~done], linestyle="none", marker="o", markerfacecolor="white", markeredgecolor=colour)

    def _frame(self, axes: Any, quantity: str, unit: names.Unit, least: float, most: float, beside: float) -> None:
        axes.grid(True)
        if least <= 0.0 <= most:
            axes.axhline(0.0, color=GREY, linewidth=axes.spines["left"].get_linewidth(), zorder=1)
        room = 0.06 * (most - least)
        if most - least <= 1e-4 * max(abs(least), abs(most)):
            room = 0.1 * max(abs(least), abs(most)) or 1.0  # not what the solver's tolerance leaves
        if max(abs(least), abs(most)) < names.NOISE * beside:
            room = 0.1 * beside
        axes.set_ylim(least - room, most + room)
        known = names.find(quantity)
        axes.set(xlabel=names.label(self.along, self.unit), ylabel=names.label(quantity, unit, known))
        axes.ticklabel_format(axis="y", useOffset=False)
        if self.texts:
            axes.set_xticks(range(len(self.texts)), [shortened(text) for text in self.texts])
            return
        if self.plan.total is not None:
            few_ticks(axes)
            return
        values = [value * self.unit.factor for value in distinct(self.rows.keys[self.plan.over][self.mask])]
        if is_logarithmic(values):
            axes.set_xscale("log")
            from matplotlib.ticker import FuncFormatter
            axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: names.number(value, 3)))
            axes.xaxis.set_minor_formatter(FuncFormatter(lambda value, _: ""))
        few_ticks(axes)
        if self.plan.over == "step" or self.unit.factor == 1.0 and not is_logarithmic(values) and all(value == int(value) for value in values):
            from matplotlib.ticker import MaxNLocator
            axes.xaxis.set_major_locator(MaxNLocator(8, integer=True))

    def legend(self) -> List[Any]:
        from matplotlib.lines import Line2D
        handles = []
        if self.plan.colours:
            handles += [Line2D([], [], color=self.colour(i, 0), label=self._text(self.plan.colours, value))
                        for i, value in enumerate(self.colours)]
        if self.plan.styles:
            handles += [Line2D([], [], color=GREY, linestyle=self.style(i, 0), label=self._text(self.plan.styles, value))
                        for i, value in enumerate(self.styles)]
        if self.sides:
            grey = len(self.colours) > 1
            handles += [Line2D([], [], color=GREY if grey else self.colour(0, i), linestyle=self.style(0, i), label=side)
                        for i, side in enumerate(self.sides)]
        return handles

    def _text(self, key: str, value: Any) -> str:
        return keyed_text(self.rows, self.mask, key, value)

    def notes(self) -> List[str]:
        missing = self.rows.converged is not None and not self.rows.converged[self.mask].all()
        return (["Hollow circles: points that did not converge."] if missing else []) + (
            twin_notes(self.rows, self.mask, self.plan.over) if self.plan.total is None else [])


def shortened(value: Any, most: int = 16) -> str:
    text = str(value).replace("$", r"\$")
    return text if len(text) <= most else text[:most - 1] + "…"


# --- Heat maps
def heat_maps(rows: Rows, quantities: Sequence[str] = (), over: str = "", where: Sequence[str] = (),
              side: str = "") -> Any:
    """Draws each quantity as coloured cells over two keys; a third key has a map for each of its values."""
    mask = chosen_rows(rows, where)
    free = free_keys(rows, mask)
    if over and over not in rows.keys:
        raise Refused(f'{rows.name}: --over names no key of it, "{over}"; {names.accepted(over, rows.keys)}')
    if len(free) not in (2, 3):
        raise Refused(f"{rows.name}: a heat map is over two keys, a third one has panels, and the sweep varies "
                      f"{', '.join(free) or 'none'}; accepted: a sweep of two or three keys, or --where for the others")
    counts = {key: len(distinct(rows.keys[key][mask])) for key in free}
    if over and over not in free:
        raise Refused(f'{rows.name}: --over "{over}" is no key that varies; {names.accepted(over, free)}')
    facet_key = min((key for key in free if key != over), key=lambda key: counts[key]) if len(free) == 3 else None
    pair = [key for key in free if key != facet_key]
    across = over or max(pair, key=lambda key: counts[key])
    upwards = next(key for key in pair if key != across)
    made = []
    drawn = list(quantities) or default_quantities(rows, side)
    facets = distinct(rows.keys[facet_key][mask]) if facet_key else [None]
    forces = greatest_forces(rows, drawn, mask)
    for quantity in drawn:
        for wheel, column in rows.series(quantity, side):
            unit = names.scaled(column.unit, names.most_of_forces(quantity, names.greatest(column.values[mask]), forces), column.name)
            for facet in facets:
                part = mask & (rows.keys[facet_key] == facet if facet_key else True)
                title = names.label(quantity, unit) + (f", {wheel}" if wheel else "")
                if facet is not None:
                    title += f", {keyed_text(rows, mask, str(facet_key), facet)}"
                limits = limits_of([column.values[mask] * unit.factor], "range")
                made.append(Panel(lambda axes, p=part, c=column, u=unit, li=limits: _draw_heat(
                    axes, rows, (across, upwards), p, c.values * u.factor, li), title, 0.75, bar=True))
    if len(made) > MOST_PANELS:
        raise Refused(f"{rows.name}: {len(made)} panels are asked for; a figure has at most {MOST_PANELS}")
    notes = [*rows.notes, *twin_notes(rows, mask, across), *twin_notes(rows, mask, upwards)]
    return page(made, Text(rows.title, [], notes + (["White: points without this total."] if _gaps(rows, drawn, mask, side) else [])))


def _gaps(rows: Rows, drawn: Sequence[str], mask: Any, side: str) -> bool:
    return any(np.isnan(column.values[mask]).any() for name in drawn for _, column in rows.series(name, side))


def _draw_heat(axes: Any, rows: Rows, pair: Tuple[str, str], part: Any, values: Any, limits: Any) -> None:
    edges, ticks, at = [], [], []
    for key in pair:
        held = distinct(rows.keys[key][part])
        if rows.keys[key].dtype.kind == "f" and len(held) > 1:
            unit = names.scaled(names.unit_of(key, rows.units), names.greatest(held), key)
            log = is_logarithmic(held)
            centres = np.log(np.array(held) * unit.factor) if log else np.array(held) * unit.factor
            inner = (centres[1:] + centres[:-1]) / 2
            all_edges = np.concatenate([[2 * centres[0] - inner[0]], inner, [2 * centres[-1] - inner[-1]]])
            edges.append(np.exp(all_edges) if log else all_edges)
            ticks.append((names.label(key, unit), log, None, not log and unit.factor == 1.0 and all(value == int(value) for value in held)))
        else:
            edges.append(np.arange(len(held) + 1) - 0.5)
            ticks.append((names.label(key), False, [shortened(value) for value in held], False))
        at.append({value: i for i, value in enumerate(held)})
    cells = np.full((len(at[1]), len(at[0])), np.nan)
    for row in np.flatnonzero(part):
        cells[at[1][rows.keys[pair[1]][row]], at[0][rows.keys[pair[0]][row]]] = values[row]
    signed = limits.low < 0.0 < limits.high
    most = max(-limits.low, limits.high)
    shown = axes.pcolormesh(edges[0], edges[1], np.ma.masked_invalid(cells), cmap="RdBu_r" if signed else "viridis",
                            vmin=-most if signed else limits.low, vmax=most if signed else limits.high)
    colour_bar(axes, shown)
    few_ticks(axes)
    for (text, log, words, whole), axis, set_label, set_scale in zip(
            ticks, (axes.xaxis, axes.yaxis), (axes.set_xlabel, axes.set_ylabel), (axes.set_xscale, axes.set_yscale)):
        set_label(text)
        if log:
            set_scale("log")
            from matplotlib.ticker import FuncFormatter
            axis.set_major_formatter(FuncFormatter(lambda value, _: names.number(value, 3)))
        if words is not None:
            axis.set_ticks(range(len(words)), words)
        elif whole:
            from matplotlib.ticker import MaxNLocator
            axis.set_major_locator(MaxNLocator(8, integer=True))


class TableSource:
    """A Table of the compiled sweep as a source for Rows."""
    sides: List[str] = []

    def __init__(self, table: Any) -> None:
        self.table, self.totals = table, list(table.totals)

    def column(self, name: str, side: str = "") -> Optional[Column]:
        if side or name not in self.table.totals:
            return None
        return Column(name, np.ravel(np.asarray(self.table.totals[name], dtype=float)),
                      names.unit_of(name, self.table.units))

    def is_of_contact(self, name: str) -> bool:
        return False


def of_table(table: Any) -> Rows:
    from ..wheel import SHORT_KEYS  # needs the compiled module, as a table does
    keys = {}
    for key in table.keys:
        column = np.ravel(table[key])
        keys[SHORT_KEYS.get(key, key)] = column.astype(float) if column.dtype.kind in "fiu" else np.array([str(v) for v in column], dtype=object)
    return Rows(keys, table.units, TableSource(table), "the table", "", np.ravel(table.converged))
