# SPDX-License-Identifier: Apache-2.0
"""Cases as Python values: a dict, YAML text, or the path of a file."""

from __future__ import annotations

import numbers
import os
import re
import sys
from collections.abc import Container, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, Tuple, Union

import numpy as np

from . import _slipfield
from .errors import InputError
from .given import on_host, path_of, real_array

if TYPE_CHECKING:
    PathLike = Union[str, os.PathLike[str]]
    CaseLike = Union[Mapping[str, Any], str, os.PathLike[str]]

_POWER = re.compile(r"[+-]?\d+(\.\d*)?[eE][+-]?\d+")  # 12.5e6, which PyYAML reads as text
_MOST_LEVELS = 32  # as kMaxYamlDepth of io/yaml/tree.h
_OF_ELEMENTS = ("extra_x", "extra_y")  # of `tangential`: lists in a file, also arrays (my, mx) in Python
_GAPS = ("one whose gaps are filled in: a body's heights (of: upper, lower) by heights.filled(heights.min()), which keeps "
         "them out of contact, distances by distances.filled(np.inf), which is no body, coefficients by "
         "coefficients.filled(coefficients.mean())")
_VALUES = ("numbers, text, True and False, lists, dicts, and tables (2-D arrays) as `file`; "
           "a key without a value is left out")


class Case(Dict[str, Any]):
    """A case as a dict, with the text that it was read from.

    text: the YAML with its comments; "" if there is none. folder: base of relative file names in the case. The solver uses the
    dict's values; changing them does not change the text.
    """

    text = ""
    folder = ""

    def copy(self) -> Case:
        """A Case with the same text and folder; values are shared, as dict.copy() does."""
        other = Case(self)
        other.text, other.folder = self.text, self.folder
        return other


class CaseText(str):
    """YAML text and its tables. arrays: {name: table} for `file: array:name`."""

    arrays: Dict[str, Any] = {}


def load(path: PathLike) -> Case:
    """Returns the case of a file as a dict that can be changed and solved.

    Values are checked when the case is solved.

    Parameters
    ----------
    path: a case file (YAML).

    Returns
    -------
    A Case: a dict, with the file's text and folder.
    """
    path = path_of(path, "a case file (YAML)")
    values, text = _slipfield.read_case(path)
    case = Case(values)
    case.text, case.folder = text, str(Path(path).resolve().parent)
    return case


def _quoted(text: str, name: str) -> str:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InputError(f"{name}: has a character that is half of one (a lone surrogate); "
                         "accepted: text that has a form in UTF-8") from error
    return '"' + "".join(map(_in_quotes, text)) + '"'


def _in_quotes(letter: str) -> str:
    if letter in '"\\':
        return "\\" + letter
    return letter if letter.isprintable() else f"\\U{ord(letter):08X}"


def _is_table(value: Any) -> bool:
    return getattr(value, "ndim", 0) == 2


def table_of(name: str, value: Any) -> Any:
    """Converts a value to a table for the compiled solver, a float64 array."""
    if _is_surface(value):
        raise InputError(f"array {name}: {_of_surface(value)}")
    if tuple(getattr(value, "dims", ())) == ("x", "y"):  # of xarray, which names its axes
        value = value.transpose("y", "x")
    table = real_array(value, f"array {name}", "real numbers, shape (my, mx)", _GAPS)
    if table.ndim != 2:
        raise InputError(f"array {name}: has {table.ndim} dimensions; accepted: two, (my, mx)")
    return np.ascontiguousarray(table)


def _is_surface(value: Any) -> bool:
    grid = sys.modules.get(f"{__package__}.surface.grid")  # a Surface has imported it; that takes time
    return grid is not None and isinstance(value, grid.Surface)


def _of_surface(scan: Any) -> str:
    """Why a Surface is refused in this place."""
    return (f"is a Surface, whose grid and unit ({scan.unit}) nothing looks at here; accepted: as the `file` of a shape of the type "
            'heights, in a dict, set() or sweep(); or its heights in the unit of length of the case, such as '
            'surface.rescale(scan, unit="mm").heights; or the name of the file that surface.write(scan, ...) made')


def _shape_of(scan: Any, unit: str) -> Dict[str, Any]:
    """The keys of a shape that has this Surface as `file`: its heights in the unit, on its own grid."""
    from .surface.prepare import rescale  # here alone: importing it takes time
    scan = rescale(scan, unit=unit)
    return {"spacing": [scan.dx, scan.dy], "origin": [scan.x0 - scan.dx / 2, scan.y0 - scan.dy / 2], "file": scan.heights}


def _with_heights(section: Mapping[str, Any], unit: str) -> Mapping[str, Any]:
    """Replaces a Surface that a shape has as `file`."""
    scan = section.get("file")
    if section.get("type") != "heights" or not unit or not _is_surface(scan):
        return section
    shape = _shape_of(scan, unit)
    return {**shape, **section, "file": shape["file"]}


def settings_of(key: str, value: Any, tables: Dict[str, Any], unit: str, others: Container[str],
                type_of: Callable[[str], Any]) -> List[Tuple[str, str]]:
    """Returns the YAML of a value by the path of its key; a table goes into `tables`. A Surface as the `file` of a shape of the type
    heights brings its grid with it, unless `others`, which are set as well, have the grid. type_of: by the path of a shape."""
    shape, _, last = key.rpartition(".")
    members = {last: value}
    if last == "file" and shape and _is_surface(value):
        if not (shape in others or f"{shape}.type" in others or type_of(shape) == "heights"):
            raise InputError(f"{key}: {_of_surface(value)}")
        members = _shape_of(value, unit)
    paths = {member: f"{shape}.{member}" if shape else member for member in members}
    return [(paths[member], yaml_of(item, tables, paths[member], unit)) for member, item in members.items()
            if member == last or paths[member] not in others]


