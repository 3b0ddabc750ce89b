# SPDX-License-Identifier: Apache-2.0
"""Whether the commas of a table are decimal signs: the rule of io/profiles/cells.cpp for the tables that Python reads."""

from __future__ import annotations

import re
from typing import Sequence

NUMBER = re.compile(r"[+-]?(\d*),(\d+)((?:[eE][+-]?\d+)?)$")


def may_be_thousands(cells: Sequence[str], mark: str) -> bool:
    """All numbers with a comma are as "1,185" and "-30,000", without one such as "0,9" or "0,903", and no semicolon, tab or blank (mark)
    between them says that commas are decimal signs: in quotes between commas, or alone in their lines."""
    found = [match for match in map(NUMBER.match, cells) if match]
    return mark in ("", ",") and bool(found) and all(len(match[2]) == 3 and not match[3] and match[1].strip("0") for match in found)


def doubt(cell: str) -> str:
    """How the sentence ends that begins with the place."""
    return (f"{cell} may have a decimal comma or one behind the thousands; accepted: decimal points, or numbers without commas behind the "
            "thousands")
