# SPDX-License-Identifier: Apache-2.0
"""A result as one page: each panel is its own image, so that panels stand side by side or, on a telephone, below each other."""

from __future__ import annotations

import base64
import html
import io
import math
import re
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

import numpy as np

from ..show import html_of_step, html_table, shown_unit
from . import names, totals, wheel
from .layout import Panel, Sheet, Text, styled, unmanaged
from .step import Request, made_of
from .view import Refused, Step, View, open_view

MOST_ROWS = 200
UNFOLDED = 40
MOST_WARNINGS = 20
MOST_CONTACTS = 4
MOST_VALUES = 8
TOTALS = ("normal_force", "approach", "max_pressure", "force_x", "force_y", "moment_z", "creepage_x", "creepage_y", "spin",
          "shift_x", "shift_y", "elements_contact", "elements_slip")
PLACES = ("rolling_radius_difference", "nearest_rail_y", "nearest_wheel_y", "nearest_angle", "rolling_radius", "axle_z", "axle_roll",
          "track_force_y", "track_force_z")
_GREEK = {"mu": "µ", "xi": "ξ", "eta": "η", "varphi": "φ", "delta": "δ", "Delta": "Δ", "gamma": "γ", "sigma": "σ", "tau": "τ",
          "vartheta": "ϑ", "psi": "ψ", "nu": "ν", "Sigma": "Σ"}


def safe(text: str) -> Any:
    """Marks HTML that a template inserts unescaped. Notebooks do not use templates."""
    try:
        from markupsafe import Markup
    except ImportError:
        return text
    return Markup(text)


def markup(text: str) -> Any:
    """Converts mathtext to HTML."""
    parts = html.escape(text.replace(r"\$", "\0")).split("$")
    for i in range(1, len(parts), 2):
        math_text = re.sub(r"\\(?:mathrm|mathbf|dot|bar)(\{[^{}]*\})", r"\1", parts[i])
        math_text = re.sub(r"\\([a-zA-Z]+)", lambda found: _GREEK.get(found.group(1), found.group(1)), math_text)
        math_text = re.sub(r"_(\{[^}]*\}|.)", lambda found: f"<sub>{found.group(1).strip('{}')}</sub>", math_text)
        parts[i] = re.sub(r"(?<=[ΔΣ]) (?=\w)|[{}]", "", math_text)
    return safe("".join(parts).replace("\0", "$"))


def legend_markup(handles: Sequence[Any]) -> Any:
    """Converts the legend of a figure to text with samples."""
    from matplotlib.colors import to_hex
    shown = []
    for handle in handles:
        if hasattr(handle, "get_xdata"):
            dashes = getattr(handle, "_unscaled_dash_pattern", (0, None))[1]
            dash = f' stroke-dasharray="{" ".join(str(1.6 * d) for d in dashes)}"' if dashes else ""
            colour = to_hex(handle.get_color())
            sample = (f'<circle cx="12" cy="6" r="3" fill="{colour}"/>' if str(handle.get_linestyle()) == "None" else
                      f'<line x1="0" x2="24" y1="6" y2="6" stroke="{colour}" stroke-width="2"{dash}/>')
        else:
            sample = f'<rect width="24" height="12" fill="{to_hex(handle.get_facecolor())}"/>'
        shown.append(f'<span><svg width="24" height="12">{sample}</svg>{markup(handle.get_label())}</span> ')
    return safe("".join(shown))


def sentence(text: str) -> Any:
    """Converts a note or warning to HTML: commands between backticks become code."""
    return safe(re.sub("`([^`\n]+)`", r"<code>\1</code>", html.escape(text)))


def plain_text(text: str) -> str:
    """Converts mathtext to plain text."""
    return html.unescape(re.sub("<[^>]*>", "", str(markup(text))))


def axes_text(drawn: Any) -> str:
    """Describes a panel without a title by the names of its axes."""
    return " over ".join(filter(None, (drawn.axes[0].get_ylabel(), drawn.axes[0].get_xlabel())))


