# SPDX-License-Identifier: Apache-2.0
"""Numbers along an axis. This module needs matplotlib, which the package loads only where something is drawn."""

from __future__ import annotations

import re
from typing import Optional

from matplotlib.ticker import ScalarFormatter


class AxisNumbers(ScalarFormatter):
    """As plain text, in the same type as mathtext's, which takes five times as long to lay out. A power of ten beside the
    axis stays mathtext."""

    def __call__(self, x: float, pos: Optional[int] = None) -> str:
        return re.sub(r"\$\\mathdefault{(.*)}\$", r"\1", str(super().__call__(x, pos)))
