# SPDX-License-Identifier: Apache-2.0
"""The table of running conditions: CSV or Parquet, a row for each condition, keys of the case and `weight` as columns."""

from __future__ import annotations

import csv
import math
import os
from dataclasses import dataclass
from typing import Any, List, Tuple

from ..errors import InputError, needs

# What a condition may not change: the profiles wear, and the rest would make conditions of different kinds.
_OWN = ("wheel_rail.wheel", "wheel_rail.rail", "wheel_rail.side", "wheel_rail.spacing", "wheel_rail.geometry_only", "wear.passes", "steps",
        "sweep", "output", "expected", "schema", "units", "title")


@dataclass
class Conditions:
    """keys[k] = values[row][k]; the weights sum to 1."""
    keys: List[str]
    values: List[List[str]]
    weights: List[float]
    notes: List[str]
    places: List[str]  # where each row is, for messages

    def settings(self, row: int) -> List[str]:
        return [f"{key}={value}" for key, value in zip(self.keys, self.values[row])]


def of_case_alone() -> Conditions:
    return Conditions([], [[]], [1.0], [], [""])


def read_conditions(path: str) -> Conditions:
    """Reads and checks the table; the program checks keys and values."""
    names, rows, places = _parquet(path) if path.lower().endswith((".parquet", ".pq")) else _text(path)
    _check_names(path, names)
    if not rows:
        raise InputError(f"{path}: the table has no rows; accepted: a row for each running condition")
    for row, place in zip(rows, places):
        if len(row) != len(names):
            raise InputError(f"{place}: {len(row)} values below {len(names)} names; accepted: a value for each")
        for name, value in zip(names, row):
            if not value:
                raise InputError(f"{place}: {name} has no value; accepted: a value in every row")
    keys = [name for name in names if name != "weight"]
    values = [[value for name, value in zip(names, row) if name != "weight"] for row in rows]
    if "weight" not in names:
        note = [] if len(rows) == 1 else [f"{path} has no weights: each of its {len(rows)} conditions has the same share of the distance"]
        return Conditions(keys, values, [1.0 / len(rows)] * len(rows), note, places)
    weights = [_weight(row[names.index("weight")], place) for row, place in zip(rows, places)]
    total = math.fsum(weights)
    if total <= 0.0:
        raise InputError(f"{path}: all weights are 0; accepted: a weight > 0 in one row at least")
    note = [] if abs(total - 1.0) < 1e-9 else [f"{path}: the weights sum to {total:.6g} and were divided by it"]
    return Conditions(keys, values, [weight / total for weight in weights], note, places)


def _weight(text: str, place: str) -> float:
    try:
        weight = float(text)
    except ValueError:
        weight = math.nan
    if not 0.0 <= weight < math.inf:
        raise InputError(f'{place}: weight: "{text}" is not a share of the distance; accepted: a number >= 0')
    return weight


def _check_names(path: str, names: List[str]) -> None:
    for name in names:
        if not name:
            raise InputError(f"{path}: a column has no name; accepted: keys of the case, such as wheel_rail.wheelset.y, and weight")
        if names.count(name) > 1:
            raise InputError(f"{path}: {name} names two columns; accepted: each key once")
        if any(name == own or name.startswith(own + ".") for own in _OWN):
            raise InputError(f"{path}: {name} is not a running condition; accepted: other keys of the case, such as wheel_rail.wheelset.y, "
                             "and weight")
        if name in ("time", "distance"):
            raise InputError(f"{path}: {name} is not a key of the case, as recorded series are not sorted into conditions here; accepted: "
                             "keys of the case, and weight, the condition's share of the distance")
    if [name for name in names if name != "weight"] == []:
        raise InputError(f"{path}: no column is a key of the case; accepted: keys such as wheel_rail.wheelset.y, and weight")


def _text(path: str) -> Tuple[List[str], List[List[str]], List[str]]:
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file, skipinitialspace=True)
            found = [(reader.line_num, [cell.strip() for cell in row]) for row in reader if any(cell.strip() for cell in row)]
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}; accepted: a table of running conditions, CSV or Parquet") from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{path}: this is no table of text; accepted: CSV with commas in UTF-8, or Parquet named .parquet") from error
    if not found:
        raise InputError(f"{path}: the file is empty; accepted: a line of names, and a row for each running condition")
    return found[0][1], [row for _, row in found[1:]], [f"{path}:{line}" for line, _ in found[1:]]


def _parquet(path: str) -> Tuple[List[str], List[List[str]], List[str]]:
    if not os.path.exists(path):
        raise InputError(f"{path}: No such file or directory; accepted: a table of running conditions, CSV or Parquet")
    try:
        import pandas
        frame = pandas.read_parquet(path)
    except ImportError as error:
        raise needs("pyarrow", f"{path}: Parquet", "pandas with pyarrow") from error
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: this is no Parquet file ({error}); accepted: CSV or Parquet") from error

    def text(value: Any) -> str:
        return "" if value is None or value != value else str(value.item() if hasattr(value, "item") else value)

    rows = [[text(value) for value in row] for row in frame.itertuples(index=False, name=None)]
    return [str(name) for name in frame.columns], rows, [f"{path}: row {k + 1}" for k in range(len(rows))]
