# SPDX-License-Identifier: Apache-2.0
"""Reads files of measured surfaces and writes heights of a case. The format is recognised by the file's first bytes, and only
where these say nothing by its name."""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import sys
import warnings
import zlib
from dataclasses import replace
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from ..errors import Error, InputError, imported, is_missing
from ..given import path_of
from . import text
from .grid import UNITS, Surface, a_case_reads, is_length, metres_of, real_of, same_unit
from .prepare import rescale
from .raw import NEVER, X_NAMES, Y_NAMES, Raw, is_no_height, samples, stand_for

PathLike = Union[str, "os.PathLike[str]"]
FILE_TYPE = "slipfield-surface"  # io/output_rule.cpp knows it
_HDF5, _NPY, _MATLAB, _ZIP = b"\x89HDF\r\n\x1a\n", b"\x93NUMPY", b"MATLAB 5", b"PK\x03\x04"
_NETCDF, _GZIP = (b"CDF\x01", b"CDF\x02", b"CDF\x05"), b"\x1f\x8b"
_FILLS = ("_FillValue", "missing_value", "nodata", "NODATA_value")
_BEYOND = 1e10  # hardly a length; a case refuses it
# Other usual fill values; those of io/heights/reader.cpp.
_USUAL_FILLS = (999.25, 999.9, 9999.9, 999.0, 9999.0, 99999.0, 999999.0, 127.0, 255.0, 32767.0, 32768.0, 65535.0, 2147483647.0,
                2147483648.0, 99.0)
# Text whose format SurfaceTopography knows, and the words that it begins with.
_TEXT_OF_OTHERS = ("aISO", "bISO", "DSAA", "Frame", "ISO")
# What files with these endings begin with; SurfaceTopography reads none that begins otherwise.
_OWN_ENDINGS = {".npy": "NumPy's \\x93NUMPY", ".h5": "HDF5's signature", ".hdf5": "HDF5's signature",
                **{ending: "text" for ending in (".txt", ".csv", ".xyz", ".asc")}}
# What SurfaceTopography 1.27 reads.
_ENDINGS_OF_OTHERS = frozenset((
    ".al3d", ".bcr", ".bcrf", ".dat", ".datx", ".di", ".ezd", ".frt", ".gwy", ".ibw", ".jpk", ".lext", ".mdt", ".mi", ".mnt", ".nid", ".nms", ".oir",
    ".opd", ".opdx", ".os3d", ".plu", ".plux", ".poir", ".qep", ".sdf", ".stp", ".sur", ".tmd", ".top", ".vk4", ".vk6", ".vk7", ".x3p", ".xlsx", ".zmg",
    ".zon"))
_UNITS = ", ".join(UNITS)


def read(path: PathLike, *, unit: Optional[str] = None, height_unit: Optional[str] = None,
         spacing: Optional[Sequence[float]] = None, dataset: Optional[str] = None, missing: Optional[float] = None,
         to: str = "mm") -> Surface:
    """Reads a measured surface: text (a table, a list of x, y and z, Gwyddion's export, ESRI's ASCII grid), .npy, HDF5, MATLAB's
    .mat, and with the package SurfaceTopography x3p, sur, sdf, opd, plu, al3d, gwy and others.

    Parameters
    ----------
    unit: of distances, if the file does not state it; also of heights without any other unit.
    height_unit: of heights.
    spacing: (dx, dy) in the unit of distances, if the file has no places.
    dataset: its path in HDF5, the variable in MATLAB, the channel in other formats; None: the only one.
    missing: a number that marks places that were not measured.
    to: the unit of the Surface.

    Returns
    -------
    A Surface, NaN where nothing was measured. `steps` says what was taken from the file and what was reversed; `warnings` has
    a sentence if a height such as -9999 may mark places that were not measured.
    """
    name = path_of(path, "a file of heights")
    metre = metres_of(to, "to")
    for value, what in ((unit, "unit"), (height_unit, "height_unit")):
        if value is not None:
            metres_of(value, what)
    if dataset is not None and not isinstance(dataset, str):
        raise InputError(f"dataset: {dataset!r} is not a name; accepted: text")
    nothing = None if missing is None else real_of(missing)
    if missing is not None and nothing is None:
        raise InputError(f"missing: {missing!r} is not a number; accepted: the number that stands for places that were not measured")
    content, size = _digest(name)
    raw = _read_raw(name, dataset, spacing is not None)
    notes = list(raw.notes)
    if spacing is None and (raw.dx is None or raw.dy is None):
        raise InputError(f"{name}: nothing says how far its samples are apart; accepted: --spacing DX,DY with --unit (in Python spacing=, unit=)")
    of_x, of_y = _units_of_sides(raw, unit, spacing is not None, name, notes)
    of_heights = _unit_of("heights", height_unit, raw.unit_z, unit, name, notes)
    dx, dy = _spacing(raw, spacing)
    suspicious = _spacing_warnings(name, raw, (dx, of_x), (dy, of_y)) if spacing is not None else ()
    along, across, high = (metres_of(each, name) / metre for each in (of_x, of_y, of_heights))
    heights = _with_missing(raw.heights, nothing, notes)
    if nothing is not None and not stand_for(raw.heights, nothing).any():
        suspicious = (*suspicious, f"{name}: no height is {nothing:.10g}, the number that was given for places that were not measured (missing)")
    made = Surface(heights * high, dx * along, dy * across, to, raw.x0 * along, raw.y0 * across, os.path.basename(name), content, size,
                   warnings=(*raw.warnings, *suspicious, *_fill_warnings(name, heights)))
    my, mx = made.shape
    first = (f"read {made.source}, {raw.words}: {mx} x {my} samples of {_sides(dx, of_x, dy, of_y)}, heights in {of_heights}"
             + (f"; {made.missing} {'was' if made.missing == 1 else 'were'} not measured" if made.missing else ""))
    return replace(made, steps=(first, *notes))


