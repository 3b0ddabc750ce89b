# SPDX-License-Identifier: Apache-2.0
"""Wear of wheels and rails over a life: `slipfield life`.

Each round solves every running condition, as points of a sweep, adds up what all of them wear off each profile, smooths it without
changing its area, and takes it off. No compiled module is needed; the program does the contacts. RUNNING.md, "Wear over a
life", has the equations.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .picture import plot
    from .profile import contact_areas, remove, removed_area, smoothing_weights
    from .store import read

__all__ = ["contact_areas", "plot", "read", "remove", "removed_area", "smoothing_weights"]

_PLACES = {"plot": "picture", "contact_areas": "profile", "remove": "profile", "removed_area": "profile", "smoothing_weights": "profile",
           "read": "store"}


def __getattr__(name: str) -> Any:
    """When it is first used: __main__ says by itself which packages are missing."""
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_PLACES[name]}"), name)
