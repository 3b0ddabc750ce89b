# SPDX-License-Identifier: Apache-2.0
"""Checks a user's arguments and converts them to one form; raises InputError with one sentence otherwise."""

from __future__ import annotations

import difflib
import math
import numbers
import operator
import os
from collections.abc import Iterable
from typing import Any, List, Optional, Tuple

import numpy as np

from .errors import InputError

_MOST_NUMBER = 2**31 - 1  # an int of the compiled module


def _kind(value: Any) -> str:
    return "None" if value is None else f"a value of type {type(value).__name__}"


def near_names(name: Any, names: Iterable[str], everything: str) -> str:
    """Returns "did you mean 'x' or 'y'? " and `everything`, a sentence on where to find all names, if they are too many to
    list.

    Near names consist of the same words, differ in few letters or in case, or contain the name.
    """
    text, listed = str(name), list(names)
    near = [each for each in listed if each.lower() == text.lower()] or difflib.get_close_matches(text, listed, 3)
    turned = [each for each in listed if "_" in text and sorted(each.lower().split("_")) == sorted(text.lower().split("_"))]
    near = turned + [each for each in near if each not in turned]  # yaw_velocity: velocity_yaw
    near += [each for each in listed if len(text) > 2 and text in each and each not in near]
    shown = [repr(each) for each in near[:4]]
    return (f"did you mean {', '.join(shown[:-1])}{' or ' if shown[1:] else ''}{shown[-1]}? " if shown else "") + everything


def path_of(value: Any, what: str) -> str:
    """Returns a path as text. what: the expected file, for the message."""
    if not isinstance(value, (str, os.PathLike)):
        raise InputError(f"{_kind(value)} is not a path; accepted: the path of {what}")
    path = os.fsdecode(value)
    if "\0" in path:
        raise InputError(f"{path!r}: has the character NUL, which ends a name for the system; accepted: the path of {what}")
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        raise InputError(f"{path!r}: has bytes that are not UTF-8; accepted: the path of {what} in UTF-8") from None
    return path


_CPU = (1, 3)  # DLPack's kinds of devices: memory of the CPU, page-locked
_CUDA = (2, 13)  # a GPU of NVIDIA, managed
_LETTERS = {0: "i", 1: "u", 2: "f", 5: "c", 6: "b"}  # NumPy's, by DLPack's codes of types


def is_foreign(value: Any) -> bool:
    """Whether a value is an array that NumPy cannot take as it is: on a GPU, or one that only DLPack describes."""
    if isinstance(value, (np.ndarray, np.generic)) or np.isscalar(value):
        return False
    if not hasattr(value, "__dlpack_device__"):
        return hasattr(value, "__cuda_array_interface__")
    if not hasattr(value, "__array__"):
        return True
    try:
        return value.__dlpack_device__()[0] not in _CPU
    except Exception:  # of any kind: of an array on several devices, say, which gives itself as one of NumPy
        return False


def on_host(value: Any, what: str) -> Any:
    """Returns an array of another library as one of NumPy: a copy if it is on a GPU; any other value as it is.

    An array is given by DLPack, or by __cuda_array_interface__.
    """
    if not is_foreign(value):
        return value
    try:
        if not hasattr(value, "__dlpack_device__"):
            return _by_cuda_interface(value.__cuda_array_interface__)
        kind = value.__dlpack_device__()[0]
        if kind in _CPU:
            return np.from_dlpack(value)
        if kind in _CUDA:
            return _by_dlpack(value.__dlpack__(stream=1))  # CUDA's default stream; the copy waits for all
        reason = f"it is on a device of DLPack's kind {int(kind)}"
    except Exception as error:  # of any kind: the object of another library
        reason = " ".join(str(error).split())
    raise InputError(f"{what}: is an array that cannot be copied to the host: {reason}; accepted: an array in memory of the CPU or "
                     "of an NVIDIA GPU")


def _by_dlpack(capsule: Any) -> Any:
    from . import _slipfield
    address, (code, bits, lanes), shape, strides = _slipfield.parts_of_dlpack(capsule)
    if code not in _LETTERS or lanes != 1:
        name = "bfloat16" if code == 4 else f"of DLPack's code {code}"
        raise TypeError(f"NumPy has no numbers {name}")
    dtype = np.dtype(f"{_LETTERS[code]}{bits // 8}")
    # In bytes they wrap like addresses: CuPy 14 divides negative ones as numbers without a sign.
    return _copied(address, dtype, shape, None if strides is None else
                   [(dtype.itemsize * stride + 2**63) % 2**64 - 2**63 for stride in strides])


