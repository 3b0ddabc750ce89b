# SPDX-License-Identifier: Apache-2.0
"""Distribution of a field over the elements: the share of the area for each range of values."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any, List, Tuple

import numpy as np

from .errors import InputError, imported
from .given import number_of
from .show import html_table, text_table

if TYPE_CHECKING:
    import numpy.typing as npt
    Array = npt.NDArray[Any]

PLACES = ("contact", "gap", "all")
_ROWS = 20  # that are printed


class Distribution:
    """The part of the grid's area at which a field has a value in each bin; prints as a table.

    Attributes
    ----------
    name, unit: of the field.
    where: "contact", "gap" (elements out of contact) or "all".
    edges: (bins + 1,), the limits of the bins.
    share: (bins,), of the whole area of the grid: their sum is `area`.
    density: share over the width of the bin, whose integral is `area`.
    area: the part of the grid's area that was counted, of 1.
    mean, rms: over the elements that were counted.
    """

    def __init__(self, name: str, unit: str, where: str, values: Array, count: int, bins: int) -> None:
        self.name, self.unit, self.where = name, unit, where
        low, high = (float(values.min()), float(values.max())) if values.size else (0.0, 0.0)
        if name in ("pressure", "gap"):
            low = min(low, 0.0)
        numbers, self.edges = np.histogram(values, bins, (low, high if high > low else low + 1.0))
        self.share = numbers / count
        self.density = self.share / np.diff(self.edges)
        self.area = values.size / count
        self.mean = float(values.mean()) if values.size else 0.0
        self.rms = float(np.sqrt(np.mean(values**2))) if values.size else 0.0

    @property
    def above(self) -> Array:
        """(bins + 1,): the part of the grid's area that was counted and has at least the value of each edge."""
        return np.concatenate([np.cumsum(self.share[::-1])[::-1], [0.0]])

    def to_pandas(self) -> Any:
        """Returns a pandas.DataFrame with a row for each bin: from, to, share, density, above."""
        return imported("pandas", "to_pandas()").DataFrame({"from": self.edges[:-1], "to": self.edges[1:], "share": self.share, "density": self.density,
                                 "above": self.above[:-1]})

    def _rows(self) -> List[Tuple[str, str, str, str]]:
        every = -(-len(self.share) // _ROWS)
        edges = np.append(self.edges[:-1:every], self.edges[-1])
        share = np.add.reduceat(self.share, np.arange(0, len(self.share), every))
        above = self.above[:-1:every]
        return [("from", f"to {self.unit}", "share of area", "share above")] + [
            (f"{edges[i]:.5g}", f"{edges[i + 1]:.5g}", f"{share[i]:.4g}", f"{above[i]:.4g}") for i in range(len(share))]

    def _heading(self) -> str:
        where = {"contact": "in contact", "gap": "out of contact", "all": "everywhere"}[self.where]
        return f"{self.name}, {where}: {100 * self.area:.4g} % of the area, mean {self.mean:.5g} {self.unit}"

    def __repr__(self) -> str:
        return f"{self._heading()}\n{text_table(self._rows())}"

    def _repr_html_(self) -> str:
        head, *rows = self._rows()
        return f"<p>{html.escape(self._heading())}</p>{html_table(rows, head)}"


def distribution_of(result: Any, name: str, bins: int, where: str) -> Distribution:
    """Implements Result.distribution()."""
    chosen = where or ("gap" if name == "gap" else "contact")
    if chosen not in PLACES:
        raise InputError(f"where: {where!r} is not a part of the grid; accepted: {', '.join(PLACES)}, or \"\"")
    if number_of(bins, "bins", "a whole number from 1") < 1:
        raise InputError("bins: 0 are none; accepted: a whole number from 1")
    field = np.asarray(result.field(name), dtype=float)
    if field.ndim != 2:
        raise InputError(f"{name}: has one number for each row of elements, not for each element; accepted: {', '.join(result.field_names())}")
    if chosen == "all":
        inside = np.ones(field.shape, dtype=bool)
    else:
        touching = np.asarray(result.field("pressure")) > 0.0
        inside = touching if chosen == "contact" else ~touching
    values = field[inside & np.isfinite(field)]
    return Distribution(name, result.unit(name), chosen, values, field.size, int(bins))