def _sides(dx: float, unit_x: str, dy: float, unit_y: str) -> str:
    return f"{dx:.6g} x {dy:.6g} {unit_y}" if unit_x == unit_y else f"{dx:.6g} {unit_x} x {dy:.6g} {unit_y}"


def _digest(path: str) -> Tuple[str, int]:
    if os.path.isdir(path) or not os.path.exists(path):
        raise InputError(f"{path}: {'is a folder' if os.path.isdir(path) else 'there is no such file'}; accepted: a file of heights")
    found = hashlib.sha256()
    size = 0
    try:
        with open(path, "rb") as file:
            while block := file.read(1 << 20):
                found.update(block)
                size += len(block)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error
    if not size:
        raise InputError(f"{path}: is empty; accepted: a file of heights")
    return found.hexdigest(), size


def _units_of_sides(raw: Raw, given: Optional[str], spaced: bool, name: str, notes: List[str]) -> Tuple[str, str]:
    """Returns the units of distances along x and y separately. spaced: the user also gives the distances."""
    if same_unit(raw.unit_x, raw.unit_y):
        unit = _unit_of("distances", given, raw.unit_x, None, name, notes)
        return unit, unit
    if given and raw.unit_x and raw.unit_y and not spaced:
        raise InputError(f"{name}: says that its distances along x are in {raw.unit_x}, those along y in {raw.unit_y}, and {given} is given for "
                         "both; accepted: no --unit (for heights --height-unit; in Python unit=, height_unit=), or --spacing, too")
    return (_unit_of("distances along x", given, raw.unit_x, None, name, notes),
            _unit_of("distances along y", given, raw.unit_y, None, name, notes))


def _unit_of(what: str, given: Optional[str], said: Optional[str], other: Optional[str], name: str, notes: List[str]) -> str:
    """Returns the user's unit, else the file's, else the user's other unit."""
    option = "--height-unit or --unit (in Python height_unit= or unit=)" if what == "heights" else "--unit (in Python unit=)"
    used = given or said or other
    if used is None:
        raise InputError(f"{name}: nothing says in which unit its {what} are; accepted: {option} with one of {_UNITS}")
    if not is_length(used):
        raise InputError(f"{name}: its {what} are in '{used}', which is not a length; accepted: one of {_UNITS}, or {option}, which counts "
                         "more than the file")
    if said is not None and not same_unit(said, used):
        notes.append(f"the file says that {what} are in {said}; {used} was given and counts")
    return used