def _by_cuda_interface(interface: Any) -> Any:
    return _copied(interface["data"][0], np.dtype(interface["typestr"]), interface["shape"], interface.get("strides"))


def _copied(address: int, dtype: Any, shape: Iterable[int], strides: Optional[Iterable[int]]) -> Any:
    """Copies the bytes from the first to the last element, in which the array has the same strides [bytes]."""
    from . import _slipfield
    shape = tuple(map(operator.index, shape))
    if strides is None:
        strides = [dtype.itemsize * math.prod(shape[axis + 1:]) for axis in range(len(shape))]
    ends = [stride * (count - 1) for stride, count in zip(strides, shape)]
    first, last = (0, -dtype.itemsize) if 0 in shape else (sum(min(end, 0) for end in ends), sum(max(end, 0) for end in ends))
    size = last - first + dtype.itemsize
    return np.ndarray(shape, dtype, _slipfield.copied_from_gpu(address + first, size), -first, strides)


def real_array(value: Any, what: str, accepted: str, gaps: str = "an array without a mask") -> Any:
    """Returns numbers of a user as an array of float64; every array that users give is converted here.

    What is not one real number for each element raises InputError: masked values, under which anything may lie, complex
    numbers, text, rows of different lengths.

    Parameters
    ----------
    what: the name of the value; accepted, gaps: what is accepted, also in place of masked values.
    """
    value = on_host(value, what)
    in_rows = isinstance(value, (list, tuple))  # which may be masked, each by itself
    try:
        given = np.ma.asarray(value) if in_rows or np.ma.isMaskedArray(value) else np.asarray(value)
        masked = int(np.ma.count_masked(given))
        array = np.ma.getdata(given)
        is_text = array.dtype == object and any(isinstance(each, (str, bytes)) for each in array.flat)
        numbers_in = None if masked or is_text or array.dtype.kind not in "biufO" else np.asarray(array, dtype=np.float64)
    except Exception as error:  # of any kind: an object of the user's converts itself
        raise InputError(f"{what}: is no array of real numbers ({' '.join(str(error).split())}); accepted: {accepted}") from error
    if masked:
        raise InputError(f"{what}: {masked} of {array.size} values are masked; accepted: {gaps}")
    if numbers_in is None:
        kind = "text" if is_text or array.dtype.kind in "US" else str(array.dtype)
        raise InputError(f"{what}: has elements of type {kind}; accepted: {accepted}")
    return numbers_in


def name_of(value: Any, example: str) -> str:
    """Returns the name of a field, a total or a side."""
    if not isinstance(value, str):
        raise InputError(f"{_kind(value)} is not a name; accepted: text, such as {example}")
    return value


def texts_of(value: Any, name: str, example: str) -> List[str]:
    """Returns one or several texts as a list."""
    if isinstance(value, str):
        return [value]
    listed = list(value) if isinstance(value, Iterable) and not isinstance(value, bytes) else [value]
    wrong = [each for each in listed if not isinstance(each, str)]
    if wrong:
        raise InputError(f"{name}: {_kind(wrong[0])} is not a name; accepted: text or a list of texts, such as {example}")
    return listed


def flag_of(value: Any, name: str, meaning: str) -> bool:
    """Returns True or False. meaning: of the two, for the message."""
    if not isinstance(value, (bool, np.bool_)):
        raise InputError(f"{name}: {value!r} is neither True nor False; accepted: {meaning}")
    return bool(value)


def number_of(value: Any, name: str, accepted: str) -> int:
    """Returns a whole number >= 0."""
    if isinstance(value, bool) or not isinstance(value, numbers.Integral) or not 0 <= value <= _MOST_NUMBER:
        raise InputError(f"{name}: {value!r} is not a number of a {name}; accepted: {accepted}")
    return int(value)


def numbers_of(value: Any, name: str, accepted: str) -> List[int]:
    """Returns one or several whole numbers as a list."""
    listed = list(value) if isinstance(value, Iterable) and not isinstance(value, (str, bytes)) else [value]
    if not listed:
        raise InputError(f"{name}: there is none; accepted: {accepted}")
    return [number_of(each, name, accepted) for each in listed]


def place_of(value: Any, name: str) -> Tuple[float, float]:
    """Returns a place (x, y) in the units of the case."""
    try:
        x, y = (float(each) for each in value)
    except (TypeError, ValueError):
        raise InputError(f"{name}: {value!r} is not a place; accepted: (x, y), two numbers in the units of the case") from None
    return x, y
