# SPDX-License-Identifier: Apache-2.0
"""Surfaces in text: tables of heights, lists of x, y and z, Gwyddion's export, ESRI's ASCII grids."""

from __future__ import annotations

import itertools
import re
from typing import Any, Callable, Dict, Iterable, List, Optional, Sequence, Tuple

import numpy as np

from .. import decimal_commas
from ..errors import InputError
from .grid import is_length, same_unit
from .raw import NEVER, X_NAMES, Y_NAMES, Z_NAMES, Raw, is_no_height, samples, stand_for, words_of

_A_NUMBER = r"[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:[eEdD][+-]?\d+)?"
_NUMBER = re.compile(_A_NUMBER + "$")
_COMMA = re.compile(r"[+-]?\d*,\d+([eEdD][+-]?\d+)?$")
# Texts that instruments and programs write where nothing was measured.
_MISSING = re.compile(r"(nan|[+-]?1\.#\w+|[+-]?inf(inity)?|bad|na|n/a|null|none|no_data|nodata|\*+|-+|)$", re.I)
_MOST_COLUMNS = 6  # of a list of points: x, y, z and what else was measured
_MOST_HEADER = 200
# Errors of spreadsheets in some languages, which # begins as it does comments.
_OF_SPREADSHEETS = re.compile(r"(?<![^;,\s\"])#(?:N/A|NV|DIV/0!|VALUE!|WERT!|VALEUR!|REF!|BEZUG!|NUM!|ZAHL!|NOMBRE!|NAME\?)(?![^;,\s\"])", re.I)
_SPACES = str.maketrans({"\u00a0": " ", "\u2007": " ", "\u2009": " ", "\u202f": " ", "\u2212": "-", "\x1a": None})


def decoded(path: str, start: bytes, opened: Callable[[str, str], Any] = open) -> Optional[str]:
    """Returns the file as text; None if it is not text. opened: opens it for reading, such as gzip.open."""
    if start.startswith((b"\xff\xfe", b"\xfe\xff")):
        encodings: Tuple[str, ...] = ("utf-16",)
    elif b"\0" in start:
        return None
    else:
        encodings = ("utf-8-sig", "cp1252", "latin-1")
    with opened(path, "rb") as file:
        content = file.read()
    for encoding in encodings:
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError:
            continue
        return None if "\0" in text else text
    return None


def read_text(path: str, text: str, spaced: bool = False) -> Raw:
    """`spaced`: the distances of the samples are known, so that even a few rows need no places."""
    lines, quoted = _lines(path, text)
    header, body = _header_and_body(lines)
    if not body:
        header, body = _named_body(header, lines)
    notes = _take_counts(header, body)
    if not body:
        raise InputError(f"{path}: has no line of numbers; accepted: a table with a row of heights for each y, or x, y and z of a point in "
                         "each line")
    values, comma = _numbers(path, body)
    words = "text" + (" with decimal commas" if comma or quoted else "")
    said = _units(header)
    made = (_gwyddion(path, values, header, said) or _esri(path, values, header, said) or _spip(path, values, header)
            or _points(path, values, header, said, words) or _with_places(path, values, header, said, words, spaced)
            or Raw(values, unit_x=said.get("x") or said.get("y"), unit_y=said.get("y") or said.get("x"), unit_z=said.get("z") or said.get("all"),
                   words=words))
    made.notes += notes
    return made


