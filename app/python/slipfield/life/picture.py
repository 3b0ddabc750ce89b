# SPDX-License-Identifier: Apache-2.0
"""A figure of a life: what each profile has lost, and depth, T-gamma and conicity over the life."""

from __future__ import annotations

from typing import Any, Optional

import numpy as np

from ..errors import imported
from .store import Life

_MOST = 7  # profiles that are drawn


def plot(life: Life, style: Optional[str] = None) -> Any:
    """Draws the Life of `read()`, finished or not; returns a matplotlib Figure. style: "screen", "column", "page" or "slide"."""
    matplotlib = imported("matplotlib", "plot()")
    from ..figures.layout import Panel, Text, page, styled
    rounds = life.tables["rounds"]
    distance = life.settings["distance"] > 0.0
    over = np.array([row["distance"] * 1e-6 if distance else row["passing_wheels"] for row in rounds])
    label, unit = ("distance (km)", " km") if distance else ("wheels over the rail", " wheels")
    shown = sorted({int(k) for k in np.linspace(0, len(rounds) - 1, _MOST)})
    colours = [matplotlib.colormaps["viridis"](0.9 * k / max(1, len(shown) - 1)) for k in range(len(shown))]

    def draw_profile(name: str) -> Any:
        def draw(axes: Any) -> None:
            points, new = life.profiles[name], life.profiles[name][0]
            for colour, k in zip(colours[1:], shown[1:]):
                far = f"{over[k]:,.0f}" if over[k] >= 1e3 else f"{over[k]:.4g}"
                axes.plot(new[:, 0], np.hypot(*(points[k] - new).T), color=colour, label=far + unit)
            worn = np.flatnonzero(np.hypot(*(points[-1] - new).T))
            if len(worn):
                axes.set_xlim(new[worn[0], 0] - 2.0, new[worn[-1], 0] + 2.0)
            axes.set(xlabel="y (mm)", ylabel="depth (mm)")
            if len(shown) > 1:
                axes.legend(fontsize="small")
        return draw

    def draw_numbers(columns: Any, words: str) -> Any:
        def draw(axes: Any) -> None:
            for column in columns:
                axes.plot(over, [row[column] for row in rounds], ".-", label=column.replace("depth_", "").replace("_", " "))
            if len(columns) > 1:
                axes.legend(fontsize="small")
            axes.set(xlabel=label, ylabel=words)
        return draw

    panels = [Panel(draw_profile(name), f"Worn off the {' '.join(reversed(name.split('_')))}") for name in life.profiles]
    panels += [Panel(draw_numbers([f"depth_{name}" for name in life.profiles], "depth (mm)"), "Greatest depth"),
               Panel(draw_numbers(["t_gamma"], "T-gamma (N)"), "T-gamma of a wheel, mean of the conditions"),
               Panel(draw_numbers(["conicity"], "Δr/(2y), mean of ±3 mm"), "Conicity")]
    behind = [] if life.share >= 1.0 else [f"unfinished: {life.share:.0%}"]
    with styled(style):
        return page(panels, Text("Wear over a life", [f"{len(rounds) - 1} rounds", *behind, f"smoothing {life.settings['smoothing']:g} mm"]))
