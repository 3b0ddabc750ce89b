# SPDX-License-Identifier: Apache-2.0
"""The table of running conditions, CSV or Parquet: keys of the case as columns, and `weight` of each condition, or `time` or `distance` of
each sample of a recorded series."""

from __future__ import annotations

import csv
import difflib
import io
import math
import os
import re
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Tuple

from .. import decimal_commas
from ..errors import InputError, imported

# What a condition may not change: the profiles wear, and the rest would make conditions of different kinds.
_OWN = ("wheel_rail.wheel", "wheel_rail.rail", "wheel_rail.side", "wheel_rail.spacing", "wheel_rail.geometry_only", "wear.passes", "steps",
        "sweep", "output", "expected", "schema", "units", "title")


_SHARES = ("weight", "time", "distance")
_VELOCITY = "wheel_rail.wheelset.velocity.x"
# Units of the columns, by patterns of their names; those of time and distance do not matter.
_UNITS = (
    (r"weight", ("-", "%")),
    (r"friction\..*(coefficient|static|kinetic)", ("-",)),
    (r"wheel_rail\..*(velocity[._](roll|pitch|yaw)|roller\.pitch)", ("rad/s",)),
    (r"wheel_rail\..*velocity[._][xyz]|friction\..*half_velocity", ("mm/s",)),
    (r"wheel_rail\..*\.(roll|pitch|yaw|cant)", ("rad",)),
    (r"wheel_rail\..*(\.[xyz]|\.gauge(_height)?|_radius|\.radius|_distance|_position|\.rail_origin(\.\d+)?)", ("mm",)),
    (r"wheel_rail\.(vertical|longitudinal)_force(\.\d+)?", ("N",)),
)
_UNIT = re.compile(r"(.*\S)\s*\[\s*([^\[\]]*?)\s*\]$")


@dataclass
class Conditions:
    """Conditions with keys[k] = values[row][k]; the weights sum to 1."""
    keys: List[str]
    values: List[List[str]]
    weights: List[float]
    notes: List[str]
    places: List[str]  # where each row is, for messages

    def settings(self, row: int) -> List[str]:
        return [f"{key}={value}" for key, value in zip(self.keys, self.values[row])]


def of_case_alone() -> Conditions:
    return Conditions([], [[]], [1.0], [], [""])


def read_conditions(path: str, classes: Optional[int] = None) -> Conditions:
    """Reads and checks the table; the program checks keys and values. classes: see _in_classes()."""
    names, rows, places = _parquet(path) if path.lower().endswith((".parquet", ".pq")) else _text(path)
    names = [_without_unit(path, name) for name in names]
    _check_names(path, names)
    if not rows:
        raise InputError(f"{path}: the table has no rows; accepted: a row for each running condition")
    for row, place in zip(rows, places):
        if len(row) != len(names):
            raise InputError(f"{place}: {len(row)} values below {len(names)} names; accepted: a value for each, and semicolons between values "
                             "that have decimal commas")
        for name, value in zip(names, row):
            if not value:
                raise InputError(f"{place}: {name} has no value; accepted: a value in every row")
    keys = [name for name in names if name not in _SHARES]
    values = [[value for name, value in zip(names, row) if name not in _SHARES] for row in rows]
    given = next((name for name in names if name in _SHARES), "")
    numbers = [_number(row[names.index(given)], given, place) for row, place in zip(rows, places)] if given else [1.0] * len(rows)
    note = [] if given or len(rows) == 1 else [f"{path} has no weights: each of its {len(rows)} conditions has the same share of the distance"]
    weights = numbers
    if given in ("time", "distance"):
        weights = _passed(path, numbers, given)
        if given == "time" and _VELOCITY in keys:
            weights = [weight * abs(_number(row[keys.index(_VELOCITY)], _VELOCITY, place)) for weight, row, place in zip(weights, values, places)]
    total = math.fsum(weights)
    if total <= 0.0:
        raise InputError(f"{path}: all weights are 0; accepted: a weight > 0 in one row at least")
    if given == "weight" and abs(total - 1.0) >= 1e-9:
        note = [f"{path}: the weights sum to {total:.6g} and were divided by it"]
    found = Conditions(keys, values, [weight / total for weight in weights], note, places)
    return found if classes is None else _in_classes(path, found, classes)


