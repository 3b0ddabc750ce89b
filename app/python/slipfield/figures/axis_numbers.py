# SPDX-License-Identifier: Apache-2.0
"""Numbers along an axis. Needs matplotlib, which the package loads only to draw."""

from __future__ import annotations

import re
from typing import Optional

from matplotlib.ticker import ScalarFormatter


class AxisNumbers(ScalarFormatter):
    """Draws numbers as plain text in mathtext's font, because mathtext takes five times as long to lay out. A power of ten next
    to the axis stays mathtext."""

    def __call__(self, x: float, pos: Optional[int] = None) -> str:
        return re.sub(r"\$\\mathdefault{(.*)}\$", r"\1", str(super().__call__(x, pos)))
