# SPDX-License-Identifier: Apache-2.0
"""Totals that are counts, which are integers in Python."""

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
    """Removes the part from a total's name: left_contact_2_normal_force gives normal_force."""
    return re.sub(r"^(left_|right_)?(contact_[1-9]\d*_)?", "", name)


def is_count(name: str) -> bool:
    """Whether the total is a count, also of one wheel or contact: left_contact_count."""
    return of_part(name) in _COUNTS


def counted(totals: Dict[str, float]) -> Dict[str, Any]:
    """Converts counts to int; NaN is unchanged."""
    return {name: int(value) if is_count(name) and np.isfinite(value) else value for name, value in totals.items()}


def counted_column(name: str, values: Any) -> Any:
    """Converts a column to integers if it counts and every point has a number."""
    return values.astype(np.int64) if is_count(name) and np.isfinite(values).all() else values