def figure(heading: str, panels: Sequence[Panel], text: Text) -> Dict[str, Any]:
    """Draws each panel alone; the text around the panels becomes HTML."""
    from matplotlib import rc_context, rcParams
    images = []
    with unmanaged(), styled("screen"), rc_context({"figure.figsize": (6.6, 4.0), "svg.fonttype": "path"}):
        for panel in panels:
            em = float(rcParams["font.size"]) / 72.0
            drawn = Sheet([Panel(panel.draw, panel.title, panel.aspect, panel.bar, panel.projection)], Text(), 1, em).draw()
            data = io.BytesIO()
            drawn.savefig(data, format="svg", metadata={"Date": None}, dpi=150)
            images.append({"data": base64.b64encode(data.getvalue()).decode("ascii"), "alt": plain_text(panel.title or axes_text(drawn))})
    return {"heading": heading, "summary": markup(",  ".join(text.summary)), "legend": legend_markup(text.legend) if text.legend else "",
            "images": images, "notes": list(dict.fromkeys(text.notes))}


def contact_figure(heading: str, contact: Any, **request: Any) -> Dict[str, Any]:
    made = made_of([contact], Request(**request))
    return figure(heading, made.panels, made.text)


def cell(value: Any) -> str:
    if isinstance(value, str):
        return value
    number = float(value)
    return "" if math.isnan(number) else names.number(number, 6)


def table(head: Sequence[Any], rows: Sequence[Sequence[Any]]) -> Dict[str, Any]:
    return {"head": [markup(part) for part in head], "rows": [[cell(value) for value in row] for row in rows]}


def section(heading: str, made: Dict[str, Any], count: Optional[int] = None) -> Dict[str, Any]:
    """Folds long tables, and cuts them off."""
    rows = made["rows"]
    count = len(rows) if count is None else count
    found: Dict[str, Any] = {"heading": heading, "table": {**made, "rows": rows[:UNFOLDED]}, "note": ""}
    if len(rows) > UNFOLDED:
        found["folded"] = {**made, "rows": rows[UNFOLDED:MOST_ROWS]}
        found["folded_heading"] = f"Rows {UNFOLDED + 1} to {min(len(rows), MOST_ROWS)}"
    if count > MOST_ROWS:
        found["note"] = f"The first {MOST_ROWS} of {count} rows; `slipfield export` writes all."
    return found


def column_cells(name: str, values: Any, unit: str, most: float = 0.0) -> Tuple[str, List[float]]:
    """Returns the head of a column with its unit, and its values in that unit. most: magnitude for the unit, if greater than
    the column's own."""
    shown = names.scaled(unit, max(most, names.greatest(values)), name)
    return names.label(name, shown), [float(value) * shown.factor for value in values]


def rows_section(heading: str, view: View, keys: Dict[str, Any], wanted: Sequence[str], outcomes: Sequence[str],
                 first: Tuple[str, Sequence[Any]]) -> Dict[str, Any]:
    columns: List[Tuple[str, Sequence[Any]]] = [first]
    forces = [view.column(name, side) for name in wanted if names.is_force(name) for side in ["", *view.sides]]
    of_forces = [names.greatest(column.values) for column in forces if column is not None]

    def cells(column: Any) -> Tuple[str, List[float]]:
        return column_cells(column.name, column.values, column.unit,
                            names.most_of_forces(column.name, names.greatest(column.values), of_forces))

    for key, values in keys.items():
        numeric = getattr(values, "dtype", np.dtype(object)).kind == "f"
        columns.append(column_cells(key, values, names.unit_of(key, view.units)) if numeric else (names.label(key), list(values)))
    for name in wanted:
        for side in (view.sides or [""]):
            column = view.column(name, side)
            if column is not None and np.isfinite(column.values).any():
                head, values = cells(column)
                columns.append((head + (f", {side}" if side and side not in head else ""), values))
        if view.sides and all(view.column(name, side) is None for side in view.sides):
            column = view.column(name)
            if column is not None:
                columns.append(cells(column))
    columns.append(("outcome", [outcome.replace("_", " ") for outcome in outcomes]))
    return columns_section(heading, columns)


def columns_section(heading: str, columns: Sequence[Tuple[str, Sequence[Any]]]) -> Dict[str, Any]:
    """columns: the head and the values of each."""
    count = len(columns[0][1])
    made = table([head for head, _ in columns], [[values[i] for _, values in columns] for i in range(min(count, MOST_ROWS))])
    return section(heading, made, count)


