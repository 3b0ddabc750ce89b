# SPDX-License-Identifier: Apache-2.0
"""Which totals are counts, and so integers in Python."""

from __future__ import annotations

import re
from typing import Any, Dict

import numpy as np

_COUNTS = frozenset((
    "elements_contact", "elements_adhesion", "elements_slip", "elements_plastic", "elements_yielding",
    "iterations_normal", "iterations_tangential",
    "iterations_outer", "matrix_products", "matrix_products_coarse", "elements", "contact_count", "contact_spots", "heights_solved",
    "complete_solutions"))


def of_part(name: str) -> str:
    """A total's name without its part: normal_force of left_contact_2_normal_force."""
    return re.sub(r"^(left_|right_)?(contact_[1-9]\d*_)?", "", name)


def is_count(name: str) -> bool:
    """Also of one wheel or contact: left_contact_count."""
    return of_part(name) in _COUNTS


def counted(totals: Dict[str, float]) -> Dict[str, Any]:
    """The totals with counts as int; NaN stays as it is."""
    return {name: int(value) if is_count(name) and np.isfinite(value) else value for name, value in totals.items()}


def counted_column(name: str, values: Any) -> Any:
    """A column of a table as integers, where it counts and every point has a number."""
    return values.astype(np.int64) if is_count(name) and np.isfinite(values).all() else values