def _spacing(raw: Raw, given: Optional[Sequence[float]]) -> Tuple[float, float]:
    """Returns the distances of the samples: the given ones, else the file's."""
    if given is None:
        return raw.dx or 0.0, raw.dy or 0.0
    try:
        dx, dy = (real_of(each) or 0.0 for each in given)
    except (TypeError, ValueError):
        dx = dy = 0.0
    if not (0.0 < dx < np.inf and 0.0 < dy < np.inf):
        raise InputError(f"spacing: {given!r} are no distances; accepted: DX,DY, two numbers > 0")
    raw.x0 = raw.y0 = 0.0
    return dx, dy


def _spacing_warnings(name: str, raw: Raw, given_x: Tuple[float, str], given_y: Tuple[float, str]) -> Tuple[str, ...]:
    """Warns if the file's distances differ from the given ones, with the units of both."""
    if raw.dx is None or raw.dy is None:
        return ()
    said = ((raw.dx, raw.unit_x), (raw.dy, raw.unit_y))

    def differs(one: Tuple[float, Optional[str]], given: Tuple[float, str]) -> bool:
        unit = one[1] if one[1] is not None and is_length(one[1]) else given[1]
        return abs(one[0] * metres_of(unit, "") / (given[0] * metres_of(given[1], "")) - 1.0) > 1e-3

    if not any(differs(one, given) for one, given in zip(said, (given_x, given_y))):
        return ()
    (x, unit_x), (y, unit_y) = said
    distances = _sides(x, unit_x or "", y, unit_y or "").rstrip()
    return (f"{name}: the file says that its samples are {distances} apart; {_sides(*given_x, *given_y)} was given and counts: --spacing is for "
            "files that do not say it",)


def _with_missing(heights: Any, missing: Optional[float], notes: List[str]) -> Any:
    heights = np.array(heights, dtype=float)
    if missing is not None:
        same = stand_for(heights, missing)
        notes.append(f"{samples(int(same.sum()), 'is', 'are')} {missing:.10g}: not measured")
        heights[same] = np.nan
    never = np.abs(heights) >= NEVER
    if never.any():
        notes.append(f"{samples(int(never.sum()), 'holds', 'hold')} {heights[never][0]:.6g} and the like, which no height is: not measured")
        heights[never] = np.nan
    return heights


def _fill_warnings(name: str, heights: Any) -> Tuple[str, ...]:
    """Warns of a fill value that lies far from all other heights, by the rule of `slipfield check` (io/heights/reader.cpp)."""
    known = heights[np.isfinite(heights)]
    for extreme in (known.min(), known.max()) if known.size else ():
        others = known[known != extreme]
        if not (abs(extreme) in _USUAL_FILLS or abs(extreme) >= _BEYOND) or not others.size:
            continue
        least, greatest = others.min(), others.max()
        if max(least - extreme, extreme - greatest) <= 10.0 * (greatest - least):
            continue
        rows, columns = np.nonzero(heights == extreme)
        return (f"{name}: the value {extreme:.10g} in {len(rows)} place{'s' if len(rows) > 1 else ''}, first in row {rows[0] + 1}, column "
                f"{columns[0] + 1}, lies far from all others ({least:.4g} to {greatest:.4g}), as a fill value does where nothing was "
                f"measured; --missing {extreme:.10g} (in Python missing=) reads it so",)
    return ()


# --- Which format.

def _read_raw(path: str, dataset: Optional[str], spaced: bool) -> Raw:
    with open(path, "rb") as file:
        start = file.read(4096)
    ending = os.path.splitext(path)[1].lower()
    if start.startswith(_NPY):
        return _npy(path, dataset)
    if start.startswith(_MATLAB):
        return _matlab(path, dataset)
    if ending != ".datx" and _is_hdf5(path, start):  # Zygo's .datx is HDF5 with a layout of its own
        return _hdf5(path, dataset)
    if start.startswith(_NETCDF):
        return _netcdf(path, dataset)
    if start.startswith(_GZIP):
        return _gzipped(path, dataset, spaced)
    decoded = None if start.startswith(_ZIP) else text.decoded(path, start)
    if decoded is None and ending in _OWN_ENDINGS:
        raise InputError(f"{path}: does not begin with {_OWN_ENDINGS[ending]}, as a file called {ending} does: it is damaged, or of another "
                         "format; accepted: the name that its own format has")
    if decoded is None or decoded.lstrip().startswith(_TEXT_OF_OTHERS) or ending in (".sdf", ".x3p", ".gwy", ".sur"):
        return _other(path, ending, dataset)
    return _text_map(path, decoded, dataset, spaced)


