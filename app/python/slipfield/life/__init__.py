# SPDX-License-Identifier: Apache-2.0
"""Wear of wheels and rails over a life: `slipfield life`.

Each round solves every running condition, as points of a sweep, adds up what all of them wear off each profile, smooths it without
changing its area, and takes it off. No compiled module is needed; the program does the contacts. RUNNING.md, "Wear over a
life", has the equations.
"""

from __future__ import annotations

from .picture import plot
from .profile import contact_areas, remove, removed_area, smoothing_weights
from .store import read

__all__ = ["contact_areas", "plot", "read", "remove", "removed_area", "smoothing_weights"]
