# SPDX-License-Identifier: Apache-2.0
"""Slipfield: frictional contact of elastic bodies, on the CPU and on NVIDIA GPUs.

    import slipfield as sf
    result = sf.solve("wheel.yaml")          # a path, YAML text, or a dict
    result.force_x, result.pressure          # totals and fields, (my, mx)
    result.plot()

Units are those of the case; forces and tractions act on body 1, the upper one.

`slipfield.figures` draws result files, `slipfield.surface` reads measured surfaces, `slipfield.life` lives of wheels and rails, and these need no compiled module;
everything else does, and is loaded when it is first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, List

if TYPE_CHECKING:
    from . import _slipfield
    from ._slipfield import __version__
    from .case import Case, CaseText, load
    from .creep_table import CreepTable
    from .elements import Grid, grid
    from .errors import Cancelled, CaseError, Error, InputError, NotConverged
    from .files import Comparison, File, compare, convert, open  # pylint: disable=redefined-builtin
    from .gradient import Gradient
    from .result import Result
    from .solver import DeviceField, Solver, solve
    from .points import Table, sweep
    from .wheel import Contact, Derivatives, Side, WheelResult

__all__ = ["Cancelled", "Case", "CaseError", "CaseText", "Comparison", "Contact", "CreepTable", "Derivatives",
           "DeviceField", "Error", "File", "Gradient", "Grid", "InputError", "NotConverged", "Result", "Side", "Solver",
           "Table", "WheelResult", "__version__", "compare", "convert", "describe",
           "field_names", "grid", "load", "open", "quantity_names", "solve", "sweep"]

_PLACES = {name: module for module, names in {
    "_slipfield": "__version__", "case": "Case CaseText load", "creep_table": "CreepTable",
    "elements": "Grid grid", "errors": "Cancelled CaseError Error InputError NotConverged",
    "files": "Comparison File compare convert open", "gradient": "Gradient",
    "points": "Table sweep", "result": "Result",
    "solver": "DeviceField Solver solve", "wheel": "Contact Derivatives Side WheelResult",
}.items() for name in names.split()}
_FOR_USERS = ("differentiable", "distribution", "figures", "life", "progress", "spots", "surface")


def _load(module: str) -> Any:
    try:
        return importlib.import_module(f"{__name__}.{module}")
    except ModuleNotFoundError as error:
        if error.name != f"{__name__}._slipfield":
            raise
        raise ImportError("slipfield's compiled module is not built here, and only slipfield.figures, slipfield.life and slipfield.surface work without it; "
                          "accepted: ./bootstrap.sh python, or `pip install .` in a checkout", name=error.name) from error


def __getattr__(name: str) -> Any:
    if name in _PLACES:
        value = getattr(_load(_PLACES[name]), name)
    elif name in {*_PLACES.values(), *_FOR_USERS}:
        value = _load(name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> List[str]:
    return sorted({*globals(), *__all__, *_FOR_USERS})


def field_names() -> List[str]:
    """Returns the names of all fields over the grid; Result.field_names() has those of a step."""
    return _load("_slipfield").field_names()


def quantity_names() -> List[str]:
    """Returns the names of all totals; Result.totals has those of a step."""
    return _load("_slipfield").quantity_names()


def describe(name: str) -> str:
    """Returns a line that explains a field or a total, by its name."""
    compiled = _load("_slipfield")
    known = [*field_names(), *compiled.row_field_names(), *quantity_names(), *compiled.wheel_names()]
    if name not in known:
        given = _load("given")
        raise given.InputError(f"there is no field or total {name!r}; " + given.near_names(
            name, known, "accepted: a name of field_names() or quantity_names(), or a total of a wheel"))
    return compiled.describe(name)