def _text_map(path: str, decoded: str, dataset: Optional[str], spaced: bool) -> Raw:
    if dataset is not None:
        raise InputError(f"{path}: is text, which has one surface; accepted: no dataset")
    return text.read_text(path, decoded, spaced)


def _gzipped(path: str, dataset: Optional[str], spaced: bool) -> Raw:
    try:
        with gzip.open(path, "rb") as file:
            start = file.read(4096)
        decoded = text.decoded(path, start, gzip.open)
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"{path}: cannot be read as gzip: {error}; accepted: a complete file, or one that is not compressed") from error
    if decoded is None:
        raise InputError(f"{path}: is compressed by gzip and holds no text; accepted: the file without compression")
    return _text_map(path, decoded, dataset, spaced)


def _is_hdf5(path: str, start: bytes) -> bool:
    if start.startswith(_HDF5):
        return True
    at = 512  # MATLAB's 7.3 has a block of text before it
    size = os.path.getsize(path)
    with open(path, "rb") as file:
        while at < size:
            file.seek(at)
            if file.read(8) == _HDF5:
                return True
            at *= 2
    return False


def _npy(path: str, dataset: Optional[str]) -> Raw:
    if dataset is not None:
        raise InputError(f"{path}: is .npy, which has one array; accepted: no dataset")
    try:
        array = np.load(path, allow_pickle=False)
    except Exception as error:  # pylint: disable=broad-except
        raise InputError(f"{path}: cannot be read as .npy: {error}") from error  # also what the parser raises of a damaged header
    if array.dtype.kind not in "fiu" or array.ndim != 2 or 0 in array.shape:
        raise InputError(f"{path}: has an array of {array.dtype} and the shape {array.shape}; accepted: numbers of shape (my, mx), a row "
                         "of heights for each y, or (n, 3), x, y and z of each point")
    if array.shape[1] == 3 and array.shape[0] > 3:
        return text.of_points(path, np.asarray(array, dtype=float), ".npy")
    return Raw(np.asarray(array, dtype=float), words=".npy")


# --- Several arrays in a file.

def _chosen(path: str, shapes: Dict[str, Tuple[int, ...]], dataset: Optional[str], usual: Iterable[str], what: str) -> str:
    """Returns the named array, else the usual one, else the only map that is not a coordinate."""
    maps = [name for name, shape in shapes.items() if len(shape) == 2 and min(shape) > 1]
    if dataset is not None:
        near = [name for name in shapes if name.strip("/") == dataset.strip("/")]
        if near:
            return near[0]
    else:
        for name in usual:
            if len(shapes.get(name, ())) == 2 and max(shapes[name]) > 1:  # also one row
                return name
        plain = [name for name in maps if name.rsplit("/", 1)[-1].lower() not in (*X_NAMES, *Y_NAMES)]
        if len(plain) == 1 and not is_no_height(plain[0].rsplit("/", 1)[-1]):
            return plain[0]
    listed = ", ".join(maps[:12]) + (", ..." if len(maps) > 12 else "")
    found = (f"has no {what} '{dataset}'" if dataset is not None else f"has no array of two dimensions whose name is that of a height"
             if len(maps) == 1 else f"has {len(maps)} arrays of two dimensions")
    raise InputError(f"{path}: {found}"
                     + (f"; accepted: --dataset (in Python dataset=) with one of {listed}" if maps else "; accepted: a file with one"))


# An array's name, its numbers and their unit.
_Places = Tuple[str, Any, Optional[str]]


def _axis(path: str, name: str, at: Any, unit: Optional[str]) -> Tuple[Optional[float], Optional[float], bool]:
    """Returns first place, distance and whether places decrease; None if the places are only counters."""
    if at.size < 2:
        return None, None, False
    step = float(at[-1] - at[0]) / (at.size - 1) if np.isfinite(at).all() else 0.0
    if step == 0.0 or np.max(np.abs(at - at[0] - step * np.arange(at.size))) > 0.01 * abs(step):
        raise InputError(f"{path}: its coordinates '{name}' are not evenly spaced; accepted: samples at even steps")
    if abs(step) == 1.0 and not unit:
        return None, None, step < 0.0
    return float(min(at[0], at[-1])), abs(step), step < 0.0


