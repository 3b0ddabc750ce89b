# SPDX-License-Identifier: Apache-2.0
"""Files: results of the program and of this package, inputs of CONTACT, comparisons."""

from __future__ import annotations

import functools
import os
import warnings
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Optional, Sequence, Tuple, Union

import numpy as np

from . import _slipfield
from .case import CaseText
from .errors import InputError
from .given import flag_of, number_of, path_of
from .result import Result
from .points import Table
from .show import html_table, text_table
from .wheel import WheelResult

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from .case import PathLike


class File:
    """A result file: of one contact, of a wheel on a rail, of a sweep, or of one of its points. Data are read on request.

    `with slipfield.open("x.h5") as file:` closes it at the end; results already read stay valid.

    Attributes
    ----------
    info: a dict with the title, the case, the units, the warnings of the run and the file's origin.
    """

    def __init__(self, path: PathLike, point: int = 0) -> None:
        self.path = path_of(path, "a result file")
        self._point = number_of(point, "point", _POINTS)
        self._file: Optional[Any] = _slipfield.File(self.path, self._point)
        self._axis = "point" if self._file.is_sweep else "step"
        self.info: Dict[str, Any] = self._file.info

    def _open(self) -> Any:
        if self._file is None:
            raise InputError(f"{self.path}: was closed; accepted: open() again")
        return self._file

    def close(self) -> None:
        """Closes the file."""
        self._file = None

    def __enter__(self) -> File:
        return self

    def __exit__(self, *reason: Any) -> None:
        self.close()

    @property
    def case(self) -> str:
        """The YAML of the case that was solved."""
        return self.info["case"]

    @property
    def numbers(self) -> List[int]:
        """The numbers of the steps; empty for a sweep, whose points have the steps."""
        return list(self.info["steps"])

    def __len__(self) -> int:
        return len(self.info["steps"])

    def __bool__(self) -> bool:
        return True

    def step(self, number: int = 0, fields: bool = True) -> Union[Result, WheelResult]:
        """Returns the result of a step by its number, from 1; 0: the last. For a wheel a WheelResult, whose contacts have
        the fields in the file, else a Result. fields: False reads only the totals."""
        number = number_of(number, "step", "1, 2, ..., or 0 for the last")
        step = self._open().step(number, flag_of(fields, "fields", "True, or False, which reads the totals only"))
        kind = WheelResult if isinstance(step, _slipfield.WheelStep) else Result
        return kind(step, self.info["title"], self.info["units"])

    def __iter__(self) -> Iterator[Union[Result, WheelResult]]:
        for number in self.info["steps"]:
            yield self.step(number)

    @functools.cached_property
    def table(self) -> Table:
        """The totals of each step, or of the last step of each point of a sweep, in the form of slipfield.sweep().

        The arrays have an axis for each key of the sweep. If keys change together or the file has only some of the
        points, there is a single axis, `point`, and the keys are among the totals; without a sweep it is `step`.
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
            keys, shape = {self._axis: list(read["numbers"])}, (count,)

        def shaped(values: Any, kind: Any) -> Any:
            return np.array(values, dtype=kind).reshape(shape)

        return Table(keys, {name: np.reshape(column, shape) for name, column in totals.items()},
                     shaped([outcome == "converged" for outcome in read["outcomes"]], bool),
                     shaped(read["messages"], object), self.info["units"],
                     shaped(read["warnings"], object), self.info["warnings"])

    @property
    def wear_profiles(self) -> List[Dict[str, Any]]:
        """Returns the wear of the contacts of a sweep of wheels with `wear`: {"point", "side", "contact", "y", "depth"} for
        each, the depth worn off in all passes at the y of each row of elements [length]. For other results use
        Result.wear_profile."""
        return self._open().worn()

    @property
    def points(self) -> List[int]:
        """The numbers of the points of a sweep whose fields the file has."""
        return list(self.info["points"])

    def point(self, number: int) -> File:
        """Returns a point of a sweep, from 1, whose fields the file has."""
        return File(self.path, number)

    def plot(self, step: int = 0, style: Optional[str] = None, *, over: str = "",
             quantities: Union[str, Sequence[str]] = ()) -> Figure:
        """Draws the figure of `slipfield plot FILE`: an overview of one contact, the contacts of a wheel (without the profiles, which
        only the program can read), the curves of a sweep or, with `over` or `quantities`, of the steps.

        Parameters
        ----------
        step: the number of the step, from 1; 0: the last. A sweep takes 0 only.
        style: "screen", "column", "page" or "slide".
        over: for curves: the key of a sweep, "step" or a total along the horizontal axis.
        quantities: for curves: the names of totals.

        Returns
        -------
        A matplotlib Figure.
        """
        from . import figures
        self._open()
        return figures.plot_file(self.path, number_of(step, "step", "1, 2, ..., or 0 for the last"), self._point, style, over, quantities)

    def __repr__(self) -> str:
        what = "a sweep" if self._axis == "point" else f"{len(self)} step{'' if len(self) == 1 else 's'}"
        return f"<slipfield.File {self.path!r}: {self.info['title']!r}, {what}>"


_POINTS = "1, 2, ..., or 0 for a file that is no sweep"


def open(path: PathLike,  # pylint: disable=redefined-builtin
         point: int = 0) -> File:
    """Opens a result file of any kind.

    Parameters
    ----------
    path: a result of the program or of Result.save().
    point: the number of a point of a sweep with fields, from 1; 0: the whole file.
    """
    return File(path, point)


def _result_of(given: Union[Result, WheelResult, PathLike], step: int) -> Union[Result, WheelResult]:
    if isinstance(given, (Result, WheelResult)):
        return given.step(step)
    file = open(given)
    if not len(file):
        raise InputError(f"{file.path}: is a sweep, which has points; accepted: a result with steps, or open(path).point(N)")
    return file.step(step)


class Comparison(Dict[str, Tuple[float, float]]):
    """{name: (difference, scale)} for each field and total of two results; prints as a table."""

    def _rows(self) -> List[Tuple[str, str, str, str]]:
        def row(name: str, difference: float, scale: float) -> Tuple[str, str, str, str]:
            return name, f"{difference:.3g}", f"{scale:.6g}", f"{difference / scale:.2g}" if scale > 0.0 else "-"
        return [("", "difference", "scale", "relative"), *(row(name, *pair) for name, pair in self.items())]

    def __repr__(self) -> str:
        return text_table(self._rows(), 1)

    def _repr_html_(self) -> str:
        head, *rows = self._rows()
        return html_table([row for row in rows if row[2] != "0"], head)  # the others are 0 in both


def _held(result: Union[Result, WheelResult]) -> Dict[str, Any]:
    """What is compared, by name; the contacts of a wheel as "contact 1: pressure"."""
    if isinstance(result, WheelResult):
        return {**result.totals, **{f"contact {contact.index}: {name}": value for contact in result.contacts for name, value in _held(contact).items()}}
    fields = {name: getattr(result, name) for name in (*result.field_names(), *result.row_field_names())}
    return {**{name: value for name, value in result.totals.items() if name != "seconds"}, **fields}


def _require_alike(one: Union[Result, WheelResult], other: Union[Result, WheelResult]) -> None:
    if isinstance(one, WheelResult) != isinstance(other, WheelResult):
        raise InputError("one result is of a wheel, the other of one contact; accepted: two of a kind, of a wheel also open(path).step(1).contacts[0]")
    if one.units != other.units:
        raise InputError(f"the units differ: {one.units} and {other.units}; accepted: results in "
                         "the same units")
    if isinstance(one, WheelResult) and isinstance(other, WheelResult):
        sides = [[contact.side for contact in each.contacts] for each in (one, other)]
        if sides[0] != sides[1]:
            shown = " and ".join(", ".join(each) or "none" for each in sides)
            raise InputError(f"the contacts differ, by the wheels that they are of: {shown}; accepted: results with as many contacts of each wheel")


def compare(first: Union[Result, WheelResult, PathLike], second: Union[Result, WheelResult, PathLike],
            step: int = 0) -> Comparison:
    """Compares each total that two results have in common and, on the same grid, each field.

    Parameters
    ----------
    first, second: Results, WheelResults, or result files.
    step: the number of the step, from 1; 0: the last.

    Returns
    -------
    A Comparison, a dict {name: (difference, scale)} that prints as a table. A field's difference is the greatest over
    its elements, its scale the greatest finite value of either. `seconds` is left out. Of a wheel the totals, and those and the
    fields of its contacts as "contact 1: pressure"; fields on grids of other sizes are left out.
    """
    one, other = _result_of(first, step), _result_of(second, step)
    _require_alike(one, other)
    known = _held(other)
    found = Comparison()
    for name, value in _held(one).items():
        if name not in known or name == "seconds":
            continue
        a, b = np.asarray(value, dtype=float), np.asarray(known[name], dtype=float)
        if a.shape != b.shape:
            continue
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
    skip_unsupported: True leaves out unsupported cases, False refuses them.

    Returns
    -------
    YAML texts for solve() and Solver, one per case. Warns (UserWarning) of everything left out or changed.
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
