#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Figures of a Slipfield result with h5py and matplotlib, as a start for your own.

    python3 plot_result.py RESULT.h5 FIGURE.png [STEP]

Draws the pressure with the contour of the contact, the tractions over adhesion and slip, and cuts
through the greatest pressure; without STEP of the last one. A grid of one row is drawn as curves.
"""
import sys

try:
    import h5py
    import matplotlib

    matplotlib.use("Agg")  # into a file, without a screen
    import matplotlib.pyplot as plt
    import numpy as np
    from matplotlib.collections import LineCollection
    from matplotlib.patches import Patch
except ModuleNotFoundError as missing:
    sys.exit(f"plot_result.py needs the Python package {missing.name}, which is not installed; "
             "on Debian or Ubuntu: apt-get install python3-h5py python3-matplotlib")

COLOURS = {"exterior": "white", "adhesion": "#a8cee8", "slip": "#f9cf9c"}  # by element_division


class Step:
    """One step of a result: fields as arrays [iy, ix], numbers, element centres and borders."""

    def __init__(self, path, number):
        with h5py.File(path) as result:
            step = result["steps"][f"{number:04d}" if number else max(result["steps"])]
            self.title = result.attrs["title"]
            self.numbers = dict(step.attrs)
            self.fields = {name: item[:] for name, item in step.items()
                           if isinstance(item, h5py.Dataset) and item.ndim == 2}
            self.unit = {"length": result["grid/x"].attrs["units"],
                         "pressure": step["pressure"].attrs["units"]}
            self.centres = (result["grid/x"][:], result["grid/y"][:])
            self.spacing = result["grid"].attrs["spacing"]
        self.borders = [np.append(c - d / 2, c[-1] + d / 2)
                        for c, d in zip(self.centres, self.spacing)]
        self.contact = self.fields["element_division"] > 0
        self.slides = bool(self.fields["traction_x"].any() or self.fields["traction_y"].any())


def draw_map(axes, step, values, **options):
    """A map around the contact, with its contour along the borders of the elements."""
    mask = step.contact
    x, y = step.borders
    iy, ix = np.nonzero(mask if mask.any() else ~mask)
    rows = slice(max(iy.min() - 1, 0), iy.max() + 2)
    columns = slice(max(ix.min() - 1, 0), ix.max() + 2)
    cut = values[rows, columns]
    image = axes.pcolormesh(x[columns.start:][:cut.shape[1] + 1], y[rows.start:][:cut.shape[0] + 1],
                            cut, **options)
    across = np.diff(np.pad(mask, ((0, 0), (1, 1))), axis=1)  # where the contact begins or ends
    along = np.diff(np.pad(mask, ((1, 1), (0, 0))), axis=0)
    contour = [[(x[i], y[j]), (x[i], y[j + 1])] for j, i in zip(*np.nonzero(across))]
    contour += [[(x[i], y[j]), (x[i + 1], y[j])] for j, i in zip(*np.nonzero(along))]
    axes.add_collection(LineCollection(contour, colors="black", linewidths=0.8))
    axes.set_aspect("equal", adjustable="datalim")
    axes.set(xlabel=f"x [{step.unit['length']}]", ylabel=f"y [{step.unit['length']}]")
    return image


def draw_pressure(figure, axes, step):
    image = draw_map(axes, step, np.where(step.contact, step.fields["pressure"], np.nan))
    figure.colorbar(image, ax=axes, label=f"pressure [{step.unit['pressure']}]")
    axes.set_title("pressure", loc="left")


def draw_traction(axes, step):
    draw_map(axes, step, step.fields["element_division"], vmin=-0.5, vmax=2.5,
             cmap=matplotlib.colors.ListedColormap(list(COLOURS.values())))
    iy, ix = np.nonzero(step.contact)
    reach = max(np.ptp(ix) * step.spacing[0], np.ptp(iy) * step.spacing[1])
    every = [max(1, round(reach / 18 / d)) for d in step.spacing]  # arrows at equal distances
    some = np.s_[every[1] // 2::every[1], every[0] // 2::every[0]]
    shown = step.contact[some]
    x, y = np.meshgrid(*step.centres)
    axes.quiver(x[some][shown], y[some][shown], step.fields["traction_x"][some][shown],
                step.fields["traction_y"][some][shown], width=0.004)
    axes.set_title("traction on body 1", loc="left")


def draw_cut(axes, step, along, iy, ix):
    """Tractions between their bounds along x or y; without them the pressure."""
    axis, rows = (0, np.s_[iy, :]) if along == "x" else (1, np.s_[:, ix])
    position = step.centres[axis]
    fields = {name: field[rows] for name, field in step.fields.items()}
    if step.slides:
        for state, colour in enumerate(COLOURS.values()):
            for i in np.nonzero(fields["element_division"] == state)[0]:
                axes.axvspan(*step.borders[axis][i:i + 2], color=colour, linewidth=0)
        for sign in (1, -1):
            axes.plot(position, sign * fields["traction_bound"], "k--", linewidth=0.8)
        axes.plot(position, fields["traction_x"], label="x")
        axes.plot(position, fields["traction_y"], label="y")
        axes.legend()
    else:
        axes.plot(position, fields["pressure"])
    what = "traction" if step.slides else "pressure"
    other, place = ("y", step.centres[1][iy]) if along == "x" else ("x", step.centres[0][ix])
    where = f"{other} = {round(place, 9) + 0.0:.4g}"
    axes.set_title(f"{what} along {along} at {where} {step.unit['length']}", loc="left")
    axes.set(xlabel=f"{along} [{step.unit['length']}]", ylabel=f"{what} [{step.unit['pressure']}]")


def main(result, figure_file, number=0):
    step = Step(result, int(number))
    my, mx = step.contact.shape
    if my == 1 or mx == 1:
        pictures = [["x" if my == 1 else "y"]]
    elif step.slides:
        pictures = [["pressure", "traction"], ["x", "y"]]
    else:
        pictures = [["pressure", "x"], ["pressure", "y"]]
    figure, axes = plt.subplot_mosaic(pictures, figsize=(12, 4 * len(pictures)),
                                      layout="constrained")
    iy, ix = np.unravel_index(step.fields["pressure"].argmax(), step.contact.shape)
    for name, picture in axes.items():
        if name == "pressure":
            draw_pressure(figure, picture, step)
        elif name == "traction":
            draw_traction(picture, step)
        else:
            draw_cut(picture, step, name, iy, ix)
    if step.slides:
        states = [Patch(color=COLOURS[name], label=name) for name in ("adhesion", "slip")]
        figure.legend(handles=states, loc="upper right")
    force = {name: step.numbers[name] for name in ("normal_force", "force_x", "force_y")}
    shown = [f"{0.0 if abs(value) < 1e-6 * force['normal_force'] else value:.5g}"
             for value in force.values()]
    figure.suptitle(f"{step.title}\nnormal force {shown[0]} N, tangential force ({shown[1]} N, "
                    f"{shown[2]} N)")
    figure.savefig(figure_file, dpi=120)


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    main(*sys.argv[1:])