def _placed(path: str, raw: Raw, x: Optional[_Places], y: Optional[_Places]) -> Raw:
    """Sets the places of columns and rows, each in its own unit, and reverses decreasing ones."""
    for places, letter, axis, word in ((x, "x", 1, "columns"), (y, "y", 0, "rows")):
        if places is None:
            continue
        name, values, unit = places
        first, distance, falls = _axis(path, name, np.asarray(values, dtype=float), unit)
        if falls:
            raw.heights = np.flip(raw.heights, axis)
            raw.notes.append(f"its coordinates '{name}' fall: {word} were reversed")
        setattr(raw, "unit_" + letter, unit)
        if first is not None:
            setattr(raw, letter + "0", first)
            setattr(raw, "d" + letter, distance)
    if x is None or raw.heights.shape[1] == 1:  # no distances there that had a unit of their own
        raw.unit_x = raw.unit_x or raw.unit_y
    if y is None or raw.heights.shape[0] == 1:
        raw.unit_y = raw.unit_y or raw.unit_x
    if raw.heights.shape[0] == 1 and raw.dy is None and same_unit(raw.unit_x, raw.unit_y):
        raw.dy = raw.dx
    return raw


def _matlab(path: str, dataset: Optional[str]) -> Raw:
    loadmat = imported("scipy.io", f"{path}: MATLAB's format of version 5 to 7").loadmat
    try:
        arrays = {name: value for name, value in loadmat(path).items() if not name.startswith("__")}
    except Exception as error:  # pylint: disable=broad-except
        raise InputError(f"{path}: cannot be read as a MATLAB file: {error}") from error  # scipy has no exception of its own
    arrays = {name: value for name, value in arrays.items() if isinstance(value, np.ndarray) and value.dtype.kind in "fiu" and value.ndim == 2}
    name = _chosen(path, {each: value.shape for each, value in arrays.items()}, dataset, ("heights", "Z", "z"), "array of numbers")
    return _with_named_axes(path, Raw(np.asarray(arrays[name], dtype=float), words=f"MATLAB's '{name}'"), arrays, "")


def _with_named_axes(path: str, raw: Raw, arrays: Mapping[str, Any], folder: str, by_columns: bool = False) -> Raw:
    """Uses coordinates in arrays called x and y: vectors, or of the heights' shape as made by meshgrid.

    by_columns: the file stores its arrays column by column.
    """
    places: List[Optional[_Places]] = [None, None]
    for name, value in arrays.items():
        parent, _, base = name.rpartition("/")
        axis = 0 if base.lower() in X_NAMES else 1 if base.lower() in Y_NAMES else None
        if axis is None or parent != folder or value.ndim > 2:
            continue
        array = np.asarray(value[()], dtype=float)
        array = np.squeeze(array.T if by_columns else array)
        if array.shape == raw.heights.shape:
            array = array[0] if axis == 0 else array[:, 0]
        if array.shape == (raw.heights.shape[1 - axis],):
            places[axis] = (name, array, _unit_attribute(value))
    return _placed(path, raw, places[0], places[1])


class _Variable:
    """A variable of classic netCDF with the members of h5py's dataset that are used here."""

    fillvalue = None

    def __init__(self, found: Any):
        self.data, self.dimensions = np.array(found.data), found.dimensions
        self.attrs = dict(found._attributes)  # pylint: disable=protected-access  # scipy has no other way
        self.shape, self.ndim, self.dtype = self.data.shape, self.data.ndim, self.data.dtype

    def __getitem__(self, key: Any) -> Any:
        return self.data[key]