def _lines(path: str, text: str) -> Tuple[List[str], bool]:
    """Normalises spaces and signs, replaces spreadsheets' errors by nan, and removes quotes around numbers; returns whether
    commas in quotes were decimal signs."""
    text = _OF_SPREADSHEETS.sub("nan", re.sub(r"no data", "no_data", text, flags=re.I).translate(_SPACES))
    lines = [line.strip(" ") for line in text.splitlines()]
    quoted = re.compile(r'"\s*([+-]?\d*),(\d+(?:[eE][+-]?\d+)?)\s*"')
    found = [(number, each) for number, line in enumerate(lines, 1) for each in quoted.finditer(line)]
    if not found or any(re.search(r"\d\.\d", lines[number - 1]) for number, _ in found):
        return lines, False
    mark = next((mark for mark in ";\t" if any(mark in lines[number - 1] for number, _ in found)), ",")
    if decimal_commas.may_be_thousands([f"{each[1]},{each[2]}" for _, each in found], mark):
        number, each = found[0]
        raise InputError(f"{path}: " + decimal_commas.doubt(f"{each[0]} in line {number}"))
    return [quoted.sub(r"\1.\2", line) for line in lines], True


def _header_and_body(lines: List[str]) -> Tuple[List[str], List[Tuple[int, str]]]:
    """Splits a file into comments and lines before the numbers, and the lines of numbers with their line numbers."""
    header: List[str] = []
    body: List[Tuple[int, str]] = []
    for number, line in enumerate(lines, 1):
        cut = re.search(r"(?:^|(?<=\s))#", line)
        if cut:
            header.append(line[cut.start():].lstrip("#").strip())
            line = line[:cut.start()]
        line = line.rstrip() if body or _is_data(line) else line.strip()
        if not line.strip():
            continue
        if '"' in line and _is_data(line.replace('"', "")):
            line = line.replace('"', "")
        if not body and not _is_data(line):
            header.append(line)
            if len(header) > _MOST_HEADER:
                break
            continue
        body.append((number, line))
    some = 0 < sum(line.startswith("\t") for _, line in body) < len(body)  # behind an empty cell, where then all are as wide
    if not some or len({line.count("\t") for _, line in body}) > 1:
        body = [(number, line.strip()) for number, line in body]
    while body and re.fullmatch(r"[\])};\s]+", body[-1][1]):  # the end of a matrix
        del body[-1]
    return header, body


def _named_body(header: List[str], lines: List[str]) -> Tuple[List[str], List[Tuple[int, str]]]:
    """Selects the columns x, y and z by name from lines that also hold words: "Point 1;0;0.5;0.1"."""
    for number, line in enumerate(lines[:_MOST_HEADER], 1):
        mark = next((mark for mark in ";\t," if mark in line), None)
        cells = _cells(line)
        columns = [_columns_of(axis, cells) for axis in "xyz"]
        if mark is None or any(len(each) != 1 for each in columns):
            continue
        taken = [each[0] for each in columns]
        body = []
        for below, row in enumerate(lines[number:], number + 1):
            words = [word.strip("\" ") for word in row.split(mark)]
            if len(words) >= len(cells) and all(_NUMBER.match(words[column]) or _MISSING.match(words[column]) for column in taken):
                body.append((below, mark.join(words[column] for column in taken)))
        return [mark.join(cells[column] for column in taken)], body
    return header, []


def _take_counts(header: List[str], body: List[Tuple[int, str]]) -> List[str]:
    """Moves lines with the numbers of rows and columns to the header, and names places x that have no corner."""
    mark, comma = _separator(body[2:])
    plain = [line.strip(";\t, ") for _, line in body]
    rows = [line.split(mark) if mark and mark in line else line.split() if comma else re.split(r"[;\t, ]+", line) for line in plain]
    notes: List[str] = []
    for first in (1, 2):
        columns = len(rows[first]) if len(rows) > first + 2 else 0
        if columns < 2 or any(len(row) != columns for row in rows[first:first + 4]) or any(len(row) == columns for row in rows[:first]):
            continue
        said = [word for row in rows[:first] for word in row]
        sizes = [len(rows) - first, columns]
        are_counts = all(re.fullmatch(r"\d{1,9}", word) for word in said) and (
            sorted(map(int, said)) == sorted(sizes) or len(said) == 1 and int(said[0]) in (*sizes, sizes[0] * sizes[1]))
        if are_counts:
            notes = [f"line {number}, '{line}', was taken as a title" for number, line in body[:first]]
            header.extend(line for _, line in body[:first])
            del body[:first]
            return notes
        if first == 1 and columns - 1 == len(said) >= 3 and all(_NUMBER.match(word.strip()) for word in said):
            if _even_step(np.array([_number_in(word) for word in said]), 3) != 0.0:
                header.append(";".join(["y/x", *said]))  # as a spreadsheet names the corner
                del body[:1]
                return notes
    return notes