# --- The kinds of results
def plain_page(view: View, page: Dict[str, Any]) -> None:
    last = view.step(0)
    contact = view.contact(0)
    grid = contact.grid
    problems = {"shift": "Shift", "transient_rolling": "Transient rolling", "steady_rolling": "Steady rolling"}
    unit = contact.unit("undeformed_distance")
    count = len(view.step_numbers)
    page["lead"] = (f"{problems.get(contact.problem, 'Contact without friction')}: {count} step{'' if count == 1 else 's'} on {len(grid.x)} x "
                    f"{len(grid.y)} elements of {names.number(grid.dx)} x {names.number(grid.dy)} {unit}; {words_of(view.outcome)}.")
    page["warnings"] += step_warnings(view, page["warnings"])
    try:
        page["figures"].append(contact_figure(f"Step {last.number}" if count > 1 else "Contact", contact))
    except Refused:
        pass  # a result of other fields, or of none
    if count > 1:
        add_curves(page, "Totals over the steps", totals.of_steps(view))
    if contact.insides:
        page["figures"].append(contact_figure("Inside the bodies", contact, interior=inside_names(contact)))
    if "shakedown_load" in contact.totals:
        page["figures"].append(contact_figure("Shakedown map", contact, shakedown=True))
    if contact.history:
        page["figures"].append(contact_figure("Convergence", contact, history=True))
    if count > 1:
        page["sections"].append(rows_section("Steps", view, {}, TOTALS, [step.outcome for step in view.steps],
                                             ("step", [str(number) for number in view.step_numbers])))
    page["sections"].append(totals_section(view, last))


def inside_names(contact: Any) -> List[str]:
    inside = contact.insides[0]
    found = ["depth"] if any(name.endswith("_by_depth") for name in inside.group) and len(inside.depth) > 1 else []
    return found + [name for name in ("von_mises", "dang_van") if name in inside.quantities and len(inside.depth) > 1][:1]


def totals_section(view: View, step: Step) -> Dict[str, Any]:
    # Without friction every element in contact counts as slip, which says nothing.
    left_out = {"rolling_step"} | (set() if names.is_frictional(step.totals) else {"elements_adhesion", "elements_slip"})
    rows = []
    forces = [value for name, value in step.totals.items() if names.is_force(name)]
    for name, value in step.totals.items():
        if name in left_out:
            continue
        known = names.find(name)
        shown = names.scaled(view.unit(name), names.most_of_forces(name, abs(value), forces), name)
        rows.append([markup(names.label(name, None, known)), cell(value * shown.factor), shown.text, view.description(name), name])
    made = {"head": ["quantity", "value", "unit", "", "name"], "rows": rows}
    return {"heading": f"Totals of step {step.number}" if len(view.step_numbers) > 1 else "Totals", "table": made, "note": ""}


def wheel_page(view: View, page: Dict[str, Any], profiles: Optional[Sequence[Dict[str, Any]]]) -> None:
    last = view.step(0)
    count = len(view.step_numbers)
    page["lead"] = f"A wheel{'set' if view.sides else ''} on {'its rails' if view.sides else 'a rail'}: {count} position{'' if count == 1 else 's'}; {words_of(view.outcome)}."
    page["warnings"] += [f"step {step.number}: {step.message or words_of(step.outcome)}" for step in view.steps
                         if step.outcome != "converged" and not view.warnings][:MOST_WARNINGS]
    if last.contacts or profiles:
        page["figures"].append(figure("Profiles in contact", *wheel.contact_panels(view, 0, profiles)))
    if any("pressure" in contact.fields for contact in last.contacts):
        page["figures"].append(figure("Contacts in plan", *wheel.plan_panels(view, 0, "pressure")))
    for contact in last.contacts[:MOST_CONTACTS]:
        try:
            page["figures"].append(contact_figure(names.capital(contact.label), contact))
        except Refused:
            continue
    if count > 1:
        add_curves(page, "Totals over the steps", totals.of_steps(view))
    rows = []
    wanted = ("contact_angle", "normal_force", "force_x", "force_y", "max_pressure", "creepage_x", "creepage_y")
    for step in view.steps:
        rows += [(str(step.number), str(contact.index), contact.side, contact, step.outcome) for contact in step.contacts]
    columns: List[Tuple[str, Sequence[Any]]] = [(head, [row[i] for row in rows]) for i, head in enumerate(("step", "contact", "wheel"))]
    for name in wanted:
        values = [row[3].totals.get(name, math.nan) for row in rows]
        if np.isfinite(np.array(values)).any():
            columns.append(column_cells(name, values, names.unit_of(name, view.units)))
    columns.append(("outcome", [words_of(row[4]) for row in rows]))
    if rows:
        page["sections"].append(columns_section("Contacts", columns))
    page["sections"].append(rows_section("Positions", view, {}, PLACES, [step.outcome for step in view.steps],
                                         ("step", [str(number) for number in view.step_numbers])))


