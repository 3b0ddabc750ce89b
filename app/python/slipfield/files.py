# SPDX-License-Identifier: Apache-2.0
"""Files: results of the program and of this package, inputs of CONTACT, comparisons."""

from __future__ import annotations

import functools
import html
import os
import warnings
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Optional, Tuple, Union

import numpy as np

from . import _slipfield
from .case import CaseText
from .errors import InputError
from .given import number_of, path_of
from .result import Result
from .points import Table
from .wheel import WheelResult

if TYPE_CHECKING:
    from .case import PathLike


class _Opened:
    """Any result file: `info`, a dict, and its case."""

    def __init__(self, path: str, file: Any) -> None:
        self.path = path
        self._file: Optional[Any] = file
        self.info: Dict[str, Any] = file.info

    @property
    def case(self) -> str:
        """The case that was solved: YAML."""
        return self.info["case"]

    def _open(self) -> Any:
        if self._file is None:
            raise InputError(f"{self.path}: was closed; accepted: open() again")
        return self._file

    def close(self) -> None:
        """Closes the file."""
        self._file = None

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *reason: Any) -> None:
        self.close()


class File(_Opened):
    """A result file, of one contact or of a wheel on a rail. Its steps are read when they are needed.

    `with slipfield.open("x.h5") as file:` closes it at the end; results that were read stay.

    Attributes
    ----------
    info: a dict with the title, the case, the units, the warnings of the run and where the file comes from.
    """

    def __init__(self, path: PathLike, point: int = 0) -> None:
        name = path_of(path, "a result file")
        super().__init__(name, _slipfield.File(name, number_of(point, "point", _POINTS)))

    @property
    def numbers(self) -> List[int]:
        """The numbers of the steps."""
        return list(self.info["steps"])

    def __len__(self) -> int:
        return len(self.info["steps"])

    def step(self, number: int = 0, fields: bool = True) -> Union[Result, WheelResult]:
        """Returns the result of a step by its number, from 1; 0: the last. Of a wheel a WheelResult, whose contacts have
        the fields that the file holds, else a Result. fields: False reads the totals only."""
        number = number_of(number, "step", "1, 2, ..., or 0 for the last")
        step = self._open().step(number, bool(fields))
        kind = WheelResult if isinstance(step, _slipfield.WheelStep) else Result
        return kind(step, self.info["title"], self.info["units"])

    def __iter__(self) -> Iterator[Union[Result, WheelResult]]:
        for number in self.info["steps"]:
            yield self.step(number)

    def __repr__(self) -> str:
        return f"<slipfield.File {self.path!r}: {self.info['title']!r}, {len(self)} steps>"


class SweepFile(_Opened):
    """A result file of a sweep: `table`, the totals of all points."""

    def __init__(self, path: PathLike) -> None:
        name = path_of(path, "a result file")
        super().__init__(name, _slipfield.SweepFile(name))

    @functools.cached_property
    def table(self) -> Table:
        """The totals of the last step of each point, as slipfield.sweep() gives them.

        The arrays have an axis for each key. Where keys change together, or the file has a part of
        the points, there is one axis, `point`, and the keys are among the totals.
        """
        read = self._open().table
        count = len(read["outcomes"])
        keys, totals = dict(read["keys"]), dict(read["totals"])
        shape = tuple(read["shape"])
        if len(shape) == len(keys) and int(np.prod(shape)) == count:
            for axis, (key, values) in enumerate(keys.items()):
                column = np.moveaxis(np.reshape(np.asarray(values), shape), axis, 0)
                keys[key] = [row.ravel()[0] for row in column]
        else:
            totals = {**{key: np.asarray(values) for key, values in keys.items()}, **totals}
            keys = {"point": list(range(read["first_point"], read["first_point"] + count))}
            shape = (count,)

        def shaped(values: Any, kind: Any) -> Any:
            return np.array(values, dtype=kind).reshape(shape)

        return Table(keys, {name: np.reshape(column, shape) for name, column in totals.items()},
                     shaped([outcome == "converged" for outcome in read["outcomes"]], bool),
                     shaped(read["messages"], object), self.info["units"],
                     shaped(read["warnings"], object), self.info["warnings"])

    @property
    def points(self) -> List[int]:
        """The numbers of the points whose fields the file holds."""
        return list(self._open().table["with_fields"])

    def point(self, number: int) -> File:
        """Returns the steps of a point, from 1, whose fields the file holds."""
        return File(self.path, number)

    def __repr__(self) -> str:
        return f"<slipfield.SweepFile {self.path!r}: {self.info['title']!r}>"


