# SPDX-License-Identifier: Apache-2.0
"""Files: results of the program and of this package, inputs of CONTACT, comparisons."""

from __future__ import annotations

import os
import warnings
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Optional, Tuple, Union

import numpy as np

from . import _slipfield
from .case import CaseText
from .errors import InputError
from .result import Result

if TYPE_CHECKING:
    from .case import PathLike


def _path(given: Any, what: str) -> str:
    if not isinstance(given, (str, os.PathLike)):
        raise InputError(f"a value of type {type(given).__name__} is not a path; accepted: the "
                         f"path of {what}")
    return os.fsdecode(given)


class File:
    """A result file: `info` (a dict), and its steps, which are read when they are asked for.

    `with slipfield.open("x.h5") as file:` closes it at the end; results that were read stay.
    """

    def __init__(self, path: PathLike, point: int = 0) -> None:
        self.path = _path(path, "a result file")
        self._file: Optional[_slipfield.File] = _slipfield.File(self.path, point)
        self.info: Dict[str, Any] = self._file.info

    @property
    def case(self) -> str:
        """The case that was solved: YAML."""
        return self.info["case"]

    @property
    def numbers(self) -> List[int]:
        """The numbers of the steps."""
        return list(self.info["steps"])

    def __len__(self) -> int:
        return len(self.info["steps"])

    def step(self, number: int = 0, fields: bool = True) -> Result:
        """The Result of a step by its number; 0: the last."""
        if self._file is None:
            raise InputError(f"{self.path}: was closed; accepted: open() again")
        return Result(self._file.step(int(number), bool(fields)), self.info["title"],
                      self.info["units"])

    def __iter__(self) -> Iterator[Result]:
        for number in self.info["steps"]:
            yield self.step(number)

    def close(self) -> None:
        """Lets go of the file."""
        self._file = None

    def __enter__(self) -> File:
        return self

    def __exit__(self, *reason: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<slipfield.File {self.path!r}: {self.info['title']!r}, {len(self)} steps>"


def open(path: PathLike, point: int = 0) -> File:  # pylint: disable=redefined-builtin
    """A result file. point: of a sweep with fields, from 1."""
    return File(path, point)


def _result_of(given: Union[Result, PathLike], step: int) -> Result:
    if isinstance(given, Result):
        return given.step(step)
    return File(given).step(step)


def compare(first: Union[Result, PathLike], second: Union[Result, PathLike],
            step: int = 0) -> Dict[str, Tuple[float, float]]:
    """How far two results are apart: {name: (difference, scale)} for each field and total of both.

    first, second: Results or result files, on the same grid. A field's difference is the greatest
    over its elements, its scale the greatest finite value of either. `seconds` is left out.
    """
    one, other = _result_of(first, step), _result_of(second, step)
    if one.x.shape != other.x.shape or one.y.shape != other.y.shape:
        raise InputError(f"the grids differ: {len(one.x)} x {len(one.y)} and {len(other.x)} x "
                         f"{len(other.y)} elements; accepted: results on the same grid")
    if one.units != other.units:
        raise InputError(f"the units differ: {one.units} and {other.units}; accepted: results in "
                         "the same units")
    known = {*other.totals, *other.field_names()} - {"seconds"}
    found = {}
    for name in [*one.totals, *one.field_names()]:
        if name not in known:
            continue
        a = np.asarray(getattr(one, name), dtype=float)
        b = np.asarray(getattr(other, name), dtype=float)
        same = (a == b) | (np.isnan(a) & np.isnan(b))
        with np.errstate(invalid="ignore"):
            difference = np.where(same, 0.0, np.abs(a - b))
        finite = np.concatenate([np.ravel(np.abs(v[np.isfinite(v)])) for v in (a, b)])
        found[name] = (float(np.max(difference)), float(finite.max(initial=0.0)))
    return found


def convert(path: PathLike, cases: Optional[Tuple[int, int]] = None,
            skip_unsupported: bool = False) -> List[CaseText]:
    """The cases of an input file of CONTACT: YAML texts that solve() and Solver take.

    cases: (first, last), numbers from 1; None: all. skip_unsupported: what is not supported is left
    out instead of refused. What was left out or changed is a UserWarning each.
    """
    if cases is not None:
        try:
            cases = (int(cases[0]), int(cases[1]))
        except (TypeError, ValueError, IndexError) as error:
            raise InputError(f"cases: {cases!r} is not a range; accepted: (first, last)") from error
    texts, remarks = _slipfield.convert(_path(path, "an input file"), cases, bool(skip_unsupported))
    for remark in remarks:
        warnings.warn(f"{os.fsdecode(path)}: {remark}", stacklevel=2)
    converted = []
    for text, heights in texts:
        one = CaseText(text)
        if heights:
            rows = [line.split() for line in heights.splitlines() if line.strip()]
            one.arrays = {"heights": np.array(rows, dtype=float)}
        converted.append(one)
    return converted