def _passed(path: str, at: List[float], name: str) -> List[float]:
    """Returns the length or time of each sample: half of the interval before it and half of the one after it."""
    if len(at) < 2:
        raise InputError(f"{path}: {name} needs two samples; accepted: a series, or weight in place of {name}")
    steps = [after - before for before, after in zip(at, at[1:])]
    if min(steps) < 0.0:
        raise InputError(f"{path}: {name} decreases after row {steps.index(min(steps)) + 1}; accepted: samples in their order")
    return [0.5 * (before + after) for before, after in zip([0.0, *steps], [*steps, 0.0])]


def _in_classes(path: str, rows: Conditions, classes: int) -> Conditions:
    """Merges rows whose keys all fall into the same of `classes` equal parts of their ranges into their weighted mean."""
    numbers = [[_number(value, key, place, "any number, with --classes") for key, value in zip(rows.keys, row)]
               for row, place in zip(rows.values, rows.places)]
    least, most = ([function(column) for column in zip(*numbers)] for function in (min, max))
    cells: Dict[Tuple[int, ...], List[int]] = {}
    for k, row in enumerate(numbers):
        if rows.weights[k] > 0.0:
            cells.setdefault(tuple(min(classes - 1, int(classes * (value - low) / (high - low))) if high > low else 0
                                   for value, low, high in zip(row, least, most)), []).append(k)
    values, weights = [], []
    for cell in sorted(cells):
        weights.append(math.fsum(rows.weights[k] for k in cells[cell]))
        values.append([repr(math.fsum(rows.weights[k] * numbers[k][column] for k in cells[cell]) / weights[-1]) for column in range(len(rows.keys))])
    note = f"{path}: {len(rows.values)} rows in {len(values)} conditions, by {classes} classes of each key"
    return Conditions(rows.keys, values, weights, [*rows.notes, note], [f"{path}: the mean of {len(cells[cell])} rows" for cell in sorted(cells)])


def _number(text: str, name: str, place: str, accepted: str = "") -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number) or (name == "weight" and number < 0.0):
        raise InputError(f'{place}: {name}: "{text}" is out of range; accepted: {accepted or ("a number >= 0" if name == "weight" else "a number")}')
    return number


def _without_unit(path: str, name: str) -> str:
    """Returns the name of a column such as "wheel_rail.wheelset.y [mm]", in the form that export and geometry write."""
    found = _UNIT.match(name)
    if not found:
        return name
    plain, unit = found.groups()
    if plain in ("time", "distance"):
        return plain
    known = next((units for pattern, units in _UNITS if re.fullmatch(pattern, plain)), ())
    if unit not in known:
        raise InputError(f"{path}: {name}: " + (f"{plain} is not in {unit or 'nothing'}; accepted: {plain} [{known[0]}], or no unit" if known else
                                                f"the unit of {plain} is not known here; accepted: {plain} without a unit, in the unit of the case"))
    return plain


def _check_names(path: str, names: List[str]) -> None:
    for name in names:
        if not name:
            raise InputError(f"{path}: a column has no name; accepted: keys of the case, such as wheel_rail.wheelset.y, and weight")
        if names.count(name) > 1:
            raise InputError(f"{path}: {name} names two columns; accepted: each key once")
        near = difflib.get_close_matches(name, _SHARES, 1, 0.75)
        if near and name not in _SHARES and "." not in name:
            raise InputError(f"{path}: {name} is not a key of a case; did you mean '{near[0]}'?")
        if any(name == own or name.startswith(own + ".") for own in _OWN):
            raise InputError(f"{path}: {name} is not a running condition; accepted: other keys of the case, such as wheel_rail.wheelset.y, "
                             "and weight")
    shares = [name for name in names if name in _SHARES]
    if len(shares) > 1:
        raise InputError(f"{path}: {shares[0]} and {shares[1]} both say the shares of the distance; accepted: one of {', '.join(_SHARES)}")
    if len(shares) == len(names):
        raise InputError(f"{path}: no column is a key of the case; accepted: keys such as wheel_rail.wheelset.y, and weight, time or distance")


