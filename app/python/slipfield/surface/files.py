# SPDX-License-Identifier: Apache-2.0
"""Reads files of measured surfaces and writes heights of a case. The format is recognised by the file's first bytes, and only
where these say nothing by its name."""

from __future__ import annotations

import hashlib
import json
import os
import sys
import warnings
from dataclasses import dataclass, field, replace
from typing import Any, Dict, Iterable, List, Optional, Sequence, Tuple, Union

import numpy as np

from ..errors import InputError, needs
from ..given import path_of
from .grid import UNITS, Surface, is_length, metres_of

PathLike = Union[str, "os.PathLike[str]"]
FILE_TYPE = "slipfield-surface"  # io/output_rule.cpp knows it
_HDF5, _NPY, _MATLAB, _ZIP = b"\x89HDF\r\n\x1a\n", b"\x93NUMPY", b"MATLAB 5", b"PK\x03\x04"
_X, _Y = ("x", "lon", "longitude", "easting"), ("y", "lat", "latitude", "northing")
_FILLS = ("_FillValue", "missing_value", "nodata", "NODATA_value")
_NEVER = 1e30  # no length in any unit: NetCDF's, Surfer's and C's fill values
# Text whose format SurfaceTopography knows, and the words that it begins with.
_TEXT_OF_OTHERS = ("aISO", "bISO", "DSAA", "Frame", "ISO")
_UNITS = ", ".join(UNITS)


@dataclass
class Raw:
    """What a file says: heights and distances in units that are not yet the same; None: it does not say."""
    heights: Any
    dx: Optional[float] = None
    dy: Optional[float] = None
    x0: float = 0.0
    y0: float = 0.0
    unit: Optional[str] = None  # of dx, dy, x0, y0
    height_unit: Optional[str] = None
    words: str = ""             # the format
    notes: List[str] = field(default_factory=list)


def read(path: PathLike, *, unit: Optional[str] = None, height_unit: Optional[str] = None,
         spacing: Optional[Sequence[float]] = None, dataset: Optional[str] = None, missing: Optional[float] = None,
         to: str = "mm") -> Surface:
    """Reads a measured surface: text (a table, a list of x, y and z, Gwyddion's export), .npy, HDF5, MATLAB's .mat, and with the
    package SurfaceTopography x3p, sur, sdf, opd, plu, al3d, gwy and others.

    Parameters
    ----------
    unit: of distances, as a rule because the file does not say it; also of heights of which nothing else says a unit.
    height_unit: of heights.
    spacing: (dx, dy) in the unit of distances, where the file has no places.
    dataset: of HDF5 its path, of MATLAB the variable, of other formats the channel; None: the only one.
    missing: a number that stands for places that were not measured.
    to: the unit of the Surface.

    Returns
    -------
    A Surface, NaN where nothing was measured. What was taken from the file, and what was reversed, is in `steps`.
    """
    name = path_of(path, "a file of heights")
    metre = metres_of(to, "to")
    for value, what in ((unit, "unit"), (height_unit, "height_unit")):
        if value is not None:
            metres_of(value, what)
    content, size = _digest(name)
    raw = _read_raw(name, dataset)
    notes = list(raw.notes)
    if spacing is None and (raw.dx is None or raw.dy is None):
        raise InputError(f"{name}: nothing says how far its samples are apart; accepted: --spacing DX,DY with --unit (in Python spacing=, unit=)")
    of_sides = _unit_of("distances", unit, raw.unit, None, name, notes)
    of_heights = _unit_of("heights", height_unit, raw.height_unit, unit, name, notes)
    dx, dy = _spacing(raw, spacing, of_sides, name, notes)
    sides, high = (metres_of(each, name) / metre for each in (of_sides, of_heights))
    heights = _with_missing(raw.heights, missing, notes)
    made = Surface(heights * high, dx * sides, dy * sides, to, raw.x0 * sides, raw.y0 * sides, os.path.basename(name), content, size)
    my, mx = made.shape
    first = (f"read {made.source}, {raw.words}: {mx} x {my} samples of {dx:.6g} x {dy:.6g} {of_sides}, heights in {of_heights}"
             + (f"; {made.missing} were not measured" if made.missing else ""))
    return replace(made, steps=(first, *notes))


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