def sweep_page(view: View, page: Dict[str, Any], profiles: Optional[Sequence[Dict[str, Any]]]) -> None:
    rows = totals.of_sweep(view)
    outcomes = view.outcomes
    tally = [f"{outcomes.count(code)} {words}" for code, words in (("converged", "converged"), ("not_converged", "not converged"),
                                                                 ("failed", "failed"), ("not_run", "not run")) if outcomes.count(code)]
    page["lead"] = f"Sweep of {len(outcomes)} points over {', '.join(view.keys)}: {', '.join(tally)}."
    page["warnings"] += rows.notes
    page["sections"].append({"heading": "Keys", "table": table(["key", "values"], [
        [key, values_text(values)] for key, values in view.keys.items()]), "note": ""})
    given = totals.given_by_keys(rows)
    wanted = [name for name in (*TOTALS, *PLACES) if rows.has(name) and name not in given]
    if any(rows.has(name) for name in wanted):
        drawn = totals.default_quantities(rows)[:4]
        add_curves(page, "Totals", rows, drawn)
        others = [name for name in (*totals.MOTIONS, "approach", "normal_force", "max_pressure")
                  if name not in drawn and name not in given and rows.varies(name)]
        if others:
            add_curves(page, "What else changes", rows, others[:4])
    if list(view.keys) == [wheel.KEY]:
        try:
            page["figures"].append(figure("Where wheel and rail touch", *wheel.line_panels(view, profiles)))
        except Refused as error:
            page["warnings"].append(f"Without contact lines: {error}.")
    points = view.point_numbers
    messages = view.point_texts("message")
    wrong = [i for i, outcome in enumerate(outcomes) if outcome != "converged"]
    if wrong:
        made = table(["point", *map(names.plain, view.keys), "outcome", "why"], [
            [str(int(points[i])), *[view.keys[key][i] for key in view.keys], words_of(outcomes[i]), messages[i]] for i in wrong[:MOST_ROWS]])
        page["sections"].append(section("Points that did not converge", made, len(wrong)))
    extremes = []
    for name in wanted:
        if not rows.varies(name):
            continue
        for side, column in rows.series(name):
            head, values = column_cells(column.name, column.values, column.unit)
            low, high = int(np.nanargmin(values)), int(np.nanargmax(values))
            extremes.append([markup(head + (f", {side}" if side and side not in head else "")), cell(values[low]), str(int(points[low])), cell(values[high]), str(int(points[high]))])
    if extremes:
        page["sections"].append({"heading": "Extremes", "note": "", "table": {
            "head": ["quantity", "least", "at point", "greatest", "at point"], "rows": extremes}})
    page["sections"].append(rows_section("Points", view, view.keys, wanted, outcomes, ("point", [str(int(n)) for n in points])))


def add_curves(page: Dict[str, Any], heading: str, rows: totals.Rows, quantities: Sequence[str] = ()) -> None:
    try:
        page["figures"].append(figure(heading, *totals.curve_panels(rows, quantities, "", "", (), "")))
    except Refused as error:
        page["warnings"].append(f"Without curves: {error}")


def values_text(values: Any) -> str:
    held = totals.distinct(values)
    if len(held) <= MOST_VALUES:
        return ", ".join(names.number(value, 6) if isinstance(value, float) else str(value) for value in held)
    if values.dtype.kind != "f":
        return f"{len(held)} values"
    return (f"{len(held)} from {names.number(held[0], 6)} to {names.number(held[-1], 6)}"
            + (", logarithmic" if totals.is_logarithmic(held) else ""))


