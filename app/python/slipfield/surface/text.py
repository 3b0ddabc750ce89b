# SPDX-License-Identifier: Apache-2.0
"""Surfaces in text: tables of heights, lists of x, y and z, Gwyddion's export."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Tuple

import numpy as np

from ..errors import InputError

if TYPE_CHECKING:
    from .files import Raw

_NUMBER = re.compile(r"[+-]?(\d+([.,]\d*)?|[.,]\d+)([eEdD][+-]?\d+)?$")
_COMMA = re.compile(r"[+-]?\d*,\d+([eEdD][+-]?\d+)?$")
# Texts that instruments and programs write where nothing was measured.
_MISSING = re.compile(r"(nan|[+-]?1\.#\w+|[+-]?inf(inity)?|bad|na|n/a|null|none|no_data|nodata|\*+|-+|)$", re.I)
_MOST_COLUMNS = 6  # of a list of points: x, y, z and what else was measured
_MOST_HEADER = 200


def decoded(path: str, start: bytes) -> Optional[str]:
    """The file as text; None where it is none."""
    if start.startswith((b"\xff\xfe", b"\xfe\xff")):
        encodings: Tuple[str, ...] = ("utf-16",)
    elif b"\0" in start:
        return None
    else:
        encodings = ("utf-8-sig", "cp1252", "latin-1")
    with open(path, "rb") as file:
        content = file.read()
    for encoding in encodings:
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        return None if "\0" in text else text
    return None


def read_text(path: str, text: str) -> Raw:
    lines = [(number, line.strip()) for number, line in enumerate(re.sub(r"no data", "no_data", text, flags=re.I).splitlines(), 1)]
    header: List[str] = []
    body: List[Tuple[int, str]] = []
    for number, line in lines:
        cut = re.search(r"(?:^|(?<=\s))#", line)
        if cut:
            header.append(line[cut.start():].lstrip("#").strip())
            line = line[:cut.start()].strip()
        if not line:
            continue
        if not body and not _is_data(line):
            header.append(line)
            if len(header) > _MOST_HEADER:
                break
            continue
        body.append((number, line))
    if not body:
        raise InputError(f"{path}: has no line of numbers; accepted: a table with a row of heights for each y, or x, y and z of a point in "
                         "each line")
    values, comma = _numbers(path, body)
    words = "text" + (" with decimal commas" if comma else "")
    if 3 <= values.shape[1] <= _MOST_COLUMNS and values.shape[0] > 3 and (values.shape[1] == 3 or _is_lattice(values)):
        raw = of_points(path, values, words)
        said = _units(header)
        raw.unit, raw.height_unit = said.get("x") or said.get("all"), said.get("z") or said.get("all")
        return raw
    return _map(values, header, words)


def _is_data(line: str) -> bool:
    words = [word for word in re.split(r"[;\t ]+|,\s", line) if word]
    words = [part for word in words for part in ([word] if _NUMBER.match(word) else word.split(","))]
    return any(_NUMBER.match(word) for word in words) and all(_NUMBER.match(word) or _MISSING.match(word) for word in words)


def _separator(lines: List[Tuple[int, str]]) -> Tuple[Optional[str], bool]:
    """Between numbers (None: blanks), and whether a comma is the decimal sign."""
    first = [line for _, line in lines[:50]]
    mark = next((mark for mark in (";", "\t") if all(mark in line for line in first)), None)
    words = [word for line in first for word in (line.split(mark) if mark else line.split())]
    words = [word.strip() for word in words if word.strip() and "," in word]
    no_points = not any("." in line for line in first)
    several = mark is not None or all(len(line.split()) > 1 for line in first)
    if words and several and no_points and all(_COMMA.match(word) for word in words):
        return mark, True
    return (mark, False) if mark or not words else (",", False)


def _numbers(path: str, body: List[Tuple[int, str]]) -> Tuple[Any, bool]:
    """All numbers as an array, and whether they have decimal commas."""
    mark, comma = _separator(body)
    lines = [line.replace(",", ".") if comma else line for _, line in body]
    if mark and all(line.endswith(mark) for line in lines):
        lines = [line[:-1].rstrip() for line in lines]
    try:
        return np.loadtxt(lines, delimiter=mark, ndmin=2, comments=None), comma
    except ValueError:  # slower, with missing values, other exponents, and the place of a fault
        rows = [_row(path, number, line, mark) for (number, _), line in zip(body, lines)]
    for (number, _), row in zip(body, rows):
        if len(row) != len(rows[0]):
            raise InputError(f"{path}: line {number} has {len(row)} values, the lines before it have {len(rows[0])}; accepted: as many in "
                             "each line")
    return np.array(rows, dtype=float), comma


def _row(path: str, number: int, line: str, mark: Optional[str]) -> List[float]:
    row = []
    for word in line.split(mark) if mark else line.split():
        word = word.strip()
        if _NUMBER.match(word) and "," not in word:
            row.append(float(re.sub("[dD]", "e", word)))
        elif _MISSING.match(word):
            row.append(np.nan)
        else:
            raise InputError(f"{path}: '{word[:40]}' in line {number} is not a number; accepted: numbers, and nan, bad, no data or nothing "
                             "where nothing was measured")
    return row


def _units(header: List[str]) -> Dict[str, str]:
    """Units that the lines before the numbers name: "x", "z" or "all" of them.

    "# Value units: m", "unit = um", "x [mm]; y [mm]; z [um]".
    """
    found: Dict[str, str] = {}
    for line in header:
        named = re.match(r"\W*([\w ]*?)[_ ]*\bunits?\W*[:=]\s*(\S+)", line, re.I)
        if named:
            of = named[1].strip().lower()
            which = ("z" if of in ("value", "z", "height", "heights") else "x" if of in ("x", "y", "xy", "lateral", "horizontal") else
                     "all" if not of else "")
            if which:
                found.setdefault(which, named[2].strip(",;"))
        for axis, unit in re.findall(r"\b([xyz])\w*\s*[\[(]\s*([^\]\s)]+)\s*[\])]", line, re.I):
            found.setdefault({"y": "x"}.get(axis.lower(), axis.lower()), unit)
    return found


def _map(values: Any, header: List[str], words: str) -> Raw:
    """A table. Gwyddion says the size of its own; its first row is the top one."""
    from .files import Raw
    said = _units(header)
    raw = Raw(values, height_unit=said.get("z") or said.get("all"), unit=said.get("x"), words=words)
    sizes = {}
    for line in header:
        size = re.match(r"(Width|Height):\s*([\d.eE+-]+)\s*(\S+)$", line)
        if size:
            sizes[size[1]] = (float(size[2]), size[3])
    if set(sizes) == {"Width", "Height"}:
        from .grid import metres_of
        (wide, raw.unit), (high, other) = sizes["Width"], sizes["Height"]
        high *= metres_of(other, "Height") / metres_of(raw.unit, "Width")
        raw.dx, raw.dy = wide / values.shape[1], high / values.shape[0]
        raw.heights = values[::-1]
        raw.words = "Gwyddion's text"
        raw.notes.append("Gwyddion's first row is the top one: rows were reversed")
    return raw


# --- Lists of points.

def _is_lattice(values: Any) -> bool:
    """x and y in the first columns are places of a grid of which at least half are there, nearly all once."""
    x, y = values[:, 0], values[:, 1]
    if not np.isfinite(values[:, :2]).all():
        return False
    places = len(np.unique(values[:, :2], axis=0))
    wide, high = len(np.unique(x)), len(np.unique(y))
    return len(x) >= 12 and wide > 1 and high > 1 and 20 * (len(x) - places) <= len(x) and wide * high <= 2 * len(x)


def _places(path: str, name: str, values: Any) -> Tuple[Any, float, float]:
    """The numbers of columns (or rows) from 0, the first place, the distance."""
    ordered = np.unique(values)
    if ordered.size == 1:
        return np.zeros(len(values), dtype=int), float(ordered[0]), 0.0
    gaps = np.diff(ordered)
    groups = np.concatenate([[0], np.cumsum(gaps > 0.2 * gaps.max())])  # smaller ones: noise of a stage, rounded digits
    centres = np.bincount(groups, ordered) / np.bincount(groups)
    step = float(np.median(np.diff(centres))) if centres.size > 1 else float(gaps.max())
    number = np.rint((values - centres[0]) / step)
    step = float((centres[-1] - centres[0]) / max(number.max(), 1.0)) or step
    number = np.rint((values - centres[0]) / step)
    if np.max(np.abs(values - centres[0] - step * number)) > 0.1 * step:
        raise InputError(f"{path}: the {name} of its points are not those of a grid with even steps; accepted: points of a grid, or heights "
                         "that were interpolated to one")
    return number.astype(int), float(centres[0]), step


def of_points(path: str, values: Any, words: str) -> Raw:
    """A map of points x, y, z in any order; places without a point are not measured."""
    from .files import Raw
    if not np.isfinite(values[:, :2]).all():
        raise InputError(f"{path}: the x or y of a point is not a number; accepted: x, y and z of each point")
    columns, x0, dx = _places(path, "x", values[:, 0])
    rows, y0, dy = _places(path, "y", values[:, 1])
    wide, high = int(columns.max()) + 1, int(rows.max()) + 1
    if wide * high > 4 * len(values):
        raise InputError(f"{path}: its {len(values)} points fill less than a quarter of the {wide} x {high} places of their grid; accepted: "
                         "points of a grid, or heights that were interpolated to one")
    heights = np.full((high, wide), np.nan)
    heights[rows, columns] = values[:, 2]
    again = heights[rows, columns]
    twice = np.flatnonzero((again != values[:, 2]) & np.isfinite(values[:, 2]))
    if twice.size:
        x, y = values[twice[0], :2]
        raise InputError(f"{path}: lists the point x = {x:.6g}, y = {y:.6g} twice with different heights; accepted: one height for each point")
    raw = Raw(heights, dx or dy or None, dy or dx or None, x0, y0, words=f"{words}, {len(values)} points x, y, z")
    if values.shape[1] > 3:
        raw.notes.append(f"of {values.shape[1]} columns the first three were taken")
    return raw