def _is_data(line: str) -> bool:
    words = [word for word in re.split(r"[;\t ]+|,\s", line) if word]
    words = [part for word in words for part in ([word] if _NUMBER.match(word) else word.split(","))]
    return any(_NUMBER.match(word) for word in words) and all(_NUMBER.match(word) or _MISSING.match(word) for word in words)


def _separator(lines: List[Tuple[int, str]]) -> Tuple[Optional[str], bool]:
    """Returns the separator of numbers (None: blanks), and whether a comma is the decimal sign."""
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
    """Returns all numbers as an array, and whether they have decimal commas."""
    for end in ";\t,":
        if all(line.endswith(end) for _, line in body):
            body = [(number, line[:-1].rstrip()) for number, line in body]
            break
    mark, comma = _separator(body)
    signed = re.compile(r"[-+]?\d+,\d+(\s*,\s*[-+]\d+,\d+)+,?$")
    if mark == "," and all(signed.match(line) for _, line in body[:50]):
        raise InputError(f"{path}: '{body[0][1][:40]}' in line {body[0][0]} has decimal commas between commas; accepted: decimal points, or "
                         "semicolons, tabs or blanks between the numbers")
    if mark == "," and not comma:
        _refuse_either(path, body)
    lines = [line.replace(",", ".") if comma else line for _, line in body]
    try:
        return np.loadtxt(lines, delimiter=mark, ndmin=2, comments=None), comma
    except ValueError:  # slower, with missing values, other exponents, and the place of a fault
        rows = [_row(path, number, line, mark) for (number, _), line in zip(body, lines)]
    for (number, _), row in zip(body, rows):
        if len(row) != len(rows[0]):
            raise InputError(f"{path}: line {number} has {len(row)} values, the lines before it have {len(rows[0])}; accepted: as many in "
                             "each line")
    return np.array(rows, dtype=float), comma


def _refuse_either(path: str, body: List[Tuple[int, str]]) -> None:
    """Commas between digits that may as well be decimal ones: 0,02, 0,05 and, with zeros that no whole number has, 0,02,0,05."""
    if any("." in line for _, line in body):
        return
    apart = re.compile(r"[-+]?\d+,\d+(,\s+[-+]?\d+,\d+)+,?")
    words = [line.replace(" ", "").strip(",").split(",") for _, line in body]
    zeros = all(len(row) % 2 == 0 for row in words) and any(re.fullmatch(r"0\d+", word) for row in words for word in row[1::2])
    if zeros or all(apart.fullmatch(line) for _, line in body[:50]):
        number, line = body[0]
        raise InputError(f"{path}: '{line[:40]}' in line {number} may have decimal commas between commas; accepted: decimal points, or semicolons, "
                         "tabs or blanks between the numbers")


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


def _number_in(text: str) -> float:
    """Returns a number of a header, whose decimal sign may be a comma."""
    return float(re.sub("[dD]", "e", text.replace(",", ".")))