def _unit_of(what: str, given: Optional[str], said: Optional[str], other: Optional[str], name: str, notes: List[str]) -> str:
    """What the user gives, else what the file says, else the user's other unit."""
    option = "--unit (in Python unit=)" if what == "distances" else "--height-unit or --unit (in Python height_unit= or unit=)"
    used = given or said or other
    if used is None:
        raise InputError(f"{name}: nothing says in which unit its {what} are; accepted: {option} with one of {_UNITS}")
    if not is_length(used):
        raise InputError(f"{name}: its {what} are in '{used}', which is not a length; accepted: one of {_UNITS}, or {option}, which counts "
                         "more than the file")
    if said is not None and (not is_length(said) or metres_of(said, name) != metres_of(used, name)):
        notes.append(f"the file says that {what} are in {said}; {used} was given and counts")
    return used


def _spacing(raw: Raw, given: Optional[Sequence[float]], unit: str, name: str, notes: List[str]) -> Tuple[float, float]:
    """The distances of the samples in `unit`."""
    if given is None:
        return raw.dx or 0.0, raw.dy or 0.0
    try:
        dx, dy = (float(each) for each in given)
    except (TypeError, ValueError):
        dx = dy = 0.0
    if not (0.0 < dx < np.inf and 0.0 < dy < np.inf):
        raise InputError(f"spacing: {given!r} are no distances; accepted: DX,DY, two numbers > 0")
    if raw.dx is not None and raw.dy is not None and max(abs(raw.dx / dx - 1.0), abs(raw.dy / dy - 1.0)) > 1e-3:
        notes.append(f"the file says that samples are {raw.dx:.6g} x {raw.dy:.6g} apart; {dx:.6g} x {dy:.6g} {unit} was given and counts")
    raw.x0 = raw.y0 = 0.0
    return dx, dy


def _with_missing(heights: Any, missing: Optional[float], notes: List[str]) -> Any:
    heights = np.array(heights, dtype=float)
    with np.errstate(invalid="ignore"):
        never = np.abs(heights) >= _NEVER
        if never.any():
            notes.append(f"{int(never.sum())} samples hold {heights[never][0]:.6g} and the like, which no height is: not measured")
            heights[never] = np.nan
        if missing is not None:
            same = np.abs(heights - missing) <= 6e-8 * abs(missing)
            notes.append(f"{int(same.sum())} samples are {missing:g}: not measured")
            heights[same] = np.nan
    return heights


# --- Which format.

