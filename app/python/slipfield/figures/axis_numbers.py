# SPDX-License-Identifier: Apache-2.0
"""Numbers along an axis. Needs matplotlib, which the package loads only to draw."""

from __future__ import annotations

import re
from typing import Any, Optional

from matplotlib.ticker import ScalarFormatter

from . import names


class AxisNumbers(ScalarFormatter):
    """Draws numbers as plain text in mathtext's font, because mathtext takes five times as long to lay out. A power of ten next
    to the axis stays mathtext; labelled() writes it into the label, because it would lie over the title of the axes."""

    def _set_order_of_magnitude(self) -> None:
        self.set_powerlimits((-3 if self.offset else -4, 6))  # −0.0006 is wider than the space that a page has for numbers
        super()._set_order_of_magnitude()

    def __call__(self, x: float, pos: Optional[int] = None) -> str:
        return re.sub(r"\$\\mathdefault{(.*)}\$", r"\1", str(super().__call__(x, pos)))


def labelled(label: str, axis: Any) -> str:
    """Returns the label with what the axis' numbers leave out, a common part and a power of ten, and hides that text of the axis:
    "Pressure $p_n$ − 24410 (GPa)"."""
    formatter = axis.get_major_formatter()
    if not isinstance(formatter, AxisNumbers):
        return label
    formatter.set_locs(axis.get_majorticklocs())
    common, power = float(formatter.offset), int(formatter.orderOfMagnitude)
    if not formatter.get_offset():
        return label
    axis.get_offset_text().set_visible(False)
    found = re.search(r"\s*\(([^()]*)\)(?!.*\()", label)
    at, unit = (found.start(), found[1]) if found else (len(label), "")
    times = f"$10^{{{power}}}$ {unit}".strip() if power else unit
    less = f" {'−' if common > 0.0 else '+'} {names.number(abs(common), 12)}" if common else ""
    less += f" {unit}" if less and power and unit else ""  # not of the power of ten
    return label[:at] + less + (f" ({times})" if times else "") + (label[found.end():] if found else "")