def _units(header: List[str]) -> Dict[str, str]:
    """Returns units named in the lines before the numbers: for "x", "y", "z", or "all".

    "# Value units: m", "unit = um", "x [mm]; y [mm]; z [um]", "heights in nm".
    """
    found: Dict[str, str] = {}
    for line in header:
        named = re.match(r"\W*([\w ]*?)[_ ]*\bunits?\W*[:=]\s*(\S+)", line, re.I)
        if named:
            of = named[1].strip().lower()
            which = (("z",) if of in ("value", "z", "height", "heights") else (of,) if of in ("x", "y") else
                     ("x", "y") if of in ("xy", "lateral", "horizontal") else ("all",) if not of else ())
            for axis in which:
                found.setdefault(axis, named[2].strip(",;"))
        for axes, unit in re.findall(r"\b(xy|[xyz])\w*\s*[\[(]\s*([^\]\s)]+)\s*[\])]", line, re.I):
            for axis in axes.lower():
                found.setdefault(axis, unit)
        for unit in re.findall(rf"\b(?:{'|'.join(Z_NAMES)}|höhen)\s+in\s+([^\s,;.)\]]+)", line, re.I):
            if is_length(unit):
                found.setdefault("z", unit)
    return found


# --- Tables whose header says the distances, and whose first row is the top of a picture.

# Gwyddion writes its labels in the user's language.
_WIDTH = "Width|Breite|Largeur|Larghezza|Ancho|Anchura|Largura|Šířka|Ширина|幅"
_HEIGHT = "Height|Höhe|Hauteur|Altezza|Alto|Altura|Výška|Высота|高さ"


def _gwyddion(path: str, values: Any, header: List[str], units: Dict[str, str]) -> Optional[Raw]:
    """Gwyddion's export: "Width: 8.0 µm", "Height: 6.0 µm", "Value units: nm"."""
    sizes = [re.match(rf"(?:{label})\s*:\s*({_A_NUMBER})\s*(\S+)$", line) for label in (_WIDTH, _HEIGHT) for line in header]
    found = [size for size in sizes if size]
    if len(found) != 2 or values.shape[1] == 3 and _is_lattice(values):
        return None
    wide, high = (_number_in(size[1]) for size in found)
    if wide <= 0.0 or high <= 0.0:
        raise InputError(f"{path}: is Gwyddion's text of {found[0].string}, {found[1].string}; accepted: a width and a height > 0")
    behind = [line.rpartition(":")[2].strip() for line in header[header.index(found[1].string) + 1:][:1]]
    unit_z = units.get("z") or next(filter(is_length, behind), None)
    return Raw(values[::-1], wide / values.shape[1], high / values.shape[0], 0.0, 0.0, found[0][2], found[1][2], unit_z, "Gwyddion's text",
               ["Gwyddion's first row is the top one: rows were reversed"])


def _esri(path: str, values: Any, header: List[str], units: Dict[str, str]) -> Optional[Raw]:
    """ESRI's ASCII grid: ncols, nrows, the lower left corner (or the middle of its cell), cellsize, NODATA_value; the first row is the
    northern one."""
    said: Dict[str, float] = {}
    for line in header:
        found = re.match(r"(ncols|nrows|[xy]ll(?:corner|center|centre)|cellsize|dx|dy|nodata_value)\s+(\S+)$", line, re.I)
        if found:
            said[found[1].lower().replace("centre", "center")] = _number_in(found[2]) if _NUMBER.match(found[2]) else np.nan
    dx, dy = (said.get("cellsize", said.get(name, 0.0)) for name in ("dx", "dy"))
    if not ("ncols" in said and "nrows" in said and dx > 0.0 and dy > 0.0):
        return None
    columns, rows = said["ncols"], said["nrows"]
    if values.size != columns * rows or not columns.is_integer() or not rows.is_integer() or rows < 0.0:
        raise InputError(f"{path}: has {values.size} values, and its header says ncols {columns:g} and nrows {rows:g}; accepted: a value for "
                         "each column of each row")
    nothing = said.get("nodata_value", -9999.0)  # the format's default
    heights = values.reshape(int(rows), int(columns))[::-1]
    hole = stand_for(heights, nothing)
    x0, y0 = (said.get(axis + "llcenter", said.get(axis + "llcorner", 0.0) + 0.5 * step) for axis, step in (("x", dx), ("y", dy)))
    raw = Raw(np.where(hole, np.nan, heights), dx, dy, x0, y0, units.get("x"), units.get("y"), units.get("z"), "ESRI's ASCII grid")
    raw.notes.append("its first row is the northern one: rows were reversed")
    if hole.any():
        raw.notes.append(f"{samples(int(hole.sum()), 'is', 'are')} NODATA_value, {nothing:.10g}: not measured")
    return raw