def _read_raw(path: str, dataset: Optional[str]) -> Raw:
    with open(path, "rb") as file:
        start = file.read(4096)
    ending = os.path.splitext(path)[1].lower()
    if start.startswith(_NPY):
        return _npy(path, dataset)
    if start.startswith(_MATLAB):
        return _matlab(path, dataset)
    if ending != ".datx" and _is_hdf5(path, start):  # Zygo's .datx is HDF5 with a layout of its own
        return _hdf5(path, dataset)
    from . import text
    decoded = None if start.startswith(_ZIP) else text.decoded(path, start)
    if decoded is None or decoded.lstrip().startswith(_TEXT_OF_OTHERS) or ending in (".sdf", ".x3p", ".gwy", ".sur"):
        return _other(path, ending, dataset)
    if dataset is not None:
        raise InputError(f"{path}: is text, which has one surface; accepted: no dataset")
    return text.read_text(path, decoded)


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
    from .text import of_points
    if dataset is not None:
        raise InputError(f"{path}: is .npy, which has one array; accepted: no dataset")
    try:
        array = np.load(path, allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise InputError(f"{path}: cannot be read as .npy: {error}") from error
    if array.dtype.kind not in "fiu" or array.ndim != 2 or 0 in array.shape:
        raise InputError(f"{path}: has an array of {array.dtype} and the shape {array.shape}; accepted: numbers of shape (my, mx), a row "
                         "of heights for each y, or (n, 3), x, y and z of each point")
    if array.shape[1] == 3 and array.shape[0] > 3:
        return of_points(path, np.asarray(array, dtype=float), ".npy")
    return Raw(np.asarray(array, dtype=float), words=".npy")


# --- Several arrays in a file.

def _chosen(path: str, shapes: Dict[str, Tuple[int, ...]], dataset: Optional[str], usual: Iterable[str], what: str) -> str:
    """The array that is named; else the usual one; else the only one that is a map and no coordinate."""
    maps = [name for name, shape in shapes.items() if len(shape) == 2 and min(shape) > 1]
    if dataset is not None:
        near = [name for name in shapes if name.strip("/") == dataset.strip("/")]
        if near:
            return near[0]
    else:
        for name in (*usual, *(each for each in maps if each in usual)):
            if name in maps:
                return name
        plain = [name for name in maps if name.rsplit("/", 1)[-1].lower() not in (*_X, *_Y)]
        if len(plain) == 1:
            return plain[0]
    listed = ", ".join(maps[:12]) + (", ..." if len(maps) > 12 else "")
    raise InputError(f"{path}: " + (f"has no {what} '{dataset}'" if dataset is not None else f"has {len(maps)} arrays of two dimensions")
                     + (f"; accepted: --dataset (in Python dataset=) with one of {listed}" if maps else "; accepted: a file with one"))


def _axis(path: str, name: str, values: Any, unit: Optional[str]) -> Optional[Tuple[float, float, bool]]:
    """First place, distance, and whether the places fall; None where they only count."""
    at = np.asarray(values, dtype=float)
    if at.size < 2 or not np.isfinite(at).all():
        return None
    step = (at[-1] - at[0]) / (at.size - 1)
    if step == 0.0 or np.max(np.abs(at - at[0] - step * np.arange(at.size))) > 0.01 * abs(step):
        raise InputError(f"{path}: its coordinates '{name}' are not evenly spaced; accepted: samples at even steps")
    if abs(step) == 1.0 and not unit:
        return None
    return float(min(at[0], at[-1])), float(abs(step)), bool(step < 0.0)


def _placed(raw: Raw, path: str, x: Any, y: Any, names: Tuple[str, str]) -> Raw:
    """With the places of columns and rows; falling ones are reversed."""
    found = [None if values is None else _axis(path, name, values, raw.unit) for name, values in zip(names, (x, y))]
    for index, (axis, word) in enumerate(((1, "columns"), (0, "rows"))):
        if found[index] is not None and found[index][2]:
            raw.heights = np.flip(raw.heights, axis)
            raw.notes.append(f"its coordinates '{names[index]}' fall: {word} were reversed")
    if found[0] is not None:
        raw.x0, raw.dx = found[0][:2]
    if found[1] is not None:
        raw.y0, raw.dy = found[1][:2]
    if raw.heights.shape[0] == 1 and raw.dy is None:
        raw.dy = raw.dx
    return raw


def _matlab(path: str, dataset: Optional[str]) -> Raw:
    try:
        from scipy.io import loadmat
    except ImportError as error:
        raise needs("scipy", f"{path}: MATLAB's format of version 5 to 7") from error
    try:
        arrays = {name: value for name, value in loadmat(path).items() if not name.startswith("__")}
    except Exception as error:  # pylint: disable=broad-except
        raise InputError(f"{path}: cannot be read as a MATLAB file: {error}") from error  # scipy has no exception of its own
    arrays = {name: value for name, value in arrays.items() if isinstance(value, np.ndarray) and value.dtype.kind in "fiu" and value.ndim == 2}
    name = _chosen(path, {each: value.shape for each, value in arrays.items()}, dataset, ("heights", "Z", "z"), "array of numbers")
    return _with_named_axes(path, Raw(np.asarray(arrays[name], dtype=float), words=f"MATLAB's '{name}'"), arrays, "")


def _with_named_axes(path: str, raw: Raw, arrays: Dict[str, Any], folder: str) -> Raw:
    """Coordinates in arrays called x and y: vectors, or of the heights' shape as meshgrid makes them."""
    places: List[Any] = [None, None]
    names = ["x", "y"]
    for name, value in arrays.items():
        base = name.rsplit("/", 1)[-1]
        axis = 0 if base.lower() in _X else 1 if base.lower() in _Y else None
        if axis is None or name.rpartition("/")[0] != folder:
            continue
        count = raw.heights.shape[1 - axis]
        array = np.squeeze(np.asarray(value, dtype=float))
        if array.shape == raw.heights.shape and array.ndim == 2:
            array = array[0] if axis == 0 else array[:, 0]
        if array.shape == (count,):
            places[axis], names[axis] = array, name
    return _placed(raw, path, places[0], places[1], (names[0], names[1]))


def _text(value: Any) -> str:
    value = value[0] if isinstance(value, np.ndarray) and value.size == 1 else value
    text = value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
    return text.strip(" \0")


def _attribute(dataset: Any, *names: str) -> Any:
    """By its name in any case."""
    plain = {name.lower(): name for name in dataset.attrs}
    for name in names:
        if name.lower() in plain:
            return dataset.attrs[plain[name.lower()]]
    return None


def _numbers(value: Any) -> List[float]:
    try:
        return [float(each) for each in np.ravel(_text(value) if isinstance(value, (str, bytes)) else value)]
    except ValueError:
        return []  # "none"


def _hdf5(path: str, dataset: Optional[str]) -> Raw:
    try:
        import h5py
    except ImportError as error:
        raise needs("h5py", f"{path}: HDF5") from error
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
    if item.ndim != 2 or 0 in item.shape:
        raise InputError(f"{path}: '{name}' has the shape {tuple(item.shape)}; accepted: (my, mx), a row of heights for each y")
    if _text(_attribute(item, "MATLAB_class") or "") in ("char", "cell", "struct", "function_handle"):
        raise InputError(f"{path}: '{name}' is no array of numbers; accepted: a variable of class double, single or integer")
    raw = Raw(np.asarray(item[()], dtype=float), words=f"HDF5 '{name}'")
    _unpack(item, raw)
    said = _attribute(item, "units", "unit")
    raw.height_unit = _text(said) or None if said is not None else None
    scales = [dimension[0] if len(dimension) else None for dimension in item.dims]
    names = ["" if scale is None else scale.name.rsplit("/", 1)[-1].lower() for scale in scales]
    if "MATLAB_class" in item.attrs:  # MATLAB stores columns one after the other
        raw.heights = raw.heights.T
        scales.reverse()
        return _with_named_axes(path, raw, {each: other[()].T for each, other in arrays.items() if other.ndim <= 2}, name.rpartition("/")[0])
    if names[0] in _X and names[1] in _Y:
        raw.heights = raw.heights.T
        scales.reverse()
        raw.notes.append("its dimensions are (x, y): rows and columns were exchanged")
    if all(scale is not None for scale in scales):
        units = [_text(_attribute(scale, "units", "unit") or "") for scale in scales]
        if units[0] != units[1]:
            raise InputError(f"{path}: its coordinates are in '{units[0]}' and '{units[1]}'; accepted: both in the same unit")
        raw.unit = units[0] or None
        return _placed(raw, path, scales[1][()], scales[0][()], (scales[1].name, scales[0].name))
    folder = name.rpartition("/")[0]
    for each, other in arrays.items():
        if each.rpartition("/")[0] == folder and each.rsplit("/", 1)[-1].lower() in (*_X, *_Y):
            raw.unit = _text(_attribute(other, "units", "unit") or "") or raw.unit
    return _with_named_axes(path, raw, {each: other[()] for each, other in arrays.items() if other.ndim <= 2}, folder)


def _unpack(item: Any, raw: Raw) -> None:
    """_FillValue and its like, valid ranges, scale_factor and add_offset: of the numbers as they are stored."""
    heights = raw.heights
    hole = np.zeros(heights.shape, dtype=bool)
    fills: List[float] = []
    for name in _FILLS:
        value = _attribute(item, name)
        fills += [] if value is None else _numbers(value)
    if item.fillvalue is not None and float(item.fillvalue) != 0.0:
        fills.append(float(item.fillvalue))
    for fill in fills:
        hole |= np.abs(heights - fill) <= 6e-8 * abs(fill)
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

def _other(path: str, ending: str, channel: Optional[str]) -> Raw:
    """By SurfaceTopography, whose arrays are [x, y], the y of a picture: downwards."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import SurfaceTopography
    except ImportError as error:
        raise InputError(f"{path}: {ending or 'this format'} is read by the Python package SurfaceTopography, which {sys.executable} does not "
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
    raw.notes.append("SurfaceTopography's first row is the top one, as a picture has it: rows were reversed")
    raw.unit = raw.height_unit = topography.unit
    if getattr(chosen, "data_unit", None) and not is_length(chosen.data_unit):
        raw.height_unit = chosen.data_unit  # such as V: of a channel that is no height
    if sizes is not None:
        raw.dx, raw.dy = (float(size / count) for size, count in zip(topography.physical_sizes, topography.nb_grid_pts))
    return raw


# --- Heights of a case.

def write(surface: Surface, path: PathLike, overwrite: bool = False) -> None:
    """Writes the surface as HDF5: `geometry: {type: heights, file: ...}` of a case reads it.

    /heights (my, mx) with `units`, /x and /y with theirs, about the middle as the grid of a case is without an `origin`. The
    attributes source, source_sha256, source_bytes and steps say where the heights are from.

    Parameters
    ----------
    surface: without missing samples.
    overwrite: True replaces a surface that was written before; a file of any other kind is never replaced.
    """
    name = path_of(path, "the file to write")
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
    finally:
        if os.path.exists(partial):
            os.remove(partial)


def write_new(surface: Surface, path: str, name: str) -> None:
    """Writes `path`, which becomes `name` when it is complete."""
    if surface.missing:
        raise InputError(f"{name}: {surface.missing} of {surface.heights.size} samples were not measured, and a case needs all; accepted: --fill "
                         "smooth or --fill lowest (in Python surface.fill), or --crop to a part without holes")
    try:
        import h5py
    except ImportError as error:
        raise needs("h5py", "write()") from error
    try:
        with h5py.File(path, "w") as file:
            _fill_file(file, surface)
    except OSError as error:
        raise InputError(f"{name}: cannot be written: {error}") from error


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
