# SPDX-License-Identifier: Apache-2.0
"""Slipfield: frictional contact of elastic bodies, on the CPU and on NVIDIA GPUs.

    import slipfield as sf
    result = sf.solve("wheel.yaml")          # a path, YAML text, or a dict
    result.force_x, result.pressure          # totals and fields, (my, mx)
    result.plot()

Units are those of the case; forces and tractions act on body 1, the upper one.
"""

from __future__ import annotations

from typing import List

from . import _slipfield
from ._slipfield import __version__
from .case import Case, CaseText, load
from .creep_table import CreepTable
from .errors import Cancelled, CaseError, Error, InputError, NotConverged
from .files import (File, SweepFile, WheelFile, compare, convert,
                    open)  # pylint: disable=redefined-builtin
from .result import Result
from .solver import DeviceField, Solver, solve
from .sweep import Table, sweep
from .wheel import Contact, Derivatives, Side, WheelResult

__all__ = ["Cancelled", "Case", "CaseError", "CaseText", "Contact", "CreepTable", "Derivatives",
           "DeviceField", "Error", "File", "InputError", "NotConverged", "Result", "Side", "Solver",
           "SweepFile", "Table", "WheelFile", "WheelResult", "__version__", "compare", "convert",
           "describe", "field_names", "load", "open", "quantity_names", "solve", "sweep"]


def field_names() -> List[str]:
    """The names of all fields; Result.field_names() has those of a step."""
    return _slipfield.field_names()


def quantity_names() -> List[str]:
    """The names of all totals; Result.totals has those of a step."""
    return _slipfield.quantity_names()


def describe(name: str) -> str:
    """What a field or a total is, in a line."""
    if name not in field_names() and name not in quantity_names():
        raise InputError(f"there is no field or total {name!r}; accepted: a name of field_names() "
                         "or quantity_names()")
    return _slipfield.describe(name)