def _spip(path: str, values: Any, header: List[str]) -> Optional[Raw]:
    """SPIP's ASCII: x-pixels, y-pixels, x-length and y-length in nm, Bit2nm; the first row is the top one."""
    said = {found[1].lower(): _number_in(found[2]) for found in (re.match(rf"([xy]-(?:pixels|length)|Bit2nm)\s*=\s*({_A_NUMBER})$", line, re.I)
                                                                 for line in header) if found}
    if not {"x-pixels", "y-pixels", "x-length", "y-length"} <= set(said):
        return None
    rows, columns = said["y-pixels"], said["x-pixels"]
    if values.size != rows * columns or not (said["x-length"] > 0.0 and said["y-length"] > 0.0):
        raise InputError(f"{path}: has {values.size} values, and its header says x-pixels {columns:g}, y-pixels {rows:g}, x-length "
                         f"{said['x-length']:g}, y-length {said['y-length']:g}; accepted: a value for each pixel, and lengths > 0")
    heights = values.reshape(int(rows), int(columns))[::-1] * said.get("bit2nm", 1.0)
    return Raw(heights, said["x-length"] / columns, said["y-length"] / rows, 0.0, 0.0, "nm", "nm", "nm", "SPIP's text",
               ["SPIP's first row is the top one: rows were reversed"])


# --- Tables with a row of x above the heights and a column of y before them.

def _last_digit(places: Any) -> float:
    """Returns the last digit of rounded numbers as a step; 0 if they have six or more digits."""
    return next((0.1**digits for digits in range(6) if (np.abs(places * 10.0**digits - np.rint(places * 10.0**digits)) < 1e-6).all()), 0.0)


def _even_step(places: Any, fewest: int = 4, digits: float = 4.0) -> float:
    """Returns the step of even places, which may be rounded if it is as many units of the last digit; 0: they are not even."""
    if len(places) < fewest or not np.isfinite(places).all():
        return 0.0
    steps = np.diff(places)
    mean = float(steps.mean())
    rounding, digit = 1e-5 * float(np.abs(places).max()), 1.001 * _last_digit(places)  # of six digits
    slack = max(1e-3 * abs(mean), rounding, digit if abs(mean) >= digits * digit else 0.0)
    return mean if (np.abs(steps - mean) <= slack).all() and abs(mean) > 4.0 * rounding else 0.0


def _shows_places(values: Any, spaced: bool) -> bool:
    """Whether the first row and column may be places: not those of a plane, all rows of which are even. Of few rows no other may be even, and the
    corner is none of their line; it is blank where their distance is known already."""
    wide = values if values.shape[1] >= values.shape[0] else values.T
    if len(wide) >= 5:
        return _even_step(values[0]) == 0.0 or _even_step(values[:, 0]) == 0.0  # else a tilted map, whose corner continues both
    if len(wide) < 3 or wide.shape[1] < 6 or _even_step(wide[0, 1:], digits=100.0) == 0.0:
        return False
    corner = wide[0, 0]
    apart = not spaced and (corner == 0.0 or _even_step(wide[0]) == 0.0 == _even_step(wide[:, 0], 3))
    if not (np.isnan(corner) or apart) or _even_step(wide[0]) != 0.0 != _even_step(wide[:, 0], 2):
        return False
    return all(_even_step(row[1:]) == 0.0 for row in wide[1:])


