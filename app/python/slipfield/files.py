"""Files: results of the program and of this package, inputs of CONTACT, comparisons."""

import numpy as np

from . import _slipfield
from .errors import InputError
from .result import Result


class File:
    """A result file: `info` (a dict), and its steps, which are read when they are asked for."""

    def __init__(self, path, point=0):
        self._file = _slipfield.File(str(path), point)
        self.info = self._file.info
        self.path = str(path)

    @property
    def case(self):
        """The case that was solved: YAML."""
        return self.info["case"]

    def __len__(self):
        return len(self.info["steps"])

    def step(self, number=0, fields=True):
        """The Result of a step by its number; 0: the last."""
        return Result(self._file.step(number, fields), self.info["title"], self.info["units"])

    def __iter__(self):
        for number in self.info["steps"]:
            yield self.step(number)

    def __repr__(self):
        return f"<slipfield.File {self.path!r}: {self.info['title']!r}, {len(self)} steps>"


def open(path, point=0):  # pylint: disable=redefined-builtin
    """A result file. point: of a sweep with fields, from 1."""
    return File(path, point)


def _result_of(given, step):
    if isinstance(given, Result):
        return given.step(step) if step else given
    return File(given).step(step)


def compare(first, second, step=0):
    """How far two results are apart: {name: (difference, scale)} for each field and total of both.

    first, second: Results or result files. A field's difference is the greatest over its elements,
    its scale the greatest value of either; infinite where the grids differ.
    """
    one, other = _result_of(first, step), _result_of(second, step)
    if one.x.shape != other.x.shape or one.y.shape != other.y.shape:
        raise InputError(f"the grids differ: {len(one.x)} x {len(one.y)} and {len(other.x)} x "
                         f"{len(other.y)} elements; accepted: results on the same grid")
    found = {}
    for name in [*one.totals, *one.field_names()]:
        if name not in other.totals and name not in other.field_names():
            continue
        a = np.asarray(getattr(one, name), dtype=float)
        b = np.asarray(getattr(other, name), dtype=float)
        same = (a == b) | (np.isnan(a) & np.isnan(b))
        with np.errstate(invalid="ignore"):
            difference = np.where(same, 0.0, np.abs(a - b))
        finite = np.concatenate([np.ravel(np.abs(v[np.isfinite(v)])) for v in (a, b)])
        found[name] = (float(np.max(difference)), float(finite.max(initial=0.0)))
    return found


def convert(path, cases=None, skip_unsupported=False):
    """The cases of an input file of CONTACT: a list of Solver's first two arguments, (text, arrays).

    cases: (first, last), numbers from 1; None: all. skip_unsupported: what is not supported is left
    out instead of refused.
    """
    texts, _ = _slipfield.convert(str(path), cases, skip_unsupported)
    converted = []
    for text, heights in texts:
        table = np.array([line.split() for line in heights.splitlines() if line.strip()], dtype=float)
        converted.append((text, {"heights": table} if heights else {}))
    return converted