def _text(path: str) -> Tuple[List[str], List[List[str]], List[str]]:
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            text = file.read()
        mark = next((mark for mark in ";\t," if mark in text.lstrip().partition("\n")[0]), None)
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=mark or " ", skipinitialspace=True)
        found = [(reader.line_num, _cells(row, mark)) for row in reader if any(cell.strip() for cell in row)]
    except OSError as error:
        reason = "there is no such file" if isinstance(error, FileNotFoundError) else error.strerror
        raise InputError(f"{path}: {reason}; accepted: a table of running conditions, CSV or Parquet") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{path}: this is no table of text; accepted: CSV in UTF-8, or Parquet named .parquet") from error
    if not found:
        raise InputError(f"{path}: the file is empty; accepted: a line of names, and a row for each running condition")
    rows, places = [row for _, row in found[1:]], [f"{path}:{line}" for line, _ in found[1:]]
    names = found[0][1] if mark else _with_units(found[0][1])
    return names, _with_points(rows, places, mark), places


def _cells(row: List[str], mark: Optional[str]) -> List[str]:
    """Splits a line into cells without surrounding blanks; cells separated by blanks are never empty."""
    cells = [cell.strip() for cell in row]
    return cells if mark else [cell for cell in cells if cell]


def _with_units(names: List[str]) -> List[str]:
    """Joins names separated by blanks with the units in brackets behind them."""
    joined: List[str] = []
    for name in names:
        if joined and re.fullmatch(r"\[.*\]", name):
            joined[-1] += f" {name}"
        else:
            joined.append(name)
    return joined


_POINT = re.compile(r"[+-]?\d*\.\d*(?:[eE][+-]?\d+)?$")


def _with_points(rows: List[List[str]], places: List[str], mark: Optional[str]) -> List[List[str]]:
    """Converts decimal commas to points in all numbers of the table."""
    def first(pattern: Any) -> Optional[Tuple[str, str]]:
        return next(((place, cell) for row, place in zip(rows, places) for cell in row if pattern.match(cell)), None)

    comma, point = first(decimal_commas.NUMBER), first(_POINT)
    if comma is None:
        return rows
    alone = all(len(row) == 1 for row in rows)
    if decimal_commas.may_be_thousands([cell for row in rows for cell in row], "" if alone else mark or " "):
        raise InputError(f"{comma[0]}: " + decimal_commas.doubt(f'"{comma[1]}"'))
    if point is not None:
        raise InputError(f"{comma[0]}: \"{comma[1]}\" has a decimal comma, and \"{point[1]}\" at {point[0]} a decimal point; accepted: one of "
                         "them in all rows")
    return [[cell.replace(",", ".") if decimal_commas.NUMBER.match(cell) else cell for cell in row] for row in rows]


def _parquet(path: str) -> Tuple[List[str], List[List[str]], List[str]]:
    if not os.path.exists(path):
        raise InputError(f"{path}: there is no such file; accepted: a table of running conditions, CSV or Parquet")
    pandas = imported("pandas", f"{path}: Parquet")
    try:
        frame = pandas.read_parquet(path)
    except ImportError as error:  # of its engines
        raise InputError(f"{path}: Parquet is read by pandas with pyarrow, which says: {' '.join(str(error).split())}; accepted: "
                         "`pip install pyarrow`") from error
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: this is no Parquet file ({error}); accepted: CSV or Parquet") from error

    def text(value: Any) -> str:
        return "" if value is None or value != value else str(value.item() if hasattr(value, "item") else value)

    rows = [[text(value) for value in row] for row in frame.itertuples(index=False, name=None)]
    return [str(name) for name in frame.columns], rows, [f"{path}: row {k + 1}" for k in range(len(rows))]