def _with_places(path: str, values: Any, header: List[str], units: Dict[str, str], words: str,
                 spaced: bool) -> Optional[Raw]:
    """None where the first row and column are heights: those of a plane are even, as are all its rows, and the corner of a tilted map
    continues both."""
    mark = next((mark for mark in (";", "\t", ",") if header and mark in header[-1]), None)
    named = [word.strip() for word in header[-1].split(mark)] if header else []
    are_named = len(named) == values.shape[1] > 1 and all(map(_NUMBER.match, named[1:]))  # "y/x, 0, 0.5, 1"
    if are_named:
        values = np.vstack([[np.nan, *map(_number_in, named[1:])], values])
    elif not _shows_places(values, spaced):
        return None
    fewest = 2 if are_named or min(values.shape) < 5 else 4
    dx, dy = _even_step(values[0, 1:], fewest), _even_step(values[1:, 0], fewest)
    if dx == 0.0 and dy != 0.0 and len(values) > 8 and _even_step(values[1:, 1]) == 0.0 == _even_step(values[1:, 2]):
        raise InputError(f"{path}: has even places in its first column, and heights in {values.shape[1] - 1} others; accepted: heights alone, "
                         "or the places of the columns above them")
    if are_named and 0.0 in (dx, dy):
        raise InputError(f"{path}: has a row of places x above its heights, and places that are not even; accepted: even steps of "
                         "the columns and of the rows")
    if dx == 0.0 or dy == 0.0 or not are_named and min(values.shape) >= 5 and _even_step(values[1, 1:]) != 0.0 != _even_step(values[2, 1:]):
        return None
    heights = values[1:, 1:][::1 if dy > 0.0 else -1, ::1 if dx > 0.0 else -1]
    raw = Raw(heights, abs(dx), abs(dy), values[0, 1:].min(), values[1:, 0].min(), units.get("x") or units.get("all"),
              units.get("y") or units.get("all"), units.get("z") or units.get("all"), words)
    raw.notes.append("its first row holds places x, its first column places y")
    return raw


# --- Lists of points.

_AXES = {name: axis for axis, names in (("x", X_NAMES), ("y", Y_NAMES), ("z", Z_NAMES)) for name in names}
_LAST_NAMES = {"length", "länge", "longueur", "lunghezza", "width", "breite", "largeur", "larghezza", "höhe", "hauteur", "altezza"}


def _points(path: str, values: Any, header: List[str], units: Dict[str, str], words: str) -> Optional[Raw]:
    """Returns the map for a list of points; None if the table is not one."""
    rows, width = values.shape
    if width == 2 and rows > 3 and _increases(values[:, 0]):
        raise InputError(f"{path}: has two columns, of which the first increases: a line of places and heights, not a surface; accepted: a "
                         "row of heights for each y, or x, y and z of a point in each line; a case takes a line by geometry: {type: profile}")
    listed = 3 <= width <= _MOST_COLUMNS and rows > 3 and (width == 3 or _is_lattice(values))
    cells, columns = _named_columns(path, header, width)
    if not columns and not listed:
        return None
    named = [re.search(r"[\[(]\s*(.+?)\s*[\])]|(?:/\s*|\sin\s+)(\S+)$", cells[column]) for column in columns or ()]  # "x [um]", "x/um"
    units = {**units, **{axis: unit[1] or unit[2] for axis, unit in zip("xyz", named) if unit}}
    taken = columns or (0, 1, 2)
    for line in header:  # "mm;mm;um", "[mm] [mm] [um]"
        below = [word.strip("[]()") for word in re.split(r"[;\t, ]+", line.strip("%/*!;, \t"))]
        if len(below) == width and all(map(is_length, below)):
            units = {**units, **{axis: below[column] for axis, column in zip("xyz", taken)}}
    raw = of_points(path, values[:, taken], words, [units.get(axis) or units.get("all") for axis in "xyz"])
    if columns and not _columns_of("z", cells):
        raw.warnings.append(f"{path}: names its columns {', '.join(cells)}, and '{cells[taken[2]]}' was taken for the height, because it is neither "
                            "x nor y; a column called z or height is taken without this warning, and --flip heights (in Python surface.flip) makes "
                            "heights of depths")
    if taken != (0, 1, 2):
        raw.notes.append("x, y and z are its columns " + ", ".join(f"{column + 1} ('{cells[column]}')" for column in taken))
    elif width > 3:
        raw.notes.append(f"of {width} columns the first three were taken")
    return raw