def _netcdf(path: str, dataset: Optional[str]) -> Raw:
    """Reads classic netCDF, whose coordinates say which row has the lowest y. SurfaceTopography reads it without them."""
    netcdf_file = imported("scipy.io", f"{path}: classic netCDF").netcdf_file
    try:
        with netcdf_file(path, mmap=False) as file:
            arrays = {name: _Variable(each) for name, each in file.variables.items() if each.data.dtype.kind in "fiu"}
    except Exception as error:  # pylint: disable=broad-except
        # whatever scipy raises of a damaged header
        raise InputError(f"{path}: cannot be read as classic netCDF: {' '.join(str(error).split()) or type(error).__name__}") from error
    name = _chosen(path, {each: item.shape for each, item in arrays.items()}, dataset, ("heights", "z"), "variable of numbers")
    item = arrays[name]
    _check_map(path, name, item)
    raw = Raw(np.asarray(item[()], dtype=float), words=f"netCDF '{name}'")
    _unpack(item, raw)
    mask = arrays.get("mask")  # of SurfaceTopography
    if mask is not None and mask.shape == item.shape:
        raw.heights[mask[()] != 0] = np.nan
    raw.unit_z = _unit_attribute(item)
    names = list(item.dimensions)
    if names[0].lower() in X_NAMES and names[1].lower() in Y_NAMES:
        raw.heights = raw.heights.T
        names.reverse()
        raw.notes.append("its dimensions are (x, y): rows and columns were exchanged")
    y, x = ((each, arrays[each][()], _unit_attribute(arrays[each])) if each in arrays and arrays[each].ndim == 1 else None for each in names)
    raw = _placed(path, raw, x, y)
    for axis, each, count in (("y", y, raw.heights.shape[0]), ("x", x, raw.heights.shape[1])):
        length = _numbers(arrays[each[0]].attrs.get("length", ())) if each is not None else []  # of SurfaceTopography
        if getattr(raw, "d" + axis) is None and len(length) == 1 and length[0] > 0.0:
            setattr(raw, "d" + axis, length[0] / count)
    return raw


def _check_map(path: str, name: str, item: Any) -> None:
    if item.ndim != 2 or 0 in item.shape:
        raise InputError(f"{path}: '{name}' has the shape {tuple(item.shape)}; accepted: (my, mx), a row of heights for each y")


def _text(value: Any) -> str:
    value = value[0] if isinstance(value, np.ndarray) and value.size == 1 else value
    return (value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)).strip(" \0")


def _attribute(dataset: Any, *names: str) -> Any:
    """Finds an attribute by name, ignoring case."""
    plain = {name.lower(): name for name in dataset.attrs}
    for name in names:
        if name.lower() in plain:
            return dataset.attrs[plain[name.lower()]]
    return None


def _unit_attribute(dataset: Any) -> Optional[str]:
    said = _attribute(dataset, "units", "unit") if hasattr(dataset, "attrs") else None
    return _text(said) or None if said is not None else None


def _numbers(value: Any) -> List[float]:
    try:
        return [float(each) for each in np.ravel(_text(value) if isinstance(value, (str, bytes)) else value)]
    except ValueError:
        return []  # "none"


def _hdf5(path: str, dataset: Optional[str]) -> Raw:
    h5py = imported("h5py", f"{path}: HDF5")
    try:
        with h5py.File(path, "r") as file:
            return _hdf5_map(path, file, dataset)
    except (OSError, RuntimeError, KeyError) as error:
        raise InputError(f"{path}: cannot be read as HDF5: {error}") from error


def _hdf5_map(path: str, file: Any, dataset: Optional[str]) -> Raw:
    arrays: Dict[str, Any] = {}

    def visit(name: str, item: Any) -> None:
        if hasattr(item, "shape") and getattr(item.dtype, "kind", "") in "fiu":
            arrays["/" + name] = item

    file.visititems(visit)
    name = _chosen(path, {each: item.shape for each, item in arrays.items()}, dataset, ("/heights",), "dataset of numbers")
    item = arrays[name]
    _check_map(path, name, item)
    if _text(_attribute(item, "MATLAB_class") or "") in ("char", "cell", "struct", "function_handle"):
        raise InputError(f"{path}: '{name}' is no array of numbers; accepted: a variable of class double, single or integer")
    raw = Raw(np.asarray(item[()], dtype=float), words=f"HDF5 '{name}'")
    _unpack(item, raw)
    raw.unit_z = _unit_attribute(item)
    folder = name.rpartition("/")[0]
    if "MATLAB_class" in item.attrs or "OCTAVE_NEW_FORMAT" in item.parent.attrs:  # they store columns one after the other
        raw.heights = raw.heights.T
        return _with_named_axes(path, raw, arrays, folder, by_columns=True)
    scales = [dimension[0] if len(dimension) else None for dimension in item.dims]
    names = ["" if scale is None else scale.name.rsplit("/", 1)[-1].lower() for scale in scales]
    if names[0] in X_NAMES and names[1] in Y_NAMES:
        raw.heights = raw.heights.T
        scales.reverse()
        raw.notes.append("its dimensions are (x, y): rows and columns were exchanged")
    if all(scale is not None and scale.shape == (count,) for scale, count in zip(scales, raw.heights.shape)):
        y, x = ((scale.name, scale[()], _unit_attribute(scale)) for scale in scales)
        return _placed(path, raw, x, y)
    return _with_named_axes(path, raw, arrays, folder)


