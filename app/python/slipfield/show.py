# SPDX-License-Identifier: Apache-2.0
"""Tables of texts for a terminal and for a notebook."""

from __future__ import annotations

import html
from typing import Any, Sequence


def shown_unit(unit: str) -> str:
    """Writes a unit of results for people: "N/mm²"; "" if there is none."""
    return "" if unit == "-" else unit.replace("^2", "²").replace("^3", "³")


def warned(warnings: Sequence[str]) -> str:
    """For a repr: ", 2 warnings"; "" where there is none."""
    return f", {len(warnings)} warning{'' if len(warnings) == 1 else 's'}" if warnings else ""


def text_table(rows: Sequence[Sequence[str]], left: int = 0) -> str:
    """Aligns columns at their needed widths, the first `left` of them to the left."""
    wide = [max(map(len, column)) for column in zip(*rows)]
    return "\n".join("  ".join(cell.ljust(width) if i < left else cell.rjust(width) for i, (cell, width) in enumerate(zip(row, wide)))
                     for row in rows)


def html_table(rows: Sequence[Sequence[str]], head: Sequence[str] = ()) -> str:
    """An HTML table; escapes the texts."""
    def line(cells: Sequence[str], tag: str) -> str:
        return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"
    return "<table>" + (line(head, "th") if head else "") + "".join(line(row, "td") for row in rows) + "</table>"


def html_of_step(result: Any) -> str:
    """The head of a Result or a WheelResult: title, whether it converged, warnings."""
    state = "" if result.converged else f"<p><b>not converged: {html.escape(result.message)}</b></p>"
    return (f"<p>{html.escape(result.title)}, step {result.number}</p>{state}"
            + "".join(f"<p>{html.escape(warning)}</p>" for warning in result.run_warnings))