def yaml_of(value: Any, arrays: Optional[Dict[str, Any]] = None, name: str = "value", unit: str = "", depth: int = 0) -> str:
    """Writes a value in YAML's flow style. Tables of numbers become `array:NAME` and go into arrays. unit: the case's unit of
    length; "": a Surface is refused. depth: number of lists and dicts around it."""
    if depth > _MOST_LEVELS:
        raise InputError(f"{name.split('.')[0]}: has more than {_MOST_LEVELS} levels of lists and dicts, as one that holds itself; "
                         f"accepted: {_VALUES}")
    if name.rpartition(".")[2] in _OF_ELEMENTS and getattr(value, "ndim", 0) == 2:
        value = real_array(value, name, "real numbers, (my, mx)").ravel()  # x fastest
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real) or type(value).__name__ == "Decimal":
        try:
            return repr(float(value))
        except (ValueError, OverflowError) as error:
            raise InputError(f"{name}: {value!r:.60} is no float ({error}); accepted: a finite number") from error
    if isinstance(value, str):
        # In quotes, unless YAML reads the same text without them.
        plain = value.replace("_", "").replace("-", "").isalnum() and value[0].isalpha() or bool(_POWER.fullmatch(value))
        reserved = value.lower() in ("true", "false", "null", "yes", "no", "on", "off")
        return value if plain and value.isascii() and not reserved else _quoted(value, name)
    if isinstance(value, os.PathLike):
        return _quoted(os.fsdecode(value), name)
    if isinstance(value, Mapping):
        members = []
        for key, item in _with_heights(value, unit).items():
            place = f"{name}.{key}"
            # Rows of a table in lists, where a file is named.
            if key == "file" and isinstance(item, (list, tuple)):
                item = table_of(place, item)
            members.append(f"{_quoted(str(key), name)}: {yaml_of(item, arrays, place, unit, depth + 1)}")
        return "{" + ", ".join(members) + "}"
    value = on_host(value, name)
    is_file = name.rpartition(".")[2] == "file"
    if _is_table(value) and is_file and arrays is not None:
        arrays[name] = table_of(name, value)
        return _quoted(f"array:{name}", name)
    if np.ma.isMaskedArray(value) and np.ma.count_masked(value):
        raise InputError(f"{name}: has masked values; accepted: {_VALUES}")
    rows = 1 if is_file else 2
    if isinstance(value, (list, tuple, range)) or 1 <= getattr(value, "ndim", 0) <= rows:
        return "[" + ", ".join(yaml_of(item, arrays, f"{name}.{index}", unit, depth + 1)
                               for index, item in enumerate(value)) + "]"
    if hasattr(value, "item") and getattr(value, "ndim", 1) == 0:
        return yaml_of(value.item(), None, name)
    if _is_surface(value):
        raise InputError(f"{name}: {_of_surface(value)}")
    what = "None" if value is None else f"a value of type {type(value).__name__}"
    raise InputError(f"{name}: {what} has no form in a case; accepted: {_VALUES}")


def length_unit(units: Any) -> str:
    """The unit of length of a case with these units."""
    return "m" if units == "SI" else "mm"


def _require_rows_of_y(value: Any, elements: Any, name: str) -> None:
    """Refuses arrays (mx, my) of what has one number for each element, in a case that says mx and my."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            place = f"{name}.{key}" if name else str(key)
            if key in _OF_ELEMENTS and getattr(item, "ndim", 0) == 2 and tuple(item.shape) == tuple(elements) != tuple(elements)[::-1]:
                raise InputError(f"{place}: has {item.shape[0]} x {item.shape[1]} values, (mx, my); accepted: (my, mx), or a list with x fastest")
            _require_rows_of_y(item, elements, place)
    elif isinstance(value, (list, tuple)):
        for index, item in enumerate(value):
            _require_rows_of_y(item, elements, f"{name}.{index}")


def source_of(case: CaseLike, folder: Optional[PathLike] = None,
              arrays: Optional[Mapping[str, Any]] = None,
              ) -> Tuple[Optional[str], Optional[str], str, Dict[str, Any]]:
    """Returns (text, path, folder, arrays) for the compiled solver."""
    if arrays is not None and not isinstance(arrays, Mapping):
        raise InputError("arrays: is not a dict; accepted: {name: table} for `file: array:name`")
    given = {**getattr(case, "arrays", {}), **(arrays or {})}
    tables = {str(name): table_of(str(name), table) for name, table in given.items()}
    where = path_of(folder, "the folder of the files that the case names") if folder is not None else getattr(case, "folder", "")
    if isinstance(case, Mapping):
        grid = case.get("grid")
        elements = grid.get("elements") if isinstance(grid, Mapping) else None
        if isinstance(elements, (list, tuple)) and len(elements) == 2:
            for part in ("tangential", "steps"):
                _require_rows_of_y(case.get(part), elements, part)
        lines = [f"{_quoted(str(key), 'case')}: {yaml_of(value, tables, str(key), length_unit(case.get('units')))}"
                 for key, value in case.items()]
        return "\n".join(lines) + "\n", None, where, tables
    if isinstance(case, os.PathLike):
        return None, path_of(case, "a case file"), "", tables
    if isinstance(case, str):
        if not case.strip():
            raise InputError("the case is empty text; accepted: a dict, YAML text, or the path of "
                             "a case file")
        if "\n" in case or ": " in case:
            return str(case), None, where, tables
        return None, path_of(case, "a case file"), "", tables
    raise InputError(f"a case cannot be of type {type(case).__name__}; accepted: a dict, YAML "
                     "text, or the path of a case file")