def _unpack(item: Any, raw: Raw) -> None:
    """Applies _FillValue and similar attributes, valid ranges, scale_factor and add_offset to the stored numbers."""
    heights = raw.heights
    hole = np.zeros(heights.shape, dtype=bool)
    fills: List[float] = []
    for name in _FILLS:
        value = _attribute(item, name)
        fills += [] if value is None else _numbers(value)
    if item.fillvalue is not None and float(item.fillvalue) != 0.0:
        fills.append(float(item.fillvalue))
    for fill in fills:
        hole |= stand_for(heights, fill)
    limits = _attribute(item, "valid_range")
    low, high = (_attribute(item, "valid_min"), _attribute(item, "valid_max")) if limits is None else np.ravel(limits)[:2]
    if low is not None:
        hole |= heights < float(np.ravel(low)[0])
    if high is not None:
        hole |= heights > float(np.ravel(high)[0])
    factor, offset = _attribute(item, "scale_factor"), _attribute(item, "add_offset")
    if factor is not None or offset is not None:
        factor = 1.0 if factor is None else float(np.ravel(factor)[0])
        offset = 0.0 if offset is None else float(np.ravel(offset)[0])
        heights = heights * factor + offset
        raw.notes.append(f"stored numbers times {factor:g}" + (f" plus {offset:g}" if offset else ""))
    raw.heights = np.where(hole, np.nan, heights)


# --- All other formats.

def _reader_of(ending: str) -> str:
    """Promises no reader of a format that SurfaceTopography may not know."""
    return f"{ending} is read by" if ending in _ENDINGS_OF_OTHERS else "is of no format that slipfield reads itself; many others are read by"


def _other(path: str, ending: str, channel: Optional[str]) -> Raw:
    """Reads by SurfaceTopography, whose arrays are [x, y] with a picture's y, downwards: each of its readers turns the file's order into
    that of Gwyddion's pictures. Classic netCDF, whose coordinates it does not look at, is read by _netcdf."""
    if ending in (".png", ".jpg", ".jpeg", ".gif", ".bmp"):
        raise InputError(f"{path}: is a picture, and its colours are no heights; accepted: the file that the instrument saved, or its heights "
                         "as text, .npy, HDF5 or .mat")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import SurfaceTopography
    except Exception as error:  # as in imported()
        if not is_missing("SurfaceTopography", error):
            raise InputError(f"{path}: {_reader_of(ending)} the Python package SurfaceTopography, which {sys.executable} cannot "
                             f"import: {error}; accepted: an environment in which it can, or text, .npy, HDF5 or .mat") from error
        raise InputError(f"{path}: {_reader_of(ending)} the Python package SurfaceTopography, which {sys.executable} does not "
                         f"have; accepted: {sys.executable} -m pip install SurfaceTopography (where the system's Python refuses that, in an "
                         "environment of your own, whose python3 SLIPFIELD_PYTHON names), or text, .npy, HDF5 or .mat") from error
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            reader = SurfaceTopography.open_topography(path)
            channels = [each.name for each in reader.channels]
            if channel is not None and channel not in channels:
                raise InputError(f"{path}: has no channel '{channel}'; accepted: --dataset (in Python dataset=) with one of "
                                 f"{', '.join(map(str, channels))}")
            index = channels.index(channel) if channel is not None else reader.channels.index(reader.default_channel)
            chosen = reader.channels[index]
            if chosen.dim != 2:
                raise InputError(f"{path}: holds a line, not a surface; accepted: a map of heights")
            sizes = chosen.physical_sizes
            topography = reader.topography(channel_index=index, **({} if sizes is not None else {"physical_sizes": chosen.nb_grid_pts}))
    except InputError:
        raise
    except Exception as error:  # pylint: disable=broad-except
        # whatever its readers raise of a file that is damaged or of no format that they know
        words = " ".join(str(error).split())
        why = "none of its formats is that of the file" if words.startswith("tried ") else words[:200] or type(error).__name__
        raise InputError(f"{path}: SurfaceTopography cannot read it: {why}; accepted: text, .npy, HDF5, .mat, or a file that it "
                         "reads") from error
    heights = np.ma.filled(np.ma.asarray(topography.heights(), dtype=float), np.nan)
    raw = Raw(heights.T[::-1], words=f"by SurfaceTopography, '{chosen.name}'")
    raw.notes.append("SurfaceTopography's first row is the top one, as a picture has it: rows were reversed"
                     + ("; the first row of x3p by ISO 25178-72 is at the lowest y, which --flip y restores" if ending == ".x3p" else ""))
    raw.unit_x = raw.unit_y = raw.unit_z = topography.unit
    if getattr(chosen, "data_unit", None) and not is_length(chosen.data_unit):
        raw.unit_z = chosen.data_unit  # such as V, for a channel other than height
    if sizes is not None:
        raw.dx, raw.dy = (float(size / count) for size, count in zip(topography.physical_sizes, topography.nb_grid_pts))
    return raw