def _cells(line: str) -> List[str]:
    """Returns the names of columns in a line, separated by semicolons, tabs or commas, else by blanks."""
    line = line.rpartition(":")[2].strip("%/*! \t").rstrip(";, \t")  # "Columns: x y z"
    for mark in ";\t,":
        if mark in line:
            return [cell.strip("\"' ") for cell in line.split(mark)]
    return [cell.strip("\"'") for cell in re.sub(r"\s+(?=[\[(])", "", line).split()]


def _columns_of(axis: str, cells: Sequence[str]) -> List[int]:
    """Returns the columns called x (y, z), else by another usual name, else those with such a name among their words."""
    plain = [re.sub(r"[\[(].*", "", cell).strip() for cell in cells]
    called = [i for i, name in enumerate(plain) if _AXES.get(name.lower()) == axis]
    for better in ([axis], set(_AXES) - _LAST_NAMES):  # x before Easting, and both before width and Länge
        called = [i for i in called if plain[i].lower() in better] or called
    words = [set() if axis == "z" and is_no_height(name) else {_AXES.get(word) for word in words_of(name)} - {None} for name in plain]
    return called or [i for i, axes in enumerate(words) if axes == {axis}]  # "Pos_X [um]", "height (nm)"


def _named_columns(path: str, header: List[str], width: int) -> Tuple[List[str], Optional[Tuple[int, ...]]]:
    """Returns the names of columns in the last line that has them, and those of x, y and z; None: no line names them."""
    for line in reversed(header):
        cells = _cells(line)
        if len(cells) == width + 1 and not cells[0]:  # a mark of a comment
            del cells[0]
        found = [_columns_of(axis, cells) for axis in "xyz"]
        if len(cells) == width >= 3 and sum(map(bool, found)) > 1:
            if width == 3 and not found[2]:
                found[2] = [i for i in range(3) if [i] not in found]  # the only one left
                _refuse_no_height(path, cells, found[2])
            if any(len(columns) != 1 for columns in found):
                raise InputError(f"{path}: names its columns {', '.join(cells)}; accepted: one of them named x, one y, and one z or height")
            return cells, tuple(columns[0] for columns in found)
        if len(cells) == width == 3 and re.search("[;\t,]", line):
            _refuse_no_height(path, cells, range(3))
        if len(cells) == width or not 3 <= width <= _MOST_COLUMNS or any(len(columns) != 1 for columns in found):
            continue
        at = [columns[0] for columns in found]
        beside = max(at) - min(at) == 2  # else a sentence; in one, "x y z in um" has the order that is taken anyway
        if re.search("[;\t,]", line) or beside and not (width == 3 and at == sorted(at)):
            raise InputError(f"{path}: names {len(cells)} columns, {', '.join(cells)}, over lines of {width} numbers; accepted: a name for each "
                             "column")
    return [], None


def _refuse_no_height(path: str, cells: List[str], columns: Iterable[int]) -> None:
    if any(is_no_height(cells[column]) for column in columns):
        raise InputError(f"{path}: names its columns {', '.join(cells)}, of which none is a height; accepted: one of them named x, one y, and one z "
                         "or height")


def _increases(places: Any) -> bool:
    return bool((np.diff(places) > 0.0).all())


def _is_lattice(values: Any) -> bool:
    """Whether x and y in the first columns form a grid of which at least half the places exist, nearly all once."""
    x, y = values[:, 0], values[:, 1]
    if not np.isfinite(values[:, :2]).all():
        return False
    places = len(np.unique(values[:, :2], axis=0))
    wide, high = len(np.unique(x)), len(np.unique(y))
    return len(x) >= 12 and wide > 1 and high > 1 and 20 * (len(x) - places) <= len(x) and wide * high <= 2 * len(x)


