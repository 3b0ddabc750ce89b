"""Slipfield: frictional contact of elastic bodies, on the CPU and on NVIDIA GPUs.

    import slipfield as sf
    result = sf.solve("wheel.yaml")          # a path, YAML text, or a dict
    result.force_x, result.pressure          # totals and fields, (my, mx)
    result.plot()

Units are those of the case; forces and tractions act on body 1, the upper one.
"""

from ._slipfield import __version__, describe, field_names, quantity_names
from .case import Case, load
from .errors import Cancelled, CaseError, Error, InputError, NotConverged
from .files import File, compare, convert, open  # pylint: disable=redefined-builtin
from .result import Result
from .solver import DeviceField, Solver, solve
from .sweep import Table, sweep

__all__ = ["Cancelled", "Case", "CaseError", "DeviceField", "Error", "File", "InputError",
           "NotConverged", "Result", "Solver", "Table", "__version__", "compare", "convert",
           "describe", "field_names", "load", "open", "quantity_names", "solve", "sweep"]