# --- Heights of a case.

def write(surface: Surface, path: PathLike, overwrite: bool = False) -> None:
    """Writes the surface as HDF5: `geometry: {type: heights, file: ...}` of a case reads it.

    /heights (my, mx) with `units`, /x and /y with theirs, centred like the grid of a case without `origin`. The attributes
    source, source_sha256, source_bytes and steps record where the heights come from.

    Parameters
    ----------
    surface: without missing samples.
    overwrite: True replaces an earlier surface; other files are never replaced.
    """
    name = path_of(path, "the file to write")
    if not name.lower().endswith((".h5", ".hdf5")):
        raise InputError(f"{name}: a surface is an HDF5 file, and its name says so; accepted: names that end in .h5 or .hdf5")
    if os.path.exists(name) and os.path.getsize(name) > 0:
        if not overwrite:
            raise InputError(f"{name}: the file exists already; accepted: another name, or overwrite=True, which replaces a surface and "
                             "nothing else")
        if not _is_surface(name):
            raise InputError(f"{name}: the file is not a surface of slipfield and is not overwritten; accepted: another name")
    partial = f"{name}.partial-{os.getpid()}"
    try:
        write_new(surface, partial, name)
        os.replace(partial, name)
    except OSError as error:
        raise Error(f"{name}: cannot be written: {error.strerror}") from error
    finally:
        if os.path.exists(partial):
            os.remove(partial)


def write_new(surface: Surface, path: str, name: str) -> None:
    """Writes `path`, which becomes `name` when it is complete. Raises OSError if it cannot be written."""
    if surface.missing:
        raise InputError(f"{name}: {surface.missing} of {surface.heights.size} samples were not measured, and a case needs all; accepted: --fill "
                         "smooth or --fill lowest (in Python surface.fill), or --crop to a part without holes")
    h5py = imported("h5py", "write()")
    if not a_case_reads(surface.unit):
        surface = rescale(surface, unit="mm")
    # In memory first: HDF5 crashes where a disk is full.
    with h5py.File(path, "w", driver="core", backing_store=False) as file:
        _fill_file(file, surface)
        file.flush()
        content = file.id.get_file_image()
    with open(path, "wb") as output:
        output.write(content)


def _is_surface(path: str) -> bool:
    import h5py
    try:
        with h5py.File(path, "r") as file:
            return _text(file.attrs.get("file_type", "")) == FILE_TYPE
    except OSError:
        return False


def _fill_file(file: Any, surface: Surface) -> None:
    file.attrs["file_type"] = FILE_TYPE
    file.attrs["schema"] = 1
    file.attrs["source"] = surface.source
    file.attrs["source_sha256"] = surface.sha256
    file.attrs["source_bytes"] = surface.size
    file.attrs["steps"] = json.dumps(surface.steps, ensure_ascii=False)
    heights = file.create_dataset("heights", data=np.asarray(surface.heights, dtype="<f8"))
    heights.attrs["units"] = surface.unit
    heights.attrs["long_name"] = "height outwards from the body, the first row at the lowest y"
    for axis, (name, step, count) in enumerate((("y", surface.dy, surface.shape[0]), ("x", surface.dx, surface.shape[1]))):
        places = file.create_dataset(name, data=step * (np.arange(count) - 0.5 * (count - 1)))
        places.attrs["units"] = surface.unit
        places.make_scale(name)
        heights.dims[axis].attach_scale(places)