def _grids(values: Any) -> List[Tuple[Any, float, float]]:
    """Even steps that places may have, the finest first: the number of each place from 0, the first place, the distance.

    Places closer than a part of a step are one: the noise of a stage, rounded digits. What is noise and what a step is not known
    before, so ever greater distances are taken for noise. Where places are missing a gap is several steps.
    """
    ordered, index = np.unique(values, return_inverse=True)
    if ordered.size == 1:
        return [(np.zeros(len(values), dtype=int), float(ordered[0]), 0.0)]
    gaps = np.diff(ordered)
    found: List[Tuple[Any, float, float]] = []
    before, noise = -1, max(0.5 * gaps.min(), 1e-12 * gaps.max())  # not 0, where doubling it would never end
    while noise < gaps.max():
        wide = gaps > noise
        noise *= 2.0
        count = int(np.count_nonzero(wide))
        if count == before:
            continue
        before = count
        group = np.concatenate([[0], np.cumsum(wide)])
        centres = np.bincount(group, ordered) / np.bincount(group)
        between = np.diff(centres)
        step = between[between < 1.5 * between.min()].mean()
        number = np.concatenate([[0], np.cumsum(np.rint(between / step))])
        step = (centres[-1] - centres[0]) / number[-1]
        if np.max(np.abs(ordered - centres[0] - step * number[group])) <= 0.1 * step:
            found.append((number[group][index].astype(int), float(centres[0]), float(step)))
    return found


def of_points(path: str, values: Any, words: str, units: Sequence[Optional[str]] = (None, None, None)) -> Raw:
    """Makes a map of points x, y, z in any order, with their units; places without a point are not measured."""
    if not (np.abs(values[:, :2]) < NEVER).all():
        raise InputError(f"{path}: the x or y of a point is no length; accepted: x, y and z of each point")
    line = "; x increases from each point to the next, as of a line, which is no surface" if _increases(values[:, 0]) else ""
    axes = []
    for name, column in (("x", 0), ("y", 1)):
        axes.append(_grids(values[:, column]))
        if not axes[-1]:
            raise InputError(f"{path}: the {name} of its points are not those of a grid with even steps; accepted: points of a grid, or heights "
                             f"that were interpolated to one{line}")
    # With noise of few digits a finer grid is as even, but has few of its places; a grid with fewer places than points is too coarse.
    grids = sorted(((int(columns[0].max()) + 1, int(rows[0].max()) + 1, columns, rows) for columns, rows in itertools.product(*axes)),
                   key=lambda grid: grid[0] * grid[1])
    wide, high, (columns, x0, dx), (rows, y0, dy) = next((grid for grid in grids if len(values) <= 1.5 * grid[0] * grid[1]), grids[-1])
    if wide * high > 4 * len(values):
        raise InputError(f"{path}: its {len(values)} points fill less than a quarter of the {wide} x {high} places of their grid; accepted: "
                         f"points of a grid, or heights that were interpolated to one{line}")
    heights = np.full((high, wide), np.nan)
    heights[rows, columns] = values[:, 2]
    again = heights[rows, columns]
    twice = np.flatnonzero((again != values[:, 2]) & np.isfinite(values[:, 2]))
    if twice.size:
        x, y = values[twice[0], :2]
        raise InputError(f"{path}: lists the point x = {x:.6g}, y = {y:.6g} twice with different heights; accepted: one height for each point")
    unit_x, unit_y, unit_z = units
    if same_unit(unit_x, unit_y):  # one row, or one column: as far as the others are apart
        dx, dy = dx or dy, dy or dx
    return Raw(heights, dx or None, dy or None, x0, y0, unit_x, unit_y, unit_z, f"{words}, {len(values)} points x, y, z")
