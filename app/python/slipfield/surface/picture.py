# SPDX-License-Identifier: Apache-2.0
"""A figure of a surface: the map of heights, the power spectrum, the bearing curve."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np

from ..errors import imported
from .grid import Surface
from .measures import Measures, measure
from .raw import samples

_LEAST = 1e-16  # of the greatest spectrum, an amplitude of 1e-8: no instrument measures less, and soon there is rounding alone
_MOST = 1200  # samples along a side that are drawn; a picture has no more


def plot(surface: Surface, measures: Optional[Measures] = None) -> Any:
    """Draws the surface; returns a matplotlib Figure.

    Parameters
    ----------
    measures: what measure(surface) gave, with its `periodic`; None: it is measured here.
    """
    imported("matplotlib", "plot()")
    from ..figures import names
    from ..figures.layout import Panel, Text, colour_bar, page, styled
    found = measures or measure(surface)
    values, unit = found.values, surface.unit
    most = max(values["highest_peak"], values["deepest_valley"])
    height = names.scaled(unit, most)
    length = names.scaled(unit, max(values["size_x"], values["size_y"]))
    sizes = [values["size_x"] * length.factor, values["size_y"] * length.factor]
    # The places that crop() takes.
    left, low_edge = ((start - 0.5 * step) * length.factor for start, step in ((surface.x0, surface.dx), (surface.y0, surface.dy)))

    def draw_map(axes: Any) -> None:
        thin = max(1, max(surface.shape) // _MOST)
        shown = (surface.heights[::thin, ::thin] - values["mean_height"]) * height.factor
        low, high = np.nanquantile(shown, [0.001, 0.999])
        image = axes.imshow(shown, origin="lower", extent=(left, left + sizes[0], low_edge, low_edge + sizes[1]), cmap="viridis",
                            vmin=low, vmax=high if high > low else low + 1.0, aspect="auto", interpolation="none")
        axes.set(xlabel=f"$x$ ({length.text})", ylabel=f"$y$ ({length.text})")
        colour_bar(axes, image)

    def draw_spectrum(axes: Any) -> None:
        power = 3 if found.row else 4
        axes.loglog(2.0 * np.pi / found.wavenumber * length.factor, found.spectrum, "o-", markersize=3)
        high = float(found.spectrum.max())
        if high > 0.0 and found.spectrum.min() < _LEAST * high:
            shown = found.spectrum[found.spectrum >= _LEAST * high]
            axes.set_ylim(0.5 * float(shown.min()), 2.0 * high)
        axes.set(xlabel=f"Wave length ({length.text})", ylabel=f"Spectrum ({unit}$^{power}$)")

    def draw_bearing(axes: Any) -> None:
        axes.plot(100.0 * found.bearing_fraction, found.bearing_height * height.factor)
        axes.set(xlabel="Part of the surface above (%)", ylabel=f"Height ({height.text})", xlim=(0, 100))

    panels = [Panel(draw_map, f"Heights ({height.text})", sizes[1] / sizes[0], bar=True)]
    if found.spectrum is not None:
        panels.append(Panel(draw_spectrum, "Power spectrum, all directions"))
    panels.append(Panel(draw_bearing, "Bearing curve"))
    summary = [f"rms height {names.quantity(values['rms_height'], unit)}", f"rms slope {values['rms_slope']:.4g}",
               f"rms curvature {values['rms_curvature']:.4g} 1/{unit}", f"{values['samples_x']} x {values['samples_y']} samples"]
    notes = [f"{samples(values['missing'], 'was', 'were')} not measured; no spectrum without them."] if values["missing"] else []
    with styled():
        return page(panels, Text(surface.source or "Surface", summary, notes))
