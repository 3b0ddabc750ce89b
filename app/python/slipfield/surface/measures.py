# SPDX-License-Identifier: Apache-2.0
"""Numbers of a surface: heights, slopes, curvatures, power spectrum, bearing curve. io/heights/measures.h has the first three for
`slipfield check`, by the same formulas."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Tuple

import numpy as np

from ..errors import imported
from ..given import near_names
from ..show import html_table
from .grid import Surface

BINS = 10      # of the spectrum, in a decade of wave numbers
_ROUNDING = 1e-12  # of the rms height; below it heights about 0 are rounded
BEARING = 101  # points of the bearing curve


@dataclass(frozen=True)
class Measures:
    """Numbers of a surface, also as attributes: measures.rms_slope; prints as a table.

    Attributes
    ----------
    values: by name; lengths in `unit`. Heights are about their mean. rms_slope is that of the gradient between neighbouring
        samples; rms_curvature that of (z_xx + z_yy)/2, on one row of z_xx.
    wavenumber, spectrum: the power spectrum C(q) [unit^4] over q = 2 pi/wave length [1/unit], averaged over directions;
        mean(z^2) is the sum of C over all waves, divided by the area. On one row [unit^3]. None if samples are missing.
    bearing_fraction, bearing_height: the part of the surface above this height over the mean.
    windowed: the spectrum is that of the heights times a Hann window, because they do not repeat.
    """

    unit: str
    values: Dict[str, float]
    wavenumber: Optional[Any]
    spectrum: Optional[Any]
    bearing_fraction: Any
    bearing_height: Any
    windowed: bool
    row: bool = False

    def __getattr__(self, name: str) -> float:
        if name.startswith("_") or name == "values":
            raise AttributeError(name)
        if name in self.values:
            return self.values[name]
        raise AttributeError(f"a surface's measures have no {name!r}; {near_names(name, self.values, 'list(measures.values) has all')}")

    def __getitem__(self, name: str) -> float:
        if name in self.values:
            return self.values[name]
        raise KeyError(f"{name!r}; {near_names(name, self.values, 'list(measures.values) has all')}")

    def __dir__(self) -> List[str]:
        return [*super().__dir__(), *self.values]

    def to_pandas(self) -> Any:
        """Returns the numbers as a pandas.Series, with their units in its attrs["units"]."""
        series = imported("pandas", "to_pandas()").Series(self.values)
        series.attrs["units"] = {name: self.unit_of(name) for name in self.values}
        return series

    def unit_of(self, name: str) -> str:
        """The unit of one of `values`; "" for plain numbers."""
        if name == "rms_curvature":
            return f"1/{self.unit}"
        return "" if name.startswith(("samples", "missing", "skew", "kurt", "rms_slope")) else self.unit

    def rows(self) -> List[Tuple[str, str, str]]:
        """Name, number and unit of each line of the table: all except the spectrum, of which only the ends are shown."""
        found = [(name.replace("_", " "), f"{value:.6g}" if isinstance(value, float) else str(value), self.unit_of(name))
                 for name, value in self.values.items()]
        found += [(f"bearing, {100 * self.bearing_fraction[i]:.0f} % above", f"{_without_noise(float(self.bearing_height[i]), self.values['rms_height']):.6g}", self.unit)
                  for i in (0, 1, 5, 10, 25, 50, 75, 90, 95, 99, 100)]
        if self.wavenumber is not None and self.spectrum is not None:
            power = f"{self.unit}^{3 if self.row else 4}"
            found += [(f"spectrum, {which} wave, {2 * np.pi / self.wavenumber[i]:.4g} {self.unit}", f"{self.spectrum[i]:.4g}", power)
                      for which, i in (("longest", 0), ("shortest", -1))]
        return found

    def to_dict(self) -> Dict[str, Any]:
        """Only numbers and lists, for --json."""
        listed = {name: None if array is None else [float(each) for each in array] for name, array in
                  (("wavenumber", self.wavenumber), ("spectrum", self.spectrum), ("bearing_fraction", self.bearing_fraction),
                   ("bearing_height", self.bearing_height))}
        return {"unit": self.unit, **self.values, "window": "hann" if self.windowed else "none", **listed}

    def __repr__(self) -> str:
        rows = self.rows()
        wide = max(len(name) for name, _, _ in rows)
        return "\n".join(f"{name:{wide}}  {number:>12}  {unit}".rstrip() for name, number, unit in rows)

    def _repr_html_(self) -> str:
        return html_table(self.rows())


def _differences(heights: Any, axis: int, periodic: bool) -> Any:
    return np.roll(heights, -1, axis) - heights if periodic else np.diff(heights, axis=axis)


def _mean_square(values: Any) -> float:
    known = values[np.isfinite(values)]
    return float(np.mean(known**2)) if known.size else 0.0


def _curvatures(surface: Surface, periodic: bool) -> Any:
    """(z_xx + z_yy)/2 if all neighbours exist; z_xx on one row."""
    heights = np.pad(surface.heights, 1, mode="wrap") if periodic else surface.heights
    my, mx = surface.shape
    one = {1: heights if not periodic or mx < 3 else heights[1:-1], 0: heights if not periodic or my < 3 else heights[:, 1:-1]}
    parts = [np.diff(one[axis], 2, axis=axis) / step**2 for axis, step, count in ((1, surface.dx, mx), (0, surface.dy, my)) if count >= 3]
    if len(parts) < 2:
        return parts[0] if parts else np.zeros((1, 1))
    inner = slice(None) if periodic else slice(1, -1)
    return 0.5 * (parts[0][inner] + parts[1][:, inner])


def _spectrum(surface: Surface, periodic: bool) -> Tuple[Any, Any]:
    """Wave numbers and the mean of |Z(q)|^2/area over the waves of each bin."""
    my, mx = surface.shape
    heights = surface.heights - surface.heights.mean()
    if not periodic:
        windows = [0.5 - 0.5 * np.cos(2.0 * np.pi * (np.arange(count) + 0.5) / count) if count > 1 else np.ones(1) for count in (my, mx)]
        window = windows[0][:, None] * windows[1][None, :]
        heights = heights * window / np.sqrt(np.mean(window**2))
    density = np.abs(np.fft.fft2(heights))**2 * (surface.dx / mx) * (surface.dy / my if my > 1 else 1.0)
    q = np.hypot(*np.meshgrid(2.0 * np.pi * np.fft.fftfreq(mx, surface.dx), 2.0 * np.pi * np.fft.fftfreq(my, surface.dy)))
    waves = np.flatnonzero(q.ravel() > 0.0)
    q, density = q.ravel()[waves], density.ravel()[waves]
    # Bins begin at the longest wave, which is alone in the first one with those of the other direction.
    bins = np.floor(BINS * np.log10(q / q.min()) + 1e-9).astype(int)
    count = np.bincount(bins)
    full = count > 0
    return np.bincount(bins, q)[full] / count[full], np.bincount(bins, density)[full] / count[full]


def _without_noise(value: float, size: float) -> float:
    """Replaces rounding residues, relative to the size, by 0."""
    return value if abs(value) > _ROUNDING * size else 0.0


_STEEPEST, _FLATTEST = 1.0, 1e-7  # rms slopes; a superfinished mirror has 1e-6
_PLANE = 1e-12                     # below it a levelled plane's rounding


def slope_warnings(name: str, found: Measures) -> List[str]:
    """Warns of an rms slope too great for the theory of the half-space, or smaller than that of any finish."""
    slope = found.values["rms_slope"]
    if not (slope > _STEEPEST or _PLANE < slope < _FLATTEST):
        return []
    what, otherwise = (("and elastic half-spaces have slopes far below 1", "or spikes and steps make it (--spikes missing)") if slope > _STEEPEST else
                   ("less than the finest finish has", "or the surface is a plane"))
    return [f"{name}: the rms slope is {slope:.3g} over {found.values['size_x']:.4g} x {found.values['size_y']:.4g} {found.unit}, {what}; probably "
            f"its heights are in another unit than was taken (--height-unit), or its distances are (--unit, --spacing), {otherwise}"]


def measure(surface: Surface, periodic: bool = False) -> Measures:
    """The numbers of a surface.

    Parameters
    ----------
    periodic: the surface repeats in x and y: differences also cross its edges, and the spectrum needs no window.
    """
    heights = surface.heights
    known = heights[np.isfinite(heights)]
    mean = float(known.mean())
    about = known - mean
    rms = float(np.sqrt(np.mean(about**2)))
    slopes = [np.sqrt(_mean_square(_differences(heights, axis, periodic) / step)) if count > 1 else 0.0
              for axis, step, count in ((1, surface.dx, surface.shape[1]), (0, surface.dy, surface.shape[0]))]
    values: Dict[str, Any] = {
        "samples_x": surface.shape[1], "samples_y": surface.shape[0], "missing": surface.missing,
        "size_x": surface.dx * surface.shape[1], "size_y": surface.dy * surface.shape[0], "spacing_x": surface.dx, "spacing_y": surface.dy,
        "mean_height": _without_noise(mean, rms), "rms_height": rms,
        "rms_slope": float(np.hypot(*slopes)), "rms_slope_x": float(slopes[0]),
        "rms_slope_y": float(slopes[1]), "rms_curvature": float(np.sqrt(_mean_square(_curvatures(surface, periodic)))),
        "skewness": _without_noise(float(np.mean(about**3) / rms**3), 1.0) if rms > 0.0 else 0.0,
        "kurtosis": float(np.mean(about**4) / rms**4) if rms > 0.0 else 0.0,
        "highest_peak": float(about.max()), "deepest_valley": float(0.0 - about.min()), "peak_to_valley": float(about.max() - about.min())}
    wavenumber, spectrum = (None, None) if surface.missing or heights.size < 4 else _spectrum(surface, periodic)
    fraction = np.linspace(0.0, 1.0, BEARING)
    return Measures(surface.unit, values, wavenumber, spectrum, fraction, np.quantile(about, 1.0 - fraction), not periodic,
                    surface.shape[0] == 1)