_POINTS = "1, 2, ..., or 0 for a file that is no sweep"


def open(path: PathLike,  # pylint: disable=redefined-builtin
         point: int = 0) -> Union[File, SweepFile]:
    """Opens a result file.

    Parameters
    ----------
    path: a result of the program or of Result.save().
    point: the number of a point of a sweep with fields, from 1; 0: the whole file.

    Returns
    -------
    A File, of a sweep a SweepFile; of a point of a sweep a File of its steps.
    """
    name = path_of(path, "a result file")
    if not number_of(point, "point", _POINTS) and _slipfield.is_sweep(name):
        return SweepFile(name)
    return File(name, point)


def _result_of(given: Union[Result, PathLike], step: int) -> Result:
    if isinstance(given, Result):
        return given.step(step)
    file = open(given)
    found = file.step(step) if isinstance(file, File) else None
    if not isinstance(found, Result):
        raise InputError(f"{file.path}: holds many contacts; accepted: a result of one contact, of a "
                         "wheel open(path).step(1).contacts[0]")
    return found


class Comparison(Dict[str, Tuple[float, float]]):
    """{name: (difference, scale)} for each field and total of two results; prints as a table."""

    def _rows(self) -> List[Tuple[str, str, str, str]]:
        def row(name: str, difference: float, scale: float) -> Tuple[str, str, str, str]:
            return name, f"{difference:.3g}", f"{scale:.6g}", f"{difference / scale:.2g}" if scale > 0.0 else "-"
        return [row(name, *pair) for name, pair in self.items()]

    def __repr__(self) -> str:
        rows = [("", "difference", "scale", "relative"), *self._rows()]
        wide = [max(len(row[i]) for row in rows) for i in range(4)]
        return "\n".join(row[0].ljust(wide[0]) + "".join(cell.rjust(width + 2) for cell, width in zip(row[1:], wide[1:]))
                         for row in rows)

    def _repr_html_(self) -> str:
        rows = "".join("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in self._rows())
        return f"<table><tr><th></th><th>difference</th><th>scale</th><th>relative</th></tr>{rows}</table>"


def compare(first: Union[Result, PathLike], second: Union[Result, PathLike],
            step: int = 0) -> Comparison:
    """Compares two results on the same grid: how far each field and each total of both are apart.

    Parameters
    ----------
    first, second: Results, or result files.
    step: the number of the step, from 1; 0: the last.

    Returns
    -------
    A Comparison, a dict {name: (difference, scale)} that prints as a table. A field's difference is the greatest over
    its elements, its scale the greatest finite value of either. `seconds` is left out.
    """
    one, other = _result_of(first, step), _result_of(second, step)
    if one.x.shape != other.x.shape or one.y.shape != other.y.shape:
        raise InputError(f"the grids differ: {len(one.x)} x {len(one.y)} and {len(other.x)} x "
                         f"{len(other.y)} elements; accepted: results on the same grid")
    if one.units != other.units:
        raise InputError(f"the units differ: {one.units} and {other.units}; accepted: results in "
                         "the same units")
    known = {*other.totals, *other.field_names()} - {"seconds"}
    found = Comparison()
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
    """Converts an input file of CONTACT.

    Parameters
    ----------
    path: the input file (.inp).
    cases: (first, last), numbers from 1; None: all.
    skip_unsupported: True leaves out what is not supported, and False refuses it.

    Returns
    -------
    YAML texts that solve() and Solver take, one for each case. Each thing that was left out or changed is a UserWarning.
    """
    if cases is not None:
        try:
            cases = (int(cases[0]), int(cases[1]))
        except (TypeError, ValueError, IndexError) as error:
            raise InputError(f"cases: {cases!r} is not a range; accepted: (first, last)") from error
    texts, remarks = _slipfield.convert(path_of(path, "an input file"), cases, bool(skip_unsupported))
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