def words_of(outcome: str) -> str:
    return outcome.replace("_", " ") or "unknown outcome"


def file_warnings(view: View) -> List[str]:
    found = [f"Outcome of the run: {words_of(view.outcome)}."] if view.outcome not in ("converged", "") else []
    found += view.warnings[:MOST_WARNINGS]
    if len(view.warnings) > MOST_WARNINGS:
        found.append(f"{len(view.warnings) - MOST_WARNINGS} more warnings.")
    return found


def _kind(text: str) -> str:
    """A warning without its numbers, in which those of several steps differ."""
    return re.sub(r"[-+]?\d+(\.\d+)?(e[-+]?\d+)?", "", text)


def step_warnings(view: View, known: Sequence[str]) -> List[str]:
    """Warnings of single steps that the file does not repeat, each kind once."""
    found = []
    said = [_kind(line) for line in known]
    kinds: Dict[str, List[Tuple[int, str]]] = {}
    for step in view.steps:
        is_said = any(step.message and step.message in line for line in known)
        if step.outcome != "converged" and not is_said:
            found.append(f"step {step.number}: {words_of(step.outcome)}{': ' if step.message else ''}{step.message}")
        for text in step.warnings:
            if not any(_kind(text) in line for line in said):
                kinds.setdefault(_kind(text), []).append((step.number, text))
    for steps in kinds.values():
        number, text = steps[0]
        found.append(f"step {number}: {text}" if len(steps) == 1 else f"{len(steps)} steps, first {number}: {text}")
    return found[:MOST_WARNINGS] + ([f"{len(found) - MOST_WARNINGS} more have warnings."] if len(found) > MOST_WARNINGS else [])


def is_number_text(value: str) -> bool:
    return bool(value) and bool(re.fullmatch(r"[−0-9.·⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+", str(value))) and any(c.isdigit() for c in str(value))


def report_page(path: str, profiles: Optional[Sequence[Dict[str, Any]]] = None, warn: Callable[[str], None] = lambda text: None) -> str:
    """Returns the page as text."""
    import jinja2
    loader = jinja2.PackageLoader("slipfield.figures", "")
    environment = jinja2.Environment(loader=loader, autoescape=True, trim_blocks=False)
    environment.tests["number_text"] = is_number_text
    environment.filters["sentence"] = sentence
    with open_view(path) as view:
        if message := view.incomplete():
            warn(message)
        page: Dict[str, Any] = {"title": view.title or view.file_name, "warnings": file_warnings(view), "figures": [], "sections": [], "lead": ""}
        if view.is_sweep:
            sweep_page(view, page, profiles)
        elif view.is_wheel:
            wheel_page(view, page, profiles)
        else:
            plain_page(view, page)
        page["provenance"] = {"head": [], "rows": [
            ["file", view.file_name], ["created", view.attribute("created")],
            ["program", f"slipfield {view.attribute('program_version')} ({view.attribute('git_commit')})"],
            ["backend", f"{view.attribute('backend')} on {view.attribute('device')}"], ["units", view.units]]}
        page["case"] = "".join(c if c.isprintable() or c == "\n" else " " for c in view.case)
        return environment.get_template("report.html.j2").render(page)


# --- For notebooks
_SHOWN = ("normal_force", "force_x", "force_y", "moment_z", "approach", "max_pressure", "elements_contact", "elements_adhesion",
          "elements_slip", "residual")


def result_html(result: Any) -> str:
    """Totals of a Result, with its overview if it can be drawn."""
    from .view import MemoryContact
    left_out = () if names.is_frictional(result.totals) else ("elements_adhesion", "elements_slip")
    rows = [[name, f"{result.totals[name]:.6g}", shown_unit(result.unit(name))]
            for name in _SHOWN if name in result.totals and name not in left_out]
    try:
        drawn = contact_figure("", MemoryContact(result))
        images = "".join(f'<img alt="{html.escape(image["alt"])}" src="data:image/svg+xml;base64,{image["data"]}">' for image in drawn["images"])
    except (ImportError, Refused):
        images = ""
    return html_of_step(result) + html_table(rows) + images
