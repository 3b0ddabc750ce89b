# SPDX-License-Identifier: Apache-2.0
"""LIFE.h5: the results of each round and the input of the next. It is written whole and then moved into place, so that it is
always the file of a finished round."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional

import h5py
import numpy as np

from ..errors import Error, InputError

FILE_TYPE = "slipfield-life"
LENGTHS = ("distance", "passing_wheels")  # settings that may grow when a life is resumed


class Table:
    """Rows of the same columns, of which each round adds many: a sequence of dictionaries that is kept by columns."""

    def __init__(self, columns: Optional[Dict[str, Any]] = None) -> None:
        self._parts = [columns] if columns else []

    def append(self, rows: Dict[str, Any]) -> None:
        """Adds rows, an array for each column; columns that the table does not have are left out."""
        self._parts.append({name: rows[name] for name in (self._parts[0] if self._parts else rows)})

    @property
    def columns(self) -> Dict[str, Any]:
        """An array for each column; what changes them changes the table."""
        if len(self._parts) > 1:
            self._parts = [{name: np.concatenate([part[name] for part in self._parts]) for name in self._parts[0]}]
        return self._parts[0] if self._parts else {}

    def __len__(self) -> int:
        return sum(len(next(iter(part.values()))) for part in self._parts)

    def __getitem__(self, k: int) -> Dict[str, Any]:
        if not -len(self) <= k < len(self):
            raise IndexError(k)
        return {name: _plain(values[k]) for name, values in self.columns.items()}


@dataclass
class Life:
    """The state after a round. profiles[body]: those of all rounds; areas[body]: the area that a whole life would wear off each
    point at the last rates [mm^2]."""
    settings: Dict[str, Any]  # what a run is asked for; the same when it is resumed
    texts: Dict[str, List[str]]  # case, keys, conditions, warnings
    profiles: Dict[str, List[Any]] = field(default_factory=dict)
    areas: Dict[str, Any] = field(default_factory=dict)
    worn: Dict[str, float] = field(default_factory=dict)  # the program's worn areas times passes of a whole life, at the same rates
    tables: Dict[str, Any] = field(default_factory=lambda: {"rounds": [], "wheels": Table(), "contacts": Table()})  # sequences of dictionaries
    units: Dict[str, Any] = field(default_factory=dict)
    step: float = 1.0   # to be tried next, as a share of the life
    share: float = 0.0  # of the life, that is behind

    @property
    def round(self) -> int:
        return len(self.tables["rounds"]) - 1


    def end_at(self, settings: Dict[str, Any]) -> None:
        """Changes the distance or number of wheels from those that the life began with, and rescales the quantities per life."""
        factor = next(settings[name] / self.settings[name] for name in LENGTHS if self.settings[name] > 0.0)
        self.settings = settings
        self.share, self.step = self.share / factor, self.step / factor
        self.areas = {name: factor * areas for name, areas in self.areas.items()}
        self.worn = {name: factor * area for name, area in self.worn.items()}
        for row in self.tables["rounds"]:
            row["share"] /= factor
        contacts = self.tables["contacts"].columns
        for name in ("wheel_passes", "rail_passes"):
            if name in contacts:
                contacts[name] = contacts[name] * factor

    def may_end_at(self, settings: Dict[str, Any]) -> bool:
        """Whether the end may change so, all else being equal: not to before the present state and, if both wear, only in the
        same proportion."""
        if any(settings[name] != value for name, value in self.settings.items() if name not in LENGTHS or 0.0 in (settings[name], value)):
            return False
        factors = [settings[name] / self.settings[name] for name in LENGTHS if self.settings[name] > 0.0]
        return min(factors) > self.share and max(factors) <= (1.0 + 1e-9) * min(factors)


def write(life: Life, path: str) -> None:
    new = f"{path}.new"
    try:
        with h5py.File(new, "w") as file:
            _fill(file, life)
        with open(new, "rb+") as made:
            os.fsync(made.fileno())
        os.replace(new, path)
    except OSError as error:
        raise Error(f"{path}: it cannot be written: {error.strerror or error}") from error
    finally:
        with contextlib.suppress(OSError):
            os.remove(new)


def _fill(file: Any, life: Life) -> None:
    file.attrs.update({"file_type": FILE_TYPE, "units": "N-mm-s", "outcome": "finished" if life.share >= 1.0 else "interrupted", **life.settings})
    for name, texts in life.texts.items():
        file.create_dataset(name, data=np.array(texts, dtype=h5py.string_dtype()))
    for body, points in life.profiles.items():
        made = file.create_dataset(f"profiles/{body}", data=np.array(points))
        made.attrs.update({"units": "mm", "description": "y and z of each point after each round; y towards the field side of a right one, z down"})
    for name, rows in life.tables.items():
        group = file.create_group(name)
        columns = rows.columns if isinstance(rows, Table) else {column: np.array([row[column] for row in rows]) for column in rows[0]}
        for column, values in columns.items():
            made = group.create_dataset(column, data=values.astype(h5py.string_dtype()) if values.dtype.kind == "U" else values)
            unit, words = life.units.get(column, ("-", ""))
            made.attrs.update({"units": unit, "description": words})
    state = file.create_group("state")
    state.attrs.update({"step": life.step, "share": life.share, "description": "what --resume continues from"})
    for body, areas in life.areas.items():
        made = state.create_dataset(body, data=areas)
        made.attrs.update({"units": "mm^2", "worn_area": life.worn[body]})


def read(path: str) -> Life:
    """The Life of a file that `slipfield life` wrote."""
    try:
        with h5py.File(path, "r") as file:
            if file.attrs.get("file_type") != FILE_TYPE:
                raise InputError(f"{path}: this is no file of slipfield life; accepted: another name, or a file that slipfield life wrote")
            settings = {name: _plain(value) for name, value in file.attrs.items() if name not in ("file_type", "units", "outcome")}
            texts = {name: [text.decode() for text in item[()]] for name, item in file.items() if isinstance(item, h5py.Dataset)}
            life = Life(settings, texts)
            life.profiles = {body: list(item[()]) for body, item in file["profiles"].items()}
            state = file["state"]
            life.areas = {body: item[()] for body, item in state.items()}
            life.worn = {body: float(item.attrs["worn_area"]) for body, item in state.items()}
            life.step, life.share = float(state.attrs["step"]), float(state.attrs["share"])
            for name in life.tables:
                table = Table({column: item.asstr()[()].astype(str) if h5py.check_string_dtype(item.dtype) else item[()]
                               for column, item in file[name].items()})
                life.units.update({column: (item.attrs["units"], item.attrs["description"]) for column, item in file[name].items()})
                life.tables[name] = list(table) if name == "rounds" else table
            return life
    except (OSError, KeyError) as error:
        raise InputError(f"{path}: this is no file of slipfield life; accepted: another name, or a file that slipfield life wrote") from error


def _plain(value: Any) -> Any:
    if isinstance(value, bytes):
        return value.decode()
    return value.item() if isinstance(value, np.generic) else value
