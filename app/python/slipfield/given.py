# SPDX-License-Identifier: Apache-2.0
"""Checks a user's arguments and converts them to one form; raises InputError with one sentence otherwise."""

from __future__ import annotations

import difflib
import numbers
import os
from collections.abc import Iterable
from typing import Any, List, Tuple

from .errors import InputError


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
    return os.fsdecode(value)


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


def number_of(value: Any, name: str, accepted: str) -> int:
    """Returns a whole number >= 0."""
    if isinstance(value, bool) or not isinstance(value, numbers.Integral) or value < 0:
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
